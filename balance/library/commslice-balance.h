/* SPDX-License-Identifier: BSD-3-Clause
 * libcommslice-balance: hands out a loop of independent items to the ranks of a communicator, in chunks, so that all
 * finish together though ranks or items are unequal. Its manual page is libcommslice-balance(3).
 *
 *     static void body(int64_t first, int64_t count, void *state) { for (i = first; i < first + count; i++) ... }
 *     cs_balance_for(n, body, &state, MPI_COMM_WORLD, "fac2");
 *
 * Every item is done once, by one rank. Where it was done is not told: ranks keep their results, or collect them. */
#ifndef COMMSLICE_BALANCE_H
#define COMMSLICE_BALANCE_H

#include <mpi.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Loops of one communicator: an opaque handle. */
struct cs_balancer;

/* How loops are handed out. All 0 is the default; the environment comes before what stands here. */
struct cs_balance_options {
    const char *technique; /* COMMSLICE_BALANCE_TECHNIQUE; NULL: fac2 */
    const char *way;       /* COMMSLICE_BALANCE_WAY: master-worker (NULL), one-sided or shared-memory */
    int64_t chunk;         /* COMMSLICE_BALANCE_CHUNK: items, of css and vrp-ss; 0: the technique's default */
    double speed;          /* of this rank, relative to others; COMMSLICE_BALANCE_SPEEDS has all; 0: 1 */
};

/* What this rank did in a loop. */
struct cs_balance_report {
    int64_t items, chunks;
    double busy;    /* seconds in its chunks */
    double seconds; /* seconds from the begin to the end of the loop */
};

/* Prepares for loops on a communicator (collective; it is duplicated). options: NULL for the default. Ranks must agree
 * on all but their speed. Returns 0, or -1 on all ranks after one of them printed a line. */
int cs_balance_setup(MPI_Comm comm, const struct cs_balance_options *options, struct cs_balancer **balancer);
/* Begins a loop of items 0 to items - 1 (collective). Returns 0, or -1 on all ranks after a line on stderr. */
int cs_balance_start_loop(struct cs_balancer *balancer, int64_t items);
/* The next chunk of this rank: sets *first and *count and returns 1, or returns 0 when there is no more. */
int cs_balance_start_chunk(struct cs_balancer *balancer, int64_t *first, int64_t *count);
/* The items of the chunk are done. */
void cs_balance_end_chunk(struct cs_balancer *balancer);
/* Ends the loop (collective) when start_chunk returned 0. Items of other ranks may still be at work. report: NULL, or
 * gets what this rank did. */
int cs_balance_end_loop(struct cs_balancer *balancer, struct cs_balance_report *report);
/* Frees the handle (collective) and sets it to NULL. */
void cs_balance_finish(struct cs_balancer **balancer);

/* All of these at once: calls body for each chunk. technique: NULL for the default. What a technique has learnt is kept
 * with the communicator for the next loop. Returns 0, or -1 on all ranks after a line on stderr. */
typedef void cs_balance_body(int64_t first, int64_t count, void *state);
int cs_balance_for(int64_t items, cs_balance_body *body, void *state, MPI_Comm comm, const char *technique);

#ifdef __cplusplus
}
#endif
#endif
