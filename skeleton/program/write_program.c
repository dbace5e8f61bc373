/* SPDX-License-Identifier: BSD-3-Clause
 * Writes the generated program around its body: heading, constants, variables, the parts of prelude.c that it uses,
 * tables, main. The body is made first, as it shows which of these are needed. */
#define _GNU_SOURCE 1
#include "skeleton/program/write_program.h"

#include <assert.h>
#include <string.h>

#include "api/mpi_calls.h"
#include "skeleton/emit/definitions.h"
#include "skeleton/gen/symbol_args.h"

/* Writes text inside a C comment. Two characters that would end the comment, or begin another, get a backslash between
 * them. */
static void write_comment(FILE *out, const char *text)
{
    for (char before = 0; *text; before = *text++) {
        if ((before == '*' && *text == '/') || (before == '/' && *text == '*'))
            putc('\\', out);
        putc(*text, out);
    }
}

/* Writes the comment at the top of the program, and its includes. */
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
        ".\n * Made by commslice skeleton --scale %lld. Compile with mpicc -O2, run on %d ranks; any argument makes "
        "all ranks report.\n",
        k, m->info.nranks);
    fputs(g->computes ? " * Computation: " : " * There is no computation: the trace has no times.", out);
    if (g->computes)
        write_comment(out, g->o->times ? g->o->times : "as recorded with the trace.");
    putc('\n', out);
    if (*g->report.note)
        fprintf(out, " * Note: %s.\n", g->report.note);
    fputs(" */\n#include <mpi.h>\n#include <stdint.h>\n#include <stdio.h>\n#include <stdlib.h>\n\n", out);
}

/* Writes the sizes of the program's arrays, the enumeration of its communicators, and the variables rank and cls. */
static void write_constants(struct cs_gen *g, FILE *out)
{
    fprintf(out, "#define NRANKS %d\n", g->m->info.nranks);
    if (g->need[CS_NEED_WORK])
        fprintf(out,
                "#ifndef WORK_RATE\n#define WORK_RATE %.6g     /* turns of the work loop a second where the times were "
                "recorded */\n#endif\n",
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

/* Writes the table ranks_of[] of a program with several classes: a row for each range of ranks of each class. */
static void write_classes(const struct cs_gen *g, FILE *out)
{
    assert(g->m->nclasses > 1);
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

/* Writes the variables of the program: datatypes, k<node>, g<node> (struct cs_gen), and the buffers that `body`
 * names. */
static void write_variables(struct cs_gen *g, FILE *out, const char *body)
{
    cs_gen_write_type_variables(g, out);
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

/* Writes the statements of main() that give variables their first values. Buffered sends get room for 256 messages of
 * each call that sends so, up to 2^28 bytes in all. */
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
        int64_t most = 1 << 28, room = most; /* a product could overflow: sizes in a trace are any */
        if (g->bsend_bytes < most && g->bsends < most)
            room = g->bsends > most / 256 / (g->bsend_bytes + 512) ? most : (g->bsend_bytes + 512) * 256 * g->bsends;
        fprintf(out, "    MPI_Buffer_attach(malloc(%lld), %lld);\n", (long long)room, (long long)room);
    }
    if (g->need[CS_NEED_REQUEST])
        fputs("    for (int i = 0; i < REQUESTS; i++)\n        made[i] = MPI_REQUEST_NULL;\n", out);
}

/* C text of the call that begins the program: MPI_Init_thread if the original called that, else MPI_Init. */
static const char *init_call(const struct cs_gen *g)
{
    for (int i = 0; i < g->m->nsymbols; i++) {
        const struct cs_mpi_call *c = cs_mpi_call(g->m->symbol[i].call);
        if (c->kind == CS_MPI_INIT && cs_gen_arg(c, CS_ROLE_IN, 0) >= 0)
            return "MPI_Init_thread(&argc, &argv, MPI_THREAD_SINGLE, &provided)";
    }
    return "MPI_Init(&argc, &argv)";
}

/* Writes main(). The name of the program goes into its format strings, so it has no quotation mark, backslash or
 * percent sign. */
static void write_main(struct cs_gen *g, FILE *out, const char *body)
{
    const char *init = init_call(g), *name = g->o->program ? g->o->program : "skeleton";
    assert(!strpbrk(name, "\"\\%"));
    fprintf(out, "int main(int argc, char **argv)\n{\n    int size%s%s;\n    double begin, seconds = 0;\n    %s;\n",
            g->uses_flag ? ", flag" : "", strstr(init, "provided") ? ", provided" : "", init);
    fputs("    MPI_Comm_rank(MPI_COMM_WORLD, &rank);\n    MPI_Comm_size(MPI_COMM_WORLD, &size);\n"
          "    if (size != NRANKS) {\n        if (rank == 0)\n",
          out);
    fprintf(out,
            "            fprintf(stderr, \"%s: made for %%d ranks\\n\", NRANKS);\n        MPI_Finalize();\n"
            "        return 2;\n    }\n",
            name);
    if (g->m->nclasses > 1)
        fputs("    cls = class_of(rank);\n", out);
    if (g->errors_return)
        fputs("    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);      /* the original went on where no "
              "communicator was made */\n",
              out);
    write_set_up(g, out, body);
    fprintf(out, "    begin = %sMPI_Wtime();\n\n%s\n", g->need[CS_NEED_CLOCK] ? "since = " : "", body);
    fputs("    if (rank == 0 || argc > 1)\n", out);
    fprintf(out, "        printf(\"%s: rank %%d: %%.6f s, predicts %%.6f s\\n\", rank, seconds, %s);\n", name,
            g->need[CS_NEED_CLOCK] ? "predicted" : "seconds");
    fputs("    return 0;\n}\n", out);
}

void cs_gen_write_program(struct cs_gen *g, FILE *out, const char *body, const char *tables)
{
    struct cs_gen_memory m;
    FILE *mem = cs_gen_begin(g, &m);
    if (!mem)
        return;
    if (cs_gen_has_definitions(g))
        cs_gen_write_definitions(g, mem); /* may need more of the prelude, and leave a note */
    const char *definitions = cs_gen_end(g, &m);
    cs_prelude_close(g->need);
    g->need[CS_NEED_CLASS] = g->m->nclasses > 1;
    g->need[CS_NEED_ROOM] = strstr(body, "sendbuf") || strstr(body, "recvbuf");
    write_heading(g, out);
    write_constants(g, out);
    if (g->need[CS_NEED_CLASS])
        write_classes(g, out);
    write_variables(g, out, body);
    cs_prelude_write(out, g->need);
    fprintf(out, "%s%s%s", tables, *tables ? "\n" : "", definitions);
    write_main(g, out, body);
}
