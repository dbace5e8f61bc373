/* SPDX-License-Identifier: BSD-3-Clause
 * Numbers that stand for those of all ranks, by when a rank had them; recorded_near.h. */
#include "base/recorded_near.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/recorded_walk.h"

/* How far off a number may be: by less than one such part of it. LEAST: a smaller one, by nothing. */
enum { TENTH = 10, ALL = 1, LEAST = 10 };
/* Numbers that come again in a list; times that have a number each; numbers of a rank that are looked at in the
 * search: at most. */
enum { PERIOD = 32, TIMES = 256, SEARCHED = 512 };

/* What stands for the numbers that have place i of a list of `n`, which comes again, or place i of all. What stands for
 * all of a place lies between the least and the most of them, so these two say whether it is near to each. */
struct near {
    int n;
    double sum[TIMES], squares[TIMES];
    int64_t times[TIMES], least[TIMES], most[TIMES];
};

/* Are the least and the most of a place so far apart that no number between them is off by less than one `part`th? */
static bool apart(int64_t least, int64_t most, int part)
{
    double large = fmax(fabs((double)least), fabs((double)most)),
           most_off = large < LEAST && part == ALL ? 0 : large / part;
    return (double)most - (double)least > 2 * most_off;
}

/* Takes a number of place `at`; false: no number is near to all of them. */
static bool take_one(struct near *to, int at, int64_t x, int part)
{
    bool first = !to->times[at]++;
    to->sum[at] += (double)x;
    to->squares[at] += (double)x * (double)x;
    if (!first && x >= to->least[at] && x <= to->most[at])
        return true;
    to->least[at] = first || x < to->least[at] ? x : to->least[at];
    to->most[at] = first || x > to->most[at] ? x : to->most[at];
    return !part || !apart(to->least[at], to->most[at], part);
}

/* Takes the first `most` numbers of each rank; false: no numbers are near to these. `part` 0: any will do. */
static bool take(struct near *to, const struct cs_recorded_value *v, int n, int part, int64_t most)
{
    memset(to, 0, sizeof *to);
    to->n = n;
    for (; v; v = v->also)
        for (int i = 0; i < v->nranks; i++) {
            struct cs_recorded_walk w = {.r = &v->by_rank[i]};
            int64_t x;
            for (int at = 0; w.seen < most && cs_recorded_next(&w, n, &x); at = at + 1 < n ? at + 1 : 0)
                if (!take_one(to, at, x, part))
                    return false;
        }
    return true;
}

static int64_t stands(const struct near *a, int at, bool largest)
{
    return largest ? a->most[at] : a->times[at] ? llround(a->sum[at] / (double)a->times[at]) : 0;
}

/* Is x off by less than one `part`th of what stands for it? */
static bool is_near(int64_t x, int64_t is, int part)
{
    bool few = part == ALL && llabs(is) < LEAST;
    return x == is || (!few && part * llabs(x - is) < llabs(is));
}

/* Is what stands for a place near to all that were there? */
static bool fits(const struct near *a, bool largest, int part)
{
    for (int i = 0; i < a->n; i++) {
        int64_t is = stands(a, i, largest);
        if (a->times[i] && !(is_near(a->least[i], is, part) && is_near(a->most[i], is, part)))
            return false;
    }
    return true;
}

/* The most numbers that a rank of the runs had; -1: not known of all. */
static int64_t longest(const struct cs_recorded_value *v)
{
    int64_t n = 1;
    for (; v; v = v->also)
        for (int i = 0; i < v->nranks; i++) {
            const struct cs_recorded_rank *r = &v->by_rank[i];
            if (!r->constant && !r->in_order)
                return -1;
            if (r->in_order && r->each.times > n)
                n = r->each.times;
        }
    return n;
}

static void print(FILE *f, const struct near *a, bool largest)
{
    if (a->n > 1)
        fputs("pick(iteration", f);
    for (int i = 0; i < a->n; i++)
        fprintf(f, "%s%lld", a->n > 1 ? "," : "", (long long)stands(a, i, largest));
    if (a->n > 1)
        fputc(')', f);
}

/* Is the place about the size of memory? */
static bool is_size(const char *place)
{
    const char *name = strrchr(place, ':');
    return name && (!strcmp(name, ":size") || !strcmp(name, ":nmemb"));
}

/* Does the name say that the number is no amount: which rank, tag or group it is? */
static bool says_which(const char *place)
{
    static const char *const names[] = {"dest", "source", "root",        "tag",       "sendtag",      "recvtag",
                                        "rank", "color",  "rank_source", "rank_dest", "local_leader", "key"};
    const char *name = strrchr(place, ':');
    for (size_t i = 0; name && i < sizeof names / sizeof *names; i++)
        if (!strcmp(name + 1, names[i]))
            return true;
    return false;
}

/* Is a list of n numbers near to all? Sets *a to it. */
static bool try_list(struct near *a, const struct cs_recorded_value *v, int n, int part)
{
    bool largest = is_size(v->place);
    return take(a, v, n, part, SEARCHED) && fits(a, largest, part) && take(a, v, n, part, INT64_MAX) &&
           fits(a, largest, part);
}

