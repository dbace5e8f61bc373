/* SPDX-License-Identifier: BSD-3-Clause
 * The table of MPI calls as data, and the look-up of calls by C name and by linker symbol.
 * The rows are in mpi_calls.def. All data here is constant, except by_name[], which the first look-up fills. */
#include "api/mpi_calls.h"

#include <assert.h>
#include <ctype.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/cold.h"

/* The flags of enum cs_mpi_flag under the short names that the rows use. */
enum {
    EVENT = CS_MPI_EVENT,
    NONBLOCKING = CS_MPI_NONBLOCKING,
    TIMING = CS_MPI_TIMING,
    ALLSAME = CS_MPI_ALLSAME,
    REDUCES = CS_MPI_REDUCES,
    ROOT_RECVS = CS_MPI_ROOT_RECVS,
    ROOT_SENDS = CS_MPI_ROOT_SENDS,
    SYNCHRONOUS = CS_MPI_SYNCHRONOUS,
    BUFFERED = CS_MPI_BUFFERED,
    NEIGHBOR = CS_MPI_NEIGHBOR,
    SCATTERS = CS_MPI_SCATTERS,
    BY_GROUP = CS_MPI_BY_GROUP,
    FREES = CS_MPI_FREES,
    FOLLOWED = CS_MPI_FOLLOWED,
    ALLTOALL = CS_MPI_ALLTOALL,
    BETWEEN_GROUPS = CS_MPI_BETWEEN_GROUPS,
    UNIFORM = CS_MPI_UNIFORM,
    TAKES_ADDRESS = CS_MPI_TAKES_ADDRESS,
    ATTRIBUTES = CS_MPI_ATTRIBUTES,
    SETS_HANDLER = CS_MPI_SETS_HANDLER,
    CALLS_HANDLER = CS_MPI_CALLS_HANDLER,
    NAMES = CS_MPI_NAMES,
    HINTS = CS_MPI_HINTS,
    ERROR_CODES = CS_MPI_ERROR_CODES,
    SEND_BUFFER = CS_MPI_SEND_BUFFER,
    SETS = CS_MPI_SETS,
    GETS = CS_MPI_GETS,
    VARIADIC = CS_MPI_VARIADIC,
    INTERCOMM = CS_MPI_INTERCOMM,
    PER_PEER = CS_MPI_PER_PEER,
    EXCLUSIVE = CS_MPI_EXCLUSIVE,
    PERSISTENT = CS_MPI_PERSISTENT,
};

// clang-format off
#define A(role, type, name) { #name, #type, CS_ROLE_##role, CS_MPI_PEERS, -1 }
#define N(role, type, name, n) { #name, #type, CS_ROLE_##role, n, -1 }
#define L(role, type, name, length) { #name, #type, CS_ROLE_##role, CS_MPI_##length, -1 }
#define B(role, type, name, n, t) { #name, #type, CS_ROLE_##role, n, t }
#define ARGS(...) (const struct cs_mpi_arg[]){ __VA_ARGS__ }
#define NARGS(...) (int)(sizeof ARGS(__VA_ARGS__) / sizeof(struct cs_mpi_arg))
#define CALL(name, ret, kind, flags, ...) { #name, CS_MPI_##kind, flags, #ret, NARGS(__VA_ARGS__), ARGS(__VA_ARGS__) },
#define CALL0(name, ret, kind, flags) { #name, CS_MPI_##kind, flags, #ret, 0, NULL },
// clang-format on
#define OUT(name)
#define LARGE(...)
#define WIDE(...)
/* The table: entry i is the call of index i. */
static const struct cs_mpi_call calls[] = {
#include "api/mpi_calls.def"
#include "api/mpi_large.def"
};
#undef CALL
#undef CALL0
#undef OUT

#define CALL(...)
#define CALL0(...)
#define OUT(name) #name,
/* C names of calls that have no row, because they are not followed: the rows OUT of mpi_calls.def. */
static const char *const newer_calls[] = {
#include "api/mpi_calls.def"
};

/* How many rows calls[] has; how many bytes a name may have, its zero byte included, to be looked up. */
enum { NCALLS = sizeof calls / sizeof calls[0], LONGEST_NAME = 64 };

