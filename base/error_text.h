/* SPDX-License-Identifier: BSD-3-Clause
 * One-line reasons of errors, which functions leave in a buffer of their caller. */
#ifndef CS_ERROR_TEXT_H
#define CS_ERROR_TEXT_H

#include <stddef.h>

/* Formats the reason, cut off where the buffer ends; errlen 0: nobody wants it. Returns -1, what the caller returns. */
int cs_error_text(char *errbuf, size_t errlen, const char *fmt, ...) __attribute__((format(printf, 3, 4)));

#endif
