/* SPDX-License-Identifier: GPL-3.0-or-later
 * Which unit numbers a Fortran I/O statement may mean, and which library calls change no file.
 * The hidden object unit_obj has one byte for each unit, and one for which of them are connected. Units 0 and 6 are the
 * terminal and have none, unless an OPEN may connect them to a file; nor has -1, which is a string. */
#include "slicer/live/live_internal.h"

#include <string.h>

/* Where unit_obj's bytes are beside those of the units from 0: of negative units, of what is connected, of those whose
 * number the run finds (live_found.c). */
enum { OTHER = 1 << 20, CONNECTED, ROW = 1 << 20, FOUND = 2 * ROW };

/* The constants that are stored in the place that is asked about; any: and others. */
struct unit_query {
    struct cs_live *l;
    struct cs_intset units;
    int64_t size;
    bool any;
};

/* The library does not change the unit number in its parameter block, so the program's own stores tell it. */
static void unit_cb(void *arg, int obj, struct cs_pattern pat, int64_t size)
{
    struct unit_query *q = arg;
    const struct writers *ws = &q->l->writers[obj];
    for (int i = 0; i < ws->n; i++) {
        if (ws->w[i].kind == W_MODEL || !cs_pat_overlap(ws->w[i].pat, ws->w[i].size, pat, size))
            continue;
        const struct cs_stmt *s = &q->l->g->stmts[ws->w[i].stmt];
        int64_t c;
        if (s->kind == CS_STMT_STORE && ws->w[i].size == q->size && s->nuses &&
            cs_pts_constant(q->l->pts, s->uses[0], &c))
            cs_intset_add(&q->units, (int)c);
        else
            q->any = true;
    }
}

struct cs_intset cs_stored_in_block(struct cs_live *l, const struct cs_model *m, int64_t offset, int64_t size)
{
    assert(m->unit_value >= 0);
    struct unit_query q = {l, {0}, size, false};
    struct cs_ref ref = l->g->stmts[l->g->values[m->unit_value].def].load;
    ref.pat = cs_pat_at(offset);
    cs_pts_places(l->pts, &ref, unit_cb, &q);
    if (q.any)
        q.units.n = 0;
    return q.units;
}

/* May some OPEN connect this unit, 0 or 6, to a file? */
static bool std_opened(struct cs_live *l, int unit)
{
    for (int i = 0; i < l->ms->n && !l->std_known; i++) {
        const struct cs_model *m = &l->ms->m[i];
        if (!m->fx || m->fx->opens != CS_OPENS_UNIT || m->unit_value < 0 || !cs_live_reachable_stmt(l, m->stmt))
            continue;
        struct cs_intset units = cs_unit_numbers(l, m);
        for (int k = 0; k < 2; k++)
            l->std_opened[k] |= !units.n || cs_intset_has(&units, k ? 6 : 0);
        cs_intset_free(&units);
    }
    l->std_known = true;
    return l->std_opened[unit == 6];
}

/* Does no file lie behind this unit? */
bool cs_unit_terminal(struct cs_live *l, int unit)
{
    return unit == CS_STRING_UNIT || ((unit == 0 || unit == 6) && !std_opened(l, unit));
}

static bool terminal_unit(struct cs_live *l, const struct cs_model *m)
{
    struct cs_intset units = cs_unit_numbers(l, m);
    bool all = units.n > 0;
    for (int i = 0; i < units.n; i++)
        all &= cs_unit_terminal(l, units.a[i]);
    cs_intset_free(&units);
    return all;
}

/* Is each format that it may be a string without %n or %m, which make a call write through pointers? The plugin tells
 * by the names of string objects. A format that is built is read from its beginning. */
bool cs_live_harmless_format(struct cs_live *l, struct cs_operand format)
{
    const struct cs_intset *s = cs_pts_operand(l->pts, format);
    for (int i = 0; i < s->n; i++) {
        const struct cs_loc *loc = cs_pts_loc(l->pts, s->a[i]);
        bool built = loc->obj >= 0 && !loc->pat.off && !loc->pat.stride && cs_harmless_buffer(l, loc->obj);
        if (loc->obj < 0 ? loc->obj != CS_LOC_CONST : !built && !cs_obj_is_string(l->g, loc->obj))
            return false;
    }
    return s->n > 0;
}

/* A mode of fopen() that only reads? */
static bool reads_alone(const char *text)
{
    return *text == 'r' && strspn(text + 1, "btemcx") == strlen(text) - 1;
}

/* Fortran's status of a file that exists? */
static bool is_old(const char *text)
{
    return !strcasecmp(text, "old");
}

