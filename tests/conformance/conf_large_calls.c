/* SPDX-License-Identifier: BSD-3-Clause
 * Messages and collectives by the calls with large counts: each moves what its twin with int counts does.
 *
 * ranks: 4 */
#include <string.h>

#include "conf_kit.h"

enum { MOST = 4, ROOT = 1 };

static int out[16], in[16];
static MPI_Request request;
static MPI_Status status;

/* Numbers that tell whose they are; nothing received so far. */
static void begin(void)
{
    for (int i = 0; i < 16; i++) {
        out[i] = 100 * (rank + 1) + i;
        in[i] = -1;
    }
}

/* What this rank has got by the call. */
static void got(const char *call)
{
    say_ints(call, in, 16);
    begin();
}

/* ---- messages ---- */

static int next(void)
{
    return (rank + 1) % size;
}

static int previous(void)
{
    return (rank + size - 1) % size;
}

static void receive(const char *call)
{
    MPI_Recv_c(in, 3, MPI_INT, previous(), 5, WORLD, &status);
    CHECK(status.MPI_SOURCE == previous());
    got(call);
}

/* A blocking send that waits until it is received, from rank 0 only. */
static void blocking_sends(void)
{
    begin();
    MPI_Send_c(out, 2, MPI_INT, next(), 5, WORLD);
    receive("MPI_Send_c");
    if (rank == 0)
        MPI_Ssend_c(out, 3, MPI_INT, next(), 5, WORLD);
    else if (rank == 1)
        receive("MPI_Ssend_c");
    meet();
    MPI_Irecv_c(in, 3, MPI_INT, previous(), 5, WORLD, &request);
    meet();
    MPI_Rsend_c(out, 3, MPI_INT, next(), 5, WORLD);
    MPI_Wait(&request, &status);
    got("MPI_Rsend_c");
    MPI_Sendrecv_c(out, 2, MPI_INT, next(), 5, in, 4, MPI_INT, previous(), 5, WORLD, &status);
    got("MPI_Sendrecv_c");
    memcpy(in, out, sizeof in);
    MPI_Sendrecv_replace_c(in, 2, MPI_INT, next(), 5, previous(), 5, WORLD, &status);
    got("MPI_Sendrecv_replace_c");
}

static void sent(const char *call)
{
    MPI_Recv_c(in, 3, MPI_INT, previous(), 5, WORLD, &status);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    got(call);
}

