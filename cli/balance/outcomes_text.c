/* SPDX-License-Identifier: BSD-3-Clause
 * Prints what a loop takes by each technique, as a table with a recommendation and as JSON: outcomes.h. */
#include <stdio.h>

#include "cli/balance/outcomes.h"
#include "cli/frame/json.h"

static double over(double seconds, double than)
{
    return than > 0 ? seconds / than - 1 : 0;
}

/* Do the workers have one speed? */
static bool alike(const struct cs_simulation *s)
{
    for (int i = 1; i < s->workers; i++)
        if (s->speed[i] != s->speed[0])
            return false;
    return true;
}

static const struct cs_outcome *find(const struct cs_outcomes *o, const char *name)
{
    for (int i = 0; i < o->n; i++)
        if (o->of[i].technique == cs_technique_find(name))
            return &o->of[i];
    return NULL;
}

static void print_advice(const struct cs_outcomes *o)
{
    const struct cs_outcome *take = cs_outcome_best(o), *unknown = cs_outcome_best_unknown(o);
    const struct cs_outcome *blocks = find(o, "static"), *again = find(o, "vrp-dynamic");
    printf("\ntake %s (%s): %.4g s, %.1f %% over the ideal; of all within 1 %% of the fastest it has fewest messages\n",
           take->technique->name, take->technique->title, take->is.seconds, 100 * over(take->is.seconds, o->ideal));
    if (again && again->is.seconds < take->is.seconds)
        printf("where the loop comes again and again: %s, %.4g s, %.1f %% less, without messages\n",
               again->technique->name, again->is.seconds, 100 * (1 - again->is.seconds / take->is.seconds));
    if (unknown && (take->technique->flags & CS_NEED_SPEEDS) && !alike(o->simulation))
        printf("where speeds are not known: %s, %.4g s, %.1f %% more\n", unknown->technique->name, unknown->is.seconds,
               100 * over(unknown->is.seconds, take->is.seconds));
    if (blocks && blocks != take)
        printf("static takes %.1f %% more: %s\n", 100 * over(blocks->is.seconds, take->is.seconds),
               cs_outcome_imbalance(blocks) < 1.01 ? "messages do not explain it"
               : alike(o->simulation)              ? "equal blocks do not cost the same"
                                                   : "equal blocks on unequal workers");
}

void cs_outcomes_print(const struct cs_outcomes *o)
{
    printf("ideal: %.4g s, work over summed speed, or the longest item on the fastest worker\n", o->ideal);
    puts("technique         time  over ideal  imbalance      chunks    messages");
    for (int i = 0; i < o->n; i++) {
        const struct cs_outcome *t = &o->of[i];
        printf("%-12s %7.4g s  %8.1f %%  %9.3f  %10lld  %10lld\n", t->technique->name, t->is.seconds,
               100 * over(t->is.seconds, o->ideal), cs_outcome_imbalance(t), (long long)t->is.chunks,
               (long long)t->is.messages);
    }
    print_advice(o);
}

void cs_outcomes_json(const struct cs_outcomes *o)
{
    struct cs_json j = {.out = stdout};
    const struct cs_outcome *unknown = cs_outcome_best_unknown(o);
    cs_json_open(&j, NULL, '{');
    cs_json_int(&j, "items", o->simulation->items);
    cs_json_int(&j, "workers", o->simulation->workers);
    cs_json_real(&j, "ideal", o->ideal);
    cs_json_open(&j, "techniques", '[');
    for (int i = 0; i < o->n; i++) {
        cs_json_open(&j, NULL, '{');
        cs_json_string(&j, "technique", o->of[i].technique->name);
        cs_json_real(&j, "seconds", o->of[i].is.seconds);
        cs_json_real(&j, "imbalance", cs_outcome_imbalance(&o->of[i]));
        cs_json_int(&j, "chunks", o->of[i].is.chunks);
        cs_json_int(&j, "messages", o->of[i].is.messages);
        cs_json_close(&j, '}');
    }
    cs_json_close(&j, ']');
    cs_json_string(&j, "take", cs_outcome_best(o)->technique->name);
    cs_json_string(&j, "take_without_speeds", unknown ? unknown->technique->name : NULL);
    cs_json_close(&j, '}');
    cs_json_end(&j);
}
