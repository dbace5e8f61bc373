/* SPDX-License-Identifier: BSD-3-Clause
 * Finds the sections .cs_site and .commslice of the running executable by their names in the file.
 * The few lines of ELF are here and not from libelf, so that the preloaded library brings no other library in. */
#define _GNU_SOURCE
#include "commlib/state/own_slice.h"

#include <assert.h>
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "api/assumption.h"
#include "api/marks.h"
#include "base/grow.h"
#include "api/mpi_calls.h"
#include "api/assumed_value.h"
#include "api/slice_section.h"

struct cs_own_slice cs_own_slice;

/* The executable's file, mapped. */
struct image {
    const char *base;
    size_t size;
};

static bool in_image(const struct image *im, uint64_t offset, uint64_t size)
{
    return offset <= im->size && size <= im->size - offset;
}

/* The section header of that name, or NULL. */
static const ElfW(Shdr) * find_section(const struct image *im, const char *name)
{
    const ElfW(Ehdr) *eh = (const void *)im->base;
    if (im->size < sizeof *eh || memcmp(eh->e_ident, ELFMAG, SELFMAG) != 0 ||
        !in_image(im, eh->e_shoff, (uint64_t)eh->e_shnum * sizeof(ElfW(Shdr))) || eh->e_shstrndx >= eh->e_shnum)
        return NULL;
    const ElfW(Shdr) *sh = (const void *)(im->base + eh->e_shoff);
    const ElfW(Shdr) *str = &sh[eh->e_shstrndx];
    if (!in_image(im, str->sh_offset, str->sh_size))
        return NULL;
    for (int i = 0; i < eh->e_shnum; i++)
        if (sh[i].sh_name < str->sh_size && strcmp(im->base + str->sh_offset + sh[i].sh_name, name) == 0)
            return &sh[i];
    return NULL;
}

/* The first object that is reported is the executable itself. */
static int executable_base(struct dl_phdr_info *info, size_t size, void *base)
{
    *(ElfW(Addr) *)base = info->dlpi_addr;
    return 1;
}

/* No slice has so many call sites: a larger number is damage. */
enum { MOST_SITES = 1 << 24 };

/* Room for the site with this number. False when memory is out. */
static bool grow_sites(int id)
{
    static int cap;
    int n = id + 1, had = cs_own_slice.nsites;
    if (n <= had)
        return true;
    if (!CS_MAKE_ROOM_FOR(cs_own_slice.sites, n, cap))
        return false;
    memset(cs_own_slice.sites + had, 0, (size_t)(n - had) * sizeof *cs_own_slice.sites);
    cs_own_slice.nsites = n;
    return true;
}

/* The copies are kept for good. A site of a number that no slice can have is left out. */
static bool take_site(const struct cs_slice_site *r)
{
    if (r->id < 0 || r->id > MOST_SITES)
        return true;
    if (!grow_sites(r->id))
        return false;
    assert(r->id < cs_own_slice.nsites);
    const struct cs_mpi_call *call = cs_mpi_find(r->call);
    struct cs_own_site *s = &cs_own_slice.sites[r->id];
    *s = (struct cs_own_site){.file = strdup(r->file),
                              .func = strdup(r->func),
                              .call = strdup(r->call),
                              .line = r->line,
                              .mark = r->mark,
                              .index = call ? cs_mpi_index(call) : -1};
    return s->file && s->func && s->call;
}

static bool take_text(char **lines, int *n, const char *text)
{
    size_t old = *lines ? strlen(*lines) : 0;
    char *s = realloc(*lines, old + strlen(text) + 2);
    if (!s)
        return false;
    sprintf(s + old, "%s\n", text);
    *lines = s;
    ++*n;
    return true;
}

static bool take_seen(const struct cs_slice_watch *w)
{
    static int cap;
    if (!CS_MAKE_ROOM(cs_own_slice.order, cs_own_slice.nseen, cap))
        return false;
    cs_own_slice.order[cs_own_slice.nseen] = w->order;
    return take_text(&cs_own_slice.seen, &cs_own_slice.nseen, w->place);
}

/* The copies are kept for good. */
static bool take_counter(const struct cs_slice_counter *r)
{
    static int cap;
    if (!CS_MAKE_ROOM(cs_own_slice.counters, cs_own_slice.ncounters, cap))
        return false;
    struct cs_own_counter c = {strdup(r->file), strdup(r->func), r->line, r->ordinal, r->counted};
    cs_own_slice.counters[cs_own_slice.ncounters++] = c;
    return c.file && c.func;
}

