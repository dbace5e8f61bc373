/* SPDX-License-Identifier: BSD-3-Clause
 * Reads the merged form's file. Every number is checked before it is used, so that what comes out can be walked without
 * further questions: definitions exist, arrays fit their calls, the nest is a nest and gives each class its events. */
#define _GNU_SOURCE 1
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zstd.h>

#include "fields.h"
#include "merged.h"
#include "merged_format.h"
#include "read.h"

struct in {
    struct cs_cursor c;
    struct cs_merged *m;
    uint64_t tables;            /* entries so far */
    const char *what;           /* what is wrong; NULL: memory */
};

static int bad(struct in *in, const char *what)
{
    in->what = what;
    return -1;
}

static uint64_t get(struct in *in) { return cs_cursor_varint(&in->c); }
static int64_t get_signed(struct in *in) { return cs_unzigzag(cs_cursor_varint(&in->c)); }
static int get_below(struct in *in, uint64_t max) { return (int)cs_cursor_below(&in->c, max < INT32_MAX ? max : INT32_MAX); }

/* How many things follow, each of them at least a byte. */
static int get_number(struct in *in)
{
    return get_below(in, (uint64_t)(in->c.end - in->c.p));
}

static int get_string(struct in *in, const char **out)
{
    const char *s;
    size_t n;
    cs_cursor_string(&in->c, &s, &n);
    *out = s ? cs_pool_bytes(in->m->strings, s, n) : NULL;
    return s && !*out ? -1 : 0;
}

static int get_info(struct in *in)
{
    struct cs_run_info *i = &in->m->info;
    i->nranks = get_below(in, CS_MAX_RANKS);
    uint64_t flags = get(in);
    in->m->folded = flags & CS_MERGED_FOLDED;
    i->with_times = flags & CS_MERGED_TIMES;
    if (in->c.bad || i->nranks < 1 || flags > (CS_MERGED_FOLDED | CS_MERGED_TIMES | CS_MERGED_GAPS))
        return bad(in, "bad head");
    if (flags & CS_MERGED_GAPS && !(in->m->gap_at = calloc(1, sizeof *in->m->gap_at)))
        return -1;
    return get_string(in, &i->program) || get_string(in, &i->args) || get_string(in, &i->kind) || get_string(in, &i->engine)
        || get_string(in, &i->assumptions) || get_string(in, &i->versions) ? -1 : 0;
}

/* ---- definitions ---- */

static int get_ranges(struct in *in, struct cs_ranges *r)
{
    int n = get_number(in), nranks = in->m->info.nranks;
    r->range = calloc((size_t)n + 1, sizeof *r->range);
    if (!r->range)
        return -1;
    r->cap = n + 1;
    for (int i = 0; i < n && !in->c.bad; i++) {
        int64_t start = get_signed(in), stride = get_signed(in), len = get_below(in, (uint64_t)(nranks - r->total));
        if (in->c.bad || start < 0 || start >= nranks || len < 1 || stride <= -nranks || stride >= nranks
            || start + (len - 1) * stride < 0 || start + (len - 1) * stride >= nranks)
            return bad(in, "bad list of ranks");
        r->range[r->n++] = (struct cs_range){(int)start, (int)stride, (int)len};
        r->total += (int)len;
    }
    return 0;
}

static int get_runs(struct in *in, int *v, int n, int below)
{
    for (int i = 0; i < n;) {
        int x = get_below(in, (uint64_t)below - 1), len = get_below(in, (uint64_t)(n - i));
        if (in->c.bad || len < 1)
            return bad(in, "bad list of groups");
        while (len--)
            v[i++] = x;
    }
    return 0;
}

static int get_comm(struct in *in, struct cs_merged_comm *c)
{
    if (get_string(in, &c->path))
        return -1;
    int n = get_number(in);
    if (n < 1 || !c->path)
        return bad(in, "bad communicator");
    c->group = calloc((size_t)n, sizeof *c->group);
    if (!c->group)
        return -1;
    for (; c->ngroups < n; c->ngroups++)
        if (get_ranges(in, &c->group[c->ngroups])) {
            c->ngroups++;
            return -1;
        }
    if (!get_below(in, 1))
        return 0;
    c->group_of = malloc((size_t)in->m->info.nranks * sizeof *c->group_of);
    return c->group_of ? get_runs(in, c->group_of, in->m->info.nranks, c->ngroups) : -1;
}

