/* commslice-test: trap_hidden_state
 * about: dead calls of rand, strtok and fgetc move the hidden state on which the next live call depends
 * ranks: 2 3 4
 * files: numbers.txt=17# some words # 23 99\n
 * SPDX-License-Identifier: BSD-3-Clause */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int rank, size;

static void shift(int count, int tag, int by)
{
    static double out[256], in[256];
    MPI_Sendrecv(out, count, MPI_DOUBLE, (rank + by) % size, tag, in, 256, MPI_DOUBLE, (rank + 8 * size - by) % size,
        tag,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv)
{
    char text[] = "skip me 12 skip 9 end", *word;
    int n = 0, dead = 0, first, second;
    FILE *f;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    srand(42);
    for (int i = 0; i < 10; i++)
        dead += rand() % 100;            /* the sum is dead, that it was called is not */
    first = rand() % 40 + 1;
    dead += rand();
    second = rand() % 40 + 1;
    shift(first, 1, 1);
    shift(second, 2, 1);

    word = strtok(text, " ");
    word = strtok(NULL, " ");
    dead += (int)strlen(word);
    word = strtok(NULL, " ");
    shift(atoi(word), 3, 1);

    f = fopen("numbers.txt", "r");
    if (!f)
        MPI_Abort(MPI_COMM_WORLD, 1);
    if (fscanf(f, "%d", &dead) == 1)
        dead++;
    fgetc(f);
    while ((n = fgetc(f)) != '#')
        dead += n;
    if (fscanf(f, "%d", &n) != 1)
        MPI_Abort(MPI_COMM_WORLD, 1);
    fclose(f);
    shift(n, 4, 1);
    printf("rank %d: %d %d %d %d\n", rank, first, second, n, dead);
    MPI_Finalize();
    return 0;
}
