/* SPDX-License-Identifier: BSD-3-Clause
 * Options of emulated worlds; see emulate_options.h.
 * docs/reference/emulate.md lists the variables. */
#define _GNU_SOURCE 1
#include "cli/launch/emulate_options.h"

#include <stdlib.h>
#include <string.h>
#include <sys/personality.h>
#include <unistd.h>

#include "base/environment.h"
#include "commlib/process/rank_memory.h"

/* "200M": bytes, with K, M, G for powers of 1024. */
static bool parse_bytes(const char *text, long long *bytes)
{
    char *end;
    long long n = strtoll(text, &end, 10);
    int shift = *end == 'K' ? 10 : *end == 'M' ? 20 : *end == 'G' ? 30 : 0;
    if (end == text || n <= 0 || n > 1LL << 32 || (shift ? end[1] : end[0]))
        return false;
    *bytes = n << shift;
    return true;
}

static bool parse_stdout(const char *text, enum cs_stdout *out)
{
    static const char *const words[] = {[CS_STDOUT_SHOW] = "show", [CS_STDOUT_TAG] = "tag", [CS_STDOUT_DROP] = "drop"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strcmp(text, words[i]) == 0) {
            *out = (enum cs_stdout)i;
            return true;
        }
    return false;
}

int cs_world_option(const struct cs_verb *v, struct cs_world *w, int option, const char *value)
{
    if (option == 'n' && !cs_parse_number(value, 1, 1 << 24, &w->ranks))
        return cs_usage_error(v, "-n %s is no number of ranks", value);
    if (option == 'j' && !cs_parse_number(value, 1, 1 << 24, &w->jobs))
        return cs_usage_error(v, "--jobs %s is no number of ranks", value);
    if (option == 't' && !cs_parse_number(value, 1, 1 << 30, &w->timeout))
        return cs_usage_error(v, "--timeout %s is no number of seconds", value);
    if (option == 'm' && !parse_bytes(value, &w->memory))
        return cs_usage_error(v, "--memory %s is no amount of memory such as 200M", value);
    if (option == 'O' && !parse_stdout(value, &w->out))
        return cs_usage_error(v, "--stdout %s: there are show, tag and drop", value);
    if (option == 'J')
        w->json = true;
    if (option == 'q')
        w->quiet = true;
    return CS_EXIT_OK;
}

bool cs_world_needs_emulate(const struct cs_world *w)
{
    return w->jobs || w->memory;
}

static bool set_number(const char *name, long long value)
{
    char text[32];
    snprintf(text, sizeof text, "%lld", value);
    return value ? setenv(name, text, 1) != 0 : unsetenv(name) != 0;
}

static bool set_share(const struct cs_world *w)
{
    char text[64];
    snprintf(text, sizeof text, "%ld/%ld", w->share, w->shares);
    return w->shares ? setenv(CS_ENV_SHARE, text, 1) != 0 : unsetenv(CS_ENV_SHARE) != 0;
}

int cs_world_environment(const struct cs_world *w)
{
    /* LD_BIND_NOW: symbols are bound before the forks, so that ranks share the pages that this writes */
    if (set_number(CS_ENV_RANKS, w->ranks) || set_number(CS_ENV_JOBS, w->jobs) ||
        set_number(CS_ENV_TIMEOUT, w->timeout) || set_number(CS_ENV_MEMORY, w->memory) || set_share(w) ||
        set_number(CS_ENV_PROGRESS, !w->quiet && isatty(STDERR_FILENO)) ||
        (w->out == CS_STDOUT_TAG ? setenv(CS_ENV_STDOUT, "tag", 1) : unsetenv(CS_ENV_STDOUT)) ||
        setenv("LD_BIND_NOW", "1", 1) || setenv("GLIBC_TUNABLES", CS_RANK_TUNABLES, 0))
        return cs_error("not enough memory");
    /* Without randomised addresses the heap is beside the program and the stack beside the libraries, so each rank
     * needs fewer page tables. It is no error if this is forbidden. */
    personality(ADDR_NO_RANDOMIZE);
    return 0;
}
