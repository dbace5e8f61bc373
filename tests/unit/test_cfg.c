/* SPDX-License-Identifier: GPL-3.0-or-later
 * Unit tests of slicer/control/cfg.c: which edges a normal run never takes, and, on random graphs, post-dominators and
 * control dependence against their textbook definitions, and ways out that always arrive. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "slicer_kit.h"
#include "suite.h"

/* ---- error exits ---- */

/* The edges that are never taken after pruning, as "func:from>to", blocks by number. */
static const struct {
    const char *what, *text, *never;
    bool keep_errors;
} prunes[] = {
    {"abort after a test", "func main(a) entry { b0: if a < 0 then b1 else b2; b1: call abort(); stop; b2: return 0 }",
     "main:0>1", false},
    {"the same, kept on demand",
     "func main(a) entry { b0: if a < 0 then b1 else b2; b1: call abort(); stop; b2: return 0 }", "", true},
    {"a way that leads only to abort",
     "func main(a) entry { b0: if a < 0 then b1 else b4; b1: if a < -5 then b2 else b3; b2: goto b3; b3: call "
     "MPI_Abort(1, 2); goto b4; b4: return 0 }",
     "main:0>1", false},
    {"abort inside a loop",
     "func main(a) entry { b0: goto b1; b1: if a < 0 then b2 else b3; b2: call abort(); stop; b3: if a < 9 then b1 "
     "else b4; b4: return 0 }",
     "main:1>2", false},
    {"exit(0) is an end, exit(1) is an error",
     "func main(a) entry { b0: if a < 0 then b1 else b2; b1: call exit(0); stop; b2: if a > 5 then b3 else b4; b3: "
     "call exit(1); stop; b4: return 0 }",
     "main:2>3", false},
    {"exit with a value that nobody knows is an end",
     "func main(a) entry { b0: if a < 0 then b1 else b2; b1: call exit(a); stop; b2: return 0 }", "", false},
    {"exit(0) between Init and Finalize is an error",
     "func main(a) entry { b0: call MPI_Init(0, 0); if a < 0 then b1 else b2; b1: call exit(0); stop; b2: call "
     "MPI_Finalize(); return 0 }",
     "main:0>1", false},
    {"exit(0) after Finalize is an end",
     "func main(a) entry { b0: call MPI_Init(0, 0); call MPI_Finalize(); if a < 0 then b1 else b2; b1: call exit(0); "
     "stop; b2: return 0 }",
     "", false},
    {"a function that finalizes and exits, called inside",
     "func quit() { call MPI_Finalize(); call exit(0); stop }\n"
     "func main(a) entry { b0: call MPI_Init(0, 0); if a < 0 then b1 else b2; b1: call quit(); stop; b2: call "
     "MPI_Finalize(); return 0 }",
     "", false},
    {"a function of one's own that always aborts",
     "func die() { call printf(0); call MPI_Abort(1, 2); return }\n"
     "func main(a) entry { b0: if a < 0 then b1 else b2; b1: call die(); goto b2; b2: return 0 }",
     "main:0>1", false},
    {"two levels of it",
     "func die() { call abort(); stop }\n func check() { call die(); return }\n"
     "func main(a) entry { b0: if a < 0 then b1 else b2; b1: call check(); goto b2; b2: return 0 }",
     "main:0>1", false},
    {"it aborts only at times: its own branch goes",
     "func check(a) { b0: if a < 0 then b1 else b2; b1: call abort(); stop; b2: return }\n"
     "func main(a) entry { b0: if a < 3 then b1 else b2; b1: call check(a); goto b2; b2: return 0 }",
     "check:0>1", false},
    {"a program that ends only by abort is left alone",
     "func main(a) entry { b0: if a < 0 then b1 else b2; b1: call abort(); stop; b2: call abort(); stop }", "", false},
    {"an endless loop is no error", "func main(a) entry { b0: if a < 0 then b1 else b2; b1: goto b1; b2: return 0 }",
     "", false},
    {"recursion with a normal end",
     "func f(a) { b0: if a < 0 then b1 else b2; b1: return 1; b2: b = sub a, 1; c = call f(b); return c }\n"
     "func main(a) entry { x = call f(a); return x }",
     "", false},
    {"recursion that ends only in abort",
     "func f(a) { b0: if a < 0 then b1 else b2; b1: call abort(); stop; b2: b = sub a, 1; call f(b); return }\n"
     "func main(a) entry { b0: if a < 3 then b1 else b2; b1: call f(a); goto b2; b2: return 0 }",
     "main:0>1", false},
    {"an endless loop that ends by exit in a function behind a pointer",
     "func quit() { call MPI_Finalize(); call exit(0); stop }\n func run(p) { b0: goto b1; b1: call *p(); goto b1 }\n"
     "func main(a) entry { b0: call MPI_Init(0, 0); if a < 0 then b1 else b2; b1: call run(@quit); stop; b2: call "
     "MPI_Finalize(); return 0 }",
     "", false},
    {"an unknown function with no way on may end the run well",
     "func main(a) entry { b0: call MPI_Init(0, 0); if a < 0 then b1 else b2; b1: call finish(); stop; b2: call "
     "MPI_Finalize(); return 0 }",
     "", false},
    {"what may end the run well comes before an abort",
     "func quit(a) { b0: if a < 2 then b1 else b2; b1: call MPI_Finalize(); call exit(0); stop; b2: return }\n"
     "func main(a) entry { b0: call MPI_Init(0, 0); if a < 0 then b1 else b2; b1: call quit(a); call abort(); stop; "
     "b2: call MPI_Finalize(); return 0 }",
     "", false},
    {"MPI_Finalize as an exit handler: exit(0) inside is an end",
     "func MPI_Finalize\n func main(a) entry { b0: call MPI_Init(0, 0); call atexit(@MPI_Finalize); if a < 0 then b1 "
     "else b2; b1: call exit(0); stop; b2: return 0 }",
     "", false},
    {"error with status 0 comes back, with another it does not",
     "func main(a) entry { b0: if a < 0 then b1 else b2; b1: call error(0, 0, 0); goto b2; b2: if a > 5 then b3 else "
     "b4; b3: call error(1, 0, 0); stop; b4: return 0 }",
     "main:2>3", false},
    {"a pointer to a function that aborts may point elsewhere",
     "func die() { call abort(); stop }\n"
     "func main(a, p) entry { b0: if a < 0 then b1 else b2; b1: call *p(); goto b2; b2: return 0 }",
     "", false},
    {"a virtual call ends the run well if one of its family does",
     "global _ZTV1A 8 = @quit; global _ZTV1B 8 = @tidy\n"
     "func quit() family 1 { call MPI_Finalize(); call exit(0); stop }\n func tidy() family 2 { return }\n"
     "func leave() form 0 { call MPI_Finalize(); call exit(0); stop }\n func rest(x) form 1 { return }\n"
     "func fail(p) { call *p() family 1; call abort(); stop }\n"
     "func main(a, p) entry { b0: call MPI_Init(0, 0); if a < 0 then b1 else b2; b1: call fail(p); stop;"
     " b2: call MPI_Finalize(); return 0 }",
     "", false},
    {"a virtual call that reaches another family",
     "global _ZTV1A 8 = @quit; global _ZTV1B 8 = @tidy\n"
     "func quit() family 1 { call MPI_Finalize(); call exit(0); stop }\n func tidy() family 2 { return }\n"
     "func leave() form 0 { call MPI_Finalize(); call exit(0); stop }\n func rest(x) form 1 { return }\n"
     "func fail(p) { call *p() family 2; call abort(); stop }\n"
     "func main(a, p) entry { b0: call MPI_Init(0, 0); if a < 0 then b1 else b2; b1: call fail(p); stop;"
     " b2: call MPI_Finalize(); return 0 }",
     "main:0>1", false},
    {"a call that may find any function in a table",
     "global _ZTV1A 8 = @quit; global _ZTV1B 8 = @tidy\n"
     "func quit() family 1 { call MPI_Finalize(); call exit(0); stop }\n func tidy() family 2 { return }\n"
     "func leave() form 0 { call MPI_Finalize(); call exit(0); stop }\n func rest(x) form 1 { return }\n"
     "func fail(p) { call *p() ; call abort(); stop }\n"
     "func main(a, p) entry { b0: call MPI_Init(0, 0); if a < 0 then b1 else b2; b1: call fail(p); stop;"
     " b2: call MPI_Finalize(); return 0 }",
     "", false},
    {"a call of a plain function finds none that tables alone have",
     "global _ZTV1A 8 = @quit; global _ZTV1B 8 = @tidy\n"
     "func quit() family 1 { call MPI_Finalize(); call exit(0); stop }\n func tidy() family 2 { return }\n"
     "func leave() form 0 { call MPI_Finalize(); call exit(0); stop }\n func rest(x) form 1 { return }\n"
     "func fail(p) { call *p() family 0; call abort(); stop }\n"
     "func main(a, p) entry { b0: call MPI_Init(0, 0); if a < 0 then b1 else b2; b1: call fail(p); stop;"
     " b2: call MPI_Finalize(); return 0 }",
     "main:0>1", false},
    {"a call of a plain function whose address is given",
     "global _ZTV1A 8 = @quit; global _ZTV1B 8 = @tidy\n"
     "func quit() family 1 { call MPI_Finalize(); call exit(0); stop }\n func tidy() family 2 { return }\n"
     "func leave() form 0 { call MPI_Finalize(); call exit(0); stop }\n func rest(x) form 1 { return }\n"
     "func fail(p) { call *p() family 0; call abort(); stop }\n"
     "func main(a, p) entry { b0: call MPI_Init(0, 0); if a < 0 then b1 else b2; b1: call fail(p); stop;"
     " b2: call frob(@leave); call MPI_Finalize(); return 0 }",
     "", false},
    {"a call of a function of another form",
     "global _ZTV1A 8 = @quit; global _ZTV1B 8 = @tidy\n"
     "func quit() family 1 { call MPI_Finalize(); call exit(0); stop }\n func tidy() family 2 { return }\n"
     "func leave() form 0 { call MPI_Finalize(); call exit(0); stop }\n func rest(x) form 1 { return }\n"
     "func fail(p) { call *p(7) form 1; call abort(); stop }\n"
     "func main(a, p) entry { b0: call MPI_Init(0, 0); if a < 0 then b1 else b2; b1: call fail(p); stop;"
     " b2: call frob(@leave); call frob(@rest); call MPI_Finalize(); return 0 }",
     "main:0>1", false},
    {"a call of a function of another form that is cast",
     "global _ZTV1A 8 = @quit; global _ZTV1B 8 = @tidy\n"
     "func quit() family 1 { call MPI_Finalize(); call exit(0); stop }\n func tidy() family 2 { return }\n"
     "func leave() form 0 form any { call MPI_Finalize(); call exit(0); stop }\n func rest(x) form 1 { return }\n"
     "func fail(p) { call *p(7) form 1; call abort(); stop }\n"
     "func main(a, p) entry { b0: call MPI_Init(0, 0); if a < 0 then b1 else b2; b1: call fail(p); stop;"
     " b2: call frob(@leave); call frob(@rest); call MPI_Finalize(); return 0 }",
     "", false},
    {"a call of a plain function finds one of a table that is cast",
     "global _ZTV1A 8 = @quit; global _ZTV1B 8 = @tidy\n"
     "func quit() family 1 form any { call MPI_Finalize(); call exit(0); stop }\n func tidy() family 2 { return }\n"
     "func fail(p) { call *p(7) form 1; call abort(); stop }\n"
     "func main(a, p) entry { b0: call MPI_Init(0, 0); if a < 0 then b1 else b2; b1: call fail(p); stop;"
     " b2: call MPI_Finalize(); return 0 }",
     "", false},
    {"a call of a function of its form",
     "global _ZTV1A 8 = @quit; global _ZTV1B 8 = @tidy\n"
     "func quit() family 1 { call MPI_Finalize(); call exit(0); stop }\n func tidy() family 2 { return }\n"
     "func leave() form 0 { call MPI_Finalize(); call exit(0); stop }\n func rest(x) form 1 { return }\n"
     "func fail(p) { call *p() form 0; call abort(); stop }\n"
     "func main(a, p) entry { b0: call MPI_Init(0, 0); if a < 0 then b1 else b2; b1: call fail(p); stop;"
     " b2: call frob(@leave); call MPI_Finalize(); return 0 }",
     "", false},
    {"exceptions that nobody catches",
     "func main(a) entry { b0: call frob(a); goto b1, eh b2; b1: return 0; b2: call _Unwind_Resume(a); goto exit }",
     "main:0>2", false},
    {"exceptions that somebody catches",
     "func main(a) entry { b0: call frob(a); goto b1, eh b2; b1: return 0; b2: call __cxa_begin_catch(a); return 1 }",
     "", false},
    {"exceptions that a handler passes on",
     "func main(a) entry { b0: call frob(a); goto b1, eh b2; b1: return 0;"
     " b2: call __cxa_begin_catch(a); call __cxa_rethrow(); stop }",
     "main:0>2", false},
    {"exceptions that a handler ends in an error",
     "func main(a) entry { b0: call frob(a); goto b1, eh b2; b1: return 0;"
     " b2: call __cxa_begin_catch(a); call exit(1); stop }",
     "main:0>2", false},
    {"exceptions that a handler passes on to one that goes on",
     "func main(a) entry { b0: call part(a); goto b1, eh b2; b1: return 0; b2: call __cxa_begin_catch(a); return 1 }\n"
     "func part(a) { b0: call frob(a); goto b1, eh b2; b1: return 0;"
     " b2: call __cxa_begin_catch(a); call __cxa_rethrow(); stop }",
     "", false},
    {"exceptions that end the run well on their way to a handler that passes them on",
     "func main(a) entry { b0: call frob(a); goto b1, eh b2; b1: return 0; b2: if a < 0 then b3 else b4;"
     " b3: call exit(0); stop; b4: call __cxa_begin_catch(a); call __cxa_rethrow(); stop }",
     "", false},
    {"exceptions that code without a body may catch",
     "func main(a) entry { b0: call unseen(@part); goto b1, eh b3; b1: return 0;"
     " b3: call __cxa_begin_catch(a); call __cxa_rethrow(); stop }\n"
     "func part(a) { b0: if a < 0 then b1 else b2; b1: call __cxa_throw(a, 0, 0); stop; b2: return 0 }",
     "main:0>2", false},
    {"longjmp with setjmp is a way of going on",
     "func main(a) entry { b0: call _setjmp(a); if a < 0 then b1 else b2; b1: call longjmp(a, 1); stop; b2: return 0 }",
     "", false},
    {"longjmp without setjmp is none",
     "func main(a) entry { b0: if a < 0 then b1 else b2; b1: call longjmp(a, 1); stop; b2: return 0 }", "main:0>1",
     false},
    {"Fortran's STOP with a code, and without",
     "global one 4 = 1\n"
     "func main(a) entry { b0: if a < 0 then b1 else b2; b1: call _gfortran_stop_numeric(1, 0); stop; b2: if a < 5 "
     "then b3 else b4;"
     " b3: call _gfortran_stop_string(0, 0, 0); stop; b4: call _gfortran_error_stop_string(0, 0, 0); stop }",
     "main:0>1 main:2>4", false},
    {"a runtime error of Fortran",
     "func main(a) entry { b0: if a < 0 then b1 else b2; b1: call _gfortran_runtime_error_at(0, 0); stop; b2: return 0 "
     "}",
     "main:0>1", false},
    {"an error code that main returns while MPI runs",
     "func f(a) { b0: if a < 0 then b1 else b2; b1: return 5; b2: return 0 }\n"
     "func main(a) entry { b0: call MPI_Init(0, 0); r = call f(a); if r != 0 then b1 else b2; b1: return r; b2: call "
     "MPI_Finalize(); return 0 }",
     "f:0>1 main:0>1", false},
    {"the same, behind MPI_Finalize",
     "func f(a) { b0: if a < 0 then b1 else b2; b1: return 5; b2: return 0 }\n"
     "func main(a) entry { b0: call MPI_Init(0, 0); r = call f(a); if r != 0 then b1 else b2; b1: call MPI_Finalize(); "
     "return r; b2: call MPI_Finalize(); return 0 }",
     "", false},
    {"MPI_Finalize on the way to the return",
     "func f(a) { b0: if a < 0 then b1 else b2; b1: return 5; b2: return 0 }\n"
     "func main(a) entry { b0: call MPI_Init(0, 0); r = call f(a); if r != 0 then b2 else b1; b1: call MPI_Barrier(0); "
     "goto b2; b2: p = phi b0: r, b1: 0; call MPI_Finalize(); return p }",
     "", false},
    {"a code that one of two callers does not look at",
     "func f(a) { b0: if a < 0 then b1 else b2; b1: return 5; b2: return 0 }\n"
     "func main(a) entry { b0: call MPI_Init(0, 0); r = call f(a); if r != 0 then b1 else b2; b1: return r; b2: call "
     "f(a); call MPI_Finalize(); return 0 }",
     "main:0>1", false},
    {"a code on the way of which the run may end well",
     "func f(a) { b0: if a < 0 then b1 else b2; b1: return 5; b2: return 0 }\n"
     "func end(r) { b0: if r == 5 then b1 else b2; b1: call MPI_Finalize(); call exit(0); stop; b2: return }\n"
     "func main(a) entry { b0: call MPI_Init(0, 0); r = call f(a); call end(r); if r != 0 then b1 else b2; b1: return "
     "r; b2: call MPI_Finalize(); return 0 }",
     "main:0>1", false},
};

