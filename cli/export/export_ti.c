/* SPDX-License-Identifier: BSD-3-Clause
 * Exports a trace as SimGrid's time-independent trace, for `smpirun -replay OUT`: OUT lists a file for each rank, in
 * OUT_files/. Recorded computation becomes work; a nonblocking collective is written where it is completed. */
#define _GNU_SOURCE 1
#include <errno.h>
#include <inttypes.h>
#include <libgen.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/frame/cli.h"
#include "cli/export/export_internal.h"
#include "trace/analyse/open_requests.h"
#include "cli/frame/output.h"
#include "cli/frame/unfinished.h"
#include "cli/export/ti.h"
#include "predict/network/network.h"

/* A nonblocking collective that is not complete yet, and the line to write when it is. */
struct pending {
    uint64_t id;
    char *text;
    struct pending *next;
};

/* A rank's file while it is written. */
struct rank_file {
    FILE *out;
    struct cs_export *x;
    const struct cs_args *a;
    struct cs_open_requests requests;
    struct pending *pending;
    int64_t last_exit;
    int last_site;
};

/* ---- requests ---- */

static int keep_collective(struct rank_file *f, const struct cs_open_request *r)
{
    struct pending *p = calloc(1, sizeof *p);
    size_t len;
    FILE *text = p ? open_memstream(&p->text, &len) : NULL;
    if (!text) {
        free(p);
        return cs_error("not enough memory");
    }
    f->x->inexact += cs_ti_collective(text, r->made_by ? r->made_by : f->a) != 0;
    p->id = r->id;
    p->next = f->pending;
    f->pending = p;
    return fclose(text) ? cs_error("not enough memory") : 0;
}

static void put_collective(struct rank_file *f, uint64_t id)
{
    for (struct pending **at = &f->pending; *at; at = &(*at)->next) {
        struct pending *p = *at;
        if (p->id != id)
            continue;
        fputs(p->text, f->out);
        *at = p->next;
        free(p->text);
        free(p);
        return;
    }
}

static int started(void *arg, const struct cs_open_request *r)
{
    struct rank_file *f = arg;
    int rank = f->x->view.rank;
    if (r->kind == CS_REQUEST_COLL)
        return keep_collective(f, r);
    if (r->peer == CS_PEER_NOBODY || r->kind == CS_REQUEST_OTHER)
        return 0;
    f->x->inexact += r->peer == CS_PEER_UNKNOWN;
    if (r->kind == CS_REQUEST_SEND && r->peer >= 0)
        cs_ti_isend(f->out, rank, r->peer, r->tag, r->bytes);
    else if (r->kind == CS_REQUEST_RECV && r->peer != CS_PEER_UNKNOWN)
        cs_ti_irecv(f->out, rank, r->peer, r->tag, r->bytes);
    return 0;
}

static int completed(void *arg, const struct cs_open_request *r)
{
    struct rank_file *f = arg;
    int rank = f->x->view.rank;
    if (r->kind == CS_REQUEST_COLL)
        put_collective(f, r->id);
    else if (r->kind == CS_REQUEST_SEND && r->peer >= 0)
        cs_ti_wait(f->out, rank, r->peer, r->tag, rank);
    else if (r->kind == CS_REQUEST_RECV && (r->peer >= 0 || r->peer == CS_PEER_ANY))
        cs_ti_wait(f->out, r->peer, rank, r->tag, rank);
    return 0;
}

/* Completes, before MPI_Finalize, the requests that Waitany and Test* completed: the trace does not say when that was,
 * and here the replay never waits too early. */
static int complete_rest(struct rank_file *f)
{
    struct cs_open_request *r;
    while ((r = cs_open_requests_oldest(&f->requests))) {
        r->open = false;
        if (completed(f, r) != 0)
            return -1;
    }
    return 0;
}

/* ---- events ---- */

/* Of a nonblocking one, `started` puts the receive. */
static void put_sendrecv(struct rank_file *f, const struct cs_args *a)
{
    int rank = a->rank, dest = cs_args_peer(a, CS_ROLE_DEST), source = cs_args_peer(a, CS_ROLE_SOURCE), recvtag = -1;
    for (int i = 0; i < a->call->nargs; i++)
        if (a->call->args[i].role == CS_ROLE_TAG)
            recvtag = i;
    bool receives = (source >= 0 || source == CS_PEER_ANY) && !(a->call->flags & CS_MPI_NONBLOCKING);
    f->x->inexact += dest == CS_PEER_UNKNOWN || source == CS_PEER_UNKNOWN;
    if (receives)
        cs_ti_irecv(f->out, rank, source, cs_args_scalar(a, recvtag), cs_args_received(a));
    if (dest >= 0)
        cs_ti_send(f->out, rank, dest, cs_args_scalar(a, cs_args_find(a, CS_ROLE_TAG)), cs_args_sent(a));
    if (receives)
        cs_ti_wait(f->out, source, rank, cs_args_scalar(a, recvtag), rank);
}

