/* SPDX-License-Identifier: GPL-3.0-or-later
 * While a file is compiled: variables in a section that the linker gives a beginning and an end may be found without
 * their names, one after the other. At the link, GCC would leave out those that nobody names and mix their order. An
 * object without link-time information has all that others may name, in the order of GCC's list of symbols, or, where
 * it does not reorder, of the source. */
#include "gcc-plugin/lower/lower.h"

namespace {

bool is_identifier(const char *name)
{
    while (ISALNUM(*name) || *name == '_')
        name++;
    return !*name;
}

bool in_bounded_section(varpool_node *v)
{
    return v->definition && !v->alias && v->get_section() && is_identifier(v->get_section());
}

int by_number(const void *a, const void *b)
{
    const int *x = (const int *)a, *y = (const int *)b;
    return (*x > *y) - (*x < *y);
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

/* The numbers that say the order are given to the variables again, as the list has them. */
void cs_keep_sections()
{
    keep_start_functions();
    auto_vec<varpool_node *> moved;
    auto_vec<int> numbers;
    varpool_node *v;
    FOR_EACH_VARIABLE (v) {
        if (!in_bounded_section(v))
            continue;
        if (TREE_PUBLIC(v->decl) && !DECL_COMDAT(v->decl))
            v->force_output = true;
        if (v->no_reorder)
            continue;
        v->no_reorder = true;
        moved.safe_push(v);
        numbers.safe_push(v->order);
    }
    numbers.qsort(by_number);
    for (unsigned i = 0; i < moved.length(); i++)
        moved[i]->order = numbers[i];
}
