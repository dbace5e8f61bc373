/* SPDX-License-Identifier: BSD-3-Clause
 * What a report sums up of the folded form, against sums over all events of the trace, on random SPMD programs with
 * loops, branches by rank, tables of peers and persistent requests; that phases lose nothing; and patterns of whose
 * name there is no doubt. */
#define _GNU_SOURCE 1
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../../api/mpi_calls.h"
#include "trace/merge/merge.h"
#include "trace/analyse/args.h"
#include "trace/analyse/traffic_pattern.h"
#include "trace/analyse/phases.h"
#include "trace/analyse/profile.h"
#include "suite.h"

#define RANKS 12
#define MAX_INITS 64

static uint64_t state;

/* splitmix64 */
static int below(int n)
{
    uint64_t z = state += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return (int)((z ^ z >> 31) % (uint64_t)n);
}

/* ---- random programs: the same seed gives every rank the same program; what it does depends on the rank ---- */

struct rank {
    struct cs_trace_writer *w;
    int me, n, world, row, type[2], op, inits, turn;
};

static void event(struct rank *r, const char *call, const int64_t *fields, int n)
{
    struct cs_event e = {.call = cs_mpi_index(cs_mpi_find(call)),
                         .site = cs_trace_def_site(r->w, "app.c", 10 + n, "main"),
                         .mark = CS_MARK_CONTENT,
                         .nfields = n,
                         .fields = fields};
    ck_assert_int_eq(cs_trace_event(r->w, &e), 0);
}

#define EVENT(r, call, ...) \
    event(r, call, (const int64_t[]){__VA_ARGS__}, (int)(sizeof((const int64_t[]){__VA_ARGS__}) / sizeof(int64_t)))

static int64_t peer(const struct rank *r, int kind, int by)
{
    int x = r->me + by;
    return kind == 0   ? x % r->n
           : kind == 1 ? (x < r->n ? x : CS_PROC_NULL)
           : kind == 2 ? (r->me * 7 + by) % r->n
                       : by % r->n;
}

static void call(struct rank *r, int kind, int a, int b, int c)
{
    switch (kind) {
    case 0: EVENT(r, "MPI_Send", a + r->turn % (2 + (c & 1)), r->type[c & 1], peer(r, b, c), 1, r->world); break;
    case 1: EVENT(r, "MPI_Isend", a + (r->me == 3), r->type[0], peer(r, b, c), 2, r->world); break;
    case 2: EVENT(r, "MPI_Recv", a, r->type[0], CS_ANY, 1, r->world); break;
    case 3: EVENT(r, "MPI_Bcast", a, r->type[1], c % r->n, r->world); break;
    case 4: EVENT(r, "MPI_Allreduce", a, r->type[0], r->op, r->row); break;
    case 5: EVENT(r, "MPI_Alltoall", a, r->type[0], a, r->type[0], r->row); break;
    case 6: EVENT(r, "MPI_Barrier", r->world); break;
    case 7:
        if (r->inits < MAX_INITS) {
            EVENT(r, "MPI_Send_init", a, r->type[0], peer(r, b, c), 3, r->world);
            r->inits++;
        }
        break;
    case 8:
        if (r->inits)
            EVENT(r, "MPI_Start", -1 - c % r->inits);
        break;
    default:
        if (r->inits > 1)
            EVENT(r, "MPI_Startall", 2, 2, -1, -r->inits);
    }
}

static void block(struct rank *r, int depth)
{
    int n = 1 + below(4);
    for (int i = 0; i < n; i++) {
        int kind = below(13), a = below(3) ? 1 << below(14) : 0, b = below(4), c = below(16), times = 1 + below(5),
            who = below(4);
        if (kind < 10) {
            if (who || r->me % 3 == 0)
                call(r, kind, a, b, c);
            continue;
        }
        uint64_t here = state;
        for (int k = 0; k < times && depth < 3; k++) {
            state = here;
            r->turn++;
            block(r, depth + 1);
        }
    }
}

