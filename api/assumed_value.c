/* SPDX-License-Identifier: BSD-3-Clause
 * Looks for FILE:LINE:NAME= at the start of an assumption; assumed_value.h. File names may have colons and `=`. */
#include "api/assumed_value.h"

#include <ctype.h>
#include <stddef.h>
#include <string.h>

/* Where the name begins in text[0..n), of the form FILE:LINE:NAME; NULL if it is of another form. */
static const char *assumed_name(const char *text, size_t n)
{
    size_t at = n;
    while (at > 0 && (isalnum((unsigned char)text[at - 1]) || text[at - 1] == '_'))
        at--;
    if (at == n || at < 2 || text[at - 1] != ':' || isdigit((unsigned char)text[at]))
        return NULL;
    size_t line = at - 1;
    while (line > 0 && isdigit((unsigned char)text[line - 1]))
        line--;
    return line < at - 1 && line > 1 && text[line - 1] == ':' ? text + at : NULL;
}

bool cs_assumes_value(const char *text, const char **name, const char **is)
{
    for (const char *eq = strchr(text, '='); eq; eq = strchr(eq + 1, '=')) {
        const char *at = assumed_name(text, (size_t)(eq - text));
        if (!at)
            continue;
        if (name)
            *name = at;
        if (is)
            *is = eq;
        return true;
    }
    return false;
}

bool cs_is_value_place(const char *text)
{
    return assumed_name(text, strlen(text)) != NULL;
}
