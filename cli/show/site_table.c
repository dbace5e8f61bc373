/* SPDX-License-Identifier: BSD-3-Clause
 * Calls by place in the source; site_table.h. */
#include "cli/show/site_table.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cli/frame/cli.h"
#include "cli/frame/text.h"
#include "reading/commslice.h"

/* The places of a trace, heaviest first. */
struct table {
    struct cs_reader *reader;
    struct cs_reader_site *site;
    size_t n;
};

static int heavier(const void *a, const void *b)
{
    const struct cs_reader_site *x = a, *y = b;
    if (x->ns != y->ns)
        return x->ns < y->ns ? 1 : -1;
    if (x->sent != y->sent)
        return x->sent < y->sent ? 1 : -1;
    return (x->calls < y->calls) - (x->calls > y->calls);
}

static int read_table(struct table *t, const char *path)
{
    char why[256];
    *t = (struct table){.reader = cs_reader_open(path, why, sizeof why)};
    if (!t->reader)
        return cs_error("%s: %s", path, why);
    if (cs_reader_sites(t->reader, &t->site, &t->n, why, sizeof why)) {
        cs_reader_close(t->reader);
        return cs_error("%s: %s", path, why);
    }
    if (t->n)
        qsort(t->site, t->n, sizeof *t->site, heavier);
    return CS_EXIT_OK;
}

static void free_table(struct table *t)
{
    cs_reader_free(t->site);
    cs_reader_close(t->reader);
}

static void print_row(const struct cs_reader_site *s, int nranks, bool timed, double ns, double bytes)
{
    char buf[32];
    const char *base = s->file ? strrchr(s->file, '/') : NULL;
    if (timed)
        printf("  %5.1f %%", ns > 0 ? 100 * (double)s->ns / ns : 0);
    printf("  %10s %5.1f %%  %10" PRIu64 "  ", cs_human_bytes(buf, s->sent),
           bytes > 0 ? 100 * (double)s->sent / bytes : 0, s->calls);
    if (s->ranks == nranks)
        printf("%7s  ", "all");
    else
        printf("%7d  ", s->ranks);
    if (s->line >= 0 && s->file)
        cs_print_plain(stdout, "%s:%d %s", base ? base + 1 : s->file, s->line, s->call);
    else
        cs_print_plain(stdout, "%s %s", s->function ? s->function : "?", s->call);
}

int cs_site_table_print(const char *path, size_t rows)
{
    struct table t;
    double ns = 0, bytes = 0;
    if (read_table(&t, path))
        return CS_EXIT_ERROR;
    bool timed = cs_reader_has_times(t.reader);
    for (size_t i = 0; i < t.n; i++) {
        ns += (double)t.site[i].ns;
        bytes += (double)t.site[i].sent;
    }
    if (t.n)
        printf("call sites, %s first:\n%s  %18s  %10s  %7s  where\n", timed ? "most time in MPI" : "most bytes",
               timed ? "     time" : "", "bytes sent", "calls", "ranks");
    for (size_t i = 0; i < t.n && i < rows; i++)
        print_row(&t.site[i], cs_reader_ranks(t.reader), timed, ns, bytes);
    if (t.n > rows)
        printf("  ... %zu more (--all)\n", t.n - rows);
    free_table(&t);
    return CS_EXIT_OK;
}

int cs_site_table_json(struct cs_json *j, const char *path)
{
    struct table t;
    if (read_table(&t, path))
        return CS_EXIT_ERROR;
    cs_json_open(j, "sites", '[');
    for (size_t i = 0; i < t.n; i++) {
        const struct cs_reader_site *s = &t.site[i];
        cs_json_open(j, NULL, '{');
        cs_json_string(j, "file", s->file);
        cs_json_int(j, "line", s->line);
        cs_json_string(j, "func", s->function);
        cs_json_string(j, "call", s->call);
        cs_json_int(j, "ranks", s->ranks);
        cs_json_int(j, "calls", (int64_t)s->calls);
        cs_json_int(j, "bytes", (int64_t)s->sent);
        if (cs_reader_has_times(t.reader))
            cs_json_int(j, "ns", s->ns);
        cs_json_close(j, '}');
    }
    cs_json_close(j, ']');
    free_table(&t);
    return CS_EXIT_OK;
}
