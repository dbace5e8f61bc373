/* SPDX-License-Identifier: BSD-3-Clause
 * A merged trace as text. A value that depends on the rank is shown by its rule, or by the first entries of its table.
 * Classes that make a call with the same arguments share a line. */
#include "cli/show/print_nest.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "trace/format/fields.h"
#include "cli/show/events.h"
#include "cli/frame/text.h"

#define TABLE_SHOWN 8
#define ARRAY_SHOWN 8
#define CYCLE_SHOWN 6

void cs_print_ranks(FILE *out, const struct cs_ranges *r)
{
    for (int i = 0; i < r->n; i++) {
        const struct cs_range *g = &r->range[i];
        fprintf(out, "%s%d", i ? "," : "", g->start);
        if (g->len > 1)
            fprintf(out, "-%d", g->start + (g->len - 1) * g->stride);
        if (g->len > 1 && g->stride != 1)
            fprintf(out, "/%d", g->stride);
    }
}

static void print_plain(FILE *out, const struct cs_merged *m, enum cs_role role, int64_t x)
{
    const char *word = NULL;
    if (x == CS_UNUSED)
        word = "-";
    else if ((role == CS_ROLE_TYPE || role == CS_ROLE_TYPES) && x < m->ntypes)
        word = x >= 0 ? m->type[x].signature : "null";
    else if ((role == CS_ROLE_COMM || role == CS_ROLE_COMM_UPD || role == CS_ROLE_NEWCOMM) && x < m->ncomms)
        word = x >= 0 ? m->comm[x].path : "null";
    else if (role == CS_ROLE_OP && x < m->nops)
        word = x >= 0 ? m->op[x] : "null";
    else if ((role == CS_ROLE_SOURCE || role == CS_ROLE_TAG) && x == CS_ANY)
        word = "any";
    else if ((role == CS_ROLE_SOURCE || role == CS_ROLE_DEST || role == CS_ROLE_ROOT) && x == CS_PROC_NULL)
        word = "null";
    if (word)
        fputs(word, out);
    else
        fprintf(out, "%" PRId64, x);
}

static void print_table(FILE *out, const struct cs_merged *m, enum cs_role role, const int64_t *v, int n)
{
    int shown = 0;
    putc('{', out);
    for (int i = 0, j; i < n; i = j) {
        for (j = i; j < n && v[j] == v[i]; j++)
            ;
        if (i)
            putc(' ', out);
        if (shown++ == TABLE_SHOWN) {
            fputs("...", out);
            break;
        }
        print_plain(out, m, role, v[i]);
        if (j - i > 1)
            fprintf(out, "*%d", j - i);
    }
    putc('}', out);
}

static void print_torus(FILE *out, const struct cs_merged_value *v)
{
    const char *before = "me + (";
    for (int i = 0; i < CS_TORUS_DIMS; i++) {
        if (v->dims[i] <= 1)
            continue;
        fprintf(out, "%s%d mod %d", before, 2 * v->shift[i] > v->dims[i] ? v->shift[i] - v->dims[i] : v->shift[i],
                v->dims[i]);
        before = ", ";
    }
    fputs(")", out);
}

void cs_print_value(FILE *out, const struct cs_merged *m, const struct cs_merged_record *r, int field,
                    enum cs_role role)
{
    const struct cs_merged_value *v = &r->field[field];
    switch ((enum cs_rule)v->rule) {
    case CS_RULE_SAME: print_plain(out, m, role, v->a); break;
    case CS_RULE_RELATIVE: fprintf(out, "me%+" PRId64, v->a); break;
    case CS_RULE_XOR: fprintf(out, "me^%" PRId64, v->a); break;
    case CS_RULE_TORUS: print_torus(out, v); break;
    case CS_RULE_DIGITS:
        fprintf(out, "%" PRId64 "*(me/%d)%+" PRId64 "*(me%%%d)%+" PRId64, v->a, v->div, v->b, v->div, v->c);
        break;
    case CS_RULE_TABLE: print_table(out, m, role, v->table, m->cls[r->cls].ranks.total); break;
    }
}

/* Prints all arguments. To find each one's fields, an event is made up with 0 for values that depend on the rank, which
 * lengths do not. */
static void print_arguments(FILE *out, const struct cs_merged *m, const struct cs_merged_record *r)
{
    int64_t plain[256];
    struct cs_event e = {.call = r->call, .nfields = r->nfields, .fields = plain};
    struct cs_field f;
    int arg = 0, at = 0;
    if (r->nfields > (int)(sizeof plain / sizeof *plain)) {
        fprintf(out, " (%d values)", r->nfields);
        return;
    }
    for (int i = 0; i < r->nfields; i++)
        plain[i] = r->field[i].rule == CS_RULE_SAME ? r->field[i].a : 0;
    while (cs_field_next(&e, &arg, &at, &f) == 1) {
        fprintf(out, " %s=%s", cs_arg_label(cs_mpi_call(r->call), arg - 1), f.shape == CS_FIELD_ARRAY ? "[" : "");
        for (int64_t i = 0; i < f.n && i < ARRAY_SHOWN; i++) {
            if (i)
                putc(',', out);
            cs_print_value(out, m, r, (int)(f.values - plain + i), f.arg->role);
        }
        if (f.n > ARRAY_SHOWN)
            fputs(",...", out);
        if (f.shape == CS_FIELD_ARRAY)
            putc(']', out);
    }
}

