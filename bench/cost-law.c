/* SPDX-License-Identifier: BSD-3-Clause
 * A cost law that no model knows: turns the counters of a counted original's trace into times, so that predictions have
 * a truth without a clock. usage: cost-law LAW SEED IN.trace OUT.trace [SECONDS]. LAW is a number: each is another law;
 * with a p behind it, what the program does around its loops grows with a power of the ranks; with a c, all takes four
 * times as long where an iteration of the outermost loop goes through 8 MB and more; with a u, it is of other terms:
 * eighths of the ranks take loops differently, short loops are dearer, what is touched makes a turn dearer by its
 * logarithm, first times and one time in 200 are dearer; xF: all takes F times as long.
 * Several laws with commas between, each with @RANKS, are those of so many ranks each: unequal machines. The noise is
 * the seed's. SECONDS gets a line for each rank: what it computed between MPI_Init and MPI_Finalize. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "trace/counters.h"

/* Shares of the noise: of a segment on a rank, and of each time that it goes that way. */
static const double SEGMENT_NOISE = 0.02, TIME_NOISE = 0.03;
/* What each call takes itself, ns. Nothing reads it but the order of times. */
enum { CALL_NS = 500 };

/* A way of a rank, by its numbers of sites: ns each time by the law, and what all times came to. */
struct way {
    int from, to, segment;
    double price, first; /* and by what factor the first time is dearer */
    int64_t ns;
};

/* A rank under way from one trace to the other. */
struct rank {
    const struct cs_trace *in;
    struct cs_trace_writer *w;
    int rank, nranks, nways;
    struct way *way;     /* ascending by from and to */
    uint64_t law, noise; /* noise: state of its generator */
    bool power;          /* of the ranks; else it is their logarithm */
    bool memory;         /* is slower than the caches */
    bool uneven;         /* the terms of a law with a u */
    double factor;       /* of all times */
    int64_t computed;    /* ns */
};

static void die(const char *what, const char *which)
{
    fprintf(stderr, "cost-law: %s: %s\n", which, what);
    exit(2);
}

/* ---- numbers by chance ---- */

