/* SPDX-License-Identifier: GPL-3.0-or-later
 * What becomes of watched calls where the original is compiled. Behind each of them stands a witness, a statement that
 * uses its result and its arguments, that costs GCC nothing, and that it neither merges nor leaves out: wherever the
 * call goes, its witness goes along, and says at the end what each copy has come to. Debug statements would change
 * less, but GCC drops them with a block in which nothing else is left. */
#include "gcc-plugin/folds/folds_internal.h"

#include "fold-const-call.h"
#include "internal-fn.h"
#include "predict.h"

namespace cs_fold {

const char COMPUTED[] = "computed";
const char OUTSIDE[] = "outside";
const char LOST[] = "lost";
const char ANY[] = "*";

namespace {

/* A statement of the address checker, which nothing else looks at. It reads and writes no memory, and the inliner and
 * the unroller count no instruction for it. */
const internal_fn WITNESS = IFN_ASAN_POISON_USE;

/* A call that is followed. The result of one that stores it is none; it follows from the arguments. */
struct Followed {
    Key call;
    tree callee;
    bool stored;
};
std::vector<Followed> followed; /* by the number that is the first operand of the witness */
std::map<Key, Copies> outcomes;
std::map<std::string, Copies> results; /* the same, by the name of the function */

void note(const Followed &f, const Copy &copy)
{
    outcomes[f.call].insert(copy);
    results[name_of_computed(f.callee)].insert(copy);
}

bool is_witness(gimple *g)
{
    return gimple_call_internal_p(g, WITNESS) && gimple_call_num_args(g) > 1;
}

const Followed &followed_by(gimple *witness)
{
    return followed.at(tree_to_uhwi(gimple_call_arg(witness, 0)));
}

void add_witness(gcall *call, const Followed &f)
{
    auto_vec<tree> parts;
    gimple_stmt_iterator at = gsi_for_stmt(call);
    parts.safe_push(build_int_cst(unsigned_type_node, followed.size()));
    parts.safe_push(f.stored ? integer_zero_node : gimple_call_lhs(call));
    for (unsigned i = 0; i < gimple_call_num_args(call); i++)
        parts.safe_push(unshare_expr(gimple_call_arg(call, i)));
    followed.push_back(f);
    gcall *witness = gimple_build_call_internal_vec(WITNESS, parts);
    gimple_set_location(witness, gimple_location(call));
    gsi_insert_after(&at, witness, GSI_NEW_STMT);
}

/* What GCC makes of the call of a function of so many constants. */
tree computed(tree callee, gimple *witness)
{
    combined_fn code = as_combined_fn(DECL_FUNCTION_CODE(callee));
    tree type = TREE_TYPE(TREE_TYPE(callee)), args[2] = {};
    unsigned n = gimple_call_num_args(witness) - 2;
    for (unsigned i = 0; i < n; i++)
        if (n > 2 || !CONSTANT_CLASS_P(args[i] = gimple_call_arg(witness, i + 2)))
            return NULL_TREE;
    note_no_constants(true);
    tree c = n == 1 ? fold_const_call(code, type, args[0]) : fold_const_call(code, type, args[0], args[1]);
    note_no_constants(false);
    return c;
}

/* Constants that the result is where the program comes one way, as GCC has computed it in front of there: copies of
 * whose arguments nothing is known. */
void note_ways(const Followed &f, size_t parts, tree result, hash_set<tree> *seen)
{
    gphi *phi = TREE_CODE(result) == SSA_NAME ? dyn_cast<gphi *>(SSA_NAME_DEF_STMT(result)) : NULL;
    if (!phi || seen->add(result))
        return;
    for (unsigned i = 0; i < gimple_phi_num_args(phi); i++) {
        tree arg = gimple_phi_arg_def(phi, i);
        Copy copy(parts, LOST);
        copy[0] = shown_constant(arg);
        if (CONSTANT_CLASS_P(arg))
            note(f, copy);
        note_ways(f, parts, arg, seen);
    }
}

/* Does GCC leave the power to the library, though it knows the exponent, as the function is not compiled for speed? */
bool is_left_alone(tree callee, const Copy &copy)
{
    built_in_function code = DECL_FUNCTION_CODE(callee);
    bool whole = code == BUILT_IN_POWI || code == BUILT_IN_POWIF || code == BUILT_IN_POWIL;
    return whole && copy[0] == COMPUTED && !optimize_function_for_speed_p(cfun);
}

void note_copy(gimple *witness, const char *otherwise)
{
    const Followed &f = followed_by(witness);
    tree result = gimple_call_arg(witness, 1);
    hash_set<tree> seen;
    Copy copy;
    for (unsigned i = 1; i < gimple_call_num_args(witness); i++)
        copy.push_back(shown_constant(gimple_call_arg(witness, i)));
    if (f.stored) {
        tree c = computed(f.callee, witness);
        copy[0] = c ? shown_constant(c) : COMPUTED;
    } else
        note_ways(f, copy.size(), result, &seen);
    if (is_left_alone(f.callee, copy))
        copy[2] = COMPUTED;
    if (copy[0] == COMPUTED)
        copy[0] = otherwise;
    note(f, copy);
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

/* A call that is left and that no witness tells of is a copy of any that calls the same. */
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

std::string shown_constant(tree value)
{
    unsigned char bytes[64];
    char digits[2 * sizeof bytes + 1];
    STRIP_NOPS(value);
    int n = CONSTANT_CLASS_P(value) ? native_encode_expr(value, bytes, sizeof bytes) : 0;
    for (int i = 0; i < n; i++)
        sprintf(digits + 2 * i, "%02x", bytes[i]);
    return n ? digits : COMPUTED;
}

void follow_calls(function *fn)
{
    auto_vec<gcall *> calls;
    watched_calls(fn, &calls);
    for (unsigned c = 0; c < calls.length(); c++)
        add_witness(calls[c], {Key(IDENTIFIER_POINTER(DECL_ASSEMBLER_NAME(fn->decl)), c), gimple_call_fndecl(calls[c]),
                               TREE_CODE(gimple_call_lhs(calls[c])) != SSA_NAME});
}

void note_outcomes(function *fn)
{
    basic_block bb;
    hash_set<tree> told;
    const char *here = computed_here(fn);
    FOR_EACH_BB_FN (bb, fn)
        for (gimple_stmt_iterator i = gsi_start_bb(bb); !gsi_end_p(i); gsi_next(&i))
            if (is_witness(gsi_stmt(i))) {
                told.add(gimple_call_arg(gsi_stmt(i), 1));
                note_copy(gsi_stmt(i), here);
            }
    note_strays(fn, told);
}

std::string copy_text(const Copy &copy)
{
    std::string text = " " + std::to_string(copy.size());
    for (auto &value : copy)
        text += " " + value;
    return text + "\n";
}

std::string outcomes_text()
{
    std::string text;
    for (auto &o : outcomes)
        for (auto &copy : o.second)
            text += "call " + o.first.first + " " + std::to_string(o.first.second) + copy_text(copy);
    for (auto &r : results)
        for (auto &copy : r.second)
            if (r.first != "")
                text += "result " + r.first + " 0" + copy_text(copy);
    return text;
}

} // namespace cs_fold
