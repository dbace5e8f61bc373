/* SPDX-License-Identifier: BSD-3-Clause
 * Asks the slicer for reasons and keeps its answer; slice_reasons.h. That the slicer has decided as the link did is
 * checked by a number for all that was decided, which the slice has, too. */
#define _GNU_SOURCE 1
#include "cli/show/slice_reasons.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

#include "base/grow.h"
#include "cli/frame/cli.h"
#include "cli/show/answer_cache.h"
#include "cli/show/slice_graph.h"
#include "cli/show/slicer_helper.h"

/* All that comes, *size bytes; the caller frees. NULL: memory is out. */
static char *read_all(FILE *f, size_t *size)
{
    char *text = NULL;
    size_t cap = 0, got = 1;
    for (*size = 0; got; *size += got) {
        if (!CS_MAKE_ROOM_FOR(text, *size + (1 << 16), cap)) {
            free(text);
            return NULL;
        }
        got = fread(text + *size, 1, cap - *size, f);
    }
    return text;
}

/* Says why there is no answer: the answer's last line may be `error TEXT`. */
static void complain(const char *path, const char *text, size_t size)
{
    static const char error[] = "error\t";
    const char *said = text ? memmem(text, size, error, strlen(error)) : NULL;
    const char *why = said ? said + strlen(error) : NULL, *end = why ? memchr(why, '\n', text + size - why) : NULL;
    if (end && end + 1 == text + size)
        cs_error("%s: %.*s", path, (int)(end - why), why);
    else
        cs_error("%s: the slicer gave no answer", path);
}

/* The slicer's answer; NULL after a message. The caller frees. */
static char *ask(const char *path, const char *program, size_t n, size_t *size)
{
    char how[] = "why", *argv[] = {NULL, how, NULL};
    pid_t child;
    FILE *f = cs_slicer_start(program, n, argv, &child);
    if (!f)
        return NULL;
    char *text = read_all(f, size);
    if (cs_slicer_end(f, child) && text)
        return text;
    complain(path, text, *size);
    free(text);
    return NULL;
}

/* Asks, and keeps the answer under this key. */
static bool find(const char *path, struct cs_slice_info *s, const char *program, size_t n,
                 const struct cs_answer_key *key)
{
    char why[256];
    size_t size;
    char *text = ask(path, program, n, &size);
    int rc = text ? cs_slice_add_reasons(s, text, size, why, sizeof why) : -1;
    if (text && rc < 0)
        cs_error("%s: the slicer's answer cannot be read: %s", path, why);
    else if (rc > 0)
        cs_error("%s: the slicer decides its program otherwise now than at its link, so no reasons can be told: link "
                 "it again",
                 path);
    else if (rc == 0)
        cs_answer_put(key, text, size);
    free(text);
    return rc == 0;
}

bool cs_slice_need_reasons(const char *path, struct cs_slice_info *s)
{
    char helper[PATH_MAX], why[256];
    size_t n, size;
    if (!s->decided)
        return true;
    char *program = cs_slice_graph_read(path, &n);
    if (!program)
        return false;
    struct cs_answer_key key = cs_answer_key(program, n, s->decided, cs_slicer_path(helper) ? helper : "");
    char *known = cs_answer_get(&key, &size);
    bool done = known && cs_slice_add_reasons(s, known, size, why, sizeof why) == 0;
    if (!done)
        done = find(path, s, program, n, &key);
    free(known);
    free(program);
    return done;
}
