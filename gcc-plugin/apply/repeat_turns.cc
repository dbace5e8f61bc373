/* SPDX-License-Identifier: GPL-3.0-or-later
 * Two calls for each loop whose turns are alike; repeat_turns.h. With p the recorder's function:
 *
 *     mark = p(0, 0, 0, 0, CS_TURNS_BEGIN);                    in front of the loop
 *     i = 0; while (i < n) {
 *         ...
 *         i = i + 1;
 *         m = p(mark, i, 1, n, how); i = i + m; mark = 0;      on the edge back
 *     }
 */
#include "gcc-plugin/apply/repeat_turns.h"

#include "api/repeated_turns.h"
#include "gcc-plugin/apply/compare_turns.h"
#include "gcc-plugin/apply/turn_calls.h"

namespace {

using namespace cs_turns;

const char *const not_counted = "its end is not decided by a counter that goes on by the same in each turn";

/* The blocks from which the edge back is reached without going through the header. */
void find_blocks(Loop *l)
{
    auto_vec<basic_block> work;
    l->in.safe_grow_cleared(last_basic_block_for_fn(cfun));
    l->in[l->header->index] = true;
    work.safe_push(l->back->src);
    while (!work.is_empty()) {
        basic_block bb = work.pop();
        edge e;
        edge_iterator ei;
        if (l->in[bb->index])
            continue;
        l->in[bb->index] = true;
        FOR_EACH_EDGE (e, ei, bb->preds)
            work.safe_push(e->src);
    }
}

/* Where the test asks whether a truth value is 0, what computes that. */
void find_compared(Loop *l)
{
    tree left = gimple_cond_lhs(l->test);
    enum tree_code code = gimple_cond_code(l->test);
    l->compared = l->test;
    if (TREE_CODE(left) != SSA_NAME || !integer_zerop(gimple_cond_rhs(l->test)) ||
        (code != NE_EXPR && code != EQ_EXPR) || TREE_CODE(TREE_TYPE(left)) != BOOLEAN_TYPE)
        return;
    gimple *def = SSA_NAME_DEF_STMT(left);
    if (is_gimple_assign(def) && TREE_CODE_CLASS(gimple_assign_rhs_code(def)) == tcc_comparison && gimple_bb(def) &&
        is_in(l, gimple_bb(def)) && has_single_use(left))
        l->compared = def;
}

/* The two edges to the header, and the blocks. */
const char *find_shape(Loop *l, const cs_lowered *f)
{
    const cs_alike_loop *k = l->known;
    l->header = f->order[k->header];
    if (EDGE_COUNT(l->header->preds) != 2)
        return "it is entered in more than one place";
    l->back = find_edge(f->order[k->latch], l->header);
    gcc_assert(l->back);
    l->entry = EDGE_PRED(l->header, EDGE_PRED(l->header, 0) == l->back ? 1 : 0);
    if ((l->entry->flags | l->back->flags) & EDGE_COMPLEX)
        return "it is entered by a jump";
    find_blocks(l);
    return NULL;
}

/* The branch that ends the loop. */
const char *find_branch(Loop *l, const cs_lowered *f)
{
    const cs_alike_loop *k = l->known;
    gimple *last = last_nondebug_stmt(f->order[k->test]);
    l->test = last ? dyn_cast<gcond *>(last) : NULL;
    if (!l->test)
        return not_counted;
    find_compared(l);
    edge yes, no;
    extract_true_false_edges_from_block(f->order[k->test], &yes, &no);
    bool stays = is_in(l, yes->dest);
    if (stays == is_in(l, no->dest))
        return not_counted;
    bool negated = l->compared != l->test && gimple_cond_code(l->test) == EQ_EXPR;
    l->stays_if_true = stays != negated;
    return NULL;
}

/* Is the name used in the loop for nothing but `a`, `b` and the test? */
bool only_used_by(const Loop *l, tree name, gimple *a, gimple *b)
{
    imm_use_iterator it;
    use_operand_p use;
    FOR_EACH_IMM_USE_FAST(use, it, name)
    {
        gimple *g = USE_STMT(use);
        if (is_gimple_debug(g) || g == a || g == b || g == l->compared || is_dead(g) || is_ours(g))
            continue;
        basic_block bb = gimple_bb(g);
        if (bb && gimple_code(g) == GIMPLE_PHI) /* it is used where the edge comes from */
            bb = gimple_phi_arg_edge(as_a<gphi *>(g), PHI_ARG_INDEX_FROM_USE(use))->src;
        if (!bb || is_in(l, bb)) {
            /* A PHI behind the loop takes it on the edge that leaves. */
            if (gimple_code(g) == GIMPLE_PHI && !is_in(l, gimple_bb(g)))
                continue;
            return false;
        }
    }
    return true;
}

/* The value of a PHI in the header goes on by a constant, or stays what it is (then it is no counter). */
const char *look_at_phi(Loop *l, gphi *phi)
{
    Counter c;
    if (stays(l, phi))
        return NULL;
    if (!goes_on(l, phi, &c))
        return "a value goes on from turn to turn";
    if (!only_used_by(l, c.now, SSA_NAME_DEF_STMT(c.next), NULL) || !only_used_by(l, c.next, phi, NULL))
        return "its counter is used in the loop";
    l->counters.safe_push(c);
    return NULL;
}

const char *find_counters(Loop *l)
{
    for (gphi_iterator i = gsi_start_phis(l->header); !gsi_end_p(i); gsi_next(&i)) {
        if (virtual_operand_p(gimple_phi_result(i.phi())))
            continue;
        if (const char *why = look_at_phi(l, i.phi()))
            return why;
    }
    return NULL;
}

/* Is this place a variable that was taken for a value? */
bool is_register(const cs_alike_loops *loops, bool is, const cs_ref *r)
{
    return is && r->base.kind == CS_OPND_ADDR && loops->registers[r->base.id];
}

/* Has the compiler left such a variable in memory? */
bool left_in_memory(const cs_graph *g, const cs_alike_loops *loops, const Loop *l)
{
    basic_block bb;
    FOR_EACH_BB_FN (bb, cfun)
        for (gimple_stmt_iterator i = gsi_start_bb(bb); is_in(l, bb) && !gsi_end_p(i); gsi_next(&i)) {
            unsigned uid = gimple_uid(gsi_stmt(i));
            const cs_stmt *s = uid ? &g->stmts[uid - 1] : NULL;
            if (s && gimple_vuse(gsi_stmt(i)) &&
                (is_register(loops, s->has_load, &s->load) || is_register(loops, s->has_store, &s->store)))
                return true;
        }
    return false;
}

/* ---- the test ---- */

/* What the test compares: a counter, before (now) or after it went on, with a bound. */
struct Test {
    const Counter *counter;
    bool after;
    tree bound;
    enum tree_code code; /* under which the loop goes on, the counter on the left */
};

const Counter *counter_of(const Loop *l, tree value, bool *after)
{
    for (unsigned i = 0; i < l->counters.length(); i++)
        if (value == l->counters[i].now || value == l->counters[i].next) {
            *after = value == l->counters[i].next;
            return &l->counters[i];
        }
    return NULL;
}

/* 0: no comparison that says how many turns there are. */
int compare_bits(enum tree_code code)
{
    switch (code) {
    case LT_EXPR: return CS_TURNS_LT;
    case LE_EXPR: return CS_TURNS_LE;
    case GT_EXPR: return CS_TURNS_GT;
    case GE_EXPR: return CS_TURNS_GE;
    case NE_EXPR: return CS_TURNS_NE;
    default: return 0;
    }
}

const char *find_test(const Loop *l, Test *t)
{
    bool plain = l->compared == l->test;
    tree left = plain ? gimple_cond_lhs(l->test) : gimple_assign_rhs1(l->compared),
         right = plain ? gimple_cond_rhs(l->test) : gimple_assign_rhs2(l->compared);
    t->code = plain ? gimple_cond_code(l->test) : gimple_assign_rhs_code(l->compared);
    t->counter = counter_of(l, left, &t->after);
    t->bound = right;
    if (!t->counter) {
        t->counter = counter_of(l, right, &t->after);
        t->bound = left;
        t->code = swap_tree_comparison(t->code);
    }
    bool other;
    if (!t->counter || counter_of(l, t->bound, &other) || !INTEGRAL_TYPE_P(TREE_TYPE(t->bound)))
        return not_counted;
    if (!l->stays_if_true)
        t->code = invert_tree_comparison(t->code, false);
    return compare_bits(t->code) ? NULL : not_counted;
}

/* ---- the calls ---- */

/* The first value that the test will have from now on, where the edge back is taken. */
tree first_value(Sequence *s, const Test *t)
{
    tree v = s->convert(long_unsigned_type_node, s->convert(long_integer_type_node, t->counter->next));
    if (t->after)
        v = s->compute(PLUS_EXPR, long_unsigned_type_node, v,
                       wide_int_to_tree(long_unsigned_type_node, t->counter->step));
    return s->convert(long_integer_type_node, v);
}

void insert_calls(Loop *l, const Test *t, tree variable)
{
    tree none = number(0), begin[] = {none, none, none, none, number(CS_TURNS_BEGIN)};
    Sequence front, behind;
    tree given = front.call(variable, begin);
    tree mark = make_ssa_name(long_integer_type_node);
    tree type = TREE_TYPE(t->counter->now);
    long how = cs_turns_how((enum cs_turns_while)compare_bits(t->code), TYPE_PRECISION(type), TYPE_UNSIGNED(type),
                            l->known->requests);
    tree args[] = {mark, first_value(&behind, t), number(t->counter->step.to_shwi()),
                   behind.convert(long_integer_type_node, t->bound), number(how)};
    tree more = behind.call(variable, args);
    auto_vec<tree> values;
    for (unsigned i = 0; i < l->counters.length(); i++)
        values.safe_push(gone_on(&behind, &l->counters[i], more));
    edge entry = single_succ_edge(block_on(l->entry, &front)), back = single_succ_edge(block_on(l->back, &behind));
    for (unsigned i = 0; i < l->counters.length(); i++)
        SET_USE(PHI_ARG_DEF_PTR_FROM_EDGE(l->counters[i].phi, back), values[i]);
    gphi *phi = create_phi_node(mark, l->header);
    gimple_set_uid(phi, 0);
    add_phi_arg(phi, given, entry, UNKNOWN_LOCATION);
    add_phi_arg(phi, none, back, UNKNOWN_LOCATION);
}

/* One turn for all: NULL, or why not. */
const char *repeat(Loop *l, const cs_lowered *f, tree variable)
{
    Test t;
    if (l->known->once)
        return l->known->once;
    const char *why = find_branch(l, f);
    if (!why)
        why = find_counters(l);
    if (!why)
        why = find_test(l, &t);
    if (!why)
        insert_calls(l, &t, variable);
    return why;
}

/* Sets why the loop's turns are not alike after all, or why they have to be compared. */
void look_at(const cs_program *p, const cs_alike_loops *loops, cs_alike_loop *k, const cs_lowered *f, tree variable)
{
    Loop l = {};
    l.known = k;
    k->why = find_shape(&l, f);
    if (!k->why && left_in_memory(p->graph, loops, &l))
        k->why = "a variable goes on from turn to turn";
    if (k->why)
        return;
    k->once = repeat(&l, f, variable);
    k->compared = k->once != NULL;
    if (k->compared)
        k->why = cs_compare_turns(p, &l, variable);
}

} // namespace

tree cs_repeat_type()
{
    tree n = long_integer_type_node, function = build_function_type_list(n, n, n, n, n, n, NULL_TREE);
    return build_qualified_type(build_pointer_type(function), TYPE_QUAL_VOLATILE);
}

bool cs_repeats(const struct cs_alike_loops *loops, const cs_lowered *f)
{
    for (int i = 0; i < loops->n; i++)
        if (loops->loop[i].func == f->func && !loops->loop[i].why)
            return true;
    return false;
}

void cs_repeat_turns(const struct cs_program *p, struct cs_alike_loops *loops, const cs_lowered *f, tree variable)
{
    begin_function();
    for (int i = 0; i < loops->n; i++)
        if (loops->loop[i].func == f->func && !loops->loop[i].why)
            look_at(p, loops, &loops->loop[i], f, variable);
}
