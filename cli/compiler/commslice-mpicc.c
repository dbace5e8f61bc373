/* SPDX-License-Identifier: BSD-3-Clause
 * Drop-in compilers: commslice-mpicc, commslice-mpicxx and commslice-mpifort run MPICH's compiler of that name
 * with -fplugin=commslice.so in front of the user's arguments. One program; its name says which compiler. */
#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/environment.h"
#include "cli/compiler/plain_objects.h"
#include "cli/compiler/plugin_file.h"

/* One of our compilers: it calls MPICH's wrapper of the language with the plugin. */
struct compiler {
    const char *name;     /* how we are called */
    const char *wrapper;  /* MPICH's, as configure found it */
    const char *variable; /* what a user can set in its place */
};

static const struct compiler compilers[] = {
    {"commslice-mpicc", CS_MPICC, CS_ENV_MPICC},
    {"commslice-mpicxx", CS_MPICXX, CS_ENV_MPICXX},
    {"commslice-mpifort", CS_MPIFORT, CS_ENV_MPIFORT},
};

static const struct compiler *compiler_by_name(const char *argv0)
{
    const char *slash = strrchr(argv0, '/');
    const char *base = slash ? slash + 1 : argv0;
    for (size_t i = 0; i < sizeof compilers / sizeof compilers[0]; i++)
        if (!strcmp(base, compilers[i].name))
            return &compilers[i];
    return NULL;
}

/* Without a slash GCC would look for it among its own. */
static const char *with_slash(const char *path)
{
    static char here[PATH_MAX + 2];
    if (strchr(path, '/') || strlen(path) >= PATH_MAX)
        return path;
    snprintf(here, sizeof here, "./%s", path);
    return here;
}

/* An empty COMMSLICE_PLUGIN counts as none, as with most variables of a build. */
static const char *plugin_path(const char *wrapper)
{
    const char *p = getenv(CS_ENV_PLUGIN);
    return p && *p ? with_slash(p) : cs_plugin_file(wrapper);
}

static const char *wrapper_path(const struct compiler *c)
{
    const char *p = getenv(c->variable);
    return p && *p ? p : c->wrapper;
}

static void print_help(const struct compiler *c)
{
    printf(
        "usage: %s [ARGUMENTS OF %s ...]\n\n"
        "Compiles and links like %s, but what comes out of the link is the communication\n"
        "slice of the program: it makes the same MPI calls without the computation.\n"
        "Use it for compiling and for linking. Everything on the command line goes through.\n\n"
        "  -fplugin-arg-commslice-assume=FILE:LINE=never|always|COUNT\n"
        "                      assume which way the branch at that place goes; FILE:LINE:NAME=EXPRESSION: what an\n"
        "                      argument or variable is there, or recorded:INFO, with what commslice info prints of a\n"
        "                      recorded run; no-read-back: that no rank reads what the program wrote;\n"
        "                      no-mpi-errors: that no MPI call returns an error code; called:INFO: that only\n"
        "                      functions are called that the run called; or FILE: a file of such lines\n"
        "  -fplugin-arg-commslice-effects=FILE\n"
        "                      rows for library functions that commslice does not know\n"
        "  -fplugin-arg-commslice-keep-errors\n"
        "                      keep the paths that only lead to MPI_Abort and other errors\n"
        "  -fplugin-arg-commslice-no-repeat\n"
        "                      run all turns of all loops, also of those whose turns are alike\n"
        "  -fplugin-arg-commslice-budget=N\n"
        "                      follow pointers for N million steps at most, then keep everything; 300 by default;\n"
        "                      wide: take as one what they do not tell apart; none: follow no pointers\n"
        "  -fplugin-arg-commslice-mode=original\n"
        "                      remove nothing; count how often assumptions are violated\n"
        "  -fplugin-arg-commslice-counters\n"
        "                      count the iterations of loops, in a slice as in an original\n"
        "  -fplugin-arg-commslice-counters=setup|all\n"
        "                      and run what the set-up of the program computes to decide them; all: what the whole\n"
        "                      program computes, but for what messages bring\n"
        "  -fplugin-arg-commslice-mode=counted\n"
        "                      remove nothing; count iterations\n"
        "  -fplugin-arg-commslice-verbose\n"
        "                      say what was done at the link\n"
        "  -fplugin-arg-commslice-dump=FILE\n"
        "                      write the program graph as text\n"
        "  --commslice-help    this text\n\n"
        "Environment:\n"
        "  COMMSLICE_PLUGIN    the plugin, in place of %s\n"
        "  %-19s the compiler, in place of %s\n\n"
        "Then: commslice run -n 16 -o TRACE ./PROGRAM; see commslice(1).\n",
        c->name, wrapper_path(c), wrapper_path(c), plugin_path(wrapper_path(c)), c->variable, c->wrapper);
}

/* The last of -flto and -fno-lto counts. At a link of objects alone no compiler is there to say so. */
static bool without_lto(int argc, char **argv)
{
    bool without = false;
    for (int i = 1; i < argc; i++)
        if (strncmp(argv[i], "-flto", 5) == 0 || strcmp(argv[i], "-fno-lto") == 0)
            without = argv[i][2] == 'n';
    return without;
}

/* Replaces this process; returns only on error. */
static void exec_compiler(const char *wrapper, const char *plugin, int argc, char **argv)
{
    char **args = malloc(((size_t)argc + 2) * sizeof *args);
    char *flag = malloc(sizeof "-fplugin=" + strlen(plugin));
    if (!args || !flag)
        goto out;
    strcpy(flag, "-fplugin=");
    strcat(flag, plugin);
    args[0] = (char *)wrapper;
    args[1] = flag;
    memcpy(args + 2, argv + 1, (size_t)argc * sizeof *args); /* with the NULL at the end */
    execvp(wrapper, args);
out:
    free(args);
    free(flag);
}

int main(int argc, char **argv)
{
    const struct compiler *c = argc > 0 ? compiler_by_name(argv[0]) : NULL;
    if (!c) {
        fprintf(stderr, "%s: must be called as commslice-mpicc, commslice-mpicxx or commslice-mpifort\n",
                argc > 0 ? argv[0] : "commslice-mpicc");
        return 2;
    }
    if (argc > 1 && !strcmp(argv[1], "--commslice-help")) {
        print_help(c);
        return 0;
    }
    const char *wrapper = wrapper_path(c), *plugin = plugin_path(wrapper);
    struct stat st;
    bool folder = stat(plugin, &st) == 0 && S_ISDIR(st.st_mode);
    if (folder)
        errno = EISDIR;
    if (folder || access(plugin, R_OK)) {
        fprintf(stderr, "%s: cannot read the plugin %s: %s\n", c->name, plugin, strerror(errno));
        return 2;
    }
    if (without_lto(argc, argv)) {
        fprintf(stderr, "%s: -fno-lto is given, but a slice needs the whole program at the link: take it out\n",
                c->name);
        return 2;
    }
    const char *plain = cs_plain_object(argc, argv);
    if (plain) {
        fprintf(stderr,
                "%s: no object of this link was compiled with %s: %s was not, for one. Compile all of them again (make "
                "clean), or link with the ordinary compiler\n",
                c->name, c->name, plain);
        return 2;
    }
    exec_compiler(wrapper, plugin, argc, argv);
    fprintf(stderr, "%s: cannot run %s: %s\n", c->name, wrapper, strerror(errno));
    return 2;
}
