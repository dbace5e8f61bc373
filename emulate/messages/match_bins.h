/* SPDX-License-Identifier: BSD-3-Clause
 * Bins: queues of messages or receives. There is one for each communicator, source and tag that occurs, where source or
 * tag may be wildcards. A bin is made when something is put in it, and freed when it is empty. */
#ifndef CS_MATCH_BINS_H
#define CS_MATCH_BINS_H

#include <stdint.h>

/* Which of source and tag are wildcards. */
enum cs_emu_pattern { CS_EMU_EXACT, CS_EMU_ANY_TAG, CS_EMU_ANY_SOURCE, CS_EMU_ANYTHING, CS_EMU_PATTERNS };

struct cs_emu_bin;

/* A place in the queue of a bin, inside the object that is queued. */
struct cs_emu_link {
    struct cs_emu_link *prev, *next;
    struct cs_emu_bin *bin; /* NULL: in none */
    void *what;             /* the object, as given to cs_emu_bin_add */
};

/* The bins for messages, or those for receives: a hash table by key, NULL while there are none. */
struct cs_emu_bins {
    struct cs_emu_bin *table;
};

enum cs_emu_pattern cs_emu_pattern_of(int source, int tag);
/* Puts `what` at the end of its bin of pattern p, with the link l. Where p has a wildcard source or tag are ignored. */
void cs_emu_bin_add(struct cs_emu_bins *b, enum cs_emu_pattern p, uint32_t context, int source, int tag,
                    struct cs_emu_link *l, void *what);
void cs_emu_bin_remove(struct cs_emu_bins *b, struct cs_emu_link *l);
/* The first object (`what`) in the bin, or NULL. */
void *cs_emu_bin_first(const struct cs_emu_bins *b, enum cs_emu_pattern p, uint32_t context, int source, int tag);

#endif
