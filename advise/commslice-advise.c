/* SPDX-License-Identifier: GPL-3.0-or-later
 * The helper of `commslice advise`: reads a stored program from standard input, looks for assumptions that shrink its
 * slice, and prints what it found, one line a fact, fields separated by tabs.
 *   base KEPT TOTAL SITES CONTENTS
 *   budget                              that is all, as pointers could not be followed within the budget of the link
 *   trial KEPT SITES CONTENTS N         the slice under the assumptions of the next N lines
 *   untried KEPT SITES CONTENTS N       the same, but an estimate: another trial would last longer than trials may
 *   assume TEXT FILE LINE FUNCTION WAY CALL CALL_FILE CALL_LINE
 * KEPT and TOTAL count statements, SITES MPI calls that a trace may show, CONTENTS those of them that transmit content.
 * CALL and what follows is there if the branch needs what an MPI call brings. WAY is one of branch   no more is known
 *   leaves   the branch leaves its loop, which has other ways out
 *   ends     the branch is the only way out of its loop
 *   files    no branch: what the program writes to files is not read; FILE, LINE and FUNCTION then say nothing
 *   value    no branch: the value of a variable; `value of MPI_Send`: of an argument of that call
 *   always   no more is known of the branch, or value, than that a recorded run always did so
 * Two words may follow leaves and ends: first or later, for whether an iteration asks the condition at its start, and
 * holds or fails, for what the condition does when the loop is left.
 * Arguments: the processor time in seconds that trials may take in all (0: about that of the link),
 * with /several behind it if several runs were recorded, then what
 * conditions did in a recorded run: FILE:LINE=never, =always, =N for at times, =unasked; FILE:LINE:NAME=EXPRESSION for
 * a value that was that, =varies for one for which no number can stand. Exit status: 0, or 2 after a line on standard
 * error. */
#define _POSIX_C_SOURCE 200809L
#include <assert.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "advise/unchanged.h"
#include "advise/trial.h"
#include "api/mpi_calls.h"
#include "slicer/control/named_values.h"
#include "slicer/graph/storage.h"

extern const char cs_effects_tab[];

/* ROUNDS: rounds of trials at most; each tries what the best trial of the last round suggests. TEXT: bytes of an
 * assumption as text, with the 0 at its end. */
enum { ROUNDS = 3, TEXT = 320, WITH_MOST = 8 };

/* Assumptions that are tried together, a[0] to a[n - 1] and those of `with` (the search's own, NULL: none), and what
 * came of it. `stmt` is the branch (-1: none), `source` the MPI call that brings what the branch asks for, or -1:
 * numbers of statements of the stored graph. */
struct tried {
    int n;
    struct {
        char text[TEXT];
        int stmt, source, named; /* named: number of the value, -1: it is about no value */
    } a[CS_PLAN_MOST];
    const struct cs_unchanged *with;
    bool untried; /* the result is an estimate */
    struct cs_trial result;
};

/* The whole search: the program, the trials so far, tried[0] to tried[n - 1] in the order of the rounds, and what they
 * may cost. main() frees what it owns; hints are main's arguments. */
struct search {
    struct cs_stored_program program;
    struct cs_effects *effects;
    struct cs_trial base;    /* without any further assumption */
    struct cs_learnt learnt; /* what it knew of constants */
    struct tried *tried;
    int n, cap;
    double seconds;                      /* of the processor, for all trials */
    bool given;                          /* the user has said so */
    bool over;                           /* the time was made longer, for a last trial */
    bool any_size;                       /* runs of several numbers of ranks were recorded */
    double each;                         /* that the last trials took */
    struct cs_unchanged all;             /* what the recorded run always did */
    int at_once;                         /* trials that run at a time */
    char **hints;                        /* what a recorded run did, NULL at the end */
    const char *trips;                   /* what stands for N in a trial: no slice depends on it */
    struct cs_unchanged with[WITH_MOST]; /* lists for tried sets, the first nwith */
    int nwith;
};