/* The name of each role, indexed by enum cs_role. */
static const char *const role_names[] = {
    [CS_ROLE_NONE] = "none",
    [CS_ROLE_SBUF] = "sbuf",
    [CS_ROLE_RBUF] = "rbuf",
    [CS_ROLE_SRBUF] = "srbuf",
    [CS_ROLE_COUNT] = "count",
    [CS_ROLE_COUNTS] = "counts",
    [CS_ROLE_DISPLS] = "displs",
    [CS_ROLE_TYPE] = "type",
    [CS_ROLE_TYPES] = "types",
    [CS_ROLE_DEST] = "dest",
    [CS_ROLE_SOURCE] = "source",
    [CS_ROLE_ROOT] = "root",
    [CS_ROLE_TAG] = "tag",
    [CS_ROLE_COMM] = "comm",
    [CS_ROLE_OP] = "op",
    [CS_ROLE_REQ_OUT] = "req_out",
    [CS_ROLE_REQ_INOUT] = "req_inout",
    [CS_ROLE_REQS] = "reqs",
    [CS_ROLE_STATUS] = "status",
    [CS_ROLE_STATUSES] = "statuses",
    [CS_ROLE_STATUS_IN] = "status_in",
    [CS_ROLE_FLAG] = "flag",
    [CS_ROLE_INDEX] = "index",
    [CS_ROLE_INDICES] = "indices",
    [CS_ROLE_OUTCOUNT] = "outcount",
    [CS_ROLE_VAL] = "val",
    [CS_ROLE_VALS] = "vals",
    [CS_ROLE_IN] = "in",
    [CS_ROLE_IN_ARR] = "in_arr",
    [CS_ROLE_OUT] = "out",
    [CS_ROLE_OUT_ARR] = "out_arr",
    [CS_ROLE_INOUT_ARR] = "inout_arr",
    [CS_ROLE_STR_IN] = "str_in",
    [CS_ROLE_STR_OUT] = "str_out",
    [CS_ROLE_PTR_IN] = "ptr_in",
    [CS_ROLE_PTR_OUT] = "ptr_out",
    [CS_ROLE_FN] = "fn",
    [CS_ROLE_NEWCOMM] = "newcomm",
    [CS_ROLE_NEWTYPE] = "newtype",
    [CS_ROLE_NEWGROUP] = "newgroup",
    [CS_ROLE_NEWOP] = "newop",
    [CS_ROLE_NEWINFO] = "newinfo",
    [CS_ROLE_NEWERRH] = "newerrh",
    [CS_ROLE_NEWMSG] = "newmsg",
    [CS_ROLE_NEWFILE] = "newfile",
    [CS_ROLE_NEWKEY] = "newkey",
    [CS_ROLE_GROUP] = "group",
    [CS_ROLE_INFO] = "info",
    [CS_ROLE_ERRH] = "errh",
    [CS_ROLE_KEY] = "key",
    [CS_ROLE_WIN] = "win",
    [CS_ROLE_FILE] = "file",
    [CS_ROLE_MSG] = "msg",
    [CS_ROLE_COMM_UPD] = "comm_upd",
    [CS_ROLE_TYPE_UPD] = "type_upd",
    [CS_ROLE_GROUP_UPD] = "group_upd",
    [CS_ROLE_INFO_UPD] = "info_upd",
    [CS_ROLE_OP_UPD] = "op_upd",
    [CS_ROLE_FILE_UPD] = "file_upd",
    [CS_ROLE_ERRH_UPD] = "errh_upd",
    [CS_ROLE_ARGC] = "argc",
    [CS_ROLE_ARGV] = "argv",
    [CS_ROLE_ADDR] = "addr",
};
_Static_assert(sizeof role_names / sizeof role_names[0] == CS_ROLE_COUNT_, "a role without a name");

/* All rows of calls[], sorted by name without regard to case, for the binary search. sort_names() fills it, once. */
static const struct cs_mpi_call *by_name[NCALLS] CS_COLD;
static pthread_once_t by_name_once = PTHREAD_ONCE_INIT;

/* For qsort(): orders two entries of by_name[]. */
static int compare_calls(const void *a, const void *b)
{
    return strcasecmp((*(const struct cs_mpi_call *const *)a)->name, (*(const struct cs_mpi_call *const *)b)->name);
}

/* For bsearch(): orders a name, `key`, and an entry of by_name[]. */
static int compare_key(const void *key, const void *b)
{
    return strcasecmp(key, (*(const struct cs_mpi_call *const *)b)->name);
}

