/* SPDX-License-Identifier: GPL-3.0-or-later
 * Unit tests of slicer/text/graph_read.c and graph_write.c: what is read is what was written, errors name their line,
 * no input breaks the reader. The round trip runs over all of tests/graphs too; the fuzz part mutates those texts. */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "slicer/graph/storage.h"
#include "slicer/text/stored.h"
#include "slicer_kit.h"
#include "suite.h"

/* Every kind of statement, operand and attribute. */
static const char everything[] = "global count 4 zeroed\n"
                                 "global grid * external exported\n"
                                 "global tab 16 readonly\n"
                                 "  init @tab 8 = @work\n"
                                 "  init @tab+8 8 = @grid+8%24[0:240]\n"
                                 "global n 4 common = 17\n"
                                 "global \"odd name\" 8 'x\\x01y'\n"
                                 "func MPI_Send\n"
                                 "func main(argc, argv) entry fortran at \"dir/main.f\":3 {\n"
                                 "  local s 24\n"
                                 "  local d 24 zeroed\n"
                                 "  undef u\n"
                                 "  start:\n"
                                 "    a = load @count 4 at 4 'a = count'\n"
                                 "    f = peek @grid+0%8 8 with a\n"
                                 "    b = add a, 1\n"
                                 "    b1 = sub a, -9223372036854775808\n"
                                 "    c = lt a, b\n"
                                 "    p = ptradd argv, a * 8\n"
                                 "    p2 = ptradd argv, 8\n"
                                 "    q = field (@grid+8)+16%24[0:48], a\n"
                                 "    r = select c, p, p2\n"
                                 "    x = copy a, b\n"
                                 "    m = mix a, u\n"
                                 "    o = other\n"
                                 "    _ = copy o, u\n"
                                 "    store p+8 4 = 0x44000000 with a, b\n"
                                 "    store p[0:8] * = ?\n"
                                 "    copy @s 24 = q+* * with a source none\n"
                                 "    t = call work(a, {@s 24}, @s+8, ?, p{@d 8}{@s 4}) index a, b at inc.h:7\n"
                                 "    store @d 24 = call MPI_Send(@count)\n"
                                 "    call *p(1)\n"
                                 "    call *(@tab)()\n"
                                 "    z = asm(a, b) load @count 4 store @n 4 'asm'\n"
                                 "    if a <= b then loop else never exit\n"
                                 "  loop:\n"
                                 "    i = phi start: 0, loop: j, \"b 2\": 3\n"
                                 "    j = add i, 1\n"
                                 "    if mix a, b\n"
                                 "    goto loop, eh \"b 2\"\n"
                                 "  \"b 2\":\n"
                                 "    switch i goto loop, never last, exit at 9\n"
                                 "  last: return load @s 24 with a; \n"
                                 "  dead:\n"
                                 "    stop\n"
                                 "}\n"
                                 "func work(v, {@arg}, _, w{@warg}) exported keep_all result @res {\n"
                                 "  local arg 24; local warg 8; local res 24\n"
                                 "  entry @warg 8 = w\n"
                                 "  return v source 0\n"
                                 "}\n"
                                 "func work.2() clone work 'work' { return }\n";

static void check_stable(struct cs_graph *g, const char *what)
{
    char *one = kit_text(g);
    struct cs_graph *h = kit_graph(one);
    char *two = kit_text(h);
    ck_assert_msg(!strcmp(one, two), "%s: written %s\nread and written %s", what, one, two);
    ck_assert_int_eq(g->nstmts, h->nstmts);
    ck_assert_int_eq(g->nvalues, h->nvalues);
    ck_assert_int_eq(g->nobjs, h->nobjs);
    ck_assert_int_eq(g->nfuncs, h->nfuncs);
    free(one);
    free(two);
    cs_graph_free(h);
    cs_graph_free(g);
}

START_TEST(round_trip)
{
    check_stable(kit_graph(everything), "everything");
}
END_TEST

