/* SPDX-License-Identifier: BSD-3-Clause
 * Keeps the log of files; rank_files.h. A file has one entry, so that a log that is opened at each step costs no more.
 */
#define _GNU_SOURCE
#include "commlib/files/rank_files.h"

#include <assert.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/cold.h"
#include "base/grow.h"

bool cs_file_log_on;
static struct cs_file_seen *seen CS_COLD;
static int nseen CS_COLD, cap CS_COLD;
static atomic_flag busy = ATOMIC_FLAG_INIT; /* threads of the program may open files */

static void enter(void)
{
    while (atomic_flag_test_and_set(&busy))
        ;
}

static void leave(void)
{
    atomic_flag_clear(&busy);
}

static int64_t now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_REALTIME, &t); /* ranks may be on several machines */
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

/* The entry of this key, made if need be. */
static int entry(uint64_t dev, uint64_t ino, int name, const char *path)
{
    const char *slash = strrchr(path, '/');
    int i;
    enter();
    for (i = nseen - 1; i >= 0; i--)
        if (seen[i].dev == dev && seen[i].ino == ino && seen[i].name == name)
            break;
    if (i < 0 && CS_MAKE_ROOM(seen, nseen, cap)) {
        i = nseen++;
        memset(&seen[i], 0, sizeof seen[i]);
        seen[i].dev = dev;
        seen[i].ino = ino;
        seen[i].name = name;
        snprintf(seen[i].text, sizeof seen[i].text, "%s", slash ? slash + 1 : path);
    }
    leave();
    return i;
}

int cs_file_of(const char *path, const struct stat *st)
{
    bool holds_data = S_ISREG(st->st_mode) || S_ISFIFO(st->st_mode) || S_ISDIR(st->st_mode);
    return holds_data ? entry(st->st_dev, st->st_ino, 0, path) : -1;
}

/* FNV-1a, of a name in its folder. */
static uint64_t mixed(uint64_t ino, const char *name)
{
    uint64_t h = UINT64_C(14695981039346656037) ^ ino;
    for (; *name; name++)
        h = (h ^ (unsigned char)*name) * UINT64_C(1099511628211);
    return h;
}

int cs_file_of_name(int dirfd, const char *path)
{
    char folder[4096];
    struct stat st;
    const char *slash = strrchr(path, '/');
    size_t n = slash ? (size_t)(slash - path) + 1 : 0;
    if (n >= sizeof folder - 1)
        return -1;
    memcpy(folder, slash ? path : ".", slash ? n : 2);
    if (slash)
        folder[n] = 0;
    if (fstatat(dirfd, folder, &st, 0) != 0)
        return -1;
    return entry(st.st_dev, mixed(st.st_ino, slash ? slash + 1 : path), 1, path);
}

static void first(int file, size_t member)
{
    int64_t t = now();
    if (file < 0)
        return;
    enter();
    int64_t *at = (int64_t *)((char *)&seen[file] + member);
    if (!*at)
        *at = t;
    leave();
}

static void last(int file, size_t member)
{
    int64_t t = now();
    if (file < 0)
        return;
    enter();
    *(int64_t *)((char *)&seen[file] + member) = t;
    leave();
}

void cs_file_wrote(int file)
{
    first(file, offsetof(struct cs_file_seen, wrote));
}

void cs_file_made(int file)
{
    first(file, offsetof(struct cs_file_seen, made));
}

void cs_file_read(int file)
{
    last(file, offsetof(struct cs_file_seen, read));
}

void cs_file_asked(int file)
{
    last(file, offsetof(struct cs_file_seen, asked));
}

void cs_file_open(int file, int by)
{
    if (file < 0)
        return;
    cs_file_read(file);
    enter();
    seen[file].open += by;
    leave();
}

const struct cs_file_seen *cs_file_log(int *n)
{
    int64_t t = now();
    for (int i = 0; i < nseen; i++)
        if (seen[i].open > 0)
            seen[i].read = t;
    *n = nseen;
    return seen;
}
