/* SPDX-License-Identifier: BSD-3-Clause
 * Which loops of a nest a skeleton divides, on small hand-made nests of two ranks that are a class each; and what is
 * refused. That the programs compile, run and communicate as they should is tests/skeletons.sh's to see. */
#define _GNU_SOURCE 1
#include <stdlib.h>
#include <string.h>

#include "../../skeleton/skeleton.h"
#include "trace/format/fields.h"
#include "suite.h"

enum { MAX = 64 };

/* A nest in the making: two ranks, communicator world, type int. */
struct nest {
    struct cs_merged m;
    struct cs_nest_node node[MAX];
    struct cs_merged_symbol symbol[MAX];
    struct cs_merged_record record[MAX];
    struct cs_merged_part part[MAX][2];
    struct cs_merged_value value[MAX][8];
    struct cs_class cls[2];
    struct cs_range range[3];
    struct cs_ranges group;
    struct cs_merged_comm comm;
    struct cs_type_def type;
    int ranks[2], class_of[2], index_in_class[2];
    int32_t cycle[MAX];
};

static void begin(struct nest *n)
{
    *n = (struct nest){.range = {{0, 1, 1}, {1, 1, 1}, {0, 1, 2}}, .ranks = {0, 1}, .class_of = {0, 1}};
    for (int k = 0; k < 2; k++)
        n->cls[k] = (struct cs_class){.ranks = {&n->range[k], 1, 1, 1}, .rank = &n->ranks[k]};
    n->group = (struct cs_ranges){&n->range[2], 1, 1, 2};
    n->comm = (struct cs_merged_comm){.path = "world", .ngroups = 1, .group = &n->group};
    n->type = (struct cs_type_def){"i1", 4, 4, 1};
    n->m = (struct cs_merged){.info = {.nranks = 2},
                              .folded = true,
                              .nclasses = 2,
                              .cls = n->cls,
                              .class_of = n->class_of,
                              .index_in_class = n->index_in_class,
                              .record = n->record,
                              .symbol = n->symbol,
                              .node = n->node,
                              .ntypes = 1,
                              .type = &n->type,
                              .ncomms = 1,
                              .comm = &n->comm,
                              .cycle = n->cycle};
}

/* A call of one rank (or of both, rank -1) with these fields. */
static void call(struct nest *n, const char *name, int rank, int nfields, const int64_t *field)
{
    int l = n->m.nsymbols++, nparts = 0;
    for (int k = 0; k < 2; k++) {
        if (rank >= 0 && rank != k)
            continue;
        int r = n->m.nrecords++;
        for (int i = 0; i < nfields; i++)
            n->value[r][i] = (struct cs_merged_value){.rule = CS_RULE_SAME, .a = field[i]};
        n->record[r] = (struct cs_merged_record){.cls = k,
                                                 .call = cs_mpi_index(cs_mpi_find(name)),
                                                 .site = -1,
                                                 .mark = 2,
                                                 .comm = nfields && strcmp(name, "MPI_Wait") ? 0 : -1,
                                                 .nfields = nfields,
                                                 .field = n->value[r]};
        n->part[l][nparts++] = (struct cs_merged_part){.cls = k, .record = r};
    }
    n->symbol[l] =
        (struct cs_merged_symbol){.call = cs_mpi_index(cs_mpi_find(name)), .nparts = nparts, .part = n->part[l]};
    n->node[n->m.nnodes++] = (struct cs_nest_node){.value = l};
}

/* A call whose fields are a and b in turn. */
static void in_turn(struct nest *n, const char *name, int rank, int nfields, const int64_t *a, const int64_t *b)
{
    call(n, name, rank, nfields, a);
    call(n, name, rank, nfields, b);
    struct cs_nest_node *at = &n->node[--n->m.nnodes - 1];
    at->cycle = (int32_t)n->m.ncycles;
    at->ncycle = 2;
    n->cycle[n->m.ncycles++] = n->m.nsymbols - 2;
    n->cycle[n->m.ncycles++] = n->m.nsymbols - 1;
}

static void loop(struct nest *n, int64_t count, int body)
{
    n->node[n->m.nnodes++] = (struct cs_nest_node){.count = count, .value = body};
}

#define FIELDS(...) \
    (sizeof((int64_t[]){__VA_ARGS__}) / sizeof(int64_t)), (int64_t[]) \
    { \
        __VA_ARGS__ \
    }
/* count, type, peer, tag, communicator */
static void send_(struct nest *n, int from)
{
    call(n, "MPI_Send", from, FIELDS(1, 0, 1 - from, 5, 0));
}
static void recv_(struct nest *n, int to)
{
    call(n, "MPI_Recv", to, FIELDS(1, 0, 1 - to, 5, 0));
}

static char *text;
static char why[512];
static struct cs_skeleton_report report;

