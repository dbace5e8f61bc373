/* SPDX-License-Identifier: BSD-3-Clause
 * Reads a model file. Nothing of it is taken before it is checked: numbers in their ranges, places that were named. */
#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error_text.h"
#include "base/grow.h"
#include "predict/model/model_file.h"

/* A file while it is read. */
struct reader {
    struct cs_observations *o;
    char *line, *at; /* `at`: the next field, or NULL behind the last one */
    size_t room;
    int number;
    int segment; /* of the rows, or -1 */
    bool ended;
};

/* Cuts off the next field; NULL: there is none. */
static char *field(struct reader *r)
{
    char *f = r->at;
    if (f) {
        char *tab = strchr(f, '\t');
        if (tab)
            *tab++ = 0;
        r->at = tab;
    }
    return f;
}

/* Undoes the writer's \t, \n and \\ in place; false: another letter stands behind a \. */
static bool plain(char *s)
{
    char *to = s;
    for (; *s; s++) {
        if (*s != '\\') {
            *to++ = *s;
            continue;
        }
        s++;
        if (*s != 't' && *s != 'n' && *s != '\\')
            return false;
        *to++ = *s == 't' ? '\t' : *s == 'n' ? '\n' : '\\';
    }
    *to = 0;
    return true;
}

static bool read_int(struct reader *r, int least, int most, int *v)
{
    char *f = field(r), *end;
    if (!f || !*f)
        return false;
    errno = 0;
    long n = strtol(f, &end, 10);
    *v = (int)n;
    return !*end && !errno && n >= least && n <= most;
}

static bool to_real(const char *f, double *v)
{
    char *end;
    if (!*f || isspace((unsigned char)*f))
        return false;
    *v = strtod(f, &end);
    return !*end && isfinite(*v) && *v >= 0;
}

static bool read_real(struct reader *r, double *v)
{
    char *f = field(r);
    return f && to_real(f, v);
}

static bool read_text(struct reader *r, char **s)
{
    *s = field(r);
    return *s && plain(*s);
}

/* Of what follows, each returns 1, 0: the line is not as it should be, -1: no memory. */

static int read_run(struct reader *r)
{
    int nranks, with_times;
    char *name;
    if (!read_int(r, 1, 1 << 24, &nranks) || !read_int(r, 0, 1, &with_times) || !read_text(r, &name) || r->at)
        return 0;
    return cs_observed_add_run(r->o, name, nranks, with_times) ? -1 : 1;
}

static int read_whole(struct reader *r)
{
    int run;
    double seconds, size;
    if (!read_int(r, 0, r->o->nruns - 1, &run) || !read_real(r, &seconds) || !read_real(r, &size) || r->at)
        return 0;
    r->o->run[run].whole = seconds;
    r->o->run[run].size = size;
    return 1;
}

static int read_method(struct reader *r)
{
    const char *name = field(r);
    r->o->method = name ? cs_method_find(name) : CS_METHODS;
    if (r->o->method < CS_METHODS && !r->at)
        return 1;
    r->o->method = CS_METHOD_SEGMENTS;
    return 0;
}

static int read_cache(struct reader *r)
{
    struct cs_observations *o = r->o;
    double bytes;
    if (o->ncaches == CS_CACHES || !read_real(r, &bytes) || r->at ||
        bytes <= (o->ncaches ? o->cache[o->ncaches - 1] : 0))
        return 0;
    o->cache[o->ncaches++] = bytes;
    return 1;
}

static int read_site(struct reader *r)
{
    struct cs_site s;
    char *file, *func;
    if (!read_int(r, INT_MIN, INT_MAX, &s.line) || !read_text(r, &file) || !read_text(r, &func) || r->at)
        return 0;
    s.file = file;
    s.func = func;
    int before = r->o->nsites, n = cs_observed_site_number(r->o, &s);
    return n < 0 ? -1 : n == before;
}

static int read_counter(struct reader *r, enum cs_counter_kind kind)
{
    struct cs_counter_def c = {.kind = kind};
    char *file, *func;
    int counted;
    if (!read_int(r, INT_MIN, INT_MAX, &c.line) || !read_int(r, 0, INT_MAX, &c.ordinal) ||
        !read_int(r, 0, 1, &counted) || !read_text(r, &file) || !read_text(r, &func) || r->at)
        return 0;
    c.file = file;
    c.func = func;
    c.counted = counted;
    int before = r->o->ncounters, n = cs_observed_counter_number(r->o, &c);
    return n < 0 ? -1 : n == before;
}