START_TEST(round_trip_files)
{
    char dir[1024];
    int n = 0;
    snprintf(dir, sizeof dir, "%s/tests/graphs", kit_srcdir());
    DIR *d = opendir(dir);
    ck_assert_msg(d != NULL, "cannot open %s", dir);
    for (struct dirent *e; (e = readdir(d));) {
        size_t len = strlen(e->d_name);
        if (len < 6 || strcmp(e->d_name + len - 6, ".graph"))
            continue;
        check_stable(kit_graph_file(e->d_name), e->d_name);
        n++;
    }
    closedir(d);
    ck_assert_int_ge(n, 10);
}
END_TEST

START_TEST(fields)
{
    struct cs_graph *g = kit_graph(everything);
    const struct cs_func *m = &g->funcs[kit_func(g, "main")], *w = &g->funcs[kit_func(g, "work")];
    ck_assert(m->is_entry && m->fortran && m->defined && !m->exported && !m->keep_all);
    ck_assert_str_eq(cs_graph_str(g, m->file), "dir/main.f");
    ck_assert_int_eq(m->line, 3);
    ck_assert_int_eq(m->nparams, 2);
    ck_assert_int_eq(m->nblocks, 5);
    ck_assert(w->exported && w->keep_all);
    ck_assert_int_eq(w->nparams, 4);
    ck_assert_int_eq(w->params[1], -1);
    ck_assert_int_eq(w->param_objs[1], kit_obj(g, "arg"));
    ck_assert_int_eq(w->params[2], -1);
    ck_assert_int_eq(w->param_objs[2], -1);
    ck_assert_int_ge(w->params[3], 0);
    ck_assert_int_eq(w->param_objs[3], kit_obj(g, "warg"));
    ck_assert_int_eq(w->result_obj, kit_obj(g, "res"));
    ck_assert(!g->funcs[kit_func(g, "MPI_Send")].defined);
    ck_assert_int_eq(g->funcs[g->nfuncs - 1].source, kit_func(g, "work"));
    ck_assert_str_eq(cs_func_name(g, g->nfuncs - 1), "work");

    const struct cs_obj *tab = &g->objs[kit_obj(g, "tab")], *grid = &g->objs[kit_obj(g, "grid")];
    ck_assert(tab->readonly && !tab->external && grid->external && grid->exported);
    ck_assert(grid->size == CS_SIZE_UNKNOWN && tab->size == 16);
    ck_assert_int_eq(tab->ninits, 2);
    ck_assert_int_eq(tab->inits[0].val.id, w->obj);
    ck_assert(tab->inits[1].off == 8 && tab->inits[1].val.pat.stride == 24 && tab->inits[1].val.pat.hi == 240);
    ck_assert(g->objs[kit_obj(g, "count")].zeroed && g->objs[kit_obj(g, "n")].common);
    ck_assert(g->objs[kit_obj(g, "n")].inits[0].val.pat.off == 17 && g->objs[kit_obj(g, "n")].inits[0].size == 4);
    ck_assert_int_ge(kit_obj(g, "x\x01y"), 0);

    const struct cs_stmt *a = &g->stmts[kit_stmt(g, "a = count")];
    ck_assert(a->kind == CS_STMT_LOAD && a->has_load && a->load.size == 4 && a->line == 4 && a->op == CS_OP_COPY);
    ck_assert_int_eq(g->values[a->def].def, (int)(a - g->stmts));
    const struct cs_stmt *q = a + 7;
    ck_assert(q->kind == CS_STMT_ASSIGN && q->op == CS_OP_FIELD && q->uses[0].pat.off == 8 && q->load.pat.off == 16 &&
              q->load.pat.hi == 48);
    const struct cs_stmt *sub = a + 3;
    ck_assert(sub->op == CS_OP_SUB && sub->uses[1].pat.off == INT64_MIN);
    const struct cs_stmt *z = &g->stmts[kit_stmt(g, "asm")];
    ck_assert(z->kind == CS_STMT_ASM && z->has_load && z->has_store && z->nuses == 2);
    const struct cs_stmt *t = z - 4;
    ck_assert(t->kind == CS_STMT_CALL && t->nuses == 5 && t->narg_loads == 3 && t->nidx == 2 && t->line == 7);
    ck_assert_str_eq(cs_graph_str(g, t->file), "inc.h");
    ck_assert(t->uses[1].kind == CS_OPND_NONE && t->uses[3].kind == CS_OPND_NONE && t->uses[4].kind == CS_OPND_VALUE);
    ck_assert_int_eq((t - 1)->source, -1);
    const struct cs_block *b = &m->blocks[0];
    ck_assert(b->nsuccs == 2 && b->succs[0] == 1 && b->succs[1] == CS_BLOCK_EXIT && !b->never[0] && b->never[1]);
    b = &m->blocks[1];
    ck_assert(b->nsuccs == 2 && b->succs[1] == 2 && b->eh[1] && !b->eh[0]);
    ck_assert_int_eq(m->blocks[2].nsuccs, 3);
    ck_assert_int_eq(m->blocks[3].succs[0], CS_BLOCK_EXIT);
    ck_assert_int_eq(m->blocks[4].nsuccs, 0);
    cs_graph_free(g);
}
END_TEST

