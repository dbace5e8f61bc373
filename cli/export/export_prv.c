/* SPDX-License-Identifier: BSD-3-Clause
 * A trace for Paraver (format of version 1 of its tracefiles): OUT.prv with states, events and messages of all ranks in
 * the order of time, OUT.pcf and OUT.row with their names. Two passes: the first lets messages meet, the second writes.
 */
#define _GNU_SOURCE 1
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "cli/export/export_internal.h"
#include "cli/export/met_messages.h"
#include "cli/export/prv_labels.h"
#include "cli/frame/cli.h"
#include "cli/frame/output.h"

/* A communicator: its members are ranks of MPI_COMM_WORLD; no members: the number has not been seen. */
struct comm {
    int n, *members;
};

/* The export while it goes on; comm[i] has the number i + 1 in the file. */
struct prv {
    struct cs_export *x;
    FILE *out;
    struct cs_prv_labels *labels;
    struct cs_meeting_place *meeting;
    struct cs_sorted_messages *messages;
    struct comm *comm;
    int ncomms, comm_cap;
    int64_t end;
};

/* No date: the same trace gives the same files, and a file of another tool is never taken for one of these. */
#define PRV_BEGINS "#Paraver (01/01/1970 at 00:00):"

static const struct cs_file_kind prv_kind = {"a Paraver trace of commslice export", PRV_BEGINS, sizeof PRV_BEGINS - 1},
                                 pcf_kind = {"labels of commslice export", CS_PCF_BEGINS, sizeof CS_PCF_BEGINS - 1},
                                 row_kind = {"rows of commslice export", CS_ROW_BEGINS, sizeof CS_ROW_BEGINS - 1};

static bool is_collective(int call)
{
    return cs_prv_type(call) == CS_PRV_COLLECTIVE;
}

/* ---- the first pass ---- */

static int keep_comm(struct prv *p, int number, const struct cs_comm_def *c)
{
    if (number < 0 || !c)
        return 0;
    if (!CS_MAKE_ROOM_FOR(p->comm, number + 1, p->comm_cap))
        return cs_error("not enough memory");
    while (p->ncomms <= number)
        p->comm[p->ncomms++] = (struct comm){0};
    struct comm *own = &p->comm[number];
    if (own->n)
        return 0;
    own->members = malloc(((size_t)c->nranks + 1) * sizeof *own->members);
    if (!own->members)
        return cs_error("not enough memory");
    own->n = c->nranks;
    memcpy(own->members, c->world_ranks, (size_t)c->nranks * sizeof *own->members);
    return 0;
}

static int first_pass(void *arg, const struct cs_moment *m)
{
    struct prv *p = arg;
    struct cs_args a;
    p->end = m->until > p->end ? m->until : p->end;
    if (cs_meeting_place_moment(p->meeting, m))
        return -1;
    if (m->leaves || !is_collective(m->call) || !cs_args_get(&a, p->x->view.t, m->rank, m->e))
        return 0;
    return keep_comm(p, cs_meeting_place_comm(p->meeting, &a), cs_args_comm(&a));
}

/* ---- the second pass ---- */

static void put_header(const struct prv *p)
{
    int n = cs_trace_info(p->x->view.t)->nranks;
    fprintf(p->out, PRV_BEGINS "%" PRId64 "_ns:1(%d):1:%d(", p->end, n, n);
    for (int r = 0; r < n; r++)
        fprintf(p->out, "%s1:1", r ? "," : "");
    fprintf(p->out, "),%d\n", p->ncomms);
    for (int i = 0; i < p->ncomms; i++) {
        fprintf(p->out, "c:1:%d:%d", i + 1, p->comm[i].n);
        for (int k = 0; k < p->comm[i].n; k++)
            fprintf(p->out, ":%d", p->comm[i].members[k] + 1);
        putc('\n', p->out);
    }
}

/* Messages that are sent until then. Their order is that of being sent, as the file's is. */
static int put_messages(struct prv *p, int64_t until)
{
    const struct cs_sent_message *m;
    while ((m = cs_sorted_messages_first(p->messages)) && m->sent <= until) {
        fprintf(p->out,
                "3:%d:1:%d:1:%" PRId64 ":%" PRId64 ":%d:1:%d:1:%" PRId64 ":%" PRId64 ":%" PRIu64 ":%" PRId64 "\n",
                m->from + 1, m->from + 1, m->sent, m->sent, m->to + 1, m->to + 1, m->posted, m->received, m->bytes,
                m->tag < 0 ? 0 : m->tag);
        if (cs_sorted_messages_take(p->messages))
            return cs_error("temporary file: %s", strerror(errno));
    }
    return 0;
}

/* A rank is in a state from the moment on. */
static void put_state(const struct prv *p, const struct cs_moment *m, int state)
{
    if (m->until > m->time)
        fprintf(p->out, "1:%d:1:%d:1:%" PRId64 ":%" PRId64 ":%d\n", m->rank + 1, m->rank + 1, m->time, m->until, state);
}

