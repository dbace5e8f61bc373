/* commslice-test: trap_virtual_members
 * about: an object whose functions are not those that it was made with: bases that are under construction, an object
 * about: made anew in the same memory, a base behind the first one, tables in C that are changed, more objects than are
 * about: told apart; what their functions write decides counts
 * ranks: 2 3
 * flags: -std=c++17
 * SPDX-License-Identifier: BSD-3-Clause */
#include <cstdio>
#include <cstring>
#include <memory>
#include <mpi.h>
#include <new>
#include <vector>

static double a[640];
static void say(int n) { MPI_Bcast(a, (n % 600 + 600) % 600, MPI_DOUBLE, 0, MPI_COMM_WORLD); }

struct Shape {
    int seen = 0;
    Shape() { touch(5); }
    virtual ~Shape() { say(seen + 1); }
    virtual void touch(int n) { seen += n; }
    void again(Shape *other, int n) { other->touch(n); }
};
struct Square : Shape {
    Square() { again(this, 7); }
    ~Square() override { again(this, 2); }
    void touch(int n) override { seen += 10 * n; }
};
struct Circle : Shape {
    void touch(int n) override { seen += 20 * n; }
};

struct Named {
    int name = 3;
    virtual void rename(int n) { name = n; }
    virtual ~Named() {}
};
struct Both : Shape, Named {
    int sum = 0;
    void rename(int n) override { name = n + seen, sum += n; }
    void touch(int n) override { seen += n + name; }
};

/* The same in C: a table of functions that an object points to. */
struct file;
struct ops {
    void (*read)(struct file *, int);
    void (*write)(struct file *, int);
};
struct file {
    long pos;
    const struct ops *ops;
    int length;
};
static void read_plain(struct file *f, int n) { f->length += n; }
static void read_packed(struct file *f, int n) { f->length += 2 * n; }
static void write_any(struct file *f, int n) { f->pos += n; }
static struct ops plain = {read_plain, write_any}, packed = {read_packed, write_any};

static void use(struct file *f, int n)
{
    f->ops->read(f, n);
    f->ops->write(f, f->length);
}

template <int K> struct Many : Shape {
    void touch(int n) override { seen += K * n; }
};
template <int K> static void make(std::vector<std::unique_ptr<Shape>> &v)
{
    v.emplace_back(new Many<K>);
    if constexpr (K > 0)
        make<K - 1>(v);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    {
        Square s;
        say(s.seen);
        alignas(Shape) unsigned char room[sizeof(Shape)];
        Shape *p = new (room) Square;
        say(p->seen);
        p->~Shape();
        p = new (room) Circle;
        p->touch(3);
        say(p->seen);
        unsigned char other[sizeof(Shape)];
        std::memcpy(other, (void *)&s, sizeof other);
        std::memcpy(room, other, sizeof room);
        std::launder((Shape *)room)->touch(1);
        say(std::launder((Shape *)room)->seen);
    }
    {
        Both b;
        Named *n = &b;
        Shape *q = &b;
        n->rename(4);
        q->touch(6);
        say(b.sum + b.seen + b.name);
    }

    struct file f = {0, &plain, 9}, g = {0, &packed, 1};
    use(&f, 3);
    use(&g, 4);
    f.ops = &packed;
    use(&f, 5);
    plain.read = read_packed;
    f.ops = &plain;
    use(&f, 6);
    say(f.length);
    say((int)f.pos);
    say(g.length);

    std::vector<std::unique_ptr<Shape>> v;
    make<70>(v);
    for (auto &s : v)
        s->touch(2);
    for (size_t i = 0; i < v.size(); i += 9)
        say(v[i]->seen);
    v.clear();
    std::printf("%g\n", a[1]);
    MPI_Finalize();
    return 0;
}
