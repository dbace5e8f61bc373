/* SPDX-License-Identifier: BSD-3-Clause
 * Who sends how much to whom: the report's two matrices (bytes and messages) as SVG, its heaviest pairs and its
 * collectives. All cells of a shade are one SVG path, which keeps the page small. The figures of all cells go to the
 * page's script as a list, for the tip under the mouse. */
#include <assert.h>
#include <inttypes.h>
#include <math.h>

#include "api/mpi_calls.h"
#include "cli/frame/cli.h"
#include "cli/report/report_sections.h"

#define SHADES 8
#define PLOT 440 /* side of the picture, in its own units */
#define LEFT 58
#define TOP 8
#define LINEAR_UP_TO 16 /* the largest cell over the smallest; beyond this ratio shades are logarithmic */
#define TICKS 8
#define FIGURES 8 /* a matrix with at most so many rows has figures in its cells */

/* How values become shades. */
struct scale {
    double least, most; /* of the values above 0; both 0 if there are none */
    bool log;
};

static struct scale find_scale(const double *v, size_t n)
{
    struct scale s = {0};
    for (size_t i = 0; i < n; i++) {
        if (v[i] <= 0)
            continue;
        s.most = v[i] > s.most ? v[i] : s.most;
        s.least = s.least <= 0 || v[i] < s.least ? v[i] : s.least;
    }
    assert(s.least <= s.most);
    s.log = s.most > LINEAR_UP_TO * s.least;
    return s;
}

/* From 0, the lightest, to SHADES - 1; -1 for nothing. Where all values are the same, they get one in the middle. */
static int shade(const struct scale *s, double v)
{
    if (v <= 0)
        return -1;
    if (s->most <= s->least)
        return SHADES - 3;
    double x = s->log ? log(v / s->least) / log(s->most / s->least) : v / s->most;
    int k = (int)(x * SHADES);
    return k < 0 ? 0 : k >= SHADES ? SHADES - 1 : k;
}

/* Draws the cells of one shade as one path; neighbours in a row make one rectangle. */
static void draw_shade(FILE *out, const struct cs_report_matrix *x, const double *v, const struct scale *s, int which)
{
    bool open = false;
    for (int row = 0; row < x->cells; row++)
        for (int col = 0, end; col < x->cells; col = end) {
            end = col + 1;
            if (shade(s, v[row * x->cells + col]) != which)
                continue;
            while (end < x->cells && shade(s, v[row * x->cells + end]) == which)
                end++;
            if (!open)
                fprintf(out, "<path class=\"q%d\" d=\"", which);
            open = true;
            fprintf(out, "M%d %dh%dv1h-%dz", col, row, end - col, end - col);
        }
    if (open)
        fputs("\"/>", out);
}

static const char *amount(char buf[32], double v, bool bytes)
{
    return bytes ? cs_human_bytes(buf, (uint64_t)v) : cs_grouped(buf, (uint64_t)v);
}

/* Writes figures into the cells if there is room for them. */
static void draw_figures(FILE *out, const struct cs_report_matrix *x, const double *v, const struct scale *s,
                         bool bytes)
{
    double size = (double)PLOT / x->cells;
    char buf[32];
    for (int i = 0; x->cells <= FIGURES && i < x->cells * x->cells; i++)
        if (v[i] > 0)
            fprintf(out, "<text class=\"%s\" x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\">%s</text>",
                    shade(s, v[i]) >= SHADES / 2 ? "hi" : "lo", LEFT + (i % x->cells + 0.5) * size,
                    TOP + (i / x->cells + 0.5) * size + 4, amount(buf, v[i], bytes));
}

static void draw_axes(FILE *out, const struct cs_report_matrix *x)
{
    double size = (double)PLOT / x->nranks;
    int step = (x->nranks + TICKS - 1) / TICKS; /* between labels; above 4, a power of two */
    while (step > 4 && step & (step - 1))
        step++;
    for (int r = 0; r < x->nranks; r += step) {
        fprintf(out, "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%d</text>", LEFT - 6, TOP + (r + 0.5) * size + 4,
                r);
        fprintf(out, "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%d</text>", LEFT + (r + 0.5) * size,
                TOP + PLOT + 16, r);
    }
    fprintf(out, "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\">receiving rank</text>", LEFT + PLOT / 2,
            TOP + PLOT + 34);
    fprintf(out, "<text transform=\"translate(11 %d) rotate(-90)\" text-anchor=\"middle\">sending rank</text>",
            TOP + PLOT / 2);
}

