/* SPDX-License-Identifier: BSD-3-Clause
 * Runs a slice for a verb; see run_slice.h. Each run is a commslice run of its own. */
#define _GNU_SOURCE 1
#include "cli/verbs/run_slice.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/frame/cli.h"
#include "cli/frame/unfinished.h"
#include "cli/launch/child.h"

int cs_numbers_parse(const char *option, const char *text, struct cs_numbers *s)
{
    char *copy = strdup(text), *rest = copy, *one;
    s->n = 0;
    while (copy && (one = strsep(&rest, ","))) {
        if (s->n == CS_NUMBERS_MOST || !cs_parse_number(one, 1, 1 << 24, &s->v[s->n])) {
            cs_error("%s %s: give numbers such as 64,256,1024, at most %d of them", option, text, CS_NUMBERS_MOST);
            free(copy);
            return -1;
        }
        s->n++;
    }
    free(copy);
    return s->n ? 0 : (cs_error("not enough memory"), -1);
}

/* What a place in the words stands for. */
struct value {
    const char *place, *is;
};

static const struct value *value_at(const struct value *v, const char *at)
{
    for (; v->place; v++)
        if (!strncmp(at, v->place, strlen(v->place)))
            return v;
    return NULL;
}

/* A copy of the word with the values; NULL: no memory. */
static char *with_values(const char *word, const struct value *values)
{
    char *copy = NULL;
    size_t len;
    FILE *f = open_memstream(&copy, &len);
    while (f && *word) {
        const struct value *v = value_at(values, word);
        if (v)
            fputs(v->is, f);
        else
            putc(*word, f);
        word += v ? strlen(v->place) : 1;
    }
    return f && fclose(f) == 0 ? copy : NULL;
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
static char **command(char **word, char *trace, const struct value *values)
{
    char *own[OWN_WORDS] = {"/proc/self/exe",     "run", "-q", "--stdout", "drop", "-o", trace, "-n",
                            (char *)values[0].is, "--"};
    int n = 0;
    while (word[n])
        n++;
    char **w = calloc((size_t)n + OWN_WORDS + 1, sizeof *w);
    if (!w)
        return NULL;
    memcpy(w, own, sizeof own);
    for (int i = 0; i < n; i++)
        if (!(w[OWN_WORDS + i] = with_values(word[i], values))) {
            free_words(w, OWN_WORDS);
            return NULL;
        }
    return w;
}

static int run(char **word, char *trace, const struct value *values, const char *name)
{
    struct cs_child c = {.ours = true, .silent = true};
    char **w = command(word, trace, values);
    if (!w)
        return cs_error("not enough memory");
    int status = cs_child_run(&c, w);
    free_words(w, OWN_WORDS);
    if (status > 0 && WIFSIGNALED(status))
        return cs_error("%s was ended by signal %d", name, WTERMSIG(status));
    return status ? cs_error("%s failed", name) : CS_EXIT_OK;
}

int cs_run_slice(char **word, long ranks, const char *size, const char *dir,
                 int (*read)(void *arg, const char *trace, const char *name), void *arg)
{
    char trace[PATH_MAX + 32], number[32], name[PATH_MAX];
    const struct value values[] = {{"{n}", number}, {size ? "{size}" : NULL, size}, {NULL, NULL}};
    snprintf(number, sizeof number, "%ld", ranks);
    snprintf(trace, sizeof trace, "%s/%ld.trace", dir, ranks);
    snprintf(name, sizeof name, "%s -n %ld%s%s", word[0], ranks, size ? ", size " : "", size ? size : "");
    cs_unfinished(trace);
    int code = run(word, trace, values, name);
    if (!code)
        code = read(arg, trace, name);
    unlink(trace);
    cs_finished(trace);
    return code;
}
