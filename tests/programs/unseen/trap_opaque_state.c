/* commslice-test: trap_opaque_state
 * about: code that the slicer cannot see asks the C library for what the program set there: a seed, the environment,
 * about: the directory, a position, words
 * ranks: 2 3
 * opaque: unseen_library_state.c
 * SPDX-License-Identifier: BSD-3-Clause */
#include <mpi.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int draw(void);
int from_environment(const char *name);
int from_file_here(const char *name);
int next_byte(int fd);
int next_word(void);

static int data[1000], total;
static char own[] = "OWN=3";

static void tell(int n)
{
    MPI_Bcast(data, n, MPI_INT, 0, MPI_COMM_WORLD);
    total = total * 3 + n;
}

int main(int argc, char **argv)
{
    char words[] = "one,three,fourteen", skipped[3], dir[32];
    int rank, fd;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    srand(4711);
    tell(draw());
    tell(draw());
    setenv("COUNT", "7", 1);
    tell(from_environment("COUNT"));
    putenv(own);
    own[4] = '5';
    tell(from_environment("OWN"));
    tell((int)strlen(strtok(words, ",")));
    tell(next_word());
    snprintf(dir, sizeof dir, "state%d", rank);
    tell(mkdir(dir, 0700) + 3);
    if (!chdir(dir)) {
        FILE *f = fopen("digits", "w");
        if (f) { fputs("0123456789", f); fclose(f); }
        tell(from_file_here("digits") % 100);
        fd = open("digits", O_RDONLY);
        lseek(fd, 2, SEEK_SET);
        tell(next_byte(fd));
        if (read(fd, skipped, sizeof skipped) == sizeof skipped) tell(next_byte(fd));
        close(fd);
        unlink("digits");
        if (chdir("..")) return 1;
        MPI_Barrier(MPI_COMM_WORLD);            /* so that two ranks could not use one directory in turn */
        tell(rmdir(dir) + 2);
    }
    printf("%d\n", total);
    MPI_Finalize();
    return 0;
}
