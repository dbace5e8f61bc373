/* SPDX-License-Identifier: BSD-3-Clause
 * The report's figures as one JSON object, for scripts.
 * Pairs of ranks are not in it, as there can be very many: commslice matrix --json, or --pictures, has them. */
#include <string.h>

#include "api/mpi_calls.h"
#include "cli/frame/cli.h"
#include "cli/frame/json.h"
#include "cli/report/report_sections.h"
#include "cli/show/slice_info.h"

static const char *const doing[CS_DOING_COUNT] = {"point_to_point", "wait", "collective", "other", "outside", "lost"};

static void put_sums(struct cs_json *j, const struct cs_sums *s)
{
    cs_json_int(j, "calls", (int64_t)s->calls);
    cs_json_int(j, "messages", (int64_t)s->messages);
    cs_json_int(j, "bytes", (int64_t)s->bytes);
    cs_json_int(j, "handed_in", (int64_t)s->handed);
}

static void put_sites(struct cs_json *j, const struct cs_report *r)
{
    cs_json_open(j, "sites", '[');
    for (int i = 0; i < r->nsites; i++) {
        const struct cs_report_site *s = &r->site[i];
        cs_json_open(j, NULL, '{');
        cs_json_string(j, "file", s->place.file);
        cs_json_int(j, "line", s->place.line);
        cs_json_string(j, "func", s->place.func);
        cs_json_string(j, "call", cs_mpi_call(s->call)->name);
        cs_json_string(j, "mark", cs_mark_name(s->mark));
        cs_json_int(j, "ranks", s->nranks);
        put_sums(j, &s->sums);
        if (r->timed)
            cs_json_int(j, "ns", (int64_t)s->ns);
        cs_json_close(j, '}');
    }
    cs_json_close(j, ']');
}

static void put_sizes(struct cs_json *j, const struct cs_report *r)
{
    cs_json_open(j, "sizes", '[');
    for (int i = 0; i < CS_SIZE_BUCKETS; i++) {
        const struct cs_size_sum *s = &r->p->size[i];
        if (!s->messages && !s->collectives)
            continue;
        cs_json_open(j, NULL, '{');
        cs_json_int(j, "from", i > 63 ? INT64_MAX : i ? (int64_t)1 << (i - 1) : 0);
        cs_json_int(j, "messages", (int64_t)s->messages);
        cs_json_int(j, "bytes", (int64_t)s->bytes);
        cs_json_int(j, "collective_calls", (int64_t)s->collectives);
        cs_json_int(j, "handed_in", (int64_t)s->handed);
        cs_json_close(j, '}');
    }
    cs_json_close(j, ']');
}

static void put_ranks(struct cs_json *j, const struct cs_report *r)
{
    cs_json_open(j, "ranks", '[');
    for (int i = 0; i < r->m->info.nranks; i++) {
        const struct cs_rank_sums *s = &r->p->rank[i];
        cs_json_open(j, NULL, '{');
        cs_json_int(j, "rank", i);
        cs_json_int(j, "class", r->m->class_of[i]);
        put_sums(j, &s->sent);
        cs_json_int(j, "messages_in", (int64_t)s->messages_in);
        cs_json_int(j, "bytes_in", (int64_t)s->bytes_in);
        if (r->time) {
            cs_json_int(j, "mpi_ns", (int64_t)r->time->rank[i].busy);
            cs_json_int(j, "outside_ns", (int64_t)r->time->rank[i].outside);
            cs_json_int(j, "lost_ns", (int64_t)r->time->rank[i].delayed);
        }
        cs_json_close(j, '}');
    }
    cs_json_close(j, ']');
}

static void put_phases(struct cs_json *j, const struct cs_report *r)
{
    cs_json_string(j, "phases_over", r->timed ? "time" : "calls");
    cs_json_open(j, "phases", '[');
    for (int i = 0; i < CS_REPORT_PHASES; i++) {
        const struct cs_run_phase *p = &r->phase[i];
        cs_json_open(j, NULL, '{');
        for (int k = 0; k < CS_DOING_OUTSIDE; k++)
            cs_json_int(j, doing[k], (int64_t)(p->calls[k] + 0.5));
        cs_json_int(j, "bytes", (int64_t)(p->bytes + 0.5));
        cs_json_int(j, "handed_in", (int64_t)(p->handed + 0.5));
        for (int k = 0; k < CS_DOING_DELAYED && r->timed; k++) {
            char key[32];
            snprintf(key, sizeof key, "%s_ns", doing[k]);
            cs_json_int(j, key, (int64_t)(p->ns[k] + 0.5));
        }
        cs_json_close(j, '}');
    }
    cs_json_close(j, ']');
}

void cs_report_json(FILE *out, const struct cs_report *r)
{
    struct cs_json j = {.out = out};
    char words[160];
    cs_json_open(&j, NULL, '{');
    cs_json_string(&j, "program", r->m->info.program);
    cs_json_int(&j, "nranks", r->m->info.nranks);
    cs_json_int(&j, "incomplete_ranks", r->incomplete);
    cs_json_int(&j, "classes", r->m->nclasses);
    put_sums(&j, &r->p->all);
    cs_json_int(&j, "unknown_destinations", (int64_t)r->p->unknown_dest);
    cs_json_int(&j, "pairs", (int64_t)r->matrix.pairs);
    cs_json_string(&j, "pattern", r->fit ? cs_traffic_pattern_words(r->fit, words, sizeof words) : NULL);
    cs_json_bool(&j, "pattern_explains_all",
                 r->fit && (r->fit->pairs == r->pattern->pairs || r->fit->kind == CS_TRAFFIC_ALL));
    if (r->timed) {
        cs_json_int(&j, "mpi_ns", (int64_t)r->busy);
        cs_json_int(&j, "outside_ns", (int64_t)r->outside);
    }
    put_sites(&j, r);
    put_sizes(&j, r);
    put_ranks(&j, r);
    put_phases(&j, r);
    cs_report_json_prediction(&j, r);
    cs_json_close(&j, '}');
    cs_json_end(&j);
}
