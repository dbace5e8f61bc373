/* SPDX-License-Identifier: GPL-3.0-or-later
 * Assumptions in GIMPLE; assume_gimple.h. Adds statements only, and no control flow: counters are variables in memory.
 *   slice:     if (x > eps)  ->  if (trip < 137)
 *   original:  if (x > eps)  ->  violations[0] += (x > eps) == wrong;  if (x > eps) */
#include "gcc-plugin/apply/assume_gimple.h"

#include <set>
#include <string>

#include "api/assumed_value.h"
#include "base/shown.h"
#include "gcc-plugin/lower/comparisons.h"
#include "gcc-plugin/apply/expression_gimple.h"
#include "slicer/control/called.h"
#include "slicer/control/endless.h"
#include "slicer/graph/branch_lines.h"

namespace {

/* As people are shown it, until the next one is. */
const char *shown(const char *text)
{
    static char out[CS_SHOWN_SIZE];
    cs_shown(out, text, strlen(text));
    return out;
}

/* ---- senses: runs in the compilers ---- */

bool is_truth(tree t)
{
    tree type = TREE_TYPE(t);
    return TREE_CODE(type) == BOOLEAN_TYPE || (INTEGRAL_TYPE_P(type) && TYPE_PRECISION(type) == 1);
}

bool holds(tree_code code, int a, tree b)
{
    return !integer_zerop(fold_binary(code, boolean_type_node, build_int_cst(TREE_TYPE(b), a), b));
}

/* What a comparison of a truth value with this constant says: 1 the value, -1 its opposite, 0 neither. */
int says(tree_code code, tree constant)
{
    if (TREE_CODE_CLASS(code) != tcc_comparison || TREE_CODE(constant) != INTEGER_CST ||
        !INTEGRAL_TYPE_P(TREE_TYPE(constant)))
        return 0;
    bool if_no = holds(code, 0, constant), if_yes = holds(code, 1, constant);
    return if_yes - if_no;
}

/* The truth value or integer from which t was computed in one step: a conversion that keeps the value, a complement or
 * a comparison with a constant. Inverts *flipped if the step inverts the value. NULL: no such step. */
tree made_from(tree t, bool *flipped)
{
    gimple *d = TREE_CODE(t) == SSA_NAME ? SSA_NAME_DEF_STMT(t) : NULL;
    if (!d || !is_gimple_assign(d))
        return NULL_TREE;
    tree_code code = gimple_assign_rhs_code(d);
    tree x = gimple_assign_rhs1(d), type = TREE_TYPE(x);
    if (TREE_CODE(x) != SSA_NAME || !INTEGRAL_TYPE_P(type))
        return NULL_TREE;
    if (CONVERT_EXPR_CODE_P(code))
        return INTEGRAL_TYPE_P(TREE_TYPE(t)) && TYPE_UNSIGNED(type) &&
                       TYPE_PRECISION(type) <= TYPE_PRECISION(TREE_TYPE(t))
                   ? x
                   : NULL_TREE;
    bool complement =
        (code == BIT_NOT_EXPR && is_truth(t)) || (code == BIT_XOR_EXPR && integer_onep(gimple_assign_rhs2(d)));
    int sense = complement ? -1 : TREE_CODE_CLASS(code) == tcc_comparison ? says(code, gimple_assign_rhs2(d)) : 0;
    *flipped ^= sense < 0;
    return sense ? x : NULL_TREE;
}

/* The truth value that `c` tests, as far back as made_from() leads. *flipped: the branch is taken if it is false. NULL
 * if `c` tests anything else. */
tree asked(gcond *c, bool *flipped)
{
    tree found = NULL_TREE;
    int sense = says(gimple_cond_code(c), gimple_cond_rhs(c));
    bool way = sense < 0;
    for (tree t = sense ? gimple_cond_lhs(c) : NULL_TREE; t; t = made_from(t, &way)) {
        if (!is_truth(t) || (TREE_CODE(t) == SSA_NAME && SSA_NAME_OCCURS_IN_ABNORMAL_PHI(t)))
            continue;
        found = t;
        *flipped = way;
    }
    return found;
}

/* GCC turns `if (b == 0)` of a truth value into `if (b != 0)` with the sides exchanged, also where b went through other
 * types, and leaves no sign of it. So this pass does the same first, and notes an exchange in the statement's
 * no_warning bit, which reaches the link with the statement. */
void note_sense(gcond *c, basic_block bb)
{
    bool flipped = false;
    tree x = asked(c, &flipped);
    gimple_set_no_warning(c, flipped);
    if (!x)
        return;
    gimple_cond_set_condition(c, NE_EXPR, x, build_zero_cst(TREE_TYPE(x)));
    for (unsigned i = 0; flipped && i < 2; i++)
        EDGE_SUCC(bb, i)->flags ^= EDGE_TRUE_VALUE | EDGE_FALSE_VALUE;
    update_stmt(c);
}

const pass_data senses_data = {
    GIMPLE_PASS, "commslice_senses", OPTGROUP_NONE, TV_NONE, PROP_cfg | PROP_ssa, 0, 0, 0, 0};

/* The pass before optimisation that gives each comparison a branch, and calls note_sense() for each. */
struct senses_pass : gimple_opt_pass {
    senses_pass(gcc::context *c) : gimple_opt_pass(senses_data, c)
    {
    }
    unsigned int execute(function *fn) final override
    {
        basic_block bb;
        cs_split_comparisons(fn);
        FOR_EACH_BB_FN (bb, fn) {
            gimple *last = last_nondebug_stmt(bb);
            if (last && gimple_code(last) == GIMPLE_COND)
                note_sense(as_a<gcond *>(last), bb);
        }
        cs_note_turns(fn);
        return 0;
    }
};

/* ---- statements of our own ---- */

void insert(gimple_stmt_iterator *at, gimple *g)
{
    gimple_set_uid(g, 0);
    gsi_insert_before(at, g, GSI_SAME_STMT);
}

/* name <- a op b */
tree compute(gimple_stmt_iterator *at, tree type, tree_code op, tree a, tree b)
{
    tree name = make_ssa_name(type);
    insert(at, b ? gimple_build_assign(name, op, a, b) : gimple_build_assign(name, op, a));
    return name;
}

tree load(gimple_stmt_iterator *at, tree place)
{
    tree name = make_ssa_name(TREE_TYPE(place));
    insert(at, gimple_build_assign(name, unshare_expr(place)));
    return name;
}

/* place += amount */
void add_to(gimple_stmt_iterator *at, tree place, tree amount)
{
    tree sum = compute(at, TREE_TYPE(place), PLUS_EXPR, load(at, place), amount);
    insert(at, gimple_build_assign(unshare_expr(place), sum));
}

tree number(HOST_WIDE_INT n)
{
    return build_int_cst(long_long_integer_type_node, n);
}

/* The end of the block, but before a last statement that decides where the block leads or may throw. */
gimple_stmt_iterator end_of(basic_block bb)
{
    gimple_stmt_iterator i = gsi_last_bb(bb);
    if (!gsi_end_p(i) && !stmt_ends_bb_p(gsi_stmt(i)))
        gsi_next(&i);
    return i;
}

/* What a counted loop has in memory, so that it needs no phi: the number of the current iteration, from 0, and the one
 * in which the loop ends, a constant if that is known. */
struct Counted {
    tree counter, limit;
};

tree memory(const char *name)
{
    tree v = create_tmp_var(long_long_integer_type_node, name);
    TREE_ADDRESSABLE(v) = 1;
    return v;
}

/* Was the loop just entered? 1 or 0, at the start of its header, before the counter goes up. The block before cannot
 * tell: it may be one that also goes another way. */
tree just_entered(gimple_stmt_iterator *head, tree counter)
{
    tree fresh = compute(head, boolean_type_node, EQ_EXPR, load(head, counter), number(-1));
    return compute(head, long_long_integer_type_node, NOP_EXPR, fresh, NULL_TREE);
}

/* limit <- the trip count, if the loop was just entered. */
void set_limit(gimple_stmt_iterator *at, const cs_trip *t, const Counted *c)
{
    tree type = long_long_integer_type_node, fresh = just_entered(at, c->counter);
    gimple_seq seq = NULL;
    tree n = cs_seq_expression(&seq, t->value, fresh), now = make_ssa_name(type);
    if (t->later)
        n = cs_seq_compute(&seq, type, MINUS_EXPR, cs_seq_compute(&seq, type, MAX_EXPR, n, number(1)), number(1));
    tree is_fresh = cs_seq_compute(&seq, boolean_type_node, NE_EXPR, fresh, number(0));
    gimple_seq_add_stmt(&seq, gimple_build_assign(now, COND_EXPR, is_fresh, n, cs_seq_load(&seq, c->limit)));
    gimple_seq_add_stmt(&seq, gimple_build_assign(c->limit, now));
    for (gimple_stmt_iterator i = gsi_start(seq); !gsi_end_p(i); gsi_next(&i))
        gimple_set_uid(gsi_stmt(i), 0);
    gsi_insert_seq_before(at, seq, GSI_SAME_STMT);
}

Counted make_counter(const cs_lowered *f, const cs_trip *t)
{
    Counted c = {memory("commslice_trip"), t->value ? memory("commslice_limit") : number(t->limit)};
    for (int i = 0; i < t->nentries; i++) {
        gimple_stmt_iterator at = end_of(f->order[t->entries[i]]);
        insert(&at, gimple_build_assign(c.counter, number(-1)));
    }
    gimple_stmt_iterator head = gsi_after_labels(f->order[t->header]);
    if (t->value)
        set_limit(&head, t, &c);
    add_to(&head, c.counter, number(1));
    return c;
}

tree limit_of(gimple_stmt_iterator *at, const Counted *c)
{
    return TREE_CODE(c->limit) == INTEGER_CST ? c->limit : load(at, c->limit);
}

gcond *branch_of(const cs_graph *g, const cs_lowered *f, int stmt)
{
    gimple *last = last_nondebug_stmt(f->order[g->stmts[stmt].block]);
    gcc_assert(last && gimple_code(last) == GIMPLE_COND && gimple_uid(last) == (unsigned)stmt + 1);
    return as_a<gcond *>(last);
}

/* A truth value: the branch takes this edge (0 or 1) against the rule, for CS_EDGE_EXIT before iteration `limit`, for
 * CS_EDGE_BODY from it on, for CS_EDGE_DEAD at any time. */
tree wrong_way(gimple_stmt_iterator *at, gcond *c, int edge, enum cs_edge_rule rule, const Counted *loop)
{
    tree taken = compute(at, boolean_type_node, gimple_cond_code(c), gimple_cond_lhs(c), gimple_cond_rhs(c));
    if (edge == 1)
        taken = compute(at, boolean_type_node, BIT_NOT_EXPR, taken, NULL_TREE);
    if (rule == CS_EDGE_DEAD)
        return taken;
    tree_code before = rule == CS_EDGE_EXIT ? LT_EXPR : GE_EXPR;
    tree when = compute(at, boolean_type_node, before, load(at, loop->counter), limit_of(at, loop));
    return compute(at, boolean_type_node, BIT_AND_EXPR, taken, when);
}

/* The expression, as it is before a statement. */
tree expression_at(gimple_stmt_iterator *at, const cs_expr *e)
{
    gimple_seq seq = NULL;
    tree value = cs_seq_expression(&seq, e);
    for (gimple_stmt_iterator i = gsi_start(seq); !gsi_end_p(i); gsi_next(&i))
        gimple_set_uid(gsi_stmt(i), 0);
    gsi_insert_seq_before(at, seq, GSI_SAME_STMT);
    return value;
}

/* 1 if the branch takes this edge, 0 if not. */
tree takes(gimple_stmt_iterator *at, gcond *c, int edge)
{
    tree taken = compute(at, boolean_type_node, gimple_cond_code(c), gimple_cond_lhs(c), gimple_cond_rhs(c));
    if (edge == 1)
        taken = compute(at, boolean_type_node, BIT_NOT_EXPR, taken, NULL_TREE);
    return compute(at, long_long_integer_type_node, NOP_EXPR, taken, NULL_TREE);
}

/* Counts in `violations` where the branch goes another way than the expression says. */
void check_when(const cs_graph *g, const cs_lowered *f, const cs_when *w, tree violations)
{
    gcond *c = branch_of(g, f, w->stmt);
    gimple_stmt_iterator at = gsi_for_stmt(c);
    tree said = compute(&at, boolean_type_node, NE_EXPR, expression_at(&at, w->value), number(0));
    said = compute(&at, long_long_integer_type_node, NOP_EXPR, said, NULL_TREE);
    add_to(&at, violations, compute(&at, long_long_integer_type_node, BIT_XOR_EXPR, said, takes(&at, c, w->edge)));
}

void check_branch(const cs_graph *g, const cs_lowered *f, const cs_decided *d, const Counted *loop, tree violations)
{
    gcond *c = branch_of(g, f, d->stmt);
    gimple_stmt_iterator at = gsi_for_stmt(c);
    for (int i = 0; i < 2; i++) {
        if (d->rule[i] == CS_EDGE_FREE)
            continue;
        tree wrong = wrong_way(&at, c, i, d->rule[i], loop);
        add_to(&at, violations, compute(&at, long_long_integer_type_node, NOP_EXPR, wrong, NULL_TREE));
    }
}

} // namespace

