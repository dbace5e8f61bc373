/* SPDX-License-Identifier: BSD-3-Clause
 * Matching inside a rank: messages that nobody has asked for yet, in order of arrival, and receives that wait, in order
 * of posting. Both are found by communicator, source and tag without a search, wildcards included, however many there
 * are. */
#ifndef CS_MATCH_INTERNAL_H
#define CS_MATCH_INTERNAL_H

#include <stdbool.h>
#include <stdint.h>

struct cs_emu_msg;
struct cs_emu_req;

/* A message that fits no posted receive. */
void cs_emu_match_keep(struct cs_emu_msg *m);
/* The oldest kept message that fits; source and tag may be wildcards. Taken out if `take`. NULL: none. */
struct cs_emu_msg *cs_emu_match_find(uint32_t context, int source, int tag, bool take);

/* A receive that found no message. */
void cs_emu_match_post(struct cs_emu_req *r);
/* The oldest posted receive that this message fits, taken out. NULL: none. */
struct cs_emu_req *cs_emu_match_receive(const struct cs_emu_msg *m);
/* Takes a posted receive out. */
void cs_emu_match_unpost(struct cs_emu_req *r);

#endif
