/* SPDX-License-Identifier: BSD-3-Clause
 * Several predictions of one program: time, speed-up and efficiency over the number of ranks, what grows, and formulas
 * in the ranks and the size of the problem. */
#ifndef CS_PREDICTION_CURVE_H
#define CS_PREDICTION_CURVE_H

#include "cli/predict/prediction.h"

/* The predictions, in ascending order of sizes, those of a size, or without one, in ascending order of ranks. */
struct cs_curve {
    int n;
    struct cs_prediction *point;
    bool weak; /* the problem grows with the ranks: an efficiency of 1 is the same time */
};

void cs_curve_sort(struct cs_curve *c);
/* How many times as fast as the first point of its size, in what is done each second, and that for each rank. */
double cs_curve_speedup(const struct cs_curve *c, int i);
double cs_curve_efficiency(const struct cs_curve *c, int i);

/* A part's time as a formula in the ranks p, in the size n, or in both, of which four values are needed each. False:
 * there are too few points, or it is nothing. */
bool cs_curve_formula(const struct cs_curve *c, const char *part, char *text, size_t len);

void cs_curve_print(const struct cs_curve *c);
void cs_curve_json(const struct cs_curve *c);
/* A row for each point; a row for each point and part. */
void cs_curve_csv(const struct cs_curve *c);
void cs_curve_parts_csv(const struct cs_curve *c);

/* May the picture become this file, FILE.png or FILE.svg? 0, or CS_EXIT_ERROR after a message. */
int cs_curve_plot_check(const char *file, const char *input, bool force);
/* Draws time, speed-up and efficiency. Returns an exit code. */
int cs_curve_plot(const struct cs_curve *c, const char *file);

#endif