static bool take(void *unused, const struct cs_slice_record *r)
{
    if (r->kind == CS_SLICE_SITE)
        return take_site(&r->site);
    if (r->kind == CS_SLICE_COUNTER)
        return take_counter(&r->counter);
    if (r->kind == CS_SLICE_ASSUME)
        return take_text(&cs_own_slice.assumptions, &cs_own_slice.nassumptions, r->assume.text);
    if (r->kind == CS_SLICE_WATCH && (cs_is_value_place(r->watch.place) || strchr(r->watch.place, '=')))
        return take_seen(&r->watch);
    if (r->kind == CS_SLICE_WATCH)
        return take_text(&cs_own_slice.watched, &cs_own_slice.nwatched, r->watch.place);
    if (r->kind == CS_SLICE_ORDER)
        cs_own_slice.unordered = !strcmp(r->order, "none");
    if (r->kind == CS_SLICE_MODE)
        cs_own_slice.is_slice = strcmp(r->mode, "original") != 0;
    return true;
}

/* Where a section of at least that size is in memory, or NULL. */
static void *loaded(const struct image *im, const char *name, size_t size)
{
    const ElfW(Shdr) *s = find_section(im, name);
    ElfW(Addr) base = 0;
    if (!s || s->sh_size < size || !(s->sh_flags & SHF_ALLOC))
        return NULL;
    dl_iterate_phdr(executable_base, &base);
    return (void *)(base + s->sh_addr);
}

int cs_own_slice_counters(void)
{
    return 3 * cs_own_slice.nassumptions + 2 * cs_own_slice.nwatched + CS_SEEN_COUNTERS * cs_own_slice.nseen;
}

const struct cs_value_seen *cs_own_slice_seen(void)
{
    static_assert(sizeof(struct cs_value_seen) == CS_SEEN_COUNTERS * sizeof(int64_t), "counters of a value");
    if (!cs_own_slice.nseen || !cs_own_slice.violations)
        return NULL;
    return (const void *)(cs_own_slice.violations + cs_own_slice_counters() - CS_SEEN_COUNTERS * cs_own_slice.nseen);
}

static int load_image(const struct image *im, char *err, int errlen)
{
    char why[128];
    const ElfW(Shdr) *info = find_section(im, CS_SECTION_TEXT);
    cs_own_slice.word = loaded(im, CS_SECTION_SITE, sizeof(int32_t));
    if (!info)
        return 0;
    cs_own_slice.is_slice = true;
    if (!in_image(im, info->sh_offset, info->sh_size)) {
        snprintf(why, sizeof why, "its section " CS_SECTION_TEXT " is cut off");
        goto failed;
    }
    if (cs_slice_section_read(im->base + info->sh_offset, info->sh_size,
                              CS_SLICE_MODE | CS_SLICE_SITE | CS_SLICE_ASSUME | CS_SLICE_WATCH | CS_SLICE_COUNTER |
                                  CS_SLICE_ORDER,
                              take, NULL, why, sizeof why) != 0)
        goto failed;
    if (cs_own_slice_counters())
        cs_own_slice.violations = loaded(im, CS_SECTION_ASSUME, (size_t)cs_own_slice_counters() * sizeof(int64_t));
    cs_own_slice.tell = loaded(im, CS_SECTION_TELL, sizeof *cs_own_slice.tell);
    cs_own_slice.turns = loaded(im, CS_SECTION_TURNS, sizeof *cs_own_slice.turns);
    if (cs_own_slice.ncounters)
        cs_own_slice.counts = loaded(im, CS_SECTION_COUNTERS, (size_t)(cs_own_slice.ncounters + 1) * sizeof(uint64_t));
    return 0;
failed:
    snprintf(err, (size_t)errlen, "this program: %s", why);
    return -1;
}

int cs_own_slice_load(char *err, int errlen)
{
    static bool done; /* ranks of the emulated library inherit it from their parent */
    struct stat st;
    int rc = -1;
    if (done)
        return 0;
    int fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
    if (fd < 0 || fstat(fd, &st) != 0) {
        snprintf(err, (size_t)errlen, "/proc/self/exe: %s", strerror(errno));
        goto done;
    }
    struct image im = {mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0), (size_t)st.st_size};
    if (im.base == MAP_FAILED) {
        snprintf(err, (size_t)errlen, "/proc/self/exe: %s", strerror(errno));
        goto done;
    }
    rc = load_image(&im, err, errlen);
    done = rc == 0;
    munmap((void *)im.base, im.size);
