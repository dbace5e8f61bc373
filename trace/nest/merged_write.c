/* SPDX-License-Identifier: BSD-3-Clause
 * Writes the merged form's file: everything as varints, compressed as a whole, with checksums. A new file is written
 * beside the old one and renamed when it is whole, so that an error never loses the old file. */
#define _GNU_SOURCE 1
#include <errno.h>
#include <signal.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zstd.h>

#include "api/mpi_calls.h"
#include "base/error_text.h"
#include "trace/format/bytes.h"
#include "trace/format/format.h"
#include "trace/nest/nest.h"
#include "trace/nest/merged_format.h"

/* The functions put_* append to b. They return 0, or nonzero when memory is short. */

static int put(struct cs_bytes *b, uint64_t v)
{
    return cs_bytes_varint(b, v);
}
static int put_signed(struct cs_bytes *b, int64_t v)
{
    return cs_bytes_varint(b, cs_zigzag(v));
}

static int put_info(struct cs_bytes *b, const struct cs_merged *m)
{
    const struct cs_run_info *i = &m->info;
    return put(b, (uint64_t)i->nranks) ||
           put(b, (m->folded ? CS_MERGED_FOLDED : 0u) | (i->with_times ? CS_MERGED_TIMES : 0u) |
                      (m->gap_at ? CS_MERGED_GAPS : 0u) | (cs_merged_has_counts(m) ? CS_MERGED_COUNTS : 0u) |
                      (i->unrecorded ? CS_MERGED_UNRECORDED : 0u)) ||
           cs_bytes_string(b, i->program) || cs_bytes_string(b, i->args) || cs_bytes_string(b, i->kind) ||
           cs_bytes_string(b, i->engine) || cs_bytes_string(b, i->assumptions) || cs_bytes_string(b, i->versions) ||
           (i->unrecorded && cs_bytes_string(b, i->unrecorded));
}

static int put_ranges(struct cs_bytes *b, const struct cs_ranges *r)
{
    int bad = put(b, (uint64_t)r->n);
    for (int i = 0; i < r->n && !bad; i++)
        bad =
            put_signed(b, r->range[i].start) || put_signed(b, r->range[i].stride) || put(b, (uint64_t)r->range[i].len);
    return bad;
}

/* A list as runs of equal numbers. */
static int put_runs(struct cs_bytes *b, const int *v, int n)
{
    int bad = 0;
    for (int i = 0, j; i < n && !bad; i = j) {
        for (j = i; j < n && v[j] == v[i]; j++)
            ;
        bad = put(b, (uint64_t)v[i]) || put(b, (uint64_t)(j - i));
    }
    return bad;
}

static int put_comm(struct cs_bytes *b, const struct cs_merged *m, const struct cs_merged_comm *c)
{
    int bad = cs_bytes_string(b, c->path) || put(b, (uint64_t)c->ngroups);
    for (int i = 0; i < c->ngroups && !bad; i++)
        bad = put_ranges(b, &c->group[i]);
    return bad || put(b, c->group_of != NULL) || (c->group_of && put_runs(b, c->group_of, m->info.nranks));
}

static int put_definitions(struct cs_bytes *b, const struct cs_merged *m)
{
    int bad = put(b, (uint64_t)m->nsites);
    for (int i = 0; i < m->nsites && !bad; i++)
        bad = cs_bytes_string(b, m->site[i].file) || put_signed(b, m->site[i].line) ||
              cs_bytes_string(b, m->site[i].func);
    bad = bad || put(b, (uint64_t)m->ntypes);
    for (int i = 0; i < m->ntypes && !bad; i++)
        bad = cs_bytes_string(b, m->type[i].signature) || put_signed(b, m->type[i].size) ||
              put_signed(b, m->type[i].extent) || put_signed(b, m->type[i].pieces);
    bad = bad || put(b, (uint64_t)m->ncomms);
    for (int i = 0; i < m->ncomms && !bad; i++)
        bad = put_comm(b, m, &m->comm[i]);
    bad = bad || put(b, (uint64_t)m->nops);
    for (int i = 0; i < m->nops && !bad; i++)
        bad = cs_bytes_string(b, m->op[i]);
    return bad;
}

