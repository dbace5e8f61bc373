/* SPDX-License-Identifier: BSD-3-Clause
 * The part of trap_opaque_file.c that the slicer does not see: the number in a file, and what is left for the next to
 * read. */
#include <stdio.h>

int count_in_file(const char *name)
{
    int n = 1;
    FILE *f = fopen(name, "r");
    if (!f) return 1;
    if (fscanf(f, "%d", &n) != 1) n = 1;
    fclose(f);
    return n;
}

void leave_count(const char *name, int n)
{
    FILE *f = fopen(name, "w");
    if (!f) return;
    fprintf(f, "%d\n", n);
    fclose(f);
}