/* Is the operand always a string of this kind? To open a file so neither makes nor empties it. */
static bool is_always(struct cs_live *l, struct cs_operand op, bool (*kind)(const char *text))
{
    const struct cs_intset *s = cs_pts_operand(l->pts, op);
    bool is = false;
    for (int i = 0; i < s->n; i++) {
        const struct cs_loc *loc = cs_pts_loc(l->pts, s->a[i]);
        if (loc->obj == CS_LOC_INT)
            continue; /* the library's own data, in a parameter block */
        is = true;
        const char *text = loc->obj >= 0 ? cs_obj_text(l->g, loc->obj) : NULL;
        if (!text || loc->pat.off || loc->pat.stride || !kind(text))
            return false;
    }
    return is;
}

/* Is no pointer of the program there, only the library's own data? */
static bool no_pointer(struct cs_live *l, struct cs_operand op)
{
    const struct cs_intset *s = cs_pts_operand(l->pts, op);
    for (int i = 0; i < s->n; i++)
        if (cs_pts_loc(l->pts, s->a[i])->obj != CS_LOC_INT)
            return false;
    return true;
}

/* Has this form of the call no flags argument, or a constant one without the guard's bits? */
static bool without_bits(struct cs_live *l, const struct cs_mwrite *w)
{
    int64_t c;
    return w->guard_op.kind == CS_OPND_NONE || (cs_pts_constant(l->pts, w->guard_op, &c) && !(c & w->guard_bits));
}

/* May the stream be opened anew, with another mode? */
static bool reopened(struct cs_live *l, int obj)
{
    for (int i = 0; i < l->ms->n; i++) {
        const struct cs_model *m = &l->ms->m[i];
        if (!m->fx || strncmp(m->fx->name, "freopen", strlen("freopen")) || !cs_live_reachable_stmt(l, m->stmt))
            continue;
        for (int k = 0; k < m->nwrites; k++)
            if (m->writes[k].guard == CS_GUARD_STREAM && cs_pts_may_point_to(l->pts, m->writes[k].guard_op, obj))
                return true;
    }
    return false;
}

/* Is it standard output or error, and does it only write there? A buffer that the program gave it (std::ios::rdbuf) may
 * be that of a file. */
static bool is_terminal(struct cs_live *l, int obj)
{
    const char *name = cs_obj_name(l->g, obj);
    struct cs_intset given = {0};
    if (strcmp(name, "h:stdout") && strcmp(name, "h:stderr"))
        return false;
    cs_pts_stored(l->pts, obj, &given);
    bool none = !given.n;
    cs_intset_free(&given);
    return none;
}

/* Was the stream opened with modes that only read, and never opened anew? */
static bool stream_reads(struct cs_live *l, int obj)
{
    const struct cs_obj *o = &l->g->objs[obj];
    bool reads = false;
    if (reopened(l, obj))
        return false;
    for (int k = 0; o->kind == CS_OBJ_HEAP && o->stmt >= 0 && o->stmt < l->ms->nstmts && k < l->ms->of_stmt[o->stmt].n;
         k++) {
        const struct cs_model *m = &l->ms->m[l->ms->of_stmt[o->stmt].a[k]];
        for (int i = 0; i < m->nwrites; i++) {
            if (m->writes[i].guard != CS_GUARD_MODE)
                continue;
            if (!is_always(l, m->writes[i].guard_op, reads_alone))
                return false;
            reads = true;
        }
    }
    return reads;
}

bool cs_live_guarded(struct cs_live *l, const struct cs_model *m, const struct cs_mwrite *w)
{
    if (w->guard == CS_GUARD_FORMAT)
        return cs_live_harmless_format(l, w->guard_op);
    if (w->guard == CS_GUARD_MODE)
        return is_always(l, w->guard_op, reads_alone);
    if (w->guard == CS_GUARD_OLD)
        return is_always(l, w->guard_op, is_old);
    if (w->guard == CS_GUARD_BITS)
        return without_bits(l, w);
    if (w->guard == CS_GUARD_GIVEN)
        return no_pointer(l, w->guard_op);
    if (w->guard != CS_GUARD_STREAM)
        return false;
    if (m->unit_value >= 0)
        return terminal_unit(l, m);
    const struct cs_intset *s = cs_pts_operand(l->pts, w->guard_op);
    if (s->n == 0)
        return false;
    for (int i = 0; i < s->n; i++) {
        const struct cs_loc *loc = cs_pts_loc(l->pts, s->a[i]);
        if (loc->obj == CS_LOC_CONST && (loc->pat.off == 1 || loc->pat.off == 2))
            continue;
        if (loc->obj < 0)
            return false;
        if (!is_terminal(l, loc->obj) && !stream_reads(l, loc->obj))
            return false;
    }
    return true;
}

/* A found number may be any constant that is not preconnected, but no other found one: each has a row of ROW bytes, and
 * a constant one byte in each row. */