/* A dump after the analyses leaves out what they made, and shows what they decided. */
START_TEST(natures)
{
    struct cs_graph *g = kit_graph(
        "global a 8\nfunc main() entry { x = load @a 4 like 'm x' anywhere bits -32; store @a 4 = x partial; y = and "
        "x, 1 }\n");
    const struct cs_block *b = &g->funcs[kit_func(g, "main")].blocks[0];
    const struct cs_stmt *load = &g->stmts[b->stmts[0]], *store = &g->stmts[b->stmts[1]];
    ck_assert_str_eq(cs_graph_str(g, load->shape), "m x");
    ck_assert(load->anywhere && !load->partial && load->bits == -32);
    ck_assert(store->partial && !store->anywhere && store->bits == 0 && store->shape < 0);
    ck_assert_int_eq(g->stmts[b->stmts[2]].op, CS_OP_AND);
    check_stable(g, "natures");
}
END_TEST

START_TEST(after_slicing)
{
    struct cs_graph *g = kit_graph(
        "func main() entry { p = call malloc(8); store p 4 = 3; n = load p 4; call MPI_Send(p, n, 0x4c000405, 1, 7, "
        "0x44000000) }\n");
    char *before = kit_text(g);
    struct cs_effects *fx = kit_effects(NULL);
    struct cs_slice_options opt = {0};
    struct cs_slice_result res;
    ck_assert_int_eq(cs_slice(g, fx, &opt, &res), 0);
    char *after = kit_text(g);
    ck_assert_ptr_nonnull(strstr(after, "  # kept: root"));
    char *to = after;
    for (char *from = after; *from;) {
        if (!strncmp(from, "  # kept", 8))
            while (*from != '\n')
                from++;
        *to++ = *from++;
    }
    *to = 0;
    ck_assert_str_eq(before, after);
    free(before);
    free(after);
    cs_slice_result_free(&res);
    cs_effects_free(fx);
    cs_graph_free(g);
}
END_TEST

/* ---- errors ---- */

