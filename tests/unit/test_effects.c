/* SPDX-License-Identifier: GPL-3.0-or-later
 * Unit tests of slicer/model/effects.c: the parser, the lookup, and every row of slicer/model/effects.tab.
 * The table is found through CS_EFFECTS_TAB or, as make check sets them, CS_SRCDIR or srcdir. */
#include "slicer/model/effects.h"
#include "suite.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct cs_effects *table;
static char err[512];

static void set_up(void)
{
    table = cs_effects_new();
    ck_assert_ptr_nonnull(table);
    err[0] = 0;
}

static void tear_down(void)
{
    cs_effects_free(table);
}

/* Adds the text and returns the row of f, both of which must be there. */
static const struct cs_effect *row(const char *text)
{
    ck_assert_msg(cs_effects_add_text(table, text, "T", err, sizeof err) == 0, "%s: %s", text, err);
    const struct cs_effect *e = cs_effects_find(table, "f");
    ck_assert_ptr_nonnull(e);
    return e;
}

/* ---- tokens that make one operation ---- */

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Woverride-init" /* OP sets what most operations do not have, then what this one has \
                                                  */
static const struct {
    const char *token;
    struct cs_effect_op op;
} good_ops[] = {
// clang-format off
#define OP(...) { .src = -1, .ext_a = -1, .ext_b = -1, .ext_const = -1, __VA_ARGS__ }
    // clang-format on
    {"r0", OP(.kind = CS_EFFECT_READ, .arg = 0)},
    {"r2+", OP(.kind = CS_EFFECT_READ, .arg = 2, .rest = true)},
    {"r12[3]", OP(.kind = CS_EFFECT_READ, .arg = 12, .ext_a = 3)},
    {"w1[2*3]", OP(.kind = CS_EFFECT_WRITE, .arg = 1, .ext_a = 2, .ext_b = 3)},
    {"w0[=144]", OP(.kind = CS_EFFECT_WRITE, .arg = 0, .ext_const = 144)},
    {"w3+[=8]", OP(.kind = CS_EFFECT_WRITE, .arg = 3, .rest = true, .ext_const = 8)},
    {"r*1", OP(.kind = CS_EFFECT_READ, .arg = 1, .behind = true)},
    {"w*0+", OP(.kind = CS_EFFECT_WRITE, .arg = 0, .behind = true, .rest = true)},
    {"R1", OP(.kind = CS_EFFECT_READ_DEEP, .arg = 1)},
    {"W0", OP(.kind = CS_EFFECT_WRITE_DEEP, .arg = 0)},
    {"c0<1[2]", OP(.kind = CS_EFFECT_COPY, .arg = 0, .src = 1, .ext_a = 2)},
    {"C0<3", OP(.kind = CS_EFFECT_COPY_DEEP, .arg = 0, .src = 3)},
    {"C0<=1", OP(.kind = CS_EFFECT_COPY_DEEP, .arg = 0, .src = 1, .direct = true)},
    {"mix1+[=32]", OP(.kind = CS_EFFECT_MIX, .arg = 1, .rest = true, .ext_const = 32)},
    {"s1<0", OP(.kind = CS_EFFECT_STORE_PTR, .arg = 1, .src = 0)},
    {"s0<1:16:32", OP(.kind = CS_EFFECT_STORE_PTR, .arg = 0, .src = 1, .ext_const = 16, .ext_a = 32)},
    {"r*1[=32]", OP(.kind = CS_EFFECT_READ, .arg = 1, .behind = true, .ext_const = 32)},
    {"s0new", OP(.kind = CS_EFFECT_STORE_NEW, .arg = 0)},
    {"s0new[2]", OP(.kind = CS_EFFECT_STORE_NEW, .arg = 0, .ext_a = 2)},
    {"h:rand", OP(.kind = CS_EFFECT_HIDDEN, .arg = -1, .state = "rand", .hid_read = true, .hid_write = true)},
    {"hr:env", OP(.kind = CS_EFFECT_HIDDEN, .arg = -1, .state = "env", .hid_read = true)},
    {"hw:env", OP(.kind = CS_EFFECT_HIDDEN, .arg = -1, .state = "env", .hid_write = true)},
    {"hd:x", OP(.kind = CS_EFFECT_HIDDEN_DEEP, .arg = -1, .state = "x", .hid_read = true, .hid_write = true)},
    {"hdr:x", OP(.kind = CS_EFFECT_HIDDEN_DEEP, .arg = -1, .state = "x", .hid_read = true)},
    {"hs:env<1", OP(.kind = CS_EFFECT_HIDDEN_PTR, .arg = -1, .state = "env", .src = 1, .hid_write = true)},
    {"hs:pwent<self", OP(.kind = CS_EFFECT_HIDDEN_PTR, .arg = -1, .state = "pwent", .hid_write = true)},
    {"hc:opt<1", OP(.kind = CS_EFFECT_HIDDEN_COPY, .arg = -1, .state = "opt", .src = 1, .hid_write = true)},
    {"fs3", OP(.kind = CS_EFFECT_FSWRITE, .arg = 3)},
    {"unit0", OP(.kind = CS_EFFECT_UNIT, .arg = 0, .hid_read = true, .hid_write = true)},
    {"unitr0", OP(.kind = CS_EFFECT_UNIT, .arg = 0, .hid_read = true)},
    {"fsr2", OP(.kind = CS_EFFECT_FSREAD, .arg = 2)},
    {"name1", OP(.kind = CS_EFFECT_NAME, .arg = 1)},
    {"name0:64:56", OP(.kind = CS_EFFECT_NAME, .arg = 0, .ext_const = 64, .ext_a = 56)},
    {"fmt1", OP(.kind = CS_EFFECT_FORMAT, .arg = 1)},
    {"call3", OP(.kind = CS_EFFECT_CALLBACK, .arg = 3)},
    {"call3(0,0)", OP(.kind = CS_EFFECT_CALLBACK, .arg = 3, .nargs = 2, .args = {0, 0})},
    {"call0(=1,2)", OP(.kind = CS_EFFECT_CALLBACK, .arg = 0, .nargs = 2, .args = {1, 2}, .exact = {true})},
    {"call0(status,1)", OP(.kind = CS_EFFECT_CALLBACK, .arg = 0, .nargs = 2, .args = {CS_EFFECT_ARG_STATUS, 1})},
    {"call*0(*0,**2)",
     OP(.kind = CS_EFFECT_CALLBACK, .arg = 0, .loads = 1, .nargs = 2, .args = {0, 2}, .arg_loads = {1, 2})},
    {"call2(1):dtio", OP(.kind = CS_EFFECT_CALLBACK, .arg = 2, .nargs = 1, .args = {1}, .state = "dtio")},
    {"call0(1,2,3,4)", OP(.kind = CS_EFFECT_CALLBACK, .arg = 0, .nargs = 4, .args = {1, 2, 3, 4})},
    {"vcall0", OP(.kind = CS_EFFECT_CALL_DEEP, .arg = 0)},
    {"end0", OP(.kind = CS_EFFECT_END, .arg = 0)},
    {"free0", OP(.kind = CS_EFFECT_FREE, .arg = 0)},
    {"realloc0", OP(.kind = CS_EFFECT_REALLOC, .arg = 0)},
#undef OP
};
#pragma GCC diagnostic pop

