/* SPDX-License-Identifier: BSD-3-Clause
 * The memory of another rank. What is at the same address here, the rank's own and that of MPI_Win_allocate_shared, is
 * copied; all else the kernel copies between the two processes (process_vm_readv), run of bytes by run of bytes. */
#define _GNU_SOURCE
#include <errno.h>
#include <string.h>
#include <sys/uio.h>

#include "emulate/errors/error.h"
#include "emulate/objects/comm.h"
#include "emulate/types/type.h"
#include "emulate/windows/window.h"

/* Runs of one call of the kernel, and bytes of one of them. */
enum { MOST_RUNS = 512 };
#define MOST_BYTES (INT64_C(1) << 30)

/* Runs of a process's memory that go to or come from `packed`, in packing order. */
struct mover {
    int pid;
    bool writes, failed;
    char *packed; /* the next byte */
    char *origin; /* of the element at hand */
    struct iovec run[MOST_RUNS];
    int nruns;
    int64_t bytes; /* of all runs */
};

static void move_runs(struct mover *m)
{
    struct iovec here = {m->packed, (size_t)m->bytes};
    if (m->nruns == 0 || m->failed)
        return;
    ssize_t n = m->writes ? process_vm_writev(m->pid, &here, 1, m->run, (unsigned long)m->nruns, 0)
                          : process_vm_readv(m->pid, &here, 1, m->run, (unsigned long)m->nruns, 0);
    m->failed = n != m->bytes;
    m->packed += m->bytes;
    m->nruns = 0;
    m->bytes = 0;
}

static void add_run(struct mover *m, char *at, int64_t bytes)
{
    struct iovec *last = m->nruns ? &m->run[m->nruns - 1] : NULL;
    if (last && (char *)last->iov_base + last->iov_len == at && m->bytes + bytes <= MOST_BYTES) {
        last->iov_len += (size_t)bytes;
        m->bytes += bytes;
        return;
    }
    if (m->nruns == MOST_RUNS || m->bytes + bytes > MOST_BYTES)
        move_runs(m);
    m->run[m->nruns++] = (struct iovec){at, (size_t)bytes};
    m->bytes += bytes;
}

static void take_run(void *arg, int64_t at, int64_t bytes)
{
    struct mover *m = arg;
    for (int64_t done = 0; done < bytes; done += MOST_BYTES)
        add_run(m, m->origin + at + done, bytes - done < MOST_BYTES ? bytes - done : MOST_BYTES);
}

static int move_between(const struct cs_emu_there *t, int pid, char *at, char *packed, bool writes)
{
    struct mover m = {.pid = pid, .writes = writes, .packed = packed, .origin = at};
    int64_t extent = cs_emu_type_extent(t->type);
    if (cs_emu_type_dense(t->type, t->count))
        take_run(&m, 0, t->count * cs_emu_type_size(t->type));
    else
        for (int64_t i = 0; i < t->count; i++, m.origin += extent)
            cs_emu_type_runs(t->type, take_run, &m);
    move_runs(&m);
    if (!m.failed)
        return MPI_SUCCESS;
    cs_emu_error_detail("memory of rank %d at %p: %s", t->target, (void *)at, strerror(errno));
    return MPI_ERR_RMA_RANGE;
}

/* Is what these elements touch in the memory that all ranks of the window share? */
static bool inside(const struct cs_emu_there *t, const char *at)
{
    const struct cs_emu_win_shared *s = t->win->shared;
    int64_t lb, extent, step = cs_emu_type_extent(t->type);
    cs_emu_type_true(t->type, &lb, &extent);
    const char *first = at + lb, *last = first + (t->count - 1) * step;
    if (first > last) {
        const char *swap = first;
        first = last;
        last = swap;
    }
    return first >= s->memory && last + extent <= s->memory + s->bytes;
}

static int move(const struct cs_emu_there *t, char *packed, bool writes)
{
    const struct cs_emu_win *w = t->win;
    const struct cs_emu_win_part *p = &w->shared->part[t->target];
    int64_t bytes = t->count * cs_emu_type_size(t->type);
    char *at = w->flavor == MPI_WIN_FLAVOR_DYNAMIC ? (char *)t->disp : p->base + t->disp * p->disp_unit;
    if (bytes == 0)
        return MPI_SUCCESS;
    if (w->shared->memory && !inside(t, at))
        return MPI_ERR_RMA_RANGE;
    if (!w->shared->memory && t->target != w->comm->rank)
        return move_between(t, p->pid, at, packed, writes);
    if (writes)
        cs_emu_unpack(at, t->count, t->type, packed, bytes);
    else
        cs_emu_pack(packed, at, t->count, t->type);
    return MPI_SUCCESS;
}

int cs_emu_win_read(const struct cs_emu_there *t, char *packed)
{
    return move(t, packed, false);
}

int cs_emu_win_write(const struct cs_emu_there *t, char *packed)
{
    return move(t, packed, true);
}
