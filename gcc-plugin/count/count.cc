/* SPDX-License-Identifier: GPL-3.0-or-later
 * Finds loops, gives each a number and puts a call in that counts it; count.h.
 *   known before:    commslice_count(7, n);  for (...) ...
 *   not known:       while (...) { commslice_count(7, 1); ... }
 *   a nest as a sum: commslice_count(7, n * m);  for (...) for (...) ...     where no MPI call is in the nest
 * The call touches no memory and its value is needed by nobody, so that a slice has it only where it is wanted. */
#include "gcc-plugin/count/count.h"

#include "api/mpi_calls.h"
#include "gcc-plugin/count/changes.h"
#include "gcc-plugin/count/count_expression.h"
#include "gcc-plugin/count/lift.h"
#include "gcc-plugin/count/trips.h"
#include "gcc-plugin/count/value_before.h"

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
    gimple *test = exit ? last_nondebug_stmt(exit->src) : NULL;
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
        count_on(tested, id, build_one_cst(cs_u64()), 0, at);
        return;
    }
    gimple_stmt_iterator first = gsi_after_labels(tested ? tested->dest : l->header);
    gcall *call = new_call(id, build_one_cst(cs_u64()), 0);
    gimple_set_location(call, at);
    gsi_insert_before(&first, call, GSI_SAME_STMT);
}

/* ---- sums, over loops and over calls ---- */

enum { LIFTED = 64 }; /* a function's callers take at most so many counts of it, all together */

std::map<cgraph_node *, std::vector<cs_lifted>> lifted;

/* Counts where the sum over the loops around has a closed form no longer, or where the function is called. */
void count_sum(cs_trips *t, int id, int loops, location_t at)
{
    cgraph_node *self = cgraph_node::get(cfun->decl);
    while (loop_outer(t->at->src->loop_father) && !has_communication(t->at->src->loop_father) && cs_trips_sum(t))
        loops++;
    if (!loop_outer(t->at->src->loop_father) && cs_lift_may(self) && !communicates.count(self)) {
        tree amount = cs_trips_at_entry(t);
        if (amount && cs_lift_can(amount)) {
            lifted[self].push_back({id, amount, loops, LOCATION_LOCUS(at)});
            return;
        }
    }
    for (unsigned i = 0; i < t->guards.length(); i++)
        t->count = fold_build3(COND_EXPR, cs_u64(), t->guards[i], t->count, build_zero_cst(cs_u64()));
    count_on(t->at, id, t->count, loops, at);
}

/* A function of which counts were lifted, and that is called here; NULL: none. */
cgraph_node *lifted_from(gimple *g)
{
    tree decl = is_gimple_call(g) && !gimple_call_internal_p(g) ? gimple_call_fndecl(g) : NULL_TREE;
    cgraph_node *n = decl ? cgraph_node::get(decl) : NULL;
    return n && lifted.count(n) ? n : NULL;
}

/* A place right in front of the call. */
edge edge_before(gcall *call)
{
    gimple_stmt_iterator i = gsi_for_stmt(call);
    gsi_prev(&i);
    return gsi_end_p(i) ? split_block_after_labels(gimple_bb(call)) : split_block(gimple_bb(call), gsi_stmt(i));
}

void count_call(gcall *call, cgraph_node *callee)
{
    const std::vector<cs_lifted> &all = lifted[callee];
    std::map<tree, tree> copied;
    for (unsigned i = 0; i < all.size(); i++) {
        gimple_seq seq = NULL;
        cs_trips t;
        free_dominance_info(CDI_POST_DOMINATORS);
        t.at = edge_before(call);
        calculate_dominance_info(CDI_POST_DOMINATORS);
        t.count = cs_lift_copy(&seq, all[i].amount, call, callee->decl, &copied);
        gimple_stmt_iterator end = gsi_last_bb(t.at->src);
        set_place(seq, gimple_location(call));
        gsi_insert_seq_after(&end, seq, GSI_NEW_STMT);
        cs_trips_split(&t);
        count_sum(&t, all[i].id, all[i].loops, all[i].at);
    }
}

