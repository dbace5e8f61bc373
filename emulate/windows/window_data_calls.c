/* SPDX-License-Identifier: BSD-3-Clause
 * The calls that move data. Each has done all of it when it returns, and a request of one is complete from the start.
 * What accumulates holds the target's lock of such calls meanwhile, so these are atomic among each other. */
#include <stdlib.h>
#include <string.h>

#include "emulate/collectives/op.h"
#include "emulate/errors/error.h"
#include "emulate/messages/request.h"
#include "emulate/objects/comm.h"
#include "emulate/types/buffer_check.h"
#include "emulate/types/type.h"
#include "emulate/windows/window.h"
#include "emulate/world/entry.h"
#include "emulate/world/shared_memory.h"

/* Elements of the origin's memory. */
struct here {
    void *buf;
    int64_t count;
    MPI_Datatype type;
};

/* A call: what it sends, what it gets, where to and from. */
struct operation {
    const char *call;
    struct here sends, gets; /* buf not looked at where count is 0 */
    struct cs_emu_there there;
    MPI_Op op;
    MPI_Request *request; /* NULL: it has none */
};

static int64_t bytes_of(const struct here *h)
{
    return h->count > 0 ? h->count * cs_emu_type_size(h->type) : 0;
}

/* ---- checks ---- */

static int check_here(const struct here *h)
{
    return h->type == MPI_DATATYPE_NULL && h->count == 0 && !h->buf ? MPI_SUCCESS
                                                                    : cs_emu_check_buffer(h->buf, h->count, h->type);
}

static int check_there(const struct cs_emu_there *t)
{
    int class = cs_emu_check_elements(t->count, t->type);
    if (class != MPI_SUCCESS || t->target == MPI_PROC_NULL)
        return class;
    if (t->target < 0 || t->target >= t->win->comm->local->size)
        return MPI_ERR_RANK;
    if (t->disp < 0 && t->win->flavor != MPI_WIN_FLAVOR_DYNAMIC)
        return MPI_ERR_DISP;
    return cs_emu_win_may_reach(t->win, t->target);
}

static int check(const struct operation *o, bool has_request)
{
    if (!o->there.win)
        return MPI_ERR_WIN;
    int class = check_here(&o->sends);
    if (class == MPI_SUCCESS)
        class = check_here(&o->gets);
    if (class == MPI_SUCCESS)
        class = check_there(&o->there);
    return class == MPI_SUCCESS && has_request && !o->request ? MPI_ERR_ARG : class;
}

/* ---- moving ---- */

/* The bytes of a buffer in packing order: itself, or memory to be freed with release(). NULL: memory is out. */
static char *packed_of(const struct here *h, bool contents)
{
    if (cs_emu_type_dense(h->type, h->count))
        return h->buf ? h->buf : (char *)&cs_emu_me; /* of no bytes */
    char *p = malloc((size_t)bytes_of(h) + 1);
    if (p && contents)
        cs_emu_pack(p, h->buf, h->count, h->type);
    return p;
}

static void release(const struct here *h, char *packed)
{
    if (!cs_emu_type_dense(h->type, h->count))
        free(packed);
}

/* Both sides have as many bytes; else what is longer is cut, which MPI leaves open. */
static bool fits(const struct here *h, const struct cs_emu_there *t)
{
    return bytes_of(h) == t->count * cs_emu_type_size(t->type);
}

static int put(struct operation *o)
{
    if (!fits(&o->sends, &o->there))
        return MPI_ERR_TRUNCATE;
    char *data = packed_of(&o->sends, true);
    int class = data ? cs_emu_win_write(&o->there, data) : MPI_ERR_NO_MEM;
    release(&o->sends, data);
    return class;
}

static int get(struct operation *o)
{
    if (!fits(&o->gets, &o->there))
        return MPI_ERR_TRUNCATE;
    char *data = packed_of(&o->gets, false);
    int class = data ? cs_emu_win_read(&o->there, data) : MPI_ERR_NO_MEM;
    if (class == MPI_SUCCESS && data != o->gets.buf && bytes_of(&o->gets) > 0)
        cs_emu_unpack(o->gets.buf, o->gets.count, o->gets.type, data, bytes_of(&o->gets));
    release(&o->gets, data);
    return class;
}

