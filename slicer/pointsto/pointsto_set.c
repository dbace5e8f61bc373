/* SPDX-License-Identifier: GPL-3.0-or-later
 * Locations, and the sets of them that nodes hold. Sets are kept small: many constants become "any integer", many
 * offsets of one object a stride. Most objects have so few locations that neither can happen: theirs are plain, and go
 * into a set by the word. A location that lies inside another one of the set is not looked at again. */
#include "slicer/pointsto/pointsto_internal.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

uint32_t cs_pts_hash_pattern(uint32_t h, const struct cs_pattern *p)
{
    return cs_hash(cs_hash(cs_hash(cs_hash(h, p->off), p->stride), p->lo), p->hi);
}

/* The location *key is looked for. */
struct loc_query {
    const struct cs_loc *locs, *key;
};

static bool same_loc(const void *what, int i, int unused)
{
    const struct loc_query *q = what;
    (void)unused;
    return q->locs[i].obj == q->key->obj && cs_pat_equal(q->locs[i].pat, q->key->pat);
}

static void set_bit(uint64_t *words, int x, bool on)
{
    if (on)
        words[x / 64] |= UINT64_C(1) << x % 64;
    else
        words[x / 64] &= ~(UINT64_C(1) << x % 64);
}

/* Which locations of the object lie in which, and whether they are still plain. */
static void compare_locs(struct cs_pts *p, int loc)
{
    struct objinfo *o = cs_pts_obj_info(p, p->locs[loc].obj);
    for (int i = cs_bits_next(&o->locs, 0); i >= 0; i = cs_bits_next(&o->locs, i + 1)) {
        bool inside = cs_pat_covers(p->locs[i].pat, p->locs[loc].pat),
             outside = cs_pat_covers(p->locs[loc].pat, p->locs[i].pat);
        if (inside)
            cs_bits_add(&p->covered[i], loc);
        if (outside)
            cs_bits_add(&p->covered[loc], i);
        o->nested |= inside || outside;
    }
    cs_bits_add(&o->locs, loc);
    bool plain = !o->nested && ++o->nlocs <= MAX_OFFSETS;
    set_bit(p->plain, loc, plain);
    for (int i = cs_bits_next(&o->locs, 0); !plain && o->plain && i >= 0; i = cs_bits_next(&o->locs, i + 1))
        set_bit(p->plain, i, false);
    o->plain = plain;
}

static int new_loc(struct cs_pts *p, struct cs_loc l)
{
    int loc = p->nlocs, cap = p->alocs;
    CS_GROW(p->locs, p->nlocs, p->alocs);
    if (p->alocs != cap) {
        int words = p->alocs / 64 + 1, before = cap ? cap / 64 + 1 : 0;
        p->covered = cs_realloc(p->covered, p->alocs * sizeof *p->covered);
        p->plain = cs_realloc(p->plain, words * sizeof *p->plain);
        p->numbers = cs_realloc(p->numbers, words * sizeof *p->numbers);
        memset(p->plain + before, 0, (words - before) * sizeof *p->plain);
        memset(p->numbers + before, 0, (words - before) * sizeof *p->numbers);
    }
    assert(l.obj >= CS_LOC_INT && l.obj < p->g->nobjs);
    p->locs[p->nlocs++] = l;
    p->covered[loc] = (struct cs_bits){0};
    if (l.obj >= 0)
        compare_locs(p, loc);
    else if (l.obj == CS_LOC_CONST && l.pat.off != 0)
        set_bit(p->numbers, loc, true);
    return loc;
}

