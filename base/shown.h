/* SPDX-License-Identifier: BSD-3-Clause
 * Assumptions as people are shown them. */
#ifndef CS_SHOWN_H
#define CS_SHOWN_H

#ifdef __cplusplus
extern "C" {
#endif

/* Room for an assumption that is shown. */
enum { CS_SHOWN_SIZE = 128 };
/* The n bytes of text, cut if they are long, as a list in them may be: "x.c:18.1=when(pick(rank,0,0,...1,0))". */
void cs_shown(char out[CS_SHOWN_SIZE], const char *text, int n);

#ifdef __cplusplus
}
#endif
#endif
