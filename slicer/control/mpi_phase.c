/* SPDX-License-Identifier: GPL-3.0-or-later
 * Forward data flow of the MPI phase over the whole program; mpi_phase.h. A function is a table from the phase at its
 * entry to the phases at its return, so a helper that is called in two phases is followed in each. A function that
 * nobody describes may begin or end MPI; a call through a pointer does what any function does whose address is taken.
 */
#include "slicer/control/mpi_phase.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* Phases are numbered 0 to 2 here, in the order of enum cs_mpi_phase: phase ph is the set 1 << ph. */
enum { BEFORE, INSIDE, AFTER, NPHASES };
_Static_assert(1 << BEFORE == CS_MPI_PHASE_BEFORE && 1 << INSIDE == CS_MPI_PHASE_INSIDE &&
                   1 << AFTER == CS_MPI_PHASE_AFTER,
               "numbers of phases and sets of them");

/* The state of the analysis, which only grows; sets are sums of enum cs_mpi_phase. */
struct phases {
    struct cs_graph *g;
    const struct cs_effects *fx;
    unsigned char (*out)[NPHASES];  /* by function and the phase at its entry: phases at return */
    unsigned char (*ends)[NPHASES]; /* likewise: phases in which it ends the program well */
    unsigned char *here;            /* ends of the function and phase that is looked at */
    bool (*entered)[NPHASES];       /* by function and phase: it may be called in it */
    unsigned char *at_exit; /* by statement, of those that may end the program: phases in which they are reached */
    bool indirect;          /* an indirect call may change the phase */
    bool *taken;            /* by function: its address is taken */
    unsigned char by_pointer[NPHASES]; /* phases behind an indirect call that is made in each */
    unsigned char *kind;               /* by call: 1 + enum callee_kind, 0: not asked yet */
    bool changed;
};

/* What a call of a function without a body does to the phase. */
enum callee_kind {
    CALLEE_SAME,
    CALLEE_INIT,
    CALLEE_FINALIZE,
    CALLEE_EXIT,
    CALLEE_LEAVES,
    CALLEE_CALLS,
    CALLEE_ANY,
    CALLEE_COMES_BACK
};

/* Does the library function call what it is given, or was given before? */
static bool calls_back(const struct cs_effect *fx)
{
    for (int i = 0; i < fx->nops; i++)
        if (fx->ops[i].kind == CS_EFFECT_CALLBACK || fx->ops[i].kind == CS_EFFECT_CALL_DEEP ||
            fx->ops[i].kind == CS_EFFECT_HIDDEN_CALL)
            return true;
    return false;
}

static enum callee_kind look_up(struct phases *p, int stmt, int func)
{
    enum cs_binding bind;
    const char *name = cs_func_name(p->g, func);
    const struct cs_mpi_call *c = cs_mpi_by_symbol(name, &bind);
    if (c && c->kind == CS_MPI_INIT)
        return CALLEE_INIT;
    if (c && c->kind == CS_MPI_FINALIZE)
        return CALLEE_FINALIZE;
    if (c)
        return CALLEE_SAME;
    const struct cs_effect *fx = cs_effects_find(p->fx, name);
    if (!fx)
        return CALLEE_ANY;
    if (fx->catches)
        return CALLEE_COMES_BACK;
    switch (cs_model_noret(p->fx, p->g, stmt, func)) {
    case CS_NORET_EXIT: return CALLEE_EXIT;
    case CS_NORET_JUMP: return CALLEE_LEAVES;
    default: return calls_back(fx) ? CALLEE_CALLS : CALLEE_SAME;
    }
}

/* The function of a call, always the same, is looked up once. */
static enum callee_kind external_kind(struct phases *p, int stmt, int func)
{
    if (!p->kind[stmt])
        p->kind[stmt] = (unsigned char)(1 + look_up(p, stmt, func));
    return (enum callee_kind)(p->kind[stmt] - 1);
}

/* The phases behind a function that is called through a pointer in this phase. */
static unsigned behind_taken(struct phases *p, int func, int phase)
{
    enum cs_binding bind;
    if (p->g->funcs[func].defined)
        return p->out[func][phase];
    const struct cs_mpi_call *c = cs_mpi_by_symbol(cs_func_name(p->g, func), &bind);
    const struct cs_effect *fx = cs_effects_find(p->fx, cs_func_name(p->g, func));
    bool same = c ? c->kind != CS_MPI_INIT && c->kind != CS_MPI_FINALIZE : fx && !fx->catches;
    return same ? 1u << phase : CS_MPI_PHASE_ANY;
}

