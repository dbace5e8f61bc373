/* SPDX-License-Identifier: GPL-3.0-or-later
 * Lowers the whole program from GIMPLE in SSA form to the slicer's program graph, one function after the other; lower.h
 * is its contract. What the graph cannot express is lowered so that no dependence is lost: an operation of unknown
 * meaning mixes all its operands. */
#include "gcc-plugin/lower/lower_internal.h"

/* The lowering under way; NULL outside of cs_lower_program(), which owns it. */
cs_low::Lowering *cs_low::L;

/* By object, the variable that it is. */
static void note_variables(struct cs_program *p)
{
    p->variables = vNULL;
    p->variables.safe_grow_cleared(p->graph->nobjs);
    for (const auto &o : cs_low::L->objs)
        if (VAR_P(o.first) || TREE_CODE(o.first) == PARM_DECL)
            p->variables[o.second] = o.first;
}

/* Functions with bodies come first in the graph, in the order in which they are lowered. So statements are numbered in
 * the order of its text, and whoever reads that has the same numbers. */
static void enter_functions()
{
    cgraph_node *node;
    FOR_EACH_FUNCTION (node)
        if (node->thunk && !node->inlined_to)
            cs_low::func_of(node->decl);
    FOR_EACH_FUNCTION (node)
        if (node->alias && cs_low::resolver_of(node->decl))
            cs_low::func_of(node->decl);
    FOR_EACH_FUNCTION_WITH_GIMPLE_BODY (node)
        if (!node->alias && !node->thunk && !node->inlined_to)
            cs_low::func_of(node->decl);
}

/* Fills in *p, whose members need not be set; cs_program_free() frees what it holds. Sections are looked for ahead of
 * any variable, and trampolines ahead of any body. A thunk, and a name with a resolver, gets a body that is made up
 * here. */
void cs_lower_program(struct cs_program *p)
{
    using namespace cs_low;
    Lowering l;
    L = &l;
    L->g = p->graph = cs_graph_new();
    p->funcs = vNULL;
    cgraph_node *node;
    find_bounded_sections();
    enter_functions();
    FOR_EACH_FUNCTION_WITH_GIMPLE_BODY (node)
        if (!node->alias && !node->thunk && !node->inlined_to)
            find_trampolines(node);
    FOR_EACH_FUNCTION (node)
        if (node->thunk && !node->inlined_to)
            lower_thunk(node);
    FOR_EACH_FUNCTION (node)
        if (node->alias)
            lower_resolved(node);
    FOR_EACH_FUNCTION_WITH_GIMPLE_BODY (node) {
        if (node->alias || node->thunk || node->inlined_to)
            continue;
        lower_function(node, p);
    }
    open_construction_tables();
    open_casts();
    note_start_functions();
    note_variables(p);
    L = NULL;
}

/* Frees the graph and the list of functions, but not p itself. */
void cs_program_free(struct cs_program *p)
{
    for (unsigned i = 0; i < p->funcs.length(); i++)
        p->funcs[i].order.release();
    p->funcs.release();
    p->variables.release();
    cs_graph_free(p->graph);
}
