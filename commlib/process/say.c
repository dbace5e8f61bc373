/* SPDX-License-Identifier: BSD-3-Clause
 * One line on standard error in a single write, so that lines of many ranks do not mix.
 * Linked into the recorder and into engine emulate alike. */
#include "commlib/process/say.h"

#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>

void cs_say(const char *format, ...)
{
    char line[2048];
    int n = snprintf(line, sizeof line, "commslice: ");
    va_list ap;
    va_start(ap, format);
    n += vsnprintf(line + n, sizeof line - (size_t)n - 1, format, ap);
    va_end(ap);
    if (n > (int)sizeof line - 2)
        n = (int)sizeof line - 2;
    line[n++] = '\n';
    if (write(STDERR_FILENO, line, (size_t)n) < 0)
        return; /* nowhere to say it */
}
