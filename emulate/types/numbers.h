/* SPDX-License-Identifier: BSD-3-Clause
 * Arrays of counts and displacements, as calls with int and calls with large counts (_c) pass them.
 * So one function does what both do. */
#ifndef CS_NUMBERS_H
#define CS_NUMBERS_H

#include <stdbool.h>
#include <stdint.h>

/* Numbers of an array that the program has passed: of type int, or of 64 bits where the call has large counts. */
struct cs_emu_numbers {
    const void *at; /* NULL: there is no array */
    bool wide;
};

/* An array argument as struct cs_emu_numbers. */
#define CS_EMU_NUMBERS(array) \
    (struct cs_emu_numbers) \
    { \
        (array), sizeof *(array) == sizeof(int64_t) \
    }

static inline int64_t cs_emu_number(const struct cs_emu_numbers *n, int64_t i)
{
    return n->wide ? ((const int64_t *)n->at)[i] : ((const int *)n->at)[i];
}

#endif
