/* SPDX-License-Identifier: BSD-3-Clause
 * The report's loop nest: loops that open and close, a call a line, with the shares of calls, bytes and time of what is
 * inside. Of a nest with very many calls the lightest are summed up in one line, so that the page stays small. */
#define _GNU_SOURCE 1
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "trace/format/fields.h"
#include "cli/frame/cli.h"
#include "cli/show/events.h"
#include "cli/show/print_nest.h"
#include "cli/report/report_sections.h"

#define LINES 600     /* of the nest */
#define PARTS 1500    /* of all calls: what the classes of ranks pass to each */
#define PARTS_LEAST 3 /* of one call */
#define CYCLE_SHOWN 8
#define RANGES_SHOWN 4
#define LIGHT 1e-3   /* a node with a smaller share is light */
#define LIGHT_RUN 6  /* at least this many light nodes in a row are put behind one line */
#define OPEN_DEPTH 5 /* loops inside that are closed at first */
#define ARRAY_SHOWN 6

/* The nest while it is written as HTML. */
struct writer {
    FILE *out;
    const struct cs_report *r;
    double least; /* what has a smaller share is summed up */
    int parts;    /* of a call that are shown */
};

/* ---- what is worth a line ---- */

/* The largest of the node's shares in calls, bytes and time; 1 for the main loop. */
static double weight(const struct cs_report *r, int64_t i)
{
    if (i == r->main_loop)
        return 1;
    const struct cs_report_node *n = &r->node[i];
    double w[] = {cs_share((double)n->sums.calls, (double)r->p->all.calls),
                  cs_share((double)cs_volume(&n->sums), (double)cs_volume(&r->p->all)), cs_share(n->busy, r->busy)};
    double most = w[0] > w[1] ? w[0] : w[1];
    return most > w[2] ? most : w[2];
}

static int descending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x < y) - (x > y);
}

/* The weight below which nodes are left out, so that about LINES remain; 0: all are shown. */
static double find_least(const struct cs_report *r)
{
    int64_t n = r->m->nnodes;
    double *w = n > LINES ? malloc((size_t)n * sizeof *w) : NULL, least = 0;
    if (!w)
        return n > LINES ? 1e-3 : 0;
    for (int64_t i = 0; i < n; i++)
        w[i] = weight(r, i);
    qsort(w, (size_t)n, sizeof *w, descending);
    least = w[LINES];
    free(w);
    return least;
}

/* ---- a call in words ---- */

/* Is a table of peers "me + n, but nobody on some ranks", as at the edges of a grid? Counts the latter. */
static bool is_shift(const struct cs_merged *m, const struct cs_merged_record *rec, const struct cs_merged_value *v,
                     int64_t *by, int *nobody)
{
    const struct cs_class *c = &m->cls[rec->cls];
    bool any = false;
    *nobody = 0;
    for (int i = 0; i < c->ranks.total; i++) {
        struct cs_comm_rank at = cs_merged_comm_rank(m, rec->comm, c->rank[i]);
        if (v->table[i] == CS_PROC_NULL) {
            ++*nobody;
            continue;
        }
        if (at.me < 0 || v->table[i] < 0 || (any && v->table[i] - at.me != *by))
            return false;
        any = true;
        *by = v->table[i] - at.me;
    }
    return any;
}

/* Writes a value as commslice print does, escaped; a table of peers on a grid (is_shift) is shortened. */
static void put_value(FILE *out, const struct cs_merged *m, const struct cs_merged_record *rec, int field,
                      enum cs_role role)
{
    char *text = NULL;
    size_t len;
    int64_t by;
    int nobody;
    if ((role == CS_ROLE_DEST || role == CS_ROLE_SOURCE) && rec->comm >= 0 && rec->field[field].rule == CS_RULE_TABLE &&
        is_shift(m, rec, &rec->field[field], &by, &nobody)) {
        fprintf(out, "me%+" PRId64, by);
        if (nobody)
            fprintf(out, " (%d rank%s: nobody)", nobody, nobody == 1 ? "" : "s");
        return;
    }
    FILE *f = open_memstream(&text, &len);
    if (!f)
        return;
    cs_print_value(f, m, rec, field, role);
    if (fclose(f) == 0)
        cs_html_text(out, text);
    free(text);
}

