/* SPDX-License-Identifier: BSD-3-Clause
 * A trace played by SimGrid on a platform: it is written as a time-independent trace, which smpirun replays. */
#ifndef CS_SIMGRID_PLAY_H
#define CS_SIMGRID_PLAY_H

#include "trace/trace.h"

/* Where it is played. */
struct cs_simgrid {
    const char *platform, *hosts; /* files; hosts: those to use, one a line, NULL: one for each rank, in their order */
    double speed;                 /* flop/s of the first host: computation takes there what it takes here */
    char speed_text[40];          /* as the platform has it */
};

/* Reads the speed of the platform's first host. 0, or an exit code after a message. */
int cs_simgrid_read(struct cs_simgrid *s);
/* Plays the trace with what `computation` says, in ns, of the time before each event of a rank; from: the site of the
 * event before. Seconds from the first rank's MPI_Init to the last one's end. 0, or -1 after a message. */
int cs_simgrid_play(const struct cs_simgrid *s, const char *trace, int nranks,
                    double (*computation)(void *arg, int rank, int from, const struct cs_event *e), void *arg,
                    double *seconds);

#endif
