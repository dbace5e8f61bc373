/* SPDX-License-Identifier: GPL-3.0-or-later
 * Finds the comparisons of a source's conditions, in the order in which they are asked, and which of them a negation of
 * several turns; condition_text.h. `!a || b` has the comparisons `!a` and `b`: a negation of one alone is part of it.
 */
#include "slicer/control/condition_text.h"

#include <assert.h>
#include <stdlib.h>

#include "slicer/control/condition_tokens.h"
#include "slicer/graph/storage.h"

/* A condition of a statement, or what stands between two: its comparisons are leaves[first] on, `n` of them. */
struct part {
    int begins, ends; /* lines */
    int first, n;
    bool turned;  /* one of them is, */
    bool unknown; /* or may be */
    bool do_while;
    int nchoices; /* between numbers and others, the last of which is */
    struct cs_choice choice;
    int asked; /* comparisons of its condition */
};

/* A source that was read. Comparisons and parts are in the order of the text; the arrays are its own, the tokens' text
 * is not. */
struct cs_conditions {
    struct cs_tokens tokens;
    enum cs_text_form form;
    cs_macro_text *macro;
    bool *leaves; /* is it turned? */
    struct part *parts;
    int nleaves, cap_leaves, nparts, cap_parts;
};

static const struct cs_token *token(const struct cs_conditions *c, int i)
{
    assert(i >= 0 && i < c->tokens.n);
    return &c->tokens.a[i];
}

static bool is(const struct cs_conditions *c, int i, enum cs_token_kind kind)
{
    return i >= 0 && i < c->tokens.n && c->tokens.a[i].kind == kind;
}

static struct part *now(struct cs_conditions *c)
{
    assert(c->nparts > 0);
    return &c->parts[c->nparts - 1];
}

static void doubt(struct cs_conditions *c)
{
    now(c)->unknown = true;
}

static void add_leaf(struct cs_conditions *c, bool turned)
{
    if (c->nleaves == c->cap_leaves)
        c->leaves = cs_realloc(c->leaves, (size_t)(c->cap_leaves = 2 * c->cap_leaves + 64) * sizeof *c->leaves);
    c->leaves[c->nleaves++] = turned;
    now(c)->n++;
    now(c)->turned |= turned;
}

static void begin_part(struct cs_conditions *c, int i, int j)
{
    if (c->nparts == c->cap_parts)
        c->parts = cs_realloc(c->parts, (size_t)(c->cap_parts = 2 * c->cap_parts + 64) * sizeof *c->parts);
    c->parts[c->nparts++] =
        (struct part){.begins = token(c, i)->line, .ends = token(c, j - 1)->line, .first = c->nleaves};
}

/* ---- ranges of tokens, from i to before j ---- */

/* The next token that is in no parentheses that begin here. */
static int past(const struct cs_conditions *c, int i)
{
    const struct cs_token *t = token(c, i);
    return t->kind == CS_TOKEN_OPEN && t->match >= 0 ? t->match + 1 : i + 1;
}

/* The first token of one of the kinds (a bit each) that is in no parentheses; j: none. */
static int find(const struct cs_conditions *c, int i, int j, unsigned kinds)
{
    while (i < j && !(kinds >> token(c, i)->kind & 1))
        i = past(c, i);
    return i < j ? i : j;
}

/* What find() looks for. */
enum {
    SPLITS = 1 << CS_TOKEN_SPLIT | 1 << CS_TOKEN_ASK | 1 << CS_TOKEN_COLON | 1 << CS_TOKEN_SEMICOLON,
    JOINS = 1 << CS_TOKEN_AND | 1 << CS_TOKEN_OR
};

static int skip_negations(const struct cs_conditions *c, int i, int j)
{
    while (i < j && is(c, i, CS_TOKEN_NOT))
        i++;
    return i;
}

/* Is all of it in one pair of parentheses? */
static bool enclosed(const struct cs_conditions *c, int i, int j)
{
    return i < j && is(c, i, CS_TOKEN_OPEN) && !token(c, i)->square && token(c, i)->match == j - 1;
}

/* Is it made of several comparisons, by itself? */
static bool joins(const struct cs_conditions *c, int i, int j)
{
    if (find(c, i, j, SPLITS) < j)
        return false;
    if (find(c, i, j, JOINS) < j)
        return true;
    i = skip_negations(c, i, j);
    return enclosed(c, i, j) && joins(c, i + 1, j - 1);
}

/* ---- comparisons ---- */

static void read_range(struct cs_conditions *c, int i, int j, bool turned, bool condition);

/* Does what stands beside the parentheses negate them, perhaps: `(a || b) == 0`, `x == !(a || b)`? */
static bool beside_negation(const struct cs_conditions *c, int i)
{
    return is(c, i - 1, CS_TOKEN_NOT) || is(c, i - 1, CS_TOKEN_COMPARE) ||
           is(c, token(c, i)->match + 1, CS_TOKEN_COMPARE);
}

