/* SPDX-License-Identifier: BSD-3-Clause
 * commslice-test: member_pointers
 * about: a class with many vectors and an array of requests: its fields are reached by pointers to members, and
 * about: operator[] of all its vectors is one function. What is in the vectors decides nothing
 * ranks: 2 3
 * gone: relax
 */
#include <mpi.h>
#include <cstdio>
#include <vector>

enum { N = 64 };

struct body {
    double &x(int i) { return m_x[i]; }
    double &y(int i) { return m_y[i]; }
    double &z(int i) { return m_z[i]; }
    double &u(int i) { return m_u[i]; }
    double &v(int i) { return m_v[i]; }
    double &w(int i) { return m_w[i]; }
    double &p(int i) { return m_p[i]; }
    double &q(int i) { return m_q[i]; }
    int rank, size;
    MPI_Request open[4];
    double *box;
    std::vector<double> m_x, m_y, m_z, m_u, m_v, m_w, m_p, m_q, m_e, m_f, m_g, m_h, m_k, m_l, m_m, m_n;
    std::vector<int> where;
    body()
    {
        for (std::vector<double> *d : {&m_x, &m_y, &m_z, &m_u, &m_v, &m_w, &m_p, &m_q, &m_e, &m_f, &m_g, &m_h, &m_k})
            d->resize(N);
        m_l.resize(N);
        m_m.resize(N);
        m_n.resize(N);
        where.resize(N);
        box = new double[8 * N];
    }
};

typedef double &(body::*field)(int);

static void pack(body &b, int n, field *f)
{
    for (int k = 0; k < n; k++)
        for (int i = 0; i < N; i++)
            b.box[k * N + i] = (b.*f[k])(i);
}

extern "C" __attribute__((noinline)) void relax(body &b)
{
    for (int i = 0; i < N; i++) {
        b.m_e[i] = 0.5 * b.x(i) + b.y(i) * b.z(i) + b.where[i];
        b.m_f[i] = b.m_e[i] * b.m_g[i] - b.m_h[i] + b.m_k[i] * b.m_l[i];
        b.x(i) = b.m_f[i] + b.m_m[i] + b.m_n[i];
        b.u(i) = b.v(i) + b.w(i) * b.p(i) - b.q(i);
        b.where[i] = (b.where[i] * 7 + i) % N;
    }
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    body *b = new body;
    field all[6] = {&body::x, &body::y, &body::z, &body::u, &body::v, &body::w};
    double in[6 * N];
    MPI_Comm_rank(MPI_COMM_WORLD, &b->rank);
    MPI_Comm_size(MPI_COMM_WORLD, &b->size);
    for (int step = 0; step < 5; step++) {
        relax(*b);
        pack(*b, 6, all);
        MPI_Irecv(in, 6 * N, MPI_DOUBLE, (b->rank + b->size - 1) % b->size, step, MPI_COMM_WORLD, &b->open[0]);
        MPI_Isend(b->box, 6 * N, MPI_DOUBLE, (b->rank + 1) % b->size, step, MPI_COMM_WORLD, &b->open[1]);
        for (int i = 0; i < 2; i++)
            MPI_Wait(&b->open[i], MPI_STATUS_IGNORE);
        for (int i = 0; i < N; i++)
            b->y(i) = in[i];
    }
    printf("%g\n", b->x(3));
    delete[] b->box;
    delete b;
    MPI_Finalize();
    return 0;
}
