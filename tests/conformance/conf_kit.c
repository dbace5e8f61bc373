/* SPDX-License-Identifier: BSD-3-Clause
 * Runs the cases of a family: `family` runs all, `family -l` lists them, `family CASE...` runs these.
 * A rank's lines go to $CONF_OUT.RANK, or to standard output; lines that begin with WRONG make a case fail. */
#include "conf_kit.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int rank, size;
static int nwanted, listing, ncases;
static char **wanted;
static FILE *out;
static const char *current;

/* The runner finds a case's events in a trace by this one: its count is the number of the case in the family. */
static void mark_in_trace(int number)
{
    static char nothing[4096];
    MPI_Send(nothing, number, MPI_BYTE, MPI_PROC_NULL, 4711, MPI_COMM_SELF);
}

/* Every line is written at once: a crash must not take lines of earlier cases with it. */
static void write_line(const char *start, const char *format, va_list ap)
{
    fputs(start, out);
    vfprintf(out, format, ap);
    fputc('\n', out);
    fflush(out);
}

static void line(const char *format, ...)
{
    va_list ap;
    va_start(ap, format);
    write_line("", format, ap);
    va_end(ap);
}

void say(const char *format, ...)
{
    va_list ap;
    va_start(ap, format);
    write_line("| ", format, ap);
    va_end(ap);
}

void say_ints(const char *label, const int *values, int n)
{
    fprintf(out, "| %s", label);
    for (int i = 0; i < n; i++)
        fprintf(out, " %d", values[i]);
    line("");
}

void say_doubles(const char *label, const double *values, int n)
{
    fprintf(out, "| %s", label);
    for (int i = 0; i < n; i++)
        fprintf(out, " %.12g", values[i]);
    line("");
}

void conf_check(int ok, const char *what, const char *file, int line_number)
{
    const char *slash = strrchr(file, '/');
    if (!ok)
        line("| WRONG %s:%d: %s", slash ? slash + 1 : file, line_number, what);
}

int class_of(int code)
{
    int class = -1;
    MPI_Error_class(code, &class);
    return class;
}

void until_complete(MPI_Request request)
{
    for (int flag = 0; !flag;)
        MPI_Request_get_status(request, &flag, MPI_STATUS_IGNORE);
}

void meet(void)
{
    MPI_Barrier(MPI_COMM_WORLD);
}

static void open_output(void)
{
    const char *base = getenv("CONF_OUT");
    char path[4096];
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (!base)
        return;
    snprintf(path, sizeof path, "%s.%d", base, rank);
    if (!(out = fopen(path, "w"))) {
        perror(path);
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
}

/* Only where another one was set: a communicator whose handler was never set is another thing than one with the default
 * handler. */
static void put_handler_back(MPI_Comm comm)
{
    MPI_Errhandler set;
    MPI_Comm_get_errhandler(comm, &set);
    if (set == MPI_ERRORS_ARE_FATAL)
        return;
    MPI_Errhandler_free(&set);
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_ARE_FATAL);
}

static void end_case(void)
{
    if (current)
        line("end %s", current);
    current = NULL;
    put_handler_back(MPI_COMM_WORLD);
    put_handler_back(MPI_COMM_SELF);
}

static int is_wanted(const char *name)
{
    for (int i = 0; i < nwanted; i++)
        if (strcmp(wanted[i], name) == 0)
            return 1;
    return nwanted == 0;
}

/* No case begins before all ranks have ended the one before. */
int conf_begin(const char *name)
{
    int number = ++ncases;
    if (listing) {
        puts(name);
        return 0;
    }
    if (out == stdout)
        open_output();
    end_case();
    if (!is_wanted(name))
        return 0;
    meet();
    mark_in_trace(number);
    line("begin %s", name);
    current = name;
    return 1;
}

void conf_end(void)
{
    if (listing)
        return;
    end_case();
    meet();
    mark_in_trace(0);
}

/* glibc hands the arguments to constructors too: that serves main programs in Fortran. */
__attribute__((constructor)) static void take_arguments(int argc, char **argv)
{
    out = stdout;
    listing = argc > 1 && strcmp(argv[1], "-l") == 0;
    nwanted = listing ? 0 : argc - 1;
    wanted = argv + 1;
}
