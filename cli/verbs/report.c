/* SPDX-License-Identifier: BSD-3-Clause
 * commslice report: a run as one page that opens from disk, its pictures as PNG and CSV, its figures as JSON.
 * Everything comes from the folded form, which is made here if the trace is not folded yet; see report.h for the parts.
 */
#define _GNU_SOURCE 1
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "skeleton/skeleton.h"
#include "trace/merge/merge.h"
#include "trace/nest/nest.h"
#include "cli/frame/cli.h"
#include "cli/frame/output.h"
#include "cli/report/report.h"

struct options {
    const char *out, *pictures;
    bool json, partial;
};

/* ---- reading ---- */

/* Which ranks lack something, and how far the first of them goes. */
static void find_incomplete(struct cs_report *r)
{
    for (int i = cs_trace_info(r->t)->nranks - 1; i >= 0; i--)
        if (cs_trace_rank_state(r->t, i) != CS_RANK_COMPLETE) {
            r->incomplete++;
            r->first_incomplete = i;
            r->first_events = cs_trace_rank_state(r->t, i) == CS_RANK_MISSING ? -1 : cs_trace_nevents(r->t, i);
        }
}

/* Refuses a trace that lacks something, or says so if it is to be taken as it is. */
static int check_complete(const struct cs_report *r, bool partial)
{
    char words[200];
    if (!r->incomplete)
        return 0;
    cs_report_incomplete(words, sizeof words, r);
    if (partial)
        cs_note("%s: %s; the report is of what is there", r->path, words);
    else
        cs_error("%s: %s; --partial reports what is there", r->path, words);
    return partial ? 0 : -1;
}

void cs_report_incomplete(char *out, size_t len, const struct cs_report *r)
{
    int n = snprintf(out, len, "%d of %d ranks are not complete: rank %d ", r->incomplete, cs_trace_info(r->t)->nranks,
                     r->first_incomplete);
    if (r->first_events < 0)
        snprintf(out + n, len - (size_t)n, "is missing");
    else
        snprintf(out + n, len - (size_t)n, "was cut after %lld events", (long long)r->first_events);
}

static int merge(struct cs_report *r, bool partial, char *why, size_t len)
{
    struct cs_merge_options o = {.progress = cs_progress, .partial = partial};
    if (!(r->t = cs_open_trace(r->path)))
        return -2;
    find_incomplete(r);
    if (check_complete(r, partial))
        return -2;
    r->m = cs_merge_trace(r->t, &o, NULL, why, len);
    return r->m ? 0 : -1;
}

/* Makes the folded form. 0, or -1 after a message. */
static int read_run(struct cs_report *r, bool partial)
{
    char why[256];
    int rc = 0;
    if (cs_merged_is(r->path))
        rc = (r->m = cs_merged_open(r->path, why, sizeof why)) ? 0 : -1;
    else
        rc = merge(r, partial, why, sizeof why);
    if (!rc && (!r->m->folded ||
                cs_merged_has_counts(r->m))) /* the parts of the page count on loops that run equally often each time */
        rc = cs_merged_fold(r->m, CS_MERGED_FOLD_BEST, why, sizeof why);
    if (!rc && r->t && cs_trace_info(r->t)->with_times)
        rc = cs_merged_times(r->m, r->t, why, sizeof why);
    cs_progress_end();
    if (rc == -1)
        cs_error("%s: %s", r->path, why);
    return rc ? -1 : 0;
}

/* ---- writing ---- */

static int write_page(const struct cs_report *r, const char *path)
{
    struct cs_output out;
    if (cs_output_open(&out, path))
        return cs_error("%s: %s", path, strerror(errno));
    cs_report_html(out.f, r);
    return cs_output_close(&out, true) ? CS_EXIT_ERROR : CS_EXIT_OK;
}

static int report(const char *path, const struct options *o)
{
    struct cs_report r = {.path = path};
    int code = CS_EXIT_OK;
    if (o->out && cs_output_is(o->out, path))
        return cs_error("%s: is the trace itself; give another -o", o->out);
    if (read_run(&r, o->partial) || cs_report_gather(&r))
        code = CS_EXIT_ERROR;
    if (code == CS_EXIT_OK && o->out)
        code = write_page(&r, o->out);
    if (code == CS_EXIT_OK && o->pictures && cs_report_pictures(&r, o->pictures))
        code = CS_EXIT_ERROR;
    if (code == CS_EXIT_OK && o->json)
        cs_report_json(stdout, &r);
    cs_report_free(&r);
    return cs_finish_output(code);
}

static int run(const struct cs_verb *v, int argc, char **argv)
{
    static const struct option longs[] = {
        {"output", required_argument, NULL, 'o'}, {"pictures", required_argument, NULL, 'p'},
        {"json", no_argument, NULL, 'j'},         {"partial", no_argument, NULL, 'P'},
        {"help", no_argument, NULL, 'h'},         {0}};
    struct options o = {0};
    int c, code;
    while ((c = cs_getopt(v, argc, argv, ":o:h", longs, &code)) >= 0) {
        o.json |= c == 'j';
        o.partial |= c == 'P';
        if (c == 'o')
            o.out = optarg;
        if (c == 'p')
            o.pictures = optarg;
    }
    if (c == CS_OPT_DONE)
        return code;
    if (argc - optind != 1)
        return cs_usage_error(v, "give one trace");
    if (!o.out && !o.pictures && !o.json)
        return cs_usage_error(v, "give the page to write, -o OUT.html, or --pictures DIR or --json");
    return report(argv[optind], &o);
}

const struct cs_verb cs_verb_report = {
    .name = "report",
    .summary = "show a whole run on one HTML page",
    .run = run,
    .usage =
        "usage: commslice report [-o OUT.html] [--pictures DIR] [--json] [--partial] TRACE\n\n"
        "Writes one page that opens from disk and needs nothing else: what the run does in words, who sends how much "
        "to whom, sizes\n"
        "of messages, calls by place in the source, the loop nest, classes of ranks, phases. Takes a trace, merged or "
        "folded too;\n"
        "times are shown where it has them.\n\n"
        "  -o, --output OUT.html  the page\n"
        "      --pictures DIR     each picture as PNG (by gnuplot) and CSV, in this folder\n"
        "      --json             the figures as one JSON object on standard output\n"
        "      --partial          of a run that was cut off, or lacks ranks, report what is there; the page says so\n",
};
