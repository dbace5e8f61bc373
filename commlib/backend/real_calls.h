/* SPDX-License-Identifier: BSD-3-Clause
 * The functions of the MPI library underneath. real_calls.c is made from the table of MPI calls by gen_wrappers. */
#ifndef CS_REAL_CALLS_H
#define CS_REAL_CALLS_H

#include "commlib/state/call.h"

/* Calls the MPI library itself with these arguments; by the index of the call in the table, NULL for calls that are not
 * wrapped. */
extern int (*const cs_real[])(const union cs_arg *a);
/* Looks all functions of the MPI library up; once, before cs_real is used. */
void cs_resolve_real(void);

/* The Fortran function of this name in the MPI library. */
void *cs_find_fortran(const char *name);

#endif
