/* SPDX-License-Identifier: GPL-3.0-or-later
 * A queue of numbers by what they cost, for Dijkstra's algorithm. */
#ifndef CS_WAY_QUEUE_H
#define CS_WAY_QUEUE_H

/* A number, and what it costs. */
struct cs_way_queue_item {
    int cost, number;
};
/* A heap of n pairs of cost and number, the least cost at a[0]. Start with zeros; free a. */
struct cs_way_queue {
    struct cs_way_queue_item *a;
    int n, cap;
};

void cs_way_queue_push(struct cs_way_queue *h, int cost, int number);
/* Takes the least one out; there must be one. Of equal cost, that of the least number. */
struct cs_way_queue_item cs_way_queue_pop(struct cs_way_queue *h);

#endif
