/* SPDX-License-Identifier: BSD-3-Clause
 * Prices a trace; see model_prices.h. */
#include "cli/predict/model_prices.h"

#include <assert.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/frame/cli.h"
#include "predict/model/model_file.h"

static int read_model(struct cs_observations *o, const char *path)
{
    char why[512];
    FILE *f = fopen(path, "r");
    if (!f)
        return cs_error("%s: %s", path, strerror(errno));
    int rc = cs_model_read(o, f, why, sizeof why);
    fclose(f);
    return rc ? cs_error("%s: %s", path, why) : 0;
}

static int by_way(const void *a, const void *b)
{
    const struct cs_price *x = a, *y = b;
    return x->from != y->from ? (x->from > y->from) - (x->from < y->from) : (x->to > y->to) - (x->to < y->to);
}

double cs_price_next(struct cs_prices *p, int rank, int from, int to)
{
    struct cs_price key = {.from = from, .to = to};
    struct cs_price *found = bsearch(&key, p->price[rank], (size_t)p->n[rank], sizeof key, by_way);
    if (!found)
        return -1;
    const struct cs_variation *v = &p->varies[found->segment];
    return v->pieces > 0 ? found->ns * cs_variation_next(v, &found->at) : found->ns;
}

void cs_prices_begin(struct cs_prices *p)
{
    for (int r = 0; r < p->nranks; r++)
        for (int i = 0; i < p->n[r]; i++)
            p->price[r][i].at =
                (struct cs_variation_place){.state = (uint64_t)(r + 1) << 32 | (uint64_t)p->price[r][i].segment};
}

/* The row of the trace's run, which is the last one; its rows are in order of ranks. */
static const struct cs_observed_row *row_of(const struct cs_observations *o, int segment, int rank)
{
    const struct cs_observed_segment *s = &o->segment[segment];
    int low = 0, high = s->nrows;
    while (low < high) {
        int mid = (low + high) / 2;
        if (s->row[mid].run < o->nruns - 1 || s->row[mid].rank < rank)
            low = mid + 1;
        else
            high = mid;
    }
    assert(low < s->nrows && s->row[low].rank == rank);
    return &s->row[low];
}

/* The number among all of a site of the rank. */
static int number_of(struct cs_prices *p, const struct cs_trace *t, int rank, int site)
{
    return site < 0 ? -1 : cs_observed_site_number(&p->o, cs_trace_site(t, rank, site));
}

static void note(struct cs_prices *p, int segment, const struct cs_observed_row *row, double ns)
{
    struct cs_segment_line *l = &p->line[segment];
    int counter;
    double outside = cs_segment_outside(&p->m, segment, row, &counter), bytes = 0, measured = 0;
    double beyond = cs_segment_beyond(&p->m, segment, row, &bytes, &measured);
    l->after += ns * row->times;
    l->pieces += row->times;
    l->beyond += beyond * row->times;
    if (bytes > l->bytes) {
        l->bytes = bytes;
        l->measured = measured;
    }
    if (outside > l->outside) {
        l->outside = outside;
        l->outside_counter = counter;
    }
}

/* A factor for what the formula does not say of the rank, 1 on average: with it, some rank is as slow as the slowest of
 * so many. The same for equal numbers. */
static double jitter(const struct cs_prices *p, int segment, int rank)
{
    uint64_t state = (uint64_t)segment << 32 | (uint64_t)rank;
    struct cs_variation_place at = {.state = state};
    const struct cs_segment_fit *f = cs_segment_fit_of(&p->m, segment, rank);
    if (f->once.pieces > 0)
        return cs_variation_next(&f->once, &at);
    double u = cs_chance(&state), v = cs_chance(&state);
    double normal = sqrt(-2 * log(1 - u)) * cos(2 * acos(-1) * v);
    return exp(f->jitter * (normal - f->jitter / 2));
}

static int price_rank(struct cs_prices *p, const struct cs_trace *t, int rank)
{
    int n = cs_trace_nsegments(t, rank);
    if (!(p->price[rank] = malloc(((size_t)n + 1) * sizeof *p->price[rank])))
        return -1;
    for (int i = 0; i < n; i++) {
        const struct cs_segment *s = cs_trace_segment(t, rank, i);
        if (s->times <= 0)
            continue;
        int segment = cs_observed_segment_find(&p->o, number_of(p, t, rank, s->from), number_of(p, t, rank, s->to));
        assert(segment >= 0);
        const struct cs_observed_row *row = row_of(&p->o, segment, rank);
        double ns = cs_segment_time(&p->m, segment, row, p->nranks);
        if (p->of_rank == rank)
            note(p, segment, row, ns);
        ns *= jitter(p, segment, rank);
        if (p->of_rank < 0)
            note(p, segment, row, ns);
        p->price[rank][p->n[rank]++] = (struct cs_price){.from = s->from, .to = s->to, .segment = segment, .ns = ns};
    }
    qsort(p->price[rank], (size_t)p->n[rank], sizeof **p->price, by_way);
    return 0;
}

