/* SPDX-License-Identifier: BSD-3-Clause
 * Builds layouts in their simplest form, so that equal types that were made differently pack equally fast. A loop has
 * no offset: its origin is that of its first round. Offsets are only in struct cs_emu_layout_at and in lists. */
#include "emulate/types/layout.h"

#include <assert.h>
#include <stdlib.h>

/* The layout without bytes; it has no references to count. */
static struct cs_emu_layout nothing = {.kind = CS_EMU_RUN, .refs = 1};

static struct cs_emu_layout *make(enum cs_emu_layout_kind kind, int64_t size, int64_t entries)
{
    struct cs_emu_layout *l = malloc(sizeof *l + (size_t)entries * sizeof l->entries[0]);

    if (l)
        *l = (struct cs_emu_layout){.kind = kind, .refs = 1, .size = size, .count = entries};
    return l;
}

struct cs_emu_layout *cs_emu_layout_hold(struct cs_emu_layout *l)
{
    if (l && l != &nothing)
        l->refs++;
    return l;
}

void cs_emu_layout_release(struct cs_emu_layout *l)
{
    assert(!l || l->refs > 0);
    if (!l || l == &nothing || --l->refs > 0)
        return;
    assert((l->kind == CS_EMU_LOOP) == (l->child != NULL));
    cs_emu_layout_release(l->child);
    for (int64_t i = 0; l->kind == CS_EMU_LIST && i < l->count; i++)
        cs_emu_layout_release(l->entries[i].layout);
    free(l);
}

struct cs_emu_layout_at cs_emu_layout_run(int64_t bytes)
{
    return (struct cs_emu_layout_at){0, bytes ? make(CS_EMU_RUN, bytes, 0) : &nothing};
}

static struct cs_emu_layout_at new_loop(int64_t count, int64_t stride, struct cs_emu_layout_at child)
{
    struct cs_emu_layout *l = make(CS_EMU_LOOP, count * child.layout->size, 0);

    if (l) {
        l->count = count;
        l->stride = stride;
        l->child = cs_emu_layout_hold(child.layout);
    }
    return (struct cs_emu_layout_at){child.at, l};
}

struct cs_emu_layout_at cs_emu_layout_loop(int64_t count, int64_t stride, struct cs_emu_layout_at child)
{
    struct cs_emu_layout *c = child.layout;
    struct cs_emu_layout_at p;

    if (!c)
        return child;
    if (count == 0 || c->size == 0)
        return cs_emu_layout_run(0);
    if (count == 1)
        return (struct cs_emu_layout_at){child.at, cs_emu_layout_hold(c)};
    if (c->kind == CS_EMU_RUN && stride == c->size) {
        p = cs_emu_layout_run(count * c->size);
        p.at = child.at;
        return p;
    }
    /* A loop over loops, each of which begins where the one before would have gone on, is one long loop. */
    if (c->kind == CS_EMU_LOOP && stride == c->count * c->stride)
        return new_loop(count * c->count, c->stride, (struct cs_emu_layout_at){child.at, c->child});
    return new_loop(count, stride, child);
}

static bool equal(const struct cs_emu_layout *a, const struct cs_emu_layout *b)
{
    if (a == b)
        return true;
    if (a->kind != b->kind || a->size != b->size)
        return false;
    if (a->kind == CS_EMU_RUN)
        return true;
    return a->kind == CS_EMU_LOOP && a->count == b->count && a->stride == b->stride && equal(a->child, b->child);
}

/* Appends p to out[0..n); if the last entry and p are runs without a gap between them they become one run. Nothing is
 * appended for an empty p. Returns the new n, or -1 when memory is out. */
static int64_t append(struct cs_emu_layout_at *out, int64_t n, struct cs_emu_layout_at p)
{
    struct cs_emu_layout_at *last = n > 0 ? &out[n - 1] : NULL;
    struct cs_emu_layout *both;

    if (!p.layout)
        return -1;
    if (p.layout->size == 0)
        return n;
    if (!last || last->layout->kind != CS_EMU_RUN || p.layout->kind != CS_EMU_RUN ||
        last->at + last->layout->size != p.at) {
        out[n] = p;
        cs_emu_layout_hold(p.layout);
        return n + 1;
    }
    if (last->layout->refs == 1) {
        last->layout->size += p.layout->size;
        return n;
    }
    both = make(CS_EMU_RUN, last->layout->size + p.layout->size, 0);
    if (!both)
        return -1;
    cs_emu_layout_release(last->layout);
    last->layout = both;
    return n;
}

/* Are the entries equal and evenly spaced? */
static bool regular(const struct cs_emu_layout_at *p, int64_t n)
{
    for (int64_t i = 1; i < n; i++)
        if (!equal(p[0].layout, p[i].layout) || p[i].at - p[i - 1].at != p[1].at - p[0].at)
            return false;
    return true;
}

/* The simplest layout of n joined entries: nothing, a loop, or a list. */
static struct cs_emu_layout_at from_entries(const struct cs_emu_layout_at *p, int64_t n)
{
    struct cs_emu_layout *l;

    if (n == 0)
        return cs_emu_layout_run(0);
    if (regular(p, n))
        return cs_emu_layout_loop(n, n > 1 ? p[1].at - p[0].at : 0, p[0]);
    l = make(CS_EMU_LIST, 0, n);
    for (int64_t i = 0; l && i < n; i++) {
        l->entries[i] = p[i];
        cs_emu_layout_hold(p[i].layout);
        l->size += p[i].layout->size;
    }
    return (struct cs_emu_layout_at){0, l};
}

struct cs_emu_layout_at cs_emu_layout_list(int64_t n, const struct cs_emu_layout_at places[])
{
    struct cs_emu_layout_at *kept = malloc((n > 0 ? (size_t)n : 1) * sizeof *kept), result = {0, NULL};
    int64_t m = 0, next = 0;

    if (!kept)
        return result;
    for (int64_t i = 0; i < n && next >= 0; i++) {
        next = append(kept, m, places[i]);
        if (next >= 0)
            m = next;
    }
    if (next >= 0)
        result = from_entries(kept, m);
    for (int64_t i = 0; i < m; i++)
        cs_emu_layout_release(kept[i].layout);
    free(kept);
    return result;
}
