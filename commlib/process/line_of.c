/* SPDX-License-Identifier: BSD-3-Clause
 * Runs addr2line; see line_of.h. Its environment has nothing of ours, or it would become a rank itself.
 * The last answer is kept: ranks that wait at the same place are told of together. */
#define _GNU_SOURCE
#include "commlib/process/line_of.h"

#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/cold.h"

static pid_t start(const char *module, const char *offset, int out)
{
    char *argv[] = {"addr2line", "-e", (char *)module, (char *)offset, NULL}, path[4096] = "PATH=/usr/bin:/bin",
         *env[] = {path, NULL};
    const char *own = getenv("PATH");
    posix_spawn_file_actions_t what;
    pid_t pid = -1;
    if (own)
        snprintf(path, sizeof path, "PATH=%s", own);
    if (posix_spawn_file_actions_init(&what))
        return -1;
    if (posix_spawn_file_actions_adddup2(&what, out, STDOUT_FILENO) ||
        posix_spawn_file_actions_addopen(&what, STDERR_FILENO, "/dev/null", O_WRONLY, 0) ||
        posix_spawnp(&pid, argv[0], &what, NULL, argv, env))
        pid = -1;
    posix_spawn_file_actions_destroy(&what);
    return pid;
}

/* "FILE:LINE (discriminator 2)", or "??:0" or "FILE:?". */
static bool ask(const char *module, const char *offset, char *answer, int len)
{
    int ends[2], n = 0;
    ssize_t got;
    if (pipe2(ends, O_CLOEXEC))
        return false;
    pid_t pid = start(module, offset, ends[1]);
    close(ends[1]);
    while (pid > 0 && n < len - 1 && (got = read(ends[0], answer + n, (size_t)(len - 1 - n))) > 0)
        n += (int)got;
    close(ends[0]);
    answer[n] = 0;
    if (pid > 0)
        waitpid(pid, NULL, 0);
    answer[strcspn(answer, " \n")] = 0;
    const char *line = strrchr(answer, ':');
    return line && atoi(line + 1) > 0;
}

bool cs_line_of(const char *module, const char *offset, char *buf, int len)
{
    static char question[4096] CS_COLD, answer[4096] CS_COLD;
    static bool known;
    char now[4096];
    snprintf(now, sizeof now, "%s%s", module, offset);
    if (strcmp(now, question) != 0) {
        snprintf(question, sizeof question, "%s", now);
        known = ask(module, offset + (offset[0] == '+'), answer, sizeof answer);
    }
    if (known)
        snprintf(buf, (size_t)len, "%s", answer);
    return known;
}
