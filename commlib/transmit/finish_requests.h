/* SPDX-License-Identifier: BSD-3-Clause
 * The calls that end requests, fake or real. cs_finish_requests and cs_cancel_or_free return an MPI error code;
 * MPI_ERR_NO_MEM when memory is out. */
#ifndef CS_FINISH_REQUESTS_H
#define CS_FINISH_REQUESTS_H

#include <stdbool.h>
#include <stdint.h>

#include "commlib/state/call.h"

/* Sets the status of a message that was not transmitted. s may be MPI_STATUS_IGNORE or NULL. If source is MPI_PROC_NULL
 * the tag becomes MPI_ANY_TAG and the length 0. */
void cs_fill_fake_status(MPI_Status *s, int source, int tag, int64_t bytes, bool cancelled);
/* Wait*, Test* and Request_get_status. Sets c->polled_in_vain if the call found nothing done. */
int cs_finish_requests(struct cs_call *c);
/* MPI_Cancel and MPI_Request_free. */
int cs_cancel_or_free(struct cs_call *c);

#endif
