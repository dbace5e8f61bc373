/* SPDX-License-Identifier: BSD-3-Clause
 * The reader of slice_info.h: finds the section with libelf, and makes tables of its records (api/slice_section.h). */
#define _GNU_SOURCE 1
#include "cli/show/slice_info.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error_text.h"
#include "base/grow.h"
#include "cli/frame/cli.h"
#include "cli/show/elf_section.h"
#include "trace/trace.h"

/* Bytes of strings that are allocated together. */
enum { BLOCK = 64 << 10 };

/* ---- tables ---- */

/* Strings, one after the other in large blocks. */
struct cs_slice_strings {
    struct cs_slice_strings *next;
    size_t len, cap;
    char text[];
};

/* The tables while they are filled, and for how many records each has room. */
struct filler {
    struct cs_slice_info *s;
    const char *file; /* the last record's, as most records are of the same file as the one before */
    size_t func, site, opaque, assume, warn, stmt, step, by, at, allocates, hold, counter, loop;
    bool failed;
};

static struct cs_slice_strings *new_block(struct cs_slice_info *s, size_t n)
{
    size_t cap = n > BLOCK ? n : BLOCK;
    struct cs_slice_strings *b = malloc(sizeof *b + cap);
    if (!b)
        return NULL;
    *b = (struct cs_slice_strings){.next = s->strings, .cap = cap};
    return s->strings = b;
}

/* A copy that lives as long as the tables. */
static const char *keep(struct filler *f, const char *string)
{
    size_t n = strlen(string) + 1;
    struct cs_slice_strings *b = f->s->strings;
    if ((!b || b->cap - b->len < n) && !(b = new_block(f->s, n))) {
        f->failed = true;
        return NULL;
    }
    char *copy = memcpy(b->text + b->len, string, n);
    b->len += n;
    return copy;
}

static const char *keep_file(struct filler *f, const char *file)
{
    if (!f->file || strcmp(f->file, file) != 0)
        f->file = keep(f, file);
    return f->file;
}

static bool take_func(struct filler *f, struct cs_slice_func r)
{
    struct cs_slice_info *s = f->s;
    r.name = keep(f, r.name);
    r.file = keep_file(f, r.file);
    if (!CS_MAKE_ROOM(s->func, s->nfuncs, f->func))
        return false;
    s->func[s->nfuncs++] = r;
    return true;
}

static bool take_site(struct filler *f, struct cs_slice_site r)
{
    struct cs_slice_info *s = f->s;
    r.file = keep_file(f, r.file);
    r.func = keep(f, r.func);
    r.call = keep(f, r.call);
    if (!CS_MAKE_ROOM(s->site, s->nsites, f->site))
        return false;
    s->site[s->nsites++] = r;
    return true;
}

static bool take_opaque(struct filler *f, struct cs_slice_opaque r)
{
    struct cs_slice_info *s = f->s;
    r.name = keep(f, r.name);
    r.file = keep_file(f, r.file);
    if (!CS_MAKE_ROOM(s->opaque, s->nopaques, f->opaque))
        return false;
    s->opaque[s->nopaques++] = r;
    return true;
}

static bool take_assume(struct filler *f, struct cs_slice_assume r)
{
    struct cs_slice_info *s = f->s;
    r.text = keep(f, r.text);
    if (!CS_MAKE_ROOM(s->assume, s->nassumes, f->assume))
        return false;
    s->assume[s->nassumes++] = r;
    return true;
}

static bool take_warn(struct filler *f, const char *text)
{
    struct cs_slice_info *s = f->s;
    if (!CS_MAKE_ROOM(s->warn, s->nwarns, f->warn))
        return false;
    s->warn[s->nwarns++] = keep(f, text);
    return true;
}

static bool take_stmt(struct filler *f, struct cs_slice_stmt r)
{
    struct cs_slice_info *s = f->s;
    r.file = keep_file(f, r.file);
    r.kind_name = keep(f, r.kind_name);
    r.text = keep(f, r.text);
    if (!CS_MAKE_ROOM(s->stmt, s->nstmts, f->stmt))
        return false;
    s->stmt[s->nstmts++] = r;
    return true;
}

