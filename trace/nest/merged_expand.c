/* SPDX-License-Identifier: BSD-3-Clause
 * Writes a merged form as a trace: every rank's events in their original order, without times. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "trace/format/fields.h"
#include "trace/nest/nest.h"
#include "trace/write/join_ranks.h"
#include "base/error_text.h"

/* A rank that is being written. */
struct out {
    const struct cs_merged *m;
    struct cs_trace_writer *w;
    int rank;
    int *site, *type, *comm, *op; /* m's numbers -> the rank's; -1: not defined yet */
    int64_t *fields;
    int cap;
};

static int define_comm(struct out *o, int64_t comm)
{
    return cs_trace_def_comm_ranges(o->w, o->m->comm[comm].path, cs_merged_group_of(o->m, (int)comm, o->rank));
}

/* The rank's number of definition x, which is defined at its first use; x itself where the role is that of no
 * definition or x is negative (null handles). INT64_MIN: the writer failed. */
static int64_t define(struct out *o, enum cs_role role, int64_t x)
{
    const struct cs_merged *m = o->m;
    if (x < 0)
        return x;
    switch (role) {
    case CS_ROLE_TYPE:
    case CS_ROLE_TYPES:
        if (o->type[x] < 0)
            o->type[x] =
                cs_trace_def_type(o->w, m->type[x].signature, m->type[x].size, m->type[x].extent, m->type[x].pieces);
        return o->type[x] < 0 ? INT64_MIN : o->type[x];
    case CS_ROLE_COMM:
    case CS_ROLE_COMM_UPD:
    case CS_ROLE_NEWCOMM:
        if (o->comm[x] < 0)
            o->comm[x] = define_comm(o, x);
        return o->comm[x] < 0 ? INT64_MIN : o->comm[x];
    case CS_ROLE_OP:
        if (o->op[x] < 0)
            o->op[x] = cs_trace_def_op(o->w, m->op[x]);
        return o->op[x] < 0 ? INT64_MIN : o->op[x];
    default: return x;
    }
}

static int write_event(struct out *o, const struct cs_event *from)
{
    struct cs_event e = *from;
    struct cs_field f;
    int arg = 0, at = 0;
    if (!CS_MAKE_ROOM_FOR(o->fields, e.nfields, o->cap))
        return -1;
    if (e.nfields)
        memcpy(o->fields, from->fields, (size_t)e.nfields * sizeof *o->fields);
    e.fields = o->fields;
    while (cs_field_next(from, &arg, &at, &f) == 1)
        for (int64_t i = 0; i < f.n; i++) {
            int64_t x = define(o, f.arg->role, f.values[i]);
            if (x == INT64_MIN && f.values[i] != INT64_MIN)
                return -1;
            o->fields[f.values - from->fields + i] = x;
        }
    if (e.site >= 0 && o->site[e.site] < 0) {
        const struct cs_site *s = &o->m->site[e.site];
        if ((o->site[e.site] = cs_trace_def_site(o->w, s->file, s->line, s->func)) < 0)
            return -1;
    }
    e.site = e.site >= 0 ? o->site[e.site] : -1;
    return cs_trace_event(o->w, &e);
}

static int write_events(struct out *o)
{
    struct cs_merged_walk *w = cs_merged_walk_open(o->m, o->rank, true);
    struct cs_event e;
    int rc = w ? 1 : -1;
    while (rc == 1 && (rc = cs_merged_walk_next(w, &e, NULL)) == 1)
        if (write_event(o, &e))
            rc = -1;
    cs_merged_walk_free(w);
    return rc;
}

static void reset(struct out *o)
{
    memset(o->site, -1, ((size_t)o->m->nsites + 1) * sizeof *o->site);
    memset(o->type, -1, ((size_t)o->m->ntypes + 1) * sizeof *o->type);
    memset(o->comm, -1, ((size_t)o->m->ncomms + 1) * sizeof *o->comm);
    memset(o->op, -1, ((size_t)o->m->nops + 1) * sizeof *o->op);
}

static int write_rank(struct out *o, struct cs_trace_group *g, int rank)
{
    struct cs_run_info info = o->m->info;
    info.with_times = false;
    o->rank = rank;
    o->w = cs_trace_create_in(g, rank, &info);
    if (!o->w)
        return -1;
    reset(o);
    int rc = write_events(o), err = errno;
    if (cs_trace_close(o->w) && !rc)
        return -1;
    errno = err;
    return rc;
}

int cs_merged_expand(const struct cs_merged *m, const char *path,
                     void (*progress)(const char *what, int64_t done, int64_t total), char *errbuf, size_t errlen)
{
    struct out o = {.m = m};
    struct cs_trace_group *g = cs_trace_group_new(path, m->info.nranks);
    int rc = -1;
    o.site = malloc(((size_t)m->nsites + 1) * sizeof *o.site);
    o.type = malloc(((size_t)m->ntypes + 1) * sizeof *o.type);
    o.comm = malloc(((size_t)m->ncomms + 1) * sizeof *o.comm);
    o.op = malloc(((size_t)m->nops + 1) * sizeof *o.op);
    if (g && o.site && o.type && o.comm && o.op) {
        rc = 0;
        for (int r = 0; r < m->info.nranks && !rc; r++) {
            if (progress)
                progress("writing", r, m->info.nranks);
            rc = write_rank(&o, g, r);
        }
    }
    if (rc)
        cs_error_text(errbuf, errlen, "cannot write: %s", strerror(errno ? errno : ENOMEM));
    cs_trace_group_free(g);
    if (rc == 0)
        cs_trace_join_ranks(path, true);
    free(o.site);
    free(o.type);
    free(o.comm);
    free(o.op);
    free(o.fields);
    return rc;
}
