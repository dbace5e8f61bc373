/* SPDX-License-Identifier: GPL-3.0-or-later
 * Refusals that depend on what is LIVE; refuse.h: handlers of signals and of MPI errors, error codes of MPI calls that
 * may fail, what is known of the process, threads that call MPI at the same time. */
#include "slicer/refuse.h"

#include <assert.h>
#include <string.h>

#include "slicer/model/mpich_abi.h"

/* The solved program, and whom to tell: say(arg, statement, reason). */
struct refusal {
    const struct cs_graph *g;
    const struct cs_models *ms;
    const struct cs_pts *pts;
    void (*say)(void *, int, const char *);
    void (*doubt)(void *, int, const char *);
    void (*warn)(void *, int, const char *);
    void *arg;
    bool lost_tells; /* one of the objects that were taken as one is such a path */
};

/* Is it a call of a library function that ends the run in an error? */
static bool ends_run(const struct refusal *r, int s)
{
    const struct cs_operand c = r->g->stmts[s].callee;
    if (c.kind != CS_OPND_ADDR || r->g->objs[c.id].kind != CS_OBJ_FUNC)
        return false;
    int f = r->g->objs[c.id].func;
    if (cs_pts_callees(r->pts, s)->n > 1)
        return false; /* std::terminate, which calls a handler of the program's own */
    return !r->g->funcs[f].defined && cs_model_noret(r->ms->fx, r->g, s, f) == CS_NORET_ERROR;
}

/* Does the function do anything that the slice needs, other than ending the run in an error? */
static bool acts(const struct refusal *r, int func)
{
    const struct cs_func *f = &r->g->funcs[func];
    for (int b = 0; b < f->nblocks; b++)
        for (int k = 0; f->blocks[b].reachable && k < f->blocks[b].nstmts; k++) {
            const struct cs_stmt *s = &r->g->stmts[f->blocks[b].stmts[k]];
            bool does = s->kind == CS_STMT_STORE || s->kind == CS_STMT_COPY || s->kind == CS_STMT_ASM ||
                        s->kind == CS_STMT_CALL;
            if (s->keep && s->source >= 0 && does && !ends_run(r, f->blocks[b].stmts[k]))
                return true;
        }
    return false;
}

static bool makes_errhandler(const struct cs_model *m)
{
    return m->mpi && cs_mpi_has_role(m->mpi, CS_ROLE_FN) && cs_mpi_has_role(m->mpi, CS_ROLE_NEWERRH);
}

static void check_handler(const struct refusal *r, const struct cs_model *m)
{
    const struct cs_intset *callees = cs_pts_callees(r->pts, m->stmt);
    const char *text =
        makes_errhandler(m)
            ? "what this error handler does decides communication, and when MPI calls it is not followed: do the work "
              "where the error is found"
        : m->fx ? m->fx->handler
                : NULL;
    for (int i = 0; text && i < callees->n; i++)
        if (acts(r, callees->a[i]))
            r->say(r->arg, m->stmt, text);
}

static void check_error_code(const struct refusal *r, const struct cs_model *m)
{
    const struct cs_stmt *s = &r->g->stmts[m->stmt];
    if (!r->ms->errors_return || !m->mpi || !s->keep)
        return;
    bool result = m->binding == CS_BIND_C && s->def >= 0 && !strcmp(m->mpi->ret, "int") && !s->drop_result;
    if (result || m->error_code_live)
        r->say(
            r->arg, m->stmt,
            "the error code of this MPI call decides communication, and the program sets an error handler with which "
            "calls can fail: leave MPI_ERRORS_ARE_FATAL in force, end the run on an error, or say by the assumption "
            "no-mpi-errors that no call fails");
}

/* A path as /proc/self/statm, or a format that makes one. */
static bool tells_of_process(const char *text)
{
    static const char *const begin[] = {"/proc/self", "/proc/thread-self", "/proc/%"};
    for (size_t k = 0; text && k < sizeof begin / sizeof *begin; k++)
        if (!strncmp(text, begin[k], strlen(begin[k])))
            return true;
    return false;
}

/* A call or operand with a path as /proc/self/statm. */
static bool names_process(const struct refusal *r, struct cs_operand op)
{
    const struct cs_intset *set = cs_pts_operand((struct cs_pts *)r->pts, op);
    for (int i = 0; op.kind != CS_OPND_NONE && i < set->n; i++) {
        const struct cs_loc *loc = cs_pts_loc(r->pts, set->a[i]);
        if (loc->obj >= 0 && tells_of_process(cs_obj_text(r->g, loc->obj)))
            return true;
    }
    return r->lost_tells && cs_pts_lost_its_way(r->pts, op);
}

