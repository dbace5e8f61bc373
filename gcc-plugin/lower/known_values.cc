/* SPDX-License-Identifier: GPL-3.0-or-later
 * Which constants a value may be, where GCC puts functions in line, clones them or follows constants into them: those
 * of its own function and of the calls of that from the same source, as the original is compiled. What is computed from
 * anything else is no constant there, and does not count. */
#include "gcc-plugin/lower/lower_internal.h"

#include "ipa-utils.h"

namespace cs_low {

namespace {

/* So many constants are told apart, so many definitions followed. */
enum { MOST = 64, DEEPEST = 24 };

/* The constants found so far; what is being asked about, outermost first. */
struct Found {
    auto_vec<tree> *constants;
    auto_vec<tree> asked;
};

bool find(Found *f, tree t);

bool add(Found *f, tree constant)
{
    for (tree c : *f->constants)
        if (operand_equal_p(c, constant, OEP_BITWISE))
            return true;
    f->constants->safe_push(constant);
    return f->constants->length() <= MOST;
}

tree source_of(tree decl)
{
    while (decl && TREE_CODE(decl) != TRANSLATION_UNIT_DECL)
        decl = TYPE_P(decl) ? TYPE_CONTEXT(decl) : DECL_P(decl) ? DECL_CONTEXT(decl) : NULL_TREE;
    return decl;
}

/* Does the original's compiler see both? It sees one source at a time, unless the user has asked for more (-flto);
 * what each source has of its own counts as here. */
bool compiled_together(tree a, tree b)
{
    const char *given = getenv("COLLECT_GCC_OPTIONS");
    tree s = source_of(a), t = source_of(b);
    return (given && strstr(given, "'-flto")) || !s || !t || s == t || DECL_COMDAT(a) || DECL_COMDAT(b);
}

/* The number of the parameter, -1: it is none. */
int number_of(tree parameter)
{
    int n = 0;
    for (tree p = DECL_ARGUMENTS(DECL_CONTEXT(parameter)); p; p = DECL_CHAIN(p), n++)
        if (p == parameter)
            return n;
    return -1;
}

/* What the calls of its function give the parameter; false where others may call it, or by other names. */
bool each_argument(Found *f, tree parameter, bool (*ask)(Found *f, tree argument))
{
    tree func = DECL_CONTEXT(parameter);
    cgraph_node *node = cgraph_node::get(func);
    ipa_ref *ref;
    int n = number_of(parameter);
    bool known = node && n >= 0 && !node->address_taken;
    if (known && MAIN_NAME_P(DECL_NAME(func)))
        return true;
    for (unsigned i = 0; known && node->iterate_direct_aliases(i, ref); i++)
        known = false;
    for (cgraph_edge *e = known ? node->callers : NULL; e && known; e = e->next_caller) {
        if (!e->call_stmt || e->caller->thunk || (int)gimple_call_num_args(e->call_stmt) <= n)
            known = false;
        else if (compiled_together(e->caller->decl, func))
            known = ask(f, gimple_call_arg(e->call_stmt, n));
    }
    return known;
}

/* What a constant in memory holds: Fortran passes 3.0 so. False: the argument is the address of anything else. */
bool find_behind(Found *f, tree address)
{
    tree t = TREE_CODE(address) == ADDR_EXPR ? TREE_OPERAND(address, 0) : NULL_TREE;
    bool fixed = t && (TREE_CODE(t) == CONST_DECL || (TREE_CODE(t) == VAR_DECL && TREE_READONLY(t)));
    tree init = !fixed ? NULL_TREE : TREE_CODE(t) == VAR_DECL ? ctor_for_folding(t) : DECL_INITIAL(t);
    return init && CONSTANT_CLASS_P(init) && add(f, init);
}

bool find_loaded(Found *f, tree place)
{
    tree c = fold_const_aggregate_ref(place), p = TREE_CODE(place) == MEM_REF ? TREE_OPERAND(place, 0) : NULL_TREE;
    if (c)
        return CONSTANT_CLASS_P(c) && add(f, c);
    if (!p || TREE_CODE(p) != SSA_NAME || !SSA_NAME_IS_DEFAULT_DEF(p) || !integer_zerop(TREE_OPERAND(place, 1)))
        return false;
    tree var = SSA_NAME_VAR(p);
    return var && TREE_CODE(var) == PARM_DECL && each_argument(f, var, find_behind);
}

bool find_operand(Found *f, tree t, auto_vec<tree> *out)
{
    auto_vec<tree> *was = f->constants;
    f->constants = out;
    bool known = find(f, t);
    f->constants = was;
    return known;
}

/* What the operation gives for each choice of its operands. */
bool find_computed(Found *f, gassign *g)
{
    tree type = TREE_TYPE(gimple_assign_lhs(g));
    tree_code code = gimple_assign_rhs_code(g);
    auto_vec<tree> a, b;
    bool two = gimple_num_ops(g) == 3;
    if (gimple_num_ops(g) > 3 || !find_operand(f, gimple_assign_rhs1(g), &a) ||
        (two && !find_operand(f, gimple_assign_rhs2(g), &b)))
        return false;
    for (tree x : a)
        for (unsigned i = 0; i < (two ? b.length() : 1); i++) {
            tree c = two ? fold_binary(code, type, x, b[i]) : fold_unary(code, type, x);
            if (!c || !CONSTANT_CLASS_P(c) || !add(f, c))
                return false;
        }
    return true;
}

/* A library gives no constants, unless GCC computes what it does. */
bool find_called(gcall *g)
{
    tree decl = gimple_call_fndecl(g);
    return decl && !has_body(decl) && !fndecl_built_in_p(decl);
}

bool find_defined(Found *f, tree name)
{
    gimple *g = SSA_NAME_DEF_STMT(name);
    bool known = true;
    if (SSA_NAME_IS_DEFAULT_DEF(name)) {
        tree var = SSA_NAME_VAR(name);
        return var && TREE_CODE(var) == PARM_DECL && each_argument(f, var, find);
    }
    if (gphi *phi = dyn_cast<gphi *>(g)) {
        for (unsigned i = 0; i < gimple_phi_num_args(phi) && known; i++)
            known = find(f, gimple_phi_arg_def(phi, i));
        return known;
    }
    if (gcall *call = dyn_cast<gcall *>(g))
        return find_called(call);
    gassign *a = dyn_cast<gassign *>(g);
    if (!a)
        return false;
    if (gimple_assign_single_p(a) && is_memory(gimple_assign_rhs1(a)))
        return find_loaded(f, gimple_assign_rhs1(a));
    return gimple_assign_single_p(a) ? find(f, gimple_assign_rhs1(a)) : find_computed(f, a);
}

/* False where it is not known which: also of what a loop counts. */
bool find(Found *f, tree t)
{
    if (CONSTANT_CLASS_P(t))
        return add(f, t);
    if (TREE_CODE(t) != SSA_NAME || f->asked.length() > DEEPEST || f->asked.contains(t))
        return false;
    f->asked.safe_push(t);
    bool known = find_defined(f, t);
    f->asked.pop();
    return known;
}

} // namespace

/* May code that is not seen call it, of an object or of a shared library? The link asks that of each name. */
static bool called_unseen(cgraph_node *node)
{
    bool exported = TREE_PUBLIC(node->decl) && node->resolution == LDPR_PREVAILING_DEF_IRONLY_EXP;
    return !MAIN_NAME_P(DECL_NAME(node->decl)) && (exported || node->used_from_object_file_p());
}

bool called_from_elsewhere(tree func)
{
    cgraph_node *node = cgraph_node::get(func);
    ipa_ref *ref;
    bool elsewhere = !node || node->address_taken || node->iterate_direct_aliases(0, ref) || called_unseen(node);
    for (cgraph_edge *e = node ? node->callers : NULL; e && !elsewhere; e = e->next_caller)
        elsewhere = source_of(e->caller->decl) != source_of(func);
    return elsewhere;
}

bool constants_of(tree t, auto_vec<tree> *out)
{
    Found f;
    f.constants = out;
    return find(&f, t);
}

} // namespace cs_low
