/* SPDX-License-Identifier: BSD-3-Clause
 * The fold with the fewest symbols: a cheapest way through the string, by symbols and by powers (fold_search.h). A
 * power costs what its body costs, and a loop. Bodies are solved first: run by run, from the smallest period on. */
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "base/mix.h"
#include "base/modular.h"
#include "base/table.h"
#include "trace/fold/fold_internal.h"
#include "trace/fold/fold_search.h"
#include "trace/fold/runs.h"

/* A run of period p and length 3p or more has p different bodies, and solving each by itself would take p * p steps.
 * All of them, going round in the run, pass any place x. So they are solved together: the cheapest way backward from x
 * plus the cheapest way forward. That is exact if the cheapest body has a cut at x, which is certain if no run of a
 * period up to p/2 lies across x. Otherwise, if y is where the farthest of these runs ends, some cut lies at x, x+1,
 * ..., or y, and all of these places are tried. If they are more than MEETINGS, only a part of them is tried, and the
 * fold is counted as capped. Strings that are periodic on every scale (Fibonacci words) would still take long: when the
 * steps exceed a budget proportional to the string, each longer period gets one meeting place. Runs of the same content
 * share one solution, because a loop's inner loops are as many equal runs as the loop has iterations. */
#define MEETINGS 64
#define STEPS_PER_SYMBOL 4
#define FREE_STEPS 20000000

#define BLOCK 32 /* at every BLOCKth place the runs that lie across it are listed */

/* A fold in progress. Runs that reach into a stretch are found by two indexes: `first` has those that start in it, and
 * `across` those that start before: the runs across place b * BLOCK are across[across_at[b] .. across_at[b + 1]). */
struct fold {
    struct cs_search q;
    int32_t n;      /* length of the string */
    int32_t *first; /* by place: the number of the first run that starts there or later; n + 1 entries */
    int32_t *across_at, *across;
    cs_cost *cost[2]; /* results of the search forward [0] and of that backward [1] */
    size_t cost_cap[2];
    uint64_t *prefix, *power; /* hashes of the string's beginnings, and the base's powers, modulo CS_MODULUS */
    struct cs_table solved;   /* solved runs, found by content */
    size_t nbody, body_cap;   /* of q.body */
    int64_t capped;
};

/* How many meeting places may be tried for a run. */
static int32_t meetings_allowed(const struct fold *f)
{
    return f->q.steps > FREE_STEPS + STEPS_PER_SYMBOL * (int64_t)f->n ? 1 : MEETINGS;
}

static int index_starts(struct fold *f)
{
    f->first = malloc(((size_t)f->n + 1) * sizeof *f->first);
    if (!f->first)
        return -1;
    int32_t i = 0;
    for (int32_t x = 0; x <= f->n; x++) {
        while (i < f->q.runs.n && f->q.runs.run[i].start < x)
            i++;
        f->first[x] = i;
    }
    return 0;
}

/* Places b * BLOCK lie inside the run, and not at its ends, for b = *from + 1, ..., *to. */
static void blocks_inside(const struct cs_run_of *r, int32_t *from, int32_t *to)
{
    *from = r->start / BLOCK;
    *to = (r->end - 1) / BLOCK;
}

static int index_blocks(struct fold *f)
{
    int32_t blocks = f->n / BLOCK + 2, from, to;
    f->across_at = calloc((size_t)blocks + 1, sizeof *f->across_at);
    if (!f->across_at)
        return -1;
    for (int32_t i = 0; i < f->q.runs.n; i++) {
        blocks_inside(&f->q.runs.run[i], &from, &to);
        while (++from <= to)
            f->across_at[from + 1]++;
    }
    for (int32_t b = 0; b < blocks; b++)
        f->across_at[b + 1] += f->across_at[b];
    f->across = malloc(((size_t)f->across_at[blocks] + 1) * sizeof *f->across);
    if (!f->across)
        return -1;
    for (int32_t i = 0; i < f->q.runs.n; i++) {
        blocks_inside(&f->q.runs.run[i], &from, &to);
        while (++from <= to)
            f->across[f->across_at[from]++] = i;
    }
    for (int32_t b = blocks; b > 0; b--)
        f->across_at[b] = f->across_at[b - 1];
    f->across_at[0] = 0;
    return 0;
}

