/* SPDX-License-Identifier: BSD-3-Clause
 * commslice-test: checked_bytes
 * about: bytes packed by hand, with lengths in between and a check sum, are read by a loop over tags
 * ranks: 2 3 4
 * args: 3
 */
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

/* Shows v by the length of a message to itself. */
#define SAY(v) \
    MPI_Sendrecv(out_bytes, (int)((unsigned)(v)&1023), MPI_CHAR, 0, 5, in_bytes, 1024, MPI_CHAR, 0, 5, MPI_COMM_SELF, \
                 MPI_STATUS_IGNORE)

static char out_bytes[1024], in_bytes[1024];

static unsigned char wire[600];
static int wn;
static void p8(unsigned v)
{
    wire[wn++] = (unsigned char)v;
}
static void p32(unsigned v)
{
    for (int i = 0; i < 4; i++)
        p8(v >> 8 * i);
}
static void pf(double d)
{
    unsigned long long u;
    memcpy(&u, &d, 8);
    p32((unsigned)u);
    p32((unsigned)(u >> 32));
}
static unsigned g32(const unsigned char **p)
{
    unsigned v = 0;
    for (int i = 0; i < 4; i++)
        v |= (unsigned)*(*p)++ << 8 * i;
    return v;
}
static double gf(const unsigned char **p)
{
    unsigned long long u = g32(p);
    u |= (unsigned long long)g32(p) << 32;
    double d;
    memcpy(&d, &u, 8);
    return d;
}
static unsigned sum(const unsigned char *b, int n)
{
    unsigned a = 1, s = 0;
    while (n--) {
        a = (a + *b++) % 65521;
        s = (s + a) % 65521;
    }
    return s << 16 | a;
}
int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    int k = argc > 1 ? atoi(argv[1]) : 4, nx = (rank + 1) % size, pv = (rank + size - 1) % size;
    unsigned char in[600];
    for (int i = 0; i < k; i++) {
        if (i % 3 == 0) {
            p8('i');
            p32(i * k + rank);
        } else if (i % 3 == 1) {
            p8('s');
            p8(3 + i);
            for (int j = 0; j < 3 + i; j++)
                p8('a' + j);
        } else {
            p8('f');
            pf(i * 1.5);
        }
    }
    p8(0);
    unsigned c = sum(wire, wn);
    p32(c);
    MPI_Status st;
    int n;
    MPI_Request q;
    MPI_Isend(wire, wn, MPI_BYTE, nx, 1, MPI_COMM_WORLD, &q);
    MPI_Recv(in, 600, MPI_BYTE, pv, 1, MPI_COMM_WORLD, &st);
    MPI_Get_count(&st, MPI_BYTE, &n);
    MPI_Wait(&q, MPI_STATUS_IGNORE);
    const unsigned char *p = in, *e = in + n - 4;
    int ints = 0, chars = 0;
    double f = 0;
    while (*p) {
        switch (*p++) {
        case 'i': ints += g32(&p); break;
        case 's': {
            int l = *p++;
            chars += p[l - 1];
            p += l;
            break;
        }
        case 'f': f += gf(&p); break;
        }
    }
    unsigned want = g32(&e);
    int ok = want == sum(in, n - 4);
    SAY(ok ? ints : 999);
    SAY(chars);
    SAY(f * 2);
    SAY(want);
    MPI_Finalize();
    return 0;
}
