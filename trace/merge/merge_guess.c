/* SPDX-License-Identifier: BSD-3-Clause
 * Finds the shortest rule for a value on many ranks. Simple rules are dropped when they fail on a rank; when none is
 * left, the value becomes a table, for which rules on grids are tried in the end. */
#include "trace/merge/merge_guess.h"

#include <stdlib.h>

#include "base/grow.h"

/* ---- from one rank to the next ---- */

/* Which rules still hold for all ranks seen so far; bits. */
enum { ALIVE_SAME = 1, ALIVE_RELATIVE = 2, ALIVE_XOR = 4 };

static void set_rule(struct cs_guess *g)
{
    int64_t a[] = {[ALIVE_SAME] = g->same, [ALIVE_RELATIVE] = g->relative, [ALIVE_XOR] = g->exor};
    int first = g->alive & -g->alive;
    if (!g->alive)
        return;
    g->v.rule = first == ALIVE_SAME ? CS_RULE_SAME : first == ALIVE_RELATIVE ? CS_RULE_RELATIVE : CS_RULE_XOR;
    g->v.a = a[first];
}

void cs_guess_first(struct cs_guess *g, int64_t x, bool peer, struct cs_comm_rank p)
{
    *g = (struct cs_guess){.alive = ALIVE_SAME, .same = x};
    if (peer && p.me >= 0 && x >= 0 && x < p.n) {
        g->alive |= ALIVE_RELATIVE | ALIVE_XOR;
        g->relative = x - p.me;
        if (2 * g->relative > p.n)
            g->relative -= p.n;
        else if (2 * g->relative <= -p.n)
            g->relative += p.n;
        g->exor = x ^ p.me;
    }
    set_rule(g);
}

static int still_alive(const struct cs_guess *g, int64_t x, struct cs_comm_rank p)
{
    int alive = g->alive & ALIVE_SAME && x == g->same ? ALIVE_SAME : 0;
    if (p.me < 0 || x < 0 || x >= p.n)
        return alive;
    if (g->alive & ALIVE_RELATIVE && ((p.me + g->relative) % p.n + p.n) % p.n == x)
        alive |= ALIVE_RELATIVE;
    if (g->alive & ALIVE_XOR && (p.me ^ g->exor) == x)
        alive |= ALIVE_XOR;
    return alive;
}

int cs_guess_next(struct cs_guess *g, int64_t x, int n, struct cs_comm_rank p, cs_comm_rank_at_fn *place_at,
                  const void *arg)
{
    int alive = g->v.rule == CS_RULE_TABLE ? 0 : still_alive(g, x, p);
    if (alive) {
        g->alive = alive;
        set_rule(g);
        return 0;
    }
    if (!CS_MAKE_ROOM(g->v.table, n, g->cap))
        return -1;
    if (g->v.rule != CS_RULE_TABLE) {
        for (int i = 0; i < n; i++) {
            struct cs_comm_rank q = g->v.rule == CS_RULE_SAME ? (struct cs_comm_rank){0, 0} : place_at(arg, i);
            g->v.table[i] = cs_merged_value_at(&g->v, i, q.me, q.n);
        }
        g->v = (struct cs_merged_value){.rule = CS_RULE_TABLE, .table = g->v.table};
    }
    g->v.table[n] = x;
    return 0;
}

/* ---- rules for a whole table ---- */

/* Peers x[i] of ranks me[i], i < n, of a communicator of `size` ranks. */
struct fit {
    const int64_t *x;
    const int *me;
    int n, size;
};

static bool fits(const struct fit *f, const struct cs_merged_value *v)
{
    for (int i = 0; i < f->n; i++)
        if (cs_merged_value_at(v, i, f->me[i], f->size) != f->x[i])
            return false;
    return true;
}

/* Tries a grid of d0 x d1 x d2. The first rank's peer decides the shifts; they must fit all others. */
static bool fit_torus(const struct fit *f, struct cs_merged_value *v, int d0, int d1, int d2)
{
    const int dims[CS_TORUS_DIMS] = {d0, d1, d2};
    int64_t me = f->me[0], x = f->x[0];
    *v = (struct cs_merged_value){.rule = CS_RULE_TORUS};
    for (int i = CS_TORUS_DIMS - 1; i >= 0; i--) {
        v->dims[i] = dims[i];
        v->shift[i] = (int)((x % dims[i] - me % dims[i] + dims[i]) % dims[i]);
        me /= dims[i];
        x /= dims[i];
    }
    return fits(f, v);
}

static bool fit_any_torus(const struct fit *f, struct cs_merged_value *v)
{
    for (int d2 = 2; d2 <= f->size; d2++) {
        if (f->size % d2)
            continue;
        int rest = f->size / d2;
        for (int d1 = 1; d1 <= rest; d1++)
            if (rest % d1 == 0 && fit_torus(f, v, rest / d1, d1, d2))
                return true;
    }
    return false;
}

/* Tries a * (me / div) + b * (me % div) + c for each divisor; the peers of ranks 0, 1 and div decide a, b and c. */
static bool fit_any_digits(const struct fit *f, struct cs_merged_value *v)
{
    for (int div = 2; div < f->size; div++) {
        if (f->size % div || f->n <= div || f->me[0] != 0 || f->me[1] != 1 || f->me[div] != div)
            continue;
        *v = (struct cs_merged_value){
            .rule = CS_RULE_DIGITS, .c = f->x[0], .b = f->x[1] - f->x[0], .a = f->x[div] - f->x[0], .div = div};
        if (fits(f, v))
            return true;
    }
    return false;
}

int cs_guess_shorten(struct cs_merged_value *v, int n, cs_comm_rank_at_fn *place_at, const void *arg)
{
    if (v->rule != CS_RULE_TABLE || n < 3)
        return 0;
    int *me = malloc((size_t)n * sizeof *me), size = place_at(arg, 0).n;
    if (!me)
        return -1;
    struct fit f = {v->table, me, n, size};
    struct cs_merged_value rule;
    bool usable = size > 0;
    for (int i = 0; usable && i < n; i++) {
        struct cs_comm_rank p = place_at(arg, i);
        me[i] = p.me;
        usable = p.me >= 0 && p.n == size && v->table[i] >= 0 && v->table[i] < size;
    }
    if (usable && (fit_any_torus(&f, &rule) || fit_any_digits(&f, &rule))) {
        free(v->table);
        *v = rule;
    }
    free(me);
    return 0;
}
