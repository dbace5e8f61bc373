/* SPDX-License-Identifier: BSD-3-Clause
 * Keeps the communicators of this rank by handle. Each has two names. Its path is for the trace: the parent's path and
 * how many communicators the parent had made. Its key is for the channel check: a hash of the set of members and of how
 * many communicators with this set there were, which all members work out without a message. */
#include "commlib/record/comm_paths.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mix.h"
#include "commlib/state/run_state.h"
#include "base/small_hash.h"

/* The communicator behind a handle, in the hash table `entries`; owns it. */
struct entry {
    MPI_Comm handle;
    struct cs_comm *comm;
    UT_hash_handle hh;
};
static struct entry *entries;
static struct cs_comm *last;

/* How many communicators with this set of members there have been. */
struct members {
    uint64_t hash;
    int n;
    UT_hash_handle hh;
};
static struct members *member_sets;

/* A sum, so that the order of the members does not matter: both sides of an intercommunicator get the same. Of all
 * ranks it is a number of its own, which is no work. */
static uint64_t set_hash(const struct cs_ranges *world)
{
    uint64_t h = 0;
    if (world->total == cs_run.nranks)
        return cs_mix(~(uint64_t)world->total);
    for (int k = 0; k < world->n; k++)
        for (int i = 0; i < world->range[k].len; i++)
            h += cs_mix((uint64_t)(world->range[k].start + i * world->range[k].stride) + 0x9e3779b97f4a7c15u);
    return h;
}

static uint64_t next_key(uint64_t hash)
{
    struct members *m;
    HASH_FIND(hh, member_sets, &hash, sizeof hash, m);
    if (!m) {
        if (!(m = calloc(1, sizeof *m)))
            return hash;
        m->hash = hash;
        HASH_ADD(hh, member_sets, hash, sizeof hash, m);
    }
    return cs_mix(hash + (uint64_t)m->n++);
}

/* Adds the members of a group, as ranks of MPI_COMM_WORLD, to *out. Translates 256 at a time, so that no array grows
 * with the number of ranks. Frees the group. 0, or -1 when memory is out. */
static int world_ranks(MPI_Group group, struct cs_ranges *out)
{
    enum { PIECE = 256 };
    int in[PIECE], world_rank[PIECE], n, rc = 0, same = MPI_UNEQUAL;
    MPI_Group world;
    PMPI_Comm_group(MPI_COMM_WORLD, &world);
    PMPI_Group_size(group, &n);
    if (n == cs_run.nranks)
        PMPI_Group_compare(group, world, &same);
    if (same == MPI_IDENT)
        rc = cs_ranges_add_run(out, 0, n);
    for (int at = 0; at < n && rc == 0 && same != MPI_IDENT; at += PIECE) {
        int len = n - at < PIECE ? n - at : PIECE;
        for (int i = 0; i < len; i++)
            in[i] = at + i;
        PMPI_Group_translate_ranks(group, len, in, world, world_rank);
        for (int i = 0; i < len && rc == 0; i++)
            rc = cs_ranges_add(out, world_rank[i]);
    }
    PMPI_Group_free(&group);
    PMPI_Group_free(&world);
    return rc;
}

/* MPI_COMM_WORLD, without a call of the library: many programs use no other communicator. */
static int world_itself(struct cs_comm *c)
{
    c->rank = cs_run.rank;
    c->nranks = c->npeers = cs_run.nranks;
    c->key = next_key(cs_mix((uint64_t)c->nranks));
    return cs_ranges_add_run(&c->world, 0, c->nranks);
}

/* Sets everything in c that depends on its members, which are those of `like`. 0, or -1 when memory is out. */
static int ask_members(struct cs_comm *c, MPI_Comm like)
{
    MPI_Group group;
    int inter;
    if (like == MPI_COMM_WORLD && c->handle == like)
        return world_itself(c);
    /* A handle that is no communicator, which the call is about to find, has no members. */
    if (PMPI_Comm_test_inter(like, &inter) != MPI_SUCCESS || PMPI_Comm_rank(like, &c->rank) != MPI_SUCCESS ||
        PMPI_Comm_group(like, &group) != MPI_SUCCESS)
        return 0;
    c->inter = inter;
    if (world_ranks(group, &c->world))
        return -1;
    uint64_t hash = set_hash(&c->world);
    c->nranks = c->world.total;
    if (inter) {
        cs_ranges_free(&c->world);
        PMPI_Comm_remote_group(like, &group);
        if (world_ranks(group, &c->world))
            return -1;
        hash += set_hash(&c->world);
    }
    c->npeers = c->world.total;
    c->key = next_key(hash);
    return 0;
}

static void free_comm(struct cs_comm *c)
{
    if (c) {
        free(c->path);
        cs_ranges_free(&c->world);
        free(c);
    }
}

/* Registers a communicator and defines it in the trace. NULL when memory is out. Takes over `path`. The members are
 * asked of `like`, as a communicator that is still being made (MPI_Comm_idup) cannot be asked. */
