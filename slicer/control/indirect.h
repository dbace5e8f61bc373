/* SPDX-License-Identifier: GPL-3.0-or-later
 * Which functions a call through a pointer may reach, as far as that is known before points-to: a call of a method
 * those of its family (struct cs_stmt), that of a plain function none that stands in tables of classes alone. */
#ifndef CS_INDIRECT_H
#define CS_INDIRECT_H

#include "slicer/graph/graph.h"
#include "slicer/model/effects.h"

/* Kinds of such calls: what may reach any function whose address is taken; what reaches none of those that only tables
 * have; C++'s library, which knows the tables of classes that derive from one of its own; another library, which may
 * find other functions, too; and from CS_INDIRECT_FAMILIES on, calls by the form of their function, of which there are
 * nforms, and calls of methods by their family. */
enum { CS_INDIRECT_ANY, CS_INDIRECT_PLAIN, CS_INDIRECT_VIRTUAL, CS_INDIRECT_LIBRARY, CS_INDIRECT_FAMILIES };

/* members[nkinds]: for each kind, the functions; given[ngiven]: the hidden states in which something to be called may
 * be stored, by a function that the program refers to, or in a variable. The arrays and the lists are its own. */
struct cs_indirect {
    const struct cs_graph *g;
    int nforms, nkinds;
    struct cs_intlist *members;
    const char **given;
    int ngiven, agiven;
};

/* The caller frees with cs_indirect_free(). */
struct cs_indirect cs_indirect_new(const struct cs_graph *g, const struct cs_effects *fx);
void cs_indirect_free(struct cs_indirect *d);
/* The kind of a call that does not name its function. */
int cs_indirect_kind(const struct cs_indirect *d, int stmt);
/* Does the row call what is stored in a hidden state, and may there be something? (std::set_terminate) */
bool cs_indirect_calls_given(const struct cs_indirect *d, const struct cs_effect *row);
/* Calls fn for each function without a name that a call of a function without a body, with this row, calls back: with
 * its kind; and for each with a name: with that function. The other one is -1. */
void cs_indirect_called_back(const struct cs_indirect *d, int stmt, const struct cs_effect *row,
                             void (*fn)(void *arg, int kind, int func), void *arg);

#endif