static void write_program(const char *path, uint64_t seed, int nranks)
{
    struct cs_trace_group *g = cs_trace_group_new(path, nranks);
    int members[RANKS];
    ck_assert_ptr_nonnull(g);
    for (int me = 0; me < nranks; me++) {
        struct cs_run_info info = {.program = "app", .kind = "original", .engine = "test", .nranks = nranks};
        struct rank r = {.w = cs_trace_create_in(g, me, &info), .me = me, .n = nranks};
        r.type[me & 1] = cs_trace_def_type(r.w, me & 1 ? "i1" : "d1", me & 1 ? 4 : 8, 8, 1);
        r.type[!(me & 1)] = cs_trace_def_type(r.w, me & 1 ? "d1" : "i1", me & 1 ? 8 : 4, 8, 1);
        for (int i = 0; i < nranks; i++)
            members[i] = i;
        r.world = cs_trace_def_comm(r.w, "world", nranks, members);
        int from = me / 3 * 3, many = nranks - from < 3 ? nranks - from : 3;
        for (int i = 0; i < many; i++)
            members[i] = from + i;
        r.row = cs_trace_def_comm(r.w, "world/0", many, members);
        r.op = cs_trace_def_op(r.w, "SUM");
        state = seed;
        event(&r, "MPI_Init", NULL, 0);
        block(&r, 0);
        event(&r, "MPI_Finalize", NULL, 0);
        ck_assert_int_eq(cs_trace_close(r.w), 0);
    }
    cs_trace_group_free(g);
}

/* ---- the same sums, event by event ---- */

struct naive {
    struct cs_sums rank[RANKS], all;
    uint64_t messages[RANKS][RANKS], bytes[RANKS][RANKS];
    struct {
        int dest;
        uint64_t bytes;
    } init[MAX_INITS];
    int ninits;
};

static void message(struct naive *s, int rank, int dest, uint64_t bytes)
{
    if (dest < 0)
        return;
    s->messages[rank][dest]++;
    s->bytes[rank][dest] += bytes;
    s->rank[rank].messages++;
    s->rank[rank].bytes += bytes;
}

static void add(struct naive *s, const struct cs_trace *t, int rank, const struct cs_event *e)
{
    struct cs_args a;
    ck_assert(cs_args_get(&a, t, rank, e));
    s->rank[rank].calls++;
    switch (a.call->kind) {
    case CS_MPI_SEND:
    case CS_MPI_ISEND: message(s, rank, cs_args_peer(&a, CS_ROLE_DEST), cs_args_sent(&a)); break;
    case CS_MPI_SEND_INIT:
        s->init[s->ninits].dest = cs_args_peer(&a, CS_ROLE_DEST);
        s->init[s->ninits++].bytes = cs_args_sent(&a);
        break;
    case CS_MPI_START:
        for (int i = e->nfields > 1; i < e->nfields; i++)
            if (e->fields[i] < 0)
                message(s, rank, s->init[-1 - e->fields[i]].dest, s->init[-1 - e->fields[i]].bytes);
        break;
    case CS_MPI_COLL: s->rank[rank].handed += cs_args_contributed(&a); break;
    default: break;
    }
}

static void sum_naively(struct naive *s, const struct cs_trace *t)
{
    *s = (struct naive){.ninits = 0};
    for (int r = 0; r < cs_trace_info(t)->nranks; r++) {
        struct cs_trace_iter *it = cs_trace_iter_open(t, r);
        struct cs_event e;
        s->ninits = 0;
        while (cs_trace_iter_next(it, &e) == 1)
            add(s, t, r, &e);
        cs_trace_iter_free(it);
        cs_sums_add(&s->all, &s->rank[r], 1);
    }
}

/* ---- comparing ---- */

static void same_sums(const struct cs_sums *a, const struct cs_sums *b)
{
    ck_assert_uint_eq(a->calls, b->calls);
    ck_assert_uint_eq(a->messages, b->messages);
    ck_assert_uint_eq(a->bytes, b->bytes);
    ck_assert_uint_eq(a->handed, b->handed);
}

struct pairs {
    const struct naive *s;
    int last, n;
};

static int same_pair(void *arg, int source, int dest, uint64_t messages, uint64_t bytes)
{
    struct pairs *p = arg;
    ck_assert_int_gt(source * RANKS + dest, p->last);
    p->last = source * RANKS + dest;
    p->n++;
    ck_assert_uint_eq(messages, p->s->messages[source][dest]);
    ck_assert_uint_eq(bytes, p->s->bytes[source][dest]);
    return 0;
}

static int pairs_of(const struct naive *s)
{
    int n = 0;
    for (int i = 0; i < RANKS * RANKS; i++)
        n += s->messages[i / RANKS][i % RANKS] > 0;
    return n;
}

