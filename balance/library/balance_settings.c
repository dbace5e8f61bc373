/* SPDX-License-Identifier: BSD-3-Clause
 * What a program and the environment ask of the library, on which all ranks must agree.
 * Each rank says what it wants or that it cannot read it; then all come to the same end. */
#include "balance/library/balancer_internal.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/environment.h"

/* What a rank asks for. `wrong` has a line if it cannot be. */
struct wish {
    int technique, way, report, follow, wrong;
    char monitor[64];
    int64_t chunk;
    double speed;
};

static const struct cs_balance_way *const ways[] = {&cs_way_master_worker, &cs_way_one_sided, &cs_way_shared_memory};
enum { NWAYS = sizeof ways / sizeof *ways }; /* in the table */

/* The environment's word, else the program's. */
static const char *word(const char *variable, const char *given, const char *otherwise)
{
    const char *s = getenv(variable);
    return s && *s ? s : given && *given ? given : otherwise;
}

static void read_technique(const char *name, struct wish *w, char *wrong, size_t len)
{
    const struct cs_technique *t = cs_technique_find(name);
    w->technique = t ? (int)(t - cs_techniques) : -1;
    if (t)
        return;
    int n = snprintf(wrong, len, "no technique %s; there are", name);
    for (int i = 0; i < cs_ntechniques && n > 0 && (size_t)n < len; i++)
        n += snprintf(wrong + n, len - (size_t)n, " %s", cs_techniques[i].name);
}

static void read_way(const char *name, struct wish *w, char *wrong, size_t len)
{
    for (w->way = 0; w->way < NWAYS; w->way++)
        if (strcmp(ways[w->way]->name, name) == 0)
            return;
    snprintf(wrong, len, "no way %s; there are master-worker, one-sided and shared-memory", name);
}

static void read_chunk(int64_t given, struct wish *w, char *wrong, size_t len)
{
    const char *s = getenv(CS_ENV_BALANCE_CHUNK);
    char *end = NULL;
    errno = 0;
    w->chunk = s && *s ? strtoll(s, &end, 10) : given;
    if ((end && *end) || errno || w->chunk < 0 || w->chunk > CS_MOST_ITEMS)
        snprintf(wrong, len, "a chunk of %s items: give a number from 1 on, or 0 for the default",
                 end ? s : "less than 0");
}

/* What stands between numbers; # begins a line that says nothing. */
static const char *skip(const char *list)
{
    for (list += strspn(list, " ,\t\r\n"); *list == '#'; list += strspn(list, " ,\t\r\n"))
        list += strcspn(list, "\n");
    return list;
}

/* Number `rank` of a list with commas or lines. Returns how many there are, -1: one of them is no number above 0. */
static int speed_in(const char *list, int rank, double *speed)
{
    int n = 0;
    for (list = skip(list); *list; n++) {
        char *end;
        double v = strtod(list, &end);
        if (end == list || !(v > 0) || !isfinite(v))
            return -1;
        if (n == rank)
            *speed = v;
        end += strspn(end, " \t\r");
        if (*end && *end != ',' && *end != '\n')
            return -1;
        list = skip(end);
    }
    return n;
}

/* The text of a file of at most a number of bytes that is enough for some million ranks; NULL with errno. */
static char *text_of(const char *path)
{
    enum { MOST = 1 << 26 };
    FILE *f = fopen(path, "r");
    char *text = NULL;
    size_t n = 0, cap = 0, got = 1;
    while (f && got && n < MOST) {
        char *more = n + 1 < cap ? text : realloc(text, cap = 2 * cap + 4096);
        if (!more)
            break;
        text = more;
        got = fread(text + n, 1, cap - n - 1, f);
        text[n += got] = '\0';
    }
    if (f)
        fclose(f);
    return text;
}

/* Speeds of all ranks, from the environment: a list, or the name of a file, which begins with no digit. */
static void read_list(const char *s, int rank, int ranks, struct wish *w, char *wrong, size_t len)
{
    char *text = strspn(s, "0123456789.-+") ? strdup(s) : text_of(s);
    int n = text ? speed_in(text, rank, &w->speed) : 0;
    if (!text)
        snprintf(wrong, len, "%s: %s", s, strerror(errno));
    else if (n < 0)
        snprintf(wrong, len, "%s=%.200s: give a number above 0 for each rank", CS_ENV_BALANCE_SPEEDS, s);
    else if (n != ranks)
        snprintf(wrong, len, "%s=%.200s: %d speeds for %d ranks", CS_ENV_BALANCE_SPEEDS, s, n, ranks);
    free(text);
}

