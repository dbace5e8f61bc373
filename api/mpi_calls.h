/* SPDX-License-Identifier: BSD-3-Clause
 * The one table of MPI calls: what every argument of every MPI call that is followed is for.
 * The slicer's criteria and effects, the recorder's wrappers, the Fortran bindings and the printing
 * of traces are all derived from it; a new call is one row in api/mpi_calls.def. */
#ifndef CS_API_MPI_CALLS_H
#define CS_API_MPI_CALLS_H

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

#define CS_MPI_MAX_ARGS 20

/* What an argument is for. "in"/"out" is the view of the calling rank. A handle role (type, comm, group,
 * op, req, ...) passed by value in C is passed by reference in Fortran; that difference is the binding's,
 * not the role's. */
enum cs_role {
    CS_ROLE_NONE = 0,
    CS_ROLE_SBUF,   /* message content that this call reads */
    CS_ROLE_RBUF,   /* message content that this call writes (or its later completion) */
    CS_ROLE_SRBUF,  /* both: Bcast, Sendrecv_replace */
    CS_ROLE_COUNT,  /* number of elements, scalar */
    CS_ROLE_COUNTS, /* one count per peer */
    CS_ROLE_DISPLS, /* displacements into the own buffer: local layout only */
    CS_ROLE_TYPE,   /* datatype handle, in */
    CS_ROLE_TYPES,  /* array of datatype handles, in */
    CS_ROLE_DEST,
    CS_ROLE_SOURCE,
    CS_ROLE_ROOT,
    CS_ROLE_TAG,
    CS_ROLE_COMM,      /* communicator, in; or the window of a call that is recorded */
    CS_ROLE_OP,        /* reduction operation, in */
    CS_ROLE_REQ_OUT,   /* *request, created here */
    CS_ROLE_REQ_INOUT, /* *request, completed, started or freed here (by value in Request_get_status) */
    CS_ROLE_REQS,      /* array of requests, completed or started here */
    CS_ROLE_STATUS,
    CS_ROLE_STATUSES,  /* out */
    CS_ROLE_STATUS_IN, /* a status that is read (Get_count, ...) */
    CS_ROLE_FLAG,      /* out: did it complete (Test, Iprobe, ...) */
    CS_ROLE_INDEX,     /* out: which one completed (Waitany, Testany) */
    CS_ROLE_INDICES,   /* out: which ones completed (Waitsome, Testsome) */
    CS_ROLE_OUTCOUNT,  /* out: how many completed */
    CS_ROLE_VAL,       /* other scalar in that decides communication (color, key, dims ndims, reorder) */
    CS_ROLE_VALS,      /* other array in that decides communication (dims, periods, ranks, neighbours) */
    CS_ROLE_IN,        /* other scalar in, local meaning only */
    CS_ROLE_IN_ARR,    /* other array in, local meaning only */
    CS_ROLE_OUT,       /* scalar out (rank, size, ...) */
    CS_ROLE_OUT_ARR,   /* array out (coords, ...) */
    CS_ROLE_INOUT_ARR, /* array in and out (Dims_create) */
    CS_ROLE_STR_IN,
    CS_ROLE_STR_OUT, /* Fortran passes a hidden length for each */
    CS_ROLE_PTR_IN,  /* raw memory read, local meaning (Pack's inbuf is SBUF; attribute values are PTR_IN) */
    CS_ROLE_PTR_OUT, /* a pointer value is stored there (Alloc_mem's baseptr, Comm_get_attr's value) */
    CS_ROLE_FN,      /* user callback */
    CS_ROLE_NEWCOMM,
    CS_ROLE_NEWTYPE,
    CS_ROLE_NEWGROUP,
    CS_ROLE_NEWOP,
    CS_ROLE_NEWINFO,
    CS_ROLE_NEWERRH,
    CS_ROLE_NEWMSG,  /* out handle: MPI_Message of Mprobe */
    CS_ROLE_NEWFILE, /* out handle, a pointer in C */
    CS_ROLE_NEWKEY,  /* out: attribute key */
    /* The next six are handles (KEY: an attribute key), in. */
    CS_ROLE_GROUP,
    CS_ROLE_INFO,
    CS_ROLE_ERRH,
    CS_ROLE_KEY,
    CS_ROLE_WIN,
    CS_ROLE_FILE, /* recorded as the number of the file: the lowest that was free when it was opened */
    CS_ROLE_MSG,  /* *message, in and out */
    /* The next six are *handle: the object is changed or freed (Type_commit, Comm_free, Info_free, ...). If the C type
     * is no pointer, only the object behind the handle is changed (Comm_set_attr, Info_set). */
    CS_ROLE_COMM_UPD,
    CS_ROLE_TYPE_UPD,
    CS_ROLE_GROUP_UPD,
    CS_ROLE_INFO_UPD,
    CS_ROLE_OP_UPD,
    CS_ROLE_FILE_UPD,
    CS_ROLE_ERRH_UPD,
    CS_ROLE_ARGC,
    CS_ROLE_ARGV,  /* C only: the Fortran bindings of Init and Init_thread do not have them */
    CS_ROLE_ADDR,  /* memory of which only the address is used (Get_address, Buffer_attach, Free_mem, F_sync_reg):
                    * its content is neither read nor written here; a choice buffer, so a descriptor in F08 */
    CS_ROLE_COUNT_ /* number of roles */
};

