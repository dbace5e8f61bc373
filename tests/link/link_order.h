/* SPDX-License-Identifier: BSD-3-Clause
 * The section that link_order.c and link_order_two.c share. */
#include <mpi.h>

struct part { int id; int (*count)(int); };

#define IN_PARTS __attribute__((section("parts"), aligned(16)))
#define PART(ID, COUNT) static const struct part part_##ID IN_PARTS __attribute__((used)) = { ID, COUNT }
