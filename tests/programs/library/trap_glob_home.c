/* SPDX-License-Identifier: BSD-3-Clause
 * commslice-test: trap_glob_home
 * about: glob asks the environment, which the program has set, what ~ is; the name that it finds decides a count
 * ranks: 2 3
 */
#define _GNU_SOURCE
#include <glob.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int pay[64];

int main(int argc, char **argv)
{
    glob_t g;
    int n = 2;
    MPI_Init(&argc, &argv);
    setenv("HOME", "/usr/..", 1);
    if (glob("~/dev/null", GLOB_TILDE, NULL, &g) == 0) n = (int)strlen(g.gl_pathv[0]);
    MPI_Bcast(pay, n, MPI_INT, 0, MPI_COMM_WORLD);
    printf("%d\n", n);
    MPI_Finalize();
    return 0;
}
