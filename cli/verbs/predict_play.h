/* SPDX-License-Identifier: BSD-3-Clause
 * Prediction by playing a trace on a network, without running anything. */
#ifndef CS_PREDICT_PLAY_H
#define CS_PREDICT_PLAY_H

#include <stdbool.h>

/* What is asked: `network` as cs_network_parse reads it, NULL: a usual one; `model` is a file of commslice fit that
 * knows the computation, NULL: it is that of the trace. */
struct cs_predict_play {
    const char *trace, *network, *model;
    bool json;
};

/* Plays the trace and prints what it would take. Returns an exit code. */
int cs_predict_play(const struct cs_predict_play *p);

#endif
