/* SPDX-License-Identifier: GPL-3.0-or-later
 * Finds the values that an assumption is about, replaces them, and compares; assume_value.h.
 *   argument:  MPI_Send(buf, n_5, ...)   ->  MPI_Send(buf, 100, ...)
 *   variable:  n_5 = count(...)          ->  n_5 = count(...); n_9 = 100;   and n_9 wherever n_5 was
 *   in memory: s->n = n_5                ->  s->n = 100
 *   by a call: MPI_Recv(&n, ...)         ->  MPI_Recv(&n, ...); n = 100; */
#include "gcc-plugin/apply/assume_value.h"

#include "api/allocation.h"
#include "api/assumed_value.h"
#include "api/mpi_calls.h"
#include "gcc-plugin/apply/expression_gimple.h"
#include "gcc-plugin/lower/lower.h"

namespace {

/* The search for one assumption: what is found, and what is at the line that does not fit. */
struct Search {
    const cs_assumption *a;
    int index;
    cgraph_node *node;
    vec<cs_value_place> *places;
    bool at_line, no_integer, comes_back;
    const char *call; /* an MPI call of the line */
};

bool of_line(const Search *s, gimple *g)
{
    if (gimple_location(g) == UNKNOWN_LOCATION)
        return false;
    expanded_location x = expand_location(gimple_location(g));
    return x.file && x.line == s->a->line && !strcmp(lbasename(x.file), lbasename(s->a->file));
}

bool named(const Search *s, tree name)
{
    return name && !strcasecmp(IDENTIFIER_POINTER(name), s->a->name);
}

void add_place(Search *s, cs_value_kind kind, gimple *g, tree actual, tree type, int arg = -1, bool is_count = false)
{
    if (!INTEGRAL_TYPE_P(type)) {
        s->no_integer = true;
        return;
    }
    if (cfun->calls_setjmp || cfun->has_nonlocal_label) {
        s->comes_back = true;
        return;
    }
    s->places->safe_push({s->index, s->node, g, kind, arg, is_count, actual, type, NULL_TREE, NULL});
}

/* ---- calls of MPI ---- */

/* What a pointer points to, as a place of that type. */
tree place_at(tree pointer, tree type)
{
    tree decl = TREE_CODE(pointer) == ADDR_EXPR ? TREE_OPERAND(pointer, 0) : NULL_TREE;
    if (decl && useless_type_conversion_p(type, TREE_TYPE(decl)))
        return decl;
    return build2(MEM_REF, type, pointer, build_int_cst(build_pointer_type(type), 0));
}

void find_argument(Search *s, gcall *g, const struct cs_mpi_call *c, cs_binding binding)
{
    for (int i = 0; i < c->nargs && i < (int)gimple_call_num_args(g); i++) {
        bool out = false;
        tree a = gimple_call_arg(g, i);
        if (strcasecmp(c->args[i].name, s->a->name))
            continue;
        int size = cs_mpi_number_size(&c->args[i], &out);
        tree type = size == 8 ? long_long_integer_type_node : integer_type_node;
        bool by_value = binding == CS_BIND_C && !out;
        if (!size || POINTER_TYPE_P(TREE_TYPE(a)) == by_value)
            s->no_integer = true;
        else if (out)
            add_place(s, CS_VALUE_WRITTEN, g, place_at(a, type), type);
        else
            add_place(s, CS_VALUE_ARGUMENT, g, a, by_value ? TREE_TYPE(a) : type, i, c->args[i].role == CS_ROLE_COUNT);
    }
}

/* The size of memory that a call asks for. */
void find_size(Search *s, gcall *g, tree decl)
{
    for (unsigned i = 0; i < gimple_call_num_args(g); i++) {
        const char *name = cs_allocation_size(IDENTIFIER_POINTER(DECL_ASSEMBLER_NAME(decl)), i);
        if (name && !strcasecmp(name, s->a->name))
            add_place(s, CS_VALUE_ARGUMENT, g, gimple_call_arg(g, i), TREE_TYPE(gimple_call_arg(g, i)), i);
    }
}

/* Is the argument written when the call returns? Of a call that is not MPI's that cannot be told. */
bool writes(const struct cs_mpi_call *c, int i)
{
    return !c || cs_mpi_has_written(c, i);
}

void find_in_call(Search *s, gcall *g)
{
    tree decl = gimple_call_fndecl(g);
    enum cs_binding binding = CS_BIND_C;
    const struct cs_mpi_call *c =
        decl ? cs_mpi_by_symbol(IDENTIFIER_POINTER(DECL_ASSEMBLER_NAME(decl)), &binding) : NULL;
    unsigned before = s->places->length();
    if (c) {
        s->call = c->name;
        find_argument(s, g, c, binding);
    } else if (decl)
        find_size(s, g, decl);
    for (unsigned i = 0; i < gimple_call_num_args(g) && s->places->length() == before; i++) {
        tree a = gimple_call_arg(g, i);
        if (TREE_CODE(a) != ADDR_EXPR || !writes(c, i) || !named(s, cs_assigned_name(a)))
            continue;
        tree place = TREE_OPERAND(a, 0);
        if (TREE_CODE(TREE_TYPE(place)) != ARRAY_TYPE)
            add_place(s, CS_VALUE_WRITTEN, g, place, TREE_TYPE(place));
    }
}

/* ---- all statements ---- */

void find_assigned(Search *s, gimple *g)
{
    tree lhs = gimple_get_lhs(g);
    if (!lhs || !named(s, cs_assigned_name(lhs)))
        return;
    if (TREE_CODE(lhs) == SSA_NAME)
        add_place(s, CS_VALUE_DEFINED, g, lhs, TREE_TYPE(lhs));
    else if (is_gimple_call(g))
        add_place(s, CS_VALUE_WRITTEN, g, lhs, TREE_TYPE(lhs));
    else if (gimple_assign_single_p(g))
        add_place(s, CS_VALUE_STORED, g, gimple_assign_rhs1(g), TREE_TYPE(lhs));
}

/* The compiler computes the variable under another name: debug information tells which. */
void find_renamed(Search *s, gimple *g)
{
    if (!gimple_debug_bind_p(g) || !gimple_debug_bind_has_value_p(g) ||
        !named(s, cs_assigned_name(gimple_debug_bind_get_var(g))))
        return;
    tree value = gimple_debug_bind_get_value(g);
    if (TREE_CODE(value) != SSA_NAME || SSA_NAME_IS_DEFAULT_DEF(value) ||
        gimple_code(SSA_NAME_DEF_STMT(value)) == GIMPLE_PHI)
        return;
    for (unsigned i = 0; i < s->places->length(); i++)
        if ((*s->places)[i].actual == value)
            return;
    add_place(s, CS_VALUE_DEFINED, SSA_NAME_DEF_STMT(value), value, TREE_TYPE(value));
}

void find_in_function(Search *s, bool renamed)
{
    basic_block bb;
    FOR_EACH_BB_FN (bb, cfun)
        for (gimple_stmt_iterator i = gsi_start_bb(bb); !gsi_end_p(i); gsi_next(&i)) {
            gimple *g = gsi_stmt(i);
            if (!of_line(s, g))
                continue;
            s->at_line |= !is_gimple_debug(g);
            if (renamed)
                find_renamed(s, g);
            else if (gcall *call = dyn_cast<gcall *>(g))
                find_in_call(s, call);
            if (!renamed)
                find_assigned(s, g);
        }
}

void find_in_program(Search *s, bool renamed)
{
    FOR_EACH_FUNCTION_WITH_GIMPLE_BODY (s->node) {
        if (s->node->alias || s->node->thunk || s->node->inlined_to)
            continue;
        s->node->get_untransformed_body();
        if (!gimple_has_body_p(s->node->decl) || !DECL_STRUCT_FUNCTION(s->node->decl)->cfg)
            continue;
        push_cfun(DECL_STRUCT_FUNCTION(s->node->decl));
        find_in_function(s, renamed);
        pop_cfun();
    }
}

/* ---- replacing ---- */

void set_place(gimple_seq seq, location_t where)
{
    for (gimple_stmt_iterator i = gsi_start(seq); !gsi_end_p(i); gsi_next(&i))
        gimple_set_location(gsi_stmt(i), where);
}

/* Statements that are not the program's are not counted as its own: lower/lower_stmt.cc. */
void mark(gimple_seq seq)
{
    for (gimple_stmt_iterator i = gsi_start(seq); !gsi_end_p(i); gsi_next(&i))
        gimple_set_plf(gsi_stmt(i), GF_PLF_2, true);
}

/* Behind the statement, also where it ends its block as it may throw. */
void insert_behind(gimple *g, gimple_seq seq)
{
    gimple_stmt_iterator at = gsi_for_stmt(g);
    mark(seq);
    if (!stmt_ends_bb_p(g))
        gsi_insert_seq_after(&at, seq, GSI_SAME_STMT);
    else if (edge e = find_fallthru_edge(gimple_bb(g)->succs)) {
        gsi_insert_seq_on_edge(e, seq);
        gsi_commit_one_edge_insert(e, NULL);
    }
}

void insert_before(gimple *g, gimple_seq seq)
{
    gimple_stmt_iterator at = gsi_for_stmt(g);
    mark(seq);
    gsi_insert_seq_before(&at, seq, GSI_SAME_STMT);
}

/* Uses of one name become uses of the other. */
void exchange(tree from, tree to)
{
    imm_use_iterator it;
    gimple *g;
    use_operand_p use;
    FOR_EACH_IMM_USE_STMT(g, it, from)
    {
        FOR_EACH_IMM_USE_ON_STMT(use, it)
        SET_USE(use, to);
        update_stmt(g);
    }
}

/* The argument becomes the value, or the address of a variable that has it. */
void replace_argument(cs_value_place *p, gimple_seq *seq)
{
    gcall *g = as_a<gcall *>(p->stmt);
    tree given = p->assumed;
    if (POINTER_TYPE_P(TREE_TYPE(p->actual))) {
        tree v = create_tmp_var(p->type, "commslice_assumed");
        TREE_ADDRESSABLE(v) = 1;
        gimple_seq_add_stmt(seq, gimple_build_assign(v, p->assumed));
        given = build_fold_addr_expr_with_type(v, TREE_TYPE(p->actual));
    }
    insert_before(g, *seq);
    gimple_call_set_arg(g, p->arg, given);
    update_stmt(g);
}

void replace(cs_value_place *p, const cs_expr *value, tree counter)
{
    gimple_seq seq = NULL;
    p->assumed = cs_seq_convert(&seq, p->type, cs_seq_expression(&seq, value, NULL_TREE, counter));
    if (p->kind == CS_VALUE_DEFINED && TREE_CODE(p->assumed) != SSA_NAME) {
        tree name = make_ssa_name(p->type);
        gimple_seq_add_stmt(&seq, gimple_build_assign(name, p->assumed));
        p->assumed = name;
    }
    if (p->kind == CS_VALUE_WRITTEN)
        gimple_seq_add_stmt(&seq, p->put = gimple_build_assign(unshare_expr(p->actual), p->assumed));
    set_place(seq, gimple_location(p->stmt));
    switch (p->kind) {
    case CS_VALUE_ARGUMENT: replace_argument(p, &seq); break;
    case CS_VALUE_WRITTEN: insert_behind(p->stmt, seq); break;
    case CS_VALUE_DEFINED:
        exchange(p->actual, p->assumed);
        insert_behind(p->stmt, seq);
        break;
    case CS_VALUE_STORED:
        insert_before(p->stmt, seq);
        gimple_assign_set_rhs1(p->stmt, p->assumed);
        update_stmt(p->stmt);
        break;
    }
}

void replace_in_function(cs_value_place *p, const cs_expr *value, tree counter)
{
    push_cfun(DECL_STRUCT_FUNCTION(p->node->decl));
    current_function_decl = p->node->decl;
    replace(p, value, counter);
    mark_virtual_operands_for_renaming(cfun);
    update_ssa(TODO_update_ssa_only_virtuals);
    free_dominance_info(CDI_DOMINATORS);
    free_dominance_info(CDI_POST_DOMINATORS);
    pop_cfun();
}

/* What hindered the search, for a message. */
void say_why(const Search *s, char *err, size_t errlen)
{
    const char *name = s->a->name, *file = s->a->file;
    int line = s->a->line;
    if (s->comes_back)
        snprintf(err, errlen, "assumption about '%s' at %s:%d: its function calls setjmp", name, file, line);
    else if (s->no_integer)
        snprintf(err, errlen, "assumption about '%s' at %s:%d: it is not an integer", name, file, line);
    else if (!s->at_line)
        snprintf(err, errlen, "assumption about '%s' at %s:%d: there is no statement at this line", name, file, line);
    else if (s->call)
        snprintf(err, errlen,
                 "assumption about '%s' at %s:%d: %s has no such argument, and no such variable is assigned "
                 "(-g finds those that the compiler has renamed)",
                 name, file, line, s->call);
    else
        snprintf(err, errlen,
                 "assumption about '%s' at %s:%d: there is no call of MPI, and no such variable is assigned "
                 "(-g finds those that the compiler has renamed)",
                 name, file, line);
}

/* ---- the instrumented original ---- */

/* What the original has there, after what is appended. */
tree actual_value(gimple_seq *seq, const cs_value_place *p)
{
    if (p->kind == CS_VALUE_WRITTEN)
        return cs_seq_load(seq, p->actual);
    if (p->kind == CS_VALUE_ARGUMENT && POINTER_TYPE_P(TREE_TYPE(p->actual)))
        return cs_seq_load(seq, place_at(p->actual, p->type));
    return p->actual;
}

/* place <- place op amount */
void update(gimple_seq *seq, tree place, tree_code op, tree amount)
{
    tree result = cs_seq_compute(seq, long_long_integer_type_node, op, cs_seq_load(seq, place), amount);
    gimple_seq_add_stmt(seq, gimple_build_assign(unshare_expr(place), result));
}

/* |a - b| in millionths of |a|, or of 1 where a is 0. Larger differences than 10^12 count as that. */
tree share(gimple_seq *seq, tree a, tree b)
{
    tree type = long_long_integer_type_node, most = build_int_cst(type, HOST_WIDE_INT_C(1000000000000));
    tree least = cs_seq_compute(seq, type, MIN_EXPR, a, b), largest = cs_seq_compute(seq, type, MAX_EXPR, a, b);
    tree off = cs_seq_compute(seq, type, MIN_EXPR, cs_seq_compute(seq, type, MINUS_EXPR, largest, least), most);
    tree size =
        cs_seq_compute(seq, type, MAX_EXPR, cs_seq_compute(seq, type, ABS_EXPR, a, NULL_TREE), build_one_cst(type));
    tree millions = cs_seq_compute(seq, type, MULT_EXPR, off, build_int_cst(type, 1000000));
    return cs_seq_compute(seq, type, TRUNC_DIV_EXPR, millions, size);
}

void compare(const cs_value_place *p, tree (*counter)(int i, int k))
{
    gimple_seq seq = NULL;
    tree type = long_long_integer_type_node;
    tree a = cs_seq_convert(&seq, type, actual_value(&seq, p)), b = cs_seq_convert(&seq, type, p->assumed);
    tree wrong = cs_seq_compute(&seq, boolean_type_node, NE_EXPR, a, b);
    update(&seq, counter(p->assumption, 0), PLUS_EXPR, cs_seq_convert(&seq, type, wrong));
    update(&seq, counter(p->assumption, 1), PLUS_EXPR, build_one_cst(type));
    update(&seq, counter(p->assumption, 2), MAX_EXPR, share(&seq, a, b));
    for (gimple_stmt_iterator i = gsi_start(seq); !gsi_end_p(i); gsi_next(&i))
        gimple_set_uid(gsi_stmt(i), 0);
    if (p->kind == CS_VALUE_DEFINED)
        insert_behind(SSA_NAME_DEF_STMT(p->assumed), seq);
    else
        insert_before(p->kind == CS_VALUE_WRITTEN ? p->put : p->stmt, seq);
}

/* Appends what notes the value, `a`, of this time behind those of the times before; the last place is for all that find
 * no more. */
void note_first(gimple_seq *seq, const cs_value_place *p, tree (*counter)(int i, int k), tree a)
{
    tree type = long_long_integer_type_node, begin = counter(p->assumption, CS_SEEN_SUMS);
    tree time = cs_seq_compute(seq, type, MIN_EXPR, cs_seq_load(seq, counter(p->assumption, 0)),
                               build_int_cst(type, CS_SEEN_FIRST - 1));
    tree at = cs_seq_compute(seq, type, PLUS_EXPR, time, fold_convert(type, TREE_OPERAND(begin, 1)));
    tree place = build4(ARRAY_REF, type, TREE_OPERAND(begin, 0), at, NULL_TREE, NULL_TREE);
    gimple_seq_add_stmt(seq, gimple_build_assign(place, a));
}

/* Appends what notes the original's value. */
void note(gimple_seq *seq, const cs_value_place *p, tree (*counter)(int i, int k))
{
    tree type = long_long_integer_type_node, bound = build_int_cst(type, HOST_WIDE_INT_1 << 40);
    tree least = build_int_cst(type, -(HOST_WIDE_INT_1 << 40)), a = cs_seq_convert(seq, type, actual_value(seq, p));
    a = cs_seq_compute(seq, type, MAX_EXPR, least, cs_seq_compute(seq, type, MIN_EXPR, bound, a));
    note_first(seq, p, counter, a);
    update(seq, counter(p->assumption, 0), PLUS_EXPR, build_one_cst(type));
    update(seq, counter(p->assumption, 1), PLUS_EXPR, a);
    update(seq, counter(p->assumption, 2), MAX_EXPR, cs_seq_compute(seq, type, MINUS_EXPR, a, least));
    update(seq, counter(p->assumption, 3), MAX_EXPR, cs_seq_compute(seq, type, MINUS_EXPR, bound, a));
}

void restore(const cs_value_place *p)
{
    switch (p->kind) {
    case CS_VALUE_ARGUMENT: gimple_call_set_arg(as_a<gcall *>(p->stmt), p->arg, p->actual); break;
    case CS_VALUE_DEFINED: exchange(p->assumed, p->actual); break;
    case CS_VALUE_STORED: gimple_assign_set_rhs1(p->stmt, p->actual); break;
    case CS_VALUE_WRITTEN: break; /* cs_value_check() takes the store away */
    }
    update_stmt(p->stmt);
}

} // namespace

