/* SPDX-License-Identifier: BSD-3-Clause
 * The parts of prelude.c, from one line of dashes with a part's name to the next; see prelude_parts.h. */
#include "skeleton/prelude/prelude_parts.h"

#include <assert.h>
#include <string.h>

#include "skeleton/prelude/prelude_text.h"

static const char *const need_name[CS_NEED_COUNT_] = {
    [CS_NEED_CLOCK] = "clock",
    [CS_NEED_TOGETHER] = "together",
    [CS_NEED_WORK] = "work",
    [CS_NEED_TURN] = "turn",
    [CS_NEED_WORK_OUTSIDE] = "work_outside",
    [CS_NEED_CLASS] = "class",
    [CS_NEED_COMM] = "comm",
    [CS_NEED_PEER] = "peer",
    [CS_NEED_GROUP] = "group",
    [CS_NEED_REQUEST] = "requests",
    [CS_NEED_KEPT] = "kept",
    [CS_NEED_WHICH] = "request",
    [CS_NEED_NEW_REQUEST] = "new_request",
    [CS_NEED_NEW_KEPT] = "new_kept",
    [CS_NEED_SKIP] = "skip",
    [CS_NEED_STATUSES] = "statuses",
    [CS_NEED_WAITALL] = "waitall",
    [CS_NEED_STARTALL] = "startall",
    [CS_NEED_DEFERRED] = "deferred",
    [CS_NEED_ADD_DEFERRED] = "add_deferred",
    [CS_NEED_NEW_DEFERRED] = "new_deferred",
    [CS_NEED_START_DEFERRED] = "start_deferred",
    [CS_NEED_OFFER] = "offer",
    [CS_NEED_WAITANY] = "waitany",
    [CS_NEED_WAITSOME] = "waitsome",
    [CS_NEED_TESTALL] = "testall",
    [CS_NEED_TESTANY] = "testany",
    [CS_NEED_TESTSOME] = "testsome",
    [CS_NEED_MESSAGE] = "message",
    [CS_NEED_DISPLS] = "displs",
    [CS_NEED_DISPLS_W] = "displs_w",
    [CS_NEED_AINTS_W] = "aints_w",
    [CS_NEED_TYPES_W] = "types_w",
    [CS_NEED_USER_OP] = "user_op",
    [CS_NEED_ROOM] = "room",
};

void cs_prelude_close(bool need[CS_NEED_COUNT_])
{
    need[CS_NEED_OFFER] = need[CS_NEED_WAITANY] || need[CS_NEED_WAITSOME] || need[CS_NEED_TESTALL] ||
                          need[CS_NEED_TESTANY] || need[CS_NEED_TESTSOME];
    need[CS_NEED_ADD_DEFERRED] |= need[CS_NEED_NEW_DEFERRED] || need[CS_NEED_START_DEFERRED];
    need[CS_NEED_DEFERRED] |= need[CS_NEED_OFFER] || need[CS_NEED_ADD_DEFERRED];
    need[CS_NEED_REQUEST] |= need[CS_NEED_WHICH] || need[CS_NEED_NEW_DEFERRED] || need[CS_NEED_WAITALL] ||
                             need[CS_NEED_STARTALL] || need[CS_NEED_NEW_REQUEST] || need[CS_NEED_NEW_KEPT] ||
                             need[CS_NEED_SKIP];
    need[CS_NEED_KEPT] = need[CS_NEED_WHICH] || need[CS_NEED_NEW_KEPT];
    need[CS_NEED_STATUSES] =
        need[CS_NEED_WAITALL] || need[CS_NEED_WAITSOME] || need[CS_NEED_TESTALL] || need[CS_NEED_TESTSOME];
    need[CS_NEED_TOGETHER] |= need[CS_NEED_WORK_OUTSIDE];
    need[CS_NEED_COMM] = true;
}

static void write_part(FILE *out, const char *name)
{
    static const char dashes[] = "/*---- ";
    const char *at = prelude_text;
    size_t n = strlen(name);
    while ((at = strstr(at, dashes))) {
        at += strlen(dashes);
        if (strncmp(at, name, n) == 0 && at[n] == ' ')
            break;
    }
    assert(at); /* every name in need_name is a part */
    const char *from = at ? strchr(at, '\n') + 1 : "", *to = strstr(from, dashes);
    fwrite(from, 1, to ? (size_t)(to - from) : 0, out);
    fputc('\n', out);
}

void cs_prelude_write(FILE *out, const bool need[CS_NEED_COUNT_])
{
    for (int i = 0; i < CS_NEED_COUNT_; i++)
        if (need[i])
            write_part(out, need_name[i]);
}
