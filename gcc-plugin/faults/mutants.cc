/* SPDX-License-Identifier: GPL-3.0-or-later
 * Forks the compiler for faulty slices; mutants.h.
 * A child's assembly starts with what the compiler has written so far, then goes to a file of its own. */
#include "gcc-plugin/faults/mutants.h"

#include "gcc-plugin/gcc/gcc-common.h"
#include "output.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>

namespace {

void die(const char *what)
{
    fatal_error(UNKNOWN_LOCATION, "commslice: test-mutants: %s: %m", what);
}

/* Reads a line `KIND NUMBER GONE_VALUES LEFT`, such as `stmt 12 77 1`; KIND is stmt, mark or none, LEFT 1 poison, 2
 * trap. `name` becomes the base name of the mutant's files. */
bool parse(const char *line, cs_mutant *m, char *name, size_t size)
{
    char kind[5];
    int number, left;
    if (sscanf(line, "%4s %d %d %d", kind, &number, &m->gone_values, &left) != 4)
        return false;
    m->stmt = !strcmp(kind, "stmt") ? number : -1;
    m->mark = !strcmp(kind, "mark") ? number : -1;
    m->poison = left == 1;
    m->trap = left == 2;
    snprintf(name, size, "%s.%d.%d.%d", kind, number, m->gone_values, left);
    return m->stmt >= 0 || m->mark >= 0 || !strcmp(kind, "none");
}

int open_new(const char *path)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0666);
    if (fd < 0)
        die(path);
    return fd;
}

/* Copies what the compiler wrote before the fork. It is in the file: the buffers were flushed. */
void copy_so_far(int to)
{
    char bytes[8192];
    ssize_t n;
    int from = open(asm_file_name, O_RDONLY);
    if (from < 0)
        die(asm_file_name);
    while ((n = read(from, bytes, sizeof bytes)) > 0)
        if (write(to, bytes, n) != n)
            die("write");
    close(from);
}

void redirect_output(const char *folder, const char *name)
{
    char *path = xasprintf("%s/%s.s", folder, name), *messages = xasprintf("%s/%s.err", folder, name);
    int to = open_new(path), err = open_new(messages);
    copy_so_far(to);
    if (dup2(to, fileno(asm_out_file)) < 0 || dup2(err, STDERR_FILENO) < 0)
        die("dup2");
    close(to);
    close(err);
    free(path);
    free(messages);
}

/* Reads all lines before the first fork: a child that exits would set back the position in an open file, for its parent
 * as well. */
void read_lines(const char *path, vec<char *> *lines)
{
    char line[128];
    FILE *f = fopen(path, "r");
    if (!f)
        die(path);
    while (fgets(line, sizeof line, f))
        lines->safe_push(xstrdup(line));
    fclose(f);
}

} // namespace

bool cs_mutants_fork(const char *list, struct cs_mutant *m)
{
    char name[128], *folder = xasprintf("%s.d", list);
    auto_vec<char *> lines;
    read_lines(list, &lines);
    if (mkdir(folder, 0777) && errno != EEXIST)
        die(folder);
    fflush(asm_out_file);
    fflush(stderr);
    for (unsigned i = 0; i < lines.length(); i++) {
        if (!parse(lines[i], m, name, sizeof name))
            fatal_error(UNKNOWN_LOCATION, "commslice: test-mutants: wrong line: %s", lines[i]);
        pid_t child = fork();
        if (child < 0)
            die("fork");
        if (child == 0) {
            redirect_output(folder, name);
            return true;
        }
        waitpid(child, NULL, 0);
    }
    *m = {-1, -1, 0, false, false};
    free(folder);
    return false;
}
