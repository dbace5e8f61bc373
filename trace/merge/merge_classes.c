/* SPDX-License-Identifier: BSD-3-Clause
 * Classes of ranks. Two ranks are of one class when their streams are the same but for the values of arguments, each
 * symbol of one standing for one symbol of the other. Then a class is one stream whose symbols have values that depend
 * on the rank. Loops stay folded: time and memory grow with the trace's bytes, and with ranks times symbols. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <uthash.h>

#include "trace/format/fields.h"
#include "trace/format/symbols.h"
#include "trace/merge/merge_internal.h"
#include "base/error_text.h"
#include "trace/read/trace_rank.h"
#include "trace/read/stream.h"

#define NOT_YET UINT32_MAX

/* A class in the hash table by what its streams have in common, whichever way they were folded. */
struct cs_class_key {
    struct {
        struct cs_polynomial poly;
        uint64_t length, shape;
    } k;
    int cls;
    UT_hash_handle hh;
};

/* A rank that is being read. The file's numbers of symbols and loops become numbers in `symbols` and g->nests. */
struct reader {
    struct cs_merging *g;
    const struct cs_trace_rank *r;
    struct cs_trace_iter *it;
    struct cs_epochs epochs;
    struct cs_symbols symbols;     /* in order of first occurrence: these are the class's symbols */
    uint32_t *symbol_of, *loop_of; /* by the file's numbers */
    size_t symbol_cap, loop_cap;
    uint32_t *body; /* stack of converted bodies */
    size_t body_n, body_cap;
    struct cs_stream s;
    size_t item_cap;
    struct cs_polynomial poly;
    int *site, *type, *comm, *op; /* the rank's numbers -> m's; -1: not asked for yet */
};

static int no_memory(struct cs_merging *g)
{
    return cs_error_text(g->errbuf, g->errlen, "not enough memory");
}

/* ---- items ---- */

/* Makes (*of)[number] exist; new entries are NOT_YET. 0, or -1: no memory. */
static int known(uint32_t **of, size_t *cap, uint32_t number)
{
    size_t old = *cap;
    if (!CS_MAKE_ROOM_FOR(*of, (size_t)number + 1, *cap))
        return -1;
    for (size_t i = old; i < *cap; i++)
        (*of)[i] = NOT_YET;
    return 0;
}

/* Forgets the file's numbers that are no longer valid. */
static void forget(struct reader *d)
{
    struct cs_epochs e = cs_trace_iter_epochs(d->it);
    if (e.symbols != d->epochs.symbols && d->symbol_cap)
        memset(d->symbol_of, -1, d->symbol_cap * sizeof *d->symbol_of);
    if (e.loops != d->epochs.loops && d->loop_cap)
        memset(d->loop_of, -1, d->loop_cap * sizeof *d->loop_of);
    d->epochs = e;
}

static int64_t convert_symbol(struct reader *d, uint32_t symbol)
{
    struct cs_event e;
    if (known(&d->symbol_of, &d->symbol_cap, symbol))
        return -1;
    if (d->symbol_of[symbol] != NOT_YET)
        return d->symbol_of[symbol];
    cs_trace_iter_symbol(d->it, symbol, &e);
    uint64_t hash = cs_symbols_hash(&e);
    int64_t n = cs_symbols_find(&d->symbols, &e, hash);
    if (n < 0) {
        n = d->symbols.n;
        if (cs_symbols_add(&d->symbols, &e, hash))
            return -1;
    }
    return d->symbol_of[symbol] = (uint32_t)n;
}

/* The item with the class's number of its symbol or loop; -1: no memory. */
static int64_t convert(struct reader *d, uint32_t item);

static int64_t convert_loop(struct reader *d, uint32_t loop)
{
    if (known(&d->loop_of, &d->loop_cap, loop))
        return -1;
    if (d->loop_of[loop] != NOT_YET)
        return d->loop_of[loop];
    struct cs_stored_loop l = cs_trace_iter_loop(d->it, loop);
    size_t first = d->body_n;
    for (uint32_t i = 0; i < l.n; i++) {
        int64_t s = convert(d, l.item[i]);
        if (s < 0 || !CS_MAKE_ROOM_FOR(d->body, d->body_n + 1, d->body_cap))
            return -1;
        d->body[d->body_n++] = (uint32_t)s;
    }
    int64_t n = cs_nests_loop(&d->g->nests, d->body + first, l.n, l.count);
    d->body_n = first;
    if (n >= 0)
        d->loop_of[loop] = (uint32_t)n;
    return n;
}