/* Adds the part of the run in [start, end] to the pieces, if its period is `period` at most and a power fits in. */
static int add_piece(struct fold *f, int32_t run, int32_t start, int32_t end, int32_t period)
{
    const struct cs_run_of *r = &f->q.runs.run[run];
    struct cs_piece p = {r->start > start ? r->start : start, r->end < end ? r->end : end, run};
    if (r->period > period || p.end - p.start < 2 * r->period)
        return 0;
    if (!CS_MAKE_ROOM(f->q.piece, f->q.npieces, f->q.piece_cap))
        return -1;
    f->q.piece[f->q.npieces++] = p;
    return 0;
}

/* Sets q.piece to the pieces of the stretch [start, end], sorted by start, of all runs whose period is half of `whole`
 * at most: `whole` is the length of the longest part that is going to be searched. */
static int collect_pieces(struct fold *f, int32_t start, int32_t end, int32_t whole)
{
    int32_t b = start / BLOCK;
    f->q.npieces = 0;
    for (int32_t i = f->across_at[b]; i < f->across_at[b + 1]; i++)
        if (add_piece(f, f->across[i], start, end, whole / 2))
            return -1;
    for (int32_t i = f->first[b * BLOCK]; i < f->first[end]; i++)
        if (add_piece(f, i, start, end, whole / 2))
            return -1;
    return 0;
}

static int need_costs(struct fold *f, int which, size_t n)
{
    return CS_MAKE_ROOM_FOR(f->cost[which], n, f->cost_cap[which]) ? 0 : -1;
}

/* Sets body[i] to the cost of the body that starts at start + i, by a search for each of them. */
static int solve_singly(struct fold *f, int32_t start, int32_t period, int32_t bodies, cs_cost *body)
{
    for (int32_t i = 0; i < bodies; i++) {
        if (cs_search_forward(&f->q, start + i, start + i + period, f->cost[0], NULL))
            return -1;
        body[i] = f->cost[0][period];
    }
    return 0;
}

/* Chooses a meeting place x in [from, to]: the one from which the farthest end of the pieces across it, *last, is least
 * far. *last is x if no piece lies across it. */
static int32_t meeting_place(const struct fold *f, int32_t from, int32_t to, int32_t *last)
{
    int32_t reach = 0, best = from, i = 0;
    *last = INT32_MAX;
    for (int32_t x = from; x <= to; x++) {
        for (; i < f->q.npieces && f->q.piece[i].start < x; i++)
            reach = f->q.piece[i].end > reach ? f->q.piece[i].end : reach;
        int32_t end = reach > x ? reach : x;
        if (end - x < *last - best) {
            best = x;
            *last = end;
        }
    }
    return best;
}

/* Lowers body[] to the cheapest ways that have a cut at place x, for all bodies that pass x: the way backward from x
 * plus the way forward. The run has `bodies` bodies. */
static int solve_through(struct fold *f, const struct cs_run_of *r, int32_t x, int32_t bodies, cs_cost *body)
{
    int32_t p = r->period;
    bool around = bodies == p;
    int32_t low = around ? x - p + 1 : x - p > r->start ? x - p : r->start;
    int32_t last = around || x < r->start + bodies ? x : r->start + bodies - 1, high = last + p;
    if (cs_search_backward(&f->q, low, x, f->cost[1]) || cs_search_forward(&f->q, x, high, f->cost[0], NULL))
        return -1;
    for (int32_t i = low; i <= last; i++) {
        cs_cost c = f->cost[1][i - low] + f->cost[0][i + p - x], *b = &body[(i - r->start) % p];
        *b = c < *b ? c : *b;
    }
    return 0;
}

/* The costs of all bodies by meeting places in [x, last], as many as are allowed. `from` is the first place that may be
 * one; when the bodies go round in the run, places beyond a period from there are taken modulo period. */
static int solve_together(struct fold *f, const struct cs_run_of *r, int32_t bodies, int32_t from, int32_t x,
                          int32_t last, cs_cost *body)
{
    bool around = bodies == r->period;
    int32_t tries = last - x + 1;
    int64_t wide = last - x;
    if (tries > meetings_allowed(f)) {
        tries = meetings_allowed(f);
        f->capped++;
    }
    for (int32_t t = 0; t < tries; t++) {
        int32_t at = x + (int32_t)(tries > 1 ? wide * t / (tries - 1) : 0);
        if (around)
            at = from + (at - from) % r->period;
        if (solve_through(f, r, at, bodies, body))
            return -1;
    }
    return 0;
}

