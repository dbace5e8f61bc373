/* SPDX-License-Identifier: GPL-3.0-or-later
 * The hash of a decision; decision.h. Statement numbers are places in a sequence, so their order counts. */
#include "slicer/decision.h"

#include "base/mix.h"

uint64_t cs_decision_hash(const struct cs_graph *g)
{
    uint64_t h = cs_mix((uint64_t)g->nstmts + 1);
    for (int i = 0; i < g->nstmts; i++) {
        const struct cs_stmt *s = &g->stmts[i];
        uint64_t what = (uint64_t)(uint32_t)s->line << 32 | (uint64_t)(uint32_t)(s->site + 1) << 3 |
                        (uint64_t)s->mark << 1 | s->keep;
        h = cs_mix(h ^ cs_mix(what + 1));
    }
    return h;
}
