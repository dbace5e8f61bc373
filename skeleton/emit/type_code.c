/* SPDX-License-Identifier: BSD-3-Clause
 * Writes the code that makes the program's datatypes from their signatures. A basic type is written by its name; any
 * other gets as many pieces as the original had, spread evenly over its extent. So a trace of the program shows the
 * same type as the original's, and packing it takes as long. */
#define _GNU_SOURCE 1
#include "skeleton/emit/type_code.h"

#include <assert.h>
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* Letters of a signature, and the basic types that they stand for: letters[i] is MPI_<named[i]>. */
static const char letters[] = "cbsilquwfdpCIRDLXZ";
static const char *const named[] = {"CHAR",      "BYTE",      "SHORT",         "INT",   "LONG",
                                    "LONG_LONG", "UNSIGNED",  "UNSIGNED_LONG", "FLOAT", "DOUBLE",
                                    "PACKED",    "CHARACTER", "INTEGER",       "REAL",  "DOUBLE_PRECISION",
                                    "LOGICAL",   "COMPLEX",   "DOUBLE_COMPLEX"};
_Static_assert(sizeof letters - 1 == sizeof named / sizeof *named, "a name for each letter");

/* The other basic types of the standard, without MPI_; a signature names them as {NAME}. */
static const char *const others[] = {"2DOUBLE_PRECISION",
                                     "2INT",
                                     "2INTEGER",
                                     "2REAL",
                                     "AINT",
                                     "C_BOOL",
                                     "C_COMPLEX",
                                     "C_DOUBLE_COMPLEX",
                                     "C_FLOAT_COMPLEX",
                                     "C_LONG_DOUBLE_COMPLEX",
                                     "COMPLEX16",
                                     "COMPLEX32",
                                     "COMPLEX8",
                                     "COUNT",
                                     "CXX_BOOL",
                                     "CXX_DOUBLE_COMPLEX",
                                     "CXX_FLOAT_COMPLEX",
                                     "CXX_LONG_DOUBLE_COMPLEX",
                                     "DOUBLE_INT",
                                     "FLOAT_INT",
                                     "INT16_T",
                                     "INT32_T",
                                     "INT64_T",
                                     "INT8_T",
                                     "INTEGER1",
                                     "INTEGER16",
                                     "INTEGER2",
                                     "INTEGER4",
                                     "INTEGER8",
                                     "LONG_DOUBLE",
                                     "LONG_DOUBLE_INT",
                                     "LONG_INT",
                                     "LONG_LONG_INT",
                                     "OFFSET",
                                     "REAL16",
                                     "REAL4",
                                     "REAL8",
                                     "SHORT_INT",
                                     "SIGNED_CHAR",
                                     "UINT16_T",
                                     "UINT32_T",
                                     "UINT64_T",
                                     "UINT8_T",
                                     "UNSIGNED_CHAR",
                                     "UNSIGNED_LONG_LONG",
                                     "UNSIGNED_SHORT",
                                     "WCHAR"};

/* Returns the name, without MPI_, of the basic type at *s, and moves *s behind it. The name is a constant or a string
 * of g. NULL if there is no known type; *s may then have moved. */
static const char *basic(struct cs_gen *g, const char **s)
{
    const char *at = strchr(letters, **s);
    if (**s && at) {
        ++*s;
        return named[at - letters];
    }
    const char *end = **s == '{' ? strchr(*s, '}') : NULL;
    if (!end)
        return NULL;
    const char *name = cs_gen_text(g, "%.*s", (int)(end - *s - 1), *s + 1);
    *s = end + 1;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (strcmp(others[i], name) == 0)
            return name;
    return NULL;
}

const char *cs_gen_basic_type(struct cs_gen *g, const struct cs_type_def *t)
{
    const char *s = t->signature, *name = basic(g, &s);
    if (!name || strcmp(s, "1") != 0)
        return NULL;
    /* the pairs for MPI_MINLOC may have padding: their extent may be larger than their size */
    return t->size == t->extent || strstr(name, "_INT") ? name : NULL;
}

