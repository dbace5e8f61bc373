/* SPDX-License-Identifier: BSD-3-Clause
 * commslice-test: trap_errno_alone
 * about: functions of which only errno is asked
 * ranks: 2
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <glob.h>
#include <locale.h>
#include <mpi.h>
#include <net/if.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/auxv.h>
#include <time.h>
#include <unistd.h>
#include <wchar.h>

static double field[256];

static void begin(void)
{
    errno = 0;
}

static void say(int n)
{
    MPI_Bcast(field, errno ? n + 100 : n, MPI_DOUBLE, 0, MPI_COMM_WORLD);
}

int main(int argc, char **argv)
{
    char text[300];
    unsigned char address[4] = {127, 0, 0, 1};
    wchar_t letter[2] = {0x4e2d, 0};
    struct tm late = {.tm_year = 2147483647};
    glob_t found;
    MPI_Init(&argc, &argv);
    begin();
    newlocale(LC_ALL_MASK, "xx_YY.none", NULL);
    say(1);
    begin();
    setlocale(LC_ALL, "xx_YY.none");
    say(2);
    begin();
    sprintf(text, "%ls", letter);
    say(3);
    begin();
    if (getentropy(text, sizeof text)) say(4);
    begin();
    setstate(NULL);
    say(5);
    begin();
    asctime(&late);
    say(6);
    begin();
    inet_ntop(AF_INET, address, text, 2);
    say(7);
    begin();
    if_nametoindex("no interface has this name");
    say(8);
    begin();
    getauxval(9999);
    say(9);
    begin();
    glob("/no folder has this name/x/*", 0, NULL, &found);
    say(10);
    MPI_Finalize();
    return 0;
}