static void edges_never(const struct cs_graph *g, char *out, size_t len)
{
    out[0] = 0;
    for (int f = 0; f < g->nfuncs; f++)
        for (int b = 0; b < g->funcs[f].nblocks; b++)
            for (int i = 0; i < g->funcs[f].blocks[b].nsuccs; i++)
                if (g->funcs[f].blocks[b].never[i])
                    snprintf(out + strlen(out), len - strlen(out), "%s%s:%d>%d", *out ? " " : "", cs_func_name(g, f), b,
                             g->funcs[f].blocks[b].succs[i]);
}

START_TEST(prune)
{
    char never[256];
    struct cs_graph *g = kit_graph(prunes[_i].text);
    struct cs_effects *fx = kit_effects(NULL);
    cs_error_exits_prune(g, fx, prunes[_i].keep_errors);
    edges_never(g, never, sizeof never);
    ck_assert_msg(!strcmp(never, prunes[_i].never), "%s: never %s, not %s", prunes[_i].what, never, prunes[_i].never);
    for (int f = 0; f < g->nfuncs; f++)
        for (int b = 0; b < g->funcs[f].nblocks; b++)
            for (int i = 0; i < g->funcs[f].blocks[b].nsuccs; i++) {
                const struct cs_block *bl = &g->funcs[f].blocks[b];
                if (bl->reachable && !bl->never[i] && bl->succs[i] >= 0)
                    ck_assert(g->funcs[f].blocks[bl->succs[i]].reachable);
            }
    cs_effects_free(fx);
    cs_graph_free(g);
}
END_TEST

