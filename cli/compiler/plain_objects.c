/* SPDX-License-Identifier: BSD-3-Clause
 * Judges a command line of GCC; plain_objects.h. The plugin itself is not there to be asked: without link-time
 * information in any object no compiler runs at the link. */
#define _GNU_SOURCE 1
#include "cli/compiler/plain_objects.h"

#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* What is known of a command line so far. */
struct line {
    bool no_link;      /* it does not link a program */
    bool unknown;      /* an input is a source, or may be anything */
    bool informed;     /* an object has link-time information */
    const char *plain; /* the first object without */
};

static bool ends_in(const char *s, const char *end)
{
    size_t n = strlen(s), m = strlen(end);
    return n > m && strcmp(s + n - m, end) == 0;
}

static bool is_one_of(const char *s, const char *const *list)
{
    while (*list && strcmp(s, *list) != 0)
        list++;
    return *list != NULL;
}

/* Is the next argument the value of this option? */
static bool takes_value(const char *option)
{
    static const char *const options[] = {"-o",          "-L",
                                          "-I",          "-D",
                                          "-U",          "-u",
                                          "-T",          "-B",
                                          "-z",          "-e",
                                          "-h",          "-MF",
                                          "-MT",         "-MQ",
                                          "-J",          "-include",
                                          "-imacros",    "-isystem",
                                          "-iquote",     "-idirafter",
                                          "-iprefix",    "-isysroot",
                                          "--param",     "-Xlinker",
                                          "-Xassembler", "-Xpreprocessor",
                                          "-aux-info",   "-wrapper",
                                          "-dumpbase",   "-dumpdir",
                                          "-specs",      NULL};
    return is_one_of(option, options);
}

/* -x says what the inputs are, whatever their names. */
static bool ends_elsewhere(const char *option)
{
    static const char *const options[] = {"-c", "-S", "-E", "-M", "-MM", "-fsyntax-only", "-shared", "-r", "-x", NULL};
    return is_one_of(option, options) || strncmp(option, "-x", 2) == 0;
}

/* Has the file sections of link-time information? Their names are in it as text, also in each member of an archive. */
static bool has_information(const char *path)
{
    struct stat st;
    bool has = true; /* what cannot be read the linker complains about */
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return has;
    if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && st.st_size > 0) {
        void *p = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
        has = p == MAP_FAILED || memmem(p, (size_t)st.st_size, ".gnu.lto_", strlen(".gnu.lto_"));
        if (p != MAP_FAILED)
            munmap(p, (size_t)st.st_size);
    }
    close(fd);
    return has;
}

static void take_input(struct line *l, const char *path)
{
    if (ends_in(path, ".so") || strstr(path, ".so."))
        return;
    if (!ends_in(path, ".o") && !ends_in(path, ".a"))
        l->unknown = true;
    else if (has_information(path))
        l->informed = true;
    else if (!l->plain)
        l->plain = path;
}

/* The archive that -lNAME finds in a folder of the command line (-L), if it has link-time information, counts as an
 * object. Libraries of the system have none. */
static void take_library(struct line *l, const char *name, int argc, char **argv)
{
    char path[4096];
    for (int i = 1; i < argc; i++) {
        const char *folder = strcmp(argv[i], "-L") == 0 && i + 1 < argc ? argv[i + 1] : argv[i] + 2;
        if (strncmp(argv[i], "-L", 2) != 0)
            continue;
        snprintf(path, sizeof path, "%s/lib%s.a", folder, name);
        if (access(path, R_OK) == 0 && has_information(path))
            l->informed = true;
    }
}

const char *cs_plain_object(int argc, char **argv)
{
    struct line l = {0};
    for (int i = 1; i < argc; i++) {
        const char *a = argv[i];
        l.no_link |= ends_elsewhere(a);
        if (strncmp(a, "-l", 2) == 0 && (a[2] || i + 1 < argc))
            take_library(&l, a[2] ? a + 2 : argv[++i], argc, argv);
        else if (a[0] == '@' || strcmp(a, "-") == 0)
            l.unknown = true;
        else if (a[0] != '-')
            take_input(&l, a);
        else if (takes_value(a))
            i++;
    }
    return l.no_link || l.unknown || l.informed ? NULL : l.plain;
}
