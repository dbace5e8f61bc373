/* commslice-test: hint_string
 * about: MPI_Info_get_string: the value of a hint is a count, its length a tag, whether it is there another count
 * ranks: 2 3
 * SPDX-License-Identifier: BSD-3-Clause */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Asks first how long the value is; MPICH 4.0 wants a place for it even then. Returns its length with the end, 0: it is
 * not there. */
static int ask(MPI_Info hints, const char *key, char **value)
{
    int length = 0, there = 0;
    MPI_Info_get_string(hints, key, &length, (char[1]){0}, &there);
    if (!there)
        return 0;
    *value = malloc((size_t)length);
    MPI_Info_get_string(hints, key, &length, *value, &there);
    return length;
}

int main(int argc, char **argv)
{
    MPI_Info hints;
    char *value = NULL, *none = NULL, first[2];
    int rank, size, block[100] = {0}, cut = sizeof first, there = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Info_create(&hints);
    MPI_Info_set(hints, "turns", "37");
    int length = ask(hints, "turns", &value), missing = ask(hints, "others", &none);
    MPI_Info_get_string(hints, "turns", &cut, first, &there); /* what fits: one digit */
    int next = (rank + 1) % size, before = (rank + size - 1) % size;
    MPI_Sendrecv(block, atoi(value), MPI_INT, next, length, block + 50, 50, MPI_INT, before, length, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    MPI_Bcast(block, atoi(first) + cut + there + missing, MPI_INT, 0, MPI_COMM_WORLD);
    printf("%d %d %d\n", length, missing, cut);
    MPI_Info_free(&hints);
    free(value);
    MPI_Finalize();
    return 0;
}
