/* SPDX-License-Identifier: GPL-3.0-or-later
 * Which files a library call reads or changes: by the names, modes, streams and units with which the program opens
 * them. The hidden object fs_obj has bytes for each place of the program that names a file, as seen from there: one for
 * what is in the file, one for whether it is there. A call writes the bytes of all places that may name the same file.
 *
 *     byte 0                what the program itself does not read: its children, mapped memory, code that is not seen
 *     byte 1 + 2 * slot     content of the files that the places of this slot name
 *     byte 2 + 2 * slot     their existence
 *
 * If the user assumes that nothing reads back what the program writes (g->no_read_back), then what it writes has bytes
 * of its own, UNREAD further on. Asked for are these only where the run time cannot see the read: by code that is not
 * seen, mapped memory, children, INQUIRE, and calls that change which files there are, whose outcome depends on what is
 * there.
 */
#include "slicer/live/live_internal.h"
#include "slicer/model/mpich_abi.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Places beyond share the last slot; a place with more names may mean any. */
enum { MAX_SLOTS = 24, MAX_NAMES = 8, UNREAD = 2 * MAX_SLOTS + 1 };

/* What a file may be called: the text, or, of a prefix, what it begins with; no slash follows. */
struct name {
    const char *text;
    size_t len;
    bool prefix;
};
/* A place that names a file. */
struct site {
    int model;               /* -1: a unit that no OPEN connects, the standard input */
    bool reads, writes, any; /* any: the name is not known */
    bool unnamed;            /* no name is given for sure */
    int nnames, slot;
    struct name names[MAX_NAMES];
    struct cs_intset units; /* of OPEN; empty: any */
};
/* Places by which a stream may have been opened. */
struct sites {
    bool any;
    struct cs_intset at;
};

/* All places of the program that name files. of_obj has nobjs lists, by object, of numbers in `site`. */
struct cs_files {
    struct site *site;
    int nsites, asites;
    struct cs_intlist *of_obj; /* places that open what is reached through the object */
    int nobjs;
    bool renames;             /* a file may have several names */
    bool fds;                 /* descriptors may come from elsewhere than from open */
    int input;                /* the place that stands for the standard input */
    int nunread, last_unread; /* calls that write what nothing reads, as the user says; the statement of the last one */
};

/* ---- names ---- */

static const char *last_part(const struct name *n, size_t *len)
{
    const char *end = n->text + n->len, *p = end;
    while (p > n->text && p[-1] != '/')
        p--;
    *len = (size_t)(end - p);
    return p;
}

/* May a part of the path, one between slashes, be this one? `more`: or begin with it. */
static bool has_part(const struct name *n, const char *part, size_t len, bool more)
{
    for (const char *p = n->text, *end = p + n->len; p <= end;) {
        const char *slash = memchr(p, '/', (size_t)(end - p)), *stop = slash ? slash : end;
        size_t have = (size_t)(stop - p), both = have < len ? have : len;
        bool open = n->prefix && !slash;
        if (!strncasecmp(p, part, both) && (have == len || (open && have < len) || (more && have > len)))
            return true;
        p = stop + 1;
    }
    return false;
}

/* Names of devices, of descriptors, and of places in the tree tell nothing. */
static bool tells_nothing(const struct name *n)
{
    size_t len;
    const char *last = last_part(n, &len);
    return (!n->prefix && (len == 0 || !strncmp(last, ".", len) || !strncmp(last, "..", len))) ||
           (n->len >= 5 && !strncmp(n->text, "/dev/", 5)) || (n->len >= 6 && !strncmp(n->text, "/proc/", 6));
}

/* May the two mean one file, or one the folder of the other? Only the last part of each counts, since the working
 * folder can be any. */
static bool may_be_same_name(const struct name *a, const struct name *b)
{
    size_t na, nb;
    const char *la = last_part(a, &na), *lb = last_part(b, &nb);
    return has_part(a, lb, nb, b->prefix) || has_part(b, la, na, a->prefix);
}

