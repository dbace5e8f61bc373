/* SPDX-License-Identifier: BSD-3-Clause
 * The parts of prelude.c: which of them a generated program needs, what they need of each other, their text. */
#ifndef CS_SKELETON_PRELUDE_PARTS_H
#define CS_SKELETON_PRELUDE_PARTS_H

#include <stdbool.h>
#include <stdio.h>

/* Parts of prelude.c that the program uses, in their order there. */
enum cs_need {
    CS_NEED_CLOCK,
    CS_NEED_TOGETHER,
    CS_NEED_WORK,
    CS_NEED_TURN,
    CS_NEED_WORK_OUTSIDE,
    CS_NEED_CLASS,
    CS_NEED_COMM,
    CS_NEED_PEER,
    CS_NEED_GROUP,
    CS_NEED_REQUEST,
    CS_NEED_KEPT,
    CS_NEED_WHICH,
    CS_NEED_NEW_REQUEST,
    CS_NEED_NEW_KEPT,
    CS_NEED_SKIP,
    CS_NEED_STATUSES,
    CS_NEED_WAITALL,
    CS_NEED_STARTALL,
    CS_NEED_DEFERRED,
    CS_NEED_ADD_DEFERRED,
    CS_NEED_NEW_DEFERRED,
    CS_NEED_START_DEFERRED,
    CS_NEED_OFFER,
    CS_NEED_WAITANY,
    CS_NEED_WAITSOME,
    CS_NEED_TESTALL,
    CS_NEED_TESTANY,
    CS_NEED_TESTSOME,
    CS_NEED_MESSAGE,
    CS_NEED_DISPLS,
    CS_NEED_DISPLS_W,
    CS_NEED_AINTS_W,
    CS_NEED_TYPES_W,
    CS_NEED_USER_OP,
    CS_NEED_ROOM,
    CS_NEED_COUNT_
};

/* Adds what the needed parts use of others. */
void cs_prelude_close(bool need[CS_NEED_COUNT_]);
/* Writes the text of the needed parts, in their order in prelude.c. */
void cs_prelude_write(FILE *out, const bool need[CS_NEED_COUNT_]);

#endif
