/* SPDX-License-Identifier: BSD-3-Clause
 * commslice why: the chain of reasons that kept a statement, down to a communication variable.
 * The slicer wrote each statement's first reason into the slice; here they are only followed. */
#define _GNU_SOURCE 1
#include <stdlib.h>
#include <string.h>

#include "cli/frame/cli.h"
#include "cli/frame/json.h"
#include "cli/show/readable.h"
#include "cli/show/slice_info.h"
#include "cli/frame/text.h"

#define SHOWN 4 /* chains of one line, unless --all */

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

static const char *explanation(enum cs_reason_kind kind)
{
    switch (kind) {
    case CS_WHY_ROOT: return "a communication variable";
    case CS_WHY_DATA: return "its value is used by";
    case CS_WHY_MEMORY: return "it writes memory that is read by";
    case CS_WHY_CONTROL: return "it decides whether this runs:";
    case CS_WHY_CALL: return "it calls the function of";
    case CS_WHY_RETURN: return "its value is returned to";
    case CS_WHY_PARAM: return "it passes an argument that is used by";
    case CS_WHY_MESSAGE: return "its message is received by";
    case CS_WHY_EXIT: return "it decides whether the program gets to";
    case CS_WHY_OPAQUE: return "it is used by code that is not seen:";
    default: return "it is needed by";
    }
}

static const char *function_of(const struct cs_slice_info *s, const struct cs_slice_stmt *st)
{
    return st->func >= 0 && (size_t)st->func < s->nfuncs ? s->func[st->func].name : NULL;
}

/* The next statement of the chain; NULL at its end. */
static const struct cs_slice_stmt *next(const struct cs_slice_info *s, const struct cs_slice_stmt *st)
{
    return st->kind == CS_WHY_ROOT || st->parent < 0 ? NULL : cs_slice_stmt(s, st->parent);
}

static void print_chain(const struct cs_slice_info *s, const struct cs_slice_stmt *st)
{
    for (size_t steps = 0; st; steps++) {
        const char *func = function_of(s, st);
        const struct cs_slice_stmt *to = next(s, st);
        fputs(steps ? "    " : "", stdout);
        cs_put_plain(stdout, st->file);
        printf(":%d%s", st->line, func ? " in " : "");
        cs_put_name(stdout, func ? func : "");
        cs_print_plain(stdout, ": %s", st->text);
        if (steps > s->nstmts) {
            puts("      (the reasons go in a circle: the slice's information is damaged)");
            return;
        }
        if (to || st->kind == CS_WHY_ROOT)
            printf("      %s\n", explanation(st->kind));
        else
            cs_print_plain(stdout, "      (%s; no further reason is recorded)", st->kind_name);
        st = to;
    }
}

static void json_chain(struct cs_json *j, const struct cs_slice_info *s, const struct cs_slice_stmt *st)
{
    cs_json_open(j, NULL, '[');
    for (size_t steps = 0; st && steps <= s->nstmts; steps++, st = next(s, st)) {
        cs_json_open(j, NULL, '{');
        cs_json_string(j, "file", st->file);
        cs_json_int(j, "line", st->line);
        cs_json_string(j, "func", function_of(s, st));
        cs_json_string(j, "statement", st->text);
        cs_json_string(j, "reason", st->kind_name);
        cs_json_close(j, '}');
    }
    cs_json_close(j, ']');
}

struct question {
    const char *file;
    long line;
    bool all, json;
};

struct answer {
    const struct cs_slice_stmt **kept;
    size_t nkept, nremoved;
    bool file_known;
    int below, above; /* nearest lines with statements; -1: none */
};

static bool said_already(const struct answer *a, const struct cs_slice_stmt *st)
{
    for (size_t i = 0; i < a->nkept; i++)
        if (strcmp(a->kept[i]->text, st->text) == 0 && a->kept[i]->parent == st->parent && a->kept[i]->kind == st->kind)
            return true;
    return false;
}

