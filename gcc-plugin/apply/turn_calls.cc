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

static bool is_counted(tree type)
{
    return INTEGRAL_TYPE_P(type) && TYPE_PRECISION(type) <= 64 && TYPE_PRECISION(type) >= 8;
}

/* What computes a value, if it is an assignment of this kind. */
static gimple *computed_by(tree v, enum tree_code code)
{
    gimple *def = TREE_CODE(v) == SSA_NAME ? SSA_NAME_DEF_STMT(v) : NULL;
    if (!def || !is_gimple_assign(def))
        return NULL;
    enum tree_code is = gimple_assign_rhs_code(def);
    return is == code || (CONVERT_EXPR_CODE_P(code) && CONVERT_EXPR_CODE_P(is)) ? def : NULL;
}

/* `sum` adds a constant to the first value; in the range of the counter's type, and as a signed number. */
static bool adds_constant(gimple *sum, tree type, wide_int *step)
{
    if (!sum || TREE_CODE(gimple_assign_rhs2(sum)) != INTEGER_CST)
        return false;
    wide_int by = wide_int::from(wi::to_wide(gimple_assign_rhs2(sum)), TYPE_PRECISION(type), SIGNED);
    *step = wide_int::from(by, 64, SIGNED);
    return true;
}

bool goes_on(const Loop *l, gphi *phi, Counter *c)
{
    tree now = gimple_phi_result(phi), next = PHI_ARG_DEF_FROM_EDGE(phi, l->back), type = TREE_TYPE(now);
    gimple *sum = computed_by(next, PLUS_EXPR);
    wide_int step;
    if (!is_counted(type) || !adds_constant(sum, type, &step) || gimple_assign_rhs1(sum) != now)
        return false;
    *c = Counter{phi, now, next, step, sum};
    return true;
}

/* x = (wide) now, y = x + step, next = (type) y: as `wide` has all bits of the type, next is now + step in the type,
 * where both wrap around. */
bool goes_on_somehow(const Loop *l, gphi *phi, Counter *c)
{
    if (goes_on(l, phi, c))
        return true;
    tree now = gimple_phi_result(phi), next = PHI_ARG_DEF_FROM_EDGE(phi, l->back), type = TREE_TYPE(now);
    gimple *back = computed_by(next, NOP_EXPR), *sum = back ? computed_by(gimple_assign_rhs1(back), PLUS_EXPR) : NULL,
           *there = sum ? computed_by(gimple_assign_rhs1(sum), NOP_EXPR) : NULL;
    wide_int step;
    if (!there || gimple_assign_rhs1(there) != now || !is_counted(type) || !adds_constant(sum, type, &step))
        return false;
    tree x = gimple_assign_lhs(there), y = gimple_assign_lhs(sum);
    if (!is_counted(TREE_TYPE(x)) || !is_counted(TREE_TYPE(y)) || TYPE_PRECISION(TREE_TYPE(y)) < TYPE_PRECISION(type) ||
        !has_single_use(x) || !has_single_use(y))
        return false;
    *c = Counter{phi, now, next, step, there};
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
