/* SPDX-License-Identifier: GPL-3.0-or-later
 * Values by name; named_values.h. The text `names` of a statement has words NAME, of what it defines or stores, *NAME
 * if that is one of several elements, and ARG:BYTES:NAME, of what a call may write through the address that is argument
 * ARG. */
#include "slicer/control/named_values.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "api/allocation.h"
#include "api/mpi_calls.h"
#include "slicer/graph/storage.h"

const struct cs_mpi_call *cs_named_call(const struct cs_graph *g, int stmt, bool *by_address)
{
    const struct cs_stmt *s = &g->stmts[stmt];
    enum cs_binding binding = CS_BIND_C;
    if (s->kind != CS_STMT_CALL || s->callee.kind != CS_OPND_ADDR || g->objs[s->callee.id].kind != CS_OBJ_FUNC)
        return NULL;
    const struct cs_mpi_call *c = cs_mpi_by_symbol(cs_obj_name(g, s->callee.id), &binding);
    *by_address = binding != CS_BIND_C;
    return c;
}

/* ---- what is there ---- */

static int add(struct cs_named_value *v, int n, struct cs_named_value x)
{
    if (n < CS_NAMED_MOST && x.length > 0)
        v[n++] = x;
    return n;
}

/* Arguments that are numbers, and those that the call stores. */
static int add_arguments(const struct cs_graph *g, int stmt, const struct cs_mpi_call *c, bool by_address,
                         struct cs_named_value *v)
{
    int n = 0;
    for (int i = 0; i < c->nargs && i < g->stmts[stmt].nuses; i++) {
        bool out = false, address = g->stmts[stmt].uses[i].kind == CS_OPND_ADDR;
        int size = cs_mpi_number_size(&c->args[i], &out), length = (int)strlen(c->args[i].name);
        if (!size || (address && !by_address && !out))
            continue;
        n = add(v, n,
                (struct cs_named_value){out ? CS_NAMED_WRITTEN : CS_NAMED_ARGUMENT, i, size, length, c->args[i].name,
                                        true, false});
    }
    return n;
}

/* Sizes of memory that the call asks for. */
static int add_sizes(const struct cs_graph *g, int stmt, struct cs_named_value *v)
{
    const struct cs_stmt *s = &g->stmts[stmt];
    int n = 0;
    if (s->kind != CS_STMT_CALL || s->callee.kind != CS_OPND_ADDR || g->objs[s->callee.id].kind != CS_OBJ_FUNC)
        return 0;
    for (int i = 0; i < s->nuses; i++) {
        const char *name = cs_allocation_size(cs_obj_name(g, s->callee.id), i);
        if (name)
            n = add(v, n, (struct cs_named_value){CS_NAMED_ARGUMENT, i, 8, (int)strlen(name), name, true, false});
    }
    return n;
}

/* One word of `names`. */
static struct cs_named_value named(const struct cs_stmt *s, const char *word, const struct cs_mpi_call *c)
{
    int length = (int)strcspn(word, " ");
    char *end;
    bool store = s->kind == CS_STMT_STORE;
    if (!memchr(word, ':', (size_t)length)) {
        bool fits = store ? s->nuses > 0 : s->def >= 0 && s->kind != CS_STMT_PHI;
        bool element = !strncmp(word, CS_NAME_OF_ELEMENTS, strlen(CS_NAME_OF_ELEMENTS));
        int from = element ? (int)strlen(CS_NAME_OF_ELEMENTS) : 0;
        return (struct cs_named_value){store ? CS_NAMED_STORED : CS_NAMED_DEFINED,
                                       -1,
                                       0,
                                       fits ? length - from : 0,
                                       word + from,
                                       .element = element};
    }
    int arg = (int)strtol(word, &end, 10), size = *end == ':' ? (int)strtol(end + 1, &end, 10) : 0;
    bool fits = *end == ':' && arg >= 0 && arg < s->nuses && size > 0 && s->kind == CS_STMT_CALL &&
                (!c || cs_mpi_has_written(c, arg));
    return (struct cs_named_value){CS_NAMED_WRITTEN, arg,   size, fits ? (int)(word + length - end - 1) : 0,
                                   end + 1,          false, false};
}

int cs_named_values(const struct cs_graph *g, int stmt, struct cs_named_value v[CS_NAMED_MOST])
{
    const struct cs_stmt *s = &g->stmts[stmt];
    bool by_address;
    if (s->source < 0 || s->line <= 0)
        return 0;
    const struct cs_mpi_call *c = cs_named_call(g, stmt, &by_address);
    int n = c ? add_arguments(g, stmt, c, by_address, v) : add_sizes(g, stmt, v);
    for (const char *word = cs_graph_str(g, s->names); *word; word += strcspn(word, " "), word += *word == ' ')
        n = add(v, n, named(s, word, c));
    return n;
}

