/* SPDX-License-Identifier: BSD-3-Clause
 * The report's table of calls by place in the source, heaviest first.
 * Calls of one line that are different MPI calls, or marked differently, are rows of their own. */
#include <stdlib.h>

#include "api/mpi_calls.h"
#include "cli/frame/cli.h"
#include "cli/report/report_sections.h"
#include "cli/show/slice_info.h"

#define SHOWN_RANGES 6

static struct cs_ranges ranks_of(const struct cs_report *r, const struct cs_report_site *s)
{
    struct cs_ranges g = {0};
    for (int i = 0; i < r->m->info.nranks; i++)
        if (s->in_class[r->m->class_of[i]] && cs_ranges_add(&g, i))
            break;
    return g;
}

static void place(FILE *out, const struct cs_source_location *p)
{
    char text[300];
    fprintf(out, "<td class=\"what code\" title=\"");
    cs_html_text(out, p->file ? p->file : "not known");
    fputs("\">", out);
    cs_html_text(out, cs_location_text(p, text, sizeof text));
    fputs("</td><td class=\"what code func\" title=\"", out);
    cs_html_text(out, p->line >= 0 ? p->func : NULL);
    fputs("\">", out);
    if (p->line >= 0)
        cs_html_text(out, p->func);
    fputs("</td>", out);
}

static void row(FILE *out, const struct cs_report *r, const struct cs_report_site *s, bool marks)
{
    struct cs_ranges g = ranks_of(r, s);
    char time[32];
    fputs("<tr>", out);
    place(out, &s->place);
    fprintf(out, "<td class=\"code\">%s</td>", cs_mpi_call(s->call)->name);
    cs_html_number(out, s->sums.calls);
    cs_html_bytes(out, cs_volume(&s->sums));
    cs_html_share(out, cs_share((double)cs_volume(&s->sums), (double)cs_volume(&r->p->all)),
                  cs_doing_of(s->call) == CS_DOING_COLLECTIVE ? "coll" : "point");
    if (r->timed) {
        fprintf(out, "<td class=\"n\" data-v=\"%.0f\">%s</td>", s->ns, cs_human_ns(time, s->ns));
        cs_html_share(out, cs_share(s->ns, r->busy), "wait");
    }
    fprintf(out, "<td class=\"n\" data-v=\"%d\">%d</td><td class=\"which\">", s->nranks, s->nranks);
    if (g.total == r->m->info.nranks)
        fputs("all", out);
    else
        cs_html_ranks(out, &g, SHOWN_RANGES);
    fputs("</td>", out);
    if (marks)
        fprintf(out, "<td>%s</td>",
                s->mark == CS_MARK_NONE       ? "nothing"
                : s->mark == CS_MARK_ENVELOPE ? "envelope"
                                              : "content");
    fputs("</tr>\n", out);
    cs_ranges_free(&g);
}

void cs_report_html_sites(FILE *out, const struct cs_report *r)
{
    bool marks = false, no_lines = false;
    for (int i = 0; i < r->nsites; i++) {
        marks |= r->site[i].mark != CS_MARK_CONTENT;
        no_lines |= r->site[i].place.file && r->site[i].place.line < 0;
    }
    fputs("<section id=\"sites\"><h2>Calls by place in the source</h2>\n"
          "<p>Bytes are those that the call sends, or hands in to a collective; a persistent send counts at its start.",
          out);
    if (marks)
        fputs(" Transmitted: what the slice had to send, because its further communication depends on it.", out);
    if (no_lines)
        fputs(
            " Where there is a function in place of a line, the program has no debug information (compile with -g), or "
            "is no longer where it was.",
            out);
    fputs("</p>\n<div class=\"tools\"><input type=\"search\" data-filter=\"site-table\" placeholder=\"file, function, "
          "call ...\" aria-label=\"show rows with\"></div>\n"
          "<div class=\"scroll\"><table id=\"site-table\"><thead><tr><th data-s>Place</th><th data-s>Function</th><th "
          "data-s>Call</th><th class=\"n\" data-s>Calls</th>"
          "<th class=\"n\" data-s>Bytes</th><th data-s>share</th>",
          out);
    if (r->timed)
        fputs("<th class=\"n\" data-s title=\"sum over all ranks\">Time in it</th><th data-s>share</th>", out);
    fprintf(out, "<th class=\"n\" data-s>Ranks</th><th>which</th>%s</tr></thead><tbody>\n",
            marks ? "<th data-s>Transmitted</th>" : "");
    for (int i = 0; i < r->nsites; i++)
        row(out, r, &r->site[i], marks);
    fputs("</tbody></table></div></section>\n", out);
}
