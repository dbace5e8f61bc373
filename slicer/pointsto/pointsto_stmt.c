/* SPDX-License-Identifier: GPL-3.0-or-later
 * From the statements of the program graph to the solver's nodes, edges and hooks.
 * A function's statements are looked at when the first call reaches it.
 * Values that are known constants (pointsto.h) are not looked into. */
#include "slicer/pointsto/pointsto_internal.h"

#include <assert.h>

/* A pointer and a distance that is no constant of the statement. Bytes that are added to an object are, in C++, where a
 * base class begins: read from a table of virtual functions, or from a pointer to a member. The few numbers that the
 * distance may be then tell the parts of the object apart. Once it may be any number, so may the place. That it may be
 * 0 is said in any case: memory that nobody writes says nothing. A distance in elements is an index, hardly ever one
 * of a few numbers. */
static void add_distance(struct cs_pts *p, const struct cs_stmt *st, int to)
{
    if (st->stride > 1 || st->nuses != 2 || st->uses[0].kind == CS_OPND_CONST) {
        cs_pts_flow(p, st->uses[0], to, EDGE_SPREAD, st->stride ? st->stride : 1);
        return;
    }
    CS_GROW(p->sums, p->nsums, p->asums);
    p->sums[p->nsums] = (struct sumcon){st->uses[0], to, 1};
    cs_pts_flow(p, st->uses[0], to, EDGE_SHIFT, 0);
    cs_pts_add_hook(p, cs_pts_operand_node(p, st->uses[1]), HOOK_DISTANCE, p->nsums++);
}

/* A number of bytes, 0 if the operand is none. */
static int64_t constant_of(struct cs_operand op)
{
    bool bytes = op.kind == CS_OPND_CONST && op.pat.off >= CS_OFF_MIN && op.pat.off <= CS_OFF_MAX;
    return bytes ? op.pat.off : 0;
}

/* The constant that a distance is made of beside what is not known, 0 if there is none: of `e - e->index` and from
 * there to the struct that e's array is a member of, compilers make one sum. */
static int64_t constant_part(const struct cs_graph *g, struct cs_operand distance)
{
    enum { MOST = 4 };
    int64_t sum = 0;
    for (int i = 0; i < MOST && distance.kind == CS_OPND_VALUE && g->values[distance.id].def >= 0; i++) {
        const struct cs_stmt *s = &g->stmts[g->values[distance.id].def];
        bool copies = s->kind == CS_STMT_ASSIGN && s->op == CS_OP_COPY && s->nuses == 1,
             adds = s->kind == CS_STMT_ASSIGN && (s->op == CS_OP_ADD || s->op == CS_OP_SUB) && s->nuses == 2;
        if (!copies && !adds)
            break;
        int64_t first = adds ? constant_of(s->uses[0]) : 0, second = adds ? constant_of(s->uses[1]) : 0;
        sum += first + (s->op == CS_OP_SUB ? -second : second);
        if (adds && !second)
            break; /* what is taken away from a constant, or a sum of two values */
        distance = s->uses[0];
    }
    return sum;
}

/* A pointer and a distance: by the part that is not known it stays in its array, by the constant it may leave it. */
static void add_sum(struct cs_pts *p, const struct cs_stmt *st, int to)
{
    int64_t by = st->nuses == 2 ? constant_part(p->g, st->uses[1]) : 0;
    if (by >= 0 && by < CS_OFF_STEP) {
        add_distance(p, st, to);
        return;
    }
    int sum = cs_pts_new_node(p);
    add_distance(p, st, sum);
    cs_pts_add_edge(p, sum, to, EDGE_COPY, 0);
    cs_pts_add_edge(p, sum, to, EDGE_SHIFT, by);
}

/* An address as a number and a constant: perhaps the way from an array that is a member of a struct to that, or to a
 * member behind the array. Other sums stay in the array. */
static void add_moved_number(struct cs_pts *p, const struct cs_stmt *st, int to)
{
    if (st->nuses != 2 || st->uses[1].kind != CS_OPND_CONST)
        return;
    int64_t by = st->op == CS_OP_SUB ? -st->uses[1].pat.off : st->uses[1].pat.off;
    if (by <= -CS_OFF_STEP || by >= CS_OFF_STEP)
        cs_pts_flow(p, st->uses[0], to, EDGE_SHIFT, by);
}

