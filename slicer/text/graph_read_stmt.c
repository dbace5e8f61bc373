/* SPDX-License-Identifier: GPL-3.0-or-later
 * The reader of the text form: one statement, and the edges that end a block; graph_read_internal.h.
 * One function a kind of statement, named after what it does. */
#define _POSIX_C_SOURCE 200809L
#include "slicer/text/graph_read_internal.h"

#include <assert.h>
#include <string.h>

#include "slicer/text/graph_words_internal.h"
#include "slicer/graph/storage.h"

/* Good until the next statement is added. */
static struct cs_stmt *stmt(struct reader *r, int s)
{
    assert(s >= 0 && s < r->g->nstmts);
    return &r->g->stmts[s];
}

static void uses(struct reader *r, int s)
{
    do {
        struct cs_operand op = cs_read_operand(r);
        cs_stmt_add_use(stmt(r, s), op);
    } while (!r->failed && cs_read_take(r, ','));
}

static void with_uses(struct reader *r, int s)
{
    if (cs_read_take_word(r, "with"))
        uses(r, s);
}

static int new_stmt(struct reader *r, enum cs_stmt_kind kind)
{
    assert(r->func >= 0 && r->block >= 0 && !r->closed);
    int s = cs_graph_add_stmt(r->g, r->func, r->block, kind);
    stmt(r, s)->file = r->g->funcs[r->func].file;
    return s;
}

static void define(struct reader *r, int s, int v)
{
    if (v < 0 || r->failed)
        return;
    if (r->g->values[v].def >= -1) {
        fail(r, "value %s is defined twice", r->value_names[v]);
        return;
    }
    r->g->values[v].def = s;
    stmt(r, s)->def = v;
}

static int new_load(struct reader *r, enum cs_stmt_kind kind)
{
    int s = new_stmt(r, kind);
    struct cs_ref ref = cs_read_reference(r);
    stmt(r, s)->load = ref;
    stmt(r, s)->has_load = true;
    return s;
}

static void set_store(struct reader *r, int s, struct cs_ref ref)
{
    stmt(r, s)->store = ref;
    stmt(r, s)->has_store = true;
}

static int callee_name(struct reader *r)
{
    const char *name = cs_read_name(r, "name of a function");
    if (r->failed)
        return 0;
    int o = cs_read_find_symbol(r, 'o', -1, name);
    if (o < 0) {
        o = r->g->funcs[cs_graph_add_func(r->g, name)].obj;
        cs_read_add_symbol(r, 'o', -1, name, o);
    } else if (r->g->objs[o].kind != CS_OBJ_FUNC)
        fail(r, "%s is no function", name);
    return o;
}

static void argument(struct reader *r, int s)
{
    int i = stmt(r, s)->nuses;
    struct cs_operand op = cs_read_is_punct(r, '{') ? cs_opnd_none() : cs_read_operand(r);
    cs_stmt_add_use(stmt(r, s), op);
    while (!r->failed && cs_read_take(r, '{')) {
        struct cs_ref ref = cs_read_reference(r);
        cs_read_expect(r, '}');
        cs_stmt_add_arg_load(stmt(r, s), i, ref);
    }
}

static int call(struct reader *r)
{
    int s = new_stmt(r, CS_STMT_CALL);
    struct cs_operand callee;
    if (cs_read_take(r, '*')) {
        bool parens = cs_read_take(r, '(');
        callee = cs_read_primary(r, parens);
        if (parens)
            cs_read_expect(r, ')');
    } else
        callee = cs_opnd_addr(callee_name(r), cs_pat_at(0));
    if (r->failed)
        return s;
    stmt(r, s)->callee = callee;
    cs_read_expect(r, '(');
    while (!r->failed && !cs_read_is_punct(r, ')')) {
        argument(r, s);
        if (!cs_read_take(r, ','))
            break;
    }
    cs_read_expect(r, ')');
    return s;
}

