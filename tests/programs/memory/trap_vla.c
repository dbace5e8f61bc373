/* SPDX-License-Identifier: BSD-3-Clause
 * commslice-test: trap_vla
 * about: arrays whose sizes are variables: of two dimensions, as members that move the ones behind them, given back in
 * about: a long loop
 * ranks: 2 3
 * gone: heat
 * marks: content=0
 */
#include <mpi.h>
#include <stdio.h>

static int rank, size;
static double field[1 << 14];

static void heat(void)
{
    for (int step = 0; step < 50; step++)
        for (int i = 1; i < (1 << 14) - 1; i++)
            field[i] += 0.1 * (field[i - 1] - 2 * field[i] + field[i + 1]);
}

static void send(int count)
{
    MPI_Sendrecv_replace(field, count, MPI_DOUBLE, (rank + 1) % size, 0, (rank + size - 1) % size, 0, MPI_COMM_WORLD,
        MPI_STATUS_IGNORE);
    printf("%d\n", count);
}

static void table(int n, int m)
{
    int a[n][m];
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            a[i][j] = 10 * i + j;
    for (int i = 0; i < n; i++)
        send(a[i][2]);
}

static void members(int n)
{
    struct { int first[n], one, last[n], two; } s, t[n];
    for (int i = 0; i < n; i++) {
        s.first[i] = i + 1;
        s.last[i] = i + 20;
    }
    s.one = 50;
    s.two = 60;
    for (int i = 0; i < n; i++) {
        t[i] = s;
        if (i) t[i].one = i + 70;
    }
    send(s.first[1] + s.one);
    send(s.last[1] + s.two);
    send(t[1].one + t[2].one);
    send(t[0].one + t[1].two + t[2].first[1] + t[1].last[0]);
}

/* Two hundred megabytes, if the stack were not given back. */
static void loop(void)
{
    long sum = 0;
    for (int i = 0; i < 50000; i++) {
        int n = 1000 + (i & 3), v[n];
        v[0] = 1;
        v[n - 1] = i;
        sum += v[i % n ? n - 1 : 0];
    }
    send((int)(sum % 1000));
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    field[100] = 1;
    heat();
    table(size + 3, size + 5);
    members(size + 3);
    loop();
    MPI_Reduce(field, field + 8192, 100, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
