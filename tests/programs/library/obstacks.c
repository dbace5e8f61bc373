/* commslice-test: obstacks
 * about: strings and numbers in obstacks of the C library, which get their memory from functions of the program
 * gone: unneeded
 */
#define _GNU_SOURCE
#include <mpi.h>
#include <obstack.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int chunks;
static char data[256];

static void *get_chunk(size_t size)
{
    chunks++;
    return malloc(size);
}
#define obstack_chunk_alloc get_chunk
#define obstack_chunk_free free

double unneeded(int n)
{
    double s = 0;
    for (int i = 1; i <= n; i++)
        s += 1.0 / i;
    return s;
}

static void *get_more(void *counter, size_t size)
{
    ++*(int *)counter;
    return malloc(size);
}
static void give_back(void *counter, void *chunk)
{
    (void)counter;
    free(chunk);
}

int main(int argc, char **argv)
{
    struct obstack words, numbers;
    int rank, more = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    obstack_init(&words);
    obstack_specify_allocation_with_arg(&numbers, 64, 0, get_more, give_back, &more);
    for (int i = 0; i < 900; i++) {
        char *w = obstack_copy0(&words, "seventeen letters", 17);
        w[i % 17] = 'x';
        obstack_int_grow(&numbers, i * 3);
    }
    obstack_grow(&words, "abcde", 5);
    obstack_printf(&words, "%d", 12345);
    obstack_1grow(&words, 0);
    char *last = obstack_finish(&words);
    int *list = obstack_finish(&numbers);
    MPI_Bcast(data, strlen(last), MPI_CHAR, 0, MPI_COMM_WORLD);
    MPI_Bcast(data, list[70], MPI_CHAR, 0, MPI_COMM_WORLD);
    MPI_Bcast(data, chunks, MPI_CHAR, 0, MPI_COMM_WORLD);
    MPI_Bcast(data, more, MPI_CHAR, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%d %d %g\n", chunks, more, unneeded(100));
    obstack_free(&words, NULL);
    obstack_free(&numbers, NULL);
    MPI_Finalize();
    return 0;
}
