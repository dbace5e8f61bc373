/* SPDX-License-Identifier: BSD-3-Clause
 * Follows chains of reasons, and joins steps that people see as one; why_chain.h. */
#include "cli/show/why_chain.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "cli/frame/text.h"
#include "cli/show/readable.h"
#include "cli/show/why_names.h"
#include "cli/show/why_short.h"

/* Of a value that GCC made of parts of an object in a header, in a function of another file, the statement of that file
 * that uses it first; NULL: it has its own place. */
static const struct cs_slice_stmt *first_user(const struct cs_slice_info *s, const struct cs_slice_stmt *st)
{
    bool known = st->func >= 0 && (size_t)st->func < s->nfuncs;
    const char *file = known ? s->func[st->func].file : st->file;
    if (!strcmp(st->file, file) || st->kind != CS_WHY_DATA)
        return NULL;
    const struct cs_slice_stmt *user = cs_slice_stmt(s, st->parent);
    return user && user->func == st->func && !strcmp(user->file, file) ? user : NULL;
}

static void find_place(const struct cs_slice_info *s, struct cs_why_step *step)
{
    const struct cs_slice_at *at = cs_slice_at(s, step->st->id);
    int id = step->st->text[0] == '(' ? step->st->parent : -1;
    const struct cs_slice_step *own = id >= 0 ? cs_slice_step(s, id) : NULL;
    const struct cs_slice_stmt *user = id >= 0 ? cs_slice_stmt(s, own ? own->stmt : id) : NULL;
    if (!at && user && user->line == step->st->line && !strcmp(user->file, step->st->file))
        at = cs_slice_at(s, user->id); /* of what a call reads, that of the call */
    bool users = at && at->line > 0;
    step->file = users ? at->file : step->st->file;
    step->line = users ? at->line : step->st->line;
    step->library = at && !users;
}

struct cs_why_step cs_why_first(const struct cs_slice_info *s, const struct cs_slice_stmt *st)
{
    if (!st)
        return (struct cs_why_step){0};
    struct cs_why_step step = {st,   st->id, st->kind, st->kind_name, st->parent, false, cs_slice_by(s, st->id),
                               NULL, 0,      false};
    find_place(s, &step);
    return step;
}

/* A step on the way; the one that was asked for stays where it was asked for. */
static void move_to_user(const struct cs_slice_info *s, struct cs_why_step *step)
{
    const struct cs_slice_stmt *user =
        step->st && !cs_slice_at(s, step->st->id) && step->file == step->st->file ? first_user(s, step->st) : NULL;
    if (!user)
        return;
    step->file = user->file;
    step->line = user->line;
}

struct cs_why_step cs_why_next(const struct cs_slice_info *s, const struct cs_why_step *at)
{
    int id = at->kind == CS_WHY_ROOT ? -1 : at->parent;
    const struct cs_slice_step *own = id >= 0 ? cs_slice_step(s, id) : NULL;
    struct cs_why_step step = cs_why_first(s, id < 0 ? NULL : cs_slice_stmt(s, own ? own->stmt : id));
    move_to_user(s, &step);
    if (!own || !step.st)
        return step;
    step.id = id;
    step.kind = own->kind;
    step.kind_name = own->kind_name;
    step.parent = own->parent;
    step.message = own->message;
    step.by = cs_slice_by(s, id);
    return step;
}

size_t cs_why_most(const struct cs_slice_info *s)
{
    return s->nstmts + s->nsteps + 1;
}

const char *cs_why_function(const struct cs_slice_info *s, const struct cs_slice_stmt *st)
{
    return st->func >= 0 && (size_t)st->func < s->nfuncs ? s->func[st->func].name : NULL;
}

/* Do the two lines of a file belong to one statement of C that goes over a few lines? */
static bool one_statement(struct cs_sources *lines, const struct cs_why_step *a, const struct cs_why_step *b)
{
    enum { LINES = 6 };
    int from = a->line < b->line ? a->line : b->line, to = a->line < b->line ? b->line : a->line;
    if (a->message || a->kind != CS_WHY_DATA || !from || to - from > LINES || strcmp(a->file, b->file) != 0)
        return false;
    for (int i = from; i < to; i++) {
        const char *text = cs_source_line(lines, a->file, i);
        if (cs_why_is_fortran(a->file) || !text || !*text || strchr(";{}/\\:", text[strlen(text) - 1]) ||
            strstr(text, "//"))
            return false;
    }
    return true;
}

/* Steps that need each other inside one line say nothing: its values, its conditions, what it writes and reads again,
 * what a call sends and the call, what all ranks give to a collective call. So do steps inside a library, and those
 * that have no line, as what a function returns at its end. */