static int get_sites(struct in *in)
{
    struct cs_merged *m = in->m;
    int n = get_number(in);
    m->site = calloc((size_t)n + 1, sizeof *m->site);
    for (; m->site && m->nsites < n; m->nsites++) {
        struct cs_site *s = &m->site[m->nsites];
        if (get_string(in, &s->file))
            return -1;
        int64_t line = get_signed(in);
        if (line < INT32_MIN || line > INT32_MAX)
            return bad(in, "bad call site");
        s->line = (int)line;
        if (get_string(in, &s->func))
            return -1;
    }
    return m->site ? 0 : -1;
}

static int get_types(struct in *in)
{
    struct cs_merged *m = in->m;
    int n = get_number(in);
    m->type = calloc((size_t)n + 1, sizeof *m->type);
    for (; m->type && m->ntypes < n; m->ntypes++) {
        if (get_string(in, &m->type[m->ntypes].signature))
            return -1;
        m->type[m->ntypes].size = get_signed(in);
        m->type[m->ntypes].extent = get_signed(in);
    }
    return m->type ? 0 : -1;
}

static int get_definitions(struct in *in)
{
    struct cs_merged *m = in->m;
    if (get_sites(in) || get_types(in))
        return -1;
    int n = get_number(in);
    m->comm = calloc((size_t)n + 1, sizeof *m->comm);
    if (!m->comm)
        return -1;
    while (m->ncomms < n)
        if (get_comm(in, &m->comm[m->ncomms++]))
            return -1;
    n = get_number(in);
    m->op = calloc((size_t)n + 1, sizeof *m->op);
    for (; m->op && m->nops < n; m->nops++)
        if (get_string(in, &m->op[m->nops]))
            return -1;
    return !m->op ? -1 : in->c.bad ? bad(in, "bad definition") : 0;
}

/* ---- classes ---- */

static int get_class(struct in *in, struct cs_class *c, int number)
{
    struct cs_merged *m = in->m;
    c->nevents = (int64_t)cs_cursor_below(&in->c, INT64_MAX);
    if (get_ranges(in, &c->ranks))
        return -1;
    if (c->ranks.total < 1)
        return bad(in, "a class without ranks");
    c->rank = malloc((size_t)c->ranks.total * sizeof *c->rank);
    if (!c->rank)
        return -1;
    for (int k = 0, at = 0; k < c->ranks.n; k++)
        for (int i = 0; i < c->ranks.range[k].len; i++, at++) {
            int r = c->ranks.range[k].start + i * c->ranks.range[k].stride;
            if (m->class_of[r] >= 0)
                return bad(in, "a rank in two classes");
            m->class_of[r] = number;
            m->place_of[r] = at;
            c->rank[at] = r;
        }
    return 0;
}

static int get_classes(struct in *in)
{
    struct cs_merged *m = in->m;
    int n = get_number(in);
    m->cls = calloc((size_t)n + 1, sizeof *m->cls);
    m->class_of = malloc((size_t)m->info.nranks * sizeof *m->class_of);
    m->place_of = malloc((size_t)m->info.nranks * sizeof *m->place_of);
    if (!m->cls || !m->class_of || !m->place_of)
        return -1;
    memset(m->class_of, -1, (size_t)m->info.nranks * sizeof *m->class_of);
    while (m->nclasses < n) {
        int c = m->nclasses++;
        if (get_class(in, &m->cls[c], c))
            return -1;
    }
    for (int r = 0; r < m->info.nranks; r++)
        if (m->class_of[r] < 0)
            return bad(in, "a rank in no class");
    return 0;
}

/* ---- records ---- */

