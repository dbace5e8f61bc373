/* SPDX-License-Identifier: BSD-3-Clause
 * See run.h.
 * Processes are looked for in /proc, by what is in their environments: they may have lost their parents. */
#define _GNU_SOURCE
#include "fault_run.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pty.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { STRAY_S = 30, MOST_WORDS = 40 };

double clock_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

double random_up_to(double seconds)
{
    return seconds * (double)random() / 2147483648.0;
}

static void nap_ms(int ms)
{
    const struct timespec t = {0, ms * 1000000L};
    nanosleep(&t, NULL);
}

void wrong(struct run *r, const char *format, ...)
{
    size_t n = strlen(r->problems);
    va_list ap;
    va_start(ap, format);
    vsnprintf(r->problems + n, sizeof r->problems - n, format, ap);
    va_end(ap);
    n = strlen(r->problems);
    if (n + 1 < sizeof r->problems)
        strcpy(r->problems + n, "\n");
}

_Noreturn void die(const char *what)
{
    fprintf(stderr, "series: %s: %s\n", what, strerror(errno));
    exit(2);
}

static void path_of(char *out, const char *dir, const char *name)
{
    if (snprintf(out, PATH, "%s/%s", dir, name) >= PATH) {
        errno = ENAMETOOLONG;
        die(dir);
    }
}

/* ---- processes ---- */

struct process {
    pid_t pid, parent;
};

/* A file of /proc/PID, with a zero behind it; NULL if the process is gone. The caller frees. */
static char *proc_file(const char *pid, const char *name, size_t *len)
{
    char path[64], *text = NULL;
    size_t cap = 0;
    *len = 0;
    snprintf(path, sizeof path, "/proc/%.20s/%s", pid, name);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    for (ssize_t got = 1; fd >= 0 && got > 0; *len += got > 0 ? (size_t)got : 0) {
        if (cap < *len + 4097 && !(text = realloc(text, cap = *len + 65536)))
            die("no memory");
        got = read(fd, text + *len, 4096);
    }
    if (fd >= 0)
        close(fd);
    if (text)
        text[*len] = 0;
    return text;
}

/* Is this a process of the run, and no zombie? "PID (NAME) STATE PPID ..." */
static bool belongs(const char *pid, const char *mark, struct process *p)
{
    size_t n;
    char *text = proc_file(pid, "environ", &n), state = 'X';
    bool ours = text && memmem(text, n, mark, strlen(mark));
    free(text);
    if (!ours)
        return false;
    text = proc_file(pid, "stat", &n);
    const char *end = text ? strrchr(text, ')') : NULL;
    int parent = 0;
    if (end)
        sscanf(end + 1, " %c %d", &state, &parent);
    free(text);
    *p = (struct process){atoi(pid), parent};
    return state != 'Z' && state != 'X';
}

static int processes_of(const struct run *r, struct process p[MOST_PROCESSES])
{
    char mark[64];
    int n = 0;
    struct dirent *e;
    DIR *d = opendir("/proc");
    if (!d)
        die("/proc");
    snprintf(mark, sizeof mark, "COMMSLICE_FAULT=%s", r->id);
    while ((e = readdir(d)) && n < MOST_PROCESSES)
        if (isdigit((unsigned char)e->d_name[0]) && atoi(e->d_name) != getpid() && belongs(e->d_name, mark, &p[n]))
            n++;
    closedir(d);
    return n;
}

static pid_t server_among(const struct run *r, const struct process *p, int n)
{
    for (int i = 0; i < n; i++)
        if (p[i].parent == r->child)
            return p[i].pid;
    return 0;
}

pid_t run_server(const struct run *r)
{
    static struct process p[MOST_PROCESSES];
    return server_among(r, p, processes_of(r, p));
}

static bool is_program(pid_t pid, const char *path)
{
    char link[64], exe[PATH];
    snprintf(link, sizeof link, "/proc/%d/exe", (int)pid);
    ssize_t n = readlink(link, exe, sizeof exe - 1);
    return n > 0 && (size_t)n == strlen(path) && memcmp(exe, path, (size_t)n) == 0;
}