done:
    if (fd >= 0)
        close(fd);
    return rc;
}

/* The number of this line among them, -1: it is none. */
static int line_number(const char *lines, const char *text)
{
    size_t len = strlen(text);
    for (int i = 0; lines && *lines; i++, lines += strcspn(lines, "\n") + 1)
        if (!strncmp(lines, text, len) && lines[len] == '\n')
            return i;
    return -1;
}

int cs_own_slice_find(const char *text)
{
    int at = line_number(cs_own_slice.assumptions, text), watched = line_number(cs_own_slice.watched, text);
    if (at < 0 && watched >= 0)
        at = cs_own_slice.nassumptions + 2 * watched;
    assert(at < cs_own_slice_counters());
    return at;
}

/* Ends the line that is about `text`. */
static void end_line(FILE *f, const char *text, const char *files)
{
    bool about_files = files && !strncmp(text, CS_NO_READ_BACK "\n", strlen(CS_NO_READ_BACK "\n"));
    fprintf(f, "%s%s\n", about_files ? ": " : "", about_files ? files : "");
}

/* How often a value was another one than its assumption says, how far off that was, and how often it was asked. The
 * share is in millionths. */
static void print_value(FILE *f, int64_t violations, int64_t times, int64_t share)
{
    fprintf(f, " violated %lld times of %lld", (long long)violations, (long long)times);
    if (violations)
        fprintf(f, ", by at most %.4g %%", (double)share / 1e4);
}

/* One assumption, a line's first n characters. */
static void print_assumption(FILE *f, const char *line, int n, int i, const int64_t *violations, const int64_t *most)
{
    char *text = strndup(line, (size_t)n);
    int own = cs_own_slice.nassumptions + 2 * cs_own_slice.nwatched + 2 * i;
    fprintf(f, "%.*s", n, line);
    if (text && cs_assumes_value(text, NULL, NULL))
        print_value(f, violations[i], violations[own], most[own + 1]);
    else
        fprintf(f, " violated %lld times", (long long)violations[i]);
    free(text);
}

/* What was counted of a line that is watched: its first n characters. Functions that were not called are left out. */
static void print_watched(FILE *f, const char *line, int n, const int64_t counted[2], const char *files)
{
    if (!strncmp(line, CS_ONLY_CALLED, strlen(CS_ONLY_CALLED))) {
        if (counted[0])
            fprintf(f, "%.*s %lld times\n", n, line, (long long)counted[0]);
        return;
    }
    fprintf(f, "%.*s held %lld of %lld times", n, line, (long long)counted[0], (long long)(counted[0] + counted[1]));
    end_line(f, line, files);
}

char *cs_own_slice_counted(const int64_t *violations, const int64_t *most, const char *files)
{
    char *text = NULL;
    size_t len;
    FILE *f = open_memstream(&text, &len);
    const char *line = cs_own_slice.assumptions;
    if (!f)
        return NULL;
    assert(violations && (line || cs_own_slice.nassumptions == 0));
    for (int i = 0; i < cs_own_slice.nassumptions; i++) {
        size_t n = strcspn(line, "\n");
        print_assumption(f, line, (int)n, i, violations, most);
        end_line(f, line, files);
        line += n + 1;
    }
    line = cs_own_slice.watched;
    for (int i = 0; i < cs_own_slice.nwatched; i++) {
        const int64_t *counted = violations + cs_own_slice.nassumptions + 2 * i;
        size_t n = strcspn(line, "\n");
        print_watched(f, line, (int)n, counted, files);
        line += n + 1;
    }
    if (fclose(f) == 0)
        return text;
    free(text);
    return NULL;
}

bool cs_own_slice_has_unmarked(void)
{
    for (int i = 0; i < cs_own_slice.nsites; i++)
        if (cs_own_slice.sites[i].file &&
            (cs_own_slice.sites[i].mark == CS_MARK_NONE || cs_own_slice.sites[i].mark == CS_MARK_POISON))
            return true;
    return false;
}

bool cs_own_slice_has_marked(void)
{
    for (int i = 0; i < cs_own_slice.nsites; i++)
        if (cs_own_slice.sites[i].file && cs_own_slice.sites[i].mark != CS_MARK_NONE)
            return true;
    return false;
}
