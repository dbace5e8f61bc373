/* SPDX-License-Identifier: BSD-3-Clause
 * The main program of the families in C.
 * Families in Fortran have their own, which calls begin (conf_kit.f90) for each case. */
#include <stdio.h>
#include <string.h>

#include "conf_kit.h"

int main(int argc, char **argv)
{
    int lists = argc > 1 && strcmp(argv[1], "-l") == 0;
    if (!lists)
        MPI_Init(&argc, &argv);
    for (const struct conf_case *c = conf_cases; c->name; c++)
        if (conf_begin(c->name))
            c->run();
    conf_end();
    return lists ? 0 : MPI_Finalize();
}
