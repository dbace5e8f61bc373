/* SPDX-License-Identifier: BSD-3-Clause
 * commslice-test: trap_format_built
 * about: formats with %n that the program builds: by a character, a string, a number before the n, a store, strcat,
 * about: from the middle, in an array that begins with one, by a row of two sprintf
 * ranks: 2 3
 */
#include <mpi.h>
#include <stdio.h>
#include <string.h>

static char given[20] = "ab%n";

static void barriers(int n)
{
    for (int i = 0; i < n; i++)
        MPI_Barrier(MPI_COMM_WORLD);
}

int main(int argc, char **argv)
{
    char by_char[20], by_text[20], by_width[20], stored[20], joined[20], middle[20], twice[20], once[20], out[200];
    int a = 0, b = 0, c = 0, d = 0, e = 0, f = 4, g = 0, h = 0;
    MPI_Init(&argc, &argv);
    sprintf(by_char, "x%%%c", 'm' + argc);
    sprintf(out, by_char, &a);
    sprintf(by_text, "xy%%%s", argc > 0 ? "n" : "d");
    sprintf(out, by_text, &b);
    sprintf(by_width, "%%%dd%%n", argc + 2);
    sprintf(out, by_width, 5, &c);
    sprintf(stored, "x%%%d", argc);
    stored[2] = 'n';
    sprintf(out, stored, &d);
    sprintf(joined, "xyz%%%%%d", argc);
    joined[4] = 0;
    strcat(joined, "n");
    sprintf(out, joined, &e);
    sprintf(middle, "%d%%%%n", argc);
    sprintf(out, middle + 2, &f);
    snprintf(out, sizeof out, given, &g);
    sprintf(given, "%d", argc);
    sprintf(once, "abc%%%%%s", "n");
    sprintf(twice, once, 1);
    sprintf(out, twice, &h);
    printf("%d %d %d %d %d %d %d %d\n", a, b, c, d, e, f, g, h);
    barriers(a + b);
    barriers(c + d);
    barriers(e + f);
    barriers(g + h);
    MPI_Finalize();
    return 0;
}
