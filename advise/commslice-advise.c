/* SPDX-License-Identifier: GPL-3.0-or-later
 * The helper of `commslice advise` and `commslice why`: reads a stored program from standard input. With the argument
 * `why` it prints the reasons of its statements (advise/reasons.h). Else it looks for assumptions that shrink its
 * slice, and prints what it found, one line a fact, fields separated by tabs.
 *   base KEPT TOTAL SITES CONTENTS
 *   budget                              that is all, as pointers could not be followed within the budget of the link
 *   cut TRIALS                          the search ended after so many, as its time was up
 *   trial KEPT SITES CONTENTS N         the slice under the assumptions of the next N lines
 *   untried KEPT SITES CONTENTS N       the same, but an estimate: another trial would last longer than trials may
 *   assume TEXT FILE LINE FUNCTION WAY CALL CALL_FILE CALL_LINE
 * KEPT and TOTAL count statements, SITES MPI calls that a trace may show, CONTENTS those of them that transmit content.
 * CALL and what follows is there if the branch needs what an MPI call brings. WAY is one of branch   no more is known
 *   leaves   the branch leaves its loop, which has other ways out
 *   ends     the branch is the only way out of its loop
 *   files    no branch: what the program writes to files is not read; FILE, LINE and FUNCTION then say nothing
 *   value    no branch: the value of a variable; `value of MPI_Send`: of an argument of that call
 *   always   no more is known of the branch, or value, than that a recorded run always did so
 * Two words may follow leaves and ends: first or later, for whether an iteration asks the condition at its start, and
 * holds or fails, for what the condition does when the loop is left.
 * Arguments: the processor time in seconds that trials may take in all (0: about that of the link, by counts, so that
 * the answer is the same each time),
 * with /several behind it if several runs were recorded, then what
 * conditions did in a recorded run: FILE:LINE=never, =always, =N for at times, =unasked; FILE:LINE:NAME=EXPRESSION for
 * a value that was that, =varies for one for which no number can stand, =polled likewise as messages come. Exit status:
 * 0, or 2 after a line `error TEXT`. */
#define _POSIX_C_SOURCE 200809L
#include <assert.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "advise/reasons.h"
#include "advise/search.h"
#include "api/assumption.h"
#include "api/mpi_calls.h"
#include "slicer/control/named_values.h"
#include "slicer/graph/storage.h"

extern const char cs_effects_tab[];

/* All of standard input, *size bytes without a 0 at the end. The caller frees. */
static char *read_input(size_t *size)
{
    size_t cap = 0, n = 0;
    char *text = NULL;
    do {
        if (n == cap)
            text = cs_realloc(text, cap = cap ? 2 * cap : 1 << 20);
        size_t got = fread(text + n, 1, cap - n, stdin);
        n += got;
        *size = n;
        if (!got)
            return text;
    } while (true);
}

/* ---- what was found ---- */

/* What a statement calls, for a user: the name of the MPI call, else that of the function, else "a call by pointer". */
static const char *call_name(const struct cs_graph *g, int stmt)
{
    enum cs_binding b;
    const struct cs_stmt *s = &g->stmts[stmt];
    if (s->kind != CS_STMT_CALL || s->callee.kind != CS_OPND_ADDR || g->objs[s->callee.id].kind != CS_OBJ_FUNC)
        return "a call by pointer";
    const struct cs_mpi_call *c = cs_mpi_by_symbol(cs_obj_name(g, s->callee.id), &b);
    const char *name = cs_obj_name(g, s->callee.id);
    return c ? c->name : !strncmp(name, "_Zn", 3) ? "operator new" : name;
}

/* Prints how the condition leaves its loop, if it does. */
static void print_way(struct cs_graph *g, int stmt)
{
    static const char *const ways[] = {
        [CS_LEAVES_NONE] = "branch", [CS_LEAVES_ONE_WAY] = "leaves", [CS_LEAVES_ONLY_WAY] = "ends"};
    int edge;
    enum cs_leaving leaving = cs_assume_line_leaves(g, &stmt, &edge);
    fputs(ways[leaving], stdout);
    int first = leaving == CS_LEAVES_NONE ? -1 : cs_assume_asked_first(g, stmt);
    if (first >= 0)
        printf(" %s %s", first ? "first" : "later", edge == cs_assume_true_edge(g, stmt, 0) ? "holds" : "fails");
}

/* The same of a value, number `named` of the statement. */
static void print_value(const struct cs_graph *g, int stmt, int named)
{
    struct cs_named_value v[CS_NAMED_MOST];
    int n = cs_named_values(g, stmt, v);
    assert(named < n);
    fputs("value", stdout);
    if (n && v[named].of_mpi)
        printf(" of %s", call_name(g, stmt));
}

