/* SPDX-License-Identifier: BSD-3-Clause
 * Runs gnuplot, which draws the pictures: it gets its commands and data through a pipe.
 * It need be installed only for verbs that draw. */
#ifndef CS_GNUPLOT_H
#define CS_GNUPLOT_H

#include <stdbool.h>
#include <stdio.h>

#include "base/file_kind.h"

/* Is gnuplot installed? */
bool cs_gnuplot_there(void);
/* A pipe into gnuplot; close with pclose, whose result is its status. NULL with errno. */
FILE *cs_gnuplot_open(void);
/* Is this PNG whole? Gnuplot does not tell when the disk is full. */
bool cs_gnuplot_drew(const char *png);
/* The same of an SVG. */
bool cs_gnuplot_drew_svg(const char *svg);
/* PNGs of this size in pixels, as gnuplot draws them for us; `begins` must live as long as the kind. */
enum { CS_PNG_BEGINS = 24 };
struct cs_file_kind cs_png_kind(char begins[CS_PNG_BEGINS], int width, int height);
/* SVGs as gnuplot draws them when they are named commslice. */
struct cs_file_kind cs_svg_kind(void);
/* A string as an expression of gnuplot. */
void cs_gnuplot_string(FILE *gp, const char *s);

#endif
