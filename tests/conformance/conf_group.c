/* SPDX-License-Identifier: BSD-3-Clause
 * Groups: set operations, ranges, translation, comparison.
 *
 * ranks: 4 */
#include <stddef.h>

#include "conf_kit.h"

static MPI_Group incl(int n, const int *ranks)
{
    MPI_Group world, g;
    MPI_Comm_group(WORLD, &world);
    MPI_Group_incl(world, n, ranks, &g);
    MPI_Group_free(&world);
    return g;
}

/* The members as ranks of the world. */
static int members(MPI_Group g, int *out)
{
    MPI_Group world;
    int n, in[8] = {0, 1, 2, 3, 4, 5, 6, 7};
    MPI_Comm_group(WORLD, &world);
    MPI_Group_size(g, &n);
    MPI_Group_translate_ranks(g, n, in, world, out);
    MPI_Group_free(&world);
    return n;
}

static void show(const char *label, MPI_Group g)
{
    int m[8], n = members(g, m);
    say_ints(label, m, n);
}

static int is(MPI_Group g, int n, const int *want)
{
    int m[8], same = members(g, m) == n;
    for (int i = 0; same && i < n; i++)
        same = m[i] == want[i];
    return same;
}

#define SET(...) \
    (int)(sizeof(int[]){__VA_ARGS__} / sizeof(int)), (int[]) \
    { \
        __VA_ARGS__ \
    }

static void rank_and_size(void)
{
    MPI_Group g = incl(SET(3, 1));
    int r, n;
    MPI_Group_rank(g, &r);
    MPI_Group_size(g, &n);
    CHECK(n == 2 && r == (rank == 3 ? 0 : rank == 1 ? 1 : MPI_UNDEFINED));
    say("%d", r);
    MPI_Group_free(&g);
    CHECK(g == MPI_GROUP_NULL);
}

static void set_operations(void)
{
    MPI_Group a = incl(SET(2, 0, 1)), b = incl(SET(3, 1)), u, i, d;
    MPI_Group_union(a, b, &u);
    MPI_Group_intersection(a, b, &i);
    MPI_Group_difference(a, b, &d);
    CHECK(is(u, SET(2, 0, 1, 3)) && is(i, SET(1)) && is(d, SET(2, 0)));
    show("union", u);
    show("intersection", i);
    show("difference", d);
    MPI_Group_free(&u);
    MPI_Group_free(&i);
    MPI_Group_free(&d);
    MPI_Group_difference(b, b, &d);
    CHECK(d == MPI_GROUP_EMPTY);
    MPI_Group_free(&a);
    MPI_Group_free(&b);
}

static void excl(void)
{
    MPI_Group world, g;
    MPI_Comm_group(WORLD, &world);
    MPI_Group_excl(world, SET(2, 0), &g);
    CHECK(is(g, SET(1, 3)));
    show("excl", g);
    MPI_Group_free(&g);
    MPI_Group_free(&world);
}

static void ranges(void)
{
    MPI_Group world, g;
    int r[2][3] = {{3, 1, -2}, {0, 0, 1}}, one[1][3] = {{0, 3, 2}};
    MPI_Comm_group(WORLD, &world);
    MPI_Group_range_incl(world, 2, r, &g);
    CHECK(is(g, SET(3, 1, 0)));
    show("incl", g);
    MPI_Group_free(&g);
    MPI_Group_range_excl(world, 1, one, &g);
    CHECK(is(g, SET(1, 3)));
    show("excl", g);
    MPI_Group_free(&g);
    MPI_Group_free(&world);
}

static void translate(void)
{
    MPI_Group a = incl(SET(3, 2, 1)), b = incl(SET(1, 0, 3));
    int in[4] = {0, 1, 2, MPI_PROC_NULL}, out[4];
    MPI_Group_translate_ranks(a, 4, in, b, out);
    CHECK(out[0] == 2 && out[1] == MPI_UNDEFINED && out[2] == 0 && out[3] == MPI_PROC_NULL);
    say_ints("got", out, 4);
    MPI_Group_free(&a);
    MPI_Group_free(&b);
}

static void compare(void)
{
    MPI_Group a = incl(SET(1, 2)), b = incl(SET(2, 1)), c = incl(SET(1, 3)), d = incl(SET(1, 2));
    int how[4];
    MPI_Group_compare(a, d, &how[0]);
    MPI_Group_compare(a, b, &how[1]);
    MPI_Group_compare(a, c, &how[2]);
    MPI_Group_compare(MPI_GROUP_EMPTY, a, &how[3]);
    CHECK(how[0] == MPI_IDENT && how[1] == MPI_SIMILAR && how[2] == MPI_UNEQUAL && how[3] == MPI_UNEQUAL);
    MPI_Group_free(&a);
    MPI_Group_free(&b);
    MPI_Group_free(&c);
    MPI_Group_free(&d);
    say("done");
}

static void empty(void)
{
    int n, r;
    MPI_Group world, g;
    MPI_Group_size(MPI_GROUP_EMPTY, &n);
    MPI_Group_rank(MPI_GROUP_EMPTY, &r);
    CHECK(n == 0 && r == MPI_UNDEFINED);
    MPI_Comm_group(WORLD, &world);
    MPI_Group_incl(world, 0, NULL, &g);
    CHECK(g == MPI_GROUP_EMPTY);
    MPI_Group_union(MPI_GROUP_EMPTY, world, &g);
    MPI_Group_size(g, &n);
    CHECK(n == 4);
    MPI_Group_free(&g);
    MPI_Group_free(&world);
    say("%d", n);
}

static void of_a_communicator(void)
{
    MPI_Comm back;
    MPI_Group g;
    MPI_Comm_split(WORLD, 0, -rank, &back);
    MPI_Comm_group(back, &g);
    CHECK(is(g, SET(3, 2, 1, 0)));
    show("back", g);
    MPI_Group_free(&g);
    MPI_Comm_free(&back);
}

static void wrong_ranks(void)
{
    MPI_Group world, g;
    int bad[2] = {1, 9}, code;
    MPI_Comm_group(WORLD, &world);
    MPI_Comm_set_errhandler(WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    code = MPI_Group_excl(world, 2, bad, &g);
    CHECK(code != MPI_SUCCESS);
    MPI_Group_free(&world);
    say("done");
}

const struct conf_case conf_cases[] = {
    CASE(rank_and_size), CASE(set_operations),    CASE(excl),        CASE(ranges), CASE(translate), CASE(compare),
    CASE(empty),         CASE(of_a_communicator), CASE(wrong_ranks), END_OF_CASES,
};
