# SPDX-License-Identifier: BSD-3-Clause
"""commslice as a package of Spack: put this file into the folder packages/commslice of a repository of your own."""

from spack.package import *


class Commslice(AutotoolsPackage):
    """What an MPI program says to the network, at any scale: a GCC plugin
    removes its computation, and keeps what decides its communication."""

    license("BSD-3-Clause AND GPL-3.0-or-later", checked_by="commslice")

    version("develop", branch="main")

    depends_on("c", type="build")
    depends_on("cxx", type="build")
    depends_on("fortran", type="build")
    depends_on("autoconf", type="build")
    depends_on("automake@1.16:", type="build")
    depends_on("pkgconfig", type="build")

    # Programs are compiled with the GCC that the plugin was built for, and with MPICH's wrappers.
    depends_on("mpich@4:", type=("build", "link", "run"))
    depends_on("elfutils")
    depends_on("zstd libs=shared,static")
    depends_on("xxhash", type=("build", "link"))
    depends_on("uthash", type="build")
    depends_on("otf2")
    depends_on("netlib-lapack+lapacke")
    depends_on("gnuplot", type="run")
    depends_on("graphviz", type="run")
    depends_on("check", type="test")

    requires("%gcc@12:15", msg="commslice is a plugin of GCC 12 to 15")

    # Of a checkout: git = "file:///PATH/TO/commslice" on the command line of `spack develop`.
    git = "commslice"

    def autoreconf(self, spec, prefix):
        autoreconf("-fi")

    def configure_args(self):
        mpi = self.spec["mpich"]
        return [
            f"MPICC={mpi.mpicc}",
            f"MPICXX={mpi.mpicxx}",
            f"MPIFORT={mpi.mpifc}",
            f"MPIEXEC={mpi.prefix.bin.mpiexec}",
        ]
