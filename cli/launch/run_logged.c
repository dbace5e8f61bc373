/* SPDX-License-Identifier: BSD-3-Clause
 * Runs a command with its output in a file; see run_logged.h. */
#define _GNU_SOURCE 1
#include "cli/launch/run_logged.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/frame/cli.h"
#include "cli/launch/child.h"

int cs_run_logged(const char *log, char **argv, const char *what)
{
    struct cs_child c = {.ours = true};
    fflush(stdout);
    int fd = open(log, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600), saved = dup(STDOUT_FILENO), status = -1;
    if (fd >= 0 && saved >= 0 && dup2(fd, STDOUT_FILENO) >= 0) {
        status = cs_child_run(&c, argv);
        dup2(saved, STDOUT_FILENO);
    } else
        cs_error("%s: %s", log, strerror(errno));
    if (fd >= 0)
        close(fd);
    if (saved >= 0)
        close(saved);
    if (status == 0)
        return 0;
    if (status > 0)
        cs_error("%s %s ended with %s %d", what, argv[0], WIFSIGNALED(status) ? "signal" : "exit code",
                 WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
    return -1;
}
