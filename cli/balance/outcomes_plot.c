/* SPDX-License-Identifier: BSD-3-Clause
 * Times and messages of the techniques as a picture, by gnuplot: outcomes.h. */
#define _GNU_SOURCE 1
#include <stdlib.h>
#include <string.h>

#include "cli/balance/outcomes.h"
#include "cli/frame/cli.h"
#include "cli/frame/output.h"
#include "cli/show/gnuplot.h"

#define BLUE "#3a76c4"
#define GREY "#8a94a3"
/* Pixels; cs_svg_kind knows them. */
enum { WIDTH = 1320, HEIGHT = 430 };

static bool is_svg(const char *file)
{
    size_t n = strlen(file);
    return n > 4 && strcmp(file + n - 4, ".svg") == 0;
}

int cs_outcomes_plot_check(const char *file, bool force)
{
    char begins[CS_PNG_BEGINS];
    struct cs_file_kind png = cs_png_kind(begins, WIDTH, HEIGHT), svg = cs_svg_kind();
    size_t n = strlen(file);
    if (!is_svg(file) && (n < 5 || strcmp(file + n - 4, ".png") != 0))
        return cs_error("--plot %s: give a name that ends in .png or .svg", file);
    if (!cs_gnuplot_there())
        return cs_error("%s: gnuplot is not installed (Debian: gnuplot-nox)", file);
    return cs_output_check_file(file, NULL, is_svg(file) ? &svg : &png, force);
}

static void draw(FILE *gp, const struct cs_outcomes *o, const char *file, bool svg)
{
    fprintf(gp,
            svg ? "set terminal svg size %d,%d name 'commslice' background 'white'\nset output "
                : "set terminal pngcairo size %d,%d\nset output ",
            WIDTH, HEIGHT);
    cs_gnuplot_string(gp, file);
    fputs("\nset encoding utf8\n$data << EOD\n", gp);
    for (int i = 0; i < o->n; i++)
        fprintf(gp, "%d %s %.9g %lld\n", i, o->of[i].technique->name, o->of[i].is.seconds,
                (long long)o->of[i].is.messages);
    fputs("EOD\nset multiplot layout 1,2\nunset key\nset grid ytics lc rgb '#d3dae3'\nset boxwidth 0.7\n"
          "set style fill solid\nset xtics rotate by -45\nset yrange [0:*]\nset title 'time (s), and the ideal'\n",
          gp);
    fprintf(gp, "plot $data using 1:3:xtic(2) with boxes lc rgb '" BLUE "', %.9g lw 2 dt 2 lc rgb '" GREY "'\n",
            o->ideal);
    fputs("set title 'messages'\nset logscale y\nset yrange [0.5:*]\n"
          "plot $data using 1:($4 > 0 ? $4 : 0.5):xtic(2) with boxes lc rgb '" BLUE
          "'\nunset multiplot\nunset output\n",
          gp);
}

int cs_outcomes_plot(const struct cs_outcomes *o, const char *file)
{
    bool drew = false;
    struct cs_output out;
    if (cs_output_open(&out, file))
        return CS_EXIT_ERROR;
    FILE *gp = cs_gnuplot_open();
    if (gp) {
        draw(gp, o, out.name, is_svg(file));
        drew = pclose(gp) == 0 && (is_svg(file) ? cs_gnuplot_drew_svg(out.name) : cs_gnuplot_drew(out.name));
    }
    if (!drew)
        cs_error("%s: gnuplot failed to write it", file);
    return cs_output_close(&out, drew) || !drew ? CS_EXIT_ERROR : CS_EXIT_OK;
}
