/* SPDX-License-Identifier: BSD-3-Clause
 * Says which memory a step writes, by the names of the source; why_memory.h. */
#define _GNU_SOURCE 1
#include "cli/show/why_memory.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/mpi_calls.h"
#include "cli/show/why_names.h"

/* Names of what a library holds. */
static const char *state_name(const char *object)
{
    if (!strcmp(object, "h:fs"))
        return "files";
    if (!strcmp(object, "h:units"))
        return "Fortran's units";
    return object + strlen("h:");
}

/* The members of a variable that the statement writes, as ".left" of `grid.left = ...` or `grid_2(D)->left = ...`, or,
 * where a call is given its address, of `&grid.left`; "" if it does not say one. */
static void written_members(const struct cs_why_step *at, const char *variable, char *buf, size_t n)
{
    const char *text = at->st->text, *between = cs_why_is_fortran(at->st->file) ? "%" : ".", *from = text;
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
    const char *end = cs_why_path_end(from);
    if (!given && *end == '(') /* a parameter: this_3(D)->left */
        end = !strncmp(end, "(D)->", strlen("(D)->")) ? cs_why_path_end(end + strlen("(D)->")) : from;
    const char *arrow = strstr(from, "->");
    if (!given && arrow && arrow < end)
        cs_why_put_members(arrow, end, between, buf, n);
    else if (given || (!strncmp(from, variable, strlen(variable)) && from[strlen(variable)] == '.'))
        cs_why_put_members(from, end, between, buf, n);
}

