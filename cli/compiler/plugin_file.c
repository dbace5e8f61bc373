/* SPDX-License-Identifier: BSD-3-Clause
 * Finds the plugin for a compiler; plugin_file.h. */
#include "cli/compiler/plugin_file.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/frame/own_files.h"

/* In a child: replaces it by the compiler, which prints its version to `out`. */
static void print_version(const char *wrapper, int out)
{
    if (dup2(out, STDOUT_FILENO) >= 0)
        execlp(wrapper, wrapper, "-dumpversion", (char *)NULL);
    _exit(127);
}

/* The major version of GCC that the wrapper runs, or 0 if it does not say. */
static int major_version(const char *wrapper)
{
    int ends[2], status = 0;
    char text[64];
    if (pipe(ends) != 0)
        return 0;
    pid_t child = fork();
    if (child == 0)
        print_version(wrapper, ends[1]);
    close(ends[1]);
    ssize_t n = child > 0 ? read(ends[0], text, sizeof text - 1) : -1;
    close(ends[0]);
    if (child > 0)
        waitpid(child, &status, 0);
    text[n > 0 ? n : 0] = '\0';
    return atoi(text);
}

const char *cs_plugin_file(const char *wrapper)
{
    static char path[PATH_MAX];
    char name[64];
    if (cs_own_file(path, "gcc-plugin", "commslice.so", CS_BINDIR, CS_LIBDIR) == 0 && access(path, R_OK) == 0)
        return path;
    snprintf(name, sizeof name, "gcc-%d/commslice.so", major_version(wrapper));
    if (cs_own_file(path, "gcc-plugin", name, CS_BINDIR, CS_LIBDIR) != 0)
        return CS_LIBDIR "/commslice.so";
    return path;
}
