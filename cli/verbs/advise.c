/* SPDX-License-Identifier: BSD-3-Clause
 * commslice advise: which assumptions would make the slice smaller.
 * What the slicer answers (advice.h) is put beside what recorded runs did (recorded_runs.h), into order, and shown. */
#define _GNU_SOURCE 1
#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "api/assumed_value.h"
#include "api/assumption.h"
#include "base/recorded_off.h"
#include "cli/frame/cli.h"
#include "cli/frame/json.h"
#include "cli/frame/output.h"
#include "cli/frame/text.h"
#include "cli/show/readable.h"
#include "cli/show/slice_graph.h"
#include "cli/verbs/advice.h"
#include "cli/verbs/recorded_runs.h"

/* Suggestions that are shown without --all. */
enum { SHOWN = 5 };

static const char first_line[] = "# assumptions of commslice advise";
static const struct cs_file_kind assumptions_kind = {"a file of commslice advise", first_line, sizeof first_line - 1};

/* What the user asked for. */
struct question {
    const struct cs_seen *seen; /* what a recorded run did */
    const char *slice;
    char *seconds;
    struct cs_sources *lines;
    const char *output; /* the file for the first suggestion's assumptions, NULL: none */
    bool all, json;
    char called[32]; /* a file of what the recorded run called, for the helper; empty: it does not tell */
};

/* ---- what recorded runs say of an assumption ---- */

/* Is it the assumption that nothing reads what the program writes? It is about no line. */
static bool about_files(const struct cs_advised *x)
{
    return !strcmp(x->way, "files");
}

/* Is it the assumption that only functions are called that the recorded run called? It is about no line, either. */
static bool about_calls(const struct cs_advised *x)
{
    return !strcmp(x->way, "calls");
}

/* Is it about a value, of an argument or a variable? */
static bool about_value(const struct cs_advised *x)
{
    return !strncmp(x->way, "value", 5);
}

/* Is it one of many that are made together, as a recorded run always did so? */
static bool always_so(const struct cs_advised *x)
{
    return !strcmp(x->way, "always");
}

/* How many of those there are. */
static int always_so_many(const struct cs_suggestion *s)
{
    int n = 0;
    for (int i = 0; i < s->n; i++)
        n += always_so(&s->a[i]);
    return n;
}

/* Is it about how often a loop runs, or about what a condition does each time? */
static bool about_each_time(const struct cs_advised *x)
{
    const char *is = strchr(x->text, '=');
    return is && !about_value(x) && strcmp(is, "=never") && strcmp(is, "=always") &&
           !cs_assumes_value(x->text, NULL, NULL);
}

/* Do both say the same kind of thing: `=when(...)`, or another one? Each begins with `=`. */
static bool same_kind(const char *a, const char *b)
{
    size_t n = strlen("=when(");
    return !strncmp(a, "=when(", n) == !strncmp(b, "=when(", n);
}

/* What a trace calls a value, a loop FILE:LINE=N or a condition FILE:LINE=when(N), with `what` for N or behind `=`;
 * malloced, NULL: memory is out. */
static char *place_is(const char *place, const char *what)
{
    size_t n = strcspn(place, "=");
    const char *hole = strrchr(place + n, 'N');
    char *text;
    int len = hole ? asprintf(&text, "%.*s%s%s", (int)(hole - place), place, what, hole + 1)
                   : asprintf(&text, "%s=%s", place, what);
    return len < 0 ? NULL : text;
}

/* What the value, or number of iterations, was; NULL: that is not known. */
static const struct cs_recorded_value *value_of(const struct question *q, const struct cs_advised *x)
{
    size_t n = strcspn(x->text, "=");
    for (size_t i = 0; (about_value(x) || always_so(x) || about_each_time(x)) && i < q->seen->nvalues; i++) {
        const char *place = q->seen->value[i].place;
        if (strcspn(place, "=") == n && !strncmp(place, x->text, n) && (place[n] == '=') == about_each_time(x) &&
            same_kind(place + n, x->text + n))
            return &q->seen->value[i];
    }
    return NULL;
}