static bool may_be_same(const struct cs_files *f, const struct site *a, const struct site *b)
{
    if (a == b || f->renames || a->any || b->any)
        return true;
    for (int i = 0; i < a->nnames; i++)
        for (int k = 0; k < b->nnames; k++)
            if (may_be_same_name(&a->names[i], &b->names[k]))
                return true;
    return false;
}

static void add_name(struct site *s, struct name n)
{
    if (s->nnames == MAX_NAMES || tells_nothing(&n))
        s->any = true;
    else
        s->names[s->nnames++] = n;
}

/* How the call of this model opens files; CS_OPENS_HANDLE: as MPI_File_open. */
enum { CS_OPENS_HANDLE = -5 };
static int opens(const struct cs_model *m)
{
    if (m->mpi)
        return cs_mpi_has_role(m->mpi, CS_ROLE_NEWFILE) ? CS_OPENS_HANDLE : CS_OPENS_NOTHING;
    return m->fx ? m->fx->opens : CS_OPENS_NOTHING;
}

/* Of a name that Fortran hands to MPI: its length is the last argument. 0: not known. */
static size_t length_behind(struct cs_live *l, const struct cs_model *m, const char *text)
{
    const struct cs_stmt *s = &l->g->stmts[m->stmt];
    size_t n = strlen(text);
    if (s->nuses <= m->mpi->nargs + 1 || s->uses[s->nuses - 1].kind != CS_OPND_CONST)
        return 0;
    int64_t len = s->uses[s->nuses - 1].pat.off;
    if (len >= 0 && (size_t)len < n)
        n = (size_t)len;
    while (n && text[n - 1] == ' ')
        n--;
    return n;
}

/* A Fortran name ends where its length says, and blanks at its end do not count. */
static size_t length_of(struct cs_live *l, const struct cs_model *m, const struct cs_mname *name, const char *text)
{
    size_t n = strlen(text);
    if (m->mpi && m->binding != CS_BIND_C)
        return length_behind(l, m, text);
    if (name->len_at < 0)
        return n;
    struct cs_intset lens = cs_stored_in_block(l, m, name->len_at, 8);
    if (lens.n != 1)
        n = 0;
    else if (lens.a[0] >= 0 && (size_t)lens.a[0] < n)
        n = (size_t)lens.a[0];
    cs_intset_free(&lens);
    while (n && text[n - 1] == ' ')
        n--;
    return n;
}

/* MPI may take what stands before a colon for the kind of file system, and it is no part of the name then; with or
 * without it the file may be the same as one that others open. */
static size_t kind_before(const char *text, size_t len)
{
    const char *colon = memchr(text, ':', len);
    return colon && !memchr(text, '/', (size_t)(colon - text)) ? (size_t)(colon - text) + 1 : 0;
}

static void add_both_names(struct site *s, struct name n)
{
    size_t kind = kind_before(n.text, n.len);
    add_name(s, n);
    if (kind)
        add_name(s, (struct name){n.text + kind, n.len - kind, n.prefix});
}

static void add_built(void *site, const char *text, size_t len, bool prefix)
{
    add_both_names(site, (struct name){text, len, prefix});
}

/* Adds what the file may be called. Without a pointer to a name (Fortran: there is no FILE=) it may be any. */
static void find_names(struct cs_live *l, struct site *s, const struct cs_model *m, const struct cs_mname *name)
{
    struct cs_intset locs = cs_intset_copy(cs_pts_operand(l->pts, name->op));
    int found = 0;
    for (int i = 0; i < locs.n; i++) {
        const struct cs_loc *at = cs_pts_loc(l->pts, locs.a[i]);
        if (name->len_at >= 0 && at->obj == CS_LOC_INT)
            continue; /* the library's own data */
        const char *text = at->obj >= 0 ? cs_obj_text(l->g, at->obj) : NULL;
        found++;
        if (at->pat.off || at->pat.stride)
            s->any = true;
        else if (!text)
            s->any |= name->len_at >= 0 || !cs_built_names(l, at->obj, add_built, s);
        else
            add_both_names(s, (struct name){text, length_of(l, m, name, text), false});
    }
    s->any |= !found;
    s->unnamed = !found;
    cs_intset_free(&locs);
}

