/* SPDX-License-Identifier: BSD-3-Clause
 * commslice-test: trap_row_facts
 * about: what only a row says: the data of the library that lcong48 sets for nrand48, lengths in wide
 * about: characters, and functions of which only errno is asked
 * ranks: 2 3
 */
#define _GNU_SOURCE
#include <errno.h>
#include <iconv.h>
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <wchar.h>

static double field[256];

static void say(int n)
{
    MPI_Bcast(field, n & 127, MPI_DOUBLE, 0, MPI_COMM_WORLD);
}

static void numbers(void)
{
    unsigned short constants[7] = {1, 2, 3, 0x1234, 0, 0, 7}, state[3] = {4, 5, 6};
    lcong48(constants);
    say((int)nrand48(state));
}

static void wide(void)
{
    wchar_t text[40], marks[20];
    for (int i = 0; i < 20; i++)
        marks[i] = L'x';
    swprintf(text, 40, L"a long way %d", 31);
    say(text[11]);
    marks[14] = 0;
    say((int)wcsnlen(marks, 20));
}

static void only_errno(void)
{
    char in[] = "0123456789", out[4], *from = in, *to = out;
    size_t left = 10, room = 4;
    iconv_t way = iconv_open("UTF-8", "ASCII");
    errno = 0;
    iconv(way, &from, &left, &to, &room);
    say(errno == E2BIG ? 11 : 1);
    errno = 0;
    kill(0, 12345);
    say(errno == EINVAL ? 12 : 2);
    errno = 0;
    fmemopen(in, 4, "q");
    say(errno ? 13 : 3);
    errno = 0;
    sysconf(-1);
    say(errno == EINVAL ? 14 : 4);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    numbers();
    wide();
    only_errno();
    MPI_Finalize();
    return 0;
}
