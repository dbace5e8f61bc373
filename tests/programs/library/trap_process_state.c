/* SPDX-License-Identifier: BSD-3-Clause
 * commslice-test: trap_process_state
 * about: what one call sets for the process and another asks for: the locale by the environment, limits, the user, the
 * about: directory of scandir
 * ranks: 2 3
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <locale.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

static int rank, size, pay[2048];

static void meet(int n)
{
    MPI_Bcast(pay, n & 1023, MPI_INT, 0, MPI_COMM_WORLD);
    printf("%d\n", n & 1023);
}

static void locale(const char *name)
{
    setenv("LC_ALL", name, 1);
    setlocale(LC_ALL, "");
    meet(MB_CUR_MAX + 10);
}

static int is_ours(const struct dirent *d)
{
    return d->d_name[0] == 'q';
}

static void files(void)
{
    char dir[40], name[60];
    struct dirent **list;
    snprintf(dir, sizeof dir, "state.%d", rank);
    meet(mkdir(dir, 0777) + 30);
    for (int i = 0; i < 3; i++) {
        snprintf(name, sizeof name, "%s/q%d", dir, i);
        fclose(fopen(name, "w"));
    }
    if (chdir(dir)) return;
    int n = scandir(".", &list, is_ours, alphasort);
    for (int i = 0; i < n; i++) unlink(list[i]->d_name);
    if (chdir("..")) return;
    MPI_Barrier(MPI_COMM_WORLD);        /* so that two ranks could not use one directory in turn */
    for (int k = 0; k < 2; k++) {
        meet(access(dir, F_OK) ? size + 3 : size + 4);
        rmdir(dir);
    }
    meet(n + 100);
}

static void limits(void)
{
    struct rlimit r;
    getrlimit(RLIMIT_NOFILE, &r);
    r.rlim_cur = 200;
    setrlimit(RLIMIT_NOFILE, &r);
    meet(sysconf(_SC_OPEN_MAX));
}

/* Who is no longer root may not become another. */
static void user(int who)
{
    if (seteuid(who)) { meet(7); return; }
    meet(geteuid() ? 9 : 8);
    if (who == 65534) user(65533);
    if (seteuid(0)) abort();
    meet(geteuid() ? 10 : 11);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    locale("C.UTF-8");
    locale("C");
    files();
    limits();
    user(0);
    user(65534);
    MPI_Finalize();
    return 0;
}
