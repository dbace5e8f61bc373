/* SPDX-License-Identifier: BSD-3-Clause
 * commslice-test: trap_unsure_writes
 * about: turns that are not alike, as a call of MPI does not write the variable that it is given: it finds nothing,
 * about: or another function is called by the pointer
 * args: 40
 * ranks: 2 3
 */
#include <mpi.h>
#include <stdio.h>

static double field[64];

static void send_some(int n)
{
    MPI_Bcast(field, n & 31, MPI_DOUBLE, 0, MPI_COMM_WORLD);
}

static int leaves_alone(MPI_Comm comm, int *size)
{
    (void)comm, (void)size;
    return 0;
}

/* The key is not there. */
static void finds_nothing(int n)
{
    int length = 1, found;
    MPI_Info info;
    MPI_Info_create(&info);
    MPI_Info_set(info, "one", "two");
    for (int i = 0; i < n; i++) {
        MPI_Info_get_valuelen(info, "three", &length, &found);
        send_some(length);
        length = length % 5 + 1; /* alike only after five turns */
    }
    MPI_Info_free(&info);
}

static void by_pointer(int n)
{
    int (*size_of)(MPI_Comm, int *) = n > 100 ? MPI_Comm_size : leaves_alone;
    int size = 1;
    for (int i = 0; i < n; i++) {
        size_of(MPI_COMM_WORLD, &size);
        send_some(size);
        size = size % 3 + 1;
    }
}

int main(int argc, char **argv)
{
    int n = 6;
    MPI_Init(&argc, &argv);
    if (argc > 1)
        sscanf(argv[1], "%d", &n);
    finds_nothing(n);
    by_pointer(n);
    MPI_Finalize();
    return 0;
}
