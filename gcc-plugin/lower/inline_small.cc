/* SPDX-License-Identifier: GPL-3.0-or-later
 * Small inline functions of C++ go into their callers while an object is compiled, those of the library's headers and
 * those of the program. One body that all containers share would make one of them all: a helper that links the header
 * of a tree to itself seems to link it to that of any other, and one call of operator new seems to give the memory of
 * all. So would an operator of the program's vectors. Functions that the library's own object has stay as they are,
 * which the effects table describes. */
#include "gcc-plugin/lower/lower.h"

enum { MOST_STATEMENTS = 12 }; /* of a function that counts as small */
static const char ALWAYS[] = "always_inline";

/* Is it in std or __gnu_cxx, or in something that is? */
static bool of_library(tree decl)
{
    const char *outermost = "";
    for (tree c = DECL_CONTEXT(decl); c && TREE_CODE(c) != TRANSLATION_UNIT_DECL;
         c = TYPE_P(c) ? TYPE_CONTEXT(c) : DECL_CONTEXT(c))
        if (TREE_CODE(c) == NAMESPACE_DECL)
            outermost = DECL_NAME(c) ? IDENTIFIER_POINTER(DECL_NAME(c)) : "";
    return !strcmp(outermost, "std") || !strcmp(outermost, "__gnu_cxx");
}

/* Are there no more statements than that? Labels and declarations do not count. */
static bool is_small(function *f)
{
    basic_block bb;
    int n = 0;
    FOR_EACH_BB_FN (bb, f)
        for (gimple_stmt_iterator i = gsi_start_bb(bb); !gsi_end_p(i) && n <= MOST_STATEMENTS; gsi_next(&i)) {
            gimple *g = gsi_stmt(i);
            n += !is_gimple_debug(g) && gimple_code(g) != GIMPLE_LABEL && !gimple_clobber_p(g) &&
                 gimple_code(g) != GIMPLE_PREDICT;
        }
    return n <= MOST_STATEMENTS;
}

/* Would its body make all of the caller something else: assembly, which keeps a function whole, or memory that is given
 * back when the function ends? */
static bool marks_caller(function *f)
{
    basic_block bb;
    if (f->calls_setjmp || f->calls_alloca)
        return true;
    FOR_EACH_BB_FN (bb, f)
        for (gimple_stmt_iterator i = gsi_start_bb(bb); !gsi_end_p(i); gsi_next(&i))
            if (gimple_code(gsi_stmt(i)) == GIMPLE_ASM)
                return true;
    return false;
}

/* Is it virtual, or one with a function that is? It stays, as what thunks go on to. */
static bool is_virtual(cgraph_node *node)
{
    ipa_ref *ref;
    bool any = DECL_VIRTUAL_P(node->decl);
    FOR_EACH_ALIAS(node, ref)
    any |= DECL_VIRTUAL_P(ref->referring->decl);
    return any;
}

/* Does its body go where it is called? One of the program that is called through a pointer, too, stays. */
static bool is_shared(cgraph_node *node)
{
    tree decl = node->decl;
    return of_library(decl) || (!DECL_IN_SYSTEM_HEADER(decl) && !node->address_taken && !is_virtual(node));
}

/* Can GCC put it in line at all? An error otherwise: it takes variable arguments, has a computed goto, or is compiled
 * for another processor than a function that calls it. */
static bool gcc_can(cgraph_node *node)
{
    int none = flag_no_inline;
    flag_no_inline = 0; /* with which it can put nothing in line */
    bool can = tree_inlinable_function_p(node->decl);
    flag_no_inline = none;
    for (cgraph_edge *e = node->callers; can && e; e = e->next_caller)
        can = targetm.target_option.can_inline_p(e->caller->decl, node->decl);
    return can;
}

/* Does the object have a body of it that its callers may take over? */
static bool may_go(cgraph_node *node)
{
    tree decl = node->decl;
    function *f = DECL_STRUCT_FUNCTION(decl);
    return DECL_DECLARED_INLINE_P(decl) && !DECL_EXTERNAL(decl) && !DECL_UNINLINABLE(decl) && is_shared(node) && f &&
           f->cfg && !marks_caller(f) && is_small(f) && gcc_can(node);
}

static bool goes(cgraph_node *node)
{
    return lookup_attribute(ALWAYS, DECL_ATTRIBUTES(node->decl));
}

/* Does it call itself, directly or by way of others that go into their callers? GCC would refuse it. */
static bool is_circle(cgraph_node *node)
{
    hash_set<cgraph_node *> seen;
    auto_vec<cgraph_node *> work;
    work.safe_push(node);
    while (!work.is_empty())
        for (cgraph_edge *e = work.pop()->callees; e; e = e->next_callee) {
            cgraph_node *callee = e->callee->ultimate_alias_target();
            if (callee == node)
                return true;
            if (goes(callee) && !seen.add(callee))
                work.safe_push(callee);
        }
    return false;
}

void cs_inline_small()
{
    cgraph_node *node;
    auto_vec<cgraph_node *> ours;
    FOR_EACH_FUNCTION_WITH_GIMPLE_BODY (node) {
        if (goes(node) || !may_go(node))
            continue;
        DECL_ATTRIBUTES(node->decl) = tree_cons(get_identifier(ALWAYS), NULL_TREE, DECL_ATTRIBUTES(node->decl));
        ours.safe_push(node);
    }
    for (unsigned i = 0; i < ours.length(); i++) {
        tree decl = ours[i]->decl;
        if (is_circle(ours[i]))
            DECL_ATTRIBUTES(decl) = remove_attribute(ALWAYS, DECL_ATTRIBUTES(decl));
        else
            DECL_DISREGARD_INLINE_LIMITS(decl) = 1;
    }
}

void cs_inlining_is_done()
{
    cgraph_node *node;
    FOR_EACH_FUNCTION (node) {
        DECL_DISREGARD_INLINE_LIMITS(node->decl) = 0;
        DECL_ATTRIBUTES(node->decl) = remove_attribute(ALWAYS, DECL_ATTRIBUTES(node->decl));
    }
}
