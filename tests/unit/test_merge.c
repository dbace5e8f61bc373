/* SPDX-License-Identifier: BSD-3-Clause
 * Merging, folding, the file form, expanding and replaying, on random SPMD programs with rank-dependent branches, and
 * on programs whose classes, rules and lengths are known. Whatever is done to a trace, expanding must give it back. */
#define _GNU_SOURCE 1
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../../api/mpi_calls.h"
#include "trace/read/trace_diff.h"
#include "trace/format/fields.h"
#include "trace/merge/merge.h"
#include "trace/nest/nest.h"

static uint64_t state;

/* splitmix64 */
static int below(int n)
{
    uint64_t z = state += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return (int)((z ^ z >> 31) % (uint64_t)n);
}

/* ---- a rank that writes its trace ---- */

struct rank {
    struct cs_trace_writer *w;
    int me, size, world, self, row, type[3], op, created;
    int cols; /* row: a communicator of that many ranks */
};

static void event(struct rank *r, const char *call, int line, const int64_t *fields, int n)
{
    struct cs_event e = {.call = cs_mpi_index(cs_mpi_find(call)),
                         .site = line ? cs_trace_def_site(r->w, "app.c", line, "main") : -1,
                         .mark = CS_MARK_CONTENT,
                         .nfields = n,
                         .fields = fields};
    ck_assert_int_eq(cs_trace_event(r->w, &e), 0);
}

#define EVENT(r, call, line, ...) \
    event(r, call, line, (const int64_t[]){__VA_ARGS__}, \
          (int)(sizeof((const int64_t[]){__VA_ARGS__}) / sizeof(int64_t)))

static void start_rank(struct rank *r, struct cs_trace_group *g, int me, int size, int cols)
{
    struct cs_run_info info = {.program = "app", .kind = "original", .engine = "test", .nranks = size};
    static const char *const signature[] = {"d1", "i1", "d3i1"};
    static const int bytes[] = {8, 4, 28};
    int members[4096];
    *r = (struct rank){.w = cs_trace_create_in(g, me, &info), .me = me, .size = size, .cols = cols};
    ck_assert_ptr_nonnull(r->w);
    for (int i = 0; i < 3; i++) /* in another order on each rank: numbers must not matter */
        r->type[(i + me) % 3] =
            cs_trace_def_type(r->w, signature[(i + me) % 3], bytes[(i + me) % 3], bytes[(i + me) % 3], 1);
    for (int i = 0; i < size; i++)
        members[i] = i;
    r->world = cs_trace_def_comm(r->w, "world", size, members);
    r->self = cs_trace_def_comm(r->w, "self", 1, &me);
    for (int i = 0; i < cols; i++)
        members[i] = me / cols * cols + i;
    r->row = cs_trace_def_comm(r->w, "world/0", cols, members);
    r->op = cs_trace_def_op(r->w, "SUM");
    event(r, "MPI_Init", 1, NULL, 0);
}

static void send(struct rank *r, int line, int64_t count, int type, int64_t dest, int64_t tag, int comm)
{
    EVENT(r, "MPI_Send", line, count, r->type[type], dest, tag, comm);
}

static void recv(struct rank *r, int line, int64_t count, int type, int64_t source, int64_t tag, int comm)
{
    EVENT(r, "MPI_Recv", line, count, r->type[type], source, tag, comm);
}

static void irecv(struct rank *r, int line, int64_t count, int64_t source, int64_t tag)
{
    EVENT(r, "MPI_Irecv", line, count, r->type[0], source, tag, r->world);
    r->created++;
}

static void shift(struct rank *r, int line, int64_t count, int k)
{
    irecv(r, line, count, (r->me - k % r->size + r->size) % r->size, k);
    send(r, line + 1, count, 0, (r->me + k) % r->size, k, r->world);
    EVENT(r, "MPI_Wait", line + 2, 1);
}

