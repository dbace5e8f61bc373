/* SPDX-License-Identifier: BSD-3-Clause
 * Puts the generated program together: heading, constants, what it uses of prelude.c, tables, main.
 * The body is made first, in memory, as only then is known what it needs. */
#define _GNU_SOURCE 1
#include <stdlib.h>
#include <string.h>

#include "skeleton/gen.h"
#include "skeleton/prelude_text.h"

static const char *const need_name[CS_NEED_COUNT_] = {
    [CS_NEED_CLOCK] = "clock",
    [CS_NEED_TOGETHER] = "together",
    [CS_NEED_WORK] = "work",
    [CS_NEED_TURN] = "turn",
    [CS_NEED_WORK_OUTSIDE] = "work_outside",
    [CS_NEED_CLASS] = "class",
    [CS_NEED_COMM] = "comm",
    [CS_NEED_PEER] = "peer",
    [CS_NEED_GROUP] = "group",
    [CS_NEED_REQUEST] = "requests",
    [CS_NEED_KEPT] = "kept",
    [CS_NEED_WHICH] = "request",
    [CS_NEED_NEW_REQUEST] = "new_request",
    [CS_NEED_NEW_KEPT] = "new_kept",
    [CS_NEED_SKIP] = "skip",
    [CS_NEED_STATUSES] = "statuses",
    [CS_NEED_WAITALL] = "waitall",
    [CS_NEED_STARTALL] = "startall",
    [CS_NEED_LATER] = "later",
    [CS_NEED_ADD_LATER] = "add_later",
    [CS_NEED_NEW_LATER] = "new_later",
    [CS_NEED_START_LATER] = "start_later",
    [CS_NEED_OFFER] = "offer",
    [CS_NEED_WAITANY] = "waitany",
    [CS_NEED_WAITSOME] = "waitsome",
    [CS_NEED_TESTALL] = "testall",
    [CS_NEED_TESTANY] = "testany",
    [CS_NEED_TESTSOME] = "testsome",
    [CS_NEED_MESSAGE] = "message",
    [CS_NEED_DISPLS] = "displs",
    [CS_NEED_DISPLS_W] = "displs_w",
    [CS_NEED_AINTS_W] = "aints_w",
    [CS_NEED_TYPES_W] = "types_w",
    [CS_NEED_USER_OP] = "user_op",
    [CS_NEED_ROOM] = "room",
};

/* What a part of the prelude uses of others. */
static void close_needs(bool *need)
{
    need[CS_NEED_OFFER] = need[CS_NEED_WAITANY] || need[CS_NEED_WAITSOME] || need[CS_NEED_TESTALL] ||
                          need[CS_NEED_TESTANY] || need[CS_NEED_TESTSOME];
    need[CS_NEED_ADD_LATER] |= need[CS_NEED_NEW_LATER] || need[CS_NEED_START_LATER];
    need[CS_NEED_LATER] |= need[CS_NEED_OFFER] || need[CS_NEED_ADD_LATER];
    need[CS_NEED_REQUEST] |= need[CS_NEED_WHICH] || need[CS_NEED_NEW_LATER] || need[CS_NEED_WAITALL] ||
                             need[CS_NEED_STARTALL] || need[CS_NEED_NEW_REQUEST] || need[CS_NEED_NEW_KEPT] ||
                             need[CS_NEED_SKIP];
    need[CS_NEED_KEPT] = need[CS_NEED_WHICH] || need[CS_NEED_NEW_KEPT];
    need[CS_NEED_STATUSES] =
        need[CS_NEED_WAITALL] || need[CS_NEED_WAITSOME] || need[CS_NEED_TESTALL] || need[CS_NEED_TESTSOME];
    need[CS_NEED_TOGETHER] |= need[CS_NEED_WORK_OUTSIDE];
    need[CS_NEED_COMM] = true;
}

static void write_part(FILE *out, const char *name)
{
    static const char dashes[] = "/*---- ";
    const char *at = prelude_text;
    size_t n = strlen(name);
    while ((at = strstr(at, dashes))) {
        at += strlen(dashes);
        if (strncmp(at, name, n) == 0 && at[n] == ' ')
            break;
    }
    const char *from = at ? strchr(at, '\n') + 1 : "", *to = strstr(from, dashes);
    fwrite(from, 1, to ? (size_t)(to - from) : 0, out);
    fputc('\n', out);
}

