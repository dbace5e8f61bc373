/* commslice-test: trap_file_one_stream
 * about: streams that come from a helper, change their file by freopen, or are what stdout has become; unlike names
 * about: stay apart only while nothing of that happens
 * ranks: 2 3
 * SPDX-License-Identifier: BSD-3-Clause */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static int rank;

static void meet(int n)
{
    int all[64];
    for (int i = 0; i < 64; i++)
        all[i] = rank + i;
    MPI_Bcast(all, 1 + n % 60, MPI_INT, 0, MPI_COMM_WORLD);
}

static FILE *open_file(const char *stem, const char *mode)
{
    char name[64];
    snprintf(name, sizeof name, "%s.%d", stem, rank);
    return fopen(name, mode);
}

static int get(const char *stem)
{
    int value = 0;
    FILE *f = open_file(stem, "r");
    if (!f || fscanf(f, "%d", &value) != 1)
        return 1;
    fclose(f);
    return value;
}

int main(int argc, char **argv)
{
    char name[64];
    FILE *table[2];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    table[0] = open_file("first", "w");
    table[1] = open_file("second", "w");
    if (!table[0] || !table[1])
        return 1;
    for (int i = 0; i < 2; i++)
        fprintf(table[i], "%d\n", 21 + i);
    fclose(table[0]);
    snprintf(name, sizeof name, "third.%d", rank);
    if (!(table[1] = freopen(name, "w", table[1])))
        return 1;
    fprintf(table[1], "%d\n", 25);
    fclose(table[1]);
    meet(get("first"));
    meet(get("second"));
    meet(get("third"));
    fflush(stdout);
    snprintf(name, sizeof name, "fourth.%d", rank);
    if (!freopen(name, "w", stdout))
        return 1;
    printf("%d\n", 29);
    fflush(stdout);
    meet(get("fourth"));
    MPI_Finalize();
    return 0;
}
