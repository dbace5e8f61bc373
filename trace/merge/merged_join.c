/* SPDX-License-Identifier: BSD-3-Clause
 * Joins two neighbouring stretches into a loop of two turns: a b c a (b)x250 c becomes (a (b)x1|250 c)x2. Loops may
 * run differently often in the two turns; what only one stretch has is a loop that runs 0 times in the other turn. The
 * best pair of stretches is found by alignments with affine gaps (Gotoh 1982), one for each border between them. */
#include <stdlib.h>
#include <string.h>

#include "trace/merge/merge_internal.h"
#include "trace/nest/merged_format.h"

#define ITEMS_MAX 160  /* of a level that is searched: the time is their number to the power of 4, over 24 */
#define NODES_MAX 4000 /* of a nest */
#define JOIN_DEPTH 40  /* of levels that are searched: two loops are put around what is there */
#define NEVER (-1000000)

/* A symbol, or a loop: with two counts if it runs another number of times in the second turn of the loop around it. */
struct item {
    int32_t symbol, count[2]; /* count: iterations of a loop in each of the two turns */
    bool loop;
    int32_t id, weight; /* id: equal for equal symbols, and for loops with equal bodies; weight: symbols inside */
    struct items {
        struct item *v;
        int n;
    } body;
};

/* A join in progress. `failed`: memory is out, and whatever follows does nothing. */
struct join {
    struct known {
        int32_t *v;
        int n;
    } * known; /* contents of bodies; the number is the loop's id */
    int nknown;
    size_t cap;
    bool failed;
};

/* ---- items ---- */

static void free_items(struct items *l)
{
    for (int i = 0; i < l->n; i++)
        free_items(&l->v[i].body);
    free(l->v);
    *l = (struct items){0};
}

static void add(struct join *j, struct items *l, struct item x)
{
    if (!j->failed && CS_ONE_MORE(l->v, l->n)) {
        l->v[l->n++] = x;
    } else {
        j->failed = true;
        free_items(&x.body);
    }
}

static struct items copy(struct join *j, const struct items *from)
{
    struct items to = {0};
    for (int i = 0; i < from->n; i++) {
        struct item x = from->v[i];
        x.body = copy(j, &from->v[i].body);
        add(j, &to, x);
    }
    return to;
}

static int32_t id_of_body(struct join *j, const struct items *body)
{
    int32_t *v = malloc((3 * (size_t)body->n + 1) * sizeof *v);
    if (!v || !CS_MAKE_ROOM_FOR(j->known, (size_t)j->nknown + 1, j->cap)) {
        free(v);
        j->failed = true;
        return -1;
    }
    for (int i = 0; i < body->n; i++)
        memcpy(v + 3 * i, (int32_t[]){body->v[i].id, body->v[i].count[0], body->v[i].count[1]},
               3 * sizeof *v); /* counts are 0 of symbols alone */
    for (int k = 0; k < j->nknown; k++)
        if (j->known[k].n == body->n && memcmp(j->known[k].v, v, 3 * (size_t)body->n * sizeof *v) == 0) {
            free(v);
            return k;
        }
    j->known[j->nknown] = (struct known){v, body->n};
    return j->nknown++;
}

/* A loop; takes the body over. */
static struct item make_loop(struct join *j, struct items body, int32_t first, int32_t second)
{
    struct item x = {.loop = true, .count = {first, second}, .body = body, .id = id_of_body(j, &body)};
    for (int i = 0; i < body.n; i++)
        x.weight += body.v[i].weight;
    return x;
}

static struct items read_nodes(struct join *j, const struct cs_nest_node *node, int64_t from, int64_t to)
{
    struct items l = {0};
    for (int64_t i = from; i < to; i++) {
        if (node[i].count == 0) {
            add(j, &l, (struct item){.symbol = node[i].value, .id = node[i].value, .weight = 1});
            continue;
        }
        add(j, &l,
            make_loop(j, read_nodes(j, node, i + 1, i + 1 + node[i].value), (int32_t)node[i].count,
                      (int32_t)node[i].count));
        i += node[i].value;
    }
    return l;
}

/* ---- the best pair ---- */

