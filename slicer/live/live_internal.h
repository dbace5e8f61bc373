/* SPDX-License-Identifier: GPL-3.0-or-later
 * What the parts of LIVE propagation (live*.c) share; private to them. live.h is the way in.
 * Statements wait in a work list; what becomes LIVE once stays so, and each part asks the others for what it needs in
 * turn. */
#ifndef CS_LIVE_INTERNAL_H
#define CS_LIVE_INTERNAL_H

#include <assert.h>

#include "slicer/messages/message_channels.h"
#include "slicer/live/live.h"
#include "slicer/live/needs.h"
#include "slicer/graph/storage.h"

/* How a statement writes an object: by its own store, copy or result, or by an effect of its model. */
enum writer_kind { W_STORE, W_COPY, W_CALL_RESULT, W_MODEL, W_MODEL_COPY };
/* An effect of a model: ms->m[model].writes[item] for W_MODEL, ms->m[model].copies[item] for W_MODEL_COPY. */
struct effect_no {
    int model, item; /* both -1: no effect of a model */
};
#define NO_EFFECT ((struct effect_no){-1, -1})
/* Who may write an object: a statement, by one of its effects, at these places of the object. */
struct writer {
    enum writer_kind kind;
    int stmt;
    struct effect_no effect;
    int via; /* parameter of the function through which it writes, -1: directly */
    struct cs_pattern pat;
    int64_t size;
};
/* All writers of one object, by number of their statements; those of Fortran units come last. What writes through a
 * pointer to objects that points-to has taken as one is a writer of the one that
 * stands for them, and writes all of them. */
struct writers {
    struct writer *w;
    int n, cap;
};

/* Offsets in an object, and the bytes at each. */
struct live_pat {
    struct cs_pattern pat;
    int64_t size;
    int need;   /* node of needs.h, 0: none yet */
    int moment; /* before which it is read, CS_ANY_TIME */
};
/* A LIVE place whose writers are still to be asked; statement `parent` needs it. */
struct place_job {
    int obj, parent, need;
    struct live_pat at;
};
/* A writer, through a parameter, of a place of an object: what cs_need_writes() asks the calls of its function about.
 */
struct write_job {
    int need, obj;
    struct writer w;
    struct live_pat at;
    const struct write_job *all;
};
/* A statement reads a place of an object through parameter `via` of a function: what cs_need_reads() asks its calls
 * about. */
struct read_job {
    int need, func, via, obj, stmt;
    struct live_pat at;
};
/* Of how many objects, this one among them, a parameter of a function means one, as its callers know; 0: they do not.
 */
struct known_among {
    int func, via, obj, n;
    const struct known_among *all;
};
/* Part of a LIVE place of an object: it decides nothing, but its reader needs less than all that writes the place. */
struct place_part {
    int obj;
    struct live_pat at;
    const struct place_part *all;
};
/* Of an object: its LIVE places, in the order in which they became so. A place of the one that stands for others
 * (cs_live.all) means each of them as a whole. */
struct live_obj {
    struct live_pat *p;
    int n, cap;
    int nflows;             /* places that live_flow.c has followed instead */
    int ntwice;             /* of the n, places that are there already, before another moment */
    struct live_pat *asked; /* what was asked for, each place once with each moment, but for CS_ANY_TIME */
    int nasked, aasked;
    int whole; /* 1 + the number of the first one that is all of the object; 0: none */
};

/* Something a function reads or writes through parameter `via` (-1: directly). */
struct access {
    int obj, via;
    struct cs_pattern pat;
    int64_t size;
    int stmt;
    int need;   /* node of needs.h, 0: none yet */
    int moment; /* of an effect: before which it is read, CS_ANY_TIME */
};
/* Such accesses of one function, each once, in the order in which they were found; `seen` has their numbers. */
struct accesses {
    struct access *a;
    int n, cap;
    struct cs_pairset seen;
};

/* Lists of numbers by parameter and object. A call's argument may point to the object; via -1 lists what must be asked
 * always. */