int cs_pts_intern_loc(struct cs_pts *p, int obj, struct cs_pattern pat)
{
    struct cs_loc key = {0};
    if (obj >= 0 && obj < p->nalias && p->alias[obj] >= 0) {
        obj = p->alias[obj];
        pat = cs_pat_any();
    }
    if (!p->solved && cs_pts_home(p, obj) != obj) {
        obj = p->lost_obj;
        pat = cs_pat_any();
    }
    key.obj = obj;
    if (obj >= 0 && p->g->objs[obj].kind == CS_OBJ_FUNC) {
        key.pat = cs_pat_normal(cs_pat_at(0), p->g->objs[obj].size); /* behind its start is nothing to call */
    } else if (obj >= 0) {
        key.pat = cs_pat_normal(pat, p->g->objs[obj].size);
        if (p->info && obj < p->ninfo && p->info[obj].collapsed)
            key.pat = cs_pat_normal(cs_pat_any(), p->g->objs[obj].size);
    } else if (obj == CS_LOC_CONST) {
        key.pat.off = pat.off;
    }
    uint32_t h = cs_pts_hash_pattern(cs_hash(0, key.obj), &key.pat);
    int found = cs_pairset_find(&p->loc_set, h, same_loc, &(struct loc_query){p->locs, &key});
    if (found >= 0)
        return found;
    cs_pairset_add(&p->loc_set, h, p->nlocs, 0);
    assert(p->nlocs > 0 || obj == CS_LOC_INT); /* LOC_INT comes first */
    return new_loc(p, key);
}

void cs_pts_first_locs(struct cs_pts *p)
{
    assert(p->nlocs == 0);
    cs_pts_intern_loc(p, CS_LOC_INT, cs_pat_at(0));
    while (p->nlocs < LOC_ZERO)
        new_loc(p, (struct cs_loc){CS_LOC_INT, cs_pat_at(0)});
    cs_pts_intern_loc(p, CS_LOC_CONST, cs_pat_at(0));
}

void cs_pts_set_loc(struct cs_pts *p, int loc, int obj)
{
    assert(loc > LOC_INT && loc < LOC_ZERO && p->locs[loc].obj == CS_LOC_INT);
    p->locs[loc] = (struct cs_loc){obj, cs_pat_normal(cs_pat_any(), p->g->objs[obj].size)};
    uint32_t h = cs_pts_hash_pattern(cs_hash(0, obj), &p->locs[loc].pat);
    cs_pairset_add(&p->loc_set, h, loc, 0);
    compare_locs(p, loc);
}

/* ---- sets ---- */

static void enqueue(struct cs_pts *p, int n)
{
    if (p->nodes[n].queued)
        return;
    p->nodes[n].queued = true;
    cs_intlist_add(&p->work, n);
}

void cs_pts_add_member(struct cs_pts *p, int n, int loc)
{
    struct node *nd = &p->nodes[n];
    if (!cs_bits_add(&nd->members, loc))
        return;
    nd->nmembers++;
    cs_bits_add(&nd->offered, loc);
    cs_bits_or(&nd->offered, &p->covered[loc]);
    cs_bits_add(&nd->pending, loc);
    enqueue(p, n);
}

static void add_constant(struct cs_pts *p, int n, int loc)
{
    struct node *nd = &p->nodes[n];
    if (cs_bits_has(&nd->members, LOC_INT) && p->locs[loc].pat.off != 0)
        return;
    if (nd->nconsts >= MAX_CONSTS) {
        cs_pts_add_loc(p, n, LOC_INT);
        return;
    }
    nd->nconsts++;
    assert(nd->nconsts <= MAX_CONSTS);
    cs_pts_add_member(p, n, loc);
}

/* A location of the same object that is wider than all of `there` and this one. */
static int wider(struct cs_pts *p, const struct cs_bits *there, int loc)
{
    struct cs_pattern me = p->locs[loc].pat, join = me;
    int64_t apart = 0;
    for (int i = cs_bits_next(there, 0); i >= 0; i = cs_bits_next(there, i + 1)) {
        const struct cs_pattern *o = &p->locs[i].pat;
        join = cs_pat_spread(join, o->off - me.off);
        join = cs_pat_spread(join, o->stride);
        if (o->lo < join.lo)
            join.lo = o->lo;
        if (o->hi > join.hi)
            join.hi = o->hi;
        apart |= o->off - me.off;
    }
    return cs_pts_intern_loc(p, p->locs[loc].obj, apart ? join : cs_pat_any());
}

