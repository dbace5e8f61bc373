/* SPDX-License-Identifier: BSD-3-Clause
 * commslice monitor: shows a run that is under way, again and again, and offers it a new plan where a rank falls
 * behind. It reads what the ranks write into a file that they share, and disturbs none of them. */
#define _GNU_SOURCE 1
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#include "cli/frame/cli.h"
#include "cli/monitor/live_find.h"
#include "cli/monitor/live_progress.h"
#include "cli/monitor/live_text.h"
#include "cli/monitor/live_view.h"

/* Seconds between two looks that correct, whatever is shown. */
static const double CORRECT_EVERY = 0.01;

/* Seconds until the next plan at least, so that a rank can follow one. */
static const double PLAN_EVERY = 0.1;

/* What is asked. */
struct watching {
    const char *run, *trace, *model;
    bool once, json, correct;
    double interval; /* s */
};

/* One look: the plan that it leads to, and what is shown. */
static int look(const struct watching *w, struct cs_live_run *l, struct cs_live_view *v, struct cs_live_beside *b,
                struct cs_live_progress *p, bool show)
{
    if (cs_live_view_make(v, l, cs_live_now()))
        return cs_error("not enough memory");
    bool offers = w->correct && v->offer && l->head->planned_at < v->now - (int64_t)(1e9 * PLAN_EVERY);
    if (offers) {
        cs_live_offer(l, v->speed);
        b->offered = cs_live_plan(l);
    }
    if (!show && !offers)
        return CS_EXIT_OK;
    if (p)
        cs_live_progress_look(p, l, v);
    if (w->json)
        cs_live_json(l, v, b);
    else
        cs_live_print(l, v, b);
    return fflush(stdout) ? cs_finish_output(CS_EXIT_OK) : CS_EXIT_OK;
}

/* Rows of the terminal that are for ranks; 0: no terminal, all are shown. */
static int rows_of_terminal(const struct watching *w)
{
    struct winsize size;
    if (w->once || w->json || !isatty(STDOUT_FILENO) || ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) || size.ws_row == 0)
        return 0;
    return size.ws_row > 10 ? size.ws_row - 9 : 1;
}

static void sleep_for(double seconds)
{
    struct timespec t = {(time_t)seconds, (long)(1e9 * (seconds - floor(seconds)))};
    nanosleep(&t, NULL);
}

/* Have all ranks of this machine ended? */
static bool all_over(const struct cs_live_run *l, const struct cs_live_view *v)
{
    int over = 0;
    for (int i = 0; i < v->nranks; i++)
        over += v->rank[i].at == CS_AT_ENDED || v->rank[i].at == CS_AT_DEAD;
    return !cs_live_held(l) || (v->here > 0 && over == v->here && access(l->path, F_OK));
}

static int watch(const struct watching *w, struct cs_live_run *l, struct cs_live_progress *p)
{
    struct cs_live_view v = {0};
    struct cs_live_beside b = {.progress = p};
    double shown = -1;
    int code = CS_EXIT_OK;
    for (bool more = true; more && !code;) {
        double now = 1e-9 * (double)cs_live_now();
        bool show = shown < 0 || now - shown >= w->interval;
        b.most_rows = rows_of_terminal(w);
        if (show && b.most_rows)
            fputs("\033[H\033[J", stdout);
        code = look(w, l, &v, &b, p, show);
        shown = show ? now : shown;
        more = !w->once && !all_over(l, &v);
        if (more && !code)
            sleep_for(w->correct ? fmin(CORRECT_EVERY, w->interval) : w->interval);
    }
    cs_live_view_free(&v);
    return code ? code : cs_finish_output(CS_EXIT_OK);
}

static int begin(const struct watching *w)
{
    struct cs_live_run l;
    struct cs_live_progress p = {0};
    int code = w->trace ? cs_live_progress_open(&p, w->trace, w->model) : 0;
    if (code)
        return code;
    code = cs_live_find(w->run, &l);
    if (!code) {
        if (w->trace)
            code = cs_live_progress_fits(&p, &l);
        if (!code)
            code = watch(w, &l, w->trace ? &p : NULL);
        cs_live_unmap(&l);
    }
    if (w->trace)
        cs_live_progress_free(&p);
    return code;
}

static bool read_seconds(const char *text, double *v)
{
    char *end;
    *v = strtod(text, &end);
    return end != text && (*end == '\0' || strcmp(end, "s") == 0) && *v >= 0.01 && *v <= 86400;
}

static int run(const struct cs_verb *v, int argc, char **argv)
{
    static const struct option longs[] = {
        {"once", no_argument, NULL, '1'},        {"json", no_argument, NULL, 'j'},
        {"correct", no_argument, NULL, 'c'},     {"interval", required_argument, NULL, 'i'},
        {"trace", required_argument, NULL, 't'}, {"model", required_argument, NULL, 'm'},
        {"help", no_argument, NULL, 'h'},        {0}};
    struct watching w = {.interval = 1};
    int c, code;
    while ((c = cs_getopt(v, argc, argv, ":1i:h", longs, &code)) >= 0) {
        w.once |= c == '1';
        w.json |= c == 'j';
        w.correct |= c == 'c';
        if (c == 't')
            w.trace = optarg;
        if (c == 'm')
            w.model = optarg;
        if (c == 'i' && !read_seconds(optarg, &w.interval))
            return cs_usage_error(v, "--interval %s: give seconds from 0.01 to 86400", optarg);
    }
    if (c == CS_OPT_DONE)
        return code;
    if (optind + 1 < argc)
        return cs_usage_error(v, "%s: give one run", argv[optind + 1]);
    if (w.model && !w.trace)
        return cs_usage_error(v, "--model needs a trace of the slice, with --trace");
    w.run = optind < argc ? argv[optind] : NULL;
    return begin(&w);
}

const struct cs_verb cs_verb_monitor = {
    .name = "monitor",
    .summary = "watch a run that is under way, and correct its plan",
    .run = run,
    .usage =
        "usage: commslice monitor [RUN|PID] [OPTIONS]\n"
        "\n"
        "Shows a run of this machine that is under way: what each rank is at, who waits for whom, how far loops of\n"
        "libcommslice-balance are and when they will end. Runs of commslice record can be watched, and with\n"
        "COMMSLICE_MONITOR=1 those of commslice run and of programs with libcommslice-balance. Without RUN: the only\n"
        "one that is there.\n"
        "\n"
        "  -1, --once           one look\n"
        "      --json           a JSON object a line\n"
        "  -i, --interval S     seconds between looks (1)\n"
        "      --correct        where a rank falls behind its speed, offer the loop a new plan, which techniques that\n"
        "                       go by speeds follow with the next chunk\n"
        "      --trace TRACE    show progress and end against a recorded run with times\n"
        "      --model MODEL    the same against a model of commslice fit; TRACE is then of the slice, with counters\n"
        "\n"
        "Exit status: 0 also when the run ends meanwhile, 1 if there is no such run.\n",
};
