/* SPDX-License-Identifier: BSD-3-Clause
 * Opens a trace: finds the sound blocks, sorts them by rank, and answers questions about ranks and definitions.
 * Reads the whole file once for its checksums; memory grows with blocks and definitions, not with events. */
#define _GNU_SOURCE 1
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <uthash.h>
#include <zstd.h>

#include "api/mpi_calls.h"
#include "base/tape_file.h"
#include "base/grow.h"
#include "trace/read/read_internal.h"

#define WINDOW (64u << 10) /* bytes looked at in one go when searching for the next block */
#define HASH_BUDGET 8      /* times the file's size: what checking overlapping false blocks may cost */

/* ---- sections ---- */

/* A section that is in the file. */
struct cs_stored {
    struct cs_key key;
    uint64_t at;          /* file offset */
    uint32_t stored, raw; /* bytes in the file, and unpacked; equal: it is not compressed */
    UT_hash_handle hh;
};

static int add_stored(struct cs_trace *t, struct cs_key key, uint64_t at, uint32_t stored, uint32_t raw)
{
    struct cs_stored *s;
    HASH_FIND(hh, t->stored, &key, sizeof key, s);
    if (s || stored == 0)
        return 0;
    s = calloc(1, sizeof *s);
    if (!s)
        return -1;
    *s = (struct cs_stored){.key = key, .at = at, .stored = stored, .raw = raw};
    HASH_ADD(hh, t->stored, key, sizeof s->key, s);
    return 0;
}

static void free_stored(struct cs_trace *t)
{
    struct cs_stored *s, *next;
    HASH_ITER (hh, t->stored, s, next) {
        HASH_DEL(t->stored, s);
        free(s);
    }
}

/* Finds where a block's section is stored: in the block itself, or in another one. False if that one is missing. */
static bool find_section(const struct cs_trace *t, const struct cs_own_block *b, bool events, struct cs_stored *out)
{
    const struct cs_block_header *h = &b->h;
    struct cs_stored *s;
    *out = (struct cs_stored){.key = events ? h->events_key : h->defs_key,
                              .at = b->payload + (events ? h->defs_stored : 0),
                              .stored = events ? h->events_stored : h->defs_stored,
                              .raw = events ? h->events_raw : h->defs_raw};
    if (!(h->flags & (events ? CS_BLOCK_EVENTS_ELSEWHERE : CS_BLOCK_DEFS_ELSEWHERE)))
        return true;
    HASH_FIND(hh, t->stored, &out->key, sizeof out->key, s);
    if (!s || s->raw != out->raw)
        return false;
    *out = *s;
    return true;
}

int cs_read_section(const struct cs_trace *t, const struct cs_trace_block *b, bool events, struct cs_bytes *out)
{
    struct cs_stored s;
    int rc = -1;
    unsigned char *packed = NULL;
    out->len = 0;
    if (b->cls)
        return cs_block_class_section(b->cls, events ? &b->cls->events : &b->cls->defs, b->nth, out);
    if (!find_section(t, b->own, events, &s) || cs_bytes_reserve(out, s.raw ? s.raw : 1))
        return -1;
    if (s.stored == s.raw) {
        rc = cs_read_at(t->fd, s.at, out->data, s.raw);
    } else {
        packed = malloc(s.stored ? s.stored : 1);
        if (packed && cs_read_at(t->fd, s.at, packed, s.stored) == 0)
            rc = ZSTD_decompressDCtx(t->zstd, out->data, s.raw, packed, s.stored) == s.raw ? 0 : -1;
    }
    free(packed);
    out->len = rc ? 0 : s.raw;
    return rc;
}

/* The key of a class's section as the block has it. */
static int class_key(const struct cs_trace *t, const struct cs_trace_block *b, bool events, struct cs_key *key)
{
    struct cs_bytes raw = {0};
    int rc = cs_read_section(t, b, events, &raw);
    if (rc == 0)
        *key = cs_section_key(raw.data, raw.len);
    cs_bytes_free(&raw);
    return rc;
}

int cs_block_keys(const struct cs_trace *t, const struct cs_trace_block *b, struct cs_key *defs, struct cs_key *events)
{
    if (b->cls)
        return class_key(t, b, false, defs) || class_key(t, b, true, events) ? -1 : 0;
    *defs = b->own->h.defs_key;
    *events = b->own->h.events_key;
    return 0;
}