int cs_value_assume(const struct cs_assumption *a, int index, vec<cs_value_place> *places, char *err, size_t errlen)
{
    Search s = {a, index, NULL, places, false, false, false, NULL};
    unsigned before = places->length();
    find_in_program(&s, false);
    if (places->length() == before)
        find_in_program(&s, true);
    if (places->length() == before)
        say_why(&s, err, errlen);
    /* One counter for all places, as they are one in the source: the compiler has copied it. */
    tree counter = NULL_TREE;
    if (places->length() > before + 1)
        counter = cs_static_variable("commslice_iteration", long_long_integer_type_node, NULL_TREE);
    for (unsigned i = before; i < places->length(); i++)
        replace_in_function(&(*places)[i], &a->value, counter);
    return places->length() - before;
}

void cs_value_restore(const vec<cs_value_place> *places)
{
    /* Backwards: what one replaced, a later one may have replaced again. */
    for (unsigned i = places->length(); i-- > 0;) {
        push_cfun(DECL_STRUCT_FUNCTION((*places)[i].node->decl));
        restore(&(*places)[i]);
        pop_cfun();
    }
}

bool cs_value_check(const vec<cs_value_place> *places, cgraph_node *node, tree (*counter)(int i, int k))
{
    bool any = false;
    for (unsigned i = 0; i < places->length(); i++) {
        const cs_value_place *p = &(*places)[i];
        if (p->node != node)
            continue;
        any = true;
        compare(p, counter);
        if (p->kind != CS_VALUE_WRITTEN)
            continue;
        gimple_stmt_iterator at = gsi_for_stmt(p->put);
        unlink_stmt_vdef(p->put);
        gsi_remove(&at, true);
        release_defs(p->put);
    }
    return any;
}