/* Neighbours on a grid that does not close; all receives, all sends, one Waitall. */
static void halo(struct rank *r, int line, int64_t count)
{
    int x = r->me % r->cols, y = r->me / r->cols, rows = r->size / r->cols, n = 0;
    int peer[4] = {x > 0 ? r->me - 1 : -1, x < r->cols - 1 ? r->me + 1 : -1, y > 0 ? r->me - r->cols : -1,
                   y < rows - 1 ? r->me + r->cols : -1};
    int64_t wait[6];
    for (int i = 0; i < 4; i++)
        if (peer[i] >= 0) {
            irecv(r, line + i, count, peer[i], i ^ 1);
            n++;
        }
    for (int i = 0; i < 4; i++)
        if (peer[i] >= 0)
            send(r, line + 4 + i, count, 0, peer[i], i, r->world);
    wait[0] = wait[1] = n;
    for (int i = 0; i < n; i++)
        wait[2 + i] = n - i;
    event(r, "MPI_Waitall", line + 8, wait, n + 2);
}

/* ---- random programs ---- */

enum stmt_kind { SHIFT, PAIRS, REDUCE, BCAST, ROW, SELF, HALO, BUTTERFLY, ALLTOALLV, SENDRECV, IF_RANK, LOOP, KINDS };

struct stmt {
    enum stmt_kind kind;
    int a, b, line;
    struct stmt *body[4];
    int n;
};

static struct stmt *random_stmt(int depth, bool local)
{
    static int line = 10;
    struct stmt *s = calloc(1, sizeof *s);
    do
        s->kind = (enum stmt_kind)below(KINDS);
    while ((depth == 0 && s->kind >= IF_RANK) || (local && s->kind != SELF && s->kind != LOOP && s->kind != IF_RANK));
    s->a = 1 + below(5);
    s->b = below(4);
    s->line = line += 20;
    if (s->kind == LOOP || s->kind == IF_RANK)
        for (int n = 1 + below(3); s->n < n; s->n++)
            s->body[s->n] = random_stmt(depth - 1, local || s->kind == IF_RANK || (s->kind == LOOP && s->b == 3));
    return s;
}

static void free_stmt(struct stmt *s)
{
    for (int i = 0; i < s->n; i++)
        free_stmt(s->body[i]);
    free(s);
}

static void perform(struct rank *r, const struct stmt *s, int64_t iteration);

static void perform_loop(struct rank *r, const struct stmt *s)
{
    int64_t count = s->b == 3 ? s->a + r->me % 3 : s->a * (s->b + 1); /* 3: local, so ranks may differ */
    for (int64_t i = 0; i < count; i++)
        for (int k = 0; k < s->n; k++)
            perform(r, s->body[k], i);
}

static void butterfly(struct rank *r, const struct stmt *s)
{
    for (int bit = 1; bit < r->size; bit *= 2) {
        int peer = (r->me ^ bit) < r->size ? r->me ^ bit : CS_PROC_NULL;
        EVENT(r, "MPI_Sendrecv", s->line, s->a, r->type[1], peer, bit, s->a, r->type[1], peer, bit, r->world);
    }
}

static void alltoallv(struct rank *r, const struct stmt *s)
{
    int64_t f[256];
    int n = 0;
    for (int side = 0; side < 2; side++) {
        f[n++] = r->size;
        for (int i = 0; i < r->size; i++)
            f[n++] = s->a + (s->b ? r->me * i % s->b : 0);
        f[n++] = r->type[2];
    }
    f[n++] = r->world;
    event(r, "MPI_Alltoallv", s->line, f, n);
}