static bool same_place(struct cs_sources *lines, const struct cs_why_step *a, const struct cs_why_step *b)
{
    if (!b->st)
        return false;
    if (a->library && b->library)
        return true;
    if (a->st->func != b->st->func)
        return false;
    if (b->library && a->kind != CS_WHY_CALL && a->kind != CS_WHY_EFFECT)
        return true;
    if (b->line == 0 && a->kind == CS_WHY_DATA)
        return true;
    if (one_statement(lines, a, b))
        return true;
    bool plain = !a->message || b->message, passes = a->kind == CS_WHY_CALL || a->kind == CS_WHY_EFFECT;
    return plain && !passes && a->line == b->line && a->line > 0 && strcmp(a->file, b->file) == 0 &&
           a->kind != CS_WHY_RETURN && a->kind != CS_WHY_PARAM && cs_source_line(lines, a->file, a->line);
}

bool cs_why_is_merge(const struct cs_why_step *at)
{
    return at->st && strstr(at->st->text, " = PHI <");
}

/* Is what the step defines no variable of the source? */
static bool is_nameless(const struct cs_why_step *at)
{
    char name[128];
    cs_why_defined_name(at->st->text, name, sizeof name);
    return !name[0];
}

bool cs_why_is_reuse(const struct cs_why_group *group, const struct cs_why_step *to)
{
    return to->st && group->last.kind == CS_WHY_DATA && !group->merge.st && is_nameless(&group->last) &&
           group->last.st->func == to->st->func && group->last.line != to->line;
}

enum cs_why_aside cs_why_aside(struct cs_sources *lines, const struct cs_why_group *group)
{
    char assigned[128], name[128];
    const char *text = cs_source_line(lines, group->shown.file, group->shown.line);
    if (!text || (group->last.kind != CS_WHY_DATA && group->last.kind != CS_WHY_PARAM))
        return CS_WHY_OWN;
    cs_why_assigned_name(text, assigned, sizeof assigned);
    cs_why_defined_name(group->merge.st ? group->merge.st->text : group->last.st->text, name, sizeof name);
    if (!assigned[0])
        return CS_WHY_OWN;
    if (!name[0])
        return group->last.kind == CS_WHY_PARAM ? CS_WHY_PERHAPS_ASIDE : CS_WHY_OWN;
    bool same = cs_why_is_fortran(group->shown.file) ? !strcasecmp(name, assigned) : !strcmp(name, assigned);
    return same ? CS_WHY_OWN : CS_WHY_IS_ASIDE;
}

bool cs_why_is_unseen(struct cs_sources *lines, const struct cs_why_group *group)
{
    char name[128];
    const char *text = cs_source_line(lines, group->shown.file, group->shown.line);
    cs_why_defined_name(group->shown.st->text, name, sizeof name);
    return cs_why_is_merge(&group->shown) && group->last.kind != CS_WHY_CONTROL && name[0] && text &&
           !cs_why_has_name(text, name, cs_why_is_fortran(group->shown.file));
}

/* Does the statement only convert a value, or make an address of an index? */
static bool keeps_value(const char *text)
{
    const char *is = strstr(text, " = "), *op = is ? strpbrk(is + 3, "*+") : NULL;
    if (!is || text[0] != '_')
        return false;
    if (!strncmp(is, " = PHI <", strlen(" = PHI <"))) /* of one value: there is no other way */
        return !strchr(is, ',');
    if (is[3] == '(')
        return !op;
    return op && op[1] == ' ' && (*op == '*') == !!isdigit((unsigned char)op[2]) && !strpbrk(is + 3, "-/.") &&
           !strpbrk(op + 1, "*+");
}

/* Do all steps from the one that reads a variable up to the last one only hand it on? */
static bool hands_on(const struct cs_slice_info *s, struct cs_why_step at, int last)
{
    bool is = true;
    for (size_t steps = 0; at.st && at.id != last && is && steps <= cs_why_most(s); steps++) {
        at = cs_why_next(s, &at);
        is = at.st && keeps_value(at.st->text);
    }
    return is;
}

/* Is the variable named in the step's line of the source? True if that is not known. */
static bool names(struct cs_sources *lines, const struct cs_why_step *at, const char *name)
{
    const char *text = cs_source_line(lines, at->file, at->line);
    return !text || cs_why_has_name(text, name, cs_why_is_fortran(at->file));
}