static void add_assign(struct cs_pts *p, int s)
{
    struct cs_stmt st = p->g->stmts[s];
    int to = cs_pts_value_node(p, st.def);
    switch (st.op) {
    case CS_OP_COPY:
        for (int i = 0; i < st.nuses; i++)
            cs_pts_flow(p, st.uses[i], to, EDGE_COPY, 0);
        break;
    case CS_OP_SELECT:
        for (int i = 1; i < st.nuses; i++)
            cs_pts_flow(p, st.uses[i], to, EDGE_COPY, 0);
        break;
    case CS_OP_FIELD:
        CS_GROW(p->pats, p->npats, p->apats);
        p->pats[p->npats] = st.load.pat;
        cs_pts_flow(p, st.uses[0], to, EDGE_FIELD, p->npats++);
        break;
    case CS_OP_PTRADD:
        if (st.nuses > 1 && st.uses[1].kind == CS_OPND_CONST)
            cs_pts_flow(p, st.uses[0], to, EDGE_SHIFT, st.uses[1].pat.off);
        else {
            add_sum(p, &st, to);
            if (st.nuses > 1 && st.uses[0].kind == CS_OPND_CONST)
                cs_pts_flow(p, st.uses[1], to, EDGE_SPREAD, 1);
        }
        break;
    case CS_OP_ADD:
    case CS_OP_SUB: add_moved_number(p, &st, to); /* fall through */
    case CS_OP_MUL:
    case CS_OP_MIX:
        for (int i = 0; i < st.nuses; i++)
            cs_pts_flow(p, st.uses[i], to, EDGE_SPREAD, 1);
        cs_pts_add_loc(p, to, LOC_INT);
        break;
    case CS_OP_AND:
    case CS_OP_OR:
    case CS_OP_EQ:
    case CS_OP_NE:
    case CS_OP_LT:
    case CS_OP_LE:
    case CS_OP_GT:
    case CS_OP_GE:
        cs_pts_add_loc(p, to, cs_pts_intern_loc(p, CS_LOC_CONST, cs_pat_at(0)));
        cs_pts_add_loc(p, to, cs_pts_intern_loc(p, CS_LOC_CONST, cs_pat_at(1)));
        break;
    default: cs_pts_add_loc(p, to, LOC_INT);
    }
}

/* What a statement that only moves a pointer may move: a copy, a choice, a sum, the address of a part. */
static void add_moved(const struct cs_stmt *s, struct cs_intlist *values)
{
    bool moves = s->kind == CS_STMT_PHI ||
                 (s->kind == CS_STMT_ASSIGN &&
                  (s->op == CS_OP_COPY || s->op == CS_OP_SELECT || s->op == CS_OP_PTRADD || s->op == CS_OP_FIELD));
    for (int i = 0; moves && i < s->nuses; i++)
        if (s->uses[i].kind == CS_OPND_VALUE)
            cs_intlist_add(values, s->uses[i].id);
}

/* May the merge hold its own value again, moved on? The offsets of such a pointer have no end. */
static bool loops(const struct cs_pts *p, const struct cs_stmt *phi)
{
    enum { MOST = 100 }; /* values that are looked at */
    struct cs_intlist seen = {0};
    bool back = false;
    add_moved(phi, &seen);
    for (int i = 0; i < seen.n && !back; i++) {
        int d = p->g->values[seen.a[i]].def;
        back = seen.a[i] == phi->def || i == MOST;
        bool again = d < 0;
        for (int k = 0; k < i && !again; k++)
            again = seen.a[k] == seen.a[i];
        if (!again)
            add_moved(&p->g->stmts[d], &seen);
    }
    cs_intlist_free(&seen);
    return back;
}

static void add_phi(struct cs_pts *p, int s)
{
    const struct cs_func *f = &p->g->funcs[p->g->stmts[s].func];
    int to = cs_pts_value_node(p, p->g->stmts[s].def), block = p->g->stmts[s].block;
    p->nodes[to].loops |= loops(p, &p->g->stmts[s]);
    for (int i = 0; i < p->g->stmts[s].nuses; i++) {
        const struct cs_block *b = &f->blocks[p->g->stmts[s].phi_preds[i]];
        bool live = false;
        for (int k = 0; k < b->nsuccs; k++)
            live |= b->succs[k] == block && !b->never[k];
        if (b->reachable && live)
            cs_pts_flow(p, p->g->stmts[s].uses[i], to, EDGE_COPY, 0);
    }
}

/* The value is a known constant: nothing else that would flow into it counts. */
static void add_known(struct cs_pts *p, int v)
{
    cs_pts_add_loc(p, cs_pts_value_node(p, v), cs_pts_intern_loc(p, CS_LOC_CONST, cs_pat_at(p->known_val[v])));
}

