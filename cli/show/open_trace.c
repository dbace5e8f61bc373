/* SPDX-License-Identifier: BSD-3-Clause
 * Opens a trace for a verb; see open_trace.h. */
#define _GNU_SOURCE 1
#include "cli/show/open_trace.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/frame/cli.h"
#include "cli/frame/unfinished.h"
#include "cli/show/slice_info.h"
#include "trace/format/format.h"
#include "trace/nest/merged_format.h"
#include "trace/nest/nest.h"
#include "trace/trace.h"

const struct cs_file_kind cs_trace_kind = {"a trace", CS_TRACE_MAGIC, CS_TRACE_MAGIC_LEN - 1},
                          cs_merged_kind = {"a merged trace", CS_MERGED_MAGIC, CS_MERGED_MAGIC_LEN - 1};

/* Says what the file is, if it is a program, and how to get a trace of it. */
static bool is_program(const char *path)
{
    struct cs_slice_info info;
    char why[256];
    if (!cs_is_elf(path))
        return false;
    if (cs_slice_read(path, &info, why, sizeof why) != 1) {
        cs_error("%s: is a program, not a trace; commslice record makes a trace of a run", path);
        return true;
    }
    cs_error("%s: is a slice, not a trace; commslice run -n N %s makes a trace of a run", path, path);
    cs_slice_free(&info);
    return true;
}

/* Expands the merged trace into the empty folder, where nothing is left. */
static struct cs_trace *expand_into(const char *dir, const struct cs_merged *m, char *why, size_t whylen)
{
    char name[PATH_MAX + 8];
    struct cs_trace *t = NULL;
    snprintf(name, sizeof name, "%s/trace", dir);
    cs_unfinished(name);
    if (cs_merged_expand(m, name, cs_progress, why, whylen) == 0)
        t = cs_trace_open(name, why, whylen);
    cs_progress_end();
    unlink(name);
    cs_finished(name);
    return t;
}

/* A merged or folded trace, as the trace that it was made of, but for times. */
static struct cs_trace *open_expanded(const char *path)
{
    char why[256] = "", dir[PATH_MAX];
    const char *tmp = getenv("TMPDIR");
    struct cs_trace *t = NULL;
    struct cs_merged *m = cs_merged_open(path, why, sizeof why);
    int n = snprintf(dir, sizeof dir, "%s/commslice-expanded.XXXXXX", tmp && *tmp ? tmp : "/tmp");
    if (m && (n >= (int)sizeof dir || !mkdtemp(dir)))
        snprintf(why, sizeof why, "no folder for what it becomes when it is expanded: %s", strerror(errno));
    else if (m) {
        cs_unfinished(dir);
        t = expand_into(dir, m, why, sizeof why);
        rmdir(dir);
        cs_finished(dir);
    }
    if (!t)
        cs_error("%s: %s", path, why);
    else if (m->gap_at)
        cs_note("%s: is merged, and has sums of times: single calls are without", path);
    cs_merged_free(m);
    return t;
}

struct cs_trace *cs_open_trace(const char *path)
{
    char why[256];
    if (is_program(path))
        return NULL;
    if (cs_merged_is(path))
        return open_expanded(path);
    if (cs_trace_recover(path))
        cs_note("%s: cannot save what killed ranks left in %s.live: %s", path, path, strerror(errno));
    struct cs_trace *t = cs_trace_open(path, why, sizeof why);
    if (!t)
        cs_error("%s: %s", path, why);
    return t;
}