struct arg_list {
    int via, obj;
    struct cs_intlist list;
};
/* All such lists of one function; `index` has their numbers, by parameter and object. */
struct by_arg {
    struct arg_list *a;
    int n, cap;
    struct cs_pairset index;
};

/* What is known of a function. */
struct func_info {
    struct cs_intlist calls; /* call statements that may reach it */
    struct cs_intlist kept_calls;
    struct accesses reads, effects;
    struct by_arg calls_by_arg, reads_by_arg; /* numbers in kept_calls and reads, by parameter and object */
    int *param_why;                           /* by parameter: the statement that needs it, -1 */
    int result_why;                           /* statement that needs the result, -1 */
    int *param_need, result_need;             /* nodes of needs.h, 0: none yet */
    bool recursive;                           /* it may call itself, or code that is not seen may call it */
    bool whole;                               /* all of it is kept */
    bool stack;                               /* an array of variable size is kept, so is what gives it back */
    bool async;                               /* may run at any time: callbacks, handlers, constructors */
    bool team;                                /* several threads may run it at a time, while a call runs that is seen */
    bool catches;                             /* has exception edges; known with preds */
    struct cs_intlist *preds;                 /* of each block; made on first use */
    struct cs_intlist returns;
};

/* A copy whose source was asked for: by what matters of its target, in bytes from its start, or (dst) by where that is.
 */
struct copied {
    int stmt;
    struct effect_no effect;
    int64_t from, to;
    struct cs_pattern dst, live;
    const struct copied *all;
};

/* What is known of an SSA value. */
struct value_info {
    bool live;
    int param;                /* number of the parameter that it is, -1 */
    int among;                /* objects that it may point to, 0: not asked */
    signed char origin_state; /* 0: not asked, 1: being asked, 2: origin is known */
    int origin;               /* parameter that it is moved from, -1 */
};

/* Steps from this node (0: none) go by this call. */
struct cs_need_way {
    int node, call;
};

/* The state of one propagation. Arrays are by object, function, value or statement of the graph as it was when the
 * propagation began. */
struct cs_live {
    struct cs_graph *g;
    struct cs_models *ms;
    struct cs_pts *pts;
    struct cs_cdep *cdep;
    const struct cs_channels *ch;
    struct writers *writers;
    int nobjs, all; /* all: stands for the objects that points-to has taken as one, -1 */
    struct live_obj *objs;
    struct func_info *fi;
    struct value_info *vi;
    struct cs_intlist work; /* statements whose needs are to be asked, for the first time or again */
    struct place_job *deferred;
    int ndeferred, adeferred; /* LIVE places whose writers have not been asked yet */
    int nplaces;              /* LIVE places so far */
    struct place_part *parts; /* parts of LIVE places, of which a reader wants to know who writes them */
    int nparts, aparts;
    struct cs_pairset parts_set; /* their numbers */
    int64_t parts_effort;        /* writers that were asked for them */
    struct write_job *writes;    /* writers through parameters */
    int nwrites, awrites;
    struct cs_pairset writes_set; /* their numbers */
    struct cs_pairset edges_set;  /* numbers in needs->edges */
    struct read_job *reads;       /* readers, likewise */
    int nreads, areads;
    struct known_among *known_among;
    int nknown_among, aknown_among;
    struct cs_pairset known_among_set;
    int64_t effort; /* writers that were asked */
    int depth;      /* of cs_need_place() on the stack */
    struct copied *copied;
    int ncopied, acopied;
    int *asked_parts;             /* of each statement: for how many parts of what it copies it was asked */
    struct cs_pairset copied_set; /* statement, number in copied */
    bool *result_needed;          /* call statements */
    bool dump;
    bool ordered;       /* something is kept that the order of operations of several ranks may show */
    int *pos;           /* statement -> place in its block, -1 */
    int *point;         /* statement -> where it reads: for what a model reads, its call; -1: at another time */
    bool *in_window;    /* objects that other ranks may read and write at any time; NULL: none */
    bool *polled;       /* by statement: cs_order_polls_keep() has marked it; NULL: none */
    char *holds_opens;  /* by object: does it hold handles of files of MPI (live_marks.c)? NULL: there are none */
    bool windows;       /* what is in windows matters: all calls on them happen */
    bool status_needed; /* the exit status is LIVE (live_status.c) */
    struct cs_flow *flows;
    struct cs_moments *moments;
    int neffects;               /* of functions, so far */
    struct cs_order *order;     /* made on first use */
    struct cs_intlist partners; /* what may have sent to, or received from, a call that is completed later */
    bool partners_known;
    struct cs_files *files;
    struct cs_found *found;        /* made on first use */
    bool std_known, std_opened[2]; /* an OPEN may give unit 0, 6 a file (live_units.c) */
    struct cs_needs *needs;        /* where steps are noted, NULL: nowhere */
    int cause, files_need;         /* nodes of needs.h: what needs the next step if its statement does not, -1;
                                      all that is read from files, 0 */
    struct cs_need_way by_call;
    int among;                  /* of the next step that is noted: of how many objects it may be about one */
    bool replaces, late, loose; /* of the next step, as in struct cs_need_edge */
    int copy;
};

