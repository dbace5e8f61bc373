/* SPDX-License-Identifier: BSD-3-Clause
 * Room for buffered sends; send_room.h. What is not used of it takes no memory, and so does all of it under engine
 * emulate, which writes nothing to it. */
#define _GNU_SOURCE
#include "commlib/transmit/send_room.h"

#include <limits.h>
#include <stddef.h>
#include <sys/mman.h>

#include "commlib/backend/backend.h"
#include "commlib/backend/real_calls.h"
#include "commlib/state/run_state.h"

/* Arguments of both calls. */
enum { BUFFER, SIZE };

/* What the program has attached while the library has the room below. */
static struct {
    void *buffer; /* NULL: nothing */
    int64_t size;
} given;

/* Any address for a library that does not write there; else memory, or NULL if there is none. */
static void *room(void *buffer)
{
    static void *memory;
    if (cs_backend_emulated())
        return buffer;
    if (!memory) {
        memory = mmap(NULL, INT_MAX, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        memory = memory == MAP_FAILED ? NULL : memory;
    }
    return memory;
}

/* What the library would not take is its to refuse. */
static int attach(struct cs_call *c)
{
    void *buffer = c->a[BUFFER].p, *more;
    int64_t size = c->a[SIZE].i;
    if (!cs_run.is_slice || given.buffer || !buffer || size < MPI_BSEND_OVERHEAD || !(more = room(buffer)))
        return cs_real[c->index](c->a);
    int rc = cs_real[c->index]((union cs_arg[]){{.p = more}, {.i = INT_MAX}});
    if (rc == MPI_SUCCESS) {
        given.buffer = buffer;
        given.size = size;
    }
    return rc;
}

/* MPI_Buffer_detach_c has a size of 64 bits. */
static void store_size(const struct cs_call *c, int64_t size)
{
    if (cs_ctype_target_size(c->info->args[SIZE].ctype) == 8)
        *(int64_t *)c->a[SIZE].p = size;
    else
        *(int *)c->a[SIZE].p = (int)size;
}

static int detach(struct cs_call *c)
{
    int rc = cs_real[c->index](c->a);
    if (rc == MPI_SUCCESS && given.buffer) {
        *(void **)c->a[BUFFER].p = given.buffer;
        store_size(c, given.size);
        given.buffer = NULL;
    }
    return rc;
}

int cs_send_room(struct cs_call *c)
{
    return c->info->flags & CS_MPI_SETS ? attach(c) : detach(c);
}
