/* SPDX-License-Identifier: BSD-3-Clause
 * commslice why: the chain of reasons that kept a statement, down to a communication variable.
 * The slicer finds the reasons when they are asked for (slice_reasons.h); here they are only followed. */
#define _GNU_SOURCE 1
#include <stdlib.h>
#include <string.h>

#include "cli/frame/cli.h"
#include "cli/frame/json.h"
#include "cli/show/readable.h"
#include "cli/show/slice_info.h"
#include "cli/show/slice_reasons.h"
#include "cli/show/why_chain.h"
#include "cli/show/why_clause.h"
#include "cli/show/why_short.h"
#include "base/grow.h"
#include "cli/frame/text.h"

#define SHOWN 1   /* chains of one line, unless --all */
#define HOLDERS 8 /* places that hold most up, unless --all */

/* What was asked: file NULL: of the whole slice; line 0: of a file. */
struct question {
    const char *file;
    long line;
    bool all, json, statements;
    struct cs_sources *lines;
};

/* Is `name` the file that the user asked for: the same path, or one the end of the other, cut at a slash? */
static bool same_file(const char *name, const char *asked)
{
    while (strncmp(asked, "./", 2) == 0)
        asked += 2;
    size_t n = strlen(name), k = strlen(asked);
    if (k > n) /* the user may give a longer path than the compiler was given */
        return n > 0 && strcmp(asked + k - n, name) == 0 && asked[k - n - 1] == '/';
    return strcmp(name + n - k, asked) == 0 && (n == k || name[n - k - 1] == '/');
}

/* ---- chains ---- */

/* Does the chain end here in earnest? */
static bool is_end(const struct cs_why_step *at)
{
    return at->kind == CS_WHY_ROOT || at->kind == CS_WHY_FREE || at->kind == CS_WHY_COUNT ||
           at->kind == CS_WHY_BUDGET || at->kind == CS_WHY_WHOLE || at->kind == CS_WHY_EXIT ||
           at->kind == CS_WHY_OPAQUE;
}

/* Do two chains look the same, where source lines are shown? */
static bool same_chain(const struct cs_slice_info *s, const struct question *q, const struct cs_slice_stmt *x,
                       const struct cs_slice_stmt *y)
{
    struct cs_why_step a = cs_why_first(s, x), b = cs_why_first(s, y);
    for (size_t steps = 0; a.st && b.st && steps <= cs_why_most(s); steps++) {
        a = cs_why_group(s, q->lines, a, q->statements).last;
        b = cs_why_group(s, q->lines, b, q->statements).last;
        if (a.id == b.id)
            return true;
        if (a.line != b.line || a.kind != b.kind || strcmp(a.file, b.file) != 0 ||
            !cs_source_line(q->lines, a.file, a.line))
            return false;
        a = cs_why_next(s, &a);
        b = cs_why_next(s, &b);
    }
    return !a.st && !b.st;
}

static void put_step(const struct cs_slice_info *s, const struct question *q, const struct cs_why_step *at, bool first)
{
    fputs(first ? "" : "    ", stdout);
    cs_why_put_step(s, q->lines, at, q->statements);
}

/* Steps that were printed, by their ids, and what makes them need not be so, as bits. */
struct printed {
    int *id;
    size_t n, cap;
    unsigned doubts;
};

/* Notes the step. Is it one of the first `before`, of other chains? */
static bool was_printed(struct printed *p, size_t before, int id)
{
    for (size_t i = 0; i < p->n; i++)
        if (p->id[i] == id)
            return i < before;
    if (CS_MAKE_ROOM(p->id, p->n, p->cap))
        p->id[p->n++] = id;
    return false;
}

/* Steps that say little and are left out between two others: where they are, as "x.c:5, x.c:7". */
struct left_out {
    char places[300];
    struct cs_why_step first; /* the one before them */
    bool states;              /* they are of what a library holds */
    bool never;               /* one of them seems never to lead to the next one */
};

