/* SPDX-License-Identifier: BSD-3-Clause
 * Starts programs under the recorder; see launch.h.
 * What ran is judged by the trace, not only by the command's exit status. */
#define _GNU_SOURCE 1
#include "cli/launch/launch.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <libgen.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/environment.h"
#include "base/share.h"
#include "trace/write/crash_buffer.h"
#include "cli/launch/child.h"
#include "live/live_state.h"
#include "cli/frame/cli.h"
#include "cli/frame/json.h"
#include "trace/trace.h"
#include "cli/show/open_trace.h"
#include "cli/frame/own_files.h"

#ifndef CS_LIBDIR
#define CS_LIBDIR "/usr/local/lib/commslice"
#endif
#ifndef CS_BINDIR
#define CS_BINDIR "/usr/local/bin"
#endif

/* Path of a preloaded library: in COMMSLICE_LIBDIR, or where it belongs to this executable. */
static int library_path(char path[PATH_MAX], const char *engine)
{
    const char *dir = getenv(CS_ENV_LIBDIR);
    char name[64];
    snprintf(name, sizeof name, "libcommslice-%s.so", engine);
    if (!dir || !*dir)
        return cs_own_file(path, "commlib", name, CS_BINDIR, CS_LIBDIR);
    return snprintf(path, PATH_MAX, "%s/%s", dir, name) < PATH_MAX ? 0 : -1;
}

static int find_file(char **path, const char *engine)
{
    char found[PATH_MAX];
    if (library_path(found, engine))
        return cs_error("the path of libcommslice-%s.so is too long", engine);
    *path = strdup(found);
    if (!*path)
        return cs_error("not enough memory");
    if (access(*path, R_OK))
        return cs_error("%s: %s; install commslice, or set COMMSLICE_LIBDIR to the folder of its libraries", *path,
                        strerror(errno));
    if (strpbrk(*path, " \t\n:"))
        return cs_error(
            "%s: LD_PRELOAD takes no name with spaces or colons; set COMMSLICE_LIBDIR to a link to its folder that has "
            "none",
            *path);
    return 0;
}

static int find_library(struct cs_launch *l, const char *engine)
{
    bool emulate = strcmp(engine, "emulate") == 0;
    if (!emulate && strcmp(engine, "mpich") != 0)
        return cs_error("no engine %s; there are: emulate, mpich", engine);
    return find_file(&l->library, "mpich") || (emulate && find_file(&l->emulated, "emulate")) ? -1 : 0;
}

static int absolute_path(struct cs_launch *l)
{
    char *copy1 = strdup(l->trace), *copy2 = strdup(l->trace);
    char *dir = copy1 ? realpath(dirname(copy1), NULL) : NULL;
    int rc = 0;
    if (!copy2 || !dir)
        rc = cs_error("%s: %s", l->trace, strerror(errno));
    else if (asprintf(&l->trace_path, "%s/%s", strcmp(dir, "/") ? dir : "", basename(copy2)) < 0)
        rc = cs_error("not enough memory");
    free(dir);
    free(copy1);
    free(copy2);
    return rc;
}

static const struct cs_file_kind crash_kind = {"a crash buffer", CS_CRASH_MAGIC, sizeof CS_CRASH_MAGIC - 1};

/* Removes the trace that is there, and its crash buffer. 0, or an exit code after a message. */
static int remove_old(const struct cs_launch *l)
{
    struct stat st;
    char *live = cs_crash_path(l->trace_path);
    if (live && cs_may_replace(live, &crash_kind))
        unlink(live);
    free(live);
    if (lstat(l->trace_path, &st))
        return errno == ENOENT ? 0 : cs_error("%s: %s", l->trace, strerror(errno));
    if (!S_ISREG(st.st_mode))
        return cs_error("%s: exists and is not a trace; give another name", l->trace);
    if (!l->force && !cs_may_replace(l->trace_path, &cs_trace_kind))
        return cs_error("%s: exists and is not a trace; give another name, or --force to replace it", l->trace);
    return unlink(l->trace_path) ? cs_error("%s: cannot remove the existing trace: %s", l->trace, strerror(errno)) : 0;
}

/* Creates the trace, empty: if the folder cannot be written to, this says so once, in place of every rank. */
static int check_writable(const struct cs_launch *l)
{
    int fd = open(l->trace_path, O_WRONLY | O_CREAT | O_APPEND, 0666);
    if (fd < 0)
        return cs_error("%s: cannot write: %s", l->trace, strerror(errno));
    close(fd);
    return 0;
}