static void perform(struct rank *r, const struct stmt *s, int64_t iteration)
{
    int64_t count = s->b == 0 ? s->a : s->b == 1 ? s->a + iteration : s->b == 2 ? s->a + iteration % 2 : 100 * s->a;
    int other = r->me ^ 1;
    switch (s->kind) {
    case SHIFT: shift(r, s->line, count, s->a); break;
    case PAIRS:
        if (other >= r->size)
            break;
        if (r->me % 2 == 0)
            send(r, s->line, count, 0, other, 3, r->world);
        recv(r, s->line + 1, count, 0, other, 3, r->world);
        if (r->me % 2)
            send(r, s->line + 2, count, 0, other, 3, r->world);
        break;
    case REDUCE:
        EVENT(r, "MPI_Allreduce", s->line + (s->b == 3 && r->me == 0), count, r->type[0], r->op, r->world);
        break;
    case BCAST: EVENT(r, "MPI_Bcast", s->line, count, r->type[1], s->a % r->size, r->world); break;
    case ROW: EVENT(r, "MPI_Reduce", s->line, count, r->type[0], r->op, s->a % r->cols, r->row); break;
    case SELF: EVENT(r, "MPI_Sendrecv", s->line, count, r->type[0], 0, 1, count, r->type[0], 0, 1, r->self); break;
    case HALO: halo(r, s->line, count); break;
    case BUTTERFLY: butterfly(r, s); break;
    case ALLTOALLV: alltoallv(r, s); break;
    case SENDRECV:
        EVENT(r, "MPI_Sendrecv", s->line, s->a + r->me, r->type[0], (r->me + 1) % r->size, 77, 1 << 20, r->type[0],
              s->b ? CS_ANY : (r->me + r->size - 1) % r->size, 77, r->world);
        break;
    case IF_RANK:
        for (int k = 0; r->me % (s->b + 2) == s->a % (s->b + 2) && k < s->n; k++)
            perform(r, s->body[k], iteration);
        break;
    case LOOP: perform_loop(r, s); break;
    case KINDS: break;
    }
}

/* ---- there and back ---- */

static char *path_of(const char *what)
{
    char *p;
    ck_assert_int_gt(asprintf(&p, "test_merge.%ld.%s", (long)getpid(), what), 0);
    return p;
}

typedef void program_fn(struct rank *r, const void *arg);

static void write_trace(const char *path, int size, int cols, program_fn *program, const void *arg)
{
    unlink(path);
    struct cs_trace_group *g = cs_trace_group_new(path, size);
    ck_assert_ptr_nonnull(g);
    for (int me = 0; me < size; me++) {
        struct rank r;
        start_rank(&r, g, me, size, cols);
        program(&r, arg);
        event(&r, "MPI_Finalize", 9, NULL, 0);
        ck_assert_int_eq(cs_trace_close(r.w), 0);
    }
    cs_trace_group_free(g);
}

static struct cs_trace *open_trace(const char *path)
{
    char why[200];
    struct cs_trace *t = cs_trace_open(path, why, sizeof why);
    ck_assert_msg(t != NULL, "%s", why);
    return t;
}

static struct cs_merged *merge(const char *path, const struct cs_merge_options *o)
{
    char why[200] = "";
    struct cs_trace *t = open_trace(path);
    struct cs_merged *m = cs_merge_trace(t, o, NULL, why, sizeof why);
    ck_assert_msg(m != NULL, "%s", why);
    cs_trace_free(t);
    return m;
}

static void fold(struct cs_merged *m, enum cs_merged_fold how)
{
    char why[200];
    ck_assert_int_eq(cs_merged_fold(m, how, why, sizeof why), 0);
}

/* Through the file, and back to a trace that must be the first one. Returns what was read. */
static struct cs_merged *there_and_back(struct cs_merged *m, const char *original)
{
    char why[200] = "", *file = path_of("merged"), *back = path_of("back");
    ck_assert_int_eq(cs_merged_write(m, file, why, sizeof why), 0);
    ck_assert(cs_merged_is(file) && !cs_merged_is(original));
    cs_merged_free(m);
    m = cs_merged_open(file, why, sizeof why);
    ck_assert_msg(m != NULL, "%s", why);
    unlink(back);
    ck_assert_int_eq(cs_merged_expand(m, back, NULL, why, sizeof why), 0);
    struct cs_trace *a = open_trace(original), *b = open_trace(back);
    for (int r = 0; r < m->info.nranks; r++) {
        struct cs_diff d = cs_diff_rank(a, b, r, &(struct cs_diff_rules){0});
        ck_assert_msg(d.kind == CS_DIFF_SAME, "seed state %llu, rank %d, event %lld: %s", (unsigned long long)state, r,
                      (long long)d.index, d.what ? d.what : "");
    }
    cs_trace_free(a);
    cs_trace_free(b);
    unlink(file);
    unlink(back);
    free(file);
    free(back);
    return m;
}

