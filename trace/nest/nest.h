/* SPDX-License-Identifier: BSD-3-Clause
 * A whole run as one program: classes of ranks, symbols (MPI calls, with what each class passes to them), and a nest of
 * counted loops over symbols. What merging and folding make, and what expand, skeleton and report read;
 * docs/reference/merged-format.md has the file. */
#ifndef CS_NEST_H
#define CS_NEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "trace/format/peers.h"
#include "trace/nest/merged_value.h"
#include "trace/read/pool.h"
#include "base/ranges.h"
#include "trace/trace.h"

/* ---- symbols ---- */

/* What the ranks of one class do at a call. Fields are those of struct cs_event in trace.h: flattened arguments, walked
 * with cs_field_next; types, communicators and operations are numbers in the tables of struct cs_merged. */
struct cs_merged_record {
    int cls;
    int call;       /* index in the MPI table */
    int site, mark; /* site -1: unknown */
    int comm;       /* that its peers belong to: the first COMM field; -1: none */
    int nfields;
    struct cs_merged_value *field;
};

/* A record as part of a symbol. */
struct cs_merged_part {
    int cls, record;
    int shift; /* 0; or, in a regularised order: the event belongs this many places earlier among the class's own events
                */
};

struct cs_merged_symbol {
    int call; /* the same in all its parts */
    int nparts;
    struct cs_merged_part *part; /* by class, ascending; each class at most once */
};

/* ---- the nest ---- */

/* In preorder: a loop is followed by its body. */
struct cs_nest_node {
    int64_t
        count; /* repetitions of a loop, at least 2; 0: a symbol. With a cycle, the most of its counts, at least 1 */
    int32_t value; /* the symbol; or the number of nodes of the loop's body, at all depths */
    int32_t cycle,
        ncycle; /* of a symbol whose values follow the loop, ncycle >= 2: its k-th occurrence in the run, k = 0, 1, ...,
                 * is the symbol m->cycle[cycle + k % ncycle]; value is the first one. All have the same call; with
                 * CS_MERGED_FOLD_BEST the same classes and sites, too. A loop that is come to for the k-th time runs
                 * m->cycle[cycle + k % ncycle] times, which may be 0; only CS_MERGED_FOLD_RECORDS makes these */
};

/* Times of a symbol's node, for one part; sums over its ranks and iterations, in ns. */
struct cs_gap {
    int64_t n, first_n; /* occurrences; those in the first iteration of a loop that the rank has just entered */
    double gap,
        first_gap; /* time since the rank's MPI call before (or since MPI_Init): of all, and of the first ones */
    double busy;   /* time in the call */
};

/* ---- definitions, each content once ---- */

struct cs_merged_comm { /* one path; ranks that made it together mean the same group by it */
    const char *path;
    int ngroups;
    struct cs_ranges *group; /* members, as ranks of MPI_COMM_WORLD, in the order of the communicator */
    int *group_of;           /* of each rank of the run; NULL: group 0 for all */
};

struct cs_class {
    struct cs_ranges ranks; /* ascending */
    int *rank;              /* the same, one by one; ranks.total of them */
    int64_t nevents;        /* of each of its ranks */
};

/* The whole run.
 *
 *     node[]    (50 x S3 S4) S1     the nest, in preorder; S are symbols
 *     symbol[]  S3: class 0 -> record 7, class 2 -> record 9     what each class does there
 *     record[]  7: MPI_Send at site 4, fields as values that depend on the rank
 *     cls[]     ranks whose calls are the same but for such values; class_of[] is the way back
 */
struct cs_merged {
    struct cs_run_info info; /* of the trace; its strings are in `strings` */
    bool folded;             /* false: the nest has no loop but those that were kept to save memory */
    int nclasses;
    struct cs_class *cls;
    int *class_of, *index_in_class; /* of each rank: its class, and its index there: cls[c].rank[index] is the rank */
    int nrecords;
    struct cs_merged_record *record;
    int nsymbols;
    struct cs_merged_symbol *symbol;
    int64_t nnodes;
    struct cs_nest_node *node;
    int64_t ncycles;
    int32_t *cycle;  /* symbols, or counts of loops, for the nodes that have a cycle */
    int64_t *gap_at; /* NULL without times; else, for each node, where its parts' gaps start in gap[] */
    int64_t ngaps;
    struct cs_gap *gap;
    double *tail; /* of each class, with times: sum over ranks of what follows the last call (0 as far as known) */
    struct cs_pool *strings; /* owns those of the definitions and of info */
    int nsites, ntypes, ncomms, nops;
    struct cs_site *site;
    struct cs_type_def *type;
    struct cs_merged_comm *comm;
    const char **op;
};

/* ---- the nest: length, plainness, end ---- */

