/* SPDX-License-Identifier: BSD-3-Clause
 * The code of block classes; see block_classes.h. Everything that is decoded has been checked: a column has a number
 * for each rank, ranks ascend, and each change is a number of its section. */
#define _GNU_SOURCE 1
#include "trace/format/block_classes.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"

/* ---- columns ---- */

uint64_t cs_column_at(const struct cs_column *c, uint32_t nth)
{
    uint32_t lo = 0, hi = c->nruns;
    assert(hi > 0 && c->run[0].first == 0);
    while (hi - lo > 1) {
        uint32_t mid = lo + (hi - lo) / 2;
        if (c->run[mid].first <= nth)
            lo = mid;
        else
            hi = mid;
    }
    return c->run[lo].value + c->run[lo].step * (nth - c->run[lo].first);
}

static int put_run(struct cs_bytes *b, uint64_t step, uint32_t len)
{
    return cs_bytes_varint(b, cs_zigzag((int64_t)step)) || cs_bytes_varint(b, len) ? -1 : 0;
}

int cs_column_encode(struct cs_bytes *b, uint32_t n, cs_column_value_fn *value, const void *arg)
{
    uint64_t before = 0, step = 0;
    uint32_t len = 0;
    for (uint32_t i = 0; i < n; i++) {
        uint64_t v = value(arg, i);
        if (len && v - before == step) {
            len++;
        } else {
            if (len && put_run(b, step, len))
                return -1;
            step = v - before;
            len = 1;
        }
        before = v;
    }
    return len ? put_run(b, step, len) : 0;
}

/* A column of n numbers. */
static int get_column(struct cs_column *c, struct cs_cursor *from, uint32_t n)
{
    uint64_t before = 0;
    uint32_t cap = 0;
    for (uint32_t at = 0; at < n && !from->bad;) {
        uint64_t step = (uint64_t)cs_unzigzag(cs_cursor_varint(from));
        uint32_t len = (uint32_t)cs_cursor_below(from, n - at);
        from->bad |= len == 0;
        if (!CS_MAKE_ROOM(c->run, c->nruns, cap))
            return -1;
        c->run[c->nruns++] = (struct cs_column_run){at, before + step, step};
        before += step * len;
        at += len;
    }
    return from->bad ? -1 : 0;
}

/* ---- decoding ---- */

/* Appends a column of one number for each rank; -1 or its index. */
static int64_t new_column(struct cs_block_class *c, struct cs_cursor *from)
{
    if (!CS_ONE_MORE(c->column, c->ncolumns))
        return -1;
    c->column[c->ncolumns] = (struct cs_column){0};
    int rc = get_column(&c->column[c->ncolumns++], from, c->nranks);
    return rc ? -1 : (int64_t)c->ncolumns - 1;
}

static int get_section(struct cs_class_section *s, struct cs_cursor *from)
{
    s->len = (uint32_t)cs_cursor_below(from, CS_MAX_SECTION);
    if (from->bad || s->len > (size_t)(from->end - from->p))
        return -1;
    s->bytes = from->p;
    from->p += s->len;
    return 0;
}

/* Moves the cursor, which is in a section, over n numbers. */
static void skip_numbers(const struct cs_block_class *c, struct cs_cursor *in, uint64_t n)
{
    if (c->by_bytes) {
        in->bad |= n > (uint64_t)(in->end - in->p);
        in->p += in->bad ? 0 : n;
    }
    for (uint64_t i = 0; i < n && !c->by_bytes && !in->bad; i++)
        cs_cursor_varint(in);
}

/* The changes of a section: how many, then each as the numbers between it and the one before, and its column. */
static int get_changes(struct cs_block_class *c, struct cs_class_section *s, struct cs_cursor *from)
{
    struct cs_cursor in = {.p = s->bytes, .end = s->bytes + s->len};
    uint32_t n = (uint32_t)cs_cursor_below(from, s->len);
    s->change = calloc((size_t)n + 1, sizeof *s->change);
    if (!s->change)
        return -1;
    for (uint32_t i = 0; i < n && !from->bad; i++) {
        skip_numbers(c, &in, cs_cursor_below(from, s->len));
        const unsigned char *start = in.p;
        skip_numbers(c, &in, 1);
        uint64_t back = cs_cursor_below(from, c->ncolumns);
        int64_t column = back ? (int64_t)(c->ncolumns - back) : new_column(c, from);
        if (in.bad || column < 0)
            return -1;
        s->change[s->nchanges++] =
            (struct cs_class_change){(uint32_t)(start - s->bytes), (uint32_t)(in.p - start), (uint32_t)column};
    }
    return from->bad ? -1 : 0;
}

