/* SPDX-License-Identifier: BSD-3-Clause
 * Prints one rank of a trace as text for the tests of commlib: one event a line, site last.
 * usage: dump_events TRACE RANK; exit status 1 when the rank is not complete. */
#include <stdio.h>
#include <stdlib.h>

#include "trace/format/fields.h"
#include "trace/trace.h"

static void print_comm(const struct cs_comm_def *d)
{
    printf("%s{", d->path);
    for (int i = 0; i < d->nranks; i++)
        printf("%s%d", i ? "," : "", d->world_ranks[i]);
    printf("}");
}

static void print_type(const struct cs_type_def *d)
{
    printf("%s(%lld,%lld)", d->signature, (long long)d->size, (long long)d->extent);
}

static void print_value(const struct cs_trace *t, int rank, enum cs_role role, int64_t v)
{
    if (v == CS_UNUSED)
        printf("-");
    else if (v >= 0 && (role == CS_ROLE_TYPE || role == CS_ROLE_TYPES))
        print_type(cs_trace_type(t, rank, (int)v));
    else if (v >= 0 && (role == CS_ROLE_COMM || role == CS_ROLE_NEWCOMM || role == CS_ROLE_COMM_UPD))
        print_comm(cs_trace_comm(t, rank, (int)v));
    else if (v >= 0 && role == CS_ROLE_OP)
        printf("%s", cs_trace_op(t, rank, (int)v));
    else
        printf("%lld", (long long)v);
}

static void print_event(const struct cs_trace *t, int rank, const struct cs_event *e)
{
    struct cs_field f;
    int arg = 0, at = 0, rc;
    printf("%s", cs_mpi_call(e->call)->name + 4);
    while ((rc = cs_field_next(e, &arg, &at, &f)) == 1) {
        printf(" %s=%s", f.arg->name, f.shape == CS_FIELD_ARRAY ? "[" : "");
        for (int64_t i = 0; i < f.n; i++) {
            printf("%s", i ? "," : "");
            print_value(t, rank, f.arg->role, f.values[i]);
        }
        printf("%s", f.shape == CS_FIELD_ARRAY ? "]" : "");
    }
    const struct cs_site *s = cs_trace_site(t, rank, e->site);
    printf("%s mark=%d %s:%d:%s\n", rc < 0 ? " BAD FIELDS" : "", e->mark, s ? s->file : "?", s ? s->line : 0,
        s ? s->func : "?");
}

int main(int argc, char **argv)
{
    char err[256];
    struct cs_event e;
    if (argc != 3)
        return 2;
    int rank = atoi(argv[2]), rc;
    if (cs_trace_recover(argv[1]) != 0)
        perror(argv[1]);
    struct cs_trace *t = cs_trace_open(argv[1], err, sizeof err);
    if (!t) {
        fprintf(stderr, "%s\n", err);
        return 2;
    }
    struct cs_trace_iter *it = cs_trace_iter_open(t, rank);
    while (it && (rc = cs_trace_iter_next(it, &e)) == 1)
        print_event(t, rank, &e);
    if (!it || rc < 0)
        fprintf(stderr, "rank %d: %s\n", rank, it ? cs_trace_iter_error(it) : "missing");
    bool complete = cs_trace_rank_state(t, rank) == CS_RANK_COMPLETE;
    cs_trace_iter_free(it);
    cs_trace_free(t);
    return complete ? 0 : 1;
}
