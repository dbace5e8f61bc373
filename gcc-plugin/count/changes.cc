/* SPDX-License-Identifier: GPL-3.0-or-later
 * What functions may change; changes.h. GCC takes a call to change all that another function can know. Here a function
 * changes what its statements, and those of the functions that it calls, store to:
 *     variables that exist once, by name, and what is behind pointers. Both only where what is stored has a type that
 * the place may have (GCC's alias sets), as GCC assumes itself. Variables of the function's own are gone when it
 * returns. Statements after which it cannot return do not count. */
#include "gcc-plugin/count/changes.h"

#include "api/mpi_calls.h"
#include "slicer/model/effects.h"

#include <map>
#include <set>

namespace {

/* What a function may change: variables, with the alias sets of what is stored there, and the alias sets of what is
 * stored behind pointers. */
struct changes {
    bool anything = false;
    std::set<std::pair<tree, alias_set_type>> variables;
    std::set<alias_set_type> behind_pointers;
};

std::map<cgraph_node *, changes> all;
const struct cs_effects *effects;

/* A store to the place, whose alias set is `set`. */
void stores(changes *c, tree place, alias_set_type set)
{
    tree base = get_base_address(place);
    if (base && TREE_CODE(base) == MEM_REF && TREE_CODE(TREE_OPERAND(base, 0)) == ADDR_EXPR)
        base = get_base_address(TREE_OPERAND(TREE_OPERAND(base, 0), 0));
    if (!base || !DECL_P(base))
        c->behind_pointers.insert(set);
    else if (is_global_var(base))
        c->variables.insert(std::make_pair(base, set));
    else if (!auto_var_in_fn_p(base, cfun->decl)) /* of the function around a nested one; what a reference stands for */
        c->behind_pointers.insert(set);
}

/* What is stored through the pointer may have any type. */
void stores_through(changes *c, tree pointer)
{
    if (TREE_CODE(pointer) == ADDR_EXPR)
        stores(c, TREE_OPERAND(pointer, 0), 0);
    else
        c->behind_pointers.insert(0);
}

/* A function of a library that changes what some of its arguments point to, or no variable at all. */
bool library_call(changes *c, gcall *call, const struct cs_effect *row)
{
    if (row->refuse || row->catches || row->throws || row->noret == CS_NORET_JUMP || row->var || row->whole)
        return false;
    for (int i = 0; i < row->nops; i++) {
        const struct cs_effect_op *o = &row->ops[i];
        switch (o->kind) {
        case CS_EFFECT_READ:
        case CS_EFFECT_READ_DEEP:
        case CS_EFFECT_HIDDEN:
        case CS_EFFECT_FSMODE:
        case CS_EFFECT_FSFLUSH:
        case CS_EFFECT_FSOLD:
        case CS_EFFECT_FSGIVEN:
        case CS_EFFECT_FSBITS:
        case CS_EFFECT_FSREAD:
        case CS_EFFECT_FSWRITE:
        case CS_EFFECT_NAME:
        case CS_EFFECT_UNIT:
        case CS_EFFECT_FORMAT:
        case CS_EFFECT_FREE: break;
        case CS_EFFECT_WRITE:
        case CS_EFFECT_COPY:
            if (o->behind || o->rest || o->arg < 0 || o->arg >= (int)gimple_call_num_args(call))
                return false;
            stores_through(c, gimple_call_arg(call, o->arg));
            break;
        default: return false;
        }
    }
    return true;
}

/* A call of a function that has no body here. */
bool foreign_call(changes *c, gcall *call, tree decl)
{
    enum cs_binding b;
    const char *name = IDENTIFIER_POINTER(DECL_ASSEMBLER_NAME(decl));
    const struct cs_mpi_call *mpi = cs_mpi_by_symbol(name, &b);
    if (mpi)
        return mpi->kind == CS_MPI_LOCAL && gimple_call_num_args(call) == 0; /* MPI_Wtime */
    const struct cs_effect *row = cs_effects_find(effects, name);
    return row && library_call(c, call, row);
}

void merge(changes *into, const changes *from)
{
    into->anything |= from->anything;
    into->variables.insert(from->variables.begin(), from->variables.end());
    into->behind_pointers.insert(from->behind_pointers.begin(), from->behind_pointers.end());
}

/* The function of the program that is called; NULL: a library's, or any. */
cgraph_node *called(gcall *call)
{
    tree decl = gimple_call_internal_p(call) ? NULL_TREE : gimple_call_fndecl(call);
    cgraph_node *n = decl ? cgraph_node::get(decl) : NULL;
    n = n ? n->ultimate_alias_target() : NULL;
    return n && all.count(n) ? n : NULL;
}

void of_call(changes *c, gcall *call)
{
    tree lhs = gimple_call_lhs(call);
    if (lhs && TREE_CODE(lhs) != SSA_NAME)
        stores(c, lhs, get_alias_set(lhs));
    if (!gimple_vdef(call))
        return;
    tree decl = gimple_call_internal_p(call) ? NULL_TREE : gimple_call_fndecl(call);
    if (cgraph_node *n = called(call)) {
        const changes of = all[n];
        merge(c, &of);
    } else if (!decl || !foreign_call(c, call, decl))
        c->anything = true;
}

void of_statement(changes *c, gimple *g)
{
    if (gcall *call = dyn_cast<gcall *>(g))
        of_call(c, call);
    else if (gimple_vdef(g) && gimple_store_p(g))
        stores(c, gimple_get_lhs(g), get_alias_set(gimple_get_lhs(g)));
    else if (gimple_vdef(g) && !gimple_clobber_p(g))
        c->anything = true;
}

/* The blocks from which the function can return, by index. Where exceptions or jumps may go from one function to
 * another, all of them. */
void returning(auto_sbitmap &blocks, bool jumps)
{
    auto_vec<basic_block> work;
    if (jumps || flag_exceptions) {
        bitmap_ones(blocks);
        return;
    }
    bitmap_clear(blocks);
    work.safe_push(EXIT_BLOCK_PTR_FOR_FN(cfun));
    while (work.length()) {
        edge e;
        edge_iterator i;
        FOR_EACH_EDGE (e, i, work.pop()->preds)
            if (bitmap_set_bit(blocks, e->src->index))
                work.safe_push(e->src);
    }
}

changes of_function(bool jumps)
{
    changes c;
    basic_block bb;
    auto_sbitmap blocks(last_basic_block_for_fn(cfun));
    returning(blocks, jumps);
    FOR_EACH_BB_FN (bb, cfun)
        for (gimple_stmt_iterator i = gsi_start_bb(bb); bitmap_bit_p(blocks, bb->index) && !gsi_end_p(i); gsi_next(&i))
            of_statement(&c, gsi_stmt(i));
    return c;
}

bool same(const changes *a, const changes *b)
{
    return a->anything == b->anything && a->variables.size() == b->variables.size() &&
           a->behind_pointers.size() == b->behind_pointers.size();
}

bool any_jumps()
{
    cgraph_node *node;
    FOR_EACH_FUNCTION_WITH_GIMPLE_BODY (node)
        if (DECL_STRUCT_FUNCTION(node->decl) && DECL_STRUCT_FUNCTION(node->decl)->calls_setjmp)
            return true;
    return false;
}

/* Is the place, or what it is in, one of the variables? */
bool is_in_one_of(const changes *c, tree place, alias_set_type set)
{
    ao_ref at, variable;
    ao_ref_init(&at, place);
    for (std::set<std::pair<tree, alias_set_type>>::const_iterator i = c->variables.begin(); i != c->variables.end();
         ++i) {
        ao_ref_init(&variable, i->first);
        if (alias_sets_conflict_p(i->second, set) && refs_may_alias_p_1(&variable, &at, false))
            return true;
    }
    return false;
}

/* What a parameter points to was there before the function's own variables. */
bool is_store_to_own(gimple *g, tree place)
{
    tree base = get_base_address(place), to = gimple_store_p(g) ? get_base_address(gimple_get_lhs(g)) : NULL_TREE;
    return base && TREE_CODE(base) == MEM_REF && TREE_CODE(TREE_OPERAND(base, 0)) == SSA_NAME &&
           SSA_NAME_IS_DEFAULT_DEF(TREE_OPERAND(base, 0)) && to && DECL_P(to) && auto_var_in_fn_p(to, cfun->decl);
}

/* Is it a variable that exists once and that no pointer ever points to: the program takes its address nowhere, and no
 * other object or library knows it? GCC, which compiles one file at a time, cannot know that. */
bool is_never_pointed_to(tree place)
{
    tree base = get_base_address(place);
    if (!base || !VAR_P(base) || !is_global_var(base) || DECL_EXTERNAL(base))
        return false;
    varpool_node *node = varpool_node::get(base);
    ipa_ref *ref;
    if (!node || node->alias || node->has_aliases_p() || resolution_used_from_other_file_p(node->resolution))
        return false;
    for (unsigned i = 0; node->iterate_referring(i, ref); i++)
        if (ref->use == IPA_REF_ADDR)
            return false;
    return true;
}

/* Is what is stored there behind a pointer? */
bool is_behind_pointer(tree place)
{
    tree base = get_base_address(place);
    return base && TREE_CODE(base) == MEM_REF && TREE_CODE(TREE_OPERAND(base, 0)) == SSA_NAME;
}

} // namespace