static void put_array(FILE *out, const struct cs_merged *m, const struct cs_merged_record *rec,
                      const struct cs_field *f, int first)
{
    fprintf(out, " %s=[", cs_role_name(f->arg->role));
    for (int64_t i = 0; i < f->n && i < ARRAY_SHOWN; i++) {
        fputs(i ? "," : "", out);
        put_value(out, m, rec, first + (int)i, f->arg->role);
    }
    fputs(f->n > ARRAY_SHOWN ? ",...]" : "]", out);
}

static bool is_world(const struct cs_merged *m, const struct cs_merged_value *v)
{
    return v->rule == CS_RULE_SAME && v->a >= 0 && v->a < m->ncomms && m->comm[v->a].path &&
           strcmp(m->comm[v->a].path, "world") == 0;
}

static void put_scalar(FILE *out, const struct cs_merged *m, const struct cs_merged_record *rec,
                       const struct cs_field *f, int at)
{
    enum cs_role role = f->arg->role;
    const char *word = role == CS_ROLE_DEST                          ? "to "
                       : role == CS_ROLE_SOURCE                      ? "from "
                       : role == CS_ROLE_ROOT                        ? "root "
                       : role == CS_ROLE_TAG                         ? "tag "
                       : role == CS_ROLE_TYPE                        ? "\xc3\x97 "
                       : role == CS_ROLE_COMM                        ? "on "
                       : role == CS_ROLE_COUNT || role == CS_ROLE_OP ? ""
                                                                     : NULL;
    bool of_requests = role == CS_ROLE_COUNT && cs_mpi_call(rec->call)->args[0].role == CS_ROLE_COUNT;
    if ((role == CS_ROLE_COMM && is_world(m, &rec->field[at])) || role == CS_ROLE_REQ_INOUT || of_requests)
        return;
    putc(' ', out);
    if (word)
        fputs(word, out);
    else
        fprintf(out, "%s=", cs_arg_label(cs_mpi_call(rec->call), (int)(f->arg - cs_mpi_call(rec->call)->args)));
    put_value(out, m, rec, at, role);
}

/* The arguments of a record; peers and sizes first named, requests only counted. */
static void put_arguments(FILE *out, const struct cs_merged *m, const struct cs_merged_record *rec)
{
    int64_t plain[256], count = 0;
    char bytes[32];
    struct cs_event e = {.call = rec->call, .nfields = rec->nfields, .fields = plain};
    struct cs_field f;
    int arg = 0, at = 0;
    if (rec->nfields > (int)(sizeof plain / sizeof *plain)) {
        fprintf(out, " (%d values)", rec->nfields);
        return;
    }
    for (int i = 0; i < rec->nfields; i++)
        plain[i] = rec->field[i].rule == CS_RULE_SAME ? rec->field[i].a : 0;
    while (cs_field_next(&e, &arg, &at, &f) == 1) {
        int first = (int)(f.values - plain);
        count = f.arg->role == CS_ROLE_COUNT && rec->field[first].rule == CS_RULE_SAME ? *f.values : count;
        if (f.arg->role == CS_ROLE_REQS)
            fprintf(out, " %" PRId64 " requests", f.shape == CS_FIELD_ARRAY ? f.n : *f.values);
        else if (f.shape == CS_FIELD_ARRAY)
            put_array(out, m, rec, &f, first);
        else
            put_scalar(out, m, rec, &f, first);
        if (f.arg->role == CS_ROLE_TYPE && rec->field[first].rule == CS_RULE_SAME && *f.values >= 0 &&
            *f.values < m->ntypes && count > 0)
            fprintf(out, " (%s)", cs_human_bytes(bytes, (uint64_t)count * (uint64_t)m->type[*f.values].size));
    }
}

