/* SPDX-License-Identifier: BSD-3-Clause
 * Has SimGrid play a trace; see simgrid_play.h. */
#define _GNU_SOURCE 1
#include "cli/predict/simgrid_play.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/export/export.h"
#include "cli/frame/cli.h"
#include "cli/launch/run_logged.h"
#include "cli/launch/tools.h"

/* Room for a path in the temporary folder. */
enum { ROOM = PATH_MAX + 64 };

/* "1.5Gf": flop/s; 0: it is none. */
static double parse_speed(const char *text)
{
    static const char units[] = "kMGTPE";
    char *end;
    double v = strtod(text, &end);
    const char *u = *end ? strchr(units, *end) : NULL;
    for (; u && u >= units; u--)
        v *= 1e3;
    return v > 0 ? v : 0;
}

int cs_simgrid_read(struct cs_simgrid *s)
{
    FILE *f = fopen(s->platform, "r");
    char line[4096];
    if (!f)
        return cs_error("%s: %s", s->platform, strerror(errno));
    while (!*s->speed_text && fgets(line, sizeof line, f)) {
        const char *at = strstr(line, "speed=\"");
        if (at)
            sscanf(at, "speed=\"%39[0-9.a-zA-Z]", s->speed_text);
    }
    fclose(f);
    s->speed = parse_speed(s->speed_text);
    return s->speed > 0 ? 0 : cs_error("%s: has no host with a speed", s->platform);
}

/* What SimGrid said. 0, or -1 after a message. */
static int read_log(const struct cs_simgrid *s, const char *log, int nranks, double *seconds)
{
    FILE *f = fopen(log, "r");
    char line[1024];
    int hosts = 0;
    *seconds = -1;
    while (f && fgets(line, sizeof line, f)) {
        const char *few = strstr(line, "there is only "), *time = strstr(line, "Simulation time ");
        if (few)
            sscanf(few, "there is only %d", &hosts);
        if (time)
            sscanf(time, "Simulation time %lf", seconds);
    }
    if (f)
        fclose(f);
    if (hosts)
        return cs_error("%s: has %d hosts for %d ranks: give another platform, or the hosts by --hosts",
                        s->hosts ? s->hosts : s->platform, hosts, nranks);
    return *seconds >= 0 ? 0 : cs_error("%s: SimGrid has not played the trace to its end", s->platform);
}

static int replay(const struct cs_simgrid *s, const char *dir, const char *ti, int nranks, double *seconds)
{
    char log[ROOM], ranks[32];
    snprintf(log, sizeof log, "%s/log", dir);
    snprintf(ranks, sizeof ranks, "%d", nranks);
    /* SimGrid says what it has found on standard error */
    char *words[] = {"sh",
                     "-c",
                     "exec \"$@\" 2>&1",
                     "sh",
                     cs_tool(CS_ENV_SMPIRUN, "smpirun"),
                     "-np",
                     ranks,
                     "-platform",
                     (char *)s->platform,
                     "-replay",
                     (char *)ti,
                     "--cfg=smpi/host-speed:1",
                     s->hosts ? "-hostfile" : NULL,
                     (char *)s->hosts,
                     NULL};
    int rc = cs_run_logged(log, words, "SimGrid:");
    double found;
    if (rc == 0)
        rc = read_log(s, log, nranks, seconds);
    else
        read_log(s, log, nranks, &found);
    unlink(log);
    return rc;
}

static void remove_files(const char *ti, int nranks)
{
    char path[ROOM + 64];
    for (int r = 0; r < nranks; r++) {
        snprintf(path, sizeof path, "%s_files/rank-%d.txt", ti, r);
        unlink(path);
    }
    snprintf(path, sizeof path, "%s_files", ti);
    rmdir(path);
    unlink(ti);
}

int cs_simgrid_play(const struct cs_simgrid *s, const char *trace, int nranks,
                    double (*computation)(void *arg, int rank, int from, const struct cs_event *e), void *arg,
                    double *seconds)
{
    char dir[PATH_MAX], ti[ROOM];
    if (cs_make_temporary_folder("simgrid", dir))
        return -1;
    snprintf(ti, sizeof ti, "%s/ti", dir);
    struct cs_export x = {.path = trace,
                          .out_path = ti,
                          .to = INT64_MAX,
                          .limit = INT64_MAX,
                          .speed = s->speed,
                          .computation = computation,
                          .arg = arg};
    int rc = cs_export_trace(&x, cs_export_format("ti")) ? -1 : replay(s, dir, ti, nranks, seconds);
    remove_files(ti, nranks);
    cs_remove_temporary_folder(dir);
    return rc;
}
