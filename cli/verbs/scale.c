/* SPDX-License-Identifier: BSD-3-Clause
 * commslice scale: how communication changes with the number of ranks, from traces of the same program: by place, what
 * a rank calls and sends in each of them, and how that grows. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "cli/frame/cli.h"
#include "cli/frame/json.h"
#include "cli/frame/output.h"
#include "cli/frame/text.h"
#include "cli/show/extrap_text.h"
#include "reading/commslice.h"

/* Rows of the table if nobody says, and traces at most. */
enum { DEFAULT_ROWS = 20, MOST = 16 };

/* What one trace has of a place. Bytes and calls are of all its ranks. */
struct amount {
    double calls, bytes, ranks;
};

/* A place in the source and its call, and an amount for each trace: `in[i]` is that of trace i. */
struct place {
    const char *call, *file, *function;
    int line;
    struct amount in[MOST];
};

/* The traces by number of ranks. */
struct scale {
    int n;
    const char *path[MOST];
    struct cs_reader *reader[MOST];
    struct amount all[MOST]; /* ranks: all */
    double partners[MOST];   /* ranks that a rank sends messages to, in the mean */
    struct place *place;
    int nplaces, cap;
};

/* ---- reading ---- */

static bool same_text(const char *a, const char *b)
{
    return a == b || (a && b && !strcmp(a, b));
}

static struct place *place_of(struct scale *s, const struct cs_reader_site *site)
{
    for (int i = 0; i < s->nplaces; i++) {
        struct place *p = &s->place[i];
        if (p->line == site->line && same_text(p->call, site->call) && same_text(p->file, site->file) &&
            (site->line >= 0 || same_text(p->function, site->function)))
            return p;
    }
    if (!CS_MAKE_ROOM(s->place, s->nplaces, s->cap))
        return NULL;
    s->place[s->nplaces] =
        (struct place){.call = site->call, .file = site->file, .function = site->function, .line = site->line};
    return &s->place[s->nplaces++];
}

static int add_sites(struct scale *s, int k)
{
    char why[256];
    struct cs_reader_site *site = NULL;
    size_t n = 0;
    if (cs_reader_sites(s->reader[k], &site, &n, why, sizeof why))
        return cs_error("%s: %s", s->path[k], why);
    for (size_t i = 0; i < n; i++) {
        struct place *p = place_of(s, &site[i]);
        if (!p) {
            cs_reader_free(site);
            return cs_error("not enough memory");
        }
        p->in[k].calls += (double)site[i].calls;
        p->in[k].bytes += (double)site[i].sent;
        p->in[k].ranks = fmax(p->in[k].ranks, site[i].ranks);
        s->all[k].calls += (double)site[i].calls;
        s->all[k].bytes += (double)site[i].sent;
    }
    cs_reader_free(site);
    s->all[k].ranks = cs_reader_ranks(s->reader[k]);
    return 0;
}

static int add_pairs(struct scale *s, int k)
{
    char why[256];
    struct cs_reader_pair *pair = NULL;
    size_t n = 0;
    if (cs_reader_matrix(s->reader[k], &pair, &n, NULL, why, sizeof why))
        return cs_error("%s: %s", s->path[k], why);
    size_t others = 0;
    for (size_t i = 0; i < n; i++)
        others += pair[i].source != pair[i].dest;
    s->partners[k] = (double)others / s->all[k].ranks;
    cs_reader_free(pair);
    return 0;
}

static int by_ranks(const void *a, const void *b)
{
    const struct cs_reader *const *x = a, *const *y = b;
    int p = cs_reader_ranks(*x), q = cs_reader_ranks(*y);
    return (p > q) - (p < q);
}

