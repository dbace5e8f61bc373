/* SPDX-License-Identifier: GPL-3.0-or-later
 * Calls through pointers by their kind; indirect.h. The families of virtual calls come from the classes
 * (gcc-plugin/lower/lower_family.cc). */
#include "slicer/control/indirect.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* ---- addresses of functions ---- */

static int function_of(const struct cs_graph *g, struct cs_operand op)
{
    return op.kind == CS_OPND_ADDR && g->objs[op.id].kind == CS_OBJ_FUNC ? g->objs[op.id].func : -1;
}

static void take_operands(const struct cs_graph *g, bool *taken)
{
    for (int s = 0; s < g->nstmts; s++)
        for (int k = 0; k < g->stmts[s].nuses; k++) {
            int f = function_of(g, g->stmts[s].uses[k]);
            if (f >= 0)
                taken[f] = true;
        }
}

/* The table of virtual functions of a class, or one for the time while an object is made. */
static bool is_table(const struct cs_graph *g, int obj)
{
    const char *name = cs_obj_name(g, obj);
    return !strncmp(name, "_ZTV", 4) || !strncmp(name, "_ZTC", 4);
}

/* The functions that stand in the object from the start. */
static void take_inits(const struct cs_graph *g, int obj, bool *taken)
{
    for (int k = 0; k < g->objs[obj].ninits; k++) {
        int f = function_of(g, g->objs[obj].inits[k].val);
        if (f >= 0)
            taken[f] = true;
    }
}

/* Is it the description of a class of C++'s library? The program has its own of those that are templates. */
static bool in_standard(const char *name)
{
    return !strncmp(name, "_ZTISt", strlen("_ZTISt")) || !strncmp(name, "_ZTINSt", strlen("_ZTINSt"));
}

/* Does the class that this is the description of (_ZTI...) derive from one that is described elsewhere? `left`: so many
 * steps; where they do not suffice it does. */
static bool of_library(const struct cs_graph *g, int obj, int left)
{
    const struct cs_obj *o = &g->objs[obj];
    bool any = o->external || !left || in_standard(cs_obj_name(g, obj));
    for (int k = 0; k < o->ninits && !any; k++) {
        struct cs_operand to = o->inits[k].val;
        any = to.kind == CS_OPND_ADDR && !strncmp(cs_obj_name(g, to.id), "_ZTI", 4) && of_library(g, to.id, left - 1);
    }
    return any;
}

/* Is it the table of a class that derives from one of a library, or of which nobody says what it derives from? */
static bool library_knows(const struct cs_graph *g, int table)
{
    enum { DEPTH = 20 };
    bool described = false, library = false;
    for (int k = 0; k < g->objs[table].ninits; k++) {
        struct cs_operand to = g->objs[table].inits[k].val;
        if (to.kind != CS_OPND_ADDR || strncmp(cs_obj_name(g, to.id), "_ZTI", 4))
            continue;
        described = true;
        library |= of_library(g, to.id, DEPTH);
    }
    return library || !described;
}

static void take_tables(const struct cs_graph *g, bool libraries_alone, bool *taken)
{
    for (int o = 0; o < g->nobjs; o++)
        if (is_table(g, o) && (!libraries_alone || library_knows(g, o)))
            take_inits(g, o, taken);
}

/* Functions that something else than a table has. */
static void take_plain(const struct cs_graph *g, bool *taken)
{
    take_operands(g, taken);
    for (int o = 0; o < g->nobjs; o++)
        if (!is_table(g, o))
            take_inits(g, o, taken);
}

/* Of those that tables have, what may be called as a plain function. */
static void take_cast(const struct cs_graph *g, const struct cs_intlist *any, bool *taken)
{
    for (int i = 0; i < any->n; i++)
        taken[any->a[i]] |= cs_intset_has(&g->funcs[g->funcs[any->a[i]].source].families, CS_ANY_FORM);
}

static void list_taken(const struct cs_graph *g, const bool *taken, struct cs_intlist *out)
{
    for (int f = 0; f < g->nfuncs; f++)
        if (taken[f])
            cs_intlist_add(out, f);
}

/* ---- families ---- */

/* How many families and forms there are. */
static void count_families(const struct cs_graph *g, int *families, int *forms)
{
    for (int s = 0; s < g->nstmts; s++) {
        int family = g->stmts[s].kind == CS_STMT_CALL ? g->stmts[s].family : -1;
        if (family > *families)
            *families = family;
        if (family < -1 && CS_FORM(family) >= *forms)
            *forms = CS_FORM(family) + 1;
    }
}

static bool in_family(const struct cs_graph *g, int func, int family)
{
    const struct cs_intset *in = &g->funcs[g->funcs[func].source].families;
    return !g->funcs[func].defined || cs_intset_has(in, family) || cs_intset_has(in, CS_ALL_FAMILIES) ||
           cs_intset_has(in, CS_ANY_FORM);
}

/* Functions of the family whose address is taken. */
static void list_family(const struct cs_graph *g, const struct cs_intlist *any, int family, struct cs_intlist *out)
{
    for (int i = 0; i < any->n; i++)
        if (in_family(g, any->a[i], family))
            cs_intlist_add(out, any->a[i]);
}

static bool is_given(const struct cs_indirect *d, const char *state)
{
    for (int i = 0; i < d->ngiven; i++)
        if (!strcmp(d->given[i], state))
            return true;
    return false;
}

static void give(struct cs_indirect *d, const char *state)
{
    if (is_given(d, state))
        return;
    CS_GROW(d->given, d->ngiven, d->agiven);
    d->given[d->ngiven++] = state;
}