int cs_launch_prepare(struct cs_launch *l, const char *engine)
{
    return find_library(l, engine) || absolute_path(l) || remove_old(l) || check_writable(l) ? CS_EXIT_ERROR : 0;
}

char *cs_launch_preload(const struct cs_launch *l)
{
    const char *old = getenv("LD_PRELOAD");
    char *value;
    bool more = old && *old;
    if (asprintf(&value, "%s%s%s%s%s", l->library, l->emulated ? ":" : "", l->emulated ? l->emulated : "",
                 more ? ":" : "", more ? old : "") < 0)
        return NULL;
    return value;
}

/* Ranks of a run that is watched unasked: the file has 200 bytes of each. */
enum { MOST_WATCHED = 1 << 14 };

/* Gives the run a name, under which commslice monitor finds it. */
static int name_run(const struct cs_launch *l)
{
    const char *says = getenv(CS_ENV_MONITOR);
    char name[128];
    if (says && *says ? !cs_live_wanted() : !l->watched || l->world->ranks > MOST_WATCHED)
        return 0;
    if (says && *says && *cs_live_wanted())
        return 0;
    snprintf(name, sizeof name, "%ld", (long)getpid());
    return setenv(CS_ENV_MONITOR, name, 1);
}

int cs_launch_environment(const struct cs_launch *l, bool with_preload)
{
    char *preload = with_preload ? cs_launch_preload(l) : NULL;
    /* a slice has no source lines for libgfortran's messages, which would show wrong ones */
    bool bad = setenv(CS_ENV_TRACE, l->trace_path, 1) || setenv(CS_ENV_TIMES, l->times ? "1" : "0", 1) ||
               setenv("GFORTRAN_SHOW_LOCUS", "0", 1) || name_run(l) ||
               (with_preload && (!preload || setenv("LD_PRELOAD", preload, 1)));
    if (l->assumptions && *l->assumptions)
        bad = bad || setenv(CS_ENV_ASSUMPTIONS, l->assumptions, 1);
    else
        unsetenv(CS_ENV_ASSUMPTIONS);
    free(preload);
    return bad ? cs_error("not enough memory") : 0;
}

/* What a run came to. Ranks from `first` to before `end` were to run, of `all`. */
struct summary {
    int all, first, end;
    int64_t events, bytes;
    int cut, missing;
    bool failed;
};

static void put_summary(const struct cs_launch *l, const struct summary *s)
{
    struct cs_json j = {.out = stdout};
    cs_json_open(&j, NULL, '{');
    cs_json_string(&j, "trace", l->trace);
    cs_json_int(&j, "ranks", s->all);
    if (l->world->shares) {
        cs_json_int(&j, "first_rank", s->first);
        cs_json_int(&j, "last_rank", s->end - 1);
    }
    cs_json_int(&j, "events", s->events);
    cs_json_int(&j, "bytes", s->bytes);
    if (!l->replays) {
        cs_json_int(&j, "cut_ranks", s->cut);
        cs_json_int(&j, "missing_ranks", s->missing);
    }
    cs_json_bool(&j, "failed", s->failed);
    cs_json_close(&j, '}');
    cs_json_end(&j);
    fflush(stdout);
}

