/* SPDX-License-Identifier: BSD-3-Clause
 * The reader of slice_section.h: it unpacks with zstd, cuts text into lines and lines into fields, and reads numbers.
 * A line that lacks fields, or has no number where one belongs, is an error that names the line. */
#define _GNU_SOURCE
#include "api/slice_section.h"

#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#include "base/error_text.h"
#include "base/grow.h"

#define FIRST_LINE "commslice-slice 1"

/* How many fields of a line are looked at, and how many bytes are unpacked at a time. */
enum { MOST_FIELDS = 9, PIECE = 1 << 15 };

/* A text that comes in pieces and is being cut into lines, and the caller who wants records of them: kinds, take, to,
 * err and errlen are the arguments of cs_slice_section_read(). */
struct reader {
    char *line; /* what has come of the current line: len bytes of cap; freed by cs_slice_section_read() */
    size_t len, cap;
    long nr; /* how many lines have ended */
    unsigned kinds;
    cs_slice_take *take;
    void *to;
    char *err;
    size_t errlen;
};

/* Leaves the reason in err. Always -1. */
static int fail_memory(struct reader *r)
{
    return cs_error_text(r->err, r->errlen, "not enough memory for its section " CS_SECTION_TEXT);
}

/* ---- fields ---- */

/* Replaces \t, \n and \\ by the characters that they stand for, in place; of another escape, the backslash goes. */
static void unescape(char *s)
{
    char *to = s;
    for (; *s; s++) {
        if (*s == '\\' && s[1]) {
            s++;
            *to++ = *s == 't' ? '\t' : *s == 'n' ? '\n' : *s;
        } else {
            *to++ = *s;
        }
    }
    *to = 0;
}

/* The decimal number that is the whole field, from min to max. If the field is none, clears *ok and gives 0. */
static long number(const char *s, long min, long max, bool *ok)
{
    char *end;
    errno = 0;
    long v = strtol(s, &end, 10);
    if (!errno && end != s && !*end && v >= min && v <= max)
        return v;
    *ok = false;
    return 0;
}

/* number() for what a record holds as a long. */
static long count(const char *s, bool *ok)
{
    return number(s, INT_MIN, LONG_MAX, ok);
}

/* number() for what a record holds as an int. */
static int small(const char *s, bool *ok)
{
    return (int)number(s, INT_MIN, INT_MAX, ok);
}

/* The reason that this word of a line stands for; CS_WHY_OTHER: a word of a later version. */
static enum cs_reason_kind reason_kind(const char *word)
{
    static const char *const name[] = {"-",      "root",  "data",    "memory", "control", "call",
                                       "return", "param", "message", "exit",   "opaque",  "content",
                                       "free",   "count", "effect",  "budget", "whole"};
    _Static_assert(sizeof name / sizeof name[0] == CS_WHY_OTHER, "a reason without a word");
    for (int i = 0; i < CS_WHY_OTHER; i++)
        if (strcmp(word, name[i]) == 0)
            return (enum cs_reason_kind)i;
    return CS_WHY_OTHER;
}

/* ---- lines ---- */

/* The lines that are understood, one entry for each first word. */
static const struct {
    const char *word;
    int nfields; /* the least, the word included; later versions may add fields at the end */
    enum cs_slice_kind kind;
} lines[] = {
    {"mode", 2, CS_SLICE_MODE},
    {"total", 3, CS_SLICE_TOTAL},
    {"func", 6, CS_SLICE_FUNC},
    {"site", 7, CS_SLICE_SITE},
    {"opaque", 4, CS_SLICE_OPAQUE},
    {"assume", 2, CS_SLICE_ASSUME},
    {"warn", 2, CS_SLICE_WARN},
    {"stmt", 9, CS_SLICE_STMT},
    {"step", 6, CS_SLICE_STEP},
    {"hold", 3, CS_SLICE_HOLD},
    {"watch", 2, CS_SLICE_WATCH},
    {"counter", 6, CS_SLICE_COUNTER},
    {"by", 5, CS_SLICE_BY},
    {"at", 4, CS_SLICE_AT},
    {"order", 2, CS_SLICE_ORDER},
    {"loop", 7, CS_SLICE_LOOP},
    {"decided", 2, CS_SLICE_DECIDED},
    {"why", 4, CS_SLICE_WHY},
    {"allocates", 3, CS_SLICE_ALLOCATES},
};

