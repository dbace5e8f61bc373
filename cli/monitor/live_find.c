/* SPDX-License-Identifier: BSD-3-Clause
 * Runs that can be watched: live_find.h. */
#include "cli/monitor/live_find.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/frame/cli.h"

/* Runs that were looked at: how many there are, how many fit, and the one that fits. */
struct search {
    const char *run; /* NULL: any */
    int fit;
    struct cs_live_run *found;
    bool list; /* print a line for each */
};

static const char SUFFIX[] = ".live";

const char *cs_live_run_name(const struct cs_live_run *l, char buf[256])
{
    const char *name = strrchr(l->path, '/');
    snprintf(buf, 256, "%.255s", name ? name + 1 : l->path);
    size_t n = strlen(buf), s = strlen(SUFFIX);
    if (n > s && strcmp(buf + n - s, SUFFIX) == 0)
        buf[n - s] = '\0';
    return buf;
}

static bool has_process(const struct cs_live_run *l, long pid)
{
    if (l->head->made_by == pid)
        return true;
    for (int i = 0; i < l->head->nranks; i++)
        if (l->rank[i].calls.pid == pid || l->rank[i].loop.pid == pid)
            return true;
    return false;
}

static bool fits(const struct search *s, const struct cs_live_run *l)
{
    char name[256];
    long pid;
    if (!s->run || strcmp(s->run, cs_live_run_name(l, name)) == 0)
        return true;
    return cs_parse_number(s->run, 1, INT32_MAX, &pid) && has_process(l, pid);
}

static void print(const struct cs_live_run *l)
{
    char name[256];
    printf("%-20s %s, %d rank%s, for %.0f s\n", cs_live_run_name(l, name), l->head->program, l->head->nranks,
           l->head->nranks == 1 ? "" : "s", 1e-9 * (double)(cs_live_now() - l->head->began));
}

/* One file. What no process holds is of a run that was killed. */
static void look_at(struct search *s, const char *path)
{
    struct cs_live_run l;
    if (cs_live_look(&l, path))
        return;
    if (cs_live_remove_dead(&l)) {
        cs_live_unmap(&l);
        return;
    }
    if (!fits(s, &l)) {
        cs_live_unmap(&l);
        return;
    }
    if (s->list)
        print(&l);
    if (s->fit++ == 0 && s->found)
        *s->found = l;
    else
        cs_live_unmap(&l);
}

static void look_in(struct search *s, const char *folder)
{
    DIR *d = opendir(folder);
    char path[PATH_MAX];
    for (struct dirent *e; d && (e = readdir(d));) {
        size_t n = strlen(e->d_name), m = strlen(SUFFIX);
        if (n > m && strcmp(e->d_name + n - m, SUFFIX) == 0 &&
            snprintf(path, sizeof path, "%s/%s", folder, e->d_name) < (int)sizeof path)
            look_at(s, path);
    }
    if (d)
        closedir(d);
}

static void look_everywhere(struct search *s)
{
    char folder[PATH_MAX];
    for (int i = 0; cs_live_folder(i, folder); i++)
        if (*folder)
            look_in(s, folder);
}

int cs_live_find(const char *run, struct cs_live_run *l)
{
    struct search s = {.run = run, .found = l};
    *l = (struct cs_live_run){.fd = -1};
    look_everywhere(&s);
    if (s.fit == 1)
        return CS_EXIT_OK;
    if (s.fit > 1) {
        cs_live_unmap(l);
        s = (struct search){.run = run, .list = true};
        look_everywhere(&s);
        fflush(stdout);
        return cs_error("%d runs: say which one", s.fit);
    }
    if (run)
        return cs_error("%s: no run of this name or process can be watched", run), CS_EXIT_NOT_SO;
    return cs_error("nothing runs that can be watched: commslice record, or a program with libcommslice-balance and "
                    "COMMSLICE_MONITOR=1"),
           CS_EXIT_NOT_SO;
}
