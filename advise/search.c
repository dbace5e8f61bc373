/* SPDX-License-Identifier: GPL-3.0-or-later
 * Where trials lead to: rounds of plans, what recorded runs always did, single assumptions; search.h. */
#define _POSIX_C_SOURCE 200809L
#include "advise/search.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "api/assumed_value.h"
#include "api/assumption.h"
#include "slicer/control/named_values.h"
#include "slicer/graph/storage.h"

enum { ROUNDS = 3 }; /* of trials, at most; each tries what the best trial of the last round suggests */

/* Processor time of all trials that have ended, in seconds. By counts, unless the user has said how much it may be:
 * then what is suggested is the same on each machine, however busy. */
static double used(const struct cs_trials *s)
{
    struct rusage r;
    if (!s->given)
        return s->counted;
    getrusage(RUSAGE_CHILDREN, &r);
    return (double)(r.ru_utime.tv_sec + r.ru_stime.tv_sec) + 1e-6 * (double)(r.ru_utime.tv_usec + r.ru_stime.tv_usec);
}

/* ---- trials ---- */

/* What a recorded run had of FILE:LINE:NAME=, the first n characters of the text; NULL: that is not known. */
static const char *told_value(const struct cs_trials *s, const char *text, size_t n)
{
    for (int i = 0; s->hints[i]; i++)
        if (!strncmp(s->hints[i], text, n) && !cs_hint_varies(s->hints[i] + n) &&
            cs_assumes_value(s->hints[i], NULL, NULL))
            return s->hints[i] + n;
    return NULL;
}

/* Writes the text to buf, which has CS_ASSUMPTION_TEXT + 16 bytes, with something for its N: of a value what it was, as
 * what says another number each time has to count; else a number. Returns buf. */
static const char *with_number(const struct cs_trials *s, const char *text, char *buf)
{
    size_t n = strlen(text);
    bool open = n > 2 && !strcmp(text + n - 2, "=N");
    const char *value = open ? told_value(s, text, n - 1) : NULL;
    snprintf(buf, CS_ASSUMPTION_TEXT + 16, "%.*s%s", (int)(open ? n - 1 : n), text,
             value  ? value
             : open ? s->trips
                    : "");
    return buf;
}

/* Tries each of the sets t[0] to t[n - 1] and sets its `result`. `look`: for what to try next, too. */
static void try_all(struct cs_trials *s, struct cs_tried *t, int n, bool look)
{
    double before = used(s);
    struct cs_trial_job *jobs = cs_calloc(n + 1, sizeof *jobs);
    char(*texts)[CS_PLAN_MOST][CS_ASSUMPTION_TEXT + 16] = cs_calloc(n + 1, sizeof *texts);
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
    for (int i = 0; i < n; i++) {
        t[i].result = jobs[i].result;
        s->counted += t[i].result.seconds;
        free(jobs[i].assumes);
    }
    s->ntrials += n;
    if (n)
        s->each = (used(s) - before) / n;
    free(texts);
    free(jobs);
}

