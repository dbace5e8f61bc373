/* SPDX-License-Identifier: GPL-3.0-or-later
 * Stand-ins and earlier statements; apply_equal.h.
 * A statement that moved may run with operands that it never had where it stood. So what GCC had found out about its
 * result is forgotten, and signed arithmetic becomes unsigned, which may wrap around. */
#include "gcc-plugin/apply/apply_equal.h"

#include <map>

namespace {

cs_graph *G;
const cs_lowered *F;
std::map<int, tree> names;          /* value -> its name, of values that stand for others */
std::map<int, gimple *> statements; /* those that move */

cs_stmt *stmt_of(gimple *g)
{
    unsigned uid = gimple_uid(g);
    return uid ? &G->stmts[uid - 1] : NULL;
}

void note(gimple *g)
{
    cs_stmt *s = stmt_of(g);
    tree lhs = gimple_get_lhs(g);
    if (!s)
        return;
    if (s->move_to >= 0)
        statements[s - G->stmts] = g;
    if (s->def >= 0 && lhs && TREE_CODE(lhs) == SSA_NAME)
        names[s->def] = lhs;
}

/* Is it signed arithmetic, which GCC may assume not to overflow? */
bool can_overflow(gimple *g)
{
    if (!is_gimple_assign(g) || !arith_code_with_undefined_signed_overflow(gimple_assign_rhs_code(g)))
        return false;
    tree type = TREE_TYPE(gimple_assign_lhs(g));
    return INTEGRAL_TYPE_P(type) && TYPE_OVERFLOW_UNDEFINED(type);
}

void move(gimple *g, basic_block bb)
{
    gimple_stmt_iterator from = gsi_for_stmt(g), to = gsi_last_bb(bb);
    gsi_remove(&from, false);
    to = gsi_last_bb(bb);
    if (!gsi_end_p(to) && stmt_ends_bb_p(gsi_stmt(to)))
        gsi_insert_before(&to, g, GSI_SAME_STMT);
    else
        gsi_insert_after(&to, g, GSI_NEW_STMT);
    reset_flow_sensitive_info(gimple_get_lhs(g));
    update_stmt(g);
    if (can_overflow(g)) {
        gimple_stmt_iterator at = gsi_for_stmt(g);
        rewrite_to_defined_overflow(&at);
    }
}

} // namespace

void cs_equal_begin(cs_graph *g, const cs_lowered *f)
{
    G = g;
    F = f;
    names.clear();
    statements.clear();
    for (unsigned b = 0; b < f->order.length(); b++) {
        for (gphi_iterator i = gsi_start_phis(f->order[b]); !gsi_end_p(i); gsi_next(&i))
            note(i.phi());
        for (gimple_stmt_iterator i = gsi_start_bb(f->order[b]); !gsi_end_p(i); gsi_next(&i))
            note(gsi_stmt(i));
    }
}

tree cs_equal_of(tree name)
{
    if (TREE_CODE(name) != SSA_NAME || SSA_NAME_IS_DEFAULT_DEF(name) || virtual_operand_p(name) ||
        SSA_NAME_IN_FREE_LIST(name))
        return NULL_TREE;
    cs_stmt *s = stmt_of(SSA_NAME_DEF_STMT(name));
    if (!s || s->def < 0)
        return NULL_TREE;
    cs_operand same = G->values[s->def].same;
    if (same.kind == CS_OPND_CONST)
        return build_int_cst(TREE_TYPE(name), same.pat.off);
    if (same.kind == CS_OPND_NONE)
        return NULL_TREE;
    gcc_assert(same.kind == CS_OPND_VALUE && names.count(same.id));
    return names.at(same.id);
}

void cs_equal_move()
{
    const cs_func *f = &G->funcs[F->func];
    for (int i = 0; i < f->moved.n; i++) {
        cs_stmt *s = &G->stmts[f->moved.a[i]];
        if (s->keep)
            move(statements.at(f->moved.a[i]), F->order[s->move_to]);
    }
}
