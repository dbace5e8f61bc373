/* SPDX-License-Identifier: BSD-3-Clause
 * Opens a trace for a verb; see open_trace.h. */
#include "cli/show/open_trace.h"

#include <errno.h>
#include <string.h>

#include "cli/frame/cli.h"
#include "trace/format/format.h"
#include "trace/nest/merged_format.h"
#include "trace/nest/nest.h"
#include "trace/trace.h"

const struct cs_file_kind cs_trace_kind = {"a trace", CS_TRACE_MAGIC, CS_TRACE_MAGIC_LEN - 1},
                          cs_merged_kind = {"a merged trace", CS_MERGED_MAGIC, CS_MERGED_MAGIC_LEN - 1};

struct cs_trace *cs_open_trace(const char *path)
{
    char why[256];
    if (cs_merged_is(path)) {
        cs_error("%s: is a merged or folded trace; commslice expand makes a trace of it", path);
        return NULL;
    }
    if (cs_trace_recover(path))
        cs_note("%s: cannot save what killed ranks left in %s.live: %s", path, path, strerror(errno));
    struct cs_trace *t = cs_trace_open(path, why, sizeof why);
    if (!t)
        cs_error("%s: %s", path, why);
    return t;
}