int cs_value_find(const char *text, int index, vec<cs_value_place> *places)
{
    char err[256];
    cs_assumption a;
    unsigned before = places->length();
    if (cs_assume_parse(ACONCAT((text, "=0", NULL)), &a, err, sizeof err))
        return 0;
    Search s = {&a, index, NULL, places, false, false, false, NULL};
    find_in_program(&s, false);
    if (places->length() == before)
        find_in_program(&s, true);
    return places->length() - before;
}

void cs_seq_tell(gimple_seq *seq, tree noted, tree tell)
{
    tree pointer = TYPE_MAIN_VARIANT(TREE_TYPE(tell)), function = make_ssa_name(pointer), place = noted;
    if (TREE_CODE(noted) != INTEGER_CST)
        place = cs_seq_compute(seq, long_integer_type_node, NOP_EXPR, build_fold_addr_expr(noted), NULL_TREE);
    gimple_seq_add_stmt(seq, gimple_build_assign(function, tell));
    gcall *call = gimple_build_call(function, 1, place);
    gimple_call_set_fntype(call, TREE_TYPE(pointer));
    gimple_call_set_nothrow(call, true);
    gimple_seq_add_stmt(seq, call);
}

tree cs_value_tell_type()
{
    tree function = build_function_type_list(long_integer_type_node, long_integer_type_node, NULL_TREE);
    return build_qualified_type(build_pointer_type(function), TYPE_QUAL_VOLATILE);
}