/* ---- finding blocks ---- */

/* A search through the file, from offset `off` on. */
struct scan {
    struct cs_trace *t;
    uint64_t off, budget; /* budget: bytes that may still be hashed */
    unsigned char *buf;   /* payload under test */
    size_t cap;
    char *errbuf;
    size_t errlen;
};

static int add_block(struct cs_trace *t, const struct cs_own_block *b)
{
    if (!CS_MAKE_ROOM(t->own, t->nown, t->own_cap))
        return -1;
    t->own[t->nown++] = *b;
    return add_stored(t, b->h.defs_key, b->payload, b->h.defs_stored, b->h.defs_raw) ||
                   add_stored(t, b->h.events_key, b->payload + b->h.defs_stored, b->h.events_stored, b->h.events_raw)
               ? -1
               : 0;
}

/* Adds a block whose payload has been checked. 1; 0: it is not sound; -1: no memory. */
static int add_sound(struct scan *s, const struct cs_own_block *b)
{
    if (b->h.flags & CS_BLOCK_CLASSES)
        return cs_classes_take(s->t, &b->h, s->buf);
    s->t->failed |= (b->h.flags & CS_BLOCK_FAILED) != 0;
    return add_block(s->t, b) ? -1 : 1;
}

/* Takes the block at the scan's offset, if a sound one is there, and moves the scan past it. 1: it did; 0: there is
 * none; -1: error, with a reason. */
static int take_block(struct scan *s)
{
    unsigned char head[CS_HEADER_LEN];
    struct cs_own_block b;
    uint64_t left = s->t->size - s->off;
    if (left < CS_HEADER_LEN)
        return 0;
    if (cs_read_at(s->t->fd, s->off, head, sizeof head))
        return cs_error_text(s->errbuf, s->errlen, "cannot read: %s", strerror(errno));
    if (!cs_header_decode(&b.h, head))
        return 0;
    size_t n = (size_t)b.h.defs_stored + b.h.events_stored;
    if (n > left - CS_HEADER_LEN)
        return 0;
    if (n > s->budget)
        return cs_error_text(s->errbuf, s->errlen, "damaged beyond reading");
    s->budget -= n;
    b.payload = s->off + CS_HEADER_LEN;
    if (!CS_MAKE_ROOM_FOR(s->buf, n, s->cap))
        return cs_error_text(s->errbuf, s->errlen, "not enough memory");
    if (cs_read_at(s->t->fd, b.payload, s->buf, n))
        return cs_error_text(s->errbuf, s->errlen, "cannot read: %s", strerror(errno));
    if (cs_trace_hash(s->buf, n) != b.h.payload_hash)
        return 0;
    int rc = add_sound(s, &b);
    if (rc < 0)
        return cs_error_text(s->errbuf, s->errlen, "not enough memory");
    if (rc == 0)
        return 0;
    s->off = b.payload + n;
    s->t->sound += CS_HEADER_LEN + n;
    return 1;
}

/* Moves the scan to the next place after its own where a block may start, or to the end. */
static int seek_magic(struct scan *s)
{
    unsigned char win[WINDOW];
    for (s->off++; s->off < s->t->size;) {
        uint64_t left = s->t->size - s->off;
        size_t n = left < WINDOW ? (size_t)left : WINDOW;
        if (cs_read_at(s->t->fd, s->off, win, n))
            return cs_error_text(s->errbuf, s->errlen, "cannot read: %s", strerror(errno));
        unsigned char *hit = memmem(win, n, CS_TRACE_MAGIC, CS_TRACE_MAGIC_LEN);
        if (hit) {
            s->off += (uint64_t)(hit - win);
            return 0;
        }
        if (n == left)
            s->off = s->t->size;
        else
            s->off += n - (CS_TRACE_MAGIC_LEN - 1);
    }
    return 0;
}

static int find_blocks(struct cs_trace *t, char *errbuf, size_t errlen)
{
    struct scan s = {.t = t, .budget = HASH_BUDGET * t->size, .errbuf = errbuf, .errlen = errlen};
    int rc = 0;
    while (rc >= 0 && s.off < t->size) {
        rc = take_block(&s);
        if (rc == 0)
            rc = seek_magic(&s);
    }
    free(s.buf);
    return rc < 0 ? -1 : 0;
}

