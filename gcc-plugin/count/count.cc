/* SPDX-License-Identifier: GPL-3.0-or-later
 * Finds loops, gives each a number and puts a call in that counts it; count.h.
 *   known before:    commslice_count(7, n);  for (...) ...
 *   not known:       while (...) { commslice_count(7, 1); ... }
 *   a nest as a sum: commslice_count(7, n * m);  for (...) for (...) ...     where no MPI call is in the nest
 * The call touches no memory and its value is needed by nobody, so that a slice has it only where it is wanted. */
#include "gcc-plugin/count/count.h"

#include "api/mpi_calls.h"
#include "gcc-plugin/count/closed_form.h"

#include <map>
#include <set>
#include <tuple>

namespace {

std::vector<cs_counter> counters;
tree call_decl, variable;

/* ---- which functions may make MPI calls that are recorded ---- */

std::set<cgraph_node *> communicates;

/* Is it a function of MPI whose calls are recorded, at which a segment ends? */
bool is_event(tree decl)
{
    enum cs_binding b;
    const struct cs_mpi_call *c = cs_mpi_by_symbol(IDENTIFIER_POINTER(DECL_ASSEMBLER_NAME(decl)), &b);
    return c && (c->flags & CS_MPI_EVENT);
}

/* Directly, or by what is known to; a pointer may lead to any function. */
bool may_communicate(cgraph_node *node)
{
    for (cgraph_edge *e = node->callees; e; e = e->next_callee)
        if (is_event(e->callee->decl) || communicates.count(e->callee->ultimate_alias_target()))
            return true;
    return node->indirect_calls != NULL;
}

void find_communication()
{
    cgraph_node *node;
    for (bool again = true; again;) {
        again = false;
        FOR_EACH_FUNCTION_WITH_GIMPLE_BODY (node)
            if (!communicates.count(node) && may_communicate(node))
                again = communicates.insert(node).second;
    }
}

bool may_record(gimple *g)
{
    if (!is_gimple_call(g) || gimple_call_internal_p(g))
        return false;
    tree decl = gimple_call_fndecl(g);
    cgraph_node *node = decl ? cgraph_node::get(decl) : NULL;
    return !decl || is_event(decl) || (node && communicates.count(node->ultimate_alias_target()));
}

bool has_communication(const class loop *l)
{
    bool found = false;
    basic_block *body = get_loop_body(l);
    for (unsigned i = 0; i < l->num_nodes && !found; i++)
        for (gimple_stmt_iterator k = gsi_start_bb(body[i]); !gsi_end_p(k) && !found; gsi_next(&k))
            found = may_record(gsi_stmt(k));
    free(body);
    return found;
}

/* ---- one loop ---- */

location_t first_location(basic_block bb)
{
    for (gimple_stmt_iterator i = gsi_start_bb(bb); !gsi_end_p(i); gsi_next(&i))
        if (!is_gimple_debug(gsi_stmt(i)) && LOCATION_LOCUS(gimple_location(gsi_stmt(i))) != UNKNOWN_LOCATION)
            return gimple_location(gsi_stmt(i));
    return UNKNOWN_LOCATION;
}

/* The test that leaves the loop, or its first statement that has a place; else the function. */
location_t place_of(const class loop *l)
{
    edge exit = single_exit(l);
    gimple *test = exit ? last_stmt(exit->src) : NULL;
    location_t at = test ? gimple_location(test) : UNKNOWN_LOCATION;
    if (LOCATION_LOCUS(at) == UNKNOWN_LOCATION)
        at = first_location(l->header);
    if (LOCATION_LOCUS(at) == UNKNOWN_LOCATION)
        at = first_location(l->latch);
    return LOCATION_LOCUS(at) == UNKNOWN_LOCATION ? DECL_SOURCE_LOCATION(cfun->decl) : at;
}

/* Names are unique in a line by their ordinal, over all functions of this name. */
int new_counter(const class loop *l)
{
    static std::map<std::tuple<std::string, std::string, int>, int> used;
    expanded_location x = expand_location(place_of(l));
    cs_counter c = {x.file ? lbasename(x.file) : "", IDENTIFIER_POINTER(DECL_ASSEMBLER_NAME(cfun->decl)), x.line, 0};
    c.ordinal = used[std::make_tuple(c.file, c.func, c.line)]++;
    counters.push_back(c);
    return counters.size() - 1;
}

/* loops: over how many the amount is a sum. */
gcall *new_call(int id, tree amount, int loops)
{
    return gimple_build_call(call_decl, 3, build_int_cst(integer_type_node, id), amount,
                             build_int_cst(integer_type_node, loops));
}

void set_place(gimple_seq seq, location_t at)
{
    for (gimple_stmt_iterator i = gsi_start(seq); !gsi_end_p(i); gsi_next(&i))
        gimple_set_location(gsi_stmt(i), at);
}

/* Counts `amount` on the edge. */
void count_on(edge e, int id, tree amount, int loops, location_t at)
{
    gimple_seq seq = NULL;
    gimple_seq_add_stmt(&seq, new_call(id, cs_count_compute(&seq, amount), loops));
    set_place(seq, at);
    gsi_insert_seq_on_edge_immediate(e, seq);
}

/* Counts each iteration. */
void count_inside(const class loop *l, int id, location_t at)
{
    edge tested = cs_tested_first(l);
    if (tested && !single_pred_p(tested->dest)) {
        count_on(tested, id, build_one_cst(cs_count_type()), 0, at);
        return;
    }
    gimple_stmt_iterator first = gsi_after_labels(tested ? tested->dest : l->header);
    gcall *call = new_call(id, build_one_cst(cs_count_type()), 0);
    gimple_set_location(call, at);
    gsi_insert_before(&first, call, GSI_SAME_STMT);
}

void count_loop(class loop *l, cs_count_where where)
{
    cs_trips t;
    location_t at = place_of(l);
    int id = new_counter(l), loops = 0;
    if (where == CS_COUNT_EACH || !cs_trips_of(l, &t)) {
        count_inside(l, id, at);
        return;
    }
    while (where == CS_COUNT_NESTS && loop_outer(t.at->src->loop_father) &&
           !has_communication(t.at->src->loop_father) && cs_trips_sum(&t))
        loops++;
    for (unsigned i = 0; i < t.guards.length(); i++)
        t.count = fold_build3(COND_EXPR, cs_count_type(), t.guards[i], t.count, build_zero_cst(cs_count_type()));
    count_on(t.at, id, t.count, loops, at);
}

void count_function(cs_count_where where)
{
    loop_optimizer_init(LOOPS_NORMAL | LOOPS_HAVE_RECORDED_EXITS);
    calculate_dominance_info(CDI_POST_DOMINATORS);
    scev_initialize();
    for (unsigned i = 1, n = number_of_loops(cfun); i < n; i++)
        if (class loop *l = get_loop(cfun, i)) {
            int blocks = n_basic_blocks_for_fn(cfun);
            count_loop(l, where);
            if (n_basic_blocks_for_fn(cfun) != blocks) /* an edge was split, which GCC does not enter there */
                free_dominance_info(CDI_POST_DOMINATORS);
            calculate_dominance_info(CDI_POST_DOMINATORS);
        }
    scev_finalize();
    loop_optimizer_finalize();
    free_dominance_info(CDI_DOMINATORS);
    free_dominance_info(CDI_POST_DOMINATORS);
    mark_virtual_operands_for_renaming(cfun);
    update_ssa(TODO_update_ssa_only_virtuals);
    cgraph_edge::rebuild_edges();
}

void declare_call()
{
    tree type =
        build_function_type_list(void_type_node, integer_type_node, cs_count_type(), integer_type_node, NULL_TREE);
    call_decl = build_fn_decl(CS_COUNT_CALL, type);
    TREE_NOTHROW(call_decl) = 1;
    DECL_IS_NOVOPS(call_decl) = 1;
    DECL_ARTIFICIAL(call_decl) = 1;
}

/* ---- the addition ---- */

tree counter_place(tree id)
{
    return build4(ARRAY_REF, cs_count_type(), variable, fold_convert(sizetype, id), NULL_TREE, NULL_TREE);
}

void add_before(gimple_stmt_iterator *at, gimple *g)
{
    gimple_set_uid(g, 0);
    gimple_set_location(g, gimple_location(gsi_stmt(*at)));
    gsi_insert_before(at, g, GSI_SAME_STMT);
}

void expand(gimple_stmt_iterator *at, gcall *call)
{
    tree place = counter_place(gimple_call_arg(call, 0));
    tree had = make_ssa_name(cs_count_type()), has = make_ssa_name(cs_count_type());
    add_before(at, gimple_build_assign(had, place));
    add_before(at, gimple_build_assign(has, PLUS_EXPR, had, gimple_call_arg(call, 1)));
    add_before(at, gimple_build_assign(unshare_expr(place), has));
    gsi_remove(at, true);
}

} // namespace

