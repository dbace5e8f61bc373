/* SPDX-License-Identifier: GPL-3.0-or-later
 * The assumption that allocations succeed, in Fortran: finds the edges that are taken only when ALLOCATE gets no
 * memory. When the variable is allocated already, gfortran sets the same error number behind a test that it predicts as
 * unlikely, too; but that does happen, and programs ask for it by stat=. So gfortran's prediction is not enough: the
 * test must be about a size, or about whether new memory is null. */
#include "gcc-plugin/lower/lower_internal.h"

namespace cs_low {

static bool is_allocation_error(tree t)
{
    int64_t c;
    return constant_of(t, &c) && c == 5014; /* LIBERROR_ALLOCATION */
}

/* ---- tests that never hold ---- */

static gimple *definition(tree t)
{
    return TREE_CODE(t) == SSA_NAME ? SSA_NAME_DEF_STMT(t) : NULL;
}

/* The value that a load reads, if the last statement before it in its block that may change memory stored to the same
 * place; otherwise NULL. */
static tree stored_before(gimple *load)
{
    gimple_stmt_iterator i = gsi_for_stmt(load);
    for (gsi_prev(&i); !gsi_end_p(i); gsi_prev(&i)) {
        gimple *s = gsi_stmt(i);
        if (is_gimple_debug(s) || gimple_clobber_p(s) || (is_gimple_assign(s) && !gimple_store_p(s)))
            continue;
        bool there = gimple_assign_single_p(s) && operand_equal_p(gimple_assign_lhs(s), gimple_assign_rhs1(load), 0);
        return there ? gimple_assign_rhs1(s) : NULL_TREE;
    }
    return NULL_TREE;
}

/* Has malloc, calloc or realloc just returned this? gfortran stores the result in the variable and tests the variable;
 * if nothing is optimised, that is a load. */
static bool is_new_memory(tree t)
{
    for (int depth = 0; t && depth < 8; depth++) {
        gimple *d = definition(t);
        if (!d)
            return false;
        if (gimple_call_builtin_p(d, BUILT_IN_MALLOC) || gimple_call_builtin_p(d, BUILT_IN_CALLOC) ||
            gimple_call_builtin_p(d, BUILT_IN_REALLOC))
            return true;
        bool copy = is_gimple_assign(d) &&
                    (CONVERT_EXPR_CODE_P(gimple_assign_rhs_code(d)) || gimple_assign_rhs_code(d) == SSA_NAME);
        t = copy ? gimple_assign_rhs1(d) : gimple_assign_load_p(d) ? stored_before(d) : NULL_TREE;
    }
    return false;
}

/* Does `lhs code rhs` say that new memory is null? */
static bool is_failed_call(tree_code code, tree lhs, tree rhs)
{
    return code == EQ_EXPR && POINTER_TYPE_P(TREE_TYPE(lhs)) && integer_zerop(rhs) && is_new_memory(lhs);
}

static tree unconverted(tree t)
{
    gimple *d = definition(t);
    for (int depth = 0; depth < 6 && d && is_gimple_assign(d) && CONVERT_EXPR_CODE_P(gimple_assign_rhs_code(d));
         depth++) {
        t = gimple_assign_rhs1(d);
        d = definition(t);
    }
    return t;
}

static bool is_failed_call(tree t)
{
    gimple *d = definition(unconverted(t));
    return d && is_gimple_assign(d) && TREE_CODE_CLASS(gimple_assign_rhs_code(d)) == tcc_comparison &&
           is_failed_call(gimple_assign_rhs_code(d), gimple_assign_rhs1(d), gimple_assign_rhs2(d));
}

/* gfortran predicts two other tests as failed allocations: whether the left side of a polymorphic assignment is
 * allocated, and whether stat= of DEALLOCATE reports an error. So that prediction counts only for a test of new memory.
 */
bool is_predicted_failure(gimple *expect)
{
    int64_t p;
    if (gimple_call_num_args(expect) != 3 || !constant_of(gimple_call_arg(expect, 2), &p))
        return false;
    return p == PRED_FORTRAN_OVERFLOW || (p == PRED_FORTRAN_FAIL_ALLOC && is_failed_call(gimple_call_arg(expect, 0)));
}

/* Does this condition hold only if an allocation fails? It is false itself, gfortran's test of a size that overflows,
 * or a test whether new memory is null. */
static bool is_failure_test(tree t)
{
    int64_t p;
    t = unconverted(t);
    if (TREE_CODE(t) == INTEGER_CST)
        return integer_zerop(t);
    gimple *d = definition(t);
    if (!d || !gimple_call_internal_p(d, IFN_BUILTIN_EXPECT))
        return is_failed_call(t);
    if (gimple_call_num_args(d) != 3 || !constant_of(gimple_call_arg(d, 2), &p))
        return false;
    return p == PRED_FORTRAN_OVERFLOW || is_failed_call(gimple_call_arg(d, 0));
}

/* The comparison that holds on this edge. */
static tree_code code_on(edge e, gcond *c)
{
    return (e->flags & EDGE_TRUE_VALUE) ? gimple_cond_code(c) : invert_tree_comparison(gimple_cond_code(c), false);
}

static bool is_failure(edge e, gcond *c)
{
    if (is_failed_call(code_on(e, c), gimple_cond_lhs(c), gimple_cond_rhs(c)))
        return true;
    return code_on(e, c) == NE_EXPR && integer_zerop(gimple_cond_rhs(c)) && is_failure_test(gimple_cond_lhs(c));
}

/* Is this a variable of gfortran's own, or a value without a variable? */
static bool is_own(tree name)
{
    return TREE_CODE(name) == SSA_NAME && (!SSA_NAME_VAR(name) || DECL_ARTIFICIAL(SSA_NAME_VAR(name)));
}

/* Is the edge taken when a number of gfortran's own is not 0? When nothing is optimised, its tests of sizes look like
 * this; they have no prediction then. */
static bool may_be_overflow(edge e, gcond *c)
{
    tree lhs = gimple_cond_lhs(c);
    return code_on(e, c) == NE_EXPR && integer_zerop(gimple_cond_rhs(c)) && INTEGRAL_TYPE_P(TREE_TYPE(lhs)) &&
           is_own(lhs);
}

/* ---- the error that follows ---- */

static bool is_set_to(tree name, bool (*what)(tree))
{
    gimple *d = definition(name);
    return d && gimple_assign_single_p(d) && what(gimple_assign_rhs1(d));
}

static bool is_zero(tree t)
{
    return integer_zerop(t);
}

/* Does this PHI merge 0 with the error number, which was set on a way on which the 0 had been set before? The result of
 * ALLOCATE is made so. The two values of a MERGE() are set on different ways. */
static bool merges_result(gphi *phi)
{
    for (unsigned z = 0; z < gimple_phi_num_args(phi); z++)
        for (unsigned e = 0; is_set_to(gimple_phi_arg_def(phi, z), is_zero) && e < gimple_phi_num_args(phi); e++) {
            if (!is_set_to(gimple_phi_arg_def(phi, e), is_allocation_error))
                continue;
            basic_block zero = gimple_bb(definition(gimple_phi_arg_def(phi, z))),
                        error = gimple_bb(definition(gimple_phi_arg_def(phi, e)));
            if (zero != error && dominated_by_p(CDI_DOMINATORS, error, zero))
                return true;
        }
    return false;
}

/* Is this the result of an ALLOCATE? It is a variable of gfortran's own and has no name to know it by, so the PHI that
 * uses it decides. The error number alone does not: a program may use it for something else. */
static bool is_result(tree name)
{
    use_operand_p use;
    imm_use_iterator it;
    bool result = false;
    if (!is_own(name))
        return false;
    calculate_dominance_info(CDI_DOMINATORS);
    FOR_EACH_IMM_USE_FAST(use, it, name)
    if (gimple_code(USE_STMT(use)) == GIMPLE_PHI)
        result |= merges_result(as_a<gphi *>(USE_STMT(use)));
    free_dominance_info(CDI_DOMINATORS);
    return result;
}

/* Is setting the error number the first thing that happens behind this edge? With result_only, which is for tests that
 * do not tell enough, it must be set in the result of an ALLOCATE. */
static bool sets_error(edge e, bool result_only, int depth)
{
    bool empty = true;
    for (gphi_iterator i = gsi_start_phis(e->dest); !gsi_end_p(i) && !result_only; gsi_next(&i))
        if (is_allocation_error(gimple_phi_arg_def(i.phi(), e->dest_idx)))
            return true;
    for (gimple_stmt_iterator i = gsi_start_bb(e->dest); !gsi_end_p(i); gsi_next(&i)) {
        gimple *s = gsi_stmt(i);
        if (gimple_assign_single_p(s) && is_allocation_error(gimple_assign_rhs1(s)))
            return !result_only || is_result(gimple_assign_lhs(s));
        empty &= gimple_code(s) == GIMPLE_LABEL || is_gimple_debug(s) || gimple_clobber_p(s);
    }
    return empty && depth < 6 && single_succ_p(e->dest) &&
           sets_error(single_succ_edge(e->dest), result_only, depth + 1);
}

bool is_failed_allocation(edge e)
{
    gimple *last = last_nondebug_stmt(e->src);
    gcond *c = last ? dyn_cast<gcond *>(last) : NULL;
    if (!c)
        return false;
    if (is_failure(e, c))
        return sets_error(e, false, 0);
    return may_be_overflow(e, c) && sets_error(e, true, 0);
}

} // namespace cs_low
