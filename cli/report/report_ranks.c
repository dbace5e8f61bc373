/* SPDX-License-Identifier: BSD-3-Clause
 * The report's ranks: what each sends, as columns with the spread inside a block of ranks; and the classes of ranks
 * that do the same. Where there are times, how long each rank is in MPI, too. */
#include <inttypes.h>
#include <stdlib.h>

#include "cli/frame/cli.h"
#include "cli/report/report_sections.h"

#define WIDTH 520
#define HEIGHT 190
#define LEFT 62
#define BASE 160
#define HIGH 145
#define COLUMNS 128 /* of a picture */
#define CLASSES_SHOWN 100
#define RANGES_SHOWN 12

/* The value of a rank in a picture, such as its bytes. */
typedef double measure_fn(const struct cs_report *r, int rank);

static double volume(const struct cs_report *r, int rank)
{
    return (double)cs_volume(&r->p->rank[rank].sent);
}
static double calls(const struct cs_report *r, int rank)
{
    return (double)r->p->rank[rank].sent.calls;
}
static double mpi_time(const struct cs_report *r, int rank)
{
    return r->time->rank[rank].busy;
}
static double own_time(const struct cs_report *r, int rank)
{
    return r->time->rank[rank].outside;
}

/* A picture with one bar for each rank: which figure of a rank it draws, and how the figure is written. */
struct picture {
    const char *title, *style;
    measure_fn *of;
    const char *(*show)(char buf[32], double v);
};

static const char *show_bytes(char buf[32], double v)
{
    return cs_human_bytes(buf, (uint64_t)v);
}
static const char *show_number(char buf[32], double v)
{
    return cs_grouped(buf, (uint64_t)v);
}

static void column(FILE *out, const struct cs_report *r, const struct picture *p, int from, int to, double x,
                   double width, double scale)
{
    double sum = 0, least = 0, most = 0;
    char a[32], b[32], c[32];
    for (int i = from; i < to; i++) {
        double v = p->of(r, i);
        sum += v;
        least = i == from || v < least ? v : least;
        most = i == from || v > most ? v : most;
    }
    double mean = sum / (to - from);
    fputs("<g data-tip=\"", out);
    if (to - from > 1)
        cs_html_textf(out, "ranks %d to %d: mean %s, %s to %s", from, to - 1, p->show(a, mean), p->show(b, least),
                      p->show(c, most));
    else
        cs_html_textf(out, "rank %d: %s", from, p->show(a, mean));
    fprintf(out, "\"><rect class=\"%s\" x=\"%.2f\" y=\"%.1f\" width=\"%.2f\" height=\"%.1f\"/>", p->style, x,
            BASE - mean * scale, width, mean * scale);
    if (most > least)
        fprintf(out, "<line class=\"whisker\" x1=\"%.2f\" x2=\"%.2f\" y1=\"%.1f\" y2=\"%.1f\"/>", x + width / 2,
                x + width / 2, BASE - least * scale, BASE - most * scale);
    fputs("</g>", out);
}

static void axis(FILE *out, const struct cs_report *r, const struct picture *p, double most, double mean)
{
    char buf[32];
    int n = r->m->info.nranks;
    fprintf(out, "<line class=\"axis\" x1=\"%d\" x2=\"%d\" y1=\"%d\" y2=\"%d\"/><text x=\"%d\" y=\"%d\">0</text>", LEFT,
            WIDTH, BASE, BASE, LEFT, BASE + 15);
    fprintf(out, "<text x=\"%d\" y=\"%d\" text-anchor=\"end\">rank %d</text>", WIDTH, BASE + 15, n - 1);
    fprintf(out, "<text x=\"%d\" y=\"%d\" text-anchor=\"end\">", LEFT - 6, BASE - HIGH + 8);
    cs_html_text(out, p->show(buf, most));
    fputs("</text>", out);
    if (most > 0 && mean < 0.9 * most && mean > 0.05 * most) {
        double y = BASE - mean / most * HIGH;
        fprintf(out,
                "<line class=\"grid\" x1=\"%d\" x2=\"%d\" y1=\"%.1f\" y2=\"%.1f\"/><text x=\"%d\" y=\"%.1f\" "
                "text-anchor=\"end\">mean</text>",
                LEFT, WIDTH, y, y, LEFT - 6, y + 4);
    }
}

