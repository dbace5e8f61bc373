/* SPDX-License-Identifier: BSD-3-Clause
 * Reads a list of machines and cuts a loop into shares for their processes: host_shares.h. A line is NAME, the number
 * of processes, and a speed, or points of a curve, SIZE:SECONDS with commas between. */
#define _GNU_SOURCE 1
#include "cli/balance/host_shares.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "cli/frame/cli.h"

enum { MOST_PROCESSES = 1 << 22 }; /* more are taken for a slip */

/* A line that is being read, for messages. */
struct place {
    const char *path;
    long line;
};

static int no_memory(void)
{
    return cs_error("not enough memory");
}

static bool read_point(char **text, double *size, double *seconds)
{
    char *end;
    *size = strtod(*text, &end);
    if (end == *text || *end != ':')
        return false;
    *text = end + 1;
    *seconds = strtod(*text, &end);
    if (end == *text || (*end && *end != ','))
        return false;
    *text = end + (*end == ',');
    return *size > 0 && isfinite(*size) && *seconds > 0 && isfinite(*seconds);
}

static int read_points(struct cs_host *h, char *text, const struct place *at)
{
    while (*text) {
        double size, seconds;
        if (!read_point(&text, &size, &seconds) || (h->npoints && size <= h->size[h->npoints - 1]))
            return cs_error("%s:%ld: give points as SIZE:SECONDS,SIZE:SECONDS, above 0 and ascending in size", at->path,
                            at->line);
        if (!CS_MAKE_ROOM(h->size, h->npoints, h->cap_size) || !CS_MAKE_ROOM(h->seconds, h->npoints, h->cap_seconds))
            return no_memory();
        h->size[h->npoints] = size;
        h->seconds[h->npoints++] = seconds;
    }
    return CS_EXIT_OK;
}

static int read_speed(struct cs_host *h, const char *text, bool times, const struct place *at)
{
    char *end;
    double v = strtod(text, &end);
    if (end == text || *end || !(v > 0) || !isfinite(v) || !isfinite(1 / v))
        return cs_error("%s:%ld: %s: give a %s above 0", at->path, at->line, text, times ? "time" : "speed");
    h->speed = times ? 1 / v : v;
    return CS_EXIT_OK;
}

static int read_host(struct cs_host_plan *p, char *line, bool times, const struct place *at)
{
    static const char blanks[] = " \t\r\n";
    char *rest, *name = strtok_r(line, blanks, &rest), *processes = strtok_r(NULL, blanks, &rest),
                *speed = strtok_r(NULL, blanks, &rest);
    struct cs_host h = {.first = p->processes};
    if (!speed || strtok_r(NULL, blanks, &rest) || !cs_parse_number(processes, 1, MOST_PROCESSES, &h.processes) ||
        h.processes > MOST_PROCESSES - p->processes)
        return cs_error("%s:%ld: give a name, a number of processes from 1 on, and a speed", at->path, at->line);
    bool curve = strchr(speed, ':') != NULL;
    if (p->nhosts && curve != p->curves)
        return cs_error("%s:%ld: either all machines have points of a curve, or none", at->path, at->line);
    p->curves = curve;
    if (!(h.name = strdup(name)) || !CS_MAKE_ROOM(p->host, p->nhosts, p->cap)) {
        free(h.name);
        return no_memory();
    }
    p->processes += (int)h.processes;
    p->host[p->nhosts++] = h;
    struct cs_host *kept = &p->host[p->nhosts - 1];
    return curve ? read_points(kept, speed, at) : read_speed(kept, speed, times, at);
}

int cs_hosts_read(struct cs_host_plan *p, const char *path, bool times)
{
    struct place at = {path, 0};
    FILE *f = fopen(path, "r");
    char *line = NULL;
    size_t room = 0;
    int code = f ? CS_EXIT_OK : cs_error("%s: %s", path, strerror(errno));
    while (!code && getline(&line, &room, f) > 0) {
        at.line++;
        line[strcspn(line, "#")] = '\0';
        if (line[strspn(line, " \t\r\n")])
            code = read_host(p, line, times, &at);
    }
    if (!code && ferror(f))
        code = cs_error("%s: %s", path, strerror(errno));
    if (!code && !p->nhosts)
        code = cs_error("%s: there are no machines", path);
    free(line);
    if (f)
        fclose(f);
    return code;
}

/* Seconds of a process of the machine for so many items. */
static double seconds(const struct cs_host_plan *p, const struct cs_host *h, double items)
{
    if (p->curves)
        return cs_curve_seconds(&(struct cs_time_curve){h->npoints, h->size, h->seconds}, items);
    return items * (p->cost > 0 ? p->cost : 1) / h->speed;
}

static int share_by_curve(struct cs_host_plan *p)
{
    struct cs_time_curve *curve = malloc((size_t)p->processes * sizeof *curve);
    for (int i = 0; curve && i < p->nhosts; i++)
        for (long k = 0; k < p->host[i].processes; k++)
            curve[p->host[i].first + k] =
                (struct cs_time_curve){p->host[i].npoints, p->host[i].size, p->host[i].seconds};
    int code = curve ? cs_shares_by_curve(p->items, p->processes, curve, p->share) : -1;
    free(curve);
    return code;
}

static int share_by_speed(struct cs_host_plan *p)
{
    double *speed = malloc((size_t)p->processes * sizeof *speed);
    for (int i = 0; speed && i < p->nhosts; i++)
        for (long k = 0; k < p->host[i].processes; k++)
            speed[p->host[i].first + k] = p->host[i].speed;
    int code = speed ? cs_shares_by_weight(p->items, p->processes, speed, p->share) : -1;
    free(speed);
    return code;
}

int cs_hosts_share(struct cs_host_plan *p)
{
    p->share = malloc((size_t)p->processes * sizeof *p->share);
    if (!p->share || (p->curves ? share_by_curve(p) : share_by_speed(p)))
        return no_memory();
    return CS_EXIT_OK;
}

double cs_hosts_planned(const struct cs_host_plan *p)
{
    double last = 0;
    for (int i = 0; i < p->nhosts; i++)
        for (long k = 0; k < p->host[i].processes; k++)
            last = fmax(last, seconds(p, &p->host[i], (double)p->share[p->host[i].first + k]));
    return last;
}

double cs_hosts_equal(const struct cs_host_plan *p)
{
    double last = 0;
    for (int i = 0; i < p->nhosts; i++) {
        int64_t share = p->items / p->processes + (p->host[i].first < p->items % p->processes);
        last = fmax(last, seconds(p, &p->host[i], (double)share));
    }
    return last;
}

/* Items a second, at the share that it has. */
static double rate(const struct cs_host_plan *p, const struct cs_host *h)
{
    double items = fmax(1, (double)p->share[h->first]);
    return items / seconds(p, h, items);
}

double cs_host_relative(const struct cs_host_plan *p, int host)
{
    double slowest = rate(p, &p->host[0]);
    for (int i = 1; i < p->nhosts; i++)
        slowest = fmin(slowest, rate(p, &p->host[i]));
    return rate(p, &p->host[host]) / slowest;
}

void cs_hosts_free(struct cs_host_plan *p)
{
    for (int i = 0; i < p->nhosts; i++) {
        free(p->host[i].name);
        free(p->host[i].size);
        free(p->host[i].seconds);
    }
    free(p->host);
    free(p->share);
}