void cs_count_insert(cs_count_where where)
{
    cgraph_node *node;
    declare_call();
    find_communication();
    FOR_EACH_FUNCTION_WITH_GIMPLE_BODY (node) {
        if (node->alias || node->thunk || node->inlined_to)
            continue;
        node->get_untransformed_body();
        if (!gimple_has_body_p(node->decl) || !DECL_STRUCT_FUNCTION(node->decl)->cfg)
            continue;
        push_cfun(DECL_STRUCT_FUNCTION(node->decl));
        current_function_decl = node->decl;
        count_function(where);
        pop_cfun();
    }
}

const std::vector<cs_counter> &cs_counters()
{
    return counters;
}

tree cs_count_variable_type()
{
    return counters.empty() ? NULL_TREE : build_array_type_nelts(cs_count_type(), counters.size());
}

void cs_count_into(tree v)
{
    variable = v;
}

bool cs_count_expand()
{
    basic_block bb;
    bool any = false;
    if (!variable)
        return false;
    FOR_EACH_BB_FN (bb, cfun)
        for (gimple_stmt_iterator i = gsi_start_bb(bb); !gsi_end_p(i);) {
            gcall *call = dyn_cast<gcall *>(gsi_stmt(i));
            if (call && gimple_call_fndecl(call) == call_decl) {
                expand(&i, call);
                any = true;
            } else
                gsi_next(&i);
        }
    return any;
}