/* ---- ranks ---- */

static int by_rank_and_seq(const void *pa, const void *pb)
{
    const struct cs_trace_block *a = pa, *b = pb;
    if (a->rank != b->rank)
        return a->rank < b->rank ? -1 : 1;
    return (a->seq > b->seq) - (a->seq < b->seq);
}

/* Checks that all blocks, which are sorted, are of one run. 0, or -1 and a reason. */
static int check_one_run(const struct cs_trace *t, char *errbuf, size_t errlen)
{
    bool same = true;
    for (size_t i = 1; i < t->nown; i++)
        same &= t->own[i].h.nranks == t->own[0].h.nranks;
    for (size_t i = 0; i < t->nclasses; i++)
        same &= t->classes[i].nranks == (uint32_t)t->info.nranks;
    for (size_t i = 1; i < t->nblocks && same; i++) {
        const struct cs_trace_block *a = &t->block[i - 1], *b = &t->block[i];
        same = !((a->flags ^ b->flags) & CS_BLOCK_TIMES) && !(a->rank == b->rank && a->seq == b->seq);
    }
    return same ? 0 : cs_error_text(errbuf, errlen, "holds blocks of more than one run; record again into a new file");
}

/* Are both sections of the block there? One that is stored in another block is not if that block is damaged. */
static bool is_whole(const struct cs_trace *t, const struct cs_trace_block *b)
{
    struct cs_stored s;
    return b->cls || (find_section(t, b->own, false, &s) && find_section(t, b->own, true, &s));
}

/* Takes the rank's blocks, from `first` on, up to the first gap; returns where the next rank starts. */
static size_t take_rank(struct cs_trace *t, struct cs_trace_rank *r, size_t first)
{
    size_t i = first;
    r->rank = (int)t->block[first].rank;
    r->block = &t->block[first];
    while (i < t->nblocks && (int)t->block[i].rank == r->rank && t->block[i].seq == i - first && !r->complete &&
           is_whole(t, &t->block[i])) {
        r->complete = t->block[i].flags & CS_BLOCK_LAST;
        r->nevents += (int64_t)t->block[i].nevents;
        i++;
    }
    r->nblocks = i - first;
    while (i < t->nblocks && (int)t->block[i].rank == r->rank)
        i++;
    return i;
}

/* A rank whose definitions have been read, by their key. */
struct known_defs {
    struct cs_key key;
    const struct cs_trace_rank *rank;
    UT_hash_handle hh;
};

static void free_known(struct known_defs *known)
{
    struct known_defs *k, *next;
    HASH_ITER (hh, known, k, next) {
        HASH_DEL(known, k);
        free(k);
    }
}

/* The rank gets the tables of the other one, but for segments, which are read when they are asked for. */
static void share_defs(struct cs_trace_rank *r, const struct cs_trace_rank *with)
{
    struct cs_trace_rank own = *r;
    *r = *with;
    r->rank = own.rank;
    r->complete = own.complete;
    r->block = own.block;
    r->nblocks = own.nblocks;
    r->nevents = own.nevents;
    r->segment = NULL;
    r->shares = true;
}

/* Reads the rank's definitions, or takes the tables of a rank with the same ones. */
static int take_defs(struct cs_trace *t, struct cs_trace_rank *r, struct known_defs **known, char *errbuf,
                     size_t errlen)
{
    struct cs_key key;
    struct known_defs *k;
    if (cs_defs_key(t, r, &key))
        return cs_error_text(errbuf, errlen, "not enough memory");
    HASH_FIND(hh, *known, &key, sizeof key, k);
    if (k) {
        share_defs(r, k->rank);
        return 0;
    }
    if (cs_read_defs(t, r, errbuf, errlen))
        return -1;
    k = calloc(1, sizeof *k);
    if (!k)
        return cs_error_text(errbuf, errlen, "not enough memory");
    k->key = key;
    k->rank = r;
    HASH_ADD(hh, *known, key, sizeof k->key, k);
    return 0;
}

