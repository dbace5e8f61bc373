/* SPDX-License-Identifier: BSD-3-Clause
 * The report's predicted time: total, parts, ranks, and the picture of the program with its segments. */
#define _GNU_SOURCE 1
#include <stdlib.h>
#include <string.h>

#include "cli/frame/cli.h"
#include "cli/predict/graphviz.h"
#include "cli/predict/prediction_curve.h"
#include "cli/predict/prediction_text.h"
#include "cli/predict/program_graph.h"
#include "cli/report/report_bars.h"
#include "cli/report/report_sections.h"

/* Parts of the time that are listed. */
enum { PARTS_SHOWN = 24 };
/* Above this share of the mean, a rank with more computation is named as the one that others wait for. */
static const double UNEVEN = 0.02;

/* ---- making it ---- */

/* The program as a graph. 0, or -1 after a message. */
static int draw(struct cs_report *r)
{
    size_t len;
    FILE *f = open_memstream(&r->graph, &len);
    r->numeral = cs_numerals(r->predicted);
    int rc = f && r->numeral ? cs_program_graph(f, r->predicted, r->numeral) : -1;
    if ((f && fclose(f)) || rc)
        return cs_error("not enough memory"), -1;
    return cs_graphviz_there() && !(r->svg = cs_graphviz_svg(r->graph)) ? -1 : 0;
}

/* Formulas of all parts, by the predictions of this run and of `n` others. 0, or -1: no memory. */
static int find_formulas(struct cs_report *r, const struct cs_prediction *other, int n)
{
    struct cs_curve c = {.n = n + 1, .point = calloc((size_t)n + 1, sizeof *c.point)};
    char text[160];
    int rc = 0;
    r->formula = calloc((size_t)r->predicted->nparts + 1, sizeof *r->formula);
    if (!c.point || !r->formula) {
        free(c.point);
        return -1;
    }
    c.point[0] = *r->predicted;
    for (int i = 0; i < n; i++)
        c.point[i + 1] = other[i];
    cs_curve_sort(&c);
    for (int i = 0; i < r->predicted->nparts && !rc; i++)
        if (cs_curve_formula(&c, r->predicted->part[i].name, text, sizeof text))
            rc = (r->formula[i] = strdup(text)) ? 0 : -1;
    free(c.point);
    return rc;
}

/* Predicts the other runs, and takes the formulas from them. 0, or -1 after a message. */
static int predict_others(struct cs_report *r, const struct cs_report_way *w)
{
    struct cs_prediction *other = calloc((size_t)w->nothers, sizeof *other);
    struct cs_prediction_way way = *w->way;
    int n = 0, rc = other ? 0 : (cs_error("not enough memory"), -1);
    for (; n < w->nothers && !rc; n++) {
        way.size = w->size ? (double)w->size[n + 1] : 0;
        if ((rc = cs_prediction_make(&other[n], w->other[n], w->other[n], &way)))
            break;
        cs_prediction_shed(&other[n]);
    }
    if (!rc && (rc = find_formulas(r, other, n)))
        cs_error("not enough memory");
    for (int i = 0; i < n; i++)
        cs_prediction_free(&other[i]);
    free(other);
    return rc;
}

int cs_report_predict(struct cs_report *r, const struct cs_report_way *w)
{
    struct cs_prediction *p = calloc(1, sizeof *p);
    struct cs_prediction_way way = *w->way;
    if (!p)
        return cs_error("not enough memory"), -1;
    way.size = w->size ? (double)w->size[0] : 0;
    if (cs_prediction_make(p, r->path, r->path, &way)) {
        free(p);
        return -1;
    }
    r->predicted = p;
    return w->nothers && predict_others(r, w) ? -1 : draw(r);
}

void cs_report_free_prediction(struct cs_report *r)
{
    for (int i = 0; r->formula && i < r->predicted->nparts; i++)
        free(r->formula[i]);
    free(r->formula);
    if (r->predicted)
        cs_prediction_free(r->predicted);
    free(r->predicted);
    free(r->numeral);
    free(r->graph);
    free(r->svg);
}

/* ---- the section of the page ---- */

static double computed(const struct cs_report *r, int rank)
{
    return r->predicted->rank[rank].computed * 1e9;
}
static double in_calls(const struct cs_report *r, int rank)
{
    return r->predicted->rank[rank].in_calls * 1e9;
}