/* ---- accumulating ---- */

/* Packed elements of a basic type, laid out as an operation wants them: in place, or (pairs with a gap) in a copy. */
static char *spread(char *packed, int64_t n, MPI_Datatype basic)
{
    char *p = cs_emu_type_dense(basic, n) ? packed : calloc((size_t)n, (size_t)cs_emu_type_extent(basic));
    if (p && p != packed)
        cs_emu_unpack(p, n, basic, packed, n * cs_emu_type_size(basic));
    return p;
}

/* target = origin op target, both packed. Error class. */
static int combine(MPI_Op op, char *origin, char *target, int64_t bytes, MPI_Datatype basic)
{
    int64_t n = bytes / cs_emu_type_size(basic);
    char *in = spread(origin, n, basic), *inout = spread(target, n, basic);
    int class = in && inout ? MPI_SUCCESS : MPI_ERR_NO_MEM;
    if (class == MPI_SUCCESS)
        class = cs_emu_reduce(op, in, inout, n, basic);
    if (inout != target && inout)
        cs_emu_pack(target, inout, n, basic);
    if (in != origin)
        free(in);
    if (inout != target)
        free(inout);
    return class;
}

/* The basic type that the operation works on. *class: the error if there is none. */
static MPI_Datatype basic_type(const struct operation *o, int *class)
{
    MPI_Datatype basic = cs_emu_type_basic(o->there.type);
    *class = !cs_emu_op_predefined(o->op)                                                         ? MPI_ERR_OP
             : o->op == MPI_REPLACE || o->op == MPI_NO_OP || cs_emu_type_size(o->there.type) == 0 ? MPI_SUCCESS
             : basic == MPI_DATATYPE_NULL                                                         ? MPI_ERR_TYPE
                                          : cs_emu_op_check(o->op, basic);
    return basic;
}

/* What becomes of the target, whose bytes are in `target`; the caller has its lock. */
static int change(struct operation *o, char *origin, char *target, int64_t bytes, MPI_Datatype basic)
{
    if (o->op == MPI_NO_OP)
        return MPI_SUCCESS;
    if (o->op == MPI_REPLACE)
        return cs_emu_win_write(&o->there, origin);
    int class = combine(o->op, origin, target, bytes, basic);
    return class == MPI_SUCCESS ? cs_emu_win_write(&o->there, target) : class;
}

static _Atomic uint32_t *lock_of(const struct operation *o)
{
    int world = cs_emu_comm_world(o->there.win->comm, o->there.target);
    return &cs_emu_world->rank[world].accumulating;
}

static int accumulate(struct operation *o)
{
    int64_t bytes = o->there.count * cs_emu_type_size(o->there.type);
    int class;
    MPI_Datatype basic = basic_type(o, &class);
    bool gets = o->gets.count > 0;
    if (class == MPI_SUCCESS &&
        ((gets && !fits(&o->gets, &o->there)) || (o->op != MPI_NO_OP && !fits(&o->sends, &o->there))))
        class = MPI_ERR_TRUNCATE;
    if (class != MPI_SUCCESS || bytes == 0)
        return class;
    char *origin = o->op == MPI_NO_OP ? NULL : packed_of(&o->sends, true), *target = malloc((size_t)bytes);
    char *before = gets ? malloc((size_t)bytes) : NULL;
    if (!target || (gets && !before) || (!origin && o->op != MPI_NO_OP))
        class = MPI_ERR_NO_MEM;
    cs_emu_lock(lock_of(o));
    if (class == MPI_SUCCESS && (gets || o->op != MPI_REPLACE))
        class = cs_emu_win_read(&o->there, target);
    if (class == MPI_SUCCESS && gets)
        memcpy(before, target, (size_t)bytes);
    if (class == MPI_SUCCESS)
        class = change(o, origin, target, bytes, basic);
    cs_emu_unlock(lock_of(o));
    if (class == MPI_SUCCESS && gets)
        cs_emu_unpack(o->gets.buf, o->gets.count, o->gets.type, before, bytes);
    if (o->op != MPI_NO_OP)
        release(&o->sends, origin);
    free(before);
    free(target);
    return class;
}

