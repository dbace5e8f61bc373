/* SPDX-License-Identifier: BSD-3-Clause
 * Items, what streams and loop bodies consist of: a symbol or a loop, by number, in one word.
 *
 *     | number of the symbol (0) or of the loop (1) : 31 bits | 0 or 1 : 1 bit |
 */
#ifndef CS_ITEM_H
#define CS_ITEM_H

#include <stdbool.h>
#include <stdint.h>

static inline bool cs_item_is_loop(uint64_t item)
{
    return item & 1;
}

/* Of the symbol or of the loop. */
static inline uint32_t cs_item_number(uint64_t item)
{
    return (uint32_t)(item >> 1);
}

static inline uint32_t cs_item_of_symbol(uint32_t symbol)
{
    return 2 * symbol;
}

static inline uint32_t cs_item_of_loop(uint32_t loop)
{
    return 2 * loop + 1;
}

#endif
