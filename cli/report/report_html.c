/* SPDX-License-Identifier: BSD-3-Clause
 * The frame of the report's page: head, style and script (report.css, report.js), the sections in order, and the foot.
 * The page refers to nothing outside itself, and its content policy says so to the browser. */
#include "cli/show/approximation.h"
#include "cli/report/report_sections.h"

#include "cli/frame/cli.h"
#include "cli/report/report_style.h"

#ifndef CS_VERSION
#include "config.h"
#define CS_VERSION PACKAGE_VERSION
#endif

/* Says, if ranks are incomplete, that the page is not of the whole run. */
static void say_partial(FILE *out, const struct cs_report *r)
{
    char words[200];
    if (!r->incomplete)
        return;
    cs_report_incomplete(words, sizeof words, r);
    fputs("<p class=\"partial\"><b>Partial.</b> This run was not recorded to its end: ", out);
    cs_html_text(out, words);
    fputs(". All figures are of what is there.</p>", out);
}

/* How each page begins; the version follows. */
#define BEGINS \
    "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n" \
    "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; " \
    "script-src 'unsafe-inline'\">\n" \
    "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n" \
    "<meta name=\"generator\" content=\"commslice "

const struct cs_file_kind cs_report_page = {"a page of commslice report", BEGINS, sizeof BEGINS - 1};

static void say_unrecorded(FILE *out, const struct cs_report *r)
{
    if (!r->m->info.unrecorded)
        return;
    fputs("<p class=\"partial\"><b>Not recorded</b>, and in no figure of this page: <code>", out);
    cs_html_text(out, r->m->info.unrecorded);
    fputs("</code></p>", out);
}

static void say_approximation(FILE *out, const struct cs_report *r)
{
    if (cs_is_approximation(&r->m->info))
        fputs("<p class=\"partial\">This trace is " CS_APPROXIMATION_NOTE ".</p>", out);
}

static void head(FILE *out, const struct cs_report *r)
{
    fputs(BEGINS CS_VERSION "\">\n<title>", out);
    cs_html_textf(out, "%s on %d ranks%s: commslice report", r->program, r->m->info.nranks,
                  r->incomplete ? ", partial" : "");
    fputs("</title>\n<style>\n", out);
    for (size_t i = 0; i < sizeof report_css / sizeof *report_css; i++)
        fputs(report_css[i], out);
    fputs("</style>\n</head>\n<body>\n<header><h1>", out);
    cs_html_text(out, r->program);
    fprintf(out, " <small>on %d rank%s</small></h1>\n<p class=\"soft\">", r->m->info.nranks,
            r->m->info.nranks == 1 ? "" : "s");
    cs_html_textf(out, "%s of the program%s%s%s%.300s", r->m->info.kind && r->m->info.kind[0] == 's' ? "Slice" : "Run",
                  r->m->info.engine ? ", engine " : "", r->m->info.engine ? r->m->info.engine : "",
                  r->m->info.args && *r->m->info.args ? ": " : "", r->m->info.args ? r->m->info.args : "");
    fputs("</p>", out);
    say_partial(out, r);
    say_unrecorded(out, r);
    say_approximation(out, r);
    fprintf(out, "</header>\n<nav><div><a href=\"#summary\">Summary</a>%s",
            r->predicted ? "<a href=\"#predicted\">Predicted time</a>" : "");
    fputs("<a href=\"#matrix\">Who to whom</a><a href=\"#sizes\">Message sizes</a>"
          "<a href=\"#sites\">Call sites</a>",
          out);
    if (r->time)
        fputs("<a href=\"#waits\">Waiting</a>", out);
    fputs("<a href=\"#program\">Loop nest</a><a href=\"#ranks\">Ranks</a><a "
          "href=\"#phases\">Phases</a></div></nav>\n<main>\n",
          out);
}

static void foot(FILE *out, const struct cs_report *r)
{
    fputs("<footer><p>Made by commslice " CS_VERSION " from ", out);
    cs_html_text(out, r->path);
    if (r->m->info.versions && *r->m->info.versions)
        cs_html_textf(out, ", recorded with %s", r->m->info.versions);
    fputs(". KB, MB and GB are powers of 1000, KiB, MiB and GiB of 1024.</p>", out);
    if (r->m->info.assumptions && *r->m->info.assumptions) {
        fputs("<p>Assumptions of the slice: <code>", out);
        cs_html_text(out, r->m->info.assumptions);
        fputs("</code></p>", out);
    }
    fputs("</footer>\n</main>\n<script>\n", out);
    for (size_t i = 0; i < sizeof report_js / sizeof *report_js; i++)
        fputs(report_js[i], out);
    fputs("</script>\n</body>\n</html>\n", out);
}

void cs_report_html(FILE *out, const struct cs_report *r)
{
    head(out, r);
    cs_report_html_summary(out, r);
    cs_report_html_prediction(out, r);
    cs_report_html_matrix(out, r);
    cs_report_html_sizes(out, r);
    cs_report_html_sites(out, r);
    cs_report_html_waits(out, r);
    cs_report_html_nest(out, r);
    cs_report_html_ranks(out, r);
    cs_report_html_phases(out, r);
    foot(out, r);
}
