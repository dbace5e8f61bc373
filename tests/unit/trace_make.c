/* SPDX-License-Identifier: BSD-3-Clause
 * trace_make OUT < SCRIPT: writes a trace from a readable script, for the tests of the command.
 * Lines: "ranks N", "times", "kind WORD", "program WORD", "assume TEXT", "comm PATH RANK...", "type SIGNATURE SIZE
 * EXTENT [PIECES]", "RANK CALL FIELD... [@ FILE:LINE] [%MARK] [+NS]
 * [=ENTER,EXIT,DELAY]", "clock RANK NS" (an array is 1,2,3 or "[]"; "-" is not
 * significant), "cut RANK", "missing RANK", "segment RANK FROM TO TIMES NS COUNTER=SUM..." (FROM and TO are FILE:LINE
 * or
 * "-", a counter is the FILE:LINE of its loop, with a "?" behind if the slice does not count it). With times, a call
 * comes 1000 ns after the one of the line before, or NS more, and takes 500 ns, or is from ENTER to EXIT. */
#define _GNU_SOURCE 1
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../api/mpi_calls.h"
#include "trace/format/fields.h"
#include "../../trace/trace.h"
#include "../../trace/counters.h"

#define MAX_RANKS 64
#define MAX_DEFS 64
#define MAX_FIELDS 4096

static struct cs_trace_writer *writer[MAX_RANKS];
static bool cut[MAX_RANKS], missing[MAX_RANKS];
static struct cs_run_info info = {
    .kind = "original", .engine = "mpich", .program = "./app", .args = "", .versions = "test", .nranks = 1};
static struct {
    char path[64];
    int ranks[MAX_RANKS], n;
} comm[MAX_DEFS];
static struct {
    char signature[64];
    long size, extent, pieces;
} type[MAX_DEFS];
static int ncomms, ntypes;
static const char *out;
static int64_t tick;

static void die(const char *what, const char *which)
{
    fprintf(stderr, "trace_make: %s: %s\n", what, which);
    exit(2);
}

static struct cs_trace_writer *writer_of(int rank)
{
    if (rank < 0 || rank >= info.nranks || missing[rank])
        die("no such rank", "in an event");
    if (!writer[rank] && !(writer[rank] = cs_trace_create(out, rank, &info)))
        die("cannot write", out);
    return writer[rank];
}

static int64_t define_comm(struct cs_trace_writer *w, const char *path)
{
    int world[MAX_RANKS];
    for (int i = 0; i < info.nranks; i++)
        world[i] = i;
    if (strcmp(path, "world") == 0)
        return cs_trace_def_comm(w, path, info.nranks, world);
    for (int i = 0; i < ncomms; i++)
        if (strcmp(comm[i].path, path) == 0)
            return cs_trace_def_comm(w, path, comm[i].n, comm[i].ranks);
    die("unknown communicator", path);
    return -1;
}

static int64_t define_type(struct cs_trace_writer *w, const char *signature)
{
    for (int i = 0; i < ntypes; i++)
        if (strcmp(type[i].signature, signature) == 0)
            return cs_trace_def_type(w, signature, type[i].size, type[i].extent, type[i].pieces);
    return cs_trace_def_type(w, signature, 8, 8, 1);
}

static int64_t value(struct cs_trace_writer *w, enum cs_role role, const char *word)
{
    if (strcmp(word, "-") == 0)
        return CS_UNUSED;
    if (strcmp(word, "null") == 0)
        return role == CS_ROLE_DEST || role == CS_ROLE_SOURCE ? CS_PROC_NULL : CS_NO_HANDLE;
    if (strcmp(word, "any") == 0)
        return CS_ANY;
    switch (role) {
    case CS_ROLE_TYPE:
    case CS_ROLE_TYPES: return define_type(w, word);
    case CS_ROLE_COMM:
    case CS_ROLE_COMM_UPD:
    case CS_ROLE_NEWCOMM: return define_comm(w, word);
    case CS_ROLE_OP: return cs_trace_def_op(w, word);
    default: return atoll(word);
    }
}

static void add_array(struct cs_trace_writer *w, enum cs_role role, char *words, int64_t *f, int *n)
{
    int at = (*n)++;
    f[at] = 0;
    if (strcmp(words, "[]") == 0)
        return;
    for (char *word; (word = strsep(&words, ",")) && *n < MAX_FIELDS; f[at]++)
        f[(*n)++] = value(w, role, word);
}

static int site_of(struct cs_trace_writer *w, char *place)
{
    char *colon = strrchr(place, ':');
    if (!colon)
        die("no FILE:LINE", place);
    *colon = 0;
    if (colon[1] == '+')
        return cs_trace_def_site(w, place, -1, colon + 1);
    return cs_trace_def_site(w, place, atoi(colon + 1), "main");
}

