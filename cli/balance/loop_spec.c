/* SPDX-License-Identifier: BSD-3-Clause
 * Reads what a user says of a loop: loop_spec.h. A law or a list that is none is taken for the name of a file. */
#define _GNU_SOURCE 1
#include "cli/balance/loop_spec.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "cli/frame/cli.h"

/* More are taken for a slip. */
enum { MOST_WORKERS = 1 << 22 };
static const long MOST_ITEMS = 1000000000;

/* Laws by their words, and how many numbers they have. */
static const struct {
    const char *name;
    enum cs_cost_law law;
    int numbers;
} laws[] = {{"constant", CS_COST_CONSTANT, 1},
            {"linear", CS_COST_LINEAR, 2},
            {"gaussian", CS_COST_GAUSSIAN, 2},
            {"heavy", CS_COST_HEAVY, 2}};

/* Ways by their words, with what a message and an answer take if nobody says. */
static const struct {
    const char *name;
    enum cs_simulated_way way;
    double latency, service;
} ways[] = {{"master-worker", CS_FROM_WORKER, 2e-6, 1e-6},
            {"leader", CS_FROM_LEADER, 2e-6, 1e-6},
            {"one-sided", CS_FROM_COUNTERS, 2e-6, 0.2e-6},
            {"shared-memory", CS_FROM_COUNTERS, 0.1e-6, 0.05e-6}};

/* A time at the begin of a text, in seconds if it has no unit; *end is behind it. False: it is none. */
static bool read_time(const char *text, double *seconds, char **end)
{
    static const struct {
        const char *unit;
        double seconds;
    } units[] = {{"ns", 1e-9}, {"us", 1e-6}, {"ms", 1e-3}, {"s", 1}};
    *seconds = strtod(text, end);
    if (*end == text || !isfinite(*seconds) || *seconds < 0)
        return false;
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (strncmp(*end, units[i].unit, strlen(units[i].unit)) == 0) {
            *seconds *= units[i].seconds;
            *end += strlen(units[i].unit);
            break;
        }
    return true;
}

static int read_whole_time(const char *option, const char *text, double *seconds)
{
    char *end;
    if (text && (!read_time(text, seconds, &end) || *end))
        return cs_error("%s %s: give a time, such as 2us", option, text);
    return CS_EXIT_OK;
}

static int read_share(const char *option, const char *text, double *share)
{
    char *end;
    if (!text)
        return CS_EXIT_OK;
    *share = strtod(text, &end);
    *share /= *end == '%' ? 100 : 1;
    if (end == text || *(end + (*end == '%')) || !(*share >= 0) || *share > 1)
        return cs_error("%s %s: give a share, such as 10%%", option, text);
    return CS_EXIT_OK;
}

/* Numbers of a file, one a line, from # on comments; `positive`: none is 0. */
static int read_numbers(const char *path, bool positive, double **v, long *n)
{
    FILE *f = fopen(path, "r");
    char *line = NULL, *end;
    size_t room = 0;
    long cap = 0, number = 0;
    int code = f ? CS_EXIT_OK : cs_error("%s: %s", path, strerror(errno));
    for (*n = 0, *v = NULL; !code && getline(&line, &room, f) > 0;) {
        double one;
        number++;
        line[strcspn(line, "#\r\n")] = '\0';
        if (!line[strspn(line, " \t")])
            continue;
        if (!read_time(line, &one, &end) || end[strspn(end, " \t")] || (positive && one == 0))
            code = cs_error("%s:%ld: give a number %s", path, number, positive ? "above 0" : "not below 0");
        else if (!CS_MAKE_ROOM(*v, *n, cap))
            code = cs_error("not enough memory");
        else
            (*v)[(*n)++] = one;
    }
    if (!code && ferror(f))
        code = cs_error("%s: %s", path, strerror(errno));
    free(line);
    if (f)
        fclose(f);
    return code;
}

/* ---- items ---- */

static double *new_numbers(long n)
{
    double *v = malloc((size_t)n * sizeof *v);
    if (!v)
        cs_error("not enough memory");
    return v;
}

static int sum_up_file(struct cs_loop_spec *s)
{
    double *cost;
    long n;
    int code = read_numbers(s->costs, false, &cost, &n);
    if (!code && n == 0)
        code = cs_error("%s: there are no items", s->costs);
    if (!code && s->items && s->items != n)
        code = cs_error("%s: it has %ld items, not %ld", s->costs, n, s->items);
    if (!code && !(s->before = new_numbers(n + 1)))
        code = CS_EXIT_ERROR;
    if (!code) {
        s->items = n;
        s->before[0] = 0;
        for (long i = 0; i < n; i++)
            s->before[i + 1] = s->before[i] + cost[i];
    }
    free(cost);
    return code;
}

