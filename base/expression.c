/* SPDX-License-Identifier: BSD-3-Clause
 * Reads expressions by recursive descent, an operator's level at a time; expression.h.
 *   comparison: sum [== sum], sum: product {+ product}, product: factor {* factor}, factor: number, name, (...) */
#include "base/expression.h"

#include <assert.h>
#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/grid_sides.h"

/* DEPTH: parentheses, calls and signs inside each other, at most. BASE: of the digits of a grid's number. */
enum { DEPTH = 100, LEVELS = 3, BASE = 8 };

/* The text that is left, and the first thing that was wrong with it (NULL: nothing). */
struct reader {
    const char *at, *wrong;
    struct cs_expr *e;
    int depth;
};

static int read_level(struct reader *r, int level);

static int fail(struct reader *r, const char *what)
{
    if (!r->wrong)
        r->wrong = what;
    return -1;
}

/* The new node's place, -1 if an operand was wrong. */
static int add(struct reader *r, enum cs_expr_op op, int a, int b, int64_t number)
{
    if (r->wrong)
        return -1;
    if (r->e->n == CS_EXPR_NODES)
        return fail(r, "the expression is too long");
    r->e->node[r->e->n] = (struct cs_expr_node){op, (short)a, (short)b, number};
    return r->e->n++;
}

static bool take(struct reader *r, const char *word)
{
    size_t n = strlen(word);
    while (isspace((unsigned char)*r->at))
        r->at++;
    if (strncmp(r->at, word, n))
        return false;
    r->at += n;
    return true;
}

static void want(struct reader *r, const char *word, const char *missing)
{
    if (!r->wrong && !take(r, word))
        fail(r, missing);
}

static int read_number(struct reader *r)
{
    char *end;
    errno = 0;
    long long v = strtoll(r->at, &end, 10);
    if (errno)
        return fail(r, "the number is too large");
    if (isalnum((unsigned char)*end) || *end == '_' || *end == '.')
        return fail(r, "this is no whole number");
    r->at = end;
    return add(r, CS_EXPR_NUMBER, -1, -1, v);
}

/* The values of pick() behind the first, up to its parenthesis; -1 if there are none or one is wrong. */
static int read_list(struct reader *r)
{
    int values[CS_EXPR_NODES], n = 0, list = -1;
    while (!r->wrong && n < CS_EXPR_NODES && take(r, ","))
        values[n++] = read_level(r, 0);
    if (!n)
        return fail(r, "pick() needs values");
    while (n && !r->wrong)
        list = add(r, CS_EXPR_LIST, values[--n], list, 0);
    return list;
}

int cs_expr_ndims(const struct cs_expr_node *n)
{
    return (int)(n->number / CS_DIMS_MOST) + 1;
}

int cs_expr_which_dim(const struct cs_expr_node *n)
{
    return (int)(n->number % CS_DIMS_MOST);
}

struct cs_rank_grid cs_expr_grid(const struct cs_expr_node *n)
{
    struct cs_rank_grid g = {(int)(n->number % BASE), {0}};
    int64_t left = n->number / BASE;
    for (int q = 0; q < g.nsides; q++, left /= BASE)
        g.order[q] = (int)(left % BASE);
    return g;
}

/* A number that is written as such, of `least` to `most`, behind a comma; `what` says what is needed. */
static int read_plain(struct reader *r, int least, int most, const char *what)
{
    char *end;
    if (r->wrong || !take(r, ","))
        return fail(r, "',' is missing"), least;
    take(r, "");
    long n = strtol(r->at, &end, 10);
    if (!isdigit((unsigned char)*r->at) || n < least || n > most)
        return fail(r, what), least;
    r->at = end;
    return (int)n;
}

/* dims(n, d, i), behind its parenthesis. */
static int read_dims(struct reader *r)
{
    static const char what[] = "dims(n, d, i) needs numbers of dimensions, i below d";
    int n = read_level(r, 0), d = read_plain(r, 1, CS_DIMS_MOST, what), i = read_plain(r, 0, d - 1, what);
    want(r, ")", "')' is missing");
    return add(r, CS_EXPR_DIMS, n, -1, (d - 1) * CS_DIMS_MOST + i);
}

