/* SPDX-License-Identifier: BSD-3-Clause
 * Draws a figure of each rank as columns, with the spread inside a block of ranks. */
#include "cli/report/report_bars.h"

#define WIDTH 520
#define HEIGHT 190
#define LEFT 62
#define BASE 160
#define HIGH 145
#define COLUMNS 128 /* of a picture */

static void column(FILE *out, const struct cs_report *r, const struct cs_rank_bars *p, int from, int to, double x,
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

static void axis(FILE *out, const struct cs_report *r, const struct cs_rank_bars *p, double most, double mean)
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

void cs_html_rank_bars(FILE *out, const struct cs_report *r, const struct cs_rank_bars *p)
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
