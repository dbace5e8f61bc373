/* SPDX-License-Identifier: BSD-3-Clause
 * How runs end that cannot be right, whichever library is underneath. */
#ifndef CS_RUN_END_H
#define CS_RUN_END_H

/* Exit status of a run that hangs, and of one in which a marked call met an unmarked one. */
enum { CS_EXIT_HANG = 3, CS_EXIT_CHANNELS = 3 };

/* Seconds without any progress until a run counts as hanging, unless COMMSLICE_PATIENCE says otherwise. */
enum { CS_DEFAULT_PATIENCE = 20 };

#endif
