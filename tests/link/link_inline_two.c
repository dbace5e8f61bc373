/* SPDX-License-Identifier: BSD-3-Clause
 * The external definition of one of the inline functions, and another caller of the other. */
#include "link_inline.h"

extern inline int even_len(int step);

int other_len(int step)
{
    return odd_len(step + 1);
}
