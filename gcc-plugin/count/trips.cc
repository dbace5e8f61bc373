/* SPDX-License-Identifier: GPL-3.0-or-later
 * Sums of trip counts over enclosing loops; trips.h. Of a loop that is run in iterations 0 .. N-1 of another one:
 *   rectangular: the count c is the same in each: N c
 *   triangular:  it is a + b k in iteration k, where d + e k >= 0 (e is 1 or -1, as in `for (j = i; j < n; j++)`): the
 *                sum from k0 to k1-1 of a + b k, where k0 or k1 is where the guard changes
 * Both are exact in arithmetic modulo 2^64 as long as the program's own arithmetic of these values does not overflow.
 */
#include "gcc-plugin/count/trips.h"

#include "gcc-plugin/count/count_expression.h"
#include "gcc-plugin/count/lines.h"
#include "gcc-plugin/count/run_when.h"

namespace {

/* What GCC knows of it. */
tree known_executions(class loop *l)
{
    tree found = number_of_latch_executions(l);
    if (!found || chrec_contains_undetermined(found) || tree_contains_chrecs(found, NULL) ||
        generic_expr_could_trap_p(found))
        return NULL_TREE;
    return fold_convert(cs_u64(), unshare_expr(found));
}

/* GCC gives up where the bound is read from memory in each iteration, or the variable is in memory. The condition under
 * which the loop goes on is a line d - e k that is at least 0 until it ends: d / e + 1 times. */
tree executions_by_test(class loop *l)
{
    edge exit = single_exit(l);
    if (!exit || !dominated_by_p(CDI_DOMINATORS, l->latch, exit->src) || exit->src->loop_father != l ||
        EDGE_COUNT(exit->src->succs) != 2)
        return NULL_TREE;
    edge on = EDGE_SUCC(exit->src, EDGE_SUCC(exit->src, 0) == exit ? 1 : 0);
    tree test = cs_condition_of(on);
    cs_around a = {l, exit->src};
    cs_line d;
    if (!test || !cs_line_of_guard(&a, test, &d) || TREE_CODE(d.step) != INTEGER_CST || tree_int_cst_sgn(d.step) >= 0)
        return NULL_TREE;
    tree times = fold_build2(TRUNC_DIV_EXPR, cs_s64(), d.base, fold_build1(NEGATE_EXPR, cs_s64(), d.step));
    times = fold_convert(cs_u64(), fold_build2(PLUS_EXPR, cs_s64(), times, cs_whole_number(1)));
    tree any = fold_build2(GE_EXPR, boolean_type_node, unshare_expr(d.base), cs_whole_number(0));
    return fold_build3(COND_EXPR, cs_u64(), any, times, build_zero_cst(cs_u64()));
}

/* Turns a count max(x, 0) into x with guard x > 0. */
void split_largest(cs_trips *t)
{
    tree n = t->count;
    while (CONVERT_EXPR_P(n) && INTEGRAL_TYPE_P(TREE_TYPE(TREE_OPERAND(n, 0))) &&
           TYPE_PRECISION(TREE_TYPE(TREE_OPERAND(n, 0))) <= TYPE_PRECISION(TREE_TYPE(n)))
        n = TREE_OPERAND(n, 0);
    if (TREE_CODE(n) != MAX_EXPR || !integer_zerop(TREE_OPERAND(n, 1)) || TYPE_UNSIGNED(TREE_TYPE(n)))
        return;
    tree x = TREE_OPERAND(n, 0);
    t->count = fold_convert(cs_u64(), x);
    t->guards.safe_push(build2(GT_EXPR, boolean_type_node, x, TREE_OPERAND(n, 1)));
}

/* Turns a count `c ? n : 0` into n with guard c. */
void split_guard(cs_trips *t)
{
    tree n = t->count;
    split_largest(t);
    if (TREE_CODE(n) != COND_EXPR || (!integer_zerop(TREE_OPERAND(n, 1)) && !integer_zerop(TREE_OPERAND(n, 2))))
        return;
    int zero = integer_zerop(TREE_OPERAND(n, 1)) ? 1 : 2;
    tree guard = TREE_OPERAND(n, 0);
    t->count = TREE_OPERAND(n, 3 - zero);
    t->guards.safe_push(zero == 1 ? invert_truthvalue(guard) : guard);
}

/* The expression of a name that is an operation of other names; else the name. */
tree opened(tree t)
{
    gimple *def = TREE_CODE(t) == SSA_NAME ? SSA_NAME_DEF_STMT(t) : NULL;
    if (!def || !is_gimple_assign(def) || gimple_assign_load_p(def))
        return t;
    tree_code code = gimple_assign_rhs_code(def);
    tree type = TREE_TYPE(t), x = gimple_assign_rhs1(def), y = gimple_assign_rhs2(def);
    if (code == SSA_NAME)
        return opened(x);
    if (CONVERT_EXPR_CODE_P(code))
        return build1(code, type, opened(x));
    if (code == COND_EXPR)
        return build3(code, type, opened(x), y, gimple_assign_rhs3(def));
    if (code == MAX_EXPR || TREE_CODE_CLASS(code) == tcc_comparison)
        return build2(code, type, x, y);
    return t;
}

/* The sum where all guards are invariant in the loop, but perhaps one. */
bool sum_up(const cs_around *a, cs_trips *t, tree times, tree *sum, vec<tree> *guards)
{
    cs_line count, varying;
    bool varies = false;
    for (unsigned i = 0; i < t->guards.length(); i++) {
        if (tree before = cs_value_before(a, t->guards[i], NULL))
            guards->safe_push(before);
        else if (varies || !cs_line_of_guard(a, t->guards[i], &varying))
            return false;
        else
            varies = true;
    }
    tree same = varies ? NULL_TREE : cs_value_before(a, t->count, NULL);
    if (same)
        *sum = fold_build2(MULT_EXPR, cs_u64(), same, times);
    return same || (cs_line_of(a, t->count, &count) && cs_line_sum(&count, varies ? &varying : NULL, times, sum));
}

/* A loop of one block, whose latch GCC has made, ends with its test. */
bool is_tested_last(const class loop *l)
{
    return l->header == l->latch || (single_pred_p(l->latch) && single_pred(l->latch) == l->header &&
                                     gsi_end_p(gsi_start_nondebug_after_labels_bb(l->latch)));
}

} // namespace

