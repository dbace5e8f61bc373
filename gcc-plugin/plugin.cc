/* SPDX-License-Identifier: GPL-3.0-or-later
 * commslice.so: `gcc -fplugin=commslice.so a.c b.f90` links a slice instead of the program.
 * In the compilers it only turns on link-time information and turns off what would blur functions; in lto1, where
 * the whole program is there in SSA form, it lowers, slices and sweeps. */
#include "gcc-plugin/gcc/calm-options.h"
#include "gcc-plugin/gcc/gcc-common.h"

#include "api/assumed_value.h"
#include "base/file_kind.h"
#include "base/recorded_value.h"
#include "gcc-plugin/apply/apply.h"
#include "gcc-plugin/apply/assume_gimple.h"
#include "gcc-plugin/apply/slice_text.h"
#include "gcc-plugin/count/count.h"
#include "gcc-plugin/folds/folds.h"
#include "gcc-plugin/lower/lower.h"
#include "gcc-plugin/lower/wrappers.h"
#include "gcc-plugin/apply/compare_turns.h"
#include "gcc-plugin/faults/mutants.h"
#include "slicer/advise/watched.h"
#include "slicer/control/called.h"
#include "slicer/graph/progress.h"
#include "slicer/slice.h"
#include "slicer/text/graph_text.h"
#include "slicer/text/stored.h"

int plugin_is_GPL_compatible;

extern "C" const char cs_effects_tab[];

