/* SPDX-License-Identifier: BSD-3-Clause
 * The value of an argument on every rank, as C text: a literal where all ranks agree, a rule for peers, else a table by
 * class or by rank. Values are taken from the merged trace rank by rank; rules are found anew. */
#define _GNU_SOURCE 1
#include "skeleton/emit/values.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "skeleton/emit/definitions.h"

/* Sizes of generated tables. */
enum {
    PER_LINE = 24,      /* elements of a table */
    CELLS_MAX = 1 << 26 /* elements of a table, at most */
};

/* Constants that a trace holds as MPICH's numbers. */
enum { MPICH_UNDEFINED = -32766, MPICH_COMM_TYPE_SHARED = 1 };

/* Where an argument does not matter, such as the receive count on ranks that are not the root, it gets another rank's
 * value, so that more ranks agree. */
static void fill_unused(struct cs_gen *g)
{
    int64_t v = CS_UNUSED;
    for (int r = 0; r < g->m->info.nranks && v == CS_UNUSED; r++)
        v = g->here[r] ? g->value[r] : v;
    for (int r = 0; r < g->m->info.nranks; r++)
        if (g->here[r] && g->value[r] == CS_UNUSED)
            g->value[r] = v;
}

void cs_gen_spread(struct cs_gen *g, const struct cs_gen_call *c, int variant, int arg, int i)
{
    const struct cs_merged *m = g->m;
    assert(variant >= 0 && variant < c->nvariants && arg >= 0 && arg < c->call->nargs);
    memset(g->here, 0, (size_t)m->info.nranks * sizeof *g->here);
    for (int p = 0; p < c->l->nparts; p++) {
        const struct cs_gen_part *part = &c->part[variant * c->l->nparts + p];
        const struct cs_class *k = &m->cls[c->l->part[p].cls];
        for (int at = 0; at < k->ranks.total; at++) {
            int rank = k->rank[at];
            struct cs_comm_rank place = cs_gen_place(g, part, rank);
            g->here[rank] = true;
            g->value[rank] = part->at[arg] >= 0 && i < part->n[arg]
                                 ? cs_merged_value_at(&part->r->field[part->at[arg] + i], at, place.me, place.n)
                                 : 0;
        }
    }
    fill_unused(g);
}

/* ---- one value ---- */

/* C text of one value: MPI's name for it, or the number. */
static const char *token(struct cs_gen *g, enum cs_role role, const char *name, int64_t v)
{
    switch (role) {
    case CS_ROLE_DEST:
    case CS_ROLE_SOURCE:
    case CS_ROLE_ROOT:
        if (v == CS_ANY)
            return "MPI_ANY_SOURCE";
        if (v == CS_PROC_NULL)
            return "MPI_PROC_NULL";
        if (v == CS_ROOT)
            return "MPI_ROOT";
        break;
    case CS_ROLE_TAG:
        if (v == CS_ANY)
            return "MPI_ANY_TAG";
        break;
    case CS_ROLE_VAL:
        if (v == MPICH_UNDEFINED && strcmp(name, "color") == 0)
            return "MPI_UNDEFINED";
        if (v == MPICH_COMM_TYPE_SHARED && strcmp(name, "split_type") == 0)
            return "MPI_COMM_TYPE_SHARED";
        break;
    case CS_ROLE_COMM:
    case CS_ROLE_COMM_UPD:
    case CS_ROLE_NEWCOMM: return cs_gen_comm_name(g, v);
    case CS_ROLE_TYPE:
    case CS_ROLE_TYPES: return v == CS_UNUSED ? "MPI_BYTE" : cs_gen_type_name(g, v);
    case CS_ROLE_OP: return cs_gen_op_name(g, v);
    default: break;
    }
    return v == CS_UNUSED ? "0" : cs_gen_text(g, "%lld", (long long)v);
}

/* The C type of a table's elements. Types and operations are there by address. */
static const char *element_type(enum cs_role role)
{
    return role == CS_ROLE_TYPE || role == CS_ROLE_TYPES ? "MPI_Datatype *const "
           : role == CS_ROLE_OP                          ? "MPI_Op *const "
                                                         : "const int ";
}

/* C text of a value as a table's element. */
static const char *element(struct cs_gen *g, enum cs_role role, const char *name, int64_t v)
{
    if (role == CS_ROLE_TYPE || role == CS_ROLE_TYPES)
        return cs_gen_type_address(g, v);
    return role == CS_ROLE_OP ? cs_gen_op_address(g, v) : token(g, role, name, v);
}

static void item(FILE *out, int i, const char *text)
{
    fprintf(out, "%s%s", i == 0 ? "" : i % PER_LINE ? ", " : ",\n    ", text);
}

/* ---- by class or by rank ---- */

