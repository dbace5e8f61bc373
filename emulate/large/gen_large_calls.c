/* SPDX-License-Identifier: BSD-3-Clause
 * Writes, from the table of MPI calls, the calls with large counts: MPI_Send_c hands its numbers, as int, to MPI_Send.
 * Runs at build time. Those with more to do are written by hand where their twins are, and win, as these are weak:
 * results that may be too large for int, functions, and arguments that the twin does not have. */
#include <stdio.h>
#include <string.h>

#include "api/mpi_calls.h"

/* A call with large counts, and the call that it hands its arguments to. */
struct large {
    const struct cs_mpi_call *call, *small;
};

/* The call without _c, or the older one with MPI_Count in place of int (MPI_Type_size_x). */
static const struct cs_mpi_call *twin(const struct cs_mpi_call *c)
{
    char name[80];
    int stem = (int)strlen(c->name) - 2;
    snprintf(name, sizeof name, "%.*s_x", stem, c->name);
    const struct cs_mpi_call *x = cs_mpi_find(name);
    name[stem] = 0;
    return x ? x : cs_mpi_find(name);
}

static bool is_array(const struct cs_mpi_arg *a)
{
    return strncmp(a->ctype, "const ", strlen("const ")) == 0 && strchr(a->ctype, '*');
}

static bool is_pointer(const struct cs_mpi_arg *a)
{
    return strchr(a->ctype, '*') != NULL;
}

/* Has the twin a smaller number in the place of argument i? */
static bool is_narrowed(const struct large *l, int i)
{
    return cs_ctype_target_size(l->call->args[i].ctype) != cs_ctype_target_size(l->small->args[i].ctype);
}

/* Is argument i a number that the call stores, of which the twin has but an int? */
static bool is_result(const struct large *l, int i)
{
    const struct cs_mpi_arg *a = &l->call->args[i];
    return is_narrowed(l, i) && is_pointer(a) && a->role == CS_ROLE_OUT;
}

/* Can its arguments be handed on one by one, as numbers, and no result be too large for the twin? */
static bool is_plain(const struct large *l)
{
    if (!l->small || l->small->nargs != l->call->nargs || l->call->kind == CS_MPI_UNSUPPORTED)
        return false;
    for (int i = 0; i < l->call->nargs; i++)
        if (l->call->args[i].role == CS_ROLE_FN || is_result(l, i))
            return false;
    return true;
}

static void print_parameters(const struct cs_mpi_call *c)
{
    for (int i = 0; i < c->nargs; i++)
        printf("%s%s a%d", i ? ", " : "", c->args[i].ctype, i);
}

/* The number of the argument that has the datatype of the elements that argument i counts; -1: there is none, or
 * elements of another type would mean something else, as those of a reduction. */
static int type_of_count(const struct cs_mpi_call *c, int i)
{
    if (c->args[i].role != CS_ROLE_COUNT || (cs_mpi_has_role(c, CS_ROLE_OP) && !cs_mpi_has_role(c, CS_ROLE_WIN)))
        return -1;
    for (int b = 0; b < c->nargs; b++) {
        enum cs_role r = c->args[b].role;
        bool buffer = r == CS_ROLE_SBUF || r == CS_ROLE_RBUF || r == CS_ROLE_SRBUF;
        if (buffer && c->args[b].count_arg == i && c->args[b].type_arg >= 0)
            return c->args[b].type_arg;
    }
    return -1;
}

/* The number of the argument whose elements are of the datatype in argument i, and may be too many for int; or -1. */
static int count_of_type(const struct large *l, int i)
{
    for (int n = 0; n < l->call->nargs; n++)
        if (is_narrowed(l, n) && type_of_count(l->call, n) == i)
            return n;
    return -1;
}

/* How many elements the array in argument i has, as C text. */
static void print_length(const struct cs_mpi_call *c, int i)
{
    int n = c->args[i].count_arg, comm = cs_mpi_arg_of_role(c, CS_ROLE_COMM);
    if (n >= 0)
        printf("a%d", n);
    else
        printf("cs_emu_large_length(a%d, %d)", comm, n);
}

/* Where the array in argument i means nothing, as C text: ranks that are not the root, and what would be sent from a
 * place that is not used. */
