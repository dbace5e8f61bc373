/* SPDX-License-Identifier: BSD-3-Clause
 * The report's phases: what ranks do from the beginning of the run to its end. With a trace that has times, over time,
 * and for each rank; with a folded one that has times, over the time of its nest; without times, over the sequence of
 * calls. */
#include <inttypes.h>

#include "cli/frame/cli.h"
#include "cli/report/report_sections.h"

#define WIDTH 1080
#define HEIGHT 210
#define LEFT 62
#define BASE 180
#define HIGH 165
#define SHADES 8

/* By what a rank is doing: the style of its shade, and its name in the legend. */
static const struct {
    const char *style, *name;
} doing[CS_DOING_COUNT] = {[CS_DOING_POINT] = {"point", "point to point"},
                           [CS_DOING_WAIT] = {"wait", "waiting: Wait, Test, Probe"},
                           [CS_DOING_COLLECTIVE] = {"coll", "collectives"},
                           [CS_DOING_OTHER] = {"other", "other MPI calls"},
                           [CS_DOING_OUTSIDE] = {"outside", "outside MPI"},
                           [CS_DOING_DELAYED] = {"lost", "ready, but others had the processor"}};

static void legend(FILE *out, int kinds, bool volume)
{
    fputs("<div class=\"legend\">", out);
    for (int k = 0; k < kinds; k++)
        fprintf(out, "<span><i class=\"%s\"></i>%s</span>", doing[k].style, doing[k].name);
    if (volume)
        fputs("<span><i class=\"ink\"></i>bytes sent, collectives included (highest point: most)</span>", out);
    fputs("</div>\n", out);
}

static double sum_of(const double v[CS_DOING_COUNT])
{
    double s = 0;
    for (int k = 0; k < CS_DOING_COUNT; k++)
        s += v[k];
    return s;
}

/* Draws one column: the shares of v, one above the other. `from` begins its tip. */
static void column(FILE *out, const double v[CS_DOING_COUNT], double x, double width, const char *from)
{
    double all = sum_of(v), at = BASE;
    char percent[16];
    if (all <= 0)
        return;
    fputs("<g data-tip=\"", out);
    cs_html_text(out, from);
    for (int k = 0; k < CS_DOING_COUNT; k++)
        if (v[k] > 0)
            cs_html_textf(out, "; %s %s", doing[k].name, cs_percent(percent, v[k] / all));
    fputs("\">", out);
    for (int k = 0; k < CS_DOING_COUNT; k++) {
        double h = HIGH * v[k] / all;
        at -= h;
        if (h > 0)
            fprintf(out, "<rect class=\"%s\" x=\"%.2f\" y=\"%.1f\" width=\"%.2f\" height=\"%.1f\"/>", doing[k].style, x,
                    at, width + 0.3, h);
    }
    fputs("</g>", out);
}

static void open_picture(FILE *out, const char *label)
{
    fprintf(out, "<svg class=\"crisp\" viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"%s\">", WIDTH, HEIGHT, label);
    for (int i = 0; i <= 4; i++) {
        double y = BASE - HIGH * i / 4.0;
        fprintf(out,
                "<line class=\"grid\" x1=\"%d\" x2=\"%d\" y1=\"%.1f\" y2=\"%.1f\"/><text x=\"%d\" y=\"%.1f\" "
                "text-anchor=\"end\">%d %%</text>",
                LEFT, WIDTH, y, y, LEFT - 6, y + 4, 25 * i);
    }
}

static void ticks(FILE *out, int n, const char *(*label)(char buf[32], double share, double all), double all)
{
    char buf[32];
    for (int i = 0; i <= n; i++)
        fprintf(out, "<text x=\"%.1f\" y=\"%d\" text-anchor=\"%s\">%s</text>", LEFT + (WIDTH - LEFT) * (double)i / n,
                BASE + 16,
                i == 0   ? "start"
                : i == n ? "end"
                         : "middle",
                label(buf, (double)i / n, all));
}

static const char *time_label(char buf[32], double share, double all)
{
    return cs_human_ns(buf, share * all);
}

static const char *share_label(char buf[32], double share, double all)
{
    (void)all;
    snprintf(buf, 32, "%.0f %%", 100 * share);
    return buf;
}

/* ---- over time, by a trace ---- */

static void draw_timeline(FILE *out, const struct cs_timeline *l)
{
    double step = (double)(WIDTH - LEFT) / l->nbins;
    char a[32], b[32], from[80];
    fputs("<figure><figcaption><b>Over time</b>, all ranks together</figcaption>", out);
    open_picture(out, "share of time in MPI and outside, over time");
    for (int i = 0; i < l->nbins; i++) {
        snprintf(from, sizeof from, "%s to %s", cs_human_ns(a, i * l->width), cs_human_ns(b, (i + 1) * l->width));
        column(out, l->bin[i], LEFT + i * step, step, from);
    }
    ticks(out, 8, time_label, l->nbins * l->width);
    fputs("</svg></figure>\n", out);
}

