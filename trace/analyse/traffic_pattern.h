/* SPDX-License-Identifier: BSD-3-Clause
 * Puts a name to who sends to whom: neighbours on a grid, a tree, a butterfly, a transposition, one with all, all with
 * all. Fed pair by pair; each name is a rule that a pair obeys or not, and the first rule that all pairs obey is the
 * answer. */
#ifndef CS_TRAFFIC_PATTERN_H
#define CS_TRAFFIC_PATTERN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "trace/analyse/pair_rows.h"

/* The patterns that are looked for. */
enum cs_traffic_kind {
    CS_TRAFFIC_ALL,       /* each with each */
    CS_TRAFFIC_GRID,      /* ranks as coordinates in dims[], row-major: one dimension differs by one */
    CS_TRAFFIC_TREE,      /* binomial tree from rank 0: the child's lowest bit, or highest, is cleared in the parent */
    CS_TRAFFIC_STAR,      /* rank `center` with the others */
    CS_TRAFFIC_BUTTERFLY, /* ranks differ in one bit */
    CS_TRAFFIC_TRANSPOSE, /* row and column change places; dims[] */
    CS_TRAFFIC_STRIDES    /* as GRID, but one dimension differs by a power of two: the levels of a multigrid */
};

/* A rule that says which ranks send to which, and what of the run obeys it. */
struct cs_traffic_fit {
    enum cs_traffic_kind kind;
    int dims[3]; /* of the grid; those not used are 1 */
    int center;
    bool high;           /* TREE: by the highest bit */
    bool wrap, diagonal; /* seen: from one end of a dimension to the other; steps in several dimensions at once */
    uint64_t pairs, messages, bytes; /* that obey it */
    bool dropped;                    /* hardly any pair obeyed it: no longer looked at */
    bool waits;      /* a pair did not obey it: that pair and all behind it are looked at when it has to be */
    uint64_t looked; /* pairs that were */
};

/* All rules that are possible for nranks ranks. Pairs are added in order of their source. Large grids have thousands of
 * rules, of which nearly all fail soon: they wait, and the pairs are kept, as long as some rule holds for all pairs. */
struct cs_traffic_pattern {
    int nranks;
    struct cs_pair_rows rows; /* all pairs, while rules may wait */
    bool at_once;             /* no rule waits any more */
    struct cs_traffic_fit *fit;
    size_t nfits;
    uint32_t *active; /* the rules that the next pair is looked at by, in order */
    size_t nactive;
    uint64_t pairs, messages, bytes;   /* of all */
    int most, fewest, current, degree; /* destinations of a rank that has any; while counting, of rank `current` */
    int senders;                       /* ranks that have any */
};

/* NULL: not enough memory. */
struct cs_traffic_pattern *cs_traffic_pattern_new(int nranks);
void cs_traffic_pattern_free(struct cs_traffic_pattern *p);
/* A pair of ranks; all pairs of a source come one after the other. */
void cs_traffic_pattern_pair(struct cs_traffic_pattern *p, int source, int dest, uint64_t messages, uint64_t bytes);
/* When all pairs are in: the rule that all of them obey; if there is none, the one that explains most bytes, or
 * messages where there are no bytes; NULL: no messages. */
const struct cs_traffic_fit *cs_traffic_pattern_best(struct cs_traffic_pattern *p);
/* Does a pair obey the rule? */
bool cs_traffic_pattern_fits(const struct cs_traffic_fit *f, int nranks, int source, int dest);
/* "neighbours on a 16 x 32 grid"; returns buf. */
const char *cs_traffic_pattern_words(const struct cs_traffic_fit *f, char *buf, size_t len);

#endif
