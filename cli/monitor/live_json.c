/* SPDX-License-Identifier: BSD-3-Clause
 * A look at a run as one line of JSON. What is not known is null. */
#include "cli/monitor/live_text.h"

#include <math.h>
#include <stdlib.h>
#include <unistd.h>

#include "api/mpi_calls.h"
#include "balance/techniques/technique.h"
#include "cli/frame/json.h"
#include "cli/monitor/live_find.h"

static void real_if(struct cs_json *j, const char *key, bool known, double v)
{
    cs_json_real(j, key, known ? v : NAN);
}

static void write_waits(struct cs_json *j, const struct cs_rank_view *r)
{
    bool in_call = r->calls.state == CS_LIVE_IN_CALL;
    if (in_call && r->waits_for >= 0)
        cs_json_int(j, "waits_for", r->waits_for);
    else if (in_call && r->calls.waits == CS_LIVE_FOR_ANY)
        cs_json_string(j, "waits_for", "any");
    else if (in_call && r->calls.waits == CS_LIVE_FOR_ALL)
        cs_json_string(j, "waits_for", "all");
    else
        cs_json_null(j, "waits_for");
}

static void write_calls(struct cs_json *j, const struct cs_live_view *v, const struct cs_rank_view *r)
{
    const struct cs_mpi_call *c = r->calls.state == CS_LIVE_IN_CALL ? cs_mpi_call(r->calls.call) : NULL;
    double since = cs_live_seconds(v, r->calls.since);
    cs_json_string(j, "call", c ? c->name : NULL);
    write_waits(j, r);
    real_if(j, "since", r->calls.pid && since >= 0, since);
    cs_json_int(j, "events", r->calls.events);
    real_if(j, "in_mpi", r->mpi_share >= 0, r->mpi_share);
}

static void write_items(struct cs_json *j, const struct cs_rank_view *r)
{
    if (!r->loop.loop)
        return;
    cs_json_int(j, "loop", r->loop.loop);
    cs_json_int(j, "done", r->loop.done);
    cs_json_int(j, "at_work", r->loop.at_work);
    if (r->loop.block >= 0)
        cs_json_int(j, "block", r->loop.block);
    cs_json_int(j, "chunks", r->loop.chunks);
    real_if(j, "rate", r->rate > 0, r->rate);
    cs_json_int(j, "plan", r->loop.plan);
}

static void write_rank(struct cs_json *j, const struct cs_live_view *v, int i, const struct cs_live_progress *p)
{
    static const char *const word[CS_AT_STATES] = {"elsewhere", "computes", "in call", "stopped", "ended", "dead"};
    const struct cs_rank_view *r = &v->rank[i];
    char segment[256];
    cs_json_open(j, NULL, '{');
    cs_json_int(j, "rank", i);
    cs_json_int(j, "pid", r->calls.pid ? r->calls.pid : r->loop.pid);
    cs_json_string(j, "state", word[r->at]);
    write_calls(j, v, r);
    write_items(j, r);
    if (p) {
        cs_json_real(j, "progress", cs_live_progress_of(p, i, r->calls.events + 1));
        cs_live_progress_segment(p, i, r->calls.events + 1, segment);
        cs_json_string(j, "segment", *segment ? segment : NULL);
    }
    cs_json_close(j, '}');
}

static void write_end(struct cs_json *j, const struct cs_live_end *e)
{
    if (!e->known) {
        cs_json_null(j, "end");
        return;
    }
    cs_json_open(j, "end", '{');
    cs_json_real(j, "seconds", e->seconds);
    cs_json_real(j, "least", e->least);
    cs_json_real(j, "most", e->most);
    cs_json_int(j, "by_others", e->by_others);
    cs_json_close(j, '}');
}

static void write_loop(struct cs_json *j, const struct cs_live_view *v)
{
    const struct cs_technique *t =
        v->technique >= 0 && v->technique < cs_ntechniques ? &cs_techniques[v->technique] : NULL;
    if (!v->loop) {
        cs_json_null(j, "loop");
        return;
    }
    cs_json_open(j, "loop", '{');
    cs_json_int(j, "number", v->loop);
    cs_json_string(j, "technique", t ? t->name : NULL);
    cs_json_int(j, "items", v->items);
    cs_json_int(j, "done", v->done);
    real_if(j, "rate", v->rate > 0, v->rate);
    write_end(j, &v->end);
    cs_json_close(j, '}');
}

static void write_plan(struct cs_json *j, const struct cs_live_view *v)
{
    if (!v->offer) {
        cs_json_null(j, "worth");
        return;
    }
    cs_json_open(j, "worth", '{');
    cs_json_int(j, "rank", v->plan.worker);
    cs_json_real(j, "off", v->plan.off);
    cs_json_real(j, "before", v->plan.before);
    cs_json_real(j, "after", v->plan.after);
    cs_json_close(j, '}');
}

static void write_run(struct cs_json *j, const struct cs_live_progress *p)
{
    cs_json_open(j, "run_by", '{');
    cs_json_string(j, "what", p->by_model ? "model" : "trace");
    cs_json_real(j, "progress", p->share);
    cs_json_real(j, "pace", p->pace);
    write_end(j, &p->end);
    cs_json_close(j, '}');
}

void cs_live_json(const struct cs_live_run *l, const struct cs_live_view *v, const struct cs_live_beside *b)
{
    struct cs_json j = {.out = stdout};
    char name[256];
    double load = 0;
    getloadavg(&load, 1);
    cs_json_open(&j, NULL, '{');
    cs_json_string(&j, "run", cs_live_run_name(l, name));
    cs_json_string(&j, "program", l->head->program);
    cs_json_real(&j, "seconds", cs_live_seconds(v, l->head->began));
    cs_json_int(&j, "ranks", v->nranks);
    cs_json_int(&j, "here", v->here);
    cs_json_real(&j, "load", load);
    cs_json_int(&j, "processors", sysconf(_SC_NPROCESSORS_ONLN));
    cs_json_open(&j, "rank", '[');
    for (int i = 0; i < v->nranks; i++)
        write_rank(&j, v, i, b->progress);
    cs_json_close(&j, ']');
    cs_json_open(&j, "chain", '[');
    for (int i = 0; i < v->nchain; i++)
        cs_json_int(&j, NULL, v->chain[i]);
    cs_json_close(&j, ']');
    cs_json_bool(&j, "circle", v->circle);
    write_loop(&j, v);
    write_plan(&j, v);
    cs_json_int(&j, "plan", b->offered);
    if (b->progress)
        write_run(&j, b->progress);
    cs_json_close(&j, '}');
    cs_json_end(&j);
}
