/* SPDX-License-Identifier: GPL-3.0-or-later
 * The order of the analyses: prune error exits, solve points-to, decide branches by constants (and solve again),
 * control dependence, LIVE propagation, and the decisions that a compiler back-end needs. Each step has a file of its
 * own. */
#include "slicer/slice.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "slicer/pointsto/allocators.h"
#include "slicer/control/cfg.h"
#include "slicer/control/control_dependence.h"
#include "slicer/control/error_exits.h"
#include "slicer/control/exit_status.h"
#include "slicer/control/way_to.h"
#include "slicer/counter_choice.h"
#include "slicer/decide.h"
#include "slicer/extents.h"
#include "slicer/folding.h"
#include "slicer/give_back.h"
#include "slicer/gone_state.h"
#include "slicer/test_drop.h"
#include "slicer/handle_values.h"
#include "slicer/keep_all.h"
#include "slicer/live/live.h"
#include "slicer/model/model.h"
#include "slicer/model/mpich_abi.h"
#include "slicer/pointsto/pointsto.h"
#include "slicer/pointer_order.h"
#include "slicer/rounding.h"
#include "slicer/refuse.h"

static const int64_t MILLION = 1000000;

/* The program on its way through the analyses. ms, pts and cdep (by function) live as long as cs_slice() runs. */
struct slicing {
    struct cs_graph *g;
    const struct cs_effects *fx;
    struct cs_models ms;
    struct cs_pts *pts;
    struct cs_cdep *cdep;
    struct cs_channels ch;
    struct cs_slice_result *res;
    struct cs_needs *needs;
    bool widened;    /* LIVE propagation took objects as a whole, to end in time */
    bool *give_back; /* by statement: calls that are kept to give memory back; NULL: none */
    bool *counters;  /* by statement: calls that are kept to count; NULL: none */
    const char *counter;
    enum cs_count_how count_how;
    bool mode_is_given; /* the link sets how the processor rounds */
};

/* Adds a message, with a copy of its text, unless the same is there already. */
static void add_message(struct cs_slice_result *r, struct cs_message m)
{
    for (int i = 0; i < r->nmessages; i++)
        if (r->messages[i].file == m.file && r->messages[i].line == m.line && !strcmp(r->messages[i].text, m.text))
            return;
    m.text = cs_strdup(m.text);
    r->messages = cs_realloc(r->messages, (r->nmessages + 1) * sizeof *r->messages);
    r->messages[r->nmessages++] = m;
}

/* A call of the function from the program's own source, or -1; adds the functions that call it otherwise. */
static int user_call(struct slicing *sl, int func, struct cs_intlist *callers)
{
    for (int i = 0; i < sl->g->nstmts; i++) {
        const struct cs_stmt *s = &sl->g->stmts[i];
        if (s->kind != CS_STMT_CALL || !cs_pts_func_reached(sl->pts, s->func) ||
            !cs_intset_has(cs_pts_callees(sl->pts, i), func))
            continue;
        if (!s->in_header || s->user_line)
            return i;
        cs_intlist_add(callers, s->func);
    }
    return -1;
}

/* The statement of the program's own source by which this one, in a header of a library, runs: the nearest call. -1:
 * there is none. */
static int user_stmt(struct slicing *sl, int stmt)
{
    struct cs_intlist funcs = {0};
    int found = sl->g->stmts[stmt].in_header && !sl->g->stmts[stmt].user_line ? -1 : stmt;
    bool *seen = cs_calloc(sl->g->nfuncs + 1, sizeof *seen);
    cs_intlist_add(&funcs, sl->g->stmts[stmt].func);
    for (int i = 0; i < funcs.n && found < 0 && sl->pts; i++) {
        int func = funcs.a[i];
        if (!seen[func])
            found = user_call(sl, func, &funcs);
        seen[func] = true;
    }
    cs_intlist_free(&funcs);
    free(seen);
    return found;
}

/* Where people look for the statement. */
static void place_of(struct slicing *sl, int stmt, struct cs_message *m)
{
    int user = user_stmt(sl, stmt);
    const struct cs_stmt *s = &sl->g->stmts[user >= 0 ? user : stmt];
    bool in_line = s->in_header && s->user_line;
    m->file = in_line ? s->user_file : s->file;
    m->line = in_line ? s->user_line : s->line;
}

