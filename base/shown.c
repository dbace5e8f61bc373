/* SPDX-License-Identifier: BSD-3-Clause
 * Cuts what is shown; shown.h. */
#include "base/shown.h"

#include <stdio.h>

void cs_shown(char out[CS_SHOWN_SIZE], const char *text, int n)
{
    enum { HEAD = 80, TAIL = 20, MOST = HEAD + TAIL + 3 };
    if (n <= MOST)
        snprintf(out, CS_SHOWN_SIZE, "%.*s", n, text);
    else
        snprintf(out, CS_SHOWN_SIZE, "%.*s...%.*s", HEAD, text, TAIL, text + n - TAIL);
}
