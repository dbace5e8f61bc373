/* SPDX-License-Identifier: GPL-3.0-or-later
 * What a call is replaced by, so that it gives in the slice what it gives in the original: a constant, or a call of a
 * twin of the function, of which GCC knows nothing, and behind that a choice by the arguments. */
#include "gcc-plugin/folds/folds_internal.h"

#include "builtins.h"
#include "internal-fn.h"
#include "predict.h"

namespace cs_fold {

namespace {

std::map<tree, tree> twins; /* of a built-in function; their memory is in: */
tree all_twins;
const char TWIN_OF[] = "commslice twin of";

/* The constant of those bytes; null: it is none of that type. */
tree constant(const std::string &digits, tree type)
{
    std::vector<unsigned char> bytes;
    if (!is_constant(digits) || digits.size() != 2 * tree_to_uhwi(TYPE_SIZE_UNIT(type)))
        return NULL_TREE;
    for (size_t i = 0; i + 1 < digits.size(); i += 2)
        bytes.push_back(std::stoi(digits.substr(i, 2), NULL, 16));
    return native_interpret_expr(type, bytes.data(), bytes.size());
}

/* The function's name in the library; null: it has none. */
const char *library_name(tree decl)
{
    switch (DECL_FUNCTION_CODE(decl)) {
    case BUILT_IN_POWI: return "__powidf2";
    case BUILT_IN_POWIF: return "__powisf2"; CASE_FLT_FN(BUILT_IN_CEXPI) : return NULL;
    default: break;
    }
    const char *name = IDENTIFIER_POINTER(DECL_ASSEMBLER_NAME(decl));
    return startswith(name, "__builtin") || *name == '*' ? NULL : name;
}

/* The same function, of which GCC knows nothing; null: there is none. */
tree twin_of(tree decl)
{
    tree &twin = twins[decl];
    const char *name = library_name(decl);
    if (twin || !name)
        return twin;
    tree what = build_tree_list(build_int_cst(integer_type_node, DECL_FUNCTION_CODE(decl)), NULL_TREE);
    twin = copy_node(decl);
    set_decl_built_in_function(twin, NOT_BUILT_IN, 0);
    SET_DECL_ASSEMBLER_NAME(twin, get_identifier(name));
    DECL_NAME(twin) = get_identifier(name);
    DECL_ATTRIBUTES(twin) = tree_cons(get_identifier(TWIN_OF), what, DECL_ATTRIBUTES(decl));
    all_twins = tree_cons(NULL_TREE, twin, all_twins);
    return twin;
}

/* ---- a choice by arguments ---- */

tree assign(gimple_stmt_iterator *at, tree type, tree_code code, tree a, tree b, tree c = NULL_TREE)
{
    tree name = make_ssa_name(type);
    gsi_insert_after(at, gimple_build_assign(name, code, a, b, c), GSI_NEW_STMT);
    return name;
}

/* The real or the imaginary part. */
tree part_of(gimple_stmt_iterator *at, tree_code part, tree value)
{
    tree name = make_ssa_name(TREE_TYPE(TREE_TYPE(value)));
    gsi_insert_after(at, gimple_build_assign(name, part, build1(part, TREE_TYPE(name), value)), GSI_NEW_STMT);
    return name;
}

tree both(gimple_stmt_iterator *at, tree a, tree b)
{
    return a && b ? assign(at, boolean_type_node, BIT_AND_EXPR, a, b) : a ? a : b;
}

/* Has the value the constant's bits? Zeros differ in sign, of which == says nothing. */
tree same_bits(gimple_stmt_iterator *at, tree value, tree c)
{
    if (TREE_CODE(c) == COMPLEX_CST)
        return both(at, same_bits(at, part_of(at, REALPART_EXPR, value), TREE_REALPART(c)),
                    same_bits(at, part_of(at, IMAGPART_EXPR, value), TREE_IMAGPART(c)));
    tree same = assign(at, boolean_type_node, EQ_EXPR, value, c);
    if (!SCALAR_FLOAT_TYPE_P(TREE_TYPE(value)) || !real_zerop(c))
        return same;
    tree type = TREE_TYPE(value), sign = make_ssa_name(type), one = build_real(type, dconst1);
    bool in_line = direct_internal_fn_supported_p(IFN_COPYSIGN, type, OPTIMIZE_FOR_SPEED);
    gcall *copysign = in_line ? gimple_build_call_internal(IFN_COPYSIGN, 2, one, value)
                              : gimple_build_call(mathfn_built_in(type, BUILT_IN_COPYSIGN), 2, one, value);
    gimple_call_set_lhs(copysign, sign);
    gsi_insert_after(at, copysign, GSI_NEW_STMT);
    tree want = REAL_VALUE_NEGATIVE(TREE_REAL_CST(c)) ? build_real(type, dconstm1) : one;
    return both(at, same, assign(at, boolean_type_node, EQ_EXPR, sign, want));
}

/* Are the constant arguments of the copy those of the call? Null: it has none. */
tree same_arguments(gimple_stmt_iterator *at, gcall *g, const Copy &copy)
{
    tree all = NULL_TREE;
    for (unsigned i = 0; i < gimple_call_num_args(g); i++)
        if (tree c = constant_argument(g, copy, i))
            all = both(at, all, same_bits(at, gimple_call_arg(g, i), c));
    return all;
}

/* GCC has no conditional expression of complex numbers: each part is one. */
tree choose(gimple_stmt_iterator *at, tree same, tree value, tree otherwise)
{
    tree type = TREE_TYPE(otherwise), parts[2];
    if (TREE_CODE(type) != COMPLEX_TYPE)
        return assign(at, type, COND_EXPR, same, value, otherwise);
    for (int i = 0; i < 2; i++)
        parts[i] = choose(at, same, i ? TREE_IMAGPART(value) : TREE_REALPART(value),
                          part_of(at, i ? IMAGPART_EXPR : REALPART_EXPR, otherwise));
    return assign(at, type, COMPLEX_EXPR, parts[0], parts[1]);
}

/* What the copy gives: its constant, or what GCC makes of the function and an exponent that it knows. */
tree given_by(gimple_stmt_iterator *at, tree callee, gcall *g, const Copy &copy)
{
    tree type = TREE_TYPE(TREE_TYPE(callee));
    if (is_constant(copy[0]))
        return constant(copy[0], type);
    gcall *power = gimple_build_call(callee, 2, gimple_call_arg(g, 0), constant_argument(g, copy, 1));
    tree name = make_ssa_name(type);
    gimple_call_set_lhs(power, name);
    note_how(power, CS_SETTLED);
    gsi_insert_after(at, power, GSI_NEW_STMT);
    if (fold_stmt(at))
        update_stmt(gsi_stmt(*at));
    return name;
}

} // namespace

bool is_constant(const std::string &value)
{
    return !value.empty() && value != COMPUTED && value != OUTSIDE && value != LOST;
}

tree constant_argument(gcall *g, const Copy &copy, unsigned i)
{
    return constant(copy[i + 1], TREE_TYPE(gimple_call_arg(g, i)));
}

/* Notes with the call how it is settled, in two marks that mean nothing for a function that is named and is not alloca.
 * The function is no place for it: the link takes all twins of a name for one. */
void note_how(gcall *g, cs_settled how)
{
    gimple_call_set_nocf_check(g, how == CS_SETTLED || how == CS_SETTLED_INSIDE);
    gimple_call_set_alloca_for_var(g,
                                   how == CS_SETTLED_PERHAPS || how == CS_SETTLED_INSIDE || how == CS_SETTLED_NOWHERE);
}

/* With -ffast-math GCC makes others of real functions that meet, which it would not of twins. */
bool call_twin(gcall *g, cs_settled how)
{
    bool real = cs_answered_as(g) != CS_ANSWERED_ORDER;
    tree twin = flag_unsafe_math_optimizations && real ? NULL_TREE : twin_of(gimple_call_fndecl(g));
    if (!twin)
        return false;
    gimple_call_set_fndecl(g, twin);
    note_how(g, how);
    update_stmt(g);
    return true;
}

bool make_constant(gcall *g, const std::string &digits)
{
    gimple_stmt_iterator at = gsi_for_stmt(g);
    tree c = constant(digits, TREE_TYPE(TREE_TYPE(gimple_call_fndecl(g))));
    if (c)
        replace_call_with_value(&at, c);
    return c;
}

/* Behind the call: its result, but what a copy gives where the arguments are those of the copy. */
void make_choice(gcall *g, tree callee, const Copies &special)
{
    tree lhs = gimple_call_lhs(g), type = TREE_TYPE(TREE_TYPE(callee)), last = make_ssa_name(type);
    gimple_stmt_iterator at = gsi_for_stmt(g);
    gimple_call_set_lhs(g, last);
    update_stmt(g);
    for (auto &copy : special) {
        tree value = given_by(&at, callee, g, copy);
        if (tree same = same_arguments(&at, g, copy))
            last = choose(&at, same, value, last);
    }
    gsi_insert_after(&at, gimple_build_assign(lhs, last), GSI_NEW_STMT);
}

void keep_twins(const char *plugin)
{
    static const ggc_root_tab roots[] = {{&all_twins, 1, sizeof all_twins, gt_ggc_mx_tree_node, NULL},
                                         LAST_GGC_ROOT_TAB};
    register_callback(plugin, PLUGIN_REGISTER_GGC_ROOTS, NULL, const_cast<ggc_root_tab *>(roots));
}

} // namespace cs_fold