static void message(struct slicing *sl, int severity, int stmt, const char *fmt, ...)
{
    char buf[512];
    va_list ap;
    va_start(ap, fmt);
    int n = vsnprintf(buf, sizeof buf, fmt, ap);
    va_end(ap);
    char way[128];
    if (severity == 2 && stmt >= 0 && sl->pts && n >= 0 && (size_t)n < sizeof buf &&
        cs_way_to(sl->g, sl->pts, stmt, way, sizeof way))
        snprintf(buf + n, sizeof buf - (size_t)n, "; the assumption %s leaves this call out", way);
    struct cs_message m = {severity, 0, 0, buf};
    if (stmt >= 0)
        place_of(sl, stmt, &m);
    add_message(sl->res, m);
}

/* ---- what must be refused or said ---- */

/* Notes a call of an opaque function, once for each function and source line. */
static void note_opaque(struct slicing *sl, const struct cs_model *m)
{
    struct cs_slice_result *r = sl->res;
    const struct cs_stmt *s = &sl->g->stmts[m->stmt];
    for (int i = 0; i < r->nopaques; i++) {
        const struct cs_stmt *o = &sl->g->stmts[r->opaques[i].stmt];
        if (r->opaques[i].func == m->func && o->file == s->file && o->line == s->line)
            return;
    }
    r->opaques = cs_realloc(r->opaques, (r->nopaques + 1) * sizeof *r->opaques);
    r->opaques[r->nopaques++] = (struct cs_opaque){m->func, m->stmt};
}

static void check_model(struct slicing *sl, const struct cs_model *m)
{
    const char *name = cs_func_name(sl->g, m->func);
    if (m->mpi && m->mpi->kind == CS_MPI_UNSUPPORTED)
        message(sl, 2, m->stmt, "%s: process-creating and generalized-request calls of MPI are not supported",
                m->mpi->name);
    if (m->mpi && (m->mpi->flags & CS_MPI_CALLS_HANDLER))
        message(sl, 2, m->stmt,
                "%s: what an error handler does when it is called on purpose is not followed: call the function itself",
                m->mpi->name);
    if (m->fx && m->fx->refuse)
        message(sl, 2, m->stmt, "%s: %s", name, m->fx->refuse);
    if (!m->opaque)
        return;
    const struct cs_mpi_missing *missing = cs_mpi_missing(name);
    if (missing && missing->refusal) {
        message(sl, 2, m->stmt, "%s: %s", name, missing->refusal);
        return;
    }
    note_opaque(sl, m);
    message(sl, 1, m->stmt,
            "%s has no body here and no row in the effects table: it is kept, and taken to read and write all it can "
            "reach: "
            "compile it with the plugin, or say in a row what it does",
            name);
}

static bool reached(struct slicing *sl, int stmt)
{
    const struct cs_stmt *s = &sl->g->stmts[stmt];
    return (!sl->pts || cs_pts_func_reached(sl->pts, s->func)) && sl->g->funcs[s->func].blocks[s->block].reachable;
}

static bool check_program(struct slicing *sl)
{
    bool mpi = false;
    for (int i = 0; i < sl->ms.n; i++) {
        if (!reached(sl, sl->ms.m[i].stmt))
            continue;
        check_model(sl, &sl->ms.m[i]);
        mpi |= sl->ms.m[i].mpi != NULL;
    }
    if (!mpi)
        message(sl, 1, -1, "the program makes no MPI call: its slice does nothing");
    for (int i = 0; i < sl->res->nmessages; i++)
        if (sl->res->messages[i].severity == 2)
            return false;
    return true;
}

/* Does timing decide how many events these calls make, even if the program ignores their results? Each successful test
 * is an event, and so is each MPI_Waitsome. */
static bool counts_by_time(const struct cs_mpi_call *c)
{
    return c->kind == CS_MPI_TEST || c->kind == CS_MPI_IPROBE ||
           (c->kind == CS_MPI_WAIT_SOME && cs_mpi_has_role(c, CS_ROLE_OUTCOUNT));
}

static bool from_anybody(struct slicing *sl, const struct cs_model *m)
{
    int64_t peer;
    return m->peer[1].kind != CS_OPND_NONE && cs_pts_constant(sl->pts, m->peer[1], &peer) &&
           peer == CS_MPICH_ANY_SOURCE;
}

/* Does a call on a window tell what others have done there before, as a counter that hands out work does? */
static bool takes_turns(const struct cs_mpi_call *c)
{
    return c->kind == CS_MPI_RMA && cs_mpi_has_role(c, CS_ROLE_SBUF) && cs_mpi_has_role(c, CS_ROLE_RBUF);
}

