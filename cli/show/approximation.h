/* SPDX-License-Identifier: BSD-3-Clause
 * Tells a trace that is an approximation: of a slice in which values were assumed. */
#ifndef CS_APPROXIMATION_H
#define CS_APPROXIMATION_H

#include <stdbool.h>

#include "trace/trace.h"

/* What `info`, `matrix` and the report say of it. */
#define CS_APPROXIMATION_NOTE "an approximation: its slice assumes values, which are listed as assumptions"

bool cs_is_approximation(const struct cs_run_info *run);

#endif