/* ---- assuming them ---- */

/* Of what counts how often a rank has come to a place. */
enum { COUNTER_BYTES = 8 };

/* A new statement of the line of `stmt`, that many places from it in its block; -1: there is no such place. */
static int insert(struct cs_graph *g, int stmt, int behind, enum cs_stmt_kind kind)
{
    struct cs_stmt *s = &g->stmts[stmt];
    struct cs_block *b = &g->funcs[s->func].blocks[s->block];
    int at = 0;
    while (at < b->nstmts && b->stmts[at] != stmt)
        at++;
    if (at == b->nstmts || (behind && at == b->nstmts - 1 && cs_block_branch(g, s->func, s->block) == stmt))
        return -1;
    int n = cs_graph_add_stmt(g, s->func, s->block, kind);
    s = &g->stmts[stmt];
    b = &g->funcs[s->func].blocks[s->block];
    memmove(&b->stmts[at + behind + 1], &b->stmts[at + behind],
            (size_t)(b->nstmts - 1 - at - behind) * sizeof *b->stmts);
    b->stmts[at + behind] = n;
    g->stmts[n].file = s->file;
    g->stmts[n].line = s->line;
    return n;
}

static void store(struct cs_graph *g, int at, struct cs_operand where, int size, struct cs_operand value)
{
    g->stmts[at].has_store = true;
    g->stmts[at].store = (struct cs_ref){where, cs_pat_at(0), size};
    cs_stmt_add_use(&g->stmts[at], value);
}

/* A new statement of that kind in front of `stmt`, which defines a value. */
static int insert_defining(struct cs_graph *g, int stmt, enum cs_stmt_kind kind)
{
    int n = insert(g, stmt, 0, kind), v = cs_graph_add_value(g, g->stmts[stmt].func);
    assert(n >= 0);
    g->stmts[n].def = v;
    g->values[v].def = n;
    return n;
}

/* What comes in a value's place: a number, or a new statement that makes something in front of `stmt`; of several
 * places that count together (`counter`, -1: they do not) of what all of them have counted. */
static struct cs_operand assumed(struct cs_graph *g, int stmt, const struct cs_assumption *a, int counter)
{
    if (a->value.n == 1 && a->value.node[0].op == CS_EXPR_NUMBER)
        return cs_opnd_const(a->value.node[0].number);
    struct cs_operand before = cs_opnd_none(), where = cs_opnd_none();
    if (counter >= 0) {
        where = cs_opnd_addr(counter, cs_pat_at(0));
        int n = insert_defining(g, stmt, CS_STMT_LOAD);
        g->stmts[n].has_load = true;
        g->stmts[n].load = (struct cs_ref){where, cs_pat_at(0), COUNTER_BYTES};
        before = cs_opnd_value(g->stmts[n].def);
    }
    int n = insert_defining(g, stmt, CS_STMT_ASSIGN);
    struct cs_operand made = cs_opnd_value(g->stmts[n].def);
    g->stmts[n].op = CS_OP_OTHER;
    if (counter >= 0) {
        cs_stmt_add_use(&g->stmts[n], before);
        int at = insert(g, stmt, 0, CS_STMT_STORE);
        assert(at >= 0);
        store(g, at, where, COUNTER_BYTES, made);
    }
    return made;
}

/* The call gets the address of a variable that has the value. */
static void pass_address(struct cs_graph *g, int stmt, const struct cs_named_value *v, struct cs_operand value)
{
    int o = cs_graph_add_obj(g, CS_OBJ_LOCAL, "commslice_assumed", v->size), at = insert(g, stmt, 0, CS_STMT_STORE);
    assert(at >= 0);
    g->objs[o].func = g->stmts[stmt].func;
    store(g, at, cs_opnd_addr(o, cs_pat_at(0)), v->size, value);
    g->stmts[stmt].uses[v->arg] = cs_opnd_addr(o, cs_pat_at(0));
}

/* What it defined gets a definition of its own behind it. */
static bool define(struct cs_graph *g, int stmt, const struct cs_assumption *a, int counter)
{
    int at = insert(g, stmt, 1, CS_STMT_ASSIGN), old = g->stmts[stmt].def;
    if (at < 0)
        return false;
    struct cs_operand value = assumed(g, at, a, counter);
    int unused = cs_graph_add_value(g, g->stmts[stmt].func);
    g->stmts[at].op = CS_OP_COPY;
    g->stmts[at].bits = g->stmts[stmt].bits ? g->stmts[stmt].bits : -32; /* of a call they are not said */
    g->stmts[at].anywhere = true;
    cs_stmt_add_use(&g->stmts[at], value);
    g->stmts[stmt].def = unused;
    g->values[unused].def = stmt;
    g->stmts[at].def = old;
    g->values[old].def = at;
    return true;
}