void cs_assume_keep_senses(const char *plugin)
{
    struct register_pass_info info = {new senses_pass(g), "ssa", 1, PASS_POS_INSERT_AFTER};
    register_callback(plugin, PLUGIN_PASS_MANAGER_SETUP, NULL, &info);
}

void cs_assume_values(struct cs_assumptions *as)
{
    char err[512];
    for (unsigned i = 0; i < as->texts.length(); i++) {
        cs_assumption a;
        if (cs_assume_parse(as->texts[i], &a, err, sizeof err))
            fatal_error(UNKNOWN_LOCATION, "commslice: %s", err);
        if (a.kind != CS_ASSUME_VALUE)
            continue;
        int n = cs_value_assume(&a, i, &as->values, err, sizeof err);
        if (!n)
            fatal_error(UNKNOWN_LOCATION, "commslice: %s", err);
        fprintf(stderr, "commslice: assuming %s (%d place%s)\n", shown(as->texts[i]), n, n == 1 ? "" : "s");
    }
}

void cs_assume_called(struct cs_program *p, struct cs_assumptions *as)
{
    char err[512];
    as->only_called = -1;
    for (unsigned i = 0; i < as->texts.length(); i++) {
        cs_assumption a;
        if (cs_assume_parse(as->texts[i], &a, err, sizeof err) || a.kind != CS_ASSUME_CALLED)
            continue;
        int n = cs_called_assume(p->graph, a.file, err, sizeof err);
        if (n < 0)
            fatal_error(UNKNOWN_LOCATION, "commslice: %s", err);
        fprintf(stderr, "commslice: assuming %s (%d of %d functions are not called)\n", as->texts[i], n,
                (int)p->funcs.length());
        as->only_called = i;
    }
}