namespace {

/* What the user has given, by -fplugin-arg-commslice-...; strings are GCC's. */
struct Options {
    bool keep_errors, original, counters, verbose, no_repeat;
    enum cs_count_how count_how;
    int budget;                                   /* struct cs_slice_options */
    bool count_each;                              /* test only */
    int overlook;                                 /* test only */
    cs_mutant mutant = {-1, -1, 0, false, false}; /* test only, and so is: */
    const char *mutants;
    const char *dump;
    auto_vec<const char *> effects;
    cs_assumptions assumptions;
};

Options opt;

/* flag_thread_jumps: threading hides which way a failed allocation takes. */
void calm_optimisers()
{
#define SET(FLAG, VALUE) FLAG = VALUE;
    CALM_OPTIONS(SET)
#undef SET
}

/* While a source is compiled: if-to-switch makes one branch of several comparisons with constants, of other lines, too,
 * of which an assumption may name one. Not where the compiler goes on as for the original: there is no code for the
 * link. */
void comparisons_stay(void *gate, void *)
{
    if (flag_generate_lto && current_pass && !strcmp(current_pass->name, "iftoswitch"))
        *(bool *)gate = false;
}

/* How complex numbers are multiplied and divided is no option of a function, so that the link would not know what the
 * source's language has chosen: Fortran's way is another one than that of C, and rounds otherwise. */
enum { LIMITED_RANGE, FORTRAN_RULES, C99_RULES };

/* Options of some functions, or (NULL) of none. */
void calm(tree own)
{
#define SET(FLAG, VALUE) TREE_OPTIMIZATION(own)->x_##FLAG = VALUE;
    if (!own)
        return;
    CALM_OPTIONS(SET)
    SET(flag_cx_limited_range, flag_complex_method == LIMITED_RANGE)
    SET(flag_cx_fortran_rules, flag_complex_method == FORTRAN_RULES)
#undef SET
}

/* In the link, ahead of each pass. */
void divide_as_compiled(void *, void *)
{
    flag_complex_method = flag_cx_limited_range ? LIMITED_RANGE : flag_cx_fortran_rules ? FORTRAN_RULES : C99_RULES;
}

/* A function's own options, by attribute or pragma, are set back too. */
void calm_functions()
{
    cgraph_node *node;
    calm_optimisers();
    calm(optimization_default_node);
    FOR_EACH_FUNCTION (node)
        calm(DECL_FUNCTION_SPECIFIC_OPTIMIZATION(node->decl));
}

/* While C is compiled: inline functions may have no external definition anywhere (C11, 6.7.4). The original links where
 * GCC puts them in line, which it does not do here: their bodies become the object's own. Those of system headers
 * (gnu_inline) stay the library's functions. */
void own_inline_bodies()
{
    cgraph_node *node;
    FOR_EACH_FUNCTION_WITH_GIMPLE_BODY (node) {
        tree decl = node->decl;
        if (!DECL_EXTERNAL(decl) || !DECL_DECLARED_INLINE_P(decl) ||
            lookup_attribute("gnu_inline", DECL_ATTRIBUTES(decl)))
            continue;
        node->make_decl_local();
        node->externally_visible = false;
    }
}

/* When a source has been read, and before any pass over all of it. */
void source_is_read(void *, void *)
{
    if (cs_as_original_start())
        return;
    calm_functions();
    if (startswith(lang_hooks.name, "GNU C++"))
        cs_inline_small();
    cs_keep_sections();
    if (startswith(lang_hooks.name, "GNU C") && !startswith(lang_hooks.name, "GNU C++"))
        own_inline_bodies();
}

void inlining_is_done(void *, void *)
{
    cs_inlining_is_done();
}

/* The link first looks at the whole program without its bodies. There nothing is to go into its callers: the slice is
 * made of the bodies as they were compiled, and a call by another name of a function that went in line would be left
 * without what it calls. */
void nothing_goes_in_line(void *, void *)
{
    cgraph_node *node;
    if (!flag_wpa || !current_pass || strcmp(current_pass->name, "inline"))
        return;
    cs_inlining_is_done();
    FOR_EACH_FUNCTION (node)
        for (cgraph_edge *e = node->callees; e; e = e->next_callee)
            if (e->inline_failed)
                e->inline_failed = CIF_FUNCTION_NOT_INLINABLE;
}

struct cs_effects *load_effects()
{
    char err[512];
    struct cs_effects *fx = cs_effects_new();
    if (cs_effects_add_text(fx, cs_effects_tab, "effects.tab", err, sizeof err))
        fatal_error(UNKNOWN_LOCATION, "commslice: %s", err);
    for (unsigned i = 0; i < opt.effects.length(); i++)
        if (cs_effects_add(fx, opt.effects[i], err, sizeof err))
            fatal_error(UNKNOWN_LOCATION, "commslice: effects file: %s", err);
    return fx;
}

/* What the recorded run says of the place, up to `end`, and what it calls that; NULL: nothing. */
char *find_recorded(FILE *info, const char *place, const char *end, const char *kind)
{
    char *known = xasprintf("%.*s%s", (int)(end - place), place, kind);
    rewind(info);
    char *expression = cs_recorded_value_find(info, known, strlen(known));
    free(known);
    return expression;
}

/* The text with its `recorded:FILE` replaced by the expression for what a recorded run had; any other text as it is. */
const char *with_recorded(const char *text, const char *where)
{
    static const char word[] = "recorded";
    const char *is;
    bool value = cs_assumes_value(text, NULL, &is);
    if (!value)
        is = strstr(text, "=recorded");
    if (!is || strncmp(is + 1, word, strlen(word)))
        return text;
    const char *name = is + 1 + strlen(word);
    if (*name != ':' || !name[1])
        fatal_error(UNKNOWN_LOCATION,
                    "commslice: %sassumption %qs: give %<recorded:FILE%>, FILE from %<commslice info TRACE%>", where,
                    text);
    FILE *f = fopen(name + 1, "r");
    if (!f)
        fatal_error(UNKNOWN_LOCATION, "commslice: %sassumption %qs: cannot read %s: %m", where, text, name + 1);
    const char *place = text; /* a recorded run knows files without their folders */
    for (const char *p = text; p < is; p++)
        if (*p == '/')
            place = p + 1;
    char *expression = find_recorded(f, place, is, value ? "" : "=N");
    if (char *when = expression || value ? NULL : find_recorded(f, place, is, "=when(N)"))
        expression = xasprintf("when(%s)", when);
    fclose(f);
    if (!expression)
        fatal_error(UNKNOWN_LOCATION,
                    "commslice: %sassumption %qs: %s does not say what %.*s was: it needs the trace of a program that "
                    "was linked with %qs",
                    where, text, name + 1, (int)(is - text), text, "-fplugin-arg-commslice-mode=original");
    return xasprintf("%.*s=%s", (int)(is - text), text, expression);
}

/* Checked at once, not at the link: `where` is empty or names the line of a file. */
void take_assumption(const char *given, const char *where)
{
    char err[512];
    const char *text = with_recorded(given, where);
    cs_assumption a;
    if (cs_assume_parse(text, &a, err, sizeof err))
        fatal_error(UNKNOWN_LOCATION, "commslice: %s%s", where, err);
    for (unsigned i = 0; i < opt.assumptions.texts.length(); i++) {
        cs_assumption b;
        const char *other = opt.assumptions.texts[i];
        if (cs_assume_parse(other, &b, err, sizeof err) || !cs_assume_same_subject(&a, &b))
            continue;
        if (cs_assume_agree(&a, &b))
            return; /* given twice, as flags often are */
        fatal_error(UNKNOWN_LOCATION, "commslice: %sassumption %qs contradicts %qs: take one of them out", where, text,
                    other);
    }
    opt.assumptions.texts.safe_push(xstrdup(text));
}

/* One assumption, or a file of them, one a line. */
void add_assumption(const char *text)
{
    if (strchr(text, '=') || !strcmp(text, CS_NO_READ_BACK) || !strcmp(text, CS_NO_MPI_ERRORS) ||
        startswith(text, CS_ONLY_CALLED)) {
        take_assumption(text, "");
        return;
    }
    FILE *f = fopen(text, "r");
    char *line = NULL;
    size_t size = 0;
    if (!f)
        fatal_error(UNKNOWN_LOCATION, "commslice: cannot read the assumption file %s: %m", text);
    for (int n = 1; getline(&line, &size, f) > 0; n++) {
        line[strcspn(line, "#\n")] = 0;
        char *p = line, *where = xasprintf("%s:%d: ", text, n);
        while (ISSPACE(*p))
            p++;
        for (size_t k = strlen(p); k && ISSPACE(p[k - 1]); k--)
            p[k - 1] = 0;
        /* What a recorded run called may be there, too: then it is the file of that assumption. */
        if (*p && cs_called_is_told(p))
            take_assumption((std::string(CS_ONLY_CALLED) + text).c_str(), where);
        else if (*p)
            take_assumption(p, where);
        free(where);
    }
    if (ferror(f))
        fatal_error(UNKNOWN_LOCATION, "commslice: cannot read the assumption file %s: %m", text);
    free(line);
    fclose(f);
}

void say(const cs_graph *g, const cs_slice_result *res)
{
    for (int i = 0; i < res->nmessages; i++) {
        const cs_message *m = &res->messages[i];
        const char *kind = m->severity == 2 ? "error" : m->severity == 1 ? "warning" : "note";
        if (m->line > 0)
            fprintf(stderr, "%s:%d: commslice %s: %s\n", cs_graph_str(g, m->file), m->line, kind, m->text);
        else
            fprintf(stderr, "commslice %s: %s\n", kind, m->text);
    }
}

/* One line: what is kept, and, if that is much, what holds it up. */
void say_kept(const cs_graph *g, const cs_slice_result *res, const cs_holders *holders)
{
    const int much = 3; /* a third */
    fprintf(stderr, "commslice: %d of %d statements kept, %d MPI call sites", res->kept, res->total, res->nsites);
    if (much * res->kept > res->total) {
        const cs_holder *h = holders->n ? &holders->holder[0] : NULL;
        if (h && much * h->held > res->kept && h->stmt < 0)
            fprintf(stderr, "; %d of them only as what is written to files may be read again", h->held);
        else if (h && much * h->held > res->kept)
            fprintf(stderr, "; %d of them only for what is decided at %s:%d", h->held,
                    cs_graph_str(g, g->stmts[h->stmt].file), g->stmts[h->stmt].line);
        fprintf(stderr, "; commslice advise says what would make the slice smaller");
    }
    fputc('\n', stderr);
}

/* GCC's driver tells its children what it was given. */
bool link_option(const char *quoted)
{
    const char *given = getenv("COLLECT_GCC_OPTIONS");
    return given && strstr(given, quoted);
}

/* With these, GCC links a start file (crtfastmath.o) that sets how the processor rounds. */
bool link_sets_mode()
{
    return link_option("'-Ofast'") || link_option("'-ffast-math'") || link_option("'-funsafe-math-optimizations'") ||
           link_option("'-mpc32'") || link_option("'-mpc64'");
}

/* A shared library, or objects that are put together (-r), are not the program: who calls them, and what their messages
 * meet, is not seen. */
bool is_part()
{
    bool shared = link_option("'-shared'");
    if (shared)
        fprintf(
            stderr,
            "commslice warning: a shared library is no program: it is not sliced, and a slice that uses it takes it "
            "for code that cannot be seen. "
            "Link its objects, or an archive of them, into the program\n");
    return shared || flag_incremental_link;
}

/* The whole content of a file that could be read a moment ago. */
void add_file(std::string *out, const char *path)
{
    FILE *f = fopen(path, "r");
    char buf[1 << 12];
    for (size_t n; f && (n = fread(buf, 1, sizeof buf, f)) > 0;)
        out->append(buf, n);
    if (!f || fclose(f))
        fatal_error(UNKNOWN_LOCATION, "commslice: effects file: cannot read %s: %m", path);
    *out += '\n';
}

/* What the function writes to a stream. */
template <typename Write> std::string written(Write write)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    if (out)
        write(out);
    if (!out || ferror(out) || fclose(out))
        fatal_error(UNKNOWN_LOCATION, "commslice: not enough memory to store the graph");
    std::string result(text, size);
    free(text);
    return result;
}

