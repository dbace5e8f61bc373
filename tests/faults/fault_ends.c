/* SPDX-License-Identifier: BSD-3-Clause
 * Programs that do not end well, by name: deadlocks, crashes, exits. ends.cases says what must be told of each.
 * Calls whose place must be named have a comment with @ behind them. */
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

static int rank, size, x, y;
#define WORLD MPI_COMM_WORLD
#define RECV(from, tag) MPI_Recv(&x, 1, MPI_INT, from, tag, WORLD, MPI_STATUS_IGNORE)
#define SEND(to, tag) MPI_Send(&x, 1, MPI_INT, to, tag, WORLD)

/* ---- nobody can go on ---- */

static void recv_cycle(void)
{
    RECV((rank + 1) % size, 5); /* @recv */
    SEND((rank + size - 1) % size, 5);
}

static void ssend_cycle(void)
{
    MPI_Ssend(&x, 1, MPI_INT, (rank + 1) % size, 6, WORLD); /* @ssend */
    RECV((rank + size - 1) % size, 6);
}

static void missing_send(void)
{
    if (rank == 0)
        RECV(1, 7); /* @missing */
}

static void wrong_tag(void)
{
    if (rank == 0)
        RECV(1, 8); /* @tag */
    else if (rank == 1)
        SEND(0, 9);
}

static void wait_all(void)
{
    MPI_Request r[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
    MPI_Irecv(&x, 1, MPI_INT, (rank + 1) % size, 1, WORLD, &r[0]);
    MPI_Irecv(&y, 1, MPI_INT, MPI_ANY_SOURCE, 2, WORLD, &r[1]);
    SEND((rank + size - 1) % size, 1);
    MPI_Waitall(2, r, MPI_STATUSES_IGNORE); /* @waitall */
}

static void probe(void)
{
    MPI_Status s;
    MPI_Probe(MPI_ANY_SOURCE, MPI_ANY_TAG, WORLD, &s); /* @probe */
}

static void poll(void)
{
    int flag = 0;
    if (rank == 0)
        while (!flag)
            MPI_Iprobe(1, 3, WORLD, &flag, MPI_STATUS_IGNORE); /* @poll */
}

/* The first half waits in one place, the others in two. */
static void three_states(void)
{
    if (rank < size / 2)
        RECV(MPI_ANY_SOURCE, 1); /* @first */
    else if (rank % 2)
        MPI_Barrier(WORLD); /* @second */
    else
        RECV(size - 1, 2); /* @third */
}

static void other_collective(void)
{
    if (rank == 1)
        MPI_Barrier(WORLD); /* @barrier */
    else
        MPI_Allreduce(&x, &y, 1, MPI_INT, MPI_SUM, WORLD); /* @allreduce */
}

static void other_root(void)
{
    if (rank == 1)
        MPI_Bcast(&x, 1, MPI_INT, 1, WORLD); /* @root1 */
    else
        MPI_Bcast(&x, 1, MPI_INT, 0, WORLD); /* @root0 */
}

static void missing_collective(void)
{
    if (rank != size - 1)
        MPI_Barrier(WORLD); /* @lonely */
}

static void missing_root(void)
{
    if (rank != 2)
        MPI_Bcast(&x, 1, MPI_INT, 2, WORLD); /* @noroot */
}

static void half_barrier(void)
{
    MPI_Comm half;
    MPI_Comm_split(WORLD, rank % 2, rank, &half);
    if (rank != 1)
        MPI_Barrier(half); /* @half */
}

/* ---- ranks that end otherwise ---- */

static void crash(void)
{
    volatile int *p = NULL;
    MPI_Barrier(WORLD); /* @before */
    if (rank == 1)
        *p = 1;
    RECV(1, 0);
}

static void give_up(void)
{
    MPI_Barrier(WORLD); /* @give_up */
    if (rank == size - 1)
        abort();
    RECV(size - 1, 0);
}

static void exit_code(void)
{
    MPI_Barrier(WORLD); /* @exit */
    if (rank == 1)
        exit(9);
    RECV(1, 0);
}

static void exit_well(void)
{
    MPI_Barrier(WORLD); /* @well */
    if (rank == 1)
        exit(0);
    RECV(1, 0);
}

static void abort_code(void)
{
    if (rank == 1)
        MPI_Abort(WORLD, 7); /* @abort */
    RECV(1, 0);
}

static void killed(void)
{
    MPI_Barrier(WORLD); /* @killed */
    if (rank == 1)
        raise(SIGKILL);
    RECV(1, 0);
}

static int deep(volatile char *p, int n)
{
    char big[100000];
    memset(big, n, sizeof big);
    return n < 0 ? 0 : deep(big, n + 1) + big[p[0] & 1];
}

static void stack(void)
{
    char c = 0;
    MPI_Barrier(WORLD); /* @stack */
    if (rank == 1)
        x = deep(&c, 0);
    RECV(1, 0);
}

/* Without a check of what malloc says. */
static void memory(void)
{
    MPI_Barrier(WORLD); /* @memory */
    for (int i = 0; rank == 0 && i < 100000; i++)
        memset(malloc(1 << 20), 1, 1 << 20);
    RECV(0, 0);
}

static void wrong_rank(void)
{
    if (rank == 0)
        SEND(size, 0); /* @wrong */
}

static void wrong_rank_large(void)
{
    if (rank == 0)
        MPI_Send_c(&x, 1, MPI_INT, size, 5, WORLD); /* @wrong_large */
    MPI_Recv_c(&x, 1, MPI_INT, 0, 5, WORLD, MPI_STATUS_IGNORE);
}

static void recv_large(void)
{
    MPI_Recv_c(&x, 1, MPI_INT, (rank + 1) % size, 5, WORLD, MPI_STATUS_IGNORE); /* @recv_large */
}

/* All of them together are 0 in 64 bits. */
static void sum_too_large(void)
{
    const MPI_Count counts[4] = {(MPI_Count)1 << 62, (MPI_Count)1 << 62, (MPI_Count)1 << 62, (MPI_Count)1 << 62};
    MPI_Reduce_scatter_c(&x, &y, counts, MPI_SIGNED_CHAR, MPI_SUM, WORLD); /* @sum */
}

/* Unlike other errors of a window without a handler, this one does not go to the handler of the world. */
static void handler_of_a_window(void)
{
    MPI_Win w;
    MPI_Comm_set_errhandler(WORLD, MPI_ERRORS_RETURN);
    MPI_Win_create(&x, sizeof x, 1, MPI_INFO_NULL, WORLD, &w);
    MPI_Win_call_errhandler(w, MPI_ERR_OTHER);
    MPI_Win_free(&w);
}

/* No event, so the place of the last one must not be told. */
static void wrong_count(void)
{
    MPI_Datatype t;
    MPI_Barrier(WORLD);
    MPI_Type_vector(-1, 2, 3, MPI_INT, &t); /* @vector */
}

/* ---- calls that engine emulate lacks ---- */

static void lacks_port(void)
{
    char port[MPI_MAX_PORT_NAME];
    MPI_Barrier(WORLD);
    if (rank == 1)
        MPI_Open_port(MPI_INFO_NULL, port); /* @port */
    RECV(0, 0);
}

/* One that has no row in the table of calls. */
static void lacks_session(void)
{
    MPI_Session s;
    if (rank == 1)
        MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &s); /* @session */
    RECV(0, 0);
}

