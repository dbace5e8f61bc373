/* commslice-test: job_queue
 * about: a queue of structs that a heap sorts and from whose middle one is taken: each place needs what is behind it,
 * about: and parts of an array are asked for without end
 * ranks: 2 3
 * SPDX-License-Identifier: BSD-3-Clause */
#include <algorithm>
#include <cstdio>
#include <vector>

#include <mpi.h>

struct Job {
    int due, cost;
    bool operator<(const Job &other) const { return due > other.due; }
};

/* The dearest, or every second time the one that is due first. */
static int choose(std::vector<Job> &queue, int &skip)
{
    int best = 0;
    skip = !skip;
    if (skip)
        std::make_heap(queue.begin(), queue.end());
    for (int i = 0; !skip && i < (int)queue.size(); i++)
        if (queue[i].cost > queue[best].cost)
            best = i;
    return best;
}

int main(int argc, char **argv)
{
    int rank, size, now = 0, late = 0, skip = 1, got;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    std::vector<Job> queue;
    for (int i = 0; i < 14; i++)
        queue.push_back({(i * 11 + rank) % 17, i * i % 6 + 1});
    while (!queue.empty()) {
        int at = choose(queue, skip);
        Job job = queue[at];
        queue.erase(queue.begin() + at);
        now += job.cost;
        late += now > job.due;
        MPI_Sendrecv(&late, 1, MPI_INT, (rank + 1) % size, job.cost, &got, 1, MPI_INT, (rank + size - 1) % size,
                     MPI_ANY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        now += got % 3;
    }
    std::printf("rank %d: %d late at %d\n", rank, late, now);
    return MPI_Finalize();
}
