/* SPDX-License-Identifier: BSD-3-Clause
 * Strings, errors and lines of the generator. Strings live until the end, so that expressions can be put together
 * freely; a failure is remembered and asked for once. */
#define _GNU_SOURCE 1
#include <assert.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "skeleton/gen/gen.h"

/* Makes s (from malloc) a string of g: it is freed with g, or here on failure, which returns "". */
static const char *keep(struct cs_gen *g, char *s)
{
    if (!CS_MAKE_ROOM(g->text, g->ntexts, g->texts_cap)) {
        free(s);
        cs_gen_refuse(g, "not enough memory");
        return "";
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
    if (!CS_MAKE_ROOM(g->table, g->ntables, g->tables_cap)) {
        cs_gen_refuse(g, "not enough memory");
        return "";
    }
    const char *full = cs_gen_text(g, "%s_%zu", name, g->ntables);
    g->table[g->ntables++] = (struct cs_gen_table){full, cs_gen_text(g, "%s", type), text};
    fprintf(g->tables, "static %s%s%s = %s;\n", type, full, dims, text);
    return full;
}

FILE *cs_gen_begin(struct cs_gen *g, struct cs_gen_memory *m)
{
    m->text = NULL;
    m->out = open_memstream(&m->text, &m->len);
    if (!m->out)
        cs_gen_refuse(g, "not enough memory");
    return m->out;
}

const char *cs_gen_end(struct cs_gen *g, struct cs_gen_memory *m)
{
    assert(m->out);
    if (fclose(m->out) || !m->text) {
        free(m->text);
        cs_gen_refuse(g, "not enough memory");
        return "";
    }
    return keep(g, m->text);
}
