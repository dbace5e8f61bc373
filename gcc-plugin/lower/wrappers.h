/* SPDX-License-Identifier: GPL-3.0-or-later
 * A copy of its own for each call of a small function around MPI calls, made in GIMPLE before anything is lowered.
 * The program stays what it was, and messages are told apart by who calls the wrapper. */
#ifndef CS_WRAPPERS_H
#define CS_WRAPPERS_H

#include "gcc-plugin/gcc/gcc-common.h"

#include <string>

/* Reads the bodies of all functions, and copies wrappers. Call it once, before assumptions are looked for. */
void cs_copy_wrappers();

/* The name of a function by the linker's name, which a copy has of its own. */
std::string cs_source_name(const char *name);

#endif
