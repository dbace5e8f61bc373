/* SPDX-License-Identifier: BSD-3-Clause
 * Gathers what was noted of values, and writes it for people and for advise; seen_values.h. */
#define _POSIX_C_SOURCE 200809L
#include "commlib/record/seen_values.h"

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cold.h"
#include "base/expression.h"
#include "base/value_series.h"
#include "commlib/state/own_slice.h"

/* ---- while the program runs ---- */

/* Of each value what it was each time, as the program tells it: its first thread, which `owner` is of, and no signal
 * handler meanwhile. Else the order is not known. */
static struct told {
    struct cs_series each;
    const char *owner;
    bool busy;
} * told CS_COLD;

/* Takes what was noted since the last time; what was before MPI was started, too. */
static void catch_up(struct told *t, const struct cs_value_seen *v)
{
    if (v->times - t->each.times > 1 && v->times > CS_SEEN_FIRST)
        t->each.unknown = true;
    while (!t->each.unknown && t->each.times < v->times)
        cs_series_add(&t->each, v->first[t->each.times < CS_SEEN_FIRST ? t->each.times : CS_SEEN_FIRST - 1]);
}

/* Called by the program each time that it has noted a value, with the place of its struct cs_value_seen. */
static long tell(long place)
{
    static _Thread_local char self;
    const struct cs_value_seen *v = (const void *)place;
    struct told *t = &told[v - cs_own_slice_seen()];
    const char *nobody = NULL;
    if (t->each.unknown)
        return 0;
    if (t->owner != &self &&
        !__atomic_compare_exchange_n(&t->owner, &nobody, &self, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
        t->each.unknown = true;
        return 0;
    }
    if (t->busy)
        t->each.unknown = true;
    t->busy = true;
    catch_up(t, v);
    t->busy = false;
    return 0;
}

void cs_seen_values_start(void)
{
    if (!cs_own_slice_seen() || !cs_own_slice.tell || told)
        return;
    told = calloc((size_t)cs_own_slice.nseen, sizeof *told);
    if (told)
        *cs_own_slice.tell = tell;
}

/* ---- at its end ---- */

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

/* line: what is known of it each time, as own_lines() has it, if it was there more often than the first times. */
static void add_rank(struct summary *to, const struct cs_value_seen *v, const char *line)
{
    long long room, least, most, sum;
    for (int i = 0; is_loop(v) && v->times <= CS_SEEN_FIRST && i < v->times; i++)
        add(to, 1, v->first[i], v->first[i], (double)v->first[i]);
    if (is_loop(v) && v->times > CS_SEEN_FIRST && sscanf(line, "%lld %lld %lld %lld", &room, &least, &most, &sum) == 4)
        add(to, v->times, least, most, (double)sum);
    if (v->times && !is_loop(v))
        add(to, v->times, CS_SEEN_MOST - v->under, v->over - CS_SEEN_MOST, (double)v->sum);
}

/* Rounded, halves away from 0. */
static long long mean(const struct summary *s)
{
    double m = s->sum / (double)s->times;
    return (long long)(m < 0 ? m - 0.5 : m + 0.5);
}

static void print_rank(FILE *f, const struct cs_value_seen *v, bool in_order, const char *line)
{
    struct summary s = {0};
    int length = (int)strcspn(line, "\n"), each = length;
    while (each > 0 && line[each - 1] != ' ')
        each--;
    add_rank(&s, v, line);
    if (!s.times)
        fputs(" -", f);
    else if (s.least == s.most)
        fprintf(f, " %lld", (long long)s.least);
    else if (in_order && s.times <= CS_SEEN_FIRST)
        for (int64_t i = 0; i < s.times; i++)
            fprintf(f, "%c%lld", i ? ',' : ' ', (long long)v->first[i]);
    else if (in_order && length)
        fprintf(f, " %.*s", length - each, line + each);
    else
        fprintf(f, " %lld:%lld:%lld", (long long)s.least, mean(&s), (long long)s.most);
}

/* Numbers that are told of values in their order, beside those that are few. */
enum { ROOM = 200000 };

/* What rank 0 has of all `size` ranks: of one value what each noted, and of each what it was told of all values, a line
 * a value, read up to line[rank] (own_lines()). */
struct gathered {
    int size, *length, *at;
    struct cs_value_seen *all;
    char *text;
    const char **line;
};

/* What an expression needs for what the rank had each time, three numbers if that is not known. */
static int64_t room_of(const struct cs_value_seen *v, const char *line)
{
    enum { UNKNOWN = 3 };
    long long room;
    if (v->times <= CS_SEEN_FIRST)
        return v->times + 2;
    return sscanf(line, "%lld ", &room) == 1 && *line != '\n' ? room : UNKNOWN;
}

/* Had rank r each time what rank 0 had? */
static bool as_first(const struct gathered *g, int r)
{
    const struct cs_value_seen *a = &g->all[0], *b = &g->all[r];
    size_t n = strcspn(g->line[0], "\n");
    if (a->times != b->times)
        return false;
    if (a->times > CS_SEEN_FIRST)
        return n && n == strcspn(g->line[r], "\n") && !strncmp(g->line[0], g->line[r], n);
    return !memcmp(a->first, b->first, (size_t)a->times * sizeof *a->first);
}

/* What an expression needs for all ranks: if they had the same, and that is short, it says so once. */
static int64_t room_of_all(const struct gathered *g)
{
    enum { SHORT = 256 };
    int64_t room = 0, first = room_of(&g->all[0], g->line[0]);
    int same = 0;
    for (int r = 0; r < g->size; r++) {
        same += as_first(g, r);
        room += room_of(&g->all[r], g->line[r]);
    }
    return same == g->size && first <= SHORT ? first : room;
}

/* Do all ranks' numbers come again and again? */
static bool repeats(const struct gathered *g)
{
    enum { TIMES = 4 };
    for (int r = 0; r < g->size; r++)
        if (TIMES * room_of(&g->all[r], g->line[r]) > g->all[r].times)
            return false;
    return true;
}

/* A value, in what each rank noted. Values in their order only where that is the program's, and all ranks' together are
 * not too many for an assumption, or repeat and are not too many for what is left of *room, as there may be a rule for
 * any number of ranks. */
static void print_value(FILE *f, const char *name, int length, const struct gathered *g, int order, int64_t *room)
{
    enum { MOST = CS_EXPR_NODES / 2 - 8 };
    static const char *const says[] = {[CS_SEEN_IN_ORDER] = "",
                                       [CS_SEEN_POLLED] = ", as messages came",
                                       [CS_SEEN_DECIDED] = ", by messages that came"};
    struct summary s = {0};
    int64_t several = room_of_all(g);
    bool unknown = false;
    for (int r = 0; r < g->size; r++) {
        add_rank(&s, &g->all[r], g->line[r]);
        unknown |= is_loop(&g->all[r]) && g->all[r].times > CS_SEEN_FIRST && *g->line[r] == '\n';
    }
    if (!s.times || unknown || order < 0 || order > CS_SEEN_DECIDED || s.least <= -CS_SEEN_MOST ||
        s.most >= CS_SEEN_MOST)
        return;
    fprintf(f, "%.*s was %lld to %lld, %lld in the mean, %lld times%s; by rank", length, name, (long long)s.least,
            (long long)s.most, mean(&s), (long long)s.times, says[order]);
    bool in_order = order == CS_SEEN_IN_ORDER && (several <= MOST || (several <= *room && repeats(g)));
    *room -= in_order && several > MOST ? several : 0;
    for (int r = 0; r < g->size; r++)
        print_rank(f, &g->all[r], in_order, g->line[r]);
    fputc('\n', f);
}

/* "ROOM LEAST MOST SUM SERIES" */
static void print_series(FILE *f, const struct cs_series *s)
{
    int64_t least = s->value[0], most = s->value[0];
    for (int i = 1; i < s->n; i++) {
        least = s->value[i] < least ? s->value[i] : least;
        most = s->value[i] > most ? s->value[i] : most;
    }
    fprintf(f, "%lld %lld %lld %.0f ", (long long)cs_series_room(s), (long long)least, (long long)most,
            cs_series_mean(s) * (double)s->times);
    cs_series_print(f, s);
}

/* What this rank was told of all values, a line a value, malloced; NULL: memory is out. It is empty where there were no
 * more than the first times, or the order is not known. */
static char *own_lines(const struct cs_value_seen *own)
{
    char *text = NULL;
    size_t size;
    FILE *f = open_memstream(&text, &size);
    if (!f)
        return NULL;
    for (int i = 0; i < cs_own_slice.nseen; i++) {
        if (told && own[i].times > CS_SEEN_FIRST) {
            catch_up(&told[i], &own[i]);
            if (!told[i].each.unknown)
                print_series(f, &told[i].each);
        }
        fputc('\n', f);
    }
    if (fclose(f) == 0)
        return text;
    free(text);
    return NULL;
}

/* At rank 0: room for what the ranks have. False: memory is out. */
static bool make_room(struct gathered *g)
{
    int64_t sum = 0;
    for (int r = 0; r < g->size; r++) {
        g->at[r] = (int)sum;
        sum += g->length[r];
    }
    g->text = sum < INT_MAX ? malloc((size_t)sum + 1) : NULL;
    for (int r = 0; r < g->size && g->text; r++)
        g->line[r] = g->text + g->at[r];
    return g->text != NULL;
}

/* Collective: fills what rank 0 has of all values. False on all if memory is out there. */
static bool gather_lines(struct gathered *g, const struct cs_value_seen *own, MPI_Comm comm)
{
    int rank;
    char *lines = own_lines(own), none[] = "";
    int length = lines ? (int)strlen(lines) + 1 : 0, fits = 1;
    bool ok = PMPI_Comm_rank(comm, &rank) == MPI_SUCCESS &&
              PMPI_Gather(&length, 1, MPI_INT, g->length, 1, MPI_INT, 0, comm) == MPI_SUCCESS;
    for (int r = 0; ok && rank == 0 && r < g->size; r++)
        fits &= g->length[r] > 0;
    fits = fits && (!ok || rank != 0 || make_room(g));
    ok = ok && PMPI_Bcast(&fits, 1, MPI_INT, 0, comm) == MPI_SUCCESS && fits &&
         PMPI_Gatherv(lines ? lines : none, length, MPI_CHAR, g->text, g->length, g->at, MPI_CHAR, 0, comm) ==
             MPI_SUCCESS;
    free(lines);
    return ok;
}

/* Collective: writes a line at rank 0, to f, of what all ranks noted of value number i, whose name comes next. */
static bool gather_value(FILE *f, const char *name, int i, const struct cs_value_seen *own, const struct gathered *g,
                         int64_t *room, MPI_Comm comm)
{
    enum { N = CS_SEEN_COUNTERS };
    if (PMPI_Gather(&own[i], N, MPI_INT64_T, g->all, N, MPI_INT64_T, 0, comm) != MPI_SUCCESS)
        return false;
    if (f)
        print_value(f, name, (int)strcspn(name, "\n"), g, cs_own_slice.order[i], room);
    return true;
}

static void gather_values(FILE *f, const struct cs_value_seen *own, struct gathered *g, MPI_Comm comm)
{
    const char *line = cs_own_slice.seen;
    int64_t room = ROOM;
    for (int i = 0; i < cs_own_slice.nseen; i++) {
        if (!gather_value(f, line, i, own, g, &room, comm))
            return;
        line += strcspn(line, "\n") + 1;
        for (int r = 0; f && r < g->size; r++)
            g->line[r] += strcspn(g->line[r], "\n") + 1;
    }
}

static bool start_gathering(struct gathered *g)
{
    size_t n = (size_t)g->size;
    g->all = calloc(n, sizeof *g->all);
    g->length = calloc(n, sizeof *g->length);
    g->at = calloc(n, sizeof *g->at);
    g->line = calloc(n, sizeof *g->line);
    return g->all && g->length && g->at && g->line;
}

static void end_gathering(struct gathered *g)
{
    free(g->all);
    free(g->length);
    free(g->at);
    free(g->line);
    free(g->text);
}

char *cs_seen_values_text(MPI_Comm comm)
{
    const struct cs_value_seen *own = cs_own_slice_seen();
    struct gathered g = {0};
    int rank;
    char *text = NULL;
    size_t len;
    if (!own || PMPI_Comm_rank(comm, &rank) != MPI_SUCCESS || PMPI_Comm_size(comm, &g.size) != MPI_SUCCESS)
        return NULL;
    /* A rank without memory must not leave the others waiting: all of them need only what rank 0 asks for. */
    FILE *f = rank == 0 && start_gathering(&g) ? open_memstream(&text, &len) : NULL;
    int fits = rank != 0 || f != NULL;
    if (PMPI_Bcast(&fits, 1, MPI_INT, 0, comm) == MPI_SUCCESS && fits && gather_lines(&g, own, comm))
        gather_values(f, own, &g, comm);
    end_gathering(&g);
    if (f && fclose(f) != 0) {
        free(text);
        text = NULL;
    }
    return text;
}
