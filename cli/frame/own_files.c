/* SPDX-License-Identifier: BSD-3-Clause
 * Where our own libraries and the plugin lie; see own_files.h. */
#define _GNU_SOURCE 1
#include "cli/frame/own_files.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

static int join(char path[PATH_MAX], const char *dir, size_t length, const char *rest)
{
    int n = snprintf(path, PATH_MAX, "%.*s%s", (int)length, dir, rest);
    return n > 0 && n < PATH_MAX ? 0 : -1;
}

/* Length of the folders that both paths begin with, without the slash behind them. */
static size_t common_folders(const char *a, const char *b)
{
    size_t last = 0;
    for (size_t i = 0; a[i] && a[i] == b[i]; i++)
        if (a[i] == '/')
            last = i;
    return last;
}

/* Example: bindir /usr/local/bin and libdir /usr/local/lib/commslice; exe /opt/x/bin/commslice gives
 * /opt/x/lib/commslice. */
int cs_moved_dir(char path[PATH_MAX], const char *exe, const char *bindir, const char *libdir)
{
    const char *slash = strrchr(exe, '/');
    size_t common = common_folders(bindir, libdir);
    const char *tail = bindir + common; /* "/bin" */
    size_t dir = slash ? (size_t)(slash - exe) : 0, tail_length = strlen(tail);
    if (dir < tail_length || strncmp(exe + dir - tail_length, tail, tail_length))
        return -1;
    return join(path, exe, dir - tail_length, libdir + common);
}

/* BUILD/cli/commslice gives BUILD/in_tree/name. */
static int file_in_tree(char path[PATH_MAX], const char *exe, const char *in_tree, const char *name)
{
    const char *slash = strrchr(exe, '/');
    char rest[PATH_MAX];
    if (!slash || slash == exe || snprintf(rest, sizeof rest, "/%s/%s", in_tree, name) >= PATH_MAX)
        return -1;
    do
        slash--;
    while (slash > exe && *slash != '/');
    return join(path, exe, (size_t)(slash - exe), rest);
}

static int file_in(char path[PATH_MAX], const char *dir, const char *name)
{
    char rest[PATH_MAX];
    return snprintf(rest, sizeof rest, "/%s", name) < PATH_MAX ? join(path, dir, strlen(dir), rest) : -1;
}

int cs_own_file(char path[PATH_MAX], const char *in_tree, const char *name, const char *bindir, const char *libdir)
{
    char exe[PATH_MAX], dir[PATH_MAX];
    ssize_t n = readlink("/proc/self/exe", exe, sizeof exe - 1);
    if (n > 0) {
        exe[n] = '\0';
        if (file_in_tree(path, exe, in_tree, name) == 0 && access(path, R_OK) == 0)
            return 0;
        if (cs_moved_dir(dir, exe, bindir, libdir) == 0 && file_in(path, dir, name) == 0 && access(path, R_OK) == 0)
            return 0;
    }
    return file_in(path, libdir, name);
}