/* ---- random graphs ---- */

#define MAX 14

static struct cs_graph *random_graph(struct kit_rng *r, int *n)
{
    struct cs_graph *g = cs_graph_new();
    int f = cs_graph_add_func(g, "f");
    *n = 1 + kit_random(r, MAX);
    cs_graph_set_blocks(g, f, *n);
    for (int b = 0; b < *n; b++) {
        int k = b == *n - 1 ? 1 : kit_random(r, 10) ? 1 + kit_random(r, 2) : kit_random(r, 4);
        for (int i = 0; i < k; i++) {
            int to = b == *n - 1 || kit_random(r, 12) == 0 ? CS_BLOCK_EXIT : (int)kit_random(r, *n);
            cs_graph_add_edge(g, f, b, to, false);
            if (kit_random(r, 8) == 0 && k > 1)
                g->funcs[f].blocks[b].never[i] = true;
        }
        int s = cs_graph_add_stmt(g, f, b, k > 1 ? CS_STMT_SWITCH : CS_STMT_ASSIGN);
        cs_stmt_add_use(&g->stmts[s], cs_opnd_const(0));
    }
    cs_cfg_reach(g, f);
    return g;
}

/* Can the walk from a get to the exit without block `not`? A block without successors is an end too. */
static bool ends_without(const struct cs_func *f, int a, int not, bool *seen)
{
    if (a == CS_BLOCK_EXIT)
        return true;
    if (a == not || seen[a])
        return false;
    seen[a] = true;
    if (cs_block_ways(&f->blocks[a]) == 0)
        return true;
    for (int i = 0; i < f->blocks[a].nsuccs; i++)
        if (!f->blocks[a].never[i] && ends_without(f, f->blocks[a].succs[i], not, seen))
            return true;
    return false;
}

