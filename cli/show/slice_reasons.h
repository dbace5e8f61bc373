/* SPDX-License-Identifier: BSD-3-Clause
 * Why the statements of a slice are kept. The link does not say: the slicer finds it when someone asks. */
#ifndef CS_SLICE_REASONS_H
#define CS_SLICE_REASONS_H

#include <stdbool.h>

#include "cli/show/slice_info.h"

/* Adds the reasons to what was read of the slice at `path`, from the cache (answer_cache.h) or from the slicer, which
 * takes about as long as the link did. Older slices have theirs already. False after a message. */
bool cs_slice_need_reasons(const char *path, struct cs_slice_info *s);

#endif
