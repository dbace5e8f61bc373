/* SPDX-License-Identifier: BSD-3-Clause
 * Reads the records and symbols of the merged form's file, and checks that the records' values fit their calls and the
 * ranks of their classes. */
#include <stdlib.h>
#include <string.h>

#include "trace/format/fields.h"
#include "trace/format/format.h"
#include "trace/nest/merged_format.h"
#include "trace/nest/merged_in.h"

/* ---- records ---- */

static int get_table(struct cs_merged_in *in, struct cs_merged_value *v, int n)
{
    in->tables += (uint64_t)n;
    if (in->tables > CS_MERGED_MAX_TABLES)
        return cs_in_bad(in, "tables too large");
    v->table = malloc(((size_t)n + 1) * sizeof *v->table);
    if (!v->table)
        return -1;
    for (int i = 0; i < n;) {
        int64_t x = cs_in_signed(in);
        int len = cs_in_below(in, (uint64_t)(n - i));
        if (in->c.bad || len < 1)
            return cs_in_bad(in, "bad table of values");
        while (len--)
            v->table[i++] = x;
    }
    return 0;
}

static bool is_small(int64_t a)
{
    return a >= -CS_MERGED_MAX_COEFFICIENT && a <= CS_MERGED_MAX_COEFFICIENT;
}

static int get_torus(struct cs_merged_in *in, struct cs_merged_value *v)
{
    for (int i = 0; i < CS_TORUS_DIMS; i++) {
        v->dims[i] = cs_in_below(in, CS_MAX_RANKS);
        v->shift[i] = cs_in_below(in, CS_MAX_RANKS);
        if (v->dims[i] < 1 || v->shift[i] >= v->dims[i])
            return cs_in_bad(in, "bad grid");
    }
    return (int64_t)v->dims[0] * v->dims[1] > CS_MAX_RANKS ||
                   (int64_t)v->dims[0] * v->dims[1] * v->dims[2] > CS_MAX_RANKS
               ? cs_in_bad(in, "bad grid")
               : 0;
}

static int get_value(struct cs_merged_in *in, struct cs_merged_value *v, int ranks)
{
    v->rule = (uint8_t)cs_in_below(in, CS_RULE_TABLE);
    switch ((enum cs_rule)v->rule) {
    case CS_RULE_SAME: v->a = cs_in_signed(in); return 0;
    case CS_RULE_RELATIVE:
    case CS_RULE_XOR: v->a = cs_in_signed(in); return is_small(v->a) ? 0 : cs_in_bad(in, "bad value");
    case CS_RULE_TORUS: return get_torus(in, v);
    case CS_RULE_DIGITS:
        v->a = cs_in_signed(in);
        v->b = cs_in_signed(in);
        v->c = cs_in_signed(in);
        v->div = cs_in_below(in, CS_MAX_RANKS);
        return is_small(v->a) && is_small(v->b) && is_small(v->c) && v->div >= 1 ? 0 : cs_in_bad(in, "bad value");
    case CS_RULE_TABLE: return get_table(in, v, ranks);
    }
    return -1;
}

/* How many definitions an argument of this role can name; -1: it names none. */
static int64_t definitions(const struct cs_merged *m, enum cs_role role)
{
    switch (role) {
    case CS_ROLE_TYPE:
    case CS_ROLE_TYPES: return m->ntypes;
    case CS_ROLE_COMM:
    case CS_ROLE_COMM_UPD:
    case CS_ROLE_NEWCOMM: return m->ncomms;
    case CS_ROLE_OP: return m->nops;
    default: return -1;
    }
}

/* Is the value, on every rank of the class, the number of one of the n definitions or a null handle (negative)? */
static bool names_definition(const struct cs_merged_value *v, int64_t n, int ranks)
{
    bool ok = v->rule == CS_RULE_TABLE || (v->rule == CS_RULE_SAME && v->a < n);
    for (int i = 0; v->rule == CS_RULE_TABLE && ok && i < ranks; i++)
        ok = v->table[i] < n;
    return ok;
}

/* Checks that the fields fit the call; sets r->comm. Array lengths must be the same on all ranks: a value that depends
 * on the rank is walked as INT64_MIN, which is no length. */