/* What kind of call it is. */
enum cs_mpi_kind {
    CS_MPI_LOCAL,     /* not an event: rank, size, types, groups, attributes, info, Wtime ... */
    CS_MPI_SEND,      /* blocking send of any mode */
    CS_MPI_RECV,      /* blocking receive (Recv, Mrecv) */
    CS_MPI_ISEND,     /* nonblocking send of any mode */
    CS_MPI_IRECV,     /* nonblocking receive (Irecv, Imrecv) */
    CS_MPI_SEND_INIT, /* persistent send of any mode */
    CS_MPI_RECV_INIT, /* persistent receive */
    CS_MPI_START,     /* Start, Startall */
    CS_MPI_SENDRECV,  /* Sendrecv, Sendrecv_replace, and their nonblocking forms */
    CS_MPI_WAIT,      /* Wait, Waitall: deterministic completion */
    CS_MPI_WAIT_SOME, /* Waitany, Waitsome: outcome may depend on timing */
    CS_MPI_TEST,      /* Test*: outcome depends on timing */
    CS_MPI_PROBE,     /* Probe, Mprobe */
    CS_MPI_IPROBE,    /* Iprobe, Improbe */
    CS_MPI_COLL,      /* collective that moves data, blocking, nonblocking or persistent */
    CS_MPI_BARRIER,
    CS_MPI_COMM_CTOR, /* collective that makes or frees a communicator */
    CS_MPI_INIT,
    CS_MPI_FINALIZE,
    CS_MPI_ABORT,
    CS_MPI_CANCEL,     /* Cancel, Request_free */
    CS_MPI_IO,         /* opens, closes, reads, writes or positions a file, alone or together with others */
    CS_MPI_RMA,        /* makes or frees a window, moves data through one, or begins or ends an epoch */
    CS_MPI_UNSUPPORTED /* dynamic processes and the like: refused at the link */
};

/* What a call does beyond its kind, a bit each, in order (build-aux/house looks that no bit is given twice). */
enum cs_mpi_flag {
    CS_MPI_EVENT = 1 << 0, /* recorded, and a root of the slice */
    CS_MPI_NONBLOCKING = 1 << 1,
    CS_MPI_TIMING = 1 << 2, /* result depends on time or arrival order (Wtime, Test*, Iprobe, Waitany ...) */
    /* Collectives. */
    CS_MPI_ROOT_RECVS = 1 << 3, /* rooted: only the root receives (Gather, Gatherv, Reduce) */
    CS_MPI_ROOT_SENDS = 1 << 4, /* rooted: only the root sends (Bcast, Scatter, Scatterv) */
    CS_MPI_ALLSAME = 1 << 5,    /* after it every rank holds the same content (Bcast, Allreduce, Allgather*) */
    CS_MPI_REDUCES = 1 << 6,    /* has an op */
    CS_MPI_SCATTERS = 1 << 7,   /* reduction of which each rank gets a part of its own (Reduce_scatter and its kin) */
    CS_MPI_EXCLUSIVE = 1 << 8,  /* scan that leaves out what the rank itself hands in (Exscan) */
    CS_MPI_ALLTOALL = 1 << 9,   /* each member has a block of its own for each other (Alltoall and kin) */
    CS_MPI_PER_PEER = 1 << 10,  /* the count of the send buffer is that of each peer's part (Alltoall, Scatter) */
    CS_MPI_NEIGHBOR = 1 << 11,  /* between the neighbours of a topology */
    /* Sends. */
    CS_MPI_SYNCHRONOUS = 1 << 12, /* ends only when its receive has begun (Ssend and its kin) */
    CS_MPI_BUFFERED = 1 << 13,    /* out of the attached buffer (Bsend and its kin) */
    /* Constructors of communicators. */
    CS_MPI_BY_GROUP = 1 << 14,       /* only the members of the new communicator call it (Comm_create_group) */
    CS_MPI_BETWEEN_GROUPS = 1 << 15, /* may make an intercommunicator */
    CS_MPI_INTERCOMM = 1 << 16, /* makes or dissolves an intercommunicator: two groups meet in it, not only the members
                                   of the communicator that a rank names */
    /* Handles, addresses, callbacks. */
    CS_MPI_FREES = 1 << 17,         /* frees what the handle stands for, and sets the handle to null */
    CS_MPI_FOLLOWED = 1 << 18,      /* not recorded, but the recorder must see it: it uses or frees a handle, or
                                       attaches memory */
    CS_MPI_UNIFORM = 1 << 19,       /* local: ranks that pass the same arguments get the same results */
    CS_MPI_TAKES_ADDRESS = 1 << 20, /* the address of its argument is what it returns (Get_address) */
    CS_MPI_ATTRIBUTES = 1 << 21,    /* may run the program's callbacks for attributes */
    CS_MPI_SETS_HANDLER = 1 << 22,  /* says which error handler MPI calls return to (Comm_set_errhandler) */
    CS_MPI_CALLS_HANDLER = 1 << 23, /* calls an error handler on purpose (Comm_call_errhandler) */
    CS_MPI_VARIADIC = 1 << 24,      /* takes further arguments (...) */
    /* State of the library that no handle leads to, and what the call does with it. */
    CS_MPI_NAMES = 1 << 25,       /* names of objects */
    CS_MPI_HINTS = 1 << 26,       /* info of communicators */
    CS_MPI_ERROR_CODES = 1 << 27, /* error classes, codes and their texts */
    CS_MPI_SEND_BUFFER = 1 << 28, /* the buffer of buffered sends: attached (SETS), given back (GETS) */
    CS_MPI_SETS = 1 << 29,
    CS_MPI_GETS = 1 << 30,
    /* Prepares a request: what the row says happens at each MPI_Start of it. The collectives have NONBLOCKING, too. */
    CS_MPI_PERSISTENT = 1u << 31,
    /* Collective with a root. */
    CS_MPI_ROOTED = CS_MPI_ROOT_RECVS | CS_MPI_ROOT_SENDS
};

