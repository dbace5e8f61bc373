/* SPDX-License-Identifier: BSD-3-Clause
 * See share_option.h. Of the variables, those of the innermost launcher count: mpiexec may have been started in a step
 * of Slurm. A job array multiplies the shares. */
#define _GNU_SOURCE 1
#include "cli/launch/share_option.h"

#include <stdlib.h>
#include <string.h>

#include "base/environment.h"

/* Variables in which a launcher tells a process its number, from 0, and how many there are. */
static const struct launcher {
    const char *number, *count;
} launcher[] = {{"PMI_RANK", "PMI_SIZE"},
                {"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"},
                {"SLURM_PROCID", "SLURM_STEP_NUM_TASKS"},
                {"SLURM_PROCID", "SLURM_NTASKS"}};

static bool read_number(const char *name, long least, long *n)
{
    const char *text = getenv(name);
    return text && cs_parse_number(text, least, 1 << 24, n);
}

/* Splits "3/64". */
static bool split(const char *text, long *share, long *shares)
{
    const char *slash = strchr(text, '/');
    char *first = slash ? strndup(text, (size_t)(slash - text)) : NULL;
    bool ok = first && cs_parse_number(first, 1, 1 << 24, share) && cs_parse_number(slash + 1, 1, 1 << 24, shares);
    free(first);
    return ok;
}

bool cs_share_is(const char *word)
{
    return word && strchr(word, '/') && word[strspn(word, "0123456789/")] == 0;
}

/* Of an array whose numbers go from SLURM_ARRAY_TASK_MIN on in steps of some size. */
static bool read_array(long *at, long *n)
{
    long number, first, last, count;
    if (!read_number("SLURM_ARRAY_TASK_ID", 0, &number) || !read_number("SLURM_ARRAY_TASK_MIN", 0, &first) ||
        !read_number("SLURM_ARRAY_TASK_MAX", 0, &last) || !read_number("SLURM_ARRAY_TASK_COUNT", 1, &count) ||
        number < first || last < first)
        return false;
    long step = count > 1 ? (last - first) / (count - 1) : 1;
    if (step < 1 || (number - first) % step || (last - first) != step * (count - 1))
        return false;
    *at = (number - first) / step;
    *n = count;
    return *at < count;
}

static bool read_launcher(long *at, long *n)
{
    for (size_t i = 0; i < sizeof launcher / sizeof *launcher; i++)
        if (read_number(launcher[i].number, 0, at) && read_number(launcher[i].count, 1, n) && *at < *n)
            return true;
    return false;
}

int cs_share_option(const struct cs_verb *v, struct cs_world *w, const char *text)
{
    long at = 0, n = 1, of_array = 0, arrays = 1;
    if (text) {
        if (!split(text, &w->share, &w->shares) || w->share > w->shares)
            return cs_usage_error(v, "--share %s: give a number and how many there are, such as 3/64", text);
        return CS_EXIT_OK;
    }
    bool array = read_array(&of_array, &arrays);
    if (!read_launcher(&at, &n) && !array)
        return cs_usage_error(v, "--share: no launcher says which: give it, such as --share 3/64");
    w->share = of_array * n + at + 1;
    w->shares = arrays * n;
    return CS_EXIT_OK;
}

char *cs_share_name(const char *trace, const struct cs_world *w)
{
    char *name;
    return asprintf(&name, "%s.%ldof%ld", trace, w->share, w->shares) < 0 ? NULL : name;
}

int cs_share_check(const struct cs_verb *v, const struct cs_world *w)
{
    return w->shares > w->ranks
               ? cs_usage_error(v, "%ld shares of %ld ranks: some would have none", w->shares, w->ranks)
               : CS_EXIT_OK;
}