/* The program as it is before anything is decided, which is what `graph` says, with what the link was told and has
 * learnt, for `commslice advise` and `commslice why`. */
std::string stored_text(const std::string &graph, const cs_slice_options *so)
{
    std::string effects;
    for (unsigned i = 0; i < opt.effects.length(); i++)
        add_file(&effects, opt.effects[i]);
    cs_stored_program p = {so->keep_errors,
                           so->mode_is_given,
                           so->budget,
                           (char *)so->counter,
                           so->count_how,
                           (int)opt.assumptions.texts.length(),
                           (char **)opt.assumptions.texts.address(),
                           &effects[0],
                           NULL,
                           *so->learnt};
    return written([&](FILE *out) { cs_stored_write(&p, graph.c_str(), out); });
}

/* What a test wants left out. Where it wants many slices, this returns once for each of them, in processes of their
 * own. */
void choose_fault(void *, cs_drop *d)
{
    if (opt.mutants)
        cs_mutants_fork(opt.mutants, &opt.mutant);
    d->stmt = opt.mutant.stmt;
    d->mark = opt.mutant.mark;
    d->poison = opt.mutant.poison;
}

/* Writes the file of option `dump`, but not over a file that is something else. */
void write_dump(const struct cs_graph *g)
{
    static const char head[] = "# program graph of commslice\n";
    static const struct cs_file_kind kind = {"a program graph", head, sizeof head - 1};
    struct stat st;
    if (stat(opt.dump, &st) == 0 && S_ISREG(st.st_mode) && !cs_may_replace(opt.dump, &kind))
        fatal_error(UNKNOWN_LOCATION, "commslice: %s: exists and is not %s; remove it or give another name", opt.dump,
                    kind.name);
    FILE *f = fopen(opt.dump, "w");
    if (!f)
        fatal_error(UNKNOWN_LOCATION, "commslice: cannot write %s: %m", opt.dump);
    fputs(head, f);
    cs_graph_write(g, f);
    if (ferror(f) || fclose(f))
        fatal_error(UNKNOWN_LOCATION, "commslice: cannot write %s: %m", opt.dump);
}

