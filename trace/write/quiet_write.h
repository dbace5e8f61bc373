/* SPDX-License-Identifier: BSD-3-Clause
 * Writing from inside the user's program: a limit on the size of files must not end it. */
#ifndef CS_QUIET_WRITE_H
#define CS_QUIET_WRITE_H

#include <sys/types.h>

/* Like write(), but a file beyond the size limit only gives EFBIG; SIGXFSZ would end the user's program. */
ssize_t cs_write_quietly(int fd, const void *data, size_t len);

#endif
