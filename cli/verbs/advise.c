/* SPDX-License-Identifier: BSD-3-Clause
 * commslice advise: which assumptions would make the slice smaller.
 * The slicer is in a program of its own, commslice-advise, which gets the stored program and prints facts, one a line
 * (advise/commslice-advise.c); here they are read, put into order and shown. */
#define _GNU_SOURCE 1
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/grow.h"
#include "cli/frame/cli.h"
#include "cli/frame/json.h"
#include "cli/frame/own_files.h"
#include "cli/frame/text.h"
#include "cli/show/readable.h"
#include "cli/show/slice_graph.h"

enum { MOST = 3, FIELDS = 9, SHOWN = 5 };

struct assumption {
    char *text, *file, *func, *way, *call, *call_file;
    int line, call_line;
};

/* One suggestion: what is kept under its assumptions. */
struct suggestion {
    int kept, sites, contents, n;
    struct assumption a[MOST];
};

struct advice {
    int kept, total, sites, contents;
    struct suggestion *s;
    size_t n, cap;
};

/* What the user asked for. */
struct question {
    const char *slice, *seconds;
    struct cs_sources *lines;
    bool all, json;
};

/* ---- the helper ---- */

/* Starts it with the text as its standard input. The end of the pipe from which its answer comes, or NULL. */
static FILE *start(const char *text, size_t size, const char *seconds, pid_t *child)
{
    char path[PATH_MAX];
    int ends[2], in = memfd_create("commslice-graph", MFD_CLOEXEC);
    if (cs_own_file(path, "advise", "commslice-advise", CS_BINDIR, CS_LIBDIR) || in < 0)
        return NULL;
    for (size_t done = 0; done < size;) {
        ssize_t n = write(in, text + done, size - done);
        if (n <= 0)
            return NULL;
        done += (size_t)n;
    }
    if (lseek(in, 0, SEEK_SET) < 0 || pipe2(ends, O_CLOEXEC))
        return NULL;
    *child = fork();
    if (*child == 0) {
        dup2(in, 0);
        dup2(ends[1], 1);
        execl(path, "commslice-advise", seconds, (char *)NULL);
        cs_error("%s: %s", path, strerror(errno));
        _exit(CS_EXIT_ERROR);
    }
    close(in);
    close(ends[1]);
    return *child > 0 ? fdopen(ends[0], "r") : NULL;
}

static int split(char *line, char *f[FIELDS])
{
    int n = 0;
    line[strcspn(line, "\n")] = 0;
    while (line && n < FIELDS)
        f[n++] = strsep(&line, "\t");
    for (int i = n; i < FIELDS; i++)
        f[i] = NULL;
    return n;
}

static bool take_assumption(struct advice *a, char **f, int n)
{
    struct suggestion *s = a->n ? &a->s[a->n - 1] : NULL;
    if (!s || s->n == MOST || n < 6)
        return false;
    struct assumption *to = &s->a[s->n++];
    *to = (struct assumption){strdup(f[1]), strdup(f[2]), strdup(f[4]), strdup(f[5]), NULL, NULL, atoi(f[3]), 0};
    if (n == FIELDS) {
        to->call = strdup(f[6]);
        to->call_file = strdup(f[7]);
        to->call_line = atoi(f[8]);
    }
    return to->text && to->file && to->func && to->way && (n < FIELDS || (to->call && to->call_file));
}

static bool take_line(struct advice *a, char *line)
{
    char *f[FIELDS];
    int n = split(line, f);
    if (!strcmp(f[0], "base") && n == 5) {
        a->kept = atoi(f[1]), a->total = atoi(f[2]), a->sites = atoi(f[3]), a->contents = atoi(f[4]);
        return true;
    }
    if (!strcmp(f[0], "trial") && n == 5) {
        if (!CS_MAKE_ROOM(a->s, a->n, a->cap))
            return false;
        a->s[a->n++] = (struct suggestion){.kept = atoi(f[1]), .sites = atoi(f[2]), .contents = atoi(f[3])};
        return true;
    }
    return !strcmp(f[0], "assume") && take_assumption(a, f, n);
}

/* 0, or an exit code after a message. */
static int ask(const struct question *q, struct advice *a)
{
    size_t size, cap = 0;
    char *text = cs_slice_graph_read(q->slice, &size), *line = NULL;
    pid_t child = -1;
    int status;
    bool ok = true;
    if (!text)
        return CS_EXIT_ERROR;
    FILE *answer = start(text, size, q->seconds, &child);
    free(text);
    if (!answer)
        return cs_error("cannot start commslice-advise: %s", strerror(errno));
    while (ok && getline(&line, &cap, answer) > 0)
        ok = take_line(a, line);
    free(line);
    fclose(answer);
    while (waitpid(child, &status, 0) < 0 && errno == EINTR)
        ;
    if (!WIFEXITED(status) || WEXITSTATUS(status) || !ok || !a->total)
        return cs_error("%s: the slicer gave no answer", q->slice);
    return 0;
}