static int put_classes(struct cs_bytes *b, const struct cs_merged *m)
{
    int bad = put(b, (uint64_t)m->nclasses);
    for (int i = 0; i < m->nclasses && !bad; i++)
        bad = put(b, (uint64_t)m->cls[i].nevents) || put_ranges(b, &m->cls[i].ranks);
    return bad;
}

static int put_table(struct cs_bytes *b, const int64_t *v, int n)
{
    int bad = 0;
    for (int i = 0, j; i < n && !bad; i = j) {
        for (j = i; j < n && v[j] == v[i]; j++)
            ;
        bad = put_signed(b, v[i]) || put(b, (uint64_t)(j - i));
    }
    return bad;
}

static int put_value(struct cs_bytes *b, const struct cs_merged_value *v, int ranks)
{
    int bad = put(b, v->rule);
    switch ((enum cs_rule)v->rule) {
    case CS_RULE_SAME:
    case CS_RULE_RELATIVE:
    case CS_RULE_XOR: return bad || put_signed(b, v->a);
    case CS_RULE_TORUS:
        for (int i = 0; i < CS_TORUS_DIMS && !bad; i++)
            bad = put(b, (uint64_t)v->dims[i]) || put(b, (uint64_t)v->shift[i]);
        return bad;
    case CS_RULE_DIGITS:
        return bad || put_signed(b, v->a) || put_signed(b, v->b) || put_signed(b, v->c) || put(b, (uint64_t)v->div);
    case CS_RULE_TABLE: return bad || put_table(b, v->table, ranks);
    }
    return -1;
}

/* Calls by name, so that files stay readable when the table of calls grows. */
static int put_calls(struct cs_bytes *b, const struct cs_merged *m, int *number)
{
    int n = 0, bad = 0;
    for (int i = 0; i < cs_mpi_ncalls(); i++)
        number[i] = -1;
    for (int i = 0; i < m->nrecords; i++)
        if (number[m->record[i].call] < 0)
            number[m->record[i].call] = n++;
    bad = put(b, (uint64_t)n);
    for (int k = 0; k < n && !bad; k++)
        for (int i = 0; i < cs_mpi_ncalls(); i++)
            if (number[i] == k)
                bad = cs_bytes_string(b, cs_mpi_call(i)->name);
    return bad;
}

static int put_records(struct cs_bytes *b, const struct cs_merged *m)
{
    int *number = malloc(((size_t)cs_mpi_ncalls() + 1) * sizeof *number);
    int bad = !number || put_calls(b, m, number) || put(b, (uint64_t)m->nrecords);
    for (int i = 0; i < m->nrecords && !bad; i++) {
        const struct cs_merged_record *r = &m->record[i];
        bad = put(b, (uint64_t)r->cls) || put(b, (uint64_t)number[r->call]) || put(b, (uint64_t)(r->site + 1)) ||
              put(b, (uint64_t)r->mark) || put(b, (uint64_t)r->nfields);
        for (int k = 0; k < r->nfields && !bad; k++)
            bad = put_value(b, &r->field[k], m->cls[r->cls].ranks.total);
    }
    free(number);
    return bad;
}

static int put_symbols(struct cs_bytes *b, const struct cs_merged *m)
{
    int bad = put(b, (uint64_t)m->nsymbols);
    for (int i = 0; i < m->nsymbols && !bad; i++) {
        bad = put(b, (uint64_t)m->symbol[i].nparts);
        for (int k = 0; k < m->symbol[i].nparts && !bad; k++)
            bad = put(b, (uint64_t)m->symbol[i].part[k].record) || put(b, (uint64_t)m->symbol[i].part[k].shift);
    }
    return bad;
}

static int put_nest(struct cs_bytes *b, const struct cs_merged *m)
{
    int bad = put(b, (uint64_t)m->nnodes);
    bool counts = cs_merged_has_counts(m);
    for (int64_t i = 0; i < m->nnodes && !bad; i++) {
        const struct cs_nest_node *n = &m->node[i];
        bool cycle = n->count == 0 || counts;
        bad = put(b, (uint64_t)n->count) || put(b, (uint64_t)n->value) || (cycle && put(b, (uint64_t)n->ncycle));
        for (int k = n->cycle; cycle && k < n->cycle + n->ncycle && !bad; k++)
            bad = put(b, (uint64_t)m->cycle[k]);
    }
    return bad;
}