static bool ends(const struct cs_func *f, int a)
{
    bool seen[MAX] = {false};
    return ends_without(f, a, -1, seen);
}

/* Is every way from a to the end a way through p? */
static bool post_dominates(const struct cs_func *f, int p, int a)
{
    bool seen[MAX] = {false};
    return p == a || !ends_without(f, a, p, seen);
}

static bool all_end(const struct cs_func *f)
{
    for (int b = 0; b < f->nblocks; b++)
        if (f->blocks[b].reachable && !ends(f, b))
            return false;
    return true;
}

static int naive_ipdom(const struct cs_func *f, int b)
{
    for (int p = 0; p < f->nblocks; p++) {
        if (p == b || !f->blocks[p].reachable || !post_dominates(f, p, b))
            continue;
        bool nearest = true;
        for (int q = 0; q < f->nblocks && nearest; q++)
            nearest =
                q == b || q == p || !f->blocks[q].reachable || !post_dominates(f, q, b) || post_dominates(f, q, p);
        if (nearest)
            return p;
    }
    return CS_BLOCK_EXIT;
}

static bool naive_depends(const struct cs_func *f, int b, int on)
{
    int ways = cs_block_ways(&f->blocks[on]);
    if (ways < 2 || (b != on && post_dominates(f, b, on)))
        return false;
    for (int i = 0; i < f->blocks[on].nsuccs; i++) {
        int s = f->blocks[on].succs[i];
        if (!f->blocks[on].never[i] && s >= 0 && post_dominates(f, b, s))
            return true;
    }
    return false;
}

