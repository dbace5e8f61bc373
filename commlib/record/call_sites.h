/* SPDX-License-Identifier: BSD-3-Clause
 * Call sites and their numbers in this process: an entry of the plugin's list if the program has one, else the return
 * address of the MPI call. */
#ifndef CS_CALL_SITES_H
#define CS_CALL_SITES_H

#include "commlib/state/call.h"

/* The return address of the Fortran entry point that was called last in this thread; wrappers.c sets it. */
extern __thread const void *cs_fortran_caller;

/* To be called once, before the first event. */
void cs_sites_start(void);

/* Sets c->site, c->mark and c->poison from the word that the slice wrote for this call (api/marks.h), and clears the
 * word. Without a word the site is `caller`, the return address, and the mark is content. With the lock held. */
void cs_site_take(struct cs_call *c, const void *caller);

/* The index of the site in the trace, which it defines at first use; -1: unknown. With the lock held. */
int cs_site_in_trace(int site);

/* A site as a number that means the same in all forks of one process: -1 - index in the plugin's list, or the return
 * address; 0: unknown. cs_site_where_text writes its text (see cs_site_text) into buf. */
int64_t cs_site_where(int site);
const char *cs_site_where_text(int64_t where, char *buf, int len);

/* Writes "file:line", "module+0x1234" or "unknown place" into buf; returns buf. */
const char *cs_site_text(int site, char *buf, int len);

#endif