/* ---- values and statements (live.c) ---- */
/* The parameter that a pointer value, or the base of a place, is made from by moves and offsets alone, or -1. */
int cs_live_origin(struct cs_live *l, int v);
int cs_live_ref_via(struct cs_live *l, const struct cs_ref *r);
/* The value, what the operand holds, the statement becomes LIVE, because statement `parent` (-1: none) needs it so. */
void cs_need_value(struct cs_live *l, int v, int parent, enum cs_reason why);
void cs_need_operand(struct cs_live *l, struct cs_operand op, int parent, enum cs_reason why);
void cs_mark_stmt(struct cs_live *l, int s, enum cs_reason why, int parent);

/* ---- who needs it (live_need.c) ---- */
void cs_need_start(struct cs_live *l, struct cs_needs *n);
/* The node, made if there is none yet; obj: of a place or effect, else -1. */
int cs_need_node(struct cs_live *l, int *node, enum cs_need_other_kind kind, int obj);
/* The same, of a place; flow: only the writers count that reach the read. */
int cs_need_place_node(struct cs_live *l, int *node, int obj, struct cs_pattern pat, int64_t size, bool flow);
int cs_need_mark_node(const struct cs_live *l, int stmt, int mark);
int cs_need_value_node(const struct cs_live *l, int value);
int cs_need_stmt_node(const struct cs_live *l, int stmt);
/* From now on this node needs what is asked for; -1: the statement that asks. What it was; set that again. */
int cs_need_because(struct cs_live *l, int node);
/* From now on the steps from this node go by the call, from its callee to the caller or back. What was said before; set
 * that again. */
struct cs_need_way cs_need_by_call(struct cs_live *l, int node, int call);
/* The next step is about one of the objects that the operand may point to; that the writer may write. */
void cs_need_among(struct cs_live *l, struct cs_operand op);
void cs_need_among_written(struct cs_live *l, int obj, const struct writer *w);
/* The next step is to this writer of the place. */
void cs_need_how_written(struct cs_live *l, int obj, const struct writer *w, const struct live_pat *at);
/* The writer writes the place of the node that is now the cause. */
void cs_need_written(struct cs_live *l, int obj, const struct writer *w, const struct live_pat *at);
/* Statement a->stmt reads through the parameter. */
void cs_need_read(struct cs_live *l, int func, const struct access *a);
/* Sets needs->writes and needs->flow, and which reads cannot be those of a call, once all is LIVE. */
void cs_need_writes(struct cs_live *l);
void cs_need_reads(struct cs_live *l);
void cs_need_flow(struct cs_live *l);
/* Statement `parent`, -1 for nobody, needs the node `to`. */
void cs_need_note(struct cs_live *l, int parent, int to);

