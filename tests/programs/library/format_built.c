/* SPDX-License-Identifier: BSD-3-Clause
 * commslice-test: format_built
 * about: a table is printed by a format that is built with the width of its names;
 * about: what it prints decides, how it is printed not
 * ranks: 2 3
 * gone: widest build
 */
#include <mpi.h>
#include <stdio.h>
#include <string.h>

struct option {
    char name[20];
    int value;
};

static int widest(const struct option *o, int n)
{
    int w = 0;
    for (int i = 0; i < n; i++)
        if ((int)strlen(o[i].name) > w)
            w = (int)strlen(o[i].name);
    return w;
}

static void build(char *format, int width)
{
    snprintf(format, 100, "  --%%-%ds %%%dd;", width, width / 2);
}

int main(int argc, char **argv)
{
    struct option o[3] = {{"steps", 3}, {"cells", 20}, {"verbose", 1}};
    char format[100];
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    o[0].value += argc;
    build(format, widest(o, 3));
    for (int i = 0; i < 3; i++)
        fprintf(stdout, format, o[i].name, o[i].value);
    for (int i = 0; i < o[0].value; i++)
        MPI_Sendrecv_replace(&o[1].value, 1, MPI_INT, (rank + 1) % size, o[2].value, (rank + size - 1) % size,
                             o[2].value, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
