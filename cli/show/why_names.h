/* SPDX-License-Identifier: BSD-3-Clause
 * Names of the source, for steps of chains of reasons: in a line of the source, and in a statement as the compiler
 * writes it, `n_5 = grid_2(D)->left;`. All write to buf, of n bytes: "" if there is no such name. */
#ifndef CS_WHY_NAMES_H
#define CS_WHY_NAMES_H

#include <stdbool.h>
#include <stddef.h>

/* By the end of its name. */
bool cs_why_is_fortran(const char *file);
/* Is the character part of a name? */
bool cs_why_is_name(char c);
/* Does the source line have the name? Fortran's have no case. */
bool cs_why_has_name(const char *line, const char *name, bool fortran);
/* Does the source line begin with these words, with blanks between them or not? */
bool cs_why_begins_with(const char *line, const char *first, const char *second);
/* The linker's name as it is in the source: of C++ without arguments, of Fortran without its module. */
void cs_why_source_name(const char *name, const char *file, char *buf, size_t n);
/* What the statement defines: n of `n_5 = ...`. */
void cs_why_defined_name(const char *text, char *buf, size_t n);
/* The variable that the statement reads and does nothing else with (`n_3 = m;`). */
void cs_why_read_name(const char *text, char *buf, size_t n);
/* What the statement reads, by the path that the source has for it: `s->boxes` of `_4 = s_2(D)->boxes;`, `n` of
 * `*n_5(D)`; not where the compiler's names say nothing. */
void cs_why_read_path(const char *text, char *buf, size_t n);
/* The last name of what the source line assigns: n of `int n = m->n + 1;`, u of `a%u(i, j) = 0`; not of a line that
 * decides, calls, or goes on from another one. */
void cs_why_assigned_name(const char *line, char *buf, size_t n);
/* What the source line writes, as a path: x of `x(i, j) = ...`. It leaves buf as it is if it writes nothing, or is
 * NULL. */
void cs_why_written_name(const char *line, char *buf, size_t n);
/* What the source line allocates, if it is one thing: u of ALLOCATE(a%u(n)), x of `double *x = new double[n]` and
 * x.resize(n). */
void cs_why_allocated_name(const char *line, char *buf, size_t n);
/* Which argument of the call, as the compiler writes it, is this word of so many characters; -1: none, or more than
 * one. */
int cs_why_argument(const char *call, const char *word, size_t length);
/* The end of a path to a member that begins at `text`, by . and ->. */
const char *cs_why_path_end(const char *text);
/* Appends the names of members that the path from `from` to `to` has behind its first name, each behind `between`; the
 * compiler's own are left out. */
void cs_why_put_members(const char *from, const char *to, const char *between, char *buf, size_t n);

#endif
