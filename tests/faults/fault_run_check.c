/* SPDX-License-Identifier: BSD-3-Clause
 * What a hurt run leaves: its message, a trace that reads as far as it goes, and nothing else.
 * See run.h. */
#define _GNU_SOURCE
#include "fault_run.h"

#include <ctype.h>
#include <dirent.h>
#include <fcntl.h>
#include <poll.h>
#include <regex.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
    READ_LIMIT_S = 300, /* for reading a trace; a second or so on an idle machine */
    FILES_S = 30        /* until dead processes have let go of their files */
};

const char *run_text(const struct run *r)
{
    static char text[1 << 16];
    FILE *f = fopen(r->log, "r");
    if (!f)
        return "";
    if (fseek(f, -(long)sizeof text + 1, SEEK_END) != 0)
        rewind(f);
    size_t n = fread(text, 1, sizeof text - 1, f);
    fclose(f);
    text[n] = 0;
    return text;
}

/* What `commslice print` and `info` say, read as it comes: a trace may be long. */
struct answer {
    int code;        /* 128 and more: did not end in time, or was killed */
    int64_t printed; /* lines that begin with RANK:NUMBER and a space */
    char begin[TEXT];
    size_t len;
};

/* Where a line is that may be one of print's; 4: counted, or no such line. */
static void count_lines(struct answer *a, const char *text, ssize_t n, int *at)
{
    for (ssize_t i = 0; i < n; i++) {
        unsigned char c = (unsigned char)text[i];
        if (c == '\n')
            *at = 0;
        else if (*at < 4 && isdigit(c))
            *at |= 1;
        else if (*at == 1 && c == ':')
            *at = 2;
        else if (*at == 3 && c == ' ') {
            a->printed++;
            *at = 4;
        } else
            *at = 4;
    }
}

static struct answer ask(const struct run *r, const char *verb)
{
    struct answer a = {.code = 128};
    char text[1 << 16];
    double until = clock_now() + READ_LIMIT_S;
    int ends[2], at = 0, status = 0;
    ssize_t n = 1;
    if (pipe(ends) != 0)
        die("pipe");
    pid_t pid = fork();
    if (pid == 0) {
        dup2(ends[1], STDOUT_FILENO);
        dup2(ends[1], STDERR_FILENO);
        close(ends[0]);
        close(ends[1]);
        execl(r->set->commslice, r->set->commslice, verb, r->trace, (char *)NULL);
        _exit(127);
    }
    close(ends[1]);
    struct pollfd p = {.fd = ends[0], .events = POLLIN};
    while (pid > 0 && n > 0 && clock_now() < until) {
        if (poll(&p, 1, 1000) <= 0)
            continue;
        if ((n = read(ends[0], text, sizeof text)) <= 0)
            break;
        count_lines(&a, text, n, &at);
        size_t room = sizeof a.begin - 1 - a.len, more = (size_t)n < room ? (size_t)n : room;
        memcpy(a.begin + a.len, text, more);
        a.len += more;
    }
    close(ends[0]);
    if (clock_now() >= until)
        kill(pid, SIGKILL);
    if (waitpid(pid, &status, 0) == pid)
        a.code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    return a;
}

bool has(const char *text, const char *pattern)
{
    regex_t re;
    if (regcomp(&re, pattern, REG_EXTENDED | REG_NEWLINE | REG_NOSUB) != 0)
        die(pattern);
    bool found = regexec(&re, text, 0, NULL, 0) == 0;
    regfree(&re);
    return found;
}

/* Did it come as far as to record something? MPICH's start alone may take seconds on a machine that is busy. */
static bool ran(const struct run *r, double before)
{
    return before > 1.0 && strcmp(r->kind->engine, "emulate") == 0;
}

/* A killed process has lost its environment, by which it is known, a moment before it lets go of its files: the trace
 * is whole when nobody holds the file of what ranks had not written. */
static void wait_for_ranks_files(struct run *r)
{
    char path[PATH + 8];
    double until = clock_now() + FILES_S;
    bool held = true;
    snprintf(path, sizeof path, "%s.live", r->trace);
    while (held && clock_now() < until) {
        int fd = open(path, O_RDONLY | O_CLOEXEC);
        held = fd >= 0 && flock(fd, LOCK_EX | LOCK_NB) != 0;
        if (fd >= 0)
            close(fd);
        if (held)
            usleep(10000);
    }
    if (held)
        wrong(r, "somebody still holds %s", path);
}

/* A run that ended before MPI_Init has no trace. */
void run_check_trace(struct run *r, double before)
{
    struct stat st;
    wait_for_ranks_files(r);
    if (stat(r->trace, &st) != 0 || st.st_size == 0) {
        if (ran(r, before) && !r->kind->full_disk)
            wrong(r, "no trace after %.1f s", before);
        return;
    }
    struct answer info = ask(r, "info");
    const char *events = info.code == 0 && has(info.begin, "^ranks +[0-9]+") ? strstr(info.begin, "\nevents ") : NULL;
    if (!events) {
        wrong(r, "commslice info: exit %d: %.200s", info.code, info.begin);
        return;
    }
    if (ran(r, before) && !has(info.begin, "^ranks .* (cut|missing)"))
        wrong(r, "commslice info does not say that the run was cut");
    long long want = strtoll(events + strlen("\nevents "), NULL, 10);
    struct answer print = ask(r, "print");
    if (print.code != 0 || print.printed != want)
        wrong(r, "commslice print: exit %d, %lld lines for %lld events", print.code, (long long)print.printed, want);
    if (ran(r, before) && want == 0)
        wrong(r, "no event was saved");
}

static void check_folder(struct run *r, const char *folder, bool is_tmp)
{
    struct dirent *e;
    DIR *d = opendir(folder);
    while (d && (e = readdir(d))) {
        const char *n = e->d_name;
        bool expected = strcmp(n, ".") == 0 || strcmp(n, "..") == 0 ||
                        (!is_tmp && (strcmp(n, "T") == 0 || strcmp(n, "log") == 0 || strcmp(n, "tmp") == 0));
        if (!expected)
            wrong(r, "a file is left: %s/%s", folder, n);
    }
    if (d)
        closedir(d);
}

void run_check_files(struct run *r)
{
    check_folder(r, r->where, false);
    check_folder(r, r->tmp, true);
}
