/* SPDX-License-Identifier: BSD-3-Clause
 * Computes what the report shows. Pairs of ranks come one by one. Each is added to a cell of the matrix and to the sums
 * of its receiver, and is shown to the search for a pattern; so memory grows neither with pairs nor with events. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "api/mpi_calls.h"
#include "cli/frame/cli.h"
#include "cli/report/report_data.h"
#include "cli/show/wait_words.h"

/* ---- pairs ---- */

/* Up to 2 * CS_REPORT_CELLS ranks, a cell is a pair of ranks; above, of two blocks of ranks, at most CS_REPORT_CELLS
 * each way. 0 or -1. */
static int allocate_matrix(struct cs_report_matrix *x, int nranks)
{
    int most = nranks <= 2 * CS_REPORT_CELLS ? 2 * CS_REPORT_CELLS : CS_REPORT_CELLS;
    assert(nranks > 0);
    x->nranks = nranks;
    x->per_cell = (nranks + most - 1) / most;
    x->cells = (nranks + x->per_cell - 1) / x->per_cell;
    assert(x->cells <= most);
    x->messages = calloc((size_t)x->cells * (size_t)x->cells, sizeof *x->messages);
    x->bytes = calloc((size_t)x->cells * (size_t)x->cells, sizeof *x->bytes);
    return x->messages && x->bytes ? 0 : -1;
}

/* What pairs are added to. */
struct pairs {
    struct cs_report *r;
    struct {
        uint64_t messages, bytes;
    } * in; /* of each rank */
};

/* Puts a pair in its place among the heaviest, if it is one of them. */
static void keep_heavy(struct cs_report *r, struct cs_report_pair p)
{
    int at = r->nheavy;
    while (at > 0 && r->heavy[at - 1].bytes < p.bytes)
        at--;
    if (at == CS_REPORT_HEAVY)
        return;
    r->nheavy += r->nheavy < CS_REPORT_HEAVY;
    for (int i = r->nheavy - 1; i > at; i--)
        r->heavy[i] = r->heavy[i - 1];
    r->heavy[at] = p;
    assert(r->nheavy <= CS_REPORT_HEAVY && (at == 0 || r->heavy[at - 1].bytes >= p.bytes));
}

static int take_pair(void *arg, int source, int dest, uint64_t messages, uint64_t bytes)
{
    struct pairs *all = arg;
    struct cs_report_matrix *x = &all->r->matrix;
    assert(source >= 0 && source < x->nranks && dest >= 0 && dest < x->nranks);
    size_t at = (size_t)(source / x->per_cell) * (size_t)x->cells + (size_t)(dest / x->per_cell);
    x->messages[at] += (double)messages;
    x->bytes[at] += (double)bytes;
    x->pairs++;
    all->in[dest].messages += messages;
    all->in[dest].bytes += bytes;
    cs_traffic_pattern_pair(all->r->pattern, source, dest, messages, bytes);
    keep_heavy(all->r, (struct cs_report_pair){source, dest, messages, bytes});
    return 0;
}

/* Of the second pass: shows the pairs that do not fit the pattern to the search for another one. */
static int take_rest(void *arg, int source, int dest, uint64_t messages, uint64_t bytes)
{
    struct cs_report *r = arg;
    if (!cs_traffic_pattern_fits(r->fit, r->m->info.nranks, source, dest))
        cs_traffic_pattern_pair(r->rest, source, dest, messages, bytes);
    return 0;
}

/* Finds the best pattern, and a second one for the pairs that do not fit it. 0 or -1. */
static int find_patterns(struct cs_report *r)
{
    r->fit = cs_traffic_pattern_best(r->pattern);
    if (!r->fit || r->fit->kind == CS_TRAFFIC_ALL || r->fit->pairs == r->pattern->pairs)
        return 0;
    r->rest = cs_traffic_pattern_new(r->m->info.nranks);
    if (!r->rest || cs_profile_pairs(r->p, take_rest, r))
        return -1;
    r->rest_fit = cs_traffic_pattern_best(r->rest);
    return 0;
}

static int gather_pairs(struct cs_report *r)
{
    int n = r->m->info.nranks;
    struct pairs all = {r, calloc((size_t)n, sizeof *all.in)};
    r->pattern = cs_traffic_pattern_new(n);
    int rc = all.in && r->pattern && allocate_matrix(&r->matrix, n) == 0 ? 0 : -1;
    if (!rc) {
        r->p = cs_profile_make(r->m, take_pair, &all, cs_progress);
        rc = r->p ? find_patterns(r) : -1;
    }
    for (int i = 0; !rc && i < n; i++) {
        r->p->rank[i].messages_in = all.in[i].messages;
        r->p->rank[i].bytes_in = all.in[i].bytes;
    }
    free(all.in);
    return rc;
}

/* ---- call sites ---- */

static bool same_text(const char *a, const char *b)
{
    return a == b || (a && b && strcmp(a, b) == 0);
}