/* Length of the FILE:LINE of an assumption. */
static size_t seen_place(const struct cs_advised *x)
{
    return (size_t)snprintf(NULL, 0, "%s:%d", x->file, x->line);
}

/* What is known of an assumption's line, NULL: nothing. Not of one comparison of several. */
static const struct cs_line_seen *seen_of(const struct question *q, const struct cs_advised *x)
{
    char place[PATH_MAX];
    const char *eq = strrchr(x->text, '=');
    snprintf(place, sizeof place, "%s:%d", x->file, x->line);
    for (size_t i = 0; about_files(x) && i < q->seen->n; i++)
        if (!strcmp(q->seen->line[i].place, x->text))
            return &q->seen->line[i];
    for (size_t i = 0; eq && i < q->seen->n; i++)
        if (!strcmp(q->seen->line[i].place, place) && q->seen->line[i].times > 0 &&
            strlen(place) == (size_t)(eq - x->text))
            return &q->seen->line[i];
    return NULL;
}

/* How often the loop ran each time that it was come to, on average: how often it went on, divided by how often it was
 * left. -1: that is not known. */
static double mean_trips_of(const struct question *q, const struct cs_advised *x)
{
    const struct cs_line_seen *l = seen_of(q, x);
    bool first = strstr(x->way, " first ");
    if (!l || (!first && !strstr(x->way, " later ")))
        return -1;
    long long left = strstr(x->way, " holds") ? l->held : l->times - l->held, on = l->times - left;
    return left > 0 ? (double)on / (double)left + !first : -1;
}

/* The trip count to assume: the nearest to the mean. -1: none is known. */
static long long trips_of(const struct question *q, const struct cs_advised *x)
{
    double mean = mean_trips_of(q, x);
    return mean < 0 ? -1 : llround(mean);
}

/* Does the recorded run speak against it? */
static bool unfit(const struct question *q, const struct cs_advised *x)
{
    const struct cs_line_seen *l = seen_of(q, x);
    const char *eq = strrchr(x->text, '=');
    if (about_files(x))
        return l && l->held < l->times;
    return l && ((!strcmp(eq, "=never") && l->held > 0) || (!strcmp(eq, "=always") && l->held < l->times));
}

/* Did the recorded run not come to what the assumption is about? */
static bool unasked(const struct question *q, const struct cs_advised *x)
{
    size_t n = strcspn(x->text, "=");
    for (size_t i = 0; i < q->seen->n; i++)
        if (!q->seen->line[i].times && strlen(q->seen->line[i].place) == n &&
            !strncmp(q->seen->line[i].place, x->text, n))
            return true;
    return false;
}

/* Did the recorded run do as the suggestion says? Values are approximations. */
static bool borne_out(const struct question *q, const struct cs_suggestion *s)
{
    for (int i = 0; i < s->n; i++)
        if (!always_so(&s->a[i]) && !value_of(q, &s->a[i]) && !unasked(q, &s->a[i]) &&
            (!seen_of(q, &s->a[i]) || unfit(q, &s->a[i])))
            return false;
    return true;
}

/* Did the condition of FILE:LINE=N or =when(N) go one way each time? That says it all. */
static bool settled(const struct question *q, const char *place)
{
    size_t n = strcspn(place, "=");
    for (size_t i = 0; i < q->seen->n; i++) {
        const struct cs_line_seen *l = &q->seen->line[i];
        if (strlen(l->place) == n && !strncmp(l->place, place, n))
            return l->held == 0 || l->held == l->times;
    }
    return false;
}

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
static char **arguments(const struct question *q)
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
        const char *what = is && *is ? in_short(v, is) : v->any_size || cs_recorded_value_spreads(v) ? "varies" : NULL;
        if (what && !(strchr(v->place, '=') && settled(q, v->place)) &&
            ((argv[n] = one_way(v->place, what)) || (argv[n] = place_is(v->place, what))))
            n++;
        free(is);
    }
    if (argv && *q->called && asprintf(&argv[n], CS_ONLY_CALLED "%s", q->called) > 0)
        n++;
    return argv;
}

/* Writes what the recorded run called. False after a message. */
static bool write_called(const struct question *q, FILE *f)
{
    for (size_t i = 0; i < q->seen->ncalled; i++)
        fprintf(f, "%s\n", q->seen->called[i]);
    return !ferror(f);
}

