/* SPDX-License-Identifier: GPL-3.0-or-later
 * What a value of a loop is before the loop; value_before.h. */
#include "gcc-plugin/count/value_before.h"

#include "gcc-plugin/count/changes.h"
#include "gcc-plugin/count/count_expression.h"
#include "gcc-plugin/count/run_when.h"
#include "gcc-plugin/count/trips.h"

#include <map>

namespace {

/* A constant of 8 bytes, which may be read as any word. */
tree zero()
{
    static tree constant;
    if (constant)
        return constant;
    constant = build_decl(UNKNOWN_LOCATION, VAR_DECL, get_identifier("commslice_zero"), cs_u64());
    TREE_STATIC(constant) = TREE_READONLY(constant) = TREE_ADDRESSABLE(constant) = TREE_USED(constant) = 1;
    DECL_ARTIFICIAL(constant) = 1;
    DECL_INITIAL(constant) = build_zero_cst(cs_u64());
    DECL_PRESERVE_P(constant) = 1;
    varpool_node::finalize_decl(constant);
    varpool_node *n = varpool_node::get_create(constant);
    n->force_output = 1;
    if (!n->analyzed)
        n->analyze();
    return constant;
}

/* A whole number or an address. */
bool is_word(tree type)
{
    return INTEGRAL_TYPE_P(type) || POINTER_TYPE_P(type);
}

bool is_reference(tree pointer)
{
    return TREE_CODE(pointer) == SSA_NAME && SSA_NAME_IS_DEFAULT_DEF(pointer) && SSA_NAME_VAR(pointer) &&
           TREE_CODE(SSA_NAME_VAR(pointer)) == PARM_DECL && TREE_CODE(TREE_TYPE(pointer)) == REFERENCE_TYPE;
}

/* Can the place be read wherever its operands are known? It is a part of a variable, or of what Fortran passes. */
bool is_there(tree ref)
{
    tree base = ref;
    for (; handled_component_p(base); base = TREE_OPERAND(base, 0))
        if (TREE_CODE(base) == ARRAY_REF && TREE_CODE(TREE_OPERAND(base, 1)) != INTEGER_CST)
            return false;
    if (TREE_CODE(base) != MEM_REF)
        return DECL_P(base);
    tree pointer = TREE_OPERAND(base, 0);
    return (TREE_CODE(pointer) == ADDR_EXPR && DECL_P(TREE_OPERAND(pointer, 0))) || is_reference(pointer);
}

/* Replaces pointer and indices of the place by what they are before the loop. False if they differ in it. */
bool operands_before(const cs_around *a, tree *place, gimple_seq *seq)
{
    tree *at = place;
    for (; handled_component_p(*at); at = &TREE_OPERAND(*at, 0)) {
        if (TREE_CODE(*at) == BIT_FIELD_REF || TREE_CODE(*at) == ARRAY_RANGE_REF)
            return false;
        if (TREE_CODE(*at) != ARRAY_REF)
            continue;
        tree index = cs_value_before(a, TREE_OPERAND(*at, 1), NULL);
        if (!index || TREE_OPERAND(*at, 2) || TREE_OPERAND(*at, 3))
            return false;
        TREE_OPERAND(*at, 1) = cs_count_compute(seq, index);
    }
    if (TREE_CODE(*at) != MEM_REF)
        return DECL_P(*at);
    tree pointer = TREE_OPERAND(*at, 0);
    if (TREE_CODE(pointer) == SSA_NAME)
        pointer = cs_value_before(a, pointer, NULL);
    if (pointer)
        TREE_OPERAND(*at, 0) = cs_count_compute(seq, pointer);
    return pointer != NULL_TREE;
}

/* Does anything in the loop change the place? */
bool changed_in(const class loop *l, tree place)
{
    bool changed = false;
    basic_block *body = get_loop_body(l);
    for (unsigned i = 0; i < l->num_nodes && !changed; i++)
        for (gimple_stmt_iterator k = gsi_start_bb(body[i]); !gsi_end_p(k) && !changed; gsi_next(&k))
            changed = gimple_vdef(gsi_stmt(k)) && cs_may_change(gsi_stmt(k), place);
    free(body);
    return changed;
}

/* A place that is read in block bb of the loop, but not always, as one that can be read before it: itself where bb will
 * be run, else a zero. NULL_TREE if it is not known whether bb will be run. */
tree read_if_run(const cs_around *a, tree place, basic_block bb, gimple_seq *seq)
{
    auto_vec<tree> guards;
    tree type = TREE_TYPE(place), pointers = build_pointer_type(type), run = boolean_true_node, n;
    bool loops = loop_outer(a->l) != NULL;
    basic_block in_each = NULL;
    if (bb && bb->loop_father == a->l)
        in_each = loops ? cs_always_run(a->l, bb, &guards) : cs_run_if_it_returns(bb, &guards);
    if (!in_each || (loops && !cs_latch_executions(a->l, &n)))
        return NULL_TREE;
    if (loops &&
        !dominated_by_p(CDI_DOMINATORS, a->runs, in_each)) /* behind the test, which may end the loop at once */
        run = fold_build2(NE_EXPR, boolean_type_node, n, build_zero_cst(cs_u64()));
    for (unsigned i = 0; i < guards.length(); i++) {
        tree guard = cs_value_before(a, guards[i], NULL);
        if (!guard)
            return NULL_TREE;
        run = fold_build2(TRUTH_AND_EXPR, boolean_type_node, run, guard);
    }
    tree name = make_ssa_name(pointers), address = make_ssa_name(pointers);
    mark_addressable(get_base_address(place));
    gimple_seq_add_stmt(seq, gimple_build_assign(address, build_fold_addr_expr_with_type(place, pointers)));
    gimple_seq_add_stmt(seq, gimple_build_assign(name, COND_EXPR, cs_count_compute(seq, run), address,
                                                 build_fold_addr_expr_with_type(zero(), pointers)));
    return build2(MEM_REF, type, name, build_int_cst(reference_alias_ptr_type(place), 0));
}

/* A name that is made before the loop, after the statements, and has the value. */
tree named_before(const cs_around *a, gimple_seq seq, tree value)
{
    tree name = make_ssa_name(TREE_TYPE(value));
    gimple_seq_add_stmt(&seq, gimple_build_assign(name, value));
    return cs_put_before(a, seq) ? name : cs_put_nothing(seq);
}

/* What the place is before the loop: a name, of a statement that reads it there. */
tree place_before(const cs_around *a, tree place, basic_block bb)
{
    gimple_seq seq = NULL;
    tree moved = unshare_expr(place);
    if (TREE_THIS_VOLATILE(place) || TREE_SIDE_EFFECTS(place) || changed_in(a->l, place) ||
        !operands_before(a, &moved, &seq))
        return cs_put_nothing(seq);
    if (!is_there(moved) && !(bb && dominated_by_p(CDI_DOMINATORS, a->runs, bb)))
        moved = read_if_run(a, moved, bb, &seq);
    return moved ? named_before(a, seq, moved) : cs_put_nothing(seq);
}

bool is_division(tree_code code)
{
    return code == TRUNC_DIV_EXPR || code == TRUNC_MOD_EXPR || code == FLOOR_DIV_EXPR || code == FLOOR_MOD_EXPR ||
           code == EXACT_DIV_EXPR || code == CEIL_DIV_EXPR;
}

/* A division that the loop may do under a condition, so that it can be done without one: where that would be by zero,
 * the loop does not divide, and any number will do. The least whole number by -1 traps, too, but not in a wider type.
 * NULL_TREE: there is none. */
tree division(tree_code code, tree type, tree x, tree y)
{
    if (TREE_CODE(y) == INTEGER_CST)
        return integer_zerop(y) ? NULL_TREE : fold_build2(code, type, x, y);
    tree in = TYPE_UNSIGNED(type) ? type : cs_s64();
    if ((!TYPE_UNSIGNED(type) && TYPE_PRECISION(type) >= 64) || TYPE_PRECISION(TREE_TYPE(y)) > TYPE_PRECISION(type))
        return NULL_TREE;
    y = fold_convert(in, y);
    tree by = fold_build3(COND_EXPR, in, fold_build2(EQ_EXPR, boolean_type_node, y, build_zero_cst(in)),
                          build_one_cst(in), unshare_expr(y));
    return fold_convert(type, fold_build2(code, in, fold_convert(in, x), by));
}

/* An operation without memory, of operands as they are before the loop. */
tree operation_before(const cs_around *a, tree_code code, tree type, tree x, tree y, tree z, basic_block bb)
{
    if (!is_word(type))
        return NULL_TREE;
    x = cs_value_before(a, x, bb);
    if (x && y)
        y = cs_value_before(a, y, bb);
    if (!x || !is_word(TREE_TYPE(x)) || (!y && TREE_CODE_CLASS(code) != tcc_unary))
        return NULL_TREE;
    if (!y)
        return fold_build1(code, type, x);
    if (is_division(code))
        return division(code, type, x, y);
    if (!z)
        return fold_build2(code, type, x, y);
    z = cs_value_before(a, z, bb);
    return z ? fold_build3(code, type, x, y, z) : NULL_TREE;
}

/* The value of a name that is one of several by the way on which the block is reached. */
tree merged_before(const cs_around *a, gphi *phi)
{
    tree value = gimple_phi_arg_def(phi, 0);
    basic_block bb = gimple_bb(phi);
    if (bb == a->l->header || bb->loop_father->header == bb)
        return NULL_TREE;
    for (unsigned i = 1; i < gimple_phi_num_args(phi); i++) {
        tree other = gimple_phi_arg_def(phi, i), on_way;
        if (operand_equal_p(other, value))
            continue;
        on_way = cs_way_to(get_immediate_dominator(CDI_DOMINATORS, bb), gimple_phi_arg_edge(phi, i));
        if (!on_way)
            return NULL_TREE;
        value = build3(COND_EXPR, TREE_TYPE(gimple_phi_result(phi)), on_way, other, value);
    }
    return cs_value_before(a, value, NULL);
}

/* The address of a place. */
tree address_before(const cs_around *a, tree address)
{
    gimple_seq seq = NULL;
    tree place = unshare_expr(TREE_OPERAND(address, 0));
    if (!operands_before(a, &place, &seq))
        return cs_put_nothing(seq);
    return named_before(a, seq, build_fold_addr_expr_with_type(place, TREE_TYPE(address)));
}

/* The value of a name that is made in the loop. */
tree name_before(const cs_around *a, gimple *def)
{
    if (gimple_code(def) == GIMPLE_PHI)
        return merged_before(a, as_a<gphi *>(def));
    if (gimple_call_internal_p(def, IFN_BUILTIN_EXPECT) || gimple_call_builtin_p(def, BUILT_IN_EXPECT))
        return cs_value_before(a, gimple_call_arg(def, 0), gimple_bb(def));
    if (!is_gimple_assign(def) || gimple_has_volatile_ops(def))
        return NULL_TREE;
    tree_code code = gimple_assign_rhs_code(def);
    tree type = TREE_TYPE(gimple_assign_lhs(def));
    if (gimple_assign_load_p(def))
        return is_word(type) ? place_before(a, gimple_assign_rhs1(def), gimple_bb(def)) : NULL_TREE;
    if (code == SSA_NAME || TREE_CODE_CLASS(code) == tcc_constant)
        return cs_value_before(a, gimple_assign_rhs1(def), gimple_bb(def));
    if (code == ADDR_EXPR)
        return address_before(a, gimple_assign_rhs1(def));
    if (code == COND_EXPR)
        return operation_before(a, code, type, gimple_assign_rhs1(def), gimple_assign_rhs2(def),
                                gimple_assign_rhs3(def), gimple_bb(def));
    if (TREE_CODE_CLASS(code) != tcc_unary && TREE_CODE_CLASS(code) != tcc_binary &&
        TREE_CODE_CLASS(code) != tcc_comparison)
        return NULL_TREE;
    return operation_before(a, code, type, gimple_assign_rhs1(def), gimple_assign_rhs2(def), NULL_TREE, gimple_bb(def));
}

/* The operations of an expression, up to `most`. */
int size_of(tree t, int most)
{
    int n = EXPR_P(t) ? 1 : 0;
    for (int i = 0; EXPR_P(t) && i < TREE_OPERAND_LENGTH(t) && n < most; i++)
        n += TREE_OPERAND(t, i) ? size_of(TREE_OPERAND(t, i), most - n) : 0;
    return n;
}

enum { LARGE = 4 }; /* operations */

/* Names that were made before a loop for those of the current function that are made in it. */
std::map<std::pair<int, unsigned>, tree> names_before;

/* As name_before(). What is large gets a name, as it may be used again and again. */
tree known_before(const cs_around *a, gimple *def)
{
    tree name = gimple_get_lhs(def), value;
    if (gimple_code(def) == GIMPLE_PHI)
        name = gimple_phi_result(def);
    std::pair<int, unsigned> key(a->l->num, name ? SSA_NAME_VERSION(name) : 0);
    if (name && names_before.count(key))
        return names_before[key];
    value = name_before(a, def);
    if (name && value && TREE_CODE(value) == SSA_NAME)
        names_before[key] = value;
    if (!name || !value || size_of(value, LARGE) < LARGE)
        return value;
    gimple_seq seq = NULL;
    value = cs_count_compute(&seq, value);
    if (!cs_put_before(a, seq))
        return cs_put_nothing(seq);
    return names_before[key] = value;
}

} // namespace

