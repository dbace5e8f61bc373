/* SPDX-License-Identifier: GPL-3.0-or-later
 * What a call may write: of functions that are solved for each call (pointsto_instance.c) an instance writes less than
 * the function does. So a vector that grows does not count as a writer of another one.
 *
 *     grow(&x); grow(&y);     the first call does not write what y points to, though grow() does
 *
 * The set of an instance holds all places that it, and what it calls, may write or hand to a library; it is made when
 * it is first asked for. */
#include "slicer/pointsto/pointsto_internal.h"

#include <assert.h>
#include <stdlib.h>

/* Functions without instances that are looked through for one set; beyond that, anything may be written. */
#define MAX_FUNCS 300

/* The set of an instance, while it is filled. */
struct writing {
    struct cs_pts *p;
    int owner;            /* the instance that it is of */
    int in;               /* the instance whose statements are looked at; 0: none */
    bool all;             /* anything may be written */
    struct cs_intlist to; /* functions without instances that are still to be looked at, in the order found */
};

/* The node of the value in the instance, -1 if nothing is known to arrive there. */
static int node_of(const struct writing *t, int v)
{
    const struct cs_pts *p = t->p;
    if (!t->in || p->g->values[v].func != p->instances[t->in].func)
        return v < p->nvalue_node ? p->value_node[v] : -1;
    int k = v < p->nnumber ? p->number[v] : -1;
    return k >= 0 && k < p->instances[t->in].nnodes ? p->instances[t->in].nodes[k] : -1;
}

/* This place is looked for in a set. */
struct place_query {
    const struct instance *in;
    struct place at;
};

static bool same_place(const void *what, int i, int unused)
{
    const struct place_query *q = what;
    const struct place *a = &q->in->writes[i];
    (void)unused;
    return a->obj == q->at.obj && a->size == q->at.size && cs_pat_equal(a->pat, q->at.pat);
}

static void add_place(struct writing *t, struct place at)
{
    struct instance *in = &t->p->instances[t->owner];
    uint32_t h = cs_hash(cs_pts_hash_pattern(cs_hash(0, at.obj), &at.pat), at.size);
    if (cs_pairset_has(&in->write_set, h, same_place, &(struct place_query){in, at}))
        return;
    cs_pairset_add(&in->write_set, h, in->nwrites, 0);
    CS_GROW(in->writes, in->nwrites, in->awrites);
    in->writes[in->nwrites++] = at;
}

/* Of a lost object all is written. */
static void add_access(struct writing *t, struct cs_loc l, struct cs_pattern rel, int64_t size)
{
    struct cs_pattern pat;
    if (l.obj >= 0 && cs_pts_lost(t->p, l.obj))
        add_place(t, (struct place){cs_pts_home(t->p, l.obj), cs_pat_any(), CS_SIZE_UNKNOWN});
    else if (cs_pts_access_pattern(t->p, &l, rel, &pat))
        add_place(t, (struct place){l.obj, pat, size});
}

static void write_ref(struct writing *t, const struct cs_ref *r)
{
    struct cs_pts *p = t->p;
    if (r->base.kind == CS_OPND_ADDR)
        add_access(t, (struct cs_loc){r->base.id, r->base.pat}, r->pat, r->size);
    int n = r->base.kind == CS_OPND_VALUE ? node_of(t, r->base.id) : -1;
    if (n < 0)
        return;
    const struct cs_bits *m = &p->nodes[cs_pts_find(p, n)].members;
    for (int i = cs_bits_next(m, 0); i >= 0; i = cs_bits_next(m, i + 1))
        add_access(t, p->locs[i], r->pat, r->size);
}

/* All of the objects that it may point to. */
static void write_operand(struct writing *t, struct cs_operand op)
{
    write_ref(t, &(struct cs_ref){op, cs_pat_any(), CS_SIZE_UNKNOWN});
}

static void write_model(struct writing *t, const struct cs_model *m)
{
    t->all |= m->opaque || m->ncallbacks;
    for (int i = 0; i < m->nwrites; i++)
        write_ref(t, &m->writes[i].ref);
    for (int i = 0; i < m->ncopies; i++)
        write_ref(t, &m->copies[i].dst);
    for (int i = 0; i < m->ncarried; i++)
        write_ref(t, &m->carried[i].dst);
    for (int i = 0; i < t->p->g->stmts[m->stmt].nuses; i++)
        write_operand(t, t->p->g->stmts[m->stmt].uses[i]);
}

