/* SPDX-License-Identifier: BSD-3-Clause
 * Lines are put together to blocks. For each block the file is opened, by an absolute name as the program may change
 * its folder, and closed again. */
#include "commlib/turns/answer_log.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cold.h"
#include "base/environment.h"
#include "commlib/process/say.h"
#include "commlib/state/run_state.h"
#include "trace/write/quiet_write.h"

static const char first_line[] = "commslice turns\n";
#define FIRST (sizeof first_line - 1)

static char path[PATH_MAX] CS_COLD; /* empty: nothing is written */
static struct stat ours CS_COLD;    /* the file that was begun */
static char block[512] CS_COLD;
static size_t filled;

/* The cause comes first, as a long path is cut. */
static void give_up(int err)
{
    cs_say("error: rank %d writes no log of turns: %s: %s", cs_run.rank,
           err == EEXIST ? "there is another file, which stays as it is" : strerror(err), path);
    path[0] = '\0';
}

static int fail(int fd, int err)
{
    close(fd);
    errno = err;
    return -1;
}

static bool find_path(const char *to)
{
    char folder[PATH_MAX] = "";
    if (*to != '/' && !getcwd(folder, sizeof folder))
        return false;
    errno = ENAMETOOLONG;
    return snprintf(path, sizeof path, "%s%s%s.%d", folder, *folder ? "/" : "", to, cs_run.rank) < (int)sizeof path;
}

static bool is_log(int fd)
{
    struct stat is;
    char text[FIRST];
    return fstat(fd, &is) == 0 && S_ISREG(is.st_mode) && pread(fd, text, FIRST, 0) == (ssize_t)FIRST &&
           memcmp(text, first_line, FIRST) == 0;
}

/* A new file, or a log that is there, emptied. Returns its descriptor, or -1 and errno: EEXIST if it is no log. */
static int make(void)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (fd >= 0 || errno != EEXIST)
        return fd;
    fd = open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC);
    if (fd >= 0 && !is_log(fd))
        return fail(fd, EEXIST);
    return fd >= 0 && ftruncate(fd, 0) != 0 ? fail(fd, errno) : fd;
}

/* The log that was begun; EEXIST: another file has taken its name. */
static int reopen(void)
{
    struct stat is;
    int fd = open(path, O_WRONLY | O_APPEND | O_NONBLOCK | O_CLOEXEC);
    if (fd >= 0 && (fstat(fd, &is) != 0 || is.st_dev != ours.st_dev || is.st_ino != ours.st_ino))
        return fail(fd, EEXIST);
    return fd;
}

static bool write_all(int fd, const char *text, size_t n)
{
    while (n > 0) {
        ssize_t done = cs_write_quietly(fd, text, n);
        if (done <= 0 && errno != EINTR)
            return false;
        text += done > 0 ? done : 0;
        n -= done > 0 ? (size_t)done : 0;
    }
    return true;
}

/* Writes the block to the file, if it could be opened, and closes it. */
static void store(int fd)
{
    bool ok = fd >= 0 && write_all(fd, block, filled);
    int err = errno;
    if (fd >= 0 && close(fd) != 0 && ok) {
        ok = false;
        err = errno;
    }
    filled = 0;
    if (!ok)
        give_up(err);
}

static void add(const char *line)
{
    size_t n = strlen(line);
    if (filled + n > sizeof block)
        store(reopen());
    if (!*path)
        return;
    memcpy(block + filled, line, n);
    filled += n;
}

void cs_answer_log_begin(void)
{
    const char *to = getenv(CS_ENV_TURNS_LOG);
    if (!to || !*to)
        return;
    if (!find_path(to)) {
        give_up(errno);
        return;
    }
    add(first_line);
    int fd = make();
    if (fd >= 0)
        fstat(fd, &ours);
    store(fd);
}

void cs_answer_log_add(int64_t question, long turns)
{
    char line[64];
    snprintf(line, sizeof line, "%" PRId64 " %ld\n", question, turns);
    add(line);
}

void cs_answer_log_end(void)
{
    add("end\n");
    if (*path)
        store(reopen());
    path[0] = '\0';
}
