/* SPDX-License-Identifier: GPL-3.0-or-later
 * Which calls GCC answers itself where it knows enough of them, otherwise than the library (fold-const-call.cc, by MPFR
 * and MPC). */
#include "gcc-plugin/folds/folds.h"

#include "real.h"

/* Up to this exponent the library multiplies in the same order as GCC. */
enum { MOST_ALIKE = 4 };

/* Does GCC compute it while it compiles, where the library's last digit may be another one? */
static bool is_rounded_otherwise(built_in_function code)
{
    switch (code) {
        CASE_FLT_FN(BUILT_IN_ACOS)
            : CASE_FLT_FN(BUILT_IN_ACOSH)
            : CASE_FLT_FN(BUILT_IN_ASIN)
            : CASE_FLT_FN(BUILT_IN_ASINH)
            : CASE_FLT_FN(BUILT_IN_ATAN)
            : CASE_FLT_FN(BUILT_IN_ATAN2)
            : CASE_FLT_FN(BUILT_IN_ATANH)
            : CASE_FLT_FN(BUILT_IN_CBRT)
            : CASE_FLT_FN(BUILT_IN_CEXPI)
            : CASE_FLT_FN(BUILT_IN_COS)
            : CASE_FLT_FN(BUILT_IN_COSH)
            : CASE_FLT_FN(BUILT_IN_ERF)
            : CASE_FLT_FN(BUILT_IN_ERFC)
            : CASE_FLT_FN(BUILT_IN_EXP)
            : CASE_FLT_FN(BUILT_IN_EXP10)
            : CASE_FLT_FN(BUILT_IN_EXP2)
            : CASE_FLT_FN(BUILT_IN_EXPM1)
            : CASE_FLT_FN(BUILT_IN_FMAX)
            : CASE_FLT_FN_FLOATN_NX(BUILT_IN_FMAX)
            : CASE_FLT_FN(BUILT_IN_FMIN)
            : CASE_FLT_FN_FLOATN_NX(BUILT_IN_FMIN)
            : CASE_FLT_FN(BUILT_IN_HYPOT)
            : CASE_FLT_FN(BUILT_IN_J0)
            : CASE_FLT_FN(BUILT_IN_J1)
            : CASE_FLT_FN(BUILT_IN_JN)
            : CASE_FLT_FN(BUILT_IN_LOG)
            : CASE_FLT_FN(BUILT_IN_LOG10)
            : CASE_FLT_FN(BUILT_IN_LOG1P)
            : CASE_FLT_FN(BUILT_IN_LOG2)
            : CASE_FLT_FN(BUILT_IN_POW)
            : CASE_FLT_FN(BUILT_IN_POW10)
            : CASE_FLT_FN(BUILT_IN_SIN)
            : CASE_FLT_FN(BUILT_IN_SINH)
            : CASE_FLT_FN(BUILT_IN_TAN)
            : CASE_FLT_FN(BUILT_IN_TANH)
            : CASE_FLT_FN(BUILT_IN_TGAMMA)
            : CASE_FLT_FN(BUILT_IN_Y0)
            : CASE_FLT_FN(BUILT_IN_Y1)
            : CASE_FLT_FN(BUILT_IN_YN)
            : CASE_FLT_FN(BUILT_IN_CACOS)
            : CASE_FLT_FN(BUILT_IN_CACOSH)
            : CASE_FLT_FN(BUILT_IN_CASIN)
            : CASE_FLT_FN(BUILT_IN_CASINH)
            : CASE_FLT_FN(BUILT_IN_CATAN)
            : CASE_FLT_FN(BUILT_IN_CATANH)
            : CASE_FLT_FN(BUILT_IN_CABS)
            : CASE_FLT_FN(BUILT_IN_CARG)
            : CASE_FLT_FN(BUILT_IN_CCOS)
            : CASE_FLT_FN(BUILT_IN_CCOSH)
            : CASE_FLT_FN(BUILT_IN_CEXP)
            : CASE_FLT_FN(BUILT_IN_CLOG)
            : CASE_FLT_FN(BUILT_IN_CPOW)
            : CASE_FLT_FN(BUILT_IN_CSIN)
            : CASE_FLT_FN(BUILT_IN_CSINH)
            : CASE_FLT_FN(BUILT_IN_CSQRT) : CASE_FLT_FN(BUILT_IN_CTAN) : CASE_FLT_FN(BUILT_IN_CTANH) : return true;
    default: return false;
    }
}

/* Does it store what it computes, or a part of that? */
static bool is_stored(built_in_function code)
{
    switch (code) {
        CASE_FLT_FN(BUILT_IN_REMQUO)
            : CASE_FLT_FN(BUILT_IN_SINCOS)
            : CASE_FLT_FN_REENT(BUILT_IN_GAMMA) : CASE_FLT_FN_REENT(BUILT_IN_LGAMMA) : return true;
    default: return false;
    }
}

