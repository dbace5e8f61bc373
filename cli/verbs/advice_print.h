/* SPDX-License-Identifier: BSD-3-Clause
 * The answer of commslice advise as text. */
#ifndef CS_ADVICE_PRINT_H
#define CS_ADVICE_PRINT_H

#include "cli/verbs/advice_told.h"

/* Prints what the slice keeps, and the suggestions, which are in order, but for those of which `worth_it` says no. An
 * exit code: is there one? */
int cs_advice_print(const struct cs_question *q, const struct cs_advice *a, const bool *worth_it);

#endif
