/* SPDX-License-Identifier: GPL-3.0-or-later
 * What the parts of the points-to solver (pointsto*.c) share; private to them. pointsto.h is the way in.
 * A node is a value or one side of a memory cell; locations flow along edges, and a location that arrives at a pointer
 * makes the loads, stores, copies and calls through it concrete (a hook). */
#ifndef CS_POINTSTO_INTERNAL_H
#define CS_POINTSTO_INTERNAL_H

#include "slicer/graph/bits.h"
#include "slicer/pointsto/pointsto.h"

/* The first locations, which are in most sets when nearly all is lost, and then share a word: "any integer", what
 * stands for lost objects, and for others (STANDS), the number 0. */
enum { LOC_INT, LOC_LOST, LOC_STANDS, LOC_ZERO = LOC_STANDS + 2 };
/* Words of sets that are looked at before objects are taken as one (pointsto_widen.c): about a second. What comes after
 * points-to takes several times as long as it does, and C programs need a tenth of that. */
#ifndef CS_PTS_EFFORT
#define CS_PTS_EFFORT 10000000 /* a build for tests may set it low, and CS_PTS_MANY with it */
#endif
#ifndef CS_PTS_MANY
#define CS_PTS_MANY 64 /* objects that a pointer may point to before it has lost its way */
#endif
#define MAX_CONSTS 8   /* integer constants in one set before it becomes "any integer" */
#define MAX_STEPS 12   /* offsets of one object in one set before they become a stride: in a loop */
#define MAX_OFFSETS 64 /* the same elsewhere: members of a class, in a function that is called for all of them */
/* Places that one copy may read, times those that it may write, before both meet in a buffer instead. */
#define MAX_PAIRS 256
#define MAX_COPIES 16  /* that data moves on by, one after the other, before it may be all over where copies go */
#define MAX_CELLS 2000 /* patterns of one object before it is taken as one cell */
/* Pairs of its patterns that overlap in part, likewise, and for each pattern: pointers to it have lost their way. An
 * access to the whole of a wide struct overlaps with each of its members, and is none of these. */
#define MAX_OVERLAPS 1000
#define MAX_OVERLAPS_EACH 10

/* What becomes of a location on an edge. */
enum edge_kind {
    EDGE_COPY,     /* it stays as it is */
    EDGE_SHIFT,    /* amount bytes further */
    EDGE_SPREAD,   /* any multiple of amount bytes further; a number becomes any integer */
    EDGE_NO_CONST, /* a number other than 0 becomes any integer */
    EDGE_FIELD,    /* the member or element pats[amount] of it */
    EDGE_OUTSIDE,  /* what unknown code makes of it: any offset of the same object; of numbers as NO_CONST */
    EDGE_CONTEXT   /* from a function that returns fresh memory to one of its calls: crossings[amount] */
};
/* From the node whose list it is in: what flows along it is changed as `kind` and `amount` say. */
struct edge {
    int to;
    enum edge_kind kind;
    int64_t amount;
};

/* What the node is whose locations a hook waits for. */
enum hook_kind {
    HOOK_LOAD,     /* pointer that is loaded from */
    HOOK_STORE,    /* pointer that is stored through */
    HOOK_COPY_DST, /* pointer that is copied to */
    HOOK_COPY_SRC, /* pointer that is copied from */
    HOOK_CALL,     /* function that is called */
    HOOK_CALLBACK, /* function that a library calls back */
    HOOK_ESCAPE,   /* what unknown code knows */
    HOOK_DATATYPE, /* datatype of a message buffer */
    HOOK_DISTANCE, /* what is added to a pointer */
    HOOK_OBJECT,   /* object that a call finds its function in */
    HOOK_TARGET,   /* function that one such object has */
    HOOK_JOIN      /* memory of others that shares a set with lost objects */
};
/* What is to be done for each location that arrives at the node whose list it is in. index: number of the memory
 * constraint (LOAD, STORE), copy, statement (CALL), callback, buffer (DATATYPE), sum
 * (DISTANCE), dispatch (OBJECT) or receiver (TARGET). */
struct hook {
    enum hook_kind kind;
    int index;
    int in;        /* the instance whose statement it belongs to */
    bool standing; /* at the node of lost functions: it was noted for the one that stands for them */
};