/* Makes the program of a nest, into `text`. */
static int make(struct nest *n, int64_t scale)
{
    struct cs_skeleton_options o = {.scale = scale, .source = "T", .work_rate = 1e9};
    size_t len;
    free(text);
    text = NULL;
    FILE *out = open_memstream(&text, &len);
    call(n, "MPI_Finalize", -1, 0, NULL);
    int rc = cs_skeleton_write(&n->m, &o, out, &report, why, sizeof why);
    fclose(out);
    return rc;
}

START_TEST(test_divides)
{
    struct nest n;
    begin(&n);
    loop(&n, 25, 2);
    send_(&n, 0);
    recv_(&n, 1);
    ck_assert_int_eq(make(&n, 10), 0);
    ck_assert_int_eq(report.divided, 1);
    ck_assert_ptr_nonnull(strstr(text, "i0 < 3;"));                                   /* 2.5, rounded */
    ck_assert_ptr_nonnull(strstr(text, "if (i0 == 1)\n            phase(24. / 2);")); /* the first stands for itself */
}
END_TEST

START_TEST(test_scale_1)
{
    struct nest n;
    begin(&n);
    loop(&n, 25, 2);
    send_(&n, 0);
    recv_(&n, 1);
    ck_assert_int_eq(make(&n, 1), 0);
    ck_assert_int_eq(report.divided, 0);
    ck_assert_ptr_nonnull(strstr(text, "i0 < 25;"));
    ck_assert_ptr_null(strstr(text, "phase"));
}
END_TEST

/* The outer loop has too few iterations, the inner one enough. */
START_TEST(test_inner)
{
    struct nest n;
    begin(&n);
    loop(&n, 3, 3);
    loop(&n, 40, 2);
    send_(&n, 0);
    recv_(&n, 1);
    ck_assert_int_eq(make(&n, 10), 0);
    ck_assert_int_eq(report.divided, 1);
    ck_assert_ptr_nonnull(strstr(text, "i0 < 3;"));
    ck_assert_ptr_nonnull(strstr(text, "i1 < 4;"));
}
END_TEST

/* One rank's loop sends what another's receives: both or none. */
START_TEST(test_together)
{
    struct nest n;
    begin(&n);
    loop(&n, 40, 1);
    send_(&n, 0);
    loop(&n, 40, 1);
    recv_(&n, 1);
    ck_assert_int_eq(make(&n, 10), 0);
    ck_assert_int_eq(report.divided, 2);
    ck_assert_ptr_nonnull(strstr(text, "i0 < 4;"));
    ck_assert_ptr_nonnull(strstr(text, "i2 < 4;"));
}
END_TEST

/* 40 sends in one loop, 2 times 20 receives in two: dividing would leave 13 against 14. */
START_TEST(test_apart)
{
    struct nest n;
    begin(&n);
    loop(&n, 40, 1);
    send_(&n, 0);
    loop(&n, 20, 1);
    recv_(&n, 1);
    loop(&n, 20, 1);
    recv_(&n, 1);
    ck_assert_int_eq(make(&n, 3), 0);
    ck_assert_int_eq(report.divided, 0);
    ck_assert_int_eq(report.unmatched, 3);
    ck_assert_ptr_nonnull(strstr(report.note, "run in full"));
}
END_TEST

/* A message that is under way when the loop begins: the loop's receives take another iteration's sends. */
START_TEST(test_shifted)
{
    struct nest n;
    begin(&n);
    send_(&n, 0);
    loop(&n, 40, 2);
    recv_(&n, 1);
    send_(&n, 0);
    recv_(&n, 1);
    ck_assert_int_eq(make(&n, 10), 0);
    ck_assert_int_eq(report.divided, 0);
}
END_TEST

/* A collective that only one of two ranks calls in the loop. */
START_TEST(test_collective)
{
    struct nest n;
    begin(&n);
    loop(&n, 40, 1);
    call(&n, "MPI_Bcast", 0, FIELDS(1, 0, 0, 0));
    loop(&n, 20, 2);
    call(&n, "MPI_Bcast", 1, FIELDS(1, 0, 0, 0));
    call(&n, "MPI_Bcast", 1, FIELDS(1, 0, 0, 0));
    ck_assert_int_eq(make(&n, 10), 0);
    ck_assert_int_eq(report.divided, 0);
    begin(&n);
    loop(&n, 40, 1);
    call(&n, "MPI_Bcast", -1, FIELDS(1, 0, 0, 0));
    ck_assert_int_eq(make(&n, 10), 0);
    ck_assert_int_eq(report.divided, 1);
}
END_TEST

/* Requests: completed in the iteration or not; and one that is open around the whole loop, whose number must stay
 * right. */
