/* SPDX-License-Identifier: BSD-3-Clause
 * Finds names in lines of the source and in statements as the compiler writes them; why_names.h. */
#define _GNU_SOURCE 1
#include "cli/show/why_names.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/show/readable.h"

bool cs_why_is_fortran(const char *file)
{
    const char *dot = strrchr(file, '.');
    return dot && (dot[1] == 'f' || dot[1] == 'F');
}

bool cs_why_is_name(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

bool cs_why_has_name(const char *line, const char *name, bool fortran)
{
    size_t n = strlen(name);
    for (const char *at = line; *at; at++) {
        bool same = fortran ? !strncasecmp(at, name, n) : !strncmp(at, name, n);
        if (same && (at == line || !cs_why_is_name(at[-1])) && !cs_why_is_name(at[n]))
            return true;
    }
    return false;
}

bool cs_why_begins_with(const char *line, const char *first, const char *second)
{
    size_t n = strlen(first);
    if (strncasecmp(line, first, n) != 0)
        return false;
    line += n + strspn(line + n, " ");
    return strncasecmp(line, second, strlen(second)) == 0;
}

/* Cuts what stands between < and >, and from the first ( on. Behind "operator" nothing is cut but arguments. */
static void cut_details(char *name)
{
    int depth = 0;
    char *to = name, *op = strstr(name, "operator"), *at = name;
    for (; *at && (op ? at < op : *at != '(' || depth || at == name || !strncmp(at, "(anonymous", 10)); at++) {
        depth += *at == '<';
        if (!depth)
            *to++ = *at;
        depth -= *at == '>' && depth;
    }
    if (op && !depth) {
        char *args = strchr(op + strlen("operator") + 2, '(');
        size_t n = args ? (size_t)(args - op) : strlen(op);
        memmove(to, op, n);
        to += n;
    }
    *to = 0;
    char *type = op ? NULL : strrchr(name, ' '); /* what a template's function returns stands before its name */
    if (type && !strchr(type, '('))
        memmove(name, type + 1, strlen(type));
}

void cs_why_source_name(const char *name, const char *file, char *buf, size_t n)
{
    const char *module = strstr(name, "_MOD_");
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    if (out) {
        cs_put_name(out, module ? module + strlen("_MOD_") : name);
        fclose(out);
    }
    snprintf(buf, n, "%s", text ? text : name);
    free(text);
    char *clone = strstr(buf, ".lto_priv");
    if (clone)
        *clone = 0;
    if (!strncmp(name, "_Z", 2))
        cut_details(buf);
    size_t length = strlen(buf), digits = length;
    while (digits > 0 && isdigit((unsigned char)buf[digits - 1]))
        digits--;
    if (digits > 1 && digits < length && buf[digits - 1] == '.' &&
        !strchr(buf, ' ')) /* a static variable of a function */
        buf[length = digits - 1] = 0;
    if (!module && cs_why_is_fortran(file) && length > 1 && buf[length - 1] == '_')
        buf[length - 1] = 0;
}

void cs_why_defined_name(const char *text, char *buf, size_t n)
{
    const char *end = text;
    while (isalnum((unsigned char)*end) || *end == '_')
        end++;
    size_t length = (size_t)(end - text);
    buf[0] = 0;
    if (strncmp(end, " = ", 3) != 0)
        return;
    while (length && isdigit((unsigned char)text[length - 1]))
        length--;
    bool own = !strncmp(text, "__", 2); /* the compiler's, as gfortran's __var_1_fcn */
    if (length < 2 || text[length - 1] != '_' || isdigit((unsigned char)text[0]) || own)
        return;
    snprintf(buf, n, "%.*s", (int)length - 1, text);
}

void cs_why_read_name(const char *text, char *buf, size_t n)
{
    const char *from = strstr(text, " = "), *end;
    buf[0] = 0;
    for (end = from = from ? from + 3 : ""; isalnum((unsigned char)*end) || *end == '_'; end++)
        continue;
    if (end == from || isdigit((unsigned char)*from) || strcmp(end, ";") != 0)
        return;
    const char *digits = end;
    while (isdigit((unsigned char)digits[-1]))
        digits--;
    if (digits == end || digits[-1] != '_') /* else it is a value of the compiler's */
        snprintf(buf, n, "%.*s", (int)(end - from), from);
}

void cs_why_read_path(const char *text, char *buf, size_t n)
{
    const char *is = strstr(text, " = "), *at = is ? is + 3 : "";
    size_t used = 0;
    buf[0] = 0;
    at += *at == '*';
    if (!isalpha((unsigned char)*at))
        return;
    while ((cs_why_is_name(*at) || *at == '.' || !strncmp(at, "->", 2) || !strncmp(at, "(D)", 3)) && used + 3 < n) {
        size_t from = used;
        while (cs_why_is_name(*at) && used + 3 < n)
            buf[used++] = *at++;
        size_t digits = used;
        while (digits > from && isdigit((unsigned char)buf[digits - 1]))
            digits--;
        bool version = digits < used && digits > from + 1 && buf[digits - 1] == '_';
        used = version ? digits - 1 : used;
        if (!strncmp(at, "(D)", 3))
            at += 3;
        for (int i = !strncmp(at, "->", 2) ? 2 : *at == '.' ? 1 : 0; i > 0; i--)
            buf[used++] = *at++;
    }
    buf[strcmp(at, ";") != 0 || strstr(buf, "D.") || strstr(text, "MEM[") ? 0 : used] = 0;
}

void cs_why_assigned_name(const char *line, char *buf, size_t n)
{
    static const char *const words[] = {"if", "for", "do", "while", "call", "return", "else"};
    const char *at = line, *name = NULL, *end = NULL;
    int depth = 0;
    buf[0] = 0;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (!strncasecmp(line, words[i], strlen(words[i])) && !cs_why_is_name(line[strlen(words[i])]))
            return;
    for (; *at && (depth || *at != '='); at++) {
        depth += *at == '(' || *at == '[' ? 1 : *at == ')' || *at == ']' ? -1 : 0;
        if (depth || strchr("+-*/&| ])", *at))
            continue;
        if (!cs_why_is_name(*at) && *at != '.' && *at != '%' && *at != '>' && *at != ':')
            return;
        name = cs_why_is_name(*at) && (at == line || !cs_why_is_name(at[-1])) ? at : name;
        end = cs_why_is_name(*at) ? at + 1 : end;
    }
    if (*at == '=' && at[1] != '=' && name && end > name && !isdigit((unsigned char)*name))
        snprintf(buf, n, "%.*s", (int)(end - name), name);
}

int cs_why_argument(const char *call, const char *word, size_t length)
{
    const char *at = strchr(call, '(');
    int depth = 0, nth = 0, found = -1;
    for (; at && *at && (depth || *at == '('); at++) {
        bool begins = *at == '(' || *at == ',';
        depth += *at == '(' ? 1 : *at == ')' ? -1 : 0;
        nth += *at == ',' && depth == 1;
        const char *from = at + 1 + strspn(at + 1, " ");
        bool is = begins && depth == 1 && !strncmp(from, word, length) && from[length] && strchr(",)", from[length]);
        if (is && found >= 0)
            return -1;
        found = is ? nth : found;
    }
    return found;
}

const char *cs_why_path_end(const char *text)
{
    while (isalnum((unsigned char)*text) || *text == '_' || *text == '.' || !strncmp(text, "->", 2))
        text += *text == '-' ? 2 : 1;
    return text;
}

void cs_why_put_members(const char *from, const char *to, const char *between, char *buf, size_t n)
{
    for (const char *at = from; at < to;) {
        const char *end = at + strcspn(at, ".-");
        bool named = at != from && end > at && !isdigit((unsigned char)*at) && strncmp(at, "D.", 2) != 0;
        if (end > to)
            end = to;
        size_t used = strlen(buf);
        if (named)
            snprintf(buf + used, n - used, "%s%.*s", between, (int)(end - at), at);
        at = end + (*end == '-' ? 2 : 1);
        if (!strncmp(end, ".D.", 3) || !strncmp(end, "->D.", 4)) /* an unnamed member: D.1234 */
            at += 2 + strspn(at + 2, "0123456789.");
    }
}

/* Behind what a line of C begins with, as `for (...)`, where a statement follows there. */
static const char *behind_head(const char *text)
{
    static const char *const words[] = {"for", "if", "while"};
    for (size_t i = 0; text && i < sizeof words / sizeof *words; i++) {
        size_t length = strlen(words[i]);
        const char *at = strncmp(text, words[i], length) ? NULL : text + length + strspn(text + length, " ");
        int depth = 0;
        for (; at && *at && (depth || *at == '('); at++)
            depth += *at == '(' ? 1 : *at == ')' ? -1 : 0;
        if (at && at > text + length && at[-1] == ')' && cs_why_is_name(at[strspn(at, " ")]))
            return at + strspn(at, " ");
    }
    return text;
}

/* The name in what a line of C begins with: of `*n = ...` that of n, of `(*all)->n = ...` what comes behind `(*all)`.
 */
static const char *behind_star(const char *text)
{
    const char *at = text + (*text == '(');
    if (*at != '*' || !cs_why_is_name(at[1]))
        return text;
    const char *end = cs_why_path_end(at + 1);
    if (*text == '*')
        return at + 1;
    return *end == ')' && !strncmp(end + 1, "->", 2) ? end + 3 : text;
}

void cs_why_written_name(const char *text, char *buf, size_t n)
{
    text = behind_head(text);
    const char *end = text ? behind_star(text) : NULL;
    if (!text || !cs_why_is_name(*end))
        return;
    while (cs_why_is_name(*end) || *end == '.' || *end == '%' || !strncmp(end, "->", 2))
        end += *end == '-' ? 2 : 1;
    size_t length = (size_t)(end - text);
    int depth = 0;
    for (const char *c = end; *c && (depth || *c == '(' || *c == '[' || *c == ' '); c++) {
        depth += *c == '(' || *c == '[';
        depth -= *c == ')' || *c == ']';
        end = c + 1;
    }
    if (end[-1] == ']' && (*end == '.' || !strncmp(end, "->", 2))) /* a member of an element */
        end = cs_why_path_end(end);
    end += strspn(end, " ");
    if (*end && strchr("+-*/", *end) && end[1] == '=')
        end++;
    if (*end == '=' && end[1] != '=')
        snprintf(buf, n, "%.*s", (int)length, text);
}

/* Takes the last name of a path as `chunk%tiles(i)%u` that begins at `text`; *end: behind it. "": there is none. */
static void last_name(const char *text, const char **end, char *buf, size_t n)
{
    buf[0] = 0;
    for (*end = text; cs_why_is_name(*text);) {
        const char *from = text;
        while (cs_why_is_name(*text))
            text++;
        snprintf(buf, n, "%.*s", (int)(text - from), from);
        *end = text;
        int depth = 0;
        for (; *text && (depth || *text == '(' || *text == '[' || *text == ' '); text++)
            depth += *text == '(' || *text == '[' ? 1 : *text == ')' || *text == ']' ? -1 : 0;
        if (*text == '%' || *text == '.')
            text++;
        else if (!strncmp(text, "->", 2))
            text += 2;
        else
            break;
    }
}

/* Is something called, or made by `new`, behind the sign of an assignment? */
static bool allocates(const char *text)
{
    return strchr(text, '(') || strstr(text, "new ");
}

void cs_why_allocated_name(const char *text, char *buf, size_t n)
{
    const char *call = strcasestr(text, "allocate("), *end, *is = strstr(text, " = ");
    buf[0] = 0;
    if (call && call == text) {
        int depth = 0, names = 1;
        for (const char *c = call; *c; c++) {
            depth += *c == '(' ? 1 : *c == ')' ? -1 : 0;
            names += *c == ',' && depth == 1;
        }
        last_name(call + strlen("allocate("), &end, buf, n);
        if (names > 1)
            buf[0] = 0;
        return;
    }
    for (const char *next = is; next && allocates(next); next = strstr(next + 1, " = ")) /* behind a `for (i = 0` */
        is = next;
    const char *to = is ? is : strstr(text, ".resize("), *from = to;
    if (!to || (is && !allocates(is)))
        return;
    while (to > text && to[-1] == ' ')
        from = --to;
    while (from > text && (cs_why_is_name(from[-1]) || strchr(".->[]", from[-1])))
        from--;
    char path[200];
    snprintf(path, sizeof path, "%.*s", (int)(to - from), from);
    last_name(path, &end, buf, n);
}
