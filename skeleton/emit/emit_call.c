/* SPDX-License-Identifier: BSD-3-Clause
 * Writes one MPI call of the program, each argument by its role in the MPI table. An argument that a trace does not
 * record gets a default; a call that cannot be written is refused by name. Calls with lists of requests become calls of
 * functions in prelude.c. */
#define _GNU_SOURCE 1
#include "skeleton/emit/emit_call.h"

#include <assert.h>
#include <string.h>

#include "skeleton/emit/buffer_room.h"
#include "skeleton/emit/definitions.h"
#include "skeleton/emit/in_place.h"
#include "skeleton/emit/values.h"

/* The call's first argument of this role, or -1. */
static int find(const struct cs_gen_call *c, enum cs_role role)
{
    return cs_gen_arg(c->call, role, 0);
}

/* ---- buffers ---- */

/* The argument that may be MPI_IN_PLACE, or -1: the send buffer, or the receive buffer where only the root sends. */
static int in_place_arg(const struct cs_gen_call *c)
{
    if (c->call->kind != CS_MPI_COLL || c->call->flags & (CS_MPI_NEIGHBOR | CS_MPI_REDUCES))
        return -1;
    return find(c, c->call->flags & CS_MPI_ROOT_SENDS ? CS_ROLE_RBUF : CS_ROLE_SBUF);
}

static const char *buffer(struct cs_gen *g, const struct cs_gen_call *c, int arg)
{
    const char *name = c->call->args[arg].role == CS_ROLE_SBUF ? "sendbuf" : "recvbuf";
    int sbuf = find(c, CS_ROLE_SBUF), rbuf = find(c, CS_ROLE_RBUF), other = arg == sbuf ? rbuf : sbuf;
    if (arg != in_place_arg(c) || other < 0)
        return name;
    const char *when = cs_gen_in_place(g, c, arg, other);
    return strcmp(when, "0") == 0   ? name
           : strcmp(when, "1") == 0 ? "MPI_IN_PLACE"
                                    : cs_gen_text(g, "%s ? MPI_IN_PLACE : %s", when, name);
}

/* Displacements are not recorded: the program computes some that put the blocks one after the other. */
static const char *displacements(struct cs_gen *g, const struct cs_gen_call *c, int arg)
{
    int buf = arg - 1;
    while (buf >= 0 && c->call->args[buf].role != CS_ROLE_SBUF && c->call->args[buf].role != CS_ROLE_RBUF)
        buf--;
    int counts = c->call->args[buf].count_arg, types = c->call->args[buf].type_arg;
    const char *list = cs_gen_array(g, c, counts), *n = cs_gen_length(g, c, counts);
    if (strcmp(list, "NULL") == 0)
        return "NULL";
    int64_t most = cs_gen_longest(c, counts);
    if (c->call->args[types].role != CS_ROLE_TYPES) {
        g->need[CS_NEED_DISPLS] = true;
        return cs_gen_text(g, "displs(%s, %s, (int[%lld]){0})", list, n, (long long)most);
    }
    bool aint = strstr(c->call->args[arg].ctype, "Aint") != NULL;
    g->need[aint ? CS_NEED_AINTS_W : CS_NEED_DISPLS_W] = g->need[CS_NEED_TYPES_W] = true;
    const char *type = cs_gen_array(g, c, types);
    return cs_gen_text(g,
                       aint ? "aints_w(%s, types_of(%s, %s, (MPI_Datatype[%lld]){0}), %s, (MPI_Aint[%lld]){0})"
                            : "displs_w(%s, types_of(%s, %s, (MPI_Datatype[%lld]){0}), %s, (int[%lld]){0})",
                       list, type, n, (long long)most, n, (long long)most);
}

static const char *types(struct cs_gen *g, const struct cs_gen_call *c, int arg)
{
    const char *list = cs_gen_array(g, c, arg), *n = cs_gen_length(g, c, arg);
    int64_t most = cs_gen_longest(c, arg);
    if (most == 0)
        return "NULL";
    g->need[CS_NEED_TYPES_W] = true;
    return cs_gen_text(g, "types_of(%s, %s, (MPI_Datatype[%lld]){0})", list, n, (long long)most);
}

/* ---- communicators ---- */

