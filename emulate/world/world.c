/* SPDX-License-Identifier: BSD-3-Clause
 * The own rank, the end of a run that cannot go on, and what the recorder asks of this library.
 * The recorder (libcommslice-mpich.so) is found at run time by its exported names; the program may run without it. */
#define _GNU_SOURCE
#include "emulate/world/world.h"

#include <assert.h>
#include <dlfcn.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/share.h"
#include "emulate/world/entry.h"
#include "emulate/world/shared_memory.h"
#include "emulate/world/wait.h"

int cs_emu_rank(void)
{
    assert(cs_emu_me);
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

/* Only the recorder can turn a call site into text. */
const char *cs_emu_call_site_text(long long call_site, char *buf, int len)
{
    typedef const char *place_text(long long, char *, int);
    static const char at[] = " at ";
    place_text *text = (place_text *)dlsym(RTLD_DEFAULT, "commslice_place_text");
    buf[0] = 0;
    if (!text || !call_site || len < 2 * (int)sizeof at)
        return buf;
    memcpy(buf, at, sizeof at);
    text(call_site, buf + strlen(at), len - (int)strlen(at));
    return buf;
}

/* "commslice: error: rank 3 at FILE:LINE: ", or without the rank in the process that makes them. Returns the length. */
static int error_prefix(char *line, size_t len)
{
    char place[256];
    if (!cs_emu_me)
        return snprintf(line, len, "commslice: error: ");
    return snprintf(line, len, "commslice: error: rank %d%s: ", cs_emu_rank(),
                    cs_emu_call_site_text(cs_emu_me->call_site, place, sizeof place));
}

/* Writes one line to standard error: who the caller is, where it was last, and the message. */
static void vsay(const char *format, va_list ap)
{
    char line[1024];
    const int longest = (int)sizeof line - 2; /* the newline and what vsnprintf() appends */
    int n = error_prefix(line, sizeof line);
    assert(n > 0 && n < longest);
    n += vsnprintf(line + n, sizeof line - (size_t)n - 1, format, ap);
    if (n > longest)
        n = longest;
    line[n++] = '\n';
    if (write(STDERR_FILENO, line, (size_t)n) < 0)
        n = 0; /* standard error is closed: the exit code must do */
}

__attribute__((format(printf, 1, 2))) static void say(const char *format, ...)
{
    va_list ap;
    va_start(ap, format);
    vsay(format, ap);
    va_end(ap);
}

_Noreturn void cs_emu_fail(const char *format, ...)
{
    va_list ap;
    va_start(ap, format);
    vsay(format, ap);
    va_end(ap);
    cs_emu_abort(1);
}

/* True while rank 0 may send what others wait for: input that it reads goes to all at the beginning. */
static bool first_is_busy(void)
{
    const struct cs_emu_rank *r = &cs_emu_world->rank[0];
    return r != cs_emu_me && r->life > CS_EMU_UNBORN && r->life < CS_EMU_FINALIZED && !r->sleeping;
}

void cs_emu_need_others(void)
{
    bool all = cs_emu_world->end - cs_emu_world->first == cs_emu_world->nranks;
    if (all || cs_emu_rank() < cs_emu_world->first || first_is_busy())
        return;
    /* One rank says it; no other may end the run before. */
    uint32_t nobody = 0;
    if (atomic_compare_exchange_strong(&cs_emu_world->lacks_data, &nobody, 1)) {
        say("--share: here it needs data of other ranks than rank 0: run it without --share");
        atomic_store(&cs_emu_world->lacks_data, 2);
    }
    while (atomic_load(&cs_emu_world->lacks_data) != 2)
        nanosleep(&(struct timespec){0, 1000000}, NULL);
    cs_emu_abort(CS_EXIT_SHARE);
}

/* ---- for the recorder ---- */

/* Where the recorder writes the site of each call; the number of events so far follows directly behind it. */
CS_EMU_VISIBLE int64_t *commslice_emulate_where(void);
CS_EMU_VISIBLE int64_t *commslice_emulate_where(void)
{
    static_assert(offsetof(struct cs_emu_rank, events) ==
                      offsetof(struct cs_emu_rank, call_site) + sizeof cs_emu_me->call_site,
                  "the recorder counts events in the word behind the call site");
    return &cs_emu_me->call_site;
}

/* True for the first rank that asks: of many ranks with the same trouble one reports it. */
CS_EMU_VISIBLE bool commslice_emulate_first(void);
CS_EMU_VISIBLE bool commslice_emulate_first(void)
{
    return atomic_exchange(&cs_emu_world->said, 1) == 0;
}