static void check_arrival(struct slicing *sl, const struct cs_model *m, int mark)
{
    if (!m->mpi || !(m->mpi->flags & CS_MPI_EVENT))
        return;
    if (counts_by_time(m->mpi) || ((m->mpi->flags & CS_MPI_TIMING) && mark >= CS_MARK_ENVELOPE))
        message(sl, 0, m->stmt, "communication may depend on the order of arrival: %s", m->mpi->name);
    else if (mark >= CS_MARK_ENVELOPE && from_anybody(sl, m))
        message(sl, 0, m->stmt, "communication may depend on the order of arrival: %s from any source", m->mpi->name);
    else if (mark >= CS_MARK_ENVELOPE && takes_turns(m->mpi))
        message(sl, 0, m->stmt, "communication may depend on the order in which ranks come to a window: %s",
                m->mpi->name);
}

static void check_timing(struct slicing *sl)
{
    for (int i = 0; i < sl->ms.n; i++) {
        const struct cs_model *m = &sl->ms.m[i];
        const struct cs_stmt *s = &sl->g->stmts[m->stmt];
        if (!s->keep)
            continue;
        bool clock =
            (m->mpi && m->mpi->kind == CS_MPI_LOCAL && (m->mpi->flags & CS_MPI_TIMING)) || (m->fx && m->fx->time);
        if (clock && !s->drop_result)
            message(sl, 1, m->stmt,
                    "communication depends on the clock: %s decides what is sent; the trace is one of many possible",
                    m->mpi ? m->mpi->name : cs_func_name(sl->g, m->func));
        check_arrival(sl, m, s->mark);
    }
}

static struct cs_pts_budget budget_of(const struct cs_slice_options *opt)
{
    bool wide = opt->budget == CS_BUDGET_AT_ONCE || opt->budget == CS_BUDGET_WIDE;
    int steps = opt->budget > 0 ? opt->budget : CS_BUDGET_DEFAULT;
    return (struct cs_pts_budget){
        .precise = wide ? 0 : INT64_MAX, .left = steps * MILLION, .at_once = opt->budget == CS_BUDGET_AT_ONCE};
}

/* All that has lost its way is one, as the link asks. What that costs, and what is no longer looked at. */
static void warn_closed(struct slicing *sl)
{
    message(sl, 1, -1,
            "as the link asks, %d objects that pointers do not tell apart, and all that they lead to, are taken as "
            "one: %.1f %% of the statements are kept. That neither what GCC computes itself nor what the system "
            "or a library tells about the process decides communication is assumed and not known",
            cs_pts_widened(sl->pts), sl->res->total ? 100.0 * sl->res->kept / sl->res->total : 0.0);
}

static void note_widening(struct slicing *sl)
{
    int n = cs_pts_widened(sl->pts);
    if (cs_pts_closed(sl->pts))
        warn_closed(sl);
    else if (n)
        message(sl, 0, -1,
                "pointers may point to so many objects that, to end in time, %d of them are taken as one: what is "
                "stored in one is read from all, and the slice may be larger for it",
                n);
    if (sl->widened)
        message(
            sl, 0, -1,
            "so many places in memory are asked about that, to end in time, objects are taken as a whole where more "
            "than a few places in them decide communication: the slice may be larger for it");
}

static void warn_allocator(void *arg, int func, const char *name)
{
    struct slicing *sl = arg;
    char text[320];
    snprintf(
        text, sizeof text,
        "what this %s does beside giving memory decides communication, but calls of it from inside the library are not "
        "seen, and a slice "
        "makes fewer: the trace may be wrong; let no count, peer or branch before a message depend on it",
        name);
    add_message(sl->res, (struct cs_message){1, sl->g->funcs[func].file, sl->g->funcs[func].line, text});
}

static void warn_order(void *arg, int stmt)
{
    message(arg, 1, stmt,
            "the order of addresses, or a number made of one, decides communication: it is another one in the slice, "
            "which has fewer objects and functions; the trace may be wrong: compare something else than addresses");
}

static void warn_gone(void *arg, int stmt)
{
    message(arg, 1, stmt,
            "extra_state is a variable of a procedure that may have returned when callbacks read it: MPICH keeps its "
            "address, so they read what is there by then, in the slice something else; the trace may be wrong: give "
            "it a variable with SAVE, or one of a module");
}