/* Of locations of one object, so many are kept as they are; then one that is wider than all of them. */
static void add_place(struct cs_pts *p, int n, int loc)
{
    struct cs_bits *there = &p->there;
    cs_bits_and(there, &p->info[p->locs[loc].obj].locs, &p->nodes[n].members);
    for (int i = cs_bits_next(there, 0); i >= 0; i = cs_bits_next(there, i + 1))
        if (cs_pat_covers(p->locs[i].pat, p->locs[loc].pat))
            return;
    if (cs_bits_count(there) >= (p->nodes[n].loops ? MAX_STEPS : MAX_OFFSETS))
        loc = wider(p, there, loc);
    cs_pts_add_member(p, n, loc);
}

void cs_pts_add_loc(struct cs_pts *p, int n, int loc)
{
    assert(n >= 0 && n < p->nnodes && loc < p->nlocs);
    if (loc < 0 || !cs_bits_add(&p->nodes[n = cs_pts_find(p, n)].offered, loc))
        return;
    int obj = p->locs[loc].obj;
    if (cs_pts_is_closed(p, n))
        cs_pts_add_closed(p, n, loc);
    else if (cs_pts_is_stood_for(p, n, loc))
        return;
    else if (obj == CS_LOC_CONST)
        add_constant(p, n, loc);
    else if (obj >= 0)
        add_place(p, n, loc);
    else
        cs_pts_add_member(p, n, loc);
}

/* Of what is new, the plain locations go in at once. The others are left in `fresh`. */
static void add_plain(struct cs_pts *p, int n, struct cs_bits *fresh)
{
    struct node *nd = &p->nodes[n];
    struct cs_bits *plain = &p->there;
    int left = 0;
    plain->n = 0;
    for (int i = 0; i < fresh->n; i++) {
        struct cs_bitword w = fresh->w[i];
        assert(w.at <= (p->nlocs - 1) / 64);
        uint64_t now = w.bits & p->plain[w.at];
        if (now)
            cs_bits_append(plain, (struct cs_bitword){w.at, now});
        if (w.bits & ~now)
            fresh->w[left++] = (struct cs_bitword){w.at, w.bits & ~now};
    }
    fresh->n = left;
    if (!plain->n)
        return;
    nd->nmembers += cs_bits_count(plain);
    cs_bits_or(&nd->members, plain);
    cs_bits_or(&nd->offered, plain);
    cs_bits_or(&nd->pending, plain);
    enqueue(p, n);
}

/* Takes constants other than 0 out. */
static void drop_numbers(const struct cs_pts *p, struct cs_bits *b)
{
    int left = 0;
    for (int i = 0; i < b->n; i++) {
        uint64_t bits = b->w[i].bits & ~p->numbers[b->w[i].at];
        if (bits)
            b->w[left++] = (struct cs_bitword){b->w[i].at, bits};
    }
    b->n = left;
}

static bool any_number(const struct cs_pts *p, const struct cs_bits *b)
{
    for (int i = 0; i < b->n; i++)
        if (b->w[i].bits & p->numbers[b->w[i].at])
            return true;
    return false;
}

void cs_pts_add_locs(struct cs_pts *p, int n, const struct cs_bits *what, bool numbers)
{
    struct cs_bits *fresh = &p->fresh_locs;
    n = cs_pts_find(p, n);
    p->effort += what->n + 1;
    p->steps += what->n + 1;
    bool more = !numbers && any_number(p, what); /* also one that the set has: it becomes another one */
    cs_bits_minus(fresh, what, &p->nodes[n].offered);
    if (!numbers)
        drop_numbers(p, fresh);
    if (p->closed && !p->nodes[n].closed)
        cs_pts_drop_stood_for(p, n, fresh);
    if (!p->nodes[n].loops && !cs_pts_is_closed(p, n))
        add_plain(p, n, fresh);
    bool any = fresh->n && fresh->w[0].at == 0 &&
               (fresh->w[0].bits & 1); /* LOC_INT last: constants that came before it stay beside it */
    for (int i = cs_bits_next(fresh, LOC_INT + 1); i >= 0; i = cs_bits_next(fresh, i + 1))
        cs_pts_add_loc(p, n, i);
    if (any || more)
        cs_pts_add_loc(p, n, LOC_INT);
}