namespace {

bool counts_iterations(const cs_expr *e)
{
    for (int i = 0; e && i < e->n; i++)
        if (e->node[i].op == CS_EXPR_ITERATION)
            return true;
    return false;
}

/* Does the assumption count in such a function? */
bool counts_called_back(const struct cs_program *p, const struct cs_assumptions *as, unsigned i,
                        const bool *called_back)
{
    bool any = false;
    for (int k = 0; k < as->decided[i].nwhens; k++)
        any |= called_back[as->decided[i].whens[k].func] && counts_iterations(as->decided[i].whens[k].value);
    for (int k = 0; k < as->decided[i].ntrips; k++)
        any |= called_back[as->decided[i].trips[k].func] && counts_iterations(as->decided[i].trips[k].value);
    cs_assumption a;
    char err[512];
    if (any || cs_assume_parse(as->texts[i], &a, err, sizeof err) || a.kind != CS_ASSUME_VALUE ||
        !counts_iterations(&a.value))
        return any;
    for (unsigned k = 0; k < as->values.length(); k++)
        for (unsigned f = 0; as->values[k].assumption == (int)i && f < p->funcs.length(); f++)
            any |= p->funcs[f].node == as->values[k].node && called_back[p->funcs[f].func];
    return any;
}

/* A loop may be left without a way out by several assumptions together: the last of them is named. */
void warn_endless(const struct cs_program *p, const struct cs_assumptions *as)
{
    const cs_graph *g = p->graph;
    for (unsigned i = as->decided.length(); i-- > 0;) {
        int stmt = cs_endless_by(g, &as->decided[i]);
        if (stmt < 0)
            continue;
        fprintf(
            stderr,
            "commslice: warning: assumption %s leaves the loop around %s:%d no way out: a run that comes to it does "
            "not end\n",
            shown(as->texts[i]), cs_graph_str(g, g->stmts[stmt].file), g->stmts[stmt].line);
        return;
    }
}

} // namespace

