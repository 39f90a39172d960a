# SPDX-License-Identifier: BSD-3-Clause
"""Zoid for Spack 1.0 and later: put this folder into a repository of packages (api v2.0) as
packages/zoid. `spack dev-build zoid@main` builds the tree that it is called in. Spack has no
libsegyio, so SEG-Y is left out."""
from spack_repo.builtin.build_systems.cmake import CMakePackage, generator
from spack_repo.builtin.build_systems.cuda import CudaPackage

from spack.package import *


class Zoid(CMakePackage, CudaPackage):
    """Stencil computations larger than memory, as StarPU task graphs."""

    license("BSD-3-Clause")
    version("main", branch="main")

    variant("mpi", default=True, description="Ranks through StarPU-MPI")
    variant("hdf5", default=True, description="HDF5 files, checkpoints and snapshots")
    variant("trace", default=False, description="Traces through FxT")
    variant("python", default=True, description="The package zoid, on NumPy's arrays")

    depends_on("c", type="build")
    depends_on("cxx", type="build", when="+cuda")
    depends_on("cmake@3.22:", type="build")
    depends_on("ninja", type="build")
    depends_on("help2man", type="build")
    depends_on("pkgconfig", type="build")
    depends_on("starpu@1.4:")
    for name in ("mpi", "cuda"):
        depends_on(f"starpu@1.4:+{name}", when=f"+{name}")
    depends_on("starpu@1.4:+fxt", when="+trace")
    depends_on("hwloc")
    depends_on("jansson")
    depends_on("cairo@1.14:+svg+png")
    depends_on("isl@0.22:")
    depends_on("zlib-api")
    depends_on("mpi", when="+mpi")
    depends_on("hdf5@1.10.7:+hl", when="+hdf5")
    depends_on("xxhash", when="+hdf5")
    extends("python@3.9:", when="+python")
    depends_on("py-numpy", type="run", when="+python")

    generator("ninja")
    conflicts("cuda_arch=none", when="+cuda", msg="name an architecture: cuda_arch=80 or later")

    def cmake_args(self):
        args = [
            self.define_from_variant("ZOID_CUDA", "cuda"),
            self.define_from_variant("ZOID_MPI", "mpi"),
            self.define_from_variant("ZOID_HDF5", "hdf5"),
            self.define("ZOID_STARPU_PREFIX", self.spec["starpu"].prefix),
            self.define("ZOID_BUNDLE_STARPU", False),
            self.define("BUILD_TESTING", self.run_tests),
        ]
        if "+cuda" in self.spec:
            archs = self.spec.variants["cuda_arch"].value
            args.append(self.define("CMAKE_CUDA_ARCHITECTURES", archs))
        return args

    @run_after("install")
    def install_python(self):
        if "+python" in self.spec:
            install_tree("apps/python/zoid", join_path(python_platlib, "zoid"))

    def setup_run_environment(self, env: EnvironmentModifications) -> None:
        if "+python" in self.spec:
            found = find_libraries("libzoid", root=self.prefix, recursive=True)
            env.set("ZOID_LIBRARY", found[0])
