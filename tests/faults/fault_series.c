/* SPDX-License-Identifier: BSD-3-Clause
 * Faults at random moments: processes of a run are killed, the disk is full, memory and time are short.
 * After each one: the command ends in time and says why; no process, shared memory or file is left; the trace can be
 * read. tests/faults_test.sh builds the programs and calls this, in a mount namespace; see there for how to run many.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include "fault_run.h"

enum { LIMIT_S = 60, MOST_SHARED = 1000 }; /* from the fault to the end of the command */

/* ---- the faults ---- */

static bool send(pid_t pid, int sig)
{
    if (pid <= 0)
        return false;
    if (kill(pid, sig) == 0)
        return true;
    if (errno != ESRCH)
        die("kill");
    return false;
}

static bool hurt_rank(struct run *r, int sig)
{
    static pid_t pids[MOST_PROCESSES];
    int n = run_ranks(r, pids), i = n ? (int)(random() % n) : 0;
    if (n == 0 || !send(pids[i], sig))
        return false;
    if (strcmp(r->kind->engine, "emulate") == 0 && sig != SIGSTOP)
        snprintf(r->more, sizeof r->more, "rank %d ", i);
    return true;
}

static bool hurt_server(struct run *r, int sig)
{
    return send(run_server(r), sig);
}

static bool hurt_command(struct run *r, int sig)
{
    return run_server(r) && send(r->child, sig);
}

static bool hurt_both(struct run *r, int sig)
{
    pid_t server = run_server(r);
    send(r->child, sig);
    return send(server, sig);
}

/* Before it has started anything, commslice just dies of it, as any command does. */
static bool press_ctrl_c(struct run *r, int sig)
{
    (void)sig;
    if (!run_server(r))
        return false;
    if (write(r->master, "\x03", 1) != 1)
        die("terminal");
    return true;
}

static void filling(const struct run *r, char path[PATH + 16])
{
    snprintf(path, PATH + 16, "%s/filling", r->where);
}

static bool fill_disk(struct run *r, int sig)
{
    static char some[4096];
    char path[PATH + 16];
    (void)sig;
    filling(r, path);
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (fd < 0)
        return false;
    while (write(fd, some, sizeof some) > 0)
        continue;
    close(fd);
    return true;
}

#define KILLED "was ended by signal 9 \\(Killed\\)"
#define DIED(sig) "rank [0-9]+ was ended by signal " #sig " \\(.*\\)"
#define CUT "did not come to MPI_Finalize|nothing was recorded"
#define INTERRUPTED "ended by signal 2 \\(Interrupt\\)"
#define LATE "not done in the time that --timeout gives(.*\n)+.*ranks? "
#define ENDLESS "100000000"
#define ALWAYS .verb = "record", .engine = "emulate", .longest = 1.5, .arguments = {ENDLESS}
#define SLICE .verb = "run", .engine = "emulate", .longest = 1.5, .arguments = {ENDLESS}
#define CHILDREN .verb = "record", .engine = "emulate", .longest = 1.5, .arguments = {ENDLESS, "0", "children"}
#define MPICH .verb = "run", .engine = "mpich", .longest = 1.5, .arguments = {ENDLESS}

static const struct kind kinds[] = {
    {"kill -9 of a rank", DIED(9), 2, hurt_rank, SIGKILL, ALWAYS},
    {"SIGSEGV to a rank", DIED(11), 2, hurt_rank, SIGSEGV, ALWAYS},
    {"kill -9 of the ranks' parent", KILLED, 2, hurt_server, SIGKILL, ALWAYS},
    {"kill -9 of commslice", "", -SIGKILL, hurt_command, SIGKILL, ALWAYS},
    {"kill -9 of both", "", -SIGKILL, hurt_both, SIGKILL, ALWAYS},
    {"kill -9 of a rank, children", DIED(9), 2, hurt_rank, SIGKILL, CHILDREN},
    {"kill -9 of the parent, children", KILLED, 2, hurt_server, SIGKILL, CHILDREN},
    {"kill -9 of commslice, children", "", -SIGKILL, hurt_command, SIGKILL, CHILDREN},
    {"Ctrl-C", INTERRUPTED, 130, press_ctrl_c, 0, ALWAYS, .terminal = true},
    {"SIGTERM to commslice", "ended by signal 15 \\(Terminated\\)", 143, hurt_command, SIGTERM, ALWAYS},
    {"SIGHUP to the ranks' parent", CUT, 2, hurt_server, SIGHUP, ALWAYS},
    {"full disk", "cannot write the trace \\S+: No space left on device; it stays incomplete|rank [0-9]+ was ended", 2,
     fill_disk, 0, .verb = "record", .engine = "emulate", .longest = 0.3, .arguments = {SECONDS},
     .full_disk = FULL_LATER},
    {"full disk from the start", "cannot write|No space left", 2, NULL, 0, .verb = "record", .engine = "emulate",
     .arguments = {"100"}, .full_disk = FULL_AT_ONCE},
    {"--memory", "rank [0-9]+ (ended with exit code 1 before MPI_Finalize|was ended by signal).*--memory", 2, NULL, 0,
     .verb = "record", .engine = "emulate", .options = {"--memory", "60M"}, .arguments = {ENDLESS, "3000000"}},
    {"--timeout", LATE, 2, NULL, 0, .verb = "record", .engine = "emulate", .options = {"--timeout", "1"},
     .arguments = {ENDLESS}},
    {"SIGSTOP of a rank, --timeout", LATE, 2, hurt_rank, SIGSTOP, .verb = "record", .engine = "emulate", .longest = 0.5,
     .options = {"--timeout", "1"}, .arguments = {ENDLESS}},
    {"slice: kill -9 of a rank", DIED(9), 2, hurt_rank, SIGKILL, SLICE},
    {"slice: kill -9 of the ranks' parent", KILLED, 2, hurt_server, SIGKILL, SLICE},
    {"slice: kill -9 of commslice", "", -SIGKILL, hurt_command, SIGKILL, SLICE},
    {"slice: Ctrl-C", INTERRUPTED, 130, press_ctrl_c, 0, SLICE, .terminal = true},
};
static const struct kind mpich_kinds[] = {
    {"mpich: kill -9 of a rank", CUT, 2, hurt_rank, SIGKILL, MPICH},
    {"mpich: kill -9 of mpiexec", CUT, 2, hurt_server, SIGKILL, MPICH},
    {"mpich: kill -9 of commslice", "", -SIGKILL, hurt_command, SIGKILL, MPICH},
    {"mpich: Ctrl-C", INTERRUPTED, 130, press_ctrl_c, 0, MPICH, .terminal = true},
};
enum { NKINDS = sizeof kinds / sizeof kinds[0], NMPICH = sizeof mpich_kinds / sizeof mpich_kinds[0] };

