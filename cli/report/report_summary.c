/* SPDX-License-Identifier: BSD-3-Clause
 * The head of the report: key figures, and what the run does in words, heaviest things first.
 * Each sentence is one function; it writes nothing where it has nothing to say. */
#include <stdlib.h>
#include <inttypes.h>

#include "api/mpi_calls.h"
#include "cli/show/wait_words.h"
#include "cli/frame/cli.h"
#include "cli/report/report_sections.h"

#define HEAVY_SITES 3
#define LOST 0.01       /* share of time as scheduling delay that is mentioned */
#define SMALL_BUCKET 10 /* up to 1023 bytes */
#define HOT 1.5         /* the rank that receives most is named if it gets at least this times the mean */
/* Values are called even if the largest is at most this times the mean, and the mean at most this times the least. */
#define EVEN 1.02

/* A figure over all ranks: its extremes, the ranks that have these, and the sum. */
struct spread {
    uint64_t least, most, sum;
    int least_at, most_at;
};

static void spread_add(struct spread *s, int rank, uint64_t v)
{
    if (rank == 0 || v < s->least) {
        s->least = v;
        s->least_at = rank;
    }
    if (rank == 0 || v > s->most) {
        s->most = v;
        s->most_at = rank;
    }
    s->sum += v;
}

/* ---- tiles ---- */

static void tile(FILE *out, const char *value, const char *label)
{
    fputs("<div class=\"tile\"><b>", out);
    cs_html_text(out, value);
    fputs("</b><span>", out);
    cs_html_text(out, label);
    fputs("</span></div>", out);
}

static uint64_t collective_calls(const struct cs_report *r)
{
    uint64_t n = 0;
    for (int c = 0; c < cs_mpi_ncalls(); c++)
        n += cs_doing_of(c) == CS_DOING_COLLECTIVE ? r->p->call[c].calls : 0;
    return n;
}

static struct cs_rank_time sum_times(const struct cs_report *r)
{
    struct cs_rank_time s = {0};
    for (int i = 0; i < r->time->nranks; i++) {
        s.busy += r->time->rank[i].busy;
        s.delayed += r->time->rank[i].delayed;
        s.end += r->time->rank[i].end;
    }
    return s;
}

static void tiles(FILE *out, const struct cs_report *r)
{
    char buf[32], percent[16];
    fputs("<div class=\"tiles\">", out);
    tile(out, cs_grouped(buf, (uint64_t)r->m->info.nranks), "ranks");
    tile(out, cs_grouped(buf, r->p->all.calls), "MPI calls");
    tile(out, cs_grouped(buf, r->p->all.messages), "point-to-point messages");
    tile(out, cs_human_bytes(buf, r->p->all.bytes), "sent point to point");
    tile(out, cs_grouped(buf, collective_calls(r)), "collective calls");
    tile(out, cs_human_bytes(buf, r->p->all.handed), "handed in to collectives");
    if (r->time)
        tile(out, cs_percent(percent, cs_share(sum_times(r).busy, sum_times(r).end)), "of the ranks' time in MPI");
    else if (r->busy + r->outside > 0)
        tile(out, cs_percent(percent, r->busy / (r->busy + r->outside)), "of the time in MPI and computing is in MPI");
    fputs("</div>\n", out);
}

/* ---- sentences ---- */

static void say_calls(FILE *out, const struct cs_report *r)
{
    char a[32], b[32];
    struct spread s = {0};
    for (int i = 0; i < r->m->info.nranks; i++)
        spread_add(&s, i, r->p->rank[i].sent.calls);
    fprintf(out, "<li><b>Calls.</b> ");
    if (s.least == s.most)
        fprintf(out, "Each rank makes %s MPI calls", cs_grouped(a, s.most));
    else
        fprintf(out, "A rank makes %s (rank %d) to %s (rank %d) MPI calls", cs_grouped(a, s.least), s.least_at,
                cs_grouped(b, s.most), s.most_at);
    fprintf(out, ", from %d place%s in the source.", r->nsites, r->nsites == 1 ? "" : "s");
    fputs("</li>\n", out);
}

/* The share of the pattern's bytes that the rule explains; of its messages, if they have no bytes. */
static double explained(const struct cs_traffic_pattern *p, const struct cs_traffic_fit *f)
{
    return p->bytes ? cs_share((double)f->bytes, (double)p->bytes) : cs_share((double)f->messages, (double)p->messages);
}

static bool explains_all(const struct cs_traffic_pattern *p, const struct cs_traffic_fit *f)
{
    return f->pairs == p->pairs || f->kind == CS_TRAFFIC_ALL;
}

static void say_fit(FILE *out, const struct cs_traffic_pattern *p, const struct cs_traffic_fit *f)
{
    char words[160], share[16];
    cs_html_text(out, cs_traffic_pattern_words(f, words, sizeof words));
    if (!explains_all(p, f))
        cs_html_textf(out, " (%s of the %s)", cs_percent(share, explained(p, f)), p->bytes ? "bytes" : "messages");
}

