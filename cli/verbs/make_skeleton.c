/* SPDX-License-Identifier: BSD-3-Clause
 * Reads a trace, merges and folds it if it is not folded yet, and writes the skeleton.
 * Whether the output file may be replaced is checked before anything else. */
#define _GNU_SOURCE 1
#include "trace/merge/merge.h"
#include "cli/verbs/make_skeleton.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "cli/frame/cli.h"
#include "cli/show/open_trace.h"
#include "cli/show/intervals.h"
#include "cli/frame/output.h"
#include "reading/locations.h"

static const char first_words[] = "/* Communicates like ";
static const struct cs_file_kind skeleton_kind = {"a skeleton", first_words, sizeof first_words - 1};

static int fold(struct cs_merged *m, const char *path)
{
    char why[256];
    return cs_merged_fold(m, CS_MERGED_FOLD_BEST, why, sizeof why) ? cs_error("%s: %s", path, why) : CS_EXIT_OK;
}

/* Merges and folds a trace, then reads it again for its times. *trace stays open, for single gaps. */
static struct cs_merged *from_trace(const char *path, struct cs_trace **trace)
{
    static const struct cs_merge_options how = {.progress = cs_progress};
    char why[256];
    struct cs_trace *t = *trace = cs_open_trace(path);
    struct cs_merged *m = t ? cs_merge_trace(t, &how, NULL, why, sizeof why) : NULL;
    cs_progress_end();
    if (t && !m)
        cs_error("%s: %s", path, why);
    bool fine = m && fold(m, path) == CS_EXIT_OK;
    if (fine && m->info.with_times && !m->gap_at && cs_merged_times(m, t, why, sizeof why))
        fine = cs_error("%s: %s", path, why) == CS_EXIT_OK;
    if (!fine) {
        cs_merged_free(m);
        m = NULL;
    }
    return m;
}

static struct cs_merged *from_merged(const char *path)
{
    char why[256];
    struct cs_merged *m = cs_merged_open(path, why, sizeof why);
    if (!m)
        cs_error("%s: %s", path, why);
    if (m && (!m->folded || !cs_merged_is_plain(m)) && fold(m, path)) {
        cs_merged_free(m);
        m = NULL;
    }
    return m;
}

/* Opens a trace, or a merged or folded one (*trace then stays NULL), and returns it folded; NULL after a message. */
static struct cs_merged *folded(const char *path, struct cs_trace **trace)
{
    return cs_merged_is(path) ? from_merged(path) : from_trace(path, trace);
}

static int write_file(const struct cs_merged *m, struct cs_make_skeleton *k, const struct cs_skeleton_options *o)
{
    char why[512];
    struct cs_output out;
    if (cs_output_open(&out, k->out))
        return CS_EXIT_ERROR;
    int rc = cs_skeleton_write(m, o, out.f, &k->report, why, sizeof why);
    if (rc)
        cs_error("%s: %s", k->input, why);
    return cs_output_close(&out, rc == 0) ? CS_EXIT_ERROR : CS_EXIT_OK;
}

/* Times of another run, by call site. */
struct other {
    struct cs_intervals *v;
    double factor;
};

static double gap(void *arg, const struct cs_site *from, const struct cs_site *to)
{
    const struct other *o = arg;
    double ns = cs_intervals_ns(o->v, from, to);
    return ns < 0 ? 0 : ns * o->factor;
}

/* Fills in the times, and says in `what` where they are from. */
static int take_times(struct cs_merged *m, const struct cs_make_skeleton *k, char *what, size_t len)
{
    char why[256];
    int64_t answers[3];
    struct other o = {.v = cs_intervals_read(k->times), .factor = 1};
    if (!o.v)
        return CS_EXIT_ERROR;
    int nranks = cs_intervals_nranks(o.v);
    if (!k->per_rank)
        o.factor = (double)nranks / m->info.nranks;
    int code = cs_merged_times_of_sites(m, gap, &o, why, sizeof why) ? cs_error("%s: %s", k->input, why) : CS_EXIT_OK;
    cs_intervals_answers(o.v, answers);
    cs_intervals_free(o.v);
    snprintf(what, len,
             "from %s, of %d ranks, by the two call sites around it. Assumed: %s. Of %lld intervals, %lld are known\n"
             " * by both sites, %lld by the second, %lld not (no computation there).",
             k->times, nranks, k->per_rank ? "it is the same on every rank" : "its sum over all ranks is the same",
             (long long)(answers[0] + answers[1] + answers[2]), (long long)answers[0], (long long)answers[1],
             (long long)answers[2]);
    if (!code)
        cs_note(
            "computation is assumed %s; %lld of %lld intervals are known by both call sites, %lld by the second, %lld "
            "not",
            k->per_rank ? "the same on every rank" : "the same in sum over all ranks", (long long)answers[0],
            (long long)(answers[0] + answers[1] + answers[2]), (long long)answers[1], (long long)answers[2]);
    return code;
}

int cs_make_skeleton(struct cs_make_skeleton *k)
{
    char what[PATH_MAX + 512];
    struct cs_trace *t = NULL;
    if (cs_output_check_file(k->out, k->input, &skeleton_kind, k->force))
        return CS_EXIT_ERROR;
    int code = CS_EXIT_ERROR;
    struct cs_locations *places = cs_locations_new();
    struct cs_merged *m = folded(k->input, &t);
    struct cs_skeleton_options o = {.scale = k->scale,
                                    .force = k->force,
                                    .source = k->input,
                                    .program = k->program,
                                    .trace = m && m->gap_at && !k->times && !k->means ? t : NULL};
    if (!m || (k->times && take_times(m, k, what, sizeof what)))
        goto done;
    o.times = k->times ? what : NULL;
    if (m->gap_at && !k->no_work)
        o.work_rate = k->work_rate > 0 ? k->work_rate : cs_skeleton_work_rate(m->info.nranks);
    k->nranks = m->info.nranks;
    cs_locations_fill(places, m->site, m->nsites);
    code = write_file(m, k, &o);
    if (!code && !k->report.times)
        cs_note(k->no_work ? "%s: without computation, as you said"
                           : "%s: has no times, so the skeleton has no computation",
                k->input);
    if (!code && *k->report.note)
        cs_note("%s: %s", k->input, k->report.note);
done:
    cs_merged_free(m);
    cs_locations_free(places);
    cs_trace_free(t);
    return code;
}

bool cs_parse_work_rate(const char *text, double *rate)
{
    char *end;
    *rate = strtod(text, &end);
    return end != text && !*end && *rate > 0 && *rate < 1e15;
}
