/* SPDX-License-Identifier: BSD-3-Clause
 * Works out the fields of events. Most time goes into the loop of cs_record_fields, so for each MPI function a plan is
 * made once: the list of the arguments that are recorded. */
#include "commlib/record/recorder.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "commlib/record/comm_paths.h"
#include "commlib/record/file_numbers.h"
#include "commlib/record/request_table.h"
#include "commlib/record/segments.h"
#include "commlib/state/run_state.h"
#include "commlib/record/call_sites.h"
#include "trace/format/fields.h"
#include "commlib/record/type_signatures.h"
#include "commlib/backend/backend.h"
#include "commlib/record/trace_file.h"

/* On which ranks an argument of a rooted call means something. */
enum significance { EVERYWHERE, AT_ROOT, AT_OTHERS };

/* One recorded argument of a call. */
struct field {
    int8_t arg, role;    /* its index; enum cs_role */
    int8_t shape;        /* enum cs_field_shape */
    int8_t significance; /* enum significance */
};

/* What is recorded of one MPI function: its first n fields, in the order of the arguments. */
struct plan {
    int n;
    struct field f[CS_MPI_MAX_ARGS];
};

static struct plan *plans;
static int64_t nevents;

/* Counts and types of Gather(v) and Scatter(v) mean something at the root only, or at the other ranks. */
static enum significance significance(const struct cs_mpi_call *c, const struct cs_shape *s, int arg)
{
    int sbuf = s->at[CS_ROLE_SBUF], rbuf = s->at[CS_ROLE_RBUF];
    if (!(c->flags & CS_MPI_ROOTED) || sbuf < 0 || rbuf < 0 || c->args[sbuf].count_arg == c->args[rbuf].count_arg)
        return EVERYWHERE;
    int root = c->flags & CS_MPI_ROOT_RECVS ? rbuf : sbuf, others = root == rbuf ? sbuf : rbuf;
    if (arg == c->args[root].count_arg || arg == c->args[root].type_arg)
        return AT_ROOT;
    if (arg == c->args[others].count_arg || arg == c->args[others].type_arg)
        return AT_OTHERS;
    return EVERYWHERE;
}

int cs_record_start(void)
{
    if (plans)
        return 0;
    plans = calloc((size_t)cs_mpi_ncalls(), sizeof *plans);
    if (!plans)
        return -1;
    for (int i = 0; i < cs_mpi_ncalls(); i++) {
        const struct cs_mpi_call *c = cs_mpi_call(i);
        for (int k = 0; k < c->nargs; k++) {
            enum cs_field_shape shape = cs_field_shape(c, k);
            if (shape == CS_FIELD_NONE)
                continue;
            assert(plans[i].n < CS_MPI_MAX_ARGS);
            plans[i].f[plans[i].n++] = (struct field){(int8_t)k, (int8_t)c->args[k].role, (int8_t)shape,
                                                      (int8_t)significance(c, &cs_shapes[i], k)};
        }
    }
    return 0;
}

/* Moves f->v to memory with room for `more` further fields. Returns where they begin. When memory is out the trace is
 * lost, as an event without some of its fields would be wrong: NULL. */
static int64_t *grow(struct cs_fields *f, int more)
{
    int cap = (f->n + more) * 2;
    int64_t *v = malloc((size_t)cap * sizeof *v);
    if (!v) {
        cs_trace_file_lose(ENOMEM);
        return NULL;
    }
    memcpy(v, f->v, (size_t)f->n * sizeof *v);
    if (f->v != f->few)
        free(f->v);
    f->v = v;
    f->cap = cap;
    return v + f->n;
}

static inline int64_t *reserve(struct cs_fields *f, int more)
{
    return f->n + more > f->cap ? grow(f, more) : f->v + f->n;
}

static int64_t peer_field(int peer)
{
    switch (peer) {
    case MPI_ANY_SOURCE: return CS_ANY;
    case MPI_PROC_NULL: return CS_PROC_NULL;
    case MPI_ROOT: return CS_ROOT;
    default: return peer;
    }
}

static int64_t type_field(MPI_Datatype t)
{
    const struct cs_type *type = cs_type_get(t);
    return type ? type->in_trace : CS_NO_HANDLE;
}

static int64_t comm_field(MPI_Comm comm, bool window)
{
    const struct cs_comm *m = window ? cs_comm_known(comm) : cs_comm_get(comm);
    return m ? m->in_trace : CS_NO_HANDLE;
}

/* The request or message handle in an argument. MPI_Request_get_status has it by value, all others by address. */
static int handle_behind(const struct cs_call *c, int arg)
{
    const char *ctype = c->info->args[arg].ctype;
    return ctype[strlen(ctype) - 1] == '*' ? *(int *)c->a[arg].p : (int)c->a[arg].i;
}

/* A displacement in a window without memory of its own. */
static bool is_address(const struct cs_call *c, int arg)
{
    const struct cs_comm *w = cs_call_has(c, CS_ROLE_DEST) ? cs_comm_of_call(c) : NULL;
    return w && w->addresses && cs_ctype_is_address(c->info->args[arg].ctype);
}