/* `size` bytes at each of these offsets of an object. */
struct place {
    int obj;
    struct cs_pattern pat;
    int64_t size;
};
/* Is it known what an instance writes? */
enum writes_known { WRITES_UNKNOWN, WRITES_KNOWN, WRITES_ALL };
/* A function as one call runs it (pointsto_instance.c). Number 0 stands for none. */
struct instance {
    int func, stmt;  /* stmt: the call; -1: all calls that have none of their own */
    int up;          /* the instance that makes the call */
    uint32_t filled; /* what the call fills, as a number */
    int *nodes;      /* nnodes of them: by number of the value (cs_pts.number), -1: none yet */
    int nnodes;
    enum writes_known writes_known;
    struct place *writes; /* nwrites of them, each once; write_set has their numbers */
    int nwrites, awrites;
    struct cs_pairset write_set;
};
/* A call, where instance `up` makes it, runs instance `in`; `before`: the entry before it of the same call, -1. */
struct entry {
    int up, in, before;
};
/* A call, in an instance, of a function that returns fresh memory. */
struct crossing {
    int stmt, func, in;
};

/* A set of locations that grows: what a value, or the stored or loaded side of a cell, may be. */
struct node {
    int up; /* its own number, or that of a node that it has become part of (cs_pts_find) */
    struct cs_bits members;
    int nmembers;
    struct cs_intset set;   /* the same again, once somebody has asked; lost objects one by one */
    int listed;             /* nmembers when `set` was made */
    struct cs_bits offered; /* members and what adds nothing to them: no use to offer it again */
    struct cs_bits pending; /* members that have not been passed on yet */
    struct edge *edges;     /* that lead away from it */
    int nedges, aedges;
    struct hook *hooks;
    int nhooks, ahooks;
    int nconsts; /* numbers among the members */
    bool queued; /* it is in cs_pts.work */
    bool closed; /* it is what lost objects hold */
    bool loops;  /* it is the value of a merge that may hold itself again, moved on */
};

/* A load or store of `size` bytes at `pat` behind a pointer: loads flow into `node`, stores out of it. */
struct memcon {
    struct cs_pattern pat;
    int64_t size;
    int node;
    bool program; /* it is the program's own: handles are no memory to it */
};
/* A copy of `size` bytes from spat behind pointer node src to dpat behind pointer node dst. */
struct copycon {
    struct cs_pattern dpat, spat;
    int64_t size;
    int dst, src;
    int buffer; /* an object between them, should there be too many pairs; -1 */
};
/* Callback number `index` of model number `model`. */
struct callback {
    int model, index;
};
/* A message buffer, and the node that holds it moved if its datatype may be the program's own. */
struct buffercon {
    struct cs_operand buf;
    int node;
};
/* A pointer, and the node that holds its sum with a distance in bytes, a multiple of `stride`. */
struct sumcon {
    struct cs_operand pointer;
    int node;
    int64_t stride;
};
/* A call that finds its function in an argument (pointsto_dispatch.c): at `table` behind the value `object` is a
 * pointer to a table, and at `slot` behind that the function. The argument is arg_off bytes behind the object. */
struct dispatch {
    int stmt, object, arg;
    int64_t arg_off;
    struct cs_pattern table, slot;
    struct cs_bits seen; /* locations of the object so far */
    int nreceivers;
    bool any; /* they are too many: each goes to all functions */
};
/* One location of a dispatch's object. */
struct receiver {
    int dispatch, loc;
};
/* A function that has arrived at a virtual call and is none of the call's family: what would have been done for it. */
struct stranger {
    struct hook hook;
    int call, obj;
};
/* Of an object that a copy reads, `size` bytes at `from`: what new cells there may hold is copied on to `dst` in
 * dst_obj, moved by `delta` bytes if both places are one known offset each (exact). */
struct watcher {
    struct cs_pattern from;
    int64_t size;
    int dst_obj;
    struct cs_pattern dst;
    bool exact;
    int64_t delta;
};

/* A place of an object that the program accesses, with the nodes of what is stored there, and of what loads from there
 * find: that includes what is stored in cells that overlap. */
struct cell {
    struct cs_pattern pat;
    int64_t size;
    int store, load;
    int copies; /* which made it one after the other, 0 if the program accesses it */
};
/* Of an object: its cells, the copies that read it, the locations in it. The flags stay once they are set, but `plain`.
 */