static void check_same_op(const struct cs_effect_op *a, const struct cs_effect_op *b)
{
    ck_assert_int_eq(a->kind, b->kind);
    ck_assert_int_eq(a->arg, b->arg);
    ck_assert_int_eq(a->rest, b->rest);
    ck_assert_int_eq(a->behind, b->behind);
    ck_assert_int_eq(a->direct, b->direct);
    ck_assert_int_eq(a->src, b->src);
    ck_assert_int_eq(a->ext_a, b->ext_a);
    ck_assert_int_eq(a->ext_b, b->ext_b);
    ck_assert_int_eq(a->ext_const, b->ext_const);
    ck_assert_pstr_eq(a->state, b->state);
    ck_assert_int_eq(a->hid_read, b->hid_read);
    ck_assert_int_eq(a->hid_write, b->hid_write);
    ck_assert_int_eq(a->nargs, b->nargs);
    for (int i = 0; i < a->nargs; i++) {
        ck_assert_int_eq(a->args[i], b->args[i]);
        ck_assert_int_eq(a->exact[i], b->exact[i]);
        ck_assert_int_eq(a->arg_loads[i], b->arg_loads[i]);
    }
    ck_assert_int_eq(a->loads, b->loads);
}

START_TEST(test_op)
{
    char text[64];
    snprintf(text, sizeof text, "f %s", good_ops[_i].token);
    const struct cs_effect *e = row(text);
    ck_assert_int_eq(e->nops, 1);
    check_same_op(&e->ops[0], &good_ops[_i].op);
    ck_assert_int_eq(e->ret, CS_RET_VALUE);
    ck_assert_int_eq(e->noret, CS_NORET_RETURNS);
}
END_TEST