/* The index in lines[] that the line's first word has; -1: a line of a later version. */
static int line_of_word(const char *line)
{
    size_t n = strcspn(line, "\t");
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++)
        if (strlen(lines[i].word) == n && memcmp(lines[i].word, line, n) == 0)
            return (int)i;
    return -1;
}

/* Cuts a line at its tabs, in place; f[] points into it. Gives the number of fields; those beyond MOST_FIELDS are
 * ignored. */
static int split(char *line, char *f[MOST_FIELDS])
{
    int n = 0;
    while (line && n < MOST_FIELDS) {
        f[n++] = strsep(&line, "\t");
        unescape(f[n - 1]);
    }
    return n;
}

/* Fills in the record whose kind is set, from the n fields of its line, which are at least as many as lines[] says. Its
 * strings are the fields. False if a field that must be a number is none. */
static bool make_record(struct cs_slice_record *r, char *const *f, int n)
{
    bool ok = true;
    switch (r->kind) {
    case CS_SLICE_MODE: r->mode = f[1]; break;
    case CS_SLICE_TOTAL: r->total = (struct cs_slice_total){count(f[1], &ok), count(f[2], &ok)}; break;
    case CS_SLICE_FUNC:
        r->func = (struct cs_slice_func){f[1], f[2], small(f[3], &ok), count(f[4], &ok), count(f[5], &ok)};
        break;
    case CS_SLICE_SITE:
        r->site = (struct cs_slice_site){small(f[1], &ok), f[2], small(f[3], &ok), f[4], f[5], small(f[6], &ok)};
        break;
    case CS_SLICE_OPAQUE: r->opaque = (struct cs_slice_opaque){f[1], f[2], small(f[3], &ok)}; break;
    case CS_SLICE_ASSUME: r->assume = (struct cs_slice_assume){f[1], n > 2 ? small(f[2], &ok) : -1}; break;
    case CS_SLICE_WARN: r->warn = f[1]; break;
    case CS_SLICE_WATCH: r->watch = (struct cs_slice_watch){f[1], n > 2 ? small(f[2], &ok) : 0}; break;
    case CS_SLICE_ORDER: r->order = f[1]; break;
    case CS_SLICE_DECIDED: r->decided = f[1]; break;
    case CS_SLICE_WHY:
        r->why = (struct cs_slice_why){small(f[1], &ok), reason_kind(f[2]), f[2], small(f[3], &ok)};
        break;
    case CS_SLICE_ALLOCATES: r->allocates = (struct cs_slice_allocates){small(f[1], &ok), f[2]}; break;
    case CS_SLICE_STEP:
        r->step = (struct cs_slice_step){
            small(f[1], &ok), small(f[2], &ok), count(f[3], &ok) != 0, reason_kind(f[4]), f[4], small(f[5], &ok)};
        break;
    case CS_SLICE_BY:
        r->by = (struct cs_slice_by){small(f[1], &ok),
                                     small(f[2], &ok),
                                     f[3],
                                     small(f[4], &ok),
                                     n > 5 ? small(f[5], &ok) : 0,
                                     n > 8 ? small(f[6], &ok) : -1,
                                     n > 8 ? small(f[7], &ok) : -1,
                                     n > 8 ? small(f[8], &ok) : -1};
        break;
    case CS_SLICE_AT: r->at = (struct cs_slice_at){small(f[1], &ok), f[2], small(f[3], &ok)}; break;
    case CS_SLICE_HOLD: r->hold = (struct cs_slice_hold){small(f[1], &ok), count(f[2], &ok)}; break;
    case CS_SLICE_STMT:
        r->stmt = (struct cs_slice_stmt){small(f[1], &ok),
                                         small(f[2], &ok),
                                         f[3],
                                         small(f[4], &ok),
                                         count(f[5], &ok) != 0,
                                         reason_kind(f[6]),
                                         f[6],
                                         small(f[7], &ok),
                                         f[8]};
        break;
    case CS_SLICE_COUNTER:
        r->counter = (struct cs_slice_counter){f[1], small(f[2], &ok), f[3], small(f[4], &ok), small(f[5], &ok) != 0};
        break;
    case CS_SLICE_LOOP:
        r->loop = (struct cs_slice_loop){f[1], small(f[2], &ok), f[3], f[4], f[5], small(f[6], &ok), n > 7 ? f[7] : ""};
        break;
    default: assert(!"a kind of line that make_record does not have"); return false;
    }
    return ok;
}