/* Makes q->called, which the caller removes, if the run tells what it called. False after a message. */
static bool make_called(struct question *q)
{
    static const char pattern[] = "/tmp/commslice-called-XXXXXX";
    static_assert(sizeof pattern <= sizeof q->called, "room for a name");
    if (!q->seen->ncalled)
        return true;
    memcpy(q->called, pattern, sizeof pattern);
    int fd = mkstemp(q->called);
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
static const struct question *asked;

/* The less the better: what is kept, and in hundredths of the program what its user has to vouch for. A trip count or
 * a value has to be known, too. That a run goes the ways of the recorded one is one thing to vouch for, more or less.
 */
static double price(const struct cs_suggestion *s)
{
    enum { TOGETHER = 20 }; /* so many count as much as half of one by itself */
    double hundredths = 100.0 * s->kept / ordered->total;
    int together = always_so_many(s);
    hundredths += together ? 2 + (double)together / TOGETHER : 0;
    for (int i = 0; i < s->n; i++)
        hundredths += always_so(&s->a[i])                                                                         ? 0
                      : value_of(asked, &s->a[i])                                                                 ? 3
                      : (about_value(&s->a[i]) || !strncmp(s->a[i].way, "ends", 4)) && strstr(s->a[i].text, "=N") ? 4
                                                                                                                  : 2;
    return hundredths;
}

/* Those that take calls of MPI away, or do not fit the recorded run, come last. */
static int by_worth(const void *x, const void *y)
{
    const struct cs_suggestion *a = x, *b = y;
    bool la = a->sites < ordered->sites && !borne_out(asked, a), lb = b->sites < ordered->sites && !borne_out(asked, b);
    for (int i = 0; i < a->n; i++)
        la |= unfit(asked, &a->a[i]);
    for (int i = 0; i < b->n; i++)
        lb |= unfit(asked, &b->a[i]);
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
        if (unfit(asked, &a->s[i].a[k]))
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

static double percent(int part, int whole)
{
    return whole > 0 ? 100.0 * part / whole : 0;
}

static void print_source(const struct question *q, const struct cs_advised *x)
{
    if (about_files(x) || about_calls(x))
        return;
    const char *source = cs_source_line(q->lines, x->file, x->line);
    printf("     %s:%d in ", x->file, x->line);
    cs_put_name(stdout, x->func);
    if (source)
        cs_print_plain(stdout, ": %s", source);
    else
        putchar('\n');
}

/* Of which argument or variable the value is asked for. */
static void print_value(const struct cs_advised *x, bool known)
{
    const char *name, *is, *of = strstr(x->way, " of ");
    if (!cs_assumes_value(x->text, &name, &is))
        return;
    if (of)
        printf("The argument %.*s of %s comes from data", (int)(is - name), name, of + 4);
    else
        printf("What is assigned to %.*s comes from data", (int)(is - name), name);
    fputs(known ? "; assume what it was" : "; give for N what it is, a number or an expression of rank and size",
          stdout);
}

static void print_recorded(const struct cs_recorded_value *v)
{
    bool loop = strchr(v->place, '=');
    const char *was = loop ? "the loop's iterations were" : "it was";
    if (v->least == v->most)
        printf("     In the recorded run %s %lld, each of %lld times.\n", was, v->least, v->times);
    else
        printf("     In the recorded run %s %lld to %lld, %lld in the mean of %lld times%s.\n", was, v->least, v->most,
               v->mean, v->times, cs_recorded_value_exact(v) ? ", on each rank as the assumption says" : "");
}

/* One sentence: what the branch does, and what is said of it. */
static void print_meaning(const struct question *q, const struct cs_advised *x)
{
    const struct cs_line_seen *l = seen_of(q, x);
    const char *eq = strrchr(x->text, '=');
    fputs("     ", stdout);
    if (about_files(x))
        fputs("No rank reads a file that the program itself has written: what it writes decides no communication",
              stdout);
    else if (about_calls(x))
        printf(
            "Only the %zu functions are called that the recorded run called before MPI_Finalize: pointers are followed "
            "and code is kept in these alone",
            q->seen->ncalled);
    else if (about_value(x))
        print_value(x, value_of(q, x));
    else if (strchr(x->text, '.') && eq && seen_place(x) != (size_t)(eq - x->text))
        printf("One comparison of this condition; assume that it %s holds", eq + 1);
    else if (eq && !strcmp(eq, "=N"))
        fputs("The loop ends by this condition; give the number of its iterations for N", stdout);
    else if (!strncmp(x->way, "leaves", 6))
        fputs("The loop may end early by this condition; assume that it does not", stdout);
    else
        printf("Assume that this condition %s holds", eq ? eq + 1 : "never");
    if (x->call)
        printf(". It depends on what %s at %s:%d brings", x->call, x->call_file, x->call_line);
    puts(".");
    if (value_of(q, x))
        print_recorded(value_of(q, x));
    if (unasked(q, x))
        puts(about_files(x) ? "     In the recorded run no rank opened a file to read."
                            : "     The recorded run did not come to it.");
    if (!l || unasked(q, x) || value_of(q, x))
        return;
    printf("     In the recorded run it ");
    if (about_files(x))
        printf("held for %lld of the %lld files that ranks opened to read", l->held, l->times);
    else if (l->held == 0 || l->held == l->times)
        printf("%s held, in %lld evaluations", l->held ? "always" : "never", l->times);
    else
        printf("held %lld of %lld times", l->held, l->times);
    double trips = mean_trips_of(q, x);
    bool counts = trips >= 0 && !strcmp(x->text + strlen(x->text) - 2, "=N");
    if (counts)
        printf(trips == rint(trips) ? ": the loop ran %g times" : ": the loop ran %g times on average", trips);
    puts(unfit(q, x) ? ": THE ASSUMPTION DOES NOT FIT." : ".");
}

/* The option's value, with the recorded trip count or value in place of N; malloced, NULL: memory is out. */
static char *option_of(const struct question *q, const struct cs_advised *x)
{
    size_t n = strlen(x->text);
    const struct cs_recorded_value *v = value_of(q, x);
    char *is = v ? cs_recorded_value_expression(v) : NULL, *text = NULL;
    long long trips = n > 2 && !strcmp(x->text + n - 2, "=N") ? trips_of(q, x) : -1;
    if (is && *is)
        text = place_is(v->place, is);
    free(is);
    if (text)
        return text;
    int len = trips >= 0 ? asprintf(&text, "%.*s%lld", (int)n - 1, x->text, trips) : asprintf(&text, "%s", x->text);
    return len < 0 ? NULL : text;
}

/* Does the shell take this for more than a word? */
static bool needs_quotes(const char *text)
{
    return strpbrk(text, "()*?[ ");
}

static void print_option(const struct question *q, const struct cs_advised *x)
{
    enum { LONG = 400 };
    if (about_calls(x)) {
        puts("     -fplugin-arg-commslice-assume=" CS_ONLY_CALLED
             "FILE, which has what commslice info prints of the trace, or "
             "what --output writes");
        return;
    }
    char *text = option_of(q, x);
    const char *quote = text && needs_quotes(text) ? "'" : "";
    if (text && strlen(text) > LONG)
        printf("     -fplugin-arg-commslice-assume=FILE, to which --output writes '%.*s...'\n", LONG / 2, text);
    else
        printf("     -fplugin-arg-commslice-assume=%s%s%s\n", quote, text ? text : x->text, quote);
    free(text);
}

/* What the recorded run always did. */
static void print_together(const struct cs_suggestion *s)
{
    const struct cs_advised *first = NULL, *last = NULL;
    int values = 0, n = always_so_many(s);
    for (int k = 0; k < s->n; k++) {
        if (!always_so(&s->a[k]))
            continue;
        first = first ? first : &s->a[k];
        last = &s->a[k];
        values += cs_assumes_value(s->a[k].text, NULL, NULL) || about_each_time(&s->a[k]);
    }
    if (!n)
        return;
    fputs("     ", stdout);
    if (n > values)
        printf("%d condition%s that never changed in the recorded run", n - values, n - values == 1 ? "" : "s");
    if (values)
        printf("%s%d value%s, loops or conditions of which it tells what they were on each rank",
               n > values ? ", and " : "", values, values == 1 ? "" : "s");
    printf(", from %.*s to %.*s: assume the same.\n", (int)strcspn(first->text, "="), first->text,
           (int)strcspn(last->text, "="), last->text);
}

/* By which share the assumption is off what the recorded runs had, where that is known; 0: it is as they had it. */
static double off_of(const struct question *q, const struct cs_advised *x)
{
    const struct cs_recorded_value *v = value_of(q, x);
    char *is = v ? cs_recorded_value_expression(v) : NULL;
    double off = is && *is ? cs_recorded_off(v, is) : 0;
    free(is);
    return off;
}

/* Says how many of its assumptions are only near to what the recorded runs had, if any, and how near. */
static void print_off(const struct question *q, const struct cs_suggestion *s)
{
    int n = 0;
    double most = 0;
    for (int k = 0; k < s->n; k++) {
        double off = off_of(q, &s->a[k]);
        n += off > 0;
        most = off > most ? off : most;
    }
    if (n)
        printf("     %d of these %s only near to what the recorded run%s had, off by at most %.0f %%.\n", n,
               n == 1 ? "is" : "are", q->seen->nruns == 1 ? "" : "s", 100 * most);
}

/* Says how many of its assumptions are about the recorded ranks only, if any. */
static void print_lists_of_ranks(const struct question *q, const struct cs_suggestion *s)
{
    int n = 0;
    for (int k = 0; k < s->n; k++) {
        char *text = option_of(q, &s->a[k]);
        n += value_of(q, &s->a[k]) && text && strstr(text, "=pick(rank,");
        free(text);
    }
    if (n)
        printf(
            "     %d of these say%s what each of the %d recorded ranks had, which says nothing of more ranks: give a "
            "trace of another number of ranks, too.\n",
            n, n == 1 ? "s" : "", q->seen->nranks[0]);
}

static void print_suggestion(const struct question *q, const struct cs_advice *a, size_t i, int nr)
{
    const struct cs_suggestion *s = &a->s[i];
    printf("\n%2d. %s %d statements (%.1f %%)", nr, s->untried ? "may keep about" : "keeps", s->kept,
           percent(s->kept, a->total));
    if (s->sites < a->sites)
        printf("; takes away %d of %d MPI calls%s", a->sites - s->sites, a->sites,
               borne_out(q, s) ? ", which the recorded run does not make" : ": only if the program does not make them");
    puts("");
    for (int k = 0; k < s->n; k++)
        if (!always_so(&s->a[k])) {
            print_source(q, &s->a[k]);
            print_meaning(q, &s->a[k]);
        }
    print_together(s);
    print_lists_of_ranks(q, s);
    print_off(q, s);
    for (int k = 0; k < s->n; k++)
        if (!always_so(&s->a[k]) || always_so_many(s) <= SHOWN)
            print_option(q, &s->a[k]);
    if (always_so_many(s) > SHOWN)
        puts("     and the others, which --output writes to a file: -fplugin-arg-commslice-assume=FILE");
}

static int print_answer(const struct question *q, const struct cs_advice *a)
{
    int shown = 0;
    printf("%s keeps %d of %d statements (%.1f %%); %d of its %d MPI calls transmit content\n", q->slice, a->kept,
           a->total, percent(a->kept, a->total), a->contents, a->sites);
    if (a->kept_all)
        puts("everything is kept, as pointers were not followed, or not within the budget of the link: a larger one "
             "(-fplugin-arg-commslice-budget=N, in million steps), or assumptions that leave code out, may change "
             "that");
    for (size_t i = 0; i < a->n; i++)
        if (!not_worth_it(a, i) && (q->all || shown < SHOWN))
            print_suggestion(q, a, i, ++shown);
    if (!shown && !a->kept_all)
        puts("no assumption about a branch, loop, value or file makes it much smaller: commslice why shows what "
             "holds it up");
    if (!shown)
        return CS_EXIT_NOT_SO;
    if (a->n && a->s[0].untried)
        printf("\nThese are estimates: to slice the program again takes longer than the processor time that is given "
               "(--seconds)\n");
    puts("\nCheck what you assume: link once more with -fplugin-arg-commslice-mode=original, record, compare");
    return CS_EXIT_OK;
}

/* Writes the assumptions of the suggestion that is shown first, one a line. 0, or an exit code after a message. */
static int write_first(const struct question *q, const struct cs_advice *a)
{
    struct cs_output out;
    size_t i = 0;
    while (i < a->n && not_worth_it(a, i))
        i++;
    if (i == a->n)
        return CS_EXIT_NOT_SO;
    if (cs_output_open(&out, q->output))
        return CS_EXIT_ERROR;
    fprintf(out.f, "%s: %d of %d statements are kept\n", first_line, a->s[i].kept, a->total);
    for (int k = 0; k < a->s[i].n; k++) {
        if (about_calls(&a->s[i].a[k])) {
            write_called(q, out.f);
            continue;
        }
        char *text = option_of(q, &a->s[i].a[k]);
        fprintf(out.f, "%s\n", text ? text : a->s[i].a[k].text);
        free(text);
    }
    return cs_output_close(&out, true) ? CS_EXIT_ERROR : CS_EXIT_OK;
}

static void json_place(struct cs_json *j, const struct question *q, const struct cs_advised *x)
{
    bool files = about_files(x) || about_calls(x);
    cs_json_string(j, "file", files ? NULL : x->file);
    if (files)
        cs_json_null(j, "line");
    else
        cs_json_int(j, "line", x->line);
    cs_json_string(j, "func", files ? NULL : x->func);
    cs_json_string(j, "source", files ? NULL : cs_source_line(q->lines, x->file, x->line));
}

static void json_assumption(struct cs_json *j, const struct question *q, const struct cs_advised *x)
{
    cs_json_open(j, NULL, '{');
    char *option = about_calls(x) ? strdup(CS_ONLY_CALLED "FILE") : option_of(q, x);
    cs_json_string(j, "assume", option ? option : x->text);
    free(option);
    json_place(j, q, x);
    const struct cs_line_seen *l = seen_of(q, x);
    char kind[16];
    snprintf(kind, sizeof kind, "%.*s", (int)strcspn(x->way, " "), x->way);
    cs_json_string(j, "kind", kind);
    if (l) {
        cs_json_int(j, "held", l->held);
        cs_json_int(j, "evaluations", l->times);
        if (trips_of(q, x) >= 0)
            cs_json_int(j, "trips", trips_of(q, x));
        if (trips_of(q, x) >= 0)
            cs_json_bool(j, "trips_vary", mean_trips_of(q, x) != (double)trips_of(q, x));
    }
    const struct cs_recorded_value *v = value_of(q, x);
    if (v) {
        cs_json_int(j, "least", v->least);
        cs_json_int(j, "mean", v->mean);
        cs_json_int(j, "most", v->most);
        cs_json_int(j, "times", v->times);
        char off[32];
        snprintf(off, sizeof off, "%.3f", off_of(q, x));
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

static int json_answer(const struct question *q, const struct cs_advice *a)
{
    struct cs_json j = {.out = stdout};
    cs_json_open(&j, NULL, '{');
    cs_json_int(&j, "statements", a->total);
    cs_json_int(&j, "kept", a->kept);
    cs_json_int(&j, "mpi_calls", a->sites);
    cs_json_int(&j, "mpi_calls_with_content", a->contents);
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

static int advise(struct question *q)
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
        code = q->json ? json_answer(q, &a) : print_answer(q, &a);
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
    struct question q = {.seconds = default_seconds, .seen = &seen};
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
        "      --seconds N    processor time to spend (about what the link took); if the first slice takes\n"
        "                     more, figures are estimates\n"
        "      --trace TRACE  a recorded run of the instrumented original: what it always did is suggested, too;\n"
        "                     several, of different numbers of ranks: only what holds on any number of them\n"
        "  -o, --output FILE  write the first suggestion's assumptions, for -fplugin-arg-commslice-assume=FILE\n"
        "      --force        replace FILE even if it is no such file\n",
};
