/* SPDX-License-Identifier: BSD-3-Clause
 * The sums of profile.h. Loops give how often each symbol occurs; then each rank's records are looked at once, with the
 * rank's values. What an event says about bytes and peers comes from args.h; profile_inits.c knows which persistent
 * request is which. */
#include "trace/analyse/profile.h"

#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "trace/analyse/args.h"
#include "trace/analyse/profile_internal.h"

void cs_sums_add(struct cs_sums *to, const struct cs_sums *one, int64_t times)
{
    uint64_t n = (uint64_t)times;
    to->calls += n * one->calls;
    to->messages += n * one->messages;
    to->bytes += n * one->bytes;
    to->handed += n * one->handed;
}

int cs_size_bucket(uint64_t bytes)
{
    return bytes ? 64 - __builtin_clzll(bytes) : 0;
}

/* ---- how often ---- */

/* How often the k-th symbol of a node's cycle comes in `times` occurrences of the node. */
static int64_t turns(const struct cs_nest_node *n, int32_t k, int64_t times)
{
    return times / n->ncycle + (k < times % n->ncycle);
}

static void count_symbols(struct cs_profile *p, int64_t from, int64_t to, int64_t times)
{
    const struct cs_merged *m = p->m;
    for (int64_t i = from; i < to; i++) {
        const struct cs_nest_node *n = &m->node[i];
        if (n->count) {
            count_symbols(p, i + 1, i + 1 + n->value, cs_nest_iterations(m, n, times));
            i += n->value;
        } else if (n->ncycle) {
            for (int32_t k = 0; k < n->ncycle; k++)
                p->symbol_times[m->cycle[n->cycle + k]] += turns(n, k, times);
        } else {
            p->symbol_times[n->value] += times;
        }
    }
}

static void count_records(struct cs_profile *p)
{
    for (int i = 0; i < p->m->nsymbols; i++)
        for (int k = 0; k < p->m->symbol[i].nparts; k++)
            p->times[p->m->symbol[i].part[k].record] += p->symbol_times[i];
}

/* Sorts the records that occur by class. */
static void list_by_class(struct cs_profile *p)
{
    const struct cs_merged *m = p->m;
    for (int i = 0; i < m->nrecords; i++)
        p->first_of[m->record[i].cls + 1] += p->times[i] > 0;
    for (int c = 0; c < m->nclasses; c++)
        p->first_of[c + 1] += p->first_of[c];
    int total = p->first_of[m->nclasses];
    for (int i = m->nrecords; i-- > 0;)
        if (p->times[i] > 0)
            p->of_class[--p->first_of[m->record[i].cls + 1]] = i;
    for (int c = 0; c < m->nclasses; c++) /* the start of class c is at place c + 1 now */
        p->first_of[c] = p->first_of[c + 1];
    p->first_of[m->nclasses] = total;
}

/* ---- a record on a rank ---- */

/* A rank that is being summed up: its row of the communication matrix. */
struct row {
    struct cs_profile *p;
    struct cs_sums *once; /* of the record; NULL: only pairs are wanted */
    int rank;
    int64_t *fields;
    int cap;
    uint64_t *messages, *bytes; /* by destination */
    int *dest, ndest;           /* those with messages */
};

static int by_number(const void *a, const void *b)
{
    int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}

static void add_message(struct row *r, int call, int dest, uint64_t bytes, int64_t times)
{
    struct cs_profile *p = r->p;
    uint64_t n = (uint64_t)times;
    if (dest >= 0) {
        if (!r->messages[dest])
            r->dest[r->ndest++] = dest;
        r->messages[dest] += n;
        r->bytes[dest] += n * bytes;
    }
    if (!r->once)
        return;
    p->unknown_dest += dest == CS_PEER_UNKNOWN ? n : 0;
    if (dest < 0)
        return;
    struct cs_size_sum *s = &p->size[cs_size_bucket(bytes)];
    s->messages += n;
    s->bytes += n * bytes;
    r->once->messages++;
    r->once->bytes += bytes;
    cs_sums_add(&p->rank[r->rank].sent, &(struct cs_sums){.messages = 1, .bytes = bytes}, times);
    cs_sums_add(&p->call[call], &(struct cs_sums){.messages = 1, .bytes = bytes}, times);
}

static void add_collective(struct row *r, int call, uint64_t handed, int64_t times)
{
    if (!r->once)
        return;
    struct cs_size_sum *s = &r->p->size[cs_size_bucket(handed)];
    s->collectives += (uint64_t)times;
    s->handed += (uint64_t)times * handed;
    r->once->handed += handed;
    cs_sums_add(&r->p->rank[r->rank].sent, &(struct cs_sums){.handed = handed}, times);
    cs_sums_add(&r->p->call[call], &(struct cs_sums){.handed = handed}, times);
}

