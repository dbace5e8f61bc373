/* SPDX-License-Identifier: GPL-3.0-or-later
 * Unit tests of what advise looks with: values by name on a graph in text form, and what assuming them makes of it
 * (slicer/control/named_values.c); to which blocks control comes (slicer/advise/dead_code.c); smallest cuts of a graph
 * of needs (slicer/advise/cut.c). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "slicer/advise/cut.h"
#include "slicer/advise/dead_code.h"
#include "slicer/control/named_values.h"
#include "slicer/graph/storage.h"
#include "slicer/text/graph_text.h"
#include "suite.h"

static struct cs_graph *graph(const char *text)
{
    char err[256];
    FILE *in = fmemopen((void *)text, strlen(text), "r");
    struct cs_graph *g = cs_graph_read(in, "g", err, sizeof err);
    fclose(in);
    ck_assert_msg(g, "%s", err);
    return g;
}

/* ---- values ---- */

#define F(body) "func main(p) entry at \"x.c\":1 { local n 4; local buf 80; b0: " body " return 0 at 99 }"
/* A line of the graph, what is assumed of it, and a line that is there afterwards, with white space as it is written;
 * NULL: nothing of that name is there. */
static const struct {
    const char *body, *assume, *line;
} values[] = {
    {F("x = call f() names n at 5; call g(x) at 6;"), "x.c:5:n=7", "v2 = 7 anywhere"},
    {F("x = call f() names n at 5; call g(x) at 6;"), "x.c:5:N=rank", "= other"},
    {F("x = call f() names n at 5; call g(x) at 6;"), "x.c:5:m=7", NULL},
    {F("x = call f() names n at 5; call g(x) at 6;"), "x.c:6:n=7", NULL},
    {F("store p+4 4 = p names left at 5;"), "x.c:5:left=7", "store v0+4 4 = 7"},
    {F("call MPI_Recv(@n, 1, 0x4c000405, 0, 1, 0x44000000, 1) names \"0:4:n\" at 5;"), "x.c:5:n=7", "store @n 4 = 7"},
    {F("call MPI_Recv(@n, 1, 0x4c000405, 0, 1, 0x44000000, 1) names \"0:4:n\" at 5;"), "x.c:5:source=7",
     "call MPI_Recv(@n, 1, 0x4c000405, 7, 1, 0x44000000, 1)"},
    {F("call MPI_Isend(@n, 1, 0x4c000405, 0, 1, 0x44000000, @n) names \"0:4:n\" at 5;"), "x.c:5:n=7", NULL},
    {F("call mpi_send_(@buf, @n, @n, @n, @n, @n, @n) at 5;"), "x.c:5:count=7", "store @commslice_assumed 4 = 7"},
};

START_TEST(assumes_values)
{
    struct cs_graph *g = graph(values[_i].body);
    struct cs_assumption a;
    char err[256], *text = NULL;
    size_t size;
    ck_assert(cs_assume_parse(values[_i].assume, &a, err, sizeof err) == 0);
    int places = cs_named_assume(g, &a);
    cs_graph_check(g);
    FILE *out = open_memstream(&text, &size);
    cs_graph_write(g, out);
    fclose(out);
    ck_assert_int_eq(places, values[_i].line ? 1 : 0);
    ck_assert_msg(!values[_i].line || strstr(text, values[_i].line), "%s is not in %s", values[_i].line, text);
    free(text);
    cs_graph_free(g);
}
END_TEST

/* Only the count of a call that transmits its content is unsafe. */
START_TEST(unsafe_values)
{
    struct cs_graph *g = graph(F("call MPI_Send(@buf, 4, 0x4c000405, 0, 1, 0x44000000) at 5;"));
    struct cs_assumption count, dest;
    char err[256];
    ck_assert(cs_assume_parse("x.c:5:count=7", &count, err, sizeof err) == 0);
    ck_assert(cs_assume_parse("x.c:5:dest=7", &dest, err, sizeof err) == 0);
    g->stmts[0].keep = true;
    ck_assert(!cs_named_unsafe(g, &count));
    g->stmts[0].mark = CS_MARK_CONTENT;
    ck_assert(cs_named_unsafe(g, &count) && !cs_named_unsafe(g, &dest));
    cs_graph_free(g);
}
END_TEST

