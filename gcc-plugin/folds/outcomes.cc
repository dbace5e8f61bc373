/* SPDX-License-Identifier: GPL-3.0-or-later
 * What becomes of watched calls where the original is compiled. Behind each of them stand debug statements that name
 * its result and its arguments: GCC takes them along wherever it puts the call, and they change nothing that it does.
 * At the end they say what each copy has come to. */
#include "gcc-plugin/folds/folds_internal.h"

#include "fold-const-call.h"

namespace cs_fold {

const char COMPUTED[] = "computed";
const char OUTSIDE[] = "outside";
const char LOST[] = "lost";
const char ANY[] = "*";

namespace {

/* What a variable of a debug statement stands for: part 0 of a call is its result, i is argument i. The result of a
 * call that stores it is none; it follows from the arguments. */
struct Followed {
    Key call;
    tree callee;
    bool stored;
    unsigned part, parts;
};
std::map<unsigned, Followed> followed; /* by the DECL_UID of the variable */
std::map<Key, Copies> outcomes;

void follow(gimple_stmt_iterator *at, tree value, const Followed &f)
{
    tree var = build_debug_expr_decl(TREE_TYPE(value));
    followed[DECL_UID(var)] = f;
    gimple *bind = gimple_build_debug_bind(var, unshare_expr(value), gsi_stmt(*at));
    gsi_insert_after(at, bind, GSI_NEW_STMT);
}

/* What the value is: a constant's bytes, or not. */
std::string shown(tree value)
{
    unsigned char bytes[64];
    char digits[2 * sizeof bytes + 1];
    if (!value)
        return LOST;
    STRIP_NOPS(value);
    int n = CONSTANT_CLASS_P(value) ? native_encode_expr(value, bytes, sizeof bytes) : 0;
    for (int i = 0; i < n; i++)
        sprintf(digits + 2 * i, "%02x", bytes[i]);
    return n ? digits : TREE_CODE(value) == DEBUG_EXPR_DECL ? LOST : COMPUTED;
}

const Followed *followed_by(gimple *g)
{
    if (!gimple_debug_bind_p(g))
        return NULL;
    tree var = gimple_debug_bind_get_var(g);
    auto f = followed.find(DECL_UID(var));
    return f == followed.end() ? NULL : &f->second;
}

tree value_of(gimple *g)
{
    return gimple_debug_bind_has_value_p(g) ? gimple_debug_bind_get_value(g) : NULL_TREE;
}

/* The copy of a call whose parts are being met, in order; none: `of` is null. */
struct Open {
    const Followed *of = NULL; /* its last part */
    Copy copy;
    tree values[3]; /* of its result and of its first two arguments */
};

/* What GCC makes of the call of a function of so many constants. */
tree computed(tree callee, const tree *args, unsigned n)
{
    combined_fn code = as_combined_fn(DECL_FUNCTION_CODE(callee));
    tree type = TREE_TYPE(TREE_TYPE(callee));
    for (unsigned i = 0; i < n; i++)
        if (n > 2 || !args[i] || !CONSTANT_CLASS_P(args[i]))
            return NULL_TREE;
    return n == 1 ? fold_const_call(code, type, args[0]) : fold_const_call(code, type, args[0], args[1]);
}

/* Constants that the result is where the program comes one way, as GCC has computed it in front of there: copies of
 * whose arguments nothing is known. */
void note_ways(const Open *o, tree result, hash_set<tree> *seen)
{
    gphi *phi = result && TREE_CODE(result) == SSA_NAME ? dyn_cast<gphi *>(SSA_NAME_DEF_STMT(result)) : NULL;
    if (!phi || seen->add(result))
        return;
    for (unsigned i = 0; i < gimple_phi_num_args(phi); i++) {
        tree arg = gimple_phi_arg_def(phi, i);
        Copy copy(o->copy.size(), LOST);
        copy[0] = shown(arg);
        if (CONSTANT_CLASS_P(arg))
            outcomes[o->of->call].insert(copy);
        note_ways(o, arg, seen);
    }
}

/* Has GCC left a zero in place of a call that it has put into a vector? No real function that is watched is known to be
 * 0 but of constants. */
bool is_placeholder(const Open *o)
{
    return o->values[0] && real_zerop(o->values[0]) && !computed(o->of->callee, o->values + 1, o->of->parts - 1);
}

void close_copy(Open *o, const std::string &otherwise)
{
    hash_set<tree> seen;
    if (!o->of)
        return;
    if (is_placeholder(o))
        o->copy[0] = COMPUTED;
    if (o->of->stored) {
        tree c = computed(o->of->callee, o->values + 1, o->of->parts - 1);
        o->copy[0] = c ? shown(c) : COMPUTED;
    }
    note_ways(o, o->values[0], &seen);
    if (o->copy[0] == COMPUTED)
        o->copy[0] = otherwise;
    outcomes[o->of->call].insert(o->copy);
    o->of = NULL;
}

void take_part(Open *o, const Followed *f, tree value)
{
    if (!o->of) {
        o->copy.assign(f->parts, LOST);
        o->values[0] = o->values[1] = o->values[2] = NULL_TREE;
    }
    o->of = f;
    o->copy[f->part] = shown(value);
    if (f->part < ARRAY_SIZE(o->values))
        o->values[f->part] = value;
}

/* What a value in this function is that is no constant: has anything of the source a use for its body? */
const char *computed_here(function *fn)
{
    cgraph_node *node = cgraph_node::get(fn->decl);
    ipa_ref *ref;
    bool outside = node && TREE_PUBLIC(fn->decl) && !node->callers && !node->address_taken &&
                   !node->iterate_referring(0, ref) && !MAIN_NAME_P(DECL_NAME(fn->decl)) &&
                   !DECL_STATIC_CONSTRUCTOR(fn->decl) && !DECL_STATIC_DESTRUCTOR(fn->decl);
    return outside ? OUTSIDE : COMPUTED;
}

/* A call that is left and that no debug statement tells of is a copy of any that calls the same. */
void note_strays(function *fn, hash_set<tree> &told)
{
    basic_block bb;
    FOR_EACH_BB_FN (bb, fn)
        for (gimple_stmt_iterator i = gsi_start_bb(bb); !gsi_end_p(i); gsi_next(&i)) {
            gimple *g = gsi_stmt(i);
            tree lhs = is_gimple_call(g) ? gimple_call_lhs(g) : NULL_TREE;
            if (lhs && TREE_CODE(lhs) == SSA_NAME && cs_answered_as(g) != CS_ANSWERED_NEVER && !told.contains(lhs))
                outcomes[Key(ANY, DECL_FUNCTION_CODE(gimple_call_fndecl(g)))].insert(Copy(1, COMPUTED));
        }
}

} // namespace

void follow_calls(function *fn)
{
    auto_vec<gcall *> calls;
    watched_calls(fn, &calls);
    for (unsigned c = 0; c < calls.length(); c++) {
        gimple_stmt_iterator at = gsi_for_stmt(calls[c]);
        tree lhs = gimple_call_lhs(calls[c]);
        unsigned n = gimple_call_num_args(calls[c]);
        Followed f = {Key(IDENTIFIER_POINTER(DECL_ASSEMBLER_NAME(fn->decl)), c), gimple_call_fndecl(calls[c]),
                      TREE_CODE(lhs) != SSA_NAME, 0, n + 1};
        if (!f.stored)
            follow(&at, lhs, f);
        for (f.part = 1; f.part <= n; f.part++)
            if (is_gimple_val(gimple_call_arg(calls[c], f.part - 1)))
                follow(&at, gimple_call_arg(calls[c], f.part - 1), f);
    }
}

/* A value that is lost may have no statement any more. */
void note_outcomes(function *fn)
{
    basic_block bb;
    hash_set<tree> told;
    const char *here = computed_here(fn);
    FOR_EACH_BB_FN (bb, fn) {
        Open open;
        for (gimple_stmt_iterator i = gsi_start_bb(bb); !gsi_end_p(i); gsi_next(&i)) {
            const Followed *f = followed_by(gsi_stmt(i));
            if (!f)
                continue;
            if (open.of && (f->call != open.of->call || f->part <= open.of->part))
                close_copy(&open, here);
            take_part(&open, f, value_of(gsi_stmt(i)));
            if (tree value = value_of(gsi_stmt(i)))
                told.add(value);
        }
        close_copy(&open, here);
    }
    note_strays(fn, told);
}

std::string outcomes_text()
{
    std::string text;
    for (auto &o : outcomes)
        for (auto &copy : o.second) {
            text += o.first.first + " " + std::to_string(o.first.second) + " " + std::to_string(copy.size());
            for (auto &value : copy)
                text += " " + value;
            text += "\n";
        }
    return text + "end\n";
}

} // namespace cs_fold
