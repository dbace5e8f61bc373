/* SPDX-License-Identifier: BSD-3-Clause
 * Writes one rank's part of a trace: folds events while they come; whole blocks are appended (write_block.c).
 * Time goes to cs_trace_event: in a known loop one comparison with the expected event, else a hash and the folder. */
#define _GNU_SOURCE 1
#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "api/mpi_calls.h"
#include "trace/write/join_ranks.h"
#include "trace/write/write_internal.h"

#define EVENT_ROOM 64  /* more than a known event with times takes */
#define AGE_CHECK 1024 /* events between looks at the clock */
#define MAX_AGE_S 1    /* where there is no crash file, a killed rank loses about this much at most */

/* ---- the crash buffer ---- */

void cs_write_leave_crash_buffer(struct cs_trace_writer *w)
{
    cs_crash_close(w->crash, false);
    w->crash = NULL;
    w->defs_limit = CS_WRITE_BUFFER;
}

/* In the group's memory, or in the file beside `path`. */
static void enter_crash_buffer(struct cs_trace_writer *w, const char *path)
{
    struct cs_block_header h = {.rank = w->rank, .nranks = w->nranks, .flags = w->with_times ? CS_BLOCK_TIMES : 0};
    if (w->group)
        w->crash = w->group->crash.fd >= 0 ? cs_crash_open_in(&w->group->crash, &h) : NULL;
    else
        w->crash = cs_crash_open(path, &h);
    w->defs_limit = w->crash ? CS_CRASH_DEFS : CS_WRITE_BUFFER;
    if (w->crash)
        cs_crash_begin(w->crash, w->seq);
    cs_write_crash_limit(w);
}

/* When the half in use is full: all events go, folded, into the other half, or into the file if they fill more than
 * half of that even so. */
static int renew_crash_buffer(struct cs_trace_writer *w)
{
    struct cs_bytes *b = &w->scratch;
    b->len = 0;
    if (w->with_times)
        return cs_trace_flush(w);
    if (cs_bytes_put(b, w->events.data, w->events.len) || cs_loops_peek(&w->loops, b))
        return cs_write_fail(w, ENOMEM);
    if (b->len > w->crash->events_cap / 2)
        return cs_trace_flush(w);
    cs_crash_replace(w->crash, b->data, (uint32_t)b->len, w->nevents);
    w->crash_len = (uint32_t)b->len;
    w->crash_events = 0;
    cs_write_crash_limit(w);
    return 0;
}

/* Copies what was just recorded, in whatever form; `events` is 1 if this completes an event. */
static inline int put_crash(struct cs_trace_writer *w, const void *p, size_t n, uint32_t events)
{
    if (!w->crash)
        return 0;
    if (n > w->crash_limit - w->crash_len || w->crash_events == UINT32_MAX)
        return renew_crash_buffer(w);
    memcpy(w->crash->events + w->crash_len, p, n);
    w->crash_len += (uint32_t)n;
    w->crash_events += events;
    cs_crash_publish(w->crash, w->crash_len, w->crash_events);
    return 0;
}

static int events_room(struct cs_trace_writer *w, size_t n)
{
    return cs_bytes_reserve(&w->events, n) ? cs_write_fail(w, ENOMEM) : 0;
}

/* ---- events ---- */

static struct cs_comm_rank place_in(const void *arg, int64_t comm)
{
    const struct cs_trace_writer *w = arg;
    return comm < w->ndefs[CS_DEF_COMM] ? w->comm_rank[comm] : (struct cs_comm_rank){-1, 0};
}

/* The symbol with all its fields, which are relative to the rank already. */
static unsigned char *put_whole(const struct cs_event *e, int call, const int64_t *fields, unsigned char *p)
{
    *p++ = CS_REC_SYMBOL;
    p = cs_put_varint(p, (uint64_t)call);
    p = cs_put_varint(p, (uint64_t)e->mark);
    p = cs_put_varint(p, (uint64_t)(e->site + 1));
    p = cs_put_varint(p, (uint64_t)e->nfields);
    for (int i = 0; i < e->nfields; i++)
        p = cs_put_varint(p, cs_zigzag(fields[i]));
    return p;
}