/* Finds the states in which the program may store something. */
static void find_given(struct cs_indirect *d, const struct cs_effects *fx)
{
    for (int o = 0; o < d->g->nobjs; o++) {
        const struct cs_obj *ob = &d->g->objs[o];
        bool outside = ob->kind == CS_OBJ_FUNC ? !d->g->funcs[ob->func].defined : ob->external;
        const struct cs_effect *e = outside ? cs_effects_find(fx, cs_obj_name(d->g, o)) : NULL;
        for (int i = 0; e && i < e->nops; i++)
            if (e->ops[i].kind == CS_EFFECT_HIDDEN_PTR || e->ops[i].kind == CS_EFFECT_HIDDEN_COPY)
                give(d, e->ops[i].state);
        if (e && e->var_state)
            give(d, e->var_state);
    }
}

struct cs_indirect cs_indirect_new(const struct cs_graph *g, const struct cs_effects *fx)
{
    int families = 0, forms = 0;
    count_families(g, &families, &forms);
    struct cs_indirect d = {.g = g, .nforms = forms, .nkinds = CS_INDIRECT_FAMILIES + forms + families};
    bool *taken = cs_calloc(g->nfuncs + 1, sizeof *taken);
    d.members = cs_calloc(d.nkinds, sizeof *d.members);
    take_plain(g, taken);
    take_tables(g, false, taken);
    list_taken(g, taken, &d.members[CS_INDIRECT_ANY]);
    memset(taken, 0, g->nfuncs * sizeof *taken);
    take_tables(g, true, taken);
    list_taken(g, taken, &d.members[CS_INDIRECT_VIRTUAL]);
    take_plain(g, taken);
    take_cast(g, &d.members[CS_INDIRECT_ANY], taken);
    list_taken(g, taken, &d.members[CS_INDIRECT_LIBRARY]);
    memset(taken, 0, g->nfuncs * sizeof *taken);
    take_plain(g, taken);
    take_cast(g, &d.members[CS_INDIRECT_ANY], taken);
    list_taken(g, taken, &d.members[CS_INDIRECT_PLAIN]);
    for (int i = 0; i < forms; i++)
        list_family(g, &d.members[CS_INDIRECT_PLAIN], CS_FORM(i), &d.members[CS_INDIRECT_FAMILIES + i]);
    for (int i = 1; i <= families; i++)
        list_family(g, &d.members[CS_INDIRECT_ANY], i, &d.members[CS_INDIRECT_FAMILIES + forms + i - 1]);
    free(taken);
    find_given(&d, fx);
    return d;
}

void cs_indirect_free(struct cs_indirect *d)
{
    for (int k = 0; k < d->nkinds; k++)
        cs_intlist_free(&d->members[k]);
    free(d->members);
    free(d->given);
    d->members = NULL;
    d->given = NULL;
}

int cs_indirect_kind(const struct cs_indirect *d, int stmt)
{
    int family = d->g->stmts[stmt].family;
    assert(d->g->stmts[stmt].kind == CS_STMT_CALL && family <= d->nkinds - CS_INDIRECT_FAMILIES - d->nforms);
    if (family > 0)
        return CS_INDIRECT_FAMILIES + d->nforms + family - 1;
    if (family < -1)
        return CS_INDIRECT_FAMILIES + CS_FORM(family);
    return family == CS_NO_METHOD ? CS_INDIRECT_PLAIN : CS_INDIRECT_ANY;
}

static void called_back(const struct cs_graph *g, struct cs_operand op, void (*fn)(void *arg, int kind, int func),
                        void *arg)
{
    int func = function_of(g, op);
    if (func >= 0 && g->funcs[func].defined)
        fn(arg, -1, func);
    else if (op.kind != CS_OPND_CONST) /* null */
        fn(arg, CS_INDIRECT_ANY, -1);
}

/* Is the row one of C++'s library, which calls by tables what it finds in objects? */
static bool is_standard(const struct cs_effect *row)
{
    return !strncmp(row->name, "_ZNSt", strlen("_ZNSt")) || !strncmp(row->name, "_ZNKSt", strlen("_ZNKSt")) ||
           !strncmp(row->name, "_ZSt", strlen("_ZSt"));
}

bool cs_indirect_calls_given(const struct cs_indirect *d, const struct cs_effect *row)
{
    for (int i = 0; row && i < row->nops; i++)
        if (row->ops[i].kind == CS_EFFECT_HIDDEN_CALL && is_given(d, row->ops[i].state))
            return true;
    return false;
}

void cs_indirect_called_back(const struct cs_indirect *d, int stmt, const struct cs_effect *row,
                             void (*fn)(void *arg, int kind, int func), void *arg)
{
    const struct cs_stmt *s = &d->g->stmts[stmt];
    for (int i = 0; row && i < row->nops; i++) {
        const struct cs_effect_op *op = &row->ops[i];
        if (op->kind == CS_EFFECT_CALLBACK && op->arg >= 0 && op->arg < s->nuses && !op->rest)
            called_back(d->g, s->uses[op->arg], fn, arg);
        else if (op->kind == CS_EFFECT_CALL_DEEP)
            fn(arg, is_standard(row) ? CS_INDIRECT_VIRTUAL : CS_INDIRECT_LIBRARY, -1);
        else if (op->kind == CS_EFFECT_CALLBACK)
            fn(arg, CS_INDIRECT_ANY, -1);
    }
    if (cs_indirect_calls_given(d, row))
        fn(arg, CS_INDIRECT_ANY, -1);
}