/* ---- the calls ---- */

/* Checks the operation and does it. */
static int run(struct operation *o, int (*operate)(struct operation *), bool has_request)
{
    int class = check(o, has_request);
    if (class == MPI_SUCCESS && o->there.target != MPI_PROC_NULL)
        class = operate(o);
    if (class == MPI_SUCCESS && has_request)
        *o->request = cs_emu_req_done();
    return cs_emu_win_done(o->there.win, class, o->call);
}

/* The parameters of each call as an operation. */
#define THERE \
    { \
        cs_emu_win_of(win), target, disp, target_count, target_type \
    }
#define SENDS \
    { \
        (void *)origin, origin_count, origin_type \
    }
#define GETS \
    { \
        origin, origin_count, origin_type \
    }
#define RESULT \
    { \
        result, result_count, result_type \
    }
#define NOTHING \
    { \
        NULL, 0, MPI_DATATYPE_NULL \
    }

/* With MPI_NO_OP nothing is sent, whatever the arguments say of it. */
static struct here sent(MPI_Op op, struct here h)
{
    return op == MPI_NO_OP ? (struct here)NOTHING : h;
}

/* The parameters that calls share; the type of counts is int or MPI_Count. */
#define TO(COUNT) int target, MPI_Aint disp, COUNT target_count, MPI_Datatype target_type
#define ORIGIN(COUNT) const void *origin, COUNT origin_count, MPI_Datatype origin_type