static int check_fields(struct cs_merged_in *in, struct cs_merged_record *r)
{
    int64_t *plain = malloc(((size_t)r->nfields + 1) * sizeof *plain), n;
    struct cs_event e = {.call = r->call, .nfields = r->nfields, .fields = plain};
    struct cs_field f;
    int arg = 0, at = 0, rc = 0, more;
    if (!plain)
        return -1;
    for (int i = 0; i < r->nfields; i++)
        plain[i] = r->field[i].rule == CS_RULE_SAME ? r->field[i].a : INT64_MIN;
    while ((more = cs_field_next(&e, &arg, &at, &f)) == 1 && !rc) {
        const struct cs_merged_value *v = &r->field[f.values - plain];
        if (f.arg->role == CS_ROLE_COMM && r->comm < 0 && v->rule == CS_RULE_SAME && v->a < in->m->ncomms)
            r->comm = v->a >= 0 ? (int)v->a : -1;
        n = definitions(in->m, f.arg->role);
        for (int64_t i = 0; i < f.n && n >= 0 && !rc; i++)
            rc = names_definition(v + i, n, in->m->cls[r->cls].ranks.total)
                     ? 0
                     : cs_in_bad(in, "a definition that is not there");
        if ((f.arg->role == CS_ROLE_COMM || f.arg->role == CS_ROLE_OP) && v->rule != CS_RULE_SAME)
            rc = cs_in_bad(in, "a communicator that depends on the rank");
    }
    free(plain);
    return rc ? rc : more < 0 ? cs_in_bad(in, "fields that do not fit their call") : 0;
}

static int get_record(struct cs_merged_in *in, struct cs_merged_record *r, const int *calls, int ncalls)
{
    struct cs_merged *m = in->m;
    r->comm = -1;
    r->cls = cs_in_below(in, (uint64_t)m->nclasses - 1);
    int call = cs_in_below(in, (uint64_t)ncalls);
    r->site = cs_in_below(in, (uint64_t)m->nsites) - 1;
    r->mark = cs_in_below(in, CS_MARK_CONTENT);
    int n = cs_in_number(in);
    if (in->c.bad || call == ncalls || n > CS_MAX_FIELDS)
        return cs_in_bad(in, "bad record");
    r->call = calls[call];
    r->field = calloc((size_t)n + 1, sizeof *r->field);
    if (!r->field)
        return -1;
    while (r->nfields < n)
        if (get_value(in, &r->field[r->nfields++], m->cls[r->cls].ranks.total))
            return -1;
    return in->c.bad ? cs_in_bad(in, "bad record") : check_fields(in, r);
}

static int get_calls(struct cs_merged_in *in, int *calls, int n)
{
    for (int i = 0; i < n; i++) {
        const char *name;
        if (cs_in_string(in, &name))
            return -1;
        const struct cs_mpi_call *c = name ? cs_mpi_find(name) : NULL;
        if (!c)
            return cs_in_bad(in, "a call that is not in this version's MPI table");
        calls[i] = cs_mpi_index(c);
    }
    return 0;
}

int cs_in_records(struct cs_merged_in *in)
{
    struct cs_merged *m = in->m;
    int ncalls = cs_in_number(in), rc;
    int *calls = malloc(((size_t)ncalls + 1) * sizeof *calls);
    if (!calls)
        return -1;
    rc = get_calls(in, calls, ncalls);
    int n = rc ? 0 : cs_in_number(in);
    m->record = calloc((size_t)n + 1, sizeof *m->record);
    rc = m->record ? rc : -1;
    while (!rc && m->nrecords < n)
        rc = get_record(in, &m->record[m->nrecords++], calls, ncalls);
    free(calls);
    return rc;
}

static int get_symbol(struct cs_merged_in *in, struct cs_merged_symbol *l)
{
    struct cs_merged *m = in->m;
    int n = cs_in_number(in);
    if (n < 1 || !(l->part = calloc((size_t)n, sizeof *l->part)))
        return n < 1 ? cs_in_bad(in, "an empty symbol") : -1;
    for (; l->nparts < n; l->nparts++) {
        struct cs_merged_part *p = &l->part[l->nparts];
        p->record = cs_in_below(in, (uint64_t)m->nrecords);
        p->shift = cs_in_below(in, CS_MERGED_MAX_SHIFT);
        if (in->c.bad || p->record == m->nrecords)
            return cs_in_bad(in, "bad symbol");
        p->cls = m->record[p->record].cls;
        if (l->nparts == 0)
            l->call = m->record[p->record].call;
        if ((l->nparts && p[-1].cls >= p->cls) || l->call != m->record[p->record].call)
            return cs_in_bad(in, "bad symbol");
    }
    return 0;
}

int cs_in_symbols(struct cs_merged_in *in)
{
    struct cs_merged *m = in->m;
    int n = cs_in_number(in);
    m->symbol = calloc((size_t)n + 1, sizeof *m->symbol);
    if (!m->symbol)
        return -1;
    while (m->nsymbols < n)
        if (get_symbol(in, &m->symbol[m->nsymbols++]))
            return -1;
    return 0;
}
