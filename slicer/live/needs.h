/* SPDX-License-Identifier: GPL-3.0-or-later
 * What needs what: the steps of a LIVE propagation, as a graph from communication variables back to what decides them.
 * advise/ and `why` ask it what would go with a branch; slicing does not. */
#ifndef CS_NEEDS_H
#define CS_NEEDS_H

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* How control goes, as far as the graph does not say it: of each statement the functions with a body that it calls,
 * callees[first_callee[s]] .. callees[first_callee[s + 1] - 1]; where it runs, itself or the call of whose model it is
 * a part, -1: not known; of each function whether it may run at any time, or in several threads, whether it may
 * call itself, and whether MPI, the system or code that is not seen may call it, as often as they like. first_callee
 * NULL: nothing is known. */
struct cs_need_flow {
    int *first_callee, *callees, *point;
    bool *any_time, *recursive, *called_back;
};

/* So many steps are noted. Where there are more, as in large programs whose pointers have lost their way, none is
 * known: nobody could follow them in time. */
#define CS_NEEDS_MOST (1 << 24)

/* Nodes are numbers. 0 needs all roots. Behind it come, of each statement, itself, its envelope and its content; then
 * values; then what was met on the way: parameters, places in memory, what functions read and change. */
struct cs_needs {
    bool
        brief; /* the caller's: nobody asks for reasons, so that of a step only its two ends are noted, and no writes */
    int nstmts, nvalues, nnodes;
    struct cs_need_other *other; /* of nodes behind values, from the first */
    int nother, aother;
    int files; /* the node of all that is read from files, 0: nothing is */
    int nedges, aedges;
    struct cs_need_edge {
        int from, to;
        int call;      /* 1 + the call by which the step goes from its callee to the caller, or back; 0: by none */
        int among;     /* a step to or from a place: of how many objects it may be one; 0: of one */
        bool replaces; /* from a place to who writes it: all of it, so that nothing of what was there stays */
        bool late;     /* likewise: it takes effect at another time than it runs */
        bool loose;    /* likewise: nobody knows how much of it, or of what is around it, is written */
        int copy;      /* from a place to what is copied there: 1 + the statement that copies it; else 0 */
        bool unsure;   /* likewise: another one may have written part of it since (advise/exact_needs.h) */
        bool unlikely; /* from a place to who hardly means what is read of it (advise/exact_needs.h) */
        bool doubtful; /* it seems that it is not so (live_need.c), or what needs what is not known so exactly
                           (advise/arrivals.h) */
    } * edges;         /* `from` was LIVE, so `to` is */
    int nwrites, awrites;
    struct cs_need_write *writes;
    struct cs_need_flow flow;
};

/* Statement `stmt` writes the place, a node, through a parameter of its function, where `call` calls that; or it is a
 * call that passes on what its function is given, to one that does. A place and a statement of which there is none:
 * nothing is said of them. */
struct cs_need_write {
    int place, stmt, call;
};
/* Their order by place, statement and call, for qsort. */
int cs_need_write_order(const void *x, const void *y);

/* What is met on the way: a parameter, the result of a function, a place that is read, what a function changes. */
enum cs_need_other_kind { CS_NEED_PARAM, CS_NEED_RESULT, CS_NEED_PLACE, CS_NEED_EFFECT };
/* Such a node: of a place and an effect, in which object, or -1. Of a place, `flow`: only the writers count that reach
 * the read; `exact`: it is one variable or member, and no element of an array, of `size` bytes. */
struct cs_need_other {
    enum cs_need_other_kind kind;
    int obj;
    bool flow, exact;
    int64_t size;
};

/* What a node stands for. */
enum cs_need_kind { CS_NEED_ROOT, CS_NEED_STMT, CS_NEED_ENVELOPE, CS_NEED_CONTENT, CS_NEED_VALUE, CS_NEED_OTHER };

static inline int cs_need_stmt(const struct cs_needs *n, int stmt)
{
    assert(stmt >= 0 && stmt < n->nstmts);
    return 1 + stmt;
}

/* `mark`: CS_MARK_ENVELOPE or CS_MARK_CONTENT. */
static inline int cs_need_mark(const struct cs_needs *n, int stmt, int mark)
{
    assert(stmt >= 0 && stmt < n->nstmts && mark > 0 && mark < 3);
    return 1 + mark * n->nstmts + stmt;
}

static inline const struct cs_need_other *cs_need_other(const struct cs_needs *n, int node)
{
    assert(node > 3 * n->nstmts + n->nvalues && node < n->nnodes);
    return &n->other[node - 3 * n->nstmts - n->nvalues - 1];
}

/* The kind of a node, and its statement or value, or -1. */
static inline enum cs_need_kind cs_need_kind(const struct cs_needs *n, int node, int *what)
{
    assert(node >= 0 && node < n->nnodes);
    *what = -1;
    if (node == 0)
        return CS_NEED_ROOT;
    if (node > 3 * n->nstmts + n->nvalues)
        return CS_NEED_OTHER;
    *what = (node - 1) % (n->nstmts ? n->nstmts : 1);
    if (node <= 3 * n->nstmts)
        return (enum cs_need_kind)(CS_NEED_STMT + (node - 1) / n->nstmts);
    *what = node - 1 - 3 * n->nstmts;
    return CS_NEED_VALUE;
}

void cs_needs_free(struct cs_needs *n);

#ifdef __cplusplus
}
#endif

#endif