/* ---- results and what else is said once in a row ---- */

static const struct {
    const char *tokens;
    enum cs_effect_ret ret;
    int arg, a, b;
    int64_t c;
    const char *state;
} good_rets[] = {
    {"r0", CS_RET_VALUE, -1, -1, -1, -1, NULL},           {"ret=0", CS_RET_ARG, 0, -1, -1, -1, NULL},
    {"ret==2", CS_RET_ARG_EXACT, 2, -1, -1, -1, NULL},    {"ret=new", CS_RET_NEW, -1, -1, -1, -1, NULL},
    {"ret=new[0*1]", CS_RET_NEW, -1, 0, 1, -1, NULL},     {"ret=new[=16]/1", CS_RET_NEW, 1, -1, -1, 16, NULL},
    {"ret=static", CS_RET_STATIC, -1, -1, -1, -1, "f"},   {"ret=static:env", CS_RET_STATIC, -1, -1, -1, -1, "env"},
    {"ret=pack0", CS_RET_PACK, 0, -1, -1, -1, NULL},      {"ret=deep1", CS_RET_DEEP, 1, -1, -1, -1, NULL},
    {"ret=deep0[=32]", CS_RET_DEEP, 0, -1, -1, 32, NULL},
};

START_TEST(test_ret)
{
    char text[64];
    snprintf(text, sizeof text, "f %s", good_rets[_i].tokens);
    const struct cs_effect *e = row(text);
    ck_assert_int_eq(e->ret, good_rets[_i].ret);
    ck_assert_int_eq(e->ret_arg, good_rets[_i].arg);
    ck_assert_int_eq(e->ret_ext_a, good_rets[_i].a);
    ck_assert_int_eq(e->ret_ext_b, good_rets[_i].b);
    ck_assert_int_eq(e->ret_ext_const, good_rets[_i].c);
    ck_assert_pstr_eq(e->ret_state, good_rets[_i].state);
}
END_TEST

START_TEST(test_static_touches_its_state)
{
    const struct cs_effect *e = row("f ret=static");
    ck_assert_int_eq(e->nops, 1);
    ck_assert(e->ops[0].hid_read && e->ops[0].hid_write);
    ck_assert_str_eq(e->ops[0].state, "f");
    ck_assert_int_eq(row("f ret=static:f")->nops, 0);
}
END_TEST

START_TEST(test_flags)
{
    const struct cs_effect *e = row("f time rankvar ret=new zero noret=exit status=1");
    ck_assert(e->time && e->rankvar && e->zero && !e->pure && !e->var);
    ck_assert_int_eq(e->noret, CS_NORET_EXIT);
    ck_assert_int_eq(e->status_arg, 1);
    ck_assert(!e->status_deref);
    e = row("f noret=exit status=*0");
    ck_assert(e->status_deref);
    ck_assert_int_eq(e->status_arg, 0);
    e = row("f R0 unread=0:8:20");
    ck_assert_int_eq(e->unread_arg, 0);
    ck_assert_int_eq(e->unread_from, 8);
    ck_assert_int_eq(e->unread_to, 20);
    ck_assert_int_eq(row("f R0")->unread_arg, -1);
    ck_assert_int_eq(row("f noret=error")->noret, CS_NORET_ERROR);
    ck_assert_int_eq(row("f noret=jump")->noret, CS_NORET_JUMP);
    ck_assert(row("f pure")->pure);
    e = row("f var");
    ck_assert(e->var && !e->var_state);
    e = row("f var=*stdin");
    ck_assert(e->var_points);
    ck_assert_str_eq(e->var_state, "stdin");
    ck_assert(!row("f var=env")->var_points);
}
END_TEST

START_TEST(test_fills)
{
    ck_assert(!row("f ret=new[0]")->fills);
    ck_assert(!row("f ret=new[0*1] zero")->fills);
    ck_assert(!row("f ret=new hw:errno")->fills);
    ck_assert(row("f ret=new r0")->fills);
    ck_assert(row("f ret=new hr:fs hw:errno")->fills);
    ck_assert(row("f ret=new cret<1")->fills);
    ck_assert(!row("f s0new[2]")->fills);
}
END_TEST

