/* SPDX-License-Identifier: BSD-3-Clause
 * A plan of shares in words and as JSON. */
#ifndef CS_SHARES_TEXT_H
#define CS_SHARES_TEXT_H

#include "cli/balance/host_shares.h"

/* e is shown where communication is known, else how many processes are enough is not. */
void cs_shares_print(const struct cs_host_plan *p, const struct cs_enough *e);
void cs_shares_json(const struct cs_host_plan *p, const struct cs_enough *e);

#endif