/* The picture of v, which is the bytes or the messages of each cell. */
static void draw(FILE *out, const struct cs_report_matrix *x, const double *v, bool bytes)
{
    struct scale s = find_scale(v, (size_t)x->cells * (size_t)x->cells);
    char a[32], b[32];
    fprintf(out, "<figure><figcaption><b>%s</b>", bytes ? "Bytes" : "Messages");
    if (x->per_cell > 1)
        fprintf(out, ", a cell is %d by %d ranks", x->per_cell, x->per_cell);
    fprintf(out,
            "</figcaption><svg class=\"mx\" viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"%s from each rank to each "
            "other\">",
            LEFT + PLOT + 14, TOP + PLOT + 42, bytes ? "Bytes" : "Messages");
    fprintf(out,
            "<rect class=\"empty area\" x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\"/><g transform=\"translate(%d %d) "
            "scale(%.6f)\">",
            LEFT, TOP, PLOT, PLOT, LEFT, TOP, (double)PLOT / x->cells);
    for (int k = 0; k < SHADES; k++)
        draw_shade(out, x, v, &s, k);
    fprintf(out, "<rect class=\"cross\" width=\"1\" height=\"1\" style=\"stroke-width:%.3f\"/></g>",
            2.0 * x->cells / PLOT);
    draw_figures(out, x, v, &s, bytes);
    draw_axes(out, x);
    fputs("</svg><div class=\"legend\"><span><i class=\"empty\" style=\"background:var(--empty)\"></i>nothing</span>",
          out);
    if (s.most > s.least) {
        fprintf(out, "<span>%s <span class=\"ramp\">", s.log ? amount(a, s.least, bytes) : "0");
        for (int k = 0; k < SHADES; k++)
            fprintf(out, "<i class=\"q%d\"></i>", k);
        fprintf(out, "</span> %s%s</span>", amount(b, s.most, bytes), s.log ? ", logarithmic" : "");
    } else {
        fprintf(out, "<span><i class=\"q%d\"></i>%s%s</span>", SHADES - 3, amount(a, s.most, bytes),
                s.most > 0 ? " each" : "");
    }
    fputs("</div></figure>\n", out);
}

/* The cells that have messages, for the script: [row, column, messages, bytes]. */
static void put_data(FILE *out, const struct cs_report_matrix *x)
{
    bool first = true;
    fprintf(out, "<script type=\"application/json\" id=\"matrix-data\">{\"ranks\":%d,\"per\":%d,\"cells\":%d,\"c\":[",
            x->nranks, x->per_cell, x->cells);
    for (int i = 0; i < x->cells * x->cells; i++) {
        if (x->messages[i] <= 0)
            continue;
        fprintf(out, "%s[%d,%d,%.0f,%.0f]", first ? "" : ",", i / x->cells, i % x->cells, x->messages[i], x->bytes[i]);
        first = false;
    }
    fputs("]}</script>\n", out);
}

#define STANDS_OUT 1.5 /* heaviest pairs are listed if the first has so many times the bytes of the mean pair */

static void heavy_pairs(FILE *out, const struct cs_report *r)
{
    if (!r->nheavy || (double)r->heavy[0].bytes < STANDS_OUT * (double)r->p->all.bytes / (double)r->matrix.pairs ||
        r->heavy[0].bytes == 0)
        return;
    fputs("<h3>Heaviest pairs</h3><div class=\"scroll\"><table id=\"pairs\"><thead><tr><th class=\"n\" "
          "data-s>From</th><th class=\"n\" data-s>To</th><th class=\"n\" data-s>Messages</th>"
          "<th class=\"n\" data-s>Bytes</th><th data-s>share</th></tr></thead><tbody>\n",
          out);
    for (int i = 0; i < r->nheavy; i++) {
        const struct cs_report_pair *p = &r->heavy[i];
        fputs("<tr>", out);
        cs_html_number(out, (uint64_t)p->source);
        cs_html_number(out, (uint64_t)p->dest);
        cs_html_number(out, p->messages);
        cs_html_bytes(out, p->bytes);
        cs_html_share(out, cs_share((double)p->bytes, (double)r->p->all.bytes), "point");
        fputs("</tr>\n", out);
    }
    fputs("</tbody></table></div>\n", out);
}

static void collectives(FILE *out, const struct cs_report *r)
{
    if (!r->ncollectives)
        return;
    fputs("<h3>Collectives</h3><p class=\"soft\">They are not in the matrix: who sends to whom inside them is the MPI "
          "library's choice. Bytes are what ranks hand in.</p>"
          "<div class=\"scroll\"><table id=\"collectives\"><thead><tr><th data-s>Call</th><th class=\"n\" data-s>Ranks "
          "of the communicator</th><th class=\"n\" data-s>Calls, all ranks</th>"
          "<th class=\"n\" data-s>Handed in</th><th class=\"n\" data-s>Per call and rank</th></tr></thead><tbody>\n",
          out);
    for (int i = 0; i < r->ncollectives; i++) {
        const struct cs_report_collective *c = &r->collective[i];
        fprintf(out, "<tr><td class=\"code\">%s</td>", cs_mpi_call(c->call)->name);
        cs_html_number(out, (uint64_t)c->size);
        cs_html_number(out, c->sums.calls);
        cs_html_bytes(out, c->sums.handed);
        cs_html_bytes(out, c->sums.calls ? c->sums.handed / c->sums.calls : 0);
        fputs("</tr>\n", out);
    }
    fputs("</tbody></table></div>\n", out);
}

void cs_report_html_matrix(FILE *out, const struct cs_report *r)
{
    char a[32], b[32], c[32];
    fputs("<section id=\"matrix\"><h2>Who sends how much to whom</h2>\n", out);
    if (r->p->all.messages) {
        fprintf(out,
                "<p>%s messages, %s, between %s pairs of ranks. Rows send, columns receive; ranks are those of "
                "MPI_COMM_WORLD.</p>\n<div class=\"pair\">\n",
                cs_grouped(a, r->p->all.messages), cs_human_bytes(b, r->p->all.bytes), cs_grouped(c, r->matrix.pairs));
        draw(out, &r->matrix, r->matrix.bytes, true);
        draw(out, &r->matrix, r->matrix.messages, false);
        fputs("</div>\n", out);
        put_data(out, &r->matrix);
        heavy_pairs(out, r);
    } else {
        fputs("<p>There are no point-to-point messages.</p>\n", out);
    }
    collectives(out, r);
    fputs("</section>\n", out);
}