struct objinfo {
    struct cell *cells;
    int ncells, acells;
    struct watcher *watch;
    int nwatch, awatch;
    int noverlaps; /* pairs of cells that share bytes and are not the same */
    struct cs_bits locs;
    int nlocs;          /* members of locs, as long as none is nested */
    bool nested, plain; /* one of them covers another; all are plain (cs_pts.plain) */
    bool inited;        /* what is there at the start has been put in */
    bool escaped;       /* unknown code may use it */
    bool collapsed;     /* it has too many cells, and is one cell from now on */
    bool lost;          /* taken as one with other objects (pointsto_widen.c): it has no cells of its own */
};

/* One that stands for many in the sets of nodes: its object and location, and the node that has those many. What is to
 * be done for it is a hook there. */
struct stand_in {
    int obj, loc, node;
};
/* Which there are. */
enum stand { STAND_FUNCTIONS, STAND_OTHERS, STANDS };

/* The solver, and later the solution. Everything is numbered by its place in an array that grows (n used, room for a);
 * value_node, info, callees, alias and reached are indexed by value, object, statement, object and function of the
 * graph, and may be shorter than the graph has become since. */
struct cs_pts {
    struct cs_graph *g;
    struct cs_models *ms;
    const bool *known; /* as passed to cs_pts_solve(): only while it solves */
    const int64_t *known_val;
    struct node *nodes;
    int nnodes, anodes;
    int *value_node; /* the node of a value, -1 if it has none yet */
    int nvalue_node;
    struct cs_loc *locs;
    int nlocs, alocs;
    struct cs_pairset loc_set;        /* numbers in locs */
    struct cs_bits *covered;          /* for each location, those of the same object that lie in it */
    uint64_t *plain;                  /* a bit for each location: a set takes it whatever else it holds */
    uint64_t *numbers;                /* likewise: constants other than 0 */
    struct cs_bits there, fresh_locs; /* scratch of pointsto_set.c */
    struct objinfo *info;
    int ninfo;
    struct memcon *mem;
    int nmem, amem;
    struct copycon *copies;
    int ncopies, acopies;
    struct callback *callbacks;
    int ncallbacks, acallbacks;
    struct buffercon *buffers;
    int nbuffers, abuffers;
    struct sumcon *sums;
    int nsums, asums;
    struct dispatch *dispatches;
    int ndispatches, adispatches;
    int *dispatch_of; /* the dispatch of a statement, -1: none */
    int ndispatch_of;
    struct receiver *receivers;
    int nreceivers, areceivers;
    struct stranger *strangers;
    int nstrangers, astrangers;
    struct cs_bits unclassed; /* virtual calls that reach none of their family: any function counts */
    struct cs_intlist work;   /* nodes with pending members, from place work_head on */
    int work_head;
    bool *reached; /* functions that may run */
    int nreached;
    struct cs_intset *callees; /* functions that a call may reach */
    int ncallees;
    struct cs_pairset edge_set;  /* node, number of its edge */
    struct cs_pairset watch_set; /* object, number of its watcher */
    struct cs_intset scratch;    /* the answer of cs_pts_operand() for what is no value */
    signed char *fresh;          /* functions that return fresh memory, as far as it was asked */
    struct cs_pairset contexts;  /* objects of calls of such functions */
    struct crossing *crossings;  /* of CONTEXT edges */
    int ncrossings, acrossings;
    struct entry *entries;
    int nentries, aentries;
    int *last_entry, nlast_entry; /* by call statement, -1 */
    struct instance *instances;
    int ninstances, ainstances;
    int in;                         /* the instance whose statements are being added */
    uint64_t *fills;                /* by function: a bit for each parameter through which it stores pointers */
    struct cs_pairset instance_set; /* numbers in instances */
    signed char *tells;             /* by function: has it instances? */
    int *rest, *ncalled;            /* by function: the instance of calls that have none of their own; how many have */
    int *number, nnumber;           /* of a value among those of its function, -1 */
    int *nnumbered;                 /* by function: how many have a number */
    int ninstance_stmts;            /* statements of all instances */
    struct cs_pattern *pats;        /* of FIELD edges */
    int npats, apats;
    int nknown;
    int ext_node;                  /* the node of all that unknown code knows */
    int64_t effort, next_widening; /* words of sets that were looked at; when that is too much */
    int64_t steps, budget;         /* words, and hooks that were run; how many there may be */
    int64_t precise;               /* how many there may be before lost memory is closed */
    int many;                      /* a pointer that may point to more objects has lost its way */
    int lost_obj, lost_loc;        /* stands for all lost objects: in `locs`, at any offset; -1: none are */
    int nlost;                     /* lost objects */
    bool closed;                   /* what lost objects hold is lost, too (pointsto_closed.c) */
    struct cs_bits doomed;         /* objects that will be lost at the next widening */
    struct stand_in stand[STANDS]; /* for what else lost objects hold: once it is closed */
    int handles_obj;               /* what such handles hold: once it is closed */
    bool solved;                   /* from now on locations in lost objects keep their names */
    bool unseen;                   /* unknown code is called, other than inline assembly */
    int *alias;
    int nalias; /* variables of libraries that are a hidden state: its object, else -1 */
};

