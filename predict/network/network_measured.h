/* SPDX-License-Identifier: BSD-3-Clause
 * The numbers of a network from what a small program measured on it, between two of its ranks and on all of them. */
#ifndef CS_NETWORK_MEASURED_H
#define CS_NETWORK_MEASURED_H

#include "predict/network/network.h"

/* Most sizes of messages, and collectives, that one program measures. */
enum { CS_MEASURED_MOST = 64 };

/* The time of a message or a collective. */
struct cs_measured_time {
    double bytes, ns;
};

/* What was measured. Times are ns. */
struct cs_network_measured {
    int nmessages;
    struct cs_measured_time message[CS_MEASURED_MOST]; /* half of a ping-pong */
    double send, receive;      /* in which a call that sends or receives a short message is done with it */
    double burst;              /* each of many short messages behind each other */
    double eager;              /* bytes: the largest message for which the sender does not wait; 0: not known */
    int ranks;                 /* of the collectives; 0: there are none */
    double barrier, reduction; /* of 8 bytes, to all ranks */
};

/* Reads a line of the program's output; lines of other programs are ignored. 0, or -1: it is none that makes sense. */
int cs_measured_line(struct cs_network_measured *m, const char *line);
/* The numbers: bandwidth by least squares of relative errors over messages from 64 KB on, latency is what the fastest
 * short message leaves. 0, or -1 with a one-line reason. */
int cs_network_fit(const struct cs_network_measured *m, struct cs_network *n, char *why, size_t whylen);
/* What a barrier (0 bytes) or a short reduction to all ranks takes by these numbers, ns. */
double cs_network_rounds(const struct cs_network *n, int ranks, double bytes);

/* ---- the file ---- */

/* What every file of network numbers begins with. */
#define CS_NETWORK_BEGINS "# network numbers of commslice calibrate, version 1\n"

/* Writes the numbers, as cs_network_parse reads them, and what was measured as comments. */
void cs_network_write(const struct cs_network *n, const struct cs_network_measured *m, FILE *f);
/* Reads numbers from `text` if there is a '=' in it, else from the file of that name. 0, or -1 with a one-line reason.
 */
int cs_network_read(const char *text, struct cs_network *n, char *why, size_t whylen);

#endif
