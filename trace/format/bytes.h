/* SPDX-License-Identifier: BSD-3-Clause
 * Byte buffers and the integer codes of the trace: little-endian words, varints (LEB128) and zigzag.
 * Writing goes to a growing buffer; reading goes through a cursor that never leaves its bytes. */
#ifndef CS_BYTES_H
#define CS_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CS_VARINT_MAX 10

static inline void cs_put_u32(unsigned char *p, uint32_t v)
{
    for (int i = 0; i < 4; i++)
        p[i] = (unsigned char)(v >> 8 * i);
}

static inline void cs_put_u64(unsigned char *p, uint64_t v)
{
    for (int i = 0; i < 8; i++)
        p[i] = (unsigned char)(v >> 8 * i);
}

static inline uint32_t cs_get_u32(const unsigned char *p)
{
    return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

static inline uint64_t cs_get_u64(const unsigned char *p)
{
    return cs_get_u32(p) | (uint64_t)cs_get_u32(p + 4) << 32;
}

static inline uint64_t cs_zigzag(int64_t v)
{
    return ((uint64_t)v << 1) ^ (uint64_t) - (v < 0);
}

static inline int64_t cs_unzigzag(uint64_t v)
{
    return (int64_t)((v >> 1) ^ -(v & 1));
}

/* Writes at most CS_VARINT_MAX bytes; returns the end. */
static inline unsigned char *cs_put_varint(unsigned char *p, uint64_t v)
{
    while (v >= 0x80) {
        *p++ = (unsigned char)(v | 0x80);
        v >>= 7;
    }
    *p++ = (unsigned char)v;
    return p;
}

/*  data: | len bytes in use | room up to cap |  */
struct cs_bytes {
    unsigned char *data;
    size_t len, cap;
};

/* Makes room for `more` bytes after len. 0, or -1 with errno ENOMEM. */
int cs_bytes_reserve(struct cs_bytes *b, size_t more);
static inline int cs_bytes_varint(struct cs_bytes *b, uint64_t v)
{
    if (b->cap - b->len < CS_VARINT_MAX && cs_bytes_reserve(b, CS_VARINT_MAX))
        return -1;
    b->len = (size_t)(cs_put_varint(b->data + b->len, v) - b->data);
    return 0;
}
int cs_bytes_put(struct cs_bytes *b, const void *p, size_t n);
/* Length plus one, then the characters; NULL is length code 0. */
int cs_bytes_string(struct cs_bytes *b, const char *s);
void cs_bytes_free(struct cs_bytes *b);

/*  | already read | p ... end |   A failed read sets `bad`, returns 0 and leaves the cursor at its end. */
struct cs_cursor {
    const unsigned char *p, *end;
    bool bad;
};

uint64_t cs_cursor_varint(struct cs_cursor *c);
/* A varint of at most `max`; anything larger is bad. */
uint64_t cs_cursor_below(struct cs_cursor *c, uint64_t max);
/* The characters are not terminated; *s is NULL for a NULL string. */
void cs_cursor_string(struct cs_cursor *c, const char **s, size_t *len);

#endif
