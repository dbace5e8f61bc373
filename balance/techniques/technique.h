/* SPDX-License-Identifier: BSD-3-Clause
 * Techniques of handing out a loop of independent items: how many items a worker gets when it asks. No MPI here; the
 * library, the simulation and the tests ask the same functions. Sources of the techniques:
 * docs/reference/techniques.md.
 */
#ifndef CS_TECHNIQUE_H
#define CS_TECHNIQUE_H

#include <stdint.h>

/* Loops have at most so many items: a double counts them exactly. */
#define CS_MOST_ITEMS ((int64_t)1 << 53)

/* What decides a chunk. Blocks are taken once, by their worker, without asking; chunks by step are the same whoever
 * takes them; the others depend on who asks, too. */
enum cs_chunk_kind { CS_CHUNK_BLOCK, CS_CHUNK_STEP, CS_CHUNK_WORKER };

/* What a technique makes use of, and what holds of its chunks. */
enum cs_technique_flag {
    CS_NEED_SPEEDS = 1 << 0,   /* relative speeds of the workers, given */
    CS_NEED_CHUNK = 1 << 1,    /* a number of items, or a default */
    CS_NEED_MEASURED = 1 << 2, /* how long chunks took in this loop */
    CS_NEED_CURVES = 1 << 3,   /* how long blocks of earlier loops took */
    CS_ALL_ALIKE = 1 << 4,     /* all chunks of a loop have one size, but for the last */
    CS_ANYWHERE = 1 << 5,      /* the size does not depend on where the loop is */
};

/* A loop that is handed out; speed has a number above 0 for each worker. */
struct cs_work_loop {
    int64_t items;
    int workers;
    int64_t chunk;       /* of CSS, and of VRP-SS for the slowest worker; 0: the default */
    const double *speed; /* NULL: all alike */
    double speed_sum, slowest;
};

/* Sums over the workers of which something was measured. AWF: of their rates, in items a second, and of their weights
 * as given. AF: how many have two chunks, and the sums of variance over mean, and of one over the mean, of the time of
 * an item. */
struct cs_pace_sums {
    double rate, given, measured, spread, pace;
};

/* What was measured of one worker. Chunk k of AWF counts k times; mean and m2 are Welford's, weighted by items. */
struct cs_worker_pace {
    int64_t chunks;
    double items, weighted_items, weighted_seconds, mean, m2;
    struct cs_pace_sums share; /* what it has put into the sums */
};

/* What a calculator is asked: the items before `next` are handed out, in `step` chunks, of which `taken` went to this
 * worker. `batch` is the calculator's own from step to step. */
struct cs_chunk_question {
    const struct cs_work_loop *loop;
    int64_t next, step, taken;
    int worker;
    const struct cs_worker_pace *pace; /* of this worker */
    const struct cs_pace_sums *sums;
    int64_t *batch;
};

/* A row of the table. */
struct cs_technique {
    const char *name, *title;
    enum cs_chunk_kind kind;
    unsigned flags; /* enum cs_technique_flag */
    /* How many items; more than there are means all that are left, less than 1 means 1. NULL: blocks. */
    int64_t (*size)(const struct cs_chunk_question *q);
};

extern const struct cs_technique cs_techniques[];
extern const int cs_ntechniques;

/* The technique of this name, or NULL. */
const struct cs_technique *cs_technique_find(const char *name);

/* Fills in the loop. items from 0 to CS_MOST_ITEMS, workers at least 1; speeds finite and above 0. */
void cs_work_loop_init(struct cs_work_loop *l, int64_t items, int workers, int64_t chunk, const double *speed);
/* Other speeds from now on, which must live on; NULL: all alike. */
void cs_work_loop_speeds(struct cs_work_loop *l, const double *speed);
/* A worker's given speed against the mean; 1 if all are alike. */
double cs_given_weight(const struct cs_work_loop *l, int worker);
/* How many items the worker gets: from 1 to what is left. Something must be left. */
int64_t cs_chunk_size(const struct cs_technique *t, const struct cs_chunk_question *q);

/* Notes that a worker of this given weight took so many seconds for `items` items. Returns what the sums change by. */
struct cs_pace_sums cs_pace_note(struct cs_worker_pace *w, double given, int64_t items, double seconds);
void cs_pace_sums_add(struct cs_pace_sums *sums, const struct cs_pace_sums *change);

#endif
