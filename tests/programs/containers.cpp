/* commslice-test: containers
 * about: std::map, std::string, std::sort with a lambda and std::function decide peers, counts and order
 * ranks: 2 3 4
 * args: 2:14,1:9,3:30
 * gone: shade
 * array: wall 64
 * SPDX-License-Identifier: BSD-3-Clause */
#include <algorithm>
#include <cstdio>
#include <functional>
#include <map>
#include <mpi.h>
#include <string>
#include <utility>
#include <vector>

static const int N = 8 * 1024 * 1024;

template <class T> static T shades(T *w, int n)
{
    T s = 0;
    for (int i = 0; i < n; i++) {
        w[i] = T(i % 53);
        s += w[i];
    }
    return s;
}

/* A name without mangling, for the header's gone line. */
extern "C" double shade(double *w, int n)
{
    return shades(w, n);
}

/* "distance:count,..." */
static std::map<int, int> parse(const std::string &text)
{
    std::map<int, int> m;
    std::size_t at = 0;
    while (at < text.size()) {
        std::size_t colon = text.find(':', at), comma = text.find(',', at);
        if (comma == std::string::npos)
            comma = text.size();
        m[std::stoi(text.substr(at, colon - at))] += std::stoi(text.substr(colon + 1, comma - colon - 1));
        at = comma + 1;
    }
    return m;
}

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    double *wall = new double[N], s = shade(wall, N);

    std::map<int, int> plan = parse(argc > 1 ? argv[1] : "1:1");
    std::vector<std::pair<int, int>> order(plan.begin(), plan.end());
    std::sort(order.begin(), order.end(), [size](const std::pair<int, int> &a, const std::pair<int, int> &b) {
        int x = a.second % (size + 3), y = b.second % (size + 3);
        return x != y ? x < y : a.first < b.first;
    });
    std::vector<double> in(128);
    std::function<void(int, int)> send = [&](int distance, int count) {
        MPI_Sendrecv(wall, count, MPI_DOUBLE, (rank + distance) % size, count, in.data(), count, MPI_DOUBLE,
                     (rank + 4 * size - distance) % size, count, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    };
    int total = 0;
    for (const auto &o : order) {
        send(o.first, o.second);
        total += o.second;
    }
    auto found = plan.find(3);
    if (found != plan.end())
        send(1, found->second + int(order.size()));
    std::printf("rank %d: %d, first %d, %g\n", rank, total, order[0].first, s);
    delete[] wall;
    MPI_Finalize();
    return 0;
}