/* A run of a signature, such as d3 or (d2i1)100: C text of the type that repeats, MPI_<name> or part[<i>], a string of
 * the cs_gen; and how often it does, 0 to INT32_MAX. */
struct piece {
    const char *type;
    int64_t count;
};
/* The most runs in one list that are understood, and the most levels of parentheses. */
enum { PIECES_MAX = 64, DEPTH_MAX = 16 };
static const char *make_type(struct cs_gen *g, FILE *out, const char **s, char end, int depth, int64_t extent);

/* Reads the run at *s into *p, moves *s behind it, and prints the code that makes its type. `depth` is the number of
 * parentheses around it. 0, or -1 if the run is not understood. */
static int one_run(struct cs_gen *g, FILE *out, const char **s, int depth, struct piece *p)
{
    char *rest;
    if (**s == '(') {
        ++*s;
        p->type = make_type(g, out, s, ')', depth + 1, 0);
        if (!p->type || *(*s)++ != ')')
            return -1;
    } else {
        const char *name = basic(g, s);
        if (!name)
            return -1;
        p->type = cs_gen_text(g, "MPI_%s", name);
    }
    p->count = strtoll(*s, &rest, 10);
    if (rest == *s || p->count < 0 || p->count > INT32_MAX)
        return -1;
    *s = rest;
    return 0;
}

/* Prints the code that makes the type of the list of runs from *s up to the character `end` or the end of the text, and
 * moves *s there. Returns the variable that holds the type, the last of g's parts; NULL if the list is not understood.
 * At depth 0 a type of several runs gets this extent, in bytes, if it is not longer already. */
static const char *make_type(struct cs_gen *g, FILE *out, const char **s, char end, int depth, int64_t extent)
{
    assert(depth >= 0 && depth <= DEPTH_MAX + 1);
    struct piece pieces[PIECES_MAX];
    int n = 0;
    while (**s && **s != end) {
        if (n == PIECES_MAX || depth > DEPTH_MAX || one_run(g, out, s, depth, &pieces[n]))
            return NULL;
        n++;
    }
    const char *name = cs_gen_text(g, "part[%d]", g->type_parts++);
    if (n == 1 || n == 0) {
        fprintf(out, "    MPI_Type_contiguous(%lld, %s, &%s);\n", (long long)(n ? pieces[0].count : 0),
                n ? pieces[0].type : "MPI_BYTE", name);
        return name;
    }
    fprintf(out, "    {\n        MPI_Datatype types[] = {");
    for (int i = 0; i < n; i++)
        fprintf(out, "%s%s", i ? ", " : "", pieces[i].type);
    fprintf(out, "};\n        int counts[] = {");
    for (int i = 0; i < n; i++)
        fprintf(out, "%s%lld", i ? ", " : "", (long long)pieces[i].count);
    fprintf(out, "};\n        %s = join(%d, counts, types, %lld);\n    }\n", name, n, (long long)(depth ? 0 : extent));
    return name;
}

/* Is the signature a list such as d3i1, not one run such as d3 or (d2i1)100? */
static bool several_runs(const char *signature)
{
    int depth = 0, runs = 0;
    for (const char *s = signature; *s; s++) {
        depth += *s == '(' || *s == '{';
        depth -= *s == ')' || *s == '}';
        runs += depth == 0 && isdigit((unsigned char)*s) && !isdigit((unsigned char)s[1]);
    }
    return runs > 1;
}

/* The largest divisor of `count` that is not more than `most`; 1 if `most` is less. `count` is at least 1. */
static int64_t divisor(int64_t count, int64_t most)
{
    int64_t best = 1;
    for (int64_t d = 1; d <= count / d; d++) {
        if (count % d)
            continue;
        if (d <= most && d > best)
            best = d;
        if (count / d <= most && count / d > best)
            best = count / d;
    }
    assert(count % best == 0 && (best <= most || best == 1));
    return best;
}

