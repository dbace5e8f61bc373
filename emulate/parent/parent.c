/* SPDX-License-Identifier: BSD-3-Clause
 * The parent of the ranks. Forks a rank whenever fewer than `jobs` run, waits for all, and ends a run that cannot go
 * on. Environment: COMMSLICE_TIMEOUT (seconds for the run), COMMSLICE_PATIENCE (seconds in which ranks only poll),
 * COMMSLICE_MEMORY (bytes of data of a rank). */
#define _GNU_SOURCE
#include <assert.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/rseq.h>
#include <sys/single_threaded.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/environment.h"
#include "base/cold.h"
#include "base/share.h"
#include "commlib/process/orphans.h"
#include "commlib/process/rank_memory.h"
#include "commlib/process/run_end.h"
#include "commlib/process/say.h"
#include "emulate/messages/flow.h"
#include "emulate/parent/guest.h"
#include "emulate/parent/parent.h"
#include "emulate/parent/relay.h"
#include "emulate/parent/series.h"
#include "emulate/parent/status_line.h"
#include "emulate/parent/stuck_report.h"
#include "emulate/world/shared_memory.h"
#include "emulate/world/tape.h"
#include "emulate/world/world.h"

/* EXIT_TIMEOUT is that of timeout(1). */
enum { EXIT_TIMEOUT = 124, GRACE_MS = 2000, HEAD_START_MS = 100 };

static int reaped;    /* ranks that have ended with their processes */
static bool guest;    /* rank 0 runs, and belongs to another share of the run; guest.h */
static int exit_code; /* the first that is not 0 */
static bool stopping;
static int *rank_of_pid; /* the first that a process was, by its id; not mapped in the ranks (MADV_DONTFORK) */
static volatile sig_atomic_t got_signal, child_ended = 1;
static const int own_signals[] = {SIGCHLD, SIGINT, SIGTERM, SIGHUP};
/* Entries of `own_signals`. */
enum { NSIGNALS = sizeof own_signals / sizeof own_signals[0] };
static struct sigaction old_actions[NSIGNALS] CS_COLD;
static int null_fd = -1;
static pid_t parent_pid;
static struct rlimit memory_limit;

/* Ranks that have begun, and those of them that have ended. Ranks before our share count as both. */
static int begun(void)
{
    return atomic_load(&cs_emu_world->next_rank);
}

static int gone(void)
{
    return cs_emu_world->first + reaped + atomic_load(&cs_emu_world->passed);
}

static int64_t now_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

static void on_signal(int sig)
{
    if (sig == SIGCHLD)
        child_ended = 1;
    else
        got_signal = sig;
    atomic_fetch_add(&cs_emu_world->parent_word, 1);
}

/* Signals that the parent was started to ignore (nohup, a shell's &) stay ignored. */
static void catch_signals(void)
{
    struct sigaction a = {.sa_handler = on_signal};
    for (int i = 0; i < NSIGNALS; i++)
        if (sigaction(own_signals[i], NULL, &old_actions[i]) == 0 &&
            (own_signals[i] == SIGCHLD || old_actions[i].sa_handler != SIG_IGN))
            sigaction(own_signals[i], &a, NULL);
}

/* ---- a rank begins ---- */

/* Makes this process, which has just been forked, one for ranks, `rank` first. */
static void become_process(int rank)
{
    for (int i = 0; i < NSIGNALS; i++)
        sigaction(own_signals[i], &old_actions[i], NULL);
    prctl(PR_SET_PDEATHSIG, CS_ORPHANED);
    if (getppid() != parent_pid) /* the parent died before prctl() */
        _exit(1);
    if (rank > 0 && null_fd >= 0)
        dup2(null_fd, STDIN_FILENO);
    close(null_fd);
    cs_emu_relay_join(rank);
    if (rank < cs_emu_world->first)
        cs_emu_guest_begin();
    if (memory_limit.rlim_cur)
        setrlimit(RLIMIT_DATA, &memory_limit);
    cs_rank_memory_start();
}

