/* SPDX-License-Identifier: BSD-3-Clause
 * What generated programs begin with: parts of this file, those that the program uses, from one line of dashes to the
 * next. The definitions up to the first such line are only there so that this compiles as it is: the generated program
 * has its own. */
#include <mpi.h>
#include <stdlib.h>

#include "skeleton/prelude/prelude_work.c"

#define NCOMMS 1
#define REQUESTS 1
#define KEPT 1
#define MESSAGES 1
#define WORLD 0
/* Ranks start, start + stride, ... (n of them) are of class cls. */
static const struct {
    int start, stride, n, cls;
} ranks_of[] = {{0, 1, 1, 0}};

/*---- clock */
/* Each part of the run counts as often as it was shortened; the sum predicts the time of the original. */
static double weight = 1, predicted, since;

static void phase(double next_weight)
{
    double now = MPI_Wtime();
    predicted += weight * (now - since);
    since = now;
    weight = next_weight;
}
/*---- together */
/* Ends a part that all ranks are in and that counts more than once. What is multiplied is the same for all, so nobody's
 * waiting is multiplied, nor left out: of an iteration of a loop, from the last one's end of the one before to the last
 * one's end of this one, or from the first one's to the first one's: where ranks share processors, the last is alone in
 * the end, and faster. Of work that all begin together: from the first one's beginning to the last one's end. Ranks
 * have no common clock: times are taken back from the end of a barrier. */
static void together(int iteration)
{
    double left = MPI_Wtime();
    MPI_Barrier(MPI_COMM_WORLD);
    double now = MPI_Wtime(), mine[4] = {now - since, now - left, since - now, left - now}, least[4];
    MPI_Allreduce(mine, least, 4, MPI_DOUBLE, MPI_MIN, MPI_COMM_WORLD);
    double last = least[0] - least[1], first = least[3] - least[2], all = -least[2] - least[1];
    if (iteration)
        all = last > first ? last : first;
    predicted += now - since + (weight - 1) * (all > 0 ? all : 0);
    since = MPI_Wtime();
    weight = 1;
}
/*---- turn */
/* Where in a list of gaps the next one stands; behind the last one comes number `back`. */
static int turn(int *at, int n, int back)
{
    int now = *at;
    *at = now + 1 < n ? now + 1 : back;
    return now;
}
/*---- work_outside */
/* Outside of the loops that were shortened: a part of it, which all ranks do at the same time, and which counts for
 * all. */
static void work_outside(double seconds, double parts)
{
    MPI_Barrier(MPI_COMM_WORLD);
    phase(parts);
    work(seconds / parts);
    together(0);
}
/*---- class */
/* Ranks that do the same are a class. */
static int class_of(int rank)
{
    for (size_t i = 0; i < sizeof ranks_of / sizeof ranks_of[0]; i++) {
        int at = (rank - ranks_of[i].start) / ranks_of[i].stride;
        if (rank >= ranks_of[i].start && at < ranks_of[i].n && ranks_of[i].start + at * ranks_of[i].stride == rank)
            return ranks_of[i].cls;
    }
    return 0;
}
/*---- comm */
static MPI_Comm comm[NCOMMS];
/*---- peer */
/* The rank at a distance from this one, around the end. */
static int peer(MPI_Comm in, int distance)
{
    int me, size;
    MPI_Comm_rank(in, &me);
    MPI_Comm_size(in, &size);
    return ((me + distance) % size + size) % size;
}
/*---- group */
static MPI_Group group_of(const int *world_ranks, int n)
{
    MPI_Group world, made;
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Group_incl(world, n, world_ranks, &made);
    MPI_Group_free(&world);
    return made;
}
/*---- requests */
/* Requests in the order in which they were made: as many of the latest as anything refers to. Persistent ones are kept
 * apart. */
