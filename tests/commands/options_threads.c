/* SPDX-License-Identifier: BSD-3-Clause
 * What the level of threads is for each that is asked for, and what becomes of threads inside MPI: one after the other
 * (`turns`), or one that waits in a receive for what the other sends (`both`, while a second rank is busy). */
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <mpi.h>

static void *receive(void *arg)
{
    int *x = arg;
    MPI_Recv(x, 1, MPI_INT, 0, 1, MPI_COMM_SELF, MPI_STATUS_IGNORE);
    return NULL;
}

static void *send(void *arg)
{
    int *x = arg;
    MPI_Request q;
    MPI_Isend(x, 1, MPI_INT, 0, 1, MPI_COMM_SELF, &q);
    MPI_Wait(&q, MPI_STATUS_IGNORE);
    return NULL;
}

int main(int argc, char **argv)
{
    int rank, level = MPI_THREAD_SINGLE, want = argc > 2 ? argv[2][0] - '0' : MPI_THREAD_MULTIPLE, x = 7, y = 0;
    pthread_t a, b;
    MPI_Init_thread(&argc, &argv, want, &level);
    printf("%d: level %d\n", want, level);
    if (strcmp(argv[1], "turns") == 0) {
        pthread_create(&a, NULL, send, &x);
        pthread_join(a, NULL);
        pthread_create(&b, NULL, receive, &y);
        pthread_join(b, NULL);
        printf("got %d\n", y);
    } else if (strcmp(argv[1], "both") == 0) {
        MPI_Comm_rank(MPI_COMM_WORLD, &rank);
        if (rank > 0)
            return sleep(5);
        pthread_create(&b, NULL, receive, &y);
        usleep(300000);
        pthread_create(&a, NULL, send, &x);
        pthread_join(a, NULL);
        pthread_join(b, NULL);
    }
    return MPI_Finalize();
}
