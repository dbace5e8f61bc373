/* SPDX-License-Identifier: BSD-3-Clause
 * Ranks that write and read files in the way that the first argument says; for read_back_test.sh. The second one is a
 * file that was there before. */
#include <fcntl.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int rank;

static void put(const char *name, const char *mode)
{
    FILE *f = fopen(name, mode);
    if (!f)
        MPI_Abort(MPI_COMM_WORLD, 1);
    fputs("17\n", f);
    fclose(f);
}

static void get(const char *name)
{
    char line[80];
    FILE *f = fopen(name, "r");
    if (f && !fgets(line, sizeof line, f))
        line[0] = 0;
    if (f)
        fclose(f);
}

static void both(const char *name, int back)
{
    char line[8] = "";
    int fd = open(name, O_RDWR | O_CREAT, 0666);
    if (fd < 0 || (!back && read(fd, line, 3) < 0) || write(fd, "18\n", 3) != 3)
        MPI_Abort(MPI_COMM_WORLD, 1);
    if (back && (lseek(fd, 0, SEEK_SET) || read(fd, line, 3) != 3))
        MPI_Abort(MPI_COMM_WORLD, 1);
    close(fd);
}

int main(int argc, char **argv)
{
    struct stat st;
    char own[32];
    int early = argc > 1 && !strcmp(argv[1], "early");
    if (early)
        put("early.dat", "w");
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (argc < 3)
        MPI_Abort(MPI_COMM_WORLD, 1);
    const char *how = argv[1], *input = argv[2];
    snprintf(own, sizeof own, "own.%d", rank);
    if (!strcmp(how, "nothing")) {
        get(input);
        put(own, "w");
        put(own, "a");
        printf("%d\n", rank);
    } else if (!strcmp(how, "own")) {
        put(own, "w");
        get(own);
    } else if (!strcmp(how, "other") || !strcmp(how, "moved") || !strcmp(how, "asked") || !strcmp(how, "size")) {
        if (rank == 0)
            put("young.dat", "w");
        if (rank == 0 && !strcmp(how, "moved"))
            rename("young.dat", "out.dat");
        MPI_Barrier(MPI_COMM_WORLD);
        if (rank == 1 && !strcmp(how, "other"))
            get("young.dat");
        if (rank == 1 && !strcmp(how, "moved"))
            get("out.dat");
        if (rank == 1 && !strcmp(how, "asked"))
            printf("%d\n", access("young.dat", R_OK));
        if (rank == 1 && !strcmp(how, "size") && stat("young.dat", &st) == 0)
            printf("%ld\n", (long)st.st_size);
    } else if (!strcmp(how, "gone")) {
        if (rank == 0)
            rename(input, "elsewhere");
        MPI_Barrier(MPI_COMM_WORLD);
        if (rank == 1)
            get(input);
    } else if (!strcmp(how, "later")) { /* what is read is overwritten afterwards */
        get(input);
        MPI_Barrier(MPI_COMM_WORLD);
        if (rank == 0)
            put(input, "w");
    } else if (!strcmp(how, "while")) { /* and here it is not yet closed */
        FILE *f = fopen(input, "r");
        MPI_Barrier(MPI_COMM_WORLD);
        if (rank == 0)
            put(input, "a");
        MPI_Barrier(MPI_COMM_WORLD);
        if (f)
            fclose(f);
    } else if (!strcmp(how, "both"))
        both(own, 0);
    else if (!strcmp(how, "back"))
        both(own, 1);
    else if (early && rank == 1)
        get("early.dat");
    MPI_Finalize();
    return 0;
}
