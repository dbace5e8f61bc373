/* SPDX-License-Identifier: GPL-3.0-or-later
 * Copies small functions around MPI calls, one copy for each call, as in full call-string sensitivity of a few levels
 * (Sharir, Pnueli, "Two approaches to interprocedural data flow analysis", 1981); wrappers.h.
 * Sound because it is no analysis: copies do what the function did. Static variables stay one, pointers to the function
 * point to the one that is not copied, and all that the slicer knows of a copy it knows of any function. Two
 * ranks may meet in two copies, as they may in two functions of the source. */
#include "gcc-plugin/lower/wrappers.h"

#include <map>
#include <set>
#include <string>
#include <vector>

#include "api/mpi_calls.h"

namespace {

const char SUFFIX[] = "cs_copy"; /* .cs_copy.N is at the end of the linker's name of each copy */
const int LARGEST = 60;          /* statements of a function that is copied */
const int MOST_COPIES = 200;     /* of one function */
const int MAX_DEPTH = 3;         /* wrappers of wrappers */
const int SPARE = 200;           /* statements that copies may add, beside a tenth of the program's */
const int SHARE = 10;

/* The program while its wrappers are copied. */
struct Copying {
    std::map<cgraph_node *, int> size;  /* statements of each function with a body */
    std::map<cgraph_node *, int> depth; /* of each wrapper: 0 calls MPI itself, 1 calls such a one, ... */
    int spare = 0;                      /* statements that may still be added */
};

/* Does the value come from a pointer that the function was given, perhaps through memory that it points to? */
bool from_parameter(tree t, std::set<tree> *seen)
{
    while (t && (handled_component_p(t) || TREE_CODE(t) == ADDR_EXPR || TREE_CODE(t) == MEM_REF))
        t = TREE_OPERAND(t, 0);
    if (!t || TREE_CODE(t) != SSA_NAME || !seen->insert(t).second)
        return false;
    if (SSA_NAME_IS_DEFAULT_DEF(t))
        return SSA_NAME_VAR(t) && TREE_CODE(SSA_NAME_VAR(t)) == PARM_DECL && POINTER_TYPE_P(TREE_TYPE(t));
    gimple *def = SSA_NAME_DEF_STMT(t);
    if (gimple_code(def) == GIMPLE_PHI)
        for (unsigned i = 0; i < gimple_phi_num_args(def); i++)
            if (from_parameter(gimple_phi_arg_def(def, i), seen))
                return true;
    return is_gimple_assign(def) && from_parameter(gimple_assign_rhs1(def), seen);
}

bool is_given(tree t)
{
    std::set<tree> seen;
    return from_parameter(t, &seen);
}

/* Does the call transfer a message from or to memory that the function was given? */
bool transfers_given(gcall *call, tree callee)
{
    enum cs_binding binding;
    const struct cs_mpi_call *c = cs_mpi_by_symbol(IDENTIFIER_POINTER(DECL_ASSEMBLER_NAME(callee)), &binding);
    for (int i = 0; c && i < c->nargs && i < (int)gimple_call_num_args(call); i++)
        if ((c->args[i].role == CS_ROLE_SBUF || c->args[i].role == CS_ROLE_RBUF || c->args[i].role == CS_ROLE_SRBUF) &&
            is_given(gimple_call_arg(call, i)))
            return true;
    return false;
}

bool passes_given(gcall *call)
{
    for (unsigned i = 0; i < gimple_call_num_args(call); i++)
        if (POINTER_TYPE_P(TREE_TYPE(gimple_call_arg(call, i))) && is_given(gimple_call_arg(call, i)))
            return true;
    return false;
}

/* Does the function call a function that it was given, or found in memory that it was given? */
bool calls_given(cgraph_node *node)
{
    for (cgraph_edge *e = node->indirect_calls; e; e = e->next_callee)
        if (e->call_stmt && gimple_call_fn(e->call_stmt) && is_given(gimple_call_fn(e->call_stmt)))
            return true;
    return false;
}

/* The number of statements, or -1 for a body that GCC cannot copy or that is not copied: assembly may define symbols,
 * and setjmp's callers are kept whole. */
int size_of_body(cgraph_node *node)
{
    int n = 0;
    basic_block bb;
    function *f = DECL_STRUCT_FUNCTION(node->decl);
    bool fine = tree_versionable_function_p(node->decl) && !DECL_FUNCTION_VERSIONED(node->decl) && !f->calls_setjmp &&
                !f->has_nonlocal_label && !DECL_STATIC_CHAIN(node->decl);
    FOR_EACH_BB_FN (bb, f)
        for (gimple_stmt_iterator i = gsi_start_bb(bb); !gsi_end_p(i); gsi_next(&i)) {
            n += !is_gimple_debug(gsi_stmt(i));
            fine &= gimple_code(gsi_stmt(i)) != GIMPLE_ASM;
        }
    return fine ? n : -1;
}

void read_bodies(Copying *c)
{
    cgraph_node *node;
    FOR_EACH_FUNCTION_WITH_GIMPLE_BODY (node) {
        if (node->alias || node->thunk || node->inlined_to)
            continue;
        node->get_untransformed_body();
        if (!gimple_has_body_p(node->decl) || !DECL_STRUCT_FUNCTION(node->decl)->cfg)
            continue;
        int n = size_of_body(node);
        c->spare += MAX(n, 0);
        if (n >= 0 && n <= LARGEST && !DECL_STATIC_CONSTRUCTOR(node->decl) && !DECL_STATIC_DESTRUCTOR(node->decl) &&
            !MAIN_NAME_P(DECL_NAME(node->decl)) && node->get_availability() > AVAIL_INTERPOSABLE)
            c->size[node] = n;
    }
    c->spare = SPARE + c->spare / SHARE;
}

/* A wrapper hands on what it was given: to MPI, at level 0, or to another wrapper. What calls back a function that it
 * was given and calls a wrapper is one, too. */
bool is_wrapper(cgraph_node *node, const Copying *c, int level)
{
    bool back = level && calls_given(node);
    for (cgraph_edge *e = node->callees; e; e = e->next_callee) {
        if (!e->call_stmt)
            continue;
        if (level ? c->depth.count(e->callee) && (back || passes_given(e->call_stmt))
                  : transfers_given(e->call_stmt, e->callee->decl))
            return true;
    }
    return false;
}

/* Finds wrappers, from MPI calls upward. */
void find_wrappers(Copying *c)
{
    for (int level = 0; level < MAX_DEPTH; level++) {
        std::set<cgraph_node *> found;
        for (const auto &f : c->size)
            if (!c->depth.count(f.first) && is_wrapper(f.first, c, level))
                found.insert(f.first);
        for (cgraph_node *node : found)
            c->depth[node] = level;
    }
}

/* Does the function call itself, perhaps by others? `seen` begins empty. */
bool reaches(cgraph_node *from, cgraph_node *to, const Copying *c, std::set<cgraph_node *> *seen)
{
    for (cgraph_edge *e = from->callees; e; e = e->next_callee)
        if (e->callee == to ||
            (c->depth.count(e->callee) && seen->insert(e->callee).second && reaches(e->callee, to, c, seen)))
            return true;
    return false;
}

/* Calls that get a copy of their own. One call, or pointers to the function, are left with the function itself. */
std::vector<cgraph_edge *> calls_to_separate(cgraph_node *node)
{
    std::vector<cgraph_edge *> calls;
    for (cgraph_edge *e = node->callers; e; e = e->next_caller)
        if (e->call_stmt && !e->caller->thunk && !e->caller->inlined_to)
            calls.push_back(e);
    if (calls.size() && !node->address_taken)
        calls.pop_back();
    return calls;
}

void copy_for(cgraph_node *node, cgraph_edge *call)
{
    vec<cgraph_edge *> callers = vNULL;
    callers.safe_push(call);
    bool artificial = DECL_ARTIFICIAL(node->decl);
    cgraph_node *copy = node->create_version_clone_with_body(callers, NULL, NULL, NULL, NULL, SUFFIX);
    callers.release();
    gcc_assert(copy && call->callee == copy);
    DECL_ARTIFICIAL(copy->decl) = artificial;
}

void separate(Copying *c, cgraph_node *node)
{
    std::vector<cgraph_edge *> calls = calls_to_separate(node);
    std::set<cgraph_node *> seen;
    int n = c->size[node], added = n * (int)calls.size();
    if ((int)calls.size() > MOST_COPIES || added > c->spare || reaches(node, node, c, &seen))
        return;
    c->spare -= added;
    for (cgraph_edge *e : calls)
        copy_for(node, e);
}

/* Is there a wrapper left that calls this one? */
bool has_waiting_caller(cgraph_node *node, const std::set<cgraph_node *> &left)
{
    for (cgraph_edge *e = node->callers; e; e = e->next_caller)
        if (e->caller != node && left.count(e->caller))
            return true;
    return false;
}

} // namespace

/* Callers come before what they call, so that each copy of a caller gets copies of its own. */
void cs_copy_wrappers()
{
    Copying c;
    std::vector<cgraph_node *> order;
    read_bodies(&c);
    find_wrappers(&c);
    cgraph_node *node;
    std::set<cgraph_node *> left;
    FOR_EACH_FUNCTION_WITH_GIMPLE_BODY (node)
        if (c.depth.count(node)) {
            left.insert(node);
            order.push_back(node);
        }
    for (bool again = true; again;) {
        again = false;
        for (cgraph_node *f : order) {
            if (!left.count(f) || has_waiting_caller(f, left))
                continue;
            separate(&c, f);
            left.erase(f);
            again = true;
        }
    }
}

std::string cs_source_name(const char *name)
{
    const char *p = strstr(name, SUFFIX);
    return p && p > name && p[-1] == '.' ? std::string(name, p - name - 1) : name;
}
