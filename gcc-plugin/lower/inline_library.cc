/* SPDX-License-Identifier: GPL-3.0-or-later
 * Small functions of the C++ library's headers go into their callers while an object is compiled. One body that all
 * containers share would make one of them all: a helper that links the header of a tree to itself seems to link it to
 * that of any other, and one call of operator new seems to give the memory of all. Functions of the program stay as
 * they are, and so do those that the library's own object has, which the effects table describes. */
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

/* Does the object have a body of it that its callers may take over? */
static bool may_go(tree decl)
{
    function *f = DECL_STRUCT_FUNCTION(decl);
    return DECL_IN_SYSTEM_HEADER(decl) && DECL_DECLARED_INLINE_P(decl) && !DECL_EXTERNAL(decl) &&
           !DECL_UNINLINABLE(decl) && f && f->cfg && !f->calls_setjmp && of_library(decl) && is_small(f);
}

void cs_inline_library()
{
    cgraph_node *node;
    FOR_EACH_FUNCTION_WITH_GIMPLE_BODY (node) {
        tree decl = node->decl;
        if (lookup_attribute(ALWAYS, DECL_ATTRIBUTES(decl)) || !may_go(decl))
            continue;
        DECL_DISREGARD_INLINE_LIMITS(decl) = 1;
        DECL_ATTRIBUTES(decl) = tree_cons(get_identifier(ALWAYS), NULL_TREE, DECL_ATTRIBUTES(decl));
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
