/* SPDX-License-Identifier: BSD-3-Clause
 * A trace is an approximation if it is a slice's and has an assumption about a value, or of iterations that differ;
 * approximation.h. */
#include "cli/show/approximation.h"

#include <string.h>

#include "api/assumed_value.h"

bool cs_is_approximation(const struct cs_run_info *run)
{
    return run->kind && !strcmp(run->kind, "slice") && run->assumptions && cs_assumes_expression(run->assumptions);
}
