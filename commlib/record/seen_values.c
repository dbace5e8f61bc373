/* SPDX-License-Identifier: BSD-3-Clause
 * Gathers what was noted of values, and writes it for people and for advise; seen_values.h. */
#define _POSIX_C_SOURCE 200809L
#include "commlib/record/seen_values.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/expression.h"
#include "commlib/state/own_slice.h"

/* A value of one rank or of all. */
struct summary {
    int64_t times, least, most;
    double sum;
};

static void add(struct summary *to, int64_t times, int64_t least, int64_t most, double sum)
{
    to->least = !to->times || least < to->least ? least : to->least;
    to->most = !to->times || most > to->most ? most : to->most;
    to->times += times;
    to->sum += sum;
}

/* Is all that is known of it what it was each time? */
static bool is_loop(const struct cs_value_seen *v)
{
    return v->over == 0 && v->under == 0;
}

static void add_rank(struct summary *to, const struct cs_value_seen *v)
{
    for (int i = 0; is_loop(v) && i < v->times && i < CS_SEEN_FIRST; i++)
        add(to, 1, v->first[i], v->first[i], (double)v->first[i]);
    if (v->times && !is_loop(v))
        add(to, v->times, CS_SEEN_MOST - v->under, v->over - CS_SEEN_MOST, (double)v->sum);
}

/* Rounded, halves away from 0. */
static long long mean(const struct summary *s)
{
    double m = s->sum / (double)s->times;
    return (long long)(m < 0 ? m - 0.5 : m + 0.5);
}

static void print_rank(FILE *f, const struct cs_value_seen *v, bool in_order)
{
    struct summary s = {0};
    add_rank(&s, v);
    if (!s.times)
        fputs(" -", f);
    else if (s.least == s.most)
        fprintf(f, " %lld", (long long)s.least);
    else if (in_order && s.times <= CS_SEEN_FIRST)
        for (int64_t i = 0; i < s.times; i++)
            fprintf(f, "%c%lld", i ? ',' : ' ', (long long)v->first[i]);
    else
        fprintf(f, " %lld:%lld:%lld", (long long)s.least, mean(&s), (long long)s.most);
}

/* A value, in what each of `size` ranks noted. Values in their order only where all ranks' together are not too many
 * for an assumption. */
static void print_value(FILE *f, const char *name, int length, const struct cs_value_seen *all, int size)
{
    enum { MOST = CS_EXPR_NODES / 2 - 8 };
    struct summary s = {0};
    int64_t several = 0;
    bool unknown = false;
    for (int r = 0; r < size; r++) {
        add_rank(&s, &all[r]);
        several += all[r].times <= CS_SEEN_FIRST ? all[r].times + 2 : 3;
        unknown |= is_loop(&all[r]) && all[r].times > CS_SEEN_FIRST;
    }
    if (!s.times || unknown || s.least <= -CS_SEEN_MOST || s.most >= CS_SEEN_MOST)
        return;
    fprintf(f, "%.*s was %lld to %lld, %lld in the mean, %lld times; by rank", length, name, (long long)s.least,
            (long long)s.most, mean(&s), (long long)s.times);
    for (int r = 0; r < size; r++)
        print_rank(f, &all[r], several <= MOST);
    fputc('\n', f);
}

/* Collective: writes a line at rank 0, to f, of what all ranks noted of a value; `all` has room for each. */
static bool gather_value(FILE *f, const char *name, int length, const struct cs_value_seen *own,
                         struct cs_value_seen *all, MPI_Comm comm)
{
    enum { N = CS_SEEN_COUNTERS };
    int size;
    if (PMPI_Comm_size(comm, &size) != MPI_SUCCESS ||
        PMPI_Gather(own, N, MPI_INT64_T, all, N, MPI_INT64_T, 0, comm) != MPI_SUCCESS)
        return false;
    if (f)
        print_value(f, name, length, all, size);
    return true;
}

static void gather_values(FILE *f, const struct cs_value_seen *own, struct cs_value_seen *all, MPI_Comm comm)
{
    const char *line = cs_own_slice.seen;
    for (int i = 0; i < cs_own_slice.nseen; i++) {
        int length = (int)strcspn(line, "\n");
        if (!gather_value(f, line, length, &own[i], all, comm))
            return;
        line += length + 1;
    }
}

char *cs_seen_values_text(MPI_Comm comm)
{
    const struct cs_value_seen *own = cs_own_slice_seen();
    int rank, size;
    char *text = NULL;
    size_t len;
    if (!own || PMPI_Comm_rank(comm, &rank) != MPI_SUCCESS || PMPI_Comm_size(comm, &size) != MPI_SUCCESS)
        return NULL;
    /* A rank without memory must not leave the others waiting: all of them need only what rank 0 asks for. */
    struct cs_value_seen *all = rank == 0 ? calloc((size_t)size, sizeof *all) : NULL;
    FILE *f = all ? open_memstream(&text, &len) : NULL;
    int fits = rank != 0 || f != NULL;
    if (PMPI_Bcast(&fits, 1, MPI_INT, 0, comm) == MPI_SUCCESS && fits)
        gather_values(f, own, all, comm);
    free(all);
    if (f && fclose(f) != 0) {
        free(text);
        text = NULL;
    }
    return text;
}