/* Processor time of all trials that have ended, in seconds. */
static double used(void)
{
    struct rusage r;
    getrusage(RUSAGE_CHILDREN, &r);
    return (double)(r.ru_utime.tv_sec + r.ru_stime.tv_sec) + 1e-6 * (double)(r.ru_utime.tv_usec + r.ru_stime.tv_usec);
}

/* All of standard input, *size bytes without a 0 at the end. The caller frees. */
static char *read_input(size_t *size)
{
    size_t cap = 0, n = 0;
    char *text = NULL;
    do {
        if (n == cap)
            text = cs_realloc(text, cap = cap ? 2 * cap : 1 << 20);
        size_t got = fread(text + n, 1, cap - n, stdin);
        n += got;
        *size = n;
        if (!got)
            return text;
    } while (true);
}

/* ---- trials ---- */

/* Writes the text to buf, which has TEXT + 16 bytes, with a number for the N of a trip count. Returns buf. */
static const char *with_number(const struct search *s, const char *text, char *buf)
{
    size_t n = strlen(text);
    bool trips = n > 2 && !strcmp(text + n - 2, "=N");
    snprintf(buf, TEXT + 16, "%.*s%s", (int)(trips ? n - 1 : n), text, trips ? s->trips : "");
    return buf;
}

/* Tries each of the sets t[0] to t[n - 1] and sets its `result`. `look`: for what to try next, too. */
static void try_all(struct search *s, struct tried *t, int n, bool look)
{
    double before = used();
    struct cs_trial_job *jobs = cs_calloc(n + 1, sizeof *jobs);
    char(*texts)[CS_PLAN_MOST][TEXT + 16] = cs_calloc(n + 1, sizeof *texts);
    for (int i = 0; i < n; i++) {
        assert(t[i].n <= CS_PLAN_MOST);
        int with = t[i].with ? t[i].with->n : 0;
        jobs[i] = (struct cs_trial_job){.program = &s->program, .effects = s->effects, .hints = s->hints, .look = look};
        jobs[i].list = s->all.text;
        jobs[i].learnt = &s->learnt;
        jobs[i].any_size = s->any_size;
        jobs[i].nlist = s->all.n;
        jobs[i].n = t[i].n + with;
        jobs[i].learn = n == 1 && jobs[i].n == 0;
        jobs[i].assumes = cs_calloc(jobs[i].n + 1, sizeof *jobs[i].assumes);
        for (int k = 0; k < with; k++)
            jobs[i].assumes[k] = t[i].with->text[k];
        for (int k = 0; k < t[i].n; k++)
            jobs[i].assumes[with + k] = with_number(s, t[i].a[k].text, texts[i][k]);
    }
    cs_trials_run(jobs, n, s->at_once);
    if (n)
        s->each = (used() - before) / n;
    for (int i = 0; i < n; i++) {
        t[i].result = jobs[i].result;
        free(jobs[i].assumes);
    }
    free(texts);
    free(jobs);
}

/* Is this assumption in the set t or in the stored program? */
static bool has_text(const struct search *s, const struct tried *t, const char *text)
{
    for (int i = 0; i < t->n; i++)
        if (!strcmp(t->a[i].text, text))
            return true;
    for (int i = 0; i < s->program.nassumes; i++)
        if (!strcmp(s->program.assumes[i], text))
            return true;
    return false;
}

/* Do the set t or the stored program have an assumption about the line of the branch, or about the value or files,
 * already? */
static bool assumed(const struct search *s, const struct tried *t, const struct cs_candidate *c)
{
    char text[TEXT];
    cs_candidate_text(s->program.graph, c, text, sizeof text);
    for (int i = 0; t->with && i < t->with->n; i++)
        if (cs_unchanged_same_place(t->with->text[i], text))
            return true;
    if (c->kind == CS_ASSUME_NO_READ_BACK || c->kind == CS_ASSUME_VALUE)
        return has_text(s, t, text);
    const struct cs_stmt *st = &s->program.graph->stmts[c->stmt];
    struct cs_assumption a;
    char err[512];
    for (int i = 0; i < t->n; i++)
        if (t->a[i].stmt >= 0 && t->a[i].named < 0 && s->program.graph->stmts[t->a[i].stmt].file == st->file &&
            s->program.graph->stmts[t->a[i].stmt].line == st->line)
            return true;
    for (int i = 0; i < s->program.nassumes; i++)
        if (!cs_assume_parse(s->program.assumes[i], &a, err, sizeof err) && a.kind != CS_ASSUME_VALUE &&
            a.line == st->line && !strcmp(a.file, cs_graph_str(s->program.graph, st->file)))
            return true;
    return false;
}

