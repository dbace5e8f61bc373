/* SPDX-License-Identifier: BSD-3-Clause
 * Reads the section with libelf, and names of sources with libdw; slice_graph.h. */
#define _GNU_SOURCE 1
#include "cli/show/slice_graph.h"

#include <ctype.h>
#include <dwarf.h>
#include <elfutils/libdw.h>
#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zstd.h>

#include "api/slice_section.h"
#include "base/grow.h"
#include "cli/frame/cli.h"
#include "cli/show/elf_section.h"
#include "cli/show/fortran_statement.h"

/* ---- the section ---- */

static Elf_Data *section(Elf *elf, const char *wanted)
{
    Elf_Scn *scn = cs_elf_section(elf, wanted);
    return scn ? elf_rawdata(scn, NULL) : NULL;
}

/* The bytes of a section, unpacked if they are a zstd frame. NULL: they are damaged, or memory is out. */
static char *unpack(const void *data, size_t n, size_t *size)
{
    bool packed = n >= 4 && memcmp(data, "\x28\xb5\x2f\xfd", 4) == 0;
    unsigned long long long_size = packed ? ZSTD_getFrameContentSize(data, n) : n;
    if (long_size == ZSTD_CONTENTSIZE_UNKNOWN || long_size == ZSTD_CONTENTSIZE_ERROR || long_size > SIZE_MAX / 2)
        return NULL;
    char *text = malloc((size_t)long_size + 1);
    *size = (size_t)long_size;
    if (text && !packed)
        memcpy(text, data, n);
    if (text && packed && ZSTD_decompress(text, *size, data, n) != *size) {
        free(text);
        return NULL;
    }
    return text;
}

char *cs_slice_graph_read(const char *path, size_t *size)
{
    char *text = NULL;
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0) {
        cs_error("%s: %s", path, strerror(errno));
        return NULL;
    }
    elf_version(EV_CURRENT);
    Elf *elf = elf_begin(fd, ELF_C_READ, NULL);
    Elf_Data *data = elf ? section(elf, CS_SECTION_GRAPH) : NULL;
    if (!data || !data->d_buf)
        cs_error("%s: no slice, or one of an older commslice: it has no section " CS_SECTION_GRAPH, path);
    else if (!(text = unpack(data->d_buf, data->d_size, size)))
        cs_error("%s: its section " CS_SECTION_GRAPH " is damaged, or memory is out", path);
    elf_end(elf);
    close(fd);
    return text;
}

/* ---- sources ---- */

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* Opens DIR/NAME, DIR of `n` characters. */
static FILE *open_in(const char *dir, size_t n, const char *name)
{
    char path[PATH_MAX];
    int length = snprintf(path, sizeof path, "%.*s%s%s", (int)n, dir, n ? "/" : "", name);
    return length > 0 && length < PATH_MAX ? fopen(path, "r") : NULL;
}

/* Opens the source of that name among those of one compilation unit. */
static FILE *open_in_unit(Dwarf_Die *unit, const char *file)
{
    Dwarf_Attribute at;
    Dwarf_Files *files;
    size_t n;
    const char *dir = dwarf_formstring(dwarf_attr(unit, DW_AT_comp_dir, &at));
    if (dwarf_getsrcfiles(unit, &files, &n) != 0)
        return NULL;
    for (size_t i = 1; i < n; i++) {
        const char *name = dwarf_filesrc(files, i, NULL, NULL);
        if (!name || strcmp(base_name(name), file) != 0)
            continue;
        FILE *f = name[0] == '/' || !dir ? fopen(name, "r") : open_in(dir, strlen(dir), name);
        if (f)
            return f;
    }
    return NULL;
}

