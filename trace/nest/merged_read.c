/* SPDX-License-Identifier: BSD-3-Clause
 * Reads the merged form's file: its head, the nest and the times; merged_read_*.c read the rest. Every number is
 * checked before it is used. So a form that was read can be walked without further checks: definitions exist, arrays
 * fit their calls, loops lie inside of each other, and the nest has as many events of each class as the class says. */
#define _GNU_SOURCE 1
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zstd.h>

#include "base/grow.h"
#include "base/error_text.h"
#include "trace/format/bytes.h"
#include "trace/format/format.h"
#include "trace/nest/nest.h"
#include "trace/nest/merged_format.h"
#include "trace/nest/merged_in.h"
#include "trace/nest/nest_sound.h"
#include "trace/read/read_at.h"

static int get_info(struct cs_merged_in *in)
{
    struct cs_run_info *i = &in->m->info;
    i->nranks = cs_in_below(in, CS_MAX_RANKS);
    uint64_t flags = cs_in_get(in);
    in->m->folded = flags & CS_MERGED_FOLDED;
    i->with_times = flags & CS_MERGED_TIMES;
    if (in->c.bad || i->nranks < 1 ||
        flags > (CS_MERGED_FOLDED | CS_MERGED_TIMES | CS_MERGED_GAPS | CS_MERGED_COUNTS | CS_MERGED_UNRECORDED) ||
        (flags & CS_MERGED_GAPS && flags & CS_MERGED_COUNTS))
        return cs_in_bad(in, "bad head");
    in->counts = flags & CS_MERGED_COUNTS;
    if (flags & CS_MERGED_GAPS && !(in->m->gap_at = calloc(1, sizeof *in->m->gap_at)))
        return -1;
    return cs_in_string(in, &i->program) || cs_in_string(in, &i->args) || cs_in_string(in, &i->kind) ||
                   cs_in_string(in, &i->engine) || cs_in_string(in, &i->assumptions) ||
                   cs_in_string(in, &i->versions) || (flags & CS_MERGED_UNRECORDED && cs_in_string(in, &i->unrecorded))
               ? -1
               : 0;
}

/* ---- the nest ---- */

/* Reads the next entry of a node's cycle. Of a symbol's node: a symbol with the same call, the first entry being the
 * node's own symbol. Of a loop: a count of at most the node's. -1: it is none of these. */
static int get_turn(struct cs_merged_in *in, const struct cs_nest_node *d)
{
    const struct cs_merged *m = in->m;
    int x = cs_in_below(in, d->count ? INT32_MAX : (uint64_t)m->nsymbols);
    if (in->c.bad)
        return -1;
    if (d->count)
        return x <= d->count ? x : -1;
    return x == m->nsymbols || m->symbol[x].call != m->symbol[d->value].call || (d->ncycle == 0 && x != d->value) ? -1
                                                                                                                  : x;
}

static int get_cycle(struct cs_merged_in *in, struct cs_nest_node *d, size_t *cap)
{
    bool most = d->count == 0;
    struct cs_merged *m = in->m;
    int n = cs_in_number(in);
    d->cycle = (int32_t)m->ncycles;
    if (n == 1 || m->ncycles + n > INT32_MAX)
        return cs_in_bad(in, "bad rule in a loop");
    for (; d->ncycle < n; d->ncycle++) {
        if (!CS_MAKE_ROOM(m->cycle, m->ncycles, *cap))
            return -1;
        int x = get_turn(in, d);
        if (x < 0)
            return cs_in_bad(in, "bad rule in a loop");
        most |= x == d->count;
        m->cycle[m->ncycles++] = x;
    }
    return most || n == 0 ? 0 : cs_in_bad(in, "bad rule in a loop");
}

static int get_node(struct cs_merged_in *in, int64_t at, int64_t n, size_t *cycle_cap)
{
    struct cs_merged *m = in->m;
    struct cs_nest_node *d = &m->node[at];
    d->count = (int64_t)cs_cursor_below(&in->c, INT64_MAX);
    d->value = cs_in_below(in, INT32_MAX);
    if (in->c.bad || (d->count == 1 && !in->counts) ||
        (d->count == 0 ? d->value >= m->nsymbols : d->value < 1 || d->value >= n - at))
        return cs_in_bad(in, "bad nest");
    if ((d->count == 0 || in->counts) && get_cycle(in, d, cycle_cap))
        return -1;
    return d->count == 1 && !d->ncycle ? cs_in_bad(in, "bad nest") : 0;
}

