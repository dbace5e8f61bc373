/* SPDX-License-Identifier: BSD-3-Clause
 * commslice shares: how many items of a loop each process gets, from the speeds of machines, so that all finish
 * together; with a host file for mpiexec. */
#include <stdlib.h>
#include <string.h>

#include "balance/techniques/technique.h"
#include "cli/balance/host_shares.h"
#include "cli/frame/cli.h"
#include "cli/frame/json.h"
#include "cli/frame/output.h"
#include "cli/frame/text.h"

/* The files that the verb may make. */
struct files {
    const char *hosts, *shares;
    bool force;
};

static double gain(const struct cs_host_plan *p)
{
    double equal = cs_hosts_equal(p);
    return equal > 0 ? 100 * (1 - cs_hosts_planned(p) / equal) : 0;
}

static double unit_load(const struct cs_host_plan *p)
{
    double sum = 0;
    for (int i = 0; i < p->nhosts; i++)
        sum += cs_host_relative(p, i) * (double)p->host[i].processes;
    return (double)p->items / sum;
}

/* Items of a process: all of a machine have as many, or one more. */
static void print_host(const struct cs_host_plan *p, int i)
{
    const struct cs_host *h = &p->host[i];
    int64_t most = p->share[h->first], least = p->share[h->first + h->processes - 1], sum = 0;
    for (long k = 0; k < h->processes; k++)
        sum += p->share[h->first + k];
    printf("%9ld  %8.3f  %12lld", h->processes, cs_host_relative(p, i), (long long)least);
    if (most != least)
        printf("-%lld", (long long)most);
    printf("  %12lld  ", (long long)sum);
    cs_print_plain(stdout, "%s", h->name);
}

static void print_plan(const struct cs_host_plan *p)
{
    bool timed = p->curves || p->cost > 0;
    puts("processes  relative  items of each  items of all  machine");
    for (int i = 0; i < p->nhosts; i++)
        print_host(p, i);
    printf("\nunit load: %.6g items for each unit of relative performance\n", unit_load(p));
    if (timed)
        printf("predicted: %.4g s; with equal blocks %.4g s; ", cs_hosts_planned(p), cs_hosts_equal(p));
    printf("gain %.1f %%\n", gain(p));
}

static void real(struct cs_json *j, const char *key, double v)
{
    char text[64];
    snprintf(text, sizeof text, "%.9g", v);
    cs_json_raw(j, key, text);
}

static void print_json(const struct cs_host_plan *p)
{
    struct cs_json j = {.out = stdout};
    bool timed = p->curves || p->cost > 0;
    cs_json_open(&j, NULL, '{');
    cs_json_int(&j, "items", p->items);
    real(&j, "unit_load", unit_load(p));
    timed ? real(&j, "seconds", cs_hosts_planned(p)) : cs_json_null(&j, "seconds");
    timed ? real(&j, "seconds_equal", cs_hosts_equal(p)) : cs_json_null(&j, "seconds_equal");
    real(&j, "gain", gain(p));
    cs_json_open(&j, "machines", '[');
    for (int i = 0; i < p->nhosts; i++) {
        cs_json_open(&j, NULL, '{');
        cs_json_string(&j, "name", p->host[i].name);
        real(&j, "relative", cs_host_relative(p, i));
        cs_json_open(&j, "shares", '[');
        for (long k = 0; k < p->host[i].processes; k++)
            cs_json_int(&j, NULL, p->share[p->host[i].first + k]);
        cs_json_close(&j, ']');
        cs_json_close(&j, '}');
    }
    cs_json_close(&j, ']');
    cs_json_close(&j, '}');
    cs_json_end(&j);
}

/* ---- files ---- */

/* How our files begin, by which we know them again; both readers skip such lines. */
#define HEAD "# commslice shares: "

static void put_hosts(FILE *f, const struct cs_host_plan *p)
{
    fputs(HEAD "host file, for mpiexec -f\n", f);
    for (int i = 0; i < p->nhosts; i++)
        fprintf(f, "%s:%ld\n", p->host[i].name, p->host[i].processes);
}

static void put_shares(FILE *f, const struct cs_host_plan *p)
{
    fputs(HEAD "items of each rank\n", f);
    for (int i = 0; i < p->processes; i++)
        fprintf(f, "%lld\n", (long long)p->share[i]);
}

