/* SPDX-License-Identifier: GPL-3.0-or-later
 * What one statement touches; touched.h. Of a call of MPI without a mark nothing but its arguments counts: it moves no
 * content, and MPI's own state comes back to what it was once all requests of a turn are complete. */
#include "slicer/alike/touched.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* ---- lists ---- */

static bool same_place(const struct cs_touch *a, const struct cs_touch *b)
{
    return a->obj == b->obj && a->via == b->via && a->size == b->size && a->exact == b->exact &&
           a->request == b->request && cs_pat_equal(a->pat, b->pat);
}

void cs_touches_add(struct cs_touches *t, struct cs_touch place)
{
    for (int i = 0; i < t->n; i++)
        if (same_place(&t->a[i], &place))
            return;
    CS_GROW(t->a, t->n, t->cap);
    t->a[t->n++] = place;
}

void cs_touches_free(struct cs_touches *t)
{
    free(t->a);
    *t = (struct cs_touches){0};
}

/* ---- one place ---- */

/* Where places of a reference go; how many there were. */
struct gather {
    struct cs_touches *to;
    struct cs_touch proto;
    int n;
};

static void gather_place(void *arg, int obj, struct cs_pattern pat, int64_t size)
{
    struct gather *w = arg;
    struct cs_touch place = w->proto;
    place.obj = obj;
    place.pat = pat;
    place.size = size;
    w->n++;
    cs_touches_add(w->to, place);
}

/* Does the reference name one stretch of one variable, without a pointer in between? */
static bool is_exact(const struct cs_graph *g, const struct cs_ref *r)
{
    if (r->base.kind != CS_OPND_ADDR || r->base.pat.stride || r->pat.stride || r->size < 0)
        return false;
    enum cs_obj_kind kind = g->objs[r->base.id].kind;
    return kind == CS_OBJ_GLOBAL || kind == CS_OBJ_LOCAL;
}

/* Can it only be one of a few numbers? So it is no address, but one of MPI's constants (MPI_STATUS_IGNORE). */
static bool is_number(struct cs_toucher *t, struct cs_operand op)
{
    const struct cs_intset *s = cs_pts_operand(t->pts, op);
    for (int i = 0; i < s->n; i++)
        if (cs_pts_loc(t->pts, s->a[i])->obj != CS_LOC_CONST)
            return false;
    return s->n > 0;
}

/* The parameter that the base of the reference is, or -1. */
static int via_of(const struct cs_toucher *t, const struct cs_ref *r)
{
    struct cs_operand op = r->base;
    while (op.kind == CS_OPND_VALUE && t->param_of[op.id] < 0) {
        const struct cs_stmt *s = t->g->values[op.id].def >= 0 ? &t->g->stmts[t->g->values[op.id].def] : NULL;
        if (!s || s->kind != CS_STMT_ASSIGN || s->op != CS_OP_COPY || s->nuses != 1)
            return -1;
        op = s->uses[0];
    }
    return op.kind == CS_OPND_VALUE ? t->param_of[op.id] : -1;
}

const char *cs_touch_ref(struct cs_toucher *t, const struct cs_ref *r, struct cs_touch proto, bool partial,
                         struct cs_touches *to)
{
    struct gather w = {to, proto, 0};
    w.proto.via = via_of(t, r);
    w.proto.obj = -1;
    w.proto.exact = !partial && r->pat.stride == 0 && r->size >= 0;
    if (w.proto.via >= 0) {
        gather_place(&w, -1, r->pat, r->size);
    } else if (r->base.kind == CS_OPND_ADDR && t->registers[r->base.id]) {
        return NULL;
    } else if (is_exact(t->g, r)) {
        gather_place(&w, r->base.id, cs_pat_at(r->base.pat.off + r->pat.off), r->size);
    } else {
        w.proto.exact = false;
        cs_pts_accesses(t->pts, r, gather_place, &w);
    }
    if (to->n > CS_TOUCHES_MOST)
        return "too many places in memory are read and written";
    return w.n || is_number(t, r->base) ? NULL : "an address is not known";
}

/* NULL, or why not. */
static const char *touch(struct cs_toucher *t, const struct cs_ref *r, int stmt, bool partial, bool request,
                         struct cs_touches *to)
{
    return cs_touch_ref(t, r, (struct cs_touch){.request = request, .stmt = stmt}, partial, to);
}

/* ---- calls of libraries ---- */

static bool mpi_kind_is_alike(const struct cs_mpi_call *c)
{
    switch (c->kind) {
    case CS_MPI_SEND:
    case CS_MPI_RECV:
    case CS_MPI_ISEND:
    case CS_MPI_IRECV:
    case CS_MPI_SENDRECV:
    case CS_MPI_WAIT:
    case CS_MPI_COLL:
    case CS_MPI_IO:
    case CS_MPI_RMA:
    case CS_MPI_BARRIER: return !(c->flags & (CS_MPI_BUFFERED | CS_MPI_PERSISTENT));
    case CS_MPI_LOCAL: return !(c->flags & (CS_MPI_TIMING | CS_MPI_FOLLOWED | CS_MPI_SETS | CS_MPI_ATTRIBUTES));
    default: return false;
    }
}

