/* SPDX-License-Identifier: BSD-3-Clause
 * until_asleep SECONDS COMMAND...: runs the command, and ends it (status 125) when for so long all its processes slept
 * and took next to no processor time. A faulty slice can sleep for ever where the engine does not see it (a lock of a
 * library); one that others keep from running is not asleep. */
#define _GNU_SOURCE
#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define ASLEEP 125
#define CANNOT_RUN 127
#define MOST 100000       /* processes of the machine */
#define PER_TICK 100000UL /* more than a run has processes */

struct process {
    pid_t id, parent;
    char state;
    unsigned long ticks;
};

/* What /proc says of one; false: it is gone. */
static int look(pid_t id, struct process *p)
{
    char name[64], line[1024];
    snprintf(name, sizeof name, "/proc/%d/stat", (int)id);
    FILE *f = fopen(name, "r");
    if (!f)
        return 0;
    size_t n = fread(line, 1, sizeof line - 1, f);
    fclose(f);
    line[n] = '\0';
    const char *end = strrchr(line, ')');
    unsigned long user, kernel;
    int parent;
    if (!end ||
        sscanf(end + 1, " %c %d %*d %*d %*d %*d %*u %*u %*u %*u %*u %lu %lu", &p->state, &parent, &user, &kernel) != 4)
        return 0;
    p->id = id;
    p->parent = parent;
    p->ticks = user + kernel;
    return 1;
}

/* This process and all below it, in `all`. Their number. */
static int family(struct process *all)
{
    static struct process any[MOST];
    int n = 0, nall = 0;
    DIR *d = opendir("/proc");
    for (struct dirent *e; d && n < MOST && (e = readdir(d));)
        n += atoi(e->d_name) > 0 && look(atoi(e->d_name), &any[n]);
    if (d)
        closedir(d);
    for (int i = 0; i < n; i++)
        if (any[i].id == getpid())
            all[nall++] = any[i];
    for (int k = 0; k < nall; k++)
        for (int i = 0; i < n; i++)
            if (any[i].parent == all[k].id)
                all[nall++] = any[i];
    return nall;
}

/* The time that all took, in ticks, and in the lower digits how many there are; 0: somebody does not sleep. */
static unsigned long sleeps(void)
{
    static struct process all[MOST];
    int n = family(all);
    unsigned long sum = (unsigned long)n;
    for (int i = 1; i < n; i++) {
        if (all[i].state != 'S' && all[i].state != 'Z')
            return 0;
        sum += all[i].ticks * PER_TICK;
    }
    return sum;
}

static void end_all(void)
{
    static struct process all[MOST];
    for (int n; (n = family(all)) > 1;) {
        for (int i = 1; i < n; i++)
            kill(all[i].id, SIGKILL);
        while (waitpid(-1, NULL, WNOHANG) > 0)
            ;
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    }
}

/* Not more than one tick a second: so much takes the launcher, which looks after its ranks some times a second. */
static int calm(unsigned long first, unsigned long now, int seconds)
{
    unsigned long took = now - first;
    return first && now >= first && took % PER_TICK == 0 && took <= (unsigned long)seconds * PER_TICK;
}

/* The command's exit status, or ASLEEP. */
static int watch(pid_t child, int seconds, const sigset_t *ends)
{
    unsigned long first = 0; /* where the sleep began */
    for (int same = 0;;) {
        int status, sig = sigtimedwait(ends, NULL, &(struct timespec){.tv_sec = 1});
        if (sig == SIGTERM || sig == SIGINT) {
            end_all();
            return 128 + sig;
        }
        for (pid_t p; (p = waitpid(-1, &status, WNOHANG)) > 0;)
            if (p == child)
                return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
        if (sig == SIGCHLD)
            continue;
        unsigned long now = sleeps();
        if (calm(first, now, same + 1)) {
            same++;
        } else {
            same = 0;
            first = now;
        }
        if (same >= seconds) {
            end_all();
            return ASLEEP;
        }
    }
}

int main(int argc, char **argv)
{
    if (argc < 3)
        return fprintf(stderr, "usage: until_asleep SECONDS COMMAND...\n"), CANNOT_RUN;
    sigset_t ends, before;
    sigemptyset(&ends);
    sigaddset(&ends, SIGCHLD);
    sigaddset(&ends, SIGTERM);
    sigaddset(&ends, SIGINT);
    sigprocmask(SIG_BLOCK, &ends, &before);
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    pid_t child = fork();
    if (child == 0) {
        sigprocmask(SIG_SETMASK, &before, NULL);
        execvp(argv[2], argv + 2);
        perror(argv[2]);
        _exit(CANNOT_RUN);
    }
    return child < 0 ? CANNOT_RUN : watch(child, atoi(argv[1]), &ends);
}