/* Is this the row of the record? Lines tell rows of a file apart; functions do where no line is known. */
static bool same_site(const struct cs_report_site *s, const struct cs_source_location *p,
                      const struct cs_merged_record *rec)
{
    return s->call == rec->call && s->mark == rec->mark && s->place.line == p->line &&
           same_text(s->place.file, p->file) && (p->line >= 0 || same_text(s->place.func, p->func));
}

/* Appends a row for this place and record. Its number, or -1. */
static int new_site(struct cs_report *r, int *cap, struct cs_source_location place, const struct cs_merged_record *rec)
{
    if (!CS_MAKE_ROOM(r->site, r->nsites, *cap))
        return -1;
    struct cs_report_site *s = &r->site[r->nsites];
    *s = (struct cs_report_site){.place = place,
                                 .call = rec->call,
                                 .mark = rec->mark,
                                 .in_class = calloc((size_t)r->m->nclasses + 1, sizeof *s->in_class)};
    if (!s->in_class)
        return -1;
    return r->nsites++;
}

/* The number of a record's row, which is made if there is none; -1: not enough memory. Records of one site follow each
 * other, so the row that was found last is tried first. */
static int find_site(struct cs_report *r, int *cap, int *last, const struct cs_merged_record *rec)
{
    const struct cs_site *site = rec->site >= 0 ? &r->m->site[rec->site] : NULL;
    struct cs_source_location place = cs_locations_find(r->places, site);
    if (*last < r->nsites && same_site(&r->site[*last], &place, rec))
        return *last;
    for (int i = 0; i < r->nsites; i++)
        if (same_site(&r->site[i], &place, rec))
            return *last = i;
    return *last = new_site(r, cap, place, rec);
}

/* Adds the times of the nest's calls to their rows and to the sums of the run. */
static void add_times(struct cs_report *r)
{
    const struct cs_merged *m = r->m;
    for (int64_t i = 0; i < m->nnodes; i++) {
        const struct cs_nest_node *n = &m->node[i];
        const struct cs_merged_symbol *l = n->count ? NULL : &m->symbol[n->value];
        for (int k = 0; l && k < l->nparts; k++) {
            const struct cs_gap *g = &m->gap[m->gap_at[i] + k];
            r->site[r->site_of[l->part[k].record]].ns += g->busy;
            r->busy += g->busy;
            r->outside += g->gap;
        }
    }
}

/* For qsort: most bytes first, then most calls, then in the order of lines. */
static int heavier(const void *a, const void *b)
{
    const struct cs_report_site *x = a, *y = b;
    uint64_t vx = cs_volume(&x->sums), vy = cs_volume(&y->sums);
    if (vx != vy)
        return vx < vy ? 1 : -1;
    if (x->sums.calls != y->sums.calls)
        return x->sums.calls < y->sums.calls ? 1 : -1;
    return (x->place.line > y->place.line) - (x->place.line < y->place.line);
}

static int gather_sites(struct cs_report *r)
{
    const struct cs_merged *m = r->m;
    int cap = 0, last = 0;
    r->site_of = calloc((size_t)m->nrecords + 1, sizeof *r->site_of);
    if (!r->site_of)
        return -1;
    for (int i = 0; i < m->nrecords; i++) {
        if (r->p->times[i] == 0)
            continue;
        int at = find_site(r, &cap, &last, &m->record[i]);
        if (at < 0)
            return -1;
        struct cs_report_site *s = &r->site[at];
        cs_sums_add(&s->sums, &r->p->once[i], r->p->times[i]);
        r->site_of[i] = at;
        if (!s->in_class[m->record[i].cls])
            s->nranks += m->cls[m->record[i].cls].ranks.total;
        s->in_class[m->record[i].cls] = true;
    }
    if (r->timed)
        add_times(r);
    if (r->nsites)
        qsort(r->site, (size_t)r->nsites, sizeof *r->site, heavier);
    return 0;
}

/* ---- collectives ---- */

static int by_call_and_size(const void *a, const void *b)
{
    const struct cs_report_collective *x = a, *y = b;
    return x->call != y->call ? x->call - y->call : y->size - x->size;
}

/* The size of a record's communicator, which is that of its class's first rank; 0 if the call has none. */
static int comm_size(const struct cs_merged *m, const struct cs_merged_record *rec)
{
    return rec->comm >= 0 ? cs_merged_comm_rank(m, rec->comm, m->cls[rec->cls].rank[0]).n : 0;
}

/* Adds a record to the row of its call and size, which is made if there is none. 0 or -1. */
static int add_collective(struct cs_report *r, int *cap, int record)
{
    const struct cs_merged_record *rec = &r->m->record[record];
    int size = comm_size(r->m, rec), i = r->ncollectives;
    while (i-- > 0 && (r->collective[i].call != rec->call || r->collective[i].size != size))
        ;
    if (i < 0) {
        if (!CS_MAKE_ROOM(r->collective, r->ncollectives, *cap))
            return -1;
        i = r->ncollectives++;
        r->collective[i] = (struct cs_report_collective){.call = rec->call, .size = size};
    }
    cs_sums_add(&r->collective[i].sums, &r->p->once[record], r->p->times[record]);
    return 0;
}

