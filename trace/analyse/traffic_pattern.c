/* SPDX-License-Identifier: BSD-3-Clause
 * The rules of traffic_pattern.h, in the order in which they are preferred: those that say most come first.
 * Every factorisation of the number of ranks into two or three dimensions is a grid to try. */
#include "trace/analyse/traffic_pattern.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/grow.h"

#define ENOUGH_PAIRS 4096 /* from here on rules that explain less than one pair in DROP_BELOW are dropped */
#define DROP_BELOW 50
#define MOST_STEPS (1u << 20) /* of pairs that are kept */
#define DIMS 3

/* ---- one rule, one pair ---- */

static bool power_of_two(int x)
{
    return x > 0 && (x & (x - 1)) == 0;
}

static void coordinates(const int dims[DIMS], int rank, int at[DIMS])
{
    for (int i = DIMS - 1; i >= 0; i--) {
        at[i] = rank % dims[i];
        rank /= dims[i];
    }
}

/* Diagonal neighbours tell something only on a grid on which not nearly all ranks are neighbours. */
static bool diagonal_tells(const int dims[DIMS])
{
    for (int i = 0; i < DIMS; i++)
        if (dims[i] != 1 && dims[i] < 4)
            return false;
    return dims[DIMS - 2] > 1;
}

/* How two ranks of a grid lie. */
struct step {
    int moved;    /* dimensions that differ */
    bool wrap;    /* round the end of one */
    bool far;     /* by more than one in one */
    bool strange; /* and not by a power of two */
};

static struct step step(const int dims[DIMS], int source, int dest)
{
    struct step s = {0};
    int a[DIMS], b[DIMS];
    coordinates(dims, source, a);
    coordinates(dims, dest, b);
    for (int i = 0; i < DIMS; i++) {
        int by = abs(a[i] - b[i]), around = dims[i] - by;
        s.moved += by > 0;
        s.wrap |= by > 1 && around < by;
        by = around < by ? around : by;
        s.far |= by > 1;
        s.strange |= by > 1 && !power_of_two(by);
    }
    return s;
}

static bool transposed(const int dims[DIMS], int source, int dest)
{
    int rows = dims[1], columns = dims[2];
    if (rows == columns)
        return dest == source % columns * rows + source / columns;
    int half = source / 2; /* twice as many columns: pairs of columns change places as one */
    return dest == 2 * (half % rows * rows + half / rows) + source % 2;
}

static bool tree(bool high, int a, int b)
{
    int child = a > b ? a : b, parent = a > b ? b : a, bit = child & -child;
    while (high && 2 * bit <= child)
        bit *= 2;
    return parent == (child ^ bit);
}

static bool obeys(const struct cs_traffic_fit *f, int source, int dest, struct step *s)
{
    *s = (struct step){0};
    switch (f->kind) {
    case CS_TRAFFIC_ALL: return true;
    case CS_TRAFFIC_TREE: return tree(f->high, source, dest);
    case CS_TRAFFIC_STAR: return source == f->center || dest == f->center;
    case CS_TRAFFIC_BUTTERFLY: return power_of_two(source ^ dest);
    case CS_TRAFFIC_TRANSPOSE: return transposed(f->dims, source, dest);
    case CS_TRAFFIC_GRID:
        *s = step(f->dims, source, dest);
        return !s->far && (s->moved == 1 || (s->moved > 1 && diagonal_tells(f->dims)));
    case CS_TRAFFIC_STRIDES: *s = step(f->dims, source, dest); return !s->strange && s->moved == 1;
    }
    return false;
}

bool cs_traffic_pattern_fits(const struct cs_traffic_fit *f, int nranks, int source, int dest)
{
    struct step s;
    return source != dest && source < nranks && dest < nranks && obeys(f, source, dest, &s);
}

/* ---- the rules for a number of ranks ---- */

static void add(struct cs_traffic_pattern *p, size_t *cap, struct cs_traffic_fit f)
{
    if (!CS_MAKE_ROOM(p->fit, p->nfits, *cap))
        return; /* one rule less to choose from */
    p->fit[p->nfits++] = f;
}

static void add_grids(struct cs_traffic_pattern *p, size_t *cap, enum cs_traffic_kind kind, bool three)
{
    int n = p->nranks;
    for (int a = three ? 2 : 1; a <= n; a++) {
        if (n % a || (!three && a > 1))
            continue;
        for (int b = 2; b <= n / a / 2; b++)
            if (n / a % b == 0)
                add(p, cap, (struct cs_traffic_fit){.kind = kind, .dims = {a, b, n / a / b}});
    }
}

