/* SPDX-License-Identifier: GPL-3.0-or-later
 * The program graph: what the slicer knows of a whole program, and nothing of any compiler.
 * gcc-plugin/lower/ builds it from GIMPLE, text/ reads and writes it. Ids are indices into the arrays of struct
 * cs_graph; -1 is "none". Offsets and sizes are bytes.
 *
 *     graph -> functions -> blocks -> statements -> operands: values (SSA), constants, addresses of objects */
#ifndef CS_GRAPH_H
#define CS_GRAPH_H

#include <stdbool.h>
#include <stdint.h>
#include "api/marks.h"
#include "slicer/graph/offsets.h"
#include "slicer/graph/storage.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- operands and memory references ---- */

/* What an operand is. */
enum cs_operand_kind {
    CS_OPND_NONE,  /* nothing known: a floating constant, an undefined value */
    CS_OPND_VALUE, /* SSA value `id` */
    CS_OPND_CONST, /* integer `pat.off` */
    CS_OPND_ADDR   /* address of object `id` at `pat` */
};
/* What a statement uses: a value, a number or an address, by `kind`. `id` is -1 where there is none. */
struct cs_operand {
    enum cs_operand_kind kind;
    int id;
    struct cs_pattern pat;
};

/* A place in memory: `size` bytes at base + pat. base is a VALUE (pointer), an ADDR or an absolute CONST. */
struct cs_ref {
    struct cs_operand base;
    struct cs_pattern pat;
    int64_t size; /* bytes at each offset, CS_SIZE_UNKNOWN: to the end of the object */
};

/* ---- statements ---- */

/* What a statement does, in terms of its members (struct cs_stmt). */
enum cs_stmt_kind {
    CS_STMT_ASSIGN, /* def <- op(uses): no memory */
    CS_STMT_PHI,    /* def <- uses[i] when control comes from block phi_preds[i] */
    CS_STMT_LOAD,   /* def <- load; uses are indices in the address */
    CS_STMT_STORE,  /* store <- uses[0] (the value); further uses are indices */
    CS_STMT_COPY,   /* store <- load, as bytes */
    CS_STMT_CALL,   /* def / store <- callee(uses...) */
    CS_STMT_COND,   /* if (uses[0] op uses[1]) succ 0 else succ 1 */
    CS_STMT_SWITCH, /* on uses[0]; also computed goto */
    CS_STMT_RETURN, /* uses[0], or load for a struct */
    CS_STMT_ASM,    /* inline assembly: reads and writes what it is given */
    CS_STMT_ENTRY   /* pseudo: incoming argument uses[0] is stored into its addressable parameter */
};
/* What an ASSIGN does with its operands, or how a COND compares them; a LOAD with OTHER gives a number that nobody
 * follows. */
enum cs_op {
    CS_OP_COPY,   /* moves the value (any type, any conversion that keeps pointers) */
    CS_OP_PTRADD, /* uses[0] + constant or variable multiple of `stride` (uses[1]) */
    CS_OP_FIELD,  /* address of a member or element: uses[0] + load.pat; further uses are indices */
    CS_OP_ADD,
    CS_OP_SUB,
    CS_OP_MUL,
    CS_OP_EQ,
    CS_OP_NE,
    CS_OP_LT,
    CS_OP_LE,
    CS_OP_GT,
    CS_OP_GE,
    CS_OP_MIX, /* integer arithmetic through which a pointer can pass with an unknown offset */
    CS_OP_AND,
    CS_OP_OR,     /* of two truth values */
    CS_OP_SELECT, /* one of uses[1], uses[2], decided by uses[0] */
    CS_OP_ORDER,  /* which of two addresses, or numbers without sign, comes first; compared by none of the above */
    CS_OP_OTHER   /* result holds no pointer and no constant of interest */
};

/* Why a statement is kept: how `parent` needs it. */
enum cs_reason {
    CS_WHY_NONE,
    CS_WHY_ROOT,
    CS_WHY_DATA,
    CS_WHY_MEMORY,
    CS_WHY_CONTROL,
    CS_WHY_CALL,
    CS_WHY_RETURN,
    CS_WHY_PARAM,
    CS_WHY_MESSAGE,
    CS_WHY_EXIT,
    CS_WHY_OPAQUE,
    CS_WHY_CONTENT, /* its value is in a message that the parent sends */
    CS_WHY_FREE,    /* it gives memory back that the slice takes again and again */
    CS_WHY_COUNT,   /* it counts iterations for the user */
    CS_WHY_EFFECT,  /* it calls a function that writes what the parent reads */
    CS_WHY_BUDGET,  /* pointers could not be followed within the budget: all is kept */
    CS_WHY_WHOLE    /* its function is kept whole, as the graph does not show its control flow */
};

