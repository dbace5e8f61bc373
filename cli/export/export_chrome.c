/* SPDX-License-Identifier: BSD-3-Clause
 * A trace as Chrome's trace event JSON, which Perfetto and chrome://tracing open: a row for each rank, a bar for each
 * call. These viewers hold the whole file in memory: for long runs, export a window or set a limit. */
#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "cli/frame/cli.h"
#include "cli/export/export_internal.h"

/* The event that names a rank's row. */
static void put_name(struct cs_json *j, int rank)
{
    char name[32];
    snprintf(name, sizeof name, "rank %d", rank);
    cs_json_open(j, NULL, '{');
    cs_json_string(j, "name", "thread_name");
    cs_json_string(j, "ph", "M");
    cs_json_int(j, "pid", 0);
    cs_json_int(j, "tid", rank);
    cs_json_open(j, "args", '{');
    cs_json_string(j, "name", name);
    cs_json_close(j, '}');
    cs_json_close(j, '}');
}

/* Writes a time in microseconds, as the format has it, with three digits after the point, so that no ns is lost. */
static void put_time(struct cs_json *j, const char *key, int64_t ns)
{
    fprintf(j->out, "%s\"%s\":%" PRId64 ".%03" PRId64, j->need_comma ? "," : "", key, ns / 1000, ns % 1000);
    j->need_comma = true;
}

static int put_event(struct cs_export *x, const struct cs_event *e, int64_t index, void *arg)
{
    struct cs_json *j = arg;
    bool timed = cs_trace_info(x->view.t)->with_times;
    int64_t enter = cs_export_enter(x, e, index), exit = cs_export_exit(x, e, index), unit = timed ? 1 : 1000;
    cs_json_open(j, NULL, '{');
    cs_json_string(j, "name", cs_mpi_call(e->call)->name);
    cs_json_string(j, "ph", "X");
    put_time(j, "ts", enter * unit);
    put_time(j, "dur", (exit - enter) * unit);
    cs_json_int(j, "pid", 0);
    cs_json_int(j, "tid", x->view.rank);
    cs_json_open(j, "args", '{');
    cs_json_int(j, "index", index);
    cs_event_json(j, &x->view, e);
    cs_json_close(j, '}');
    cs_json_close(j, '}');
    putc('\n', j->out);
    return ferror(j->out)
               ? cs_error("%s: cannot write: %s", x->out_path ? x->out_path : "standard output", strerror(errno))
               : 0;
}

/* How the JSON below comes out. */
#define BEGINS "{\"displayTimeUnit\":\"ns\",\"traceEvents\":["

const struct cs_file_kind cs_chrome_kind = {"a file of commslice export -f chrome", BEGINS, sizeof BEGINS - 1};

int cs_export_chrome(struct cs_export *x)
{
    struct cs_json j = {.out = x->out};
    int n = cs_trace_info(x->view.t)->nranks, rc = 0;
    cs_json_open(&j, NULL, '{');
    cs_json_string(&j, "displayTimeUnit", "ns");
    cs_json_open(&j, "traceEvents", '[');
    for (x->view.rank = 0; x->view.rank < n && rc == 0; x->view.rank++) {
        cs_progress("writing", x->view.rank, n);
        put_name(&j, x->view.rank);
        rc = cs_export_rank(x, put_event, &j);
    }
    cs_json_close(&j, ']');
    cs_json_close(&j, '}');
    cs_json_end(&j);
    return rc;
}