/* A count that is assumed may be larger than the buffer: a slice that transmits the content would read or write behind
 * it. */
void refuse_unsafe(const cs_graph *g)
{
    const cs_value_place *v = cs_value_unsafe(g, &opt.assumptions.values);
    if (!v || opt.original)
        return;
    fatal_error(UNKNOWN_LOCATION,
                "commslice: assumption %qs: what is in this message decides communication, so it is transmitted, and "
                "its count cannot be assumed: assume what depends on its content, too (%<commslice why%>)",
                opt.assumptions.texts[v->assumption]);
}

/* Has the instrumented original tell what advise may ask about; `calls`: all functions that it calls, too. */
void watch(cs_program *p, const cs_watched *w, bool calls)
{
    for (int i = 0; i < w->n; i++)
        cs_assume_watch(p, &opt.assumptions, w->stmt[i]);
    for (int i = 0; i < w->nvalues; i++)
        cs_assume_watch_value(&opt.assumptions, w->values[i], w->polled_values[i]);
    for (int i = 0; i < w->n; i++)
        if (w->in_order[i])
            cs_assume_watch_trips(p, &opt.assumptions, w->stmt[i], w->polled[i], w->loops[i]);
    if (calls)
        cs_assume_watch_calls(p, &opt.assumptions);
    if (w->files)
        cs_assume_watch_files(&opt.assumptions);
}

