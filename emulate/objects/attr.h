/* SPDX-License-Identifier: BSD-3-Clause
 * Keyvals, and the attributes that a program caches under them on communicators and types, in the order in which they
 * were set. The signatures of proxies and the kinds of values are those of MPICH's Fortran library. */
#ifndef CS_ATTR_H
#define CS_ATTR_H

#include <stdbool.h>

#include <mpi.h>

/* What keyvals are for: as in the handle. */
enum cs_emu_keyed { CS_EMU_KEYED_COMM = 1, CS_EMU_KEYED_TYPE = 3, CS_EMU_KEYED_WIN = 8 };

/* What a value was set as: a C pointer, a Fortran address-sized integer, a Fortran integer. */
enum { CS_EMU_ATTR_POINTER = 0, CS_EMU_ATTR_ADDRESS = 1, CS_EMU_ATTR_INTEGER = 3 };

/* The callbacks for all three kinds of objects look the same: handles are integers. */
typedef MPI_Comm_copy_attr_function cs_emu_copy_function;
typedef MPI_Comm_delete_attr_function cs_emu_delete_function;
typedef int cs_emu_copy_proxy(cs_emu_copy_function *function, int handle, int keyval, void *extra, int kind,
                              void *value, void **copy, int *flag);
typedef int cs_emu_delete_proxy(cs_emu_delete_function *function, int handle, int keyval, int kind, void *value,
                                void *extra);

/* A key: its callbacks, and the proxies that call them in the way of their language. */
struct cs_emu_keyval {
    int handle;
    int refs;                       /* the program's until it has freed the keyval, and one for each attribute */
    bool freed;                     /* by the program; the handle is valid while there are attributes */
    cs_emu_copy_function *copy;     /* NULL: not copied */
    cs_emu_delete_function *delete; /* NULL: nothing to do */
    void *extra;                    /* for the callbacks */
    cs_emu_copy_proxy *copy_proxy;
    cs_emu_delete_proxy *delete_proxy;
};

/* One attribute in the list of its object, which keeps the head: NULL without attributes. */
struct cs_emu_attr {
    struct cs_emu_keyval *keyval;
    void *value;
    int kind; /* CS_EMU_ATTR_* */
    struct cs_emu_attr *next;
};

/* NULL if it is no keyval for this kind of object. */
struct cs_emu_keyval *cs_emu_keyval_of(int keyval, enum cs_emu_keyed of);
/* These return an error class, or what a callback returned. */
int cs_emu_keyval_new(enum cs_emu_keyed of, cs_emu_copy_function *copy, cs_emu_delete_function *delete, void *extra,
                      int *keyval);
/* Frees a keyval for the program. Once more does nothing: a delete callback may free the keyval that it is called for.
 */
void cs_emu_keyval_free(struct cs_emu_keyval *k);
int cs_emu_attr_set(int handle, struct cs_emu_attr **list, struct cs_emu_keyval *k, void *value, int kind);
int cs_emu_attr_delete(int handle, struct cs_emu_attr **list, struct cs_emu_keyval *k);
/* Stores the value (always the size of a pointer) as what the caller wants; false if there is none. */
bool cs_emu_attr_get(struct cs_emu_attr **list, const struct cs_emu_keyval *k, void *value, int kind);

/* Runs the copy callbacks of `from` (list of the object `handle`) for a duplicate; *to is its list. Returns MPI_SUCCESS
 * or what a callback returned; *to is then NULL again, its attributes deleted. */
int cs_emu_attrs_copy(int handle, const struct cs_emu_attr *from, struct cs_emu_attr **to);
/* Runs the delete callbacks for an object that goes (Comm_free, Type_free, Comm_disconnect; MPI_COMM_SELF first thing
 * in Finalize), last set first. Returns MPI_SUCCESS or what a callback returned: the object then stays. */
int cs_emu_attrs_delete(int handle, struct cs_emu_attr **list);

/* Sets the proxies of a keyval of any kind; nothing if there is no such keyval. */
void cs_emu_keyval_set_proxy(int keyval, cs_emu_copy_proxy *copy, cs_emu_delete_proxy *delete);

#endif
