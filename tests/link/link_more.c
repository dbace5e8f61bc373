/* SPDX-License-Identifier: BSD-3-Clause
 * mixed_test.sh: statics of the same names as in main.c,
 * with other values and another meaning. */
static int k = 5;
static int get(int n)
{
    return n * k;
}

int more(int n)
{
    k += n;
    return get(n);
}