/* What holds most of the slice up, which the caller frees; an original watches what follows from it. */
void find_holders(cs_program *p, const cs_needs *needs, const cs_slice_result *res, cs_holders *holders)
{
    cs_need_graph joined;
    cs_watched watched;
    cs_need_graph_build(&joined, p->graph, needs, true);
    cs_holders_find(holders, &joined);
    if (opt.original) {
        cs_watched_find(&watched, p->graph, &joined, holders);
        watch(p, &watched, res->kept_all);
        cs_watched_free(&watched);
    }
    cs_need_graph_free(&joined);
}

void slice_program(void *, void *)
{
    struct cs_program p;
    struct cs_slice_options so = {};
    struct cs_slice_result res;
    if (!in_lto_p || flag_wpa || seen_error() || is_part())
        return;
    so.keep_errors = opt.keep_errors;
    so.budget = opt.budget;
    so.mode_is_given = link_sets_mode();
    so.counter = opt.counters && !opt.original ? CS_COUNT_CALL : NULL;
    so.count_how = opt.count_how;
    so.repeats = !opt.original && !opt.no_repeat;
    struct cs_needs needs = {};
    needs.brief = true; /* commslice why decides the stored program again */
    so.choose_drop = choose_fault;
    struct cs_learnt learnt = {};
    so.needs = &needs;
    so.learnt = &learnt;
    struct cs_effects *fx = load_effects();
    cs_progress_start();
    if (opt.counters)
        cs_count_insert(opt.count_each ? CS_COUNT_EACH : opt.original ? CS_COUNT_LOOPS : CS_COUNT_NESTS, fx);
    cs_copy_wrappers();
    cs_assume_values(&opt.assumptions);
    cs_call_no_other_variants();
    cs_lower_program(&p);
    if (opt.dump)
        write_dump(p.graph);
    cs_assume_called(&p, &opt.assumptions);
    cs_text_numbers numbers;
    std::string graph = written([&](FILE *out) { cs_graph_write_numbered(p.graph, out, &numbers); });
    cs_assume_decide(&p, &opt.assumptions);
    auto_vec<bool> stateful;
    cs_assume_stateful(&p, &opt.assumptions, &stateful);
    so.stateful = stateful.address();
    int status = cs_slice(p.graph, fx, &so, &res);
    cs_progress_end();
    if (p.graph->no_read_back)
        fprintf(stderr, "commslice: assuming " CS_NO_READ_BACK " (%d write%s)\n", res.unread,
                res.unread == 1 ? "" : "s");
    say(p.graph, &res);
    cs_assume_warn(&p, &opt.assumptions, needs.flow.called_back);
    refuse_unsafe(p.graph);
    if (status)
        error_at(UNKNOWN_LOCATION, "commslice: no slice is made, see the errors above");
    else {
        if (opt.verbose) {
            fprintf(stderr, "commslice: %d statements and %d marks can be dropped\n", res.drop_stmts, res.drop_marks);
            fprintf(stderr, "commslice: points-to took %d million steps\n", (int)(res.steps / 1000000));
        }
        cs_holders holders;
        find_holders(&p, &needs, &res, &holders);
        say_kept(p.graph, &res, &holders);
        if (opt.original)
            cs_value_restore(&opt.assumptions.values);
        std::string info = cs_info_text(&p, &res, &opt.assumptions, &holders, !opt.original);
        cs_holders_free(&holders);
        cs_stored_renumber(&learnt, &numbers);
        cs_emit_section(stored_text(graph, &so), "commslice_graph", ".commslice.graph");
        cs_faults faults = {opt.mutant.gone_values, res.dropped, opt.mutant.poison, opt.mutant.trap};
        cs_compare_overlook(opt.overlook, opt.verbose);
        if (opt.overlook)
            warning(0, "commslice: option %<test-overlook%>: this slice is wrong on purpose");
        cs_apply(&p, &opt.assumptions, !opt.original, &res.alike, &faults);
        if (opt.verbose)
            fprintf(stderr, "commslice: %d kinds of things are told of turns\n", cs_compare_told());
        cs_info_add_loops(&info, p.graph, &res.alike);
        cs_emit_section(info, "commslice_info", ".commslice");
    }
    cs_text_numbers_free(&numbers);
    free(learnt.fact);
    free(learnt.lost);
    cs_needs_free(&needs);
    cs_slice_result_free(&res);
    cs_program_free(&p);
    cs_effects_free(fx);
}