/* ---- shared memory ---- */

struct shared_memory {
    int n;
    char name[MOST_SHARED][256];
};

static bool is_there(const struct shared_memory *s, const char *name)
{
    for (int i = 0; i < s->n; i++)
        if (strcmp(s->name[i], name) == 0)
            return true;
    return false;
}

static void look_at_shared(struct shared_memory *s)
{
    struct dirent *e;
    DIR *d = opendir("/dev/shm");
    s->n = 0;
    while (d && (e = readdir(d)) && s->n < MOST_SHARED)
        strcpy(s->name[s->n++], e->d_name);
    if (d)
        closedir(d);
}

/* Other programs may use MPICH meanwhile. */
static void check_shared(struct run *r, const struct shared_memory *before)
{
    static struct shared_memory now;
    if (strcmp(r->kind->engine, "emulate") != 0)
        return;
    look_at_shared(&now);
    for (int i = 0; i < now.n; i++)
        if (!is_there(before, now.name[i]) && strncmp(now.name[i], "mpich_", 6) != 0 &&
            strncmp(now.name[i], "ucx_", 4) != 0)
            wrong(r, "in /dev/shm: %s", now.name[i]);
}

/* ---- the disk: a tiny file system in a mount namespace of our own, so that it goes when we go ---- */

static void mount_disk(const char *disk, unsigned long flags, const char *size)
{
    if (mount("none", disk, "tmpfs", flags, size) != 0)
        die("cannot mount a small file system");
}

static void make_disk(const char *work)
{
    char disk[PATH];
    snprintf(disk, sizeof disk, "%s/disk", work);
    if (mkdir(work, 0777) != 0 || mkdir(disk, 0777) != 0)
        die(disk);
    mount_disk(disk, 0, "size=4m");
}

/* Room again, so that what killed ranks left can be saved. */
static void empty_disk(const struct run *r)
{
    char path[PATH + 16];
    filling(r, path);
    if (unlink(path) == 0)
        mount_disk(r->where, MS_REMOUNT, "size=64m");
}

/* ---- one fault ---- */

/* Waits some time and strikes, as soon as there is somebody to hurt. Returns that time. */
static double strike(struct run *r, double longest)
{
    const struct kind *k = r->kind;
    double before = random_up_to(k->longest < longest ? k->longest : longest);
    if (!run_wait(r, before))
        while (!k->fault(r, k->sig) && !run_wait(r, 0))
            continue;
    return before;
}

static void check_message(struct run *r)
{
    const char *text = run_text(r), *end = strlen(text) > 300 ? text + strlen(text) - 300 : text;
    if (r->code != r->kind->code)
        wrong(r, "exit status %d, not %d", r->code, r->kind->code);
    if (r->kind->says[0] && !has(text, r->kind->says))
        wrong(r, "does not say why: %s", end);
    if (!strstr(text, r->more))
        wrong(r, "does not name %s: %s", r->more, end);
}

