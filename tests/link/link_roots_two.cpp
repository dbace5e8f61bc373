// SPDX-License-Identifier: BSD-3-Clause
// And here not.
#include "link_roots.h"

int other_count(double x)
{
    return lowest(root(x));
}
