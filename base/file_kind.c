/* SPDX-License-Identifier: BSD-3-Clause
 * Compares the first bytes of a file with those of a kind; see file_kind.h. */
#include "base/file_kind.h"

#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

bool cs_may_replace(const char *path, const struct cs_file_kind *kind)
{
    struct stat st;
    assert(path && kind && kind->n > 0);
    if (stat(path, &st))
        return errno == ENOENT;
    FILE *f = S_ISREG(st.st_mode) ? fopen(path, "rb") : NULL;
    if (!f)
        return false;
    size_t i = 0;
    int c = EOF;
    while (i < kind->n && (c = getc(f)) != EOF && c == (unsigned char)kind->begins[i])
        i++;
    bool so = i == kind->n || (c == EOF && !ferror(f));
    fclose(f);
    return so;
}
