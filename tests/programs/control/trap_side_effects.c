/* commslice-test: trap_side_effects
 * about: MPI calls inside conditions, with results that are used only as truth values, and errno of strtol
 * ranks: 2 3 4
 * SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <limits.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static int rank, size;

static void shift(int count, int tag, int by)
{
    static double out[256], in[256];
    MPI_Sendrecv(out, count, MPI_DOUBLE, (rank + by) % size, tag, in, 256, MPI_DOUBLE, (rank + 8 * size - by) % size,
        tag,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static int tries;
static const char answers[] = "1111" "0" "10" "110" "1110" "10100" "101" "10" "1";

static int sent(int count, int tag)
{
    shift(count, tag, 1);
    return answers[tries++] - '0';
}

/* Of the texts, two are out of range, and one is the largest number. */
static int too_large(const char *text)
{
    char *end;
    errno = 0;
    return strtol(text, &end, 10) == LONG_MAX && errno == ERANGE;
}

int main(int argc, char **argv)
{
    static const char *const texts[] = { "12", "99999999999999999999", "9223372036854775807", "-99999999999999999999" };
    int n = 2, big = 0, large[4];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int i = 0; i < 5; i++)
        if (sent(1, 1) && sent(2, 2) && sent(3, 3) && sent(4, 4))
            n++;
    for (int limit = 9; limit < 11; limit++)
        while (n < limit && (sent(n, 10) || sent(n + 1, 11)))
            n += 1 + (tries > 16);
    for (int i = 0; i < 2; i++)
        n = sent(5, 20) ? n + 7 : n + 9;
    (void)(sent(6, 21), n++);
    for (int i = 0; i < 4; i++)
        large[i] = too_large(texts[i]);
    for (int i = 0; i < 4; i++) {
        big = 2 * big + large[i];
        shift(n + (big ? 20 : 1) + big, 30 + i, 1);
    }
    printf("rank %d: %d tries %d big %d\n", rank, n, tries, big);
    MPI_Finalize();
    return 0;
}
