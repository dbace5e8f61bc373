/* SPDX-License-Identifier: BSD-3-Clause
 * Topologies: grids, graphs, distributed graphs, and the collectives between neighbours.
 *
 * ranks: 4 */
#include <string.h>

#include "conf_kit.h"

static void dims_create(void)
{
    int a[2] = {0, 0}, b[3] = {0, 2, 0}, c[3] = {0, 0, 0}, d[1] = {0};
    MPI_Dims_create(12, 2, a);
    MPI_Dims_create(24, 3, b);
    MPI_Dims_create(64, 3, c);
    MPI_Dims_create(7, 1, d);
    CHECK(a[0] == 4 && a[1] == 3 && b[0] * b[2] == 12 && b[1] == 2 && b[0] == 4 && c[0] == 4 && c[2] == 4 && d[0] == 7);
    say_ints("12", a, 2);
    say_ints("24", b, 3);
    say_ints("64", c, 3);
}

static MPI_Comm grid(int rows, int columns, int p0, int p1)
{
    int dims[2] = {rows, columns}, periods[2] = {p0, p1};
    MPI_Comm c;
    MPI_Cart_create(WORLD, 2, dims, periods, 0, &c);
    return c;
}

static void cart(void)
{
    MPI_Comm c = grid(2, 2, 1, 0);
    int dims[2], periods[2], coords[2], n, kind, r;
    MPI_Topo_test(c, &kind);
    MPI_Cartdim_get(c, &n);
    MPI_Cart_get(c, 2, dims, periods, coords);
    CHECK(kind == MPI_CART && n == 2 && dims[0] == 2 && periods[0] && !periods[1] && coords[0] == rank / 2 &&
          coords[1] == rank % 2);
    MPI_Cart_coords(c, 3, 2, coords);
    CHECK(coords[0] == 1 && coords[1] == 1);
    coords[0] = -1; /* periodic: wraps */
    MPI_Cart_rank(c, coords, &r);
    CHECK(r == 3);
    say("%d %d", n, r);
    MPI_Comm_free(&c);
}

static void cart_shift(void)
{
    MPI_Comm c = grid(2, 2, 1, 0);
    int from, to, x = rank, y = -1;
    MPI_Cart_shift(c, 0, 1, &from, &to);
    CHECK(from == (rank + 2) % 4 && to == from);
    MPI_Sendrecv(&x, 1, MPI_INT, to, 0, &y, 1, MPI_INT, from, 0, c, IGNORE);
    CHECK(y == from);
    MPI_Cart_shift(c, 1, 1, &from, &to);
    CHECK(from == (rank % 2 ? rank - 1 : MPI_PROC_NULL) && to == (rank % 2 ? MPI_PROC_NULL : rank + 1));
    MPI_Cart_shift(c, 1, -1, &from, &to);
    CHECK(to == (rank % 2 ? rank - 1 : MPI_PROC_NULL));
    MPI_Cart_shift(c, 0, 0, &from, &to);
    CHECK(to == rank && from == rank);
    say("%d", y);
    MPI_Comm_free(&c);
}

static void cart_of_some(void)
{
    MPI_Comm c = grid(3, 1, 0, 0);
    CHECK((c == MPI_COMM_NULL) == (rank == 3));
    if (c != MPI_COMM_NULL) {
        int x = 1, sum;
        MPI_Allreduce(&x, &sum, 1, MPI_INT, MPI_SUM, c);
        CHECK(sum == 3);
        MPI_Comm_free(&c);
    }
    say("done");
}

static void cart_sub(void)
{
    MPI_Comm c = grid(2, 2, 1, 0), row;
    int keep[2] = {0, 1}, n, x = rank, sum, r;
    MPI_Cart_sub(c, keep, &row);
    MPI_Cartdim_get(row, &n);
    MPI_Comm_rank(row, &r);
    MPI_Allreduce(&x, &sum, 1, MPI_INT, MPI_SUM, row);
    CHECK(n == 1 && r == rank % 2 && sum == (rank < 2 ? 1 : 5));
    MPI_Comm_free(&row);
    MPI_Comm_free(&c);
    say("%d %d", r, sum);
}

static void cart_of_no_dimension(void)
{
    MPI_Comm c;
    int n = -1;
    MPI_Cart_create(WORLD, 0, NULL, NULL, 0, &c);
    CHECK((c != MPI_COMM_NULL) == (rank == 0));
    if (c != MPI_COMM_NULL) {
        MPI_Cartdim_get(c, &n);
        CHECK(n == 0);
        MPI_Comm_free(&c);
    }
    say("%d", n);
}

static void cart_dup_and_map(void)
{
    MPI_Comm c = grid(2, 2, 1, 1), copy;
    int kind, dims[2] = {3, 1}, periods[2] = {0, 0}, place;
    MPI_Comm_dup(c, &copy);
    MPI_Topo_test(copy, &kind);
    CHECK(kind == MPI_CART);
    MPI_Topo_test(WORLD, &kind);
    CHECK(kind == MPI_UNDEFINED);
    MPI_Cart_map(WORLD, 2, dims, periods, &place);
    CHECK(rank < 3 ? place == rank : place == MPI_UNDEFINED);
    MPI_Comm_free(&copy);
    MPI_Comm_free(&c);
    say("%d", place);
}