void cs_assume_warn(const struct cs_program *p, const struct cs_assumptions *as, const bool *called_back)
{
    warn_endless(p, as);
    for (unsigned i = 0; called_back && i < as->texts.length(); i++)
        if (counts_called_back(p, as, i, called_back))
            fprintf(stderr,
                    "commslice: warning: assumption %s counts how often the rank comes there, in a function that MPI, "
                    "the system or code that is not seen calls as often as it likes: the trace may be wrong; assume "
                    "what is communicated instead\n",
                    shown(as->texts[i]));
}

int cs_assume_stmt(const struct cs_assumptions *as, unsigned assumption)
{
    if (as->decided[assumption].ndecided)
        return as->decided[assumption].decided[0].stmt;
    for (unsigned i = 0; i < as->values.length(); i++)
        if (as->values[i].assumption == (int)assumption)
            return cs_value_stmt(&as->values[i]);
    return -1;
}

void cs_assume_decide(struct cs_program *p, struct cs_assumptions *as)
{
    char err[512];
    for (unsigned i = 0; i < as->texts.length(); i++) {
        cs_assumption a;
        cs_assumed done = {};
        const char *text = as->texts[i];
        if (cs_assume_parse(text, &a, err, sizeof err))
            fatal_error(UNKNOWN_LOCATION, "commslice: %s", err);
        if (a.kind == CS_ASSUME_VALUE || a.kind == CS_ASSUME_CALLED) {
            as->decided.safe_push(done);
            continue;
        }
        int n = cs_assume_apply(p->graph, &a, &done, err, sizeof err);
        if (n < 0)
            fatal_error(UNKNOWN_LOCATION, "commslice: %s", err);
        if (!n)
            fatal_error(
                UNKNOWN_LOCATION,
                a.nth && cs_assume_has_line(p->graph, &a)
                    ? "commslice: assumption %qs matches no branch: the line has no comparison of this number, or "
                      "the compiler knows how it goes"
                    : "commslice: assumption %qs matches no branch: give the line of an %<if%> or loop",
                shown(text));
        if (a.kind == CS_ASSUME_NO_MPI_ERRORS)
            fprintf(stderr, "commslice: assuming " CS_NO_MPI_ERRORS "\n");
        else if (a.kind != CS_ASSUME_NO_READ_BACK) /* said once the slicer has counted the writes */
            fprintf(stderr, "commslice: assuming %s (%d branch%s)\n", shown(text), n, n == 1 ? "" : "es");
        as->decided.safe_push(done);
    }
}

