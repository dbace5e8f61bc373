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
#include <unistd.h>

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

_Noreturn void cs_emu_fail(const char *format, ...)
{
    char line[1024];
    const int longest = (int)sizeof line - 2; /* the newline and what vsnprintf() appends */
    va_list ap;
    int n = error_prefix(line, sizeof line);
    assert(n > 0 && n < longest);
    va_start(ap, format);
    n += vsnprintf(line + n, sizeof line - (size_t)n - 1, format, ap);
    va_end(ap);
    if (n > longest)
        n = longest;
    line[n++] = '\n';
    if (write(STDERR_FILENO, line, (size_t)n) < 0)
        n = 0; /* standard error is closed: the exit code must do */
    cs_emu_abort(1);
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
