# SPDX-License-Identifier: BSD-3-Clause
"""No message of a failure has an option of the command line, in any test of this folder: this file
is loaded before all of them run."""
import itertools
import unittest

import zoid

_initialize = zoid.Error.__init__


def _checked(self, message, *more):
    if "--" in message:
        raise AssertionError(f"a message in Python names an option: {message}")
    _initialize(self, message, *more)


zoid.Error.__init__ = _checked

VALUES = ("?", "", "1:2", "x=", -1, 1.5, 1e300, 10**18, (1, 2, 3, 4), {"u": "?"}, {"x": -1}, {},
          [7, "?"])


class Messages(unittest.TestCase):
    def test_that_it_is_seen(self):
        with self.assertRaisesRegex(AssertionError, "names an option"):
            raise zoid.BadArgument("use --ram 1M")

    def test_settings(self):
        """Each by a wrong value, at once or where the plan is made."""
        refused = set()
        # A trace is the process's, and begins with the first plan.
        keys = {row["key"] for row in zoid.settings()} - {"trace"}
        for operator, (key, value) in itertools.product(
                ("heat", "wave", "seismic"),
                itertools.product(sorted(keys), VALUES)):
            name = key + "_" * (key == "lambda")
            settings = {"operator": operator, "steps": 2, "size": (5, 5), name: value}
            try:
                with zoid.Session(**settings) as session:
                    session.prepare()
            except zoid.Error as error:
                self.assertTrue(str(error))
                refused.add(key)
        self.assertGreater(len(refused), 70)


if __name__ == "__main__":
    unittest.main()