static int64_t convert(struct reader *d, uint32_t item)
{
    int64_t n = cs_item_is_loop(item) ? convert_loop(d, cs_item_number(item)) : convert_symbol(d, cs_item_number(item));
    return n < 0 ? -1 : 2 * n + cs_item_is_loop(item);
}

static int read_stream(struct reader *d)
{
    struct cs_event e;
    uint32_t item;
    int rc;
    while ((rc = cs_trace_iter_item(d->it, &item, &e)) == 1) {
        forget(d);
        int64_t s = convert(d, item);
        if (s < 0 || !CS_MAKE_ROOM_FOR(d->s.item, (size_t)d->s.n + 1, d->item_cap))
            return no_memory(d->g);
        d->s.item[d->s.n++] = (uint32_t)s;
        d->s.nevents += cs_nests_length(&d->g->nests, (uint32_t)s);
        d->poly = cs_polynomial_join(d->poly, cs_polynomial_of(&d->g->nests, (uint32_t)s));
    }
    if (rc < 0)
        return cs_error_text(d->g->errbuf, d->g->errlen, "%s", cs_trace_iter_error(d->it));
    return 0;
}

/* ---- symbols: definitions by m's numbers ---- */

/* m's number of the rank's definition x; x itself if the role is that of no definition or x is a null handle. -1: the
 * rank has no such definition, or no memory. */
static int64_t translate(struct reader *d, enum cs_role role, int64_t x)
{
    const struct cs_trace_rank *r = d->r;
    int *of;
    if (x < 0)
        return x;
    switch (role) {
    case CS_ROLE_TYPE:
    case CS_ROLE_TYPES:
        of = x < r->ntypes ? &d->type[x] : NULL;
        return !of ? -1 : *of >= 0 ? *of : (*of = cs_merge_type(d->g, &r->type[x]));
    case CS_ROLE_COMM:
    case CS_ROLE_COMM_UPD:
    case CS_ROLE_NEWCOMM:
        of = x < r->ncomms ? &d->comm[x] : NULL;
        return !of ? -1 : *of >= 0 ? *of : (*of = cs_merge_comm(d->g, &r->comm[x], r->rank));
    case CS_ROLE_OP:
        of = x < r->nops ? &d->op[x] : NULL;
        return !of ? -1 : *of >= 0 ? *of : (*of = cs_merge_op(d->g, r->op[x]));
    default: return x;
    }
}

static bool is_definition(enum cs_role role)
{
    return role == CS_ROLE_TYPE || role == CS_ROLE_TYPES || role == CS_ROLE_COMM || role == CS_ROLE_COMM_UPD ||
           role == CS_ROLE_NEWCOMM || role == CS_ROLE_OP;
}

/* Must arguments of this role be the same on all ranks of a class? (Lengths of arrays must, too.) */
bool cs_merge_is_fixed(enum cs_role role)
{
    return role == CS_ROLE_COMM || role == CS_ROLE_COMM_UPD || role == CS_ROLE_NEWCOMM || role == CS_ROLE_OP;
}

/* What the ranks of a class have in common, as a growing list of numbers. */
struct shape {
    int64_t *v;
    size_t n, cap;
};

static int put(struct shape *s, int64_t v)
{
    if (!CS_MAKE_ROOM_FOR(s->v, s->n + 1, s->cap))
        return -1;
    s->v[s->n++] = v;
    return 0;
}

/* Puts one argument's definitions into m's numbers, in place, and what is fixed into the shape. */
static int translate_argument(struct reader *d, const struct cs_field *f, struct shape *s)
{
    int64_t *v = (int64_t *)f->values; /* of our own table of symbols */
    for (int64_t i = 0; i < f->n && is_definition(f->arg->role); i++) {
        int64_t x = translate(d, f->arg->role, v[i]);
        if (x < 0 && v[i] >= 0)
            return -1;
        v[i] = x;
    }
    return (f->shape == CS_FIELD_ARRAY && put(s, f->n)) || (cs_merge_is_fixed(f->arg->role) && put(s, v[0])) ? -1 : 0;
}