/* The symbol as its difference from r, which has as many fields. */
static unsigned char *put_difference(struct cs_trace_writer *w, const struct cs_recent *r, const int64_t *fields,
                                     unsigned char *p)
{
    uint32_t changed = 0;
    assert(r->nfields <= CS_ALIKE_FIELDS && w->symbols.n > r->symbol);
    for (int i = 0; i < r->nfields; i++)
        changed |= (uint32_t)(fields[i] != r->fields[i]) << i;
    *p++ = CS_REC_ALIKE;
    p = cs_put_varint(p, w->symbols.n - r->symbol);
    p = cs_put_varint(p, changed);
    for (int i = 0; i < r->nfields; i++)
        if (changed >> i & 1)
            p = cs_put_varint(p, cs_zigzag((int64_t)((uint64_t)fields[i] - (uint64_t)r->fields[i])));
    return p;
}

static void remember(struct cs_recent *r, const struct cs_event *e, uint32_t symbol, const int64_t *fields)
{
    r->symbol = symbol;
    r->call = e->call;
    r->site = e->site;
    r->mark = e->mark;
    r->nfields = e->nfields;
    for (int i = 0; i < e->nfields; i++)
        r->fields[i] = fields[i];
}

/* A symbol with few fields, where possible as the difference from the one before of its call site. */
static unsigned char *put_short(struct cs_trace_writer *w, const struct cs_event *e, int call, unsigned char *p)
{
    struct cs_recent *r = &w->recent[(uint32_t)(e->site + call) % CS_RECENT];
    int64_t fields[CS_ALIKE_FIELDS];
    for (int i = 0; i < e->nfields; i++)
        fields[i] = e->fields[i];
    cs_peers_shift_at(w->calls[call].peers, e->call, fields, e->nfields, true, place_in, w);
    if (r->call == e->call && r->site == e->site && r->mark == e->mark && r->nfields == e->nfields)
        p = put_difference(w, r, fields, p);
    else
        p = put_whole(e, call, fields, p);
    remember(r, e, w->symbols.n, fields);
    return p;
}

static int put_symbol(struct cs_trace_writer *w, const struct cs_event *e, int call)
{
    struct cs_bytes *b = &w->events;
    if (events_room(w, CS_VARINT_MAX * (5 + (size_t)e->nfields)))
        return -1;
    size_t at = b->len;
    unsigned char *p = b->data + at;
    if (e->nfields <= CS_ALIKE_FIELDS) {
        p = put_short(w, e, call, p);
    } else {
        int64_t *fields = malloc((size_t)e->nfields * sizeof *fields);
        if (!fields)
            return cs_write_fail(w, ENOMEM);
        memcpy(fields, e->fields, (size_t)e->nfields * sizeof *fields);
        cs_peers_shift_at(w->calls[call].peers, e->call, fields, e->nfields, true, place_in, w);
        p = put_whole(e, call, fields, p);
        free(fields);
    }
    b->len = (size_t)(p - b->data);
    return put_crash(w, b->data + at, b->len - at, 0);
}

static void forget_recent(struct cs_trace_writer *w)
{
    for (int i = 0; i < CS_RECENT; i++)
        w->recent[i].call = -1;
}

static int forget_symbols(struct cs_trace_writer *w)
{
    if (cs_trace_flush(w) || events_room(w, 1))
        return -1;
    cs_symbols_reset(&w->symbols);
    forget_recent(w);
    w->last_symbol = CS_NO_SYMBOL;
    w->events.data[w->events.len++] = CS_REC_RESET;
    return put_crash(w, w->events.data, 1, 0);
}

static int new_symbol(struct cs_trace_writer *w, const struct cs_event *e, uint64_t hash)
{
    if (e->mark < 0 || e->mark > CS_MARK_CONTENT || e->site < -1 || e->site >= w->ndefs[CS_DEF_SITE]) {
        errno = EINVAL;
        return -1;
    }
    int call = cs_write_call_number(w, e->call);
    if (call < 0)
        return -1;
    if (cs_symbols_full(&w->symbols, e) && forget_symbols(w))
        return -1;
    if (put_symbol(w, e, call))
        return -1;
    return cs_symbols_add(&w->symbols, e, hash) ? cs_write_fail(w, ENOMEM) : 0;
}

