/* SPDX-License-Identifier: BSD-3-Clause */
/* commslice-test: memory_files
   about: rows of rare functions that read, write and list: memfd_create, eventfd, vswscanf, open_wmemstream, getmntent,
   about: __fpurge
   ranks: 2 */
#define _GNU_SOURCE
#include <mntent.h>
#include <mpi.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdio_ext.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/sysmacros.h>
#include <unistd.h>
#include <wchar.h>

static char field[4096];

/* One message whose length is the fact. */
static void tell(int fact)
{
    MPI_Bcast(field, 1 + (fact & 1023), MPI_CHAR, 0, MPI_COMM_WORLD);
}

static void tell_in_memory(int size)
{
    int file = memfd_create("numbers", 0), numbers[3] = {0}, back[3] = {0};
    for (int i = 0; i < 3; i++)
        numbers[i] = size * 10 + i;
    if (file < 0 || write(file, numbers, sizeof numbers) != sizeof numbers || lseek(file, 4, SEEK_SET) != 4)
        tell(900);
    tell((int)read(file, back, sizeof back));
    tell(back[1]);
    close(file);
}

static void tell_events(int size)
{
    int file = eventfd((unsigned)size, 0);
    eventfd_t count = 0;
    eventfd_write(file, 40);
    eventfd_write(file, (eventfd_t)size);
    if (eventfd_read(file, &count) == 0)
        tell((int)count);
    eventfd_write(file, 3 * (eventfd_t)size);
    if (read(file, &count, sizeof count) == sizeof count)
        tell((int)count);
    close(file);
}

static int scanned(const wchar_t *text, const wchar_t *format, ...)
{
    va_list list;
    va_start(list, format);
    int n = vswscanf(text, format, list);
    va_end(list);
    return n;
}

static void tell_wide(int size)
{
    wchar_t *text = NULL;
    size_t length = 0;
    FILE *stream = open_wmemstream(&text, &length);
    fwprintf(stream, L"%d %d", size * 7, size);
    fclose(stream);
    tell((int)length);
    int a = 0, b = 0;
    tell(scanned(text, L"%d %d", &a, &b));
    tell(a + b);
    free(text);
}

static void tell_table(int size)
{
    char name[64], line[200];
    struct mntent entry;
    snprintf(name, sizeof name, "table.%d", (int)getpid());
    FILE *table = fopen(name, "w");
    fprintf(table, "here%d /there none ro,turns=%d 0 %d\nnext /then none rw 0 5\n", size, size, size);
    fclose(table);
    table = setmntent(name, "r");
    struct mntent *first = getmntent(table);
    tell(first->mnt_passno + (int)strlen(first->mnt_fsname) + first->mnt_fsname[4]);
    const char *turns = hasmntopt(first, "turns");
    tell(turns ? turns[6] : 1);
    if (getmntent_r(table, &entry, line, sizeof line))
        tell(entry.mnt_passno * 3 + entry.mnt_dir[3]);
    tell(getmntent(table) ? 500 : 6);
    endmntent(table);
    unlink(name);
}

static void tell_purged(int size)
{
    char text[60];
    memset(text, 'p', sizeof text);
    FILE *stream = tmpfile();
    setvbuf(stream, NULL, _IOFBF, 1024);
    fwrite(text, 1, (size_t)size * 5, stream);
    fflush(stream);
    fwrite(text, 1, 9, stream);
    __fpurge(stream);
    fseek(stream, 0, SEEK_END);
    tell((int)ftell(stream));
    tell((int)__fbufsize(stream));
    fclose(stream);
}

static void tell_bits(int size)
{
    sigset_t a, b, both;
    sigemptyset(&a);
    sigemptyset(&b);
    sigaddset(&a, SIGRTMIN + size);
    sigaddset(&b, SIGUSR1);
    sigorset(&both, &a, &b);
    tell(sigismember(&both, SIGRTMIN + 2) * 20 + sigismember(&both, SIGUSR1));
    sigandset(&both, &a, &b);
    tell(sigisemptyset(&both) ? 8 : 70);
    tell((int)major(makedev((unsigned)size + 5, 3)));
}

int main(int argc, char **argv)
{
    int size;
    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    memset(field, 'f', sizeof field);
    tell_in_memory(size);
    tell_events(size);
    tell_wide(size);
    tell_table(size);
    tell_purged(size);
    tell_bits(size);
    MPI_Finalize();
    return 0;
}
