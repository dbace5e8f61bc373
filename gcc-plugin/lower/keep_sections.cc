/* SPDX-License-Identifier: GPL-3.0-or-later
 * While a file is compiled: variables in a section that the program names may be found without their names, one after
 * the other, from __start_NAME to __stop_NAME, or by the loader in .init_array. At the link, GCC would leave out those
 * that nobody names and mix their order. An object without link-time information has all that others may name: as in
 * the source, or, where GCC reorders, first what functions bring, and then the variables in the order of its list. */
#include "gcc-plugin/lower/lower.h"

namespace {

bool in_named_section(varpool_node *v)
{
    return v->definition && !v->alias && v->get_section();
}

/* Functions that run before main, or after it, run in the order of the link, and in that of the source. */
void keep_start_functions()
{
    cgraph_node *node;
    FOR_EACH_DEFINED_FUNCTION(node)
    if (DECL_STATIC_CONSTRUCTOR(node->decl) || DECL_STATIC_DESTRUCTOR(node->decl))
        node->no_reorder = true;
}

} // namespace

void cs_start_functions_stay(void *gate, void *)
{
    bool *runs = (bool *)gate;
    if (current_pass && !strcmp(current_pass->name, "cdtor"))
        *runs = false;
}

/* A new number puts a variable behind all that have one. */
void cs_keep_sections()
{
    keep_start_functions();
    varpool_node *v;
    FOR_EACH_VARIABLE (v) {
        if (!in_named_section(v))
            continue;
        if (TREE_PUBLIC(v->decl) && !DECL_COMDAT(v->decl))
            v->force_output = true;
        if (v->no_reorder)
            continue;
        v->no_reorder = true;
        v->order = symtab->order++;
    }
}
