/* SPDX-License-Identifier: BSD-3-Clause
 * Lines of point-to-point actions in a SimGrid time-independent trace; see ti.h. */
#include <inttypes.h>

#include "cli/export/ti.h"

static int64_t ti_tag(int64_t tag)
{
    return tag == CS_ANY ? CS_TI_ANY_TAG : tag;
}

static int ti_source(int source)
{
    return source >= 0 ? source : CS_TI_ANY_SOURCE;
}

static void put_message(FILE *out, int rank, const char *what, int peer, int64_t tag, uint64_t bytes)
{
    fprintf(out, "%d %s %d %" PRId64 " %" PRIu64 " %d\n", rank, what, peer, ti_tag(tag), bytes, CS_TI_BYTE);
}

void cs_ti_send(FILE *out, int rank, int dest, int64_t tag, uint64_t bytes)
{
    put_message(out, rank, "send", dest, tag, bytes);
}

void cs_ti_isend(FILE *out, int rank, int dest, int64_t tag, uint64_t bytes)
{
    put_message(out, rank, "isend", dest, tag, bytes);
}

void cs_ti_recv(FILE *out, int rank, int source, int64_t tag, uint64_t bytes)
{
    put_message(out, rank, "recv", ti_source(source), tag, bytes);
}

void cs_ti_irecv(FILE *out, int rank, int source, int64_t tag, uint64_t bytes)
{
    put_message(out, rank, "irecv", ti_source(source), tag, bytes);
}

void cs_ti_wait(FILE *out, int source, int dest, int64_t tag, int rank)
{
    fprintf(out, "%d wait %d %d %" PRId64 "\n", rank, ti_source(source), dest, ti_tag(tag));
}