/* Where nearly all is taken as one, that would be said of nearly every call: the note on it says that it is not. */
static bool any_lost_tells(const struct cs_graph *g, const struct cs_pts *pts)
{
    for (int o = 0; !cs_pts_closed(pts) && o < g->nobjs; o++)
        if (cs_pts_lost(pts, o) && tells_of_process(cs_obj_text(g, o)))
            return true;
    return false;
}

/* A call whose row says that what it gives decides nothing in a slice, or one that reads such a file. */
static void check_process_state(const struct refusal *r, const struct cs_model *m)
{
    const struct cs_stmt *s = &r->g->stmts[m->stmt];
    if (!s->keep || !m->fx)
        return;
    if (m->fx->live)
        (cs_pts_closed(r->pts) ? r->doubt : r->say)(r->arg, m->stmt, m->fx->live);
    if (m->fx->warn && (m->fx->keep || !(s->def >= 0 && s->drop_result)))
        r->warn(r->arg, m->stmt, m->fx->warn);
    for (int i = 0; i < s->nuses; i++)
        if (names_process(r, s->uses[i]))
            r->say(r->arg, m->stmt,
                   "what the system tells about this process is not that of the original: let no count, peer or branch "
                   "before a message depend on a file of /proc");
}

/* Is a call kept that starts threads? */
static bool threads(const struct refusal *r)
{
    for (int i = 0; i < r->ms->n; i++)
        if (r->ms->m[i].fx && r->ms->m[i].fx->whole && r->g->stmts[r->ms->m[i].stmt].keep)
            return true;
    return false;
}

/* Is the operand this number for sure? Without points-to only a constant of the program is. */
static bool known_number(const struct refusal *r, struct cs_operand op, int64_t *number)
{
    *number = op.pat.off;
    return op.kind == CS_OPND_CONST ||
           (op.kind == CS_OPND_VALUE && r->pts && cs_pts_constant((struct cs_pts *)r->pts, op, number));
}

/* Refuses MPI_Init_thread with a level that is MPI_THREAD_MULTIPLE or not known: calls that threads make at the same
 * time have no order. */
static void check_thread_level(const struct refusal *r, const struct cs_model *m)
{
    const struct cs_stmt *s = &r->g->stmts[m->stmt];
    int arg = m->mpi && m->mpi->kind == CS_MPI_INIT ? cs_mpi_arg_of_role(m->mpi, CS_ROLE_IN) : -1;
    if (arg < 0)
        return;
    if (m->binding != CS_BIND_C)
        arg -= cs_mpi_has_role(m->mpi, CS_ROLE_ARGC) + cs_mpi_has_role(m->mpi, CS_ROLE_ARGV);
    struct cs_operand level = arg < s->nuses ? s->uses[arg] : cs_opnd_none();
    if (level.kind == CS_OPND_ADDR && r->g->objs[level.id].readonly && r->g->objs[level.id].ninits == 1)
        level = r->g->objs[level.id].inits[0].val;
    int64_t number;
    if (!known_number(r, level, &number) || number >= CS_MPICH_THREAD_MULTIPLE)
        r->say(r->arg, m->stmt,
               "threads that call MPI at the same time are not followed: ask for MPI_THREAD_SERIALIZED or less");
}

void cs_refuse_kept(const struct cs_graph *g, const struct cs_models *ms,
                    void (*say)(void *arg, int stmt, const char *text), void *arg)
{
    struct refusal r = {g, ms, NULL, say, NULL, NULL, arg, false};
    for (int i = 0; threads(&r) && i < ms->n; i++)
        if (g->stmts[ms->m[i].stmt].keep)
            check_thread_level(&r, &ms->m[i]);
}

void cs_refuse_live(const struct cs_graph *g, const struct cs_models *ms, const struct cs_pts *pts,
                    void (*say)(void *arg, int stmt, const char *text),
                    void (*doubt)(void *arg, int stmt, const char *text),
                    void (*warn)(void *arg, int stmt, const char *text), void *arg)
{
    struct refusal r = {g, ms, pts, say, doubt, warn, arg, any_lost_tells(g, pts)};
    bool parallel = threads(&r);
    for (int i = 0; i < ms->n; i++) {
        const struct cs_stmt *s = &g->stmts[ms->m[i].stmt];
        assert(s->kind == CS_STMT_CALL || s->kind == CS_STMT_ASM);
        if (!cs_pts_func_reached(pts, s->func) || !g->funcs[s->func].blocks[s->block].reachable)
            continue;
        check_handler(&r, &ms->m[i]);
        check_error_code(&r, &ms->m[i]);
        check_process_state(&r, &ms->m[i]);
        if (parallel)
            check_thread_level(&r, &ms->m[i]);
    }
}
