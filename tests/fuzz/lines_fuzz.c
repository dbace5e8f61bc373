/* SPDX-License-Identifier: GPL-3.0-or-later
 * Fuzzes what users write for the slicer: lines_fuzz [SECONDS [SEED]]. Rows of the effects table, and assumptions, are
 * damaged and read. What is refused must be refused with a place and one line; what is read goes through the whole
 * slicer, on a program that calls the row's function and has the assumption's lines. */
#define _GNU_SOURCE 1
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "slicer/control/assume.h"
#include "slicer/model/effects.h"
#include "slicer/text/graph_text.h"
#include "slicer/slice.h"
#include "fuzz_kit.h"

extern const char cs_effects_tab[];

#define MOST 4096

static const char program[] = "global buf 80\nglobal ptr 8 = @buf\nglobal tab 16\ninit @tab+0 8 = @back\n"
                              "func back(a, b) { store @buf 8 = a\n return b }\n"
                              "func main(argc) entry at x.c:1 {\n"
                              "  b0:\n x = call f(@buf, argc, @tab, 3, @ptr, x, @back) at x.c:2\n goto b1\n"
                              "  b1:\n i = phi b0: 0, b2: j\n if i < argc then b2 else b3 at x.c:3\n"
                              "  b2:\n j = add i, 1 at x.c:3\n v = load @buf 8 at x.c:4\n"
                              " call MPI_Send(0, v, 0x4c000101, 0, x, 0x44000000) at x.c:4\n goto b1\n"
                              "  b3:\n y = call f(@ptr, 1, 2) at x.c:5\n if y == 0 then b4 else b5 at x.c:5\n"
                              "  b4:\n call MPI_Barrier(0x44000000) at x.c:6\n return 0\n"
                              "  b5:\n return y\n}\n";

static const char *const words[] = {
    "r0",          "W1+",     "w2<3",   "ret=",     "ret=deep0", "noret=exit", "h:",
    "hs:signal<1", "call0",   "vcall1", "C0<=1",    "throws",    "catches",    "refuse=",
    "handler=x",   "fmt0",    "=",      "<",        "+",         ",",          "*",
    "\n",          "#",       "f",      ":3=never", ".2=always", "=99",        "999999999999999999999",
    "-1",          "x.c:3=2", ":n=",    "rank",     "pick(",     "min(2,",     "(",
    ")",           "%0",      "size*"};

static size_t insert(char *t, size_t n, size_t at, const char *w, size_t len)
{
    if (n + len >= MOST)
        return n;
    memmove(t + at + len, t + at, n - at);
    memcpy(t + at, w, len);
    return n + len;
}

static size_t mutate(char *t, size_t n)
{
    size_t at = rnd(n + 1), len = 1 + rnd(6), from = rnd(n + 1);
    const char *w = words[rnd(sizeof words / sizeof *words)];
    switch (rnd(4)) {
    case 0: return insert(t, n, at, w, strlen(w));
    case 1: {
        char c[] = {' ', (char)(1 + rnd(255)), ' '};
        return insert(t, n, at, c + rnd(2), 1 + rnd(2));
    }
    case 2:
        if (at + len > n)
            return n;
        memmove(t + at, t + at + len, n - at - len);
        return n - len;
    default: {
        char piece[8];
        if (from + len > n)
            return n;
        memcpy(piece, t + from, len);
        return insert(t, n, at, piece, len);
    }
    }
}

static int wrong(const char *what, const char *text, const char *err)
{
    fprintf(stderr, "%s\ntext: %s\nsays: %s\n", what, text, err);
    return -1;
}

static struct cs_graph *new_program(void)
{
    char err[256];
    FILE *f = fmemopen((void *)program, sizeof program - 1, "r");
    struct cs_graph *g = cs_graph_read(f, "program", err, sizeof err);
    fclose(f);
    if (!g)
        wrong("the program itself", program, err);
    return g;
}

static uint64_t accepted;

static int slice(struct cs_graph *g, struct cs_effects *fx)
{
    struct cs_slice_options opt = {.keep_errors = rnd(2)};
    struct cs_slice_result res;
    accepted++;
    cs_slice(g, fx, &opt, &res);
    cs_slice_result_free(&res);
    cs_graph_free(g);
    return 0;
}

