/* SPDX-License-Identifier: GPL-3.0-or-later
 * What is linear in the number of the iteration; lines.h. */
#include "gcc-plugin/count/lines.h"

#include "gcc-plugin/count/changes.h"
#include "gcc-plugin/count/count_expression.h"

namespace {

bool line_of_counter(const cs_around *a, tree name, cs_line *out)
{
    affine_iv iv;
    if (!simple_iv(a->l, a->l, name, &iv, false) || POINTER_TYPE_P(TREE_TYPE(name)) ||
        !(iv.no_overflow || TYPE_OVERFLOW_UNDEFINED(TREE_TYPE(name))))
        return false;
    tree base = cs_value_before(a, iv.base, NULL), step = cs_value_before(a, iv.step, NULL);
    if (!base || !step)
        return false;
    *out = {fold_convert(cs_s64(), base), fold_convert(cs_s64(), step)};
    return true;
}

/* ---- variables in memory that count: at -O0, or where their address is taken ---- */

/* Is it a variable as a whole? */
bool is_variable(tree place)
{
    return DECL_P(place) && !TREE_THIS_VOLATILE(place) && INTEGRAL_TYPE_P(TREE_TYPE(place));
}

/* The one statement of the loop that may change the variable; NULL if there are more, or none. */
gimple *only_change(const class loop *l, tree variable)
{
    gimple *found = NULL;
    bool more = false;
    basic_block *body = get_loop_body(l);
    for (unsigned i = 0; i < l->num_nodes && !more; i++)
        for (gimple_stmt_iterator k = gsi_start_bb(body[i]); !gsi_end_p(k); gsi_next(&k)) {
            if (!gimple_vdef(gsi_stmt(k)) || !cs_may_change(gsi_stmt(k), variable))
                continue;
            more |= found != NULL;
            found = gsi_stmt(k);
        }
    free(body);
    return more ? NULL : found;
}

/* What `variable = variable + step` adds, a constant; NULL_TREE: it is another statement. */
tree step_of(gimple *store, tree variable)
{
    if (!gimple_assign_single_p(store) || gimple_assign_lhs(store) != variable ||
        TREE_CODE(gimple_assign_rhs1(store)) != SSA_NAME)
        return NULL_TREE;
    gimple *sum = SSA_NAME_DEF_STMT(gimple_assign_rhs1(store));
    if (!is_gimple_assign(sum) || gimple_assign_rhs_code(sum) != PLUS_EXPR ||
        TREE_CODE(gimple_assign_rhs1(sum)) != SSA_NAME || TREE_CODE(gimple_assign_rhs2(sum)) != INTEGER_CST ||
        !TYPE_OVERFLOW_UNDEFINED(TREE_TYPE(gimple_assign_rhs2(sum))))
        return NULL_TREE;
    gimple *load = SSA_NAME_DEF_STMT(gimple_assign_rhs1(sum));
    bool same = gimple_assign_load_p(load) && gimple_assign_rhs1(load) == variable;
    return same ? gimple_assign_rhs2(sum) : NULL_TREE;
}

/* Does statement `first` come before `then` in each iteration? Both are run in each. */
bool comes_before(gimple *first, gimple *then)
{
    if (gimple_bb(first) != gimple_bb(then))
        return dominated_by_p(CDI_DOMINATORS, gimple_bb(then), gimple_bb(first));
    for (gimple_stmt_iterator i = gsi_for_stmt(first); !gsi_end_p(i); gsi_next(&i))
        if (gsi_stmt(i) == then)
            return true;
    return false;
}

/* In each iteration the variable is stored once, and nothing else changes it, nor anything on the way round: the load
 * reads what it was before the loop, and a step more in each iteration. */
bool line_of_variable(const cs_around *a, gimple *load, cs_line *out)
{
    tree v = gimple_assign_rhs1(load);
    gimple *store = is_variable(v) ? only_change(a->l, v) : NULL;
    tree step = store ? step_of(store, v) : NULL_TREE;
    if (!step || gimple_bb(store)->loop_father != a->l || gimple_bb(load)->loop_father != a->l ||
        !dominated_by_p(CDI_DOMINATORS, a->l->latch, gimple_bb(store)) ||
        !(gimple_bb(load) == a->l->header || dominated_by_p(CDI_DOMINATORS, a->l->latch, gimple_bb(load))))
        return false;
    tree base = cs_read_before(a, v);
    if (!base)
        return false;
    base = fold_convert(cs_s64(), base);
    step = fold_convert(cs_s64(), step);
    if (comes_before(store, load))
        base = fold_build2(PLUS_EXPR, cs_s64(), base, step);
    *out = {base, step};
    return true;
}

/* An operation that makes a value of this type. A conversion to a smaller type may lose bits; a product of unsigned
 * numbers may be meant to wrap around, which the sum does too if they have 64 bits. */
bool line_of_operation(const cs_around *a, tree_code code, tree type, tree x, tree y, cs_line *out)
{
    cs_line l, r;
    if (CONVERT_EXPR_CODE_P(code) || code == SSA_NAME)
        return INTEGRAL_TYPE_P(TREE_TYPE(x)) && TYPE_PRECISION(TREE_TYPE(x)) <= TYPE_PRECISION(type) &&
               cs_line_of(a, x, out);
    bool sum = code == PLUS_EXPR || code == MINUS_EXPR,
         product = code == MULT_EXPR && (!TYPE_UNSIGNED(type) || TYPE_PRECISION(type) == 64);
    if ((!sum && !product) || !cs_line_of(a, x, &l) || !cs_line_of(a, y, &r))
        return false;
    if (sum)
        *out = {fold_build2(code, cs_s64(), l.base, r.base), fold_build2(code, cs_s64(), l.step, r.step)};
    else if (integer_zerop(r.step))
        *out = {fold_build2(code, cs_s64(), l.base, r.base), fold_build2(code, cs_s64(), l.step, r.base)};
    else if (integer_zerop(l.step))
        *out = {fold_build2(code, cs_s64(), l.base, r.base), fold_build2(code, cs_s64(), r.step, l.base)};
    else
        return false;
    return true;
}

/* The line of what t is made of. */
bool line_of_parts(const cs_around *a, tree t, cs_line *out)
{
    tree type = TREE_TYPE(t);
    if (TREE_CODE(t) == SSA_NAME) {
        gimple *def = SSA_NAME_DEF_STMT(t);
        return is_gimple_assign(def) && !gimple_assign_load_p(def) && !SSA_NAME_OCCURS_IN_ABNORMAL_PHI(t) &&
               line_of_operation(a, gimple_assign_rhs_code(def), type, gimple_assign_rhs1(def), gimple_assign_rhs2(def),
                                 out);
    }
    int n = EXPR_P(t) && !REFERENCE_CLASS_P(t) ? TREE_OPERAND_LENGTH(t) : 0;
    return (n == 1 || n == 2) &&
           line_of_operation(a, TREE_CODE(t), type, TREE_OPERAND(t, 0), n == 2 ? TREE_OPERAND(t, 1) : NULL_TREE, out);
}

/* An operand of a guard, which must not have wrapped around: the line would be on the other side. */
bool line_of_compared(const cs_around *a, tree t, cs_line *out)
{
    if (!TYPE_UNSIGNED(TREE_TYPE(t)) || TREE_CODE(t) == INTEGER_CST)
        return cs_line_of(a, t, out);
    if (tree before = cs_value_before(a, t, NULL)) {
        *out = {fold_convert(cs_s64(), before), cs_whole_number(0)};
        return true;
    }
    return TREE_CODE(t) == SSA_NAME && line_of_counter(a, t, out);
}

/* n (n - 1) / 2, where n is not negative, without an overflow before the division. */
tree triangle(tree n)
{
    tree half = fold_build2(RSHIFT_EXPR, cs_u64(), unshare_expr(n), build_int_cst(integer_type_node, 1));
    tree odd = fold_build2(BIT_IOR_EXPR, cs_u64(), fold_build2(MINUS_EXPR, cs_u64(), n, build_one_cst(cs_u64())),
                           build_one_cst(cs_u64()));
    return fold_build2(MULT_EXPR, cs_u64(), half, odd);
}

/* n, but at least 0 and at most `most`. */
tree between(tree n, tree most)
{
    return fold_build2(MIN_EXPR, cs_s64(), fold_build2(MAX_EXPR, cs_s64(), n, cs_whole_number(0)), unshare_expr(most));
}

} // namespace

