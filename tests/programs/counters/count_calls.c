/* commslice-test: count_calls
 * about: counters across calls: loops of functions whose trip counts the caller knows, and functions that change what
 * about: decides how often a loop of their caller goes round, that call themselves, are called by pointer, communicate
 * about: (tests/commands/counters_test.sh builds these with counters, and names lines)
 * ranks: 1 3 4
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static double x[4096], total;
static int n;
static int limit, part[8];
static struct {
    int first, count;
    double weight;
} box;

/* Known at its begin, and so at each call. */
static void fill(int n, double with)
{
    for (int i = 0; i < n; i++)
        x[i & 4095] = with * i;
}

/* Where it cannot be summed up. */
static void refill(int first)
{
    for (int i = first; i >= 0; i--)
        x[i & 4095] -= i;
}

/* By reference, under a condition that the function tests itself. */
static void fill_some(const int *n, int really, double with)
{
    if (!really)
        return;
    fill(2 * *n, with);
    for (int i = 0; i < *n; i++)
        for (int k = 0; k < 3; k++)
            total += x[i + k];
}

/* Calls that change nothing that decides how often loops go round. */
static void watch(int *at)
{
    total += *at;
    box.weight = total;
}

/* Calls that do. */
static void shrink(void)
{
    limit -= 2;
}

static void next(int *at)
{
    *at += 1;
}

static void set_part(int which, int to)
{
    part[which] = to;
}

/* Powers of two, as a merge of ways; a step that is a variable. */
static void butterflies(int level, int levels, int step)
{
    unsigned groups = level < levels && level >= 0 ? 1u << level : 0u;
    for (unsigned g = 0; g < groups; g++)
        for (unsigned i = 0; i < (1u << levels) / groups; i++)
            for (int k = 0; k < 2; k++)
                total += g + i;
    if (step > 0)
        for (unsigned i = 0; i < 100u / (unsigned)step; i++)
            total += i;
}

static int count_down(int n)
{
    int sum = 0;
    for (int i = 0; i < n; i++)
        sum += i & 3;
    return n > 1 ? sum + count_down(n / 2) : sum;
}

static void by_pointer(int n)
{
    for (int i = 0; i < n; i++)
        total += i;
}

static void synchronised(int n)
{
    for (int i = 0; i < n; i++)
        total += i;
    MPI_Barrier(MPI_COMM_WORLD);
    for (int i = 0; i < 2 * n; i++)
        total -= i;
}

static void (*which)(int) = by_pointer;

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int rank, sum;
    n = argc > 1 ? atoi(argv[1]) : 10;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    n += rank;
    for (int i = 0; i < n; i++) {
        int twice = 2 * i;
        fill(n, 1.0);
        fill(i, 2.0);
        fill_some(&n, n > 3, 3.0);
        watch(&twice);
    }
    limit = 40 + n;
    box.count = n;
    for (int i = 0; i < limit; i++) {
        shrink();
        refill(limit);
    }
    for (int i = 0; i < 3 * n; next(&i))
        for (int k = 0; k < i; k++)
            total += k;
    for (int i = 0; i < 8; i++) {
        set_part(i, i * n);
        for (int k = 0; k < part[i]; k++)
            total += k;
        for (int k = 0; k < box.count; k++) {
            int at = k;
            watch(&at);
        }
    }
    MPI_Barrier(MPI_COMM_WORLD);
    for (int l = -1; l < 7; l++)
        for (int k = 0; k < n; k++)
            butterflies(l, 6, l);
    sum = count_down(n) + count_down(3);
    which(n);
    for (int i = 0; i < 3; i++)
        synchronised(n + i);
    if (rank == 0)
        printf("%g %d\n", total, sum);
    MPI_Finalize();
    return 0;
}
