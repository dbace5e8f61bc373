/* SPDX-License-Identifier: BSD-3-Clause
 * The option --share: which share of a run this process runs, as the user or the launcher says. */
#ifndef CS_SHARE_OPTION_H
#define CS_SHARE_OPTION_H

#include "cli/launch/emulate_options.h"

/* Takes "3/64", or, without a text, what the launcher's variables say: PMI (MPICH, Intel MPI), Open MPI, Slurm's steps,
 * and Slurm's job arrays. CS_EXIT_OK, or the exit code after a message. */
int cs_share_option(const struct cs_verb *v, struct cs_world *w, const char *text);
/* Is the word the text of a share, such as 3/64? */
bool cs_share_is(const char *word);
/* The name of a share's trace, such as heat.trace.3of64; malloced, NULL without memory. */
char *cs_share_name(const char *trace, const struct cs_world *w);
/* CS_EXIT_OK if the world has a rank for each share, or the exit code after a message. */
int cs_share_check(const struct cs_verb *v, const struct cs_world *w);

#endif