static struct cs_comm *add(MPI_Comm handle, MPI_Comm like, char *path)
{
    assert(handle != MPI_COMM_NULL && like != MPI_COMM_NULL);
    struct cs_comm *c = calloc(1, sizeof *c);
    struct entry *e = calloc(1, sizeof *e);
    if (c) {
        c->path = path;
        c->handle = handle;
    } else
        free(path);
    if (!c || !e || !path || ask_members(c, like) != 0) {
        free_comm(c);
        free(e);
        return NULL;
    }
    assert(c->world.total == c->npeers);
    e->handle = handle;
    c->indegree = c->outdegree = -1;
    if (c->inter)
        strcat(c->path, "~");
    c->in_trace = cs_run.trace ? cs_trace_def_comm_ranges(cs_run.trace, c->path, &c->world) : -1;
    e->comm = c;
    HASH_ADD_INT(entries, handle, e);
    return c;
}

/* parent, separator and number in one string (parent alone if number < 0), malloced with room for a "~" at its end. */
static char *new_path(const char *parent, const char *separator, int number)
{
    char *p = malloc(strlen(parent) + 32);
    if (p && number >= 0)
        sprintf(p, "%s%s%d", parent, separator, number);
    else if (p)
        strcpy(p, parent);
    return p;
}

const struct cs_comm *cs_comm_known(MPI_Comm handle)
{
    struct entry *e;
    if (last && last->handle == handle)
        return last;
    HASH_FIND_INT(entries, &handle, e);
    return e ? last = e->comm : NULL;
}

struct cs_comm *cs_comm_get(MPI_Comm handle)
{
    if (handle == MPI_COMM_NULL)
        return NULL;
    if (cs_comm_known(handle))
        return last;
    const char *name = handle == MPI_COMM_WORLD ? "world" : handle == MPI_COMM_SELF ? "self" : "?";
    return last = add(handle, handle, new_path(name, "", -1));
}

const struct cs_comm *cs_comm_of_call(const struct cs_call *c)
{
    int arg = cs_mpi_arg_of_role(c->info, CS_ROLE_COMM);
    bool window = arg >= 0 && cs_ctype_is_window(c->info->args[arg].ctype);
    return window ? cs_comm_known(cs_call_comm(c)) : cs_comm_get(cs_call_comm(c));
}

int cs_comm_made(const struct cs_call *c, MPI_Comm newcomm)
{
    struct cs_comm *parent = cs_comm_get(cs_call_comm(c));
    if (!parent)
        return -1;
    bool by_group = c->info->flags & CS_MPI_BY_GROUP, window = c->info->kind == CS_MPI_RMA;
    int number = window ? parent->windows++ : by_group ? parent->groups++ : parent->children++;
    if (newcomm == MPI_COMM_NULL)
        return -1;
    cs_comm_forget(newcomm); /* of a call that failed while this handle was no communicator */
    MPI_Comm like = window || c->info->flags & CS_MPI_NONBLOCKING ? parent->handle : newcomm;
    struct cs_comm *made = add(newcomm, like, new_path(parent->path, window ? "/w" : by_group ? "/g" : "/", number));
    if (made && window)
        made->addresses = !cs_call_has(c, CS_ROLE_VAL); /* it has no size: MPI_Win_create_dynamic */
    return made ? made->in_trace : -1;
}

void cs_comm_forget(MPI_Comm handle)
{
    struct entry *e;
    HASH_FIND_INT(entries, &handle, e);
    if (!e)
        return;
    if (last == e->comm)
        last = NULL;
    HASH_DEL(entries, e);
    free_comm(e->comm);
    free(e);
}

/* Sets the numbers of neighbours that a neighbourhood collective receives from and sends to, once. */
static void ask_degrees(struct cs_comm *m)
{
    int kind, n = 0, weighted;
    if (m->indegree >= 0)
        return;
    m->indegree = m->outdegree = 0;
    PMPI_Topo_test(m->handle, &kind);
    if (kind == MPI_CART) {
        PMPI_Cartdim_get(m->handle, &n);
        m->indegree = m->outdegree = 2 * n;
    } else if (kind == MPI_GRAPH) {
        PMPI_Graph_neighbors_count(m->handle, m->rank, &n);
        m->indegree = m->outdegree = n;
    } else if (kind == MPI_DIST_GRAPH) {
        PMPI_Dist_graph_neighbors_count(m->handle, &m->indegree, &m->outdegree, &weighted);
    }
}

static int sum(const int *v, int n)
{
    int s = 0;
    for (int i = 0; i < n; i++)
        s += v[i];
    return s;
}

static int dimensions(const struct cs_comm *m)
{
    int n = 0;
    PMPI_Cartdim_get(m->handle, &n);
    return n;
}

int cs_comm_array_length(const struct cs_call *c, int arg)
{
    struct cs_comm *m = cs_comm_get(cs_call_comm(c));
    const int *before = arg > 0 ? c->a[arg - 1].p : NULL; /* used where the table says that this is an array */
    int nbefore = arg > 0 && c->info->args[arg - 1].count_arg >= 0 ? (int)c->a[c->info->args[arg - 1].count_arg].i : 0;
    if (!m)
        return 0;
    switch (c->info->args[arg].count_arg) {
    case CS_MPI_PEERS: return m->npeers;
    case CS_MPI_MEMBERS: return m->nranks;
    case CS_MPI_OUTDEGREE: ask_degrees(m); return m->outdegree;
    case CS_MPI_INDEGREE: ask_degrees(m); return m->indegree;
    case CS_MPI_DIMS: return dimensions(m);
    case CS_MPI_LAST: return nbefore > 0 ? before[nbefore - 1] : 0;
    case CS_MPI_SUM: return sum(before, nbefore);
    default: assert(!"a length that enum cs_mpi_length does not have"); return 0;
    }
}
