/* commslice-test: trap_single_bucket
 * about: pointers in a struct of the program that are met one after the other from the address of the first; maps with
 * about: a single bucket that grow, are swapped, moved, copied and emptied: what they hold decides counts
 * ranks: 2 3
 * flags: -std=c++17
 * SPDX-License-Identifier: BSD-3-Clause */
#include <cstdio>
#include <mpi.h>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

static double a[640];
static void say(int n) { MPI_Bcast(a, (n % 600 + 600) % 600, MPI_DOUBLE, 0, MPI_COMM_WORLD); }

struct Three {
    int *first, *second, *third;
};

typedef std::unordered_map<int, int> Map;

static Map squares(int n)
{
    Map m;
    for (int i = 0; i < n; i++)
        m[i] = i * i + 1;
    return m;
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int x = 5, y = 40, z = 7;
    Three t = {&x, &y, &z};
    int **p = &t.first;
    for (int i = 0; i < 3; i++)
        *p[i * argc] += i;
    say(x + y + z);

    Map one, none;
    one[3] = 9;
    std::swap(one, none);
    say((int)one.size() * 10 + none[3]);
    Map grown = squares(30), copy = grown, moved = std::move(grown);
    say((int)copy.size() + moved[7] + (int)grown.size());
    moved.erase(7);
    moved.rehash(0);
    say((int)moved.bucket_count() > 0 ? moved[7] + 3 : 4);
    copy.clear();
    copy.rehash(0);
    copy[2] = 6;
    none = copy;
    none[2]++;
    say(none[2] * 10 + copy[2]);

    std::vector<std::unordered_set<std::string>> sets(3);
    for (int i = 0; i < 9; i++)
        sets[i % 3].insert(std::string(1 + i % 4, (char)('a' + i)));
    for (const auto &s : sets) {
        int sum = 0;
        for (const auto &w : s)
            sum += (int)w.size() * (w[0] - 'a' + 1);
        say(sum);
    }
    std::unordered_multimap<int, int> many;
    for (int i = 0; i < 12; i++)
        many.emplace(i % 3, i);
    int sum = 0;
    for (auto r = many.equal_range(1); r.first != r.second; ++r.first)
        sum += r.first->second;
    say(sum);
    std::printf("%g\n", a[1]);
    MPI_Finalize();
    return 0;
}