static void check_phases(const struct cs_profile *p, int n)
{
    struct cs_run_phase bin[120], sum = {.bytes = 0};
    double calls = 0;
    ck_assert_int_eq(cs_phases_make(p, false, n, bin), 0);
    for (int i = 0; i < n; i++) {
        double here = 0;
        for (int k = 0; k < CS_DOING_COUNT; k++) {
            ck_assert_double_ge(bin[i].calls[k], -1e-6);
            here += bin[i].calls[k];
        }
        ck_assert_double_eq_tol(here, (double)p->all.calls / n, 1e-6 * (double)p->all.calls);
        calls += here;
        sum.bytes += bin[i].bytes;
        sum.handed += bin[i].handed;
    }
    ck_assert_double_eq_tol(calls, (double)p->all.calls, 1e-6 * (double)p->all.calls);
    ck_assert_double_eq_tol(sum.bytes, (double)p->all.bytes, 1e-6 * (double)p->all.bytes + 1e-6);
    ck_assert_double_eq_tol(sum.handed, (double)p->all.handed, 1e-6 * (double)p->all.handed + 1e-6);
}

static void check_sizes(const struct cs_profile *p)
{
    struct cs_size_sum sizes = {0};
    for (int i = 0; i < CS_SIZE_BUCKETS; i++) {
        sizes.messages += p->size[i].messages;
        sizes.bytes += p->size[i].bytes;
        sizes.handed += p->size[i].handed;
        ck_assert(i == 0 || !p->size[i].messages || cs_size_bucket(p->size[i].bytes / p->size[i].messages) == i);
    }
    ck_assert_uint_eq(sizes.messages, p->all.messages);
    ck_assert_uint_eq(sizes.bytes, p->all.bytes);
    ck_assert_uint_eq(sizes.handed, p->all.handed);
}

static void check_profile(const struct cs_merged *m, const struct naive *s)
{
    struct pairs pairs = {s, -1, 0};
    struct cs_profile *p = cs_profile_make(m, same_pair, &pairs, NULL);
    struct cs_sums nodes = {0};
    ck_assert_ptr_nonnull(p);
    ck_assert_int_eq(pairs.n, pairs_of(s));
    for (int r = 0; r < m->info.nranks; r++)
        same_sums(&p->rank[r].sent, &s->rank[r]);
    same_sums(&p->all, &s->all);
    ck_assert_uint_eq(p->unknown_dest, 0);
    check_sizes(p);
    for (int i = 0; i < m->nrecords; i++)
        cs_sums_add(&nodes, &p->once[i], p->times[i]);
    same_sums(&nodes, &s->all);
    pairs.last = -1;
    ck_assert_int_eq(cs_profile_pairs(p, same_pair, &pairs), 0);
    check_phases(p, 1);
    check_phases(p, 7);
    check_phases(p, 120);
    cs_profile_free(p);
}

START_TEST(random_programs)
{
    char path[] = "/tmp/profile.XXXXXX", why[200];
    int fd = mkstemp(path);
    struct naive *s = malloc(sizeof *s);
    ck_assert(fd >= 0 && s);
    for (uint64_t seed = 1; seed <= 300; seed++) {
        ck_assert_int_eq(truncate(path, 0), 0);
        write_program(path, seed * 0x1234567, 1 + (int)(seed % RANKS));
        struct cs_trace *t = cs_trace_open(path, why, sizeof why);
        ck_assert_msg(t != NULL, "%s", why);
        struct cs_merge_options o = {.symbols_max = seed % 5 ? 0 : 50};
        struct cs_merged *m = cs_merge_trace(t, &o, NULL, why, sizeof why);
        ck_assert_msg(m != NULL, "%s", why);
        sum_naively(s, t);
        check_profile(m, s);
        for (int how = 0; how < 3; how++) {
            ck_assert_msg(cs_merged_fold(m,
                                         (enum cs_merged_fold)(how == 0   ? CS_MERGED_FOLD_PAPER
                                                               : how == 1 ? CS_MERGED_FOLD_BEST
                                                                          : CS_MERGED_FOLD_CALLS),
                                         why, sizeof why) == 0,
                          "%s", why);
            check_profile(m, s);
        }
        cs_merged_free(m);
        cs_trace_free(t);
    }
    free(s);
    close(fd);
    unlink(path);
}
END_TEST

/* ---- patterns ---- */

/* Neighbours on a grid, with or without the way around its ends. */
static void grid(struct cs_traffic_pattern *p, int a, int b, int c, bool wrap)
{
    const int dims[] = {a, b, c};
    for (int rank = 0; rank < a * b * c; rank++) {
        const int at[] = {rank / (b * c), rank / c % b, rank % c};
        int dest[6], n = 0;
        for (int i = 0; i < 6; i++) {
            int to[] = {at[0], at[1], at[2]}, x = to[i / 2] + (i & 1 ? 1 : -1);
            bool over = x < 0 || x >= dims[i / 2];
            to[i / 2] = (x + dims[i / 2]) % dims[i / 2];
            if (!over || (wrap && dims[i / 2] > 2))
                dest[n++] = (to[0] * b + to[1]) * c + to[2];
        }
        for (int i = 0; i < n; i++)
            cs_traffic_pattern_pair(p, rank, dest[i], 1, 8);
    }
}

