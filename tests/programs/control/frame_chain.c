/* SPDX-License-Identifier: BSD-3-Clause
 * commslice-test: frame_chain
 * about: a search whose stack frames are a list; what it has found decides roots and counts
 * ranks: 2 3 4
 * args: 3
 */
#include <mpi.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Shows v by the length of a message to itself. */
#define SAY(v) \
    MPI_Sendrecv(out_bytes, (int)((unsigned)(v)&1023), MPI_CHAR, 0, 5, in_bytes, 1024, MPI_CHAR, 0, 5, MPI_COMM_SELF, \
                 MPI_STATUS_IGNORE)

static char out_bytes[1024], in_bytes[1024];

struct frame {
    struct frame *up;
    int row, col;
    double cost;
};
static struct frame *top;
static int found, best[8];
static int safe(int c)
{
    int d = 1;
    for (struct frame *f = top; f; f = f->up, d++)
        if (f->col == c || abs(f->col - c) == d)
            return 0;
    return 1;
}
static void place(int row, int n, int k);
static void tryc(int row, int c, int n, int k)
{
    struct frame f = {top, row, c, sqrt(row + c)};
    top = &f;
    place(row + 1, n, k);
    top = f.up;
}
static void place(int row, int n, int k)
{
    if (row == n) {
        if (++found == k) {
            int i = n - 1;
            for (struct frame *f = top; f; f = f->up)
                best[i--] = f->col;
        }
        return;
    }
    for (int c = 0; c < n; c++)
        if (safe(c))
            tryc(row, c, n, k);
}
int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    int k = argc > 1 ? atoi(argv[1]) : 4;
    place(0, 6, k % 4 + 1);
    SAY(found);
    for (int i = 0; i < 6; i++)
        MPI_Bcast(out_bytes, best[i] * 11 + i, MPI_CHAR, best[i] % size, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