static int fill_law(struct cs_loop_spec *s, enum cs_cost_law law, int numbers, const char *text)
{
    struct cs_item_costs c = {.law = law};
    char *end;
    bool good = *text == ':' && read_time(text + 1, &c.a, &end) &&
                (numbers == 1 || (*end == ',' && read_time(end + 1, &c.b, &end))) && !*end;
    if (!good)
        return cs_error("--costs %s: give %s behind the colon, such as 2ms%s", s->costs,
                        numbers == 1 ? "a time" : "two times", numbers == 1 ? "" : ",0.5ms");
    if (!s->items)
        return cs_error("no items: say how many with --items");
    if (!(s->before = new_numbers(s->items + 1)))
        return CS_EXIT_ERROR;
    cs_item_costs_fill(&c, s->items, (uint64_t)s->seed, s->before);
    return CS_EXIT_OK;
}

static int read_costs(struct cs_loop_spec *s)
{
    size_t n = strcspn(s->costs, ":");
    for (size_t i = 0; i < sizeof laws / sizeof *laws; i++)
        if (strlen(laws[i].name) == n && strncmp(s->costs, laws[i].name, n) == 0)
            return fill_law(s, laws[i].law, laws[i].numbers, s->costs + n);
    return sum_up_file(s);
}

/* ---- workers ---- */

/* COUNT, or COUNTxSPEED, at *text, which goes on behind it; false: neither. */
static bool read_group(const char **text, long *count, double *speed)
{
    char *end;
    *count = strtol(*text, &end, 10);
    *speed = 1;
    if (end == *text || *count < 1 || *count > MOST_WORKERS)
        return false;
    if (*end == 'x') {
        const char *number = end + 1;
        *speed = strtod(number, &end);
        if (end == number || !(*speed > 0) || !isfinite(*speed))
            return false;
    }
    *text = end + (*end == ',');
    return *end == ',' ? *(end + 1) != '\0' : !*end;
}

static int read_groups(struct cs_loop_spec *s, long *n)
{
    long count, cap = 0;
    double speed;
    for (const char *p = s->workers; *p;) {
        if (!read_group(&p, &count, &speed) || *n + count > MOST_WORKERS)
            return cs_error("--workers %s: give COUNT or COUNTxSPEED, with commas between, speeds above 0", s->workers);
        if (!CS_MAKE_ROOM_FOR(s->speed, *n + count, cap))
            return cs_error("not enough memory");
        while (count--)
            s->speed[(*n)++] = speed;
    }
    return CS_EXIT_OK;
}

/* What workers really do: off by the drift, at least a tenth of what they are said to do. */
static int drift(struct cs_loop_spec *s, long n)
{
    if (!(s->real = new_numbers(n)))
        return CS_EXIT_ERROR;
    for (long i = 0; i < n; i++)
        s->real[i] = s->speed[i] * fmax(0.1, 1 + s->drift * cs_normal_number((uint64_t)s->seed + 77, (uint64_t)i));
    return CS_EXIT_OK;
}

static int read_workers(struct cs_loop_spec *s)
{
    long n = 0;
    bool list = strspn(s->workers, "0123456789") > 0;
    int code = list ? read_groups(s, &n) : read_numbers(s->workers, true, &s->speed, &n);
    if (!code && n == 0)
        code = cs_error("--workers %s: there are no workers", s->workers);
    if (!code && n > MOST_WORKERS)
        code = cs_error("--workers %s: more than %d workers", s->workers, MOST_WORKERS);
    if (code)
        return code;
    s->simulation.workers = (int)n;
    return drift(s, n);
}

static int read_way(struct cs_loop_spec *s)
{
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++)
        if (strcmp(s->way, ways[i].name) == 0) {
            s->simulation.way = ways[i].way;
            s->simulation.latency = ways[i].latency;
            s->simulation.service = ways[i].service;
            return CS_EXIT_OK;
        }
    return cs_error("no way %s; there are master-worker, leader, one-sided and shared-memory", s->way);
}

int cs_loop_spec_read(struct cs_loop_spec *s)
{
    if (s->items > MOST_ITEMS)
        return cs_error("--items %ld: at most %ld", s->items, MOST_ITEMS);
    if (read_way(s) || read_whole_time("--latency", s->latency_text, &s->simulation.latency) ||
        read_whole_time("--service", s->service_text, &s->simulation.service) ||
        read_share("--drift", s->drift_text, &s->drift) || read_workers(s) || read_costs(s))
        return CS_EXIT_ERROR;
    s->simulation.items = s->items;
    s->simulation.chunk = s->chunk;
    s->simulation.before = s->before;
    s->simulation.speed = s->speed;
    s->simulation.real = s->real;
    return CS_EXIT_OK;
}

void cs_loop_spec_free(struct cs_loop_spec *s)
{
    free(s->before);
    free(s->speed);
    free(s->real);
}
