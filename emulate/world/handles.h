/* SPDX-License-Identifier: BSD-3-Clause
 * Tables from MPICH's integer handles to objects. A handle made at run time is MPICH's "direct" form, 0x80000000 | kind
 * | index; predefined ones are constants that each subject knows. A table takes no memory before its first entry. */
#ifndef CS_HANDLES_H
#define CS_HANDLES_H

#include <stdbool.h>
#include <stdint.h>

/* Bits 26 to 29 of a handle. */
enum cs_emu_kind {
    CS_EMU_COMM = 0x1 << 26,
    CS_EMU_GROUP = 0x2 << 26,
    CS_EMU_TYPE = 0x3 << 26,
    CS_EMU_ERRHANDLER = 0x5 << 26,
    CS_EMU_OP = 0x6 << 26,
    CS_EMU_INFO = 0x7 << 26,
    CS_EMU_WIN = 0x8 << 26,
    CS_EMU_KEYVAL = 0x9 << 26,
    CS_EMU_REQUEST = 0xb << 26,
    CS_EMU_SESSION = 0xe << 26
};

/* A table: slots[i] has the object of index first + i, for i below `used`; `size` slots are allocated. `free` is the
 * first free slot of a list, UINT32_MAX: none. base/table.h does not fit: handles are indices, and are given out again
 * in MPICH's order. */
struct cs_emu_table {
    uint32_t kind;  /* enum cs_emu_kind */
    uint32_t first; /* index of the first entry: those below belong to predefined handles */
    void **slots;   /* an odd value is a free slot: 2 * index of the next free one + 1 */
    uint32_t size, used, free;
};

/* {kind, first} and no entries. */
// clang-format off
#define CS_EMU_TABLE(kind_, first_) {.kind = (kind_), .first = (first_), .free = UINT32_MAX}
// clang-format on

/* A handle for the object, which is aligned; the last one given back comes first. 0 when memory is out. */
int cs_emu_handle_new(struct cs_emu_table *t, void *object);
/* NULL if the handle is none of this table, or free. */
void *cs_emu_handle_get(const struct cs_emu_table *t, int handle);
/* Gives the handle back. The object is the caller's. */
void cs_emu_handle_drop(struct cs_emu_table *t, int handle);

#endif
