/* commslice-test: times_and_money
 * about: std::put_time, get_time, put_money and get_money, from strings and from a file; std::gslice
 * files: when.txt=2024-03-17 12:30:05\n
 * gone: unneeded
 */
#include <ctime>
#include <fstream>
#include <iomanip>
#include <iostream>
#include <mpi.h>
#include <sstream>
#include <string>
#include <valarray>

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
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    std::tm t = {}, f = {};
    std::istringstream in("2021-11-23 07:45:00");
    in >> std::get_time(&t, "%Y-%m-%d %H:%M:%S");
    say(t.tm_mday + t.tm_min);
    std::ifstream file("when.txt");
    file >> std::get_time(&f, "%Y-%m-%d %H:%M:%S");
    say(f.tm_mday * 3 + f.tm_sec);
    std::ostringstream out, money;
    out << std::put_time(&f, "%d.%m.%Y at %H:%M");
    say(out.str().size());
    money << std::put_money(123456.0L) << '|' << std::put_money(std::string("55501"));
    say(money.str().size() + money.str().find('|'));
    long double amount = 0;
    std::string digits;
    std::istringstream paid("77"), counted("7801");
    paid >> std::get_money(amount);
    counted >> std::get_money(digits);
    say((int)amount + digits.size());
    std::valarray<int> a(24);
    for (int i = 0; i < 24; i++)
        a[i] = 5 * i;
    std::valarray<size_t> lengths = {2, 3}, strides = {12, 2};
    std::valarray<int> b = a[std::gslice(1, lengths, strides)];
    say(b[4]);
    if (rank == 0)
        std::cout << out.str() << ' ' << unneeded(100) << '\n';
    MPI_Finalize();
}
