/* SPDX-License-Identifier: BSD-3-Clause
 * The MPI calls that read and write: blocking, nonblocking, and in two halves. */
#include <stddef.h>

#include "emulate/files/file.h"
#include "emulate/messages/request.h"
#include "emulate/messages/status.h"
#include "emulate/world/entry.h"

/* What `access` has found, for the caller. */
static int blocking(struct cs_emu_access *a, MPI_Status *status)
{
    int rc = a->file ? cs_emu_file_access(a) : MPI_ERR_FILE;
    if (rc != MPI_SUCCESS)
        return cs_emu_file_error(a->file, rc, a->call);
    cs_emu_status_set(status, MPI_ANY_SOURCE, MPI_ANY_TAG, a->moved, false);
    return MPI_SUCCESS;
}

/* A request that is complete, with the status of the access. */
static int nonblocking(struct cs_emu_access *a, MPI_Request *request)
{
    int rc = !a->file ? MPI_ERR_FILE : !request ? MPI_ERR_ARG : cs_emu_file_access(a);
    struct cs_emu_req *r = rc == MPI_SUCCESS ? cs_emu_req_new(CS_EMU_REQ_RECV, NULL, MPI_DATATYPE_NULL) : NULL;
    if (rc == MPI_SUCCESS && !r)
        rc = MPI_ERR_NO_MEM;
    if (rc != MPI_SUCCESS)
        return cs_emu_file_error(a->file, rc, a->call);
    r->source = MPI_ANY_SOURCE;
    r->got_tag = MPI_ANY_TAG;
    r->bytes = a->moved;
    r->complete = true;
    *request = r->handle;
    return MPI_SUCCESS;
}

/* The first half does all of it; `end` is the name of the call that makes the second. */
static int begin(struct cs_emu_access *a, const char *end)
{
    int rc = !a->file ? MPI_ERR_FILE : a->file->split ? MPI_ERR_IO : cs_emu_file_access(a);
    if (rc != MPI_SUCCESS)
        return cs_emu_file_error(a->file, rc, a->call);
    a->file->split = end;
    a->file->split_bytes = a->moved;
    return MPI_SUCCESS;
}

static int end(MPI_File fh, const char *call, MPI_Status *status)
{
    struct cs_emu_file *f = cs_emu_file_of(fh);
    if (!f || f->split != call)
        return cs_emu_file_error(f, f ? MPI_ERR_IO : MPI_ERR_FILE, call);
    f->split = NULL;
    cs_emu_status_set(status, MPI_ANY_SOURCE, MPI_ANY_TAG, f->split_bytes, false);
    return MPI_SUCCESS;
}

// clang-format off
#define ACCESS(name_, writes_, collective_, where_, offset_) \
    { .call = "MPI_File_" #name_, .file = cs_emu_file_of(fh), .writes = (writes_), .collective = (collective_), \
      .where = (where_), .offset = (offset_), .buf = (void *)buf, .count = count, .type = type }
// clang-format on

