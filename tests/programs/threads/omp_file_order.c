/* commslice-test: omp_file_order
 * about: threads of one region write a file and read it, and what stands first in the text runs last
 * flags: -fopenmp
 * ranks: 2 3
 * SPDX-License-Identifier: BSD-3-Clause */
#include <mpi.h>
#include <omp.h>
#include <stdio.h>

static int buf[64], in[64];
static int count, written;

__attribute__((noinline)) static void put(const char *name, int n)
{
    FILE *f = fopen(name, "w");
    if (f) {
        fprintf(f, "%d\n", n);
        fclose(f);
    }
}

__attribute__((noinline)) static int get(const char *name)
{
    int n = 0;
    FILE *f = fopen(name, "r");
    if (f) {
        if (fscanf(f, "%d", &n) != 1)
            n = 0;
        fclose(f);
    }
    return n;
}

int main(int argc, char **argv)
{
    int rank, size;
    char name[32];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    snprintf(name, sizeof name, "order.%d", rank);
#pragma omp parallel num_threads(2)
    {
        if (omp_get_thread_num() == 1) {
            int ready = 0;
            while (!ready) {
#pragma omp atomic read seq_cst
                ready = written;
            }
            count = get(name);
        } else {
            put(name, 11 + 0 * rank);
#pragma omp atomic write seq_cst
            written = 1;
        }
    }
    MPI_Sendrecv(buf, count, MPI_INT, (rank + 1) % size, 1, in, count, MPI_INT, (rank + size - 1) % size, 1,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    remove(name);
    printf("rank %d: %d\n", rank, count);
    MPI_Finalize();
    return 0;
}