/* Is the result used by nothing but such statements? */
static bool is_used_by(gimple *g, bool (*fine)(gimple *))
{
    imm_use_iterator it;
    use_operand_p use;
    tree lhs = gimple_call_lhs(g);
    if (!lhs || TREE_CODE(lhs) != SSA_NAME)
        return !lhs;
    FOR_EACH_IMM_USE_FAST(use, it, lhs)
    if (!is_gimple_debug(USE_STMT(use)) && !fine(USE_STMT(use)))
        return false;
    return true;
}

static bool compares_with_0(gimple *g)
{
    if (gcond *c = dyn_cast<gcond *>(g))
        return integer_zerop(gimple_cond_rhs(c));
    return is_gimple_assign(g) && TREE_CODE_CLASS(gimple_assign_rhs_code(g)) == tcc_comparison &&
           integer_zerop(gimple_assign_rhs2(g));
}

/* Of the checks of _FORTIFY_SOURCE. */
static bool calls_builtin(gimple *g)
{
    tree callee = is_gimple_call(g) ? gimple_call_fndecl(g) : NULL_TREE;
    return callee && fndecl_built_in_p(callee, BUILT_IN_NORMAL);
}

/* Headers of the library ask GCC for which of two ways is faster, or checked. */
static bool asks_for_itself(gimple *g)
{
    location_t where = gimple_location(g);
    return where != UNKNOWN_LOCATION && !expand_location(where).sysp;
}

bool cs_multiplied_for(tree exponent)
{
    if (TREE_CODE(exponent) == INTEGER_CST)
        return wi::gtu_p(wi::abs(wi::to_wide(exponent)), (int)MOST_ALIKE);
    return TREE_CODE(exponent) == REAL_CST &&
           (real_identical(&TREE_REAL_CST(exponent), &dconst2) || real_identical(&TREE_REAL_CST(exponent), &dconstm1));
}

bool cs_rounded_freely(gimple *g)
{
    built_in_function code;
    tree decl = gimple_call_fndecl(g);
    bool freely = flag_unsafe_math_optimizations || flag_finite_math_only || !flag_signed_zeros;
    return freely && decl && cs_known_builtin(decl, &code) && is_rounded_otherwise(code);
}

cs_answered cs_answered_as(gimple *g)
{
    if (!opt_for_fn(cfun->decl, optimize) || !gimple_call_builtin_p(g, BUILT_IN_NORMAL))
        return CS_ANSWERED_NEVER;
    built_in_function code = DECL_FUNCTION_CODE(gimple_call_fndecl(g));
    switch (code) {
        CASE_FLT_FN(BUILT_IN_POWI) : return CS_ANSWERED_WHOLE_POWER;
        CASE_FLT_FN(BUILT_IN_POW) : return CS_ANSWERED_POWER;
        CASE_FLT_FN(BUILT_IN_SIGNBIT)
            : return is_used_by(g, compares_with_0) ? CS_ANSWERED_NEVER : CS_ANSWERED_REAL; /* not always 1 */
    case BUILT_IN_STRCMP:
    case BUILT_IN_STRNCMP:
    case BUILT_IN_STRCASECMP:
    case BUILT_IN_STRNCASECMP:
    case BUILT_IN_MEMCMP: return is_used_by(g, compares_with_0) ? CS_ANSWERED_NEVER : CS_ANSWERED_ORDER;
    case BUILT_IN_CONSTANT_P: return asks_for_itself(g) ? CS_ANSWERED_ASKED : CS_ANSWERED_NEVER;
    case BUILT_IN_OBJECT_SIZE:
    case BUILT_IN_DYNAMIC_OBJECT_SIZE:
        return asks_for_itself(g) && !is_used_by(g, calls_builtin) ? CS_ANSWERED_SIZE : CS_ANSWERED_NEVER;
    default:
        return is_stored(code) ? CS_ANSWERED_STORED : is_rounded_otherwise(code) ? CS_ANSWERED_REAL : CS_ANSWERED_NEVER;
    }
}

bool cs_is_complex_product(gimple *g)
{
    tree_code code = is_gimple_assign(g) ? gimple_assign_rhs_code(g) : ERROR_MARK;
    tree type = is_gimple_assign(g) ? TREE_TYPE(gimple_assign_lhs(g)) : NULL_TREE;
    bool complex = type && TREE_CODE(type) == COMPLEX_TYPE && SCALAR_FLOAT_TYPE_P(TREE_TYPE(type));
    return opt_for_fn(cfun->decl, optimize) && complex && (code == MULT_EXPR || code == RDIV_EXPR);
}