static void put_recv(struct rank_file *f, const struct cs_args *a)
{
    int source = cs_args_find(a, CS_ROLE_SOURCE) < 0 ? CS_PEER_ANY : cs_args_peer(a, CS_ROLE_SOURCE);
    int tag = cs_args_find(a, CS_ROLE_TAG);
    /* MPI_Mrecv takes what a probe has found; the trace has that probe as an event of its own. */
    f->x->inexact += tag < 0 || source == CS_PEER_UNKNOWN;
    if (source >= 0 || source == CS_PEER_ANY)
        cs_ti_recv(f->out, a->rank, source, tag < 0 ? CS_ANY : cs_args_scalar(a, tag), cs_args_received(a));
}

static bool has_request(const struct cs_mpi_call *c)
{
    for (int i = 0; i < c->nargs; i++)
        if (c->args[i].role == CS_ROLE_REQ_OUT)
            return true;
    return false;
}

static int put_call(struct rank_file *f, const struct cs_args *a)
{
    int dest;
    switch (a->call->kind) {
    case CS_MPI_INIT: fprintf(f->out, "%d init\n", a->rank); return 0;
    case CS_MPI_FINALIZE:
        if (complete_rest(f) != 0)
            return -1;
        fprintf(f->out, "%d finalize\n", a->rank);
        return 0;
    case CS_MPI_SEND:
        dest = cs_args_peer(a, CS_ROLE_DEST);
        f->x->inexact += dest == CS_PEER_UNKNOWN;
        if (dest >= 0)
            cs_ti_send(f->out, a->rank, dest, cs_args_scalar(a, cs_args_find(a, CS_ROLE_TAG)), cs_args_sent(a));
        return 0;
    case CS_MPI_RECV: put_recv(f, a); return 0;
    case CS_MPI_SENDRECV: put_sendrecv(f, a); return 0;
    case CS_MPI_COLL:
    case CS_MPI_BARRIER:
        if (!has_request(a->call))
            f->x->inexact += cs_ti_collective(f->out, a) != 0;
        return 0;
    default: return 0;
    }
}

/* ns that the rank computes before the event. */
static double computed(struct rank_file *f, const struct cs_event *e, int64_t index)
{
    const struct cs_export *x = f->x;
    double ns = 0;
    if (x->computation)
        ns = x->computation(x->arg, x->view.rank, index > 0 ? f->last_site : -1, e);
    else if (cs_trace_info(x->view.t)->with_times && index > 0)
        ns = (double)(e->t_enter - e->t_delay - f->last_exit);
    f->last_exit = e->t_exit;
    f->last_site = e->site;
    return ns;
}

static int put_event(struct cs_export *x, const struct cs_event *e, int64_t index, void *arg)
{
    struct rank_file *f = arg;
    struct cs_args a;
    bool unknown;
    if (!cs_args_get(&a, x->view.t, x->view.rank, e))
        return cs_error("%s: rank %d, event %" PRId64 " does not fit its call", x->path, x->view.rank, index);
    f->a = &a;
    double ns = computed(f, e, index);
    if (ns > 0)
        fprintf(f->out, "%d compute %.17g\n", x->view.rank, ns * 1e-9 * x->speed);
    if (put_call(f, &a) != 0)
        return -1;
    if (cs_open_requests_event(&f->requests, &a, index, started, completed, f, &unknown) != 0)
        return cs_error("not enough memory");
    x->inexact += unknown;
    return 0;
}

/* "FOLDER/rank-N.txt", to be freed; NULL after a message. */
static char *rank_path(const char *folder, int rank)
{
    char *path;
    if (asprintf(&path, "%s/rank-%d.txt", folder, rank) >= 0)
        return path;
    cs_error("not enough memory");
    return NULL;
}

static int put_rank(struct cs_export *x, const char *folder, FILE *list)
{
    struct rank_file f = {.x = x};
    char *path = rank_path(folder, x->view.rank);
    int rc = -1;
    if (!path)
        return -1;
    cs_unfinished(path);
    f.out = fopen(path, "w");
    if (!f.out) {
        cs_error("%s: %s", path, strerror(errno));
        goto out;
    }
    /* Replay takes the names as seen from where it is started: next to OUT, or absolute. */
    fprintf(list, "%s\n", path);
    rc = cs_export_rank(x, put_event, &f);
    if (ferror(f.out) | fclose(f.out))
        rc = cs_error("%s: cannot write: %s", path, strerror(errno));
out:
    for (struct pending *p = f.pending, *next; p; p = next) {
        next = p->next;
        free(p->text);
        free(p);
    }
    cs_open_requests_free(&f.requests);
    free(path);
    return rc ? -1 : 0;
}

