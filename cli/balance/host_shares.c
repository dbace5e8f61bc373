/* SPDX-License-Identifier: BSD-3-Clause
 * Reads a list of machines and cuts a loop into shares for their processes: host_shares.h. A line is NAME, the number
 * of processes, and a speed, points of a curve, SIZE:SECONDS with commas between, or a model; then a description. */
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

/* The machine's number of processes: a number, or - for as many as it has cores. */
static int read_processes(struct cs_host_plan *p, struct cs_host *h, const char *text, const struct place *at)
{
    if (h->description && cs_machine_read(&h->is, h->description))
        return CS_EXIT_ERROR;
    bool cores = strcmp(text, "-") == 0 && h->is.cores > 0;
    h->processes = h->is.cores;
    if ((!cores && !cs_parse_number(text, 1, MOST_PROCESSES, &h->processes)) ||
        h->processes > MOST_PROCESSES - p->processes)
        return cs_error("%s:%ld: give a number of processes from 1 on, or - where a description says the cores",
                        at->path, at->line);
    h->first = p->processes;
    p->processes += (int)h->processes;
    return CS_EXIT_OK;
}

/* What one process can do. */
static int read_power(struct cs_host_plan *p, struct cs_host *h, char *text, enum cs_host_numbers numbers,
                      const struct place *at)
{
    if (numbers == CS_HOST_MODELS) {
        p->curves = true;
        return (h->model = strdup(text)) ? CS_EXIT_OK : no_memory();
    }
    bool curve = strchr(text, ':') != NULL;
    if (p->nhosts > 1 && curve != p->curves)
        return cs_error("%s:%ld: either all machines have points of a curve, or none", at->path, at->line);
    p->curves = curve;
    return curve ? read_points(h, text, at) : read_speed(h, text, numbers == CS_HOST_TIMES, at);
}

static int read_host(struct cs_host_plan *p, char *line, enum cs_host_numbers numbers, const struct place *at)
{
    static const char blanks[] = " \t\r\n";
    char *rest, *name = strtok_r(line, blanks, &rest), *processes = strtok_r(NULL, blanks, &rest),
                *power = strtok_r(NULL, blanks, &rest), *description = strtok_r(NULL, blanks, &rest);
    if (!power || strtok_r(NULL, blanks, &rest))
        return cs_error("%s:%ld: give a name, a number of processes, %s, and maybe a description", at->path, at->line,
                        numbers == CS_HOST_MODELS ? "a model" : "a speed");
    if (!CS_MAKE_ROOM(p->host, p->nhosts, p->cap))
        return no_memory();
    struct cs_host *h = &p->host[p->nhosts++];
    *h = (struct cs_host){.name = strdup(name), .description = description ? strdup(description) : NULL};
    if (!h->name || (description && !h->description))
        return no_memory();
    int code = read_processes(p, h, processes, at);
    return code ? code : read_power(p, h, power, numbers, at);
}

int cs_hosts_read(struct cs_host_plan *p, const char *path, enum cs_host_numbers numbers)
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
            code = read_host(p, line, numbers, &at);
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

double cs_host_seconds(const struct cs_host_plan *p, const struct cs_host *h, double items)
{
    if (p->curves)
        return cs_curve_seconds(&(struct cs_time_curve){h->npoints, h->size, h->seconds}, items);
    return items * (p->cost > 0 ? p->cost : 1) / h->speed;
}

double cs_process_seconds(const struct cs_host_plan *p, const struct cs_host *h, long k, double items)
{
    if (h->first + k > 0 || !h->lead)
        return cs_host_seconds(p, h, items);
    return cs_curve_seconds(&(struct cs_time_curve){h->npoints, h->size, h->lead}, items);
}

