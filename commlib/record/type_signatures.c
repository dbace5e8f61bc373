/* SPDX-License-Identifier: BSD-3-Clause
 * Works out signatures of datatypes, recursively from envelope and contents, and keeps them by handle.
 * A signature is a list of basic types with repeat counts: "d3i1"; rarer types are written by name, "{2INT}1"; what
 * repeats as a group is in parentheses, "(d2i1)100". */
#include "commlib/record/type_signatures.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "commlib/state/run_state.h"
#include "base/grow.h"
#include "base/small_hash.h"
#include "commlib/record/type_contents.h"

/* Bytes: a longer signature is replaced by its hash. */
enum { LONGEST_SIGNATURE = 4096 };

/* A signature in the making. In "d3i1" the last run is "i1": its unit is "i", and a further int makes it "i2". */
struct sig {
    char *text;
    size_t len, cap;
    size_t run_at;   /* where the last run begins */
    size_t unit_len; /* of the repeated part of the last run */
    int64_t repeat;  /* of the last run; 0: empty */
    bool failed;
};

static int sig_reserve(struct sig *s, size_t more)
{
    if (CS_MAKE_ROOM_FOR(s->text, s->len + more + 1, s->cap))
        return 0;
    s->failed = true;
    return -1;
}

/* Appends `count` times `unit`, joined with the last run if that repeats the same unit. */
static void sig_add(struct sig *s, const char *unit, size_t unit_len, int64_t count)
{
    if (count <= 0 || sig_reserve(s, unit_len + 24) != 0)
        return;
    if (s->repeat > 0 && s->unit_len == unit_len && memcmp(s->text + s->run_at, unit, unit_len) == 0) {
        s->repeat += count;
    } else {
        s->run_at = s->len;
        memcpy(s->text + s->run_at, unit, unit_len);
        s->unit_len = unit_len;
        s->repeat = count;
    }
    s->len = s->run_at + s->unit_len + (size_t)sprintf(s->text + s->run_at + s->unit_len, "%lld", (long long)s->repeat);
}

/* Appends all of `part`, `count` times. */
static void sig_add_sig(struct sig *s, const struct sig *part, int64_t count)
{
    if (part->repeat == 0 || count <= 0)
        return;
    if (part->run_at == 0) {
        sig_add(s, part->text, part->unit_len, part->repeat * count);
        return;
    }
    size_t n = part->len + 2;
    char *unit = malloc(n);
    if (!unit) {
        s->failed = true;
        return;
    }
    unit[0] = '(';
    memcpy(unit + 1, part->text, part->len);
    unit[n - 1] = ')';
    sig_add(s, unit, n, count);
    free(unit);
}

/* Common types have a letter: lower case for types of C (MPI_BYTE and MPI_PACKED too), upper case for Fortran's. */
static const struct {
    MPI_Datatype type;
    char letter;
} letters[] = {
    {MPI_CHAR, 'c'},     {MPI_BYTE, 'b'},          {MPI_SHORT, 's'},
    {MPI_INT, 'i'},      {MPI_LONG, 'l'},          {MPI_LONG_LONG, 'q'},
    {MPI_UNSIGNED, 'u'}, {MPI_UNSIGNED_LONG, 'w'}, {MPI_FLOAT, 'f'},
    {MPI_DOUBLE, 'd'},   {MPI_PACKED, 'p'},        {MPI_CHARACTER, 'C'},
    {MPI_INTEGER, 'I'},  {MPI_REAL, 'R'},          {MPI_DOUBLE_PRECISION, 'D'},
    {MPI_LOGICAL, 'L'},  {MPI_COMPLEX, 'X'},       {MPI_DOUBLE_COMPLEX, 'Z'},
};

static void sig_named(struct sig *s, MPI_Datatype t)
{
    char name[MPI_MAX_OBJECT_NAME + 3] = "{";
    int len = 0, size = 0;
    for (size_t i = 0; i < sizeof letters / sizeof letters[0]; i++)
        if (letters[i].type == t) {
            sig_add(s, &letters[i].letter, 1, 1);
            return;
        }
    PMPI_Type_size(t, &size);
    PMPI_Type_get_name(t, name + 1, &len);
    if (size == 0) /* MPI_LB and MPI_UB */
        return;
    strcat(name, "}");
    if (strncmp(name + 1, "MPI_", 4) == 0)
        memmove(name + 1, name + 5, strlen(name + 5) + 1);
    sig_add(s, name, strlen(name), 1);
}

static void sig_type(struct sig *s, MPI_Datatype t);