static bool take_step(struct filler *f, struct cs_slice_step r)
{
    struct cs_slice_info *s = f->s;
    r.kind_name = keep(f, r.kind_name);
    if (!CS_MAKE_ROOM(s->step, s->nsteps, f->step))
        return false;
    s->step[s->nsteps++] = r;
    return true;
}

static bool take_by(struct filler *f, struct cs_slice_by r)
{
    struct cs_slice_info *s = f->s;
    r.object = keep(f, r.object);
    if (!CS_MAKE_ROOM(s->by, s->nbys, f->by))
        return false;
    s->by[s->nbys++] = r;
    return true;
}

static bool take_at(struct filler *f, struct cs_slice_at r)
{
    struct cs_slice_info *s = f->s;
    r.file = keep_file(f, r.file);
    if (!CS_MAKE_ROOM(s->at, s->nats, f->at))
        return false;
    s->at[s->nats++] = r;
    return true;
}

static bool take_allocates(struct filler *f, struct cs_slice_allocates r)
{
    struct cs_slice_info *s = f->s;
    r.name = keep(f, r.name);
    if (!CS_MAKE_ROOM(s->allocates, s->nallocates, f->allocates))
        return false;
    s->allocates[s->nallocates++] = r;
    return true;
}

static bool take_hold(struct filler *f, struct cs_slice_hold r)
{
    struct cs_slice_info *s = f->s;
    if (!CS_MAKE_ROOM(s->hold, s->nholds, f->hold))
        return false;
    s->hold[s->nholds++] = r;
    return true;
}

static bool take_counter(struct filler *f, struct cs_slice_counter r)
{
    struct cs_slice_info *s = f->s;
    r.file = keep_file(f, r.file);
    r.func = keep(f, r.func);
    if (!CS_MAKE_ROOM(s->counter, s->ncounters, f->counter))
        return false;
    s->counter[s->ncounters++] = r;
    return true;
}

static bool take_loop(struct filler *f, struct cs_slice_loop r)
{
    struct cs_slice_info *s = f->s;
    r.file = keep_file(f, r.file);
    r.func = keep(f, r.func);
    r.why = keep(f, r.why);
    r.once = keep(f, r.once);
    r.at_file = keep_file(f, r.at_file);
    if (!CS_MAKE_ROOM(s->loop, s->nloops, f->loop))
        return false;
    s->loop[s->nloops++] = r;
    return true;
}

static bool take(void *to, const struct cs_slice_record *r)
{
    struct filler *f = to;
    bool ok = true;
    switch (r->kind) {
    case CS_SLICE_MODE: f->s->mode = keep(f, r->mode); break;
    case CS_SLICE_TOTAL: f->s->total = r->total.total, f->s->kept = r->total.kept; break;
    case CS_SLICE_FUNC: ok = take_func(f, r->func); break;
    case CS_SLICE_SITE: ok = take_site(f, r->site); break;
    case CS_SLICE_OPAQUE: ok = take_opaque(f, r->opaque); break;
    case CS_SLICE_ASSUME: ok = take_assume(f, r->assume); break;
    case CS_SLICE_WARN: ok = take_warn(f, r->warn); break;
    case CS_SLICE_STMT: ok = take_stmt(f, r->stmt); break;
    case CS_SLICE_STEP: ok = take_step(f, r->step); break;
    case CS_SLICE_BY: ok = take_by(f, r->by); break;
    case CS_SLICE_AT: ok = take_at(f, r->at); break;
    case CS_SLICE_HOLD: ok = take_hold(f, r->hold); break;
    case CS_SLICE_COUNTER: ok = take_counter(f, r->counter); break;
    case CS_SLICE_LOOP: ok = take_loop(f, r->loop); break;
    case CS_SLICE_ORDER: f->s->unordered = !strcmp(r->order, "none"); break;
    case CS_SLICE_DECIDED: f->s->decided = keep(f, r->decided); break;
    case CS_SLICE_ALLOCATES: ok = take_allocates(f, r->allocates); break;
    case CS_SLICE_WHY: break;   /* not in the section */
    case CS_SLICE_WATCH: break; /* for the recorder */
    case CS_SLICE_ALL: break;
    }
    return ok && !f->failed;
}

