/* SPDX-License-Identifier: BSD-3-Clause
 * What the files of this folder share: calls that hand out a request. */
#ifndef CS_TRANSMIT_INTERNAL_H
#define CS_TRANSMIT_INTERNAL_H

#include "commlib/state/call.h"

/* Makes a call that hands out a request. The program gets a handle of request_table.h, whose entry holds the library's
 * request. If `fake`, the library is not called and the entry holds none. After an error the program's variable is as
 * it was, and the entry is gone. */
int cs_transmit_request(struct cs_call *c, bool fake, bool persistent);

#endif
