/* commslice-test: trap_file_names
 * about: one file by several names: another folder, a hard and a symbolic link, a new name while it is open, another
 * about: working folder; it is appended to, and written in its middle
 * ranks: 2 3
 * SPDX-License-Identifier: BSD-3-Clause */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static int rank, size;

static void meet(int n)
{
    int all[64];
    for (int i = 0; i < 64; i++)
        all[i] = rank + i;
    MPI_Bcast(all, 1 + n % 60, MPI_INT, 0, MPI_COMM_WORLD);
}

static void put(const char *name, const char *mode, int value)
{
    FILE *f = fopen(name, mode);
    if (!f)
        exit(1);
    fprintf(f, "%d\n", value);
    fclose(f);
}

static int get(const char *name, int line)
{
    int value = 0;
    FILE *f = fopen(name, "r");
    for (int i = 0; f && i <= line; i++)
        if (fscanf(f, "%d", &value) != 1)
            value = -1;
    if (f)
        fclose(f);
    return value;
}

static void folders(void)
{
    mkdir("deep", 0777);
    put("deep/note", "w", 7);
    if (chdir("deep"))
        exit(1);
    meet(get("note", 0));
    if (chdir(".."))
        exit(1);
    meet(get("./deep/../deep/note", 0));
}

static void links(void)
{
    put("plain", "w", 11);
    if (link("plain", "hard") || symlink("plain", "soft"))
        exit(1);
    put("plain", "a", 13);
    meet(get("hard", 1));
    meet(get("soft", 0));
}

static void renamed(void)
{
    FILE *f = fopen("young", "w");
    if (!f || rename("young", "old"))
        exit(1);
    fprintf(f, "%d\n", 17);
    fclose(f);
    meet(get("old", 0));
}

static void middle(void)
{
    FILE *f;
    put("plan", "w", 123456);
    f = fopen("plan", "r+");
    if (!f)
        exit(1);
    fseek(f, 2, SEEK_SET);
    fputs("9", f);
    fclose(f);
    meet(get("plan", 0) / 1000);
}

int main(int argc, char **argv)
{
    char home[32];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    snprintf(home, sizeof home, "names.%d", rank);
    mkdir(home, 0777);
    if (chdir(home))
        return 1;
    folders();
    links();
    renamed();
    middle();
    printf("rank %d of %d\n", rank, size);
    MPI_Finalize();
    return 0;
}