/* Roles of arguments of calls that make, change or free objects of MPI, or call back. */
static bool has_lasting_role(const struct cs_mpi_call *c)
{
    for (int i = 0; i < c->nargs; i++) {
        enum cs_role r = c->args[i].role;
        bool makes = r >= CS_ROLE_NEWCOMM && r <= CS_ROLE_NEWKEY;
        bool changes = r >= CS_ROLE_MSG && r <= CS_ROLE_ERRH_UPD;
        if (makes || changes || r == CS_ROLE_FN || r == CS_ROLE_ADDR || r == CS_ROLE_PTR_OUT)
            return true;
    }
    return false;
}

static const char *why_not_mpi(const struct cs_mpi_call *c, const struct cs_stmt *s)
{
    if (s->mark != CS_MARK_NONE)
        return "a message is transmitted, as what is in it, or that it comes, decides communication";
    if (c->flags & CS_MPI_TIMING)
        return "it observes what came first, or the clock";
    if (!mpi_kind_is_alike(c) || has_lasting_role(c))
        return "it makes, changes or frees what MPI keeps";
    return NULL;
}

static const char *why_not_row(const struct cs_effect *e)
{
    if (!e)
        return "it is not known what the call does";
    if (e->noret != CS_NORET_RETURNS || e->throws || e->throws_on_request)
        return "it may not come back";
    if (e->time || e->rankvar || e->keep || e->opens != CS_OPENS_NOTHING || e->live || e->warn || e->handler ||
        e->ret == CS_RET_NEW || e->ret == CS_RET_PACK)
        return "it takes memory, or asks or changes the state of the process";
    for (int i = 0; i < e->nops; i++) {
        enum cs_effect_kind k = e->ops[i].kind;
        if (k == CS_EFFECT_STORE_NEW || k == CS_EFFECT_FREE || k == CS_EFFECT_REALLOC || k == CS_EFFECT_CALLBACK ||
            k == CS_EFFECT_CALL_DEEP || k == CS_EFFECT_HIDDEN_CALL || k == CS_EFFECT_UNIT || k == CS_EFFECT_END ||
            (k >= CS_EFFECT_FSWRITE && k <= CS_EFFECT_FSREAD))
            return "it takes or gives back memory, calls back, or reads or writes a file";
    }
    return NULL;
}

/* Is the reference the argument of the call with the handle, or handles, of requests? */
static bool of_request(const struct cs_model *m, const struct cs_stmt *s, const struct cs_ref *r)
{
    if (!m->mpi)
        return false;
    for (int i = 0; i < m->mpi->nargs && i < s->nuses; i++) {
        enum cs_role role = m->mpi->args[i].role;
        if ((role == CS_ROLE_REQ_OUT || role == CS_ROLE_REQ_INOUT || role == CS_ROLE_REQS) &&
            cs_opnd_same(s->uses[i], r->base))
            return true;
    }
    return false;
}

/* Does the call write the place for sure, whatever it finds? MPI writes what it makes, a status, and Fortran's error
 * code; what it is asked for may not be there (MPI_Info_get), and after an error there is nothing. */
static bool writes_for_sure(const struct cs_toucher *t, const struct cs_model *m, const struct cs_mwrite *w)
{
    const struct cs_stmt *s = &t->g->stmts[m->stmt];
    if (!m->mpi || m->mpi->kind == CS_MPI_LOCAL || t->ms->errors_return || cs_pts_callees(t->pts, m->stmt)->n != 1)
        return false;
    for (int i = 0; i < s->nuses; i++) {
        enum cs_role role = i < m->mpi->nargs ? m->mpi->args[i].role : CS_ROLE_NONE;
        bool always = role == CS_ROLE_REQ_OUT || role == CS_ROLE_STATUS ||
                      (i == m->mpi->nargs && m->binding != CS_BIND_C && !strcmp(m->mpi->ret, "int"));
        if (cs_opnd_same(s->uses[i], w->ref.base))
            return always;
    }
    return false;
}

/* Adds the loads that lead to the value, of those that belong to the model. */
static const char *read_for(struct cs_toucher *t, const struct cs_model *m, struct cs_operand op,
                            struct cs_touches *reads)
{
    int def = op.kind == CS_OPND_VALUE ? t->g->values[op.id].def : -1;
    if (def < 0 || t->g->stmts[def].source >= 0 || t->g->stmts[def].parent != m->stmt)
        return NULL;
    const struct cs_stmt *p = &t->g->stmts[def], *call = &t->g->stmts[m->stmt];
    const char *why = p->has_load ? touch(t, &p->load, m->stmt, false, of_request(m, call, &p->load), reads) : NULL;
    if (!why && p->has_load)
        why = read_for(t, m, p->load.base, reads);
    for (int i = 0; i < p->nuses && !why; i++)
        why = read_for(t, m, p->uses[i], reads);
    return why;
}

/* A handle is all that a need of everything behind it is about: what MPI keeps there changes only by calls that are not
 * alike. */
