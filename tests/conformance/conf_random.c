/* SPDX-License-Identifier: BSD-3-Clause
 * Random programs: all ranks draw the same steps from the same numbers. What each rank has received is hashed after
 * each step. Messages do not depend on timing, so both engines must agree on every line and every event. CS_SEED=N
 * draws others.
 *
 * ranks: 4 */
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "conf_kit.h"

enum { STEPS = 60, MOST = 3000, RANKS = 4 };

static uint64_t state;
static uint64_t hash;
static int step;

static int draw(int below)
{
    state += 0x9e3779b97f4a7c15u;
    uint64_t x = state;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return (int)((x ^ x >> 31) % (uint64_t)below);
}

/* Mostly small, sometimes above the limits at which MPICH takes another way. */
static int draw_count(void)
{
    return draw(4) ? draw(20) : draw(MOST / RANKS);
}

static void fold(const void *data, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++)
        hash = (hash ^ ((const unsigned char *)data)[i]) * 0x100000001b3u;
}

/* What a rank sends in this step. */
static int *fill(int salt)
{
    int *x = malloc(MOST * sizeof *x);
    for (int i = 0; i < MOST; i++)
        x[i] = 1000003 * (rank + 1) + 7919 * step + 31 * salt + i;
    return x;
}

static int *blank(void)
{
    int *y = malloc(MOST * sizeof *y);
    memset(y, 0x55, MOST * sizeof *y);
    return y;
}

/* ---- point to point ---- */

/* A type whose elements are n ints each, in one of several layouts. */
static MPI_Datatype draw_type(int *n)
{
    int lengths[2] = {1 + draw(2), 1}, displs[2] = {draw(3), 5 + draw(3)};
    MPI_Datatype t, resized;
    switch (draw(4)) {
    case 0:
        *n = 1;
        MPI_Type_dup(MPI_INT, &t);
        break;
    case 1:
        *n = 3;
        MPI_Type_vector(3, 1, 2, MPI_INT, &t);
        break;
    case 2:
        *n = lengths[0] + lengths[1];
        MPI_Type_indexed(2, lengths, displs, MPI_INT, &t);
        break;
    default:
        *n = 2;
        MPI_Type_contiguous(2, MPI_INT, &resized);
        MPI_Type_create_resized(resized, 0, 16, &t);
        MPI_Type_free(&resized);
        break;
    }
    MPI_Type_commit(&t);
    return t;
}

static void shift(void)
{
    int by = draw(RANKS), n, count, *x = fill(0), *y = blank();
    MPI_Datatype t = draw_type(&n);
    MPI_Status st;
    count = draw(100);
    if (draw(2))
        MPI_Sendrecv(x, count, t, (rank + by) % size, step, y, count * n, MPI_INT, (rank + size - by) % size, step,
                     WORLD, &st);
    else
        MPI_Sendrecv(x, count * n, MPI_INT, (rank + by) % size, step, y, count, t, (rank + size - by) % size, step,
                     WORLD, &st);
    MPI_Get_count(&st, MPI_INT, &count);
    fold(&count, sizeof count);
    fold(y, MOST * sizeof *y);
    free(x);
    free(y);
    MPI_Type_free(&t);
}

/* The end of all requests in one of several ways; the number of calls is always the same. */
static void finish(int n, MPI_Request *q)
{
    int way = draw(4), flag = 0;
    if (way == 0)
        MPI_Waitall(n, q, MPI_STATUSES_IGNORE);
    for (int i = n - 1; way == 1 && i >= 0; i--)
        MPI_Wait(&q[i], IGNORE);
    for (int i = 0; way == 2 && i < n; i++) {
        int which;
        MPI_Waitany(n, q, &which, IGNORE);
    }
    while (way == 3 && !flag)
        MPI_Testall(n, q, &flag, MPI_STATUSES_IGNORE);
}

static int isend(const int *x, int count, int to, int tag, MPI_Request *q)
{
    switch (draw(3)) {
    case 0: return MPI_Issend(x, count, MPI_INT, to, tag, WORLD, q);
    default: return MPI_Isend(x, count, MPI_INT, to, tag, WORLD, q);
    }
}

/* Random pairs exchange several messages; on both sides in an order of its own, so tags and order of posting decide
 * what goes where. */