static int get_table(struct in *in, struct cs_value *v, int n)
{
    in->tables += (uint64_t)n;
    if (in->tables > CS_MERGED_MAX_TABLES)
        return bad(in, "tables too large");
    v->table = malloc(((size_t)n + 1) * sizeof *v->table);
    if (!v->table)
        return -1;
    for (int i = 0; i < n;) {
        int64_t x = get_signed(in);
        int len = get_below(in, (uint64_t)(n - i));
        if (in->c.bad || len < 1)
            return bad(in, "bad table of values");
        while (len--)
            v->table[i++] = x;
    }
    return 0;
}

static bool is_small(int64_t a)
{
    return a >= -CS_MERGED_MAX_COEFFICIENT && a <= CS_MERGED_MAX_COEFFICIENT;
}

static int get_torus(struct in *in, struct cs_value *v)
{
    for (int i = 0; i < CS_TORUS_DIMS; i++) {
        v->dims[i] = get_below(in, CS_MAX_RANKS);
        v->shift[i] = get_below(in, CS_MAX_RANKS);
        if (v->dims[i] < 1 || v->shift[i] >= v->dims[i])
            return bad(in, "bad grid");
    }
    return (int64_t)v->dims[0] * v->dims[1] > CS_MAX_RANKS || (int64_t)v->dims[0] * v->dims[1] * v->dims[2] > CS_MAX_RANKS
        ? bad(in, "bad grid") : 0;
}

static int get_value(struct in *in, struct cs_value *v, int ranks)
{
    v->rule = (uint8_t)get_below(in, CS_RULE_TABLE);
    switch ((enum cs_rule)v->rule) {
    case CS_RULE_SAME:
        v->a = get_signed(in);
        return 0;
    case CS_RULE_RELATIVE: case CS_RULE_XOR:
        v->a = get_signed(in);
        return is_small(v->a) ? 0 : bad(in, "bad value");
    case CS_RULE_TORUS:
        return get_torus(in, v);
    case CS_RULE_DIGITS:
        v->a = get_signed(in);
        v->b = get_signed(in);
        v->c = get_signed(in);
        v->div = get_below(in, CS_MAX_RANKS);
        return is_small(v->a) && is_small(v->b) && is_small(v->c) && v->div >= 1 ? 0 : bad(in, "bad value");
    case CS_RULE_TABLE:
        return get_table(in, v, ranks);
    }
    return -1;
}

/* How many definitions of this role there are; -1: it is none. */
static int64_t definitions(const struct cs_merged *m, enum cs_role role)
{
    switch (role) {
    case CS_ROLE_TYPE: case CS_ROLE_TYPES: return m->ntypes;
    case CS_ROLE_COMM: case CS_ROLE_COMM_UPD: case CS_ROLE_NEWCOMM: return m->ncomms;
    case CS_ROLE_OP: return m->nops;
    default: return -1;
    }
}

/* A definition's number is there, on every rank of the class, or it is a null handle. */
static bool names_definition(const struct cs_value *v, int64_t n, int ranks)
{
    bool ok = v->rule == CS_RULE_TABLE || (v->rule == CS_RULE_SAME && v->a < n);
    for (int i = 0; v->rule == CS_RULE_TABLE && ok && i < ranks; i++)
        ok = v->table[i] < n;
    return ok;
}

/* The fields fit the call. They are looked at as they are where a value is the same on all ranks, which lengths must be. */
static int check_fields(struct in *in, struct cs_merged_record *r)
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
        const struct cs_value *v = &r->field[f.values - plain];
        if (f.arg->role == CS_ROLE_COMM && r->comm < 0 && v->rule == CS_RULE_SAME && v->a < in->m->ncomms)
            r->comm = v->a >= 0 ? (int)v->a : -1;
        n = definitions(in->m, f.arg->role);
        for (int64_t i = 0; i < f.n && n >= 0 && !rc; i++)
            rc = names_definition(v + i, n, in->m->cls[r->cls].ranks.total) ? 0 : bad(in, "a definition that is not there");
        if ((f.arg->role == CS_ROLE_COMM || f.arg->role == CS_ROLE_OP) && v->rule != CS_RULE_SAME)
            rc = bad(in, "a communicator that depends on the rank");
    }
    free(plain);
    return rc ? rc : more < 0 ? bad(in, "fields that do not fit their call") : 0;
}

