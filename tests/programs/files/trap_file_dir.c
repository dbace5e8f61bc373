/* commslice-test: trap_file_dir
 * about: no link and no new name: what is written in a folder is read by the same last part of the name, and a folder
 * about: that is made lets a file be made in it
 * ranks: 2 3
 * SPDX-License-Identifier: BSD-3-Clause */
#include <mpi.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    int rank, size, n = 0, made, buf[64] = {0};
    char home[32];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    snprintf(home, sizeof home, "dir.%d", rank);
    mkdir(home, 0777);
    if (chdir(home))
        return 1;

    FILE *f = fopen("sub/file", "w"); /* there is no such folder yet */
    made = f != NULL;
    if (f)
        fclose(f);
    mkdir("sub", 0777);
    f = fopen("sub/file", "w");
    made += 2 * (f != NULL);
    MPI_Bcast(buf, 1 + made, MPI_INT, 0, MPI_COMM_WORLD);
    if (!f)
        return 1;
    fprintf(f, "%d", 20 + size);
    fclose(f);

    if (chdir("sub"))
        return 1;
    f = fopen("file", "r");
    if (f && fscanf(f, "%d", &n) == 1)
        MPI_Bcast(buf, n, MPI_INT, 0, MPI_COMM_WORLD);
    if (f)
        fclose(f);

    f = fopen("other", "w");
    if (f)
        fclose(f);
    MPI_Bcast(buf, access("other", F_OK) ? 3 : 5, MPI_INT, 0, MPI_COMM_WORLD);
    unlink("other");
    MPI_Bcast(buf, access("other", F_OK) ? 7 : 9, MPI_INT, 0, MPI_COMM_WORLD);
    printf("rank %d: %d\n", rank, n);
    MPI_Finalize();
    return 0;
}
