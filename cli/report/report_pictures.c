/* SPDX-License-Identifier: BSD-3-Clause
 * Writes the report's CSV files and has its PNGs made.
 * Each file is written beside its name and takes it when it is whole. */
#include <errno.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/frame/cli.h"
#include "cli/frame/output.h"
#include "cli/report/report_files.h"
#include "cli/frame/unfinished.h"

static int write_file(const struct cs_report *r, const char *folder, const struct cs_report_file *f)
{
    char name[PATH_MAX], part[PATH_MAX];
    if (cs_report_name(name, sizeof name, folder, f->name, false) ||
        cs_report_name(part, sizeof part, folder, f->name, true))
        return -1;
    cs_unfinished(part);
    FILE *out = fopen(part, "w");
    if (!out) {
        cs_error("%s: %s", name, strerror(errno));
        cs_finished(part);
        return -1;
    }
    fputs(f->begins, out);
    int rc = f->write(out, r);
    bool bad = ferror(out);
    if (rc)
        cs_error("not enough memory");
    if ((fclose(out) || bad) && !rc) {
        cs_error("%s: cannot write: %s", name, strerror(errno));
        rc = -1;
    }
    if (!rc && rename(part, name)) {
        cs_error("%s: %s", name, strerror(errno));
        rc = -1;
    }
    if (rc)
        unlink(part);
    cs_finished(part);
    return rc;
}

int cs_report_pictures_check(const char *folder, bool force)
{
    char name[PATH_MAX];
    for (const struct cs_report_file *f = cs_report_csv; f->name; f++) {
        struct cs_file_kind kind = {"of commslice report", f->begins, strlen(f->begins)};
        if (cs_report_name(name, sizeof name, folder, f->name, false) || cs_output_check_file(name, NULL, &kind, force))
            return CS_EXIT_ERROR;
    }
    return cs_report_plot_check(folder, force);
}

int cs_report_pictures(const struct cs_report *r, const char *folder)
{
    if (mkdir(folder, 0777) && errno != EEXIST) {
        cs_error("%s: %s", folder, strerror(errno));
        return -1;
    }
    for (const struct cs_report_file *f = cs_report_csv; f->name; f++)
        if ((!f->there || f->there(r)) && write_file(r, folder, f))
            return -1;
    return cs_report_plot(r, folder);
}