/* What is noted with a twin; null: it is none. */
static tree noted(tree decl)
{
    tree a = decl ? lookup_attribute("commslice twin of", DECL_ATTRIBUTES(decl)) : NULL_TREE;
    return a ? TREE_VALUE(a) : NULL_TREE;
}

cs_settled cs_settled_as(gimple *g)
{
    gcall *call = dyn_cast<gcall *>(g);
    tree decl = call ? gimple_call_fndecl(call) : NULL_TREE;
    built_in_function code;
    if (!decl || !cs_known_builtin(decl, &code))
        return CS_NOT_SETTLED;
    if (!gimple_call_alloca_for_var_p(call))
        return gimple_call_nocf_check_p(call) ? CS_SETTLED : noted(decl) ? CS_SETTLED_HERE : CS_NOT_SETTLED;
    return gimple_call_nocf_check_p(call) ? CS_SETTLED_INSIDE : noted(decl) ? CS_SETTLED_PERHAPS : CS_SETTLED_NOWHERE;
}

bool cs_known_builtin(tree decl, built_in_function *code)
{
    tree what = noted(decl);
    if (what)
        *code = (built_in_function)tree_to_shwi(TREE_PURPOSE(what));
    else if (fndecl_built_in_p(decl, BUILT_IN_NORMAL))
        *code = DECL_FUNCTION_CODE(decl);
    else
        return false;
    return true;
}
