/* SPDX-License-Identifier: BSD-3-Clause
 * The model file: observations of small runs as text (docs/reference/model-format.md). */
#ifndef CS_MODEL_FILE_H
#define CS_MODEL_FILE_H

#include <stdio.h>

#include "predict/model/observations.h"

/* What every model file begins with. */
#define CS_MODEL_MAGIC "commslice-model 3\n"

/* Writes the observations. What fails shows in the stream. */
void cs_model_write(const struct cs_observations *o, FILE *f);

/* Reads observations into *o, which is empty. 0, or -1 with a one-line reason; *o is to be freed in any case. */
int cs_model_read(struct cs_observations *o, FILE *f, char *why, size_t whylen);

#endif
