/* SPDX-License-Identifier: BSD-3-Clause
 * Writes one rank's part of a trace: folds events while they come and appends whole blocks.
 * Time goes to cs_trace_event: in a known loop one comparison with the expected event, else a hash and the folder. */
#define _GNU_SOURCE 1
#define XXH_INLINE_ALL
#include <xxhash.h>

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>
#include <zstd.h>

#include "bytes.h"
#include "format.h"
#include "group.h"
#include "letters.h"
#include "live.h"
#include "loops.h"
#include "peers.h"
#include "shared.h"
#include "small_hash.h"
#include "../api/mpi_calls.h"
#include "trace.h"

#define BUFFER (32u << 10)          /* a section that is written as a block */
#define EVENT_ROOM 64               /* more than a known event with times takes */
#define ZSTD_LEVEL 1
#define ZSTD_TABLE_LOG 11           /* of what compression needs most is a table of 2^17 bytes otherwise */
#define LIVE_SINCE (8u << 10)       /* bytes in the live copy before it is folded */
#define AGE_CHECK 1024              /* events between looks at the clock */
#define MAX_AGE_S 1                 /* where there is no live file, a killed rank loses about this much at most */

struct definition {
    XXH128_hash_t key;              /* of the definition's bytes: content decides identity */
    int index;
    UT_hash_handle hh;
};

struct cs_trace_writer {
    int fd, err;                    /* err: sticky errno once the file cannot be written */
    uint32_t rank, nranks, seq;
    bool with_times;
    struct cs_bytes defs, events, out, scratch;
    struct cs_live *live;           /* what is not written yet, safe from a kill; or NULL */
    uint32_t live_len, live_events; /* in its half, and how many came since all was folded into it */
    uint32_t live_limit;            /* where it is folded anew: far below its end if there is little in it, so that few pages are touched */
    size_t defs_limit;
    uint64_t nevents;               /* since the block before */
    struct cs_trace_group *group;   /* then the file is the group's */
    struct cs_place *place;         /* of this rank in each communicator */
    struct cs_loops loops;          /* without times: what is not yet in the events section */
    uint64_t last_exit;
    struct cs_letters letters;
    struct definition *known;
    int ndefs[CS_DEF_SITE + 1];
    int16_t *calls;                 /* of the MPI table, by their numbers in this rank's stream; few are ever used */
    int calls_cap;
    ZSTD_CCtx *zstd;
    unsigned until_age_check;
    time_t last_flush;
};

static int fail(struct cs_trace_writer *w, int err)
{
    w->err = err;
    errno = err;
    return -1;
}

/* ---- blocks ---- */

static time_t now_coarse(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC_COARSE, &t);
    return t.tv_sec;
}

/* Made for a block and freed after it: it is most of the recorder's memory, and a rank needs it once or twice. */
static int start_compression(struct cs_trace_writer *w)
{
    w->zstd = ZSTD_createCCtx();
    if (!w->zstd)
        return fail(w, ENOMEM);
    ZSTD_CCtx_setParameter(w->zstd, ZSTD_c_compressionLevel, ZSTD_LEVEL);
    ZSTD_CCtx_setParameter(w->zstd, ZSTD_c_hashLog, ZSTD_TABLE_LOG);
    ZSTD_CCtx_setParameter(w->zstd, ZSTD_c_contentSizeFlag, 1);
    return 0;
}

static struct cs_shared *shared_of(const struct cs_trace_writer *w)
{
    return w->group ? &w->group->shared->sections : w->live ? w->live->shared : NULL;
}

/* Appends a section to the block being built; stores it as it is where compression does not help. */
static int pack_section(struct cs_trace_writer *w, const struct cs_bytes *section, uint32_t *stored)
{
    if (!w->zstd && start_compression(w))
        return -1;
    size_t bound = ZSTD_compressBound(section->len);
    if (cs_bytes_reserve(&w->out, bound))
        return -1;
    size_t n = ZSTD_compress2(w->zstd, w->out.data + w->out.len, bound, section->data, section->len);
    if (ZSTD_isError(n) || n >= section->len) {
        n = section->len;
        memcpy(w->out.data + w->out.len, section->data, n);
    }
    w->out.len += n;
    *stored = (uint32_t)n;
    return 0;
}

