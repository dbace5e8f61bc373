/* SPDX-License-Identifier: GPL-3.0-or-later
 * What the program asks the dynamic linker for by name, dlsym(RTLD_DEFAULT, "function"), where it defines it itself.
 * The call gets its address as one more argument: the row dlsym@own says that it gives this address, or null where the
 * program does not show the symbol to others (-rdynamic). */
#include "gcc-plugin/lower/lower_internal.h"

namespace cs_low {

static bool is_dlsym(gimple *g)
{
    tree decl = gimple_call_fndecl(g);
    return decl && !has_body(decl) && gimple_call_num_args(g) == 2 && DECL_ASSEMBLER_NAME_SET_P(decl) &&
           !strcmp(IDENTIFIER_POINTER(DECL_ASSEMBLER_NAME(decl)), "dlsym");
}

/* The function or variable of the program that others know by this name, or NULL. */
static tree defined_as(const char *name)
{
    symtab_node *n = symtab_node::get_for_asmname(get_identifier(name));
    bool seen = n && TREE_PUBLIC(n->decl) && n->definition && !n->in_other_partition;
    if (!seen)
        return NULL_TREE;
    if (TREE_CODE(n->decl) == FUNCTION_DECL)
        return has_body(n->decl) && !resolver_of(n->decl) ? n->decl : NULL_TREE;
    return TREE_CODE(n->decl) == VAR_DECL ? n->decl : NULL_TREE;
}

void add_named(gimple *g, CallArgs *args)
{
    if (!is_dlsym(g) || !integer_zerop(gimple_call_arg(g, 0)))
        return;
    const char *name = c_getstr(gimple_call_arg(g, 1));
    tree decl = name ? defined_as(name) : NULL_TREE;
    if (!decl)
        return;
    if (TREE_CODE(decl) == FUNCTION_DECL)
        cs_intset_add(&L->cast, func_of(decl)); /* called as whatever the program says that it is */
    args->ops.safe_push(lower_constant_operand(build_fold_addr_expr(decl)));
}

} // namespace cs_low