/* Symbols among n nodes: the length of a nest, as it is published. */
int64_t cs_nest_symbols(const struct cs_nest_node *node, int64_t n);
/* How often a loop's body runs, all in all, if the loop is come to `times` times. */
int64_t cs_nest_iterations(const struct cs_merged *m, const struct cs_nest_node *loop, int64_t times);
/* Has a loop a cycle of counts? */
bool cs_merged_has_counts(const struct cs_merged *m);
/* Is each symbol one place, one communicator and the same classes, whatever follows the loop, and each loop's count the
 * same every time? Not after CS_MERGED_FOLD_RECORDS or _CALLS. */
bool cs_merged_is_plain(const struct cs_merged *m);
void cs_merged_free(struct cs_merged *m);
/* Frees symbols and nest, and what belongs to its nodes. */
void cs_merged_forget_nest(struct cs_merged *m);
/* Fills in the times of a nest (gap_at and so on) from the trace with times that it was made of, merged in its original
 * order, and if folded, in a way that keeps times. What a rank lost to others in a gap (struct cs_event) is no part of
 * it. 0, or -1 and a one-line reason; then m has none. */
int cs_merged_times(struct cs_merged *m, const struct cs_trace *t, char *errbuf, size_t errlen);
/* The same from elsewhere: the ns between calls from two sites, either of which may be NULL; negative counts as 0.
 * Times that m has are forgotten. */
typedef double cs_merged_gap_fn(void *arg, const struct cs_site *from, const struct cs_site *to);
int cs_merged_times_of_sites(struct cs_merged *m, cs_merged_gap_fn *gap, void *arg, char *errbuf, size_t errlen);
/* Each gap as it was, in ns, at least 0: of a rank, before the symbol of a node, `first` as in struct cs_gap. */
typedef void cs_merged_gap_seen_fn(void *arg, int rank, int64_t node, bool first, double ns);
/* Tells all gaps of the trace that m and its times were made of (cs_merged_times), rank by rank, each rank's in its
 * order. 0, or -1 and a reason. */
int cs_merged_each_gap(const struct cs_merged *m, const struct cs_trace *t, cs_merged_gap_seen_fn *seen, void *arg,
                       char *errbuf, size_t errlen);
/* Frees the times alone: gap_at, gap, tail. */
void cs_merged_forget_times(struct cs_merged *m);

/* Writes the file form, by way of a new file beside it, so that an old one is replaced or stays. 0, or -1 and a reason.
 */
int cs_merged_write(const struct cs_merged *m, const char *path, char *errbuf, size_t errlen);
/* Reads it; everything is checked. NULL and a reason. */
struct cs_merged *cs_merged_open(const char *path, char *errbuf, size_t errlen);
/* Does the file begin like one? (A trace does not.) */
bool cs_merged_is(const char *path);

/* Writes a trace: every rank's events in their original order, without times. The file must not be there. 0, or -1 and
 * a reason. */
int cs_merged_expand(const struct cs_merged *m, const char *path,
                     void (*progress)(const char *what, int64_t done, int64_t total), char *errbuf, size_t errlen);

/* ---- asking ---- */

/* Own rank in the group that the rank means by the communicator, and the group's size; {-1, size} if it is no member.
 */
struct cs_comm_rank cs_merged_comm_rank(const struct cs_merged *m, int comm, int rank);
/* Is it an intercommunicator? What is made of one may be none: only the end of the path says so. */
bool cs_merged_is_inter(const struct cs_merged *m, int comm);
/* The group itself. */
const struct cs_ranges *cs_merged_group_of(const struct cs_merged *m, int comm, int rank);
/* Does what a symbol's cycle goes through follow the loop by a rule: each count, datatype, peer, root and operation in
 * it grows by the same step, or takes two values in turn? (Tags, call sites, communicators and requests do not count.)
 * Ranks that differ in part, or calls of which one has no such value, are no rule. */
bool cs_merged_follows_rule(const struct cs_merged *m, const struct cs_nest_node *n);
/* The part of a class in a symbol, or NULL. */
const struct cs_merged_part *cs_merged_part_of(const struct cs_merged_symbol *l, int cls);

/* Goes through a rank's events in the order of the nest, loops unrolled; `original` puts regularised ones back into
 * their places. Fields are absolute; definitions are numbers in m's tables. */
struct cs_merged_walk;
struct cs_merged_walk *cs_merged_walk_open(const struct cs_merged *m, int rank, bool original);
/* 1: an event; 0: the end; -1: not enough memory. *node, if given, gets the number of its node in the nest. Pointers
 * live until the next call. */
int cs_merged_walk_next(struct cs_merged_walk *w, struct cs_event *e, int64_t *node);
void cs_merged_walk_free(struct cs_merged_walk *w);

/* Plays the matching of all ranks' calls, without data: can the run come to its end? Sends wait for their receive
 * (the strictest meaning of MPI_Send) unless `buffered`. Loops run max_iterations times at most (0: all), the same on
 * all ranks. 1: it ends; 0: it does not, `why` says who waits for what; -1: not enough memory, or too many events
 * (limit), with a reason in `why`. */
int cs_merged_replay(const struct cs_merged *m, bool buffered, int64_t max_iterations, int64_t limit, char *why,
                     size_t whylen);

#endif