/* Makes *to from the assumptions of *from (NULL: none) and of plan number `plan` of trial *at. Returns false if these
 * are too many for one suggestion, or if one is about a line that has an assumption already; *to then has no
 * meaning. */
static bool extend(const struct search *s, const struct tried *from, const struct cs_trial *at, int plan,
                   struct tried *to)
{
    assert(plan >= 0 && plan < at->nplans);
    const struct cs_plan *p = &at->plans[plan];
    *to = from ? *from : (struct tried){0};
    if (to->n + p->n > CS_PLAN_MOST)
        return false;
    for (int k = 0; k < p->n; k++)
        if (assumed(s, to, &p->c[k]))
            return false;
    for (int k = 0; k < p->n; k++) {
        cs_candidate_text(s->program.graph, &p->c[k], to->a[to->n].text, TEXT);
        to->a[to->n].stmt = p->c[k].stmt;
        to->a[to->n].named = p->c[k].kind == CS_ASSUME_VALUE ? p->c[k].nth : -1;
        to->a[to->n++].source = at->source[plan][k];
    }
    return true;
}

/* Does a recorded run tell anything of the place that the assumption is about? */
static bool is_told(const struct search *s, const char *text)
{
    size_t n = strcspn(text, "=");
    bool told = false;
    for (int k = 0; s->hints[k] && !told; k++)
        told = !strncmp(s->hints[k], text, n) && s->hints[k][n] == '=';
    return told;
}

/* Did the recorded run do as the set says? Of values it need not: they are approximations. */
static bool borne_out(const struct search *s, const struct tried *t)
{
    for (int i = 0; i < t->n; i++)
        if (t->a[i].named < 0 && !is_told(s, t->a[i].text))
            return false;
    return true;
}

/* Does it leave a number to the user, as no recorded run tells it? */
static bool leaves_open(const struct search *s, const struct tried *t)
{
    bool open = false;
    for (int i = 0; i < t->n; i++) {
        size_t n = strlen(t->a[i].text);
        open |= n > 2 && !strcmp(t->a[i].text + n - 2, "=N") && !is_told(s, t->a[i].text);
    }
    return open;
}

/* Is the trial of set t better than `than`? Its slice must be smaller by more than a hundredth of the program, and have
 * no fewer MPI calls than the base, unless the recorded run did without them, too. */
static bool better(const struct search *s, const struct tried *t, const struct cs_trial *than)
{
    enum { LEAST_GAIN = 100 }; /* one statement in so many */
    const struct cs_trial *r = &t->result;
    return r->status == 0 && (r->sites >= s->base.sites || borne_out(s, t)) &&
           r->kept + r->total / LEAST_GAIN < than->kept;
}

/* How many trials there is time for, `most` at most. */
static int trials_left(const struct search *s, int most)
{
    double left = s->seconds - used();
    return left <= 0 ? 0 : s->each * most <= left ? most : (int)(left / s->each + 0.5);
}

static bool small_enough(const struct cs_trial *t)
{
    return cs_small_enough(t->kept, t->total);
}

/* Tries set number `from` of s->tried (-1: the base) together with each plan that its trial suggests, from number
 * *plan on, as many as there is time for, `most` at most, and adds these to s->tried. *plan is then the next one.
 * Returns the number of the best one there; -1 if none is better than `from`. */
