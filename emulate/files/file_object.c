/* SPDX-License-Identifier: BSD-3-Clause
 * Opening, closing and deleting files, and their handles in C and Fortran. Who opens a file together has a duplicate of
 * the communicator for it; the first of them makes the file, before the others look for it. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/grow.h"
#include "emulate/collectives/coll.h"
#include "emulate/errors/error.h"
#include "emulate/files/file.h"
#include "emulate/objects/comm.h"
#include "emulate/objects/info_object.h"
#include "emulate/world/entry.h"
#include "emulate/world/shared_heap.h"
#include "emulate/world/tape.h"

static struct cs_emu_file *opened;
MPI_Errhandler cs_emu_file_errhandler = MPI_ERRORS_RETURN;

struct cs_emu_file *cs_emu_file_of(MPI_File f)
{
    for (struct cs_emu_file *o = opened; o; o = o->next)
        if ((void *)o == (void *)f)
            return o;
    return NULL;
}

int cs_emu_file_error(struct cs_emu_file *f, int class, const char *call)
{
    MPI_File handle = (MPI_File)(void *)f;
    return cs_emu_error_for(&handle, f ? f->errhandler : cs_emu_file_errhandler, class, call);
}

int cs_emu_file_errno(void)
{
    switch (errno) {
    case ENOENT: return MPI_ERR_NO_SUCH_FILE;
    case EACCES:
    case EPERM: return MPI_ERR_ACCESS;
    case EEXIST: return MPI_ERR_FILE_EXISTS;
    case EROFS: return MPI_ERR_READ_ONLY;
    case ENOSPC: return MPI_ERR_NO_SPACE;
    case EDQUOT: return MPI_ERR_QUOTA;
    case ENAMETOOLONG:
    case ENOTDIR:
    case EISDIR: return MPI_ERR_BAD_FILE;
    case ENOMEM: return MPI_ERR_NO_MEM;
    default: return MPI_ERR_IO;
    }
}

/* Names may begin with the kind of file system, as MPICH has it: "ufs:data". */
static const char *path_of(const char *name)
{
    static const char *const kinds[] = {"ufs:", "nfs:", "xfs:", "lustre:", "gpfs:", "testfs:", "panfs:", "pvfs2:"};
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        if (strncmp(name, kinds[i], strlen(kinds[i])) == 0)
            return name + strlen(kinds[i]);
    return name;
}

/* ---- opening ---- */

static bool amode_fits(int amode)
{
    int rw = !!(amode & MPI_MODE_RDONLY) + !!(amode & MPI_MODE_WRONLY) + !!(amode & MPI_MODE_RDWR);
    return rw == 1 && !((amode & MPI_MODE_RDONLY) && (amode & (MPI_MODE_CREATE | MPI_MODE_EXCL))) &&
           !((amode & MPI_MODE_RDWR) && (amode & MPI_MODE_SEQUENTIAL));
}

static int open_fd(struct cs_emu_file *f, bool first)
{
    int flags = f->amode & MPI_MODE_RDONLY ? O_RDONLY : f->amode & MPI_MODE_WRONLY ? O_WRONLY : O_RDWR;
    if (first && (f->amode & MPI_MODE_CREATE))
        flags |= O_CREAT;
    if (first && (f->amode & MPI_MODE_EXCL))
        flags |= O_EXCL;
    f->fd = open(f->name, flags | O_CLOEXEC, 0666);
    return f->fd < 0 ? cs_emu_file_errno() : MPI_SUCCESS;
}

static struct cs_emu_file_shared *share(int users)
{
    /* A rank that plays a tape is alone, and has no use for another one's memory. */
    struct cs_emu_file_shared *s = cs_emu_alloc(sizeof *s);
    *s = (struct cs_emu_file_shared){.users = users};
    return s;
}

/* What a rank tells the others while they open a file; the first rank's `shared` is everybody's. */
struct opening {
    int rc, amode;
    struct cs_emu_file_shared *shared;
};

/* What they agree on: the first error, or one for modes that differ. */
struct agreement {
    int rc, amode;
    struct cs_emu_file_shared *shared;
};

static void agree(void *arg, int rank, const void *data, uint64_t bytes)
{
    const struct opening *o = data;
    struct agreement *a = arg;
    if (bytes != sizeof *o)
        return;
    if (rank == 0) {
        a->amode = o->amode;
        a->shared = o->shared;
    }
    if (a->rc == MPI_SUCCESS)
        a->rc = o->rc != MPI_SUCCESS ? o->rc : o->amode != a->amode ? MPI_ERR_NOT_SAME : MPI_SUCCESS;
}

static int agree_on(struct cs_emu_file *f, int rc, struct cs_emu_file_shared *own)
{
    struct opening o = {rc, f->amode, own};
    struct agreement a = {MPI_SUCCESS, 0, NULL};
    cs_emu_exchange_each(f->comm, &o, sizeof o, agree, &a, "MPI_File_open");
    f->shared = cs_emu_tape_plays() ? own ? own : share(1) : a.shared;
    return a.rc;
}

/* The first rank makes the file, if the mode asks for that, and tells the others how it went. */
static int open_together(struct cs_emu_file *f)
{
    bool first = f->comm->rank == 0;
    int rc = amode_fits(f->amode) ? MPI_SUCCESS : MPI_ERR_AMODE;
    if (rc == MPI_SUCCESS && first)
        rc = open_fd(f, true);
    rc = agree_on(f, rc, first ? share(f->comm->local->size) : NULL);
    struct cs_emu_file_shared *all = f->shared;
    if (rc != MPI_SUCCESS)
        return rc;
    if (!first)
        rc = open_fd(f, false);
    rc = agree_on(f, rc, NULL);
    f->shared = all;
    return rc;
}

