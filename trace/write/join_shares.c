/* SPDX-License-Identifier: BSD-3-Clause
 * See join_shares.h. Blocks do not depend on where in a file they are, so the files are put one behind the other, and
 * then joined as the ranks of one run are. */
#define _GNU_SOURCE 1
#include "trace/write/join_shares.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error_text.h"
#include "trace/trace.h"
#include "trace/write/join_ranks.h"
#include "trace/write/quiet_write.h"

/* What is known of the shares so far. */
struct shares {
    char *const *path;
    int n, nranks; /* nranks 0: none is read */
    int *in;       /* by rank: the share that has it, -1: none yet */
    char *why;
    size_t len;
};

/* ---- who has which ranks ---- */

/* "rank 5 is", "ranks 5 to 9 are". */
static const char *ranks_are(int from, int to, char text[64])
{
    if (from == to)
        snprintf(text, 64, "rank %d is", from);
    else
        snprintf(text, 64, "ranks %d to %d are", from, to);
    return text;
}

/* The last rank from `from` on that is in the same share. */
static int same_until(const struct shares *s, int from)
{
    while (from + 1 < s->nranks && s->in[from + 1] == s->in[from])
        from++;
    return from;
}

static int say_twice(struct shares *s, const struct cs_trace *t, int share, int from)
{
    char text[64];
    int to = from, other = s->in[from];
    while (to + 1 < s->nranks && s->in[to + 1] == other && cs_trace_rank_state(t, to + 1) != CS_RANK_MISSING)
        to++;
    return cs_error_text(s->why, s->len, "%s in both %s and %s", ranks_are(from, to, text), s->path[other],
                         s->path[share]);
}

static int take_ranks(struct shares *s, const struct cs_trace *t, int share)
{
    const char *path = s->path[share];
    const struct cs_run_info *info = cs_trace_info(t);
    if (info->with_times)
        return cs_error_text(s->why, s->len, "%s: has times, and so is no share of a run", path);
    if (s->nranks == 0) {
        s->nranks = info->nranks;
        s->in = malloc((size_t)s->nranks * sizeof *s->in);
        for (int r = 0; s->in && r < s->nranks; r++)
            s->in[r] = -1;
    }
    if (!s->in)
        return cs_error_text(s->why, s->len, "not enough memory");
    if (info->nranks != s->nranks)
        return cs_error_text(s->why, s->len, "%s is of a run of %d ranks, and %s of one of %d", path, info->nranks,
                             s->path[0], s->nranks);
    for (int r = 0; r < s->nranks; r++) {
        if (cs_trace_rank_state(t, r) == CS_RANK_MISSING)
            continue;
        if (s->in[r] >= 0)
            return say_twice(s, t, share, r);
        s->in[r] = share;
    }
    return 0;
}

static int look_into(struct shares *s, int share)
{
    char reason[256];
    struct cs_trace *t = cs_trace_open(s->path[share], reason, sizeof reason);
    if (!t)
        return cs_error_text(s->why, s->len, "%s: %s", s->path[share], reason);
    int rc = take_ranks(s, t, share);
    cs_trace_free(t);
    return rc;
}

static int find_missing(const struct shares *s)
{
    char text[64];
    for (int r = 0; r < s->nranks; r++)
        if (s->in[r] < 0)
            return cs_error_text(s->why, s->len, "%s in none of the %d traces: a share is missing",
                                 ranks_are(r, same_until(s, r), text), s->n);
    return 0;
}

/* ---- one file ---- */

static bool write_all(int fd, const char *data, size_t n)
{
    while (n > 0) {
        ssize_t k = cs_write_quietly(fd, data, n);
        if (k < 0 && errno == EINTR)
            continue;
        if (k <= 0) {
            errno = k < 0 ? errno : ENOSPC;
            return false;
        }
        data += k;
        n -= (size_t)k;
    }
    return true;
}

static int append(const struct shares *s, int share, int fd, const char *path)
{
    char data[1 << 16];
    ssize_t n = 0;
    int from = open(s->path[share], O_RDONLY | O_CLOEXEC);
    bool wrote = true;
    while (from >= 0 && wrote && (n = read(from, data, sizeof data)) > 0)
        wrote = write_all(fd, data, (size_t)n);
    int err = errno;
    if (from >= 0)
        close(from);
    if (from < 0 || n < 0)
        return cs_error_text(s->why, s->len, "%s: %s", s->path[share], strerror(err));
    return wrote ? 0 : cs_error_text(s->why, s->len, "%s: %s", path, strerror(err));
}

static int put_together(const struct shares *s, const char *path)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666), rc = 0;
    if (fd < 0)
        return cs_error_text(s->why, s->len, "%s: %s", path, strerror(errno));
    for (int i = 0; i < s->n && rc == 0; i++)
        rc = append(s, i, fd, path);
    if (close(fd) && rc == 0)
        rc = cs_error_text(s->why, s->len, "%s: %s", path, strerror(errno));
    if (rc == 0 && cs_trace_join_ranks(path, false))
        rc = cs_error_text(s->why, s->len, "%s: %s", path, strerror(errno));
    return rc;
}

int cs_trace_join_shares(char *const *share, int n, const char *path, char *why, size_t len)
{
    struct shares s = {.path = share, .n = n, .why = why, .len = len};
    int rc = 0;
    for (int i = 0; i < n && rc == 0; i++)
        rc = look_into(&s, i);
    if (rc == 0)
        rc = find_missing(&s);
    if (rc == 0)
        rc = put_together(&s, path);
    free(s.in);
    return rc;
}
