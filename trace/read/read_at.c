/* SPDX-License-Identifier: BSD-3-Clause
 * See read_at.h: pread, whole or not at all. */
#define _GNU_SOURCE 1
#include "trace/read/read_at.h"

#include <errno.h>
#include <unistd.h>

int cs_read_at(int fd, uint64_t offset, void *buf, size_t n)
{
    for (size_t got = 0; got < n;) {
        ssize_t k = pread(fd, (char *)buf + got, n - got, (off_t)(offset + got));
        if (k < 0 && errno == EINTR)
            continue;
        if (k <= 0) {
            errno = k ? errno : 0;
            return -1;
        }
        got += (size_t)k;
    }
    return 0;
}