/* Subtracts the events at a symbol's node that occurs `times` times from events[], which has those that each class has
 * left. -1: some class has none left. */
static int count_symbol(struct cs_merged_in *in, const struct cs_nest_node *n, int64_t times, int64_t *events)
{
    const struct cs_merged *m = in->m;
    int32_t turns = n->ncycle ? n->ncycle : 1;
    for (int32_t t = 0; t < turns; t++) {
        const struct cs_merged_symbol *l = &m->symbol[n->ncycle ? m->cycle[n->cycle + t] : n->value];
        for (int k = 0; k < l->nparts; k++)
            if ((events[l->part[k].cls] -= times / turns + (t < times % turns)) < 0)
                return cs_in_bad(in, "more events than the classes have");
    }
    return 0;
}

/* Subtracts the events of nodes [from, to), which occur `times` times, from events[], and checks that each loop ends
 * inside the one around it. */
static int count_events(struct cs_merged_in *in, int64_t from, int64_t to, int64_t times, int depth, int64_t *events)
{
    const struct cs_merged *m = in->m;
    if (depth > CS_MERGED_MAX_DEPTH)
        return cs_in_bad(in, "a nest too deep");
    for (int64_t i = from; i < to; i++) {
        const struct cs_nest_node *n = &m->node[i];
        if (n->count) {
            if (i + n->value >= to || (times && n->count > INT64_MAX / times) ||
                count_events(in, i + 1, i + 1 + n->value, cs_nest_iterations(m, n, times), depth + 1, events))
                return in->what ? -1 : cs_in_bad(in, "bad nest");
            i += n->value;
            continue;
        }
        if (count_symbol(in, n, times, events))
            return -1;
    }
    return 0;
}

static int get_nest(struct cs_merged_in *in)
{
    struct cs_merged *m = in->m;
    int64_t n = cs_in_number(in), *events = malloc(((size_t)m->nclasses + 1) * sizeof *events);
    size_t cycle_cap = 0;
    int rc = events && (m->node = calloc((size_t)n + 1, sizeof *m->node)) ? 0 : -1;
    for (m->nnodes = 0; !rc && m->nnodes < n; m->nnodes++)
        rc = get_node(in, m->nnodes, n, &cycle_cap);
    for (int c = 0; !rc && c < m->nclasses; c++)
        events[c] = m->cls[c].nevents;
    rc = rc ? rc : count_events(in, 0, m->nnodes, 1, 0, events);
    for (int c = 0; !rc && c < m->nclasses; c++)
        if (events[c])
            rc = cs_in_bad(in, "fewer events than the classes have");
    free(events);
    return rc;
}

static int get_gaps(struct cs_merged_in *in)
{
    struct cs_merged *m = in->m;
    free(m->gap_at);
    m->gap_at = calloc((size_t)m->nnodes + 1, sizeof *m->gap_at);
    m->tail = calloc((size_t)m->nclasses + 1, sizeof *m->tail);
    if (!m->gap_at || !m->tail)
        return -1;
    for (int64_t i = 0; i < m->nnodes; i++) {
        m->gap_at[i] = m->ngaps;
        m->ngaps += m->node[i].count ? 0 : m->symbol[m->node[i].value].nparts;
    }
    if (m->ngaps > in->c.end - in->c.p)
        return cs_in_bad(in, "times are missing");
    m->gap = calloc((size_t)m->ngaps + 1, sizeof *m->gap);
    if (!m->gap)
        return -1;
    for (int64_t i = 0; i < m->ngaps; i++) {
        int64_t n = (int64_t)cs_cursor_below(&in->c, INT64_MAX), first = (int64_t)cs_cursor_below(&in->c, (uint64_t)n);
        double gap = (double)cs_in_signed(in), first_gap = (double)cs_in_signed(in), busy = (double)cs_in_signed(in);
        m->gap[i] = (struct cs_gap){n, first, gap, first_gap, busy};
    }
    for (int c = 0; c < m->nclasses; c++)
        m->tail[c] = (double)cs_in_signed(in);
    return 0;
}