static int find(const struct cs_slice_info *s, const struct question *q, struct answer *a)
{
    *a = (struct answer){.below = -1, .above = -1, .kept = calloc(s->nstmts + 1, sizeof *a->kept)};
    if (!a->kept)
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
        } else if (!st->kept) {
            a->nremoved++;
        } else if (!said_already(a, st)) {
            a->kept[a->nkept++] = st;
        }
    }
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
    for (size_t i = 0; i < a->nkept && (q->all || i < SHOWN); i++) {
        if (i)
            putchar('\n');
        print_chain(s, a->kept[i]);
    }
    if (!q->all && a->nkept > SHOWN)
        printf("\n%zu more statements at this line were kept (--all)\n", a->nkept - SHOWN);
    if (a->nremoved)
        printf("\n%zu statement%s at this line %s removed\n", a->nremoved, a->nremoved == 1 ? "" : "s",
               a->nremoved == 1 ? "was" : "were");
    return CS_EXIT_OK;
}

static int json_answer(const struct cs_slice_info *s, const struct answer *a)
{
    struct cs_json j = {.out = stdout};
    cs_json_open(&j, NULL, '{');
    cs_json_bool(&j, "kept", a->nkept > 0);
    cs_json_int(&j, "statements_removed", (int64_t)a->nremoved);
    cs_json_open(&j, "chains", '[');
    for (size_t i = 0; i < a->nkept; i++)
        json_chain(&j, s, a->kept[i]);
    cs_json_close(&j, ']');
    cs_json_close(&j, '}');
    cs_json_end(&j);
    return a->nkept ? CS_EXIT_OK : CS_EXIT_NOT_SO;
}

static int why(const char *path, const struct question *q)
{
    struct cs_slice_info s;
    struct answer a = {0};
    int code;
    if (!cs_slice_need(path, &s))
        return CS_EXIT_ERROR;
    if (s.nstmts == 0)
        code = cs_error("%s: it was linked without the list of statements", path);
    else if (find(&s, q, &a))
        code = CS_EXIT_ERROR;
    else if (!a.nkept && !a.nremoved)
        code = nothing_there(path, q, &a);
    else
        code = q->json ? json_answer(&s, &a) : print_answer(&s, q, &a);
    free(a.kept);
    cs_slice_free(&s);
    return cs_finish_output(code);
}

static int run(const struct cs_verb *v, int argc, char **argv)
{
    static const struct option longs[] = {
        {"all", no_argument, NULL, 'a'}, {"json", no_argument, NULL, 'j'}, {"help", no_argument, NULL, 'h'}, {0}};
    struct question q = {0};
    int c, code;
    while ((c = cs_getopt(v, argc, argv, ":ah", longs, &code)) >= 0) {
        q.all |= c == 'a';
        q.json |= c == 'j';
    }
    if (c == CS_OPT_DONE)
        return code;
    if (argc - optind != 2)
        return cs_usage_error(v, "give a slice and FILE:LINE");
    char *place = argv[optind + 1], *colon = strrchr(place, ':');
    if (!colon || colon == place || !cs_parse_number(colon + 1, 1, INT32_MAX, &q.line))
        return cs_usage_error(v, "%s is not FILE:LINE", place);
    char *file = strndup(place, (size_t)(colon - place));
    q.file = file;
    code = file ? why(argv[optind], &q) : cs_error("not enough memory");
    free(file);
    return code;
}

const struct cs_verb cs_verb_why = {
    .name = "why",
    .summary = "say why the slice kept a statement",
    .run = run,
    .usage = "usage: commslice why [--all] [--json] SLICE FILE:LINE\n\n"
             "Prints for each kept statement of the line the chain of reasons, one step after the other, down to an "
             "argument of a\n"
             "communication call. FILE may be the end of a path. Exit code 1 if the slice kept nothing of the line.\n\n"
             "  -a, --all   all statements of the line, not only the first 4\n"
             "      --json  one JSON object\n",
};