/* ---- worklist, hooks (pointsto.c) ---- */
/* Passes on, first come first served, until nothing is pending. What widening makes of a set hangs on this order. */
void cs_pts_drain(struct cs_pts *p);
/* Does what the hook is for, for a location that has arrived at its node. */
void cs_pts_run_hook(struct cs_pts *p, struct hook h, int loc);
/* Does what the hook of a call, a callback or a receiver is for, for this object if it is a function. */
void cs_pts_reach_function(struct cs_pts *p, struct hook h, int obj);
/* May the virtual call (a statement) reach the function by its class? If not, it is remembered, with the hook. */
bool cs_pts_in_family(struct cs_pts *p, struct hook h, int call, int obj);
/* The function, or all that one stands for, may be called only if the call turns out to reach none of its family. */
void cs_pts_note_stranger(struct cs_pts *p, struct hook h, int call, int obj);
/* To be called when nothing is pending: calls that have reached none of their family reach what they found. True if
 * there are any. */
bool cs_pts_bind_strangers(struct cs_pts *p);

/* ---- widening (pointsto_widen.c) ---- */
/* Takes objects as one that a pointer cannot tell apart. To be called between two nodes of the worklist. */
void cs_pts_widen(struct cs_pts *p);
/* Takes those as one that another solution of the graph has. */
void cs_pts_lose_again(struct cs_pts *p, const struct cs_pts *before);
/* Takes these objects as one. */
void cs_pts_lose(struct cs_pts *p, const struct cs_bits *objs);
/* Takes those as one that were learnt of (pointsto_learnt.c), as far as there are such objects. */
void cs_pts_lose_learnt(struct cs_pts *p, const struct cs_learnt *l);
/* The object that has the cells of this one. */
static inline int cs_pts_home(const struct cs_pts *p, int obj)
{
    return obj >= 0 && obj < p->ninfo && p->info[obj].lost ? p->lost_obj : obj;
}

/* ---- lost memory that is closed (pointsto_closed.c) ---- */
/* May the object be lost? Only memory of the program: hidden states mean something of their own. */
bool cs_pts_may_be_lost(const struct cs_pts *p, int obj);
/* From now on what is stored in lost objects is lost itself: objects at the next widening, functions at once. */
void cs_pts_close(struct cs_pts *p);
/* Is it the node of what lost objects hold, and closed? */
static inline bool cs_pts_is_closed(const struct cs_pts *p, int n)
{
    return p->closed && p->nodes[n].closed;
}
/* Adds a location to what lost objects hold. */
void cs_pts_add_closed(struct cs_pts *p, int n, int loc);
/* Does one stand for the location, -1: none? And does the node's set have that one? */
int cs_pts_stand_of(const struct cs_pts *p, int loc);
bool cs_pts_is_stood_for(const struct cs_pts *p, int n, int loc);
/* Is it a location that stands for others? Which, -1: none. */
static inline int cs_pts_stands(const struct cs_pts *p, int loc)
{
    for (int k = 0; p->closed && k < STANDS; k++)
        if (p->stand[k].loc == loc)
            return k;
    return -1;
}
/* Takes what is stood for out of `what`, which is on its way to the node. */
void cs_pts_drop_stood_for(struct cs_pts *p, int n, struct cs_bits *what);
/* A set of more functions, or of others, need not tell them apart. */
int cs_pts_many_others(const struct cs_pts *p);
/* So many members of the set are functions, or others, that it need not tell them apart. */
void cs_pts_lose_others(struct cs_pts *p, int n);
/* Does what a hook is for, for all that one stands for, those to come included. */
void cs_pts_run_for_all(struct cs_pts *p, struct hook h, enum stand k);
/* The object shares what it holds with lost ones. */
void cs_pts_join_lost(struct cs_pts *p, int obj);
/* Adds the members of a node, those stood for one by one. */
void cs_pts_list_all(const struct cs_pts *p, int n, struct cs_intlist *out);

