/* SPDX-License-Identifier: BSD-3-Clause */
/* commslice-test: text_of_numbers
   about: rows of rare functions of the C library that make text of numbers, addresses and money, or take them from it
   ranks: 2 */
#define _GNU_SOURCE
#include <mpi.h>
#include <monetary.h>
#include <locale.h>
#include <net/ethernet.h>
#include <netinet/ether.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>
#include <wctype.h>

static char field[4096];

/* One message whose length is the fact. */
static void tell(int fact)
{
    MPI_Bcast(field, 1 + (fact & 1023), MPI_CHAR, 0, MPI_COMM_WORLD);
}

static void tell_digits(int size)
{
    int point = 0, sign = 0;
    char text[80] = "";
    const char *digits = qecvt(123.5L * size, 5, &point, &sign);
    tell(digits[0] + point);
    digits = qfcvt(-0.25L * size, 3, &point, &sign);
    tell(digits[0] + 7 * sign);
    tell(qgcvt(0.125L * size, 8, text)[2]);
    tell((int)strlen(text));
    ecvt_r(31.25 * size, 6, &point, &sign, text, sizeof text);
    tell(text[0] + point);
    qfcvt_r(-31.25L * size, 2, &point, &sign, text, sizeof text);
    tell(text[1] + point + 5 * sign);
}

/* Both functions write the same buffer, or each its own: what the first gave is read after the second wrote. */
static void tell_kept(int size)
{
    int point = 0, sign = 0;
    const char *digits = qecvt(size * 3.0L, 3, &point, &sign);
    tell(digits[0]);
    qecvt(size * 4.0L, 3, &point, &sign);
    tell(digits[0]);
}

static void tell_formatted(int size)
{
    char text[80] = "";
    tell(strfromd(text, sizeof text, "%.3g", 2.5 * size));
    tell(text[0]);
    strfromf(text, sizeof text, "%.1f", 3.5F * (float)size);
    tell(text[2]);
    strfroml(text, sizeof text, "%.2e", 1e3L * size);
    tell(text[0] + (int)strlen(text));
    strfmon(text, sizeof text, "%.2n", 12.25 * size);
    tell((int)strlen(text) + text[0]);
    locale_t mine = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    strfmon_l(text, sizeof text, mine, "[%.1n]", 98.5 * size);
    tell((int)strlen(text) + text[1]);
    freelocale(mine);
}

static void tell_addresses(int size)
{
    struct ether_addr address, other;
    char text[40] = "";
    snprintf(text, sizeof text, "02:00:0:1:%x:%x", size + 16, size);
    const struct ether_addr *found = ether_aton(text);
    address = *found;
    tell(address.ether_addr_octet[4] + address.ether_addr_octet[5]);
    ether_aton_r(text, &other);
    other.ether_addr_octet[1] = (unsigned char)(100 + size);
    tell(ether_ntoa(&other)[3]);
    ether_ntoa_r(&other, text);
    tell((int)strlen(text) + text[4]);
    char host[40] = "";
    snprintf(text, sizeof text, "1:2:3:4:5:%x node%d", size, size);
    ether_line(text, &address, host);
    tell(address.ether_addr_octet[5] + (int)strlen(host) + host[4]);
}

int main(int argc, char **argv)
{
    int size;
    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    memset(field, 'f', sizeof field);
    tell_digits(size);
    tell_kept(size);
    tell_formatted(size);
    tell_addresses(size);
    MPI_Finalize();
    return 0;
}