static int round_of_trials(struct search *s, int from, int *plan, int most)
{
    assert(from >= -1 && from < s->n);
    const struct cs_trial at = from < 0 ? s->base : s->tried[from].result;
    int begin = s->n, best = -1;
    most = trials_left(s, most);
    for (; *plan < at.nplans && s->n - begin < most; ++*plan) {
        CS_GROW(s->tried, s->n, s->cap);
        if (extend(s, from < 0 ? NULL : &s->tried[from], &at, *plan, &s->tried[s->n]))
            s->n++;
    }
    try_all(s, s->tried + begin, s->n - begin, true);
    for (int i = begin; i < s->n; i++)
        if (better(s, &s->tried[i], best < 0 ? &at : &s->tried[best].result))
            best = i;
    return best;
}

/* Makes rounds of trials from set `best` (-1: the base), as many as the time allows and a small slice takes, the first
 * with `most` trials at most, each further one with half of these. Returns the best set. */
static int rounds(struct search *s, int best, int most)
{
    for (int round = 0; round < ROUNDS && most > 0; round++, most /= 2) {
        int plan = 0, next = round_of_trials(s, best, &plan, most);
        if (next < 0)
            return best;
        best = next;
        if (small_enough(&s->tried[best].result))
            return best;
    }
    return best;
}

/* ---- what the recorded run always did ---- */

/* Does the set, or the stored program, say something of the same line or value? */
static bool has_place(const struct search *s, const struct tried *t, const char *text)
{
    for (int k = 0; k < t->n; k++)
        if (cs_unchanged_same_place(text, t->a[k].text))
            return true;
    for (int k = 0; k < s->program.nassumes; k++)
        if (cs_unchanged_same_place(text, s->program.assumes[k]))
            return true;
    return false;
}

/* What the recorded run always did and the set's trial chose, beside its plan or not, and what the set's list has. */
static struct cs_unchanged chosen(const struct search *s, const struct tried *t, bool with_plan)
{
    const bool *what = with_plan ? t->result.chosen_with_plan : t->result.chosen;
    bool *in = cs_calloc(s->all.n + 1, sizeof *in);
    for (int i = 0; i < s->all.n; i++) {
        in[i] = what[i] && !has_place(s, t, s->all.text[i]);
        for (int k = 0; t->with && k < t->with->n; k++)
            in[i] |= !strcmp(t->with->text[k], s->all.text[i]);
    }
    struct cs_unchanged part = cs_unchanged_part(&s->all, in);
    free(in);
    return part;
}

/* The list without `n` of its texts, from number `at` on. */
static struct cs_unchanged without_range(const struct cs_unchanged *all, int at, int n)
{
    bool *in = cs_calloc(all->n + 1, sizeof *in);
    for (int i = 0; i < all->n; i++)
        in[i] = i < at || i >= at + n;
    struct cs_unchanged part = cs_unchanged_part(all, in);
    free(in);
    return part;
}

/* The text is chosen no more. */
static void ban(struct search *s, const char *text)
{
    for (int i = 0; i < s->all.n; i++)
        if (!strcmp(s->all.text[i], text))
            s->all.text[i][0] = 0;
}

/* The list without those that the trial was refused for, if they are all of its own; the set's own are behind it. */
static bool without_refused(struct search *s, struct cs_unchanged *list, const struct cs_trial *t)
{
    bool *in = cs_calloc(list->n + 1, sizeof *in), all = t->nrefused > 0;
    memset(in, true, (size_t)list->n);
    for (int i = 0; i < t->nrefused; i++) {
        all &= t->refused[i] < list->n;
        if (t->refused[i] >= list->n)
            continue;
        in[t->refused[i]] = false;
        ban(s, list->text[t->refused[i]]);
    }
    struct cs_unchanged part = cs_unchanged_part(list, in);
    free(in);
    cs_unchanged_free(list);
    *list = part;
    return all;
}

/* Tries the set; what cannot be assumed is taken out of its list, a few times. */
static void try_without_refused(struct search *s, struct tried *t, struct cs_unchanged *list)
{
    enum { TIMES = 4 };
    try_all(s, t, 1, true);
    for (int i = 0; i < TIMES && t->result.status && without_refused(s, list, &t->result); i++)
        try_all(s, t, 1, true);
}

static struct cs_trial *result_of(struct search *s, int set)
{
    return set < 0 ? &s->base : &s->tried[set].result;
}

