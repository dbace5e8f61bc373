/* SPDX-License-Identifier: BSD-3-Clause
 * Draws a program as its places of MPI calls and the ways between them; see program_graph.h.
 * Ways without a numeral are plain lines. A way is dotted if it leads to a place from which the walk came: the walk
 * begins at the program's start and takes at each place the dearest way first. */
#include "cli/predict/program_graph.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "api/mpi_calls.h"

/* Share of the computation that a segment has at least to get a numeral. */
static const double SMALLEST = 0.005;
/* Boxes grow with what they stand for, up to so many inches more. */
static const double GROWS = 1.2;

const char *cs_roman(char buf[16], int number)
{
    static const struct {
        int value;
        const char *text;
    } digit[] = {{1000, "M"}, {900, "CM"}, {500, "D"}, {400, "CD"}, {100, "C"}, {90, "XC"}, {50, "L"},
                 {40, "XL"},  {10, "X"},   {9, "IX"},  {5, "V"},    {4, "IV"},  {1, "I"}};
    *buf = 0;
    for (size_t i = 0; i < sizeof digit / sizeof *digit; i++)
        for (; number >= digit[i].value; number -= digit[i].value)
            strcat(buf, digit[i].text);
    return buf;
}

/* ---- numerals ---- */

static int by_share(const void *a, const void *b)
{
    const struct cs_segment_line *x = a, *y = b;
    return x->after != y->after ? (x->after < y->after) - (x->after > y->after) : x->segment - y->segment;
}

int *cs_numerals(struct cs_prediction *p)
{
    int n = p->prices.m.n, *number = calloc((size_t)n + 1, sizeof *number);
    struct cs_segment_line *line = p->prices.line;
    qsort(line, (size_t)n, sizeof *line, by_share);
    for (int i = 0; number && i < n && i < CS_NUMERALS && line[i].after >= SMALLEST; i++)
        number[line[i].segment] = i + 1;
    return number;
}

/* ---- the walk that tells loops ---- */

/* A way between two places; 0 is the program's start, nsites + 1 its end. */
struct way {
    int segment, from, to;
    double share;
    bool back;
};

/* The walk over all places. */
struct walk {
    struct way *way; /* ascending by place, at each the dearest first */
    int nways;
    char *state; /* of each place: one of those below */
};
/* Not seen yet; on the path from the start; left. */
enum { NEW, UNDER_WAY, DONE };

static int by_place(const void *a, const void *b)
{
    const struct way *x = a, *y = b;
    if (x->from != y->from)
        return x->from - y->from;
    return x->share != y->share ? (x->share < y->share) - (x->share > y->share) : x->segment - y->segment;
}

static int first_way(const struct walk *w, int place)
{
    int i = 0;
    while (i < w->nways && w->way[i].from < place)
        i++;
    return i;
}

/* Goes on from each place to the next; `path` has room for all places. */
static void find_loops(struct walk *w, int (*path)[2])
{
    int depth = 1;
    path[0][0] = 0;
    path[0][1] = first_way(w, 0);
    w->state[0] = UNDER_WAY;
    while (depth > 0) {
        int place = path[depth - 1][0], i = path[depth - 1][1]++;
        if (i >= w->nways || w->way[i].from != place) {
            w->state[place] = DONE;
            depth--;
            continue;
        }
        int to = w->way[i].to;
        w->way[i].back = w->state[to] == UNDER_WAY;
        if (w->state[to] != NEW)
            continue;
        w->state[to] = UNDER_WAY;
        path[depth][0] = to;
        path[depth++][1] = first_way(w, to);
    }
}

/* Does a rank of the target, the last run, go this way? */
static bool is_gone(const struct cs_observations *o, const struct cs_observed_segment *s)
{
    for (int i = s->nrows - 1; i >= 0 && s->row[i].run == o->nruns - 1; i--)
        if (s->row[i].times > 0)
            return true;
    return false;
}

/* The ways that the run goes, with those that go back marked. 0, or -1: no memory. */
static int walk(struct walk *w, const struct cs_prediction *p)
{
    const struct cs_observations *o = &p->prices.o;
    int places = o->nsites + 2;
    *w = (struct walk){.way = malloc(((size_t)p->prices.m.n + 1) * sizeof *w->way), .state = calloc((size_t)places, 1)};
    int(*path)[2] = malloc((size_t)places * sizeof *path);
    for (int i = 0; w->way && i < p->prices.m.n; i++) {
        const struct cs_segment_line *l = &p->prices.line[i];
        const struct cs_observed_segment *s = &o->segment[l->segment];
        if (is_gone(o, s))
            w->way[w->nways++] =
                (struct way){l->segment, s->from + 1, s->to < 0 ? o->nsites + 1 : s->to + 1, l->after, false};
    }
    if (!w->way || !w->state || !path) {
        free(path);
        return -1;
    }
    qsort(w->way, (size_t)w->nways, sizeof *w->way, by_place);
    find_loops(w, path);
    free(path);
    return 0;
}

