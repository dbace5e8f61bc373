/* SPDX-License-Identifier: BSD-3-Clause
 * Adopting and ending what lost its parent; see orphans.h.
 * The kernel does not list children everywhere (/proc/PID/children is optional), so they are looked for in /proc. */
#define _GNU_SOURCE
#include "commlib/process/orphans.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* How often children are looked for, and when to give up, after the grace time. */
enum { TICK_MS = 10, PATIENCE_MS = 5000 };

int cs_orphans_adopt(void)
{
    return prctl(PR_SET_CHILD_SUBREAPER, 1);
}

/* "PID (NAME) STATE PPID ...", and NAME may hold anything. -1 if the process is gone. */
static pid_t parent_of(const char *pid)
{
    char path[64], line[512];
    snprintf(path, sizeof path, "/proc/%.20s/stat", pid);
    FILE *f = fopen(path, "r");
    size_t n = f ? fread(line, 1, sizeof line - 1, f) : 0;
    if (f)
        fclose(f);
    line[n] = 0;
    const char *end = strrchr(line, ')');
    int parent;
    return end && sscanf(end + 1, " %*c %d", &parent) == 1 ? parent : -1;
}

static int kill_children(void)
{
    DIR *d = opendir("/proc");
    struct dirent *e;
    pid_t own = getpid();
    int killed = 0;
    while (d && (e = readdir(d)))
        if (isdigit((unsigned char)e->d_name[0]) && parent_of(e->d_name) == own && kill(atoi(e->d_name), SIGKILL) == 0)
            killed++;
    if (d)
        closedir(d);
    return killed;
}

static bool all_gone(void)
{
    pid_t pid;
    while ((pid = waitpid(-1, NULL, WNOHANG)) > 0)
        continue;
    return pid < 0 && errno == ECHILD;
}

int cs_orphans_end(int grace_ms)
{
    const struct timespec tick = {0, TICK_MS * 1000000L};
    int killed = 0;
    for (int ms = 0; !all_gone() && ms < grace_ms + PATIENCE_MS; ms += TICK_MS) {
        if (ms >= grace_ms && (ms - grace_ms) % 100 == 0)
            killed += kill_children();
        nanosleep(&tick, NULL);
    }
    return killed;
}
