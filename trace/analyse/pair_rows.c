/* SPDX-License-Identifier: BSD-3-Clause
 * See pair_rows.h. A row that is at its end becomes part of the one in front of it if it is the same. */
#include "trace/analyse/pair_rows.h"

#include <stdbool.h>
#include <stdlib.h>

#include "base/grow.h"

static bool are_same(const struct cs_pair_rows *p, const struct cs_pair_row *a, const struct cs_pair_row *b)
{
    bool same = a->source + a->count == b->source && a->n == b->n;
    for (uint32_t i = 0; i < a->n && same; i++) {
        const struct cs_pair_step *x = &p->step[a->first + i], *y = &p->step[b->first + i];
        same = x->by == y->by && x->messages == y->messages && x->bytes == y->bytes;
    }
    return same;
}

static void end_row(struct cs_pair_rows *p)
{
    struct cs_pair_row *last = p->nrows ? &p->row[p->nrows - 1] : NULL;
    if (p->nrows < 2 || !are_same(p, last - 1, last))
        return;
    last[-1].count++;
    p->nsteps = last->first;
    p->nrows--;
}

int cs_pair_rows_add(struct cs_pair_rows *p, int source, const struct cs_pair_step *s)
{
    if (p->nrows == 0 || p->row[p->nrows - 1].source != source) {
        end_row(p);
        if (!CS_MAKE_ROOM(p->row, p->nrows, p->row_cap))
            return -1;
        p->row[p->nrows++] = (struct cs_pair_row){source, 1, p->nsteps, 0};
    }
    if (!CS_MAKE_ROOM(p->step, p->nsteps, p->step_cap))
        return -1;
    p->step[p->nsteps++] = *s;
    p->row[p->nrows - 1].n++;
    return 0;
}

void cs_pair_rows_free(struct cs_pair_rows *p)
{
    free(p->row);
    free(p->step);
    *p = (struct cs_pair_rows){0};
}
