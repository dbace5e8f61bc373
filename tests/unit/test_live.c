/* SPDX-License-Identifier: GPL-3.0-or-later
 * Unit tests of LIVE propagation (slicer/live/live.c, by way of cs_slice): every tests/graphs/live-*.graph is a program
 * whose statements say themselves what must become of them. docs/reference/graph-text.md, "Expectations", has the
 * words. */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "slicer_interp.h"
#include "slicer_kit.h"
#include "suite.h"

static const char *const marks[] = {"none", "envelope", "content"};

static char *files[200];
static int nfiles;

static int by_name(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static void find_files(void)
{
    char dir[1024];
    snprintf(dir, sizeof dir, "%s/tests/graphs", kit_srcdir());
    DIR *d = opendir(dir);
    if (!d)
        return;
    for (struct dirent *e; (e = readdir(d)) && nfiles < 200;) {
        size_t len = strlen(e->d_name);
        if (!strncmp(e->d_name, "live-", 5) && len > 6 && !strcmp(e->d_name + len - 6, ".graph"))
            files[nfiles++] = strdup(e->d_name);
    }
    closedir(d);
    qsort(files, nfiles, sizeof *files, by_name);
}

static struct cs_slice_result slice(struct cs_graph *g, bool keep_errors, int budget)
{
    struct cs_effects *fx = kit_effects(NULL);
    struct cs_slice_options opt = {.keep_errors = keep_errors, .budget = budget};
    struct cs_slice_result res;
    ck_assert_int_eq(cs_slice(g, fx, &opt, &res), 0);
    cs_effects_free(fx);
    return res;
}

/* Does the comma-separated list contain this word? */
static bool says(const char *list, const char *word)
{
    size_t len = strlen(word);
    for (const char *p = list; *p; p += strcspn(p, ","), p += *p == ',') {
        p += strspn(p, " ");
        if (!strncmp(p, word, len) && (p[len] == ',' || p[len] == 0))
            return true;
    }
    return false;
}

static const char *fault(const struct cs_graph *g, const struct cs_stmt *s, char *buf, size_t len)
{
    const char *want = s->text >= 0 ? cs_graph_str(g, s->text) : "";
    bool keep = says(want, "keep");
    for (int m = 0; m < 3; m++) {
        if (!says(want, marks[m]))
            continue;
        keep = true;
        if (s->mark != m) {
            snprintf(buf, len, "mark is %s, not %s", marks[s->mark], marks[m]);
            return buf;
        }
    }
    if (says(want, "maybe"))
        return NULL;
    if (keep != s->keep) {
        snprintf(buf, len, "%s", keep ? "is gone, but needed" : "is kept, but nobody needs it");
        return buf;
    }
    if (says(want, "no result") && !s->drop_result)
        return "its result is kept";
    for (int i = 0; i < s->nuses && i < 10; i++) {
        char word[24];
        snprintf(word, sizeof word, "null %d", i);
        if (strstr(want, "null") && says(want, word) != (s->arg_null >> i & 1)) {
            snprintf(buf, len, "argument %d: null is %d", i, s->arg_null >> i & 1);
            return buf;
        }
    }
    return NULL;
}

static void check(const char *name, const struct cs_graph *g)
{
    char buf[160], list[4096] = "";
    for (int s = 0; s < g->nstmts; s++) {
        if (g->stmts[s].source < 0)
            continue;
        const char *f = fault(g, &g->stmts[s], buf, sizeof buf);
        if (!f)
            continue;
        size_t n = strlen(list);
        snprintf(list + n, sizeof list - n, "\n  %s:%d %s", cs_func_name(g, g->stmts[s].func),
                 g->stmts[s].line ? g->stmts[s].line : s, f);
    }
    if (!*list)
        return;
    char *text = kit_text(g);
    ck_abort_msg("%s: (function:statement from 0)%s\n%s", name, list, text);
}

START_TEST(programs)
{
    struct cs_graph *g = kit_graph_file(files[_i]);
    struct cs_slice_result res = slice(g, strstr(files[_i], "keep-errors") != NULL, 0);
    check(files[_i], g);
    cs_slice_result_free(&res);
    cs_graph_free(g);
}
END_TEST

/* Allocators of the program: body of malloc, what main sends, and what the link then says of malloc, if anything. */
static const struct {
    const char *what, *body, *count;
    bool warns;
} allocators[] = {
    {"a counter that is sent", "c = load @calls 4; d = add c, 1; store @calls 4 = d; p = call calloc(n, 1); return p",
     "load @calls 4", true},
    {"a counter that is not", "c = load @calls 4; d = add c, 1; store @calls 4 = d; p = call calloc(n, 1); return p",
     "load @given 4", false},
    {"written by what malloc calls", "call note(n); p = call calloc(n, 1); return p", "load @calls 4", true},
    {"written by a function of the library", "call memset(@calls, 1, 4); p = call calloc(n, 1); return p",
     "load @calls 4", true},
    {"the memory itself",
     "u = load @calls 4; p = ptradd @pool, u * 1; v = add u, n; store @calls 4 = v; store p 8 = 7; return p",
     "load q 8", false},
};

START_TEST(allocator_messages)
{
    char text[1024];
    snprintf(
        text, sizeof text,
        "global calls 4 zeroed; global given 4 = 3; global buf 64; global pool 4096 zeroed\n"
        "func note(n) { c = load @calls 4; d = add c, n; store @calls 4 = d; return }\n"
        "func malloc(n) at own.c:7 { %s }\n"
        "func main() entry { call MPI_Init(0, 0); q = call malloc(8); k = %s; call MPI_Bcast(@buf, k, 0x4c000101, 0, "
        "0x44000000); call MPI_Finalize() }",
        allocators[_i].body, allocators[_i].count);
    struct cs_graph *g = kit_graph(text);
    struct cs_slice_result res = slice(g, false, 0);
    ck_assert_msg(res.nmessages == allocators[_i].warns, "%s: %d messages", allocators[_i].what, res.nmessages);
    if (res.nmessages) {
        ck_assert_int_eq(res.messages[0].severity, 1);
        ck_assert_int_eq(res.messages[0].line, 7);
        ck_assert_ptr_nonnull(strstr(res.messages[0].text, "this malloc"));
    }
    cs_slice_result_free(&res);
    cs_graph_free(g);
}
END_TEST

/* Is the last store kept, behind so many functions that send a variable one after the other, and that stand in this
 * order or from the last one to the first? */
static bool last_store_kept(int n, bool backward)
{
    char text[8192];
    int at = snprintf(text, sizeof text, "global g 4 zeroed; global buf 64\n");
    for (int i = 0; i < n; i++)
        at += snprintf(text + at, sizeof text - (size_t)at,
                       "func f%d() { k = load @g 4; call MPI_Bcast(@buf, k, 0x4c000101, 0, 0x44000000); return }\n",
                       backward ? n - 1 - i : i);
    at += snprintf(text + at, sizeof text - (size_t)at, "func main() entry { call MPI_Init(0, 0)");
    for (int i = 0; i < n; i++)
        at += snprintf(text + at, sizeof text - (size_t)at, "; store @g 4 = %d; call f%d()", i + 2, i);
    at += snprintf(text + at, sizeof text - (size_t)at,
                   "; call MPI_Finalize(); goto end; end: store @g 4 = 99 'last'; return }");
    ck_assert_int_lt(at, (int)sizeof text);
    struct cs_graph *g = kit_graph(text);
    struct cs_slice_result res = slice(g, false, 0);
    bool kept = g->stmts[kit_stmt(g, "last")].keep;
    cs_slice_result_free(&res);
    cs_graph_free(g);
    return kept;
}

/* Whether moments of a place are told apart goes by how many there are, not by which is asked for first. */
START_TEST(moments_in_any_order)
{
    for (int backward = 0; backward < 2; backward++) {
        ck_assert(!last_store_kept(4, backward));
        ck_assert(last_store_kept(40, backward));
    }
}
END_TEST

START_TEST(there_are_programs)
{
    ck_assert_int_ge(nfiles, 25);
}
END_TEST

/* The checker itself must be able to fail. */
START_TEST(checker_can_fail)
{
    char buf[160];
    struct cs_graph *g = kit_graph(
        "func main() entry { x = load @main 4 'keep'; call MPI_Barrier(0x44000000); call MPI_Barrier(0x44000000) "
        "'content' }");
    struct cs_slice_result res = slice(g, false, 0);
    for (int i = 0; i < 3; i++)
        ck_assert_ptr_nonnull(fault(g, &g->stmts[i], buf, sizeof buf));
    cs_slice_result_free(&res);
    cs_graph_free(g);
}
END_TEST

/* ---- the oracle: a random program and its slice must communicate alike ---- */

static void compare_runs(const char *text, uint64_t seed, int budget)
{
    struct cs_graph *g = kit_graph(text), *h = kit_graph(text);
    struct cs_slice_result res = slice(h, false, budget);
    for (int argc = 1; argc <= 7; argc += 3) {
        struct interp *a = interp_new(g, false, NULL, NULL), *b = interp_new(h, true, NULL, NULL);
        if (!interp_run(a, argc)) {
            const char *why = interp_run(b, argc);
            if (why || strcmp(interp_trace(a), interp_trace(b))) {
                char *sliced = kit_text(h);
                fprintf(stderr, "%s", sliced);
                ck_abort_msg("seed %d, argc %d: the slice %s\n-- original\n%s-- slice\n%s", (int)seed, argc,
                             why ? why : "sends other things", interp_trace(a), interp_trace(b));
            }
        }
        interp_free(a);
        interp_free(b);
    }
    cs_slice_result_free(&res);
    cs_graph_free(g);
    cs_graph_free(h);
}

static void compare_random(int round, int budget)
{
    const char *only = getenv("CS_SEED"), *n = getenv("CS_ROUNDS");
    int rounds = n ? atoi(n) : 60;
    for (int i = 0; i < (only ? 1 : rounds); i++) {
        uint64_t seed = only ? strtoull(only, NULL, 10) : (uint64_t)(round * rounds + i);
        char *text = random_program(seed);
        compare_runs(text, seed, budget);
        free(text);
    }
}

START_TEST(random_programs)
{
    compare_random(_i, 0);
}
END_TEST

/* All that points-to may take as one is. */
START_TEST(random_programs_at_once)
{
    compare_random(_i, CS_BUDGET_AT_ONCE);
}
END_TEST

/* The oracle itself must notice a lost statement: of the kept ones, many a single one changes what is sent. */
START_TEST(oracle_can_fail)
{
    int noticed = 0, dropped = 0;
    for (uint64_t seed = 0; seed < 20; seed++) {
        char *text = random_program(seed);
        struct cs_graph *g = kit_graph(text), *h = kit_graph(text);
        struct cs_slice_result res = slice(h, false, 0);
        for (int s = 0; s < h->nstmts; s += 7) {
            if (!h->stmts[s].keep || h->stmts[s].source < 0)
                continue;
            struct interp *a = interp_new(g, false, NULL, NULL), *b = interp_new(h, true, NULL, NULL);
            h->stmts[s].keep = false;
            if (!interp_run(a, 2)) {
                dropped++;
                noticed += interp_run(b, 2) || strcmp(interp_trace(a), interp_trace(b));
            }
            h->stmts[s].keep = true;
            interp_free(a);
            interp_free(b);
        }
        cs_slice_result_free(&res);
        cs_graph_free(g);
        cs_graph_free(h);
        free(text);
    }
    ck_assert_msg(dropped > 100 && noticed > dropped / 5, "%d of %d", noticed, dropped);
}
END_TEST

int main(void)
{
    find_files();
    Suite *s = suite_create("live");
    TCase *c = tcase_create("all");
    tcase_set_timeout(c, 60);
    tcase_add_loop_test(c, programs, 0, nfiles);
    tcase_add_loop_test(c, allocator_messages, 0, sizeof allocators / sizeof *allocators);
    tcase_add_test(c, moments_in_any_order);
    tcase_add_test(c, there_are_programs);
    tcase_add_test(c, checker_can_fail);
    tcase_add_loop_test(c, random_programs, 0, 10);
    tcase_add_loop_test(c, random_programs_at_once, 0, 10);
    tcase_add_test(c, oracle_can_fail);
    suite_add_tcase(s, c);
    return suite_main(s);
}
