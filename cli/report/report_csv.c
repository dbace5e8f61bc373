/* SPDX-License-Identifier: BSD-3-Clause
 * The report's figures as CSV, a file for each picture or table: the rows of the list at the end.
 * Text is quoted as RFC 4180 says; times are seconds. */
#include <inttypes.h>
#include <string.h>

#include "api/mpi_calls.h"
#include "cli/frame/cli.h"
#include "cli/predict/program_graph.h"
#include "cli/report/report_files.h"
#include "cli/report/report_text.h"
#include "cli/show/slice_info.h"

static void put_text(FILE *out, const char *s)
{
    putc('"', out);
    for (; s && *s; s++)
        fputs(*s == '"' ? "\"\"" : (char[]){*s, 0}, out);
    putc('"', out);
}

static void put_sums(FILE *out, const struct cs_sums *s)
{
    fprintf(out, "%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64, s->calls, s->messages, s->bytes, s->handed);
}

static int put_pair(void *out, int source, int dest, uint64_t messages, uint64_t bytes)
{
    fprintf(out, "%d,%d,%" PRIu64 ",%" PRIu64 "\n", source, dest, messages, bytes);
    return ferror((FILE *)out);
}

static int matrix(FILE *out, const struct cs_report *r)
{
    return cs_profile_pairs(r->p, put_pair, out) && !ferror(out) ? -1 : 0;
}

static int collectives(FILE *out, const struct cs_report *r)
{
    for (int c = 0; c < cs_mpi_ncalls(); c++)
        if (cs_doing_of(c) == CS_DOING_COLLECTIVE && r->p->call[c].calls)
            fprintf(out, "%s,%" PRIu64 ",%" PRIu64 "\n", cs_mpi_call(c)->name, r->p->call[c].calls,
                    r->p->call[c].handed);
    return 0;
}

static int sizes(FILE *out, const struct cs_report *r)
{
    for (int i = 0; i < CS_SIZE_BUCKETS; i++) {
        const struct cs_size_sum *s = &r->p->size[i];
        if (s->messages || s->collectives)
            fprintf(out, "%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 "\n",
                    i ? (uint64_t)1 << (i - 1) : 0, s->messages, s->bytes, s->collectives, s->handed);
    }
    return 0;
}

static int sites(FILE *out, const struct cs_report *r)
{
    fputs(r->timed ? ",seconds\n" : "\n", out);
    for (int i = 0; i < r->nsites; i++) {
        const struct cs_report_site *s = &r->site[i];
        put_text(out, s->place.file);
        fprintf(out, ",%d,", s->place.line);
        put_text(out, s->place.func);
        fprintf(out, ",%s,%s,%d,", cs_mpi_call(s->call)->name, cs_mark_name(s->mark), s->nranks);
        put_sums(out, &s->sums);
        if (r->timed)
            fprintf(out, ",%.9f", s->ns * 1e-9);
        putc('\n', out);
    }
    return 0;
}

static void nest_nodes(FILE *out, const struct cs_report *r, int64_t from, int64_t to, int depth)
{
    const struct cs_merged *m = r->m;
    char place[300];
    for (int64_t i = from; i < to && !ferror(out); i++) {
        const struct cs_nest_node *n = &m->node[i];
        const struct cs_merged_symbol *l = n->count ? NULL : &m->symbol[n->value];
        fprintf(out, "%d,%" PRId64 ",%s,", depth, n->count, l ? cs_mpi_call(l->call)->name : "loop");
        int site = l && l->nparts ? m->record[l->part[0].record].site : -1;
        struct cs_source_location p = cs_locations_find(r->places, site >= 0 ? &m->site[site] : NULL);
        put_text(out, site >= 0 ? cs_location_text(&p, place, sizeof place) : "");
        putc(',', out);
        put_sums(out, &r->node[i].sums);
        if (r->timed)
            fprintf(out, ",%.9f,%.9f", r->node[i].busy * 1e-9, r->node[i].outside * 1e-9);
        putc('\n', out);
        if (n->count)
            nest_nodes(out, r, i + 1, i + 1 + n->value, depth + 1);
        i += n->count ? n->value : 0;
    }
}

static int nest(FILE *out, const struct cs_report *r)
{
    fputs(r->timed ? ",mpi_s,outside_s\n" : "\n", out);
    nest_nodes(out, r, 0, r->m->nnodes, 0);
    return 0;
}

static int ranks(FILE *out, const struct cs_report *r)
{
    fputs(r->time ? ",mpi_s,outside_s,lost_s\n" : "\n", out);
    for (int i = 0; i < r->m->info.nranks; i++) {
        const struct cs_rank_sums *s = &r->p->rank[i];
        fprintf(out, "%d,%d,", i, r->m->class_of[i]);
        put_sums(out, &s->sent);
        fprintf(out, ",%" PRIu64 ",%" PRIu64, s->messages_in, s->bytes_in);
        if (r->time)
            fprintf(out, ",%.9f,%.9f,%.9f", r->time->rank[i].busy * 1e-9, r->time->rank[i].outside * 1e-9,
                    r->time->rank[i].delayed * 1e-9);
        putc('\n', out);
    }
    return 0;
}

static int phases(FILE *out, const struct cs_report *r)
{
    fprintf(out, "%s,point_to_point,wait,collective,other,bytes,handed_in%s\n", r->timed ? "time" : "calls",
            r->timed ? ",point_to_point_s,wait_s,collective_s,other_s,outside_s" : "");
    for (int i = 0; i < CS_REPORT_PHASES; i++) {
        const struct cs_run_phase *p = &r->phase[i];
        fprintf(out, "%.6f", (double)i / CS_REPORT_PHASES);
        for (int k = 0; k < CS_DOING_OUTSIDE; k++)
            fprintf(out, ",%.1f", p->calls[k]);
        fprintf(out, ",%.1f,%.1f", p->bytes, p->handed);
        for (int k = 0; k < CS_DOING_DELAYED && r->timed; k++)
            fprintf(out, ",%.9f", p->ns[k] * 1e-9);
        putc('\n', out);
    }
    return 0;
}

static int timeline(FILE *out, const struct cs_report *r)
{
    const struct cs_timeline *l = r->time;
    for (int i = 0; i < l->nbins; i++) {
        fprintf(out, "%.9f,%.9f", i * l->width * 1e-9, (i + 1) * l->width * 1e-9);
        for (int k = 0; k < CS_DOING_COUNT; k++)
            fprintf(out, ",%.9f", l->bin[i][k] * 1e-9);
        putc('\n', out);
    }
    return 0;
}

/* The picture of ranks over time: blocks of ranks, each bin. */
static int timeline_ranks(FILE *out, const struct cs_report *r)
{
    const struct cs_timeline *l = r->time;
    for (int row = 0; row < l->nrows; row++)
        for (int i = 0; i < l->nbins; i++) {
            int last = (row + 1) * l->per_row < l->nranks ? (row + 1) * l->per_row - 1 : l->nranks - 1,
                at = row * CS_TIMELINE_BINS + i;
            fprintf(out, "%d,%d,%.9f,%.9f,%.9f,%.9f\n", row * l->per_row, last, i * l->width * 1e-9,
                    (i + 1) * l->width * 1e-9, l->in_mpi[at] * 1e-9, l->seen[at] * 1e-9);
        }
    return 0;
}

static int predicted(FILE *out, const struct cs_report *r)
{
    const struct cs_prediction *p = r->predicted;
    for (int i = 0; i < p->nparts; i++) {
        put_text(out, p->part[i].name);
        fprintf(out, ",%s,%.9g,%.6g\n", p->part[i].in_calls ? "calls" : "computation", p->part[i].seconds,
                p->part[i].outside);
    }
    return 0;
}

static int predicted_ranks(FILE *out, const struct cs_report *r)
{
    for (int i = 0; i < r->predicted->ranks; i++)
        fprintf(out, "%d,%.9g,%.9g\n", i, r->predicted->rank[i].computed, r->predicted->rank[i].in_calls);
    return 0;
}

static int program_graph(FILE *out, const struct cs_report *r)
{
    fputs(r->graph + strlen(CS_PROGRAM_GRAPH_BEGINS), out);
    return 0;
}

static int program_svg(FILE *out, const struct cs_report *r)
{
    fputs(r->svg, out);
    return 0;
}

static bool has_prediction(const struct cs_report *r)
{
    return r->predicted != NULL;
}

static bool has_svg(const struct cs_report *r)
{
    return r->svg != NULL;
}

static bool has_times(const struct cs_report *r)
{
    return r->time != NULL;
}

const struct cs_report_file cs_report_csv[] = {
    {"matrix.csv", "source,dest,messages,bytes\n", matrix, NULL},
    {"collectives.csv", "call,calls,handed_in\n", collectives, NULL},
    {"sizes.csv", "from_bytes,messages,bytes,collective_calls,handed_in\n", sizes, NULL},
    {"sites.csv", "file,line,func,call,mark,ranks,calls,messages,bytes,handed_in", sites, NULL},
    {"nest.csv", "depth,times,what,place,calls,messages,bytes,handed_in", nest, NULL},
    {"ranks.csv", "rank,class,calls,messages,bytes,handed_in,messages_in,bytes_in", ranks, NULL},
    {"phases.csv", "from_share_of_", phases, NULL},
    {"timeline.csv", "from_s,to_s,point_to_point_s,wait_s,collective_s,other_s,outside_s,lost_s\n", timeline,
     has_times},
    {"timeline-ranks.csv", "first_rank,last_rank,from_s,to_s,mpi_s,known_s\n", timeline_ranks, has_times},
    {"predicted.csv", "part,what,mean_s,outside\n", predicted, has_prediction},
    {"predicted-ranks.csv", "rank,computation_s,in_calls_s\n", predicted_ranks, has_prediction},
    {"program.dot", CS_PROGRAM_GRAPH_BEGINS, program_graph, has_prediction},
    {"program.svg", "<!-- The picture of a program, by commslice -->\n", program_svg, has_svg},
    {0},
};
