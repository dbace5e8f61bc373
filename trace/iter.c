/* SPDX-License-Identifier: BSD-3-Clause
 * Streams a rank's events in order, one block in memory at a time.
 * Keeps the letters of the current epoch; every reference is checked before it is used. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "read.h"

/* More than any writer produces in an epoch (its limit plus one largest event). */
#define MAX_ARENA ((size_t)CS_EPOCH_FIELDS + CS_MAX_FIELDS)
#define MAX_LETTERS ((size_t)CS_EPOCH_LETTERS + 1)

struct letter {
    int call, mark, site, nfields;
    size_t first;
};

struct cs_trace_iter {
    const struct cs_trace *t;
    const struct cs_rank *r;
    size_t next_block;
    struct cs_bytes raw;
    struct cs_cursor c;
    uint64_t left;                  /* events that the block's header still promises */
    uint64_t last_exit;
    struct letter *letter;
    size_t nletters, letter_cap;
    int64_t *arena;
    size_t nfields, arena_cap;
    char error[160];
};

struct cs_trace_iter *cs_trace_iter_open(const struct cs_trace *t, int rank)
{
    struct cs_trace_iter *it = calloc(1, sizeof *it);
    if (!it)
        return NULL;
    it->t = t;
    it->r = cs_trace_find_rank(t, rank);
    return it;
}

void cs_trace_iter_free(struct cs_trace_iter *it)
{
    if (!it)
        return;
    cs_bytes_free(&it->raw);
    free(it->letter);
    free(it->arena);
    free(it);
}

const char *cs_trace_iter_error(const struct cs_trace_iter *it)
{
    return it->error;
}

static int corrupt(struct cs_trace_iter *it, const char *what)
{
    return cs_reason(it->error, sizeof it->error, "%s in block %zu of rank %d", what, it->next_block - 1, it->r->rank);
}

/* 1 a block was loaded, 0 there is none left, -1 corrupt. */
static int next_block(struct cs_trace_iter *it)
{
    if (!it->r || it->next_block == it->r->nblocks)
        return 0;
    const struct cs_block *b = &it->r->block[it->next_block++];
    if (cs_read_section(it->t, b, true, &it->raw))
        return corrupt(it, "unreadable events");
    it->c = (struct cs_cursor){.p = it->raw.data, .end = it->raw.data + it->raw.len};
    it->left = b->h.nevents;
    return 1;
}

static int grow(void **array, size_t *cap, size_t need, size_t size)
{
    if (need <= *cap)
        return 0;
    size_t n = *cap ? *cap : 64;
    while (n < need)
        n *= 2;
    void *p = realloc(*array, n * size);
    if (!p)
        return -1;
    *array = p;
    *cap = n;
    return 0;
}

static int read_letter(struct cs_trace_iter *it)
{
    struct cs_cursor *c = &it->c;
    struct letter l = {.first = it->nfields};
    uint64_t call = cs_cursor_varint(c);
    l.mark = (int)cs_cursor_below(c, CS_MARK_CONTENT);
    uint64_t site = cs_cursor_below(c, (uint64_t)it->r->nsites);
    size_t n = (size_t)cs_cursor_below(c, CS_MAX_FIELDS);
    if (c->bad || call >= (uint64_t)it->r->ncalls || n > (size_t)(c->end - c->p)
        || it->nfields + n > MAX_ARENA || it->nletters >= MAX_LETTERS)
        return corrupt(it, "bad letter");
    if (it->r->call[call] < 0)
        return cs_reason(it->error, sizeof it->error, "call %.60s is not in this version's MPI table", it->r->call_name[call]);
    if (grow((void **)&it->arena, &it->arena_cap, it->nfields + n, sizeof *it->arena)
        || grow((void **)&it->letter, &it->letter_cap, it->nletters + 1, sizeof *it->letter))
        return corrupt(it, "not enough memory for a letter");
    for (size_t i = 0; i < n; i++)
        it->arena[it->nfields++] = cs_unzigzag(cs_cursor_varint(c));
    if (c->bad)
        return corrupt(it, "bad letter");
    l.call = it->r->call[call];
    l.site = (int)site - 1;
    l.nfields = (int)n;
    it->letter[it->nletters++] = l;
    return 0;
}

static int read_event(struct cs_trace_iter *it, uint64_t code, struct cs_event *e)
{
    if (code - CS_REC_EVENT >= it->nletters || it->left == 0)
        return corrupt(it, "bad event");
    const struct letter *l = &it->letter[code - CS_REC_EVENT];
    *e = (struct cs_event){.call = l->call, .site = l->site, .mark = l->mark, .nfields = l->nfields,
        .fields = it->arena ? it->arena + l->first : NULL};
    if (it->t->info.with_times) {
        uint64_t enter = it->last_exit + (uint64_t)cs_unzigzag(cs_cursor_varint(&it->c));
        it->last_exit = enter + (uint64_t)cs_unzigzag(cs_cursor_varint(&it->c));
        e->t_enter = (int64_t)enter;
        e->t_exit = (int64_t)it->last_exit;
    }
    if (it->c.bad)
        return corrupt(it, "bad event");
    it->left--;
    return 1;
}

int cs_trace_iter_next(struct cs_trace_iter *it, struct cs_event *e)
{
    if (it->error[0])
        return -1;
    for (;;) {
        if (it->c.p == it->c.end) {
            if (it->left)
                return corrupt(it, "missing events");
            int rc = next_block(it);
            if (rc <= 0)
                return rc;
            continue;
        }
        uint64_t code = cs_cursor_varint(&it->c);
        if (code >= CS_REC_EVENT)
            return read_event(it, code, e);
        if (code == CS_REC_LETTER) {
            if (read_letter(it))
                return -1;
        } else if (code == CS_REC_RESET) {
            it->nletters = it->nfields = 0;
        } else {
            return corrupt(it, "bad record");
        }
    }
}
