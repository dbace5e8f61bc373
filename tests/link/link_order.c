/* SPDX-License-Identifier: BSD-3-Clause
 * What two files bring together in the order of the link: functions that run before main, and the variables of a
 * section. link_order_two.c is the other one. */
#include "link_order.h"

int order;

__attribute__((constructor)) static void start(void)
{
    order = 10 * order + 1;
}

static int twice(int k)
{
    return 2 * k;
}

PART(2, twice);
PART(3, twice);

extern const struct part __start_parts[], __stop_parts[];

int main(int argc, char **argv)
{
    static double field[600];
    int count = 1;
    MPI_Init(&argc, &argv);
    for (const struct part *p = __start_parts; p < __stop_parts; p++) {
        count = (3 * count + p->id + p->count(count)) % 500;
        MPI_Bcast(field, count, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    }
    MPI_Bcast(field, order, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
