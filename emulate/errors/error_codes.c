/* SPDX-License-Identifier: BSD-3-Clause
 * Error classes and codes, and those that a program adds (MPI_Add_error_class, _code, _string). */
#include <assert.h>
#include <stdbool.h>
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

/* The classes, or the codes, that the program has added: numbers from 1 on. A number that was deleted is given out
 * again, the one first that was deleted first, as with MPICH. */
struct added {
    int most, n; /* numbers below `most` fit in a code; numbers 1 to n have been given out */
    char **text; /* by number; NULL until the program gives one */
    bool *gone;  /* by number: deleted, and not given out again */
    int *queue;  /* those, in the order of deletion, from `first` on round about; there are `ngone` */
    int first, ngone;
};

static char *class_texts[CLASS_MAX] CS_COLD, *code_texts[CODE_MAX] CS_COLD;
static bool class_gone[CLASS_MAX] CS_COLD, code_gone[CODE_MAX] CS_COLD;
static int class_queue[CLASS_MAX] CS_COLD, code_queue[CODE_MAX] CS_COLD;
static struct added classes = {.most = CLASS_MAX, .text = class_texts, .gone = class_gone, .queue = class_queue};
static struct added codes = {.most = CODE_MAX, .text = code_texts, .gone = code_gone, .queue = code_queue};
static int last_code = MPI_ERR_LASTCODE;

int cs_emu_error_last_code(void)
{
    return last_code;
}

/* A number that is not in use; 0: there is none. */
static int take_number(struct added *a)
{
    if (a->ngone == 0)
        return a->n + 1 < a->most ? ++a->n : 0;
    int number = a->queue[a->first];
    a->first = (a->first + 1) % a->most;
    a->ngone--;
    assert(number > 0 && number <= a->n && a->gone[number]);
    a->gone[number] = false;
    return number;
}

static bool is_in_use(const struct added *a, int number)
{
    return number > 0 && number <= a->n && !a->gone[number];
}

static void delete_number(struct added *a, int number)
{
    assert(is_in_use(a, number) && a->ngone < a->most);
    free(a->text[number]);
    a->text[number] = NULL;
    a->gone[number] = true;
    a->queue[(a->first + a->ngone++) % a->most] = number;
}

/* The number of an added code, or 0 where a code is a class. */
static int code_number(int code)
{
    return (code & ~DYNAMIC) >> CODE_SHIFT;
}

/* Where the text of an added class or code is, or NULL if it is none. */
static char **added_text(int code)
{
    int number = code_number(code), class = code & CS_EMU_CLASS_BITS;

    if (code >= 0 && number > 0)
        return is_in_use(&codes, number) ? &codes.text[number] : NULL;
    return code >= 0 && (code & DYNAMIC) && is_in_use(&classes, class) ? &classes.text[class] : NULL;
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
    int number = errorclass ? take_number(&classes) : 0;

    if (!number)
        return cs_emu_error(NULL, errorclass ? MPI_ERR_OTHER : MPI_ERR_ARG, "MPI_Add_error_class");
    *errorclass = number | DYNAMIC;
    if (*errorclass > last_code)
        last_code = *errorclass;
    return MPI_SUCCESS;
}

CS_EMU_CALL(int, Add_error_code, (int errorclass, int *errorcode))
{
    int number = errorcode ? take_number(&codes) : 0;

    if (!number)
        return cs_emu_error(NULL, errorcode ? MPI_ERR_OTHER : MPI_ERR_ARG, "MPI_Add_error_code");
    *errorcode = errorclass | number << CODE_SHIFT;
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

/* ---- MPICH's extension: what was added can be deleted ---- */

static int delete_added(struct added *a, int number, const char *call)
{
    if (!is_in_use(a, number))
        return cs_emu_error(NULL, MPI_ERR_OTHER, call);
    delete_number(a, number);
    return MPI_SUCCESS;
}

CS_EMU_EXTENSION(int, Delete_error_class, (int errorclass))
{
    return delete_added(&classes, errorclass & ~DYNAMIC, "MPIX_Delete_error_class");
}

CS_EMU_EXTENSION(int, Delete_error_code, (int errorcode))
{
    return delete_added(&codes, code_number(errorcode), "MPIX_Delete_error_code");
}

CS_EMU_EXTENSION(int, Delete_error_string, (int errorcode))
{
    char **text = added_text(errorcode);

    if (!text)
        return cs_emu_error(NULL, MPI_ERR_OTHER, "MPIX_Delete_error_string");
    free(*text);
    *text = NULL;
    return MPI_SUCCESS;
}
