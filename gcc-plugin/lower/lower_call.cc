/* SPDX-License-Identifier: GPL-3.0-or-later
 * Calls: their arguments, also hidden ones; their results; calls of GCC's internal functions.
 * Operands are lowered before the call, because a call may end its block and pseudo statements must not follow it. */
#include "gcc-plugin/folds/folds.h"
#include "gcc-plugin/lower/lower_internal.h"

#include "internal-fn.h"

#include <string>

namespace cs_low {

/* Index of the first hidden argument. There are two, behind the formal ones: the static chain, then the address of a
 * result that is returned by reference. */
int hidden_args(tree fntype)
{
    return prototype_p(fntype) && !stdarg_p(fntype) ? list_length(TYPE_ARG_TYPES(fntype)) - 1 : CS_BEHIND_VARIADIC;
}

/* Does the caller pass an address at which the callee builds the result? C++ classes that must not be copied byte by
 * byte are returned so. */
bool returns_by_reference(tree fntype)
{
    return TREE_ADDRESSABLE(TREE_TYPE(fntype));
}

/* Sets argument i of call s; arguments before it that are not set yet become none. */
static void set_arg(int s, int i, cs_operand op)
{
    gcc_assert(L->g->stmts[s].kind == CS_STMT_CALL && i >= 0);
    while (L->g->stmts[s].nuses <= i)
        cs_stmt_add_use(&L->g->stmts[s], cs_opnd_none());
    L->g->stmts[s].uses[i] = op;
}

/* A value becomes an operand. An argument in memory, or a struct, becomes a reference with the argument's index, and
 * none stands for it among the operands. */
static void lower_call_args(gimple *g, CallArgs *out)
{
    for (unsigned i = 0; i < gimple_call_num_args(g); i++) {
        tree a = gimple_call_arg(g, i);
        if (TREE_CODE(a) == WITH_SIZE_EXPR)
            a = TREE_OPERAND(a, 0);
        if (!is_memory(a) && AGGREGATE_TYPE_P(TREE_TYPE(a))) {
            out->ops.safe_push(cs_opnd_none());
            out->refs.safe_push(lower_as_object(a));
            out->ref_args.safe_push(i);
            continue;
        }
        if (!is_memory(a)) {
            out->ops.safe_push(lower_operand(a));
            continue;
        }
        Ref r;
        lower_ref(a, &r, false);
        out->ops.safe_push(cs_opnd_none());
        out->refs.safe_push(to_ref(&r));
        out->ref_args.safe_push(i);
        for (unsigned k = 0; k < r.index.length(); k++)
            out->index.safe_push(r.index[k]);
    }
}

/* An internal function whose result goes to memory is a store of what it computes from its arguments. */
static void lower_internal_store(gimple *g, tree lhs)
{
    Ref to;
    lower_ref(lhs, &to, false);
    int s = new_stmt(CS_STMT_STORE);
    note_origin(g, s);
    L->g->stmts[s].has_store = true;
    L->g->stmts[s].partial = true; /* perhaps not all of it */
    L->g->stmts[s].store = to_ref(&to);
    cs_stmt_add_use(&L->g->stmts[s], cs_opnd_none());
    for (unsigned i = 0; i < gimple_call_num_args(g); i++)
        add_uses_deep(s, gimple_call_arg(g, i));
    add_index_uses(s, &to);
}

/* May this internal function read or write memory? Then it is lowered to a call of the function `.NAME`, whose row in
 * the effects table says what it does. */
static bool uses_memory(gimple *g)
{
    return !(internal_fn_flags(gimple_call_internal_fn(g)) & (ECF_CONST | ECF_NOVOPS));
}

static void lower_internal_memory(gimple *g, tree lhs)
{
    CallArgs args;
    lower_call_args(g, &args);
    int f = named_func((std::string(".") + internal_fn_name(gimple_call_internal_fn(g))).c_str()),
        s = new_stmt(CS_STMT_CALL);
    note_origin(g, s);
    L->g->stmts[s].callee = cs_opnd_addr(L->g->funcs[f].obj, cs_pat_at(0));
    for (unsigned i = 0; i < args.ops.length(); i++)
        cs_stmt_add_use(&L->g->stmts[s], args.ops[i]);
    if (lhs)
        set_def(s, lhs);
}

/* The result is computed from the first `nargs` operands alone. Returns the statement, -1 if it is no value's. */
static int lower_computed(gimple *g, cs_op op, unsigned nargs)
{
    tree lhs = gimple_call_lhs(g);
    if (lhs && TREE_CODE(lhs) != SSA_NAME)
        lower_internal_store(g, lhs);
    if (!lhs || TREE_CODE(lhs) != SSA_NAME)
        return -1;
    int s = new_stmt(CS_STMT_ASSIGN);
    note_origin(g, s);
    set_def(s, lhs);
    L->g->stmts[s].op = op;
    for (unsigned i = 0; i < nargs; i++)
        add_uses_deep(s, gimple_call_arg(g, i));
    return s;
}

static void lower_internal_call(gimple *g)
{
    tree lhs = gimple_call_lhs(g);
    if (gimple_call_internal_p(g, IFN_VA_ARG)) {
        lower_va_arg(g);
        return;
    }
    if (uses_memory(g) && (!lhs || TREE_CODE(lhs) == SSA_NAME)) {
        lower_internal_memory(g, lhs);
        return;
    }
    bool expect = lhs && TREE_CODE(lhs) == SSA_NAME && gimple_call_internal_p(g, IFN_BUILTIN_EXPECT);
    if (expect && is_predicted_failure(g)) {
        int s = lower_computed(g, CS_OP_COPY, 0); /* first: it may move the graph's arrays */
        cs_stmt_add_use(&L->g->stmts[s], cs_opnd_const(0));
        return;
    }
    cs_op computes = lhs && holds_pointer(TREE_TYPE(lhs)) ? CS_OP_MIX : CS_OP_OTHER;
    lower_computed(g, expect ? CS_OP_COPY : computes, expect ? 1 : gimple_call_num_args(g));
}

/* A function of the processor that computes from its operands alone, as most of SSE's. */
static bool is_processors_own(gimple *g)
{
    tree decl = gimple_call_fndecl(g);
    return decl && fndecl_built_in_p(decl, BUILT_IN_MD) && (gimple_call_flags(g) & ECF_CONST);
}

static void lower_processors_own(gimple *g)
{
    tree lhs = gimple_call_lhs(g);
    cs_op computes = lhs && holds_pointer(TREE_TYPE(lhs)) ? CS_OP_MIX : CS_OP_OTHER;
    int s = lower_computed(g, computes, gimple_call_num_args(g));
    if (s >= 0 && FLOAT_TYPE_P(TREE_TYPE(lhs)))
        L->g->stmts[s].rounding = CS_ROUNDING_MODE;
}

/* Calls the function that picks the real one when the program starts (an ifunc's resolver). Returns its result. */
static cs_operand call_resolver(tree resolver)
{
    int f = func_obj(resolver), v = cs_graph_add_value(L->g, L->func), s = pseudo_stmt(CS_STMT_CALL);
    L->g->stmts[s].callee = cs_opnd_addr(f, cs_pat_at(0));
    L->g->stmts[s].def = v;
    L->g->values[v].def = s;
    return cs_opnd_value(v);
}

/* Calls that the graph shows as something else. False: g is none of them. */
static bool lower_special_call(gimple *g)
{
    if (gimple_call_internal_p(g))
        lower_internal_call(g);
    else if (is_processors_own(g))
        lower_processors_own(g);
    else if (gimple_call_builtin_p(g, BUILT_IN_INIT_TRAMPOLINE) ||
             gimple_call_builtin_p(g, BUILT_IN_INIT_HEAP_TRAMPOLINE))
        lower_init_trampoline(g);
    else if (gimple_call_builtin_p(g, BUILT_IN_VA_START))
        lower_va_start(g);
    else if (gimple_call_builtin_p(g, BUILT_IN_ADJUST_TRAMPOLINE))
        lower_adjust_trampoline(g);
    else
        return false;
    return true;
}

/* What is called. *decl, the function if it is named, becomes NULL where a resolver chooses one. */
static cs_operand lower_callee(gimple *g, tree *decl)
{
    tree fn = gimple_call_fn(g), resolver = *decl ? resolver_of(*decl) : NULL_TREE;
    if (resolver) {
        *decl = NULL_TREE;
        return call_resolver(resolver);
    }
    if (*decl)
        return cs_opnd_addr(func_obj(*decl), cs_pat_at(0));
    if (TREE_CODE(fn) != OBJ_TYPE_REF)
        return lower_operand(fn);
    named_func(CS_LIBRARY_VIRTUAL); /* points-to finds whether it is one */
    return lower_operand(OBJ_TYPE_REF_EXPR(fn));
}

static int new_call(gimple *g, cs_operand callee, const CallArgs *args)
{
    int s = new_stmt(CS_STMT_CALL);
    note_origin(g, s);
    L->g->stmts[s].callee = callee;
    for (unsigned i = 0; i < args->ops.length(); i++)
        cs_stmt_add_use(&L->g->stmts[s], args->ops[i]);
    for (unsigned i = 0; i < args->refs.length(); i++)
        cs_stmt_add_arg_load(&L->g->stmts[s], args->ref_args[i], args->refs[i]);
    for (unsigned i = 0; i < args->index.length(); i++)
        if (TREE_CODE(args->index[i]) == SSA_NAME && !is_unset(args->index[i]))
            cs_stmt_add_index(&L->g->stmts[s], value_of(args->index[i]));
    return s;
}

/* A call: its callee, arguments, and where the result goes. A result that does not fit registers is returned by
 * reference: the caller passes its address as a hidden argument, behind that of the static chain. */
void lower_call(gimple *g)
{
    if (lower_special_call(g))
        return;
    tree lhs = gimple_call_lhs(g), decl = gimple_call_fndecl(g);
    tree fntype = decl ? TREE_TYPE(decl) : gimple_call_fntype(g);
    cs_operand callee = lower_callee(g, &decl), chain = cs_opnd_none();
    CallArgs args;
    Ref result;
    lower_call_args(g, &args);
    add_named(g, &args);
    if (gimple_call_chain(g))
        chain = lower_operand(gimple_call_chain(g));
    if (lhs && TREE_CODE(lhs) != SSA_NAME)
        lower_ref(lhs, &result, false);
    bool by_ref = lhs && TREE_CODE(lhs) != SSA_NAME && returns_by_reference(fntype), body = decl && has_body(decl);
    cs_operand slot = by_ref ? lower_address(lhs) : cs_opnd_none();
    /* An object from a library may point to itself, as a short std::string does. */
    if (by_ref && !body)
        store_pseudo(slot, CS_SIZE_UNKNOWN, slot);
    if (body || !decl)
        pass_variadic(g, fntype, body ? func_of(decl) : -1, &args);
    int s = new_call(g, callee, &args);
    if (!decl) {
        int family = family_of(g); /* first: it may move the graph's arrays */
        L->g->stmts[s].family = family;
    }
    L->g->stmts[s].folds = folds_of(g);
    L->g->stmts[s].rounding = rounding_of_call(g);
    if (gimple_call_chain(g))
        set_arg(s, hidden_args(fntype), chain);
    if (by_ref && (body || !decl))
        set_arg(s, hidden_args(fntype) + 1, slot);
    if (!lhs || (by_ref && body))
        return;
    if (TREE_CODE(lhs) == SSA_NAME) {
        set_def(s, lhs);
        return;
    }
    L->g->stmts[s].has_store = true;
    L->g->stmts[s].store = to_ref(&result);
    add_index_uses(s, &result);
}

} // namespace cs_low
