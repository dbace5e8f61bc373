/* SPDX-License-Identifier: GPL-3.0-or-later
 * Texts that the program puts together in a buffer that only sprintf() and its kin fill. Of names of files, with what
 * they begin, such as "out/step" of sprintf(name, "out/step%d.dat", n): only numbers may follow, as a text could bring
 * a slash, and with it another file. Of formats, as of sprintf(format, "%%-%ds", width), whether they may hold %n or
 * %m. */
#include "slicer/live/live_internal.h"

#include <string.h>

/* The functions: which argument is the format, and which the size, -1: there is none. */
struct printer {
    const char *name;
    int format, size;
};

static const struct printer *printer_of(const struct cs_model *m)
{
    static const struct printer printers[] = {
        {"sprintf", 1, -1}, {"__sprintf_chk", 3, -1}, {"snprintf", 2, 1}, {"__snprintf_chk", 4, 1}};
    for (size_t i = 0; m->fx && i < sizeof printers / sizeof *printers; i++)
        if (!strcmp(m->fx->name, printers[i].name))
            return &printers[i];
    return NULL;
}

/* The constant text of a place, NULL: it is none. */
static const char *text_of(const struct cs_live *l, int loc)
{
    const struct cs_loc *at = cs_pts_loc(l->pts, loc);
    return at->obj >= 0 && !at->pat.off && !at->pat.stride ? cs_obj_text(l->g, at->obj) : NULL;
}

/* Does nothing but digits, points, signs and text without a slash follow, as the rest of this format? */
static bool flat(const char *rest)
{
    for (; *rest; rest++) {
        if (*rest == '/')
            return false;
        if (*rest != '%' || *++rest == '%')
            continue;
        rest += strspn(rest, "0123456789.-+ #hlzjtq");
        if (!*rest || !strchr("diuxXofFeEgG", *rest))
            return false;
    }
    return true;
}

/* May what is printed by this format be a format with %n or %m? What may stand between % and its letter is not looked
 * at, and a whole number could be all of it. Other numbers and texts may bring letters: `nan`. */
static bool prints_directive(const char *text)
{
    bool open = false; /* is there a % before, and nothing since that ends its directive? */
    for (; *text; text++) {
        if (*text == '%' && text[1] != '%') {
            text += 1 + strspn(text + 1, "0123456789.-+ hlzjtq");
            if (!*text || !strchr("diu", *text))
                return true;
            continue;
        }
        text += *text == '%';
        if (open && (*text == 'n' || *text == 'm'))
            return true;
        open = *text == '%' || (open && strchr("0123456789$.*'+-# hlLjztqIw", *text));
    }
    return false;
}

/* Gives the names that one call writes to the buffer of `room` bytes; false if they may be any. */
static bool printed(struct cs_live *l, const struct cs_model *m, const struct printer *p, int64_t room, cs_name_fn *fn,
                    void *arg)
{
    const struct cs_stmt *s = &l->g->stmts[m->stmt];
    int64_t size;
    if (p->format >= s->nuses)
        return false;
    if (p->size >= 0 && !cs_pts_constant(l->pts, s->uses[p->size], &size))
        return false;
    if (p->size >= 0 && (room < 0 || size < room))
        room = size; /* what does not fit is cut off */
    const struct cs_intset *formats = cs_pts_operand(l->pts, s->uses[p->format]);
    for (int i = 0; i < formats->n; i++) {
        const char *text = text_of(l, formats->a[i]);
        size_t n = text ? strcspn(text, "%") : 0;
        if (!n || !flat(text + n) || (room >= 0 && (int64_t)n >= room))
            return false;
        fn(arg, text, n, text[n] != 0);
    }
    return formats->n > 0;
}

/* Is it a buffer of which all writers are seen? */
static bool is_buffer(const struct cs_live *l, int obj)
{
    return obj >= 0 && !l->g->objs[obj].external && l->g->objs[obj].kind != CS_OBJ_HIDDEN &&
           !cs_pts_escaped(l->pts, obj) && !cs_pts_lost(l->pts, obj) && obj != l->all;
}

/* Soundness: nothing but these calls writes to the buffer, all of them to its beginning, and nobody who is not seen
 * does. So whatever is read from it after any of them begins with one of their prefixes, in whatever order they run. A
 * buffer that is read before is not a name: it holds nothing that the program put there, or, of a variable that exists
 * once, the empty name, which opens no file. */
bool cs_built_names(struct cs_live *l, int obj, cs_name_fn *fn, void *arg)
{
    if (!is_buffer(l, obj))
        return false;
    const struct writers *ws = &l->writers[obj];
    int64_t room = l->g->objs[obj].size;
    bool any = false;
    for (int i = 0; i < ws->n; i++) {
        const struct cs_model *m = ws->w[i].kind == W_MODEL ? cs_writer_model(l, &ws->w[i]) : NULL;
        const struct printer *p = m ? printer_of(m) : NULL;
        if (m && cs_live_guarded(l, m, cs_writer_write(l, &ws->w[i])))
            continue; /* printf("%s", name) does not write to it */
        if (!m || ws->w[i].pat.off || ws->w[i].pat.stride || !p)
            return false;
        if (!printed(l, m, p, room, fn, arg))
            return false;
        any = true;
    }
    return any;
}

static bool prints_harmless(const struct cs_live *l, const struct cs_model *m, const struct printer *p)
{
    const struct cs_stmt *s = &l->g->stmts[m->stmt];
    const struct cs_intset *formats = p->format < s->nuses ? cs_pts_operand(l->pts, s->uses[p->format]) : NULL;
    for (int i = 0; formats && i < formats->n; i++) {
        const char *text = text_of(l, formats->a[i]);
        if (!text || prints_directive(text))
            return false;
    }
    return formats && formats->n > 0;
}

/* Soundness: as above, and what stood in the buffer at first is nothing. A call that prints by the format itself writes
 * through what its arguments point to, if to the buffer: such a buffer is none of these, whatever it holds. What is cut
 * off ends a directive early, and never makes one. */
bool cs_harmless_buffer(struct cs_live *l, int obj)
{
    if (!is_buffer(l, obj) || l->g->objs[obj].ninits)
        return false;
    const struct writers *ws = &l->writers[obj];
    bool any = false;
    for (int i = 0; i < ws->n; i++) {
        const struct cs_model *m = ws->w[i].kind == W_MODEL ? cs_writer_model(l, &ws->w[i]) : NULL;
        const struct printer *p = m ? printer_of(m) : NULL;
        if (!p || ws->w[i].pat.off || ws->w[i].pat.stride || !prints_harmless(l, m, p))
            return false;
        any = true;
    }
    return any;
}