static int put_enter(struct prv *p, const struct cs_moment *m)
{
    struct cs_args a;
    int line = cs_prv_place(p->labels, p->x, m->e->site);
    if (line < 0)
        return cs_error("not enough memory");
    put_state(p, m, cs_prv_state(m->call));
    fprintf(p->out, "2:%d:1:%d:1:%" PRId64 ":%d:%d", m->rank + 1, m->rank + 1, m->time, cs_prv_type(m->call),
            cs_prv_call(p->labels, m->call));
    if (line)
        fprintf(p->out, ":%d:%d", CS_PRV_LINE, line);
    if (is_collective(m->call) && cs_args_get(&a, p->x->view.t, m->rank, m->e))
        fprintf(p->out, ":%d:%" PRIu64 ":%d:%" PRIu64 ":%d:%d:%d:%d", CS_PRV_SENT, cs_args_contributed(&a),
                CS_PRV_RECEIVED, cs_args_received(&a), CS_PRV_ROOT, cs_args_is_root(&a), CS_PRV_COMM,
                cs_meeting_place_comm(p->meeting, &a) + 1);
    putc('\n', p->out);
    return 0;
}

static void put_leave(struct prv *p, const struct cs_moment *m)
{
    put_state(p, m, 1);
    fprintf(p->out, "2:%d:1:%d:1:%" PRId64 ":%d:0:%d:0\n", m->rank + 1, m->rank + 1, m->time, cs_prv_type(m->call),
            CS_PRV_LINE);
}

static int second_pass(void *arg, const struct cs_moment *m)
{
    struct prv *p = arg;
    if (put_messages(p, m->time - 1))
        return -1;
    if (m->leaves)
        put_leave(p, m);
    else if (put_enter(p, m))
        return -1;
    return ferror(p->out) ? cs_error("%s: cannot write: %s", p->x->out_path, strerror(errno)) : 0;
}

/* ---- files ---- */

static int put_trace(struct prv *p)
{
    if (cs_rank_moments(p->x, first_pass, p) || !(p->messages = cs_meeting_place_finish(p->meeting)))
        return -1;
    put_header(p);
    return cs_rank_moments(p->x, second_pass, p) || put_messages(p, INT64_MAX) ? -1 : 0;
}

/* Is all of it in the file? After that, closing does not fail for want of room. 0, or -1 after a message. */
static int flush(const struct cs_output *o)
{
    return fflush(o->f) || ferror(o->f) ? cs_error("%s: cannot write: %s", o->path, strerror(errno)) : 0;
}

/* The three files, in place of older ones only when all three are whole. */
static int put_files(struct prv *p, char *const path[3])
{
    struct cs_output out[3];
    int rc = 0, open = 0;
    for (; open < 3 && rc == 0; open += rc == 0)
        rc = cs_output_open(&out[open], path[open]);
    if (rc == 0) {
        p->out = out[0].f;
        rc = put_trace(p);
        cs_progress_end();
    }
    if (rc == 0) {
        cs_prv_put_pcf(p->labels, out[1].f, p->x);
        cs_prv_put_row(out[2].f, cs_trace_info(p->x->view.t)->nranks);
    }
    for (int i = 0; i < open && rc == 0; i++)
        rc = flush(&out[i]);
    for (int i = 0; i < open; i++)
        rc |= cs_output_close(&out[i], rc == 0);
    return rc ? -1 : 0;
}

static int check_files(const struct cs_export *x, char *const path[3])
{
    static const struct cs_file_kind *const kind[] = {&prv_kind, &pcf_kind, &row_kind};
    for (int i = 0; i < 3; i++)
        if (cs_output_check_file(path[i], x->path, kind[i], x->force))
            return -1;
    return 0;
}

int cs_export_prv(struct cs_export *x)
{
    static const char *const ends[] = {"prv", "pcf", "row"};
    size_t len = strlen(x->out_path);
    struct prv p = {.x = x};
    char *path[3] = {0};
    int rc = 0;
    if (len > 4 && !strcmp(x->out_path + len - 4, ".prv"))
        len -= 4;
    for (int i = 0; i < 3 && rc == 0; i++)
        if (asprintf(&path[i], "%.*s.%s", (int)len, x->out_path, ends[i]) < 0)
            rc = cs_error("not enough memory");
    if (rc == 0)
        rc = check_files(x, path);
    if (rc == 0 && (!(p.meeting = cs_meeting_place_new(x)) || !(p.labels = cs_prv_labels_new(x))))
        rc = cs_error("not enough memory");
    if (rc == 0)
        rc = put_files(&p, path);
    for (int i = 0; i < 3; i++)
        free(path[i]);
    for (int i = 0; i < p.ncomms; i++)
        free(p.comm[i].members);
    free(p.comm);
    cs_sorted_messages_free(p.messages);
    cs_meeting_place_free(p.meeting);
    cs_prv_labels_free(p.labels);
    return rc ? -1 : 0;
}
