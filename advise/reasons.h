/* SPDX-License-Identifier: GPL-3.0-or-later
 * Why the statements of a stored program are kept: what `commslice why` asks for. */
#ifndef CS_REASONS_H
#define CS_REASONS_H

#include <stdio.h>

#include "slicer/model/effects.h"
#include "slicer/text/stored.h"

/* Decides the program again, as its link did, and writes the reasons in the form of the section `.commslice`
 * (docs/reference/slice-info.md): what was decided, a line `why` for each kept statement, `by` and `step`. This changes
 * its graph. 0, or -1 if it cannot be sliced again. Errors of the stream are the caller's to look for. */
int cs_reasons_write(struct cs_stored_program *p, const struct cs_effects *fx, FILE *out);

#endif
