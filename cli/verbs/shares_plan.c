/* SPDX-License-Identifier: BSD-3-Clause
 * commslice shares: how many items of a loop each process gets, from the speeds or models of machines, so that all
 * finish together; with a host file for mpiexec. */
#include <stdlib.h>
#include <string.h>

#include "balance/techniques/technique.h"
#include "cli/balance/model_shares.h"
#include "cli/balance/shares_text.h"
#include "cli/frame/cli.h"
#include "cli/frame/output.h"
#include "predict/network/network_measured.h"

/* The files that the verb may make. */
struct files {
    const char *hosts, *shares;
    bool force;
};

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

/* What is asked beside the list. */
struct asked {
    enum cs_host_numbers numbers;
    const char *network;
    bool json;
    char *const *trace;
    int ntraces;
};

static int cut(struct cs_host_plan *p, const char *list, const struct asked *a)
{
    char why[512];
    struct cs_network network = cs_network_usual;
    if (a->network && cs_network_read(a->network, &network, why, sizeof why))
        return cs_error("--network %s: %s", a->network, why);
    int code = cs_hosts_read(p, list, a->numbers);
    if (!code && a->ntraces)
        code = cs_hosts_by_models(p, a->trace, a->ntraces, &network);
    if (!code)
        code = cs_hosts_share(p);
    return code ? code : cs_hosts_fit(p);
}

static int plan(struct cs_host_plan *p, const char *list, const struct files *f, const struct asked *a)
{
    struct cs_enough e;
    int code = cut(p, list, a);
    if (!code && cs_hosts_enough(p, &e))
        code = cs_error("not enough memory");
    if (!code)
        code = write_file(f->hosts, p, put_hosts);
    if (!code)
        code = write_file(f->shares, p, put_shares);
    if (!code)
        a->json ? cs_shares_json(p, &e) : cs_shares_print(p, &e);
    cs_hosts_free(p);
    return code ? code : cs_finish_output(CS_EXIT_OK);
}

/* A number above 0. */
static bool read_real(const char *text, double *v)
{
    char *end;
    *v = strtod(text, &end);
    return end != text && !*end && *v > 0 && *v <= 1e12;
}

/* What may not stand together. 0, or an exit code after a message. */
static int check(const struct cs_verb *v, const struct cs_host_plan *p, const struct files *f, const struct asked *a)
{
    if (!p->items)
        return cs_usage_error(v, "say how many items, with --items");
    if (f->hosts && f->shares && strcmp(f->hosts, f->shares) == 0)
        return cs_usage_error(v, "--hostfile and --shares are one file");
    if (a->ntraces && (a->numbers == CS_HOST_TIMES || p->cost > 0))
        return cs_usage_error(v, "with traces, models say how long items take: no --times, and no --item-cost");
    if (!a->ntraces && a->network)
        return cs_usage_error(v, "--network goes with traces of the slice");
    int code = check_file(f->hosts, f->force);
    return code ? code : check_file(f->shares, f->force);
}

/* One option. 0, or an exit code after a message. */
static int take_option(const struct cs_verb *v, int c, struct cs_host_plan *p, struct files *f, struct asked *a)
{
    long items;
    switch (c) {
    case 'j': a->json = true; break;
    case 't': a->numbers = CS_HOST_TIMES; break;
    case 'f': f->force = true; break;
    case 'S': p->fixed = true; break;
    case 'o': f->hosts = optarg; break;
    case 's': f->shares = optarg; break;
    case 'N': a->network = optarg; break;
    case 'n':
        if (!cs_parse_number(optarg, 1, CS_MOST_ITEMS, &items))
            return cs_usage_error(v, "--items %s is no number from 1 to 2^53", optarg);
        p->items = items;
        break;
    case 'c':
        if (!read_real(optarg, &p->cost))
            return cs_usage_error(v, "--item-cost %s is no number of seconds above 0", optarg);
        break;
    case 'm':
        if (!read_real(optarg, &p->item_memory))
            return cs_usage_error(v, "--item-memory %s is no number of bytes above 0", optarg);
        break;
    }
    return CS_EXIT_OK;
}

