/* SPDX-License-Identifier: BSD-3-Clause
 * Starting gnuplot, and strings for it: gnuplot.h.
 * In its single quotes only the quote is special; in double quotes backquotes would run commands. */
#define _GNU_SOURCE 1
#include "cli/show/gnuplot.h"

#include <assert.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

bool cs_gnuplot_there(void)
{
    return system("command -v gnuplot >/dev/null 2>&1") == 0;
}

FILE *cs_gnuplot_open(void)
{
    signal(SIGPIPE, SIG_IGN); /* it may end early: then pclose tells */
    fflush(stdout);
    return popen("gnuplot", "w");
}

/* Does the file hold the text among its last bytes? */
static bool has_at_end(const char *file, const char *end, size_t n)
{
    char last[16];
    FILE *f = fopen(file, "rb");
    bool whole = f && fseek(f, -(long)sizeof last, SEEK_END) == 0 && fread(last, sizeof last, 1, f) == 1 &&
                 memmem(last, sizeof last, end, n);
    if (f)
        fclose(f);
    return whole;
}

bool cs_gnuplot_drew(const char *png)
{
    return has_at_end(png, "IEND\xae\x42\x60\x82", 8);
}

bool cs_gnuplot_drew_svg(const char *svg)
{
    return has_at_end(svg, "</svg>", 6);
}

struct cs_file_kind cs_svg_kind(void)
{
    static const char begins[] =
        "<?xml version=\"1.0\" encoding=\"utf-8\"  standalone=\"no\"?>\n<svg \n width=\"1320\" height=\"430\"\n";
    return (struct cs_file_kind){"a picture of commslice", begins, sizeof begins - 1};
}

static void put_big_endian(char *to, int value)
{
    for (int i = 0; i < 4; i++)
        to[i] = (char)(value >> (24 - 8 * i));
}

struct cs_file_kind cs_png_kind(char begins[CS_PNG_BEGINS], int width, int height)
{
    static const char before_size[16] = "\x89PNG\r\n\x1a\n\0\0\0\rIHDR"; /* PNG specification, 5.2 and 11.2.2 */
    assert(width > 0 && height > 0);
    memcpy(begins, before_size, sizeof before_size);
    put_big_endian(begins + 16, width);
    put_big_endian(begins + 20, height);
    return (struct cs_file_kind){"a picture of commslice", begins, CS_PNG_BEGINS};
}

void cs_gnuplot_string(FILE *gp, const char *s)
{
    putc('\'', gp);
    for (; *s; s++) {
        if (*s == '\'')
            fputs("''", gp);
        else if (*s == '\n')
            fputs("'.\"\\n\".'", gp);
        else
            putc(*s, gp);
    }
    putc('\'', gp);
}