/* near(k, a, b) or near(k, a, b, c), behind its parenthesis: a, b and c are numbers of dimensions, each once. */
static int read_near(struct reader *r, enum cs_expr_op op)
{
    static const char what[] = "near(k, a, b, c) needs the numbers of two or three dimensions, each once";
    int k = read_level(r, 0), sides = 0, seen = 0;
    int64_t number = 0;
    for (int64_t place = BASE; !r->wrong && sides < CS_SIDES_MOST && (sides < 2 || *r->at == ','); place *= BASE) {
        int side = read_plain(r, 0, CS_SIDES_MOST - 1, what);
        seen |= 1 << side;
        number += side * place;
        sides++;
        take(r, "");
    }
    if (!r->wrong && seen != (1 << sides) - 1)
        fail(r, what);
    want(r, ")", "')' is missing");
    return add(r, op, k, -1, number + sides);
}

/* The arguments of min, max, pick, dims, near or toward. */
static int read_call(struct reader *r, enum cs_expr_op op)
{
    int b;
    want(r, "(", "'(' is missing");
    if (op == CS_EXPR_DIMS)
        return read_dims(r);
    if (op == CS_EXPR_NEAR || op == CS_EXPR_TOWARD)
        return read_near(r, op);
    int a = read_level(r, 0);
    if (op == CS_EXPR_PICK)
        b = read_list(r);
    else {
        want(r, ",", "',' is missing");
        b = read_level(r, 0);
    }
    want(r, ")", "')' is missing");
    return add(r, op, a, b, 0);
}

static int read_name(struct reader *r)
{
    static const struct {
        const char *name;
        enum cs_expr_op op;
    } names[] = {{"rank", CS_EXPR_RANK}, {"size", CS_EXPR_SIZE}, {"iteration", CS_EXPR_ITERATION},
                 {"min", CS_EXPR_MIN},   {"max", CS_EXPR_MAX},   {"pick", CS_EXPR_PICK},
                 {"dims", CS_EXPR_DIMS}, {"near", CS_EXPR_NEAR}, {"toward", CS_EXPR_TOWARD}};
    size_t n = 0;
    while (isalnum((unsigned char)r->at[n]) || r->at[n] == '_')
        n++;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (strlen(names[i].name) != n || strncmp(names[i].name, r->at, n))
            continue;
        r->at += n;
        return names[i].op < CS_EXPR_ADD ? add(r, names[i].op, -1, -1, 0) : read_call(r, names[i].op);
    }
    return fail(r, n ? "only rank, size, iteration, min, max, pick, dims, near and toward are known"
                     : "a value is missing");
}

/* A number becomes its negative. */
static int negate(struct reader *r, int a)
{
    if (r->wrong || r->e->node[a].op != CS_EXPR_NUMBER)
        return add(r, CS_EXPR_NEG, a, -1, 0);
    r->e->node[a].number = -r->e->node[a].number;
    return a;
}

static int read_factor(struct reader *r)
{
    int v;
    if (r->wrong)
        return -1;
    if (++r->depth > DEPTH)
        return fail(r, "too many parentheses");
    if (take(r, "("))
        v = read_level(r, 0), want(r, ")", "')' is missing");
    else if (take(r, "-"))
        v = negate(r, read_factor(r));
    else if (take(r, "!"))
        v = add(r, CS_EXPR_NOT, read_factor(r), -1, 0);
    else
        v = isdigit((unsigned char)*r->at) ? read_number(r) : read_name(r);
    r->depth--;
    return v;
}

/* The operator of this level that comes next; NUMBER if there is none. Longer ones come first. */
static enum cs_expr_op take_operator(struct reader *r, int level)
{
    static const struct {
        int level;
        const char *word;
        enum cs_expr_op op;
    } ops[] = {{0, "==", CS_EXPR_EQ}, {0, "!=", CS_EXPR_NE}, {0, "<=", CS_EXPR_LE}, {0, ">=", CS_EXPR_GE},
               {0, "<", CS_EXPR_LT},  {0, ">", CS_EXPR_GT},  {1, "+", CS_EXPR_ADD}, {1, "-", CS_EXPR_SUB},
               {2, "*", CS_EXPR_MUL}, {2, "/", CS_EXPR_DIV}, {2, "%", CS_EXPR_MOD}};
    for (size_t i = 0; i < sizeof ops / sizeof *ops; i++)
        if (ops[i].level == level && take(r, ops[i].word))
            return ops[i].op;
    return CS_EXPR_NUMBER;
}

/* What the operators of this level and of those that bind closer make of the text. */
static int read_level(struct reader *r, int level)
{
    if (level == LEVELS)
        return read_factor(r);
    int a = read_level(r, level + 1);
    for (enum cs_expr_op op; !r->wrong && (op = take_operator(r, level)) != CS_EXPR_NUMBER;) {
        int b = read_level(r, level + 1);
        a = add(r, op, a, b, 0);
    }
    return a;
}