void count_calls()
{
    basic_block bb;
    auto_vec<gcall *> calls;
    FOR_EACH_BB_FN (bb, cfun)
        for (gimple_stmt_iterator i = gsi_start_bb(bb); !gsi_end_p(i); gsi_next(&i))
            if (lifted_from(gsi_stmt(i)))
                calls.safe_push(as_a<gcall *>(gsi_stmt(i)));
    for (unsigned i = 0; i < calls.length(); i++)
        count_call(calls[i], lifted_from(calls[i]));
}

/* Too many counts for the callers stay in the function. */
void count_at_entry(cgraph_node *self)
{
    int calls = 0;
    for (cgraph_edge *e = self->callers; e; e = e->next_caller)
        calls++;
    if (calls && (int)lifted[self].size() * calls <= LIFTED)
        return;
    for (unsigned i = 0; i < lifted[self].size(); i++) {
        const cs_lifted &one = lifted[self][i];
        count_on(single_succ_edge(single_succ(ENTRY_BLOCK_PTR_FOR_FN(cfun))), one.id, one.amount, one.loops, one.at);
    }
    lifted.erase(self);
}

void count_loop(class loop *l, cs_count_where where)
{
    cs_trips t;
    location_t at = place_of(l);
    int id = new_counter(l);
    if (where == CS_COUNT_EACH || !cs_trips_of(l, &t)) {
        count_inside(l, id, at);
        return;
    }
    if (where == CS_COUNT_NESTS) {
        count_sum(&t, id, 0, at);
        return;
    }
    for (unsigned i = 0; i < t.guards.length(); i++)
        t.count = fold_build3(COND_EXPR, cs_u64(), t.guards[i], t.count, build_zero_cst(cs_u64()));
    count_on(t.at, id, t.count, 0, at);
}

unsigned names; /* those of the current function that were there before */

/* Is it an operation or a load that was put in, and whose value nothing uses? Sums that turn out to have no closed form
 * leave some behind. */
bool is_left_over(gimple *g, const std::set<tree> *wanted)
{
    tree to = is_gimple_assign(g) && !gimple_vdef(g) ? gimple_assign_lhs(g) : NULL_TREE;
    return to && TREE_CODE(to) == SSA_NAME && SSA_NAME_VERSION(to) >= names && has_zero_uses(to) && !wanted->count(to);
}

void clear_up()
{
    basic_block bb;
    std::set<tree> wanted;
    const std::vector<cs_lifted> &of = lifted[cgraph_node::get(cfun->decl)];
    for (unsigned i = 0; i < of.size(); i++)
        wanted.insert(of[i].amount);
    for (bool again = true; again;) {
        again = false;
        FOR_EACH_BB_REVERSE_FN(bb, cfun)
        for (gimple_stmt_iterator i = gsi_last_bb(bb); !gsi_end_p(i);) {
            gimple *g = gsi_stmt(i);
            gsi_prev(&i);
            if (!is_left_over(g, &wanted))
                continue;
            gimple_stmt_iterator at = gsi_for_stmt(g);
            gsi_remove(&at, true);
            release_defs(g);
            again = true;
        }
    }
}

void begin(bool first)
{
    names = num_ssa_names;
    cs_values_forget();
    if (first)
        cs_trips_begin();
    loop_optimizer_init(LOOPS_NORMAL | LOOPS_HAVE_RECORDED_EXITS);
    calculate_dominance_info(CDI_POST_DOMINATORS);
    scev_initialize();
}

void end()
{
    scev_finalize();
    loop_optimizer_finalize();
    clear_up();
    free_dominance_info(CDI_DOMINATORS);
    free_dominance_info(CDI_POST_DOMINATORS);
    mark_virtual_operands_for_renaming(cfun);
    update_ssa(TODO_update_ssa_only_virtuals);
    cgraph_edge::rebuild_edges();
}