/* Is this assumption in the set t or in the stored program? */
static bool has_text(const struct cs_trials *s, const struct cs_tried *t, const char *text)
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
static bool assumed(const struct cs_trials *s, const struct cs_tried *t, const struct cs_candidate *c)
{
    char text[CS_ASSUMPTION_TEXT];
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
static bool extend(const struct cs_trials *s, const struct cs_tried *from, const struct cs_trial *at, int plan,
                   struct cs_tried *to)
{
    assert(plan >= 0 && plan < at->nplans);
    const struct cs_plan *p = &at->plans[plan];
    *to = from ? *from : (struct cs_tried){0};
    if (to->n + p->n > CS_PLAN_MOST)
        return false;
    for (int k = 0; k < p->n; k++)
        if (assumed(s, to, &p->c[k]))
            return false;
    for (int k = 0; k < p->n; k++) {
        cs_candidate_text(s->program.graph, &p->c[k], to->a[to->n].text, CS_ASSUMPTION_TEXT);
        to->a[to->n].stmt = p->c[k].stmt;
        to->a[to->n].named = p->c[k].kind == CS_ASSUME_VALUE ? p->c[k].nth : -1;
        to->a[to->n++].source = at->source[plan][k];
    }
    return true;
}

/* Does a recorded run tell anything of the place that the assumption is about? */
static bool is_told(const struct cs_trials *s, const char *text)
{
    size_t n = strcspn(text, "=");
    bool told = false;
    for (int k = 0; s->hints[k] && !told; k++)
        told = !strncmp(s->hints[k], text, n) && s->hints[k][n] == '=';
    return told;
}

/* Did the recorded run do as the set says? Of values it need not: they are approximations. */
static bool borne_out(const struct cs_trials *s, const struct cs_tried *t)
{
    for (int i = 0; i < t->n; i++)
        if (t->a[i].named < 0 && !is_told(s, t->a[i].text))
            return false;
    return true;
}

/* Does it leave a number to the user, as no recorded run tells it? */
static bool leaves_open(const struct cs_trials *s, const struct cs_tried *t)
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
static bool better(const struct cs_trials *s, const struct cs_tried *t, const struct cs_trial *than)
{
    enum { LEAST_GAIN = 100 }; /* one statement in so many */
    const struct cs_trial *r = &t->result;
    return r->status == 0 && (r->sites >= s->base.sites || borne_out(s, t)) &&
           r->kept + r->total / LEAST_GAIN < than->kept;
}

/* How many trials there is time for, `most` at most. */
static int time_for(const struct cs_trials *s, int most)
{
    double left = s->seconds - used(s);
    return left <= 0 ? 0 : s->each * most <= left ? most : (int)(left / s->each + 0.5);
}

/* The same, of `most` that are to be made. */
static int trials_left(struct cs_trials *s, int most)
{
    int n = time_for(s, most);
    s->cut |= n < most;
    return n;
}

static bool small_enough(const struct cs_trial *t)
{
    return cs_small_enough(t->kept, t->total);
}

/* Tries set number `from` of s->tried (-1: the base) together with each plan that its trial suggests, from number
 * *plan on, as many as there is time for, `most` at most, and adds these to s->tried. *plan is then the next one.
 * Returns the number of the best one there; -1 if none is better than `from`. */
static int round_of_trials(struct cs_trials *s, int from, int *plan, int most)
{
    assert(from >= -1 && from < s->n);
    const struct cs_trial at = from < 0 ? s->base : s->tried[from].result;
    int begin = s->n, best = -1;
    most = trials_left(s, most < at.nplans - *plan ? most : at.nplans - *plan);
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
static int rounds(struct cs_trials *s, int best, int most)
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
static bool has_place(const struct cs_trials *s, const struct cs_tried *t, const char *text)
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
static struct cs_unchanged chosen(const struct cs_trials *s, const struct cs_tried *t, bool with_plan)
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
static void ban(struct cs_trials *s, const char *text)
{
    for (int i = 0; i < s->all.n; i++)
        if (!strcmp(s->all.text[i], text))
            s->all.text[i][0] = 0;
}

/* The list without those that the trial was refused for, if they are all of its own; the set's own are behind it. */
static bool without_refused(struct cs_trials *s, struct cs_unchanged *list, const struct cs_trial *t)
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
static void try_without_refused(struct cs_trials *s, struct cs_tried *t, struct cs_unchanged *list, bool look)
{
    enum { TIMES = 4 };
    try_all(s, t, 1, look);
    for (int i = 0; i < TIMES && t->result.status && without_refused(s, list, &t->result); i++)
        try_all(s, t, 1, look);
}

static struct cs_trial *result_of(struct cs_trials *s, int set)
{
    return set < 0 ? &s->base : &s->tried[set].result;
}

/* What was chosen has been tried. If the set with it is no better, what its trial chose on top of that is tried next,
 * in its place; NULL: nothing. */
static void choose_again(struct cs_trials *s, struct cs_trial *from, const struct cs_tried *failed)
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
static int try_together(struct cs_trials *s, int from, bool plan, int than)
{
    struct cs_tried base = {.result = s->base}, t = from < 0 ? base : s->tried[from], longer;
    const struct cs_trial at = t.result;
    if (s->nwith == CS_LISTS_MOST || !trials_left(s, 1))
        return than;
    plan = plan && at.nplans && extend(s, &t, &at, 0, &longer);
    t = plan ? longer : t;
    struct cs_unchanged *list = &s->with[s->nwith];
    *list = chosen(s, &t, plan);
    bool more = plan || list->n > (t.with ? t.with->n : 0);
    t.with = list;
    if (more)
        try_without_refused(s, &t, list, true);
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

/* Tries the set with `part` of its list. If no more than `most` statements stay, that is the list. Frees the other one.
 */
static bool try_part(struct cs_trials *s, struct cs_tried *t, struct cs_unchanged *list, struct cs_unchanged part,
                     int most)
{
    struct cs_tried less = *t;
    less.with = &part;
    if (part.n < list->n)
        try_all(s, &less, 1, false);
    bool as_good = part.n < list->n && less.result.status == 0 && less.result.kept <= most;
    cs_unchanged_free(as_good ? list : &part);
    if (as_good) {
        *list = part;
        t->result = less.result;
    }
    return as_good;
}

/* How many statements may stay where bring-nothing assumptions go. */
static int hardly_more(const struct cs_trial *t)
{
    enum { NOTHING = 1000 }; /* one statement in so many */
    return t->kept + t->total / NOTHING;
}

/* Takes assumptions out of the set's list that bring nothing, as the time allows: halves of it, quarters, and so on. */
static void shorten(struct cs_trials *s, struct cs_tried *t, struct cs_unchanged *list)
{
    int most = hardly_more(&t->result);
    for (int size = (list->n + 1) / 2; size > 0; size /= 2)
        for (int at = 0; at < list->n && trials_left(s, 1);)
            if (!try_part(s, t, list, without_range(list, at, size), most))
                at += size;
}

/* Is there anything in its list that another set has, too? */
static bool shares_list(const struct cs_trials *s, int i)
{
    for (int k = 0; k < s->n; k++)
        if (k != i && s->tried[k].with == s->tried[i].with)
            return true;
    return false;
}

/* A list of its own for the set. */
static void own_list(struct cs_trials *s, struct cs_tried *t)
{
    assert(s->nwith < CS_LISTS_MOST);
    s->with[s->nwith] = without_range(t->with, 0, 0);
    t->with = &s->with[s->nwith++];
}

/* The list of the best set, without what brings nothing. */
static void shorten_best(struct cs_trials *s, int best)
{
    struct cs_tried *t = &s->tried[best];
    if (!t->with || (shares_list(s, best) && s->nwith == CS_LISTS_MOST))
        return;
    if (shares_list(s, best))
        own_list(s, t);
    for (int i = 0; i < s->nwith; i++)
        if (t->with == &s->with[i])
            shorten(s, t, &s->with[i]);
}

/* What the base suggests, by what is LIVE only by that, without trying it. */
static void estimate(struct cs_trials *s)
{
    enum { MOST = 5 };
    for (int i = 0; i < s->base.nplans && s->n < MOST; i++) {
        CS_GROW(s->tried, s->n, s->cap);
        struct cs_tried *t = &s->tried[s->n];
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
static double time_of_link(const struct cs_trials *s)
{
    const double statements = 4000, trials = 2.4, least = 0.4; /* a second; how many; seconds */
    double link = s->base.total / statements, some = trials * s->each;
    return link < some ? some : link < least ? least : link;
}

/* What a step may do. */
enum way { NONE, PLAN, CHOICE, BOTH };

/* Seconds that all trials may take at most, the base among them, which is most of what the link does but for the
 * compiler's part. */
static double at_most(const struct cs_trials *s)
{
    const double times = 2.6;
    return s->seconds > times * s->first ? s->seconds : times * s->first;
}

/* Is there time for one more trial? One that promises a small slice may be the last, and too long; such trials take
 * half as long as those before, as a rule. */
static bool time_for_one(struct cs_trials *s, int promise, int total)
{
    bool may = used(s) + s->each / 2 <= at_most(s);
    if (!time_for(s, 1) && cs_small_enough(promise, total) && !s->over && may) {
        s->over = true;
        s->seconds = used(s) + s->each;
    }
    return trials_left(s, 1);
}

/* Is the plan about conditions and loops alone? */
static bool of_branches(const struct cs_plan *p)
{
    bool all = true;
    for (int k = 0; k < p->n; k++)
        all &= p->c[k].kind != CS_ASSUME_VALUE;
    return all;
}

/* What promises most: what is chosen of what the recorded run always did, a plan, or both. By turns, as one leaves
 * others to the other. */
static enum way way_on(struct cs_trials *s, const struct cs_trial *at, bool first, enum way last)
{
    enum { NOTHING = 200, FEW = 5 }; /* one statement in so many */
    int most = at->kept - at->total / NOTHING, by_plan = at->nplans ? at->kept - at->plans[0].held : at->kept;
    bool plan = by_plan < most, choice = at->may_keep < most;
    if ((!plan && !choice) || !time_for_one(s, choice ? at->may_keep : by_plan, at->total))
        return NONE;
    if (first && plan && at->plans[0].n == 1 && by_plan < at->total / FEW)
        return PLAN;
    if (plan && cs_small_enough(by_plan, at->total) && of_branches(&at->plans[0]))
        return PLAN; /* a few are more certain than many */
    if (choice && plan && !cs_small_enough(at->may_keep, at->total) && at->may_keep_with_plan < at->may_keep &&
        (first || at->may_keep_with_plan < by_plan))
        return BOTH;
    return choice && (!plan || (last != CHOICE && last != BOTH)) ? CHOICE : PLAN;
}

/* Tries the first two plans of set `from`, but the second one only where the first one does not lead to a small slice,
 * if it promises that. Returns the better one; -1: neither is better than `from`. */
static int first_plans(struct cs_trials *s, int from)
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
static int step(struct cs_trials *s, int best, enum way way)
{
    if (way == PLAN) {
        int next = first_plans(s, best);
        result_of(s, best)->nplans = 0;
        return next < 0 ? best : next;
    }
    return try_together(s, best, way == BOTH, best);
}

/* Is the value an argument of an MPI call, or does one write it, and is it not the same each time? */
static bool is_call_list(const struct cs_trials *s, const char *text)
{
    char err[512];
    struct cs_assumption a;
    return strstr(text, "iteration") && !cs_assume_parse(text, &a, err, sizeof err) && a.kind == CS_ASSUME_VALUE &&
           cs_named_by_mpi(s->program.graph, &a);
}

/* Is it about a line of a library, which is there for each of its users, and says something else each time? */
static bool is_library_list(const struct cs_trials *s, const char *text)
{
    char err[512];
    struct cs_assumption a;
    const struct cs_graph *g = s->program.graph;
    if (!strstr(text, "iteration") || cs_assume_parse(text, &a, err, sizeof err))
        return false;
    for (int i = 0; i < g->nstmts; i++)
        if (g->stmts[i].in_header && g->stmts[i].line == a.line && !strcmp(cs_graph_str(g, g->stmts[i].file), a.file))
            return true;
    return false;
}

/* Takes out what nothing kept needs, and lists of numbers of calls, if the slice stays small without them: what a call
 * sends or receives is better made of a variable that is assumed, from which both sides have it. */
static void leave_out_needless(struct cs_trials *s, struct cs_tried *t, struct cs_unchanged *list)
{
    bool *in = cs_calloc(list->n + 1, sizeof *in);
    for (int i = 0; i < list->n; i++)
        in[i] = !t->result.unused[i];
    try_part(s, t, list, cs_unchanged_part(list, in), hardly_more(&t->result));
    for (int i = 0; i < list->n; i++)
        in[i] = !is_call_list(s, list->text[i]);
    try_part(s, t, list, cs_unchanged_part(list, in), t->result.total / CS_SMALL_PART);
    for (int i = 0; i < list->n; i++)
        in[i] = !t->result.unused[i];
    try_part(s, t, list, cs_unchanged_part(list, in), hardly_more(&t->result));
    free(in);
}

/* Tries all that the recorded run always did, with what may need it: where values of messages depend on each other by
 * turns, what is LIVE does not tell that all of them together are enough. What brings nothing is taken out again, as
 * far as a few more trials do. Not where one trial takes longer than trials may. Returns the best set. */
static int try_all_told(struct cs_trials *s, int best)
{
    enum { MORE = 8 };
    struct cs_tried t = {.result = s->base};
    bool may = used(s) + s->each <= at_most(s);
    if (s->tried_all || s->nwith == CS_LISTS_MOST || !may) {
        s->cut |= !s->tried_all && !may;
        return best;
    }
    s->tried_all = true;
    struct cs_unchanged *list = &s->with[s->nwith];
    bool *in = cs_calloc(s->all.n + 1, sizeof *in);
    for (int i = 0; i < s->all.n; i++)
        in[i] = s->all.text[i][0] && !has_place(s, &t, s->all.text[i]) && !is_library_list(s, s->all.text[i]);
    *list = cs_unchanged_part(&s->all, in);
    free(in);
    t.with = list;
    try_without_refused(s, &t, list, false);
    if (t.result.status || !small_enough(&t.result)) {
        cs_unchanged_free(list);
        return best;
    }
    leave_out_needless(s, &t, list);
    double enough = used(s) + MORE * s->each;
    if (s->seconds < enough)
        s->seconds = enough < at_most(s) ? enough : at_most(s);
    shorten(s, &t, list);
    s->nwith++;
    CS_GROW(s->tried, s->n, s->cap);
    s->tried[s->n++] = t;
    return s->n - 1;
}

/* Where recorded runs tell much: step by step to a small slice, then single assumptions. */
static void search_told(struct cs_trials *s)
{
    enum { STEPS = 8, MORE = 8, HOPELESS = 3 }; /* HOPELESS: what is LIVE tells of no way to a small slice */
    int best = -1;
    enum way way = NONE;
    struct cs_trial base = s->base;
    if (s->base.may_keep > s->base.total / HOPELESS)
        best = try_all_told(s, best);
    for (int i = 0; i < STEPS && !small_enough(result_of(s, best)); i++) {
        way = way_on(s, result_of(s, best), i == 0, way);
        if (way == NONE)
            break;
        int next = step(s, best, way);
        way = next == best ? NONE : way;
        best = next;
    }
    bool told = best >= 0 && small_enough(result_of(s, best)) && !leaves_open(s, &s->tried[best]);
    if (!told)
        best = try_all_told(s, best);
    else if (best >= 0 && s->given)
        shorten_best(s, best);
    bool tried = s->base.nplans == 0, cheap = used(s) + MORE * s->each < s->seconds / 2;
    s->base = base;
    if (!tried && (s->given || best < 0 || cheap))
        rounds(s, -1, MORE);
    else
        s->cut |= !tried;
}

/* What follows from the base. */
static void search(struct cs_trials *s)
{
    if (!s->given)
        s->seconds = time_of_link(s);
    if (!trials_left(s, 1))
        estimate(s);
    else if (s->all.n)
        search_told(s);
    else
        rounds(s, -1, CS_TRIAL_PLANS);
}

/* Where pointers could not be followed: tries what the recorded run tells of functions that it called. A slice of what
 * is left comes first: it tells what to assume of branches and values there. */
static void try_called(struct cs_trials *s)
{
    struct cs_tried t = {.n = 1};
    for (int i = 0; s->hints[i] && !s->n; i++) {
        if (strncmp(s->hints[i], CS_ONLY_CALLED, strlen(CS_ONLY_CALLED)) || strlen(s->hints[i]) >= CS_ASSUMPTION_TEXT)
            continue;
        strcpy(t.a[0].text, s->hints[i]);
        t.a[0].stmt = t.a[0].source = t.a[0].named = -1;
        try_all(s, &t, 1, false);
        CS_GROW(s->tried, s->n, s->cap);
        s->tried[s->n++] = t;
    }
}

bool cs_search_run(struct cs_trials *s)
{
    struct cs_tried nothing = {0};
    s->trips = "17";
    s->given = s->seconds > 0;
    s->learnt = s->program.learnt;
    s->program.learnt = (struct cs_learnt){0};
    s->all = cs_unchanged_new(s->hints, true);
    try_all(s, &nothing, 1, true);
    s->base = nothing.result;
    s->first = s->each;
    if (s->base.status == 0 && s->base.kept_all)
        try_called(s);
    if (s->base.status == 0 && !s->n)
        search(s);
    return s->base.status == 0;
}

void cs_search_free(struct cs_trials *s)
{
    for (int i = 0; i < s->nwith; i++)
        cs_unchanged_free(&s->with[i]);
    cs_unchanged_free(&s->all);
    cs_stored_free(&s->program);
    cs_effects_free(s->effects);
    free(s->learnt.fact);
    free(s->learnt.lost);
    free(s->tried);
}
