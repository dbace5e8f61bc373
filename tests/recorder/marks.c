/* SPDX-License-Identifier: BSD-3-Clause
 * A slice as the plugin would leave it, made by hand: marks, sites, null buffers.
 * marks.expected has the events of rank 1 of 3; with an argument, one call has lost its mark and the run must end in
 * an error. */
#include <mpi.h>
#include <stdio.h>
#include <string.h>

#define W MPI_COMM_WORLD

__attribute__((section(".cs_site"), used)) volatile int cs_site = -1;

enum {
    INIT, SEND0, RECV0, ISEND0, IRECV0, WAITALL, ALLREDUCE0, BCAST2, SEND2, RECV2, SEND_INIT0, RECV_INIT0, STARTALL,
    WAITANY, IBCAST0, FINALIZE, ISEND1, IRECV1, SENDRECV0, SPLIT, WAITSOME, TESTALL, ALLREDUCE2, BCAST0, RANK
};

#define SITE(id, line, call, mark) \
    ".ascii \"site\\t" #id "\\tmarks.f90\\t" #line "\\tmain\\t" call "\\t" #mark "\\n\"\n"
__asm__(".section .commslice,\"\",@progbits\n"
        ".ascii \"commslice-slice 1\\nmode\\tslice\\n\"\n"
        SITE(0, 100, "MPI_Init", 2) SITE(1, 101, "MPI_Send", 0) SITE(2, 102, "MPI_Recv", 0) SITE(3, 103, "MPI_Isend", 0)
        SITE(4, 104, "MPI_Irecv", 0) SITE(5, 105, "MPI_Waitall", 0) SITE(6, 106, "MPI_Allreduce", 0)
        SITE(7, 107, "MPI_Bcast", 2)
        SITE(8, 108, "MPI_Send", 2) SITE(9, 109, "MPI_Recv", 2) SITE(10, 110, "MPI_Send_init", 0)
        SITE(11, 111, "MPI_Recv_init", 0)
        SITE(12, 112, "MPI_Startall", 0) SITE(13, 113, "MPI_Waitany", 0) SITE(14, 114, "MPI_Ibcast", 0)
        SITE(15, 115, "MPI_Finalize", 2) SITE(16, 116, "MPI_Isend", 1) SITE(17, 117, "MPI_Irecv", 1)
        SITE(18, 118, "MPI_Sendrecv", 0) SITE(19, 119, "MPI_Comm_split", 0) SITE(20, 120, "MPI_Waitsome", 0)
        SITE(21, 121, "MPI_Testall", 0) SITE(22, 122, "MPI_Allreduce", 2) SITE(23, 123, "MPI_Bcast", 0)
        SITE(24, 124, "MPI_Comm_rank", 0)
        ".ascii \"assume\\tmarks.f90:5=never\\t12\\n\"\n"
        ".text\n");

/* The word that the wrapper reads; the name of the site says the mark. */
#define AT(site, mark) (cs_site = (site) << 2 | (mark))

static int rank, size, right, left, failures;

static void expect(int ok, const char *what)
{
    if (ok)
        return;
    printf("rank %d: %s\n", rank, what);
    failures++;
}

static void unmarked_messages(void)
{
    int n;
    MPI_Status st;
    AT(SEND0, 0), MPI_Send(NULL, 100, MPI_INT, right, 1, W);
    AT(RECV0, 0), MPI_Recv(NULL, 100, MPI_INT, left, 1, W, &st);
    MPI_Get_count(&st, MPI_INT, &n);
    expect(st.MPI_SOURCE == left && st.MPI_TAG == 1 && n == 100, "status of an unmarked Recv");
    AT(SENDRECV0, 0), MPI_Sendrecv(NULL, 1, MPI_INT, right, 6, NULL, 1, MPI_INT, left, 6, W, &st);
    expect(st.MPI_SOURCE == left && st.MPI_TAG == 6, "status of an unmarked Sendrecv");
}