static int assembly(struct reader *r)
{
    int s = new_stmt(r, CS_STMT_ASM);
    cs_read_expect(r, '(');
    if (!cs_read_is_punct(r, ')'))
        uses(r, s);
    cs_read_expect(r, ')');
    if (cs_read_take_word(r, "load")) {
        struct cs_ref ref = cs_read_reference(r);
        stmt(r, s)->load = ref;
        stmt(r, s)->has_load = true;
    }
    if (cs_read_take_word(r, "store"))
        set_store(r, s, cs_read_reference(r));
    return s;
}

/* Is there a label `NAME:` at this token? */
bool cs_read_label_at(struct reader *r, int i)
{
    return i + 1 < r->nt && (r->t[i].kind == T_IDENT || r->t[i].kind == T_STRING) && cs_read_punct(&r->t[i + 1], ':');
}

static int phi(struct reader *r)
{
    int s = new_stmt(r, CS_STMT_PHI), cap = 0;
    for (bool more = cs_read_label_at(r, r->pos) || !cs_read_ends_operands(r); more && !r->failed;
         more = cs_read_take(r, ',')) {
        const char *name = cs_read_name(r, "name of a block");
        int b = r->failed ? -1 : cs_read_find_symbol(r, 'b', r->func, name);
        if (b < 0) {
            r->pos -= !r->failed;
            fail(r, "no block is named %s", name);
            return s;
        }
        cs_read_expect(r, ':');
        struct cs_operand op = cs_read_operand(r);
        int n = stmt(r, s)->nuses;
        CS_GROW(stmt(r, s)->phi_preds, n, cap);
        assert(b < r->nblocks);
        stmt(r, s)->phi_preds[n] = b;
        cs_stmt_add_use(stmt(r, s), op);
    }
    return s;
}

static int op_word(struct reader *r)
{
    for (int i = 0; i < CS_TEXT_NOPS; i++)
        if (cs_text_op_words[i] && cs_read_take_word(r, cs_text_op_words[i]))
            return i;
    return -1;
}

static void check_operands(struct reader *r, int s)
{
    static const int least[CS_TEXT_NOPS] = {
        [CS_OP_PTRADD] = 1, [CS_OP_FIELD] = 1, [CS_OP_EQ] = 2,  [CS_OP_NE] = 2, [CS_OP_LT] = 2,     [CS_OP_LE] = 2,
        [CS_OP_GT] = 2,     [CS_OP_GE] = 2,    [CS_OP_AND] = 2, [CS_OP_OR] = 2, [CS_OP_SELECT] = 3, [CS_OP_ORDER] = 2};
    if (stmt(r, s)->nuses < least[stmt(r, s)->op])
        fail(r, "%s needs %d operands", cs_text_op_words[stmt(r, s)->op], least[stmt(r, s)->op]);
}

static int assignment(struct reader *r)
{
    int s = new_stmt(r, CS_STMT_ASSIGN), op = op_word(r);
    stmt(r, s)->op = op < 0 ? CS_OP_COPY : op;
    if (op == CS_OP_FIELD) {
        struct cs_operand base;
        struct cs_pattern pat;
        cs_read_place(r, &base, &pat);
        cs_stmt_add_use(stmt(r, s), base);
        stmt(r, s)->load.pat = pat;
        if (cs_read_take(r, ','))
            uses(r, s);
    } else if (op < 0 || !cs_read_ends_operands(r))
        uses(r, s);
    if (cs_read_take(r, '*'))
        stmt(r, s)->stride = cs_read_offset(r, "stride");
    if (stmt(r, s)->stride && stmt(r, s)->nuses > 1 && stmt(r, s)->uses[1].kind == CS_OPND_CONST)
        fail(r, "a constant is in bytes: no stride");
    check_operands(r, s);
    return s;
}

static void edge(struct reader *r)
{
    bool never = cs_read_take_word(r, "never"), eh = cs_read_take_word(r, "eh");
    const char *name = cs_read_name(r, "name of a block");
    if (r->failed)
        return;
    int to = strcmp(name, "exit") ? cs_read_find_symbol(r, 'b', r->func, name) : CS_BLOCK_EXIT;
    if (to == -1) {
        r->pos--;
        fail(r, "no block is named %s", name);
        return;
    }
    cs_graph_add_edge(r->g, r->func, r->block, to, eh);
    struct cs_block *b = &r->g->funcs[r->func].blocks[r->block];
    b->never[b->nsuccs - 1] = never;
}

