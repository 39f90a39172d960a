# SPDX-License-Identifier: BSD-3-Clause
"""The wheel has a library, so it is for one kind of machine; pyproject.toml says the rest."""
from setuptools import setup
from setuptools.dist import Distribution


class WithLibrary(Distribution):
    def has_ext_modules(self):
        return True


setup(distclass=WithLibrary)
