/* SPDX-License-Identifier: BSD-3-Clause */
/* commslice-test: kept_answers
   about: counts from what library functions lead to: static text that the program writes into, lists in buffers of the
   about: program's own, a stack that an attribute holds, and directories behind descriptors
   ranks: 2 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <mntent.h>
#include <mpi.h>
#include <netdb.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char field[4096], stack[65536];

/* One message whose length is the fact. */
static void tell(int fact)
{
    MPI_Bcast(field, 1 + (fact & 1023), MPI_CHAR, 0, MPI_COMM_WORLD);
}

/* The program writes into the library's text; then the text of the first entry is that of the second one. */
static void tell_static(int size)
{
    char name[64];
    snprintf(name, sizeof name, "entries.%d", (int)getpid());
    FILE *table = fopen(name, "w");
    fprintf(table, "abc%d /there none ro,user 0 0\nxyz%d /then none rw 0 0\n", size, size + 5);
    fclose(table);
    table = setmntent(name, "r");
    const struct mntent *entry = getmntent(table);
    const char *device = entry->mnt_fsname;
    *strchr(entry->mnt_opts, ',') = 0;
    tell((int)strlen(entry->mnt_opts) * 100 + device[0]);
    getmntent(table);
    tell(device[3] + device[0]);
    endmntent(table);
    char line[200];
    struct mntent own;
    table = setmntent(name, "r");
    getmntent_r(table, &own, line, sizeof line);
    *strchr(own.mnt_opts, ',') = 0;
    tell((int)strlen(own.mnt_opts) * 70 + own.mnt_dir[1]);
    endmntent(table);
    unlink(name);
}

static void tell_hosts(int size)
{
    struct hostent entry, *found = NULL;
    char name[32], buffer[2048];
    int error = 0;
    snprintf(name, sizeof name, "127.0.%d.3", size);
    if (gethostbyname_r(name, &entry, buffer, sizeof buffer, &found, &error) == 0 && found) {
        found->h_addr_list[0][3] += 40;
        tell(entry.h_addr_list[0][2] * 10 + entry.h_addr_list[0][3] + (int)strlen(found->h_name));
    }
    struct addrinfo hints = {.ai_flags = AI_NUMERICHOST, .ai_socktype = SOCK_STREAM}, *list = NULL;
    if (getaddrinfo(name, NULL, &hints, &list) == 0) {
        list->ai_addr->sa_data[5] = (char)(size + 3);
        tell(list->ai_addr->sa_data[4] + list->ai_addr->sa_data[5] * 20);
        freeaddrinfo(list);
    }
}

static void tell_stack(int size)
{
    pthread_attr_t attributes;
    void *place = NULL;
    size_t length = 0;
    pthread_attr_init(&attributes);
    pthread_attr_setstack(&attributes, stack, sizeof stack);
    pthread_attr_getstack(&attributes, &place, &length);
    ((char *)place)[5] = (char)(size + 60);
    tell(stack[5] + (int)(length >> 12));
    pthread_attr_destroy(&attributes);
}

/* mkdirat makes the directory where the descriptor of that number leads by then. */
static void tell_directories(void)
{
    enum { NUMBER = 50 };
    char name[2][64], inner[80];
    for (int i = 0; i < 2; i++) {
        snprintf(name[i], sizeof name[i], "place%d.%d", i, (int)getpid());
        mkdir(name[i], 0700);
    }
    for (int i = 0; i < 2; i++) {
        int place = open(name[i], O_RDONLY | O_DIRECTORY);
        dup2(place, NUMBER);
        close(place);
    }
    mkdirat(NUMBER, "inner", 0700);
    for (int i = 0; i < 2; i++) {
        snprintf(inner, sizeof inner, "%s/inner", name[i]);
        tell(access(inner, F_OK) == 0 ? 300 + i : 20 + i);
        rmdir(inner);
        rmdir(name[i]);
    }
    close(NUMBER);
}

int main(int argc, char **argv)
{
    int size;
    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    memset(field, 'f', sizeof field);
    tell_static(size);
    tell_hosts(size);
    tell_stack(size);
    tell_directories();
    MPI_Finalize();
    return 0;
}
