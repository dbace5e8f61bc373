/* commslice-test: trap_tree_links
 * about: nodes of trees and lists that come from several places, go from one container to another, are erased while
 * about: somebody walks over them and are met forward and backward: their order and their values decide counts
 * ranks: 2 3
 * flags: -std=c++17
 * SPDX-License-Identifier: BSD-3-Clause */
#include <mpi.h>
#include <cstdio>
#include <iterator>
#include <list>
#include <map>
#include <set>
#include <string>
#include <utility>

static double a[640];
static void say(int n) { MPI_Bcast(a, n % 600, MPI_DOUBLE, 0, MPI_COMM_WORLD); }

typedef std::map<int, int> Map;
static void one(Map &m, int n) { m[n] = n * n + 1; }
static void two(Map &m, int n) { m.insert(std::make_pair(n, 3 * n)); }
static void three(Map &m, int n) { m.emplace_hint(m.end(), n, n + 100); }

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    Map m, other;
    for (int i = 0; i < 12; i++) {
        (i % 3 == 0 ? one : i % 3 == 1 ? two : three)(m, i * 7 % 13);
        one(other, i * 5 % 11 + 20);
    }
    for (auto i = m.begin(); i != m.end(); ++i)
        say(i->first * 8 + i->second);
    for (auto i = m.rbegin(); i != m.rend(); i++)
        say(i->second + 2);
    for (auto i = m.begin(); i != m.end();)
        i = i->second % 2 ? m.erase(i) : std::next(i);
    say((int)m.size() + 3);
    for (auto i = m.end(); i != m.begin();)
        say((--i)->second + i->first);
    auto h = other.extract(other.begin());
    h.key() = 3;
    h.mapped() += 5;
    m.insert(std::move(h));
    m.merge(other);
    for (const auto &p : m)
        say(p.first + p.second);
    std::swap(m, other);
    say((int)m.size() + (int)other.size() + 1);
    for (auto i = other.lower_bound(4); i != other.upper_bound(26); ++i)
        say(i->second + 7);
    std::list<int> l, k;
    for (int i = 0; i < 7; i++) {
        l.push_back(i * 3 % 7);
        k.push_front(i + 10);
    }
    l.splice(std::next(l.begin(), 2), k, std::next(k.begin()), std::prev(k.end()));
    for (int v : l)
        say(v + 1);
    l.sort();
    l.reverse();
    l.merge(k);
    for (auto i = l.rbegin(); i != l.rend(); ++i)
        say(*i + 20);
    l.swap(k);
    say((int)k.size() * 3 + (int)l.size() + *std::prev(k.end()));
    std::multimap<std::string, std::list<int>> deep;
    for (int i = 0; i < 6; i++)
        deep.emplace(std::string(1, (char)('a' + i * 2 % 4)), std::list<int>(i + 1, i));
    for (auto &d : deep) {
        d.second.push_back((int)d.first[0]);
        say((int)d.second.size() + d.second.back() + d.second.front());
    }
    std::printf("%d\n", (int)deep.size());
    MPI_Finalize();
    return 0;
}
