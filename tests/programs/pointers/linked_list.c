/* commslice-test: linked_list
 * about: a sorted linked list, with nodes removed again, decides peers, counts and order
 * ranks: 2 3 4
 * most-ranks: 8
 * gone: weigh
 * array: data 64
 * marks: content=0
 * SPDX-License-Identifier: BSD-3-Clause */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#define TOTAL (8 * 1024 * 1024)

struct node {
    double weight;       /* dead */
    struct node *next;
    int peer, count, key;
    double *data;        /* dead */
};

static void insert(struct node **head, struct node *n)
{
    while (*head && (*head)->key < n->key)
        head = &(*head)->next;
    n->next = *head;
    *head = n;
}

static void drop_if(struct node **head, int rank)
{
    while (*head) {
        struct node *n = *head;
        if ((rank + n->peer) % 5 == 4) {
            *head = n->next;
            free(n->data);
            free(n);
        } else {
            head = &n->next;
        }
    }
}

static double weigh(double *d, int n, int seed)
{
    double s = 0.0;
    for (int i = 0; i < n; i++) {
        d[i] = (double)((i ^ seed) % 101);
        s += d[i];
    }
    return s;
}

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    struct node *head = NULL;
    int share = TOTAL / size;
    for (int p = 0; p < size; p++) {
        struct node *n = malloc(sizeof *n);
        n->peer = p;
        n->count = 10 + 5 * ((rank + p) % 3);
        n->key = (p * 7 + rank * 3) % 11;
        n->data = malloc(share * sizeof *n->data);
        n->weight = weigh(n->data, share, rank);
        insert(&head, n);
    }
    drop_if(&head, rank);

    MPI_Request req[16];
    double in[8][32], sum = 0.0;
    int k = 0;
    for (struct node *n = head; n; n = n->next, k++)
        MPI_Irecv(in[k], n->count, MPI_DOUBLE, n->peer, n->count, MPI_COMM_WORLD, &req[k]);
    for (struct node *n = head; n; n = n->next, k++)
        MPI_Isend(n->data, n->count, MPI_DOUBLE, n->peer, n->count, MPI_COMM_WORLD, &req[k]);
    MPI_Waitall(k, req, MPI_STATUSES_IGNORE);
    while (head) {
        struct node *n = head;
        head = n->next;
        sum += n->weight;
        free(n->data);
        free(n);
    }
    MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    printf("rank %d: %d requests, weight %g\n", rank, k, sum);
    MPI_Finalize();
    return 0;
}
