/* SPDX-License-Identifier: BSD-3-Clause
 * What the steps of merging share: definitions of the whole run, streams of classes, and the table of loops. Private to
 * trace/merge/. Order of the steps: merge_classes.c, merge_order.c (Algorithm 1), merge_sequence.c (Algorithm 2). */
#ifndef CS_MERGE_INTERNAL_H
#define CS_MERGE_INTERNAL_H

#include "base/grow.h"
#include "trace/format/fields.h"
#include "trace/format/item.h"
#include "trace/merge/merge.h"
#include "trace/merge/merge_guess.h"

/* ---- loops over the symbols of a class, each content once, for all classes ---- */

/* Value of a string as a polynomial in two bases, modulo 2^61 - 1, and the bases to the power of its length. */
struct cs_polynomial {
    uint64_t h[2], power[2];
};

/* A loop: its body is arena[first .. first + n); poly and length are those of all its iterations, unrolled. */
struct cs_nested {
    uint64_t count;
    uint32_t first, n;
    struct cs_polynomial poly;
    int64_t length;
};

struct cs_nests {
    struct cs_nested *loop;
    uint32_t n, cap;
    uint32_t *arena; /* items of bodies */
    uint32_t arena_n, arena_cap;
    uint32_t *slot, nslots; /* open addressing: loop + 1, or 0 */
};

/* The loop's number, or -1 when memory is out. */
int64_t cs_nests_loop(struct cs_nests *s, const uint32_t *item, uint32_t n, uint64_t count);
void cs_nests_free(struct cs_nests *s);
struct cs_polynomial cs_polynomial_of(const struct cs_nests *s, uint32_t item);
struct cs_polynomial cs_polynomial_join(struct cs_polynomial a, struct cs_polynomial b);
extern const struct cs_polynomial cs_polynomial_empty;
int64_t cs_nests_length(const struct cs_nests *s, uint32_t item);

/* ---- classes ---- */

/* A symbol of a class: a record of m, and the shift of struct cs_merged_part. */
struct cs_variant {
    int record, shift;
};

struct cs_class_symbol {                 /* while ranks are read */
    int call, site, mark, nfields, comm; /* comm: that of the peers, or -1 */
    struct cs_guess *field;
    uint8_t *peer; /* of each field: is it one? */
};

struct cs_stream { /* of the class with the same number in m->cls */
    uint32_t *item;
    int64_t n, cap, nevents;
    struct cs_class_symbol *symbol;
    int nsymbols;
    struct cs_variant *variant; /* what the symbols of items are */
    int nvariants;
    int64_t *shape; /* what must be equal in a class, for all symbols */
    size_t nshape;
};

struct cs_defs_index;

struct cs_merging {
    const struct cs_trace *t;
    const struct cs_merge_options *o;
    struct cs_merged *m;
    struct cs_nests nests;
    struct cs_stream *stream;
    int nstreams; /* classes as they were read: unifying may leave fewer */
    struct cs_class_key *keys;
    struct cs_defs_index *defs;
    char *errbuf;
    size_t errlen;
};

/* Numbers of definitions in m's tables, by content. -1 when memory is out. */
int cs_merge_site(struct cs_merging *g, const struct cs_site *s);
int cs_merge_type(struct cs_merging *g, const struct cs_type_def *d);
int cs_merge_comm(struct cs_merging *g, const struct cs_comm_def *d, int rank);
int cs_merge_op(struct cs_merging *g, const char *name);
int cs_merge_info(struct cs_merged *m, const struct cs_run_info *info);
void cs_merge_defs_free(struct cs_merging *g);

/* Reads all ranks; fills in m's classes, records and definitions, and g->stream. 0, or -1 and a reason. */
int cs_merge_read(struct cs_merging *g);
void cs_merge_free(struct cs_merging *g);
/* Replaces the stream's items by symbols alone. 0, or -1: no memory. */
int cs_merge_unroll(const struct cs_nests *nests, struct cs_stream *s);
/* Algorithm 1, in g->o->order, over g->stream, which it unrolls. 0, or -1: no memory. */
int cs_merge_order(struct cs_merging *g);
/* Algorithm 2 over g->stream: replaces m's symbols and nest. 0, or -1 and a reason. keep_loops: loops are not unrolled,
 * but combine. */
int cs_merge_streams(struct cs_merging *g, bool keep_loops);
/* Classes that are in the same symbols, always, become one. 0, or -1 and a reason. */
int cs_merge_unify(struct cs_merging *g);
/* The call of a peer's field: is it one? Number of the field's argument decides. */
bool cs_merge_is_peer(const struct cs_field *f);
/* Makes m's symbols and nest by folding the streams of `from` (which has m's classes and records) class by class and
 * merging the nests. Where that would unroll too much, m gets nothing and 1 is returned. 0, 1, or -1 and a reason. */
int cs_merge_by_loops(struct cs_merged *m, const struct cs_merged *from, int method, char *errbuf, size_t errlen);
/* Folds once more, by calls without some of their values; symbols get cycles where that makes the nest shorter. 1 if it
 * did, 0 if not, -1: no memory. */
enum cs_cycle_kinds {
    CS_CYCLES_OF_SITES,   /* without values: the same call in the same place, by the same classes */
    CS_CYCLES_OF_RECORDS, /* with those that cs_merged_published compares */
    CS_CYCLES_OF_CALLS    /* the same call */
};
int cs_merged_cycles(struct cs_merged *m, enum cs_cycle_kinds kinds);
/* Joins what is alike and beside each other in a nest without cycles: *node, *n become the shorter nest, whose loops
 * may have a cycle of counts in *count (cs_nest_node), to be freed. *ncounts 0: nothing joined. 0, or -1: no memory. */
int cs_merged_join(struct cs_nest_node **node, int64_t *n, int32_t **count, int *ncounts);
/* A number for each symbol, equal where calls, datatypes, roots and operations are, and counts nearly. NULL when memory
 * is out; to be freed. */
int32_t *cs_merged_published(const struct cs_merged *m);
/* What must be equal for two records to be one call in the source with other values: a number for each record, equal
 * where they are. NULL when memory is out; to be freed. */
int *cs_merge_shapes(const struct cs_merged *m);

#endif