/* How long an array is whose row names no argument for it: values of cs_mpi_arg.count_arg below 0. */
enum cs_mpi_length {
    CS_MPI_PEERS = -1,     /* one entry per rank of the communicator, of the remote group for an intercommunicator; also
                              the value for what is no array */
    CS_MPI_MEMBERS = -2,   /* one entry per rank of the local group (Reduce_scatter) */
    CS_MPI_OUTDEGREE = -3, /* one entry per neighbour of the topology that is sent to */
    CS_MPI_INDEGREE = -4,  /* one entry per neighbour that is received from */
    CS_MPI_DIMS = -5,      /* one entry per dimension of the Cartesian topology */
    CS_MPI_LAST = -6,      /* as the last entry of the array argument just before says */
    CS_MPI_SUM = -7        /* the sum of the array argument just before */
};

/* One argument of a call, as the C binding declares it. */
struct cs_mpi_arg {
    const char *name;  /* as in the standard: "buf", "count" */
    const char *ctype; /* C declaration type: "const void *", "int", "MPI_Datatype" */
    enum cs_role role : 8;
    int count_arg : 8; /* for buffers and arrays: index of the argument that gives the number of elements, or below 0 an
                        * enum cs_mpi_length */
    int type_arg : 8;  /* for buffers: index of the datatype argument, or -1 (MPI_PACKED bytes) */
};

/* One row of the table: a call, its arguments in the order of the C binding. Constant, and never freed. */
struct cs_mpi_call {
    const char *name; /* "MPI_Send" */
    enum cs_mpi_kind kind;
    unsigned flags;  /* enum cs_mpi_flag */
    const char *ret; /* C return type, "int" but for Wtime and few others; "fortran": no C binding. Where it is not
                      * "int" the Fortran binding is a function too, and has no ierror */
    int nargs;
    const struct cs_mpi_arg *args; /* [nargs]; NULL: none */
};

/* How a symbol of the linker calls MPI. */
enum cs_binding {
    CS_BIND_C,   /* MPI_Send, PMPI_Send: by value, result is the error code */
    CS_BIND_F77, /* mpi_send_, pmpi_send_: mpif.h and `use mpi`; all by reference, ierror last, then hidden string
                    lengths */
    CS_BIND_F08  /* mpi_send_f08ts_, mpi_comm_rank_f08_: as F77, but ierror may be a null pointer, and choice buffers
                  * (roles SBUF, RBUF, SRBUF, ADDR) are CFI descriptors: pointer to a struct whose first word is the
                  * address */
};

/* All calls, in a fixed order: the index is the call's number in a trace's own table. NULL if there is none of that
 * index. */
int cs_mpi_ncalls(void);
const struct cs_mpi_call *cs_mpi_call(int index);

/* Functions of MPI that code calls which commslice puts into a program, by names that no tool takes for the program's.
 */