static void places_of_unit(struct unit_ctx *c, int unit, void (*fn)(struct unit_ctx *, struct cs_pattern, int64_t))
{
    if (cs_is_found(unit)) {
        fn(c, cs_pat_at(FOUND + (int64_t)CS_FOUND(unit) * ROW), ROW);
        return;
    }
    fn(c, cs_pat_at(unit >= 0 ? unit : OTHER), 1);
    if (unit <= 0 || unit == 5 || unit == 6)
        return;
    struct cs_pattern column = cs_pat_spread(cs_pat_at(FOUND + unit % ROW), ROW);
    column.lo = FOUND;
    fn(c, column, 1);
}

void cs_unit_places(struct cs_live *l, const struct cs_model *m,
                    void (*fn)(struct unit_ctx *, struct cs_pattern, int64_t), struct unit_ctx *c)
{
    if (cs_asks_connection(l, m)) {
        fn(c, cs_pat_at(CONNECTED), 1);
        return;
    }
    struct cs_intset units = cs_unit_numbers(l, m);
    if (m->fx && m->fx->tells) /* INQUIRE, perhaps by the name of a file: which unit is found by the library */
        units.n = 0;
    if (units.n == 0)
        fn(c, cs_pat_any(), CS_SIZE_UNKNOWN);
    for (int i = 0; i < units.n; i++)
        if (!cs_unit_terminal(c->l, units.a[i]))
            places_of_unit(c, units.a[i], fn);
    cs_intset_free(&units);
}

static void unit_writer(struct unit_ctx *c, struct cs_pattern pat, int64_t size)
{
    struct cs_ref r = {cs_opnd_addr(c->l->ms->unit_obj, pat), cs_pat_at(0), size};
    cs_live_add_writer(c->l, W_STORE, c->stmt, NO_EFFECT, &r);
}

/* May the call connect a unit to a file, or part them? Reading and writing do if nothing has: not a found unit, which
 * is found to be opened, nor a string. */
static bool connects(struct cs_live *l, const struct cs_model *m)
{
    struct cs_intset units = cs_unit_numbers(l, m);
    bool opens = m->fx && m->fx->opens == CS_OPENS_UNIT, closes = m->fx && !strcmp(m->fx->name, "_gfortran_st_close");
    bool may = opens || closes || !units.n;
    for (int i = 0; i < units.n; i++)
        may |= !cs_is_found(units.a[i]) && !cs_unit_terminal(l, units.a[i]);
    cs_intset_free(&units);
    return may;
}

/* Adds the writes to units. Comes after all other writers, which tell the unit numbers. */
void cs_unit_writers(struct cs_live *l)
{
    for (int i = 0; i < l->ms->n; i++) {
        struct unit_ctx c = {l, l->ms->m[i].stmt};
        if (!l->ms->m[i].unit_writes || !cs_live_reachable_stmt(l, c.stmt))
            continue;
        cs_unit_places(l, &l->ms->m[i], unit_writer, &c);
        if (connects(l, &l->ms->m[i]))
            unit_writer(&c, cs_pat_at(CONNECTED), 1);
    }
    cs_live_sort_writers(l, l->ms->unit_obj);
}

/* Does the row end what earlier calls began with its parameter block? */
static bool ends(const struct cs_model *m)
{
    for (int i = 0; m->fx && m->unit_arg >= 0 && i < m->fx->nops; i++)
        if (m->fx->ops[i].kind == CS_EFFECT_END && m->fx->ops[i].arg == m->unit_arg)
            return true;
    return false;
}

/* May the two operands be addresses in one object? */
static bool may_meet(struct cs_live *l, struct cs_operand a, struct cs_operand b)
{
    struct cs_intset locs = cs_intset_copy(cs_pts_operand(l->pts, a));
    bool meet = false;
    for (int i = 0; i < locs.n && !meet; i++) {
        int obj = cs_pts_loc(l->pts, locs.a[i])->obj;
        meet = obj >= 0 && cs_pts_may_point_to(l->pts, b, obj);
    }
    cs_intset_free(&locs);
    return meet;
}

void cs_unit_keep_end(struct cs_live *l, const struct cs_model *m)
{
    if (m->unit_arg < 0 || ends(m))
        return;
    struct cs_operand block = l->g->stmts[m->stmt].uses[m->unit_arg];
    for (int i = 0; i < l->ms->n; i++) {
        const struct cs_model *e = &l->ms->m[i];
        if (ends(e) && cs_live_reachable_stmt(l, e->stmt) && !l->g->stmts[e->stmt].keep &&
            may_meet(l, block, l->g->stmts[e->stmt].uses[e->unit_arg]))
            cs_mark_stmt(l, e->stmt, CS_WHY_MEMORY, m->stmt);
    }
}