/* ---- modes ---- */

/* Narrows what the place does by each constant that the mode may be. */
static void by_mode_string(struct cs_live *l, struct site *s, struct cs_operand op, bool action)
{
    struct cs_intset locs = cs_intset_copy(cs_pts_operand(l->pts, op));
    bool reads = false, writes = false;
    for (int i = 0; i < locs.n; i++) {
        const struct cs_loc *at = cs_pts_loc(l->pts, locs.a[i]);
        if (action && at->obj == CS_LOC_INT)
            continue;
        const char *t = at->obj >= 0 && !at->pat.off && !at->pat.stride ? cs_obj_text(l->g, at->obj) : NULL;
        bool both = !t || !*t || (action ? strlen(t) > 5 : strchr(t, '+') != NULL);
        reads |= both || tolower((unsigned char)*t) == 'r';
        writes |= both || tolower((unsigned char)*t) != 'r';
    }
    if (reads || writes) {
        s->reads = reads;
        s->writes = writes;
    }
    cs_intset_free(&locs);
}

static void by_flags(struct cs_live *l, struct site *s, const struct cs_model *m)
{
    enum { ACCMODE = 3, IOS_IN = 8, IOS_CHANGES = 1 | 16 | 32 };
    int64_t flags;
    bool known = m->access.kind != CS_OPND_NONE && cs_pts_constant(l->pts, m->access, &flags);
    if (!known)
        return;
    bool posix = m->fx->access == CS_ACCESS_POSIX;
    s->reads = posix ? (flags & ACCMODE) != 1 : (flags & IOS_IN) || m->fx->access == CS_ACCESS_IN;
    s->writes = posix ? (flags & ACCMODE) != 0 : (flags & IOS_CHANGES) || m->fx->access == CS_ACCESS_OUT;
}

/* By the mode of MPI_File_open. */
static void by_amode(struct cs_live *l, struct site *s, const struct cs_model *m)
{
    int64_t amode;
    if (m->access.kind == CS_OPND_NONE || !cs_pts_constant(l->pts, m->access, &amode))
        return;
    s->reads = !(amode & CS_MPICH_MODE_WRONLY);
    s->writes = !(amode & CS_MPICH_MODE_RDONLY) || (amode & (CS_MPICH_MODE_CREATE | CS_MPICH_MODE_DELETE_ON_CLOSE));
}

static void find_access(struct cs_live *l, struct site *s, const struct cs_model *m)
{
    if (m->mpi) {
        by_amode(l, s, m);
        return;
    }
    switch (m->fx->access) {
    case CS_ACCESS_C: by_mode_string(l, s, m->access, false); break;
    case CS_ACCESS_ACTION: by_mode_string(l, s, m->access, true); break;
    case CS_ACCESS_BOTH: break;
    default: by_flags(l, s, m);
    }
}

/* ---- places that name files ---- */

static struct site *new_site(struct cs_files *f, int model)
{
    CS_GROW(f->site, f->nsites, f->asites);
    struct site *s = &f->site[f->nsites];
    *s = (struct site){.model = model, .reads = true, .writes = true};
    s->slot = f->nsites < MAX_SLOTS ? f->nsites : MAX_SLOTS - 1;
    f->nsites++;
    return s;
}

static void note_opened(struct cs_files *f, int obj, int site)
{
    if (obj >= 0 && obj < f->nobjs)
        cs_intlist_add(&f->of_obj[obj], site);
}