/* Goes on past steps that only write the same variable again, or what a library holds. */
static struct cs_why_group pass_over(const struct cs_slice_info *s, const struct question *q, struct cs_why_group g,
                                     struct left_out *left)
{
    left->places[0] = 0;
    left->first = g.last;
    left->states = cs_why_is_state(&g.last);
    left->never = false;
    for (size_t steps = 0; !q->statements && steps <= cs_why_most(s); steps++) {
        struct cs_why_group next = cs_why_group(s, q->lines, cs_why_next(s, &g.last), false);
        size_t used = strlen(left->places);
        if (!cs_why_goes_on(s, &g.last, &next.last) || used > sizeof left->places / 2)
            break;
        left->never |= cs_why_doubt(s, &g.last, &next.last) == CS_WHY_IDLE;
        snprintf(left->places + used, sizeof left->places - used, "%s%.100s:%d", used ? ", " : "", next.shown.file,
                 next.shown.line);
        g = next;
    }
    return g;
}

/* Takes out of the clause of a call, "this call (at y.c:3) writes n", where what it calls writes. "": it does not say.
 */
static void take_place(char *clause, char *place, size_t n)
{
    static const char call[] = "this call", at[] = " (at ";
    char *from = clause + strlen(call), *end = strchr(clause, ')');
    place[0] = 0;
    if (strncmp(clause, call, strlen(call)) != 0 || strncmp(from, at, strlen(at)) != 0 || !end)
        return;
    snprintf(place, n, ", there at %.*s", (int)(end - from - strlen(at)), from + strlen(at));
    memmove(from, end + 1, strlen(end + 1) + 1);
}

/* Says in the clause of the last of the steps what was left out: "it writes n (and from that again at x.c:5), which is
 * read by". Where what the last one calls writes is said of that one. */
static void say_left_out(const struct cs_slice_info *s, const struct left_out *left, const struct cs_why_step *last,
                         const struct cs_why_step *to, char *clause, size_t n)
{
    char *copy = strdup(clause), place[300] = "";
    if (copy && left->places[0])
        take_place(copy, place, sizeof place);
    const char *comma = copy ? strstr(copy, ", which") : NULL, *from = copy;
    if (copy && left->first.kind == CS_WHY_MEMORY && !strncmp(copy, "this call", strlen("this call")))
        from += strlen("this call");
    if (left->places[0] && left->states)
        cs_why_state_clause(s, to, left->never || cs_why_doubt(s, last, to) == CS_WHY_IDLE, clause, n);
    else if (left->places[0] && comma)
        snprintf(clause, n, "%s%.*s (and from that again at %s%s)%s", from > copy ? "it" : "", (int)(comma - from),
                 from, left->places, place, comma);
    free(copy);
}

/* What the clause of these steps says that need not be so, as bits: inside a library only of
 * what the last step writes. Of which piece
 * of memory is not known, elements are not, either. */
static unsigned doubts_said(const struct cs_slice_info *s, const struct cs_why_group *g, const struct cs_why_step *to)
{
    enum cs_why_doubt doubt = cs_why_doubt(s, &g->last, to);
    bool memory_said =
        (g->last.kind == CS_WHY_MEMORY || g->last.kind == CS_WHY_EFFECT) && !cs_why_is_temporary(&g->last);
    if ((g->shown.library && g->last.id != g->shown.id && !memory_said) ||
        (g->last.by && g->last.by->may == CS_WHY_MAY_WRITE))
        return 0;
    bool memory = doubt == CS_WHY_MIXED && g->last.kind != CS_WHY_MESSAGE;
    return 1U << doubt | (memory ? 1U << CS_WHY_PART : 0);
}

/* Says where the question's line was put in line, of which the first step has another one. */
static void say_inlined(const struct question *q, const struct cs_slice_stmt *st, const struct cs_why_step *at)
{
    if (!q->statements && at->line > 0 && (at->line != st->line || strcmp(at->file, st->file) != 0))
        cs_print_plain(stdout, "%s:%d, as it is put in line at", st->file, st->line);
}