int cs_expr_parse(const char *text, struct cs_expr *e, char *err, size_t errlen)
{
    struct reader r = {text, NULL, e, 0};
    e->n = 0;
    int top = read_level(&r, 0);
    take(&r, "");
    if (!r.wrong && *r.at)
        fail(&r, "an operator is missing");
    if (r.wrong) {
        snprintf(err, errlen, *r.at ? "%s at '%.40s'" : "%s at its end", r.wrong, r.at);
        return -1;
    }
    assert(top == e->n - 1);
    return 0;
}

/* ---- evaluation ---- */

static int64_t combine(enum cs_expr_op op, int64_t a, int64_t b)
{
    switch (op) {
    case CS_EXPR_ADD: return (int64_t)((uint64_t)a + (uint64_t)b);
    case CS_EXPR_SUB: return (int64_t)((uint64_t)a - (uint64_t)b);
    case CS_EXPR_MUL: return (int64_t)((uint64_t)a * (uint64_t)b);
    case CS_EXPR_DIV: return b == 0 ? 0 : b == -1 ? (int64_t) - (uint64_t)a : a / b;
    case CS_EXPR_MOD: return b == 0 || b == -1 ? 0 : a % b;
    case CS_EXPR_MIN: return a < b ? a : b;
    case CS_EXPR_MAX: return a > b ? a : b;
    case CS_EXPR_EQ: return a == b;
    case CS_EXPR_NE: return a != b;
    case CS_EXPR_LT: return a < b;
    case CS_EXPR_LE: return a <= b;
    case CS_EXPR_GT: return a > b;
    default: assert(op == CS_EXPR_GE); return a >= b;
    }
}

int cs_expr_list_length(const struct cs_expr *e, int list)
{
    int n = 0;
    for (; list >= 0; list = e->node[list].b, n++)
        assert(e->node[list].op == CS_EXPR_LIST);
    return n;
}

static int64_t value_at(const struct cs_expr *e, int at, const struct cs_expr_values *v);

static int64_t pick(const struct cs_expr *e, int64_t which, int list, const struct cs_expr_values *v)
{
    int64_t left = which < 0 ? 0 : which % cs_expr_list_length(e, list);
    for (; left > 0; left--)
        list = e->node[list].b;
    return value_at(e, e->node[list].a, v);
}

static int64_t dim(const struct cs_expr_node *n, int64_t processes)
{
    int dims[CS_DIMS_MOST];
    cs_dims(processes < 1 ? 1 : processes > INT_MAX ? INT_MAX : (int)processes, cs_expr_ndims(n), dims);
    return dims[cs_expr_which_dim(n)];
}

static int64_t near(const struct cs_expr_node *n, int64_t k, const struct cs_expr_values *v)
{
    struct cs_rank_grid g = cs_expr_grid(n);
    int toward, size = v->size < 1 ? 1 : v->size > INT_MAX ? INT_MAX : (int)v->size;
    struct cs_rank_place p = cs_rank_place(&g, v->rank < 0 || v->rank >= size ? 0 : (int)v->rank, size);
    int rank = cs_rank_near(&p, k, &toward);
    return n->op == CS_EXPR_NEAR ? rank : toward;
}

static int64_t value_at(const struct cs_expr *e, int at, const struct cs_expr_values *v)
{
    const struct cs_expr_node *n = &e->node[at];
    assert(at >= 0 && at < e->n && n->op != CS_EXPR_LIST);
    switch (n->op) {
    case CS_EXPR_NUMBER: return n->number;
    case CS_EXPR_RANK: return v->rank;
    case CS_EXPR_SIZE: return v->size;
    case CS_EXPR_ITERATION: return v->iteration;
    case CS_EXPR_NEG: return (int64_t) - (uint64_t)value_at(e, n->a, v);
    case CS_EXPR_NOT: return !value_at(e, n->a, v);
    case CS_EXPR_PICK: return pick(e, value_at(e, n->a, v), n->b, v);
    case CS_EXPR_DIMS: return dim(n, value_at(e, n->a, v));
    case CS_EXPR_NEAR:
    case CS_EXPR_TOWARD: return near(n, value_at(e, n->a, v), v);
    default: return combine(n->op, value_at(e, n->a, v), value_at(e, n->b, v));
    }
}

int64_t cs_expr_value(const struct cs_expr *e, const struct cs_expr_values *v)
{
    assert(e->n > 0);
    return value_at(e, e->n - 1, v);
}
