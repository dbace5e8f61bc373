/* SPDX-License-Identifier: BSD-3-Clause
 * What commslice itself says while a program runs: whole lines on standard error.
 * Safe where stdio is not: in signal handlers of ours, after fork. */
#ifndef CS_SAY_H
#define CS_SAY_H

/* One line with the prefix of the tool, written at once. Of what is longer than 2 KB the end is cut. */
void cs_say(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
