/* SPDX-License-Identifier: BSD-3-Clause
 * See error_text.h. */
#include "base/error_text.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>

int cs_error_text(char *errbuf, size_t errlen, const char *fmt, ...)
{
    assert(errbuf || !errlen);
    va_list ap;
    va_start(ap, fmt);
    if (errlen)
        vsnprintf(errbuf, errlen, fmt, ap);
    va_end(ap);
    return -1;
}