static int64_t scalar_field(const struct cs_call *c, enum cs_role role, int arg)
{
    int64_t i = c->a[arg].i;
    switch (role) {
    case CS_ROLE_TYPE: return type_field((MPI_Datatype)i);
    case CS_ROLE_COMM: return comm_field((MPI_Comm)i, cs_ctype_is_window(c->info->args[arg].ctype));
    case CS_ROLE_OP: return cs_op_in_trace((MPI_Op)i);
    case CS_ROLE_DEST:
    case CS_ROLE_SOURCE:
    case CS_ROLE_ROOT: return peer_field((int)i);
    case CS_ROLE_TAG: return i == MPI_ANY_TAG ? CS_ANY : i;
    case CS_ROLE_COMM_UPD: return comm_field(*(MPI_Comm *)c->a[arg].p, cs_ctype_is_window(c->info->args[arg].ctype));
    case CS_ROLE_REQ_INOUT: return cs_request_field(handle_behind(c, arg));
    case CS_ROLE_MSG: return cs_message_field(handle_behind(c, arg));
    case CS_ROLE_VAL: return c->info->kind == CS_MPI_RMA && is_address(c, arg) ? CS_UNUSED : i;
    case CS_ROLE_FILE: return cs_file_number(c->a[arg].p);
    case CS_ROLE_FILE_UPD: return cs_file_number(*(MPI_File *)c->a[arg].p);
    default: return i;
    }
}

static int array_length(const struct cs_call *c, int arg)
{
    int count = c->info->args[arg].count_arg;
    int64_t n = count >= 0 ? c->a[count].i : cs_comm_array_length(c, arg);
    return n > 0 && c->a[arg].p ? (int)n : 0;
}

static int64_t element_field(enum cs_role role, int64_t i)
{
    return role == CS_ROLE_TYPES ? type_field((int)i) : role == CS_ROLE_REQS ? cs_request_field((int)i) : i;
}

/* Adds the array's length and its elements; only a length of 0 where it is not significant. */
static void add_array(struct cs_fields *f, const struct cs_call *c, const struct field *p, bool significant)
{
    int n = significant ? array_length(c, p->arg) : 0;
    int64_t *v = reserve(f, n + 1);
    if (!v)
        return;
    *v++ = n;
    for (int i = 0; i < n; i++)
        v[i] = element_field(p->role, cs_call_element(c, p->arg, i));
    f->n += n + 1;
}

/* Rooted collectives ignore some arguments on some ranks: there they may hold anything. */
static bool is_significant(const struct cs_call *c, enum significance s)
{
    if (s == EVERYWHERE)
        return true;
    const struct cs_comm *m = cs_comm_of_call(c);
    int root = cs_call_int(c, CS_ROLE_ROOT);
    if (!m || root == MPI_PROC_NULL)
        return false;
    if (m->inter)
        return (s == AT_ROOT) == (root == MPI_ROOT);
    return s == AT_OTHERS || root == m->rank;
}

static void add_scalar(struct cs_fields *f, const struct cs_call *c, const struct field *p, bool significant)
{
    int64_t *v = reserve(f, 1);
    if (!v)
        return;
    if (p->role == CS_ROLE_NEWCOMM) {
        f->newcomm_at = f->n;
        *v = CS_NO_HANDLE;
    } else if (p->shape == CS_FIELD_LENGTH) {
        *v = array_length(c, p->arg);
    } else if (!significant) {
        *v = CS_UNUSED;
    } else {
        *v = scalar_field(c, p->role, p->arg);
    }
    f->n++;
}

void cs_record_fields(struct cs_fields *f, const struct cs_call *c)
{
    f->n = 0;
    f->cap = sizeof f->few / sizeof f->few[0];
    f->v = f->few;
    f->newcomm_at = -1;
    const struct plan *plan = &plans[c->index];
    for (int i = 0; i < plan->n; i++) {
        const struct field *p = &plan->f[i];
        bool significant = p->significance == EVERYWHERE || is_significant(c, p->significance);
        if (p->shape == CS_FIELD_ARRAY)
            add_array(f, c, p, significant);
        else
            add_scalar(f, c, p, significant);
    }
}

void cs_record_event(struct cs_fields *f, const struct cs_call *c, int64_t t_enter, int64_t t_exit, int64_t t_delay)
{
    if (!cs_run.trace)
        return;
    assert(f->n <= f->cap && c->info->flags & CS_MPI_EVENT);
    struct cs_event e = {.call = c->index,
                         .site = cs_site_in_trace(c->site),
                         .mark = c->mark,
                         .nfields = f->n,
                         .fields = f->v,
                         .t_enter = t_enter,
                         .t_exit = t_exit,
                         .t_delay = t_delay};
    if (cs_trace_event(cs_run.trace, &e) != 0)
        cs_trace_file_lose(errno);
    cs_segments_call(e.site, t_enter, t_exit, t_delay);
    nevents++;
    cs_backend_events(1);
}

int64_t cs_record_events(void)
{
    return nevents;
}

bool cs_record_again(int64_t n, int64_t times)
{
    assert(n >= 0 && n <= nevents && times >= 0);
    int rc = cs_run.trace ? cs_trace_again(cs_run.trace, (uint64_t)n, (uint64_t)times) : 0;
    if (rc < 0)
        cs_trace_file_lose(errno);
    if (rc <= 0)
        return false;
    nevents += n * times;
    cs_backend_events(n * times);
    return true;
}

void cs_fields_free(struct cs_fields *f)
{
    if (f->v != f->few)
        free(f->v);
}
