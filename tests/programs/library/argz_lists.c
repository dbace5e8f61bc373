/* commslice-test: argz_lists
 * about: lists of strings and of settings behind each other in memory (argz, envz); characters of 16 bits
 * gone: unneeded
 */
#define _GNU_SOURCE
#include <argz.h>
#include <envz.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <uchar.h>

static char data[256];

double unneeded(int n)
{
    double s = 0;
    for (int i = 1; i <= n; i++)
        s += 1.0 / i;
    return s;
}
static void say(int count)
{
    MPI_Bcast(data, count, MPI_CHAR, 0, MPI_COMM_WORLD);
}

int main(int argc, char **argv)
{
    int rank, n = 0;
    unsigned replaced = 0;
    char *list = NULL, *settings = NULL, *given = NULL, *entry = NULL, *all[16];
    size_t length = 0, size = 0, given_size = 0;
    char16_t wide;
    mbstate_t state;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    memset(&state, 0, sizeof state);
    argz_create(argv, &given, &given_size);
    argz_create_sep("one:three:seventeen", ':', &list, &length);
    argz_add(&list, &length, "twentyone");
    argz_add_sep(&list, &length, "a,bc,def", ',');
    argz_insert(&list, &length, list, "first");
    argz_replace(&list, &length, "e", "EE", &replaced);
    argz_append(&list, &length, "x\0yz", 5);
    argz_delete(&list, &length, argz_next(list, length, NULL));
    while ((entry = argz_next(list, length, entry)))
        n = 3 * n % 101 + strlen(entry);
    say(n);
    say(argz_count(list, length) + 20 * replaced);
    argz_extract(list, length, all);
    say(strlen(all[2]));
    argz_stringify(list, length, '+');
    say(strcspn(list, "+") + strlen(list));
    envz_add(&settings, &size, "count", "37");
    envz_add(&settings, &size, "peer", "1");
    envz_add(&settings, &size, "count", "41");
    envz_remove(&settings, &size, "peer");
    envz_merge(&settings, &size, "tag=55", 7, 1);
    envz_strip(&settings, &size);
    say(atoi(envz_get(settings, size, "count")));
    say(atoi(envz_get(settings, size, "tag")) + strlen(envz_entry(settings, size, "count")));
    say(argz_count(given, given_size));
    say(mbrtoc16(&wide, "A", 1, &state) + wide);
    if (rank == 0)
        printf("%d %g\n", n, unneeded(100));
    free(list);
    free(settings);
    free(given);
    MPI_Finalize();
    return 0;
}
