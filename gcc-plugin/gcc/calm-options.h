/* SPDX-License-Identifier: GPL-3.0-or-later
 * Options of GCC's that a slice is compiled with, whatever the user gives. */
#ifndef CS_CALM_OPTIONS_H
#define CS_CALM_OPTIONS_H

/* Options that merge, split or clone functions, or stream knowledge that a slice makes untrue. */
// clang-format off
#define CALM_OPTIONS(SET) \
    SET(flag_no_inline, 1) \
    SET(flag_early_inlining, 0) \
    SET(flag_inline_small_functions, 0) \
    SET(flag_inline_functions, 0) \
    SET(flag_inline_functions_called_once, 0) \
    SET(flag_partial_inlining, 0) \
    SET(flag_ipa_cp, 0) \
    SET(flag_ipa_cp_clone, 0) \
    SET(flag_ipa_icf, 0) \
    SET(flag_ipa_icf_functions, 0) \
    SET(flag_ipa_icf_variables, 0) \
    SET(flag_ipa_sra, 0) \
    SET(flag_ipa_modref, 0) \
    SET(flag_ipa_reference, 0) \
    SET(flag_ipa_reference_addressable, 0) \
    SET(flag_ipa_pure_const, 0) \
    SET(flag_ipa_vrp, 0) \
    SET(flag_ipa_bit_cp, 0) \
    SET(flag_ipa_pta, 0) \
    SET(flag_ipa_profile, 0) \
    SET(flag_ipa_stack_alignment, 0) \
    SET(flag_ipa_strict_aliasing, 1) \
    SET(flag_devirtualize, 0) \
    SET(flag_devirtualize_speculatively, 0) \
    SET(flag_tree_tail_merge, 0) \
    SET(flag_thread_jumps, 0)
// clang-format on

#endif
