/* SPDX-License-Identifier: GPL-3.0-or-later
 * Lowers the whole program from GIMPLE in SSA form to the slicer's program graph, one function after the other;
 * lower.h. What the graph cannot say is lowered conservatively: an operation of unknown meaning mixes all its operands.
 */
#include "gcc-plugin/lower/lower_internal.h"

cs_low::Lowering *cs_low::L;

void cs_lower_program(struct cs_program *p)
{
    using namespace cs_low;
    Lowering l;
    L = &l;
    L->g = p->graph = cs_graph_new();
    p->funcs = vNULL;
    cgraph_node *node;
    find_bounded_sections();
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
    note_start_functions();
    L = NULL;
}

void cs_program_free(struct cs_program *p)
{
    for (unsigned i = 0; i < p->funcs.length(); i++)
        p->funcs[i].order.release();
    p->funcs.release();
    cs_graph_free(p->graph);
}
