/* commslice-test: settings_asked
 * about: MPI_Info_create_env with argc and argv, before MPI_Init is called and behind it
 * ranks: 2 3
 * SPDX-License-Identifier: BSD-3-Clause */
#include <mpi.h>
#include <stdio.h>

static int keys_of(int argc, char **argv, int more)
{
    MPI_Info settings;
    int keys;
    MPI_Info_create_env(argc, argv, &settings);
    if (more)
        MPI_Info_set(settings, "turns", "3");
    MPI_Info_get_nkeys(settings, &keys);
    MPI_Info_free(&settings);
    return keys;
}

int main(int argc, char **argv)
{
    int before = keys_of(argc, argv, 0), block[8] = {0};
    MPI_Init(&argc, &argv);
    int behind = keys_of(0, NULL, 1);
    MPI_Bcast(block, behind - before + 1, MPI_INT, 0, MPI_COMM_WORLD);
    printf("%d\n", behind - before);
    MPI_Finalize();
    return 0;
}