static void say_pattern(FILE *out, const struct cs_report *r)
{
    const struct cs_traffic_pattern *p = r->pattern;
    if (!r->p->all.messages)
        fputs("<li><b>Pattern.</b> No point-to-point messages: all communication is collective.</li>\n", out);
    if (!r->fit)
        return;
    bool regular = explained(p, r->fit) >= 0.5;
    fputs(regular ? "<li><b>Pattern.</b> Messages go: "
                  : "<li><b>Pattern.</b> Irregular: no simple rule explains half of what is sent",
          out);
    if (regular)
        say_fit(out, p, r->fit);
    if (regular && r->rest_fit && r->rest_fit->kind != CS_TRAFFIC_ALL && explained(r->rest, r->rest_fit) >= 0.5) {
        fputs("; of what is left, ", out);
        say_fit(out, r->rest, r->rest_fit);
    }
    if (p->fewest == p->most)
        fprintf(out, ". Each sender has %d receiver%s", p->most, p->most == 1 ? "" : "s");
    else
        fprintf(out, ". A sender has %d to %d receivers", p->fewest, p->most);
    if (p->senders < r->m->info.nranks)
        fprintf(out, "; %d of %d ranks send", p->senders, r->m->info.nranks);
    fputs(".</li>\n", out);
}

static void say_sites(FILE *out, const struct cs_report *r)
{
    double all = (double)cs_volume(&r->p->all);
    char share[16], place[300];
    if (!r->nsites || all <= 0)
        return;
    fputs("<li><b>Heaviest calls.</b> ", out);
    for (int i = 0; i < HEAVY_SITES && i < r->nsites && cs_volume(&r->site[i].sums); i++) {
        const struct cs_report_site *s = &r->site[i];
        fputs(i ? ", " : "", out);
        cs_html_textf(out, "%s at ", cs_mpi_call(s->call)->name);
        fputs("<code>", out);
        cs_html_text(out, cs_location_text(&s->place, place, sizeof place));
        fputs("</code>", out);
        cs_html_textf(out, " with %s", cs_percent(share, (double)cs_volume(&s->sums) / all));
    }
    fputs(" of all bytes.</li>\n", out);
}

/* The bucket in which half of the sum is reached. */
static int middle(const struct cs_profile *p, bool bytes)
{
    double sum = 0, half = (double)(bytes ? p->all.bytes : p->all.messages) / 2;
    for (int i = 0; i < CS_SIZE_BUCKETS; i++) {
        sum += (double)(bytes ? p->size[i].bytes : p->size[i].messages);
        if (sum >= half)
            return i;
    }
    return 0;
}

static void say_sizes(FILE *out, const struct cs_report *r)
{
    char a[48], b[48], mean[32];
    uint64_t n = r->p->all.messages;
    if (!n)
        return;
    fprintf(out, "<li><b>Sizes.</b> A message has %s on the average; the median message has %s",
            cs_human_bytes(mean, r->p->all.bytes / n), cs_size_label(a, middle(r->p, false)));
    if (r->p->all.bytes)
        fprintf(out, ", and half of all bytes are in messages of up to %s", cs_size_label(b, middle(r->p, true)));
    uint64_t small = 0, carried = 0;
    for (int i = 0; i <= SMALL_BUCKET; i++) {
        small += r->p->size[i].messages;
        carried += r->p->size[i].bytes;
    }
    if (2 * small > n && r->p->all.bytes)
        cs_html_textf(out, "; %s of the messages are smaller than 1 KiB and carry %s of the bytes",
                      cs_percent(mean, cs_share((double)small, (double)n)),
                      cs_percent(a, cs_share((double)carried, (double)r->p->all.bytes)));
    fputs(".</li>\n", out);
}

/* A rank that receives much more than others. */
static void say_hot(FILE *out, const struct cs_report *r)
{
    char a[32];
    struct spread s = {0};
    for (int i = 0; i < r->m->info.nranks; i++)
        spread_add(&s, i, r->p->rank[i].bytes_in);
    double mean = (double)s.sum / r->m->info.nranks;
    if ((double)s.most > HOT * mean)
        fprintf(out, " Rank %d receives most, %s: %.1f times the mean.", s.most_at, cs_human_bytes(a, s.most),
                (double)s.most / mean);
}

