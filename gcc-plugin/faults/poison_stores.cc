/* SPDX-License-Identifier: GPL-3.0-or-later
 * Stores poison where a statement that is left out would have stored, and in fresh stack frames; poison_stores.h.
 * GCC's -ftrivial-auto-var-init=pattern fills frames, too. It cannot be used here, because the slicer would take its
 * stores for statements of the program; the stores of this file are made after the slicer has decided. */
#include "gcc-plugin/faults/poison_stores.h"

namespace {

const unsigned HOST_WIDE_INT LARGEST = 65536; /* bytes of a filled variable: no test reads more, and stacks are small */
const int WORD = 8, WORDS = 16, UNEVEN = 77;  /* with value UNEVEN, the first WORDS words of WORD bytes differ */

/* A new call memset(address, value, size), in no block yet. Its uid 0 says that it is no statement of the graph. */
gcall *fill(tree address, int value, tree size)
{
    gcall *c = gimple_build_call(builtin_decl_explicit(BUILT_IN_MEMSET), 3, address,
                                 build_int_cst(integer_type_node, value), size);
    gimple_set_uid(c, 0);
    return c;
}

/* Statements, in no block yet, that fill `place`, of `size` bytes (a constant), with bytes of this value. With UNEVEN,
 * word k of the first WORDS has bytes UNEVEN + k: if all were equal, the three pointers of a std::vector would be equal
 * and make a valid empty container. */
gimple_seq fill_place(tree place, int value, tree size)
{
    gimple_seq all = NULL;
    tree address = build_fold_addr_expr(unshare_expr(place));
    gimple_seq_add_stmt(&all, fill(address, value, size));
    for (int k = 1; value == UNEVEN && k < WORDS && compare_tree_int(size, (k + 1) * WORD) >= 0; k++) {
        tree word =
            build2(MEM_REF, long_unsigned_type_node, unshare_expr(address), build_int_cst(ptr_type_node, k * WORD));
        gimple_seq_add_stmt(&all, fill(build_fold_addr_expr(word), value + k, size_int(WORD)));
    }
    return all;
}

/* Inserts in front of *i a store of cs_poison_value(type, value) to `place`, which has this type, a register type. */
void store_constant(gimple_stmt_iterator *i, tree place, tree type, int value)
{
    gassign *a = gimple_build_assign(unshare_expr(place), cs_poison_value(type, value));
    gimple_set_uid(a, 0);
    gsi_insert_before(i, a, GSI_SAME_STMT);
}

/* Inserts in front of *i what fills `place`, of `size` bytes (a constant), with bytes of this value. Words differ as in
 * fill_place() only if `place` is a whole variable. */
void store_bytes(gimple_stmt_iterator *i, tree place, int value, tree size)
{
    tree base = get_base_address(place);
    if (DECL_P(base))
        mark_addressable(base);
    if (DECL_P(place)) {
        gsi_insert_seq_before(i, fill_place(place, value, size), GSI_SAME_STMT);
        return;
    }
    tree address =
        force_gimple_operand_gsi(i, build_fold_addr_expr(unshare_expr(place)), true, NULL_TREE, true, GSI_SAME_STMT);
    gsi_insert_before(i, fill(address, value, size), GSI_SAME_STMT);
}

/* If g is a call of memcpy, memmove or memset, inserts in front of *i what fills the bytes that g writes. GCC turns
 * array assignments of Fortran into such calls. */
void fill_like(gimple_stmt_iterator *i, gimple *g, int value)
{
    if (!gimple_call_builtin_p(g, BUILT_IN_MEMCPY) && !gimple_call_builtin_p(g, BUILT_IN_MEMMOVE) &&
        !gimple_call_builtin_p(g, BUILT_IN_MEMSET))
        return;
    gsi_insert_before(i, fill(gimple_call_arg(g, 0), value, gimple_call_arg(g, 2)), GSI_SAME_STMT);
}

/* Makes a `return` without an operand, in a function that returns a struct, return a struct of bytes of this value. The
 * fault has taken the operand away; without this, the right struct could still be in registers. Does nothing if the
 * caller passes the address of the result, or if its size is not constant. */
void return_bytes(gimple_stmt_iterator *i, greturn *r, int value)
{
    tree result = DECL_RESULT(cfun->decl);
    tree size = TYPE_SIZE_UNIT(TREE_TYPE(result));
    if (gimple_return_retval(r) || !AGGREGATE_TYPE_P(TREE_TYPE(result)) || DECL_BY_REFERENCE(result))
        return;
    if (!size || TREE_CODE(size) != INTEGER_CST)
        return;
    tree v = create_tmp_var(TREE_TYPE(result));
    store_bytes(i, v, value, size);
    gimple_return_set_retval(r, v);
    update_stmt(r);
}

/* Is v a variable of the current function that lies on its stack, and of constant size, LARGEST bytes at most? */
bool lives_in_memory(tree v)
{
    tree size = TYPE_SIZE_UNIT(TREE_TYPE(v));
    if (!VAR_P(v) || !auto_var_in_fn_p(v, cfun->decl) || DECL_HAS_VALUE_EXPR_P(v) || DECL_HARD_REGISTER(v))
        return false;
    return !is_gimple_reg(v) && !TREE_THIS_VOLATILE(v) && size && TREE_CODE(size) == INTEGER_CST &&
           compare_tree_int(size, LARGEST) <= 0;
}

} // namespace

tree cs_poison_value(tree type, int value)
{
    if (INTEGRAL_TYPE_P(type))
        return build_int_cst_type(type, TYPE_PRECISION(type) == 1 ? value != 0 : value);
    if (POINTER_TYPE_P(type))
        return build_int_cst(type, value);
    if (SCALAR_FLOAT_TYPE_P(type))
        return build_real(type, real_value_from_int_cst(type, build_int_cst(integer_type_node, value)));
    return build_zero_cst(type);
}

void cs_poison_store(gimple_stmt_iterator *i, int value)
{
    gimple *g = gsi_stmt(*i);
    if (greturn *r = dyn_cast<greturn *>(g))
        return return_bytes(i, r, value);
    tree place = gimple_get_lhs(g);
    if (!place && is_gimple_call(g))
        fill_like(i, g, value);
    if (!place || TREE_CODE(place) == SSA_NAME)
        return;
    tree type = TREE_TYPE(place), size = TYPE_SIZE_UNIT(type);
    if (is_gimple_reg_type(type))
        store_constant(i, place, type, value);
    else if (size && TREE_CODE(size) == INTEGER_CST)
        store_bytes(i, place, value, size);
}

void cs_poison_frame(int value)
{
    unsigned k;
    tree v;
    edge entry = single_succ_edge(ENTRY_BLOCK_PTR_FOR_FN(cfun));
    FOR_EACH_LOCAL_DECL(cfun, k, v)
    if (lives_in_memory(v)) {
        mark_addressable(v);
        gsi_insert_seq_on_edge(entry, fill_place(v, value, TYPE_SIZE_UNIT(TREE_TYPE(v))));
    }
    gsi_commit_edge_inserts();
}