/* Writes type number i if it is one basic type in several pieces. All pieces get the same length, so there may be fewer
 * than in the original; they are as far apart as the extent allows. Returns false and writes nothing if the type is of
 * another kind, if its elements have padding, or if a damaged trace gives its elements no bytes. */
static bool write_spread(struct cs_gen *g, FILE *out, int64_t i)
{
    const struct cs_type_def *t = &g->m->type[i];
    const char *s = t->signature, *name = basic(g, &s);
    char *end;
    long long count = name && !strstr(name, "_INT") ? strtoll(s, &end, 10) : 0;
    if (count < 2 || count > INT32_MAX || *end || t->size < count || t->extent <= t->size)
        return false;
    long long pieces = divisor(count, t->pieces);
    if (pieces < 2)
        return false;
    long long length = count / pieces, piece = t->size / pieces, unit = t->size / count;
    assert(unit >= 1);
    long long apart = (t->extent - piece) / (pieces - 1) / unit * unit;
    fprintf(out, "    MPI_Type_create_hvector(%lld, %lld, %lld, MPI_%s, &part[%d]);\n", pieces, length, apart, name,
            g->type_parts);
    fprintf(out, "    MPI_Type_create_resized(part[%d], 0, %lld, &type_%lld);\n    MPI_Type_commit(&type_%lld);\n",
            g->type_parts++, (long long)t->extent, (long long)i, (long long)i);
    return true;
}

void cs_gen_write_type(struct cs_gen *g, FILE *out, int64_t i)
{
    const struct cs_type_def *t = &g->m->type[i];
    const char *s = t->signature, *name = cs_gen_basic_type(g, t), *made = NULL;
    if (name) {
        fprintf(out, "    type_%lld = MPI_%s;\n", (long long)i, name);
        return;
    }
    if (write_spread(g, out, i))
        return;
    if (*s == '#') {
        snprintf(g->report.note, sizeof g->report.note,
                 "a datatype whose layout is too long for a trace is replaced by bytes");
        fprintf(out, "    MPI_Type_contiguous(%lld, MPI_BYTE, &part[%d]);\n", (long long)t->size, g->type_parts++);
    } else if (!(made = make_type(g, out, &s, '\0', 0, t->extent)) || *s) {
        cs_gen_refuse(g, "a datatype that it cannot make again: %s", t->signature);
        return;
    }
    if (made && several_runs(t->signature)) { /* a resized type would have another signature */
        fprintf(out, "    type_%lld = %s;\n    %s = MPI_DATATYPE_NULL;\n    MPI_Type_commit(&type_%lld);\n",
                (long long)i, made, made, (long long)i);
        return;
    }
    assert(g->type_parts > 0);
    fprintf(out, "    MPI_Type_create_resized(part[%d], 0, %lld, &type_%lld);\n    MPI_Type_commit(&type_%lld);\n",
            g->type_parts - 1, (long long)t->extent, (long long)i, (long long)i);
}

void cs_gen_write_join(FILE *out)
{
    fputs("/* One block after the other; the last one at the end of the extent, if there is more room. */\n"
          "static MPI_Datatype join(int n, int *counts, MPI_Datatype *types, MPI_Aint whole)\n"
          "{\n"
          "    MPI_Aint lb, extent, end = 0, *at = malloc((size_t)n * sizeof *at);\n"
          "    MPI_Datatype made;\n"
          "    for (int i = 0; i < n; end += counts[i++] * extent) {\n"
          "        MPI_Type_get_extent(types[i], &lb, &extent);\n"
          "        at[i] = end;\n"
          "    }\n"
          "    if (whole > end)\n"
          "        at[n - 1] += whole - end;\n"
          "    MPI_Type_create_struct(n, counts, at, types, &made);\n"
          "    free(at);\n"
          "    return made;\n"
          "}\n\n",
          out);
}
