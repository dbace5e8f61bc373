/* SPDX-License-Identifier: GPL-3.0-or-later
 * What the parts of the lowering (lower*.cc) share; private to them. lower.h is the way in.
 * One Lowering exists while cs_lower_program() runs; adding to the graph may move its arrays, so numbers are kept, not
 * pointers. */
#ifndef CS_LOWER_INTERNAL_H
#define CS_LOWER_INTERNAL_H

#include "gcc-plugin/lower/lower.h"

#include <map>
#include <set>
#include <string>

namespace cs_low {

/* The lowering under way: maps from GCC's things to numbers of the graph. `values` and `blocks` are those of the
 * function that is being lowered, `func` and `block` where new statements go, and `where` their place in the source. */
struct Lowering {
    cs_graph *g;
    std::map<tree, int> objs;   /* declarations and constants -> object */
    std::map<tree, int> funcs;  /* function declarations -> function */
    std::map<tree, int> values; /* SSA names of the current function -> value */
    std::map<int, int> blocks;  /* index of a GIMPLE block of the current function -> block */
    std::map<int, int>
        variadic;              /* variadic function (-1: behind pointers) -> object that holds its further arguments */
    std::map<int, int> chains; /* functions behind trampolines -> object that holds their static chain */
    std::map<std::string, int>
        bounded; /* section that the linker gives a beginning and an end -> object, -1: not met yet */
    std::map<std::pair<tree, int64_t>, int> families; /* class and slot of its table of virtual functions -> family */
    std::map<std::string, int> forms;                 /* form -> family of methods, or CS_FORM */
    int nfamilies = 0, nforms = 0;
    cs_intset cast = {};              /* functions whose address is cast */
    std::set<std::string> cast_forms; /* and forms of functions that such pointers lead to */
    std::set<std::string> open_forms; /* forms that something else is cast to */
    int func, block;
    location_t where;
};

extern Lowering *L;

/* ---- declarations and constants (lower_decl.cc) ---- */
int64_t size_of(tree type);
bool constant_of(tree t, int64_t *val);
const char *asm_name(tree decl);
tree resolver_of(tree decl);
int func_of(tree decl);
int func_obj(tree decl);
/* A function that the program does not declare, by name. */
int named_func(const char *name);
bool has_body(tree decl);
bool known_by_name(tree decl);
/* Is the declaration from a source in Fortran? */
bool is_fortran(tree decl);
/* Before any variable: sections of which the program uses the symbols __start_NAME or __stop_NAME. */
void find_bounded_sections();
cs_pattern place_in_object(int obj);
int obj_of(tree decl);

/* ---- calls through pointers (lower_family.cc) ---- */
/* The family of functions that the call may reach by its type, -1: any. */
int family_of(gimple *call);
/* The form of a function, as words: "any" if its arguments are not declared; one form for all methods. */
std::string form_of(tree type);
/* After all bodies: functions that are called while an object is under construction. */
void open_construction_tables();

/* ---- casts of pointers to functions (lower_casts.cc) ---- */
/* Notes that the value goes to something of this type. */
void note_flow(tree val, tree type);
void note_flows(gimple *g);
/* After all bodies: functions that calls of any form may reach. */
void open_casts();

/* ---- operands and places (lower_operand.cc) ---- */
/* A reference: base, and where behind it. Bounds are those of the outermost array, relative to the base. */
struct Ref {
    cs_operand base;
    cs_pattern pat;
    int64_t size;
    auto_vec<tree, 4> index;
};

int value_of(tree name);
bool is_unset(tree name);
bool is_memory(tree t);
/* address: the place is not read or written, its address is taken. */
void lower_ref(tree t, Ref *r, bool address);
/* A struct that is in registers, as an object that holds it. */
cs_ref lower_as_object(tree t);
cs_ref to_ref(const Ref *r);
void add_index_uses(int s, const Ref *r);
cs_operand lower_operand(tree t);
cs_operand lower_constant_operand(tree t);
cs_operand lower_address(tree ref);

/* ---- statements (lower_stmt.cc) ---- */
int new_stmt(cs_stmt_kind kind);
/* A statement that no statement of GIMPLE stands for. */
int pseudo_stmt(cs_stmt_kind kind);
void set_def(int s, tree lhs);
void note_origin(gimple *g, int s);
void store_pseudo(cs_operand base, int64_t size, cs_operand val);
int assign_pseudo(cs_op op, cs_operand a, cs_operand b);
int load_pseudo(int pointer, int64_t off);
void lower_stmt(gimple *g);
void lower_phi(gphi *phi);

/* ---- assignments (lower_assign.cc) ---- */
bool holds_pointer(tree type);
cs_op compare_op(tree_code code, tree type);
void add_uses_deep(int s, tree t);
void lower_assign(gimple *g);

/* ---- what a statement is like (lower_shape.cc) ---- */
void note_number(int s, tree lhs);
void note_operation(gimple *g, int s);
void note_store(gimple *g, int s);
cs_rounding rounding_of_call(gimple *g);
/* lower_names.cc: the names of what statement s of the graph, which g is, assigns. */
void note_names(gimple *g, int s);

/* ---- calls (lower_call.cc) ---- */
/* Operands of a call, before the call is made. */
struct CallArgs {
    auto_vec<cs_operand, 16> ops;
    auto_vec<cs_ref> refs;
    auto_vec<int> ref_args;
    auto_vec<tree> index;
};

/* lower_by_name.cc: the argument that a call has in the graph alone, what dlsym finds. */
void add_named(gimple *g, CallArgs *args);
int hidden_args(tree fntype);
bool returns_by_reference(tree fntype);
void lower_call(gimple *g);

/* ---- what GCC answers itself (lower_folds.cc) ---- */
cs_folds folds_of(gimple *call);
cs_folds folds_of_complex(gimple *assignment);
/* Adds the constants that the value may be where GCC follows them (known_values.cc). False: there may be others. */
bool constants_of(tree t, auto_vec<tree> *out);
/* May anything but its own source call the function? */
bool called_from_elsewhere(tree func);

/* ---- ways into a function that no argument list shows (lower_hidden.cc) ---- */
int chain_obj(int func);
void pass_variadic(gimple *g, tree fntype, int func, const CallArgs *args);
void lower_va_start(gimple *g);
void lower_va_arg(gimple *g);
void lower_init_trampoline(gimple *g);
void lower_adjust_trampoline(gimple *g);
void lower_thunk(cgraph_node *node);
void lower_resolved(cgraph_node *node);
void note_start_functions();
void find_trampolines(cgraph_node *node);

/* ---- allocations in Fortran (lower_alloc.cc) ---- */
/* Is this edge taken only where ALLOCATE got no memory? */
bool is_failed_allocation(edge e);
/* Does a __builtin_expect of gfortran say that its test does not hold, because it asks whether a size overflows or an
 * allocation failed? */
bool is_predicted_failure(gimple *expect);

/* ---- functions (lower_func.cc) ---- */
void lower_function(cgraph_node *node, cs_program *p);

} // namespace cs_low

#endif
