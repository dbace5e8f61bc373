/* SPDX-License-Identifier: BSD-3-Clause
 * Walks up the stack to the first caller that is neither of ours nor of the MPI library's.
 * See caller_lookup.h. */
#define _GNU_SOURCE
#include "emulate/world/caller_lookup.h"

#include <dlfcn.h>
#include <execinfo.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "emulate/world/shared_memory.h"

/* Frames of the stack that are looked at. */
enum { DEEPEST = 64 };

/* libmpich.so.12 (that is us), libmpichfort.so.12, libmpichcxx.so.12, libcommslice-mpich.so */
static bool is_library(const void *code)
{
    Dl_info info;
    if (!dladdr(code, &info) || !info.dli_fname)
        return false;
    const char *slash = strrchr(info.dli_fname, '/'), *name = slash ? slash + 1 : info.dli_fname;
    return strncmp(name, "libmpi", 6) == 0 || strncmp(name, "libcommslice", 12) == 0;
}

/* The innermost return address in the program; `otherwise` if there is none. */
static const void *program_caller(const void *otherwise)
{
    void *frame[DEEPEST];
    int n = backtrace(frame, DEEPEST);
    for (int i = 0; i < n; i++)
        if (!is_library((const char *)frame[i] - 1))
            return frame[i];
    return otherwise;
}

/* Of a slice the recorder knows the site of each call, even without debugging information. */
void cs_emu_note_caller(const char *call, const void *caller)
{
    typedef long long where_of(const char *call, long long last, const void *caller);
    if (!cs_emu_me)
        return;
    const void *from = program_caller(caller);
    where_of *ask = (where_of *)dlsym(RTLD_DEFAULT, "commslice_where_of");
    cs_emu_me->call_site = ask ? ask(call, cs_emu_me->call_site, from) : (int64_t)(intptr_t)from;
}
