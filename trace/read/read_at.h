/* SPDX-License-Identifier: BSD-3-Clause
 * Reading at an offset of a file. */
#ifndef CS_READ_AT_H
#define CS_READ_AT_H

#include <stddef.h>
#include <stdint.h>

/* Reads n bytes at the offset; -1 with errno, or errno 0 if the file is shorter. */
int cs_read_at(int fd, uint64_t offset, void *buf, size_t n);

#endif