/* Opens the traces, in the order of their numbers of ranks. */
static int open_all(struct scale *s, char **path)
{
    struct cs_reader *order[MOST];
    const char *name[MOST];
    char why[256];
    for (int i = 0; i < s->n; i++) {
        if (!(s->reader[i] = cs_reader_open(path[i], why, sizeof why)))
            return cs_error("%s: %s", path[i], why);
        order[i] = s->reader[i];
        for (int r = 0; r < cs_reader_ranks(order[i]); r++)
            if (!cs_reader_complete(order[i], r))
                return cs_error("%s: rank %d is not complete: see commslice info", path[i], r);
    }
    qsort(order, (size_t)s->n, sizeof *order, by_ranks);
    for (int i = 0; i < s->n; i++)
        for (int k = 0; k < s->n; k++)
            if (order[i] == s->reader[k])
                name[i] = path[k];
    for (int i = 0; i < s->n; i++) {
        s->reader[i] = order[i];
        s->path[i] = name[i];
        if (i && cs_reader_ranks(order[i]) == cs_reader_ranks(order[i - 1]))
            return cs_error("%s and %s are both of %d ranks: give traces of different numbers of ranks (commslice diff "
                            "compares runs of the same)",
                            name[i - 1], name[i], cs_reader_ranks(order[i]));
    }
    return 0;
}

static int read_all(struct scale *s, char **path)
{
    int code = open_all(s, path);
    for (int i = 0; i < s->n && !code; i++) {
        cs_progress("traces", i, s->n);
        code = add_sites(s, i) || add_pairs(s, i) ? CS_EXIT_ERROR : 0;
    }
    cs_progress_end();
    return code;
}

/* ---- growth ---- */

/* The power of the number of ranks by which a value grows: least squares of its logarithm against that of the ranks.
 * NAN: it is 0 somewhere. */
static double power(const struct scale *s, const double *v)
{
    double x = 0, y = 0, xx = 0, xy = 0;
    for (int i = 0; i < s->n; i++) {
        double lp = log(s->all[i].ranks), lv = v[i] > 0 ? log(v[i]) : NAN;
        x += lp;
        y += lv;
        xx += lp * lp;
        xy += lp * lv;
    }
    double p = (s->n * xy - x * y) / (s->n * xx - x * x);
    return fabs(p) < 1e-9 ? 0 : p; /* rounding */
}

/* "same", "as p^0.50", "only in some". */
static const char *growth(const struct scale *s, const double *v, char buf[32])
{
    bool same = true, any = false;
    for (int i = 0; i < s->n; i++) {
        same &= fabs(v[i] - v[0]) <= 0.005 * fabs(v[0]);
        any |= v[i] > 0;
    }
    double p = power(s, v);
    if (!any)
        return strcpy(buf, "");
    if (same)
        return strcpy(buf, "same");
    if (isnan(p))
        return strcpy(buf, "not in all");
    snprintf(buf, 32, "p^%.2f", p);
    return buf;
}

static void per_rank(const struct scale *s, const struct amount *in, bool bytes, double *v)
{
    for (int i = 0; i < s->n; i++)
        v[i] = (bytes ? in[i].bytes : in[i].calls) / s->all[i].ranks;
}

/* ---- text ---- */

static const char *show(char buf[32], double v, bool bytes)
{
    if (bytes)
        return cs_human_bytes(buf, (uint64_t)(v + 0.5));
    snprintf(buf, 32, v >= 100 || v == floor(v) ? "%.0f" : "%.3g", v);
    return buf;
}

static void print_values(const struct scale *s, const double *v, bool bytes)
{
    char buf[32], how[32];
    for (int i = 0; i < s->n; i++)
        printf(" %10s", show(buf, v[i], bytes));
    printf("  %-10s", growth(s, v, how));
}

static void print_row(const struct scale *s, const struct amount *in)
{
    double v[MOST];
    per_rank(s, in, false, v);
    print_values(s, v, false);
    per_rank(s, in, true, v);
    print_values(s, v, true);
}

static void print_place(const struct scale *s, const struct place *p)
{
    const char *base = p->file ? strrchr(p->file, '/') : NULL;
    print_row(s, p->in);
    fputs("  ", stdout);
    if (p->line >= 0)
        printf("%s:%d %s\n", base ? base + 1 : p->file ? p->file : "?", p->line, p->call);
    else
        printf("%s %s\n", p->function ? p->function : "?", p->call);
}

static const struct scale *sorted_of;

/* Most bytes a rank in the largest run first, then most calls. */
static int larger_first(const void *a, const void *b)
{
    const struct amount *x = &((const struct place *)a)->in[sorted_of->n - 1],
                        *y = &((const struct place *)b)->in[sorted_of->n - 1];
    if (x->bytes != y->bytes)
        return x->bytes < y->bytes ? 1 : -1;
    if (x->calls != y->calls)
        return x->calls < y->calls ? 1 : -1;
    return ((const struct place *)a)->line - ((const struct place *)b)->line;
}

