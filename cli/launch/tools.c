/* SPDX-License-Identifier: BSD-3-Clause
 * Names of programs, and temporary folders; tools.h. */
#define _GNU_SOURCE 1
#include "cli/launch/tools.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/frame/cli.h"
#include "cli/frame/unfinished.h"

char *cs_tool(const char *variable, const char *usual)
{
    char *said = getenv(variable);
    return said && *said ? said : (char *)usual;
}

int cs_make_temporary_folder(const char *purpose, char dir[PATH_MAX])
{
    int len = snprintf(dir, PATH_MAX, "%s/commslice-%s.XXXXXX", cs_tool("TMPDIR", "/tmp"), purpose);
    if (len >= PATH_MAX || !mkdtemp(dir))
        return cs_error("%s: %s", dir, strerror(len >= PATH_MAX ? ENAMETOOLONG : errno));
    cs_unfinished(dir);
    return CS_EXIT_OK;
}

void cs_remove_temporary_folder(const char *dir)
{
    rmdir(dir);
    cs_finished(dir);
}
