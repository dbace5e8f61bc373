/* SPDX-License-Identifier: GPL-3.0-or-later
 * What the parts of the search for best ways share (ways.h); private to them. */
#ifndef CS_WAYS_INTERNAL_H
#define CS_WAYS_INTERNAL_H

#include "slicer/advise/constant_calls.h"
#include "slicer/advise/rewritten.h"
#include "slicer/advise/ways.h"

/* What steps cost; a statement or message costs STEP, and what it goes through more. */
enum {
    STEP = 2,         /* to a statement or message */
    CROSSING = 1,     /* out of a function, or into it */
    ELEMENT = 1,      /* through an array, which is one place */
    HEAP = 3,         /* through memory that an allocator has given */
    SAME = 7,         /* to a store through the same pointer: a place that has a name is better */
    MANY = 12,        /* for each power of two of objects that may be meant in its place */
    REWRITTEN = 40,   /* from a read through a pointer through which its function has stored before */
    REUSED = 4,       /* to a value without a name that another line has, as an index that is computed once for both */
    EFFECT = 6,       /* to calls that write something of an object */
    COMPUTED = 24,    /* to what decides whether a value is computed */
    MEETING = 300,    /* to another collective call: ranks mostly make the same one */
    RECEIVED = 60,    /* from memory that is received to who may store there, if that may mean other memory */
    UNFIT = 200,      /* to a message that fits less than others, by its ranks and count */
    OTHERS = 60,      /* to another rank that may have other settings */
    FEWER = 8,        /* to what runs only in half of the cases of settings in which what comes behind it does */
    STATE = 30,       /* through files, and what a library holds */
    UNKNOWN = 40,     /* through memory that cannot be told apart */
    MOVED = 8,        /* from an object to itself, as where its elements are only put in another order */
    AGAIN = 3,        /* to who writes what others may have overwritten since */
    ELSEWHERE = 200,  /* to what writes where others are called than who reads (partners.h) */
    FARTHER = 100,    /* to who writes a buffer that the reader, or who that calls, writes itself, too */
    UPDATED = 100,    /* to a store that is updated in place before others read it (updated_after.h) */
    ROW = 1,          /* to a store of more rows of an array than are read, or of fewer */
    OTHER_NAME = 300, /* to what puts another member of a record into a message than is read of it */
    OTHER_SIZE = 60,  /* to who stores a number of another size through a pointer */
    INITIAL = 12,     /* to who writes a number there that others may have overwritten since, too */
    BEHIND = 60,      /* from the first elements of an array to what puts messages behind them (unpacks.h) */
    GIVES_UP = 50,    /* to what has the function end early, with a message (gives_up.h) */
    PART = 40,        /* to who writes a part of a buffer that may be another one than is read */
    EARLIER = 1,      /* to what is there from before a loop round the reader */
    LATER = 50,       /* to what is there only in a later run of the reader's function */
    LOOSE = 10,       /* to who writes nobody knows how much */
    DOUBTFUL = 600,   /* to what cannot have arrived, as it seems */
    IMPOSSIBLE = 1000 /* a way that the program cannot go */
};

/* ---- nodes and edges (way_edges.c) ---- */

/* NULL: the node is none of them. */
const struct cs_need_other *cs_ways_other(const struct cs_ways *w, int node);
bool cs_ways_is_other(const struct cs_ways *w, int node, enum cs_need_other_kind kind);
bool cs_ways_is_mark(enum cs_need_kind kind);
/* The function in which the node is, -1: in none. */
int cs_ways_func(const struct cs_ways *w, int node);
/* Is the place a variable of the function's own? */
bool cs_ways_is_own(const struct cs_ways *w, const struct cs_need_other *o, int func);
/* Does the edge go into a function, for what it returns to a call? */
bool cs_ways_asks_result(const struct cs_ways *w, const struct cs_way_edge *e);
/* So, or for what it writes for a call? */
bool cs_ways_goes_in(const struct cs_ways *w, const struct cs_way_edge *e);
/* Out of a function, to who calls it? */
bool cs_ways_goes_out(const struct cs_ways *w, const struct cs_way_edge *e);
/* From a message to the statement that reads it from where it is sent, or the value that this gives, or from that? */
bool cs_ways_reads_message(const struct cs_ways *w, const struct cs_way_edge *e);
/* Sets the flags, of nodes, of all such statements. */
void cs_ways_find_sent(const struct cs_ways *w, bool *sent);
/* The calls for which the edge's statement writes its place: writes[*first] and so many behind it. */
int cs_ways_writes_of(const struct cs_ways *w, const struct cs_way_edge *e, int *first);
/* The first one of writes[] of the place, if there is one. */
int cs_ways_first_write(const struct cs_ways *w, int place);
/* Of a call that has a place written, and may pass on what its function was given: the first one of writes[] that says
 * for which calls; -1. */
int cs_ways_passed_on(const struct cs_ways *w, int place, int call);
/* Is the call one of those? */
bool cs_ways_passes(const struct cs_ways *w, int first, int call);
/* May the function, for this call of it, write the place, or call who does? True if the needs do not say all of it. */
bool cs_ways_writes_for(const struct cs_ways *w, int place, int func, int call);

/* The writes, and the edges, of the needs. */
void cs_ways_take_writes(struct cs_ways *w);
void cs_ways_take_edges(struct cs_ways *w);
/* Edges that were added are out of order until they are sorted: by where they begin, then by call; each stays once. */
void cs_ways_add_edge(struct cs_ways *w, struct cs_way_edge e);
void cs_ways_sort_edges(struct cs_ways *w);

/* ---- stores through the same pointer (way_stores.c) ---- */

/* Adds the edges from reads to stores through the same pointer: of all that may write what they read, those are sure
 * to. */
void cs_ways_add_stores(struct cs_ways *w, struct cs_rewritten *r, const struct cs_need_flow *flow);

/* ---- what a step costs (way_costs.c) ---- */

/* callers: of each function the calls of it, NULL: not known. */
void cs_ways_find_costs(struct cs_ways *w, struct cs_rewritten *r, const struct cs_need_flow *flow,
                        const struct cs_intlist *callers);
/* What the edge would cost if it were known of which object it is. */
int cs_ways_cost_of_one(const struct cs_way_edge *e);

/* ---- what an argument does to a result (way_results.c) ---- */

/* Does the call skip what the node stands for? */
bool cs_ways_is_skipped(const struct cs_ways *w, struct cs_constant_calls *calls, int call, int node);
/* Adds nodes for calls, with edges to what in the caller their results need, and for copies. */
void cs_ways_join_calls(struct cs_ways *w, struct cs_constant_calls *calls);

#endif
