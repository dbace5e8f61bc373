/* SPDX-License-Identifier: BSD-3-Clause
 * The reader of the section `.commslice`, in which a slice says what it is made of (docs/reference/slice-info.md).
 * Whoever has found the section in a file or in memory hands its bytes over, and is given the records one by one. */
#ifndef CS_SLICE_SECTION_H
#define CS_SLICE_SECTION_H

#include <stdbool.h>
#include <stddef.h>

/* Sections of an executable: the text that is read here; the word with site and mark of the next call (api/marks.h);
 * one 64-bit counter for each assumption. The last two are variables of the program, and loaded. */
#define CS_SECTION_TEXT ".commslice"
#define CS_SECTION_GRAPH ".commslice.graph" /* the program, for another slice of it; also text or a zstd frame */
#define CS_SECTION_SITE ".cs_site"
#define CS_SECTION_ASSUME ".cs_assume"
#define CS_SECTION_TELL ".cs_tell"
#define CS_SECTION_TURNS ".cs_turns"       /* api/repeated_turns.h */
#define CS_SECTION_COUNTERS ".cs_counters" /* one for each line "counter", also a variable of the program */

/* A record is one line of the section. Which of them to read is a sum of these. */
enum cs_slice_kind {
    CS_SLICE_MODE = 1,
    CS_SLICE_TOTAL = 2,
    CS_SLICE_FUNC = 4,
    CS_SLICE_SITE = 8,
    CS_SLICE_OPAQUE = 16,
    CS_SLICE_ASSUME = 32,
    CS_SLICE_WARN = 64,
    CS_SLICE_STMT = 128,
    CS_SLICE_STEP = 256,
    CS_SLICE_HOLD = 512,
    CS_SLICE_WATCH = 1024,
    CS_SLICE_COUNTER = 2048,
    CS_SLICE_BY = 4096,
    CS_SLICE_AT = 8192,
    CS_SLICE_ORDER = 16384,
    CS_SLICE_LOOP = 32768,
    CS_SLICE_DECIDED = 65536,
    CS_SLICE_WHY = 131072,
    CS_SLICE_ALLOCATES = 262144,
    CS_SLICE_ALL = 524287
};

/* Why a statement is kept, seen from its parent. */
enum cs_reason_kind {
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
    CS_WHY_CONTENT,
    CS_WHY_FREE,
    CS_WHY_COUNT,
    CS_WHY_EFFECT,
    CS_WHY_BUDGET,
    CS_WHY_WHOLE,
    CS_WHY_OTHER /* a word of a later version */
};

/* Line "total": the statements of the whole program. */
struct cs_slice_total {
    long total, kept; /* statements */
};

/* Line "func": a function of the program and where it begins. Lines "stmt" name it by its place among these, from 0. */
struct cs_slice_func {
    const char *name, *file;
    int line;
    long total, kept; /* statements */
};

/* Line "site": a call site of MPI. Ids are 0, 1, ... in the order of the lines, and what CS_SITE_OF gives at run time.
 */
struct cs_slice_site {
    int id;
    const char *file;
    int line;
    const char *func, *call; /* func: who calls; call: the C name, "MPI_Send" */
    int mark;                /* CS_MARK_* */
};

/* A call of a function without information. */
struct cs_slice_opaque {
    const char *name, *file;
    int line;
};

/* Line "assume": an assumption of the user under which the slice was made. */
struct cs_slice_assume {
    const char *text;
    int stmt; /* the branch that it decided, -1: unknown */
};

/* Line "stmt": a statement of the program, kept or not. Parents lead from a kept statement to a root. In the section
 * itself only slices of older versions have reasons; lines "why" of an answer (cli/show/slice_reasons.h) have them. */
struct cs_slice_stmt {
    int id, func; /* func: which of the lines "func" */
    const char *file;
    int line;
    bool kept;
    enum cs_reason_kind kind;
    const char *kind_name; /* its word */
    int parent;            /* id of the statement, or step, that needed this one, -1: none */
    const char *text;
};

