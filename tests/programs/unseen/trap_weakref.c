/* commslice-test: trap_weakref
 * about: a weak reference to a function that no source defines, and one to a function that the program has
 * ranks: 2
 */
#include <mpi.h>
#include <stdio.h>

static int upper(int) __attribute__((weakref("toupper")));
static int twice(int) __attribute__((weakref("twice_of")));

int twice_of(int n)
{
    return 2 * n;
}

int main(int argc, char **argv)
{
    static char data[512];
    MPI_Init(&argc, &argv);
    MPI_Bcast(data, upper(96 + argc), MPI_CHAR, 0, MPI_COMM_WORLD);
    MPI_Bcast(data, twice(argc + 1), MPI_CHAR, 0, MPI_COMM_WORLD);
    printf("done\n");
    return MPI_Finalize();
}
