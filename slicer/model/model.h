/* SPDX-License-Identifier: GPL-3.0-or-later
 * What a call of an external function does, in the graph's own terms: which values it needs, which places it writes.
 * Rows of the MPI table and of the effects table become models; the rest of the slicer knows neither table.
 * Indirections (Fortran's by-reference scalars, descriptors, handles, message buffers) become pseudo LOAD statements,
 * so LIVE propagation follows them as any other. */
#ifndef CS_MODEL_H
#define CS_MODEL_H

#include "api/marks.h"
#include "api/mpi_calls.h"
#include "slicer/model/effects.h"
#include "slicer/graph/graph.h"
#include "slicer/graph/storage.h"

/* The least mark of a kept call with which an effect or a need holds. */
enum cs_level {
    CS_LEVEL_KEPT = CS_MARK_NONE,
    CS_LEVEL_ENVELOPE = CS_MARK_ENVELOPE,
    CS_LEVEL_CONTENT = CS_MARK_CONTENT
};

/* What makes a write not happen, by the operand `guard_op` of the write (live_units.c decides). */
enum cs_guard {
    CS_GUARD_NONE,   /* nothing */
    CS_GUARD_STREAM, /* that, or the Fortran unit of the call, is the terminal, or a file that is only read */
    CS_GUARD_FORMAT, /* it is a constant string without %n and %m */
    CS_GUARD_MODE,   /* it is a mode that only reads */
    CS_GUARD_OLD,    /* it is Fortran's status of a file that exists */
    CS_GUARD_GIVEN,  /* the program has stored no pointer there */
    CS_GUARD_BITS    /* it is a constant without the bits `guard_bits`, or not passed */
};

/* A place that the call writes, or may write. */
struct cs_mwrite {
    struct cs_ref ref;
    enum cs_level level;   /* what the call must do so that this is written */
    struct cs_operand val; /* stored value for the points-to analysis; NONE: any integer */
    bool spread;           /* val with any offset */
    enum cs_guard guard;
    struct cs_operand guard_op;
    int64_t guard_bits;
    bool flush;      /* of a file: only what was written to it before */
    bool error_code; /* of an MPI call that may return after an error */
    bool flow_only;  /* matters to points-to alone: nothing reads it at run time */
};
/* A copy of src to dst as bytes, pointers included. */
struct cs_mcopy {
    struct cs_ref dst, src;
};
/* `value` is `buf` moved by any offset, if `type` may be a datatype of the program's own: its data may begin before the
 * buffer does. */
struct cs_mmoved {
    int value;
    struct cs_operand buf, type;
};
/* What the result may be, for the points-to analysis. */
struct cs_mret {
    struct cs_operand val;
    bool spread; /* with any offset */
};
/* A call of the functions that `fn` may point to, with nargs arguments; further parameters get any number. */
struct cs_mcallback {
    struct cs_operand fn;
    int nargs;
    struct cs_operand args[8];
    bool exact[8];  /* the argument arrives as it is, not with any offset */
    bool status[8]; /* the argument is the exit status of the program */
};
/* The name of a file: a pointer to it, and for Fortran the byte of the parameter block with its length, else -1. */
struct cs_mname {
    struct cs_operand op;
    int len_at;
};
/* A value that the call needs. */
struct cs_mneed {
    enum cs_level level;
    struct cs_operand op;     /* a VALUE */
    bool own_content;         /* content of a broadcast's buffer, which the call also writes */
    bool payload;             /* content of a message */
    bool mixed;               /* needed only if the operation may mix halves of elements: cs_mpich_mixes_halves() */
    struct cs_operand format; /* needed unless this is a constant string without %n and %m; NONE: needed always */
};

/* What gfortran's descriptor tells of an array, values of pseudo statements: its rank, the length and the distance of
 * elements, and the stride of its first dimension. */
struct cs_mshape {
    int told[4];
};

/* An array that a call of MPI is given: `count` elements of `unit` bytes, or of datatype `type` if that is 0. What
 * reads it (a pseudo statement) and what writes it (a number in `writes`), -1 where nothing does. */
struct cs_marray {
    int load, write;
    struct cs_operand count, type;
    int64_t unit;
    bool described; /* by a descriptor, so it may have gaps */
    struct cs_mshape shape;
};

/* A buffer of mpi_f08, told by gfortran's descriptor: the value of the pseudo statement that reads what its bounds and
 * strides are, and its shape. */
struct cs_mdescriptor {
    int arg; /* in the row */
    int dims;
    struct cs_mshape shape;
};

