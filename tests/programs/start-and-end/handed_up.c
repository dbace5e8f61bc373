/* SPDX-License-Identifier: BSD-3-Clause
 * commslice-test: handed_up
 * about: error codes, of MPI calls and of the program, that functions hand up to main, which returns them without
 * about: MPI_Finalize, where MPI calls may fail: they decide nothing, nor does what they pass on the way
 * ranks: 2 3
 * args: 3
 * gone: report
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#define CHK(call)                                                                                                      \
    do {                                                                                                               \
        int code = (call);                                                                                             \
        if (__builtin_expect(code != 0, 0))                                                                            \
            return report(code, __LINE__);                                                                             \
    } while (0)

struct vec {
    MPI_Comm comm;
    int n, rank, size;
    double *x;
};

static int report(int code, int line)
{
    fprintf(stderr, "line %d: error %d\n", line, code);
    return code;
}

static int vec_make(int n, struct vec **out)
{
    struct vec *v = malloc(sizeof *v);
    if (!v)
        return 55;
    if (n < 1)
        return 63;
    CHK(MPI_Comm_dup(MPI_COMM_WORLD, &v->comm));
    CHK(MPI_Comm_rank(v->comm, &v->rank));
    CHK(MPI_Comm_size(v->comm, &v->size));
    v->n = n;
    v->x = calloc(n, sizeof *v->x);
    *out = v;
    return 0;
}

static int vec_free(struct vec *v)
{
    CHK(MPI_Comm_free(&v->comm));
    free(v->x);
    free(v);
    return 0;
}

static int halo(struct vec *v, int width)
{
    if (2 * width > v->n)
        return 71;
    return MPI_Sendrecv(v->x, width, MPI_DOUBLE, (v->rank + 1) % v->size, 1, v->x + width, width, MPI_DOUBLE,
                        (v->rank + v->size - 1) % v->size, 1, v->comm, MPI_STATUS_IGNORE);
}

static int norm(struct vec *v, int width)
{
    double sum = 0, all;
    int code = 0;
    for (int i = 0; i < width; i++)
        sum += v->x[i] * v->x[i];
    code = MPI_Allreduce(&sum, &all, 1, MPI_DOUBLE, MPI_SUM, v->comm);
    if (code)
        goto out;
    v->x[0] = all;
out:
    return code;
}

static void greet(void)
{
    printf("steps\n");
}

static void part(void)
{
    printf("parts\n");
}

static void (*const say[])(void) = {greet, part};

static int solve(int steps)
{
    struct vec *v;
    CHK(vec_make(30, &v));
    for (int s = 0; s < steps; s++) {
        say[s % 2]();
        CHK(MPI_Bcast(v->x, s + 1, MPI_DOUBLE, s % v->size, v->comm));
        CHK(halo(v, s + 1));
        CHK(norm(v, s + 1));
    }
    CHK(vec_free(v));
    return 0;
}

int main(int argc, char **argv)
{
    int code = MPI_Init(&argc, &argv);
    if (code)
        return code;
    CHK(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
    CHK(solve(atoi(argv[1])));
    CHK(MPI_Finalize());
    return 0;
}