static int share_by_curve(struct cs_host_plan *p)
{
    struct cs_time_curve *curve = malloc((size_t)p->processes * sizeof *curve);
    for (int i = 0; curve && i < p->nhosts; i++)
        for (long k = 0; k < p->host[i].processes; k++)
            curve[p->host[i].first + k] =
                (struct cs_time_curve){p->host[i].npoints, p->host[i].size, p->host[i].seconds};
    if (curve && p->host[0].lead)
        curve[0].seconds = p->host[0].lead;
    int code = curve ? cs_shares_by_curve(p->items, p->processes, curve, p->share) : -1;
    free(curve);
    return code;
}

/* Items a second of a process, at equal blocks. */
static double speed_of(const struct cs_host_plan *p, const struct cs_host *h, long k)
{
    double equal = (double)p->items / p->processes;
    return p->curves ? equal / cs_process_seconds(p, h, k, equal) : h->speed;
}

static int share_by_speed(struct cs_host_plan *p)
{
    double *speed = malloc((size_t)p->processes * sizeof *speed);
    for (int i = 0; speed && i < p->nhosts; i++)
        for (long k = 0; k < p->host[i].processes; k++)
            speed[p->host[i].first + k] = speed_of(p, &p->host[i], k);
    int code = speed ? cs_shares_by_weight(p->items, p->processes, speed, p->share) : -1;
    free(speed);
    return code;
}

int cs_hosts_share(struct cs_host_plan *p)
{
    p->share = malloc((size_t)p->processes * sizeof *p->share);
    if (!p->share || (p->curves && !p->fixed ? share_by_curve(p) : share_by_speed(p)))
        return no_memory();
    return CS_EXIT_OK;
}

int cs_hosts_fit(const struct cs_host_plan *p)
{
    for (int i = 0; i < p->nhosts; i++) {
        const struct cs_host *h = &p->host[i];
        double need = 0;
        for (long k = 0; k < h->processes; k++)
            need += p->item_memory * (double)p->share[h->first + k];
        char needs[32], has[32];
        if (h->is.memory > 0 && need > h->is.memory)
            return cs_error("%s: its shares need %s, and %s says that it has %s: they cannot be kept", h->name,
                            cs_human_bytes(needs, (uint64_t)need), h->description,
                            cs_human_bytes(has, (uint64_t)h->is.memory));
    }
    return CS_EXIT_OK;
}

double cs_hosts_communication(const struct cs_host_plan *p, double ranks)
{
    const struct cs_ranks_cost *c = p->communication;
    int n = p->ncommunication, i = 1;
    if (n == 0 || ranks <= c[0].ranks)
        return n ? c[0].seconds : 0;
    while (i < n && c[i].ranks < ranks)
        i++;
    if (i == n)
        return c[n - 1].seconds;
    double part = log(ranks / c[i - 1].ranks) / log((double)c[i].ranks / c[i - 1].ranks);
    return c[i - 1].seconds + part * (c[i].seconds - c[i - 1].seconds);
}

double cs_hosts_planned(const struct cs_host_plan *p)
{
    double last = 0;
    for (int i = 0; i < p->nhosts; i++)
        for (long k = 0; k < p->host[i].processes; k++)
            last = fmax(last, cs_process_seconds(p, &p->host[i], k, (double)p->share[p->host[i].first + k]));
    return last + cs_hosts_communication(p, p->processes);
}

double cs_hosts_equal(const struct cs_host_plan *p)
{
    double last = 0;
    for (int i = 0; i < p->nhosts; i++) {
        int64_t share = p->items / p->processes + (p->host[i].first < p->items % p->processes);
        last = fmax(last, cs_process_seconds(p, &p->host[i], 0, (double)share));
    }
    return last + cs_hosts_communication(p, p->processes);
}

/* Items a second, at the share that it has; of the last process, as rank 0 may do more than its items. */
static double rate(const struct cs_host_plan *p, const struct cs_host *h)
{
    double items = fmax(1, (double)p->share[h->first + h->processes - 1]);
    return items / cs_host_seconds(p, h, items);
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
        free(p->host[i].model);
        free(p->host[i].description);
        free(p->host[i].size);
        free(p->host[i].seconds);
        free(p->host[i].lead);
    }
    free(p->host);
    free(p->share);
    free(p->communication);
}
