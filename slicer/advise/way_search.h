/* SPDX-License-Identifier: GPL-3.0-or-later
 * What the parts of the search for best ways have in common: what it has found so far, and what each part tells of the
 * next step of a way. Private to the search (ways.c). */
#ifndef CS_WAY_SEARCH_H
#define CS_WAY_SEARCH_H

#include "slicer/advise/run_order.h"
#include "slicer/advise/called_loads.h"
#include "slicer/advise/elements.h"
#include "slicer/advise/index_ranges.h"
#include "slicer/advise/pointer_homes.h"
#include "slicer/advise/received_here.h"
#include "slicer/advise/settings.h"
#include "slicer/advise/updated_after.h"
#include "slicer/advise/way_parts.h"
#include "slicer/advise/way_queue.h"
#include "slicer/advise/ways_internal.h"

/* In class_of: not asked for yet. */
enum { CLASS_UNKNOWN = -2 };

/* Questions of which the answers are known at a time. */
enum { ASKED = 1 << 14 };

/* The search for the best ways. */
struct cs_way_search {
    struct cs_ways *w;
    struct cs_settings *settings; /* NULL: there are none */
    struct cs_constant_calls *calls;
    struct cs_elements *elements; /* NULL likewise, and so on */
    struct cs_pointer_paths *paths;
    struct cs_pointer_homes *homes;
    struct cs_index_ranges *ranges;
    struct cs_intlist classes;  /* loads that read some elements, or rows, each others: twice a load, 1 more if it is
                                   known which elements of these */
    int *class_of;              /* what read_class() found, by twice the load, and 1 more for a buffer; CLASS_UNKNOWN */
    struct cs_guards *guards;   /* NULL likewise */
    struct cs_intlist words;    /* pairs: twice a shape, 1 more for stores, and whether a buffer is read or stored so */
    struct cs_run_order *order; /* likewise */
    struct cs_received_here received;
    struct cs_updated_after updated;
    bool *called;             /* loads of what is called; NULL likewise */
    bool *partly;             /* places that functions write which do not do all for each call; NULL likewise */
    bool *buffer;             /* places in memory that is sent or received; NULL likewise */
    bool *own;                /* loads of elements that their function itself computes; NULL likewise */
    bool *unpacks, *unpacked; /* statements that copy what such memory has elsewhere, and these places; NULL likewise */
    struct cs_way_parts parts; /* of these; it has no memory of its own */
    struct {
        int node, reader;
        bool has, helps; /* helps: or is called by that one */
    } partner;           /* what was found last of a buffer:
                           whether who reads it works together with one that writes it */
    struct {
        int node, reader;
        bool is;
    } unpacker; /* likewise of a place to which messages are unpacked: whether who reads it, or who that calls, does so
                 */
    struct cs_way_asked {
        int node, func, effect;
    } asked[ASKED], writing[ASKED]; /* what was found last of who calls functions for something, and (func: the call)
                                       of calls that may write a place; by hash, node 0: nothing */
    struct cs_way_queue heap;
};

/* ---- marks (way_marks.c) ---- */

/* Is the node, on a way that reads these elements, about a message of which they are a part, or what is read for it? */
bool cs_way_in_message(const struct cs_ways *w, int read, int node);
/* Would cs_way_add_mark() change nothing for any mark of the state that costs so much, or more? That is mostly so, and
 * takes less time than to find out what the mark is. part: it may be told for which part of a buffer, which element, or
 * what of a message, it is. */
bool cs_way_adds_nothing(const struct cs_way_search *s, int state, int cost, bool part);
void cs_way_add_mark(struct cs_way_search *s, struct cs_way_mark m);

/* ---- which elements are asked for (way_reads.c) ---- */

/* The read of some elements of the place behind the edge, or of the message, -1. */
int cs_way_read_behind(struct cs_way_search *s, int before, const struct cs_way_edge *e);
/* Does what is behind the edge write only other elements than those that are read? */
bool cs_way_misses(const struct cs_way_search *s, const struct cs_way_mark *k, const struct cs_way_edge *e);
/* Does the edge lead to who stores by other words than those by which a message is read, where others store by these,
 * or what is stored so is read by others? */
bool cs_way_is_other_member(struct cs_way_search *s, int read, const struct cs_way_edge *e);
/* Is the edge one to a store through the same pointer, which writes another element than the one that is read? */
bool cs_way_is_beside(const struct cs_way_search *s, int bind, const struct cs_way_edge *e);
/* What is known of a counter behind the edge, by which element is asked for; sets the read of that one. */
int cs_way_bind_behind(const struct cs_way_search *s, const struct cs_way_mark *k, const struct cs_way_edge *e,
                       int *read);
/* Behind the edge, is the way at a place of which it asks for the first elements? */
bool cs_way_first_behind(const struct cs_way_search *s, bool before, const struct cs_way_edge *e);
/* Does the edge lead from the first elements of a place (`first`) to what puts the content of a buffer behind them? */
bool cs_way_is_behind_first(const struct cs_way_search *s, bool first, const struct cs_way_edge *e);

/* ---- for which call (way_calls.c) ---- */

/* Notes the guards of what the edge comes to. False: it runs only when one of those is gone. */
bool cs_way_pass_guards(const struct cs_way_search *s, const struct cs_way_mark *before, const struct cs_way_edge *e,
                        struct cs_way_mark *to);
/* The call by which the edge leaves a function, -1: not known. */
int cs_way_leaving_call(const struct cs_ways *w, const struct cs_way_edge *e);
/* Notes who asks a function of the way to write what the way needs, until the way leaves that. False: it leaves it for
 * a call that asks for something else. */
bool cs_way_pass_calls(struct cs_way_search *s, const struct cs_way_mark *before, const struct cs_way_edge *e,
                       struct cs_way_mark *to);
/* The call by which the way is in a function behind the edge, if it is known, and tells what that does. */
int cs_way_call_behind(struct cs_way_search *s, const struct cs_way_mark *before, const struct cs_way_edge *e,
                       int state);
/* Does the edge leave such a function by another call than the one (maker, -1: none) for which it makes memory? */
bool cs_way_leaves_maker(const struct cs_way_search *s, int maker, const struct cs_way_edge *e);
/* The call for which the way is in a function that makes memory for who calls it, -1. */
int cs_way_maker_behind(const struct cs_way_search *s, int before, const struct cs_way_edge *e);

/* ---- whose memory (way_owners.c) ---- */

/* Sets the call for which the way is in a function behind the edge, where its calls mean other memory each, and whether
 * it is told which memory the edge means. *other: for all calls that it may be, that is other memory than the way asks
 * for. */
void cs_way_pass_owners(struct cs_way_search *s, const struct cs_way_mark *before, const struct cs_way_edge *e,
                        struct cs_way_mark *to, bool *other);

/* ---- in which run (way_order.c) ---- */

/* Behind the edge, the statement before which, or the call by which, the way runs, -1: not known; and how it comes
 * there. */
int cs_way_when_behind(struct cs_way_search *s, int mark, const struct cs_way_edge *e, enum cs_run_order_step *step);

/* ---- who fills a buffer (way_buffers.c) ---- */

/* What the edge from a place to one that hardly writes it for who reads it on this way costs more. */
int cs_way_elsewhere_cost(struct cs_way_search *s, int mark, const struct cs_way_edge *e);
/* Finds the places that functions write for some of their calls alone, and those in memory that is sent or received,
 * and to which messages are unpacked. */
void cs_way_find_buffers(struct cs_way_search *s);

#endif
