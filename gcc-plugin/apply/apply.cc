/* SPDX-License-Identifier: GPL-3.0-or-later
 * The sweep of the slice; apply.h. Modelled on tree-ssa-dce.cc: statements go backwards, so that a name is released
 * after its uses; a branch that is not kept becomes a jump. GCC's verifiers run over every function afterwards, in
 * every build. */
#include "gcc-plugin/apply/apply.h"

#include "gcc-plugin/apply/apply_equal.h"
#include "gcc-plugin/apply/guard.h"
#include "gcc-plugin/apply/repeat_turns.h"
#include "gcc-plugin/apply/slice_text.h"
#include "gcc-plugin/count/count.h"
#include "api/mpi_calls.h"

namespace {

cs_graph *G;
const cs_faults *faults;
const cs_assumptions *assumptions;
tree site_var, null_descriptor, violations, tell, turns;
cs_alike_loops *alike;
const cs_program *program;

/* The graph's statement for one of GIMPLE; null for what commslice has inserted. */
cs_stmt *stmt_of(gimple *g)
{
    unsigned uid = gimple_uid(g);
    gcc_assert(uid <= (unsigned)G->nstmts);
    return uid ? &G->stmts[uid - 1] : NULL;
}

bool kept(gimple *g)
{
    cs_stmt *s = stmt_of(g);
    return s && s->keep;
}

/* ---- variables of our own ---- */

tree own_variable(const char *name, tree type, const char *section, tree init)
{
    tree v = build_decl(UNKNOWN_LOCATION, VAR_DECL, get_identifier(name), type);
    TREE_STATIC(v) = 1;
    TREE_USED(v) = 1;
    DECL_ARTIFICIAL(v) = 1;
    DECL_PRESERVE_P(v) = 1;
    TREE_ADDRESSABLE(v) = 1;
    DECL_INITIAL(v) = init;
    DECL_CONTEXT(v) = NULL_TREE;
    if (section)
        cs_own_section(v, section);
    varpool_node::finalize_decl(v);
    varpool_node *n = varpool_node::get_create(v);
    n->force_output = 1;
    if (!n->analyzed)
        n->analyze();
    return v;
}

/* A variable for a function of the recorder's: until it puts that there, one that only returns its first argument. */
tree function_variable(const char *name, tree type, const char *section)
{
    tree nothing = build_fold_addr_expr(builtin_decl_explicit(BUILT_IN_LABS));
    return own_variable(name, type, section, fold_convert(TYPE_MAIN_VARIANT(type), nothing));
}

void make_tell()
{
    tell = function_variable("commslice_tell", cs_value_tell_type(), ".cs_tell");
}

void make_variables(bool remove)
{
    site_var = own_variable("commslice_site", integer_type_node, ".cs_site", build_int_cst(integer_type_node, -1));
    tree words = build_array_type_nelts(long_integer_type_node, 64);
    null_descriptor = own_variable("commslice_null_descriptor", words, NULL, NULL_TREE);
    if (tree type = cs_count_variable_type())
        cs_count_into(own_variable("commslice_counters", type, ".cs_counters", build_constructor(type, NULL)));
    if (remove && assumptions->only_called >= 0)
        make_tell();
    if (alike->n)
        turns = function_variable("commslice_turns", cs_repeat_type(), ".cs_turns");
    if (remove || (assumptions->texts.is_empty() && assumptions->watched.is_empty() && assumptions->seen.is_empty()))
        return;
    tree counters = cs_assume_counters_type(assumptions);
    violations = own_variable("commslice_violations", counters, ".cs_assume", build_constructor(counters, NULL));
    make_tell();
}

/* ---- removal ---- */

void remove_stmt(gimple_stmt_iterator *i)
{
    gimple *g = gsi_stmt(*i);
    unlink_stmt_vdef(g);
    gsi_remove(i, true);
    release_defs(g);
}

/* Is the value of `name` not computed in the slice? */
bool is_gone(tree name)
{
    if (TREE_CODE(name) != SSA_NAME || SSA_NAME_IS_DEFAULT_DEF(name) || virtual_operand_p(name))
        return false;
    if (SSA_NAME_IN_FREE_LIST(name))
        return true;
    gimple *d = SSA_NAME_DEF_STMT(name);
    if (!d || gimple_code(d) == GIMPLE_NOP || !kept(d))
        return true;
    return is_gimple_call(d) && stmt_of(d)->drop_result;
}

tree zero_of(tree type)
{
    return build_zero_cst(type);
}

/* What stands for a value that is not computed. No decision depends on it: zero, or the value that a test asks for. */
tree gone_value(tree type)
{
    return faults->gone_values ? cs_poison_value(type, faults->gone_values) : zero_of(type);
}

/* What is used in place of the name in the slice; null: itself. */
tree stand_in(tree name)
{
    tree same = cs_equal_of(name);
    return is_gone(same ? same : name) ? gone_value(TREE_TYPE(name)) : same;
}

bool is_f08(gimple *g)
{
    tree decl = gimple_call_fndecl(g);
    enum cs_binding b;
    if (!decl || !cs_mpi_by_symbol(IDENTIFIER_POINTER(DECL_ASSEMBLER_NAME(decl)), &b))
        return false;
    return b == CS_BIND_F08;
}

/* A pointer to nothing: null, or for mpi_f08 a descriptor of no elements at address null. */
tree null_for(gimple *g, tree type)
{
    if (POINTER_TYPE_P(type) && is_f08(g))
        return build_fold_addr_expr_with_type(null_descriptor, type);
    return zero_of(type);
}

/* Removes gfortran's promise that no procedure keeps the address of an argument: MPI does until the request is
 * complete. Otherwise GCC may take a store before MPI_Startall for dead. The original keeps such a store if it reads
 * the variable later, which the slice may no longer do. */
void let_keep_addresses(gcall *g)
{
    tree decl = gimple_call_fndecl(g), type = gimple_call_fntype(g);
    if (!type || !lookup_attribute("fn spec", TYPE_ATTRIBUTES(type)))
        return;
    if (decl && !strncmp(IDENTIFIER_POINTER(DECL_ASSEMBLER_NAME(decl)), "_gfortran_", 10))
        return;
    type = build_variant_type_copy(type);
    TYPE_ATTRIBUTES(type) = remove_attribute("fn spec", copy_list(TYPE_ATTRIBUTES(type)));
    gimple_call_set_fntype(g, type);
}

/* Does the program have a function of which that is so? */
bool has_function(bool (*is)(const char *name))
{
    for (int f = 0; f < G->nfuncs; f++)
        if (is(cs_func_name(G, f)))
            return true;
    return false;
}

bool is_f08_name(const char *name)
{
    enum cs_binding b;
    return cs_mpi_by_symbol(name, &b) && b == CS_BIND_F08;
}

bool asks_descriptor(const char *name)
{
    return !strncmp(name, "CFI_", 4);
}

/* Is the option of that number set? If the table of options cannot be seen, it is. */
bool has_option(tree table, unsigned number)
{
    tree var = TREE_CODE(table) == ADDR_EXPR ? get_base_address(TREE_OPERAND(table, 0)) : NULL_TREE;
    tree values = var && VAR_P(var) ? ctor_for_folding(var) : NULL_TREE;
    if (!values || values == error_mark_node || TREE_CODE(values) != CONSTRUCTOR)
        return true;
    return number < CONSTRUCTOR_NELTS(values) && !integer_zerop(CONSTRUCTOR_ELT(values, number)->value);
}

/* With -fcheck=bounds, libgfortran's CFI_is_contiguous, which mpi_f08 asks, says no of a buffer without an address, as
 * slices have them, and MPI sends another datatype. So where mpi_f08 is used, libgfortran hears of the options before
 * that one alone. Functions CFI_... of the program's own code may answer by it, too: then it stays. */
void check_no_bounds(gcall *g)
{
    enum { BEFORE_BOUNDS = 5 };
    tree decl = gimple_call_fndecl(g);
    if (!decl || strcmp(IDENTIFIER_POINTER(DECL_ASSEMBLER_NAME(decl)), "_gfortran_set_options"))
        return;
    tree n = gimple_call_arg(g, 0);
    if (!tree_fits_shwi_p(n) || tree_to_shwi(n) <= BEFORE_BOUNDS || !has_option(gimple_call_arg(g, 1), BEFORE_BOUNDS) ||
        !has_function(is_f08_name))
        return;
    if (has_function(asks_descriptor))
        fprintf(
            stderr,
            "commslice warning: with -fcheck=bounds, functions such as CFI_is_contiguous, which this program calls, "
            "and mpi_f08 may answer otherwise of arrays that the slice does not have; the trace may be wrong: compile "
            "original and slice without -fcheck=bounds\n");
    else
        gimple_call_set_arg(g, 0, build_int_cst(TREE_TYPE(n), BEFORE_BOUNDS));
}

void fix_call(gcall *g, const cs_stmt *s)
{
    let_keep_addresses(g);
    check_no_bounds(g);
    for (unsigned i = 0; i < gimple_call_num_args(g); i++) {
        tree a = gimple_call_arg(g, i);
        bool null = i < 32 && (s->arg_null >> i & 1) && is_gimple_reg_type(TREE_TYPE(a));
        if (null)
            gimple_call_set_arg(g, i, null_for(g, TREE_TYPE(a)));
        else if (tree other = stand_in(a))
            gimple_call_set_arg(g, i, other);
    }
    /* A virtual call: GCC's knowledge of the object's type may rest on arguments that are gone. */
    tree fn = gimple_call_fn(g);
    if (fn && TREE_CODE(fn) == OBJ_TYPE_REF)
        gimple_call_set_fn(g, OBJ_TYPE_REF_EXPR(fn));
    update_stmt(g);
}

/* Comes after all fixes of operands, when no kept statement mentions the result any more. */
void drop_result(gcall *g, const cs_stmt *s)
{
    tree lhs = gimple_call_lhs(g);
    if (!lhs || !s->drop_result)
        return;
    if (TREE_CODE(lhs) != SSA_NAME && !should_remove_lhs_p(lhs))
        return;
    gimple_call_set_lhs(g, NULL_TREE);
    if (TREE_CODE(lhs) == SSA_NAME)
        release_ssa_name(lhs);
    update_stmt(g);
}

/* Replaces operands that are not computed in the slice; no decision depends on them. */
void fix_operands(gimple *g)
{
    use_operand_p u;
    ssa_op_iter it;
    bool changed = false;
    if (gimple_code(g) == GIMPLE_PHI) {
        gphi *phi = as_a<gphi *>(g);
        for (unsigned i = 0; i < gimple_phi_num_args(phi); i++) {
            tree a = gimple_phi_arg_def(phi, i);
            if (tree other = stand_in(a))
                SET_PHI_ARG_DEF(phi, i, other);
        }
        return;
    }
    FOR_EACH_SSA_USE_OPERAND(u, g, it, SSA_OP_USE)
    if (tree other = stand_in(USE_FROM_PTR(u))) {
        SET_USE(u, other);
        changed = true;
    }
    if (!changed)
        return;
    if (is_gimple_assign(g) && gimple_assign_rhs_code(g) == ADDR_EXPR)
        recompute_tree_invariant_for_addr_expr(gimple_assign_rhs1(g));
    update_stmt(g);
}

/* Stores call site and mark for the run time, before the call. */
void announce_site(gimple_stmt_iterator *i, const cs_stmt *s)
{
    gcc_assert(s->site >= 0 && s->mark >= CS_MARK_NONE && s->mark <= CS_MARK_POISON);
    gassign *a = gimple_build_assign(site_var, build_int_cst(integer_type_node, CS_SITE_WORD(s->site, s->mark)));
    gimple_set_uid(a, 0);
    gsi_insert_before(i, a, GSI_SAME_STMT);
}

void fix_return(greturn *r)
{
    /* The value may be a released name, which has no type any more: the function has. */
    tree type = TREE_TYPE(TREE_TYPE(cfun->decl));
    if (!gimple_return_retval(r) || DECL_BY_REFERENCE(DECL_RESULT(cfun->decl)))
        return;
    /* Zero, not nothing: the exit status of main must say that all went well. */
    tree value = MAIN_NAME_P(DECL_NAME(cfun->decl)) ? zero_of(type) : gone_value(type);
    gimple_return_set_retval(r, is_gimple_reg_type(type) ? value : NULL_TREE);
    update_stmt(r);
}

/* Does the statement stay in every reachable block? GCC's tree of exception regions refers to dispatches and their
 * targets, and a longjmp goes to setjmp through a block with a dispatcher. */
bool is_frame(gimple *g)
{
    return gimple_call_internal_p(g, IFN_ABNORMAL_DISPATCHER) || gimple_code(g) == GIMPLE_RETURN ||
           gimple_code(g) == GIMPLE_EH_DISPATCH || gimple_code(g) == GIMPLE_RESX;
}

gcall *new_trap()
{
    gcall *c = gimple_build_call(builtin_decl_implicit(BUILT_IN_TRAP), 0);
    gimple_set_uid(c, 0);
    return c;
}

/* What a test wants in place of the statement that it leaves out. */
void leave_fault(gimple_stmt_iterator *i, const cs_stmt *s)
{
    if (!s || s - G->stmts != faults->dropped)
        return;
    if (faults->poison)
        cs_poison_store(i, faults->gone_values);
    if (faults->trap)
        gsi_insert_before(i, new_trap(), GSI_SAME_STMT);
}

void sweep_block(basic_block bb, bool reachable)
{
    for (gimple_stmt_iterator i = gsi_last_bb(bb); !gsi_end_p(i);) {
        gimple *g = gsi_stmt(i);
        cs_stmt *s = stmt_of(g);
        gimple_stmt_iterator next = i;
        gsi_prev(&next);
        if (gimple_code(g) == GIMPLE_LABEL || (is_frame(g) && reachable)) {
            /* stays as it is; fix_kept() has cared for returns */
            leave_fault(&i, s);
        } else if (!s || !s->keep || !reachable) {
            leave_fault(&i, s);
            remove_stmt(&i);
        } else if (s && s->site >= 0) {
            announce_site(&i, s);
        }
        i = next;
    }
    for (gphi_iterator i = gsi_start_phis(bb); !gsi_end_p(i);) {
        gimple_stmt_iterator first = gsi_after_labels(bb);
        if (faults->trap && stmt_of(i.phi()) && stmt_of(i.phi()) - G->stmts == faults->dropped)
            gsi_insert_before(&first, new_trap(), GSI_SAME_STMT);
        if (virtual_operand_p(gimple_phi_result(i.phi())) || (kept(i.phi()) && reachable))
            gsi_next(&i);
        else
            remove_phi_node(&i, true);
    }
}

void keep_one_edge(basic_block bb, edge keep)
{
    edge e;
    for (edge_iterator ei = ei_start(bb->succs); (e = ei_safe_edge(ei));) {
        if (e == keep)
            ei_next(&ei);
        else
            remove_edge(e);
    }
}

bool has_abnormal_way(basic_block bb)
{
    edge e;
    edge_iterator ei;
    FOR_EACH_EDGE (e, ei, bb->succs)
        if (e->flags & EDGE_ABNORMAL)
            return true;
    return false;
}

/* Leads the block to `keep` only: removes the statement that decided the way. A call that stays at the block's end no
 * longer throws into a handler of this function. Where the statement that throws into one is gone, no way is left: what
 * throws stays in all that runs, and GCC forgets a handler that nothing throws into. */
void go_one_way(basic_block bb, edge keep)
{
    gimple *last = last_nondebug_stmt(bb);
    bool throws = last && stmt_can_throw_internal(cfun, last);
    if (last && has_abnormal_way(bb) && stmt_can_make_abnormal_goto(last))
        return;
    if (last && is_frame(last))
        return;
    gcc_assert(keep->src == bb);
    bool to_handler = keep->flags & EDGE_EH;
    keep_one_edge(bb, to_handler && !throws ? NULL : keep);
    if (to_handler)
        return;
    if (throws)
        remove_stmt_from_eh_lp(last);
    if (last && is_ctrl_stmt(last)) {
        gimple_stmt_iterator i = gsi_for_stmt(last);
        remove_stmt(&i);
    }
    if (keep->dest == EXIT_BLOCK_PTR_FOR_FN(cfun))
        return;
    keep->flags &= ~(EDGE_TRUE_VALUE | EDGE_FALSE_VALUE | EDGE_EH | EDGE_ABNORMAL);
    keep->flags |= EDGE_FALLTHRU;
    keep->probability = profile_probability::always();
}

edge edge_to(basic_block bb, basic_block dest)
{
    return find_edge(bb, dest);
}

/* The edge of GIMPLE for the one way that the slicer has chosen for this block; null if it chose none. */
edge taken_edge(const cs_lowered *f, int b, const cs_block *gb)
{
    if (gb->take < 0 || gb->take >= gb->nsuccs)
        return NULL;
    int t = gb->succs[gb->take];
    basic_block dest = t == CS_BLOCK_EXIT ? EXIT_BLOCK_PTR_FOR_FN(cfun) : f->order[t];
    return edge_to(f->order[b], dest);
}

void trap_at_end(basic_block bb)
{
    gimple_stmt_iterator i = gsi_last_bb(bb);
    gsi_insert_after(&i, new_trap(), GSI_NEW_STMT);
}

bool ends_itself(basic_block bb)
{
    gimple *last = last_nondebug_stmt(bb);
    return last && (gimple_code(last) == GIMPLE_RETURN || gimple_code(last) == GIMPLE_RESX ||
                    (is_gimple_call(last) && gimple_call_noreturn_p(last)));
}

/* Calls that do not jump have no way back to setjmp: values that nobody needs must not meet on it, as nothing could be
 * put on such an edge. */
void drop_jumps(const cs_lowered *f, int b, const cs_block *gb)
{
    for (int i = 0; i < gb->nsuccs; i++) {
        if (!gb->never[i] || !gb->eh[i] || gb->succs[i] < 0)
            continue;
        edge e = edge_to(f->order[b], f->order[gb->succs[i]]);
        if (e && (e->flags & EDGE_ABNORMAL))
            remove_edge(e);
    }
}

void redirect(const cs_lowered *f)
{
    const cs_func *gf = &G->funcs[f->func];
    for (unsigned b = 0; b < f->order.length(); b++) {
        basic_block bb = f->order[b];
        const cs_block *gb = &gf->blocks[b];
        if (!gb->reachable)
            keep_one_edge(bb, NULL);
        else if (edge way = taken_edge(f, b, gb))
            go_one_way(bb, way);
        drop_jumps(f, b, gb);
        if (b == 0 && gf->uncalled)
            cs_assume_tell_called(bb, tell);
        if (EDGE_COUNT(bb->succs) == 0 && !ends_itself(bb))
            trap_at_end(bb);
    }
}

void fix_kept(const cs_lowered *f)
{
    for (unsigned b = 0; b < f->order.length(); b++) {
        for (gphi_iterator i = gsi_start_phis(f->order[b]); !gsi_end_p(i); gsi_next(&i))
            if (!virtual_operand_p(gimple_phi_result(i.phi())))
                fix_operands(i.phi());
        for (gimple_stmt_iterator i = gsi_start_bb(f->order[b]); !gsi_end_p(i); gsi_next(&i)) {
            gimple *g = gsi_stmt(i);
            cs_stmt *s = stmt_of(g);
            if (gimple_code(g) == GIMPLE_RETURN && !kept(g))
                fix_return(as_a<greturn *>(g));
            if (s && s->keep && is_gimple_call(g) && !gimple_call_internal_p(g))
                fix_call(as_a<gcall *>(g), s);
            if (s)
                fix_operands(g);
        }
    }
}

void drop_results(const cs_lowered *f)
{
    for (unsigned b = 0; b < f->order.length(); b++)
        for (gimple_stmt_iterator i = gsi_start_bb(f->order[b]); !gsi_end_p(i); gsi_next(&i)) {
            cs_stmt *s = stmt_of(gsi_stmt(i));
            if (s && s->keep && is_gimple_call(gsi_stmt(i)) && !gimple_call_internal_p(gsi_stmt(i)))
                drop_result(as_a<gcall *>(gsi_stmt(i)), s);
        }
}

/* The sweep has changed edges and what is in memory. */
void forget_derived()
{
    free_dominance_info(CDI_DOMINATORS);
    free_dominance_info(CDI_POST_DOMINATORS);
    if (current_loops)
        loops_state_set(LOOPS_NEED_FIXUP);
    mark_virtual_operands_for_renaming(cfun);
    basic_block bb;
    /* A call whose callee does not throw, as GCC has learnt since, no longer needs to end its block: before blocks are
     * merged. */
    FOR_EACH_BB_FN (bb, cfun) {
        if (gimple *last = last_nondebug_stmt(bb))
            maybe_clean_eh_stmt(last);
        gimple_purge_dead_abnormal_call_edges(bb);
    }
}

/* Puts what is copied in place of its copies. */
void look_through_copies()
{
    basic_block bb;
    FOR_EACH_BB_FN (bb, cfun)
        for (gimple_stmt_iterator i = gsi_start_bb(bb); !gsi_end_p(i); gsi_next(&i)) {
            gimple *g = gsi_stmt(i);
            if (gimple_assign_ssa_name_copy_p(g) && !SSA_NAME_OCCURS_IN_ABNORMAL_PHI(gimple_assign_lhs(g)) &&
                !SSA_NAME_OCCURS_IN_ABNORMAL_PHI(gimple_assign_rhs1(g)))
                replace_uses_by(gimple_assign_lhs(g), gimple_assign_rhs1(g));
        }
}

/* Makes values of variables whose address the slice does not take, and leaves all blocks that can be reached as they
 * are. */
void settle()
{
    forget_derived();
    delete_unreachable_blocks();
    update_ssa(TODO_update_ssa_only_virtuals);
    execute_update_addresses_taken();
    look_through_copies();
}

/* Leaves the current function as GCC wants it between two passes. */
void finish()
{
    basic_block bb;
    forget_derived();
    cleanup_tree_cfg();
    update_ssa(TODO_update_ssa_only_virtuals);
    FOR_EACH_BB_FN (bb, cfun)
        gimple_purge_dead_eh_edges(bb);
    cleanup_tree_cfg(TODO_update_ssa);
    maybe_remove_unreachable_handlers();
    free_dominance_info(CDI_DOMINATORS);
    free_dominance_info(CDI_POST_DOMINATORS);
    verify_gimple_in_cfg(cfun, true);
    verify_ssa(true, true);
    cgraph_edge::rebuild_edges();
}

void sweep_function(const cs_lowered *f)
{
    push_cfun(DECL_STRUCT_FUNCTION(f->node->decl));
    current_function_decl = f->node->decl;
    const cs_func *gf = &G->funcs[f->func];
    /* Pointers into statement operands stay valid: released names are recognised, not followed. */
    cs_equal_begin(G, f);
    fix_kept(f);
    drop_results(f);
    for (int b = f->order.length() - 1; b >= 0; b--)
        sweep_block(f->order[b], gf->blocks[b].reachable);
    cs_equal_move();
    cs_assume_sweep(G, assumptions, f);
    redirect(f);
    cs_count_expand();
    if (cs_repeats(alike, f)) {
        settle();
        cs_repeat_turns(program, alike, f, turns);
    }
    if (MAIN_NAME_P(DECL_NAME(f->node->decl)))
        cs_guard_main();
    if (faults->poison)
        cs_poison_frame(faults->gone_values);
    finish();
    pop_cfun();
}

void announce_function(const cs_lowered *f)
{
    push_cfun(DECL_STRUCT_FUNCTION(f->node->decl));
    current_function_decl = f->node->decl;
    cs_assume_check(G, assumptions, f, violations, tell);
    for (unsigned b = 0; b < f->order.length(); b++)
        for (gimple_stmt_iterator i = gsi_start_bb(f->order[b]); !gsi_end_p(i); gsi_next(&i)) {
            cs_stmt *s = stmt_of(gsi_stmt(i));
            if (s && s->site >= 0)
                announce_site(&i, s);
        }
    if (cs_count_expand()) {
        mark_virtual_operands_for_renaming(cfun);
        cgraph_edge::rebuild_edges();
    }
    update_ssa(TODO_update_ssa_only_virtuals);
    pop_cfun();
}

} // namespace

void cs_apply(struct cs_program *p, const struct cs_assumptions *as, bool remove, struct cs_alike_loops *loops,
              const struct cs_faults *what)
{
    alike = loops;
    program = p;
    G = p->graph;
    assumptions = as;
    faults = what;
    make_variables(remove);
    for (unsigned i = 0; i < p->funcs.length(); i++) {
        if (remove)
            sweep_function(&p->funcs[i]);
        else
            announce_function(&p->funcs[i]);
    }
    if (remove)
        symtab->remove_unreachable_nodes(dump_file);
}
