/* SPDX-License-Identifier: BSD-3-Clause
 * What the files of the library share: the handle, and the ways in which chunks get to ranks. */
#ifndef CS_BALANCER_INTERNAL_H
#define CS_BALANCER_INTERNAL_H

#include <stdbool.h>

#include "balance/library/commslice-balance.h"
#include "balance/techniques/handout.h"
#include "balance/techniques/replan.h"
#include "live/live_state.h"

/* Points of a curve that are kept of each rank. */
enum { CS_CURVE_POINTS = 16 };

/* How a rank gets its next chunk. All functions but next and done are collective. */
struct cs_balance_way {
    const char *name;
    const char *(*open)(struct cs_balancer *b); /* NULL, or why it cannot be, the same on all ranks */
    void (*close)(struct cs_balancer *b);
    void (*begin)(struct cs_balancer *b);                               /* all ranks are between two loops */
    int64_t (*next)(struct cs_balancer *b, int64_t *first);             /* items, 0: no more */
    void (*done)(struct cs_balancer *b, int64_t items, double seconds); /* of the last chunk */
};
extern const struct cs_balance_way cs_way_master_worker, cs_way_one_sided, cs_way_shared_memory;

/* What all ranks agree on. speed: of each rank, NULL if all are alike. */
struct cs_balance_settings {
    const struct cs_technique *technique;
    const struct cs_balance_way *way;
    int64_t chunk;
    double *speed;
    bool report;       /* rank 0 prints a line after each loop */
    bool follow;       /* blocks go in parts, and chunks of loops that are watched in pieces */
    char monitor[256]; /* name of the run for commslice monitor; "": not watched */
};

/* The leader of master-worker: its own chunk is done in pieces, between which it answers. */
struct cs_leader {
    int64_t first, rest, items; /* of its chunk: where it is, what is left, all of it */
    int64_t piece;              /* items of the last piece */
    double seconds;             /* of the pieces that are done */
    int told;                   /* ranks that know that there is no more */
};

/* A worker of master-worker: it asks for its next chunk before it has done the last part of this one. */
struct cs_worker_ahead {
    int64_t first, rest; /* of that part */
    bool asked;
    int64_t answer[2];
    MPI_Request request; /* of the answer */
};

/* Counters that all ranks add to: numbers in a window of rank 0, or the same as shared memory. */
struct cs_counters {
    MPI_Win window;
    struct cs_shared_counters *shared;
    struct cs_chunk_sequence at; /* where this rank knows the loop to be */
    struct cs_worker_pace pace;  /* of this rank */
    int64_t taken;
};

/* Curves of vrp-dynamic: points of each rank, from the loops before. */
struct cs_rank_curves {
    struct cs_time_curve *curve;
    double *size, *seconds; /* CS_CURVE_POINTS of each rank */
};

/* For the monitor: this rank's line, NULL if the loop is not watched. chunks, items and seconds: of the chunk at work,
 * as far as it is done. plan: the one that is followed, with its speeds. */
struct cs_watch {
    bool joined;
    struct cs_live_loop *line;
    int *world; /* each rank in MPI_COMM_WORLD */
    int64_t chunks, items;
    double seconds;
    uint32_t plan;
    double *speed, *all; /* of each rank; of all ranks of MPI_COMM_WORLD */
};

/* A chunk that is done in pieces: what is left of it and where, and what is done. */
struct cs_chunk_pieces {
    int64_t first, rest, each, done;
    double seconds;
};

/* The handle. handout: the leader's, and of techniques that have blocks each rank's. */
struct cs_balancer {
    MPI_Comm comm;
    int rank, ranks;
    struct cs_balance_settings is;
    struct cs_handout handout;
    struct cs_leader leader;
    struct cs_worker_ahead ahead;
    struct cs_counters counters;
    struct cs_rank_curves curves;
    struct cs_watch watch;
    struct cs_chunk_pieces pieces;
    struct cs_block_parts *parts; /* of each rank; NULL: blocks go as a whole */
    MPI_Win parts_window;
    struct cs_parts_left *parts_left;
    double *parts_speed; /* by which blocks were cut after a plan */
    int64_t count;       /* items of the chunk that is at work, 0: none */
    int64_t reported;    /* items that the leader does not know to be done, and how long they took */
    double reported_seconds;
    int64_t chunk_began; /* ns of the system's clock */
    double loop_began;
    struct cs_balance_report did;
    int64_t items;
};

/* Can all ranks share memory? Collective. memory_counters.c. */
bool cs_on_one_machine(const struct cs_balancer *b);

/* What the options and the environment say, agreed by all ranks of comm. 0, or -1 after a line on stderr. */
int cs_balance_settle(MPI_Comm comm, const struct cs_balance_options *o, struct cs_balance_settings *s);

/* Curves: room for all ranks; and a point more of each, from what it did (collective). 0, or -1 when memory is out. */
int cs_rank_curves_init(struct cs_rank_curves *c, int ranks);
void cs_rank_curves_note(struct cs_balancer *b);
void cs_rank_curves_free(struct cs_rank_curves *c);

#endif