/* 0-1, 0-3, 1-0, 2-3, 3-0, 3-2 */
static void graph(void)
{
    static const int index[4] = {2, 3, 4, 6}, edges[6] = {1, 3, 0, 3, 0, 2};
    int nodes, nedges, n, kind, got[6], place, xs[2];
    MPI_Comm c;
    MPI_Graph_create(WORLD, 4, index, edges, 0, &c);
    MPI_Topo_test(c, &kind);
    MPI_Graphdims_get(c, &nodes, &nedges);
    MPI_Graph_neighbors_count(c, rank, &n);
    MPI_Graph_neighbors(c, rank, n, got);
    CHECK(kind == MPI_GRAPH && nodes == 4 && nedges == 6 && n == (rank % 3 == 0 ? 2 : 1));
    say_ints("neighbours", got, n);
    MPI_Neighbor_allgather(&rank, 1, MPI_INT, xs, 1, MPI_INT, c);
    CHECK(xs[0] == got[0]);
    int index_got[4];
    MPI_Graph_get(c, 4, 6, index_got, got);
    CHECK(memcmp(index_got, index, sizeof index) == 0 && memcmp(got, edges, sizeof edges) == 0);
    MPI_Graph_map(WORLD, 4, index, edges, &place);
    CHECK(place == rank);
    MPI_Comm_free(&c);
}

/* Each rank gets from the one before and the one two before, and sends to those after. */
static MPI_Comm adjacent(void)
{
    int from[2] = {(rank + 3) % 4, (rank + 2) % 4}, to[2] = {(rank + 1) % 4, (rank + 2) % 4}, w[2] = {3, 4};
    MPI_Comm c;
    MPI_Dist_graph_create_adjacent(WORLD, 2, from, w, 2, to, w, MPI_INFO_NULL, 0, &c);
    return c;
}

static void dist_graph_adjacent(void)
{
    MPI_Comm c = adjacent();
    int in, out, weighted, s[2], sw[2], d[2], dw[2], kind;
    MPI_Topo_test(c, &kind);
    MPI_Dist_graph_neighbors_count(c, &in, &out, &weighted);
    MPI_Dist_graph_neighbors(c, 2, s, sw, 2, d, dw);
    CHECK(kind == MPI_DIST_GRAPH && in == 2 && out == 2 && weighted && sw[1] == 4 && s[0] == (rank + 3) % 4 &&
          d[1] == (rank + 2) % 4);
    say_ints("sources", s, 2);
    say_ints("destinations", d, 2);
    MPI_Comm_free(&c);
}

/* Rank 0 alone says all edges: a ring. */
static void dist_graph_from_one(void)
{
    int sources[4] = {0, 1, 2, 3}, degrees[4] = {1, 1, 1, 1}, to[4] = {1, 2, 3, 0}, in, out, weighted, s, d;
    MPI_Comm c;
    MPI_Dist_graph_create(WORLD, rank == 0 ? 4 : 0, sources, degrees, to, MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &c);
    MPI_Dist_graph_neighbors_count(c, &in, &out, &weighted);
    MPI_Dist_graph_neighbors(c, 1, &s, MPI_UNWEIGHTED, 1, &d, MPI_UNWEIGHTED);
    CHECK(in == 1 && out == 1 && !weighted && s == (rank + 3) % 4 && d == (rank + 1) % 4);
    say("%d %d", s, d);
    MPI_Comm_free(&c);
}

/* Each rank names what comes in to the one after it: neighbours in any order, each with its own weight. */
static void dist_graph_with_weights(void)
{
    int next = (rank + 1) % 4, sources[2] = {rank, (rank + 2) % 4}, degrees[2] = {1, 1}, to[2] = {next, next};
    int weights[2] = {10 * rank, 10 * rank + 1}, in, out, weighted, s[2], sw[2], d[2], dw[2], sum = 0;
    MPI_Comm c;
    MPI_Dist_graph_create(WORLD, 2, sources, degrees, to, weights, MPI_INFO_NULL, 0, &c);
    MPI_Dist_graph_neighbors_count(c, &in, &out, &weighted);
    CHECK(in == 2 && out == 2 && weighted);
    MPI_Dist_graph_neighbors(c, 2, s, sw, 2, d, dw);
    for (int i = 0; i < 2; i++) {
        int before = (rank + 3) % 4, is_before = s[i] == before;
        CHECK((is_before || s[i] == (before + 2) % 4) && sw[i] == 10 * before + !is_before);
        CHECK(d[i] == next || d[i] == (rank + 3) % 4);
        CHECK(dw[i] == (d[i] == next ? 10 * rank : 10 * ((rank + 2) % 4) + 1));
        sum += dw[i];
    }
    CHECK(s[0] != s[1] && d[0] != d[1]);
    say("%d", sum);
    MPI_Comm_free(&c);
}

