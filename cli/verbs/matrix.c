/* SPDX-License-Identifier: BSD-3-Clause
 * commslice matrix: who sends how much to whom, as a heat map, CSV, PNG or JSON; collectives are listed apart.
 * The map shrinks to the terminal: a cell then stands for a block of ranks. */
#define _GNU_SOURCE 1
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "api/mpi_calls.h"
#include "cli/show/approximation.h"
#include "cli/frame/cli.h"
#include "cli/show/busy_ranks.h"
#include "cli/show/open_trace.h"
#include "cli/show/gnuplot.h"
#include "cli/frame/json.h"
#include "cli/frame/output.h"
#include "trace/analyse/traffic.h"
#include "cli/frame/unfinished.h"
#include "cli/launch/tools.h"

#define MIN_COLUMNS 20
#define DEFAULT_COLUMNS 80
#define LABEL 8      /* columns of the rank beside a row */
#define MAX_CELLS 64 /* rows of the map */
#define PNG_CELLS 1024
#define PNG_WIDTH 900
#define PNG_HEIGHT 800

/* What the user asked for; png is NULL if no picture is wanted. */
struct options {
    const char *png;
    bool csv, json, messages, bytes, force;
};

/* The matrix as it is drawn: `cells` rows and columns, each of per_cell ranks. */
struct map {
    int nranks, cells, per_cell;
    int wide;      /* columns of the terminal that a cell takes */
    double *value; /* cells by cells, row = source */
    double max;
};

static uint64_t measure(const struct cs_pair *p, bool messages)
{
    return messages ? p->messages : p->bytes;
}

static int make_map(struct map *m, const struct cs_traffic *s, int nranks, int most_cells, bool messages)
{
    m->nranks = nranks;
    m->per_cell = (nranks + most_cells - 1) / most_cells;
    m->cells = (nranks + m->per_cell - 1) / m->per_cell;
    m->max = 0;
    m->value = calloc((size_t)m->cells * (size_t)m->cells, sizeof *m->value);
    if (!m->value)
        return cs_error("not enough memory");
    for (size_t i = 0; i < s->npairs; i++) {
        const struct cs_pair *p = &s->pair[i];
        double *v = &m->value[p->source / m->per_cell * m->cells + p->dest / m->per_cell];
        *v += (double)measure(p, messages);
        m->max = *v > m->max ? *v : m->max;
    }
    return 0;
}

/* ---- terminal ---- */

static int terminal_columns(void)
{
    struct winsize w;
    const char *columns = getenv("COLUMNS");
    long n;
    if (isatty(STDOUT_FILENO) && ioctl(STDOUT_FILENO, TIOCGWINSZ, &w) == 0 && w.ws_col > 0)
        return w.ws_col < MIN_COLUMNS ? MIN_COLUMNS : w.ws_col;
    return columns && cs_parse_number(columns, MIN_COLUMNS, 1000, &n) ? (int)n : DEFAULT_COLUMNS;
}

static const char *amount(char buf[32], double v, bool messages)
{
    if (!messages)
        return cs_human_bytes(buf, (uint64_t)v);
    snprintf(buf, 32, "%.0f", v);
    return buf;
}

/* Nothing, and four shades. */
static const char *const blocks[] = {"·", "░", "▒", "▓", "█"}, *const letters[] = {".", "-", "+", "*", "#"};

/* The shades that the terminal can show: letters if the locale has a name without UTF-8 in it. In locale C most
 * terminals can show blocks. */
static const char *const *shades(void)
{
    const char *name = NULL;
    static const char *const variables[] = {"LANG", "LC_CTYPE", "LC_ALL"};
    for (size_t i = 0; i < sizeof variables / sizeof *variables; i++) {
        const char *value = getenv(variables[i]);
        name = value && *value ? value : name;
    }
    bool plain = !name || !strcmp(name, "C") || !strcmp(name, "POSIX");
    return plain || strcasestr(name, "utf-8") || strcasestr(name, "utf8") ? blocks : letters;
}

/* Anything that is not zero is at least the lightest shade. */
static const char *shade(const char *const *shades, double v, double max)
{
    return shades[v <= 0 ? 0 : 1 + (4 * v > max) + (4 * v > 2 * max) + (4 * v > 3 * max)];
}

