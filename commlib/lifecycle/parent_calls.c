/* SPDX-License-Identifier: BSD-3-Clause
 * What the emulated library asks of us: its parent process before it forks the ranks, so that they inherit what they
 * would all have to read and look up, when they have ended, and whenever it has to say where a rank is. */
#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>

#include "api/marks.h"
#include "commlib/backend/backend.h"
#include "commlib/lifecycle/lifecycle_internal.h"
#include "commlib/process/line_of.h"
#include "commlib/record/call_sites.h"
#include "commlib/state/own_slice.h"

#define VISIBLE __attribute__((visibility("default")))

VISIBLE void commslice_warm_up(int nranks);
VISIBLE void commslice_warm_up(int nranks)
{
    cs_backend_look_up();
    cs_lifecycle_warm_up(nranks);
}

VISIBLE int commslice_run_over(int hangs);
VISIBLE int commslice_run_over(int hangs)
{
    return cs_lifecycle_over(hangs);
}

/* Where the call with this C name was made, as cs_site_where tells it: a slice said so just before the call, and what
 * wrappers of events have seen is in `last`. Otherwise it is the return address. */
static bool is_of(const char *call, int64_t id)
{
    return id >= 0 && id < cs_own_slice.nsites && cs_own_slice.sites[id].file &&
           strcmp(cs_own_slice.sites[id].call, call) == 0;
}

VISIBLE long long commslice_where_of(const char *call, long long last, const void *caller);
VISIBLE long long commslice_where_of(const char *call, long long last, const void *caller)
{
    int64_t id = cs_own_slice.word && *cs_own_slice.word >= 0 ? CS_SITE_OF(*cs_own_slice.word) : -1;
    return is_of(call, id) ? -1 - id : last < 0 && is_of(call, -1 - last) ? last : (long long)(intptr_t)caller;
}

VISIBLE const char *commslice_place_text(long long at, char *buf, int len);
VISIBLE const char *commslice_place_text(long long at, char *buf, int len)
{
    cs_site_where_text(at, buf, len);
    char *offset = at > 0 ? strrchr(buf, '+') : NULL;
    char module[4096];
    if (offset && snprintf(module, sizeof module, "%.*s", (int)(offset - buf), buf) < (int)sizeof module)
        cs_line_of(module, offset, buf, len);
    return buf;
}
