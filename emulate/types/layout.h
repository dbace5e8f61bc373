/* SPDX-License-Identifier: BSD-3-Clause
 * Layouts: where the bytes of one element of a datatype lie, in packing order. A layout is a run of bytes, a loop that
 * repeats a layout, or a list. MPI_Type_vector(1000000, 2, 5, MPI_INT) is one loop: a run of 8 bytes every 20. */
#ifndef CS_LAYOUT_H
#define CS_LAYOUT_H

#include <stdbool.h>
#include <stdint.h>

struct cs_emu_layout;

/* A layout, and the offset in bytes of its origin from the address of the element (in a list: from the list's origin).
 * layout is NULL when memory is out. */
struct cs_emu_layout_at {
    int64_t at;
    struct cs_emu_layout *layout;
};

/* Which fields of struct cs_emu_layout say where the bytes are. */
enum cs_emu_layout_kind { CS_EMU_RUN, CS_EMU_LOOP, CS_EMU_LIST };

/* A layout; shared by all types that have it, and never changed once two do. A loop has `count`, `stride` and `child`,
 * a list has `count` and `entries`. */
struct cs_emu_layout {
    enum cs_emu_layout_kind kind;
    int refs;
    int64_t size;                      /* bytes of data */
    int64_t count;                     /* of rounds of a loop, or of entries of a list */
    int64_t stride;                    /* bytes from one round of a loop to the next */
    struct cs_emu_layout *child;       /* what a loop repeats */
    struct cs_emu_layout_at entries[]; /* of a list */
};

/* Make a run, a loop, or a list of n layouts. Each returns a new reference; the caller keeps those in the arguments. */
struct cs_emu_layout_at cs_emu_layout_run(int64_t bytes);
struct cs_emu_layout_at cs_emu_layout_loop(int64_t count, int64_t stride, struct cs_emu_layout_at child);
struct cs_emu_layout_at cs_emu_layout_list(int64_t n, const struct cs_emu_layout_at places[]);
struct cs_emu_layout *cs_emu_layout_hold(struct cs_emu_layout *l);
/* Gives back a reference; does nothing for NULL. */
void cs_emu_layout_release(struct cs_emu_layout *l);

/* Copy one element from the user's memory to packed bytes, and back. `user` is the layout's origin there. */
void cs_emu_layout_pack(const struct cs_emu_layout *l, char *packed, const char *user);
void cs_emu_layout_unpack(const struct cs_emu_layout *l, const char *packed, char *user);
/* Unpacks only the first `bytes` packed bytes. */
void cs_emu_layout_unpack_part(const struct cs_emu_layout *l, const char *packed, char *user, int64_t bytes);

#endif