static void print_head(const struct scale *s)
{
    for (int part = 0; part < 2; part++)
        printf(" %-*s", 11 * s->n + 11, part ? "bytes of a rank, on ranks" : "calls of a rank, on ranks");
    putchar('\n');
    for (int part = 0; part < 2; part++) {
        for (int i = 0; i < s->n; i++)
            printf(" %10.0f", s->all[i].ranks);
        printf("  %-10s", "grows as");
    }
    puts("  where");
}

static void print_text(struct scale *s, int rows)
{
    sorted_of = s;
    qsort(s->place, (size_t)s->nplaces, sizeof *s->place, larger_first);
    for (int i = 0; i < s->n; i++)
        cs_print_plain(stdout, "%.0f ranks: %s", s->all[i].ranks, s->path[i]);
    putchar('\n');
    print_head(s);
    print_row(s, s->all);
    puts("  all");
    for (int i = 0; i < s->nplaces && i < rows; i++)
        print_place(s, &s->place[i]);
    if (s->nplaces > rows)
        printf("... and %d more places (-n %d shows all)\n", s->nplaces - rows, s->nplaces);
    printf("\nranks that a rank sends messages to, in the mean:");
    print_values(s, s->partners, false);
    putchar('\n');
}

/* ---- JSON ---- */

static void put_values(struct cs_json *j, const struct scale *s, const char *key, const char *grows, const double *v)
{
    cs_json_open(j, key, '[');
    for (int i = 0; i < s->n; i++)
        cs_json_real(j, NULL, v[i]);
    cs_json_close(j, ']');
    cs_json_real(j, grows, power(s, v));
}

static void put_amounts(struct cs_json *j, const struct scale *s, const struct amount *in)
{
    double v[MOST];
    per_rank(s, in, false, v);
    put_values(j, s, "calls_of_a_rank", "calls_power", v);
    per_rank(s, in, true, v);
    put_values(j, s, "bytes_of_a_rank", "bytes_power", v);
}

static void print_json(const struct scale *s)
{
    struct cs_json j = {.out = stdout};
    cs_json_open(&j, NULL, '{');
    cs_json_open(&j, "traces", '[');
    for (int i = 0; i < s->n; i++) {
        cs_json_open(&j, NULL, '{');
        cs_json_string(&j, "path", s->path[i]);
        cs_json_real(&j, "ranks", s->all[i].ranks);
        cs_json_close(&j, '}');
    }
    cs_json_close(&j, ']');
    cs_json_open(&j, "all", '{');
    put_amounts(&j, s, s->all);
    cs_json_close(&j, '}');
    cs_json_open(&j, "partners", '{');
    put_values(&j, s, "mean", "power", s->partners);
    cs_json_close(&j, '}');
    cs_json_open(&j, "places", '[');
    for (int i = 0; i < s->nplaces; i++) {
        const struct place *p = &s->place[i];
        cs_json_open(&j, NULL, '{');
        cs_json_string(&j, "file", p->file);
        cs_json_int(&j, "line", p->line);
        cs_json_string(&j, "func", p->function);
        cs_json_string(&j, "call", p->call);
        cs_json_open(&j, "ranks", '[');
        for (int k = 0; k < s->n; k++)
            cs_json_real(&j, NULL, p->in[k].ranks);
        cs_json_close(&j, ']');
        put_amounts(&j, s, p->in);
        cs_json_close(&j, '}');
    }
    cs_json_close(&j, ']');
    cs_json_close(&j, '}');
    cs_json_end(&j);
}

/* ---- Extra-P ---- */

static const struct cs_file_kind extrap_kind = {"input for Extra-P of commslice", CS_EXTRAP_BEGINS,
                                                sizeof CS_EXTRAP_BEGINS - 1};

/* "whole->heat.c:40_MPI_Isend": blanks would end the name. */
static void put_region(const struct place *p, FILE *f)
{
    char name[400];
    const char *base = p->file ? strrchr(p->file, '/') : NULL;
    if (p->line >= 0)
        snprintf(name, sizeof name, "%s:%d_%s", base ? base + 1 : p->file ? p->file : "?", p->line, p->call);
    else
        snprintf(name, sizeof name, "%s_%s", p->function ? p->function : "?", p->call);
    fputs("REGION whole->", f);
    for (const char *c = name; *c; c++)
        putc((unsigned char)*c <= ' ' ? '_' : *c, f);
    putc('\n', f);
}