/* Two neighbouring stretches, [from, middle) and [middle, to), and how many symbols joining them would save. */
struct pair {
    int score, from, middle, to;
};

/* How an alignment ends: with two items, or with one of one stretch alone. */
enum { MATCH, GAP_A, GAP_B, STATES };

/* An entry of the alignment: the best score by how it ends. */
struct cell {
    int v[STATES];
};

/* The gain, in symbols, of making two items one; 1 less if their counts differ. NEVER: they cannot be one. */
static int gain(const struct item *a, const struct item *b)
{
    return a->id != b->id || a->loop != b->loop ? NEVER : a->weight - (a->count[0] != b->count[0]);
}

static int most(int a, int b)
{
    return a > b ? a : b;
}

/* The best scores of a cell of the alignment, by the state that its last step is in. Opening a gap costs 1. */
static struct cell next_cell(const struct cell *diagonal, const struct cell *up, const struct cell *left, int match)
{
    struct cell c = {{NEVER, NEVER, NEVER}};
    if (diagonal)
        c.v[MATCH] = most(diagonal->v[MATCH], most(diagonal->v[GAP_A], diagonal->v[GAP_B])) + match;
    if (up)
        c.v[GAP_A] = most(most(up->v[MATCH], up->v[GAP_B]) - 1, up->v[GAP_A]);
    if (left)
        c.v[GAP_B] = most(most(left->v[MATCH], left->v[GAP_A]) - 1, left->v[GAP_B]);
    return c;
}

/* Fills row a of the table; `above` is row a - 1, NULL for the first. */
static void fill_row(const struct item *items, int from, int middle, int to, int a, const struct cell *above,
                     struct cell *row)
{
    for (int b = 0; b <= to - middle; b++) {
        if (!above && b == 0) {
            row[0] = (struct cell){{0, NEVER, NEVER}};
            continue;
        }
        row[b] = next_cell(above && b ? &above[b - 1] : NULL, above ? &above[b] : NULL, b ? &row[b - 1] : NULL,
                           above && b ? gain(&items[from + a - 1], &items[middle + b - 1]) : NEVER);
    }
}

/* The pair of stretches [from, middle) and [middle, to) with the largest gain. score 0: no pair gains. */
static struct pair find_pair(const struct items *l)
{
    struct cell row[2][ITEMS_MAX + 1];
    struct pair best = {0};
    if (l->n > ITEMS_MAX)
        return best;
    for (int middle = 1; middle < l->n; middle++)
        for (int from = 0; from < middle; from++) {
            for (int a = 0; a <= middle - from; a++)
                fill_row(l->v, from, middle, l->n, a, a ? row[(a + 1) & 1] : NULL, row[a & 1]);
            const struct cell *end = row[(middle - from) & 1];
            for (int b = 1; b <= l->n - middle; b++)
                if (most(end[b].v[MATCH], end[b].v[GAP_A]) > best.score)
                    best = (struct pair){most(end[b].v[MATCH], end[b].v[GAP_A]), from, middle, middle + b};
        }
    return best;
}

/* ---- making them one ---- */

/* The state in which the best way to `state` left the cell before. */
static int state_before(const struct cell *c, int state)
{
    int best = 0;
    for (int s = 1; s < STATES; s++)
        if (c->v[s] - (state != MATCH && s != state) > c->v[best] - (state != MATCH && best != state))
            best = s;
    return best;
}

/* The steps of the alignment, from the end to the start: MATCH takes an item of each, GAP_A one of the first alone.
 * Returns how many. */
static int trace_back(const struct cell *table, int na, int nb, int *step)
{
    int n = 0, a = na, b = nb, state = MATCH;
    const struct cell *end = &table[na * (nb + 1) + nb];
    if (end->v[GAP_A] > end->v[MATCH])
        state = GAP_A;
    while (a || b) {
        step[n++] = state;
        a -= state != GAP_B;
        b -= state != GAP_A;
        state = state_before(&table[a * (nb + 1) + b], state);
    }
    return n;
}