static void exchange(void)
{
    enum { N = 12 };
    int from[N], to[N], tag[N], count[N], *x[N], *y[N], nq = 0, start = draw(N);
    MPI_Request q[2 * N];
    for (int i = 0; i < N; i++) {
        from[i] = draw(RANKS);
        to[i] = draw(RANKS);
        tag[i] = draw(3);
        count[i] = draw_count();
        x[i] = fill(i);
        y[i] = blank();
    }
    bool receives_first = draw(2);
    for (int round = 0; round < 2; round++)
        for (int k = 0; k < N; k++) {
            int i = (start + k) % N;
            if (receives_first == (round == 0) && to[i] == rank)
                MPI_Irecv(y[i], MOST, MPI_INT, from[i], tag[i], WORLD, &q[nq++]);
            else if (receives_first != (round == 0) && from[i] == rank)
                isend(x[i], count[i], to[i], tag[i], &q[nq++]);
        }
    finish(nq, q);
    for (int i = 0; i < N; i++) {
        fold(y[i], MOST * sizeof *y[i]);
        free(x[i]);
        free(y[i]);
    }
}

static void persistent(void)
{
    int count = draw_count(), by = 1 + draw(RANKS - 1), rounds = 1 + draw(3), *x = fill(1), *y = blank(),
        synchronous = draw(2);
    MPI_Request q[2];
    MPI_Recv_init(y, count, MPI_INT, (rank + size - by) % size, step, WORLD, &q[0]);
    if (synchronous)
        MPI_Ssend_init(x, count, MPI_INT, (rank + by) % size, step, WORLD, &q[1]);
    else
        MPI_Send_init(x, count, MPI_INT, (rank + by) % size, step, WORLD, &q[1]);
    for (int i = 0; i < rounds; i++) {
        x[0] = i;
        MPI_Startall(2, q);
        MPI_Waitall(2, q, MPI_STATUSES_IGNORE);
        fold(y, MOST * sizeof *y);
    }
    MPI_Request_free(&q[0]);
    MPI_Request_free(&q[1]);
    free(x);
    free(y);
}

/* One sender; the others find out tag and count, or source and count: not both, as messages of later steps may be there
 * already. */
static void probe(void)
{
    int sender = draw(RANKS), counts[RANKS], tags[RANKS], *x = fill(2), *y = blank(), matched = draw(2), n;
    MPI_Status st;
    MPI_Message m;
    for (int i = 0; i < RANKS; i++) {
        counts[i] = draw_count();
        tags[i] = 1000 * (step + 1) + draw(1000);
    }
    if (rank == sender) {
        for (int i = 0; i < size; i++)
            if (i != rank)
                MPI_Send(x, counts[i], MPI_INT, i, tags[i], WORLD);
    } else {
        if (matched)
            MPI_Mprobe(MPI_ANY_SOURCE, tags[rank], WORLD, &m, &st);
        else
            MPI_Probe(sender, MPI_ANY_TAG, WORLD, &st);
        MPI_Get_count(&st, MPI_INT, &n);
        CHECK(st.MPI_SOURCE == sender && st.MPI_TAG == tags[rank] && n == counts[rank]);
        if (matched)
            MPI_Mrecv(y, n, MPI_INT, &m, &st);
        else
            MPI_Recv(y, n, MPI_INT, st.MPI_SOURCE, st.MPI_TAG, WORLD, &st);
    }
    fold(y, MOST * sizeof *y);
    free(x);
    free(y);
}

/* ---- collective calls ---- */

static void draw_parts(int *counts, int *displs)
{
    for (int i = 0, at = 0; i < RANKS; i++) {
        counts[i] = draw(2) ? draw(30) : 0;
        displs[i] = at;
        at += counts[i] + draw(3);
    }
}