void cs_assume_sweep(const struct cs_graph *g, const struct cs_assumptions *as, const struct cs_lowered *f)
{
    for (unsigned i = 0; i < as->decided.length(); i++)
        for (int k = 0; k < as->decided[i].ntrips; k++) {
            const cs_trip *t = &as->decided[i].trips[k];
            if (t->func != f->func || !g->stmts[t->stmt].keep)
                continue;
            gcond *c = branch_of(g, f, t->stmt);
            gimple_stmt_iterator at = gsi_for_stmt(c);
            Counted loop = make_counter(f, t);
            tree now = load(&at, loop.counter), limit = limit_of(&at, &loop);
            gimple_cond_set_condition(c, t->exit_edge == 0 ? GE_EXPR : LT_EXPR, now, limit);
            update_stmt(c);
        }
    for (unsigned i = 0; i < as->decided.length(); i++)
        for (int k = 0; k < as->decided[i].nwhens; k++) {
            const cs_when *w = &as->decided[i].whens[k];
            if (w->func != f->func || !g->stmts[w->stmt].keep)
                continue;
            gcond *c = branch_of(g, f, w->stmt);
            gimple_stmt_iterator at = gsi_for_stmt(c);
            gimple_cond_set_condition(c, w->edge == 0 ? NE_EXPR : EQ_EXPR, expression_at(&at, w->value), number(0));
            update_stmt(c);
        }
}

void cs_assume_tell_called(basic_block bb, tree tell)
{
    gimple_seq seq = NULL;
    cs_seq_tell(&seq, build_int_cst(long_integer_type_node, -1), tell);
    for (gimple_stmt_iterator i = gsi_start(seq); !gsi_end_p(i); gsi_next(&i))
        gimple_set_uid(gsi_stmt(i), 0);
    gimple_stmt_iterator at = gsi_last_bb(bb);
    gsi_insert_seq_after(&at, seq, GSI_NEW_STMT);
}