static void free_advice(struct advice *a)
{
    for (size_t i = 0; i < a->n; i++)
        for (int k = 0; k < a->s[i].n; k++) {
            struct assumption *x = &a->s[i].a[k];
            free(x->text);
            free(x->file);
            free(x->func);
            free(x->way);
            free(x->call);
            free(x->call_file);
        }
    free(a->s);
}

/* ---- the order ---- */

static const struct advice *ordered; /* what by_worth compares suggestions of */

/* The less the better: what is kept, and in hundredths of the program what its user has to vouch for. A trip count has
 * to be known, too. */
static double price(const struct suggestion *s)
{
    double hundredths = 100.0 * s->kept / ordered->total;
    for (int i = 0; i < s->n; i++)
        hundredths += !strcmp(s->a[i].way, "ends") && strstr(s->a[i].text, "=N") ? 4 : 2;
    return hundredths;
}

/* Those that take calls of MPI away come last. */
static int by_worth(const void *x, const void *y)
{
    const struct suggestion *a = x, *b = y;
    bool la = a->sites < ordered->sites, lb = b->sites < ordered->sites;
    return la != lb ? la - lb : (price(a) > price(b)) - (price(a) < price(b));
}

enum { PART = 50 }; /* two hundredths of the program count as nothing */

/* Does it bring next to nothing, or another one as much with some of the same assumptions? */
static bool not_worth_it(const struct advice *a, size_t i)
{
    if (a->s[i].kept > a->kept - a->total / PART)
        return true;
    for (size_t k = 0; k < a->n; k++) {
        int same = 0;
        for (int x = 0; x < a->s[k].n && k != i; x++)
            for (int y = 0; y < a->s[i].n; y++)
                same += !strcmp(a->s[k].a[x].text, a->s[i].a[y].text);
        if (k != i && same == a->s[k].n && same < a->s[i].n && a->s[k].sites >= a->s[i].sites &&
            a->s[k].kept <= a->s[i].kept + a->total / PART)
            return true;
    }
    return false;
}

/* ---- the answer ---- */

static double percent(int part, int whole)
{
    return whole > 0 ? 100.0 * part / whole : 0;
}

static void print_source(const struct question *q, const struct assumption *x)
{
    const char *source = cs_source_line(q->lines, x->file, x->line);
    printf("     %s:%d in ", x->file, x->line);
    cs_put_name(stdout, x->func);
    if (source)
        cs_print_plain(stdout, ": %s", source);
    else
        putchar('\n');
}

/* One sentence: what the branch does, and what is said of it. */
static void print_meaning(const struct assumption *x)
{
    const char *eq = strrchr(x->text, '=');
    fputs("     ", stdout);
    if (!strcmp(x->way, "ends"))
        fputs("The loop ends by this condition; give the number of its iterations for N", stdout);
    else if (!strcmp(x->way, "leaves"))
        fputs("The loop may end early by this condition; assume that it does not", stdout);
    else
        printf("Assume that this condition %s holds", eq ? eq + 1 : "never");
    if (x->call)
        printf(". It depends on what %s at %s:%d brings", x->call, x->call_file, x->call_line);
    puts(".");
}

static void print_suggestion(const struct question *q, const struct advice *a, size_t i, int nr)
{
    const struct suggestion *s = &a->s[i];
    printf("\n%2d. keeps %d statements (%.1f %%)", nr, s->kept, percent(s->kept, a->total));
    if (s->sites < a->sites)
        printf("; takes away %d of %d MPI calls: only if the program does not make them", a->sites - s->sites,
               a->sites);
    puts("");
    for (int k = 0; k < s->n; k++) {
        print_source(q, &s->a[k]);
        print_meaning(&s->a[k]);
    }
    for (int k = 0; k < s->n; k++)
        printf("     -fplugin-arg-commslice-assume=%s\n", s->a[k].text);
}

static int print_answer(const struct question *q, const struct advice *a)
{
    int shown = 0;
    printf("%s keeps %d of %d statements (%.1f %%); %d of its %d MPI calls transmit content\n", q->slice, a->kept,
           a->total, percent(a->kept, a->total), a->contents, a->sites);
    for (size_t i = 0; i < a->n; i++)
        if (!not_worth_it(a, i) && (q->all || shown < SHOWN))
            print_suggestion(q, a, i, ++shown);
    if (!shown) {
        puts("no assumption about a branch or loop makes it much smaller: commslice why shows what holds it up");
        return CS_EXIT_NOT_SO;
    }
    puts("\nCheck what you assume: link once more with -fplugin-arg-commslice-mode=original, record, compare");
    return CS_EXIT_OK;
}

