/* SPDX-License-Identifier: BSD-3-Clause
 * Which MPI library is underneath, asked by the names that only the emulated one has, and its functions by name. */
#define _GNU_SOURCE
#include "commlib/backend/backend.h"

#include <dlfcn.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "base/cold.h"
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

#define KNOWN 512 /* a program calls some dozens */

/* An entry point of Fortran that some rank has looked up. known[KNOWN] is a hash table by the address of the name, in
 * memory that all ranks share which were forked from this process; there the name, which is a constant, has the same
 * address. NULL: each looks up all for itself. */
struct known {
    const char *_Atomic name;
    void *_Atomic function;
};
static struct known *known;

static void share_known(void)
{
    void *p = mmap(NULL, KNOWN * sizeof *known, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    known = p == MAP_FAILED ? NULL : p;
}

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
    if (emulated)
        share_known();
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
    static char replay[4200] CS_COLD;
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

/* Where this name is, or will be; NULL: there is no room. */
static struct known *place_of(const char *name)
{
    size_t at = (uintptr_t)name * 0x9e3779b97f4a7c15u >> 40;
    for (int i = 0; known && i < KNOWN; i++, at++) {
        struct known *k = &known[at % KNOWN];
        const char *is = NULL;
        if (atomic_compare_exchange_strong(&k->name, &is, name) || is == name)
            return k;
    }
    return NULL;
}

void *cs_find_fortran(const char *name)
{
    struct known *k = place_of(name);
    void *f = k ? atomic_load(&k->function) : NULL;
    if (f)
        return f;
    f = dlsym(RTLD_NEXT, name);
    if (!f) {
        cs_say("error: the MPI library has no %s", name);
        abort();
    }
    if (k)
        atomic_store(&k->function, f);
    return f;
}
