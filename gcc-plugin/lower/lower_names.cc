/* SPDX-License-Identifier: GPL-3.0-or-later
 * The names by which an assumption FILE:LINE:NAME=EXPRESSION knows the whole numbers that a statement assigns, so that
 * advise can try such assumptions on the graph. assume_value.cc finds the same ones in GIMPLE. */
#include "gcc-plugin/lower/lower.h"
#include "gcc-plugin/lower/lower_internal.h"

tree cs_assigned_name(tree t)
{
    switch (TREE_CODE(t)) {
    case COMPONENT_REF: return DECL_NAME(TREE_OPERAND(t, 1));
    case ARRAY_REF:
    case MEM_REF:
    case ADDR_EXPR: return cs_assigned_name(TREE_OPERAND(t, 0));
    case SSA_NAME: return SSA_NAME_IDENTIFIER(t);
    default: return DECL_P(t) ? DECL_NAME(t) : NULL_TREE;
    }
}

namespace cs_low {

/* The name of a place that holds a whole number; empty: it holds none, or nobody could write its name. */
static std::string number_name(tree place)
{
    tree name = INTEGRAL_TYPE_P(TREE_TYPE(place)) && TREE_CODE(TREE_TYPE(place)) != BOOLEAN_TYPE
                    ? cs_assigned_name(place)
                    : NULL_TREE;
    std::string text = name ? IDENTIFIER_POINTER(name) : "";
    for (char c : text)
        if (!ISALNUM(c) && c != '_')
            return "";
    return text;
}

/* What a call may write through the addresses that it gets. */
static std::string written_names(gcall *g)
{
    std::string names;
    for (unsigned i = 0; i < gimple_call_num_args(g); i++) {
        tree a = gimple_call_arg(g, i);
        if (TREE_CODE(a) != ADDR_EXPR || TREE_READONLY(TREE_OPERAND(a, 0)))
            continue;
        std::string name = number_name(TREE_OPERAND(a, 0));
        int64_t size = size_of(TREE_TYPE(TREE_OPERAND(a, 0)));
        if (!name.empty() && size > 0)
            names += (names.empty() ? "" : " ") + std::to_string(i) + ":" + std::to_string(size) + ":" + name;
    }
    return names;
}

void note_names(gimple *g, int s)
{
    tree lhs = gimple_get_lhs(g);
    gcall *call = dyn_cast<gcall *>(g);
    if (gimple_location(g) == UNKNOWN_LOCATION || cfun->calls_setjmp || cfun->has_nonlocal_label)
        return;
    std::string names = call ? written_names(call) : "";
    if (lhs && (TREE_CODE(lhs) == SSA_NAME || gimple_assign_single_p(g))) {
        std::string name = number_name(lhs);
        names = names.empty() || name.empty() ? name + names : name + " " + names;
    }
    if (!names.empty())
        L->g->stmts[s].names = cs_graph_string(L->g, names.c_str());
}

} // namespace cs_low
