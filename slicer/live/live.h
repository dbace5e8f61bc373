/* SPDX-License-Identifier: GPL-3.0-or-later
 * LIVE propagation: the mark phase that starts at communication variables and ends at a fixpoint.
 * Private to the slicer; slice.h is the way in. */
#ifndef CS_LIVE_H
#define CS_LIVE_H

#include "slicer/control/control_dependence.h"
#include "slicer/live/needs.h"
#include "slicer/messages/message_channels.h"
#include "slicer/model/model.h"
#include "slicer/pointsto/pointsto.h"

/* One propagation. It belongs to the caller, and what it is given must outlive it. */
struct cs_live;

/* cdep: by function; it and the channels may be NULL for cs_live_nulls() alone. Nothing is kept yet. */
struct cs_live *cs_live_new(struct cs_graph *g, struct cs_models *ms, struct cs_pts *pts, struct cs_cdep *cdep,
                            const struct cs_channels *ch);
void cs_live_free(struct cs_live *l);
/* To be called before any propagation: loads of Fortran that are compared with null, and read null for sure
 * (live_null.c). The caller frees. */
struct cs_intset cs_live_nulls(struct cs_graph *g, struct cs_models *ms, struct cs_pts *pts);
/* Marks all roots and runs to the fixpoint; once. Notes its steps in *needs unless that is NULL. */
void cs_live_run(struct cs_live *l, struct cs_needs *needs);
/* After cs_live_run(), goes on to the fixpoint with more roots: calls, by statement, of library functions that give
 * memory back (slicer/give_back.h). */
void cs_live_give_back(struct cs_live *l, const bool *calls);
/* The same for calls that count (slicer/counter_choice.h). */
void cs_live_count(struct cs_live *l, const bool *calls);
/* Functions that MPI calls back, and what they call, by function; the caller frees. */
bool *cs_live_called_by_mpi(struct cs_live *l);
/* Does the operation that this call of MPI_Op_create makes set a kept variable beside its operands? */
bool cs_operation_acts(struct cs_live *l, int maker);
/* Was so much asked that objects are taken as a whole earlier than usual? */
bool cs_live_widened(const struct cs_live *l);
/* May anything that is kept show in which order ranks came somewhere: a call that observes what came first, or a change
 * of files? */
bool cs_live_ordered(const struct cs_live *l);
/* How many calls write files that nothing reads back, as the user says. */
int cs_live_unread(const struct cs_live *l);
/* To be called last: of kept statements that compute or read the same, one is enough. Sets `same` of
 * values, and `move_to` and `moved` where it has to run earlier; whether there are any. They hold for this slice and
 * each that keeps less (live_equal.c). */
bool cs_live_equal(struct cs_live *l);
/* Raises the mark of an MPI call to this CS_MARK_*; `parent` is the statement that needs it. */
void cs_live_mark(struct cs_live *l, int stmt, int mark, int parent);

#endif
