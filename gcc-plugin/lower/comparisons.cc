/* SPDX-License-Identifier: GPL-3.0-or-later
 * Splits conditions; comparisons.h.
 *   _3 = (a > 0) & (h > 5); if (_3 != 0) goto T; else goto F;
 *   ->  if (a > 0) goto new; else goto F;  new: if (h > 5) goto T; else goto F; */
#include "gcc-plugin/lower/comparisons.h"

namespace {

bool is_truth(tree t)
{
    return TREE_CODE(TREE_TYPE(t)) == BOOLEAN_TYPE ||
           (INTEGRAL_TYPE_P(TREE_TYPE(t)) && TYPE_PRECISION(TREE_TYPE(t)) == 1);
}

/* The assignment that computes a name which the compiler has made for this one use, or NULL. */
gassign *made_for(tree t)
{
    gimple *d = TREE_CODE(t) == SSA_NAME && has_single_use(t) ? SSA_NAME_DEF_STMT(t) : NULL;
    tree var = d ? SSA_NAME_VAR(t) : NULL_TREE;
    return d && is_gimple_assign(d) && (!var || DECL_ARTIFICIAL(var)) ? as_a<gassign *>(d) : NULL;
}

/* The joining of two truth values that computes t, in this block; else NULL. */
gassign *joining(tree t, basic_block bb)
{
    gassign *d = made_for(t);
    if (!d || !is_truth(t) || gimple_bb(d) != bb)
        return NULL;
    tree_code code = gimple_assign_rhs_code(d);
    bool joins = code == BIT_AND_EXPR || code == BIT_IOR_EXPR;
    return joins && TREE_CODE(gimple_assign_rhs1(d)) == SSA_NAME && TREE_CODE(gimple_assign_rhs2(d)) == SSA_NAME ? d
                                                                                                                 : NULL;
}

/* Is the name computed first? Front ends compute in the order of the source. */
bool comes_first(tree x, tree y)
{
    gimple *a = SSA_NAME_DEF_STMT(x), *b = SSA_NAME_DEF_STMT(y);
    if (gimple_bb(a) != gimple_bb(b) || gimple_code(a) == GIMPLE_PHI || gimple_code(b) == GIMPLE_PHI)
        return true;
    for (gimple_stmt_iterator i = gsi_for_stmt(a); !gsi_end_p(i); gsi_next(&i))
        if (gsi_stmt(i) == b)
            return true;
    return false;
}

/* The branch asks the truth value, by the comparison that computes it if there is one. */
void ask(gcond *c, tree x)
{
    gassign *d = made_for(x);
    if (d && TREE_CODE_CLASS(gimple_assign_rhs_code(d)) == tcc_comparison)
        gimple_cond_set_condition(c, gimple_assign_rhs_code(d), gimple_assign_rhs1(d), gimple_assign_rhs2(d));
    else
        gimple_cond_set_condition(c, NE_EXPR, x, build_zero_cst(TREE_TYPE(x)));
    update_stmt(c);
}

edge edge_with(basic_block bb, int flag)
{
    return EDGE_SUCC(bb, EDGE_SUCC(bb, 0)->flags & flag ? 0 : 1);
}

/* A block on edge e of bb that asks y: the edge that e is goes on as before, the other one leads where bb's does. */
gcond *ask_behind(edge e, edge other, tree y)
{
    int goes_on = e->flags & (EDGE_TRUE_VALUE | EDGE_FALSE_VALUE);
    basic_block bb = e->src, next = split_edge(e);
    move_block_after(next, bb); /* comparisons are counted in the order of blocks */
    gcond *c = gimple_build_cond(NE_EXPR, y, build_zero_cst(TREE_TYPE(y)), NULL_TREE, NULL_TREE);
    gimple_set_location(c, gimple_location(last_nondebug_stmt(bb)));
    gimple_stmt_iterator at = gsi_last_bb(next);
    gsi_insert_after(&at, c, GSI_NEW_STMT);
    edge on = single_succ_edge(next);
    on->flags = (on->flags & ~EDGE_FALLTHRU) | goes_on;
    edge out = make_edge(next, other->dest, goes_on ^ (EDGE_TRUE_VALUE | EDGE_FALSE_VALUE));
    for (gphi_iterator i = gsi_start_phis(other->dest); !gsi_end_p(i); gsi_next(&i))
        add_phi_arg(i.phi(), PHI_ARG_DEF_FROM_EDGE(i.phi(), other), out,
                    gimple_phi_arg_location_from_edge(i.phi(), other));
    return c;
}

/* Splits the condition, which is computed in block `home`, and what is joined in its parts. Was it joined? */
bool split(gcond *c, basic_block home)
{
    gassign *d =
        gimple_cond_code(c) == NE_EXPR && integer_zerop(gimple_cond_rhs(c)) ? joining(gimple_cond_lhs(c), home) : NULL;
    if (!d)
        return false;
    tree x = gimple_assign_rhs1(d), y = gimple_assign_rhs2(d);
    if (!comes_first(x, y))
        std::swap(x, y);
    basic_block bb = gimple_bb(c);
    bool both = gimple_assign_rhs_code(d) == BIT_AND_EXPR;
    edge yes = edge_with(bb, EDGE_TRUE_VALUE), no = edge_with(bb, EDGE_FALSE_VALUE);
    gimple_cond_set_condition(c, NE_EXPR, x, build_zero_cst(TREE_TYPE(x)));
    update_stmt(c);
    gcond *behind = ask_behind(both ? yes : no, both ? no : yes, y);
    gimple_stmt_iterator at = gsi_for_stmt(d);
    gsi_remove(&at, true);
    release_defs(d);
    for (gcond *part : {behind, c})
        if (!split(part, home))
            ask(part, gimple_cond_lhs(part));
    return true;
}

/* What the name is computed from, before conversions. Sets *unsign if one takes the sign away. */
gassign *computed_from(tree t, bool *unsign)
{
    gassign *d = NULL;
    for (; (d = made_for(t)) && (CONVERT_EXPR_CODE_P(gimple_assign_rhs_code(d)) || gimple_assign_single_p(d));) {
        tree from = gimple_assign_rhs1(d);
        if (TREE_CODE(from) != SSA_NAME)
            break;
        *unsign |= TYPE_UNSIGNED(TREE_TYPE(t)) && !TYPE_UNSIGNED(TREE_TYPE(from));
        t = from;
    }
    return d;
}

/* Does it load bytes as another type than what is there has? No source says so. */
bool is_other_type(tree place)
{
    return TREE_CODE(place) == BIT_FIELD_REF ||
           (TREE_CODE(place) == MEM_REF &&
            TYPE_MAIN_VARIANT(TREE_TYPE(place)) != TYPE_MAIN_VARIANT(TREE_TYPE(TREE_TYPE(TREE_OPERAND(place, 1)))));
}

/* Are neighbours in memory looked at together? */
bool is_part(gassign *d)
{
    bool unsign;
    if (d && gimple_assign_rhs_code(d) == BIT_AND_EXPR)
        d = computed_from(gimple_assign_rhs1(d), &unsign);
    return d && is_other_type(gimple_assign_rhs1(d));
}

} // namespace