static int write_file(const char *path, const struct cs_host_plan *p, void (*put)(FILE *, const struct cs_host_plan *))
{
    struct cs_output out;
    if (!path)
        return CS_EXIT_OK;
    if (cs_output_open(&out, path))
        return CS_EXIT_ERROR;
    put(out.f, p);
    return cs_output_close(&out, true) ? CS_EXIT_ERROR : CS_EXIT_OK;
}

static int check_file(const char *path, bool force)
{
    static const struct cs_file_kind kind = {"a file of commslice shares", HEAD, sizeof HEAD - 1};
    return path ? cs_output_check_file(path, NULL, &kind, force) : CS_EXIT_OK;
}

static int plan(struct cs_host_plan *p, const char *list, bool times, const struct files *f, bool json)
{
    int code = cs_hosts_read(p, list, times);
    if (!code)
        code = cs_hosts_share(p);
    if (!code)
        code = write_file(f->hosts, p, put_hosts);
    if (!code)
        code = write_file(f->shares, p, put_shares);
    if (!code)
        json ? print_json(p) : print_plan(p);
    cs_hosts_free(p);
    return code ? code : cs_finish_output(CS_EXIT_OK);
}

static int run(const struct cs_verb *v, int argc, char **argv)
{
    static const struct option longs[] = {{"items", required_argument, NULL, 'n'},
                                          {"item-cost", required_argument, NULL, 'c'},
                                          {"times", no_argument, NULL, 't'},
                                          {"hostfile", required_argument, NULL, 'o'},
                                          {"shares", required_argument, NULL, 's'},
                                          {"force", no_argument, NULL, 'f'},
                                          {"json", no_argument, NULL, 'j'},
                                          {"help", no_argument, NULL, 'h'},
                                          {0}};
    struct cs_host_plan p = {0};
    struct files f = {0};
    bool json = false, times = false;
    long items = 0;
    int c, code;
    while ((c = cs_getopt(v, argc, argv, ":n:h", longs, &code)) >= 0) {
        char *end = "";
        json |= c == 'j';
        times |= c == 't';
        f.force |= c == 'f';
        if (c == 'o')
            f.hosts = optarg;
        if (c == 's')
            f.shares = optarg;
        if (c == 'n' && !cs_parse_number(optarg, 1, CS_MOST_ITEMS, &items))
            return cs_usage_error(v, "--items %s is no number from 1 to 2^53", optarg);
        if (c == 'c' && (!((p.cost = strtod(optarg, &end)) > 0) || *end || p.cost > 1e12))
            return cs_usage_error(v, "--item-cost %s is no number of seconds above 0", optarg);
    }
    if (c == CS_OPT_DONE)
        return code;
    if (optind + 1 != argc)
        return cs_usage_error(v, "give one list of machines");
    if (!items)
        return cs_usage_error(v, "say how many items, with --items");
    p.items = items;
    if (f.hosts && f.shares && strcmp(f.hosts, f.shares) == 0)
        return cs_usage_error(v, "--hostfile and --shares are one file");
    code = check_file(f.hosts, f.force);
    if (!code)
        code = check_file(f.shares, f.force);
    return code ? code : plan(&p, argv[optind], times, &f, json);
}

const struct cs_verb cs_verb_shares = {
    .name = "shares",
    .summary = "say how many items of a loop each process gets",
    .run = run,
    .usage =
        "usage: commslice shares --items N [OPTIONS] MACHINES\n"
        "\n"
        "Cuts a loop of N items into one block for each process, so that machines of unequal speed finish together.\n"
        "MACHINES is a file with a line for each: its name, how many processes it gets, and the speed of one of\n"
        "them, relative to the others. In place of a speed, points SIZE:SECONDS,SIZE:SECONDS say how long one\n"
        "process takes for so many items: then speed is a function of the size.\n"
        "\n"
        "  -n, --items N         how many items\n"
        "      --item-cost T     seconds of an item on a process of speed 1, for predicted times\n"
        "      --times           the numbers are seconds of a piece of work that was the same on all\n"
        "      --hostfile FILE   write a host file for mpiexec -f FILE, in the order of the shares\n"
        "      --shares FILE     write the items of each rank, a line each\n"
        "      --force           replace a FILE that is there\n"
        "      --json            one JSON object\n"
        "\n"
        "Prints for each machine its performance relative to the slowest one, and its items; then the time with\n"
        "these shares and with equal blocks. Shares are rounded by largest remainder, and add up to N.\n",
};