/* ---- code ---- */

START_TEST(comes_to_blocks)
{
    struct cs_graph *g = graph("func main(p) entry at \"x.c\":1 { b0: return 0 at 2 }\n"
                               "func never(p) at \"x.c\":3 { b0: return 0 at 4 }\n"
                               "func elsewhere(p) at \"x.c\":5 { b0: return 0 at 6 }");
    g->funcs[2].defined = false;
    struct cs_code *c = cs_code_new(g);
    cs_code_reached(c, -1, CS_ASSUME_NEVER);
    ck_assert(cs_code_has(c, 0, 0) && !cs_code_has(c, 0, 1) && !cs_code_has(c, 0, -1));
    ck_assert(!cs_code_has(c, 1, 0) && !cs_code_has(c, 2, 0));
    cs_code_free(c);
    cs_graph_free(g);
}
END_TEST

/* ---- cuts ---- */

/* Edges as pairs of nodes, which are letters: R is the root. Which nodes may be cut, and the cuts nearest to the root
 * and to the target T. */
static const struct {
    const char *edges, *can, *near_root, *near_target;
} cuts[] = {
    {"Ra ab bT", "ab", "a", "b"},
    {"Ra Rb aT bT", "ab", "ab", "ab"},
    {"Ra Rb ac bc cT", "abc", "c", "c"},
    {"Ra Rb ac bd cT dT ad", "abcd", "ab", "cd"},
    {"Ra Rb aT bT RT", "ab", "", ""},
    {"Ra aT", "", "", ""},
    {"Ra Rb Rc Rd aT bT cT dT", "abcd", "", ""}, /* more than three */
    /* The first way found, R a d T, is taken back in part. */
    {"Ra Rb ad ac bd cT dT", "abcd", "ab", "cd"},
};

static int letter(char c)
{
    return c == 'R' ? 0 : c == 'T' ? 5 : c - 'a' + 1;
}

static void check_nodes(const char *want, const int *nodes, int n)
{
    ck_assert_int_eq(n, (int)strlen(want));
    for (int i = 0; i < n; i++)
        ck_assert_msg(strchr(want, 'a' + nodes[i] - 1), "%c, not one of %s", 'a' + nodes[i] - 1, want);
}

START_TEST(cuts_off)
{
    enum { NODES = 6, MOST = 3 };
    struct cs_graph *g = cs_graph_new();
    struct cs_needs needs = {.nnodes = NODES, .nvalues = NODES - 1};
    struct cs_need_graph ng;
    struct cs_cuts c;
    char can[NODES] = {0};
    int root[MOST], target[MOST], f = cs_graph_add_func(g, "f");
    for (int v = 0; v < NODES - 1; v++)
        cs_graph_add_value(g, f);
    for (const char *e = cuts[_i].edges; *e; e += 2 + (e[2] == ' ')) {
        CS_GROW(needs.edges, needs.nedges, needs.aedges);
        needs.edges[needs.nedges++] = (struct cs_need_edge){letter(e[0]), letter(e[1])};
    }
    for (const char *p = cuts[_i].can; *p; p++)
        can[letter(*p)] = 1;
    cs_need_graph_build(&ng, g, &needs, true);
    cs_cuts_start(&c, &ng);
    for (int again = 0; again < 2; again++) {
        int n = cs_cut_off(&c, can, letter('T'), MOST, root, target);
        check_nodes(cuts[_i].near_root, root, n);
        check_nodes(cuts[_i].near_target, target, n);
    }
    cs_cuts_free(&c);
    cs_need_graph_free(&ng);
    cs_needs_free(&needs);
    cs_graph_free(g);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("advise");
    TCase *c = tcase_create("all");
    tcase_add_loop_test(c, assumes_values, 0, sizeof values / sizeof *values);
    tcase_add_test(c, unsafe_values);
    tcase_add_test(c, comes_to_blocks);
    tcase_add_loop_test(c, cuts_off, 0, sizeof cuts / sizeof *cuts);
    suite_add_tcase(s, c);
    return suite_main(s);
}
