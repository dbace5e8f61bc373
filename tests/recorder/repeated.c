/* SPDX-License-Identifier: BSD-3-Clause
 * A slice as the plugin would leave it, made by hand: marks, sites, and loops that ask for their further turns. Prints
 * how many turns ran. Arguments: all, or one of the parts; "odd" in front: odd ranks repeat nothing; "closes",
 * "limits", "renames": what is bad for the log of answers; what is wrong: message, collective. */
#include <fcntl.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "../../api/repeated_turns.h"

#define W MPI_COMM_WORLD

__attribute__((section(".cs_site"), used)) volatile int cs_site = -1;
/* A macro of the C library may stand for labs, so not its address as it is. */
__attribute__((section(".cs_turns"), used)) cs_turns_function *volatile turns = (cs_turns_function *)(labs);

enum {
    INIT,
    SEND0,
    RECV0,
    ISEND0,
    IRECV0,
    WAITALL,
    ALLREDUCE0,
    BCAST0,
    BARRIER0,
    SEND2,
    RECV2,
    SEND_INIT0,
    START0,
    WAIT0,
    FINALIZE,
    DUP,
    FREE,
    WAIT2,
    IBCAST0,
    ALLREDUCE2,
    SPLIT
};

#define SITE(id, line, call, mark) \
    ".ascii \"site\\t" #id "\\trepeated.f90\\t" #line "\\tmain\\t" call "\\t" #mark "\\n\"\n"
__asm__(".section .commslice,\"\",@progbits\n"
        ".ascii \"commslice-slice 1\\nmode\\tslice\\n\"\n"
        SITE(0, 100, "MPI_Init", 2) SITE(1, 101, "MPI_Send", 0) SITE(2, 102, "MPI_Recv", 0) SITE(3, 103, "MPI_Isend", 0)
        SITE(4, 104, "MPI_Irecv", 0) SITE(5, 105, "MPI_Waitall", 0) SITE(6, 106, "MPI_Allreduce", 0)
        SITE(7, 107, "MPI_Bcast", 0) SITE(8, 108, "MPI_Barrier", 0) SITE(9, 109, "MPI_Send", 2)
        SITE(10, 110, "MPI_Recv", 2) SITE(11, 111, "MPI_Send_init", 0) SITE(12, 112, "MPI_Start", 0)
        SITE(13, 113, "MPI_Wait", 0) SITE(14, 114, "MPI_Finalize", 2) SITE(15, 115, "MPI_Comm_dup", 2)
        SITE(16, 116, "MPI_Comm_free", 2) SITE(17, 117, "MPI_Wait", 2) SITE(18, 118, "MPI_Ibcast", 0)
        SITE(19, 119, "MPI_Allreduce", 2) SITE(20, 120, "MPI_Comm_split", 2)
        ".text\n");

/* The word that the wrapper reads; the name of the site says the mark. */
#define AT(site, mark) (cs_site = (site) << 2 | (mark))

static int rank, size, right, left;
static long ran;

