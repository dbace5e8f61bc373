/* SPDX-License-Identifier: BSD-3-Clause
 * commslice advise: which assumptions would make the slice smaller.
 * What the slicer answers (advice.h) is put beside what recorded runs did (recorded_runs.h), into order, and shown. */
#define _GNU_SOURCE 1
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "api/assumption.h"
#include "cli/frame/cli.h"
#include "cli/frame/json.h"
#include "cli/frame/output.h"
#include "cli/frame/text.h"
#include "cli/launch/tools.h"
#include "cli/show/readable.h"
#include "cli/show/slice_graph.h"
#include "cli/verbs/advice_print.h"
#include "cli/verbs/recorded_runs.h"

static const char first_line[] = "# assumptions of commslice advise";
static const struct cs_file_kind assumptions_kind = {"a file of commslice advise", first_line, sizeof first_line - 1};

/* ---- what the helper is told ---- */

/* What the helper is told that a value is, of which it only has to know whether it is the same on all ranks, and each
 * time: not so where it was only near to that, which it leaves out where it brings little. */
static const char *in_short(const struct cs_recorded_value *v, const char *expression)
{
    enum { LONG = 100 };
    bool near = v->any_size && !cs_recorded_value_exact(v);
    if (near)
        return strchr(v->place, '=') ? "iteration" : "pick(rank,0,iteration)";
    return strlen(expression) < LONG ? expression : "pick(rank,0,iteration)";
}

/* Is the variable always what MPI_ANY_SOURCE is with MPICH? Were it assumed, each receive whose source the slicer does
 * not know might be from any, and ranks would wait for each other to keep the order. */
static bool like_any_source(const struct cs_recorded_value *v, const char *expression)
{
    const char *name = strrchr(v->place, ':');
    return !strcmp(expression, "-2") && !strchr(v->place, '=') && name && strcmp(name, ":source");
}

/* What the helper is told of a value for which no number stands; of one that goes with arrivals not even its mean does.
 */
static const char *no_number(const struct cs_recorded_value *v)
{
    return cs_recorded_value_polled(v) && !strchr(v->place, '=') ? "polled" : "varies";
}

/* FILE:LINE=never or =always for the condition FILE:LINE=when(N) that each time was `what`, if that is 0 or 1: then all
 * behind it goes, or all beside it. NULL: it is no such condition, or memory is out. Malloced. */
static char *one_way(const char *place, const char *what)
{
    size_t n = strcspn(place, "=");
    bool never = !strcmp(what, "0"), always = !strcmp(what, "1");
    char *text = NULL;
    int len = !strcmp(place + n, "=when(N)") && (never || always)
                  ? asprintf(&text, "%.*s=%s", (int)n, place, never ? "never" : "always")
                  : -1;
    return len < 0 ? NULL : text;
}

/* Arguments for the helper behind the first two, ended by NULL: what the run bears out. Strings and array are the
 * caller's to free. NULL: memory is out. */
static char **arguments(const struct cs_question *q)
{
    char **argv = calloc(q->seen->n + q->seen->nvalues + 4, sizeof *argv);
    size_t n = 2;
    int ranks = 0;
    for (int i = 0; q->seen->nruns > 1 && i < q->seen->nruns; i++)
        ranks += q->seen->nranks[i];
    for (size_t i = 0; argv && i < q->seen->n; i++) {
        const struct cs_line_seen *l = &q->seen->line[i];
        bool each = l->runs == q->seen->nruns; /* else it goes with the number of ranks */
        const char *what = l->times == 0                 ? "unasked"
                           : each && l->held == 0        ? "never"
                           : each && l->held == l->times ? "always"
                                                         : NULL;
        if ((what ? asprintf(&argv[n], "%s=%s", l->place, what)
                  : asprintf(&argv[n], "%s=N %lld/%lld/%d", l->place, l->held, l->times, ranks)) > 0)
            n++;
    }
    for (size_t i = 0; argv && i < q->seen->nvalues; i++) {
        const struct cs_recorded_value *v = &q->seen->value[i];
        char *is = v->any_size || cs_recorded_value_exact(v) ? cs_recorded_value_expression(v) : NULL;
        bool spreads = v->any_size || cs_recorded_value_spreads(v);
        const char *what = is && *is && !like_any_source(v, is) ? in_short(v, is) : is || spreads ? no_number(v) : NULL;
        if (what && !(strchr(v->place, '=') && cs_told_settled(q, v->place)) &&
            ((argv[n] = one_way(v->place, what)) || (argv[n] = cs_told_place_is(v->place, what))))
            n++;
        free(is);
    }
    if (argv && *q->called && asprintf(&argv[n], CS_ONLY_CALLED "%s", q->called) > 0)
        n++;
    return argv;
}

