/* SPDX-License-Identifier: BSD-3-Clause
 * An inline function of which one file gives it a constant and the other one does not. */
#include <cmath>
#include <cstdint>
#include <cstring>

inline double root(double x)
{
    return std::cbrt(x);
}
inline int lowest(double x)
{
    uint64_t u;
    std::memcpy(&u, &x, sizeof u);
    return u & 15;
}
int other_count(double x);
