/* SPDX-License-Identifier: BSD-3-Clause
 * Finds the sections .cs_site and .commslice of the running executable by their names in the file.
 * The few lines of ELF are here and not from libelf, so that the preloaded library brings no other library in. */
#define _GNU_SOURCE
#include "commlib/state/own_section.h"

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
#include <zstd.h>

#include "api/mpi_calls.h"
#include "api/marks.h"

struct cs_slice_info cs_slice;

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

static int grow_sites(int id)
{
    if (id < cs_slice.nsites)
        return 0;
    int n = id + 64;
    struct cs_slice_site *s = realloc(cs_slice.sites, (size_t)n * sizeof *s);
    if (!s)
        return -1;
    memset(s + cs_slice.nsites, 0, (size_t)(n - cs_slice.nsites) * sizeof *s);
    cs_slice.sites = s;
    cs_slice.nsites = n;
    return 0;
}

/* Undoes \t, \n and \\ of a field. The copy is kept for good. */
static char *copy_field(const char *field)
{
    char *out = strdup(field), *to = out;
    for (const char *from = field; out && *from; from++) {
        if (*from == '\\' && from[1]) {
            from++;
            *to++ = *from == 't' ? '\t' : *from == 'n' ? '\n' : *from;
        } else {
            *to++ = *from;
        }
    }
    if (out)
        *to = 0;
    return out;
}

/* site ID FILE LINE FUNC CALL MARK */
static int parse_site(char *rest)
{
    char *f[6];
    for (int i = 0; i < 6; i++)
        if (!(f[i] = strsep(&rest, "\t")))
            return -1;
    int id = atoi(f[0]);
    if (id < 0 || id > 1 << 24 || grow_sites(id) != 0)
        return -1;
    struct cs_slice_site s = {copy_field(f[1]), copy_field(f[3]), copy_field(f[4]), atoi(f[2]), atoi(f[5]), -1};
    const struct cs_mpi_call *call = s.call ? cs_mpi_find(s.call) : NULL;
    s.index = call ? cs_mpi_index(call) : -1;
    cs_slice.sites[id] = s;
    return s.file && s.func && s.call ? 0 : -1;
}

static int add_assumption(const char *text)
{
    size_t old = cs_slice.assumptions ? strlen(cs_slice.assumptions) : 0;
    char *s = realloc(cs_slice.assumptions, old + strlen(text) + 2);
    if (!s)
        return -1;
    sprintf(s + old, "%s\n", text);
    cs_slice.assumptions = s;
    cs_slice.nassumptions++;
    return 0;
}

/* Takes what the run needs from a line; most lines are for `commslice why`. */
static int parse_line(char *line)
{
    char *word = strsep(&line, "\t");
    if (!line)
        return 0;
    if (strcmp(word, "site") == 0)
        return parse_site(line);
    if (strcmp(word, "assume") == 0)
        return add_assumption(strsep(&line, "\t"));
    if (strcmp(word, "mode") == 0)
        cs_slice.is_slice = strcmp(strsep(&line, "\t"), "original") != 0;
    return 0;
}

/* Lines as they come out of a stream. The section can be larger than a slice may be, so it is never in memory as a
 * whole. */
struct line_reader {
    char *line;
    size_t len, cap;
    bool seen_header;
};

static int end_line(struct line_reader *r)
{
    r->line[r->len] = 0;
    r->len = 0;
    if (r->seen_header)
        return parse_line(r->line);
    r->seen_header = true;
    return strcmp(r->line, "commslice-slice 1") == 0 ? 0 : -1;
}

static int feed(struct line_reader *r, const char *text, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (r->len + 1 >= r->cap) {
            char *p = realloc(r->line, r->cap + 4096);
            if (!p)
                return -1;
            r->line = p;
            r->cap += 4096;
        }
        if (text[i] != '\n')
            r->line[r->len++] = text[i];
        else if (end_line(r) != 0)
            return -1;
    }
    return 0;
}

static int feed_zstd(struct line_reader *r, const char *data, size_t size)
{
    char buf[1 << 15];
    ZSTD_DStream *d = ZSTD_createDStream();
    ZSTD_inBuffer in = {data, size, 0};
    size_t left = 1;
    int rc = d ? 0 : -1;
    while (rc == 0 && left != 0) {
        ZSTD_outBuffer out = {buf, sizeof buf, 0};
        left = ZSTD_decompressStream(d, &out, &in);
        if (ZSTD_isError(left) || (out.pos == 0 && in.pos == in.size && left != 0))
            rc = -1;
        else
            rc = feed(r, buf, out.pos);
    }
    ZSTD_freeDStream(d);
    return rc;
}

static int parse_section(const char *data, size_t size)
{
    struct line_reader r = {0};
    bool packed = size >= 4 && memcmp(data, "\x28\xb5\x2f\xfd", 4) == 0;
    cs_slice.is_slice = true;
    int rc = packed ? feed_zstd(&r, data, size) : feed(&r, data, size);
    if (!r.seen_header)
        rc = -1;
    free(r.line);
    return rc;
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

static int load_image(const struct image *im, char *err, int errlen)
{
    const ElfW(Shdr) *info = find_section(im, ".commslice");
    cs_slice.word = loaded(im, ".cs_site", sizeof(int32_t));
    if (!info)
        return 0;
    if (!in_image(im, info->sh_offset, info->sh_size) ||
        parse_section(im->base + info->sh_offset, info->sh_size) != 0) {
        snprintf(err, (size_t)errlen, "the section .commslice of the program is damaged or of another version");
        return -1;
    }
    if (cs_slice.nassumptions)
        cs_slice.violations = loaded(im, ".cs_assume", (size_t)cs_slice.nassumptions * sizeof(int64_t));
    return 0;
}

int cs_slice_load(char *err, int errlen)
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

char *cs_slice_counted(const int64_t *violations)
{
    char *text = NULL;
    size_t len;
    FILE *f = open_memstream(&text, &len);
    const char *line = cs_slice.assumptions;
    if (!f)
        return NULL;
    for (int i = 0; i < cs_slice.nassumptions; i++) {
        size_t n = strcspn(line, "\n");
        fprintf(f, "%.*s violated %lld times\n", (int)n, line, (long long)violations[i]);
        line += n + 1;
    }
    if (fclose(f) == 0)
        return text;
    free(text);
    return NULL;
}

bool cs_slice_has_unmarked(void)
{
    for (int i = 0; i < cs_slice.nsites; i++)
        if (cs_slice.sites[i].file &&
            (cs_slice.sites[i].mark == CS_MARK_NONE || cs_slice.sites[i].mark == CS_MARK_POISON))
            return true;
    return false;
}

bool cs_slice_has_marked(void)
{
    for (int i = 0; i < cs_slice.nsites; i++)
        if (cs_slice.sites[i].file && cs_slice.sites[i].mark != 0)
            return true;
    return false;
}
