/* SPDX-License-Identifier: BSD-3-Clause
 * Speeds that the monitor offers to a run. One monitor writes them; a rank that reads while it does takes them at its
 * next chunk. */
#include <math.h>
#include <string.h>

#include "live/live_state.h"

void cs_live_offer(struct cs_live_run *l, const double *speed)
{
    cs_live_write_begin(&l->head->plan_version);
    memcpy(l->speed, speed, (size_t)l->head->nranks * sizeof *speed);
    l->head->plan++;
    l->head->planned_at = cs_live_now();
    cs_live_write_end(&l->head->plan_version);
}

uint32_t cs_live_plan(const struct cs_live_run *l)
{
    return l->head ? ((volatile const struct cs_live_head *)l->head)->plan : 0;
}

uint32_t cs_live_take(const struct cs_live_run *l, double *speed)
{
    uint32_t before = atomic_load_explicit(&l->head->plan_version, memory_order_acquire), plan = l->head->plan;
    memcpy(speed, l->speed, (size_t)l->head->nranks * sizeof *speed);
    atomic_thread_fence(memory_order_acquire);
    if ((before & 1) || atomic_load_explicit(&l->head->plan_version, memory_order_relaxed) != before)
        return 0;
    for (int i = 0; i < l->head->nranks; i++)
        if (!(speed[i] > 0) || !isfinite(speed[i]))
            return 0;
    return plan;
}