void cs_read_edges(struct reader *r)
{
    do
        edge(r);
    while (!r->failed && cs_read_take(r, ','));
    r->closed = true;
}

static int condition(struct reader *r)
{
    int s = new_stmt(r, CS_STMT_COND), op = op_word(r);
    if (op >= 0)
        uses(r, s);
    else {
        struct cs_operand a = cs_read_operand(r);
        cs_stmt_add_use(stmt(r, s), a);
        for (int i = 0; i < CS_TEXT_NSIGNS && op < 0; i++)
            if (cs_read_take(r, cs_text_signs[i].sign[1] ? CS_TWO(cs_text_signs[i].sign[0], '=')
                                                         : cs_text_signs[i].sign[0]))
                op = cs_text_signs[i].op;
        if (op < 0) {
            fail(r, "comparison expected");
            return s;
        }
        struct cs_operand b = cs_read_operand(r);
        cs_stmt_add_use(stmt(r, s), b);
    }
    stmt(r, s)->op = op;
    check_operands(r, s);
    if (!cs_read_take_word(r, "then"))
        return s;
    edge(r);
    if (!cs_read_take_word(r, "else"))
        fail(r, "'else' expected");
    edge(r);
    r->closed = true;
    return s;
}

static int switching(struct reader *r)
{
    int s = new_stmt(r, CS_STMT_SWITCH);
    if (!cs_read_ends_operands(r))
        uses(r, s);
    if (cs_read_take_word(r, "goto"))
        cs_read_edges(r);
    return s;
}

static int returning(struct reader *r)
{
    int s;
    if (cs_read_take_word(r, "load")) {
        s = new_load(r, CS_STMT_RETURN);
        with_uses(r, s);
        return s;
    }
    s = new_stmt(r, CS_STMT_RETURN);
    if (!cs_read_ends_operands(r))
        uses(r, s);
    return s;
}

/* What begins with the word `store`: a store, or a call that returns a struct. */
static int storing(struct reader *r)
{
    struct cs_ref ref = cs_read_reference(r);
    cs_read_expect(r, '=');
    int s = cs_read_take_word(r, "call") ? call(r) : -1;
    if (s < 0) {
        s = new_stmt(r, CS_STMT_STORE);
        struct cs_operand op = cs_read_operand(r);
        cs_stmt_add_use(stmt(r, s), op);
        with_uses(r, s);
    }
    set_store(r, s, ref);
    return s;
}

static int entering(struct reader *r)
{
    int s = new_stmt(r, CS_STMT_ENTRY);
    set_store(r, s, cs_read_reference(r));
    cs_read_expect(r, '=');
    struct cs_operand op = cs_read_operand(r);
    cs_stmt_add_use(stmt(r, s), op);
    return s;
}

static int copying(struct reader *r)
{
    struct cs_ref to = cs_read_reference(r);
    cs_read_expect(r, '=');
    int s = new_load(r, CS_STMT_COPY);
    set_store(r, s, to);
    with_uses(r, s);
    return s;
}

/* What follows `NAME =`. */
static int defining(struct reader *r)
{
    int s;
    if (cs_read_take_word(r, "load") || cs_read_is_word(r, "peek")) {
        bool opaque = cs_read_take_word(r, "peek");
        s = new_load(r, CS_STMT_LOAD);
        if (opaque)
            stmt(r, s)->op = CS_OP_OTHER;
        with_uses(r, s);
        return s;
    }
    if (cs_read_take_word(r, "phi"))
        return phi(r);
    if (cs_read_take_word(r, "call"))
        return call(r);
    if (cs_read_take_word(r, "asm"))
        return assembly(r);
    if (cs_read_take_word(r, "store")) {
        s = storing(r);
        if (!r->failed && stmt(r, s)->kind != CS_STMT_CALL)
            fail(r, "a store has no result");
        return s;
    }
    return assignment(r);
}

bool cs_read_assigns_at(struct reader *r, int i)
{
    return i + 1 < r->nt && cs_read_punct(&r->t[i + 1], '=');
}