static void say_total(FILE *out, const struct cs_prediction *p)
{
    char a[32], b[32], c[32], share[16];
    double mean = p->computed_mean, all = p->computed_mean + p->in_calls_mean;
    fprintf(out, "<ul class=\"words\"><li><b>%s</b> on %d ranks, with 90 %% between %s and %s.</li>\n",
            cs_human_ns(a, p->times.seconds * 1e9), p->ranks, cs_human_ns(b, p->least * 1e9),
            cs_human_ns(c, p->most * 1e9));
    fprintf(out, "<li><b>Computation</b> is %s on the mean rank, ", cs_human_ns(a, mean * 1e9));
    cs_html_text(out, cs_percent(share, cs_share(mean, all)));
    fprintf(out, " of its time; %s is in MPI calls.</li>\n", cs_human_ns(b, p->in_calls_mean * 1e9));
    if (p->computed_most > (1 + UNEVEN) * mean)
        fprintf(out,
                "<li><b>Imbalance.</b> Rank %d computes most, %s: %.2f times the mean. Evenly spread, computation "
                "would let the others wait %s less.</li>\n",
                p->computed_most_rank, cs_human_ns(a, p->computed_most * 1e9), cs_share(p->computed_most, mean),
                cs_human_ns(b, (p->computed_most - mean) * 1e9));
    else
        fputs("<li><b>Balance.</b> All ranks compute about equally long.</li>\n", out);
    if (p->prices.unmeasured > 0.001)
        fprintf(out,
                "<li><b>Not measured.</b> %.1f %% of the computation is in pieces that no small run went "
                "through.</li>\n",
                100 * p->prices.unmeasured);
    char text[1024];
    if (cs_prices_say_beyond(&p->prices, text, sizeof text)) {
        fputs("<li><b>Beyond a cache.</b> Computation: ", out);
        cs_html_text(out, text);
        fputs(".</li>\n", out);
    }
    if (cs_prices_say_slow(&p->prices, text, sizeof text)) {
        fputs("<li><b>Slow times that small runs do not show.</b> Computation: ", out);
        cs_html_text(out, text);
        fputs(".</li>\n", out);
    }
    fputs("</ul>\n", out);
}

static void put_time_cells(FILE *out, double seconds, double share, const char *style)
{
    char time[32];
    fprintf(out, "<td class=\"n\" data-v=\"%.9g\">%s</td>", seconds, cs_human_ns(time, seconds * 1e9));
    cs_html_share(out, share, style);
}

/* The part's formula, as a cell where there are formulas. */
static void put_formula(FILE *out, const struct cs_report *r, const char *part)
{
    if (!r->formula)
        return;
    fputs("<td>", out);
    for (int i = 0; i < r->predicted->nparts; i++)
        if (r->formula[i] && !strcmp(r->predicted->part[i].name, part))
            cs_html_text(out, r->formula[i]);
    fputs("</td>", out);
}

/* A segment of computation. */
static void segment_row(FILE *out, const struct cs_report *r, const struct cs_segment_line *l)
{
    const struct cs_prediction *p = r->predicted;
    const struct cs_observations *o = &p->prices.o;
    const struct cs_segment_fit *f = &p->prices.m.fit[l->segment];
    char name[560], formula[1024], roman[16];
    cs_segment_name(o, l->segment, name, sizeof name);
    cs_segment_formula(o, f, formula, sizeof formula);
    fprintf(out, "<tr><td>%s</td><td class=\"what code\">",
            r->numeral[l->segment] ? cs_roman(roman, r->numeral[l->segment]) : "");
    cs_html_text(out, name);
    fputs("</td>", out);
    put_time_cells(out, l->mean, cs_share(l->mean, p->times.seconds), "point");
    fprintf(out, "<td class=\"n\" data-v=\"%.6g\">%.1f %%</td><td class=\"n\" data-v=\"%.6g\">%.1f %%</td><td>",
            l->before, 100 * l->before, f->spread, 100 * f->spread);
    cs_html_text(out, formula);
    if (l->outside > 1.005 && l->outside_counter >= 0)
        cs_html_textf(out, "; %.3g times outside of what was measured, in the loop at line %d", l->outside,
                      o->counter[l->outside_counter].line);
    fputs("</td>", out);
    put_formula(out, r, name);
    fputs("</tr>\n", out);
}