/* What was chosen has been tried. If the set with it is no better, what its trial chose on top of that is tried next,
 * in its place; NULL: nothing. */
static void choose_again(struct search *s, struct cs_trial *from, const struct tried *failed)
{
    from->may_keep = from->may_keep_with_plan = from->total;
    if (!failed || failed->result.status)
        return;
    for (int i = 0; i < failed->with->n; i++)
        ban(s, failed->with->text[i]);
    from->may_keep = failed->result.may_keep;
    memcpy(from->chosen, failed->result.chosen, sizeof from->chosen);
}

/* Tries set `from` of s->tried (-1: the base) with what its trial chose of what the recorded run always did and, with
 * `plan`, its first plan. Returns the new set, or `than` (-1: none) if it is no better than that. */
static int try_together(struct search *s, int from, bool plan, int than)
{
    struct tried base = {.result = s->base}, t = from < 0 ? base : s->tried[from], longer;
    const struct cs_trial at = t.result;
    if (s->nwith == WITH_MOST || !trials_left(s, 1))
        return than;
    plan = plan && at.nplans && extend(s, &t, &at, 0, &longer);
    t = plan ? longer : t;
    struct cs_unchanged *list = &s->with[s->nwith];
    *list = chosen(s, &t, plan);
    bool more = plan || list->n > (t.with ? t.with->n : 0);
    t.with = list;
    if (more)
        try_without_refused(s, &t, list);
    bool is_better = more && better(s, &t, result_of(s, than));
    choose_again(s, result_of(s, from), is_better || plan || !more ? NULL : &t);
    if (!is_better) {
        cs_unchanged_free(list);
        return than;
    }
    s->nwith++;
    CS_GROW(s->tried, s->n, s->cap);
    s->tried[s->n++] = t;
    return s->n - 1;
}

/* Takes assumptions out of the set's list that bring nothing, as the time allows: halves of it, quarters, and so on. */
static void shorten(struct search *s, struct tried *t, struct cs_unchanged *list)
{
    enum { NOTHING = 1000 }; /* one statement in so many */
    int most = t->result.kept + t->result.total / NOTHING;
    for (int size = (list->n + 1) / 2; size > 0; size /= 2)
        for (int at = 0; at < list->n && trials_left(s, 1);) {
            struct tried less = *t;
            struct cs_unchanged part = without_range(list, at, size);
            less.with = &part;
            try_all(s, &less, 1, false);
            bool as_good = less.result.status == 0 && less.result.kept <= most;
            if (as_good) {
                struct cs_unchanged old = *list;
                *list = part;
                part = old;
                t->result = less.result;
            } else
                at += size;
            cs_unchanged_free(&part);
        }
}

/* Is there anything in its list that another set has, too? */
static bool shares_list(const struct search *s, int i)
{
    for (int k = 0; k < s->n; k++)
        if (k != i && s->tried[k].with == s->tried[i].with)
            return true;
    return false;
}

/* A list of its own for the set. */
static void own_list(struct search *s, struct tried *t)
{
    assert(s->nwith < WITH_MOST);
    s->with[s->nwith] = without_range(t->with, 0, 0);
    t->with = &s->with[s->nwith++];
}

/* The list of the best set, without what brings nothing. */
static void shorten_best(struct search *s, int best)
{
    struct tried *t = &s->tried[best];
    if (!t->with || (shares_list(s, best) && s->nwith == WITH_MOST))
        return;
    if (shares_list(s, best))
        own_list(s, t);
    for (int i = 0; i < s->nwith; i++)
        if (t->with == &s->with[i])
            shorten(s, t, &s->with[i]);
}

/* What the base suggests, by what is LIVE only by that, without trying it. */
static void estimate(struct search *s)
{
    enum { MOST = 5 };
    for (int i = 0; i < s->base.nplans && s->n < MOST; i++) {
        CS_GROW(s->tried, s->n, s->cap);
        struct tried *t = &s->tried[s->n];
        if (!extend(s, NULL, &s->base, i, t))
            continue;
        t->untried = true;
        t->result = (struct cs_trial){.kept = s->base.kept - s->base.plans[i].held, .total = s->base.total};
        t->result.sites = s->base.sites;
        t->result.contents = s->base.contents;
        s->n++;
    }
}

