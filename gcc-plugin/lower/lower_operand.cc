/* SPDX-License-Identifier: GPL-3.0-or-later
 * Operands and places in memory of GIMPLE -> those of the program graph.
 * What the graph cannot say is said conservatively: an unknown index reaches the whole array, an unknown offset
 * everything. */
#include "gcc-plugin/lower/lower_internal.h"

namespace cs_low {

int value_of(tree name)
{
    gcc_assert(TREE_CODE(name) == SSA_NAME && !virtual_operand_p(name));
    auto it = L->values.find(name);
    if (it != L->values.end())
        return it->second;
    int v = cs_graph_add_value(L->g, L->func);
    L->values[name] = v;
    return v;
}

bool is_unset(tree name)
{
    return SSA_NAME_IS_DEFAULT_DEF(name) && (!SSA_NAME_VAR(name) || TREE_CODE(SSA_NAME_VAR(name)) == VAR_DECL) &&
           SSA_NAME_VAR(name) != cfun->static_chain_decl;
}

/* Is it in the record FRAME in which GCC puts variables that nested functions share? Each member is one variable. */
static bool in_frame(tree ref)
{
    tree base = get_base_address(ref);
    if (!base || !VAR_P(base) || !DECL_ARTIFICIAL(base) || !DECL_NAME(base))
        return false;
    return !strncmp(IDENTIFIER_POINTER(DECL_NAME(base)), "FRAME", 5);
}

/* Is the array a component of an element of another one, in Fortran, where it ends with its type? */
static bool in_fortran_element(tree ref)
{
    tree array = TREE_OPERAND(ref, 0);
    return TREE_CODE(array) == COMPONENT_REF && TREE_CODE(TREE_OPERAND(array, 0)) == ARRAY_REF &&
           is_fortran(cfun->decl);
}

/* Bytes of an array; unknown for one at the end of a struct, which may be longer than its type. */
static int64_t array_extent(tree ref, tree type)
{
    int64_t n = size_of(type);
    if (n <= 0 || (array_ref_flexible_size_p(ref) && !in_frame(ref) && !in_fortran_element(ref)))
        return CS_SIZE_UNKNOWN;
    return n;
}

/* Moves the place by c bytes. */
static void move_base(Ref *r, int64_t c)
{
    if (r->pat.stride == 0)
        r->pat.off += c;
    else
        r->pat.off = ((r->pat.off + c) % r->pat.stride + r->pat.stride) % r->pat.stride;
    if (r->pat.lo > CS_OFF_MIN)
        r->pat.lo += c;
    if (r->pat.hi < CS_OFF_MAX)
        r->pat.hi += c;
}

/* Adds the registers of a size or offset that is not constant: they decide where the place is. */
static void need_registers(Ref *r, tree t)
{
    if (!t)
        return;
    if (TREE_CODE(t) == SSA_NAME) {
        r->index.safe_push(t);
        return;
    }
    for (int i = 0; EXPR_P(t) && i < TREE_OPERAND_LENGTH(t); i++)
        need_registers(r, TREE_OPERAND(t, i));
}

/* An element of an array that is a member of elements of es bytes of another one: a pattern has one stride, which both
 * would share, so the place is all of the inner array, in each of them. */
static void take_inner_array(Ref *r, int64_t es)
{
    bool inside = r->pat.stride > 0 && r->pat.stride < es && r->pat.lo >= 0 && r->pat.hi <= es;
    if (!inside || r->size > r->pat.stride)
        return;
    r->size = r->pat.hi - r->pat.lo;
    r->pat = cs_pat_at(r->pat.lo);
}

static void strip_array(tree ref, Ref *r, bool address, bool one)
{
    tree low = array_ref_low_bound(ref), idx = TREE_OPERAND(ref, 1), elt = array_ref_element_size(ref);
    int64_t es = tree_fits_shwi_p(elt) ? tree_to_shwi(elt) : 0, i, lo;
    bool known = es > 0 && constant_of(idx, &i) && constant_of(low, &lo);
    if (one && !known && TREE_CODE(TREE_TYPE(ref)) == RECORD_TYPE)
        take_inner_array(r, es);
    if (known)
        move_base(r, (i - lo) * es);
    else {
        r->pat = cs_pat_spread(r->pat, es > 0 ? es : 1);
        need_registers(r, idx);
        need_registers(r, low);
        need_registers(r, elt);
    }
    if (!known || address) {
        int64_t ext = array_extent(ref, TREE_TYPE(TREE_OPERAND(ref, 0)));
        bool member = TREE_CODE(TREE_OPERAND(ref, 0)) == COMPONENT_REF;
        r->pat.lo = member || ext > 0 ? 0 : CS_OFF_MIN;
        r->pat.hi = ext > 0 && es > 0 ? ext : CS_OFF_MAX;
    }
}

/* How many bytes the bits first .. first + bits - 1 touch. */
static int64_t bytes_of_bits(int64_t first, int64_t bits)
{
    return (first % BITS_PER_UNIT + bits + BITS_PER_UNIT - 1) / BITS_PER_UNIT;
}

/* Bytes that an access to a bit field may touch: a word of 8, or more if a long field begins inside a byte. */
static int64_t bit_field_bytes(tree field)
{
    return MAX(8, bytes_of_bits(tree_to_shwi(DECL_FIELD_BIT_OFFSET(field)), tree_to_shwi(DECL_SIZE(field))));
}

/* Moves the place by the outermost part of the reference. one: of one number, which is read or written. */
static void strip_part(tree t, Ref *r, bool address, bool one)
{
    switch (TREE_CODE(t)) {
    case COMPONENT_REF: {
        tree off = component_ref_field_offset(t), bit = DECL_FIELD_BIT_OFFSET(TREE_OPERAND(t, 1));
        if (TREE_CODE(off) == INTEGER_CST)
            move_base(r, tree_to_shwi(off) + tree_to_shwi(bit) / BITS_PER_UNIT);
        else {
            r->pat = cs_pat_any();
            need_registers(r, off);
        }
        if (DECL_BIT_FIELD(TREE_OPERAND(t, 1)))
            r->size = bit_field_bytes(TREE_OPERAND(t, 1));
        break;
    }
    case ARRAY_REF:
    case ARRAY_RANGE_REF: strip_array(t, r, address, one); break;
    case BIT_FIELD_REF: {
        int64_t first = tree_to_shwi(TREE_OPERAND(t, 2)), bits = tree_to_shwi(TREE_OPERAND(t, 1));
        if (r->size >= 0)
            r->size = MAX(r->size, bytes_of_bits(first, bits));
        move_base(r, first / BITS_PER_UNIT);
        break;
    }
    case IMAGPART_EXPR: move_base(r, size_of(TREE_TYPE(t))); break;
    default: break;
    }
}

/* Is it a pointer that is a member of a class or struct of a library's header? A container of C++ takes the address of
 * one as an array of one element (the single bucket of an unordered map); it does not step from there to its other
 * members by a distance that it works out. A known distance leaves the bounds, as ever. */
static bool library_pointer(tree ref)
{
    return POINTER_TYPE_P(TREE_TYPE(ref)) && DECL_IN_SYSTEM_HEADER(TREE_OPERAND(ref, 1));
}

void lower_ref(tree t, Ref *r, bool address)
{
    bool one = !address && is_gimple_reg_type(TREE_TYPE(t));
    r->size = size_of(TREE_TYPE(t));
    r->pat = cs_pat_at(0);
    if (address && TREE_CODE(t) == COMPONENT_REF && library_pointer(t)) {
        r->pat.lo = 0;
        r->pat.hi = r->size;
    } else if (address && TREE_CODE(t) == COMPONENT_REF && TREE_CODE(TREE_TYPE(t)) == ARRAY_TYPE) {
        r->pat.lo = 0;
        r->pat.hi = r->size > 0 && !array_ref_flexible_size_p(t)
                        ? r->size
                        : CS_OFF_MAX; /* a last array may be longer than it says */
    }
    for (; handled_component_p(t); t = TREE_OPERAND(t, 0))
        strip_part(t, r, address, one);
    if (TREE_CODE(t) == MEM_REF) {
        move_base(r, mem_ref_offset(t).force_shwi().to_constant());
        tree p = TREE_OPERAND(t, 0);
        if (TREE_CODE(p) == ADDR_EXPR) {
            Ref inner;
            lower_ref(TREE_OPERAND(p, 0), &inner, true);
            if (inner.base.kind == CS_OPND_ADDR)
                inner.base.pat = cs_pat_compose(inner.base.pat, inner.pat);
            r->base = inner.base;
            return;
        }
        r->base = lower_operand(p);
    } else if (TREE_CODE(t) == TARGET_MEM_REF) {
        r->base = lower_operand(TMR_BASE(t));
        r->pat = cs_pat_any();
        if (TMR_INDEX(t) && TREE_CODE(TMR_INDEX(t)) == SSA_NAME)
            r->index.safe_push(TMR_INDEX(t));
        if (TMR_INDEX2(t) && TREE_CODE(TMR_INDEX2(t)) == SSA_NAME)
            r->index.safe_push(TMR_INDEX2(t));
    } else if (DECL_P(t) || CONSTANT_CLASS_P(t)) {
        int o = obj_of(t);
        r->base = cs_opnd_addr(o, place_in_object(o));
        if (VAR_P(t) && DECL_COMMON(t)) {
            r->pat.lo = CS_OFF_MIN;
            r->pat.hi = CS_OFF_MAX;
        }
    } else if (TREE_CODE(t) == SSA_NAME) {
        r->base = cs_opnd_none(); /* part of a register: see callers */
    } else {
        r->base = cs_opnd_none();
    }
}

/* &ref as an operand. An address behind a pointer is computed by a pseudo statement. */
cs_operand lower_address(tree ref)
{
    if (TREE_CODE(ref) == FUNCTION_DECL)
        return cs_opnd_addr(obj_of(ref), cs_pat_at(0));
    if (TREE_CODE(ref) == LABEL_DECL)
        return cs_opnd_none();
    Ref r;
    lower_ref(ref, &r, true);
    if (r.base.kind == CS_OPND_ADDR && r.index.is_empty()) {
        r.base.pat = cs_pat_compose(r.base.pat, r.pat);
        if (r.base.pat.stride == 0 && r.pat.stride == 0) {
            r.base.pat.lo = r.pat.lo;
            r.base.pat.hi = r.pat.hi;
        }
        return r.base;
    }
    if (r.base.kind == CS_OPND_NONE)
        return r.base;
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
    if (constant_of(t, &c))
        return cs_opnd_const(c);
    if (TREE_CODE(t) == ADDR_EXPR) {
        tree ref = TREE_OPERAND(t, 0);
        if (TREE_CODE(ref) == FUNCTION_DECL)
            return cs_opnd_addr(obj_of(ref), cs_pat_at(0));
        if (TREE_CODE(ref) == LABEL_DECL)
            return cs_opnd_none();
        Ref r;
        lower_ref(ref, &r, true);
        if (r.base.kind == CS_OPND_ADDR)
            r.base.pat = cs_pat_compose(r.base.pat, r.pat);
        return r.base;
    }
    if (TREE_CODE(t) == POINTER_PLUS_EXPR || TREE_CODE(t) == PLUS_EXPR) {
        cs_operand b = lower_constant_operand(TREE_OPERAND(t, 0));
        if (b.kind == CS_OPND_ADDR)
            b.pat = cs_pat_spread(b.pat, 1);
        return b.kind == CS_OPND_ADDR ? b : cs_opnd_none();
    }
    return cs_opnd_none();
}

/* A new value that mixes registers: a part of one, or several put together. */
static cs_operand lower_mixed(tree t)
{
    int v = cs_graph_add_value(L->g, L->func), s = pseudo_stmt(CS_STMT_ASSIGN);
    L->g->stmts[s].op = CS_OP_MIX;
    L->g->stmts[s].def = v;
    L->g->values[v].def = s;
    add_uses_deep(s, t);
    return cs_opnd_value(v);
}

cs_operand lower_operand(tree t)
{
    if (!is_memory(t) && (handled_component_p(t) || (TREE_CODE(t) == CONSTRUCTOR && CONSTRUCTOR_NELTS(t))))
        return lower_mixed(t);
    if (TREE_CODE(t) == SSA_NAME)
        return is_unset(t) ? cs_opnd_none() : cs_opnd_value(value_of(t));
    if (TREE_CODE(t) == ADDR_EXPR)
        return lower_address(TREE_OPERAND(t, 0));
    if (TREE_CODE(t) == FUNCTION_DECL)
        return cs_opnd_addr(obj_of(t), cs_pat_at(0));
    return lower_constant_operand(t);
}

cs_ref lower_as_object(tree t)
{
    cs_operand v = lower_operand(t);
    int o = cs_graph_add_obj(L->g, CS_OBJ_LOCAL, "registers", size_of(TREE_TYPE(t)));
    L->g->objs[o].func = L->func;
    cs_ref r = {cs_opnd_addr(o, cs_pat_at(0)), cs_pat_at(0), size_of(TREE_TYPE(t))};
    store_pseudo(r.base, r.size, v);
    return r;
}

cs_ref to_ref(const Ref *r)
{
    cs_ref out = {r->base, r->pat, r->size};
    return out;
}

void add_index_uses(int s, const Ref *r)
{
    for (unsigned i = 0; i < r->index.length(); i++) {
        cs_operand u = lower_operand(r->index[i]);
        if (u.kind == CS_OPND_VALUE)
            cs_stmt_add_index(&L->g->stmts[s], u.id);
    }
}

bool is_memory(tree t)
{
    if (TREE_CODE(t) == SSA_NAME || is_gimple_min_invariant(t) || TREE_CODE(t) == CONSTRUCTOR)
        return TREE_CODE(t) == STRING_CST;
    while (handled_component_p(t))
        t = TREE_OPERAND(t, 0);
    return TREE_CODE(t) == MEM_REF || TREE_CODE(t) == TARGET_MEM_REF || DECL_P(t) || TREE_CODE(t) == STRING_CST;
}

} // namespace cs_low
