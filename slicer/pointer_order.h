/* SPDX-License-Identifier: GPL-3.0-or-later
 * The order of addresses of objects and functions: which of two comes first, or what a hash of one is. A slice has
 * fewer of them than its original, so it is another one. */
#ifndef CS_POINTER_ORDER_H
#define CS_POINTER_ORDER_H

#include "slicer/model/model.h"
#include "slicer/pointsto/pointsto.h"

/* Once LIVE is known: calls say() for each kept statement that compares addresses of two objects or functions by order,
 * or computes a number from such an address. Addresses inside one array do not count. */
void cs_pointer_order_check(const struct cs_graph *g, struct cs_pts *pts, void (*say)(void *arg, int stmt), void *arg);

#endif
