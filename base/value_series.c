/* SPDX-License-Identifier: BSD-3-Clause
 * Finds what is repeated while numbers come in; value_series.h. Numbers are kept as they are until a look at them, at
 * lengths that grow, finds that those of the later half repeat; from then on each new one is only compared. How they
 * repeat is found by the failure function of Knuth, Morris and Pratt. */
#include "base/value_series.h"

#include <stdlib.h>

#include "base/grow.h"

/* LEAST: numbers that are looked at, at least; what is shorter needs no folding. MOST: numbers that are kept. */
enum { LEAST = 128, MOST = 8192, MOST_RUNS = 64 };

static void give_up(struct cs_series *s)
{
    free(s->value);
    free(s->run);
    *s = (struct cs_series){.times = s->times, .unknown = true};
}

static bool begin_run(struct cs_series *s)
{
    if (s->nruns == MOST_RUNS || !CS_MAKE_ROOM(s->run, s->nruns, s->cap_runs))
        return false;
    s->run[s->nruns++] = (struct cs_series_run){.at = s->n};
    return true;
}

/* The smallest period of a[0] .. a[n - 1], n if there is none; memory is out: n. */
static int period(const int64_t *a, int n)
{
    int *border = malloc((size_t)n * sizeof *border), k = 0;
    if (!border)
        return n;
    border[0] = 0;
    for (int i = 1; i < n; i++) {
        while (k > 0 && a[i] != a[k])
            k = border[k - 1];
        k += a[i] == a[k];
        border[i] = k;
    }
    int p = n - border[n - 1];
    free(border);
    return p;
}

/* Splits the last run where what is repeated begins, if the later half of it is repeated twice. */
static bool fold(struct cs_series *s)
{
    struct cs_series_run *r = &s->run[s->nruns - 1];
    int half = r->length / 2, begin = r->length - half, p = period(s->value + r->at + begin, half);
    const int64_t *a = s->value + r->at;
    if (2 * p > half)
        return true;
    while (begin > 0 && a[begin - 1] == a[begin - 1 + p])
        begin--;
    int repeated = r->length - begin, at = r->at;
    r->length = begin;
    r->times = begin;
    s->nruns -= begin == 0;
    s->n = at + begin;
    if (!begin_run(s))
        return false;
    s->run[s->nruns - 1].length = p;
    s->run[s->nruns - 1].times = repeated;
    s->n += p;
    return true;
}

/* Is it time to look at so many numbers? At powers of 2, and in the middle between them. */
static bool is_time(int n)
{
    return n >= LEAST && ((n & (n - 1)) == 0 || (n % 3 == 0 && ((n / 3) & (n / 3 - 1)) == 0));
}

static bool add(struct cs_series *s, int64_t v)
{
    struct cs_series_run *r = s->nruns ? &s->run[s->nruns - 1] : NULL;
    if (r && r->length < r->times && s->value[r->at + (int)(r->times % r->length)] == v) {
        r->times++;
        return true;
    }
    if ((!r || r->length < r->times) && !begin_run(s))
        return false;
    if (s->n == MOST || !CS_MAKE_ROOM(s->value, s->n, s->cap))
        return false;
    s->value[s->n++] = v;
    r = &s->run[s->nruns - 1];
    r->times = ++r->length;
    return !is_time(r->length) || fold(s);
}

void cs_series_add(struct cs_series *s, int64_t v)
{
    if (!s->unknown && !add(s, v))
        give_up(s);
    s->times++;
}

int64_t cs_series_room(const struct cs_series *s)
{
    enum { RUN = 12 };
    return s->n + RUN * (int64_t)s->nruns;
}

void cs_series_free(struct cs_series *s)
{
    free(s->value);
    free(s->run);
}
