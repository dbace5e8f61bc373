/* SPDX-License-Identifier: BSD-3-Clause
 * Reads /sys/devices/system/cpu/cpu0/cache; machine_caches.h. Of a cache that more than one core has, a core can count
 * on half of its share: others use it, too, and not all of it is left where programs of other machines are on the same
 * processor. */
#include "cli/predict/machine_caches.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/frame/cli.h"

/* From this level on, caches are those of several cores; below it, threads of a core share. */
enum { SHARED_FROM = 3, INDICES = 8 };

static bool read_word(int index, const char *name, char *word, int room)
{
    char path[128];
    snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu0/cache/index%d/%s", index, name);
    FILE *f = fopen(path, "r");
    bool is = f && fgets(word, room, f);
    if (f)
        fclose(f);
    word[is ? strcspn(word, "\n") : 0] = 0;
    return is;
}

/* How many processors are in a list as "0-3,8". */
static int count_processors(const char *list)
{
    int n = 0;
    for (const char *at = list; *at;) {
        char *end;
        long first = strtol(at, &end, 10), last = *end == '-' ? strtol(end + 1, &end, 10) : first;
        n += (int)(last - first + 1);
        at = *end == ',' ? end + 1 : "";
    }
    return n > 0 ? n : 1;
}

/* Adds a cache that is larger than those before it. */
static void add(struct cs_observations *o, double bytes)
{
    if (o->ncaches < CS_CACHES && bytes > (o->ncaches ? o->cache[o->ncaches - 1] : 0))
        o->cache[o->ncaches++] = bytes;
}

void cs_caches_of_machine(struct cs_observations *o)
{
    char size[64], type[64], level[64], shared[512];
    o->ncaches = 0;
    for (int i = 0; i < INDICES; i++) {
        if (!read_word(i, "type", type, sizeof type) || !strcmp(type, "Instruction") ||
            !read_word(i, "size", size, sizeof size) || !read_word(i, "level", level, sizeof level) ||
            !read_word(i, "shared_cpu_list", shared, sizeof shared))
            continue;
        double bytes = atof(size) * (strchr(size, 'M') ? 1 << 20 : 1 << 10);
        add(o, atoi(level) < SHARED_FROM ? bytes : bytes / (2 * count_processors(shared)));
    }
}

int cs_caches_parse(struct cs_observations *o, const char *list)
{
    o->ncaches = 0;
    if (!strcmp(list, "none"))
        return CS_EXIT_OK;
    for (const char *at = list; at;) {
        char *end;
        double bytes = strtod(at, &end);
        int before = o->ncaches;
        bytes *= !strncmp(end, "KiB", 3) ? 1 << 10 : !strncmp(end, "MiB", 3) ? 1 << 20 : 0;
        if (bytes > 0 && bytes < 1e15) {
            add(o, bytes);
            end += 3;
        }
        if (o->ncaches == before || (*end && *end != ','))
            return cs_error(
                "--caches %s: give at most %d sizes as 32KiB or 8MiB, ascending, with commas between, or none", list,
                CS_CACHES);
        at = *end ? end + 1 : NULL;
    }
    return CS_EXIT_OK;
}
