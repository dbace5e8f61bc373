/* SPDX-License-Identifier: BSD-3-Clause
 * Collectives with large counts where arguments mean nothing: MPI_IN_PLACE, null arrays of ranks that are no root,
 * intercommunicators; and calls with int counts on some ranks that meet calls with large ones on others.
 *
 * ranks: 4 */
#include <stdbool.h>
#include <string.h>

#include "conf_kit.h"

enum { MOST = 4, ROOT = 1, ROOM = 32 };

static int out[ROOM], in[ROOM];
static MPI_Request request;

/* Numbers that tell whose they are; nothing received so far. */
static void begin(void)
{
    for (int i = 0; i < ROOM; i++) {
        out[i] = 100 * (rank + 1) + i;
        in[i] = -1;
    }
}

static void begin_in_place(void)
{
    begin();
    memcpy(in, out, sizeof in);
}

static void waited(const char *call)
{
    MPI_Wait(&request, IGNORE);
    say_ints(call, in, 12);
}

/* Two elements for each, three apart; and the same in bytes. */
static const MPI_Count two[MOST] = {2, 2, 2, 2};
static const MPI_Aint at[MOST] = {0, 3, 6, 9}, bytes[MOST] = {0, 12, 24, 36};
static const MPI_Datatype types[MOST] = {MPI_INT, MPI_INT, MPI_INT, MPI_INT};

/* What is not looked at may be anything. */
static void in_place(void)
{
    begin_in_place();
    MPI_Alltoallv_c(MPI_IN_PLACE, NULL, NULL, MPI_DATATYPE_NULL, in, two, at, MPI_INT, WORLD);
    say_ints("MPI_Alltoallv_c", in, 12);
    MPI_Alltoallw_c(MPI_IN_PLACE, NULL, NULL, NULL, in, two, bytes, types, WORLD);
    say_ints("MPI_Alltoallw_c", in, 12);
    CHECK(in[3] == 100 * (rank + 1) + 3); /* there and back again */
    begin_in_place();
    MPI_Iallgatherv_c(MPI_IN_PLACE, -5, MPI_DATATYPE_NULL, in, two, at, MPI_INT, WORLD, &request);
    waited("MPI_Iallgatherv_c");
    CHECK(in[9] == 409);
    begin_in_place();
    MPI_Reduce_scatter_c(MPI_IN_PLACE, in, two, MPI_INT, MPI_SUM, WORLD);
    say_ints("MPI_Reduce_scatter_c", in, 2);
    CHECK(in[0] == 1000 + 4 * 2 * rank);
}

static void roots_alone_have_arrays(void)
{
    const bool root = rank == ROOT;
    begin_in_place();
    MPI_Gatherv_c(root ? MPI_IN_PLACE : out, root ? -5 : 2, root ? MPI_DATATYPE_NULL : MPI_INT, root ? in : NULL,
                  root ? two : NULL, root ? at : NULL, root ? MPI_INT : MPI_DATATYPE_NULL, ROOT, WORLD);
    say_ints("MPI_Gatherv_c", in, 12);
    begin();
    MPI_Scatterv_c(root ? out : NULL, root ? two : NULL, root ? at : NULL, root ? MPI_INT : MPI_DATATYPE_NULL,
                   root ? MPI_IN_PLACE : in, root ? -3 : 2, root ? MPI_DATATYPE_NULL : MPI_INT, ROOT, WORLD);
    say_ints("MPI_Scatterv_c", in, 2);
    CHECK(root || in[0] == 200 + 3 * rank);
    begin();
    MPI_Gatherv_init_c(out, 2, MPI_INT, root ? in : NULL, root ? two : NULL, root ? at : NULL, MPI_INT, ROOT, WORLD,
                       MPI_INFO_NULL, &request);
    for (int i = 0; i < 2; i++) {
        MPI_Start(&request);
        waited("MPI_Gatherv_init_c");
    }
    MPI_Request_free(&request);
}

/* Rank 0 on one side, all others on the other. */
static MPI_Comm between_groups(MPI_Comm *half)
{
    MPI_Comm both;
    MPI_Comm_split(WORLD, rank > 0, rank, half);
    MPI_Intercomm_create(*half, 0, WORLD, rank > 0 ? 0 : 1, 7, &both);
    return both;
}

