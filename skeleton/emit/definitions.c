/* SPDX-License-Identifier: BSD-3-Clause
 * Communicators, datatypes and operations of the program: names for them, and the functions that make and free types
 * and operations. */
#define _GNU_SOURCE 1
#include "skeleton/emit/definitions.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "skeleton/emit/type_code.h"

/* ---- communicators ---- */

const char *cs_gen_comm_name(struct cs_gen *g, int64_t comm)
{
    if (comm < 0 || comm >= g->m->ncomms)
        return "NONE";
    const char *path = g->m->comm[comm].path;
    char *name = strdup(path);
    if (!name) {
        cs_gen_refuse(g, "not enough memory");
        return "NONE";
    }
    if (*path == '?')
        cs_gen_refuse(g, "a communicator that was made by a call that is not recorded");
    for (char *p = name; *p; p++)
        *p = isalnum((unsigned char)*p) ? (char)toupper((unsigned char)*p) : *p == '~' ? 'X' : '_';
    const char *text = cs_gen_text(g, "%s", name);
    free(name);
    return text;
}

void cs_gen_write_comms(struct cs_gen *g, FILE *out)
{
    fputs("enum { ", out);
    for (int i = 0; i < g->m->ncomms; i++)
        fprintf(out, "%s, ", cs_gen_comm_name(g, i));
    fputs("NONE, NCOMMS };\n", out);
}

/* ---- datatypes ---- */

const char *cs_gen_type_name(struct cs_gen *g, int64_t type)
{
    if (type < 0 || type >= g->m->ntypes)
        return "MPI_DATATYPE_NULL";
    const char *name = cs_gen_basic_type(g, &g->m->type[type]);
    if (name)
        return cs_gen_text(g, "MPI_%s", name);
    g->type_named[type] = true;
    return cs_gen_text(g, "type_%lld", (long long)type);
}

const char *cs_gen_type_address(struct cs_gen *g, int64_t type)
{
    if (type < 0 || type >= g->m->ntypes) {
        g->null_named = true;
        return "&type_null";
    }
    g->type_named[type] = true;
    return cs_gen_text(g, "&type_%lld", (long long)type);
}

/* ---- operations ---- */

/* User-defined operations are named user0, user1, ... in a trace. */
static bool is_user(const char *op)
{
    return strncmp(op, "user", 4) == 0;
}

const char *cs_gen_op_name(struct cs_gen *g, int64_t op)
{
    if (op < 0 || op >= g->m->nops)
        return "MPI_OP_NULL";
    const char *name = g->m->op[op];
    if (!is_user(name))
        return cs_gen_text(g, "MPI_%s", name);
    g->need[CS_NEED_USER_OP] = true;
    return cs_gen_text(g, "%s", name);
}

const char *cs_gen_op_address(struct cs_gen *g, int64_t op)
{
    if (op < 0 || op >= g->m->nops) {
        cs_gen_refuse(g, "an operation that is none");
        return "NULL";
    }
    if (is_user(g->m->op[op]))
        return cs_gen_text(g, "&%s", cs_gen_op_name(g, op));
    g->op_named[op] = true;
    return cs_gen_text(g, "&op_%s", g->m->op[op]);
}

/* ---- all of them ---- */

bool cs_gen_frees_definitions(struct cs_gen *g)
{
    for (int i = 0; i < g->m->ntypes; i++)
        if (!cs_gen_basic_type(g, &g->m->type[i]))
            return true;
    for (int i = 0; i < g->m->nops; i++)
        if (is_user(g->m->op[i]))
            return true;
    return false;
}

bool cs_gen_has_definitions(struct cs_gen *g)
{
    for (int i = 0; i < g->m->ntypes; i++)
        if (g->type_named[i])
            return true;
    for (int i = 0; i < g->m->nops; i++)
        if (g->op_named[i])
            return true;
    return g->null_named || cs_gen_frees_definitions(g);
}

void cs_gen_write_type_variables(const struct cs_gen *g, FILE *out)
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
        if (is_user(g->m->op[i]))
            fprintf(out, "static MPI_Op %s;\n", g->m->op[i]);
}

static void write_body(struct cs_gen *g, FILE *out)
{
    for (int i = 0; i < g->m->ntypes; i++)
        if (g->type_named[i])
            cs_gen_write_type(g, out, i);
    if (g->null_named)
        fputs("    type_null = MPI_DATATYPE_NULL;\n", out);
    for (int i = 0; i < g->m->nops; i++)
        if (g->op_named[i])
            fprintf(out, "    op_%s = MPI_%s;\n", g->m->op[i], g->m->op[i]);
    for (int i = 0; i < g->m->nops && g->need[CS_NEED_USER_OP]; i++)
        if (is_user(g->m->op[i]))
            fprintf(out, "    MPI_Op_create(user_function, 1, &%s);\n", g->m->op[i]);
    if (g->type_parts)
        fprintf(out,
                "    for (int i = 0; i < %d; i++)\n        if (part[i] != MPI_DATATYPE_NULL)\n"
                "            MPI_Type_free(&part[i]);\n",
                g->type_parts);
}

/* Types and operations are freed, as MPICH warns of those that are left at the end. */
static void write_free(struct cs_gen *g, FILE *out)
{
    fputs("static void free_types_and_operations(void)\n{\n", out);
    for (int i = 0; i < g->m->ntypes; i++)
        if (g->type_named[i] && !cs_gen_basic_type(g, &g->m->type[i]))
            fprintf(out, "    MPI_Type_free(&type_%d);\n", i);
    for (int i = 0; i < g->m->nops && g->need[CS_NEED_USER_OP]; i++)
        if (is_user(g->m->op[i]))
            fprintf(out, "    MPI_Op_free(&%s);\n", g->m->op[i]);
    fputs("}\n\n", out);
}

void cs_gen_write_definitions(struct cs_gen *g, FILE *out)
{
    struct cs_gen_memory m;
    FILE *body = cs_gen_begin(g, &m);
    if (!body)
        return;
    write_body(g, body);
    const char *text = cs_gen_end(g, &m);
    if (strstr(text, "= join("))
        cs_gen_write_join(out);
    fputs("static void make_types_and_operations(void)\n{\n", out);
    if (g->type_parts)
        fprintf(out, "    MPI_Datatype part[%d];\n", g->type_parts);
    fprintf(out, "%s}\n\n", text);
    if (cs_gen_frees_definitions(g))
        write_free(g, out);
}
