/* SPDX-License-Identifier: BSD-3-Clause
 * Text that comes from elsewhere (names of files, arguments of programs) in what people and shells read.
 * Machine-readable forms have their own ways: json.h, report_text.c for HTML, export_csv.c. */
#ifndef CS_TEXT_H
#define CS_TEXT_H

#include <stdio.h>

/* Bytes of the UTF-8 character that s begins with; 0: there is none (RFC 3629: no surrogates, no longer forms). */
int cs_utf8_length(const unsigned char *s);
/* Prints text on one line: control characters as in C, \n or \033, all else as it is. */
void cs_put_plain(FILE *out, const char *text);
/* The same of a formatted text, and ends the line. */
void cs_print_plain(FILE *out, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* Prints a word for a POSIX shell, in quotes if it needs them. */
void cs_put_shell_word(FILE *out, const char *word);

#endif
