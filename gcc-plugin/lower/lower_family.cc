/* SPDX-License-Identifier: GPL-3.0-or-later
 * Which functions a call through a pointer may reach by its type. A virtual call: those that stand in the called slot
 * of the table of the class or of one derived from it. GCC's type inheritance graph tells (ipa-devirt.c). A call
 * through a pointer to a member: all methods, as these pointers are cast in memory, where nobody sees it. Another call
 * in C++: functions whose arguments have the same form. Both: what has been cast, too (lower_casts.cc). From a class of
 * a library others may derive that the program does not see: what these have has no body here. */
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
    int family = ++L->nfamilies;
    vec<cgraph_node *> targets = possible_polymorphic_call_targets(type, slot, any, &complete);
    for (cgraph_node *n : targets) {
        add_member(n->decl, family);
        add_member(n->function_symbol()->decl, family);
    }
    return family;
}

static int family_of_virtual(tree fn)
{
    tree type = TYPE_MAIN_VARIANT(obj_type_ref_class(fn)), name = TYPE_NAME(type);
    if (!name || TREE_CODE(name) != TYPE_DECL)
        return -1;
    std::pair<tree, int64_t> slot(type, tree_to_uhwi(OBJ_TYPE_REF_TOKEN(fn)));
    auto it = L->families.find(slot);
    if (it == L->families.end())
        it = L->families.emplace(slot, new_family(slot.first, slot.second)).first;
    return it->second;
}

/* ---- forms ---- */

/* The form of an argument: what must be the same where a type is declared twice. Of classes nothing: they may be
 * incomplete. */
static std::string form_of_argument(tree type)
{
    if (POINTER_TYPE_P(type))
        return "p";
    if (INTEGRAL_TYPE_P(type) || SCALAR_FLOAT_TYPE_P(type))
        return (INTEGRAL_TYPE_P(type) ? "i" : "f") + std::to_string(tree_to_uhwi(TYPE_SIZE(type)));
    return VOID_TYPE_P(type) ? "v" : "-";
}

std::string form_of(tree type)
{
    bool method = TREE_CODE(type) == METHOD_TYPE;
    tree arg = TYPE_ARG_TYPES(type);
    std::string form = method ? "method" : arg ? "function" : "any";
    for (; arg && !method; arg = TREE_CHAIN(arg))
        form += "," + form_of_argument(TREE_VALUE(arg));
    return form;
}

/* All functions of the form, and those of which it is not known, get this number. */
static int new_form(const std::string &form, int number)
{
    cgraph_node *n;
    FOR_EACH_DEFINED_FUNCTION(n)
    {
        std::string of = form_of(TREE_TYPE(n->decl));
        if (of == form || of == "any")
            add_member(n->decl, number);
    }
    return number;
}

static bool is_cplusplus(tree decl)
{
    while (decl && TREE_CODE(decl) != TRANSLATION_UNIT_DECL)
        decl = DECL_P(decl) ? DECL_CONTEXT(decl) : TYPE_P(decl) ? TYPE_CONTEXT(decl) : NULL_TREE;
    const char *lang = decl ? TRANSLATION_UNIT_LANGUAGE(decl) : NULL;
    return lang && strstr(lang, "C++");
}

/* Of a call that names no class. */
static int family_of_form(tree type)
{
    std::string form = form_of(type);
    bool method = TREE_CODE(type) == METHOD_TYPE;
    if (!method && (form == "any" || !is_cplusplus(cfun->decl)))
        return CS_NO_METHOD;
    auto it = L->forms.find(form);
    if (it == L->forms.end())
        it = L->forms.emplace(form, new_form(form, method ? ++L->nfamilies : CS_FORM(L->nforms++))).first;
    return it->second;
}

int family_of(gimple *call)
{
    tree fn = gimple_call_fn(call), type = gimple_call_fntype(call);
    if (fn && TREE_CODE(fn) == OBJ_TYPE_REF && virtual_method_call_p(fn))
        return family_of_virtual(fn);
    if (!fn || TREE_CODE(fn) != SSA_NAME || !type)
        return -1;
    return family_of_form(type);
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
