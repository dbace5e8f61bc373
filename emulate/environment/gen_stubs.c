/* SPDX-License-Identifier: BSD-3-Clause
 * Writes the entry points of the emulated library from the table of MPI calls: a call that nobody has
 * written is a weak function that ends the run and says so. Runs at build time; `names` prints the second file. */
#include <stdio.h>
#include <string.h>

#include "api/mpi_calls.h"

/* Calls beyond MPI 3.1 that the table knows by name. */
#define CALL(...)
#define CALL0(...)
#define OUT(name) #name,
#define LARGE(...)
#define WIDE(...)
static const char *const newer[] = {
#include "api/mpi_calls.def"
};

/* What MPICH's library has, from version 4.0 to 5.0, and its Fortran and C++ libraries refer to, beyond the table and
 * the variants below: all must be there, or programs that want their symbols at once do not start. */
static const char *const others[] = {
    "MPIX_Allreduce_enqueue",
    "MPIX_Allreduce_enqueue_c",
    "MPIX_Comm_agree",
    "MPIX_Comm_create_errhandler_x",
    "MPIX_Comm_failure_ack",
    "MPIX_Comm_failure_get_acked",
    "MPIX_Comm_get_failed",
    "MPIX_Comm_get_stream",
    "MPIX_Comm_revoke",
    "MPIX_Comm_shrink",
    "MPIX_Comm_test_threadcomm",
    "MPIX_Delete_error_class",
    "MPIX_Delete_error_code",
    "MPIX_Delete_error_string",
    "MPIX_File_create_errhandler_x",
    "MPIX_GPU_query_support",
    "MPIX_Grequest_class_allocate",
    "MPIX_Grequest_class_create",
    "MPIX_Grequest_start",
    "MPIX_Info_set_hex",
    "MPIX_Irecv_enqueue",
    "MPIX_Irecv_enqueue_c",
    "MPIX_Isend_enqueue",
    "MPIX_Isend_enqueue_c",
    "MPIX_Op_create_x",
    "MPIX_Query_cuda_support",
    "MPIX_Query_hip_support",
    "MPIX_Query_ze_support",
    "MPIX_Recv_enqueue",
    "MPIX_Recv_enqueue_c",
    "MPIX_Request_is_complete",
    "MPIX_Send_enqueue",
    "MPIX_Send_enqueue_c",
    "MPIX_Session_create_errhandler_x",
    "MPIX_Start_progress_thread",
    "MPIX_Stop_progress_thread",
    "MPIX_Stream_comm_create",
    "MPIX_Stream_comm_create_multiplex",
    "MPIX_Stream_create",
    "MPIX_Stream_free",
    "MPIX_Stream_irecv",
    "MPIX_Stream_irecv_c",
    "MPIX_Stream_isend",
    "MPIX_Stream_isend_c",
    "MPIX_Stream_progress",
    "MPIX_Stream_recv",
    "MPIX_Stream_recv_c",
    "MPIX_Stream_send",
    "MPIX_Stream_send_c",
    "MPIX_Threadcomm_finish",
    "MPIX_Threadcomm_free",
    "MPIX_Threadcomm_init",
    "MPIX_Threadcomm_start",
    "MPIX_Wait_enqueue",
    "MPIX_Waitall_enqueue",
    "MPIX_Win_create_errhandler_x",
    "MPI_Comm_attach_buffer_c",
    "MPI_Comm_detach_buffer_c",
    "MPI_Session_attach_buffer_c",
    "MPI_Session_detach_buffer_c",
    "MPI_T_category_changed",
    "MPI_T_category_get_categories",
    "MPI_T_category_get_cvars",
    "MPI_T_category_get_events",
    "MPI_T_category_get_index",
    "MPI_T_category_get_info",
    "MPI_T_category_get_num",
    "MPI_T_category_get_num_events",
    "MPI_T_category_get_pvars",
    "MPI_T_cvar_get_index",
    "MPI_T_cvar_get_info",
    "MPI_T_cvar_get_num",
    "MPI_T_cvar_handle_alloc",
    "MPI_T_cvar_handle_free",
    "MPI_T_cvar_read",
    "MPI_T_cvar_write",
    "MPI_T_enum_get_info",
    "MPI_T_enum_get_item",
    "MPI_T_event_callback_get_info",
    "MPI_T_event_callback_set_info",
    "MPI_T_event_copy",
    "MPI_T_event_get_index",
    "MPI_T_event_get_info",
    "MPI_T_event_get_num",
    "MPI_T_event_get_source",
    "MPI_T_event_get_timestamp",
    "MPI_T_event_handle_alloc",
    "MPI_T_event_handle_free",
    "MPI_T_event_handle_get_info",
    "MPI_T_event_handle_set_info",
    "MPI_T_event_read",
    "MPI_T_event_register_callback",
    "MPI_T_event_set_dropped_handler",
    "MPI_T_finalize",
    "MPI_T_init_thread",
    "MPI_T_pvar_get_index",
    "MPI_T_pvar_get_info",
    "MPI_T_pvar_get_num",
    "MPI_T_pvar_handle_alloc",
    "MPI_T_pvar_handle_free",
    "MPI_T_pvar_read",
    "MPI_T_pvar_readreset",
    "MPI_T_pvar_reset",
    "MPI_T_pvar_session_create",
    "MPI_T_pvar_session_free",
    "MPI_T_pvar_start",
    "MPI_T_pvar_stop",
    "MPI_T_pvar_write",
    "MPI_T_source_get_info",
    "MPI_T_source_get_num",
    "MPI_T_source_get_timestamp",
};