static void put_place(struct writer *w, const struct cs_merged_record *rec)
{
    char text[300];
    if (rec->site < 0)
        return;
    struct cs_source_location p = cs_locations_find(w->r->places, &w->r->m->site[rec->site]);
    fputs(" <span class=\"at\">", w->out);
    cs_html_text(w->out, cs_location_text(&p, text, sizeof text));
    if (p.line >= 0 && p.func)
        cs_html_textf(w->out, " %s", p.func);
    fputs("</span>", w->out);
}

static void put_class(struct writer *w, int cls)
{
    if (w->r->m->nclasses == 1)
        return;
    fprintf(w->out, " <span class=\"tag\">class %d: rank%s ", cls, w->r->m->cls[cls].ranks.total == 1 ? "" : "s");
    cs_html_ranks(w->out, &w->r->m->cls[cls].ranks, RANGES_SHOWN);
    fputs("</span>", w->out);
}

/* The ranks of all classes that make a call. */
static void put_ranks(struct writer *w, const struct cs_merged_symbol *l)
{
    struct cs_ranges g = {0};
    for (int i = 0; i < w->r->m->info.nranks; i++)
        if (cs_merged_part_of(l, w->r->m->class_of[i]) && cs_ranges_add(&g, i))
            break;
    fputs(" <span class=\"tag\">ranks ", w->out);
    cs_html_ranks(w->out, &g, RANGES_SHOWN);
    fputs("</span>", w->out);
    cs_ranges_free(&g);
}

static void put_call(struct writer *w, const struct cs_merged_record *rec)
{
    fprintf(w->out, "<span class=\"call\">%s</span>", cs_mpi_call(rec->call)->name);
    put_arguments(w->out, w->r->m, rec);
    put_place(w, rec);
}

/* ---- lines ---- */

static void put_shares(struct writer *w, const struct cs_report_node *n)
{
    const struct cs_report *r = w->r;
    struct {
        double share;
        const char *style;
    } column[] = {{cs_share((double)n->sums.calls, (double)r->p->all.calls), "point"},
                  {cs_share((double)cs_volume(&n->sums), (double)cs_volume(&r->p->all)), "point"},
                  {cs_share(n->busy, r->busy), "wait"},
                  {cs_share(n->outside, r->outside), "outside"}};
    char percent[16];
    for (int i = 0; i < (r->timed ? 4 : 2); i++) {
        if (column[i].share < LIGHT) {
            fprintf(w->out, "<span class=\"soft\">%s</span>", column[i].share > 0 ? "&lt;0.1 %" : "");
            continue;
        }
        fprintf(w->out, "<span><span class=\"meter\"><i class=\"%s\" style=\"width:%.1f%%\"></i></span>%s</span>",
                column[i].style, 100 * column[i].share, cs_percent(percent, column[i].share));
    }
}

static void open_row(struct writer *w, const char *tag, int depth)
{
    fprintf(w->out, "<%s class=\"row\"><span class=\"body\" style=\"--d:%d\">", tag, depth);
}

static void close_row(struct writer *w, const char *tag, const struct cs_report_node *n)
{
    fputs("</span>", w->out);
    if (n)
        put_shares(w, n);
    fprintf(w->out, "</%s>\n", tag);
}

static void put_parts(struct writer *w, const struct cs_merged_symbol *l, int depth)
{
    for (int i = 0; i < l->nparts && i < w->parts; i++) {
        const struct cs_merged_record *rec = &w->r->m->record[l->part[i].record];
        open_row(w, "div", depth);
        put_call(w, rec);
        put_class(w, rec->cls);
        close_row(w, "div", NULL);
    }
    if (l->nparts > w->parts) {
        open_row(w, "div", depth);
        fprintf(w->out, "... and %d more classes", l->nparts - w->parts);
        close_row(w, "div", NULL);
    }
}