static void run_random(struct rank *r, const void *arg)
{
    const struct stmt *s = arg;
    for (int i = 0; i < s->n; i++)
        perform(r, s->body[i], 0);
}

static void try_program(const struct stmt *s, int size, int cols)
{
    static const struct cs_merge_options options[] = {{0},
                                                      {.lookahead = 2},
                                                      {.symbols_max = 40},
                                                      {.order = CS_ORDER_POST_FIRST},
                                                      {.order = CS_ORDER_SEND_FIRST},
                                                      {.order = CS_ORDER_RECEIVE_FIRST},
                                                      {.order = CS_ORDER_PAPER}};
    char why[200] = "", *path = path_of("trace");
    write_trace(path, size, cols, run_random, s);
    for (size_t i = 0; i < sizeof options / sizeof *options; i++) {
        struct cs_merged *m = there_and_back(merge(path, &options[i]), path);
        int rc = cs_merged_replay(m, false, 0, 0, why, sizeof why);
        ck_assert_msg(rc == 1, "order %d: %s", options[i].order, why);
        int64_t longest = cs_nest_symbols(m->node, m->nnodes);
        for (int how = CS_MERGED_FOLD_BEST; how <= CS_MERGED_FOLD_PAPER; how++) {
            cs_merged_free(m);
            m = merge(path, &options[i]);
            fold(m, (enum cs_merged_fold)how);
            ck_assert_int_le(cs_nest_symbols(m->node, m->nnodes), longest);
            m = there_and_back(m, path);
            ck_assert_msg(cs_merged_replay(m, false, 0, 0, why, sizeof why) == 1, "%s", why);
            fold(m, CS_MERGED_FOLD_BEST); /* what is folded may be folded again */
            m = there_and_back(m, path);
        }
        cs_merged_free(m);
    }
    unlink(path);
    free(path);
}

START_TEST(random_programs)
{
    state = (uint64_t)_i;
    struct stmt s = {.kind = LOOP, .n = 4};
    int cols = 1 + below(4), size = cols * (1 + below(5));
    for (int i = 0; i < s.n; i++)
        s.body[i] = random_stmt(3, false);
    try_program(&s, size, cols);
    for (int i = 0; i < s.n; i++)
        free_stmt(s.body[i]);
}
END_TEST

/* ---- known programs ---- */

static struct cs_merged *of_program(int size, int cols, program_fn *program, enum cs_call_order order)
{
    struct cs_merge_options o = {.order = order};
    char *path = path_of("trace");
    write_trace(path, size, cols, program, NULL);
    struct cs_merged *m = merge(path, &o);
    fold(m, CS_MERGED_FOLD_BEST);
    m = there_and_back(m, path);
    unlink(path);
    free(path);
    return m;
}

static const struct cs_merged_value *peer_of(const struct cs_merged *m, const char *call)
{
    for (int i = 0; i < m->nrecords; i++)
        if (strcmp(cs_mpi_call(m->record[i].call)->name, call) == 0)
            return &m->record[i].field[2];
    ck_abort_msg("no %s", call);
    return NULL;
}

static void ring(struct rank *r, const void *arg)
{
    (void)arg;
    for (int i = 0; i < 100; i++)
        shift(r, 10, 5, 1);
}