/* How GCC may round what an operation on reals gives, by what is around it. Graphs in text have the number. */
enum cs_rounding {
    CS_ROUNDING_FIXED,
    CS_ROUNDING_MODE,    /* in the processor's mode, but to nearest where GCC computes it */
    CS_ROUNDING_WIDE,    /* with more digits than the type has, until GCC stores it */
    CS_ROUNDING_PRODUCT, /* it may be fused with a sum */
    CS_ROUNDING_SUM,     /* with a product */
    CS_ROUNDING_FREE,    /* -ffast-math, or a part of it */
    CS_ROUNDING_VARIANT, /* a function of the library that has variants for vectors */
    CS_ROUNDING_BOTH,    /* products and sums in one, as of complex numbers */
    CS_ROUNDING_LANES    /* a partial result of `omp simd reduction` */
};

/* When GCC itself gives what a call or a complex product gives, which may not be what the library would. It is not
 * known that it does the same in the slice: it may in the original, as it knows the operands, or the exponent, in a way
 * that only it knows; or it does where they are constants on some way; or it is asked what it knows. Graphs in text
 * have the number. */
enum cs_folds {
    CS_FOLDS_NEVER,
    CS_FOLDS_OPERANDS,
    CS_FOLDS_STORED, /* and what it stores */
    CS_FOLDS_EXPONENT,
    CS_FOLDS_IF_KNOWN,
    CS_FOLDS_IF_EXPONENT,
    CS_FOLDS_ASKED,
    CS_FOLDS_SIZE
};

/* One statement. Which members count is said by its kind (above). A statement belongs to one block, which lists it; its
 * id is its place in g->stmts. The arrays are its own: uses[nuses], phi_preds[nuses], idx[nidx], arg_loads[narg_loads].
 */
struct cs_stmt {
    enum cs_stmt_kind kind;
    enum cs_op op;
    int func, block;
    int def; /* value or -1 */
    int nuses;
    struct cs_operand *uses; /* for a call: its arguments, one each (NONE for a struct by value, see arg_loads) */
    int64_t stride;          /* PTRADD with a variable */
    bool has_load, has_store;
    struct cs_ref load, store;
    int *phi_preds;           /* PHI: the block that uses[i] comes from */
    struct cs_operand callee; /* ADDR of a function object, or VALUE */
    int nidx;                 /* values that index `load`/`store` of a call (COPY and others use uses[]) */
    int *idx;
    int narg_loads; /* calls: arguments that are structs by value */
    struct {
        int arg;
        struct cs_ref ref;
    } * arg_loads;
    bool partial; /* STORE: it leaves some bits of its bytes as they are, or stands for many stores, so that it replaces
                   * nothing; LOAD: it takes some bits of its bytes */
    int shape; /* string: two loads, or two assignments, of one shape and with equal operands do the same; a store has
                * the shape of a load from its place. -1: nothing is said */
    bool flipped; /* COND: the compiler has exchanged its sides: edge 1 is taken where the source's condition holds */
    bool assumed; /* it computes what an assumption says, and is no statement of the program's */
    int nth;     /* COND: its number among the comparisons of its line in the source, from 1; 0: the blocks' order tells
                  */
    bool turned; /* COND: it asks the opposite of what the source compares, of which a negation was moved to it */
    bool unsure; /* COND: it is not known whether that is so */
    bool joined; /* COND: it may stand for several comparisons of the source, which the compiler has joined */
    bool varies; /* COND: ranks may go different ways, whatever it asks: the user has said how often each comes by */
    bool anywhere; /* it does no harm where the program does not run it: it cannot trap */
    bool within;   /* the language says that its pointers point into one array: a difference of pointers */
    enum cs_rounding rounding;
    enum cs_folds folds; /* calls, complex products */
    int bits;   /* of the whole number that it makes, negative if it has a sign; pointers have 64; 0: no number */
    int source; /* number of the original statement; clones of a function share it. -1: pseudo */
    int file;   /* string */
    int line;
    bool in_header;           /* that is in a header of a library */
    int user_file, user_line; /* then: the program's own line that has it put in line, 0: none */
    int text;                 /* string for people, or -1 */
    int names;    /* string: the whole numbers that it assigns, by the names that an assumption knows them by
                   * (control/named_values.h), or -1 */
    bool handles; /* one of them may be a handle of MPI (handle_values.h) */
    /* decisions (live.c) */
    int move_to; /* block at whose end it runs instead, -1 */
    bool keep;
    enum cs_reason why;
    int parent;
    int mark;   /* MPI calls: CS_MARK_* */
    int family; /* calls of methods through a pointer: only functions of this family can be reached (cs_func.families);
                 * CS_NO_METHOD: none that only tables of virtual functions have; CS_FORM(n): nor functions whose
                 * arguments have another form; -1: any */
    int site;   /* MPI events: number of the call site, -1 */
    uint32_t arg_null; /* calls: bit i is set if argument i is not needed: null is passed */
    bool drop_result;  /* calls: nobody needs the result */
};