/* The record of the largest class that makes the call. */
static const struct cs_merged_record *typical(const struct cs_merged *m, const struct cs_merged_symbol *l)
{
    const struct cs_merged_record *best = &m->record[l->part[0].record];
    for (int i = 1; i < l->nparts; i++) {
        const struct cs_merged_record *rec = &m->record[l->part[i].record];
        best = m->cls[rec->cls].ranks.total > m->cls[best->cls].ranks.total ? rec : best;
    }
    return best;
}

/* Do all classes pass the same to a call, by the same rules? */
static bool alike(const struct cs_merged *m, const struct cs_merged_symbol *l)
{
    const struct cs_merged_record *a = &m->record[l->part[0].record];
    for (int i = 1; i < l->nparts; i++) {
        const struct cs_merged_record *b = &m->record[l->part[i].record];
        bool same = a->site == b->site && a->mark == b->mark && a->nfields == b->nfields;
        for (int k = 0; same && k < a->nfields; k++) {
            const struct cs_merged_value *v = &a->field[k], *w = &b->field[k];
            same = v->rule == w->rule &&
                   (v->rule == CS_RULE_SAME || v->rule == CS_RULE_RELATIVE || v->rule == CS_RULE_XOR) && v->a == w->a;
        }
        if (!same)
            return false;
    }
    return true;
}

/* The first symbol in the line; what other classes do, or further symbols of a cycle, below it when it is opened. */
static void put_symbol(struct writer *w, int64_t node, int depth)
{
    const struct cs_merged *m = w->r->m;
    const struct cs_nest_node *n = &m->node[node];
    const struct cs_merged_symbol *l = &m->symbol[n->value];
    const struct cs_merged_record *first = typical(m, l);
    bool same = alike(m, l), more = !same || n->ncycle > 0;
    fputs(more ? "<details>" : "", w->out);
    open_row(w, more ? "summary" : "div", depth);
    put_call(w, first);
    if (n->ncycle)
        fprintf(w->out, " <span class=\"tag\">one of %d, alternating between iterations</span>", n->ncycle);
    if (l->nparts > 1 && same && l->nparts < m->nclasses)
        put_ranks(w, l);
    else if (l->nparts > 1 && !same)
        fprintf(w->out, " <span class=\"tag\">%d of %d classes</span>", l->nparts, m->nclasses);
    else if (l->nparts == 1)
        put_class(w, first->cls);
    close_row(w, more ? "summary" : "div", &w->r->node[node]);
    for (int32_t k = 0; k < n->ncycle && k < CYCLE_SHOWN; k++)
        put_parts(w, &m->symbol[m->cycle[n->cycle + k]], depth + 1);
    if (n->ncycle == 0 && more)
        put_parts(w, l, depth + 1);
    fputs(more ? "</details>\n" : "", w->out);
}

static void put_nodes(struct writer *w, int64_t from, int64_t to, int depth);

static void put_loop(struct writer *w, int64_t node, int depth)
{
    const struct cs_nest_node *n = &w->r->m->node[node];
    char buf[32];
    fprintf(w->out, "<details%s%s>", depth < OPEN_DEPTH ? " open" : "",
            node == w->r->main_loop ? " id=\"main-loop\"" : "");
    open_row(w, "summary", depth);
    fprintf(w->out, "<span class=\"loop\">%s times</span>", cs_grouped(buf, (uint64_t)n->count));
    close_row(w, "summary", &w->r->node[node]);
    put_nodes(w, node + 1, node + 1 + n->value, depth + 1);
    fputs("</details>\n", w->out);
}

/* The sum of a run of siblings, and how many lines they are. */
struct run {
    struct cs_report_node sum;
    int64_t lines, siblings, end;
};