static void let_go(struct cs_emu_file *f)
{
    if (f->fd >= 0)
        close(f->fd);
    if (f->shared && atomic_fetch_sub(&f->shared->users, 1) == 1)
        cs_emu_free(f->shared);
    if (f->view.etype != MPI_DATATYPE_NULL)
        cs_emu_view_clear(&f->view);
    if (f->comm)
        cs_emu_comm_end(f->comm);
    cs_emu_errhandler_release(f->errhandler);
    cs_emu_info_free(f->info);
    free(f->name);
    free(f);
}

static int start(struct cs_emu_file *f)
{
    struct stat st;
    int rc = cs_emu_view_set(&f->view, 0, MPI_BYTE, MPI_BYTE, true);
    if (rc == MPI_SUCCESS && (f->amode & MPI_MODE_APPEND) && fstat(f->fd, &st) == 0) {
        f->position = st.st_size;
        atomic_store(&f->shared->position, st.st_size);
    }
    return rc;
}

static struct cs_emu_file *new_file(struct cs_emu_comm *c, const char *name, int amode, MPI_Info info)
{
    struct cs_emu_file *f = malloc(sizeof *f);
    MPI_Comm own;
    if (!f)
        return NULL;
    *f = (struct cs_emu_file){.fd = -1,
                              .amode = amode,
                              .name = strdup(path_of(name)),
                              .errhandler = cs_emu_file_errhandler,
                              .info = cs_emu_info_dup(info),
                              .view = {.etype = MPI_DATATYPE_NULL, .filetype = MPI_DATATYPE_NULL}};
    cs_emu_errhandler_hold(f->errhandler);
    if (f->name && cs_emu_comm_make(c, cs_emu_group_hold(c->local), &own) == MPI_SUCCESS) {
        f->comm = cs_emu_comm_of(own);
        return f;
    }
    let_go(f);
    return NULL;
}

CS_EMU_CALL(int, File_open, (MPI_Comm comm, const char *name, int amode, MPI_Info info, MPI_File *fh))
{
    static const char call[] = "MPI_File_open";
    struct cs_emu_comm *c = cs_emu_comm_of(comm);
    if (!c || c->inter)
        return cs_emu_file_error(NULL, MPI_ERR_COMM, call);
    if (!name || !fh || !cs_emu_info_valid(info))
        return cs_emu_file_error(NULL, name && fh ? MPI_ERR_INFO : MPI_ERR_ARG, call);
    struct cs_emu_file *f = new_file(c, name, amode, info);
    int rc = f ? open_together(f) : MPI_ERR_NO_MEM;
    if (rc == MPI_SUCCESS)
        rc = start(f);
    *fh = MPI_FILE_NULL;
    if (rc != MPI_SUCCESS) {
        if (f)
            let_go(f);
        return cs_emu_file_error(NULL, rc, call);
    }
    f->next = opened;
    opened = f;
    *fh = (MPI_File)(void *)f;
    return MPI_SUCCESS;
}

/* ---- closing and deleting ---- */

static void take_out(struct cs_emu_file *f)
{
    struct cs_emu_file **p = &opened;
    while (*p != f)
        p = &(*p)->next;
    *p = f->next;
}

CS_EMU_CALL(int, File_close, (MPI_File * fh))
{
    static const char call[] = "MPI_File_close";
    struct cs_emu_file *f = fh ? cs_emu_file_of(*fh) : NULL;
    if (!f)
        return cs_emu_file_error(NULL, fh ? MPI_ERR_FILE : MPI_ERR_ARG, call);
    cs_emu_file_meet(f, call);
    int rc = MPI_SUCCESS;
    if ((f->amode & MPI_MODE_DELETE_ON_CLOSE) && f->comm->rank == 0 && unlink(f->name) != 0)
        rc = cs_emu_file_error(f, cs_emu_file_errno(), call);
    if (f->amode & MPI_MODE_DELETE_ON_CLOSE)
        cs_emu_file_meet(f, call);
    take_out(f);
    let_go(f);
    *fh = MPI_FILE_NULL;
    return rc;
}

CS_EMU_CALL(int, File_delete, (const char *name, MPI_Info info))
{
    (void)info;
    if (!name)
        return cs_emu_file_error(NULL, MPI_ERR_ARG, "MPI_File_delete");
    if (unlink(path_of(name)) != 0)
        return cs_emu_file_error(NULL, cs_emu_file_errno(), "MPI_File_delete");
    return MPI_SUCCESS;
}

/* ---- Fortran ---- */

/* By number, which is one more than the index; NULL where a number is free. */
static struct cs_emu_file **by_number;
static size_t nnumbers, cap;

CS_EMU_CALL(MPI_Fint, File_c2f, (MPI_File file))
{
    struct cs_emu_file *f = cs_emu_file_of(file);
    if (!f || f->number)
        return f ? f->number : 0;
    for (size_t i = 0; i < nnumbers && !f->number; i++)
        if (!cs_emu_file_of((MPI_File)(void *)by_number[i])) {
            by_number[i] = f;
            f->number = (MPI_Fint)i + 1;
        }
    if (!f->number && CS_MAKE_ROOM(by_number, nnumbers, cap)) {
        by_number[nnumbers++] = f;
        f->number = (MPI_Fint)nnumbers;
    }
    return f->number;
}

CS_EMU_CALL(MPI_File, File_f2c, (MPI_Fint file))
{
    struct cs_emu_file *f = file > 0 && (size_t)file <= nnumbers ? by_number[file - 1] : NULL;
    f = cs_emu_file_of((MPI_File)(void *)f);
    return f && f->number == file ? (MPI_File)(void *)f : MPI_FILE_NULL;
}