/* A chain that comes to a step of one above it ends there. */
static void print_chain(const struct cs_slice_info *s, const struct question *q, const struct cs_slice_stmt *st,
                        struct printed *p)
{
    struct cs_why_step at = cs_why_first(s, st);
    char clause[1100], sentence[900];
    size_t before = p->n;
    if (at.st)
        say_inlined(q, st, &at);
    for (size_t steps = 0; at.st; steps++) {
        struct cs_why_group group = cs_why_group(s, q->lines, at, q->statements);
        struct left_out left;
        if (steps > cs_why_most(s)) {
            puts("      (the reasons go in a circle: the slice's information is damaged)");
            return;
        }
        put_step(s, q, &group.shown, steps == 0);
        if (steps == 0 && !q->statements && cs_why_in_short(s, q->lines, st, sentence, sizeof sentence))
            cs_print_plain(stdout, "      in short: %s", sentence);
        struct cs_why_group last = pass_over(s, q, group, &left);
        at = last.last;
        struct cs_why_step to = cs_why_next(s, &at);
        p->doubts |= left.states ? 1U << CS_WHY_FILES : doubts_said(s, &last, &to);
        if (!q->statements)
            to = cs_why_reader(s, q->lines, &last, &to);
        if (was_printed(p, before, group.last.id) && steps > 0 && to.st) {
            puts("      and so on, as above");
            return;
        }
        if (to.st || is_end(&at)) {
            cs_why_clause(s, q->lines, left.places[0] ? &last : &group, &to, clause, sizeof clause);
            say_left_out(s, &left, &last.last, &to, clause, sizeof clause);
            cs_print_plain(stdout, "      %s", clause);
        } else
            cs_print_plain(stdout, "      (%s; no further reason is recorded)", at.kind_name);
        at = to;
    }
}

/* Says once, below the chains, what the words for steps that need not be so mean. */
static void print_doubts(unsigned doubts)
{
    if (doubts >> CS_WHY_PART & 1)
        puts("\n(\"May be read\": the slicer cannot tell which elements are read, or that others always overwrite them "
             "before; what it cannot rule out it keeps.)");
    if (doubts >> CS_WHY_FILES & 1)
        puts("\n(The slicer does not tell files and streams apart; "
             "-fplugin-arg-commslice-assume=no-read-back says that no rank reads what the program wrote.)");
}

static void json_chain(struct cs_json *j, const struct cs_slice_info *s, const struct question *q,
                       const struct cs_slice_stmt *st)
{
    struct cs_why_step at = cs_why_first(s, st);
    char clause[700];
    cs_json_open(j, NULL, '[');
    for (size_t steps = 0; at.st && steps <= cs_why_most(s); steps++) {
        struct cs_why_step to = cs_why_next(s, &at);
        struct cs_why_group group = {.shown = at, .last = at, .before = at};
        cs_json_open(j, NULL, '{');
        cs_json_string(j, "file", at.file);
        cs_json_int(j, "line", at.line);
        cs_json_string(j, "func", cs_why_function(s, at.st));
        cs_json_string(j, "source", cs_source_line(q->lines, at.file, at.line));
        cs_json_string(j, "statement", at.st->text);
        cs_json_string(j, "reason", at.message ? "message" : at.kind_name);
        cs_json_string(j, "text", cs_why_clause(s, q->lines, &group, &to, clause, sizeof clause));
        cs_json_string(j, "memory", at.by && at.by->object[0] ? at.by->object : NULL);
        cs_json_int(j, "among", at.by ? at.by->among : 1);
        cs_json_close(j, '}');
        at = to;
    }
    cs_json_close(j, ']');
}

/* ---- one line ---- */

/* The statements of that line: those that were kept, in the slice's order, each text once. */
struct answer {
    const struct cs_slice_stmt **kept;
    size_t *votes;                  /* of each, how many statements of the line lead to the same */
    size_t nkept, nremoved, nplain; /* nplain: of nkept, from the first, those that are worth a look */
    size_t nown;                    /* statements of the line that were kept, but for the next */
    size_t nmet;                    /* merges of values that the line does not name, and that are there by chance */
    bool file_known;
    int below, above; /* nearest lines with statements; -1: none */
};

static bool said_already(const struct cs_slice_info *s, const struct question *q, const struct answer *a,
                         const struct cs_slice_stmt *st)
{
    for (size_t i = 0; i < a->nkept; i++)
        if (!q->statements && !q->json && same_chain(s, q, a->kept[i], st)) {
            a->votes[i]++;
            return true;
        }
    for (size_t i = 0; i < a->nkept; i++)
        if (strcmp(a->kept[i]->text, st->text) == 0 && a->kept[i]->parent == st->parent && a->kept[i]->kind == st->kind)
            return true;
    return false;
}

