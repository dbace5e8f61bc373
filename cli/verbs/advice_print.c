/* SPDX-License-Identifier: BSD-3-Clause
 * Shows each suggestion with its lines, what it means and what a recorded run did there; advice_print.h. */
#include "cli/verbs/advice_print.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/assumed_value.h"
#include "api/assumption.h"
#include "cli/frame/cli.h"
#include "cli/frame/text.h"
#include "cli/show/slice_graph.h"

/* Suggestions that are shown without --all. */
enum { SHOWN = 5 };

static double percent(int part, int whole)
{
    return whole > 0 ? 100.0 * part / whole : 0;
}

static void print_source(const struct cs_question *q, const struct cs_advised *x)
{
    if (cs_told_about_files(x) || cs_told_about_calls(x))
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
static void print_meaning(const struct cs_question *q, const struct cs_advised *x)
{
    const struct cs_line_seen *l = cs_told_seen_of(q, x);
    const char *eq = strrchr(x->text, '=');
    fputs("     ", stdout);
    if (cs_told_about_files(x))
        fputs("No rank reads a file that the program itself has written: what it writes decides no communication",
              stdout);
    else if (cs_told_about_calls(x))
        printf(
            "Only the %zu functions are called that the recorded run called before MPI_Finalize: pointers are followed "
            "and code is kept in these alone",
            q->seen->ncalled);
    else if (cs_told_about_value(x))
        print_value(x, cs_told_value_of(q, x) && !cs_told_open(q, x));
    else if (strchr(x->text, '.') && eq && cs_told_seen_place(x) != (size_t)(eq - x->text))
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
    if (cs_told_value_of(q, x))
        print_recorded(cs_told_value_of(q, x));
    if (cs_told_unasked(q, x))
        puts(cs_told_about_files(x) ? "     In the recorded run no rank opened a file to read."
                                    : "     The recorded run did not come to it.");
    if (!l || cs_told_unasked(q, x) || cs_told_value_of(q, x))
        return;
    printf("     In the recorded run it ");
    if (cs_told_about_files(x))
        printf("held for %lld of the %lld files that ranks opened to read", l->held, l->times);
    else if (l->held == 0 || l->held == l->times)
        printf("%s held, in %lld evaluations", l->held ? "always" : "never", l->times);
    else
        printf("held %lld of %lld times", l->held, l->times);
    double trips = cs_told_mean_trips_of(q, x);
    bool counts = trips >= 0 && !strcmp(x->text + strlen(x->text) - 2, "=N");
    if (counts)
        printf(trips == rint(trips) ? ": the loop ran %g times" : ": the loop ran %g times on average", trips);
    puts(cs_told_unfit(q, x) ? ": THE ASSUMPTION DOES NOT FIT." : ".");
}

/* Does the shell take this for more than a word? */
static bool needs_quotes(const char *text)
{
    return strpbrk(text, "()*?[ ");
}

static void print_option(const struct cs_question *q, const struct cs_advised *x)
{
    enum { LONG = 400 };
    if (cs_told_about_calls(x)) {
        puts("     -fplugin-arg-commslice-assume=" CS_ONLY_CALLED
             "FILE, which has what commslice info prints of the trace, or "
             "what --output writes");
        return;
    }
    char *text = cs_told_option_of(q, x);
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
    int values = 0, n = cs_told_always_so_many(s);
    for (int k = 0; k < s->n; k++) {
        if (!cs_told_always_so(&s->a[k]))
            continue;
        first = first ? first : &s->a[k];
        last = &s->a[k];
        values += cs_assumes_value(s->a[k].text, NULL, NULL) || cs_told_about_each_time(&s->a[k]);
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

/* Says how many of its assumptions are only near to what the recorded runs had, if any, and how near. */
static void print_off(const struct cs_question *q, const struct cs_suggestion *s)
{
    int n = 0;
    double most = 0;
    for (int k = 0; k < s->n; k++) {
        double off = cs_told_off_of(q, &s->a[k]);
        n += off > 0;
        most = off > most ? off : most;
    }
    if (n)
        printf("     %d of these %s only near to what the recorded run%s had, off by at most %.0f %%.\n", n,
               n == 1 ? "is" : "are", q->seen->nruns == 1 ? "" : "s", 100 * most);
}

/* Says how many of its assumptions are about the recorded ranks only, if any. */
static void print_lists_of_ranks(const struct cs_question *q, const struct cs_suggestion *s)
{
    int n = 0;
    for (int k = 0; k < s->n; k++) {
        char *text = cs_told_option_of(q, &s->a[k]);
        n += cs_told_value_of(q, &s->a[k]) && text && strstr(text, "=pick(rank,");
        free(text);
    }
    if (n)
        printf(
            "     %d of these say%s what each of the %d recorded ranks had, which says nothing of more ranks: give a "
            "trace of another number of ranks, too.\n",
            n, n == 1 ? "s" : "", q->seen->nranks[0]);
}

static void print_suggestion(const struct cs_question *q, const struct cs_advice *a, size_t i, int nr)
{
    const struct cs_suggestion *s = &a->s[i];
    printf("\n%2d. %s %d statements (%.1f %%)", nr, s->untried ? "may keep about" : "keeps", s->kept,
           percent(s->kept, a->total));
    if (s->sites < a->sites)
        printf("; takes away %d of %d MPI calls%s", a->sites - s->sites, a->sites,
               cs_told_borne_out(q, s) ? ", which the recorded run does not make"
                                       : ": only if the program does not make them");
    puts("");
    for (int k = 0; k < s->n; k++)
        if (!cs_told_always_so(&s->a[k])) {
            print_source(q, &s->a[k]);
            print_meaning(q, &s->a[k]);
        }
    print_together(s);
    print_lists_of_ranks(q, s);
    print_off(q, s);
    for (int k = 0; k < s->n; k++)
        if (!cs_told_always_so(&s->a[k]) || cs_told_always_so_many(s) <= SHOWN)
            print_option(q, &s->a[k]);
    if (cs_told_always_so_many(s) > SHOWN)
        puts("     and the others, which --output writes to a file: -fplugin-arg-commslice-assume=FILE");
}

/* Says whether there is more to try. */
static void print_cut(const struct cs_advice *a)
{
    if (a->cut_after && !(a->n && a->s[0].untried))
        printf("\nThe search was cut after %d slice%s, when its time was up: --seconds gives it more\n", a->cut_after,
               a->cut_after == 1 ? "" : "s");
}

int cs_advice_print(const struct cs_question *q, const struct cs_advice *a, const bool *worth_it)
{
    int shown = 0;
    printf("%s keeps %d of %d statements (%.1f %%); %d of its %d MPI calls transmit content\n", q->slice, a->kept,
           a->total, percent(a->kept, a->total), a->contents, a->sites);
    if (a->kept_all)
        puts("everything is kept, as pointers were not followed, or not within the budget of the link: a larger one "
             "(-fplugin-arg-commslice-budget=N, in million steps), or assumptions that leave code out, may change "
             "that");
    for (size_t i = 0; i < a->n; i++)
        if (worth_it[i] && (q->all || shown < SHOWN))
            print_suggestion(q, a, i, ++shown);
    if (!shown && !a->kept_all)
        puts("no assumption about a branch, loop, value or file makes it much smaller: commslice why shows what "
             "holds it up");
    print_cut(a);
    if (!shown)
        return CS_EXIT_NOT_SO;
    if (a->n && a->s[0].untried)
        printf("\nThese are estimates: to slice the program again takes longer than the processor time that is given "
               "(--seconds)\n");
    puts("\nCheck what you assume: link once more with -fplugin-arg-commslice-mode=original, record, compare");
    return CS_EXIT_OK;
}
