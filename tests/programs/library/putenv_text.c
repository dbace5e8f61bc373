/* SPDX-License-Identifier: BSD-3-Clause
 * commslice-test: putenv_text
 * about: the environment holds a pointer to text that changes later
 * ranks: 2 3 4
 * args: 3
 */
#define _GNU_SOURCE
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Shows v by the length of a message to itself. */
#define SAY(v) \
    MPI_Sendrecv(out_bytes, (int)((unsigned)(v)&1023), MPI_CHAR, 0, 5, in_bytes, 1024, MPI_CHAR, 0, 5, MPI_COMM_SELF, \
                 MPI_STATUS_IGNORE)

static char out_bytes[1024], in_bytes[1024];

static char e[] = "CS_ADV=1";
static char buf[32];
static void tune(int k)
{
    e[7] = (char)('0' + k);
}
int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    int k = argc > 1 ? atoi(argv[1]) : 4;
    putenv(e);
    SAY(atoi(getenv("CS_ADV")));
    tune(k);
    SAY(atoi(getenv("CS_ADV")) * 3);
    snprintf(buf, sizeof buf, "CS_B=%d", k * 5);
    putenv(buf);
    char *v = getenv("CS_B");
    buf[5] = '7';
    SAY(atoi(v));
    setenv("CS_B", "12", 1);
    SAY(atoi(getenv("CS_B")));
    unsetenv("CS_ADV");
    SAY(getenv("CS_ADV") ? 4 : 9);
    extern char **environ;
    int n = 0;
    for (char **q = environ; *q; q++)
        n += !strncmp(*q, "CS_B", 4);
    SAY(n + 20);
    MPI_Finalize();
    return 0;
}
