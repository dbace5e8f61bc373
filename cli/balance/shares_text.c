/* SPDX-License-Identifier: BSD-3-Clause
 * A plan of shares as a table and as JSON: shares_text.h. */
#include "cli/balance/shares_text.h"

#include <stdio.h>

#include "cli/frame/json.h"
#include "cli/frame/text.h"

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

/* Where more processes make it no faster. */
static void print_enough(const struct cs_enough *e)
{
    if (e->next_seconds > 0)
        printf("enough: %ld processes, %.4g s; with one more it takes %.4g s\n", e->processes, e->seconds,
               e->next_seconds);
    else
        printf("enough: not reached, more processes still pay at %ld\n", e->most);
}

void cs_shares_print(const struct cs_host_plan *p, const struct cs_enough *e)
{
    bool timed = p->curves || p->cost > 0;
    puts("processes  relative  items of each  items of all  machine");
    for (int i = 0; i < p->nhosts; i++)
        print_host(p, i);
    printf("\nunit load: %.6g items for each unit of relative performance\n", unit_load(p));
    if (timed)
        printf("predicted: %.4g s; with equal blocks %.4g s; ", cs_hosts_planned(p), cs_hosts_equal(p));
    printf("gain %.1f %%\n", gain(p));
    if (p->ncommunication) {
        printf("of that %.4g s are communication on %d ranks\n", cs_hosts_communication(p, p->processes), p->processes);
        print_enough(e);
    }
}

static void put_enough(struct cs_json *j, const struct cs_host_plan *p, const struct cs_enough *e)
{
    cs_json_real(j, "communication", cs_hosts_communication(p, p->processes));
    e->next_seconds > 0 ? cs_json_int(j, "enough", e->processes) : cs_json_null(j, "enough");
    cs_json_int(j, "enough_of", e->most);
    cs_json_real(j, "enough_seconds", e->seconds);
}

void cs_shares_json(const struct cs_host_plan *p, const struct cs_enough *e)
{
    struct cs_json j = {.out = stdout};
    bool timed = p->curves || p->cost > 0;
    cs_json_open(&j, NULL, '{');
    cs_json_int(&j, "items", p->items);
    cs_json_real(&j, "unit_load", unit_load(p));
    timed ? cs_json_real(&j, "seconds", cs_hosts_planned(p)) : cs_json_null(&j, "seconds");
    timed ? cs_json_real(&j, "seconds_equal", cs_hosts_equal(p)) : cs_json_null(&j, "seconds_equal");
    cs_json_real(&j, "gain", gain(p));
    if (p->ncommunication)
        put_enough(&j, p, e);
    cs_json_open(&j, "machines", '[');
    for (int i = 0; i < p->nhosts; i++) {
        cs_json_open(&j, NULL, '{');
        cs_json_string(&j, "name", p->host[i].name);
        cs_json_real(&j, "relative", cs_host_relative(p, i));
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