/* Asserts that each row refers only to arguments that it has, and that names are short enough and differ. */
static void check_rows(void)
{
    for (int i = 0; i < NCALLS; i++) {
        assert(i == 0 || compare_calls(&by_name[i - 1], &by_name[i]) < 0);
        assert(calls[i].nargs >= 0 && calls[i].nargs <= CS_MPI_MAX_ARGS && strlen(calls[i].name) < LONGEST_NAME);
        for (int k = 0; k < calls[i].nargs; k++)
            assert(calls[i].args[k].count_arg < calls[i].nargs && calls[i].args[k].type_arg < calls[i].nargs);
    }
}

static void sort_names(void)
{
    for (int i = 0; i < NCALLS; i++)
        by_name[i] = &calls[i];
    qsort(by_name, NCALLS, sizeof by_name[0], compare_calls);
    check_rows();
}

/* The call with this name in upper, lower or mixed case, or NULL. */
static const struct cs_mpi_call *find_anycase(const char *name)
{
    pthread_once(&by_name_once, sort_names);
    assert(by_name[0]);
    const struct cs_mpi_call *const *p = bsearch(name, by_name, NCALLS, sizeof by_name[0], compare_key);
    return p ? *p : NULL;
}

int cs_mpi_ncalls(void)
{
    return NCALLS;
}

const struct cs_mpi_call *cs_mpi_call(int index)
{
    return index >= 0 && index < NCALLS ? &calls[index] : NULL;
}

const struct cs_mpi_call *cs_mpi_find(const char *name)
{
    const struct cs_mpi_call *c = find_anycase(name);
    return c && strcmp(c->name, name) == 0 ? c : NULL;
}

int cs_mpi_index(const struct cs_mpi_call *c)
{
    assert(c >= calls && c < calls + NCALLS);
    return (int)(c - calls);
}

/* Do the first `len` bytes of s end with the suffix? */
static bool ends_with(const char *s, size_t len, const char *suffix)
{
    size_t n = strlen(suffix);
    return len >= n && memcmp(s + len - n, suffix, n) == 0;
}

bool cs_mpi_is_large(const struct cs_mpi_call *c)
{
    return ends_with(c->name, strlen(c->name), "_c");
}

const struct cs_mpi_call *cs_mpi_procedure(const struct cs_mpi_call *c)
{
    char name[80];
    if (!cs_mpi_is_large(c))
        return c;
    snprintf(name, sizeof name, "%.*s", (int)strlen(c->name) - 2, c->name);
    const struct cs_mpi_call *small = cs_mpi_find(name);
    return small ? small : c;
}

/* Chooses by the lists that the call takes: `types` if it has one datatype per peer, else `counts` if it has one count
 * per peer, else `plain`. */
static enum cs_collective by_lists(const struct cs_mpi_call *c, enum cs_collective plain, enum cs_collective counts,
                                   enum cs_collective types)
{
    return cs_mpi_has_role(c, CS_ROLE_TYPES) ? types : cs_mpi_has_role(c, CS_ROLE_COUNTS) ? counts : plain;
}

/* Which collective a call with the flag REDUCES is. */
static enum cs_collective reduction(const struct cs_mpi_call *c)
{
    if (c->flags & CS_MPI_ROOTED)
        return CS_COLLECTIVE_REDUCE;
    if (c->flags & CS_MPI_ALLSAME)
        return CS_COLLECTIVE_ALLREDUCE;
    if (c->flags & CS_MPI_SCATTERS)
        return by_lists(c, CS_COLLECTIVE_REDUCE_SCATTER_BLOCK, CS_COLLECTIVE_REDUCE_SCATTER, CS_COLLECTIVE_NONE);
    return c->flags & CS_MPI_EXCLUSIVE ? CS_COLLECTIVE_EXSCAN : CS_COLLECTIVE_SCAN;
}

enum cs_collective cs_mpi_collective(const struct cs_mpi_call *c)
{
    assert(c);
    if (c->kind == CS_MPI_BARRIER)
        return CS_COLLECTIVE_BARRIER;
    if (c->kind != CS_MPI_COLL || c->flags & CS_MPI_NEIGHBOR)
        return CS_COLLECTIVE_NONE;
    if (c->flags & CS_MPI_REDUCES)
        return reduction(c);
    if (c->flags & CS_MPI_ROOT_RECVS)
        return by_lists(c, CS_COLLECTIVE_GATHER, CS_COLLECTIVE_GATHERV, CS_COLLECTIVE_NONE);
    if (c->flags & CS_MPI_ROOT_SENDS)
        return c->flags & CS_MPI_ALLSAME
                   ? CS_COLLECTIVE_BCAST
                   : by_lists(c, CS_COLLECTIVE_SCATTER, CS_COLLECTIVE_SCATTERV, CS_COLLECTIVE_NONE);
    if (c->flags & CS_MPI_ALLTOALL)
        return by_lists(c, CS_COLLECTIVE_ALLTOALL, CS_COLLECTIVE_ALLTOALLV, CS_COLLECTIVE_ALLTOALLW);
    return c->flags & CS_MPI_ALLSAME
               ? by_lists(c, CS_COLLECTIVE_ALLGATHER, CS_COLLECTIVE_ALLGATHERV, CS_COLLECTIVE_NONE)
               : CS_COLLECTIVE_NONE;
}

