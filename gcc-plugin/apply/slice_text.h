/* SPDX-License-Identifier: GPL-3.0-or-later
 * What a slice says of itself: the text of its `.commslice` section (docs/reference/slice-info.md),
 * which `commslice info`, `commslice why` and the run time read. */
#ifndef CS_SLICE_TEXT_H
#define CS_SLICE_TEXT_H

#include "gcc-plugin/apply/assume_gimple.h"
#include "gcc-plugin/lower/lower.h"
#include "slicer/advise/holders.h"
#include "slicer/slice.h"

#include <string>

/* A section of our own for a variable, which the linker keeps although nothing refers to it (--gc-sections). */
void cs_own_section(tree variable, const char *name);

/* Puts a text into the program that is being compiled, as a variable in a section of its own: packed if it is long. */
void cs_emit_section(const std::string &text, const char *variable, const char *section);

/* The section's text; `holders` as cs_holders_find() says. Call before cs_apply(): it quotes the statements. */
std::string cs_info_text(const struct cs_program *p, const struct cs_slice_result *res, const struct cs_assumptions *as,
                         const struct cs_holders *holders, bool is_slice);
/* What is known only after that: which loops run one turn for all. */
void cs_info_add_loops(std::string *text, const struct cs_graph *g, const struct cs_alike_loops *loops);

#endif
