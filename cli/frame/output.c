/* SPDX-License-Identifier: BSD-3-Clause
 * Files that verbs make; see output.h.
 * The name beside is NAME.new.PID, so that two runs in one folder do not use the same file. */
#define _GNU_SOURCE 1
#include "cli/frame/output.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/frame/cli.h"
#include "cli/frame/unfinished.h"

bool cs_output_is(const char *path, const char *input)
{
    struct stat a, b;
    return stat(path, &a) == 0 && stat(input, &b) == 0 && a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

int cs_output_open(struct cs_output *o, const char *path)
{
    struct stat st;
    if (!*path) {
        errno = ENOENT;
        return -1;
    }
    o->path = path;
    if (!realpath(path, o->to))
        snprintf(o->to, sizeof o->to, "%s", path);
    o->beside =
        stat(path, &st) == 0 ? S_ISREG(st.st_mode) : lstat(path, &st) != 0; /* not by a link that leads nowhere */
    int n = o->beside ? snprintf(o->name, sizeof o->name, "%s.new.%ld", o->to, (long)getpid())
                      : snprintf(o->name, sizeof o->name, "%s", path);
    if (n < 0 || n >= (int)sizeof o->name || strlen(path) >= sizeof o->to) {
        errno = ENAMETOOLONG;
        return -1;
    }
    if (o->beside)
        cs_unfinished(o->name);
    o->f = fopen(o->name, "w");
    if (o->f)
        return 0;
    cs_finished(o->name);
    return -1;
}

int cs_output_close(struct cs_output *o, bool good)
{
    bool bad = ferror(o->f);
    if (fclose(o->f))
        bad = true;
    bool done = good && !bad && (!o->beside || rename(o->name, o->to) == 0);
    if (good && !done)
        cs_error("%s: cannot write: %s", o->path, strerror(errno));
    if (!done && o->beside)
        unlink(o->name);
    cs_finished(o->name);
    return done ? 0 : -1;
}
