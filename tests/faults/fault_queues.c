/* SPDX-License-Identifier: BSD-3-Clause
 * Long queues, checked by the program itself: order, time (of its own processor, so other load does not count) and
 * memory. Each case says "NAME ok" from rank 0, or what is wrong, and then ends with 1. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

static int rank, size;
#define WORLD MPI_COMM_WORLD

static double cpu(void)
{
    struct rusage u;
    getrusage(RUSAGE_SELF, &u);
    return (double)u.ru_utime.tv_sec + (double)u.ru_stime.tv_sec +
           1e-6 * (double)(u.ru_utime.tv_usec + u.ru_stime.tv_usec);
}

static void check(int right, const char *what)
{
    if (right)
        return;
    printf("rank %d: %s\n", rank, what);
    fflush(stdout);
    exit(1);
}

static void limit_cpu(double since, double seconds)
{
    char text[100];
    snprintf(text, sizeof text, "took %.2f s of processor time, not %.1f", cpu() - since, seconds);
    check(cpu() - since < seconds, text);
}

/* ---- many messages that nobody has asked for, received in the worst order ---- */

static void unexpected(int n, int source)
{
    int x;
    MPI_Status s;
    for (int i = 0; rank == 1 && i < n; i++)
        MPI_Send(&i, 1, MPI_INT, 0, i, WORLD);
    MPI_Barrier(WORLD);
    double since = cpu();
    for (int i = n - 1; rank == 0 && i >= 0; i--) {
        MPI_Recv(&x, 1, MPI_INT, source, i, WORLD, &s);
        check(x == i && s.MPI_SOURCE == 1 && s.MPI_TAG == i, "wrong message");
    }
    if (rank == 0)
        limit_cpu(since, 2);
}

/* ---- many receives, whose messages come in the worst order ---- */

static void posted(int n, int source)
{
    int *x = malloc((size_t)n * sizeof *x);
    MPI_Request *r = malloc((size_t)n * sizeof *r);
    double since = cpu();
    for (int i = 0; rank == 0 && i < n; i++)
        MPI_Irecv(&x[i], 1, MPI_INT, source, i, WORLD, &r[i]);
    MPI_Barrier(WORLD);
    for (int i = n - 1; rank == 1 && i >= 0; i--)
        MPI_Send(&i, 1, MPI_INT, 0, i, WORLD);
    if (rank == 0) {
        MPI_Waitall(n, r, MPI_STATUSES_IGNORE);
        limit_cpu(since, 2);
        for (int i = 0; i < n; i++)
            check(x[i] == i, "a receive has another's message");
    }
    free(x);
    free(r);
}

/* ---- random patterns: a receive gets the oldest message of its sender that fits, a message the oldest receive that
 * fits ---- */

enum { SENT = 3000, TAGS = 7 };
static int tag_of[8][SENT];

static int random_source(void)
{
    return rand() % 3 ? 1 + rand() % (size - 1) : MPI_ANY_SOURCE;
}

static int random_tag(void)
{
    return rand() % 3 ? rand() % TAGS : MPI_ANY_TAG;
}

/* Everybody knows who sends what. */
static void make_tags(void)
{
    srand(4711);
    for (int s = 1; s < size; s++)
        for (int i = 0; i < SENT; i++)
            tag_of[s][i] = rand() % TAGS;
}

static void send_all(void)
{
    for (int i = 0; rank > 0 && i < SENT; i++)
        MPI_Send(&i, 1, MPI_INT, 0, tag_of[rank][i], WORLD);
}

/* The oldest of this sender that is left and has the tag; -1: none. */
static int oldest(char left[8][SENT], int source, int tag)
{
    for (int i = 0; i < SENT; i++)
        if (left[source][i] && (tag == MPI_ANY_TAG || tag_of[source][i] == tag))
            return i;
    return -1;
}