void cs_changes_find(const struct cs_effects *fx)
{
    cgraph_node *node;
    bool jumps, again = true;
    effects = fx;
    FOR_EACH_FUNCTION_WITH_GIMPLE_BODY (node) {
        if (node->alias || node->thunk || node->inlined_to)
            continue;
        node->get_untransformed_body();
        if (gimple_has_body_p(node->decl) && DECL_STRUCT_FUNCTION(node->decl)->cfg)
            all[node];
    }
    jumps = any_jumps();
    while (again) {
        again = false;
        for (std::map<cgraph_node *, changes>::iterator i = all.begin(); i != all.end(); ++i) {
            push_cfun(DECL_STRUCT_FUNCTION(i->first->decl));
            current_function_decl = i->first->decl;
            changes now = of_function(jumps);
            again |= !same(&now, &i->second);
            i->second = now;
            pop_cfun();
        }
    }
}

bool cs_may_change(gimple *g, tree place)
{
    ao_ref r;
    ao_ref_init(&r, place);
    if (!stmt_may_clobber_ref_p_1(g, &r))
        return false;
    gcall *call = dyn_cast<gcall *>(g);
    if (!call && is_store_to_own(g, place))
        return false;
    bool pointed_to = !is_never_pointed_to(place);
    if (!call && !pointed_to && gimple_store_p(g) && is_behind_pointer(gimple_get_lhs(g)))
        return false;
    if (!call || (gimple_call_lhs(call) && TREE_CODE(gimple_call_lhs(call)) != SSA_NAME))
        return true;
    changes library;
    const changes *c = &library;
    if (cgraph_node *n = called(call))
        c = &all[n];
    else
        of_call(&library, call);
    if (c->anything)
        return true;
    alias_set_type set = get_alias_set(place);
    for (std::set<alias_set_type>::const_iterator i = c->behind_pointers.begin();
         pointed_to && i != c->behind_pointers.end(); ++i)
        if (alias_sets_conflict_p(*i, set))
            return true;
    return is_in_one_of(c, place, set);
}