static int gather_collectives(struct cs_report *r)
{
    int cap = 0;
    for (int i = 0; i < r->m->nrecords; i++)
        if (r->p->times[i] && cs_doing_of(r->m->record[i].call) == CS_DOING_COLLECTIVE && add_collective(r, &cap, i))
            return -1;
    if (r->ncollectives)
        qsort(r->collective, (size_t)r->ncollectives, sizeof *r->collective, by_call_and_size);
    return 0;
}

/* ---- the nest ---- */

/* Fills r->node for the nodes [from, to), which are done `times` times in the run. Returns the sum of all of them. */
static struct cs_report_node add_nodes(struct cs_report *r, int64_t from, int64_t to, int64_t times)
{
    const struct cs_merged *m = r->m;
    struct cs_report_node all = {.times = times};
    for (int64_t i = from; i < to; i++) {
        const struct cs_nest_node *n = &m->node[i];
        struct cs_report_node *x = &r->node[i];
        if (n->count) {
            *x = add_nodes(r, i + 1, i + 1 + n->value, times * n->count);
        } else {
            *x = (struct cs_report_node){.sums = cs_profile_node(r->p, i, times), .times = times};
            for (int k = 0; r->timed && k < m->symbol[n->value].nparts; k++) {
                x->busy += m->gap[m->gap_at[i] + k].busy;
                x->outside += m->gap[m->gap_at[i] + k].gap;
            }
        }
        cs_sums_add(&all.sums, &x->sums, 1);
        all.busy += x->busy;
        all.outside += x->outside;
        i += n->count ? n->value : 0;
    }
    return all;
}

static int64_t find_main_loop(const struct cs_report *r)
{
    int64_t best = -1;
    for (int64_t i = 0; i < r->m->nnodes; i++) {
        const struct cs_nest_node *n = &r->m->node[i];
        if (!n->count)
            continue;
        if (best < 0 || r->node[i].sums.calls > r->node[best].sums.calls)
            best = i;
        i += n->value;
    }
    return best;
}

static int gather_nest(struct cs_report *r)
{
    r->node = calloc((size_t)r->m->nnodes + 1, sizeof *r->node);
    if (!r->node)
        return -1;
    add_nodes(r, 0, r->m->nnodes, 1);
    r->main_loop = find_main_loop(r);
    return cs_phases_make(r->p, r->timed, CS_REPORT_PHASES, r->phase);
}

/* ---- all of it ---- */

static bool any_missing(const struct cs_report *r)
{
    bool any = false;
    for (int i = 0; i < r->m->info.nranks && !any; i++)
        any = cs_trace_rank_state(r->t, i) == CS_RANK_MISSING;
    return any;
}

static int gather(struct cs_report *r)
{
    char why[256];
    const char *base = r->m->info.program ? strrchr(r->m->info.program, '/') : NULL;
    r->program = base ? base + 1 : r->m->info.program ? r->m->info.program : "?";
    r->timed = r->m->gap_at != NULL;
    r->places = cs_locations_new();
    int rc = gather_pairs(r) || gather_sites(r) || gather_collectives(r) || gather_nest(r) ? -1 : 0;
    if (rc)
        cs_error("not enough memory");
    if (!rc && r->t && cs_trace_info(r->t)->with_times &&
        !(r->time = cs_timeline_make(r->t, cs_progress, why, sizeof why))) {
        cs_error("%s: %s", r->path, why);
        rc = -1;
    }
    cs_progress_end();
    if (!rc && r->time && !any_missing(r) && !(r->waits = cs_waits_of(r->path, r->t, r->places)))
        rc = -1;
    return rc;
}

struct cs_report *cs_report_make(const char *path, bool partial, const struct cs_report_way *way)
{
    struct cs_report *r = calloc(1, sizeof *r);
    if (!r) {
        cs_error("not enough memory");
        return NULL;
    }
    r->path = path;
    if (cs_report_read(r, partial) == 0 && gather(r) == 0 && (!way || cs_report_predict(r, way) == 0))
        return r;
    cs_report_free(r);
    return NULL;
}

void cs_report_free(struct cs_report *r)
{
    if (!r)
        return;
    for (int i = 0; i < r->nsites; i++)
        free(r->site[i].in_class);
    free(r->site);
    free(r->site_of);
    free(r->node);
    free(r->collective);
    free(r->matrix.messages);
    free(r->matrix.bytes);
    cs_traffic_pattern_free(r->pattern);
    cs_traffic_pattern_free(r->rest);
    cs_timeline_free(r->time);
    cs_waits_free(r->waits);
    cs_profile_free(r->p);
    cs_locations_free(r->places);
    cs_merged_free(r->m);
    cs_trace_free(r->t);
    cs_report_free_prediction(r);
    free(r);
}
