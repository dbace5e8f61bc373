/* SPDX-License-Identifier: BSD-3-Clause
 * Stands in for the C library's functions that open, read, write, rename and look for files, notes what they do where
 * no-read-back is to be checked (rank_files.h), and hands each call on. The Fortran and C++ libraries call them too;
 * what the C library calls inside of itself is not seen, so each function that opens a file is here.
 *
 * A file that is open to read counts as read until it is closed. One that is open for both counts as read and written
 * by read() and write(); of a stream of C, which reads and writes unseen, both count at once. What an MPI library opens
 * is not the program's. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include "api/assumption.h"
#include "base/cold.h"
#include "base/environment.h"
#include "commlib/files/rank_files.h"
#include "commlib/state/call.h"
#include "commlib/state/own_slice.h"

#define VISIBLE __attribute__((visibility("default")))

/* A function of the C library. All that are used here are in a section of their own, so that they can be looked up
 * before ranks are forked, and not by each rank. */
struct real {
    const char *name;
    void *function;
};
extern struct real __start_cs_file_calls[], __stop_cs_file_calls[];

static void look_up(struct real *r)
{
    if (!r->function)
        r->function = dlsym(RTLD_NEXT, r->name);
}

/* The C library's function of this name, as a pointer of the same type. */
#define REAL(NAME) \
    static struct real found __attribute__((section("cs_file_calls"))) = {#NAME, NULL}; \
    look_up(&found); \
    __typeof__(NAME) *real = (__typeof__(NAME) *)found.function

/* A descriptor: `file` is 1 + the file's number, 0 if it is not followed; open to read, or for both. */
struct followed {
    int file;
    bool to_read;
};
enum { FDS = 4096 }; /* descriptors above are not followed */
static struct followed open_fd[FDS] CS_COLD;

__attribute__((constructor)) static void begin(void)
{
    char err[128];
    for (struct real *r = __start_cs_file_calls; r < __stop_cs_file_calls; r++)
        look_up(r);
    if (!getenv(CS_ENV_TRACE) || cs_own_slice_load(err, sizeof err) != 0 || cs_own_slice.is_slice)
        return;
    cs_file_log_on = cs_own_slice_find(CS_NO_READ_BACK) >= 0;
}

/* Does the code at this address belong to the program or its languages' libraries? */
static bool by_program(const void *caller)
{
    Dl_info info;
    if (!cs_file_log_on || cs_call_depth)
        return false;
    if (!dladdr(caller, &info) || !info.dli_fname)
        return true;
    return !strstr(info.dli_fname, "libcommslice-") && !strstr(info.dli_fname, "/libmpi");
}

static bool in_fortran(const void *caller)
{
    Dl_info info;
    return dladdr(caller, &info) && info.dli_fname && strstr(info.dli_fname, "libgfortran");
}

/* ---- opening ---- */

/* Is there a file of that name? */
static bool there(int dirfd, const char *path)
{
    struct stat st;
    int was = errno;
    bool is = fstatat(dirfd, path, &st, 0) == 0;
    errno = was;
    return is;
}

/* A file was asked for that is not there, or one that must not be there was. */
static void note_failed(int dirfd, const char *path, int flags)
{
    struct stat st;
    if (errno == EEXIST && fstatat(dirfd, path, &st, 0) == 0)
        cs_file_asked(cs_file_of(path, &st));
    else if (errno == ENOENT && !(flags & O_CREAT))
        cs_file_asked(cs_file_of_name(dirfd, path));
}

/* An open file, as open() would have made it with these flags; `had`: it was there before. */
static void note_opened(int fd, const char *path, int flags, bool had)
{
    struct stat st;
    int way = flags & O_ACCMODE, file = fstat(fd, &st) == 0 ? cs_file_of(path, &st) : -1;
    if (had && !(flags & O_CREAT))
        cs_file_asked(file);
    if (!had)
        cs_file_made(file);
    if (way == O_WRONLY || (flags & O_TRUNC) || !had)
        cs_file_wrote(file);
    if (way == O_RDONLY)
        cs_file_open(file, 1);
    if (way != O_WRONLY && file >= 0 && fd < FDS) {
        open_fd[fd].file = file + 1;
        open_fd[fd].to_read = way == O_RDONLY;
    }
}

/* After a call that opens by name: fd is what it returned. errno stays. */
static void note_open(int dirfd, int fd, const char *path, int flags, bool had)
{
    int was = errno;
    if (fd < 0)
        note_failed(dirfd, path, flags);
    else
        note_opened(fd, path, flags, had);
    errno = was;
}

#define OPEN(NAME) \
    VISIBLE int NAME(const char *path, int flags, ...) \
    { \
        REAL(NAME); \
        va_list ap; \
        va_start(ap, flags); \
        mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(ap, mode_t) : 0; \
        va_end(ap); \
        bool note = by_program(__builtin_return_address(0)), had = note && there(AT_FDCWD, path); \
        int fd = real(path, flags, mode); \
        if (note) \
            note_open(AT_FDCWD, fd, path, flags, had); \
        return fd; \
    }
#define OPENAT(NAME) \
    VISIBLE int NAME(int dir, const char *path, int flags, ...) \
    { \
        REAL(NAME); \
        va_list ap; \
        va_start(ap, flags); \
        mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(ap, mode_t) : 0; \
        va_end(ap); \
        bool note = by_program(__builtin_return_address(0)), had = note && there(dir, path); \
        int fd = real(dir, path, flags, mode); \
        if (note) \
            note_open(dir, fd, path, flags, had); \
        return fd; \
    }
/* With _FORTIFY_SOURCE programs call these where there is no mode. */
#define OPEN_2(NAME) \
    VISIBLE int NAME(const char *path, int flags); \
    VISIBLE int NAME(const char *path, int flags) \
    { \
        REAL(NAME); \
        bool note = by_program(__builtin_return_address(0)), had = note && there(AT_FDCWD, path); \
        int fd = real(path, flags); \
        if (note) \
            note_open(AT_FDCWD, fd, path, flags, had); \
        return fd; \
    }
#define OPENAT_2(NAME) \
    VISIBLE int NAME(int dir, const char *path, int flags); \
    VISIBLE int NAME(int dir, const char *path, int flags) \
    { \
        REAL(NAME); \
        bool note = by_program(__builtin_return_address(0)), had = note && there(dir, path); \
        int fd = real(dir, path, flags); \
        if (note) \
            note_open(dir, fd, path, flags, had); \
        return fd; \
    }
#define CREAT(NAME) \
    VISIBLE int NAME(const char *path, mode_t mode) \
    { \
        REAL(NAME); \
        bool note = by_program(__builtin_return_address(0)), had = note && there(AT_FDCWD, path); \
        int fd = real(path, mode); \
        if (note) \
            note_open(AT_FDCWD, fd, path, O_WRONLY | O_CREAT | O_TRUNC, had); \
        return fd; \
    }
OPEN(open)
OPEN(open64)
OPENAT(openat)
OPENAT(openat64)
OPEN_2(__open_2)
OPEN_2(__open64_2)
OPENAT_2(__openat_2)
OPENAT_2(__openat64_2)
CREAT(creat)
CREAT(creat64)

/* ---- streams of C ---- */

/* The flags of open() that a mode of fopen() stands for. */
static int flags_of(const char *mode)
{
    bool both = strchr(mode, '+') != NULL;
    int more = strchr(mode, 'x') ? O_EXCL : 0;
    switch (*mode) {
    case 'r': return both ? O_RDWR : O_RDONLY;
    case 'w': return (both ? O_RDWR : O_WRONLY) | O_CREAT | O_TRUNC | more;
    default: return (both ? O_RDWR : O_WRONLY) | O_CREAT | O_APPEND | more;
    }
}

static void note_stream(FILE *f, const char *path, const char *mode, bool had)
{
    int flags = flags_of(mode), fd = f ? fileno(f) : -1;
    note_open(AT_FDCWD, fd, path, flags, had);
    if (fd < 0 || fd >= FDS || (flags & O_ACCMODE) != O_RDWR || !open_fd[fd].file)
        return;
    cs_file_wrote(open_fd[fd].file - 1);
    cs_file_open(open_fd[fd].file - 1, 1);
    open_fd[fd].to_read = true;
}

static void note_close(int fd)
{
    if (fd < 0 || fd >= FDS || !open_fd[fd].file)
        return;
    if (open_fd[fd].to_read)
        cs_file_open(open_fd[fd].file - 1, -1);
    open_fd[fd].file = 0;
}

#define FOPEN(NAME) \
    VISIBLE FILE *NAME(const char *path, const char *mode) \
    { \
        REAL(NAME); \
        bool note = by_program(__builtin_return_address(0)), had = note && there(AT_FDCWD, path); \
        FILE *f = real(path, mode); \
        if (note) \
            note_stream(f, path, mode, had); \
        return f; \
    }
#define FREOPEN(NAME) \
    VISIBLE FILE *NAME(const char *path, const char *mode, FILE *old) \
    { \
        REAL(NAME); \
        bool note = path && by_program(__builtin_return_address(0)), had = note && there(AT_FDCWD, path); \
        if (note) \
            note_close(fileno(old)); \
        FILE *f = real(path, mode, old); \
        if (note) \
            note_stream(f, path, mode, had); \
        return f; \
    }
#define TMPFILE(NAME) \
    VISIBLE FILE *NAME(void) \
    { \
        REAL(NAME); \
        FILE *f = real(); \
        if (f && by_program(__builtin_return_address(0))) \
            note_stream(f, "tmpfile()", "w+", false); \
        return f; \
    }
FOPEN(fopen)
FOPEN(fopen64)
FREOPEN(freopen)
FREOPEN(freopen64)
TMPFILE(tmpfile)
TMPFILE(tmpfile64)

/* A stream of a descriptor that is open for both: the descriptor's own calls are not seen any more. */
VISIBLE FILE *fdopen(int fd, const char *mode)
{
    REAL(fdopen);
    FILE *f = real(fd, mode);
    int way = flags_of(mode) & O_ACCMODE;
    if (!f || !cs_file_log_on || fd >= FDS || !open_fd[fd].file || open_fd[fd].to_read)
        return f;
    if (way != O_RDONLY)
        cs_file_wrote(open_fd[fd].file - 1);
    if (way != O_WRONLY)
        cs_file_open(open_fd[fd].file - 1, 1);
    open_fd[fd].to_read = way != O_WRONLY;
    return f;
}

#define MKSTEMP(NAME, ARGS, ...) \
    VISIBLE int NAME ARGS \
    { \
        REAL(NAME); \
        int fd = real(__VA_ARGS__); \
        if (by_program(__builtin_return_address(0))) \
            note_open(AT_FDCWD, fd, path, O_RDWR | O_CREAT | O_EXCL, false); \
        return fd; \
    }
MKSTEMP(mkstemp, (char *path), path)
MKSTEMP(mkstemp64, (char *path), path)
MKSTEMP(mkostemp, (char *path, int flags), path, flags)
MKSTEMP(mkostemp64, (char *path, int flags), path, flags)

VISIBLE int close(int fd)
{
    REAL(close);
    if (cs_file_log_on)
        note_close(fd);
    return real(fd);
}

VISIBLE int fclose(FILE *f)
{
    REAL(fclose);
    if (cs_file_log_on)
        note_close(fileno(f));
    return real(f);
}

/* ---- descriptors that are open for both ---- */

static void note_transfer(int fd, ssize_t n, bool writes)
{
    if (!cs_file_log_on || n < 0 || fd < 0 || fd >= FDS || !open_fd[fd].file)
        return;
    if (writes)
        cs_file_wrote(open_fd[fd].file - 1);
    else
        cs_file_read(open_fd[fd].file - 1);
}

#define TRANSFER(NAME, WRITES, ARGS, ...) \
    VISIBLE ssize_t NAME ARGS \
    { \
        REAL(NAME); \
        ssize_t n = real(__VA_ARGS__); \
        note_transfer(fd, n, WRITES); \
        return n; \
    }
#undef pread64
#undef pwrite64
TRANSFER(read, false, (int fd, void *to, size_t size), fd, to, size)
TRANSFER(pread, false, (int fd, void *to, size_t size, off_t at), fd, to, size, at)
TRANSFER(pread64, false, (int fd, void *to, size_t size, off64_t at), fd, to, size, at)
TRANSFER(readv, false, (int fd, const struct iovec *to, int n_), fd, to, n_)
TRANSFER(write, true, (int fd, const void *from, size_t size), fd, from, size)
TRANSFER(pwrite, true, (int fd, const void *from, size_t size, off_t at), fd, from, size, at)
TRANSFER(pwrite64, true, (int fd, const void *from, size_t size, off64_t at), fd, from, size, at)
TRANSFER(writev, true, (int fd, const struct iovec *from, int n_), fd, from, n_)

/* ---- names ---- */

/* The file has another name: whoever reads it by that name reads what the program did. */
static void note_moved(int from, int to, const char *path)
{
    struct stat st;
    int was = errno;
    int file = fstatat(to, path, &st, AT_SYMLINK_NOFOLLOW) == 0 ? cs_file_of(path, &st) : -1;
    if (file < 0 && fstatat(to, path, &st, 0) == 0)
        file = cs_file_of(path, &st); /* what a symbolic link leads to */
    cs_file_made(file);
    cs_file_wrote(file);
    cs_file_made(from);
    errno = was;
}

#define MOVE(NAME, GOES, FROM, TO, ARGS, ...) \
    VISIBLE int NAME ARGS \
    { \
        REAL(NAME); \
        bool note = by_program(__builtin_return_address(0)); \
        int gone = note && (GOES) ? cs_file_of_name(FROM, old) : -1, rc = real(__VA_ARGS__); \
        if (note && rc == 0) \
            note_moved(gone, TO, young); \
        return rc; \
    }
MOVE(rename, true, AT_FDCWD, AT_FDCWD, (const char *old, const char *young), old, young)
MOVE(renameat, true, a, b, (int a, const char *old, int b, const char *young), a, old, b, young)
MOVE(renameat2, true, a, b, (int a, const char *old, int b, const char *young, unsigned flags), a, old, b, young, flags)
MOVE(link, false, AT_FDCWD, AT_FDCWD, (const char *old, const char *young), old, young)
MOVE(linkat, false, a, b, (int a, const char *old, int b, const char *young, int flags), a, old, b, young, flags)
MOVE(symlink, false, AT_FDCWD, AT_FDCWD, (const char *old, const char *young), old, young)
MOVE(symlinkat, false, AT_FDCWD, b, (const char *old, int b, const char *young), old, b, young)

#define REMOVE(NAME) \
    VISIBLE int NAME(const char *path) \
    { \
        REAL(NAME); \
        int gone = by_program(__builtin_return_address(0)) ? cs_file_of_name(AT_FDCWD, path) : -1, rc = real(path); \
        if (rc == 0) \
            cs_file_made(gone); \
        return rc; \
    }
REMOVE(unlink)
REMOVE(remove)

/* ---- questions ---- */

/* Whether a file is there was asked, and, by stat(), how large it is. libgfortran asks when it opens a file; INQUIRE is
 * not covered by the assumption. */
static void note_question(int rc, const char *path, bool size, const void *caller)
{
    int was = errno;
    if (!by_program(caller) || in_fortran(caller))
        return;
    struct stat st;
    int file = -1;
    if (rc == 0 && fstatat(AT_FDCWD, path, &st, 0) == 0)
        file = cs_file_of(path, &st);
    else if (rc != 0 && errno == ENOENT)
        file = cs_file_of_name(AT_FDCWD, path);
    cs_file_asked(file);
    if (size)
        cs_file_read(file);
    errno = was;
}

#define QUESTION(NAME, SIZE, ARGS, ...) \
    VISIBLE int NAME ARGS \
    { \
        REAL(NAME); \
        int rc = real(__VA_ARGS__); \
        if (cs_file_log_on) \
            note_question(rc, path, SIZE, __builtin_return_address(0)); \
        return rc; \
    }
QUESTION(access, false, (const char *path, int how), path, how)
QUESTION(eaccess, false, (const char *path, int how), path, how)
QUESTION(euidaccess, false, (const char *path, int how), path, how)
QUESTION(stat, true, (const char *restrict path, struct stat *restrict st), path, st)
QUESTION(stat64, true, (const char *restrict path, struct stat64 *restrict st), path, st)
QUESTION(lstat, true, (const char *restrict path, struct stat *restrict st), path, st)
QUESTION(lstat64, true, (const char *restrict path, struct stat64 *restrict st), path, st)
