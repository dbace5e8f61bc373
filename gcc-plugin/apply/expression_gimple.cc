/* SPDX-License-Identifier: GPL-3.0-or-later
 * Expressions in GIMPLE; expression_gimple.h. No control flow is added, and nothing traps: sums and products are
 * unsigned, which may wrap around, and a divisor of 0 or -1 is replaced before it is used.
 *   rank:  PMPI_Comm_rank(MPI_COMM_WORLD, &temporary); name = temporary; */
#include "gcc-plugin/apply/expression_gimple.h"

#include "api/mpi_calls.h"
#include "base/grid_sides.h"
#include "slicer/model/mpich_abi.h"

namespace {

/* An expression on its way: what is appended to, the expression, and the names of its nodes so far. */
struct Builder {
    gimple_seq *seq;
    const cs_expr *e;
    tree rank, size, iteration; /* null: the expression does not ask for it */
    tree dims[CS_DIMS_MOST];    /* by their number: the dimensions of all processes, null: not asked for yet */
    tree name[CS_EXPR_NODES];
    bool in_table[CS_EXPR_NODES];
};

tree number(HOST_WIDE_INT n)
{
    return build_int_cst(long_long_integer_type_node, n);
}

tree whole(Builder *b, tree_code op, tree x, tree y)
{
    return cs_seq_compute(b->seq, long_long_integer_type_node, op, x, y);
}

tree truth(Builder *b, tree_code op, tree x, tree y)
{
    return cs_seq_compute(b->seq, boolean_type_node, op, x, y);
}

/* yes if c, no if not */
tree choose(Builder *b, tree c, tree yes, tree no)
{
    tree name = make_ssa_name(long_long_integer_type_node);
    gimple_seq_add_stmt(b->seq, gimple_build_assign(name, COND_EXPR, c, yes, no));
    return name;
}

tree wrapping(Builder *b, tree_code op, tree x, tree y)
{
    tree type = long_long_unsigned_type_node;
    x = cs_seq_convert(b->seq, type, x);
    y = cs_seq_convert(b->seq, type, y);
    return cs_seq_convert(b->seq, long_long_integer_type_node, cs_seq_compute(b->seq, type, op, x, y));
}

/* x / y or x % y, 0 where y is. */
tree divide(Builder *b, tree_code op, tree x, tree y)
{
    tree zero = truth(b, EQ_EXPR, y, number(0)), minus = truth(b, EQ_EXPR, y, number(-1));
    tree safe = choose(b, minus, number(1), choose(b, zero, number(1), y));
    tree result = whole(b, op, x, safe);
    if (op == TRUNC_DIV_EXPR)
        result = choose(b, minus, wrapping(b, MINUS_EXPR, number(0), x), result);
    return choose(b, zero, number(0), result);
}

/* The function of the library, by its own name, which no tool takes for its own. */
tree mpi_function(const char *name, tree type)
{
    symtab_node *known = symtab_node::get_for_asmname(get_identifier(name));
    if (known && is_a<cgraph_node *>(known))
        return known->decl;
    tree decl = build_fn_decl(name, type);
    cgraph_node::get_create(decl);
    return decl;
}

tree ask_world(Builder *b, const char *function)
{
    tree to = create_tmp_var(integer_type_node, "commslice_world");
    TREE_ADDRESSABLE(to) = 1;
    tree world = build_int_cst(integer_type_node, CS_MPICH_COMM_WORLD);
    tree type = build_function_type_list(integer_type_node, integer_type_node, build_pointer_type(integer_type_node),
                                         NULL_TREE);
    gcall *call = gimple_build_call(mpi_function(function, type), 2, world, build_fold_addr_expr(to));
    gimple_call_set_nothrow(call, true);
    gimple_seq_add_stmt(b->seq, call);
    return cs_seq_load(b->seq, to);
}

tree as_whole(Builder *b, tree x)
{
    return cs_seq_convert(b->seq, long_long_integer_type_node, x);
}

tree element_of(tree dims, int i)
{
    return build4(ARRAY_REF, integer_type_node, dims, build_int_cst(integer_type_node, i), NULL_TREE, NULL_TREE);
}

/* dims = {}; PMPI_Dims_create(processes, d, dims); */
tree ask_dims(Builder *b, int d, tree processes)
{
    tree integer = integer_type_node, to_integers = build_pointer_type(integer);
    tree dims = create_tmp_var(build_array_type_nelts(integer, d), "commslice_dims");
    TREE_ADDRESSABLE(dims) = 1;
    gimple_seq_add_stmt(b->seq, gimple_build_assign(dims, build_constructor(TREE_TYPE(dims), NULL)));
    tree type = build_function_type_list(integer, integer, integer, to_integers, NULL_TREE);
    gcall *call = gimple_build_call(mpi_function(CS_MPI_OWN_DIMS, type), 3, cs_seq_convert(b->seq, integer, processes),
                                    build_int_cst(integer, d), build1(ADDR_EXPR, to_integers, element_of(dims, 0)));
    gimple_call_set_nothrow(call, true);
    gimple_seq_add_stmt(b->seq, call);
    return dims;
}

/* Those of all processes, which are asked for once. */
tree dims_of_all(Builder *b, int d)
{
    if (!b->dims[d - 1])
        b->dims[d - 1] = ask_dims(b, d, b->size);
    return b->dims[d - 1];
}

/* One of the dimensions. */
tree dimension(Builder *b, const cs_expr_node *n)
{
    int d = cs_expr_ndims(n);
    tree dims = NULL_TREE;
    if (b->e->node[n->a].op != CS_EXPR_SIZE) {
        tree least = whole(b, MAX_EXPR, b->name[n->a], number(1));
        dims = ask_dims(b, d, whole(b, MIN_EXPR, least, number(INT_MAX)));
    } else {
        dims = dims_of_all(b, d);
    }
    return as_whole(b, cs_seq_load(b->seq, element_of(dims, cs_expr_which_dim(n))));
}

/* Of a grid of ranks, by side: 1 if there is a rank before this one, or behind it, and how far off that is. */
struct Sides {
    int n;
    tree before[CS_SIDES_MOST], behind[CS_SIDES_MOST], step[CS_SIDES_MOST];
};

Sides sides_of(Builder *b, const cs_rank_grid *g)
{
    Sides s = {g->nsides, {}, {}, {}};
    tree left = as_whole(b, b->rank), step = number(1), dims = dims_of_all(b, g->nsides);
    for (int q = 0; q < g->nsides; q++) {
        tree side = as_whole(b, cs_seq_load(b->seq, element_of(dims, g->order[q])));
        side = whole(b, MAX_EXPR, side, number(1));
        tree at = whole(b, TRUNC_MOD_EXPR, left, side);
        s.before[q] = as_whole(b, truth(b, GT_EXPR, at, number(0)));
        s.behind[q] = as_whole(b, truth(b, LT_EXPR, at, whole(b, MINUS_EXPR, side, number(1))));
        s.step[q] = step;
        step = wrapping(b, MULT_EXPR, step, side);
        left = whole(b, TRUNC_DIV_EXPR, left, side);
    }
    return s;
}

/* How many ranks are around this one. */
tree around(Builder *b, const Sides *s)
{
    tree n = number(1);
    for (int q = 0; q < s->n; q++)
        n = whole(b, MULT_EXPR, n, whole(b, PLUS_EXPR, whole(b, PLUS_EXPR, s->before[q], s->behind[q]), number(1)));
    return whole(b, MINUS_EXPR, n, number(1));
}

/* One of the ranks around this one, in their order: see rank_towards() of base/grid_places.c. */
tree near(Builder *b, const cs_expr_node *n)
{
    cs_rank_grid g = cs_expr_grid(n);
    Sides s = sides_of(b, &g);
    tree rank = as_whole(b, b->rank), seen = number(0), result = n->op == CS_EXPR_NEAR ? rank : number(0);
    tree k = divide(b, TRUNC_MOD_EXPR, whole(b, MAX_EXPR, b->name[n->a], number(0)), around(b, &s));
    for (int way = 0, ways = s.n == 3 ? 27 : 9; way < ways; way++) {
        tree there = number(1), to = rank;
        int toward = 0;
        for (int q = 0, left = way; q < s.n; q++, left /= 3) {
            if (left % 3 == 1)
                continue;
            there = whole(b, MULT_EXPR, there, left % 3 ? s.behind[q] : s.before[q]);
            to = wrapping(b, left % 3 ? PLUS_EXPR : MINUS_EXPR, to, s.step[q]);
            toward |= 1 << q;
        }
        if (!toward)
            continue;
        tree is = whole(b, MULT_EXPR, there, as_whole(b, truth(b, EQ_EXPR, seen, k)));
        result = choose(b, truth(b, NE_EXPR, is, number(0)), n->op == CS_EXPR_NEAR ? to : number(toward), result);
        seen = whole(b, PLUS_EXPR, seen, there);
    }
    return result;
}

/* The counter is a step further for the next time. */
tree count_iteration(Builder *b, tree step, tree counter)
{
    if (!counter)
        counter = cs_static_variable("commslice_iteration", long_long_integer_type_node, NULL_TREE);
    tree now = cs_seq_load(b->seq, counter);
    gimple_seq_add_stmt(b->seq, gimple_build_assign(counter, whole(b, PLUS_EXPR, now, step)));
    return now;
}

/* Are all values of the list numbers? */
bool only_numbers(const cs_expr *e, int list)
{
    for (; list >= 0; list = e->node[list].b)
        if (e->node[e->node[list].a].op != CS_EXPR_NUMBER)
            return false;
    return true;
}

/* Element `which` of an array of these numbers, in the program's memory. */
tree element(Builder *b, const vec<int64_t> &numbers, tree which)
{
    vec<constructor_elt, va_gc> *values = NULL;
    tree type = build_array_type_nelts(long_long_integer_type_node, numbers.length());
    for (unsigned i = 0; i < numbers.length(); i++)
        CONSTRUCTOR_APPEND_ELT(values, size_int(i), number(numbers[i]));
    tree v = cs_static_variable("commslice_values", type, build_constructor(type, values));
    TREE_READONLY(v) = 1;
    return cs_seq_load(b->seq, build4(ARRAY_REF, long_long_integer_type_node, v, which, NULL_TREE, NULL_TREE));
}

void add_numbers(vec<int64_t> *to, const cs_expr *e, int list)
{
    for (; list >= 0; list = e->node[list].b)
        to->safe_push(e->node[e->node[list].a].number);
}

/* Is it what one rank had each time, pick(iteration, numbers)? */
bool is_series(const cs_expr *e, const cs_expr_node *n)
{
    return n->op == CS_EXPR_PICK && e->node[n->a].op == CS_EXPR_ITERATION && only_numbers(e, n->b);
}

/* Are all values of the list numbers or such series? */
bool only_series(const cs_expr *e, int list)
{
    for (; list >= 0; list = e->node[list].b)
        if (e->node[e->node[list].a].op != CS_EXPR_NUMBER && !is_series(e, &e->node[e->node[list].a]))
            return false;
    return true;
}

/* One series of several: all of them in one array, and where each begins and how long it is in two more. */
tree pick_series(Builder *b, tree which, int list)
{
    auto_vec<int64_t> all, begins, lengths;
    for (; list >= 0; list = b->e->node[list].b) {
        const cs_expr_node *n = &b->e->node[b->e->node[list].a];
        begins.safe_push(all.length());
        if (n->op == CS_EXPR_NUMBER)
            all.safe_push(n->number);
        else
            add_numbers(&all, b->e, n->b);
        lengths.safe_push(all.length() - begins.last());
    }
    tree at = whole(b, TRUNC_MOD_EXPR, b->iteration, element(b, lengths, which));
    return element(b, all, whole(b, PLUS_EXPR, element(b, begins, which), at));
}

tree pick(Builder *b, tree which, int list)
{
    int n = cs_expr_list_length(b->e, list);
    which = whole(b, TRUNC_MOD_EXPR, whole(b, MAX_EXPR, which, number(0)), number(n));
    if (only_numbers(b->e, list)) {
        auto_vec<int64_t> numbers;
        add_numbers(&numbers, b->e, list);
        return element(b, numbers, which);
    }
    if (only_series(b->e, list))
        return pick_series(b, which, list);
    tree result = b->name[b->e->node[list].a];
    for (int i = 1; (list = b->e->node[list].b) >= 0; i++)
        result = choose(b, truth(b, EQ_EXPR, which, number(i)), b->name[b->e->node[list].a], result);
    return result;
}

tree_code code_of(enum cs_expr_op op)
{
    switch (op) {
    case CS_EXPR_ADD: return PLUS_EXPR;
    case CS_EXPR_NEG:
    case CS_EXPR_SUB: return MINUS_EXPR;
    case CS_EXPR_MUL: return MULT_EXPR;
    case CS_EXPR_DIV: return TRUNC_DIV_EXPR;
    case CS_EXPR_MOD: return TRUNC_MOD_EXPR;
    case CS_EXPR_MIN: return MIN_EXPR;
    case CS_EXPR_MAX: return MAX_EXPR;
    case CS_EXPR_NOT:
    case CS_EXPR_EQ: return EQ_EXPR;
    case CS_EXPR_NE: return NE_EXPR;
    case CS_EXPR_LT: return LT_EXPR;
    case CS_EXPR_LE: return LE_EXPR;
    case CS_EXPR_GT: return GT_EXPR;
    default: gcc_assert(op == CS_EXPR_GE); return GE_EXPR;
    }
}

tree operate(Builder *b, enum cs_expr_op op, tree x, tree y)
{
    tree_code code = code_of(op);
    switch (op) {
    case CS_EXPR_NEG: return wrapping(b, code, number(0), x);
    case CS_EXPR_ADD:
    case CS_EXPR_SUB:
    case CS_EXPR_MUL: return wrapping(b, code, x, y);
    case CS_EXPR_DIV:
    case CS_EXPR_MOD: return divide(b, code, x, y);
    case CS_EXPR_MIN:
    case CS_EXPR_MAX: return whole(b, code, x, y);
    case CS_EXPR_NOT: y = number(0);
    /* fallthrough */
    default: return cs_seq_convert(b->seq, long_long_integer_type_node, truth(b, code, x, y));
    }
}

bool asks_for(const cs_expr *e, enum cs_expr_op op)
{
    for (int i = 0; i < e->n; i++)
        if (e->node[i].op == op)
            return true;
    return false;
}

/* Is it a series that only pick_series() asks for? */
bool is_table_part(const Builder *b, const cs_expr_node *n)
{
    return b->in_table[n - b->e->node];
}

/* Marks the series that are values of lists of series. */
void find_tables(Builder *b)
{
    const cs_expr *e = b->e;
    for (int i = 0; i < e->n; i++)
        if (e->node[i].op == CS_EXPR_PICK && only_series(e, e->node[i].b))
            for (int list = e->node[i].b; list >= 0; list = e->node[list].b)
                b->in_table[e->node[list].a] = true;
}

tree node_value(Builder *b, const cs_expr_node *n)
{
    switch (n->op) {
    case CS_EXPR_NUMBER: return number(n->number);
    case CS_EXPR_RANK: return as_whole(b, b->rank);
    case CS_EXPR_SIZE: return as_whole(b, b->size);
    case CS_EXPR_ITERATION: return b->iteration;
    case CS_EXPR_PICK: return is_table_part(b, n) ? NULL_TREE : pick(b, b->name[n->a], n->b);
    case CS_EXPR_LIST: return NULL_TREE;
    case CS_EXPR_DIMS: return dimension(b, n);
    case CS_EXPR_NEAR:
    case CS_EXPR_TOWARD: return near(b, n);
    default: return operate(b, n->op, b->name[n->a], n->b < 0 ? NULL_TREE : b->name[n->b]);
    }
}

} // namespace