static int get_body(struct cs_merged_in *in)
{
    if (get_info(in) || cs_in_definitions(in) || cs_in_classes(in) || cs_in_records(in) || cs_in_symbols(in) ||
        get_nest(in) || (in->m->gap_at && get_gaps(in)))
        return -1;
    return in->c.bad || in->c.p != in->c.end ? cs_in_bad(in, "bad end") : 0;
}

/* ---- the file ---- */

static int unpack(int fd, uint64_t size, struct cs_bytes *raw, char *errbuf, size_t errlen)
{
    unsigned char head[CS_MERGED_HEADER_LEN], *packed = NULL;
    if (size < sizeof head || cs_read_at(fd, 0, head, sizeof head) ||
        memcmp(head, CS_MERGED_MAGIC, CS_MERGED_MAGIC_LEN - 1))
        return cs_error_text(errbuf, errlen, "not a merged trace");
    if (head[CS_MERGED_MAGIC_LEN - 1] != CS_MERGED_MAGIC[CS_MERGED_MAGIC_LEN - 1])
        return cs_error_text(errbuf, errlen, "a merged trace of another version; merge it again");
    uint64_t n = cs_get_u64(head + 8), stored = cs_get_u64(head + 16);
    if (cs_get_u64(head + 32) != cs_trace_hash(head, 32) || n > CS_MERGED_MAX_BODY || stored != size - sizeof head)
        return cs_error_text(errbuf, errlen, "damaged, or cut off; make it again from the trace");
    int rc = cs_bytes_reserve(raw, n + 1) || !(packed = malloc(stored + 1))
                 ? cs_error_text(errbuf, errlen, "not enough memory")
                 : 0;
    if (!rc && (cs_read_at(fd, sizeof head, packed, stored) || cs_trace_hash(packed, stored) != cs_get_u64(head + 24) ||
                ZSTD_decompress(raw->data, n, packed, stored) != n))
        rc = cs_error_text(errbuf, errlen, "damaged");
    raw->len = n;
    free(packed);
    return rc;
}

static struct cs_merged *decode(const struct cs_bytes *raw, char *errbuf, size_t errlen)
{
    struct cs_merged_in in = {.c = {.p = raw->data, .end = raw->data + raw->len}, .m = calloc(1, sizeof *in.m)};
    if (in.m && (in.m->strings = calloc(1, sizeof *in.m->strings)) && get_body(&in) == 0) {
        assert(cs_merged_is_sound(in.m)); /* what is not, one of the checks has found */
        return in.m;
    }
    cs_error_text(errbuf, errlen, "%s%s", in.what ? "damaged: " : "", in.what ? in.what : "not enough memory");
    cs_merged_free(in.m);
    return NULL;
}

struct cs_merged *cs_merged_open(const char *path, char *errbuf, size_t errlen)
{
    struct cs_bytes raw = {0};
    struct cs_merged *m = NULL;
    struct stat st;
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0 || fstat(fd, &st))
        cs_error_text(errbuf, errlen, "%s", strerror(errno));
    else if (!S_ISREG(st.st_mode))
        cs_error_text(errbuf, errlen, "not a regular file");
    else if (unpack(fd, (uint64_t)st.st_size, &raw, errbuf, errlen) == 0)
        m = decode(&raw, errbuf, errlen);
    if (fd >= 0)
        close(fd);
    cs_bytes_free(&raw);
    return m;
}

bool cs_merged_is(const char *path)
{
    char magic[CS_MERGED_MAGIC_LEN];
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    bool is = fd >= 0 && cs_read_at(fd, 0, magic, sizeof magic) == 0 &&
              memcmp(magic, CS_MERGED_MAGIC, CS_MERGED_MAGIC_LEN - 1) == 0;
    if (fd >= 0)
        close(fd);
    return is;
}
