/* SPDX-License-Identifier: BSD-3-Clause
 * The sections of the page, each a report_*.c file. */
#ifndef CS_REPORT_SECTIONS_H
#define CS_REPORT_SECTIONS_H

#include "cli/report/report_data.h"
#include "cli/report/report_text.h"

void cs_report_html_summary(FILE *out, const struct cs_report *r);
void cs_report_html_matrix(FILE *out, const struct cs_report *r);
void cs_report_html_sizes(FILE *out, const struct cs_report *r);
void cs_report_html_sites(FILE *out, const struct cs_report *r);
void cs_report_html_nest(FILE *out, const struct cs_report *r);
void cs_report_html_ranks(FILE *out, const struct cs_report *r);
void cs_report_html_phases(FILE *out, const struct cs_report *r);
/* Nothing without times. */
void cs_report_html_waits(FILE *out, const struct cs_report *r);
/* Nothing if nobody asked for a prediction. */
void cs_report_html_prediction(FILE *out, const struct cs_report *r);
/* The member `prediction` of the figures: null, or an object. */
struct cs_json;
void cs_report_json_prediction(struct cs_json *j, const struct cs_report *r);

#endif