START_TEST(test_requests)
{
    struct nest n;
    begin(&n);
    call(&n, "MPI_Irecv", 1, FIELDS(1, 0, 0, 9, 0));
    loop(&n, 40, 3);
    call(&n, "MPI_Isend", 0, FIELDS(1, 0, 1, 5, 0));
    call(&n, "MPI_Wait", 0, FIELDS(1));
    recv_(&n, 1);
    call(&n, "MPI_Send", 0, FIELDS(1, 0, 1, 9, 0));
    call(&n, "MPI_Wait", 1, FIELDS(1));
    ck_assert_int_eq(make(&n, 10), 0);
    ck_assert_int_eq(report.divided, 1);
    ck_assert_ptr_nonnull(strstr(text, "skip(before1, 40, 4)"));
    begin(&n);
    loop(&n, 40, 2);
    call(&n, "MPI_Isend", 0, FIELDS(1, 0, 1, 5, 0));
    recv_(&n, 1);
    ck_assert_int_eq(make(&n, 10), 0);
    ck_assert_int_eq(report.divided, 0);
}
END_TEST

/* Fewer iterations than K: two, where nothing inside is divided. */
START_TEST(test_short)
{
    struct nest n;
    begin(&n);
    loop(&n, 40, 2);
    send_(&n, 0);
    recv_(&n, 1);
    loop(&n, 4, 2);
    send_(&n, 0);
    recv_(&n, 1);
    loop(&n, 2, 2);
    send_(&n, 0);
    recv_(&n, 1);
    ck_assert_int_eq(make(&n, 10), 0);
    ck_assert_int_eq(report.divided, 1);
    ck_assert_int_eq(report.two, 1);
    ck_assert_int_eq(report.whole, 1);
    ck_assert_ptr_nonnull(strstr(text, "i3 < 2;"));
    ck_assert_ptr_nonnull(strstr(text, "phase(3. / 1);"));
}
END_TEST

/* Ranks meet to measure where all come and nothing is under way; not with a message under way, nor where a rank stays
 * away. */
START_TEST(test_meeting)
{
    struct nest n;
    begin(&n);
    loop(&n, 40, 1);
    call(&n, "MPI_Barrier", -1, FIELDS(0));
    ck_assert_int_eq(make(&n, 10), 0);
    ck_assert_ptr_nonnull(strstr(text, "    together(1);"));
    begin(&n);
    send_(&n, 0);
    loop(&n, 40, 1);
    call(&n, "MPI_Barrier", -1, FIELDS(0));
    recv_(&n, 1);
    ck_assert_int_eq(make(&n, 10), 0);
    ck_assert_int_eq(report.divided, 1);
    ck_assert_ptr_null(strstr(text, "    together(1);"));
    begin(&n);
    loop(&n, 40, 1);
    call(&n, "MPI_Send", 0, FIELDS(1, 0, CS_PROC_NULL, 5, 0));
    ck_assert_int_eq(make(&n, 10), 0);
    ck_assert_int_eq(report.divided, 1);
    ck_assert_ptr_null(strstr(text, "    together(1);"));
}
END_TEST

/* Computation outside of loops: a part of it where ranks meet and it is long, else all. */
START_TEST(test_outside)
{
    struct cs_gap gap[8];
    int64_t gap_at[8];
    struct nest n;
    for (int i = 0; i < 8; i++) {
        gap[i] = (struct cs_gap){.n = 1, .gap = i < 4 ? 1e8 : 1e6}; /* ns: the first two calls 0.1 s, then 1 ms */
        gap_at[i] = 2 * (i % 4);
    }
    begin(&n);
    n.m.gap = gap;
    n.m.gap_at = gap_at;
    call(&n, "MPI_Barrier", -1, FIELDS(0));
    call(&n, "MPI_Barrier", -1, FIELDS(0));
    call(&n, "MPI_Barrier", -1, FIELDS(0));
    ck_assert_int_eq(make(&n, 10), 0);
    ck_assert_ptr_nonnull(strstr(text, "    work_outside(0.1, 5);\n    MPI_Barrier"));
    ck_assert_ptr_nonnull(strstr(text, "    work(0.001);\n    MPI_Barrier"));
    ck_assert_ptr_nonnull(strstr(text, "    phase(1);\n    seconds =")); /* what comes last counts, too */
    ck_assert_int_eq(make(&n, 1), 0);
    ck_assert_ptr_null(strstr(text, "work_outside"));
    begin(&n);
    n.m.gap = gap;
    n.m.gap_at = gap_at;
    send_(&n, 0);
    call(&n, "MPI_Barrier", -1, FIELDS(0));
    recv_(&n, 1);
    ck_assert_int_eq(make(&n, 10), 0);
    ck_assert_ptr_nonnull(strstr(text, "    work(0.1);\n    MPI_Barrier"));
    ck_assert_ptr_null(strstr(text, "work_outside(0.1, 5);\n    MPI_Barrier"));
}
END_TEST