static void warn_rounding(void *arg, int stmt, enum cs_rounding how)
{
    static const char *const texts[] = {
        [CS_ROUNDING_SUM] = "where GCC may fuse a product with a sum, which rounds otherwise and may not happen in the "
                            "slice as in the original; the trace may be wrong: compile both with -ffp-contract=off",
        [CS_ROUNDING_LANES] =
            "by an `omp simd reduction`: GCC chooses the order by what else is in the loop, which may "
            "not be in the slice; the trace may be wrong: compile both with -fno-tree-loop-vectorize",
        [CS_ROUNDING_FREE] =
            "with -ffast-math or a part of it, so GCC may round them otherwise in the slice; the trace "
            "may be wrong: compile original and slice without it",
        [CS_ROUNDING_MODE] =
            "in a program that sets the rounding mode, or is linked with -ffast-math or the like, which lets small "
            "numbers be zero: GCC rounds to nearest what it computes itself, in the original perhaps other operations "
            "than in the slice; the trace may be wrong: compile both with -O0",
        [CS_ROUNDING_WIDE] = "with more digits than their type has, as with -mfpmath=387, until GCC stores them, which "
                             "it need not do in the slice where it does in the original; the trace may be wrong: "
                             "compile both with -mfpmath=sse or -ffloat-store",
        [CS_ROUNDING_VARIANT] = "by functions that have variants for vectors, which round otherwise and may not be "
                                "called in the slice as in the original; the trace may be wrong: compile both with "
                                "-fno-tree-vectorize"};
    struct slicing *sl = arg;
    message(sl, 1, stmt, "real numbers that decide communication are computed %s", texts[how]);
}

static void warn_folding(void *arg, int stmt)
{
    struct slicing *sl = arg;
    const struct cs_stmt *s = &sl->g->stmts[stmt];
    bool call = s->kind == CS_STMT_CALL && s->callee.kind == CS_OPND_ADDR;
    const char *name = call                      ? cs_func_name(sl->g, sl->g->objs[s->callee.id].func)
                       : s->kind == CS_STMT_CALL ? "a function of the library"
                                                 : "a complex product or quotient";
    bool plain = !call || sl->g->funcs[s->func].fortran || !strncmp(name, "__builtin", strlen("__builtin"));
    if (s->folds == CS_FOLDS_ASKED || s->folds == CS_FOLDS_SIZE)
        message(sl, 1, stmt,
                "what GCC knows here (%s) decides communication, and it need not know the same in the slice; the trace "
                "may be wrong: let no count, peer or branch before a message depend on it",
                name);
    else
        message(sl, 1, stmt,
                "what %s gives decides communication, and GCC computes it itself where it comes to know %s, with "
                "another last digit than the library and perhaps elsewhere than in the slice; the trace may be wrong: "
                "compile both with %s",
                name,
                s->folds == CS_FOLDS_EXPONENT || s->folds == CS_FOLDS_IF_EXPONENT ? "the exponent" : "the operands",
                plain ? "-O0" : "-fno-builtin or -O0");
}

/* ---- faults on demand ---- */

/* Leaves out the statement or mark that a test asks for. -1 if there is none of that number. A warning stays in the
 * slice, so that it cannot be taken for a good one. */
static int drop(struct slicing *sl, const struct cs_slice_options *opt)
{
    struct cs_drop d = {-1, -1, false};
    if (opt->choose_drop)
        opt->choose_drop(opt->arg, &d);
    int s = cs_drop_find_stmt(sl->g, d.stmt, &sl->res->drop_stmts),
        m = cs_drop_find_mark(sl->g, d.mark, &sl->res->drop_marks);
    sl->res->dropped = s;
    if ((d.stmt >= 0 && s < 0) || (d.mark >= 0 && m < 0)) {
        message(sl, 2, -1, "test build: only %d statements and %d marks can be left out", sl->res->drop_stmts,
                sl->res->drop_marks);
        return -1;
    }
    if (s >= 0) {
        message(sl, 1, s, "test build, not a slice: LIVE statement %d is left out", s);
        sl->g->stmts[s].keep = false;
        sl->g->stmts[s].mark = CS_MARK_NONE;
    }
    if (m >= 0) {
        message(sl, 1, m, "test build, not a slice: the mark of statement %d is left out", m);
        sl->g->stmts[m].mark = d.poison && sl->g->stmts[m].mark == CS_MARK_CONTENT ? CS_MARK_POISON : CS_MARK_NONE;
    }
    return 0;
}

/* ---- decisions for the back-end ---- */

