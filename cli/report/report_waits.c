/* SPDX-License-Identifier: BSD-3-Clause
 * The report's waiting: what ranks do while others wait for them, in sentences; where ranks wait, and for what; the
 * critical path. Only of traces with times. */
#include <stdlib.h>

#include "api/mpi_calls.h"
#include "cli/frame/cli.h"
#include "cli/report/report_sections.h"
#include "cli/show/wait_words.h"

/* Rows of the tables, and room for a sentence. */
enum { CAUSES_SHOWN = 10, PLACES_SHOWN = 40, TEXT = 800 };

static void time_cell(FILE *out, double ns)
{
    char t[32];
    fprintf(out, "<td class=\"n\" data-v=\"%.0f\">%s</td>", ns, cs_human_ns(t, ns));
}

static void place_cells(FILE *out, const struct cs_wait_place *p)
{
    struct cs_source_location l = {.file = p->at.file, .line = p->at.line, .func = p->at.func};
    char text[300];
    fputs("<td class=\"what code\" title=\"", out);
    cs_html_text(out, l.file ? l.file : "not known");
    fputs("\">", out);
    cs_html_text(out, cs_location_text(&l, text, sizeof text));
    fprintf(out, "</td><td class=\"code\">%s</td>", cs_mpi_call(p->call)->name);
}

static void causes(FILE *out, const struct cs_waits *w, const struct cs_wait_group *g, size_t n)
{
    double all = 0;
    char text[TEXT], place[400];
    for (size_t i = 0; i < n; i++)
        all += g[i].ns;
    fputs("<h3>While others wait</h3><div class=\"scroll\"><table><thead><tr><th class=\"n\">Others wait</th>"
          "<th>share</th><th>meanwhile</th></tr></thead><tbody>\n",
          out);
    for (size_t i = 0; i < n && i < CAUSES_SHOWN; i++) {
        const struct cs_wait_cause *c = g[i].first;
        fputs("<tr>", out);
        time_cell(out, g[i].ns);
        cs_html_share(out, cs_share(g[i].ns, all), "wait");
        fputs("<td>", out);
        cs_html_text(out, cs_wait_sentence(w, &g[i], text, sizeof text));
        if (c->there != c->place) {
            fputs("; others wait most at ", out);
            cs_html_text(out, cs_wait_place_text(&w->place[c->there], place, sizeof place));
        }
        fputs("</td></tr>\n", out);
    }
    fputs("</tbody></table></div>\n", out);
}

/* A place, and what it is sorted by. */
struct row {
    const struct cs_wait_place *place;
    double ns;
};

static int larger_first(const void *a, const void *b)
{
    double x = ((const struct row *)a)->ns, y = ((const struct row *)b)->ns;
    return (x < y) - (x > y);
}

/* "a late message 1.2 s, the root 30 ms". */
static void kinds(FILE *out, const struct cs_wait_place *p)
{
    char t[32];
    const char *comma = "";
    fputs("<td>", out);
    for (int k = 0; k < CS_WAIT_KINDS; k++)
        if (p->waiting[k] > 0) {
            cs_html_textf(out, "%s%s %s", comma, cs_wait_kind_words((enum cs_wait_kind)k),
                          cs_human_ns(t, p->waiting[k]));
            comma = ", ";
        }
    fputs("</td>", out);
}

static void places(FILE *out, const struct cs_waits *w, struct row *row)
{
    double all = 0;
    for (int i = 0; i < w->nplaces; i++) {
        row[i] = (struct row){&w->place[i], cs_waiting_at(&w->place[i])};
        all += row[i].ns;
    }
    qsort(row, (size_t)w->nplaces, sizeof *row, larger_first);
    fputs("<h3>Where ranks wait</h3><div class=\"scroll\"><table><thead><tr><th>Place</th><th>Call</th><th "
          "class=\"n\">Waiting</th><th>share</th><th class=\"n\">In call</th><th>for</th><th class=\"n\">Most of a "
          "rank</th><th class=\"n\">which</th></tr></thead><tbody>\n",
          out);
    for (int i = 0; i < w->nplaces && i < PLACES_SHOWN && row[i].ns > 0; i++) {
        const struct cs_wait_place *p = row[i].place;
        fputs("<tr>", out);
        place_cells(out, p);
        time_cell(out, row[i].ns);
        cs_html_share(out, cs_share(row[i].ns, all), "wait");
        time_cell(out, p->inside);
        kinds(out, p);
        time_cell(out, p->most);
        fprintf(out, "<td class=\"n\">%d</td></tr>\n", p->most_rank);
    }
    fputs("</tbody></table></div>\n", out);
}

static void path(FILE *out, const struct cs_waits *w, struct row *row)
{
    for (int i = 0; i < w->nplaces; i++)
        row[i] = (struct row){&w->place[i], w->place[i].path_before + w->place[i].path_inside};
    qsort(row, (size_t)w->nplaces, sizeof *row, larger_first);
    fputs("<h3>Critical path</h3><p>Less work along it would have made the run shorter, less elsewhere not.</p>"
          "<div class=\"scroll\"><table><thead><tr><th>Place</th><th>Call</th><th class=\"n\">computing "
          "before</th><th class=\"n\">in the call</th><th>share</th></tr></thead><tbody>\n",
          out);
    for (int i = 0; i < w->nplaces && i < PLACES_SHOWN && row[i].ns > 0; i++) {
        fputs("<tr>", out);
        place_cells(out, row[i].place);
        time_cell(out, row[i].place->path_before);
        time_cell(out, row[i].place->path_inside);
        cs_html_share(out, cs_share(row[i].ns, w->ns), "point");
        fputs("</tr>\n", out);
    }
    fputs("</tbody></table></div>\n", out);
}

static void summary(FILE *out, const struct cs_waits *w)
{
    double waiting = 0, all = 0;
    char p[16], t[32];
    for (int i = 0; i < w->nranks; i++) {
        waiting += w->rank[i].waiting;
        all += w->rank[i].computing + w->rank[i].delayed + w->rank[i].inside;
    }
    fputs("<p>Of the time of all ranks ", out);
    cs_html_text(out, cs_percent(p, cs_share(waiting, all)));
    fputs(" is waiting for other ranks: for a message that is sent late, a receive that comes late, the last rank of a "
          "collective, or its root. What the awaited rank does meanwhile is the cause; while that waits itself, the "
          "cause is what <em>it</em> waits for.",
          out);
    if (w->early)
        cs_html_textf(out, " The clocks of ranks differ by %s or more.", cs_human_ns(t, w->earliest));
    fputs("</p>\n", out);
}

void cs_report_html_waits(FILE *out, const struct cs_report *r)
{
    const struct cs_waits *w = r->waits;
    size_t n = 0;
    if (!w && r->time)
        fputs(
            "<section id=\"waits\"><h2>Waiting</h2>\n<p>The trace has nothing of some ranks, so who waits for whom is "
            "not known.</p></section>\n",
            out);
    if (!w)
        return;
    struct cs_wait_group *g = cs_wait_groups(w, &n);
    struct row *row = malloc(((size_t)w->nplaces + 1) * sizeof *row);
    fputs("<section id=\"waits\"><h2>Waiting</h2>\n", out);
    summary(out, w);
    if (g && n)
        causes(out, w, g, n);
    if (row && n)
        places(out, w, row);
    if (row)
        path(out, w, row);
    fputs("</section>\n", out);
    free(g);
    free(row);
}
