/* SPDX-License-Identifier: BSD-3-Clause
 * A trace as an OTF2 archive, for Vampir, ViTE and otf2-print: one location a rank, a region for each call, messages
 * and collectives. What the trace does not name (the sender of a wildcard, what Waitany completed) is left out and
 * counted. */
#define _GNU_SOURCE 1
#include <errno.h>
#include <ftw.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <otf2/otf2.h>

#include "base/grow.h"
#include "cli/frame/cli.h"
#include "cli/export/export_internal.h"
#include "trace/analyse/open_requests.h"
#include "cli/export/otf2_defs.h"

/* A rank's events while they are written. */
struct rank_events {
    struct cs_export *x;
    struct cs_otf2_defs *defs;
    OTF2_EvtWriter *w;
    OTF2_ErrorCode rc;
    struct cs_open_requests requests;
    OTF2_CommRef *comms; /* by the rank's number of the communicator; OTF2_UNDEFINED_COMM: not yet asked for */
    size_t ncomms;
    int64_t last; /* time of the event written last: OTF2 wants no step back */
    int64_t enter, exit;
};

static void keep(struct rank_events *r, OTF2_ErrorCode rc)
{
    if (r->rc == OTF2_SUCCESS)
        r->rc = rc;
}

/* The time to write for an event at t: not before the last one. */
static uint64_t at(struct rank_events *r, int64_t t)
{
    if (t > r->last)
        r->last = t;
    return (uint64_t)r->last;
}

static OTF2_CommRef comm_ref(struct rank_events *r, int64_t comm)
{
    const struct cs_comm_def *c =
        comm >= 0 && comm <= INT32_MAX ? cs_trace_comm(r->x->view.t, r->x->view.rank, (int)comm) : NULL;
    if (!c)
        return OTF2_UNDEFINED_COMM;
    if ((size_t)comm >= r->ncomms) {
        size_t known = r->ncomms;
        if (!CS_MAKE_ROOM(r->comms, (size_t)comm, r->ncomms))
            return OTF2_UNDEFINED_COMM;
        for (size_t i = known; i < r->ncomms; i++)
            r->comms[i] = OTF2_UNDEFINED_COMM;
    }
    if (r->comms[comm] == OTF2_UNDEFINED_COMM)
        r->comms[comm] = cs_otf2_defs_comm(r->defs, c);
    return r->comms[comm];
}

/* Sets *out to the number that rank `world` of MPI_COMM_WORLD has in the communicator; false: it is no member. */
static bool rank_in(const struct rank_events *r, int64_t comm, int world, uint32_t *out)
{
    const struct cs_comm_def *c = comm >= 0 ? cs_trace_comm(r->x->view.t, r->x->view.rank, (int)comm) : NULL;
    if (!c || world < 0)
        return false;
    if (world < c->nranks && c->world_ranks[world] == world) {
        *out = (uint32_t)world;
        return true;
    }
    for (int i = 0; i < c->nranks; i++)
        if (c->world_ranks[i] == world) {
            *out = (uint32_t)i;
            return true;
        }
    return false;
}

/* The same for the partner of a message. A partner that is not known is counted as inexact, MPI_PROC_NULL is not. */
static bool partner(struct rank_events *r, int64_t comm, int peer, uint32_t *out)
{
    if (peer == CS_PEER_NOBODY)
        return false;
    if (rank_in(r, comm, peer, out))
        return true;
    r->x->inexact++;
    return false;
}

static void put_send(struct rank_events *r, const struct cs_args *a)
{
    int64_t comm = cs_args_scalar(a, cs_args_find(a, CS_ROLE_COMM)),
            tag = cs_args_scalar(a, cs_args_find(a, CS_ROLE_TAG));
    uint32_t to;
    if (partner(r, comm, cs_args_peer(a, CS_ROLE_DEST), &to))
        keep(r, OTF2_EvtWriter_MpiSend(r->w, NULL, at(r, r->enter), to, comm_ref(r, comm), (uint32_t)tag,
                                       cs_args_sent(a)));
}