#define PUT(name, COUNT) \
    CS_EMU_CALL(int, name, (ORIGIN(COUNT), TO(COUNT), MPI_Win win)) \
    { \
        struct operation o = {"MPI_" #name, SENDS, NOTHING, THERE, MPI_REPLACE, NULL}; \
        return run(&o, put, false); \
    }

#define RPUT(name, COUNT) \
    CS_EMU_CALL(int, name, (ORIGIN(COUNT), TO(COUNT), MPI_Win win, MPI_Request * request)) \
    { \
        struct operation o = {"MPI_" #name, SENDS, NOTHING, THERE, MPI_REPLACE, request}; \
        return run(&o, put, true); \
    }

#define GET(name, COUNT) \
    CS_EMU_CALL(int, name, (void *origin, COUNT origin_count, MPI_Datatype origin_type, TO(COUNT), MPI_Win win)) \
    { \
        struct operation o = {"MPI_" #name, NOTHING, GETS, THERE, MPI_NO_OP, NULL}; \
        return run(&o, get, false); \
    }

#define RGET(name, COUNT) \
    CS_EMU_CALL( \
        int, name, \
        (void *origin, COUNT origin_count, MPI_Datatype origin_type, TO(COUNT), MPI_Win win, MPI_Request *request)) \
    { \
        struct operation o = {"MPI_" #name, NOTHING, GETS, THERE, MPI_NO_OP, request}; \
        return run(&o, get, true); \
    }

#define ACCUMULATE(name, COUNT) \
    CS_EMU_CALL(int, name, (ORIGIN(COUNT), TO(COUNT), MPI_Op op, MPI_Win win)) \
    { \
        struct operation o = {"MPI_" #name, SENDS, NOTHING, THERE, op, NULL}; \
        return run(&o, accumulate, false); \
    }

#define RACCUMULATE(name, COUNT) \
    CS_EMU_CALL(int, name, (ORIGIN(COUNT), TO(COUNT), MPI_Op op, MPI_Win win, MPI_Request * request)) \
    { \
        struct operation o = {"MPI_" #name, SENDS, NOTHING, THERE, op, request}; \
        return run(&o, accumulate, true); \
    }

#define GET_ACCUMULATE(name, COUNT) \
    CS_EMU_CALL(int, name, \
                (ORIGIN(COUNT), void *result, COUNT result_count, MPI_Datatype result_type, TO(COUNT), MPI_Op op, \
                 MPI_Win win)) \
    { \
        struct operation o = {"MPI_" #name, sent(op, (struct here)SENDS), RESULT, THERE, op, NULL}; \
        return run(&o, accumulate, false); \
    }

#define RGET_ACCUMULATE(name, COUNT) \
    CS_EMU_CALL(int, name, \
                (ORIGIN(COUNT), void *result, COUNT result_count, MPI_Datatype result_type, TO(COUNT), MPI_Op op, \
                 MPI_Win win, MPI_Request *request)) \
    { \
        struct operation o = {"MPI_" #name, sent(op, (struct here)SENDS), RESULT, THERE, op, request}; \
        return run(&o, accumulate, true); \
    }

PUT(Put, int)
PUT(Put_c, MPI_Count)
RPUT(Rput, int)
RPUT(Rput_c, MPI_Count)
GET(Get, int)
GET(Get_c, MPI_Count)
RGET(Rget, int)
RGET(Rget_c, MPI_Count)
ACCUMULATE(Accumulate, int)
ACCUMULATE(Accumulate_c, MPI_Count)
RACCUMULATE(Raccumulate, int)
RACCUMULATE(Raccumulate_c, MPI_Count)
GET_ACCUMULATE(Get_accumulate, int)
GET_ACCUMULATE(Get_accumulate_c, MPI_Count)
RGET_ACCUMULATE(Rget_accumulate, int)
RGET_ACCUMULATE(Rget_accumulate_c, MPI_Count)

CS_EMU_CALL(int, Fetch_and_op,
            (const void *origin, void *result, MPI_Datatype type, int target, MPI_Aint disp, MPI_Op op, MPI_Win win))
{
    struct operation o = {"MPI_Fetch_and_op",
                          sent(op, (struct here){(void *)origin, 1, type}),
                          {result, 1, type},
                          {cs_emu_win_of(win), target, disp, 1, type},
                          op,
                          NULL};
    return run(&o, accumulate, false);
}

/* ---- comparing ---- */

/* `sends` is what replaces the target's value; the value to compare with is behind it, see below. */
struct swap {
    struct operation o;
    const void *compare;
};

static int compare_and_swap(struct operation *o)
{
    const struct swap *s = (const struct swap *)o;
    char was[32];
    size_t bytes = (size_t)cs_emu_type_size(o->there.type);
    cs_emu_lock(lock_of(o));
    int class = cs_emu_win_read(&o->there, was);
    if (class == MPI_SUCCESS && memcmp(was, s->compare, bytes) == 0)
        class = cs_emu_win_write(&o->there, o->sends.buf);
    cs_emu_unlock(lock_of(o));
    if (class == MPI_SUCCESS)
        memcpy(o->gets.buf, was, bytes);
    return class;
}

/* Integers, logicals and bytes: types that can be combined by bits or by logic, and are no floating-point numbers. */
static bool can_be_compared(MPI_Datatype type)
{
    if (type == MPI_CHAR)
        return true;
    return cs_emu_type_basic(type) == type &&
           (cs_emu_op_check(MPI_BAND, type) == MPI_SUCCESS ||
            (cs_emu_op_check(MPI_LAND, type) == MPI_SUCCESS && cs_emu_op_check(MPI_SUM, type) != MPI_SUCCESS));
}

CS_EMU_CALL(int, Compare_and_swap,
            (const void *origin, const void *compare, void *result, MPI_Datatype type, int target, MPI_Aint disp,
             MPI_Win win))
{
    struct swap s = {{"MPI_Compare_and_swap",
                      {(void *)origin, 1, type},
                      {result, 1, type},
                      {cs_emu_win_of(win), target, disp, 1, type},
                      MPI_NO_OP,
                      NULL},
                     compare};
    if (s.o.there.win && !can_be_compared(type))
        return cs_emu_win_done(s.o.there.win, MPI_ERR_TYPE, s.o.call);
    return run(&s.o, compare_and_swap, false);
}
