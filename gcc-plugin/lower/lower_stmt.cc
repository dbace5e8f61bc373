/* SPDX-License-Identifier: GPL-3.0-or-later
 * Statements that are no assignments or calls: branches, returns, merges, assembly. Dispatches
 * each statement to the function that lowers it. A GIMPLE statement's uid is its number in the graph plus 1, or 0. */
#include "gcc-plugin/lower/lower_internal.h"

#include "gcc-plugin/lower/comparisons.h"

namespace cs_low {

/* Of a statement in a header of a library: the line of the program that has it put in line, if one has. */
static void note_user(int s)
{
    cs_stmt *st = &L->g->stmts[s];
    st->in_header = true;
    for (tree b = LOCATION_BLOCK(L->where); b && TREE_CODE(b) == BLOCK; b = BLOCK_SUPERCONTEXT(b)) {
        if (!inlined_function_outer_scope_p(b))
            continue;
        expanded_location x = expand_location(BLOCK_SOURCE_LOCATION(b));
        if (x.sysp || !x.file)
            continue;
        st->user_file = cs_graph_string(L->g, lbasename(x.file));
        st->user_line = x.line;
        return;
    }
}

int new_stmt(cs_stmt_kind kind)
{
    gcc_assert(L->func >= 0 && L->block >= 0 && L->block < L->g->funcs[L->func].nblocks);
    int s = cs_graph_add_stmt(L->g, L->func, L->block, kind);
    expanded_location x = expand_location(L->where);
    const char *file = x.file ? lbasename(x.file) : "";
    L->g->stmts[s].file = cs_graph_string(L->g, file);
    L->g->stmts[s].line = x.line;
    if (x.sysp)
        note_user(s);
    return s;
}

int pseudo_stmt(cs_stmt_kind kind)
{
    int s = new_stmt(kind);
    L->g->stmts[s].source = -1;
    return s;
}

void set_def(int s, tree lhs)
{
    int v = value_of(lhs);
    gcc_assert(TREE_CODE(lhs) == SSA_NAME && L->g->stmts[s].def < 0);
    L->g->stmts[s].def = v;
    L->g->values[v].def = s;
}

void note_origin(gimple *g, int s)
{
    gcc_assert(gimple_uid(g) == 0);
    gimple_set_uid(g, s + 1);
    L->g->stmts[s].assumed = gimple_plf(g, GF_PLF_2); /* assume_value.cc */
}

void store_pseudo(cs_operand base, int64_t size, cs_operand val)
{
    int s = pseudo_stmt(CS_STMT_STORE);
    L->g->stmts[s].partial = true;
    L->g->stmts[s].has_store = true;
    L->g->stmts[s].store.base = base;
    L->g->stmts[s].store.pat = cs_pat_at(0);
    L->g->stmts[s].store.size = size;
    cs_stmt_add_use(&L->g->stmts[s], val);
}

int assign_pseudo(cs_op op, cs_operand a, cs_operand b)
{
    int v = cs_graph_add_value(L->g, L->func), s = pseudo_stmt(CS_STMT_ASSIGN);
    L->g->stmts[s].op = op;
    L->g->stmts[s].def = v;
    L->g->stmts[s].stride = 1;
    L->g->values[v].def = s;
    cs_stmt_add_use(&L->g->stmts[s], a);
    if (b.kind != CS_OPND_NONE)
        cs_stmt_add_use(&L->g->stmts[s], b);
    return v;
}

int load_pseudo(int pointer, int64_t off)
{
    int v = cs_graph_add_value(L->g, L->func), s = pseudo_stmt(CS_STMT_LOAD);
    L->g->stmts[s].def = v;
    L->g->values[v].def = s;
    L->g->stmts[s].has_load = true;
    L->g->stmts[s].load.base = cs_opnd_value(pointer);
    L->g->stmts[s].load.pat = cs_pat_at(off);
    L->g->stmts[s].load.size = POINTER_SIZE_UNITS;
    return v;
}

static void lower_cond(gcond *g)
{
    cs_operand a = lower_operand(gimple_cond_lhs(g)), b = lower_operand(gimple_cond_rhs(g));
    int s = new_stmt(CS_STMT_COND);
    note_origin(g, s);
    L->g->stmts[s].op = compare_op(gimple_cond_code(g), TREE_TYPE(gimple_cond_lhs(g)));
    L->g->stmts[s].flipped = gimple_no_warning_p(g); /* assume_gimple.cc */
    cs_turn turn = cs_turn_of(g, &L->g->stmts[s].nth);
    L->g->stmts[s].turned = turn == CS_TURN_DONE;
    L->g->stmts[s].unsure = turn == CS_TURN_UNKNOWN;
    L->g->stmts[s].joined = cs_comparisons_joined(g);
    cs_stmt_add_use(&L->g->stmts[s], a);
    cs_stmt_add_use(&L->g->stmts[s], b);
}

static void lower_return(greturn *g)
{
    tree v = gimple_return_retval(g);
    if (v && is_memory(v)) {
        Ref r;
        lower_ref(v, &r, false);
        int s = new_stmt(CS_STMT_RETURN);
        note_origin(g, s);
        int ro = L->g->funcs[L->func].result_obj;
        if (r.base.kind == CS_OPND_ADDR && r.base.id == ro)
            return;
        L->g->stmts[s].has_load = true;
        L->g->stmts[s].load = to_ref(&r);
        return;
    }
    bool object = v && AGGREGATE_TYPE_P(TREE_TYPE(v));
    cs_ref r = object ? lower_as_object(v) : cs_ref();
    cs_operand op = v && !object ? lower_operand(v) : cs_opnd_none();
    int s = new_stmt(CS_STMT_RETURN);
    note_origin(g, s);
    L->g->stmts[s].has_load = object;
    L->g->stmts[s].load = r;
    if (v && !object)
        cs_stmt_add_use(&L->g->stmts[s], op);
}

/* Does the assembly have memory operands or clobber memory? Otherwise it reads and writes none. */
static bool asm_uses_memory(gasm *g)
{
    if (!*gimple_asm_string(g))
        return false;
    for (unsigned i = 0; i < gimple_asm_nclobbers(g); i++)
        if (!strcmp(TREE_STRING_POINTER(TREE_VALUE(gimple_asm_clobber_op(g, i))), "memory"))
            return true;
    for (unsigned i = 0; i < gimple_asm_ninputs(g); i++)
        if (is_memory(TREE_VALUE(gimple_asm_input_op(g, i))))
            return true;
    for (unsigned i = 0; i < gimple_asm_noutputs(g); i++)
        if (TREE_CODE(TREE_VALUE(gimple_asm_output_op(g, i))) != SSA_NAME)
            return true;
    return false;
}

/* Output registers after the first: pseudo statements compute them from the first. */
static void further_results(gasm *g, int s)
{
    int first = L->g->stmts[s].def;
    for (unsigned i = 0; i < gimple_asm_noutputs(g); i++) {
        tree out = TREE_VALUE(gimple_asm_output_op(g, i));
        if (TREE_CODE(out) != SSA_NAME || value_of(out) == first)
            continue;
        int also = value_of(out), p = pseudo_stmt(CS_STMT_ASSIGN);
        L->g->stmts[p].op = CS_OP_MIX;
        L->g->stmts[p].def = also;
        L->g->values[also].def = p;
        cs_stmt_add_use(&L->g->stmts[p], cs_opnd_value(first));
    }
}

/* Inline assembly that uses memory is a call of a function of which nothing is known; other assembly is an operation on
 * registers. */
static void lower_asm(gasm *g)
{
    bool memory = asm_uses_memory(g);
    auto_vec<cs_operand, 8> ops;
    int first = -1;
    for (unsigned i = 0; i < gimple_asm_ninputs(g); i++) {
        tree in = TREE_VALUE(gimple_asm_input_op(g, i));
        if (is_memory(in))
            ops.safe_push(lower_address(in));
        else if (TREE_CODE(in) != SSA_NAME || !is_unset(in))
            ops.safe_push(lower_operand(in));
    }
    for (unsigned i = 0; i < gimple_asm_noutputs(g); i++) {
        tree out = TREE_VALUE(gimple_asm_output_op(g, i));
        if (TREE_CODE(out) != SSA_NAME)
            ops.safe_push(lower_address(out));
        else if (first < 0)
            first = i;
    }
    int f = memory ? named_func("inline assembly") : -1;
    int s = new_stmt(memory ? CS_STMT_CALL : CS_STMT_ASM);
    note_origin(g, s);
    if (memory)
        L->g->stmts[s].callee = cs_opnd_addr(L->g->funcs[f].obj, cs_pat_at(0));
    for (unsigned i = 0; i < ops.length(); i++)
        cs_stmt_add_use(&L->g->stmts[s], ops[i]);
    if (first >= 0) {
        set_def(s, TREE_VALUE(gimple_asm_output_op(g, first)));
        further_results(g, s);
    }
    L->g->funcs[L->func].keep_all = true;
}

static void lower_switch_like(gimple *g, tree index)
{
    cs_operand op = index ? lower_operand(index) : cs_opnd_none();
    int s = new_stmt(CS_STMT_SWITCH);
    note_origin(g, s);
    cs_stmt_add_use(&L->g->stmts[s], op);
}

static void lower_resume(gimple *g)
{
    int f = named_func("_Unwind_Resume"), s = new_stmt(CS_STMT_CALL);
    note_origin(g, s);
    L->g->stmts[s].callee = cs_opnd_addr(L->g->funcs[f].obj, cs_pat_at(0));
}

void lower_stmt(gimple *g)
{
    gimple_set_uid(g, 0);
    note_flows(g);
    if (gimple_location(g) != UNKNOWN_LOCATION)
        L->where = gimple_location(g);
    switch (gimple_code(g)) {
    case GIMPLE_ASSIGN: lower_assign(g); break;
    case GIMPLE_CALL: lower_call(g); break;
    case GIMPLE_COND: lower_cond(as_a<gcond *>(g)); break;
    case GIMPLE_SWITCH: lower_switch_like(g, gimple_switch_index(as_a<gswitch *>(g))); break;
    case GIMPLE_GOTO:
        lower_switch_like(g, TREE_CODE(gimple_goto_dest(g)) == SSA_NAME ? gimple_goto_dest(g) : NULL_TREE);
        break;
    case GIMPLE_EH_DISPATCH: lower_switch_like(g, NULL_TREE); break;
    case GIMPLE_RETURN: lower_return(as_a<greturn *>(g)); break;
    case GIMPLE_ASM: lower_asm(as_a<gasm *>(g)); break;
    case GIMPLE_RESX: lower_resume(g); break;
    default: break;
    }
    if (gimple_uid(g))
        note_names(g, gimple_uid(g) - 1);
}

void lower_phi(gphi *phi)
{
    gimple_set_uid(phi, 0);
    if (virtual_operand_p(gimple_phi_result(phi)))
        return;
    note_flows(phi);
    unsigned n = gimple_phi_num_args(phi);
    cs_operand *ops = XNEWVEC(cs_operand, n);
    for (unsigned i = 0; i < n; i++)
        ops[i] = lower_operand(gimple_phi_arg_def(phi, i));
    int s = new_stmt(CS_STMT_PHI);
    note_origin(phi, s);
    set_def(s, gimple_phi_result(phi));
    note_number(s, gimple_phi_result(phi));
    L->g->stmts[s].phi_preds = XNEWVEC(int, n);
    for (unsigned i = 0; i < n; i++) {
        cs_stmt_add_use(&L->g->stmts[s], ops[i]);
        L->g->stmts[s].phi_preds[i] = L->blocks[gimple_phi_arg_edge(phi, i)->src->index];
    }
    XDELETEVEC(ops);
}

} // namespace cs_low
