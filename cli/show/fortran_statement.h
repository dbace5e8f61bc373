/* SPDX-License-Identifier: BSD-3-Clause
 * Statements of a Fortran source, which go on over several lines.
 */
#ifndef CS_FORTRAN_STATEMENT_H
#define CS_FORTRAN_STATEMENT_H

#include <stdbool.h>
#include <stddef.h>

/* Is a file of this name Fortran? *fixed: in fixed form, by GCC's rule. */
bool cs_fortran_source(const char *name, bool *fixed);
/* The statement that line number i (from 0) of n lines belongs to, in one line and without comments. Of a long one, its
 * beginning and what stands in line i. The caller frees; NULL: memory is out. */
char *cs_fortran_statement(char *const *line, size_t n, size_t i, bool fixed);

#endif