static void put_site(FILE *out, const struct cs_site *s)
{
    fputs(" at ", out);
    cs_put_plain(out, s->file ? s->file : "?");
    if (s->line >= 0)
        fprintf(out, ":%d", s->line);
    else if (s->func)
        fputs(s->func, out);
}

/* Arguments and call site of the call as a class makes it, to be freed; NULL: memory is out. */
static char *part_text(const struct cs_merged *m, const struct cs_merged_symbol *l, int part)
{
    const struct cs_merged_record *r = &m->record[l->part[part].record];
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    if (!out)
        return NULL;
    print_arguments(out, m, r);
    if (r->site >= 0)
        put_site(out, &m->site[r->site]);
    if (l->part[part].shift)
        fprintf(out, " (%d earlier)", l->part[part].shift);
    fclose(out);
    return text;
}

/* Prints the classes whose text is that of part `i`, nothing if these are all classes. Frees theirs,
 * but for that of part `i`. */
static void print_classes(FILE *out, const struct cs_merged *m, const struct cs_merged_symbol *l, char **text, int i)
{
    int alike = 0;
    for (int j = i; j < l->nparts; j++)
        alike += text[j] && !strcmp(text[i], text[j]);
    const char *before = alike > 1 ? " classes " : " class ";
    for (int j = i; j < l->nparts; j++) {
        if (!text[j] || strcmp(text[i], text[j]))
            continue;
        if (alike < m->nclasses)
            fprintf(out, "%s%d", before, l->part[j].cls);
        before = ",";
        if (j > i) {
            free(text[j]);
            text[j] = NULL;
        }
    }
}

/* Prints a call, with one line for all classes that make it alike. */
static void print_symbol(FILE *out, const struct cs_merged *m, const struct cs_merged_symbol *l, int depth)
{
    char **text = calloc((size_t)l->nparts + 1, sizeof *text);
    for (int i = 0; text && i < l->nparts; i++)
        text[i] = part_text(m, l, i);
    for (int i = 0; text && i < l->nparts; i++) {
        if (!text[i])
            continue;
        fprintf(out, "%*s%s%s", 2 * depth, "", i == 0 ? cs_mpi_call(l->call)->name : "  |", text[i]);
        print_classes(out, m, l, text, i);
        putc('\n', out);
        free(text[i]);
    }
    free(text);
}

static void print_count(FILE *out, const struct cs_merged *m, const struct cs_nest_node *n, int depth)
{
    fprintf(out, "%*s", 2 * depth, "");
    for (int k = 0; k < n->ncycle && k < CYCLE_SHOWN; k++)
        fprintf(out, "%s%d", k ? ", " : "alternately ", m->cycle[n->cycle + k]);
    if (n->ncycle)
        fputs(n->ncycle > CYCLE_SHOWN ? ", ... times:\n" : " times:\n", out);
    else
        fprintf(out, "%" PRId64 " times:\n", n->count);
}

static void print_nodes(FILE *out, const struct cs_merged *m, int64_t from, int64_t to, int depth)
{
    for (int64_t i = from; i < to && !ferror(out); i++) {
        const struct cs_nest_node *n = &m->node[i];
        if (n->ncycle && n->count == 0)
            fprintf(out, "%*sone of, alternating between iterations:\n", 2 * depth, "");
        for (int k = 0; n->count == 0 && k < n->ncycle && k < CYCLE_SHOWN; k++)
            print_symbol(out, m, &m->symbol[m->cycle[n->cycle + k]], depth + 1);
        if (n->count == 0 && n->ncycle > CYCLE_SHOWN)
            fprintf(out, "%*s... (%d in all)\n", 2 * depth + 2, "", n->ncycle);
        if (n->count == 0 && n->ncycle == 0)
            print_symbol(out, m, &m->symbol[n->value], depth);
        if (n->count == 0)
            continue;
        print_count(out, m, n, depth);
        print_nodes(out, m, i + 1, i + 1 + n->value, depth + 1);
        i += n->value;
    }
}

void cs_print_nest(FILE *out, const struct cs_merged *m)
{
    for (int c = 0; c < m->nclasses; c++) {
        fprintf(out, "class %d: %d rank%s, %" PRId64 " calls each: ", c, m->cls[c].ranks.total,
                m->cls[c].ranks.total == 1 ? "" : "s", m->cls[c].nevents);
        cs_print_ranks(out, &m->cls[c].ranks);
        putc('\n', out);
    }
    putc('\n', out);
    print_nodes(out, m, 0, m->nnodes, 0);
}
