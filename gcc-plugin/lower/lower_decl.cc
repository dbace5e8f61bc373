/* SPDX-License-Identifier: GPL-3.0-or-later
 * Declarations of GIMPLE -> objects and functions of the program graph, with what they hold at the start.
 * An alias becomes its target. A function that a resolver picks when the program starts (ifunc) has no fixed target. */
#include "gcc-plugin/folds/folds.h"
#include "gcc-plugin/lower/lower_internal.h"
#include "gcc-plugin/lower/wrappers.h"

#include <set>
#include <utility>

namespace cs_low {

int64_t size_of(tree type)
{
    tree s = TYPE_SIZE_UNIT(type);
    return s && tree_fits_shwi_p(s) ? tree_to_shwi(s) : CS_SIZE_UNKNOWN;
}

bool constant_of(tree t, int64_t *val)
{
    if (TREE_CODE(t) != INTEGER_CST)
        return false;
    if (TREE_CODE(TREE_TYPE(t)) == BOOLEAN_TYPE) {
        *val = !integer_zerop(t);
        return true;
    }
    wide_int w = wi::to_wide(t);
    if (w.get_precision() > 64)
        return false;
    *val = w.to_shwi();
    return true;
}

const char *asm_name(tree decl)
{
    if (TREE_CODE(decl) == FUNCTION_DECL && lookup_attribute("weakref", DECL_ATTRIBUTES(decl)))
        if (tree of = lookup_attribute("alias", DECL_ATTRIBUTES(decl)))
            return TREE_STRING_POINTER(TREE_VALUE(TREE_VALUE(of)));
    if (HAS_DECL_ASSEMBLER_NAME_P(decl) && (VAR_OR_FUNCTION_DECL_P(decl)) &&
        (TREE_STATIC(decl) || DECL_EXTERNAL(decl) || TREE_CODE(decl) == FUNCTION_DECL)) {
        const char *n = IDENTIFIER_POINTER(DECL_ASSEMBLER_NAME(decl));
        return *n == '*' ? n + 1 : n;
    }
    return DECL_NAME(decl) ? IDENTIFIER_POINTER(DECL_NAME(decl)) : "unnamed.0";
}

/* The resolver that picks the function behind this name when the program starts (ifunc), or null. */
tree resolver_of(tree decl)
{
    cgraph_node *n = cgraph_node::get(decl);
    while (n && n->alias && n->analyzed && !n->ifunc_resolver) /* not so: it refers to what no source defines */
        n = n->get_alias_target();
    return n && n->alias && n->analyzed && n->ifunc_resolver ? n->ultimate_alias_target()->decl : NULL_TREE;
}

/* The target of an alias. A name with a resolver stays: calls go through what the resolver returns. */
static tree real_function(tree decl)
{
    cgraph_node *n = cgraph_node::get(decl);
    if (n && resolver_of(decl))
        return decl;
    if (n)
        n = n->ultimate_alias_target();
    return n ? n->decl : decl;
}

/* The row of a function that throws because a size is too large: an error, unless a handler of the program names that
 * exception. */
static std::string row_name(tree decl)
{
    static const char *const sizes[][2] = {{"_ZSt20__throw_length_errorPKc", "_ZTISt12length_error"},
                                           {"_ZSt28__throw_bad_array_new_lengthv", "_ZTISt20bad_array_new_length"},
                                           {"__cxa_throw_bad_array_new_length", "_ZTISt20bad_array_new_length"}};
    const char *name = asm_name(decl);
    for (auto &s : sizes)
        if (!strcmp(name, s[0]) && symtab_node::get_for_asmname(get_identifier(s[1])))
            return std::string(name) + "@caught";
    return cs_source_name(name);
}

int func_of(tree decl)
{
    decl = real_function(decl);
    auto it = L->funcs.find(decl);
    if (it != L->funcs.end())
        return it->second;
    int f = cs_graph_add_func(L->g, row_name(decl).c_str());
    L->funcs[decl] = f;
    L->g->funcs[f].computed = fndecl_built_in_p(decl, BUILT_IN_NORMAL) && cs_is_computed(decl);
    return f;
}

int named_func(const char *name)
{
    for (int i = 0; i < L->g->nfuncs; i++)
        if (!strcmp(cs_func_name(L->g, i), name))
            return i;
    return cs_graph_add_func(L->g, name);
}

int func_obj(tree decl)
{
    int f = func_of(decl); /* first: it may move the graph's arrays */
    return L->g->funcs[f].obj;
}

/* Will the function be lowered, from its body or as a thunk? */
bool has_body(tree decl)
{
    cgraph_node *n = cgraph_node::get(real_function(decl));
    return n && (n->has_gimple_body_p() || n->thunk);
}

/* Notes the casts in an element of an initialiser. In tables of virtual functions all are. */
static void note_element(int obj, tree of, tree index, tree val)
{
    bool table = startswith(cs_obj_name(L->g, obj), "_ZTV") || startswith(cs_obj_name(L->g, obj), "_ZTC");
    bool field = index && TREE_CODE(index) == FIELD_DECL;
    if (!table && (field || TREE_CODE(of) == ARRAY_TYPE))
        note_flow(val, TREE_TYPE(field ? index : of));
}

/* Adds the values of an initialiser, each once, as ones that may lie anywhere in the object. */
struct Anywhere {
    std::set<std::pair<int, int64_t>> seen;
    void add(int obj, tree init);
};

void Anywhere::add(int obj, tree init)
{
    unsigned HOST_WIDE_INT i;
    tree index, val;
    if (!init)
        return;
    STRIP_NOPS(init);
    if (TREE_CODE(init) == CONSTRUCTOR) {
        FOR_EACH_CONSTRUCTOR_ELT(CONSTRUCTOR_ELTS(init), i, index, val)
        {
            note_element(obj, TREE_TYPE(init), index, val);
            add(obj, val);
        }
        return;
    }
    cs_operand v = lower_constant_operand(init);
    if (v.kind == CS_OPND_CONST && v.pat.off)
        v = cs_opnd_none();
    if (v.kind == CS_OPND_ADDR && L->g->objs[v.id].kind != CS_OBJ_FUNC)
        v.pat = cs_pat_spread(v.pat, 1);
    if (seen.insert(std::make_pair(v.kind == CS_OPND_ADDR ? v.id : -1 - (int)v.kind, v.pat.off)).second)
        cs_obj_add_init(&L->g->objs[obj], 0, CS_SIZE_UNKNOWN, v);
}

const int MANY_INITS = 4096;

static void lower_init(int obj, int64_t off, tree init, Anywhere *rest);

/* Byte offset of an array's element. `next`: its number if it has no index; set to the number after it. */
static int64_t element_offset(tree type, tree index, int64_t *next)
{
    tree low = TYPE_DOMAIN(type) ? TYPE_MIN_VALUE(TYPE_DOMAIN(type)) : NULL_TREE;
    int64_t base = low && tree_fits_shwi_p(low) ? tree_to_shwi(low) : 0;
    if (index && TREE_CODE(index) == INTEGER_CST)
        *next = tree_to_shwi(index) - base;
    return size_of(TREE_TYPE(type)) * (*next)++;
}

static void lower_init_members(int obj, int64_t off, tree init, Anywhere *rest)
{
    unsigned HOST_WIDE_INT i;
    tree index, val, type = TREE_TYPE(init);
    int64_t next = 0;
    FOR_EACH_CONSTRUCTOR_ELT(CONSTRUCTOR_ELTS(init), i, index, val)
    {
        note_element(obj, type, index, val);
        bool array = TREE_CODE(type) == ARRAY_TYPE,
             field = index && TREE_CODE(index) == FIELD_DECL && !DECL_BIT_FIELD(index);
        bool place = array ? size_of(TREE_TYPE(type)) > 0 && !(index && TREE_CODE(index) == RANGE_EXPR) : field;
        if (!place || L->g->objs[obj].ninits > MANY_INITS)
            rest->add(obj, val);
        else
            lower_init(obj, off + (array ? element_offset(type, index, &next) : int_byte_position(index)), val, rest);
    }
}

static void lower_init(int obj, int64_t off, tree init, Anywhere *rest)
{
    if (!init)
        return;
    STRIP_NOPS(init);
    if (TREE_CODE(init) == CONSTRUCTOR) {
        lower_init_members(obj, off, init, rest);
        return;
    }
    if (TREE_CODE(init) == STRING_CST) {
        cs_obj_add_init(&L->g->objs[obj], off, TREE_STRING_LENGTH(init), cs_opnd_none());
        return;
    }
    int64_t size = size_of(TREE_TYPE(init));
    cs_operand v = lower_constant_operand(init);
    cs_obj_add_init(&L->g->objs[obj], off, size, v);
}

/* What the variable holds at the start. */
static void lower_initialiser(int obj, tree type, tree init)
{
    Anywhere rest;
    note_flow(init, type);
    lower_init(obj, 0, init, &rest);
}

bool is_fortran(tree decl)
{
    while (decl && TREE_CODE(decl) != TRANSLATION_UNIT_DECL)
        decl = DECL_P(decl) ? DECL_CONTEXT(decl) : NULL_TREE;
    const char *lang = decl ? TRANSLATION_UNIT_LANGUAGE(decl) : NULL;
    return lang && strstr(lang, "Fortran");
}

/* gfortran's descriptor of an array: data, offset, dtype, span, dim. */
static bool is_descriptor(tree type)
{
    static const char *const fields[] = {"data", "offset", "dtype", "span", "dim"};
    if (TREE_CODE(type) != RECORD_TYPE)
        return false;
    tree f = TYPE_FIELDS(type);
    for (unsigned i = 0; i < ARRAY_SIZE(fields); i++, f = DECL_CHAIN(f))
        if (!f || !DECL_NAME(f) || strcmp(IDENTIFIER_POINTER(DECL_NAME(f)), fields[i]))
            return false;
    return !f;
}

/* Is it a Fortran array or pointer whose bounds are undefined at the start, not zero? Of one that is not allocated, a
 * program may only ask whether it is: field `data`. */
static bool starts_undefined(tree decl)
{
    return is_descriptor(TREE_TYPE(decl)) && is_fortran(decl);
}

static bool is_global(tree decl)
{
    return TREE_CODE(decl) == VAR_DECL && (TREE_STATIC(decl) || DECL_EXTERNAL(decl));
}

/* Can code outside of the graph refer to this by name? Top-level assembly may use any name, other assembly only what is
 * marked as used. */
bool known_by_name(tree decl)
{
    symtab_node *n = symtab_node::get(decl);
    ipa_ref *alias;
    if (TREE_PUBLIC(decl) || DECL_PRESERVE_P(decl) || symtab->first_asm_symbol())
        return true;
    for (unsigned i = 0; n && n->iterate_direct_aliases(i, alias); i++)
        if (known_by_name(alias->referring->decl))
            return true;
    return false;
}

/* ---- sections that the linker gives a beginning and an end ---- */

static const char *const bounds[] = {"__start_", "__stop_"};

/* The section that this variable is in, or is a bound of, if the program asks for its bounds. */
static const char *bounded_section(tree decl)
{
    const char *name = asm_name(decl);
    symtab_node *n = symtab_node::get(decl);
    for (unsigned i = 0; i < ARRAY_SIZE(bounds); i++)
        if (!strncmp(name, bounds[i], strlen(bounds[i])) && !(n && n->definition))
            return name + strlen(bounds[i]);
    const char *section = n ? n->get_section() : NULL;
    return section && L->bounded.count(section) ? section : NULL;
}

void find_bounded_sections()
{
    varpool_node *v;
    FOR_EACH_VARIABLE (v) {
        if (v->definition)
            continue;
        if (const char *section = bounded_section(v->decl))
            L->bounded[section] = -1;
    }
}

/* What the variable brings into the object of its section. */
static void add_to_section(int obj, varpool_node *n)
{
    L->objs[n->decl] = obj;
    if (!n->definition)
        return;
    n->get_constructor();
    Anywhere all;
    all.add(obj, DECL_INITIAL(n->decl));
}

/* One object for all variables of such a section, as a pointer may run from one to the next: also for those that no
 * code names. Where each lies is not known. */
static int section_obj(const char *section)
{
    int *id = &L->bounded[section];
    if (*id >= 0)
        return *id;
    int obj = *id = cs_graph_add_obj(L->g, CS_OBJ_GLOBAL, section, CS_SIZE_UNKNOWN);
    L->g->objs[obj].exported = L->g->objs[obj].zeroed = true;
    varpool_node *v;
    FOR_EACH_VARIABLE (v) {
        const char *its = v->alias ? NULL : bounded_section(v->decl);
        if (its && !strcmp(its, section))
            add_to_section(obj, v);
    }
    return obj;
}

cs_pattern place_in_object(int obj)
{
    for (const auto &s : L->bounded)
        if (s.second == obj)
            return cs_pat_any();
    return cs_pat_at(0);
}

/* With an initialiser, an array at the end of a struct makes a variable larger than its type. */
static int64_t size_of_decl(tree decl)
{
    tree s = DECL_SIZE_UNIT(decl);
    int64_t n = size_of(TREE_TYPE(decl));
    return n >= 0 && s && tree_fits_shwi_p(s) ? MAX(n, tree_to_shwi(s)) : n;
}

/* Is it the name of a type, as type_info::before compares it? By its text, but for types of which several sources may
 * have their own: their names begin with a star. */
static bool is_type_name(const char *symbol, tree init)
{
    return startswith(symbol, "_ZTS") && init && TREE_CODE(init) == STRING_CST && *TREE_STRING_POINTER(init) != '*';
}

static int global_obj(tree decl)
{
    int id = cs_graph_add_obj(L->g, CS_OBJ_GLOBAL, asm_name(decl), size_of_decl(decl));
    L->objs[decl] = id;
    cs_obj *o = &L->g->objs[id];
    varpool_node *n = varpool_node::get(decl);
    if (n)
        n = n->ultimate_alias_target();
    o->external = DECL_EXTERNAL(decl) && !(n && n->definition);
    o->readonly = TREE_READONLY(decl);
    o->common = DECL_COMMON(decl);
    o->exported = !o->external && known_by_name(decl);
    if (o->external)
        return id;
    tree init = n ? ctor_for_folding(decl) : DECL_INITIAL(decl);
    if (init == error_mark_node)
        init = n ? (n->get_constructor(), DECL_INITIAL(decl)) : DECL_INITIAL(decl);
    bool whole = init && init != error_mark_node && TREE_CODE(init) != CONSTRUCTOR;
    bool data_alone = init && init != error_mark_node && TREE_CODE(init) == CONSTRUCTOR && CONSTRUCTOR_NELTS(init) == 1;
    o->zeroed = !whole && !(data_alone && starts_undefined(decl));
    o->unordered = init != error_mark_node && is_type_name(asm_name(decl), init);
    if (init && init != error_mark_node)
        lower_initialiser(id, TREE_TYPE(decl), init);
    return id;
}

/* Does all of the string, up to a zero at its end, stand in a graph's text as it is? */
static bool is_plain_text(const char *p, size_t n)
{
    enum { LONGEST = 200 };
    for (size_t i = 0; i < n; i++)
        if (p[i] < ' ' || p[i] > '~' || p[i] == '\'' || p[i] == '\\')
            return false;
    return n <= LONGEST;
}

/* The object name by which the slicer knows a string: a format with which printf or scanf writes or allocates (%n,
 * %m), or its text. Wide strings have zeros between their characters. */
static std::string string_name(tree str)
{
    const char *first = TREE_STRING_POINTER(str), *p = first, *end = p + TREE_STRING_LENGTH(str);
    while (p < end) {
        if (*p++ != '%')
            continue;
        while (p < end && (!*p || strchr("0123456789$.*'+-# hlLjztqIw", *p)))
            p++;
        if (p < end && (*p == 'n' || *p == 'm'))
            return "format with %n or %m";
        p++;
    }
    size_t n = end - first;
    if (n && !end[-1])
        n--;
    return is_plain_text(first, n) ? CS_STRING " " + std::string(first, n) : CS_STRING;
}

/* The object of a declaration or constant in memory. */
int obj_of(tree decl)
{
    if (TREE_CODE(decl) == FUNCTION_DECL)
        return func_obj(decl);
    if (TREE_CODE(decl) == VAR_DECL && is_global(decl)) {
        varpool_node *n = varpool_node::get(decl);
        if (n)
            decl = n->ultimate_alias_target()->decl;
    }
    auto it = L->objs.find(decl);
    if (it != L->objs.end())
        return it->second;
    const char *section = is_global(decl) ? bounded_section(decl) : NULL;
    if (section)
        return section_obj(section);
    if (is_global(decl))
        return global_obj(decl);
    int id;
    if (TREE_CODE(decl) == STRING_CST || CONSTANT_CLASS_P(decl)) {
        id = cs_graph_add_obj(L->g, CS_OBJ_GLOBAL,
                              TREE_CODE(decl) == STRING_CST ? string_name(decl).c_str() : "constant",
                              size_of(TREE_TYPE(decl)));
        L->g->objs[id].readonly = true;
        L->objs[decl] = id;
        lower_initialiser(id, TREE_TYPE(decl), decl);
    } else if (TREE_CODE(decl) == CONST_DECL) {
        id = cs_graph_add_obj(L->g, CS_OBJ_GLOBAL, "constant", size_of(TREE_TYPE(decl)));
        L->g->objs[id].readonly = true;
        L->objs[decl] = id;
        lower_initialiser(id, TREE_TYPE(decl), DECL_INITIAL(decl));
    } else {
        id = cs_graph_add_obj(L->g, CS_OBJ_LOCAL, asm_name(decl), size_of(TREE_TYPE(decl)));
        L->objs[decl] = id;
        L->g->objs[id].func = L->func;
    }
    return id;
}

} // namespace cs_low
