/* SPDX-License-Identifier: BSD-3-Clause
 * Whether what the program and its libraries may do can be put back (put_back.h), by the functions that they call. */
#ifndef CS_PUT_BACK_IMPORTS_H
#define CS_PUT_BACK_IMPORTS_H

#include <stdbool.h>

/* True if each function that the program and its libraries have from the C library changes only memory and files, and
 * those that they have from libraries of compilers, too. Of functions that are not known it is false: those that make
 * threads and processes, catch signals, change the current folder, map memory ... */
bool cs_emu_put_back_imports(void);

#endif