/* About the processor time of the link, which grows with the program, but some trials at least. */
static double time_of_link(const struct search *s)
{
    const double statements = 4000, trials = 2.2, least = 0.4; /* a second; how many; seconds */
    double link = s->base.total / statements, some = trials * s->each;
    return link < some ? some : link < least ? least : link;
}

/* What a step may do. */
enum way { NONE, PLAN, CHOICE, BOTH };

/* Is there time for one more trial? One that promises a small slice may be the last, and too long. */
static bool time_for_one(struct search *s, int promise, int total)
{
    if (!trials_left(s, 1) && cs_small_enough(promise, total) && !s->over) {
        s->over = true;
        s->seconds = used() + s->each;
    }
    return trials_left(s, 1);
}

/* What promises most: what is chosen of what the recorded run always did, a plan, or both. By turns, as one leaves
 * others to the other. */
static enum way way_on(struct search *s, const struct cs_trial *at, bool first, enum way last)
{
    enum { NOTHING = 200, FEW = 5 }; /* one statement in so many */
    int most = at->kept - at->total / NOTHING, by_plan = at->nplans ? at->kept - at->plans[0].held : at->kept;
    bool plan = by_plan < most, choice = at->may_keep < most;
    if ((!plan && !choice) || !time_for_one(s, choice ? at->may_keep : by_plan, at->total))
        return NONE;
    if (first && plan && at->plans[0].n == 1 && by_plan < at->total / FEW)
        return PLAN;
    if (choice && plan && !cs_small_enough(at->may_keep, at->total) && at->may_keep_with_plan < at->may_keep &&
        (first || at->may_keep_with_plan < by_plan))
        return BOTH;
    return choice && (!plan || (last != CHOICE && last != BOTH)) ? CHOICE : PLAN;
}

/* Tries the first two plans of set `from`, but the second one only where the first one does not lead to a small slice,
 * if it promises that. Returns the better one; -1: neither is better than `from`. */
static int first_plans(struct search *s, int from)
{
    const struct cs_trial *at = result_of(s, from);
    bool promising = cs_small_enough(at->kept - at->plans[0].held, at->total);
    int plan = 0, first = round_of_trials(s, from, &plan, promising ? 1 : 2);
    if (!promising)
        return first;
    if (first >= 0 && small_enough(&s->tried[first].result))
        return first;
    int second = round_of_trials(s, from, &plan, 1);
    return second >= 0 && (first < 0 || better(s, &s->tried[second], &s->tried[first].result)) ? second : first;
}

/* One step from set `best` (-1: the base). Returns the best set. */
static int step(struct search *s, int best, enum way way)
{
    if (way == PLAN) {
        int next = first_plans(s, best);
        result_of(s, best)->nplans = 0;
        return next < 0 ? best : next;
    }
    return try_together(s, best, way == BOTH, best);
}

/* Tries all that the recorded run always did, with what may need it: where values of messages depend on each other by
 * turns, what is LIVE does not tell that all of them together are enough. What brings nothing is taken out again, as
 * far as a few more trials do. Not where one trial takes much longer than trials may. Returns the best set. */
static int try_all_told(struct search *s, int best)
{
    enum { MORE = 8 };
    const double longer = 1.25;
    struct tried t = {.result = s->base};
    if (s->nwith == WITH_MOST || used() + s->each > s->seconds * longer)
        return best;
    struct cs_unchanged *list = &s->with[s->nwith];
    bool *in = cs_calloc(s->all.n + 1, sizeof *in);
    for (int i = 0; i < s->all.n; i++)
        in[i] = s->all.text[i][0] && !has_place(s, &t, s->all.text[i]);
    *list = cs_unchanged_part(&s->all, in);
    free(in);
    t.with = list;
    try_without_refused(s, &t, list);
    if (t.result.status || !small_enough(&t.result)) {
        cs_unchanged_free(list);
        return best;
    }
    double enough = used() + MORE * s->each;
    if (s->seconds < enough)
        s->seconds = enough;
    shorten(s, &t, list);
    s->nwith++;
    CS_GROW(s->tried, s->n, s->cap);
    s->tried[s->n++] = t;
    return s->n - 1;
}