/* 1: the tables are filled; 0: no such section; -1 with a reason. */
static int read_file(const char *path, struct cs_slice_info *s, char *errbuf, size_t errlen)
{
    int rc = 0;
    struct filler f = {.s = s};
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0)
        return cs_error_text(errbuf, errlen, "%s", strerror(errno));
    elf_version(EV_CURRENT);
    Elf *elf = elf_begin(fd, ELF_C_READ, NULL);
    Elf_Scn *scn = elf ? cs_elf_section(elf, CS_SECTION_TEXT) : NULL;
    Elf_Data *data = scn ? elf_rawdata(scn, NULL) : NULL;
    if (data && data->d_buf)
        rc = cs_slice_section_read(data->d_buf, data->d_size, CS_SLICE_ALL, take, &f, errbuf, errlen) == 0 ? 1 : -1;
    else if (scn)
        rc = cs_error_text(errbuf, errlen, "its section " CS_SECTION_TEXT " is empty");
    elf_end(elf);
    close(fd);
    return rc;
}

bool cs_is_elf(const char *path)
{
    char magic[4] = "";
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    bool is = fd >= 0 && pread(fd, magic, 4, 0) == 4 && memcmp(magic, "\177ELF", 4) == 0;
    if (fd >= 0)
        close(fd);
    return is;
}

/* Records that begin with their id. */
static int by_id(const void *a, const void *b)
{
    int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}

/* Sorts what is found by its id, once it is there. */
static void sort_tables(struct cs_slice_info *s)
{
    if (s->nstmts)
        qsort(s->stmt, s->nstmts, sizeof *s->stmt, by_id);
    if (s->nsteps)
        qsort(s->step, s->nsteps, sizeof *s->step, by_id);
    if (s->nbys)
        qsort(s->by, s->nbys, sizeof *s->by, by_id);
    if (s->nats)
        qsort(s->at, s->nats, sizeof *s->at, by_id);
    if (s->nallocates)
        qsort(s->allocates, s->nallocates, sizeof *s->allocates, by_id);
}

int cs_slice_read(const char *path, struct cs_slice_info *s, char *errbuf, size_t errlen)
{
    *s = (struct cs_slice_info){.mode = "slice"};
    int rc = read_file(path, s, errbuf, errlen);
    if (rc != 1)
        cs_slice_free(s);
    sort_tables(s);
    return rc;
}

bool cs_slice_need(const char *path, struct cs_slice_info *s)
{
    char why[256];
    int rc = cs_slice_read(path, s, why, sizeof why);
    if (rc < 0)
        cs_error("%s: %s", path, why);
    else if (rc == 0 && cs_is_elf(path))
        cs_error("%s: not a slice: it has no section " CS_SECTION_TEXT
                 "; build it with gcc -fplugin=commslice.so or commslice-mpicc",
                 path);
    else if (rc == 0)
        cs_error("%s: not an executable", path);
    return rc == 1;
}

void cs_slice_free(struct cs_slice_info *s)
{
    while (s->strings) {
        struct cs_slice_strings *next = s->strings->next;
        free(s->strings);
        s->strings = next;
    }
    free(s->func);
    free(s->site);
    free(s->opaque);
    free(s->assume);
    free(s->warn);
    free(s->stmt);
    free(s->step);
    free(s->by);
    free(s->at);
    free(s->allocates);
    free(s->hold);
    free(s->counter);
    free(s->loop);
    *s = (struct cs_slice_info){0};
}

const struct cs_slice_stmt *cs_slice_stmt(const struct cs_slice_info *s, int id)
{
    return s->nstmts ? bsearch(&id, s->stmt, s->nstmts, sizeof *s->stmt, by_id) : NULL;
}

