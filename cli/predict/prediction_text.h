/* SPDX-License-Identifier: BSD-3-Clause
 * One prediction in words, as JSON, and for a job script. */
#ifndef CS_PREDICTION_TEXT_H
#define CS_PREDICTION_TEXT_H

#include "cli/frame/json.h"
#include "cli/predict/prediction.h"

/* Both need the table of segments: not after cs_prediction_shed. */
void cs_prediction_print(const struct cs_prediction *p);
void cs_prediction_json(const struct cs_prediction *p);
/* What methods that know runs as a whole say, a line each. */
void cs_methods_print(const struct cs_prediction *p);
/* The members of a prediction's object that need no table of segments. */
void cs_prediction_members(struct cs_json *j, const struct cs_prediction *p);
/* A number of seconds, or of something else, as a member. */
/* Says which share of the small runs' turns the slice does not count, and what counts more of them, if that is much. */
void cs_print_uncounted(const struct cs_prediction *p);
void cs_prediction_real(struct cs_json *j, const char *key, double v);
/* "0-01:30:00", the upper end of the interval, for sbatch --time. Returns an exit code. */
int cs_prediction_slurm(const struct cs_prediction *p);

#endif
