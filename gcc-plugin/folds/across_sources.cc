/* SPDX-License-Identifier: GPL-3.0-or-later
 * What GCC computes in one source counts for the whole program: a call through a pointer, and a function that several
 * sources have, are of no source. The sources tell the link by the names of variables that nothing uses. */
#include "gcc-plugin/folds/folds_internal.h"

namespace {

const char PREFIX[] = "commslice_computes_";
const char ANYTHING[] = "anything";

std::set<std::string> told_by_sources()
{
    std::set<std::string> names;
    varpool_node *v;
    FOR_EACH_VARIABLE (v) {
        const char *name = IDENTIFIER_POINTER(DECL_ASSEMBLER_NAME(v->decl));
        if (startswith(name, PREFIX))
            names.insert(name + strlen(PREFIX));
    }
    return names;
}

bool is_computed(const std::string &name)
{
    static const std::set<std::string> names = told_by_sources();
    return names.count(ANYTHING) || names.count(name);
}

} // namespace

bool cs_is_computed(tree decl)
{
    std::string name = cs_fold::noted_as(decl);
    return name != "" && is_computed(name);
}

bool cs_is_product_computed(tree_code code)
{
    return is_computed(code == MULT_EXPR ? cs_fold::PRODUCT : cs_fold::QUOTIENT);
}

bool cs_calls_variants()
{
    return is_computed(cs_fold::VARIANT);
}

void cs_call_no_other_variants()
{
    cgraph_node *node;
    if (cs_calls_variants())
        return;
    FOR_EACH_FUNCTION (node)
        DECL_ATTRIBUTES(node->decl) = remove_attribute("omp declare simd", DECL_ATTRIBUTES(node->decl));
}

namespace cs_fold {

void tell_link(const std::string &name)
{
    std::string whole = PREFIX + (name == "" ? ANYTHING : name);
    tree v = build_decl(UNKNOWN_LOCATION, VAR_DECL, get_identifier(whole.c_str()), char_type_node);
    TREE_STATIC(v) = TREE_PUBLIC(v) = TREE_USED(v) = DECL_ARTIFICIAL(v) = DECL_PRESERVE_P(v) = DECL_COMMON(v) = 1;
    varpool_node::finalize_decl(v);
    varpool_node *n = varpool_node::get_create(v);
    n->force_output = 1;
    if (!n->analyzed)
        n->analyze();
}

} // namespace cs_fold
