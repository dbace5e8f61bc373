/* commslice-test: trap_built_names
 * about: names that are put together and yet mean the file that is read: the same beginning, a cut, a slash behind it,
 * about: a buffer that is filled in other ways, too
 * ranks: 2 3
 * SPDX-License-Identifier: BSD-3-Clause */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static int rank, size;
static char common[32];

static void meet(int n)
{
    int all[64];
    for (int i = 0; i < 64; i++)
        all[i] = rank + i;
    MPI_Bcast(all, 1 + n % 60, MPI_INT, 0, MPI_COMM_WORLD);
}

static void put(const char *name, int value)
{
    FILE *f = fopen(name, "w");
    if (!f)
        exit(1);
    fprintf(f, "%d\n", value);
    fclose(f);
}

/* A stream by each way, so that each is a file of its own. */
#define GET(NAME) \
    do { \
        int got = 0; \
        MPI_Barrier(MPI_COMM_WORLD); \
        FILE *g = fopen(NAME, "r"); \
        if (g && fscanf(g, "%d", &got) != 1) \
            got = -1; \
        if (g) \
            fclose(g); \
        meet(got); \
    } while (0)
#define PUT(NAME, VALUE) \
    do { \
        FILE *p = fopen(NAME, "w"); \
        if (p) { \
            fprintf(p, "%d\n", VALUE); \
            fclose(p); \
        } \
    } while (0)

static void same_beginning(void)
{
    char name[32];
    snprintf(name, sizeof name, "step%d.dat", 7 + 0 * rank);
    if (rank == 0)
        PUT(name, 11);
    GET("step7.dat");
    snprintf(name, sizeof name, "7%s", ".x");
    if (rank == 0)
        PUT(name, 13);
    GET("7.x");
}

__attribute__((noipa)) static void cut_off(size_t room)
{
    char name[32];
    snprintf(name, room, "abcdef%d", rank);
    if (rank == 0)
        PUT(name, 17);
    GET("abc");
}

static void slash(void)
{
    char name[64], more[64];
    mkdir("plan0", 0777);
    snprintf(name, sizeof name, "plan%d%s", 0 * rank, "/../deck");
    if (rank == 0)
        PUT(name, 19);
    GET("deck");
    sprintf(more, "plan%d", 0 * rank);
    strcat(more, "/chart");
    if (rank == 0)
        PUT(more, 23);
    GET("plan0/chart");
    char folder[64];
    sprintf(folder, "plan%d/sheet", 0 * rank);
    if (rank == 0)
        PUT(folder, 29);
    GET("plan0/sheet");
}

static void fill(char *to, const char *text)
{
    for (; *text; text++)
        *to++ = *text;
    *to = 0;
}

static void other_ways(void)
{
    char name[32], line[32];
    snprintf(name, sizeof name, "first%d", rank);
    if (size > 1)
        fill(name, "second");
    if (rank == 0)
        PUT(name, 31);
    GET("second");
    snprintf(line, sizeof line, "third%d", rank);
    if (sscanf("fourth 5", "%31s", line) == 1 && rank == 0)
        PUT(line, 37);
    GET("fourth");
    if (size > 100)
        sprintf(common, "fifth%d", rank);
    strcat(common, "sixth");
    if (rank == 0)
        PUT(common, 41);
    GET("sixth");
    snprintf(name + 0, sizeof name, "seventh%d", rank);
    memcpy(name, "eight\0", 6);
    if (rank == 0)
        PUT(name, 43);
    GET("eight");
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    same_beginning();
    cut_off(4);
    slash();
    other_ways();
    if (rank == 0)
        put("done", 1);
    printf("rank %d\n", rank);
    MPI_Finalize();
    return 0;
}
