/* SPDX-License-Identifier: BSD-3-Clause
 * Intercommunicators: 3 ranks on one side, 2 on the other; messages, collectives, merging.
 *
 * ranks: 5 */
#include "conf_kit.h"

static int low(void)
{
    return rank < 3;
} /* side of 3: 0 1 2; the other: 3 4 */

static MPI_Comm half;

static MPI_Comm make(void)
{
    MPI_Comm inter;
    MPI_Comm_split(WORLD, low(), 0, &half);
    MPI_Intercomm_create(half, 0, WORLD, low() ? 3 : 0, 12, &inter);
    return inter;
}

static void unmake(MPI_Comm inter)
{
    MPI_Comm_free(&inter);
    MPI_Comm_free(&half);
}

static void sizes(void)
{
    MPI_Comm inter = make();
    int is, n, remote, r;
    MPI_Group g;
    MPI_Comm_test_inter(inter, &is);
    MPI_Comm_size(inter, &n);
    MPI_Comm_remote_size(inter, &remote);
    MPI_Comm_rank(inter, &r);
    CHECK(is && n == (low() ? 3 : 2) && remote == 5 - n && r == (low() ? rank : rank - 3));
    MPI_Comm_remote_group(inter, &g);
    MPI_Group_size(g, &n);
    CHECK(n == remote);
    MPI_Group_free(&g);
    MPI_Comm_test_inter(half, &is);
    CHECK(!is);
    say("%d %d %d", r, n, remote);
    unmake(inter);
}

static void messages(void)
{
    MPI_Comm inter = make();
    MPI_Status st;
    int x = rank, y = -1;
    if (low()) {
        MPI_Send(&x, 1, MPI_INT, rank % 2, 4, inter);
        if (rank < 2)
            MPI_Recv(&y, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, inter, &st);
        CHECK(rank == 2 || (y == rank + 3 && st.MPI_SOURCE == rank));
    } else {
        for (int i = 0, n = rank == 3 ? 2 : 1, last = -1; i < n; i++) {
            MPI_Recv(&y, 1, MPI_INT, rank == 3 ? 2 * i : 1, 4, inter, &st);
            CHECK(y == st.MPI_SOURCE && y > last);
            last = y;
        }
        MPI_Send(&x, 1, MPI_INT, rank - 3, 5, inter);
    }
    say("%d", y);
    unmake(inter);
}

static void barrier_and_bcast(void)
{
    MPI_Comm inter = make();
    int x = rank == 1 ? 77 : -1;
    MPI_Barrier(inter);
    MPI_Bcast(&x, 1, MPI_INT, low() ? (rank == 1 ? MPI_ROOT : MPI_PROC_NULL) : 1, inter);
    CHECK(x == (low() && rank != 1 ? -1 : 77));
    say("%d", x);
    unmake(inter);
}

static void allgather_and_allreduce(void)
{
    MPI_Comm inter = make();
    int x = rank, all[3] = {-1, -1, -1}, sum = -1;
    MPI_Allgather(&x, 1, MPI_INT, all, 1, MPI_INT, inter);
    MPI_Allreduce(&x, &sum, 1, MPI_INT, MPI_SUM, inter);
    CHECK(all[1] == (low() ? 4 : 1) && sum == (low() ? 7 : 3));
    say_ints("got", all, 3);
    unmake(inter);
}

static void gather_scatter_reduce(void)
{
    MPI_Comm inter = make();
    int x = rank, all[3] = {-1, -1, -1}, sum = -1, got = -1;
    int root = low() ? 1 : rank == 4 ? MPI_ROOT : MPI_PROC_NULL;
    MPI_Gather(&x, 1, MPI_INT, all, 1, MPI_INT, root, inter);
    CHECK(rank != 4 || (all[0] == 0 && all[2] == 2));
    MPI_Reduce(&x, &sum, 1, MPI_INT, MPI_SUM, root, inter);
    CHECK(sum == (rank == 4 ? 3 : -1));
    MPI_Scatter(all, 1, MPI_INT, &got, 1, MPI_INT, root, inter);
    CHECK(got == (low() ? rank : -1));
    say("%d %d %d", all[1], sum, got);
    unmake(inter);
}

static void alltoall(void)
{
    MPI_Comm inter = make();
    int x[3] = {10 * rank, 10 * rank + 1, 10 * rank + 2}, y[3] = {-1, -1, -1};
    MPI_Alltoall(x, 1, MPI_INT, y, 1, MPI_INT, inter);
    CHECK(y[0] == (low() ? 30 + rank : rank - 3));
    say_ints("got", y, 3);
    unmake(inter);
}

static void merge(void)
{
    MPI_Comm inter = make(), all;
    int r, n, x, sum;
    MPI_Intercomm_merge(inter, low(), &all);
    MPI_Comm_rank(all, &r);
    MPI_Comm_size(all, &n);
    CHECK(n == 5 && r == (low() ? rank + 2 : rank - 3));
    x = rank;
    MPI_Allreduce(&x, &sum, 1, MPI_INT, MPI_SUM, all);
    CHECK(sum == 10);
    say("%d of %d", r, n);
    MPI_Comm_free(&all);
    unmake(inter);
}

static void dup_and_compare(void)
{
    MPI_Comm inter = make(), copy;
    int how, is, x = rank, y = -1;
    MPI_Comm_dup(inter, &copy);
    MPI_Comm_compare(inter, copy, &how);
    MPI_Comm_test_inter(copy, &is);
    CHECK(how == MPI_CONGRUENT && is);
    MPI_Comm_compare(inter, half, &how);
    CHECK(how == MPI_UNEQUAL);
    if (rank == 0)
        MPI_Send(&x, 1, MPI_INT, 1, 0, copy);
    if (rank == 4)
        MPI_Recv(&y, 1, MPI_INT, 0, 0, copy, IGNORE);
    CHECK(rank != 4 || y == 0);
    say("%d", y);
    MPI_Comm_free(&copy);
    unmake(inter);
}

/* Each side splits by its own colours; equal colours find each other. */
static void split(void)
{
    MPI_Comm inter = make(), part;
    int remote = -1, n = -1;
    MPI_Comm_split(inter, rank % 2, 0, &part);
    if (part != MPI_COMM_NULL) {
        MPI_Comm_size(part, &n);
        MPI_Comm_remote_size(part, &remote);
        MPI_Comm_free(&part);
    }
    CHECK(n == (low() && rank % 2 == 0 ? 2 : 1) && remote == (!low() && rank == 4 ? 2 : 1));
    say("%d %d", n, remote);
    unmake(inter);
}

const struct conf_case conf_cases[] = {
    CASE(sizes),
    CASE(messages),
    CASE(barrier_and_bcast),
    CASE(allgather_and_allreduce),
    CASE(gather_scatter_reduce),
    CASE(alltoall),
    CASE(merge),
    CASE(dup_and_compare),
    CASE(split),
    END_OF_CASES,
};