/* ---- the exit status (live_status.c) ---- */
/* Parameter k of the function is LIVE: if it is the exit status that a handler gets, so is what the program ends with.
 */
void cs_status_need(struct cs_live *l, int func, int k, int parent);

/* ---- merges (live_merge.c) ---- */
/* Calls `chooses` for each block whose branch decides which of different operands a reachable PHI gets, once control
 * comes to it for sure. */
void cs_live_merge(struct cs_live *l, int phi, void (*chooses)(struct cs_live *l, int func, int block, int parent));

/* ---- places in memory (live_memory.c) ---- */
/* The place becomes LIVE, at any time: so do all that may write it. */
void cs_need_place(struct cs_live *l, int obj, struct cs_pattern pat, int64_t size, int parent);
/* It is read at this moment: so do all that may have written it then. */
void cs_need_place_before(struct cs_live *l, int obj, struct cs_pattern pat, int64_t size, int moment, int parent);
/* What a reference of a statement of `func` reads when statement `at` runs. */
void cs_need_ref(struct cs_live *l, const struct cs_ref *r, int func, int at, int parent);
/* Of a copy's source, what reaches the LIVE part `lp` of its target `w`. The copy is made at statement `at` (-1: not
 * known). */
void cs_need_copy_source(struct cs_live *l, const struct cs_ref *src, int func, int at, int parent,
                         const struct writer *w, const struct live_pat *lp);

/* The place as it is asked for: inside the object, and one of not too many. */
struct live_pat cs_live_place(const struct cs_live *l, int obj, struct cs_pattern pat, int64_t size);
/* Is all of the object LIVE already, before this moment? Then no place of it needs to be asked about, in whatever
 * context. */
bool cs_live_whole(const struct cs_live *l, int obj, int moment);
/* Asks the writers of a place that had to wait. False if there is none. */
bool cs_live_ask_deferred(struct cs_live *l);
/* Writer number i of the object writes what is LIVE of this place, if it may have run before the place is read. */
void cs_place_written(struct cs_live *l, int obj, int i, const struct live_pat *lp, int parent);

/* ---- reaching definitions (live_flow.c) ---- */
/* Fills pos, point and async of the functions; frees what this part has made. */
void cs_flow_prepare(struct cs_live *l);
void cs_flow_free(struct cs_live *l);
/* Makes the writers LIVE that reach a read at statement `at` of `func`. False if that cannot be said: then all writers
 * count. */
#define CS_AFTER(s) (-2 - (s)) /* a read while call s runs: what the callee has written before counts too */
bool cs_flow_need(struct cs_live *l, int func, int at, int obj, struct cs_pattern pat, int64_t size, int moment,
                  int parent);

/* Of each block, those from which control comes. */
struct cs_intlist *cs_flow_preds(struct cs_live *l, int func);
/* Does this store leave nothing of what was in the place before? */
bool cs_flow_replaces(struct cs_live *l, const struct writer *w, struct cs_pattern pat, int64_t size);
/* The number of the first writer that is this statement or a later one. */
int cs_first_writer(const struct writers *ws, int stmt);
/* A write that takes effect at another time than its statement runs. */
bool cs_writes_deferred(struct cs_live *l, const struct writer *w);
bool cs_reads_deferred(struct cs_live *l, int at);

/* ---- what may have run before a read, on its own rank (live_moment.c) ---- */
#define CS_ANY_TIME 0
void cs_moments_prepare(struct cs_live *l);
void cs_moments_free(struct cs_live *l);
/* The moment of a read, of which the arguments say what cs_need_in_context() wants to know. It comes again there, with
 * a later moment, if more turns out to run before it. */
int cs_moment_of_read(struct cs_live *l, int func, int via, int at, int obj, struct cs_pattern pat, int64_t size,
                      int parent);
/* Asks for what is read again where calls that are kept by now lead to. False if nothing more has run before it. */
bool cs_moments_grow(struct cs_live *l);
/* May the statement have run, or have begun, before the moment? */
bool cs_moment_after(const struct cs_live *l, int moment, int stmt);
/* Is all that may have run before moment b in the past of a? */
bool cs_moment_covers(const struct cs_live *l, int a, int b);

