/* SPDX-License-Identifier: BSD-3-Clause
 * Takes events apart; see args.h. Which arguments belong together follows from roles and flags of the MPI table. */
#include "trace/analyse/args.h"

#include <string.h>

static bool get(struct cs_args *a, const struct cs_event *e)
{
    int arg = 0, at = 0, rc;
    struct cs_field f;
    memset(a->has, 0, sizeof a->has);
    a->call = cs_mpi_call(e->call);
    while ((rc = cs_field_next(e, &arg, &at, &f)) == 1) {
        int i = (int)(f.arg - a->call->args);
        a->f[i] = f;
        a->has[i] = true;
    }
    return rc == 0;
}

bool cs_args_get(struct cs_args *a, const struct cs_trace *t, int rank, const struct cs_event *e)
{
    a->t = t;
    a->m = NULL;
    a->rank = rank;
    return get(a, e);
}

bool cs_args_get_merged(struct cs_args *a, const struct cs_merged *m, int rank, const struct cs_event *e)
{
    a->t = NULL;
    a->m = m;
    a->rank = rank;
    return get(a, e);
}

int cs_args_find(const struct cs_args *a, enum cs_role role)
{
    for (int i = 0; i < a->call->nargs; i++)
        if (a->has[i] && a->call->args[i].role == role)
            return i;
    return -1;
}

int64_t cs_args_scalar(const struct cs_args *a, int arg)
{
    return arg >= 0 && a->has[arg] && a->f[arg].shape == CS_FIELD_SCALAR ? *a->f[arg].values : CS_UNUSED;
}

static const struct cs_type_def *find_type(const struct cs_args *a, int64_t type)
{
    if (type < 0 || type > INT32_MAX)
        return NULL;
    if (a->m)
        return type < a->m->ntypes ? &a->m->type[type] : NULL;
    return cs_trace_type(a->t, a->rank, (int)type);
}

static uint64_t type_size(const struct cs_args *a, int64_t type)
{
    const struct cs_type_def *d = find_type(a, type);
    return d && d->size > 0 ? (uint64_t)d->size : 0;
}

/* The number of the event's communicator, -1: none. */
static int comm_of(const struct cs_args *a)
{
    int64_t comm = cs_args_scalar(a, cs_args_find(a, CS_ROLE_COMM));
    return comm >= 0 && comm <= INT32_MAX ? (int)comm : -1;
}

const struct cs_comm_def *cs_args_comm(const struct cs_args *a)
{
    int comm = comm_of(a);
    return comm >= 0 ? cs_trace_comm(a->t, a->rank, comm) : NULL;
}

/* The group of a merged event's communicator, or NULL. */
static const struct cs_ranges *group(const struct cs_args *a)
{
    int comm = comm_of(a);
    return comm >= 0 && comm < a->m->ncomms ? cs_merged_group_of(a->m, comm, a->rank) : NULL;
}

int cs_args_comm_size(const struct cs_args *a)
{
    if (a->m) {
        const struct cs_ranges *g = group(a);
        return g ? g->total : 0;
    }
    const struct cs_comm_def *c = cs_args_comm(a);
    return c ? c->nranks : 0;
}

/* The member of the event's communicator as a rank of MPI_COMM_WORLD; -1: there is none. */
static int world_rank(const struct cs_args *a, int64_t member)
{
    if (member < 0 || member >= cs_args_comm_size(a))
        return -1;
    return a->m ? cs_ranges_at(group(a), (int)member) : cs_args_comm(a)->world_ranks[member];
}

int cs_args_peer(const struct cs_args *a, enum cs_role role)
{
    int64_t peer = cs_args_scalar(a, cs_args_find(a, role));
    if (peer == CS_PROC_NULL)
        return CS_PEER_NOBODY;
    if (peer == CS_ANY && role == CS_ROLE_SOURCE)
        return CS_PEER_ANY;
    int world = world_rank(a, peer), n = a->m ? a->m->info.nranks : cs_trace_info(a->t)->nranks;
    return world >= 0 && world < n ? world : CS_PEER_UNKNOWN;
}

int64_t cs_args_tag(const struct cs_args *a, bool send)
{
    int64_t tag = CS_ANY;
    for (int i = 0; i < a->call->nargs; i++)
        if (a->has[i] && a->call->args[i].role == CS_ROLE_TAG) {
            tag = cs_args_scalar(a, i);
            if (send) /* the send's comes first */
                break;
        }
    return tag;
}

