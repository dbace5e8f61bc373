/* SPDX-License-Identifier: GPL-3.0-or-later
 * What the parts of the search for rows and columns share (index_ranges.h); private to them: which values variables
 * have (index_values.c), and which elements are written and read with these (index_ranges.c). */
#ifndef CS_INDEX_INTERNAL_H
#define CS_INDEX_INTERNAL_H

#include "slicer/advise/constant_calls.h"
#include "slicer/advise/index_ranges.h"
#include "slicer/advise/index_sums.h"

/* Limits. */
enum {
    CS_INDEX_DIMS = 5,   /* of an array */
    CS_INDEX_DEPTH = 16, /* statements that are followed */
    CS_INDEX_SYMBOLS = 2000,
    CS_INDEX_STEPS = 2000 /* for one index, in all: values, and calls of functions */
};

/* In cs_index_symbol.value: a variable; the product of two sums. */
enum { CS_INDEX_VARIABLE = -1, CS_INDEX_PRODUCT = -2 };
/* A variable, (value >= 0) a value of which nothing else is known, or a product, as the size of a plane is. If
 * `constant`: only numbers are written there, from `least` to `most`; store: the only statement that stores there, -1.
 */
struct cs_index_symbol {
    struct cs_path path;
    int value;
    struct cs_sum of[2]; /* of a product */
    int64_t least, most;
    bool constant, asked, known;
    int store;
    struct cs_sum_range stored; /* what is stored there, if `known`; asked: that is being found */
};
/* A statement that stores, and where. */
struct cs_index_store {
    int stmt;
    struct cs_path to;
};
/* dims[0]: the inner dimension, then the outer ones, of n; strides[]: by what these are told, if that is known of them.
 * n = 0: nothing is known. stepped: a loop that counts by more than one has to do with it. */
struct cs_index {
    int n;
    bool by_strides, stepped;
    struct cs_sum_range dims[CS_INDEX_DIMS];
    struct cs_sum strides[CS_INDEX_DIMS];
};
/* The counter of a loop has this number. */
struct cs_index_bind {
    int value;
    int64_t number;
};
/* What was found for statements, by statement, call and bind. */
struct cs_index_ranges {
    const struct cs_graph *g;
    const struct cs_intlist *callers;
    struct cs_constant_calls constants;
    int left;     /* of CS_INDEX_STEPS */
    bool stepped; /* of the index that is looked at, as in struct cs_index */
    struct cs_pointer_paths *paths;
    struct cs_index_symbol symbols[CS_INDEX_SYMBOLS];
    int nsymbols;
    struct cs_pairset likes; /* loads, each with other rows and columns */
    int nbinds, abinds;
    struct cs_index_bind *binds;
    int *counter; /* by statement: 1 + the counter that tells which element of the inner dimension it means, alone or
                     with numbers; -1: there is none; 0: not asked yet */
    bool stores_known;
    int nstores, astores;
    struct cs_index_store *stores;
    char *carried; /* by statement, of those where ways meet: 1: a loop hands on the value from turn to turn; 2: none
                      does; 0: not asked yet */
    struct cs_pairset known; /* number in found[] */
    int nfound, afound;
    struct cs_index_found {
        int stmt, call, bind;
        struct cs_index index;
    } * found;
};
/* In one function, for one call of it; bind: NULL: nothing is known of counters; surely: ranges are of what surely is
 * in them, where others are of what may be. */
struct cs_index_place {
    struct cs_index_ranges *r;
    int func, call;
    const struct cs_index_bind *bind;
    bool surely;
    const struct cs_stmt *data; /* the load of the pointer from the array's descriptor, NULL: it has none */
};

/* One more step for this index; false: these are too many. */
bool cs_index_step(struct cs_index_ranges *r);
/* The statement that makes the value, NULL. */
const struct cs_stmt *cs_index_def_of(const struct cs_graph *g, struct cs_operand op);
bool cs_index_is_op(const struct cs_stmt *s, enum cs_op op);
/* Which operand of a PHI comes from in front of its loop, -1. */
int cs_index_start_of(const struct cs_graph *g, const struct cs_stmt *phi);
struct cs_sum_range cs_index_lost_range(void);
/* The sum; if it is a variable with one store alone, what is stored there, if that is known. */
struct cs_sum cs_index_as_stored(struct cs_index_ranges *r, struct cs_sum sum);
/* The only statement that stores to the variable, -1. */
int cs_index_only_store(struct cs_index_ranges *r, const struct cs_path *variable);
/* The product, which is a symbol of its own if neither is a number. */
struct cs_sum cs_index_product(struct cs_index_ranges *r, struct cs_sum a, struct cs_sum b);
bool cs_index_same_range(struct cs_sum_range a, struct cs_sum_range b);
/* Between which sums the operand is, followed through so many statements. */
struct cs_sum_range cs_index_range_of(struct cs_index_place p, struct cs_operand op, int depth);

#endif