/* A platform with a host for each rank, so that the trace can be played at once: hosts of the speed that work was
 * written with, on a network as predictions assume where nothing is known. 0, or another value after a message. */
static int put_platform(const struct cs_export *x, const char *folder)
{
    static const char begins[] = "<?xml version='1.0'?>\n<!-- commslice export";
    static const struct cs_file_kind kind = {"a platform of commslice export", begins, sizeof begins - 1};
    const struct cs_network *n = &cs_network_usual;
    struct cs_output out;
    char *path;
    if (asprintf(&path, "%s/" CS_TI_PLATFORM, folder) < 0)
        return cs_error("not enough memory");
    int rc = cs_output_check_file(path, x->path, &kind, x->force) || cs_output_open(&out, path);
    if (!rc) {
        fprintf(out.f,
                "%s: an assumed machine, a host for each rank; give SimGrid one that is like yours. -->\n"
                "<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n<platform version=\"4.1\">\n"
                "  <zone id=\"world\" routing=\"Full\">\n    <cluster id=\"c\" prefix=\"n\" suffix=\"\" "
                "radical=\"0-%d\" speed=\"%.17gf\" bw=\"%.17gBps\" lat=\"%.17gns\"/>\n  </zone>\n</platform>\n",
                begins, cs_trace_info(x->view.t)->nranks - 1, x->speed, 1e9 / n->per_byte, n->latency / 2);
        rc = cs_output_close(&out, true);
    }
    free(path);
    return rc;
}

/* The files of all ranks are whole; or, if the trace could not be written, they go. */
static void finish_ranks(const char *folder, int n, bool whole)
{
    for (int i = n - 1; i >= 0; i--) {
        char *path = rank_path(folder, i);
        if (path && !whole)
            unlink(path);
        if (path)
            cs_finished(path);
        free(path);
    }
    if (!whole)
        rmdir(folder);
    cs_finished(folder);
}

/* May the files of all ranks be written? 0, or another value after a message. */
static int check_ranks(const struct cs_export *x, const char *folder)
{
    int rc = 0;
    for (int r = 0; r < cs_trace_info(x->view.t)->nranks && rc == 0; r++) {
        char begins[32], *path = rank_path(folder, r);
        struct cs_file_kind kind = {"a file of commslice export", begins,
                                    (size_t)snprintf(begins, sizeof begins, "%d init\n", r)};
        rc = path ? cs_output_check_file(path, x->path, &kind, x->force) : -1;
        free(path);
    }
    return rc;
}

/* May the list of the ranks' files be written? 0, or another value after a message. */
static int check_list(const struct cs_export *x, const char *folder)
{
    char *full = realpath(folder, NULL), *begins = rank_path(full ? full : folder, 0);
    struct cs_file_kind kind = {"a file of commslice export -f ti", begins, begins ? strlen(begins) : 0};
    int rc = begins ? cs_output_check(x->out_path, x->path, &kind, x->force) : -1;
    free(begins);
    free(full);
    return rc;
}

/* Writes a file for each rank into the folder, and its name into the list. 0, or another value after a message. */
static int put_folder(struct cs_export *x, const char *folder, FILE *list)
{
    int n = cs_trace_info(x->view.t)->nranks, rc = 0;
    if (mkdir(folder, 0777) != 0 && errno != EEXIST)
        return cs_error("%s: %s", folder, strerror(errno));
    char *full = realpath(folder, NULL);
    if (!full)
        return cs_error("%s: %s", folder, strerror(errno));
    cs_unfinished(full); /* which a signal removes if nothing else is in it */
    if (strchr(full, '\n'))
        rc = cs_error("%s: replay takes names without line breaks; give another -o", full);
    for (x->view.rank = 0; x->view.rank < n && rc == 0; x->view.rank++) {
        cs_progress("writing", x->view.rank, n);
        rc = put_rank(x, full, list);
    }
    if (rc == 0 && !x->computation)
        rc = put_platform(x, full);
    finish_ranks(full, n, rc == 0);
    free(full);
    return rc;
}

int cs_export_ti(struct cs_export *x)
{
    struct cs_output list;
    char *folder = NULL;
    if (asprintf(&folder, "%s_files", x->out_path) < 0)
        return cs_error("not enough memory");
    int rc = check_list(x, folder) || check_ranks(x, folder) || cs_output_open(&list, x->out_path) ? -1 : 0;
    if (rc == 0) {
        rc = put_folder(x, folder, list.f);
        rc = cs_output_close(&list, rc == 0) ? -1 : 0;
        if (rc == 0 && !x->computation)
            cs_note("on an assumed machine: smpirun -np %d -platform %s/" CS_TI_PLATFORM " -replay %s",
                    cs_trace_info(x->view.t)->nranks, folder, x->out_path);
    }
    free(folder);
    return rc;
}
