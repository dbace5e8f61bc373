/* commslice-test: trap_folded_alone
 * about: functions of constants that the original leaves to the library, though less would have GCC compute them: in
 * about: functions of one text, which GCC makes one, and in a constructor that is too large to be put in line
 * ranks: 2
 */
#include <cmath>
#include <cstring>
#include <mpi.h>

static char data[4096];

static void say(double x)
{
    unsigned long u;
    std::memcpy(&u, &x, sizeof u);
    MPI_Bcast(data, (int)(u % 3989), MPI_CHAR, 0, MPI_COMM_WORLD);
}

namespace
{
template <class T> __attribute__((noinline)) double volume(T x)
{
    return std::tgamma(x + 0.3);
}

struct cell {
    double width, decay;
    explicit cell(int n) : width(std::cbrt(n * 2.75)), decay(std::erf(n * 0.3) * std::atan(n)) {}
};
} // namespace

struct grid {
    double width, decay;
    explicit grid(int n) : width(std::cbrt(n * 2.75)), decay(std::erf(n * 0.3) * std::atan(n)) {}
};

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    say(volume(3L));
    say(volume(4LL));
    grid first(2), second(argc + 3), third(argc + 4);
    say(first.width);
    say(second.width);
    say(third.width);
    cell inner(argc + 1);
    say(inner.width);
    MPI_Finalize();
}