static int translate_symbol(struct reader *d, struct cs_symbol *l, struct shape *s)
{
    struct cs_event e = {.call = l->call, .nfields = l->nfields, .fields = d->symbols.arena + l->first};
    struct cs_field f;
    int arg = 0, at = 0, rc;
    if (l->site >= 0) {
        int *of = &d->site[l->site];
        l->site = *of >= 0 ? *of : (*of = cs_merge_site(d->g, &d->r->site[l->site]));
        if (l->site < 0)
            return no_memory(d->g);
    }
    if (put(s, l->call) || put(s, l->site) || put(s, l->mark) || put(s, l->nfields))
        return no_memory(d->g);
    while ((rc = cs_field_next(&e, &arg, &at, &f)) == 1) {
        errno = 0;
        if (translate_argument(d, &f, s))
            return errno == ENOMEM ? no_memory(d->g)
                                   : cs_error_text(d->g->errbuf, d->g->errlen,
                                                   "rank %d names a definition that is not there", d->r->rank);
    }
    return rc ? cs_error_text(d->g->errbuf, d->g->errlen, "an event of rank %d does not fit its call", d->r->rank) : 0;
}

static int translate_symbols(struct reader *d)
{
    struct shape s = {0};
    for (uint32_t i = 0; i < d->symbols.n; i++)
        if (translate_symbol(d, &d->symbols.symbol[i], &s)) {
            free(s.v);
            return -1;
        }
    d->s.shape = s.v;
    d->s.nshape = s.n;
    d->s.nsymbols = (int)d->symbols.n;
    return 0;
}

/* ---- classes ---- */

bool cs_merge_is_peer(const struct cs_field *f)
{
    return f->shape == CS_FIELD_SCALAR && (f->arg->role == CS_ROLE_DEST || f->arg->role == CS_ROLE_SOURCE);
}

/* Finds the symbol's fields that are peers, and the communicator that they belong to. */
static int symbol_roles(const struct cs_event *e, struct cs_class_symbol *l)
{
    struct cs_field f;
    int arg = 0, at = 0;
    l->comm = -1;
    l->peer = calloc((size_t)e->nfields + 1, 1);
    l->field = calloc((size_t)e->nfields + 1, sizeof *l->field);
    if (!l->peer || !l->field)
        return -1;
    while (cs_field_next(e, &arg, &at, &f) == 1) {
        if (f.arg->role == CS_ROLE_COMM && l->comm < 0)
            l->comm = (int)f.values[0];
        if (cs_merge_is_peer(&f))
            l->peer[f.values - e->fields] = 1;
    }
    return 0;
}

/* For a question about a rank of a class: its place in a communicator. */
struct where {
    const struct cs_merged *m;
    int cls, comm;
};

static struct cs_comm_rank place_at(const void *arg, int i)
{
    const struct where *w = arg;
    if (w->comm < 0)
        return (struct cs_comm_rank){-1, 0};
    return cs_merged_comm_rank(w->m, w->comm, cs_ranges_at(&w->m->cls[w->cls].ranks, i));
}

static int first_values(struct reader *d, struct cs_class_symbol *l, const struct cs_symbol *from)
{
    const int64_t *v = d->symbols.arena + from->first;
    struct cs_event e = {.call = from->call, .nfields = from->nfields, .fields = v};
    *l = (struct cs_class_symbol){.call = from->call, .site = from->site, .mark = from->mark, .nfields = from->nfields};
    if (symbol_roles(&e, l))
        return -1;
    struct cs_comm_rank p =
        l->comm >= 0 ? cs_merged_comm_rank(d->g->m, l->comm, d->r->rank) : (struct cs_comm_rank){-1, 0};
    for (int i = 0; i < l->nfields; i++)
        cs_guess_first(&l->field[i], v[i], l->peer[i], p);
    return 0;
}

static int more_values(struct reader *d, int cls, struct cs_class_symbol *l, const struct cs_symbol *from)
{
    const int64_t *v = d->symbols.arena + from->first;
    struct where w = {d->g->m, cls, l->comm};
    int n = d->g->m->cls[cls].ranks.total;
    struct cs_comm_rank p =
        l->comm >= 0 ? cs_merged_comm_rank(d->g->m, l->comm, d->r->rank) : (struct cs_comm_rank){-1, 0};
    for (int i = 0; i < l->nfields; i++)
        if (cs_guess_next(&l->field[i], v[i], n, l->peer[i] ? p : (struct cs_comm_rank){-1, 0}, place_at, &w))
            return -1;
    return 0;
}