/* Notes through which objects the file is reached that model number mi opens. */
static void find_opened(struct cs_live *l, struct cs_files *f, int mi)
{
    const struct cs_model *m = &l->ms->m[mi];
    int site = f->nsites - 1, how = opens(m);
    enum cs_obj_kind kind = how == CS_OPENS_HANDLE ? CS_OBJ_HANDLE : CS_OBJ_HEAP;
    if (how == CS_OPENS_UNIT)
        f->site[site].units = cs_unit_numbers(l, m);
    for (int o = 0; o < f->nobjs && (how == CS_OPENS_RET || how == CS_OPENS_HANDLE); o++)
        if (l->g->objs[o].kind == kind && l->g->objs[o].stmt == m->stmt)
            note_opened(f, o, site);
    if (how < 0)
        return;
    const struct cs_intset *locs = cs_pts_operand(l->pts, l->g->stmts[m->stmt].uses[how]);
    for (int i = 0; i < locs->n; i++)
        note_opened(f, cs_pts_loc(l->pts, locs->a[i])->obj, site);
}

static void find_site(struct cs_live *l, struct cs_files *f, int mi)
{
    const struct cs_model *m = &l->ms->m[mi];
    if (opens(m) == CS_OPENS_NOTHING && !m->nnames)
        return;
    struct site *s = new_site(f, mi);
    s->any = !m->nnames;
    for (int k = 0; k < m->nnames; k++)
        find_names(l, s, m, &m->names[k]);
    find_access(l, s, m);
    if (opens(m) != CS_OPENS_NOTHING && opens(m) < l->g->stmts[m->stmt].nuses)
        find_opened(l, f, mi);
}

/* The file fort.N of a unit that no OPEN connects: one place for each unit that is used, and one for all others. */
static int unit_site(struct cs_live *l, int unit)
{
    struct cs_files *f = l->files;
    char text[24] = "fort.";
    for (int i = 0; i < f->nsites; i++)
        if (f->site[i].model < 0 && i != f->input &&
            (f->site[i].units.n ? cs_intset_has(&f->site[i].units, unit) : unit < 0))
            return i;
    struct site *s = new_site(f, -1);
    s->any = unit == 0 || unit == 5 || unit == 6; /* the standard streams, and what they are connected to */
    if (unit >= 0) {
        snprintf(text, sizeof text, "fort.%d", unit);
        cs_intset_add(&s->units, unit);
    }
    const char *kept = cs_graph_str(l->g, cs_graph_string(l->g, text));
    s->names[s->nnames++] = (struct name){kept, strlen(kept), unit < 0};
    return f->nsites - 1;
}

/* ---- streams ---- */

static void all_sites(struct sites *s)
{
    s->any = true;
}

/* Is it memory of which a row says that it holds what a file is read or written through, but not which one? */
static bool stream_of_row(struct cs_live *l, int obj)
{
    const struct cs_obj *o = &l->g->objs[obj];
    if (o->kind != CS_OBJ_HEAP || o->stmt < 0 || o->stmt >= l->ms->nstmts)
        return false;
    for (int k = 0; k < l->ms->of_stmt[o->stmt].n; k++) {
        const struct cs_effect *fx = l->ms->m[l->ms->of_stmt[o->stmt].a[k]].fx;
        if (!fx || fx->opens != CS_OPENS_NOTHING || (fx->ret != CS_RET_NEW && !strcmp(fx->file, "effects.tab")))
            continue;
        for (int i = 0; i < fx->nops; i++)
            if ((fx->ops[i].kind == CS_EFFECT_HIDDEN && !strcmp(fx->ops[i].state, "fs")) ||
                (fx->ops[i].kind >= CS_EFFECT_FSWRITE && fx->ops[i].kind <= CS_EFFECT_FSREAD))
                return true;
    }
    return false;
}

