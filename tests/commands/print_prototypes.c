/* SPDX-License-Identifier: BSD-3-Clause
 * Prints what prototypes_test.sh needs of the table of MPI calls.
 * Without an argument: a C file that declares every call again after mpi.h. With `unknown`: those names on standard
 * input that the table does not know, and exit status 1 if there are any. With `refused`: those that programs must not
 * call, or that nobody has described, and what they are. */
#include <stdio.h>
#include <string.h>

#include "api/mpi_calls.h"

static bool has_c_binding(const struct cs_mpi_call *c)
{
    return strcmp(c->ret, "fortran") != 0;
}

static void print_declaration(const struct cs_mpi_call *c)
{
    printf("%s %s(", c->ret, c->name);
    for (int i = 0; i < c->nargs; i++)
        printf("%s%s", i ? ", " : "", c->args[i].ctype);
    /* The only call with a variable number of arguments. */
    printf("%s);\n", strcmp(c->name, "MPI_Pcontrol") == 0 ? ", ..." : c->nargs ? "" : "void");
}

/* Names from standard input, one a line, that the table neither has nor knows as missing. */
static int print_unknown(void)
{
    char name[256];
    int n = 0;
    while (scanf("%255s", name) == 1) {
        if (cs_mpi_find(name) || cs_mpi_missing(name))
            continue;
        puts(name);
        n++;
    }
    return n ? 1 : 0;
}

/* Names from standard input, one a line, of calls that are not followed, each with what it is. */
static int print_refused(void)
{
    char name[256];
    while (scanf("%255s", name) == 1) {
        const struct cs_mpi_call *c = cs_mpi_find(name);
        const struct cs_mpi_missing *m = cs_mpi_missing(name);
        if (m || (c && c->kind == CS_MPI_UNSUPPORTED))
            printf("%s\t%s\n", name, m ? m->what : "a row of kind UNSUPPORTED");
    }
    return 0;
}

int main(int argc, char **argv)
{
    if (argc == 2 && strcmp(argv[1], "refused") == 0)
        return print_refused();
    if (argc == 2 && strcmp(argv[1], "unknown") == 0)
        return print_unknown();
    printf("#include <mpi.h>\n");
    for (int i = 0; i < cs_mpi_ncalls(); i++)
        if (has_c_binding(cs_mpi_call(i)))
            print_declaration(cs_mpi_call(i));
    return 0;
}
