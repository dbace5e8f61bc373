/* SPDX-License-Identifier: BSD-3-Clause
 * What a chain of reasons says in short; why_short.h. */
#define _GNU_SOURCE 1
#include "cli/show/why_short.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "api/mpi_calls.h"
#include "cli/show/why_memory.h"
#include "cli/show/why_names.h"

static bool is_memory(const struct cs_why_step *at)
{
    return at->kind == CS_WHY_MEMORY || at->kind == CS_WHY_EFFECT;
}

bool cs_why_is_state(const struct cs_why_step *at)
{
    return is_memory(at) && at->by && !strncmp(at->by->object, "h:", 2);
}

bool cs_why_is_temporary(const struct cs_why_step *at)
{
    return is_memory(at) && at->by && !strcmp(at->by->object, "a temporary variable");
}

/* Does the step go from one collective operation to another one, which may only seem to meet it? */
static bool may_meet(const struct cs_why_step *at, const struct cs_why_step *to)
{
    static const char *const words[] = {"send", "recv", "wait", "test", "start", "probe"};
    bool one_sided = !to->st;
    for (size_t i = 0; i < sizeof words / sizeof *words && !one_sided; i++)
        one_sided = strcasestr(at->st->text, words[i]) || strcasestr(to->st->text, words[i]);
    return !one_sided;
}

enum cs_why_doubt cs_why_doubt(const struct cs_slice_info *s, const struct cs_why_step *at,
                               const struct cs_why_step *to)
{
    int may = at->by ? at->by->may : CS_WHY_MAY_NOT, among = at->by ? at->by->among : 1;
    if (may == CS_WHY_MAY_NEVER || cs_why_is_received(s, at, to))
        return CS_WHY_IDLE;
    if (cs_why_is_state(at))
        return CS_WHY_FILES;
    if (among > 1 || (at->kind == CS_WHY_MESSAGE && may_meet(at, to)))
        return CS_WHY_MIXED;
    return is_memory(at) && may != CS_WHY_MAY_NOT ? CS_WHY_PART : CS_WHY_SURE;
}

/* The name of the variable that the step writes, if it is one. */
static const char *variable(const struct cs_why_step *at)
{
    const char *name = is_memory(at) && at->by && !cs_why_is_state(at) ? at->by->object : "";
    return strpbrk(name, " :") ? "" : name;
}

bool cs_why_goes_on(const struct cs_slice_info *s, const struct cs_why_step *at, const struct cs_why_step *next)
{
    if (!at->st || !next->st || at->message || next->message)
        return false;
    if (cs_why_is_state(at) || cs_why_is_state(next))
        return cs_why_is_state(at) && cs_why_is_state(next);
    struct cs_why_step none = {0};
    char name[300], again[300]; /* with members */
    cs_why_written(at, name, sizeof name);
    cs_why_written(next, again, sizeof again);
    return *variable(at) && *variable(next) && !strcmp(name, again) && at->st->func == next->st->func &&
           cs_why_doubt(s, at, &none) == CS_WHY_SURE && cs_why_doubt(s, next, &none) == CS_WHY_SURE;
}

/* The name of the MPI procedure that the last step calls: of the source line, or of the compiler's statement. */
static void mpi_name(struct cs_sources *lines, const struct cs_why_step *end, char *buf, size_t n)
{
    const char *line = cs_source_line(lines, end->file, end->line), *text = end->st->text;
    const char *at = line ? strcasestr(line, "mpi_") : NULL;
    at = at ? at : strcasestr(text, "mpi_");
    size_t length = 0;
    while (at && (isalnum((unsigned char)at[length]) || at[length] == '_'))
        length++;
    snprintf(buf, n, "%.*s", at ? (int)length : 8, at ? at : "the call");
}