/* Part of a comment: what would end it, or begin another, gets a backslash between. */
static void write_comment(FILE *out, const char *text)
{
    for (char before = 0; *text; before = *text++) {
        if ((before == '*' && *text == '/') || (before == '/' && *text == '*'))
            putc('\\', out);
        putc(*text, out);
    }
}

static void write_heading(const struct cs_gen *g, FILE *out)
{
    const struct cs_merged *m = g->m;
    long long k = g->o->scale;
    fputs("/* Communicates like ", out);
    write_comment(out, g->o->source ? g->o->source : "the run");
    fprintf(out, ", %d ranks", m->info.nranks);
    if (k > 1)
        fprintf(out, "; %d loops run %lld times fewer iterations, %d run two, %d run in full", g->report.divided, k,
                g->report.two, g->report.whole);
    fprintf(
        out,
        ".\n * Made by commslice skeleton --scale %lld. Compile with mpicc -O2, run on %d ranks; any argument makes all ranks report.\n",
        k, m->info.nranks);
    fputs(g->computes ? " * Computation: " : " * There is no computation: the trace has no times.", out);
    if (g->computes)
        write_comment(out, g->o->times ? g->o->times : "as recorded with the trace.");
    putc('\n', out);
    if (*g->report.note)
        fprintf(out, " * Note: %s.\n", g->report.note);
    fputs(" */\n#include <mpi.h>\n#include <stdint.h>\n#include <stdio.h>\n#include <stdlib.h>\n\n", out);
}

static void write_constants(struct cs_gen *g, FILE *out)
{
    fprintf(out, "#define NRANKS %d\n", g->m->info.nranks);
    if (g->need[CS_NEED_WORK])
        fprintf(
            out,
            "#ifndef WORK_RATE\n#define WORK_RATE %.6g     /* turns of the work loop a second where the times were recorded */\n#endif\n",
            g->o->work_rate);
    if (g->need[CS_NEED_REQUEST])
        fprintf(out, "#define REQUESTS %lld\n", (long long)g->requests + 1);
    if (g->need[CS_NEED_KEPT])
        fprintf(out, "#define KEPT %lld\n", (long long)g->kept + 1);
    if (g->need[CS_NEED_MESSAGE])
        fprintf(out, "#define MESSAGES %lld\n", (long long)g->messages + 1);
    cs_gen_write_comms(g, out);
    fprintf(out, "\nstatic int rank%s;\n", g->m->nclasses > 1 ? ", cls" : "");
}

static void write_classes(const struct cs_gen *g, FILE *out)
{
    fputs("/* start, stride and number of ranks, and their class */\n"
          "static const struct { int start, stride, n, cls; } ranks_of[] = {",
          out);
    for (int k = 0, n = 0; k < g->m->nclasses; k++)
        for (int i = 0; i < g->m->cls[k].ranks.n; i++, n++) {
            const struct cs_range *r = &g->m->cls[k].ranks.range[i];
            fprintf(out, "%s{%d, %d, %d, %d}",
                    n == 0  ? ""
                    : n % 8 ? ", "
                            : ",\n    ",
                    r->start, r->stride ? r->stride : 1, r->len, k);
        }
    fputs("};\n\n", out);
}

static void write_variables(struct cs_gen *g, FILE *out, const char *body)
{
    for (int i = 0; i < g->m->ntypes; i++)
        if (g->type_named[i])
            fprintf(out, "static MPI_Datatype type_%d;       /* %s, extent %lld */\n", i, g->m->type[i].signature,
                    (long long)g->m->type[i].extent);
    if (g->null_named)
        fputs("static MPI_Datatype type_null;\n", out);
    for (int i = 0; i < g->m->nops; i++)
        if (g->op_named[i])
            fprintf(out, "static MPI_Op op_%s;\n", g->m->op[i]);
    for (int i = 0; i < g->m->nops && g->need[CS_NEED_USER_OP]; i++)
        if (strncmp(g->m->op[i], "user", 4) == 0)
            fprintf(out, "static MPI_Op %s;\n", g->m->op[i]);
    for (int64_t i = 0; i < g->m->nnodes; i++)
        if (g->counts_node[i])
            fprintf(out, "static long k%lld;\n", (long long)i);
    for (int64_t i = 0; i < g->m->nnodes && g->gaps; i++)
        if (g->gaps[i].turns)
            fprintf(out, "static int g%lld;\n", (long long)i);
    if (strstr(body, "sendbuf"))
        fputs("static char *sendbuf;\n", out);
    if (strstr(body, "recvbuf"))
        fputs("static char *recvbuf;\n", out);
}

