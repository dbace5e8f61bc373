/* SPDX-License-Identifier: BSD-3-Clause
 * Strings, errors and lines of the generator. Strings live until the end, so that expressions can be put together
 * freely; a failure is remembered and asked for once. */
#define _GNU_SOURCE 1
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "skeleton/gen.h"

static const char *keep(struct cs_gen *g, char *s)
{
    if (g->ntexts == g->texts_cap) {
        size_t cap = g->texts_cap ? 2 * g->texts_cap : 256;
        char **p = realloc(g->text, cap * sizeof *p);
        if (!p) {
            free(s);
            cs_gen_refuse(g, "not enough memory");
            return "";
        }
        g->text = p;
        g->texts_cap = cap;
    }
    return g->text[g->ntexts++] = s;
}

const char *cs_gen_text(struct cs_gen *g, const char *fmt, ...)
{
    char *s;
    va_list ap;
    va_start(ap, fmt);
    int n = vasprintf(&s, fmt, ap);
    va_end(ap);
    if (n < 0) {
        cs_gen_refuse(g, "not enough memory");
        return "";
    }
    return keep(g, s);
}

int cs_gen_refuse(struct cs_gen *g, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    if (!g->failed)
        vsnprintf(g->errbuf, g->errlen, fmt, ap);
    va_end(ap);
    g->failed = true;
    return -1;
}

void cs_gen_line(struct cs_gen *g, int depth, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    fprintf(g->body, "%*s", 4 * depth, "");
    vfprintf(g->body, fmt, ap);
    fputc('\n', g->body);
    va_end(ap);
}

const char *cs_gen_table(struct cs_gen *g, const char *name, const char *type, const char *dims, const char *text)
{
    for (size_t i = g->ntables; i-- > 0;)
        if (strcmp(g->table[i].text, text) == 0 && strcmp(g->table[i].type, type) == 0)
            return g->table[i].name;
    if (g->ntables == g->tables_cap) {
        size_t cap = g->tables_cap ? 2 * g->tables_cap : 64;
        struct cs_gen_table *p = realloc(g->table, cap * sizeof *p);
        if (!p) {
            cs_gen_refuse(g, "not enough memory");
            return "";
        }
        g->table = p;
        g->tables_cap = cap;
    }
    const char *full = cs_gen_text(g, "%s_%zu", name, g->ntables);
    g->table[g->ntables++] = (struct cs_gen_table){full, cs_gen_text(g, "%s", type), text};
    fprintf(g->tables, "static %s%s%s = %s;\n", type, full, dims, text);
    return full;
}