START_TEST(a_ring_is_one_class)
{
    struct cs_merged *m = of_program(300, 1, ring, CS_ORDER_ORIGINAL);
    ck_assert_int_eq(m->nclasses, 1);
    ck_assert_int_eq(cs_nest_symbols(m->node, m->nnodes), 5);
    ck_assert_int_eq(peer_of(m, "MPI_Send")->rule, CS_RULE_RELATIVE);
    ck_assert_int_eq(peer_of(m, "MPI_Send")->a, 1);
    ck_assert_int_eq(peer_of(m, "MPI_Irecv")->a, -1);
    cs_merged_free(m);
}
END_TEST

static void halos(struct rank *r, const void *arg)
{
    (void)arg;
    for (int i = 0; i < 50; i++)
        halo(r, 10, 7);
}

START_TEST(a_halo_has_nine_classes)
{
    struct cs_merged *m = of_program(20 * 30, 30, halos, CS_ORDER_ORIGINAL);
    ck_assert_int_eq(m->nclasses, 9);
    ck_assert_int_eq(cs_nest_symbols(m->node, m->nnodes), 11);
    cs_merged_free(m);
}
END_TEST

static void butterflies(struct rank *r, const void *arg)
{
    const struct stmt s = {.kind = BUTTERFLY, .a = 3, .line = 10};
    (void)arg;
    for (int i = 0; i < 20; i++)
        butterfly(r, &s);
}

/* A solver that is called with one step and then with fifty, and says its error only the second time. */
static void solve(struct rank *r, int steps)
{
    EVENT(r, "MPI_Barrier", 10, r->world);
    EVENT(r, "MPI_Bcast", 11, 7, r->type[0], 0, r->world);
    for (int i = 0; i < steps; i++) {
        shift(r, 20, 100, 1);
        EVENT(r, "MPI_Allreduce", 30, 1, r->type[1], r->op, r->world);
    }
    if (steps > 1)
        EVENT(r, "MPI_Allreduce", 31, 5, r->type[0], r->op, r->world);
    EVENT(r, "MPI_Bcast", 12, 1, r->type[1], 0, r->world);
}

static void two_solves(struct rank *r, const void *arg)
{
    (void)arg;
    solve(r, 1);
    solve(r, 50);
}

/* By records the calls are one body, in which a loop runs once and fifty times, and a symbol never and once. */
START_TEST(a_solver_called_twice_is_one_body)
{
    char *path = path_of("trace");
    write_trace(path, 6, 1, two_solves, NULL);
    struct cs_merged *m = merge(path, &(struct cs_merge_options){0});
    fold(m, CS_MERGED_FOLD_RECORDS);
    m = there_and_back(m, path);
    ck_assert(cs_merged_has_counts(m));
    ck_assert(!cs_merged_is_plain(m));
    ck_assert_int_eq(cs_nest_symbols(m->node, m->nnodes), 1 + 2 + 4 + 1 + 1 + 1);
    int64_t loops[2] = {0};
    for (int64_t i = 0; i < m->nnodes; i++)
        if (m->node[i].count && m->node[i].ncycle) {
            ck_assert_int_eq(m->node[i].ncycle, 2);
            loops[m->node[i].count == 50] += 1000 * m->cycle[m->node[i].cycle] + m->cycle[m->node[i].cycle + 1];
        }
    ck_assert_int_eq(loops[0], 1);    /* 0, 1 */
    ck_assert_int_eq(loops[1], 1050); /* 1, 50 */
    fold(m, CS_MERGED_FOLD_BEST);
    ck_assert(!cs_merged_has_counts(m));
    m = there_and_back(m, path);
    cs_merged_free(m);
    unlink(path);
    free(path);
}
END_TEST