/* What indirect calls do, by what is known so far of the functions whose address is taken. */
static void follow_pointers(struct phases *p)
{
    for (int f = 0; f < p->g->nfuncs; f++)
        for (int ph = 0; p->taken[f] && ph < NPHASES; ph++)
            p->by_pointer[ph] |= behind_taken(p, f, ph);
}

static unsigned through_pointer(const struct phases *p, unsigned set)
{
    unsigned out = 0;
    for (int ph = 0; ph < NPHASES; ph++)
        if (set >> ph & 1)
            out |= p->by_pointer[ph];
    return p->indirect ? out | set : set; /* it may also reach code that nobody sees */
}

/* The function that is looked at may end the program in these phases. */
static void note_end(struct phases *p, unsigned set)
{
    p->changed |= (*p->here | set) != *p->here;
    *p->here |= set;
}

/* The phases behind a call that is reached in these phases. */
static unsigned through_call(struct phases *p, int stmt, unsigned set)
{
    const struct cs_stmt *s = &p->g->stmts[stmt];
    assert(s->kind == CS_STMT_CALL && set && set <= CS_MPI_PHASE_ANY);
    if (s->callee.kind != CS_OPND_ADDR || p->g->objs[s->callee.id].kind != CS_OBJ_FUNC)
        return through_pointer(p, set);
    int f = p->g->objs[s->callee.id].func;
    if (p->g->funcs[f].defined) {
        unsigned out = 0;
        for (int ph = 0; ph < NPHASES; ph++) {
            if (!(set >> ph & 1))
                continue;
            if (!p->entered[f][ph])
                p->entered[f][ph] = p->changed = true;
            out |= p->out[f][ph];
            note_end(p, p->ends[f][ph]);
        }
        return out;
    }
    switch (external_kind(p, stmt, f)) {
    case CALLEE_INIT: return set & CS_MPI_PHASE_BEFORE ? (set & ~CS_MPI_PHASE_BEFORE) | CS_MPI_PHASE_INSIDE : set;
    case CALLEE_FINALIZE: return set & CS_MPI_PHASE_INSIDE ? (set & ~CS_MPI_PHASE_INSIDE) | CS_MPI_PHASE_AFTER : set;
    case CALLEE_EXIT:
        p->at_exit[stmt] |= set;
        note_end(p, set);
        return 0;
    case CALLEE_LEAVES: return 0; /* what handlers and setjmp get may be any phase */
    case CALLEE_CALLS: return set | through_pointer(p, set);
    case CALLEE_ANY:
    case CALLEE_COMES_BACK: return CS_MPI_PHASE_ANY; /* setjmp returns in the phase of the longjmp */
    default: return set;
    }
}

/* Follows a function that is entered in one phase, to a fixpoint over its blocks. */
static void flow_function(struct phases *p, int func, int phase)
{
    const struct cs_func *f = &p->g->funcs[func];
    unsigned char *in = cs_calloc(f->nblocks + 1, 1);
    unsigned out = 0;
    assert(phase >= 0 && phase < NPHASES && f->defined);
    in[0] = 1 << phase;
    p->here = &p->ends[func][phase];
    for (bool again = true; again;) {
        again = false;
        for (int b = 0; b < f->nblocks; b++) {
            unsigned set = in[b];
            for (int i = 0; i < f->blocks[b].nstmts && set; i++)
                if (p->g->stmts[f->blocks[b].stmts[i]].kind == CS_STMT_CALL)
                    set = through_call(p, f->blocks[b].stmts[i], set);
            if (f->is_entry && f->blocks[b].nstmts && set)
                p->at_exit[f->blocks[b].stmts[f->blocks[b].nstmts - 1]] |= set;
            for (int i = 0; i < f->blocks[b].nsuccs && set; i++) {
                int t = f->blocks[b].succs[i];
                unsigned there =
                    f->blocks[b].eh[i] ? CS_MPI_PHASE_ANY : set; /* what is thrown comes from anywhere in the callee */
                if (t < 0) {
                    out |= there;
                    continue;
                }
                if ((in[t] | there) != in[t]) {
                    in[t] |= there;
                    again = true;
                }
            }
        }
    }
    if ((p->out[func][phase] | out) != p->out[func][phase]) {
        p->out[func][phase] |= out;
        p->changed = true;
    }
    free(in);
}