/* Writes what the recorded run called. False after a message. */
static bool write_called(const struct cs_question *q, FILE *f)
{
    for (size_t i = 0; i < q->seen->ncalled; i++)
        fprintf(f, "%s\n", q->seen->called[i]);
    return !ferror(f);
}

/* Makes q->called, which the caller removes, if the run tells what it called. False after a message. */
static bool make_called(struct cs_question *q)
{
    if (!q->seen->ncalled)
        return true;
    int n = snprintf(q->called, sizeof q->called, "%s/commslice-called.XXXXXX", cs_tool("TMPDIR", "/tmp"));
    int fd = n < (int)sizeof q->called ? mkstemp(q->called) : -1;
    FILE *f = fd < 0 ? NULL : fdopen(fd, "w");
    bool ok = f && write_called(q, f);
    if (f)
        ok &= fclose(f) == 0;
    if (!ok)
        cs_error("cannot write %s: %s", q->called, strerror(errno));
    return ok;
}

/* ---- the order ---- */

static const struct cs_advice *ordered; /* what by_worth compares suggestions of */
static const struct cs_question *asked;

/* The less the better: what is kept, and in hundredths of the program what its user has to vouch for. A trip count or
 * a value has to be known, too. That a run goes the ways of the recorded one is one thing to vouch for, more or less.
 */
static double price(const struct cs_suggestion *s)
{
    enum { TOGETHER = 20 }; /* so many count as much as half of one by itself */
    double hundredths = 100.0 * s->kept / ordered->total;
    int together = cs_told_always_so_many(s);
    hundredths += together ? 2 + (double)together / TOGETHER : 0;
    for (int i = 0; i < s->n; i++)
        hundredths +=
            cs_told_always_so(&s->a[i])                                                                         ? 0
            : cs_told_value_of(asked, &s->a[i])                                                                 ? 3
            : (cs_told_about_value(&s->a[i]) || !strncmp(s->a[i].way, "ends", 4)) && strstr(s->a[i].text, "=N") ? 4
                                                                                                                : 2;
    return hundredths;
}

/* Has it an N that its user has to give? */
static bool is_open(const struct cs_question *q, const struct cs_suggestion *s)
{
    for (int i = 0; i < s->n; i++)
        if (cs_told_open(q, &s->a[i]))
            return true;
    return false;
}

/* Does it take calls of MPI away, not fit the recorded run, or is not all of it known from that? */
static bool comes_last(const struct cs_suggestion *s)
{
    bool last = s->sites < ordered->sites && !cs_told_borne_out(asked, s);
    for (int i = 0; i < s->n; i++)
        last |= cs_told_unfit(asked, &s->a[i]);
    return last || (asked->seen->nruns && is_open(asked, s));
}

static int by_worth(const void *x, const void *y)
{
    const struct cs_suggestion *a = x, *b = y;
    bool la = comes_last(a), lb = comes_last(b);
    return la != lb ? la - lb : (price(a) > price(b)) - (price(a) < price(b));
}

enum { PART = 50 }; /* two hundredths of the program count as nothing */

/* Does it bring next to nothing, not fit the recorded run, or does another one bring as much with some of the same
 * assumptions? */
static bool not_worth_it(const struct cs_advice *a, size_t i)
{
    if (a->s[i].kept > a->kept - a->total / PART)
        return true;
    for (int k = 0; k < a->s[i].n; k++)
        if (cs_told_unfit(asked, &a->s[i].a[k]))
            return true;
    for (size_t k = 0; k < a->n; k++) {
        int same = 0;
        for (int x = 0; x < a->s[k].n && k != i; x++)
            for (int y = 0; y < a->s[i].n; y++)
                same += !strcmp(a->s[k].a[x].text, a->s[i].a[y].text);
        if (k != i && same == a->s[k].n && same < a->s[i].n && a->s[k].sites >= a->s[i].sites &&
            a->s[k].kept <= a->s[i].kept + a->total / PART)
            return true;
    }
    return false;
}

/* ---- the answer ---- */

/* Writes the assumptions of the suggestion that is shown first of those that can be linked as they are, one a line. 0,
 * or an exit code after a message. */
