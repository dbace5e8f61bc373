/* SPDX-License-Identifier: BSD-3-Clause
 * The reader of slice_info.h: finds the section with libelf, unpacks it with zstd, splits lines and fields in place.
 * A line that lacks fields or has no number where one belongs is an error that names the line. */
#define _GNU_SOURCE 1
#include "cli/show/slice_info.h"

#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zstd.h>

#include "cli/frame/cli.h"

#define SECTION ".commslice"
#define FIRST_LINE "commslice-slice 1"
#define MAX_TEXT ((size_t)1 << 31)
#define MAX_WORDS 9

static int reason(char *errbuf, size_t errlen, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
static int reason(char *errbuf, size_t errlen, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(errbuf, errlen, fmt, ap);
    va_end(ap);
    return -1;
}

/* ---- the section ---- */

static Elf_Scn *find_section(Elf *elf)
{
    size_t names;
    if (elf_kind(elf) != ELF_K_ELF || elf_getshdrstrndx(elf, &names))
        return NULL;
    for (Elf_Scn *scn = NULL; (scn = elf_nextscn(elf, scn));) {
        GElf_Shdr head;
        const char *name = gelf_getshdr(scn, &head) ? elf_strptr(elf, names, head.sh_name) : NULL;
        if (name && strcmp(name, SECTION) == 0)
            return scn;
    }
    return NULL;
}

/* A copy of the section's text, unpacked and terminated; -1 with a reason. */
static int copy_text(const Elf_Data *d, char **text, char *errbuf, size_t errlen)
{
    unsigned long long n = d->d_size;
    bool packed = n >= 4 && memcmp(d->d_buf, "\x28\xb5\x2f\xfd", 4) == 0;
    if (packed)
        n = ZSTD_getFrameContentSize(d->d_buf, d->d_size);
    if (n > MAX_TEXT) /* also "unknown" and "error" */
        return reason(errbuf, errlen, "its section " SECTION " is damaged");
    *text = malloc((size_t)n + 1);
    if (!*text)
        return reason(errbuf, errlen, "not enough memory for its section " SECTION);
    if (!packed && n)
        memcpy(*text, d->d_buf, (size_t)n);
    else if (packed) {
        size_t got = ZSTD_decompress(*text, (size_t)n, d->d_buf, d->d_size);
        if (got != n)
            return reason(errbuf, errlen, "its section " SECTION " is damaged");
    }
    (*text)[n] = 0;
    return 1;
}

static int read_text(const char *path, char **text, char *errbuf, size_t errlen)
{
    int rc = 0;
    Elf *elf = NULL;
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0)
        return reason(errbuf, errlen, "%s", strerror(errno));
    elf_version(EV_CURRENT);
    elf = elf_begin(fd, ELF_C_READ, NULL);
    Elf_Scn *scn = elf ? find_section(elf) : NULL;
    Elf_Data *data = scn ? elf_rawdata(scn, NULL) : NULL;
    if (data && data->d_buf)
        rc = copy_text(data, text, errbuf, errlen);
    else if (scn)
        rc = reason(errbuf, errlen, "its section " SECTION " is empty");
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

/* ---- lines ---- */

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

static int split(char *line, char *word[MAX_WORDS])
{
    int n = 0;
    while (line && n < MAX_WORDS) {
        word[n++] = strsep(&line, "\t");
        unescape(word[n - 1]);
    }
    return n;
}

/* Reads a number; clears *ok if there is none. */
static long number(const char *s, bool *ok)
{
    long v;
    if (!cs_parse_number(s, INT_MIN, LONG_MAX, &v)) {
        *ok = false;
        return 0;
    }
    return v;
}

static int small(const char *s, bool *ok)
{
    long v = number(s, ok);
    *ok = *ok && v <= INT_MAX;
    return (int)v;
}

/* Room for one more element, at powers of two. */
static void *one_more(void *array_of_pointer, size_t n, size_t size)
{
    void **array = array_of_pointer;
    if ((n & (n - 1)) == 0) {
        void *p = realloc(*array, (n ? 2 * n : 1) * size);
        if (!p)
            return NULL;
        *array = p;
    }
    return (char *)*array + n * size;
}

#define APPEND(array, count, ...) \
    do { \
        if (!one_more(&(array), count, sizeof *(array))) \
            return false; \
        (array)[(count)++] = __VA_ARGS__; \
    } while (0)

static enum cs_reason_kind kind_of(const char *word)
{
    static const char *const name[] = {"-",      "root",  "data",    "memory", "control", "call",
                                       "return", "param", "message", "exit",   "opaque"};
    for (int i = 0; i < CS_WHY_OTHER; i++)
        if (strcmp(word, name[i]) == 0)
            return (enum cs_reason_kind)i;
    return CS_WHY_OTHER;
}

/* Takes one line's words. False if it is malformed; unknown lines are fine. */
static bool take(struct cs_slice_info *s, char **w, int n)
{
    bool ok = true;
    if (strcmp(w[0], "mode") == 0 && n >= 2) {
        s->mode = w[1];
    } else if (strcmp(w[0], "total") == 0 && n >= 3) {
        s->total = number(w[1], &ok);
        s->kept = number(w[2], &ok);
    } else if (strcmp(w[0], "func") == 0 && n >= 6) {
        APPEND(s->func, s->nfuncs,
               (struct cs_slice_func){w[1], w[2], small(w[3], &ok), number(w[4], &ok), number(w[5], &ok)});
    } else if (strcmp(w[0], "site") == 0 && n >= 7) {
        APPEND(s->site, s->nsites,
               (struct cs_slice_site){small(w[1], &ok), w[2], small(w[3], &ok), w[4], w[5], small(w[6], &ok)});
    } else if (strcmp(w[0], "opaque") == 0 && n >= 4) {
        APPEND(s->opaque, s->nopaques, (struct cs_slice_place){w[1], w[2], small(w[3], &ok)});
    } else if (strcmp(w[0], "assume") == 0 && n >= 2) {
        APPEND(s->assume, s->nassumes, (struct cs_slice_assume){w[1], n > 2 ? small(w[2], &ok) : -1});
    } else if (strcmp(w[0], "warn") == 0 && n >= 2) {
        APPEND(s->warn, s->nwarns, w[1]);
    } else if (strcmp(w[0], "stmt") == 0 && n >= 9) {
        APPEND(s->stmt, s->nstmts,
               (struct cs_slice_stmt){small(w[1], &ok), small(w[2], &ok), w[3], small(w[4], &ok),
                                      number(w[5], &ok) != 0, kind_of(w[6]), w[6], small(w[7], &ok), w[8]});
    } else {
        static const char *const known[] = {"mode", "total", "func", "site", "opaque", "assume", "warn", "stmt"};
        for (size_t i = 0; i < sizeof known / sizeof *known; i++)
            ok = ok && strcmp(w[0], known[i]) != 0;
    }
    return ok;
}

static int by_id(const void *a, const void *b)
{
    int x = ((const struct cs_slice_stmt *)a)->id, y = ((const struct cs_slice_stmt *)b)->id;
    return (x > y) - (x < y);
}

static int parse(struct cs_slice_info *s, char *errbuf, size_t errlen)
{
    char *rest = s->text, *line;
    for (long nr = 1; (line = strsep(&rest, "\n")); nr++) {
        char *word[MAX_WORDS];
        if (nr == 1 && strcmp(line, FIRST_LINE) != 0)
            return reason(errbuf, errlen, "its section " SECTION " is of another version of commslice; link it again");
        if (nr > 1 && *line && !take(s, word, split(line, word)))
            return reason(errbuf, errlen, "its section " SECTION " is damaged in line %ld", nr);
    }
    if (s->nstmts)
        qsort(s->stmt, s->nstmts, sizeof *s->stmt, by_id);
    return 1;
}

int cs_slice_read(const char *path, struct cs_slice_info *s, char *errbuf, size_t errlen)
{
    *s = (struct cs_slice_info){.mode = "slice"};
    int rc = read_text(path, &s->text, errbuf, errlen);
    if (rc == 1)
        rc = parse(s, errbuf, errlen);
    if (rc != 1)
        cs_slice_free(s);
    return rc;
}

bool cs_slice_need(const char *path, struct cs_slice_info *s)
{
    char why[256];
    int rc = cs_slice_read(path, s, why, sizeof why);
    if (rc < 0)
        cs_error("%s: %s", path, why);
    else if (rc == 0 && cs_is_elf(path))
        cs_error("%s: not a slice: it has no section " SECTION
                 "; build it with gcc -fplugin=commslice.so or commslice-mpicc",
                 path);
    else if (rc == 0)
        cs_error("%s: not an executable", path);
    return rc == 1;
}

void cs_slice_free(struct cs_slice_info *s)
{
    free(s->text);
    free(s->func);
    free(s->site);
    free(s->opaque);
    free(s->assume);
    free(s->warn);
    free(s->stmt);
    *s = (struct cs_slice_info){0};
}

const struct cs_slice_stmt *cs_slice_stmt(const struct cs_slice_info *s, int id)
{
    struct cs_slice_stmt key = {.id = id};
    return s->nstmts ? bsearch(&key, s->stmt, s->nstmts, sizeof key, by_id) : NULL;
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