static const struct {
    const char *text, *error;
} bad[] = {
    {"func f() { return x }", "g:1: value x is used, but never defined"},
    {"func f() {\n a = 1\n a = 2\n}", "g:3: value a is defined twice"},
    {"func f(a, a)", "g:1: two parameters of one name"},
    {"func f()\nfunc f()", "g:2: f is declared twice"},
    {"global f 4; func f()", "g:1: f is declared twice"},
    {"func f() {\n goto b1\n}", "g:2: no block is named b1"},
    {"func f() { x = load @y 4 }", "g:1: no object is named y"},
    {"func f() { local y 4 }\nfunc h() { x = load @y 4 }", "g:2: no object is named y"},
    {"func f() {", "g:1: function without '}'"},
    {"}", "g:1: 'global', 'init' or 'func' expected"},
    {"func f() { return } }", "g:1: '}' without '{'"},
    {"global", "g:1: name of an object expected"},
    {"global x", "g:1: size expected"},
    {"global x -4", "g:1: negative size"},
    {"global x 4 red", "g:1: unknown attribute of an object"},
    {"func f() red", "g:1: unknown attribute of a function"},
    {"global x 0x8000000000000000", "g:1: number too large"},
    {"global x 99999999999999999999", "g:1: number too large"},
    {"global x 0x1000000000000001", "g:1: size too large"},
    {"global x 4x", "g:1: malformed number"},
    {"global x 0x", "g:1: malformed number"},
    {"global \"x", "g:1: string without end"},
    {"global '\\q' 4", "g:1: unknown escape in a string"},
    {"global '\\x0' 4", "g:1: malformed \\x in a string"},
    {"\nglobal $ 4 ^", "g:2: unexpected character '^'"},
    {"\xff", "g:1: unexpected byte 0xff"},
    {"global x 4\ninit @x 4 = v", "g:2: a value outside a function"},
    {"func f() { x = lt 1 }", "g:1: lt needs 2 operands"},
    {"func f() { x = select 1, 2 }", "g:1: select needs 3 operands"},
    {"func f() { x = ptradd @f, 1 * 4 }", "g:1: a constant is in bytes: no stride"},
    {"func f() { x = ptradd }", "g:1: ptradd needs 1 operands"},
    {"func f() { store @f 4 }", "g:1: '=' expected"},
    {"func f() { store @f+1%0 4 = 1 }", "g:1: stride must be positive"},
    {"func f() { store @f[4:0] 4 = 1 }", "g:1: lower bound above the upper one"},
    {"func f() { x = store @f 4 = 1 }", "g:1: a store has no result"},
    {"func f() { frob }", "g:1: statement expected"},
    {"func f() { if 1 then a else b }", "g:1: comparison expected"},
    {"func f() { if 1 < 2 then exit }", "g:1: 'else' expected"},
    {"func f() { stop; x = 1 }", "g:1: statement after the end of the block"},
    {"func f() { exit: return }", "g:1: 'exit' is the name of the exit"},
    {"func f() { a: return; a: return }", "g:1: a is declared twice"},
    {"func f() { a: stop; b: x = phi a: 1; return }", "g:1: a phi of block b names a, which does not lead there"},
    {"func f() { x = phi c: 1 }", "g:1: no block is named c"},
    {"func f() { call f }", "g:1: '(' expected"},
    {"func f() { call f(1 }", "g:1: ')' expected"},
    {"global d 4; func f() { call d() }", "g:1: d is no function"},
    {"func f() clone h", "g:1: no function is named h"},
    {"func f() result @r", "g:1: no object is named r"},
    {"func f() { x = 1 source 7 }", "g:1: source 7: there are only 1 statements"},
    {"func f() { x = 1 at 9999999999 }", "g:1: line out of range"},
    {"func f() { x = 9223372036854775808 }", "g:1: number too large"},
};

START_TEST(errors)
{
    char err[256] = "";
    FILE *f = fmemopen((void *)bad[_i].text, strlen(bad[_i].text), "r");
    struct cs_graph *g = cs_graph_read(f, "g", err, sizeof err);
    fclose(f);
    ck_assert_msg(g == NULL, "%s: no error", bad[_i].text);
    ck_assert_msg(!strcmp(err, bad[_i].error), "%s\nsays    %s\nnot     %s", bad[_i].text, err, bad[_i].error);
}
END_TEST

START_TEST(small_error_buffer)
{
    char err[8];
    FILE *f = fmemopen((void *)"func f() { frob }", 17, "r");
    ck_assert_ptr_null(cs_graph_read(f, "a long name", err, sizeof err));
    fclose(f);
    ck_assert_str_eq(err, "a long ");
}
END_TEST

/* ---- fuzz ---- */

