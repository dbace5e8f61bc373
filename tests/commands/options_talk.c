/* SPDX-License-Identifier: BSD-3-Clause
 * Says what reaches the ranks: arguments, environment, standard input; and prints in ways that are hard to tag.
 * The first argument says what to do. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void what_we_have(int rank, int argc, char **argv)
{
    char line[100] = "nothing";
    const char *value = getenv("OPTIONS_TEST");
    if (!fgets(line, sizeof line, stdin))
        strcpy(line, "end");
    line[strcspn(line, "\n")] = 0;
    printf("rank %d: %d arguments", rank, argc - 2);
    for (int i = 2; i < argc; i++)
        printf(" <%s>", argv[i]);
    printf(", OPTIONS_TEST=<%s>, input <%s>\n", value ? value : "unset", line);
}

/* Lines in pieces, many lines in one piece, long lines, an end without newline. */
static void print_lines(int rank)
{
    setvbuf(stdout, NULL, _IONBF, 0);
    for (int i = 0; i < 50; i++) {
        printf("line %d", i);
        printf(" of %d", rank);
        printf("\n");
    }
    printf("one of %d\ntwo of %d\n", rank, rank);
    for (int i = 0; i < 20000; i++)
        fputs("0123456789", stdout);
    printf(" long line of %d\n", rank);
    printf("last of %d", rank);
}

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    const char *how = argc > 1 ? argv[1] : "";
    if (strcmp(how, "have") == 0)
        what_we_have(rank, argc, argv);
    else if (strcmp(how, "lines") == 0)
        print_lines(rank);
    else if (strcmp(how, "slow") == 0)
        usleep(400000);
    MPI_Finalize();
    return 0;
}
