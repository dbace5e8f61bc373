/* commslice-test: latch_without_threads
 * about: latches, waits on atomics and callbacks of a stop request in a program without threads
 * flags: -std=c++20
 * gone: unneeded
 */
#include <atomic>
#include <latch>
#include <mpi.h>
#include <semaphore>
#include <stop_token>

static char data[256];

extern "C" double unneeded(int n)
{
    double s = 0;
    for (int i = 1; i <= n; i++)
        s += 1.0 / i;
    return s;
}

static void say(int count)
{
    MPI_Bcast(data, count, MPI_CHAR, 0, MPI_COMM_WORLD);
}

int main(int argc, char **argv)
{
    int calls = 0;
    MPI_Init(&argc, &argv);
    data[0] = (char)unneeded(argc);
    std::stop_source source;
    std::stop_callback first(source.get_token(), [&] { calls += 5; });
    say(calls);
    source.request_stop();
    say(calls);
    std::latch latch(2);
    latch.count_down();
    say(latch.try_wait() + 3);
    latch.count_down();
    latch.wait();
    say(latch.try_wait() + 6);
    std::atomic<int> number{3};
    number.store(7);
    number.notify_all();
    number.wait(3);
    say(number.load());
    std::counting_semaphore<4> tickets(1);
    say(tickets.try_acquire() + 2 * tickets.try_acquire());
    tickets.release(2);
    tickets.acquire();
    say(tickets.try_acquire() + 10);
    MPI_Finalize();
    return 0;
}
