/* SPDX-License-Identifier: BSD-3-Clause
 * Error classes and codes: MPICH's texts for its own, and those that a program adds (MPI_Add_error_class, _code,
 * _string). A code has its class in the low seven bits; what a program adds has bit 30, and the number of the code from
 * bit 8 on. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <mpi.h>

#include "base/cold.h"
#include "emulate/world/entry.h"
#include "emulate/errors/error.h"

#define CLASS_BITS 0x7f
#define DYNAMIC 0x40000000
#define CODE_SHIFT 8
#define CODE_MAX 2048
#define CLASS_MAX 128

/* By class; the words are MPICH's, so that programs print the same. */
static const char *const texts[] = {
    "No MPI error",
    "Invalid buffer pointer",
    "Invalid count",
    "Invalid datatype",
    "Invalid tag",
    "Invalid communicator",
    "Invalid rank",
    "Invalid root",
    "Invalid group",
    "Invalid MPI_Op",
    "Invalid topology",
    "Invalid dimension argument",
    "Invalid argument",
    "Unknown error.  Please file a bug report.",
    "Message truncated",
    "Other MPI error",
    "Internal MPI error!",
    "See the MPI_ERROR field in MPI_Status for the error code",
    "Pending request (no error)",
    "Request pending due to failure",
    "Access denied to file",
    "Invalid amode value in MPI_File_open ",
    "Invalid file name",
    "An error occurred in a user-defined data conversion function",
    "The requested datarep name has already been specified to MPI_REGISTER_DATAREP",
    "File exists",
    "File in use by some process",
    "Invalid MPI_File",
    "Invalid MPI_Info",
    "Invalid key for MPI_Info ",
    "Invalid MPI_Info value ",
    "MPI_Info key is not defined ",
    "Other I/O error ",
    "Invalid service name (see MPI_Publish_name)",
    "Unable to allocate memory for MPI_Alloc_mem",
    "Inconsistent arguments to collective routine ",
    "Not enough space for file ",
    "File does not exist",
    "Invalid port",
    "Quota exceeded for files",
    "Read-only file or filesystem name",
    "Attempt to lookup an unknown service name ",
    "Error in spawn call",
    "Unsupported datarep passed to MPI_File_set_view ",
    "Unsupported file operation ",
    "Invalid MPI_Win",
    "Invalid base address",
    "Invalid locktype argument",
    "Invalid keyval",
    "Conflicting accesses to window ",
    "Wrong synchronization of RMA calls ",
    "Invalid size argument in RMA call",
    "Invalid displacement argument in RMA call ",
    "Invalid assert argument",
    "Process failed",
    "Target memory is not contained within the window",
    "Memory cannot be attached",
    "Memory cannot be shared",
    "Incorrect window flavor",
    "Communication object revoked",
    "Operation could not be issued (EAGAIN)",
    "failure occurred while allocating memory for a request object",
};

/* Classes and codes of the program, numbered from 1; their texts come later, if at all. */
static char *class_texts[CLASS_MAX] CS_COLD, *code_texts[CODE_MAX] CS_COLD;
static int classes, codes;
int cs_emu_last_code = MPI_ERR_LASTCODE;

const char *cs_emu_error_text(int class)
{
    int n = class & CLASS_BITS;

    return n < (int)(sizeof texts / sizeof *texts) ? texts[n] : "Unknown error class";
}

/* Where the text of an added class or code is, or NULL if it is none. */
static char **added_text(int code)
{
    int number = (code & ~DYNAMIC) >> CODE_SHIFT;

    if (number > 0 && number < CODE_MAX)
        return number <= codes ? &code_texts[number] : NULL;
    if (code >= 0 && (code & DYNAMIC) && (code & CLASS_BITS) <= classes)
        return &class_texts[code & CLASS_BITS];
    return NULL;
}

CS_EMU_CALL(int, Error_class, (int errorcode, int *errorclass))
{
    if (!errorclass)
        return cs_emu_error(NULL, MPI_ERR_ARG, "MPI_Error_class");
    *errorclass = errorcode & (CLASS_BITS | DYNAMIC);
    return MPI_SUCCESS;
}

static const char *text_of(int code)
{
    char **added = added_text(code);

    if (added && *added)
        return *added;
    if (code & DYNAMIC)
        return added ? "" : "Undefined dynamic error code";
    return cs_emu_error_text(code);
}

CS_EMU_CALL(int, Error_string, (int errorcode, char *string, int *resultlen))
{
    if (!string || !resultlen)
        return cs_emu_error(NULL, MPI_ERR_ARG, "MPI_Error_string");
    *resultlen = snprintf(string, MPI_MAX_ERROR_STRING, "%s", text_of(errorcode));
    if (*resultlen >= MPI_MAX_ERROR_STRING)
        *resultlen = MPI_MAX_ERROR_STRING - 1;
    return MPI_SUCCESS;
}

CS_EMU_CALL(int, Add_error_class, (int *errorclass))
{
    if (!errorclass)
        return cs_emu_error(NULL, MPI_ERR_ARG, "MPI_Add_error_class");
    if (classes + 1 >= CLASS_MAX)
        return cs_emu_error(NULL, MPI_ERR_OTHER, "MPI_Add_error_class");
    *errorclass = ++classes | DYNAMIC;
    if (*errorclass > cs_emu_last_code)
        cs_emu_last_code = *errorclass;
    return MPI_SUCCESS;
}

CS_EMU_CALL(int, Add_error_code, (int errorclass, int *errorcode))
{
    if (!errorcode)
        return cs_emu_error(NULL, MPI_ERR_ARG, "MPI_Add_error_code");
    if (codes + 1 >= CODE_MAX)
        return cs_emu_error(NULL, MPI_ERR_OTHER, "MPI_Add_error_code");
    *errorcode = errorclass | ++codes << CODE_SHIFT;
    return MPI_SUCCESS;
}

CS_EMU_CALL(int, Add_error_string, (int errorcode, const char *string))
{
    char **text = added_text(errorcode), *copy;

    if (!string || !text)
        return cs_emu_error(NULL, MPI_ERR_ARG, "MPI_Add_error_string");
    copy = strndup(string, MPI_MAX_ERROR_STRING - 1);
    if (!copy)
        return cs_emu_error(NULL, MPI_ERR_OTHER, "MPI_Add_error_string");
    free(*text);
    *text = copy;
    return MPI_SUCCESS;
}