static int take_ranks(struct cs_trace *t, char *errbuf, size_t errlen)
{
    struct known_defs *known = NULL;
    int rc = 0;
    for (size_t i = 0; i < t->nblocks && rc == 0;) {
        struct cs_trace_rank *r = &t->rank[t->nranks++];
        i = take_rank(t, r, i);
        rc = take_defs(t, r, &known, errbuf, errlen);
    }
    free_known(known);
    return rc;
}

static int index_ranks(struct cs_trace *t, char *errbuf, size_t errlen)
{
    if (cs_classes_list_blocks(t))
        return cs_error_text(errbuf, errlen, "not enough memory");
    qsort(t->block, t->nblocks, sizeof *t->block, by_rank_and_seq);
    t->info.nranks = (int)(t->nown ? t->own[0].h.nranks : t->classes[0].nranks);
    t->info.with_times = t->block[0].flags & CS_BLOCK_TIMES;
    if (check_one_run(t, errbuf, errlen))
        return -1;
    size_t n = 1;
    for (size_t i = 1; i < t->nblocks; i++)
        n += t->block[i].rank != t->block[i - 1].rank;
    t->rank = calloc(n, sizeof *t->rank);
    if (!t->rank)
        return cs_error_text(errbuf, errlen, "not enough memory");
    return take_ranks(t, errbuf, errlen);
}

/* Sets the reason why no block was found: the file is a trace of another version, or none at all. Returns -1. */
static int no_block(const struct cs_trace *t, char *errbuf, size_t errlen)
{
    char magic[CS_TRACE_MAGIC_LEN];
    if (t->size >= sizeof magic && cs_read_at(t->fd, 0, magic, sizeof magic) == 0 &&
        memcmp(magic, CS_TRACE_MAGIC, sizeof magic - 1) == 0 &&
        magic[sizeof magic - 1] != CS_TRACE_MAGIC[sizeof magic - 1])
        return cs_error_text(errbuf, errlen,
                             "a trace of format version %c, which this commslice does not read; record it again",
                             magic[sizeof magic - 1]);
    return cs_error_text(errbuf, errlen, "not a commslice trace, or damaged from beginning to end");
}

static int open_file(struct cs_trace *t, const char *path, char *errbuf, size_t errlen)
{
    struct stat st;
    t->fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (t->fd < 0 || fstat(t->fd, &st))
        return cs_error_text(errbuf, errlen, "%s", strerror(errno));
    if (!S_ISREG(st.st_mode))
        return cs_error_text(errbuf, errlen, "not a regular file");
    t->size = (uint64_t)st.st_size;
    if (t->size == 0)
        return cs_error_text(errbuf, errlen, "empty file");
    if (find_blocks(t, errbuf, errlen))
        return -1;
    if (t->nown == 0 && t->nclasses == 0)
        return no_block(t, errbuf, errlen);
    return index_ranks(t, errbuf, errlen);
}

/* A trace without anything in it; NULL: no memory. */
static struct cs_trace *new_trace(void)
{
    struct cs_trace *t = calloc(1, sizeof *t);
    struct cs_peers *peers = malloc((size_t)cs_mpi_ncalls() * sizeof *peers);
    if (!t || !peers || !(t->zstd = ZSTD_createDCtx())) {
        free(t);
        free(peers);
        return NULL;
    }
    for (int i = 0; i < cs_mpi_ncalls(); i++)
        peers[i] = cs_peers_of(i);
    t->peers = peers;
    return t;
}

struct cs_trace *cs_trace_open(const char *path, char *errbuf, size_t errlen)
{
    struct cs_trace *t = new_trace();
    if (!t) {
        cs_error_text(errbuf, errlen, "not enough memory");
        return NULL;
    }
    t->fd = -1;
    if (open_file(t, path, errbuf, errlen)) {
        cs_trace_free(t);
        return NULL;
    }
    return t;
}

void cs_trace_free(struct cs_trace *t)
{
    if (!t)
        return;
    for (size_t i = 0; i < t->nranks; i++)
        cs_free_defs(&t->rank[i]);
    cs_pool_free(&t->pool);
    free_stored(t);
    cs_classes_free(t);
    free(t->rank);
    free(t->peers);
    ZSTD_freeDCtx(t->zstd);
    free(t->block);
    free(t->own);
    if (t->fd >= 0)
        close(t->fd);
    free(t);
}

