/* SPDX-License-Identifier: BSD-3-Clause
 * commslice report: a run as one page that opens from disk, its pictures as PNG and CSV, its figures as JSON.
 * Everything comes from the folded form, which is made here if the trace is not folded yet; see report.h for the parts. */
#define _GNU_SOURCE 1
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../skeleton/skeleton.h"
#include "../trace/merged.h"
#include "cli.h"
#include "report.h"

struct options {
    const char *out, *pictures;
    bool json;
};

/* ---- reading ---- */

/* A trace that lacks something is named with the first rank that does, and how far that one goes. */
static int check_complete(const struct cs_trace *t, const char *path)
{
    int n = cs_trace_info(t)->nranks, bad = 0, first = -1;
    for (int r = 0; r < n; r++)
        if (cs_trace_rank_state(t, r) != CS_RANK_COMPLETE && bad++ == 0)
            first = r;
    if (!bad)
        return 0;
    if (cs_trace_rank_state(t, first) == CS_RANK_MISSING)
        cs_error("%s: %d of %d ranks are not complete: rank %d is missing", path, bad, n, first);
    else
        cs_error("%s: %d of %d ranks are not complete: rank %d was cut after %lld events", path, bad, n, first,
            (long long)cs_trace_nevents(t, first));
    return -1;
}

static int merge(struct cs_report *r, char *why, size_t len)
{
    struct cs_merge_options o = {.progress = cs_progress};
    if (!(r->t = cs_open_trace(r->path)))
        return -2;
    if (check_complete(r->t, r->path))
        return -2;
    r->m = cs_merge_trace(r->t, &o, NULL, why, len);
    return r->m ? 0 : -1;
}

/* Makes the folded form. 0, or -1 after a message. */
static int read_run(struct cs_report *r)
{
    char why[256];
    int rc = 0;
    if (cs_merged_is(r->path))
        rc = (r->m = cs_merged_open(r->path, why, sizeof why)) ? 0 : -1;
    else
        rc = merge(r, why, sizeof why);
    if (!rc && (!r->m->folded || cs_merged_has_counts(r->m)))     /* the parts of the page count on loops that run equally often each time */
        rc = cs_merged_fold(r->m, CS_MERGED_FOLD_BEST, why, sizeof why);
    if (!rc && r->t && cs_trace_info(r->t)->with_times)
        rc = cs_merged_times(r->m, r->t, why, sizeof why);
    cs_progress_end();
    if (rc == -1)
        cs_error("%s: %s", r->path, why);
    return rc ? -1 : 0;
}

/* ---- writing ---- */

static bool is_trace(const char *path, const char *out)
{
    struct stat a, b;
    return stat(path, &a) == 0 && stat(out, &b) == 0 && a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

/* The page is written beside `out` and then takes its name, so that what was there stays if anything fails. */
static int write_page(const struct cs_report *r, const char *out)
{
    char name[PATH_MAX];
    struct stat st;
    if (stat(out, &st) == 0 && !S_ISREG(st.st_mode)) {      /* a pipe, /dev/stdout: nothing to keep */
        snprintf(name, sizeof name, "%s", out);
    } else {
        int n = snprintf(name, sizeof name, "%s.report.%ld", out, (long)getpid());
        if (n < 0 || n >= (int)sizeof name)
            return cs_error("%s: name too long", out);
    }
    bool beside = strcmp(name, out) != 0;
    FILE *f = fopen(name, "w");
    if (!f)
        return cs_error("%s: %s", out, strerror(errno));
    cs_report_html(f, r);
    bool bad = ferror(f);
    if (fclose(f) || bad || (beside && rename(name, out))) {
        int code = cs_error("%s: cannot write: %s", out, strerror(errno));
        if (beside)
            unlink(name);
        return code;
    }
    return CS_EXIT_OK;
}

static int report(const char *path, const struct options *o)
{
    struct cs_report r = {.path = path};
    int code = CS_EXIT_OK;
    if (o->out && is_trace(path, o->out))
        return cs_error("%s: is the trace itself; give another -o", o->out);
    if (read_run(&r) || cs_report_gather(&r))
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
    static const struct option longs[] = {{"output", required_argument, NULL, 'o'}, {"pictures", required_argument, NULL, 'p'},
        {"json", no_argument, NULL, 'j'}, {"help", no_argument, NULL, 'h'}, {0}};
    struct options o = {0};
    int c, code;
    while ((c = cs_getopt(v, argc, argv, ":o:h", longs, &code)) >= 0) {
        o.json |= c == 'j';
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
    .name = "report", .summary = "show a whole run on one HTML page", .run = run,
    .usage =
        "usage: commslice report [-o OUT.html] [--pictures DIR] [--json] TRACE\n\n"
        "Writes one page that opens from disk and needs nothing else: what the run does in words, who sends how much to whom, sizes\n"
        "of messages, calls by place in the source, the loop nest, classes of ranks, phases. Takes a trace, merged or folded too;\n"
        "times are shown where it has them.\n\n"
        "  -o, --output OUT.html  the page\n"
        "      --pictures DIR     each picture as PNG (by gnuplot) and CSV, in this folder\n"
        "      --json             the figures as one JSON object on standard output\n",
};