/* The address where the new communicator goes. Ranks that get none pass the same one as ranks that do. */
static const char *new_comm(struct cs_gen *g, const struct cs_gen_call *c, int arg)
{
    int64_t known = CS_NO_HANDLE;
    cs_gen_spread(g, c, 0, arg, 0);
    for (int r = 0; r < g->m->info.nranks; r++)
        if (g->here[r] && g->value[r] >= 0)
            known = g->value[r];
    for (int r = 0; r < g->m->info.nranks; r++)
        if (g->here[r] && g->value[r] < 0)
            g->value[r] = known;
    g->errors_return |= known == CS_NO_HANDLE;
    return cs_gen_text(g, "&comm[%s]", cs_gen_pick(g, CS_ROLE_NEWCOMM, "new_comm"));
}

/* Does a rank get communicator `comm` with this group? Sets g->value to 1 on those that do, to 0 on others. */
static bool members_here(struct cs_gen *g, const struct cs_gen_call *c, int arg, int comm,
                         const struct cs_ranges *group)
{
    bool any = false;
    cs_gen_spread(g, c, 0, arg, 0);
    for (int r = 0; r < g->m->info.nranks; r++) {
        g->value[r] = g->here[r] && g->value[r] == comm && cs_merged_group_of(g->m, comm, r) == group;
        any |= g->value[r];
    }
    return any;
}

/* C text of a group of these ranks. */
static const char *group_text(struct cs_gen *g, const struct cs_ranges *members)
{
    struct cs_gen_memory m;
    FILE *out = cs_gen_begin(g, &m);
    if (!out)
        return "";
    for (int i = 0; i < members->total; i++)
        fprintf(out, "%s%d", i ? ", " : "{", cs_ranges_at(members, i));
    fputc('}', out);
    const char *list = cs_gen_end(g, &m);
    const char *table = cs_gen_table(g, "members", "const int ", cs_gen_text(g, "[%d]", members->total), list);
    g->need[CS_NEED_GROUP] = true;
    return cs_gen_text(g, "group_of(%s, %d)", table, members->total);
}

/* C text of the group that each rank passes: the members of the communicator that it gets. */
static const char *group(struct cs_gen *g, const struct cs_gen_call *c)
{
    int arg = find(c, CS_ROLE_NEWCOMM);
    const char *text = "MPI_GROUP_EMPTY";
    if (c->l->nparts && c->part[0].r->comm >= 0 && cs_merged_is_inter(g->m, c->part[0].r->comm))
        cs_gen_refuse(g, "%s on an intercommunicator", c->call->name);
    for (int comm = 0; comm < g->m->ncomms; comm++)
        for (int k = 0; k < g->m->comm[comm].ngroups; k++) {
            const struct cs_ranges *members = &g->m->comm[comm].group[k];
            if (!members_here(g, c, arg, comm, members))
                continue;
            const char *when = cs_gen_condition(g, "member"), *made = group_text(g, members);
            text = strcmp(when, "1") == 0 ? made : cs_gen_text(g, "%s ? %s : %s", when, made, text);
        }
    return text;
}

/* ---- requests ---- */

/* Raises g->requests to how far back this argument refers to requests, on any rank. */
static void room_for(struct cs_gen *g, const struct cs_gen_call *c, int arg)
{
    int n = cs_gen_longest(c, arg);
    for (int k = 0; k < c->nvariants; k++)
        for (int i = 0; i < n; i++) {
            cs_gen_spread(g, c, k, arg, i);
            for (int r = 0; r < g->m->info.nranks; r++)
                if (g->here[r] && g->value[r] > g->requests)
                    g->requests = g->value[r];
        }
}

static const char *request(struct cs_gen *g, const struct cs_gen_call *c, int arg)
{
    const char *which = cs_gen_scalar(g, c, arg);
    room_for(g, c, arg);
    g->need[CS_NEED_WHICH] = true;
    return cs_gen_text(g, "request(%s)", which);
}

static const char *request_list(struct cs_gen *g, const struct cs_gen_call *c, int arg)
{
    room_for(g, c, arg);
    g->need[CS_NEED_WHICH] = true;
    return cs_gen_array(g, c, arg);
}

static const char *new_request(struct cs_gen *g, const struct cs_gen_call *c)
{
    bool kept = c->call->flags & CS_MPI_PERSISTENT, deferred = g->deferred[c->node];
    g->need[kept ? CS_NEED_NEW_KEPT : deferred ? CS_NEED_NEW_DEFERRED : CS_NEED_NEW_REQUEST] = true;
    return kept ? "new_kept()" : deferred ? "new_deferred()" : "new_request()";
}

/* ---- arguments ---- */

