/* commslice-test: trap_lists_spliced
 * about: lists and arrays that one routine makes for several owners, then swapped, spliced, grown by a routine that
 * about: calls itself, and made through a pointer to the routine: contents that move from one owner to another are live
 * ranks: 2 3
 * SPDX-License-Identifier: BSD-3-Clause */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

struct node {
    int value;
    struct node *next;
};
struct row {
    int n;
    int *data;
};
struct book {
    struct node *odd, *even;
    struct row left, right;
};

static void push(struct node **head, int value)
{
    struct node *n = malloc(sizeof *n);
    if (!n)
        exit(1);
    n->value = value;
    n->next = *head;
    *head = n;
}

/* Grows by steps; each step is a call of its own. */
static void grow(struct row *r, int n)
{
    if (r->n + 4 < n)
        grow(r, n - 4);
    int *more = malloc(n * sizeof *more);
    if (!more)
        exit(1);
    for (int i = 0; i < n; i++)
        more[i] = i < r->n ? r->data[i] : -i;
    free(r->data);
    r->data = more;
    r->n = n;
}

static void fill(struct book *b, int rank)
{
    for (int i = 0; i < 3; i++) {
        push(&b->odd, 2 * i + 1);
        push(&b->even, 2 * i + rank);
    }
    grow(&b->left, 3);
    grow(&b->right, 5);
    for (int i = 0; i < 3; i++)
        b->left.data[i] = i + rank;
    for (int i = 0; i < 5; i++)
        b->right.data[i] = 10 + i;
}

static void make_row(struct row *r, int n)
{
    r->data = calloc(n, sizeof *r->data);
    if (!r->data)
        exit(1);
    r->n = n;
}

static int sum(const struct node *n)
{
    int s = 0;
    for (; n; n = n->next)
        s += n->value;
    return s;
}

int main(int argc, char **argv)
{
    struct book b = {NULL, NULL, {0, NULL}, {0, NULL}};
    struct row direct, by_pointer;
    void (*maker)(struct row *, int) = argc > 5 ? NULL : make_row;
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    fill(&b, rank);
    struct node *last = b.odd;
    while (last->next)
        last = last->next;
    last->next = b.even; /* the odd list now ends with the even one */
    b.even->value += 3;
    struct row swapped = b.left;
    b.left = b.right;
    b.right = swapped;
    grow(&b.right, 14);
    make_row(&direct, 4);
    maker(&by_pointer, 4);
    direct.data[1] = 2;
    by_pointer.data[1] = rank + 1;
    int *turn = direct.data;
    direct.data = by_pointer.data;
    by_pointer.data = turn;
    int count = sum(b.odd) + b.right.data[2] + b.left.data[4] + direct.data[1];
    double out[128] = {0}, in[128];
    MPI_Sendrecv(out, count, MPI_DOUBLE, (rank + 1) % size, b.right.data[1], in, 128, MPI_DOUBLE,
                 (rank + size - 1) % size, MPI_ANY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    printf("rank %d sent %d\n", rank, count);
    MPI_Finalize();
    return 0;
}