/* What makes a chain hard to follow, beside its steps. */
enum { VOTE = 100, REUSE = 10000, NEVER = 100000, UNSEEN = 2 * NEVER, GIVES_BACK = 1000000 };

/* How hard the chain is to follow: one step that communicates is the best; a value that is only computed once for two
 * lines is a bad beginning, or one that the line does not name, worse another one than what the line assigns; what
 * seems never to be read is worse, a merge of values of other lines worse again, and that the compiler gives memory
 * back, of which the line shows nothing, the worst. */
static size_t chain_rank(const struct cs_slice_info *s, const struct question *q, const struct cs_slice_stmt *st)
{
    static const size_t doubtful[] = {[CS_WHY_SURE] = 0, [CS_WHY_PART] = 2, [CS_WHY_MIXED] = 8, [CS_WHY_FILES] = 20};
    struct cs_why_step at = cs_why_first(s, st);
    size_t steps = 0, rank = 0;
    for (; at.st && steps <= cs_why_most(s); steps++) {
        struct cs_why_group group = cs_why_group(s, q->lines, at, q->statements);
        struct cs_why_step to = cs_why_next(s, &group.last);
        enum cs_why_aside aside = steps ? CS_WHY_OWN : cs_why_aside(q->lines, &group);
        if (steps == 0 && (cs_why_is_reuse(&group, &to) || aside))
            rank += aside == CS_WHY_IS_ASIDE ? 2 * REUSE : REUSE;
        if (steps == 0 && cs_why_is_unseen(q->lines, &group))
            rank += UNSEEN;
        if (steps == 0 && (group.last.kind == CS_WHY_FREE || group.last.kind == CS_WHY_COUNT))
            rank += GIVES_BACK;
        enum cs_why_doubt doubt = cs_why_doubt(s, &group.last, &to);
        rank += doubt == CS_WHY_IDLE ? (rank < NEVER ? NEVER : 0) : doubtful[doubt];
        at = to;
    }
    return rank + steps;
}

/* Does the chain say nothing that the best one has not said better? Who communicates needs no other reason, and with a
 * plain chain there, none is worth it that begins with what the line does not show, or goes by what is never read. */
static bool is_poor(size_t rank, size_t best)
{
    return best == 1 || rank / NEVER > best / NEVER || (rank >= REUSE && best < REUSE);
}

/* The chains that are followed best come first; else they stay as they are. Counts those that are worth a look. */
static void sort_chains(const struct cs_slice_info *s, const struct question *q, struct answer *a)
{
    enum { MOST = 40 }; /* votes that count */
    size_t *rank = calloc(a->nkept + 1, sizeof *rank);
    for (size_t i = 0; rank && i < a->nkept; i++) {
        const struct cs_slice_stmt *st = a->kept[i];
        size_t votes = a->votes[i], r = chain_rank(s, q, st), k = i;
        if (r >= REUSE) /* what most of the line is for */
            r += votes < MOST ? VOTE * (MOST - votes) : 0;
        for (; k > 0 && rank[k - 1] > r; k--) {
            rank[k] = rank[k - 1];
            a->kept[k] = a->kept[k - 1];
            a->votes[k] = a->votes[k - 1];
        }
        rank[k] = r;
        a->votes[k] = votes;
        a->kept[k] = st;
    }
    while (rank && a->nplain < a->nkept && (a->nplain == 0 || !is_poor(rank[a->nplain], rank[0])))
        a->nplain++;
    free(rank);
}

/* Is it a merge of values of other lines? The compiler gives it the line from which control comes there. */
static bool is_chance(const struct cs_slice_info *s, const struct question *q, const struct cs_slice_stmt *st)
{
    struct cs_why_step at = cs_why_first(s, st);
    struct cs_why_group g = {.shown = at, .last = at, .before = at};
    return cs_why_is_unseen(q->lines, &g);
}

