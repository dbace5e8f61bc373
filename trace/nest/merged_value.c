/* SPDX-License-Identifier: BSD-3-Clause
 * Evaluates the rules of merged_value.h. */
#include "trace/nest/merged_value.h"

#include <assert.h>
#include <stdlib.h>

static int64_t torus(const struct cs_merged_value *v, int me)
{
    int64_t peer = 0, weight = 1;
    for (int i = CS_TORUS_DIMS - 1; i >= 0; i--) {
        peer += (int64_t)((me % v->dims[i] + v->shift[i]) % v->dims[i]) * weight;
        weight *= v->dims[i];
        me /= v->dims[i];
    }
    return peer;
}

int64_t cs_merged_value_at(const struct cs_merged_value *v, int at_in_class, int me, int size)
{
    switch ((enum cs_rule)v->rule) {
    case CS_RULE_SAME: return v->a;
    case CS_RULE_RELATIVE: return size > 0 ? ((me + v->a) % size + size) % size : v->a;
    case CS_RULE_XOR: return me ^ v->a;
    case CS_RULE_TORUS: return torus(v, me);
    case CS_RULE_DIGITS: assert(v->div > 0); return v->a * (me / v->div) + v->b * (me % v->div) + v->c;
    case CS_RULE_TABLE: assert(v->table && at_in_class >= 0); return v->table[at_in_class];
    }
    return v->a;
}

void cs_merged_value_free(struct cs_merged_value *v)
{
    free(v->table);
    v->table = NULL;
}
