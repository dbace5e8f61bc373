/* SPDX-License-Identifier: BSD-3-Clause
 * Numbers that stand for those of all ranks, by when a rank had them; recorded_near.h. */
#include "base/recorded_near.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* How far off a number may be: by less than one such part of it. LEAST: a smaller one, by nothing. */
enum { TENTH = 10, ALL = 1, LEAST = 10 };
/* Numbers that come again in a list; times that have a number each; numbers of a rank that are looked at in the
 * search: at most. */
enum { PERIOD = 32, TIMES = 256, SEARCHED = 512 };

/* What stands for the numbers that have place i of a list of `n`, which comes again, or place i of all. */
struct near {
    int n;
    double sum[TIMES];
    int64_t times[TIMES], most[TIMES];
};

/* A rank's numbers, one after the other: number `at` of those of run `run`. */
struct walk {
    const struct cs_recorded_rank *r;
    int run;
    int64_t at, seen;
};

/* The next number of the rank; false behind the last. One that was always the same is there once for each place. */
static bool next(struct walk *w, int n, int64_t *value)
{
    const struct cs_series *s = &w->r->each;
    if (!w->r->in_order) {
        *value = w->r->mean;
        return w->seen++ < n;
    }
    while (w->run < s->nruns && w->at == s->run[w->run].times) {
        w->run++;
        w->at = 0;
    }
    if (w->run == s->nruns)
        return false;
    *value = s->value[s->run[w->run].at + w->at++ % s->run[w->run].length];
    w->seen++;
    return true;
}

/* Takes the first `most` numbers of each rank. */
static void take(struct near *to, const struct cs_recorded_value *v, int n, int64_t most)
{
    memset(to, 0, sizeof *to);
    to->n = n;
    for (; v; v = v->also)
        for (int i = 0; i < v->nranks; i++) {
            struct walk w = {.r = &v->by_rank[i]};
            int64_t x;
            while (w.seen < most && next(&w, n, &x)) {
                int at = (int)((w.seen - 1) % n);
                to->most[at] = !to->times[at] || x > to->most[at] ? x : to->most[at];
                to->sum[at] += (double)x;
                to->times[at]++;
            }
        }
}

static int64_t stands(const struct near *a, int at, bool largest)
{
    return largest ? a->most[at] : a->times[at] ? llround(a->sum[at] / (double)a->times[at]) : 0;
}

/* Is none of these numbers off by more than one `part`th? */
static bool fits(const struct near *a, const struct cs_recorded_value *v, bool largest, int part, int64_t most)
{
    for (; v; v = v->also)
        for (int i = 0; i < v->nranks; i++) {
            struct walk w = {.r = &v->by_rank[i]};
            int64_t x;
            while (w.seen < most && next(&w, a->n, &x)) {
                int64_t is = stands(a, (int)((w.seen - 1) % a->n), largest);
                bool few = part == ALL && llabs(is) < LEAST;
                if (x != is && (few || part * llabs(x - is) >= llabs(is)))
                    return false;
            }
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
    take(a, v, n, SEARCHED);
    if (!fits(a, v, largest, part, SEARCHED))
        return false;
    take(a, v, n, INT64_MAX);
    return fits(a, v, largest, part, INT64_MAX);
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
        take(own, &run, a->n, INT64_MAX);
        for (int i = 0; i < a->n && same; i++)
            same = !own->times[i] ||
                   FIFTH * llabs(stands(own, i, false) - stands(a, i, false)) <= llabs(stands(a, i, false));
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
        found = try_list(a, v, (int)times, ALL) && same_in_runs(a, v);
    if (found)
        print(f, a, is_size(v->place));
    free(a);
    return found;
}
