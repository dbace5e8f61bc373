/* SPDX-License-Identifier: BSD-3-Clause
 * Asks methods that know runs as a whole; see whole_text.h. */
#include "cli/show/whole_text.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static const char *base_name(const char *file)
{
    const char *slash = strrchr(file, '/');
    return slash ? slash + 1 : file;
}

/* Appends to the formula as far as it goes. */
__attribute__((format(printf, 2, 3))) static void append(struct cs_whole_answer *a, const char *fmt, ...)
{
    va_list ap;
    size_t at = strlen(a->formula);
    va_start(ap, fmt);
    vsnprintf(a->formula + at, sizeof a->formula - at, fmt, ap);
    va_end(ap);
}

static void say_why(struct cs_whole_answer *a, const char *otherwise)
{
    append(a, "%s", errno == ENOMEM ? "not enough memory" : otherwise);
}

/* ---- counters ---- */

static void counters_formula(const struct cs_observations *o, const struct cs_whole_counters *w,
                             struct cs_whole_answer *a)
{
    static const char *const kinds[] = {"mean", "most", "least", "variance"};
    append(a, "%.4g s", w->fit.constant);
    for (int i = 0; i < w->fit.n_features; i++) {
        const struct cs_feature *f = &w->feature[w->fit.feature[i]];
        double each = w->fit.coefficient[i];
        append(a, " %c %.4g s * %s of ", each < 0 ? '-' : '+', fabs(each), kinds[f->kind]);
        if (f->counter >= 0)
            append(a, "%s at %s:%d", o->counter[f->counter].kind == CS_COUNTER_LOOP ? "loop" : "branch",
                   base_name(o->counter[f->counter].file), o->counter[f->counter].line);
        else
            append(a, "calls at %s:%d", base_name(o->site[f->site].file), o->site[f->site].line);
    }
}

static void ask_counters(const struct cs_observations *o, int run, struct cs_whole_answer *a)
{
    struct cs_whole_counters w;
    if (cs_whole_counters_fit(o, &w)) {
        say_why(a, "no run with a whole time, or nothing varies between runs");
        return;
    }
    a->known = true;
    a->error = w.error;
    a->seconds = run >= 0 ? cs_whole_counters_time(o, &w, run) : 0;
    counters_formula(o, &w, a);
    cs_whole_counters_free(&w);
}

/* ---- analytic ---- */

static void analytic_formula(const struct cs_whole_analytic *w, struct cs_whole_answer *a)
{
    static const char *const power[] = {"", " * n", " * n^2", " * n^3"};
    append(a, w->fit.divided ? "(" : "");
    for (int k = 0; k <= w->fit.degree; k++)
        append(a, "%s(%.4g s %c %.4g s / p)%s", k ? " + " : "", w->fit.a[k], w->fit.b[k] < 0 ? '-' : '+',
               fabs(w->fit.b[k]), power[k]);
    append(a, w->fit.divided ? ") / p" : "");
    append(a, w->by_turns && w->fit.degree > 0 ? ", n: turns of all ranks" : "");
}

static void ask_analytic(const struct cs_observations *o, int run, struct cs_whole_answer *a)
{
    struct cs_whole_analytic w;
    if (cs_whole_analytic_fit(o, &w)) {
        say_why(a, "runs with fewer than two numbers of ranks");
        return;
    }
    if (run >= 0 && !w.by_turns && w.fit.degree > 0 && !(o->run[run].size > 0)) {
        append(a, "the small runs have sizes: give --size");
        return;
    }
    a->known = true;
    a->error = w.error;
    a->seconds = run >= 0 ? cs_whole_analytic_time(o, &w, run) : 0;
    analytic_formula(&w, a);
}

void cs_whole_ask(const struct cs_observations *o, enum cs_method method, int run, struct cs_whole_answer *a)
{
    *a = (struct cs_whole_answer){.error = -1};
    if (method == CS_METHOD_COUNTERS)
        ask_counters(o, run, a);
    else
        ask_analytic(o, run, a);
    if (a->known && run >= 0 && !(a->seconds > 0 && isfinite(a->seconds))) {
        a->known = false;
        snprintf(a->formula, sizeof a->formula, "it comes to %.3g s, which is no time", a->seconds);
    }
}
