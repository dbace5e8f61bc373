/* SPDX-License-Identifier: BSD-3-Clause
 * Fuzzes the trace reader: trace_fuzz [SECONDS [SEED]]. Damages sample traces in many ways and reads them.
 * Damage that leaves checksums alone must give a prefix of the truth or an error. Damage *under* sound checksums may
 * give anything but a crash, a hang or unbounded memory, which the limits below turn into a failure. */
#define _GNU_SOURCE 1
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <zstd.h>

#include "trace/format/bytes.h"
#include "trace/format/format.h"
#include "fuzz_kit.h"

#define SLOWEST_READ_S 5.0
#define MOST_EVENTS 1000000 /* a forged loop may stand for more than anybody can read */
#define MAX_ALLOC ((rlim_t)2 << 30)

/* ---- damage below the checksums ---- */

static void flip_bits(struct file *f)
{
    for (uint64_t k = 1 + rnd(8); k; k--)
        f->p[rnd(f->n)] ^= (unsigned char)(1 << rnd(8));
}

static void set_bytes(struct file *f)
{
    size_t at = rnd(f->n), len = rnd(200);
    memset(f->p + at, rnd(2) ? 0 : (int)rnd(256), len < f->n - at ? len : f->n - at);
}

static void truncate_file(struct file *f)
{
    f->n = 1 + rnd(f->n);
}

static void delete_span(struct file *f)
{
    size_t at = rnd(f->n), len = rnd(f->n - at);
    memmove(f->p + at, f->p + at + len, f->n - at - len);
    f->n -= len;
    if (f->n == 0)
        f->n = 1;
}

static void move_span(struct file *f)
{
    size_t from = rnd(f->n), to = rnd(f->n), len = rnd(f->n / 4 + 1);
    size_t room = f->n - (from > to ? from : to);
    memmove(f->p + to, f->p + from, len < room ? len : room);
}

static void (*const damages[])(struct file *) = {flip_bits, set_bytes, truncate_file, delete_span, move_span};

/* ---- damage under sound checksums ---- */

/* Finds the k-th block, modulo their number; its offset. */
static size_t some_block(const struct file *f, uint64_t k)
{
    size_t offsets[4096], n = 0;
    struct cs_block_header h;
    for (size_t off = 0; off + CS_HEADER_LEN <= f->n && n < 4096 && cs_header_decode(&h, f->p + off);
         off += CS_HEADER_LEN + h.defs_stored + h.events_stored)
        offsets[n++] = off;
    return n ? offsets[k % n] : f->n;
}

static size_t unpack(const unsigned char *p, size_t stored, size_t raw, unsigned char *out)
{
    if (stored == raw)
        memcpy(out, p, raw);
    else if (ZSTD_decompress(out, raw, p, stored) != raw)
        memset(out, 0, raw);
    return raw;
}

/* Changes a few bytes of the block's decoded records; numbers near the codes' limits are likely. */
static void change_records(unsigned char *p, size_t n)
{
    static const unsigned char telling[] = {0, 1, 2, 3, 7, 8, 15, 16, 17, 0x7f, 0x80, 0xff};
    for (uint64_t k = 1 + rnd(4); n && k; k--)
        p[rnd(n)] = rnd(2) ? telling[rnd(sizeof telling)] : (unsigned char)rnd(256);
}

static void change_header(struct cs_block_header *h)
{
    switch (rnd(10)) {
    case 0: h->nranks = (uint32_t)rnd(3) ? CS_MAX_RANKS : 1; break;
    case 1: h->rank = (uint32_t)rnd(h->nranks); break;
    case 2: h->seq = (uint32_t)rnd(4); break;
    case 3: h->flags ^= (uint32_t)1 << rnd(7); break;
    case 4: h->nevents += rnd(5) - 2; break;
    case 5: h->events_raw = (uint32_t)rnd(CS_MAX_SECTION); break;
    case 6: h->defs_raw = (uint32_t)rnd(CS_MAX_SECTION); break;
    default: break;
    }
}