/* The variable that the statement only converts, i of `_3 = (long) i_5;`; "": it does something else. */
static void converted_name(const char *text, char *buf, size_t n)
{
    const char *is = strstr(text, " = ("), *from = is ? strstr(is, ") ") : NULL;
    char defined[140];
    buf[0] = 0;
    if (!from || text[0] != '_')
        return;
    snprintf(defined, sizeof defined, "%.100s", from + 2);
    snprintf(defined + strcspn(defined, "(;"), sizeof defined - 100, " = ");
    cs_why_defined_name(defined, buf, n);
}

/* The same for a value: GCC gives what it computes of a variable at times the line where it puts that, and has an index
 * for several lines made in the first of these. */
static struct cs_why_step value_user(const struct cs_slice_info *s, struct cs_sources *lines,
                                     const struct cs_why_group *from, struct cs_why_step to)
{
    enum { LINES = 8 };
    char name[128] = "", converted[128];
    const struct cs_why_step *maker = from->merge.st ? &from->merge : &from->last;
    bool value = from->last.kind == CS_WHY_DATA && to.st && to.st->func == maker->st->func;
    if (value)
        cs_why_defined_name(maker->st->text, name, sizeof name);
    for (int i = 0; i < LINES && to.st; i++) {
        converted_name(to.st->text, converted, sizeof converted);
        if (!name[0])
            snprintf(name, sizeof name, "%s", converted);
        struct cs_why_group g = cs_why_group(s, lines, to, false);
        struct cs_why_step next = cs_why_next(s, &g.last);
        bool only = (i > 0 || converted[0]) && hands_on(s, to, g.last.id);
        if (!name[0] || (!only && (!value || i > 0 || names(lines, &to, name))) || !cs_why_is_reuse(&g, &next) ||
            !names(lines, &next, name))
            break;
        to = next;
    }
    return to;
}

/* The step that reads a variable which is passed by a call in another line that names it, as GCC reads once for several
 * lines, in that line; else as it is. */
static struct cs_why_step at_call(const struct cs_slice_info *s, struct cs_sources *lines, struct cs_why_step read,
                                  const struct cs_why_step *last, const char *name)
{
    const struct cs_slice_stmt *st =
        last->kind == CS_WHY_PARAM && last->by && last->by->call >= 0 ? cs_slice_stmt(s, last->by->call) : NULL;
    struct cs_why_step call = cs_why_first(s, st);
    const char *text = st && st->func == read.st->func ? cs_source_line(lines, call.file, call.line) : NULL;
    if (text && call.line > 0 && !call.library && hands_on(s, read, last->id) &&
        cs_why_has_name(text, name, cs_why_is_fortran(call.file))) {
        read.file = call.file;
        read.line = call.line;
    }
    return read;
}

/* The step that computes a value without a name for a call in another line, as GCC computes once for several lines, in
 * that line; else as it is. */
static struct cs_why_step at_own_call(const struct cs_slice_info *s, struct cs_why_step maker)
{
    const struct cs_slice_stmt *st = maker.st && maker.kind == CS_WHY_PARAM && maker.by && maker.by->call >= 0
                                         ? cs_slice_stmt(s, maker.by->call)
                                         : NULL;
    struct cs_why_step call = cs_why_first(s, st);
    if (st && st->func == maker.st->func && call.line > 0 && !call.library && !maker.message && is_nameless(&maker) &&
        strstr(maker.st->text, " = ")) {
        maker.file = call.file;
        maker.line = call.line;
    }
    return maker;
}

struct cs_why_step cs_why_reader(const struct cs_slice_info *s, struct cs_sources *lines, const struct cs_why_group *g,
                                 const struct cs_why_step *to)
{
    char name[300], read[128], written[128] = "";
    const struct cs_why_step *at = &g->last;
    const char *object = at->by ? at->by->object : "";
    if (at->kind == CS_WHY_DATA || at->kind == CS_WHY_PARAM)
        return at_own_call(s, value_user(s, lines, g, *to));
    if (!to->st || (at->kind != CS_WHY_MEMORY && at->kind != CS_WHY_EFFECT) || !*object || strpbrk(object, " :"))
        return *to;
    cs_why_source_name(object, at->st->file, name, sizeof name);
    cs_why_read_name(to->st->text, read, sizeof read);
    struct cs_why_group reader = cs_why_group(s, lines, *to, false);
    struct cs_why_step next = cs_why_next(s, &reader.last);
    if (!strcmp(read, name) && reader.last.kind == CS_WHY_PARAM)
        return at_call(s, lines, *to, &reader.last, name);
    if (strcmp(read, name) != 0 || !cs_why_is_reuse(&reader, &next) || !hands_on(s, *to, reader.last.id))
        return *to;
    cs_why_written_name(cs_source_line(lines, to->file, to->line), written, sizeof written);
    const char *text = cs_source_line(lines, next.file, next.line);
    return text && strcmp(written, name) != 0 && cs_why_has_name(text, name, cs_why_is_fortran(next.file)) ? next : *to;
}

