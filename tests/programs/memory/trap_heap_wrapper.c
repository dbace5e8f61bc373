/* commslice-test: trap_heap_wrapper
 * about: memory from wrappers of malloc: filled, registered, cached, reused, moved by a header, handed out twice,
 * about: grown, by pointers to functions
 * ranks: 2 3 4
 * SPDX-License-Identifier: BSD-3-Clause */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int rank, size;

/* Every rank sends as many bytes as it was told. */
static void around(int n)
{
    char out[64] = {0}, in[64];
    MPI_Sendrecv(out, n & 31, MPI_CHAR, (rank + 1) % size, 7, in, 64, MPI_CHAR, (rank + size - 1) % size, 7,
        MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static int *last, *all[32], nall;

/* Fills what it returns, and remembers it. */
static int *filled(int n)
{
    int *p = malloc(8 * sizeof *p);
    if (!p)
        exit(1);
    for (int i = 0; i < 8; i++)
        p[i] = n + i;
    last = p;
    all[nall++] = p;
    return p;
}

static int *twice_wrapped(int n)
{
    int *p = filled(n);
    p[1] += 2;
    return p;
}

static int *thrice_wrapped(int n)
{
    int *p = twice_wrapped(n), *q = twice_wrapped(n + 1);
    p[3] = 17;
    q[3] = 18;
    return n & 1 ? p : q;
}

/* One memory for all. */
static int *cached(void)
{
    static int *p;
    if (!p)
        p = calloc(8, sizeof *p);
    return p;
}

static int *given_back;

/* Old memory if there is some. */
static int *reused(void)
{
    int *p = given_back;
    if (p) {
        given_back = NULL;
        return p;
    }
    return malloc(8 * sizeof *p);
}

/* The size is in front. */
static void *with_header(size_t n)
{
    size_t *p = malloc(n + 16);
    *p = n;
    return (char *)p + 16;
}

static size_t header_of(void *p) { return *(size_t *)((char *)p - 16); }

/* The same memory by two ways. */
static int *two_ways(int **other)
{
    int *p = malloc(8 * sizeof *p);
    *other = p;
    return p;
}

static void *grown(void *p, size_t n)
{
    return p ? realloc(p, n) : malloc(n);
}

static int *some(int depth, int n)
{
    if (depth)
        return some(depth - 1, n);
    int *p = malloc(8 * sizeof *p);
    p[0] = n;
    return p;
}

static char *text(const char *s)
{
    char *p = malloc(strlen(s) + 1);
    return strcpy(p, s);
}

static int *(*volatile by_pointer)(int) = filled;

struct list { int n; struct list *next; };
static struct list *cons(int n, struct list *next)
{
    struct list *l = malloc(sizeof *l);
    l->n = n;
    l->next = next;
    return l;
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    int *a = filled(3), *b = filled(11);
    around(a[2] + b[1]);
    *last = 21;                          /* b */
    around(b[0]);
    all[0][5] = 9;                       /* a */
    around(a[5]);
    int *c = thrice_wrapped(4), *d = thrice_wrapped(7);
    around(c[1]);
    around(c[3]);
    around(d[3]);
    all[nall - 2][6] = 13;               /* d */
    around(d[6]);

    cached()[2] = 14;
    around(cached()[2]);
    int *e = reused();
    e[3] = 15;
    given_back = e;
    around(reused()[3]);
    void *f = with_header(19), *g = with_header(5);
    around((int)header_of(f) + (int)header_of(g));
    int *h, *i = two_ways(&h);
    h[1] = 8;
    around(i[1]);
    int *j = grown(NULL, 16);
    j[2] = 12;
    j = grown(j, 64);
    around(j[2]);
    around(some(2, 23)[0]);
    around((int)strlen(text("eleven char")));
    around(by_pointer(6)[1]);
    struct list *l = NULL;
    for (int k = 0; k < 4; k++)
        l = cons(k + argc, l);
    l = cons(9, l);
    for (; l; l = l->next)
        around(l->n);
    MPI_Finalize();
    return 0;
}
