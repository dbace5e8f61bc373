/* SPDX-License-Identifier: GPL-3.0-or-later
 * A function: its blocks and edges, parameters and result. */
#include "gcc-plugin/lower/lower_internal.h"

namespace cs_low {

static void number_blocks(cs_lowered *out)
{
    basic_block bb, first = single_succ(ENTRY_BLOCK_PTR_FOR_FN(cfun));
    /* Block 0 runs once and has no predecessor: if GCC's first block is in a loop, an empty one comes before it. */
    if (EDGE_COUNT(first->preds) > 1)
        first = split_edge(single_succ_edge(ENTRY_BLOCK_PTR_FOR_FN(cfun)));
    L->blocks.clear();
    L->blocks[first->index] = 0;
    out->order.safe_push(first);
    FOR_EACH_BB_FN (bb, cfun) {
        if (bb == first)
            continue;
        L->blocks[bb->index] = out->order.length();
        out->order.safe_push(bb);
    }
}

/* In a function that calls setjmp, each call from which a longjmp may come has an edge to one block,
 * .ABNORMAL_DISPATCHER, and that one to each setjmp. */
static bool is_jump_back(edge e, gimple *last)
{
    return (e->flags & EDGE_ABNORMAL) && cfun->calls_setjmp && !cfun->has_nonlocal_label && last &&
           is_gimple_call(last);
}

static void lower_edges(cs_lowered *out, bool fortran)
{
    for (unsigned b = 0; b < out->order.length(); b++) {
        edge e;
        edge_iterator ei;
        gimple *last = last_nondebug_stmt(out->order[b]);
        if (last && gimple_code(last) == GIMPLE_COND) {
            edge t, f;
            extract_true_false_edges_from_block(out->order[b], &t, &f);
            cs_graph_add_edge(L->g, L->func, b, L->blocks[t->dest->index], false);
            cs_graph_add_edge(L->g, L->func, b, L->blocks[f->dest->index], false);
            for (int k = 0; k < 2 && fortran; k++) {
                if (is_failed_allocation(k ? f : t))
                    L->g->funcs[L->func].blocks[b].never[k] = true;
            }
            continue;
        }
        FOR_EACH_EDGE (e, ei, out->order[b]->succs) {
            int to = e->dest == EXIT_BLOCK_PTR_FOR_FN(cfun) ? CS_BLOCK_EXIT : L->blocks[e->dest->index];
            bool jump = is_jump_back(e, last);
            cs_graph_add_edge(L->g, L->func, b, to,
                              (e->flags & EDGE_EH) != 0 || (jump && !gimple_call_internal_p(last)));
            /* A load or a division that traps is an error. */
            if ((e->flags & EDGE_EH) && last && is_gimple_assign(last))
                L->g->funcs[L->func].blocks[b].never[L->g->funcs[L->func].blocks[b].nsuccs - 1] = true;
            if ((e->flags & EDGE_ABNORMAL) && !jump)
                L->g->funcs[L->func].keep_all = true;
        }
        if (last && gimple_code(last) == GIMPLE_RESX && EDGE_COUNT(out->order[b]->succs) == 0)
            cs_graph_add_edge(L->g, L->func, b, CS_BLOCK_EXIT, false);
    }
}

/* The static chain (frame of the enclosing function): direct callers pass it as an argument, others by a trampoline. */
static void lower_chain(int index)
{
    tree d = ssa_default_def(cfun, cfun->static_chain_decl);
    if (!d)
        return;
    int v = value_of(d);
    auto it = L->chains.find(L->func);
    if (it == L->chains.end()) {
        L->g->funcs[L->func].params[index] = v;
        return;
    }
    int direct = cs_graph_add_value(L->g, L->func), loaded = cs_graph_add_value(L->g, L->func);
    L->g->funcs[L->func].params[index] = direct;
    int s = pseudo_stmt(CS_STMT_LOAD);
    L->g->stmts[s].def = loaded;
    L->g->values[loaded].def = s;
    L->g->stmts[s].has_load = true;
    L->g->stmts[s].load.base = cs_opnd_addr(it->second, cs_pat_at(0));
    L->g->stmts[s].load.pat = cs_pat_at(0);
    L->g->stmts[s].load.size = POINTER_SIZE_UNITS;
    cs_operand ops[] = {cs_opnd_none(), cs_opnd_value(direct), cs_opnd_value(loaded)};
    s = pseudo_stmt(CS_STMT_ASSIGN);
    L->g->stmts[s].op = CS_OP_SELECT;
    L->g->stmts[s].def = v;
    L->g->values[v].def = s;
    for (int i = 0; i < 3; i++)
        cs_stmt_add_use(&L->g->stmts[s], ops[i]);
}

/* Arguments that the source does not show: see hidden_args(). */
static void lower_hidden_params(cgraph_node *node, int at)
{
    tree result = DECL_RESULT(node->decl);
    L->block = 0;
    if (cfun->static_chain_decl)
        lower_chain(at);
    tree d = result && DECL_BY_REFERENCE(result) ? ssa_default_def(cfun, result) : NULL_TREE;
    if (d) {
        int v = value_of(d);
        L->g->funcs[L->func].params[at + 1] = v;
    }
}

static void lower_params(cgraph_node *node)
{
    cs_func *f = &L->g->funcs[L->func];
    tree fntype = TREE_TYPE(node->decl);
    int n = 0, at = hidden_args(fntype);
    for (tree p = DECL_ARGUMENTS(node->decl); p; p = DECL_CHAIN(p))
        n++;
    if (at < n)
        at = n;
    f->nparams = returns_by_reference(fntype) ? at + 2 : cfun->static_chain_decl ? at + 1 : n;
    f->params = XCNEWVEC(int, f->nparams + 1);
    f->param_objs = XCNEWVEC(int, f->nparams + 1);
    for (int k = 0; k <= f->nparams; k++)
        f->params[k] = f->param_objs[k] = -1;
    int i = 0;
    for (tree p = DECL_ARGUMENTS(node->decl); p; p = DECL_CHAIN(p), i++) {
        tree d = is_gimple_reg(p) ? ssa_default_def(cfun, p) : NULL_TREE;
        if (d) {
            int v = value_of(d);
            L->g->funcs[L->func].params[i] = v;
            continue;
        }
        if (is_gimple_reg(p))
            continue;
        int o = obj_of(p);
        if (AGGREGATE_TYPE_P(TREE_TYPE(p))) {
            L->g->funcs[L->func].param_objs[i] = o;
            continue;
        }
        int v = cs_graph_add_value(L->g, L->func);
        L->g->funcs[L->func].params[i] = v;
        L->block = 0;
        int s = pseudo_stmt(CS_STMT_ENTRY);
        L->g->stmts[s].has_store = true;
        L->g->stmts[s].store.base = cs_opnd_addr(o, cs_pat_at(0));
        L->g->stmts[s].store.pat = cs_pat_at(0);
        L->g->stmts[s].store.size = size_of(TREE_TYPE(p));
        cs_stmt_add_use(&L->g->stmts[s], cs_opnd_value(v));
    }
    lower_hidden_params(node, at);
}

static void lower_result(cgraph_node *node)
{
    tree r = DECL_RESULT(node->decl);
    if (!r || VOID_TYPE_P(TREE_TYPE(r)) || is_gimple_reg(r) || DECL_BY_REFERENCE(r))
        return;
    if (!AGGREGATE_TYPE_P(TREE_TYPE(r)) && !needs_to_live_in_memory(r) && is_gimple_reg_type(TREE_TYPE(r)))
        return;
    int o = obj_of(r);
    L->g->funcs[L->func].result_obj = o;
}

/* Adds a call that the effects table refuses. */
static void refuse_nonlocal_goto()
{
    int f = named_func("__builtin_nonlocal_goto"), s = pseudo_stmt(CS_STMT_CALL);
    L->g->stmts[s].callee = cs_opnd_addr(L->g->funcs[f].obj, cs_pat_at(0));
}

void lower_function(cgraph_node *node, cs_program *p)
{
    node->get_untransformed_body();
    if (!gimple_has_body_p(node->decl) || !DECL_STRUCT_FUNCTION(node->decl)->cfg)
        return;
    push_cfun(DECL_STRUCT_FUNCTION(node->decl));
    cs_lowered out = {node, func_of(node->decl), vNULL};
    L->func = out.func;
    L->values.clear();
    L->where = DECL_SOURCE_LOCATION(node->decl);
    number_blocks(&out);
    gcc_assert(EDGE_COUNT(out.order[0]->preds) == 1);
    cs_graph_set_blocks(L->g, L->func, out.order.length());
    cs_func *f = &L->g->funcs[L->func];
    expanded_location x = expand_location(L->where);
    f->file = cs_graph_string(L->g, x.file ? lbasename(x.file) : "");
    f->line = x.line;
    f->fortran = is_fortran(node->decl);
    bool fortran = f->fortran;
    f->is_entry = !strcmp(asm_name(node->decl), "main") || DECL_STATIC_CONSTRUCTOR(node->decl) ||
                  DECL_STATIC_DESTRUCTOR(node->decl);
    f->exported = known_by_name(node->decl) && !f->is_entry;
    f->comes_back = cfun->calls_setjmp;
    L->block = 0;
    if (cfun->has_nonlocal_label)
        refuse_nonlocal_goto();
    lower_result(node);
    lower_params(node);
    for (unsigned b = 0; b < out.order.length(); b++) {
        L->block = b;
        for (gphi_iterator i = gsi_start_phis(out.order[b]); !gsi_end_p(i); gsi_next(&i))
            lower_phi(i.phi());
        for (gimple_stmt_iterator i = gsi_start_bb(out.order[b]); !gsi_end_p(i); gsi_next(&i))
            lower_stmt(gsi_stmt(i));
    }
    lower_edges(&out, fortran);
    p->funcs.safe_push(out);
    pop_cfun();
}

} // namespace cs_low