/* Do parentheses behind this token hold the value itself, and not what a function is given? */
static bool keeps_value(const struct cs_conditions *c, int i)
{
    return !is(c, i, CS_TOKEN_WORD) || cs_token_is(token(c, i), "bool") || cs_token_is(token(c, i), "int");
}

/* Looks at a word that may be a macro. `negated`: a negation is in front of all. */
static void read_word(struct cs_conditions *c, int i, bool negated)
{
    const struct cs_token *t = token(c, i), *next = i + 1 < c->tokens.n ? token(c, i + 1) : t;
    int has = c->macro ? c->macro(t->text, t->n) : 0;
    bool given = next->kind == CS_TOKEN_OPEN && next->match >= 0 && find(c, i + 2, next->match, JOINS) < next->match;
    bool several = given || has & CS_MACRO_JOINS;
    if (has & (CS_MACRO_JOINS | CS_MACRO_NEGATES) && several && (negated || has & CS_MACRO_NEGATES))
        doubt(c);
}

/* A comparison, or an operand of something: conditions may be within, as in f(a && b). */
static void read_leaf(struct cs_conditions *c, int i, int j, bool turned, bool condition)
{
    bool negated = is(c, i, CS_TOKEN_NOT);
    for (int k = i; k < j; k = past(c, k)) {
        const struct cs_token *t = token(c, k);
        if (t->kind == CS_TOKEN_WORD)
            read_word(c, k, negated);
        if (t->kind != CS_TOKEN_OPEN || t->match < 0)
            continue;
        bool value = !t->square && keeps_value(c, k - 1);
        bool asks = find(c, k + 1, t->match, 1 << CS_TOKEN_ASK) < t->match;
        if (value && ((negated && asks) || (joins(c, k + 1, t->match) && (negated || beside_negation(c, k)))))
            doubt(c);
        read_range(c, k + 1, t->match, false, false);
    }
    if (condition)
        add_leaf(c, turned);
}

static bool is_number(const struct cs_conditions *c, int i, int j)
{
    const struct cs_token *t = token(c, i);
    if (j != i + 1)
        return false;
    if (t->kind == CS_TOKEN_WORD)
        return c->macro && c->macro(t->text, t->n) & CS_MACRO_NUMBER;
    return t->kind == CS_TOKEN_OTHER && t->n && *t->text >= '0' && *t->text <= '9';
}

/* What may be chosen by the condition in front of token i, a question mark. GCC prefers constants and variables as the
 * second: where the first may be one and is no number, it is not seen whether it has exchanged them. */
static void read_choice(struct cs_conditions *c, int i, int j)
{
    int colon = find(c, i + 1, j, SPLITS), end = find(c, colon + 1, j, SPLITS);
    if (!is(c, colon, CS_TOKEN_COLON))
        return;
    bool number = is_number(c, i + 1, colon), other = is_number(c, colon + 1, end);
    if (number) {
        now(c)->choice = (struct cs_choice){token(c, i + 1)->text, token(c, i + 1)->n, other};
        now(c)->nchoices++;
    } else if (!other && colon <= i + 3 && !is(c, i + 1, CS_TOKEN_CLOSE))
        doubt(c);
}

/* Expressions that stand beside each other. */
static void read_split(struct cs_conditions *c, int i, int j, bool turned, bool condition)
{
    for (int k; i < j; i = k + 1) {
        k = find(c, i, j, SPLITS);
        bool asked = k < j && is(c, k, CS_TOKEN_ASK);
        if (asked)
            read_choice(c, k, j);
        if (asked && turned)
            doubt(c);
        int before = now(c)->n;
        read_range(c, i, k, false, asked);
        if (asked)
            now(c)->asked = now(c)->n - before;
    }
    if (condition)
        add_leaf(c, turned);
}

static void read_joined(struct cs_conditions *c, int i, int j, unsigned by, bool turned)
{
    for (int k; i < j; i = k + 1) {
        k = find(c, i, j, by);
        read_range(c, i, k, turned, true);
    }
}

/* Reads a range; `condition`: it is one, so that it is a comparison if nothing joins several in it. */
static void read_range(struct cs_conditions *c, int i, int j, bool turned, bool condition)
{
    int behind = skip_negations(c, i, j);
    unsigned equal = c->form == CS_TEXT_C ? 0 : 1 << CS_TOKEN_COMPARE; /* .eqv. binds less than .or. */
    if (i >= j)
        return;
    if (find(c, i, j, SPLITS) < j)
        read_split(c, i, j, turned, condition);
    else if (equal && find(c, i, j, equal) < j && find(c, i, j, JOINS) < j)
        doubt(c);
    else if (find(c, i, j, 1 << CS_TOKEN_OR) < j)
        read_joined(c, i, j, 1 << CS_TOKEN_OR, turned);
    else if (find(c, i, j, 1 << CS_TOKEN_AND) < j)
        read_joined(c, i, j, 1 << CS_TOKEN_AND, turned);
    else if (behind == i && enclosed(c, i, j))
        read_range(c, i + 1, j - 1, turned, condition);
    else if (enclosed(c, behind, j) && joins(c, behind + 1, j - 1))
        read_range(c, behind + 1, j - 1, turned ^ ((behind - i) & 1), true);
    else
        read_leaf(c, i, j, turned, condition);
}