/* Do all of `rank` (n of them; NULL: ranks 0 to n-1) that make the call have one value? *v is then that value, or stays
 * if none makes it. */
static bool all_same(const struct cs_gen *g, const int *rank, int n, int64_t *v)
{
    bool any = false;
    for (int i = 0; i < n; i++) {
        int r = rank ? rank[i] : i;
        if (!g->here[r])
            continue;
        if (any && g->value[r] != *v)
            return false;
        *v = g->value[r];
        any = true;
    }
    return true;
}

static bool same_in_classes(const struct cs_gen *g)
{
    int64_t v;
    for (int k = 0; k < g->m->nclasses; k++)
        if (!all_same(g, g->m->cls[k].rank, g->m->cls[k].ranks.total, &v))
            return false;
    return true;
}

/* The value of class or rank number i; 0 where the call is not made. */
static int64_t value_of(const struct cs_gen *g, bool by_class, int i)
{
    int r = by_class ? g->m->cls[i].rank[0] : i;
    return g->here[r] ? g->value[r] : 0;
}

/* C text of an element of a table of g->value: "dest_3[cls]" or "dest_3[rank]". */
static const char *table_of(struct cs_gen *g, enum cs_role role, const char *name, bool by_class)
{
    struct cs_gen_memory m;
    FILE *out = cs_gen_begin(g, &m);
    int n = by_class ? g->m->nclasses : g->m->info.nranks;
    if (!out)
        return "";
    fputc('{', out);
    for (int i = 0; i < n; i++)
        item(out, i, element(g, role, name, value_of(g, by_class, i)));
    fputc('}', out);
    const char *kept = cs_gen_end(g, &m), *dims = cs_gen_text(g, "[%d]", n);
    const char *table = cs_gen_table(g, name, element_type(role), dims, kept),
               *star = element_type(role)[0] == 'M' ? "*" : "";
    return cs_gen_text(g, "%s%s[%s]", star, table, by_class ? "cls" : "rank");
}

const char *cs_gen_pick(struct cs_gen *g, enum cs_role role, const char *name)
{
    int64_t v = 0;
    if (all_same(g, NULL, g->m->info.nranks, &v))
        return token(g, role, name, v);
    return table_of(g, role, name, same_in_classes(g));
}

const char *cs_gen_condition(struct cs_gen *g, const char *name)
{
    int64_t v = 0;
    if (all_same(g, NULL, g->m->info.nranks, &v))
        return v ? "1" : "0";
    if (!same_in_classes(g))
        return table_of(g, CS_ROLE_VAL, name, false);
    const char *text = "";
    int n = 0;
    for (int k = 0; k < g->m->nclasses; k++)
        if (value_of(g, true, k) && ++n <= 4)
            text = cs_gen_text(g, "%s%scls == %d", text, *text ? " || " : "", k);
    return n <= 4 ? text : table_of(g, CS_ROLE_VAL, name, true);
}

const char *cs_gen_seconds(struct cs_gen *g, const double *by_class, const bool *in)
{
    struct cs_gen_memory m;
    int first = -1;
    bool same = true;
    for (int k = 0; k < g->m->nclasses; k++)
        if (in[k]) {
            first = first < 0 ? k : first;
            same &= by_class[k] == by_class[first];
        }
    if (first < 0 || (same && by_class[first] == 0))
        return "0";
    if (same)
        return cs_gen_text(g, "%.3g", by_class[first]);
    FILE *out = cs_gen_begin(g, &m);
    if (!out)
        return "0";
    fputc('{', out);
    for (int k = 0; k < g->m->nclasses; k++)
        item(out, k, cs_gen_text(g, "%.3g", in[k] ? by_class[k] : 0));
    fputc('}', out);
    const char *kept = cs_gen_end(g, &m);
    return cs_gen_text(g, "%s[cls]",
                       cs_gen_table(g, "seconds", "const double ", cs_gen_text(g, "[%d]", g->m->nclasses), kept));
}

/* ---- rules ---- */

/* C text "peer(comm, a)", which is rank (me + a) mod size; NULL if the ranks' peers are not all at one distance a. */
static const char *relative(struct cs_gen *g, const struct cs_gen_call *c)
{
    bool any = false;
    int64_t a = 0;
    int comm = -1;
    for (int p = 0; p < c->l->nparts; p++) {
        const struct cs_merged_record *r = c->part[p].r;
        const struct cs_class *k = &g->m->cls[r->cls];
        if (r->comm < 0 || (comm >= 0 && r->comm != comm))
            return NULL;
        comm = r->comm;
        for (int i = 0; i < k->ranks.total; i++) {
            struct cs_comm_rank q = cs_merged_comm_rank(g->m, comm, k->rank[i]);
            int64_t v = g->value[k->rank[i]];
            if (q.me < 0 || v < 0 || v >= q.n)
                return NULL;
            int64_t d = v - q.me;
            if (!any)
                a = 2 * d > q.n ? d - q.n : 2 * d < -q.n ? d + q.n : d;
            any = true;
            if (((q.me + a) % q.n + q.n) % q.n != v)
                return NULL;
        }
    }
    g->need[CS_NEED_PEER] = true;
    return cs_gen_text(g, "peer(comm[%s], %lld)", cs_gen_comm_name(g, comm), (long long)a);
}