static void write_set_up(struct cs_gen *g, FILE *out, const char *body)
{
    fputs("    for (int i = 0; i < NCOMMS; i++)\n        comm[i] = MPI_COMM_NULL;\n", out);
    for (int i = 0; i < g->m->ncomms; i++)
        if (strcmp(g->m->comm[i].path, "world") == 0 || strcmp(g->m->comm[i].path, "self") == 0)
            fprintf(out, "    comm[%s] = MPI_COMM_%s;\n", cs_gen_comm_name(g, i), cs_gen_comm_name(g, i));
    if (cs_gen_has_definitions(g))
        fputs("    make_types_and_operations();\n", out);
    if (strstr(body, "sendbuf"))
        fprintf(out, "    sendbuf = room(%lld);\n", (long long)g->send_bytes + 16);
    if (strstr(body, "recvbuf"))
        fprintf(out, "    recvbuf = room(%lld);\n", (long long)g->recv_bytes + 16);
    if (g->need[CS_NEED_WORK])
        fputs("    work_begin();\n", out);
    if (g->bsends) {
        int64_t room = (g->bsend_bytes + 512) * 256 * g->bsends;
        room = room > 1 << 28 ? 1 << 28 : room;
        fprintf(out, "    MPI_Buffer_attach(malloc(%lld), %lld);\n", (long long)room, (long long)room);
    }
    if (g->need[CS_NEED_REQUEST])
        fputs("    for (int i = 0; i < REQUESTS; i++)\n        made[i] = MPI_REQUEST_NULL;\n", out);
}

static const char *init_call(const struct cs_gen *g)
{
    for (int i = 0; i < g->m->nsymbols; i++)
        if (strcmp(cs_mpi_call(g->m->symbol[i].call)->name, "MPI_Init_thread") == 0)
            return "MPI_Init_thread(&argc, &argv, MPI_THREAD_SINGLE, &provided)";
    return "MPI_Init(&argc, &argv)";
}

static void write_main(struct cs_gen *g, FILE *out, const char *body)
{
    const char *init = init_call(g), *name = g->o->program ? g->o->program : "skeleton";
    fprintf(out, "int main(int argc, char **argv)\n{\n    int size%s%s;\n    double begin, seconds = 0;\n    %s;\n",
            g->uses_flag ? ", flag" : "", strstr(init, "provided") ? ", provided" : "", init);
    fputs("    MPI_Comm_rank(MPI_COMM_WORLD, &rank);\n    MPI_Comm_size(MPI_COMM_WORLD, &size);\n"
          "    if (size != NRANKS) {\n        if (rank == 0)\n",
          out);
    fprintf(
        out,
        "            fprintf(stderr, \"%s: made for %%d ranks\\n\", NRANKS);\n        MPI_Finalize();\n        return 2;\n    }\n",
        name);
    if (g->m->nclasses > 1)
        fputs("    cls = class_of(rank);\n", out);
    if (g->errors_return)
        fputs(
            "    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);      /* the original went on where no communicator was made */\n",
            out);
    write_set_up(g, out, body);
    fprintf(out, "    begin = %sMPI_Wtime();\n\n%s\n", g->need[CS_NEED_CLOCK] ? "since = " : "", body);
    fputs("    if (rank == 0 || argc > 1)\n", out);
    fprintf(out, "        printf(\"%s: rank %%d: %%.6f s, predicts %%.6f s\\n\", rank, seconds, %s);\n", name,
            g->need[CS_NEED_CLOCK] ? "predicted" : "seconds");
    fputs("    return 0;\n}\n", out);
}

