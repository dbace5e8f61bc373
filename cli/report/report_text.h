/* SPDX-License-Identifier: BSD-3-Clause
 * Text and numbers as HTML: what the sections of the page write with. */
#ifndef CS_REPORT_TEXT_H
#define CS_REPORT_TEXT_H

#include <stdint.h>
#include <stdio.h>

#include "base/ranges.h"
#include "cli/show/quantities.h"

/* Text as HTML: markup escaped, what is no UTF-8 or no character of XML replaced. */
void cs_html_text(FILE *out, const char *s);
/* printf, escaped. */
void cs_html_textf(FILE *out, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* "1,234,567"; returns buf. */
const char *cs_grouped(char buf[32], uint64_t n);
/* A cell of a table: a number, shown grouped or as bytes, that sorts as itself. */
void cs_html_number(FILE *out, uint64_t n);
void cs_html_bytes(FILE *out, uint64_t n);
/* A bar with its percentage as a cell. */
void cs_html_share(FILE *out, double share, const char *style);
/* Ranks in short, "0-3,8,12-60/4", cut after `most` pieces. Escapes nothing: digits only. */
void cs_html_ranks(FILE *out, const struct cs_ranges *ranks, int most);
const char *cs_size_label(char buf[48], int bucket);

#endif
