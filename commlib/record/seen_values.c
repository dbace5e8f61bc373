/* SPDX-License-Identifier: BSD-3-Clause
 * Gathers what was noted of values, and writes it for people and for advise; seen_values.h. */
#define _POSIX_C_SOURCE 200809L
#include "commlib/record/seen_values.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "commlib/state/own_slice.h"

/* A value of one rank or of all. */
struct summary {
    int64_t times, least, most;
    double sum;
};

static void add(struct summary *to, const struct cs_value_seen *v)
{
    int64_t least = CS_SEEN_MOST - v->under, most = v->over - CS_SEEN_MOST;
    if (!v->times)
        return;
    to->least = !to->times || least < to->least ? least : to->least;
    to->most = !to->times || most > to->most ? most : to->most;
    to->times += v->times;
    to->sum += (double)v->sum;
}

/* Rounded, halves away from 0. */
static long long mean(const struct summary *s)
{
    double m = s->sum / (double)s->times;
    return (long long)(m < 0 ? m - 0.5 : m + 0.5);
}

static void print_rank(FILE *f, const struct cs_value_seen *v)
{
    struct summary s = {0};
    add(&s, v);
    if (!s.times)
        fputs(" -", f);
    else if (s.least == s.most)
        fprintf(f, " %lld", (long long)s.least);
    else
        fprintf(f, " %lld:%lld:%lld", (long long)s.least, mean(&s), (long long)s.most);
}

/* Value number i of n, in what each of `size` ranks noted. */
static void print_value(FILE *f, const char *name, int length, const struct cs_value_seen *all, int i, int n, int size)
{
    struct summary s = {0};
    for (int r = 0; r < size; r++)
        add(&s, &all[r * n + i]);
    if (!s.times)
        return;
    fprintf(f, "%.*s was %lld to %lld, %lld in the mean, %lld times; by rank", length, name, (long long)s.least,
            (long long)s.most, mean(&s), (long long)s.times);
    for (int r = 0; r < size; r++)
        print_rank(f, &all[r * n + i]);
    fputc('\n', f);
}

static char *text_of(const struct cs_value_seen *all, int size)
{
    char *text = NULL;
    size_t len;
    const char *line = cs_own_slice.seen;
    FILE *f = open_memstream(&text, &len);
    for (int i = 0; f && i < cs_own_slice.nseen; i++) {
        int length = (int)strcspn(line, "\n");
        print_value(f, line, length, all, i, cs_own_slice.nseen, size);
        line += length + 1;
    }
    if (f && fclose(f) == 0)
        return text;
    free(text);
    return NULL;
}

char *cs_seen_values_text(MPI_Comm comm)
{
    const struct cs_value_seen *own = cs_own_slice_seen();
    int rank, size, n = 4 * cs_own_slice.nseen;
    char *text = NULL;
    if (!own || PMPI_Comm_rank(comm, &rank) != MPI_SUCCESS || PMPI_Comm_size(comm, &size) != MPI_SUCCESS)
        return NULL;
    /* A rank without memory must not leave the others waiting: all of them need only what rank 0 asks for. */
    struct cs_value_seen *all = rank == 0 ? calloc((size_t)size * (size_t)n, sizeof(int64_t)) : NULL;
    int fits = rank != 0 || all != NULL;
    if (PMPI_Bcast(&fits, 1, MPI_INT, 0, comm) == MPI_SUCCESS && fits &&
        PMPI_Gather(own, n, MPI_INT64_T, all, n, MPI_INT64_T, 0, comm) == MPI_SUCCESS && rank == 0)
        text = text_of(all, size);
    free(all);
    return text;
}
