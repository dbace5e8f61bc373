/* SPDX-License-Identifier: BSD-3-Clause
 * The part of trap_alias_outside.c that the slicer does not see: it knows a variable and a function by their public
 * names. */
extern int public_number;
int public_add(int k);

void outside(void)
{
    public_number = public_add(3) + 4;
}
