/* SPDX-License-Identifier: BSD-3-Clause
 * Descriptions of machines: machine_text.h. A line is a word and its value; all words are read, but a plan uses cores
 * and memory alone: the others say which machine a model is of. */
#define _GNU_SOURCE 1
#include "cli/balance/machine_text.h"

#include <errno.h>
#include <glob.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "cli/frame/cli.h"
#include "cli/predict/machine_caches.h"

static const double MIB = 1 << 20;

/* ---- looking ---- */

/* The number in a file of /sys; 0: there is none. */
static double number_in(const char *path)
{
    FILE *f = fopen(path, "r");
    double v = 0;
    if (f && fscanf(f, "%lf", &v) != 1)
        v = 0;
    if (f)
        fclose(f);
    return v;
}

/* The fastest that a core goes, else what it goes now. */
static double clock_mhz(void)
{
    double most = number_in("/sys/devices/system/cpu/cpu0/cpufreq/cpuinfo_max_freq") / 1000, now;
    char line[512];
    FILE *f = most > 0 ? NULL : fopen("/proc/cpuinfo", "r");
    while (f && fgets(line, sizeof line, f))
        if (sscanf(line, "cpu MHz : %lf", &now) == 1)
            most = fmax(most, now);
    if (f)
        fclose(f);
    return most;
}

static void print_caches(void)
{
    struct cs_observations o = {0};
    cs_caches_of_machine(&o);
    if (!o.ncaches)
        puts("# the system does not tell its caches");
    for (int i = 0; i < o.ncaches; i++)
        printf("%s%.0fKiB%s", i ? "," : "cache ", o.cache[i] / 1024, i + 1 < o.ncaches ? "" : "\n");
}

/* Cards that have a speed; those of virtual machines may have none. */
static void print_networks(void)
{
    glob_t all;
    int found = 0;
    if (glob("/sys/class/net/*/speed", 0, NULL, &all) == 0) {
        for (size_t i = 0; i < all.gl_pathc; i++) {
            double mbits = number_in(all.gl_pathv[i]);
            char *name = all.gl_pathv[i] + strlen("/sys/class/net/");
            name[strcspn(name, "/")] = '\0';
            if (mbits > 0)
                printf("network %s %.0f Mb/s\n", name, mbits);
            found += mbits > 0;
        }
        globfree(&all);
    }
    if (!found)
        puts("# no network card tells its speed: network CARD 10000 Mb/s");
}

void cs_machine_print(void)
{
    struct utsname u;
    double mhz = clock_mhz();
    bool named = uname(&u) == 0;
    puts("# commslice shares: a machine, as it was found; change what is not so");
    if (named)
        printf("name %s\n", u.nodename);
    printf("cores %ld\n", sysconf(_SC_NPROCESSORS_ONLN));
    printf(mhz > 0 ? "clock %.0f MHz\n" : "# the system does not tell its clock\n", mhz);
    print_caches();
    printf("memory %.0f MiB\n", (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE) / MIB);
    print_networks();
    if (named)
        printf("system %s %s %s\n", u.sysname, u.release, u.machine);
}

/* ---- reading ---- */

static bool read_value(struct cs_machine *m, const char *word, const char *value)
{
    static const char *const others[] = {"name", "clock", "cache", "network", "system"};
    char *end;
    if (strcmp(word, "cores") == 0)
        return cs_parse_number(value, 1, 1 << 22, &m->cores);
    if (strcmp(word, "memory") == 0) {
        m->memory = strtod(value, &end) * MIB;
        return end != value && strcmp(end, " MiB") == 0 && m->memory > 0 && isfinite(m->memory);
    }
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (strcmp(word, others[i]) == 0)
            return *value;
    return false;
}

int cs_machine_read(struct cs_machine *m, const char *path)
{
    char line[512];
    FILE *f = fopen(path, "r");
    int code = f ? CS_EXIT_OK : cs_error("%s: %s", path, strerror(errno));
    *m = (struct cs_machine){0};
    for (long number = 1; !code && fgets(line, sizeof line, f); number++) {
        line[strcspn(line, "#\r\n")] = '\0';
        char *value = line + strcspn(line, " ");
        if (!line[strspn(line, " ")])
            continue;
        value += *value ? (*value = '\0', 1) : 0;
        if (!read_value(m, line, value))
            code = cs_error("%s:%ld: give name, cores N, clock N MHz, cache, memory N MiB, network or system", path,
                            number);
    }
    if (!code && ferror(f))
        code = cs_error("%s: %s", path, strerror(errno));
    if (f)
        fclose(f);
    return code;
}