/* The same, unless another rank has written the same section: then `flag` says so. */
static int put_section(struct cs_trace_writer *w, const struct cs_bytes *section, uint32_t *stored, struct cs_key *key,
                       uint32_t *flags, uint32_t flag)
{
    struct cs_shared *shared = shared_of(w);
    *stored = 0;
    if (section->len == 0)
        return 0;
    *key = cs_section_key(section->data, section->len);
    if (shared && cs_shared_has(shared, *key)) {
        *flags |= flag;
        return 0;
    }
    return pack_section(w, section, stored);
}

static void share_sections(struct cs_trace_writer *w, const struct cs_block_header *h)
{
    struct cs_shared *shared = shared_of(w);
    if (shared && h->defs_stored)
        cs_shared_add(shared, h->defs_key);
    if (shared && h->events_stored)
        cs_shared_add(shared, h->events_key);
}

/* write(), but a limit on file sizes is an error like any other and not a signal that ends the user's program. */
static ssize_t quiet_write(int fd, const void *data, size_t len)
{
    const struct timespec now = {0, 0};
    sigset_t limit, old, pending;
    sigemptyset(&limit);
    sigaddset(&limit, SIGXFSZ);
    pthread_sigmask(SIG_BLOCK, &limit, &old);
    bool was_pending = sigpending(&pending) == 0 && sigismember(&pending, SIGXFSZ);
    ssize_t n = write(fd, data, len);
    int err = errno;
    if (n < 0 && err == EFBIG && !was_pending)
        sigtimedwait(&limit, NULL, &now);
    pthread_sigmask(SIG_SETMASK, &old, NULL);
    errno = err;
    return n;
}

/* One write() per block, so that blocks of other ranks cannot come in between. After a short write the whole block is
 * written anew; the reader skips the torn one by its checksum. */
static int append_block(int fd, const void *data, size_t len)
{
    for (int tries = 0; tries < 3;) {
        ssize_t n = quiet_write(fd, data, len);
        if (n == (ssize_t)len)
            return 0;
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return -1;
        tries++;
    }
    errno = ENOSPC;
    return -1;
}

static int put_sections(struct cs_trace_writer *w, struct cs_block_header *h)
{
    int rc = put_section(w, &w->defs, &h->defs_stored, &h->defs_key, &h->flags, CS_BLOCK_DEFS_ELSEWHERE)
        || put_section(w, &w->events, &h->events_stored, &h->events_key, &h->flags, CS_BLOCK_EVENTS_ELSEWHERE) ? -1 : 0;
    ZSTD_freeCCtx(w->zstd);
    w->zstd = NULL;
    return rc;
}

static void set_live_limit(struct cs_trace_writer *w)
{
    size_t more = w->live_len > LIVE_SINCE ? w->live_len : LIVE_SINCE, cap = w->live ? w->live->events_cap : 0;
    w->live_limit = (uint32_t)(w->live_len + more < cap ? w->live_len + more : cap);
}

static int write_block(struct cs_trace_writer *w, uint32_t flags)
{
    if (cs_loops_flush(&w->loops))
        return fail(w, ENOMEM);
    struct cs_block_header h = {.rank = w->rank, .nranks = w->nranks, .seq = w->seq,
        .flags = flags | (w->with_times ? CS_BLOCK_TIMES : 0), .nevents = w->nevents,
        .defs_raw = (uint32_t)w->defs.len, .events_raw = (uint32_t)w->events.len};
    w->out.len = 0;
    if (cs_bytes_reserve(&w->out, CS_HEADER_LEN))
        return fail(w, ENOMEM);
    w->out.len = CS_HEADER_LEN;
    if (put_sections(w, &h))
        return fail(w, ENOMEM);
    h.payload_hash = cs_trace_hash(w->out.data + CS_HEADER_LEN, w->out.len - CS_HEADER_LEN);
    cs_header_encode(&h, w->out.data);
    if (append_block(w->fd, w->out.data, w->out.len))
        return fail(w, errno);
    share_sections(w, &h);
    w->seq++;
    w->defs.len = w->events.len = 0;
    w->nevents = 0;
    w->live_len = w->live_events = 0;
    w->last_flush = now_coarse();
    if (w->live)
        cs_live_begin(w->live, w->seq);
    set_live_limit(w);
    return 0;
}

