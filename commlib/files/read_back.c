/* SPDX-License-Identifier: BSD-3-Clause
 * Brings the logs of all ranks together and compares who wrote a file when with who read it when; read_back.h. */
#define _GNU_SOURCE
#include "commlib/files/read_back.h"

#include <assert.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "commlib/files/rank_files.h"

enum { NAMES = 3 }; /* so many are told */

static int by_file(const void *x, const void *y)
{
    const struct cs_file_seen *a = x, *b = y;
    if (a->dev != b->dev)
        return a->dev < b->dev ? -1 : 1;
    if (a->ino != b->ino)
        return a->ino < b->ino ? -1 : 1;
    return (a->name > b->name) - (a->name < b->name);
}

static int by_name(const void *x, const void *y)
{
    return strcmp(((const struct cs_file_seen *)x)->text, ((const struct cs_file_seen *)y)->text);
}

static int64_t earlier(int64_t a, int64_t b)
{
    return !a || (b && b < a) ? b : a;
}

/* What all ranks have seen, *n of them, at rank 0; malloced. NULL elsewhere, and if memory is out. */
static struct cs_file_seen *gather(MPI_Comm comm, int *n)
{
    int rank, nranks, bytes = 0, mine, own;
    const struct cs_file_seen *log = cs_file_log(&own);
    PMPI_Comm_rank(comm, &rank);
    PMPI_Comm_size(comm, &nranks);
    mine = own * (int)sizeof *log;
    int *size = calloc(2 * (size_t)nranks, sizeof *size), *at = size ? size + nranks : NULL;
    if (!size || PMPI_Gather(&mine, 1, MPI_INT, size, 1, MPI_INT, 0, comm) != MPI_SUCCESS) {
        free(size);
        return NULL;
    }
    for (int r = 0; r < nranks && rank == 0; r++) {
        assert(size[r] <= INT_MAX - bytes);
        at[r] = bytes;
        bytes += size[r];
    }
    struct cs_file_seen *all = rank == 0 ? malloc((size_t)bytes + 1) : NULL;
    PMPI_Gatherv(log, mine, MPI_BYTE, all, size, at, MPI_BYTE, 0, comm);
    free(size);
    *n = bytes / (int)sizeof *log;
    return all;
}

/* The names in s[0] to s[n - 1], in order, the first of them; malloced. NULL if there are none or memory is out. */
static char *names_of(struct cs_file_seen *s, int n)
{
    char *names = NULL;
    size_t len;
    FILE *f = n ? open_memstream(&names, &len) : NULL;
    if (!f)
        return NULL;
    qsort(s, (size_t)n, sizeof *s, by_name);
    for (int i = 0; i < n && i < NAMES; i++)
        fprintf(f, "%s%s", i ? ", " : "", s[i].text);
    if (n > NAMES)
        fputs(", ...", f);
    if (fclose(f) == 0)
        return names;
    free(names);
    return NULL;
}

/* Judges the entries s[0] to s[n - 1], which are all of one file. Returns the first one by which its rank read what was
 * written, or NULL. */
static const struct cs_file_seen *judge(const struct cs_file_seen *s, int n, struct cs_read_back *r)
{
    const struct cs_file_seen *found = NULL;
    int64_t wrote = 0, made = 0;
    for (int i = 0; i < n; i++) {
        wrote = earlier(wrote, s[i].wrote);
        made = earlier(made, s[i].made);
    }
    for (int i = 0; i < n; i++) {
        r->files += s[i].read || s[i].asked;
        if (!(wrote && wrote < s[i].read) && !(made && made < s[i].asked))
            continue;
        r->violated++;
        found = found ? found : &s[i];
    }
    return found;
}

struct cs_read_back cs_read_back_find(MPI_Comm comm)
{
    struct cs_read_back r = {0};
    int n = 0, found = 0;
    struct cs_file_seen *all = gather(comm, &n);
    if (all)
        qsort(all, (size_t)n, sizeof *all, by_file);
    for (int i = 0, k; all && i < n; i = k) {
        for (k = i + 1; k < n && by_file(&all[i], &all[k]) == 0; k++)
            ;
        const struct cs_file_seen *read = judge(&all[i], k - i, &r);
        if (read)
            all[found++] = *read; /* those before i are judged */
    }
    r.names = names_of(all, found);
    free(all);
    return r;
}