/* ---- locations and sets (pointsto_set.c) ---- */
uint32_t cs_pts_hash_pattern(uint32_t h, const struct cs_pattern *p);
/* Makes the first locations. Those that stand for others are none until they get their object, at any offset. */
void cs_pts_first_locs(struct cs_pts *p);
void cs_pts_set_loc(struct cs_pts *p, int loc, int obj);
/* The number of a location, in normal form. */
int cs_pts_intern_loc(struct cs_pts *p, int obj, struct cs_pattern pat);
/* Adds a location to a node's set, keeping the set small: covered offsets are not added, many constants become
 * "any integer", many offsets of one object become one stride. */
void cs_pts_add_loc(struct cs_pts *p, int n, int loc);
/* Adds it as it is. */
void cs_pts_add_member(struct cs_pts *p, int n, int loc);
/* The same for many; without `numbers`, constants other than 0 come as "any integer". */
void cs_pts_add_locs(struct cs_pts *p, int n, const struct cs_bits *what, bool numbers);

/* ---- nodes and edges (pointsto_flow.c) ---- */
/* A node without members; the node of a value; what is known of an object. Pointers to nodes and objects are good until
 * the next one is made. */
int cs_pts_new_node(struct cs_pts *p);
/* The node that this one has become part of. */
static inline int cs_pts_find(struct cs_pts *p, int n)
{
    while (p->nodes[n].up != n)
        n = p->nodes[n].up = p->nodes[p->nodes[n].up].up;
    return n;
}
int cs_pts_value_node(struct cs_pts *p, int v);
struct objinfo *cs_pts_obj_info(struct cs_pts *p, int obj);
/* What becomes of a location on an edge of this kind. */
int cs_pts_move_loc(struct cs_pts *p, int loc, enum edge_kind kind, int64_t amount);
/* Locations, not those of the node that the edge leads to, go along it. */
void cs_pts_move(struct cs_pts *p, const struct cs_bits *what, struct edge e);
/* What is at the node already passes at once. An edge that is there is not added again. */
void cs_pts_add_edge(struct cs_pts *p, int from, int to, enum edge_kind kind, int64_t amount);
/* Of edges that have become the same, as nodes have become one, one stays. To be called between two nodes of the
 * worklist. */
void cs_pts_tidy_edges(struct cs_pts *p);
void cs_pts_add_hook(struct cs_pts *p, int n, enum hook_kind kind, int index);
/* The node that holds what an operand may be: for what is no value, a new one at each call. */
int cs_pts_operand_node(struct cs_pts *p, struct cs_operand op);
/* What the operand may be flows to node `to`, as along an edge. */
void cs_pts_flow(struct cs_pts *p, struct cs_operand from, int to, enum edge_kind kind, int64_t amount);

/* ---- memory (pointsto_memory.c) ---- */
/* What a cell of the source may hold goes on to where the copy puts it, if the copy reads it. */
void cs_pts_apply_watcher(struct cs_pts *p, int src_obj, int cell, struct watcher w);
/* The cell of `size` bytes at these offsets. A new cell is linked with those that it overlaps: stores reach loads. */
int cs_pts_get_cell(struct cs_pts *p, int obj, struct cs_pattern pat, int64_t size);
/* The operand may be stored there. */
void cs_pts_store_at(struct cs_pts *p, int obj, struct cs_pattern pat, int64_t size, struct cs_operand val);
/* The hidden state that a variable of a library is (optarg), or points to (stdin). */
int cs_pts_state_obj(struct cs_pts *p, const struct cs_effect *fx);
/* Content that is there before the program stores anything. */
void cs_pts_init_object(struct cs_pts *p, int obj);
/* The offsets that an access at `rel` from a location touches; false if it is no memory. */
bool cs_pts_access_pattern(struct cs_pts *p, const struct cs_loc *l, struct cs_pattern rel, struct cs_pattern *out);
/* kind: LOAD, from the place to the node, or STORE, from the node to the place. program: a statement of the program
 * does it, not a library. */
void cs_pts_add_memcon(struct cs_pts *p, enum hook_kind kind, const struct cs_ref *r, int node, bool program);

