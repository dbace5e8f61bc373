/* SPDX-License-Identifier: GPL-3.0-or-later
 * A slice that is started without the run-time library would hand null buffers to the real MPI library and crash.
 * So its main() begins with a question for the library, and says what to do if there is no answer. */
#ifndef CS_GUARD_H
#define CS_GUARD_H

#include "gcc-plugin/gcc/gcc-common.h"

/* The current function is main, swept, its old blocks no longer of interest. The call graph's edges must be rebuilt
 * afterwards. */
void cs_guard_main(void);

#endif
