/* SPDX-License-Identifier: GPL-3.0-or-later
 * The names by which an assumption FILE:LINE:NAME=EXPRESSION knows the whole numbers that a statement assigns, so that
 * advise can try such assumptions on the graph. assume_value.cc finds the same ones in GIMPLE. */
#include "gcc-plugin/lower/lower.h"
#include "gcc-plugin/lower/lower_internal.h"
#include "slicer/control/named_values.h"

/* The name of the source's variable that has this value, where the compiler computes it under none. */
static tree renamed(tree value)
{
    imm_use_iterator it;
    use_operand_p use;
    FOR_EACH_IMM_USE_FAST(use, it, value)
    {
        gimple *g = USE_STMT(use);
        if (gimple_debug_bind_p(g) && gimple_debug_bind_has_value_p(g) && gimple_debug_bind_get_value(g) == value &&
            DECL_P(gimple_debug_bind_get_var(g)) && DECL_NAME(gimple_debug_bind_get_var(g)))
            return DECL_NAME(gimple_debug_bind_get_var(g));
    }
    return NULL_TREE;
}

/* The pointer from which the address of an element was computed: p of p[i]. */
static tree begin_of(tree address)
{
    while (TREE_CODE(address) == SSA_NAME && !SSA_NAME_IDENTIFIER(address)) {
        gimple *d = SSA_NAME_DEF_STMT(address);
        if (!is_gimple_assign(d) ||
            (gimple_assign_rhs_code(d) != POINTER_PLUS_EXPR && !CONVERT_EXPR_CODE_P(gimple_assign_rhs_code(d)) &&
             !gimple_assign_ssa_name_copy_p(d)))
            break;
        address = gimple_assign_rhs1(d);
    }
    return address;
}

/* Of an element that a pointer leads to: the pointer's. */
static tree pointer_name(tree address)
{
    tree begin = begin_of(address), name = cs_assigned_name(begin);
    return name || TREE_CODE(begin) != SSA_NAME ? name : renamed(begin);
}

tree cs_assigned_name(tree t)
{
    switch (TREE_CODE(t)) {
    case COMPONENT_REF: return DECL_NAME(TREE_OPERAND(t, 1));
    case MEM_REF: return pointer_name(TREE_OPERAND(t, 0));
    case ARRAY_REF:
    case ADDR_EXPR: return cs_assigned_name(TREE_OPERAND(t, 0));
    case SSA_NAME: return SSA_NAME_IDENTIFIER(t);
    default: return DECL_P(t) ? DECL_NAME(t) : NULL_TREE;
    }
}

namespace cs_low {

/* Is it one of several elements, with the name of all: a[i], or p[i]? */
static bool is_element(tree place)
{
    while (handled_component_p(place)) {
        if (TREE_CODE(place) == ARRAY_REF && TREE_CODE(TREE_OPERAND(place, 1)) != INTEGER_CST)
            return true;
        place = TREE_OPERAND(place, 0);
    }
    return TREE_CODE(place) == MEM_REF && begin_of(TREE_OPERAND(place, 0)) != TREE_OPERAND(place, 0);
}

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
        if (!name.empty() && is_element(lhs))
            name = CS_NAME_OF_ELEMENTS + name;
        names = names.empty() || name.empty() ? name + names : name + " " + names;
    }
    if (!names.empty())
        L->g->stmts[s].names = cs_graph_string(L->g, names.c_str());
}

} // namespace cs_low