bool parse_number(const char *text, int *n)
{
    char *end;
    long v = strtol(text, &end, 10);
    if (end == text || *end || v < 0 || v > INT_MAX)
        return false;
    *n = v;
    return true;
}

/* NULL, or why not. */
const char *parse_option(const char *k, const char *v)
{
    static const char *const given[] = {"dump", "effects", "assume", "test-mutants"}, *const plain[] = {
                                                                                          "keep-errors", "verbose",
                                                                                          "test-poison",
                                                                                          "test-count-each"};
    bool fine = true;
    for (size_t i = 0; i < ARRAY_SIZE(given); i++)
        if (!strcmp(k, given[i]) && !*v)
            return "needs a value";
    for (size_t i = 0; i < ARRAY_SIZE(plain); i++)
        if (!strcmp(k, plain[i]) && *v)
            return "takes no value";
    if (!strcmp(k, "keep-errors"))
        opt.keep_errors = true;
    else if (!strcmp(k, "no-repeat"))
        opt.no_repeat = true;
    else if (!strcmp(k, "mode") && strcmp(v, "original") && strcmp(v, "counted") && strcmp(v, "slice"))
        return "is original, counted or slice";
    else if (!strcmp(k, "mode")) {
        opt.original = strcmp(v, "slice") != 0;
        opt.counters |= !strcmp(v, "counted");
    } else if (!strcmp(k, "counters") && *v && strcmp(v, "setup") && strcmp(v, "all"))
        return "takes no value but setup and all";
    else if (!strcmp(k, "counters")) {
        opt.counters = true;
        opt.count_how = !*v ? CS_COUNT_CHEAP : *v == 's' ? CS_COUNT_SETUP : CS_COUNT_ALL;
    } else if (!strcmp(k, "verbose"))
        opt.verbose = true;
    else if (!strcmp(k, "dump"))
        opt.dump = v;
    else if (!strcmp(k, "effects"))
        opt.effects.safe_push(v);
    else if (!strcmp(k, "assume"))
        add_assumption(v);
    else if (!strcmp(k, "budget")) {
        bool none = !strcmp(v, "none"), wide = !strcmp(v, "wide");
        fine = none || wide || (parse_number(v, &opt.budget) && opt.budget <= CS_BUDGET_MOST);
        if (none || wide || !opt.budget)
            opt.budget = none ? CS_BUDGET_NONE : wide ? CS_BUDGET_WIDE : CS_BUDGET_AT_ONCE;
    } else if (!strcmp(k, "test-count-each"))
        opt.count_each = true;
    else if (!strcmp(k, "test-drop-stmt"))
        fine = parse_number(v, &opt.mutant.stmt);
    else if (!strcmp(k, "test-drop-mark"))
        fine = parse_number(v, &opt.mutant.mark);
    else if (!strcmp(k, "test-gone-values"))
        fine = parse_number(v, &opt.mutant.gone_values);
    else if (!strcmp(k, "test-overlook"))
        fine = parse_number(v, &opt.overlook);
    else if (!strcmp(k, "test-poison"))
        opt.mutant.poison = true;
    else if (!strcmp(k, "test-mutants"))
        opt.mutants = v;
    else
        return "";
    return fine ? NULL : "needs a number";
}