static void print_significance(const struct cs_mpi_call *c, int i)
{
    int root = cs_mpi_arg_of_role(c, CS_ROLE_ROOT), sent = cs_mpi_arg_of_role(c, CS_ROLE_SBUF);
    int received = cs_mpi_arg_of_role(c, CS_ROLE_RBUF);
    if (root >= 0)
        printf("cs_emu_large_at_root(a%d, a%d)", cs_mpi_arg_of_role(c, CS_ROLE_COMM), root);
    else if (sent >= 0 && sent < i && i < received)
        printf("a%d != MPI_IN_PLACE", sent);
    else
        printf("true");
}

/* What comes before the call of the twin: n<i> are the numbers. */
static void print_narrowing(const struct large *l, int i)
{
    const struct cs_mpi_arg *a = &l->call->args[i];
    if (is_array(a)) {
        printf("    const int *n%d = ", i);
        print_significance(l->call, i);
        printf(" ? cs_emu_large_array(&l, a%d, ", i);
        print_length(l->call, i);
        printf(") : NULL;\n");
    } else if (is_pointer(a)) {
        printf("    int n%d = a%d ? cs_emu_large_number(&l, *a%d) : 0;\n", i, i, i);
    } else if (type_of_count(l->call, i) >= 0) {
        int t = type_of_count(l->call, i);
        printf("    MPI_Datatype t%d = a%d;\n    int n%d = cs_emu_large_elements(&l, a%d, &t%d);\n", t, t, i, i, t);
    } else {
        printf("    int n%d = cs_emu_large_number(&l, a%d);\n", i, i);
    }
}

static void print_argument(const struct large *l, int i)
{
    const struct cs_mpi_arg *a = &l->call->args[i];
    bool stored = is_pointer(a) && !is_array(a);
    if (count_of_type(l, i) >= 0)
        printf("t%d", i);
    else if (!is_narrowed(l, i) && is_pointer(a)) /* MPI_Count and MPI_Aint are of one size */
        printf("(%s)a%d", l->small->args[i].ctype, i);
    else if (!is_narrowed(l, i))
        printf("a%d", i);
    else if (stored)
        printf("a%d ? &n%d : NULL", i, i);
    else
        printf("n%d", i);
}

/* What comes after it. */
static void print_results(const struct large *l)
{
    for (int i = 0; i < l->call->nargs; i++) {
        const struct cs_mpi_arg *a = &l->call->args[i];
        if (is_narrowed(l, i) && is_pointer(a) && !is_array(a))
            printf("    if (a%d && rc == MPI_SUCCESS)\n        *a%d = n%d;\n", i, i, i);
        if (a->role == CS_ROLE_NEWTYPE)
            printf("    if (rc == MPI_SUCCESS)\n        rc = cs_emu_type_made_large(*a%d);\n", i);
    }
}

static void print_call(const struct large *l)
{
    printf("\nWEAK int P%s(", l->call->name);
    print_parameters(l->call);
    printf(")\n{\n    struct cs_emu_large l = {\"%s\", __builtin_return_address(0), 0, {0}, 0, {0}};\n", l->call->name);
    for (int i = 0; i < l->call->nargs; i++)
        if (is_narrowed(l, i))
            print_narrowing(l, i);
    printf("    int rc = P%s(", l->small->name);
    for (int i = 0; i < l->call->nargs; i++) {
        printf("%s", i ? ", " : "");
        print_argument(l, i);
    }
    printf(");\n");
    print_results(l);
    printf("    cs_emu_large_end(&l);\n    return rc;\n}\nWEAK int %s(", l->call->name);
    print_parameters(l->call);
    printf(") __attribute__((alias(\"P%s\")));\n", l->call->name);
}

int main(void)
{
    printf("/* Generated by gen_large_calls from api/mpi_calls.def. Do not edit. */\n#include <mpi.h>\n\n"
           "#include \"emulate/large/large_counts.h\"\n\n"
           "#define WEAK __attribute__((weak, visibility(\"default\")))\n");
    for (int i = 0; i < cs_mpi_ncalls(); i++) {
        struct large l = {cs_mpi_call(i), NULL};
        if (!cs_mpi_is_large(l.call))
            continue;
        l.small = twin(l.call);
        if (is_plain(&l))
            print_call(&l);
    }
    return fflush(stdout) || ferror(stdout) ? 1 : 0;
}