/* Sums up the siblings from `from` on, up to the first one that weighs at least `limit`. */
static struct run light_run(const struct writer *w, int64_t from, int64_t to, double limit)
{
    const struct cs_merged *m = w->r->m;
    struct run run = {.end = from};
    while (run.end < to && weight(w->r, run.end) < limit) {
        const struct cs_report_node *x = &w->r->node[run.end];
        int64_t lines = 1 + (m->node[run.end].count ? m->node[run.end].value : 0);
        cs_sums_add(&run.sum.sums, &x->sums, 1);
        run.sum.busy += x->busy;
        run.sum.outside += x->outside;
        run.lines += lines;
        run.siblings++;
        run.end += lines;
    }
    return run;
}

static void put_left_out(struct writer *w, const struct run *run, int depth)
{
    char buf[32];
    open_row(w, "div", depth);
    fprintf(w->out, "<span class=\"soft\">... %s line%s left out, too light to be shown</span>",
            cs_grouped(buf, (uint64_t)run->lines), run->lines == 1 ? "" : "s");
    close_row(w, "div", &run->sum);
}

static void put_node(struct writer *w, int64_t i, int depth)
{
    if (w->r->m->node[i].count)
        put_loop(w, i, depth);
    else
        put_symbol(w, i, depth);
}

/* The sibling after node i. */
static int64_t next(const struct writer *w, int64_t i)
{
    return i + 1 + (w->r->m->node[i].count ? w->r->m->node[i].value : 0);
}

/* Writes the nodes [from, to); runs of those lighter than w->least become a line that says how many are left out. */
static void put_some(struct writer *w, int64_t from, int64_t to, int depth)
{
    for (int64_t i = from; i < to;) {
        struct run out = light_run(w, i, to, w->least);
        if (out.lines)
            put_left_out(w, &out, depth);
        else
            put_node(w, i, depth);
        i = out.lines ? out.end : next(w, i);
    }
}

static void put_light(struct writer *w, int64_t from, const struct run *light, int depth)
{
    char buf[32];
    fputs("<details>", w->out);
    open_row(w, "summary", depth);
    fprintf(w->out, "<span class=\"soft\">%s calls and loops of less than 0.1 %% each</span>",
            cs_grouped(buf, (uint64_t)light->siblings));
    close_row(w, "summary", &light->sum);
    put_some(w, from, light->end, depth);
    fputs("</details>\n", w->out);
}

/* Writes the nodes [from, to); a run of LIGHT_RUN or more light ones is put behind a line that opens. */
static void put_nodes(struct writer *w, int64_t from, int64_t to, int depth)
{
    for (int64_t i = from, end = from; i < to; i = end) {
        struct run light = {0};
        while (end < to && (light = light_run(w, end, to, LIGHT)).siblings < LIGHT_RUN)
            end = light.siblings ? light.end : next(w, end);
        put_some(w, i, end, depth);
        if (end < to) {
            put_light(w, end, &light, depth);
            end = light.end;
        }
    }
}

void cs_report_html_nest(FILE *out, const struct cs_report *r)
{
    int64_t lines = r->m->nnodes < LINES ? r->m->nnodes : LINES;
    struct writer w = {out, r, find_least(r), PARTS / (int)(lines + 1)};
    w.parts = w.parts < PARTS_LEAST ? PARTS_LEAST : w.parts;
    fputs("<section id=\"program\"><h2>The run as a loop nest</h2>\n"
          "<p>What all ranks do, in order; <i>me</i> is the rank in the communicator of the call. "
          "Open a line to see what other classes of ranks pass to the same call.</p>\n"
          "<div class=\"tools\"><button type=\"button\" data-open=\"1\">open all</button><button type=\"button\" "
          "data-open=\"0\">close all</button></div>\n",
          out);
    fprintf(out,
            "<div class=\"nest\" id=\"nest\" style=\"--cols:%d\"><div class=\"row head\"><span class=\"body\" "
            "style=\"--d:0\">Program</span><span>calls</span><span>bytes</span>%s</div>\n",
            r->timed ? 4 : 2, r->timed ? "<span>time in MPI</span><span>time before it</span>" : "");
    put_nodes(&w, 0, r->m->nnodes, 0);
    fputs("</div></section>\n", out);
}
