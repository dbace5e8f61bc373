/* SPDX-License-Identifier: GPL-3.0-or-later
 * Ways into a function that no argument list shows: variadic arguments, trampolines of nested functions, thunks.
 * A va_list points to an object that holds what the callers passed; a trampoline hands on the static chain through
 * another. */
#include "gcc-plugin/lower/lower_internal.h"

#include "alloc-pool.h"
#include "symbol-summary.h"
#include "symtab-thunks.h"

namespace cs_low {

/* The object through which a trampoline hands the static chain to this function. */
int chain_obj(int func)
{
    auto it = L->chains.find(func);
    if (it != L->chains.end())
        return it->second;
    int o = cs_graph_add_obj(L->g, CS_OBJ_GLOBAL, "static chain", POINTER_SIZE_UNITS);
    return L->chains[func] = o;
}

static int variadic_obj(int func)
{
    auto it = L->variadic.find(func);
    if (it != L->variadic.end())
        return it->second;
    int o = cs_graph_add_obj(L->g, CS_OBJ_GLOBAL, "variadic arguments", CS_SIZE_UNKNOWN);
    return L->variadic[func] = o;
}

void pass_variadic(gimple *g, tree fntype, int func, const CallArgs *args)
{
    if (prototype_p(fntype) && !stdarg_p(fntype))
        return;
    unsigned n = prototype_p(fntype) ? list_length(TYPE_ARG_TYPES(fntype)) : 0;
    if (n >= args->ops.length())
        return;
    cs_operand to = cs_opnd_addr(variadic_obj(func), cs_pat_any());
    for (unsigned i = n; i < args->ops.length(); i++)
        store_pseudo(to, CS_SIZE_UNKNOWN, args->ops[i]);
    for (unsigned k = 0; k < args->refs.length(); k++) {
        if (args->ref_args[k] < (int)n)
            continue;
        int s = pseudo_stmt(CS_STMT_COPY);
        L->g->stmts[s].has_store = L->g->stmts[s].has_load = true;
        L->g->stmts[s].store = {to, cs_pat_at(0), CS_SIZE_UNKNOWN};
        L->g->stmts[s].load = args->refs[k];
    }
}

void lower_va_start(gimple *g)
{
    cs_operand list = lower_operand(gimple_call_arg(g, 0));
    cs_operand ops[] = {cs_opnd_none(), cs_opnd_addr(variadic_obj(L->func), cs_pat_any()),
                        cs_opnd_addr(variadic_obj(-1), cs_pat_any())};
    int v = cs_graph_add_value(L->g, L->func), s = pseudo_stmt(CS_STMT_ASSIGN);
    L->g->stmts[s].op = CS_OP_SELECT;
    L->g->stmts[s].def = v;
    L->g->values[v].def = s;
    for (int i = 0; i < 3; i++)
        cs_stmt_add_use(&L->g->stmts[s], ops[i]);
    s = new_stmt(CS_STMT_STORE);
    note_origin(g, s);
    L->g->stmts[s].has_store = true;
    L->g->stmts[s].store = {list, cs_pat_any(), CS_SIZE_UNKNOWN};
    cs_stmt_add_use(&L->g->stmts[s], cs_opnd_value(v));
}

static int load_any(cs_operand base)
{
    int v = cs_graph_add_value(L->g, L->func), s = pseudo_stmt(CS_STMT_LOAD);
    L->g->stmts[s].def = v;
    L->g->values[v].def = s;
    L->g->stmts[s].has_load = true;
    L->g->stmts[s].load = {base, cs_pat_any(), CS_SIZE_UNKNOWN};
    return v;
}

void lower_va_arg(gimple *g)
{
    tree lhs = gimple_call_lhs(g);
    Ref to;
    cs_operand list = lower_operand(gimple_call_arg(g, 0));
    int found = load_any(cs_opnd_value(load_any(list)));
    int f = named_func("__builtin_va_arg");
    if (lhs && TREE_CODE(lhs) != SSA_NAME)
        lower_ref(lhs, &to, false);
    int s = new_stmt(CS_STMT_CALL);
    note_origin(g, s);
    L->g->stmts[s].callee = cs_opnd_addr(L->g->funcs[f].obj, cs_pat_at(0));
    cs_stmt_add_use(&L->g->stmts[s], list);
    cs_stmt_add_use(&L->g->stmts[s], cs_opnd_value(found));
    if (!lhs)
        return;
    if (TREE_CODE(lhs) == SSA_NAME) {
        set_def(s, lhs);
        return;
    }
    L->g->stmts[s].has_store = true;
    L->g->stmts[s].store = to_ref(&to);
    add_index_uses(s, &to);
}

/* A trampoline holds a nested function and its frame; whoever calls through it needs both. */
void lower_init_trampoline(gimple *g)
{
    cs_operand tramp = lower_operand(gimple_call_arg(g, 0)), fn = lower_operand(gimple_call_arg(g, 1)),
               chain = lower_operand(gimple_call_arg(g, 2));
    int both = cs_graph_add_value(L->g, L->func), s = pseudo_stmt(CS_STMT_ASSIGN);
    cs_operand ops[] = {cs_opnd_none(), fn, chain};
    L->g->stmts[s].op = CS_OP_SELECT;
    L->g->stmts[s].def = both;
    L->g->values[both].def = s;
    for (int i = 0; i < 3; i++)
        cs_stmt_add_use(&L->g->stmts[s], ops[i]);
    if (fn.kind == CS_OPND_ADDR && L->g->objs[fn.id].kind == CS_OBJ_FUNC)
        store_pseudo(cs_opnd_addr(chain_obj(L->g->objs[fn.id].func), cs_pat_at(0)), POINTER_SIZE_UNITS, chain);
    s = new_stmt(CS_STMT_STORE);
    note_origin(g, s);
    L->g->stmts[s].has_store = true;
    L->g->stmts[s].store.base = tramp;
    L->g->stmts[s].store.pat = cs_pat_at(0);
    L->g->stmts[s].store.size = POINTER_SIZE_UNITS;
    cs_stmt_add_use(&L->g->stmts[s], cs_opnd_value(both));
}

/* The pointer that a trampoline is called by: taken to be what lies in it. */
void lower_adjust_trampoline(gimple *g)
{
    tree lhs = gimple_call_lhs(g);
    if (!lhs || TREE_CODE(lhs) != SSA_NAME)
        return;
    cs_operand tramp = lower_operand(gimple_call_arg(g, 0));
    int s = new_stmt(CS_STMT_LOAD);
    note_origin(g, s);
    set_def(s, lhs);
    L->g->stmts[s].has_load = true;
    L->g->stmts[s].load.base = tramp;
    L->g->stmts[s].load.pat = cs_pat_at(0);
    L->g->stmts[s].load.size = POINTER_SIZE_UNITS;
}

/* The pointer as a thunk adjusts it: by a constant and by an offset from the table of virtual functions. */
static int adjusted(int v, const thunk_info *t)
{
    if (t->this_adjusting && t->fixed_offset)
        v = assign_pseudo(CS_OP_PTRADD, cs_opnd_value(v), cs_opnd_const(t->fixed_offset));
    if (t->virtual_offset_p) {
        int by = load_pseudo(load_pseudo(v, 0), t->virtual_value);
        v = assign_pseudo(CS_OP_PTRADD, cs_opnd_value(v), cs_opnd_value(by));
    }
    if (!t->this_adjusting && t->fixed_offset)
        v = assign_pseudo(CS_OP_PTRADD, cs_opnd_value(v), cs_opnd_const(t->fixed_offset));
    return v;
}

static int own_object(const char *name, tree type)
{
    int o = cs_graph_add_obj(L->g, CS_OBJ_LOCAL, name, size_of(type));
    L->g->objs[o].func = L->func;
    return o;
}

static cs_ref whole(int obj, tree type)
{
    cs_ref r = {cs_opnd_addr(obj, cs_pat_at(0)), cs_pat_at(0), size_of(type)};
    return r;
}

/* Makes the parameters of a thunk or a resolved name: structs by value get objects, the others values. */
static void make_params(int f, tree fntype, int n)
{
    L->g->funcs[f].nparams = n;
    L->g->funcs[f].params = XCNEWVEC(int, n + 1);
    L->g->funcs[f].param_objs = XCNEWVEC(int, n + 1);
    tree t = TYPE_ARG_TYPES(fntype);
    for (int i = 0; i < n; i++, t = t ? TREE_CHAIN(t) : t) {
        bool object = t && AGGREGATE_TYPE_P(TREE_VALUE(t)) && !TREE_ADDRESSABLE(TREE_VALUE(t)); /* else by reference */
        int v = object ? -1 : cs_graph_add_value(L->g, f), o = object ? own_object("argument", TREE_VALUE(t)) : -1;
        L->g->funcs[f].params[i] = v;
        L->g->funcs[f].param_objs[i] = o;
    }
}

/* Makes the body of f: calls `callee` with the same arguments and returns its result. A thunk adjusts the first
 * argument or the result. Where it asks the table of virtual functions for that, it does so in every slice that calls
 * it. */
static void pass_on(int f, tree fntype, cs_operand callee, const thunk_info *t_info)
{
    tree ret = TREE_TYPE(fntype), t = TYPE_ARG_TYPES(fntype);
    int self = t_info && t_info->this_adjusting ? adjusted(L->g->funcs[f].params[0], t_info) : L->g->funcs[f].params[0];
    bool object = AGGREGATE_TYPE_P(ret) && !returns_by_reference(fntype);
    int result = object ? own_object("result", ret) : cs_graph_add_value(L->g, f), s = pseudo_stmt(CS_STMT_CALL);
    L->g->stmts[s].callee = callee;
    for (int i = 0; i < L->g->funcs[f].nparams; i++, t = t ? TREE_CHAIN(t) : t) {
        int o = L->g->funcs[f].param_objs[i];
        cs_stmt_add_use(&L->g->stmts[s], o >= 0 ? cs_opnd_none() : cs_opnd_value(i ? L->g->funcs[f].params[i] : self));
        if (o >= 0)
            cs_stmt_add_arg_load(&L->g->stmts[s], i, whole(o, TREE_VALUE(t)));
    }
    if (object) {
        L->g->funcs[f].result_obj = result;
        L->g->stmts[s].has_store = true;
        L->g->stmts[s].store = whole(result, ret);
    } else {
        L->g->stmts[s].def = result;
        L->g->values[result].def = s;
        if (t_info && !t_info->this_adjusting)
            result = adjusted(result, t_info);
    }
    if (t_info && t_info->virtual_offset_p)
        cs_stmt_add_index(&L->g->stmts[s], t_info->this_adjusting ? self : result);
    s = pseudo_stmt(CS_STMT_RETURN);
    if (!object)
        cs_stmt_add_use(&L->g->stmts[s], cs_opnd_value(result));
}

/* Lowers a thunk: a function that adjusts `this` or the result of the virtual function that it calls. */
void lower_thunk(cgraph_node *node)
{
    thunk_info *t = thunk_info::get(node);
    if (!t || !node->callees)
        return;
    tree target = node->callees->callee->decl, fntype = TREE_TYPE(target);
    int f = func_of(node->decl), n = hidden_args(fntype) + (returns_by_reference(fntype) ? 2 : 0),
        callee = func_obj(target);
    L->func = f;
    L->block = 0;
    L->where = DECL_SOURCE_LOCATION(node->decl);
    cs_graph_set_blocks(L->g, f, 1);
    make_params(f, fntype, n);
    pass_on(f, fntype, cs_opnd_addr(callee, cs_pat_at(0)), t);
    cs_graph_add_edge(L->g, f, 0, CS_BLOCK_EXIT, false);
    L->g->funcs[f].exported = known_by_name(node->decl);
}

/* A name with a resolver (ifunc) becomes a function that asks the resolver and calls what it returns, for those who
 * pass its address on. */
void lower_resolved(cgraph_node *node)
{
    tree resolver = resolver_of(node->decl), fntype = TREE_TYPE(node->decl);
    int f = resolver ? func_of(node->decl) : -1;
    if (f < 0 || L->g->funcs[f].defined)
        return;
    int ask = func_obj(resolver), n = hidden_args(fntype) + (returns_by_reference(fntype) ? 2 : 0);
    L->func = f;
    L->block = 0;
    L->where = DECL_SOURCE_LOCATION(node->decl);
    cs_graph_set_blocks(L->g, f, 1);
    make_params(f, fntype, n);
    int found = cs_graph_add_value(L->g, f), s = pseudo_stmt(CS_STMT_CALL);
    L->g->stmts[s].callee = cs_opnd_addr(ask, cs_pat_at(0));
    L->g->stmts[s].def = found;
    L->g->values[found].def = s;
    pass_on(f, fntype, cs_opnd_value(found), NULL);
    cs_graph_add_edge(L->g, f, 0, CS_BLOCK_EXIT, false);
    L->g->funcs[f].exported = known_by_name(node->decl);
}

/* Marks as entries the functions whose addresses lie in sections for the start-up code, such as .init_array. */
void note_start_functions()
{
    static const char *const sections[] = {".preinit_array", ".init_array", ".fini_array", ".ctors", ".dtors"};
    varpool_node *v;
    FOR_EACH_DEFINED_VARIABLE(v)
    {
        bool start = false;
        for (unsigned i = 0; i < ARRAY_SIZE(sections); i++)
            start |= v->get_section() && !strncmp(v->get_section(), sections[i], strlen(sections[i]));
        if (!start)
            continue;
        int o = obj_of(v->decl);
        for (int i = 0; i < L->g->objs[o].ninits; i++) {
            cs_operand f = L->g->objs[o].inits[i].val;
            if (f.kind == CS_OPND_ADDR && L->g->objs[f.id].kind == CS_OBJ_FUNC)
                L->g->funcs[L->g->objs[f.id].func].is_entry = true;
        }
    }
}

/* Finds nested functions whose address is handed on with their frame. Comes before any body is lowered. */
void find_trampolines(cgraph_node *node)
{
    basic_block bb;
    node->get_untransformed_body();
    if (!gimple_has_body_p(node->decl) || !DECL_STRUCT_FUNCTION(node->decl)->cfg)
        return;
    FOR_EACH_BB_FN (bb, DECL_STRUCT_FUNCTION(node->decl))
        for (gimple_stmt_iterator i = gsi_start_bb(bb); !gsi_end_p(i); gsi_next(&i)) {
            gimple *g = gsi_stmt(i);
            if (!gimple_call_builtin_p(g, BUILT_IN_INIT_TRAMPOLINE) &&
                !gimple_call_builtin_p(g, BUILT_IN_INIT_HEAP_TRAMPOLINE))
                continue;
            tree fn = gimple_call_arg(g, 1);
            if (TREE_CODE(fn) == ADDR_EXPR && TREE_CODE(TREE_OPERAND(fn, 0)) == FUNCTION_DECL)
                chain_obj(func_of(TREE_OPERAND(fn, 0)));
        }
}

} // namespace cs_low