/* Fake and real requests in one array; the real ones are envelopes whose status counts. */
static void mixed_requests(void)
{
    int n;
    MPI_Request q[4];
    MPI_Status st[4];
    AT(IRECV0, 0), MPI_Irecv(NULL, 10, MPI_DOUBLE, left, 2, W, &q[0]);
    AT(ISEND0, 0), MPI_Isend(NULL, 10, MPI_DOUBLE, right, 2, W, &q[1]);
    AT(IRECV1, 1), MPI_Irecv(NULL, 100000, MPI_DOUBLE, MPI_ANY_SOURCE, 3, W, &q[2]);
    AT(ISEND1, 1), MPI_Isend(NULL, 10000 * (rank + 1), MPI_DOUBLE, right, 3, W, &q[3]);
    AT(WAITALL, 0), MPI_Waitall(4, q, st);
    MPI_Get_count(&st[2], MPI_DOUBLE, &n);
    expect(n == 10000 * (left + 1) && st[2].MPI_SOURCE == left, "status of an envelope");
    expect(st[0].MPI_SOURCE == left && st[0].MPI_TAG == 2, "status of a fake request");
    for (int i = 0; i < 4; i++)
        expect(q[i] == MPI_REQUEST_NULL, "request is done");
}

static void persistent_requests(void)
{
    int n, at[2];
    MPI_Request q[2];
    MPI_Status st[2];
    AT(SEND_INIT0, 0), MPI_Send_init(NULL, 1, MPI_INT, right, 5, W, &q[0]);
    AT(RECV_INIT0, 0), MPI_Recv_init(NULL, 1, MPI_INT, left, 5, W, &q[1]);
    for (int i = 0; i < 3; i++) {
        AT(STARTALL, 0), MPI_Startall(2, q);
        AT(WAITSOME, 0), MPI_Waitsome(2, q, &n, at, st);
        expect(n == 2, "Waitsome of fake requests");
        AT(WAITANY, 0), MPI_Waitany(2, q, &n, st);
        expect(n == MPI_UNDEFINED, "Waitany of inactive requests");
    }
}

static void collectives(void)
{
    int b = rank == 0 ? 42 : 0, flag;
    MPI_Comm half;
    MPI_Request q;
    AT(ALLREDUCE0, 0), MPI_Allreduce(NULL, NULL, 5, MPI_INT, MPI_SUM, W);
    AT(BCAST2, 2), MPI_Bcast(&b, 1, MPI_INT, 0, W);
    expect(b == 42, "marked Bcast");
    AT(SPLIT, 0), MPI_Comm_split(W, rank % 2, 0, &half);
    AT(IBCAST0, 0), MPI_Ibcast(NULL, 7, MPI_INT, 0, half, &q);
    AT(TESTALL, 0), MPI_Testall(1, &q, &flag, MPI_STATUSES_IGNORE);
    expect(flag, "Testall of a fake request");
    /* A word that is left over from a call that is no event says nothing about a call of unknown code. */
    b = rank;
    AT(RANK, 0), MPI_Comm_rank(W, &flag);
    MPI_Allreduce(MPI_IN_PLACE, &b, 1, MPI_INT, MPI_MAX, W);
    expect(b == size - 1, "call without a site");
}

static void marked_messages(const char *lost)
{
    int x = rank, y = -1;
    if (strcmp(lost, "send") == 0 && rank == 0)
        AT(SEND0, 0);
    else
        AT(SEND2, 2);
    MPI_Send(&x, 1, MPI_INT, right, 4, W);
    if (strcmp(lost, "recv") == 0 && rank == 1)
        AT(RECV0, 0);
    else
        AT(RECV2, 2);
    MPI_Recv(&y, 1, MPI_INT, left, 4, W, MPI_STATUS_IGNORE);
    if (*lost == 0)
        expect(y == left, "marked Recv");
}

static void lost_collectives(const char *lost)
{
    int x = rank, y;
    for (int i = 0; strcmp(lost, "bcast") == 0 && i < 300; i++)
        AT(ALLREDUCE0, 0), MPI_Allreduce(NULL, NULL, 1, MPI_INT, MPI_SUM, W);
    if (strcmp(lost, "bcast") == 0)
        rank == 1 ? AT(BCAST0, 0) : AT(BCAST2, 2), MPI_Bcast(&x, 1, MPI_INT, 0, W);
    if (strcmp(lost, "allreduce") == 0)
        rank == 1 ? AT(ALLREDUCE0, 0) : AT(ALLREDUCE2, 2), MPI_Allreduce(&x, &y, 1, MPI_INT, MPI_SUM, W);
}

int main(int argc, char **argv)
{
    const char *lost = argc > 1 ? argv[1] : "";
    AT(INIT, 2), MPI_Init(&argc, &argv);
    MPI_Comm_rank(W, &rank);
    MPI_Comm_size(W, &size);
    right = (rank + 1) % size;
    left = (rank + size - 1) % size;
    unmarked_messages();
    mixed_requests();
    persistent_requests();
    collectives();
    marked_messages(lost);
    lost_collectives(lost);
    AT(FINALIZE, 2), MPI_Finalize();
    return failures != 0;
}