/* Adds the places by which the stream in this object may have been opened; the object may lead to its buffer. */
static void sites_of_object(struct cs_live *l, int obj, struct sites *out)
{
    const struct cs_files *f = l->files;
    const char *name = cs_obj_name(l->g, obj);
    if (cs_pts_is_stand_in(l->pts, obj) || cs_pts_lost(l->pts, obj)) {
        all_sites(out);
        return;
    }
    bool standard = l->g->objs[obj].kind == CS_OBJ_HIDDEN &&
                    (!strcmp(name, "h:stdin") || !strcmp(name, "h:stdout") || !strcmp(name, "h:stderr"));
    if (!standard && (obj >= f->nobjs || l->g->objs[obj].kind == CS_OBJ_HIDDEN || l->g->objs[obj].kind == CS_OBJ_FUNC ||
                      l->g->objs[obj].external || cs_pts_escaped(l->pts, obj) || stream_of_row(l, obj))) {
        if (l->g->objs[obj].kind != CS_OBJ_FUNC && !l->g->objs[obj].readonly)
            all_sites(out);
        return;
    }
    if (!strcmp(name, "h:stdin"))
        cs_intset_add(&out->at, f->input);
    for (int i = 0; i < f->of_obj[obj].n; i++)
        cs_intset_add(&out->at, f->of_obj[obj].a[i]);
}

static void sites_of_objects(struct cs_live *l, struct cs_intset *objs, struct sites *out)
{
    enum { MAX_DEPTH = 4, MAX_OBJECTS = 200 }; /* stream, buffer, and what a stream of the program's own leads to */
    const struct cs_obj *o;
    for (int depth = 0; depth < MAX_DEPTH && !out->any; depth++) {
        struct cs_intset next = {0};
        for (int i = 0; i < objs->n && !out->any; i++) {
            sites_of_object(l, objs->a[i], out);
            o = &l->g->objs[objs->a[i]];
            if (depth == 0 || (o->kind != CS_OBJ_HIDDEN && o->kind != CS_OBJ_FUNC)) /* 0: std::cout with a buffer */
                cs_pts_stored(l->pts, objs->a[i], &next);
        }
        int before = objs->n;
        for (int i = 0; i < next.n; i++)
            cs_intset_add(objs, next.a[i]);
        cs_intset_free(&next);
        if (objs->n == before)
            return;
        if (objs->n > MAX_OBJECTS || depth == MAX_DEPTH - 1)
            all_sites(out);
    }
}

static bool uses_descriptor(const struct cs_model *m)
{
    for (int i = 0; m->fx && i < m->fx->nops; i++)
        if (m->fx->ops[i].kind == CS_EFFECT_HIDDEN && m->fx->ops[i].hid_write && !strcmp(m->fx->ops[i].state, "fd"))
            return true;
    return false;
}

static void sites_of_descriptor(struct cs_live *l, int64_t fd, struct sites *out)
{
    const struct cs_files *f = l->files;
    if (fd > 0 || f->fds) {
        all_sites(out);
        return;
    }
    if (fd == 0)
        cs_intset_add(&out->at, f->input);
    for (int i = 0; i < f->nsites && fd < 0; i++)
        if (f->site[i].model >= 0 && opens(&l->ms->m[f->site[i].model]) == CS_OPENS_FD)
            cs_intset_add(&out->at, i);
}

static void sites_of_unit(struct cs_live *l, const struct cs_model *m, struct sites *out)
{
    struct cs_files *f = l->files;
    struct cs_intset units = cs_unit_numbers(l, m);
    for (int i = 0; i < f->nsites; i++) {
        const struct site *s = &f->site[i];
        if (s->model < 0 || opens(&l->ms->m[s->model]) != CS_OPENS_UNIT)
            continue;
        bool may = !units.n;
        for (int k = 0; k < units.n; k++)
            may |= !cs_unit_terminal(l, units.a[k]) && (!s->units.n || cs_unit_meets(&s->units, units.a[k]));
        if (may)
            cs_intset_add(&out->at, i);
    }
    for (int k = 0; k < units.n; k++)
        if (units.a[k] >= 0 && !cs_unit_terminal(l, units.a[k]))
            cs_intset_add(&out->at, unit_site(l, units.a[k]));
    for (int i = 0; i < f->nsites && !units.n; i++)
        if (f->site[i].model < 0)
            cs_intset_add(&out->at, i);
    if (!units.n)
        cs_intset_add(&out->at, unit_site(l, -1));
    cs_intset_free(&units);
}