static const char *argument(struct cs_gen *g, const struct cs_gen_call *c, int arg)
{
    const struct cs_mpi_arg *a = &c->call->args[arg];
    switch (a->role) {
    case CS_ROLE_SBUF:
    case CS_ROLE_RBUF:
    case CS_ROLE_SRBUF: return buffer(g, c, arg);
    case CS_ROLE_COUNT:
    case CS_ROLE_TYPE:
    case CS_ROLE_DEST:
    case CS_ROLE_SOURCE:
    case CS_ROLE_ROOT:
    case CS_ROLE_TAG:
    case CS_ROLE_COMM:
    case CS_ROLE_OP:
    case CS_ROLE_VAL: return cs_gen_scalar(g, c, arg);
    case CS_ROLE_COUNTS:
    case CS_ROLE_VALS: return cs_gen_array(g, c, arg);
    case CS_ROLE_TYPES: return types(g, c, arg);
    case CS_ROLE_DISPLS: return displacements(g, c, arg);
    case CS_ROLE_COMM_UPD: return cs_gen_text(g, "&%s", cs_gen_scalar(g, c, arg));
    case CS_ROLE_NEWCOMM: return new_comm(g, c, arg);
    case CS_ROLE_GROUP: return group(g, c);
    case CS_ROLE_INFO: return "MPI_INFO_NULL";
    case CS_ROLE_STATUS: return "MPI_STATUS_IGNORE";
    case CS_ROLE_STATUSES: return "MPI_STATUSES_IGNORE";
    case CS_ROLE_FLAG: return "&flag";
    case CS_ROLE_IN_ARR: return "MPI_UNWEIGHTED";
    case CS_ROLE_REQ_INOUT: return request(g, c, arg);
    case CS_ROLE_REQ_OUT: return new_request(g, c);
    case CS_ROLE_MSG: g->need[CS_NEED_MESSAGE] = true; return cs_gen_text(g, "message(%s)", cs_gen_scalar(g, c, arg));
    case CS_ROLE_NEWMSG: g->need[CS_NEED_MESSAGE] = true; return "message(1)";
    case CS_ROLE_ARGC: return "&argc";
    case CS_ROLE_ARGV: return "&argv";
    case CS_ROLE_IN: return "MPI_THREAD_SINGLE";
    case CS_ROLE_OUT: return "&flag";
    default: cs_gen_refuse(g, "%s: its argument %s cannot be made again", c->call->name, a->name); return "0";
    }
}

/* Columns of a generated line. */
enum { LINE_LENGTH = 130 };

static const char *whole_call(struct cs_gen *g, const struct cs_gen_call *c, int depth)
{
    const char *text = cs_gen_text(g, "%s(", c->call->name);
    size_t column = 4 * (size_t)depth + strlen(text);
    for (int i = 0; i < c->call->nargs; i++) {
        const char *a = argument(g, c, i);
        bool wrap = column + strlen(a) > LINE_LENGTH;
        text = cs_gen_text(g, "%s%s%s%s", text, i ? "," : "",
                           wrap ? cs_gen_text(g, "\n%*s", 4 * depth + 8, "")
                           : i  ? " "
                                : "",
                           a);
        column = wrap ? 4 * (size_t)depth + 8 + strlen(a) : column + strlen(a) + 2;
    }
    return cs_gen_text(g, "%s)", text);
}

static const char *site_comment(struct cs_gen *g, const struct cs_gen_call *c)
{
    int site = c->l->nparts ? c->part[0].r->site : -1;
    if (site < 0 || site >= g->m->nsites || g->m->site[site].line <= 0 || !g->m->site[site].file ||
        strstr(g->m->site[site].file, "*/"))
        return "";
    const char *file = strrchr(g->m->site[site].file, '/');
    return cs_gen_text(g, " /* %s:%d */", file ? file + 1 : g->m->site[site].file, g->m->site[site].line);
}

/* ---- calls with lists ---- */

/* Functions of the prelude for calls with a list of requests: the first row counts whose kind and `tells` the call
 * has. */
static const struct list_function {
    enum cs_mpi_kind kind;
    enum cs_role tells; /* how MPI tells what has completed; NONE: the call completes the whole list */
    const char *function;
    enum cs_need need;
    bool which; /* the function takes the list's requests, else only their number */
} list_functions[] = {
    {CS_MPI_START, CS_ROLE_NONE, "startall", CS_NEED_STARTALL, true},
    {CS_MPI_WAIT, CS_ROLE_NONE, "waitall", CS_NEED_WAITALL, true},
    {CS_MPI_WAIT_SOME, CS_ROLE_INDEX, "waitany", CS_NEED_WAITANY, false},
    {CS_MPI_WAIT_SOME, CS_ROLE_INDICES, "waitsome", CS_NEED_WAITSOME, false},
    {CS_MPI_TEST, CS_ROLE_INDEX, "testany", CS_NEED_TESTANY, false},
    {CS_MPI_TEST, CS_ROLE_INDICES, "testsome", CS_NEED_TESTSOME, false},
    {CS_MPI_TEST, CS_ROLE_NONE, "testall", CS_NEED_TESTALL, false},
};

