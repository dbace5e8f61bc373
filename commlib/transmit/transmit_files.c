/* SPDX-License-Identifier: BSD-3-Clause
 * The calls of transmit_files.h. A file of which nothing matters is opened as /dev/null, by each rank alone: its handle
 * is then one that the library knows, whatever it is asked of it. */
#include "commlib/transmit/transmit_files.h"

#include <assert.h>

#include "api/marks.h"
#include "commlib/backend/real_calls.h"
#include "commlib/record/file_numbers.h"
#include "commlib/transmit/finish_requests.h"
#include "commlib/transmit/transmit_internal.h"

static int open_file(struct cs_call *c)
{
    MPI_File *file = cs_call_ptr(c, CS_ROLE_NEWFILE);
    bool real = c->mark == CS_MARK_CONTENT;
    int rc =
        real ? cs_real[c->index](c->a) : PMPI_File_open(MPI_COMM_SELF, "/dev/null", MPI_MODE_RDWR, MPI_INFO_NULL, file);
    if (rc == MPI_SUCCESS)
        cs_file_opened(*file);
    return rc;
}

/* Which closes the one that stands for it, too. */
static int close_file(struct cs_call *c)
{
    cs_file_closed(*(MPI_File *)cs_call_ptr(c, CS_ROLE_FILE_UPD));
    return cs_real[c->index](c->a);
}

/* Bytes that the call would read or write; 0 if it does not say so. */
static int64_t asked(const struct cs_call *c)
{
    int at = c->shape->at[cs_call_has(c, CS_ROLE_SBUF) ? CS_ROLE_SBUF : CS_ROLE_RBUF];
    MPI_Count size;
    if (at < 0 || c->info->args[at].type_arg < 0)
        return 0;
    int rc = PMPI_Type_size_x((MPI_Datatype)c->a[c->info->args[at].type_arg].i, &size);
    return rc == MPI_SUCCESS && size > 0 ? size * c->a[c->info->args[at].count_arg].i : 0;
}

static int leave_out(struct cs_call *c)
{
    if (cs_call_has(c, CS_ROLE_REQ_OUT))
        return cs_transmit_request(c, true, false);
    if (cs_call_has(c, CS_ROLE_STATUS))
        cs_fill_fake_status(cs_call_ptr(c, CS_ROLE_STATUS), MPI_ANY_SOURCE, MPI_ANY_TAG, asked(c), false);
    return MPI_SUCCESS;
}

int cs_file_call(struct cs_call *c)
{
    assert(c->info->kind == CS_MPI_IO && c->mark != CS_MARK_ENVELOPE);
    if (cs_call_has(c, CS_ROLE_NEWFILE))
        return open_file(c);
    if (cs_call_has(c, CS_ROLE_FILE_UPD))
        return close_file(c);
    if (c->mark != CS_MARK_CONTENT)
        return leave_out(c);
    return cs_call_has(c, CS_ROLE_REQ_OUT) ? cs_transmit_request(c, false, false) : cs_real[c->index](c->a);
}
