/* commslice-test: trap_type_struct
 * about: a committed datatype and its count travel in a struct that is copied; the field is then replaced
 * ranks: 2 3 4
 * SPDX-License-Identifier: BSD-3-Clause */
#include <mpi.h>
#include <stdio.h>

static int rank, size;

struct line { MPI_Datatype type; int n; const char *name; };

static struct line make(int n)
{
    struct line l = {MPI_DATATYPE_NULL, 2, "vector"};
    MPI_Type_vector(n, 2, 4, MPI_DOUBLE, &l.type);
    MPI_Type_commit(&l.type);
    return l;
}

static void send(const struct line *l)
{
    double out[256] = {0}, in[256];
    MPI_Sendrecv(out, l->n, l->type, (rank + 1) % size, 1, in, l->n, l->type, (rank + size - 1) % size, 1,
        MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
}

int main(int argc, char **argv)
{
    struct line a, b;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    a = make(3 + size);
    b = a;
    a = make(5);
    send(&b);
    send(&a);
    MPI_Type_free(&b.type);
    b.type = MPI_INT;
    send(&b);
    MPI_Type_free(&a.type);
    printf("rank %d: %s %d\n", rank, b.name, b.n);
    MPI_Finalize();
    return 0;
}