static void add_transpositions(struct cs_traffic_pattern *p, size_t *cap)
{
    for (int rows = 2; rows * rows <= p->nranks; rows++)
        if (rows * rows == p->nranks || 2 * rows * rows == p->nranks)
            add(p, cap, (struct cs_traffic_fit){.kind = CS_TRAFFIC_TRANSPOSE, .dims = {1, rows, p->nranks / rows}});
}

struct cs_traffic_pattern *cs_traffic_pattern_new(int nranks)
{
    struct cs_traffic_pattern *p = calloc(1, sizeof *p);
    size_t cap = 0;
    if (!p)
        return NULL;
    *p = (struct cs_traffic_pattern){.nranks = nranks, .fewest = nranks, .current = -1};
    add(p, &cap, (struct cs_traffic_fit){.kind = CS_TRAFFIC_ALL});
    add(p, &cap, (struct cs_traffic_fit){.kind = CS_TRAFFIC_GRID, .dims = {1, 1, nranks}});
    add_grids(p, &cap, CS_TRAFFIC_GRID, false);
    add(p, &cap, (struct cs_traffic_fit){.kind = CS_TRAFFIC_TREE});
    add(p, &cap, (struct cs_traffic_fit){.kind = CS_TRAFFIC_TREE, .high = true});
    add_grids(p, &cap, CS_TRAFFIC_GRID, true);
    add(p, &cap, (struct cs_traffic_fit){.kind = CS_TRAFFIC_BUTTERFLY});
    add_transpositions(p, &cap);
    add_grids(p, &cap, CS_TRAFFIC_STRIDES, false);
    add_grids(p, &cap, CS_TRAFFIC_STRIDES, true);
    if (p->nfits)
        return p;
    cs_traffic_pattern_free(p);
    return NULL;
}

void cs_traffic_pattern_free(struct cs_traffic_pattern *p)
{
    if (!p)
        return;
    free(p->fit);
    free(p->active);
    cs_pair_rows_free(&p->rows);
    free(p);
}

/* ---- all pairs ---- */

/* The middle of a star is one of the first pair. */
static void add_stars(struct cs_traffic_pattern *p, int source, int dest)
{
    size_t cap = p->nfits;
    add(p, &cap, (struct cs_traffic_fit){.kind = CS_TRAFFIC_STAR, .center = source});
    add(p, &cap, (struct cs_traffic_fit){.kind = CS_TRAFFIC_STAR, .center = dest});
}

static void count_degree(struct cs_traffic_pattern *p, int source)
{
    if (source != p->current) {
        if (p->current >= 0 && p->degree < p->fewest)
            p->fewest = p->degree;
        p->current = source;
        p->degree = 0;
        p->senders++;
    }
    p->degree++;
    p->most = p->degree > p->most ? p->degree : p->most;
}

/* Looks at the next pair. False if it does not obey the rule. */
static bool look(struct cs_traffic_fit *f, int source, int dest, uint64_t messages, uint64_t bytes)
{
    struct step s;
    if (!obeys(f, source, dest, &s))
        return false;
    f->looked++;
    f->pairs++;
    f->messages += messages;
    f->bytes += bytes;
    f->wrap |= s.wrap;
    f->diagonal |= s.moved > 1;
    return true;
}

/* The pair that it has just looked at did not obey it. */
static void miss(struct cs_traffic_fit *f)
{
    f->looked++;
    f->dropped = f->looked >= ENOUGH_PAIRS && f->pairs < f->looked / DROP_BELOW;
}

/* Looks at the pairs of a row that the rule has not looked at; `before` pairs are in front of it. */
static void catch_up_row(const struct cs_traffic_pattern *p, struct cs_traffic_fit *f, const struct cs_pair_row *row,
                         uint64_t before)
{
    for (int i = 0; i < row->count && !f->dropped; i++, before += row->n)
        for (uint32_t k = 0; k < row->n && !f->dropped; k++) {
            const struct cs_pair_step *s = &p->rows.step[row->first + k];
            int source = row->source + i;
            if (before + k == f->looked && !look(f, source, source + s->by, s->messages, s->bytes))
                miss(f);
        }
}

/* All rules that are not dropped are active; without memory none is, which leaves the run without a pattern. */
static void activate(struct cs_traffic_pattern *p)
{
    free(p->active);
    p->active = malloc((p->nfits + 1) * sizeof *p->active);
    p->nactive = 0;
    for (size_t i = 0; i < p->nfits && p->active; i++)
        if (!p->fit[i].dropped)
            p->active[p->nactive++] = (uint32_t)i;
}

/* No rule waits any more. */
static void catch_up(struct cs_traffic_pattern *p)
{
    for (size_t i = 0; i < p->nfits; i++) {
        uint64_t before = 0;
        for (uint32_t k = 0; k < p->rows.nrows && p->fit[i].waits; k++) {
            catch_up_row(p, &p->fit[i], &p->rows.row[k], before);
            before += (uint64_t)p->rows.row[k].count * p->rows.row[k].n;
        }
        p->fit[i].waits = false;
    }
    p->at_once = true;
    cs_pair_rows_free(&p->rows);
    activate(p);
}

