/* SPDX-License-Identifier: GPL-3.0-or-later
 * Points-to and small-constant analysis: Andersen's inclusion constraints over values and memory cells, with fields as
 * byte-offset patterns, the call graph built on the way, and up to a few integer constants carried in the same sets
 * (message tags, datatypes and communicators are such constants, or handles, which are objects made at a call site).
 * L. O. Andersen, "Program Analysis and Specialization for the C Programming Language", 1994; field sensitivity by
 * offsets after Pearce, Kelly, Hankin 2007. */
#ifndef CS_POINTSTO_H
#define CS_POINTSTO_H

#include "slicer/graph/graph.h"
#include "slicer/graph/learnt.h"
#include "slicer/model/model.h"
#include "slicer/graph/storage.h"

#define CS_LOC_INT (-2)   /* obj of "any integer" */
#define CS_LOC_CONST (-1) /* obj of an integer constant, pat.off */

/* What a value may hold: an address in object `obj` at the offsets `pat`, or a number (obj below 0). Each is numbered
 * once in a solution; sets hold the numbers. */
struct cs_loc {
    int obj;
    struct cs_pattern pat;
};

/* A solution. */
struct cs_pts;

/* How many steps points-to may take, which are the same in every run: `precise` before all that lost its way is taken
 * as one, `left` in all. at_once: take as one what can be from the start, and tell next to nothing apart.
 * `instances`: how many steps one may take that tells functions' calls apart, which is then tried at once; 0: not
 * before one that does not. `lost`: what a first solution takes as one from the start, as another one of the same
 * program did; NULL: nothing. */
struct cs_pts_budget {
    int64_t precise, left;
    bool at_once;
    int64_t instances;
    const struct cs_learnt *lost;
};

/* Solves for the whole program, from its entries. For v < nknown, known[v] overrides the value v by the constant
 * known_val[v]; both arrays are read here alone. What an earlier solution of this graph has taken as one (before; NULL:
 * none) is so from the start: it would be again, after as long a time; and no more is than that was. Adds models of
 * external calls to `ms`, and objects and pseudo statements to g, which must outlive the solution. The caller frees it.
 * Takes the steps that it makes off budget->left; NULL if they do not suffice. */
struct cs_pts *cs_pts_solve(struct cs_graph *g, struct cs_models *ms, const bool *known, const int64_t *known_val,
                            int nknown, const struct cs_pts *before, struct cs_pts_budget *budget);
void cs_pts_free(struct cs_pts *p);

/* The location of this number, good until the next question. */
const struct cs_loc *cs_pts_loc(const struct cs_pts *p, int loc);
/* Locations that the operand may hold. The set lives until the next call. For all objects that were taken as one, and
 * are not named, it has one place in what stands for them (cs_pts_stand_in), memory on the heap; for functions, and for
 * handles and states of libraries, that were taken as one, likewise. */
const struct cs_intset *cs_pts_operand(struct cs_pts *p, struct cs_operand op);
/* Is the object one that stands for others, in such a set? */
bool cs_pts_is_stand_in(const struct cs_pts *p, int obj);
/* Is a place of such an object in the set? */
bool cs_pts_lost_its_way(const struct cs_pts *p, struct cs_operand op);
/* Can the operand be an address in this object? Or in one of those that it stands for? */
bool cs_pts_may_point_to(struct cs_pts *p, struct cs_operand op, int obj);
/* Calls fn for each place that a reference may touch: `size` bytes at each of the offsets `pat` of an object. Memory of
 * unknown code is an object like another. */
void cs_pts_places(struct cs_pts *p, const struct cs_ref *r,
                   void (*fn)(void *arg, int obj, struct cs_pattern pat, int64_t size), void *arg);
/* The same for the place of a load or store, which are not parts of anything: it may be an array of which only one
 * element is meant (cs_pat_access). */
void cs_pts_accesses(struct cs_pts *p, const struct cs_ref *r,
                     void (*fn)(void *arg, int obj, struct cs_pattern pat, int64_t size), void *arg);
/* Is the object one of those that were taken as one? The object that stands for all of them, -1 if there are none. */
bool cs_pts_lost(const struct cs_pts *p, int obj);
int cs_pts_stand_in(const struct cs_pts *p);
/* As cs_pts_places() and cs_pts_accesses(), but what a pointer may mean of objects that were taken as one is one place
 * in the object that stands for them. An operand that names one of them still means that one alone. */
void cs_pts_places_as_one(struct cs_pts *p, const struct cs_ref *r,
                          void (*fn)(void *arg, int obj, struct cs_pattern pat, int64_t size), void *arg);
void cs_pts_accesses_as_one(struct cs_pts *p, const struct cs_ref *r,
                            void (*fn)(void *arg, int obj, struct cs_pattern pat, int64_t size), void *arg);
/* Adds the objects that the operand can be an address in; for all that were taken as one, what stands for them. */
void cs_pts_objects_as_one(struct cs_pts *p, struct cs_operand op, struct cs_intset *objs);
/* Adds the objects whose addresses may be stored anywhere in this one. */
void cs_pts_stored(struct cs_pts *p, int obj, struct cs_intset *objs);
/* Functions that the call statement may reach, with and without body. */
const struct cs_intset *cs_pts_callees(const struct cs_pts *p, int stmt);
/* May the function that the call reaches write this place of the object, also through what it calls itself? False only
 * where it has been solved for each call (pointsto_instance.c). */
bool cs_pts_call_writes(struct cs_pts *p, int stmt, int obj, struct cs_pattern pat, int64_t size);
/* Is the function one that has been? */
bool cs_pts_solved_by_call(const struct cs_pts *p, int func);
/* May the function run at all? */
bool cs_pts_func_reached(const struct cs_pts *p, int func);
/* May unknown code read and write the object, or call it? */
bool cs_pts_escaped(const struct cs_pts *p, int obj);
/* How many objects were taken as one, because pointers could not tell them apart in time; 0 in most programs. */
int cs_pts_widened(const struct cs_pts *p);
/* Adds these objects to what was learnt. */
void cs_pts_learn_lost(const struct cs_pts *p, struct cs_learnt *l);
/* Was all that such objects hold taken as one as well? */
bool cs_pts_closed(const struct cs_pts *p);
/* The steps that it took, if it tells functions' calls apart; 0: it does not. */
int64_t cs_pts_instances(const struct cs_pts *p);
/* Does the operand hold exactly one constant for sure? *val is set if so. */
bool cs_pts_constant(struct cs_pts *p, struct cs_operand op, int64_t *val);

#endif