static void put_data(const struct scale *s, const struct amount *in, bool bytes, FILE *f)
{
    double v[MOST];
    per_rank(s, in, bytes, v);
    for (int i = 0; i < s->n; i++)
        fprintf(f, "DATA %.9g\n", v[i]);
}

/* Text input of Extra-P: calls and bytes of the mean rank over the number of ranks, of all places and of each. */
static int write_extrap(const struct scale *s, const char *path)
{
    struct cs_output out;
    if (cs_output_open(&out, path))
        return CS_EXIT_ERROR;
    fputs(CS_EXTRAP_BEGINS "PARAMETER p\nPOINTS", out.f);
    for (int i = 0; i < s->n; i++)
        fprintf(out.f, " %.0f", s->all[i].ranks);
    putc('\n', out.f);
    for (int bytes = 0; bytes < 2; bytes++) {
        fprintf(out.f, "\nMETRIC %s\nREGION whole\n", bytes ? "bytes" : "calls");
        put_data(s, s->all, bytes, out.f);
        for (int i = 0; i < s->nplaces; i++) {
            put_region(&s->place[i], out.f);
            put_data(s, s->place[i].in, bytes, out.f);
        }
    }
    return cs_output_close(&out, true) ? CS_EXIT_ERROR : CS_EXIT_OK;
}

/* ---- the verb ---- */

/* What is asked beside the traces; extrap: a file, or NULL. */
struct wish {
    long rows;
    const char *extrap;
    bool json, force;
};

static int scale(int n, char **path, const struct wish *w)
{
    struct scale s = {.n = n};
    int code = CS_EXIT_OK;
    for (int i = 0; i < n && w->extrap && !code; i++)
        code = cs_output_check(w->extrap, path[i], &extrap_kind, w->force);
    if (!code)
        code = read_all(&s, path);
    if (!code && w->extrap)
        code = write_extrap(&s, w->extrap);
    if (!code && w->json)
        print_json(&s);
    else if (!code)
        print_text(&s, (int)w->rows);
    for (int i = 0; i < n; i++)
        cs_reader_close(s.reader[i]);
    free(s.place);
    return cs_finish_output(code);
}

static int run(const struct cs_verb *v, int argc, char **argv)
{
    static const struct option longs[] = {{"rows", required_argument, NULL, 'n'},    {"json", no_argument, NULL, 'j'},
                                          {"extra-p", required_argument, NULL, 'e'}, {"force", no_argument, NULL, 'f'},
                                          {"help", no_argument, NULL, 'h'},          {0}};
    struct wish w = {.rows = DEFAULT_ROWS};
    int c, code;
    while ((c = cs_getopt(v, argc, argv, ":n:h", longs, &code)) >= 0) {
        w.json |= c == 'j';
        w.force |= c == 'f';
        if (c == 'e')
            w.extrap = optarg;
        if (c == 'n' && !cs_parse_number(optarg, 1, 1000000, &w.rows))
            return cs_usage_error(v, "-n %s: give a number of rows from 1", optarg);
    }
    if (c == CS_OPT_DONE)
        return code;
    if (argc - optind < 2 || argc - optind > MOST)
        return cs_usage_error(v, "give 2 to %d traces of different numbers of ranks", MOST);
    return scale(argc - optind, argv + optind, &w);
}

const struct cs_verb cs_verb_scale = {
    .name = "scale",
    .summary = "say what changes with the number of ranks",
    .run = run,
    .usage =
        "usage: commslice scale [-n ROWS] [--json] [--extra-p FILE [--force]] TRACE TRACE ...\n\n"
        "Of traces of one program on different numbers of ranks: how many calls a rank makes and how many bytes it "
        "sends, or hands in to\n"
        "collectives, in all and by place in the source, in the mean of all ranks; and how that grows: p^0.5 is as "
        "the square root of\n"
        "the number of ranks. Takes merged and folded traces, too.\n\n"
        "  -n, --rows ROWS  places, those of most bytes first; default: 20\n"
        "      --json       everything as one JSON object\n"
        "      --extra-p FILE  also write it as text input of Extra-P\n"
        "      --force      replace FILE even if commslice did not write it\n"
        "  -h, --help       show this help\n",
};
