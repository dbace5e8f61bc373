/* commslice-test: containers
 * about: std::map, std::string, std::sort with a lambda and std::function decide peers, counts and order
 * ranks: 2 3 4
 * args: 13:95,17:1141,41:1128,44:1023,8:2107,35:1634,40:227,48:683,28:2006,22:2444,33:2016,11:2437,47:672,32:1964,14:263,3:1136,12:1011,37:32,43:1126,30:160,39:2230,23:692,29:1458,21:1296,1:2538,46:2371,9:643,38:1879,27:1004,42:2125,25:1650,18:267,24:140,34:668,15:1785,4:1953,19:1320,36:931,45:1724,2:951,5:1897,6:505,10:1209,31:962,26:52,7:1439,20:2319,16:2215,13:800
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

/* "distance:count,...", so many and in such an order that std::sort gives up halving with two ranks. */
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

/* The three of which std::sort takes the middle one, in each order; the largest number is one of them, or in front of
 * all. A multiple of `modulus` changes nothing. */
static std::vector<std::pair<int, int>> arranged(int way, int modulus)
{
    static const int three[6][3] = { { 1, 20, 40 }, { 1, 40, 20 }, { 20, 1, 40 }, { 20, 40, 1 }, { 40, 1, 20 }, { 40,
        20, 1 } };
    std::vector<std::pair<int, int>> v(24);
    for (int i = 0; i < 24; i++) v[i] = { i, (7 * i + 5 * way) % 24 + 8 };
    v[1].second = three[way % 6][0];
    v[12].second = three[way % 6][1];
    v[23].second = three[way % 6][2];
    if (way >= 6) v[0].second = 45;
    for (int i = 0; i < 24; i++) v[i].second += i % 3 * modulus;
    return v;
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
    auto before = [size](const std::pair<int, int> &a, const std::pair<int, int> &b) {
        int x = a.second % (size + 48), y = b.second % (size + 48);
        return x != y ? x < y : a.first < b.first;
    };
    std::sort(order.begin(), order.end(), before);
    std::vector<double> in(4096);
    std::function<void(int, int)> send = [&](int distance, int count) {
        MPI_Sendrecv(wall, count, MPI_DOUBLE, (rank + distance) % size, count, in.data(), count, MPI_DOUBLE,
                     (rank + distance * (size - 1)) % size, count, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    };
    int total = 0;
    std::map<int, int> again;
    for (const auto &o : order) {
        send(o.first, o.second);
        total += o.second;
        /* With a hint that may be right. */
        auto place = again.lower_bound(o.first);
        if (total % 5 == 4 && place != again.begin()) --place;
        again.insert(total % 5 == 0 ? again.begin() : total % 5 == 1 ? again.end()
            : total % 5 == 2 ? again.find(order[0].first) : place, *plan.find(o.first));
    }
    again.insert(again.begin(), *again.begin());
    std::function<void(int, int)> copy = send;
    int at = 0;
    for (const auto &a : again) at = (at * 31 + a.first + a.second) % 1000;
    for (int way = 0; way < 12; way++) {
        auto all = arranged(way, size + 48), some = all;
        std::sort(all.begin(), all.end(), before);
        std::partial_sort(some.begin(), some.begin() + 4 + way, some.end(), before);
        for (const auto &a : all) at = (at * 31 + a.first + a.second) % 1000;
        for (const auto &a : some) at = (at * 31 + a.first + a.second) % 1000;
    }
    if (copy.target_type() == typeid(int)) at += 7;
    if (copy.target_type() == send.target_type()) copy(1, at);
    auto found = plan.find(3);
    if (found != plan.end())
        send(1, found->second + int(order.size()));
    std::printf("rank %d: %d, first %d, %g\n", rank, total, order[0].first, s);
    delete[] wall;
    MPI_Finalize();
    return 0;
}