/* Some rows of the table, renamed to the function that the program calls. */
static size_t take_rows(char *text)
{
    size_t n = 0, all = strlen(cs_effects_tab);
    for (uint64_t k = 1 + rnd(3); k; k--) {
        const char *line = cs_effects_tab + rnd(all), *end;
        while (line > cs_effects_tab && line[-1] != '\n')
            line--;
        end = line + strcspn(line, "\n");
        const char *rest = line + strcspn(line, " \t\n");
        n += (size_t)snprintf(text + n, MOST - n, "f%.*s\n", (int)(end - rest < 900 ? end - rest : 900), rest);
    }
    return n;
}

static int one_row(void)
{
    char text[MOST + 1], err[256] = "";
    size_t n = take_rows(text);
    for (uint64_t k = rnd(12); k; k--)
        n = mutate(text, n);
    text[n] = 0;
    struct cs_effects *fx = cs_effects_new();
    int rc = fx ? cs_effects_add_text(fx, text, "T", err, sizeof err) : -2;
    if (rc == 0 || rc == -1)
        rc = rc && (strncmp(err, "T:", 2) || strchr(err, '\n'))
                 ? wrong("an error without a place, or of several lines", text, err)
                 : 0;
    if (rc == 0) {
        struct cs_graph *g = new_program();
        rc = g ? slice(g, fx) : -1;
    }
    cs_effects_free(fx);
    return rc;
}

static int one_assumption(struct cs_effects *fx)
{
    static const char *const sound[] = {"x.c:3=never",
                                        "x.c:3=always",
                                        "x.c:3=7",
                                        "x.c:5=never",
                                        "dir/x.c:5.1=always",
                                        "x.c:2=never",
                                        "y.c:3=4",
                                        "x.c:2:count=3",
                                        "x.c:3=pick(rank,1,iteration)",
                                        "x.c:5=when(rank%2)",
                                        "x.c:4:tag=pick(rank,1,-2)*min(size,iteration%7)/3==1"};
    char text[MOST + 1], err[256] = "";
    struct cs_assumption a;
    size_t n = (size_t)snprintf(text, sizeof text, "%s", sound[rnd(sizeof sound / sizeof *sound)]);
    for (uint64_t k = rnd(4); k; k--)
        n = mutate(text, n);
    text[n] = 0;
    if (cs_assume_parse(text, &a, err, sizeof err))
        return *err ? 0 : wrong("refused without a cause", text, err);
    bool counts = a.kind == CS_ASSUME_TRIPS && a.trips == -1,
         expression = a.kind == CS_ASSUME_VALUE || a.kind == CS_ASSUME_WHEN || counts;
    if (a.line < 1 || a.nth < 0 || (a.trips < 0 && !counts) || !memchr(a.file, 0, sizeof a.file) ||
        !memchr(a.name, 0, sizeof a.name) || expression != (a.value.n > 0))
        return wrong("read as what it cannot be", text, "");
    if (expression)
        cs_expr_value(&a.value, &(struct cs_expr_values){(int64_t)rnd(9), 9, (int64_t)rnd(100)});
    if (a.kind == CS_ASSUME_VALUE) {
        accepted++;
        return 0;
    }
    struct cs_graph *g = new_program();
    if (!g)
        return -1;
    struct cs_assumed d = {0};
    int decided = cs_assume_apply(g, &a, &d, err, sizeof err);
    if (decided < 0 && !*err)
        return wrong("refused without a cause", text, err);
    cs_assumed_free(&d);
    return slice(g, fx);
}

int main(int argc, char **argv)
{
    double seconds = argc > 1 ? atof(argv[1]) : 3;
    char err[256];
    uint64_t rounds = 0;
    state = argc > 2 ? strtoull(argv[2], NULL, 0) : 1;
    struct cs_effects *fx = cs_effects_new();
    int rc = fx && cs_effects_add_text(fx, cs_effects_tab, "effects.tab", err, sizeof err) == 0 ? 0 : -1;
    for (double end = now() + seconds; rc == 0 && now() < end; rounds++)
        rc = rnd(4) ? one_row() : one_assumption(fx);
    cs_effects_free(fx);
    printf("%llu damaged lines read, %llu accepted\n", (unsigned long long)rounds, (unsigned long long)accepted);
    return rc || rounds < 100 || accepted < rounds / 20;
}