static int write_first(const struct cs_question *q, const struct cs_advice *a)
{
    struct cs_output out;
    size_t i = 0;
    while (i < a->n && (not_worth_it(a, i) || is_open(q, &a->s[i])))
        i++;
    if (i == a->n)
        return cs_error("%s is not written: each suggestion has an N; give it yourself", q->output), CS_EXIT_NOT_SO;
    if (cs_output_open(&out, q->output))
        return CS_EXIT_ERROR;
    fprintf(out.f, "%s: %d of %d statements are kept\n", first_line, a->s[i].kept, a->total);
    for (int k = 0; k < a->s[i].n; k++) {
        if (cs_told_about_calls(&a->s[i].a[k])) {
            write_called(q, out.f);
            continue;
        }
        char *text = cs_told_option_of(q, &a->s[i].a[k]);
        fprintf(out.f, "%s\n", text ? text : a->s[i].a[k].text);
        free(text);
    }
    return cs_output_close(&out, true) ? CS_EXIT_ERROR : CS_EXIT_OK;
}

static void json_place(struct cs_json *j, const struct cs_question *q, const struct cs_advised *x)
{
    bool files = cs_told_about_files(x) || cs_told_about_calls(x);
    cs_json_string(j, "file", files ? NULL : x->file);
    if (files)
        cs_json_null(j, "line");
    else
        cs_json_int(j, "line", x->line);
    cs_json_string(j, "func", files ? NULL : x->func);
    cs_json_string(j, "source", files ? NULL : cs_source_line(q->lines, x->file, x->line));
}

static void json_assumption(struct cs_json *j, const struct cs_question *q, const struct cs_advised *x)
{
    cs_json_open(j, NULL, '{');
    char *option = cs_told_about_calls(x) ? strdup(CS_ONLY_CALLED "FILE") : cs_told_option_of(q, x);
    cs_json_string(j, "assume", option ? option : x->text);
    free(option);
    json_place(j, q, x);
    const struct cs_line_seen *l = cs_told_seen_of(q, x);
    char kind[16];
    snprintf(kind, sizeof kind, "%.*s", (int)strcspn(x->way, " "), x->way);
    cs_json_string(j, "kind", kind);
    if (l) {
        cs_json_int(j, "held", l->held);
        cs_json_int(j, "evaluations", l->times);
        if (cs_told_trips_of(q, x) >= 0)
            cs_json_int(j, "trips", cs_told_trips_of(q, x));
        if (cs_told_trips_of(q, x) >= 0)
            cs_json_bool(j, "trips_vary", cs_told_mean_trips_of(q, x) != (double)cs_told_trips_of(q, x));
    }
    const struct cs_recorded_value *v = cs_told_value_of(q, x);
    if (v) {
        cs_json_int(j, "least", v->least);
        cs_json_int(j, "mean", v->mean);
        cs_json_int(j, "most", v->most);
        cs_json_int(j, "times", v->times);
        char off[32];
        snprintf(off, sizeof off, "%.3f", cs_told_off_of(q, x));
        cs_json_raw(j, "off_by", off);
    }
    cs_json_string(j, "depends_on", x->call);
    cs_json_string(j, "depends_on_file", x->call_file);
    if (x->call)
        cs_json_int(j, "depends_on_line", x->call_line);
    else
        cs_json_null(j, "depends_on_line");
    cs_json_close(j, '}');
}

static int json_answer(const struct cs_question *q, const struct cs_advice *a)
{
    struct cs_json j = {.out = stdout};
    cs_json_open(&j, NULL, '{');
    cs_json_int(&j, "statements", a->total);
    cs_json_int(&j, "kept", a->kept);
    cs_json_int(&j, "mpi_calls", a->sites);
    cs_json_int(&j, "mpi_calls_with_content", a->contents);
    cs_json_bool(&j, "cut", a->cut_after > 0);
    cs_json_open(&j, "suggestions", '[');
    for (size_t i = 0; i < a->n; i++) {
        cs_json_open(&j, NULL, '{');
        cs_json_int(&j, "kept", a->s[i].kept);
        cs_json_bool(&j, "worth_it", !not_worth_it(a, i));
        cs_json_bool(&j, "estimate", a->s[i].untried);
        cs_json_int(&j, "mpi_calls", a->s[i].sites);
        cs_json_int(&j, "mpi_calls_with_content", a->s[i].contents);
        cs_json_open(&j, "assumptions", '[');
        for (int k = 0; k < a->s[i].n; k++)
            json_assumption(&j, q, &a->s[i].a[k]);
        cs_json_close(&j, ']');
        cs_json_close(&j, '}');
    }
    cs_json_close(&j, ']');
    cs_json_close(&j, '}');
    cs_json_end(&j);
    return a->n ? CS_EXIT_OK : CS_EXIT_NOT_SO;
}

