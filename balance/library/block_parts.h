/* SPDX-License-Identifier: BSD-3-Clause
 * Blocks in parts, which go to other ranks where a plan of commslice monitor says that their rank has become slow. Only
 * where COMMSLICE_BALANCE_FOLLOW asks for it: a program may rely on which rank has which block. */
#ifndef CS_BLOCK_PARTS_H
#define CS_BLOCK_PARTS_H

#include "balance/library/balancer_internal.h"

/* When the handle is made and freed (collective): memory that all ranks have, if they are on one machine. */
void cs_parts_open(struct cs_balancer *b);
void cs_parts_close(struct cs_balancer *b);
/* A loop begins: all ranks have left the one before. */
void cs_parts_begin(struct cs_balancer *b);
/* The next part of this rank's block, or of one that the plan takes from another rank. Items, 0: no more. */
int64_t cs_parts_next(struct cs_balancer *b, int64_t *first);
/* Items of this rank's block that nobody has taken. */
int64_t cs_parts_untaken(const struct cs_balancer *b);

#endif
