/* SPDX-License-Identifier: BSD-3-Clause
 * Bins: a queue for each communicator, source and tag, where source and tag may be wildcards; what is in one has a link
 * of its own. A bin is there while something is in it. */
#ifndef CS_MATCH_BINS_H
#define CS_MATCH_BINS_H

#include <stdint.h>

/* Which of source and tag are wildcards. */
enum cs_emu_pattern { CS_EMU_EXACT, CS_EMU_ANY_TAG, CS_EMU_ANY_SOURCE, CS_EMU_ANYTHING, CS_EMU_PATTERNS };

struct cs_emu_bin;

struct cs_emu_link {
    struct cs_emu_link *prev, *next;
    struct cs_emu_bin *bin; /* NULL: in none */
    void *what;
};

struct cs_emu_bins {
    struct cs_emu_bin *table;
};

enum cs_emu_pattern cs_emu_pattern_of(int source, int tag);
/* At the end of the bin of this pattern: source and tag count only where it does not have a wildcard. */
void cs_emu_bin_add(struct cs_emu_bins *b, enum cs_emu_pattern p, uint32_t context, int source, int tag,
                    struct cs_emu_link *l, void *what);
void cs_emu_bin_remove(struct cs_emu_bins *b, struct cs_emu_link *l);
/* The first one in it, or NULL. */
void *cs_emu_bin_first(const struct cs_emu_bins *b, enum cs_emu_pattern p, uint32_t context, int source, int tag);

#endif