static int get_record(struct in *in, struct cs_merged_record *r, const int *calls, int ncalls)
{
    struct cs_merged *m = in->m;
    r->comm = -1;
    r->cls = get_below(in, (uint64_t)m->nclasses - 1);
    int call = get_below(in, (uint64_t)ncalls);
    r->site = get_below(in, (uint64_t)m->nsites) - 1;
    r->mark = get_below(in, CS_MARK_CONTENT);
    int n = get_number(in);
    if (in->c.bad || call == ncalls || n > CS_MAX_FIELDS)
        return bad(in, "bad record");
    r->call = calls[call];
    r->field = calloc((size_t)n + 1, sizeof *r->field);
    if (!r->field)
        return -1;
    while (r->nfields < n)
        if (get_value(in, &r->field[r->nfields++], m->cls[r->cls].ranks.total))
            return -1;
    return in->c.bad ? bad(in, "bad record") : check_fields(in, r);
}

static int get_calls(struct in *in, int *calls, int n)
{
    for (int i = 0; i < n; i++) {
        const char *name;
        if (get_string(in, &name))
            return -1;
        const struct cs_mpi_call *c = name ? cs_mpi_find(name) : NULL;
        if (!c)
            return bad(in, "a call that is not in this version's MPI table");
        calls[i] = cs_mpi_index(c);
    }
    return 0;
}

static int get_records(struct in *in)
{
    struct cs_merged *m = in->m;
    int ncalls = get_number(in), rc;
    int *calls = malloc(((size_t)ncalls + 1) * sizeof *calls);
    if (!calls)
        return -1;
    rc = get_calls(in, calls, ncalls);
    int n = rc ? 0 : get_number(in);
    m->record = calloc((size_t)n + 1, sizeof *m->record);
    rc = m->record ? rc : -1;
    while (!rc && m->nrecords < n)
        rc = get_record(in, &m->record[m->nrecords++], calls, ncalls);
    free(calls);
    return rc;
}

static int get_letter(struct in *in, struct cs_merged_letter *l)
{
    struct cs_merged *m = in->m;
    int n = get_number(in);
    if (n < 1 || !(l->part = calloc((size_t)n, sizeof *l->part)))
        return n < 1 ? bad(in, "an empty letter") : -1;
    for (; l->nparts < n; l->nparts++) {
        struct cs_merged_part *p = &l->part[l->nparts];
        p->record = get_below(in, (uint64_t)m->nrecords);
        p->shift = get_below(in, CS_MERGED_MAX_SHIFT);
        if (in->c.bad || p->record == m->nrecords)
            return bad(in, "bad letter");
        p->cls = m->record[p->record].cls;
        if (l->nparts == 0)
            l->call = m->record[p->record].call;
        if ((l->nparts && p[-1].cls >= p->cls) || l->call != m->record[p->record].call)
            return bad(in, "bad letter");
    }
    return 0;
}

static int get_letters(struct in *in)
{
    struct cs_merged *m = in->m;
    int n = get_number(in);
    m->letter = calloc((size_t)n + 1, sizeof *m->letter);
    if (!m->letter)
        return -1;
    while (m->nletters < n)
        if (get_letter(in, &m->letter[m->nletters++]))
            return -1;
    return 0;
}

/* ---- the nest ---- */

static int get_cycle(struct in *in, struct cs_nest_node *d, size_t *cap)
{
    struct cs_merged *m = in->m;
    int n = get_number(in);
    d->cycle = (int32_t)m->ncycles;
    if (n == 1 || m->ncycles + n > INT32_MAX)
        return bad(in, "bad rule in a loop");
    for (; d->ncycle < n; d->ncycle++) {
        if ((size_t)m->ncycles == *cap) {
            *cap = *cap ? 2 * *cap : 64;
            int32_t *p = realloc(m->cycle, *cap * sizeof *p);
            if (!p)
                return -1;
            m->cycle = p;
        }
        int letter = get_below(in, (uint64_t)m->nletters);
        if (in->c.bad || letter == m->nletters || m->letter[letter].call != m->letter[d->value].call
            || (d->ncycle == 0 && letter != d->value))
            return bad(in, "bad rule in a loop");
        m->cycle[m->ncycles++] = letter;
    }
    return 0;
}