static int advise(struct cs_question *q)
{
    struct cs_advice a = {0};
    char *seconds = NULL;
    if (asprintf(&seconds, "%s%s", q->seconds, q->seen->nruns > 1 ? "/several" : "") < 0)
        return cs_error("not enough memory");
    int code = make_called(q) ? cs_advice_ask(q->slice, arguments(q), seconds, &a) : CS_EXIT_ERROR;
    free(seconds);
    if (*q->called)
        unlink(q->called);
    if (code == 0) {
        ordered = &a;
        asked = q;
        if (a.n)
            qsort(a.s, a.n, sizeof *a.s, by_worth);
        bool *worth_it = calloc(a.n + 1, sizeof *worth_it);
        for (size_t i = 0; worth_it && i < a.n; i++)
            worth_it[i] = !not_worth_it(&a, i);
        code = !worth_it ? cs_error("not enough memory")
               : q->json ? json_answer(q, &a)
                         : cs_advice_print(q, &a, worth_it);
        free(worth_it);
        if (q->output && code == CS_EXIT_OK)
            code = write_first(q, &a);
    }
    cs_advice_free(&a);
    return cs_finish_output(code);
}

static int run(const struct cs_verb *v, int argc, char **argv)
{
    static const struct option longs[] = {{"all", no_argument, NULL, 'a'},
                                          {"json", no_argument, NULL, 'j'},
                                          {"sources", required_argument, NULL, 's'},
                                          {"seconds", required_argument, NULL, 't'},
                                          {"trace", required_argument, NULL, 'r'},
                                          {"output", required_argument, NULL, 'o'},
                                          {"force", no_argument, NULL, 'f'},
                                          {"help", no_argument, NULL, 'h'},
                                          {0}};
    char default_seconds[] = "0";
    struct cs_seen seen = {0};
    struct cs_question q = {.seconds = default_seconds, .seen = &seen};
    const char *sources = NULL;
    long seconds;
    int c, code = 0, read = 0;
    bool force = false;
    while ((c = cs_getopt(v, argc, argv, ":aho:s:", longs, &code)) >= 0) {
        q.all |= c == 'a';
        force |= c == 'f';
        if (c == 'o')
            q.output = optarg;
        q.json |= c == 'j';
        if (c == 's')
            sources = optarg;
        if (c == 't')
            q.seconds = optarg;
        if (c == 'r' && !read)
            read = cs_seen_read(optarg, &seen);
    }
    if (c == CS_OPT_DONE)
        return code;
    if (!cs_parse_number(q.seconds, 0, 1000000, &seconds))
        return cs_usage_error(v, "%s is not a number of seconds", q.seconds);
    if (argc - optind != 1)
        return cs_usage_error(v, "give a slice");
    q.slice = argv[optind];
    if (q.output && cs_output_check(q.output, q.slice, &assumptions_kind, force))
        return CS_EXIT_ERROR;
    q.lines = cs_sources_new(q.slice, sources);
    cs_seen_join(&seen);
    code = read ? read : advise(&q);
    cs_seen_free(&seen);
    cs_sources_free(q.lines);
    return code;
}

const struct cs_verb cs_verb_advise = {
    .name = "advise",
    .summary = "say which assumptions would make the slice smaller",
    .run = run,
    .usage =
        "usage: commslice advise [--all] [--json] [--sources DIR] [--seconds N] [--trace TRACE] [-o FILE [--force]]\n"
        "                        SLICE\n\n"
        "Looks for branches, loops, values and files on which much of the slice depends, and slices the program\n"
        "again with assumptions about them, up to eight together: the figures are what a link with these options\n"
        "gives. Best first. It needs no source and no compiler, as the slice carries its program's graph. Exit code 1\n"
        "if there is no suggestion.\n\n"
        "  -a, --all          all suggestions, not only the first 5\n"
        "      --json         one JSON object\n"
        "  -s, --sources DIR  where the sources are, if not here, beside the slice or where they were compiled\n"
        "      --seconds N    processor time to spend; if the first slice takes more, figures are estimates. Without\n"
        "                     it about that of the link, by counts, so that the answer is the same each time\n"
        "      --trace TRACE  a recorded run of the instrumented original: what it always did is suggested, too;\n"
        "                     several, of different numbers of ranks: only what holds on any number of them\n"
        "  -o, --output FILE  write the first suggestion's assumptions, for -fplugin-arg-commslice-assume=FILE\n"
        "      --force        replace FILE even if it is no such file\n",
};
