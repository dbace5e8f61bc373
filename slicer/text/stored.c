/* SPDX-License-Identifier: GPL-3.0-or-later
 * Writes and reads stored programs; stored.h. Lines `WORD REST` up to the line `graph`; of the effects table, the
 * number of bytes and then as many. */
#define _POSIX_C_SOURCE 200809L
#include "slicer/text/stored.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "slicer/graph/storage.h"
#include "slicer/text/graph_text.h"

#define FIRST_LINE "commslice-graph 1"

static void write_learnt(const struct cs_learnt *l, FILE *out)
{
    fprintf(out, "learnt %" PRId64, l->instances);
    for (int i = 0; i < l->n; i++)
        fprintf(out, " %d:%d:%" PRId64, l->fact[i].func, l->fact[i].at, l->fact[i].number);
    fputc('\n', out);
}

static void write_lost(const struct cs_learnt *l, FILE *out)
{
    fputs("lost", out);
    for (int i = 0; i < l->nlost; i++) {
        const struct cs_learnt_lost *o = &l->lost[i];
        fprintf(out, " %d:%d:%d", o->obj, o->stmt, o->nth);
        for (int k = 0; k < o->ncalls; k++)
            fprintf(out, ":%d", o->call[k]);
    }
    fputc('\n', out);
}

static int renumbered(int at, const int *number, int n)
{
    return at < 0 || at >= n ? -1 : number[at];
}

/* False if the text does not have the object. */
static bool renumber_lost(struct cs_learnt_lost *o, const struct cs_text_numbers *n)
{
    bool named = o->obj >= 0, has;
    o->obj = renumbered(o->obj, n->obj, n->nobjs);
    o->stmt = renumbered(o->stmt, n->stmt, n->nstmts);
    has = (named ? o->obj : o->stmt) >= 0;
    for (int i = 0; i < o->ncalls; i++)
        has &= (o->call[i] = renumbered(o->call[i], n->stmt, n->nstmts)) >= 0;
    return has;
}

void cs_stored_renumber(struct cs_learnt *l, const struct cs_text_numbers *n)
{
    int left = 0;
    for (int i = 0; i < l->n; i++) {
        struct cs_learnt_fact f = l->fact[i];
        if (f.func < 0)
            f.at = renumbered(f.at, n->value, n->nvalues);
        if (f.at >= 0)
            l->fact[left++] = f;
    }
    l->n = left;
    left = 0;
    for (int i = 0; i < l->nlost; i++)
        if (renumber_lost(&l->lost[i], n))
            l->lost[left++] = l->lost[i];
    l->nlost = left;
}

void cs_stored_write(const struct cs_stored_program *p, const char *graph, FILE *out)
{
    assert(graph && (p->nassumes == 0 || p->assumes));
    fputs(FIRST_LINE "\n", out);
    if (p->keep_errors)
        fputs("keep-errors\n", out);
    if (p->budget)
        fprintf(out, "budget %d\n", p->budget);
    if (p->mode_is_given)
        fputs("mode-given\n", out);
    if (p->counter)
        fprintf(out, "counter %d %s\n", p->count_how, p->counter);
    for (int i = 0; i < p->nassumes; i++)
        fprintf(out, "assume %s\n", p->assumes[i]);
    if (p->effects && *p->effects)
        fprintf(out, "effects %zu\n%s\n", strlen(p->effects), p->effects);
    if (p->learnt.n)
        write_learnt(&p->learnt, out);
    if (p->learnt.nlost)
        write_lost(&p->learnt, out);
    fprintf(out, "graph\n%s", graph);
}

static char *copy(const char *text, size_t n)
{
    char *s = cs_calloc(n + 1, 1);
    memcpy(s, text, n);
    return s;
}

/* Reads a number and, unless it is 0, the character behind it; false if it is something else. */
static bool read_number(const char **at, char behind, int64_t *n)
{
    char *end;
    *n = strtoll(*at, &end, 10);
    if (end == *at || (behind && *end != behind))
        return false;
    *at = end + (behind != 0);
    return true;
}

/* Reads what write_learnt() wrote behind its word; false if it is something else. */
static bool read_learnt(struct cs_learnt *l, const char *at)
{
    int64_t func, place, number;
    if (!read_number(&at, 0, &l->instances))
        return false;
    while (*at) {
        if (!read_number(&at, ':', &func) || !read_number(&at, ':', &place) || !read_number(&at, 0, &number) ||
            func < -1 || func > INT32_MAX || place < 0 || place > INT32_MAX)
            return false;
        CS_GROW(l->fact, l->n, l->cap);
        l->fact[l->n++] = (struct cs_learnt_fact){(int)func, (int)place, number};
    }
    return true;
}