/* ---- writing ---- */

static void put_text(FILE *out, const char *s)
{
    for (; *s; s++) {
        if (*s == '"' || *s == '\\')
            putc('\\', out);
        putc((unsigned char)*s < 32 ? '?' : *s, out);
    }
}

static const char *base_name(const char *file)
{
    const char *slash = strrchr(file, '/');
    return slash ? slash + 1 : file;
}

static void put_seconds(FILE *out, double s)
{
    static const char *const unit[] = {"s", "ms", "\xc2\xb5s", "ns"};
    int i = 0;
    for (; s > 0 && s < 1 && i < 3; i++)
        s *= 1000;
    fprintf(out, "%.3g %s", s, unit[i]);
}

/* The call at the place, and how long the mean rank is in it. */
static void put_site(FILE *out, const struct cs_prediction *p, int site)
{
    const struct cs_observed_site *s = &p->prices.o.site[site];
    const char *name = "MPI";
    char part[320];
    for (int i = 0; i < p->call.nsites; i++) {
        const struct cs_observed_site *c = &p->call.site[i];
        if (p->call_at[i] >= 0 && c->line == s->line && !strcmp(c->file, s->file) && !strcmp(c->func, s->func))
            name = cs_mpi_call(p->call_at[i])->name;
    }
    snprintf(part, sizeof part, "MPI at %.250s:%d", base_name(s->file), s->line);
    const struct cs_prediction_part *in = cs_prediction_part(p, part);
    fprintf(out,
            "  p%d [shape=triangle, fixedsize=true, width=0.3, height=0.26, style=filled, label=\"\", xlabel=\"%s\\n",
            site + 1, name);
    put_text(out, part + strlen("MPI at "));
    if (in) {
        fputs("\\n", out);
        put_seconds(out, in->seconds);
    }
    fputs("\"];\n", out);
}

static void put_places(FILE *out, const struct cs_prediction *p, const struct walk *w)
{
    int end = p->prices.o.nsites + 1;
    for (int i = 0; i <= end; i++) {
        if (w->state[i] == NEW)
            continue;
        if (i == 0 || i == end)
            fprintf(out, "  p%d [shape=plaintext, label=\"%s\"];\n", i, i ? "end" : "start");
        else
            put_site(out, p, i - 1);
    }
}

static void put_way(FILE *out, const struct cs_prediction *p, const int *number, const struct way *w)
{
    const char *style = w->back ? "style=dotted, penwidth=1.6" : "style=solid";
    char roman[16];
    int n = number[w->segment];
    if (!n) {
        fprintf(out, "  p%d -> p%d [%s];\n", w->from, w->to, style);
        return;
    }
    fprintf(out, "  s%d [shape=box, style=filled, fillcolor=\"#d3d7dc\", height=%.2f, label=\"%s\\n", w->segment,
            0.4 + GROWS * w->share, cs_roman(roman, n));
    put_seconds(out, p->prices.line[n - 1].mean);
    fprintf(out, ", %.1f %%\"];\n  p%d -> s%d [%s, arrowhead=none];\n  s%d -> p%d [%s];\n", 100 * w->share, w->from,
            w->segment, style, w->segment, w->to, style);
}

int cs_program_graph(FILE *out, const struct cs_prediction *p, const int *number)
{
    struct walk w;
    int rc = walk(&w, p);
    if (rc == 0) {
        fputs(CS_PROGRAM_GRAPH_BEGINS "digraph program {\n"
                                      "  node [fontname=\"sans-serif\", fontsize=10, fillcolor=\"#3a76c4\"];\n"
                                      "  edge [arrowsize=0.6];\n  nodesep=0.7;\n  forcelabels=true;\n",
              out);
        put_places(out, p, &w);
        for (int i = 0; i < w.nways; i++)
            put_way(out, p, number, &w.way[i]);
        fputs("}\n", out);
    }
    free(w.way);
    free(w.state);
    return rc;
}