static const char *program_of(const struct run *r)
{
    return strcmp(r->kind->verb, "record") == 0 ? r->set->program : r->set->slice;
}

static pid_t first_pid, most_pids;

/* Process ids go round. */
static int by_start(const void *a, const void *b)
{
    const pid_t *x = a, *y = b;
    return (*x - first_pid + most_pids) % most_pids - (*y - first_pid + most_pids) % most_pids;
}

int run_ranks(const struct run *r, pid_t pids[MOST_PROCESSES])
{
    static struct process p[MOST_PROCESSES];
    int n = processes_of(r, p), found = 0;
    pid_t server = server_among(r, p, n);
    bool mpich = strcmp(r->kind->engine, "mpich") == 0;
    for (int i = 0; i < n; i++)
        if (mpich ? is_program(p[i].pid, program_of(r)) : server && p[i].parent == server)
            pids[found++] = p[i].pid;
    FILE *f = fopen("/proc/sys/kernel/pid_max", "r");
    if (!f || fscanf(f, "%d", &most_pids) != 1)
        die("/proc/sys/kernel/pid_max");
    fclose(f);
    first_pid = server;
    if (!mpich)
        qsort(pids, (size_t)found, sizeof *pids, by_start);
    return found;
}

/* ---- the start ---- */

struct words {
    int n;
    const char *v[MOST_WORDS];
    char number[4][16];
    int numbers;
};

static void add(struct words *w, const char *word)
{
    if (w->n < MOST_WORDS - 1)
        w->v[w->n++] = word;
    w->v[w->n] = NULL;
}

static void add_number(struct words *w, int number)
{
    snprintf(w->number[w->numbers], sizeof w->number[0], "%d", number);
    add(w, w->number[w->numbers++]);
}

static int one_of(int n, const int *choices)
{
    return choices[random() % n];
}

static void make_command(const struct run *r, struct words *w)
{
    const struct kind *k = r->kind;
    bool emulate = strcmp(k->engine, "emulate") == 0, records = strcmp(k->verb, "record") == 0;
    add(w, r->set->commslice);
    add(w, k->verb);
    add(w, "-o");
    add(w, r->trace);
    if (emulate || !records) {
        add(w, "-n");
        add_number(w, r->ranks);
        add(w, "--engine");
        add(w, k->engine);
    }
    if (emulate && random() % 2) {
        add(w, "--jobs");
        add_number(w, one_of(3, (const int[]){1, 2, 5}));
    }
    for (int i = 0; i < 3 && k->options[i]; i++)
        add(w, k->options[i]);
    if (records)
        add(w, "--");
    if (records && !emulate) {
        add(w, r->set->mpiexec);
        add(w, "-n");
        add_number(w, r->ranks);
    }
    add(w, program_of(r));
    for (int i = 0; i < 4 && k->arguments[i]; i++)
        if (strcmp(k->arguments[i], SECONDS) == 0)
            add_number(w, 100000 / r->ranks);
        else
            add(w, k->arguments[i]);
}

/* In the child. Under nohup, or in the background of a shell, some signals are ignored, and programs leave that as it
 * is. */
static _Noreturn void become(const struct run *r, const struct words *w, int in)
{
    int out = open(r->log, O_WRONLY | O_CREAT | O_TRUNC, 0666);
    setsid();
    signal(SIGINT, SIG_DFL);
    signal(SIGHUP, SIG_DFL);
    prctl(PR_SET_PDEATHSIG, SIGTERM); /* nothing of ours outlives us */
    if (r->kind->terminal && ioctl(in, TIOCSCTTY, 0) != 0)
        _exit(126);
    dup2(in, STDIN_FILENO);
    dup2(out, STDOUT_FILENO);
    dup2(out, STDERR_FILENO);
    for (int fd = STDERR_FILENO + 1; fd < 64; fd++)
        close(fd);
    if (chdir(r->dir) != 0 || setenv("COMMSLICE_FAULT", r->id, 1) != 0 || setenv("TMPDIR", r->tmp, 1) != 0)
        _exit(126);
    execv(w->v[0], (char **)w->v);
    _exit(127);
}