/* Reads whatever it is; a graph that is read must be stable and must go through every analysis. */
static void feed(const char *text, size_t len, struct cs_effects *fx)
{
    char err[256] = "";
    if (!len)
        return;
    FILE *f = fmemopen((void *)text, len, "r");
    struct cs_graph *g = cs_graph_read(f, "g", err, sizeof err);
    fclose(f);
    if (!g) {
        ck_assert_msg(!strncmp(err, "g:", 2) && strchr(err + 2, ':'), "error without a place: %s", err);
        return;
    }
    char *one = kit_text(g);
    struct cs_graph *h = kit_graph(one);
    char *two = kit_text(h);
    ck_assert_msg(!strcmp(one, two), "from %.*s\n%s\n%s", (int)len, text, one, two);
    struct cs_slice_options opt = {0};
    struct cs_slice_result res;
    cs_slice(h, fx, &opt, &res);
    cs_slice_result_free(&res);
    free(one);
    free(two);
    cs_graph_free(g);
    cs_graph_free(h);
}

static const char *const words[] = {"0",
                                    "-1",
                                    "@count",
                                    "@tab",
                                    "a",
                                    "phi",
                                    "load ",
                                    "store ",
                                    "call ",
                                    "{",
                                    "}",
                                    "(",
                                    ")",
                                    "\n",
                                    ";",
                                    "never ",
                                    "+*",
                                    "%8",
                                    "[0:8]",
                                    " *",
                                    " = ",
                                    "goto ",
                                    "exit",
                                    "0x7fffffffffffffff",
                                    "'x'",
                                    "loop",
                                    "b1:",
                                    "local q 4\n",
                                    "func q() {\n",
                                    "?"};

static size_t mutate(struct kit_rng *r, char *t, size_t n, size_t cap)
{
    size_t at = kit_random(r, n), len;
    const char *w;
    switch (kit_random(r, 4)) {
    case 0: t[at] = (char)kit_random(r, 256); return n;
    case 1: /* cut something out */
        len = kit_random(r, 20);
        if (at + len >= n)
            return n;
        memmove(t + at, t + at + len, n - at - len);
        return n - len;
    case 2: /* put a word in */
        w = words[kit_random(r, sizeof words / sizeof *words)];
        len = strlen(w);
        if (n + len > cap)
            return n;
        memmove(t + at + len, t + at, n - at);
        memcpy(t + at, w, len);
        return n + len;
    default: /* copy a piece elsewhere */
        len = 1 + kit_random(r, 30);
        size_t from = kit_random(r, n);
        if (from + len > n || at + len > n)
            return n;
        memmove(t + at, t + from, len);
        return n;
    }
}

START_TEST(fuzz)
{
    struct kit_rng r = {_i};
    struct cs_effects *fx = kit_effects(NULL);
    char text[2 * sizeof everything];
    for (int round = 0; round < 400; round++) {
        size_t n = sizeof everything - 1;
        memcpy(text, everything, n);
        for (int k = 1 + kit_random(&r, 6); k; k--)
            n = mutate(&r, text, n, sizeof text);
        feed(text, n, fx);
    }
    cs_effects_free(fx);
}
END_TEST

/* What a link learnt comes back from what it stored, and facts about what the graph has not are refused. */
START_TEST(learnt)
{
    static const char program[] = "func main() entry {\n"
                                  "  start:\n"
                                  "    a = add 1, 2\n"
                                  "    call main()\n"
                                  "    if a < 4 then end else end\n"
                                  "  end: return\n"
                                  "}\n";
    struct cs_learnt_fact facts[] = {{-1, 0, -3}, {0, 0, 1}};
    struct cs_learnt_lost lost[] = {{.obj = 0, .stmt = -1},
                                    {.obj = -1, .stmt = 2, .nth = 1, .ncalls = 2, .call = {1, 1}}};
    for (int wrong = 0; wrong < 6; wrong++) {
        struct cs_stored_program p = {.learnt = {facts, 2, 2, lost, 2, 2, 5000000000}}, q;
        char *text, err[200] = "";
        size_t size;
        facts[1].at = wrong == 1 ? 99 : 0;
        lost[0].obj = wrong == 2 ? 99 : 0;
        lost[1].stmt = wrong == 3 ? 99 : 2;
        lost[1].call[0] = wrong == 4 ? 99 : 1;
        lost[1].call[1] = wrong == 5 ? 0 : 1; /* no call */
        FILE *out = open_memstream(&text, &size);
        cs_stored_write(&p, program, out);
        fclose(out);
        ck_assert_msg(cs_stored_read(text, size, &q, err, sizeof err) == (wrong ? -1 : 0), "%s", err);
        ck_assert(q.learnt.n == 2 && q.learnt.nlost == 2 && q.learnt.instances == 5000000000);
        ck_assert(!memcmp(q.learnt.fact, facts, sizeof facts));
        ck_assert(!memcmp(q.learnt.lost, lost, sizeof lost));
        ck_assert(!wrong || strstr(err, "no place"));
        cs_stored_free(&q);
        free(text);
    }
}
END_TEST

