/* SPDX-License-Identifier: BSD-3-Clause
 * See quiet_write.h. The signal is blocked while the system writes, and taken back if it came. */
#define _GNU_SOURCE 1
#include "trace/write/quiet_write.h"

#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <time.h>
#include <unistd.h>

ssize_t cs_write_quietly(int fd, const void *data, size_t len)
{
    const struct timespec now = {0, 0};
    sigset_t limit, old, pending;
    sigemptyset(&limit);
    sigaddset(&limit, SIGXFSZ);
    pthread_sigmask(SIG_BLOCK, &limit, &old);
    bool was_pending = sigpending(&pending) == 0 && sigismember(&pending, SIGXFSZ);
    ssize_t n = write(fd, data, len);
    int err = errno;
    if (n < 0 && err == EFBIG && !was_pending)
        sigtimedwait(&limit, NULL, &now);
    pthread_sigmask(SIG_SETMASK, &old, NULL);
    errno = err;
    return n;
}
