/* SPDX-License-Identifier: BSD-3-Clause
 * What a report is made of: the folded form of a run, which is made here if the trace is not folded yet, and the trace
 * itself. */
#include "cli/frame/cli.h"
#include "cli/report/report_data.h"
#include "cli/show/open_trace.h"
#include "trace/merge/merge.h"

/* Counts the ranks that are cut or missing, and notes the first of them and its events. */
static void find_incomplete(struct cs_report *r)
{
    for (int i = cs_trace_info(r->t)->nranks - 1; i >= 0; i--)
        if (cs_trace_rank_state(r->t, i) != CS_RANK_COMPLETE) {
            r->incomplete++;
            r->first_incomplete = i;
            r->first_events = cs_trace_rank_state(r->t, i) == CS_RANK_MISSING ? -1 : cs_trace_nevents(r->t, i);
        }
}

/* If ranks are incomplete: refuses the trace, or prints a note if `partial`. 0 or -1. */
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

int cs_report_read(struct cs_report *r, bool partial)
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