static void print_map(const struct map *m, bool messages)
{
    char buf[4][32];
    const char *const *s = shades();
    printf("%s sent, row to column", messages ? "messages" : "bytes");
    if (m->per_cell > 1)
        printf(", a cell is %d by %d ranks", m->per_cell, m->per_cell);
    printf("\n\n%*s 0%*d\n", LABEL - 1, "", m->cells * m->wide - 1, m->cells > 1 ? (m->cells - 1) * m->per_cell : 0);
    for (int row = 0; row < m->cells; row++) {
        printf("%*d ", LABEL - 1, row * m->per_cell);
        for (int col = 0; col < m->cells; col++)
            for (int k = 0; k < m->wide; k++)
                fputs(shade(s, m->value[row * m->cells + col], m->max), stdout);
        putchar('\n');
    }
    printf("\n%*s %s nothing  %s up to %s  %s %s  %s %s  %s %s\n", LABEL - 1, "", s[0], s[1],
           amount(buf[0], m->max / 4, messages), s[2], amount(buf[1], m->max / 2, messages), s[3],
           amount(buf[2], m->max * 3 / 4, messages), s[4], amount(buf[3], m->max, messages));
}

static bool is_collective(int call)
{
    enum cs_mpi_kind k = cs_mpi_call(call)->kind;
    return k == CS_MPI_COLL || k == CS_MPI_BARRIER;
}

static int print_sums(const struct cs_traffic *s, int nranks, bool by_messages)
{
    uint64_t messages = 0, bytes = 0;
    char buf[32];
    for (size_t i = 0; i < s->npairs; i++) {
        messages += s->pair[i].messages;
        bytes += s->pair[i].bytes;
    }
    printf("\n%" PRIu64 " messages, %s, between %zu pairs of ranks\n", messages, cs_human_bytes(buf, bytes), s->npairs);
    int code = cs_busy_ranks_print(s, nranks, by_messages);
    if (s->lost)
        printf("%" PRIu64 " messages to destinations that the trace does not tell\n", s->lost);
    for (int c = 0, first = 1; c < cs_mpi_ncalls(); c++) {
        if (!is_collective(c) || !s->call[c].calls)
            continue;
        if (first)
            puts("\ncollectives (calls of all ranks, bytes that they handed in):");
        first = 0;
        printf("  %-28s %12" PRIu64 "  %s\n", cs_mpi_call(c)->name, s->call[c].calls,
               cs_human_bytes(buf, s->call[c].bytes));
    }
    return code;
}

static int show(const struct cs_traffic *s, int nranks, const struct options *o)
{
    int columns = terminal_columns() - LABEL, most = columns < MAX_CELLS ? columns : MAX_CELLS;
    struct map m;
    if (make_map(&m, s, nranks, most, o->messages))
        return CS_EXIT_ERROR;
    m.wide = 2 * m.cells <= columns && m.cells <= MAX_CELLS / 2 ? 2 : 1;
    if (s->npairs)
        print_map(&m, o->messages);
    free(m.value);
    return print_sums(s, nranks, o->messages);
}

/* ---- CSV, JSON, PNG ---- */

static void print_csv(const struct cs_traffic *s, const struct options *o)
{
    bool both = o->messages == o->bytes;
    printf("source,dest%s%s\n", both || o->messages ? ",messages" : "", both || o->bytes ? ",bytes" : "");
    for (size_t i = 0; i < s->npairs; i++) {
        printf("%d,%d", s->pair[i].source, s->pair[i].dest);
        if (both || o->messages)
            printf(",%" PRIu64, s->pair[i].messages);
        if (both || o->bytes)
            printf(",%" PRIu64, s->pair[i].bytes);
        putchar('\n');
    }
}

static int print_json(const struct cs_traffic *s, int nranks)
{
    struct cs_json j = {.out = stdout};
    cs_json_open(&j, NULL, '{');
    cs_json_int(&j, "ranks", nranks);
    cs_json_open(&j, "pairs", '[');
    for (size_t i = 0; i < s->npairs; i++) {
        cs_json_open(&j, NULL, '{');
        cs_json_int(&j, "source", s->pair[i].source);
        cs_json_int(&j, "dest", s->pair[i].dest);
        cs_json_int(&j, "messages", (int64_t)s->pair[i].messages);
        cs_json_int(&j, "bytes", (int64_t)s->pair[i].bytes);
        cs_json_close(&j, '}');
    }
    cs_json_close(&j, ']');
    cs_json_open(&j, "collectives", '[');
    for (int c = 0; c < cs_mpi_ncalls(); c++) {
        if (!is_collective(c) || !s->call[c].calls)
            continue;
        cs_json_open(&j, NULL, '{');
        cs_json_string(&j, "call", cs_mpi_call(c)->name);
        cs_json_int(&j, "calls", (int64_t)s->call[c].calls);
        cs_json_int(&j, "bytes", (int64_t)s->call[c].bytes);
        cs_json_close(&j, '}');
    }
    cs_json_close(&j, ']');
    cs_json_int(&j, "unknown_destinations", (int64_t)s->lost);
    int code = cs_busy_ranks_json(&j, s, nranks);
    cs_json_close(&j, '}');
    cs_json_end(&j);
    return code;
}

