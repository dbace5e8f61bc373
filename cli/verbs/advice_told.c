/* SPDX-License-Identifier: BSD-3-Clause
 * Puts the slicer's answer beside what recorded runs did; advice_told.h. */
#define _GNU_SOURCE 1
#include "cli/verbs/advice_told.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/assumed_value.h"
#include "base/recorded_off.h"

bool cs_told_about_files(const struct cs_advised *x)
{
    return !strcmp(x->way, "files");
}

bool cs_told_about_calls(const struct cs_advised *x)
{
    return !strcmp(x->way, "calls");
}

bool cs_told_about_value(const struct cs_advised *x)
{
    return !strncmp(x->way, "value", 5);
}

bool cs_told_always_so(const struct cs_advised *x)
{
    return !strcmp(x->way, "always");
}

int cs_told_always_so_many(const struct cs_suggestion *s)
{
    int n = 0;
    for (int i = 0; i < s->n; i++)
        n += cs_told_always_so(&s->a[i]);
    return n;
}

bool cs_told_about_each_time(const struct cs_advised *x)
{
    const char *is = strchr(x->text, '=');
    return is && !cs_told_about_value(x) && strcmp(is, "=never") && strcmp(is, "=always") &&
           !cs_assumes_value(x->text, NULL, NULL);
}

/* Do both say the same kind of thing: `=when(...)`, or another one? Each begins with `=`. */
static bool same_kind(const char *a, const char *b)
{
    size_t n = strlen("=when(");
    return !strncmp(a, "=when(", n) == !strncmp(b, "=when(", n);
}

char *cs_told_place_is(const char *place, const char *what)
{
    size_t n = strcspn(place, "=");
    const char *hole = strrchr(place + n, 'N');
    char *text;
    int len = hole ? asprintf(&text, "%.*s%s%s", (int)(hole - place), place, what, hole + 1)
                   : asprintf(&text, "%s=%s", place, what);
    return len < 0 ? NULL : text;
}

const struct cs_recorded_value *cs_told_value_of(const struct cs_question *q, const struct cs_advised *x)
{
    size_t n = strcspn(x->text, "=");
    for (size_t i = 0;
         (cs_told_about_value(x) || cs_told_always_so(x) || cs_told_about_each_time(x)) && i < q->seen->nvalues; i++) {
        const char *place = q->seen->value[i].place;
        if (strcspn(place, "=") == n && !strncmp(place, x->text, n) &&
            (place[n] == '=') == cs_told_about_each_time(x) && same_kind(place + n, x->text + n))
            return &q->seen->value[i];
    }
    return NULL;
}

size_t cs_told_seen_place(const struct cs_advised *x)
{
    return (size_t)snprintf(NULL, 0, "%s:%d", x->file, x->line);
}

const struct cs_line_seen *cs_told_seen_of(const struct cs_question *q, const struct cs_advised *x)
{
    const char *eq = strrchr(x->text, '=');
    for (size_t i = 0; cs_told_about_files(x) && i < q->seen->n; i++)
        if (!strcmp(q->seen->line[i].place, x->text))
            return &q->seen->line[i];
    for (size_t i = 0; eq && i < q->seen->n; i++)
        if (q->seen->line[i].times > 0 && strlen(q->seen->line[i].place) == (size_t)(eq - x->text) &&
            !strncmp(q->seen->line[i].place, x->text, (size_t)(eq - x->text)))
            return &q->seen->line[i];
    return NULL;
}

double cs_told_mean_trips_of(const struct cs_question *q, const struct cs_advised *x)
{
    const struct cs_line_seen *l = cs_told_seen_of(q, x);
    bool first = strstr(x->way, " first ");
    if (!l || (!first && !strstr(x->way, " later ")))
        return -1;
    long long left = strstr(x->way, " holds") ? l->held : l->times - l->held, on = l->times - left;
    return left > 0 ? (double)on / (double)left + !first : -1;
}

long long cs_told_trips_of(const struct cs_question *q, const struct cs_advised *x)
{
    double mean = cs_told_mean_trips_of(q, x);
    return mean < 0 ? -1 : llround(mean);
}

bool cs_told_unfit(const struct cs_question *q, const struct cs_advised *x)
{
    const struct cs_line_seen *l = cs_told_seen_of(q, x);
    const char *eq = strrchr(x->text, '=');
    if (cs_told_about_files(x))
        return l && l->held < l->times;
    return l && ((!strcmp(eq, "=never") && l->held > 0) || (!strcmp(eq, "=always") && l->held < l->times));
}

bool cs_told_unasked(const struct cs_question *q, const struct cs_advised *x)
{
    size_t n = strcspn(x->text, "=");
    for (size_t i = 0; i < q->seen->n; i++)
        if (!q->seen->line[i].times && strlen(q->seen->line[i].place) == n &&
            !strncmp(q->seen->line[i].place, x->text, n))
            return true;
    return false;
}

bool cs_told_borne_out(const struct cs_question *q, const struct cs_suggestion *s)
{
    for (int i = 0; i < s->n; i++)
        if (!cs_told_always_so(&s->a[i]) && !cs_told_value_of(q, &s->a[i]) && !cs_told_unasked(q, &s->a[i]) &&
            (!cs_told_seen_of(q, &s->a[i]) || cs_told_unfit(q, &s->a[i])))
            return false;
    return true;
}

bool cs_told_settled(const struct cs_question *q, const char *place)
{
    size_t n = strcspn(place, "=");
    for (size_t i = 0; i < q->seen->n; i++) {
        const struct cs_line_seen *l = &q->seen->line[i];
        if (strlen(l->place) == n && !strncmp(l->place, place, n))
            return l->held == 0 || l->held == l->times;
    }
    return false;
}

char *cs_told_option_of(const struct cs_question *q, const struct cs_advised *x)
{
    size_t n = strlen(x->text);
    const struct cs_recorded_value *v = cs_told_value_of(q, x);
    char *is = v ? cs_recorded_value_expression(v) : NULL, *text = NULL;
    long long trips = n > 2 && !strcmp(x->text + n - 2, "=N") ? cs_told_trips_of(q, x) : -1;
    if (is && *is)
        text = cs_told_place_is(v->place, is);
    free(is);
    if (text)
        return text;
    int len = trips >= 0 ? asprintf(&text, "%.*s%lld", (int)n - 1, x->text, trips) : asprintf(&text, "%s", x->text);
    return len < 0 ? NULL : text;
}

bool cs_told_open(const struct cs_question *q, const struct cs_advised *x)
{
    char *text = cs_told_option_of(q, x);
    size_t n = text ? strlen(text) : 0;
    bool open = n > 2 && !strcmp(text + n - 2, "=N");
    free(text);
    return open;
}

double cs_told_off_of(const struct cs_question *q, const struct cs_advised *x)
{
    const struct cs_recorded_value *v = cs_told_value_of(q, x);
    char *is = v ? cs_recorded_value_expression(v) : NULL;
    double off = is && *is ? cs_recorded_off(v, is) : 0;
    free(is);
    return off;
}
