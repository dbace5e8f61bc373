/* commslice-test: crowd
 * about: a dozen kinds of std:: containers, whose helpers copy through each other's pointers: counts and peers come
 * about: from them
 * ranks: 2 3 4
 * gone: shade
 * marks: content=0
 * SPDX-License-Identifier: BSD-3-Clause */
#include <mpi.h>
#include <algorithm>
#include <deque>
#include <list>
#include <map>
#include <memory>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

/* How many parts there are: the destructors decide the last message. */
static int alive;
struct Alive {
    Alive() { alive++; }
    Alive(const Alive &) { alive++; }
    ~Alive() { alive--; }
};
struct Part { std::string name; std::vector<int> cells; int owner; Alive here; };
struct Face { std::shared_ptr<Part> left, right; int width; };

/* So many parts on each rank that trees are balanced, tables grow and the deque gets more blocks; in this order
 * std::sort gives up halving. */
static const int N = 48;
static const int order[N] = { 38, 1, 36, 3, 47, 5, 39, 7, 43, 9, 37, 11, 45, 13, 35, 15, 41, 17, 20, 19, 46, 44, 42, 40,
    0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 34, 31, 32, 29, 30, 27, 28, 25, 26, 23, 24, 21, 22, 33 };

static double field[256];

extern "C" {
static void shade(int turns)
{
    for (int t = 0; t < turns; t++)
        for (double &x : field) x = x * 0.5 + t;
}
}

/* The three of which std::sort takes the middle one, in each order; the largest number is one of them, or in front of
 * all. */
static std::vector<int> arranged(int way)
{
    static const int three[6][3] = { { 1, 20, 40 }, { 1, 40, 20 }, { 20, 1, 40 }, { 20, 40, 1 }, { 40, 1, 20 }, { 40,
        20, 1 } };
    std::vector<int> v(24);
    for (int i = 0; i < 24; i++) v[i] = (7 * i + 5 * way) % 24 + 8;
    v[1] = three[way % 6][0];
    v[12] = three[way % 6][1];
    v[23] = three[way % 6][2];
    if (way >= 6) v[0] = 45;
    return v;
}

class Mesh {
    std::map<std::string, std::shared_ptr<Part>> parts;
    std::unordered_map<int, std::string> names;
    std::list<Face> faces;
    std::set<int> owners;
    std::deque<std::pair<int, int>> todo;
    std::weak_ptr<Part> last;
    int np;
public:
    Mesh(int ranks) : np(ranks)
    {
        /* These come to the same place of the table whenever it grows. */
        for (int k = 1; k < 4; k++) names[29 * 59 * 127 * k] = "far";
        for (int i = 0; i < N * np; i++) {
            std::ostringstream name;
            name << "part" << (37 * i + 5) % 1000;
            auto p = std::make_shared<Part>(Part{ name.str(), std::vector<int>(3 + i % 50, i), i % np, {} });
            if (i % 4 < 3) parts.insert(i % 4 == 0 ? parts.begin() : i % 4 == 1 ? parts.end()
                : i % 8 == 2 ? parts.find("part5") : parts.lower_bound(p->name), { p->name, p });
            else parts[p->name] = p;
            if (i % 7 == 0) parts.insert(i % 2 ? parts.find(p->name) : parts.end(), { p->name, nullptr });
                /* is there already */
            last = p;
            names[13 * i] = p->name;
            owners.insert(order[i / np] * np + i % np);
            owners.insert(i);
        }
        for (int i = 0; i < N * np; i++) {
            int k = i / np, to = (i + k) % np;
            faces.push_back(Face{ parts[names[13 * i]], parts[names[13 * (k * np + to)]], 2 + i % 9 });
        }
        int k = 0;
        for (const Face &f : faces) {
            todo.push_back({ f.left->owner, order[k++ / np] * np + f.right->owner });
            for (int w = 1; w < f.width; w++) todo.push_back({ -w, f.width });
        }
        /* What is in the queue moves on, and back. */
        for (k = 0; k < 1500; k++) { todo.push_back(todo.front()); todo.pop_front(); }
        for (k = 0; k < 3000; k++) { todo.push_front(todo.back()); todo.pop_back(); }
        for (k = 0; k < 1500; k++) { todo.push_back(todo.front()); todo.pop_front(); }
    }
    int cells(int part) const { return (int)parts.at(names.at(13 * part))->cells.size(); }
    std::vector<int> neighbours(int rank) const
    {
        std::vector<int> all;
        for (const auto &t : todo)
            if (t.first == rank) all.push_back(t.second);
        std::sort(all.begin(), all.end());
        return all;
    }
    const std::weak_ptr<Part> &newest() const { return last; }
    /* Every node and every number counts. */
    int weight() const
    {
        unsigned sum = owners.size() + 7 * parts.size();
        for (int k = 0; k < 60; k++) sum = sum * 31 + names.count(k);
        try {
            sum += parts.at("there is none").use_count();
        } catch (const std::out_of_range &) {
            sum += 3;
        }
        for (const auto &p : parts)
            sum = sum * 31 + (unsigned)p.first.size() + (unsigned)p.second.use_count() * p.second->cells.back();
        for (const auto &n : names) sum = sum * 31 + n.first + (unsigned char)n.second.back();
        for (const Face &f : faces) sum = sum * 31 + f.right->owner + f.width;
        for (int o : owners) sum = sum * 31 + o;
        for (const auto &t : todo) sum = sum * 31 + t.first + t.second;
        for (int w = 1; w < 9; w++)
            for (int o : neighbours(-w)) sum = sum * 31 + o;
        for (int way = 0; way < 12; way++) {
            std::vector<int> all = arranged(way), some = all;
            std::sort(all.begin(), all.end());
            std::partial_sort(some.begin(), some.begin() + 4 + way, some.end());
            for (int o : all) sum = sum * 31 + o;
            for (int o : some) sum = sum * 31 + o;
        }
        if (!last.expired()) sum += (unsigned)last.use_count();
        if (std::get_deleter<Alive>(faces.front().left)) sum++;
        return sum % 1000;
    }
};

static void exchange(const Mesh &mesh, int me, int np)
{
    int k = 0, tag = mesh.weight();
    for (int next : mesh.neighbours(me)) {
        MPI_Request r;
        int to = next % np, from = (2 * me + np - to) % np, n = mesh.cells(k++);
        double in[64];
        MPI_Irecv(in, 64, MPI_DOUBLE, from, tag, MPI_COMM_WORLD, &r);
        MPI_Send(field, n, MPI_DOUBLE, to, tag, MPI_COMM_WORLD);
        MPI_Wait(&r, MPI_STATUS_IGNORE);
        field[0] += in[0];
    }
}

int main(int argc, char **argv)
{
    int me, np;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &np);
    std::weak_ptr<Part> newest;
    {
        Mesh mesh(np);
        newest = mesh.newest();
        shade(20 + me);
        exchange(mesh, me, np);
    }
    MPI_Bcast(field, 5 + alive + newest.expired(), MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
