/* SPDX-License-Identifier: BSD-3-Clause
 * Puts steps of chains of reasons into words; why_clause.h. */
#define _GNU_SOURCE 1
#include "cli/show/why_clause.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "cli/show/why_memory.h"
#include "cli/show/why_names.h"
#include "cli/show/why_short.h"

static bool has_word(const struct cs_why_step *step, const char *word)
{
    return step->st && strcasestr(step->st->text, word);
}

static const char same_operation[] = "the slicer cannot tell whether it is part of the same operation as";

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
        snprintf(buf, n, "%s", sent ? "its message is received by" : same_operation);
    return buf;
}

/* The variable's name where ways meet, or "a variable". */
static const char *merge_name(const struct cs_why_step *merge, char *buf, size_t n)
{
    cs_why_defined_name(merge->st->text, buf, n);
    return buf[0] ? buf : "a value";
}

/* Is it the first line of a procedure of Fortran? What is computed there are the bounds of arguments. */
static bool is_heading(struct cs_sources *lines, const struct cs_why_step *at)
{
    const char *text = cs_why_is_fortran(at->file) ? cs_source_line(lines, at->file, at->line) : NULL;
    const char *end = text ? strchr(text, '(') : NULL;
    if (!end || cs_why_begins_with(text, "end", ""))
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
    while (cs_why_is_name(*end))
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

/* What is said of a value without a name where ways meet: of an assignment to an array of Fortran, a bound of that. */
static void nameless_subject(struct cs_sources *lines, const struct cs_why_group *g, const struct cs_why_step *to,
                             char *buf, size_t n)
{
    const char *text = cs_source_line(lines, g->shown.file, g->shown.line);
    size_t length = text ? strcspn(text, "(=") : 0;
    const char *where = to->st && to->line != g->shown.line && to->st->func == g->shown.st->func
                            ? "computes once for both lines"
                            : "computes here";
    bool array = text && cs_why_is_fortran(g->shown.file) && !strncmp(text + length, "(:", 2) && strchr(text, '=');
    if (array)
        snprintf(buf, n, "a bound of %.*s(:), which the compiler %s,", length < 100 ? (int)length : 100, text, where);
    else
        snprintf(buf, n, "a value that the compiler %s", where);
}

/* Is a value of the line only computed once for both, and not what the line assigns, of which the next one speaks? */
static bool is_shared(struct cs_sources *lines, const struct cs_why_group *g, const struct cs_why_step *to)
{
    char assigned[128];
    const char *line = cs_source_line(lines, g->shown.file, g->shown.line),
               *next = to->st ? cs_source_line(lines, to->file, to->line) : NULL;
    if (!line || !next || !cs_why_is_reuse(g, to))
        return false;
    cs_why_assigned_name(line, assigned, sizeof assigned);
    return assigned[0] && !cs_why_has_name(next, assigned, cs_why_is_fortran(to->file));
}

/* What comes before the use of a value: the subject of the clause. */
static void subject(struct cs_sources *lines, const struct cs_why_group *g, const struct cs_why_step *to, char *buf,
                    size_t n)
{
    char name[128], merged[128], read[128], heading[200] = "";
    cs_why_defined_name(g->shown.st->text, name, sizeof name);
    cs_why_read_name(g->shown.st->text, read, sizeof read);
    if (is_heading(lines, &g->shown))
        heading_subject(&g->shown, heading, sizeof heading);
    if (g->merge.st && g->before.kind == CS_WHY_CONTROL &&
        !strcmp(merge_name(&g->merge, merged, sizeof merged), "a value"))
        snprintf(buf, n, "it decides a value, and that");
    else if (g->merge.st && g->before.kind == CS_WHY_CONTROL)
        snprintf(buf, n, "it decides which value %s has, and that", merge_name(&g->merge, merged, sizeof merged));
    else if (cs_why_is_merge(&g->shown) && !name[0])
        nameless_subject(lines, g, to, buf, n);
    else if (cs_why_is_merge(&g->shown))
        snprintf(buf, n, "the value that %s has here, by the way that was taken,", name);
    else if (g->merge.st && !name[0] && strcmp(merge_name(&g->merge, merged, sizeof merged), "a value"))
        snprintf(buf, n, "%s, as %s,", heading[0] ? heading : "a value of this line", merged);
    else if (name[0] && read[0] && strcmp(name, read)) /* GCC reads once for several variables */
        snprintf(buf, n, "its value, read from %s,", read);
    else if (name[0])
        snprintf(buf, n, "its value, %s,", name);
    else if (heading[0])
        snprintf(buf, n, "%s%s", heading, strchr(heading, ',') ? "," : "");
    else {
        cs_why_defined_name(g->last.st->text, name, sizeof name);
        if (name[0] && !g->merge.st) {
            snprintf(buf, n, "a value of this line, as %s,", name);
            return;
        }
        bool one = g->merge.st && !strchr(g->merge.st->text, ','); /* of one value: there is no other way */
        cs_why_read_path(one ? g->before.st->text : g->last.st->text, read, sizeof read);
        if (!read[0] && is_shared(lines, g, to))
            snprintf(buf, n, "what the compiler computes once for both lines");
        else
            snprintf(buf, n, read[0] && (one || !g->merge.st) ? "a value of this line, %s," : "a value of this line%s",
                     read);
    }
}

static void of_value(struct cs_sources *lines, const struct cs_why_group *g, const struct cs_why_step *to, char *buf,
                     size_t n)
{
    char what[300];
    bool buffer = to->st && to->st->text[0] == '(' && strstr(to->st->text, "reads");
    subject(lines, g, to, what, sizeof what);
    snprintf(buf, n, "%s is %s", what, buffer ? "where the buffer is of" : "used by");
}

/* Writes to buf whose call it is that an argument goes by first, if that is not the one of its user, a function; "". */
static void first_call(const struct cs_slice_info *s, const struct cs_why_step *at, const char *user, char *buf,
                       size_t n)
{
    const struct cs_slice_stmt *st = at->by && at->by->call >= 0 ? cs_slice_stmt(s, at->by->call) : NULL;
    const char *text = st ? st->text : "", *is = strstr(text, " = "), *open = strchr(text, '('),
               *last = strrchr(user, ':');
    char callee[128];
    text = is && open && is < open ? is + strlen(" = ") : text;
    snprintf(callee, sizeof callee, "%.*s", (int)strcspn(text, " ("), text);
    size_t length = strlen(callee);
    bool plain = !length || strstr(callee, last ? last + 1 : user) || isdigit((unsigned char)callee[length - 1]);
    buf[0] = 0;
    if (!plain)
        snprintf(buf, n, ", by the call of %s", callee);
}

static void of_argument(const struct cs_slice_info *s, struct cs_sources *lines, const struct cs_why_group *g,
                        const struct cs_why_step *to, char *buf, size_t n)
{
    char name[256] = "a function", call[300], what[300], first[160];
    const char *func = to->st ? cs_why_function(s, to->st) : NULL;
    if (func)
        cs_why_source_name(func, to->st->file, name, sizeof name);
    cs_why_place_of_call(s, &g->last, call, sizeof call);
    subject(lines, g, to, what, sizeof what);
    first_call(s, &g->last, name, first, sizeof first);
    snprintf(buf, n, "%s is passed %s %s%s%s, and there used by", what, call[0] && !first[0] ? "to" : "on to", name,
             first, call);
}

static void of_return(const struct cs_slice_info *s, const struct cs_why_group *g, char *buf, size_t n)
{
    char call[300];
    cs_why_place_of_call(s, &g->last, call, sizeof call);
    const char *is = g->merge.st && g->before.kind == CS_WHY_CONTROL ? "decides which value is" : "is";
    if (call[0])
        snprintf(buf, n, "it %s returned to the call%s, and there used by", is, call);
    else
        snprintf(buf, n, "it %s returned, and so on from function to function, and in the end used by", is);
}

/* Of some steps inside a library the last one says which memory it writes; what leads to that need not be so. */
static void of_library(const struct cs_slice_info *s, struct cs_sources *lines, const struct cs_why_group *g,
                       const struct cs_why_step *to, char *buf, size_t n)
{
    static const char call[] = "this call";
    char memory[700];
    bool writes = (g->last.kind == CS_WHY_MEMORY || g->last.kind == CS_WHY_EFFECT) && !cs_why_is_temporary(&g->last);
    if (!writes) {
        snprintf(buf, n, "inside the library this %s on to", g->doubtful ? "may lead" : "leads");
        return;
    }
    cs_why_memory_clause(s, lines, &g->last, to, memory, sizeof memory);
    size_t shown = strncmp(memory, call, strlen(call)) ? 0 : strlen(call); /* it is none of those that are shown */
    snprintf(buf, n, "inside the library %s%s%.600s", g->doubtful ? "this may lead on to what follows: " : "",
             shown ? "a call" : "", memory + shown);
}

static const char *plain_clause(const struct cs_slice_info *s, struct cs_sources *lines,
                                const struct cs_why_group *group, const struct cs_why_step *to, char *buf, size_t n)
{
    const char *text = "it is needed by";
    const struct cs_why_step *at = &group->last;
    buf[0] = 0;
    if (group->shown.library && group->last.id != group->shown.id && at->kind != CS_WHY_ROOT && to->st) {
        of_library(s, lines, group, to, buf, n);
        return buf;
    }
    switch (at->kind) {
    case CS_WHY_ROOT: text = "it communicates, so every slice has it"; break;
    case CS_WHY_DATA: of_value(lines, group, to, buf, n); return buf;
    case CS_WHY_EFFECT:
    case CS_WHY_MEMORY: cs_why_memory_clause(s, lines, at, to, buf, n); return buf;
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
    if (never && to->st && !strcmp(plain, same_operation)) {
        snprintf(buf, n, "it seems never to meet, but is kept as if it were part of the same operation as");
        return buf;
    }
    if (never && to->st && at->kind == CS_WHY_MESSAGE) {
        snprintf(buf, n, "its message seems never to be the one that is received by, but is kept as if it were:");
        return buf;
    }
    snprintf(buf, n, "%s%s",
             never && to->st ? "the program seems never to go on so, but what follows is kept as if it did: " : "",
             plain);
    return buf;
}

void cs_why_state_clause(const struct cs_slice_info *s, const struct cs_why_step *to, bool never, char *buf, size_t n)
{
    if (cs_why_reads_file(s, to))
        cs_why_files_clause("it", never, buf, n);
    else
        snprintf(buf, n,
                 "it changes the state of a file or stream, which the slicer does not tell from that of others, "
                 "and which may matter to");
}