static void number_sites(struct slicing *sl)
{
    for (int s = 0; s < sl->g->nstmts; s++) {
        for (int k = 0; s < sl->ms.nstmts && k < sl->ms.of_stmt[s].n; k++) {
            const struct cs_model *m = &sl->ms.m[sl->ms.of_stmt[s].a[k]];
            assert(m->stmt == s);
            if (m->mpi && sl->g->stmts[s].keep && sl->g->stmts[s].site < 0)
                sl->g->stmts[s].site = sl->res->nsites++;
        }
    }
}

/* Does what this argument, a descriptor, says decide count and datatype? */
static bool says_shape(const struct cs_model *m, int arg)
{
    bool says = false;
    for (int i = 0; i < m->ndescriptors; i++)
        says |= m->descriptors[i].arg == arg;
    return says;
}

/* Marks the arguments that the slice passes as null: buffers and displacements of calls that transmit no content, argc
 * and argv of MPI_Init. */
static void null_args(struct slicing *sl)
{
    struct cs_graph *g = sl->g;
    for (int s = 0; s < g->nstmts; s++) {
        struct cs_stmt *st = &g->stmts[s];
        /* A call through a pointer may reach another function, for which the argument means something else. */
        if (st->kind != CS_STMT_CALL || !st->keep || st->callee.kind == CS_OPND_VALUE)
            continue;
        for (int k = 0; s < sl->ms.nstmts && k < sl->ms.of_stmt[s].n; k++) {
            const struct cs_model *m = &sl->ms.m[sl->ms.of_stmt[s].a[k]];
            for (int i = 0; m->mpi && i < m->mpi->nargs && i < 32; i++) {
                enum cs_role r = m->mpi->args[i].role;
                bool buf = r == CS_ROLE_SBUF || r == CS_ROLE_RBUF || r == CS_ROLE_SRBUF,
                     event = m->mpi->flags & CS_MPI_EVENT;
                if (buf && event && st->mark < CS_MARK_CONTENT && !says_shape(m, i))
                    st->arg_null |= UINT32_C(1) << i;
                if (r == CS_ROLE_DISPLS && event && st->mark < CS_MARK_CONTENT)
                    st->arg_null |= UINT32_C(1) << i;
                if (m->binding == CS_BIND_C && (r == CS_ROLE_ARGC || r == CS_ROLE_ARGV))
                    st->arg_null |= UINT32_C(1) << i;
            }
        }
    }
}

/* Chooses the one edge by which the slice leaves a block whose branch is not kept. */
static void ways_out(struct slicing *sl)
{
    struct cs_graph *g = sl->g;
    for (int f = 0; f < g->nfuncs; f++)
        for (int b = 0; b < g->funcs[f].nblocks; b++) {
            struct cs_block *bl = &g->funcs[f].blocks[b];
            int br = cs_block_branch(g, f, b);
            bool kept = br >= 0 && g->stmts[br].keep && cs_block_ways(bl) > 1;
            assert(br < 0 || g->stmts[br].block == b);
            bl->take = kept ? -1 : cs_cdep_way_out(g, f, b, &sl->cdep[f]);
        }
}

/* Counts original statements: one that has clones is counted once, and kept if any clone is. */
static void count(struct slicing *sl)
{
    struct cs_graph *g = sl->g;
    bool *kept = cs_calloc(g->nstmts + 1, 1), *there = cs_calloc(g->nstmts + 1, 1);
    for (int s = 0; s < g->nstmts; s++) {
        if (!cs_stmt_counts(&g->stmts[s]))
            continue;
        assert(g->stmts[s].source < g->nstmts);
        there[g->stmts[s].source] = true;
        kept[g->stmts[s].source] |= g->stmts[s].keep;
    }
    for (int s = 0; s < g->nstmts; s++) {
        sl->res->total += there[s];
        sl->res->kept += kept[s];
    }
    assert(sl->res->kept <= sl->res->total);
    free(kept);
    free(there);
}

static void for_back_end(struct slicing *sl)
{
    number_sites(sl);
    null_args(sl);
    ways_out(sl);
    count(sl);
}

/* In millions of steps. */

static void refuse(void *arg, int stmt, const char *text)
{
    message(arg, 2, stmt, "%s", text);
}

static void doubt(void *arg, int stmt, const char *text)
{
    message(arg, 1, stmt, "%s; that it does not is assumed, as pointers have lost their way", text);
}

static void warn(void *arg, int stmt, const char *text)
{
    message(arg, 1, stmt, "%s", text);
}

