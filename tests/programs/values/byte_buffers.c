/* commslice-test: byte_buffers
 * about: parameters pass through byte buffers: memcpy, memmove, memset, shifts, a broadcast of MPI_BYTE
 * ranks: 2 3 4
 * gone: quantise
 * array: signal 64
 * marks: content=1
 * SPDX-License-Identifier: BSD-3-Clause */
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define N (8 * 1024 * 1024)

struct job { int16_t kind; int32_t count; uint8_t tag; char label[5]; };

static double quantise(double *s, int n)
{
    double t = 0.0;
    for (int i = 0; i < n; i++) {
        s[i] = (double)((i * 7) & 0xff) / 16.0;
        t += s[i];
    }
    return t;
}

static unsigned char *put32(unsigned char *p, uint32_t v)
{
    for (int i = 3; i >= 0; i--)
        *p++ = (unsigned char)(v >> (8 * i));
    return p;
}

static uint32_t get32(const unsigned char *p)
{
    uint32_t v = 0;
    for (int i = 0; i < 4; i++)
        v = v << 8 | p[i];
    return v;
}

static int pack(unsigned char *buf, const struct job *j, int n)
{
    unsigned char *p = put32(buf, (uint32_t)n);
    for (int i = 0; i < n; i++) {
        memcpy(p, &j[i], sizeof j[i]);
        p += sizeof j[i];
    }
    return (int)(p - buf);
}

int main(int argc, char **argv)
{
    unsigned char buf[256];
    struct job jobs[4], j = {0};
    int rank, size, len = 0;
    double in[64];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    double *signal = malloc(N * sizeof *signal), t = quantise(signal, N);

    memset(buf, 0, sizeof buf);
    if (rank == 0) {
        memset(jobs, 0, sizeof jobs);
        for (int i = 0; i < 4; i++) {
            jobs[i].kind = (int16_t)(i % 2 + 1);
            jobs[i].count = 6 + 5 * i;
            jobs[i].tag = (uint8_t)(30 + i);
            memcpy(jobs[i].label, "abcd", 5);
        }
        memmove(&jobs[1], &jobs[0], 2 * sizeof jobs[0]);    /* 0 0 1 3 */
        len = pack(buf + 8, jobs, 4);
        memmove(buf, buf + 8, (size_t)len);
    }
    MPI_Bcast(buf, (int)sizeof buf, MPI_BYTE, 0, MPI_COMM_WORLD);
    int n = (int)get32(buf);
    for (int i = 0; i < n; i++) {
        memcpy(&j, buf + 4 + (size_t)i * sizeof j, sizeof j);
        int d = j.kind % size;
        MPI_Sendrecv(signal, j.count + j.label[1] - 'a', MPI_DOUBLE, (rank + d) % size, j.tag, in, 64, MPI_DOUBLE,
                     (rank + size - d) % size, j.tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    printf("rank %d: %d jobs, last %d, %g\n", rank, n, (int)j.count, t);
    free(signal);
    MPI_Finalize();
    return 0;
}