static void put_recv(struct rank_events *r, const struct cs_args *a)
{
    int64_t comm = cs_args_scalar(a, cs_args_find(a, CS_ROLE_COMM)), tag = CS_UNUSED;
    uint32_t from;
    for (int i = 0; i < a->call->nargs; i++)
        if (a->call->args[i].role == CS_ROLE_TAG)
            tag = cs_args_scalar(a, i); /* the last one: recvtag of Sendrecv */
    int source = cs_args_find(a, CS_ROLE_SOURCE) < 0 ? CS_PEER_UNKNOWN : cs_args_peer(a, CS_ROLE_SOURCE);
    if (partner(r, comm, source, &from))
        keep(r, OTF2_EvtWriter_MpiRecv(r->w, NULL, at(r, r->exit), from, comm_ref(r, comm), (uint32_t)tag,
                                       cs_args_received(a)));
}

static int started(void *arg, const struct cs_open_request *q)
{
    struct rank_events *r = arg;
    uint32_t to;
    if (q->kind == CS_REQUEST_SEND && partner(r, q->comm, q->peer, &to))
        keep(r, OTF2_EvtWriter_MpiIsend(r->w, NULL, at(r, r->enter), to, comm_ref(r, q->comm), (uint32_t)q->tag,
                                        q->bytes, q->id));
    else if (q->kind == CS_REQUEST_RECV && q->peer >= 0)
        keep(r, OTF2_EvtWriter_MpiIrecvRequest(r->w, NULL, at(r, r->enter), q->id));
    return 0;
}

static int completed(void *arg, const struct cs_open_request *q)
{
    struct rank_events *r = arg;
    uint32_t from, to;
    if (q->kind == CS_REQUEST_SEND && rank_in(r, q->comm, q->peer, &to))
        keep(r, OTF2_EvtWriter_MpiIsendComplete(r->w, NULL, at(r, r->exit), q->id));
    else if (q->kind == CS_REQUEST_RECV && partner(r, q->comm, q->peer, &from))
        keep(r, OTF2_EvtWriter_MpiIrecv(r->w, NULL, at(r, r->exit), from, comm_ref(r, q->comm), (uint32_t)q->tag,
                                        q->bytes, q->id));
    return 0;
}

/* ---- collectives ---- */

/* OTF2's number of a collective; OTF2_UNDEFINED_TYPE: none that its tools would show. */
static OTF2_CollectiveOp collective_op(const struct cs_mpi_call *c)
{
    static const OTF2_CollectiveOp ops[CS_COLLECTIVE_COUNT] = {
        [CS_COLLECTIVE_BARRIER] = OTF2_COLLECTIVE_OP_BARRIER,
        [CS_COLLECTIVE_BCAST] = OTF2_COLLECTIVE_OP_BCAST,
        [CS_COLLECTIVE_GATHER] = OTF2_COLLECTIVE_OP_GATHER,
        [CS_COLLECTIVE_GATHERV] = OTF2_COLLECTIVE_OP_GATHERV,
        [CS_COLLECTIVE_SCATTER] = OTF2_COLLECTIVE_OP_SCATTER,
        [CS_COLLECTIVE_SCATTERV] = OTF2_COLLECTIVE_OP_SCATTERV,
        [CS_COLLECTIVE_ALLGATHER] = OTF2_COLLECTIVE_OP_ALLGATHER,
        [CS_COLLECTIVE_ALLGATHERV] = OTF2_COLLECTIVE_OP_ALLGATHERV,
        [CS_COLLECTIVE_ALLTOALL] = OTF2_COLLECTIVE_OP_ALLTOALL,
        [CS_COLLECTIVE_ALLTOALLV] = OTF2_COLLECTIVE_OP_ALLTOALLV,
        [CS_COLLECTIVE_ALLTOALLW] = OTF2_COLLECTIVE_OP_ALLTOALLW,
        [CS_COLLECTIVE_ALLREDUCE] = OTF2_COLLECTIVE_OP_ALLREDUCE,
        [CS_COLLECTIVE_REDUCE] = OTF2_COLLECTIVE_OP_REDUCE,
        [CS_COLLECTIVE_REDUCE_SCATTER] = OTF2_COLLECTIVE_OP_REDUCE_SCATTER,
        [CS_COLLECTIVE_REDUCE_SCATTER_BLOCK] = OTF2_COLLECTIVE_OP_REDUCE_SCATTER_BLOCK,
        [CS_COLLECTIVE_SCAN] = OTF2_COLLECTIVE_OP_SCAN,
        [CS_COLLECTIVE_EXSCAN] = OTF2_COLLECTIVE_OP_EXSCAN,
    };
    enum cs_collective which = cs_mpi_collective(c);
    return which == CS_COLLECTIVE_NONE || c->flags & CS_MPI_NONBLOCKING ? (OTF2_CollectiveOp)OTF2_UNDEFINED_TYPE
                                                                        : ops[which];
}

