/* SPDX-License-Identifier: BSD-3-Clause
 * What the stubs of missing calls do.
 * The generated stubs are in build files. */
#include "emulate/environment/missing.h"

#include "emulate/world/caller_lookup.h"
#include "emulate/world/world.h"

_Noreturn void cs_emu_missing(const char *call, const void *caller)
{
    cs_emu_note_caller(call, caller);
    cs_emu_fail("%s is not emulated; --engine mpich has it", call);
}
