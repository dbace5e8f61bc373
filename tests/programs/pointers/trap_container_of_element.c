/* SPDX-License-Identifier: BSD-3-Clause
 * commslice-test: trap_container_of_element
 * about: from an element of an array that is a member of a struct, one that data decides, constant distances lead to
 * about: the struct's head and to what is behind the array, also in one sum with what is not known
 * ranks: 2 3
 */
#include <mpi.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct cell {
    int index, weight;
};
struct row {
    int n, width;
    struct cell cells[4];
    int key[4];
    int pad, m, tail[4];
};
struct word {
    int n;
    char text[12];
    int m;
};
#define OWNER(type, p, member) ((type *)((char *)(p)-offsetof(type, member)))
static double field[64];

static void say(int n)
{
    MPI_Bcast(field, n, MPI_DOUBLE, 0, MPI_COMM_WORLD);
}

/* Each has memory of its own, so that no row helps another one. */
static struct row *new_row(int n)
{
    struct row *r = malloc(sizeof *r);
    r->n = n;
    r->m = n + 1;
    for (int i = 0; i < 4; i++) {
        r->cells[i].index = i;
        r->key[i] = 10 * i;
        r->tail[i] = n + i;
    }
    return r;
}

static int order(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}

/* An element that knows its index. */
static void by_index(int k)
{
    struct row *r = malloc(sizeof *r);
    r->n = 3;
    for (int i = 0; i < 4; i++)
        r->cells[i].index = i;
    struct cell *c = &r->cells[k];
    say(OWNER(struct row, c - c->index, cells)->n);
}

static void by_loop(int wanted)
{
    struct row *r = new_row(5);
    int *found = r->key;
    for (int i = 0; i < 4; i++)
        if (r->key[i] == wanted)
            found = &r->key[i];
    say(OWNER(struct row, found, key[2])->m);
}

static void by_search(int wanted)
{
    struct row *r = malloc(sizeof *r);
    r->m = 9;
    for (int i = 0; i < 4; i++)
        r->key[i] = 10 * i;
    int *found = bsearch(&wanted, r->key, 4, sizeof wanted, order);
    say(found[3]);
}

/* Behind the array there is another one. */
static void by_tail(int wanted)
{
    struct row *r = malloc(sizeof *r);
    for (int i = 0; i < 4; i++) {
        r->key[i] = 10 * i;
        r->tail[i] = 11 + i;
    }
    int *found = bsearch(&wanted, r->key, 4, sizeof wanted, order);
    say(OWNER(struct row, found, key[2])->tail[wanted / 10]);
}

static void by_number(int k)
{
    struct row *r = malloc(sizeof *r), *s = malloc(sizeof *s), *t = malloc(sizeof *t);
    MPI_Aint back, forward;
    r->n = 7;
    s->m = 8;
    t->m = 2;
    MPI_Get_address(&r->key[1], &back);
    say(*(int *)MPI_Aint_add(back, -(MPI_Aint)offsetof(struct row, key[1])));
    MPI_Get_address(&s->key[1], &forward);
    say(*(int *)MPI_Aint_add(forward, 16));
    uintptr_t table[2] = {(uintptr_t)&t->key[1], (uintptr_t)&t->key[2]};
    say(*(int *)(table[k - 1] + 12));
}

static void by_text(void)
{
    struct word *w = malloc(sizeof *w), *v = malloc(sizeof *v);
    w->n = 4;
    w->m = 6;
    strcpy(w->text, "k=v;q=w");
    char *p = strchr(w->text, ';');
    struct word *again = OWNER(struct word, p, text[3]);
    say(again->n + again->m);
    v->n = 12;
    strcpy(v->text, "k=v;q=w");
    char *q = strchr(v->text, ';');
    int back = (int)(q - v->text);
    say(OWNER(struct word, q - back, text)->n);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    by_index(argc + 1);
    by_loop(20);
    by_search(20);
    by_tail(20);
    by_number(argc + 1);
    by_text();
    MPI_Finalize();
    return 0;
}
