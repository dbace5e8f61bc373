/* SPDX-License-Identifier: BSD-3-Clause
 * The file of a run's state: where it is, how it is made, and who removes it. Each process that writes holds a shared
 * lock, which the system takes back when the process dies, so that nothing counts processes: whoever gets the lock for
 * itself was the last one. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/environment.h"
#include "live/live_state.h"

static const char SUFFIX[] = ".live";

/* Ranks of the largest file. */
enum { MOST_RANKS = 1 << 20 };

const char *cs_live_wanted(void)
{
    const char *s = getenv(CS_ENV_MONITOR);
    return !s || !*s || strcmp(s, "0") == 0 ? NULL : strcmp(s, "1") == 0 ? "" : s;
}

const char *cs_live_name(char *buf, size_t len)
{
    int n = snprintf(buf, len, "%.40s-%ld", program_invocation_short_name, (long)getpid());
    for (int i = 0; i < n && buf[i]; i++)
        if (buf[i] == '/' || buf[i] <= ' ')
            buf[i] = '_';
    return buf;
}

bool cs_live_folder(int i, char path[PATH_MAX])
{
    const char *own = getenv(CS_ENV_MONITOR_DIR), *of_user = getenv("XDG_RUNTIME_DIR"), *tmp = getenv("TMPDIR");
    bool has_own = own && *own, has_user = of_user && *of_user, has_tmp = tmp && *tmp;
    int n = -1;
    if (has_own && i == 0)
        n = snprintf(path, PATH_MAX, "%s", own);
    else if (!has_own && i == 0)
        n = snprintf(path, PATH_MAX, "/dev/shm/commslice-%ld", (long)geteuid());
    else if (!has_own && i == 1)
        n = has_user ? snprintf(path, PATH_MAX, "%s/commslice", of_user) : 0;
    else if (!has_own && i == 2)
        n = snprintf(path, PATH_MAX, "%s/commslice-%ld", has_tmp ? tmp : "/tmp", (long)geteuid());
    if (n == 0 || n >= PATH_MAX)
        *path = '\0';
    return n >= 0;
}

/* The folder is there, or is made, and nobody else can write to it. */
static bool have_folder(const char *path)
{
    struct stat st;
    if (!*path || (mkdir(path, 0700) && errno != EEXIST) || lstat(path, &st))
        return false;
    if (S_ISDIR(st.st_mode) && st.st_uid == geteuid() && !(st.st_mode & (S_IWGRP | S_IWOTH)))
        return true;
    errno = EACCES;
    return false;
}

/* The file's path in that folder; false: too long, or the name cannot be one. */
static bool file_path(char path[PATH_MAX], const char *folder, const char *name)
{
    errno = EINVAL;
    return *folder && *name && *name != '.' && !strchr(name, '/') &&
           snprintf(path, PATH_MAX, "%s/%s%s", folder, name, SUFFIX) < PATH_MAX;
}

static void lay_out(struct cs_live_run *l, void *memory, int nranks)
{
    l->head = memory;
    l->rank = (struct cs_live_rank *)((char *)memory + sizeof(struct cs_live_rank));
    l->speed = (double *)(l->rank + nranks);
}

/* The head has the room of a rank, so that each of these begins a cache line. */
_Static_assert(sizeof(struct cs_live_head) <= sizeof(struct cs_live_rank), "the head is larger than its room");

static size_t bytes_of(int nranks)
{
    return ((size_t)nranks + 1) * sizeof(struct cs_live_rank) + (size_t)nranks * sizeof(double);
}

/* Every process writes the same, but for the time. */
static void fill_head(struct cs_live_head *h, int nranks)
{
    if (h->rank_bytes)
        return;
    h->nranks = nranks;
    h->began = cs_live_now();
    h->made_by = (int32_t)getpid();
    snprintf(h->program, sizeof h->program, "%s", program_invocation_short_name);
    memcpy(h->magic, CS_LIVE_MAGIC, sizeof h->magic);
    atomic_thread_fence(memory_order_release);
    h->rank_bytes = sizeof(struct cs_live_rank);
}