static void all_between_groups(void)
{
    const MPI_Count three[1] = {3}, ones[3] = {1, 1, 1};
    MPI_Comm half, both = between_groups(&half);
    begin();
    MPI_Alltoallv_c(out, two, at, MPI_INT, in, two, at, MPI_INT, both);
    say_ints("MPI_Alltoallv_c", in, 12);
    begin();
    MPI_Ialltoallw_c(out, two, bytes, types, in, two, bytes, types, both, &request);
    waited("MPI_Ialltoallw_c");
    begin();
    MPI_Allgatherv_c(out, 2, MPI_INT, in, two, at, MPI_INT, both);
    say_ints("MPI_Allgatherv_c", in, 12);
    begin();
    MPI_Ireduce_scatter_c(out, in, rank > 0 ? ones : three, MPI_INT, MPI_SUM, both, &request);
    waited("MPI_Ireduce_scatter_c");
    CHECK(in[0] == (rank > 0 ? 100 + rank - 1 : 200 + 300 + 400));
    MPI_Comm_free(&both);
    MPI_Comm_free(&half);
}

/* The root is rank 0, then the second rank of the other side. */
static void roots_between_groups(void)
{
    MPI_Comm half, both = between_groups(&half);
    begin();
    if (rank == 0)
        MPI_Igatherv_c(NULL, 0, MPI_DATATYPE_NULL, in, two, at, MPI_INT, MPI_ROOT, both, &request);
    else
        MPI_Igatherv_c(out, 2, MPI_INT, NULL, NULL, NULL, MPI_DATATYPE_NULL, 0, both, &request);
    waited("MPI_Igatherv_c");
    CHECK(rank > 0 || in[6] == 400);
    begin();
    if (rank == 0)
        MPI_Scatterv_c(NULL, NULL, NULL, MPI_DATATYPE_NULL, in, 2, MPI_INT, 1, both);
    else if (rank == 2)
        MPI_Scatterv_c(out, two, at, MPI_INT, NULL, 0, MPI_DATATYPE_NULL, MPI_ROOT, both);
    else
        MPI_Scatterv_c(NULL, NULL, NULL, MPI_DATATYPE_NULL, NULL, 0, MPI_DATATYPE_NULL, MPI_PROC_NULL, both);
    say_ints("MPI_Scatterv_c", in, 2);
    CHECK(rank > 0 || in[0] == 300);
    MPI_Comm_free(&both);
    MPI_Comm_free(&half);
}

/* ---- calls of both kinds in one collective ---- */

/* NAME_c with the first arguments on ranks whose bit is set in `which`, NAME with the second ones on the others. */
#define MIXED(which, NAME, LARGE, SMALL) \
    do { \
        begin(); \
        if ((which) >> rank & 1) \
            MPI_##NAME##_c LARGE; \
        else \
            MPI_##NAME SMALL; \
        waited("MPI_" #NAME); \
    } while (0)

static void int_and_large(void)
{
    /* From each rank to each other one an own number of elements. */
    static const int table[MOST][MOST] = {{1, 2, 0, 3}, {2, 0, 1, 1}, {3, 1, 2, 0}, {0, 3, 1, 2}};
    const int displs[MOST] = {0, 4, 8, 12};
    const MPI_Aint places[MOST] = {0, 4, 8, 12};
    int from[MOST], to[MOST], column[MOST];
    MPI_Count from_c[MOST], to_c[MOST], column_c[MOST];
    for (int i = 0; i < MOST; i++) {
        to_c[i] = to[i] = table[rank][i];
        from_c[i] = from[i] = table[i][rank];
        column_c[i] = column[i] = table[i][ROOT];
    }
    for (int which = 1; which < 15; which += 3) {
        MIXED(which, Ialltoallv, (out, to_c, places, MPI_INT, in, from_c, places, MPI_INT, WORLD, &request),
              (out, to, displs, MPI_INT, in, from, displs, MPI_INT, WORLD, &request));
        MIXED(which, Igatherv, (out, to[ROOT], MPI_INT, in, column_c, places, MPI_INT, ROOT, WORLD, &request),
              (out, to[ROOT], MPI_INT, in, column, displs, MPI_INT, ROOT, WORLD, &request));
        MIXED(which, Iallgatherv, (out, to[ROOT], MPI_INT, in, column_c, places, MPI_INT, WORLD, &request),
              (out, to[ROOT], MPI_INT, in, column, displs, MPI_INT, WORLD, &request));
        MIXED(which, Ireduce_scatter, (out, in, column_c, MPI_INT, MPI_SUM, WORLD, &request),
              (out, in, column, MPI_INT, MPI_SUM, WORLD, &request));
        MIXED(which, Iallreduce, (out, in, 3, MPI_INT, MPI_MAX, WORLD, &request),
              (out, in, 3, MPI_INT, MPI_MAX, WORLD, &request));
        CHECK(in[2] == 402);
    }
}

const struct conf_case conf_cases[] = {
    CASE(in_place),           CASE(roots_alone_have_arrays),
    CASE(all_between_groups), CASE(roots_between_groups),
    CASE(int_and_large),      END_OF_CASES,
};