/* Judges the run by its trace and prints the line at the end. Returns the exit code, after a message if it is not 0. */
static int report(const struct cs_launch *l)
{
    int nranks = (int)l->world->ranks;
    char size[32];
    struct stat st;
    struct statvfs disk;
    int64_t events = 0;
    int cut = 0, missing = 0;
    bool failed;
    struct cs_trace *t = NULL;
    if (stat(l->trace_path, &st) == 0 && st.st_size == 0) {
        bool full = statvfs(l->trace_path, &disk) == 0 && disk.f_bavail == 0;
        unlink(l->trace_path);
        if (full)
            return cs_error("%s: nothing was recorded: No space left on device", l->trace);
        return cs_error("nothing was recorded: no process called MPI_Init, or the recorder was not loaded");
    }
    t = cs_open_trace(l->trace_path);
    if (!t || stat(l->trace_path, &st))
        return CS_EXIT_ERROR;
    int n = cs_trace_info(t)->nranks;
    const struct cs_world *w = l->world;
    int first = w->shares ? cs_share_begin(n, w->share, w->shares) : 0;
    int end = w->shares ? cs_share_begin(n, w->share + 1, w->shares) : n;
    for (int r = first; r < end; r++) {
        enum cs_rank_state state = cs_trace_rank_state(t, r);
        cut += state == CS_RANK_CUT;
        missing += state == CS_RANK_MISSING;
        events += cs_trace_nevents(t, r);
    }
    failed = cs_trace_failed(t);
    cs_trace_free(t);
    if (l->replays)
        missing = 0;
    if (w->json)
        put_summary(l, &(struct summary){n, first, end, events, st.st_size, cut, missing, failed});
    else if (!l->world->quiet && l->replays)
        printf("%" PRId64 " events of one of %d ranks, %s in %s\n", events, n,
               cs_human_bytes(size, (uint64_t)st.st_size), l->trace);
    else if (!w->quiet && w->shares)
        printf("share %ld of %ld: ranks %d to %d of %d, %" PRId64 " events, %s in %s\n", w->share, w->shares, first,
               end - 1, n, events, cs_human_bytes(size, (uint64_t)st.st_size), l->trace);
    else if (!w->quiet)
        printf("%d rank%s, %" PRId64 " events, %s in %s\n", n, n == 1 ? "" : "s", events,
               cs_human_bytes(size, (uint64_t)st.st_size), l->trace);
    if (nranks && n != nranks)
        return cs_error(
            "%d ranks were asked for and %d ran; is mpiexec that of the MPI library that the program is linked with?",
            nranks, n);
    if (failed)
        return cs_error("%s: the run failed; its trace does not count as complete", l->trace);
    if (cut || missing)
        return cs_error("%s: %d rank%s did not come to MPI_Finalize%s; see commslice info", l->trace, cut + missing,
                        cut + missing == 1 ? "" : "s", missing ? ", some wrote nothing" : "");
    return CS_EXIT_OK;
}

/* What to do if the code is that of a crash, 128 + the signal. Where the original would end in an error, a slice may do
 * anything. */
static const char *crash_hint(const struct cs_launch *l, int code)
{
    bool crash = code == 128 + SIGSEGV || code == 128 + SIGBUS || code == 128 + SIGFPE || code == 128 + SIGILL ||
                 code == 128 + SIGTRAP;
    return l->slice && crash
               ? "; a slice has no error paths: does the original end well, here and with these arguments?"
               : "";
}

int cs_launch_run(const struct cs_launch *l, char **argv)
{
    struct cs_child child = {
        .ours = l->world->ranks > 0,
        .silent = l->emulated || l->world->quiet,
        .drop_stdout = l->world->out == CS_STDOUT_DROP,
        .timeout =
            l->emulated && !l->replays
                ? 0
                : l->world->timeout}; /* the emulated world looks at its own clock, and says who waits for what */
    int status = cs_child_run(&child, argv);
    if (cs_live_wanted()) /* of ranks that were killed */
        cs_live_remove(cs_live_wanted());
    if (status == -1) {
        struct stat st;
        if (stat(l->trace_path, &st) == 0 && st.st_size == 0)
            unlink(l->trace_path);
        return CS_EXIT_ERROR;
    }
    if (l->world->shares && WIFEXITED(status) && WEXITSTATUS(status) == CS_EXIT_SHARE) {
        unlink(l->trace_path); /* the rank has said why */
        return CS_EXIT_ERROR;
    }
    int code = report(l);
    if (child.timed_out)
        return cs_error("not done in the %ld s that --timeout gives", l->world->timeout);
    if (child.signal && (status || code)) /* an mpiexec whose ranks are only starting may end well after Ctrl-C */
        return cs_error("the run was ended by signal %d (%s)", child.signal, strsignal(child.signal)),
               128 + child.signal;
    if (WIFSIGNALED(status))
        return cs_error("%s was ended by signal %d (%s)%s", argv[0], WTERMSIG(status), strsignal(WTERMSIG(status)),
                        crash_hint(l, 128 + WTERMSIG(status)));
    if (WEXITSTATUS(status))
        return cs_error("%s ended with exit code %d%s", argv[0], WEXITSTATUS(status),
                        crash_hint(l, WEXITSTATUS(status)));
    return cs_finish_output(code);
}

void cs_launch_free(struct cs_launch *l)
{
    free(l->trace_path);
    free(l->library);
    free(l->emulated);
}