static void become_rank(int rank)
{
    cs_emu_me = &cs_emu_world->rank[rank];
    cs_emu_me->life = CS_EMU_ALIVE;
    cs_emu_tape_begin(rank, cs_emu_world->nranks);
}

/* Counts the rank as one whose process has ended. */
static void count_end(int rank)
{
    if (rank < cs_emu_world->first)
        guest = false;
    else
        reaped++;
}

/* Notes that there is no process for the rank, and ends the run. */
static void miss(int rank)
{
    cs_say("error: cannot start rank %d: %s", rank, strerror(errno));
    atomic_fetch_sub(&cs_emu_world->running, 1);
    atomic_store(&cs_emu_world->abort_code, 1 | CS_EMU_ABORTED);
    count_end(rank);
}

/* Forks a process for the rank, which is counted as running. True in the rank, false in the parent, also after an
 * error, which ends the run. */
static bool start_process(int rank, bool series)
{
    atomic_store(&cs_emu_world->rank[rank].current, rank);
    /* In a child, fork() sets up the C library's locks anew, which writes to pages of each rank. With one thread this
     * is not needed, and _Fork() does without. */
    pid_t pid = __libc_single_threaded ? _Fork() : fork();
    if (pid == 0) {
        become_process(rank);
        become_rank(series ? cs_emu_series_begin(rank) : rank);
        return true;
    }
    if (pid < 0) {
        miss(rank);
        return false;
    }
    int32_t none = 0; /* -1: the process is another rank already */
    atomic_compare_exchange_strong(&cs_emu_world->rank[rank].pid, &none, pid);
    rank_of_pid[pid % CS_EMU_PIDS] = rank;
    return false;
}

/* Forks the next rank, if there is one. Returns as start_process(). */
static bool start_rank(void)
{
    bool series = cs_emu_series_wanted();
    atomic_fetch_add(&cs_emu_world->running, 1);
    int rank = cs_emu_series_claim();
    if (rank >= 0)
        return start_process(rank, series);
    atomic_fetch_sub(&cs_emu_world->running, 1);
    return false;
}

/* Forks rank 0 for a share that does not have it. Returns as start_process(). */
static bool start_guest(void)
{
    if (cs_emu_guest_prepare() != 0)
        cs_emu_fail("cannot start rank 0 for the share: %s", strerror(errno));
    guest = true;
    atomic_fetch_add(&cs_emu_world->running, 1);
    return start_process(0, false);
}

/* Rank 0 is ahead of the others, until it waits or has ended: what all get from it at the beginning, such as input that
 * it reads, is there then, and nobody waits. */
static bool is_ahead(void)
{
    static int64_t since;
    const struct cs_emu_rank *r = &cs_emu_world->rank[0];
    if (!since)
        since = now_ms();
    return r->pid > 0 && !r->sleeping && begun() == cs_emu_world->first + !guest && now_ms() - since < HEAD_START_MS;
}

/* ---- a rank ends ---- */

/* Reports the end of a rank if it is bad, and the first bad one: later ones may be a consequence. */
static void judge(int rank, int status)
{
    const struct cs_emu_rank *r = &cs_emu_world->rank[rank];
    bool well = WIFEXITED(status) && WEXITSTATUS(status) == 0, within = r->life == CS_EMU_INSIDE;
    if (stopping || got_signal || exit_code || (well && !within))
        return;
    exit_code = cs_emu_report_end(rank, status, memory_limit.rlim_cur);
    if (WIFSIGNALED(status) || r->life != CS_EMU_FINALIZED)
        atomic_store(&cs_emu_world->abort_code, exit_code | CS_EMU_ABORTED);
}

/* Takes note of the children that have ended. Only after a SIGCHLD: waitpid() looks through all children. False if no
 * child is left. */
