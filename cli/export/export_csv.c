/* SPDX-License-Identifier: BSD-3-Clause
 * A trace as comma-separated values (RFC 4180), one line an event, for spreadsheets and scripts.
 * Columns that do not apply are empty; what they are is said in commslice-export(1). */
#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "cli/frame/cli.h"
#include "cli/export/export_internal.h"

static void put_text(FILE *out, const char *s)
{
    putc('"', out);
    for (; s && *s; s++) {
        if (*s == '"')
            putc('"', out);
        putc(*s, out);
    }
    putc('"', out);
}

static void put_number(FILE *out, int64_t v)
{
    if (v != CS_UNUSED)
        fprintf(out, "%" PRId64, v);
    putc(',', out);
}

static void put_peer(FILE *out, const struct cs_args *a, enum cs_role role)
{
    int peer = cs_args_find(a, role) < 0 ? CS_PEER_UNKNOWN : cs_args_peer(a, role);
    if (peer >= 0)
        fprintf(out, "%d", peer);
    else if (peer != CS_PEER_UNKNOWN)
        fputs(peer == CS_PEER_ANY ? "any" : "null", out);
    putc(',', out);
}

static void put_site(FILE *out, const struct cs_export *x, int site)
{
    struct cs_source_location p =
        cs_locations_find(x->view.places, site < 0 ? NULL : cs_trace_site(x->view.t, x->view.rank, site));
    if (p.file)
        put_text(out, p.file);
    putc(',', out);
    if (p.line >= 0 && p.file)
        fprintf(out, "%d", p.line);
    putc(',', out);
    if (p.file && p.func)
        put_text(out, p.func);
}

static int put_event(struct cs_export *x, const struct cs_event *e, int64_t index, void *arg)
{
    struct cs_args *a = arg;
    FILE *out = x->out;
    if (!cs_args_get(a, x->view.t, x->view.rank, e))
        return cs_error("%s: rank %d, event %" PRId64 " does not fit its call", x->path, x->view.rank, index);
    const struct cs_comm_def *c = cs_args_comm(a);
    int64_t type = cs_args_scalar(a, cs_args_find(a, CS_ROLE_TYPE));
    const struct cs_type_def *d =
        type >= 0 && type <= INT32_MAX ? cs_trace_type(x->view.t, x->view.rank, (int)type) : NULL;
    fprintf(out, "%d,%" PRId64 ",", x->view.rank, index);
    if (cs_trace_info(x->view.t)->with_times)
        fprintf(out, "%" PRId64 ",%" PRId64 ",", e->t_enter, e->t_exit);
    else
        fputs(",,", out);
    fprintf(out, "%s,", a->call->name);
    put_number(out, cs_args_scalar(a, cs_args_find(a, CS_ROLE_COUNT)));
    if (d)
        put_text(out, d->signature);
    putc(',', out);
    bool collective = a->call->kind == CS_MPI_COLL && !(a->call->flags & CS_MPI_PERSISTENT);
    fprintf(out, "%" PRIu64 ",%" PRIu64 ",", collective ? cs_args_contributed(a) : cs_args_sent(a),
            cs_args_received(a));
    put_peer(out, a, CS_ROLE_DEST);
    put_peer(out, a, CS_ROLE_SOURCE);
    put_number(out, cs_args_scalar(a, cs_args_find(a, CS_ROLE_ROOT)));
    put_number(out, cs_args_scalar(a, cs_args_find(a, CS_ROLE_TAG)));
    if (c)
        put_text(out, c->path);
    fprintf(out, ",%d,", e->mark);
    put_site(out, x, e->site);
    fputs("\r\n", out);
    return ferror(out)
               ? cs_error("%s: cannot write: %s", x->out_path ? x->out_path : "standard output", strerror(errno))
               : 0;
}

#define BEGINS \
    "rank,index,enter_ns,exit_ns,call,count,type,bytes_sent,bytes_received,dest,source,root,tag,comm,mark," \
    "file,line,function\r\n"

const struct cs_file_kind cs_csv_kind = {"a CSV file of commslice export", BEGINS, sizeof BEGINS - 1};

int cs_export_csv(struct cs_export *x)
{
    struct cs_args a;
    int n = cs_trace_info(x->view.t)->nranks;
    fputs(BEGINS, x->out);
    for (x->view.rank = 0; x->view.rank < n; x->view.rank++) {
        cs_progress("writing", x->view.rank, n);
        if (cs_export_rank(x, put_event, &a) != 0)
            return -1;
    }
    return 0;
}