static void nonblocking_sends(void)
{
    static char room[4096];
    int bytes;
    void *was;
    begin();
    MPI_Buffer_attach(room, sizeof room);
    MPI_Isend_c(out, 2, MPI_INT, next(), 5, WORLD, &request);
    sent("MPI_Isend_c");
    MPI_Ibsend_c(out + 1, 2, MPI_INT, next(), 5, WORLD, &request);
    sent("MPI_Ibsend_c");
    MPI_Issend_c(out + 2, 2, MPI_INT, next(), 5, WORLD, &request);
    sent("MPI_Issend_c");
    MPI_Request r;
    MPI_Irecv_c(in, 3, MPI_INT, previous(), 5, WORLD, &r);
    meet();
    MPI_Irsend_c(out + 3, 2, MPI_INT, next(), 5, WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Wait(&r, &status);
    got("MPI_Irsend_c");
    MPI_Isendrecv_c(out, 2, MPI_INT, next(), 5, in, 4, MPI_INT, previous(), 5, WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    got("MPI_Isendrecv_c");
    memcpy(in, out, sizeof in);
    MPI_Isendrecv_replace_c(in, 2, MPI_INT, next(), 5, previous(), 5, WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    got("MPI_Isendrecv_replace_c");
    MPI_Buffer_detach(&was, &bytes);
}

static void matched_messages(void)
{
    MPI_Message m;
    begin();
    for (int i = 0; i < 2; i++) {
        MPI_Send_c(out + i, 2, MPI_INT, next(), 5, WORLD);
        MPI_Mprobe(previous(), 5, WORLD, &m, &status);
        if (i == 0) {
            MPI_Mrecv_c(in, 3, MPI_INT, &m, &status);
        } else {
            MPI_Imrecv_c(in, 3, MPI_INT, &m, &request);
            MPI_Wait(&request, MPI_STATUS_IGNORE);
        }
        CHECK(m == MPI_MESSAGE_NULL);
        got(i == 0 ? "MPI_Mrecv_c" : "MPI_Imrecv_c");
    }
}

/* Starts the request, which sends, and receives. */
static void started(const char *call)
{
    MPI_Request r;
    MPI_Recv_init_c(in, 3, MPI_INT, previous(), 5, WORLD, &r);
    MPI_Start(&r);
    meet();
    MPI_Start(&request);
    MPI_Wait(&r, &status);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Request_free(&request);
    MPI_Request_free(&r);
    got(call);
}

static void persistent_sends(void)
{
    static char room[4096];
    int bytes;
    void *was;
    begin();
    MPI_Buffer_attach(room, sizeof room);
    MPI_Send_init_c(out, 2, MPI_INT, next(), 5, WORLD, &request);
    started("MPI_Send_init_c");
    MPI_Bsend_init_c(out + 1, 2, MPI_INT, next(), 5, WORLD, &request);
    started("MPI_Bsend_init_c");
    MPI_Ssend_init_c(out + 2, 2, MPI_INT, next(), 5, WORLD, &request);
    started("MPI_Ssend_init_c");
    MPI_Rsend_init_c(out + 3, 2, MPI_INT, next(), 5, WORLD, &request);
    started("MPI_Rsend_init_c");
    MPI_Buffer_detach(&was, &bytes);
}

/* ---- collectives: each blocking, nonblocking and persistent ---- */

static const MPI_Count counts[MOST] = {1, 2, 1, 2};
static const MPI_Aint displs[MOST] = {0, 2, 5, 6}, bytes[MOST] = {0, 8, 20, 24};
static const MPI_Datatype types[MOST] = {MPI_INT, MPI_INT, MPI_INT, MPI_INT};

static void waited(const char *call)
{
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    got(call);
}

static void run(const char *call)
{
    MPI_Start(&request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Request_free(&request);
    got(call);
}

/* A collective NAME with these arguments, and its nonblocking and persistent forms. */
#define THREE(NAME, INAME, ...) \
    MPI_##NAME##_c(__VA_ARGS__, WORLD); \
    got(#NAME); \
    MPI_##INAME##_c(__VA_ARGS__, WORLD, &request); \
    waited(#INAME); \
    MPI_##NAME##_init_c(__VA_ARGS__, WORLD, MPI_INFO_NULL, &request); \
    run(#NAME " persistent")

static void data(void)
{
    begin();
    int *both = rank == ROOT ? out : in;
    THREE(Bcast, Ibcast, both, 3, MPI_INT, ROOT);
    THREE(Gather, Igather, out, 2, MPI_INT, in, 2, MPI_INT, ROOT);
    THREE(Gatherv, Igatherv, out, counts[rank], MPI_INT, in, counts, displs, MPI_INT, ROOT);
    THREE(Scatter, Iscatter, out, 2, MPI_INT, in, 2, MPI_INT, ROOT);
    THREE(Scatterv, Iscatterv, out, counts, displs, MPI_INT, in, counts[rank], MPI_INT, ROOT);
    THREE(Allgather, Iallgather, out, 2, MPI_INT, in, 2, MPI_INT);
    THREE(Allgatherv, Iallgatherv, out, counts[rank], MPI_INT, in, counts, displs, MPI_INT);
}

static void all_to_all(void)
{
    const MPI_Count mine[MOST] = {counts[rank], counts[rank], counts[rank], counts[rank]};
    begin();
    THREE(Alltoall, Ialltoall, out, 2, MPI_INT, in, 2, MPI_INT);
    THREE(Alltoallv, Ialltoallv, out, mine, displs, MPI_INT, in, counts, displs, MPI_INT);
    THREE(Alltoallw, Ialltoallw, out, mine, bytes, types, in, counts, bytes, types);
}

static void reductions(void)
{
    begin();
    THREE(Reduce, Ireduce, out, in, 3, MPI_INT, MPI_SUM, ROOT);
    THREE(Allreduce, Iallreduce, out, in, 3, MPI_INT, MPI_MAX);
    THREE(Reduce_scatter, Ireduce_scatter, out, in, counts, MPI_INT, MPI_SUM);
    THREE(Reduce_scatter_block, Ireduce_scatter_block, out, in, 2, MPI_INT, MPI_SUM);
    THREE(Scan, Iscan, out, in, 3, MPI_INT, MPI_SUM);
    in[0] = in[1] = 0; /* of rank 0 nothing is received */
    THREE(Exscan, Iexscan, out, in, 3, MPI_INT, MPI_SUM);
    memcpy(in, out + 4, sizeof in / 2);
    MPI_Reduce_local_c(out, in, 3, MPI_INT, MPI_MIN);
    got("MPI_Reduce_local_c");
}

/* ---- neighbours in a ring ---- */

#define RING(NAME, ...) \
    MPI_N##NAME##_c(__VA_ARGS__, ring); \
    got(#NAME); \
    MPI_In##NAME##_c(__VA_ARGS__, ring, &request); \
    waited(#NAME " nonblocking"); \
    MPI_N##NAME##_init_c(__VA_ARGS__, ring, MPI_INFO_NULL, &request); \
    run(#NAME " persistent")

static void neighbours(void)
{
    const int dims[] = {size}, periods[] = {1};
    const MPI_Count two[] = {2, 1}, one[] = {1, 2};
    const MPI_Aint at[] = {0, 3}, offset[] = {0, 12};
    const MPI_Count from[] = {2, 2};
    MPI_Comm ring;
    MPI_Cart_create(WORLD, 1, dims, periods, 0, &ring);
    begin();
    RING(eighbor_allgather, out, 2, MPI_INT, in, 2, MPI_INT);
    RING(eighbor_allgatherv, out, 2, MPI_INT, in, from, at, MPI_INT);
    RING(eighbor_alltoall, out, 2, MPI_INT, in, 2, MPI_INT);
    RING(eighbor_alltoallv, out, two, at, MPI_INT, in, one, at, MPI_INT);
    RING(eighbor_alltoallw, out, two, offset, types, in, one, offset, types);
    MPI_Comm_free(&ring);
}

/* ---- mistakes ---- */

/* One that MPI_Count can have and int cannot is told as any other. */
static void negative_counts(void)
{
    const MPI_Count below = -((MPI_Count)1 << 40);
    MPI_Comm_set_errhandler(WORLD, MPI_ERRORS_RETURN);
    CHECK(class_of(MPI_Send_c(out, below, MPI_INT, next(), 5, WORLD)) == MPI_ERR_COUNT);
    CHECK(class_of(MPI_Recv_c(in, below, MPI_INT, previous(), 5, WORLD, &status)) == MPI_ERR_COUNT);
    int rc = MPI_Isend_c(out, below, MPI_INT, next(), 5, WORLD, &request);
    CHECK(class_of(rc) == MPI_ERR_COUNT);
    say("%d", class_of(rc));
}

const struct conf_case conf_cases[] = {
    CASE(blocking_sends), CASE(nonblocking_sends), CASE(matched_messages), CASE(persistent_sends), CASE(data),
    CASE(all_to_all),     CASE(reductions),        CASE(neighbours),       CASE(negative_counts),  END_OF_CASES,
};
