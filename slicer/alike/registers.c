/* SPDX-License-Identifier: GPL-3.0-or-later
 * Looks at all uses of addresses in kept statements; registers.h. */
#include "slicer/alike/registers.h"

#include "slicer/graph/storage.h"

/* The address is used for something else than a load or store of the whole variable. */
static void use(bool *r, const struct cs_operand *op)
{
    if (op->kind == CS_OPND_ADDR)
        r[op->id] = false;
}

static void use_place(const struct cs_graph *g, bool *r, const struct cs_ref *ref)
{
    if (ref->base.kind != CS_OPND_ADDR)
        return;
    bool whole = ref->base.pat.stride == 0 && ref->pat.stride == 0 && ref->base.pat.off + ref->pat.off == 0 &&
                 ref->size == g->objs[ref->base.id].size;
    if (!whole)
        r[ref->base.id] = false;
}

static void look_at(const struct cs_graph *g, bool *r, const struct cs_stmt *s)
{
    for (int i = 0; i < s->nuses; i++) {
        bool gone = s->kind == CS_STMT_CALL && i < 32 && (s->arg_null >> i & 1);
        if (!gone)
            use(r, &s->uses[i]);
    }
    use(r, &s->callee);
    for (int i = 0; i < s->narg_loads; i++)
        use(r, &s->arg_loads[i].ref.base);
    if (s->has_load)
        use_place(g, r, &s->load);
    if (s->has_store)
        use_place(g, r, &s->store);
}

bool *cs_registers_find(const struct cs_graph *g)
{
    enum { LARGEST = 16 }; /* bytes of a variable that the compiler holds in registers */
    bool *r = cs_calloc(g->nobjs + 1, sizeof *r);
    for (int o = 0; o < g->nobjs; o++)
        r[o] = g->objs[o].kind == CS_OBJ_LOCAL && g->objs[o].size > 0 && g->objs[o].size <= LARGEST;
    for (int s = 0; s < g->nstmts; s++)
        if (g->stmts[s].keep && g->stmts[s].source >= 0)
            look_at(g, r, &g->stmts[s]);
    return r;
}
