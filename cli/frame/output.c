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

static bool same_file(const struct stat *a, const struct stat *b)
{
    return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

int cs_output_check_file(const char *path, const char *input, const struct cs_file_kind *kind, bool force)
{
    struct stat st, in;
    if (stat(path, &st))
        return CS_EXIT_OK; /* nothing there, or a reason that opening it gives */
    if (input && stat(input, &in) == 0 && same_file(&st, &in))
        return cs_error("%s: is the trace itself; give another name", path);
    if (S_ISDIR(st.st_mode))
        return cs_error("%s: %s", path, strerror(EISDIR));
    if (!S_ISREG(st.st_mode))
        return cs_error("%s: exists and is not %s; give another name", path, kind->name);
    if (!force && !cs_may_replace(path, kind))
        return cs_error("%s: exists and is not %s; give another name, or --force to replace it", path, kind->name);
    return CS_EXIT_OK;
}

int cs_output_check(const char *path, const char *input, const struct cs_file_kind *kind, bool force)
{
    struct stat st;
    bool streams = stat(path, &st) == 0 && !S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode);
    return streams ? CS_EXIT_OK : cs_output_check_file(path, input, kind, force);
}

/* Sets all of o but f. 0, or an error number. */
static int choose_name(struct cs_output *o, const char *path)
{
    struct stat st;
    if (!*path)
        return ENOENT;
    o->path = path;
    if (!realpath(path, o->to))
        snprintf(o->to, sizeof o->to, "%s", path);
    o->beside =
        stat(path, &st) == 0 ? S_ISREG(st.st_mode) : lstat(path, &st) != 0; /* not by a link that leads nowhere */
    int n = o->beside ? snprintf(o->name, sizeof o->name, "%s.new.%ld", o->to, (long)getpid())
                      : snprintf(o->name, sizeof o->name, "%s", path);
    return n < 0 || n >= (int)sizeof o->name || strlen(path) >= sizeof o->to ? ENAMETOOLONG : 0;
}

int cs_output_open(struct cs_output *o, const char *path)
{
    int error = choose_name(o, path);
    if (!error) {
        if (o->beside)
            cs_unfinished(o->name);
        o->f = fopen(o->name, "w");
        if (o->f)
            return 0;
        error = errno;
        cs_finished(o->name);
    }
    cs_error("%s: cannot write: %s", path, strerror(error));
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