/* Of the turns in segments that nobody has measured, the share in loops that nobody has measured either. */
static double unknown_turns(const struct cs_prices *p)
{
    double all = 0, unknown = 0;
    for (int i = 0; i < p->m.n; i++)
        for (int k = 0; k < p->o.segment[i].nrows && !p->m.fit[i].nrows; k++) {
            const struct cs_observed_row *r = &p->o.segment[i].row[k];
            for (int c = 0; c < r->ncounts; c++) {
                double turns = r->count[c].mean * r->times;
                all += turns;
                unknown += p->m.loops.known[r->count[c].counter] ? 0 : turns;
            }
        }
    return all > 0 ? unknown / all : 0;
}

/* How far the prices of a segment that nobody has measured may be off, as a share, on average over the ranks. */
static double unmeasured_off(const struct cs_prices *p, int segment)
{
    const struct cs_observed_segment *s = &p->o.segment[segment];
    double sum = 0;
    for (int k = 0; k < s->nrows; k++)
        sum += cs_loop_prices_off(&p->m.loops, &s->row[k]);
    return s->nrows ? sum / s->nrows : 1;
}

/* Half the width of the interval that holds 90 % of a normal distribution with standard deviation 1. */
static const double NINETY = 1.645;

/* Shares of the largest measured run and of the trace's. Errors are of two kinds: those that all segments share, which
 * left-out runs show, and those of each segment alone. */
static void sum_up(struct cs_prices *p)
{
    double before = 0, after = 0, variance = 0, outside = 0;
    int largest = 0;
    for (int i = 1; i < p->o.nruns - 1; i++)
        largest = p->o.run[i].nranks > p->o.run[largest].nranks ? i : largest;
    for (int i = 0; i < p->m.n; i++) {
        for (int k = 0; k < p->o.segment[i].nrows; k++)
            if (p->o.segment[i].row[k].run == largest)
                p->line[i].before += p->o.segment[i].row[k].ns * p->o.segment[i].row[k].times;
        before += p->line[i].before;
        after += p->line[i].after;
    }
    for (int i = 0; i < p->m.n; i++) {
        struct cs_segment_line *l = &p->line[i];
        /* What lies outside is less sure, the farther the less. */
        double spread = p->m.fit[i].nrows ? p->m.fit[i].spread * (1 + log2(l->outside)) : unmeasured_off(p, i);
        variance += after > 0 ? pow(l->after / after * spread, 2) : 0;
        outside += after > 0 ? l->after / after * log2(l->outside) : 0;
        p->unmeasured += p->m.fit[i].nrows || after <= 0 ? 0 : l->after / after;
        l->mean = l->after / (p->of_rank < 0 ? p->nranks : 1) * 1e-9;
        l->before = before > 0 ? l->before / before : 0;
        l->after = after > 0 ? l->after / after : 0;
        l->beyond = after > 0 ? l->beyond / after : 0;
        p->beyond += l->beyond;
        p->slow += cs_segment_may_be_slow(&p->m.fit[i], l->pieces) ? l->after : 0;
    }
    p->unknown_turns = unknown_turns(p);
    double runs = hypot(p->m.off * (1 + outside), cs_segments_off_by_ranks(&p->m, p->nranks));
    p->spread = hypot(runs, NINETY * sqrt(variance));
}

/* What the slice does not count: of all turns that the small runs counted. 0, or -1: no memory. */
static int find_uncounted(struct cs_prices *p)
{
    const struct cs_observations *o = &p->o;
    double *turns = calloc((size_t)o->ncounters + 1, sizeof *turns), all = 0, lost = 0;
    p->uncounted_most = -1;
    for (int i = 0; turns && i < o->nsegments; i++)
        for (int k = 0; k < o->segment[i].nrows; k++) {
            const struct cs_observed_row *r = &o->segment[i].row[k];
            for (int c = 0; r->run < o->nruns - 1 && c < r->ncounts; c++)
                turns[r->count[c].counter] += r->count[c].mean * r->times;
        }
    for (int c = 0; turns && c < o->ncounters; c++) {
        all += turns[c];
        if (o->counter[c].counted)
            continue;
        lost += turns[c];
        if (turns[c] > 0 && (p->uncounted_most < 0 || turns[c] > turns[p->uncounted_most]))
            p->uncounted_most = c;
    }
    p->uncounted = all > 0 ? lost / all : 0;
    free(turns);
    return turns ? 0 : -1;
}