/* The places by which the stream, descriptor or unit may have been opened. The caller frees out->at. */
static void sites_of_stream(struct cs_live *l, const struct cs_model *m, struct cs_operand stream, struct sites *out)
{
    *out = (struct sites){0};
    if (m->unit_value >= 0) {
        if (!cs_asks_connection(l, m))
            sites_of_unit(l, m, out);
        return;
    }
    struct cs_intset locs = cs_intset_copy(cs_pts_operand(l->pts, stream)), objs = {0};
    bool fd = uses_descriptor(m);
    if (!locs.n || stream.kind == CS_OPND_NONE)
        all_sites(out);
    for (int i = 0; i < locs.n && !out->any; i++) {
        const struct cs_loc *at = cs_pts_loc(l->pts, locs.a[i]);
        if (at->obj >= 0)
            cs_intset_add(&objs, at->obj);
        else if (fd && at->obj == CS_LOC_CONST && (at->pat.off == 1 || at->pat.off == 2))
            continue;
        else if (fd)
            sites_of_descriptor(l, at->obj == CS_LOC_CONST ? at->pat.off : -1, out);
        else if (at->obj != CS_LOC_CONST || at->pat.off || locs.n == 1)
            all_sites(out);
    }
    sites_of_objects(l, &objs, out);
    cs_intset_free(&locs);
    cs_intset_free(&objs);
}

/* ---- what a call writes ---- */

static int content_at(const struct site *s)
{
    return 1 + 2 * s->slot;
}

static void write_byte(struct cs_live *l, int stmt, struct effect_no no, int64_t at)
{
    struct cs_ref r = {cs_opnd_addr(l->ms->fs_obj, cs_pat_at(at)), cs_pat_at(0), 1};
    cs_live_add_writer(l, W_MODEL, stmt, no, &r);
}

/* How a call changes files: what is in those that are open; the same of a unit, which may open one by itself; or
 * which there are. */
enum change { CONTENT, UNIT, FILES };

static bool changes(const struct site *s, enum change what, bool existence)
{
    if (what == FILES)
        return true;
    return s->writes && (!existence || (what == UNIT && s->model < 0));
}

/* Does a call that changes these files change what is seen from place j? */
static bool reaches(const struct cs_files *f, const struct sites *s, int j, enum change what, bool existence)
{
    if (s->any && what != CONTENT)
        return true;
    if (s->any)
        return !existence;
    for (int i = 0; i < s->at.n; i++) {
        const struct site *from = &f->site[s->at.a[i]];
        if (changes(from, what, existence) && may_be_same(f, from, &f->site[j]))
            return true;
    }
    return false;
}

/* Is it a write that nothing reads, as the user says? What there is in folders is left as it is, but for files that are
 * made and emptied by opening them, and for those that get another name: it decides whether a file can be opened. */
static bool unread(const struct cs_live *l, const struct cs_model *m, enum change what)
{
    return l->g->no_read_back && !m->opaque && m->fx &&
           (what != FILES || m->fx->moves || (m->fx->opens != CS_OPENS_NOTHING && !m->fx->renames));
}

static void write_sites(struct cs_live *l, const struct cs_model *m, struct effect_no no, const struct sites *s,
                        enum change what)
{
    bool apart = unread(l, m, what);
    if (apart && l->files->last_unread != m->stmt) {
        l->files->last_unread = m->stmt;
        l->files->nunread++;
    }
    const struct cs_files *f = l->files;
    bool done[2 * MAX_SLOTS + 1] = {false};
    write_byte(l, m->stmt, no, 0);
    for (int j = 0; j < f->nsites; j++)
        for (int existence = 0; existence < 2; existence++) {
            int at = content_at(&f->site[j]) + existence;
            if (done[at] || !reaches(f, s, j, what, existence))
                continue;
            done[at] = true;
            write_byte(l, m->stmt, no, apart ? UNREAD + at : at);
        }
}

