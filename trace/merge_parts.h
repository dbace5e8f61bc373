/* SPDX-License-Identifier: BSD-3-Clause
 * What the steps of merging share: definitions of the whole run, streams of classes, and the table of loops. Private to
 * trace/merge*.c. Order of the steps: merge_read (classes), merge_order (Algorithm 1), merge (Algorithm 2). */
#ifndef CS_TRACE_MERGE_PARTS_H
#define CS_TRACE_MERGE_PARTS_H

#include "merged.h"
#include "value.h"

/* ---- loops over the letters of a class, each content once, for all classes ---- */

/* Value of a string as a polynomial in two bases, modulo 2^61 - 1, and the bases to the power of its length. */
struct cs_polynomial { uint64_t h[2], power[2]; };

struct cs_nested { uint64_t count; uint32_t first, n; struct cs_polynomial poly; int64_t length; };

struct cs_nests {
    struct cs_nested *loop;
    uint32_t n, cap;
    uint32_t *arena;            /* symbols of bodies: a letter times two, or a loop times two plus one */
    uint32_t arena_n, arena_cap;
    uint32_t *slot, nslots;     /* open addressing: loop + 1, or 0 */
};

/* The loop's number, or -1 when memory is out. */
int64_t cs_nests_loop(struct cs_nests *s, const uint32_t *symbol, uint32_t n, uint64_t count);
void cs_nests_free(struct cs_nests *s);
struct cs_polynomial cs_polynomial_of(const struct cs_nests *s, uint32_t symbol);
struct cs_polynomial cs_polynomial_join(struct cs_polynomial a, struct cs_polynomial b);
extern const struct cs_polynomial cs_polynomial_empty;
int64_t cs_nests_length(const struct cs_nests *s, uint32_t symbol);

/* ---- classes ---- */

/* A letter of a class in an order that is not the original: see shift in struct cs_merged_part. */
struct cs_variant { int letter, shift; };

struct cs_class_letter {
    int call, site, mark, nfields, comm;    /* comm: that of the peers, or -1 */
    struct cs_guess *field;
    uint8_t *peer;                          /* of each field: is it one? */
};

struct cs_stream {                          /* of the class with the same number in m->cls */
    uint32_t *symbol;
    int64_t n, cap, nevents;
    struct cs_class_letter *letter;
    int nletters;
    struct cs_variant *variant;             /* what symbols stand for once the stream was put in another order; NULL: the letters */
    int nvariants;
    int64_t *shape;                         /* what must be equal in a class, for all letters */
    size_t nshape;
};

struct cs_defs_index;

struct cs_merging {
    const struct cs_trace *t;
    const struct cs_merge_options *o;
    struct cs_merged *m;
    struct cs_nests nests;
    struct cs_stream *stream;
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

/* Reads all ranks; fills in m's classes and definitions, and g->stream. 0, or -1 and a reason. */
int cs_merge_read(struct cs_merging *g);
void cs_merge_read_free(struct cs_merging *g);
/* Algorithm 2 over g->stream: makes m's records, letters and nest. 0, or -1 and a reason. */
int cs_merge_streams(struct cs_merging *g);
/* Makes room for one more in an array. */
int cs_merge_grow(void *array, size_t *cap, size_t need, size_t size);

#endif
