/* SPDX-License-Identifier: BSD-3-Clause
 * Byte buffers and cursors: the parts of bytes.h that are not worth inlining. */
#define _GNU_SOURCE 1
#include "trace/format/bytes.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "trace/format/format.h"

int cs_bytes_reserve(struct cs_bytes *b, size_t more)
{
    assert(b->len <= b->cap);
    return more <= SIZE_MAX - b->len && CS_MAKE_ROOM_FOR(b->data, b->len + more, b->cap) ? 0 : -1;
}

int cs_bytes_put(struct cs_bytes *b, const void *p, size_t n)
{
    if (cs_bytes_reserve(b, n))
        return -1;
    if (n)
        memcpy(b->data + b->len, p, n);
    b->len += n;
    return 0;
}

int cs_bytes_string(struct cs_bytes *b, const char *s)
{
    if (!s)
        return cs_bytes_varint(b, 0);
    size_t n = strnlen(s, CS_MAX_STRING);
    return cs_bytes_varint(b, n + 1) || cs_bytes_put(b, s, n) ? -1 : 0;
}

void cs_bytes_free(struct cs_bytes *b)
{
    free(b->data);
    *b = (struct cs_bytes){0};
}

static uint64_t fail(struct cs_cursor *c)
{
    c->bad = true;
    c->p = c->end;
    return 0;
}

uint64_t cs_cursor_varint(struct cs_cursor *c)
{
    uint64_t v = 0;
    for (int shift = 0; shift < 64 && c->p < c->end; shift += 7) {
        unsigned char byte = *c->p++;
        v |= (uint64_t)(byte & 0x7f) << shift;
        if (!(byte & 0x80))
            return v;
    }
    return fail(c);
}

uint64_t cs_cursor_below(struct cs_cursor *c, uint64_t max)
{
    uint64_t v = cs_cursor_varint(c);
    return v <= max ? v : fail(c);
}

void cs_cursor_string(struct cs_cursor *c, const char **s, size_t *len)
{
    uint64_t code = cs_cursor_below(c, CS_MAX_STRING + 1);
    *s = NULL;
    *len = 0;
    if (code == 0)
        return;
    if (code - 1 > (size_t)(c->end - c->p) || memchr(c->p, 0, code - 1)) {
        fail(c);
        return;
    }
    *s = (const char *)c->p;
    *len = code - 1;
    c->p += *len;
}