void count_function(cs_count_where where)
{
    begin(where == CS_COUNT_NESTS);
    for (unsigned i = 1, n = number_of_loops(cfun); i < n; i++)
        if (class loop *l = get_loop(cfun, i)) {
            int blocks = n_basic_blocks_for_fn(cfun);
            count_loop(l, where);
            if (n_basic_blocks_for_fn(cfun) != blocks) /* an edge was split, which GCC does not enter there */
                free_dominance_info(CDI_POST_DOMINATORS);
            calculate_dominance_info(CDI_POST_DOMINATORS);
        }
    end();
}

void declare_call()
{
    tree type = build_function_type_list(void_type_node, integer_type_node, cs_u64(), integer_type_node, NULL_TREE);
    call_decl = build_fn_decl(CS_COUNT_CALL, type);
    TREE_NOTHROW(call_decl) = 1;
    DECL_IS_NOVOPS(call_decl) = 1;
    DECL_ARTIFICIAL(call_decl) = 1;
}

/* ---- the addition ---- */

tree counter_place(tree id)
{
    return build4(ARRAY_REF, cs_u64(), variable, fold_convert(sizetype, id), NULL_TREE, NULL_TREE);
}

/* The word behind the counters, whose bit i says that some of the i-th part of them have changed: as many parts as it
 * has bits, of equally many counters. */
tree changed_place()
{
    return counter_place(build_int_cst(integer_type_node, counters.size()));
}

tree changed_bit(tree id)
{
    unsigned HOST_WIDE_INT part = (counters.size() + 63) / 64;
    return build_int_cst(cs_u64(), HOST_WIDE_INT_1U << (tree_to_uhwi(id) / part));
}

void add_before(gimple_stmt_iterator *at, gimple *g)
{
    gimple_set_uid(g, 0);
    gimple_set_location(g, gimple_location(gsi_stmt(*at)));
    gsi_insert_before(at, g, GSI_SAME_STMT);
}

void change(gimple_stmt_iterator *at, tree place, tree_code code, tree by)
{
    tree had = make_ssa_name(cs_u64()), has = make_ssa_name(cs_u64());
    add_before(at, gimple_build_assign(had, place));
    add_before(at, gimple_build_assign(has, code, had, by));
    add_before(at, gimple_build_assign(unshare_expr(place), has));
}

void expand(gimple_stmt_iterator *at, gcall *call)
{
    tree id = gimple_call_arg(call, 0);
    change(at, counter_place(id), PLUS_EXPR, gimple_call_arg(call, 1));
    change(at, changed_place(), BIT_IOR_EXPR, changed_bit(id));
    gsi_remove(at, true);
}

/* Makes it the current function if it has a body. */
bool enter(cgraph_node *node)
{
    if (node->alias || node->thunk || node->inlined_to)
        return false;
    node->get_untransformed_body();
    if (!gimple_has_body_p(node->decl) || !DECL_STRUCT_FUNCTION(node->decl)->cfg)
        return false;
    push_cfun(DECL_STRUCT_FUNCTION(node->decl));
    current_function_decl = node->decl;
    return true;
}

} // namespace

void cs_count_insert(cs_count_where where, const struct cs_effects *fx)
{
    cgraph_node *node;
    declare_call();
    find_communication();
    cs_changes_find(fx);
    const std::vector<cgraph_node *> &bottom_up = cs_lift_choose();
    FOR_EACH_FUNCTION_WITH_GIMPLE_BODY (node)
        if (enter(node)) {
            count_function(where);
            pop_cfun();
        }
    for (unsigned i = 0; where == CS_COUNT_NESTS && i < bottom_up.size(); i++)
        if (enter(bottom_up[i])) {
            begin(false);
            count_calls();
            count_at_entry(bottom_up[i]);
            end();
            pop_cfun();
        }
}

const std::vector<cs_counter> &cs_counters()
{
    return counters;
}

tree cs_count_variable_type()
{
    return counters.empty() ? NULL_TREE : build_array_type_nelts(cs_u64(), counters.size() + 1);
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