int cs_mpi_arg_of_role(const struct cs_mpi_call *c, enum cs_role r)
{
    assert(c && c->nargs <= CS_MPI_MAX_ARGS);
    for (int i = 0; i < c->nargs; i++)
        if (c->args[i].role == r)
            return i;
    return -1;
}

/* Are all letters of s in the same case? Such a symbol is Fortran's, whose compilers fold case; C names mix cases. */
static bool is_one_case(const char *s)
{
    bool upper = false, lower = false;
    for (; *s; s++) {
        upper |= isupper((unsigned char)*s) != 0;
        lower |= islower((unsigned char)*s) != 0;
    }
    return !(upper && lower);
}

/* Cuts the suffix off the first *len bytes of s, if they end with it. */
static bool cut(const char *s, size_t *len, const char *suffix)
{
    bool there = ends_with(s, *len, suffix);
    *len -= there ? strlen(suffix) : 0;
    return there;
}

/* Writes to `name` the symbol without the P, the trailing underscores and the suffixes of mpi_f08, where "large" stands
 * for the "_c" of C; it begins with "MPI_", and the rest is in the symbol's case. *binding gets how the symbol calls
 * MPI. False if the symbol does not look like an MPI call, or is too long for one; then neither is to be used. */
static bool strip_symbol(const char *symbol, char name[LONGEST_NAME], enum cs_binding *binding)
{
    const char *s = symbol;
    if (*s == 'P' || *s == 'p')
        s++;
    bool inner = strncmp(s, "mpir_", 5) == 0; /* MPICH's pmpi_f08 module calls such symbols */
    if (!inner && strncasecmp(s, "mpi_", 4) != 0)
        return false;
    s += inner ? 5 : 4;
    size_t len = strlen(s);
    bool fortran = is_one_case(symbol);
    if (len == 0 || len > LONGEST_NAME - 7)
        return false;
    while (fortran && len > 0 && s[len - 1] == '_')
        len--;
    *binding = fortran ? CS_BIND_F77 : CS_BIND_C;
    bool large = fortran && cut(s, &len, "_large");
    if (fortran && (cut(s, &len, "_f08ts") || cut(s, &len, "_f08")))
        *binding = CS_BIND_F08;
    if (*binding != CS_BIND_F08 && (inner || large))
        return false;
    assert(len + 6 < LONGEST_NAME);
    memcpy(name, "MPI_", 4);
    memcpy(name + 4, s, len);
    strcpy(name + 4 + len, large ? "_c" : "");
    return true;
}

const struct cs_mpi_call *cs_mpi_by_symbol(const char *symbol, enum cs_binding *binding)
{
    char name[LONGEST_NAME];
    enum cs_binding b;
    if (!strip_symbol(symbol, name, &b))
        return NULL;
    const struct cs_mpi_call *c = b == CS_BIND_C ? cs_mpi_find(name) : find_anycase(name);
    if (c && ((b == CS_BIND_C && strcmp(c->ret, "fortran") == 0) || (b == CS_BIND_F77 && cs_mpi_is_large(c))))
        return NULL;
    if (c)
        *binding = b;
    return c;
}

/* Is it a constant of MPI that names a callback, such as MPI_COMM_DUP_FN or MPI_CONVERSION_FN_NULL, and so no call? The
 * name is one that strip_symbol() has written. */
static bool is_callback_constant(const char *name)
{
    size_t len = strlen(name);
    char lower[LONGEST_NAME];
    assert(len < sizeof lower);
    for (size_t i = 0; i <= len; i++)
        lower[i] = (char)tolower((unsigned char)name[i]);
    return ends_with(lower, len, "_fn") || ends_with(lower, len, "_fn_null") || ends_with(lower, len, "_fn_null_c");
}