static int run(const struct cs_verb *v, int argc, char **argv)
{
    static const struct option longs[] = {{"items", required_argument, NULL, 'n'},
                                          {"item-cost", required_argument, NULL, 'c'},
                                          {"item-memory", required_argument, NULL, 'm'},
                                          {"times", no_argument, NULL, 't'},
                                          {"static", no_argument, NULL, 'S'},
                                          {"network", required_argument, NULL, 'N'},
                                          {"hostfile", required_argument, NULL, 'o'},
                                          {"shares", required_argument, NULL, 's'},
                                          {"describe-machine", no_argument, NULL, 'd'},
                                          {"force", no_argument, NULL, 'f'},
                                          {"json", no_argument, NULL, 'j'},
                                          {"help", no_argument, NULL, 'h'},
                                          {0}};
    struct cs_host_plan p = {0};
    struct files f = {0};
    struct asked a = {0};
    bool describe = false;
    int c, code = CS_EXIT_OK, refused = CS_EXIT_OK;
    while (!refused && (c = cs_getopt(v, argc, argv, ":n:h", longs, &code)) >= 0) {
        describe |= c == 'd';
        refused = take_option(v, c, &p, &f, &a);
    }
    if (refused || c == CS_OPT_DONE)
        return refused ? refused : code;
    if (describe && optind == argc) {
        cs_machine_print();
        return cs_finish_output(CS_EXIT_OK);
    }
    if (describe || optind == argc)
        return cs_usage_error(v, describe ? "--describe-machine stands alone" : "give a list of machines");
    a.trace = argv + optind + 1;
    if ((a.ntraces = argc - optind - 1) > 0 && a.numbers == CS_HOST_SPEEDS)
        a.numbers = CS_HOST_MODELS;
    code = check(v, &p, &f, &a);
    return code ? code : plan(&p, argv[optind], &f, &a);
}

const struct cs_verb cs_verb_shares = {
    .name = "shares",
    .summary = "say how many items of a loop each process gets",
    .run = run,
    .usage =
        "usage: commslice shares --items N [OPTIONS] MACHINES [TRACE...]\n"
        "       commslice shares --describe-machine\n"
        "\n"
        "Cuts a loop of N items into one block for each process, so that machines of unequal speed finish together.\n"
        "MACHINES is a file with a line for each: its name, how many processes it gets, the speed of one of them,\n"
        "relative to the others, and maybe a file that describes it. In place of a speed, points\n"
        "SIZE:SECONDS,SIZE:SECONDS say how long one process takes for so many items: then speed is a function of\n"
        "the size. With traces of the slice, a model of commslice fit, one for each type of machine, stands there:\n"
        "the traces are of the problem with N items in equal blocks, on several numbers of ranks.\n"
        "\n"
        "  -n, --items N         how many items\n"
        "      --item-cost T     seconds of an item on a process of speed 1, for predicted times\n"
        "      --item-memory B   bytes that a process needs for each of its items; refused is what does not fit\n"
        "      --times           the numbers are seconds of a piece of work that was the same on all\n"
        "      --static          speeds are those at equal blocks, not a function of the size\n"
        "      --network NUMBERS with traces: the network, as of commslice predict\n"
        "      --hostfile FILE   write a host file for mpiexec -f FILE, in the order of the shares\n"
        "      --shares FILE     write the items of each rank, a line each\n"
        "      --describe-machine  print what this machine is, for the file that describes it\n"
        "      --force           replace a FILE that is there\n"
        "      --json            one JSON object\n"
        "\n"
        "Prints for each machine its performance relative to the slowest one, and its items; then the time with\n"
        "these shares and with equal blocks, and, with traces, how many processes are enough. Shares are rounded by\n"
        "largest remainder, and add up to N.\n",
};
