/* SPDX-License-Identifier: BSD-3-Clause
 * The report's pictures as PNG, by one gnuplot that gets its commands and data through a pipe.
 * A picture is a function of the list at the end; colours are those of the page. */
#define _GNU_SOURCE 1
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/frame/cli.h"
#include "cli/frame/output.h"
#include "cli/show/gnuplot.h"
#include "cli/report/report_files.h"
#include "cli/report/report_text.h"
#include "cli/frame/unfinished.h"

#define POINT "#3a76c4"
#define WAIT "#e39a2d"
#define COLL "#2a9d7c"
#define OTHER "#8a94a3"
#define OUTSIDE "#d3dae3"
#define LOST "#b6686a"
#define BIG "set format y '%.1s%c'\n"
#define STACK \
    "set style data histograms\nset style histogram rowstacked\nset style fill solid\nset boxwidth 1 relative\n"

static const char *const colour[CS_DOING_COUNT] = {POINT, WAIT, COLL, OTHER, OUTSIDE, LOST};
static const char *const title[CS_DOING_COUNT] = {"point to point",  "waiting",     "collectives",
                                                  "other MPI calls", "outside MPI", "ready, others ran"};

/* ---- matrix ---- */

static void matrix(FILE *gp, const struct cs_report *r, const double *v, const char *what)
{
    const struct cs_report_matrix *x = &r->matrix;
    fprintf(
        gp,
        "set title '%s'\nset xlabel 'receiving rank'\nset ylabel 'sending rank'\nset cblabel '%s'\n"
        "set palette defined (0 '#ffffff', 0.05 '#dbe8f6', 0.5 '#4386c7', 1 '#082f5f')\n"
        "set cbrange [0:*]\nset xrange [-0.5:%g]\nset yrange [%g:-0.5]\nset size ratio 1\nunset key\n$data << EOD\n",
        what, what, x->nranks - 0.5, x->nranks - 0.5);
    for (int row = 0; row < x->cells; row++)
        for (int col = 0; col < x->cells; col++)
            fprintf(gp, "%.17g%c", v[row * x->cells + col], col + 1 == x->cells ? '\n' : ' ');
    fprintf(gp, "EOD\nplot $data using ($1*%d+%g):($2*%d+%g):3 matrix with image\n", x->per_cell,
            (x->per_cell - 1) / 2.0, x->per_cell, (x->per_cell - 1) / 2.0);
}

static void matrix_bytes(FILE *gp, const struct cs_report *r)
{
    matrix(gp, r, r->matrix.bytes, "bytes");
}
static void matrix_messages(FILE *gp, const struct cs_report *r)
{
    matrix(gp, r, r->matrix.messages, "messages");
}

/* ---- sizes ---- */

static void sizes_of(FILE *gp, const struct cs_report *r, bool bytes)
{
    fputs(BIG, gp);
    fprintf(gp,
            STACK "set boxwidth 0.8 relative\nset title '%s by size'\nset ylabel '%s'\nset xtics rotate by -45\n"
                  "set yrange [0:*]\n$data << EOD\n",
            bytes ? "volume" : "messages", bytes ? "bytes" : "messages, collective calls");
    for (int i = 0; i < CS_SIZE_BUCKETS; i++) {
        const struct cs_size_sum *s = &r->p->size[i];
        char label[48];
        if (s->messages || s->collectives)
            fprintf(gp, "\"%s\" %" PRIu64 " %" PRIu64 "\n", cs_size_label(label, i), bytes ? s->bytes : s->messages,
                    bytes ? s->handed : s->collectives);
    }
    fputs("EOD\nplot $data using 2:xtic(1) title 'point to point' lc rgb '" POINT
          "', '' using 3 title 'collectives' lc rgb '" COLL "'\n",
          gp);
}

static void sizes_messages(FILE *gp, const struct cs_report *r)
{
    sizes_of(gp, r, false);
}
static void sizes_bytes(FILE *gp, const struct cs_report *r)
{
    sizes_of(gp, r, true);
}

/* ---- ranks ---- */

static void ranks(FILE *gp, const struct cs_report *r)
{
    fputs(BIG "set title 'bytes that a rank sends'\nset xlabel 'rank'\nset ylabel 'bytes'\nset yrange [0:*]\n"
              "set style fill solid\n$data << EOD\n",
          gp);
    for (int i = 0; i < r->m->info.nranks; i++)
        fprintf(gp, "%d %" PRIu64 " %" PRIu64 "\n", i, cs_volume(&r->p->rank[i].sent), r->p->rank[i].sent.bytes);
    fprintf(gp,
            "EOD\nset xrange [-0.5:%g]\nplot $data using 1:2 with boxes title 'in collectives' lc rgb '" COLL
            "', '' using 1:3 with boxes title 'point to point' lc rgb '" POINT "'\n",
            r->m->info.nranks - 0.5);
}