static bool refused(const struct cs_slice_result *res)
{
    for (int i = 0; i < res->nmessages; i++)
        if (res->messages[i].severity == 2)
            return true;
    return false;
}

/* ---- LIVE propagation ---- */

/* A decision on a statement, by statement: for comparing two propagations. */
struct kept {
    bool keep;
    int mark;
};

/* A copy of the decisions of a propagation. The caller frees. */
static struct kept *decisions(const struct cs_graph *g)
{
    struct kept *k = cs_calloc(g->nstmts + 1, sizeof *k);
    for (int s = 0; s < g->nstmts; s++)
        k[s] = (struct kept){g->stmts[s].keep, g->stmts[s].mark};
    return k;
}

static void undecide(struct slicing *sl)
{
    struct cs_graph *g = sl->g;
    for (int s = 0; s < g->nstmts; s++) {
        struct cs_stmt *st = &g->stmts[s];
        if (st->source >= 0)
            st->parent = -1;
        st->keep = st->drop_result = false;
        st->why = CS_WHY_NONE;
        st->mark = CS_MARK_NONE;
        st->arg_null = 0;
    }
    for (int f = 0; f < g->nfuncs; f++)
        g->funcs[f].needed = false;
    for (int i = 0; i < sl->ms.n; i++)
        sl->ms.m[i].error_code_live = false;
}

/* Is nothing kept, and no mark higher, beyond what `k` says? */
static bool no_more_than(const struct cs_graph *g, const struct kept *k)
{
    assert(k);
    for (int s = 0; s < g->nstmts; s++)
        if ((g->stmts[s].keep && !k[s].keep) || g->stmts[s].mark > k[s].mark)
            return false;
    return true;
}

static void forget_equal(struct cs_graph *g)
{
    for (int v = 0; v < g->nvalues; v++)
        g->values[v].same = cs_opnd_none();
    for (int s = 0; s < g->nstmts; s++)
        g->stmts[s].move_to = -1;
    for (int f = 0; f < g->nfuncs; f++)
        cs_intlist_free(&g->funcs[f].moved);
}

/* Propagates with the chosen calls that give memory back, from the beginning. */
static struct cs_live *propagate(struct slicing *sl)
{
    struct cs_live *l = cs_live_new(sl->g, &sl->ms, sl->pts, sl->cdep, &sl->ch);
    cs_live_run(l, sl->needs);
    if (sl->give_back)
        cs_live_give_back(l, sl->give_back);
    if (sl->counters)
        cs_live_count(l, sl->counters);
    return l;
}

static struct cs_live *propagate_again(struct slicing *sl, struct cs_live *l)
{
    cs_live_free(l);
    undecide(sl);
    return propagate(sl);
}

static bool marks_no_higher(const struct cs_graph *g, const struct kept *k)
{
    for (int s = 0; s < g->nstmts; s++)
        if (g->stmts[s].mark > k[s].mark)
            return false;
    return true;
}

static int count_calls(const struct cs_graph *g, const bool *calls)
{
    int n = 0;
    for (int s = 0; s < g->nstmts; s++)
        n += calls[s];
    return n;
}

/* After a propagation: where kept statements take memory again and again, keeps what gives it back. The propagation
 * goes on with these calls, or, if some of them would bring too much with them, another one starts without these. No
 * call may raise a mark. */
static struct cs_live *give_memory_back(struct slicing *sl, struct cs_live *l)
{
    sl->give_back = cs_give_back_find(sl->g, &sl->ms, sl->pts);
    if (!sl->give_back)
        return l;
    struct kept *k = decisions(sl->g);
    int all = count_calls(sl->g, sl->give_back);
    cs_live_give_back(l, sl->give_back);
    bool any = cs_give_back_choose(sl->g, sl->needs, sl->give_back);
    if (any && count_calls(sl->g, sl->give_back) < all)
        l = propagate_again(sl, l);
    if (!any || !marks_no_higher(sl->g, k)) {
        free(sl->give_back);
        sl->give_back = NULL;
        l = propagate_again(sl, l);
    }
    free(k);
    return l;
}

/* Notes the calls that count and are not kept. */
static void note_uncounted(struct slicing *sl, const bool *all)
{
    struct cs_intlist not = {0};
    for (int s = 0; s < sl->g->nstmts; s++)
        if (all[s] && !(sl->counters && sl->counters[s]))
            cs_intlist_add(&not, s);
    sl->res->uncounted = not .a;
    sl->res->nuncounted = not .n;
}