static void plot(FILE *gp, const struct map *m, const char *png, bool messages)
{
    fprintf(gp, "set terminal pngcairo size %d,%d\nset output ", PNG_WIDTH, PNG_HEIGHT);
    cs_gnuplot_string(gp, png);
    if (m->nranks <= 16)
        fputs("\nset xtics 1\nset ytics 1", gp);
    fprintf(gp,
            "\nset xlabel 'destination rank'\nset ylabel 'source rank'\nset cblabel '%s'\n"
            "set palette defined (0 'white', 0.25 '#fdcc8a', 0.5 '#fc8d59', 0.75 '#e34a33', 1 '#7f0000')\n"
            "set cbrange [0:%g]\nset xrange [-0.5:%g]\nset yrange [%g:-0.5]\nset size ratio 1\nunset key\n"
            "plot '-' using ($1*%d+%g):($2*%d+%g):3 matrix with image\n",
            messages ? "messages" : "bytes", m->max > 0 ? m->max : 1, m->nranks - 0.5, m->nranks - 0.5, m->per_cell,
            (m->per_cell - 1) / 2.0, m->per_cell, (m->per_cell - 1) / 2.0);
    for (int row = 0; row < m->cells; row++)
        for (int col = 0; col < m->cells; col++)
            fprintf(gp, "%.17g%c", m->value[row * m->cells + col], col + 1 == m->cells ? '\n' : ' ');
    fputs("e\n", gp);
}

/* Gnuplot draws into a file of its own, as it does not say whether all of it arrived. */
static bool draw(const struct map *m, const char *name, bool messages)
{
    FILE *gp = cs_gnuplot_open();
    if (gp)
        plot(gp, m, name, messages);
    return gp && pclose(gp) == 0 && cs_gnuplot_drew(name);
}

static bool copy(const char *name, FILE *to)
{
    char buf[4096];
    size_t n;
    FILE *from = fopen(name, "rb");
    while (from && (n = fread(buf, 1, sizeof buf, from)) > 0)
        fwrite(buf, 1, n, to);
    bool good = from && !ferror(from);
    if (from)
        fclose(from);
    return good;
}

/* Draws into a temporary file and copies it to a device or a pipe. */
static bool draw_elsewhere(const struct map *m, FILE *to, bool messages)
{
    char name[PATH_MAX];
    int n = snprintf(name, sizeof name, "%s/commslice-png.XXXXXX", cs_tool("TMPDIR", "/tmp"));
    int fd = n < (int)sizeof name ? mkstemp(name) : -1;
    if (fd < 0)
        return false;
    cs_unfinished(name);
    bool drew = draw(m, name, messages) && copy(name, to);
    close(fd);
    unlink(name);
    cs_finished(name);
    return drew;
}

/* Can the picture be made? */
static int check_png(const char *path, const struct options *o)
{
    char begins[CS_PNG_BEGINS];
    struct cs_file_kind kind = cs_png_kind(begins, PNG_WIDTH, PNG_HEIGHT);
    if (!cs_gnuplot_there())
        return cs_error("%s: gnuplot is not installed (Debian: gnuplot-nox)", o->png);
    return cs_output_check(o->png, path, &kind, o->force);
}

static int make_png(const struct cs_traffic *s, int nranks, const struct options *o)
{
    struct cs_output out;
    struct map m;
    if (make_map(&m, s, nranks, PNG_CELLS, o->messages))
        return CS_EXIT_ERROR;
    if (cs_output_open(&out, o->png)) {
        free(m.value);
        return CS_EXIT_ERROR;
    }
    bool drew = out.beside ? draw(&m, out.name, o->messages) : draw_elsewhere(&m, out.f, o->messages);
    free(m.value);
    if (!drew)
        cs_error("%s: gnuplot failed to write it", o->png);
    return cs_output_close(&out, drew) || !drew ? CS_EXIT_ERROR : CS_EXIT_OK;
}

