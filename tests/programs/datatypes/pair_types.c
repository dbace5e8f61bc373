/* SPDX-License-Identifier: BSD-3-Clause
 * commslice-test: pair_types
 * about: MPI_2INT meets MPI_INT, MPI_DOUBLE_INT meets a struct; holes of a type; status of MPI_PROC_NULL
 * ranks: 2 3 4
 * args: 3
 */
#include <mpi.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* Shows v by the length of a message to itself. */
#define SAY(v) \
    MPI_Sendrecv(out_bytes, (int)((unsigned)(v)&1023), MPI_CHAR, 0, 5, in_bytes, 1024, MPI_CHAR, 0, 5, MPI_COMM_SELF, \
                 MPI_STATUS_IGNORE)

static char out_bytes[1024], in_bytes[1024];

struct di {
    double d;
    int i;
};
int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    int k = argc > 1 ? atoi(argv[1]) : 4, nx = (rank + 1) % size, pv = (rank + size - 1) % size,
        a[4] = {k, rank, k * 2, 7}, b[4] = {0};
    MPI_Status st;
    MPI_Sendrecv(a, 2, MPI_2INT, nx, 1, b, 4, MPI_INT, pv, 1, MPI_COMM_WORLD, &st);
    SAY(b[2] + b[1] * 3);
    MPI_Sendrecv(a + 1, 2, MPI_INT, nx, 2, b, 1, MPI_2INT, pv, 2, MPI_COMM_WORLD, &st);
    SAY(b[0] * 3 + b[1]);
    struct di x = {k * 1.5, rank + 40}, y = {0, 0};
    MPI_Datatype t;
    int bl[] = {1, 1};
    MPI_Aint d[] = {0, offsetof(struct di, i)};
    MPI_Datatype ty[] = {MPI_DOUBLE, MPI_INT};
    MPI_Type_create_struct(2, bl, d, ty, &t);
    MPI_Type_commit(&t);
    MPI_Sendrecv(&x, 1, MPI_DOUBLE_INT, nx, 3, &y, 1, t, pv, 3, MPI_COMM_WORLD, &st);
    SAY(y.i);
    SAY((int)(y.d * 2));
    MPI_Recv(b, 4, MPI_INT, MPI_PROC_NULL, 5, MPI_COMM_WORLD, &st);
    int n;
    MPI_Get_count(&st, MPI_INT, &n);
    SAY(n + 3);
    SAY(st.MPI_SOURCE == MPI_PROC_NULL ? 8 : 9);
    SAY(st.MPI_TAG == MPI_ANY_TAG);
    SAY(b[1]);
    struct {
        int p, hole, q;
    } h = {1, k * 9, 2};
    MPI_Datatype v;
    MPI_Type_vector(2, 1, 2, MPI_INT, &v);
    MPI_Type_commit(&v);
    int w[2] = {50 + rank, 60};
    MPI_Sendrecv(w, 2, MPI_INT, nx, 6, &h, 1, v, pv, 6, MPI_COMM_WORLD, &st);
    SAY(h.p);
    SAY(h.hole);
    SAY(h.q);
    MPI_Get_elements(&st, v, &n);
    SAY(n);
    MPI_Get_count(&st, MPI_DOUBLE, &n);
    SAY(n);
    double buf[2] = {k * 3, 4};
    MPI_Sendrecv_replace(buf, 2, MPI_DOUBLE, nx, 7, pv, 7, MPI_COMM_WORLD, &st);
    SAY(buf[0] + 1);
    MPI_Type_free(&t);
    MPI_Type_free(&v);
    MPI_Finalize();
    return 0;
}