/* The MPI calls of a place. */
static void calls_row(FILE *out, const struct cs_report *r, const struct cs_prediction_part *part)
{
    const struct cs_prediction *p = r->predicted;
    fputs("<tr><td></td><td class=\"what code\">", out);
    cs_html_text(out, part->name);
    fputs("</td>", out);
    put_time_cells(out, part->seconds, cs_share(part->seconds, p->times.seconds), "wait");
    fputs("<td></td><td></td><td></td>", out);
    put_formula(out, r, part->name);
    fputs("</tr>\n", out);
}

static void put_parts(FILE *out, const struct cs_report *r)
{
    const struct cs_prediction *p = r->predicted;
    int rows = 0;
    fputs("<h3>What takes the time</h3><div class=\"scroll\"><table id=\"predicted-table\"><thead><tr><th></th><th "
          "data-s>Part</th><th class=\"n\" data-s>Mean rank</th><th data-s>of the run</th><th class=\"n\" "
          "data-s>measured</th><th class=\"n\" data-s>&plusmn;</th><th>each time</th>",
          out);
    fputs(r->formula ? "<th>on p ranks, of size n</th></tr></thead><tbody>\n" : "</tr></thead><tbody>\n", out);
    for (int i = 0; i < p->prices.m.n && i < PARTS_SHOWN; i++)
        if (p->prices.line[i].mean > 0)
            segment_row(out, r, &p->prices.line[i]);
    for (int i = 0; i < p->nparts && rows < PARTS_SHOWN; i++)
        if (p->part[i].in_calls) {
            calls_row(out, r, &p->part[i]);
            rows++;
        }
    fputs("</tbody></table></div>\n<p class=\"soft\">Segments of computation go from one MPI call to the next. "
          "<i>measured</i> is their share of the computation of the largest run that was measured.</p>\n",
          out);
}

static void put_graph(FILE *out, const struct cs_report *r)
{
    fputs("<h3>The program</h3>\n<p class=\"soft\">Grey boxes are computation, numbered as in the table, triangles "
          "MPI calls; dotted ways go back, and are loops. Times are the mean rank's.</p>\n",
          out);
    if (r->svg)
        fprintf(out, "<div class=\"scroll program\">%s</div>\n", r->svg);
    else
        fputs("<p class=\"soft\">graphviz was not installed when this page was made: there is no picture.</p>\n", out);
}

void cs_report_html_prediction(FILE *out, const struct cs_report *r)
{
    static const struct cs_rank_bars bars[] = {{"Computation of a rank, predicted", "outside", computed, cs_human_ns},
                                               {"Time of a rank in MPI, predicted", "wait", in_calls, cs_human_ns}};
    if (!r->predicted)
        return;
    fputs("<section id=\"predicted\"><h2>Predicted time</h2>\n", out);
    say_total(out, r->predicted);
    put_parts(out, r);
    fputs("<div class=\"pair\">\n", out);
    for (int i = 0; i < 2; i++)
        cs_html_rank_bars(out, r, &bars[i]);
    fputs("</div>\n", out);
    put_graph(out, r);
    fputs("</section>\n", out);
}

/* ---- figures ---- */

static void put_formulas(struct cs_json *j, const struct cs_report *r)
{
    cs_json_open(j, "formulas", '[');
    for (int i = 0; i < r->predicted->nparts; i++) {
        if (!r->formula[i])
            continue;
        cs_json_open(j, NULL, '{');
        cs_json_string(j, "part", r->predicted->part[i].name);
        cs_json_string(j, "formula", r->formula[i]);
        cs_json_close(j, '}');
    }
    cs_json_close(j, ']');
}

void cs_report_json_prediction(struct cs_json *j, const struct cs_report *r)
{
    const struct cs_prediction *p = r->predicted;
    if (!p) {
        cs_json_null(j, "prediction");
        return;
    }
    cs_json_open(j, "prediction", '{');
    cs_prediction_members(j, p);
    cs_prediction_real(j, "unmeasured_share", p->prices.unmeasured);
    cs_segments_json(j, &p->prices.o, &p->prices.m, p->prices.line, p->prices.m.n);
    if (r->formula)
        put_formulas(j, r);
    cs_json_open(j, "by_rank", '[');
    for (int i = 0; i < p->ranks; i++) {
        cs_json_open(j, NULL, '{');
        cs_prediction_real(j, "computation_s", p->rank[i].computed);
        cs_prediction_real(j, "in_calls_s", p->rank[i].in_calls);
        cs_json_close(j, '}');
    }
    cs_json_close(j, ']');
    cs_json_close(j, '}');
}
