/* SPDX-License-Identifier: BSD-3-Clause
 * The state of a run that is under way, in a small file that all its processes on a machine and the monitor map: what
 * each rank is at, how far its loops are, and the speeds that the monitor offers. The ranks write with plain stores and
 * never wait for a reader. Nothing of it decides what the program computes, but the speeds, where a program follows. */
#ifndef CS_LIVE_STATE_H
#define CS_LIVE_STATE_H

#include <limits.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

/* The file:
 *     struct cs_live_head
 *     struct cs_live_rank   of rank 0, 1 ...
 *     double                speed of rank 0, 1 ...: the plan
 * Times are nanoseconds of CLOCK_MONOTONIC, which is one for all processes of a machine. Who writes keeps a shared lock
 * of the file (flock): a file without one is of dead processes. */
#define CS_LIVE_MAGIC "cslive1\n"

/* What a rank is at. CS_LIVE_NONE: no process of this machine has been it yet. */
enum cs_live_state { CS_LIVE_NONE, CS_LIVE_COMPUTES, CS_LIVE_IN_CALL, CS_LIVE_ENDED };

/* Whom a call waits for: nobody or unknown, a rank (peer), any rank, all ranks of a communicator. */
enum cs_live_wait { CS_LIVE_FOR_UNKNOWN, CS_LIVE_FOR_PEER, CS_LIVE_FOR_ANY, CS_LIVE_FOR_ALL };

/* Calls of a rank: one cache line, which the recorder in it writes. version: odd while it is written. */
struct cs_live_calls {
    _Atomic uint32_t version;
    int32_t pid;
    int16_t call;  /* in the table of MPI calls: the call that it is in, or was in last; -1: none yet */
    uint8_t state; /* enum cs_live_state */
    uint8_t waits; /* enum cs_live_wait */
    int32_t peer;  /* rank in MPI_COMM_WORLD */
    int32_t members;
    uint32_t unused;
    uint64_t comm;  /* the same number on all members */
    int64_t since;  /* begin of the state; 0: the run has no times */
    int64_t in_mpi; /* nanoseconds in calls before this one */
    int64_t events; /* calls that came back and are recorded */
};

/* A loop of a rank: two cache lines, which libcommslice-balance in it writes, or the rank that hands out, for ranks of
 * other machines. */
struct cs_live_loop {
    _Atomic uint32_t version;
    int32_t loop;      /* number of the loop, from 1 on; 0: none yet */
    int16_t technique; /* row of the table of techniques */
    int16_t over;      /* 1 after the loop's end */
    uint32_t plan;     /* number of the plan that it follows, 0: none */
    double speed;      /* that the technique goes by; 1 if all are alike */
    int64_t items;     /* of the whole loop */
    int64_t block;     /* of them this rank's, where that is decided beforehand; -1: not so */
    int64_t done;      /* by this rank */
    int64_t chunks;
    int64_t at_work;   /* items of the chunk at work; 0: between two chunks, or at the end */
    int64_t began;     /* of the loop */
    int64_t since;     /* begin of the chunk at work, or of the last one */
    double busy;       /* seconds in chunks that are done */
    int64_t last[2];   /* items of the last two chunks, the newest first */
    double seconds[2]; /* of them */
    int32_t pid;
    int32_t unused;
};

/* All of a rank. */
struct cs_live_rank {
    _Alignas(64) struct cs_live_calls calls;
    _Alignas(64) struct cs_live_loop loop;
};

/* The head. plan_version: odd while the plan is written; plan: its number, 0: none. */
struct cs_live_head {
    char magic[8];
    uint32_t rank_bytes; /* sizeof(struct cs_live_rank) of who made it */
    int32_t nranks;
    int32_t ncalls; /* rows of the table of MPI calls of who made it; 0: not known */
    int32_t made_by;
    int64_t began;
    char program[64];
    _Atomic uint32_t plan_version;
    uint32_t plan;
    int64_t planned_at;
};

/* A mapped file. All 0: none. */
struct cs_live_run {
    struct cs_live_head *head;
    struct cs_live_rank *rank;
    double *speed;
    size_t bytes;
    int fd;
    char path[PATH_MAX];
};

static inline int64_t cs_live_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

/* Around the stores into a line that this process alone writes. */
static inline void cs_live_write_begin(_Atomic uint32_t *version)
{
    atomic_store_explicit(version, atomic_load_explicit(version, memory_order_relaxed) + 1, memory_order_relaxed);
    atomic_thread_fence(memory_order_release);
}

static inline void cs_live_write_end(_Atomic uint32_t *version)
{
    atomic_store_explicit(version, atomic_load_explicit(version, memory_order_relaxed) + 1, memory_order_release);
}

/* ---- the program's side ---- */

/* What COMMSLICE_MONITOR says: NULL: not to be watched, else the name of the run, or "" if it has none yet. */
const char *cs_live_wanted(void);
/* A name for a run of this process: PROGRAM-PID. Returns buf. */
const char *cs_live_name(char *buf, size_t len);
/* Maps the file of the run of this name, and makes it if no other process has. 0, or -1 with errno. */
int cs_live_join(struct cs_live_run *l, const char *name, int nranks);
/* This process is done: the last one removes the file. */
void cs_live_leave(struct cs_live_run *l);
/* Removes the file of the run of this name, if it is there. */
void cs_live_remove(const char *name);

/* ---- the monitor's side ---- */

/* Writes the i-th folder where such files may be to path; false: there are no more. */
bool cs_live_folder(int i, char path[PATH_MAX]);
/* Maps a file to look at it. 0, or -1 with errno; EINVAL: not such a file. */
int cs_live_look(struct cs_live_run *l, const char *path);
/* Does a process hold it? */
bool cs_live_held(const struct cs_live_run *l);
/* Removes the file if nobody holds it: its run was killed. True if that is so. */
bool cs_live_remove_dead(const struct cs_live_run *l);
void cs_live_unmap(struct cs_live_run *l);
/* What is there of a rank, whole. */
void cs_live_read(const struct cs_live_rank *r, struct cs_live_calls *calls, struct cs_live_loop *loop);

/* ---- the plan ---- */

/* Offers the speeds of all ranks; numbers above 0. */
void cs_live_offer(struct cs_live_run *l, const double *speed);
/* The number of the plan that is there, 0: none. Cheap. */
uint32_t cs_live_plan(const struct cs_live_run *l);
/* Copies the speeds of the plan. Returns its number, or 0 if there is none, or none that can be. */
uint32_t cs_live_take(const struct cs_live_run *l, double *speed);

#endif
