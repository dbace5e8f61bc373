/* SPDX-License-Identifier: BSD-3-Clause
 * MPI-IO: calls on files happen as written, or not at all. All calls on one file have the same mark, as none of them
 * can be left out that the others need: the position of a file, its views, and collective calls on it. */
#ifndef CS_TRANSMIT_FILES_H
#define CS_TRANSMIT_FILES_H

#include "commlib/state/call.h"

/* Makes a call of kind IO. Returns the MPI error code. */
int cs_file_call(struct cs_call *c);

#endif
