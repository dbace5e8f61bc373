/* SPDX-License-Identifier: BSD-3-Clause */
/* commslice-test: trap_locale_copy
   about: duplocale(LC_GLOBAL_LOCALE) copies what setlocale set, and iswalpha_l and towupper_l read the copy
   ranks: 2 */
#define _GNU_SOURCE
#include <locale.h>
#include <mpi.h>
#include <string.h>
#include <wctype.h>

static char field[4096];

/* One message whose length is the fact. */
static void tell(int fact)
{
    MPI_Bcast(field, 1 + (fact & 1023), MPI_CHAR, 0, MPI_COMM_WORLD);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    memset(field, 'f', sizeof field);
    setlocale(LC_ALL, "C.UTF-8");
    locale_t copy = duplocale(LC_GLOBAL_LOCALE);
    setlocale(LC_ALL, "C");
    tell(iswalpha_l(0xe9, copy) ? 7 : 3);
    tell((int)towupper_l(0xe9, copy));
    freelocale(copy);
    MPI_Finalize();
    return 0;
}