static bool write_instance(struct writing *t, int in);

/* The instance that the call runs where instance `up` makes it, 0 if there is none. */
static int entered(const struct cs_pts *p, int stmt, int up)
{
    for (int i = stmt < p->nlast_entry ? p->last_entry[stmt] : -1; i >= 0; i = p->entries[i].before)
        if (p->entries[i].up == up)
            return p->entries[i].in;
    return 0;
}

static void write_callee(struct writing *t, int stmt, int func)
{
    struct cs_pts *p = t->p;
    int in = p->g->funcs[func].defined ? entered(p, stmt, t->in) : 0;
    if (in)
        t->all |= !write_instance(t, in);
    else if (p->g->funcs[func].defined)
        cs_intlist_add(&t->to, func);
}

static void write_call(struct writing *t, int stmt)
{
    const struct cs_intset *callees = cs_pts_callees(t->p, stmt);
    for (int i = 0; i < callees->n; i++)
        write_callee(t, stmt, callees->a[i]);
    for (int k = 0; stmt < t->p->ms->nstmts && k < t->p->ms->of_stmt[stmt].n; k++)
        write_model(t, &t->p->ms->m[t->p->ms->of_stmt[stmt].a[k]]);
}

static void write_function(struct writing *t, int func)
{
    const struct cs_func *f = &t->p->g->funcs[func];
    t->all |= f->keep_all;
    for (int b = 0; b < f->nblocks && !t->all; b++)
        for (int k = 0; f->blocks[b].reachable && k < f->blocks[b].nstmts; k++) {
            int stmt = f->blocks[b].stmts[k];
            const struct cs_stmt *s = &t->p->g->stmts[stmt];
            t->all |= s->kind == CS_STMT_ASM;
            if (s->has_store)
                write_ref(t, &s->store);
            if (s->kind == CS_STMT_CALL)
                write_call(t, stmt);
        }
}

/* Functions without instances, and what they call: each is looked at once. */
static void write_others(struct writing *t)
{
    struct cs_intset seen = {0};
    for (int i = 0; i < t->to.n && !t->all; i++)
        if (cs_intset_add(&seen, t->to.a[i])) {
            t->all |= seen.n > MAX_FUNCS;
            write_function(t, t->to.a[i]);
        }
    cs_intset_free(&seen);
}

/* Finds out what the instance writes; false if that may be anything. */
static bool find_writes(struct cs_pts *p, int in)
{
    if (p->instances[in].writes_known == WRITES_UNKNOWN) {
        struct writing t = {.p = p, .owner = in, .in = in};
        p->instances[in].writes_known = WRITES_ALL; /* while it is looked at: for one that calls itself */
        write_function(&t, p->instances[in].func);
        t.in = 0;
        write_others(&t);
        p->instances[in].writes_known = t.all ? WRITES_ALL : WRITES_KNOWN;
        cs_intlist_free(&t.to);
    }
    return p->instances[in].writes_known == WRITES_KNOWN;
}

/* What an instance writes that is run by the one whose set is filled. */
static bool write_instance(struct writing *t, int in)
{
    if (!find_writes(t->p, in))
        return false;
    for (int i = 0; i < t->p->instances[in].nwrites; i++)
        add_place(t, t->p->instances[in].writes[i]);
    return true;
}

bool cs_pts_call_writes(struct cs_pts *p, int stmt, int obj, struct cs_pattern pat, int64_t size)
{
    const struct cs_obj *o = &p->g->objs[obj];
    bool memory = o->kind == CS_OBJ_HEAP || o->kind == CS_OBJ_LOCAL || o->kind == CS_OBJ_GLOBAL;
    int e = stmt < p->nlast_entry ? p->last_entry[stmt] : -1;
    assert(p->solved);
    if (e < 0 || !memory || cs_pts_callees(p, stmt)->n != 1 || cs_pts_lost(p, obj) || obj == p->lost_obj)
        return true;
    for (; e >= 0; e = p->entries[e].before) {
        const struct instance *in = &p->instances[p->entries[e].in];
        if (!find_writes(p, p->entries[e].in))
            return true;
        for (int i = 0; i < in->nwrites; i++)
            if (in->writes[i].obj == obj && cs_pat_overlap(in->writes[i].pat, in->writes[i].size, pat, size))
                return true;
    }
    return false;
}

bool cs_pts_solved_by_call(const struct cs_pts *p, int func)
{
    return p->tells && func < p->nreached && (p->ncalled[func] || p->rest[func]);
}
