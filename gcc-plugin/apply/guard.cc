/* SPDX-License-Identifier: GPL-3.0-or-later
 * Inserts at the start of a slice's main(), so that the slice refuses to run on its own; guard.h:
 *   if (getenv("COMMSLICE_RUNTIME") == NULL) {
 *       dprintf(2, text, program_invocation_name, program_invocation_name);
 *       _exit(2);
 *   }
 * commlib/ sets the variable in a constructor, which runs before main(). */
#include "gcc-plugin/apply/guard.h"
#include "base/environment.h"

namespace {

const char text[] = "commslice: %s is a slice, which cannot run on its own: start it with `commslice run -n N %s`\n";

tree string_constant(const char *s)
{
    size_t n = strlen(s) + 1;
    tree str = build_string(n, s);
    TREE_TYPE(str) = build_array_type_nelts(char_type_node, n);
    TREE_CONSTANT(str) = TREE_READONLY(str) = TREE_STATIC(str) = 1;
    return build1(ADDR_EXPR, build_pointer_type(TREE_TYPE(str)), str);
}

/* Appends a call with one argument, two or four to the block; absent ones are null. */
gcall *append_call(basic_block bb, const char *name, tree type, tree a, tree b, tree c, tree d)
{
    gcc_assert(a && (!d || (b && c)));
    gcall *call = gimple_build_call(build_fn_decl(name, type), d ? 4 : a && b ? 2 : 1, a, b, c, d);
    gimple_set_uid(call, 0);
    gimple_stmt_iterator i = gsi_last_bb(bb);
    gsi_insert_after(&i, call, GSI_NEW_STMT);
    return call;
}

/* The path that the program was started with: a variable of the C library. */
tree load_program_name(basic_block bb)
{
    tree type = build_pointer_type(char_type_node);
    tree v = build_decl(UNKNOWN_LOCATION, VAR_DECL, get_identifier("program_invocation_name"), type);
    TREE_PUBLIC(v) = DECL_EXTERNAL(v) = TREE_USED(v) = DECL_ARTIFICIAL(v) = 1;
    varpool_node::get_create(v);
    tree name = make_ssa_name(type);
    gassign *g = gimple_build_assign(name, v);
    gimple_set_uid(g, 0);
    gimple_stmt_iterator i = gsi_last_bb(bb);
    gsi_insert_after(&i, g, GSI_NEW_STMT);
    return name;
}

void say_and_exit(basic_block bb)
{
    tree name = load_program_name(bb);
    tree say = build_varargs_function_type_list(integer_type_node, integer_type_node, const_ptr_type_node, NULL_TREE);
    tree leave = build_function_type_list(void_type_node, integer_type_node, NULL_TREE);
    append_call(bb, "dprintf", say, build_int_cst(integer_type_node, 2), string_constant(text), name, name);
    gcall *call = append_call(bb, "_exit", leave, build_int_cst(integer_type_node, 2), NULL_TREE, NULL_TREE, NULL_TREE);
    TREE_THIS_VOLATILE(gimple_call_fndecl(call)) = 1; /* does not return */
    gimple_call_set_ctrl_altering(call, true);
}

} // namespace

void cs_guard_main(void)
{
    basic_block first = split_edge(single_succ_edge(ENTRY_BLOCK_PTR_FOR_FN(cfun)));
    edge on = single_succ_edge(first);
    tree ask = build_function_type_list(ptr_type_node, const_ptr_type_node, NULL_TREE);
    gcall *call = append_call(first, "getenv", ask, string_constant(CS_ENV_RUNTIME), NULL_TREE, NULL_TREE, NULL_TREE);
    tree answer = make_ssa_name(ptr_type_node);
    gimple_call_set_lhs(call, answer);
    gcond *c = gimple_build_cond(EQ_EXPR, answer, build_zero_cst(ptr_type_node), NULL_TREE, NULL_TREE);
    gimple_stmt_iterator i = gsi_last_bb(first);
    gsi_insert_after(&i, c, GSI_NEW_STMT);
    basic_block refuse = create_empty_bb(first);
    if (current_loops)
        add_bb_to_loop(refuse, current_loops->tree_root);
    on->flags = (on->flags & ~EDGE_FALLTHRU) | EDGE_FALSE_VALUE;
    make_edge(first, refuse, EDGE_TRUE_VALUE)->probability = profile_probability::never();
    refuse->count = profile_count::zero();
    say_and_exit(refuse);
}