/* Fills in *e from the record, with the values that its fields have on the rank. 0, or -1: no memory. */
static int values(struct row *r, const struct cs_merged_record *rec, struct cs_event *e)
{
    const struct cs_merged *m = r->p->m;
    if (!CS_MAKE_ROOM_FOR(r->fields, rec->nfields, r->cap))
        return -1;
    struct cs_comm_rank at = rec->comm >= 0 ? cs_merged_comm_rank(m, rec->comm, r->rank) : (struct cs_comm_rank){-1, 0};
    for (int i = 0; i < rec->nfields; i++)
        r->fields[i] = cs_merged_value_at(&rec->field[i], m->index_in_class[r->rank], at.me, at.n);
    *e = (struct cs_event){
        .call = rec->call, .site = rec->site, .mark = rec->mark, .nfields = rec->nfields, .fields = r->fields};
    return 0;
}

/* Adds a start of persistent request number `which`: it sends the message that its MPI_*_init call described, or hands
 * in what that said. */
static int start_one(struct row *r, int call, int64_t which, int64_t times)
{
    struct cs_profile *p = r->p;
    int cls = p->m->class_of[r->rank];
    struct row scratch = {.p = p, .rank = r->rank};
    struct cs_event e;
    struct cs_args a;
    if (which < 0 || which >= p->ninits[cls]) {
        p->unknown_dest += r->once ? (uint64_t)times : 0;
        return 0;
    }
    const struct cs_merged_record *rec = &p->m->record[p->inits[cls][which]];
    enum cs_mpi_kind kind = cs_mpi_call(rec->call)->kind;
    if (kind != CS_MPI_SEND_INIT && !(kind == CS_MPI_COLL && r->once))
        return 0;
    if (values(&scratch, rec, &e))
        return -1;
    bool known = cs_args_get_merged(&a, p->m, r->rank, &e);
    if (known && kind == CS_MPI_COLL)
        add_collective(r, call, cs_args_contributed(&a), times);
    else if (known)
        add_message(r, call, cs_args_peer(&a, CS_ROLE_DEST), cs_args_sent(&a), times);
    free(scratch.fields);
    return 0;
}

static int start(struct row *r, const struct cs_args *a, int call, int64_t times)
{
    for (int i = 0; i < a->call->nargs; i++) {
        if (!a->has[i] || (a->call->args[i].role != CS_ROLE_REQ_INOUT && a->call->args[i].role != CS_ROLE_REQS))
            continue;
        for (int64_t k = 0; k < a->f[i].n; k++)
            if (a->f[i].values[k] < 0 && start_one(r, call, -1 - a->f[i].values[k], times))
                return -1;
    }
    return 0;
}

static bool moves_data(const struct cs_mpi_call *call)
{
    enum cs_mpi_kind kind = call->kind;
    return !(call->flags & CS_MPI_PERSISTENT) &&
           (cs_args_reaches(call) || kind == CS_MPI_SEND || kind == CS_MPI_ISEND || kind == CS_MPI_SENDRECV ||
            kind == CS_MPI_START || kind == CS_MPI_COLL);
}

static int add_record(struct row *r, int record)
{
    const struct cs_merged_record *rec = &r->p->m->record[record];
    enum cs_mpi_kind kind = cs_mpi_call(rec->call)->kind;
    int64_t times = r->p->times[record];
    struct cs_event e;
    struct cs_args a;
    if (!moves_data(cs_mpi_call(rec->call)) || (!r->once && kind == CS_MPI_COLL))
        return 0;
    if (values(r, rec, &e))
        return -1;
    if (!cs_args_get_merged(&a, r->p->m, r->rank, &e))
        return 0;
    if (kind == CS_MPI_START)
        return start(r, &a, rec->call, times);
    if (kind == CS_MPI_COLL)
        add_collective(r, rec->call, cs_args_contributed(&a), times);
    else
        add_message(r, rec->call, cs_args_peer(&a, CS_ROLE_DEST),
                    kind == CS_MPI_RMA ? cs_args_moved(&a) : cs_args_sent(&a), times);
    return 0;
}

/* ---- a rank, all ranks ---- */

/* Hands out the pairs of a rank in order, and empties its row. */
static int end_row(struct row *r, cs_pair_fn *fn, void *arg)
{
    int rc = 0;
    if (r->ndest > 1)
        qsort(r->dest, (size_t)r->ndest, sizeof *r->dest, by_number);
    for (int i = 0; i < r->ndest; i++) {
        int d = r->dest[i];
        if (!rc && fn)
            rc = fn(arg, r->rank, d, r->messages[d], r->bytes[d]);
        r->messages[d] = r->bytes[d] = 0;
    }
    r->ndest = 0;
    return rc;
}

