/* SPDX-License-Identifier: GPL-3.0-or-later
 * A queue of numbers by what they cost; way_queue.h. */
#include "slicer/advise/way_queue.h"

#include <assert.h>
#include <stdbool.h>

#include "slicer/graph/storage.h"

static bool comes_before(struct cs_way_queue_item a, struct cs_way_queue_item b)
{
    return a.cost != b.cost ? a.cost < b.cost : a.number < b.number;
}

void cs_way_queue_push(struct cs_way_queue *h, int cost, int number)
{
    CS_GROW(h->a, h->n, h->cap);
    int i = h->n++;
    struct cs_way_queue_item x = {cost, number};
    for (; i > 0 && comes_before(x, h->a[(i - 1) / 2]); i = (i - 1) / 2)
        h->a[i] = h->a[(i - 1) / 2];
    h->a[i] = x;
}

struct cs_way_queue_item cs_way_queue_pop(struct cs_way_queue *h)
{
    assert(h->n > 0);
    struct cs_way_queue_item top = h->a[0], x = h->a[--h->n];
    int i = 0;
    for (int k; (k = 2 * i + 1) < h->n; i = k) {
        k += k + 1 < h->n && comes_before(h->a[k + 1], h->a[k]);
        if (!comes_before(h->a[k], x))
            break;
        h->a[i] = h->a[k];
    }
    h->a[i] = x;
    return top;
}
