/* SPDX-License-Identifier: BSD-3-Clause
 * Wall time of a command, or the memory that it and all its descendants need together: whole-run [-m] COMMAND...
 * Without -m nothing is looked at while it runs: "s SECONDS cpu SECONDS exit CODE". With -m also, in MB: all, kernel,
 * pss, cached; by; processes. all: anonymous and shared memory, page tables, kernel stacks and other kernel memory,
 * pages of files read or written, at the moment when they are most, by the kernel's account of a control group, plus
 * the share in pages of files (libraries) that were in memory before (cached). kernel: its part in that. pss: the
 * largest sum of proportional set sizes in any one sweep over the processes. Where there is no control group of version
 * 1, all is pss plus the largest growth of Slab, PageTables and KernelStack in /proc/meminfo, which counts the whole
 * machine. */
#define _GNU_SOURCE 1
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { PAUSE_MS = 20 };

static char cgroup[4096]; /* folder of a memory control group of our own, or empty */

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Of all processes that have been waited for, and theirs. */
static double cpu_of_children(void)
{
    struct rusage u;
    getrusage(RUSAGE_CHILDREN, &u);
    return (double)(u.ru_utime.tv_sec + u.ru_stime.tv_sec) + 1e-6 * (double)(u.ru_utime.tv_usec + u.ru_stime.tv_usec);
}

/* A file of /proc, as far as it fits, with a 0 at its end. Its length, -1 if it is not there. */
static long slurp(const char *path, char *buf, size_t len)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t n, all = 0;
    if (fd < 0)
        return -1;
    while (all < (ssize_t)len - 1 && (n = read(fd, buf + all, len - 1 - (size_t)all)) > 0)
        all += n;
    close(fd);
    buf[all] = 0;
    return all;
}

/* The number behind `word` at the start of a line; 0 if there is none. */
static long number_of(const char *text, const char *word)
{
    size_t n = strlen(word);
    for (const char *p = text; p; p = strchr(p, '\n'), p = p ? p + 1 : p)
        if (strncmp(p, word, n) == 0)
            return strtol(p + n, NULL, 10);
    return 0;
}

/* ---- a control group: the kernel's own account of a tree's memory, its peak included ---- */

static void group_file(const char *group, const char *name, char *path, size_t len)
{
    snprintf(path, len, "%s/%s", group, name);
}

/* A folder below the group that we are in. Only version 1 tells kernel memory apart at its peak; without it we do
 * without. */
static void make_group(void)
{
    char text[8192], own[2048] = "", *p;
    if (slurp("/proc/self/cgroup", text, sizeof text) < 0 || !(p = strstr(text, ":memory:")))
        return;
    sscanf(p + 8, "%2047[^\n]", own);
    snprintf(cgroup, sizeof cgroup, "/sys/fs/cgroup/memory%s/whole-run.%d", strcmp(own, "/") ? own : "", (int)getpid());
    if (mkdir(cgroup, 0755))
        cgroup[0] = 0;
}

static bool enter_group(void)
{
    char path[4200], pid[32];
    group_file(cgroup, "cgroup.procs", path, sizeof path);
    int fd = open(path, O_WRONLY | O_CLOEXEC), n = snprintf(pid, sizeof pid, "%d", (int)getpid());
    bool ok = fd >= 0 && write(fd, pid, (size_t)n) == n;
    if (fd >= 0)
        close(fd);
    return ok;
}

/* Megabytes of a file of the group; -1 without group. */
static double group_mb(const char *name)
{
    char path[4200], text[64];
    group_file(cgroup, name, path, sizeof path);
    return cgroup[0] && slurp(path, text, sizeof text) > 0 ? strtod(text, NULL) / (1 << 20) : -1;
}

/* ---- sweeps over the tree ---- */

/* Kernel memory of the whole machine that processes cost. */
static long machine_kernel_kb(void)
{
    char text[8192];
    slurp("/proc/meminfo", text, sizeof text);
    return number_of(text, "Slab:") + number_of(text, "PageTables:") + number_of(text, "KernelStack:");
}

