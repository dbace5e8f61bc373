/* SPDX-License-Identifier: BSD-3-Clause
 * Block classes of an open trace: unpacks the blocks that hold them, and lists the blocks of ranks. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#include "base/grow.h"
#include "trace/read/read_internal.h"

static void free_block(struct cs_unpacked_classes *b)
{
    for (uint32_t i = 0; i < b->ncls; i++)
        cs_block_class_free(&b->cls[i]);
    free(b->cls);
    free(b->bytes);
}

void cs_classes_free(struct cs_trace *t)
{
    for (size_t i = 0; i < t->nclasses; i++)
        free_block(&t->classes[i]);
    free(t->classes);
}

static bool unpack(const struct cs_block_header *h, const unsigned char *payload, unsigned char *to)
{
    if (h->defs_stored != h->defs_raw)
        return ZSTD_decompress(to, h->defs_raw, payload, h->defs_stored) == h->defs_raw;
    memcpy(to, payload, h->defs_raw);
    return true;
}

static int decode(struct cs_unpacked_classes *b, size_t len)
{
    struct cs_cursor c = {.p = b->bytes, .end = b->bytes + len};
    for (;;) {
        if (!CS_ONE_MORE(b->cls, b->ncls))
            return -1;
        int rc = cs_block_class_decode(&b->cls[b->ncls], &c, b->nranks);
        if (rc <= 0)
            return rc < 0 ? 0 : 1;
        b->ncls++;
    }
}

int cs_classes_take(struct cs_trace *t, const struct cs_block_header *h, const unsigned char *payload)
{
    struct cs_unpacked_classes b = {.nranks = h->nranks, .seq = h->seq, .bytes = malloc((size_t)h->defs_raw + 1)};
    if (!b.bytes || !CS_MAKE_ROOM(t->classes, t->nclasses, t->classes_cap)) {
        free(b.bytes);
        return -1;
    }
    int rc = h->defs_raw && h->events_raw == 0 && unpack(h, payload, b.bytes) ? decode(&b, h->defs_raw) : 0;
    if (rc == 1)
        t->classes[t->nclasses++] = b;
    else
        free_block(&b);
    return rc;
}

static void add_class(struct cs_trace *t, const struct cs_block_class *c)
{
    for (uint32_t i = 0; i < c->nranks; i++)
        t->block[t->nblocks++] = (struct cs_trace_block){.rank = (uint32_t)cs_column_at(&c->column[c->ranks], i),
                                                         .seq = c->seq,
                                                         .flags = c->flags,
                                                         .nth = i,
                                                         .nevents = cs_column_at(&c->column[c->nevents_column], i),
                                                         .cls = c};
}

static void add_own(struct cs_trace *t, const struct cs_own_block *b)
{
    t->block[t->nblocks++] = (struct cs_trace_block){.rank = b->h.rank,
                                                     .seq = b->h.seq,
                                                     .flags = b->h.flags & (CS_BLOCK_LAST | CS_BLOCK_TIMES),
                                                     .nevents = b->h.nevents,
                                                     .own = b};
}

int cs_classes_list_blocks(struct cs_trace *t)
{
    size_t n = t->nown;
    assert(t->nblocks == 0);
    for (size_t i = 0; i < t->nclasses; i++)
        for (uint32_t k = 0; k < t->classes[i].ncls; k++)
            n += t->classes[i].cls[k].nranks;
    t->block = malloc((n + 1) * sizeof *t->block);
    if (!t->block)
        return -1;
    for (size_t i = 0; i < t->nown; i++)
        add_own(t, &t->own[i]);
    for (size_t i = 0; i < t->nclasses; i++)
        for (uint32_t k = 0; k < t->classes[i].ncls; k++)
            add_class(t, &t->classes[i].cls[k]);
    return 0;
}

/* ---- definitions ---- */

int cs_defs_key(const struct cs_trace *t, const struct cs_trace_rank *r, struct cs_key *out)
{
    struct cs_bytes all = {0};
    struct cs_bytes raw = {0};
    int rc = 0;
    for (size_t i = 0; i < r->nblocks && rc == 0; i++) {
        const struct cs_trace_block *b = &r->block[i];
        struct cs_key key = {0, 0};
        if ((b->own ? b->own->h.defs_raw : b->cls->defs.len) == 0)
            continue;
        if (b->own)
            key = b->own->h.defs_key;
        else if ((rc = cs_read_section(t, b, false, &raw)) == 0)
            key = cs_section_key(raw.data, raw.len);
        if (rc == 0)
            rc = cs_bytes_put(&all, &key, sizeof key);
    }
    if (rc == 0)
        *out = cs_section_key(all.data, all.len);
    cs_bytes_free(&all);
    cs_bytes_free(&raw);
    return rc;
}

/* ---- sizes ---- */

struct cs_stored_size cs_stored_size(const struct cs_trace *t)
{
    size_t taken = t->failed; /* the block that says so is in no stream */
    struct cs_stored_size s = {.file = t->size};
    for (size_t i = 0; i < t->nown; i++)
        s.sections += (uint64_t)t->own[i].h.defs_stored + t->own[i].h.events_stored;
    for (size_t i = 0; i < t->nranks; i++)
        taken += t->rank[i].nblocks;
    s.in_order = taken == t->nblocks && t->sound == t->size;
    return s;
}
