/* SPDX-License-Identifier: BSD-3-Clause
 * How a program becomes a world of ranks: we stand in for the function of the C library that calls main. At that moment
 * all libraries are loaded and have run their constructors, and nothing of the program has run yet: the best moment to
 * fork. Environment: COMMSLICE_RANKS (number of ranks; without it the program runs alone), COMMSLICE_JOBS. */
#define _GNU_SOURCE
#include "emulate/world/world.h"

#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/environment.h"
#include "commlib/process/rank_memory.h"
#include "emulate/world/entry.h"
#include "emulate/world/shared_memory.h"
#include "emulate/world/wait.h"

int cs_emu_rank(void)
{
    return (int)(cs_emu_me - cs_emu_world->rank);
}

int cs_emu_nranks(void)
{
    return cs_emu_world->nranks;
}

_Noreturn void cs_emu_abort(int code)
{
    if (cs_emu_me) {
        cs_emu_me->aborting = 1;
        int none = 0;
        atomic_compare_exchange_strong(&cs_emu_world->abort_code, &none, (code & 0xffff) | CS_EMU_ABORTED);
        cs_emu_wake_parent();
    }
    exit(code);
}

/* The recorder knows where calls are; without it nobody does. */
const char *cs_emu_place(long long where, char *buf, int len)
{
    const char *(*text)(long long, char *, int) =
        (const char *(*)(long long, char *, int))dlsym(RTLD_DEFAULT, "commslice_place_text");
    buf[0] = 0;
    if (!text || !where || len < 8)
        return buf;
    memcpy(buf, " at ", 5);
    text(where, buf + 4, len - 4);
    return buf;
}

_Noreturn void cs_emu_fail(const char *format, ...)
{
    char line[1024], place[256];
    va_list ap;
    int n = cs_emu_me ? snprintf(line, sizeof line, "commslice: error: rank %d%s: ", cs_emu_rank(),
                                 cs_emu_place(cs_emu_me->where, place, sizeof place))
                      : snprintf(line, sizeof line, "commslice: error: ");
    va_start(ap, format);
    n += vsnprintf(line + n, sizeof line - (size_t)n - 1, format, ap);
    va_end(ap);
    if (n > (int)sizeof line - 2)
        n = (int)sizeof line - 2;
    line[n++] = '\n';
    if (write(STDERR_FILENO, line, (size_t)n) < 0)
        n = 0; /* nowhere to say it */
    cs_emu_abort(1);
}

/* ---- is this the program, or a shell that will start it? ---- */

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

enum { PAGE = 4096 };

static int number(const char *name, int otherwise)
{
    const char *text = getenv(name);
    int n = text ? atoi(text) : 0;
    return n > 0 ? n : otherwise;
}

static void make_world(int nranks)
{
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    if (cs_emu_shared_make(nranks, number(CS_ENV_JOBS, cores > 1 ? (int)cores : 2)) != 0)
        cs_emu_fail("no memory that ranks can share: %s", strerror(errno));
}

static void launch(void)
{
    int nranks = number(CS_ENV_RANKS, 0);
    if (nranks == 0 || !is_mpi_program()) {
        /* Alone: everything works, nobody looks after it. */
        make_world(1);
        cs_emu_me = &cs_emu_world->rank[0];
        cs_emu_me->life = CS_EMU_ALIVE;
        cs_emu_world->running = 1;
        cs_emu_world->unborn = 0;
        return;
    }
    unsetenv(CS_ENV_RANKS);
    unsetenv("LD_BIND_NOW");
    const char *tunables = getenv("GLIBC_TUNABLES");
    if (tunables && strcmp(tunables, CS_RANK_TUNABLES) == 0)
        unsetenv("GLIBC_TUNABLES");
    void (*warm_up)(int) = (void (*)(int))dlsym(RTLD_DEFAULT, "commslice_warm_up");
    if (warm_up)
        warm_up(nranks);
    make_world(
        nranks); /* last: what is mapped after it lies far from everything else, and that costs each rank page tables */
    cs_emu_parent();
}

/* Where the recorder writes the place of each call, and behind it the number of events. */
CS_EMU_VISIBLE int64_t *commslice_emulate_where(void);
CS_EMU_VISIBLE int64_t *commslice_emulate_where(void)
{
    return &cs_emu_me->where;
}

/* Of many ranks with the same trouble one says so. */
CS_EMU_VISIBLE bool commslice_emulate_first(void);
CS_EMU_VISIBLE bool commslice_emulate_first(void)
{
    return atomic_exchange(&cs_emu_world->said, 1) == 0;
}

typedef int main_function(int, char **, char **);

/* The calls that follow put their frames on a new page of the stack, which for most of them is enough. */
#define on_fresh_page() __asm__ volatile("" : : "r"(__builtin_alloca((uintptr_t)__builtin_alloca(1) % PAGE)))

static main_function *program_main;

static int main_of_rank(int argc, char **argv, char **envp)
{
    on_fresh_page();
    launch();
    return program_main(argc, argv, envp);
}

/* Is there nothing but what the compiler's own start files bring? Then nothing of the program runs before main(), and
 * ranks can be forked as late as that: what the C library does between is done, and written, once. */
static bool has_no_constructors(void)
{
    static const unsigned char crti[] = {0x48, 0x83, 0xec, 0x08, 0x48, 0x8b, 0x05}; /* how its _init() begins */
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
    if (has_no_constructors())
        return real(main_of_rank, argc, argv, init, fini, rtld_fini, stack_end);
    on_fresh_page();
    launch();
    return real(main, argc, argv, init, fini, rtld_fini, stack_end);
}
