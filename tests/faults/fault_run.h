/* SPDX-License-Identifier: BSD-3-Clause
 * One run of commslice that is going to be hurt: starting it in a folder of its own, who of its processes is who, and
 * what is left when it has ended. All its processes carry COMMSLICE_FAULT=id in their environments. */
#ifndef CS_FAULTS_RUN_H
#define CS_FAULTS_RUN_H

#include <stdbool.h>
#include <sys/types.h>

enum { MOST_PROCESSES = 4096, TEXT = 8192, PATH = 1024 };

enum full_disk { NO_DISK, FULL_LATER, FULL_AT_ONCE };

struct settings {
    const char *commslice, *mpiexec, *program, *slice, *work;
};

struct run;

/* A kind of fault: what is done, and what the command must say then. */
struct kind {
    const char *name;
    const char *says;                      /* regular expression, "" for anything */
    int code;                              /* of the command, minus the signal that ended it */
    bool (*fault)(struct run *r, int sig); /* false: there was nobody to hurt yet. NULL: the options are the fault */
    int sig;
    const char *verb, *engine;
    const char *options[3], *arguments[4]; /* up to the first NULL */
    bool terminal;
    enum full_disk full_disk;
    double longest; /* seconds before the fault */
};

struct run {
    const struct settings *set;
    const struct kind *kind;
    int ranks;
    pid_t child;
    int master; /* of its terminal, -1: none */
    int code;   /* when it has ended */
    bool ended;
    char id[40], dir[PATH], tmp[PATH], where[PATH], trace[PATH], log[PATH], command[4 * PATH];
    char more[64];       /* what the message must have besides */
    char problems[TEXT]; /* lines */
};

/* "some": rounds for a second or two, whatever the number of ranks. */
#define SECONDS "some"

/* Ends the series: something is wrong with it, not with what it looks at. */
_Noreturn void die(const char *what);
/* Does a line of the text match? Extended, with GNU's \\s and \\S. */
bool has(const char *text, const char *pattern);

double clock_now(void);
double random_up_to(double seconds);
/* Formats another line of r->problems. */
void wrong(struct run *r, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Makes the folders and starts the command. Ends the program if that cannot be. */
void run_start(struct run *r, const struct settings *set, const struct kind *kind, int number);
/* True when the command has ended, within so many seconds. */
bool run_wait(struct run *r, double longest);
void run_kill_all(struct run *r);
/* Waits until nothing of the run is left; what is after some time is told, and killed. */
void run_find_strays(struct run *r);
/* What it said, cut to the last bytes if it said much. */
const char *run_text(const struct run *r);
/* The trace reads as far as it goes; `before`: seconds from the start to the fault. */
void run_check_trace(struct run *r, double before);
void run_check_files(struct run *r);
void run_close(struct run *r);

/* The parent of the emulated ranks, or mpiexec; 0: not there yet. */
pid_t run_server(const struct run *r);
/* Process ids of the ranks, in the order of their start; returns how many. */
int run_ranks(const struct run *r, pid_t pids[MOST_PROCESSES]);

#endif