static int add_rank(struct row *r, bool sums, cs_pair_fn *fn, void *arg)
{
    struct cs_profile *p = r->p;
    int cls = p->m->class_of[r->rank], rc = 0;
    for (int i = p->first_of[cls]; i < p->first_of[cls + 1] && !rc; i++) {
        int record = p->of_class[i], call = p->m->record[record].call;
        r->once = sums ? &p->once[record] : NULL;
        if (sums) {
            r->once->calls++;
            p->rank[r->rank].sent.calls += (uint64_t)p->times[record];
            p->call[call].calls += (uint64_t)p->times[record];
        }
        rc = add_record(r, record);
    }
    return rc ? rc : end_row(r, fn, arg);
}

static int add_ranks(struct cs_profile *p, bool sums, cs_pair_fn *fn, void *arg,
                     void (*progress)(const char *what, int64_t done, int64_t total))
{
    size_t n = (size_t)p->m->info.nranks;
    struct row r = {.p = p,
                    .messages = calloc(n, sizeof *r.messages),
                    .bytes = calloc(n, sizeof *r.bytes),
                    .dest = malloc(n * sizeof *r.dest)};
    int rc = r.messages && r.bytes && r.dest ? 0 : -1;
    for (; !rc && r.rank < p->m->info.nranks; r.rank++) {
        if (progress)
            progress("adding up", r.rank, p->m->info.nranks);
        rc = add_rank(&r, sums, fn, arg);
    }
    free(r.messages);
    free(r.bytes);
    free(r.dest);
    free(r.fields);
    return rc ? -1 : 0;
}

int cs_profile_pairs(struct cs_profile *p, cs_pair_fn *fn, void *arg)
{
    return add_ranks(p, false, fn, arg, NULL);
}

static bool allocate(struct cs_profile *p)
{
    const struct cs_merged *m = p->m;
    p->symbol_times = calloc((size_t)m->nsymbols + 1, sizeof *p->symbol_times);
    p->times = calloc((size_t)m->nrecords + 1, sizeof *p->times);
    p->once = calloc((size_t)m->nrecords + 1, sizeof *p->once);
    p->call = calloc((size_t)cs_mpi_ncalls(), sizeof *p->call);
    p->rank = calloc((size_t)m->info.nranks, sizeof *p->rank);
    p->of_class = calloc((size_t)m->nrecords + 1, sizeof *p->of_class);
    p->first_of = calloc((size_t)m->nclasses + 2, sizeof *p->first_of);
    p->inits = calloc((size_t)m->nclasses + 1, sizeof *p->inits);
    p->ninits = calloc((size_t)m->nclasses + 1, sizeof *p->ninits);
    return p->symbol_times && p->times && p->once && p->call && p->rank && p->of_class && p->first_of && p->inits &&
           p->ninits;
}

struct cs_profile *cs_profile_make(const struct cs_merged *m, cs_pair_fn *fn, void *arg,
                                   void (*progress)(const char *what, int64_t done, int64_t total))
{
    struct cs_profile *p = calloc(1, sizeof *p);
    if (!p)
        return NULL;
    p->m = m;
    bool fine = allocate(p);
    if (fine) {
        count_symbols(p, 0, m->nnodes, 1);
        count_records(p);
        list_by_class(p);
        fine = cs_profile_inits(p) == 0 && add_ranks(p, true, fn, arg, progress) == 0;
    }
    if (!fine) {
        cs_profile_free(p);
        return NULL;
    }
    for (int c = 0; c < cs_mpi_ncalls(); c++)
        cs_sums_add(&p->all, &p->call[c], 1);
    return p;
}

void cs_profile_free(struct cs_profile *p)
{
    if (!p)
        return;
    for (int c = 0; p->inits && c < p->m->nclasses; c++)
        free(p->inits[c]);
    free(p->symbol_times);
    free(p->times);
    free(p->once);
    free(p->call);
    free(p->rank);
    free(p->of_class);
    free(p->first_of);
    free(p->inits);
    free(p->ninits);
    free(p);
}

/* ---- asking ---- */

struct cs_sums cs_profile_symbol(const struct cs_profile *p, int symbol)
{
    const struct cs_merged_symbol *l = &p->m->symbol[symbol];
    struct cs_sums s = {0};
    for (int k = 0; k < l->nparts; k++)
        cs_sums_add(&s, &p->once[l->part[k].record], 1);
    return s;
}

struct cs_sums cs_profile_node(const struct cs_profile *p, int64_t node, int64_t times)
{
    const struct cs_nest_node *n = &p->m->node[node];
    struct cs_sums s = {0};
    for (int32_t k = 0; k < n->ncycle; k++) {
        struct cs_sums one = cs_profile_symbol(p, p->m->cycle[n->cycle + k]);
        cs_sums_add(&s, &one, turns(n, k, times));
    }
    if (!n->ncycle) {
        struct cs_sums one = cs_profile_symbol(p, n->value);
        cs_sums_add(&s, &one, times);
    }
    return s;
}