/* ---- what may have run before a statement, on any rank (live_past.c) ---- */
/* The first `end` statements of the block are in the past. */
struct cs_past_point {
    int func, block, end, mode;
};
#define CS_PAST_MODES 2
/* All that may have run earlier, on any rank, than the statements that were added; by the mode in which the walk came
 * into a function (live_past.c). work[n] are the points that are left to walk back from. */
struct cs_past {
    int **done[CS_PAST_MODES];    /* function, block: statements from its beginning that are in the past; made on first
                                     use */
    bool *entered[CS_PAST_MODES]; /* functions that are in the past as a whole */
    struct cs_past_point *work;
    int n, cap;
    struct cs_intlist passed; /* the statements of the past, each at most once per mode, in no order */
    bool unknown;             /* came to the start of a function that runs at any time */
    const bool *wanted;       /* statements, or NULL: the walk may end when it comes to one */
    bool found;               /* it has */
    bool kept_only;           /* the walk leaves a function only for calls that are kept */
};
void cs_past_init(struct cs_live *l, struct cs_past *p);
void cs_past_free(struct cs_live *l, struct cs_past *p);
/* Adds what precedes a statement; `itself`: and the statement, with what other ranks did before they let it end. */
void cs_past_add(struct cs_live *l, struct cs_past *p, int stmt, bool itself);
/* With `kept_only`: a call is kept now. Adds what precedes it if the walk came to the start of what it calls; false if
 * not. */
bool cs_past_add_call(struct cs_live *l, struct cs_past *p, int call);
/* Completes the past of all that was added. */
void cs_past_complete(struct cs_live *l, struct cs_past *p);
/* Marks for their envelope the MPI calls in the past of a statement of `then` that have one of `first` in their own
 * past. True if any. */
bool cs_past_mark_between(struct cs_live *l, const bool *first, const bool *then);
/* Does the call only make a request, which others start? */
bool cs_past_persistent(const struct cs_model *m);

/* ---- the order in which messages arrive and requests complete (live_arrival.c) ---- */
/* Marks the calls that observe arrivals, whoever asks for their results: whether they are events is decided by it. */
void cs_arrival_roots(struct cs_live *l);
/* Marks the calls that put in order what observed arrivals depend on. False if there are no more of them. */
bool cs_arrival_keep(struct cs_live *l);

/* ---- ranks that wait for files and stores (live_polls.c) ---- */
/* Marks the calls in loops that look at files which the program changes. False if there are no more of them. */
bool cs_polls_keep(struct cs_live *l);
/* Where an order is observed, marks the loops that wait for what other ranks store in windows, or for requests by calls
 * that are no events, and memory fences. False if there are no more of them. */
bool cs_order_polls_keep(struct cs_live *l);

/* ---- operations of reductions that the program has made (live_operations.c) ---- */
/* Marks the reductions whose operation sets a LIVE variable. False if there are no more of them. */
bool cs_operations_keep(struct cs_live *l);

/* ---- the order in which ranks read and change files (live_order.c) ---- */
/* Makes the changes of this place LIVE, of files or Fortran units, that may come before a read at statement `at`, on
 * any rank. False if that cannot be said: then all count. */
bool cs_order_need(struct cs_live *l, int obj, int at, struct cs_pattern pat, int64_t size, int parent);
/* The call is kept: what comes before it comes before the reads in what it calls. */
void cs_order_call_kept(struct cs_live *l, int call);
/* Marks the calls that put kept reads and changes of files in order. False if there are no more of them. */
bool cs_order_keep(struct cs_live *l);
/* May the statement, of the program or of the model of a call, read the contents or state of files? */
bool cs_reads_files(struct cs_live *l, const struct cs_stmt *s);
void cs_order_free(struct cs_live *l);