/* The other library's names for what the bindings share with it; no MPI_ form leads to them. */
static const char *const inner[] = {
    "MPII_Comm_get_attr",    "MPII_Comm_set_attr", "MPII_Errhandler_set_cxx", "MPII_Grequest_set_lang_f77",
    "MPII_Keyval_set_proxy", "MPII_Op_set_cxx",    "MPII_Type_get_attr",      "MPII_Type_set_attr",
    "MPII_Win_get_attr",     "MPII_Win_set_attr",
};

/* Is there no row of a call with large counts for this one? */
static bool has_no_large(const struct cs_mpi_call *c)
{
    char name[80];
    snprintf(name, sizeof name, "%s_c", c->name);
    return !cs_mpi_is_large(c) && !cs_mpi_find(name);
}

static bool has_c_binding(const struct cs_mpi_call *c)
{
    return strcmp(c->ret, "fortran") != 0;
}

static void print_parameters(const struct cs_mpi_call *c)
{
    for (int i = 0; i < c->nargs; i++)
        printf("%s__typeof__(%s) a%d", i ? ", " : "", c->args[i].ctype, i);
    if (c->nargs == 0)
        printf("void");
}

/* Both names are weak: whoever writes the call defines both, and comes first at the link. */
static void print_call(const struct cs_mpi_call *c)
{
    const char *more = c->flags & CS_MPI_VARIADIC ? ", ..." : "";
    printf("\nMISSING %s P%s(", c->ret, c->name);
    print_parameters(c);
    printf("%s)\n{\n    cs_emu_missing(\"%s\", __builtin_return_address(0));\n}\nMISSING %s %s(", more, c->name, c->ret,
           c->name);
    print_parameters(c);
    printf("%s) __attribute__((alias(\"P%s\")));\n", more, c->name);
}

static void print_calls(void)
{
    printf("#include <mpi.h>\n\n#include \"emulate/environment/missing.h\"\n\n"
           "#define MISSING __attribute__((weak, visibility(\"default\")))\n"
           "#pragma GCC diagnostic ignored \"-Wunused-parameter\"\n");
    for (int i = 0; i < cs_mpi_ncalls(); i++)
        if (has_c_binding(cs_mpi_call(i)))
            print_call(cs_mpi_call(i));
}

static void print_missing(const char *prefix, const char *name, const char *suffix)
{
    printf("MISSING(%s%s%s, \"%s%s\")\n", prefix, name, suffix, name, suffix);
}

static void print_name(const char *name, const char *suffix)
{
    print_missing("", name, suffix);
    print_missing("P", name, suffix);
}

static void print_names(void)
{
    printf("#include \"emulate/environment/missing.h\"\n\n"
           "#define MISSING(symbol, name) __attribute__((weak, visibility(\"default\"))) int symbol(void); \\\n"
           "    int symbol(void) { cs_emu_missing(name, __builtin_return_address(0)); }\n\n");
    /* Large counts, which MPI 4 has for most calls; more of them than there are does no harm. */
    for (int i = 0; i < cs_mpi_ncalls(); i++)
        if (has_c_binding(cs_mpi_call(i)) && has_no_large(cs_mpi_call(i)))
            print_name(cs_mpi_call(i)->name, "_c");
    for (size_t i = 0; i < sizeof newer / sizeof newer[0]; i++)
        print_name(newer[i], "");
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        print_name(others[i], "");
    for (size_t i = 0; i < sizeof inner / sizeof inner[0]; i++)
        print_missing("", inner[i], "");
}

int main(int argc, char **argv)
{
    printf("/* Generated by gen_stubs from api/mpi_calls.def. Do not edit. */\n");
    if (argc == 2 && strcmp(argv[1], "names") == 0)
        print_names();
    else
        print_calls();
    return fflush(stdout) || ferror(stdout) ? 1 : 0;
}