/* The symbol that is the most likely to come: what the open loop expects or, as there are no loops with times, what
 * came here the last time. */
static inline uint32_t expected_symbol(const struct cs_trace_writer *w)
{
    return w->with_times ? w->last_symbol < w->symbols.n ? w->symbols.symbol[w->last_symbol].follower : CS_NO_SYMBOL
                         : w->loops.next;
}

/* The event's symbol, which it gets if it is new; -1 on error. In a known loop one comparison finds it. */
static inline int64_t symbol_of(struct cs_trace_writer *w, const struct cs_event *e)
{
    uint32_t expected = expected_symbol(w);
    if (cs_symbols_is(&w->symbols, expected, e))
        return expected;
    if (e->nfields < 0 || e->nfields > CS_MAX_FIELDS) {
        errno = EINVAL;
        return -1;
    }
    uint64_t hash = cs_symbols_hash(e);
    int64_t symbol = cs_symbols_find(&w->symbols, e, hash);
    if (symbol >= 0)
        return symbol;
    return new_symbol(w, e, hash) ? -1 : (int64_t)w->symbols.n - 1;
}

static int flush_if_old(struct cs_trace_writer *w)
{
    w->until_age_check = AGE_CHECK;
    return !w->crash && cs_write_now() - w->last_flush > MAX_AGE_S ? cs_trace_flush(w) : 0;
}

/* Times do not fold: each event is written with them. */
static unsigned char *put_times(struct cs_trace_writer *w, const struct cs_event *e, unsigned char *p)
{
    p = cs_put_varint(p, cs_zigzag((int64_t)((uint64_t)e->t_enter - w->last_exit)));
    p = cs_put_varint(p, cs_zigzag((int64_t)((uint64_t)e->t_exit - (uint64_t)e->t_enter)));
    w->last_exit = (uint64_t)e->t_exit;
    return p;
}

void cs_trace_set_clock(struct cs_trace_writer *w, int64_t ns)
{
    assert(w->with_times && ns > 0);
    w->clock = ns;
}

/* What comes in front of an event with times. */
static unsigned char *put_clocks(struct cs_trace_writer *w, const struct cs_event *e, unsigned char *p)
{
    if (w->clock) {
        *p++ = CS_REC_CLOCK;
        p = cs_put_varint(p, (uint64_t)w->clock);
        w->clock = 0;
    }
    if (e->t_delay > 0) {
        *p++ = CS_REC_DELAY;
        p = cs_put_varint(p, (uint64_t)e->t_delay);
    }
    return p;
}

int cs_trace_event(struct cs_trace_writer *w, const struct cs_event *e)
{
    unsigned char code[EVENT_ROOM];
    if (w->err)
        return cs_write_fail(w, w->err);
    int64_t symbol = symbol_of(w, e);
    if (symbol < 0)
        return -1;
    unsigned char *p = code;
    if (w->with_times)
        p = put_clocks(w, e, p);
    bool is_next = w->with_times && (uint32_t)symbol == w->last_symbol + 1;
    p = cs_put_varint(p, is_next ? CS_REC_NEXT : CS_REC_EVENT + 2 * (uint64_t)symbol);
    if (w->with_times) {
        if (w->last_symbol < w->symbols.n)
            w->symbols.symbol[w->last_symbol].follower = (uint32_t)symbol;
        w->last_symbol = (uint32_t)symbol;
        p = put_times(w, e, p);
        if (cs_bytes_put(&w->events, code, (size_t)(p - code)))
            return cs_write_fail(w, ENOMEM);
    } else if (cs_loops_symbol(&w->loops, (uint32_t)symbol)) {
        return cs_write_fail(w, ENOMEM);
    }
    w->nevents++;
    if (put_crash(w, code, (size_t)(p - code), 1))
        return -1;
    if (w->events.len >= CS_WRITE_BUFFER)
        return cs_trace_flush(w);
    return --w->until_age_check ? 0 : flush_if_old(w);
}

