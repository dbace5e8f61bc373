/* SPDX-License-Identifier: BSD-3-Clause
 * Inline functions of C99. Nobody defines `odd_len` for the linker; link_inline_two.c defines `even_len`. */
#ifndef LINK_INLINE_H
#define LINK_INLINE_H

extern int table[16];
int other_len(int step);

inline int odd_len(int step)
{
    int n = 0;
    for (int i = 1; i < 16; i += 2)
        n += table[(i + step) % 16];
    return n % 5 + 1;
}

inline int even_len(int step)
{
    int n = 0;
    for (int i = 0; i < 16; i += 2)
        n += table[(i + step) % 16];
    return n % 7 + 1;
}

#endif
