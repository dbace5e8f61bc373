/* SPDX-License-Identifier: BSD-3-Clause
 * Causes of waiting, grouped and as sentences; wait_words.h. */
#include "cli/show/wait_words.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/mpi_calls.h"
#include "cli/frame/cli.h"

static struct cs_site locate(void *arg, const struct cs_site *site)
{
    struct cs_source_location l = cs_locations_find(arg, site);
    return (struct cs_site){.file = l.file, .line = l.line, .func = l.func};
}

struct cs_waits *cs_waits_of(const char *path, const struct cs_trace *t, struct cs_locations *places)
{
    char why[256];
    struct cs_wait_user u = {.locate = locate, .arg = places, .progress = cs_progress};
    struct cs_waits *w = cs_waits_find(t, &u, why, sizeof why);
    cs_progress_end();
    if (!w)
        cs_error("%s: %s", path, why);
    return w;
}

static int by_place(const void *a, const void *b)
{
    const struct cs_wait_cause *x = *(const struct cs_wait_cause *const *)a,
                               *y = *(const struct cs_wait_cause *const *)b;
    if (x->place != y->place || x->doing != y->doing)
        return x->place != y->place ? (x->place < y->place ? -1 : 1) : (x->doing > y->doing) - (x->doing < y->doing);
    return x->ns != y->ns ? (x->ns < y->ns ? 1 : -1) : (x->rank > y->rank) - (x->rank < y->rank);
}

static int larger_first(const void *a, const void *b)
{
    const struct cs_wait_group *x = a, *y = b;
    if (x->ns != y->ns)
        return x->ns < y->ns ? 1 : -1;
    return (x->first->place > y->first->place) - (x->first->place < y->first->place);
}

struct cs_wait_group *cs_wait_groups(const struct cs_waits *w, size_t *n)
{
    const struct cs_wait_cause **c = malloc((w->ncauses + 1) * sizeof *c);
    struct cs_wait_group *g = malloc((w->ncauses + 1) * sizeof *g);
    *n = 0;
    for (size_t i = 0; c && i < w->ncauses; i++)
        c[i] = &w->cause[i];
    if (c && g) {
        qsort(c, w->ncauses, sizeof(const struct cs_wait_cause *), by_place);
        for (size_t i = 0; i < w->ncauses; i++) {
            if (!i || c[i]->place != c[i - 1]->place || c[i]->doing != c[i - 1]->doing)
                g[(*n)++] = (struct cs_wait_group){.first = c[i]};
            g[*n - 1].ns += c[i]->ns;
            g[*n - 1].ranks++;
        }
        qsort(g, *n, sizeof *g, larger_first);
    } else {
        free(g);
        g = NULL;
    }
    free(c);
    return g;
}

const char *cs_wait_place_text(const struct cs_wait_place *p, char *buf, size_t len)
{
    struct cs_source_location l = {.file = p->at.file, .line = p->at.line, .func = p->at.func};
    char place[300];
    snprintf(buf, len, "%s %s", cs_location_text(&l, place, sizeof place), cs_mpi_call(p->call)->name);
    return buf;
}

/* One rank stands for nearly all of the group. */
static bool is_one(const struct cs_wait_group *g)
{
    return g->first->ns >= 0.9 * g->ns;
}

/* "rank 5", "rank 5, almost alone,", or "12 ranks, rank 5 most,". */
static const char *who(const struct cs_wait_group *g, char *buf, size_t len)
{
    if (is_one(g))
        snprintf(buf, len, "rank %d%s", g->first->rank, g->ranks == 1 ? "" : ", almost alone,");
    else
        snprintf(buf, len, "%d ranks, rank %d most,", g->ranks, g->first->rank);
    return buf;
}

const char *cs_wait_sentence(const struct cs_waits *w, const struct cs_wait_group *g, char *buf, size_t len)
{
    const struct cs_wait_cause *c = g->first;
    char place[400], ranks[64], own[32], much[80] = "";
    bool one = is_one(g);
    cs_wait_place_text(&w->place[c->place], place, sizeof place);
    who(g, ranks, sizeof ranks);
    if (c->doing == CS_CAUSE_DELAYED)
        snprintf(buf, len, "%s %s ready before %s and not running: no processor is free", ranks, one ? "is" : "are",
                 place);
    else if (c->doing == CS_CAUSE_IN_CALL)
        snprintf(buf, len, "%s %s still in %s, and not waiting there", ranks, one ? "is" : "are", place);
    else {
        int all = w->place[c->place].ranks;
        if (all > 1 && c->mean > 0)
            snprintf(much, sizeof much, ", %.3g times the mean of %d ranks", c->own / c->mean, all);
        snprintf(buf, len, "%s compute%s before %s (%s%s%s)", ranks, one ? "s" : "", place, one ? "" : "that one ",
                 cs_human_ns(own, c->own), much);
    }
    return buf;
}

double cs_waiting_at(const struct cs_wait_place *p)
{
    double sum = 0;
    for (int k = 0; k < CS_WAIT_KINDS; k++)
        sum += p->waiting[k];
    return sum;
}

const char *cs_wait_kind_words(enum cs_wait_kind k)
{
    static const char *const words[CS_WAIT_KINDS] = {"a late message", "a late receive", "the last to come",
                                                     "the root"};
    return words[k];
}

const char *cs_wait_kind_name(enum cs_wait_kind k)
{
    static const char *const names[CS_WAIT_KINDS] = {"message", "receive", "all", "root"};
    return names[k];
}