/* GCC computes trip counts of signed numbers in unsigned ones, where `(unsigned)n + 4294967295` is n - 1: these are
 * taken apart first, as the whole number that is meant may be negative on the way. */
bool cs_line_of(const cs_around *a, tree t, cs_line *out)
{
    if (!INTEGRAL_TYPE_P(TREE_TYPE(t)))
        return false;
    if (TREE_CODE(t) == INTEGER_CST) {
        *out = {wide_int_to_tree(cs_s64(), wide_int::from(wi::to_wide(t), 64, SIGNED)), cs_whole_number(0)};
        return true;
    }
    if (TYPE_UNSIGNED(TREE_TYPE(t)) && line_of_parts(a, t, out))
        return true;
    if (tree before = cs_value_before(a, t, NULL)) {
        *out = {fold_convert(cs_s64(), before), cs_whole_number(0)};
        return true;
    }
    if (TREE_CODE(t) == SSA_NAME && gimple_assign_load_p(SSA_NAME_DEF_STMT(t)))
        return line_of_variable(a, SSA_NAME_DEF_STMT(t), out);
    return (TREE_CODE(t) == SSA_NAME && line_of_counter(a, t, out)) || line_of_parts(a, t, out);
}

bool cs_line_of_guard(const cs_around *a, tree guard, cs_line *out)
{
    cs_line x, y;
    tree_code code = TREE_CODE(guard);
    if (code != LE_EXPR && code != LT_EXPR && code != GE_EXPR && code != GT_EXPR)
        return false;
    if (!line_of_compared(a, TREE_OPERAND(guard, 0), &x) || !line_of_compared(a, TREE_OPERAND(guard, 1), &y))
        return false;
    bool less = code == LE_EXPR || code == LT_EXPR, strict = code == LT_EXPR || code == GT_EXPR;
    const cs_line *most = less ? &y : &x, *least = less ? &x : &y;
    *out = {fold_build2(MINUS_EXPR, cs_s64(), most->base, least->base),
            fold_build2(MINUS_EXPR, cs_s64(), most->step, least->step)};
    if (strict)
        out->base = fold_build2(MINUS_EXPR, cs_s64(), out->base, cs_whole_number(1));
    return true;
}

bool cs_line_sum(const cs_line *c, const cs_line *guard, tree times, tree *sum)
{
    tree n = fold_convert(cs_s64(), times), first = cs_whole_number(0), last = n;
    if (guard && integer_onep(guard->step))
        first = between(fold_build1(NEGATE_EXPR, cs_s64(), guard->base), n);
    else if (guard && integer_minus_onep(guard->step))
        last = between(fold_build2(PLUS_EXPR, cs_s64(), guard->base, cs_whole_number(1)), n);
    else if (guard)
        return false;
    first = fold_convert(cs_u64(), first);
    last = fold_convert(cs_u64(), last);
    tree of_base = fold_build2(MULT_EXPR, cs_u64(), fold_convert(cs_u64(), c->base),
                               fold_build2(MINUS_EXPR, cs_u64(), unshare_expr(last), unshare_expr(first)));
    tree of_step = fold_build2(MULT_EXPR, cs_u64(), fold_convert(cs_u64(), c->step),
                               fold_build2(MINUS_EXPR, cs_u64(), triangle(last), triangle(first)));
    *sum = fold_build2(PLUS_EXPR, cs_u64(), of_base, of_step);
    return true;
}