/* A loop as the plugin would leave it: all its turns, or the first one and the call that records the others. */
#define LOOP(i, to, how) \
    for (long i = 0, mark_##i = turns(0, 0, 0, 0, CS_TURNS_BEGIN), more_##i; i < (to) && ++ran; \
         more_##i = turns(mark_##i, i + 1, 1, to, how), mark_##i = 0, i += 1 + more_##i)

static const long plain = CS_TURNS_LT | 64 << 3, requests = CS_TURNS_LT | 64 << 3 | CS_TURNS_REQUESTS;

static void send_and_receive(int tag)
{
    AT(SEND0, 0), MPI_Send(NULL, 100, MPI_INT, right, tag, W);
    AT(RECV0, 0), MPI_Recv(NULL, 100, MPI_INT, left, tag, W, MPI_STATUS_IGNORE);
}

static void exchange(void)
{
    MPI_Request r[2];
    AT(ISEND0, 0), MPI_Isend(NULL, 50, MPI_DOUBLE, right, 3, W, &r[0]);
    AT(IRECV0, 0), MPI_Irecv(NULL, 50, MPI_DOUBLE, left, 3, W, &r[1]);
    AT(WAITALL, 0), MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
}

static void reduce(MPI_Comm comm)
{
    AT(ALLREDUCE0, 0), MPI_Allreduce(NULL, NULL, 1, MPI_INT, MPI_SUM, comm);
}

static void token(void) /* once round the ring, really */
{
    int x = rank;
    MPI_Request r;
    MPI_Irecv(&x, 1, MPI_INT, left, 9, W, &r);
    AT(SEND2, 2), MPI_Send(&rank, 1, MPI_INT, right, 9, W);
    AT(WAIT2, 2), MPI_Wait(&r, MPI_STATUS_IGNORE);
}

static void messages(void)
{
    LOOP(step, 300, plain)
    {
        LOOP(i, 400, plain)
        send_and_receive(1);
        reduce(W);
        LOOP(i, 200, plain)
        send_and_receive(2);
    }
    for (int step = 0; step < 50; step++) { /* not to be repeated, but its loops are */
        LOOP(i, 300 + step % 3, plain)
        send_and_receive(step % 7);
        LOOP(i, 5, plain)
        LOOP(k, 70, plain)
        exchange();
    }
}

static void handles(void)
{
    MPI_Request late, r;
    AT(ISEND0, 0), MPI_Isend(NULL, 5, MPI_INT, right, 4, W, &late);
    LOOP(i, 500, plain) /* distances count what was made here, too */
    exchange();
    LOOP(i, 20, requests) /* not: there is a request */
    exchange();
    LOOP(i, 300, plain)
    { /* not: the first turn is another one */
        exchange();
        if (late != MPI_REQUEST_NULL)
            AT(WAIT0, 0), MPI_Wait(&late, MPI_STATUS_IGNORE);
    }
    AT(IRECV0, 0), MPI_Irecv(NULL, 5, MPI_INT, left, 4, W, &r);
    AT(WAIT0, 0), MPI_Wait(&r, MPI_STATUS_IGNORE);
    LOOP(i, 500, requests)
    exchange();
    MPI_Request ring[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
    LOOP(i, 300, plain)
    { /* not: it leaves a request behind */
        AT(IBCAST0, 0), MPI_Ibcast(NULL, 1, MPI_INT, 0, W, &ring[i % 2]);
        AT(WAIT0, 0), MPI_Wait(&ring[(i + 1) % 2], MPI_STATUS_IGNORE);
    }
    AT(WAITALL, 0), MPI_Waitall(2, ring, MPI_STATUSES_IGNORE);
    exchange();
}

static void collectives(void)
{
    MPI_Comm half;
    AT(SPLIT, 2), MPI_Comm_split(W, rank / 2, rank, &half);
    for (int step = 0; step < 7; step++) {
        LOOP(i, 40 + step, plain)
        {
            reduce(half);
            LOOP(k, 100, plain)
            {
                reduce(W);
                AT(BCAST0, 0), MPI_Bcast(NULL, 1, MPI_INT, 0, half);
                AT(BARRIER0, 0), MPI_Barrier(W);
            }
        }
        reduce(half);
    }
    AT(FREE, 2), MPI_Comm_free(&half);
}

static void unlike(void)
{
    MPI_Comm copy;
    LOOP(i, 30, plain)
    { /* not: it moves a message */
        LOOP(k, 80, plain)
        send_and_receive(1);
        token();
    }
    LOOP(i, 30, plain)
    { /* not: it makes a communicator */
        AT(DUP, 2), MPI_Comm_dup(W, &copy);
        LOOP(k, 150, plain)
        reduce(copy);
        AT(FREE, 2), MPI_Comm_free(&copy);
    }
    LOOP(i, 1000, plain)
    { /* is left in its first turn */
        send_and_receive(1);
        break;
    }
    LOOP(i, 100, plain)
    {
        LOOP(k, 100, plain)
        {
            reduce(W);
            if (k == 0)
                break;
        }
        send_and_receive(5);
    }
}

static void persistent(void)
{
    MPI_Request r;
    AT(SEND_INIT0, 0), MPI_Send_init(NULL, 8, MPI_INT, right, 6, W, &r);
    LOOP(i, 200, plain)
    { /* not */
        AT(START0, 0), MPI_Start(&r);
        AT(RECV0, 0), MPI_Recv(NULL, 8, MPI_INT, left, 6, W, MPI_STATUS_IGNORE);
        AT(WAIT0, 0), MPI_Wait(&r, MPI_STATUS_IGNORE);
    }
    LOOP(i, 200, plain)
    send_and_receive(6);
    MPI_Request_free(&r);
}

/* What the channel check must find, behind many repeated turns. */
static void wrong(const char *what)
{
    int x = 0, y;
    messages();
    collectives();
    if (!strcmp(what, "message") && rank == 1)
        AT(SEND2, 2), MPI_Send(&x, 1, MPI_INT, right, 2, W);
    else if (!strcmp(what, "message"))
        AT(SEND0, 0), MPI_Send(&x, 1, MPI_INT, right, 2, W);
    if (!strcmp(what, "message"))
        AT(RECV0, 0), MPI_Recv(&y, 1, MPI_INT, left, 2, W, MPI_STATUS_IGNORE);
    if (!strcmp(what, "collective") && rank == 1)
        AT(BCAST0, 0), MPI_Bcast(&x, 1, MPI_INT, 0, W);
    else if (!strcmp(what, "collective"))
        reduce(W);
    LOOP(i, 200, plain)
    reduce(W);
}

static int open_own(const char *name)
{
    char own[32];
    snprintf(own, sizeof own, "%s.%d", name, rank);
    int fd = open(own, O_WRONLY | O_CREAT | O_EXCL, 0666);
    if (fd < 0)
        abort();
    return fd;
}

/* Log.R is this rank's log of answers; files of the program's own stay empty. */
static void do_first(const char *what)
{
    char log[32];
    snprintf(log, sizeof log, "log.%d", rank);
    if (!strcmp(what, "odd") && rank % 2)
        turns = (cs_turns_function *)(labs);
    if (!strcmp(what, "closes")) { /* all files, whosever they are: each descriptor is now of one of its own */
        int mine = open_own("mine");
        for (int fd = 3; fd < 64; fd++)
            if (fd != mine && dup2(mine, fd) != fd)
                abort();
    }
    if (!strcmp(what, "limits")) /* the size of files */
        setrlimit(RLIMIT_FSIZE, &(struct rlimit){600, 600});
    if (!strcmp(what, "renames")) {
        if (rename(log, rank ? "renamed.1" : "renamed.0") != 0)
            abort();
        open_own("log");
    }
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        void (*run)(void);
    } parts[] = {{"messages", messages},
                 {"handles", handles},
                 {"collectives", collectives},
                 {"unlike", unlike},
                 {"persistent", persistent}};
    const char *part = argv[argc - 1];
    AT(INIT, 2), MPI_Init(&argc, &argv);
    MPI_Comm_rank(W, &rank);
    MPI_Comm_size(W, &size);
    right = (rank + 1) % size, left = (rank + size - 1) % size;
    if (argc > 2)
        do_first(argv[1]);
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
        if (!strcmp(part, parts[i].name) || !strcmp(part, "all"))
            parts[i].run();
    if (!strcmp(part, "message") || !strcmp(part, "collective"))
        wrong(part);
    AT(FINALIZE, 2), MPI_Finalize();
    if (rank == 0)
        printf("%ld\n", ran);
    return 0;
}
