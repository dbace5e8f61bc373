/* SPDX-License-Identifier: BSD-3-Clause
 * See merge_shares.h. */
#define _GNU_SOURCE 1
#include "cli/verbs/merge_shares.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/frame/cli.h"
#include "cli/frame/output.h"
#include "cli/frame/text.h"
#include "cli/frame/unfinished.h"
#include "cli/show/open_trace.h"
#include "trace/trace.h"
#include "trace/write/join_shares.h"

/* Says what there is now; 2 if ranks of it were cut. */
static int report(const char *out, int n)
{
    char size[32];
    struct stat st;
    struct cs_trace *t = cs_open_trace(out);
    int64_t events = 0;
    int cut = 0;
    if (!t || stat(out, &st)) {
        cs_trace_free(t);
        return CS_EXIT_ERROR;
    }
    int nranks = cs_trace_info(t)->nranks;
    for (int r = 0; r < nranks; r++) {
        events += cs_trace_nevents(t, r);
        cut += cs_trace_rank_state(t, r) != CS_RANK_COMPLETE;
    }
    cs_trace_free(t);
    printf("%d shares: %d ranks, %" PRId64 " events, %s in %s\n", n, nranks, events,
           cs_human_bytes(size, (uint64_t)st.st_size), out);
    return cut ? cs_error("%s: %d rank%s did not come to MPI_Finalize; see commslice info", out, cut,
                          cut == 1 ? "" : "s")
               : CS_EXIT_OK;
}

/* The trace is written beside `out` and then takes its name. */
int cs_merge_shares(char **share, int n, const char *out, bool force)
{
    char why[PATH_MAX + 256], name[PATH_MAX];
    int k = snprintf(name, sizeof name, "%s.merge.%ld", out, (long)getpid());
    if (k < 0 || k >= (int)sizeof name)
        return cs_error("%s: name too long", out);
    for (int i = 0; i < n; i++)
        if (cs_output_check_file(out, share[i], &cs_trace_kind, force))
            return CS_EXIT_ERROR;
    cs_unfinished(name);
    int rc = cs_trace_join_shares(share, n, name, why, sizeof why);
    if (rc)
        cs_error("%s", why);
    else if ((rc = rename(name, out)))
        cs_error("%s: %s", out, strerror(errno));
    if (rc)
        unlink(name);
    cs_finished(name);
    return rc ? CS_EXIT_ERROR : cs_finish_output(report(out, n));
}
