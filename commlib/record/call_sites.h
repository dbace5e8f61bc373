/* SPDX-License-Identifier: BSD-3-Clause
 * Call sites as the recorder numbers them: from the plugin's list where the program has one, from the return
 * address otherwise. */
#ifndef CS_CALL_SITES_H
#define CS_CALL_SITES_H

#include "commlib/state/call.h"

/* The return address of the Fortran entry point that was called last; wrappers.c sets it. */
extern __thread const void *cs_fortran_caller;

/* To be called once, before the first event. */
void cs_sites_start(void);

/* Sets c->site and c->mark: takes and clears what the slice left for this call; without such information the site is
 * the return address and the mark is content. With the lock held. */
void cs_site_take(struct cs_call *c, const void *caller);

/* The index of the site in the trace (-1: unknown). With the lock held. */
int cs_site_in_trace(int site);

/* The same site in any process of the run: a number that other ranks' processes can turn into text. 0: unknown. */
int64_t cs_site_where(int site);
const char *cs_site_where_text(int64_t where, char *buf, int len);

/* "file:line", or "module+0x1234", into buf. */
const char *cs_site_text(int site, char *buf, int len);

#endif