/* Does a condition decide what is in the line that is shown already, for one that goes over a few lines? */
static bool comes_back(const struct cs_why_group *g, const struct cs_why_step *to)
{
    return to->st && g->last.kind == CS_WHY_CONTROL && !g->merge.st && to->line == g->shown.line && to->line > 0 &&
           to->st->func == g->last.st->func && to->st->func == g->shown.st->func && !strcmp(to->file, g->shown.file);
}

struct cs_why_group cs_why_group(const struct cs_slice_info *s, struct cs_sources *lines, struct cs_why_step at,
                                 bool statements)
{
    struct cs_why_group g = {.shown = at, .last = at, .before = at};
    for (size_t steps = 0; !statements && g.last.st && steps <= cs_why_most(s); steps++) {
        struct cs_why_step to = cs_why_next(s, &g.last);
        bool value = g.last.kind == CS_WHY_DATA || g.last.kind == CS_WHY_CONTROL;
        bool merges = value && cs_why_is_merge(&to) && to.st->func == g.last.st->func;
        bool returns = g.merge.st && to.st && to.st->func == g.last.st->func && !strncmp(to.st->text, "return ", 7);
        struct cs_why_step from = g.merge.st || g.last.library ? g.shown : g.last;
        from.kind = g.last.kind;
        if (!merges && !(returns && is_nameless(&g.merge)) && !same_place(lines, &from, &to) && !comes_back(&g, &to))
            break;
        if (!merges && !returns)
            g.merge.st = NULL;
        if (merges && !g.merge.st) {
            g.before = g.last;
            g.merge = to;
        }
        g.doubtful |= !cs_why_is_temporary(&g.last) && cs_why_doubt(s, &g.last, &to) != CS_WHY_SURE;
        g.last = to;
    }
    return g;
}

/* Does the step, or one of the next in its line, choose a case? */
static bool selects(const struct cs_slice_info *s, const struct cs_why_step *at)
{
    enum { STEPS = 3 };
    struct cs_why_step step = *at;
    for (int i = 0; i < STEPS && step.st && step.line == at->line; i++) {
        if (strstr(step.st->text, "_gfortran_select_string") || !strncmp(step.st->text, "switch (", 8))
            return true;
        step = cs_why_next(s, &step);
    }
    return false;
}

/* The line of the step: of SELECT CASE, for which GCC names the last statement inside it, that of SELECT CASE. */
static int line_of(const struct cs_slice_info *s, struct cs_sources *lines, const struct cs_why_step *at)
{
    int depth = 0;
    for (int i = cs_why_is_fortran(at->file) && selects(s, at) ? at->line : 0; i > 0; i--) {
        const char *text = cs_source_line(lines, at->file, i), *name = text ? strchr(text, ':') : NULL;
        if (!text)
            break;
        if (name && cs_why_begins_with(name + 1 + strspn(name + 1, " "), "select", "case"))
            text = name + 1 + strspn(name + 1, " ");
        if (cs_why_begins_with(text, "select", "case") && depth-- == 0)
            return i;
        depth += cs_why_begins_with(text, "end", "select");
    }
    return at->line;
}

void cs_why_put_step(const struct cs_slice_info *s, struct cs_sources *lines, const struct cs_why_step *at,
                     bool statements)
{
    const char *func = cs_why_function(s, at->st);
    int line = statements ? at->line : line_of(s, lines, at);
    const char *source = statements ? NULL : cs_source_line(lines, at->file, line);
    char name[256];
    cs_put_plain(stdout, at->file);
    printf(":%d", line);
    if (func) {
        cs_why_source_name(func, at->st->file, name, sizeof name);
        fputs(" in ", stdout);
        cs_put_plain(stdout, name);
    }
    if (at->library && !statements)
        puts(" (a library's)");
    else
        cs_print_plain(stdout, ": %s", source && *source ? source : at->st->text);
}

void cs_why_place_of_call(const struct cs_slice_info *s, const struct cs_why_step *at, char *buf, size_t n)
{
    const struct cs_slice_stmt *call = at->by && at->by->call >= 0 ? cs_slice_stmt(s, at->by->call) : NULL;
    struct cs_why_step step = cs_why_first(s, call);
    buf[0] = 0;
    if (call)
        snprintf(buf, n, " at %s:%d", step.file, step.line);
}