/* ---- memory that stays as it is, in the slice (live_stable.c) ---- */
/* The questions of this file, and what they have found out; about a propagation that has ended. */
struct cs_stable;
struct cs_stable *cs_stable_new(struct cs_live *l);
void cs_stable_free(struct cs_stable *st);
/* Nothing that the function does, or what it calls, changes what the load reads. */
bool cs_stable_in_function(struct cs_stable *st, int load);
/* Nothing changes it between a load or store that dominates it and itself. */
bool cs_stable_since(struct cs_stable *st, int load, int before);

/* ---- calling context (live_context.c) ---- */
/* A read through parameter `via` of `func`: of the callers' memory, as far as their arguments can mean this object. */
void cs_need_in_context(struct cs_live *l, int func, int via, int at, int obj, struct cs_pattern pat, int64_t size,
                        int parent);
/* One call site passes a read of its callee on: through its own parameter, or to the place itself. */
void cs_need_at_call(struct cs_live *l, int call, const struct access *a);
/* The function changes this; calls that can mean the same object stay. */
void cs_add_effect(struct cs_live *l, int func, struct access a);
/* A statement that matters for itself: all calls that lead to it stay. */
void cs_root_effect(struct cs_live *l, int s);
/* The call `s` gives back what `op` points to: the calls that may lead to it with that memory stay. */
void cs_give_back_effect(struct cs_live *l, int s, struct cs_operand op);
/* From now on the call passes its callee's reads on; tells it those that are known. */
void cs_live_keep_call(struct cs_live *l, int func, int call);
/* Does the call reach nothing but functions with a body, so that parameters are arguments? */
bool cs_live_plain_call(struct cs_live *l, int call);
void cs_live_free_context(struct func_info *f);

/* ---- calls (live_calls.c) ---- */
/* Asks for all that a kept call needs, as far as its mark and its callees are known now. */
void cs_live_call(struct cs_live *l, int s);
/* Arguments that no function which the call may reach looks at: bit i is argument i. */
uint32_t cs_live_unneeded_args(struct cs_live *l, int s);

/* ---- marks (live_marks.c) ---- */
/* Finds out whether the program opens files by MPI, before anything is marked. */
void cs_live_find_opens(struct cs_live *l);
/* If the statement asks whether a handle is that of a file that is open, the call that opens it happens: only then is
 * it known whether it could. */
void cs_live_ask_handles(struct cs_live *l, int s);
/* The same of a call of a library that is handed the address of the handle, as == of mpi_f08 is. */
void cs_live_ask_handles_behind(struct cs_live *l, int s);
/* The model of the call as one of MPI, an event if there is one; NULL if it is none. */
const struct cs_model *cs_live_mpi_model(struct cs_live *l, int s);
/* An event that is called through a pointer. */
bool cs_live_is_mpi_pointer(struct cs_live *l, int s);
/* Wait, Test and their kin. */
bool cs_live_completes(const struct cs_mpi_call *c);
/* The calls that made the requests which this call completes or starts; all that make requests if nothing is known. */
struct cs_intlist cs_live_request_makers(struct cs_live *l, const struct cs_model *m);

/* ---- names of files and formats that are put together (live_names.c) ---- */
typedef void cs_name_fn(void *arg, const char *text, size_t len, bool prefix);
/* Calls fn for each name that the buffer may hold, or for what it begins with. False: it may be any. */
bool cs_built_names(struct cs_live *l, int obj, cs_name_fn *fn, void *arg);
/* Is it a buffer that only holds formats which the program puts together, none of them with %n or %m? */
bool cs_harmless_buffer(struct cs_live *l, int obj);

/* ---- which files (live_files.c) ---- */
/* Finds the places that name files, and adds the writes to files. Comes after all other writers. */
void cs_files_prepare(struct cs_live *l);
void cs_files_free(struct cs_live *l);
/* The places of fs_obj that statement `at`, part of the model of a call, reads: one call of fn each. */
void cs_files_read(struct cs_live *l, int at, void (*fn)(void *arg, struct cs_pattern pat, int64_t size), void *arg);
/* May two calls of MPI-IO be on one file? */
bool cs_files_meet(struct cs_live *l, const struct cs_model *a, const struct cs_model *b);
/* Is it the write of a model to files? */
bool cs_files_is_change(const struct cs_live *l, const struct cs_mwrite *w);

