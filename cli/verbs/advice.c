/* SPDX-License-Identifier: BSD-3-Clause
 * Asks commslice-advise and reads its answer; see advice.h. */
#define _GNU_SOURCE 1
#include "cli/verbs/advice.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

#include "base/grow.h"
#include "cli/frame/cli.h"
#include "cli/show/slice_graph.h"
#include "cli/show/slicer_helper.h"

/* Fields of a line of the answer, at most. */
enum { FIELDS = 9 };

static int split(char *line, char *f[FIELDS])
{
    int n = 0;
    line[strcspn(line, "\n")] = 0;
    while (line && n < FIELDS)
        f[n++] = strsep(&line, "\t");
    for (int i = n; i < FIELDS; i++)
        f[i] = NULL;
    return n;
}

static bool take_assumption(struct cs_advice *a, char **f, int n)
{
    struct cs_suggestion *s = a->n ? &a->s[a->n - 1] : NULL;
    if (!s || n < 6 || !CS_MAKE_ROOM(s->a, s->n, s->cap))
        return false;
    struct cs_advised *to = &s->a[s->n++];
    *to = (struct cs_advised){strdup(f[1]), strdup(f[2]), strdup(f[4]), strdup(f[5]), NULL, NULL, atoi(f[3]), 0};
    if (n == FIELDS) {
        to->call = strdup(f[6]);
        to->call_file = strdup(f[7]);
        to->call_line = atoi(f[8]);
    }
    return to->text && to->file && to->func && to->way && (n < FIELDS || (to->call && to->call_file));
}

static bool take_line(struct cs_advice *a, char *line)
{
    char *f[FIELDS];
    int n = split(line, f);
    if (!strcmp(f[0], "base") && n == 5) {
        a->kept = atoi(f[1]), a->total = atoi(f[2]), a->sites = atoi(f[3]), a->contents = atoi(f[4]);
        return true;
    }
    if (!strcmp(f[0], "budget")) {
        a->kept_all = true;
        return true;
    }
    if (!strcmp(f[0], "error") && n == 2) {
        a->error = strdup(f[1]);
        return false;
    }
    if (!strcmp(f[0], "cut") && n == 2) {
        a->cut_after = atoi(f[1]);
        return true;
    }
    bool untried = !strcmp(f[0], "untried");
    if ((untried || !strcmp(f[0], "trial")) && n == 5) {
        if (!CS_MAKE_ROOM(a->s, a->n, a->cap))
            return false;
        a->s[a->n++] =
            (struct cs_suggestion){.kept = atoi(f[1]), .sites = atoi(f[2]), .contents = atoi(f[3]), .untried = untried};
        return true;
    }
    return !strcmp(f[0], "assume") && take_assumption(a, f, n);
}

int cs_advice_ask(const char *slice, char **argv, char *seconds, struct cs_advice *a)
{
    size_t size, cap = 0;
    char *text = argv ? cs_slice_graph_read(slice, &size) : NULL, *line = NULL;
    pid_t child = -1;
    bool ok = true;
    if (!argv)
        return cs_error("not enough memory");
    argv[1] = seconds;
    FILE *answer = text ? cs_slicer_start(text, size, argv, &child) : NULL;
    for (int i = 2; argv[i]; i++)
        free(argv[i]);
    free(argv);
    free(text);
    if (!answer)
        return CS_EXIT_ERROR;
    while (ok && getline(&line, &cap, answer) > 0)
        ok = take_line(a, line);
    free(line);
    if (!cs_slicer_end(answer, child) || !ok || !a->total)
        return cs_error("%s: %s", slice, a->error ? a->error : "the slicer gave no answer");
    return 0;
}

void cs_advice_free(struct cs_advice *a)
{
    for (size_t i = 0; i < a->n; i++)
        for (int k = 0; k < a->s[i].n; k++) {
            struct cs_advised *x = &a->s[i].a[k];
            free(x->text);
            free(x->file);
            free(x->func);
            free(x->way);
            free(x->call);
            free(x->call_file);
        }
    for (size_t i = 0; i < a->n; i++)
        free(a->s[i].a);
    free(a->s);
    free(a->error);
}