/* What an argument of a call of MPI says, for people; NULL: nothing that has a word. */
static const char *role_word(enum cs_role role)
{
    switch (role) {
    case CS_ROLE_COUNT:
    case CS_ROLE_COUNTS: return "the count";
    case CS_ROLE_TYPE:
    case CS_ROLE_TYPES: return "the datatype";
    case CS_ROLE_DEST: return "the destination";
    case CS_ROLE_SOURCE: return "the source";
    case CS_ROLE_ROOT: return "the root";
    case CS_ROLE_TAG: return "the tag";
    case CS_ROLE_COMM: return "the communicator";
    case CS_ROLE_OP: return "the operation";
    default: return NULL;
    }
}

/* What the step before the last decides of the call there: "the count"; NULL: that is not seen. */
static const char *decided(const struct cs_why_step *last, const struct cs_why_step *end, const char *mpi)
{
    char name[128];
    snprintf(name, sizeof name, "MPI_%.100s", strlen(mpi) > 4 ? mpi + 4 : "");
    const struct cs_mpi_call *c = cs_mpi_find(name);
    size_t length = strcspn(last->st->text, " ");
    bool defines = c && last->kind == CS_WHY_DATA && !strncmp(last->st->text + length, " = ", 3);
    int arg = defines ? cs_why_argument(end->st->text, last->st->text, length) : -1;
    return arg >= 0 && arg < c->nargs ? role_word(c->args[arg].role) : NULL;
}

/* What a walk along a chain notes. */
struct summary {
    size_t steps;
    bool sure, never;                        /* never: a step seems never to be so */
    struct cs_why_step condition, last, end; /* the last one that decides whether something runs, of some that do so
                                                one for the other the first; before the end */
    char name[300];                          /* of the last variable before that */
    bool plain;                              /* behind the condition, it goes by calls alone */
};

static void note(const struct cs_slice_info *s, struct summary *sum, const struct cs_why_group *g,
                 const struct cs_why_step *to)
{
    char name[300];
    if (!to->st) {
        sum->end = g->last;
        return;
    }
    enum cs_why_doubt doubt = cs_why_doubt(s, &g->last, to);
    sum->sure &= doubt == CS_WHY_SURE;
    sum->never |= doubt == CS_WHY_IDLE;
    bool again = sum->last.st && sum->last.kind == CS_WHY_CONTROL && sum->plain;
    sum->last = g->last;
    if (g->last.kind == CS_WHY_CONTROL && !g->merge.st) {
        sum->condition = again ? sum->condition : g->shown;
        sum->plain = true;
    } else if (g->last.kind != CS_WHY_CALL)
        sum->plain = false;
    cs_why_written(&g->last, name, sizeof name);
    if (is_memory(&g->last))
        snprintf(sum->name, sizeof sum->name, "%s", *variable(&g->last) ? name : "");
}

bool cs_why_in_short(const struct cs_slice_info *s, struct cs_sources *lines, const struct cs_slice_stmt *st, char *buf,
                     size_t n)
{
    enum { FEW = 3 };
    struct summary sum = {.sure = true};
    char mpi[128], which[400] = "", at[300];
    struct cs_why_step step = cs_why_first(s, st);
    for (; step.st && sum.steps <= cs_why_most(s); sum.steps++) {
        struct cs_why_group g = cs_why_group(s, lines, step, false);
        step = cs_why_next(s, &g.last);
        note(s, &sum, &g, &step);
    }
    if (sum.steps <= FEW || !sum.end.st || sum.end.kind != CS_WHY_ROOT)
        return false;
    mpi_name(lines, &sum.end, mpi, sizeof mpi);
    snprintf(at, sizeof at, "%s at %s:%d", mpi, sum.end.file, sum.end.line);
    if (sum.name[0])
        snprintf(which, sizeof which, "the value of %s, and so ", sum.name);
    const char *what = decided(&sum.last, &sum.end, mpi);
    const char *does = sum.never  ? "it seems never to help, but is kept as if it helped, to decide"
                       : sum.sure ? "it helps to decide"
                                  : "it may help to decide";
    if (sum.plain)
        snprintf(buf, n, "%s %swhether %s is called (by the condition at %s:%d)", does, which, at, sum.condition.file,
                 sum.condition.line);
    else
        snprintf(buf, n, "%s %s%s%s%s%s", does, which, what ? what : "what", what ? " of " : " ", at,
                 what ? "" : " does");
    return true;
}
