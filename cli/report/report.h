/* SPDX-License-Identifier: BSD-3-Clause
 * What the parts of `commslice report` share: everything that is computed of a run before the first line is written,
 * and the few helpers that write HTML. A section of the page is one report_*.c file. */
#ifndef CS_REPORT_H
#define CS_REPORT_H

#include <stdio.h>

#include "trace/analyse/traffic_pattern.h"
#include "trace/analyse/phases.h"
#include "trace/analyse/profile.h"
#include "trace/analyse/timeline.h"
#include "cli/show/places.h"

#define CS_REPORT_CELLS 64 /* of the matrix, in each direction */
#define CS_REPORT_PHASES 120
#define CS_REPORT_HEAVY 8 /* pairs that are named */

/* Who sends how much to whom, ranks in blocks. */
struct cs_report_matrix {
    int nranks, per_cell, cells;
    double *messages, *bytes; /* cells by cells, row = source */
    uint64_t pairs;           /* of ranks, that have messages */
};

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
    struct cs_source_place place;
    int call, mark;
    struct cs_sums sums;
    double ns;      /* in the call, all ranks */
    bool *in_class; /* of each class: it makes this call */
    int nranks;
};

/* A node of the nest, all that is in it. */
struct cs_report_node {
    struct cs_sums sums;
    int64_t times;
    double busy, outside;
};

struct cs_report {
    const char *path;    /* of the trace */
    const char *program; /* without its folder */
    struct cs_trace *t;  /* NULL if a merged or folded trace was read */
    struct cs_merged *m;
    struct cs_profile *p;
    struct cs_places *places;
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
    int *site_of; /* of each record: its row in `site`, while it is being filled */
    struct cs_report_node *node;
    int64_t main_loop;        /* the outermost loop that stands for most calls; -1: no loop */
    struct cs_timeline *time; /* NULL: no times, or only those of the nest */
    struct cs_run_phase phase[CS_REPORT_PHASES];
    int incomplete;       /* ranks that are cut or missing; without --partial, none */
    int first_incomplete; /* the first of them */
    int64_t first_events; /* that there are of it; -1: it is missing */
    bool timed;           /* the nest has times */
    double busy, outside; /* ns of all ranks: in calls, between them */
};

/* Computes all of it. 0, or -1 after a message. */
int cs_report_gather(struct cs_report *r);
void cs_report_free(struct cs_report *r);

/* Bytes of a call of either kind. */
static inline uint64_t cs_volume(const struct cs_sums *s)
{
    return s->bytes + s->handed;
}
static inline double cs_share(double part, double all)
{
    return all > 0 ? part / all : 0;
}

/* "1 of 3 ranks are not complete: rank 1 was cut after 7 events", where any is. */
void cs_report_incomplete(char *out, size_t len, const struct cs_report *r);

/* The page, to a stream; the caller looks for errors of the stream. */
void cs_report_html(FILE *out, const struct cs_report *r);
void cs_report_html_summary(FILE *out, const struct cs_report *r);
void cs_report_html_matrix(FILE *out, const struct cs_report *r);
void cs_report_html_sizes(FILE *out, const struct cs_report *r);
void cs_report_html_sites(FILE *out, const struct cs_report *r);
void cs_report_html_nest(FILE *out, const struct cs_report *r);
void cs_report_html_ranks(FILE *out, const struct cs_report *r);
void cs_report_html_phases(FILE *out, const struct cs_report *r);
void cs_report_json(FILE *out, const struct cs_report *r);
/* PNG and CSV of each picture into a folder, which is made. 0, or -1 after a message. */
int cs_report_pictures(const struct cs_report *r, const char *folder);

/* ---- helpers ---- */

/* Text as HTML: markup escaped, what is no UTF-8 or no character of XML replaced. */
void cs_html_text(FILE *out, const char *s);
/* printf, escaped. */
void cs_html_textf(FILE *out, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* "1,234,567"; returns buf. */
const char *cs_grouped(char buf[32], uint64_t n);
/* "12 %", "0.3 %", "<0.1 %"; returns buf. */
const char *cs_percent(char buf[16], double share);
/* "1.23 s", "4.5 ms"; returns buf. */
const char *cs_human_ns(char buf[32], double ns);
/* A cell of a table: a number, shown grouped or as bytes, that sorts as itself. */
void cs_html_number(FILE *out, uint64_t n);
void cs_html_bytes(FILE *out, uint64_t n);
/* A bar with its percentage as a cell. */
void cs_html_share(FILE *out, double share, const char *style);
/* "solver.c:12"; "solve in app" where there is no line, "?" if nothing is known. */
const char *cs_place_text(const struct cs_source_place *p, char *buf, size_t len);
/* Ranks in short, "0-3,8,12-60/4", cut after `most` pieces. Escapes nothing: digits only. */
void cs_html_ranks(FILE *out, const struct cs_ranges *ranks, int most);
const char *cs_size_label(char buf[48], int bucket);

#endif
