/* SPDX-License-Identifier: BSD-3-Clause
 * What a loop says to commslice monitor, and the speeds that the monitor offers: live/live_state.h. Where
 * COMMSLICE_MONITOR does not ask for it, nothing is done. */
#ifndef CS_WATCHED_LOOP_H
#define CS_WATCHED_LOOP_H

#include "balance/library/balancer_internal.h"

/* Joins the run of this name, when the handle is made (collective): see cs_balance_settings.monitor. Without memory, or
 * where the file cannot be had, the loop is not watched, after a line of rank 0. */
void cs_watch_open(struct cs_balancer *b);
void cs_watch_close(struct cs_balancer *b);

/* Before blocks are cut (collective): all go by the plan that rank 0 has, where blocks go in parts. */
void cs_watch_agree(struct cs_balancer *b);
/* The loop begins and ends; so does a chunk, of b->count items. */
void cs_watch_loop(struct cs_balancer *b);
void cs_watch_loop_over(struct cs_balancer *b);
void cs_watch_chunk(struct cs_balancer *b);
void cs_watch_chunk_done(struct cs_balancer *b, double seconds);
/* The leader: a rank has done so many items and gets so many. Said only for ranks of other machines. */
void cs_watch_answer(struct cs_balancer *b, int rank, int64_t items, double seconds, int64_t next);

/* Takes the speeds of a plan that is newer than the one that is followed. */
void cs_watch_follow(struct cs_balancer *b);

#endif
