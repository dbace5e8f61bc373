# SPDX-License-Identifier: BSD-3-Clause
# CS_MPICH: finds MPICH's compiler wrappers, mpiexec and headers; nobody else's mpi.h will do.
# Sets MPICC, MPICXX, MPIFORT, MPIEXEC (absolute paths), MPI_CPPFLAGS and MPI_LIBS.
AC_DEFUN([CS_MPICH], [
  # Debian names them mpicc.mpich as well, so that they are found beside another MPI.
  AC_ARG_VAR([MPICC], [MPICH's C compiler wrapper])
  AC_ARG_VAR([MPICXX], [MPICH's C++ compiler wrapper])
  AC_ARG_VAR([MPIFORT], [MPICH's Fortran compiler wrapper])
  AC_ARG_VAR([MPIEXEC], [MPICH's mpiexec])
  AC_PATH_PROGS([MPICC], [mpicc.mpich mpicc], [no])
  AC_PATH_PROGS([MPICXX], [mpicxx.mpich mpicxx], [no])
  AC_PATH_PROGS([MPIFORT], [mpifort.mpich mpifort], [no])
  AC_PATH_PROGS([MPIEXEC], [mpiexec.mpich mpiexec], [no])
  for cs_tool in "$MPICC" "$MPICXX" "$MPIFORT" "$MPIEXEC"; do
    AS_IF([test "$cs_tool" = no],
      [AC_MSG_ERROR([MPICH is missing (Debian: mpich libmpich-dev)])])
  done

  # -show prints the command line that the wrapper would run; we want its -I, -L and -l only.
  MPI_CPPFLAGS= MPI_LIBS=
  for cs_word in `$MPICC -show`; do
    AS_CASE([$cs_word],
      [-I*], [MPI_CPPFLAGS="$MPI_CPPFLAGS $cs_word"],
      [-L*|-l*], [MPI_LIBS="$MPI_LIBS $cs_word"])
  done
  AC_SUBST([MPI_CPPFLAGS])
  AC_SUBST([MPI_LIBS])

  AC_MSG_CHECKING([whether $MPICC is MPICH's])
  cs_save_CPPFLAGS=$CPPFLAGS
  CPPFLAGS="$CPPFLAGS $MPI_CPPFLAGS"
  AC_COMPILE_IFELSE([AC_LANG_PROGRAM([[
#include <mpi.h>
#ifndef MPICH_NUMVERSION
#error not MPICH
#endif
]])],
    [AC_MSG_RESULT([yes])],
    [AC_MSG_RESULT([no])
     AC_MSG_ERROR([$MPICC is not MPICH's: configure with MPICC= MPICXX= MPIFORT= MPIEXEC= (Debian: mpich libmpich-dev)])])
  CPPFLAGS=$cs_save_CPPFLAGS
])