static struct cs_class_key *find_class(const struct reader *d, struct cs_class_key *key)
{
    struct cs_class_key *c;
    key->k.poly = d->poly;
    key->k.length = (uint64_t)d->s.nevents;
    key->k.shape = cs_trace_hash(d->s.shape, d->s.nshape * sizeof *d->s.shape);
    HASH_FIND(hh, d->g->keys, &key->k, sizeof key->k, c);
    return c;
}

static bool same_shape(const struct cs_stream *a, const struct cs_stream *b)
{
    return a->nsymbols == b->nsymbols && a->nshape == b->nshape &&
           (a->nshape == 0 || memcmp(a->shape, b->shape, a->nshape * sizeof *a->shape) == 0);
}

/* Makes a class of the rank, whose stream becomes the class's. 0, or -1: no memory. */
static int new_class(struct reader *d, const struct cs_class_key *key)
{
    struct cs_merged *m = d->g->m;
    struct cs_class_key *c = malloc(sizeof *c);
    size_t cap = (size_t)m->nclasses, cap2 = cap;
    if (!c)
        return -1;
    *c = *key;
    c->cls = m->nclasses;
    HASH_ADD(hh, d->g->keys, k, sizeof c->k, c);
    if ((m->nclasses & (m->nclasses - 1)) == 0 &&
        (!CS_MAKE_ROOM_FOR(m->cls, 2 * cap + 1, cap) || !CS_MAKE_ROOM_FOR(d->g->stream, 2 * cap2 + 1, cap2)))
        return -1;
    m->cls[m->nclasses] = (struct cs_class){.nevents = d->s.nevents};
    struct cs_stream *s = &d->g->stream[m->nclasses++];
    d->g->nstreams = m->nclasses;
    *s = d->s;
    d->s = (struct cs_stream){0};
    s->symbol = calloc((size_t)s->nsymbols + 1, sizeof *s->symbol);
    for (int i = 0; s->symbol && i < s->nsymbols; i++)
        if (first_values(d, &s->symbol[i], &d->symbols.symbol[i]))
            return -1;
    return s->symbol ? 0 : -1;
}

static int add_to_class(struct reader *d)
{
    struct cs_merged *m = d->g->m;
    struct cs_class_key key = {0}, *c = find_class(d, &key);
    int cls = c ? c->cls : m->nclasses;
    if (c && !same_shape(&d->g->stream[cls], &d->s))
        return cs_error_text(d->g->errbuf, d->g->errlen, "two different ranks have the same checksum");
    if (!c && new_class(d, &key))
        return no_memory(d->g);
    for (int i = 0; c && i < d->g->stream[cls].nsymbols; i++)
        if (more_values(d, cls, &d->g->stream[cls].symbol[i], &d->symbols.symbol[i]))
            return no_memory(d->g);
    m->class_of[d->r->rank] = cls;
    m->index_in_class[d->r->rank] = m->cls[cls].ranks.total;
    return cs_ranges_add(&m->cls[cls].ranks, d->r->rank) ? no_memory(d->g) : 0;
}

/* ---- ranks ---- */

static int *none_yet(int n)
{
    int *p = malloc(((size_t)n + 1) * sizeof *p);
    if (p)
        memset(p, -1, ((size_t)n + 1) * sizeof *p);
    return p;
}

static void free_reader(struct reader *d)
{
    cs_trace_iter_free(d->it);
    cs_symbols_free(&d->symbols);
    free(d->symbol_of);
    free(d->loop_of);
    free(d->body);
    free(d->s.item);
    free(d->s.shape);
    free(d->site);
    free(d->type);
    free(d->comm);
    free(d->op);
}

static int read_rank(struct cs_merging *g, int rank)
{
    struct cs_trace_rank none = {.rank = rank};
    struct reader d = {.g = g, .r = cs_trace_find_rank(g->t, rank), .poly = cs_polynomial_empty};
    int rc = -1;
    if (g->o->partial && !d.r)
        d.r = &none;
    if (!g->o->partial && cs_trace_rank_state(g->t, rank) != CS_RANK_COMPLETE)
        return cs_error_text(
            g->errbuf, g->errlen,
            "the trace of rank %d is %s: only whole runs can be merged; record again (print, matrix and report "
            "--partial take what there is)",
            rank, d.r ? "cut" : "missing");
    d.it = cs_trace_iter_open(g->t, rank);
    d.site = none_yet(d.r->nsites);
    d.type = none_yet(d.r->ntypes);
    d.comm = none_yet(d.r->ncomms);
    d.op = none_yet(d.r->nops);
    if (!d.it || !d.site || !d.type || !d.comm || !d.op)
        no_memory(g);
    else if (!read_stream(&d) && !translate_symbols(&d))
        rc = add_to_class(&d);
    free_reader(&d);
    return rc;
}