static bool depends(const struct cs_cdep *cd, int b, int on)
{
    for (int i = 0; i < cd->on[b].n; i++)
        if (cd->on[b].a[i] == on)
            return true;
    return false;
}

static void check_definition(const struct cs_graph *g, const struct cs_cdep *cd)
{
    const struct cs_func *f = &g->funcs[0];
    char *text = kit_text(g);
    for (int b = 0; b < f->nblocks; b++) {
        if (!f->blocks[b].reachable) {
            ck_assert_int_eq(cd->ipdom[b], -1);
            continue;
        }
        int want = naive_ipdom(f, b);
        ck_assert_msg(cd->ipdom[b] == want, "%s\nipdom of b%d is %d, not %d", text, b, want, cd->ipdom[b]);
        for (int on = 0; on < f->nblocks; on++) {
            bool dep = f->blocks[on].reachable && naive_depends(f, b, on);
            ck_assert_msg(depends(cd, b, on) == dep, "%s\nb%d depends on b%d: %d", text, b, on, dep);
        }
    }
    free(text);
}

/* Where nothing of a loop is kept, the ways out lead to the end: each step comes nearer. */
static void check_ways_out(const struct cs_graph *g, const struct cs_cdep *cd)
{
    const struct cs_func *f = &g->funcs[0];
    for (int b = 0; b < f->nblocks; b++) {
        int at = b, steps = 0;
        if (!f->blocks[b].reachable || !ends(f, b))
            continue;
        while (at != CS_BLOCK_EXIT && cs_block_ways(&f->blocks[at])) {
            int way = cs_cdep_way_out(g, 0, at, cd);
            ck_assert(way >= 0 && way < f->blocks[at].nsuccs && !f->blocks[at].never[way]);
            at = f->blocks[at].succs[way];
            if (++steps > f->nblocks) {
                char *text = kit_text(g);
                ck_abort_msg("%s\nfrom b%d the ways out never end", text, b);
            }
        }
    }
}

