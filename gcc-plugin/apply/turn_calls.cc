/* SPDX-License-Identifier: GPL-3.0-or-later
 * Statements that call the recorder in loops whose turns are recorded at once; turn_calls.h. What is asked of a loop
 * here holds in the slice, after what does not stay was removed. */
#include "gcc-plugin/apply/turn_calls.h"

namespace cs_turns {

static hash_set<gimple *> ours;

void begin_function()
{
    ours.empty();
}

bool is_ours(gimple *g)
{
    return ours.contains(g);
}

bool is_in(const Loop *l, basic_block bb)
{
    return bb->index < (int)l->in.length() && l->in[bb->index];
}

bool is_dead(gimple *g)
{
    tree lhs = is_gimple_assign(g) ? gimple_assign_lhs(g) : NULL_TREE;
    return lhs && TREE_CODE(lhs) == SSA_NAME && has_zero_uses(lhs);
}

bool stays(const Loop *l, gphi *phi)
{
    tree next = PHI_ARG_DEF_FROM_EDGE(phi, l->back);
    return next == gimple_phi_result(phi) ||
           (TREE_CODE(next) != SSA_NAME && operand_equal_p(next, PHI_ARG_DEF_FROM_EDGE(phi, l->entry)));
}

bool goes_on(const Loop *l, gphi *phi, Counter *c)
{
    tree now = gimple_phi_result(phi), next = PHI_ARG_DEF_FROM_EDGE(phi, l->back), type = TREE_TYPE(now);
    if (TREE_CODE(next) != SSA_NAME || !INTEGRAL_TYPE_P(type) || TYPE_PRECISION(type) > 64 || TYPE_PRECISION(type) < 8)
        return false;
    gimple *def = SSA_NAME_DEF_STMT(next);
    if (!is_gimple_assign(def) || gimple_assign_rhs_code(def) != PLUS_EXPR || gimple_assign_rhs1(def) != now ||
        TREE_CODE(gimple_assign_rhs2(def)) != INTEGER_CST)
        return false;
    wide_int step = wi::to_wide(gimple_assign_rhs2(def));
    *c = Counter{phi, now, next, wide_int::from(step, 64, SIGNED)};
    return true;
}

void Sequence::add(gimple *g)
{
    gimple_set_uid(g, 0);
    ours.add(g);
    gimple_seq_add_stmt(&seq, g);
}

tree Sequence::convert(tree type, tree v)
{
    if (TREE_CODE(v) == INTEGER_CST)
        return fold_convert(type, v);
    tree to = make_ssa_name(type);
    add(gimple_build_assign(to, NOP_EXPR, v));
    return to;
}

tree Sequence::bits(tree v)
{
    tree type = TREE_TYPE(v);
    if (SCALAR_FLOAT_TYPE_P(type)) {
        tree whole = build_nonstandard_integer_type(tree_to_uhwi(TYPE_SIZE(type)), 1);
        tree same = fold_build1(VIEW_CONVERT_EXPR, whole, v);
        if (TREE_CODE(same) != INTEGER_CST) {
            tree to = make_ssa_name(whole);
            add(gimple_build_assign(to, VIEW_CONVERT_EXPR, build1(VIEW_CONVERT_EXPR, whole, v)));
            same = to;
        }
        v = same;
    }
    return convert(long_integer_type_node, v);
}

tree Sequence::compute(enum tree_code code, tree type, tree a, tree b)
{
    tree to = make_ssa_name(type);
    add(gimple_build_assign(to, code, a, b));
    return to;
}

tree Sequence::call(tree variable, const tree args[5])
{
    tree pointer = TYPE_MAIN_VARIANT(TREE_TYPE(variable)), function = make_ssa_name(pointer);
    add(gimple_build_assign(function, variable));
    gcall *c = gimple_build_call(function, 5, args[0], args[1], args[2], args[3], args[4]);
    gimple_call_set_fntype(c, TREE_TYPE(pointer));
    gimple_call_set_nothrow(c, true);
    tree result = make_ssa_name(long_integer_type_node);
    gimple_call_set_lhs(c, result);
    add(c);
    return result;
}

tree number(HOST_WIDE_INT n)
{
    return build_int_cst(long_integer_type_node, n);
}

tree gone_on(Sequence *s, const Counter *c, tree m)
{
    tree type = unsigned_type_for(TREE_TYPE(c->next));
    tree by = s->compute(MULT_EXPR, type, s->convert(type, m),
                         wide_int_to_tree(type, wide_int::from(c->step, TYPE_PRECISION(type), SIGNED)));
    return s->convert(TREE_TYPE(c->next), s->compute(PLUS_EXPR, type, s->convert(type, c->next), by));
}

basic_block block_on(edge e, Sequence *s)
{
    basic_block bb = split_edge(e);
    gimple_stmt_iterator i = gsi_after_labels(bb);
    gsi_insert_seq_before(&i, s->seq, GSI_SAME_STMT);
    return bb;
}

} // namespace cs_turns
