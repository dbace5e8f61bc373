/* SPDX-License-Identifier: BSD-3-Clause
 * Names of the report's files; see report_files.h. */
#include <unistd.h>

#include "cli/frame/cli.h"
#include "cli/report/report_files.h"

int cs_report_name(char *buf, size_t len, const char *folder, const char *name, bool part)
{
    int n = snprintf(buf, len, "%s/%s", folder, name);
    if (part && n >= 0 && n < (int)len)
        n += snprintf(buf + n, len - (size_t)n, ".part.%ld", (long)getpid());
    if (n >= 0 && n < (int)len)
        return 0;
    cs_error("%s: name too long", folder);
    return -1;
}
