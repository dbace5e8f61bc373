/* SPDX-License-Identifier: BSD-3-Clause
 * commslice-test: set_up_first
 * about: a boundary is found where the points are at first; that time steps move them later decides no message, also
 * about: where the same helper copies points before and after
 * ranks: 2 3 4
 * gone: force residual
 * marks: content=0
 */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = 64 };
struct point {
    double x, y;
};
struct mesh {
    int n, nedge;
    struct point *p, *old;
};

static void copy_points(struct point *to, const struct point *from, int n)
{
    memcpy(to, from, n * sizeof *to);
}

static void generate(struct mesh *m, int rank)
{
    struct point *q = malloc(N * sizeof *q);
    m->n = N;
    m->p = malloc(N * sizeof *m->p);
    m->old = malloc(N * sizeof *m->old);
    for (int i = 0; i < N; i++) {
        q[i].x = i / 4;
        q[i].y = i % (4 + rank);
    }
    copy_points(m->p, q, N);
    free(q);
}

static int on_plane(const struct mesh *m, double y)
{
    int n = 0;
    for (int i = 0; i < m->n; i++)
        n += fabs(m->p[i].y - y) < 1e-9;
    return n;
}

double force(const struct point *a, const struct point *b)
{
    return 0.01 * (a->x - b->x) * (a->y - b->y);
}

static void step(struct mesh *m)
{
    copy_points(m->old, m->p, m->n);
    for (int i = 1; i < m->n; i++)
        m->p[i].y += force(&m->old[i], &m->old[i - 1]);
}

double residual(const struct mesh *m)
{
    double sum = 0;
    for (int i = 0; i < m->n; i++)
        sum += m->p[i].y * m->p[i].x;
    return sum;
}

int main(int argc, char **argv)
{
    struct mesh m;
    int rank, size;
    double edge[N], sum = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    generate(&m, 0);
    m.nedge = on_plane(&m, 2);
    for (int t = 0; t < 4; t++) {
        step(&m);
        for (int i = 0; i < m.nedge; i++)
            edge[i] = m.p[i].y;
        MPI_Sendrecv_replace(edge, m.nedge, MPI_DOUBLE, (rank + 1) % size, 0, (rank + size - 1) % size, 0,
                             MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        sum += edge[m.nedge - 1];
    }
    printf("%d %.6f %.6f\n", m.nedge, sum, residual(&m));
    free(m.p);
    free(m.old);
    MPI_Finalize();
    return 0;
}
