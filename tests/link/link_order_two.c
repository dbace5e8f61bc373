/* SPDX-License-Identifier: BSD-3-Clause
 * The other file of link_order.c. */
#include "link_order.h"

extern int order;

__attribute__((constructor)) static void start(void)
{
    order = 10 * order + 2;
}

static int more(int k)
{
    return k + 9;
}

static int same(int k)
{
    return 4;
}

PART(5, more);
PART(7, same);
const struct part open_part IN_PARTS = { 11, more };
