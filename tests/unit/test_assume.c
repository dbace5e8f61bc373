/* SPDX-License-Identifier: GPL-3.0-or-later
 * Unit tests of slicer/control/assume.c: which edges never, always and a trip count decide, on graphs in text form;
 * what is refused; what is no assumption. An edge is written "b1>0": edge 0 of block 1. A counted loop: "loop b1 from
 * b0 limit 3 at b1>1". */
#define _POSIX_C_SOURCE 200809L
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "slicer/control/assume.h"
#include "slicer/control/called.h"
#include "slicer/control/cfg.h"
#include "slicer/graph/storage.h"
#include "slicer_kit.h"
#include "suite.h"

/* ---- what is decided ---- */

#define F(body) "func main(a, b, c) entry at \"x.c\":1 { " body " }"
#define IF \
    F("b0: if a < 0 then b1 else b2 at 5; b1: call g() at 6; goto b3; b2: call h() at 8; goto b3; b3: return 0 at 9")
#define AND \
    F("b0: if a < 0 then b1 else b3 at 5; b1: if b < 0 then b2 else b3 at 5; b2: call g() at 6; goto b3; b3: return " \
      "0 at 9")
#define OR \
    F("b0: if a < 0 then b2 else b1 at 5; b1: if b < 0 then b2 else b3 at 5; b2: call g() at 6; goto b3; b3: return " \
      "0 at 9")
#define AND_OR \
    F("b0: if a < 0 then b1 else b4 at 5; b1: if b < 0 then b3 else b2 at 5; b2: if c < 0 then b3 else b4 at 5;" \
      " b3: call g() at 6; goto b4; b4: return 0 at 9")
#define WHILE \
    F("b0: goto b1; b1: x = load 8 4 at 5; if x < 0 then b2 else b3 at 5; b2: call g() at 6; goto b1; b3: return 0 " \
      "at 9")
#define WHILE_AND \
    F("b0: goto b1; b1: if a < 0 then b2 else b4 at 5; b2: if b < 0 then b3 else b4 at 5; b3: call g() at 6; goto " \
      "b1; b4: return 0 at 9")
#define WHILE_OR \
    F("b0: goto b1; b1: if a < 0 then b3 else b2 at 5; b2: if b < 0 then b3 else b4 at 5; b3: call g() at 6; goto " \
      "b1; b4: return 0 at 9")
#define DO_WHILE F("b0: goto b1; b1: call g() at 6; goto b2; b2: if a < 0 then b1 else b3 at 7; b3: return 0 at 9")
#define ONE_BLOCK F("b0: goto b1; b1: call g() at 6; if a < 0 then b1 else b2 at 7; b2: return 0 at 9")
#define DO_AND \
    F("b0: goto b1; b1: call g() at 6; if a < 0 then b2 else b3 at 7; b2: if b < 0 then b1 else b3 at 7; b3: return " \
      "0 at 9")
#define BREAK \
    F("b0: goto b1; b1: call g() at 6; if a < 0 then b3 else b2 at 7; b2: call h() at 8; goto b1; b3: return 0 at 9")
#define NEST \
    F("b0: goto b1; b1: if a < 0 then b2 else b6 at 5; b2: goto b3; b3: if b < 0 then b4 else b5 at 6; b4: call g() " \
      "at 7; goto b3;" \
      " b5: goto b1; b6: return 0 at 9")
#define DO \
    F("b0: if a > b then b3 else b1 at 5; b1: call g() at 6; goto b2; b2: x = eq a, b at 5; if x != 0 then b3 else " \
      "b1 at 5; b3: return 0 at 9")
#define CHOSEN \
    F("b0: if a < 0 then b1 else b2 at 5; b1: u = copy b at 5; goto b3; b2: call h() at 5; goto b3;" \
      " b3: v = phi b1: u, b2: 7 at 5; if v < 0 then b4 else b5 at 5; b4: call g() at 6; goto b5; b5: return 0 at 9")
