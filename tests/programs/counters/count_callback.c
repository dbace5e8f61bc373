/* commslice-test: count_callback
 * about: counters of iterations in an operation of the user's, which a slice that transmits no content never runs, and
 * about: in functions that are called through pointers
 * about: (tests/commands/counters_test.sh builds these with counters, and names lines)
 * ranks: 1 3 4
 */
#include <mpi.h>
#include <stdio.h>

static void helper(double *to, int n)
{
    for (int i = 0; i < n; i++)
        to[i] += 1;
}

static void largest(void *in, void *inout, int *n, MPI_Datatype *type)
{
    double *a = in, *b = inout;
    (void)type;
    for (int i = 0; i < *n; i++)
        b[i] = a[i] > b[i] ? a[i] : b[i];
    helper(b, *n);
}

static void once(double *a)
{
    for (int i = 0; i < 3; i++)
        a[i] += i;
}

static void twice(double *a)
{
    for (int i = 0; i < 8; i++)
        a[i] *= 2;
}

/* MPI is called in the loop, behind a pointer: the inner loop is not counted before the outer one begins. */
static void step(double *a)
{
    MPI_Barrier(MPI_COMM_WORLD);
    for (int i = 0; i < 8; i++)
        a[i] += 0.5;
}

int main(int argc, char **argv)
{
    int rank;
    double a[8] = {1}, b[8];
    void (*const does[])(double *) = {once, twice, step};
    MPI_Op op;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Op_create(largest, 1, &op);
    for (int t = 0; t < 4; t++) {
        does[(t + rank) % 2](a);
        MPI_Allreduce(a, b, 8, MPI_DOUBLE, op, MPI_COMM_WORLD);
        for (int k = 0; k < 2; k++) {
            does[2](a);
            for (int i = 0; i < 8; i++)
                a[i] += b[i];
        }
    }
    MPI_Op_free(&op);
    if (rank == 0)
        printf("%g\n", a[0]);
    MPI_Finalize();
    return 0;
}