static void collective(MPI_Comm comm, int n, int me)
{
    int count = draw_count(), root = draw(RANKS) % n, counts[RANKS], displs[RANKS], *x = fill(3), *y = blank();
    bool in_place = draw(2);
    draw_parts(counts, displs);
    switch (draw(12)) {
    case 0: MPI_Bcast(me == root ? x : y, count, MPI_INT, root, comm); break;
    case 1: MPI_Gather(x, count, MPI_INT, y, count, MPI_INT, root, comm); break;
    case 2: MPI_Gatherv(x, counts[me], MPI_INT, y, counts, displs, MPI_INT, root, comm); break;
    case 3: MPI_Scatter(x, count, MPI_INT, y, count, MPI_INT, root, comm); break;
    case 4: MPI_Scatterv(x, counts, displs, MPI_INT, y, counts[me], MPI_INT, root, comm); break;
    case 5: MPI_Allgather(in_place ? MPI_IN_PLACE : x, count, MPI_INT, y, count, MPI_INT, comm); break;
    case 6: MPI_Allgatherv(x, counts[me], MPI_INT, y, counts, displs, MPI_INT, comm); break;
    case 7: MPI_Alltoall(in_place ? MPI_IN_PLACE : x, count, MPI_INT, y, count, MPI_INT, comm); break;
    case 8: MPI_Reduce(in_place && me == root ? MPI_IN_PLACE : x, y, count, MPI_INT, MPI_BXOR, root, comm); break;
    case 9: MPI_Allreduce(in_place ? MPI_IN_PLACE : x, y, count, MPI_INT, MPI_MIN, comm); break;
    case 10: MPI_Scan(x, y, count, MPI_INT, MPI_SUM, comm); break;
    default: MPI_Barrier(comm); break;
    }
    fold(y, MOST * sizeof *y);
    free(x);
    free(y);
}

static void collective_in_world(void)
{
    collective(WORLD, size, rank);
}

/* All of them in a random part of the world, in a random order of ranks. */
static void collective_in_part(void)
{
    int colors[RANKS], keys[RANKS], n, me;
    MPI_Comm part, copy;
    for (int i = 0; i < RANKS; i++) {
        colors[i] = draw(2);
        keys[i] = draw(5);
    }
    bool twice = draw(2);
    MPI_Comm_split(WORLD, colors[rank], keys[rank], &part);
    if (twice) {
        MPI_Comm_dup(part, &copy);
        MPI_Comm_free(&part);
        part = copy;
    }
    MPI_Comm_size(part, &n);
    MPI_Comm_rank(part, &me);
    fold(&me, sizeof me);
    collective(part, n, me);
    MPI_Comm_free(&part);
}

/* Several at a time, completed in another order. */
static void nonblocking(void)
{
    int count = draw_count(), root = draw(RANKS), *x = fill(4), *y[4];
    MPI_Request q[5];
    for (int i = 0; i < 4; i++)
        y[i] = blank();
    MPI_Iallreduce(x, y[0], count, MPI_INT, MPI_MAX, WORLD, &q[0]);
    if (rank == root)
        memcpy(y[1], x, (size_t)count * sizeof *x);
    MPI_Ibcast(y[1], count, MPI_INT, root, WORLD, &q[1]);
    MPI_Iallgather(x, count, MPI_INT, y[2], count, MPI_INT, WORLD, &q[2]);
    MPI_Ibarrier(WORLD, &q[3]);
    MPI_Ialltoall(x, count, MPI_INT, y[3], count, MPI_INT, WORLD, &q[4]);
    finish(5, q);
    for (int i = 0; i < 4; i++) {
        fold(y[i], MOST * sizeof *y[i]);
        free(y[i]);
    }
    free(x);
}

static void run(int seed)
{
    static void (*const steps[])(void) = {
        shift,      exchange, exchange, persistent, probe, collective_in_world, collective_in_world, collective_in_part,
        nonblocking};
    seed += getenv("CS_SEED") ? 6 * atoi(getenv("CS_SEED")) : 0;
    hash = 0xcbf29ce484222325u;
    for (step = 0; step < STEPS; step++) {
        state = 1000003u * (uint64_t)seed + 7919u * (uint64_t)step; /* all ranks draw the same again */
        int what = draw((int)(sizeof steps / sizeof steps[0]));
        steps[what]();
        say("step %d, %d: %016llx", step, what, (unsigned long long)hash);
    }
}

static void program_1(void)
{
    run(1);
}
static void program_2(void)
{
    run(2);
}
static void program_3(void)
{
    run(3);
}
static void program_4(void)
{
    run(4);
}
static void program_5(void)
{
    run(5);
}
static void program_6(void)
{
    run(6);
}

const struct conf_case conf_cases[] = {
    CASE(program_1), CASE(program_2), CASE(program_3), CASE(program_4), CASE(program_5), CASE(program_6), END_OF_CASES,
};
