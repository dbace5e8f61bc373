/* SPDX-License-Identifier: BSD-3-Clause
 * Error classes and codes, and those that a program adds (MPI_Add_error_class, _code, _string). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <mpi.h>

#include "base/cold.h"
#include "emulate/errors/error.h"
#include "emulate/world/entry.h"

#define DYNAMIC 0x40000000 /* in what a program adds */
#define CODE_SHIFT 8       /* the number of an added code is from here on */
#define CODE_MAX 2048
#define CLASS_MAX 128

/* Classes and codes that the program has added, numbered from 1. A text is NULL until the program gives one. */
static char *class_texts[CLASS_MAX] CS_COLD, *code_texts[CODE_MAX] CS_COLD;
static int classes, codes;
static int last_code = MPI_ERR_LASTCODE;

int cs_emu_error_last_code(void)
{
    return last_code;
}

/* Where the text of an added class or code is, or NULL if it is none. */
static char **added_text(int code)
{
    int number = (code & ~DYNAMIC) >> CODE_SHIFT;

    if (number > 0 && number < CODE_MAX)
        return number <= codes ? &code_texts[number] : NULL;
    if (code >= 0 && (code & DYNAMIC) && (code & CS_EMU_CLASS_BITS) <= classes)
        return &class_texts[code & CS_EMU_CLASS_BITS];
    return NULL;
}

CS_EMU_CALL(int, Error_class, (int errorcode, int *errorclass))
{
    if (!errorclass)
        return cs_emu_error(NULL, MPI_ERR_ARG, "MPI_Error_class");
    *errorclass = errorcode & (CS_EMU_CLASS_BITS | DYNAMIC);
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
    if (*errorclass > last_code)
        last_code = *errorclass;
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