static void draw(FILE *out, const struct cs_report *r, const struct picture *p)
{
    int n = r->m->info.nranks, per = (n + COLUMNS - 1) / COLUMNS, columns = (n + per - 1) / per;
    double most = 0, sum = 0, step = (double)(WIDTH - LEFT) / columns;
    for (int i = 0; i < n; i++) {
        double v = p->of(r, i);
        most = v > most ? v : most;
        sum += v;
    }
    fprintf(out, "<figure><figcaption><b>%s</b>", p->title);
    if (per > 1)
        fprintf(out, ", a column is the mean of %d ranks, the line goes from the least to the most", per);
    fprintf(out, "</figcaption><svg viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"%s\">", WIDTH, HEIGHT, p->title);
    for (int i = 0; i < columns; i++)
        column(out, r, p, i * per, (i + 1) * per < n ? (i + 1) * per : n, LEFT + i * step, step > 3 ? step - 1 : step,
               most > 0 ? HIGH / most : 0);
    axis(out, r, p, most, sum / n);
    fputs("</svg></figure>\n", out);
}

/* Where on a grid without wrap-around the ranks of a class are: "corner", "edge", ..., by the number of dimensions in
 * which they are at an end; "" if they differ. */
static const char *grid_place(const struct cs_report *r, const struct cs_class *cls)
{
    static const char *const names[3][4] = {
        {"inside", "end"}, {"inside", "edge", "corner"}, {"inside", "face", "edge", "corner"}};
    const struct cs_traffic_fit *f = r->fit;
    int all = -1, dims = f->dims[0] > 1 ? 3 : f->dims[1] > 1 ? 2 : 1;
    for (int i = 0; i < cls->ranks.total; i++) {
        int rank = cls->rank[i], ends = 0;
        for (int k = 2; k > 2 - dims; k--) {
            ends += rank % f->dims[k] == 0 || rank % f->dims[k] == f->dims[k] - 1;
            rank /= f->dims[k];
        }
        if (all >= 0 && all != ends)
            return "";
        all = ends;
    }
    return all < 0 ? "" : names[dims - 1][all];
}

static bool on_grid(const struct cs_report *r)
{
    return r->fit && r->fit->kind == CS_TRAFFIC_GRID && !r->fit->wrap && r->fit->pairs == r->pattern->pairs &&
           r->m->nclasses > 1;
}

static void class_row(FILE *out, const struct cs_report *r, int c)
{
    const struct cs_class *cls = &r->m->cls[c];
    struct cs_sums s = {0};
    for (int i = 0; i < cls->ranks.total; i++)
        cs_sums_add(&s, &r->p->rank[cls->rank[i]].sent, 1);
    uint64_t n = (uint64_t)cls->ranks.total;
    fprintf(out, "<tr><td class=\"n\" data-v=\"%d\">%d</td>", c, c);
    cs_html_number(out, n);
    fputs("<td>", out);
    cs_html_ranks(out, &cls->ranks, RANGES_SHOWN);
    fputs("</td>", out);
    if (on_grid(r))
        fprintf(out, "<td>%s</td>", grid_place(r, cls));
    cs_html_number(out, (uint64_t)cls->nevents);
    cs_html_number(out, s.messages / n);
    cs_html_bytes(out, s.bytes / n);
    cs_html_bytes(out, s.handed / n);
    fputs("</tr>\n", out);
}

void cs_report_html_ranks(FILE *out, const struct cs_report *r)
{
    static const struct picture always[] = {
        {"Bytes that a rank sends, collectives included", "point", volume, show_bytes},
        {"MPI calls of a rank", "other", calls, show_number}};
    static const struct picture timed[] = {{"Time of a rank in MPI", "wait", mpi_time, cs_human_ns},
                                           {"Time of a rank outside MPI", "outside", own_time, cs_human_ns}};
    int n = r->m->nclasses;
    fputs("<section id=\"ranks\"><h2>Ranks</h2>\n<div class=\"pair\">\n", out);
    for (int i = 0; i < 2; i++)
        draw(out, r, &always[i]);
    for (int i = 0; r->time && i < 2; i++)
        draw(out, r, &timed[i]);
    fprintf(
        out,
        "</div>\n<h3>%d class%s of ranks</h3><p class=\"soft\">The ranks of a class make the same calls from the same "
        "places in the same order; only values differ. Figures are per rank.</p>\n",
        n, n == 1 ? "" : "es");
    fprintf(
        out,
        "<div class=\"scroll\"><table id=\"class-table\"><thead><tr><th class=\"n\" data-s>Class</th><th class=\"n\" "
        "data-s>Ranks</th><th>which</th>%s<th class=\"n\" data-s>Calls</th>"
        "<th class=\"n\" data-s>Messages sent</th><th class=\"n\" data-s>Bytes sent</th><th class=\"n\" data-s>Handed "
        "in</th></tr></thead><tbody>\n",
        on_grid(r) ? "<th data-s>on the grid</th>" : "");
    for (int c = 0; c < n && c < CLASSES_SHOWN; c++)
        class_row(out, r, c);
    fputs("</tbody></table></div>\n", out);
    if (n > CLASSES_SHOWN)
        fprintf(out, "<p class=\"soft\">... and %d more classes.</p>\n", n - CLASSES_SHOWN);
    fputs("</section>\n", out);
}
