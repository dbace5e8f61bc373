/* SPDX-License-Identifier: BSD-3-Clause
 * Which MPI library is underneath, asked by the names that only the emulated one has, and its functions by name. */
#define _GNU_SOURCE
#include "commlib/backend/backend.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/environment.h"
#include "base/tape_file.h"
#include "commlib/backend/real_calls.h"
#include "commlib/process/rank_memory.h"
#include "commlib/process/say.h"

static int64_t nowhere[2], *where = nowhere; /* the place of the call, and how many events there were */
static bool emulated, looked;
static int64_t *(*ask_where)(void);
static bool (*first)(void);
static void *nothing;

/* Forked ranks inherit the answers: looking names up writes to the loader's memory, which they would no longer share.
 */
void cs_backend_look_up(void)
{
    if (looked)
        return;
    looked = true;
    ask_where = (int64_t * (*)(void)) dlsym(RTLD_DEFAULT, "commslice_emulate_where");
    first = (bool (*)(void))dlsym(RTLD_DEFAULT, "commslice_emulate_first");
    void *(*ask_nothing)(void) = (void *(*)(void))dlsym(RTLD_DEFAULT, "commslice_emulate_nothing");
    nothing = ask_nothing ? ask_nothing() : NULL;
    emulated = ask_where != NULL;
}

void cs_backend_start(void)
{
    cs_backend_look_up();
    if (ask_where) {
        where = ask_where();
        cs_rank_memory_start();
    }
}

bool cs_backend_emulated(void)
{
    return emulated;
}

bool cs_backend_replays(void)
{
    return emulated && getenv(CS_ENV_REPLAY) != NULL;
}

const char *cs_backend_name(void)
{
    static char replay[4200];
    if (!cs_backend_replays())
        return emulated ? "emulate" : "mpich";
    snprintf(replay, sizeof replay, CS_ENGINE_REPLAY "%s", getenv(CS_ENV_REPLAY));
    return replay;
}

bool cs_backend_first(void)
{
    return !first || first();
}

void *cs_backend_nothing(void)
{
    return nothing;
}

void cs_backend_at(int64_t at)
{
    *where = at;
}

void cs_backend_events(int64_t n)
{
    where[1] += n;
}

void *cs_find_fortran(const char *name)
{
    void *f = dlsym(RTLD_NEXT, name);
    if (!f) {
        cs_say("error: the MPI library has no %s", name);
        abort();
    }
    return f;
}