/* What the user has to know of the sums of this run. */
static void note(const struct cs_run_info *info, const char *path)
{
    if (info->unrecorded)
        cs_note("%s: the run made calls that are not recorded and not in these sums; commslice info lists them", path);
    if (cs_is_approximation(info))
        cs_note("%s: " CS_APPROXIMATION_NOTE, path);
}

static int sum_merged(const char *path, struct cs_traffic *s, int *nranks)
{
    char why[256];
    struct cs_merged *m = cs_merged_open(path, why, sizeof why);
    if (!m)
        return cs_error("%s: %s", path, why);
    *nranks = m->info.nranks;
    note(&m->info, path);
    int rc = cs_traffic_sum_merged(m, s, cs_progress, why, sizeof why);
    cs_progress_end();
    cs_merged_free(m);
    return rc ? cs_error("%s: %s", path, why) : CS_EXIT_OK;
}

static int sum_recorded(const char *path, struct cs_traffic *s, int *nranks)
{
    char why[256];
    int partial = 0;
    struct cs_trace *t = cs_open_trace(path);
    if (!t)
        return CS_EXIT_ERROR;
    *nranks = cs_trace_info(t)->nranks;
    for (int r = 0; r < *nranks; r++)
        partial += cs_trace_rank_state(t, r) != CS_RANK_COMPLETE;
    if (partial)
        cs_note("%s: %d of %d ranks are not complete; the sums are of what is there", path, partial, *nranks);
    note(cs_trace_info(t), path);
    int rc = cs_traffic_sum(t, s, cs_progress, why, sizeof why);
    cs_progress_end();
    cs_trace_free(t);
    return rc ? cs_error("%s: %s", path, why) : CS_EXIT_OK;
}

static int matrix(const char *path, const struct options *o)
{
    struct cs_traffic s = {0};
    int nranks = 0, code = o->png ? check_png(path, o) : CS_EXIT_OK;
    if (code != CS_EXIT_OK)
        return CS_EXIT_ERROR;
    code = cs_merged_is(path) ? sum_merged(path, &s, &nranks) : sum_recorded(path, &s, &nranks);
    if (code == CS_EXIT_OK && o->png)
        code = make_png(&s, nranks, o);
    if (code == CS_EXIT_OK && o->csv)
        print_csv(&s, o);
    else if (code == CS_EXIT_OK && o->json)
        code = print_json(&s, nranks);
    else if (code == CS_EXIT_OK && !o->png)
        code = show(&s, nranks, o);
    cs_traffic_free(&s);
    return cs_finish_output(code);
}

static int run(const struct cs_verb *v, int argc, char **argv)
{
    static const struct option longs[] = {{"csv", no_argument, NULL, 'c'},   {"png", required_argument, NULL, 'p'},
                                          {"bytes", no_argument, NULL, 'b'}, {"messages", no_argument, NULL, 'm'},
                                          {"json", no_argument, NULL, 'j'},  {"force", no_argument, NULL, 'F'},
                                          {"help", no_argument, NULL, 'h'},  {0}};
    struct options o = {0};
    int c, code;
    while ((c = cs_getopt(v, argc, argv, ":bmh", longs, &code)) >= 0) {
        o.csv |= c == 'c';
        o.json |= c == 'j';
        o.messages |= c == 'm';
        o.bytes |= c == 'b';
        o.force |= c == 'F';
        if (c == 'p')
            o.png = optarg;
    }
    if (c == CS_OPT_DONE)
        return code;
    if (argc - optind != 1)
        return cs_usage_error(v, "give one trace");
    if (o.csv && o.json)
        return cs_usage_error(v, "--csv and --json exclude each other");
    if (o.messages && o.bytes && !o.csv)
        return cs_usage_error(v, "--bytes and --messages exclude each other");
    return matrix(argv[optind], &o);
}

const struct cs_verb cs_verb_matrix = {
    .name = "matrix",
    .summary = "show who sends how much to whom",
    .run = run,
    .usage =
        "usage: commslice matrix [--bytes | --messages] [--csv | --json] [--png FILE [--force]] TRACE\n\n"
        "Shows the bytes that each rank sends to each other rank as a map in the terminal, and the collectives below "
        "it.\n"
        "Ranks are those of MPI_COMM_WORLD; rows send, columns receive.\n\n"
        "  -b, --bytes     bytes (the default)\n"
        "  -m, --messages  messages in place of bytes\n"
        "      --csv       source,dest,messages,bytes; pairs without messages are left out\n"
        "      --png FILE  a picture, by gnuplot\n"
        "      --force     replace FILE even if it is no such picture\n"
        "      --json      pairs and collectives as one JSON object\n",
};