static int get_node(struct in *in, int64_t at, int64_t n, size_t *cycle_cap)
{
    struct cs_merged *m = in->m;
    struct cs_nest_node *d = &m->node[at];
    d->count = (int64_t)cs_cursor_below(&in->c, INT64_MAX);
    d->value = get_below(in, INT32_MAX);
    if (in->c.bad || d->count == 1 || (d->count == 0 ? d->value >= m->nletters : d->value < 1 || d->value >= n - at))
        return bad(in, "bad nest");
    if (d->count)
        return 0;
    return get_cycle(in, d, cycle_cap);
}

/* A letter that happens `times` times, with its cycle if it has one. */
static int count_letter(struct in *in, const struct cs_nest_node *n, int64_t times, int64_t *events)
{
    const struct cs_merged *m = in->m;
    int32_t turns = n->ncycle ? n->ncycle : 1;
    for (int32_t t = 0; t < turns; t++) {
        const struct cs_merged_letter *l = &m->letter[n->ncycle ? m->cycle[n->cycle + t] : n->value];
        for (int k = 0; k < l->nparts; k++)
            if ((events[l->part[k].cls] -= times / turns + (t < times % turns)) < 0)
                return bad(in, "more events than the classes have");
    }
    return 0;
}

/* Adds the events of a stretch to those of the classes; loops must end inside of what is around them. */
static int count_events(struct in *in, int64_t from, int64_t to, int64_t times, int depth, int64_t *events)
{
    const struct cs_merged *m = in->m;
    if (depth > CS_MERGED_MAX_DEPTH)
        return bad(in, "a nest too deep");
    for (int64_t i = from; i < to; i++) {
        const struct cs_nest_node *n = &m->node[i];
        if (n->count) {
            if (i + n->value >= to || n->count > INT64_MAX / times || count_events(in, i + 1, i + 1 + n->value, times * n->count, depth + 1, events))
                return in->what ? -1 : bad(in, "bad nest");
            i += n->value;
            continue;
        }
        if (count_letter(in, n, times, events))
            return -1;
    }
    return 0;
}

static int get_nest(struct in *in)
{
    struct cs_merged *m = in->m;
    int64_t n = get_number(in), *events = malloc(((size_t)m->nclasses + 1) * sizeof *events);
    size_t cycle_cap = 0;
    int rc = events && (m->node = calloc((size_t)n + 1, sizeof *m->node)) ? 0 : -1;
    for (m->nnodes = 0; !rc && m->nnodes < n; m->nnodes++)
        rc = get_node(in, m->nnodes, n, &cycle_cap);
    for (int c = 0; !rc && c < m->nclasses; c++)
        events[c] = m->cls[c].nevents;
    rc = rc ? rc : count_events(in, 0, m->nnodes, 1, 0, events);
    for (int c = 0; !rc && c < m->nclasses; c++)
        if (events[c])
            rc = bad(in, "fewer events than the classes have");
    free(events);
    return rc;
}

static int get_gaps(struct in *in)
{
    struct cs_merged *m = in->m;
    free(m->gap_at);
    m->gap_at = calloc((size_t)m->nnodes + 1, sizeof *m->gap_at);
    m->tail = calloc((size_t)m->nclasses + 1, sizeof *m->tail);
    if (!m->gap_at || !m->tail)
        return -1;
    for (int64_t i = 0; i < m->nnodes; i++) {
        m->gap_at[i] = m->ngaps;
        m->ngaps += m->node[i].count ? 0 : m->letter[m->node[i].value].nparts;
    }
    if (m->ngaps > in->c.end - in->c.p)
        return bad(in, "times are missing");
    m->gap = calloc((size_t)m->ngaps + 1, sizeof *m->gap);
    if (!m->gap)
        return -1;
    for (int64_t i = 0; i < m->ngaps; i++) {
        int64_t n = (int64_t)cs_cursor_below(&in->c, INT64_MAX), first = (int64_t)cs_cursor_below(&in->c, INT64_MAX);
        double gap = (double)get_signed(in), first_gap = (double)get_signed(in), busy = (double)get_signed(in);
        m->gap[i] = (struct cs_gap){n, first, gap, first_gap, busy};
    }
    for (int c = 0; c < m->nclasses; c++)
        m->tail[c] = (double)get_signed(in);
    return 0;
}

