/* SPDX-License-Identifier: GPL-3.0-or-later
 * What can only be refused once it is known what is LIVE: code that runs at times which the graph does not show.
 * A program that has it for nothing that decides communication (a watchdog, a message before an abort) is none of
 * these. */
#ifndef CS_SLICER_REFUSE_H
#define CS_SLICER_REFUSE_H

#include "slicer/model/model.h"
#include "slicer/pointsto/pointsto.h"

/* Calls say() for every reason to refuse, with the statement that it is about; doubt() for what would be one if the
 * pointers that lead there had not lost their way: it is kept for nearly anything; warn() where the trace may be
 * wrong. */
void cs_refuse_live(const struct cs_graph *g, const struct cs_models *ms, const struct cs_pts *pts,
                    void (*say)(void *arg, int stmt, const char *text),
                    void (*doubt)(void *arg, int stmt, const char *text),
                    void (*warn)(void *arg, int stmt, const char *text), void *arg);
/* The same where all is kept (keep_all.h) and nothing is known of pointers: what cannot run in a slice at all. */
void cs_refuse_kept(const struct cs_graph *g, const struct cs_models *ms,
                    void (*say)(void *arg, int stmt, const char *text), void *arg);

#endif
