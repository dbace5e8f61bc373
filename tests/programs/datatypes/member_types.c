/* SPDX-License-Identifier: BSD-3-Clause
 * commslice-test: member_types
 * about: types of struct members by address, resized, received into parts; MPI_BOTTOM
 * ranks: 2 3 4
 * args: 3
 */
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

/* Shows v by the length of a message to itself. */
#define SAY(v) \
    MPI_Sendrecv(out_bytes, (int)((unsigned)(v)&1023), MPI_CHAR, 0, 5, in_bytes, 1024, MPI_CHAR, 0, 5, MPI_COMM_SELF, \
                 MPI_STATUS_IGNORE)

static char out_bytes[1024], in_bytes[1024];

struct part {
    double x[3];
    int id;
    char tag;
    int cell;
} p[6];
int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    int k = argc > 1 ? atoi(argv[1]) : 4, bl[3] = {1, 1, 2};
    MPI_Aint d[3], base, lb, ex;
    MPI_Datatype t[3] = {MPI_INT, MPI_INT, MPI_DOUBLE}, a, b;
    MPI_Get_address(&p[0], &base);
    MPI_Get_address(&p[0].id, &d[0]);
    MPI_Get_address(&p[0].cell, &d[1]);
    MPI_Get_address(&p[0].x[1], &d[2]);
    for (int i = 0; i < 3; i++)
        d[i] = MPI_Aint_diff(d[i], base);
    MPI_Type_create_struct(3, bl, d, t, &a);
    MPI_Type_create_resized(a, 0, sizeof *p, &b);
    MPI_Type_commit(&b);
    MPI_Type_get_extent(b, &lb, &ex);
    SAY(ex);
    for (int i = 0; i < 6; i++)
        p[i] = (struct part){{i, i * k, 1}, i * 3 + k, 'a', rank};
    int nx = (rank + 1) % size, pv = (rank + size - 1) % size;
    MPI_Sendrecv(p, 3, b, nx, 1, p + 3, 3, b, pv, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    for (int i = 3; i < 6; i++) {
        SAY(p[i].id);
        SAY(p[i].cell + 50);
        SAY(p[i].x[1]);
    }
    MPI_Datatype h;
    MPI_Aint ha[2];
    int hb[2] = {1, 1};
    MPI_Get_address(&p[1].id, &ha[0]);
    MPI_Get_address(&p[4].cell, &ha[1]);
    MPI_Type_create_hindexed(2, hb, ha, MPI_INT, &h);
    MPI_Type_commit(&h);
    int got[2];
    MPI_Sendrecv(MPI_BOTTOM, 1, h, nx, 2, got, 2, MPI_INT, pv, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    SAY(got[0] * 5 + got[1]);
    int ni, na, nd, cb;
    MPI_Type_get_envelope(h, &ni, &na, &nd, &cb);
    SAY(ni * 16 + na);
    MPI_Type_free(&h);
    MPI_Type_free(&a);
    MPI_Type_free(&b);
    MPI_Finalize();
    return 0;
}