static void rank_calls(FILE *gp, const struct cs_report *r)
{
    fputs(BIG "set title 'MPI calls of a rank'\nset xlabel 'rank'\nset ylabel 'calls'\nset yrange [0:*]\n"
              "set style fill solid\nunset key\n$data << EOD\n",
          gp);
    for (int i = 0; i < r->m->info.nranks; i++)
        fprintf(gp, "%d %" PRIu64 "\n", i, r->p->rank[i].sent.calls);
    fprintf(gp, "EOD\nset xrange [-0.5:%g]\nplot $data using 1:2 with boxes lc rgb '" OTHER "'\n",
            r->m->info.nranks - 0.5);
}

static void rank_times(FILE *gp, const struct cs_report *r)
{
    fputs(
        "set title 'time of a rank'\nset xlabel 'rank'\nset ylabel 'seconds'\nset yrange [0:*]\nset style fill solid\n"
        "$data << EOD\n",
        gp);
    for (int i = 0; i < r->m->info.nranks; i++) {
        const struct cs_rank_time *t = &r->time->rank[i];
        fprintf(gp, "%d %.9f %.9f %.9f\n", i, (t->busy + t->outside + t->delayed) * 1e-9, (t->busy + t->outside) * 1e-9,
                t->busy * 1e-9);
    }
    fprintf(gp,
            "EOD\nset xrange [-0.5:%g]\nplot $data using 1:2 with boxes title 'ready, others ran' lc rgb '" LOST
            "', '' using 1:3 with boxes title 'outside MPI' lc rgb '" OUTSIDE
            "', '' using 1:4 with boxes title 'in MPI' lc rgb '" WAIT "'\n",
            r->m->info.nranks - 0.5);
}

/* ---- phases ---- */

static void stack(FILE *gp, int columns)
{
    fputs("EOD\n", gp);
    for (int k = 0; k < columns; k++)
        fprintf(gp, "%s using %d title '%s' lc rgb '%s'", k ? ", ''" : "plot $data", k + 1, title[k], colour[k]);
    fputs("\n", gp);
}

static void put_shares(FILE *gp, const double v[CS_DOING_COUNT])
{
    double all = 0;
    for (int k = 0; k < CS_DOING_COUNT; k++)
        all += v[k];
    for (int k = 0; k < CS_DOING_COUNT; k++)
        fprintf(gp, "%.4f ", all > 0 ? 100 * v[k] / all : 0);
    putc('\n', gp);
}

static void phases(FILE *gp, const struct cs_report *r)
{
    fprintf(gp,
            STACK "set title 'phases'\nset xlabel '%s'\nset ylabel 'share (percent)'\nset yrange [0:100]\n"
                  "set xtics ('0' 0, '50 %%%%' %d, '100 %%%%' %d)\n$data << EOD\n",
            r->timed ? "time of the loop nest" : "calls made", CS_REPORT_PHASES / 2, CS_REPORT_PHASES);
    for (int i = 0; i < CS_REPORT_PHASES; i++)
        put_shares(gp, r->timed ? r->phase[i].ns : r->phase[i].calls);
    stack(gp, r->timed ? CS_DOING_DELAYED : CS_DOING_OUTSIDE);
}

static void timeline(FILE *gp, const struct cs_report *r)
{
    char buf[32];
    fprintf(gp,
            STACK "set title 'over time'\nset xlabel 'time'\nset ylabel 'share (percent)'\nset yrange [0:100]\n"
                  "set xtics ('0' 0, '%s' %d)\n$data << EOD\n",
            cs_human_ns(buf, r->time->nbins * r->time->width), r->time->nbins);
    for (int i = 0; i < r->time->nbins; i++)
        put_shares(gp, r->time->bin[i]);
    stack(gp, CS_DOING_COUNT);
}

static void timeline_ranks(FILE *gp, const struct cs_report *r)
{
    const struct cs_timeline *l = r->time;
    double wide = l->width * 1e-9;
    fprintf(gp,
            "set title 'share of time in MPI'\nset xlabel 'seconds'\nset ylabel 'rank'\n"
            "set palette defined (0 '#dbe8f6', 0.5 '#4386c7', 1 '#082f5f')\nset cbrange [0:1]\nset format cb '%%g'\n"
            "set xrange [0:%.9g]\nset yrange [%g:-0.5]\nunset key\n$data << EOD\n",
            l->nbins * wide, l->nrows * l->per_row - 0.5);
    for (int row = 0; row < l->nrows; row++)
        for (int i = 0; i < l->nbins; i++) {
            double seen = l->seen[row * CS_TIMELINE_BINS + i];
            fprintf(gp, "%.4f ", cs_share(l->in_mpi[row * CS_TIMELINE_BINS + i], seen));
            fputs(i + 1 == l->nbins ? "\n" : "", gp);
        }
    fprintf(gp, "EOD\nplot $data using (($1+0.5)*%.9g):($2*%d+%g):3 matrix with image\n", wide, l->per_row,
            (l->per_row - 1) / 2.0);
}