static MPI_Request made[REQUESTS];
static long nmade;
/*---- kept */
static MPI_Request kept[KEPT];
/*---- request */
/* 1 is the latest; -1 the first persistent one, -2 the second; 0 none. */
static MPI_Request *request(long which)
{
    static MPI_Request none;
    none = MPI_REQUEST_NULL;
    if (which < 0)
        return &kept[-1 - which];
    return which > 0 && which <= nmade ? &made[(nmade - which) % REQUESTS] : &none;
}
/*---- new_request */
static MPI_Request *new_request(void)
{
    return &made[nmade++ % REQUESTS];
}
/*---- new_kept */
static MPI_Request *new_kept(void)
{
    static int nkept;
    return &kept[nkept++];
}
/*---- skip */
/* After a loop that ran `now` times in place of `times`: numbers go on as if it had run in full. */
static void skip(long before, long times, long now)
{
    static MPI_Request old[REQUESTS];
    long more = (nmade - before) / now * (times - now), first = nmade - before < REQUESTS ? before : nmade - REQUESTS;
    for (long i = first; i < nmade; i++) {
        old[i % REQUESTS] = made[i % REQUESTS];
        made[i % REQUESTS] = MPI_REQUEST_NULL;
    }
    for (long i = first; i < nmade; i++)
        if (i + more >= nmade + more - REQUESTS)
            made[(i + more) % REQUESTS] = old[i % REQUESTS];
    nmade += more;
}
/*---- statuses */
/* Room for what is not looked at: with MPI_STATUSES_IGNORE, GCC warns of some MPI libraries' declarations. */
static MPI_Status *statuses(int n)
{
    static MPI_Status *room;
    static int have = -1;
    if (n > have) {
        room = realloc(room, (size_t)(n + 1) * sizeof *room);
        have = n;
    }
    return room;
}
/*---- waitall */
static void waitall(int n, const int *which)
{
    MPI_Request *list = malloc((size_t)(n + 1) * sizeof *list);
    for (int i = 0; i < n; i++)
        list[i] = *request(which[i]);
    MPI_Waitall(n, list, statuses(n));
    for (int i = 0; i < n; i++)
        *request(which[i]) = list[i];
    free(list);
}
/*---- startall */
static void startall(int n, const int *which)
{
    MPI_Request *list = malloc((size_t)(n + 1) * sizeof *list);
    for (int i = 0; i < n; i++)
        list[i] = *request(which[i]);
    MPI_Startall(n, list);
    free(list);
}
/*---- deferred */
/* Requests that were completed by calls like MPI_Waitany: which one it was is not known, so the oldest are offered. */
static MPI_Request *deferred;
static int ndeferred;

/* What no call has completed in the end. */
static void finish_deferred(void)
{
    for (int i = 0; i < ndeferred; i++)
        for (int done = 0; !done;)
            MPI_Request_get_status(deferred[i], &done, MPI_STATUS_IGNORE);
}
/*---- add_deferred */
static MPI_Request *add_deferred(void)
{
    static int room;
    if (ndeferred == room)
        deferred = realloc(deferred, (size_t)(room += 64) * sizeof *deferred);
    return &deferred[ndeferred++];
}
/*---- new_deferred */
static MPI_Request *new_deferred(void)
{
    nmade++;
    return add_deferred();
}
/*---- start_deferred */
static void start_deferred(MPI_Request *r)
{
    MPI_Start(r);
    *add_deferred() = *r;
}
/*---- offer */
static MPI_Request *offer(int n)
{
    MPI_Request *list = malloc((size_t)(n + 1) * sizeof *list);
    for (int i = 0; i < n; i++)
        list[i] = i < ndeferred ? deferred[i] : MPI_REQUEST_NULL;
    return list;
}

