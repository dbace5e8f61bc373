/* commslice-test: merge_equal
 * about: where ways with the same value come together, the branch between them decides nothing
 * ranks: 2 3 4
 * gone: norm
 * marks: content=0
 */
#include <mpi.h>
#include <stdio.h>

static double field[512];
static int checks;

static double norm(void)
{
    double sum = 0;
    for (int i = 0; i < 512; i++)
        sum += field[i] * field[i];
    return sum;
}

static double residual(int peer)
{
    double theirs, mine = norm();
    MPI_Sendrecv(&mine, 1, MPI_DOUBLE, peer, 5, &theirs, 1, MPI_DOUBLE, peer, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return mine - theirs;
}

/* How many numbers a step of this kind sends. */
static int numbers(int kind, double rest)
{
    if (kind == 0)
        return 4;
    if (kind == 1) {
        checks++;
        if (rest > 0) {
            field[1] /= rest;
            return 3;
        }
        field[0] += 1;
        return 3;
    }
    return 7;
}

int main(int argc, char **argv)
{
    int rank, size, peer;
    double out[8] = {0}, in[8] = {0};
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    peer = rank < size / 2 * 2 ? rank ^ 1 : MPI_PROC_NULL;
    for (int i = 0; i < 512; i++)
        field[i] = rank + i;
    for (int step = 0; step < 6; step++) {
        int n = numbers(step % 3, residual(peer));
        MPI_Sendrecv(out, n, MPI_DOUBLE, peer, 6, in, n, MPI_DOUBLE, peer, 6, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        field[n] += in[0];
    }
    printf("%d checks, %g\n", checks, field[3]);
    MPI_Finalize();
    return 0;
}