const struct cs_slice_step *cs_slice_step(const struct cs_slice_info *s, int id)
{
    return s->nsteps ? bsearch(&id, s->step, s->nsteps, sizeof *s->step, by_id) : NULL;
}

const struct cs_slice_by *cs_slice_by(const struct cs_slice_info *s, int id)
{
    return s->nbys ? bsearch(&id, s->by, s->nbys, sizeof *s->by, by_id) : NULL;
}

const struct cs_slice_at *cs_slice_at(const struct cs_slice_info *s, int id)
{
    return s->nats ? bsearch(&id, s->at, s->nats, sizeof *s->at, by_id) : NULL;
}

/* ---- reasons ---- */

/* Reasons while they are read: of which decision they are is known from the first record. */
struct answer {
    struct filler f;
    bool other; /* they are of another one */
};

/* What is written, with the name that its allocation gives it. */
static bool take_named_by(struct filler *f, struct cs_slice_by r)
{
    char object[600];
    const struct cs_slice_info *s = f->s;
    const struct cs_slice_allocates *a =
        s->nallocates ? bsearch(&r.allocator, s->allocates, s->nallocates, sizeof *s->allocates, by_id) : NULL;
    if (a && *r.object) {
        snprintf(object, sizeof object, "%.300s as %.200s", r.object, a->name);
        r.object = object;
    }
    return take_by(f, r);
}

/* The statement is kept for this; what the section does not list, as it is in no source, needs no reason. */
static bool take_why(struct filler *f, struct cs_slice_why r)
{
    struct cs_slice_info *s = f->s;
    struct cs_slice_stmt *st = s->nstmts ? bsearch(&r.id, s->stmt, s->nstmts, sizeof *s->stmt, by_id) : NULL;
    if (!st)
        return true;
    st->kind = r.kind;
    st->kind_name = keep(f, r.kind_name);
    st->parent = r.parent;
    return true;
}

static bool take_reason(void *to, const struct cs_slice_record *r)
{
    struct answer *a = to;
    struct filler *f = &a->f;
    bool ok = true;
    if (r->kind == CS_SLICE_DECIDED)
        a->other = strcmp(r->decided, f->s->decided) != 0;
    if (a->other)
        return true;
    if (r->kind == CS_SLICE_WHY)
        ok = take_why(f, r->why);
    else if (r->kind == CS_SLICE_BY)
        ok = take_named_by(f, r->by);
    else if (r->kind == CS_SLICE_STEP)
        ok = take_step(f, r->step);
    return ok && !f->failed;
}

int cs_slice_add_reasons(struct cs_slice_info *s, const void *text, size_t size, char *errbuf, size_t errlen)
{
    struct answer a = {.f = {.s = s}, .other = true};
    const unsigned kinds = CS_SLICE_DECIDED | CS_SLICE_WHY | CS_SLICE_BY | CS_SLICE_STEP;
    free(s->step);
    free(s->by);
    s->step = NULL;
    s->by = NULL;
    s->nbys = s->nsteps = 0;
    int rc = cs_slice_section_read(text, size, kinds, take_reason, &a, errbuf, errlen);
    sort_tables(s);
    if (rc || a.other)
        s->nbys = s->nsteps = 0;
    return rc ? -1 : a.other ? 1 : 0;
}

char *cs_slice_assumptions(const struct cs_slice_info *s)
{
    char *text = NULL;
    size_t n;
    FILE *f = open_memstream(&text, &n);
    if (!f)
        return NULL;
    for (size_t i = 0; i < s->nassumes; i++)
        fprintf(f, "%s%s", i ? "\n" : "", s->assume[i].text);
    return fclose(f) ? NULL : text;
}

const char *cs_mark_name(int mark)
{
    return mark == CS_MARK_NONE       ? "none"
           : mark == CS_MARK_ENVELOPE ? "envelope"
           : mark == CS_MARK_CONTENT  ? "content"
                                      : "?";
}