static void write_all(struct cs_gen *g, FILE *out, const char *body, const char *tables)
{
    char *definitions = NULL;
    size_t len;
    FILE *mem = open_memstream(&definitions, &len);
    if (!mem) {
        cs_gen_refuse(g, "not enough memory");
        return;
    }
    if (cs_gen_has_definitions(g))
        cs_gen_write_definitions(g, mem); /* may need more of the prelude, and leave a note */
    fclose(mem);
    close_needs(g->need);
    g->need[CS_NEED_CLASS] = g->m->nclasses > 1;
    g->need[CS_NEED_ROOM] = strstr(body, "sendbuf") || strstr(body, "recvbuf");
    write_heading(g, out);
    write_constants(g, out);
    if (g->need[CS_NEED_CLASS])
        write_classes(g, out);
    write_variables(g, out, body);
    for (int i = 0; i < CS_NEED_COUNT_; i++)
        if (g->need[i])
            write_part(out, need_name[i]);
    fprintf(out, "%s%s%s", tables, *tables ? "\n" : "", definitions);
    write_main(g, out, body);
    free(definitions);
}

static int allocate(struct cs_gen *g)
{
    size_t n = (size_t)g->m->nnodes + 1, ranks = (size_t)g->m->info.nranks + 1;
    g->count = calloc(n, sizeof *g->count);
    g->parent = calloc(n, sizeof *g->parent);
    g->counts_node = calloc(n, 1);
    g->later = calloc(n, 1);
    g->open_at = calloc(n, 1);
    g->together = calloc(n, 1);
    g->kept_node = calloc((size_t)g->m->nclasses + 1, sizeof *g->kept_node);
    g->nkept_node = calloc((size_t)g->m->nclasses + 1, sizeof *g->nkept_node);
    g->type_named = calloc((size_t)g->m->ntypes + 1, 1);
    g->op_named = calloc((size_t)g->m->nops + 1, 1);
    g->value = calloc(ranks, sizeof *g->value);
    g->here = calloc(ranks, 1);
    if (!g->count || !g->parent || !g->counts_node || !g->later || !g->open_at || !g->together || !g->kept_node ||
        !g->nkept_node || !g->type_named || !g->op_named || !g->value || !g->here)
        return cs_gen_refuse(g, "not enough memory");
    return 0;
}

static void release(struct cs_gen *g)
{
    for (size_t i = 0; i < g->ntexts; i++)
        free(g->text[i]);
    free(g->text);
    free(g->table);
    free(g->count);
    free(g->parent);
    free(g->counts_node);
    free(g->later);
    free(g->open_at);
    free(g->together);
    cs_gen_vary_end(g);
    for (int k = 0; k < g->m->nclasses && g->kept_node; k++)
        free(g->kept_node[k]);
    free(g->kept_node);
    free(g->nkept_node);
    free(g->type_named);
    free(g->op_named);
    free(g->value);
    free(g->here);
}

/* An order that was changed for merging is not the program's. */
static int in_order(struct cs_gen *g)
{
    for (int i = 0; i < g->m->nsymbols; i++)
        for (int p = 0; p < g->m->symbol[i].nparts; p++)
            if (g->m->symbol[i].part[p].shift)
                return cs_gen_refuse(g,
                                     "merged in another order than the original; merge again with the original order");
    return 0;
}

int cs_skeleton_write(const struct cs_merged *m, const struct cs_skeleton_options *o, FILE *out,
                      struct cs_skeleton_report *report, char *errbuf, size_t errlen)
{
    struct cs_gen g = {
        .m = m, .o = o, .computes = m->gap_at && o->work_rate > 0, .degree = 1, .errbuf = errbuf, .errlen = errlen};
    char *body = NULL, *tables = NULL;
    size_t nbody, ntables;
    g.report.times = g.computes;
    g.body = open_memstream(&body, &nbody);
    g.tables = open_memstream(&tables, &ntables);
    int rc = g.body && g.tables ? allocate(&g) : cs_gen_refuse(&g, "not enough memory");
    if (rc == 0 && (in_order(&g) || cs_gen_loops(&g) || cs_gen_requests(&g) || cs_gen_plan(&g) || cs_gen_together(&g) ||
                    cs_gen_vary(&g) || cs_gen_nest(&g)))
        rc = -1;
    if (g.body)
        fclose(g.body);
    if (g.tables)
        fclose(g.tables);
    if (rc == 0)
        write_all(&g, out, body, tables);
    if (report)
        *report = g.report;
    free(body);
    free(tables);
    release(&g);
    return g.failed ? -1 : rc;
}