/* Returns seconds from the fault to the end; what is wrong is in r->problems. */
static double one(struct run *r, const struct settings *set, int number, const struct kind *k, double longest)
{
    static struct shared_memory shared;
    double before = 0;
    look_at_shared(&shared);
    if (k->full_disk == FULL_AT_ONCE) {
        struct run disk = {.kind = k};
        snprintf(disk.where, sizeof disk.where, "%s/disk", set->work);
        fill_disk(&disk, 0);
    }
    run_start(r, set, k, number);
    if (k->fault)
        before = strike(r, longest);
    double hit = clock_now();
    if (!run_wait(r, LIMIT_S)) {
        wrong(r, "hangs: not ended %d s after the fault", LIMIT_S);
        run_kill_all(r);
        run_wait(r, LIMIT_S);
    }
    double took = clock_now() - hit;
    run_find_strays(r);
    check_message(r);
    if (k->full_disk)
        empty_disk(r);
    run_check_trace(r, before);
    run_check_files(r);
    check_shared(r, &shared);
    run_close(r);
    if (k->full_disk)
        mount_disk(r->where, MS_REMOUNT, "size=4m");
    return took;
}

/* ---- many ---- */

struct sum {
    const struct kind *kind;
    int runs, bad;
    double slowest;
};

static void add_to(struct sum *sums, const struct kind *k, bool bad, double took)
{
    struct sum *s = sums;
    while (s->kind && s->kind != k)
        s++;
    s->kind = k;
    s->runs++;
    s->bad += bad;
    s->slowest = took > s->slowest ? took : s->slowest;
}

static int choose(const struct kind *from, int n, const char *only, const struct kind **chosen)
{
    int found = 0;
    for (int i = 0; i < n; i++)
        if (strstr(from[i].name, only))
            chosen[found++] = &from[i];
    return found;
}

static void say_problems(const struct run *r, int number)
{
    for (const char *s = r->problems; *s;) {
        int n = (int)strcspn(s, "\n");
        printf("FAIL  run %d, %s: %.*s\n", number, r->kind->name, n, s);
        s += n + (s[n] == '\n');
    }
    printf("      %s\n", r->command);
    fflush(stdout);
}

struct options {
    struct settings set;
    int n, seed, mpich;
    double longest;
    const char *only;
};

static struct options read_options(int argc, char **argv)
{
    static const struct option names[] = {
        {"commslice", 1, NULL, 'c'}, {"mpiexec", 1, NULL, 'm'}, {"program", 1, NULL, 'p'}, {"slice", 1, NULL, 's'},
        {"work", 1, NULL, 'w'},      {"longest", 1, NULL, 'l'}, {"seed", 1, NULL, 'S'},    {"mpich", 0, NULL, 'M'},
        {"only", 1, NULL, 'o'},      {NULL, 0, NULL, 0}};
    struct options o = {.n = NKINDS, .longest = 9, .only = ""};
    for (int c; (c = getopt_long(argc, argv, "n:", names, NULL)) != -1;)
        switch (c) {
        case 'c': o.set.commslice = optarg; break;
        case 'm': o.set.mpiexec = optarg; break;
        case 'p': o.set.program = optarg; break;
        case 's': o.set.slice = optarg; break;
        case 'w': o.set.work = optarg; break;
        case 'l': o.longest = atof(optarg); break;
        case 'S': o.seed = atoi(optarg); break;
        case 'M': o.mpich = 1; break;
        case 'o': o.only = optarg; break;
        case 'n': o.n = atoi(optarg); break;
        default: exit(2);
        }
    if (!o.set.commslice || !o.set.mpiexec || !o.set.program || !o.set.slice || !o.set.work) {
        errno = EINVAL;
        die("wants --commslice --mpiexec --program --slice --work");
    }
    return o;
}

int main(int argc, char **argv)
{
    static struct run r;
    static struct sum sums[NKINDS + NMPICH + 1];
    const struct kind *own[NKINDS], *mpich[NMPICH];
    struct options o = read_options(argc, argv);
    int nown = choose(kinds, NKINDS, o.only, own), nmpich = o.mpich ? choose(mpich_kinds, NMPICH, o.only, mpich) : 0,
        failed = 0;
    double began = clock_now();
    if (nown + nmpich == 0) {
        errno = EINVAL;
        die("--only: there is no such kind of fault");
    }
    srandom((unsigned)o.seed);
    make_disk(o.set.work);
    for (int i = 0; i < o.n; i++) {
        bool fifth = nmpich && (i % 5 == 4 || !nown); /* engine mpich in every fifth run */
        const struct kind *k = fifth ? mpich[(nown ? i / 5 : i) % nmpich] : own[(i - (nmpich ? i / 5 : 0)) % nown];
        double took = one(&r, &o.set, i, k, o.longest);
        if (r.problems[0])
            say_problems(&r, i);
        failed += r.problems[0] != 0;
        add_to(sums, k, r.problems[0], took);
    }
    printf("%-40s %5s %6s %15s\n", "fault", "runs", "wrong", "slowest end, s");
    for (struct sum *s = sums; s->kind; s++)
        printf("%-40s %5d %6d %15.2f\n", s->kind->name, s->runs, s->bad, s->slowest);
    printf("%d runs in %.0f s, seed %d: %d passed, %d failed\n", o.n, clock_now() - began, o.seed, o.n - failed,
           failed);
    return failed ? 1 : 0;
}