static int find(const struct cs_slice_info *s, const struct question *q, struct answer *a)
{
    *a = (struct answer){.below = -1, .above = -1, .kept = calloc(s->nstmts + 1, sizeof *a->kept)};
    a->votes = calloc(s->nstmts + 1, sizeof *a->votes);
    if (!a->kept || !a->votes)
        return cs_error("not enough memory");
    for (size_t i = 0; i < s->nstmts; i++) {
        const struct cs_slice_stmt *st = &s->stmt[i];
        if (!same_file(st->file, q->file))
            continue;
        a->file_known = true;
        if (st->line != q->line) {
            if (st->line < q->line && st->line > a->below && st->line > 0)
                a->below = st->line;
            if (st->line > q->line && (a->above < 0 || st->line < a->above))
                a->above = st->line;
            continue;
        }
        if (!st->kept) {
            a->nremoved++;
            continue;
        }
        *(is_chance(s, q, st) ? &a->nmet : &a->nown) += 1;
        if (!said_already(s, q, a, st))
            a->kept[a->nkept++] = st;
    }
    if (!q->statements)
        sort_chains(s, q, a);
    return 0;
}

static int nothing_there(const char *path, const struct question *q, const struct answer *a)
{
    char near[64] = "";
    if (!a->file_known)
        return cs_error("%s: no statement of a file %s; commslice info lists the functions with their files", path,
                        q->file);
    if (a->below >= 0 && a->above >= 0)
        snprintf(near, sizeof near, "lines %d and %d", a->below, a->above);
    else
        snprintf(near, sizeof near, "line %d", a->below >= 0 ? a->below : a->above);
    return cs_error("%s: no statement at %s:%ld; the nearest are at %s", path, q->file, q->line, near);
}

static int print_answer(const struct cs_slice_info *s, const struct question *q, const struct answer *a)
{
    if (!a->nkept) {
        cs_print_plain(stdout, "%s:%ld was removed: no communication depends on it", q->file, q->line);
        return CS_EXIT_NOT_SO;
    }
    if (!q->statements && !q->all && a->nremoved && !a->nown) {
        cs_print_plain(stdout,
                       "%s:%ld was removed: no communication depends on it (kept %s only %zu value%s of other lines, "
                       "which the compiler merges here: --all)",
                       q->file, q->line, a->nmet == 1 ? "is" : "are", a->nmet, a->nmet == 1 ? "" : "s");
        return CS_EXIT_NOT_SO;
    }
    struct printed p = {0};
    size_t most = q->statements ? a->nkept : a->nplain, shown = q->all ? a->nkept : most < SHOWN ? most : SHOWN;
    for (size_t i = 0; i < shown; i++) {
        if (i)
            putchar('\n');
        print_chain(s, q, a->kept[i], &p);
    }
    free(p.id);
    if (!q->statements)
        print_doubts(p.doubts);
    if (a->nkept > shown)
        printf("\n%zu more statement%s at this line %s kept (--all)\n", a->nkept - shown,
               a->nkept - shown == 1 ? "" : "s", a->nkept - shown == 1 ? "was" : "were");
    if (a->nremoved)
        printf("\n%zu statement%s at this line %s removed\n", a->nremoved, a->nremoved == 1 ? "" : "s",
               a->nremoved == 1 ? "was" : "were");
    return CS_EXIT_OK;
}

static int json_answer(const struct cs_slice_info *s, const struct question *q, const struct answer *a)
{
    struct cs_json j = {.out = stdout};
    cs_json_open(&j, NULL, '{');
    cs_json_bool(&j, "kept", a->nkept > 0);
    cs_json_int(&j, "statements_removed", (int64_t)a->nremoved);
    cs_json_open(&j, "chains", '[');
    for (size_t i = 0; i < a->nkept; i++)
        json_chain(&j, s, q, a->kept[i]);
    cs_json_close(&j, ']');
    cs_json_close(&j, '}');
    cs_json_end(&j);
    return a->nkept ? CS_EXIT_OK : CS_EXIT_NOT_SO;
}

/* ---- the whole slice ---- */

static double percent(long part, long whole)
{
    return whole > 0 ? 100.0 * (double)part / (double)whole : 0;
}

static int print_holders(const struct cs_slice_info *s, const struct question *q)
{
    cs_print_plain(stdout, "%ld of %ld statements kept (%.1f %%)", s->kept, s->total, percent(s->kept, s->total));
    if (!s->nholds)
        puts("no single branch or message holds much of them up");
    for (size_t i = 0; i < s->nholds && (q->all || i < HOLDERS); i++) {
        const struct cs_slice_stmt *st = cs_slice_stmt(s, s->hold[i].stmt);
        if (i == 0)
            puts("what would go with one branch or message, the most first:");
        printf("%6ld (%4.1f %%)  ", s->hold[i].held, percent(s->hold[i].held, s->total));
        if (!st) {
            puts("files: what the program writes to files may be what it reads");
            continue;
        }
        struct cs_why_step at = cs_why_first(s, st);
        put_step(s, q, &at, true);
    }
    return CS_EXIT_OK;
}

