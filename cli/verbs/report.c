/* SPDX-License-Identifier: BSD-3-Clause
 * commslice report: a run as one page that opens from disk, its pictures as PNG and CSV, its figures as JSON.
 * See cli/report/report.h. */
#define _GNU_SOURCE 1
#include <string.h>

#include "cli/frame/cli.h"
#include "cli/frame/output.h"
#include "cli/predict/prediction.h"
#include "cli/report/report.h"
#include "cli/verbs/run_slice.h"
#include "predict/network/network_measured.h"

/* What the user asked for; what is not wanted is NULL. */
struct options {
    const char *out, *pictures, *model, *network, *sizes;
    char **other; /* traces that give the prediction formulas */
    int nothers;
    bool json, partial, force;
};

/* The report with a prediction, if there is a model. NULL after a message. */
static struct cs_report *make(const char *path, const struct options *o)
{
    char why[512];
    struct cs_network n = cs_network_usual;
    struct cs_prediction_way way = {.model = o->model, .network = &n, .of_rank = -1};
    if (o->network && cs_network_read(o->network, &n, why, sizeof why)) {
        cs_error("--network: %s", why);
        return NULL;
    }
    struct cs_numbers sizes = {0};
    struct cs_report_way w = {.way = &way, .other = o->other, .nothers = o->nothers};
    if (o->sizes && cs_numbers_parse("--sizes", o->sizes, &sizes))
        return NULL;
    if (o->sizes && sizes.n != o->nothers + 1) {
        cs_error("--sizes %s: %d sizes for %d traces", o->sizes, sizes.n, o->nothers + 1);
        return NULL;
    }
    w.size = o->sizes ? sizes.v : NULL;
    return cs_report_make(path, o->partial, o->model ? &w : NULL);
}

static int write_page(const struct cs_report *r, const char *path)
{
    struct cs_output out;
    if (cs_output_open(&out, path))
        return CS_EXIT_ERROR;
    cs_report_html(out.f, r);
    return cs_output_close(&out, true) ? CS_EXIT_ERROR : CS_EXIT_OK;
}

static int report(const char *path, const struct options *o)
{
    int code = CS_EXIT_OK;
    if ((o->out && cs_output_check(o->out, path, &cs_report_page, o->force)) ||
        (o->pictures && cs_report_pictures_check(o->pictures, o->force)))
        return CS_EXIT_ERROR;
    struct cs_report *r = make(path, o);
    if (!r)
        code = CS_EXIT_ERROR;
    if (code == CS_EXIT_OK && o->out)
        code = write_page(r, o->out);
    if (code == CS_EXIT_OK && o->pictures && cs_report_pictures(r, o->pictures))
        code = CS_EXIT_ERROR;
    if (code == CS_EXIT_OK && o->json)
        cs_report_json(stdout, r);
    cs_report_free(r);
    return cs_finish_output(code);
}

static int run(const struct cs_verb *v, int argc, char **argv)
{
    static const struct option longs[] = {
        {"output", required_argument, NULL, 'o'}, {"pictures", required_argument, NULL, 'p'},
        {"model", required_argument, NULL, 'm'},  {"network", required_argument, NULL, 'n'},
        {"sizes", required_argument, NULL, 's'},  {"json", no_argument, NULL, 'j'},
        {"partial", no_argument, NULL, 'P'},      {"force", no_argument, NULL, 'F'},
        {"help", no_argument, NULL, 'h'},         {0}};
    struct options o = {0};
    int c, code;
    while ((c = cs_getopt(v, argc, argv, ":o:h", longs, &code)) >= 0) {
        o.json |= c == 'j';
        o.partial |= c == 'P';
        o.force |= c == 'F';
        if (c == 'o')
            o.out = optarg;
        if (c == 'p')
            o.pictures = optarg;
        if (c == 'm')
            o.model = optarg;
        if (c == 'n')
            o.network = optarg;
        if (c == 's')
            o.sizes = optarg;
    }
    if (c == CS_OPT_DONE)
        return code;
    if (argc - optind != 1 && (!o.model || optind == argc))
        return cs_usage_error(v, "give one trace");
    if (!o.out && !o.pictures && !o.json)
        return cs_usage_error(v, "give the page to write, -o OUT.html, or --pictures DIR or --json");
    if ((o.network || o.sizes) && !o.model)
        return cs_usage_error(v, "--network and --sizes are for the prediction by --model");
    o.other = argv + optind + 1;
    o.nothers = argc - optind - 1;
    return report(argv[optind], &o);
}

const struct cs_verb cs_verb_report = {
    .name = "report",
    .summary = "show a whole run on one HTML page",
    .run = run,
    .usage =
        "usage: commslice report [-o OUT.html] [--pictures DIR] [--json] [--partial] [--force]\n"
        "                        [--model MODEL [--network NUMBERS] [--sizes LIST]] TRACE [OTHER TRACES]\n\n"
        "Writes one page that opens from disk and needs nothing else: what the run does in words, who sends how much "
        "to whom, sizes\n"
        "of messages, calls by place in the source, the loop nest, classes of ranks, phases. Takes a trace, merged or "
        "folded too;\n"
        "times are shown where it has them.\n\n"
        "  -o, --output OUT.html  the page\n"
        "      --pictures DIR     each picture as PNG (by gnuplot) and CSV, in this folder\n"
        "      --model MODEL      of a slice's trace also how long the run takes, by a model of commslice fit: total, "
        "parts, ranks,\n"
        "                         the program as a picture (by graphviz)\n"
        "      --network NUMBERS  for --model: the network, as for commslice predict\n"
        "      --sizes LIST       for --model: the size of the problem in each trace\n"
        "                         Other traces of the slice, on four numbers of ranks or of four sizes, give its parts "
        "formulas\n"
        "      --json             the figures as one JSON object on standard output\n"
        "      --partial          of a run that was cut off, or lacks ranks, report what is there; the page says so\n"
        "      --force            replace files that are no pages or pictures of commslice report, too\n",

};
