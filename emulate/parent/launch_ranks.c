/* SPDX-License-Identifier: BSD-3-Clause
 * Forks a program into ranks before main(), in a __libc_start_main that replaces the C library's: the libraries have
 * run their constructors, the program has run nothing. Environment: COMMSLICE_RANKS (number of ranks; without it the
 * program runs alone), COMMSLICE_JOBS (ranks that run at the same time). */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/environment.h"
#include "base/share.h"
#include "commlib/process/rank_memory.h"
#include "emulate/messages/message.h"
#include "emulate/parent/parent.h"
#include "emulate/parent/series.h"
#include "emulate/world/entry.h"
#include "emulate/world/shared_memory.h"
#include "emulate/world/tape.h"
#include "emulate/world/world.h"

/* Bytes of a page of memory. */
enum { PAGE = 4096 };

/* ---- is this the program, or a shell that will start it? ---- */

/* Does this program or library name libmpi* among the libraries that it needs? */
static bool needs_mpi(const struct link_map *m)
{
    const char *strings = NULL;
    for (const ElfW(Dyn) *d = m->l_ld; d->d_tag != DT_NULL; d++)
        if (d->d_tag == DT_STRTAB)
            strings = (const char *)d->d_un.d_ptr;
    for (const ElfW(Dyn) *d = m->l_ld; strings && d->d_tag != DT_NULL; d++)
        if (d->d_tag == DT_NEEDED && strncmp(strings + d->d_un.d_val, "libmpi", 6) == 0)
            return true;
    return false;
}

static bool is_mpi_program(void)
{
    struct link_map *m = dlopen(NULL, RTLD_LAZY | RTLD_NOLOAD);
    for (; m; m = m->l_next)
        if (m->l_name && !strstr(m->l_name, "linux-vdso") && needs_mpi(m))
            return true;
    return false;
}

/* The value of an environment variable if it is a positive number, else `otherwise`. */
static int number(const char *name, int otherwise)
{
    const char *text = getenv(name);
    int n = text ? atoi(text) : 0;
    return n > 0 ? n : otherwise;
}

/* COMMSLICE_SHARE=K/M: only the ranks of share K run. */
static void take_share(void)
{
    cs_share_ranks(getenv(CS_ENV_SHARE), cs_emu_world->nranks, &cs_emu_world->first, &cs_emu_world->end);
    cs_emu_world->unborn = cs_emu_world->end - cs_emu_world->first;
    cs_emu_world->next_rank = cs_emu_world->first;
}

/* One more than there are processors, so that none idles while one rank falls asleep and the next one wakes. With times
 * it is as many, as what a rank computes is to take the time that it takes alone. */
static int usual_jobs(void)
{
    const char *times = getenv(CS_ENV_TIMES);
    bool timed = times && strcmp(times, "1") == 0;
    long cores = sysconf(_SC_NPROCESSORS_ONLN), jobs = timed ? cores : cores + 1;
    return jobs > 1 ? (int)jobs : 2;
}

static void make_world(int nranks)
{
    if (cs_emu_shared_make(nranks, number(CS_ENV_JOBS, usual_jobs())) != 0)
        cs_emu_fail("no memory that ranks can share: %s", strerror(errno));
    take_share();
    cs_emu_messages_start();
}

/* Makes this process the only rank that runs of its world, without a parent. */
static void launch_alone(int rank, int nranks)
{
    make_world(nranks);
    cs_emu_me = &cs_emu_world->rank[rank];
    cs_emu_me->life = CS_EMU_ALIVE;
    cs_emu_world->running = 1;
    cs_emu_world->unborn = 0;
}

/* Removes our variables, so that a process that a rank starts is not forked into ranks. */
static void clean_environment(void)
{
    unsetenv(CS_ENV_RANKS);
    unsetenv("LD_BIND_NOW");
    const char *tunables = getenv("GLIBC_TUNABLES");
    if (tunables && strcmp(tunables, CS_RANK_TUNABLES) == 0)
        unsetenv("GLIBC_TUNABLES");
}

/* Returns in each rank; the process that was started stays in cs_emu_parent and ends there. */
static void launch(void)
{
    int nranks = number(CS_ENV_RANKS, 0), rank = 0;
    if (!is_mpi_program()) {
        launch_alone(0, 1);
        return;
    }
    if (nranks == 0) {
        bool plays = cs_emu_tape_open(&rank, &nranks);
        launch_alone(rank, plays ? nranks : 1);
        return;
    }
    clean_environment();
    void (*warm_up)(int) = (void (*)(int))dlsym(RTLD_DEFAULT, "commslice_warm_up");
    if (warm_up)
        warm_up(nranks);
    /* The last mapping before the forks: memory mapped after it would be far from all other memory, and each rank would
     * need page tables of its own for it. */
    make_world(nranks);
    cs_emu_parent();
}

/* ---- in front of main() ---- */

typedef int main_function(int, char **, char **);

/* Makes the frames of later calls begin on a new page of the stack. A rank then writes this page, which is enough for
 * most programs, and goes on sharing the pages above it with its parent. */
#define on_fresh_page() __asm__ volatile("" : : "r"(__builtin_alloca((uintptr_t)__builtin_alloca(1) % PAGE)))

static main_function *program_main;

static int main_of_rank(int argc, char **argv, char **envp)
{
    on_fresh_page();
    launch();
    return program_main(argc, argv, envp);
}

/* True if the program has no constructors but those of the compiler's start files. Nothing of it then runs before
 * main(), so the ranks are forked in front of main(), and what the C library writes before that is shared by all. */
static bool has_no_constructors(void)
{
    /* The first bytes of _init() in crti.o. */
    static const unsigned char crti[] = {0x48, 0x83, 0xec, 0x08, 0x48, 0x8b, 0x05};
    const struct link_map *m = dlopen(NULL, RTLD_LAZY | RTLD_NOLOAD);
    for (const ElfW(Dyn) *d = m ? m->l_ld : NULL; d && d->d_tag != DT_NULL; d++)
        if ((d->d_tag == DT_INIT_ARRAYSZ && d->d_un.d_val > sizeof(void *)) ||
            (d->d_tag == DT_PREINIT_ARRAYSZ && d->d_un.d_val > 0) ||
            (d->d_tag == DT_INIT && memcmp((const char *)m->l_addr + d->d_un.d_ptr, crti, sizeof crti) != 0))
            return false;
    return m != NULL;
}

typedef int start_function(main_function *, int, char **, main_function *, void (*)(void), void (*)(void), void *);

CS_EMU_VISIBLE start_function __libc_start_main;
CS_EMU_VISIBLE int __libc_start_main(main_function *main, int argc, char **argv, main_function *init,
                                     void (*fini)(void), void (*rtld_fini)(void), void *stack_end)
{
    start_function *real = (start_function *)dlsym(RTLD_NEXT, "__libc_start_main");
    program_main = main;
    cs_emu_series_register();
    if (has_no_constructors())
        return real(main_of_rank, argc, argv, init, fini, rtld_fini, stack_end);
    on_fresh_page();
    launch();
    return real(main, argc, argv, init, fini, rtld_fini, stack_end);
}
