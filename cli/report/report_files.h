/* SPDX-License-Identifier: BSD-3-Clause
 * What the writers of the report's files share: files that are written beside their name and take it when they are
 * whole. */
#ifndef CS_REPORT_FILES_H
#define CS_REPORT_FILES_H

#include "cli/report/report_data.h"

/* A file of figures. */
struct cs_report_file {
    const char *name;
    const char *begins; /* its first line, or the beginning of it; written by the caller */
    /* Writes what follows. 0, or -1: not enough memory; the caller looks for errors of the stream. */
    int (*write)(FILE *out, const struct cs_report *r);
    bool (*there)(const struct cs_report *r); /* NULL: always */
};

/* The rows of report_csv.c, ended by name NULL. */
extern const struct cs_report_file cs_report_csv[];

/* Makes the PNGs. 0, or -1 after a message. */
int cs_report_plot(const struct cs_report *r, const char *folder);
/* cs_report_pictures_check for the PNGs alone. */
int cs_report_plot_check(const char *folder, bool force);
/* "FOLDER/NAME" and, for what is not whole yet, "FOLDER/NAME.part.PID"; -1 after a message. */
int cs_report_name(char *buf, size_t len, const char *folder, const char *name, bool part);

#endif
