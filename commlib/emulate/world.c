/* SPDX-License-Identifier: BSD-3-Clause
 * The world. */
#include "world.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

int cs_emu_rank(void)
{
    return 0;
}

int cs_emu_nranks(void)
{
    return 1;
}

_Noreturn void cs_emu_fail(const void *caller, const char *format, ...)
{
    va_list ap;
    (void)caller;
    fputs("commslice: error: ", stderr);
    va_start(ap, format);
    vfprintf(stderr, format, ap);
    va_end(ap);
    fputc('\n', stderr);
    cs_emu_abort(1);
}

_Noreturn void cs_emu_abort(int code)
{
    _Exit(code);
}
