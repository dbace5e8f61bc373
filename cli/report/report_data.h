/* SPDX-License-Identifier: BSD-3-Clause
 * Everything that is computed of a run before the first line is written. */
#ifndef CS_REPORT_DATA_H
#define CS_REPORT_DATA_H

#include "cli/report/report.h"
#include "trace/analyse/traffic_pattern.h"
#include "trace/analyse/phases.h"
#include "trace/analyse/profile.h"
#include "trace/analyse/timeline.h"
#include "reading/locations.h"
#include "cli/predict/prediction.h"
#include "trace/waits/waits.h"

#define CS_REPORT_CELLS 64   /* cells of the matrix in each direction; twice as many in small runs */
#define CS_REPORT_PHASES 120 /* parts into which the run is cut */
#define CS_REPORT_HEAVY 8    /* heaviest pairs that are listed */

/* Who sends how much to whom; a cell is a pair of blocks of per_cell ranks. */
struct cs_report_matrix {
    int nranks, per_cell, cells;
    double *messages, *bytes; /* cells by cells, row = source */
    uint64_t pairs;           /* of ranks, that have messages */
};

/* What one rank sent to another; ranks of MPI_COMM_WORLD. */
struct cs_report_pair {
    int source, dest;
    uint64_t messages, bytes;
};

/* A collective on communicators of one size. */
struct cs_report_collective {
    int call, size;
    struct cs_sums sums;
};

/* One call in the source: file, line, call and mark are the same. */
struct cs_report_site {
    struct cs_source_location place;
    int call, mark;
    struct cs_sums sums;
    double ns;      /* in the call, all ranks */
    bool *in_class; /* of each class: it makes this call */
    int nranks;
};

/* The sums over a node of the nest and all nodes in it. */
struct cs_report_node {
    struct cs_sums sums;
    int64_t times;        /* how often the node occurs in the run */
    double busy, outside; /* ns of all ranks: in calls, between them */
};

/* All that a report shows, computed by cs_report_make from the merged trace m. It owns what it points to. Arrays that
 * are not sorted for showing have the index of what they belong to: `site_of` that of m->record, `node` that of
 * m->node. */
struct cs_report {
    const char *path;    /* of the trace */
    const char *program; /* without its folder */
    struct cs_trace *t;  /* NULL if a merged or folded trace was read */
    struct cs_merged *m;
    struct cs_profile *p;
    struct cs_locations *places;
    struct cs_report_matrix matrix;
    struct cs_report_pair heavy[CS_REPORT_HEAVY]; /* of most bytes, heaviest first */
    int nheavy;
    struct cs_report_collective *collective; /* by call, then size */
    int ncollectives;
    struct cs_traffic_pattern *pattern;
    const struct cs_traffic_fit *fit; /* the best one; NULL: no messages */
    struct cs_traffic_pattern *rest;  /* of pairs that do not fit it */
    const struct cs_traffic_fit *rest_fit;
    struct cs_report_site *site; /* heaviest first */
    int nsites;
    int *site_of; /* of each record: its row in `site` before `site` is sorted */
    struct cs_report_node *node;
    int64_t main_loop;        /* the outermost loop that stands for most calls; -1: no loop */
    struct cs_timeline *time; /* NULL: no times, or only those of the nest */
    struct cs_waits *waits;   /* NULL: no times, or ranks are missing */
    struct cs_run_phase phase[CS_REPORT_PHASES];
    int incomplete;                  /* ranks that are cut or missing; without --partial, none */
    int first_incomplete;            /* the first of them */
    int64_t first_events;            /* that there are of it; -1: it is missing */
    bool timed;                      /* the nest has times */
    double busy, outside;            /* ns of all ranks: in calls, between them */
    struct cs_prediction *predicted; /* by a model; NULL: nobody asked */
    char **formula;                  /* of each of its parts, or NULL; itself NULL: there are no other runs */
    int *numeral;                    /* of each of its segments: cs_numerals */
    char *graph, *svg;               /* the program as a graph, and drawn; svg NULL: graphviz is not installed */
};

/* Opens r->path and makes the folded form: r->t, r->m and what is incomplete. 0, or -1 after a message. */
int cs_report_read(struct cs_report *r, bool partial);

/* Predicts the run: r->predicted and what goes with it. 0, or -1 after a message. */
int cs_report_predict(struct cs_report *r, const struct cs_report_way *way);
void cs_report_free_prediction(struct cs_report *r);

/* Bytes that calls send: in messages, and handed in to collectives. */
static inline uint64_t cs_volume(const struct cs_sums *s)
{
    return s->bytes + s->handed;
}
static inline double cs_share(double part, double all)
{
    return all > 0 ? part / all : 0;
}

/* Puts "1 of 3 ranks are not complete: rank 1 was cut after 7 events" into out; r->incomplete must not be 0. */
void cs_report_incomplete(char *out, size_t len, const struct cs_report *r);

#endif