/* Takes out those with a 1 in `done`; frees both lists. */
static void take(MPI_Request *list, char *done, int n)
{
    int left = 0;
    for (int i = 0; i < ndeferred; i++)
        if (i >= n || !done[i])
            deferred[left++] = deferred[i];
    ndeferred = left;
    free(list);
    free(done);
}
/*---- waitany */
static void waitany(int n)
{
    MPI_Request *list = offer(n);
    char *done = calloc((size_t)n + 1, 1);
    int index;
    MPI_Waitany(n, list, &index, MPI_STATUS_IGNORE);
    if (index != MPI_UNDEFINED)
        done[index] = 1;
    take(list, done, n);
}
/*---- waitsome */
static void waitsome(int n)
{
    MPI_Request *list = offer(n);
    char *done = calloc((size_t)n + 1, 1);
    int *indices = malloc((size_t)(n + 1) * sizeof *indices), count;
    MPI_Waitsome(n, list, &count, indices, statuses(n));
    for (int i = 0; count != MPI_UNDEFINED && i < count; i++)
        done[indices[i]] = 1;
    free(indices);
    take(list, done, n);
}
/*---- testall */
static void testall(int n)
{
    MPI_Request *list = offer(n);
    char *done = calloc((size_t)n + 1, 1);
    int flag;
    do
        MPI_Testall(n, list, &flag, statuses(n));
    while (!flag);
    for (int i = 0; i < n; i++)
        done[i] = 1;
    take(list, done, n);
}
/*---- testany */
static void testany(int n)
{
    MPI_Request *list = offer(n);
    char *done = calloc((size_t)n + 1, 1);
    int flag, index;
    do
        MPI_Testany(n, list, &index, &flag, MPI_STATUS_IGNORE);
    while (!flag);
    if (index != MPI_UNDEFINED)
        done[index] = 1;
    take(list, done, n);
}
/*---- testsome */
static void testsome(int n)
{
    MPI_Request *list = offer(n);
    char *done = calloc((size_t)n + 1, 1);
    int *indices = malloc((size_t)(n + 1) * sizeof *indices), count;
    do
        MPI_Testsome(n, list, &count, indices, statuses(n));
    while (count == 0);
    for (int i = 0; count != MPI_UNDEFINED && i < count; i++)
        done[indices[i]] = 1;
    free(indices);
    take(list, done, n);
}
/*---- message */
/* Messages of MPI_Mprobe, in the order in which they were found; 1 is the latest. */
static MPI_Message found[MESSAGES];
static long nfound;

static MPI_Message *message(long which)
{
    static MPI_Message none;
    none = MPI_MESSAGE_NO_PROC;
    return which > 0 && which <= nfound ? &found[(nfound - which) % MESSAGES] : &none;
}
/*---- displs */
/* Blocks of so many elements, one after the other. */
static int *displs(const int *counts, int n, int *to)
{
    for (int i = 0, at = 0; i < n; at += counts[i++])
        to[i] = at;
    return to;
}
/*---- displs_w */
static int *displs_w(const int *counts, const MPI_Datatype *types, int n, int *to)
{
    MPI_Aint lb, extent = 0, at = 0;
    for (int i = 0; i < n; at += counts[i++] * extent) {
        if (types[i] != MPI_DATATYPE_NULL)
            MPI_Type_get_extent(types[i], &lb, &extent);
        to[i] = (int)at;
    }
    return to;
}
/*---- aints_w */
static MPI_Aint *aints_w(const int *counts, const MPI_Datatype *types, int n, MPI_Aint *to)
{
    MPI_Aint lb, extent = 0, at = 0;
    for (int i = 0; i < n; at += counts[i++] * extent) {
        if (types[i] != MPI_DATATYPE_NULL)
            MPI_Type_get_extent(types[i], &lb, &extent);
        to[i] = at;
    }
    return to;
}
/*---- types_w */
static MPI_Datatype *types_of(MPI_Datatype *const *types, int n, MPI_Datatype *to)
{
    for (int i = 0; i < n; i++)
        to[i] = *types[i];
    return to;
}
/*---- user_op */
/* In place of the program's own operations: leaves what is there. */
static void user_function(void *in, void *inout, int *n, MPI_Datatype *type)
{
    (void)in, (void)inout, (void)n, (void)type;
}
/*---- room */
/* Zeros, in memory that is there: what is only promised would be found during the first call. */
static char *room(size_t bytes)
{
    char *p = calloc(bytes, 1);
    for (size_t i = 0; p && i < bytes; i += 512)
        *(volatile char *)&p[i] = 0;
    return p;
}
/*---- end */
