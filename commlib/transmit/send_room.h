/* SPDX-License-Identifier: BSD-3-Clause
 * The buffer that a program attaches for its buffered sends. A slice may be ahead of its receivers, as it does not wait
 * for acknowledgements that decide nothing: then more messages are under way than the buffer has room for, though the
 * program is right. */
#ifndef CS_SEND_ROOM_H
#define CS_SEND_ROOM_H

#include "commlib/state/call.h"

/* MPI_Buffer_attach and MPI_Buffer_detach: gives the library more room than the program does, in a slice; the program
 * is given back what it has attached. Returns the MPI error code. */
int cs_send_room(struct cs_call *c);

#endif
