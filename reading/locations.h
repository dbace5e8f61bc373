/* SPDX-License-Identifier: BSD-3-Clause
 * Turns unresolved call sites (module and offset, as the recorder of originals stores them) into file and line,
 * by the debug information of the module where it is there. Answers are remembered. */
#ifndef CS_LOCATIONS_H
#define CS_LOCATIONS_H

#include "trace/trace.h"

struct cs_locations;

/* A place in the source. The strings belong to the cs_locations that found it. */
struct cs_source_location {
    const char *file; /* or the module, if there is no debug information */
    int line;         /* -1: not known */
    const char *func; /* or "+0x1234", or NULL */
};

struct cs_locations *cs_locations_new(void);
void cs_locations_free(struct cs_locations *p);
/* What to show for a site; NULL gives file NULL. Strings live as long as `p` and the trace. */
struct cs_source_location cs_locations_find(struct cs_locations *p, const struct cs_site *site);

/* Replaces `n` sites by what cs_locations_find says of them; strings then may be those of `p`. */
void cs_locations_fill(struct cs_locations *p, struct cs_site *site, int n);

#endif
