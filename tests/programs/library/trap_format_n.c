/* commslice-test: trap_format_n
 * about: %n in a printf format writes the count of a message; a communicator's name gives that of another one
 * ranks: 2 3
 * SPDX-License-Identifier: BSD-3-Clause */
#include <mpi.h>
#include <stdio.h>
#include <string.h>

static char big[256];

int main(int argc, char **argv)
{
    char text[64], name[MPI_MAX_OBJECT_NAME];
    int n = 0, len = 0;
    MPI_Init(&argc, &argv);
    sprintf(text, "abcde%nfgh", &n);
    MPI_Bcast(big, n, MPI_BYTE, 0, MPI_COMM_WORLD);
    MPI_Comm_set_name(MPI_COMM_WORLD, "seventeen letters");
    MPI_Comm_get_name(MPI_COMM_WORLD, name, &len);
    MPI_Bcast(big, len, MPI_BYTE, 0, MPI_COMM_WORLD);
    printf("%d %d %d\n", n, len, (int)strlen(text));
    MPI_Finalize();
    return 0;
}
