/* SPDX-License-Identifier: GPL-3.0-or-later
 * Whether the original calls variants of real functions for vectors, which round otherwise. GCC makes their names by
 * the vector ABI of the processor, and calls them from loops that it has vectorised. */
#include "gcc-plugin/folds/folds_internal.h"

namespace cs_fold {

const char VARIANT[] = "variant";

static bool any_variant;

static bool is_variant(gimple *g)
{
    tree decl = is_gimple_call(g) ? gimple_call_fndecl(g) : NULL_TREE;
    return decl && startswith(IDENTIFIER_POINTER(DECL_ASSEMBLER_NAME(decl)), "_ZGV");
}

void note_variants(function *fn)
{
    basic_block bb;
    FOR_EACH_BB_FN (bb, fn)
        for (gimple_stmt_iterator i = gsi_start_bb(bb); !gsi_end_p(i); gsi_next(&i))
            any_variant |= is_variant(gsi_stmt(i));
}

std::string variants_text()
{
    return any_variant ? std::string(VARIANT) + " * 0 0\n" : "";
}

} // namespace cs_fold