/* ---- copies (pointsto_copy.c) ---- */
/* dst <- src, as bytes: dst->size of them, or src->size if that is not known. */
void cs_pts_add_copycon(struct cs_pts *p, const struct cs_ref *dst, const struct cs_ref *src);
/* A location has arrived at one pointer of a copy. */
void cs_pts_arrive_at_copy(struct cs_pts *p, int id, int loc, bool reads);

/* ---- calls (pointsto_calls.c) ---- */
/* Unknown code may read, write and pass on the object, and call it if it is a function. */
void cs_pts_escape(struct cs_pts *p, int obj);
/* The same for a hidden state, if there is unknown code and it may ask for that state. */
void cs_pts_escape_state(struct cs_pts *p, int obj);
/* The call, or callback number `id`, may reach the function: arguments flow to parameters, results back. */
void cs_pts_bind_call(struct cs_pts *p, int stmt, int func);
void cs_pts_bind_callback(struct cs_pts *p, int id, int func);
/* Binds calls of virtual functions that only a library can have to CS_LIBRARY_VIRTUAL, if the graph has that function.
 * True if there was one. To be asked when no set grows any more. */
bool cs_pts_bind_virtual(struct cs_pts *p);

/* ---- calls by their object (pointsto_dispatch.c) ---- */
/* Notes the call, if it finds its function in an argument. */
void cs_pts_add_dispatch(struct cs_pts *p, int stmt);
/* Does this argument of the call go only to those functions that it has itself? */
bool cs_pts_is_dispatched(const struct cs_pts *p, int stmt, int arg);
/* The objects of the dispatch are too many, or go to too many functions: from now on each goes to all. */
void cs_pts_give_up_dispatch(struct cs_pts *p, int id);
/* A location has arrived at the object of dispatch number `id`; a function at that of receiver number `id`. */
void cs_pts_arrive_at_dispatch(struct cs_pts *p, int id, int loc);
void cs_pts_arrive_at_target(struct cs_pts *p, int id, int func);

/* ---- memory from wrappers (pointsto_context.c) ---- */
/* Takes over the objects of calls of wrappers that an earlier solution of this graph has made. */
void cs_pts_known_contexts(struct cs_pts *p);
/* Does it return nothing but memory that it has just allocated, or null? */
bool cs_pts_returns_fresh(struct cs_pts *p, int func);
/* Does this library function allocate one object, which the call itself leaves as it is? */
bool cs_pts_allocates(const struct cs_graph *g, int func);
/* What call `stmt` gets of `obj`: an object of its own, to which the pointers in the wrappers then may point as well.
 */
int cs_pts_in_context(struct cs_pts *p, int obj, int stmt);
/* The same, without the pointers: it may be that nobody ever makes the call. */
int cs_pts_object_of_call(struct cs_pts *p, int obj, int stmt);
/* What becomes of a location on a CONTEXT edge; -1: it does not get there. */
int cs_pts_move_context(struct cs_pts *p, int loc, int64_t amount);

/* ---- functions that are solved for each call (pointsto_instance.c) ---- */
#define CS_PTS_CONTEXTS 4 /* instances in instances */
/* Finds out which functions are, and returns how many. To be called before the first statement. */
int cs_pts_find_instances(struct cs_pts *p);
/* The function's statements are added for all calls together: it is no such function. */
void cs_pts_no_instances(struct cs_pts *p, int func);
void cs_pts_free_instances(struct cs_pts *p);
/* The call `stmt`, made in the current instance, reaches a function with a body: adds its statements, if that is new.
 * The instance that the call runs; 0: the function is not solved for each call. */
int cs_pts_enter(struct cs_pts *p, int stmt, int func);
/* The node of a value of the current instance's function; `whole` is the value's own. */
int cs_pts_instance_node(struct cs_pts *p, int v, int whole);
/* The node of a value in this instance, or its own if it belongs to another function. */
int cs_pts_value_in(struct cs_pts *p, int in, int v);
/* The object that stands for `obj` where instance `in` has made it. */
int cs_pts_made_in(struct cs_pts *p, int obj, int in);

/* ---- statements (pointsto_stmt.c) ---- */
/* Adds what a statement does; the statements of a function, when it is first reached. */
void cs_pts_add_stmt(struct cs_pts *p, int s);
void cs_pts_add_function(struct cs_pts *p, int func);

#endif
