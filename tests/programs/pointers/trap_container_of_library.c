/* SPDX-License-Identifier: BSD-3-Clause
 * commslice-test: trap_container_of_library
 * about: a pointer to a member that is an array goes through MPI or the C library and back to the struct
 * about: (container_of): attributes, extra_state, addresses, the buffer of MPI_Bsend, what is searched, of a thread
 * ranks: 2 3
 */
#define _GNU_SOURCE
#include <mpi.h>
#include <pthread.h>
#include <search.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

enum { ROOM = 200 };
struct owner {
    long n;
    char space[ROOM];
};
static double field[64];
static struct owner a, b, c, d, e, f, g, h, i, k;
static char *seen;

static void say(void *p)
{
    struct owner *o = (struct owner *)((char *)p - offsetof(struct owner, space));
    MPI_Bcast(field, (int)o->n, MPI_DOUBLE, 0, MPI_COMM_WORLD);
}

static int copied(MPI_Comm comm, int key, void *extra, void *given, void *taken, int *flag)
{
    (void)comm;
    (void)key;
    seen = extra;
    *(void **)taken = given;
    *flag = 1;
    return MPI_SUCCESS;
}

static int order(const void *x, const void *y)
{
    return strcmp(x, y);
}

static int order_with(const void *x, const void *y, void *data)
{
    seen = data;
    return *(const char *)x - *(const char *)y;
}

static void through_mpi(void)
{
    int key, flag, size;
    void *value;
    MPI_Comm again;
    MPI_Aint address;
    a.n = 3;
    b.n = 4;
    c.n = 5;
    d.n = 6;
    MPI_Comm_create_keyval(copied, MPI_COMM_NULL_DELETE_FN, &key, a.space);
    MPI_Comm_set_attr(MPI_COMM_WORLD, key, b.space);
    MPI_Comm_get_attr(MPI_COMM_WORLD, key, &value, &flag);
    say(value);
    MPI_Comm_dup(MPI_COMM_WORLD, &again);
    say(seen);
    MPI_Get_address(c.space, &address);
    say((void *)address);
    MPI_Buffer_attach(d.space, ROOM);
    MPI_Buffer_detach(&value, &size);
    say(value);
    MPI_Comm_free(&again);
}

static void through_library(void)
{
    pthread_key_t key;
    void *root = NULL;
    _Atomic(char *) place;
    e.n = 7;
    f.n = 8;
    g.n = 9;
    h.n = 10;
    i.n = 11;
    k.n = 12;
    strcpy(e.space, "abc");
    strcpy(g.space, "abc");
    strcpy(h.space, "a=b");
    tsearch(e.space, &root, order);
    say(*(char **)tfind("abc", &root, order));
    pthread_key_create(&key, NULL);
    pthread_setspecific(key, f.space);
    say(pthread_getspecific(key));
    say(strchr(g.space, 'a'));
    say(strtok(h.space, "="));
    atomic_store(&place, i.space);
    say(atomic_load(&place));
    qsort_r(g.space, 3, 1, order_with, k.space);
    say(seen);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    through_mpi();
    through_library();
    MPI_Finalize();
    return 0;
}