/* The forms of calls, each with int and with large counts; `of` is the buffer's type. */
#define BLOCKING(name, of, writes, collective, where, COUNT) \
    CS_EMU_CALL(int, File_##name, (MPI_File fh, of buf, COUNT count, MPI_Datatype type, MPI_Status * status)) \
    { \
        struct cs_emu_access a = ACCESS(name, writes, collective, where, 0); \
        return blocking(&a, status); \
    }
#define NONBLOCKING(name, of, writes, where, COUNT) \
    CS_EMU_CALL(int, File_##name, (MPI_File fh, of buf, COUNT count, MPI_Datatype type, MPI_Request * request)) \
    { \
        struct cs_emu_access a = ACCESS(name, writes, false, where, 0); \
        return nonblocking(&a, request); \
    }
#define BEGINNING(name, end_, of, writes, where, COUNT) \
    CS_EMU_CALL(int, File_##name, (MPI_File fh, of buf, COUNT count, MPI_Datatype type)) \
    { \
        struct cs_emu_access a = ACCESS(name, writes, true, where, 0); \
        return begin(&a, end_); \
    }
#define BLOCKING_AT(name, of, writes, collective, COUNT) \
    CS_EMU_CALL(int, File_##name, \
                (MPI_File fh, MPI_Offset offset, of buf, COUNT count, MPI_Datatype type, MPI_Status * status)) \
    { \
        struct cs_emu_access a = ACCESS(name, writes, collective, CS_EMU_AT, offset); \
        return blocking(&a, status); \
    }
#define NONBLOCKING_AT(name, of, writes, COUNT) \
    CS_EMU_CALL(int, File_##name, \
                (MPI_File fh, MPI_Offset offset, of buf, COUNT count, MPI_Datatype type, MPI_Request * request)) \
    { \
        struct cs_emu_access a = ACCESS(name, writes, false, CS_EMU_AT, offset); \
        return nonblocking(&a, request); \
    }
#define BEGINNING_AT(name, end_, of, writes, COUNT) \
    CS_EMU_CALL(int, File_##name, (MPI_File fh, MPI_Offset offset, of buf, COUNT count, MPI_Datatype type)) \
    { \
        struct cs_emu_access a = ACCESS(name, writes, true, CS_EMU_AT, offset); \
        return begin(&a, end_); \
    }
#define ORDERED(name, of, writes) \
    BLOCKING(name, of, writes, true, CS_EMU_ORDERED, int) \
    BLOCKING(name##_c, of, writes, true, CS_EMU_ORDERED, MPI_Count)
#define PLAIN(name, iname, of, writes, collective, where) \
    BLOCKING(name, of, writes, collective, where, int) \
    BLOCKING(name##_c, of, writes, collective, where, MPI_Count) \
    NONBLOCKING(iname, of, writes, where, int) \
    NONBLOCKING(iname##_c, of, writes, where, MPI_Count)
#define AT(name, iname, of, writes, collective) \
    BLOCKING_AT(name, of, writes, collective, int) \
    BLOCKING_AT(name##_c, of, writes, collective, MPI_Count) \
    NONBLOCKING_AT(iname, of, writes, int) \
    NONBLOCKING_AT(iname##_c, of, writes, MPI_Count)
/* The names of a call in two halves, and the second half. */
#define END(name, of) \
    static const char end_of_##name[] = "MPI_File_" #name "_end"; \
    CS_EMU_CALL(int, File_##name##_end, (MPI_File fh, of buf, MPI_Status * status)) \
    { \
        (void)buf; \
        return end(fh, end_of_##name, status); \
    }
#define HALVES(name, of, writes, where) \
    END(name, of) \
    BEGINNING(name##_begin, end_of_##name, of, writes, where, int) \
    BEGINNING(name##_begin_c, end_of_##name, of, writes, where, MPI_Count)
#define HALVES_AT(name, of, writes) \
    END(name, of) \
    BEGINNING_AT(name##_begin, end_of_##name, of, writes, int) \
    BEGINNING_AT(name##_begin_c, end_of_##name, of, writes, MPI_Count)

AT(read_at, iread_at, void *, false, false)
AT(write_at, iwrite_at, const void *, true, false)
AT(read_at_all, iread_at_all, void *, false, true)
AT(write_at_all, iwrite_at_all, const void *, true, true)
PLAIN(read, iread, void *, false, false, CS_EMU_INDIVIDUAL)
PLAIN(write, iwrite, const void *, true, false, CS_EMU_INDIVIDUAL)
PLAIN(read_all, iread_all, void *, false, true, CS_EMU_INDIVIDUAL)
PLAIN(write_all, iwrite_all, const void *, true, true, CS_EMU_INDIVIDUAL)
PLAIN(read_shared, iread_shared, void *, false, false, CS_EMU_SHARED)
PLAIN(write_shared, iwrite_shared, const void *, true, false, CS_EMU_SHARED)
ORDERED(read_ordered, void *, false)
ORDERED(write_ordered, const void *, true)
HALVES_AT(read_at_all, void *, false)
HALVES_AT(write_at_all, const void *, true)
HALVES(read_all, void *, false, CS_EMU_INDIVIDUAL)
HALVES(write_all, const void *, true, CS_EMU_INDIVIDUAL)
HALVES(read_ordered, void *, false, CS_EMU_ORDERED)
HALVES(write_ordered, const void *, true, CS_EMU_ORDERED)