tree cs_seq_compute(gimple_seq *seq, tree type, tree_code op, tree a, tree b)
{
    tree name = make_ssa_name(type);
    gimple_seq_add_stmt(seq, b ? gimple_build_assign(name, op, a, b) : gimple_build_assign(name, op, a));
    return name;
}

tree cs_seq_convert(gimple_seq *seq, tree type, tree value)
{
    if (TREE_CODE(value) == INTEGER_CST)
        return fold_convert(type, value);
    return useless_type_conversion_p(type, TREE_TYPE(value)) ? value
                                                             : cs_seq_compute(seq, type, NOP_EXPR, value, NULL_TREE);
}

tree cs_seq_load(gimple_seq *seq, tree place)
{
    tree name = make_ssa_name(TREE_TYPE(place));
    gimple_seq_add_stmt(seq, gimple_build_assign(name, unshare_expr(place)));
    return name;
}

tree cs_static_variable(const char *name, tree type, tree init)
{
    tree v = build_decl(UNKNOWN_LOCATION, VAR_DECL, create_tmp_var_name(name), type);
    TREE_STATIC(v) = TREE_USED(v) = DECL_ARTIFICIAL(v) = TREE_ADDRESSABLE(v) = 1;
    DECL_INITIAL(v) = init;
    varpool_node::finalize_decl(v);
    varpool_node *n = varpool_node::get_create(v);
    if (!n->analyzed)
        n->analyze();
    return v;
}

tree cs_seq_expression(gimple_seq *seq, const cs_expr *e, tree step, tree counter)
{
    Builder b = {seq, e, NULL_TREE, NULL_TREE, NULL_TREE, {}, {}, {}};
    find_tables(&b);
    bool places = asks_for(e, CS_EXPR_NEAR) || asks_for(e, CS_EXPR_TOWARD);
    if (places || asks_for(e, CS_EXPR_RANK))
        b.rank = ask_world(&b, CS_MPI_OWN_RANK);
    if (places || asks_for(e, CS_EXPR_SIZE))
        b.size = ask_world(&b, CS_MPI_OWN_SIZE);
    if (asks_for(e, CS_EXPR_ITERATION))
        b.iteration = count_iteration(&b, step ? step : number(1), counter);
    for (int i = 0; i < e->n; i++)
        b.name[i] = node_value(&b, &e->node[i]);
    return b.name[e->n - 1];
}
