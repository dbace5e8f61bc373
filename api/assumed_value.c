/* SPDX-License-Identifier: BSD-3-Clause
 * Looks for FILE:LINE:NAME= at the start of an assumption; assumed_value.h. File names may have colons and `=`. */
#define _GNU_SOURCE 1
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

/* Does FILE:LINE=N have a number for N? What is no trip count has none to be asked for. */
static bool is_number(const char *line, size_t n)
{
    size_t digits = 0;
    while (digits < n && isdigit((unsigned char)line[n - 1 - digits]))
        digits++;
    return digits > 0 && digits < n && line[n - 1 - digits] == '=';
}

bool cs_assumes_expression(const char *lines)
{
    if (cs_assumes_value(lines, NULL, NULL))
        return true;
    for (const char *line = lines; *line;) {
        size_t n = strcspn(line, "\n");
        bool way = memmem(line, n, "=never", 6) || memmem(line, n, "=always", 7);
        if (memchr(line, '=', n) && !way && !is_number(line, n))
            return true;
        line += n + (line[n] == '\n');
    }
    return false;
}
