/* commslice-test: goto_return
 * about: goto into shared exits, early returns, break and continue, and a fallthrough switch decide messages
 * ranks: 2 3 4
 * gone: burn
 * array: waste 64
 * marks: content=0
 * SPDX-License-Identifier: BSD-3-Clause */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#define N (8 * 1024 * 1024)

static int rank, size;

static void shift(int count, int tag)
{
    double out[64] = {0}, in[64];
    MPI_Sendrecv(out, count, MPI_DOUBLE, (rank + 1) % size, tag, in, 64, MPI_DOUBLE, (rank + size - 1) % size, tag,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

/* Number of collatz steps up to a limit, left early in four ways. */
static int walk(int n, int limit)
{
    int steps = 0;
again:
    if (n == 1)
        return steps;
    if (++steps > limit)
        goto tired;
    if (n % 2) {
        n = 3 * n + 1;
        goto again;
    }
    do {
        n /= 2;
        if (n == 8)
            return steps + 100;
    } while (n % 2 == 0);
    goto again;
tired:
    return -steps;
}

static double burn(double *a)
{
    double s = 0.0;
    for (int i = 0; i < N; i++) {
        if (i % 3 == 0)
            continue;
        a[i] = i * 0.5;
        s += a[i];
        if (s < 0.0)
            goto out;
    }
out:
    return s;
}

static int send_all(int n)
{
    int tag = 0;
    for (int i = 1; i <= n; i++) {
        int w = walk(i, 9);
        if (w == 0)
            continue;
        if (w > 100)
            goto special;
        if (w < 0)
            break;
        shift(w + 1, i);
        tag += i;
        continue;
special:
        shift(w - 90, 100 + i);
        if (tag > 5 && n == 10)
            return tag;
    }
    switch (n % 4) {
    case 3:
        tag += 1;  /* fall through */
    case 2:
        shift(2 + tag % 7, 500);
        break;
    case 1:
        return 0;
    default:
        shift(1, 501);
    }
    return tag;
}

int main(int argc, char **argv)
{
    int rc = 0, total = 0, n = 4;
    double *waste = NULL, s = 0.0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    waste = malloc(N * sizeof *waste);
    if (!waste)
        goto cleanup;
    s = burn(waste);
retry:
    rc = send_all(n);
    total += rc;
    if (rc && n < 12) {
        n += 3;
        goto retry;
    }
cleanup:
    free(waste);
    printf("rank %d: rc %d total %d s %g\n", rank, rc, total, s);
    MPI_Finalize();
    return 0;
}