/* ---- values by occurrence, class or rank ---- */

/* How the values of an argument lie in a table: | variant 0: | column 0: n elements | column 1: ... | variant 1: ... */
struct layout {
    int variants, columns; /* symbols of the cycle, classes or ranks; 1: all have the same values */
    bool by_class;         /* columns are classes, not ranks */
    int n;                 /* elements of the argument */
};

/* Sets g->value and g->here as cs_gen_spread; are the values those of `first`, by rank? */
static bool same_as_first(struct cs_gen *g, const struct cs_gen_call *c, int variant, int arg, int i,
                          const int64_t *first)
{
    cs_gen_spread(g, c, variant, arg, i);
    for (int r = 0; r < g->m->info.nranks; r++)
        if (g->here[r] && g->value[r] != first[r])
            return false;
    return true;
}

/* Finds out what n elements of the argument depend on: the iteration, the class, the rank. */
static struct layout layout_of(struct cs_gen *g, const struct cs_gen_call *c, int arg, int n)
{
    struct layout l = {1, 1, true, n};
    int64_t v = 0, *first = malloc(((size_t)g->m->info.nranks + 1) * sizeof *first);
    if (!first) {
        cs_gen_refuse(g, "not enough memory");
        return l;
    }
    for (int i = 0; i < n; i++) {
        cs_gen_spread(g, c, 0, arg, i);
        memcpy(first, g->value, (size_t)g->m->info.nranks * sizeof *first);
        for (int k = 0; k < c->nvariants; k++) {
            if (!same_as_first(g, c, k, arg, i, first))
                l.variants = c->nvariants;
            if (all_same(g, NULL, g->m->info.nranks, &v) || (l.columns > 1 && !l.by_class))
                continue;
            l.by_class = same_in_classes(g);
            l.columns = l.by_class ? g->m->nclasses : g->m->info.nranks;
        }
    }
    free(first);
    return l;
}

/* C text of the number of the row that a rank uses at this occurrence, such as "k5 % 12 * 4 + cls"; "" if it is always
 * 0. A row has l.n elements. */
static const char *row(struct cs_gen *g, const struct cs_gen_call *c, struct layout l)
{
    const char *k = cs_gen_text(g, "k%lld %% %d", (long long)c->node, l.variants), *who = l.by_class ? "cls" : "rank";
    if (l.variants > 1)
        g->counts_node[c->node] = true;
    if (l.variants > 1 && l.columns > 1)
        return cs_gen_text(g, "%s * %d + %s", k, l.columns, who);
    return l.variants > 1 ? k : l.columns > 1 ? who : "";
}

/* All elements of a table in the order of struct layout. To be freed; NULL: memory is out. */
static int64_t *cells_of(struct cs_gen *g, const struct cs_gen_call *c, int arg, struct layout l)
{
    int64_t *all = calloc((size_t)l.variants * (size_t)l.columns * (size_t)l.n + 1, sizeof *all), v = 0;
    for (int k = 0; all && k < l.variants; k++)
        for (int i = 0; i < l.n; i++) {
            cs_gen_spread(g, c, k, arg, i);
            all_same(g, NULL, g->m->info.nranks, &v);
            assert(l.columns == 1 || l.columns == (l.by_class ? g->m->nclasses : g->m->info.nranks));
            for (int r = 0; r < l.columns; r++)
                all[((int64_t)k * l.columns + r) * l.n + i] = l.columns == 1 ? v : value_of(g, l.by_class, r);
        }
    return all;
}

/* Writes the table and returns its name; NULL, and the reason is set, if it is too large. */
static const char *write_table(struct cs_gen *g, const struct cs_gen_call *c, int arg, struct layout l)
{
    const struct cs_mpi_arg *a = &c->call->args[arg];
    int64_t cells = (int64_t)l.variants * l.columns;
    struct cs_gen_memory m;
    if (cells > CELLS_MAX / (l.n + 1)) {
        cs_gen_refuse(g, "%s: %s has %lld numbers, too many to write down", c->call->name, a->name,
                      (long long)cells * l.n);
        return NULL;
    }
    int64_t *all = cells_of(g, c, arg, l);
    FILE *out = all ? cs_gen_begin(g, &m) : NULL;
    if (!out) {
        cs_gen_refuse(g, "not enough memory");
        free(all);
        return NULL;
    }
    fputc('{', out);
    for (int64_t i = 0; i < cells * l.n; i++)
        item(out, (int)i, element(g, a->role, a->name, all[i]));
    fputc('}', out);
    free(all);
    const char *text = cs_gen_end(g, &m), *dims = cs_gen_text(g, "[%lld]", (long long)cells * l.n);
    return cs_gen_table(g, a->name, element_type(a->role), dims, text);
}

