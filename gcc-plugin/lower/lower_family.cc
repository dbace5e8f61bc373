/* SPDX-License-Identifier: GPL-3.0-or-later
 * Which functions a virtual call may reach by the classes alone: those that stand in the called slot of the table of
 * the class or of one derived from it. GCC's type inheritance graph tells (ipa-devirt.c).
 * A class of a library has none: others may derive from it that the program does not see. */
#include "gcc-plugin/lower/lower_internal.h"

#include "ipa-utils.h"

namespace cs_low {

static void add_member(tree decl, int family)
{
    int f = func_of(decl); /* first: it may move the graph's arrays */
    cs_intset_add(&L->g->funcs[f].families, family);
}

static int new_family(tree type, HOST_WIDE_INT slot)
{
    build_type_inheritance_graph();
    if (!odr_type_p(type))
        return -1;
    bool complete;
    ipa_polymorphic_call_context any; /* an object of this class or a derived one, which may be under construction */
    any.clear_outer_type(type);
    int family = 1 + (int)L->families.size();
    vec<cgraph_node *> targets = possible_polymorphic_call_targets(type, slot, any, &complete);
    for (cgraph_node *n : targets) {
        add_member(n->decl, family);
        add_member(n->function_symbol()->decl, family);
    }
    return family;
}

int family_of(tree fn)
{
    if (TREE_CODE(fn) != OBJ_TYPE_REF || !virtual_method_call_p(fn))
        return -1;
    tree type = TYPE_MAIN_VARIANT(obj_type_ref_class(fn)), name = TYPE_NAME(type);
    if (!name || TREE_CODE(name) != TYPE_DECL || DECL_IN_SYSTEM_HEADER(name))
        return -1;
    std::pair<tree, int64_t> slot(type, tree_to_uhwi(OBJ_TYPE_REF_TOKEN(fn)));
    auto it = L->families.find(slot);
    if (it == L->families.end())
        it = L->families.emplace(slot, new_family(slot.first, slot.second)).first;
    return it->second;
}

/* While an object with virtual bases is made or ends, its parts have tables of their own for that time (_ZTC...). GCC
 * does not count what is called through them, so their functions are in all families. */
void open_construction_tables()
{
    for (int o = 0; o < L->g->nobjs; o++) {
        const cs_obj *obj = &L->g->objs[o];
        for (int i = 0; startswith(cs_obj_name(L->g, o), "_ZTC") && i < obj->ninits; i++)
            if (obj->inits[i].val.kind == CS_OPND_ADDR && L->g->objs[obj->inits[i].val.id].kind == CS_OBJ_FUNC)
                cs_intset_add(&L->g->funcs[L->g->objs[obj->inits[i].val.id].func].families, CS_ALL_FAMILIES);
    }
}

} // namespace cs_low
