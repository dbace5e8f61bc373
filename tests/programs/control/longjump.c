/* commslice-test: longjump
 * about: setjmp and longjmp out of nested calls decide how often and what is sent
 * ranks: 2 3 4
 * gone: chew
 * array: cud 64
 * marks: content=0
 * SPDX-License-Identifier: BSD-3-Clause */
#include <mpi.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>

#define N (8 * 1024 * 1024)

static jmp_buf outer;
static int rank, size, budget;

static double chew(double *c, int n)
{
    double s = 0.0;
    for (int i = 0; i < n; i++) {
        c[i] += (double)(i % 31);
        s += c[i];
    }
    return s;
}

static void spend(int n)
{
    if (budget < n)
        longjmp(outer, n);
    budget -= n;
}

static void send_next(int count, int tag)
{
    double out[64] = {0}, in[64];
    spend(count);
    MPI_Sendrecv(out, count, MPI_DOUBLE, (rank + 1) % size, tag, in, count, MPI_DOUBLE, (rank + size - 1) % size, tag,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv)
{
    volatile int tries = 0, sent = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    static double s;
    double *cud = calloc(N, sizeof *cud);
    s = chew(cud, N);
    budget = 40;
    int why = setjmp(outer);
    if (why != 0) {
        tries++;
        budget = 30 + why;
        MPI_Allreduce(MPI_IN_PLACE, cud, why, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    }
    if (tries < 4)
        for (int i = 0;; i++) {
            send_next(3 + 2 * i + tries, 10 * tries + i);
            sent++;
        }
    printf("rank %d: tries %d sent %d budget %d s %g\n", rank, tries, sent, budget, s + cud[0]);
    free(cud);
    MPI_Finalize();
    return 0;
}