/* Reads a number of at least `least` that fits an int; false if it is something else. */
static bool read_int(const char **at, char behind, int least, int *n)
{
    int64_t number;
    if (!read_number(at, behind, &number) || number < least || number > INT32_MAX)
        return false;
    *n = (int)number;
    return true;
}

/* Reads what write_lost() wrote behind its word; false if it is something else. */
static bool read_lost(struct cs_learnt *l, const char *at)
{
    while (*at) {
        struct cs_learnt_lost o = {0};
        if (!read_int(&at, ':', -1, &o.obj) || !read_int(&at, ':', -1, &o.stmt) || !read_int(&at, 0, 0, &o.nth))
            return false;
        while (*at == ':' && o.ncalls < CS_LEARNT_CALLS) {
            at++;
            if (!read_int(&at, 0, 0, &o.call[o.ncalls++]))
                return false;
        }
        CS_GROW(l->lost, l->nlost, l->alost);
        l->lost[l->nlost++] = o;
    }
    return true;
}

/* Does the graph have what the object is told by? */
static bool has_object(const struct cs_graph *g, const struct cs_learnt_lost *o)
{
    bool has = o->obj < 0 ? o->stmt >= 0 && o->stmt < g->nstmts : o->obj < g->nobjs && !o->ncalls;
    for (int i = 0; i < o->ncalls; i++)
        has &= o->call[i] < g->nstmts && g->stmts[o->call[i]].kind == CS_STMT_CALL;
    return has;
}

/* Does all that was learnt speak of what the graph has? */
static bool fits(const struct cs_learnt *l, const struct cs_graph *g)
{
    for (int i = 0; i < l->n; i++) {
        const struct cs_learnt_fact *f = &l->fact[i];
        if (f->func >= g->nfuncs || f->at >= (f->func < 0 ? g->nvalues : g->funcs[f->func].nblocks))
            return false;
        if (f->func >= 0 && (f->number < 0 || f->number > 1 || g->funcs[f->func].blocks[f->at].nsuccs != 2))
            return false;
    }
    for (int i = 0; i < l->nlost; i++)
        if (!has_object(g, &l->lost[i]))
            return false;
    return true;
}

/* Reads `HOW NAME`; false if it is something else. */
static bool read_counter(struct cs_stored_program *p, const char *at)
{
    int64_t how;
    if (!read_number(&at, ' ', &how) || how < 0 || how > 2 || !*at)
        return false;
    p->count_how = (int)how;
    p->counter = cs_strdup(at);
    return true;
}

/* One line of the head, which is `n` characters long. How many characters more it takes, -1 if it is none. */
static long head_line(struct cs_stored_program *p, const char *line, size_t n, size_t left)
{
    char *s = copy(line, n);
    long more = 0;
    if (!strcmp(s, "keep-errors"))
        p->keep_errors = true;
    else if (!strcmp(s, "mode-given"))
        p->mode_is_given = true;
    else if (!strncmp(s, "counter ", 8) && !p->counter)
        more = read_counter(p, s + 8) ? 0 : -1;
    else if (!strncmp(s, "budget ", 7))
        p->budget = (int)strtol(s + 7, NULL, 10);
    else if (!strncmp(s, "assume ", 7)) {
        p->assumes = cs_realloc(p->assumes, (p->nassumes + 1) * sizeof *p->assumes);
        p->assumes[p->nassumes++] = cs_strdup(s + 7);
    } else if (!strncmp(s, "learnt ", 7) && !p->learnt.n)
        more = read_learnt(&p->learnt, s + 7) ? 0 : -1;
    else if (!strncmp(s, "lost ", 5) && !p->learnt.nlost)
        more = read_lost(&p->learnt, s + 4) ? 0 : -1;
    else if (!strncmp(s, "effects ", 8) && !p->effects) {
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
    if (!p->graph || fits(&p->learnt, p->graph))
        return p->graph ? 0 : -1;
    snprintf(err, errlen, "the stored graph has no place for what was learnt of it");
    return -1;
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
    free(p->counter);
    free(p->learnt.fact);
    free(p->learnt.lost);
    if (p->graph)
        cs_graph_free(p->graph);
    memset(p, 0, sizeof *p);
}
