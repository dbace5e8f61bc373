/* SPDX-License-Identifier: GPL-3.0-or-later
 * Reads assumptions as the user writes them; assume.h. */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/assumed_value.h"
#include "api/assumption.h"
#include "slicer/control/assume.h"

#define MAX_TRIPS INT64_C(1000000000000000)
#define MAX_LINE 100000000

/* FILE:LINE:NAME=EXPRESSION. */
static int parse_value(const char *text, struct cs_assumption *a, char *err, size_t errlen)
{
    const char *name, *eq, *line;
    char why[160];
    cs_assumes_value(text, &name, &eq);
    for (line = name - 1; line[-1] != ':';)
        line--;
    size_t nfile = (size_t)(line - text) - 1, nname = (size_t)(eq - name);
    long number = strtol(line, NULL, 10);
    a->kind = CS_ASSUME_VALUE;
    why[0] = 0;
    if (nfile >= sizeof a->file || nname >= sizeof a->name)
        snprintf(why, sizeof why, "the name is too long");
    else if (number <= 0 || number > MAX_LINE)
        snprintf(why, sizeof why, "the line number is not a positive number");
    else if (cs_expr_parse(eq + 1, &a->value, why, sizeof why) == 0) {
        memcpy(a->file, text, nfile);
        memcpy(a->name, name, nname);
        a->line = (int)number;
        return 0;
    }
    snprintf(err, errlen, "assumption '%s': %s", text, why);
    return -1;
}

static bool parse_what(const char *what, struct cs_assumption *a)
{
    char *end = NULL, why[160];
    if (!strncmp(what, "when(", 5)) {
        a->kind = CS_ASSUME_WHEN;
        return cs_expr_parse(what + 4, &a->value, why, sizeof why) == 0;
    }
    if (!strcmp(what, "never") || !strcmp(what, "always")) {
        a->kind = what[0] == 'n' ? CS_ASSUME_NEVER : CS_ASSUME_ALWAYS;
        return true;
    }
    a->kind = CS_ASSUME_TRIPS;
    a->trips = *what >= '0' && *what <= '9' ? strtoll(what, &end, 10) : 0;
    if (end && !*end)
        return a->trips <= MAX_TRIPS;
    a->trips = -1;
    return cs_expr_parse(what, &a->value, why, sizeof why) == 0 && a->value.node[a->value.n - 1].op != CS_EXPR_NUMBER;
}

/* What CS_ONLY_CALLED is followed by. */
static int parse_called(const char *file, struct cs_assumption *a, char *err, size_t errlen)
{
    a->kind = CS_ASSUME_CALLED;
    if (*file && strlen(file) < sizeof a->file) {
        strcpy(a->file, file);
        return 0;
    }
    snprintf(err, errlen, "assumption '%s%s': give the name of a file, at most %zu letters", CS_ONLY_CALLED, file,
             sizeof a->file - 1);
    return -1;
}

/* The first `=` behind FILE:LINE or FILE:LINE.K; else the last one, NULL if there is none. */
static const char *equals(const char *text)
{
    for (const char *eq = strchr(text, '='); eq; eq = strchr(eq + 1, '=')) {
        const char *p = eq;
        while (p > text && (p[-1] == '.' || (p[-1] >= '0' && p[-1] <= '9')))
            p--;
        if (p < eq && p > text && p[-1] == ':')
            return eq;
    }
    return strrchr(text, '=');
}

int cs_assume_parse(const char *text, struct cs_assumption *a, char *err, size_t errlen)
{
    const char *eq = equals(text), *colon = NULL;
    for (const char *p = text; eq && p < eq; p++)
        if (*p == ':')
            colon = p;
    char *end = NULL;
    memset(a, 0, sizeof *a);
    if (!strcmp(text, CS_NO_READ_BACK)) {
        a->kind = CS_ASSUME_NO_READ_BACK;
        return 0;
    }
    if (!strcmp(text, CS_NO_MPI_ERRORS)) {
        a->kind = CS_ASSUME_NO_MPI_ERRORS;
        return 0;
    }
    if (!strncmp(text, CS_ONLY_CALLED, strlen(CS_ONLY_CALLED)))
        return parse_called(text + strlen(CS_ONLY_CALLED), a, err, errlen);
    if (cs_assumes_value(text, NULL, NULL))
        return parse_value(text, a, err, errlen);
    if (!eq || !colon || colon == text || (size_t)(colon - text) >= sizeof a->file) {
        snprintf(
            err, errlen,
            "assumption '%s' is not of the form FILE:LINE=never, FILE:LINE=always, FILE:LINE=N or FILE:LINE:NAME=VALUE",
            text);
        return -1;
    }
    memcpy(a->file, text, colon - text);
    long line = strtol(colon + 1, &end, 10), nth = 0;
    if (end != eq && *end == '.')
        nth = strtol(end + 1, &end, 10);
    if (end != eq || line <= 0 || line > MAX_LINE || nth < 0 || nth > 1000) {
        snprintf(err, errlen, "assumption '%s': the line number is not a positive number", text);
        return -1;
    }
    a->line = (int)line;
    a->nth = (int)nth;
    if (!parse_what(eq + 1, a) || (nth && a->kind == CS_ASSUME_TRIPS)) {
        snprintf(err, errlen, "assumption '%s': '%s' is neither never nor always nor a number of iterations", text,
                 eq + 1);
        return -1;
    }
    return 0;
}

bool cs_assume_same_subject(const struct cs_assumption *a, const struct cs_assumption *b)
{
    bool values = a->kind == CS_ASSUME_VALUE;
    if (a->line == 0 || b->line == 0) /* of no line */
        return a->kind == b->kind;
    return !strcmp(a->file, b->file) && a->line == b->line && a->nth == b->nth &&
           values == (b->kind == CS_ASSUME_VALUE) && !strcmp(a->name, b->name);
}

/* Expressions agree if they are written with the same nodes. */
bool cs_assume_agree(const struct cs_assumption *a, const struct cs_assumption *b)
{
    if (a->kind != b->kind || a->trips != b->trips || a->value.n != b->value.n ||
        (a->kind == CS_ASSUME_CALLED && strcmp(a->file, b->file)))
        return false;
    for (int i = 0; i < a->value.n; i++) {
        const struct cs_expr_node *x = &a->value.node[i], *y = &b->value.node[i];
        if (x->op != y->op || x->a != y->a || x->b != y->b || x->number != y->number)
            return false;
    }
    return true;
}
