/* SPDX-License-Identifier: BSD-3-Clause
 * The report's ranks: what each sends, as columns with the spread inside a block of ranks; and the classes of ranks
 * that do the same. Where there are times, how long each rank is in MPI, too. */
#include <inttypes.h>
#include <stdlib.h>

#include "cli/frame/cli.h"
#include "cli/report/report_bars.h"
#include "cli/report/report_sections.h"

#define CLASSES_SHOWN 100
#define RANGES_SHOWN 12

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

static const char *show_bytes(char buf[32], double v)
{
    return cs_human_bytes(buf, (uint64_t)v);
}
static const char *show_number(char buf[32], double v)
{
    return cs_grouped(buf, (uint64_t)v);
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
    static const struct cs_rank_bars always[] = {
        {"Bytes that a rank sends, collectives included", "point", volume, show_bytes},
        {"MPI calls of a rank", "other", calls, show_number}};
    static const struct cs_rank_bars timed[] = {{"Time of a rank in MPI", "wait", mpi_time, cs_human_ns},
                                                {"Time of a rank outside MPI", "outside", own_time, cs_human_ns}};
    int n = r->m->nclasses;
    fputs("<section id=\"ranks\"><h2>Ranks</h2>\n<div class=\"pair\">\n", out);
    for (int i = 0; i < 2; i++)
        cs_html_rank_bars(out, r, &always[i]);
    for (int i = 0; r->time && i < 2; i++)
        cs_html_rank_bars(out, r, &timed[i]);
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
