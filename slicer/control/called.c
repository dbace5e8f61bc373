/* SPDX-License-Identifier: GPL-3.0-or-later
 * Reads which functions a recorded run called; called.h. */
#define _POSIX_C_SOURCE 200809L
#include "slicer/control/called.h"

#include <assert.h>
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/assumption.h"
#include "slicer/graph/storage.h"

/* Names of functions, sorted. */
struct names {
    char **a;
    int n, cap;
};

static int by_text(const void *x, const void *y)
{
    return strcmp(*(char *const *)x, *(char *const *)y);
}

/* The name in a line "called:NAME 12 times", with blanks in front; NULL: it is another line. The caller's to free. */
static char *name_in(const char *line)
{
    while (isspace((unsigned char)*line))
        line++;
    if (strncmp(line, CS_ONLY_CALLED, strlen(CS_ONLY_CALLED)))
        return NULL;
    line += strlen(CS_ONLY_CALLED);
    size_t n = strcspn(line, " \t\n");
    return n && line[n] == ' ' && isdigit((unsigned char)line[n + 1]) ? strndup(line, n) : NULL;
}

bool cs_called_is_told(const char *line)
{
    char *name = name_in(line);
    free(name);
    return name;
}

static void read_names(FILE *f, struct names *to)
{
    char *line = NULL;
    size_t size = 0;
    while (getline(&line, &size, f) > 0) {
        char *name = name_in(line);
        if (!name)
            continue;
        CS_GROW(to->a, to->n, to->cap);
        to->a[to->n++] = name;
    }
    free(line);
    if (to->n)
        qsort(to->a, (size_t)to->n, sizeof *to->a, by_text);
}

char *cs_called_name(const struct cs_graph *g, int func)
{
    assert(func >= 0 && func < g->nfuncs);
    const char *name = cs_func_name(g, func);
    char *copy = cs_strdup(name);
    copy[strcspn(copy, ".")] = 0; /* .part.0, .lto_priv.1 */
    return copy;
}

static bool is_called(const struct cs_graph *g, int func, const struct names *names)
{
    char *name = cs_called_name(g, func);
    bool called = bsearch(&name, names->a, (size_t)names->n, sizeof *names->a, by_text);
    free(name);
    return called;
}

int cs_called_assume(struct cs_graph *g, const char *file, char *err, size_t errlen)
{
    struct names names = {0};
    int n = 0;
    FILE *f = fopen(file, "r");
    if (!f) {
        snprintf(err, errlen, "assumption '" CS_ONLY_CALLED "%s': cannot read %s: %s", file, file, strerror(errno));
        return -1;
    }
    read_names(f, &names);
    fclose(f);
    for (int i = 0; i < g->nfuncs && names.n; i++) {
        struct cs_func *func = &g->funcs[i];
        func->uncalled = func->defined && !func->is_entry && !is_called(g, i, &names);
        n += func->uncalled;
    }
    for (int i = 0; i < names.n; i++)
        free(names.a[i]);
    free(names.a);
    if (names.n)
        return n;
    snprintf(err, errlen,
             "assumption '" CS_ONLY_CALLED "%s': %s does not say what was called: give what 'commslice info' prints of "
             "a recorded run of the instrumented original, linked with -fplugin-arg-commslice-budget=none",
             file, file);
    return -1;
}
