/* SPDX-License-Identifier: BSD-3-Clause
 * What the emulated library and the recorder tell each other. Its parent process calls us before it forks the ranks, so
 * that they inherit what they would all have to read and look up, and when it has to say where a rank is. */
#define _GNU_SOURCE
#include "commlib/lifecycle/backend.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#include "api/marks.h"
#include "commlib/process/line_of.h"
#include "commlib/process/rank_memory.h"
#include "commlib/state/run_state.h"
#include "commlib/record/call_sites.h"
#include "commlib/state/own_slice.h"

#define VISIBLE __attribute__((visibility("default")))

static int64_t nowhere[2], *where = nowhere; /* the place of the call, and how many events there were */
static bool emulated, looked;
static int64_t *(*ask_where)(void);
static bool (*first)(void);

/* Forked ranks inherit the answers: looking names up writes to the loader's memory, which they would no longer share.
 */
static void look_up(void)
{
    if (looked)
        return;
    looked = true;
    ask_where = (int64_t * (*)(void)) dlsym(RTLD_DEFAULT, "commslice_emulate_where");
    first = (bool (*)(void))dlsym(RTLD_DEFAULT, "commslice_emulate_first");
    emulated = ask_where != NULL;
}

void cs_under_start(void)
{
    look_up();
    if (ask_where) {
        where = ask_where();
        cs_rank_memory_start();
    }
}

bool cs_under_emulated(void)
{
    return emulated;
}

const char *cs_under_name(void)
{
    return emulated ? "emulate" : "mpich";
}

bool cs_under_first(void)
{
    return !first || first();
}

void cs_under_at(int64_t at)
{
    *where = at;
}

void cs_under_event(void)
{
    where[1]++;
}

VISIBLE void commslice_warm_up(int nranks);
VISIBLE void commslice_warm_up(int nranks)
{
    look_up();
    cs_run_warm_up(nranks);
}

VISIBLE int commslice_run_over(int hangs);
VISIBLE int commslice_run_over(int hangs)
{
    return cs_run_over(hangs);
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
