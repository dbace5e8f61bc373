/* SPDX-License-Identifier: BSD-3-Clause
 * What the stubs of missing calls do.
 * The generated stubs are in build files. */
#include "commlib/emulate/missing.h"

#include "commlib/emulate/outside.h"
#include "commlib/emulate/world.h"

_Noreturn void cs_emu_missing(const char *call, const void *caller)
{
    cs_emu_note_place(call, caller);
    cs_emu_fail("%s is not emulated; --engine mpich has it", call);
}
