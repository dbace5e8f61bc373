/* SPDX-License-Identifier: BSD-3-Clause
 * Where all entry points of wrappers.c, which is made from the table of MPI calls, end. */
#ifndef CS_WRAP_H
#define CS_WRAP_H

#include "commlib/state/call.h"

/* A call of the program, or one that the MPI library makes while it serves one. `caller` is the return address. */
int cs_dispatch(int index, union cs_arg *a, const void *caller);

#endif