/* ---- blocks and functions ---- */

/* Statements that run one after the other, and where control goes then. Edges have no number of their own: edge i is
 * succs[i], never[i], eh[i], of nsuccs. stmts[] has the ids of nstmts statements, in order. */
struct cs_block {
    int nsuccs, *succs; /* blocks of the same function; CS_BLOCK_EXIT is the exit */
    bool *never;        /* never[i]: edge i is not taken (errors, decided branches, assumptions) */
    bool *eh;           /* edge i is an exception edge, or what a longjmp takes back to a setjmp of this function */
    int nstmts, *stmts;
    bool reachable;
    int take; /* decision: the branch at the end is not kept; follow successor number `take`; -1: kept */
};
#define CS_BLOCK_EXIT (-2)

/* Stands for the virtual functions of a library's classes: its row says what any of them does. The graph of a program
 * that calls virtual functions has it. */
#define CS_LIBRARY_VIRTUAL ".library_virtual"

/* Stands in cs_func.families for all of them, and in cs_stmt.family for none. */
#define CS_ALL_FAMILIES 0
#define CS_NO_METHOD 0
/* Number n of the forms that the arguments of a function have, from 0 on; from such a number, and from others, back:
 * below 0 for others. */
#define CS_FORM(n) (-2 - (n))
/* Stands in cs_func.families: calls of any form may reach it, as its address is cast. */
#define CS_ANY_FORM (-1)

/* Where a function's type does not tell how many arguments it has, its hidden ones (static chain, address of the
 * result) are parameters from this number on. Those before it that it has no value for may be asked for by va_arg. */
#define CS_BEHIND_VARIADIC 48

/* A function, with a body (`defined`: blocks, in no special order but the first) or without one: a library's. */
struct cs_func {
    int name; /* linker's name */
    int file, line;
    int nblocks;
    struct cs_block *blocks; /* block 0 is the entry */
    int nparams;             /* entries of params and param_objs, which are NULL if there are none */
    int *params;             /* value that holds the incoming argument, -1 */
    int *param_objs;         /* struct parameters: their object, -1 */
    int result_obj;          /* functions that return a struct: its object, -1 */
    int obj;                 /* the function as an object (its address) */
    bool defined;            /* has a body in the graph */
    bool is_entry;           /* main, constructors: called from outside */
    bool exported;           /* opaque code may call it */
    bool keep_all;   /* control flow that the graph cannot show (assembly, computed goto): every statement is a root */
    bool comes_back; /* calls setjmp: its exception edges are ways back to that, too */
    bool fortran;
    bool uncalled;             /* the user says that it is never called (control/called.h): a call of it is an error */
    bool computed;             /* of the library: the compiler computes it of constants, otherwise than the library */
    struct cs_intset families; /* of methods: the calls' families that it is in, or CS_ALL_FAMILIES */
    int source;                /* clones: index of the original function, else own index */
    /* decisions */
    struct cs_intlist moved; /* statements with move_to, in the order in which they run */
    bool needed;             /* some statement is kept */
    bool caught;             /* what leaves it by an exception may be caught, and the run go on */
    bool only_errors;        /* whoever calls it ends the run in an error: no pointer of a normal run calls it */
};

/* ---- objects and values ---- */

/* What a piece of memory is. */
enum cs_obj_kind {
    CS_OBJ_GLOBAL,
    CS_OBJ_LOCAL,
    CS_OBJ_FUNC,   /* a function, for its address */
    CS_OBJ_HEAP,   /* all that one call of an allocator has given */
    CS_OBJ_HIDDEN, /* state of a library that no variable of the program holds: the seed of rand() */
    CS_OBJ_HANDLE  /* what a call of MPI makes: a communicator, a datatype */
};
/* What is in `size` bytes at offset `off` of an object from the start: a number or an address, no value. */
struct cs_init {
    int64_t off;
    int64_t size;
    struct cs_operand val;
};
/* A piece of memory. inits[ninits] is its own, in no special order. */
struct cs_obj {
    enum cs_obj_kind kind;
    int name;
    int func;     /* locals: owner; functions: the function */
    int64_t size; /* CS_SIZE_UNKNOWN if so */
    bool readonly;
    bool external;  /* defined elsewhere: content unknown */
    bool exported;  /* opaque code can reach it */
    bool zeroed;    /* bytes without an init are zero */
    bool common;    /* Fortran COMMON: neighbours may be reached through a member */
    bool unordered; /* the name of a type, which the C++ library compares with others by its text */
    int ninits;
    struct cs_init *inits;
    int stmt; /* heap and handle objects: the statement that makes them; for a wrapper of malloc its call */
    int parent, ncontexts; /* heap objects: what the wrapper's own call makes, -1; how many such objects this one has
                              (pointsto_context.c) */
};
/* def: statement, or -1 for a parameter or an undefined value. same, a decision: the VALUE or CONST that stands for it,
 * or NONE. */
