/* SPDX-License-Identifier: BSD-3-Clause
 * The report's message sizes: how many messages, and how many bytes, by power of two; a collective counts with what a
 * rank hands in. The table below the pictures has the same figures. */
#include <inttypes.h>

#include "cli/frame/cli.h"
#include "cli/report/report_sections.h"

#define WIDTH 520
#define HEIGHT 190
#define LEFT 8
#define BASE 165 /* where bars stand */
#define HIGH 130 /* of the highest bar */

/* The height of a bar: of point-to-point messages, and of collectives on top of it. */
struct value {
    double point, coll;
};

static struct value value(const struct cs_size_sum *s, bool bytes)
{
    return bytes ? (struct value){(double)s->bytes, (double)s->handed}
                 : (struct value){(double)s->messages, (double)s->collectives};
}

static bool used(const struct cs_size_sum *s)
{
    return s->messages || s->collectives;
}

static void bounds(const struct cs_profile *p, int *first, int *last)
{
    *first = *last = -1;
    for (int i = 0; i < CS_SIZE_BUCKETS; i++)
        if (used(&p->size[i])) {
            *first = *first < 0 ? i : *first;
            *last = i;
        }
}

/* The lower end of a bucket in short. */
static const char *short_label(char buf[16], int bucket)
{
    static const char *const unit[] = {"", "K", "M", "G", "T", "P", "E"};
    int k = bucket - 1;
    if (bucket == 0)
        return "0";
    snprintf(buf, 16, "%d%s", 1 << k % 10, unit[k / 10]);
    return buf;
}

static void bar(FILE *out, double x, double width, double from, double to, const char *style)
{
    if (to > from)
        fprintf(out, "<rect class=\"%s\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\"/>", style, x, BASE - to,
                width, to - from);
}

static void draw_bucket(FILE *out, const struct cs_profile *p, int i, bool bytes, double x, double step, double scale,
                        double sum)
{
    struct value v = value(&p->size[i], bytes);
    char label[48], percent[16], text[16], a[32], b[32];
    double h = (v.point + v.coll) * scale;
    fputs("<g data-tip=\"", out);
    cs_html_textf(out, "%s: %s %s point to point, %s %s", cs_size_label(label, i),
                  bytes ? cs_human_bytes(a, (uint64_t)v.point) : cs_grouped(a, (uint64_t)v.point),
                  bytes ? "" : "messages",
                  bytes ? cs_human_bytes(b, (uint64_t)v.coll) : cs_grouped(b, (uint64_t)v.coll),
                  bytes ? "in collectives" : "collective calls");
    fprintf(out, "\"><rect x=\"%.1f\" y=\"10\" width=\"%.1f\" height=\"%d\" fill=\"none\" pointer-events=\"all\"/>", x,
            step, BASE);
    bar(out, x + 0.1 * step, 0.8 * step, 0, v.point * scale, "point");
    bar(out, x + 0.1 * step, 0.8 * step, v.point * scale, h, "coll");
    if (sum > 0 && v.point + v.coll > (step > 42 ? 0 : 0.005 * sum)) {
        fprintf(out, "<text class=\"strong\" x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\"%s>", x + step / 2,
                BASE - h - 5, step > 42 ? "" : " style=\"font-size:10px\"");
        cs_html_text(out, cs_percent(percent, (v.point + v.coll) / sum));
        fputs("</text>", out);
    }
    fputs("</g>", out);
    if (i % (step > 30 ? 1 : step > 15 ? 2 : 4) == 0)
        fprintf(out, "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%s</text>", x + step / 2, BASE + 15,
                short_label(text, i));
}

static void draw(FILE *out, const struct cs_profile *p, bool bytes)
{
    int first, last;
    double most = 0, sum = 0;
    bounds(p, &first, &last);
    for (int i = first; i <= last; i++) {
        struct value v = value(&p->size[i], bytes);
        most = v.point + v.coll > most ? v.point + v.coll : most;
        sum += v.point + v.coll;
    }
    double step = (double)(WIDTH - 2 * LEFT) / (last - first + 1), narrow = step < 64 ? step : 64;
    fprintf(
        out,
        "<figure><figcaption><b>%s</b> by size of the message in bytes, from this power of two up to the "
        "next</figcaption>"
        "<svg viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"%s by size\"><line class=\"axis\" x1=\"%d\" x2=\"%d\" "
        "y1=\"%d\" y2=\"%d\"/>",
        bytes ? "Volume" : "Messages", WIDTH, HEIGHT, bytes ? "Volume" : "Messages", LEFT, WIDTH - LEFT, BASE, BASE);
    for (int i = first; i <= last; i++)
        draw_bucket(out, p, i, bytes, LEFT + (i - first) * narrow, narrow, most > 0 ? HIGH / most : 0, sum);
    fputs("</svg></figure>\n", out);
}

static void table(FILE *out, const struct cs_profile *p)
{
    char label[48];
    fputs(
        "<details><summary>The same as a table</summary><div class=\"scroll\"><table id=\"size-table\"><thead><tr><th "
        "data-s>Size</th><th class=\"n\" data-s>Messages</th>"
        "<th class=\"n\" data-s>Bytes</th><th class=\"n\" data-s>Collective calls</th><th class=\"n\" data-s>Handed "
        "in</th></tr></thead><tbody>\n",
        out);
    for (int i = 0; i < CS_SIZE_BUCKETS; i++) {
        const struct cs_size_sum *s = &p->size[i];
        if (!used(s))
            continue;
        fprintf(out, "<tr><td data-v=\"%d\">%s</td>", i, cs_size_label(label, i));
        cs_html_number(out, s->messages);
        cs_html_bytes(out, s->bytes);
        cs_html_number(out, s->collectives);
        cs_html_bytes(out, s->handed);
        fputs("</tr>\n", out);
    }
    fputs("</tbody></table></div></details>\n", out);
}

void cs_report_html_sizes(FILE *out, const struct cs_report *r)
{
    int first, last;
    bounds(r->p, &first, &last);
    fputs("<section id=\"sizes\"><h2>Message sizes</h2>\n", out);
    if (first < 0) {
        fputs("<p>Nothing is sent.</p></section>\n", out);
        return;
    }
    fputs("<div class=\"legend\"><span><i class=\"point\"></i>point to point</span><span><i "
          "class=\"coll\"></i>collectives: what a rank hands in</span></div>\n<div class=\"pair\">\n",
          out);
    draw(out, r->p, false);
    draw(out, r->p, true);
    fputs("</div>\n", out);
    table(out, r->p);
    fputs("</section>\n", out);
}
