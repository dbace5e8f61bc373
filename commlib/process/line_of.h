/* SPDX-License-Identifier: BSD-3-Clause
 * File and line of an address, for messages about programs that have no list of call sites.
 * Asks addr2line, which comes with the compiler; without it messages show the address. */
#ifndef CS_LINE_OF_H
#define CS_LINE_OF_H

#include <stdbool.h>

/* "FILE:LINE" of "+0x1234" in a module, to buf. False, and buf as it was, if nobody knows. Takes some milliseconds. */
bool cs_line_of(const char *module, const char *offset, char *buf, int len);

#endif
