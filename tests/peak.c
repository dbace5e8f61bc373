/* SPDX-License-Identifier: BSD-3-Clause
 * peak FILE COMMAND...: runs the command and writes "peak_kb N" to the file, the largest resident memory of any one
 * process below it (mpiexec's ranks too). The exit status is the command's. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static int write_peak(const char *file, long kb)
{
    FILE *f = fopen(file, "w");
    if (!f)
        return -1;
    fprintf(f, "peak_kb %ld\n", kb);
    return fclose(f);
}

int main(int argc, char **argv)
{
    int status;
    struct rusage usage;
    if (argc < 3) {
        fprintf(stderr, "usage: peak FILE COMMAND...\n");
        return 2;
    }
    pid_t pid = fork();
    if (pid == 0) {
        execvp(argv[2], argv + 2);
        fprintf(stderr, "peak: %s: %s\n", argv[2], strerror(errno));
        _exit(127);
    }
    if (pid < 0 || waitpid(pid, &status, 0) < 0 || getrusage(RUSAGE_CHILDREN, &usage) ||
        write_peak(argv[1], usage.ru_maxrss)) {
        fprintf(stderr, "peak: %s\n", strerror(errno));
        return 2;
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
