/* SPDX-License-Identifier: GPL-3.0-or-later
 * Which MPI call sites can meet: sends with receives by communicator, tag and datatype, collectives with each other
 * where control flow can differ between ranks. A marked call drags its whole channel along. */
#ifndef CS_MESSAGE_CHANNELS_H
#define CS_MESSAGE_CHANNELS_H

#include "slicer/control/control_dependence.h"
#include "slicer/model/model.h"
#include "slicer/pointsto/pointsto.h"

/* All lists hold statements, and are indexed by statement below nstmts; what is no such call has empty ones. */
struct cs_channels {
    int nstmts;
    struct cs_intlist *receivers;  /* of a sending statement: those that may take its message */
    struct cs_intlist *senders;    /* of a receiving statement */
    struct cs_intlist *empty_to;   /* of a sending statement: those that can take its message only if it is empty (then
                                      datatypes need not agree) */
    struct cs_intlist *empty_from; /* of a receiving statement, likewise */
    struct cs_intlist *peers;      /* of a collective: sites that it may meet, without itself */
    bool *any_source;              /* receiving statements and probes whose source may be MPI_ANY_SOURCE */
    bool *variant;                 /* statements that ranks may not run equally often */
};

/* Needs a solution of points-to and the control dependence of all functions, by function. Fills *c, which
 * cs_channels_free() frees. */
void cs_channels_build(struct cs_channels *c, struct cs_graph *g, struct cs_models *ms, struct cs_pts *pts,
                       const struct cs_cdep *cdep);
void cs_channels_free(struct cs_channels *c);

#endif
