/* SPDX-License-Identifier: BSD-3-Clause
 * What recorded runs say of the assumptions that are advised. */
#ifndef CS_ADVICE_TOLD_H
#define CS_ADVICE_TOLD_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/recorded_value.h"
#include "cli/show/readable.h"
#include "cli/verbs/advice.h"
#include "cli/verbs/recorded_runs.h"

/* What the user asked for. */
struct cs_question {
    const struct cs_seen *seen; /* what a recorded run did */
    const char *slice;
    char *seconds;
    struct cs_sources *lines;
    const char *output; /* the file for the first suggestion's assumptions, NULL: none */
    bool all, json;
    char called[PATH_MAX]; /* a file of what the recorded run called, for the helper; empty: it does not tell */
};

/* Is it the assumption that nothing reads what the program writes? It is about no line. */
bool cs_told_about_files(const struct cs_advised *x);
/* Is it the assumption that only functions are called that the recorded run called? It is about no line, either. */
bool cs_told_about_calls(const struct cs_advised *x);
/* Is it about a value, of an argument or a variable? */
bool cs_told_about_value(const struct cs_advised *x);
/* Is it one of many that are made together, as a recorded run always did so? */
bool cs_told_always_so(const struct cs_advised *x);
/* How many of those there are. */
int cs_told_always_so_many(const struct cs_suggestion *s);
/* Is it about how often a loop runs, or about what a condition does each time? */
bool cs_told_about_each_time(const struct cs_advised *x);
/* What a trace calls a value, a loop FILE:LINE=N or a condition FILE:LINE=when(N), with `what` for N or behind `=`;
 * malloced, NULL: memory is out. */
char *cs_told_place_is(const char *place, const char *what);
/* What the value, or number of iterations, was; NULL: that is not known. */
const struct cs_recorded_value *cs_told_value_of(const struct cs_question *q, const struct cs_advised *x);
/* Length of the FILE:LINE of an assumption. */
size_t cs_told_seen_place(const struct cs_advised *x);
/* What is known of an assumption's line, or of its comparison; NULL: nothing. */
const struct cs_line_seen *cs_told_seen_of(const struct cs_question *q, const struct cs_advised *x);
/* How often the loop ran each time that it was come to, on average: how often it went on, divided by how often it was
 * left. -1: that is not known. */
double cs_told_mean_trips_of(const struct cs_question *q, const struct cs_advised *x);
/* The trip count to assume: the nearest to the mean. -1: none is known. */
long long cs_told_trips_of(const struct cs_question *q, const struct cs_advised *x);
/* Does the recorded run speak against it? */
bool cs_told_unfit(const struct cs_question *q, const struct cs_advised *x);
/* Did the recorded run not come to what the assumption is about? */
bool cs_told_unasked(const struct cs_question *q, const struct cs_advised *x);
/* Did the recorded run do as the suggestion says? Values are approximations. */
bool cs_told_borne_out(const struct cs_question *q, const struct cs_suggestion *s);
/* Did the condition of FILE:LINE=N or =when(N) go one way each time? That says it all. */
bool cs_told_settled(const struct cs_question *q, const char *place);
/* The option's value, with the recorded trip count or value in place of N; malloced, NULL: memory is out. */
char *cs_told_option_of(const struct cs_question *q, const struct cs_advised *x);
/* Has the option an N for which its user has to give something? */
bool cs_told_open(const struct cs_question *q, const struct cs_advised *x);
/* By which share the assumption is off what the recorded runs had, where that is known; 0: it is as they had it. */
double cs_told_off_of(const struct cs_question *q, const struct cs_advised *x);

#endif