namespace {

/* Is the count of a loop of the function, or what a condition does, an expression, which may call? */
bool has_expression(const struct cs_assumed *a, int func)
{
    for (int k = 0; k < a->nwhens; k++)
        if (a->whens[k].func == func)
            return true;
    for (int k = 0; k < a->ntrips; k++)
        if (a->trips[k].func == func && a->trips[k].value)
            return true;
    return false;
}

/* Function f counts in violations[nr] where it goes against one assumption. */
void check_assumption(const struct cs_graph *g, const struct cs_assumed *a, const struct cs_lowered *f, tree violations,
                      unsigned nr)
{
    auto_vec<Counted> loops;
    for (int k = 0; k < a->ntrips; k++)
        loops.safe_push(a->trips[k].func == f->func ? make_counter(f, &a->trips[k]) : Counted());
    tree place =
        build4(ARRAY_REF, long_long_integer_type_node, violations, build_int_cst(sizetype, nr), NULL_TREE, NULL_TREE);
    for (int k = 0; k < a->nwhens; k++)
        if (a->whens[k].func == f->func)
            check_when(g, f, &a->whens[k], place);
    for (int k = 0; k < a->ndecided; k++) {
        const cs_decided *d = &a->decided[k];
        if (g->stmts[d->stmt].func == f->func)
            check_branch(g, f, d, d->trip < 0 ? NULL : &loops[d->trip], place);
    }
}

/* Applies FILE:LINE=KIND and takes it back: it is known then which edges it is about. */
bool edges_of(struct cs_graph *g, const char *line, const char *kind, cs_assumed *done)
{
    char err[512];
    cs_assumption a;
    std::string text = std::string(line) + kind;
    if (cs_assume_parse(text.c_str(), &a, err, sizeof err) || cs_assume_apply(g, &a, done, err, sizeof err) <= 0)
        return false;
    for (int k = 0; k < done->ndecided; k++) {
        const cs_stmt *s = &g->stmts[done->decided[k].stmt];
        for (int i = 0; i < 2; i++)
            if (done->decided[k].rule[i] == CS_EDGE_DEAD)
                g->funcs[s->func].blocks[s->block].never[i] = false;
    }
    return true;
}

bool about_edge(const cs_assumed *a, int stmt, int edge)
{
    for (int k = 0; k < a->ndecided; k++)
        if (a->decided[k].stmt == stmt && a->decided[k].rule[edge] == CS_EDGE_DEAD)
            return true;
    return false;
}

/* Does the edge lead to another branch of the same line, by blocks that only go on? */
bool stays_on_line(const struct cs_graph *g, const cs_stmt *s, int to)
{
    const cs_func *f = &g->funcs[s->func];
    for (int steps = 0; to >= 0 && steps < f->nblocks; steps++) {
        int branch = cs_block_branch(g, s->func, to);
        if (branch >= 0)
            return g->stmts[branch].line == s->line && g->stmts[branch].file == s->file;
        if (f->blocks[to].nsuccs != 1)
            return false;
        to = f->blocks[to].succs[0];
    }
    return false;
}

/* Do the edges by which the line's condition is known to hold, or to fail, count each of its evaluations? Not where the
 * compiler leads one comparison's failure past what follows, as it decides that, too. */
bool counts_all(const struct cs_graph *g, int stmt, const cs_assumed *held, const cs_assumed *failed)
{
    int n;
    const int *at = cs_branches_at(g, g->stmts[stmt].line, &n);
    for (int k = 0; k < n; k++) {
        int i = at[k];
        const cs_stmt *s = &g->stmts[i];
        if (s->kind != CS_STMT_COND || s->file != g->stmts[stmt].file)
            continue;
        const cs_block *b = &g->funcs[s->func].blocks[s->block];
        for (int e = 0; e < 2; e++)
            if (!b->never[e] && !about_edge(held, i, e) && !about_edge(failed, i, e) &&
                !stays_on_line(g, s, b->succs[e]))
                return false;
    }
    return true;
}

/* What value_counter() is about. */
tree counters;
unsigned behind_lines; /* counters of assumptions and of lines that are watched */

tree value_counter(int i, int k)
{
    unsigned at = k == 0 ? i : behind_lines + 2 * i + k - 1;
    return build4(ARRAY_REF, long_long_integer_type_node, counters, build_int_cst(sizetype, at), NULL_TREE, NULL_TREE);
}

unsigned before_seen; /* counters in front of those of values that are noted */

tree seen_counter(int i, int k)
{
    tree at = build_int_cst(sizetype, before_seen + CS_SEEN_COUNTERS * i + k);
    return build4(ARRAY_REF, long_long_integer_type_node, counters, at, NULL_TREE, NULL_TREE);
}

/* Notes n as what it was the last time that it was counted. */
void note_latest(gimple_stmt_iterator *at, int index, tree n)
{
    tree type = long_long_integer_type_node, begin = seen_counter(index, CS_SEEN_SUMS - 1);
    tree which = compute(at, type, MIN_EXPR, load(at, seen_counter(index, 0)), number(CS_SEEN_FIRST));
    which = compute(at, type, MAX_EXPR, which, number(1));
    which = compute(at, type, PLUS_EXPR, which, fold_convert(type, TREE_OPERAND(begin, 1)));
    insert(at, gimple_build_assign(build4(ARRAY_REF, type, counters, which, NULL_TREE, NULL_TREE), n));
}

/* Calls what `tell` points to with where the value is noted. */
void tell_recorder(gimple_stmt_iterator *at, int index, tree tell)
{
    gimple_seq seq = NULL;
    cs_seq_tell(&seq, seen_counter(index, 0), tell);
    for (gimple_stmt_iterator i = gsi_start(seq); !gsi_end_p(i); gsi_next(&i))
        gimple_set_uid(gsi_stmt(i), 0);
    gsi_insert_seq_before(at, seq, GSI_SAME_STMT);
}

/* 1 if the branch does not leave its loop; where it asks the rest of a condition, that says so once more. */
tree goes_on(gimple_stmt_iterator *at, gcond *c, const cs_decided *ask)
{
    for (int edge = 0; edge < 2; edge++)
        if (ask->rule[edge] == CS_EDGE_EXIT)
            return takes(at, c, !edge);
    return number(1);
}

/* Has each branch of the loop's condition note, each time, how many iterations there are at least since the loop was
 * entered: the last time it is how many there were, which is told when the loop is entered the next time. */
void note_trips(const struct cs_graph *g, const struct cs_lowered *f, const cs_seen_trip *s, tree tell)
{
    tree type = long_long_integer_type_node, times = seen_counter(s->index, 0);
    const cs_trip *t = &s->trip;
    for (int i = 0; i < t->nentries; i++) {
        gimple_stmt_iterator entry = end_of(f->order[t->entries[i]]);
        tell_recorder(&entry, s->index, tell);
    }
    Counted loop = make_counter(f, t);
    gimple_stmt_iterator head = gsi_after_labels(f->order[t->header]);
    add_to(&head, times, just_entered(&head, loop.counter));
    for (int i = 0; i < t->nasks; i++) {
        gcond *c = branch_of(g, f, t->asks[i].stmt);
        gimple_stmt_iterator at = gsi_for_stmt(c);
        tree n = compute(&at, type, PLUS_EXPR, load(&at, loop.counter), goes_on(&at, c, &t->asks[i]));
        note_latest(&at, s->index, compute(&at, type, PLUS_EXPR, n, number(t->later)));
    }
}

/* Has the condition note, each time, whether it held. */
void note_when(const struct cs_graph *g, const struct cs_lowered *f, const cs_seen_when *s, tree tell)
{
    gcond *c = branch_of(g, f, s->stmt);
    gimple_stmt_iterator at = gsi_for_stmt(c);
    add_to(&at, seen_counter(s->index, 0), number(1));
    note_latest(&at, s->index, takes(&at, c, cs_assume_true_edge(g, s->stmt, s->nth)));
    tell_recorder(&at, s->index, tell);
}

} // namespace