static FILE *open_by_debug_info(const char *path, const char *file)
{
    FILE *f = NULL;
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    Dwarf *dw = fd >= 0 ? dwarf_begin(fd, DWARF_C_READ) : NULL;
    Dwarf_Off at = 0, next;
    size_t head;
    while (dw && !f && dwarf_nextcu(dw, at, &next, &head, NULL, NULL, NULL) == 0) {
        Dwarf_Die unit;
        if (dwarf_offdie(dw, at + head, &unit))
            f = open_in_unit(&unit, file);
        at = next;
    }
    if (dw)
        dwarf_end(dw);
    if (fd >= 0)
        close(fd);
    return f;
}

/* A source: its lines, each cut to what stands between its blanks, or of Fortran the statement to which it belongs; no
 * lines if it was not found. */
struct source {
    char *name, **line;
    size_t n, cap;
};

/* Sources of one slice: n of them are known, in the order in which they were asked for; path and dir are the caller's.
 */
struct cs_sources {
    const char *path, *dir;
    struct source *source;
    size_t n, cap;
};

struct cs_sources *cs_sources_new(const char *path, const char *dir)
{
    struct cs_sources *s = calloc(1, sizeof *s);
    if (s) {
        s->path = path;
        s->dir = dir;
    }
    return s;
}

static char *trimmed(const char *text)
{
    while (isspace((unsigned char)*text))
        text++;
    size_t n = strlen(text);
    while (n > 0 && isspace((unsigned char)text[n - 1]))
        n--;
    return strndup(text, n);
}

static FILE *open_source(const struct cs_sources *s, const char *file)
{
    FILE *f = s->dir ? open_in(s->dir, strlen(s->dir), base_name(file)) : NULL;
    if (!f)
        f = fopen(file, "r");
    if (!f)
        f = open_in(s->path, strlen(s->path) - strlen(base_name(s->path)), base_name(file));
    return f ? f : open_by_debug_info(s->path, base_name(file));
}

/* Makes of each line what is shown of it. */
static void show_lines(struct source *to)
{
    bool fixed, fortran = cs_fortran_source(to->name, &fixed);
    char **shown = calloc(to->n + 1, sizeof *shown);
    for (size_t i = 0; shown && i < to->n; i++)
        shown[i] = fortran ? cs_fortran_statement(to->line, to->n, i, fixed) : trimmed(to->line[i]);
    for (size_t i = 0; i < to->n; i++)
        free(to->line[i]);
    free(to->line);
    to->line = shown;
    to->n = shown ? to->n : 0;
}

static void read_lines(struct source *to, FILE *f)
{
    char *text = NULL;
    size_t size = 0;
    while (getline(&text, &size, f) > 0 && CS_MAKE_ROOM(to->line, to->n, to->cap)) {
        if (!(to->line[to->n] = strdup(text)))
            break;
        to->n++;
    }
    free(text);
    fclose(f);
    show_lines(to);
}

/* The source of that name, read if it was not; NULL: memory is out. */
static struct source *source_of(struct cs_sources *s, const char *file)
{
    for (size_t i = 0; i < s->n; i++)
        if (!strcmp(s->source[i].name, file))
            return &s->source[i];
    char *name = strdup(file);
    if (!name || !CS_MAKE_ROOM(s->source, s->n, s->cap)) {
        free(name);
        return NULL;
    }
    struct source *to = &s->source[s->n++];
    *to = (struct source){.name = name};
    FILE *f = open_source(s, file);
    if (f)
        read_lines(to, f);
    return to;
}

const char *cs_source_line(struct cs_sources *s, const char *file, int line)
{
    const struct source *from = s ? source_of(s, file) : NULL;
    return from && line > 0 && (size_t)line <= from->n ? from->line[line - 1] : NULL;
}

void cs_sources_free(struct cs_sources *s)
{
    for (size_t i = 0; s && i < s->n; i++) {
        for (size_t k = 0; k < s->source[i].n; k++)
            free(s->source[i].line[k]);
        free(s->source[i].line);
        free(s->source[i].name);
    }
    if (s)
        free(s->source);
    free(s);
}