static uint64_t mix(uint64_t x)
{
    x += 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

/* From 0 to 1, 1 excluded. */
static double share(uint64_t x)
{
    return (double)(mix(x) >> 11) * 0x1p-53;
}

/* A factor around 1. */
static double noise(uint64_t *state, double spread)
{
    double u = share(++*state), v = share(++*state);
    return exp(spread * sqrt(-2 * log(1 - u)) * cos(2 * acos(-1) * v));
}

static uint64_t hash_text(uint64_t h, const char *s)
{
    for (; s && *s; s++)
        h = (h ^ (unsigned char)*s) * 0x100000001b3u;
    return h * 0x100000001b3u;
}

/* ---- the law ---- */

/* ns of all turns of one counter: each loop has a price of its own. Some have an arm that is dearer, and which is taken
 * as the surface of what the loop goes over; some look something up in a tree. */
static double loop_ns(uint64_t law, const struct cs_counter_def *c, double turns)
{
    uint64_t h = mix(law * 0x9e3779b97f4a7c15u +
                     hash_text(hash_text((uint64_t)c->line * 64 + (uint64_t)c->ordinal, c->file), c->func));
    double each = 0.6 * pow(10, share(h)), ns = each * turns;
    if (share(h + 1) < 0.35)
        ns += 2 * each * fmin(turns, 3 * pow(turns, 2.0 / 3));
    if (share(h + 2) < 0.2)
        ns *= 1 + 0.04 * log2(1 + turns);
    return ns;
}

/* From 0 well below the size to 1 well above. */
static double step(double bytes, double size)
{
    double x = pow(bytes / size, 3);
    return x / (1 + x);
}

/* ns of a segment, each time: its loops, by whether what they touch fits a cache, and what the program does around.
 */
static double segment_ns(const struct rank *r, const struct cs_segment *s)
{
    double ns = 0, most = 0, all = 0, least = INFINITY;
    for (int i = 0; i < s->nsums; i++) {
        double turns = (double)s->sum[i].sum / (double)s->times;
        ns += loop_ns(r->law, cs_trace_counter(r->in, r->rank, (int)s->sum[i].counter), turns);
        most = fmax(most, turns);
        all += turns;
        least = turns > 1 ? fmin(least, turns) : least;
    }
    /* What leaving the first and the second cache costs, and how much of them a turn touches. */
    double first = 0.5 * share(r->law + 101), second = 0.7 * share(r->law + 102),
           bytes = (4 + 12 * share(r->law + 103)) * most;
    ns *= 1 + first * step(bytes, 32 << 10) + second * step(bytes, 1 << 20);
    ns *= r->memory ? 1 + 3 * step(8 * all / least, 8 << 20) : 1;
    ns += 150 + 20 * (r->power ? pow(r->nranks, 0.2 + 0.3 * share(r->law + 104)) : log2(r->nranks));
    return r->factor * ns;
}

/* ---- the law of other terms ---- */

/* ns of all turns of one counter. Of some, each eighth of the ranks has other data; some are dearer while short. */
static double uneven_loop_ns(const struct rank *r, const struct cs_counter_def *c, double turns)
{
    uint64_t h = mix(r->law * 0x9e3779b97f4a7c15u + 7 +
                     hash_text(hash_text((uint64_t)c->line * 64 + (uint64_t)c->ordinal, c->file), c->func));
    double ns = turns * 0.4 * pow(12, share(h));
    if (share(h + 1) < 0.3)
        ns *= 0.85 + 0.3 * share(h + 8 + (uint64_t)(8 * (int64_t)r->rank / r->nranks));
    if (share(h + 2) < 0.3 && turns < 64)
        ns *= 1.4;
    return ns;
}

static double uneven_segment_ns(const struct rank *r, const struct cs_segment *s)
{
    double ns = 0, most = 0;
    for (int i = 0; i < s->nsums; i++) {
        double turns = (double)s->sum[i].sum / (double)s->times;
        ns += uneven_loop_ns(r, cs_trace_counter(r->in, r->rank, (int)s->sum[i].counter), turns);
        most = fmax(most, turns);
    }
    ns *= 1 + (0.02 + 0.08 * share(r->law + 105)) * log2(1 + 8 * most / (16 << 10));
    ns += 200 + 40 * cbrt(r->nranks) + 2 * pow(log2(r->nranks), 2);
    return r->factor * ns;
}

/* By what factor that time is dearer. */
static double uneven_time(struct rank *r, struct way *w)
{
    double first = w->first;
    w->first = 1;
    return first * (share(++r->noise) < 0.005 ? 2 : 1);
}

/* ---- from trace to trace ---- */

static int by_way(const void *a, const void *b)
{
    const struct way *x = a, *y = b;
    return x->from != y->from ? (x->from > y->from) - (x->from < y->from) : (x->to > y->to) - (x->to < y->to);
}

static void price_ways(struct rank *r)
{
    int n = cs_trace_nsegments(r->in, r->rank);
    if (n == 0 || !(r->way = calloc((size_t)n, sizeof *r->way)))
        die("no counters, or no memory", "input");
    for (int i = 0; i < n; i++) {
        const struct cs_segment *s = cs_trace_segment(r->in, r->rank, i);
        if (s->times <= 0)
            continue;
        double ns = r->uneven ? uneven_segment_ns(r, s) : segment_ns(r, s);
        r->way[r->nways++] = (struct way){.from = s->from,
                                          .to = s->to,
                                          .segment = i,
                                          .price = ns * noise(&r->noise, SEGMENT_NOISE),
                                          .first = 1.2 + 0.8 * share(r->law + 106)};
    }
    qsort(r->way, (size_t)r->nways, sizeof *r->way, by_way);
}

/* All tables in their order, so that each index stays what it is. */
static void copy_tables(struct rank *r)
{
    const struct cs_type_def *t;
    const struct cs_comm_def *c;
    const struct cs_site *s;
    const char *op;
    int bad = 0;
    for (int i = 0; (t = cs_trace_type(r->in, r->rank, i)); i++)
        bad |= cs_trace_def_type(r->w, t->signature, t->size, t->extent, t->pieces) != i;
    for (int i = 0; (c = cs_trace_comm(r->in, r->rank, i)); i++)
        bad |= cs_trace_def_comm(r->w, c->path, c->nranks, c->world_ranks) != i;
    for (int i = 0; (op = cs_trace_op(r->in, r->rank, i)); i++)
        bad |= cs_trace_def_op(r->w, op) != i;
    for (int i = 0; (s = cs_trace_site(r->in, r->rank, i)); i++)
        bad |= cs_trace_def_site(r->w, s->file, s->line, s->func) != i;
    for (int i = 0; i < cs_trace_ncounters(r->in, r->rank); i++)
        bad |= cs_trace_def_counter(r->w, cs_trace_counter(r->in, r->rank, i)) != i;
    if (bad)
        die("its tables cannot be copied", "input");
}

static int64_t take(struct rank *r, int from, int to)
{
    struct way key = {.from = from, .to = to};
    struct way *w = bsearch(&key, r->way, (size_t)r->nways, sizeof key, by_way);
    if (!w)
        return 0;
    double dearer = r->uneven ? uneven_time(r, w) : 1;
    int64_t ns = llround(w->price * dearer * noise(&r->noise, TIME_NOISE));
    w->ns += ns;
    return ns;
}

static void copy_events(struct rank *r)
{
    struct cs_trace_iter *it = cs_trace_iter_open(r->in, r->rank);
    struct cs_event e;
    int64_t clock = 0;
    int rc = -1;
    for (int from = -1; it && (rc = cs_trace_iter_next(it, &e)) == 1; from = e.site) {
        int64_t ns = take(r, from, e.site);
        clock += clock ? ns : 0; /* a rank's clock begins at MPI_Init */
        r->computed += from >= 0 && clock ? ns : 0;
        e.t_enter = clock;
        e.t_exit = clock += CALL_NS;
        e.t_delay = 0;
        if (cs_trace_event(r->w, &e))
            die("cannot be written", "output");
    }
    if (rc)
        die("cannot be read", "input");
    cs_trace_iter_free(it);
}

static void copy_segments(struct rank *r)
{
    for (int i = 0; i < r->nways; i++) {
        struct cs_segment s = *cs_trace_segment(r->in, r->rank, r->way[i].segment);
        s.ns = r->way[i].ns;
        if (cs_trace_def_segment(r->w, &s))
            die("cannot be written", "output");
    }
}

static void copy_rank(struct rank *r)
{
    copy_tables(r);
    price_ways(r);
    copy_events(r);
    copy_segments(r);
    if (cs_trace_close(r->w))
        die("cannot be written", "output");
    free(r->way);
}

/* The law of a rank: of a list the first one whose ranks it is among, the last one for all others. */
static void read_law(struct rank *r, const char *text)
{
    for (int last = 0; text;) {
        char *end;
        r->law = strtoull(text, &end, 10);
        r->power = *end == 'p';
        r->memory = *end == 'c';
        r->uneven = *end == 'u';
        end += r->power || r->memory || r->uneven;
        r->factor = *end == 'x' ? strtod(end + 1, &end) : 1;
        last += *end == '@' ? (int)strtol(end + 1, &end, 10) : 0;
        if ((*end && *end != ',') || !(r->factor > 0))
            die("no law, as 1, 1p, 1c, 1u, 1x2.5 or 1x2.5@4,1@4", text);
        text = *end && r->rank >= last ? end + 1 : NULL;
    }
}

int main(int argc, char **argv)
{
    char why[512];
    if (argc != 5 && argc != 6)
        die("LAW SEED IN.trace OUT.trace [SECONDS]", "usage");
    struct cs_trace *in = cs_trace_open(argv[3], why, sizeof why);
    FILE *seconds = argc > 5 ? fopen(argv[5], "w") : NULL;
    if (!in)
        die(why, argv[3]);
    struct cs_run_info info = *cs_trace_info(in);
    info.with_times = true;
    remove(argv[4]);
    struct cs_trace_group *g = cs_trace_group_new(argv[4], info.nranks);
    for (int i = 0; i < info.nranks; i++) {
        struct rank r = {.in = in, .rank = i, .nranks = info.nranks, .w = g ? cs_trace_create_in(g, i, &info) : NULL};
        if (!r.w)
            die("cannot be written", argv[4]);
        read_law(&r, argv[1]);
        r.noise = mix(strtoull(argv[2], NULL, 10) * 65537 + (uint64_t)info.nranks) + (uint64_t)i * 0x100000000u;
        copy_rank(&r);
        if (seconds)
            fprintf(seconds, "%d %.9f\n", i, (double)r.computed * 1e-9);
    }
    if (cs_trace_group_save(g))
        die("cannot be written", argv[4]);
    if (argc > 5 && (!seconds || fclose(seconds)))
        die("cannot be written", argv[5]);
    cs_trace_group_free(g);
    cs_trace_free(in);
    return 0;
}