static int json_holders(const struct cs_slice_info *s, const struct question *q)
{
    struct cs_json j = {.out = stdout};
    cs_json_open(&j, NULL, '{');
    cs_json_int(&j, "statements", s->total);
    cs_json_int(&j, "kept", s->kept);
    cs_json_open(&j, "holders", '[');
    for (size_t i = 0; i < s->nholds; i++) {
        const struct cs_slice_stmt *st = cs_slice_stmt(s, s->hold[i].stmt);
        cs_json_open(&j, NULL, '{');
        cs_json_int(&j, "held", s->hold[i].held);
        cs_json_string(&j, "kind", st ? "place" : "files");
        cs_json_string(&j, "file", st ? st->file : NULL);
        cs_json_int(&j, "line", st ? st->line : 0);
        cs_json_string(&j, "func", st ? cs_why_function(s, st) : NULL);
        cs_json_string(&j, "source", st ? cs_source_line(q->lines, st->file, st->line) : NULL);
        cs_json_close(&j, '}');
    }
    cs_json_close(&j, ']');
    cs_json_close(&j, '}');
    cs_json_end(&j);
    return CS_EXIT_OK;
}

/* ---- the functions of a file ---- */

/* The first branch or message of a statement's chain that is in another function, or the last step. */
static const struct cs_slice_stmt *far_reason(const struct cs_slice_info *s, const struct cs_slice_stmt *st)
{
    struct cs_why_step at = cs_why_first(s, st);
    for (size_t steps = 0; steps <= cs_why_most(s); steps++) {
        struct cs_why_step to = cs_why_next(s, &at);
        if (!to.st || (at.st->func != st->func && (at.kind == CS_WHY_CONTROL || at.message)))
            return at.st;
        at = to;
    }
    return st;
}

/* The reason that most statements of the function have in common. */
static const struct cs_slice_stmt *main_reason(const struct cs_slice_info *s, int func)
{
    long *count = calloc(s->nstmts + 1, sizeof *count);
    const struct cs_slice_stmt *best = NULL;
    for (size_t i = 0; count && i < s->nstmts; i++) {
        if (s->stmt[i].func != func || !s->stmt[i].kept)
            continue;
        const struct cs_slice_stmt *r = far_reason(s, &s->stmt[i]);
        long n = ++count[r - s->stmt];
        if (!best || n > count[best - s->stmt])
            best = r;
    }
    free(count);
    return best;
}

static int per_function(const char *path, const struct cs_slice_info *s, const struct question *q)
{
    struct cs_json j = {.out = stdout};
    bool any = false;
    if (q->json)
        cs_json_open(&j, NULL, '[');
    for (size_t i = 0; i < s->nfuncs; i++) {
        const struct cs_slice_func *f = &s->func[i];
        if (!same_file(f->file, q->file))
            continue;
        const struct cs_slice_stmt *r = f->kept ? main_reason(s, (int)i) : NULL;
        any = true;
        if (q->json) {
            cs_json_open(&j, NULL, '{');
            cs_json_string(&j, "func", f->name);
            cs_json_int(&j, "line", f->line);
            cs_json_int(&j, "statements", f->total);
            cs_json_int(&j, "kept", f->kept);
            cs_json_string(&j, "reason_file", r ? r->file : NULL);
            cs_json_int(&j, "reason_line", r ? r->line : 0);
            cs_json_close(&j, '}');
            continue;
        }
        printf("%6ld of %6ld kept in ", f->kept, f->total);
        cs_put_name(stdout, f->name);
        puts(r ? ", most for" : "");
        if (r) {
            struct cs_why_step at = cs_why_first(s, r);
            put_step(s, q, &at, false);
        }
    }
    if (q->json) {
        cs_json_close(&j, ']');
        cs_json_end(&j);
    }
    return any ? CS_EXIT_OK
               : cs_error("%s: no function of a file %s; commslice info lists the functions with their files", path,
                          q->file);
}

