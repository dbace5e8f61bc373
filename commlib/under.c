/* SPDX-License-Identifier: BSD-3-Clause
 * What the emulated library and the recorder tell each other. Its parent process calls us before it forks the ranks, so that they
 * inherit what they would all have to read and look up, and when it has to say where a rank is. */
#define _GNU_SOURCE
#include "under.h"

#include <dlfcn.h>

#include "run.h"
#include "sites.h"
#include "slice_info.h"

#define VISIBLE __attribute__((visibility("default")))

static int64_t nowhere, *where = &nowhere;
static bool emulated;

void cs_under_start(void)
{
    int64_t *(*ask)(void) = (int64_t *(*)(void))dlsym(RTLD_DEFAULT, "commslice_emulate_where");
    emulated = ask != NULL;
    if (ask)
        where = ask();
}

bool cs_under_emulated(void)
{
    return emulated;
}

const char *cs_under_name(void)
{
    return emulated ? "emulate" : "mpich";
}

void cs_under_at(int64_t at)
{
    *where = at;
}

VISIBLE void commslice_warm_up(void);
VISIBLE void commslice_warm_up(void)
{
    char err[256];
    cs_slice_load(err, sizeof err);     /* the ranks report errors */
    cs_run_prepare();
    cs_sites_start();
}

VISIBLE const char *commslice_place_text(long long at, char *buf, int len);
VISIBLE const char *commslice_place_text(long long at, char *buf, int len)
{
    return cs_site_where_text(at, buf, len);
}
