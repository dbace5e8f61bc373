/* SPDX-License-Identifier: BSD-3-Clause
 * Writes text input of Extra-P; see extrap_text.h. The reader of Extra-P 4 takes a metric that comes again for the
 * latest new one, so regions stand within metrics. */
#include "cli/show/extrap_text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error_text.h"

/* What is written of a region. */
enum metric { TIME, VISITS, TURNS, METRICS };

/* Turns of all ranks that differ by more than this share are of another size. */
static const double SAME = 0.05;

static bool has_sizes(const struct cs_observations *o)
{
    for (int i = 0; i < o->nruns; i++)
        if (o->run[i].size > 0)
            return true;
    return false;
}

/* A row's share of the mean rank's sum. */
static double value(const struct cs_observations *o, const struct cs_observed_row *r, enum metric m)
{
    double turns = 0;
    if (m == TIME)
        return r->ns * r->times * 1e-9 / o->run[r->run].nranks;
    if (m == VISITS)
        return r->times / o->run[r->run].nranks;
    for (int i = 0; i < r->ncounts; i++)
        turns += r->count[i].mean;
    return turns * r->times / o->run[r->run].nranks;
}

static double segment_sum(const struct cs_observations *o, int segment, int run, enum metric m)
{
    double sum = 0;
    for (int k = 0; k < o->segment[segment].nrows; k++)
        if (o->segment[segment].row[k].run == run)
            sum += value(o, &o->segment[segment].row[k], m);
    return sum;
}

/* Of all segments, or of the whole run if it has been timed. */
static double whole_sum(const struct cs_observations *o, int run, enum metric m)
{
    double sum = 0;
    if (m == TIME && o->run[run].whole > 0)
        return o->run[run].whole;
    for (int i = 0; i < o->nsegments; i++)
        sum += segment_sum(o, i, run, m);
    return sum;
}

static bool same_point(const struct cs_observations *o, int a, int b)
{
    return o->run[a].nranks == o->run[b].nranks && o->run[a].size == o->run[b].size;
}

/* Is it the first run of its point? */
static bool opens_point(const struct cs_observations *o, int run)
{
    for (int i = 0; i < run; i++)
        if (same_point(o, i, run))
            return false;
    return true;
}

static int check_sizes(const struct cs_observations *o, char *why, size_t whylen)
{
    for (int i = 0; i < o->nruns; i++)
        for (int k = 0; k < i; k++) {
            double a = whole_sum(o, i, TURNS), b = whole_sum(o, k, TURNS);
            if (same_point(o, i, k) && fabs(a - b) > SAME * fmax(a, b))
                return cs_error_text(why, whylen, "%s and %s are not of one size: give --sizes", o->run[k].name,
                                     o->run[i].name);
        }
    return 0;
}

static void write_points(const struct cs_observations *o, FILE *f)
{
    bool sizes = has_sizes(o);
    fprintf(f, CS_EXTRAP_BEGINS "PARAMETER p%s\nPOINTS", sizes ? " n" : "");
    for (int i = 0; i < o->nruns; i++)
        if (opens_point(o, i))
            fprintf(f, sizes ? " (%d %.17g)" : " %d", o->run[i].nranks, o->run[i].size);
    putc('\n', f);
}

/* A line each point, a number each run of it. Segment below 0: the whole. */
static void write_data(const struct cs_observations *o, int segment, enum metric m, FILE *f)
{
    for (int i = 0; i < o->nruns; i++) {
        if (!opens_point(o, i))
            continue;
        fputs("DATA", f);
        for (int k = i; k < o->nruns; k++)
            if (same_point(o, i, k))
                fprintf(f, " %.9g", segment < 0 ? whole_sum(o, k, m) : segment_sum(o, segment, k, m));
        putc('\n', f);
    }
}

/* "heat.c:40", "start"; blanks would end the name. */
static void write_site(const struct cs_observations *o, int site, const char *none, FILE *f)
{
    if (site < 0) {
        fputs(none, f);
        return;
    }
    const char *slash = strrchr(o->site[site].file, '/');
    for (const char *s = slash ? slash + 1 : o->site[site].file; *s; s++)
        putc((unsigned char)*s <= ' ' ? '_' : *s, f);
    fprintf(f, ":%d", o->site[site].line);
}

int cs_extrap_write(const struct cs_observations *o, FILE *f, char *why, size_t whylen)
{
    static const char *const names[] = {"time", "visits", "turns"};
    if (check_sizes(o, why, whylen))
        return -1;
    write_points(o, f);
    for (enum metric m = TIME; m < METRICS; m++) {
        fprintf(f, "\nMETRIC %s\nREGION whole\n", names[m]);
        write_data(o, -1, m, f);
        for (int i = 0; i < o->nsegments; i++) {
            fputs("REGION whole->", f);
            write_site(o, o->segment[i].from, "start", f);
            fputs("..", f);
            write_site(o, o->segment[i].to, "end", f);
            putc('\n', f);
            write_data(o, i, m, f);
        }
    }
    return 0;
}
