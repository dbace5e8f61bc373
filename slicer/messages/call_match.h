/* SPDX-License-Identifier: GPL-3.0-or-later
 * Can the arguments of two MPI calls be such that they meet? The questions that message_channels.c and variance.c ask;
 * call_match.c answers. What a correct program may do counts: ranks name one root, one operation and one signature in a
 * collective. */
#ifndef CS_CALL_MATCH_H
#define CS_CALL_MATCH_H

#include "slicer/model/model.h"
#include "slicer/pointsto/pointsto.h"

/* The program that is asked about. variant, by statement: only some ranks run it, or all of them differently often;
 * NULL: any may be so. */
struct cs_match {
    struct cs_graph *g;
    struct cs_models *ms;
    struct cs_pts *pts;
    const bool *variant;
};

/* Tag and communicator of a send and a receive. */
bool cs_match_envelope(const struct cs_match *m, const struct cs_model *send, const struct cs_model *recv);
/* Two datatypes, where there is data. */
bool cs_match_types(const struct cs_match *m, struct cs_operand a, struct cs_operand b);
/* Can the count be zero? The signature of such a message is empty, and agrees with every datatype. */
bool cs_match_empty(const struct cs_match *m, const struct cs_model *s);
/* May the source of a receive or probe be MPI_ANY_SOURCE? `moves`: what cs_match_any_source_moves says. */
bool cs_match_any_source(const struct cs_match *m, const struct cs_model *recv, bool moves);
/* Does the program copy or store the number of MPI_ANY_SOURCE anywhere, rather than only pass it to MPI calls? Then a
 * source of which nothing is known may be it. */
bool cs_match_any_source_moves(const struct cs_graph *g);
/* Two calls of collectives. */
bool cs_match_collectives(const struct cs_match *m, const struct cs_model *a, const struct cs_model *b);

#endif