/* The function for a call; NULL: it has no list of requests. */
static const struct list_function *list_function(const struct cs_gen_call *c)
{
    for (size_t i = 0; i < sizeof list_functions / sizeof *list_functions; i++) {
        const struct list_function *f = &list_functions[i];
        if (c->call->kind == f->kind && find(c, CS_ROLE_REQS) >= 0 &&
            (f->tells == CS_ROLE_NONE || find(c, f->tells) >= 0))
            return f;
    }
    return NULL;
}

/* Writes a call with a list of requests; false: it has none, and nothing is written. */
static bool list_call(struct cs_gen *g, const struct cs_gen_call *c, int depth)
{
    const struct list_function *f = list_function(c);
    if (!f)
        return false;
    int reqs = find(c, CS_ROLE_REQS);
    g->need[f->need] = true;
    if (!f->which) {
        cs_gen_line(g, depth, "%s(%s);%s", f->function, cs_gen_scalar(g, c, reqs), site_comment(g, c));
        return true;
    }
    const char *list = request_list(g, c, reqs), *n = cs_gen_length(g, c, reqs);
    cs_gen_line(g, depth, "%s(%s, %s);%s", f->function, n, list, site_comment(g, c));
    if (c->call->kind == CS_MPI_START && g->deferred[c->node]) {
        g->need[CS_NEED_ADD_DEFERRED] = true;
        cs_gen_line(g, depth, "for (int r = 0; r < %s; r++)", n);
        cs_gen_line(g, depth + 1, "*add_deferred() = *request((%s)[r]);", list);
    }
    return true;
}

/* ---- the statement ---- */

static void statement(struct cs_gen *g, const struct cs_gen_call *c, int depth)
{
    if (list_call(g, c, depth))
        return;
    if (find(c, CS_ROLE_NEWMSG) >= 0)
        cs_gen_line(g, depth, "nfound++;");
    if (c->call->kind == CS_MPI_START && g->deferred[c->node]) {
        g->need[CS_NEED_START_DEFERRED] = true;
        cs_gen_line(g, depth, "start_deferred(%s);%s", request(g, c, 0), site_comment(g, c));
    } else if (c->call->kind == CS_MPI_TEST || c->call->kind == CS_MPI_IPROBE) {
        cs_gen_line(g, depth, "do%s", site_comment(g, c));
        cs_gen_line(g, depth + 1, "%s;", whole_call(g, c, depth));
        cs_gen_line(g, depth, "while (!flag);");
        g->uses_flag = true;
    } else {
        cs_gen_line(g, depth, "%s;%s", whole_call(g, c, depth), site_comment(g, c));
    }
}

int cs_gen_emit_call(struct cs_gen *g, const struct cs_gen_call *c, int depth)
{
    if (c->call->kind == CS_MPI_UNSUPPORTED || c->call->kind == CS_MPI_IO || c->call->kind == CS_MPI_RMA ||
        c->call->kind == CS_MPI_ABORT || strcmp(c->call->ret, "int") != 0)
        return cs_gen_refuse(g, "%s cannot be made again", c->call->name);
    assert(c->nvariants >= 1 && c->part);
    cs_gen_take_buffers(g, c);
    if (c->call->kind == CS_MPI_FINALIZE)
        cs_gen_line(g, depth, "%sseconds = MPI_Wtime() - begin;", g->need[CS_NEED_CLOCK] ? "phase(1);\n    " : "");
    if (c->call->kind == CS_MPI_FINALIZE && g->has_deferred) {
        g->need[CS_NEED_DEFERRED] = true;
        cs_gen_line(g, depth, "finish_deferred();");
    }
    if (c->call->kind == CS_MPI_FINALIZE && cs_gen_frees_definitions(g))
        cs_gen_line(g, depth, "free_types_and_operations();");
    statement(g, c, depth);
    if (g->counts_node[c->node])
        cs_gen_line(g, depth, "k%lld++;", (long long)c->node);
    return g->failed ? -1 : 0;
}