/* Stages differ by peer and tag: a loop in a loop, with a cycle of five. */
START_TEST(a_butterfly_folds_by_its_rule)
{
    struct cs_merged *m = of_program(32, 1, butterflies, CS_ORDER_ORIGINAL);
    int cycle = 0;
    ck_assert_int_eq(m->nclasses, 1);
    ck_assert_int_eq(cs_nest_symbols(m->node, m->nnodes), 3);
    ck_assert_int_eq(peer_of(m, "MPI_Sendrecv")->rule, CS_RULE_XOR);
    for (int64_t i = 0; i < m->nnodes; i++)
        cycle = m->node[i].ncycle > cycle ? m->node[i].ncycle : cycle;
    ck_assert_int_eq(cycle, 5);
    cs_merged_free(m);
}
END_TEST

static void grid(struct rank *r, const void *arg)
{
    int n = r->cols, x = r->me % n, y = r->me / n;
    (void)arg;
    send(r, 10, 1, 0, x * n + y, 0, r->world); /* transposed */
    recv(r, 11, 1, 0, x * n + y, 0, r->world);
    EVENT(r, "MPI_Isend", 12, 1, r->type[0], y * n + (x + 1) % n, 0, r->world); /* around in the row */
}

START_TEST(rules_on_a_grid)
{
    struct cs_merged *m = of_program(49, 7, grid, CS_ORDER_ORIGINAL);
    ck_assert_int_eq(m->nclasses, 1);
    ck_assert_int_eq(peer_of(m, "MPI_Send")->rule, CS_RULE_DIGITS);
    ck_assert_int_eq(peer_of(m, "MPI_Isend")->rule, CS_RULE_TORUS);
    cs_merged_free(m);
}
END_TEST

/* ---- what can wait for ever ---- */

static void both_send_first(struct rank *r, const void *arg)
{
    (void)arg;
    send(r, 10, 1, 0, r->me ^ 1, 0, r->world);
    recv(r, 11, 1, 0, r->me ^ 1, 0, r->world);
}

static void both_receive_first(struct rank *r, const void *arg)
{
    (void)arg;
    recv(r, 11, 1, 0, r->me ^ 1, 0, r->world);
    send(r, 10, 1, 0, r->me ^ 1, 0, r->world);
}

static void reduce_apart(struct rank *r, const void *arg)
{
    (void)arg;
    if (r->me != 2)
        EVENT(r, "MPI_Barrier", 10, r->world);
}

static void wrong_tag(struct rank *r, const void *arg)
{
    (void)arg;
    irecv(r, 10, 1, r->me ^ 1, 4);
    send(r, 11, 1, 0, r->me ^ 1, 5, r->world);
    EVENT(r, "MPI_Wait", 12, 1);
}

static void cancelled(struct rank *r, const void *arg)
{
    (void)arg;
    irecv(r, 10, 1, r->me ^ 1, 4);
    EVENT(r, "MPI_Cancel", 11, 1);
    EVENT(r, "MPI_Wait", 12, 1);
}

static int replay(program_fn *program, bool buffered)
{
    char why[200] = "";
    struct cs_merged *m = of_program(4, 2, program, CS_ORDER_ORIGINAL);
    int rc = cs_merged_replay(m, buffered, 0, 0, why, sizeof why);
    ck_assert(rc == 1 || strstr(why, "wait for ever"));
    cs_merged_free(m);
    return rc;
}

START_TEST(replay_finds_what_blocks)
{
    char why[200] = "";
    ck_assert_int_eq(replay(both_send_first, true), 1);
    ck_assert_int_eq(replay(both_send_first, false), 0);
    ck_assert_int_eq(replay(both_receive_first, true), 0);
    ck_assert_int_eq(replay(reduce_apart, true), 0);
    ck_assert_int_eq(replay(wrong_tag, true), 0);
    ck_assert_int_eq(replay(cancelled, false), 1);
    ck_assert_int_eq(replay(ring, false), 1);
    struct cs_merged *m = of_program(4, 2, ring, CS_ORDER_ORIGINAL);
    ck_assert_int_eq(cs_merged_replay(m, false, 0, 100, why, sizeof why), -1);
    ck_assert_int_eq(cs_merged_replay(m, false, 5, 100, why, sizeof why), 1);
    cs_merged_free(m);
}
END_TEST

