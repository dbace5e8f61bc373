/* commslice-test: promises
 * about: std::promise, std::packaged_task and std::call_once in a program with one thread: values, exceptions, and a
 * about: promise that is broken
 */
#include <future>
#include <iostream>
#include <mpi.h>
#include <mutex>
#include <stdexcept>
#include <string>

static char data[256];
static std::once_flag flag;
static int made;

static void say(int n)
{
    MPI_Bcast(data, n, MPI_CHAR, 0, MPI_COMM_WORLD);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    std::promise<int> p;
    std::future<int> f = p.get_future();
    p.set_value(argc * 17);
    say(f.get());
    std::packaged_task<int(int)> t([](int x) { return x * 3; });
    std::future<int> g = t.get_future();
    t(argc * 7);
    say(g.get());
    std::promise<int> bad;
    std::future<int> b = bad.get_future();
    try {
        throw std::runtime_error("seventeen letters");
    } catch (...) {
        bad.set_exception(std::current_exception());
    }
    try {
        say(b.get());
    } catch (std::exception &e) {
        say((int)std::string(e.what()).size());
    }
    for (int i = 0; i < 2; i++)
        std::call_once(flag, [&] { made += 30 * argc; });
    say(made);
    try {
        std::promise<int> d;
        std::future<int> x = d.get_future();
        {
            std::promise<int> e = std::move(d);
        }
        say(x.get());
    } catch (std::future_error &e) {
        say(40 + e.code().value());
    }
    std::cout << made << '\n';
    MPI_Finalize();
}
