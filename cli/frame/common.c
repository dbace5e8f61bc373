/* SPDX-License-Identifier: BSD-3-Clause
 * What the verbs share: messages, options, progress, sizes for people.
 * Every error is one line that says which file and what to do. */
#define _GNU_SOURCE 1
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "cli/frame/cli.h"
#include "cli/frame/text.h"

#define PROGRESS_AFTER_S 2.0
#define PROGRESS_EVERY_S 0.2

static const char *verb_name;
static bool progress_shown;

void cs_set_verb(const char *name)
{
    verb_name = name;
}

static void say(const char *fmt, va_list ap)
{
    cs_progress_end();
    fflush(stdout);
    char *text = NULL;
    fprintf(stderr, verb_name ? "commslice %s: " : "commslice: ", verb_name);
    if (vasprintf(&text, fmt, ap) >= 0)
        cs_put_plain(stderr, text);
    fputc('\n', stderr);
    free(text);
}

int cs_error(const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    say(fmt, ap);
    va_end(ap);
    return CS_EXIT_ERROR;
}

void cs_note(const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    say(fmt, ap);
    va_end(ap);
}

int cs_usage_error(const struct cs_verb *v, const char *fmt, ...)
{
    char what[512];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(what, sizeof what, fmt, ap);
    va_end(ap);
    return cs_error("%s; see commslice %s --help", what, v->name);
}

int cs_getopt(const struct cs_verb *v, int argc, char **argv, const char *shorts, const struct option *longs,
              int *exit_code)
{
    opterr = 0;
    int c = getopt_long(argc, argv, shorts, longs, NULL);
    if (c == 'h') {
        fputs(v->usage, stdout);
        *exit_code = cs_finish_output(CS_EXIT_OK);
        return CS_OPT_DONE;
    }
    if (c == '?' || c == ':') {
        const char *word = argv[optind - 1];
        *exit_code = c == ':' ? cs_usage_error(v, "option %s needs a value", word)
                              : cs_usage_error(v, "unknown option %s", word);
        return CS_OPT_DONE;
    }
    return c;
}

bool cs_table_options(const struct cs_verb *v, int argc, char **argv, struct cs_table_options *o, int *exit_code)
{
    static const struct option longs[] = {{"rows", required_argument, NULL, 'n'},
                                          {"json", no_argument, NULL, 'j'},
                                          {"help", no_argument, NULL, 'h'},
                                          {0}};
    int c;
    while ((c = cs_getopt(v, argc, argv, ":n:h", longs, exit_code)) >= 0) {
        o->json |= c == 'j';
        if (c == 'n' && !cs_parse_number(optarg, 1, 1000000, &o->rows)) {
            *exit_code = cs_usage_error(v, "-n %s: give a number of rows from 1", optarg);
            return false;
        }
    }
    return c != CS_OPT_DONE;
}

bool cs_parse_number(const char *text, long min, long max, long *value)
{
    char *end;
    errno = 0;
    *value = strtol(text, &end, 10);
    return !errno && end != text && !*end && *value >= min && *value <= max;
}

int cs_finish_output(int code)
{
    if (fflush(stdout) || ferror(stdout))
        return cs_error("cannot write the output: %s", strerror(errno));
    return code;
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

void cs_progress(const char *what, int64_t done, int64_t total)
{
    static double start, last;
    static int tty = -1;
    if (tty < 0) {
        tty = isatty(STDERR_FILENO);
        start = last = now();
    }
    if (!tty || now() - start < PROGRESS_AFTER_S || now() - last < PROGRESS_EVERY_S)
        return;
    last = now();
    progress_shown = true;
    if (total > 0)
        fprintf(stderr, "\r%s: %d %%\033[K", what, (int)(100.0 * (double)done / (double)total));
    else
        fprintf(stderr, "\r%s, %.0f s\033[K", what, last - start);
}

void cs_progress_end(void)
{
    if (progress_shown)
        fputs("\r\033[K", stderr);
    progress_shown = false;
}

const char *cs_human_bytes(char buf[32], uint64_t bytes)
{
    static const char *const unit[] = {"B", "KB", "MB", "GB", "TB", "PB"};
    double v = (double)bytes;
    int u = 0;
    while (v >= 1000 && u < 5) {
        v /= 1000;
        u++;
    }
    snprintf(buf, 32, u == 0 || v >= 100 ? "%.0f %s" : v >= 10 ? "%.1f %s" : "%.2f %s", v, unit[u]);
    return buf;
}
