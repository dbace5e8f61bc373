/* SPDX-License-Identifier: GPL-3.0-or-later
 * Assignments: arithmetic in registers, loads, stores and copies.
 * An operation of unknown meaning mixes all its operands. */
#include "gcc-plugin/lower/lower_internal.h"

namespace cs_low {

/* The greatest known divisor of a byte offset, 1 if none is known; a constant offset itself. */
static int64_t stride_of(tree off, int depth)
{
    int64_t c;
    if (constant_of(off, &c))
        return c;
    if (TREE_CODE(off) != SSA_NAME || depth > 8)
        return 1;
    gimple *d = SSA_NAME_DEF_STMT(off);
    if (!is_gimple_assign(d))
        return 1;
    tree a = gimple_assign_rhs1(d), b = gimple_num_ops(d) > 2 ? gimple_assign_rhs2(d) : NULL_TREE;
    switch (gimple_assign_rhs_code(d)) {
    case MULT_EXPR:
        if (constant_of(b, &c) && c)
            return c < 0 ? -c : c;
        return 1;
    case LSHIFT_EXPR:
        if (constant_of(b, &c) && c >= 0 && c < 40)
            return INT64_C(1) << c;
        return 1;
    CASE_CONVERT:
    case NEGATE_EXPR:
    case SSA_NAME: return stride_of(a, depth + 1);
    case PLUS_EXPR:
    case MINUS_EXPR: {
        int64_t x = stride_of(a, depth + 1), y = stride_of(b, depth + 1);
        x = x < 0 ? -x : x;
        y = y < 0 ? -y : y;
        while (y) {
            int64_t t = x % y;
            x = y;
            y = t;
        }
        return x ? x : 1;
    }
    default: return 1;
    }
}

/* Can the type hold a pointer or a part of one? Programs may take pointers apart into bytes and join them again. */
bool holds_pointer(tree type)
{
    return POINTER_TYPE_P(type) || (INTEGRAL_TYPE_P(type) && TYPE_PRECISION(type) >= BITS_PER_UNIT) ||
           VECTOR_TYPE_P(type) || TREE_CODE(type) == COMPLEX_TYPE || TREE_CODE(type) == OFFSET_TYPE;
}

/* Can the type hold any address as a number? A double can, exactly. */
static bool holds_address_number(tree type)
{
    return SCALAR_FLOAT_TYPE_P(type) && TYPE_PRECISION(type) >= 64;
}

/* Is it 0 or 1: a truth value, also after conversions? */
static bool is_truth(tree t, int depth)
{
    if (TREE_CODE(t) == INTEGER_CST)
        return integer_zerop(t) || integer_onep(t);
    if (TREE_CODE(t) != SSA_NAME || depth > 6)
        return false;
    if (TREE_CODE(TREE_TYPE(t)) == BOOLEAN_TYPE)
        return true;
    gimple *d = SSA_NAME_DEF_STMT(t);
    if (gimple_call_internal_p(d, IFN_BUILTIN_EXPECT))
        return is_truth(gimple_call_arg(d, 0), depth + 1);
    if (!is_gimple_assign(d))
        return false;
    tree_code code = gimple_assign_rhs_code(d);
    return TREE_CODE_CLASS(code) == tcc_comparison ||
           (CONVERT_EXPR_CODE_P(code) && is_truth(gimple_assign_rhs1(d), depth + 1));
}

static cs_op convert_op(tree to, tree from)
{
    if (POINTER_TYPE_P(to) || POINTER_TYPE_P(from)) {
        bool wide = (!INTEGRAL_TYPE_P(to) || TYPE_PRECISION(to) >= 64) &&
                    (!INTEGRAL_TYPE_P(from) || TYPE_PRECISION(from) >= 32);
        return wide ? CS_OP_COPY : CS_OP_MIX;
    }
    if (!INTEGRAL_TYPE_P(to) || !INTEGRAL_TYPE_P(from))
        return holds_pointer(to) || holds_pointer(from) ? CS_OP_MIX : CS_OP_OTHER;
    unsigned pt = TYPE_PRECISION(to), pf = TYPE_PRECISION(from);
    if (TREE_CODE(from) == BOOLEAN_TYPE)
        return CS_OP_COPY;
    if (pt < pf || TREE_CODE(to) == BOOLEAN_TYPE)
        return CS_OP_MIX;
    if (pt > pf && TYPE_UNSIGNED(from))
        return CS_OP_MIX;
    return CS_OP_COPY;
}

cs_op compare_op(tree_code code, tree type)
{
    bool integral = INTEGRAL_TYPE_P(type) || POINTER_TYPE_P(type);
    if (!integral)
        return CS_OP_OTHER;
    switch (code) {
    case EQ_EXPR: return CS_OP_EQ;
    case NE_EXPR: return CS_OP_NE;
    default: break;
    }
    if (TYPE_UNSIGNED(type) || POINTER_TYPE_P(type))
        return CS_OP_ORDER;
    switch (code) {
    case LT_EXPR: return CS_OP_LT;
    case LE_EXPR: return CS_OP_LE;
    case GT_EXPR: return CS_OP_GT;
    case GE_EXPR: return CS_OP_GE;
    default: return CS_OP_OTHER;
    }
}

static cs_op assign_op(tree_code code, tree lhs_type, tree rhs1)
{
    cs_op mixed = holds_pointer(lhs_type) ? CS_OP_MIX : CS_OP_OTHER;
    bool whole = INTEGRAL_TYPE_P(lhs_type);
    switch (code) {
    case SSA_NAME:
    case ADDR_EXPR:
    case INTEGER_CST:
    case PAREN_EXPR:
        return CS_OP_COPY;
    CASE_CONVERT:
        return is_truth(rhs1, 0) ? CS_OP_COPY : convert_op(lhs_type, TREE_TYPE(rhs1));
    case VIEW_CONVERT_EXPR: return CS_OP_MIX;
    case POINTER_PLUS_EXPR: return CS_OP_PTRADD;
    case PLUS_EXPR: return whole ? CS_OP_ADD : mixed;
    case MINUS_EXPR: return whole ? CS_OP_SUB : mixed;
    case MULT_EXPR: return whole ? CS_OP_MUL : mixed;
    case COND_EXPR: return CS_OP_SELECT;
    case EQ_EXPR:
    case NE_EXPR:
    case LT_EXPR:
    case LE_EXPR:
    case GT_EXPR:
    case GE_EXPR: return compare_op(code, TREE_TYPE(rhs1));
    case BIT_AND_EXPR:
    case BIT_IOR_EXPR:
        if (TREE_CODE(lhs_type) == BOOLEAN_TYPE)
            return code == BIT_AND_EXPR ? CS_OP_AND : CS_OP_OR;
        return mixed;
    case EXACT_DIV_EXPR: return CS_OP_OTHER; /* of the distance of two pointers */
    case FLOAT_EXPR: return holds_address_number(lhs_type) ? CS_OP_MIX : CS_OP_OTHER;
    case FIX_TRUNC_EXPR: return holds_address_number(TREE_TYPE(rhs1)) ? CS_OP_MIX : CS_OP_OTHER;
    default: return TREE_CODE_CLASS(code) == tcc_comparison ? CS_OP_OTHER : mixed;
    }
}

/* Adds to statement s all register and address operands of a tree. */
void add_uses_deep(int s, tree t)
{
    if (!t)
        return;
    if (TREE_CODE(t) == CONSTRUCTOR) {
        unsigned HOST_WIDE_INT i;
        tree val;
        FOR_EACH_CONSTRUCTOR_VALUE(CONSTRUCTOR_ELTS(t), i, val) add_uses_deep(s, val);
        return;
    }
    if (TREE_CODE(t) == OBJ_TYPE_REF) {
        add_uses_deep(s, OBJ_TYPE_REF_EXPR(t));
        return;
    }
    if (COMPARISON_CLASS_P(t)) {
        add_uses_deep(s, TREE_OPERAND(t, 0));
        add_uses_deep(s, TREE_OPERAND(t, 1));
        return;
    }
    while (handled_component_p(t) && !is_memory(t))
        t = TREE_OPERAND(t, 0);
    cs_operand op = lower_operand(t);
    cs_stmt_add_use(&L->g->stmts[s], op);
}

/* Does the reference cover only some bits of its bytes? Then a store replaces no earlier one, and a load does not give
 * a number as it was stored. */
static bool is_partial(tree t)
{
    for (; handled_component_p(t); t = TREE_OPERAND(t, 0)) {
        if (TREE_CODE(t) == BIT_FIELD_REF)
            return true;
        if (TREE_CODE(t) == COMPONENT_REF && DECL_BIT_FIELD(TREE_OPERAND(t, 1)))
            return true;
    }
    return false;
}

static void lower_register_assign(gimple *g, tree lhs)
{
    tree_code code = gimple_assign_rhs_code(g);
    tree rhs1 = gimple_assign_rhs1(g);
    if (gimple_assign_single_p(g) && is_memory(rhs1)) {
        Ref r;
        lower_ref(rhs1, &r, false);
        int s = new_stmt(CS_STMT_LOAD);
        note_origin(g, s);
        set_def(s, lhs);
        L->g->stmts[s].has_load = true;
        L->g->stmts[s].load = to_ref(&r);
        L->g->stmts[s].partial = is_partial(rhs1);
        add_index_uses(s, &r);
        note_operation(g, s);
        return;
    }
    int s = new_stmt(CS_STMT_ASSIGN);
    note_origin(g, s);
    set_def(s, lhs);
    L->g->stmts[s].op = assign_op(code, TREE_TYPE(lhs), rhs1);
    L->g->stmts[s].within = code == POINTER_DIFF_EXPR || code == EXACT_DIV_EXPR; /* that divides such a difference */
    if (code == POINTER_PLUS_EXPR) {
        int64_t st = stride_of(gimple_assign_rhs2(g), 0);
        L->g->stmts[s].stride = st < 0 ? -st : st;
    }
    if (code == COND_EXPR && COMPARISON_CLASS_P(rhs1))
        L->g->stmts[s].op = CS_OP_MIX;
    for (unsigned i = 1; i < gimple_num_ops(g); i++)
        add_uses_deep(s, gimple_op(g, i));
    note_operation(g, s);
}

static void lower_memory_assign(gimple *g, tree lhs)
{
    tree rhs = gimple_assign_rhs1(g);
    if (TREE_CLOBBER_P(rhs))
        return;
    Ref d;
    lower_ref(lhs, &d, false);
    if (is_memory(rhs)) {
        Ref src;
        lower_ref(rhs, &src, false);
        int s = new_stmt(CS_STMT_COPY);
        note_origin(g, s);
        cs_stmt *st = &L->g->stmts[s];
        st->has_store = st->has_load = true;
        st->partial = is_partial(lhs);
        st->store = to_ref(&d);
        st->load = to_ref(&src);
        add_index_uses(s, &d);
        add_index_uses(s, &src);
        return;
    }
    cs_operand v = cs_opnd_none();
    if (TREE_CODE(rhs) == CONSTRUCTOR && CONSTRUCTOR_NELTS(rhs) == 0)
        v = cs_opnd_const(0);
    else
        v = lower_operand(rhs);
    int s = new_stmt(CS_STMT_STORE);
    note_origin(g, s);
    L->g->stmts[s].has_store = true;
    L->g->stmts[s].partial = is_partial(lhs);
    L->g->stmts[s].store = to_ref(&d);
    cs_stmt_add_use(&L->g->stmts[s], v);
    add_index_uses(s, &d);
    note_store(g, s);
}

void lower_assign(gimple *g)
{
    tree lhs = gimple_assign_lhs(g);
    if (TREE_CODE(lhs) == SSA_NAME)
        lower_register_assign(g, lhs);
    else
        lower_memory_assign(g, lhs);
}

} // namespace cs_low