/* Of each segment, about as long as its mean piece. 0, or -1: no memory. */
static int find_variation(struct cs_prices *p)
{
    double *ns = calloc((size_t)p->m.n + 1, sizeof *ns), *pieces = calloc((size_t)p->m.n + 1, sizeof *pieces);
    p->varies = calloc((size_t)p->m.n + 1, sizeof *p->varies);
    int rc = ns && pieces && p->varies ? 0 : -1;
    for (int r = 0; r < p->nranks && !rc; r++)
        for (int i = 0; i < p->n[r]; i++) {
            ns[p->price[r][i].segment] += p->price[r][i].ns;
            pieces[p->price[r][i].segment]++;
        }
    for (int i = 0; i < p->m.n && !rc; i++)
        p->varies[i] = cs_variation_about(p->o.segment[i].varied, p->o.segment[i].nvaried, ns[i] / fmax(pieces[i], 1));
    free(ns);
    free(pieces);
    return rc;
}

static int price_all(struct cs_prices *p, const struct cs_trace *t)
{
    p->nranks = cs_trace_info(t)->nranks;
    p->n = calloc((size_t)p->nranks, sizeof *p->n);
    p->price = calloc((size_t)p->nranks, sizeof *p->price);
    p->line = calloc((size_t)p->m.n + 1, sizeof *p->line);
    if (!p->n || !p->price || !p->line)
        return -1;
    for (int i = 0; i < p->m.n; i++)
        p->line[i] = (struct cs_segment_line){.segment = i, .outside = 1, .outside_counter = -1};
    for (int r = 0; r < p->nranks; r++)
        if (price_rank(p, t, r))
            return -1;
    sum_up(p);
    return find_variation(p);
}

int cs_prices_make(struct cs_prices *p, const char *model, const struct cs_trace *t, const char *trace, int of_rank)
{
    char why[512];
    *p = (struct cs_prices){.of_rank = of_rank};
    if (cs_trace_replayed(t) >= 0)
        return cs_error("%s: is of one rank: give the trace of a whole run of the slice", trace), -1;
    if (of_rank >= cs_trace_info(t)->nranks)
        return cs_error("%s: has no rank %d", trace, of_rank), -1;
    if (read_model(&p->o, model))
        return -1;
    if (p->o.nruns == 0)
        return cs_error("%s: has no runs", model), -1;
    int nsegments = p->o.nsegments;
    if (cs_observe(&p->o, t, trace, why, sizeof why))
        return cs_error("%s: %s", trace, why), -1;
    p->o.run[p->o.nruns - 1].with_times = false; /* what it took is not what is asked */
    int known = 0;
    for (int i = 0; i < nsegments; i++) {
        const struct cs_observed_segment *s = &p->o.segment[i];
        known += s->nrows > 0 && s->row[s->nrows - 1].run == p->o.nruns - 1;
    }
    if (!known)
        return cs_error("%s: no piece of this program is in %s, which is a model of another one", trace, model), -1;
    if (find_uncounted(p) || cs_segments_fit(&p->o, &p->m) || price_all(p, t))
        return cs_error(errno == EDOM ? "%s: its times have no least squares" : "%s: not enough memory", model), -1;
    return 0;
}

bool cs_prices_say_beyond(const struct cs_prices *p, char *text, size_t len)
{
    char name[560];
    if (p->beyond < 0.01)
        return false;
    const struct cs_segment_line *l = &p->line[0];
    for (int i = 1; i < p->m.n; i++)
        l = p->line[i].beyond > l->beyond ? &p->line[i] : l;
    cs_segment_name(&p->o, l->segment, name, sizeof name);
    snprintf(
        text, len,
        "it may take up to %.0f %% longer: %s goes through %.3g MB again and again, no small run through more than "
        "%.3g MB, which a cache holds that is too small here: measure one that goes through as much",
        100 * p->beyond, name, l->bytes * 1e-6, l->measured * 1e-6);
    return true;
}

double cs_prices_more(const struct cs_prices *p)
{
    return hypot(p->spread, p->slow) + p->beyond;
}

bool cs_prices_say_slow(const struct cs_prices *p, char *text, size_t len)
{
    char name[560];
    int most = -1;
    for (int i = 0; i < p->m.n; i++)
        if (cs_segment_may_be_slow(&p->m.fit[i], p->line[i].pieces) &&
            (most < 0 || p->line[i].after > p->line[most].after))
            most = i;
    if (p->slow < 0.01)
        return false;
    cs_segment_name(&p->o, p->line[most].segment, name, sizeof name);
    snprintf(text, len,
             "it may take up to %.0f %% longer: ranks of small runs went through %s %.0f times in all, none of which "
             "took about twice as long as it should, and here all wait for the slowest of %.0f times",
             100 * p->slow, name, p->m.fit[most].never_slow, p->line[most].pieces);
    return true;
}

void cs_prices_free(struct cs_prices *p)
{
    for (int r = 0; p->price && r < p->nranks; r++)
        free(p->price[r]);
    free(p->price);
    free(p->n);
    free(p->line);
    free(p->varies);
    cs_segments_free(&p->m);
    cs_observations_free(&p->o);
}