/* Hands the record of r->line to the caller, if it wants this kind. 0, or -1 with the reason in err. */
static int read_line(struct reader *r)
{
    char *f[MOST_FIELDS];
    int i = line_of_word(r->line);
    if (i < 0 || !(lines[i].kind & r->kinds))
        return 0;
    struct cs_slice_record record = {.kind = lines[i].kind};
    assert(lines[i].nfields <= MOST_FIELDS);
    int n = split(r->line, f);
    if (n < lines[i].nfields || !make_record(&record, f, n))
        return cs_error_text(r->err, r->errlen, "its section " CS_SECTION_TEXT " is damaged in line %ld", r->nr);
    return r->take(r->to, &record) ? 0 : fail_memory(r);
}

/* Reads r->line, which is complete now; the first line must say the version. 0, or -1 with the reason in err. */
static int end_line(struct reader *r)
{
    assert(r->len <= r->cap);
    if (!CS_MAKE_ROOM(r->line, r->len, r->cap))
        return fail_memory(r);
    r->line[r->len] = 0;
    r->len = 0;
    if (r->nr++ > 0)
        return read_line(r);
    if (strcmp(r->line, FIRST_LINE) != 0)
        return cs_error_text(r->err, r->errlen,
                             "its section " CS_SECTION_TEXT " is of another version of commslice; link it again");
    return 0;
}

/* ---- the stream ---- */

/* Takes the next n bytes of the text, and reads each line that ends in them. 0, or -1 with the reason in err. */
static int feed(struct reader *r, const char *text, size_t n)
{
    while (n > 0) {
        const char *end = memchr(text, '\n', n);
        size_t len = end ? (size_t)(end - text) : n;
        if (!CS_MAKE_ROOM_FOR(r->line, r->len + len, r->cap))
            return fail_memory(r);
        memcpy(r->line + r->len, text, len);
        r->len += len;
        if (end && end_line(r) != 0)
            return -1;
        text += len + (end != NULL);
        n -= len + (end != NULL);
    }
    return 0;
}

/* The same for a text that is packed in one zstd frame, the whole of which is in `data`. */
static int feed_packed(struct reader *r, const void *data, size_t size)
{
    char *buf = malloc(PIECE);
    ZSTD_DStream *d = ZSTD_createDStream();
    ZSTD_inBuffer in = {data, size, 0};
    size_t left = 1;
    int rc = d && buf ? 0 : fail_memory(r);
    while (rc == 0 && left != 0) {
        ZSTD_outBuffer out = {buf, PIECE, 0};
        left = ZSTD_decompressStream(d, &out, &in);
        if (ZSTD_isError(left) || (out.pos == 0 && in.pos == in.size && left != 0))
            rc = cs_error_text(r->err, r->errlen, "its section " CS_SECTION_TEXT " is damaged");
        else
            rc = feed(r, buf, out.pos);
    }
    ZSTD_freeDStream(d);
    free(buf);
    return rc;
}

int cs_slice_section_read(const void *data, size_t size, unsigned kinds, cs_slice_take *take, void *to, char *err,
                          size_t errlen)
{
    assert(take && (kinds & ~(unsigned)CS_SLICE_ALL) == 0);
    struct reader r = {.kinds = kinds, .take = take, .to = to, .err = err, .errlen = errlen};
    bool packed = size >= 4 && memcmp(data, "\x28\xb5\x2f\xfd", 4) == 0;
    int rc = packed ? feed_packed(&r, data, size) : feed(&r, data, size);
    if (rc == 0 && (r.len > 0 || r.nr == 0))
        rc = end_line(&r);
    free(r.line);
    return rc;
}