/* Nonblocking and neighbourhood collectives are regions only: this version of OTF2 has no records for them that tools
 * would show. */
static void put_collective(struct rank_events *r, const struct cs_args *a)
{
    OTF2_CollectiveOp op = collective_op(a->call);
    int64_t comm = cs_args_scalar(a, cs_args_find(a, CS_ROLE_COMM)),
            root = cs_args_scalar(a, cs_args_find(a, CS_ROLE_ROOT));
    if (op == (OTF2_CollectiveOp)OTF2_UNDEFINED_TYPE) {
        r->x->inexact++;
        return;
    }
    keep(r, OTF2_EvtWriter_MpiCollectiveBegin(r->w, NULL, at(r, r->enter)));
    keep(r, OTF2_EvtWriter_MpiCollectiveEnd(r->w, NULL, at(r, r->exit), op, comm_ref(r, comm),
                                            root >= 0 ? (uint32_t)root : OTF2_UNDEFINED_UINT32, cs_args_contributed(a),
                                            cs_args_received(a)));
}

/* ---- ranks ---- */

static int put_event(struct cs_export *x, const struct cs_event *e, int64_t index, void *arg)
{
    struct rank_events *r = arg;
    struct cs_args a;
    bool unknown;
    if (!cs_args_get(&a, x->view.t, x->view.rank, e))
        return cs_error("%s: rank %d, event %" PRId64 " does not fit its call", x->path, x->view.rank, index);
    r->enter = cs_export_enter(x, e, index);
    r->exit = cs_export_exit(x, e, index);
    OTF2_RegionRef region = cs_otf2_defs_region(r->defs, e->call);
    keep(r, OTF2_EvtWriter_Enter(r->w, NULL, at(r, r->enter), region));
    enum cs_mpi_kind k = a.call->kind;
    if (k == CS_MPI_SEND || k == CS_MPI_SENDRECV)
        put_send(r, &a);
    if (k == CS_MPI_RECV || (k == CS_MPI_SENDRECV && !(a.call->flags & CS_MPI_NONBLOCKING)))
        put_recv(r, &a);
    if (k == CS_MPI_COLL || k == CS_MPI_BARRIER)
        put_collective(r, &a);
    if (cs_open_requests_event(&r->requests, &a, index, started, completed, r, &unknown) != 0)
        return cs_error("not enough memory");
    x->inexact += unknown;
    keep(r, OTF2_EvtWriter_Leave(r->w, NULL, at(r, r->exit), region));
    return r->rc == OTF2_SUCCESS ? 0 : -1;
}

static int put_rank(struct cs_export *x, OTF2_Archive *archive, struct cs_otf2_defs *defs)
{
    struct rank_events r = {.x = x,
                            .defs = defs,
                            .rc = OTF2_SUCCESS,
                            .w = OTF2_Archive_GetEvtWriter(archive, (OTF2_LocationRef)x->view.rank)};
    int rc = r.w ? cs_export_rank(x, put_event, &r) : -1;
    if (r.w) {
        OTF2_EvtWriter_GetNumberOfEvents(r.w, &defs->nevents[x->view.rank]);
        OTF2_Archive_CloseEvtWriter(archive, r.w);
    }
    if (r.last > defs->last_time)
        defs->last_time = r.last;
    cs_open_requests_free(&r.requests);
    free(r.comms);
    return rc ? -1 : 0;
}

static OTF2_FlushType pre_flush(void *user, OTF2_FileType type, OTF2_LocationRef location, void *caller, bool final)
{
    (void)user, (void)type, (void)location, (void)caller, (void) final;
    return OTF2_FLUSH;
}

static OTF2_TimeStamp post_flush(void *user, OTF2_FileType type, OTF2_LocationRef location)
{
    (void)user, (void)type, (void)location;
    return 0;
}

/* Readers expect a file of local definitions for each location, even if it is empty. */
static OTF2_ErrorCode put_local_defs(OTF2_Archive *archive, int n)
{
    OTF2_ErrorCode rc = OTF2_Archive_OpenDefFiles(archive);
    for (int i = 0; i < n && rc == OTF2_SUCCESS; i++) {
        OTF2_DefWriter *w = OTF2_Archive_GetDefWriter(archive, (OTF2_LocationRef)i);
        rc = w ? OTF2_Archive_CloseDefWriter(archive, w) : OTF2_ERROR_INVALID_CALL;
    }
    return rc == OTF2_SUCCESS ? OTF2_Archive_CloseDefFiles(archive) : rc;
}

