/* SPDX-License-Identifier: BSD-3-Clause
 * Functions that give memory, and the names that an assumption has for the sizes that they are asked for. */
#ifndef CS_ALLOCATION_H
#define CS_ALLOCATION_H

#ifdef __cplusplus
extern "C" {
#endif

/* The name of argument `arg` of the function of that symbol, as its documentation has it, "size" of operator new; NULL:
 * it is no size, or the function gives no memory. */
const char *cs_allocation_size(const char *symbol, int arg);

#ifdef __cplusplus
}
#endif
#endif
