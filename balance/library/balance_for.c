/* SPDX-License-Identifier: BSD-3-Clause
 * The one call that does it all. The handle stays with the communicator, so that the next loop knows what was learnt,
 * and is freed with it, or before MPI ends. */
#include "balance/library/balancer_internal.h"

#include <stdlib.h>
#include <string.h>

/* A handle that stays with a communicator; all of them are in a list. */
struct kept {
    struct kept *next;
    struct cs_balancer *balancer;
    char technique[32]; /* as the program said, not the environment */
};

static struct kept *all;
static int key = MPI_KEYVAL_INVALID, end_key = MPI_KEYVAL_INVALID;

static void free_kept(struct kept *k)
{
    for (struct kept **p = &all; *p; p = &(*p)->next)
        if (*p == k) {
            *p = k->next;
            break;
        }
    cs_balance_finish(&k->balancer);
    free(k);
}

static bool is_kept(const struct kept *k)
{
    for (const struct kept *p = all; p; p = p->next)
        if (p == k)
            return true;
    return false;
}

/* The communicator goes. At the end of MPI all handles are gone before. */
static int comm_goes(MPI_Comm comm, int k, void *value, void *unused)
{
    if (is_kept(value))
        free_kept(value);
    return MPI_SUCCESS;
}

/* MPI ends: MPI_COMM_SELF goes first, while all calls still work. */
static int mpi_ends(MPI_Comm comm, int k, void *value, void *unused)
{
    while (all)
        free_kept(all);
    return MPI_SUCCESS;
}

static void make_keys(void)
{
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, comm_goes, &key, NULL);
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, mpi_ends, &end_key, NULL);
    MPI_Comm_set_attr(MPI_COMM_SELF, end_key, &all);
}

static struct kept *make_kept(MPI_Comm comm, const char *technique)
{
    struct cs_balance_options options = {.technique = technique};
    struct kept *k = calloc(1, sizeof *k);
    if (!k)
        MPI_Abort(comm, 2);
    if (cs_balance_setup(comm, &options, &k->balancer)) {
        free(k);
        return NULL;
    }
    strncpy(k->technique, technique, sizeof k->technique - 1);
    k->next = all;
    all = k;
    MPI_Comm_set_attr(comm, key, k);
    return k;
}

/* The handle of the communicator; another technique than before makes a new one. NULL after a message. */
static struct cs_balancer *find(MPI_Comm comm, const char *technique)
{
    struct kept *k;
    int there;
    if (key == MPI_KEYVAL_INVALID)
        make_keys();
    MPI_Comm_get_attr(comm, key, &k, &there);
    if (there && strncmp(k->technique, technique, sizeof k->technique - 1) != 0) {
        MPI_Comm_delete_attr(comm, key);
        there = 0;
    }
    if (!there)
        k = make_kept(comm, technique);
    return k ? k->balancer : NULL;
}

int cs_balance_for(int64_t items, cs_balance_body *body, void *state, MPI_Comm comm, const char *technique)
{
    int64_t first, count;
    struct cs_balancer *b = find(comm, technique ? technique : "");
    if (!b || cs_balance_start_loop(b, items))
        return -1;
    while (cs_balance_start_chunk(b, &first, &count)) {
        body(first, count, state);
        cs_balance_end_chunk(b);
    }
    return cs_balance_end_loop(b, NULL);
}
