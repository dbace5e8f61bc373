/* SPDX-License-Identifier: BSD-3-Clause */
/* commslice-test: debug_containers
   about: counts out of containers that check their iterators (-D_GLIBCXX_DEBUG), and a hash of long double
   ranks: 2
   flags: -D_GLIBCXX_DEBUG */
#include <functional>
#include <list>
#include <mpi.h>
#include <vector>

static char field[4096];

static void tell(int fact)
{
    MPI_Bcast(field, 1 + (fact & 1023), MPI_CHAR, 0, MPI_COMM_WORLD);
}

int main(int argc, char **argv)
{
    int size;
    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    std::vector<int> row;
    for (int i = 0; i < 5 * size; i++)
        row.push_back(i * size);
    std::vector<int>::iterator at = row.begin() + size, last = at;
    ++last;
    row.erase(last);
    tell(*at + (int)row.size());
    std::list<int> line(row.begin(), row.end()), rest;
    rest.splice(rest.begin(), line, ++line.begin());
    line.swap(rest);
    tell(line.front() + (int)rest.size());
    tell((int)(std::hash<long double>()(size * 0.5L) % 1000));
    MPI_Finalize();
}
