/* SPDX-License-Identifier: GPL-3.0-or-later
 * Decides a stored program again and writes its chains of reasons; reasons.h. Statements have the numbers that they had
 * at the link: the stored text has them in that order, and the analyses add theirs in the same order. */
#include "advise/reasons.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "slicer/advise/chains.h"
#include "slicer/control/assume.h"
#include "slicer/decision.h"
#include "slicer/graph/progress.h"
#include "slicer/slice.h"

/* ---- the decision ---- */

/* Decides the branches that the link decided; those about values and calls are in the stored graph. False: it has no
 * such branch. */
static bool assume(struct cs_stored_program *p)
{
    char err[512];
    bool done = true;
    for (int i = 0; i < p->nassumes && done; i++) {
        struct cs_assumption a;
        struct cs_assumed made = {0};
        done = cs_assume_parse(p->assumes[i], &a, err, sizeof err) == 0;
        if (done && a.kind != CS_ASSUME_VALUE && a.kind != CS_ASSUME_CALLED)
            done = cs_assume_apply(p->graph, &a, &made, err, sizeof err) > 0;
        cs_assumed_free(&made);
    }
    return done;
}

/* What the link's decision rests on, all but what only adds warnings or is looked for afterwards. Nothing is known from
 * the start, as at the link: it takes the same steps, so that the analyses number what they add alike. */
static struct cs_slice_options options_of(struct cs_stored_program *p, struct cs_needs *needs, struct cs_learnt *learnt)
{
    return (struct cs_slice_options){.keep_errors = p->keep_errors,
                                     .counter = p->counter,
                                     .count_how = (enum cs_count_how)p->count_how,
                                     .mode_is_given = p->mode_is_given,
                                     .budget = p->budget,
                                     .needs = needs,
                                     .learnt = learnt};
}

/* ---- the text ---- */

/* Writes a field: two backslashes for one, a space for any control character. */
static void put_field(const char *s, FILE *out)
{
    for (; *s; s++) {
        if (*s == '\\')
            fputc('\\', out);
        fputc((unsigned char)*s < ' ' ? ' ' : *s, out);
    }
}

static bool is_heap(const struct cs_graph *g, int obj)
{
    return obj >= 0 && obj < g->nobjs && g->objs[obj].kind == CS_OBJ_HEAP;
}

/* Where an object of the heap is allocated, -1: not known, or it is none. */
static int allocator_of(const struct cs_graph *g, int obj)
{
    int stmt = is_heap(g, obj) ? g->objs[obj].stmt : -1;
    return stmt < g->nstmts ? stmt : -1;
}

/* Can the object be named? Names of temporary variables have a dot. */
static bool has_name(const struct cs_graph *g, int obj)
{
    return obj >= 0 && obj < g->nobjs && (is_heap(g, obj) ? allocator_of(g, obj) >= 0 : *cs_obj_name(g, obj));
}

/* Writes which memory the object is, for people; nothing if it has no name. */
static void put_memory(const struct cs_graph *g, int obj, FILE *out)
{
    if (!has_name(g, obj))
        return;
    if (is_heap(g, obj)) {
        const struct cs_stmt *s = &g->stmts[allocator_of(g, obj)];
        fputs("what is allocated at ", out);
        put_field(cs_graph_str(g, s->file), out);
        fprintf(out, ":%d", s->line);
    } else if (g->objs[obj].kind == CS_OBJ_LOCAL && strchr(cs_obj_name(g, obj), '.'))
        fputs("a temporary variable", out);
    else
        put_field(cs_obj_name(g, obj), out);
}

/* Writes by what the statement or step with this number is needed; nothing if that says nothing. */
static void put_by(const struct cs_graph *g, int id, const struct cs_link *l, FILE *out)
{
    int may = l->never ? 2 : l->again ? 3 : l->may ? 1 : l->if_so ? 4 : 0; /* docs/reference/slice-info.md */
    if (l->call < 0 && !has_name(g, l->obj) && l->among <= 1 && !may)
        return;
    fprintf(out, "by\t%d\t%d\t", id, l->call);
    put_memory(g, l->obj, out);
    fprintf(out, "\t%d\t%d\t%d\t%d\t%d\n", l->among, may, l->writer, l->reader, allocator_of(g, l->obj));
}

static void put_chains(const struct cs_graph *g, const struct cs_chains *c, FILE *out)
{
    fprintf(out, "commslice-slice 1\ndecided\t%016" PRIx64 "\n", cs_decision_hash(g));
    for (int s = 0; s < g->nstmts; s++) {
        if (!g->stmts[s].keep)
            continue;
        fprintf(out, "why\t%d\t%s\t%d\n", s, cs_reason_name(c->why[s].why), c->why[s].parent);
        put_by(g, s, &c->why[s], out);
    }
    for (int i = 0; i < c->nsteps; i++) {
        const struct cs_chain_step *s = &c->steps[i];
        fprintf(out, "step\t%d\t%d\t%d\t%s\t%d\n", g->nstmts + i, s->stmt, s->message, cs_reason_name(s->link.why),
                s->link.parent);
        put_by(g, g->nstmts + i, &s->link, out);
    }
}

int cs_reasons_write(struct cs_stored_program *p, const struct cs_effects *fx, FILE *out)
{
    struct cs_needs needs = {0};
    struct cs_learnt learnt = {0};
    struct cs_slice_options so = options_of(p, &needs, &learnt);
    struct cs_slice_result res;
    struct cs_chains chains;
    if (!assume(p))
        return -1;
    cs_progress_start();
    int status = cs_slice(p->graph, fx, &so, &res);
    if (status == 0) {
        cs_chains_find(&chains, p->graph, &needs);
        put_chains(p->graph, &chains, out);
        cs_chains_free(&chains);
    }
    cs_progress_end();
    cs_slice_result_free(&res);
    cs_needs_free(&needs);
    free(learnt.fact);
    return status;
}