bool cs_put_before(const cs_around *a, gimple_seq seq)
{
    basic_block bb = cs_block_before(a->l);
    gimple_stmt_iterator end = gsi_last_bb(bb);
    if (bb == ENTRY_BLOCK_PTR_FOR_FN(cfun) || (!gsi_end_p(end) && stmt_ends_bb_p(gsi_stmt(end))))
        return false;
    gsi_insert_seq_after(&end, seq, GSI_NEW_STMT);
    return true;
}

tree cs_put_nothing(gimple_seq seq)
{
    gimple_seq_discard(seq);
    return NULL_TREE;
}

tree cs_read_before(const cs_around *a, tree variable)
{
    tree stored = cs_stored_last(cs_block_before(a->l), variable);
    return stored ? stored : named_before(a, NULL, variable);
}

tree cs_value_before(const cs_around *a, tree t, basic_block bb)
{
    if (is_gimple_min_invariant(t))
        return t;
    if (TREE_CODE(t) == SSA_NAME) {
        gimple *def = SSA_NAME_DEF_STMT(t);
        if (SSA_NAME_OCCURS_IN_ABNORMAL_PHI(t))
            return NULL_TREE;
        bool inside = gimple_bb(def) && flow_bb_inside_loop_p(a->l, gimple_bb(def)) &&
                      (loop_outer(a->l) || gimple_bb(def) != cs_block_before(a->l));
        return inside ? known_before(a, def) : t;
    }
    if (REFERENCE_CLASS_P(t) || DECL_P(t))
        return place_before(a, t, bb);
    int n = EXPR_P(t) ? TREE_OPERAND_LENGTH(t) : 0;
    if (n < 1 || n > 3)
        return NULL_TREE;
    return operation_before(a, TREE_CODE(t), TREE_TYPE(t), TREE_OPERAND(t, 0), n > 1 ? TREE_OPERAND(t, 1) : NULL_TREE,
                            n > 2 ? TREE_OPERAND(t, 2) : NULL_TREE, bb);
}

tree cs_stored_last(basic_block bb, tree variable)
{
    for (;; bb = single_pred(bb)) {
        for (gimple_stmt_iterator i = gsi_last_bb(bb); !gsi_end_p(i); gsi_prev(&i)) {
            gimple *g = gsi_stmt(i);
            if (gimple_assign_single_p(g) && gimple_assign_lhs(g) == variable)
                return is_gimple_val(gimple_assign_rhs1(g)) ? gimple_assign_rhs1(g) : NULL_TREE;
            if (gimple_vdef(g) && cs_may_change(g, variable))
                return NULL_TREE;
        }
        if (!single_pred_p(bb))
            return NULL_TREE;
    }
}

bool cs_is_zero_place(tree address)
{
    return TREE_CODE(address) == ADDR_EXPR && TREE_OPERAND(address, 0) == zero();
}

void cs_values_forget()
{
    names_before.clear();
}
