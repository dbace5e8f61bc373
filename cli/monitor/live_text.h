/* SPDX-License-Identifier: BSD-3-Clause
 * A look at a run as a table for people, and as a line of JSON. */
#ifndef CS_LIVE_TEXT_H
#define CS_LIVE_TEXT_H

#include "cli/monitor/live_progress.h"
#include "cli/monitor/live_view.h"

/* What stands beside the look. progress: against a trace or a model, NULL: none was given. offered: number of the last
 * plan of this monitor, 0: none. */
struct cs_live_beside {
    const struct cs_live_progress *progress;
    uint32_t offered;
    int most_rows; /* ranks that the table shows; 0: all */
};

void cs_live_print(const struct cs_live_run *l, const struct cs_live_view *v, const struct cs_live_beside *b);
void cs_live_json(const struct cs_live_run *l, const struct cs_live_view *v, const struct cs_live_beside *b);

#endif
