/* SPDX-License-Identifier: GPL-3.0-or-later
 * Lifts counts to the callers; lift.h.
 *     subroutine fill(n, x)                     do k = 1, steps
 *       do i = 1, n            becomes            commslice_count(7, 2 * m)
 *                                                 call fill(2 * m, x)
 * All calls of such a function are known, it makes no recorded MPI calls, and it comes back by returning, so that its
 * counts belong to the same segment in front of the call. */
#include "gcc-plugin/count/lift.h"

#include "gcc-plugin/count/count_expression.h"
#include "gcc-plugin/count/trips.h"
#include "gcc-plugin/count/value_before.h"

#include <set>

namespace {

enum { CALLS = 16 }; /* at most so many calls of a function take its counts */

std::vector<cgraph_node *> bottom_up;
std::set<cgraph_node *> seen, done, in_circle, chosen;

/* Is every call of it seen? */
bool is_called_by_name(cgraph_node *n)
{
    ipa_ref *ref;
    for (unsigned i = 0; n->iterate_referring(i, ref); i++)
        return false;
    return (!TREE_PUBLIC(n->decl) || n->resolution == LDPR_PREVAILING_DEF_IRONLY) && !n->address_taken &&
           !n->force_output && !n->forced_by_abi && !DECL_STATIC_CONSTRUCTOR(n->decl) &&
           !DECL_STATIC_DESTRUCTOR(n->decl) && !MAIN_NAME_P(DECL_NAME(n->decl)) && !DECL_STATIC_CHAIN(n->decl);
}

/* Are its arguments what it is given? */
bool fits(gcall *call, tree callee)
{
    unsigned i = 0;
    for (tree p = DECL_ARGUMENTS(callee); p; p = DECL_CHAIN(p), i++)
        if (i >= gimple_call_num_args(call) ||
            !useless_type_conversion_p(TREE_TYPE(p), TREE_TYPE(gimple_call_arg(call, i))))
            return false;
    return true;
}

bool all_calls_fit(cgraph_node *n)
{
    int calls = 0;
    for (cgraph_edge *e = n->callers; e; e = e->next_caller, calls++)
        if (!e->call_stmt || e->caller->thunk || gimple_call_fndecl(e->call_stmt) != n->decl ||
            !fits(e->call_stmt, n->decl))
            return false;
    return calls > 0 && calls <= CALLS;
}

bool has_body(cgraph_node *n)
{
    return !n->alias && !n->thunk && !n->inlined_to && gimple_has_body_p(n->decl) && DECL_STRUCT_FUNCTION(n->decl) &&
           DECL_STRUCT_FUNCTION(n->decl)->cfg;
}

/* Circles go through a function that is seen and not done yet. */
void visit(cgraph_node *n)
{
    seen.insert(n);
    for (cgraph_edge *e = n->callees; e; e = e->next_callee) {
        cgraph_node *to = e->callee->ultimate_alias_target();
        if (!seen.count(to))
            visit(to);
        else if (!done.count(to))
            in_circle.insert(to);
    }
    done.insert(n);
    if (has_body(n))
        bottom_up.push_back(n);
}

/* Can it leave the function in another way than by returning? */
bool may_throw(cgraph_node *n)
{
    bool throws = false;
    basic_block bb;
    push_cfun(DECL_STRUCT_FUNCTION(n->decl));
    if (flag_exceptions)
        FOR_EACH_BB_FN (bb, cfun)
            for (gimple_stmt_iterator i = gsi_start_bb(bb); !gsi_end_p(i); gsi_next(&i))
                throws |= stmt_can_throw_external(cfun, gsi_stmt(i));
    pop_cfun();
    return throws;
}

/* What a function's parameter is at the call. */
tree argument(gcall *call, tree callee, tree parameter)
{
    unsigned i = 0;
    for (tree p = DECL_ARGUMENTS(callee); p != parameter; p = DECL_CHAIN(p))
        i++;
    return gimple_call_arg(call, i);
}

bool is_parameter(tree name)
{
    return SSA_NAME_IS_DEFAULT_DEF(name) && SSA_NAME_VAR(name) && TREE_CODE(SSA_NAME_VAR(name)) == PARM_DECL;
}

/* For walk_tree: what means something in its own function only. */
tree find_own(tree *t, int *deeper, void *)
{
    if (TREE_CODE(*t) == SSA_NAME) {
        *deeper = 0;
        return cs_lift_can(*t) ? NULL_TREE : *t;
    }
    if (TYPE_P(*t)) {
        *deeper = 0;
        return NULL_TREE;
    }
    bool own = (DECL_P(*t) && auto_var_in_fn_p(*t, cfun->decl)) || TREE_CODE(*t) == LABEL_DECL;
    return own || (TREE_TYPE(*t) && variably_modified_type_p(TREE_TYPE(*t), cfun->decl)) ? *t : NULL_TREE;
}

/* A copy in front of `call`: `copied` has what names of the callee are there. */
struct Copy {
    gimple_seq *seq;
    gcall *call;
    tree callee;
    std::map<tree, tree> *copied;
};

tree copy_name(const Copy *c, tree name);

/* For walk_tree: replaces names. */
tree replace(tree *t, int *deeper, void *data)
{
    if (TYPE_P(*t))
        *deeper = 0;
    if (TREE_CODE(*t) == MEM_REF) /* GCC knows there, in the callee, which pointers differ */
        MR_DEPENDENCE_CLIQUE(*t) = MR_DEPENDENCE_BASE(*t) = 0;
    if (TREE_CODE(*t) == SSA_NAME) {
        *t = copy_name((const Copy *)data, *t);
        *deeper = 0;
    }
    return NULL_TREE;
}

/* MEM[&x] as x, or as its value if that never changes, or as what was stored there for the call. */
tree simpler(const Copy *c, tree t)
{
    if (TREE_CODE(t) != MEM_REF || TREE_CODE(TREE_OPERAND(t, 0)) != ADDR_EXPR || !integer_zerop(TREE_OPERAND(t, 1)))
        return t;
    tree x = TREE_OPERAND(TREE_OPERAND(t, 0), 0), constant = fold_const_aggregate_ref(t);
    if (constant && is_gimple_min_invariant(constant))
        return constant;
    if (!types_compatible_p(TREE_TYPE(x), TREE_TYPE(t)))
        return t;
    tree stored =
        VAR_P(x) && single_pred_p(gimple_bb(c->call)) ? cs_stored_last(single_pred(gimple_bb(c->call)), x) : NULL_TREE;
    return stored ? stored : unshare_expr(x);
}

tree copy_operand(const Copy *c, tree t)
{
    if (!t)
        return NULL_TREE;
    t = unshare_expr(t);
    walk_tree(&t, replace, const_cast<Copy *>(c), NULL);
    return simpler(c, t);
}

/* The address of a variable in which a whole T is, where the address has type T *. It may be read at any time. */
bool is_variable_at(tree type, tree address)
{
    tree v = TREE_CODE(address) == ADDR_EXPR ? TREE_OPERAND(address, 0) : NULL_TREE;
    return v && VAR_P(v) && is_gimple_min_invariant(address) && POINTER_TYPE_P(type) && DECL_SIZE_UNIT(v) &&
           TYPE_SIZE_UNIT(TREE_TYPE(type)) && tree_int_cst_le(TYPE_SIZE_UNIT(TREE_TYPE(type)), DECL_SIZE_UNIT(v));
}

/* What the operation gives if that is a constant or a name; an address may be read where the program does not read it,
 * if a variable is there. Else NULL_TREE. */
tree constant_of(tree_code code, tree type, tree x, tree y, tree z)
{
    if (get_gimple_rhs_class(code) == GIMPLE_SINGLE_RHS)
        return is_gimple_val(x) ? x : NULL_TREE;
    if (code == COND_EXPR && cs_is_zero_place(z) && is_variable_at(type, y))
        return y;
    if (TREE_CODE(x) != INTEGER_CST)
        return NULL_TREE;
    if (code == COND_EXPR)
        return integer_zerop(x) ? z : y;
    if (y && TREE_CODE(y) != INTEGER_CST)
        return NULL_TREE;
    tree known = z ? NULL_TREE : y ? fold_binary(code, type, x, y) : fold_unary(code, type, x);
    return known && TREE_CODE(known) == INTEGER_CST ? known : NULL_TREE;
}

tree copy_name(const Copy *c, tree name)
{
    if (is_parameter(name))
        return unshare_expr(argument(c->call, c->callee, SSA_NAME_VAR(name)));
    if (c->copied->count(name))
        return (*c->copied)[name];
    gimple *def = SSA_NAME_DEF_STMT(name);
    tree_code code = gimple_assign_rhs_code(def);
    tree x = copy_operand(c, gimple_assign_rhs1(def)), y = copy_operand(c, gimple_assign_rhs2(def)),
         z = copy_operand(c, gimple_assign_rhs3(def)), known = constant_of(code, TREE_TYPE(name), x, y, z);
    if (known)
        return known;
    tree to = make_ssa_name(TREE_TYPE(name));
    gimple_seq_add_stmt(c->seq, get_gimple_rhs_class(code) == GIMPLE_SINGLE_RHS
                                    ? gimple_build_assign(to, x)
                                    : gimple_build_assign(to, code, x, y, z));
    return (*c->copied)[name] = to;
}

} // namespace

