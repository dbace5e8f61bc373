/* SPDX-License-Identifier: BSD-3-Clause
 * The marks of MPI calls: how much of a message a call of a slice transmits, and the word in which a slice tells the
 * run time the call site and the mark of its next call.
 *
 *     | 31 ... 2: number of the call site | 1, 0: mark |      -1: the next call has no site */
#ifndef CS_API_MARKS_H
#define CS_API_MARKS_H

/* In order: what is marked higher includes what is marked lower. */
#define CS_MARK_NONE 0     /* nothing is transmitted: the call is recorded and returns */
#define CS_MARK_ENVELOPE 1 /* the message is sent and matched without its content; a collective only meets */
#define CS_MARK_CONTENT 2  /* as in the original */
#define CS_MARK_POISON 3   /* test builds: as NONE, and what would have been received is overwritten */

#define CS_SITE_WORD(site, mark) ((site) << 2 | (mark))
#define CS_SITE_OF(word) ((word) >> 2)
#define CS_MARK_OF(word) ((word)&3)

#endif
