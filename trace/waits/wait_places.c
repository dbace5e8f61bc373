/* SPDX-License-Identifier: BSD-3-Clause
 * Places of calls, the same for all ranks: a line of a file, or what else is known of it, and the call that it makes.
 * A rank's own numbers of sites are kept beside the place that each was last. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "trace/waits/waits_internal.h"

static struct cs_site locate(const struct search *s, int rank, int site)
{
    const struct cs_site *at = site >= 0 ? cs_trace_site(s->t, rank, site) : NULL;
    if (!at)
        return (struct cs_site){.line = -1};
    return s->user->locate ? s->user->locate(s->user->arg, at) : *at;
}

/* A text that only the same place has. NULL: memory is out. */
static char *key_of(const struct cs_site *at, int call)
{
    const char *file = at->file ? at->file : "", *func = at->line < 0 && at->func ? at->func : "";
    size_t room = strlen(file) + strlen(func) + 40;
    char *key = malloc(room);
    if (key)
        snprintf(key, room, "%d:%d:%s:%s", call, at->line, func, file);
    return key;
}

static int new_place(struct search *s, const struct cs_site *at, int call, struct wait_site *site)
{
    struct cs_waits *w = s->w;
    if (!CS_MAKE_ROOM(w->place, w->nplaces, s->places_cap))
        return -1;
    w->place[w->nplaces] = (struct cs_wait_place){.at = *at, .call = call, .most_rank = -1, .longest_rank = -1};
    site->place = w->nplaces;
    HASH_ADD_KEYPTR(hh, s->sites, site->key, strlen(site->key), site);
    return w->nplaces++;
}

static int find(struct search *s, const struct cs_site *at, int call)
{
    struct wait_site *found = NULL;
    char *key = key_of(at, call);
    if (!key)
        return -1;
    HASH_FIND_STR(s->sites, key, found);
    int place = found ? found->place : -1;
    if (!found && (found = malloc(sizeof *found))) {
        found->key = key;
        if ((place = new_place(s, at, call, found)) >= 0)
            return place;
        free(found);
    }
    free(key);
    return place;
}

int cs_wait_place(struct search *s, int rank, const struct cs_event *e)
{
    struct rank *r = &s->r[rank];
    int k = e->site + 1;
    if (!CS_MAKE_ROOM_FOR(r->of_site, k + 1, r->of_site_cap))
        return -1;
    for (; r->nof_site <= k; r->nof_site++)
        r->of_site[r->nof_site] = (struct site_place){-1, -1};
    struct site_place *known = &r->of_site[k];
    if (known->call != e->call) {
        struct cs_site at = locate(s, rank, e->site);
        *known = (struct site_place){e->call, find(s, &at, e->call)};
    }
    if (known->place < 0)
        known->call = -1;
    return known->place;
}

void cs_wait_free_places(struct search *s)
{
    struct wait_site *i, *next;
    HASH_ITER (hh, s->sites, i, next) {
        HASH_DEL(s->sites, i);
        free(i->key);
        free(i);
    }
}