static int put_definitions(OTF2_Archive *archive, const struct cs_otf2_defs *defs)
{
    OTF2_ErrorCode rc = put_local_defs(archive, defs->nranks);
    OTF2_GlobalDefWriter *w = rc == OTF2_SUCCESS ? OTF2_Archive_GetGlobalDefWriter(archive) : NULL;
    if (w)
        rc = cs_otf2_defs_write(defs, w);
    if (w && rc == OTF2_SUCCESS)
        rc = OTF2_Archive_CloseGlobalDefWriter(archive, w);
    return w && rc == OTF2_SUCCESS ? 0 : -1;
}

/* Keeps the first error that OTF2 reports: it is the cause, and OTF2 repeats errors. */
static OTF2_ErrorCode first_error(void *user, const char *file, uint64_t line, const char *function,
                                  OTF2_ErrorCode code, const char *fmt, va_list va)
{
    OTF2_ErrorCode *first = user;
    (void)file, (void)line, (void)function, (void)fmt, (void)va;
    if (*first == OTF2_SUCCESS && code != OTF2_WARNING)
        *first = code;
    return code;
}

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *at)
{
    (void)st, (void)type, (void)at;
    return remove(path);
}

static OTF2_Archive *open_archive(struct cs_export *x)
{
    static const OTF2_FlushCallbacks flush = {.otf2_pre_flush = pre_flush, .otf2_post_flush = post_flush};
    OTF2_Archive *a = OTF2_Archive_Open(x->out_path, "traces", OTF2_FILEMODE_WRITE, 1 << 20, 4 << 20,
                                        OTF2_SUBSTRATE_POSIX, OTF2_COMPRESSION_NONE);
    if (!a || OTF2_Archive_SetFlushCallbacks(a, &flush, NULL) != OTF2_SUCCESS ||
        OTF2_Archive_SetSerialCollectiveCallbacks(a) != OTF2_SUCCESS ||
        OTF2_Archive_SetCreator(a, "commslice") != OTF2_SUCCESS || OTF2_Archive_OpenEvtFiles(a) != OTF2_SUCCESS) {
        if (a)
            OTF2_Archive_Close(a);
        return NULL;
    }
    return a;
}

/* Writes the whole archive and closes it. 0, or -1; the caller prints OTF2's errors. */
static int put_archive(struct cs_export *x, OTF2_Archive *archive, struct cs_otf2_defs *defs)
{
    int n = cs_trace_info(x->view.t)->nranks, rc = cs_otf2_defs_start(defs, n) ? cs_error("not enough memory") : 0;
    for (x->view.rank = 0; x->view.rank < n && rc == 0; x->view.rank++) {
        cs_progress("writing", x->view.rank, n);
        rc = put_rank(x, archive, defs);
    }
    if (OTF2_Archive_CloseEvtFiles(archive) != OTF2_SUCCESS)
        rc = -1;
    if (rc == 0)
        rc = put_definitions(archive, defs);
    if (OTF2_Archive_Close(archive) != OTF2_SUCCESS)
        rc = -1;
    cs_otf2_defs_free(defs);
    return rc;
}

int cs_export_otf2(struct cs_export *x)
{
    struct cs_otf2_defs defs = {0};
    OTF2_ErrorCode first = OTF2_SUCCESS;
    if (mkdir(x->out_path, 0777)) /* so nobody else makes it meanwhile, and it is ours to take away */
        return cs_error(errno == EEXIST ? "%s: exists; OTF2 archives are folders of their own, give a new name"
                                        : "%s: %s",
                        x->out_path, strerror(errno));
    OTF2_Error_RegisterCallback(first_error, &first);
    OTF2_Archive *archive = open_archive(x);
    int rc = archive ? put_archive(x, archive, &defs) : -1;
    OTF2_Error_RegisterCallback(NULL, NULL);
    cs_progress_end();
    if (rc == 0 && first == OTF2_SUCCESS)
        return 0;
    if (first != OTF2_SUCCESS)
        cs_error("%s: cannot write the archive: %s", x->out_path, OTF2_Error_GetDescription(first));
    nftw(x->out_path, remove_one, 16, FTW_DEPTH | FTW_PHYS);
    return -1;
}