/* Are they ranks of a run of that many, ascending? */
static bool are_ranks(const struct cs_block_class *c, uint32_t nranks)
{
    const struct cs_column *r = &c->column[c->ranks];
    uint64_t least = 0;
    for (uint32_t k = 0; k < r->nruns; k++) {
        uint32_t n = (k + 1 < r->nruns ? r->run[k + 1].first : c->nranks) - r->run[k].first;
        if (r->run[k].value < least || r->run[k].value >= nranks || (n > 1 && r->run[k].step == 0) ||
            r->run[k].step > nranks || (uint64_t)(n - 1) * r->run[k].step >= nranks - r->run[k].value)
            return false;
        least = r->run[k].value + (n - 1) * r->run[k].step + 1;
    }
    return true;
}

static bool are_event_counts(const struct cs_block_class *c)
{
    const struct cs_column *n = &c->column[c->nevents_column];
    bool sound = true;
    for (uint32_t i = 0; i < c->nranks && sound; i++) {
        uint64_t v = cs_column_at(n, i);
        sound = v <= INT64_MAX && (v == 0 || c->events.len);
        if (n->nruns == 1 && n->run[0].step == 0)
            break;
    }
    return sound;
}

static int get_class(struct cs_block_class *c, struct cs_cursor *from, uint32_t nranks)
{
    c->by_bytes = cs_cursor_below(from, 1);
    c->seq = (uint32_t)cs_cursor_below(from, CS_FAILED_SEQ - 1);
    c->flags = (uint32_t)cs_cursor_below(from, CS_BLOCK_LAST);
    c->nranks = (uint32_t)cs_cursor_below(from, nranks);
    if (from->bad || c->nranks == 0)
        return -1;
    int64_t ranks = new_column(c, from), events = new_column(c, from);
    if (ranks < 0 || events < 0)
        return -1;
    c->ranks = (uint32_t)ranks;
    c->nevents_column = (uint32_t)events;
    if (!are_ranks(c, nranks) || get_section(&c->defs, from) || get_section(&c->events, from) ||
        get_changes(c, &c->defs, from) || get_changes(c, &c->events, from))
        return -1;
    return are_event_counts(c) ? 0 : -1;
}

int cs_block_class_decode(struct cs_block_class *c, struct cs_cursor *from, uint32_t nranks)
{
    *c = (struct cs_block_class){0};
    if (from->p == from->end)
        return 0;
    if (get_class(c, from, nranks) == 0)
        return 1;
    cs_block_class_free(c);
    return -1;
}

void cs_block_class_free(struct cs_block_class *c)
{
    for (uint32_t i = 0; i < c->ncolumns; i++)
        free(c->column[i].run);
    free(c->column);
    free(c->defs.change);
    free(c->events.change);
    *c = (struct cs_block_class){0};
}

int cs_block_class_section(const struct cs_block_class *c, const struct cs_class_section *s, uint32_t nth,
                           struct cs_bytes *out)
{
    uint32_t from = 0;
    out->len = 0;
    if (cs_bytes_reserve(out, s->len + (size_t)CS_VARINT_MAX * s->nchanges + 1))
        return -1;
    for (uint32_t i = 0; i < s->nchanges; i++) {
        const struct cs_class_change *k = &s->change[i];
        uint64_t v = cs_column_at(&c->column[k->column], nth);
        memcpy(out->data + out->len, s->bytes + from, k->at - from);
        out->len += k->at - from;
        from = k->at + k->len;
        if (c->by_bytes)
            out->data[out->len++] = (unsigned char)v;
        else
            out->len = (size_t)(cs_put_varint(out->data + out->len, v) - out->data);
    }
    if (s->len > from)
        memcpy(out->data + out->len, s->bytes + from, s->len - from);
    out->len += s->len - from;
    return out->len <= CS_MAX_SECTION ? 0 : -1;
}

/* ---- numbers ---- */

int cs_section_numbers(const struct cs_bytes *section, bool by_bytes, uint64_t **out, size_t *n, size_t *cap)
{
    struct cs_cursor c = {.p = section->data, .end = section->data + section->len};
    if (!CS_MAKE_ROOM_FOR(*out, *n + section->len + 1, *cap))
        return -1;
    while (c.p < c.end) {
        const unsigned char *start = c.p;
        uint64_t v = by_bytes ? *c.p++ : cs_cursor_varint(&c);
        unsigned char code[CS_VARINT_MAX];
        if (c.bad || (!by_bytes && (cs_put_varint(code, v) - code != c.p - start ||
                                    memcmp(code, start, (size_t)(c.p - start)) != 0)))
            return 0;
        (*out)[(*n)++] = v;
    }
    return 1;
}