static void random_receives(void)
{
    static char left[8][SENT];
    memset(left, 1, sizeof left);
    make_tags();
    send_all();
    MPI_Barrier(WORLD);
    for (int n = (size - 1) * SENT; rank == 0 && n > 0;) {
        int source = random_source(), tag = random_tag(), flag, x;
        MPI_Status s;
        MPI_Iprobe(source, tag, WORLD, &flag, &s);
        int there = 0;
        for (int k = 1; k < size; k++)
            there |= (source == k || source == MPI_ANY_SOURCE) && oldest(left, k, tag) >= 0;
        check(flag == there, "a probe is wrong");
        if (!flag)
            continue;
        MPI_Recv(&x, 1, MPI_INT, source, tag, WORLD, &s);
        check(source == MPI_ANY_SOURCE || s.MPI_SOURCE == source, "another source");
        check(x == oldest(left, s.MPI_SOURCE, tag), "a message overtook another");
        left[s.MPI_SOURCE][x] = 0;
        n--;
    }
}

/* One sender: then it is known which receive each message must go to. */
static void random_posts(void)
{
    static int x[SENT], source[SENT], tag[SENT], open[SENT];
    static MPI_Request r[SENT];
    make_tags();
    for (int i = 0; i < SENT; i++) {
        source[i] = rand() % 2 ? 1 : MPI_ANY_SOURCE;
        tag[i] = i < SENT - 500 ? random_tag() : MPI_ANY_TAG;
        open[i] = 1;
        if (rank == 0)
            MPI_Irecv(&x[i], 1, MPI_INT, source[i], tag[i], WORLD, &r[i]);
    }
    MPI_Barrier(WORLD);
    int sent = 0;
    for (int i = 0; i < SENT; i++) { /* what fits no receive is not sent */
        int k = 0;
        while (k < SENT && (!open[k] || (tag[k] != MPI_ANY_TAG && tag[k] != tag_of[1][i])))
            k++;
        if (k == SENT)
            continue;
        open[k] = 0;
        source[k] = i; /* from now on: what it must get */
        sent++;
        if (rank == 1)
            MPI_Send(&i, 1, MPI_INT, 0, tag_of[1][i], WORLD);
    }
    check(sent > SENT / 2, "too few messages for a test");
    for (int k = 0; rank == 0 && k < SENT; k++) {
        if (open[k])
            MPI_Cancel(&r[k]);
        MPI_Wait(&r[k], MPI_STATUS_IGNORE);
        check(open[k] || x[k] == source[k], "a message went to a younger receive");
    }
}

/* ---- senders far ahead of their receiver ---- */

enum { FLOOD = 400000, WORDS = 256 }; /* 400 MB in all, a sender */

static void limit_memory(long megabytes)
{
    struct rusage u;
    char text[100];
    getrusage(RUSAGE_SELF, &u);
    snprintf(text, sizeof text, "needed %ld MB, not %ld", u.ru_maxrss / 1024, megabytes);
    check(u.ru_maxrss / 1024 < megabytes, text);
}

static void flood_to(int to, int isend)
{
    int out[WORDS] = {0};
    for (int i = 0; i < FLOOD; i++) {
        MPI_Request r;
        out[0] = i;
        if (!isend) {
            MPI_Send(out, WORDS, MPI_INT, to, 1, WORLD);
        } else {
            MPI_Isend(out, WORDS, MPI_INT, to, 1, WORLD, &r);
            MPI_Wait(&r, MPI_STATUS_IGNORE);
        }
    }
}

static void drain(int from)
{
    int in[WORDS];
    sleep(2);
    for (int i = 0; i < FLOOD; i++) {
        MPI_Recv(in, WORDS, MPI_INT, from, 1, WORLD, MPI_STATUS_IGNORE);
        check(in[0] == i, "order");
    }
}

/* Rank 1 floods rank 0, which receives more slowly. */
static void flood(int isend)
{
    if (rank == 1)
        flood_to(0, isend);
    if (rank == 0)
        drain(1);
    limit_memory(80);
}

