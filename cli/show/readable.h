/* SPDX-License-Identifier: BSD-3-Clause
 * Function names as their programmers know them. Machine-readable output has the linker's names. */
#ifndef CS_READABLE_H
#define CS_READABLE_H

#include <stdbool.h>
#include <stdio.h>

/* Prints a function's linker name, that of a C++ function demangled. */
void cs_put_name(FILE *out, const char *name);

#endif
