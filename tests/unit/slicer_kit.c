/* SPDX-License-Identifier: GPL-3.0-or-later
 * What the slicer's unit tests share; slicer_kit.h.
 * Points-to sets are compared as sorted words, so that a test reads as a table of program and answer. */
#include "slicer_kit.h"

#include <check.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern const char cs_effects_tab[];

struct cs_graph *kit_graph(const char *text)
{
    char err[256] = "";
    FILE *f = fmemopen((void *)text, strlen(text), "r");
    ck_assert_ptr_nonnull(f);
    struct cs_graph *g = cs_graph_read(f, "graph", err, sizeof err);
    fclose(f);
    ck_assert_msg(g != NULL, "%s", err);
    return g;
}

const char *kit_srcdir(void)
{
    const char *d = getenv("CS_SRCDIR");
    if (!d)
        d = getenv("srcdir");
    return d ? d : ".";
}

struct cs_graph *kit_graph_file(const char *path)
{
    char full[1024], err[1536] = "";
    snprintf(full, sizeof full, "%s/tests/graphs/%s", kit_srcdir(), path);
    FILE *f = fopen(full, "r");
    ck_assert_msg(f != NULL, "cannot open %s", full);
    struct cs_graph *g = cs_graph_read(f, path, err, sizeof err);
    fclose(f);
    ck_assert_msg(g != NULL, "%s", err);
    return g;
}

char *kit_text(const struct cs_graph *g)
{
    char *text = NULL;
    size_t len = 0;
    FILE *f = open_memstream(&text, &len);
    ck_assert_ptr_nonnull(f);
    cs_graph_write(g, f);
    ck_assert_int_eq(fclose(f), 0);
    return text;
}

struct cs_effects *kit_effects(const char *more)
{
    char err[256] = "";
    struct cs_effects *fx = cs_effects_new();
    ck_assert_ptr_nonnull(fx);
    ck_assert_msg(cs_effects_add_text(fx, cs_effects_tab, "effects.tab", err, sizeof err) == 0, "%s", err);
    if (more)
        ck_assert_msg(cs_effects_add_text(fx, more, "more", err, sizeof err) == 0, "%s", err);
    return fx;
}

int kit_func(const struct cs_graph *g, const char *name)
{
    for (int i = 0; i < g->nfuncs; i++)
        if (!strcmp(cs_func_name(g, i), name))
            return i;
    ck_abort_msg("no function %s", name);
    return -1;
}

int kit_obj(const struct cs_graph *g, const char *name)
{
    for (int i = 0; i < g->nobjs; i++)
        if (!strcmp(cs_obj_name(g, i), name))
            return i;
    ck_abort_msg("no object %s", name);
    return -1;
}

int kit_stmt(const struct cs_graph *g, const char *text)
{
    for (int i = 0; i < g->nstmts; i++)
        if (g->stmts[i].text >= 0 && !strcmp(cs_graph_str(g, g->stmts[i].text), text))
            return i;
    ck_abort_msg("no statement '%s'", text);
    return -1;
}

struct cs_operand kit_def(const struct cs_graph *g, const char *text)
{
    int d = g->stmts[kit_stmt(g, text)].def;
    ck_assert_msg(d >= 0, "'%s' defines nothing", text);
    return cs_opnd_value(d);
}

static void solve(struct kit_solved *k, const char *text, const char *rows, struct cs_pts_budget budget)
{
    memset(k, 0, sizeof *k);
    k->g = kit_graph(text);
    k->fx = kit_effects(rows);
    cs_models_init(&k->ms, k->g, k->fx);
    cs_error_exits_prune(k->g, k->fx, false);
    k->pts = cs_pts_solve(k->g, &k->ms, NULL, NULL, 0, NULL, &budget);
    k->cdep = calloc(k->g->nfuncs + 1, sizeof *k->cdep);
    for (int f = 0; f < k->g->nfuncs; f++)
        cs_cdep_compute(k->g, f, &k->cdep[f]);
}

void kit_solve_with(struct kit_solved *k, const char *text, const char *rows)
{
    solve(k, text, rows, (struct cs_pts_budget){.precise = INT64_MAX, .left = INT64_MAX});
}

void kit_solve(struct kit_solved *k, const char *text)
{
    kit_solve_with(k, text, NULL);
}

void kit_solve_at_once(struct kit_solved *k, const char *text)
{
    solve(k, text, NULL, (struct cs_pts_budget){.left = INT64_MAX, .at_once = true});
}

void kit_solved_free(struct kit_solved *k)
{
    for (int f = 0; f < k->g->nfuncs; f++)
        cs_cdep_free(&k->cdep[f]);
    free(k->cdep);
    cs_pts_free(k->pts);
    cs_models_free(&k->ms);
    cs_effects_free(k->fx);
    cs_graph_free(k->g);
}

static int by_text(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static char *loc_word(const struct cs_graph *g, const struct cs_loc *l)
{
    char buf[256];
    if (l->obj == CS_LOC_INT)
        return strdup("int");
    if (l->obj == CS_LOC_CONST)
        snprintf(buf, sizeof buf, "%" PRId64, l->pat.off);
    else {
        int n = snprintf(buf, sizeof buf, "%s", cs_obj_name(g, l->obj));
        if (l->pat.stride == 1)
            n += snprintf(buf + n, sizeof buf - n, "+*");
        else if (l->pat.stride)
            n += snprintf(buf + n, sizeof buf - n, "+%" PRId64 "%%%" PRId64, l->pat.off, l->pat.stride);
        else if (l->pat.off)
            n += snprintf(buf + n, sizeof buf - n, "%+" PRId64, l->pat.off);
        if (l->pat.lo != 0 || (g->objs[l->obj].size >= 0 && l->pat.hi != g->objs[l->obj].size))
            snprintf(buf + n, sizeof buf - n, "[%" PRId64 ":%" PRId64 "]", l->pat.lo, l->pat.hi);
    }
    return strdup(buf);
}

const char *kit_holds(struct kit_solved *k, struct cs_operand op)
{
    static char out[4096];
    const struct cs_intset *s = cs_pts_operand(k->pts, op);
    char **w = calloc(s->n + 1, sizeof *w);
    for (int i = 0; i < s->n; i++)
        w[i] = loc_word(k->g, cs_pts_loc(k->pts, s->a[i]));
    qsort(w, s->n, sizeof *w, by_text);
    out[0] = 0;
    for (int i = 0; i < s->n; i++) {
        if (i)
            strcat(out, " ");
        strncat(out, w[i], sizeof out - strlen(out) - 2);
        free(w[i]);
    }
    free(w);
    return out;
}

const char *kit_at(struct kit_solved *k, const char *text)
{
    const struct cs_stmt *s = &k->g->stmts[kit_stmt(k->g, text)];
    return kit_holds(k, s->def >= 0 ? cs_opnd_value(s->def) : s->uses[0]);
}

uint32_t kit_random(struct kit_rng *r, uint32_t below)
{
    r->s = r->s * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(r->s >> 33) % below;
}
