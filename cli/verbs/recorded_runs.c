/* SPDX-License-Identifier: BSD-3-Clause
 * Reads what recorded runs did from the run info of their traces; see recorded_runs.h. */
#define _GNU_SOURCE 1
#include "cli/verbs/recorded_runs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/assumption.h"
#include "base/grow.h"
#include "cli/frame/cli.h"
#include "cli/show/open_trace.h"
#include "trace/trace.h"

/* Adds what a value was in one more run; takes it over. False: memory is out. */
static bool take_value(struct cs_seen *to, struct cs_recorded_value *v)
{
    for (size_t i = 0; i < to->nvalues; i++) {
        struct cs_recorded_value *a = &to->value[i], *more;
        if (strcmp(a->place, v->place))
            continue;
        if (!(more = malloc(sizeof *more)))
            return false;
        a->times += v->times;
        a->least = v->least < a->least ? v->least : a->least;
        a->most = v->most > a->most ? v->most : a->most;
        *more = *v;
        more->also = a->also;
        a->also = more;
        return true;
    }
    if (!CS_MAKE_ROOM(to->value, to->nvalues, to->values_cap))
        return false;
    to->value[to->nvalues++] = *v;
    return true;
}

static bool take_held(struct cs_seen *to, const char *place, size_t len, long long held, long long times)
{
    for (size_t i = 0; i < to->n; i++)
        if (!strncmp(to->line[i].place, place, len) && !to->line[i].place[len]) {
            to->line[i].held += held;
            to->line[i].times += times;
            to->line[i].runs += times > 0;
            return true;
        }
    if (!CS_MAKE_ROOM(to->line, to->n, to->cap))
        return false;
    to->line[to->n] = (struct cs_line_seen){strndup(place, len), held, times, times > 0};
    return to->line[to->n++].place;
}

static bool take_called(struct cs_seen *to, const char *line)
{
    if (!CS_MAKE_ROOM(to->called, to->ncalled, to->called_cap))
        return false;
    to->called[to->ncalled] = strdup(line);
    return to->called[to->ncalled++];
}

/* Does the line say how often a function was called? Not so "called:FILE violated 2 times". */
static bool says_called(const char *line)
{
    const char *blank = strchr(line, ' ');
    return blank && !strncmp(line, CS_ONLY_CALLED, strlen(CS_ONLY_CALLED)) && blank[1] >= '0' && blank[1] <= '9';
}

/* Takes one line of a trace's run info: "cg.c:83 held 62 of 63 times", or what a value was; others are left. False:
 * memory is out. */
static bool take_seen(struct cs_seen *to, const char *line)
{
    const char *word = strstr(line, " held ");
    long long held, times;
    struct cs_recorded_value v;
    if (says_called(line))
        return take_called(to, line);
    bool is_value, fits = cs_recorded_value_read(&v, line, &is_value);
    if (is_value) {
        if (fits && take_value(to, &v))
            return true;
        cs_recorded_value_free(&v);
        return false;
    }
    if (!word || sscanf(word, " held %lld of %lld times", &held, &times) != 2)
        return true;
    return take_held(to, line, (size_t)(word - line), held, times);
}

/* Notes a run of so many ranks; 0, or an exit code after a message. */
static int take_run(struct cs_seen *to, const char *path, int nranks)
{
    for (int i = 0; i < to->nruns; i++)
        if (to->nranks[i] == nranks)
            return cs_error("%s: of %d ranks, as another trace: give traces of different numbers of ranks", path,
                            nranks);
    if (to->nruns == CS_RUNS_MOST)
        return cs_error("%s: more than %d traces", path, CS_RUNS_MOST);
    to->nranks[to->nruns++] = nranks;
    return 0;
}

/* Did every rank come to MPI_Finalize? It is there that a run tells what it did. */
static bool came_to_end(const struct cs_trace *t)
{
    bool all = !cs_trace_failed(t);
    for (int r = 0; r < cs_trace_info(t)->nranks; r++)
        all &= cs_trace_rank_state(t, r) == CS_RANK_COMPLETE;
    return all;
}

int cs_seen_read(const char *path, struct cs_seen *to)
{
    struct cs_trace *t = cs_open_trace(path);
    if (!t)
        return CS_EXIT_ERROR;
    int code = take_run(to, path, cs_trace_info(t)->nranks);
    char *copy = cs_trace_info(t)->assumptions ? strdup(cs_trace_info(t)->assumptions) : NULL, *rest = copy, *line;
    bool ok = true, told = false;
    while (!code && rest && ok && (line = strsep(&rest, "\n"))) {
        ok = take_seen(to, line);
        told |= strstr(line, " held ") || strstr(line, " was ") || says_called(line);
    }
    bool ended = came_to_end(t);
    free(copy);
    cs_trace_free(t);
    if (code || !ok)
        return code ? code : cs_error("not enough memory");
    if (!told && !ended)
        return cs_error("%s: the run did not come to MPI_Finalize, where it would have said what branches did: record "
                        "one that ends well",
                        path);
    if (!told)
        return cs_error("%s: it does not say what branches did: record a program linked with "
                        "-fplugin-arg-commslice-mode=original",
                        path);
    return 0;
}

/* Is the value there in each run? */
static bool in_each(const struct cs_seen *s, const struct cs_recorded_value *v)
{
    int runs = 0;
    for (; v; v = v->also)
        runs += v->times > 0;
    return runs == s->nruns;
}

/* What only some of the runs came to goes with the number of ranks: it is left out. */
static void leave_out(struct cs_seen *s)
{
    size_t n = 0;
    for (size_t i = 0; i < s->nvalues; i++)
        if (in_each(s, &s->value[i]))
            s->value[n++] = s->value[i];
        else
            cs_recorded_value_free(&s->value[i]);
    s->nvalues = n;
}

void cs_seen_join(struct cs_seen *s)
{
    leave_out(s);
    for (size_t i = 0; i < s->nvalues; i++)
        s->value[i].any_size = s->nruns > 1;
}

void cs_seen_free(struct cs_seen *s)
{
    for (size_t i = 0; i < s->n; i++)
        free(s->line[i].place);
    free(s->line);
    for (size_t i = 0; i < s->nvalues; i++)
        cs_recorded_value_free(&s->value[i]);
    free(s->value);
    for (size_t i = 0; i < s->ncalled; i++)
        free(s->called[i]);
    free(s->called);
}