/* Where recorded runs tell much: step by step to a small slice, then single assumptions. */
static void search_told(struct search *s)
{
    enum { STEPS = 8, MORE = 8 };
    int best = -1;
    enum way way = NONE;
    struct cs_trial base = s->base;
    for (int i = 0; i < STEPS && !small_enough(result_of(s, best)); i++) {
        way = way_on(s, result_of(s, best), i == 0, way);
        if (way == NONE)
            break;
        int next = step(s, best, way);
        way = next == best ? NONE : way;
        best = next;
    }
    bool told = best >= 0 && small_enough(result_of(s, best)) && !leaves_open(s, &s->tried[best]);
    if (!told && !s->any_size)
        best = try_all_told(s, best);
    else if (best >= 0 && s->given)
        shorten_best(s, best);
    bool tried = s->base.nplans == 0, cheap = used() + MORE * s->each < s->seconds / 2;
    s->base = base;
    if (!tried && (s->given || best < 0 || cheap))
        rounds(s, -1, MORE);
}

static void search(struct search *s)
{
    s->given = s->seconds > 0;
    if (!s->given)
        s->seconds = time_of_link(s);
    if (!trials_left(s, 1))
        estimate(s);
    else if (s->all.n)
        search_told(s);
    else
        rounds(s, -1, CS_TRIAL_PLANS);
}

/* ---- what was found ---- */

/* What a statement calls, for a user: the name of the MPI call, else that of the function, else "a call by pointer". */
static const char *call_name(const struct cs_graph *g, int stmt)
{
    enum cs_binding b;
    const struct cs_stmt *s = &g->stmts[stmt];
    if (s->kind != CS_STMT_CALL || s->callee.kind != CS_OPND_ADDR || g->objs[s->callee.id].kind != CS_OBJ_FUNC)
        return "a call by pointer";
    const struct cs_mpi_call *c = cs_mpi_by_symbol(cs_obj_name(g, s->callee.id), &b);
    const char *name = cs_obj_name(g, s->callee.id);
    return c ? c->name : !strncmp(name, "_Zn", 3) ? "operator new" : name;
}

/* Prints how the condition leaves its loop, if it does. */
static void print_way(struct cs_graph *g, int stmt)
{
    static const char *const ways[] = {
        [CS_LEAVES_NONE] = "branch", [CS_LEAVES_ONE_WAY] = "leaves", [CS_LEAVES_ONLY_WAY] = "ends"};
    int edge;
    enum cs_leaving leaving = cs_assume_line_leaves(g, &stmt, &edge);
    fputs(ways[leaving], stdout);
    int first = leaving == CS_LEAVES_NONE ? -1 : cs_assume_asked_first(g, stmt);
    if (first >= 0)
        printf(" %s %s", first ? "first" : "later", edge == cs_assume_true_edge(g, stmt) ? "holds" : "fails");
}

/* The same of a value, number `named` of the statement. */
static void print_value(const struct cs_graph *g, int stmt, int named)
{
    struct cs_named_value v[CS_NAMED_MOST];
    int n = cs_named_values(g, stmt, v);
    assert(named < n);
    fputs("value", stdout);
    if (n && v[named].of_mpi)
        printf(" of %s", call_name(g, stmt));
}

/* Prints a line `assume`; text, stmt, source and named as in struct tried. */
static void print_assumption(const struct search *s, const char *text, int stmt, int source, int named)
{
    struct cs_graph *g = s->program.graph;
    if (stmt < 0) {
        printf("assume\t%s\t-\t0\t-\tfiles\n", text);
        return;
    }
    const struct cs_stmt *st = &g->stmts[stmt];
    printf("assume\t%s\t%s\t%d\t%s\t", text, cs_graph_str(g, st->file), st->line, cs_func_name(g, st->func));
    if (named >= 0)
        print_value(g, stmt, named);
    else
        print_way(g, stmt);
    if (source >= 0)
        printf("\t%s\t%s\t%d", call_name(g, source), cs_graph_str(g, g->stmts[source].file), g->stmts[source].line);
    putchar('\n');
}