/* The answers of cs_mpi_missing(). */
#define NEWER "this call of MPI 4 is not followed: use those of MPI 3"
static const struct cs_mpi_missing newer = {"MPI 4", NEWER}, large = {"large counts of MPI 4", NEWER},
                                   tools = {"tool interface", NULL}, extension = {"extension of the library", NULL};

const struct cs_mpi_missing *cs_mpi_missing(const char *symbol)
{
    char name[LONGEST_NAME];
    enum cs_binding b;
    if (strncasecmp(symbol + (*symbol == 'P' || *symbol == 'p'), "MPIX_", 5) == 0)
        return &extension;
    if (!strip_symbol(symbol, name, &b) || cs_mpi_by_symbol(symbol, &b) || is_callback_constant(name))
        return NULL;
    size_t len = strlen(name);
    if (strncmp(name, "MPI_T_", 6) == 0)
        return &tools;
    if (ends_with(name, len, "_c"))
        return &large;
    for (size_t i = 0; i < sizeof newer_calls / sizeof newer_calls[0]; i++)
        if (strcasecmp(newer_calls[i], name) == 0)
            return &newer;
    return NULL;
}

const char *cs_role_name(enum cs_role r)
{
    assert((unsigned)r >= CS_ROLE_COUNT_ || role_names[r]);
    return (unsigned)r < CS_ROLE_COUNT_ ? role_names[r] : "?";
}

bool cs_ctype_is_window(const char *ctype)
{
    return strncmp(ctype, "MPI_Win", strlen("MPI_Win")) == 0 && strchr("* ", ctype[strlen("MPI_Win")]);
}

bool cs_ctype_is_address(const char *ctype)
{
    return strstr(ctype, "MPI_Aint") != NULL;
}

bool cs_ctype_is_of_file(const char *ctype)
{
    return !strncmp(ctype, "MPI_File", strlen("MPI_File"));
}

int cs_ctype_target_size(const char *ctype)
{
    bool large = cs_ctype_is_address(ctype) || strstr(ctype, "MPI_Count") || strstr(ctype, "MPI_Offset");
    return large ? 8 : 4;
}

int cs_ctype_size(const char *ctype)
{
    return strchr(ctype, '*') ? 8 : cs_ctype_target_size(ctype);
}

int cs_mpi_number_size(const struct cs_mpi_arg *a, bool *out)
{
    switch (a->role) {
    case CS_ROLE_COUNT:
    case CS_ROLE_DEST:
    case CS_ROLE_SOURCE:
    case CS_ROLE_ROOT:
    case CS_ROLE_TAG:
    case CS_ROLE_VAL:
    case CS_ROLE_IN: *out = false; return strchr(a->ctype, '*') ? 0 : cs_ctype_size(a->ctype);
    case CS_ROLE_OUT:
    case CS_ROLE_FLAG:
    case CS_ROLE_INDEX:
    case CS_ROLE_OUTCOUNT: *out = true; return cs_ctype_target_size(a->ctype);
    default: return 0;
    }
}

bool cs_mpi_has_written(const struct cs_mpi_call *c, int i)
{
    enum cs_role r = i < c->nargs ? c->args[i].role : CS_ROLE_NONE;
    bool content = r == CS_ROLE_RBUF || r == CS_ROLE_SRBUF;
    return (content && !(c->flags & CS_MPI_NONBLOCKING)) || r == CS_ROLE_OUT || r == CS_ROLE_FLAG ||
           r == CS_ROLE_INDEX || r == CS_ROLE_OUTCOUNT;
}

bool cs_role_is_recorded(enum cs_role r)
{
    switch (r) {
    case CS_ROLE_COUNT:
    case CS_ROLE_COUNTS:
    case CS_ROLE_TYPE:
    case CS_ROLE_TYPES:
    case CS_ROLE_DEST:
    case CS_ROLE_SOURCE:
    case CS_ROLE_ROOT:
    case CS_ROLE_TAG:
    case CS_ROLE_COMM:
    case CS_ROLE_COMM_UPD:
    case CS_ROLE_OP:
    case CS_ROLE_VAL:
    case CS_ROLE_VALS:
    case CS_ROLE_REQ_OUT:
    case CS_ROLE_REQ_INOUT:
    case CS_ROLE_REQS:
    case CS_ROLE_MSG:
    case CS_ROLE_FILE:
    case CS_ROLE_FILE_UPD:
    case CS_ROLE_NEWCOMM: return true;
    default: return false;
    }
}