int cs_trace_flush(struct cs_trace_writer *w)
{
    if (w->err)
        return fail(w, w->err);
    if (w->defs.len == 0 && w->events.len == 0 && w->nevents == 0)
        return 0;
    return write_block(w, 0);
}

/* ---- the copy that survives a kill ---- */

/* For a definition that is larger than its room: from now on without. */
static void leave_live(struct cs_trace_writer *w)
{
    cs_live_close(w->live, false);
    w->live = NULL;
    w->defs_limit = BUFFER;
}

/* In the group's memory, or in the file beside `path`. */
static void enter_live(struct cs_trace_writer *w, const char *path)
{
    struct cs_block_header h = {.rank = w->rank, .nranks = w->nranks, .flags = w->with_times ? CS_BLOCK_TIMES : 0};
    if (w->group)
        w->live = w->group->live.fd >= 0 ? cs_live_in(&w->group->live, &h) : NULL;
    else
        w->live = cs_live_open(path, &h);
    w->defs_limit = w->live ? CS_LIVE_DEFS : BUFFER;
    if (w->live)
        cs_live_begin(w->live, w->seq);
    set_live_limit(w);
}

/* The half in use is full: everything goes, folded, into the other one, or into the file if it is much even so. */
static int renew_live(struct cs_trace_writer *w)
{
    struct cs_bytes *b = &w->scratch;
    b->len = 0;
    if (w->with_times)
        return cs_trace_flush(w);
    if (cs_bytes_put(b, w->events.data, w->events.len) || cs_loops_peek(&w->loops, b))
        return fail(w, ENOMEM);
    if (b->len > w->live->events_cap / 2)
        return cs_trace_flush(w);
    cs_live_replace(w->live, b->data, (uint32_t)b->len, w->nevents);
    w->live_len = (uint32_t)b->len;
    w->live_events = 0;
    set_live_limit(w);
    return 0;
}

/* Copies what was just recorded, in whatever form; `events` is 1 if this completes an event. */
static inline int put_live(struct cs_trace_writer *w, const void *p, size_t n, uint32_t events)
{
    if (!w->live)
        return 0;
    if (n > w->live_limit - w->live_len || w->live_events == UINT32_MAX)
        return renew_live(w);
    memcpy(w->live->events + w->live_len, p, n);
    w->live_len += (uint32_t)n;
    w->live_events += events;
    cs_live_publish(w->live, w->live_len, w->live_events);
    return 0;
}

static int events_room(struct cs_trace_writer *w, size_t n)
{
    return cs_bytes_reserve(&w->events, n) ? fail(w, ENOMEM) : 0;
}

/* ---- definitions ---- */

/* Starts a definition in the scratch buffer. */
static int begin_def(struct cs_trace_writer *w, enum cs_def_code code)
{
    w->scratch.len = 0;
    return w->err ? fail(w, w->err) : cs_bytes_varint(&w->scratch, code);
}

static int emit_def(struct cs_trace_writer *w)
{
    if (w->scratch.len > CS_MAX_SECTION)
        return fail(w, EFBIG);
    if (w->defs.len + w->scratch.len > w->defs_limit && cs_trace_flush(w))
        return -1;
    size_t at = w->defs.len;
    if (cs_bytes_put(&w->defs, w->scratch.data, w->scratch.len))
        return fail(w, ENOMEM);
    if (w->live && cs_live_def(w->live, at, w->scratch.data, w->scratch.len))
        leave_live(w);
    return 0;
}