static void name_run(struct run *r, int number)
{
    char name[32];
    uint64_t id[2];
    if (getrandom(id, sizeof id, 0) != sizeof id)
        die("getrandom");
    snprintf(r->id, sizeof r->id, "%016llx%016llx", (unsigned long long)id[0], (unsigned long long)id[1]);
    snprintf(name, sizeof name, "run%d", number);
    path_of(r->dir, r->set->work, name);
    path_of(r->tmp, r->dir, "tmp");
    path_of(r->log, r->dir, "log");
    if (r->kind->full_disk)
        path_of(r->where, r->set->work, "disk");
    else
        strcpy(r->where, r->dir);
    path_of(r->trace, r->where, "T");
    if (mkdir(r->dir, 0777) != 0 || mkdir(r->tmp, 0777) != 0)
        die(r->dir);
}

void run_start(struct run *r, const struct settings *set, const struct kind *kind, int number)
{
    struct words w = {.n = 0};
    int in;
    *r = (struct run){.set = set, .kind = kind, .master = -1};
    r->ranks = strcmp(kind->engine, "mpich") == 0 ? one_of(3, (const int[]){2, 3, 4})
                                                  : one_of(6, (const int[]){2, 3, 8, 16, 40, 100});
    name_run(r, number);
    make_command(r, &w);
    for (int i = 0; i < w.n; i++)
        snprintf(r->command + strlen(r->command), sizeof r->command - strlen(r->command), "%s%s", i ? " " : "", w.v[i]);
    if (kind->terminal ? openpty(&r->master, &in, NULL, NULL, NULL) != 0 : (in = open("/dev/null", O_RDONLY)) < 0)
        die("terminal");
    fflush(NULL);
    r->child = fork();
    if (r->child == 0)
        become(r, &w, in);
    if (r->child < 0)
        die("fork");
    close(in);
}

/* ---- the end ---- */

bool run_wait(struct run *r, double longest)
{
    double until = clock_now() + longest;
    int status;
    while (!r->ended) {
        if (waitpid(r->child, &status, WNOHANG) == r->child) {
            r->ended = true;
            r->code = WIFSIGNALED(status) ? -WTERMSIG(status) : WEXITSTATUS(status);
        } else if (clock_now() > until) {
            return false;
        } else {
            nap_ms(1);
        }
    }
    return true;
}

void run_kill_all(struct run *r)
{
    static struct process p[MOST_PROCESSES];
    for (int i = 0, n = processes_of(r, p); i < n; i++)
        kill(p[i].pid, SIGKILL);
}

void run_find_strays(struct run *r)
{
    static struct process p[MOST_PROCESSES];
    double until = clock_now() + STRAY_S;
    int n;
    while ((n = processes_of(r, p)) > 0 && clock_now() < until)
        nap_ms(20);
    for (int i = 0; i < n; i++) {
        char pid[20];
        size_t len;
        snprintf(pid, sizeof pid, "%d", (int)p[i].pid);
        char *text = proc_file(pid, "cmdline", &len);
        for (size_t k = 0; k + 1 < len; k++)
            if (text[k] == 0)
                text[k] = ' ';
        wrong(r, "process %s is left: %.200s", pid, text ? text : "");
        free(text);
        kill(p[i].pid, SIGKILL);
    }
}

void run_close(struct run *r)
{
    char path[PATH];
    if (r->master >= 0)
        close(r->master);
    if (r->kind->full_disk)
        unlink(r->trace);
    if (r->problems[0])
        return;
    path_of(path, r->dir, "T");
    unlink(path);
    unlink(r->log);
    rmdir(r->tmp);
    if (rmdir(r->dir) != 0)
        die(r->dir);
}
