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
    bool small[CS_EXPR_NODES]; /* it is from 0 to INT_MAX */
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

/* x / y or x % y, of numbers from 0 to INT_MAX, whose division takes a processor less time. It is 0 where y is, which
 * no side of a grid is. */
tree divide_small(Builder *b, tree_code op, tree x, tree y, bool by_side)
{
    tree type = integer_type_node, zero = truth(b, EQ_EXPR, y, number(0));
    y = cs_seq_compute(b->seq, type, MAX_EXPR, cs_seq_convert(b->seq, type, y), build_int_cst(type, 1));
    tree result = cs_seq_compute(b->seq, type, op, cs_seq_convert(b->seq, type, x), y);
    result = cs_seq_convert(b->seq, long_long_integer_type_node, result);
    return by_side ? result : choose(b, zero, number(0), result);
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

/* PMPI_Dims_create(processes, d, dims) */
void ask_dims(Builder *b, int d, tree processes, tree dims)
{
    tree integer = integer_type_node, to_integers = build_pointer_type(integer);
    tree type = build_function_type_list(integer, integer, integer, to_integers, NULL_TREE);
    gcall *call = gimple_build_call(mpi_function(CS_MPI_OWN_DIMS, type), 3, cs_seq_convert(b->seq, integer, processes),
                                    build_int_cst(integer, d), build1(ADDR_EXPR, to_integers, element_of(dims, 0)));
    gimple_call_set_nothrow(call, true);
    gimple_seq_add_stmt(b->seq, call);
}

/* Those of all processes. They stay in the program's memory: with none of them 0, the library only looks whether their
 * product is right, and searches but the first time. */
tree dims_of_all(Builder *b, int d)
{
    tree *dims = &b->dims[d - 1];
    if (!*dims) {
        *dims = cs_static_variable("commslice_dims", build_array_type_nelts(integer_type_node, d), NULL_TREE);
        ask_dims(b, d, b->size, *dims);
    }
    return *dims;
}

/* Those of so many processes, which are others from time to time: dims = {}; and then as above. */
tree dims_of(Builder *b, int d, tree processes)
{
    tree dims = create_tmp_var(build_array_type_nelts(integer_type_node, d), "commslice_dims");
    tree least = whole(b, MAX_EXPR, processes, number(1));
    TREE_ADDRESSABLE(dims) = 1;
    gimple_seq_add_stmt(b->seq, gimple_build_assign(dims, build_constructor(TREE_TYPE(dims), NULL)));
    ask_dims(b, d, whole(b, MIN_EXPR, least, number(INT_MAX)), dims);
    return dims;
}

/* One of the dimensions. */
tree dimension(Builder *b, const cs_expr_node *n)
{
    int d = cs_expr_ndims(n);
    bool all = b->e->node[n->a].op == CS_EXPR_SIZE;
    tree dims = all ? dims_of_all(b, d) : dims_of(b, d, b->name[n->a]);
    return as_whole(b, cs_seq_load(b->seq, element_of(dims, cs_expr_which_dim(n))));
}

/* ---- ranks around one ---- */

/* Numbers of 32 bits, whose division takes a processor less time. */
tree small(Builder *b, tree_code op, tree x, tree y)
{
    return cs_seq_compute(b->seq, integer_type_node, op, x, y);
}

tree small_number(int n)
{
    return build_int_cst(integer_type_node, n);
}

tree small_truth(Builder *b, tree_code op, tree x, tree y)
{
    return cs_seq_convert(b->seq, integer_type_node, truth(b, op, x, y));
}

/* Of a grid of ranks, by side: 1 if there is a rank before this one, how many places there are before it, behind it and
 * its own, and how far off the next one is. */
struct Sides {
    int n;
    tree before[CS_SIDES_MOST], places[CS_SIDES_MOST], step[CS_SIDES_MOST];
};

Sides sides_of(Builder *b, const cs_rank_grid *g)
{
    Sides s = {g->nsides, {}, {}, {}};
    tree left = b->rank, step = small_number(1), dims = dims_of_all(b, g->nsides);
    for (int q = 0; q < g->nsides; q++) {
        tree side = small(b, MAX_EXPR, cs_seq_load(b->seq, element_of(dims, g->order[q])), small_number(1));
        tree at = small(b, TRUNC_MOD_EXPR, left, side);
        tree last = small(b, MINUS_EXPR, side, small_number(1));
        s.before[q] = small_truth(b, GT_EXPR, at, small_number(0));
        s.places[q] =
            small(b, PLUS_EXPR, small(b, PLUS_EXPR, s.before[q], small_number(1)), small_truth(b, LT_EXPR, at, last));
        s.step[q] = step;
        step = small(b, MULT_EXPR, step, side);
        left = small(b, TRUNC_DIV_EXPR, left, side);
    }
    return s;
}

/* One of the ranks around this one, in their order. The places around it and its own are a grid of 1 to 3 places a
 * side; places from its own on are counted one further, so that its own is none. */
tree near(Builder *b, const cs_expr_node *n)
{
    cs_rank_grid g = cs_expr_grid(n);
    Sides s = sides_of(b, &g);
    tree all = small_number(1), own = small_number(0), to = as_whole(b, b->rank), toward = small_number(0);
    for (int q = 0; q < s.n; q++) {
        own = small(b, PLUS_EXPR, own, small(b, MULT_EXPR, all, s.before[q]));
        all = small(b, MULT_EXPR, all, s.places[q]);
    }
    tree others = as_whole(b, small(b, MINUS_EXPR, all, small_number(1)));
    tree k = divide(b, TRUNC_MOD_EXPR, whole(b, MAX_EXPR, b->name[n->a], number(0)), others);
    k = cs_seq_convert(b->seq, integer_type_node, k);
    k = small(b, PLUS_EXPR, k, small_truth(b, GE_EXPR, k, own));
    for (int q = 0; q < s.n; q++) {
        tree by = small(b, MINUS_EXPR, small(b, TRUNC_MOD_EXPR, k, s.places[q]), s.before[q]);
        tree away = small_truth(b, NE_EXPR, by, small_number(0));
        to = wrapping(b, PLUS_EXPR, to, as_whole(b, small(b, MULT_EXPR, by, s.step[q])));
        toward = small(b, PLUS_EXPR, toward, small(b, MULT_EXPR, away, small_number(1 << q)));
        k = small(b, TRUNC_DIV_EXPR, k, s.places[q]);
    }
    return n->op == CS_EXPR_NEAR ? to : as_whole(b, toward);
}

/* ---- iterations and lists ---- */

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

/* Is a node whose operands are known surely from 0 to INT_MAX? */
bool is_small(const Builder *b, const cs_expr_node *n)
{
    switch (n->op) {
    case CS_EXPR_NUMBER: return n->number >= 0 && n->number <= INT_MAX;
    case CS_EXPR_DIV:
    case CS_EXPR_MOD:
    case CS_EXPR_MIN:
    case CS_EXPR_MAX: return b->small[n->a] && b->small[n->b];
    case CS_EXPR_RANK:
    case CS_EXPR_SIZE:
    case CS_EXPR_DIMS:
    case CS_EXPR_TOWARD: return true;
    default: return n->op == CS_EXPR_NOT || (n->op >= CS_EXPR_EQ && n->op <= CS_EXPR_GE);
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
    case CS_EXPR_DIV:
    case CS_EXPR_MOD:
        if (b->small[n->a] && b->small[n->b])
            return divide_small(b, code_of(n->op), b->name[n->a], b->name[n->b], b->e->node[n->b].op == CS_EXPR_DIMS);
    /* fallthrough */
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
    Builder b = {seq, e, NULL_TREE, NULL_TREE, NULL_TREE, {}, {}, {}, {}};
    find_tables(&b);
    bool places = asks_for(e, CS_EXPR_NEAR) || asks_for(e, CS_EXPR_TOWARD);
    if (places || asks_for(e, CS_EXPR_RANK))
        b.rank = ask_world(&b, CS_MPI_OWN_RANK);
    if (places || asks_for(e, CS_EXPR_SIZE))
        b.size = ask_world(&b, CS_MPI_OWN_SIZE);
    if (asks_for(e, CS_EXPR_ITERATION))
        b.iteration = count_iteration(&b, step ? step : number(1), counter);
    for (int i = 0; i < e->n; i++) {
        b.name[i] = node_value(&b, &e->node[i]);
        b.small[i] = is_small(&b, &e->node[i]);
    }
    return b.name[e->n - 1];
}