#define WHILE_ANY \
    F("b0: goto b1; b1: u = copy a at 5; goto b2; b2: i = phi b1: 0, b3: j; if i < 9 then b3 else b4 at 5; b3: j = " \
      "add i, 1 at 5;" \
      " x = load 8 4 at 5; if x < 0 then b4 else b2 at 5; b4: v = phi b2: 0, b3: 1; if v != 0 then b5 else b6 at 5; " \
      "b5: call g() at 6; goto b1;" \
      " b6: return 0 at 9")
#define TWO \
    F("b0: goto b1; b1: if a < 0 then b2 else b4 at 5; b2: call g() at 6; goto b3; b3: if b < 0 then b1 else b4 at " \
      "5; b4: return 0 at 9")

static const struct {
    const char *what, *text, *assumption, *decided;
    bool flipped;
} cases[] = {
    {"if, never", IF, "x.c:5=never", "b0>0 dead", false},
    {"if, always", IF, "x.c:5=always", "b0>1 dead", false},
    {"if with exchanged sides, never", IF, "x.c:5=never", "b0>1 dead", true},
    {"if with exchanged sides, always", IF, "x.c:5=always", "b0>0 dead", true},
    {"a path before the name of the file", IF, "src/x.c:5=never", "b0>0 dead", false},
    {"another file", IF, "y.c:5=never", "nothing", false},
    {"the end of a name is no name", IF, "c:5=never", "nothing", false},
    {"a line without a condition", IF, "x.c:6=never", "nothing", false},
    {"&&, never", AND, "x.c:5=never", "b1>0 dead", false},
    {"&&, always", AND, "x.c:5=always", "b0>1 dead b1>1 dead", false},
    {"||, never", OR, "x.c:5=never", "b0>0 dead b1>0 dead", false},
    {"||, always", OR, "x.c:5=always", "b1>1 dead", false},
    {"a && (b || c), never", AND_OR, "x.c:5=never", "b1>0 dead b2>0 dead", false},
    {"a && (b || c), always", AND_OR, "x.c:5=always", "b0>1 dead b2>1 dead", false},
    {"empty blocks on the way",
     F("b0: if a < 0 then b1 else b2 at 5; b1: goto b3; b2: if b < 0 then b4 else b5 at 5; b3: goto b4; b4: call g() "
       "at 6; goto b5; b5: return 0 at 9"),
     "x.c:5=never", "b0>0 dead b2>0 dead", false},
    {"(a ? b : h()) < 0, never", CHOSEN, "x.c:5=never", "b3>0 dead", false},
    {"(a ? b : h()) < 0, always", CHOSEN, "x.c:5=always", "b3>1 dead", false},
    {"any of an array, never", WHILE_ANY, "x.c:5=never", "b4>0 dead", false},
    {"while any of an array, 3 iterations", WHILE_ANY, "x.c:5=3", "b4>0 body b4>1 exit loop b1 from b0 limit 3 at b4>1",
     false},
    {"a comparison that is turned",
     F("b0: if a < 0 then b1 else b2 at 5 nth 1 turned; b1: if b < 0 then b3 else b2 at 5 nth 2; b3: call g() at 6; "
       "goto b2; b2: return 0 at 9"),
     "x.c:5.1=never", "b0>1 dead", false},
    {"the whole condition of which it is one",
     F("b0: if a < 0 then b1 else b2 at 5 nth 1 turned; b1: if b < 0 then b3 else b2 at 5 nth 2; b3: call g() at 6; "
       "goto b2; b2: return 0 at 9"),
     "x.c:5=never", "b1>0 dead", false},
    {"a comparison behind one that is known",
     F("b0: if a < 0 then b1 else b2 at 5 nth 2; b1: call g() at 6; goto b2; "
       "b2: return 0 at 9"),
     "x.c:5.2=never", "b0>0 dead", false},
    {"a comparison that is known",
     F("b0: if a < 0 then b1 else b2 at 5 nth 2; b1: call g() at 6; goto b2; b2: return 0 "
       "at 9"),
     "x.c:5.1=never", "nothing", false},
    {"two functions of one line",
     "func f(a) at \"x.c\":1 { b0: if a < 0 then b1 else b2 at 5; b1: call g() at 6; goto b2; b2: return 0 at 9 }\n"
     "func main(a) entry at \"x.c\":1 { b0: if a < 0 then b1 else b2 at 5; b1: call g() at 6; goto b2; b2: return 0 at "
     "9 }",
     "x.c:5=never", "b0>0 dead b0>0 dead", false},
    {"while, never entered", WHILE, "x.c:5=never", "b1>0 dead", false},
    {"while, 3 iterations", WHILE, "x.c:5=3", "b1>0 body b1>1 exit loop b1 from b0 limit 3 at b1>1", false},
    {"while, none", WHILE, "x.c:5=0", "b1>0 body b1>1 exit loop b1 from b0 limit 0 at b1>1", false},
    {"while with exchanged sides, 3", WHILE, "x.c:5=3", "b1>0 body b1>1 exit loop b1 from b0 limit 3 at b1>1", true},
    {"while &&", WHILE_AND, "x.c:5=3", "b1>1 exit b2>0 body b2>1 exit loop b1 from b0 limit 3 at b2>1", false},
    {"while ||", WHILE_OR, "x.c:5=3", "b1>0 body b2>0 body b2>1 exit loop b1 from b0 limit 3 at b2>1", false},
    {"do while", DO_WHILE, "x.c:7=3", "b2>0 body b2>1 exit loop b1 from b0 limit 2 at b2>1", false},
    {"do while of one block", ONE_BLOCK, "x.c:7=3", "b1>0 body b1>1 exit loop b1 from b0 limit 2 at b1>1", false},
    {"do while &&", DO_AND, "x.c:7=3", "b1>1 exit b2>0 body b2>1 exit loop b1 from b0 limit 2 at b2>1", false},
    {"break", BREAK, "x.c:7=3", "b1>0 exit b1>1 body loop b1 from b0 limit 2 at b1>0", false},
    {"break, never", BREAK, "x.c:7=never", "b1>0 dead", false},
    {"the outer loop of two", NEST, "x.c:5=3", "b1>0 body b1>1 exit loop b1 from b0 limit 3 at b1>1", false},
    {"the inner loop of two", NEST, "x.c:6=3", "b3>0 body b3>1 exit loop b3 from b2 limit 3 at b3>1", false},
    {"Fortran's do", DO, "x.c:5=3", "b0>0 dead b2>0 exit b2>1 body loop b1 from b0 limit 2 at b2>0", false},
    {"Fortran's do, not entered", DO, "x.c:5=0", "b0>1 dead", false},
    {"an if outside loops", IF, "x.c:5=3", "assumption 'x.c:5=3': no condition of this line leaves a loop", false},
    {"an if inside a loop",
     F("b0: goto b1; b1: if a < 0 then b2 else b4 at 5; b2: if b < 0 then b3 else b1 at 6; b3: call g() at 7; goto b1; "
       "b4: return 0 at 9"),
     "x.c:6=3", "assumption 'x.c:6=3': no condition of this line leaves a loop", false},
    {"do while, no iteration", DO_WHILE, "x.c:7=0",
     "assumption 'x.c:7=0': the condition is looked at after an iteration, so there is at least one", false},
    {"not in every iteration",
     F("b0: goto b1; b1: call g() at 4; if a < 0 then b2 else b3 at 4; b2: if b < 0 then b4 else b3 at 5; b3: call h() "
       "at 6; goto b1; b4: return 0 at 9"),
     "x.c:5=3", "assumption 'x.c:5=3': the loop has iterations that do not come to this condition", false},
    {"two conditions of one line", TWO, "x.c:5=3",
     "assumption 'x.c:5=3': more than one condition of this line leaves the loop", false},
    {"the function begins in the loop", F("b0: call g() at 4; if a < 0 then b0 else b1 at 5; b1: return 0 at 9"),
     "x.c:5=3", "assumption 'x.c:5=3': the function begins inside the loop", false},
    {"a loop with two entries",
     F("b0: if c < 0 then b1 else b2 at 3; b1: call g() at 4; goto b2; b2: call h() at 5; if a < 0 then b1 else b3 at "
       "6; b3: return 0 at 9"),
     "x.c:6=3", "assumption 'x.c:6=3': no condition of this line leaves a loop", false},
};