static void no_edges_at_all(void)
{
    int in, out, weighted;
    MPI_Comm c;
    MPI_Dist_graph_create(WORLD, 0, NULL, NULL, NULL, MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &c);
    MPI_Dist_graph_neighbors_count(c, &in, &out, &weighted);
    CHECK(in == 0 && out == 0 && !weighted);
    say("%d", in);
    MPI_Comm_free(&c);
}

static void neighbor_allgather(void)
{
    MPI_Comm ring = grid(4, 1, 1, 0);
    int x = 10 + rank, y[4] = {-1, -1, -1, -1};
    MPI_Request q;
    MPI_Neighbor_allgather(&x, 1, MPI_INT, y, 1, MPI_INT, ring);
    CHECK(y[0] == 10 + (rank + 3) % 4 && y[1] == 10 + (rank + 1) % 4 && y[2] == -1 && y[3] == -1);
    say_ints("got", y, 4);
    MPI_Ineighbor_allgather(&x, 1, MPI_INT, y, 1, MPI_INT, ring, &q);
    MPI_Wait(&q, IGNORE);
    CHECK(y[1] == 10 + (rank + 1) % 4);
    MPI_Comm_free(&ring);
}

/* Two in a periodic dimension: the neighbour is on both sides, and what goes down comes in from above. */
static void neighbor_alltoall_of_two(void)
{
    MPI_Comm c = grid(2, 2, 1, 0);
    int x[4], y[4] = {-1, -1, -1, -1};
    MPI_Request q;
    for (int i = 0; i < 4; i++)
        x[i] = 10 * rank + i;
    MPI_Ineighbor_alltoall(x, 1, MPI_INT, y, 1, MPI_INT, c, &q);
    MPI_Wait(&q, IGNORE);
    CHECK(y[0] == 10 * ((rank + 2) % 4) + 1 && y[1] == 10 * ((rank + 2) % 4));
    say_ints("got", y, 4);
    MPI_Comm_free(&c);
}

static void neighbor_v_forms(void)
{
    MPI_Comm c = adjacent();
    int x[4] = {rank, 10 + rank, 20 + rank, 30 + rank}, y[8], counts[2] = {1, 2}, at[2] = {5, 0}, sat[2] = {0, 1};
    for (int form = 0; form < 2; form++) {
        MPI_Request q;
        for (int i = 0; i < 8; i++)
            y[i] = -1;
        if (form == 0)
            MPI_Neighbor_alltoallv(x, counts, sat, MPI_INT, y, counts, at, MPI_INT, c);
        else {
            MPI_Ineighbor_alltoallv(x, counts, sat, MPI_INT, y, counts, at, MPI_INT, c, &q);
            MPI_Wait(&q, IGNORE);
        }
        CHECK(y[5] == (rank + 3) % 4 && y[0] == 10 + (rank + 2) % 4 && y[1] == 20 + (rank + 2) % 4 && y[2] == -1);
        say_ints("alltoallv", y, 8);
        int two[2] = {2, 2}, far[2] = {4, 0};
        if (form == 0)
            MPI_Neighbor_allgatherv(x, 2, MPI_INT, y, two, far, MPI_INT, c);
        else {
            MPI_Ineighbor_allgatherv(x, 2, MPI_INT, y, two, far, MPI_INT, c, &q);
            MPI_Wait(&q, IGNORE);
        }
        CHECK(y[4] == (rank + 3) % 4 && y[1] == 10 + (rank + 2) % 4);
        say_ints("allgatherv", y, 8);
    }
    MPI_Comm_free(&c);
}

static void neighbor_alltoallw(void)
{
    MPI_Comm c = adjacent();
    int x[3] = {rank, 10 + rank, 20 + rank}, y[3] = {-1, -1, -1}, counts[2] = {1, 1};
    MPI_Aint sat[2] = {0, 4}, rat[2] = {8, 0};
    MPI_Datatype pair, types[2] = {MPI_INT, MPI_DATATYPE_NULL};
    MPI_Request q;
    MPI_Type_contiguous(2, MPI_INT, &pair);
    MPI_Type_commit(&pair);
    types[1] = pair;
    MPI_Neighbor_alltoallw(x, counts, sat, types, y, counts, rat, types, c);
    CHECK(y[2] == (rank + 3) % 4 && y[0] == 10 + (rank + 2) % 4 && y[1] == 20 + (rank + 2) % 4);
    MPI_Ineighbor_alltoallw(x, counts, sat, types, y, counts, rat, types, c, &q);
    MPI_Wait(&q, IGNORE);
    say_ints("got", y, 3);
    MPI_Type_free(&pair);
    MPI_Comm_free(&c);
}

const struct conf_case conf_cases[] = {
    CASE(dims_create),
    CASE(cart),
    CASE(cart_shift),
    CASE(cart_of_some),
    CASE(cart_sub),
    CASE(cart_of_no_dimension),
    CASE(cart_dup_and_map),
    CASE(graph),
    CASE(dist_graph_adjacent),
    CASE(dist_graph_from_one),
    CASE(dist_graph_with_weights),
    CASE(no_edges_at_all),
    CASE(neighbor_allgather),
    CASE(neighbor_alltoall_of_two),
    CASE(neighbor_v_forms),
    CASE(neighbor_alltoallw),
    END_OF_CASES,
};
