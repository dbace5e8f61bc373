/* SPDX-License-Identifier: BSD-3-Clause
 * Writes a model file: a line each thing, fields between tabs. */
#include "predict/model/model_file.h"

static void put_text(FILE *f, const char *s)
{
    putc('\t', f);
    for (; *s; s++)
        switch (*s) {
        case '\t': fputs("\\t", f); break;
        case '\n': fputs("\\n", f); break;
        case '\\': fputs("\\\\", f); break;
        default: putc(*s, f);
        }
}

static void put_row(const struct cs_observed_row *r, FILE *f)
{
    fprintf(f, "row\t%d\t%d\t%.17g\t%.17g\t%.17g", r->run, r->rank, r->times, r->ns, r->first);
    for (int i = 0; i < r->ncounts; i++)
        fprintf(f, "\t%d=%.17g", r->count[i].counter, r->count[i].mean);
    putc('\n', f);
}

static void put_variation(const struct cs_variation *v, FILE *f)
{
    fprintf(f, "varies\t%d\t%.17g\t%.17g\t%.17g", v->run, v->pieces, v->ns, v->correlation);
    for (int i = 0; i < CS_VARIATION_CELLS; i++)
        fprintf(f, "\t%.17g", v->cell[i]);
    putc('\n', f);
}

void cs_model_write(const struct cs_observations *o, FILE *f)
{
    fputs(CS_MODEL_MAGIC, f);
    fprintf(f, "method\t%s\n", cs_method_name(o->method));
    for (int i = 0; i < o->ncaches; i++)
        fprintf(f, "cache\t%.17g\n", o->cache[i]);
    for (int i = 0; i < o->nruns; i++) {
        fprintf(f, "run\t%d\t%d", o->run[i].nranks, o->run[i].with_times);
        put_text(f, o->run[i].name);
        putc('\n', f);
    }
    for (int i = 0; i < o->nruns; i++)
        if (o->run[i].whole > 0 || o->run[i].size > 0)
            fprintf(f, "whole\t%d\t%.17g\t%.17g\n", i, o->run[i].whole, o->run[i].size);
    for (int i = 0; i < o->nsites; i++) {
        fprintf(f, "site\t%d", o->site[i].line);
        put_text(f, o->site[i].file);
        put_text(f, o->site[i].func);
        putc('\n', f);
    }
    for (int i = 0; i < o->ncounters; i++) {
        const struct cs_observed_counter *c = &o->counter[i];
        fprintf(f, "%s\t%d\t%d\t%d", c->kind == CS_COUNTER_LOOP ? "loop" : "branch", c->line, c->ordinal, c->counted);
        put_text(f, c->file);
        put_text(f, c->func);
        putc('\n', f);
    }
    for (int i = 0; i < o->nsegments; i++) {
        fprintf(f, "segment\t%d\t%d\n", o->segment[i].from, o->segment[i].to);
        for (int k = 0; k < o->segment[i].nrows; k++)
            put_row(&o->segment[i].row[k], f);
        for (int k = 0; k < o->segment[i].nvaried; k++)
            put_variation(&o->segment[i].varied[k], f);
    }
    fputs("end\n", f);
}
