/* SPDX-License-Identifier: GPL-3.0-or-later
 * Calls that GCC answers itself where it knows their arguments, with another answer than the library's: real functions,
 * which it rounds correctly (fold-const-call.cc, by MPFR and MPC), powers with a whole exponent, which it multiplies in
 * another order, the size of what a comparison of strings returns, and what asks GCC what it knows. */
#include "gcc-plugin/folds/folds.h"
#include "gcc-plugin/lower/lower_internal.h"

namespace cs_low {

/* Is it known which constants the arguments may be, and is the result the same for all of them, whoever computes it? */
static bool is_same_for_all(gimple *g)
{
    void *fn = cs_library_function(g);
    unsigned n = gimple_call_num_args(g);
    auto_vec<tree> a, b;
    if (!fn || n < 1 || n > 2 || !constants_of(gimple_call_arg(g, 0), &a) ||
        (n == 2 && !constants_of(gimple_call_arg(g, 1), &b)))
        return false;
    for (tree x : a)
        for (unsigned i = 0; i < (n == 2 ? b.length() : 1); i++) {
            tree args[] = {x, n == 2 ? b[i] : NULL_TREE};
            if (!cs_library_agrees(g, fn, args, n))
                return false;
        }
    return true;
}

/* May it be an exponent for which GCC multiplies or divides itself, 2 or -1? */
static bool may_be_multiplied(tree exponent)
{
    auto_vec<tree> known;
    if (!constants_of(exponent, &known))
        return true;
    for (tree c : known)
        if (TREE_CODE(c) != REAL_CST || cs_multiplied_for(c))
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
    return may_be_multiplied(gimple_call_arg(g, 1)) ? CS_FOLDS_EXPONENT : CS_FOLDS_OPERANDS;
}

cs_folds folds_of_complex(gimple *g)
{
    bool counts = cs_is_complex_product(g) && cs_is_product_computed(gimple_assign_rhs_code(g));
    return counts ? CS_FOLDS_OPERANDS : CS_FOLDS_NEVER;
}

/* What GCC answers where it knows the arguments, or enough of them. */
static cs_folds folds_of_answer(gimple *g)
{
    switch (cs_answered_as(g)) {
    case CS_ANSWERED_REAL: return is_same_for_all(g) ? CS_FOLDS_NEVER : CS_FOLDS_OPERANDS;
    case CS_ANSWERED_POWER: return folds_of_power(g);
    case CS_ANSWERED_WHOLE_POWER: return CS_FOLDS_EXPONENT;
    case CS_ANSWERED_STORED: return CS_FOLDS_STORED;
    case CS_ANSWERED_ORDER: return CS_FOLDS_OPERANDS;
    case CS_ANSWERED_ASKED: return CS_FOLDS_ASKED;
    case CS_ANSWERED_SIZE: return CS_FOLDS_SIZE;
    default: return CS_FOLDS_NEVER;
    }
}

cs_folds folds_of(gimple *g)
{
    cs_settled how = cs_settled_as(g);
    cs_folds answer = folds_of_answer(g);
    if (how == CS_SETTLED || (how == CS_SETTLED_INSIDE && !called_from_elsewhere(cfun->decl)))
        return CS_FOLDS_NEVER;
    if (how == CS_SETTLED_HERE)
        return cs_is_computed(gimple_call_fndecl(g)) ? CS_FOLDS_OPERANDS : CS_FOLDS_NEVER;
    if (how == CS_SETTLED_NOWHERE)
        return answer == CS_FOLDS_EXPONENT   ? CS_FOLDS_IF_EXPONENT
               : answer == CS_FOLDS_OPERANDS ? CS_FOLDS_IF_KNOWN
                                             : answer;
    return answer == CS_FOLDS_NEVER && how != CS_NOT_SETTLED ? CS_FOLDS_OPERANDS : answer; /* a twin is no built-in */
}

} // namespace cs_low
