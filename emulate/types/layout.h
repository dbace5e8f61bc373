/* SPDX-License-Identifier: BSD-3-Clause
 * Where the bytes of one element of a datatype lie, in packing order: runs of bytes, loops of them and lists.
 * Regular types stay small whatever their counts are: a vector of a million blocks is one loop. */
#ifndef CS_LAYOUT_H
#define CS_LAYOUT_H

#include <stdbool.h>
#include <stdint.h>

struct cs_emu_layout;

/* A layout and the offset of its origin from the address of the element. No layout: memory is out. */
struct cs_emu_layout_at {
    int64_t at;
    struct cs_emu_layout *layout;
};

enum cs_emu_layout_kind { CS_EMU_RUN, CS_EMU_LOOP, CS_EMU_LIST };

struct cs_emu_layout {
    enum cs_emu_layout_kind kind;
    int refs;
    int64_t size;                      /* bytes of data */
    int64_t count;                     /* of rounds, or entries in the list */
    int64_t stride;                    /* bytes from round to round */
    struct cs_emu_layout *child;       /* what a loop repeats */
    struct cs_emu_layout_at entries[]; /* of a list */
};

/* Each returns a new reference; the arguments keep theirs. */
struct cs_emu_layout_at cs_emu_layout_run(int64_t bytes);
struct cs_emu_layout_at cs_emu_layout_loop(int64_t count, int64_t stride, struct cs_emu_layout_at child);
struct cs_emu_layout_at cs_emu_layout_list(int64_t n, const struct cs_emu_layout_at places[]);
struct cs_emu_layout *cs_emu_layout_hold(struct cs_emu_layout *l);
/* NULL is nothing. */
void cs_emu_layout_release(struct cs_emu_layout *l);

/* Moves one element between the user's memory (its origin) and packed bytes: there and back. */
void cs_emu_layout_pack(const struct cs_emu_layout *l, char *packed, const char *user);
void cs_emu_layout_unpack(const struct cs_emu_layout *l, const char *packed, char *user);
/* Only its first bytes. */
void cs_emu_layout_unpack_part(const struct cs_emu_layout *l, const char *packed, char *user, int64_t bytes);

#endif
