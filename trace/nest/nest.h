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
    int shift; /* how many of the class's events that stand before it here come after it in the original order */
};

/* A call as all classes make it that take part in it. */
struct cs_merged_symbol {
    int call; /* the same in all its parts */
    int nparts;
    struct cs_merged_part *part; /* by class, ascending; each class at most once */
};

/* ---- the nest ---- */

/* A symbol or a loop. Nodes are in preorder, a loop in front of its body: (S1 S2)x50 S3 is the four nodes
 *     {count 50, value 2} {0, S1} {0, S2} {0, S3}
 *
 * A node with a cycle (ncycle >= 2) changes from one occurrence to the next. At its k-th occurrence in the run, counted
 * from 0, a symbol's node is the symbol m->cycle[cycle + k % ncycle]. All symbols of a cycle have the same call; with
 * CS_MERGED_FOLD_BEST also the same classes and call sites. A loop runs m->cycle[cycle + k % ncycle] times when it is
 * entered for the k-th time; that may be 0. Only CS_MERGED_FOLD_RECORDS makes cycles of loops. */
struct cs_nest_node {
    int64_t count; /* iterations of a loop, at least 2; 0: a symbol. Of a loop with a cycle: its largest, at least 1 */
    int32_t value; /* the symbol (the first of its cycle); or the number of nodes of the loop's body, at all depths */
    int32_t cycle, ncycle; /* where the cycle starts in m->cycle, and its length; ncycle 0: none */
};

/* Times at a symbol's node, for one of the symbol's parts, in ns. All are sums over the ranks of the part's class and
 * over their iterations. The gap of an event is the time since the end of the rank's previous MPI call. `first` counts
 * only the events in the first iteration of the loop around them, each time that the loop is entered. */
struct cs_gap {
    int64_t n, first_n;    /* events */
    double gap, first_gap; /* their gaps */
    double busy;           /* time in the call */
};

/* ---- definitions, each content once ---- */

/* A communicator, known by its path. Ranks that made it in one call are one group: after a split there are several. */
struct cs_merged_comm {
    const char *path;
    int ngroups;
    struct cs_ranges *group; /* members, as ranks of MPI_COMM_WORLD, in the order of the communicator */
    int *group_of;           /* of each rank of the run; NULL: group 0 for all */
};

/* A rank class (glossary). */
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
 *     cls[]     ranks whose calls are the same but for such values; class_of[] has each rank's class  */
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
    double *tail; /* of each class, with times: ns after the last call, summed over its ranks; 0 where not known */
    struct cs_pool *strings; /* owns those of the definitions and of info */
    int nsites, ntypes, ncomms, nops;
    struct cs_site *site;
    struct cs_type_def *type;
    struct cs_merged_comm *comm;
    const char **op;
};

/* ---- the nest: length, plainness, end ---- */

/* The number of symbols among n nodes: what [Skel10] calls the length of a nest. */
int64_t cs_nest_symbols(const struct cs_nest_node *node, int64_t n);
/* How often a loop's body runs in all when the loop is entered `times` times. */
int64_t cs_nest_iterations(const struct cs_merged *m, const struct cs_nest_node *loop, int64_t times);
/* Does any loop have a cycle (of counts)? */
bool cs_merged_has_counts(const struct cs_merged *m);
/* True if the symbols of each cycle agree in call site, communicators and classes, and no loop has a cycle. That need
 * not be so after CS_MERGED_FOLD_RECORDS or CS_MERGED_FOLD_CALLS. */
bool cs_merged_is_plain(const struct cs_merged *m);
void cs_merged_free(struct cs_merged *m);
/* Frees symbols and nest, and what belongs to its nodes. */
void cs_merged_forget_nest(struct cs_merged *m);
/* Fills in m's times (gap_at, gap, tail) from the trace that m was made of, which must have times. m must be merged in
 * the original order (CS_ORDER_ORIGINAL) and, if folded, in a way that keeps times (cs_merged_fold_keeps_times).
 * Scheduling delay in a gap is subtracted. 0, or -1 and a one-line reason; then m has no times. */
int cs_merged_times(struct cs_merged *m, const struct cs_trace *t, char *errbuf, size_t errlen);
/* Fills in m's gaps from a function of call sites: the ns between a call at `from` and the next one at `to`. A site may
 * be NULL (unknown); a negative result counts as 0. m's former times are freed. 0, or -1 and a reason. */
