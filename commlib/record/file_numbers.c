/* SPDX-License-Identifier: BSD-3-Clause
 * A list of open files, by number; file_numbers.h. Programs have few of them open at a time. */
#include "commlib/record/file_numbers.h"

#include <errno.h>
#include <stdlib.h>

#include "base/grow.h"
#include "commlib/record/trace_file.h"
#include "commlib/state/lock.h"
#include "trace/format/fields.h"

/* By number; MPI_FILE_NULL where a number is free. */
static MPI_File *files;
static size_t nfiles, cap;

int64_t cs_file_number(MPI_File f)
{
    for (size_t i = 0; f != MPI_FILE_NULL && i < nfiles; i++)
        if (files[i] == f)
            return (int64_t)i;
    return CS_NO_HANDLE;
}

static void replace(MPI_File old, MPI_File with)
{
    size_t i = 0;
    while (i < nfiles && files[i] != old)
        i++;
    if (i < nfiles)
        files[i] = with;
    else if (with != MPI_FILE_NULL && CS_MAKE_ROOM(files, nfiles, cap))
        files[nfiles++] = with;
    else if (with != MPI_FILE_NULL)
        cs_trace_file_lose(ENOMEM);
}

void cs_file_opened(MPI_File f)
{
    cs_lock();
    replace(MPI_FILE_NULL, f);
    cs_unlock();
}

void cs_file_closed(MPI_File f)
{
    cs_lock();
    replace(f, MPI_FILE_NULL);
    cs_unlock();
}