/* C text such as "(int)(20 + 3 * (k5 % 12))"; NULL if the value does not change by the same step from each occurrence
 * to the next, alike on all ranks. */
static const char *ramp(struct cs_gen *g, const struct cs_gen_call *c, int arg)
{
    int64_t first = 0, last = 0, v = 0;
    cs_gen_spread(g, c, 0, arg, 0);
    if (!all_same(g, NULL, g->m->info.nranks, &first) || first < 0 || c->call->args[arg].role == CS_ROLE_TYPE ||
        c->call->args[arg].role == CS_ROLE_OP)
        return NULL;
    cs_gen_spread(g, c, 1, arg, 0);
    if (!all_same(g, NULL, g->m->info.nranks, &last))
        return NULL;
    int64_t step = last - first;
    for (int k = 1; k < c->nvariants; k++) {
        cs_gen_spread(g, c, k, arg, 0);
        if (!all_same(g, NULL, g->m->info.nranks, &v) || v != first + k * step || v < 0)
            return NULL;
    }
    g->counts_node[c->node] = true;
    return cs_gen_text(g, "(int)(%lld + %lld * (k%lld %% %d))", (long long)first, (long long)step, (long long)c->node,
                       c->nvariants);
}

static const char *scalar(struct cs_gen *g, const struct cs_gen_call *c, int arg)
{
    const struct cs_mpi_arg *a = &c->call->args[arg];
    int64_t v;
    struct layout l = layout_of(g, c, arg, 1);
    const char *text = NULL;
    cs_gen_spread(g, c, 0, arg, 0);
    if (l.variants > 1) {
        if (l.columns == 1 && (text = ramp(g, c, arg)))
            return text;
        const char *table = write_table(g, c, arg, l);
        return table ? cs_gen_text(g, "%s%s[%s]", element_type(a->role)[0] == 'M' ? "*" : "", table, row(g, c, l))
                     : "0";
    }
    if ((a->role == CS_ROLE_DEST || a->role == CS_ROLE_SOURCE) && !all_same(g, NULL, g->m->info.nranks, &v))
        text = relative(g, c);
    return text ? text : cs_gen_pick(g, a->role, a->name);
}

const char *cs_gen_scalar(struct cs_gen *g, const struct cs_gen_call *c, int arg)
{
    enum cs_role role = c->call->args[arg].role;
    const char *text = scalar(g, c, arg);
    return role == CS_ROLE_COMM || role == CS_ROLE_COMM_UPD ? cs_gen_text(g, "comm[%s]", text) : text;
}

int cs_gen_longest(const struct cs_gen_call *c, int arg)
{
    int n = 0;
    for (int p = 0; p < c->nvariants * c->l->nparts; p++)
        if (c->part[p].n[arg] > n)
            n = c->part[p].n[arg];
    return n;
}

const char *cs_gen_length(struct cs_gen *g, const struct cs_gen_call *c, int arg)
{
    for (int p = 0; p < c->nvariants * c->l->nparts; p++)
        if (c->part[p].n[arg] != c->part[p % c->l->nparts].n[arg])
            cs_gen_refuse(g, "%s: the length of %s changes in a loop", c->call->name, c->call->args[arg].name);
    cs_gen_spread(g, c, 0, arg, 0);
    for (int p = 0; p < c->l->nparts; p++)
        for (int q = 0; q < g->m->cls[c->l->part[p].cls].ranks.total; q++)
            g->value[g->m->cls[c->l->part[p].cls].rank[q]] = c->part[p].n[arg];
    return cs_gen_pick(g, CS_ROLE_VAL, "n");
}

const char *cs_gen_array(struct cs_gen *g, const struct cs_gen_call *c, int arg)
{
    int n = cs_gen_longest(c, arg);
    if (n == 0)
        return "NULL";
    struct layout l = layout_of(g, c, arg, n);
    const char *table = write_table(g, c, arg, l), *at = row(g, c, l);
    return !table ? "NULL"
           : *at  ? cs_gen_text(g, strchr(at, ' ') ? "%s + %d * (%s)" : "%s + %d * %s", table, n, at)
                  : table;
}
