/* SPDX-License-Identifier: BSD-3-Clause
 * commslice-test: woven_loops
 * about: loops entered in the middle, a switch into a loop, a state machine that reads text
 * ranks: 2 3 4
 * args: 3
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Shows v by the length of a message to itself. */
#define SAY(v) \
    MPI_Sendrecv(out_bytes, (int)((unsigned)(v)&1023), MPI_CHAR, 0, 5, in_bytes, 1024, MPI_CHAR, 0, 5, MPI_COMM_SELF, \
                 MPI_STATUS_IGNORE)

static char out_bytes[1024], in_bytes[1024];

static int duff(int n, int k)
{
    int s = 0, i = (n + 3) / 4;
    switch (n % 4) {
    case 0: do { s += k;
        case 3: s = s * 2 + 1;
        case 2: s ^= 5;
        case 1: s += 3;
        } while (--i > 0);
    }
    return s;
}
static int weave(int k, double *w)
{
    int i = 0, j = 0, s = 0;
    if (k & 1)
        goto in;
again:
    i += 2;
    s += i;
    if (i > 20)
        goto out;
in:
    j++;
    s = s * 3 + j;
    w[j % 8] += s;
    if (j % 3 == 0)
        goto again;
    if (s % 5 == 2) {
        i++;
        goto in;
    }
    if (s < 4000)
        goto again;
out:
    return s + j;
}
static int machine(const char *p)
{
    enum { S, NUM, NAME, SKIP } st = S;
    int v = 0, out = 0;
    for (;;) {
        char c = *p++;
        switch (st) {
        case S:
            if (c >= '0' && c <= '9') {
                st = NUM;
                v = c - '0';
            } else if (c >= 'a')
                st = NAME;
            else if (!c)
                return out;
            break;
        case NUM:
            if (c >= '0' && c <= '9') {
                v = v * 10 + c - '0';
                break;
            }
            out = out * 2 + v;
            st = c == '#' ? SKIP : S;
            if (!c)
                return out;
            break;
        case NAME:
            if (c == '=')
                st = S;
            else if (!c)
                return -1;
            break;
        case SKIP:
            if (c == ';')
                st = S;
            else if (!c)
                return out + 1000;
        }
    }
}
int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    int k = argc > 1 ? atoi(argv[1]) : 4;
    double w[8] = {0};
    SAY(duff(k, 4));
    SAY(duff(k + 4, 2));
    SAY(weave(k, w));
    SAY(weave(k + 1, w));
    char b[40];
    snprintf(b, sizeof b, "n=%d m=1%d#zz 4;k=%d", k, k, rank);
    SAY(machine(b));
    int n = 0;
outer:
    for (int i = 0; i < 5; i++)
        for (int j = 0; j < 5; j++) {
            n++;
            if (i * j == k && n < 30)
                goto outer;
            if (i * j > 10)
                goto done;
        }
done:
    SAY(n);
    double s = 0;
    for (int i = 0; i < 8; i++)
        s += w[i];
    MPI_Reduce(&s, in_bytes, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
