/* commslice-test: crowd
 * about: a dozen kinds of std:: containers, whose helpers copy through each other's pointers: counts and peers come from them
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
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

struct Part { std::string name; std::vector<int> cells; int owner; };
struct Face { std::shared_ptr<Part> left, right; int width; };

static double field[256];

extern "C" {
static void shade(int turns)
{
    for (int t = 0; t < turns; t++)
        for (double &x : field) x = x * 0.5 + t;
}
}

class Mesh {
    std::map<std::string, std::shared_ptr<Part>> parts;
    std::unordered_map<int, std::string> names;
    std::list<Face> faces;
    std::set<int> owners;
    std::deque<std::pair<int, int>> todo;
public:
    Mesh(int np)
    {
        for (int i = 0; i < np; i++) {
            std::ostringstream name;
            name << "part" << i;
            auto p = std::make_shared<Part>(Part{ name.str(), std::vector<int>(3 + i, i), i });
            parts[p->name] = p;
            names[i] = p->name;
            owners.insert(i);
        }
        for (int i = 0; i < np; i++) faces.push_back(Face{ parts[names[i]], parts[names[(i + 1) % np]], 2 + i });
        for (const Face &f : faces) todo.push_back({ f.left->owner, f.right->owner });
    }
    int cells(int rank) const { return (int)parts.at(names.at(rank))->cells.size(); }
    std::vector<int> neighbours(int rank) const
    {
        std::vector<int> all;
        for (const auto &t : todo)
            if (t.first == rank) all.push_back(t.second);
        std::sort(all.begin(), all.end());
        return all;
    }
    int size() const { return (int)owners.size(); }
};

int main(int argc, char **argv)
{
    int me, np;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &np);
    Mesh mesh(np);
    shade(20 + me);
    for (int to : mesh.neighbours(me)) {
        MPI_Request r;
        int from = (me + np - 1) % np, n = mesh.cells(me);
        double in[64];
        MPI_Irecv(in, 64, MPI_DOUBLE, from, mesh.size(), MPI_COMM_WORLD, &r);
        MPI_Send(field, n, MPI_DOUBLE, to, mesh.size(), MPI_COMM_WORLD);
        MPI_Wait(&r, MPI_STATUS_IGNORE);
        field[0] += in[0];
    }
    MPI_Finalize();
    return 0;
}