/* The compiler's own split of KEY=VALUE loses a character for every further `=`, so the options are read from its
 * command line. */
bool parse_options(const char *plugin)
{
    for (unsigned i = 0; i < save_decoded_options_count; i++) {
        const cl_decoded_option *o = &save_decoded_options[i];
        size_t n = strlen(plugin);
        if (o->opt_index != OPT_fplugin_arg_ || strncmp(o->arg, plugin, n) || o->arg[n] != '-')
            continue;
        char *key = xstrdup(o->arg + n + 1), *eq = strchr(key, '=');
        if (eq)
            *eq = 0;
        const char *why = parse_option(key, eq ? eq + 1 : "");
        if (!why)
            continue;
        fprintf(stderr,
                *why ? "commslice: option -fplugin-arg-%s %s: see commslice-mpicc --commslice-help\n"
                     : "commslice: unknown option -fplugin-arg-%s%s: see commslice-mpicc --commslice-help\n",
                o->arg, why);
        return false;
    }
    return true;
}

/* Nothing else tells -fno-lto from its absence. */
bool lto_is_off()
{
    bool off = false;
    for (unsigned i = 0; i < save_decoded_options_count; i++) {
        size_t o = save_decoded_options[i].opt_index;
        if (o == OPT_flto || o == OPT_flto_)
            off = o == OPT_flto && !save_decoded_options[i].value;
    }
    return off;
}

/* The engines are libraries that are loaded before a slice, which takes a dynamic one. */
bool link_is_static()
{
    return link_option("'-static'") || link_option("'-static-pie'");
}

} // namespace

int plugin_init(struct plugin_name_args *info, struct plugin_gcc_version *version)
{
    if (strcmp(version->basever, gcc_version.basever)) {
        fprintf(
            stderr,
            "commslice: built for GCC %s, but this is GCC %s: build commslice with the compiler that is to use it\n",
            gcc_version.basever, version->basever);
        return 1;
    }
    if (!parse_options(info->base_name))
        return 1;
    if (lto_is_off()) {
        fprintf(stderr, "commslice: -fno-lto is given, but a slice needs the whole program at the link: take it out\n");
        return 1;
    }
    if (link_is_static() && !opt.original) {
        fprintf(
            stderr,
            "commslice: -static is given, but commslice run starts a slice with a library loaded before it: link it "
            "dynamically\n");
        return 1;
    }
    int given = flag_no_inline;
    cs_as_original_options();
    calm_optimisers();
    if (!in_lto_p && strcmp(lang_hooks.name, "GNU GIMPLE")) {
        flag_no_inline = given; /* while the source is read, which may ask for it: __NO_INLINE__ */
        flag_lto = "auto";
        flag_generate_lto = 1;
        flag_fat_lto_objects = 0;
        flag_whole_program = 0; /* as GCC does with -flto: it is the link that sees the whole program */
        cs_assume_keep_senses(info->base_name);
        register_callback(info->base_name, PLUGIN_OVERRIDE_GATE, comparisons_stay, NULL);
        cs_as_original_pass(info->base_name);
        register_callback(info->base_name, PLUGIN_ALL_IPA_PASSES_START, source_is_read, NULL);
        return 0;
    }
    flag_lto_partition = LTO_PARTITION_ONE;
    /* Fortran that calls MPI by mpif.h has a type of its own for each call. The original, linked without LTO, is not
     * told off for it. */
    if (!OPTION_SET_P(warn_lto_type_mismatch))
        warn_lto_type_mismatch = 0;
    register_callback(info->base_name, PLUGIN_ALL_IPA_PASSES_START, inlining_is_done, NULL);
    register_callback(info->base_name, PLUGIN_OVERRIDE_GATE, cs_start_functions_stay, NULL);
    register_callback(info->base_name, PLUGIN_OVERRIDE_GATE, nothing_goes_in_line, NULL);
    register_callback(info->base_name, PLUGIN_OVERRIDE_GATE, divide_as_compiled, NULL);
    register_callback(info->base_name, PLUGIN_ALL_IPA_PASSES_START, slice_program, NULL);
    return 0;
}