struct sizes {
    long pss_kb, file_kb, kernel_kb, processes;
};

static void add_process(long pid, struct sizes *s)
{
    char path[64], text[4096];
    snprintf(path, sizeof path, "/proc/%ld/smaps_rollup", pid);
    if (slurp(path, text, sizeof text) <= 0)
        return;
    s->pss_kb += number_of(text, "Pss:");
    s->file_kb += number_of(text, "Pss_File:");
    s->processes++;
}

static void keep_larger(long *peak, long now)
{
    *peak = now > *peak ? now : *peak;
}

/* Processes of our session: only the command's tree is in it, as we made it. */
static void sweep(pid_t session, long kernel_before, struct sizes *peak)
{
    DIR *d = opendir("/proc");
    struct dirent *e;
    struct sizes s = {.kernel_kb = machine_kernel_kb() - kernel_before};
    while (d && (e = readdir(d))) {
        long pid = strtol(e->d_name, NULL, 10);
        if (pid > 0 && getsid((pid_t)pid) == session)
            add_process(pid, &s);
    }
    if (d)
        closedir(d);
    keep_larger(&peak->pss_kb, s.pss_kb);
    keep_larger(&peak->file_kb, s.file_kb);
    keep_larger(&peak->kernel_kb, s.kernel_kb);
    keep_larger(&peak->processes, s.processes);
}

/* ---- the run ---- */

static pid_t start(char **argv, bool in_group)
{
    pid_t pid = fork();
    if (pid)
        return pid;
    setsid();
    if (in_group && !enter_group())
        _exit(126);
    execvp(argv[0], argv);
    fprintf(stderr, "whole-run: %s: %s\n", argv[0], strerror(errno));
    _exit(127);
}

static int wait_looking(pid_t pid, long kernel_before, struct sizes *peak)
{
    const struct timespec pause = {0, PAUSE_MS * 1000000L};
    int status;
    pid_t got;
    while ((got = waitpid(pid, &status, WNOHANG)) == 0) {
        sweep(pid, kernel_before, peak);
        nanosleep(&pause, NULL);
    }
    return got < 0 ? -1 : status;
}

static void print_memory(const struct sizes *peak)
{
    double kernel = group_mb("memory.kmem.max_usage_in_bytes"), all = group_mb("memory.max_usage_in_bytes");
    double pss = (double)peak->pss_kb / 1024, cached = (double)peak->file_kb / 1024;
    bool grouped = kernel >= 0 && all >= 0;
    if (!grouped) {
        kernel = (double)peak->kernel_kb / 1024;
        all = pss + kernel;
    }
    printf(" all %.1f kernel %.1f pss %.1f cached %.1f by %s processes %ld", grouped ? all + cached : all, kernel, pss,
           cached, grouped ? "cgroup" : "sweeps", peak->processes);
}

/* Processes that have just ended can keep it for a moment. */
static void remove_group(void)
{
    const struct timespec pause = {0, 50000000};
    for (int tries = 0; cgroup[0] && rmdir(cgroup) && tries < 100; tries++)
        nanosleep(&pause, NULL);
}

int main(int argc, char **argv)
{
    bool memory = argc > 1 && strcmp(argv[1], "-m") == 0;
    struct sizes peak = {0};
    int status = 0;
    if (argc < 2 + memory)
        return 2;
    if (memory)
        make_group();
    long kernel_before = machine_kernel_kb();
    double t0 = now();
    pid_t pid = start(argv + 1 + memory, cgroup[0] != 0);
    if (pid > 0 && memory)
        status = wait_looking(pid, kernel_before, &peak);
    else if (pid < 0 || waitpid(pid, &status, 0) < 0)
        status = -1;
    double seconds = now() - t0;
    int code = status == -1 ? 2 : WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    printf("s %.3f cpu %.3f exit %d", seconds, cpu_of_children(), code);
    if (memory)
        print_memory(&peak);
    printf("\n");
    remove_group();
    return code;
}