int64_t cs_args_comm_number(const struct cs_args *a)
{
    return cs_args_scalar(a, cs_args_find(a, CS_ROLE_COMM));
}

bool cs_args_is_root(const struct cs_args *a)
{
    int64_t root = cs_args_scalar(a, cs_args_find(a, CS_ROLE_ROOT));
    return root == CS_ROOT || (root >= 0 && world_rank(a, root) == a->rank);
}

int cs_args_buffer(const struct cs_args *a, enum cs_role role)
{
    for (int i = 0; i < a->call->nargs; i++)
        if (a->call->args[i].role == role)
            return i;
    return -1;
}

/* The first array of types after a buffer belongs to it: MPI_Alltoallw(sendbuf, sendcounts, sdispls, sendtypes, ...).
 */
static int types_after(const struct cs_args *a, int from)
{
    for (int i = from; i < a->call->nargs; i++)
        if (a->call->args[i].role == CS_ROLE_TYPES)
            return a->has[i] ? i : -1;
    return -1;
}

uint64_t cs_args_bytes(const struct cs_args *a, int buf)
{
    int count = buf >= 0 ? a->call->args[buf].count_arg : -1, type = buf >= 0 ? a->call->args[buf].type_arg : -1;
    enum cs_role role = count >= 0 ? a->call->args[count].role : CS_ROLE_NONE;
    if (count < 0 && type >= 0 && a->call->kind == CS_MPI_RMA)
        return type_size(a, cs_args_scalar(a, type)); /* MPI_Fetch_and_op: one element */
    if (count < 0 || !a->has[count])
        return 0;
    if (role == CS_ROLE_COUNT && *a->f[count].values > 0 && type >= 0)
        return (uint64_t)*a->f[count].values * type_size(a, cs_args_scalar(a, type));
    if (role != CS_ROLE_COUNTS)
        return 0;
    int types = types_after(a, buf);
    uint64_t n = 0, one = type >= 0 ? type_size(a, cs_args_scalar(a, type)) : 0;
    for (int64_t i = 0; i < a->f[count].n; i++) {
        int64_t items = a->f[count].values[i];
        uint64_t size = types >= 0 && i < a->f[types].n ? type_size(a, a->f[types].values[i]) : one;
        n += items > 0 ? (uint64_t)items * size : 0;
    }
    return n;
}

static uint64_t bytes_of(const struct cs_args *a, enum cs_role role)
{
    int buf = cs_args_buffer(a, role);
    return cs_args_bytes(a, buf >= 0 ? buf : cs_args_buffer(a, CS_ROLE_SRBUF));
}

uint64_t cs_args_sent(const struct cs_args *a)
{
    return bytes_of(a, CS_ROLE_SBUF);
}

uint64_t cs_args_received(const struct cs_args *a)
{
    return bytes_of(a, CS_ROLE_RBUF);
}

uint64_t cs_args_moved(const struct cs_args *a)
{
    uint64_t there = cs_args_sent(a), back = cs_args_received(a);
    return there > back ? there : back;
}

bool cs_args_reaches(const struct cs_mpi_call *c)
{
    return c->kind == CS_MPI_RMA && (cs_mpi_has_role(c, CS_ROLE_SBUF) || cs_mpi_has_role(c, CS_ROLE_RBUF));
}

uint64_t cs_args_contributed(const struct cs_args *a)
{
    if ((a->call->flags & CS_MPI_ROOT_SENDS) && !cs_args_is_root(a))
        return 0;
    int send = cs_args_buffer(a, CS_ROLE_SBUF), receive = cs_args_buffer(a, CS_ROLE_RBUF);
    uint64_t n = cs_args_sent(a);
    /* With MPI_IN_PLACE the send arguments are not significant; a rank then hands in what it would receive. */
    if (n == 0 && send >= 0 && receive >= 0 && cs_args_scalar(a, a->call->args[send].count_arg) == CS_UNUSED)
        n = cs_args_bytes(a, receive);
    int members = a->call->flags & CS_MPI_PER_PEER ? cs_args_comm_size(a) : 0;
    return members ? n * (uint64_t)members : n;
}
