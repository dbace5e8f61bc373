/* SPDX-License-Identifier: BSD-3-Clause
 * The trace of a run: one file with every rank's ordered sequence of communication calls.
 * docs/reference/trace-format.md specifies the bytes. Events without times are folded while they are written: loops are
 * stored once. Writing needs bounded memory; a file that was cut off reads up to the cut. */
#ifndef CS_TRACE_H
#define CS_TRACE_H

#include <stddef.h>
#include <stdint.h>
#include <stdbool.h>

#include "api/marks.h"
#include "base/ranges.h"

/* An event is a call plus the values of its recorded arguments, flattened in the order of the call's row in
 * the MPI table: a scalar role gives one field; an array role gives its length and then its elements.
 * Datatypes, communicators and operations are indices into the rank's own tables, which the trace defines by content,
 * so equal content means equal meaning in two traces even if indices differ. */
struct cs_event {
    int call; /* index in the MPI table of api/ */
    int site; /* index into the rank's sites, or -1 */
    int mark; /* CS_MARK_* of api/marks.h (original: CS_MARK_CONTENT) */
    int nfields;
    const int64_t *fields;
    int64_t t_enter, t_exit; /* ns since the rank's MPI_Init; both 0 when the run has no times */
    int64_t t_delay; /* scheduling delay: ns since the rank's previous event in which it was ready and others ran, or
                       the recorder wrote */
};

/* ---- writing (commlib; one writer per rank process; all ranks append whole blocks to the same file) ---- */
struct cs_trace_writer;

/* A run. Strings may be NULL; they are the caller's when written, and the trace's when read. */
struct cs_run_info {
    const char *program;     /* path of the executable */
    const char *args;        /* command line, one string */
    const char *kind;        /* "original" or "slice" */
    const char *engine;      /* "mpich", "emulate", or CS_ENGINE_REPLAY and the path of the tape */
    const char *assumptions; /* one a line, with violations counted where known */
    const char *versions;    /* commslice, MPI library */
    const char *unrecorded;  /* calls that move data and are no events (one-sided communication, MPI-IO, dynamic
                                processes),  one a line: "MPI_Put: 200 calls, 1638400 bytes". NULL: the run made none */
    int nranks;
    bool with_times;
    bool alone; /* for writers: the rank runs alone, and says what rank 0 would say */
};

/* Opens `path` for the rank. Every rank creates the file if need be and appends with O_APPEND; rank 0 writes the run
 * info. NULL and errno on error. */
struct cs_trace_writer *cs_trace_create(const char *path, int rank, const struct cs_run_info *info);
/* Ranks that are forked from one process share an open file, and what is in it already. Made before the fork, for a run
 * of that many ranks. NULL and errno. */
struct cs_trace_group;
struct cs_trace_group *cs_trace_group_new(const char *path, int nranks);
/* As cs_trace_create, for a rank of the group: no crash file, and nothing is written before there is a reason (but rank
 * 0's run info). */
struct cs_trace_writer *cs_trace_create_in(struct cs_trace_group *g, int rank, const struct cs_run_info *info);
/* When all ranks have ended: adds to the trace what killed ranks had recorded and not written. 0, or -1 and errno. */
int cs_trace_group_save(struct cs_trace_group *g);
/* When all ranks have ended, and the run turns out to have failed all the same: none of them is complete. 0, or -1 and
 * errno. */
int cs_trace_group_fail(struct cs_trace_group *g, const struct cs_run_info *info);
void cs_trace_group_free(struct cs_trace_group *g);
/* Replaces the run info (assumptions are counted only when the run ends); the last one of rank 0 is what readers see. 0
 * or -1. */
int cs_trace_set_info(struct cs_trace_writer *w, const struct cs_run_info *info);
/* Definitions return the index to use in fields, or -1 and errno. The same content returns the same index. */
int cs_trace_def_type(struct cs_trace_writer *w, const char *signature, int64_t size, int64_t extent, int64_t pieces);
/* signature: canonical, run-length coded basic types, e.g. "d3i1"; see docs. size, extent: bytes. pieces: as in struct
 * cs_type_def */
int cs_trace_def_comm(struct cs_trace_writer *w, const char *path, int nranks, const int *world_ranks);
/* path: how it was made, the same in every run: "world", "world/2", "world/2/0" (k-th creation on its parent), "self"
 */
/* the same from a list of progressions, without an integer for each member */
int cs_trace_def_comm_ranges(struct cs_trace_writer *w, const char *path, const struct cs_ranges *world_ranks);
int cs_trace_def_op(struct cs_trace_writer *w, const char *name);
int cs_trace_def_site(struct cs_trace_writer *w, const char *file, int line, const char *func);
/* for an unresolved return address: file = module path, line = -1, func = "+0x1234" */
/* Says what a clock that all machines keep, the time since 1970, showed in ns at the rank's MPI_Init; before the first
 * event, of a run with times. */
