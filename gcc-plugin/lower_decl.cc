/* SPDX-License-Identifier: GPL-3.0-or-later
 * Declarations of GIMPLE -> objects and functions of the program graph, with what they hold at the start.
 * An alias is its target; a name that is resolved when the program starts is nobody's. */
#include "lower_parts.h"

namespace cs_low {

int64_t size_of(tree type)
{
    tree s = TYPE_SIZE_UNIT(type);
    return s && tree_fits_shwi_p(s) ? tree_to_shwi(s) : CS_SIZE_UNKNOWN;
}

bool constant_of(tree t, int64_t *val)
{
    if (TREE_CODE(t) != INTEGER_CST) return false;
    if (TREE_CODE(TREE_TYPE(t)) == BOOLEAN_TYPE) {
        *val = !integer_zerop(t);
        return true;
    }
    wide_int w = wi::to_wide(t);
    if (w.get_precision() > 64) return false;
    *val = w.to_shwi();
    return true;
}

const char *asm_name(tree decl)
{
    if (HAS_DECL_ASSEMBLER_NAME_P(decl) && (VAR_OR_FUNCTION_DECL_P(decl)) && (TREE_STATIC(decl) || DECL_EXTERNAL(decl) || TREE_CODE(decl) == FUNCTION_DECL)) {
        const char *n = IDENTIFIER_POINTER(DECL_ASSEMBLER_NAME(decl));
        return *n == '*' ? n + 1 : n;
    }
    return DECL_NAME(decl) ? IDENTIFIER_POINTER(DECL_NAME(decl)) : "tmp";
}

/* The function that picks the one behind this name when the program starts, or null. */
tree resolver_of(tree decl)
{
    cgraph_node *n = cgraph_node::get(decl);
    while (n && n->alias && !n->ifunc_resolver) n = n->get_alias_target();
    return n && n->alias && n->ifunc_resolver ? n->ultimate_alias_target()->decl : NULL_TREE;
}

/* A name that is resolved at the start is nobody's alias: its calls go through what the resolver returns, its address is opaque. */
static tree real_function(tree decl)
{
    cgraph_node *n = cgraph_node::get(decl);
    if (n && resolver_of(decl)) return decl;
    if (n) n = n->ultimate_alias_target();
    return n ? n->decl : decl;
}

int func_of(tree decl)
{
    decl = real_function(decl);
    auto it = L->funcs.find(decl);
    if (it != L->funcs.end()) return it->second;
    int f = cs_graph_add_func(L->g, asm_name(decl));
    L->funcs[decl] = f;
    return f;
}

int named_func(const char *name)
{
    for (int i = 0; i < L->g->nfuncs; i++)
        if (!strcmp(cs_func_name(L->g, i), name)) return i;
    return cs_graph_add_func(L->g, name);
}

int func_obj(tree decl)
{
    int f = func_of(decl);      /* first: it may move the graph's arrays */
    return L->g->funcs[f].obj;
}

/* Will it be lowered? A thunk will, in its own way. */
bool has_body(tree decl)
{
    cgraph_node *n = cgraph_node::get(real_function(decl));
    return n && (n->has_gimple_body_p() || n->thunk);
}

static void lower_init(int obj, int64_t off, tree init, int depth)
{
    if (!init || depth > 12) return;
    STRIP_NOPS(init);
    cs_obj *o = &L->g->objs[obj];
    if (TREE_CODE(init) == CONSTRUCTOR) {
        unsigned HOST_WIDE_INT i;
        tree index, val;
        int64_t next = 0;
        tree type = TREE_TYPE(init);
        int64_t elt = TREE_CODE(type) == ARRAY_TYPE ? size_of(TREE_TYPE(type)) : 0;
        FOR_EACH_CONSTRUCTOR_ELT(CONSTRUCTOR_ELTS(init), i, index, val) {
            int64_t at = next * elt;
            if (TREE_CODE(type) == ARRAY_TYPE) {
                tree low = TYPE_DOMAIN(type) ? TYPE_MIN_VALUE(TYPE_DOMAIN(type)) : NULL_TREE;
                int64_t base = low && tree_fits_shwi_p(low) ? tree_to_shwi(low) : 0;
                if (index && TREE_CODE(index) == INTEGER_CST) next = tree_to_shwi(index) - base;
                if (index && TREE_CODE(index) == RANGE_EXPR) next = tree_to_shwi(TREE_OPERAND(index, 0)) - base;
                at = next * elt;
                next++;
            } else if (index && TREE_CODE(index) == FIELD_DECL) {
                at = int_byte_position(index);
            }
            if (L->g->objs[obj].ninits > 4096) return;
            lower_init(obj, off + at, val, depth + 1);
        }
        return;
    }
    int64_t size = size_of(TREE_TYPE(init));
    if (TREE_CODE(init) == STRING_CST) {
        cs_obj_add_init(o, off, TREE_STRING_LENGTH(init), cs_opnd_none());
        return;
    }
    cs_operand v = lower_constant_operand(init);
    cs_obj_add_init(&L->g->objs[obj], off, size, v);
}

static bool is_fortran_variable(tree decl)
{
    while (decl && TREE_CODE(decl) != TRANSLATION_UNIT_DECL) decl = DECL_P(decl) ? DECL_CONTEXT(decl) : NULL_TREE;
    const char *lang = decl ? TRANSLATION_UNIT_LANGUAGE(decl) : NULL;
    return lang && strstr(lang, "Fortran");
}

/* gfortran's descriptor of an array: data, offset, dtype, span, dim. */
static bool is_descriptor(tree type)
{
    static const char *const fields[] = { "data", "offset", "dtype", "span", "dim" };
    if (TREE_CODE(type) != RECORD_TYPE) return false;
    tree f = TYPE_FIELDS(type);
    for (unsigned i = 0; i < ARRAY_SIZE(fields); i++, f = DECL_CHAIN(f))
        if (!f || !DECL_NAME(f) || strcmp(IDENTIFIER_POINTER(DECL_NAME(f)), fields[i])) return false;
    return !f;
}

/* What a program may ask of an array that is not allocated, or of a pointer that points nowhere, is whether it is: `data`. Its bounds are
 * undefined until then, not zero. */
static bool starts_undefined(tree decl)
{
    return is_descriptor(TREE_TYPE(decl)) && is_fortran_variable(decl);
}

static bool is_global(tree decl)
{
    return TREE_CODE(decl) == VAR_DECL && (TREE_STATIC(decl) || DECL_EXTERNAL(decl));
}

static int global_obj(tree decl)
{
    int id = cs_graph_add_obj(L->g, CS_OBJ_GLOBAL, asm_name(decl), size_of(TREE_TYPE(decl)));
    L->objs[decl] = id;
    cs_obj *o = &L->g->objs[id];
    varpool_node *n = varpool_node::get(decl);
    if (n) n = n->ultimate_alias_target();
    o->external = DECL_EXTERNAL(decl) && !(n && n->definition);
    o->readonly = TREE_READONLY(decl);
    o->common = DECL_COMMON(decl);
    o->exported = !o->external && (TREE_PUBLIC(decl) || symtab->first_asm_symbol());      /* assembly at top level may use any name */
    if (o->external) return id;
    tree init = n ? ctor_for_folding(decl) : DECL_INITIAL(decl);
    if (init == error_mark_node) init = n ? (n->get_constructor(), DECL_INITIAL(decl)) : DECL_INITIAL(decl);
    bool whole = init && init != error_mark_node && TREE_CODE(init) != CONSTRUCTOR;
    bool data_alone = init && init != error_mark_node && TREE_CODE(init) == CONSTRUCTOR && CONSTRUCTOR_NELTS(init) == 1;
    o->zeroed = !whole && !(data_alone && starts_undefined(decl));
    if (init && init != error_mark_node) lower_init(id, 0, init, 0);
    return id;
}

/* What the slicer sees of a string: whether printf or scanf would write through a pointer because of it. Wide strings have zeros between. */
static const char *string_name(tree str)
{
    const char *p = TREE_STRING_POINTER(str), *end = p + TREE_STRING_LENGTH(str);
    while (p < end) {
        if (*p++ != '%') continue;
        while (p < end && (!*p || strchr("0123456789$.*'+-# hlLjztqIw", *p))) p++;
        if (p < end && (*p == 'n' || *p == 'm')) return "string with %n or %m";
        p++;
    }
    return "string";
}

/* The object of a declaration or constant in memory. */
int obj_of(tree decl)
{
    if (TREE_CODE(decl) == FUNCTION_DECL) return func_obj(decl);
    if (TREE_CODE(decl) == VAR_DECL && is_global(decl)) {
        varpool_node *n = varpool_node::get(decl);
        if (n) decl = n->ultimate_alias_target()->decl;
    }
    auto it = L->objs.find(decl);
    if (it != L->objs.end()) return it->second;
    if (is_global(decl)) return global_obj(decl);
    int id;
    if (TREE_CODE(decl) == STRING_CST || CONSTANT_CLASS_P(decl)) {
        id = cs_graph_add_obj(L->g, CS_OBJ_GLOBAL, TREE_CODE(decl) == STRING_CST ? string_name(decl) : "constant", size_of(TREE_TYPE(decl)));
        L->g->objs[id].readonly = true;
        L->objs[decl] = id;
        lower_init(id, 0, decl, 0);
    } else if (TREE_CODE(decl) == CONST_DECL) {
        id = cs_graph_add_obj(L->g, CS_OBJ_GLOBAL, "constant", size_of(TREE_TYPE(decl)));
        L->g->objs[id].readonly = true;
        L->objs[decl] = id;
        lower_init(id, 0, DECL_INITIAL(decl), 0);
    } else {
        id = cs_graph_add_obj(L->g, CS_OBJ_LOCAL, asm_name(decl), size_of(TREE_TYPE(decl)));
        L->objs[decl] = id;
        L->g->objs[id].func = L->func;
    }
    return id;
}

}
