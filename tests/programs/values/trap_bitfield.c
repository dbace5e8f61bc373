/* commslice-test: trap_bitfield
 * about: a live bit-field shares its word with dead ones, a live byte its array with dead bytes
 * ranks: 2 3 4
 * SPDX-License-Identifier: BSD-3-Clause */
#include <mpi.h>
#include <stdio.h>

static int rank, size;

static void shift(int count, int tag, int by)
{
    static double out[256], in[256];
    MPI_Sendrecv(out, count, MPI_DOUBLE, (rank + by) % size, tag, in, 256, MPI_DOUBLE, (rank + 8 * size - by) % size,
        tag,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

struct flags { unsigned dead : 11, count : 7, more : 1, junk : 13; };
union both { struct flags f; unsigned word; };

static unsigned churn(struct flags *f)
{
    for (int i = 0; i < 1000; i++) {
        f->dead += 7;
        f->junk ^= f->dead;
    }
    return f->junk;
}

int main(int argc, char **argv)
{
    struct flags f = {0, 5, 1, 0}, g;
    union both u;
    unsigned char bytes[8] = {0};
    unsigned x;
    _Bool odd;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    x = churn(&f);
    g = f;
    while (g.more) {
        shift(g.count, 1, 1);
        g.count += 40;                   /* 45 85 125 then wraps: 37 */
        g.more = g.count != 37;
        g.dead = (g.dead + x) & 0x7ff;
    }
    u.word = 0;
    u.f.count = 77;
    u.f.junk = f.junk;
    shift((int)((u.word >> 11) & 0x7f), 2, 1);
    bytes[3] = (unsigned char)(250 + 10 + rank);
    bytes[2] = (unsigned char)x;
    odd = bytes[3] & 6;
    shift(bytes[3] + odd, 3, 1);
    printf("rank %d: %u %u\n", rank, x, (unsigned)g.count);
    MPI_Finalize();
    return 0;
}