int cs_trace_again(struct cs_trace_writer *w, uint64_t events, uint64_t times)
{
    if (w->err)
        return cs_write_fail(w, w->err);
    if (events == 0 || times == 0)
        return 1;
    if (w->with_times || events > w->nevents || times > (CS_TRACE_EVENTS - w->nevents) / events)
        return 0;
    int rc = cs_loops_again(&w->loops, events, times);
    if (rc < 0)
        return cs_write_fail(w, ENOMEM);
    if (rc == 0)
        return 0;
    w->nevents += events * times;
    if (w->events.len >= CS_WRITE_BUFFER)
        rc = cs_trace_flush(w);
    else if (w->crash)
        rc = renew_crash_buffer(w);
    return rc < 0 ? -1 : 1;
}

uint32_t cs_trace_blocks(const struct cs_trace_writer *w)
{
    return w->seq;
}

/* ---- life ---- */

/* True if it was the last of its run to write. */
static bool free_writer(struct cs_trace_writer *w)
{
    bool last = false;
    cs_write_free_definitions(w);
    if (w->fd >= 0 && !w->group)
        close(w->fd);
    free(w->comm_rank);
    ZSTD_freeCCtx(w->zstd);
    cs_loops_free(&w->loops);
    cs_symbols_free(&w->symbols);
    cs_bytes_free(&w->defs);
    if (w->crash)
        last = cs_crash_close(w->crash, w->err); /* what a full disk did not take may be saved later */
    cs_bytes_free(&w->events);
    cs_bytes_free(&w->out);
    cs_bytes_free(&w->scratch);
    free(w->calls);
    free(w->path);
    free(w);
    return last;
}

static struct cs_trace_writer *new_writer(int rank, const struct cs_run_info *info)
{
    if (info->nranks < 1 || info->nranks > CS_MAX_RANKS || rank < 0 || rank >= info->nranks) {
        errno = EINVAL;
        return NULL;
    }
    struct cs_trace_writer *w = calloc(1, sizeof *w);
    if (!w)
        return NULL;
    w->rank = (uint32_t)rank;
    w->nranks = (uint32_t)info->nranks;
    w->with_times = info->with_times;
    w->until_age_check = AGE_CHECK;
    w->defs_limit = CS_WRITE_BUFFER;
    w->loops.next = w->loops.out_last = w->last_symbol = CS_NO_SYMBOL;
    forget_recent(w);
    w->loops.out = &w->events;
    w->last_flush = cs_write_now();
    w->fd = -1;
    return w;
}

static struct cs_trace_writer *give_up(struct cs_trace_writer *w)
{
    int err = errno;
    free_writer(w);
    errno = err;
    return NULL;
}

struct cs_trace_writer *cs_trace_create(const char *path, int rank, const struct cs_run_info *info)
{
    struct cs_trace_writer *w = new_writer(rank, info);
    if (!w)
        return NULL;
    w->path = strdup(path);
    w->fd = w->path ? cs_trace_open_to_append(path) : -1;
    /* The first block goes out at once: a full disk is known early, and a rank that dies soon is not "missing". */
    if (w->fd < 0 || ((rank == 0 || info->alone) && cs_trace_set_info(w, info)) || cs_write_block(w, 0))
        return give_up(w);
    enter_crash_buffer(w, path);
    return w;
}

struct cs_trace_writer *cs_trace_create_in(struct cs_trace_group *g, int rank, const struct cs_run_info *info)
{
    struct cs_trace_writer *w = new_writer(rank, info);
    if (!w)
        return NULL;
    w->group = g;
    w->fd = g->fd;
    if (rank == 0 && (cs_trace_set_info(w, info) || cs_write_block(w, 0)))
        return give_up(w);
    enter_crash_buffer(w, NULL);
    return w;
}

int cs_trace_close(struct cs_trace_writer *w)
{
    int err = w->err ? w->err : cs_write_block(w, CS_BLOCK_LAST) ? w->err : 0;
    if (!w->group && close(w->fd) && !err)
        err = errno;
    w->fd = -1;
    char *path = w->path;
    w->path = NULL;
    if (free_writer(w) && !err)
        cs_trace_join_ranks(path, true); /* if that cannot be done, the trace stays as it is */
    free(path);
    errno = err;
    return err ? -1 : 0;
}
