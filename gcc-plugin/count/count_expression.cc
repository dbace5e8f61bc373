/* SPDX-License-Identifier: GPL-3.0-or-later
 * Expressions of counts; count_expression.h. */
#include "gcc-plugin/count/count_expression.h"

namespace {

/* The operation of GIMPLE for one of an expression: truth values are whole numbers of one bit there. */
tree_code code_in_gimple(tree t)
{
    switch (TREE_CODE(t)) {
    case TRUTH_AND_EXPR:
    case TRUTH_ANDIF_EXPR: return BIT_AND_EXPR;
    case TRUTH_OR_EXPR:
    case TRUTH_ORIF_EXPR: return BIT_IOR_EXPR;
    case TRUTH_XOR_EXPR: return BIT_XOR_EXPR;
    case TRUTH_NOT_EXPR: return BIT_NOT_EXPR;
    default: return TREE_CODE(t);
    }
}

} // namespace

tree cs_u64()
{
    return long_long_unsigned_type_node;
}

tree cs_s64()
{
    return long_long_integer_type_node;
}

tree cs_whole_number(HOST_WIDE_INT n)
{
    return build_int_cst(cs_s64(), n);
}

tree cs_count_compute(gimple_seq *seq, tree t)
{
    if (is_gimple_val(t))
        return t;
    if (TREE_CODE(t) == NON_LVALUE_EXPR)
        return cs_count_compute(seq, TREE_OPERAND(t, 0));
    tree name = make_ssa_name(TREE_TYPE(t)), x[3] = {NULL_TREE, NULL_TREE, NULL_TREE};
    if (REFERENCE_CLASS_P(t) || DECL_P(t)) {
        gimple_seq_add_stmt(seq, gimple_build_assign(name, unshare_expr(t)));
        return name;
    }
    int n = TREE_OPERAND_LENGTH(t);
    gcc_assert(n >= 1 && n <= 3 && get_gimple_rhs_class(code_in_gimple(t)) != GIMPLE_INVALID_RHS);
    for (int i = 0; i < n; i++)
        x[i] = cs_count_compute(seq, TREE_OPERAND(t, i));
    gimple_seq_add_stmt(seq, n == 3   ? gimple_build_assign(name, code_in_gimple(t), x[0], x[1], x[2])
                             : n == 2 ? gimple_build_assign(name, code_in_gimple(t), x[0], x[1])
                                      : gimple_build_assign(name, code_in_gimple(t), x[0]));
    return name;
}
