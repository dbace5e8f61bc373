/* SPDX-License-Identifier: GPL-3.0-or-later
 * Calls that GCC answers itself where it knows their arguments, with another answer than the library's: real functions,
 * which it rounds correctly (fold-const-call.cc, by MPFR and MPC), powers with a whole exponent, which it multiplies in
 * another order, the size of what a comparison of strings returns, and what asks GCC what it knows. */
#include "gcc-plugin/lower/lower_internal.h"

#include "fold-const-call.h"
#include "real.h"

#include <dlfcn.h>

namespace cs_low {

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
            : CASE_FLT_FN_REENT(BUILT_IN_GAMMA)
            : CASE_FLT_FN(BUILT_IN_HYPOT)
            : CASE_FLT_FN(BUILT_IN_J0)
            : CASE_FLT_FN(BUILT_IN_J1)
            : CASE_FLT_FN(BUILT_IN_JN)
            : CASE_FLT_FN_REENT(BUILT_IN_LGAMMA)
            : CASE_FLT_FN(BUILT_IN_LOG)
            : CASE_FLT_FN(BUILT_IN_LOG10)
            : CASE_FLT_FN(BUILT_IN_LOG1P)
            : CASE_FLT_FN(BUILT_IN_LOG2)
            : CASE_FLT_FN(BUILT_IN_POW)
            : CASE_FLT_FN(BUILT_IN_POW10)
            : CASE_FLT_FN(BUILT_IN_SIN)
            : CASE_FLT_FN(BUILT_IN_SINCOS)
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

static bool is_double(tree type)
{
    return TYPE_MODE(type) == TYPE_MODE(double_type_node);
}

/* The library's function; null if it is none of real numbers of one size. Of the C library that this compiler runs
 * with, which is mostly that of the program. */
static void *library_function(gimple *g)
{
    static void *libm = dlopen("libm.so.6", RTLD_LAZY);
    tree type = gimple_call_lhs(g) ? TREE_TYPE(gimple_call_lhs(g)) : NULL_TREE;
    bool plain =
        type && SCALAR_FLOAT_TYPE_P(type) && (is_double(type) || TYPE_MODE(type) == TYPE_MODE(float_type_node));
    for (unsigned i = 0; i < gimple_call_num_args(g) && plain; i++)
        plain = TYPE_MODE(TREE_TYPE(gimple_call_arg(g, i))) == TYPE_MODE(type);
    return plain && libm ? dlsym(libm, asm_name(gimple_call_fndecl(g))) : NULL;
}

/* A number as the program's machine has it, which is this one. */
template <typename T> static T number(tree constant)
{
    long words[4] = {};
    T x;
    real_to_target(words, &TREE_REAL_CST(constant), TYPE_MODE(TREE_TYPE(constant)));
    unsigned bytes[2] = {(unsigned)words[0], (unsigned)words[1]};
    memcpy(&x, bytes, sizeof x);
    return x;
}

/* Does the library give the bits that GCC computes, for these arguments? */
template <typename T> static bool library_agrees(void *fn, tree folded, const tree *args, unsigned n)
{
    T x = number<T>(args[0]), want = number<T>(folded);
    T got = n == 1 ? ((T(*)(T))fn)(x) : ((T(*)(T, T))fn)(x, number<T>(args[1]));
    return !memcmp(&got, &want, sizeof got);
}

/* Does it, where GCC computes anything? */
static bool agrees(gimple *g, void *fn, const tree *args, unsigned n)
{
    tree type = TREE_TYPE(gimple_call_lhs(g));
    combined_fn code = gimple_call_combined_fn(g);
    tree c = n == 1 ? fold_const_call(code, type, args[0]) : fold_const_call(code, type, args[0], args[1]);
    if (!c)
        return true;
    if (TREE_CODE(c) != REAL_CST)
        return false;
    return is_double(type) ? library_agrees<double>(fn, c, args, n) : library_agrees<float>(fn, c, args, n);
}

/* Is it known which constants the arguments may be, and is the result the same for all of them, whoever computes it? */
static bool is_same_for_all(gimple *g)
{
    void *fn = library_function(g);
    unsigned n = gimple_call_num_args(g);
    auto_vec<tree> a, b;
    if (!fn || n < 1 || n > 2 || !constants_of(gimple_call_arg(g, 0), &a) ||
        (n == 2 && !constants_of(gimple_call_arg(g, 1), &b)))
        return false;
    for (tree x : a)
        for (unsigned i = 0; i < (n == 2 ? b.length() : 1); i++) {
            tree args[] = {x, n == 2 ? b[i] : NULL_TREE};
            if (!agrees(g, fn, args, n))
                return false;
        }
    return true;
}

/* Is the result only compared with 0? */
static bool asks_sign_alone(gimple *g)
{
    imm_use_iterator it;
    use_operand_p use;
    tree lhs = gimple_call_lhs(g);
    if (!lhs || TREE_CODE(lhs) != SSA_NAME)
        return !lhs;
    FOR_EACH_IMM_USE_FAST(use, it, lhs)
    {
        gimple *u = USE_STMT(use);
        bool zero = false;
        if (gcond *c = dyn_cast<gcond *>(u))
            zero = integer_zerop(gimple_cond_rhs(c));
        else if (is_gimple_assign(u) && TREE_CODE_CLASS(gimple_assign_rhs_code(u)) == tcc_comparison)
            zero = integer_zerop(gimple_assign_rhs2(u));
        if (!zero && !is_gimple_debug(u))
            return false;
    }
    return true;
}

/* Does nothing use the result but the checks of _FORTIFY_SOURCE? */
static bool is_for_checks(gimple *g)
{
    imm_use_iterator it;
    use_operand_p use;
    tree lhs = gimple_call_lhs(g);
    if (!lhs || TREE_CODE(lhs) != SSA_NAME)
        return !lhs;
    FOR_EACH_IMM_USE_FAST(use, it, lhs)
    {
        gimple *u = USE_STMT(use);
        tree callee = is_gimple_call(u) ? gimple_call_fndecl(u) : NULL_TREE;
        if (!is_gimple_debug(u) && !(callee && fndecl_built_in_p(callee, BUILT_IN_NORMAL)))
            return false;
    }
    return true;
}

/* Headers of the library ask GCC for which of two ways is faster, or checked. */
static bool asks_for_itself(gimple *g)
{
    location_t where = gimple_location(g);
    return where != UNKNOWN_LOCATION && !expand_location(where).sysp;
}

/* May it be an exponent for which GCC multiplies or divides itself, 2 or -1? */
static bool may_be_multiplied(tree exponent)
{
    auto_vec<tree> known;
    if (!constants_of(exponent, &known))
        return true;
    for (tree c : known)
        if (TREE_CODE(c) != REAL_CST || real_identical(&TREE_REAL_CST(c), &dconst2) ||
            real_identical(&TREE_REAL_CST(c), &dconstm1))
            return true;
    return false;
}

/* 2.0 ** n, which is exact? */
static bool is_power_of_two(gimple *g)
{
    tree base = gimple_call_arg(g, 0), exponent = gimple_call_arg(g, 1);
    gimple *d = TREE_CODE(exponent) == SSA_NAME ? SSA_NAME_DEF_STMT(exponent) : NULL;
    return TREE_CODE(base) == REAL_CST && real_identical(&TREE_REAL_CST(base), &dconst2) && d && is_gimple_assign(d) &&
           gimple_assign_rhs_code(d) == FLOAT_EXPR;
}

static cs_folds folds_of_power(gimple *g)
{
    if (is_power_of_two(g) || is_same_for_all(g))
        return CS_FOLDS_NEVER;
    return may_be_multiplied(gimple_call_arg(g, 1)) ? CS_FOLDS_LAST : CS_FOLDS_ALL;
}

cs_folds folds_of_complex(gimple *g)
{
    tree_code code = gimple_assign_rhs_code(g);
    tree type = TREE_TYPE(gimple_assign_lhs(g));
    bool real = TREE_CODE(type) == COMPLEX_TYPE && SCALAR_FLOAT_TYPE_P(TREE_TYPE(type));
    bool counts = opt_for_fn(cfun->decl, optimize) && real && (code == MULT_EXPR || code == RDIV_EXPR);
    return counts ? CS_FOLDS_ALL : CS_FOLDS_NEVER;
}

bool is_rounded_freely(gimple *g)
{
    return flag_unsafe_math_optimizations && gimple_call_builtin_p(g, BUILT_IN_NORMAL) &&
           is_rounded_otherwise(DECL_FUNCTION_CODE(gimple_call_fndecl(g)));
}

cs_folds folds_of(gimple *g)
{
    if (!opt_for_fn(cfun->decl, optimize) || !gimple_call_builtin_p(g, BUILT_IN_NORMAL))
        return CS_FOLDS_NEVER;
    built_in_function code = DECL_FUNCTION_CODE(gimple_call_fndecl(g));
    switch (code) {
        CASE_FLT_FN(BUILT_IN_POWI) : return CS_FOLDS_LAST;
        CASE_FLT_FN(BUILT_IN_POW) : return folds_of_power(g);
    case BUILT_IN_STRCMP:
    case BUILT_IN_STRNCMP:
    case BUILT_IN_STRCASECMP:
    case BUILT_IN_STRNCASECMP:
    case BUILT_IN_MEMCMP: return asks_sign_alone(g) ? CS_FOLDS_NEVER : CS_FOLDS_ALL;
    case BUILT_IN_CONSTANT_P: return asks_for_itself(g) ? CS_FOLDS_ASKED : CS_FOLDS_NEVER;
    case BUILT_IN_OBJECT_SIZE:
    case BUILT_IN_DYNAMIC_OBJECT_SIZE: return asks_for_itself(g) && !is_for_checks(g) ? CS_FOLDS_SIZE : CS_FOLDS_NEVER;
    default: return is_rounded_otherwise(code) && !is_same_for_all(g) ? CS_FOLDS_ALL : CS_FOLDS_NEVER;
    }
}

} // namespace cs_low
