/* SPDX-License-Identifier: GPL-3.0-or-later
 * Everything of GCC's that the plugin uses, in the order in which GCC's headers want to be included.
 * What GCC 12 to 15 call by other names has the name of the newest one here; nothing else asks for the version. */
#ifndef CS_GCC_COMMON_H
#define CS_GCC_COMMON_H

#include "gcc-plugin.h"
#include "plugin-version.h"
#include "backend.h"
#include "tree.h"
#include "gimple.h"
#include "tree-pass.h"
#include "ssa.h"
#include "cgraph.h"
#include "gimple-iterator.h"
#include "gimple-fold.h"
#include "internal-fn.h"
#include "gimple-pretty-print.h"
#include "gimple-walk.h"
#include "gimplify.h"
#include "gimplify-me.h"
#include "tree-cfg.h"
#include "tree-cfgcleanup.h"
#include "tree-dfa.h"
#include "tree-eh.h"
#include "tree-inline.h"
#include "tree-into-ssa.h"
#include "tree-pretty-print.h"
#include "tree-ssa.h"
#include "cfgloop.h"
#include "predict.h"
#include "cfganal.h"
#include "tree-ssa-loop.h"
#include "tree-ssa-loop-niter.h"
#include "tree-chrec.h"
#include "tree-scalar-evolution.h"
#include "context.h"
#include "diagnostic-core.h"
#include "fold-const.h"
#include "langhooks.h"
#include "opts.h"
#include "stringpool.h"
#include "attribs.h"
#include "toplev.h"
#include "varasm.h"
#include "stor-layout.h"
#include "lto-streamer.h"
#include "target.h"

#if GCCPLUGIN_VERSION_MAJOR < 14
#define last_nondebug_stmt last_stmt

/* In its place: what it computes does not overflow any more. */
static inline void rewrite_to_defined_overflow(gimple_stmt_iterator *at)
{
    rewrite_to_defined_overflow(gsi_stmt(*at), true);
}
#endif

#if GCCPLUGIN_VERSION_MAJOR < 13
#define array_ref_flexible_size_p array_at_struct_end_p
#endif

#endif