START_TEST(test_returned_memory)
{
    const struct cs_effect *e = row("f ret=new sret<0 cret<1[2]");
    ck_assert_int_eq(e->nops, 2);
    ck_assert_int_eq(e->ops[0].kind, CS_EFFECT_STORE_PTR);
    ck_assert_int_eq(e->ops[0].arg, CS_EFFECT_ARG_RET);
    ck_assert_int_eq(e->ops[0].src, 0);
    ck_assert_int_eq(e->ops[1].kind, CS_EFFECT_COPY);
    ck_assert_int_eq(e->ops[1].ext_a, 2);
}
END_TEST

START_TEST(test_refuse_takes_the_line)
{
    const struct cs_effect *e = row("f refuse=it starts a process \t # really\n");
    ck_assert_str_eq(e->refuse, "it starts a process");
}
END_TEST

START_TEST(test_layout)
{
    const struct cs_effect *e = row("\n# comment\n  \t\n\tf \t r0\tw1  # r2\r\ng pure");
    ck_assert_int_eq(e->nops, 2);
    ck_assert_int_eq(e->line, 4);
    ck_assert_str_eq(e->file, "T");
    ck_assert_uint_eq(cs_effects_count(table), 2);
}
END_TEST

/* ---- rows with an error ---- */

static const struct {
    const char *text, *message;
} bad_rows[] = {
    {"f", "T:1: row `f` has no token (`pure` says: no effect)"},
    {"# nothing\n\nf r0\ng x0\nh r0", "T:4: token `x0`: unknown"},
    {"f r", "T:1: token `r`: unknown"},
    {"f rx", "T:1: token `rx`: unknown"},
    {"f r0x", "T:1: token `r0x`: does not end there"},
    {"f r256", "T:1: token `r256`: there is no argument of that number"},
    {"f r*", "T:1: token `r*`: a number of an argument is missing"},
    {"f R*1", "T:1: token `R*1`: a number of an argument is missing"},
    {"f *1", "T:1: token `*1`: unknown"},
    {"f r0[", "T:1: token `r0[`: a number of an argument is missing"},
    {"f r0[1", "T:1: token `r0[1`: `]` is missing"},
    {"f r0[1*]", "T:1: token `r0[1*]`: a number of an argument is missing"},
    {"f r0[=x]", "T:1: token `r0[=x]`: a number of bytes is missing behind `=`"},
    {"f r0[=-1]", "T:1: token `r0[=-1]`: a number of bytes is missing behind `=`"},
    {"f r0[=99999999999999999999]", "T:1: token `r0[=99999999999999999999]`: a number of bytes is missing behind `=`"},
    {"f c0", "T:1: token `c0`: `<` and the source are missing"},
    {"f c0<", "T:1: token `c0<`: a number of an argument is missing"},
    {"f s0old", "T:1: token `s0old`: `<` and the source are missing"},
    {"f s0<1:16", "T:1: token `s0<1:16`: wants N<M:A:B, with A below B"},
    {"f s0<1:16:16", "T:1: token `s0<1:16:16`: wants N<M:A:B, with A below B"},
    {"f sret<0", "T:1: row `f`: there is no returned memory"},
    {"f call0(1", "T:1: token `call0(1`: `)` is missing"},
    {"f call0(1,2,3,4,5)", "T:1: token `call0(1,2,3,4,5)`: more than four arguments"},
    {"f h:", "T:1: token `h:`: the state's name is missing"},
    {"f h:a-b", "T:1: token `h:a-b`: a state's name has letters, digits and `_`"},
    {"f hs:a", "T:1: token `hs:a`: `<` and the source are missing"},
    {"f hc:a<self", "T:1: token `hc:a<self`: a number of an argument is missing"},
    {"f hs:a<selfish", "T:1: token `hs:a<selfish`: a number of an argument is missing"},
    {"f hx:a", "T:1: token `hx:a`: unknown"},
    {"f R0 unread=0:8", "T:1: token `unread=0:8`: wants an argument, a first byte and the byte behind the last: N:A:B"},
    {"f R0 unread=0:8:8",
     "T:1: token `unread=0:8:8`: wants an argument, a first byte and the byte behind the last: N:A:B"},
    {"f ret=", "T:1: token `ret=`: a number of an argument is missing"},
    {"f ret=0 ret=1", "T:1: token `ret=1`: second `ret`"},
    {"f ret=newer", "T:1: token `ret=newer`: does not end there"},
    {"f noret=maybe", "T:1: token `noret=maybe`: is none of error, exit, jump"},
    {"f r0 zero", "T:1: row `f`: `zero` without `ret=new`"},
    {"f noret=error status=0", "T:1: row `f`: `status` without `noret=exit`"},
    {"f noret=exit back=0", "T:1: row `f`: `back` without `noret=error`"},
    {"f s0<*", "T:1: token `s0<*`: a number of an argument is missing"},
    {"f e0", "T:1: token `e0`: `<` and the source are missing"},
    {"f pure keep", "T:1: row `f`: `pure` contradicts another token"},
    {"f pure w0", "T:1: row `f`: `pure` contradicts another token"},
    {"f var r0", "T:1: row `f`: a variable has no effects"},
    {"f refuse=", "T:1: row `f`: `refuse=` without a reason"},
    {"f r0 live= ", "T:1: row `f`: `live=` without a reason"},
    {"f*g r0", "T:1: name `f*g`: `*` may only end it"},
    {"* r0", "T:1: name `*` would match everything"},
    {"f,,g r0", "T:1: a name is missing beside a comma"},
    {"f, r0", "T:1: a name is missing beside a comma"},
};