/* By all active rules; one that it does not obey waits or, if it is hopeless, is dropped. */
static void look_by_all(struct cs_traffic_pattern *p, int source, int dest, uint64_t messages, uint64_t bytes)
{
    size_t n = p->nactive;
    p->nactive = 0;
    for (size_t i = 0; i < n; i++) {
        struct cs_traffic_fit *f = &p->fit[p->active[i]];
        if (!look(f, source, dest, messages, bytes)) {
            if (p->at_once)
                miss(f);
            f->waits = !p->at_once;
        }
        if (!f->waits && !f->dropped)
            p->active[p->nactive++] = p->active[i];
    }
}

void cs_traffic_pattern_pair(struct cs_traffic_pattern *p, int source, int dest, uint64_t messages, uint64_t bytes)
{
    assert(source >= 0 && source < p->nranks && dest >= 0 && dest < p->nranks);
    if (source == dest)
        return;
    if (p->pairs == 0) {
        add_stars(p, source, dest);
        activate(p);
    }
    count_degree(p, source);
    struct cs_pair_step step = {dest - source, messages, bytes};
    if (!p->at_once && (p->rows.nsteps >= MOST_STEPS || cs_pair_rows_add(&p->rows, source, &step)))
        catch_up(p);
    p->pairs++;
    p->messages += messages;
    p->bytes += bytes;
    look_by_all(p, source, dest, messages, bytes);
}

static bool complete(const struct cs_traffic_pattern *p, const struct cs_traffic_fit *f)
{
    uint64_t n = (uint64_t)p->nranks;
    if (f->kind == CS_TRAFFIC_ALL)
        return n > 2 && p->pairs == n * (n - 1);
    return !f->dropped && !f->waits && f->pairs == p->pairs;
}

static bool explains_more(const struct cs_traffic_pattern *p, const struct cs_traffic_fit *f,
                          const struct cs_traffic_fit *than)
{
    if (f->kind == CS_TRAFFIC_ALL || f->dropped)
        return false;
    return !than || (p->bytes ? f->bytes > than->bytes : f->messages > than->messages);
}

const struct cs_traffic_fit *cs_traffic_pattern_best(struct cs_traffic_pattern *p)
{
    const struct cs_traffic_fit *best = NULL;
    if (p->current >= 0 && p->degree < p->fewest)
        p->fewest = p->degree;
    for (size_t i = 0; i < p->nfits && p->pairs; i++)
        if (complete(p, &p->fit[i]))
            return &p->fit[i];
    catch_up(p);
    for (size_t i = 0; i < p->nfits && p->pairs; i++)
        if (explains_more(p, &p->fit[i], best))
            best = &p->fit[i];
    return best;
}

/* ---- words ---- */

static const char *dims_of(const struct cs_traffic_fit *f, char buf[48])
{
    if (f->dims[0] > 1)
        snprintf(buf, 48, "%d x %d x %d", f->dims[0], f->dims[1], f->dims[2]);
    else
        snprintf(buf, 48, "%d x %d", f->dims[1], f->dims[2]);
    return buf;
}

const char *cs_traffic_pattern_words(const struct cs_traffic_fit *f, char *buf, size_t len)
{
    char dims[48];
    switch (f->kind) {
    case CS_TRAFFIC_ALL: snprintf(buf, len, "each rank with each other"); break;
    case CS_TRAFFIC_TREE: snprintf(buf, len, "along a binomial tree from rank 0"); break;
    case CS_TRAFFIC_STAR: snprintf(buf, len, "rank %d with the others", f->center); break;
    case CS_TRAFFIC_BUTTERFLY: snprintf(buf, len, "butterfly: ranks whose numbers differ in one bit"); break;
    case CS_TRAFFIC_TRANSPOSE: snprintf(buf, len, "transposition of a %s grid of ranks", dims_of(f, dims)); break;
    case CS_TRAFFIC_STRIDES:
        snprintf(buf, len, "along one dimension of a %d-D grid %s, over distances of 1, 2, 4, ...",
                 f->dims[0] > 1 ? 3 : 2, dims_of(f, dims));
        break;
    case CS_TRAFFIC_GRID:
        if (f->dims[1] == 1)
            snprintf(buf, len, f->wrap ? "nearest neighbours on a ring" : "nearest neighbours in a line");
        else
            snprintf(buf, len, "nearest neighbours on a %d-D grid %s%s%s", f->dims[0] > 1 ? 3 : 2, dims_of(f, dims),
                     f->wrap ? ", around its ends" : "", f->diagonal ? ", diagonals too" : "");
        break;
    }
    return buf;
}