bool cs_mpi_phase_taken(const struct cs_graph *g, bool *taken)
{
    bool any = false;
    for (int i = 0; i < g->nstmts; i++) {
        const struct cs_stmt *s = &g->stmts[i];
        for (int k = 0; k < s->nuses; k++) {
            if (s->uses[k].kind != CS_OPND_ADDR || g->objs[s->uses[k].id].kind != CS_OBJ_FUNC)
                continue;
            taken[g->objs[s->uses[k].id].func] = any = true;
        }
    }
    for (int o = 0; o < g->nobjs; o++)
        for (int k = 0; k < g->objs[o].ninits; k++) {
            struct cs_operand v = g->objs[o].inits[k].val;
            if (v.kind == CS_OPND_ADDR && g->objs[v.id].kind == CS_OBJ_FUNC)
                taken[g->objs[v.id].func] = any = true;
        }
    return any;
}

/* Does this library function register a handler that runs at exit? */
static bool runs_at_exit(const char *name)
{
    static const char *const with[] = {
        "atexit", "on_exit", "__cxa_atexit", "__cxa_thread_atexit", "at_quick_exit", "__cxa_thread_atexit_impl"};
    for (size_t i = 0; i < sizeof with / sizeof *with; i++)
        if (!strcmp(name, with[i]))
            return true;
    return false;
}

/* May the function, called inside, end MPI? It need not come back behind that: _exit(0). */
static bool finalizes(struct phases *p, int func)
{
    enum cs_binding bind;
    const struct cs_mpi_call *c = p->g->funcs[func].defined ? NULL : cs_mpi_by_symbol(cs_func_name(p->g, func), &bind);
    return c ? c->kind == CS_MPI_FINALIZE : (p->out[func][INSIDE] | p->ends[func][INSIDE]) & CS_MPI_PHASE_AFTER;
}

/* An entry beside main runs before or after it: a constructor, a destructor. */
static bool destructor(const struct cs_graph *g, int func)
{
    return g->funcs[func].defined && g->funcs[func].is_entry && strcmp(cs_func_name(g, func), "main");
}

/* Can something that runs at exit finalize MPI? Then ending inside is a good end. */
static bool handlers_finalize(struct phases *p, const bool *taken)
{
    bool handlers = false, finalize = false;
    for (int f = 0; f < p->g->nfuncs; f++) {
        handlers |= runs_at_exit(cs_func_name(p->g, f));
        finalize |= taken[f] && finalizes(p, f);
        if (destructor(p->g, f) && finalizes(p, f))
            return true;
    }
    return handlers && finalize;
}

unsigned char *cs_mpi_phase_compute(struct cs_graph *g, const struct cs_effects *fx)
{
    struct phases p = {.g = g, .fx = fx, .changed = true};
    p.out = cs_calloc(g->nfuncs + 1, sizeof *p.out);
    p.ends = cs_calloc(g->nfuncs + 1, sizeof *p.ends);
    p.entered = cs_calloc(g->nfuncs + 1, sizeof *p.entered);
    p.at_exit = cs_calloc(g->nstmts + 1, 1);
    p.kind = cs_calloc(g->nstmts + 1, 1);
    p.taken = cs_calloc(g->nfuncs + 1, 1);
    p.indirect = cs_mpi_phase_taken(g, p.taken);
    for (int f = 0; f < g->nfuncs; f++)
        p.indirect |= runs_at_exit(cs_func_name(g, f));
    for (int f = 0; f < g->nfuncs; f++) {
        if (!g->funcs[f].defined)
            continue;
        if (g->funcs[f].is_entry && !destructor(g, f))
            p.entered[f][BEFORE] = true;
        else if (g->funcs[f].is_entry)
            memset(p.entered[f], 1, NPHASES);
        else if (g->funcs[f].exported || (p.indirect && p.taken[f]))
            memset(p.entered[f], 1, NPHASES);
    }
    while (p.changed) {
        p.changed = false;
        follow_pointers(&p);
        for (int f = 0; f < g->nfuncs; f++)
            for (int ph = 0; ph < NPHASES; ph++)
                if (g->funcs[f].defined && p.entered[f][ph])
                    flow_function(&p, f, ph);
    }
    if (handlers_finalize(&p, p.taken))
        for (int s = 0; s < g->nstmts; s++)
            if (p.at_exit[s])
                p.at_exit[s] = CS_MPI_PHASE_ANY;
    free(p.taken);
    free(p.kind);
    free(p.out);
    free(p.ends);
    free(p.entered);
    return p.at_exit;
}