static int site_of_model(const struct cs_files *f, int mi)
{
    for (int i = 0; i < f->nsites; i++)
        if (f->site[i].model == mi)
            return i;
    return -1;
}

/* Opened in a way in which nothing is made, and nothing can be written? */
static bool only_reads(const struct cs_model *m, const struct site *s)
{
    return !s->writes && (m->mpi || m->fx->access == CS_ACCESS_C || m->fx->access == CS_ACCESS_ACTION);
}

static void file_writer(struct cs_live *l, int mi, int item)
{
    const struct cs_model *m = &l->ms->m[mi];
    const struct cs_mwrite *w = &m->writes[item];
    struct sites s = {0};
    int own = m->nnames ? site_of_model(l->files, mi) : -1;
    enum change what = w->guard != CS_GUARD_STREAM ? FILES : m->unit_value >= 0 ? UNIT : CONTENT;
    if (w->guard == CS_GUARD_STREAM || w->guard == CS_GUARD_GIVEN)
        sites_of_stream(l, m, w->guard_op, &s);
    else if (own >= 0 && only_reads(m, &l->files->site[own]))
        return;
    else if (own >= 0)
        cs_intset_add(&s.at, own);
    else
        s.any = true;
    write_sites(l, m, (struct effect_no){mi, item}, &s, what);
    cs_intset_free(&s.at);
}

/* ---- what a call reads ---- */

static const struct cs_model *model_of_read(struct cs_live *l, int at)
{
    int call = at >= 0 ? l->point[at] : -1;
    for (int k = 0; call >= 0 && call < l->ms->nstmts && k < l->ms->of_stmt[call].n; k++) {
        const struct cs_model *m = &l->ms->m[l->ms->of_stmt[call].a[k]];
        for (int i = 0; i < m->pseudo.n; i++)
            if (m->pseudo.a[i] == at)
                return m;
    }
    return NULL;
}

/* Does the call itself change files? */
static bool changes_files(const struct cs_live *l, const struct cs_model *m)
{
    for (int k = 0; k < m->nwrites; k++)
        if (cs_files_is_change(l, &m->writes[k]))
            return true;
    return false;
}

/* What a call reads through a stream that this place may have opened. To end a stream, or to write to it, reads nothing
 * from one that only writes; a position or a size depends on what is there all the same (fopen(name, "a"), ftell()).
 * The run time sees who opens a file to read, but not who asks where the end of a file is that is open to write. */
static void read_site(struct cs_live *l, const struct cs_model *m, const struct site *s,
                      void (*fn)(void *arg, struct cs_pattern pat, int64_t size), void *arg)
{
    if (s->reads || !changes_files(l, m))
        fn(arg, cs_pat_at(content_at(s)), 1);
    if ((m->mpi || m->fx->tells) && s->writes && l->g->no_read_back)
        fn(arg, cs_pat_at(UNREAD + content_at(s)), 1);
}

void cs_files_read(struct cs_live *l, int at, void (*fn)(void *arg, struct cs_pattern pat, int64_t size), void *arg)
{
    const struct cs_files *f = l->files;
    const struct cs_model *m = model_of_read(l, at);
    int own = m ? site_of_model(f, (int)(m - l->ms->m)) : -1;
    bool open = m && opens(m) != CS_OPENS_NOTHING;
    /* INQUIRE has a name or a unit; with any name it reads what any unit may mean. */
    if (own >= 0 && m->nnames && (open || !m->reads_through || !f->site[own].unnamed)) {
        int at = content_at(&f->site[own]);
        bool all = l->g->no_read_back && !open && (m->mpi || m->fx->tells || changes_files(l, m));
        if (!open)
            fn(arg, cs_pat_at(at), 1);
        fn(arg, cs_pat_at(at + 1), 1);
        if (all)
            fn(arg, cs_pat_at(UNREAD + at), 2);
        return;
    }
    if (!m || !m->reads_through) {
        fn(arg, cs_pat_any(), CS_SIZE_UNKNOWN);
        return;
    }
    struct sites s;
    sites_of_stream(l, m, m->stream, &s);
    if (s.any)
        fn(arg, cs_pat_at(1), m->mpi || m->fx->tells ? CS_SIZE_UNKNOWN : UNREAD - 1);
    for (int i = 0; i < s.at.n && !s.any; i++)
        read_site(l, m, &f->site[s.at.a[i]], fn, arg);
    cs_intset_free(&s.at);
}