/* Replaces one block by a changed one, stored uncompressed and with right checksums. */
static int forge(struct file *f)
{
    size_t off = some_block(f, rnd(1000));
    struct cs_block_header h;
    if (off >= f->n || !cs_header_decode(&h, f->p + off))
        return 0;
    size_t old = CS_HEADER_LEN + h.defs_stored + h.events_stored, raw = (size_t)h.defs_raw + h.events_raw;
    unsigned char *q = malloc(f->n - old + CS_HEADER_LEN + raw);
    if (!q)
        return -1;
    unsigned char *body = q + off + CS_HEADER_LEN, *at = f->p + off + CS_HEADER_LEN;
    memcpy(q, f->p, off);
    unpack(at, h.defs_stored, h.defs_raw, body);
    unpack(at + h.defs_stored, h.events_stored, h.events_raw, body + h.defs_raw);
    if (rnd(2))
        change_records(body, h.defs_raw);
    else
        change_records(body + h.defs_raw, h.events_raw);
    h.flags &= ~(CS_BLOCK_DEFS_ELSEWHERE | CS_BLOCK_EVENTS_ELSEWHERE);
    h.defs_stored = h.defs_raw;
    h.events_stored = h.events_raw;
    h.payload_hash = cs_trace_hash(body, raw);
    change_header(&h);
    cs_header_encode(&h, q + off);
    memcpy(body + raw, f->p + off + old, f->n - off - old);
    f->n = f->n - old + CS_HEADER_LEN + raw;
    free(f->p);
    f->p = q;
    return 0;
}

/* ---- the loop ---- */

static const struct sample samples[] = {
    {3, 400, false, 40, 30, true}, {3, 400, true, 40, 50, false},  {1, 3000, true, 2000, 0, false},
    {9, 30, false, 5, 3, true},    {3, 400, false, 40, 30, false}, /* block classes */
    {9, 30, false, 5, 3, false},
};
#define SAMPLES (sizeof samples / sizeof *samples)

static int read_timed(const struct sample *s, const char *name, bool forged, uint64_t round)
{
    char why[200];
    double start = now();
    long got = 0;
    if (forged) {
        struct cs_trace *t = cs_trace_open(name, why, sizeof why);
        for (int r = 0; t && r < s->nranks; r++) {
            struct cs_trace_iter *it = cs_trace_iter_open(t, r);
            struct cs_event e;
            for (long n = 0; n < MOST_EVENTS && cs_trace_iter_next(it, &e) == 1; n++)
                got += e.nfields ? e.fields[e.nfields - 1] & 1 : 0;
            cs_trace_iter_free(it);
        }
        cs_trace_free(t);
    } else {
        got = sample_check(s, name);
    }
    if (got == -2 || now() - start > SLOWEST_READ_S) {
        fprintf(stderr, "round %llu: %s; the file is kept as %s\n", (unsigned long long)round,
                got == -2 ? "wrong answer" : "too slow", name);
        return -1;
    }
    return 0;
}

static int one_round(const struct sample *s, const struct file *sound, const char *name, uint64_t round)
{
    struct file f = {malloc(sound->n), sound->n};
    int rc = 0;
    if (!f.p)
        return -1;
    memcpy(f.p, sound->p, f.n);
    bool forged = rnd(2);
    for (uint64_t k = 1 + rnd(3); k && rc == 0; k--) {
        if (forged)
            rc = forge(&f);
        else
            damages[rnd(sizeof damages / sizeof *damages)](&f);
    }
    if (rc == 0)
        rc = spill(name, &f);
    free(f.p);
    return rc ? rc : read_timed(s, name, forged, round);
}

#define FEWEST_ROUNDS 100

static int fuzz(double seconds, const char *name)
{
    struct file sound[SAMPLES] = {{0}};
    int rc = 0;
    uint64_t round = 0;
    for (size_t i = 0; i < SAMPLES && rc == 0; i++)
        rc = sample_write(&samples[i], name) ||
                     sample_check(&samples[i], name) != samples[i].nevents * samples[i].nranks || slurp(name, &sound[i])
                 ? -1
                 : 0;
    /* Too few rounds would mean nothing: a busy machine takes longer. */
    for (double end = now() + seconds; rc == 0 && (now() < end || round < FEWEST_ROUNDS); round++)
        rc = one_round(&samples[round % SAMPLES], &sound[round % SAMPLES], name, round);
    for (size_t i = 0; i < SAMPLES; i++)
        free(sound[i].p);
    printf("%llu damaged traces read\n", (unsigned long long)round);
    return rc;
}

int main(int argc, char **argv)
{
    char name[64];
    double seconds = argc > 1 ? atof(argv[1]) : 3;
    state = argc > 2 ? strtoull(argv[2], NULL, 0) : 1;
#ifndef __SANITIZE_ADDRESS__ /* which reserves terabytes of address space */
    struct rlimit lim = {MAX_ALLOC, MAX_ALLOC};
    setrlimit(RLIMIT_AS, &lim);
#endif
    snprintf(name, sizeof name, "trace_fuzz.%d.trace", (int)getpid());
    if (fuzz(seconds, name))
        return 1;
    remove(name);
    return 0;
}