/* Keep some branches with all that they depend on. A branch that is not kept must then not decide which of the kept
 * branches is met next. This is what makes a slice walk the same kept statements in the same order. */
static void check_kept(struct kit_rng *r, const struct cs_graph *g, const struct cs_cdep *cd)
{
    const struct cs_func *f = &g->funcs[0];
    bool kept[MAX] = {false};
    for (int b = 0; b < f->nblocks; b++)
        kept[b] = f->blocks[b].reachable && kit_random(r, 4) == 0;
    for (bool again = true; again;) {
        again = false;
        for (int b = 0; b < f->nblocks; b++)
            for (int i = 0; kept[b] && i < cd->on[b].n; i++)
                if (!kept[cd->on[b].a[i]])
                    kept[cd->on[b].a[i]] = again = true;
    }
    for (int b = 0; b < f->nblocks; b++) {
        if (!f->blocks[b].reachable || kept[b] || cs_block_ways(&f->blocks[b]) < 2)
            continue;
        int next = -3;
        for (int i = 0; i < f->blocks[b].nsuccs; i++) {
            int at = f->blocks[b].succs[i], steps = 0;
            if (f->blocks[b].never[i])
                continue;
            while (at != CS_BLOCK_EXIT && !kept[at] && cs_block_ways(&f->blocks[at]) && steps++ <= f->nblocks)
                at = f->blocks[at].succs[cs_cdep_way_out(g, 0, at, cd)];
            ck_assert_int_le(steps, f->nblocks);
            if (at >= 0 && !kept[at])
                at = CS_BLOCK_EXIT;
            if (next == -3)
                next = at;
            if (next != at) {
                char *text = kit_text(g);
                ck_abort_msg("%s\nb%d is not kept, but decides between b%d and b%d", text, b, next, at);
            }
        }
    }
}

