/* SPDX-License-Identifier: BSD-3-Clause
 * What a program asks and says of an open file beside its data: view, positions, size, mode, hints, error handler. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "emulate/collectives/coll.h"
#include "emulate/errors/error.h"
#include "emulate/files/file.h"
#include "emulate/objects/comm.h"
#include "emulate/objects/info_object.h"
#include "emulate/types/type.h"
#include "emulate/world/entry.h"

/* The end of a call with this error class, MPI_SUCCESS included. */
static int done(struct cs_emu_file *f, int class, const char *call)
{
    return class == MPI_SUCCESS ? MPI_SUCCESS : cs_emu_file_error(f, class, call);
}

/* MPI_ERR_FILE without a file, MPI_ERR_ARG without a place for the answer. */
static int check(const struct cs_emu_file *f, const void *out)
{
    return !f ? MPI_ERR_FILE : out ? MPI_SUCCESS : MPI_ERR_ARG;
}

/* ---- view ---- */

static bool is_native(const char *datarep)
{
    return strcmp(datarep, "native") == 0 || strcmp(datarep, "internal") == 0;
}

CS_EMU_CALL(int, File_set_view,
            (MPI_File fh, MPI_Offset disp, MPI_Datatype etype, MPI_Datatype filetype, const char *datarep,
             MPI_Info info))
{
    static const char call[] = "MPI_File_set_view";
    struct cs_emu_file *f = cs_emu_file_of(fh);
    struct cs_emu_view v;
    (void)info;
    int rc = check(f, datarep);
    if (rc == MPI_SUCCESS && disp == MPI_DISPLACEMENT_CURRENT && !(f->amode & MPI_MODE_SEQUENTIAL))
        rc = MPI_ERR_ARG;
    if (rc == MPI_SUCCESS && disp == MPI_DISPLACEMENT_CURRENT)
        disp = f->view.disp + f->shared->position * f->view.etype_size;
    if (rc == MPI_SUCCESS && !is_native(datarep))
        rc = MPI_ERR_UNSUPPORTED_DATAREP;
    if (rc == MPI_SUCCESS)
        rc = cs_emu_view_set(&v, disp, etype, filetype, !(f->amode & MPI_MODE_RDONLY));
    if (rc != MPI_SUCCESS)
        return done(f, rc, call);
    cs_emu_file_meet(f, call);
    cs_emu_view_clear(&f->view);
    f->view = v;
    f->position = 0;
    if (f->comm->rank == 0)
        atomic_store(&f->shared->position, 0);
    cs_emu_file_meet(f, call);
    return MPI_SUCCESS;
}

CS_EMU_CALL(int, File_get_view,
            (MPI_File fh, MPI_Offset *disp, MPI_Datatype *etype, MPI_Datatype *filetype, char *datarep))
{
    struct cs_emu_file *f = cs_emu_file_of(fh);
    int rc = check(f, disp && etype && filetype && datarep ? datarep : NULL);
    if (rc != MPI_SUCCESS)
        return done(f, rc, "MPI_File_get_view");
    *disp = f->view.disp;
    *etype = f->view.etype;
    *filetype = f->view.filetype;
    cs_emu_type_hold(*etype); /* the program frees them, if they are its own */
    cs_emu_type_hold(*filetype);
    strcpy(datarep, "native");
    return MPI_SUCCESS;
}

CS_EMU_CALL(int, File_get_byte_offset, (MPI_File fh, MPI_Offset offset, MPI_Offset *disp))
{
    struct cs_emu_file *f = cs_emu_file_of(fh);
    int64_t run;
    int rc = check(f, disp);
    if (rc == MPI_SUCCESS && offset < 0)
        rc = MPI_ERR_ARG;
    if (rc == MPI_SUCCESS)
        *disp = cs_emu_view_place(&f->view, offset * f->view.etype_size, &run);
    return done(f, rc, "MPI_File_get_byte_offset");
}