/* What is learnt of a value of a graph comes back as said of the same value of the graph that is read: values that were
 * made in another order than the text has them. */
START_TEST(learnt_of)
{
    static const char program[] = "func main() entry {\n  start:\n    a = add 1, 2\n    b = add a, 7\n    return\n}\n";
    char *text, *stored, err[200] = "";
    size_t size, stored_size;
    FILE *in = fmemopen((void *)program, sizeof program - 1, "r"), *out;
    struct cs_graph *g = cs_graph_read(in, "program", err, sizeof err);
    fclose(in);
    ck_assert_msg(g != NULL, "%s", err);
    int last = cs_graph_add_obj(g, CS_OBJ_GLOBAL, "last", 8);     /* a global, which the text has in front */
    int late = cs_graph_add_value(g, 0), early = g->stmts[0].def; /* a gets the last number */
    g->stmts[0].def = g->stmts[1].uses[0].id = late;
    g->values[late].def = 0;
    struct cs_learnt l = {0};
    CS_GROW(l.fact, l.n, l.cap);
    l.fact[l.n++] = (struct cs_learnt_fact){-1, late, 3};
    CS_GROW(l.fact, l.n, l.cap);
    l.fact[l.n++] = (struct cs_learnt_fact){-1, early, 5}; /* of nothing in the text */
    struct cs_learnt_lost lost[] = {
        {.obj = 0, .stmt = -1}, {.obj = -1, .stmt = 1}, {.obj = last, .stmt = -1}, {.obj = -1, .stmt = 5}};
    l.nlost = sizeof lost / sizeof *lost;
    l.lost = lost;
    out = open_memstream(&text, &size);
    struct cs_text_numbers numbers;
    cs_graph_write_numbered(g, out, &numbers);
    fclose(out);
    cs_stored_renumber(&l, &numbers);
    ck_assert_int_eq(l.n, 1);
    struct cs_stored_program p = {.learnt = l}, q;
    out = open_memstream(&stored, &stored_size);
    cs_stored_write(&p, text, out);
    fclose(out);
    ck_assert_msg(cs_stored_read(stored, stored_size, &q, err, sizeof err) == 0, "%s", err);
    ck_assert(q.learnt.n == 1 && q.learnt.fact[0].number == 3);
    ck_assert_int_eq(q.learnt.fact[0].at, q.graph->stmts[0].def);
    ck_assert_int_eq(q.learnt.nlost, 3);
    ck_assert_str_eq(cs_obj_name(q.graph, q.learnt.lost[0].obj), cs_obj_name(g, 0));
    ck_assert_str_eq(cs_obj_name(q.graph, q.learnt.lost[2].obj), "last");
    ck_assert_int_eq(q.learnt.lost[1].stmt, 1);
    cs_stored_free(&q);
    cs_graph_free(g);
    cs_text_numbers_free(&numbers);
    free(l.fact);
    free(text);
    free(stored);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("graph_text");
    TCase *c = tcase_create("all");
    tcase_set_timeout(c, 60);
    tcase_add_test(c, round_trip);
    tcase_add_test(c, round_trip_files);
    tcase_add_test(c, fields);
    tcase_add_test(c, natures);
    tcase_add_test(c, after_slicing);
    tcase_add_test(c, learnt);
    tcase_add_test(c, learnt_of);
    tcase_add_loop_test(c, errors, 0, sizeof bad / sizeof *bad);
    tcase_add_test(c, small_error_buffer);
    tcase_add_loop_test(c, fuzz, 0, 8);
    suite_add_tcase(s, c);
    return suite_main(s);
}
