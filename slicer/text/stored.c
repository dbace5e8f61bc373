/* SPDX-License-Identifier: GPL-3.0-or-later
 * Writes and reads stored programs; stored.h. Lines `WORD REST` up to the line `graph`; of the effects table, the
 * number of bytes and then as many. */
#define _POSIX_C_SOURCE 200809L
#include "slicer/text/stored.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "slicer/graph/storage.h"
#include "slicer/text/graph_text.h"

#define FIRST_LINE "commslice-graph 1"

void cs_stored_write(const struct cs_stored_program *p, FILE *out)
{
    assert(p->graph && (p->nassumes == 0 || p->assumes));
    fputs(FIRST_LINE "\n", out);
    if (p->keep_errors)
        fputs("keep-errors\n", out);
    if (p->budget)
        fprintf(out, "budget %d\n", p->budget);
    for (int i = 0; i < p->nassumes; i++)
        fprintf(out, "assume %s\n", p->assumes[i]);
    if (p->effects && *p->effects)
        fprintf(out, "effects %zu\n%s\n", strlen(p->effects), p->effects);
    fputs("graph\n", out);
    cs_graph_write(p->graph, out);
}

static char *copy(const char *text, size_t n)
{
    char *s = cs_calloc(n + 1, 1);
    memcpy(s, text, n);
    return s;
}

/* One line of the head, which is `n` characters long. How many characters more it takes, -1 if it is none. */
static long head_line(struct cs_stored_program *p, const char *line, size_t n, size_t left)
{
    char *s = copy(line, n);
    long more = 0;
    if (!strcmp(s, "keep-errors"))
        p->keep_errors = true;
    else if (!strncmp(s, "budget ", 7))
        p->budget = (int)strtol(s + 7, NULL, 10);
    else if (!strncmp(s, "assume ", 7)) {
        p->assumes = cs_realloc(p->assumes, (p->nassumes + 1) * sizeof *p->assumes);
        p->assumes[p->nassumes++] = cs_strdup(s + 7);
    } else if (!strncmp(s, "effects ", 8) && !p->effects) {
        size_t size = strtoul(s + 8, NULL, 10);
        more = size < left ? (long)size + 1 : -1;
        p->effects = more > 0 ? copy(line + n + 1, size) : NULL;
    } else
        more = -1;
    free(s);
    return more;
}

static int read_graph(const char *text, size_t size, struct cs_stored_program *p, char *err, size_t errlen)
{
    FILE *in = size ? fmemopen((void *)text, size, "r") : NULL;
    if (in)
        p->graph = cs_graph_read(in, "the stored graph", err, errlen);
    else
        snprintf(err, errlen, "the stored graph is empty");
    if (in)
        fclose(in);
    return p->graph ? 0 : -1;
}

int cs_stored_read(const char *text, size_t size, struct cs_stored_program *p, char *err, size_t errlen)
{
    const char *at = text, *end = text + size;
    memset(p, 0, sizeof *p);
    for (bool first = true; at < end; first = false) {
        const char *nl = memchr(at, '\n', end - at);
        size_t n = nl ? (size_t)(nl - at) : 0;
        if (nl && !first && n == 5 && !memcmp(at, "graph", 5))
            return read_graph(nl + 1, end - nl - 1, p, err, errlen);
        long more = !nl     ? -1
                    : first ? (n == strlen(FIRST_LINE) && !memcmp(at, FIRST_LINE, n) ? 0 : -1)
                            : head_line(p, at, n, end - nl - 1);
        if (more < 0)
            break;
        at = nl + 1 + more;
    }
    snprintf(err, errlen, "the stored graph is damaged, or of another version of commslice: link the slice again");
    return -1;
}

void cs_stored_free(struct cs_stored_program *p)
{
    for (int i = 0; i < p->nassumes; i++)
        free(p->assumes[i]);
    free(p->assumes);
    free(p->effects);
    if (p->graph)
        cs_graph_free(p->graph);
    memset(p, 0, sizeof *p);
}