/* Emits what begin_def started unless the rank has it already; returns its index. */
static int intern_def(struct cs_trace_writer *w, enum cs_def_code code)
{
    XXH128_hash_t key = XXH3_128bits(w->scratch.data, w->scratch.len);
    struct definition *d;
    HASH_FIND(hh, w->known, &key, sizeof key, d);
    if (d)
        return d->index;
    d = calloc(1, sizeof *d);
    if (!d)
        return fail(w, ENOMEM);
    if (emit_def(w)) {
        free(d);
        return -1;
    }
    d->key = key;
    d->index = w->ndefs[code]++;
    HASH_ADD(hh, w->known, key, sizeof d->key, d);
    return d->index;
}

int cs_trace_def_type(struct cs_trace_writer *w, const char *signature, int64_t size, int64_t extent)
{
    struct cs_bytes *b = &w->scratch;
    if (begin_def(w, CS_DEF_TYPE))
        return -1;
    if (cs_bytes_string(b, signature) || cs_bytes_varint(b, cs_zigzag(size)) || cs_bytes_varint(b, cs_zigzag(extent)))
        return fail(w, ENOMEM);
    return intern_def(w, CS_DEF_TYPE);
}

static int put_ranks(struct cs_bytes *b, const struct cs_ranges *r)
{
    if (cs_bytes_varint(b, (uint64_t)r->total))
        return -1;
    for (int i = 0; i < r->n; i++) {
        const struct cs_range *p = &r->range[i];
        if (cs_bytes_varint(b, cs_zigzag(p->start)) || cs_bytes_varint(b, cs_zigzag(p->len > 1 ? p->stride : 0))
            || cs_bytes_varint(b, (uint64_t)p->len))
            return -1;
    }
    return 0;
}

static int remember_place(struct cs_trace_writer *w, int index, struct cs_place place)
{
    struct cs_place *p = realloc(w->place, (size_t)w->ndefs[CS_DEF_COMM] * sizeof *p);
    if (!p)
        return fail(w, ENOMEM);
    w->place = p;
    p[index] = place;
    return 0;
}

int cs_trace_def_comm_ranges(struct cs_trace_writer *w, const char *path, const struct cs_ranges *world_ranks)
{
    if (begin_def(w, CS_DEF_COMM))
        return -1;
    if (cs_bytes_string(&w->scratch, path) || put_ranks(&w->scratch, world_ranks))
        return fail(w, ENOMEM);
    int index = intern_def(w, CS_DEF_COMM);
    struct cs_place place = {cs_ranges_find(world_ranks, (int)w->rank), world_ranks->total};
    return index < 0 || remember_place(w, index, place) ? -1 : index;
}

int cs_trace_def_comm(struct cs_trace_writer *w, const char *path, int nranks, const int *world_ranks)
{
    struct cs_ranges r = {0};
    int index = 0;
    for (int i = 0; i < nranks && index == 0; i++)
        index = cs_ranges_add(&r, world_ranks[i]);
    index = index ? fail(w, ENOMEM) : cs_trace_def_comm_ranges(w, path, &r);
    cs_ranges_free(&r);
    return index;
}

int cs_trace_def_op(struct cs_trace_writer *w, const char *name)
{
    if (begin_def(w, CS_DEF_OP))
        return -1;
    if (cs_bytes_string(&w->scratch, name))
        return fail(w, ENOMEM);
    return intern_def(w, CS_DEF_OP);
}

int cs_trace_def_site(struct cs_trace_writer *w, const char *file, int line, const char *func)
{
    struct cs_bytes *b = &w->scratch;
    if (begin_def(w, CS_DEF_SITE))
        return -1;
    if (cs_bytes_string(b, file) || cs_bytes_varint(b, cs_zigzag(line)) || cs_bytes_string(b, func))
        return fail(w, ENOMEM);
    return intern_def(w, CS_DEF_SITE);
}

static int number_call(struct cs_trace_writer *w, int call)
{
    int n = w->ndefs[CS_DEF_CALL];
    if (n == w->calls_cap) {
        int cap = n ? 2 * n : 8;
        int16_t *p = realloc(w->calls, (size_t)cap * sizeof *p);
        if (!p)
            return fail(w, ENOMEM);
        w->calls = p;
        w->calls_cap = cap;
    }
    if (begin_def(w, CS_DEF_CALL))
        return -1;
    if (cs_bytes_string(&w->scratch, cs_mpi_call(call)->name))
        return fail(w, ENOMEM);
    w->calls[n] = (int16_t)call;
    return intern_def(w, CS_DEF_CALL);
}