/* The places by which the file of an MPI call may have been opened: its own, or those of its handle. */
static void sites_of_mpi(struct cs_live *l, const struct cs_model *m, struct sites *out)
{
    int own = site_of_model(l->files, (int)(m - l->ms->m));
    *out = (struct sites){0};
    if (own >= 0)
        cs_intset_add(&out->at, own);
    else
        sites_of_stream(l, m, m->stream, out);
}

bool cs_files_meet(struct cs_live *l, const struct cs_model *a, const struct cs_model *b)
{
    struct sites x, y;
    sites_of_mpi(l, a, &x);
    sites_of_mpi(l, b, &y);
    bool meet = x.any || y.any;
    for (int i = 0; i < x.at.n && !meet; i++)
        for (int k = 0; k < y.at.n && !meet; k++)
            meet = may_be_same(l->files, &l->files->site[x.at.a[i]], &l->files->site[y.at.a[k]]);
    cs_intset_free(&x.at);
    cs_intset_free(&y.at);
    return meet;
}

/* ---- set-up ---- */

void cs_files_prepare(struct cs_live *l)
{
    struct cs_files *f = l->files = cs_calloc(1, sizeof *f);
    f->nobjs = l->nobjs;
    f->of_obj = cs_calloc(f->nobjs + 1, sizeof *f->of_obj);
    f->input = 0;
    f->last_unread = -1;
    *new_site(f, -1) = (struct site){.model = -1, .reads = true, .any = true};
    for (int i = 0; i < l->ms->n; i++) {
        const struct cs_model *m = &l->ms->m[i];
        if (!cs_live_reachable_stmt(l, m->stmt))
            continue;
        f->renames |= m->opaque || (m->fx && m->fx->renames);
        f->fds |= m->opaque || (m->fx && m->fx->opens == CS_OPENS_FD && !m->nnames);
        find_site(l, f, i);
    }
    for (int i = 0; i < l->ms->n; i++)
        if (l->ms->m[i].unit_value >= 0 && cs_live_reachable_stmt(l, l->ms->m[i].stmt)) {
            struct sites s = {0};
            sites_of_unit(l, &l->ms->m[i], &s); /* makes the places of units that no OPEN connects */
            cs_intset_free(&s.at);
        }
    for (int i = 0; i < l->ms->n; i++)
        for (int k = 0; k < l->ms->m[i].nwrites && cs_live_reachable_stmt(l, l->ms->m[i].stmt); k++)
            if (cs_files_is_change(l, &l->ms->m[i].writes[k]))
                file_writer(l, i, k);
}

int cs_live_unread(const struct cs_live *l)
{
    return l->files->nunread;
}

bool cs_files_is_change(const struct cs_live *l, const struct cs_mwrite *w)
{
    return w->ref.base.kind == CS_OPND_ADDR && w->ref.base.id == l->ms->fs_obj;
}

void cs_files_free(struct cs_live *l)
{
    struct cs_files *f = l->files;
    for (int i = 0; i < f->nsites; i++)
        cs_intset_free(&f->site[i].units);
    for (int o = 0; o < f->nobjs; o++)
        cs_intlist_free(&f->of_obj[o]);
    free(f->of_obj);
    free(f->site);
    free(f);
}
