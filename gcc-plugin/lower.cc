/* SPDX-License-Identifier: GPL-3.0-or-later
 * Lowering of GIMPLE in SSA form to the slicer's program graph; lower.h.
 * What the graph cannot say is said conservatively: an operation of unknown meaning mixes all its operands. */
#include "lower.h"

#include "alloc-pool.h"
#include "symbol-summary.h"
#include "symtab-thunks.h"

#include <map>
#include <string>

namespace {

struct Lowering {
    cs_graph *g;
    std::map<tree, int> objs;            /* declarations and constants -> object */
    std::map<tree, int> funcs;           /* function declarations -> function */
    std::map<tree, int> values;          /* SSA names of the current function -> value */
    std::map<int, int> blocks;           /* index of a GIMPLE block of the current function -> block */
    std::map<int, int> variadic;         /* variadic function (-1: behind pointers) -> object that holds its further arguments */
    std::map<int, int> chains;           /* functions behind trampolines -> object that holds their static chain */
    int func, block;
    location_t where;
};

Lowering *L;

/* ---- sizes and constants ---- */

int64_t size_of(tree type)
{
    tree s = TYPE_SIZE_UNIT(type);
    return s && tree_fits_shwi_p(s) ? tree_to_shwi(s) : CS_SIZE_UNKNOWN;
}

bool constant_of(tree t, int64_t *val)
{
    if (TREE_CODE(t) != INTEGER_CST) return false;
    if (TREE_CODE(TREE_TYPE(t)) == BOOLEAN_TYPE) {
        *val = !integer_zerop(t);
        return true;
    }
    wide_int w = wi::to_wide(t);
    if (w.get_precision() > 64) return false;
    *val = w.to_shwi();
    return true;
}

/* ---- declarations ---- */

const char *asm_name(tree decl)
{
    if (HAS_DECL_ASSEMBLER_NAME_P(decl) && (VAR_OR_FUNCTION_DECL_P(decl)) && (TREE_STATIC(decl) || DECL_EXTERNAL(decl) || TREE_CODE(decl) == FUNCTION_DECL)) {
        const char *n = IDENTIFIER_POINTER(DECL_ASSEMBLER_NAME(decl));
        return *n == '*' ? n + 1 : n;
    }
    return DECL_NAME(decl) ? IDENTIFIER_POINTER(DECL_NAME(decl)) : "tmp";
}

/* The function that picks the one behind this name when the program starts, or null. */
tree resolver_of(tree decl)
{
    cgraph_node *n = cgraph_node::get(decl);
    while (n && n->alias && !n->ifunc_resolver) n = n->get_alias_target();
    return n && n->alias && n->ifunc_resolver ? n->ultimate_alias_target()->decl : NULL_TREE;
}

/* A name that is resolved at the start is nobody's alias: its calls go through what the resolver returns, its address is opaque. */
tree real_function(tree decl)
{
    cgraph_node *n = cgraph_node::get(decl);
    if (n && resolver_of(decl)) return decl;
    if (n) n = n->ultimate_alias_target();
    return n ? n->decl : decl;
}

int func_of(tree decl)
{
    decl = real_function(decl);
    auto it = L->funcs.find(decl);
    if (it != L->funcs.end()) return it->second;
    int f = cs_graph_add_func(L->g, asm_name(decl));
    L->funcs[decl] = f;
    return f;
}

int func_obj(tree decl)
{
    int f = func_of(decl);      /* first: it may move the graph's arrays */
    return L->g->funcs[f].obj;
}

/* Will it be lowered? A thunk will, in its own way. */
bool has_body(tree decl)
{
    cgraph_node *n = cgraph_node::get(real_function(decl));
    return n && (n->has_gimple_body_p() || n->thunk);
}

cs_operand lower_constant_operand(tree t);
int obj_of(tree decl);

void lower_init(int obj, int64_t off, tree init, int depth)
{
    if (!init || depth > 12) return;
    STRIP_NOPS(init);
    cs_obj *o = &L->g->objs[obj];
    if (TREE_CODE(init) == CONSTRUCTOR) {
        unsigned HOST_WIDE_INT i;
        tree index, val;
        int64_t next = 0;
        tree type = TREE_TYPE(init);
        int64_t elt = TREE_CODE(type) == ARRAY_TYPE ? size_of(TREE_TYPE(type)) : 0;
        FOR_EACH_CONSTRUCTOR_ELT(CONSTRUCTOR_ELTS(init), i, index, val) {
            int64_t at = next * elt;
            if (TREE_CODE(type) == ARRAY_TYPE) {
                tree low = TYPE_DOMAIN(type) ? TYPE_MIN_VALUE(TYPE_DOMAIN(type)) : NULL_TREE;
                int64_t base = low && tree_fits_shwi_p(low) ? tree_to_shwi(low) : 0;
                if (index && TREE_CODE(index) == INTEGER_CST) next = tree_to_shwi(index) - base;
                if (index && TREE_CODE(index) == RANGE_EXPR) next = tree_to_shwi(TREE_OPERAND(index, 0)) - base;
                at = next * elt;
                next++;
            } else if (index && TREE_CODE(index) == FIELD_DECL) {
                at = int_byte_position(index);
            }
            if (L->g->objs[obj].ninits > 4096) return;
            lower_init(obj, off + at, val, depth + 1);
        }
        return;
    }
    int64_t size = size_of(TREE_TYPE(init));
    if (TREE_CODE(init) == STRING_CST) {
        cs_obj_add_init(o, off, TREE_STRING_LENGTH(init), cs_opnd_none());
        return;
    }
    cs_operand v = lower_constant_operand(init);
    cs_obj_add_init(&L->g->objs[obj], off, size, v);
}

bool is_global(tree decl)
{
    return TREE_CODE(decl) == VAR_DECL && (TREE_STATIC(decl) || DECL_EXTERNAL(decl));
}

int global_obj(tree decl)
{
    int id = cs_graph_add_obj(L->g, CS_OBJ_GLOBAL, asm_name(decl), size_of(TREE_TYPE(decl)));
    L->objs[decl] = id;
    cs_obj *o = &L->g->objs[id];
    varpool_node *n = varpool_node::get(decl);
    if (n) n = n->ultimate_alias_target();
    o->external = DECL_EXTERNAL(decl) && !(n && n->definition);
    o->readonly = TREE_READONLY(decl);
    o->common = DECL_COMMON(decl);
    o->exported = !o->external && TREE_PUBLIC(decl);
    if (o->external) return id;
    tree init = n ? ctor_for_folding(decl) : DECL_INITIAL(decl);
    if (init == error_mark_node) init = n ? (n->get_constructor(), DECL_INITIAL(decl)) : DECL_INITIAL(decl);
    bool whole = init && init != error_mark_node && TREE_CODE(init) != CONSTRUCTOR;
    o->zeroed = !whole;
    if (init && init != error_mark_node) lower_init(id, 0, init, 0);
    return id;
}

/* What the slicer sees of a string: whether printf or scanf would write through a pointer because of it. Wide strings have zeros between. */
const char *string_name(tree str)
{
    const char *p = TREE_STRING_POINTER(str), *end = p + TREE_STRING_LENGTH(str);
    while (p < end) {
        if (*p++ != '%') continue;
        while (p < end && (!*p || strchr("0123456789$.*'+-# hlLjztqIw", *p))) p++;
        if (p < end && (*p == 'n' || *p == 'm')) return "string with %n or %m";
        p++;
    }
    return "string";
}

/* The object of a declaration or constant in memory. */
int obj_of(tree decl)
{
    if (TREE_CODE(decl) == FUNCTION_DECL) return func_obj(decl);
    if (TREE_CODE(decl) == VAR_DECL && is_global(decl)) {
        varpool_node *n = varpool_node::get(decl);
        if (n) decl = n->ultimate_alias_target()->decl;
    }
    auto it = L->objs.find(decl);
    if (it != L->objs.end()) return it->second;
    if (is_global(decl)) return global_obj(decl);
    int id;
    if (TREE_CODE(decl) == STRING_CST || CONSTANT_CLASS_P(decl)) {
        id = cs_graph_add_obj(L->g, CS_OBJ_GLOBAL, TREE_CODE(decl) == STRING_CST ? string_name(decl) : "constant", size_of(TREE_TYPE(decl)));
        L->g->objs[id].readonly = true;
        L->objs[decl] = id;
        lower_init(id, 0, decl, 0);
    } else if (TREE_CODE(decl) == CONST_DECL) {
        id = cs_graph_add_obj(L->g, CS_OBJ_GLOBAL, "constant", size_of(TREE_TYPE(decl)));
        L->g->objs[id].readonly = true;
        L->objs[decl] = id;
        lower_init(id, 0, DECL_INITIAL(decl), 0);
    } else {
        id = cs_graph_add_obj(L->g, CS_OBJ_LOCAL, asm_name(decl), size_of(TREE_TYPE(decl)));
        L->objs[decl] = id;
        L->g->objs[id].func = L->func;
    }
    return id;
}

/* ---- operands ---- */

int value_of(tree name)
{
    auto it = L->values.find(name);
    if (it != L->values.end()) return it->second;
    int v = cs_graph_add_value(L->g, L->func);
    L->values[name] = v;
    return v;
}

bool is_unset(tree name)
{
    return SSA_NAME_IS_DEFAULT_DEF(name) && (!SSA_NAME_VAR(name) || TREE_CODE(SSA_NAME_VAR(name)) == VAR_DECL) && SSA_NAME_VAR(name) != cfun->static_chain_decl;
}

/* A reference: base, and where behind it. Bounds are those of the outermost array, relative to the base. */
struct Ref {
    cs_operand base;
    cs_pattern pat;
    int64_t size;
    auto_vec<tree, 4> index;
};

/* Arrays at the end of a struct may be longer than they say. */
int64_t array_extent(tree ref, tree type)
{
    int64_t n = size_of(type);
    if (n <= 0 || array_at_struct_end_p(ref)) return CS_SIZE_UNKNOWN;
    return n;
}

cs_operand lower_operand(tree t);

void move_base(Ref *r, int64_t c)
{
    if (r->pat.stride == 0) r->pat.off += c;
    else r->pat.off = ((r->pat.off + c) % r->pat.stride + r->pat.stride) % r->pat.stride;
    if (r->pat.lo > CS_OFF_MIN) r->pat.lo += c;
    if (r->pat.hi < CS_OFF_MAX) r->pat.hi += c;
}

void strip_array(tree ref, Ref *r, bool address)
{
    tree low = array_ref_low_bound(ref), idx = TREE_OPERAND(ref, 1), elt = array_ref_element_size(ref);
    int64_t es = tree_fits_shwi_p(elt) ? tree_to_shwi(elt) : 0, i, lo;
    bool known = es > 0 && constant_of(idx, &i) && constant_of(low, &lo);
    if (known) move_base(r, (i - lo) * es);
    else {
        r->pat = cs_pat_spread(r->pat, es > 0 ? es : 1);
        if (TREE_CODE(idx) == SSA_NAME) r->index.safe_push(idx);
        if (TREE_CODE(low) == SSA_NAME) r->index.safe_push(low);
        if (TREE_CODE(elt) == SSA_NAME) r->index.safe_push(elt);
    }
    if (!known || address) {
        int64_t ext = array_extent(ref, TREE_TYPE(TREE_OPERAND(ref, 0)));
        bool member = TREE_CODE(TREE_OPERAND(ref, 0)) == COMPONENT_REF;
        r->pat.lo = member || ext > 0 ? 0 : CS_OFF_MIN;
        r->pat.hi = ext > 0 && es > 0 ? ext : CS_OFF_MAX;
    }
}

void lower_ref(tree t, Ref *r, bool address)
{
    r->size = size_of(TREE_TYPE(t));
    r->pat = cs_pat_at(0);
    if (address && TREE_CODE(t) == COMPONENT_REF && TREE_CODE(TREE_TYPE(t)) == ARRAY_TYPE) {
        r->pat.lo = 0;
        r->pat.hi = r->size > 0 && !array_at_struct_end_p(t) ? r->size : CS_OFF_MAX;   /* a last array may be longer than it says */
    }
    while (handled_component_p(t)) {
        switch (TREE_CODE(t)) {
        case COMPONENT_REF: {
            tree off = component_ref_field_offset(t), bit = DECL_FIELD_BIT_OFFSET(TREE_OPERAND(t, 1));
            if (TREE_CODE(off) == INTEGER_CST) move_base(r, tree_to_shwi(off) + tree_to_shwi(bit) / BITS_PER_UNIT);
            else { r->pat = cs_pat_any(); if (TREE_CODE(off) == SSA_NAME) r->index.safe_push(off); }
            if (DECL_BIT_FIELD(TREE_OPERAND(t, 1))) r->size = 8;
            break;
        }
        case ARRAY_REF: case ARRAY_RANGE_REF: strip_array(t, r, address); break;
        case BIT_FIELD_REF: move_base(r, tree_to_shwi(TREE_OPERAND(t, 2)) / BITS_PER_UNIT); break;
        case IMAGPART_EXPR: move_base(r, size_of(TREE_TYPE(t))); break;
        default: break;
        }
        t = TREE_OPERAND(t, 0);
    }
    if (TREE_CODE(t) == MEM_REF) {
        move_base(r, mem_ref_offset(t).force_shwi().to_constant());
        tree p = TREE_OPERAND(t, 0);
        if (TREE_CODE(p) == ADDR_EXPR) {
            Ref inner;
            lower_ref(TREE_OPERAND(p, 0), &inner, true);
            if (inner.base.kind == CS_OPND_ADDR) inner.base.pat = cs_pat_compose(inner.base.pat, inner.pat);
            r->base = inner.base;
            return;
        }
        r->base = lower_operand(p);
    } else if (TREE_CODE(t) == TARGET_MEM_REF) {
        r->base = lower_operand(TMR_BASE(t));
        r->pat = cs_pat_any();
        if (TMR_INDEX(t) && TREE_CODE(TMR_INDEX(t)) == SSA_NAME) r->index.safe_push(TMR_INDEX(t));
        if (TMR_INDEX2(t) && TREE_CODE(TMR_INDEX2(t)) == SSA_NAME) r->index.safe_push(TMR_INDEX2(t));
    } else if (DECL_P(t) || CONSTANT_CLASS_P(t)) {
        r->base = cs_opnd_addr(obj_of(t), cs_pat_at(0));
        if (VAR_P(t) && DECL_COMMON(t)) { r->pat.lo = CS_OFF_MIN; r->pat.hi = CS_OFF_MAX; }
    } else if (TREE_CODE(t) == SSA_NAME) {
        r->base = cs_opnd_none();       /* part of a register: see callers */
    } else {
        r->base = cs_opnd_none();
    }
}

int new_stmt(cs_stmt_kind kind)
{
    int s = cs_graph_add_stmt(L->g, L->func, L->block, kind);
    expanded_location x = expand_location(L->where);
    const char *file = x.file ? lbasename(x.file) : "";
    L->g->stmts[s].file = cs_graph_string(L->g, file);
    L->g->stmts[s].line = x.line;
    return s;
}

int pseudo_stmt(cs_stmt_kind kind)
{
    int s = new_stmt(kind);
    L->g->stmts[s].source = -1;
    return s;
}

/* &ref as an operand; addresses behind a pointer need a pseudo statement. */
cs_operand lower_address(tree ref)
{
    if (TREE_CODE(ref) == FUNCTION_DECL) return cs_opnd_addr(obj_of(ref), cs_pat_at(0));
    if (TREE_CODE(ref) == LABEL_DECL) return cs_opnd_none();
    Ref r;
    lower_ref(ref, &r, true);
    if (r.base.kind == CS_OPND_ADDR && r.index.is_empty()) {
        r.base.pat = cs_pat_compose(r.base.pat, r.pat);
        if (r.base.pat.stride == 0 && r.pat.stride == 0) { r.base.pat.lo = r.pat.lo; r.base.pat.hi = r.pat.hi; }
        return r.base;
    }
    if (r.base.kind == CS_OPND_NONE) return r.base;
    int v = cs_graph_add_value(L->g, L->func), s = pseudo_stmt(CS_STMT_ASSIGN);
    cs_stmt *st = &L->g->stmts[s];
    st->op = CS_OP_FIELD;
    st->def = v;
    L->g->values[v].def = s;
    st->load.pat = r.pat;
    cs_stmt_add_use(st, r.base);
    for (unsigned i = 0; i < r.index.length(); i++) {
        cs_operand u = lower_operand(r.index[i]);
        cs_stmt_add_use(&L->g->stmts[s], u);
    }
    return cs_opnd_value(v);
}

cs_operand lower_constant_operand(tree t)
{
    int64_t c;
    STRIP_NOPS(t);
    if (constant_of(t, &c)) return cs_opnd_const(c);
    if (TREE_CODE(t) == ADDR_EXPR) {
        tree ref = TREE_OPERAND(t, 0);
        if (TREE_CODE(ref) == FUNCTION_DECL) return cs_opnd_addr(obj_of(ref), cs_pat_at(0));
        if (TREE_CODE(ref) == LABEL_DECL) return cs_opnd_none();
        Ref r;
        lower_ref(ref, &r, true);
        if (r.base.kind == CS_OPND_ADDR) r.base.pat = cs_pat_compose(r.base.pat, r.pat);
        return r.base;
    }
    if (TREE_CODE(t) == POINTER_PLUS_EXPR || TREE_CODE(t) == PLUS_EXPR) {
        cs_operand b = lower_constant_operand(TREE_OPERAND(t, 0));
        if (b.kind == CS_OPND_ADDR) b.pat = cs_pat_spread(b.pat, 1);
        return b.kind == CS_OPND_ADDR ? b : cs_opnd_none();
    }
    return cs_opnd_none();
}

cs_operand lower_operand(tree t)
{
    if (TREE_CODE(t) == SSA_NAME) return is_unset(t) ? cs_opnd_none() : cs_opnd_value(value_of(t));
    if (TREE_CODE(t) == ADDR_EXPR) return lower_address(TREE_OPERAND(t, 0));
    if (TREE_CODE(t) == FUNCTION_DECL) return cs_opnd_addr(obj_of(t), cs_pat_at(0));
    return lower_constant_operand(t);
}

cs_ref to_ref(const Ref *r)
{
    cs_ref out = { r->base, r->pat, r->size };
    return out;
}

void add_index_uses(int s, const Ref *r)
{
    for (unsigned i = 0; i < r->index.length(); i++) {
        cs_operand u = lower_operand(r->index[i]);
        if (u.kind == CS_OPND_VALUE) cs_stmt_add_index(&L->g->stmts[s], u.id);
    }
}

bool is_memory(tree t)
{
    if (TREE_CODE(t) == SSA_NAME || is_gimple_min_invariant(t) || TREE_CODE(t) == CONSTRUCTOR) return TREE_CODE(t) == STRING_CST;
    while (handled_component_p(t)) t = TREE_OPERAND(t, 0);
    return TREE_CODE(t) == MEM_REF || TREE_CODE(t) == TARGET_MEM_REF || DECL_P(t) || TREE_CODE(t) == STRING_CST;
}

/* ---- statements ---- */

void set_def(int s, tree lhs)
{
    int v = value_of(lhs);
    L->g->stmts[s].def = v;
    L->g->values[v].def = s;
}

void note_origin(gimple *g, int s)
{
    gimple_set_uid(g, s + 1);
}

/* Greatest known divisor of a byte offset. */
int64_t stride_of(tree off, int depth)
{
    int64_t c;
    if (constant_of(off, &c)) return c;
    if (TREE_CODE(off) != SSA_NAME || depth > 8) return 1;
    gimple *d = SSA_NAME_DEF_STMT(off);
    if (!is_gimple_assign(d)) return 1;
    tree a = gimple_assign_rhs1(d), b = gimple_num_ops(d) > 2 ? gimple_assign_rhs2(d) : NULL_TREE;
    switch (gimple_assign_rhs_code(d)) {
    case MULT_EXPR:
        if (constant_of(b, &c) && c) return c < 0 ? -c : c;
        return 1;
    case LSHIFT_EXPR: if (constant_of(b, &c) && c >= 0 && c < 40) return INT64_C(1) << c; return 1;
    CASE_CONVERT: case NEGATE_EXPR: case SSA_NAME: return stride_of(a, depth + 1);
    case PLUS_EXPR: case MINUS_EXPR: {
        int64_t x = stride_of(a, depth + 1), y = stride_of(b, depth + 1);
        x = x < 0 ? -x : x;
        y = y < 0 ? -y : y;
        while (y) { int64_t t = x % y; x = y; y = t; }
        return x ? x : 1;
    }
    default: return 1;
    }
}

bool holds_pointer(tree type)
{
    return POINTER_TYPE_P(type) || (INTEGRAL_TYPE_P(type) && TYPE_PRECISION(type) >= 32) || VECTOR_TYPE_P(type) || TREE_CODE(type) == COMPLEX_TYPE
        || TREE_CODE(type) == OFFSET_TYPE;
}

/* A truth value, however it is wrapped: conversions keep its 0 or 1. */
bool is_truth(tree t, int depth)
{
    if (TREE_CODE(t) == INTEGER_CST) return integer_zerop(t) || integer_onep(t);
    if (TREE_CODE(t) != SSA_NAME || depth > 6) return false;
    if (TREE_CODE(TREE_TYPE(t)) == BOOLEAN_TYPE) return true;
    gimple *d = SSA_NAME_DEF_STMT(t);
    if (gimple_call_internal_p(d, IFN_BUILTIN_EXPECT)) return is_truth(gimple_call_arg(d, 0), depth + 1);
    if (!is_gimple_assign(d)) return false;
    tree_code code = gimple_assign_rhs_code(d);
    return TREE_CODE_CLASS(code) == tcc_comparison || (CONVERT_EXPR_CODE_P(code) && is_truth(gimple_assign_rhs1(d), depth + 1));
}

cs_op convert_op(tree to, tree from)
{
    if (POINTER_TYPE_P(to) || POINTER_TYPE_P(from)) {
        bool wide = (!INTEGRAL_TYPE_P(to) || TYPE_PRECISION(to) >= 64) && (!INTEGRAL_TYPE_P(from) || TYPE_PRECISION(from) >= 32);
        return wide ? CS_OP_COPY : CS_OP_MIX;
    }
    if (!INTEGRAL_TYPE_P(to) || !INTEGRAL_TYPE_P(from)) return CS_OP_OTHER;
    unsigned pt = TYPE_PRECISION(to), pf = TYPE_PRECISION(from);
    if (TREE_CODE(from) == BOOLEAN_TYPE) return CS_OP_COPY;
    if (pt < pf || TREE_CODE(to) == BOOLEAN_TYPE) return CS_OP_MIX;
    if (pt > pf && TYPE_UNSIGNED(from)) return CS_OP_MIX;
    return CS_OP_COPY;
}

cs_op compare_op(tree_code code, tree type)
{
    bool integral = INTEGRAL_TYPE_P(type) || POINTER_TYPE_P(type);
    if (!integral) return CS_OP_OTHER;
    switch (code) {
    case EQ_EXPR: return CS_OP_EQ;
    case NE_EXPR: return CS_OP_NE;
    default: break;
    }
    if (TYPE_UNSIGNED(type) || POINTER_TYPE_P(type)) return CS_OP_OTHER;
    switch (code) {
    case LT_EXPR: return CS_OP_LT;
    case LE_EXPR: return CS_OP_LE;
    case GT_EXPR: return CS_OP_GT;
    case GE_EXPR: return CS_OP_GE;
    default: return CS_OP_OTHER;
    }
}

cs_op assign_op(tree_code code, tree lhs_type, tree rhs1)
{
    switch (code) {
    case SSA_NAME: case ADDR_EXPR: case INTEGER_CST: case PAREN_EXPR: return CS_OP_COPY;
    CASE_CONVERT: return is_truth(rhs1, 0) ? CS_OP_COPY : convert_op(lhs_type, TREE_TYPE(rhs1));
    case VIEW_CONVERT_EXPR: return CS_OP_MIX;
    case POINTER_PLUS_EXPR: return CS_OP_PTRADD;
    case PLUS_EXPR: return holds_pointer(lhs_type) && !VECTOR_TYPE_P(lhs_type) && INTEGRAL_TYPE_P(lhs_type) ? CS_OP_ADD : CS_OP_OTHER;
    case MINUS_EXPR: return INTEGRAL_TYPE_P(lhs_type) ? CS_OP_SUB : CS_OP_OTHER;
    case MULT_EXPR: return INTEGRAL_TYPE_P(lhs_type) ? CS_OP_MUL : CS_OP_OTHER;
    case COND_EXPR: return CS_OP_SELECT;
    case EQ_EXPR: case NE_EXPR: case LT_EXPR: case LE_EXPR: case GT_EXPR: case GE_EXPR: return compare_op(code, TREE_TYPE(rhs1));
    case BIT_AND_EXPR: case BIT_IOR_EXPR: case BIT_XOR_EXPR: case BIT_NOT_EXPR: case LSHIFT_EXPR: case RSHIFT_EXPR: case LROTATE_EXPR: case RROTATE_EXPR:
    case MIN_EXPR: case MAX_EXPR: case NEGATE_EXPR: case POINTER_DIFF_EXPR: case CONSTRUCTOR: case COMPLEX_EXPR: case VEC_PERM_EXPR: case REALPART_EXPR:
    case IMAGPART_EXPR: case BIT_FIELD_REF: case BIT_INSERT_EXPR: case OBJ_TYPE_REF:
        return holds_pointer(lhs_type) ? CS_OP_MIX : CS_OP_OTHER;
    default: return CS_OP_OTHER;
    }
}

/* Every register or address operand of a tree, however nested. */
void add_uses_deep(int s, tree t)
{
    if (!t) return;
    if (TREE_CODE(t) == CONSTRUCTOR) {
        unsigned HOST_WIDE_INT i;
        tree val;
        FOR_EACH_CONSTRUCTOR_VALUE(CONSTRUCTOR_ELTS(t), i, val) add_uses_deep(s, val);
        return;
    }
    if (TREE_CODE(t) == OBJ_TYPE_REF) { add_uses_deep(s, OBJ_TYPE_REF_EXPR(t)); return; }
    if (COMPARISON_CLASS_P(t)) {
        add_uses_deep(s, TREE_OPERAND(t, 0));
        add_uses_deep(s, TREE_OPERAND(t, 1));
        return;
    }
    while (handled_component_p(t) && !is_memory(t)) t = TREE_OPERAND(t, 0);
    cs_operand op = lower_operand(t);
    cs_stmt_add_use(&L->g->stmts[s], op);
}

void lower_register_assign(gimple *g, tree lhs)
{
    tree_code code = gimple_assign_rhs_code(g);
    tree rhs1 = gimple_assign_rhs1(g);
    if (gimple_assign_single_p(g) && is_memory(rhs1)) {
        Ref r;
        lower_ref(rhs1, &r, false);
        int s = new_stmt(CS_STMT_LOAD);
        note_origin(g, s);
        set_def(s, lhs);
        L->g->stmts[s].has_load = true;
        L->g->stmts[s].load = to_ref(&r);
        add_index_uses(s, &r);
        return;
    }
    int first = L->g->nstmts;
    int s = new_stmt(CS_STMT_ASSIGN);
    (void)first;
    note_origin(g, s);
    set_def(s, lhs);
    L->g->stmts[s].op = assign_op(code, TREE_TYPE(lhs), rhs1);
    if (code == POINTER_PLUS_EXPR) {
        int64_t st = stride_of(gimple_assign_rhs2(g), 0);
        L->g->stmts[s].stride = st < 0 ? -st : st;
    }
    if (code == COND_EXPR && COMPARISON_CLASS_P(rhs1)) L->g->stmts[s].op = CS_OP_MIX;
    for (unsigned i = 1; i < gimple_num_ops(g); i++) add_uses_deep(s, gimple_op(g, i));
}

void lower_memory_assign(gimple *g, tree lhs)
{
    tree rhs = gimple_assign_rhs1(g);
    if (TREE_CLOBBER_P(rhs)) return;
    Ref d;
    lower_ref(lhs, &d, false);
    if (is_memory(rhs)) {
        Ref src;
        lower_ref(rhs, &src, false);
        int s = new_stmt(CS_STMT_COPY);
        note_origin(g, s);
        cs_stmt *st = &L->g->stmts[s];
        st->has_store = st->has_load = true;
        st->store = to_ref(&d);
        st->load = to_ref(&src);
        add_index_uses(s, &d);
        add_index_uses(s, &src);
        return;
    }
    cs_operand v = cs_opnd_none();
    if (TREE_CODE(rhs) == CONSTRUCTOR && CONSTRUCTOR_NELTS(rhs) == 0) v = cs_opnd_const(0);
    else if (TREE_CODE(rhs) != CONSTRUCTOR) v = lower_operand(rhs);
    int s = new_stmt(CS_STMT_STORE);
    note_origin(g, s);
    L->g->stmts[s].has_store = true;
    L->g->stmts[s].store = to_ref(&d);
    cs_stmt_add_use(&L->g->stmts[s], v);
    add_index_uses(s, &d);
}

void lower_assign(gimple *g)
{
    tree lhs = gimple_assign_lhs(g);
    if (TREE_CODE(lhs) == SSA_NAME) lower_register_assign(g, lhs);
    else lower_memory_assign(g, lhs);
}

/* ---- arguments that the source does not show ---- */

const int BEHIND_VARIADIC = 48;

/* Behind the formal arguments come the static chain and the address of a result that is returned by reference. */
int hidden_args(tree fntype)
{
    return prototype_p(fntype) && !stdarg_p(fntype) ? list_length(TYPE_ARG_TYPES(fntype)) - 1 : BEHIND_VARIADIC;
}

/* C++ classes with constructors are built by the callee where the caller says. */
bool returns_by_reference(tree fntype)
{
    return TREE_ADDRESSABLE(TREE_TYPE(fntype));
}

void set_arg(int s, int i, cs_operand op)
{
    while (L->g->stmts[s].nuses <= i) cs_stmt_add_use(&L->g->stmts[s], cs_opnd_none());
    L->g->stmts[s].uses[i] = op;
}

/* The object through which a trampoline hands the static chain to this function. */
int chain_obj(int func)
{
    auto it = L->chains.find(func);
    if (it != L->chains.end()) return it->second;
    int o = cs_graph_add_obj(L->g, CS_OBJ_GLOBAL, "static chain", POINTER_SIZE_UNITS);
    return L->chains[func] = o;
}

void store_pseudo(cs_operand base, int64_t size, cs_operand val)
{
    int s = pseudo_stmt(CS_STMT_STORE);
    L->g->stmts[s].has_store = true;
    L->g->stmts[s].store.base = base;
    L->g->stmts[s].store.pat = cs_pat_at(0);
    L->g->stmts[s].store.size = size;
    cs_stmt_add_use(&L->g->stmts[s], val);
}

/* Operands of a call are lowered before the call: their pseudo statements must not follow it, as it may end the block. */
struct CallArgs {
    auto_vec<cs_operand, 16> ops;
    auto_vec<cs_ref> refs;
    auto_vec<int> ref_args;
    auto_vec<tree> index;
};

void lower_call_args(gimple *g, CallArgs *out)
{
    for (unsigned i = 0; i < gimple_call_num_args(g); i++) {
        tree a = gimple_call_arg(g, i);
        if (!is_memory(a)) { out->ops.safe_push(lower_operand(a)); continue; }
        Ref r;
        lower_ref(a, &r, false);
        out->ops.safe_push(cs_opnd_none());
        out->refs.safe_push(to_ref(&r));
        out->ref_args.safe_push(i);
        for (unsigned k = 0; k < r.index.length(); k++) out->index.safe_push(r.index[k]);
    }
}

/* gfortran marks its checks of sizes that overflow and of allocations that fail. */
bool fails_by_prediction(gimple *g)
{
    int64_t p;
    return gimple_call_num_args(g) == 3 && constant_of(gimple_call_arg(g, 2), &p) && (p == PRED_FORTRAN_OVERFLOW || p == PRED_FORTRAN_FAIL_ALLOC);
}

/* ---- variadic functions: a va_list points to an object that holds what the callers passed ---- */

int variadic_obj(int func)
{
    auto it = L->variadic.find(func);
    if (it != L->variadic.end()) return it->second;
    int o = cs_graph_add_obj(L->g, CS_OBJ_GLOBAL, "variadic arguments", CS_SIZE_UNKNOWN);
    return L->variadic[func] = o;
}

void pass_variadic(gimple *g, tree fntype, int func, const CallArgs *args)
{
    if (prototype_p(fntype) && !stdarg_p(fntype)) return;
    unsigned n = prototype_p(fntype) ? list_length(TYPE_ARG_TYPES(fntype)) : 0;
    if (n >= args->ops.length()) return;
    cs_operand to = cs_opnd_addr(variadic_obj(func), cs_pat_any());
    for (unsigned i = n; i < args->ops.length(); i++) store_pseudo(to, CS_SIZE_UNKNOWN, args->ops[i]);
    for (unsigned k = 0; k < args->refs.length(); k++) {
        if (args->ref_args[k] < (int)n) continue;
        int s = pseudo_stmt(CS_STMT_COPY);
        L->g->stmts[s].has_store = L->g->stmts[s].has_load = true;
        L->g->stmts[s].store = { to, cs_pat_at(0), CS_SIZE_UNKNOWN };
        L->g->stmts[s].load = args->refs[k];
    }
}

void lower_va_start(gimple *g)
{
    cs_operand list = lower_operand(gimple_call_arg(g, 0));
    cs_operand ops[] = { cs_opnd_none(), cs_opnd_addr(variadic_obj(L->func), cs_pat_any()), cs_opnd_addr(variadic_obj(-1), cs_pat_any()) };
    int v = cs_graph_add_value(L->g, L->func), s = pseudo_stmt(CS_STMT_ASSIGN);
    L->g->stmts[s].op = CS_OP_SELECT;
    L->g->stmts[s].def = v;
    L->g->values[v].def = s;
    for (int i = 0; i < 3; i++) cs_stmt_add_use(&L->g->stmts[s], ops[i]);
    s = new_stmt(CS_STMT_STORE);
    note_origin(g, s);
    L->g->stmts[s].has_store = true;
    L->g->stmts[s].store = { list, cs_pat_any(), CS_SIZE_UNKNOWN };
    cs_stmt_add_use(&L->g->stmts[s], cs_opnd_value(v));
}

int load_any(cs_operand base)
{
    int v = cs_graph_add_value(L->g, L->func), s = pseudo_stmt(CS_STMT_LOAD);
    L->g->stmts[s].def = v;
    L->g->values[v].def = s;
    L->g->stmts[s].has_load = true;
    L->g->stmts[s].load = { base, cs_pat_any(), CS_SIZE_UNKNOWN };
    return v;
}

void lower_va_arg(gimple *g)
{
    tree lhs = gimple_call_lhs(g);
    Ref to;
    cs_operand list = lower_operand(gimple_call_arg(g, 0));
    int found = load_any(cs_opnd_value(load_any(list)));
    int f = -1;
    for (int i = 0; i < L->g->nfuncs && f < 0; i++)
        if (!strcmp(cs_func_name(L->g, i), "__builtin_va_arg")) f = i;
    if (f < 0) f = cs_graph_add_func(L->g, "__builtin_va_arg");
    if (lhs && TREE_CODE(lhs) != SSA_NAME) lower_ref(lhs, &to, false);
    int s = new_stmt(CS_STMT_CALL);
    note_origin(g, s);
    L->g->stmts[s].callee = cs_opnd_addr(L->g->funcs[f].obj, cs_pat_at(0));
    cs_stmt_add_use(&L->g->stmts[s], list);
    cs_stmt_add_use(&L->g->stmts[s], cs_opnd_value(found));
    if (!lhs) return;
    if (TREE_CODE(lhs) == SSA_NAME) { set_def(s, lhs); return; }
    L->g->stmts[s].has_store = true;
    L->g->stmts[s].store = to_ref(&to);
    add_index_uses(s, &to);
}

/* What an internal function leaves in memory. */
void lower_internal_store(gimple *g, tree lhs)
{
    Ref to;
    lower_ref(lhs, &to, false);
    int s = new_stmt(CS_STMT_STORE);
    note_origin(g, s);
    L->g->stmts[s].has_store = true;
    L->g->stmts[s].store = to_ref(&to);
    cs_stmt_add_use(&L->g->stmts[s], cs_opnd_none());
    for (unsigned i = 0; i < gimple_call_num_args(g); i++) add_uses_deep(s, gimple_call_arg(g, i));
    add_index_uses(s, &to);
}

void lower_internal_call(gimple *g)
{
    tree lhs = gimple_call_lhs(g);
    if (gimple_call_internal_p(g, IFN_VA_ARG)) { lower_va_arg(g); return; }
    if (lhs && TREE_CODE(lhs) != SSA_NAME) { lower_internal_store(g, lhs); return; }
    if (!lhs) return;
    int s = new_stmt(CS_STMT_ASSIGN);
    note_origin(g, s);
    set_def(s, lhs);
    bool expect = gimple_call_internal_p(g, IFN_BUILTIN_EXPECT);
    L->g->stmts[s].op = expect ? CS_OP_COPY : holds_pointer(TREE_TYPE(lhs)) ? CS_OP_MIX : CS_OP_OTHER;
    if (expect && fails_by_prediction(g)) {
        cs_stmt_add_use(&L->g->stmts[s], cs_opnd_const(0));
        return;
    }
    for (unsigned i = 0; i < (expect ? 1 : gimple_call_num_args(g)); i++) add_uses_deep(s, gimple_call_arg(g, i));
}

/* A trampoline holds a nested function and its frame; whoever calls through it needs both. */
void lower_init_trampoline(gimple *g)
{
    cs_operand tramp = lower_operand(gimple_call_arg(g, 0)), fn = lower_operand(gimple_call_arg(g, 1)), chain = lower_operand(gimple_call_arg(g, 2));
    int both = cs_graph_add_value(L->g, L->func), s = pseudo_stmt(CS_STMT_ASSIGN);
    cs_operand ops[] = { cs_opnd_none(), fn, chain };
    L->g->stmts[s].op = CS_OP_SELECT;
    L->g->stmts[s].def = both;
    L->g->values[both].def = s;
    for (int i = 0; i < 3; i++) cs_stmt_add_use(&L->g->stmts[s], ops[i]);
    if (fn.kind == CS_OPND_ADDR && L->g->objs[fn.id].kind == CS_OBJ_FUNC)
        store_pseudo(cs_opnd_addr(chain_obj(L->g->objs[fn.id].func), cs_pat_at(0)), POINTER_SIZE_UNITS, chain);
    s = new_stmt(CS_STMT_STORE);
    note_origin(g, s);
    L->g->stmts[s].has_store = true;
    L->g->stmts[s].store.base = tramp;
    L->g->stmts[s].store.pat = cs_pat_at(0);
    L->g->stmts[s].store.size = POINTER_SIZE_UNITS;
    cs_stmt_add_use(&L->g->stmts[s], cs_opnd_value(both));
}

/* The pointer that a trampoline is called by: taken to be what lies in it. */
void lower_adjust_trampoline(gimple *g)
{
    tree lhs = gimple_call_lhs(g);
    if (!lhs || TREE_CODE(lhs) != SSA_NAME) return;
    cs_operand tramp = lower_operand(gimple_call_arg(g, 0));
    int s = new_stmt(CS_STMT_LOAD);
    note_origin(g, s);
    set_def(s, lhs);
    L->g->stmts[s].has_load = true;
    L->g->stmts[s].load.base = tramp;
    L->g->stmts[s].load.pat = cs_pat_at(0);
    L->g->stmts[s].load.size = POINTER_SIZE_UNITS;
}

cs_operand call_resolver(tree resolver)
{
    int f = func_obj(resolver), v = cs_graph_add_value(L->g, L->func), s = pseudo_stmt(CS_STMT_CALL);
    L->g->stmts[s].callee = cs_opnd_addr(f, cs_pat_at(0));
    L->g->stmts[s].def = v;
    L->g->values[v].def = s;
    return cs_opnd_value(v);
}

void lower_call(gimple *g)
{
    if (gimple_call_internal_p(g)) { lower_internal_call(g); return; }
    if (gimple_call_builtin_p(g, BUILT_IN_INIT_TRAMPOLINE) || gimple_call_builtin_p(g, BUILT_IN_INIT_HEAP_TRAMPOLINE)) { lower_init_trampoline(g); return; }
    if (gimple_call_builtin_p(g, BUILT_IN_VA_START)) { lower_va_start(g); return; }
    if (gimple_call_builtin_p(g, BUILT_IN_ADJUST_TRAMPOLINE)) { lower_adjust_trampoline(g); return; }
    tree fn = gimple_call_fn(g), lhs = gimple_call_lhs(g), decl = gimple_call_fndecl(g);
    cs_operand callee, chain = cs_opnd_none();
    CallArgs args;
    Ref result;
    tree fntype = decl ? TREE_TYPE(decl) : gimple_call_fntype(g);
    tree resolver = decl ? resolver_of(decl) : NULL_TREE;
    if (resolver) {
        callee = call_resolver(resolver);
        decl = NULL_TREE;
    } else if (decl) callee = cs_opnd_addr(func_obj(decl), cs_pat_at(0));
    else callee = lower_operand(TREE_CODE(fn) == OBJ_TYPE_REF ? OBJ_TYPE_REF_EXPR(fn) : fn);
    lower_call_args(g, &args);
    if (gimple_call_chain(g)) chain = lower_operand(gimple_call_chain(g));
    if (lhs && TREE_CODE(lhs) != SSA_NAME) lower_ref(lhs, &result, false);
    bool by_ref = lhs && TREE_CODE(lhs) != SSA_NAME && returns_by_reference(fntype), body = decl && has_body(decl);
    cs_operand slot = by_ref ? lower_address(lhs) : cs_opnd_none();
    /* An object from a library may point to itself, as a short std::string does. */
    if (by_ref && !body) store_pseudo(slot, CS_SIZE_UNKNOWN, slot);
    if (body) pass_variadic(g, fntype, func_of(decl), &args);
    else if (!decl) pass_variadic(g, fntype, -1, &args);
    int s = new_stmt(CS_STMT_CALL);
    note_origin(g, s);
    L->g->stmts[s].callee = callee;
    for (unsigned i = 0; i < args.ops.length(); i++) cs_stmt_add_use(&L->g->stmts[s], args.ops[i]);
    for (unsigned i = 0; i < args.refs.length(); i++) cs_stmt_add_arg_load(&L->g->stmts[s], args.ref_args[i], args.refs[i]);
    for (unsigned i = 0; i < args.index.length(); i++)
        if (TREE_CODE(args.index[i]) == SSA_NAME && !is_unset(args.index[i])) cs_stmt_add_index(&L->g->stmts[s], value_of(args.index[i]));
    if (gimple_call_chain(g)) set_arg(s, hidden_args(fntype), chain);
    if (by_ref && (body || !decl)) set_arg(s, hidden_args(fntype) + 1, slot);
    if (by_ref && body) return;
    if (!lhs) return;
    if (TREE_CODE(lhs) == SSA_NAME) { set_def(s, lhs); return; }
    L->g->stmts[s].has_store = true;
    L->g->stmts[s].store = to_ref(&result);
    add_index_uses(s, &result);
}

void lower_cond(gcond *g)
{
    cs_operand a = lower_operand(gimple_cond_lhs(g)), b = lower_operand(gimple_cond_rhs(g));
    int s = new_stmt(CS_STMT_COND);
    note_origin(g, s);
    L->g->stmts[s].op = compare_op(gimple_cond_code(g), TREE_TYPE(gimple_cond_lhs(g)));
    cs_stmt_add_use(&L->g->stmts[s], a);
    cs_stmt_add_use(&L->g->stmts[s], b);
}

void lower_return(greturn *g)
{
    tree v = gimple_return_retval(g);
    if (v && is_memory(v)) {
        Ref r;
        lower_ref(v, &r, false);
        int s = new_stmt(CS_STMT_RETURN);
        note_origin(g, s);
        int ro = L->g->funcs[L->func].result_obj;
        if (r.base.kind == CS_OPND_ADDR && r.base.id == ro) return;
        L->g->stmts[s].has_load = true;
        L->g->stmts[s].load = to_ref(&r);
        return;
    }
    cs_operand op = v ? lower_operand(v) : cs_opnd_none();
    int s = new_stmt(CS_STMT_RETURN);
    note_origin(g, s);
    if (v) cs_stmt_add_use(&L->g->stmts[s], op);
}

void lower_asm(gasm *g)
{
    int s = new_stmt(CS_STMT_ASM);
    note_origin(g, s);
    for (unsigned i = 0; i < gimple_asm_ninputs(g); i++) {
        tree in = TREE_VALUE(gimple_asm_input_op(g, i));
        if (!is_memory(in)) { add_uses_deep(s, in); continue; }
        Ref r;
        lower_ref(in, &r, false);
        L->g->stmts[s].has_load = true;
        L->g->stmts[s].load = to_ref(&r);
    }
    for (unsigned i = 0; i < gimple_asm_noutputs(g); i++) {
        tree out = TREE_VALUE(gimple_asm_output_op(g, i));
        if (TREE_CODE(out) == SSA_NAME) { set_def(s, out); continue; }
        Ref r;
        lower_ref(out, &r, false);
        L->g->stmts[s].has_store = true;
        L->g->stmts[s].store = to_ref(&r);
    }
    L->g->funcs[L->func].keep_all = true;
}

void lower_switch_like(gimple *g, tree index)
{
    cs_operand op = index ? lower_operand(index) : cs_opnd_none();
    int s = new_stmt(CS_STMT_SWITCH);
    note_origin(g, s);
    cs_stmt_add_use(&L->g->stmts[s], op);
}

void lower_resume(gimple *g)
{
    int f = -1;
    for (int i = 0; i < L->g->nfuncs; i++)
        if (!strcmp(cs_func_name(L->g, i), "_Unwind_Resume")) f = i;
    if (f < 0) f = cs_graph_add_func(L->g, "_Unwind_Resume");
    int s = new_stmt(CS_STMT_CALL);
    note_origin(g, s);
    L->g->stmts[s].callee = cs_opnd_addr(L->g->funcs[f].obj, cs_pat_at(0));
}

void lower_stmt(gimple *g)
{
    gimple_set_uid(g, 0);
    if (gimple_location(g) != UNKNOWN_LOCATION) L->where = gimple_location(g);
    switch (gimple_code(g)) {
    case GIMPLE_ASSIGN: lower_assign(g); break;
    case GIMPLE_CALL: lower_call(g); break;
    case GIMPLE_COND: lower_cond(as_a<gcond *>(g)); break;
    case GIMPLE_SWITCH: lower_switch_like(g, gimple_switch_index(as_a<gswitch *>(g))); break;
    case GIMPLE_GOTO:
        lower_switch_like(g, TREE_CODE(gimple_goto_dest(g)) == SSA_NAME ? gimple_goto_dest(g) : NULL_TREE);
        break;
    case GIMPLE_EH_DISPATCH: lower_switch_like(g, NULL_TREE); break;
    case GIMPLE_RETURN: lower_return(as_a<greturn *>(g)); break;
    case GIMPLE_ASM: lower_asm(as_a<gasm *>(g)); break;
    case GIMPLE_RESX: lower_resume(g); break;
    default: break;
    }
}

void lower_phi(gphi *phi)
{
    gimple_set_uid(phi, 0);
    if (virtual_operand_p(gimple_phi_result(phi))) return;
    unsigned n = gimple_phi_num_args(phi);
    cs_operand *ops = XNEWVEC(cs_operand, n);
    for (unsigned i = 0; i < n; i++) ops[i] = lower_operand(gimple_phi_arg_def(phi, i));
    int s = new_stmt(CS_STMT_PHI);
    note_origin(phi, s);
    set_def(s, gimple_phi_result(phi));
    L->g->stmts[s].phi_preds = XNEWVEC(int, n);
    for (unsigned i = 0; i < n; i++) {
        cs_stmt_add_use(&L->g->stmts[s], ops[i]);
        L->g->stmts[s].phi_preds[i] = L->blocks[gimple_phi_arg_edge(phi, i)->src->index];
    }
    XDELETEVEC(ops);
}

/* ---- functions ---- */

void number_blocks(cs_lowered *out)
{
    basic_block bb, first = single_succ(ENTRY_BLOCK_PTR_FOR_FN(cfun));
    L->blocks.clear();
    L->blocks[first->index] = 0;
    out->order.safe_push(first);
    FOR_EACH_BB_FN(bb, cfun) {
        if (bb == first) continue;
        L->blocks[bb->index] = out->order.length();
        out->order.safe_push(bb);
    }
}

/* gfortran's own variable, never the user's. */
bool is_compilers(tree name)
{
    return TREE_CODE(name) == SSA_NAME && (!SSA_NAME_VAR(name) || DECL_ARTIFICIAL(SSA_NAME_VAR(name)));
}

bool is_allocation_error(tree t)
{
    int64_t c;
    return constant_of(t, &c) && c == 5014;     /* LIBERROR_ALLOCATION */
}

/* "An allocation succeeds": where it did not, gfortran's code for stat= gives a variable of its own this error. */
bool allocation_failed(basic_block bb, unsigned pred)
{
    for (gphi_iterator i = gsi_start_phis(bb); !gsi_end_p(i); gsi_next(&i))
        if (is_compilers(gimple_phi_result(i.phi())) && is_allocation_error(gimple_phi_arg_def(i.phi(), pred))) return true;
    return false;
}

bool is_failed_allocation(basic_block bb)
{
    for (gimple_stmt_iterator i = gsi_start_bb(bb); !gsi_end_p(i); gsi_next(&i)) {
        gimple *g = gsi_stmt(i);
        if (gimple_assign_single_p(g) && is_compilers(gimple_assign_lhs(g)) && is_allocation_error(gimple_assign_rhs1(g))) return true;
    }
    return false;
}

void lower_edges(cs_lowered *out, bool fortran)
{
    for (unsigned b = 0; b < out->order.length(); b++) {
        edge e;
        edge_iterator ei;
        gimple *last = last_stmt(out->order[b]);
        if (last && gimple_code(last) == GIMPLE_COND) {
            edge t, f;
            extract_true_false_edges_from_block(out->order[b], &t, &f);
            cs_graph_add_edge(L->g, L->func, b, L->blocks[t->dest->index], false);
            cs_graph_add_edge(L->g, L->func, b, L->blocks[f->dest->index], false);
            for (int k = 0; k < 2 && fortran; k++) {
                edge x = k ? f : t;
                if (allocation_failed(x->dest, x->dest_idx)) L->g->funcs[L->func].blocks[b].never[k] = true;
            }
            continue;
        }
        FOR_EACH_EDGE(e, ei, out->order[b]->succs) {
            int to = e->dest == EXIT_BLOCK_PTR_FOR_FN(cfun) ? CS_BLOCK_EXIT : L->blocks[e->dest->index];
            cs_graph_add_edge(L->g, L->func, b, to, (e->flags & EDGE_EH) != 0);
            if (e->flags & EDGE_ABNORMAL) L->g->funcs[L->func].keep_all = true;
            if (fortran && to >= 0 && allocation_failed(e->dest, e->dest_idx))
                L->g->funcs[L->func].blocks[b].never[L->g->funcs[L->func].blocks[b].nsuccs - 1] = true;
        }
        if (fortran && is_failed_allocation(out->order[b]))
            for (int k = 0; k < L->g->funcs[L->func].blocks[b].nsuccs; k++) L->g->funcs[L->func].blocks[b].never[k] = true;
        if (last && gimple_code(last) == GIMPLE_RESX && EDGE_COUNT(out->order[b]->succs) == 0)
            cs_graph_add_edge(L->g, L->func, b, CS_BLOCK_EXIT, false);
    }
}

/* The static chain comes from direct callers as an argument, from others through the trampoline. */
void lower_chain(int index)
{
    tree d = ssa_default_def(cfun, cfun->static_chain_decl);
    if (!d) return;
    int v = value_of(d);
    auto it = L->chains.find(L->func);
    if (it == L->chains.end()) { L->g->funcs[L->func].params[index] = v; return; }
    int direct = cs_graph_add_value(L->g, L->func), loaded = cs_graph_add_value(L->g, L->func);
    L->g->funcs[L->func].params[index] = direct;
    int s = pseudo_stmt(CS_STMT_LOAD);
    L->g->stmts[s].def = loaded;
    L->g->values[loaded].def = s;
    L->g->stmts[s].has_load = true;
    L->g->stmts[s].load.base = cs_opnd_addr(it->second, cs_pat_at(0));
    L->g->stmts[s].load.pat = cs_pat_at(0);
    L->g->stmts[s].load.size = POINTER_SIZE_UNITS;
    cs_operand ops[] = { cs_opnd_none(), cs_opnd_value(direct), cs_opnd_value(loaded) };
    s = pseudo_stmt(CS_STMT_ASSIGN);
    L->g->stmts[s].op = CS_OP_SELECT;
    L->g->stmts[s].def = v;
    L->g->values[v].def = s;
    for (int i = 0; i < 3; i++) cs_stmt_add_use(&L->g->stmts[s], ops[i]);
}

/* Arguments that the source does not show: see hidden_args(). */
void lower_hidden_params(cgraph_node *node, int at)
{
    tree result = DECL_RESULT(node->decl);
    L->block = 0;
    if (cfun->static_chain_decl) lower_chain(at);
    tree d = result && DECL_BY_REFERENCE(result) ? ssa_default_def(cfun, result) : NULL_TREE;
    if (d) { int v = value_of(d); L->g->funcs[L->func].params[at + 1] = v; }
}

void lower_params(cgraph_node *node)
{
    cs_func *f = &L->g->funcs[L->func];
    tree fntype = TREE_TYPE(node->decl);
    int n = 0, at = hidden_args(fntype);
    for (tree p = DECL_ARGUMENTS(node->decl); p; p = DECL_CHAIN(p)) n++;
    if (at < n) at = n;
    f->nparams = returns_by_reference(fntype) ? at + 2 : cfun->static_chain_decl ? at + 1 : n;
    f->params = XCNEWVEC(int, f->nparams + 1);
    f->param_objs = XCNEWVEC(int, f->nparams + 1);
    for (int k = 0; k <= f->nparams; k++) f->params[k] = f->param_objs[k] = -1;
    int i = 0;
    for (tree p = DECL_ARGUMENTS(node->decl); p; p = DECL_CHAIN(p), i++) {
        tree d = is_gimple_reg(p) ? ssa_default_def(cfun, p) : NULL_TREE;
        if (d) { int v = value_of(d); L->g->funcs[L->func].params[i] = v; continue; }
        if (is_gimple_reg(p)) continue;
        int o = obj_of(p);
        if (AGGREGATE_TYPE_P(TREE_TYPE(p))) { L->g->funcs[L->func].param_objs[i] = o; continue; }
        int v = cs_graph_add_value(L->g, L->func);
        L->g->funcs[L->func].params[i] = v;
        L->block = 0;
        int s = pseudo_stmt(CS_STMT_ENTRY);
        L->g->stmts[s].has_store = true;
        L->g->stmts[s].store.base = cs_opnd_addr(o, cs_pat_at(0));
        L->g->stmts[s].store.pat = cs_pat_at(0);
        L->g->stmts[s].store.size = size_of(TREE_TYPE(p));
        cs_stmt_add_use(&L->g->stmts[s], cs_opnd_value(v));
    }
    lower_hidden_params(node, at);
}

void lower_result(cgraph_node *node)
{
    tree r = DECL_RESULT(node->decl);
    if (!r || VOID_TYPE_P(TREE_TYPE(r)) || is_gimple_reg(r) || DECL_BY_REFERENCE(r)) return;
    if (!AGGREGATE_TYPE_P(TREE_TYPE(r)) && !needs_to_live_in_memory(r) && is_gimple_reg_type(TREE_TYPE(r))) return;
    int o = obj_of(r);
    L->g->funcs[L->func].result_obj = o;
}

bool is_fortran(tree decl)
{
    tree unit = TREE_CODE(decl) == FUNCTION_DECL ? DECL_CONTEXT(decl) : decl;
    while (unit && TREE_CODE(unit) != TRANSLATION_UNIT_DECL) unit = DECL_P(unit) ? DECL_CONTEXT(unit) : NULL_TREE;
    const char *lang = unit ? TRANSLATION_UNIT_LANGUAGE(unit) : NULL;
    return lang && strstr(lang, "Fortran");
}

void lower_function(cgraph_node *node, cs_program *p)
{
    node->get_untransformed_body();
    if (!gimple_has_body_p(node->decl) || !DECL_STRUCT_FUNCTION(node->decl)->cfg) return;
    push_cfun(DECL_STRUCT_FUNCTION(node->decl));
    cs_lowered out = { node, func_of(node->decl), vNULL };
    L->func = out.func;
    L->values.clear();
    L->where = DECL_SOURCE_LOCATION(node->decl);
    number_blocks(&out);
    cs_graph_set_blocks(L->g, L->func, out.order.length());
    cs_func *f = &L->g->funcs[L->func];
    expanded_location x = expand_location(L->where);
    f->file = cs_graph_string(L->g, x.file ? lbasename(x.file) : "");
    f->line = x.line;
    f->fortran = is_fortran(node->decl);
    bool fortran = f->fortran;
    f->is_entry = !strcmp(asm_name(node->decl), "main") || DECL_STATIC_CONSTRUCTOR(node->decl) || DECL_STATIC_DESTRUCTOR(node->decl);
    f->exported = TREE_PUBLIC(node->decl) && !f->is_entry;
    if (cfun->calls_setjmp || cfun->has_nonlocal_label) f->keep_all = true;
    L->block = 0;
    lower_result(node);
    lower_params(node);
    for (unsigned b = 0; b < out.order.length(); b++) {
        L->block = b;
        for (gphi_iterator i = gsi_start_phis(out.order[b]); !gsi_end_p(i); gsi_next(&i)) lower_phi(i.phi());
        for (gimple_stmt_iterator i = gsi_start_bb(out.order[b]); !gsi_end_p(i); gsi_next(&i)) lower_stmt(gsi_stmt(i));
    }
    lower_edges(&out, fortran);
    p->funcs.safe_push(out);
    pop_cfun();
}

/* ---- thunks: GCC makes their code later ---- */

int assign_pseudo(cs_op op, cs_operand a, cs_operand b)
{
    int v = cs_graph_add_value(L->g, L->func), s = pseudo_stmt(CS_STMT_ASSIGN);
    L->g->stmts[s].op = op;
    L->g->stmts[s].def = v;
    L->g->stmts[s].stride = 1;
    L->g->values[v].def = s;
    cs_stmt_add_use(&L->g->stmts[s], a);
    if (b.kind != CS_OPND_NONE) cs_stmt_add_use(&L->g->stmts[s], b);
    return v;
}

int load_pseudo(int pointer, int64_t off)
{
    int v = cs_graph_add_value(L->g, L->func), s = pseudo_stmt(CS_STMT_LOAD);
    L->g->stmts[s].def = v;
    L->g->values[v].def = s;
    L->g->stmts[s].has_load = true;
    L->g->stmts[s].load.base = cs_opnd_value(pointer);
    L->g->stmts[s].load.pat = cs_pat_at(off);
    L->g->stmts[s].load.size = POINTER_SIZE_UNITS;
    return v;
}

/* The pointer moved by a constant, then by what the table of virtual functions says at an offset. */
int adjusted(int v, const thunk_info *t)
{
    if (t->this_adjusting && t->fixed_offset) v = assign_pseudo(CS_OP_PTRADD, cs_opnd_value(v), cs_opnd_const(t->fixed_offset));
    if (t->virtual_offset_p) {
        int by = load_pseudo(load_pseudo(v, 0), t->virtual_value);
        v = assign_pseudo(CS_OP_PTRADD, cs_opnd_value(v), cs_opnd_value(by));
    }
    if (!t->this_adjusting && t->fixed_offset) v = assign_pseudo(CS_OP_PTRADD, cs_opnd_value(v), cs_opnd_const(t->fixed_offset));
    return v;
}

/* A function that adjusts `this` or the result and calls the real one. */
void lower_thunk(cgraph_node *node)
{
    thunk_info *t = thunk_info::get(node);
    if (!t || !node->callees) return;
    tree target = node->callees->callee->decl, fntype = TREE_TYPE(target);
    int f = func_of(node->decl), n = hidden_args(fntype) + (returns_by_reference(fntype) ? 2 : 0), callee = func_obj(target);
    L->func = f;
    L->block = 0;
    L->where = DECL_SOURCE_LOCATION(node->decl);
    cs_graph_set_blocks(L->g, f, 1);
    cs_func *gf = &L->g->funcs[f];
    gf->nparams = n;
    gf->params = XCNEWVEC(int, n + 1);
    gf->param_objs = XCNEWVEC(int, n + 1);
    for (int i = 0; i < n; i++) {
        int v = cs_graph_add_value(L->g, f);
        L->g->funcs[f].params[i] = v;
        L->g->funcs[f].param_objs[i] = -1;
    }
    int self = n && t->this_adjusting ? adjusted(L->g->funcs[f].params[0], t) : -1;
    int s = pseudo_stmt(CS_STMT_CALL), result = cs_graph_add_value(L->g, f);
    L->g->stmts[s].callee = cs_opnd_addr(callee, cs_pat_at(0));
    L->g->stmts[s].def = result;
    L->g->values[result].def = s;
    for (int i = 0; i < n; i++) cs_stmt_add_use(&L->g->stmts[s], cs_opnd_value(i || self < 0 ? L->g->funcs[f].params[i] : self));
    if (!t->this_adjusting) result = adjusted(result, t);
    s = pseudo_stmt(CS_STMT_RETURN);
    cs_stmt_add_use(&L->g->stmts[s], cs_opnd_value(result));
    cs_graph_add_edge(L->g, f, 0, CS_BLOCK_EXIT, false);
    L->g->funcs[f].exported = TREE_PUBLIC(node->decl);
}

/* Before any body: nested functions whose address is handed on with their frame. */
void find_trampolines(cgraph_node *node)
{
    basic_block bb;
    node->get_untransformed_body();
    if (!gimple_has_body_p(node->decl) || !DECL_STRUCT_FUNCTION(node->decl)->cfg) return;
    FOR_EACH_BB_FN(bb, DECL_STRUCT_FUNCTION(node->decl))
        for (gimple_stmt_iterator i = gsi_start_bb(bb); !gsi_end_p(i); gsi_next(&i)) {
            gimple *g = gsi_stmt(i);
            if (!gimple_call_builtin_p(g, BUILT_IN_INIT_TRAMPOLINE) && !gimple_call_builtin_p(g, BUILT_IN_INIT_HEAP_TRAMPOLINE)) continue;
            tree fn = gimple_call_arg(g, 1);
            if (TREE_CODE(fn) == ADDR_EXPR && TREE_CODE(TREE_OPERAND(fn, 0)) == FUNCTION_DECL) chain_obj(func_of(TREE_OPERAND(fn, 0)));
        }
}

}

void cs_lower_program(struct cs_program *p)
{
    Lowering l;
    L = &l;
    L->g = p->graph = cs_graph_new();
    p->funcs = vNULL;
    cgraph_node *node;
    FOR_EACH_FUNCTION_WITH_GIMPLE_BODY(node)
        if (!node->alias && !node->thunk && !node->inlined_to) find_trampolines(node);
    FOR_EACH_FUNCTION(node)
        if (node->thunk && !node->inlined_to) lower_thunk(node);
    FOR_EACH_FUNCTION_WITH_GIMPLE_BODY(node) {
        if (node->alias || node->thunk || node->inlined_to) continue;
        lower_function(node, p);
    }
    L = NULL;
}

void cs_program_free(struct cs_program *p)
{
    for (unsigned i = 0; i < p->funcs.length(); i++) p->funcs[i].order.release();
    p->funcs.release();
    cs_graph_free(p->graph);
}
