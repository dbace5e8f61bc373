/* SPDX-License-Identifier: BSD-3-Clause
 * See guest.h. Standard input that is no file would be another one, or empty, for most shares (mpiexec gives it to its
 * first process). The guest gets a pipe with one byte in its place, and when that is gone, it has read. */
#define _GNU_SOURCE
#include "emulate/parent/guest.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

static int input = -1; /* the end of the pipe that is read from; -1: standard input is a file */

int cs_emu_guest_prepare(void)
{
    struct stat st;
    int ends[2];
    if (fstat(STDIN_FILENO, &st) == 0 && S_ISREG(st.st_mode))
        return 0;
    if (pipe2(ends, O_CLOEXEC))
        return -1;
    input = ends[0];
    bool wrote = write(ends[1], "\n", 1) == 1;
    close(ends[1]);
    return wrote ? 0 : -1;
}

void cs_emu_guest_begin(void)
{
    int null = open("/dev/null", O_WRONLY | O_CLOEXEC);
    if (null >= 0) {
        dup2(null, STDOUT_FILENO);
        close(null);
    }
    if (input >= 0) {
        dup2(input, STDIN_FILENO);
        close(input);
    }
}

bool cs_emu_guest_read_input(void)
{
    int left = 0;
    return input >= 0 && ioctl(input, FIONREAD, &left) == 0 && left == 0;
}
