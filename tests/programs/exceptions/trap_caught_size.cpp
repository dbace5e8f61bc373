/* commslice-test: trap_caught_size
 * about: the program catches std::length_error of a vector and std::bad_array_new_length of new, and goes on
 */
#include <iostream>
#include <mpi.h>
#include <new>
#include <stdexcept>
#include <vector>

static char data[256];

static int reserve(std::vector<int> &v, long n)
{
    try {
        v.reserve((std::size_t)n);
    } catch (std::length_error &) {
        return 66;
    }
    return (int)v.capacity();
}

static int make(long n)
{
    try {
        std::vector<double> w((std::size_t)n);
        return (int)w.size();
    } catch (const std::length_error &e) {
        return 13;
    }
}

static int get(long n)
{
    try {
        int *p = new int[n];
        p[0] = 5;
        delete[] p;
    } catch (std::bad_array_new_length &) {
        return 21;
    }
    return 8;
}

int main(int argc, char **argv)
{
    std::vector<int> v;
    MPI_Init(&argc, &argv);
    for (long n : {(long)-argc, argc * 40L, argc * -7L, argc * 50L}) {
        MPI_Bcast(data, reserve(v, n), MPI_CHAR, 0, MPI_COMM_WORLD);
        MPI_Bcast(data, make(n), MPI_CHAR, 0, MPI_COMM_WORLD);
        MPI_Bcast(data, get(n), MPI_CHAR, 0, MPI_COMM_WORLD);
    }
    std::cout << v.capacity() << '\n';
    MPI_Finalize();
}
