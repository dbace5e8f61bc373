/* SPDX-License-Identifier: BSD-3-Clause
 * A figure of each rank as a picture in the page. */
#ifndef CS_REPORT_BARS_H
#define CS_REPORT_BARS_H

#include "cli/report/report_data.h"
#include "cli/report/report_text.h"

/* A picture with one bar for each rank: which figure of a rank it draws, and how the figure is written. */
struct cs_rank_bars {
    const char *title, *style; /* style: a class of report.css */
    double (*of)(const struct cs_report *r, int rank);
    const char *(*show)(char buf[32], double v);
};

void cs_html_rank_bars(FILE *out, const struct cs_report *r, const struct cs_rank_bars *p);

#endif