namespace {

enum { MOST = 300 }; /* loops, and conditions, of which it notes what they do each time */

/* Has the original note what the branch does each time, if a name means it alone. */
void watch_when(struct cs_program *p, struct cs_assumptions *as, int stmt, enum cs_seen_order order)
{
    const cs_stmt *s = &p->graph->stmts[stmt];
    int nth;
    if (as->seen_whens.length() == MOST || s->kind != CS_STMT_COND || !cs_assume_only_when(p->graph, stmt, &nth))
        return;
    as->seen_whens.safe_push({(int)as->seen.length(), stmt, nth});
    std::string k = nth ? "." + std::to_string(nth) : "";
    as->seen.safe_push(xasprintf("%s:%d%s=when(N)", cs_graph_str(p->graph, s->file), s->line, k.c_str()));
    as->seen_order.safe_push(order);
}

} // namespace

void cs_assume_watch_trips(struct cs_program *p, struct cs_assumptions *as, int stmt, enum cs_seen_order order,
                           bool loops)
{
    const cs_stmt *s = &p->graph->stmts[stmt];
    cs_seen_trip seen = {(int)as->seen.length(), cs_trip()};
    if (s->kind == CS_STMT_COND && as->seen_trips.length() < MOST && cs_assume_only_trip(p->graph, stmt, &seen.trip)) {
        if (!loops) {
            free(seen.trip.asks);
            return;
        }
        as->seen_trips.safe_push(seen);
        as->seen.safe_push(xasprintf("%s:%d=N", cs_graph_str(p->graph, s->file), s->line));
        as->seen_order.safe_push(order);
        return;
    }
    int n;
    const int *at = cs_branches_at(p->graph, s->line, &n);
    for (int i = 0; i < n; i++)
        if (p->graph->stmts[at[i]].func == s->func && p->graph->stmts[at[i]].file == s->file)
            watch_when(p, as, at[i], order);
}

namespace {

/* Has the original count what FILE:LINE or FILE:LINE.K does, of which `stmt` is a branch, if that can be told. */
void watch_condition(struct cs_program *p, struct cs_assumptions *as, int stmt, int nth)
{
    const cs_stmt *s = &p->graph->stmts[stmt];
    cs_assumed held = {}, failed = {};
    std::string k = nth ? "." + std::to_string(nth) : "";
    char *line = xasprintf("%s:%d%s", cs_graph_str(p->graph, s->file), s->line, k.c_str());
    if (edges_of(p->graph, line, "=never", &held) && edges_of(p->graph, line, "=always", &failed) &&
        (nth || counts_all(p->graph, stmt, &held, &failed))) {
        as->watched.safe_push(line);
        as->watching.safe_push(held);
        as->watching.safe_push(failed);
        return;
    }
    cs_assumed_free(&held);
    cs_assumed_free(&failed);
    free(line);
}

} // namespace