int cs_read_stmt(struct reader *r)
{
    static const struct {
        const char *word;
        int (*parse)(struct reader *);
    } kinds[] = {{"store", storing},    {"copy", copying},     {"call", call},    {"if", condition},
                 {"switch", switching}, {"return", returning}, {"asm", assembly}, {"entry", entering}};
    if (cs_read_assigns_at(r, r->pos)) {
        int v = cs_read_take_word(r, "_") ? -1 : cs_read_value(r);
        cs_read_expect(r, '=');
        int s = r->failed ? -1 : defining(r);
        define(r, s, v);
        return s;
    }
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (cs_read_take_word(r, kinds[i].word))
            return kinds[i].parse(r);
    fail(r, "statement expected");
    return -1;
}

/* What the statement is like; false if something else follows. */
static bool nature(struct reader *r, int s)
{
    if (cs_read_take_word(r, "partial"))
        stmt(r, s)->partial = true;
    else if (cs_read_take_word(r, "anywhere"))
        stmt(r, s)->anywhere = true;
    else if (cs_read_take_word(r, "within"))
        stmt(r, s)->within = true;
    else if (cs_read_take_word(r, "flipped"))
        stmt(r, s)->flipped = true;
    else if (cs_read_take_word(r, "assumed"))
        stmt(r, s)->assumed = true;
    else if (cs_read_take_word(r, "nth"))
        stmt(r, s)->nth = cs_read_small_int(r, "number of a comparison");
    else if (cs_read_take_word(r, "turned"))
        stmt(r, s)->turned = true;
    else if (cs_read_take_word(r, "unsure"))
        stmt(r, s)->unsure = true;
    else if (cs_read_take_word(r, "joined"))
        stmt(r, s)->joined = true;
    else if (cs_read_take_word(r, "rounding"))
        stmt(r, s)->rounding = (enum cs_rounding)cs_read_offset(r, "kind of rounding");
    else if (cs_read_take_word(r, "from")) {
        stmt(r, s)->in_header = true;
        const char *file = cs_read_name(r, "file");
        if (!r->failed)
            stmt(r, s)->user_file = cs_graph_string(r->g, file);
        cs_read_expect(r, ':');
        stmt(r, s)->user_line = cs_read_small_int(r, "line");
    } else if (cs_read_take_word(r, "folds"))
        stmt(r, s)->folds = (enum cs_folds)cs_read_offset(r, "kind of folding");
    else if (cs_read_take_word(r, "bits"))
        stmt(r, s)->bits = (int)cs_read_offset(r, "number of bits");
    else if (cs_read_take_word(r, "family"))
        stmt(r, s)->family = cs_read_small_int(r, "family");
    else if (cs_read_take_word(r, "form"))
        stmt(r, s)->family = CS_FORM(cs_read_small_int(r, "form"));
    else if (cs_read_take_word(r, "like")) {
        const char *shape = cs_read_name(r, "name of a shape");
        if (!r->failed)
            stmt(r, s)->shape = cs_graph_string(r->g, shape);
    } else if (cs_read_take_word(r, "names")) {
        const char *names = cs_read_name(r, "names of numbers");
        if (!r->failed)
            stmt(r, s)->names = cs_graph_string(r->g, names);
    } else
        return false;
    return true;
}

static void source(struct reader *r, int s)
{
    if (cs_read_take_word(r, "none"))
        stmt(r, s)->source = -1;
    else
        stmt(r, s)->source = cs_read_small_int(r, "number of a statement");
}

void cs_read_suffixes(struct reader *r, int s)
{
    while (!r->failed) {
        int file, line;
        if (nature(r, s))
            continue;
        if (cs_read_position(r, &file, &line, r->g->funcs[r->func].file)) {
            stmt(r, s)->file = file;
            stmt(r, s)->line = line;
        } else if (cs_read_take_word(r, "source"))
            source(r, s);
        else if (cs_read_take_word(r, "index")) {
            do {
                int v = cs_read_value(r);
                cs_stmt_add_index(stmt(r, s), v);
            } while (!r->failed && cs_read_take(r, ','));
        } else if (cs_read_token(r)->kind == T_STRING)
            stmt(r, s)->text = cs_graph_string(r->g, r->t[r->pos++].text);
        else
            return;
    }
}
