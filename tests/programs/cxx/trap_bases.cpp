/* SPDX-License-Identifier: BSD-3-Clause
 * commslice-test: trap_bases
 * about: pointers to members of a second and of a virtual base, whose distance from the object is read from memory
 * about: or from a table; distances in bytes that the program makes up: what is stored there decides counts
 * ranks: 2 3
 */
#include <mpi.h>
#include <cstddef>
#include <cstdlib>
#include <cstring>

static int pay[4096];
static int rank_, size_;
static long never_set;

static void meet(int n)
{
    MPI_Bcast(pay, n, MPI_INT, 0, MPI_COMM_WORLD);
}

struct left {
    int a, b;
    int set_a(int v) { return a = v; }
};
struct right {
    int c, d;
    int set_d(int v) { return d = v; }
};
struct both : left, right {
    int e;
    int set_e(int v) { return e = v; }
};

typedef int (both::*setter)(int);

struct root {
    int deep = 1;
    virtual ~root() {}
};
struct one : virtual root {
    int first = 2;
};
struct two : virtual root {
    int second = 3;
};
struct all : one, two {
    int last = 4;
};

static int through_members(setter s, int v)
{
    both b = {};
    b.a = 1;
    b.d = 2;
    b.e = 3;
    (b.*s)(v);
    meet(b.a);
    meet(b.d);
    meet(b.e);
    return b.c;
}

static void through_root(root &r, int v)
{
    r.deep = v;
}

static void through_distances(int which)
{
    both b = {};
    ptrdiff_t far[3] = {offsetof(both, b), 0, sizeof(left)};
    char *at = reinterpret_cast<char *>(&b);
    int v = 40 + size_;
    memcpy(at + far[which % 3], &v, sizeof v);
    meet(b.b + 1);
    meet(b.c + 2);
    ptrdiff_t made = strtol(which ? "4" : "12", nullptr, 10);
    memcpy(at + made, &which, sizeof which);
    meet(b.d + 3);
    memcpy(at + never_set, &size_, sizeof size_);
    meet(b.a + 4);
    for (ptrdiff_t k = 0; k < 20; k += 4) {
        int n;
        memcpy(&n, at + k, sizeof n);
        meet(n % 4000 + 5);
        n = 60 + static_cast<int>(k) + size_;
        memcpy(at + k, &n, sizeof n);
    }
    meet(b.e);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
    MPI_Comm_size(MPI_COMM_WORLD, &size_);
    setter s[3] = {&both::set_a, &both::set_d, &both::set_e};
    for (int i = 0; i < 3; i++)
        through_members(s[(i + size_) % 3], 10 * size_ + i);
    all x;
    two y;
    through_root(x, 20 + size_);
    through_root(y, 30 + size_);
    static_cast<two &>(x).deep += argc;
    meet(x.deep);
    meet(y.deep + static_cast<one &>(x).first + x.second);
    through_distances(size_);
    through_distances(argc - 1);
    MPI_Finalize();
    return 0;
}