const std::vector<cgraph_node *> &cs_lift_choose()
{
    cgraph_node *n;
    bool jumps = false;
    FOR_EACH_FUNCTION_WITH_GIMPLE_BODY (n) {
        if (has_body(n) && !seen.count(n))
            visit(n);
        jumps |= has_body(n) && DECL_STRUCT_FUNCTION(n->decl)->calls_setjmp;
    }
    for (unsigned i = 0; i < bottom_up.size(); i++)
        if (!jumps && is_called_by_name(bottom_up[i]) && all_calls_fit(bottom_up[i]) &&
            !in_circle.count(bottom_up[i]) && !may_throw(bottom_up[i]))
            chosen.insert(bottom_up[i]);
    return bottom_up;
}

bool cs_lift_may(cgraph_node *n)
{
    return chosen.count(n);
}

bool cs_lift_can(tree t)
{
    if (is_gimple_min_invariant(t))
        return true;
    if (TREE_CODE(t) != SSA_NAME)
        return false;
    if (is_parameter(t))
        return true;
    gimple *def = SSA_NAME_DEF_STMT(t);
    bool can = is_gimple_assign(def);
    for (unsigned i = 1; can && i < gimple_num_ops(def); i++) {
        tree op = gimple_op(def, i);
        can = !op || !walk_tree(&op, find_own, NULL, NULL);
    }
    return can;
}

tree cs_lift_copy(gimple_seq *seq, tree value, gcall *call, tree callee, std::map<tree, tree> *copied)
{
    gcc_assert(gsi_stmt(gsi_start_nondebug_after_labels_bb(gimple_bb(call))) == call);
    Copy c = {seq, call, callee, copied};
    return copy_operand(&c, value);
}
