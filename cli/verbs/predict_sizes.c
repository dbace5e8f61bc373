/* SPDX-License-Identifier: BSD-3-Clause
 * Runs a slice at several sizes; see predict_sizes.h. Each run is a commslice run of its own, whose trace lies in a
 * temporary folder until it is predicted. */
#define _GNU_SOURCE 1
#include "cli/verbs/predict_sizes.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/frame/cli.h"
#include "cli/frame/unfinished.h"
#include "cli/launch/child.h"

int cs_sizes_parse(const char *text, struct cs_sizes *s)
{
    char *copy = strdup(text), *rest = copy, *one;
    s->n = 0;
    while (copy && (one = strsep(&rest, ","))) {
        if (s->n == CS_SIZES_MOST || !cs_parse_number(one, 1, 1 << 24, &s->ranks[s->n])) {
            cs_error("-n %s: give numbers of ranks such as 64,256,1024, at most %d of them", text, CS_SIZES_MOST);
            free(copy);
            return -1;
        }
        s->n++;
    }
    free(copy);
    return s->n ? 0 : (cs_error("not enough memory"), -1);
}

/* A copy of the word with the number for each {n}; NULL: no memory. */
static char *with_number(const char *word, const char *number)
{
    size_t room = strlen(word) + 1;
    for (const char *at = word; (at = strstr(at, "{n}")); at += 3)
        room += strlen(number);
    char *copy = malloc(room), *to = copy;
    while (copy && *word) {
        if (!strncmp(word, "{n}", 3)) {
            to = stpcpy(to, number);
            word += 3;
        } else
            *to++ = *word++;
    }
    if (copy)
        *to = 0;
    return copy;
}

static void free_words(char **w, int from)
{
    for (int i = from; w && w[i]; i++)
        free(w[i]);
    free(w);
}

/* Words before those of the slice. */
enum { OWN_WORDS = 10 };

/* commslice run -q --stdout drop -o TRACE -n NUMBER -- SLICE ARGS...; those from OWN_WORDS on are to be freed, and the
 * array. NULL: no memory. */
static char **command(char **word, char *trace, char *number)
{
    char *own[OWN_WORDS] = {"/proc/self/exe", "run", "-q", "--stdout", "drop", "-o", trace, "-n", number, "--"};
    int n = 0;
    while (word[n])
        n++;
    char **w = calloc((size_t)n + OWN_WORDS + 1, sizeof *w);
    if (!w)
        return NULL;
    memcpy(w, own, sizeof own);
    for (int i = 0; i < n; i++)
        if (!(w[OWN_WORDS + i] = with_number(word[i], number))) {
            free_words(w, OWN_WORDS);
            return NULL;
        }
    return w;
}

static int run_slice(char **word, char *trace, char *number)
{
    struct cs_child c = {.ours = true, .silent = true};
    char **w = command(word, trace, number);
    if (!w)
        return cs_error("not enough memory");
    int status = cs_child_run(&c, w);
    free_words(w, OWN_WORDS);
    if (status > 0 && WIFSIGNALED(status))
        return cs_error("the slice with %s ranks was ended by signal %d", number, WTERMSIG(status));
    return status ? cs_error("the slice with %s ranks failed", number) : CS_EXIT_OK;
}

/* Runs the slice, and predicts the run. */
static int predict_size(char **word, long ranks, const char *dir, const char *model, const struct cs_network *n,
                        struct cs_curve *c)
{
    char trace[PATH_MAX + 32], number[32], name[PATH_MAX];
    snprintf(number, sizeof number, "%ld", ranks);
    snprintf(trace, sizeof trace, "%s/%ld.trace", dir, ranks);
    snprintf(name, sizeof name, "%s -n %ld", word[0], ranks);
    cs_unfinished(trace);
    int code = run_slice(word, trace, number);
    if (!code && cs_prediction_make(&c->point[c->n], trace, name, model, n))
        code = CS_EXIT_ERROR;
    c->n += !code;
    unlink(trace);
    cs_finished(trace);
    return code;
}

int cs_predict_sizes(char **word, const struct cs_sizes *s, const char *model, const struct cs_network *n,
                     struct cs_curve *c)
{
    char dir[PATH_MAX];
    const char *tmp = getenv("TMPDIR");
    int code = CS_EXIT_OK, len = snprintf(dir, sizeof dir, "%s/commslice-predict.XXXXXX", tmp && *tmp ? tmp : "/tmp");
    if (len >= (int)sizeof dir || !mkdtemp(dir))
        return cs_error("%s: %s", dir, strerror(len >= (int)sizeof dir ? ENAMETOOLONG : errno));
    cs_unfinished(dir);
    for (int i = 0; i < s->n && !code; i++) {
        code = predict_size(word, s->ranks[i], dir, model, n, c);
        if (!code && s->n > 1)
            cs_prediction_shed(&c->point[c->n - 1]);
    }
    rmdir(dir);
    cs_finished(dir);
    return code;
}
