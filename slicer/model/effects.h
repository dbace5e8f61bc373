/* SPDX-License-Identifier: GPL-3.0-or-later
 * What library functions do: rows of the effects table (effects.tab and files of the user), by linker's name.
 * The tokens and their exact meaning are in docs/reference/effects-format.md. Knows no compiler and no graph. */
#ifndef CS_EFFECTS_H
#define CS_EFFECTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* `arg` of an operation on the fresh memory that the call returns (sret<M, cret<M). */
#define CS_EFFECT_ARG_RET (-2)
/* An argument of a callback that is the exit status (`status`). */
#define CS_EFFECT_ARG_STATUS (-3)

/* What one token says. `arg` is the argument that it is about, -1 where it is about a hidden state. */
enum cs_effect_kind {
    CS_EFFECT_READ,        /* rN, r*N */
    CS_EFFECT_WRITE,       /* wN, w*N: data, never pointers; may write, need not */
    CS_EFFECT_READ_DEEP,   /* RN */
    CS_EFFECT_WRITE_DEEP,  /* WN: data, never pointers */
    CS_EFFECT_COPY,        /* cN<M: content at src to arg, pointers included */
    CS_EFFECT_COPY_DEEP,   /* CN<M, CN<=M: content to what the pointers at arg point to, pointers included;
                            * from what the pointers at src point to, or (direct) from src itself */
    CS_EFFECT_MIX,         /* mixN: pointers found there, or the arguments themselves, are stored anywhere there */
    CS_EFFECT_STORE_PTR,   /* sN<M: value of argument src to arg; sN<*M (behind): a pointer that is stored at src;
                            * sN<M:A:B: the address of bytes ext_const (A) to ext_a - 1 of what src points to */
    CS_EFFECT_ELEMENTS,    /* eN<M[K]: content of elements of K bytes at src to others at arg, any to any, pointers
                              included */
    CS_EFFECT_STORE_NEW,   /* sNnew: pointer to fresh memory to arg */
    CS_EFFECT_HIDDEN,      /* h: hr: hw: `state` is read (hid_read) or written (hid_write) */
    CS_EFFECT_HIDDEN_DEEP, /* hd:NAME, hdr:NAME: reads (and writes) what pointers in `state` lead to */
    CS_EFFECT_HIDDEN_PTR,  /* hs:NAME<M: value of argument src is stored in `state`; hs:NAME<self: its own address is */
    CS_EFFECT_HIDDEN_CALL, /* hcall:NAME: calls the functions whose addresses are in `state` */
    CS_EFFECT_HIDDEN_COPY, /* hc:NAME<M: content at argument src, pointers included, is stored in `state` */
    CS_EFFECT_FSWRITE,     /* fsN */
    CS_EFFECT_FSMODE,      /* fsmodeN */
    CS_EFFECT_FSFLUSH,     /* flushN */
    CS_EFFECT_FSOLD,       /* fsoldN:A */
    CS_EFFECT_FSGIVEN,     /* fsgivenN:A */
    CS_EFFECT_FSBITS,      /* fsbitsN:MASK */
    CS_EFFECT_FSREAD,      /* fsrN */
    CS_EFFECT_NAME,        /* nameN, nameN:A:L; ext_const A, ext_a L */
    CS_EFFECT_UNIT,        /* unitN */
    CS_EFFECT_FORMAT,      /* fmtN */
    CS_EFFECT_CALLBACK,    /* callN(A,B) */
    CS_EFFECT_CALL_DEEP,   /* vcallN: calls any function whose address is reachable from arg (virtual functions) */
    CS_EFFECT_END,         /* endN: ends what earlier calls began with the memory at arg */
    CS_EFFECT_FREE,        /* freeN */
    CS_EFFECT_REALLOC      /* reallocN */
};

/* What the call returns. */
enum cs_effect_ret {
    CS_RET_VALUE,     /* a scalar */
    CS_RET_ARG,       /* ret=N: argument ret_arg with any offset, or null */
    CS_RET_ARG_EXACT, /* ret==N: always the value of argument ret_arg */
    CS_RET_STORED,    /* ret=*N: what is stored at argument ret_arg */
    CS_RET_NEW,       /* ret=new; ret=new/N: or argument ret_arg */
    CS_RET_STATIC,    /* ret=static: pointer to hidden state ret_state, or one that was stored in it */
    CS_RET_PACK, /* ret=packN: what the pointer at argument ret_arg points to, or fresh memory with a copy of that */
    CS_RET_DEEP  /* ret=deepN: argument ret_arg, or a pointer as found in memory that is reachable from it */
};

/* How a call opens a file: what the argument means that says so (access=). */
enum cs_effect_access {
    CS_ACCESS_BOTH,  /* nothing is said */
    CS_ACCESS_C,     /* a mode of fopen */
    CS_ACCESS_POSIX, /* flags of open */
    CS_ACCESS_IOS,   /* std::ios_base::openmode; IN, OUT: of a stream that always reads, or writes */
    CS_ACCESS_IN,
    CS_ACCESS_OUT,
    CS_ACCESS_ACTION /* ACTION= in the parameter block of OPEN */
};
/* Where a file is found that the call opens (opens=), beside the number of an argument. */
enum { CS_OPENS_NOTHING = -1, CS_OPENS_RET = -2, CS_OPENS_UNIT = -3, CS_OPENS_FD = -4 };

/* Does the call come back? */
enum cs_effect_noret {
    CS_NORET_RETURNS,
    CS_NORET_ERROR, /* does not return, the run is not a normal one; back_arg */
    CS_NORET_EXIT,  /* ends the program; status_arg */
    CS_NORET_JUMP   /* leaves by another way */
};