static int map(struct cs_live_run *l, int nranks)
{
    struct stat st;
    l->bytes = bytes_of(nranks);
    if (fstat(l->fd, &st))
        return -1;
    errno = EEXIST;
    /* What nobody holds is of a run that was killed. Two that find it so, one after the other, both empty it before
     * either maps it. */
    if (st.st_size && flock(l->fd, LOCK_EX | LOCK_NB) == 0 && (ftruncate(l->fd, 0) || fstat(l->fd, &st)))
        return -1;
    errno = EEXIST;
    if (st.st_size && st.st_size != (off_t)l->bytes) /* another run of this name */
        return -1;
    if (flock(l->fd, LOCK_SH) || ftruncate(l->fd, (off_t)l->bytes))
        return -1;
    /* Room on the disk, too: a store into a page that cannot be had would end the program. */
    int wrong = posix_fallocate(l->fd, 0, (off_t)l->bytes);
    void *memory = wrong ? MAP_FAILED : mmap(NULL, l->bytes, PROT_READ | PROT_WRITE, MAP_SHARED, l->fd, 0);
    if (wrong)
        errno = wrong;
    if (memory == MAP_FAILED)
        return -1;
    lay_out(l, memory, nranks);
    fill_head(l->head, nranks);
    return 0;
}

int cs_live_join(struct cs_live_run *l, const char *name, int nranks)
{
    char folder[PATH_MAX];
    *l = (struct cs_live_run){.fd = -1};
    errno = ENOENT;
    if (nranks < 1 || nranks > MOST_RANKS)
        return errno = EFBIG, -1;
    for (int i = 0; cs_live_folder(i, folder); i++) {
        if (!have_folder(folder) || !file_path(l->path, folder, name))
            continue;
        l->fd = open(l->path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
        if (l->fd >= 0 && map(l, nranks) == 0)
            return 0;
        int wrong = errno;
        if (l->fd >= 0 && wrong != EEXIST)
            unlink(l->path); /* there is no room */
        if (l->fd >= 0)
            close(l->fd);
        l->fd = -1;
        errno = wrong;
    }
    return -1;
}

bool cs_live_held(const struct cs_live_run *l)
{
    if (flock(l->fd, LOCK_EX | LOCK_NB))
        return true;
    flock(l->fd, LOCK_UN);
    return false;
}

bool cs_live_remove_dead(const struct cs_live_run *l)
{
    return flock(l->fd, LOCK_EX | LOCK_NB) == 0 && unlink(l->path) == 0;
}

void cs_live_unmap(struct cs_live_run *l)
{
    if (l->head)
        munmap(l->head, l->bytes);
    if (l->head)
        close(l->fd);
    *l = (struct cs_live_run){.fd = -1};
}

void cs_live_leave(struct cs_live_run *l)
{
    if (l->head && flock(l->fd, LOCK_EX | LOCK_NB) == 0)
        unlink(l->path);
    cs_live_unmap(l);
}

void cs_live_remove(const char *name)
{
    char folder[PATH_MAX], path[PATH_MAX];
    for (int i = 0; cs_live_folder(i, folder); i++)
        if (file_path(path, folder, name))
            unlink(path);
}

int cs_live_look(struct cs_live_run *l, const char *path)
{
    struct stat st;
    struct cs_live_head h;
    *l = (struct cs_live_run){.fd = open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW)};
    snprintf(l->path, sizeof l->path, "%s", path);
    if (l->fd < 0)
        return -1;
    bool good = fstat(l->fd, &st) == 0 && S_ISREG(st.st_mode) && st.st_uid == geteuid() &&
                pread(l->fd, &h, sizeof h, 0) == sizeof h && memcmp(h.magic, CS_LIVE_MAGIC, sizeof h.magic) == 0 &&
                h.rank_bytes == sizeof(struct cs_live_rank) && h.nranks > 0 && h.nranks <= MOST_RANKS &&
                st.st_size == (off_t)bytes_of(h.nranks);
    void *memory = MAP_FAILED;
    errno = EINVAL;
    if (good)
        memory = mmap(NULL, l->bytes = bytes_of(h.nranks), PROT_READ | PROT_WRITE, MAP_SHARED, l->fd, 0);
    if (memory == MAP_FAILED) {
        int wrong = errno;
        close(l->fd);
        errno = wrong;
        return -1;
    }
    lay_out(l, memory, h.nranks);
    return 0;
}

/* Copies what one process writes. After many vain tries, as the writer may have died within, as it is. */
static void copy(void *to, const void *from, size_t bytes, const _Atomic uint32_t *version)
{
    for (int i = 0; i < 10000; i++) {
        uint32_t before = atomic_load_explicit(version, memory_order_acquire);
        memcpy(to, from, bytes);
        atomic_thread_fence(memory_order_acquire);
        if (!(before & 1) && atomic_load_explicit(version, memory_order_relaxed) == before)
            return;
    }
}

void cs_live_read(const struct cs_live_rank *r, struct cs_live_calls *calls, struct cs_live_loop *loop)
{
    copy(calls, &r->calls, sizeof *calls, &r->calls.version);
    copy(loop, &r->loop, sizeof *loop, &r->loop.version);
}
