/* SPDX-License-Identifier: BSD-3-Clause
 * What the fuzzers share: random numbers that a seed repeats, a clock, whole files in memory.
 * Include it once, in the file with main(). */
#ifndef CS_TESTS_FUZZ_KIT_H
#define CS_TESTS_FUZZ_KIT_H

#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "../unit/trace_sample.h"

struct file {
    unsigned char *p;
    size_t n;
};

static uint64_t state; /* set it to the seed */

static uint64_t rnd(uint64_t below)
{
    return sample_mix(state++) % below;
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static inline int slurp(const char *name, struct file *f)
{
    struct stat st;
    int fd = open(name, O_RDONLY);
    if (fd < 0 || fstat(fd, &st))
        return -1;
    f->n = (size_t)st.st_size;
    f->p = malloc(f->n + 1);
    int rc = f->p && read(fd, f->p, f->n) == (ssize_t)f->n ? 0 : -1;
    close(fd);
    return rc;
}

static inline int spill(const char *name, const struct file *f)
{
    int fd = open(name, O_WRONLY | O_CREAT | O_TRUNC, 0666);
    int rc = fd >= 0 && write(fd, f->p, f->n) == (ssize_t)f->n ? 0 : -1;
    if (fd >= 0)
        close(fd);
    return rc;
}

#endif
