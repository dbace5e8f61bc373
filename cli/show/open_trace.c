/* SPDX-License-Identifier: BSD-3-Clause
 * Opens a trace for a verb; see open_trace.h. */
#include "cli/show/open_trace.h"

#include <errno.h>
#include <string.h>

#include "cli/frame/cli.h"
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

struct cs_trace *cs_open_trace(const char *path)
{
    char why[256];
    if (is_program(path))
        return NULL;
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
