/* SPDX-License-Identifier: BSD-3-Clause
 * Shares, times and places in the source, as people read them. */
#ifndef CS_QUANTITIES_H
#define CS_QUANTITIES_H

#include <stddef.h>

#include "reading/locations.h"

/* "12 %", "0.3 %", "<0.1 %"; returns buf. */
const char *cs_percent(char buf[16], double share);
/* "1.23 s", "4.5 ms"; returns buf. */
const char *cs_human_ns(char buf[32], double ns);
/* "solver.c:12"; "solve in app" where there is no line, "?" if nothing is known. */
const char *cs_location_text(const struct cs_source_location *p, char *buf, size_t len);

#endif