static void add(char *out, size_t len, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
static void add(char *out, size_t len, const char *fmt, ...)
{
    size_t n = strlen(out);
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(out + n, len - n, fmt, ap);
    va_end(ap);
}

static void describe(const struct cs_graph *g, const struct cs_assumed *d, char *out, size_t len)
{
    static const char *const words[] = {"free", "dead", "exit", "body"};
    for (int k = 0; k < d->ndecided; k++)
        for (int i = 0; i < 2; i++)
            if (d->decided[k].rule[i])
                add(out, len, "%sb%d>%d %s", *out ? " " : "", g->stmts[d->decided[k].stmt].block, i,
                    words[d->decided[k].rule[i]]);
    for (int k = 0; k < d->ntrips; k++) {
        const struct cs_trip *t = &d->trips[k];
        add(out, len, " loop b%d from", t->header);
        for (int i = 0; i < t->nentries; i++)
            add(out, len, " b%d", t->entries[i]);
        add(out, len, " limit %lld at b%d>%d", (long long)t->limit, g->stmts[t->stmt].block, t->exit_edge);
    }
}

/* An edge is never taken if a rule is "dead", or belongs to a branch of a counted loop other than the counting one. */
static void check_edges(const struct cs_graph *g, const struct cs_assumed *d, const char *what)
{
    for (int k = 0; k < d->ndecided; k++) {
        const struct cs_decided *x = &d->decided[k];
        const struct cs_stmt *s = &g->stmts[x->stmt];
        bool counts = x->trip >= 0 && d->trips[x->trip].stmt == x->stmt;
        for (int i = 0; i < 2; i++)
            ck_assert_msg(g->funcs[s->func].blocks[s->block].never[i] == (x->rule[i] != CS_EDGE_FREE && !counts),
                          "%s: edge %d of b%d", what, i, s->block);
        if (counts)
            for (int i = 0; i < s->nuses; i++)
                ck_assert_msg(s->uses[i].kind == CS_OPND_NONE, "%s: the branch still has its inputs", what);
    }
}

START_TEST(decides)
{
    char err[256] = "", got[512] = "";
    struct cs_assumption a;
    struct cs_assumed d = {0};
    struct cs_graph *g = kit_graph(cases[_i].text);
    for (int s = 0; s < g->nstmts; s++)
        g->stmts[s].flipped = cases[_i].flipped;
    ck_assert_msg(cs_assume_parse(cases[_i].assumption, &a, err, sizeof err) == 0, "%s", err);
    int n = cs_assume_apply(g, &a, &d, err, sizeof err);
    if (n < 0)
        snprintf(got, sizeof got, "%s", err);
    else if (n == 0)
        snprintf(got, sizeof got, "nothing");
    else
        describe(g, &d, got, sizeof got);
    ck_assert_msg(!strcmp(got, cases[_i].decided), "%s: %s, not %s", cases[_i].what, got, cases[_i].decided);
    if (n >= 0) {
        ck_assert_int_eq(n, d.ndecided);
        check_edges(g, &d, cases[_i].what);
    }
    cs_assumed_free(&d);
    cs_graph_free(g);
}
END_TEST

/* All functions but those that the file tells of, and the one that is called from outside. */
START_TEST(calls_only_what_is_told)
{
    char err[256] = "", name[] = "/tmp/test_assume.XXXXXX";
    struct cs_assumption a, b;
    struct cs_graph *g = kit_graph("func main() entry {\n b0: return\n}\nfunc f() {\n b0: return\n}\n"
                                   "func h.part.0() {\n b0: return\n}\nfunc lost() {\n b0: return\n}\n");
    ck_assert_int_eq(cs_assume_parse("called:small.info", &a, err, sizeof err), 0);
    ck_assert(a.kind == CS_ASSUME_CALLED && !strcmp(a.file, "small.info"));
    ck_assert_int_eq(cs_assume_parse("called:other.info", &b, err, sizeof err), 0);
    ck_assert(cs_assume_same_subject(&a, &b) && !cs_assume_agree(&a, &b));
    ck_assert_int_eq(cs_assume_parse("called:", &b, err, sizeof err), -1);
    ck_assert_int_eq(cs_called_assume(g, "/nowhere/at/all", err, sizeof err), -1);
    int fd = mkstemp(name);
    ck_assert_int_ge(fd, 0);
    ck_assert_int_eq(cs_called_assume(g, name, err, sizeof err), -1);
    const char text[] = "events 7\n  called:f 12 times\ncalled:h 1 times\n  called:lost violated 2 times\n";
    ck_assert_int_eq((int)write(fd, text, strlen(text)), (int)strlen(text));
    close(fd);
    ck_assert_int_eq(cs_called_assume(g, name, err, sizeof err), 1);
    for (int f = 0; f < g->nfuncs; f++) {
        ck_assert_int_eq(g->funcs[f].uncalled, !strcmp(cs_func_name(g, f), "lost"));
        cs_cfg_reach(g, f);
        ck_assert_int_eq(g->funcs[f].blocks[0].reachable, !g->funcs[f].uncalled);
    }
    unlink(name);
    cs_graph_free(g);
}
END_TEST

/* It is about no place; slicer/live/live_files.c has the rest. */
START_TEST(reads_nothing_back)
{
    char err[256] = "";
    struct cs_assumption a;
    struct cs_assumed d = {0};
    struct cs_graph *g = kit_graph(IF);
    ck_assert_int_eq(cs_assume_parse("no-read-back", &a, err, sizeof err), 0);
    ck_assert(a.kind == CS_ASSUME_NO_READ_BACK && a.line == 0 && !*a.file);
    ck_assert_int_gt(cs_assume_apply(g, &a, &d, err, sizeof err), 0);
    ck_assert(g->no_read_back && d.ndecided == 0);
    ck_assert_int_eq(cs_assume_parse("no-read-back=3", &a, err, sizeof err), -1);
    cs_assumed_free(&d);
    cs_graph_free(g);
}
END_TEST

/* Nor is this; slicer/model/mpi_model.c has the rest. */
START_TEST(no_call_fails)
{
    char err[256] = "";
    struct cs_assumption a, files;
    struct cs_assumed d = {0};
    struct cs_graph *g = kit_graph(IF);
    ck_assert_int_eq(cs_assume_parse("no-mpi-errors", &a, err, sizeof err), 0);
    ck_assert_int_eq(cs_assume_parse("no-read-back", &files, err, sizeof err), 0);
    ck_assert(cs_assume_same_subject(&a, &a) && cs_assume_agree(&a, &a) && !cs_assume_same_subject(&a, &files));
    ck_assert_int_gt(cs_assume_apply(g, &a, &d, err, sizeof err), 0);
    ck_assert(g->no_mpi_errors && !g->no_read_back && d.ndecided == 0);
    cs_assumed_free(&d);
    cs_graph_free(g);
}
END_TEST

/* ---- what it is good for ---- */

/* A loop that ends on received data keeps the whole computation; counted, it keeps nothing but itself. */
START_TEST(cuts_the_slice)
{
    static const char text[] =
        "global r 8\n"
        "func main(a) entry at \"x.c\":1 {\n"
        "  b0: call MPI_Init(0, 0) at 3\n goto b1\n"
        "  b1: x = load @r 8 at 5\n if x < 1 then b2 else b3 at 5\n"
        "  b2: y = call sin(x) at 6\n store @r 8 = y at 6\n call MPI_Barrier(1140850688) at 7\n goto b1\n"
        "  b3: call MPI_Finalize() at 8\n return 0 at 9\n}\n";
    static const struct {
        const char *assumption;
        bool computed, branch;
    } want[] = {{NULL, true, true}, {"x.c:5=4", false, true}, {"x.c:5=never", false, false}};
    for (int i = 0; i < 3; i++) {
        char err[256];
        struct cs_assumption a;
        struct cs_assumed d = {0};
        struct cs_slice_result res;
        struct cs_slice_options opt = {0};
        struct cs_graph *g = kit_graph(text);
        struct cs_effects *fx = kit_effects(NULL);
        if (want[i].assumption) {
            ck_assert_int_eq(cs_assume_parse(want[i].assumption, &a, err, sizeof err), 0);
            ck_assert_int_eq(cs_assume_apply(g, &a, &d, err, sizeof err), 1);
        }
        ck_assert_int_eq(cs_slice(g, fx, &opt, &res), 0);
        bool computed = false, branch = false;
        for (int s = 0; s < g->nstmts; s++) {
            computed |= g->stmts[s].keep && g->stmts[s].line == 6;
            branch |= g->stmts[s].keep && g->stmts[s].kind == CS_STMT_COND;
        }
        ck_assert_msg(computed == want[i].computed && branch == want[i].branch, "%s: computation %d, branch %d",
                      want[i].assumption ? want[i].assumption : "no assumption", computed, branch);
        cs_slice_result_free(&res);
        cs_assumed_free(&d);
        cs_effects_free(fx);
        cs_graph_free(g);
    }
}
END_TEST

/* ---- reading ---- */

static const struct {
    const char *text, *answer;
} texts[] = {
    {"ssor.f:236=never", "ssor.f 236 0 0"},
    {"dir/a=b.c:7=always", "dir/a=b.c 7 1 0"},
    {"C:x.c:12=0", "C:x.c 12 2 0"},
    {"x.c:12=137", "x.c 12 2 137"},
    {"x.c:12",
     "assumption 'x.c:12' is not of the form FILE:LINE=never, FILE:LINE=always, FILE:LINE=N or FILE:LINE:NAME=VALUE"},
    {"xc=never",
     "assumption 'xc=never' is not of the form FILE:LINE=never, FILE:LINE=always, FILE:LINE=N or FILE:LINE:NAME=VALUE"},
    {":3=never",
     "assumption ':3=never' is not of the form FILE:LINE=never, FILE:LINE=always, FILE:LINE=N or FILE:LINE:NAME=VALUE"},
    {"", "assumption '' is not of the form FILE:LINE=never, FILE:LINE=always, FILE:LINE=N or FILE:LINE:NAME=VALUE"},
    {"x.c:0=never", "assumption 'x.c:0=never': the line number is not a positive number"},
    {"x.c:-4=never", "assumption 'x.c:-4=never': the line number is not a positive number"},
    {"x.c:4b=never", "assumption 'x.c:4b=never': the line number is not a positive number"},
    {"x.c:99999999999999999999=never",
     "assumption 'x.c:99999999999999999999=never': the line number is not a positive number"},
    {"x.c:4=perhaps", "assumption 'x.c:4=perhaps': 'perhaps' is neither never nor always nor a number of iterations"},
    {"x.c:4=", "assumption 'x.c:4=': '' is neither never nor always nor a number of iterations"},
    {"x.c:4=-1", "assumption 'x.c:4=-1': '-1' is neither never nor always nor a number of iterations"},
    {"x.c:4=3 ", "assumption 'x.c:4=3 ': '3 ' is neither never nor always nor a number of iterations"},
    {"x.c:4=99999999999999999999",
     "assumption 'x.c:4=99999999999999999999': '99999999999999999999' is neither never nor always nor a number of "
     "iterations"},
    {"x.c:4=pick(rank,1,2)", "x.c 4 2 -1"},
    {"x.c:4=rank==0", "x.c 4 2 -1"},
    {"x.c:4=when(iteration%2)", "x.c 4 5 0"},
    {"x.c:4=when(2", "assumption 'x.c:4=when(2': 'when(2' is neither never nor always nor a number of iterations"},
    {"x.c:4=1+", "assumption 'x.c:4=1+': '1+' is neither never nor always nor a number of iterations"},
    {"x.c:4.1=rank", "assumption 'x.c:4.1=rank': 'rank' is neither never nor always nor a number of iterations"},
    {"x.c:4:count=2*rank+1", "x.c 4 4 0 count"},
    {"a=b/C:x.c:4:n_1=-5", "a=b/C:x.c 4 4 0 n_1"},
    {"x.c:4:n=rank==size-1", "x.c 4 4 0 n"},
    {"x.c:0:n=1", "assumption 'x.c:0:n=1': the line number is not a positive number"},
    {"x.c:4:n=", "assumption 'x.c:4:n=': a value is missing at its end"},
    {"x.c:4:n=1.5", "assumption 'x.c:4:n=1.5': this is no whole number at '1.5'"},
    {"x.c:4:n=m",
     "assumption 'x.c:4:n=m': only rank, size, iteration, min, max, pick, dims, near and toward are known at 'm'"},
    {"x.c:4:n=never", "assumption 'x.c:4:n=never': "
                      "only rank, size, iteration, min, max, pick, dims, near and toward are known at 'never'"},
    {"x.c:4:2n=1", "assumption 'x.c:4:2n=1': the line number is not a positive number"},
};

START_TEST(reads)
{
    char got[512];
    struct cs_assumption a;
    if (cs_assume_parse(texts[_i].text, &a, got, sizeof got) == 0)
        snprintf(got, sizeof got, "%s %d %d %lld%s%s", a.file, a.line, a.kind, (long long)a.trips, *a.name ? " " : "",
                 a.name);
    ck_assert_str_eq(got, texts[_i].answer);
}
END_TEST

static struct cs_assumption parse(const char *text)
{
    struct cs_assumption a;
    char err[256];
    ck_assert_msg(cs_assume_parse(text, &a, err, sizeof err) == 0, "%s", err);
    return a;
}

/* Whether two assumptions are about the same thing, and whether they agree. */
START_TEST(contradictions)
{
    static const struct {
        const char *a, *b;
        bool subject, agree;
    } pairs[] = {
        {"x.c:4=never", "x.c:4=never", true, true}, {"x.c:4=never", "x.c:4=7", true, false},
        {"x.c:4=never", "x.c:4:n=7", false, false}, {"x.c:4:n=7", "x.c:4:m=7", false, true},
        {"x.c:4:n=7", "x.c:5:n=7", false, true},    {"x.c:4:n=7+1", "x.c:4:n= 7 + 1", true, true},
        {"x.c:4:n=7", "x.c:4:n=8", true, false},    {"x.c:4:n=rank", "x.c:4:n=size", true, false},
    };
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        struct cs_assumption a = parse(pairs[i].a), b = parse(pairs[i].b);
        ck_assert_msg(cs_assume_same_subject(&a, &b) == pairs[i].subject, "%s %s", pairs[i].a, pairs[i].b);
        ck_assert_msg(cs_assume_agree(&a, &b) == pairs[i].agree, "%s %s", pairs[i].a, pairs[i].b);
    }
}
END_TEST

int main(void)
{
    Suite *s = suite_create("assume");
    TCase *c = tcase_create("all");
    tcase_add_loop_test(c, decides, 0, sizeof cases / sizeof *cases);
    tcase_add_test(c, cuts_the_slice);
    tcase_add_test(c, reads_nothing_back);
    tcase_add_test(c, no_call_fails);
    tcase_add_test(c, calls_only_what_is_told);
    tcase_add_test(c, contradictions);
    tcase_add_loop_test(c, reads, 0, sizeof texts / sizeof *texts);
    suite_add_tcase(s, c);
    return suite_main(s);
}
