/* SPDX-License-Identifier: BSD-3-Clause
 * Matching inside a rank: messages that nobody has received yet, in order of arrival, and posted receives, in order of
 * posting. The time to find one by communicator, source and tag does not grow with their number. */
#ifndef CS_MATCH_INTERNAL_H
#define CS_MATCH_INTERNAL_H

#include <stdbool.h>
#include <stdint.h>

struct cs_emu_msg;
struct cs_emu_req;

/* Keeps a message that fits no posted receive. */
void cs_emu_match_keep(struct cs_emu_msg *m);
/* The oldest kept message that fits, or NULL; source and tag may be wildcards. `take`: it is kept no longer. */
struct cs_emu_msg *cs_emu_match_find(uint32_t context, int source, int tag, bool take);

/* Posts a receive that found no kept message. */
void cs_emu_match_post(struct cs_emu_req *r);
/* The oldest posted receive that this message fits, or NULL. It is posted no longer. */
struct cs_emu_req *cs_emu_match_receive(const struct cs_emu_msg *m);
/* Takes back a posted receive. */
void cs_emu_match_unpost(struct cs_emu_req *r);

#endif