bool cs_value_observe(const vec<cs_value_place> *places, cgraph_node *node, tree (*counter)(int i, int k), tree tell)
{
    bool any = false;
    for (unsigned i = 0; i < places->length(); i++) {
        const cs_value_place *p = &(*places)[i];
        bool behind = p->kind == CS_VALUE_WRITTEN || p->kind == CS_VALUE_DEFINED;
        if (p->node != node || (behind && stmt_ends_bb_p(p->stmt)))
            continue;
        gimple_seq seq = NULL;
        note(&seq, p, counter);
        cs_seq_tell(&seq, counter(p->assumption, 0), tell);
        any = true;
        for (gimple_stmt_iterator g = gsi_start(seq); !gsi_end_p(g); gsi_next(&g))
            gimple_set_uid(gsi_stmt(g), 0);
        if (behind)
            insert_behind(p->stmt, seq);
        else
            insert_before(p->stmt, seq);
    }
    return any;
}

int cs_value_stmt(const struct cs_value_place *p)
{
    return (int)gimple_uid(p->kind == CS_VALUE_WRITTEN ? p->put : p->stmt) - 1;
}

const struct cs_value_place *cs_value_unsafe(const struct cs_graph *g, const vec<cs_value_place> *places)
{
    for (unsigned i = 0; i < places->length(); i++) {
        const cs_value_place *p = &(*places)[i];
        int stmt = cs_value_stmt(p);
        if (p->is_count && stmt >= 0 && g->stmts[stmt].keep && g->stmts[stmt].mark == CS_MARK_CONTENT)
            return p;
    }
    return NULL;
}