/* ---- orders ---- */

static void pairs(struct rank *r, const void *arg)
{
    const struct stmt s = {.kind = PAIRS, .a = 4, .line = 10};
    (void)arg;
    for (int i = 0; i < 10; i++)
        perform(r, &s, 0);
}

/* As with an exchange that each rank starts by the side that it computes first. */
static void posts(struct rank *r, const void *arg)
{
    (void)arg;
    for (int i = 0; i < 10; i++) {
        for (int k = 0; k < 2; k++)
            if (k == r->me % 2) {
                irecv(r, 10, 1, r->me ^ 1, 0);
            } else {
                EVENT(r, "MPI_Isend", 11, 1, r->type[0], r->me ^ 1, 0, r->world);
                r->created++;
            }
        EVENT(r, "MPI_Waitall", 12, 2, 2, 2, 1);
    }
}

static int64_t merged_length(program_fn *program, enum cs_call_order order, bool *kept)
{
    char why[200], *path = path_of("trace");
    struct cs_merge_options o = {.order = order};
    struct cs_merge_report report;
    write_trace(path, 4, 2, program, NULL);
    struct cs_trace *t = open_trace(path);
    struct cs_merged *m = cs_merge_trace(t, &o, &report, why, sizeof why);
    ck_assert_ptr_nonnull(m);
    *kept = report.kept_order;
    ck_assert(*kept || strstr(report.why, "wait for ever"));
    cs_trace_free(t);
    cs_merged_free(there_and_back(m, path));
    unlink(path);
    free(path);
    return report.merged;
}

START_TEST(an_order_that_blocks_is_not_taken)
{
    bool kept;
    int64_t original = merged_length(pairs, CS_ORDER_ORIGINAL, &kept);
    ck_assert(kept);
    ck_assert_int_eq(merged_length(pairs, CS_ORDER_SEND_FIRST, &kept), original);
    ck_assert(!kept);
    ck_assert_int_eq(merged_length(pairs, CS_ORDER_RECEIVE_FIRST, &kept), original);
    ck_assert(!kept);
    ck_assert_int_eq(merged_length(pairs, CS_ORDER_PAPER, &kept), original);
    ck_assert(!kept);
}
END_TEST

START_TEST(an_order_that_ends_makes_ranks_alike)
{
    bool kept;
    int64_t original = merged_length(posts, CS_ORDER_ORIGINAL, &kept);
    ck_assert_int_eq(merged_length(posts, CS_ORDER_POST_FIRST, &kept), 2 + 3 * 10);
    ck_assert(kept);
    ck_assert_int_gt(original, 2 + 3 * 10);
    ck_assert_int_eq(merged_length(both_send_first, CS_ORDER_SEND_FIRST, &kept), 4); /* it blocks as it is */
    ck_assert(kept);
}
END_TEST

int main(void)
{
    TCase *t = tcase_create("merge");
    tcase_set_timeout(t, 300);
    tcase_add_loop_test(t, random_programs, 0, 120);
    tcase_add_test(t, a_ring_is_one_class);
    tcase_add_test(t, a_halo_has_nine_classes);
    tcase_add_test(t, a_butterfly_folds_by_its_rule);
    tcase_add_test(t, a_solver_called_twice_is_one_body);
    tcase_add_test(t, rules_on_a_grid);
    tcase_add_test(t, replay_finds_what_blocks);
    tcase_add_test(t, an_order_that_blocks_is_not_taken);
    tcase_add_test(t, an_order_that_ends_makes_ranks_alike);
    Suite *s = suite_create("merge");
    suite_add_tcase(s, t);
    SRunner *r = srunner_create(s);
    srunner_run_all(r, CK_ENV);
    int failed = srunner_ntests_failed(r);
    srunner_free(r);
    return failed ? 1 : 0;
}