/* How many elements of its one inner type a type has, from the integers of its envelope. -1: these do not tell. */
static int64_t repeats(int combiner, const int64_t *v)
{
    int64_t n = 0, product = 1;
    switch (combiner) {
    case MPI_COMBINER_CONTIGUOUS: return v[0];
    case MPI_COMBINER_VECTOR:
    case MPI_COMBINER_HVECTOR:
    case MPI_COMBINER_INDEXED_BLOCK:
    case MPI_COMBINER_HINDEXED_BLOCK: return v[0] * v[1];
    case MPI_COMBINER_INDEXED:
    case MPI_COMBINER_HINDEXED:
        for (int i = 1; i <= v[0]; i++)
            n += v[i];
        return n;
    case MPI_COMBINER_SUBARRAY:
        for (int i = 0; i < v[0]; i++)
            product *= v[1 + v[0] + i];
        return product;
    case MPI_COMBINER_DUP:
    case MPI_COMBINER_RESIZED: return 1;
    default: return -1;
    }
}

static void sig_contents(struct sig *s, MPI_Datatype outer, const struct cs_type_contents *c)
{
    for (int i = 0; i < c->ninner; i++) {
        struct sig part = {0};
        sig_type(&part, c->inner[i]);
        int64_t n = c->combiner == MPI_COMBINER_STRUCT ? c->v[1 + i] : repeats(c->combiner, c->v);
        if (n < 0) { /* darray: the type's size shows how many elements are this rank's */
            MPI_Count size, part_size;
            PMPI_Type_size_x(outer, &size);
            PMPI_Type_size_x(c->inner[i], &part_size);
            n = part_size ? size / part_size : 0;
        }
        sig_add_sig(s, &part, n);
        s->failed |= part.failed;
        free(part.text);
    }
}

static void sig_type(struct sig *s, MPI_Datatype t)
{
    struct cs_type_contents c;
    if (cs_type_is_named(t)) {
        sig_named(s, t);
        return;
    }
    if (cs_type_contents(t, &c) == 0)
        sig_contents(s, t, &c);
    else
        s->failed = true;
    cs_type_contents_free(&c);
}

/* Replaces a signature that is too long by its hash and length, which are equal for equal types. */
static void sig_shorten(struct sig *s)
{
    if (s->len <= LONGEST_SIGNATURE)
        return;
    uint64_t h = 14695981039346656037u; /* FNV-1a */
    for (size_t i = 0; i < s->len; i++)
        h = (h ^ (unsigned char)s->text[i]) * 1099511628211u;
    s->len = (size_t)sprintf(s->text, "#%016llx:%zu", (unsigned long long)h, s->len);
}

/* The datatype behind a handle, in the hash table `entries`. */
struct entry {
    MPI_Datatype handle;
    struct cs_type type;
    UT_hash_handle hh;
};
static struct entry *entries, *last;

/* Is it a handle of a datatype? MPICH's handles have the kind in their bits. An argument that a call ignores may hold
 * anything, and must not be handed to MPI. */
static bool is_type_handle(MPI_Datatype t)
{
    return ((unsigned)t >> 26 & 0xf) == 3 && (unsigned)t >> 30 != 0;
}

static struct entry *new_entry(MPI_Datatype handle)
{
    struct entry *e = calloc(1, sizeof *e);
    struct sig s = {0};
    MPI_Count size, lb, extent, true_lb, true_extent;
    if (!e)
        return NULL;
    PMPI_Type_size_x(handle, &size);
    PMPI_Type_get_extent_x(handle, &lb, &extent);
    PMPI_Type_get_true_extent_x(handle, &true_lb, &true_extent);
    e->handle = handle;
    e->type = (struct cs_type){-1, size, extent, true_lb, true_extent};
    if (cs_run.trace) {
        sig_type(&s, handle);
        if (s.text)
            sig_shorten(&s);
        e->type.in_trace =
            s.failed ? -1 : cs_trace_def_type(cs_run.trace, s.text ? s.text : "", size, extent, cs_type_pieces(handle));
        free(s.text);
    }
    HASH_ADD_INT(entries, handle, e);
    return e;
}

const struct cs_type *cs_type_get(MPI_Datatype handle)
{
    struct entry *e = last;
    if (e && e->handle == handle)
        return &e->type;
    if (!is_type_handle(handle))
        return NULL;
    HASH_FIND_INT(entries, &handle, e);
    if (!e)
        e = new_entry(handle);
    if (e)
        last = e;
    return e ? &e->type : NULL;
}

void cs_type_forget(MPI_Datatype handle)
{
    struct entry *e;
    HASH_FIND_INT(entries, &handle, e);
    if (!e)
        return;
    if (last == e)
        last = NULL;
    HASH_DEL(entries, e);
    free(e);
}