static void json_assumption(struct cs_json *j, const struct question *q, const struct assumption *x)
{
    const char *source = cs_source_line(q->lines, x->file, x->line);
    cs_json_open(j, NULL, '{');
    cs_json_string(j, "assume", x->text);
    cs_json_string(j, "file", x->file);
    cs_json_int(j, "line", x->line);
    cs_json_string(j, "func", x->func);
    cs_json_string(j, "source", source);
    cs_json_string(j, "kind", x->way);
    cs_json_string(j, "depends_on", x->call);
    cs_json_string(j, "depends_on_file", x->call_file);
    if (x->call)
        cs_json_int(j, "depends_on_line", x->call_line);
    else
        cs_json_null(j, "depends_on_line");
    cs_json_close(j, '}');
}

static int json_answer(const struct question *q, const struct advice *a)
{
    struct cs_json j = {.out = stdout};
    cs_json_open(&j, NULL, '{');
    cs_json_int(&j, "statements", a->total);
    cs_json_int(&j, "kept", a->kept);
    cs_json_int(&j, "mpi_calls", a->sites);
    cs_json_int(&j, "mpi_calls_with_content", a->contents);
    cs_json_open(&j, "suggestions", '[');
    for (size_t i = 0; i < a->n; i++) {
        cs_json_open(&j, NULL, '{');
        cs_json_int(&j, "kept", a->s[i].kept);
        cs_json_int(&j, "mpi_calls", a->s[i].sites);
        cs_json_int(&j, "mpi_calls_with_content", a->s[i].contents);
        cs_json_open(&j, "assumptions", '[');
        for (int k = 0; k < a->s[i].n; k++)
            json_assumption(&j, q, &a->s[i].a[k]);
        cs_json_close(&j, ']');
        cs_json_close(&j, '}');
    }
    cs_json_close(&j, ']');
    cs_json_close(&j, '}');
    cs_json_end(&j);
    return a->n ? CS_EXIT_OK : CS_EXIT_NOT_SO;
}

static int advise(const struct question *q)
{
    struct advice a = {0};
    int code = ask(q, &a);
    if (code == 0) {
        ordered = &a;
        if (a.n)
            qsort(a.s, a.n, sizeof *a.s, by_worth);
        code = q->json ? json_answer(q, &a) : print_answer(q, &a);
    }
    free_advice(&a);
    return cs_finish_output(code);
}

static int run(const struct cs_verb *v, int argc, char **argv)
{
    static const struct option longs[] = {
        {"all", no_argument, NULL, 'a'},           {"json", no_argument, NULL, 'j'},
        {"sources", required_argument, NULL, 's'}, {"seconds", required_argument, NULL, 't'},
        {"help", no_argument, NULL, 'h'},          {0}};
    struct question q = {.seconds = "60"};
    const char *sources = NULL;
    long seconds;
    int c, code;
    while ((c = cs_getopt(v, argc, argv, ":ahs:", longs, &code)) >= 0) {
        q.all |= c == 'a';
        q.json |= c == 'j';
        if (c == 's')
            sources = optarg;
        if (c == 't')
            q.seconds = optarg;
    }
    if (c == CS_OPT_DONE)
        return code;
    if (!cs_parse_number(q.seconds, 1, 1000000, &seconds))
        return cs_usage_error(v, "%s is not a number of seconds", q.seconds);
    if (argc - optind != 1)
        return cs_usage_error(v, "give a slice");
    q.slice = argv[optind];
    q.lines = cs_sources_new(q.slice, sources);
    code = advise(&q);
    cs_sources_free(q.lines);
    return code;
}

const struct cs_verb cs_verb_advise = {
    .name = "advise",
    .summary = "say which assumptions would make the slice smaller",
    .run = run,
    .usage =
        "usage: commslice advise [--all] [--json] [--sources DIR] [--seconds N] SLICE\n\n"
        "Looks for branches and loops on which much of the slice depends, and slices the program again with\n"
        "assumptions about them, up to three together: the figures are what a link with these options gives. Best\n"
        "first. It needs no source and no compiler, as the slice carries its program's graph. Exit code 1 if there is\n"
        "no suggestion.\n\n"
        "  -a, --all          all suggestions, not only the first 5\n"
        "      --json         one JSON object\n"
        "  -s, --sources DIR  where the sources are, if not here, beside the slice or where they were compiled\n"
        "      --seconds N    processor time to spend (60)\n",
};