/* A slice that transmits no content calls no operation of the user's, and counts nothing in it. */
static void leave_out_callbacks(struct slicing *sl, struct cs_live *l)
{
    bool *in_callback = cs_live_called_by_mpi(l);
    for (int s = 0; s < sl->g->nstmts; s++)
        sl->counters[s] = sl->counters[s] && !in_callback[sl->g->stmts[s].func];
    free(in_callback);
}

/* Chooses among all counters, after a propagation without any, and propagates with these. Without any if a mark would
 * be higher than in `k` for them. */
static struct cs_live *choose_counters(struct slicing *sl, struct cs_live *l, const struct kept *k,
                                       enum cs_count_how how)
{
    sl->counters = cs_counters_find(sl->g, sl->counter, sl->pts);
    leave_out_callbacks(sl, l);
    cs_live_count(l, sl->counters);
    bool any = cs_counters_choose(sl->g, &sl->ms, sl->needs, sl->cdep, sl->pts, how, sl->counters);
    if (any)
        l = propagate_again(sl, l);
    if (!any || !marks_no_higher(sl->g, k)) {
        free(sl->counters);
        sl->counters = NULL;
        l = propagate_again(sl, l);
    }
    return l;
}

/* After all else is decided: keeps the chosen counters, as give_memory_back() does with its calls. */
static struct cs_live *keep_counters(struct slicing *sl, struct cs_live *l)
{
    bool *all = cs_counters_find(sl->g, sl->counter, sl->pts);
    if (!all)
        return l;
    struct kept *k = decisions(sl->g);
    l = choose_counters(sl, l, k, sl->count_how);
    if (!sl->counters && sl->count_how != CS_COUNT_CHEAP)
        l = choose_counters(sl, l, k, CS_COUNT_CHEAP);
    note_uncounted(sl, all);
    free(all);
    free(k);
    return l;
}

/* MPI says neither how often nor in which order it runs an operation. */
static void note_operations(struct slicing *sl, struct cs_live *l)
{
    for (int i = 0; i < sl->ms.n; i++) {
        const struct cs_model *m = &sl->ms.m[i];
        if (m->mpi && cs_mpi_has_role(m->mpi, CS_ROLE_NEWOP) && sl->g->stmts[m->stmt].keep &&
            cs_operation_acts(l, m->stmt))
            message(sl, 0, m->stmt,
                    "communication may depend on how often, and in which order, MPI runs the operation that is made "
                    "here: it sets variables beside its operands");
    }
}

static void forget_reasons(struct slicing *sl)
{
    sl->needs->nedges = 0;
    message(sl, 0, -1,
            "there are so many reasons to keep statements that commslice why shows one way to each, which need not be "
            "the best, and commslice advise has nothing to say");
}

/* With equal values less is needed, so that what gives memory back may need more for itself than it may: chooses
 * among the calls again. */
static struct cs_live *give_less_back(struct slicing *sl, struct cs_live *l)
{
    int all = sl->give_back ? count_calls(sl->g, sl->give_back) : 0;
    if (!all || (cs_give_back_choose(sl->g, sl->needs, sl->give_back) && count_calls(sl->g, sl->give_back) == all))
        return l;
    return propagate_again(sl, l);
}

/* Propagates again if values were found equal. What is equal rests on what the first run keeps, so it holds only if the
 * next ones keep no more; else it is given up and another run goes without. */
static struct cs_live *with_equal(struct slicing *sl, struct cs_live *l)
{
    if (!cs_live_equal(l))
        return l;
    struct kept *k = decisions(sl->g);
    l = propagate_again(sl, l);
    if (no_more_than(sl->g, k))
        l = give_less_back(sl, l);
    if (!no_more_than(sl->g, k)) {
        forget_equal(sl->g);
        l = propagate_again(sl, l);
    }
    free(k);
    return l;
}

static void find_live(struct slicing *sl)
{
    struct cs_needs needs = {.brief = true}, *wanted = sl->needs;
    if (!wanted)
        sl->needs = &needs;
    struct cs_live *l = with_equal(sl, keep_counters(sl, give_memory_back(sl, propagate(sl))));
    sl->needs = wanted;
    cs_needs_free(&needs);
    sl->res->unread = cs_live_unread(l);
    sl->res->unordered = !cs_live_ordered(l);
    sl->widened = cs_live_widened(l);
    note_operations(sl, l);
    cs_live_free(l);
    if (wanted && wanted->nedges == CS_NEEDS_MOST)
        forget_reasons(sl);
}