bool cs_latch_executions(class loop *l, tree *n)
{
    *n = known_executions(l);
    if (!*n)
        *n = executions_by_test(l);
    return *n != NULL_TREE;
}

edge cs_tested_first(const class loop *l)
{
    if (is_tested_last(l) || EDGE_COUNT(l->header->succs) != 2 || !cs_condition_of(EDGE_SUCC(l->header, 0)))
        return NULL;
    bool in[2] = {flow_bb_inside_loop_p(l, EDGE_SUCC(l->header, 0)->dest),
                  flow_bb_inside_loop_p(l, EDGE_SUCC(l->header, 1)->dest)};
    return in[0] == in[1] ? NULL : EDGE_SUCC(l->header, in[0] ? 0 : 1);
}

bool cs_trips_of(class loop *l, cs_trips *t)
{
    if (!cs_latch_executions(l, &t->count))
        return false;
    t->at = loop_preheader_edge(l);
    if (cs_tested_first(l))
        split_guard(t);
    else
        t->count = fold_build2(PLUS_EXPR, cs_u64(), t->count, build_one_cst(cs_u64()));
    return true;
}

bool cs_trips_sum(cs_trips *t)
{
    class loop *l = t->at->src->loop_father;
    edge exit = single_exit(l);
    tree times, sum;
    auto_vec<tree> guards;
    cs_trips inner;
    inner.count = t->count;
    inner.guards.safe_splice(t->guards);
    if (!exit || !cs_latch_executions(l, &times))
        return false;
    basic_block bb = cs_always_run(l, t->at->src, &inner.guards);
    if (!bb)
        return false;
    if (bb == exit->src || !dominated_by_p(CDI_DOMINATORS, bb, exit->src))
        times = fold_build2(PLUS_EXPR, cs_u64(), times, build_one_cst(cs_u64()));
    cs_around a = {l, exit->src};
    if (!sum_up(&a, &inner, times, &sum, &guards))
        return false;
    t->at = loop_preheader_edge(l);
    t->count = sum;
    t->guards.truncate(0);
    t->guards.safe_splice(guards);
    return true;
}

void cs_trips_split(cs_trips *t)
{
    unsigned guards;
    do {
        guards = t->guards.length();
        t->count = opened(t->count);
        split_guard(t);
    } while (t->guards.length() > guards);
}

void cs_trips_begin()
{
    split_edge(single_succ_edge(ENTRY_BLOCK_PTR_FOR_FN(cfun)));
}

tree cs_trips_at_entry(const cs_trips *t)
{
    auto_vec<tree> guards;
    gimple_seq seq = NULL;
    guards.safe_splice(t->guards);
    cs_around a = {get_loop(cfun, 0), cs_run_if_it_returns(t->at->src, &guards)};
    tree count = a.runs ? cs_value_before(&a, t->count, NULL) : NULL_TREE;
    for (unsigned i = 0; count && i < guards.length(); i++) {
        tree guard = cs_value_before(&a, guards[i], NULL);
        count = guard ? fold_build3(COND_EXPR, cs_u64(), guard, fold_convert(cs_u64(), count), build_zero_cst(cs_u64()))
                      : NULL_TREE;
    }
    if (!count)
        return NULL_TREE;
    tree value = cs_count_compute(&seq, fold_convert(cs_u64(), count));
    return cs_put_before(&a, seq) ? value : cs_put_nothing(seq);
}