/* Finds the costs of all bodies of a run. The runs of smaller periods must be solved. */
static int solve_bodies(struct fold *f, int32_t run)
{
    const struct cs_run_of r = f->q.runs.run[run];
    int32_t p = r.period, bodies = cs_bodies(r.end - r.start, p), last;
    cs_cost *body = f->q.body + f->q.body_at[run];
    for (int32_t i = 0; i < bodies; i++)
        body[i] = (cs_cost)p * CS_COST_SYMBOL;
    if (p < 3)
        return 0;
    int32_t end = bodies == p ? r.start + 3 * p - 1 : r.start + bodies - 1 + p;
    if (collect_pieces(f, r.start, end, p))
        return -1;
    if (f->q.npieces == 0)
        return 0;
    if (need_costs(f, 0, (size_t)p + 1) || need_costs(f, 1, (size_t)p + 1))
        return -1;
    int32_t from = bodies == p ? r.start + p - 1 : r.start + bodies - 1, to = bodies == p ? from + p - 1 : r.start + p;
    int32_t x = meeting_place(f, from, to, &last);
    if (bodies <= meetings_allowed(f) && bodies <= 2 * (last - x + 1))
        return solve_singly(f, r.start, p, bodies, body);
    return solve_together(f, &r, bodies, from, x, last, body);
}

/* ---- equal runs ---- */

#define BASE UINT64_C(0x15f3a9c47d2e6b81)

static int index_content(struct fold *f, const int32_t *s)
{
    f->prefix = malloc(((size_t)f->n + 1) * sizeof *f->prefix);
    f->power = malloc(((size_t)f->n + 1) * sizeof *f->power);
    if (!f->prefix || !f->power)
        return -1;
    f->prefix[0] = 0;
    f->power[0] = 1;
    for (int32_t i = 0; i < f->n; i++) {
        f->prefix[i + 1] = (cs_modular_times(f->prefix[i], BASE) + (uint64_t)s[i] + 1) % CS_MODULUS;
        f->power[i + 1] = cs_modular_times(f->power[i], BASE);
    }
    return 0;
}

static void forget_content(struct fold *f)
{
    free(f->prefix);
    free(f->power);
    cs_table_free(&f->solved);
    f->prefix = f->power = NULL;
}

/* Hash of the run's first period. */
static uint64_t content(const struct fold *f, const struct cs_run_of *r)
{
    uint64_t h =
        f->prefix[r->start + r->period] + CS_MODULUS - cs_modular_times(f->prefix[r->start], f->power[r->period]);
    return h % CS_MODULUS;
}

static uint32_t hash_of(const void *fold, uint32_t run)
{
    const struct fold *f = fold;
    const struct cs_run_of *r = &f->q.runs.run[run];
    return (uint32_t)cs_mix(content(f, r) ^ (uint64_t)cs_bodies(r->end - r->start, r->period) << 32);
}

/* The number of a solved run with the same first period and as many bodies; if there is none, the run's own, which is
 * entered as solved; -1: no memory. Two runs that differ and have one hash would cost symbols, but never make a wrong
 * fold. */
static int32_t same_run(struct fold *f, int32_t run)
{
    const struct cs_run_of *r = &f->q.runs.run[run];
    int32_t bodies = cs_bodies(r->end - r->start, r->period);
    uint64_t value = content(f, r);
    uint32_t hash = hash_of(f, (uint32_t)run);
    int64_t i;
    for (uint32_t at = cs_table_first(&f->solved, hash); (i = cs_table_at(&f->solved, at)) >= 0;
         at = cs_table_next(&f->solved, at)) {
        const struct cs_run_of *q = &f->q.runs.run[i];
        if (q->period == r->period && cs_bodies(q->end - q->start, q->period) == bodies && content(f, q) == value)
            return (int32_t)i;
    }
    if (!cs_table_reserve(&f->solved, hash_of, f))
        return -1;
    cs_table_put(&f->solved, hash, (uint32_t)run);
    return run;
}

/* ---- all runs ---- */