/* What LIVE propagation decides, and all that is said of it. 0, or -1 if the program is refused. */
static int slice_live(struct slicing *sl, const struct cs_slice_options *opt)
{
    cs_extents_find(sl->g, &sl->ms, sl->pts);
    if (!check_program(sl))
        return -1;
    cs_channels_build(&sl->ch, sl->g, &sl->ms, sl->pts, sl->cdep);
    find_live(sl);
    cs_refuse_live(sl->g, &sl->ms, sl->pts, refuse, doubt, warn, sl);
    int status = refused(sl->res) ? -1 : drop(sl, opt);
    if (sl->needs)
        cs_handles_find(sl->g, sl->pts);
    for_back_end(sl);
    if (opt->repeats)
        cs_alike_find(sl->g, &sl->ms, sl->pts, opt->stateful, &sl->res->alike);
    check_timing(sl);
    cs_pointer_order_check(sl->g, sl->pts, warn_order, sl);
    cs_gone_state_check(sl->g, &sl->ms, sl->pts, warn_gone, sl);
    cs_rounding_check(sl->g, &sl->ms, sl->mode_is_given, warn_rounding, sl);
    if (!cs_pts_closed(sl->pts)) /* asked of each of the objects that are one, this would not end in time */
        cs_folding_check(sl->g, &sl->ms, sl->pts, warn_folding, sl);
    note_widening(sl);
    cs_allocators_check(sl->g, &sl->ms, sl->pts, warn_allocator, sl);
    return status;
}

/* Without points-to. What would be said of LIVE calls is said once, as an assumption, for all of them. */
static int slice_nothing(struct slicing *sl, const struct cs_slice_options *opt)
{
    cs_keep_all(sl->g, &sl->ms, sl->needs);
    sl->res->kept_all = true;
    if (!check_program(sl))
        return -1;
    cs_refuse_kept(sl->g, &sl->ms, refuse, sl);
    int status = refused(sl->res) ? -1 : drop(sl, opt);
    for_back_end(sl);
    cs_rounding_check(sl->g, &sl->ms, sl->mode_is_given, warn_rounding, sl);
    message(sl, 1, -1,
            "pointers could not be followed within the budget of %d million steps, so all that may run is kept, %.1f "
            "%% of the statements: the slice costs about what the original does. That neither the clock, nor the order "
            "of arrivals, nor what GCC computes itself, nor signals, nor what the system or a library tells about the "
            "process decides communication is assumed and not known. -fplugin-arg-commslice-budget sets another budget",
            opt->budget == CS_BUDGET_NONE ? 0 : (int)(budget_of(opt).left / MILLION),
            sl->res->total ? 100.0 * sl->res->kept / sl->res->total : 0.0);
    return status;
}

int cs_slice(struct cs_graph *g, const struct cs_effects *fx, const struct cs_slice_options *opt,
             struct cs_slice_result *res)
{
    struct slicing sl = {.g = g, .fx = fx, .res = res, .needs = opt->needs, .counter = opt->counter};
    sl.count_how = opt->count_how;
    sl.mode_is_given = opt->mode_is_given;
    struct cs_pts_budget budget = budget_of(opt);
    const int64_t all = budget.left;
    cs_graph_check(g);
    memset(res, 0, sizeof *res);
    cs_models_init(&sl.ms, g, fx);
    cs_exit_status_hide(g, fx);
    cs_error_exits_prune(g, fx, opt->keep_errors);
    sl.pts = opt->budget == CS_BUDGET_NONE ? NULL : cs_decide(g, &sl.ms, &budget, opt->learnt);
    res->steps = all - budget.left;
    sl.cdep = cs_calloc(g->nfuncs + 1, sizeof *sl.cdep);
    for (int f = 0; f < g->nfuncs; f++)
        cs_cdep_compute(g, f, &sl.cdep[f]);
    int status = sl.pts ? slice_live(&sl, opt) : slice_nothing(&sl, opt);
    for (int f = 0; f < g->nfuncs; f++)
        cs_cdep_free(&sl.cdep[f]);
    free(sl.cdep);
    cs_channels_free(&sl.ch);
    free(sl.give_back);
    free(sl.counters);
    cs_pts_free(sl.pts);
    cs_models_free(&sl.ms);
    return status;
}

void cs_slice_result_free(struct cs_slice_result *res)
{
    for (int i = 0; i < res->nmessages; i++)
        free(res->messages[i].text);
    free(res->messages);
    free(res->opaques);
    free(res->uncounted);
    cs_alike_free(&res->alike);
}