/* ---- questions ---- */

const struct cs_trace_rank *cs_trace_find_rank(const struct cs_trace *t, int rank)
{
    size_t lo = 0, hi = t->nranks;
    if (rank >= 0 && (size_t)rank < hi && t->rank[rank].rank == rank)
        return &t->rank[rank]; /* as where all ranks are there */
    while (lo < hi) {
        size_t mid = (lo + hi) / 2;
        if (t->rank[mid].rank < rank)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo < t->nranks && t->rank[lo].rank == rank ? &t->rank[lo] : NULL;
}

const struct cs_run_info *cs_trace_info(const struct cs_trace *t)
{
    return &t->info;
}

int64_t cs_trace_damaged(const struct cs_trace *t)
{
    return (int64_t)(t->size - t->sound);
}

enum cs_rank_state cs_trace_rank_state(const struct cs_trace *t, int rank)
{
    const struct cs_trace_rank *r = cs_trace_find_rank(t, rank);
    return !r ? CS_RANK_MISSING : r->complete && !t->failed ? CS_RANK_COMPLETE : CS_RANK_CUT;
}

int cs_trace_replayed(const struct cs_trace *t)
{
    const char *engine = t->info.engine;
    int r = 0;
    if (!engine || strncmp(engine, CS_ENGINE_REPLAY, strlen(CS_ENGINE_REPLAY)) != 0)
        return -1;
    while (r < t->info.nranks - 1 && !cs_trace_find_rank(t, r))
        r++;
    return r;
}

bool cs_trace_failed(const struct cs_trace *t)
{
    return t->failed;
}

int64_t cs_trace_nevents(const struct cs_trace *t, int rank)
{
    const struct cs_trace_rank *r = cs_trace_find_rank(t, rank);
    return r ? r->nevents : 0;
}

const struct cs_site *cs_trace_site(const struct cs_trace *t, int rank, int site)
{
    const struct cs_trace_rank *r = cs_trace_find_rank(t, rank);
    return r && site >= 0 && site < r->nsites ? &r->site[site] : NULL;
}

const struct cs_type_def *cs_trace_type(const struct cs_trace *t, int rank, int type)
{
    const struct cs_trace_rank *r = cs_trace_find_rank(t, rank);
    return r && type >= 0 && type < r->ntypes ? &r->type[type] : NULL;
}

const struct cs_comm_def *cs_trace_comm(const struct cs_trace *t, int rank, int comm)
{
    const struct cs_trace_rank *r = cs_trace_find_rank(t, rank);
    return r && comm >= 0 && comm < r->ncomms ? &r->comm[comm] : NULL;
}

const char *cs_trace_op(const struct cs_trace *t, int rank, int op)
{
    const struct cs_trace_rank *r = cs_trace_find_rank(t, rank);
    return r && op >= 0 && op < r->nops ? r->op[op] : NULL;
}

int cs_trace_ncounters(const struct cs_trace *t, int rank)
{
    const struct cs_trace_rank *r = cs_trace_find_rank(t, rank);
    return r ? r->ncounters : 0;
}

const struct cs_counter_def *cs_trace_counter(const struct cs_trace *t, int rank, int counter)
{
    const struct cs_trace_rank *r = cs_trace_find_rank(t, rank);
    return r && counter >= 0 && counter < r->ncounters ? &r->counter[counter] : NULL;
}

int cs_trace_nsegments(const struct cs_trace *t, int rank)
{
    const struct cs_trace_rank *r = cs_trace_find_rank(t, rank);
    return r ? r->nsegments : 0;
}

const struct cs_segment *cs_trace_segment(const struct cs_trace *t, int rank, int segment)
{
    struct cs_trace_rank *r = (struct cs_trace_rank *)cs_trace_find_rank(t, rank);
    if (!r || segment < 0 || segment >= r->nsegments)
        return NULL;
    char err[256];
    if (!r->segment && cs_read_segments((struct cs_trace *)t, r, err, sizeof err)) { /* the reader's own memory */
        fprintf(stderr, "commslice: trace: %s\n", err);
        exit(2);
    }
    return &r->segment[segment];
}
