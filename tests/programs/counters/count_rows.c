/* commslice-test: count_rows
 * about: counters of iterations: loops over the rows of a sparse matrix, whose lengths random numbers of the set-up
 * about: decide; lengths that the solver changes, and lengths that come in a message, which are not counted; bounds in
 * about: global variables, beside stores through pointers
 * ranks: 1 3 4
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef ROWS
#define ROWS 40
#endif

static int first[ROWS + 1], changing[ROWS], column[ROWS * 8];
static double value[ROWS * 8], x[ROWS];
static unsigned state;

static unsigned next_random(void)
{
    state = state * 1103515245u + 12345u;
    return state >> 16;
}

/* Rows of up to seven elements, of which those in one column are taken as one, as in CG of NPB. */
static void make_matrix(int rank)
{
    state = 17 + rank;
    for (int i = 0; i < ROWS; i++) {
        int want = next_random() % 7, n = first[i];
        for (int tries = 0; n - first[i] < want && tries < 9; tries++) {
            int c = next_random() % ROWS, k;
            for (k = first[i]; k < n && column[k] != c; k++)
                ;
            column[k] = c;
            value[k] += 1.0 / (1 + tries);
            if (k == n)
                n++;
        }
        first[i + 1] = n;
        changing[i] = 1 + i % 3;
    }
}

static double multiply(void)
{
    double all = 0;
    for (int i = 0; i < ROWS; i++) {
        double sum = 0;
        int end = first[i + 1];
        for (int k = first[i]; k < end; k++)
            sum += value[k] * x[column[k]];
        all += sum;
    }
    return all;
}

/* How long rows are here, the loop below decides, while the program communicates. */
static double refine(void)
{
    double sum = 0;
    for (int i = 0; i < ROWS; i++)
        for (int k = 0; k < changing[i]; k++)
            sum += x[(i + k) % ROWS];
    return sum;
}

static void change(double by)
{
    for (int i = 0; i < ROWS; i++)
        if (x[i] > by)
            changing[i] = 1 + (changing[i] + i) % 4;
}

static double given(const int *n)
{
    double sum = 0;
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < n[i]; k++)
            sum += x[k % ROWS];
    return sum;
}

/* Bounds of global variables, one of which the loop itself changes through a pointer; of the other nobody takes the
 * address. */
int limit = 30, aimed = 20;

static void store(int *to, int n, int step)
{
    for (int i = 0; i < limit; i++)
        to[i % n] += step;
    for (int i = 0; i < aimed; i++)
        to[0] -= 1 + i % 2;
}

int main(int argc, char **argv)
{
    int rank, lengths[3] = {0};
    int cells[4] = {0};
    double sum = 0, all = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    make_matrix(rank);
    for (int i = 0; i < ROWS; i++)
        x[i] = 1.0 / (1 + i);
    for (int i = 0; i < 3; i++)
        lengths[i] = 2 + i;
    MPI_Bcast(lengths, 3, MPI_INT, 0, MPI_COMM_WORLD);
    for (int step = 0; step < 5; step++) {
        sum += multiply() + refine() + given(lengths);
        limit = 30 + step + rank;
        store(step % 2 ? &aimed : cells, step % 2 ? 1 : 4, step);
        aimed += 12;
        MPI_Allreduce(&sum, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        change(all / (1 + step));
        for (int i = 0; i < ROWS; i++)
            x[i] += all / (i + step + 1);
    }
    if (rank == 0)
        printf("%.6g %d\n", all, cells[1]);
    MPI_Finalize();
    return 0;
}
