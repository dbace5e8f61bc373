/* SPDX-License-Identifier: BSD-3-Clause
 * What the steps of merging share: definitions of the whole run, streams of classes, and the table of loops. Private to
 * trace/merge/. Order of the steps: merge_classes.c, merge_order.c (Algorithm 1), merge_sequence.c (Algorithm 2). */
#ifndef CS_MERGE_INTERNAL_H
#define CS_MERGE_INTERNAL_H

#include "base/grow.h"
#include "base/table.h"
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

/* All loops, each content once: a loop's number is its index, its body a stretch of the arena. */
struct cs_nests {
    struct cs_nested *loop;
    uint32_t n, cap;
    uint32_t *arena; /* items of bodies */
    uint32_t arena_n, arena_cap;
    struct cs_table by_content; /* numbers of loops, found by body and count */
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

/* A symbol of a class while ranks are read: a record whose values are still being guessed. */
struct cs_class_symbol {
    int call, site, mark, nfields, comm; /* comm: the communicator that peers belong to, or -1 */
    struct cs_guess *field;
    uint8_t *peer; /* of each field: is it a peer? */
};

/* The calls of a class, which has the same number in m->cls: a string of items. A symbol in an item is the index of a
 * variant. */
struct cs_stream {
    uint32_t *item;
    int64_t n, cap, nevents;
    struct cs_class_symbol *symbol;
    int nsymbols;
    struct cs_variant *variant;
    int nvariants;
    int64_t *shape; /* what the class's ranks have in common, symbol by symbol: call, site, mark, array lengths, ... */
    size_t nshape;
};

struct cs_defs_index;

/* A merge in progress: from ranks to classes (keys, stream), then to symbols and a nest in m. */
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

/* The number of a definition in m's tables; a new one is added. -1 when memory is out. */
int cs_merge_site(struct cs_merging *g, const struct cs_site *s);
int cs_merge_type(struct cs_merging *g, const struct cs_type_def *d);
int cs_merge_comm(struct cs_merging *g, const struct cs_comm_def *d, int rank);
int cs_merge_op(struct cs_merging *g, const char *name);
/* Copies the run's info to m. 0, or -1: no memory. */
int cs_merge_info(struct cs_merged *m, const struct cs_run_info *info);
void cs_merge_defs_free(struct cs_merging *g);

/* Reads all ranks; fills in m's classes, records and definitions, and g->stream. 0, or -1 and a reason. */
int cs_merge_read(struct cs_merging *g);
void cs_merge_free(struct cs_merging *g);
/* Unrolls all loops of the stream. 0, or -1: no memory. */
int cs_merge_unroll(const struct cs_nests *nests, struct cs_stream *s);
/* Algorithm 1: unrolls each of g->stream and puts its calls into g->o->order. 0, or -1: no memory. */
int cs_merge_order(struct cs_merging *g);
/* Algorithm 2: merges g->stream into one sequence, which replaces m's symbols and nest. With keep_loops, loops are not
 * unrolled but combined with loops of other classes. 0, or -1 and a reason. */
int cs_merge_streams(struct cs_merging *g, bool keep_loops);
/* Makes one class of all classes that take part in the same symbols. 0, or -1 and a reason. */
int cs_merge_unify(struct cs_merging *g);
/* Must calls have the same value in a field of this role to be one symbol? Communicators and operations must. */
bool cs_merge_is_fixed(enum cs_role role);
/* Is the field a single peer (a destination or source)? */
bool cs_merge_is_peer(const struct cs_field *f);
/* Makes m's symbols and nest by folding the streams of `from` (which has m's classes and records) class by class and
 * merging the nests. Where that would unroll too much, m gets nothing and 1 is returned. 0, 1, or -1 and a reason. */
int cs_merge_by_loops(struct cs_merged *m, const struct cs_merged *from, int method, char *errbuf, size_t errlen);
/* What two symbols must have in common to become one symbol with a cycle. */
enum cs_cycle_kinds {
    CS_CYCLES_OF_SITES,   /* all but values (cs_merge_shapes), and the classes that take part */
    CS_CYCLES_OF_RECORDS, /* what cs_merged_published compares */
    CS_CYCLES_OF_CALLS    /* the call */
};
/* Folds m's sequence once more by those kinds. If the nest gets shorter, it replaces m's, with cycles. 1 if it did, 0
 * if not, -1: no memory. */
int cs_merged_cycles(struct cs_merged *m, enum cs_cycle_kinds kinds);
/* Joins neighbouring stretches of a nest without cycles that are alike into loops (merged_join.c): *node and *n become
 * the shorter nest. Its loops may have cycles, which are in *count, of *ncounts entries, to be freed. 0, or -1: no
 * memory. */
int cs_merged_join(struct cs_nest_node **node, int64_t *n, int32_t **count, int *ncounts);
/* A number for each symbol, equal where calls, datatypes, roots and operations are, and counts nearly. NULL when memory
 * is out; to be freed. */
int32_t *cs_merged_published(const struct cs_merged *m);
/* A number for each record. Two records have the same one if they differ in values alone: call, site, mark, array
 * lengths, communicators and operations are equal. NULL when memory is out; to be freed. */
int *cs_merge_shapes(const struct cs_merged *m);

#endif