/* Prints a line `assume`; text, stmt, source and named as in struct cs_tried. */
static void print_assumption(const struct cs_trials *s, const char *text, int stmt, int source, int named)
{
    struct cs_graph *g = s->program.graph;
    if (stmt < 0) {
        printf("assume\t%s\t-\t0\t-\t%s\n", text, strcmp(text, CS_NO_READ_BACK) ? "calls" : "files");
        return;
    }
    const struct cs_stmt *st = &g->stmts[stmt];
    printf("assume\t%s\t%s\t%d\t%s\t", text, cs_graph_str(g, st->file), st->line, cs_func_name(g, st->func));
    if (named >= 0)
        print_value(g, stmt, named);
    else
        print_way(g, stmt);
    if (source >= 0)
        printf("\t%s\t%s\t%d", call_name(g, source), cs_graph_str(g, g->stmts[source].file), g->stmts[source].line);
    putchar('\n');
}

/* A statement at the line that the assumption is about, a branch if there is one; -1: none. */
static int stmt_of(const struct cs_graph *g, const char *text)
{
    char err[512];
    struct cs_assumption a;
    int found = -1;
    if (cs_assume_parse(text, &a, err, sizeof err))
        return -1;
    for (int i = 0; i < g->nstmts; i++)
        if (g->stmts[i].line == a.line && (found < 0 || g->stmts[i].kind == CS_STMT_COND) &&
            !strcmp(cs_graph_str(g, g->stmts[i].file), a.file))
            found = i;
    return found;
}

/* The same of those that a recorded run always did. */
static void print_together(const struct cs_graph *g, const struct cs_unchanged *t)
{
    for (int i = 0; i < t->n; i++) {
        int stmt = stmt_of(g, t->text[i]);
        if (stmt < 0)
            continue;
        const struct cs_stmt *st = &g->stmts[stmt];
        printf("assume\t%s\t%s\t%d\t%s\talways\n", t->text[i], cs_graph_str(g, st->file), st->line,
               cs_func_name(g, st->func));
    }
}

/* Prints the base, and each trial whose slice is smaller. */
static void print_all(const struct cs_trials *s)
{
    printf("base\t%d\t%d\t%d\t%d\n", s->base.kept, s->base.total, s->base.sites, s->base.contents);
    if (s->base.kept_all)
        puts("budget");
    if (s->cut)
        printf("cut\t%d\n", s->ntrials);
    for (int i = 0; i < s->n; i++) {
        const struct cs_tried *t = &s->tried[i];
        if (t->result.status || t->result.kept >= s->base.kept)
            continue;
        printf("%s\t%d\t%d\t%d\t%d\n", t->untried ? "untried" : "trial", t->result.kept, t->result.sites,
               t->result.contents, t->n + (t->with ? t->with->n : 0));
        for (int k = 0; k < t->n; k++)
            print_assumption(s, t->a[k].text, t->a[k].stmt, t->a[k].source, t->a[k].named);
        if (t->with)
            print_together(s->program.graph, t->with);
    }
}

/* Prints a line `error`; returns the exit status. */
static int complain(const char *what)
{
    printf("error\t%s\n", what);
    return 2;
}

/* How many processors there are; 1 if the system does not say. */
static int processors(void)
{
    long n = sysconf(_SC_NPROCESSORS_ONLN);
    return n < 1 ? 1 : n > INT_MAX ? INT_MAX : (int)n;
}

/* Reads the program and what is known of functions. 0, or an exit status after a message. */
static int read_program(struct cs_stored_program *p, struct cs_effects **effects)
{
    char err[512];
    size_t size;
    char *text = read_input(&size);
    *effects = cs_effects_new();
    if (!*effects)
        return complain("not enough memory");
    if (cs_stored_read(text, size, p, err, sizeof err) ||
        cs_effects_add_text(*effects, cs_effects_tab, "effects.tab", err, sizeof err) ||
        (p->effects && cs_effects_add_text(*effects, p->effects, "stored effects", err, sizeof err)))
        return complain(err);
    free(text);
    return 0;
}

static int why(void)
{
    struct cs_stored_program p;
    struct cs_effects *effects;
    if (read_program(&p, &effects))
        return 2;
    if (cs_reasons_write(&p, effects, stdout))
        return complain("the stored program cannot be sliced again: link it again");
    cs_effects_free(effects);
    cs_stored_free(&p);
    return fflush(stdout) || ferror(stdout) ? complain("cannot write the result") : 0;
}

int main(int argc, char **argv)
{
    if (argc == 2 && !strcmp(argv[1], "why"))
        return why();
    struct cs_trials s = {.seconds = argc > 1 ? atof(argv[1]) : 1e9, .at_once = processors()};
    s.any_size = argc > 1 && strstr(argv[1], "/several");
    s.hints = argv + (argc > 1 ? 2 : 1);
    if (read_program(&s.program, &s.effects))
        return 2;
    if (!cs_search_run(&s))
        return complain("the stored program cannot be sliced again: link it again");
    print_all(&s);
    cs_search_free(&s);
    return fflush(stdout) ? complain("cannot write the result") : 0;
}
