/* SPDX-License-Identifier: BSD-3-Clause
 * What the Fortran library of MPICH 5 asks of the other one beyond calls: handles as Fortran has them, which are the
 * same numbers, and what LOGICALs hold. Older ones have macros for it. */
#include "emulate/world/entry.h"

/* gfortran's .TRUE. and .FALSE. */
extern CS_EMU_VISIBLE int MPIR_fortran_true, MPIR_fortran_false;
int MPIR_fortran_true = 1;
int MPIR_fortran_false = 0;

#define HANDLE(type) \
    CS_EMU_VISIBLE MPI_Fint type##_c2f(type); \
    CS_EMU_VISIBLE MPI_Fint type##_c2f(type handle) \
    { \
        return (MPI_Fint)handle; \
    }

#undef MPI_Comm_c2f
#undef MPI_Errhandler_c2f
#undef MPI_Op_c2f
#undef MPI_Session_c2f
#undef MPI_Type_c2f
#undef MPI_Win_c2f
HANDLE(MPI_Comm)
HANDLE(MPI_Errhandler)
HANDLE(MPI_Op)
HANDLE(MPI_Session)
HANDLE(MPI_Win)

CS_EMU_VISIBLE MPI_Fint MPI_Type_c2f(MPI_Datatype);
CS_EMU_VISIBLE MPI_Fint MPI_Type_c2f(MPI_Datatype handle)
{
    return (MPI_Fint)handle;
}
