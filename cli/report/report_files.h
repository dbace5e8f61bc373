/* SPDX-License-Identifier: BSD-3-Clause
 * What the writers of the report's CSV files and PNGs share. Each file is written under a name of its own beside the
 * final one, and takes the final one when it is whole. */
#ifndef CS_REPORT_FILES_H
#define CS_REPORT_FILES_H

#include "cli/report/report_data.h"

/* A CSV file of the report: its name and what writes it. All strings are constants. */
struct cs_report_file {
    const char *name;   /* without folder */
    const char *begins; /* its first line, or the beginning of it; the caller of write() writes it */
    /* Writes what follows `begins`. 0, or -1: not enough memory; the caller looks for errors of the stream. */
    int (*write)(FILE *out, const struct cs_report *r);
    bool (*there)(const struct cs_report *r); /* has the report such a file? NULL: always */
};

/* All CSV files, in the order in which they are written; after the last one comes a row whose name is NULL. */
extern const struct cs_report_file cs_report_csv[];

/* Makes the PNGs in the folder, which exists. 0, or -1 after a message. */
int cs_report_plot(const struct cs_report *r, const char *folder);
/* As cs_report_pictures_check (report.h), for the PNGs alone. 0, or CS_EXIT_ERROR after a message. */
int cs_report_plot_check(const char *folder, bool force);
/* Writes "FOLDER/NAME" to buf, which has len bytes; if `part`, "FOLDER/NAME.part.PID", for a file that is not whole
 * yet. 0, or -1 after a message: the name is too long. */
int cs_report_name(char *buf, size_t len, const char *folder, const char *name, bool part);

#endif
