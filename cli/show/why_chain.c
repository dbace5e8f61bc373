/* SPDX-License-Identifier: BSD-3-Clause
 * Follows chains of reasons and puts their steps into words; why_chain.h. A clause has the step before it as its
 * subject ("its value, n, is used by"), and the next step as its object. */
#define _GNU_SOURCE 1
#include "cli/show/why_chain.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/frame/text.h"
#include "cli/show/readable.h"

/* ---- steps ---- */

static void find_place(const struct cs_slice_info *s, struct cs_why_step *step)
{
    const struct cs_slice_at *at = cs_slice_at(s, step->st->id);
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

struct cs_why_step cs_why_next(const struct cs_slice_info *s, const struct cs_why_step *at)
{
    int id = at->kind == CS_WHY_ROOT ? -1 : at->parent;
    const struct cs_slice_step *own = id >= 0 ? cs_slice_step(s, id) : NULL;
    struct cs_why_step step = cs_why_first(s, id < 0 ? NULL : cs_slice_stmt(s, own ? own->stmt : id));
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

static bool is_fortran(const char *file)
{
    const char *dot = strrchr(file, '.');
    return dot && (dot[1] == 'f' || dot[1] == 'F');
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
        if (is_fortran(a->file) || !text || !*text || strchr(";{}/\\:", text[strlen(text) - 1]) || strstr(text, "//"))
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

static void defined_name(const char *text, char *buf, size_t n);

static bool is_name(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

/* Does the source line have the name? Fortran's have no case. */
static bool names(const char *line, const char *name, bool fortran)
{
    size_t n = strlen(name);
    for (const char *at = line; *at; at++) {
        bool same = fortran ? !strncasecmp(at, name, n) : !strncmp(at, name, n);
        if (same && (at == line || !is_name(at[-1])) && !is_name(at[n]))
            return true;
    }
    return false;
}

/* Is what the step defines no variable of the source? */
static bool is_nameless(const struct cs_why_step *at)
{
    char name[128];
    defined_name(at->st->text, name, sizeof name);
    return !name[0];
}

bool cs_why_is_reuse(const struct cs_why_group *group, const struct cs_why_step *to)
{
    return to->st && group->last.kind == CS_WHY_DATA && !group->merge.st && is_nameless(&group->last) &&
           group->last.st->func == to->st->func && group->last.line != to->line;
}

/* Puts the last name of what the line assigns into buf: n of `int n = m->n + 1;`, u of `a%u(i, j) = 0`. "": of a line
 * that decides, calls, or goes on from another one. */
static void assigned_name(const char *line, char *buf, size_t n)
{
    static const char *const words[] = {"if", "for", "do", "while", "call", "return", "else"};
    const char *at = line, *name = NULL, *end = NULL;
    int depth = 0;
    buf[0] = 0;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (!strncasecmp(line, words[i], strlen(words[i])) && !is_name(line[strlen(words[i])]))
            return;
    for (; *at && (depth || *at != '='); at++) {
        depth += *at == '(' || *at == '[' ? 1 : *at == ')' || *at == ']' ? -1 : 0;
        if (depth || strchr("+-*/&| ])", *at))
            continue;
        if (!is_name(*at) && *at != '.' && *at != '%' && *at != '>' && *at != ':')
            return;
        name = is_name(*at) && (at == line || !is_name(at[-1])) ? at : name;
        end = is_name(*at) ? at + 1 : end;
    }
    if (*at == '=' && at[1] != '=' && name && end > name && !isdigit((unsigned char)*name))
        snprintf(buf, n, "%.*s", (int)(end - name), name);
}

enum cs_why_aside cs_why_aside(struct cs_sources *lines, const struct cs_why_group *group)
{
    char assigned[128], name[128];
    const char *text = cs_source_line(lines, group->shown.file, group->shown.line);
    if (!text || (group->last.kind != CS_WHY_DATA && group->last.kind != CS_WHY_PARAM))
        return CS_WHY_OWN;
    assigned_name(text, assigned, sizeof assigned);
    defined_name(group->merge.st ? group->merge.st->text : group->last.st->text, name, sizeof name);
    if (!assigned[0])
        return CS_WHY_OWN;
    if (!name[0])
        return group->last.kind == CS_WHY_PARAM ? CS_WHY_PERHAPS_ASIDE : CS_WHY_OWN;
    bool same = is_fortran(group->shown.file) ? !strcasecmp(name, assigned) : !strcmp(name, assigned);
    return same ? CS_WHY_OWN : CS_WHY_IS_ASIDE;
}

bool cs_why_is_unseen(struct cs_sources *lines, const struct cs_why_group *group)
{
    char name[128];
    const char *text = cs_source_line(lines, group->shown.file, group->shown.line);
    defined_name(group->shown.st->text, name, sizeof name);
    return cs_why_is_merge(&group->shown) && group->last.kind != CS_WHY_CONTROL && name[0] && text &&
           !names(text, name, is_fortran(group->shown.file));
}

static void source_name(const char *name, const char *file, char *buf, size_t n);
static void read_name(const char *text, char *buf, size_t n);
static void written_in_source(struct cs_sources *lines, const struct cs_why_step *at, char *buf, size_t n);

/* Does the statement only convert a value, or make an address of an index? */
static bool keeps_value(const char *text)
{
    const char *is = strstr(text, " = "), *op = is ? strpbrk(is + 3, "*+") : NULL;
    if (!is || text[0] != '_')
        return false;
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

struct cs_why_step cs_why_reader(const struct cs_slice_info *s, struct cs_sources *lines, const struct cs_why_step *at,
                                 const struct cs_why_step *to)
{
    char name[300], read[128], written[128] = "";
    const char *object = at->by ? at->by->object : "";
    if (!to->st || (at->kind != CS_WHY_MEMORY && at->kind != CS_WHY_EFFECT) || !*object || strpbrk(object, " :"))
        return *to;
    source_name(object, at->st->file, name, sizeof name);
    read_name(to->st->text, read, sizeof read);
    struct cs_why_group g = cs_why_group(s, lines, *to, false);
    struct cs_why_step next = cs_why_next(s, &g.last);
    if (strcmp(read, name) != 0 || !cs_why_is_reuse(&g, &next) || !hands_on(s, *to, g.last.id))
        return *to;
    written_in_source(lines, to, written, sizeof written);
    const char *text = cs_source_line(lines, next.file, next.line);
    return text && strcmp(written, name) != 0 && names(text, name, is_fortran(next.file)) ? next : *to;
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
        g.last = to;
    }
    return g;
}

/* ---- names ---- */

/* Cuts what stands between < and >, and from the first ( on. Behind "operator" nothing is cut but arguments. */
static void cut_details(char *name)
{
    int depth = 0;
    char *to = name, *op = strstr(name, "operator"), *at = name;
    for (; *at && (op ? at < op : *at != '(' || depth || at == name || !strncmp(at, "(anonymous", 10)); at++) {
        depth += *at == '<';
        if (!depth)
            *to++ = *at;
        depth -= *at == '>' && depth;
    }
    if (op && !depth) {
        char *args = strchr(op + strlen("operator") + 2, '(');
        size_t n = args ? (size_t)(args - op) : strlen(op);
        memmove(to, op, n);
        to += n;
    }
    *to = 0;
    char *type = op ? NULL : strrchr(name, ' '); /* what a template's function returns stands before its name */
    if (type && !strchr(type, '('))
        memmove(name, type + 1, strlen(type));
}

/* A name as it is in the source: of C++ without arguments, of Fortran without its module. */
static void source_name(const char *name, const char *file, char *buf, size_t n)
{
    const char *module = strstr(name, "_MOD_");
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    if (out) {
        cs_put_name(out, module ? module + strlen("_MOD_") : name);
        fclose(out);
    }
    snprintf(buf, n, "%s", text ? text : name);
    free(text);
    char *clone = strstr(buf, ".lto_priv");
    if (clone)
        *clone = 0;
    if (!strncmp(name, "_Z", 2))
        cut_details(buf);
    size_t length = strlen(buf), digits = length;
    while (digits > 0 && isdigit((unsigned char)buf[digits - 1]))
        digits--;
    if (digits > 1 && digits < length && buf[digits - 1] == '.' &&
        !strchr(buf, ' ')) /* a static variable of a function */
        buf[length = digits - 1] = 0;
    if (!module && is_fortran(file) && length > 1 && buf[length - 1] == '_')
        buf[length - 1] = 0;
}

/* The source's name of what the statement defines: n of `n_5 = ...`; "": it has none. */
static void defined_name(const char *text, char *buf, size_t n)
{
    const char *end = text;
    while (isalnum((unsigned char)*end) || *end == '_')
        end++;
    size_t length = (size_t)(end - text);
    buf[0] = 0;
    if (strncmp(end, " = ", 3) != 0)
        return;
    while (length && isdigit((unsigned char)text[length - 1]))
        length--;
    if (length < 2 || text[length - 1] != '_' || isdigit((unsigned char)text[0]))
        return;
    snprintf(buf, n, "%.*s", (int)length - 1, text);
}

/* The variable that the statement reads and does nothing else with (`n_3 = m;`); "" if it does more. */
static void read_name(const char *text, char *buf, size_t n)
{
    const char *from = strstr(text, " = "), *end;
    buf[0] = 0;
    for (end = from = from ? from + 3 : ""; isalnum((unsigned char)*end) || *end == '_'; end++)
        continue;
    if (end == from || isdigit((unsigned char)*from) || strcmp(end, ";") != 0)
        return;
    const char *digits = end;
    while (isdigit((unsigned char)digits[-1]))
        digits--;
    if (digits == end || digits[-1] != '_') /* else it is a value of the compiler's */
        snprintf(buf, n, "%.*s", (int)(end - from), from);
}

/* Does the source line begin with these words, with blanks between them or not? */
static bool begins_with(const char *line, const char *first, const char *second)
{
    size_t n = strlen(first);
    if (strncasecmp(line, first, n) != 0)
        return false;
    line += n + strspn(line + n, " ");
    return strncasecmp(line, second, strlen(second)) == 0;
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
    for (int i = is_fortran(at->file) && selects(s, at) ? at->line : 0; i > 0; i--) {
        const char *text = cs_source_line(lines, at->file, i), *name = text ? strchr(text, ':') : NULL;
        if (!text)
            break;
        if (name && begins_with(name + 1 + strspn(name + 1, " "), "select", "case"))
            text = name + 1 + strspn(name + 1, " ");
        if (begins_with(text, "select", "case") && depth-- == 0)
            return i;
        depth += begins_with(text, "end", "select");
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
        source_name(func, at->st->file, name, sizeof name);
        fputs(" in ", stdout);
        cs_put_plain(stdout, name);
    }
    if (at->library && !statements)
        puts(" (a library's)");
    else
        cs_print_plain(stdout, ": %s", source && *source ? source : at->st->text);
}

/* ---- clauses ---- */

static bool has_word(const struct cs_why_step *step, const char *word)
{
    return step->st && strcasestr(step->st->text, word);
}

static const char *of_message(const struct cs_why_step *at, const struct cs_why_step *to, char *buf, size_t n)
{
    int among = at->by ? at->by->among : 1;
    bool receives = has_word(at, "recv") && !has_word(at, "sendrecv"), sends = has_word(to, "send");
    if (has_word(to, "wait") || has_word(to, "test") || has_word(to, "start"))
        return "it begins what is completed by";
    bool sent = has_word(at, "send") || has_word(to, "recv");
    if (among > 1 && receives && sends)
        snprintf(buf, n, "it may receive the message of one of %d sends that match it; one of them is", among);
    else if (among > 1 && sent)
        snprintf(buf, n, "its message is one of %d that may be received by", among);
    else if (receives && sends)
        snprintf(buf, n, "it receives the message of");
    else
        snprintf(buf, n, "%s",
                 sent ? "its message is received by"
                      : "the slicer cannot tell whether it is part of the same operation as");
    return buf;
}

/* " at FILE:LINE" of the call that passes it; "": there is none. */
static void place_of_call(const struct cs_slice_info *s, const struct cs_why_step *at, char *buf, size_t n)
{
    const struct cs_slice_stmt *call = at->by && at->by->call >= 0 ? cs_slice_stmt(s, at->by->call) : NULL;
    struct cs_why_step step = cs_why_first(s, call);
    buf[0] = 0;
    if (call)
        snprintf(buf, n, " at %s:%d", step.file, step.line);
}

/* Names of what a library holds. */
static const char *state_name(const char *object)
{
    if (!strcmp(object, "h:fs"))
        return "files";
    if (!strcmp(object, "h:units"))
        return "Fortran's units";
    return object + strlen("h:");
}

/* The end of a path to a member that begins at `text`, by . and ->. */
static const char *path_end(const char *text)
{
    while (isalnum((unsigned char)*text) || *text == '_' || *text == '.' || !strncmp(text, "->", 2))
        text += *text == '-' ? 2 : 1;
    return text;
}

/* Appends the names of members that the path `from` has behind its first name; the compiler's own are left out. */
static void put_members(const char *from, const char *to, const char *between, char *buf, size_t n)
{
    for (const char *at = from; at < to;) {
        const char *end = at + strcspn(at, ".-");
        bool named = at != from && end > at && !isdigit((unsigned char)*at) && strncmp(at, "D.", 2) != 0;
        if (end > to)
            end = to;
        size_t used = strlen(buf);
        if (named)
            snprintf(buf + used, n - used, "%s%.*s", between, (int)(end - at), at);
        at = end + (*end == '-' ? 2 : 1);
        if (!strncmp(end, ".D.", 3) || !strncmp(end, "->D.", 4)) /* an unnamed member: D.1234 */
            at += 2 + strspn(at + 2, "0123456789.");
    }
}

/* The members of a variable that the statement writes, as ".left" of `grid.left = ...` or `grid_2(D)->left = ...`, or,
 * where a call is given its address, of `&grid.left`; "" if it does not say one. */
static void written_members(const struct cs_why_step *at, const char *variable, char *buf, size_t n)
{
    const char *text = at->st->text, *between = is_fortran(at->st->file) ? "%" : ".", *from = text;
    char address[130];
    buf[0] = 0;
    if (at->kind != CS_WHY_MEMORY && at->kind != CS_WHY_EFFECT)
        return;
    snprintf(address, sizeof address, "&%.120s.", variable);
    const char *given = strstr(text, address);
    if (given && !strstr(given + 1, address))
        from = given + 1;
    else if (given)
        return;
    const char *end = path_end(from);
    if (!given && *end == '(') /* a parameter: this_3(D)->left */
        end = !strncmp(end, "(D)->", strlen("(D)->")) ? path_end(end + strlen("(D)->")) : from;
    const char *arrow = strstr(from, "->");
    if (!given && arrow && arrow < end)
        put_members(arrow, end, between, buf, n);
    else if (given || (!strncmp(from, variable, strlen(variable)) && from[strlen(variable)] == '.'))
        put_members(from, end, between, buf, n);
}

/* Puts what the source line writes, of `x(i, j) = ...`, into buf: x; or leaves it as it is. */
static void written_in_source(struct cs_sources *lines, const struct cs_why_step *at, char *buf, size_t n)
{
    const char *text = cs_source_line(lines, at->file, at->line), *end = text;
    if (!text || !is_name(*text))
        return;
    while (is_name(*end) || *end == '.' || *end == '%' || !strncmp(end, "->", 2))
        end += *end == '-' ? 2 : 1;
    size_t length = (size_t)(end - text);
    int depth = 0;
    for (const char *c = end; *c && (depth || *c == '(' || *c == '[' || *c == ' '); c++) {
        depth += *c == '(' || *c == '[';
        depth -= *c == ')' || *c == ']';
        end = c + 1;
    }
    if (*end && strchr("+-*/", *end) && end[1] == '=')
        end++;
    if (*end == '=' && end[1] != '=')
        snprintf(buf, n, "%.*s", (int)length, text);
}

/* Takes the last name of a path as `chunk%tiles(i)%u` that begins at `text`; *end: behind it. "": there is none. */
static void last_name(const char *text, const char **end, char *buf, size_t n)
{
    buf[0] = 0;
    for (*end = text; is_name(*text);) {
        const char *from = text;
        while (is_name(*text))
            text++;
        snprintf(buf, n, "%.*s", (int)(text - from), from);
        *end = text;
        int depth = 0;
        for (; *text && (depth || *text == '(' || *text == '[' || *text == ' '); text++)
            depth += *text == '(' || *text == '[' ? 1 : *text == ')' || *text == ']' ? -1 : 0;
        if (*text == '%' || *text == '.')
            text++;
        else if (!strncmp(text, "->", 2))
            text += 2;
        else
            break;
    }
}

/* The name of what the source line allocates, if it is one: u of ALLOCATE(a%u(n)), x of `double *x = new double[n]` and
 * x.resize(n). */
static void allocated_name(const char *text, char *buf, size_t n)
{
    const char *call = strcasestr(text, "allocate("), *end, *is = strstr(text, " = ");
    buf[0] = 0;
    if (call && call == text) {
        int depth = 0, names = 1;
        for (const char *c = call; *c; c++) {
            depth += *c == '(' ? 1 : *c == ')' ? -1 : 0;
            names += *c == ',' && depth == 1;
        }
        last_name(call + strlen("allocate("), &end, buf, n);
        if (names > 1)
            buf[0] = 0;
        return;
    }
    const char *to = is ? is : strstr(text, ".resize("), *from = to;
    if (!to || (is && !strstr(is, "alloc") && !strstr(is, "new ") && !strstr(is, "Allocate")))
        return;
    while (from > text && (is_name(from[-1]) || strchr(".->[]", from[-1])))
        from--;
    char path[200];
    snprintf(path, sizeof path, "%.*s", (int)(to - from), from);
    last_name(path, &end, buf, n);
}

/* The statement of C that ends in this line, from where it begins; of Fortran the line. */
static void allocation_text(struct cs_sources *lines, const char *file, int line, char *buf, size_t n)
{
    enum { LINES = 4 };
    int from = line;
    for (int i = 0; i < LINES && from > 1 && !is_fortran(file); i++) {
        const char *before = cs_source_line(lines, file, from - 1);
        if (!before || !*before || strchr(";{}:/#", before[strlen(before) - 1]) || *before == '#' ||
            strstr(before, "//"))
            break;
        from--;
    }
    buf[0] = 0;
    for (int i = from; i <= line; i++) {
        const char *text = cs_source_line(lines, file, i);
        size_t used = strlen(buf);
        snprintf(buf + used, n - used, "%s%s", i > from ? " " : "", text ? text : "");
    }
}

/* Adds the source's name of what is allocated there: "what is allocated at x.c:5 as u". */
static void add_allocated_name(struct cs_sources *lines, char *name, size_t n)
{
    char file[300], is[100];
    const char *at = strstr(name, "what is allocated at ");
    if (!at)
        return;
    snprintf(file, sizeof file, "%s", at + strlen("what is allocated at "));
    char *colon = strrchr(file, ':');
    if (!colon)
        return;
    *colon = 0;
    char joined[400] = "";
    allocation_text(lines, file, atoi(colon + 1), joined, sizeof joined);
    allocated_name(joined, is, sizeof is);
    size_t used = strlen(name);
    if (is[0])
        snprintf(name + used, n - used, " as %s", is);
}

/* Takes the last member off the path if that is one of a descriptor of Fortran, and says what it is; NULL: it is none.
 */
static const char *descriptor_part(const struct cs_why_step *at, char *members)
{
    char *last = strrchr(members, '%');
    bool allocates = last && is_fortran(at->file);
    const char *part = NULL;
    if (allocates && !strcmp(last, "%data"))
        part = "the address";
    else if (allocates && (!strcmp(last, "%offset") || !strcmp(last, "%span")))
        part = "the bounds";
    if (part)
        *last = 0;
    return part;
}

/* The member of an object of C++ that the source line assigns by a name alone, `dt` of `dt = 1` and of `grid.dt() = 1`;
 * "": it does something else. */
static void assigned_member(struct cs_sources *lines, const struct cs_why_step *at, char *buf, size_t n)
{
    const char *text = cs_source_line(lines, at->file, at->line), *end;
    buf[0] = 0;
    if (!text || at->kind != CS_WHY_MEMORY || at->message || is_fortran(at->file) || !strstr(at->st->text, " = "))
        return;
    end = path_end(text);
    const char *from = end;
    while (from > text && is_name(from[-1]))
        from--;
    size_t length = (size_t)(end - from);
    end += !strncmp(end, "()", 2) ? 2 : 0;
    end += strspn(end, " ");
    end += *end && strchr("+-*/", *end) ? 1 : 0;
    if (*end == '=' && end[1] != '=')
        snprintf(buf, n, "%.*s", (int)length, from);
}

/* "left of what is allocated at ..." */
static void add_member(const char *member, char *name, size_t n)
{
    char *copy = strdup(name);
    if (copy)
        snprintf(name, n, "%s of %s", member, copy);
    free(copy);
}

/* Does the step read from a file, or what it says a call reads? */
static bool reads_file(const struct cs_slice_info *s, const struct cs_why_step *to)
{
    static const char *const words[] = {"fgets (", "fread (", "scanf (", "getline (", "getc (", "_st_read ("};
    struct cs_why_step call = to->st && to->st->text[0] == '(' ? cs_why_next(s, to) : *to;
    bool is = false;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        is |= has_word(&call, words[i]);
    return is;
}

static void of_memory(const struct cs_slice_info *s, struct cs_sources *lines, const struct cs_why_step *at,
                      const struct cs_why_step *to, char *buf, size_t n)
{
    char name[300] = "memory", call[300], passed[330] = "", members[128] = "";
    bool told = at->by && at->by->object[0], state = told && !strncmp(at->by->object, "h:", 2);
    int among = at->by ? at->by->among : 1;
    if (told)
        source_name(state ? state_name(at->by->object) : at->by->object, at->st->file, name, sizeof name);
    else
        written_in_source(lines, at, name, sizeof name);
    bool allocated = told && strchr(at->by->object, ' ');
    if (told && !state)
        written_members(at, name, members, sizeof members);
    const char *part = descriptor_part(at, members);
    if (allocated && !members[0] && !part) {
        assigned_member(lines, at, members + 1, sizeof members - 1);
        members[0] = members[1] ? '.' : 0;
    }
    if (members[0] && !allocated)
        snprintf(name + strlen(name), sizeof name - strlen(name), "%s", members);
    else if (members[0])
        add_member(members + 1, name, sizeof name);
    if (part && (members[0] || !allocated))
        add_member(part, name, sizeof name);
    if (allocated)
        add_allocated_name(lines, name, sizeof name);
    place_of_call(s, at, call, sizeof call);
    if (call[0] && to->st && to->st->func != at->st->func && at->kind == CS_WHY_MEMORY)
        snprintf(passed, sizeof passed, " (called%s)", call);
    const char *inside = to->st && to->kind == CS_WHY_EFFECT && to->st->func != at->st->func ? "inside" : "by";
    const char *who = at->message ? "what it brings" : at->kind == CS_WHY_EFFECT ? "this call" : "it";
    int may = at->by ? at->by->may : CS_WHY_MAY_NOT;
    const char *does = at->message               ? "is in"
                       : may == CS_WHY_MAY_WRITE ? "may write"
                                                 : "writes",
               *is = (may && may != CS_WHY_MAY_WRITE) || at->library || (to->st && to->library) ? "may be" : "is",
               *unless = may == CS_WHY_MAY_BE_OVERWRITTEN ? ", or overwritten before," : "";
    if (state && !strcmp(name, "files") && reads_file(s, to))
        snprintf(buf, n,
                 "what %s writes to files is taken to be what is read, as files are not told apart, "
                 "nor when they are read, by",
                 at->kind == CS_WHY_EFFECT ? who : "it");
    else if (state)
        snprintf(buf, n, "%s changes the state of %s%s, which may matter to", who, name,
                 !strncmp(name, "std", 3) ? " (its position, its errors)" : "");
    else if (may == CS_WHY_MAY_NEVER)
        snprintf(buf, n, "%s %s %s, which seems never to be what is read by, but is kept as if it were:", who, does,
                 name);
    else if (among > 1 && told)
        snprintf(buf, n,
                 "%s %s one of %d pieces of memory that are not told apart; %s, one of them, may be read%s %s%s", who,
                 does, among, name, unless, inside, passed);
    else if (among > 1)
        snprintf(buf, n, "%s %s one of %d pieces of memory that are not told apart, and one may be read%s %s%s", who,
                 does, among, unless, inside, passed);
    else
        snprintf(buf, n, "%s %s %s, which %s read%s %s%s", who, does, name, is, unless, inside, passed);
}

void cs_why_written(const struct cs_why_step *at, char *buf, size_t n)
{
    char members[128] = "";
    buf[0] = 0;
    if (!at->by || !at->by->object[0])
        return;
    source_name(at->by->object, at->st->file, buf, n);
    written_members(at, buf, members, sizeof members);
    snprintf(buf + strlen(buf), n - strlen(buf), "%s", members);
}

/* The variable's name where ways meet, or "a variable". */
static const char *merge_name(const struct cs_why_step *merge, char *buf, size_t n)
{
    defined_name(merge->st->text, buf, n);
    return buf[0] ? buf : "a value";
}

/* Is it the first line of a procedure of Fortran? What is computed there are the bounds of arguments. */
static bool is_heading(struct cs_sources *lines, const struct cs_why_step *at)
{
    const char *text = is_fortran(at->file) ? cs_source_line(lines, at->file, at->line) : NULL;
    const char *end = text ? strchr(text, '(') : NULL;
    if (!end || begins_with(text, "end", ""))
        return false;
    static const char *const words[] = {"subroutine ", "function "};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        const char *word = strcasestr(text, words[i]);
        if (word && word < end && strcspn(text, "=!'\"") > (size_t)(word - text) && (word == text || word[-1] == ' '))
            return true;
    }
    return false;
}

/* What the first line of a procedure gives: "the value of n, read here for the bounds of arrays". */
static void heading_subject(const struct cs_why_step *at, char *buf, size_t n)
{
    const char *from = strstr(at->st->text, " = *"), *end = from ? from + strlen(" = *") : "";
    while (is_name(*end))
        end++;
    const char *last = end;
    while (from && last > from && isdigit((unsigned char)last[-1]))
        last--;
    size_t length = from ? (size_t)(last - from) : 0;
    if (length > strlen(" = *_") && last < end && last[-1] == '_' && !strcmp(end, "(D);"))
        snprintf(buf, n, "the value of %.*s, read here for the bounds of arrays", (int)(length - strlen(" = *_")),
                 from + strlen(" = *"));
    else
        snprintf(buf, n, "what is computed here for the bounds of arrays");
}

/* What the statement reads, by the path that the source has for it: `s->boxes` of `_4 = s_2(D)->boxes;`, `n` of
 * `*n_5(D)`. "": it does something else, or the compiler's names say nothing. */
static void read_path(const char *text, char *buf, size_t n)
{
    const char *is = strstr(text, " = "), *at = is ? is + 3 : "";
    size_t used = 0;
    buf[0] = 0;
    at += *at == '*';
    if (!isalpha((unsigned char)*at))
        return;
    while ((is_name(*at) || *at == '.' || !strncmp(at, "->", 2) || !strncmp(at, "(D)", 3)) && used + 3 < n) {
        size_t from = used;
        while (is_name(*at) && used + 3 < n)
            buf[used++] = *at++;
        size_t digits = used;
        while (digits > from && isdigit((unsigned char)buf[digits - 1]))
            digits--;
        bool version = digits < used && digits > from + 1 && buf[digits - 1] == '_';
        used = version ? digits - 1 : used;
        if (!strncmp(at, "(D)", 3))
            at += 3;
        for (int i = !strncmp(at, "->", 2) ? 2 : *at == '.' ? 1 : 0; i > 0; i--)
            buf[used++] = *at++;
    }
    buf[strcmp(at, ";") != 0 || strstr(buf, "D.") || strstr(text, "MEM[") ? 0 : used] = 0;
}

/* What comes before the use of a value: the subject of the clause. */
static void subject(struct cs_sources *lines, const struct cs_why_group *g, char *buf, size_t n)
{
    char name[128], merged[128], read[128], heading[200] = "";
    defined_name(g->shown.st->text, name, sizeof name);
    read_name(g->shown.st->text, read, sizeof read);
    if (is_heading(lines, &g->shown))
        heading_subject(&g->shown, heading, sizeof heading);
    if (g->merge.st && g->before.kind == CS_WHY_CONTROL)
        snprintf(buf, n, "it decides which value %s has, and that", merge_name(&g->merge, merged, sizeof merged));
    else if (cs_why_is_merge(&g->shown))
        snprintf(buf, n, "the value that %s has here, by the way that was taken,", name[0] ? name : "a variable");
    else if (g->merge.st && !name[0] && strcmp(merge_name(&g->merge, merged, sizeof merged), "a value"))
        snprintf(buf, n, "%s, as %s,", heading[0] ? heading : "a value of this line", merged);
    else if (name[0] && read[0] && strcmp(name, read)) /* GCC reads once for several variables */
        snprintf(buf, n, "its value, read from %s,", read);
    else if (name[0])
        snprintf(buf, n, "its value, %s,", name);
    else if (heading[0])
        snprintf(buf, n, "%s%s", heading, strchr(heading, ',') ? "," : "");
    else {
        read_path(g->last.st->text, read, sizeof read);
        snprintf(buf, n, read[0] && !g->merge.st ? "a value of this line, %s," : "a value of this line%s", read);
    }
}

static void of_value(struct cs_sources *lines, const struct cs_why_group *g, const struct cs_why_step *to, char *buf,
                     size_t n)
{
    char what[300];
    bool buffer = to->st && to->st->text[0] == '(' && strstr(to->st->text, "reads");
    subject(lines, g, what, sizeof what);
    snprintf(buf, n, "%s is %s", what, buffer ? "where the buffer is of" : "used by");
}

static void of_argument(const struct cs_slice_info *s, struct cs_sources *lines, const struct cs_why_group *g,
                        const struct cs_why_step *to, char *buf, size_t n)
{
    char name[256] = "a function", call[300], what[300];
    const char *func = to->st ? cs_why_function(s, to->st) : NULL;
    if (func)
        source_name(func, to->st->file, name, sizeof name);
    place_of_call(s, &g->last, call, sizeof call);
    subject(lines, g, what, sizeof what);
    snprintf(buf, n, "%s is passed %s %s%s, and there used by", what, call[0] ? "to" : "on to", name, call);
}

static void of_return(const struct cs_slice_info *s, const struct cs_why_group *g, char *buf, size_t n)
{
    char call[300];
    place_of_call(s, &g->last, call, sizeof call);
    const char *is = g->merge.st && g->before.kind == CS_WHY_CONTROL ? "decides which value is" : "is";
    if (call[0])
        snprintf(buf, n, "it %s returned to the call%s, and there used by", is, call);
    else
        snprintf(buf, n, "it %s returned, and so on from function to function, and in the end used by", is);
}

static const char *plain_clause(const struct cs_slice_info *s, struct cs_sources *lines,
                                const struct cs_why_group *group, const struct cs_why_step *to, char *buf, size_t n)
{
    const char *text = "it is needed by";
    const struct cs_why_step *at = &group->last;
    buf[0] = 0;
    if (group->shown.library && group->last.id != group->shown.id && at->kind != CS_WHY_ROOT)
        return snprintf(buf, n, "inside the library this leads on to"), buf;
    switch (at->kind) {
    case CS_WHY_ROOT: text = "it communicates, so every slice has it"; break;
    case CS_WHY_DATA: of_value(lines, group, to, buf, n); return buf;
    case CS_WHY_EFFECT:
    case CS_WHY_MEMORY: of_memory(s, lines, at, to, buf, n); return buf;
    case CS_WHY_PARAM: of_argument(s, lines, group, to, buf, n); return buf;
    case CS_WHY_CONTROL: text = "it decides whether this runs:"; break;
    case CS_WHY_CALL: text = "by this call the program comes to"; break;
    case CS_WHY_RETURN: of_return(s, group, buf, n); return buf;
    case CS_WHY_MESSAGE: return of_message(at, to, buf, n);
    case CS_WHY_CONTENT: text = at->st->text[0] == '(' ? "its value is sent by" : "it says what is sent by"; break;
    case CS_WHY_COUNT: text = "it counts iterations, and costs next to nothing"; break;
    case CS_WHY_FREE: text = "it gives back memory that the slice may take again and again"; break;
    case CS_WHY_BUDGET: text = "all is kept, as pointers could not be followed within the budget of the link"; break;
    case CS_WHY_WHOLE: text = "its function is kept whole: it has assembly, or goes to labels that are computed"; break;
    case CS_WHY_EXIT: text = to->st ? "it decides whether the program gets to" : "it may end the program"; break;
    case CS_WHY_OPAQUE: text = to->st ? "it is used by code that is not seen:" : "what it does is not known"; break;
    default: break;
    }
    snprintf(buf, n, "%s", text);
    return buf;
}

const char *cs_why_clause(const struct cs_slice_info *s, struct cs_sources *lines, const struct cs_why_group *group,
                          const struct cs_why_step *to, char *buf, size_t n)
{
    char plain[700];
    const struct cs_why_step *at = &group->last;
    bool never = at->by && at->by->may == CS_WHY_MAY_NEVER && at->kind != CS_WHY_MEMORY && at->kind != CS_WHY_EFFECT;
    plain_clause(s, lines, group, to, plain, sizeof plain);
    snprintf(buf, n, "%s%s",
             never && to->st ? "the program seems never to go on so, but what follows is kept as if it did: " : "",
             plain);
    return buf;
}
