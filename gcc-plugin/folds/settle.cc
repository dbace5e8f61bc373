/* SPDX-License-Identifier: GPL-3.0-or-later
 * What has become of a call in the original becomes of it in the slice. Where all of its copies are the same constant,
 * it is that. Otherwise GCC is kept from knowing what the function computes (a twin of it is called), and gives those
 * constants that the library would not give for the arguments of these copies. Where other copies are computed while
 * the program runs, and may be so of the same arguments, the link warns of it if it decides anything. */
#include "gcc-plugin/folds/folds_internal.h"

#include "predict.h"

#include <sstream>

namespace cs_fold {

namespace {

/* By the name of a function: the constants that GCC computes of it, and not as the library, and exponents for which it
 * multiplies. Of the process that nothing disturbs, and of that in which calls have witnesses. */
std::map<std::string, Copies> computed, computed_beside_witnesses;
std::map<std::string, Copies> results; /* what witnesses tell, by the name of the function */
bool are_seen;                         /* are those constants known? */
bool variants;                         /* does it call variants for vectors? */
std::map<Key, Copies> known;
enum { MOST_CHOICES = 16 }; /* of a call */

/* What all copies have in common at that place; empty: nothing. */
std::string common(const Copies &copies, unsigned part)
{
    std::string value;
    for (auto &c : copies) {
        if (!value.empty() && c[part] != value)
            return "";
        value = c[part];
    }
    return value;
}

bool library_agrees(gcall *g, const Copy &copy)
{
    void *fn = cs_library_function(g);
    unsigned n = gimple_call_num_args(g);
    tree args[2] = {};
    for (unsigned i = 0; i < n; i++)
        if (!fn || n > 2 || !(args[i] = constant_argument(g, copy, i)))
            return false;
    return fn && cs_library_agrees(g, fn, args, n);
}

/* ---- what GCC computes of a function ---- */

const Copies &computed_of(const std::map<std::string, Copies> &all, gimple *g)
{
    static const Copies none;
    auto found = all.find(name_of_computed(gimple_call_fndecl(g)));
    return found == all.end() ? none : found->second;
}

/* Is it what the witness of a copy tells? */
bool is_told_by(const Copy &constants, const Copy &copy)
{
    bool same = constants.size() == copy.size();
    for (size_t i = 0; same && i < copy.size(); i++)
        same = is_constant(constants[i]) ? copy[i] == constants[i] || (i && copy[i] == LOST) : !is_constant(copy[i]);
    return same;
}

bool is_told_by_any(const Copy &constants, const Copies &copies)
{
    for (auto &copy : copies)
        if (is_told_by(constants, copy))
            return true;
    return false;
}

/* Do the witnesses change nothing of what GCC computes, and tell where each constant is that it computes of the
 * function? Then they are right about which copies of calls that is for. */
bool are_witnesses_right(gimple *g)
{
    bool right = !are_seen || computed == computed_beside_witnesses;
    for (auto &constants : computed_of(computed, g))
        right &= is_told_by_any(constants, results[name_of_computed(gimple_call_fndecl(g))]);
    return right;
}

/* Is it known that GCC computes nothing of the function that the library gives otherwise? */
bool is_left_to_library(gimple *g)
{
    return are_seen && noted_as(gimple_call_fndecl(g)) != "" && computed_of(computed, g).empty();
}

/* ---- which copies count ---- */

/* Does GCC multiply in this copy, as it knows the exponent? */
bool is_multiplied(gcall *g, const Copy &copy)
{
    cs_answered as = cs_answered_as(g);
    if (is_constant(copy[0]) || (as != CS_ANSWERED_POWER && as != CS_ANSWERED_WHOLE_POWER))
        return false;
    tree exponent = constant_argument(g, copy, 1);
    return exponent && cs_multiplied_for(exponent);
}

/* Will GCC compile this function for speed? It does not know yet how often it is called. */
bool is_for_speed()
{
    return optimize_function_for_speed_p(cfun) && !lookup_attribute("cold", DECL_ATTRIBUTES(cfun->decl));
}

/* Copies that give something else than the library does, and whether their arguments tell them from others. */
struct Split {
    Copies special;
    bool tell = true;
    cs_settled how = CS_SETTLED;
};

void split(gcall *g, const Copies &copies, Split *s)
{
    for (auto &c : copies) {
        s->tell &= c[0] != LOST;
        bool mine = is_constant(c[0]) ? !library_agrees(g, c) : is_multiplied(g, c);
        if (mine)
            s->special.insert(c);
        for (size_t i = 1; mine && i < c.size(); i++)
            s->tell &= is_constant(c[i]) || (i == 1 && !is_constant(c[0]));
        /* a power that is put into a function that is compiled for size is not multiplied */
        s->tell &= !mine || is_constant(c[0]) || is_for_speed();
    }
    for (auto &c : copies)
        if (!s->special.empty() && !is_constant(c[0]) && !s->special.count(c))
            s->how = std::max(s->how, c[0] == OUTSIDE ? CS_SETTLED_INSIDE : CS_SETTLED_PERHAPS);
}

void settle_function(gcall *g, const Copies &copies)
{
    Split s;
    tree callee = gimple_call_fndecl(g);
    split(g, copies, &s);
    if (s.tell && s.special.size() <= MOST_CHOICES && call_twin(g, s.how) && !s.special.empty())
        make_choice(g, callee, s.special);
}

/* The witnesses do not tell for which copies GCC computes what it does: it is given wherever the arguments are those.
 */
void settle_by_value(gcall *g)
{
    const Copies &all = computed_of(computed, g);
    tree callee = gimple_call_fndecl(g);
    bool fit = all.size() <= MOST_CHOICES;
    for (auto &c : all)
        fit &= c.size() == gimple_call_num_args(g) + 1;
    if (fit && call_twin(g, CS_SETTLED_PERHAPS))
        make_choice(g, callee, all);
}

void settle(gcall *g, const Copies &copies)
{
    std::string same = common(copies, 0);
    if (is_constant(same) && (are_witnesses_right(g) || library_agrees(g, *copies.begin())))
        make_constant(g, same);
    else if (is_left_to_library(g))
        call_twin(g, CS_SETTLED);
    else if (!are_witnesses_right(g))
        settle_by_value(g);
    else
        settle_function(g, copies);
}

/* Those of the call, and any of its function that has lost its place. Null: nothing is known. */
bool copies_of(gcall *g, const Key &key, Copies *out)
{
    auto found = known.find(key);
    if (found == known.end())
        return false;
    *out = found->second;
    if (known.count(Key(ANY, DECL_FUNCTION_CODE(gimple_call_fndecl(g)))))
        out->insert(Copy(gimple_call_num_args(g) + 1, COMPUTED));
    return true;
}

/* Is each source's body of the function its own? */
bool is_own(tree decl)
{
    return !DECL_EXTERNAL(decl) && (!TREE_PUBLIC(decl) || (!DECL_COMDAT(decl) && !DECL_WEAK(decl)));
}

/* Nobody can tell another body of it from this one, and no other source counts on it. */
bool can_be_local(cgraph_node *node)
{
    ipa_ref *ref;
    return DECL_COMDAT(node->decl) && !DECL_EXTERNAL(node->decl) && !DECL_VIRTUAL_P(node->decl) &&
           !node->forced_by_abi && !node->force_output && !node->address_taken && !node->same_comdat_group &&
           !node->iterate_direct_aliases(0, ref) && !node->alias && !node->thunk;
}

bool has_known(tree decl)
{
    auto first = known.lower_bound(Key(IDENTIFIER_POINTER(DECL_ASSEMBLER_NAME(decl)), 0));
    return first != known.end() && first->first.first == IDENTIFIER_POINTER(DECL_ASSEMBLER_NAME(decl));
}

} // namespace

bool take_report(const std::string &text, bool witnesses)
{
    std::istringstream in(text);
    std::string kind, name;
    unsigned call = 0, parts;
    while (in >> kind && kind != "end" && in >> name >> call >> parts) {
        Copy copy(parts);
        for (auto &value : copy)
            in >> value;
        if (kind == "call")
            known[Key(name, call)].insert(copy);
        else if (kind == "result")
            results[name].insert(copy);
        else if (kind == VARIANT)
            variants = true;
        else
            (witnesses ? computed_beside_witnesses : computed)[name].insert(copy);
    }
    are_seen |= kind == "end" && !witnesses;
    return kind == "end";
}

void tell_what_is_computed()
{
    if (!are_seen)
        tell_link("");
    if (variants)
        tell_link(VARIANT);
    for (auto &c : computed)
        tell_link(c.first);
}

bool wants_witnesses()
{
    return any_watched([](gimple *g) { return can_have_witness(g) && !is_left_to_library(g); });
}

void make_shared_local()
{
    cgraph_node *node;
    FOR_EACH_FUNCTION_WITH_GIMPLE_BODY (node) {
        if (is_own(node->decl) || !has_known(node->decl) || !can_be_local(node))
            continue;
        node->set_comdat_group(NULL);
        node->make_decl_local();
        node->externally_visible = false;
    }
}

bool settle_calls(function *fn)
{
    auto_vec<gcall *> calls;
    bool own = is_own(fn->decl);
    watched_calls(fn, &calls);
    for (unsigned c = 0; c < calls.length(); c++) {
        Copies copies;
        if (!own && is_left_to_library(calls[c]))
            call_twin(calls[c], CS_SETTLED_HERE);
        else if (!own)
            note_how(calls[c], CS_SETTLED_NOWHERE);
        else if (copies_of(calls[c], Key(IDENTIFIER_POINTER(DECL_ASSEMBLER_NAME(fn->decl)), c), &copies))
            settle(calls[c], copies);
        else if (is_left_to_library(calls[c]))
            call_twin(calls[c], CS_SETTLED);
    }
    return !calls.is_empty();
}

} // namespace cs_fold