/* The numbers of the runs, sorted by period; NULL if memory is short. */
static int32_t *by_period(const struct cs_runs *r)
{
    int32_t longest = 0;
    for (int32_t i = 0; i < r->n; i++)
        longest = r->run[i].period > longest ? r->run[i].period : longest;
    int32_t *count = calloc((size_t)longest + 2, sizeof *count), *order = malloc(((size_t)r->n + 1) * sizeof *order);
    if (count && order) {
        for (int32_t i = 0; i < r->n; i++)
            count[r->run[i].period + 1]++;
        for (int32_t p = 0; p < longest; p++)
            count[p + 1] += count[p];
        for (int32_t i = 0; i < r->n; i++)
            order[count[r->run[i].period]++] = i;
    } else {
        free(order);
        order = NULL;
    }
    free(count);
    return order;
}

/* Gives the run its entries of q.body. */
static int room_for_bodies(struct fold *f, int32_t run)
{
    const struct cs_run_of *r = &f->q.runs.run[run];
    size_t need = f->nbody + (size_t)cs_bodies(r->end - r->start, r->period);
    if (!CS_MAKE_ROOM_FOR(f->q.body, need, f->body_cap))
        return -1;
    f->q.body_at[run] = f->nbody;
    f->nbody = need;
    return 0;
}

static int solve_runs(struct fold *f)
{
    struct cs_runs *r = &f->q.runs;
    f->q.body_at = malloc(((size_t)r->n + 1) * sizeof *f->q.body_at);
    int32_t *order = by_period(r);
    int rc = f->q.body_at && order ? 0 : -1;
    for (int32_t i = 0; i < r->n && !rc; i++) {
        int32_t same = same_run(f, order[i]);
        if (same < 0)
            rc = -1;
        else if (same != order[i])
            f->q.body_at[order[i]] = f->q.body_at[same];
        else
            rc = room_for_bodies(f, same) || solve_bodies(f, same) ? -1 : 0;
    }
    free(order);
    forget_content(f);
    return rc;
}

/* The cheapest way through [start, end] as *steps steps from left to right, to be freed. Each leads from its `from` to
 * the next one's `from`, the last one to `end`. NULL: no memory. */
static struct cs_step *find_way(struct fold *f, int32_t start, int32_t end, int32_t *steps)
{
    int32_t n = end - start, count = 0;
    struct cs_step *step = malloc(((size_t)n + 1) * sizeof *step);
    if (!step || need_costs(f, 0, (size_t)n + 1) || collect_pieces(f, start, end, n) ||
        cs_search_forward(&f->q, start, end, f->cost[0], step)) {
        free(step);
        return NULL;
    }
    /* From the end back; the steps gather at the end of the array, behind all that are still to be read. */
    for (int32_t x = end; x > start; count++) {
        struct cs_step s = step[x - start];
        step[n - count] = s;
        x = s.from;
    }
    memmove(step, step + n + 1 - count, (size_t)count * sizeof *step);
    *steps = count;
    return step;
}

/* Adds the nest of the cheapest way through [start, end] to b; the bodies of its loops are folded in turn. */
static int emit(struct fold *f, const int32_t *s, int32_t start, int32_t end, struct cs_fold_builder *b)
{
    int32_t steps, rc = 0;
    if (end - start == 1)
        return cs_fold_add_symbol(b, s[start]);
    struct cs_step *step = find_way(f, start, end, &steps);
    if (!step)
        return -1;
    for (int32_t i = 0; !rc && i < steps; i++) {
        int32_t from = step[i].from, to = i + 1 < steps ? step[i + 1].from : end;
        if (step[i].run < 0) {
            rc = cs_fold_add_symbol(b, s[from]);
            continue;
        }
        int32_t period = f->q.runs.run[step[i].run].period;
        int64_t loop = cs_fold_open_loop(b, (to - from) / period);
        rc = loop < 0 ? -1 : emit(f, s, from, from + period, b);
        if (!rc)
            cs_fold_close_loop(b, loop);
    }
    free(step);
    return rc;
}

int cs_fold_best(const int32_t *s, int32_t n, int32_t k, struct cs_fold_builder *b)
{
    struct fold f = {.n = n};
    int rc = -1;
    if (n > 0 && (cs_runs_find(s, n, k, &f.q.runs) || index_starts(&f) || index_blocks(&f) || index_content(&f, s) ||
                  solve_runs(&f) || emit(&f, s, 0, n, b)))
        goto end;
    b->f->capped = f.capped;
    rc = 0;
end:
    cs_search_free(&f.q);
    forget_content(&f);
    free(f.first);
    free(f.across_at);
    free(f.across);
    free(f.cost[0]);
    free(f.cost[1]);
    return rc;
}
