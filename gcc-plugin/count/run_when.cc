/* SPDX-License-Identifier: GPL-3.0-or-later
 * When a block is run; run_when.h. */
#include "gcc-plugin/count/run_when.h"

namespace {

enum { WAYS = 4, TESTS = 8 }; /* of a condition, at most so many ways, each of at most so many tests */

/* The comparison of whole numbers that gives the truth value, if it is one; else NULL_TREE. */
tree comparison_of(tree truth)
{
    gimple *def = TREE_CODE(truth) == SSA_NAME ? SSA_NAME_DEF_STMT(truth) : NULL;
    if (!def || !is_gimple_assign(def) || TREE_CODE_CLASS(gimple_assign_rhs_code(def)) != tcc_comparison ||
        !INTEGRAL_TYPE_P(TREE_TYPE(gimple_assign_rhs1(def))))
        return NULL_TREE;
    return build2(gimple_assign_rhs_code(def), boolean_type_node, gimple_assign_rhs1(def), gimple_assign_rhs2(def));
}

bool is_condition(edge e)
{
    return (e->flags & (EDGE_TRUE_VALUE | EDGE_FALSE_VALUE)) != 0;
}

/* The child of loop l that block bb is in, directly or deeper. */
class loop *child_with(const class loop *l, basic_block bb)
{
    class loop *c = bb->loop_father;
    while (loop_outer(c) != l)
        c = loop_outer(c);
    return c;
}

/* Can the function return without running block bb, once it has come to block `from`? */
bool returns_without(basic_block from, basic_block bb)
{
    auto_sbitmap seen(last_basic_block_for_fn(cfun));
    auto_vec<basic_block> work;
    bitmap_clear(seen);
    for (work.safe_push(from); work.length();) {
        edge e;
        edge_iterator i;
        FOR_EACH_EDGE (e, i, work.pop()->succs) {
            if (e->dest == EXIT_BLOCK_PTR_FOR_FN(cfun))
                return true;
            if (e->dest != bb && bitmap_set_bit(seen, e->dest->index))
                work.safe_push(e->dest);
        }
    }
    return false;
}

} // namespace

basic_block cs_block_before(const class loop *l)
{
    return loop_outer(l) ? loop_preheader_edge(l)->src : single_succ(ENTRY_BLOCK_PTR_FOR_FN(cfun));
}

tree cs_condition_of(edge e)
{
    gcond *c = safe_dyn_cast<gcond *>(last_nondebug_stmt(e->src));
    if (!c || !INTEGRAL_TYPE_P(TREE_TYPE(gimple_cond_lhs(c))))
        return NULL_TREE;
    tree_code code = gimple_cond_code(c);
    if (!(e->flags & EDGE_TRUE_VALUE))
        code = invert_tree_comparison(code, false);
    tree inner = integer_zerop(gimple_cond_rhs(c)) ? comparison_of(gimple_cond_lhs(c)) : NULL_TREE;
    if (inner && code == NE_EXPR)
        return inner;
    if (inner && code == EQ_EXPR)
        return build2(invert_tree_comparison(TREE_CODE(inner), false), boolean_type_node, TREE_OPERAND(inner, 0),
                      TREE_OPERAND(inner, 1));
    return build2(code, boolean_type_node, gimple_cond_lhs(c), gimple_cond_rhs(c));
}

tree cs_way_to(basic_block d, edge e)
{
    tree all = NULL_TREE;
    for (int n = 0; n < TESTS; n++) {
        if (e->flags & EDGE_COMPLEX || e->src->loop_father != d->loop_father)
            return NULL_TREE;
        if (EDGE_COUNT(e->src->succs) > 1) {
            tree c = is_condition(e) ? cs_condition_of(e) : NULL_TREE;
            if (!c)
                return NULL_TREE;
            all = all ? build2(TRUTH_AND_EXPR, boolean_type_node, c, all) : c;
        }
        if (e->src == d)
            return all ? all : boolean_true_node;
        if (!single_pred_p(e->src))
            return NULL_TREE;
        e = single_pred_edge(e->src);
    }
    return NULL_TREE;
}

namespace {

/* The condition under which block bb is run if its immediate dominator d is. NULL_TREE: it is not known. */
tree any_way_to(basic_block d, basic_block bb)
{
    tree any = NULL_TREE;
    edge e;
    edge_iterator i;
    if (EDGE_COUNT(bb->preds) > WAYS || bb->loop_father->header == bb)
        return NULL_TREE;
    FOR_EACH_EDGE (e, i, bb->preds) {
        tree way = cs_way_to(d, e);
        if (!way)
            return NULL_TREE;
        any = any ? build2(TRUTH_OR_EXPR, boolean_type_node, any, way) : way;
    }
    return any;
}

/* The next block of loop `l` itself that is run whenever bb is, before it: an inner loop is passed as a whole. */
basic_block dominator_in(const class loop *l, basic_block bb)
{
    basic_block d = get_immediate_dominator(CDI_DOMINATORS, bb);
    return d->loop_father == l ? d : loop_preheader_edge(child_with(l, d))->src;
}

/* Adds the condition under which d is followed by bb; false: it cannot be told. */
bool guard_between(basic_block d, basic_block bb, vec<tree> *guards)
{
    tree guard = d->loop_father == bb->loop_father ? any_way_to(d, bb) : NULL_TREE;
    if (guard)
        guards->safe_push(guard);
    return guard != NULL_TREE;
}

} // namespace

basic_block cs_always_run(const class loop *l, basic_block bb, vec<tree> *guards)
{
    while (!dominated_by_p(CDI_DOMINATORS, l->latch, bb)) {
        basic_block d = dominator_in(l, bb);
        if (!dominated_by_p(CDI_POST_DOMINATORS, d, bb) && !guard_between(d, bb, guards))
            return NULL;
        bb = d;
    }
    return bb;
}

basic_block cs_run_if_it_returns(basic_block bb, vec<tree> *guards)
{
    class loop *whole = get_loop(cfun, 0);
    basic_block first = cs_block_before(whole);
    while (bb != first && returns_without(first, bb)) {
        basic_block d = dominator_in(whole, bb);
        if (returns_without(d, bb) && !guard_between(d, bb, guards))
            return NULL;
        bb = d;
    }
    return bb;
}