#define CS_MPI_OWN_RANK "PMPI_Comm_rank"
#define CS_MPI_OWN_SIZE "PMPI_Comm_size"
#define CS_MPI_OWN_DIMS "PMPI_Dims_create"

/* The call with this C name ("MPI_Send"), or NULL. */
const struct cs_mpi_call *cs_mpi_find(const char *name);
/* The index of a row of this table. */
int cs_mpi_index(const struct cs_mpi_call *c);

/* Does the call have large counts: MPI_Send_c? In mpi_f08 it has the name of its twin with counts of type int, and
 * mpif.h and `use mpi` do not have it. */
bool cs_mpi_is_large(const struct cs_mpi_call *c);
/* The call of which all ranks make one: that without _c of one with large counts, which some ranks may make and others
 * not, else the call itself. */
const struct cs_mpi_call *cs_mpi_procedure(const struct cs_mpi_call *c);

/* The collectives of the standard that tools and formats have words for. */
enum cs_collective {
    CS_COLLECTIVE_NONE,
    CS_COLLECTIVE_BARRIER,
    CS_COLLECTIVE_BCAST,
    CS_COLLECTIVE_REDUCE,
    CS_COLLECTIVE_ALLREDUCE,
    CS_COLLECTIVE_SCAN,
    CS_COLLECTIVE_EXSCAN,
    CS_COLLECTIVE_GATHER,
    CS_COLLECTIVE_GATHERV,
    CS_COLLECTIVE_SCATTER,
    CS_COLLECTIVE_SCATTERV,
    CS_COLLECTIVE_ALLGATHER,
    CS_COLLECTIVE_ALLGATHERV,
    CS_COLLECTIVE_ALLTOALL,
    CS_COLLECTIVE_ALLTOALLV,
    CS_COLLECTIVE_ALLTOALLW,
    CS_COLLECTIVE_REDUCE_SCATTER,
    CS_COLLECTIVE_REDUCE_SCATTER_BLOCK,
    CS_COLLECTIVE_COUNT
};

/* Which of them the call is, blocking, nonblocking or persistent. NONE for any other call, those between neighbours
 * included. */
enum cs_collective cs_mpi_collective(const struct cs_mpi_call *c);

/* The first argument of this role, by its place in the row, or -1. */
int cs_mpi_arg_of_role(const struct cs_mpi_call *c, enum cs_role r);
static inline bool cs_mpi_has_role(const struct cs_mpi_call *c, enum cs_role r)
{
    return cs_mpi_arg_of_role(c, r) >= 0;
}

/* The call behind a linker symbol of any binding, with or without the P of PMPI; NULL if it is none.
 * *binding is set when the result is not NULL. */
const struct cs_mpi_call *cs_mpi_by_symbol(const char *symbol, enum cs_binding *binding);

/* Calls of MPI that are in no row. */
struct cs_mpi_missing {
    const char *what;    /* "MPI 4", "large counts of MPI 4", "tool interface", "extension of the library" */
    const char *refusal; /* why a program with such a call is refused; NULL: it may be taken for a function that nobody
                            has described */
};

/* What a symbol is that looks like an MPI call; NULL if it is in a row or is no MPI call at all. */
const struct cs_mpi_missing *cs_mpi_missing(const char *symbol);

/* Name of a role ("count", "dest", ...): that of mpi_calls.def in lower case; "?" if it is none. */
const char *cs_role_name(enum cs_role r);

/* Of a C type, as the rows write it: does it hold addresses (MPI_Aint, or a pointer to it)? */
bool cs_ctype_is_address(const char *ctype);
/* Is it a window, or a pointer to one? */
bool cs_ctype_is_window(const char *ctype);
/* Is it a file, a pointer to one, or a function that is called where a call on a file fails? */
bool cs_ctype_is_of_file(const char *ctype);
/* Bytes of a scalar of this type, and of what a pointer of this type points to. An int and a handle have 4; an address,
 * a large count and a pointer have 8. */
int cs_ctype_size(const char *ctype);
int cs_ctype_target_size(const char *ctype);

/* Bytes of the number that the argument is or points to, 0 if it is none. *out: the call stores it. */
int cs_mpi_number_size(const struct cs_mpi_arg *a, bool *out);
/* Has the call written what argument i points to when it returns? */
bool cs_mpi_has_written(const struct cs_mpi_call *c, int i);

/* Is an argument of this role a communication variable (recorded in a trace, root of the slice)?
 * True for COUNT, COUNTS, TYPE, TYPES, DEST, SOURCE, ROOT, TAG, COMM, COMM_UPD, OP, VAL, VALS, FILE, FILE_UPD,
 * REQ_*, REQS, MSG, NEWCOMM (its identity). GROUP is not: it shows in the identity of the communicator that is made of
 * it. */
bool cs_role_is_recorded(enum cs_role r);

#ifdef __cplusplus
}
#endif
#endif