void cs_assume_watch(struct cs_program *p, struct cs_assumptions *as, int stmt)
{
    const cs_stmt *s = &p->graph->stmts[stmt];
    std::set<int> numbers;
    watch_condition(p, as, stmt, 0);
    int n, edge;
    const int *at = cs_branches_at(p->graph, s->line, &n);
    for (int i = 0; i < n; i++) {
        if (p->graph->stmts[at[i]].kind != CS_STMT_COND || p->graph->stmts[at[i]].file != s->file)
            continue;
        int nth = cs_assume_nth(p->graph, at[i]);
        if (nth > 0 && cs_assume_leaving(p->graph, at[i], &edge) != CS_LEAVES_NONE && numbers.insert(nth).second)
            watch_condition(p, as, at[i], nth);
    }
}

void cs_assume_watch_value(struct cs_assumptions *as, const char *text, enum cs_seen_order order)
{
    if (!cs_value_find(text, as->seen.length(), &as->seen_places))
        return;
    as->seen.safe_push(xstrdup(text));
    as->seen_order.safe_push(order);
}

void cs_assume_watch_calls(const struct cs_program *p, struct cs_assumptions *as)
{
    as->called.safe_grow_cleared(p->graph->nfuncs);
    for (int f = 0; f < p->graph->nfuncs; f++)
        as->called[f] = -1;
    for (unsigned i = 0; i < p->funcs.length(); i++) {
        char *name = cs_called_name(p->graph, p->funcs[i].func);
        as->called[p->funcs[i].func] = as->watched.length();
        as->watched.safe_push(xasprintf(CS_ONLY_CALLED "%s", name));
        as->watching.safe_push(cs_assumed());
        as->watching.safe_push(cs_assumed());
        free(name);
    }
}

void cs_assume_watch_files(struct cs_assumptions *as)
{
    as->watched.safe_push(CS_NO_READ_BACK);
    as->watching.safe_push(cs_assumed());
    as->watching.safe_push(cs_assumed());
}

namespace {

/* The function counts its calls, and those that an assumption rules out. */
void count_calls(const struct cs_graph *g, const struct cs_assumptions *as, const struct cs_lowered *f, tree violations)
{
    gimple_stmt_iterator at = gsi_after_labels(f->order[0]);
    tree type = long_long_integer_type_node;
    auto count = [&](int i) {
        add_to(&at, build4(ARRAY_REF, type, violations, build_int_cst(sizetype, i), NULL_TREE, NULL_TREE), number(1));
    };
    if (g->funcs[f->func].uncalled)
        count(as->only_called);
    if (!as->called.is_empty() && as->called[f->func] >= 0)
        count(as->decided.length() + 2 * as->called[f->func]);
}

} // namespace

void cs_assume_check(const struct cs_graph *g, const struct cs_assumptions *as, const struct cs_lowered *f,
                     tree violations, tree tell)
{
    counters = violations;
    count_calls(g, as, f, violations);
    behind_lines = as->decided.length() + as->watching.length();
    before_seen = behind_lines + 2 * as->texts.length();
    bool calls = cs_value_observe(&as->seen_places, f->node, seen_counter, tell);
    calls |= cs_value_check(&as->values, f->node, value_counter);
    for (unsigned i = 0; i < as->seen_trips.length(); i++)
        if (as->seen_trips[i].trip.func == f->func) {
            note_trips(g, f, &as->seen_trips[i], tell);
            calls = true;
        }
    for (unsigned i = 0; i < as->seen_whens.length(); i++)
        if (g->stmts[as->seen_whens[i].stmt].func == f->func) {
            note_when(g, f, &as->seen_whens[i], tell);
            calls = true;
        }
    for (unsigned i = 0; i < as->decided.length(); i++)
        check_assumption(g, &as->decided[i], f, violations, i);
    for (unsigned i = 0; i < as->watching.length(); i++)
        check_assumption(g, &as->watching[i], f, violations, as->decided.length() + i);
    for (unsigned i = 0; i < as->decided.length(); i++)
        calls |= has_expression(&as->decided[i], f->func);
    if (calls)
        cgraph_edge::rebuild_edges();
}

void cs_assume_stateful(const struct cs_program *p, const struct cs_assumptions *as, vec<bool> *stateful)
{
    for (int f = 0; f < p->graph->nfuncs; f++) {
        bool any = false;
        for (unsigned i = 0; i < as->decided.length(); i++)
            any |= has_expression(&as->decided[i], f);
        stateful->safe_push(any);
    }
}

tree cs_assume_counters_type(const struct cs_assumptions *as)
{
    return build_array_type_nelts(long_long_integer_type_node, 3 * as->texts.length() + as->watching.length() +
                                                                   CS_SEEN_COUNTERS * as->seen.length());
}