/* ---- all of them ---- */

static bool has_messages(const struct cs_report *r)
{
    return r->p->all.messages > 0;
}
static bool has_times(const struct cs_report *r)
{
    return r->time != NULL;
}

static bool has_sizes(const struct cs_report *r)
{
    bool any = false;
    for (int i = 0; i < CS_SIZE_BUCKETS; i++)
        any |= r->p->size[i].messages || r->p->size[i].collectives;
    return any;
}

/* Commands that give each rank a tick, for runs of few ranks. */
#define XTICS "set xtics 1\n"
#define YTICS "set ytics 1\n"

/* The pictures of a report: file, size in pixels, who draws it, whether there is anything to draw, and commands for
 * runs of few ranks. */
static const struct {
    const char *name;
    int width, height;
    void (*draw)(FILE *gp, const struct cs_report *r);
    bool (*there)(const struct cs_report *r);
    const char *ranks;
} pictures[] = {
    {"matrix-bytes.png", 900, 800, matrix_bytes, has_messages, XTICS YTICS},
    {"matrix-messages.png", 900, 800, matrix_messages, has_messages, XTICS YTICS},
    {"sizes-messages.png", 900, 500, sizes_messages, has_sizes, ""},
    {"sizes-bytes.png", 900, 500, sizes_bytes, has_sizes, ""},
    {"ranks.png", 1000, 400, ranks, NULL, XTICS},
    {"ranks-calls.png", 1000, 400, rank_calls, NULL, XTICS},
    {"ranks-times.png", 1000, 400, rank_times, has_times, XTICS},
    {"timeline-ranks.png", 1200, 500, timeline_ranks, has_times, YTICS},
    {"phases.png", 1200, 400, phases, NULL, ""},
    {"timeline.png", 1200, 400, timeline, has_times, ""},
};
#define NPICTURES (sizeof pictures / sizeof *pictures)

static bool wanted(const struct cs_report *r, size_t i)
{
    return !pictures[i].there || pictures[i].there(r);
}

static int draw_all(FILE *gp, const struct cs_report *r, const char *folder)
{
    char part[PATH_MAX];
    for (size_t i = 0; i < NPICTURES; i++) {
        if (!wanted(r, i))
            continue;
        if (cs_report_name(part, sizeof part, folder, pictures[i].name, true))
            return -1;
        cs_unfinished(part);
        fprintf(gp, "reset\nset encoding utf8\nset terminal pngcairo size %d,%d\nset output ", pictures[i].width,
                pictures[i].height);
        cs_gnuplot_string(gp, part);
        fputs("\nset key outside top right horizontal\nset format cb '%.1s%c'\n", gp);
        if (r->m->info.nranks <= 16)
            fputs(pictures[i].ranks, gp);
        pictures[i].draw(gp, r);
        fputs("unset output\n", gp);
    }
    return 0;
}

/* Renames the finished pictures if `keep`, else removes them. 0, or -1 after a message. */
static int name_all(const struct cs_report *r, const char *folder, bool keep)
{
    char part[PATH_MAX], name[PATH_MAX];
    int rc = 0;
    for (size_t i = 0; i < NPICTURES; i++) {
        if (!wanted(r, i) || cs_report_name(part, sizeof part, folder, pictures[i].name, true) ||
            cs_report_name(name, sizeof name, folder, pictures[i].name, false))
            continue;
        if (keep && !cs_gnuplot_drew(part)) {
            cs_error("%s: gnuplot failed to write it", name);
            rc = -1;
            keep = false;
        }
        if (!keep) {
            unlink(part);
        } else if (rename(part, name)) {
            cs_error("%s: %s", name, strerror(errno));
            rc = -1;
        }
        cs_finished(part);
    }
    return rc;
}

int cs_report_plot_check(const char *folder, bool force)
{
    char name[PATH_MAX], begins[CS_PNG_BEGINS];
    for (size_t i = 0; i < NPICTURES; i++) {
        struct cs_file_kind kind = cs_png_kind(begins, pictures[i].width, pictures[i].height);
        if (cs_report_name(name, sizeof name, folder, pictures[i].name, false) ||
            cs_output_check_file(name, NULL, &kind, force))
            return CS_EXIT_ERROR;
    }
    return CS_EXIT_OK;
}

int cs_report_plot(const struct cs_report *r, const char *folder)
{
    if (!cs_gnuplot_there()) {
        cs_error("%s: gnuplot is not installed (Debian: gnuplot-nox); the CSV files are there", folder);
        return -1;
    }
    FILE *gp = cs_gnuplot_open();
    int rc = gp ? draw_all(gp, r, folder) : -1;
    int status = gp ? pclose(gp) : -1;
    if (status && !rc)
        cs_error("%s: gnuplot failed", folder);
    bool fine = !rc && !status;
    rc = name_all(r, folder, fine);
    return fine ? rc : -1;
}