/* ---- statements ---- */

/* Is there a condition in the parentheses behind this word? */
static bool is_keyword(const struct cs_conditions *c, int i)
{
    static const char *const words[] = {"if", "while", "for", "switch", "elseif", "dowhile"};
    for (size_t w = 0; w < sizeof words / sizeof *words; w++)
        if (cs_token_is(token(c, i), words[w]))
            return c->form == CS_TEXT_C ? w < 4 : w != 2 && w != 3;
    return false;
}

/* The next such word from i on, with *open its parenthesis; j: none. */
static int find_keyword(const struct cs_conditions *c, int i, int j, int *open)
{
    for (; i < j; i = past(c, i)) {
        *open = i + 1 < j && cs_token_is(token(c, i + 1), "constexpr") ? i + 2 : i + 1;
        if (is(c, i, CS_TOKEN_WORD) && is_keyword(c, i) && *open < j && is(c, *open, CS_TOKEN_OPEN))
            return i;
    }
    return j;
}

/* `for (init; condition; step)`, `if (init; condition)`, `if (condition)`. */
static void read_head(struct cs_conditions *c, int keyword, int i, int j)
{
    bool loop = cs_token_is(token(c, keyword), "for"), choice = cs_token_is(token(c, keyword), "switch");
    for (int n = 0, k; i < j; i = k + 1, n++) {
        k = find(c, i, j, 1 << CS_TOKEN_SEMICOLON);
        read_range(c, i, k, false, loop ? n == 1 : !choice && k == j);
    }
}

/* A statement, and one that stands behind its condition. */
static void read_statement(struct cs_conditions *c, int i, int j)
{
    while (i < j) {
        int open = i, word = find_keyword(c, i, j, &open);
        if (word > i) {
            begin_part(c, i, word);
            read_range(c, i, word, false, false);
        }
        if (word == j)
            return;
        int close = token(c, open)->match < 0 || token(c, open)->match > j ? j : token(c, open)->match;
        begin_part(c, word, close < j ? close + 1 : j);
        now(c)->do_while =
            c->form != CS_TEXT_C && !cs_token_is(token(c, word), "if") && !cs_token_is(token(c, word), "elseif");
        read_head(c, word, open + 1, close);
        i = close + 1;
    }
}

struct cs_conditions *cs_conditions_read(const char *text, size_t n, enum cs_text_form form, cs_macro_text *macro)
{
    struct cs_conditions *c = cs_calloc(1, sizeof *c);
    c->form = form;
    c->macro = macro;
    cs_tokens_read(&c->tokens, text, n, form);
    for (int i = 0, j; i < c->tokens.n; i = j + 1) {
        for (j = i; !is(c, j, CS_TOKEN_END);)
            j++;
        read_statement(c, i, j);
    }
    return c;
}

/* Adds up what parts that begin at the line have: comparisons, and choices, with the last of these. */
static int choices_at(const struct cs_conditions *c, int line, int *comparisons, const struct part **last)
{
    int choices = 0;
    *comparisons = 0;
    for (int p = 0; p < c->nparts; p++) {
        const struct part *part = &c->parts[p];
        if (part->begins != line)
            continue;
        *comparisons += part->n;
        choices += part->nchoices;
        *last = part->nchoices ? part : *last;
    }
    return choices;
}

bool cs_conditions_choice(const struct cs_conditions *c, int line, int n, struct cs_choice *choice)
{
    const struct part *part = NULL;
    int comparisons;
    if (choices_at(c, line, &comparisons, &part) != 1 || comparisons != n || part->asked != n)
        return false;
    *choice = part->choice;
    return true;
}

void cs_conditions_turns(const struct cs_conditions *c, int line, int n, enum cs_turn *turns)
{
    struct cs_choice choice;
    const struct part *last = NULL;
    int k = 0, all;
    bool turned = choices_at(c, line, &all, &last) && !cs_conditions_choice(c, line, n, &choice), unknown = turned;
    for (int i = 0; i < n; i++)
        turns[i] = CS_TURN_NONE;
    for (int p = 0; p < c->nparts; p++) {
        const struct part *part = &c->parts[p];
        if (line < part->begins || line > part->ends)
            continue;
        turned |= part->turned || part->unknown;
        unknown |= part->unknown || (part->turned && part->begins != line);
        for (int i = 0; part->begins == line && i < part->n; i++, k++)
            if (k < n && c->leaves[part->first + i])
                turns[k] = CS_TURN_DONE;
    }
    for (int i = 0; turned && (unknown || k != n) && i < n; i++)
        turns[i] = CS_TURN_UNKNOWN;
}

bool cs_conditions_do_while(const struct cs_conditions *c, int line)
{
    for (int p = 0; p < c->nparts; p++)
        if (c->parts[p].do_while && c->parts[p].begins == line)
            return true;
    return false;
}

void cs_conditions_free(struct cs_conditions *c)
{
    free(c->tokens.a);
    free(c->leaves);
    free(c->parts);
    free(c);
}
