/* SPDX-License-Identifier: BSD-3-Clause
 * commslice-test: temporary_file
 * about: counts go through a file with a name of mkstemp, and through one in a folder of mkdtemp: the names differ from
 * about: run to run, and nothing depends on them
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { MOST = 64 };
static double field[MOST];

static void stop(const char *what)
{
    perror(what);
    MPI_Abort(MPI_COMM_WORLD, 1);
}

/* What is written to a temporary file, read back. */
static int by_file(int n)
{
    char name[] = "/tmp/commslice-test-XXXXXX";
    int back = 0;
    int fd = mkstemp(name);
    if (fd < 0)
        stop(name);
    if (write(fd, &n, sizeof n) != sizeof n || lseek(fd, 0, SEEK_SET) || read(fd, &back, sizeof back) != sizeof back)
        stop(name);
    close(fd);
    remove(name);
    return back;
}

static int by_folder(int n)
{
    char folder[] = "/tmp/commslice-test-XXXXXX", name[sizeof folder + 8];
    int back = 0;
    if (!mkdtemp(folder))
        stop(folder);
    snprintf(name, sizeof name, "%s/count", folder);
    FILE *f = fopen(name, "w+");
    if (!f)
        stop(name);
    fprintf(f, "%d\n", n);
    rewind(f);
    if (fscanf(f, "%d", &back) != 1)
        stop(name);
    fclose(f);
    remove(name);
    rmdir(folder);
    return back;
}

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < MOST; i++)
        field[i] = rank + i * 0.5;
    MPI_Bcast(field, by_file(7), MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Allreduce(MPI_IN_PLACE, field, by_folder(11), MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