/* Two neighbours, each in a loop of its own, as in a halo exchange: receives, sends, waits; the waits are for requests
 * `first` and `second` ago. */
static void exchange(struct nest *n, int64_t first, int64_t second)
{
    loop(n, 2, 1);
    in_turn(n, "MPI_Irecv", 1, FIELDS(1, 0, 0, 5, 0), (int64_t[]){1, 0, 0, 6, 0});
    loop(n, 2, 1);
    in_turn(n, "MPI_Send", 0, FIELDS(1, 0, 1, 5, 0), (int64_t[]){1, 0, 1, 6, 0});
    loop(n, 2, 1);
    in_turn(n, "MPI_Wait", 1, FIELDS(first), (int64_t[]){second});
}

/* What a call's cycle does all the way round counts, not what its first turn does: in the loop and before it. */
START_TEST(test_cycles)
{
    struct nest n;
    begin(&n);
    exchange(&n, 2, 1);
    loop(&n, 40, 6);
    exchange(&n, 2, 1);
    ck_assert_int_eq(make(&n, 10), 0);
    ck_assert_int_eq(report.divided, 1);
    ck_assert_ptr_nonnull(strstr(text, "< 4;"));
    begin(&n);
    loop(&n, 40, 6);
    exchange(&n, 2, 2); /* one is never waited for */
    ck_assert_int_eq(make(&n, 10), 0);
    ck_assert_int_eq(report.divided, 0);
    begin(&n);
    loop(&n, 40, 5); /* waits for its own request and for that of the iteration before, in turn */
    call(&n, "MPI_Irecv", 1, FIELDS(1, 0, 0, 5, 0));
    send_(&n, 0);
    in_turn(&n, "MPI_Wait", 1, FIELDS(1), (int64_t[]){2});
    call(&n, "MPI_Barrier", -1, FIELDS(0));
    call(&n, "MPI_Barrier", -1, FIELDS(0));
    ck_assert_int_eq(make(&n, 10), 0);
    ck_assert_int_eq(report.divided, 0);
}
END_TEST

/* Short loops of which one iteration would count for many stay whole; long ones, and unknown ones, do not. */
START_TEST(test_noise)
{
    static const double ms[] = {0.1, 10};
    for (int i = 0; i < 2; i++) {
        struct cs_gap gap[8];
        int64_t gap_at[8];
        struct nest n;
        for (int k = 0; k < 8; k++) {
            gap[k] = (struct cs_gap){.n = 10, .gap = 10 * ms[i] * 1e6};
            gap_at[k] = 2 * (k % 4);
        }
        begin(&n);
        n.m.gap = gap;
        n.m.gap_at = gap_at;
        loop(&n, 10, 1);
        call(&n, "MPI_Barrier", -1, FIELDS(0));
        ck_assert_int_eq(make(&n, 10), 0);
        ck_assert_int_eq(report.divided, i);
        ck_assert_int_eq(report.whole, 1 - i);
    }
}
END_TEST

START_TEST(test_refused)
{
    struct nest n;
    begin(&n);
    loop(&n, 40, 1);
    call(&n, "MPI_Barrier", -1, FIELDS(0));
    ck_assert_int_eq(make(&n, 41), -1);
    ck_assert_ptr_nonnull(strstr(why, "at most 40"));
    begin(&n);
    call(&n, "MPI_Wait", 0, FIELDS(1));
    ck_assert_int_eq(make(&n, 1), -1);
    ck_assert_str_eq(why, "MPI_Wait on a request that was never made");
    begin(&n);
    n.comm.path = "?";
    send_(&n, 0);
    recv_(&n, 1);
    ck_assert_int_eq(make(&n, 1), -1);
    ck_assert_ptr_nonnull(strstr(why, "not recorded"));
    begin(&n);
    n.type.signature = "{NOTHING}1";
    send_(&n, 0);
    recv_(&n, 1);
    ck_assert_int_eq(make(&n, 1), -1);
    ck_assert_ptr_nonnull(strstr(why, "{NOTHING}1"));
}
END_TEST

int main(void)
{
    Suite *s = suite_create("skeleton");
    TCase *t = tcase_create("loops");
    tcase_add_test(t, test_divides);
    tcase_add_test(t, test_scale_1);
    tcase_add_test(t, test_inner);
    tcase_add_test(t, test_together);
    tcase_add_test(t, test_apart);
    tcase_add_test(t, test_shifted);
    tcase_add_test(t, test_collective);
    tcase_add_test(t, test_requests);
    tcase_add_test(t, test_short);
    tcase_add_test(t, test_meeting);
    tcase_add_test(t, test_outside);
    tcase_add_test(t, test_cycles);
    tcase_add_test(t, test_noise);
    tcase_add_test(t, test_refused);
    suite_add_tcase(s, t);
    int rc = suite_main(s);
    free(text);
    return rc;
}