/* Some bits of a pointer are no number: a partial load is either a whole pointer or any integer. */
static void add_load(struct cs_pts *p, const struct cs_stmt *st)
{
    int to = st->op == CS_OP_OTHER || st->partial ? cs_pts_new_node(p) : cs_pts_value_node(p, st->def);
    if (st->op == CS_OP_OTHER)
        cs_pts_add_loc(p, cs_pts_value_node(p, st->def), LOC_INT);
    else
        cs_pts_add_memcon(p, HOOK_LOAD, &st->load, to, st->source >= 0);
    if (st->partial)
        cs_pts_add_edge(p, to, cs_pts_value_node(p, st->def), EDGE_NO_CONST, 0);
}

static void add_store(struct cs_pts *p, const struct cs_stmt *st)
{
    int n = cs_pts_new_node(p);
    cs_pts_flow(p, st->nuses ? st->uses[0] : cs_opnd_none(), n, st->partial ? EDGE_NO_CONST : EDGE_COPY, 0);
    cs_pts_add_memcon(p, HOOK_STORE, &st->store, n, st->source >= 0);
}

static void add_entry(struct cs_pts *p, const struct cs_stmt *st)
{
    int n = cs_pts_new_node(p);
    assert(st->nuses > 0);
    cs_pts_flow(p, st->uses[0], n, EDGE_COPY, 0);
    cs_pts_add_memcon(p, HOOK_STORE, &st->store, n, true);
}

/* Assembly does with its operands what unknown code may do. */
static void add_asm(struct cs_pts *p, const struct cs_stmt *st)
{
    for (int i = 0; i < st->nuses; i++)
        cs_pts_add_edge(p, cs_pts_operand_node(p, st->uses[i]), p->ext_node, EDGE_OUTSIDE, 0);
    if (st->has_store)
        cs_pts_add_memcon(p, HOOK_STORE, &st->store, p->ext_node, false);
    if (st->def >= 0)
        cs_pts_add_edge(p, p->ext_node, cs_pts_value_node(p, st->def), EDGE_COPY, 0);
}

/* A struct that is returned is copied into the object that stands for the function's result. */
static void add_return(struct cs_pts *p, const struct cs_stmt *st)
{
    int result = p->g->funcs[st->func].result_obj;
    if (!st->has_load || result < 0)
        return;
    struct cs_ref dst = {cs_opnd_addr(result, cs_pat_at(0)), cs_pat_at(0), st->load.size};
    cs_pts_add_copycon(p, &dst, &st->load);
}

void cs_pts_add_stmt(struct cs_pts *p, int s)
{
    assert(s >= 0 && s < p->g->nstmts);
    struct cs_stmt st = p->g->stmts[s]; /* a copy: the graph's array may move */
    bool known = st.def >= 0 && st.def < p->nknown && p->known[st.def];
    if (known)
        add_known(p, st.def);
    if (known && st.kind != CS_STMT_CALL)
        return;
    switch (st.kind) {
    case CS_STMT_ASSIGN:
        if (st.def >= 0)
            add_assign(p, s);
        break;
    case CS_STMT_PHI: add_phi(p, s); break;
    case CS_STMT_LOAD: add_load(p, &st); break;
    case CS_STMT_STORE: add_store(p, &st); break;
    case CS_STMT_ENTRY: add_entry(p, &st); break;
    case CS_STMT_COPY: cs_pts_add_copycon(p, &st.store, &st.load); break;
    case CS_STMT_CALL:
        cs_pts_add_dispatch(p, s);
        cs_pts_add_hook(p, cs_pts_operand_node(p, st.callee), HOOK_CALL, s);
        break;
    case CS_STMT_ASM: add_asm(p, &st); break;
    case CS_STMT_RETURN: add_return(p, &st); break;
    default: break;
    }
}

void cs_pts_add_function(struct cs_pts *p, int func)
{
    assert(func >= 0 && func < p->nreached);
    if (p->reached[func])
        return;
    p->reached[func] = true;
    cs_pts_no_instances(p, func);
    for (int b = 0; b < p->g->funcs[func].nblocks; b++) {
        if (!p->g->funcs[func].blocks[b].reachable)
            continue;
        for (int k = 0; k < p->g->funcs[func].blocks[b].nstmts; k++)
            cs_pts_add_stmt(p, p->g->funcs[func].blocks[b].stmts[k]);
    }
}
