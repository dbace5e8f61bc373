/* SPDX-License-Identifier: BSD-3-Clause
 * The part of trap_opaque_variable.c that the slicer does not see: it writes through pointers that the program leaves
 * in its
 * variables. */
int *simpi_table;
int simpi_first[2];

void simpi_fill(void)
{
    *simpi_table = 5;
}
