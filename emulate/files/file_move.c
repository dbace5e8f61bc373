/* SPDX-License-Identifier: BSD-3-Clause
 * Reading and writing: where a call does, and the bytes. Nonblocking calls are done when they return, collective ones
 * wait for each other, and ordered ones let each rank begin behind what those before it asked for. */
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "emulate/collectives/coll.h"
#include "emulate/files/file.h"
#include "emulate/objects/comm.h"
#include "emulate/types/buffer_check.h"
#include "emulate/types/type.h"
#include "emulate/world/shared_memory.h"

/* ---- bytes ---- */

/* One run of bytes of the file. Returns how many were moved: fewer at the end of the file; -1 with errno. */
static int64_t move_run(const struct cs_emu_access *a, char *data, int64_t bytes, int64_t place)
{
    int64_t done = 0;
    while (done < bytes) {
        ssize_t n = a->writes ? pwrite(a->file->fd, data + done, (size_t)(bytes - done), place + done)
                              : pread(a->file->fd, data + done, (size_t)(bytes - done), place + done);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return -1;
        if (n == 0)
            break;
        done += n;
    }
    return done;
}

/* From byte `at` of the visible data on, run by run. */
static int64_t move_all(const struct cs_emu_access *a, char *data, int64_t bytes, int64_t at)
{
    int64_t done = 0;
    while (done < bytes) {
        int64_t run, place = cs_emu_view_place(&a->file->view, at + done, &run);
        int64_t want = run < bytes - done ? run : bytes - done, n = move_run(a, data + done, want, place);
        if (n < 0)
            return -1;
        done += n;
        if (n < want)
            break;
    }
    return done;
}

/* Through the buffer's own layout, and alone if the file is in atomic mode. */
static int move(struct cs_emu_access *a, int64_t at)
{
    int64_t bytes = a->count * cs_emu_type_size(a->type);
    bool dense = cs_emu_type_dense(a->type, a->count);
    char *data = dense ? a->buf : malloc((size_t)bytes + 1);
    if (bytes == 0 && dense)
        return MPI_SUCCESS;
    if (!data)
        return MPI_ERR_NO_MEM;
    if (!dense && a->writes)
        cs_emu_pack(data, a->buf, a->count, a->type);
    if (a->file->atomic)
        cs_emu_lock(&a->file->shared->lock);
    a->moved = move_all(a, data, bytes, at);
    if (a->file->atomic)
        cs_emu_unlock(&a->file->shared->lock);
    int rc = a->moved < 0 ? cs_emu_file_errno() : MPI_SUCCESS;
    if (rc == MPI_SUCCESS && !dense && !a->writes)
        cs_emu_unpack(a->buf, a->count, a->type, data, a->moved);
    if (!dense)
        free(data);
    return rc;
}

/* ---- where ---- */

void cs_emu_file_meet(struct cs_emu_file *f, const char *call)
{
    cs_emu_exchange(f->comm, NULL, 0, NULL, call);
}

/* What a rank tells the others of an ordered access: how many etypes it wants, and where the shared pointer is. */
struct turn {
    int64_t etypes, position;
};

/* All turns so far, on the way through the ranks in order. */
struct turns {
    int own;
    int64_t first, before, all;
};

static void take_turn(void *arg, int rank, const void *data, uint64_t bytes)
{
    const struct turn *t = data;
    struct turns *s = arg;
    if (bytes != sizeof *t)
        return;
    if (rank == 0)
        s->first = t->position;
    if (rank < s->own)
        s->before += t->etypes;
    s->all += t->etypes;
}

/* Rank 0 moves the pointer when all have said what they want, and nobody goes on before it has. */
static int64_t ordered_place(struct cs_emu_access *a, int64_t etypes)
{
    struct cs_emu_file *f = a->file;
    struct turn own = {etypes, atomic_load(&f->shared->position)};
    struct turns s = {.own = f->comm->rank};
    cs_emu_exchange_each(f->comm, &own, sizeof own, take_turn, &s, a->call);
    atomic_store(&f->shared->position, s.first + s.all);
    cs_emu_file_meet(f, a->call);
    return s.first + s.before;
}

/* In etypes. The pointer that the call goes by is moved on by what it asks for; an individual one later. */
static int64_t place_of(struct cs_emu_access *a)
{
    int64_t etypes = a->count * cs_emu_type_size(a->type) / a->file->view.etype_size;
    switch (a->where) {
    case CS_EMU_AT: return a->offset;
    case CS_EMU_INDIVIDUAL: return a->file->position;
    case CS_EMU_SHARED: return atomic_fetch_add(&a->file->shared->position, etypes);
    default: return ordered_place(a, etypes);
    }
}

/* ---- the call ---- */

static int check(const struct cs_emu_access *a)
{
    const struct cs_emu_file *f = a->file;
    int rc = cs_emu_check_elements(a->count, a->type);
    if (rc != MPI_SUCCESS)
        return rc;
    if (a->where == CS_EMU_AT && a->offset < 0)
        return MPI_ERR_ARG;
    if ((f->amode & MPI_MODE_SEQUENTIAL) && a->where <= CS_EMU_INDIVIDUAL)
        return MPI_ERR_UNSUPPORTED_OPERATION;
    if (a->writes && (f->amode & MPI_MODE_RDONLY))
        return MPI_ERR_READ_ONLY;
    if (!a->writes && (f->amode & MPI_MODE_WRONLY))
        return MPI_ERR_ACCESS;
    if (a->count * cs_emu_type_size(a->type) % f->view.etype_size != 0)
        return MPI_ERR_IO;
    return MPI_SUCCESS;
}

int cs_emu_file_access(struct cs_emu_access *a)
{
    int rc = check(a);
    a->moved = 0;
    if (rc != MPI_SUCCESS)
        return rc;
    if (a->collective && a->where != CS_EMU_ORDERED)
        cs_emu_file_meet(a->file, a->call);
    rc = move(a, place_of(a) * a->file->view.etype_size);
    if (rc == MPI_SUCCESS && a->where == CS_EMU_INDIVIDUAL)
        a->file->position += a->moved / a->file->view.etype_size;
    return rc;
}
