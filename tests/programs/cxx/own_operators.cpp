// SPDX-License-Identifier: BSD-3-Clause
// commslice-test: own_operators
// about: operators, constructors and accessors of a program's own vectors are shared by what decides messages and what
// about: does not: they go into their callers
// ranks: 2 3 4
// gone: kick energy
// marks: content=0
#include <mpi.h>

#include <cstdio>

struct Vec {
    double x, y;
    Vec() : x(0), y(0) {}
    Vec(double a, double b) : x(a), y(b) {}
    Vec &operator=(const Vec &v)
    {
        x = v.x;
        y = v.y;
        return *this;
    }
    Vec &operator+=(const Vec &v)
    {
        x += v.x;
        y += v.y;
        return *this;
    }
    double area() const { return x * y; }
};
inline Vec operator*(const Vec &v, double s)
{
    return Vec(v.x * s, v.y * s);
}
inline Vec operator+(const Vec &a, const Vec &b)
{
    return Vec(a.x + b.x, a.y + b.y);
}

enum { N = 32 };

extern "C" void kick(Vec *v, const Vec *f)
{
    for (int i = 0; i < N; i++)
        v[i] += f[i] * (0.5 / (1 + v[i].area()));
}

extern "C" double energy(const Vec *v)
{
    Vec sum;
    for (int i = 0; i < N; i++)
        sum = sum + v[i] * v[i].y;
    return sum.area();
}

static int boxes(int rank)
{
    Vec box(2, 1);
    for (int i = 0; i < 2; i++)
        box = box + Vec(1, 1) * 0.5;
    box += Vec(rank * 0, 1);
    return static_cast<int>(box.area());
}

int main(int argc, char **argv)
{
    int rank, size, n;
    double edge[64] = {0};
    Vec *v = new Vec[N], *f = new Vec[N];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    n = boxes(rank);
    for (int i = 0; i < N; i++)
        f[i] = Vec(i, rank) * 0.1;
    for (int t = 0; t < 3; t++) {
        kick(v, f);
        edge[0] = energy(v);
        MPI_Sendrecv_replace(edge, n, MPI_DOUBLE, (rank + 1) % size, 0, (rank + size - 1) % size, 0, MPI_COMM_WORLD,
                             MPI_STATUS_IGNORE);
    }
    std::printf("%d %.6f\n", n, energy(v) + edge[0]);
    delete[] v;
    delete[] f;
    MPI_Finalize();
    return 0;
}