static void say_balance(FILE *out, const struct cs_report *r)
{
    char a[32], b[32];
    struct spread s = {0};
    int n = r->m->info.nranks;
    for (int i = 0; i < n; i++)
        spread_add(&s, i, cs_volume(&r->p->rank[i].sent));
    double mean = (double)s.sum / n;
    if (s.sum == 0 || n < 2)
        return;
    fputs("<li><b>Balance.</b> ", out);
    if ((double)s.most <= EVEN * mean && mean <= EVEN * (double)s.least)
        fprintf(out, "Ranks send alike: %s each", cs_human_bytes(a, (uint64_t)mean));
    else if ((double)s.most <= EVEN * mean)
        fprintf(out, "Most ranks send alike, %s each; rank %d sends least, %s", cs_human_bytes(a, s.most), s.least_at,
                cs_human_bytes(b, s.least));
    else
        fprintf(out, "Rank %d sends most, %s: %.2f times the mean; rank %d sends least, %s", s.most_at,
                cs_human_bytes(a, s.most), (double)s.most / mean, s.least_at, cs_human_bytes(b, s.least));
    fputs(" (collectives included).", out);
    say_hot(out, r);
    fputs("</li>\n", out);
}

static void say_time(FILE *out, const struct cs_report *r)
{
    char a[32], b[16], c[16];
    int least = 0, most = 0;
    if (!r->time)
        return;
    const struct cs_rank_time *t = r->time->rank;
    double end = 0;
    for (int i = 0; i < r->time->nranks; i++) {
        double share = cs_share(t[i].busy, t[i].end);
        least = share < cs_share(t[least].busy, t[least].end) ? i : least;
        most = share > cs_share(t[most].busy, t[most].end) ? i : most;
        end = t[i].end > end ? t[i].end : end;
    }
    fprintf(out, "<li><b>Time.</b> The run took %s from MPI_Init to the last call; ", cs_human_ns(a, end));
    cs_html_textf(out, "the share spent in MPI goes from %s on rank %d to %s on rank %d.",
                  cs_percent(b, cs_share(t[least].busy, t[least].end)), least,
                  cs_percent(c, cs_share(t[most].busy, t[most].end)), most);
    struct cs_rank_time all = sum_times(r);
    if (all.delayed > LOST * all.end)
        cs_html_textf(out, " For %s of the time ranks were ready outside MPI, but others had the processor.",
                      cs_percent(b, all.delayed / all.end));
    fputs("</li>\n", out);
}

/* What ranks are waited for most, if that is worth a word. */
static void say_waits(FILE *out, const struct cs_report *r)
{
    char text[800], a[32], share[16];
    double all = 0;
    size_t n = 0;
    struct cs_wait_group *g = r->waits ? cs_wait_groups(r->waits, &n) : NULL;
    for (int i = 0; r->waits && i < r->waits->nranks; i++)
        all += r->waits->rank[i].inside + r->waits->rank[i].computing + r->waits->rank[i].delayed;
    if (g && n && g[0].ns > LOST * all) {
        fputs("<li><b>Waiting.</b> ", out);
        cs_html_textf(out, "%s: others wait %s meanwhile, %s of the time of all ranks",
                      cs_wait_sentence(r->waits, &g[0], text, sizeof text), cs_human_ns(a, g[0].ns),
                      cs_percent(share, cs_share(g[0].ns, all)));
        fputs(" (<a href=\"#waits\">who else</a>).</li>\n", out);
    }
    free(g);
}

static void say_structure(FILE *out, const struct cs_report *r)
{
    int64_t symbols = 0, loops = 0, loop = r->main_loop;
    char a[32], share[16];
    for (int64_t i = 0; i < r->m->nnodes; i++)
        *(r->m->node[i].count ? &loops : &symbols) += 1;
    fprintf(out, "<li><b>Structure.</b> %d class%s of ranks; the whole run folds into %s call%s", r->m->nclasses,
            r->m->nclasses == 1 ? "" : "es", cs_grouped(a, (uint64_t)symbols), symbols == 1 ? "" : "s");
    if (loops)
        fprintf(out, " in %" PRId64 " loop%s", loops, loops == 1 ? "" : "s");
    if (loop >= 0 && 2 * r->node[loop].sums.calls > r->p->all.calls) {
        fprintf(out, ". The <a href=\"#main-loop\">main loop</a> makes %s iterations",
                cs_grouped(a, (uint64_t)r->m->node[loop].count));
        cs_html_textf(out, " and %s of all calls",
                      cs_percent(share, cs_share((double)r->node[loop].sums.calls, (double)r->p->all.calls)));
    }
    fputs(".</li>\n", out);
}

static void say_lost(FILE *out, const struct cs_report *r)
{
    char a[32];
    if (r->p->unknown_dest)
        fprintf(out,
                "<li><b>Missing.</b> %s messages go to destinations that the trace does not tell; they are in no "
                "figure.</li>\n",
                cs_grouped(a, r->p->unknown_dest));
}

void cs_report_html_summary(FILE *out, const struct cs_report *r)
{
    fputs("<section id=\"summary\"><h2>Summary</h2>\n", out);
    tiles(out, r);
    fputs("<ul class=\"words\">\n", out);
    say_pattern(out, r);
    say_sites(out, r);
    say_balance(out, r);
    say_time(out, r);
    say_waits(out, r);
    say_sizes(out, r);
    say_calls(out, r);
    say_structure(out, r);
    say_lost(out, r);
    fputs("</ul></section>\n", out);
}