static bool reap(void)
{
    int status;
    pid_t pid;
    if (!child_ended)
        return true;
    child_ended = 0;
    while ((pid = waitpid(-1, &status, WNOHANG)) > 0) {
        int rank = atomic_load(&cs_emu_world->rank[rank_of_pid[pid % CS_EMU_PIDS]].current);
        if (cs_emu_world->rank[rank].pid != pid) /* a child that a rank left behind */
            continue;
        judge(rank, status);
        assert(rank < begun());
        cs_emu_world->rank[rank].pid = 0;
        if (cs_emu_world->rank[rank].life != CS_EMU_FINALIZED)
            cs_emu_world->rank[rank].life = CS_EMU_GONE;
        /* One that was killed asleep has left the count already. */
        if (atomic_exchange(&cs_emu_world->rank[rank].sleeping, 0) == 0)
            atomic_fetch_sub(&cs_emu_world->running, 1);
        count_end(rank);
    }
    return pid == 0 || errno != ECHILD;
}

static void kill_all(int sig)
{
    for (int i = 0; i < begun(); i++)
        if (cs_emu_world->rank[i].pid > 0)
            kill(cs_emu_world->rank[i].pid, sig);
}

/* Sleeps until parent_word is other than `seen`, or for ms milliseconds. */
static void doze(uint32_t seen, int ms)
{
    struct timespec t = {ms / 1000, ms % 1000 * 1000000L};
    syscall(SYS_futex, &cs_emu_world->parent_word, FUTEX_WAIT, seen, &t, NULL, 0);
}

/* Ends all ranks and waits for them. SIGTERM first, so that the recorder writes what it has; SIGKILL when no rank has
 * ended for GRACE_MS. */
static void stop_all(void)
{
    int before = gone();
    int64_t deadline = now_ms() + GRACE_MS;
    stopping = true;
    atomic_store(&cs_emu_world->closed, 1);
    kill_all(SIGTERM);
    while (gone() < begun() || guest) {
        uint32_t seen = atomic_load(&cs_emu_world->parent_word);
        if (!reap()) /* a process that is killed while it becomes the next rank is counted as one of the two */
            break;
        if (gone() > before) {
            before = gone();
            deadline = now_ms() + GRACE_MS;
        }
        if (now_ms() > deadline)
            kill_all(SIGKILL);
        if (gone() < begun() || guest)
            doze(seen, 50);
    }
}

/* ---- the run ---- */

/* Do all ranks that are left wait? None runs, none polls, none is to be forked. */
static bool is_dead(void)
{
    return gone() < begun() && atomic_load(&cs_emu_world->unborn) == 0 && atomic_load(&cs_emu_world->running) == 0 &&
           atomic_load(&cs_emu_world->polling) == 0;
}

/* Have all ranks that are left waited or polled, without a step of any, for longer than the patience? */
static bool is_going_nowhere(int64_t patience_ms)
{
    static uint64_t steps;
    static int64_t since;
    uint64_t now = atomic_load(&cs_emu_world->steps) + (uint64_t)gone();
    int alive = begun() - gone();
    if (now != steps || atomic_load(&cs_emu_world->polling) == 0 || atomic_load(&cs_emu_world->unborn) > 0 ||
        atomic_load(&cs_emu_world->running) > atomic_load(&cs_emu_world->polling) || alive == 0) {
        steps = now;
        since = now_ms();
    }
    return patience_ms > 0 && now_ms() - since > patience_ms;
}

/* The value of an environment variable, or `otherwise` if it is not set. */
static int seconds(const char *name, int otherwise)
{
    const char *text = getenv(name);
    return text && *text ? atoi(text) : otherwise;
}

static bool is_share(void)
{
    return cs_emu_world->end - cs_emu_world->first < cs_emu_world->nranks;
}