struct cs_value {
    int func;
    int def;
    struct cs_operand same;
};

/* Branches sorted by line: those of line n are stmt[first[n]] to stmt[first[n + 1] - 1]. Of so many statements;
 * first is NULL: not made yet. graph/branch_lines.c. */
struct cs_branch_lines {
    int nstmts, nlines, *first, *stmt;
};

/* The whole program. Each array has n used entries and room for a, and is what ids of its kind index; adding to one may
 * move it. Strings are interned, each once, number 0 is "". The graph owns all that hangs on it. */
struct cs_graph {
    int nstrings, astrings;
    char **strings;
    int nobjs, aobjs;
    struct cs_obj *objs;
    int nvalues, avalues;
    struct cs_value *values;
    int nfuncs, afuncs;
    struct cs_func *funcs;
    int nstmts, astmts;
    struct cs_stmt *stmts;
    bool no_read_back;  /* the user says that nothing reads what the program writes to files */
    bool no_mpi_errors; /* the user says that no MPI call returns an error code */
    void *string_index; /* text -> number: a uthash table, of graph.c alone */
    struct cs_branch_lines *branch_lines;
};

/* An empty graph, for the caller to free. */
struct cs_graph *cs_graph_new(void);
void cs_graph_free(struct cs_graph *g);
/* Interns a string and returns its number. */
int cs_graph_string(struct cs_graph *g, const char *s);
/* The text of a string, "" for -1. It lives as long as the graph. */
const char *cs_graph_str(const struct cs_graph *g, int s);
/* Append an element; all fields zero or -1 as documented. The result is its id. A function gets an object as well. */
int cs_graph_add_obj(struct cs_graph *g, enum cs_obj_kind kind, const char *name, int64_t size);
int cs_graph_add_value(struct cs_graph *g, int func);
int cs_graph_add_func(struct cs_graph *g, const char *name);
int cs_graph_add_stmt(struct cs_graph *g, int func, int block, enum cs_stmt_kind kind);
/* Gives a function its body, of empty blocks without edges; once for each function. */
void cs_graph_set_blocks(struct cs_graph *g, int func, int nblocks);
/* Appends the next edge of block `from`; to: a block or CS_BLOCK_EXIT. For a COND the first edge is taken if it holds.
 */
void cs_graph_add_edge(struct cs_graph *g, int func, int from, int to, bool eh);
/* Append to the arrays of a statement or an object. */
void cs_stmt_add_use(struct cs_stmt *s, struct cs_operand op);
void cs_stmt_add_index(struct cs_stmt *s, int value);
void cs_stmt_add_arg_load(struct cs_stmt *s, int arg, struct cs_ref ref);
void cs_obj_add_init(struct cs_obj *o, int64_t off, int64_t size, struct cs_operand val);
/* The linker's names; "" for -1. */
const char *cs_func_name(const struct cs_graph *g, int func);
const char *cs_obj_name(const struct cs_graph *g, int obj);
/* The name of an object that is a string constant without %n and %m begins with this; behind it, and a blank, stands
 * its text, if that is short and can be printed. Other constants have other names. */
#define CS_STRING "string"
/* Is it such a string? False for -1. */
bool cs_obj_is_string(const struct cs_graph *g, int obj);
/* The text of such a string, or NULL. A C string and a Fortran one (whose length is said elsewhere) look alike. */
const char *cs_obj_text(const struct cs_graph *g, int obj);

/* Asserts that the graph is as this header says (ids in range, what names each other agrees); one pass. */
void cs_graph_check(const struct cs_graph *g);

/* Is it a comparison? Then: does it hold of these numbers? */
bool cs_op_compares(enum cs_op op);
bool cs_op_holds(enum cs_op op, int64_t a, int64_t b);
/* Is it a statement of the program's, which counts where it is said how many are kept? */
bool cs_stmt_counts(const struct cs_stmt *s);
struct cs_operand cs_opnd_none(void);
struct cs_operand cs_opnd_value(int id);
struct cs_operand cs_opnd_const(int64_t c);
struct cs_operand cs_opnd_addr(int obj, struct cs_pattern pat);
/* Are they surely one value, number or address? */
bool cs_opnd_same(struct cs_operand a, struct cs_operand b);

/* The last statement of a block if it decides the way (COND, SWITCH, or a call with an exception edge), else -1. */
int cs_block_branch(const struct cs_graph *g, int func, int block);

/* Word for a reason in the chain that `commslice why` prints. */
const char *cs_reason_name(enum cs_reason r);

#ifdef __cplusplus
}
#endif
#endif
