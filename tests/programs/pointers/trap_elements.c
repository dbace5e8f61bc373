/* SPDX-License-Identifier: BSD-3-Clause
 * commslice-test: trap_elements
 * about: whole elements of an array of structs with pointers move: by assignment, memcpy and memmove, from any place to
 * about: any other
 * ranks: 2 3
 */
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

struct item { int key; int *count; };
static int buf[2048], size;

static void meet(int n)
{
    MPI_Bcast(buf, n & 1023, MPI_INT, 0, MPI_COMM_WORLD);
}

static void fill(struct item *a, int n)
{
    for (int i = 1; i < n; i++)
        a[i] = a[i - 1];
}

int main(int argc, char **argv)
{
    static struct item a[6];
    struct item b[6], *h = malloc(6 * sizeof *h);
    int x = 1, y = 2, *v[4];
    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    a[0].count = &x;
    a[0].key = size;
    for (int i = 1; i < 6; i++)
        a[i] = a[i - 1];
    *a[4].count = size + 17;
    meet(x + a[5].key);
    b[0].count = &y;
    fill(b, 6);
    *b[3].count = size + 27;
    meet(y);
    h[0].count = &x;
    for (int i = 1; i < 6; i++)
        memcpy(&h[i], &h[i - 1], sizeof *h);
    *h[5].count = size + 37;
    meet(x);
    memmove(h + 1, b, 5 * sizeof *h);
    *h[2].count = size + 47;
    meet(y);
    v[0] = &x;
    for (int i = 1; i < 4; i++)
        v[i] = v[i - 1];
    *v[3] = size + 57;
    meet(x);
    free(h);
    MPI_Finalize();
    return 0;
}