static int shorten_values(struct cs_merging *g, int cls)
{
    struct cs_stream *s = &g->stream[cls];
    for (int k = 0; k < s->nsymbols; k++) {
        struct cs_class_symbol *l = &s->symbol[k];
        struct where w = {g->m, cls, l->comm};
        for (int i = 0; i < l->nfields; i++)
            if (l->peer[i] && cs_guess_shorten(&l->field[i].v, g->m->cls[cls].ranks.total, place_at, &w))
                return no_memory(g);
    }
    return 0;
}

static int list_ranks(struct cs_merged *m)
{
    for (int c = 0; c < m->nclasses; c++)
        if (!(m->cls[c].rank = malloc((size_t)m->cls[c].ranks.total * sizeof *m->cls[c].rank)))
            return -1;
    for (int r = 0; r < m->info.nranks; r++)
        m->cls[m->class_of[r]].rank[m->index_in_class[r]] = r;
    return 0;
}

/* Makes m's records from the classes' symbols, whose tables of values they take over. 0, or -1: no memory. */
static int make_records(struct cs_merging *g)
{
    struct cs_merged *m = g->m;
    int total = 0;
    for (int c = 0; c < m->nclasses; c++)
        total += g->stream[c].nsymbols;
    if (!(m->record = calloc((size_t)total + 1, sizeof *m->record)))
        return -1;
    for (int c = 0; c < m->nclasses; c++) {
        struct cs_stream *s = &g->stream[c];
        if (!(s->variant = calloc((size_t)s->nsymbols + 1, sizeof *s->variant)))
            return -1;
        for (int i = 0; i < s->nsymbols; i++) {
            const struct cs_class_symbol *l = &s->symbol[i];
            struct cs_merged_record *r = &m->record[m->nrecords];
            *r =
                (struct cs_merged_record){.cls = c, .call = l->call, .site = l->site, .mark = l->mark, .comm = l->comm};
            if (!(r->field = calloc((size_t)l->nfields + 1, sizeof *r->field)))
                return -1;
            s->variant[s->nvariants++] = (struct cs_variant){m->nrecords++, 0};
            for (; r->nfields < l->nfields; r->nfields++) {
                r->field[r->nfields] = l->field[r->nfields].v;
                l->field[r->nfields].v.table = NULL;
            }
        }
    }
    return 0;
}

int cs_merge_read(struct cs_merging *g)
{
    struct cs_merged *m = g->m;
    const struct cs_run_info *info = cs_trace_info(g->t);
    m->strings = calloc(1, sizeof *m->strings);
    m->class_of = calloc((size_t)info->nranks, sizeof *m->class_of);
    m->index_in_class = calloc((size_t)info->nranks, sizeof *m->index_in_class);
    if (!m->strings || !m->class_of || !m->index_in_class || cs_merge_info(m, info))
        return no_memory(g);
    for (int r = 0; r < info->nranks; r++) {
        if (g->o->progress)
            g->o->progress("reading", r, info->nranks);
        if (read_rank(g, r))
            return -1;
    }
    for (int c = 0; c < m->nclasses; c++)
        if (shorten_values(g, c))
            return -1;
    return list_ranks(m) || make_records(g) ? no_memory(g) : 0;
}

static void free_stream(struct cs_stream *s)
{
    for (int i = 0; s->symbol && i < s->nsymbols; i++) {
        for (int k = 0; s->symbol[i].field && k < s->symbol[i].nfields; k++)
            cs_merged_value_free(&s->symbol[i].field[k].v);
        free(s->symbol[i].field);
        free(s->symbol[i].peer);
    }
    free(s->symbol);
    free(s->variant);
    free(s->item);
    free(s->shape);
}

void cs_merge_free(struct cs_merging *g)
{
    struct cs_class_key *c, *next;
    HASH_ITER (hh, g->keys, c, next) {
        HASH_DEL(g->keys, c);
        free(c);
    }
    for (int i = 0; g->stream && i < g->nstreams; i++)
        free_stream(&g->stream[i]);
    free(g->stream);
    cs_nests_free(&g->nests);
    cs_merge_defs_free(g);
}