/* ---- unit numbers (live_found.c) ---- */
/* The unit of a read or write of a string: no OPEN connects it. */
#define CS_STRING_UNIT (-1)
/* Stands among unit numbers for the one that statement `stmt` finds; and the statement for it. */
#define CS_FOUND(stmt) (-1000 - (stmt))
static inline bool cs_is_found(int unit)
{
    return unit <= CS_FOUND(0);
}
/* The units that a Fortran I/O call may mean: numbers, or CS_FOUND(); empty: any. The caller frees. */
struct cs_intset cs_unit_numbers(struct cs_live *l, const struct cs_model *m);
/* May the unit be one of these? */
bool cs_unit_meets(const struct cs_intset *units, int unit);
/* Is it an INQUIRE by unit that only asks whether there is such a unit, and whether it is connected? */
bool cs_asks_connection(struct cs_live *l, const struct cs_model *m);
void cs_found_free(struct cs_live *l);

/* ---- files and the terminal (live_units.c) ---- */
/* The constants that the program stores in the `size` bytes at this offset of the parameter block of a Fortran I/O
 * call; empty: any number. The caller frees. */
struct cs_intset cs_stored_in_block(struct cs_live *l, const struct cs_model *m, int64_t offset, int64_t size);
/* For the callbacks of cs_unit_places(). */
struct unit_ctx {
    struct cs_live *l;
    int stmt;
};
/* Does no file lie behind this unit? */
bool cs_unit_terminal(struct cs_live *l, int unit);
/* Calls fn for each place of unit_obj that the call may read and change: none if it means the terminal. */
void cs_unit_places(struct cs_live *l, const struct cs_model *m,
                    void (*fn)(struct unit_ctx *, struct cs_pattern, int64_t), struct unit_ctx *c);
/* Adds the writers of unit_obj; all others must be there. */
void cs_unit_writers(struct cs_live *l);
/* A Fortran I/O call is kept: so is what ends its statement, which gives the unit free. */
void cs_unit_keep_end(struct cs_live *l, const struct cs_model *m);
/* Output to the terminal, or to a string, is no change of the file system. */
bool cs_live_guarded(struct cs_live *l, const struct cs_model *m, const struct cs_mwrite *w);
/* Can this format only be a string without %n and %m? */
bool cs_live_harmless_format(struct cs_live *l, struct cs_operand format);

/* ---- set-up (live_setup.c) ---- */
/* Can the program come to this statement? */
bool cs_live_reachable_stmt(struct cs_live *l, int s);
/* Notes the statement as a writer of all places that r may mean. */
void cs_live_add_writer(struct cs_live *l, enum writer_kind kind, int stmt, struct effect_no effect,
                        const struct cs_ref *r);

/* Puts the writers of an object into the order of their statements. */
void cs_live_sort_writers(struct cs_live *l, int obj);

/* The model of a writer of kind W_MODEL or W_MODEL_COPY; what such a writer writes, or copies. */
static inline struct cs_model *cs_writer_model(const struct cs_live *l, const struct writer *w)
{
    assert(w->effect.model >= 0 && w->effect.model < l->ms->n);
    return &l->ms->m[w->effect.model];
}
static inline const struct cs_mwrite *cs_writer_write(const struct cs_live *l, const struct writer *w)
{
    assert(w->kind == W_MODEL && w->effect.item < cs_writer_model(l, w)->nwrites);
    return &cs_writer_model(l, w)->writes[w->effect.item];
}
static inline const struct cs_mcopy *cs_writer_copy(const struct cs_live *l, const struct writer *w)
{
    assert(w->kind == W_MODEL_COPY && w->effect.item < cs_writer_model(l, w)->ncopies);
    return &cs_writer_model(l, w)->copies[w->effect.item];
}

#endif
