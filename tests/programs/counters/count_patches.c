/* commslice-test: count_patches
 * about: counters of iterations: nests in a loop over patches, whose sizes are in arrays and behind pointers, some of
 * about: which lead nowhere unless a guard holds; loops that must not come back to be counted
 * ranks: 1 3 4
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#define MOST 6

struct patch {
    int n[3];
    int *limit; /* NULL in a patch without cells in direction 0 */
};

static int npatches, size[MOST][3], other[MOST][3];
static struct patch patches[MOST];
static double *u;

/* The loop over patches comes back, as each of its iterations counts a nest. */
static double sweep(void)
{
    double sum = 0;
    for (int p = 0; p < npatches; p++)
        for (int k = 0; k < size[p][2]; k++)
            for (int j = 0; j < size[p][1]; j++)
                for (int i = 0; i < size[p][0]; i++)
                    sum += u[(i + j + k) % 8];
    return sum;
}

/* Where there are no cells the pointer leads nowhere. */
static double limited(void)
{
    double sum = 0;
    for (int p = 0; p < npatches; p++) {
        struct patch *q = &patches[p];
        for (int k = 0; k < q->n[2]; k++)
            for (int j = 0; j < q->n[1]; j++)
                if (q->n[0] > 0)
                    for (int i = 0; i < *q->limit; i++)
                        sum += u[(i * j + k) % 8];
    }
    return sum;
}

/* The size changes in the nest. */
static double growing(void)
{
    double sum = 0;
    for (int p = 0; p < npatches; p++) {
        for (int k = 0; k < other[p][2]; k++)
            for (int j = 0; j < 3; j++) {
                for (int i = 0; i < other[p][0]; i++)
                    sum += u[(i + j) % 8];
                other[p][0] += j - 1;
            }
    }
    return sum;
}

/* Only one loop each: too little for the outer one to come back. */
static double lists(const int *first, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        for (int k = first[i]; k < first[i + 1]; k++)
            sum += u[k % 8];
    return sum;
}

/* The test comes last: the inner loops run once more than the outer one goes back. */
static double last_test(int rows, int columns)
{
    double sum = 0;
    int i = 0;
    do {
        for (int j = 0; j < columns; j++)
            sum += u[j % 8];
        for (int j = i; j < columns; j++)
            sum += u[j % 8];
    } while (++i < rows);
    return sum;
}

int main(int argc, char **argv)
{
    int rank, first[9] = {0};
    double sum = 0, all = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    npatches = 4 + rank % 2;
    u = calloc(8, sizeof *u);
    size[0][0] = 4 + rank, size[0][1] = 3, size[0][2] = 2;
    size[1][0] = 2, size[1][1] = 0, size[1][2] = 5;
    size[2][0] = 1, size[2][1] = 2, size[2][2] = 3 + rank;
    size[3][0] = -1, size[3][1] = 2, size[3][2] = 3;
    size[4][0] = size[4][1] = size[4][2] = 2;
    other[0][0] = other[1][0] = 2 + rank, other[0][2] = other[1][2] = other[2][2] = 3;
    patches[0].n[0] = 3, patches[0].n[1] = 2 + rank, patches[0].n[2] = 2, patches[0].limit = &size[0][0];
    patches[1].n[1] = 3, patches[1].n[2] = 4;
    patches[2].n[0] = 1, patches[2].n[1] = 2, patches[2].n[2] = 0;
    patches[3].n[0] = 1, patches[3].n[1] = 2, patches[3].n[2] = 5, patches[3].limit = &size[4][2];
    for (int i = 0; i < 8; i++)
        first[i + 1] = first[i] + (i * 5 + rank) % 3;
    for (int t = 0; t < 3; t++) {
        sum += sweep() + limited() + lists(first, 8) + last_test(npatches, 7);
        MPI_Allreduce(&sum, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        sum += growing();
    }
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0)
        printf("%g\n", all + sum);
    free(u);
    MPI_Finalize();
    return 0;
}