void cs_trace_set_clock(struct cs_trace_writer *w, int64_t ns);
/* Appends an event. 0, or -1 and errno once the file cannot be written (ENOSPC ...): the caller reports it. Must take
 * well under 150 ns for an event whose (call, site, mark, fields) has been seen before. */
int cs_trace_event(struct cs_trace_writer *w, const struct cs_event *e);
/* The last `events` events happen `times` more times, in that order; they need no time for each. 1; 0 if that cannot be
 * done, as events have times or are written already: nothing has changed, and the caller may append them one by one; or
 * -1 and errno. */
#define CS_TRACE_EVENTS (UINT64_C(1) << 62) /* a block may have them */
int cs_trace_again(struct cs_trace_writer *w, uint64_t events, uint64_t times);
/* How many blocks have gone to the file: it has changed if the last event took long because of that. */
uint32_t cs_trace_blocks(const struct cs_trace_writer *w);
int cs_trace_flush(struct cs_trace_writer *w); /* writes what is buffered as one block */
int cs_trace_close(struct cs_trace_writer *w); /* flushes, marks the rank as complete, frees */

/* ---- reading ---- */
struct cs_trace;
/* Ranks keep what they have not yet written in the file `path`.live, where a kill -9 leaves it alone. Once all of them
 * have ended, this adds it to the trace and removes that file; before, and without such a file, it does nothing. 0, or
 * -1 and errno. */
int cs_trace_recover(const char *path);
/* Opens and checks. NULL on error, with a one-line reason in errbuf. A torn tail is not an error: see
 * cs_trace_rank_state. */
struct cs_trace *cs_trace_open(const char *path, char *errbuf, size_t errlen);
void cs_trace_free(struct cs_trace *t);
const struct cs_run_info *cs_trace_info(const struct cs_trace *t);

/* How much of a rank a trace has: nothing, all up to a point, or all up to MPI_Finalize. */
enum cs_rank_state { CS_RANK_MISSING, CS_RANK_CUT, CS_RANK_COMPLETE };
enum cs_rank_state cs_trace_rank_state(const struct cs_trace *t, int rank);
/* The only rank that the trace has, of a replay; -1: it is the trace of a whole run. */
int cs_trace_replayed(const struct cs_trace *t);
/* Did the run fail when its ranks had ended (cs_trace_group_fail)? Then all that they did is there, but no rank is
 * complete. */
bool cs_trace_failed(const struct cs_trace *t);
/* Bytes of the file that belong to no sound block of the run: torn or flipped. */
int64_t cs_trace_damaged(const struct cs_trace *t);
int64_t cs_trace_nevents(const struct cs_trace *t, int rank);

/* A place in the program that makes a call. */
struct cs_site {
    const char *file;
    int line;
    const char *func;
};

/* A datatype as the rank had defined it. */
struct cs_type_def {
    const char *signature;
    int64_t size, extent; /* bytes */
    int64_t pieces;       /* stretches of memory without a gap that it is made of; 0: not known */
};

/* A communicator: member i is rank world_ranks[i] of MPI_COMM_WORLD. `path`: how it was made. */
struct cs_comm_def {
    const char *path;
    int nranks;
    const int *world_ranks;
};
const struct cs_site *cs_trace_site(const struct cs_trace *t, int rank, int site);
const struct cs_type_def *cs_trace_type(const struct cs_trace *t, int rank, int type);
const struct cs_comm_def *cs_trace_comm(const struct cs_trace *t, int rank, int comm);
const char *cs_trace_op(const struct cs_trace *t, int rank, int op);

/* Streams a rank's events in order. next: 1 event, 0 end, -1 corrupt (reason by cs_trace_iter_error). The event's
 * pointers live until the next call. */
struct cs_trace_iter;
struct cs_trace_iter *cs_trace_iter_open(const struct cs_trace *t, int rank);
int cs_trace_iter_next(struct cs_trace_iter *it, struct cs_event *e);
/* The same without unrolling loops: *times says how often the event happens there. Events come in the order in which
 * they happen for the first time in their loops; it costs what the stored form costs. Do not mix both on one iterator.
 */
int cs_trace_iter_count(struct cs_trace_iter *it, struct cs_event *e, uint64_t *times);
const char *cs_trace_iter_error(const struct cs_trace_iter *it);
/* What cs_trace_set_clock said, known from the first event on; -1: nothing. */
int64_t cs_trace_iter_clock(const struct cs_trace_iter *it);
void cs_trace_iter_free(struct cs_trace_iter *it);

#endif
