/* SPDX-License-Identifier: GPL-3.0-or-later
 * Functions that a call of another form may reach: the program casts their address, or a pointer that leads to
 * functions of their form. A cast shows where a value goes to something of another type: GIMPLE has no others between
 * pointers to functions. What is stored as one type and read as another one, other than in a union, is not seen. */
#include "gcc-plugin/lower/lower_internal.h"

namespace cs_low {

/* The type of the functions that pointers of this type lead to, or NULL. */
static tree leads_to(tree type)
{
    return type && POINTER_TYPE_P(type) && FUNC_OR_METHOD_TYPE_P(TREE_TYPE(type)) ? TREE_TYPE(type) : NULL_TREE;
}

/* A call of a method by a pointer asks whether that is odd, and loads the address from a table as one of int (). */
static bool of_method_call(tree from, tree to, tree type)
{
    return TREE_CODE(from) == METHOD_TYPE ? INTEGRAL_TYPE_P(type) : to && TREE_CODE(to) == METHOD_TYPE;
}

static bool read_from_union(tree val)
{
    return TREE_CODE(val) == COMPONENT_REF && TREE_CODE(TREE_TYPE(TREE_OPERAND(val, 0))) == UNION_TYPE;
}

/* What is loaded from a table of virtual functions has no arguments declared. */
static void cast_form(const std::string &form)
{
    L->cast_forms.insert(form);
    if (form == "any")
        L->cast_forms.insert("method");
}

void note_flow(tree val, tree type)
{
    tree to = leads_to(type);
    if (!val || !type)
        return;
    while (CONVERT_EXPR_P(val) || TREE_CODE(val) == VIEW_CONVERT_EXPR)
        val = TREE_OPERAND(val, 0);
    if (TREE_CODE(val) == ADDR_EXPR && TREE_CODE(TREE_OPERAND(val, 0)) == FUNCTION_DECL) {
        tree decl = TREE_OPERAND(val, 0);
        if (!to || form_of(to) != form_of(TREE_TYPE(decl)))
            cs_intset_add(&L->cast, func_of(decl));
        return;
    }
    tree from = leads_to(TREE_TYPE(val));
    if (to && TREE_CODE(val) != INTEGER_CST && (!from || read_from_union(val)))
        L->open_forms.insert(form_of(to));
    if (from && (!to || form_of(to) != form_of(from)) && !of_method_call(from, to, type))
        cast_form(form_of(from));
}

static void note_assign(gimple *g)
{
    for (unsigned i = 1; i < gimple_num_ops(g); i++) {
        tree op = gimple_op(g, i);
        if (TREE_CODE_CLASS(gimple_assign_rhs_code(g)) != tcc_comparison)
            note_flow(op, TREE_TYPE(gimple_assign_lhs(g)));
        for (unsigned k = 0; op && TREE_CODE(op) == CONSTRUCTOR && k < CONSTRUCTOR_NELTS(op); k++)
            note_flow(CONSTRUCTOR_ELT(op, k)->value, TREE_TYPE(TREE_TYPE(op)));
    }
}

static void note_call(gimple *g)
{
    tree type = gimple_call_internal_p(g) ? NULL_TREE : gimple_call_fntype(g), lhs = gimple_call_lhs(g);
    tree arg = type ? TYPE_ARG_TYPES(type) : NULL_TREE, fn = gimple_call_fn(g);
    for (unsigned i = 0; i < gimple_call_num_args(g); i++, arg = arg ? TREE_CHAIN(arg) : NULL_TREE)
        note_flow(gimple_call_arg(g, i), arg ? TREE_VALUE(arg) : void_type_node);
    if (type && fn && TREE_CODE(fn) != OBJ_TYPE_REF && TREE_CODE(fn) != ADDR_EXPR)
        note_flow(fn, build_pointer_type(type));
    tree gives = type ? leads_to(TREE_TYPE(type)) : NULL_TREE, to = lhs ? leads_to(TREE_TYPE(lhs)) : NULL_TREE;
    if (gives && lhs && (!to || form_of(to) != form_of(gives)))
        cast_form(form_of(gives));
}

void note_flows(gimple *g)
{
    if (is_gimple_assign(g))
        note_assign(g);
    else if (is_gimple_call(g))
        note_call(g);
    else if (gimple_code(g) == GIMPLE_RETURN && gimple_return_retval(as_a<greturn *>(g)))
        note_flow(gimple_return_retval(as_a<greturn *>(g)), TREE_TYPE(TREE_TYPE(cfun->decl)));
    else if (gimple_code(g) == GIMPLE_PHI)
        for (unsigned i = 0; i < gimple_phi_num_args(g); i++)
            note_flow(gimple_phi_arg_def(g, i), TREE_TYPE(gimple_phi_result(g)));
}

/* Calls of these forms may reach any function. */
static void open_calls()
{
    for (int s = 0; s < L->g->nstmts; s++)
        for (const std::string &form : L->open_forms) {
            auto it = L->forms.find(form);
            if (it != L->forms.end() && L->g->stmts[s].kind == CS_STMT_CALL && L->g->stmts[s].family == it->second)
                L->g->stmts[s].family = -1;
        }
}

void open_casts()
{
    open_calls();
    cgraph_node *n;
    FOR_EACH_DEFINED_FUNCTION(n)
    {
        int f = func_of(n->decl); /* first: it may move the graph's arrays */
        if (cs_intset_has(&L->cast, f) || L->cast_forms.count(form_of(TREE_TYPE(n->decl))))
            cs_intset_add(&L->g->funcs[f].families, CS_ANY_FORM);
    }
    cs_intset_free(&L->cast);
}

} // namespace cs_low
