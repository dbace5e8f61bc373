/* SPDX-License-Identifier: BSD-3-Clause
 * Writes, from the table of MPI calls, wrappers.c, the entry points of commlib in C and in Fortran, or real_calls.c,
 * the functions of the MPI library. Runs at build time. A new call needs nothing here: its row is enough. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "api/mpi_calls.h"

/* Calls that are counted only: what the MPI library calls in turn for them (MPI-IO makes collectives) is no event
 * either. */
static bool is_counted(const struct cs_mpi_call *c)
{
    return c->kind == CS_MPI_UNSUPPORTED && strcmp(c->ret, "int") == 0;
}

static bool is_wrapped(const struct cs_mpi_call *c)
{
    return c->flags & (CS_MPI_EVENT | CS_MPI_FOLLOWED) || is_counted(c);
}

/* MPI_File is a pointer in MPICH, all other handles are integers. */
static bool is_pointer(const struct cs_mpi_arg *a)
{
    return a->ctype[strlen(a->ctype) - 1] == '*' || a->role == CS_ROLE_FILE; /* FILE_UPD and NEWFILE point to one */
}

/* "const void *a0, int a1", or "void". */
static void print_parameters(const struct cs_mpi_call *c)
{
    for (int i = 0; i < c->nargs; i++)
        printf("%s%s a%d", i ? ", " : "", c->args[i].ctype, i);
    if (c->nargs == 0)
        printf("void");
}

static void print_names(int n)
{
    for (int i = 0; i < n; i++)
        printf("%sa%d", i ? ", " : "", i);
}

/* The pointer to the library's function, and the function that calls it with an array of arguments. */
static void print_real(const struct cs_mpi_call *c, int index)
{
    printf("static int (*p%d)(", index);
    print_parameters(c);
    printf(");\nstatic int r%d(const union cs_arg *a)\n{\n    return p%d(", index, index);
    for (int i = 0; i < c->nargs; i++)
        printf("%s(%s)a[%d].%c", i ? ", " : "", c->args[i].ctype, i, is_pointer(&c->args[i]) ? 'p' : 'i');
    printf(");\n}\n");
}

static void print_c_entry(const struct cs_mpi_call *c, int index)
{
    printf("PUBLIC int %s(", c->name);
    print_parameters(c);
    printf(")\n{\n    union cs_arg a[] = { ");
    for (int i = 0; i < c->nargs; i++)
        printf(is_pointer(&c->args[i]) ? "{ .p = (void *)a%d }, " : "{ .i = a%d }, ", i);
    if (c->nargs == 0)
        printf("{ 0 } ");
    printf("};\n    return cs_dispatch(%d, a, __builtin_return_address(0));\n}\n", index);
    printf("PUBLIC __typeof__(%s) P%s __attribute__((alias(\"%s\")));\n", c->name, c->name, c->name);
}

/* A Fortran entry point notes who called and passes everything on: all arguments are addresses, ierror last, and then
 * the lengths of strings, which pass as well. */
static void print_fortran_entry(const char *symbol, int nargs)
{
    printf("PUBLIC void %s(", symbol);
    for (int i = 0; i < nargs; i++)
        printf("%svoid *a%d", i ? ", " : "", i);
    printf(");\nPUBLIC void %s(", symbol);
    for (int i = 0; i < nargs; i++)
        printf("%svoid *a%d", i ? ", " : "", i);
    printf(")\n{\n    static __typeof__(%s) *real;\n    if (!real)\n        real = cs_find_fortran(\"%s\");\n", symbol,
           symbol);
    printf("    cs_fortran_caller = __builtin_return_address(0);\n    real(");
    print_names(nargs);
    printf(");\n}\n");
}

/* The names of entry points around the stem of a call's name, as "send". */
static const char *const forms[] = {"mpi_%s_",       "mpi_%s__",      "pmpi_%s_",        "pmpi_%s__", "mpi_%s_f08_",
                                    "mpi_%s_f08ts_", "pmpir_%s_f08_", "pmpir_%s_f08ts_", NULL};
static const char *const large_forms[] = {"mpi_%s_f08_large_", "mpi_%s_f08ts_large_", "pmpir_%s_f08_large_",
                                          "pmpir_%s_f08ts_large_", NULL};

static void print_fortran_entries(const struct cs_mpi_call *c)
{
    bool large = cs_mpi_is_large(c);
    char lower[64], symbol[128];
    int n = 1; /* ierror */
    for (int i = 0; i < c->nargs; i++) {
        enum cs_role r = c->args[i].role;
        n += r != CS_ROLE_ARGC && r != CS_ROLE_ARGV;
        n += r == CS_ROLE_STR_IN || r == CS_ROLE_STR_OUT;
    }
    snprintf(lower, sizeof lower, "%.*s", (int)strlen(c->name + 4) - (large ? 2 : 0), c->name + 4);
    for (char *p = lower; *p; p++)
        *p = (char)tolower((unsigned char)*p);
    for (const char *const *form = large ? large_forms : forms; *form; form++) {
        snprintf(symbol, sizeof symbol, *form, lower);
        print_fortran_entry(symbol, n);
    }
}

static void print_tables(void)
{
    printf("int (*const cs_real[])(const union cs_arg *a) = {\n");
    for (int i = 0; i < cs_mpi_ncalls(); i++)
        if (is_wrapped(cs_mpi_call(i)))
            printf("    [%d] = r%d,\n", i, i);
    printf("};\n\nvoid cs_resolve_real(void)\n{\n");
    for (int i = 0; i < cs_mpi_ncalls(); i++)
        if (is_wrapped(cs_mpi_call(i)))
            printf("    p%d = (__typeof__(p%d))dlsym(RTLD_NEXT, \"P%s\");\n", i, i, cs_mpi_call(i)->name);
    printf("}\n");
}

/* The functions of the MPI library, for the rest of commlib. */
static void print_real_calls(void)
{
    printf("#include <dlfcn.h>\n#include \"commlib/backend/real_calls.h\"\n");
    for (int i = 0; i < cs_mpi_ncalls(); i++)
        if (is_wrapped(cs_mpi_call(i))) {
            printf("\n");
            print_real(cs_mpi_call(i), i);
        }
    printf("\n");
    print_tables();
}

/* The entry points, which the program calls. */
static void print_entries(void)
{
    printf("#include \"commlib/backend/real_calls.h\"\n#include \"commlib/calls/wrap.h\"\n"
           "#include \"commlib/record/call_sites.h\"\n#define PUBLIC __attribute__((visibility(\"default\")))\n");
    for (int i = 0; i < cs_mpi_ncalls(); i++)
        if (is_wrapped(cs_mpi_call(i))) {
            printf("\n");
            print_c_entry(cs_mpi_call(i), i);
            if (!is_counted(cs_mpi_call(i))) /* nobody asks where they were made */
                print_fortran_entries(cs_mpi_call(i));
        }
}

int main(int argc, char **argv)
{
    printf("/* Generated by gen_wrappers from api/mpi_calls.def. Do not edit. */\n"
           "#ifndef _GNU_SOURCE\n#define _GNU_SOURCE\n#endif\n");
    if (argc == 2 && strcmp(argv[1], "real_calls") == 0)
        print_real_calls();
    else if (argc == 2 && strcmp(argv[1], "wrappers") == 0)
        print_entries();
    else
        return 2;
    return fflush(stdout) || ferror(stdout) ? 1 : 0;
}