static bool behind_handle(const struct cs_toucher *t, const struct cs_mneed *n)
{
    int def = t->g->values[n->op.id].def;
    const struct cs_stmt *p = def >= 0 ? &t->g->stmts[def] : NULL;
    return p && p->source < 0 && p->has_load && p->op == CS_OP_OTHER && p->load.size == CS_SIZE_UNKNOWN &&
           cs_pat_equal(p->load.pat, cs_pat_any()) && p->load.base.kind != CS_OPND_NONE;
}

static const char *touched_by_model(struct cs_toucher *t, const struct cs_model *m, struct cs_touches *reads,
                                    struct cs_touches *writes)
{
    const struct cs_stmt *s = &t->g->stmts[m->stmt];
    const char *why = m->opaque ? "it is not known what the call does" : NULL;
    if (!why)
        why = m->mpi ? why_not_mpi(m->mpi, s) : why_not_row(m->fx);
    if (!why && m->ncallbacks)
        why = "it calls back";
    for (int i = 0; i < m->nneeds && !why; i++)
        if ((int)m->needs[i].level <= s->mark && m->needs[i].op.kind == CS_OPND_VALUE &&
            !(m->mpi && behind_handle(t, &m->needs[i])))
            why = read_for(t, m, m->needs[i].op, reads);
    for (int i = 0; i < m->nwrites && !why; i++) {
        const struct cs_mwrite *w = &m->writes[i];
        if (w->level == CS_LEVEL_CONTENT || w->flow_only)
            continue; /* a status is filled without a mark, too */
        why = read_for(t, m, w->ref.base, reads);
        if (!why)
            why = touch(t, &w->ref, m->stmt, !writes_for_sure(t, m, w), of_request(m, s, &w->ref), writes);
    }
    for (int i = 0; i < m->ncopies && !why; i++) {
        why = touch(t, &m->copies[i].src, m->stmt, false, false, reads);
        if (!why)
            why = touch(t, &m->copies[i].dst, m->stmt, true, false, writes);
    }
    return why;
}

static const char *touched_by_call(struct cs_toucher *t, int stmt, struct cs_touches *reads, struct cs_touches *writes)
{
    const struct cs_stmt *s = &t->g->stmts[stmt];
    const struct cs_intset *callees = cs_pts_callees(t->pts, stmt);
    const char *why = callees->n ? NULL : "it is not known what is called";
    int known = 0;
    for (int i = 0; i < s->narg_loads && !why; i++)
        why = touch(t, &s->arg_loads[i].ref, stmt, false, false, reads);
    for (int k = 0; stmt < t->ms->nstmts && k < t->ms->of_stmt[stmt].n && !why; k++) {
        known++;
        why = touched_by_model(t, &t->ms->m[t->ms->of_stmt[stmt].a[k]], reads, writes);
    }
    for (int i = 0; i < callees->n; i++)
        known += t->g->funcs[callees->a[i]].defined;
    if (!why && known < callees->n)
        why = "it is not known what the call does";
    if (!why && s->has_store)
        why = touch(t, &s->store, stmt, s->partial || s->drop_result, false, writes);
    return why;
}

/* ---- statements ---- */

static const char *touched_by_return(struct cs_toucher *t, int stmt, struct cs_touches *reads,
                                     struct cs_touches *writes)
{
    const struct cs_stmt *s = &t->g->stmts[stmt];
    int ro = t->g->funcs[s->func].result_obj;
    if (!s->has_load)
        return NULL;
    const char *why = touch(t, &s->load, stmt, false, false, reads);
    if (why || ro < 0)
        return why;
    struct cs_ref r = {cs_opnd_addr(ro, cs_pat_at(0)), cs_pat_at(0), s->load.size};
    return touch(t, &r, stmt, false, false, writes);
}

const char *cs_touched(struct cs_toucher *t, int stmt, struct cs_touches *reads, struct cs_touches *writes)
{
    const struct cs_stmt *s = &t->g->stmts[stmt];
    const char *why = NULL;
    assert(s->keep || s->kind == CS_STMT_ENTRY);
    switch (s->kind) {
    case CS_STMT_ASM: return "it is in assembly";
    case CS_STMT_CALL: return touched_by_call(t, stmt, reads, writes);
    case CS_STMT_RETURN: return touched_by_return(t, stmt, reads, writes);
    case CS_STMT_LOAD:
    case CS_STMT_COPY:
    case CS_STMT_STORE:
    case CS_STMT_ENTRY:
        if (s->has_load)
            why = touch(t, &s->load, stmt, false, false, reads);
        if (!why && s->has_store)
            why = touch(t, &s->store, stmt, s->partial, false, writes);
        return why;
    default: return NULL;
    }
}

bool cs_touched_event(const struct cs_toucher *t, int stmt)
{
    for (int k = 0; stmt < t->ms->nstmts && k < t->ms->of_stmt[stmt].n; k++) {
        const struct cs_model *m = &t->ms->m[t->ms->of_stmt[stmt].a[k]];
        if (m->mpi && m->mpi->flags & CS_MPI_EVENT)
            return true;
    }
    return false;
}