/* One call statement with one function that it may reach. All arrays are the model's own, with as many entries as the
 * count before them says, in no special order. */
struct cs_model {
    int stmt, func;                /* the call; the external function (graph function without body) */
    const struct cs_mpi_call *mpi; /* what it is made from: a call of MPI by this binding, */
    enum cs_binding binding;
    const struct cs_effect *fx; /* or a row; both NULL: opaque */
    bool opaque;                /* nobody describes the function: it may do anything with what it can reach */
    struct cs_intlist pseudo;   /* pseudo statements of this model: loads, and for `moved` assignments */
    int nneeds;
    struct cs_mneed *needs;
    int nwrites;
    struct cs_mwrite *writes;
    int ncopies;
    struct cs_mcopy *copies;
    int ncarried; /* addresses that messages take along, from and to message_obj: for points-to alone */
    struct cs_mcopy *carried;
    int ncallbacks;
    struct cs_mcallback *callbacks;
    int nmoved;
    struct cs_mmoved *moved;
    int nret;
    struct cs_mret *ret;
    int narrays;
    struct cs_marray arrays[3]; /* those whose extent waits for points-to */
    int ndescriptors;
    struct cs_mdescriptor descriptors[2]; /* those that decide count and datatype */
    bool unit_writes;                     /* it may change the state of its unit */
    int nnames;
    struct cs_mname names[2];
    bool reads_through; /* what it reads of files, it reads through this stream, descriptor or parameter block */
    struct cs_operand stream;
    struct cs_operand access; /* how it opens a file (fx->access); for Fortran the pointer to ACTION= */
    int unit_arg, unit_value; /* Fortran I/O: argument, value that holds the unit number; -1 */
    /* MPI: values of the arguments, NONE where the call has none; sends first, receives second for calls that do both
     */
    struct cs_operand comm, count, type[2], tag[2], peer[2], root, op, request; /* count: the first, of what is sent */
    int buf_arg[2]; /* argument index of what is sent, received; -1 */
    bool sends, receives, request_array;
    bool error_code_live; /* LIVE propagation came to a write of the error code */
};

/* May the program catch exceptions, or come back by a jump: does it refer to something whose row says `catches`? Has it
 * asked for those of streams? */
struct cs_catching {
    bool any, requested;
};

/* The models of a program, in the order in which calls were reached; their numbers stay, pointers to them do not. The
 * hidden objects are ids of the graph. */
struct cs_models {
    int n, cap;
    struct cs_model *m;
    struct cs_intlist *of_stmt; /* models of a call statement, by statement below nstmts; later ones have none */
    int nstmts;
    int ext_obj, fs_obj, unit_obj, attr_obj, addr_obj, mpibuf_obj, message_obj; /* hidden objects */
    const struct cs_effects *fx;
    struct cs_catching catching;
    bool errors_return;  /* some error handler may let MPI calls return an error */
    bool between_groups; /* the program has communicators between two groups */
};

/* Starts without models; adds the hidden objects to g. fx must outlive ms. */
void cs_models_init(struct cs_models *ms, struct cs_graph *g, const struct cs_effects *fx);
void cs_models_free(struct cs_models *ms);
/* The number of the model of `stmt` calling the bodyless function `func`, made on first use. May add values, objects
 * and pseudo statements to g (pointers into g become invalid). */
int cs_model_get(struct cs_models *ms, struct cs_graph *g, int stmt, int func);
/* How a call of this function, which has no body, ends. */
enum cs_effect_noret cs_model_noret(const struct cs_effects *fx, const struct cs_graph *g, int stmt, int func);
/* Of the whole program. */
struct cs_catching cs_model_catching(const struct cs_effects *fx, const struct cs_graph *g);
/* May a call of the function with this row (or NULL) leave by an exception that is caught? */
bool cs_model_throws(struct cs_catching c, const struct cs_effect *e);
/* The hidden object of this name ("h:rand"), made on first use. */
int cs_hidden_obj(struct cs_graph *g, const char *name);

/* May this datatype be one that the program has made? `number`: its handle is known to be `type`. */
bool cs_mpi_may_be_derived(bool number, int64_t type);

/* Is this variable, defined elsewhere, one of the MPI library's? It holds nothing of the program's, and no code beside
 * MPI writes it. */
bool cs_mpi_variable(const char *name);

/* Does it say which error handler MPI calls return to? */
bool cs_mpi_sets_handler(const struct cs_mpi_call *c);

#endif