/* The items with the bodies of loops that run once in both turns in place of those loops. Takes *l over. */
static struct items without_once(struct join *j, struct items *l)
{
    struct items out = {0};
    for (int i = 0; i < l->n; i++) {
        struct item *x = &l->v[i];
        if (x->loop && x->count[0] == 1 && x->count[1] == 1) {
            for (int k = 0; k < x->body.n; k++)
                add(j, &out, x->body.v[k]);
            free(x->body.v);
        } else {
            add(j, &out, *x);
        }
    }
    free(l->v);
    *l = (struct items){0};
    return out;
}

/* A loop of items that only the first or only the second turn has: it runs once in that turn and 0 times in the other.
 * A single loop gets count 0 for the other turn instead. */
static struct item only(struct join *j, const struct items *some, bool first)
{
    struct items body = copy(j, some);
    if (body.n != 1 || !body.v[0].loop)
        return make_loop(j, without_once(j, &body), first, !first);
    struct item x = body.v[0];
    x.count[!first ? 0 : 1] = 0;
    free(body.v);
    return x;
}

/* Appends a copy of a, which b is equal to but for counts: b's count is that of the second turn. */
static void add_both(struct join *j, struct items *l, const struct item *a, const struct item *b)
{
    struct item x = *a;
    x.body = copy(j, &a->body);
    x.count[1] = b->count[0];
    add(j, l, x);
}

/* The body of the loop that stands for the pair. */
static struct items merge_pair(struct join *j, const struct items *l, struct pair p, const int *step, int n)
{
    struct items body = {0};
    int a = p.from, b = p.middle;
    while (n > 0) {
        int state = step[n - 1], from = state == GAP_B ? b : a, many = 0;
        if (state == MATCH) {
            add_both(j, &body, &l->v[a++], &l->v[b++]);
            n--;
            continue;
        }
        for (; n > 0 && step[n - 1] == state; n--)
            many++;
        a += state == GAP_A ? many : 0;
        b += state == GAP_B ? many : 0;
        add(j, &body, only(j, &(struct items){l->v + from, many}, state == GAP_A));
    }
    return body;
}

static struct items align(struct join *j, const struct items *l, struct pair p)
{
    int na = p.middle - p.from, nb = p.to - p.middle;
    struct cell *table = malloc(((size_t)na + 1) * ((size_t)nb + 1) * sizeof *table);
    int *step = malloc(((size_t)na + (size_t)nb) * sizeof *step);
    struct items body = {0};
    if (table && step) {
        for (int a = 0; a <= na; a++)
            fill_row(l->v, p.from, p.middle, p.to, a, a ? table + (a - 1) * (nb + 1) : NULL, table + a * (nb + 1));
        body = merge_pair(j, l, p, step, trace_back(table, na, nb, step));
        body = without_once(j, &body);
    } else {
        j->failed = true;
    }
    free(table);
    free(step);
    return body;
}

/* Replaces the pair by one loop of two turns. */
static void join_pair(struct join *j, struct items *l, struct pair p)
{
    struct item loop = make_loop(j, align(j, l, p), 2, 2);
    for (int i = p.from; i < p.to; i++)
        free_items(&l->v[i].body);
    l->v[p.from] = loop;
    memmove(l->v + p.from + 1, l->v + p.to, (size_t)(l->n - p.to) * sizeof *l->v);
    l->n -= p.to - p.from - 1;
}

/* ---- levels ---- */

static bool is_body(const struct items *l, int at, const struct items *body)
{
    bool same = at + body->n <= l->n;
    for (int i = 0; same && i < body->n; i++)
        same = l->v[at + i].id == body->v[i].id && l->v[at + i].count[0] == body->v[i].count[0] &&
               l->v[at + i].count[1] == body->v[i].count[1];
    return same;
}

static bool has_body(const struct items *l, const struct items *body)
{
    bool has = false;
    for (int i = 0; i < l->n && !has; i++)
        has = is_body(l, i, body);
    return has;
}

/* A copy of the level in which each stretch that equals the loop's body is that loop, running once. So x y (x)x75 can
 * be joined. Empty: there is no such stretch. */
static struct items with_once(struct join *j, const struct items *l, const struct item *loop)
{
    struct items out = {0};
    if (!has_body(l, &loop->body))
        return out;
    for (int i = 0; i < l->n; i++) {
        bool once = is_body(l, i, &loop->body);
        struct item x = once ? *loop : l->v[i];
        x.body = copy(j, &x.body);
        if (once) {
            x.count[0] = x.count[1] = 1;
            i += loop->body.n - 1;
        }
        add(j, &out, x);
    }
    return out;
}