START_TEST(random_graphs)
{
    struct kit_rng r = {1000 + _i};
    int whole = 0;
    for (int round = 0; round < 400; round++) {
        int n;
        struct cs_cdep cd;
        struct cs_graph *g = random_graph(&r, &n);
        cs_cdep_compute(g, 0, &cd);
        if (all_end(&g->funcs[0])) {
            whole++;
            check_definition(g, &cd);
            check_kept(&r, g, &cd);
        }
        for (int b = 0; b < n; b++)
            ck_assert(cd.ipdom[b] == CS_BLOCK_EXIT || (cd.ipdom[b] >= 0) == g->funcs[0].blocks[b].reachable);
        check_ways_out(g, &cd);
        cs_cdep_free(&cd);
        cs_graph_free(g);
    }
    ck_assert_int_gt(whole, 50);
}
END_TEST

/* A program that never ends still has post-dominators and control dependence, so nothing hangs on them. */
START_TEST(endless)
{
    struct cs_graph *g =
        kit_graph("func main(a) entry { b0: goto b1; b1: if a < 0 then b2 else b3; b2: goto b1; b3: goto b1 }");
    struct cs_cdep cd;
    cs_cfg_reach(g, 0);
    cs_cdep_compute(g, 0, &cd);
    ck_assert(depends(&cd, 2, 1) && depends(&cd, 3, 1));
    for (int b = 0; b < 4; b++)
        ck_assert_int_ne(cd.ipdom[b], -1);
    ck_assert_int_eq(cs_cdep_way_out(g, 0, 0, &cd), 0);
    ck_assert_int_eq(cd.ipdom[2], 1);
    cs_cdep_free(&cd);
    cs_graph_free(g);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("cfg");
    TCase *c = tcase_create("all");
    tcase_set_timeout(c, 60);
    tcase_add_loop_test(c, prune, 0, sizeof prunes / sizeof *prunes);
    tcase_add_loop_test(c, random_graphs, 0, 8);
    tcase_add_test(c, endless);
    suite_add_tcase(s, c);
    return suite_main(s);
}
