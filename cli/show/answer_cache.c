/* SPDX-License-Identifier: BSD-3-Clause
 * Files of answers; answer_cache.h. Each is one zstd frame with its checksum, written under another name and renamed.
 * The time of a file is when it was asked for last. */
#define _GNU_SOURCE 1
#include "cli/show/answer_cache.h"

#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#define XXH_INLINE_ALL
#include <xxhash.h>
#include <zstd.h>

#include "base/grow.h"

#ifndef CS_VERSION
#include "config.h"
#define CS_VERSION PACKAGE_VERSION
#endif

#define PREFIX "reasons-"

struct cs_answer_key cs_answer_key(const void *data, size_t size, const char *more, const char *path)
{
    struct cs_answer_key key;
    struct stat st;
    char rest[256];
    memset(&st, 0, sizeof st);
    stat(path, &st);
    int n = snprintf(rest, sizeof rest, "%s %s %lld %lld.%09ld", CS_VERSION, more, (long long)st.st_size,
                     (long long)st.st_mtim.tv_sec, st.st_mtim.tv_nsec);
    XXH64_hash_t of_rest = XXH3_64bits(rest, n < (int)sizeof rest ? (size_t)n : sizeof rest - 1);
    XXH128_hash_t h = XXH3_128bits_withSeed(data, size, of_rest);
    snprintf(key.text, sizeof key.text, "%016llx%016llx", (unsigned long long)h.high64, (unsigned long long)h.low64);
    return key;
}

/* The folder, made if it is not there; false: there is none. Relative paths in XDG_CACHE_HOME count as none. */
static bool folder(char path[PATH_MAX])
{
    const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    bool given = cache && *cache == '/';
    if (!given && (!home || *home != '/'))
        return false;
    int n = snprintf(path, PATH_MAX, "%s%s", given ? cache : home, given ? "" : "/.cache");
    if (n >= PATH_MAX - (int)sizeof "/commslice")
        return false;
    mkdir(path, 0700);
    strcpy(path + n, "/commslice");
    mkdir(path, 0700);
    return access(path, R_OK | X_OK) == 0;
}

/* The file of an answer; false: there is no folder. */
static bool file_of(char path[PATH_MAX], const char *name)
{
    char dir[PATH_MAX];
    return folder(dir) && snprintf(path, PATH_MAX, "%s/" PREFIX "%s", dir, name) < PATH_MAX;
}

/* ---- reading ---- */

/* The whole file, NULL: it cannot be read. */
static char *read_file(int fd, size_t *size)
{
    struct stat st;
    if (fstat(fd, &st) || !S_ISREG(st.st_mode) || (size_t)st.st_size > CS_ANSWERS_MOST)
        return NULL;
    char *data = malloc((size_t)st.st_size + 1);
    ssize_t n = data ? read(fd, data, (size_t)st.st_size) : -1;
    if (n == st.st_size) {
        *size = (size_t)n;
        return data;
    }
    free(data);
    return NULL;
}

/* What is packed in one frame, NULL: it is damaged. */
static char *unpack(const char *data, size_t n, size_t *size)
{
    unsigned long long whole = ZSTD_getFrameContentSize(data, n);
    bool known = whole != ZSTD_CONTENTSIZE_UNKNOWN && whole != ZSTD_CONTENTSIZE_ERROR && whole < SIZE_MAX / 2;
    char *text = known ? malloc((size_t)whole + 1) : NULL;
    if (text && ZSTD_decompress(text, (size_t)whole, data, n) == whole) {
        *size = (size_t)whole;
        return text;
    }
    free(text);
    return NULL;
}

char *cs_answer_get(const struct cs_answer_key *key, size_t *size)
{
    char path[PATH_MAX];
    size_t n;
    int fd = file_of(path, key->text) ? open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK) : -1;
    if (fd < 0)
        return NULL;
    char *data = read_file(fd, &n), *text = data ? unpack(data, n, size) : NULL;
    if (text)
        futimens(fd, NULL);
    free(data);
    close(fd);
    return text;
}

/* ---- writing ---- */

/* A file of the folder: its name there, its bytes, and when its answer was asked for last. */
struct kept {
    char name[NAME_MAX + 1];
    size_t size;
    struct timespec asked;
};

static int by_time(const void *x, const void *y)
{
    const struct timespec *a = &((const struct kept *)x)->asked, *b = &((const struct kept *)y)->asked;
    return a->tv_sec != b->tv_sec ? (a->tv_sec > b->tv_sec) - (a->tv_sec < b->tv_sec)
                                  : (a->tv_nsec > b->tv_nsec) - (a->tv_nsec < b->tv_nsec);
}

/* All answers in the folder, *n of them; NULL: none. */
static struct kept *list(DIR *d, size_t *n)
{
    struct kept *all = NULL;
    size_t cap = 0;
    *n = 0;
    for (const struct dirent *e; (e = readdir(d));) {
        struct stat st;
        if (strncmp(e->d_name, PREFIX, strlen(PREFIX)) != 0 || fstatat(dirfd(d), e->d_name, &st, AT_SYMLINK_NOFOLLOW) ||
            !CS_MAKE_ROOM(all, *n, cap))
            continue;
        struct kept *k = &all[(*n)++];
        snprintf(k->name, sizeof k->name, "%s", e->d_name);
        k->size = (size_t)st.st_size;
        k->asked = st.st_mtim;
    }
    return all;
}

/* Makes room for so many bytes: the oldest go. */
static void make_room(const char *dir, size_t size)
{
    size_t n = 0, sum = size;
    DIR *d = opendir(dir);
    struct kept *all = d ? list(d, &n) : NULL;
    if (n)
        qsort(all, n, sizeof *all, by_time);
    for (size_t i = 0; i < n; i++)
        sum += all[i].size;
    for (size_t i = 0; i < n && sum > CS_ANSWERS_MOST; i++) {
        unlinkat(dirfd(d), all[i].name, 0);
        sum -= all[i].size;
    }
    free(all);
    if (d)
        closedir(d);
}

/* Writes the file, which gets its name when it is whole. */
static void write_file(const char *path, const char *data, size_t size)
{
    char name[PATH_MAX];
    int fd = snprintf(name, sizeof name, "%s.XXXXXX", path) < PATH_MAX ? mkostemp(name, O_CLOEXEC) : -1;
    if (fd < 0)
        return;
    bool written = write(fd, data, size) == (ssize_t)size;
    written &= close(fd) == 0;
    if (!written || rename(name, path))
        unlink(name);
}

/* One frame with a checksum; 0: memory is out. */
static size_t pack(char *to, size_t room, const char *text, size_t size)
{
    ZSTD_CCtx *z = ZSTD_createCCtx();
    if (!z)
        return 0;
    ZSTD_CCtx_setParameter(z, ZSTD_c_checksumFlag, 1);
    size_t n = ZSTD_compress2(z, to, room, text, size);
    ZSTD_freeCCtx(z);
    return ZSTD_isError(n) ? 0 : n;
}

void cs_answer_put(const struct cs_answer_key *key, const char *text, size_t size)
{
    char dir[PATH_MAX], path[PATH_MAX];
    size_t room = ZSTD_compressBound(size);
    char *data = folder(dir) && file_of(path, key->text) ? malloc(room) : NULL;
    size_t n = data ? pack(data, room, text, size) : 0;
    if (n && n <= CS_ANSWERS_MOST) {
        make_room(dir, n);
        write_file(path, data, n);
    }
    free(data);
}