/* Are the numbers nearly the same in each run, in the mean? They do not go with how many ranks there are, then. */
static bool same_in_runs(const struct near *a, const struct cs_recorded_value *v)
{
    enum { FIFTH = 5 };
    struct near *own = malloc(sizeof *own);
    bool same = own;
    for (; v && same; v = v->also) {
        struct cs_recorded_value run = *v;
        run.also = NULL;
        take(own, &run, a->n, 0, INT64_MAX);
        for (int i = 0; i < a->n && same; i++)
            same = !own->times[i] ||
                   FIFTH * llabs(stands(own, i, false) - stands(a, i, false)) <= llabs(stands(a, i, false));
    }
    free(own);
    return same;
}

/* Are the means typical of what ranks had each time: do numbers differ from them, as the root of the mean square, by no
 * more than half of what numbers are in the mean? Those that are anywhere in a range, as places in a table or random
 * states, differ by more. Small numbers are all the same. */
static bool typical(const struct near *a)
{
    enum { HALF = 2 };
    double times = 0, sum = 0, apart = 0;
    for (int i = 0; i < a->n; i++) {
        double n = (double)a->times[i], mean = n > 0 ? a->sum[i] / n : 0;
        if (a->least[i] != a->most[i] && (a->least[i] < 0 || mean < LEAST))
            return false;
        times += n;
        sum += a->sum[i];
        apart += fmax(a->squares[i] - n * mean * mean, 0);
    }
    return HALF * sqrt(apart / times) <= sum / times;
}

/* Is the mean of all times nearly the same in each run? Each time by itself it is not, of few ranks. */
static bool same_in_all(const struct near *a, const struct cs_recorded_value *v)
{
    enum { FIFTH = 5 };
    double sum = 0, times = 0;
    for (int i = 0; i < a->n; i++) {
        sum += a->sum[i];
        times += (double)a->times[i];
    }
    struct near *own = malloc(sizeof *own);
    bool same = own;
    for (; v && same; v = v->also) {
        struct cs_recorded_value run = *v;
        double own_sum = 0, own_times = 0;
        run.also = NULL;
        take(own, &run, a->n, 0, INT64_MAX);
        for (int i = 0; i < a->n; i++) {
            own_sum += own->sum[i];
            own_times += (double)own->times[i];
        }
        same = FIFTH * fabs(own_sum / own_times - sum / times) <= fabs(sum / times);
    }
    free(own);
    return same;
}

bool cs_recorded_near(FILE *f, const struct cs_recorded_value *v)
{
    int64_t times = says_which(v->place) ? -1 : longest(v);
    struct near *a = times < 0 ? NULL : malloc(sizeof *a);
    bool found = false;
    for (int n = 1; a && n <= PERIOD && n <= times && !found; n++)
        found = try_list(a, v, n, TENTH);
    if (a && !found && times <= TIMES)
        found = (try_list(a, v, (int)times, ALL) && same_in_runs(a, v)) ||
                (take(a, v, (int)times, 0, INT64_MAX) && typical(a) && same_in_all(a, v));
    if (found)
        print(f, a, is_size(v->place));
    free(a);
    return found;
}

/* ---- loops ---- */

/* Did all ranks of each run do the same each time? */
static bool together(const struct cs_recorded_value *v)
{
    for (; v; v = v->also)
        for (int i = 1; i < v->nranks; i++) {
            const struct cs_recorded_rank *a = &v->by_rank[0], *b = &v->by_rank[i];
            if (a->in_order != b->in_order || a->mean != b->mean || !cs_series_same(&a->each, &b->each))
                return false;
        }
    return true;
}

/* Does what one rank had stand for what another one had, in a run of fewer ranks: within a fifth? */
static bool stands_for(int64_t is, int64_t was)
{
    enum { FIFTH = 5 };
    return FIFTH * llabs(is - was) <= llabs(was);
}

/* The same of all that they had each time, and of how often that was, which may be once more or less, too. */
static bool stands_each_time(const struct cs_recorded_rank *a, const struct cs_recorded_rank *b)
{
    struct cs_recorded_walk x = {.r = a}, y = {.r = b};
    int64_t is, was;
    if (a->in_order && b->in_order && llabs(a->each.times - b->each.times) > 1 &&
        !stands_for(a->each.times, b->each.times))
        return false;
    while (x.seen < SEARCHED && cs_recorded_next(&x, SEARCHED, &is) && cs_recorded_next(&y, SEARCHED, &was))
        if (!stands_for(is, was))
            return false;
    return true;
}

bool cs_recorded_near_trips(FILE *f, const struct cs_recorded_value *v)
{
    const struct cs_recorded_value *most = v;
    if (longest(v) < 0 || !together(v))
        return false;
    for (const struct cs_recorded_value *a = v; a; a = a->also)
        most = a->nranks > most->nranks ? a : most;
    for (const struct cs_recorded_value *a = v; a; a = a->also)
        if (!stands_each_time(most->by_rank, a->by_rank))
            return false;
    cs_recorded_rank_print(f, most->by_rank);
    return true;
}
