// SPDX-License-Identifier: BSD-3-Clause
// commslice-test: trap_library_throw
// about: functions of the library throw in a function that has no handler: strings that check a position, streams that
// about: were asked to
// ranks: 2 3
#include <fstream>
#include <mpi.h>
#include <ostream>
#include <stdexcept>
#include <streambuf>
#include <string>

static int buf[2048], size, dead, written;
static std::ifstream *in;

static void meet(int n)
{
    MPI_Bcast(buf, n & 1023, MPI_INT, 0, MPI_COMM_WORLD);
}

static __attribute__((noinline)) void letter(const std::string &s, int k) { dead += s.at(k); }
static __attribute__((noinline)) void part(const std::string &s, int k) { dead += s.compare(k, 1, "x"); }
static __attribute__((noinline)) void cut(std::string &s, int k) { s.erase(k, 1); }
static __attribute__((noinline)) void skip() { int x; *in >> x; dead += x; }

template <typename F> static int until_thrown(F f, int last = 90)
{
    int n = 1;
    try {
        for (int k = 0; k < last; k++) { f(k); n += 2; }
    } catch (std::exception &) {
        n += 20 * size;
    }
    return n;
}

struct counter : std::streambuf {
    int n = 0;
    ~counter() { written += n; }
    int overflow(int c) override { if (++n > size) throw 1; return c; }
};

int main(int argc, char **argv)
{
    std::string s = "abc", t = "defghijklmnopqrstuvw";
    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    s += size > 2 ? "xyz" : "x";
    meet((s[1] & 31) + 3 * (t[2] & 31));
    t += "now longer than its memory was";
    meet(int(t.size()) + (t[19] & 31));
    meet(until_thrown([&](int k) { letter(s, k); }));
    meet(until_thrown([&](int k) { part(s, k); }));
    meet(until_thrown([&](int k) { cut(t, k); }));
    in = new std::ifstream("/proc/sys/kernel/printk");
    in->exceptions(std::ios::failbit);
    auto number = [](int) { skip(); };
    meet(until_thrown(number, 2));
    meet(until_thrown(number));
    counter *c = new counter;
    std::ostream o(c);
    for (int i = 0; i < 9; i++)
        o << 'x';
    meet(c->n + 1);
    std::streambuf *ended = c;
    delete ended;
    meet(written + 1);
    MPI_Finalize();
    return 0;
}
