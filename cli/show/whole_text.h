/* SPDX-License-Identifier: BSD-3-Clause
 * The methods that know runs as a whole, in words: their formulas. */
#ifndef CS_WHOLE_TEXT_H
#define CS_WHOLE_TEXT_H

#include "predict/methods/whole_run.h"

/* What both tell of a run, and how sure they are. */
struct cs_whole_answer {
    bool known;
    double seconds, error; /* error below 0: nothing has checked it */
    char formula[1024];    /* or, if it is not known, why */
};

/* Fits the method (not segments), and asks it about a run of the observations; run below 0: about none. */
void cs_whole_ask(const struct cs_observations *o, enum cs_method method, int run, struct cs_whole_answer *a);

#endif