typedef double cs_merged_gap_fn(void *arg, const struct cs_site *from, const struct cs_site *to);
int cs_merged_times_of_sites(struct cs_merged *m, cs_merged_gap_fn *gap, void *arg, char *errbuf, size_t errlen);
/* Receives one gap of a rank: `ns` (at least 0) before the event at a node; `first` is as in struct cs_gap. */
typedef void cs_merged_gap_seen_fn(void *arg, int rank, int64_t node, bool first, double ns);
/* Calls `seen` for each gap in the trace that m and its times were made of (cs_merged_times): class by class, rank by
 * rank, in the order of the rank's events. 0, or -1 and a reason. */
int cs_merged_each_gap(const struct cs_merged *m, const struct cs_trace *t, cs_merged_gap_seen_fn *seen, void *arg,
                       char *errbuf, size_t errlen);
/* Frees the times alone: gap_at, gap, tail. */
void cs_merged_forget_times(struct cs_merged *m);

/* Writes m to a file. An old file at `path` is replaced as a whole, or stays if that fails. 0, or -1 and a reason. */
int cs_merged_write(const struct cs_merged *m, const char *path, char *errbuf, size_t errlen);
/* Reads a file of cs_merged_write and checks all of it. NULL on error, with a reason. */
struct cs_merged *cs_merged_open(const char *path, char *errbuf, size_t errlen);
/* Does the file begin like one of cs_merged_write? (A trace does not.) */
bool cs_merged_is(const char *path);

/* Writes m as a trace: every rank's events in their original order, without times. `path` must not exist. progress may
 * be NULL. 0, or -1 and a reason. */
int cs_merged_expand(const struct cs_merged *m, const char *path,
                     void (*progress)(const char *what, int64_t done, int64_t total), char *errbuf, size_t errlen);

/* ---- asking ---- */

/* The rank's number in its group of the communicator, and the group's size; {-1, size} if it is no member. */
struct cs_comm_rank cs_merged_comm_rank(const struct cs_merged *m, int comm, int rank);
/* Is it an intercommunicator? Its path ends with "~"; one made from an intercommunicator need not be one. */
bool cs_merged_is_inter(const struct cs_merged *m, int comm);
/* The group of ranks that the rank means by the communicator. */
const struct cs_ranges *cs_merged_group_of(const struct cs_merged *m, int comm, int rank);
/* Do the symbols of a node's cycle follow a rule? They do if each count, datatype, peer, root and operation either
 * grows by the same step from one symbol to the next, or takes two values in turn. Tags, call sites, communicators and
 * requests are not compared. Symbols with different numbers of such values follow no rule. */
bool cs_merged_follows_rule(const struct cs_merged *m, const struct cs_nest_node *n);
/* The part of a class in a symbol, or NULL. */
const struct cs_merged_part *cs_merged_part_of(const struct cs_merged_symbol *l, int cls);

/* Walks through a rank's events in the order of the nest, loops unrolled; with `original`, in the order in which the
 * rank made them (struct cs_merged_part's shift). Peers are ranks of the event's communicator as the call has them;
 * definitions are numbers in m's tables. NULL: no memory. */
struct cs_merged_walk;
struct cs_merged_walk *cs_merged_walk_open(const struct cs_merged *m, int rank, bool original);
/* Gives the next event in *e and, if node is not NULL, the number of its node in *node. Its fields live until the next
 * call. 1: an event; 0: the end; -1: not enough memory. */
int cs_merged_walk_next(struct cs_merged_walk *w, struct cs_event *e, int64_t *node);
void cs_merged_walk_free(struct cs_merged_walk *w);

/* Plays the matching of all ranks' calls, in the order of the nest and without data, and tells whether the run ends. A
 * send completes when its receive is posted (the strictest meaning of MPI_Send), or at once if `buffered`. Loops run
 * max_iterations times at most (0: as often as they say) on all ranks. 1: the run ends; 0: it does not, and `why` says
 * which rank waits where; -1: no memory, or more than `limit` events (0: no limit), with a reason in `why`. */
int cs_merged_replay(const struct cs_merged *m, bool buffered, int64_t max_iterations, int64_t limit, char *why,
                     size_t whylen);

#endif