void cs_split_comparisons(function *fn)
{
    auto_vec<gcond *> all;
    bool any = false;
    basic_block bb;
    FOR_EACH_BB_FN (bb, fn) {
        gimple *last = last_nondebug_stmt(bb);
        if (last && gimple_code(last) == GIMPLE_COND && EDGE_COUNT(bb->succs) == 2)
            all.safe_push(as_a<gcond *>(last));
    }
    for (unsigned i = 0; i < all.length(); i++)
        any |= split(all[i], gimple_bb(all[i]));
    if (!any)
        return;
    free_dominance_info(CDI_DOMINATORS);
    free_dominance_info(CDI_POST_DOMINATORS);
    if (!loops_for_fn(fn))
        return;
    loops_state_set(LOOPS_NEED_FIXUP);
    calculate_dominance_info(CDI_DOMINATORS);
    fix_loop_structure(NULL);
}

bool cs_comparisons_joined(gcond *c)
{
    tree x = gimple_cond_lhs(c);
    tree_code code = gimple_cond_code(c);
    bool by_order = code == LE_EXPR || code == GT_EXPR, unsign = false;
    if (TREE_CODE(x) != SSA_NAME || TREE_CODE(gimple_cond_rhs(c)) != INTEGER_CST)
        return false;
    gassign *d = computed_from(x, &unsign);
    if (by_order)
        return TYPE_UNSIGNED(TREE_TYPE(x)) && (unsign || (d && gimple_assign_rhs_code(d) == PLUS_EXPR));
    bool whole = d && (gimple_assign_rhs_code(d) == BIT_IOR_EXPR || joining(x, gimple_bb(c)));
    return whole || is_part(d);
}