/* ---- the verb ---- */

static int of_line(const char *path, const struct cs_slice_info *s, const struct question *q)
{
    struct answer a = {0};
    int code;
    if (find(s, q, &a))
        code = CS_EXIT_ERROR;
    else if (!a.nkept && !a.nremoved)
        code = nothing_there(path, q, &a);
    else
        code = q->json ? json_answer(s, q, &a) : print_answer(s, q, &a);
    free(a.kept);
    free(a.votes);
    return code;
}

/* Does the answer have to say why? Not of what was removed, nor of the whole slice. */
static bool asks_why(const struct cs_slice_info *s, const struct question *q)
{
    for (size_t i = 0; q->file && i < s->nstmts; i++)
        if (s->stmt[i].kept && (!q->line || s->stmt[i].line == q->line) && same_file(s->stmt[i].file, q->file))
            return true;
    return false;
}

static int why(const char *path, const struct question *q)
{
    struct cs_slice_info s;
    int code;
    if (!cs_slice_need(path, &s))
        return CS_EXIT_ERROR;
    if (s.nstmts == 0)
        code = cs_error("%s: it was linked without the list of statements", path);
    else if (asks_why(&s, q) && !cs_slice_need_reasons(path, &s))
        code = CS_EXIT_ERROR;
    else if (!q->file)
        code = q->json ? json_holders(&s, q) : print_holders(&s, q);
    else
        code = q->line ? of_line(path, &s, q) : per_function(path, &s, q);
    cs_slice_free(&s);
    return cs_finish_output(code);
}

/* Reads FILE:LINE or FILE. The file's name is the caller's to free; false if memory is out. */
static bool parse_place(const char *place, struct question *q, char **file)
{
    const char *colon = strrchr(place, ':');
    bool line = colon && colon != place && cs_parse_number(colon + 1, 1, INT32_MAX, &q->line);
    *file = line ? strndup(place, (size_t)(colon - place)) : strdup(place);
    q->file = *file;
    return *file;
}

static int run(const struct cs_verb *v, int argc, char **argv)
{
    static const struct option longs[] = {
        {"all", no_argument, NULL, 'a'},        {"json", no_argument, NULL, 'j'},
        {"statements", no_argument, NULL, 's'}, {"sources", required_argument, NULL, 'd'},
        {"help", no_argument, NULL, 'h'},       {0}};
    struct question q = {0};
    const char *sources = NULL;
    char *file = NULL;
    int c, code;
    while ((c = cs_getopt(v, argc, argv, ":ahs", longs, &code)) >= 0) {
        q.all |= c == 'a';
        q.json |= c == 'j';
        q.statements |= c == 's';
        if (c == 'd')
            sources = optarg;
    }
    if (c == CS_OPT_DONE)
        return code;
    if (argc - optind < 1 || argc - optind > 2)
        return cs_usage_error(v, "give a slice, and FILE:LINE or FILE or nothing");
    if (argc - optind == 2 && !parse_place(argv[optind + 1], &q, &file))
        return cs_error("not enough memory");
    q.lines = cs_sources_new(argv[optind], sources);
    code = why(argv[optind], &q);
    cs_sources_free(q.lines);
    free(file);
    return code;
}

const struct cs_verb cs_verb_why = {
    .name = "why",
    .summary = "say why the slice kept a statement",
    .run = run,
    .usage =
        "usage: commslice why [--all] [--statements] [--sources DIR] [--json] SLICE [FILE[:LINE]]\n\n"
        "FILE:LINE: prints for the kept statements of the line the best chain of reasons, one step after the\n"
        "other, through messages too, down to an argument of a communication call. FILE: what is kept of each of its\n"
        "functions, and for what. Neither: the branches and messages that hold most of the slice up, and how many\n"
        "statements would go with each. FILE may be the end of a path. Exit code 1 if the slice kept nothing of the\n"
        "line.\n\n"
        "  -a, --all          all statements of the line, not only the best one; all that holds the slice up\n"
        "  -s, --statements   statements as the compiler sees them, not source lines\n"
        "      --sources DIR  where the sources are, if not here, beside the slice or where they were compiled\n"
        "      --json         one JSON object\n",
};