/* The number of a call in this rank's stream; defines it by name at its first use. Only asked for new letters. */
static int call_number(struct cs_trace_writer *w, int call)
{
    if (call < 0 || call >= cs_mpi_ncalls()) {
        errno = EINVAL;
        return -1;
    }
    for (int i = w->ndefs[CS_DEF_CALL] - 1; i >= 0; i--)
        if (w->calls[i] == call)
            return i;
    return number_call(w, call);
}

int cs_trace_set_info(struct cs_trace_writer *w, const struct cs_run_info *info)
{
    const char *text[] = {info->program, info->args, info->kind, info->engine, info->assumptions, info->versions};
    if (begin_def(w, CS_DEF_INFO))
        return -1;
    for (size_t i = 0; i < sizeof text / sizeof *text; i++)
        if (cs_bytes_string(&w->scratch, text[i]))
            return fail(w, ENOMEM);
    return emit_def(w);
}

/* ---- events ---- */

static struct cs_place place_in(const void *arg, int64_t comm)
{
    const struct cs_trace_writer *w = arg;
    return comm < w->ndefs[CS_DEF_COMM] ? w->place[comm] : (struct cs_place){-1, 0};
}

static int put_letter(struct cs_trace_writer *w, const struct cs_event *e, int call)
{
    struct cs_bytes *b = &w->events;
    if (events_room(w, CS_VARINT_MAX * (5 + (size_t)e->nfields)))
        return -1;
    size_t at = b->len;
    int64_t few[64], *fields = e->nfields <= 64 ? few : malloc((size_t)e->nfields * sizeof *fields);
    if (!fields)
        return fail(w, ENOMEM);
    if (e->nfields)
        memcpy(fields, e->fields, (size_t)e->nfields * sizeof *fields);
    cs_peers_shift(e->call, fields, e->nfields, true, place_in, w);
    unsigned char *p = b->data + at;
    *p++ = CS_REC_LETTER;
    p = cs_put_varint(p, (uint64_t)call);
    p = cs_put_varint(p, (uint64_t)e->mark);
    p = cs_put_varint(p, (uint64_t)(e->site + 1));
    p = cs_put_varint(p, (uint64_t)e->nfields);
    for (int i = 0; i < e->nfields; i++)
        p = cs_put_varint(p, cs_zigzag(fields[i]));
    if (fields != few)
        free(fields);
    b->len = (size_t)(p - b->data);
    return put_live(w, b->data + at, b->len - at, 0);
}

static int forget_letters(struct cs_trace_writer *w)
{
    if (cs_trace_flush(w) || events_room(w, 1))
        return -1;
    cs_letters_reset(&w->letters);
    w->events.data[w->events.len++] = CS_REC_RESET;
    return put_live(w, w->events.data, 1, 0);
}

static int new_letter(struct cs_trace_writer *w, const struct cs_event *e, uint64_t hash)
{
    if (e->mark < 0 || e->mark > CS_MARK_CONTENT
        || e->site < -1 || e->site >= w->ndefs[CS_DEF_SITE]) {
        errno = EINVAL;
        return -1;
    }
    int call = call_number(w, e->call);
    if (call < 0)
        return -1;
    if (cs_letters_full(&w->letters, e) && forget_letters(w))
        return -1;
    if (put_letter(w, e, call))
        return -1;
    return cs_letters_add(&w->letters, e, hash) ? fail(w, ENOMEM) : 0;
}

/* The event's letter, which it gets if it is new; -1 on error. In a known loop one comparison finds it. */
static inline int64_t letter_of(struct cs_trace_writer *w, const struct cs_event *e)
{
    if (cs_letters_is(&w->letters, w->loops.next, e))
        return w->loops.next;
    if (e->nfields < 0 || e->nfields > CS_MAX_FIELDS) {
        errno = EINVAL;
        return -1;
    }
    uint64_t hash = cs_letters_hash(e);
    int64_t letter = cs_letters_find(&w->letters, e, hash);
    if (letter >= 0)
        return letter;
    return new_letter(w, e, hash) ? -1 : (int64_t)w->letters.n - 1;
}

