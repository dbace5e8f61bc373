/* SPDX-License-Identifier: GPL-3.0-or-later
 * What a turn of a loop begins with, and what it sees of counters; compare_turns.h. A counter is a value that goes on
 * by a constant, and of which a turn uses nothing but how it compares with others, and its rest by some number. All
 * other values that go on are told as they are, and so is memory that is carried.
 *
 *     for (i = 0, odd = 0; i < n; i++, odd = !odd)          i: a counter, which is compared with n
 *         if (i % 10 == 0) ...                               whether its rest by 10 is 0
 *         else if (odd) ...                                  odd: a value                                            */
#include "gcc-plugin/apply/compare_turns.h"

#include "api/repeated_turns.h"

namespace {

using namespace cs_turns;

/* A statement in which a counter is seen, and what the recorder is told of it. */
struct Seen {
    gimple *at;
    unsigned counter;
    HOST_WIDE_INT is; /* with REST_IS */
    tree with;        /* what it is compared with, or divided by */
    long how;
};

/* One loop: counters are the loop's own; `values`, PHIs of its header; `names`, all that a counter's value has. */
struct Turn {
    Loop *l = NULL;
    auto_vec<gphi *> values;
    auto_vec<Seen> seen;
    hash_set<tree> names;
};

const char *const used = "its counter is used in the loop";
/* Test only: the kind that is forgotten; how many there have been; whether each is printed. */
int overlooked, told;
bool listed;

/* Where `commslice info` says that the loop is. */
void list_kind(const cs_graph *g, const cs_alike_loop *k, const char *what)
{
    const cs_block *b = &g->funcs[k->func].blocks[k->test >= 0 ? k->test : k->header];
    const cs_stmt *end = b->nstmts ? &g->stmts[b->stmts[b->nstmts - 1]] : NULL;
    fprintf(stderr, "commslice: kind %d that is told of turns: %s of the loop in %s:%d\n", told, what,
            end ? cs_graph_str(g, end->file) : "", end ? end->line : 0);
}

/* Is all of one kind that the recorder would be told of a loop, if there is any, to be forgotten? */
bool is_overlooked(bool any, const cs_program *p, const Turn *t, const char *what)
{
    told += any;
    if (any && listed)
        list_kind(p->graph, t->l->known, what);
    return any && told == overlooked;
}

/* ---- what is seen of counters ---- */

bool is_number(tree t)
{
    return INTEGRAL_TYPE_P(TREE_TYPE(t)) && TYPE_PRECISION(TREE_TYPE(t)) >= 8 && TYPE_PRECISION(TREE_TYPE(t)) <= 64;
}

long type_bits(tree t, enum cs_turns_while cmp)
{
    return cs_turns_how(cmp, TYPE_PRECISION(TREE_TYPE(t)), TYPE_UNSIGNED(TREE_TYPE(t)), false);
}

/* Of equal and not equal one is enough: both change where the other one does. */
bool compare_bits(enum tree_code code, enum cs_turns_while *cmp)
{
    switch (code) {
    case LT_EXPR: *cmp = CS_TURNS_LT; return true;
    case LE_EXPR: *cmp = CS_TURNS_LE; return true;
    case GT_EXPR: *cmp = CS_TURNS_GT; return true;
    case GE_EXPR: *cmp = CS_TURNS_GE; return true;
    case EQ_EXPR:
    case NE_EXPR: *cmp = CS_TURNS_NE; return true;
    default: return false;
    }
}

/* Can the value be a counter of a loop in this one? If turns of that one are recorded at once, not all that it is
 * compared with here is told. */
bool goes_on_inside(const Turn *t, tree v)
{
    gimple *def = TREE_CODE(v) == SSA_NAME ? SSA_NAME_DEF_STMT(v) : NULL;
    while (def && is_gimple_assign(def) &&
           (CONVERT_EXPR_CODE_P(gimple_assign_rhs_code(def)) || gimple_assign_rhs_code(def) == PLUS_EXPR)) {
        tree from = gimple_assign_rhs1(def);
        def = TREE_CODE(from) == SSA_NAME ? SSA_NAME_DEF_STMT(from) : NULL;
    }
    return def && gimple_code(def) == GIMPLE_PHI && gimple_bb(def) != t->l->header && is_in(t->l, gimple_bb(def));
}

bool see_comparison(Turn *t, unsigned counter, tree v, gimple *g, enum tree_code code, tree left, tree right)
{
    enum cs_turns_while cmp;
    tree with = left == v ? right : left;
    if (with == v || !is_number(with) || goes_on_inside(t, with) ||
        !compare_bits(left == v ? code : swap_tree_comparison(code), &cmp))
        return false;
    t->seen.safe_push(Seen{g, counter, 0, with, CS_TURNS_COMPARED | type_bits(with, cmp)});
    return true;
}

/* Is a rest only compared with one number? */
bool only_compared(tree rest, HOST_WIDE_INT *with)
{
    use_operand_p use;
    gimple *g;
    if (!single_imm_use(rest, &use, &g))
        return false;
    bool cond = gimple_code(g) == GIMPLE_COND;
    if (!cond && !is_gimple_assign(g))
        return false;
    enum tree_code code = cond ? gimple_cond_code(g) : gimple_assign_rhs_code(g);
    tree left = cond ? gimple_cond_lhs(g) : gimple_assign_rhs1(g),
         right = cond ? gimple_cond_rhs(g) : gimple_assign_rhs2(g);
    if ((code != EQ_EXPR && code != NE_EXPR) || left != rest || !tree_fits_shwi_p(right))
        return false;
    *with = tree_to_shwi(right);
    return true;
}

bool see_rest(Turn *t, unsigned counter, gimple *g, tree by)
{
    HOST_WIDE_INT is = 0;
    bool one = only_compared(gimple_assign_lhs(g), &is);
    if (!is_number(by))
        return false;
    t->seen.safe_push(Seen{g, counter, is, by, (one ? CS_TURNS_REST_IS : CS_TURNS_REST) | type_bits(by, CS_TURNS_NE)});
    return true;
}

/* The lowest bits up to the highest one of a mask: a rest by a power of two. */
bool see_mask(Turn *t, unsigned counter, gimple *g, tree mask)
{
    if (TREE_CODE(mask) != INTEGER_CST || !tree_fits_shwi_p(mask) || tree_to_shwi(mask) <= 0 ||
        tree_to_shwi(mask) >= HOST_WIDE_INT_1 << 60)
        return false;
    HOST_WIDE_INT power = HOST_WIDE_INT_1 << (floor_log2(tree_to_shwi(mask)) + 1), is = 0;
    bool whole = tree_to_shwi(mask) == power - 1, one = whole && only_compared(gimple_assign_lhs(g), &is);
    t->seen.safe_push(Seen{g, counter, is, number(power),
                           (one ? CS_TURNS_REST_IS : CS_TURNS_REST) | type_bits(number(1), CS_TURNS_NE)});
    return true;
}

bool look_at_uses(Turn *t, unsigned counter, tree v);

/* The counter in another type: it is the same number in one that has all numbers of its own, else a rest. */
bool see_conversion(Turn *t, unsigned counter, tree v, gimple *g)
{
    tree to = gimple_assign_lhs(g), from_type = TREE_TYPE(v), type = TREE_TYPE(to);
    if (TREE_CODE(to) != SSA_NAME || !is_number(to))
        return false;
    bool wider = TYPE_PRECISION(type) > TYPE_PRECISION(from_type);
    if (TYPE_UNSIGNED(type) == TYPE_UNSIGNED(from_type) ? TYPE_PRECISION(type) >= TYPE_PRECISION(from_type)
                                                        : wider && TYPE_UNSIGNED(from_type))
        return look_at_uses(t, counter, to);
    if (TYPE_PRECISION(type) > 32)
        return false;
    tree power = number(HOST_WIDE_INT_1 << TYPE_PRECISION(type));
    t->seen.safe_push(Seen{g, counter, 0, power, CS_TURNS_REST | type_bits(power, CS_TURNS_NE)});
    return true;
}

bool look_at_use(Turn *t, unsigned counter, tree v, gimple *g)
{
    if (gimple_code(g) == GIMPLE_COND)
        return see_comparison(t, counter, v, g, gimple_cond_code(g), gimple_cond_lhs(g), gimple_cond_rhs(g));
    if (!is_gimple_assign(g))
        return false;
    enum tree_code code = gimple_assign_rhs_code(g);
    tree left = gimple_assign_rhs1(g), right = gimple_num_ops(g) > 2 ? gimple_assign_rhs2(g) : NULL_TREE;
    if (TREE_CODE_CLASS(code) == tcc_comparison)
        return see_comparison(t, counter, v, g, code, left, right);
    if (CONVERT_EXPR_CODE_P(code))
        return see_conversion(t, counter, v, g);
    if (left != v || right == v)
        return false;
    if (code == TRUNC_MOD_EXPR || code == FLOOR_MOD_EXPR)
        return see_rest(t, counter, g, right);
    return code == BIT_AND_EXPR && see_mask(t, counter, g, right);
}

/* Does the edge back, or one that leaves the loop, take the value with this use? */
bool goes_away(const Turn *t, unsigned counter, tree v, use_operand_p use)
{
    const Counter *c = &t->l->counters[counter];
    gphi *phi = as_a<gphi *>(USE_STMT(use));
    edge e = gimple_phi_arg_edge(phi, PHI_ARG_INDEX_FROM_USE(use));
    return !is_in(t->l, e->src) || !is_in(t->l, gimple_bb(phi)) || (phi == c->phi && e == t->l->back && v == c->next);
}

/* Notes all that the loop sees of the counter by this name. False if that is more than can be told. */
bool look_at_uses(Turn *t, unsigned counter, tree v)
{
    imm_use_iterator it;
    use_operand_p use;
    t->names.add(v);
    FOR_EACH_IMM_USE_FAST(use, it, v)
    {
        gimple *g = USE_STMT(use);
        const Counter *c = &t->l->counters[counter];
        bool next = v == c->now && g == c->by;
        if (is_gimple_debug(g) || is_dead(g) || is_ours(g) || next)
            continue;
        if (gimple_code(g) == GIMPLE_PHI) {
            if (!goes_away(t, counter, v, use))
                return false;
        } else if (!gimple_bb(g) || (is_in(t->l, gimple_bb(g)) && !look_at_use(t, counter, v, g))) {
            return false;
        }
    }
    return true;
}

/* Is a rest the same only after so many turns that no two turns of a run begin with the same? It may be after more than
 * the counter makes before it leaves its type. So many compared turns would be made for nothing: none of them is told,
 * all turns run. */
bool never_again(const Turn *t, const Seen *s)
{
    const HOST_WIDE_INT most = HOST_WIDE_INT_1 << 24;
    const Counter *c = &t->l->counters[s->counter];
    if ((s->how & CS_TURNS_KINDS) != CS_TURNS_REST || !tree_fits_shwi_p(s->with) || tree_to_shwi(s->with) <= 0)
        return false;
    int bits = TYPE_PRECISION(TREE_TYPE(c->now));
    HOST_WIDE_INT step = absu_hwi(c->step.to_shwi()), by = tree_to_shwi(s->with),
                  in_type = bits < 24 ? ((HOST_WIDE_INT_1 << bits) - 1) / step : most;
    return by / gcd(by, step) > in_type;
}

const char *look_at_counters(Turn *t)
{
    for (unsigned i = 0; i < t->l->counters.length(); i++)
        if (!look_at_uses(t, i, t->l->counters[i].now) || !look_at_uses(t, i, t->l->counters[i].next))
            return used;
    for (unsigned i = 0; i < t->seen.length(); i++)
        if (t->names.contains(t->seen[i].with) || never_again(t, &t->seen[i]))
            return used;
    return NULL;
}

/* ---- what is carried ---- */

bool can_be_told(tree v)
{
    tree type = TREE_TYPE(v);
    if (SCALAR_FLOAT_TYPE_P(type))
        return TYPE_MODE(type) == SFmode || TYPE_MODE(type) == DFmode;
    return (INTEGRAL_TYPE_P(type) || POINTER_TYPE_P(type)) && TYPE_PRECISION(type) <= 64;
}

/* Do all turns but the first begin with the same, as what comes over the edge back is no turn's own? The first turn is
 * compared with no other one: what the recorder compares is told on the edge back, anew each time that the loop is
 * entered. So all that it would be told of such a value is the same. */
bool settles(const Loop *l, gphi *phi)
{
    tree next = PHI_ARG_DEF_FROM_EDGE(phi, l->back);
    if (TREE_CODE(next) != SSA_NAME)
        return is_gimple_min_invariant(next);
    basic_block bb = gimple_bb(SSA_NAME_DEF_STMT(next));
    return SSA_NAME_IS_DEFAULT_DEF(next) || (bb && !is_in(l, bb));
}

const char *find_values(Turn *t)
{
    t->l->counters.truncate(0);
    for (gphi_iterator i = gsi_start_phis(t->l->header); !gsi_end_p(i); gsi_next(&i)) {
        Counter c;
        if (virtual_operand_p(gimple_phi_result(i.phi())) || stays(t->l, i.phi()) || settles(t->l, i.phi()))
            continue;
        if (goes_on_somehow(t->l, i.phi(), &c) && c.step != 0)
            t->l->counters.safe_push(c);
        else if (can_be_told(gimple_phi_result(i.phi())))
            t->values.safe_push(i.phi());
        else
            return "a value goes on from turn to turn";
    }
    return t->l->counters.is_empty() ? "no counter ends it" : NULL;
}

/* The most bytes, of 8, 4, 2 and 1, that are not more than n. */
int64_t piece(int64_t n)
{
    int64_t size = 8;
    while (size > n)
        size /= 2;
    return size;
}

/* How many values are carried in memory, in pieces; -1: a variable has no name here. */
int count_pieces(const cs_program *p, const cs_alike_loop *k)
{
    int n = 0;
    for (int i = 0; i < k->ncarried; i++) {
        const cs_carried *c = &k->carried[i];
        if (c->obj >= (int)p->variables.length() || !p->variables[c->obj])
            return -1;
        for (int64_t at = c->from; at < c->to; at += piece(c->to - at))
            n++;
    }
    return n;
}

tree load(Sequence *s, tree variable, int64_t at, int64_t size)
{
    tree whole = build_nonstandard_integer_type(size * 8, 1), type = build_aligned_type(whole, 8);
    tree any = build_pointer_type_for_mode(type, ptr_mode, true);
    tree place = build2(MEM_REF, type, build_fold_addr_expr(variable), build_int_cst(any, at));
    tree v = make_ssa_name(whole);
    s->add(gimple_build_assign(v, place));
    return s->convert(long_integer_type_node, v);
}

/* ---- the calls ---- */

tree recorder; /* the variable with its function */

tree call(Sequence *s, tree mark, tree a, tree b, tree c, long how)
{
    tree args[] = {mark, a, b, c, number(how)};
    return s->call(recorder, args);
}

void tell_value(Sequence *s, tree mark, tree v)
{
    call(s, mark, s->bits(v), number(0), number(0), CS_TURNS_VALUE);
}

/* A variable of which the compiler has made a value by now is told as that. */
void tell_memory(Sequence *s, const cs_program *p, const cs_alike_loop *k, tree mark)
{
    for (int i = 0; i < k->ncarried; i++) {
        const cs_carried *c = &k->carried[i];
        tree v = p->variables[c->obj];
        for (int64_t at = c->from; at < c->to && !is_gimple_reg(v); at += piece(c->to - at))
            tell_value(s, mark, load(s, v, at, piece(c->to - at)));
    }
}

void tell_seen(const Seen *seen, tree mark)
{
    Sequence s;
    call(&s, mark, number(seen->counter), number(seen->is), s.convert(long_integer_type_node, seen->with), seen->how);
    gimple_stmt_iterator i = gsi_for_stmt(seen->at);
    gsi_insert_seq_before(&i, s.seq, GSI_SAME_STMT);
}

/* Comparisons, or rests. */
void tell_all_seen(const Turn *t, const cs_program *p, tree mark, bool comparisons)
{
    auto_vec<const Seen *> these;
    for (unsigned i = 0; i < t->seen.length(); i++)
        if (((t->seen[i].how & CS_TURNS_KINDS) == CS_TURNS_COMPARED) == comparisons)
            these.safe_push(&t->seen[i]);
    if (is_overlooked(!these.is_empty(), p, t, comparisons ? "comparisons" : "rests"))
        return;
    for (unsigned i = 0; i < these.length(); i++)
        tell_seen(these[i], mark);
}

/* On the edge back. Returns how many turns the counters are to go on. */
tree tell_turn(Sequence *s, const Turn *t, const cs_program *p, tree mark)
{
    for (unsigned i = 0; i < t->l->counters.length(); i++) {
        const Counter *c = &t->l->counters[i];
        call(s, mark, number(i), s->convert(long_integer_type_node, c->next), number(c->step.to_shwi()),
             CS_TURNS_COUNTER | type_bits(c->next, CS_TURNS_NE));
    }
    if (!is_overlooked(!t->values.is_empty(), p, t, "values"))
        for (unsigned i = 0; i < t->values.length(); i++)
            tell_value(s, mark, PHI_ARG_DEF_FROM_EDGE(t->values[i], t->l->back));
    if (!is_overlooked(t->l->known->ncarried > 0, p, t, "memory"))
        tell_memory(s, p, t->l->known, mark);
    return call(s, mark, number(0), number(0), number(0),
                CS_TURNS_HEAD | (t->l->known->requests ? CS_TURNS_REQUESTS : 0));
}

void insert_calls(Turn *t, const cs_program *p)
{
    Loop *l = t->l;
    Sequence front, behind;
    tree none = number(0), mark = call(&front, none, none, none, none, CS_TURNS_WATCH);
    tell_all_seen(t, p, mark, true);
    tell_all_seen(t, p, mark, false);
    tree more = tell_turn(&behind, t, p, mark);
    auto_vec<tree> values;
    for (unsigned i = 0; i < l->counters.length(); i++)
        values.safe_push(gone_on(&behind, &l->counters[i], more));
    block_on(l->entry, &front);
    edge back = single_succ_edge(block_on(l->back, &behind));
    for (unsigned i = 0; i < l->counters.length(); i++)
        SET_USE(PHI_ARG_DEF_PTR_FROM_EDGE(l->counters[i].phi, back), values[i]);
}

} // namespace

const char *cs_compare_turns(const struct cs_program *p, cs_turns::Loop *l, tree variable)
{
    Turn t;
    t.l = l;
    const char *why = find_values(&t);
    if (!why)
        why = look_at_counters(&t);
    if (why)
        return why;
    int pieces = count_pieces(p, l->known);
    if (pieces < 0 || pieces + t.values.length() > CS_TURNS_VALUES_MOST ||
        l->counters.length() > CS_TURNS_COUNTERS_MOST)
        return "too much is carried from turn to turn";
    recorder = variable;
    insert_calls(&t, p);
    return NULL;
}

void cs_compare_overlook(int n, bool list)
{
    overlooked = n;
    listed = list;
}

int cs_compare_told()
{
    return told;
}
