/* SPDX-License-Identifier: BSD-3-Clause
 * commslice-test: trap_process_state
 * about: what one call sets for the process and another asks for: the locale by the environment, limits, the user, the directory of scandir
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

static int is_ours(const struct dirent *d)
{
    return d->d_name[0] == 'q';
}

static void files(void)
{
    char dir[40], name[60];
    struct dirent **list;
    snprintf(dir, sizeof dir, "state.%d", rank);
    mkdir(dir, 0777);
    for (int i = 0; i < 3; i++) {
        snprintf(name, sizeof name, "%s/q%d", dir, i);
        fclose(fopen(name, "w"));
    }
    if (chdir(dir)) return;
    int n = scandir(".", &list, is_ours, alphasort);
    for (int i = 0; i < n; i++) unlink(list[i]->d_name);
    if (chdir("..")) return;
    rmdir(dir);
    meet(n + 100);
    meet(access(dir, F_OK) ? size + 3 : size + 4);
}

static void limits(void)
{
    struct rlimit r;
    getrlimit(RLIMIT_NOFILE, &r);
    r.rlim_cur = 200;
    setrlimit(RLIMIT_NOFILE, &r);
    meet(sysconf(_SC_OPEN_MAX));
}

static void user(void)
{
    if (geteuid() || seteuid(65534)) { meet(7); return; }
    meet(geteuid() ? 9 : 8);
    if (seteuid(0)) abort();
    meet(geteuid() ? 10 : 11);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    setenv("LC_ALL", "C.UTF-8", 1);
    setlocale(LC_ALL, "");
    meet(MB_CUR_MAX + 10);
    setenv("LC_ALL", "C", 1);
    setlocale(LC_ALL, "");
    meet(MB_CUR_MAX + 10);
    files();
    limits();
    user();
    MPI_Finalize();
    return 0;
}
