/* SPDX-License-Identifier: BSD-3-Clause
 * What the verbs of the command share: exit codes, one-line errors, option parsing, progress.
 * A verb is one function in one file; main.c holds the table. */
#ifndef CS_CLI_H
#define CS_CLI_H

#include <getopt.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* Exit codes of all verbs. */
enum { CS_EXIT_OK = 0, CS_EXIT_NOT_SO = 1, CS_EXIT_ERROR = 2 };

/* A verb of the command: its name, its texts and the function that runs it. */
struct cs_verb {
    const char *name;
    const char *summary;                                        /* one line for `commslice help` */
    const char *usage;                                          /* what --help prints */
    int (*run)(const struct cs_verb *v, int argc, char **argv); /* argv[0] is the verb; returns the exit code */
};

extern const struct cs_verb cs_verb_run, cs_verb_record, cs_verb_replay, cs_verb_info, cs_verb_print, cs_verb_diff,
    cs_verb_matrix, cs_verb_why, cs_verb_export, cs_verb_merge, cs_verb_fold, cs_verb_expand, cs_verb_skeleton,
    cs_verb_predict, cs_verb_report, cs_verb_advise, cs_verb_fit, cs_verb_plan, cs_verb_calibrate, cs_verb_balance,
    cs_verb_shares, cs_verb_waits, cs_verb_monitor, cs_verb_scale;

/* Prints "commslice VERB: MESSAGE" on one line; returns CS_EXIT_ERROR. */
int cs_error(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
/* The same, worded for a wrong command line. */
int cs_usage_error(const struct cs_verb *v, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* Notes on stderr, one line each: "commslice VERB: ...". */
void cs_note(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
void cs_set_verb(const char *name);

/* As getopt_long, but answers --help and wrong options itself. Returns an option's value, -1 at the end of the options,
 * or CS_OPT_DONE when *exit_code is the verb's answer. Short options in `shorts`; give a leading '+' to stop at the
 * first operand. */
enum { CS_OPT_DONE = -2 };
int cs_getopt(const struct cs_verb *v, int argc, char **argv, const char *shorts, const struct option *longs,
              int *exit_code);
/* The options of a verb that prints tables: how many rows of each, and JSON in their place. */
struct cs_table_options {
    long rows;
    bool json;
};
/* Reads the options of such a verb, -n ROWS and --json; o->rows is what counts if nobody says. What is left are
 * operands, from `optind` on. False: *exit_code is the verb's answer. */
bool cs_table_options(const struct cs_verb *v, int argc, char **argv, struct cs_table_options *o, int *exit_code);
/* Parses the whole text as a decimal number from min to max; false if it is none. */
bool cs_parse_number(const char *text, long min, long max, long *value);

/* Flushes stdout; CS_EXIT_ERROR with a message if what was printed did not arrive, else `code`. */
int cs_finish_output(int code);

/* Shows progress on stderr, if that is a terminal, from two seconds after the first call on: "WHAT: 37 %", or the
 * seconds if total is 0. cs_progress_end wipes it away. */
void cs_progress(const char *what, int64_t done, int64_t total);
void cs_progress_end(void);

/* "1.5 MB"; returns buf. */
const char *cs_human_bytes(char buf[32], uint64_t bytes);

#endif