static void read_speed(double given, int rank, int ranks, struct wish *w, char *wrong, size_t len)
{
    const char *s = getenv(CS_ENV_BALANCE_SPEEDS);
    w->speed = given == 0 ? 1 : given;
    if (s && *s)
        read_list(s, rank, ranks, w, wrong, len);
    else if (!(w->speed > 0) || !isfinite(w->speed))
        snprintf(wrong, len, "a speed of %g: give a number above 0", given);
}

/* The first rank whose wish is wrong, or another one than rank 0's; -1: none. */
static int odd_one(const struct wish *w, int ranks)
{
    for (int i = 0; i < ranks; i++)
        if (w[i].wrong)
            return i;
    for (int i = 0; i < ranks; i++)
        if (w[i].technique != w[0].technique || w[i].way != w[0].way || w[i].chunk != w[0].chunk)
            return i;
    return -1;
}

/* Speeds of all ranks; none if they are alike. */
static int keep_speeds(const struct wish *w, int ranks, double **speed)
{
    bool alike = true;
    for (int i = 0; i < ranks; i++)
        alike &= w[i].speed == w[0].speed;
    *speed = alike ? NULL : malloc((size_t)ranks * sizeof **speed);
    for (int i = 0; i < ranks && *speed; i++)
        (*speed)[i] = w[i].speed;
    return alike || *speed ? 0 : -1;
}

static int agree(MPI_Comm comm, const struct wish *own, const char *wrong, struct cs_balance_settings *s)
{
    int rank, ranks, code = -1;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &ranks);
    struct wish *all = malloc((size_t)ranks * sizeof *all);
    if (!all) {
        fprintf(stderr, "commslice-balance: not enough memory\n");
        MPI_Abort(comm, 2);
    }
    MPI_Allgather(own, sizeof *own, MPI_BYTE, all, sizeof *own, MPI_BYTE, comm);
    int odd = odd_one(all, ranks);
    if (odd == rank)
        fprintf(stderr, "commslice-balance: %s\n",
                own->wrong ? wrong : "ranks do not ask for the same technique, way and chunk");
    else if (odd < 0) {
        *s = (struct cs_balance_settings){
            &cs_techniques[all[0].technique], ways[all[0].way], all[0].chunk, NULL, all[0].report, all[0].follow, ""};
        memcpy(s->monitor, all[0].monitor, sizeof s->monitor);
        code = keep_speeds(all, ranks, &s->speed);
    }
    free(all);
    return code;
}

/* The name of the run, for commslice monitor: of rank 0, if the command has given none. */
static void name_run(struct wish *w)
{
    const char *name = cs_live_wanted();
    if (name && *name)
        snprintf(w->monitor, sizeof w->monitor, "%s", name);
    else if (name)
        cs_live_name(w->monitor, sizeof w->monitor);
}

int cs_balance_settle(MPI_Comm comm, const struct cs_balance_options *o, struct cs_balance_settings *s)
{
    static const struct cs_balance_options none;
    char wrong[512] = "";
    struct wish w = {0};
    int rank, ranks;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &ranks);
    o = o ? o : &none;
    read_speed(o->speed, rank, ranks, &w, wrong, sizeof wrong);
    read_chunk(o->chunk, &w, wrong, sizeof wrong);
    read_way(word(CS_ENV_BALANCE_WAY, o->way, "master-worker"), &w, wrong, sizeof wrong);
    read_technique(word(CS_ENV_BALANCE_TECHNIQUE, o->technique, "fac2"), &w, wrong, sizeof wrong);
    w.report = *word(CS_ENV_BALANCE_REPORT, NULL, "0") != '0';
    w.follow = *word(CS_ENV_BALANCE_FOLLOW, NULL, "0") != '0';
    name_run(&w);
    w.wrong = *wrong != '\0';
    return agree(comm, &w, wrong, s);
}