/* Line "why": the reason of a kept statement, as in cs_slice_stmt. */
struct cs_slice_why {
    int id;
    enum cs_reason_kind kind;
    const char *kind_name;
    int parent;
};

/* Line "allocates": what the statement allocates has this name, in Fortran. */
struct cs_slice_allocates {
    int id;
    const char *name;
};

/* Line "step": a step of chains that is no statement's own: why the message of a call is transmitted, or why a
 * statement is needed on a way that its own chain does not go. Its id is none of a statement's. */
struct cs_slice_step {
    int id, stmt;
    bool message;
    enum cs_reason_kind kind; /* as in cs_slice_stmt */
    const char *kind_name;
    int parent;
};

/* Line "by": by what the statement or step is needed by its parent. */
struct cs_slice_by {
    int id, call;       /* call: statement that passes it, between function and caller, -1 */
    const char *object; /* which memory, for people; "": none, or nobody knows */
    int among;          /* of how many pieces of memory this may be one */
    int may; /* 1: what is written need not be what is read, as elements of arrays are not told apart; 2: it seems
              * that it is never there when that is read */
    int writer, reader, allocator; /* statements: who writes it in what the step calls, who reads it in what the parent
                                    * calls, what allocates it; -1: none, or not known */
};

/* Line "at": the line of the user's that a statement of an inlined function of a library belongs to. */
struct cs_slice_at {
    int id;
    const char *file;
    int line;
};

/* A branch or call without which so many statements would go. */
struct cs_slice_hold {
    int stmt;
    long held;
};

/* Line "counter": a loop of the program whose iterations are counted; the i-th line is about the i-th counter. */
struct cs_slice_counter {
    const char *file;
    int line;
    const char *func;
    int ordinal;  /* tells those of one line of a function apart */
    bool counted; /* false: the slice has no such counter */
};

/* Line "loop": a loop of the slice with recorded calls. */
struct cs_slice_loop {
    const char *file;
    int line; /* where it ends */
    const char *func;
    const char *why; /* why its turns may not be alike; "": they are, or are compared as they run */
    const char *at_file;
    int at_line;      /* what shows it, 0: nothing */
    const char *once; /* if they are compared, why one turn does not show all; "" */
};

/* Line "watch": what an instrumented original counts or notes. */
struct cs_slice_watch {
    const char *place; /* FILE:LINE, FILE:LINE:NAME, FILE:LINE=N or =when(N), called:NAME */
    int order;         /* of what is noted: enum cs_seen_order (api/assumed_value.h) */
};

/* One line of the section: `kind` says which member of the union it has. */
struct cs_slice_record {
    enum cs_slice_kind kind;
    union {
        const char *mode; /* "slice" or "original" */
        struct cs_slice_total total;
        struct cs_slice_func func;
        struct cs_slice_site site;
        struct cs_slice_opaque opaque;
        struct cs_slice_assume assume;
        const char *warn;
        struct cs_slice_watch watch;
        const char *decided; /* a number for all that was decided, the same where that is the same */
        struct cs_slice_why why;
        struct cs_slice_allocates allocates;
        const char *order; /* "none": nothing in the slice shows what other ranks did first */
        struct cs_slice_stmt stmt;
        struct cs_slice_step step;
        struct cs_slice_by by;
        struct cs_slice_at at;
        struct cs_slice_hold hold;
        struct cs_slice_counter counter;
        struct cs_slice_loop loop;
    };
};

/* Takes a record, whose strings are gone when it returns. False when memory is out. */
typedef bool cs_slice_take(void *to, const struct cs_slice_record *r);

/* Reads the bytes of the section, packed or plain, and hands records of these kinds to `take`, in their order. The
 * section can be larger than a slice may be, so it is never in memory as a whole. 0, or -1 with the reason in err:
 * "its section .commslice is damaged in line 3". */
int cs_slice_section_read(const void *data, size_t size, unsigned kinds, cs_slice_take *take, void *to, char *err,
                          size_t errlen);

#endif
