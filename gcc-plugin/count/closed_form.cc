/* SPDX-License-Identifier: GPL-3.0-or-later
 * Sums of trip counts over enclosing loops; closed_form.h. Of a loop that is run in iterations 0 .. N-1 of another one:
 *   rectangular: the count c is the same in each: N c
 *   triangular:  it is a + b k in iteration k, where d + e k >= 0 (e is 1 or -1, as in `for (j = i; j < n; j++)`): the
 *                sum from k0 to k1-1 of a + b k, where k0 or k1 is where the guard changes
 * Both are exact in arithmetic modulo 2^64 as long as the program's own arithmetic of these values does not overflow.
 */
#include "gcc-plugin/count/closed_form.h"

#include "gcc-plugin/count/changes.h"

#include <map>

namespace {

/* The loop over which is summed up. `runs`: a block of it that is run at least once when the loop is entered; what such
 * a block reads can be read before. */
struct Around {
    class loop *l;
    basic_block runs;
};

tree u64()
{
    return long_long_unsigned_type_node;
}

tree s64()
{
    return long_long_integer_type_node;
}

tree number(HOST_WIDE_INT n)
{
    return build_int_cst(s64(), n);
}

/* ---- what a value is before the loop ---- */

tree value_before(const Around *a, tree t, basic_block bb);
basic_block always_run(const class loop *l, basic_block bb, vec<tree> *guards);
basic_block run_if_it_returns(basic_block bb, vec<tree> *guards);
tree way_to(basic_block d, edge e);
bool latch_executions(class loop *l, tree *n);

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
bool operands_before(const Around *a, tree *place, gimple_seq *seq)
{
    tree *at = place;
    for (; handled_component_p(*at); at = &TREE_OPERAND(*at, 0)) {
        if (TREE_CODE(*at) == BIT_FIELD_REF || TREE_CODE(*at) == ARRAY_RANGE_REF)
            return false;
        if (TREE_CODE(*at) != ARRAY_REF)
            continue;
        tree index = value_before(a, TREE_OPERAND(*at, 1), NULL);
        if (!index || TREE_OPERAND(*at, 2) || TREE_OPERAND(*at, 3))
            return false;
        TREE_OPERAND(*at, 1) = cs_count_compute(seq, index);
    }
    if (TREE_CODE(*at) != MEM_REF)
        return DECL_P(*at);
    tree pointer = TREE_OPERAND(*at, 0);
    if (TREE_CODE(pointer) == SSA_NAME)
        pointer = value_before(a, pointer, NULL);
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

/* A constant of 8 bytes, which may be read as any word. */
tree zero()
{
    static tree constant;
    if (constant)
        return constant;
    constant = build_decl(UNKNOWN_LOCATION, VAR_DECL, get_identifier("commslice_zero"), u64());
    TREE_STATIC(constant) = TREE_READONLY(constant) = TREE_ADDRESSABLE(constant) = TREE_USED(constant) = 1;
    DECL_ARTIFICIAL(constant) = 1;
    DECL_INITIAL(constant) = build_zero_cst(u64());
    DECL_PRESERVE_P(constant) = 1;
    varpool_node::finalize_decl(constant);
    varpool_node *n = varpool_node::get_create(constant);
    n->force_output = 1;
    if (!n->analyzed)
        n->analyze();
    return constant;
}

/* A place that is read in block bb of the loop, but not always, as one that can be read before it: itself where bb will
 * be run, else a zero. NULL_TREE if it is not known whether bb will be run. */
tree read_if_run(const Around *a, tree place, basic_block bb, gimple_seq *seq)
{
    auto_vec<tree> guards;
    tree type = TREE_TYPE(place), pointers = build_pointer_type(type), run = boolean_true_node, n;
    bool loops = loop_outer(a->l) != NULL;
    basic_block in_each = NULL;
    if (bb && bb->loop_father == a->l)
        in_each = loops ? always_run(a->l, bb, &guards) : run_if_it_returns(bb, &guards);
    if (!in_each || (loops && !latch_executions(a->l, &n)))
        return NULL_TREE;
    if (loops &&
        !dominated_by_p(CDI_DOMINATORS, a->runs, in_each)) /* behind the test, which may end the loop at once */
        run = fold_build2(NE_EXPR, boolean_type_node, n, build_zero_cst(u64()));
    for (unsigned i = 0; i < guards.length(); i++) {
        tree guard = value_before(a, guards[i], NULL);
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

/* The block before the loop. The whole function counts as a loop, too, before which is its first block. */
basic_block block_before(const class loop *l)
{
    return loop_outer(l) ? loop_preheader_edge(l)->src : single_succ(ENTRY_BLOCK_PTR_FOR_FN(cfun));
}

/* Appends the statements to the block before the loop. */
bool put_before(const Around *a, gimple_seq seq)
{
    basic_block bb = block_before(a->l);
    gimple_stmt_iterator end = gsi_last_bb(bb);
    if (bb == ENTRY_BLOCK_PTR_FOR_FN(cfun) || (!gsi_end_p(end) && stmt_ends_bb_p(gsi_stmt(end))))
        return false;
    gsi_insert_seq_after(&end, seq, GSI_NEW_STMT);
    return true;
}

/* Takes back what was to be put before the loop. */
tree give_up(gimple_seq seq)
{
    gimple_seq_discard(seq);
    return NULL_TREE;
}

/* A name that is made before the loop, after the statements, and has the value. */
tree named_before(const Around *a, gimple_seq seq, tree value)
{
    tree name = make_ssa_name(TREE_TYPE(value));
    gimple_seq_add_stmt(&seq, gimple_build_assign(name, value));
    return put_before(a, seq) ? name : give_up(seq);
}

/* What the variable is when the loop is entered. */
tree read_before(const Around *a, tree variable)
{
    tree stored = cs_trips_stored(block_before(a->l), variable);
    return stored ? stored : named_before(a, NULL, variable);
}

/* What the place is before the loop: a name, of a statement that reads it there. */
tree place_before(const Around *a, tree place, basic_block bb)
{
    gimple_seq seq = NULL;
    tree moved = unshare_expr(place);
    if (TREE_THIS_VOLATILE(place) || TREE_SIDE_EFFECTS(place) || changed_in(a->l, place) ||
        !operands_before(a, &moved, &seq))
        return give_up(seq);
    if (!is_there(moved) && !(bb && dominated_by_p(CDI_DOMINATORS, a->runs, bb)))
        moved = read_if_run(a, moved, bb, &seq);
    return moved ? named_before(a, seq, moved) : give_up(seq);
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
    tree in = TYPE_UNSIGNED(type) ? type : s64();
    if ((!TYPE_UNSIGNED(type) && TYPE_PRECISION(type) >= 64) || TYPE_PRECISION(TREE_TYPE(y)) > TYPE_PRECISION(type))
        return NULL_TREE;
    y = fold_convert(in, y);
    tree by = fold_build3(COND_EXPR, in, fold_build2(EQ_EXPR, boolean_type_node, y, build_zero_cst(in)),
                          build_one_cst(in), unshare_expr(y));
    return fold_convert(type, fold_build2(code, in, fold_convert(in, x), by));
}

/* An operation without memory, of operands as they are before the loop. */
tree operation_before(const Around *a, tree_code code, tree type, tree x, tree y, tree z, basic_block bb)
{
    if (!is_word(type))
        return NULL_TREE;
    x = value_before(a, x, bb);
    if (x && y)
        y = value_before(a, y, bb);
    if (!x || !is_word(TREE_TYPE(x)) || (!y && TREE_CODE_CLASS(code) != tcc_unary))
        return NULL_TREE;
    if (!y)
        return fold_build1(code, type, x);
    if (is_division(code))
        return division(code, type, x, y);
    if (!z)
        return fold_build2(code, type, x, y);
    z = value_before(a, z, bb);
    return z ? fold_build3(code, type, x, y, z) : NULL_TREE;
}

/* The value of a name that is one of several by the way on which the block is reached. */
tree merged_before(const Around *a, gphi *phi)
{
    tree value = gimple_phi_arg_def(phi, 0);
    basic_block bb = gimple_bb(phi);
    if (bb == a->l->header || bb->loop_father->header == bb)
        return NULL_TREE;
    for (unsigned i = 1; i < gimple_phi_num_args(phi); i++) {
        tree other = gimple_phi_arg_def(phi, i), on_way;
        if (operand_equal_p(other, value))
            continue;
        on_way = way_to(get_immediate_dominator(CDI_DOMINATORS, bb), gimple_phi_arg_edge(phi, i));
        if (!on_way)
            return NULL_TREE;
        value = build3(COND_EXPR, TREE_TYPE(gimple_phi_result(phi)), on_way, other, value);
    }
    return value_before(a, value, NULL);
}

/* The address of a place. */
tree address_before(const Around *a, tree address)
{
    gimple_seq seq = NULL;
    tree place = unshare_expr(TREE_OPERAND(address, 0));
    if (!operands_before(a, &place, &seq))
        return give_up(seq);
    return named_before(a, seq, build_fold_addr_expr_with_type(place, TREE_TYPE(address)));
}

/* The value of a name that is made in the loop. */
tree name_before(const Around *a, gimple *def)
{
    if (gimple_code(def) == GIMPLE_PHI)
        return merged_before(a, as_a<gphi *>(def));
    if (gimple_call_internal_p(def, IFN_BUILTIN_EXPECT) || gimple_call_builtin_p(def, BUILT_IN_EXPECT))
        return value_before(a, gimple_call_arg(def, 0), gimple_bb(def));
    if (!is_gimple_assign(def) || gimple_has_volatile_ops(def))
        return NULL_TREE;
    tree_code code = gimple_assign_rhs_code(def);
    tree type = TREE_TYPE(gimple_assign_lhs(def));
    if (gimple_assign_load_p(def))
        return is_word(type) ? place_before(a, gimple_assign_rhs1(def), gimple_bb(def)) : NULL_TREE;
    if (code == SSA_NAME || TREE_CODE_CLASS(code) == tcc_constant)
        return value_before(a, gimple_assign_rhs1(def), gimple_bb(def));
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
tree known_before(const Around *a, gimple *def)
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
    if (!put_before(a, seq))
        return give_up(seq);
    return names_before[key] = value;
}

/* The expression in terms of what is there before the loop, if it is the same in all iterations; else NULL. bb: where
 * it is computed in the loop, NULL: anywhere. */
tree value_before(const Around *a, tree t, basic_block bb)
{
    if (is_gimple_min_invariant(t))
        return t;
    if (TREE_CODE(t) == SSA_NAME) {
        gimple *def = SSA_NAME_DEF_STMT(t);
        if (SSA_NAME_OCCURS_IN_ABNORMAL_PHI(t))
            return NULL_TREE;
        bool inside = gimple_bb(def) && flow_bb_inside_loop_p(a->l, gimple_bb(def)) &&
                      (loop_outer(a->l) || gimple_bb(def) != block_before(a->l));
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

/* ---- what is linear in the number of the iteration ---- */

/* base + step k in iteration k, as signed 64-bit numbers that are valid before the loop. */
struct Line {
    tree base, step;
};

bool line_of(const Around *a, tree t, Line *out);

bool line_of_counter(const Around *a, tree name, Line *out)
{
    affine_iv iv;
    if (!simple_iv(a->l, a->l, name, &iv, false) || POINTER_TYPE_P(TREE_TYPE(name)) ||
        !(iv.no_overflow || TYPE_OVERFLOW_UNDEFINED(TREE_TYPE(name))))
        return false;
    tree base = value_before(a, iv.base, NULL), step = value_before(a, iv.step, NULL);
    if (!base || !step)
        return false;
    *out = {fold_convert(s64(), base), fold_convert(s64(), step)};
    return true;
}

/* ---- variables in memory that count: at -O0, or where their address is taken ---- */

/* Is it a variable as a whole? */
bool is_variable(tree place)
{
    return DECL_P(place) && !TREE_THIS_VOLATILE(place) && INTEGRAL_TYPE_P(TREE_TYPE(place));
}

/* The one statement of the loop that may change the variable; NULL if there are more, or none. */
gimple *only_change(const class loop *l, tree variable)
{
    gimple *found = NULL;
    bool more = false;
    basic_block *body = get_loop_body(l);
    for (unsigned i = 0; i < l->num_nodes && !more; i++)
        for (gimple_stmt_iterator k = gsi_start_bb(body[i]); !gsi_end_p(k); gsi_next(&k)) {
            if (!gimple_vdef(gsi_stmt(k)) || !cs_may_change(gsi_stmt(k), variable))
                continue;
            more |= found != NULL;
            found = gsi_stmt(k);
        }
    free(body);
    return more ? NULL : found;
}

/* What `variable = variable + step` adds, a constant; NULL_TREE: it is another statement. */
tree step_of(gimple *store, tree variable)
{
    if (!gimple_assign_single_p(store) || gimple_assign_lhs(store) != variable ||
        TREE_CODE(gimple_assign_rhs1(store)) != SSA_NAME)
        return NULL_TREE;
    gimple *sum = SSA_NAME_DEF_STMT(gimple_assign_rhs1(store));
    if (!is_gimple_assign(sum) || gimple_assign_rhs_code(sum) != PLUS_EXPR ||
        TREE_CODE(gimple_assign_rhs1(sum)) != SSA_NAME || TREE_CODE(gimple_assign_rhs2(sum)) != INTEGER_CST ||
        !TYPE_OVERFLOW_UNDEFINED(TREE_TYPE(gimple_assign_rhs2(sum))))
        return NULL_TREE;
    gimple *load = SSA_NAME_DEF_STMT(gimple_assign_rhs1(sum));
    bool same = gimple_assign_load_p(load) && gimple_assign_rhs1(load) == variable;
    return same ? gimple_assign_rhs2(sum) : NULL_TREE;
}

/* Does statement `first` come before `then` in each iteration? Both are run in each. */
bool comes_before(gimple *first, gimple *then)
{
    if (gimple_bb(first) != gimple_bb(then))
        return dominated_by_p(CDI_DOMINATORS, gimple_bb(then), gimple_bb(first));
    for (gimple_stmt_iterator i = gsi_for_stmt(first); !gsi_end_p(i); gsi_next(&i))
        if (gsi_stmt(i) == then)
            return true;
    return false;
}

/* In each iteration the variable is stored once, and nothing else changes it, nor anything on the way round: the load
 * reads what it was before the loop, and a step more in each iteration. */
bool line_of_variable(const Around *a, gimple *load, Line *out)
{
    tree v = gimple_assign_rhs1(load);
    gimple *store = is_variable(v) ? only_change(a->l, v) : NULL;
    tree step = store ? step_of(store, v) : NULL_TREE;
    if (!step || gimple_bb(store)->loop_father != a->l || gimple_bb(load)->loop_father != a->l ||
        !dominated_by_p(CDI_DOMINATORS, a->l->latch, gimple_bb(store)) ||
        !(gimple_bb(load) == a->l->header || dominated_by_p(CDI_DOMINATORS, a->l->latch, gimple_bb(load))))
        return false;
    tree base = read_before(a, v);
    if (!base)
        return false;
    base = fold_convert(s64(), base);
    step = fold_convert(s64(), step);
    if (comes_before(store, load))
        base = fold_build2(PLUS_EXPR, s64(), base, step);
    *out = {base, step};
    return true;
}

/* An operation that makes a value of this type. A conversion to a smaller type may lose bits; a product of unsigned
 * numbers may be meant to wrap around, which the sum does too if they have 64 bits. */
bool line_of_operation(const Around *a, tree_code code, tree type, tree x, tree y, Line *out)
{
    Line l, r;
    if (CONVERT_EXPR_CODE_P(code) || code == SSA_NAME)
        return INTEGRAL_TYPE_P(TREE_TYPE(x)) && TYPE_PRECISION(TREE_TYPE(x)) <= TYPE_PRECISION(type) &&
               line_of(a, x, out);
    bool sum = code == PLUS_EXPR || code == MINUS_EXPR,
         product = code == MULT_EXPR && (!TYPE_UNSIGNED(type) || TYPE_PRECISION(type) == 64);
    if ((!sum && !product) || !line_of(a, x, &l) || !line_of(a, y, &r))
        return false;
    if (sum)
        *out = {fold_build2(code, s64(), l.base, r.base), fold_build2(code, s64(), l.step, r.step)};
    else if (integer_zerop(r.step))
        *out = {fold_build2(code, s64(), l.base, r.base), fold_build2(code, s64(), l.step, r.base)};
    else if (integer_zerop(l.step))
        *out = {fold_build2(code, s64(), l.base, r.base), fold_build2(code, s64(), r.step, l.base)};
    else
        return false;
    return true;
}

/* The line of what t is made of. */
bool line_of_parts(const Around *a, tree t, Line *out)
{
    tree type = TREE_TYPE(t);
    if (TREE_CODE(t) == SSA_NAME) {
        gimple *def = SSA_NAME_DEF_STMT(t);
        return is_gimple_assign(def) && !gimple_assign_load_p(def) && !SSA_NAME_OCCURS_IN_ABNORMAL_PHI(t) &&
               line_of_operation(a, gimple_assign_rhs_code(def), type, gimple_assign_rhs1(def), gimple_assign_rhs2(def),
                                 out);
    }
    int n = EXPR_P(t) && !REFERENCE_CLASS_P(t) ? TREE_OPERAND_LENGTH(t) : 0;
    return (n == 1 || n == 2) &&
           line_of_operation(a, TREE_CODE(t), type, TREE_OPERAND(t, 0), n == 2 ? TREE_OPERAND(t, 1) : NULL_TREE, out);
}

/* GCC computes trip counts of signed numbers in unsigned ones, where `(unsigned)n + 4294967295` is n - 1: these are
 * taken apart first, as the whole number that is meant may be negative on the way. */
bool line_of(const Around *a, tree t, Line *out)
{
    if (!INTEGRAL_TYPE_P(TREE_TYPE(t)))
        return false;
    if (TREE_CODE(t) == INTEGER_CST) {
        *out = {wide_int_to_tree(s64(), wide_int::from(wi::to_wide(t), 64, SIGNED)), number(0)};
        return true;
    }
    if (TYPE_UNSIGNED(TREE_TYPE(t)) && line_of_parts(a, t, out))
        return true;
    if (tree before = value_before(a, t, NULL)) {
        *out = {fold_convert(s64(), before), number(0)};
        return true;
    }
    if (TREE_CODE(t) == SSA_NAME && gimple_assign_load_p(SSA_NAME_DEF_STMT(t)))
        return line_of_variable(a, SSA_NAME_DEF_STMT(t), out);
    return (TREE_CODE(t) == SSA_NAME && line_of_counter(a, t, out)) || line_of_parts(a, t, out);
}

/* An operand of a guard, which must not have wrapped around: the line would be on the other side. */
bool line_of_compared(const Around *a, tree t, Line *out)
{
    if (!TYPE_UNSIGNED(TREE_TYPE(t)) || TREE_CODE(t) == INTEGER_CST)
        return line_of(a, t, out);
    if (tree before = value_before(a, t, NULL)) {
        *out = {fold_convert(s64(), before), number(0)};
        return true;
    }
    return TREE_CODE(t) == SSA_NAME && line_of_counter(a, t, out);
}

/* The guard as a line that is at least 0 where the guard holds. */
bool line_of_guard(const Around *a, tree guard, Line *out)
{
    Line x, y;
    tree_code code = TREE_CODE(guard);
    if (code != LE_EXPR && code != LT_EXPR && code != GE_EXPR && code != GT_EXPR)
        return false;
    if (!line_of_compared(a, TREE_OPERAND(guard, 0), &x) || !line_of_compared(a, TREE_OPERAND(guard, 1), &y))
        return false;
    bool less = code == LE_EXPR || code == LT_EXPR, strict = code == LT_EXPR || code == GT_EXPR;
    const Line *most = less ? &y : &x, *least = less ? &x : &y;
    *out = {fold_build2(MINUS_EXPR, s64(), most->base, least->base),
            fold_build2(MINUS_EXPR, s64(), most->step, least->step)};
    if (strict)
        out->base = fold_build2(MINUS_EXPR, s64(), out->base, number(1));
    return true;
}

/* n (n - 1) / 2, where n is not negative, without an overflow before the division. */
tree triangle(tree n)
{
    tree half = fold_build2(RSHIFT_EXPR, u64(), unshare_expr(n), build_int_cst(integer_type_node, 1));
    tree odd =
        fold_build2(BIT_IOR_EXPR, u64(), fold_build2(MINUS_EXPR, u64(), n, build_one_cst(u64())), build_one_cst(u64()));
    return fold_build2(MULT_EXPR, u64(), half, odd);
}

/* n, but at least 0 and at most `most`. */
tree between(tree n, tree most)
{
    return fold_build2(MIN_EXPR, s64(), fold_build2(MAX_EXPR, s64(), n, number(0)), unshare_expr(most));
}

/* The sum of line `c` over those of `times` iterations in which line `guard` is at least 0. */
bool sum_of_line(const Line *c, const Line *guard, tree times, tree *sum)
{
    tree n = fold_convert(s64(), times), first = number(0), last = n;
    if (guard && integer_onep(guard->step))
        first = between(fold_build1(NEGATE_EXPR, s64(), guard->base), n);
    else if (guard && integer_minus_onep(guard->step))
        last = between(fold_build2(PLUS_EXPR, s64(), guard->base, number(1)), n);
    else if (guard)
        return false;
    first = fold_convert(u64(), first);
    last = fold_convert(u64(), last);
    tree of_base = fold_build2(MULT_EXPR, u64(), fold_convert(u64(), c->base),
                               fold_build2(MINUS_EXPR, u64(), unshare_expr(last), unshare_expr(first)));
    tree of_step = fold_build2(MULT_EXPR, u64(), fold_convert(u64(), c->step),
                               fold_build2(MINUS_EXPR, u64(), triangle(last), triangle(first)));
    *sum = fold_build2(PLUS_EXPR, u64(), of_base, of_step);
    return true;
}

/* ---- the loop around ---- */

/* The comparison of whole numbers that gives the truth value, if it is one; else NULL_TREE. */
tree comparison_of(tree truth)
{
    gimple *def = TREE_CODE(truth) == SSA_NAME ? SSA_NAME_DEF_STMT(truth) : NULL;
    if (!def || !is_gimple_assign(def) || TREE_CODE_CLASS(gimple_assign_rhs_code(def)) != tcc_comparison ||
        !INTEGRAL_TYPE_P(TREE_TYPE(gimple_assign_rhs1(def))))
        return NULL_TREE;
    return build2(gimple_assign_rhs_code(def), boolean_type_node, gimple_assign_rhs1(def), gimple_assign_rhs2(def));
}

/* The condition under which the edge from its block is taken, which is the last test there; NULL: none of whole
 * numbers. */
tree condition_of(edge e)
{
    gcond *c = safe_dyn_cast<gcond *>(last_stmt(e->src));
    if (!c || !INTEGRAL_TYPE_P(TREE_TYPE(gimple_cond_lhs(c))))
        return NULL_TREE;
    tree_code code = gimple_cond_code(c);
    if (!(e->flags & EDGE_TRUE_VALUE))
        code = invert_tree_comparison(code, false);
    tree inner = integer_zerop(gimple_cond_rhs(c)) ? comparison_of(gimple_cond_lhs(c)) : NULL_TREE;
    if (inner && code == NE_EXPR)
        return inner;
    if (inner && code == EQ_EXPR)
        return build2(invert_tree_comparison(TREE_CODE(inner), false), boolean_type_node, TREE_OPERAND(inner, 0),
                      TREE_OPERAND(inner, 1));
    return build2(code, boolean_type_node, gimple_cond_lhs(c), gimple_cond_rhs(c));
}

bool is_condition(edge e)
{
    return (e->flags & (EDGE_TRUE_VALUE | EDGE_FALSE_VALUE)) != 0;
}

enum { WAYS = 4, TESTS = 8 }; /* of a condition, at most so many ways, each of at most so many tests */

/* The condition under which the edge is taken if block d, which dominates it, is run: that of the tests on the only way
 * from there. NULL_TREE: there are more ways, or other tests. */
tree way_to(basic_block d, edge e)
{
    tree all = NULL_TREE;
    for (int n = 0; n < TESTS; n++) {
        if (e->flags & EDGE_COMPLEX || e->src->loop_father != d->loop_father)
            return NULL_TREE;
        if (EDGE_COUNT(e->src->succs) > 1) {
            tree c = is_condition(e) ? condition_of(e) : NULL_TREE;
            if (!c)
                return NULL_TREE;
            all = all ? build2(TRUTH_AND_EXPR, boolean_type_node, c, all) : c;
        }
        if (e->src == d)
            return all ? all : boolean_true_node;
        if (!single_pred_p(e->src))
            return NULL_TREE;
        e = single_pred_edge(e->src);
    }
    return NULL_TREE;
}

/* The condition under which block bb is run if its immediate dominator d is. NULL_TREE: it is not known. */
tree any_way_to(basic_block d, basic_block bb)
{
    tree any = NULL_TREE;
    edge e;
    edge_iterator i;
    if (EDGE_COUNT(bb->preds) > WAYS || bb->loop_father->header == bb)
        return NULL_TREE;
    FOR_EACH_EDGE (e, i, bb->preds) {
        tree way = way_to(d, e);
        if (!way)
            return NULL_TREE;
        any = any ? build2(TRUTH_OR_EXPR, boolean_type_node, any, way) : way;
    }
    return any;
}

/* The child of loop l that block bb is in, directly or deeper. */
class loop *child_with(const class loop *l, basic_block bb)
{
    class loop *c = bb->loop_father;
    while (loop_outer(c) != l)
        c = loop_outer(c);
    return c;
}

/* From block bb up to one that is run in each iteration of l; adds the guards on the way. NULL: other things decide
 * whether bb is run. */
basic_block always_run(const class loop *l, basic_block bb, vec<tree> *guards)
{
    while (!dominated_by_p(CDI_DOMINATORS, l->latch, bb)) {
        basic_block d = get_immediate_dominator(CDI_DOMINATORS, bb);
        if (d->loop_father != l)
            d = loop_preheader_edge(child_with(l, d))->src;
        if (!dominated_by_p(CDI_POST_DOMINATORS, d, bb)) {
            tree guard = d->loop_father == bb->loop_father ? any_way_to(d, bb) : NULL_TREE;
            if (!guard)
                return NULL;
            guards->safe_push(guard);
        }
        bb = d;
    }
    return bb;
}

/* Can the function return without running block bb, once it has come to block `from`? */
bool returns_without(basic_block from, basic_block bb)
{
    auto_sbitmap seen(last_basic_block_for_fn(cfun));
    auto_vec<basic_block> work;
    bitmap_clear(seen);
    for (work.safe_push(from); work.length();) {
        edge e;
        edge_iterator i;
        FOR_EACH_EDGE (e, i, work.pop()->succs) {
            if (e->dest == EXIT_BLOCK_PTR_FOR_FN(cfun))
                return true;
            if (e->dest != bb && bitmap_set_bit(seen, e->dest->index))
                work.safe_push(e->dest);
        }
    }
    return false;
}

/* As always_run(), for the whole function if it returns: where it does not, the program ends, and its last segment is
 * not recorded. */
basic_block run_if_it_returns(basic_block bb, vec<tree> *guards)
{
    class loop *whole = get_loop(cfun, 0);
    basic_block first = block_before(whole);
    while (bb != first && returns_without(first, bb)) {
        basic_block d = get_immediate_dominator(CDI_DOMINATORS, bb);
        if (d->loop_father != whole)
            d = loop_preheader_edge(child_with(whole, d))->src;
        if (returns_without(d, bb)) {
            tree guard = d->loop_father == bb->loop_father ? any_way_to(d, bb) : NULL_TREE;
            if (!guard)
                return NULL;
            guards->safe_push(guard);
        }
        bb = d;
    }
    return bb;
}

/* What GCC knows of it. */
tree known_executions(class loop *l)
{
    tree found = number_of_latch_executions(l);
    if (!found || chrec_contains_undetermined(found) || tree_contains_chrecs(found, NULL) ||
        generic_expr_could_trap_p(found))
        return NULL_TREE;
    return fold_convert(u64(), unshare_expr(found));
}

/* GCC gives up where the bound is read from memory in each iteration, or the variable is in memory. The condition under
 * which the loop goes on is a line d - e k that is at least 0 until it ends: d / e + 1 times. */
tree executions_by_test(class loop *l)
{
    edge exit = single_exit(l);
    if (!exit || !dominated_by_p(CDI_DOMINATORS, l->latch, exit->src) || exit->src->loop_father != l ||
        EDGE_COUNT(exit->src->succs) != 2)
        return NULL_TREE;
    edge on = EDGE_SUCC(exit->src, EDGE_SUCC(exit->src, 0) == exit ? 1 : 0);
    tree test = condition_of(on);
    Around a = {l, exit->src};
    Line d;
    if (!test || !line_of_guard(&a, test, &d) || TREE_CODE(d.step) != INTEGER_CST || tree_int_cst_sgn(d.step) >= 0)
        return NULL_TREE;
    tree times = fold_build2(TRUNC_DIV_EXPR, s64(), d.base, fold_build1(NEGATE_EXPR, s64(), d.step));
    times = fold_convert(u64(), fold_build2(PLUS_EXPR, s64(), times, number(1)));
    tree any = fold_build2(GE_EXPR, boolean_type_node, unshare_expr(d.base), number(0));
    return fold_build3(COND_EXPR, u64(), any, times, build_zero_cst(u64()));
}

bool latch_executions(class loop *l, tree *n)
{
    *n = known_executions(l);
    if (!*n)
        *n = executions_by_test(l);
    return *n != NULL_TREE;
}

/* Turns a count max(x, 0) into x with guard x > 0. */
void split_largest(cs_trips *t)
{
    tree n = t->count;
    while (CONVERT_EXPR_P(n) && INTEGRAL_TYPE_P(TREE_TYPE(TREE_OPERAND(n, 0))) &&
           TYPE_PRECISION(TREE_TYPE(TREE_OPERAND(n, 0))) <= TYPE_PRECISION(TREE_TYPE(n)))
        n = TREE_OPERAND(n, 0);
    if (TREE_CODE(n) != MAX_EXPR || !integer_zerop(TREE_OPERAND(n, 1)) || TYPE_UNSIGNED(TREE_TYPE(n)))
        return;
    tree x = TREE_OPERAND(n, 0);
    t->count = fold_convert(u64(), x);
    t->guards.safe_push(build2(GT_EXPR, boolean_type_node, x, TREE_OPERAND(n, 1)));
}

/* Turns a count `c ? n : 0` into n with guard c. */
void split_guard(cs_trips *t)
{
    tree n = t->count;
    split_largest(t);
    if (TREE_CODE(n) != COND_EXPR || (!integer_zerop(TREE_OPERAND(n, 1)) && !integer_zerop(TREE_OPERAND(n, 2))))
        return;
    int zero = integer_zerop(TREE_OPERAND(n, 1)) ? 1 : 2;
    tree guard = TREE_OPERAND(n, 0);
    t->count = TREE_OPERAND(n, 3 - zero);
    t->guards.safe_push(zero == 1 ? invert_truthvalue(guard) : guard);
}

/* The expression of a name that is an operation of other names; else the name. */
tree opened(tree t)
{
    gimple *def = TREE_CODE(t) == SSA_NAME ? SSA_NAME_DEF_STMT(t) : NULL;
    if (!def || !is_gimple_assign(def) || gimple_assign_load_p(def))
        return t;
    tree_code code = gimple_assign_rhs_code(def);
    tree type = TREE_TYPE(t), x = gimple_assign_rhs1(def), y = gimple_assign_rhs2(def);
    if (code == SSA_NAME)
        return opened(x);
    if (CONVERT_EXPR_CODE_P(code))
        return build1(code, type, opened(x));
    if (code == COND_EXPR)
        return build3(code, type, opened(x), y, gimple_assign_rhs3(def));
    if (code == MAX_EXPR || TREE_CODE_CLASS(code) == tcc_comparison)
        return build2(code, type, x, y);
    return t;
}

/* The sum where all guards are invariant in the loop, but perhaps one. */
bool sum_up(const Around *a, cs_trips *t, tree times, tree *sum, vec<tree> *guards)
{
    Line count, varying;
    bool varies = false;
    for (unsigned i = 0; i < t->guards.length(); i++) {
        if (tree before = value_before(a, t->guards[i], NULL))
            guards->safe_push(before);
        else if (varies || !line_of_guard(a, t->guards[i], &varying))
            return false;
        else
            varies = true;
    }
    tree same = varies ? NULL_TREE : value_before(a, t->count, NULL);
    if (same)
        *sum = fold_build2(MULT_EXPR, u64(), same, times);
    return same || (line_of(a, t->count, &count) && sum_of_line(&count, varies ? &varying : NULL, times, sum));
}

/* A loop of one block, whose latch GCC has made, ends with its test. */
bool is_tested_last(const class loop *l)
{
    return l->header == l->latch || (single_pred_p(l->latch) && single_pred(l->latch) == l->header &&
                                     gsi_end_p(gsi_start_nondebug_after_labels_bb(l->latch)));
}

/* The operation of GIMPLE for one of an expression: truth values are whole numbers of one bit there. */
tree_code code_in_gimple(tree t)
{
    switch (TREE_CODE(t)) {
    case TRUTH_AND_EXPR:
    case TRUTH_ANDIF_EXPR: return BIT_AND_EXPR;
    case TRUTH_OR_EXPR:
    case TRUTH_ORIF_EXPR: return BIT_IOR_EXPR;
    case TRUTH_XOR_EXPR: return BIT_XOR_EXPR;
    case TRUTH_NOT_EXPR: return BIT_NOT_EXPR;
    default: return TREE_CODE(t);
    }
}

} // namespace

tree cs_count_compute(gimple_seq *seq, tree t)
{
    if (is_gimple_val(t))
        return t;
    if (TREE_CODE(t) == NON_LVALUE_EXPR)
        return cs_count_compute(seq, TREE_OPERAND(t, 0));
    tree name = make_ssa_name(TREE_TYPE(t)), x[3] = {NULL_TREE, NULL_TREE, NULL_TREE};
    if (REFERENCE_CLASS_P(t) || DECL_P(t)) {
        gimple_seq_add_stmt(seq, gimple_build_assign(name, unshare_expr(t)));
        return name;
    }
    int n = TREE_OPERAND_LENGTH(t);
    gcc_assert(n >= 1 && n <= 3 && get_gimple_rhs_class(code_in_gimple(t)) != GIMPLE_INVALID_RHS);
    for (int i = 0; i < n; i++)
        x[i] = cs_count_compute(seq, TREE_OPERAND(t, i));
    gimple_seq_add_stmt(seq, n == 3   ? gimple_build_assign(name, code_in_gimple(t), x[0], x[1], x[2])
                             : n == 2 ? gimple_build_assign(name, code_in_gimple(t), x[0], x[1])
                                      : gimple_build_assign(name, code_in_gimple(t), x[0]));
    return name;
}

tree cs_count_type()
{
    return u64();
}

edge cs_tested_first(const class loop *l)
{
    if (is_tested_last(l) || EDGE_COUNT(l->header->succs) != 2 || !condition_of(EDGE_SUCC(l->header, 0)))
        return NULL;
    bool in[2] = {flow_bb_inside_loop_p(l, EDGE_SUCC(l->header, 0)->dest),
                  flow_bb_inside_loop_p(l, EDGE_SUCC(l->header, 1)->dest)};
    return in[0] == in[1] ? NULL : EDGE_SUCC(l->header, in[0] ? 0 : 1);
}

bool cs_trips_of(class loop *l, cs_trips *t)
{
    if (!latch_executions(l, &t->count))
        return false;
    t->at = loop_preheader_edge(l);
    if (cs_tested_first(l))
        split_guard(t);
    else
        t->count = fold_build2(PLUS_EXPR, u64(), t->count, build_one_cst(u64()));
    return true;
}

bool cs_trips_sum(cs_trips *t)
{
    class loop *l = t->at->src->loop_father;
    edge exit = single_exit(l);
    tree times, sum;
    auto_vec<tree> guards;
    cs_trips inner;
    inner.count = t->count;
    inner.guards.safe_splice(t->guards);
    if (!exit || !latch_executions(l, &times))
        return false;
    basic_block bb = always_run(l, t->at->src, &inner.guards);
    if (!bb)
        return false;
    if (bb == exit->src || !dominated_by_p(CDI_DOMINATORS, bb, exit->src))
        times = fold_build2(PLUS_EXPR, u64(), times, build_one_cst(u64()));
    Around a = {l, exit->src};
    if (!sum_up(&a, &inner, times, &sum, &guards))
        return false;
    t->at = loop_preheader_edge(l);
    t->count = sum;
    t->guards.truncate(0);
    t->guards.safe_splice(guards);
    return true;
}

bool cs_trips_is_zero(tree address)
{
    return TREE_CODE(address) == ADDR_EXPR && TREE_OPERAND(address, 0) == zero();
}

void cs_trips_split(cs_trips *t)
{
    unsigned guards;
    do {
        guards = t->guards.length();
        t->count = opened(t->count);
        split_guard(t);
    } while (t->guards.length() > guards);
}

tree cs_trips_stored(basic_block bb, tree variable)
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

void cs_trips_forget()
{
    names_before.clear();
}

void cs_trips_begin()
{
    split_edge(single_succ_edge(ENTRY_BLOCK_PTR_FOR_FN(cfun)));
}

tree cs_trips_at_entry(const cs_trips *t)
{
    auto_vec<tree> guards;
    gimple_seq seq = NULL;
    guards.safe_splice(t->guards);
    Around a = {get_loop(cfun, 0), run_if_it_returns(t->at->src, &guards)};
    tree count = a.runs ? value_before(&a, t->count, NULL) : NULL_TREE;
    for (unsigned i = 0; count && i < guards.length(); i++) {
        tree guard = value_before(&a, guards[i], NULL);
        count =
            guard ? fold_build3(COND_EXPR, u64(), guard, fold_convert(u64(), count), build_zero_cst(u64())) : NULL_TREE;
    }
    if (!count)
        return NULL_TREE;
    tree value = cs_count_compute(&seq, fold_convert(u64(), count));
    return put_before(&a, seq) ? value : give_up(seq);
}