/* A statement at the line that the assumption is about, a branch if there is one; -1: none. */
static int stmt_of(const struct cs_graph *g, const char *text)
{
    char err[512];
    struct cs_assumption a;
    int found = -1;
    if (cs_assume_parse(text, &a, err, sizeof err))
        return -1;
    for (int i = 0; i < g->nstmts; i++)
        if (g->stmts[i].line == a.line && (found < 0 || g->stmts[i].kind == CS_STMT_COND) &&
            !strcmp(cs_graph_str(g, g->stmts[i].file), a.file))
            found = i;
    return found;
}

/* The same of those that a recorded run always did. */
static void print_together(const struct cs_graph *g, const struct cs_unchanged *t)
{
    for (int i = 0; i < t->n; i++) {
        int stmt = stmt_of(g, t->text[i]);
        if (stmt < 0)
            continue;
        const struct cs_stmt *st = &g->stmts[stmt];
        printf("assume\t%s\t%s\t%d\t%s\talways\n", t->text[i], cs_graph_str(g, st->file), st->line,
               cs_func_name(g, st->func));
    }
}

/* Prints the base, and each trial whose slice is smaller. */
static void print_all(const struct search *s)
{
    printf("base\t%d\t%d\t%d\t%d\n", s->base.kept, s->base.total, s->base.sites, s->base.contents);
    if (s->base.kept_all)
        puts("budget");
    for (int i = 0; i < s->n; i++) {
        const struct tried *t = &s->tried[i];
        if (t->result.status || t->result.kept >= s->base.kept)
            continue;
        printf("%s\t%d\t%d\t%d\t%d\n", t->untried ? "untried" : "trial", t->result.kept, t->result.sites,
               t->result.contents, t->n + (t->with ? t->with->n : 0));
        for (int k = 0; k < t->n; k++)
            print_assumption(s, t->a[k].text, t->a[k].stmt, t->a[k].source, t->a[k].named);
        if (t->with)
            print_together(s->program.graph, t->with);
    }
}

/* Prints the line on standard error; returns the exit status. */
static int complain(const char *what)
{
    fprintf(stderr, "%s\n", what);
    return 2;
}

/* How many processors there are; 1 if the system does not say. */
static int processors(void)
{
    long n = sysconf(_SC_NPROCESSORS_ONLN);
    return n < 1 ? 1 : n > INT_MAX ? INT_MAX : (int)n;
}

int main(int argc, char **argv)
{
    char err[512];
    size_t size;
    struct search s = {.seconds = argc > 1 ? atof(argv[1]) : 1e9, .at_once = processors()};
    char *text = read_input(&size);
    s.any_size = argc > 1 && strstr(argv[1], "/several");
    s.trips = "17";
    s.hints = argv + (argc > 1 ? 2 : 1);
    s.effects = cs_effects_new();
    if (!s.effects)
        return complain("not enough memory");
    if (cs_stored_read(text, size, &s.program, err, sizeof err) ||
        cs_effects_add_text(s.effects, cs_effects_tab, "effects.tab", err, sizeof err) ||
        (s.program.effects && cs_effects_add_text(s.effects, s.program.effects, "stored effects", err, sizeof err)))
        return complain(err);
    free(text);
    struct tried nothing = {0};
    s.all = cs_unchanged_new(s.hints, true);
    try_all(&s, &nothing, 1, true);
    s.base = nothing.result;
    if (s.base.status)
        return complain("the stored program cannot be sliced again: link it again");
    search(&s);
    print_all(&s);
    for (int i = 0; i < s.nwith; i++)
        cs_unchanged_free(&s.with[i]);
    cs_unchanged_free(&s.all);
    cs_stored_free(&s.program);
    cs_effects_free(s.effects);
    free(s.learnt.fact);
    free(s.tried);
    return fflush(stdout) ? complain("cannot write the result") : 0;
}