static int shade(double share)
{
    int k = (int)(share * SHADES);
    return k >= SHADES ? SHADES - 1 : k;
}

static int cell(const struct cs_timeline *l, int row, int i)
{
    double seen = l->seen[row * CS_TIMELINE_BINS + i];
    return seen > 0 ? shade(l->in_mpi[row * CS_TIMELINE_BINS + i] / seen) : -1;
}

/* Runs of one shade in a row are one rectangle. */
static void draw_rows(FILE *out, const struct cs_timeline *l)
{
    for (int k = 0; k < SHADES; k++) {
        fprintf(out, "<path class=\"q%d\" d=\"", k);
        for (int row = 0; row < l->nrows; row++)
            for (int i = 0, end; i < l->nbins; i = end) {
                end = i + 1;
                if (cell(l, row, i) != k)
                    continue;
                while (end < l->nbins && cell(l, row, end) == k)
                    end++;
                fprintf(out, "M%d %dh%dv1h-%dz", i, row, end - i, end - i);
            }
        fputs("\"/>", out);
    }
}

static void draw_ranks(FILE *out, const struct cs_timeline *l)
{
    int high = l->nrows < 16 ? 14 * l->nrows : l->nrows < 32 ? 8 * l->nrows : 4 * l->nrows;
    fputs("<figure><figcaption><b>Who is in MPI, and when</b>: share of time in MPI, a row is ", out);
    if (l->per_row > 1)
        fprintf(out, "%d ranks", l->per_row);
    else
        fputs("a rank", out);
    fprintf(
        out,
        "</figcaption><svg viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"share of time in MPI by rank and time\">",
        WIDTH, high + 24);
    fprintf(out,
            "<rect class=\"empty\" x=\"%d\" y=\"0\" width=\"%d\" height=\"%d\"/><g shape-rendering=\"crispEdges\" "
            "transform=\"translate(%d 0) scale(%.6f %.6f)\">",
            LEFT, WIDTH - LEFT, high, LEFT, (double)(WIDTH - LEFT) / l->nbins, (double)high / l->nrows);
    draw_rows(out, l);
    fprintf(out, "</g><text x=\"%d\" y=\"11\" text-anchor=\"end\">rank 0</text>", LEFT - 6);
    if (l->nrows > 1)
        fprintf(out, "<text x=\"%d\" y=\"%d\" text-anchor=\"end\">%d</text>", LEFT - 6, high - 1, l->nranks - 1);
    fprintf(out, "<text x=\"%d\" y=\"%d\">0</text>", LEFT, high + 16);
    char buf[32];
    fprintf(out,
            "<text x=\"%d\" y=\"%d\" text-anchor=\"end\">%s</text></svg><div class=\"legend\"><span>none <span "
            "class=\"ramp\">",
            WIDTH, high + 16, cs_human_ns(buf, l->nbins * l->width));
    for (int k = 0; k < SHADES; k++)
        fprintf(out, "<i class=\"q%d\"></i>", k);
    fputs("</span> all of it</span></div></figure>\n", out);
}

/* ---- by the nest ---- */

static void draw_volume(FILE *out, const struct cs_report *r)
{
    double most = 0, step = (double)(WIDTH - LEFT) / CS_REPORT_PHASES;
    for (int i = 0; i < CS_REPORT_PHASES; i++) {
        double v = r->phase[i].bytes + r->phase[i].handed;
        most = v > most ? v : most;
    }
    if (most <= 0)
        return;
    fputs("<path class=\"line\" d=\"", out);
    for (int i = 0; i < CS_REPORT_PHASES; i++)
        fprintf(out, "%s%.1f %.1f", i ? "L" : "M", LEFT + (i + 0.5) * step,
                BASE - HIGH * (r->phase[i].bytes + r->phase[i].handed) / most);
    fputs("\"/>", out);
}

static void draw_nest(FILE *out, const struct cs_report *r)
{
    double step = (double)(WIDTH - LEFT) / CS_REPORT_PHASES;
    char a[32], b[32], from[120];
    fprintf(out, "<figure><figcaption><b>%s</b></figcaption>",
            r->timed ? "Over the loop nest, each call as wide as its time"
                     : "Over the sequence of calls, in the order of the loop nest");
    open_picture(out, "kinds of calls from the beginning of the run to its end");
    for (int i = 0; i < CS_REPORT_PHASES; i++) {
        const struct cs_run_phase *p = &r->phase[i];
        snprintf(from, sizeof from, "%.1f to %.1f %%: %s calls, %s", 100.0 * i / CS_REPORT_PHASES,
                 100.0 * (i + 1) / CS_REPORT_PHASES, cs_grouped(a, (uint64_t)(sum_of(p->calls) + 0.5)),
                 cs_human_bytes(b, (uint64_t)(p->bytes + p->handed + 0.5)));
        column(out, r->timed ? p->ns : p->calls, LEFT + i * step, step, from);
    }
    draw_volume(out, r);
    ticks(out, 4, share_label, 0);
    fputs("</svg></figure>\n", out);
}

