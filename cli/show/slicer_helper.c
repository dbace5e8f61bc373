/* SPDX-License-Identifier: BSD-3-Clause
 * Starts commslice-advise with a stored program; slicer_helper.h. The program goes through a file in memory, so that
 * neither has to wait for the other. */
#define _GNU_SOURCE 1
#include "cli/show/slicer_helper.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/frame/cli.h"
#include "cli/frame/own_files.h"

bool cs_slicer_path(char path[PATH_MAX])
{
    return cs_own_file(path, "advise", "commslice-advise", CS_BINDIR, CS_LIBDIR) == 0;
}

/* A file in memory with this text, at its start; -1. */
static int file_of(const char *text, size_t size)
{
    int in = memfd_create("commslice-graph", MFD_CLOEXEC);
    for (size_t done = 0; in >= 0 && done < size;) {
        ssize_t n = write(in, text + done, size - done);
        if (n <= 0) {
            close(in);
            return -1;
        }
        done += (size_t)n;
    }
    if (in >= 0)
        lseek(in, 0, SEEK_SET);
    return in;
}

static void close_both(const int ends[2])
{
    for (int i = 0; i < 2; i++)
        if (ends[i] >= 0)
            close(ends[i]);
}

/* In the child: does not return. */
static void run(const char *path, char **argv, int in, int out)
{
    dup2(in, 0);
    dup2(out, 1);
    execv(path, argv);
    cs_error("%s: %s", path, strerror(errno));
    _exit(CS_EXIT_ERROR);
}

FILE *cs_slicer_start(const char *text, size_t size, char **argv, pid_t *child)
{
    static char name[] = "commslice-advise";
    char path[PATH_MAX];
    int ends[2] = {-1, -1};
    *child = -1;
    if (!cs_slicer_path(path))
        return cs_error("commslice-advise: its path is too long"), NULL;
    int in = file_of(text, size);
    FILE *answer = in >= 0 && pipe2(ends, O_CLOEXEC) == 0 ? fdopen(ends[0], "r") : NULL;
    argv[0] = name;
    if (answer && (*child = fork()) == 0)
        run(path, argv, in, ends[1]);
    if (*child < 0) {
        cs_error("cannot start commslice-advise: %s", strerror(errno));
        if (answer) {
            fclose(answer);
            answer = NULL;
            ends[0] = -1;
        }
        close_both(ends);
    } else
        close(ends[1]);
    if (in >= 0)
        close(in);
    return answer;
}

bool cs_slicer_end(FILE *answer, pid_t child)
{
    int status;
    fclose(answer);
    while (waitpid(child, &status, 0) < 0 && errno == EINTR)
        ;
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}