/* The statement of C that ends in this line, from where it begins; of Fortran the line. */
static void allocation_text(struct cs_sources *lines, const char *file, int line, char *buf, size_t n)
{
    enum { LINES = 4 };
    int from = line;
    for (int i = 0; i < LINES && from > 1 && !cs_why_is_fortran(file); i++) {
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
    if (!at || strstr(at, " as "))
        return;
    snprintf(file, sizeof file, "%s", at + strlen("what is allocated at "));
    char *colon = strrchr(file, ':');
    if (!colon)
        return;
    *colon = 0;
    char joined[400] = "";
    allocation_text(lines, file, atoi(colon + 1), joined, sizeof joined);
    cs_why_allocated_name(joined, is, sizeof is);
    size_t used = strlen(name);
    if (is[0])
        snprintf(name + used, n - used, " as %s", is);
}

/* Takes the last member off the path if that is one of a descriptor of Fortran, and says what it is; NULL: it is none.
 */
static const char *descriptor_part(const struct cs_why_step *at, char *members)
{
    char *last = strrchr(members, '%');
    bool allocates = last && cs_why_is_fortran(at->file);
    const char *part = NULL;
    if (allocates && !strcmp(last, "%data"))
        part = "the address";
    else if (allocates && (!strcmp(last, "%offset") || !strcmp(last, "%span")))
        part = "the bounds";
    if (part)
        *last = 0;
    return part;
}

/* Does the line give a plain variable what an element was before, as `n = fetch_and_add(count + i, 1)` does by what the
 * compiler puts in line? The element has another name. */
static bool is_fetched(const char *text, const struct cs_slice_stmt *st)
{
    const char *end = text;
    while (cs_why_is_name(*end))
        end++;
    end += strspn(end, " ");
    return end > text && *end == '=' && end[1] != '=' && st && !strncmp(st->text, "*_", 2);
}

/* The member of an object of C++ that the source line assigns by a name alone, `dt` of `dt = 1` and of `grid.dt() = 1`;
 * "": it does something else. */
static void assigned_member(struct cs_sources *lines, const struct cs_why_step *at, char *buf, size_t n)
{
    const char *text = cs_source_line(lines, at->file, at->line), *end;
    buf[0] = 0;
    if (!text || at->kind != CS_WHY_MEMORY || at->message || cs_why_is_fortran(at->file) ||
        !strstr(at->st->text, " = ") || is_fetched(text, at->st))
        return;
    end = cs_why_path_end(text);
    const char *from = end;
    while (from > text && cs_why_is_name(from[-1]))
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

/* The members of the variable of which a call is given the address, if it is given one. */
static void given_members(const char *call, const char *variable, const char *between, char *buf, size_t n)
{
    char address[130];
    snprintf(address, sizeof address, "&%.120s", variable);
    const char *given = strstr(call, address), *end = given ? given + strlen(address) : "";
    bool one = given && !strstr(end, address);
    if (one && *end == '.')
        cs_why_put_members(given + 1, cs_why_path_end(given + 1), between, buf, n);
    else if (one && !strncmp(end, "_", 1) && strstr(end, "->")) /* a parameter: &grid_2(D)->left */
        cs_why_put_members(strstr(end, "->"), cs_why_path_end(strstr(end, "->") + 2), between, buf, n);
}

/* The members that the reader names, where the call that writes them does not: ".left" of `_3 = grid_2(D)->left;` */
static void read_members(const struct cs_slice_info *s, const struct cs_why_step *at, const struct cs_why_step *to,
                         const char *variable, char *buf, size_t n)
{
    char read[256];
    buf[0] = 0;
    if (at->kind != CS_WHY_EFFECT || at->message || !to->st || to->library)
        return;
    cs_why_read_path(to->st->text, read, sizeof read);
    const char *between = cs_why_is_fortran(at->st->file) ? "%" : ".", *from = strstr(read, "->");
    size_t length = strlen(variable);
    struct cs_why_step call = to->st->text[0] == '(' ? cs_why_next(s, to) : (struct cs_why_step){0};
    if (call.st) {
        given_members(call.st->text, variable, between, buf, n);
        return;
    }
    if (!from && !strncmp(read, variable, length) && read[length] == '.')
        from = read;
    else if (!from || strstr(from + 1, "->"))
        return;
    cs_why_put_members(from, read + strlen(read), between, buf, n);
}

void cs_why_files_clause(const char *who, bool never, char *buf, size_t n)
{
    snprintf(buf, n,
             never
                 ? "%s writes a file or stream, which seems never to be the file that is read by, but is kept as if it "
                   "were, as files are not told apart:"
                 : "%s writes a file or stream, which the slicer does not tell from the file that is read by",
             who);
}

bool cs_why_reads_file(const struct cs_slice_info *s, const struct cs_why_step *to)
{
    static const char *const words[] = {"fgets (", "fread (", "scanf (", "getline (", "getc (", "_st_read ("};
    struct cs_why_step call = to->st && to->st->text[0] == '(' ? cs_why_next(s, to) : *to;
    bool is = false;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        is |= call.st && strcasestr(call.st->text, words[i]);
    return is;
}

/* The MPI procedure that the statement calls, NULL: none. */
static const struct cs_mpi_call *mpi_call(const struct cs_slice_stmt *st)
{
    char symbol[130];
    enum cs_binding binding;
    const char *end = st->text;
    while (cs_why_is_name(*end))
        end++;
    bool fortran = cs_why_is_fortran(st->file);
    snprintf(symbol, sizeof symbol, "%.*s%s", end - st->text < 120 ? (int)(end - st->text) : 0, st->text,
             fortran ? "_" : "");
    return strncmp(end, " (", 2) ? NULL : cs_mpi_by_symbol(symbol, &binding);
}

/* Is what the call sends behind a pointer, which may be MPI_IN_PLACE? */
static bool may_be_in_place(const struct cs_mpi_call *c, const char *text)
{
    const char *at = strchr(text, '(');
    for (int i = 0; at && i < c->nargs; i++) {
        at += 1 + strspn(at + 1, " ");
        if (c->args[i].role == CS_ROLE_SBUF)
            return (isalpha((unsigned char)*at) || *at == '_') && strncasecmp(at, "mpi_in_place", 12) != 0;
        at = strchr(at, ',');
    }
    return false;
}

bool cs_why_is_received(const struct cs_slice_info *s, const struct cs_why_step *at, const struct cs_why_step *to)
{
    if (at->kind != CS_WHY_MEMORY || at->message || !at->by || !at->by->object[0] || !to->st || to->st->text[0] != '(')
        return false;
    char address[300] = "&";
    struct cs_why_step call = cs_why_next(s, to);
    const struct cs_mpi_call *c = call.st ? mpi_call(call.st) : NULL;
    cs_why_source_name(at->by->object, at->st->file, address + 1, sizeof address - 1);
    int arg = c ? cs_why_argument(call.st->text, address, strlen(address)) : -1;
    return arg >= 0 && arg < c->nargs && c->args[arg].role == CS_ROLE_RBUF && may_be_in_place(c, call.st->text);
}

/* The step of the statement; st NULL: there is none. */
static struct cs_why_step step_of(const struct cs_slice_info *s, int id)
{
    return cs_why_first(s, id < 0 ? NULL : cs_slice_stmt(s, id));
}

/* The name of the step's memory: of what is allocated in a function that was put in line, where that is called, unless
 * it has its name there. */
static void object_name(const struct cs_slice_info *s, struct cs_sources *lines, const struct cs_why_step *at,
                        char *buf, size_t n)
{
    bool state = !strncmp(at->by->object, "h:", 2), allocated = strchr(at->by->object, ' ');
    struct cs_why_step allocator = step_of(s, at->by->allocator);
    cs_why_source_name(state ? state_name(at->by->object) : at->by->object, at->st->file, buf, n);
    if (allocated)
        add_allocated_name(lines, buf, n);
    if (!allocated || strstr(buf, " as ") || !allocator.st || allocator.line <= 0)
        return;
    snprintf(buf, n, "what is allocated at %s:%d", allocator.file, allocator.line);
    add_allocated_name(lines, buf, n);
}

/* Does the line of C assign the variable, too, as y of `x = y = 0`? */
static bool is_assigned_too(const char *text, const char *name)
{
    char left[300] = "";
    const char *last = NULL;
    for (const char *at = text ? strchr(text, '=') : NULL; at; at = strchr(at + 1, '='))
        if (at > text && at[1] != '=' && !strchr("=!<>", at[-1]))
            last = at;
    if (last)
        snprintf(left, sizeof left, "%.*s", last - text < 290 ? (int)(last - text) : 0, text);
    return strchr(left, '=') && cs_why_has_name(left, name, false);
}

/* What the step writes, as its source line says it; of a call, the line that writes it in what that calls. "": it is
 * not seen, or it is what the memory is called. */
static void said_name(struct cs_sources *lines, const struct cs_why_step *writer, const char *memory, char *buf,
                      size_t n)
{
    const char *text = writer->st && !writer->library ? cs_source_line(lines, writer->file, writer->line) : NULL;
    char other[130];
    buf[0] = 0;
    if (!text || is_fetched(text, writer->st))
        return;
    cs_why_written_name(text, buf, n);
    const char *last = buf + strlen(buf), *known = strstr(memory, " as ");
    while (last > buf && cs_why_is_name(last[-1]))
        last--;
    snprintf(other, sizeof other, " as %.120s", last);
    bool same = known && (!strcmp(known, other) || is_assigned_too(text, known + strlen(" as ")));
    snprintf(other, sizeof other, "%.120s of ", last);
    if (same || !strncmp(memory, other, strlen(other)))
        buf[0] = 0;
}

/* Which memory a step writes, in words. */
struct memory {
    char name[500];  /* "grid.left", "what is allocated at x.c:5 as u" */
    char said[130];  /* what the line that writes it calls that, "": the same, or it is not seen */
    char where[300]; /* of a call, " (at x.c:7)": where it is written in what that calls */
    bool told, state;
};

static void find_memory(const struct cs_slice_info *s, struct cs_sources *lines, const struct cs_why_step *at,
                        const struct cs_why_step *to, struct memory *m)
{
    char members[128] = "", *name = m->name;
    size_t n = sizeof m->name;
    const char *line = cs_source_line(lines, at->file, at->line);
    struct cs_why_step writer = at->kind == CS_WHY_EFFECT && at->by ? step_of(s, at->by->writer) : *at;
    if (at->kind == CS_WHY_EFFECT)
        writer.kind = CS_WHY_MEMORY;
    *m = (struct memory){.name = "memory", .told = at->by && at->by->object[0]};
    m->state = m->told && !strncmp(at->by->object, "h:", 2);
    if (m->told)
        object_name(s, lines, at, name, n);
    else if (line && !is_fetched(line, at->st))
        cs_why_written_name(line, name, n);
    bool allocated = m->told && strchr(at->by->object, ' ');
    if (m->told && !m->state)
        written_members(at, name, members, sizeof members);
    if (m->told && !m->state && !members[0] && writer.st && writer.st != at->st)
        written_members(&writer, name, members, sizeof members);
    if (m->told && !m->state && !members[0])
        read_members(s, at, to, name, members, sizeof members);
    const char *part = descriptor_part(at, members);
    if (allocated && !members[0] && !part && writer.st) {
        assigned_member(lines, &writer, members + 1, sizeof members - 1);
        members[0] = members[1] ? '.' : 0;
    }
    if (members[0] && !allocated)
        snprintf(name + strlen(name), n - strlen(name), "%s", members);
    else if (members[0])
        add_member(members + 1, name, n);
    if (part && (members[0] || !allocated))
        add_member(part, name, n);
    if (allocated && !part && !at->message && !cs_why_is_fortran(at->file))
        said_name(lines, &writer, name, m->said, sizeof m->said);
    if (writer.st && writer.st != at->st && !writer.library && writer.line > 0)
        snprintf(m->where, sizeof m->where, " (at %s:%d)", writer.file, writer.line);
}

/* Where what the step writes is read in what the next one calls: " at x.c:7,"; "": that is not seen. */
static void reading_place(const struct cs_slice_info *s, const struct cs_why_step *at, const struct cs_why_step *to,
                          char *buf, size_t n)
{
    struct cs_why_step reader = step_of(s, at->by ? at->by->reader : -1);
    buf[0] = 0;
    if (reader.st && to->st && reader.st->func != to->st->func && reader.line > 0 && !reader.library)
        snprintf(buf, n, " at %s:%d,", reader.file, reader.line);
}

void cs_why_memory_clause(const struct cs_slice_info *s, struct cs_sources *lines, const struct cs_why_step *at,
                          const struct cs_why_step *to, char *buf, size_t n)
{
    char call[300], passed[700] = "", reader[330];
    struct memory m;
    int among = at->by ? at->by->among : 1;
    find_memory(s, lines, at, to, &m);
    const char *name = m.name, *where = m.where;
    cs_why_place_of_call(s, at, call, sizeof call);
    reading_place(s, at, to, reader, sizeof reader);
    if (call[0] && to->st && to->st->func != at->st->func && at->kind == CS_WHY_MEMORY)
        snprintf(passed, sizeof passed, " in the call%s", call);
    snprintf(passed + strlen(passed), sizeof passed - strlen(passed), "%s", reader);
    const char *inside =
        (to->st && to->kind == CS_WHY_EFFECT && to->st->func != at->st->func) || reader[0] ? "inside" : "by";
    const char *who = at->message ? "what it brings" : at->kind == CS_WHY_EFFECT ? "this call" : "it";
    int may = at->by ? at->by->may : CS_WHY_MAY_NOT;
    const char *does = at->message               ? "is in"
                       : may == CS_WHY_MAY_WRITE ? "may write"
                                                 : "writes",
               *is = (may && may != CS_WHY_MAY_WRITE) || at->library || (to->st && to->library) ? "may be" : "is",
               *unless = may == CS_WHY_MAY_BE_OVERWRITTEN ? ", or overwritten before," : "";
    if (m.state && !strcmp(name, "files") && cs_why_reads_file(s, to))
        cs_why_files_clause(who, may == CS_WHY_MAY_NEVER, buf, n);
    else if (m.state)
        snprintf(buf, n, "%s changes the state of %s%s, which may matter to", who, name,
                 !strncmp(name, "std", 3) ? " (its position, its errors)" : "");
    else if (cs_why_is_received(s, at, to))
        snprintf(buf, n,
                 "%s %s %s, the receive buffer, which is read only if the call works in place (MPI_IN_PLACE), as the "
                 "slicer cannot rule out, by",
                 who, does, name);
    else if (may == CS_WHY_MAY_NEVER)
        snprintf(buf, n, "%s%s %s %s, which seems never to be what is read by, but is kept as if it were:", who, where,
                 does, name);
    else if (among > 1 && m.told && m.said[0])
        snprintf(buf, n,
                 "%s%s %s %s, one of %d pieces of memory that are not told apart (%s is one of them), which may be "
                 "read%s%s %s",
                 who, where, does, m.said, among, name, unless, passed, inside);
    else if (among > 1 && m.told)
        snprintf(buf, n,
                 "%s%s %s one of %d pieces of memory that are not told apart; %s, one of them, may be read%s%s %s", who,
                 where, does, among, name, unless, passed, inside);
    else if (among > 1)
        snprintf(buf, n, "%s %s one of %d pieces of memory that are not told apart, and one may be read%s%s %s", who,
                 does, among, unless, passed, inside);
    else if (m.said[0])
        snprintf(buf, n, "%s%s %s %s (%s), which %s read%s%s %s", who, where, does, m.said, name, is, unless, passed,
                 inside);
    else
        snprintf(buf, n, "%s%s %s %s, which %s read%s%s %s", who, where, does, name, is, unless, passed, inside);
}

void cs_why_written(const struct cs_why_step *at, char *buf, size_t n)
{
    char members[128] = "";
    buf[0] = 0;
    if (!at->by || !at->by->object[0])
        return;
    cs_why_source_name(at->by->object, at->st->file, buf, n);
    written_members(at, buf, members, sizeof members);
    snprintf(buf + strlen(buf), n - strlen(buf), "%s", members);
}