/* ---- parts of the program ---- */

#define PARTS_SHOWN 24
#define HEAVY 0.005 /* share of calls or bytes from which on an outermost loop is a part of its own */

static bool is_part(const struct cs_report *r, int64_t i)
{
    const struct cs_sums *s = &r->node[i].sums;
    return r->m->node[i].count && (i == r->main_loop || cs_share((double)s->calls, (double)r->p->all.calls) >= HEAVY ||
                                   cs_share((double)cs_volume(s), (double)cs_volume(&r->p->all)) >= HEAVY);
}

static int64_t after(const struct cs_report *r, int64_t i)
{
    return i + 1 + (r->m->node[i].count ? r->m->node[i].value : 0);
}

static void part_row(FILE *out, const struct cs_report *r, int64_t loop, uint64_t before,
                     const struct cs_report_node *n)
{
    char buf[32], from[16], to[16];
    double all = (double)r->p->all.calls;
    fprintf(out, "<tr><td data-v=\"%.9f\">", cs_share((double)before, all));
    cs_html_textf(out, "%s to %s", cs_percent(from, cs_share((double)before, all)),
                  cs_percent(to, cs_share((double)(before + n->sums.calls), all)));
    fputs("</td><td>", out);
    if (loop == r->main_loop && loop >= 0)
        fprintf(out, "<a href=\"#main-loop\">main loop</a>, %s times",
                cs_grouped(buf, (uint64_t)r->m->node[loop].count));
    else if (loop >= 0)
        fprintf(out, "loop, %s times", cs_grouped(buf, (uint64_t)r->m->node[loop].count));
    else
        fputs("calls and small loops", out);
    fputs("</td>", out);
    cs_html_number(out, n->sums.calls);
    cs_html_share(out, cs_share((double)n->sums.calls, all), "point");
    cs_html_bytes(out, cs_volume(&n->sums));
    cs_html_share(out, cs_share((double)cs_volume(&n->sums), (double)cs_volume(&r->p->all)), "point");
    if (r->timed) {
        cs_html_share(out, cs_share(n->busy, r->busy), "wait");
        cs_html_share(out, cs_share(n->outside, r->outside), "outside");
    }
    fputs("</tr>\n", out);
}

/* Writes the table of the program's parts: heavy outermost loops, and what is between them. */
static void parts(FILE *out, const struct cs_report *r)
{
    uint64_t before = 0;
    int shown = 0;
    fprintf(
        out,
        "<div class=\"scroll\"><table id=\"part-table\"><thead><tr><th data-s>Of all calls, from and to</th><th>Part "
        "of the program</th><th class=\"n\" data-s>Calls</th><th data-s>share</th>"
        "<th class=\"n\" data-s>Bytes</th><th data-s>share</th>%s</tr></thead><tbody>\n",
        r->timed ? "<th data-s>of time in MPI</th><th data-s>of time outside</th>" : "");
    for (int64_t i = 0, end; i < r->m->nnodes; i = end) {
        struct cs_report_node sum = r->node[i];
        bool part = is_part(r, i) && shown + 2 < PARTS_SHOWN;
        for (end = after(r, i); !part && end < r->m->nnodes && (!is_part(r, end) || shown + 2 >= PARTS_SHOWN);
             end = after(r, end)) {
            cs_sums_add(&sum.sums, &r->node[end].sums, 1);
            sum.busy += r->node[end].busy;
            sum.outside += r->node[end].outside;
        }
        part_row(out, r, part ? i : -1, before, &sum);
        before += sum.sums.calls;
        shown++;
    }
    fputs("</tbody></table></div>\n", out);
}

void cs_report_html_phases(FILE *out, const struct cs_report *r)
{
    fputs("<section id=\"phases\"><h2>Phases</h2>\n", out);
    if (r->time) {
        legend(out, CS_DOING_COUNT, false);
        draw_timeline(out, r->time);
        draw_ranks(out, r->time);
    } else if (!r->timed) {
        fputs("<p>This trace has no times. The axis is the share of all calls that have been made, not time.</p>\n",
              out);
    }
    legend(out, r->timed ? CS_DOING_DELAYED : CS_DOING_OUTSIDE, true);
    draw_nest(out, r);
    if (r->m->nnodes)
        parts(out, r);
    fputs("</section>\n", out);
}