/* ---- after MPI_Finalize ---- */

static void after_the_end(void)
{
    MPI_Finalize();
    exit(rank == 1 ? 4 : 0);
}

static void crash_after_the_end(void)
{
    MPI_Finalize();
    if (rank == 1)
        raise(SIGSEGV);
    exit(0);
}

static const struct {
    const char *name;
    void (*run)(void);
} cases[] = {
    {"recv_cycle", recv_cycle},
    {"ssend_cycle", ssend_cycle},
    {"missing_send", missing_send},
    {"wrong_tag", wrong_tag},
    {"wait_all", wait_all},
    {"probe", probe},
    {"poll", poll},
    {"three_states", three_states},
    {"other_collective", other_collective},
    {"other_root", other_root},
    {"missing_collective", missing_collective},
    {"missing_root", missing_root},
    {"half_barrier", half_barrier},
    {"crash", crash},
    {"give_up", give_up},
    {"exit_code", exit_code},
    {"exit_well", exit_well},
    {"abort_code", abort_code},
    {"killed", killed},
    {"stack", stack},
    {"memory", memory},
    {"wrong_rank", wrong_rank},
    {"wrong_rank_large", wrong_rank_large},
    {"recv_large", recv_large},
    {"sum_too_large", sum_too_large},
    {"handler_of_a_window", handler_of_a_window},
    {"wrong_count", wrong_count},
    {"lacks_port", lacks_port},
    {"lacks_session", lacks_session},
    {"after_the_end", after_the_end},
    {"crash_after_the_end", crash_after_the_end},
};

int main(int argc, char **argv)
{
    struct rlimit none = {0, 0};
    setrlimit(RLIMIT_CORE, &none);
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(WORLD, &rank);
    MPI_Comm_size(WORLD, &size);
    x = rank;
    for (size_t i = 0; argc > 1 && i < sizeof cases / sizeof cases[0]; i++)
        if (strcmp(cases[i].name, argv[1]) == 0)
            cases[i].run();
    MPI_Finalize();
    return 0;
}
