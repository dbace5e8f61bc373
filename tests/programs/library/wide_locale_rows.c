/* SPDX-License-Identifier: BSD-3-Clause */
/* commslice-test: wide_locale_rows
   about: rows of functions of a locale that is given (strncasecmp_l, iswctype_l, nl_langinfo_l), and of wide copies
   ranks: 2 */
#define _GNU_SOURCE
#include <inttypes.h>
#include <langinfo.h>
#include <locale.h>
#include <mpi.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <wchar.h>
#include <wctype.h>

static char field[4096];

/* One message whose length is the fact. */
static void tell(int fact)
{
    MPI_Bcast(field, 1 + (fact & 1023), MPI_CHAR, 0, MPI_COMM_WORLD);
}

static void tell_named(void)
{
    setlocale(LC_ALL, "C.UTF-8");
    locale_t copy = duplocale(LC_GLOBAL_LOCALE);
    setlocale(LC_ALL, "C");
    tell(iswalpha_l(0xe9, copy) ? 7 : 3);
    tell((int)towupper_l(0xe9, copy));
    tell((int)strlen(nl_langinfo_l(CODESET, copy)));
    freelocale(copy);
}

static void tell_compared(void)
{
    locale_t mine = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    tell(strncasecmp_l("Send", "sEnt", 3, mine) == 0 ? 5 : 2);
    freelocale(mine);
}

static void tell_counted(void)
{
    locale_t mine = newlocale(LC_ALL_MASK, "C.UTF-8", (locale_t)0);
    tell(iswctype_l(0xe9, wctype_l("alpha", mine), mine) ? 11 : 4);
    freelocale(mine);
}

static void tell_wide(int words)
{
    wchar_t text[40], copy[40];
    wmemset(text, L'a', 40);
    text[words] = 0;
    wchar_t *end = wcpcpy(copy, text);
    tell((int)(end - copy));
    end = wmempcpy(copy, text + 1, (size_t)words);
    tell((int)(end - copy) + (int)wcslen(copy));
    wcsxfrm(copy, text, 40);
    tell((int)wcslen(copy) * 3);
    tell((int)wcstoimax(L"37x", &end, 10) + (*end == L'x'));
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    memset(field, 'f', sizeof field);
    tell_named();
    tell_compared();
    tell_counted();
    tell_wide(argc + 8);
    MPI_Finalize();
    return 0;
}
