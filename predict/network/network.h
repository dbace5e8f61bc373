/* SPDX-License-Identifier: BSD-3-Clause
 * How long a run would take on a network: plays the calls of a trace, with computation between them that somebody else
 * knows, under the model LogGP (Alexandrov, Ionescu, Schauser, Scheiman 1995) with a limit from which on a message
 * waits for its receive (LogGPS, Ino, Fujimoto, Hagihara 2001). */
#ifndef CS_NETWORK_H
#define CS_NETWORK_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "trace/trace.h"

/* A network on which all pairs of ranks are alike. Times are ns. */
struct cs_network {
    double latency;  /* L: from the end of the sending to the arrival of the first byte */
    double overhead; /* o: in which a processor sends or receives a message and does nothing else */
    double gap;      /* g: least time between two messages of a rank */
    double per_byte; /* G: of each byte of a message */
    uint64_t eager;  /* bytes; a larger message is sent when its receive is there */
};

/* What is taken of a network of which nothing is known: 1 us, 0.3 us, 0.1 us, 10 GB/s, messages of 64 KB. */
extern const struct cs_network cs_network_usual;

/* A call as it was played: `site` is the rank's number of its place, or -1. Times are ns since the rank's MPI_Init. */
struct cs_played_call {
    int rank, site;
    double enter, exit;
};

/* Who asks for a play. */
struct cs_network_user {
    /* Computation in ns before the call `e` of a rank, the one before which was at site `from` (-1: there was none). */
    double (*computation)(void *arg, int rank, int from, const struct cs_event *e);
    /* Told of each call when it has ended; NULL: nobody asks. */
    void (*played)(void *arg, const struct cs_played_call *c);
    void *arg;
};

/* What a play came to. */
struct cs_network_times {
    double seconds;       /* of the slowest rank, from MPI_Init to MPI_Finalize */
    int64_t calls;        /* that were played */
    int64_t messages;     /* that were sent, those of collectives included */
    int64_t polls;        /* calls that ask whether something came (MPI_Test, MPI_Iprobe): they wait for nothing */
    int64_t not_modelled; /* collectives whose members are not known (neighbours, intercommunicators): they wait for
                             nothing */
};

/* Plays a trace. Memory grows with the ranks and with what is under way, not with the length of the trace. 0, or -1
 * with a one-line reason. */
int cs_network_play(const struct cs_trace *t, const struct cs_network *n, const struct cs_network_user *u,
                    struct cs_network_times *times, char *why, size_t whylen);

/* What a schedule begins with. */
#define CS_GOAL_BEGINS "// GOAL schedule of commslice\n"

/* Plays a trace as cs_network_play, and writes what all ranks did as a GOAL schedule. Memory grows with the length of
 * the trace. */
int cs_network_goal(const struct cs_trace *t, const struct cs_network *n, const struct cs_network_user *u,
                    struct cs_network_times *times, FILE *out, char *why, size_t whylen);

/* Reads "latency=1.5us,overhead=0.3us,gap=0.1us,bandwidth=10GB/s,eager=64KB" in any order; what is not named keeps its
 * value. Bandwidth is that of one rank's link. 0, or -1 with a one-line reason. */
int cs_network_parse(const char *text, struct cs_network *n, char *why, size_t whylen);

#endif
