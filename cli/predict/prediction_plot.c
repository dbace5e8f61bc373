/* SPDX-License-Identifier: BSD-3-Clause
 * The curve as a picture, by gnuplot: time with its interval, speed-up, efficiency, side by side. */
#define _GNU_SOURCE 1
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/frame/cli.h"
#include "cli/frame/output.h"
#include "cli/show/gnuplot.h"
#include "cli/predict/prediction_curve.h"

#define BLUE "#3a76c4"
#define GREY "#8a94a3"
/* Pixels; cs_svg_kind knows them. */
enum { WIDTH = 1320, HEIGHT = 430 };

static bool ends_with(const char *s, const char *end)
{
    size_t n = strlen(s), m = strlen(end);
    return n > m && !strcmp(s + n - m, end);
}

int cs_curve_plot_check(const char *file, const char *input, bool force)
{
    char begins[CS_PNG_BEGINS];
    struct cs_file_kind png = cs_png_kind(begins, WIDTH, HEIGHT), svg = cs_svg_kind();
    if (!ends_with(file, ".png") && !ends_with(file, ".svg"))
        return cs_error("--plot %s: give a name that ends in .png or .svg", file);
    if (!cs_gnuplot_there())
        return cs_error("%s: gnuplot is not installed (Debian: gnuplot-nox)", file);
    return cs_output_check_file(file, input, ends_with(file, ".svg") ? &svg : &png, force);
}

static void put_points(FILE *gp, const struct cs_curve *c)
{
    fputs("$data << EOD\n", gp);
    for (int i = 0; i < c->n; i++) {
        const struct cs_prediction *p = &c->point[i];
        double s = p->times.seconds, up = cs_curve_speedup(c, i), each = cs_curve_efficiency(c, i);
        fprintf(gp, "%d %.9g %.9g %.9g %.9g %.9g %.9g %.9g %.9g %.9g\n", p->ranks, s, p->least, p->most, up,
                p->most > 0 ? up * s / p->most : up, p->least > 0 ? up * s / p->least : up, each,
                p->most > 0 ? each * s / p->most : each, p->least > 0 ? each * s / p->least : each);
    }
    fputs("EOD\n", gp);
}

/* A picture beside the others: the columns of the value, of its least and its most. */
static void put_picture(FILE *gp, const char *title, int column, const char *ideal)
{
    fprintf(gp, "set title '%s'\nplot %s$data using 1:%d:%d:%d with yerrorlines lw 2 pt 7 ps 0.6 lc rgb '" BLUE "'\n",
            title, ideal, column, column + 1, column + 2);
}

static void draw(FILE *gp, const struct cs_curve *c, const char *file, bool svg)
{
    char ideal[128];
    const struct cs_prediction *first = &c->point[0], *last = &c->point[c->n - 1];
    fprintf(gp,
            svg ? "set terminal svg size %d,%d name 'commslice' background 'white'\nset output "
                : "set terminal pngcairo size %d,%d\nset output ",
            WIDTH, HEIGHT);
    cs_gnuplot_string(gp, file);
    fputs("\nset encoding utf8\n", gp);
    put_points(gp, c);
    fputs("set multiplot layout 1,3\nunset key\nset grid lc rgb '#d3dae3'\nset xlabel 'ranks'\nset logscale x 2\n", gp);
    fprintf(gp, "set xrange [%g:%g]\nset xtics rotate by -45\nset logscale y\n", first->ranks / 1.3, last->ranks * 1.3);
    put_picture(gp, "predicted time (s), with its 90 % interval", 2, "");
    snprintf(ideal, sizeof ideal, "x/%d.0 lw 1 dt 2 lc rgb '" GREY "', ", first->ranks);
    put_picture(gp, "speed-up", 5, ideal);
    fputs("unset logscale y\nset yrange [0:*]\n", gp);
    put_picture(gp, "efficiency", 8, "1 lw 1 dt 2 lc rgb '" GREY "', ");
    fputs("unset multiplot\nunset output\n", gp);
}

int cs_curve_plot(const struct cs_curve *c, const char *file)
{
    bool svg = ends_with(file, ".svg"), drew = false;
    struct cs_output out;
    if (cs_output_open(&out, file))
        return CS_EXIT_ERROR;
    FILE *gp = cs_gnuplot_open();
    if (gp) {
        draw(gp, c, out.name, svg);
        drew = pclose(gp) == 0 && (svg ? cs_gnuplot_drew_svg(out.name) : cs_gnuplot_drew(out.name));
    }
    if (!drew)
        cs_error("%s: gnuplot failed to write it", file);
    return cs_output_close(&out, drew) || !drew ? CS_EXIT_ERROR : CS_EXIT_OK;
}