/* Joins the best pair of the level. False: no pair gains. */
static bool join_best(struct join *j, struct items *l)
{
    struct pair best = find_pair(l);
    struct items other = {0};
    for (int i = 0; i < l->n && !j->failed; i++) {
        bool known = !l->v[i].loop;
        for (int k = 0; k < i; k++)
            known |= l->v[k].loop && l->v[k].id == l->v[i].id;
        struct items with = known ? (struct items){0} : with_once(j, l, &l->v[i]);
        struct pair p = find_pair(&with);
        if (p.score > best.score) {
            struct items t = other;
            other = with;
            with = t;
            best = p;
        }
        free_items(&with);
    }
    if (other.n) {
        free_items(l);
        *l = other;
    }
    if (best.score <= 0 || j->failed)
        return false;
    join_pair(j, l, best);
    *l = without_once(j, l);
    return true;
}

/* Joins pairs of the level, and of the levels below, while there is a gain. Loops that were joined are left alone: the
 * counts in them belong to two turns already. */
static void join_level(struct join *j, struct items *l, int depth)
{
    while (l->n <= ITEMS_MAX && !j->failed && depth < JOIN_DEPTH && join_best(j, l))
        ;
    for (int i = 0; i < l->n && !j->failed; i++) {
        struct item *x = &l->v[i];
        bool two = false;
        for (int k = 0; k < x->body.n; k++)
            two |= x->body.v[k].count[0] != x->body.v[k].count[1];
        if (x->loop && !two && x->count[0] == x->count[1])
            join_level(j, &x->body, depth + 1);
    }
}

/* ---- out ---- */

static int write_items(const struct items *l, struct cs_nest_node *node, int at, int32_t *count, int *ncounts)
{
    for (int i = 0; i < l->n; i++) {
        const struct item *x = &l->v[i];
        struct cs_nest_node *n = &node[at++];
        if (!x->loop) {
            *n = (struct cs_nest_node){.value = x->symbol};
            continue;
        }
        *n = (struct cs_nest_node){.count = most(x->count[0], x->count[1])};
        if (x->count[0] != x->count[1]) {
            n->cycle = *ncounts;
            n->ncycle = 2;
            count[(*ncounts)++] = x->count[0];
            count[(*ncounts)++] = x->count[1];
        }
        int end = write_items(&x->body, node, at, count, ncounts);
        n->value = end - at;
        at = end;
    }
    return at;
}

static int depth_of(const struct items *l)
{
    int deepest = 0;
    for (int i = 0; i < l->n; i++)
        deepest = most(deepest, l->v[i].loop ? 1 + depth_of(&l->v[i].body) : 0);
    return deepest;
}

static int nodes_of(const struct items *l)
{
    int n = l->n;
    for (int i = 0; i < l->n; i++)
        n += nodes_of(&l->v[i].body);
    return n;
}

int cs_merged_join(struct cs_nest_node **node, int64_t *n, int32_t **count, int *ncounts)
{
    struct join j = {0};
    *count = NULL;
    *ncounts = 0;
    if (*n > NODES_MAX)
        return 0;
    struct items all = read_nodes(&j, *node, 0, *n);
    join_level(&j, &all, 0);
    if (depth_of(&all) > CS_MERGED_MAX_DEPTH) { /* no file may have it: the nest stays as it is */
        free_items(&all);
        all = read_nodes(&j, *node, 0, *n);
    }
    int m = nodes_of(&all);
    struct cs_nest_node *out = calloc((size_t)m + 1, sizeof *out);
    *count = malloc((2 * (size_t)m + 1) * sizeof **count);
    bool fine = out && *count && !j.failed;
    if (fine) {
        *n = write_items(&all, out, 0, *count, ncounts);
        free(*node);
        *node = out;
    } else {
        free(out);
        free(*count);
        *count = NULL;
    }
    free_items(&all);
    for (int k = 0; k < j.nknown; k++)
        free(j.known[k].v);
    free(j.known);
    return fine ? 0 : -1;
}
