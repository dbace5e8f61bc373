/* SPDX-License-Identifier: GPL-3.0-or-later
 * Which calls of a source are watched. Both processes, the one that compiles the original and the one that compiles the
 * slice, find the same ones in the same order, as nothing has been optimised yet. */
#include "gcc-plugin/folds/folds_internal.h"

namespace cs_fold {

bool can_have_witness(gimple *g)
{
    cs_answered as = cs_answered_as(g);
    return as != CS_ANSWERED_NEVER && as != CS_ANSWERED_STORED && as != CS_ANSWERED_ASKED && as != CS_ANSWERED_SIZE;
}

/* Its result and its arguments can be followed, and given to another statement in its place. */
static bool can_be_followed(gcall *g)
{
    tree lhs = gimple_call_lhs(g);
    cs_answered as = cs_answered_as(g);
    if (!lhs || !can_have_witness(g) || stmt_ends_bb_p(g))
        return false;
    for (unsigned i = 0; i < gimple_call_num_args(g); i++)
        if (!is_gimple_val(gimple_call_arg(g, i)))
            return false;
    if (TREE_CODE(lhs) == SSA_NAME)
        return !SSA_NAME_OCCURS_IN_ABNORMAL_PHI(lhs);
    return (as == CS_ANSWERED_REAL || as == CS_ANSWERED_POWER || as == CS_ANSWERED_WHOLE_POWER) &&
           !TREE_THIS_VOLATILE(lhs);
}

void watched_calls(function *fn, auto_vec<gcall *> *out)
{
    basic_block bb;
    FOR_EACH_BB_FN (bb, fn)
        for (gimple_stmt_iterator i = gsi_start_bb(bb); !gsi_end_p(i); gsi_next(&i))
            if (gcall *g = dyn_cast<gcall *>(gsi_stmt(i)))
                if (can_be_followed(g))
                    out->safe_push(g);
}

static bool has_any(function *fn, bool (*holds)(gimple *))
{
    basic_block bb;
    FOR_EACH_BB_FN (bb, fn)
        for (gimple_stmt_iterator i = gsi_start_bb(bb); !gsi_end_p(i); gsi_next(&i))
            if (holds(gsi_stmt(i)))
                return true;
    return false;
}

static bool any_statement(bool (*holds)(gimple *))
{
    cgraph_node *node;
    bool any = false;
    FOR_EACH_FUNCTION_WITH_GIMPLE_BODY (node) {
        function *fn = DECL_STRUCT_FUNCTION(node->decl);
        if (any || !fn || !fn->cfg)
            continue;
        push_cfun(fn);
        any = has_any(fn, holds);
        pop_cfun();
    }
    return any;
}

bool is_answered(gimple *g)
{
    return is_gimple_call(g) && gimple_call_lhs(g) && cs_answered_as(g) != CS_ANSWERED_NEVER;
}

bool any_watched(bool (*holds)(gimple *))
{
    static bool (*wanted)(gimple *);
    wanted = holds;
    return any_statement([](gimple *g) { return is_answered(g) && wanted(g); });
}

bool any_computed_unwatched()
{
    cgraph_node *node;
    FOR_EACH_FUNCTION (node)
        if (node->address_taken && fndecl_built_in_p(node->decl, BUILT_IN_NORMAL) && noted_as(node->decl) != "")
            return true;
    return any_statement(cs_is_complex_product);
}

} // namespace cs_fold