static int read_segment(struct reader *r)
{
    int from, to, before = r->o->nsegments;
    if (!read_int(r, -1, r->o->nsites - 1, &from) || !read_int(r, -1, r->o->nsites - 1, &to) || r->at)
        return 0;
    r->segment = cs_observed_segment_number(r->o, from, to);
    return r->segment < 0 ? -1 : r->segment == before;
}

/* "7=4096": appends it to the row. */
static int read_count(const struct reader *r, char *f, struct cs_observed_row *row, int *cap)
{
    char *end;
    struct cs_observed_count c;
    long n = isdigit((unsigned char)*f) ? strtol(f, &end, 10) : -1;
    int last = row->ncounts ? row->count[row->ncounts - 1].counter : -1;
    if (n <= last || n >= r->o->ncounters || *end != '=' || !to_real(end + 1, &c.mean))
        return 0;
    c.counter = (int)n;
    if (!CS_MAKE_ROOM(row->count, row->ncounts, *cap))
        return -1;
    row->count[row->ncounts++] = c;
    return 1;
}

static int read_row(struct reader *r)
{
    struct cs_observed_row row = {0};
    int cap = 0, rc = 1;
    if (r->segment < 0 || !read_int(r, 0, r->o->nruns - 1, &row.run) ||
        !read_int(r, 0, r->o->run[row.run].nranks - 1, &row.rank) || !read_real(r, &row.times) ||
        !read_real(r, &row.ns) || !read_real(r, &row.first) || !(row.times > 0))
        return 0;
    while (rc == 1 && r->at)
        rc = read_count(r, field(r), &row, &cap);
    if (rc == 1 && cs_observed_add_row(r->o, r->segment, &row))
        rc = -1;
    if (rc != 1)
        free(row.count);
    return rc;
}

static int read_variation(struct reader *r)
{
    struct cs_variation v = {0};
    if (r->segment < 0 || !read_int(r, 0, r->o->nruns - 1, &v.run) || !read_real(r, &v.pieces) ||
        !read_real(r, &v.ns) || !read_real(r, &v.correlation) || !(v.pieces > 0) ||
        !(v.correlation >= 0 && v.correlation < 1))
        return 0;
    for (int i = 0; i < CS_VARIATION_CELLS; i++)
        if (!read_real(r, &v.cell[i]) || (i && v.cell[i] < v.cell[i - 1]))
            return 0;
    return r->at ? 0 : cs_observed_add_variation(&r->o->segment[r->segment], &v) ? -1 : 1;
}

static int read_line(struct reader *r)
{
    const char *what = field(r);
    if (r->ended)
        return 0;
    if (!strcmp(what, "row"))
        return read_row(r);
    if (!strcmp(what, "varies"))
        return read_variation(r);
    if (!strcmp(what, "segment"))
        return read_segment(r);
    if (!strcmp(what, "run"))
        return read_run(r);
    if (!strcmp(what, "method"))
        return read_method(r);
    if (!strcmp(what, "whole"))
        return read_whole(r);
    if (!strcmp(what, "cache"))
        return read_cache(r);
    if (!strcmp(what, "site"))
        return read_site(r);
    if (!strcmp(what, "loop"))
        return read_counter(r, CS_COUNTER_LOOP);
    if (!strcmp(what, "branch"))
        return read_counter(r, CS_COUNTER_BRANCH);
    r->ended = !strcmp(what, "end") && !r->at;
    return r->ended;
}

/* The next line, without its end. 1, 0: there is none, -1: it has a byte 0, or no end. */
static int next_line(struct reader *r, FILE *f)
{
    ssize_t n = getline(&r->line, &r->room, f);
    if (n < 0)
        return 0;
    r->number++;
    if (n == 0 || r->line[n - 1] != '\n' || strlen(r->line) != (size_t)n)
        return -1;
    r->line[n - 1] = 0;
    r->at = r->line;
    return 1;
}

int cs_model_read(struct cs_observations *o, FILE *f, char *why, size_t whylen)
{
    struct reader r = {.o = o, .segment = -1};
    int rc = next_line(&r, f);
    if (rc != 1 || strncmp(r.line, CS_MODEL_MAGIC, sizeof CS_MODEL_MAGIC - 2) != 0 ||
        strlen(r.line) != sizeof CS_MODEL_MAGIC - 2) {
        free(r.line);
        return cs_error_text(why, whylen, "is no model of this version of commslice fit");
    }
    errno = 0;
    do
        rc = next_line(&r, f);
    while (rc == 1 && (rc = read_line(&r) == 1 ? 1 : -1) == 1);
    free(r.line);
    if (rc == 0 && r.ended)
        return 0;
    return errno == ENOMEM
               ? cs_error_text(why, whylen, "not enough memory")
               : cs_error_text(why, whylen, "line %d is not as a model has it, or the file ends early", r.number);
}