/* Each is there with both types of the extent. */
#define TYPE_EXTENT(name, EXTENT) \
    CS_EMU_CALL(int, name, (MPI_File fh, MPI_Datatype datatype, EXTENT * extent)) \
    { \
        struct cs_emu_file *f = cs_emu_file_of(fh); \
        int rc = check(f, extent); \
        if (rc == MPI_SUCCESS && cs_emu_type_size(datatype) < 0) \
            rc = MPI_ERR_TYPE; \
        if (rc == MPI_SUCCESS) \
            *extent = cs_emu_type_extent(datatype); \
        return done(f, rc, "MPI_" #name); \
    }

TYPE_EXTENT(File_get_type_extent, MPI_Aint)
TYPE_EXTENT(File_get_type_extent_c, MPI_Count)

/* ---- positions ---- */

/* The end of the file in etypes of the view: the first that is not there whole. */
static int64_t end_of(const struct cs_emu_file *f)
{
    struct stat st;
    if (fstat(f->fd, &st) != 0)
        return 0;
    int64_t data = cs_emu_view_data_before(&f->view, st.st_size);
    return (data + f->view.etype_size - 1) / f->view.etype_size;
}

/* Where a seek goes to, in etypes; -1: nowhere. */
static int64_t sought(const struct cs_emu_file *f, int64_t current, int64_t offset, int whence)
{
    int64_t from = whence == MPI_SEEK_SET ? 0 : whence == MPI_SEEK_CUR ? current : end_of(f);
    bool known = whence == MPI_SEEK_SET || whence == MPI_SEEK_CUR || whence == MPI_SEEK_END;
    return known && from + offset >= 0 ? from + offset : -1;
}

CS_EMU_CALL(int, File_seek, (MPI_File fh, MPI_Offset offset, int whence))
{
    struct cs_emu_file *f = cs_emu_file_of(fh);
    int rc = !f ? MPI_ERR_FILE : f->amode & MPI_MODE_SEQUENTIAL ? MPI_ERR_UNSUPPORTED_OPERATION : MPI_SUCCESS;
    int64_t to = rc == MPI_SUCCESS ? sought(f, f->position, offset, whence) : 0;
    if (rc == MPI_SUCCESS && to < 0)
        rc = MPI_ERR_ARG;
    if (rc == MPI_SUCCESS)
        f->position = to;
    return done(f, rc, "MPI_File_seek");
}

CS_EMU_CALL(int, File_get_position, (MPI_File fh, MPI_Offset *offset))
{
    struct cs_emu_file *f = cs_emu_file_of(fh);
    int rc = check(f, offset);
    if (rc == MPI_SUCCESS && (f->amode & MPI_MODE_SEQUENTIAL))
        rc = MPI_ERR_UNSUPPORTED_OPERATION;
    if (rc == MPI_SUCCESS)
        *offset = f->position;
    return done(f, rc, "MPI_File_get_position");
}

CS_EMU_CALL(int, File_seek_shared, (MPI_File fh, MPI_Offset offset, int whence))
{
    static const char call[] = "MPI_File_seek_shared";
    struct cs_emu_file *f = cs_emu_file_of(fh);
    if (!f)
        return done(f, MPI_ERR_FILE, call);
    cs_emu_file_meet(f, call);
    int64_t to = sought(f, atomic_load(&f->shared->position), offset, whence);
    cs_emu_file_meet(f, call);
    if (to >= 0)
        atomic_store(&f->shared->position, to);
    cs_emu_file_meet(f, call);
    return done(f, to < 0 ? MPI_ERR_ARG : MPI_SUCCESS, call);
}

CS_EMU_CALL(int, File_get_position_shared, (MPI_File fh, MPI_Offset *offset))
{
    struct cs_emu_file *f = cs_emu_file_of(fh);
    int rc = check(f, offset);
    if (rc == MPI_SUCCESS)
        *offset = atomic_load(&f->shared->position);
    return done(f, rc, "MPI_File_get_position_shared");
}

/* ---- size ---- */

static void take_worst(void *arg, int rank, const void *data, uint64_t bytes)
{
    int *worst = arg;
    (void)rank;
    if (bytes == sizeof *worst && *worst == MPI_SUCCESS)
        *worst = *(const int *)data;
}

/* The error that one of them has found, for all. */
static int same_for_all(struct cs_emu_file *f, int rc, const char *call)
{
    int worst = MPI_SUCCESS;
    cs_emu_exchange_each(f->comm, &rc, sizeof rc, take_worst, &worst, call);
    return worst;
}

CS_EMU_CALL(int, File_set_size, (MPI_File fh, MPI_Offset size))
{
    static const char call[] = "MPI_File_set_size";
    struct cs_emu_file *f = cs_emu_file_of(fh);
    int rc = !f ? MPI_ERR_FILE : size < 0 ? MPI_ERR_ARG : f->amode & MPI_MODE_RDONLY ? MPI_ERR_READ_ONLY : MPI_SUCCESS;
    if (rc != MPI_SUCCESS)
        return done(f, rc, call);
    cs_emu_file_meet(f, call);
    if (f->comm->rank == 0 && ftruncate(f->fd, size) != 0)
        rc = cs_emu_file_errno();
    return done(f, same_for_all(f, rc, call), call);
}

CS_EMU_CALL(int, File_preallocate, (MPI_File fh, MPI_Offset size))
{
    static const char call[] = "MPI_File_preallocate";
    struct cs_emu_file *f = cs_emu_file_of(fh);
    int rc = !f ? MPI_ERR_FILE : size < 0 ? MPI_ERR_ARG : MPI_SUCCESS;
    if (rc != MPI_SUCCESS)
        return done(f, rc, call);
    cs_emu_file_meet(f, call);
    if (f->comm->rank == 0 && size > 0 && (errno = posix_fallocate(f->fd, 0, size)) != 0)
        rc = cs_emu_file_errno();
    return done(f, same_for_all(f, rc, call), call);
}

CS_EMU_CALL(int, File_get_size, (MPI_File fh, MPI_Offset *size))
{
    struct cs_emu_file *f = cs_emu_file_of(fh);
    struct stat st;
    int rc = check(f, size);
    if (rc == MPI_SUCCESS && fstat(f->fd, &st) != 0)
        rc = cs_emu_file_errno();
    if (rc == MPI_SUCCESS)
        *size = st.st_size;
    return done(f, rc, "MPI_File_get_size");
}

/* What one has written the others see anyhow. */
CS_EMU_CALL(int, File_sync, (MPI_File fh))
{
    static const char call[] = "MPI_File_sync";
    struct cs_emu_file *f = cs_emu_file_of(fh);
    if (f)
        cs_emu_file_meet(f, call);
    return done(f, f ? MPI_SUCCESS : MPI_ERR_FILE, call);
}

/* ---- mode, group, hints ---- */

CS_EMU_CALL(int, File_set_atomicity, (MPI_File fh, int flag))
{
    static const char call[] = "MPI_File_set_atomicity";
    struct cs_emu_file *f = cs_emu_file_of(fh);
    if (!f)
        return done(f, MPI_ERR_FILE, call);
    cs_emu_file_meet(f, call);
    f->atomic = flag;
    return MPI_SUCCESS;
}

CS_EMU_CALL(int, File_get_atomicity, (MPI_File fh, int *flag))
{
    struct cs_emu_file *f = cs_emu_file_of(fh);
    int rc = check(f, flag);
    if (rc == MPI_SUCCESS)
        *flag = f->atomic;
    return done(f, rc, "MPI_File_get_atomicity");
}

CS_EMU_CALL(int, File_get_amode, (MPI_File fh, int *amode))
{
    struct cs_emu_file *f = cs_emu_file_of(fh);
    int rc = check(f, amode);
    if (rc == MPI_SUCCESS)
        *amode = f->amode;
    return done(f, rc, "MPI_File_get_amode");
}

CS_EMU_CALL(int, File_get_group, (MPI_File fh, MPI_Group *group))
{
    struct cs_emu_file *f = cs_emu_file_of(fh);
    int rc = check(f, group);
    if (rc == MPI_SUCCESS && (*group = cs_emu_group_handle(cs_emu_group_hold(f->comm->local))) == MPI_GROUP_NULL)
        rc = MPI_ERR_NO_MEM;
    return done(f, rc, "MPI_File_get_group");
}

CS_EMU_CALL(int, File_set_info, (MPI_File fh, MPI_Info info))
{
    static const char call[] = "MPI_File_set_info";
    struct cs_emu_file *f = cs_emu_file_of(fh);
    int rc = !f ? MPI_ERR_FILE : info == MPI_INFO_NULL || !cs_emu_info_valid(info) ? MPI_ERR_INFO : MPI_SUCCESS;
    if (rc != MPI_SUCCESS)
        return done(f, rc, call);
    cs_emu_file_meet(f, call);
    cs_emu_info_free(f->info);
    f->info = cs_emu_info_dup(info);
    return MPI_SUCCESS;
}

CS_EMU_CALL(int, File_get_info, (MPI_File fh, MPI_Info *info))
{
    struct cs_emu_file *f = cs_emu_file_of(fh);
    int rc = check(f, info);
    if (rc == MPI_SUCCESS) {
        *info = f->info == MPI_INFO_NULL ? cs_emu_info_new() : cs_emu_info_dup(f->info);
        rc = *info == MPI_INFO_NULL ? MPI_ERR_NO_MEM : MPI_SUCCESS;
    }
    return done(f, rc, "MPI_File_get_info");
}

/* ---- error handlers ---- */

CS_EMU_CALL(int, File_set_errhandler, (MPI_File fh, MPI_Errhandler errhandler))
{
    struct cs_emu_file *f = cs_emu_file_of(fh);
    MPI_Errhandler *at = f ? &f->errhandler : &cs_emu_file_errhandler;
    if (!f && fh != MPI_FILE_NULL)
        return done(f, MPI_ERR_FILE, "MPI_File_set_errhandler");
    if (!cs_emu_errhandler_valid(errhandler))
        return done(f, MPI_ERR_ARG, "MPI_File_set_errhandler");
    cs_emu_errhandler_hold(errhandler);
    cs_emu_errhandler_release(*at);
    *at = errhandler;
    return MPI_SUCCESS;
}

CS_EMU_CALL(int, File_get_errhandler, (MPI_File fh, MPI_Errhandler *errhandler))
{
    struct cs_emu_file *f = cs_emu_file_of(fh);
    if (!errhandler || (!f && fh != MPI_FILE_NULL))
        return done(f, errhandler ? MPI_ERR_FILE : MPI_ERR_ARG, "MPI_File_get_errhandler");
    *errhandler = f ? f->errhandler : cs_emu_file_errhandler;
    cs_emu_errhandler_hold(*errhandler);
    return MPI_SUCCESS;
}

CS_EMU_CALL(int, File_call_errhandler, (MPI_File fh, int errorcode))
{
    struct cs_emu_file *f = cs_emu_file_of(fh);
    MPI_File handle = fh;
    if (!f && fh != MPI_FILE_NULL)
        return done(f, MPI_ERR_FILE, "MPI_File_call_errhandler");
    cs_emu_errhandler_call_for(&handle, f ? f->errhandler : cs_emu_file_errhandler, errorcode,
                               "MPI_File_call_errhandler");
    return MPI_SUCCESS;
}