START_TEST(test_bad_row)
{
    ck_assert_int_eq(cs_effects_add_text(table, bad_rows[_i].text, "T", err, sizeof err), -1);
    ck_assert_str_eq(err, bad_rows[_i].message);
}
END_TEST

START_TEST(test_rows_before_an_error_stay)
{
    ck_assert_int_eq(cs_effects_add_text(table, "f r0\ng oops\n", "T", err, sizeof err), -1);
    ck_assert_ptr_nonnull(cs_effects_find(table, "f"));
    ck_assert_ptr_null(cs_effects_find(table, "g"));
}
END_TEST

START_TEST(test_short_error_buffer)
{
    char small[6];
    ck_assert_int_eq(cs_effects_add_text(table, "f oops", "T", small, sizeof small), -1);
    ck_assert_str_eq(small, "T:1: ");
    ck_assert_int_eq(cs_effects_add_text(table, "f oops", "T", NULL, 0), -1);
}
END_TEST

/* ---- lookup ---- */

START_TEST(test_lookup)
{
    row("f r0\nab* r1\nabc* r2\nabcd r3\n");
    static const struct {
        const char *symbol;
        int arg;
    } cases[] = {
        {"f", 0},     {"ab", 1},          {"abx", 1},
        {"abc", 2},   {"abcx", 2},        {"abcd", 3},
        {"abcde", 2}, {"__builtin_f", 0}, {"__builtin_abcx", 2},
        {"a", -1},    {"", -1},           {"ff", -1},
        {"xab", -1},  {"__builtin_", -1}, {"__builtin_g", -1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct cs_effect *e = cs_effects_find(table, cases[i].symbol);
        ck_assert_msg((e ? e->ops[0].arg : -1) == cases[i].arg, "symbol `%s`", cases[i].symbol);
    }
}
END_TEST

START_TEST(test_several_names)
{
    row("f,g,h* ret=static\n");
    ck_assert_uint_eq(cs_effects_count(table), 3);
    ck_assert_str_eq(cs_effects_find(table, "g")->ret_state, "g");
    ck_assert_str_eq(cs_effects_find(table, "h1")->ret_state, "h");
}
END_TEST

START_TEST(test_later_row_wins)
{
    row("f r0 w1\ng pure\n");
    const struct cs_effect *e = row("# the user's\nf pure\n");
    ck_assert(e->pure);
    ck_assert_int_eq(e->nops, 0);
    ck_assert_int_eq(e->line, 2);
    ck_assert_uint_eq(cs_effects_count(table), 2);
    ck_assert_str_eq(cs_effects_find(table, "g")->name, "g");
}
END_TEST

START_TEST(test_next_visits_all)
{
    row("f r0\ng r0\nh* r0\n");
    size_t n = 0;
    for (const struct cs_effect *e = cs_effects_next(table, NULL); e; e = cs_effects_next(table, e))
        n++;
    ck_assert_uint_eq(n, 3);
}
END_TEST

/* ---- files ---- */

START_TEST(test_missing_file)
{
    ck_assert_ptr_null(cs_effects_load("/nonexistent/x.tab", err, sizeof err));
    ck_assert_str_eq(err, "/nonexistent/x.tab: No such file or directory");
    ck_assert_int_eq(cs_effects_add(table, "/", err, sizeof err), -1);
    ck_assert_str_eq(err, "/:0: Is a directory");
}
END_TEST

/* Writes bytes to a new file and returns its name. */
static const char *write_file(const void *bytes, size_t len)
{
    static char name[64];
    snprintf(name, sizeof name, "test_effects.%d.tab", (int)getpid());
    FILE *f = fopen(name, "w");
    ck_assert_ptr_nonnull(f);
    ck_assert_uint_eq(fwrite(bytes, 1, len, f), len);
    ck_assert_int_eq(fclose(f), 0);
    return name;
}

START_TEST(test_file)
{
    const char *name = write_file("f r0\nf w1", 9);
    struct cs_effects *t = cs_effects_load(name, err, sizeof err);
    ck_assert_msg(t != NULL, "%s", err);
    ck_assert_int_eq(cs_effects_find(t, "f")->ops[0].kind, CS_EFFECT_WRITE);
    ck_assert_str_eq(cs_effects_find(t, "f")->file, name);
    cs_effects_free(t);
    unlink(name);
}
END_TEST

START_TEST(test_binary_file)
{
    const char *name = write_file("f r0\ng \0r0\n", 11);
    ck_assert_int_eq(cs_effects_add(table, name, err, sizeof err), -1);
    ck_assert_ptr_nonnull(strstr(err, ":2: null byte, not a text"));
    unlink(name);
}
END_TEST

/* ---- the table that is built in ---- */

static const char *built_in(void)
{
    static char path[4096];
    const char *given = getenv("CS_EFFECTS_TAB"), *src = getenv("CS_SRCDIR");
    if (!src)
        src = getenv("srcdir");
    if (given)
        return given;
    static const char *const places[] = {"slicer/model/effects.tab", "../slicer/model/effects.tab",
                                         "../../slicer/model/effects.tab"};
    for (size_t i = 0; i < 3; i++) {
        snprintf(path, sizeof path, "%s/%s", src ? src : ".", places[i]);
        if (access(path, R_OK) == 0)
            return path;
    }
    ck_abort_msg("slicer/model/effects.tab not found from %s", src ? src : ".");
    return NULL;
}

static void load_built_in(void)
{
    set_up();
    ck_assert_msg(cs_effects_add(table, built_in(), err, sizeof err) == 0, "%s", err);
}

/* Each row by itself, so that one bad row does not hide the next; and no name twice. */
START_TEST(test_each_row_parses)
{
    FILE *f = fopen(built_in(), "r");
    ck_assert_ptr_nonnull(f);
    char *line = NULL;
    size_t size = 0, names = 0, bad = 0;
    for (int n = 1; getline(&line, &size, f) > 0; n++) {
        struct cs_effects *one = cs_effects_new();
        ck_assert_ptr_nonnull(one);
        if (cs_effects_add_text(one, line, "row", err, sizeof err) < 0) {
            fprintf(stderr, "effects.tab:%d: %s", n, err);
            bad++;
        }
        names += cs_effects_count(one);
        cs_effects_free(one);
    }
    free(line);
    fclose(f);
    ck_assert_uint_eq(bad, 0);
    ck_assert_uint_eq(names, cs_effects_count(table));
    ck_assert_uint_gt(names, 3000);
}
END_TEST

/* Does the row of the symbol have an operation of this kind on this argument? */
static bool has(const char *symbol, enum cs_effect_kind kind, int arg)
{
    const struct cs_effect *e = cs_effects_find(table, symbol);
    ck_assert_msg(e != NULL, "no row for %s", symbol);
    for (int i = 0; i < e->nops; i++) {
        const struct cs_effect_op *op = &e->ops[i];
        if (op->kind == kind && (op->arg == arg || (op->rest && op->arg <= arg)))
            return true;
    }
    return false;
}

/* What must never get lost: writes, stored pointers, callbacks. */
static const struct {
    const char *symbol;
    enum cs_effect_kind kind;
    int arg;
} must[] = {
    {"memcpy", CS_EFFECT_COPY, 0},
    {"__memmove_chk", CS_EFFECT_COPY, 0},
    {"memset", CS_EFFECT_WRITE, 0},
    {"strtol", CS_EFFECT_STORE_PTR, 1},
    {"__isoc99_sscanf", CS_EFFECT_WRITE, 2},
    {"__isoc99_fscanf", CS_EFFECT_WRITE, 7},
    {"fgets", CS_EFFECT_WRITE, 0},
    {"__snprintf_chk", CS_EFFECT_WRITE, 0},
    {"printf", CS_EFFECT_FORMAT, 0},
    {"fread", CS_EFFECT_WRITE, 0},
    {"qsort", CS_EFFECT_CALLBACK, 3},
    {"bsearch", CS_EFFECT_CALLBACK, 4},
    {"_obstack_begin", CS_EFFECT_CALLBACK, 3},
    {"argz_create_sep", CS_EFFECT_WRITE, 3},
    {"argz_extract", CS_EFFECT_WRITE, 2},
    {"sincos", CS_EFFECT_WRITE, 1},
    {"sincosf", CS_EFFECT_WRITE, 2},
    {"frexp", CS_EFFECT_WRITE, 1},
    {"modfl", CS_EFFECT_WRITE, 1},
    {"remquo", CS_EFFECT_WRITE, 2},
    {"lgamma_r", CS_EFFECT_WRITE, 1},
    {"posix_memalign", CS_EFFECT_STORE_NEW, 0},
    {"getline", CS_EFFECT_STORE_NEW, 0},
    {"free", CS_EFFECT_FREE, 0},
    {"gettimeofday", CS_EFFECT_WRITE, 0},
    {"clock_gettime", CS_EFFECT_WRITE, 1},
    {"getopt_long", CS_EFFECT_WRITE_DEEP, 3},
    {"_gfortran_transfer_integer", CS_EFFECT_WRITE, 1},
    {"_gfortran_transfer_integer", CS_EFFECT_UNIT, 0},
    {"_gfortran_transfer_integer_write", CS_EFFECT_READ, 1},
    {"_gfortran_transfer_array", CS_EFFECT_WRITE, 1},
    {"_gfortran_st_set_nml_var", CS_EFFECT_STORE_PTR, 0},
    {"_gfortran_st_read_done", CS_EFFECT_WRITE_DEEP, 0},
    {"_gfortran_st_read_done", CS_EFFECT_END, 0},
    {"_gfortran_matmul_r8", CS_EFFECT_WRITE_DEEP, 0},
    {"_gfortran_matmul_c16", CS_EFFECT_READ_DEEP, 2},
    {"_gfortran_reshape_r8", CS_EFFECT_COPY_DEEP, 0},
    {"_gfortran_internal_unpack", CS_EFFECT_COPY_DEEP, 0},
    {"_gfortran_string_trim", CS_EFFECT_STORE_NEW, 1},
    {"_gfortran_concat_string", CS_EFFECT_WRITE, 1},
    {"_gfortran_maxloc0_4_r8", CS_EFFECT_WRITE_DEEP, 0},
    {"_gfortran_mmaxloc1_8_i4", CS_EFFECT_READ_DEEP, 3},
    {"_gfortran_random_r8", CS_EFFECT_WRITE, 0},
    {"_gfortran_system_clock_4", CS_EFFECT_WRITE, 2},
    {"_gfortran_date_and_time", CS_EFFECT_WRITE, 3},
    {"_gfortran_get_command_argument_i4", CS_EFFECT_WRITE, 2},
    {"_gfortran_mvbits_i4", CS_EFFECT_WRITE, 3},
    {"_ZNSolsEi", CS_EFFECT_WRITE_DEEP, 0},
    {"_ZNSirsERi", CS_EFFECT_WRITE, 1},
    {"__cxa_throw", CS_EFFECT_HIDDEN_PTR, -1},
    {"_ZNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE9_M_appendEPKcm", CS_EFFECT_WRITE, 0},
    {"qsort", CS_EFFECT_ELEMENTS, 0},
    {"lsearch", CS_EFFECT_ELEMENTS, 1},
    {"getopt", CS_EFFECT_ELEMENTS, 1},
    {"strsep", CS_EFFECT_STORE_PTR, 0},
    {"mbsrtowcs", CS_EFFECT_STORE_PTR, 1},
    {"iconv", CS_EFFECT_STORE_PTR, 3},
    {"getsubopt", CS_EFFECT_STORE_PTR, 2},
    {"getmntent_r", CS_EFFECT_MIX, 1},
    {"getmntent", CS_EFFECT_HIDDEN_PTR, -1},
    {"getpwent_r", CS_EFFECT_STORE_PTR, 3},
    {"gethostbyname_r", CS_EFFECT_MIX, 1},
    {"gethostbyname_r", CS_EFFECT_STORE_PTR, 4},
    {"getpwnam_r", CS_EFFECT_MIX, 1},
    {"getaddrinfo", CS_EFFECT_MIX, 3},
    {"getifaddrs", CS_EFFECT_MIX, 0},
    {"pthread_attr_getstack", CS_EFFECT_STORE_PTR, 1},
    {"fcvt", CS_EFFECT_WRITE, 3},
    {"qecvt_r", CS_EFFECT_WRITE, 4},
    {"_ZNKSt7collateIcE12_M_transformEPcPKcm", CS_EFFECT_WRITE, 1},
    {"mbrtowc", CS_EFFECT_WRITE, 3},
    {"nanosleep", CS_EFFECT_READ, 0},
    {"sched_getparam", CS_EFFECT_WRITE, 1},
    {"prctl", CS_EFFECT_READ_DEEP, 1},
    {"glob", CS_EFFECT_MIX, 3},
    {"wordexp", CS_EFFECT_MIX, 1},
    {"vsscanf", CS_EFFECT_FORMAT, 1},
    {"GOMP_parallel", CS_EFFECT_CALLBACK, 0},
    {"GOMP_loop_dynamic_start", CS_EFFECT_WRITE, 5},
};

START_TEST(test_must)
{
    ck_assert_msg(has(must[_i].symbol, must[_i].kind, must[_i].arg), "%s, argument %d", must[_i].symbol, must[_i].arg);
}
END_TEST

START_TEST(test_how_built_in_rows_end)
{
    static const struct {
        const char *symbol;
        enum cs_effect_noret noret;
    } cases[] = {
        {"exit", CS_NORET_EXIT},
        {"abort", CS_NORET_ERROR},
        {"__assert_fail", CS_NORET_ERROR},
        {"longjmp", CS_NORET_JUMP},
        {"_gfortran_stop_string", CS_NORET_EXIT},
        {"_gfortran_error_stop_numeric", CS_NORET_ERROR},
        {"_gfortran_runtime_error_at", CS_NORET_ERROR},
        {"__cxa_throw", CS_NORET_JUMP},
        {"raise", CS_NORET_RETURNS},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        ck_assert_msg(cs_effects_find(table, cases[i].symbol)->noret == cases[i].noret, "%s", cases[i].symbol);
    ck_assert_ptr_nonnull(cs_effects_find(table, "fork")->refuse);
    ck_assert_ptr_nonnull(cs_effects_find(table, "pthread_create")->refuse);
    ck_assert(cs_effects_find(table, "_gfortran_cpu_time_8")->time);
    ck_assert(cs_effects_find(table, "fabs")->pure);
    ck_assert_ptr_null(cs_effects_find(table, "no_such_function"));
    ck_assert_ptr_null(cs_effects_find(table, "sinful"));
}
END_TEST

#define COUNT(a) (int)(sizeof(a) / sizeof *(a))

static Suite *effects_suite(void)
{
    Suite *s = suite_create("effects");
    TCase *rows = tcase_create("rows");
    tcase_add_checked_fixture(rows, set_up, tear_down);
    tcase_add_loop_test(rows, test_op, 0, COUNT(good_ops));
    tcase_add_loop_test(rows, test_ret, 0, COUNT(good_rets));
    tcase_add_loop_test(rows, test_bad_row, 0, COUNT(bad_rows));
    tcase_add_test(rows, test_static_touches_its_state);
    tcase_add_test(rows, test_flags);
    tcase_add_test(rows, test_fills);
    tcase_add_test(rows, test_returned_memory);
    tcase_add_test(rows, test_refuse_takes_the_line);
    tcase_add_test(rows, test_layout);
    tcase_add_test(rows, test_rows_before_an_error_stay);
    tcase_add_test(rows, test_short_error_buffer);
    tcase_add_test(rows, test_lookup);
    tcase_add_test(rows, test_several_names);
    tcase_add_test(rows, test_later_row_wins);
    tcase_add_test(rows, test_next_visits_all);
    tcase_add_test(rows, test_missing_file);
    tcase_add_test(rows, test_file);
    tcase_add_test(rows, test_binary_file);
    suite_add_tcase(s, rows);
    TCase *tab = tcase_create("built-in table");
    tcase_add_checked_fixture(tab, load_built_in, tear_down);
    tcase_add_test(tab, test_each_row_parses);
    tcase_add_loop_test(tab, test_must, 0, COUNT(must));
    tcase_add_test(tab, test_how_built_in_rows_end);
    suite_add_tcase(s, tab);
    return s;
}

int main(void)
{
    return suite_main(effects_suite());
}
