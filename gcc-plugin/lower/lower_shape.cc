/* SPDX-License-Identifier: GPL-3.0-or-later
 * The shape of a load or an operation: a string of all but its registers. Two statements of one shape with equal
 * registers give the same value. What is volatile, can throw or sits in an abnormal merge has none. Also notes whether
 * a statement could run at other places too (`anywhere`), and the size of its result in bits. */
#include "gcc-plugin/folds/folds.h"
#include "gcc-plugin/lower/lower_internal.h"

#include <string>

namespace cs_low {

static void add_number(std::string *out, char letter, unsigned HOST_WIDE_INT n)
{
    *out += letter;
    do
        *out += "0123456789abcdefghijklmnopqrstuv"[n & 31];
    while (n >>= 5);
}

static void add_type(std::string *out, tree type)
{
    add_number(out, 't', TYPE_UID(TYPE_MAIN_VARIANT(type)));
}

static bool add_tree(std::string *out, tree t);

static bool add_constant(std::string *out, tree t)
{
    char text[128];
    if (TREE_CODE(t) == REAL_CST) {
        real_to_hexadecimal(text, TREE_REAL_CST_PTR(t), sizeof text, 0, true);
        *out += text;
        return true;
    }
    if (TREE_CODE(t) != INTEGER_CST)
        return false;
    for (int i = 0; i < TREE_INT_CST_NUNITS(t); i++)
        add_number(out, 'c', TREE_INT_CST_ELT(t, i));
    return true;
}

/* Adds code, type and operands; of a register only its type. False if the tree has a part that cannot be compared. */
static bool add_tree(std::string *out, tree t)
{
    if (!t) {
        *out += '-';
        return true;
    }
    if (TREE_CODE(t) == TREE_LIST || TREE_CODE(t) == CONSTRUCTOR || TREE_CODE(t) == OBJ_TYPE_REF || TYPE_P(t) ||
        TREE_THIS_VOLATILE(t))
        return false;
    add_number(out, 'k', TREE_CODE(t));
    if (TREE_CODE(t) == FIELD_DECL || DECL_P(t)) {
        add_number(out, 'd', DECL_UID(t));
        return true;
    }
    add_type(out, TREE_TYPE(t));
    if (TREE_CODE(t) == SSA_NAME)
        return !SSA_NAME_OCCURS_IN_ABNORMAL_PHI(t);
    if (CONSTANT_CLASS_P(t))
        return add_constant(out, t);
    if (!EXPR_P(t) && !handled_component_p(t) && TREE_CODE(t) != MEM_REF && TREE_CODE(t) != ADDR_EXPR)
        return false;
    for (int i = 0; i < TREE_OPERAND_LENGTH(t); i++)
        if (!add_tree(out, TREE_OPERAND(t, i)))
            return false;
    return true;
}

/* Is it a load of a Fortran dummy argument that is always present? An optional one is a pointer, not a reference. */
static bool is_present_argument(tree t)
{
    if (TREE_CODE(t) != MEM_REF || TREE_CODE(TREE_OPERAND(t, 0)) != SSA_NAME)
        return false;
    tree p = TREE_OPERAND(t, 0), var = SSA_NAME_VAR(p);
    if (!SSA_NAME_IS_DEFAULT_DEF(p) || !var || TREE_CODE(var) != PARM_DECL ||
        TREE_CODE(TREE_TYPE(var)) != REFERENCE_TYPE)
        return false;
    int64_t whole = size_of(TREE_TYPE(TREE_TYPE(var))), size = size_of(TREE_TYPE(t));
    return integer_zerop(TREE_OPERAND(t, 1)) && size > 0 && size <= whole;
}

/* The precision of an integer or pointer type, negative if signed; 0: other types. */
static int bits_of(tree type)
{
    if (POINTER_TYPE_P(type))
        return TYPE_PRECISION(type);
    if (!INTEGRAL_TYPE_P(type))
        return 0;
    return TYPE_UNSIGNED(type) ? (int)TYPE_PRECISION(type) : -(int)TYPE_PRECISION(type);
}

static void set_shape(int s, const std::string &shape)
{
    L->g->stmts[s].shape = cs_graph_string(L->g, shape.c_str());
}

void note_number(int s, tree lhs)
{
    if (TREE_CODE(lhs) == SSA_NAME)
        L->g->stmts[s].bits = bits_of(TREE_TYPE(lhs));
}

/* What complex numbers and vectors are made of; any other type itself. */
static tree real_of(tree type)
{
    return TREE_CODE(type) == COMPLEX_TYPE || VECTOR_TYPE_P(type) ? TREE_TYPE(type) : type;
}

/* May GCC fuse products with sums in this function? */
static bool may_fuse(tree type)
{
    return optimize && flag_fp_contract_mode == FP_CONTRACT_FAST &&
           direct_internal_fn_supported_p(IFN_FMA, TYPE_MAIN_VARIANT(type), OPTIMIZE_FOR_SPEED);
}

/* Does the processor compute such numbers with more digits than they have, while they are in registers? */
static bool is_wide(tree type)
{
    bool wide = targetm.c.excess_precision(EXCESS_PRECISION_TYPE_IMPLICIT) == FLT_EVAL_METHOD_PROMOTE_TO_LONG_DOUBLE;
    return wide && flag_excess_precision != EXCESS_PRECISION_STANDARD && !flag_float_store &&
           TYPE_PRECISION(type) < TYPE_PRECISION(long_double_type_node);
}

/* Does GCC make products and sums of this one? */
static bool is_expanded(tree type, tree_code code)
{
    bool divided = code == RDIV_EXPR && (flag_cx_limited_range || flag_cx_fortran_rules);
    return TREE_CODE(type) == COMPLEX_TYPE && (code == MULT_EXPR || divided);
}

/* What GCC may do to the rounding of this operation, by what is around it. */
static cs_rounding rounding_of(gimple *g)
{
    tree type = TREE_TYPE(gimple_assign_lhs(g)), real = real_of(type);
    tree_code code = gimple_assign_rhs_code(g);
    bool sum = code == PLUS_EXPR || code == MINUS_EXPR, product = code == MULT_EXPR;
    if (!SCALAR_FLOAT_TYPE_P(real) || (!sum && !product && code != RDIV_EXPR))
        return CS_ROUNDING_FIXED;
    if (flag_associative_math || flag_reciprocal_math || flag_unsafe_math_optimizations)
        return CS_ROUNDING_FREE;
    if (is_wide(real))
        return CS_ROUNDING_WIDE;
    if (!optimize)
        return CS_ROUNDING_FIXED;
    if (!may_fuse(real) || (code == RDIV_EXPR && !is_expanded(type, code)))
        return CS_ROUNDING_MODE;
    if (is_expanded(type, code))
        return CS_ROUNDING_BOTH;
    return sum ? CS_ROUNDING_SUM : CS_ROUNDING_PRODUCT;
}

/* The partial results of `omp simd reduction` are in an array, and GCC chooses how many there are. */
static cs_rounding rounding_of_load(gimple *g)
{
    tree from = get_base_address(gimple_assign_rhs1(g));
    bool partial = from && DECL_P(from) && lookup_attribute("omp simd array", DECL_ATTRIBUTES(from));
    return partial && SCALAR_FLOAT_TYPE_P(real_of(TREE_TYPE(gimple_assign_lhs(g)))) ? CS_ROUNDING_LANES
                                                                                    : CS_ROUNDING_FIXED;
}

/* May the call become products, as that of a power with a whole exponent? */
static bool is_product(gimple *g)
{
    built_in_function code;
    tree decl = gimple_call_fndecl(g);
    auto_vec<tree> exponents;
    if (!decl || !cs_known_builtin(decl, &code))
        return false;
    switch (code) {
        CASE_FLT_FN(BUILT_IN_POWI) : return true;
        CASE_FLT_FN(BUILT_IN_POW) : break;
    default: return false;
    }
    if (!constants_of(gimple_call_arg(g, 1), &exponents))
        return true;
    for (tree c : exponents)
        if (cs_multiplied_for(c))
            return true;
    return false;
}

/* Does GCC call a variant of this function for vectors, which rounds otherwise? For Fortran, glibc's
 * math-vector-fortran.h offers some on x86-64, also without -ffast-math. */
static bool may_be_vectorised(tree decl)
{
    built_in_function code;
    if (!decl || !flag_tree_loop_vectorize || !is_fortran(cfun->decl) || !cs_known_builtin(decl, &code))
        return false;
    if (!cs_calls_variants())
        return false;
    switch (code) {
        CASE_FLT_FN(BUILT_IN_SIN)
            : CASE_FLT_FN(BUILT_IN_COS)
            : CASE_FLT_FN(BUILT_IN_TAN)
            : CASE_FLT_FN(BUILT_IN_SINCOS)
            : CASE_FLT_FN(BUILT_IN_CEXPI)
            : CASE_FLT_FN(BUILT_IN_EXP) : CASE_FLT_FN(BUILT_IN_LOG) : CASE_FLT_FN(BUILT_IN_POW) : return true;
    default: return false;
    }
}

cs_rounding rounding_of_call(gimple *g)
{
    tree lhs = gimple_call_lhs(g);
    if (cs_rounded_freely(g))
        return CS_ROUNDING_FREE;
    if (may_be_vectorised(gimple_call_fndecl(g)))
        return CS_ROUNDING_VARIANT;
    return lhs && is_product(g) && may_fuse(TREE_TYPE(lhs)) ? CS_ROUNDING_PRODUCT : CS_ROUNDING_FIXED;
}

void note_operation(gimple *g, int s)
{
    tree lhs = gimple_assign_lhs(g), rhs = gimple_assign_rhs1(g);
    bool load = gimple_assign_single_p(g) && is_memory(rhs);
    std::string shape = load ? "m" : "o";
    note_number(s, lhs);
    L->g->stmts[s].rounding = load ? rounding_of_load(g) : rounding_of(g);
    L->g->stmts[s].folds = load ? CS_FOLDS_NEVER : folds_of_complex(g);
    if (gimple_has_volatile_ops(g) || stmt_could_throw_p(cfun, g) || SSA_NAME_OCCURS_IN_ABNORMAL_PHI(lhs))
        return;
    if (!load)
        add_number(&shape, 'k', gimple_assign_rhs_code(g));
    add_type(&shape, TREE_TYPE(lhs));
    for (unsigned i = 1; i < gimple_num_ops(g); i++)
        if (!add_tree(&shape, gimple_op(g, i)))
            return;
    set_shape(s, shape);
    L->g->stmts[s].anywhere = !gimple_could_trap_p(g) || (load && is_present_argument(rhs));
}

/* A store has the shape of a load from where it goes. */
void note_store(gimple *g, int s)
{
    tree lhs = gimple_assign_lhs(g);
    std::string shape = "m";
    if (gimple_has_volatile_ops(g) || stmt_could_throw_p(cfun, g))
        return;
    add_type(&shape, TREE_TYPE(lhs));
    if (is_gimple_reg_type(TREE_TYPE(lhs)) && add_tree(&shape, lhs))
        set_shape(s, shape);
}

} // namespace cs_low