static int get_body(struct in *in)
{
    if (get_info(in) || get_definitions(in) || get_classes(in) || get_records(in) || get_letters(in) || get_nest(in)
        || (in->m->gap_at && get_gaps(in)))
        return -1;
    return in->c.bad || in->c.p != in->c.end ? bad(in, "bad end") : 0;
}

/* ---- the file ---- */

static int unpack(int fd, uint64_t size, struct cs_bytes *raw, char *errbuf, size_t errlen)
{
    unsigned char head[CS_MERGED_HEADER_LEN], *packed = NULL;
    if (size < sizeof head || cs_read_at(fd, 0, head, sizeof head) || memcmp(head, CS_MERGED_MAGIC, CS_MERGED_MAGIC_LEN - 1))
        return cs_reason(errbuf, errlen, "not a merged trace");
    if (head[CS_MERGED_MAGIC_LEN - 1] != CS_MERGED_MAGIC[CS_MERGED_MAGIC_LEN - 1])
        return cs_reason(errbuf, errlen, "a merged trace of another version; merge it again");
    uint64_t n = cs_get_u64(head + 8), stored = cs_get_u64(head + 16);
    if (cs_get_u64(head + 32) != cs_trace_hash(head, 32) || n > CS_MERGED_MAX_BODY || stored != size - sizeof head)
        return cs_reason(errbuf, errlen, "damaged, or cut off");
    int rc = cs_bytes_reserve(raw, n + 1) || !(packed = malloc(stored + 1)) ? cs_reason(errbuf, errlen, "not enough memory") : 0;
    if (!rc && (cs_read_at(fd, sizeof head, packed, stored) || cs_trace_hash(packed, stored) != cs_get_u64(head + 24)
        || ZSTD_decompress(raw->data, n, packed, stored) != n))
        rc = cs_reason(errbuf, errlen, "damaged");
    raw->len = n;
    free(packed);
    return rc;
}

static struct cs_merged *decode(const struct cs_bytes *raw, char *errbuf, size_t errlen)
{
    struct in in = {.c = {.p = raw->data, .end = raw->data + raw->len}, .m = calloc(1, sizeof *in.m)};
    if (in.m && (in.m->strings = calloc(1, sizeof *in.m->strings)) && get_body(&in) == 0)
        return in.m;
    cs_reason(errbuf, errlen, "%s%s", in.what ? "damaged: " : "", in.what ? in.what : "not enough memory");
    cs_merged_free(in.m);
    return NULL;
}

struct cs_merged *cs_merged_open(const char *path, char *errbuf, size_t errlen)
{
    struct cs_bytes raw = {0};
    struct cs_merged *m = NULL;
    struct stat st;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0 || fstat(fd, &st))
        cs_reason(errbuf, errlen, "%s", strerror(errno));
    else if (!S_ISREG(st.st_mode))
        cs_reason(errbuf, errlen, "not a regular file");
    else if (unpack(fd, (uint64_t)st.st_size, &raw, errbuf, errlen) == 0)
        m = decode(&raw, errbuf, errlen);
    if (fd >= 0)
        close(fd);
    cs_bytes_free(&raw);
    return m;
}

bool cs_merged_is(const char *path)
{
    char magic[CS_MERGED_MAGIC_LEN];
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    bool is = fd >= 0 && cs_read_at(fd, 0, magic, sizeof magic) == 0
        && memcmp(magic, CS_MERGED_MAGIC, CS_MERGED_MAGIC_LEN - 1) == 0;
    if (fd >= 0)
        close(fd);
    return is;
}
