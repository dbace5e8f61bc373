/* commslice-test: count_nests
 * about: counters of iterations: nests that go but are counted as sums, rectangular and triangular, with bounds in
 * about: variables, parameters and memory, guards, early ends, and loops that depend on data
 * about: (tests/commands/counters_test.sh builds these with counters, and names lines)
 * ranks: 1 3 4
 * args: 13 4
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static int n, steps, bounds[4];
static double *a;

/* Rectangular, with a guard that is the same in all iterations of the outer loop. */
static double rectangle(int rows, int columns, int wanted)
{
    double sum = 0;
    for (int i = 0; i < rows; i++) {
        if (wanted > 2)
            for (int j = 1; j < columns - 1; j += 2)
                sum += a[(i * columns + j) % n];
        for (int k = columns; k > 0; k--)
            sum -= a[k % n];
    }
    return sum;
}

/* Both kinds of triangles, and one that is cut off: for some i there is no j. */
static double triangles(int rows, int columns)
{
    double sum = 0;
    for (int i = 0; i < rows; i++) {
        for (int j = i; j < columns; j++)
            sum += a[j % n];
        for (int j = 0; j <= i; j++)
            sum += a[j % n];
        for (int j = 0; j < i - 3; j++)
            sum += 1;
        for (int j = 2 * i; j < columns; j++)
            sum += 2;
    }
    return sum;
}

/* The inner bound changes in the outer loop: this is no rectangle. */
static double changing(int rows)
{
    double sum = 0;
    bounds[1] = 2;
    for (int i = 0; i < rows; i++) {
        for (int j = 0; j < bounds[1]; j++)
            sum += a[j % n];
        bounds[1] += i % 3;
    }
    return sum;
}

/* The inner loop is entered in some iterations only. */
static double sometimes(int rows)
{
    double sum = 0;
    for (int i = 0; i < rows; i++) {
        if (i % 3 == 1)
            continue;
        for (int j = 0; j < bounds[2]; j++)
            sum += a[j % n];
        if (i % 5 == 0)
            for (int j = 0; j < rows; j++)
                sum += 1;
    }
    return sum;
}

/* Two ways out, and a number of iterations that data decides. */
static int data(double x)
{
    int i = 0;
    while (x > 1) {
        x /= 3;
        if (++i > 20)
            break;
    }
    do
        i++;
    while (i < steps);
    return i;
}

/* Unsigned numbers that count down, and ones of few bits. */
static unsigned small(unsigned from)
{
    unsigned sum = 0;
    for (unsigned char c = 250; c != 3; c++)
        for (unsigned k = from; k-- > 2;)
            sum += k;
    for (long i = 5; i >= 0; i--)
        for (long j = i; j >= 0; j--)
            for (int k = 0; k < 2; k++)
                sum ^= (unsigned)(i * j + k);
    return sum;
}

/* Addresses of loop variables are elsewhere. */
static double elsewhere(void)
{
    int i, *p = &i;
    double sum = 0;
    for (i = 0; i < n; i++)
        sum += a[*p];
    return sum;
}

int main(int argc, char **argv)
{
    int rank, size;
    double sum = 0, all = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    n = argc > 1 ? atoi(argv[1]) : 13;
    steps = argc > 2 ? atoi(argv[2]) : 4;
    a = malloc((size_t)n * sizeof *a);
    for (int i = 0; i < n; i++)
        a[i] = i % 7;
    bounds[2] = rank + 1;
    for (int t = 0; t < steps; t++) {
        sum += rectangle(n + rank, n - t, t + rank) + triangles(n - rank, n);
        sum += changing(n) + sometimes(n) + elsewhere() + small((unsigned)(rank + 3));
        MPI_Allreduce(&sum, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        sum += data(all);
        for (int i = 0; i < t; i++) {
            MPI_Barrier(MPI_COMM_WORLD);
            sum += rectangle(i, 5, 3);
        }
    }
    if (rank == 0)
        printf("%g\n", sum);
    free(a);
    MPI_Finalize();
    return 0;
}