static int flush_if_old(struct cs_trace_writer *w)
{
    w->until_age_check = AGE_CHECK;
    return !w->live && now_coarse() - w->last_flush > MAX_AGE_S ? cs_trace_flush(w) : 0;
}

/* Times do not fold: each event is written with them. */
static unsigned char *put_times(struct cs_trace_writer *w, const struct cs_event *e, unsigned char *p)
{
    p = cs_put_varint(p, cs_zigzag((int64_t)((uint64_t)e->t_enter - w->last_exit)));
    p = cs_put_varint(p, cs_zigzag((int64_t)((uint64_t)e->t_exit - (uint64_t)e->t_enter)));
    w->last_exit = (uint64_t)e->t_exit;
    return p;
}

int cs_trace_event(struct cs_trace_writer *w, const struct cs_event *e)
{
    unsigned char code[EVENT_ROOM];
    if (w->err)
        return fail(w, w->err);
    int64_t letter = letter_of(w, e);
    if (letter < 0)
        return -1;
    unsigned char *p = code;
    if (w->with_times && e->t_lost > 0) {
        *p++ = CS_REC_LOST;
        p = cs_put_varint(p, (uint64_t)e->t_lost);
    }
    p = cs_put_varint(p, CS_REC_EVENT + 2 * (uint64_t)letter);
    if (w->with_times) {
        p = put_times(w, e, p);
        if (cs_bytes_put(&w->events, code, (size_t)(p - code)))
            return fail(w, ENOMEM);
    } else if (cs_loops_letter(&w->loops, (uint32_t)letter)) {
        return fail(w, ENOMEM);
    }
    w->nevents++;
    if (put_live(w, code, (size_t)(p - code), 1))
        return -1;
    if (w->events.len >= BUFFER)
        return cs_trace_flush(w);
    return --w->until_age_check ? 0 : flush_if_old(w);
}

/* ---- life ---- */

static void free_writer(struct cs_trace_writer *w)
{
    struct definition *d, *next;
    HASH_ITER(hh, w->known, d, next) {
        HASH_DEL(w->known, d);
        free(d);
    }
    if (w->fd >= 0 && !w->group)
        close(w->fd);
    free(w->place);
    ZSTD_freeCCtx(w->zstd);
    cs_loops_free(&w->loops);
    cs_letters_free(&w->letters);
    cs_bytes_free(&w->defs);
    if (w->live)
        cs_live_close(w->live, w->err);     /* what a full disk did not take may be saved later */
    cs_bytes_free(&w->events);
    cs_bytes_free(&w->out);
    cs_bytes_free(&w->scratch);
    free(w->calls);
    free(w);
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
    w->defs_limit = BUFFER;
    w->loops.next = CS_NO_LETTER;
    w->loops.out = &w->events;
    w->last_flush = now_coarse();
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
    w->fd = cs_trace_open_to_append(path);
    /* The first block goes out at once: a full disk is known early, and a rank that dies soon is not "missing". */
    if (w->fd < 0 || (rank == 0 && cs_trace_set_info(w, info)) || write_block(w, 0))
        return give_up(w);
    enter_live(w, path);
    return w;
}

struct cs_trace_writer *cs_trace_create_in(struct cs_trace_group *g, int rank, const struct cs_run_info *info)
{
    struct cs_trace_writer *w = new_writer(rank, info);
    if (!w)
        return NULL;
    w->group = g;
    w->fd = g->fd;
    if (rank == 0 && (cs_trace_set_info(w, info) || write_block(w, 0)))
        return give_up(w);
    enter_live(w, NULL);
    return w;
}

int cs_trace_close(struct cs_trace_writer *w)
{
    int err = w->err ? w->err : write_block(w, CS_BLOCK_LAST) ? w->err : 0;
    if (!w->group && close(w->fd) && !err)
        err = errno;
    w->fd = -1;
    free_writer(w);
    errno = err;
    return err ? -1 : 0;
}
