/* SPDX-License-Identifier: BSD-3-Clause
 * Merging: a trace becomes the merged form (nest.h), a sequence of symbols. Folding: that becomes a nest of loops.
 * docs/developers/merging.md has the steps. */
#ifndef CS_MERGE_H
#define CS_MERGE_H

#include "trace/nest/nest.h"

/* The order of a rank's own calls: Algorithm 1. */
enum cs_call_order {
    CS_ORDER_ORIGINAL,   /* as they are */
    CS_ORDER_POST_FIRST, /* in a stretch of nonblocking receives, sends and waits: receives, sends,
                            waits. Never blocks more */
    CS_ORDER_SEND_FIRST, /* in a stretch of blocking sends and receives: the sends first */
    CS_ORDER_RECEIVE_FIRST,
    CS_ORDER_PAPER /* sends before receives; nonblocking: receive, wait, send */
};                 /* fields that count requests (REQ_INOUT, REQS) always count in the original order */

/* How ranks are merged. All zero is the default. */
struct cs_merge_options {
    enum cs_call_order order; /* not kept where the check finds that it can block; see `kept_order` */
    int lookahead;            /* m of Algorithm 2; 0: the default */
    int64_t symbols_max;      /* longer streams keep their loops as symbols; 0: the default */
    bool partial; /* cut and missing ranks are taken as far as they go; the result is for reports, not to be replayed */
    void (*progress)(const char *what, int64_t done, int64_t total); /* may be NULL */
};

/* What came of a merge. */
struct cs_merge_report {
    int64_t longest, shortest; /* events of a rank */
    int64_t merged;            /* events of the merged sequence, loops unrolled */
    bool kept_order; /* false: another order than the original was asked for and would block, or could not be checked */
    char why[200];   /* ... this is why */
};

/* Merges the ranks of a trace; all must be complete, unless `partial`. NULL on error, with a one-line reason. report
 * may be NULL. */
struct cs_merged *cs_merge_trace(const struct cs_trace *t, const struct cs_merge_options *o,
                                 struct cs_merge_report *report, char *errbuf, size_t errlen);
/* How to fold. */
enum cs_merged_fold {
    CS_MERGED_FOLD_BEST,    /* fewest symbols; values may follow a loop (cycles), call sites may not */
    CS_MERGED_FOLD_RECORDS, /* by what the paper compares (cs_merged_published in merge_internal.h): all else may follow
                               a loop */
    CS_MERGED_FOLD_CALLS, /* as BEST, but calls from several places, and of several classes, may become one symbol with
                             a cycle */
    CS_MERGED_FOLD_PAPER  /* longest repeat first, no cycles: the published method, for comparison */
};
/* Does this way of folding keep times? It does if a symbol of the result is one call site and the same classes. */
static inline bool cs_merged_fold_keeps_times(enum cs_merged_fold how)
{
    return how == CS_MERGED_FOLD_BEST || how == CS_MERGED_FOLD_PAPER;
}
/* Replaces m's nest by the folded one. m's times, if it has any, go with it or, if this way of folding does not keep
 * them, are freed. 0, or -1 and a one-line reason. */
int cs_merged_fold(struct cs_merged *m, enum cs_merged_fold how, char *errbuf, size_t errlen);

#endif
