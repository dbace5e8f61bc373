/* SPDX-License-Identifier: GPL-3.0-or-later
 * Which calls of a source are watched. Both processes, the one that compiles the original and the one that compiles the
 * slice, find the same ones in the same order, as nothing has been optimised yet. */
#include "gcc-plugin/folds/folds_internal.h"

namespace cs_fold {

/* Its result and its arguments can be followed, and given to another statement in its place. */
static bool can_be_followed(gcall *g)
{
    tree lhs = gimple_call_lhs(g);
    cs_answered as = cs_answered_as(g);
    if (!lhs || as == CS_ANSWERED_NEVER || as == CS_ANSWERED_STORED || stmt_ends_bb_p(g))
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

static bool has_any(function *fn)
{
    basic_block bb;
    FOR_EACH_BB_FN (bb, fn)
        for (gimple_stmt_iterator i = gsi_start_bb(bb); !gsi_end_p(i); gsi_next(&i))
            if (is_gimple_call(gsi_stmt(i)) && gimple_call_lhs(gsi_stmt(i)) &&
                cs_answered_as(gsi_stmt(i)) != CS_ANSWERED_NEVER)
                return true;
    return false;
}

bool any_watched()
{
    cgraph_node *node;
    bool any = false;
    FOR_EACH_FUNCTION_WITH_GIMPLE_BODY (node) {
        function *fn = DECL_STRUCT_FUNCTION(node->decl);
        if (any || !fn || !fn->cfg)
            continue;
        push_cfun(fn);
        any = has_any(fn);
        pop_cfun();
    }
    return any;
}

} // namespace cs_fold