/* -1 while the run can go on, else its exit code. Reports a deadlock or timeout. */
static int verdict(int64_t deadline, int64_t patience_ms)
{
    int code = atomic_load(&cs_emu_world->abort_code);
    if (code & CS_EMU_ABORTED)
        return exit_code ? exit_code : code & 0xff;
    if (got_signal)
        return 128 + got_signal;
    if (is_share() && ((is_dead() && !cs_emu_flow_release()) || is_going_nowhere(patience_ms))) {
        cs_say("error: --share: ranks wait for ranks of other shares: run it without --share");
        return CS_EXIT_SHARE;
    }
    if (is_dead() && !cs_emu_flow_release()) {
        cs_emu_report_waits("deadlock: all ranks wait");
        return CS_EXIT_HANG;
    }
    if (is_going_nowhere(patience_ms)) {
        cs_emu_report_waits("all ranks wait or poll in vain");
        return CS_EXIT_HANG;
    }
    if (deadline && now_ms() > deadline) {
        cs_emu_report_waits("not done in the time that --timeout gives");
        return EXIT_TIMEOUT;
    }
    return -1;
}

/* Unregisters the memory (rseq) in which the kernel notes the processor of a thread: it would be a written page of each
 * rank. The C library works without it. */
static void forgo_processor_number(void)
{
    if (__rseq_size)
        syscall(SYS_rseq, (char *)__builtin_thread_pointer() + __rseq_offset, sizeof(struct rseq), RSEQ_FLAG_UNREGISTER,
                RSEQ_SIG);
}

static void prepare(void)
{
    const char *memory = getenv(CS_ENV_MEMORY);
    parent_pid = getpid();
    null_fd = open("/dev/null", O_RDONLY | O_CLOEXEC);
    memory_limit.rlim_cur = memory_limit.rlim_max = memory ? (rlim_t)strtoull(memory, NULL, 10) : 0;
    rank_of_pid = mmap(NULL, CS_EMU_PIDS * sizeof *rank_of_pid, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (rank_of_pid == MAP_FAILED)
        cs_emu_fail("no memory to keep the ranks' process numbers");
    madvise(rank_of_pid, CS_EMU_PIDS * sizeof *rank_of_pid, MADV_DONTFORK);
    fflush(NULL);
    cs_orphans_adopt();
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (cs_emu_relay_start() != 0)
        cs_emu_fail("cannot tag standard output: %s", strerror(errno));
    catch_signals();
    forgo_processor_number();
}

/* The loop of the parent: one turn for each rank to fork, each signal, and each 200 ms. */
void cs_emu_parent(void)
{
    int timeout = seconds(CS_ENV_TIMEOUT, 0), code = -1;
    int64_t patience_ms = seconds(CS_ENV_PATIENCE, CS_DEFAULT_PATIENCE) * INT64_C(1000);
    int64_t deadline = timeout ? now_ms() + timeout * INT64_C(1000) : 0;
    prepare();
    if (cs_emu_world->first > 0 && start_guest())
        return;
    for (;;) {
        uint32_t seen = atomic_load(&cs_emu_world->parent_word);
        (void)reap();
        if ((code = verdict(deadline, patience_ms)) >= 0 || gone() == cs_emu_world->end)
            break;
        if (begun() < cs_emu_world->end && !is_ahead() && atomic_load(&cs_emu_world->running) < cs_emu_world->jobs) {
            if (start_rank())
                return;
            continue;
        }
        cs_emu_status_line(gone() - cs_emu_world->first);
        if (cs_emu_flow_stuck())
            cs_emu_flow_release();
        doze(seen, is_ahead() ? 10 : 200);
    }
    if (code >= 0 || guest)
        stop_all();
    if (code < 0 && cs_emu_guest_read_input()) {
        cs_say("error: --share: rank 0 reads standard input, which has to be a file: < FILE, in each share");
        code = CS_EXIT_SHARE;
    }
    cs_emu_relay_end();
    cs_orphans_end(0);
    cs_emu_status_line_end();
    int (*over)(int) = (int (*)(int))dlsym(RTLD_DEFAULT, "commslice_run_over");
    int late = over ? over(code == CS_EXIT_HANG) : 0;
    _exit(code >= 0 ? code : exit_code ? exit_code : late);
}