/* What one token of a row says. An extent is in bytes: the product of arguments ext_a and ext_b (-1: ext_a alone), or
 * the constant ext_const. All -1: unknown. With READ_DEEP, WRITE_DEEP, MIX and ret=deep it limits every place that is
 * reached, the argument's own included. */
struct cs_effect_op {
    enum cs_effect_kind kind;
    int arg;
    bool rest;   /* N+: every argument from arg on */
    bool behind; /* READ, WRITE: not the memory at arg, but what the pointers stored there (with ext_const, in its first
                    bytes) point to; STORE_PTR: see there */
    bool direct; /* COPY_DEEP: content at src itself; STORE_PTR, HIDDEN_PTR: the very value, not with any offset */
    int src;     /* COPY*, STORE_PTR, HIDDEN_PTR (not <self), HIDDEN_COPY: the other argument, else -1 */
    int ext_a, ext_b;
    int64_t ext_const;
    const char *state; /* HIDDEN*: name of the state; CALLBACK: what further arguments point to, or NULL */
    bool hid_read, hid_write;
    int nargs;     /* CALLBACK: how many arguments are passed on */
    int args[4];   /* CALLBACK: which; a pointer argument arrives with any offset */
    bool exact[4]; /* CALLBACK: it arrives as it is */
    int loads; /* CALLBACK: how many levels behind argument `arg` the function's address is found; 0: it is the argument
                */
    int arg_loads[4]; /* CALLBACK: the same of what is passed on */
};

/* A row: what one function does, or what a variable of a library is (`var`). ops[nops] are its operations in the order
 * of the tokens. Numbers of arguments count from 0, -1: none. The table owns the row and all texts. */
struct cs_effect {
    const char *name; /* linker's name; a prefix row keeps its `*` */
    int nops;
    struct cs_effect_op *ops;
    enum cs_effect_ret ret;
    int ret_arg;              /* ARG, ARG_EXACT, PACK, DEEP, NEW with /N: the argument, else -1 */
    const char *ret_state;    /* STATIC */
    bool ret_exact;           /* STATIC: the pointers as they were stored, not with any offset */
    bool ret_behind;          /* STATIC: or a pointer that is found behind one of those */
    int ret_ext_a, ret_ext_b; /* NEW: size; DEEP: limit, as in an operation */
    int64_t ret_ext_const;
    bool zero;  /* NEW: zeroed */
    bool fills; /* fresh memory (NEW, STORE_NEW) gets its content, no pointers, from what the row reads; else it has
                   none */
    enum cs_effect_noret noret;
    int status_arg;    /* EXIT: argument with the status, -1: success */
    int back_arg;      /* ERROR: only if this argument is not 0; -1: always */
    bool status_deref; /* status=*N: it points to the status, an int */
    int unread_arg; /* unread=N:A:B: of the memory at argument N, bytes A to B - 1 matter for messages to people alone;
                       else -1 */
    int64_t unread_from, unread_to;
    int opens;
    enum cs_effect_access access;
    int access_arg;
    bool tells;               /* what it reads through a stream is a position or a size, not what is in the file */
    bool moves;               /* files get another name, or one more, and nothing else of them changes */
    bool renames;             /* a file may have another name, or more names, from now on */
    bool time, rankvar, pure; /* depends on the clock; differs between ranks whatever it is given; has no effect */
    bool var;                 /* a variable of the library, not a function */
    const char *var_state;    /* var=NAME: its content is hidden state NAME; NULL: memory of its own */
    bool var_points;          /* var=*NAME: it holds a pointer to hidden state NAME instead */
    bool whole;               /* if the call is kept, what it calls back is kept whole, or else the function it is in */
    bool team;                /* what it calls back runs while the call runs, and at no other time */
    bool keep;                /* always kept: all that is computed after it may depend on it (rounding mode) */
    bool throws;              /* may leave by an exception: kept in a program that catches any */
    bool throws_on_request,
        requests_throws; /* throws, if the program refers to a row with the second (exceptions of streams) */
    bool object;         /* returns an object of a class: argument 0 is its place, the others come behind */
    bool catches;        /* a program that refers to it may catch exceptions, or come back by a jump */
    const char *refuse;  /* why the link is refused, or NULL */
    const char *live;    /* live=: why it is refused if what it gives decides communication, or NULL */
    const char *warn; /* warn=: what is said if what it gives decides communication, or if it is kept always; or NULL */
    const char *handler; /* handler=: why it is refused if what it calls back has a kept effect, or NULL */
    const char *file;    /* where the row is */
    int line;
};

/* The table: rows by name. */
struct cs_effects;

/* An empty table; NULL with errno when out of memory. */
struct cs_effects *cs_effects_new(void);

/* Adds rows of a file, or of a text that errors call `name`. Later rows replace earlier ones of the same name.
 * 0, or -1 with `file:line: cause` in err; the rows before that line have been added. */
int cs_effects_add(struct cs_effects *t, const char *path, char *err, size_t errlen);
int cs_effects_add_text(struct cs_effects *t, const char *text, const char *name, char *err, size_t errlen);

/* New table from one file; NULL with err set. */
struct cs_effects *cs_effects_load(const char *path, char *err, size_t errlen);

/* The row of a symbol: its own, else the one with the longest `prefix*`, else NULL. A name `__builtin_X`
 * that has no row is looked up as X. */
const struct cs_effect *cs_effects_find(const struct cs_effects *t, const char *symbol);

/* All rows, in the order in which they were added: the row after `prev`, the first for NULL; NULL at the end. */
size_t cs_effects_count(const struct cs_effects *t);
const struct cs_effect *cs_effects_next(const struct cs_effects *t, const struct cs_effect *prev);

void cs_effects_free(struct cs_effects *t);

#ifdef __cplusplus
}
#endif
#endif