static void event(char **word, int n)
{
    struct cs_trace_writer *w = writer_of(atoi(word[0]));
    const struct cs_mpi_call *call = cs_mpi_find(word[1]);
    int64_t f[MAX_FIELDS];
    struct cs_event e = {.site = -1, .mark = CS_MARK_CONTENT, .fields = f};
    int at = 2;
    const char *given = NULL;
    if (!call)
        die("unknown call", word[1]);
    e.call = cs_mpi_index(call);
    for (int i = 0; i < call->nargs; i++) {
        enum cs_field_shape shape = cs_field_shape(call, i);
        if (shape == CS_FIELD_NONE)
            continue;
        if (at >= n)
            die("too few fields", word[1]);
        if (shape == CS_FIELD_ARRAY)
            add_array(w, call->args[i].role, word[at++], f, &e.nfields);
        else
            f[e.nfields++] = shape == CS_FIELD_LENGTH ? atoll(word[at++]) : value(w, call->args[i].role, word[at++]);
    }
    for (; at < n; at++) {
        if (strcmp(word[at], "@") == 0 && at + 1 < n)
            e.site = site_of(w, word[++at]);
        else if (word[at][0] == '%')
            e.mark = atoi(word[at] + 1);
        else if (word[at][0] == '+')
            tick += atoll(word[at] + 1);
        else if (word[at][0] == '=')
            given = word[at] + 1;
        else
            die("unexpected", word[at]);
    }
    if (given && sscanf(given, "%" SCNd64 ",%" SCNd64 ",%" SCNd64, &e.t_enter, &e.t_exit, &e.t_delay) != 3)
        die("no =ENTER,EXIT,DELAY", given);
    if (info.with_times && !given) {
        e.t_enter = tick += 1000;
        e.t_exit = tick += 500;
    }
    if (cs_trace_event(w, &e))
        die("cannot write", out);
}

/* Takes "FILE:LINE?" apart, and gives the number of that counter. */
static int counter_of(struct cs_trace_writer *w, char *place)
{
    struct cs_counter_def c = {.func = "main", .kind = CS_COUNTER_LOOP, .counted = true};
    char *colon = strrchr(place, ':'), *asked = strchr(place, '?');
    if (!colon)
        die("no FILE:LINE", place);
    if (asked) {
        *asked = 0;
        c.counted = false;
    }
    *colon = 0;
    c.file = place;
    c.line = atoi(colon + 1);
    return cs_trace_def_counter(w, &c);
}

static void segment(char **word, int n)
{
    struct cs_trace_writer *w = writer_of(atoi(word[1]));
    struct cs_count sum[64];
    struct cs_segment s = {.times = atoll(word[4]), .ns = atoll(word[5]), .sum = sum};
    s.from = strcmp(word[2], "-") == 0 ? -1 : site_of(w, word[2]);
    s.to = strcmp(word[3], "-") == 0 ? -1 : site_of(w, word[3]);
    for (int i = 6; i < n && s.nsums < 64; i++) {
        char *is = strrchr(word[i], '=');
        if (!is)
            die("no COUNTER=SUM", word[i]);
        *is = 0;
        sum[s.nsums++] = (struct cs_count){counter_of(w, word[i]), strtoull(is + 1, NULL, 10)};
    }
    if (cs_trace_def_segment(w, &s))
        die("cannot write", out);
}

static void line(char *text)
{
    char *word[256], *rest = text;
    int n = 0;
    for (char *w; n < 256 && (w = strsep(&rest, " \n"));)
        if (*w)
            word[n++] = w;
    if (n == 0 || word[0][0] == '#')
        return;
    if (n >= 2 && strcmp(word[0], "ranks") == 0) {
        info.nranks = atoi(word[1]);
    } else if (strcmp(word[0], "times") == 0) {
        info.with_times = true;
    } else if (n >= 2 && strcmp(word[0], "kind") == 0) {
        info.kind = strdup(word[1]);
    } else if (n >= 2 && strcmp(word[0], "program") == 0) {
        info.program = strdup(word[1]);
    } else if (n >= 2 && strcmp(word[0], "assume") == 0) {
        info.assumptions = strdup(word[1]);
    } else if (n >= 2 && strcmp(word[0], "comm") == 0 && ncomms < MAX_DEFS) {
        snprintf(comm[ncomms].path, sizeof comm->path, "%s", word[1]);
        for (int i = 2; i < n; i++)
            comm[ncomms].ranks[comm[ncomms].n++] = atoi(word[i]);
        ncomms++;
    } else if (n >= 4 && strcmp(word[0], "type") == 0 && ntypes < MAX_DEFS) {
        snprintf(type[ntypes].signature, sizeof type->signature, "%s", word[1]);
        type[ntypes].size = atol(word[2]);
        type[ntypes].extent = atol(word[3]);
        type[ntypes++].pieces = n >= 5 ? atol(word[4]) : 1;
    } else if (n >= 2 && strcmp(word[0], "cut") == 0) {
        cut[atoi(word[1])] = true;
    } else if (n >= 3 && strcmp(word[0], "clock") == 0) {
        cs_trace_set_clock(writer_of(atoi(word[1])), atoll(word[2]));
    } else if (n >= 2 && strcmp(word[0], "missing") == 0) {
        missing[atoi(word[1])] = true;
    } else if (n >= 6 && strcmp(word[0], "segment") == 0) {
        segment(word, n);
    } else if (n >= 2) {
        event(word, n);
    } else {
        die("unknown line", word[0]);
    }
}

int main(int argc, char **argv)
{
    char text[8192];
    if (argc != 2)
        die("usage", "trace_make OUT < SCRIPT");
    out = argv[1];
    remove(out);
    while (fgets(text, sizeof text, stdin))
        line(text);
    for (int r = 0; r < info.nranks; r++) {
        if (missing[r])
            continue;
        struct cs_trace_writer *w = writer_of(r);
        if (cut[r] ? cs_trace_flush(w) : cs_trace_close(w))
            die("cannot write", out);
    }
    return 0;
}