static bool assume(struct cs_graph *g, int stmt, const struct cs_named_value *v, const struct cs_assumption *a,
                   int counter)
{
    bool by_address = false;
    if (v->kind == CS_NAMED_DEFINED)
        return define(g, stmt, a, counter);
    int at = v->kind == CS_NAMED_WRITTEN ? insert(g, stmt, 1, CS_STMT_STORE) : stmt;
    if (at < 0)
        return false;
    struct cs_operand value = assumed(g, at, a, counter);
    if (v->kind == CS_NAMED_ARGUMENT)
        cs_named_call(g, stmt, &by_address);
    if (v->kind == CS_NAMED_WRITTEN)
        store(g, at, g->stmts[stmt].uses[v->arg], v->size, value);
    else if (by_address)
        pass_address(g, stmt, v, value);
    else
        g->stmts[stmt].uses[v->kind == CS_NAMED_STORED ? 0 : v->arg] = value;
    return true;
}

static bool of_place(const struct cs_graph *g, int stmt, const struct cs_assumption *a)
{
    const char *base = strrchr(a->file, '/');
    const struct cs_stmt *s = &g->stmts[stmt];
    return s->line == a->line && s->source >= 0 && !strcmp(cs_graph_str(g, s->file), base ? base + 1 : a->file);
}

static bool has_name(const struct cs_named_value *v, const struct cs_assumption *a)
{
    return strlen(a->name) == (size_t)v->length && !strncasecmp(v->name, a->name, (size_t)v->length);
}

/* Values of the statement that the assumption is about; `v` has all that it has. Fills which[] and returns their
 * number.
 */
static int meant(const struct cs_graph *g, int stmt, const struct cs_assumption *a,
                 struct cs_named_value v[CS_NAMED_MOST], int which[CS_NAMED_MOST])
{
    bool argument = false;
    int n = 0, nv = of_place(g, stmt, a) ? cs_named_values(g, stmt, v) : 0;
    for (int i = 0; i < nv; i++) {
        /* What is both an argument's name and a variable's means the argument. */
        if (!has_name(&v[i], a) || (argument && v[i].kind == CS_NAMED_WRITTEN && !v[i].of_mpi))
            continue;
        argument |= v[i].of_mpi;
        which[n++] = i;
    }
    return n;
}

/* What several places count in together, as they are one in the source; -1: the value does not ask how often. */
static int add_counter(struct cs_graph *g, const struct cs_assumption *a)
{
    struct cs_named_value v[CS_NAMED_MOST];
    int which[CS_NAMED_MOST], places = 0;
    bool counts = false;
    for (int i = 0; i < a->value.n; i++)
        counts |= a->value.node[i].op == CS_EXPR_ITERATION;
    for (int s = 0; counts && s < g->nstmts; s++)
        places += meant(g, s, a, v, which);
    return places > 1 ? cs_graph_add_obj(g, CS_OBJ_GLOBAL, "commslice_iteration", COUNTER_BYTES) : -1;
}

int cs_named_assume(struct cs_graph *g, const struct cs_assumption *a)
{
    int places = 0, counter = add_counter(g, a);
    for (int s = 0, n = g->nstmts; s < n; s++) {
        struct cs_named_value v[CS_NAMED_MOST];
        int which[CS_NAMED_MOST], found = meant(g, s, a, v, which);
        for (int i = 0; i < found; i++)
            places += assume(g, s, &v[which[i]], a, counter);
    }
    return places;
}

bool cs_named_by_mpi(const struct cs_graph *g, const struct cs_assumption *a)
{
    bool by_address;
    for (int s = 0; s < g->nstmts; s++) {
        struct cs_named_value v[CS_NAMED_MOST];
        int n = of_place(g, s, a) && cs_named_call(g, s, &by_address) ? cs_named_values(g, s, v) : 0;
        for (int i = 0; i < n; i++)
            if (has_name(&v[i], a))
                return true;
    }
    return false;
}

bool cs_named_unsafe(const struct cs_graph *g, const struct cs_assumption *a)
{
    bool by_address;
    for (int s = 0; s < g->nstmts; s++) {
        if (!of_place(g, s, a) || !g->stmts[s].keep || g->stmts[s].mark != CS_MARK_CONTENT)
            continue;
        const struct cs_mpi_call *c = cs_named_call(g, s, &by_address);
        for (int i = 0; c && i < c->nargs; i++)
            if (c->args[i].role == CS_ROLE_COUNT && !strcasecmp(c->args[i].name, a->name))
                return true;
    }
    return false;
}