static void check_grid(int a, int b, int c, bool wrap, const char *name)
{
    char words[160];
    struct cs_traffic_pattern *p = cs_traffic_pattern_new(a * b * c);
    ck_assert_ptr_nonnull(p);
    grid(p, a, b, c, wrap);
    const struct cs_traffic_fit *f = cs_traffic_pattern_best(p);
    ck_assert_ptr_nonnull(f);
    ck_assert_str_eq(cs_traffic_pattern_words(f, words, sizeof words), name);
    ck_assert_uint_eq(f->pairs, p->pairs);
    cs_traffic_pattern_free(p);
}

START_TEST(grids)
{
    check_grid(1, 1, 9, false, "nearest neighbours in a line");
    check_grid(1, 1, 9, true, "nearest neighbours on a ring");
    check_grid(1, 5, 7, false, "nearest neighbours on a 2-D grid 5 x 7");
    check_grid(1, 16, 32, true, "nearest neighbours on a 2-D grid 16 x 32, around its ends");
    check_grid(4, 5, 6, false, "nearest neighbours on a 3-D grid 4 x 5 x 6");
    check_grid(8, 8, 8, true, "nearest neighbours on a 3-D grid 8 x 8 x 8, around its ends");
    check_grid(16, 32, 32, false, "nearest neighbours on a 3-D grid 16 x 32 x 32");
}
END_TEST

/* Where no rule holds for all pairs, each has counted those that obey it, whenever it failed first. */
START_TEST(counts_of_rules)
{
    enum { SIDES = 360, MOST_PAIRS = 8 * SIDES };
    static struct {
        int source, dest;
        uint64_t bytes;
    } pair[MOST_PAIRS];
    int n = 0, wrong_from = 40 * _i;
    struct cs_traffic_pattern *p = cs_traffic_pattern_new(SIDES);
    state = (uint64_t)_i;
    for (int r = 0; r < SIDES; r++)
        for (int k = 0; k < 5; k++) {
            int by = k < 4            ? (int[]){1, 20, SIDES - 1, SIDES - 20}[k]
                     : r < wrong_from ? 0
                                      : (int)(1 + below(SIDES - 1));
            if (by == 0)
                continue;
            pair[n].source = r;
            pair[n].dest = (r + by) % SIDES;
            pair[n].bytes = (uint64_t)(8 + below(2));
            cs_traffic_pattern_pair(p, r, pair[n].dest, 1, pair[n].bytes);
            n++;
        }
    cs_traffic_pattern_best(p);
    for (size_t i = 0; i < p->nfits; i++) {
        uint64_t pairs = 0, bytes = 0;
        for (int k = 0; k < n; k++)
            if (cs_traffic_pattern_fits(&p->fit[i], SIDES, pair[k].source, pair[k].dest)) {
                pairs++;
                bytes += pair[k].bytes;
            }
        ck_assert_uint_eq(p->fit[i].pairs, pairs);
        ck_assert_uint_eq(p->fit[i].bytes, bytes);
    }
    cs_traffic_pattern_free(p);
}
END_TEST

/* What obeys no rule is explained in part at the most; no messages have no pattern. */
START_TEST(no_pattern)
{
    struct cs_traffic_pattern *p = cs_traffic_pattern_new(1000);
    ck_assert_ptr_null(cs_traffic_pattern_best(p));
    state = 1;
    for (int r = 0; r < 1000; r++)
        for (int k = 0; k < 20; k++)
            cs_traffic_pattern_pair(p, r, (r + 1 + below(999)) % 1000, 1, 8);
    const struct cs_traffic_fit *f = cs_traffic_pattern_best(p);
    ck_assert(f == NULL || f->bytes < p->bytes / 10);
    cs_traffic_pattern_free(p);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("profile");
    TCase *c = tcase_create("profile");
    tcase_add_test(c, random_programs);
    tcase_add_test(c, grids);
    tcase_add_loop_test(c, counts_of_rules, 0, 9);
    tcase_add_test(c, no_pattern);
    tcase_set_timeout(c, 120);
    suite_add_tcase(s, c);
    return suite_main(s);
}
