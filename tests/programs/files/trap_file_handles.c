/* commslice-test: trap_file_handles
 * about: files that are written and read through descriptors, streams on descriptors, /dev/fd, nameless files, and by
 * about: child processes that copy them
 * ranks: 2 3
 * SPDX-License-Identifier: BSD-3-Clause */
#include <fcntl.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static int rank;

static void meet(int n)
{
    int all[64];
    for (int i = 0; i < 64; i++)
        all[i] = rank + i;
    MPI_Bcast(all, 1 + n % 60, MPI_INT, 0, MPI_COMM_WORLD);
}

static int get(FILE *f)
{
    int value = 0;
    if (!f || fscanf(f, "%d", &value) != 1)
        return 0;
    fclose(f);
    return value;
}

static void descriptors(void)
{
    char text[16] = {0};
    int fd = open("raw", O_WRONLY | O_CREAT | O_TRUNC, 0666), again;
    if (fd < 0 || write(fd, "31\n", 3) != 3)
        exit(1);
    again = dup(fd);
    close(fd);
    if (write(again, "37\n", 3) != 3)
        exit(1);
    close(again);
    meet(get(fopen("raw", "r")));
    fd = open("raw", O_RDONLY);
    if (fd < 0 || lseek(fd, 3, SEEK_SET) < 0 || read(fd, text, 3) != 3)
        exit(1);
    close(fd);
    meet(atoi(text));
}

static void streams_on_descriptors(void)
{
    char name[32];
    int fd = open("both", O_RDWR | O_CREAT | O_TRUNC, 0666);
    FILE *f = fd < 0 ? NULL : fdopen(fd, "w+");
    if (!f)
        exit(1);
    fprintf(f, "%d\n", 41);
    fflush(f);
    snprintf(name, sizeof name, "/dev/fd/%d", fd);
    meet(get(fopen(name, "r")));
    fclose(f);
    f = fopen("out", "w");
    if (!f)
        exit(1);
    dprintf(fileno(f), "%d\n", 43);
    fclose(f);
    meet(get(fopen("out", "r")));
}

static void without_name(void)
{
    FILE *f = tmpfile();
    if (!f)
        exit(1);
    fprintf(f, "%d\n", 47);
    rewind(f);
    meet(get(f));
}

static void children(void)
{
    FILE *f = fopen("mother", "w");
    if (!f)
        exit(1);
    fprintf(f, "%d\n", 53);
    fclose(f);
    f = popen("cat mother", "r");
    int n = 0;
    if (!f || fscanf(f, "%d", &n) != 1)
        exit(1);
    pclose(f);
    meet(n);
    if (system("cp mother child"))
        exit(1);
    meet(get(fopen("child", "r")));
}

int main(int argc, char **argv)
{
    char home[32];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    snprintf(home, sizeof home, "handles.%d", rank);
    mkdir(home, 0777);
    if (chdir(home))
        return 1;
    descriptors();
    streams_on_descriptors();
    without_name();
    children();
    printf("rank %d\n", rank);
    MPI_Finalize();
    return 0;
}