static int put_gaps(struct cs_bytes *b, const struct cs_merged *m)
{
    int bad = 0;
    for (int64_t i = 0; m->gap_at && i < m->ngaps && !bad; i++) {
        const struct cs_gap *g = &m->gap[i];
        bad = put(b, (uint64_t)g->n) || put(b, (uint64_t)g->first_n) || put_signed(b, (int64_t)g->gap) ||
              put_signed(b, (int64_t)g->first_gap) || put_signed(b, (int64_t)g->busy);
    }
    for (int i = 0; m->gap_at && i < m->nclasses && !bad; i++)
        bad = put_signed(b, m->tail ? (int64_t)m->tail[i] : 0);
    return bad;
}

static int write_all(int fd, const void *p, size_t n)
{
    for (size_t at = 0; at < n;) {
        ssize_t k = write(fd, (const char *)p + at, n - at);
        if (k < 0 && errno == EINTR)
            continue;
        if (k <= 0) {
            errno = k ? errno : EIO; /* nothing was written, and no reason given */
            return -1;
        }
        at += (size_t)k;
    }
    return 0;
}

static int write_file(int fd, const struct cs_bytes *raw)
{
    size_t bound = ZSTD_compressBound(raw->len);
    unsigned char head[CS_MERGED_HEADER_LEN], *packed = malloc(bound);
    size_t n = packed ? ZSTD_compress(packed, bound, raw->data, raw->len, 3) : 0;
    if (!packed || ZSTD_isError(n)) {
        free(packed);
        errno = ENOMEM;
        return -1;
    }
    memcpy(head, CS_MERGED_MAGIC, CS_MERGED_MAGIC_LEN);
    cs_put_u64(head + 8, raw->len);
    cs_put_u64(head + 16, n);
    cs_put_u64(head + 24, cs_trace_hash(packed, n));
    cs_put_u64(head + 32, cs_trace_hash(head, 32));
    int rc = write_all(fd, head, sizeof head) || write_all(fd, packed, n) ? -1 : 0;
    free(packed);
    return rc;
}

/* Gives the file the mode that open() would give it; mkstemp() makes files private. */
static void usual_mode(int fd)
{
    mode_t mask = umask(0);
    umask(mask);
    fchmod(fd, 0666 & ~mask);
}

/* Writes the file under another name and renames it. Signals that end the program wait until the file has its name or
 * is removed. 0, or -1 with errno. */
static int replace_file(const char *path, const struct cs_bytes *raw)
{
    static const int deadly[] = {SIGINT, SIGTERM, SIGHUP};
    char *name = malloc(strlen(path) + 8);
    int fd = -1, rc = -1;
    sigset_t set, old;
    if (!name)
        return -1;
    strcpy(name, path);
    strcat(name, ".XXXXXX");
    sigemptyset(&set);
    for (size_t i = 0; i < sizeof deadly / sizeof *deadly; i++)
        sigaddset(&set, deadly[i]);
    sigprocmask(SIG_BLOCK, &set, &old);
    fd = mkstemp(name);
    if (fd >= 0) {
        usual_mode(fd);
        rc = write_file(fd, raw);
        if (close(fd) || rc || rename(name, path)) {
            int err = errno;
            unlink(name);
            errno = err;
            rc = -1;
        }
    }
    int err = errno;
    sigprocmask(SIG_SETMASK, &old, NULL);
    free(name);
    errno = err;
    return rc;
}

int cs_merged_write(const struct cs_merged *m, const char *path, char *errbuf, size_t errlen)
{
    struct cs_bytes b = {0};
    errno = ENOMEM;
    int rc = put_info(&b, m) || put_definitions(&b, m) || put_classes(&b, m) || put_records(&b, m) ||
                     put_symbols(&b, m) || put_nest(&b, m) || put_gaps(&b, m) || replace_file(path, &b)
                 ? cs_error_text(errbuf, errlen, "cannot write: %s", strerror(errno))
                 : 0;
    cs_bytes_free(&b);
    return rc;
}