/* All flood their neighbour, and receive only then: works with MPICH as long as memory lasts, so it must work here. */
static void flood_first(void)
{
    enum { N = 20000 };
    int out[WORDS] = {0}, in[WORDS];
    for (int i = 0; i < N; i++)
        MPI_Send(out, WORDS, MPI_INT, (rank + 1) % size, 2, WORLD);
    for (int i = 0; i < N; i++)
        MPI_Recv(in, WORDS, MPI_INT, (rank + size - 1) % size, 2, WORLD, MPI_STATUS_IGNORE);
}

/* Rank 0 waits for a word of rank 2, which gets it from rank 1 behind a flood. */
static void flood_between(void)
{
    int x = 0, in[WORDS];
    if (rank == 1) {
        for (int i = 0; i < 20000; i++)
            MPI_Send(in, WORDS, MPI_INT, 0, 3, WORLD);
        MPI_Send(&x, 1, MPI_INT, 2, 4, WORLD);
    }
    if (rank == 2) {
        int flag = 0;
        while (!flag)
            MPI_Iprobe(1, 4, WORLD, &flag, MPI_STATUS_IGNORE);
        MPI_Recv(&x, 1, MPI_INT, 1, 4, WORLD, MPI_STATUS_IGNORE);
        MPI_Send(&x, 1, MPI_INT, 0, 5, WORLD);
    }
    if (rank == 0) {
        MPI_Recv(&x, 1, MPI_INT, 2, 5, WORLD, MPI_STATUS_IGNORE);
        for (int i = 0; i < 20000; i++)
            MPI_Recv(in, WORDS, MPI_INT, 1, 3, WORLD, MPI_STATUS_IGNORE);
    }
}

/* All flood rank 0, which takes what each one sent before it takes anything of the next one. */
static void flood_in_order(void)
{
    enum { N = 20000 };
    int out[WORDS] = {0}, in[WORDS];
    for (int i = 0; rank > 0 && i < N; i++)
        MPI_Send(out, WORDS, MPI_INT, 0, 7, WORLD);
    for (int from = 1; rank == 0 && from < size; from++)
        for (int i = 0; i < N; i++)
            MPI_Recv(in, WORDS, MPI_INT, from, 7, WORLD, MPI_STATUS_IGNORE);
}

/* Messages that nobody receives, to a rank that has ended or ends without them. */
static void flood_in_vain(void)
{
    int out[WORDS] = {0};
    for (int i = 0; rank == 1 && i < 100000; i++)
        MPI_Send(out, WORDS, MPI_INT, 0, 6, WORLD);
    limit_memory(80);
}

int main(int argc, char **argv)
{
    const char *name = argc > 1 ? argv[1] : "";
    int n = argc > 2 ? atoi(argv[2]) : 100000, known = 1;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(WORLD, &rank);
    MPI_Comm_size(WORLD, &size);
    if (strcmp(name, "unexpected") == 0)
        unexpected(n, 1);
    else if (strcmp(name, "unexpected_any") == 0)
        unexpected(n, MPI_ANY_SOURCE);
    else if (strcmp(name, "posted") == 0)
        posted(n, 1);
    else if (strcmp(name, "posted_any") == 0)
        posted(n, MPI_ANY_SOURCE);
    else if (strcmp(name, "random_receives") == 0)
        random_receives();
    else if (strcmp(name, "random_posts") == 0)
        random_posts();
    else if (strcmp(name, "flood") == 0)
        flood(0);
    else if (strcmp(name, "flood_isend") == 0)
        flood(1);
    else if (strcmp(name, "flood_first") == 0)
        flood_first();
    else if (strcmp(name, "flood_between") == 0)
        flood_between();
    else if (strcmp(name, "flood_in_order") == 0)
        flood_in_order();
    else if (strcmp(name, "flood_in_vain") == 0)
        flood_in_vain();
    else
        known = 0;
    MPI_Finalize();
    if (rank == 0)
        printf("%s %s\n", name, known ? "ok" : "is no case");
    return !known;
}
