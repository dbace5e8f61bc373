/* SPDX-License-Identifier: BSD-3-Clause
 * MPI's calls on statuses: counts of elements, "cancelled", and conversions between C and Fortran. */
#include <limits.h>
#include <string.h>

#include "emulate/errors/error.h"
#include "emulate/messages/status.h"
#include "emulate/types/type.h"
#include "emulate/world/entry.h"

static int check(const MPI_Status *s, MPI_Datatype t, const void *out)
{
    if (cs_emu_type_size(t) < 0)
        return MPI_ERR_TYPE;
    return s && s != MPI_STATUS_IGNORE && out ? MPI_SUCCESS : MPI_ERR_ARG;
}

static int as_int(int64_t n)
{
    return n > INT_MAX ? MPI_UNDEFINED : (int)n;
}

static int get_count(const MPI_Status *status, MPI_Datatype datatype, MPI_Count *count, const char *call)
{
    int class = check(status, datatype, count);
    int64_t bytes, size;

    if (class != MPI_SUCCESS)
        return cs_emu_error(NULL, class, call);
    bytes = cs_emu_status_bytes(status);
    size = cs_emu_type_size(datatype);
    if (size == 0)
        *count = bytes == 0 ? 0 : MPI_UNDEFINED;
    else
        *count = bytes % size == 0 ? bytes / size : MPI_UNDEFINED;
    return MPI_SUCCESS;
}

CS_EMU_CALL(int, Get_count, (const MPI_Status *status, MPI_Datatype datatype, int *count))
{
    MPI_Count n = 0;
    int result = get_count(status, datatype, count ? &n : NULL, "MPI_Get_count");

    if (result == MPI_SUCCESS)
        *count = as_int(n);
    return result;
}

CS_EMU_CALL(int, Get_count_c, (const MPI_Status *status, MPI_Datatype datatype, MPI_Count *count))
{
    return get_count(status, datatype, count, "MPI_Get_count_c");
}

static int get_elements(const MPI_Status *status, MPI_Datatype datatype, MPI_Count *count, const char *call)
{
    int class = check(status, datatype, count);

    if (class != MPI_SUCCESS)
        return cs_emu_error(NULL, class, call);
    *count = cs_emu_type_elements(datatype, cs_emu_status_bytes(status));
    /* Bytes that make no whole element are not counted, as with MPICH; MPI would have "undefined". */
    return MPI_SUCCESS;
}

CS_EMU_CALL(int, Get_elements_x, (const MPI_Status *status, MPI_Datatype datatype, MPI_Count *count))
{
    return get_elements(status, datatype, count, "MPI_Get_elements_x");
}

CS_EMU_CALL(int, Get_elements_c, (const MPI_Status *status, MPI_Datatype datatype, MPI_Count *count))
{
    return get_elements(status, datatype, count, "MPI_Get_elements_c");
}

CS_EMU_CALL(int, Get_elements, (const MPI_Status *status, MPI_Datatype datatype, int *count))
{
    MPI_Count n = 0;
    int result = get_elements(status, datatype, count ? &n : NULL, "MPI_Get_elements");

    if (result == MPI_SUCCESS)
        *count = as_int(n);
    return result;
}

static int set_elements(MPI_Status *status, MPI_Datatype datatype, MPI_Count count, const char *call)
{
    int class = check(status, datatype, &count);

    if (class == MPI_SUCCESS && (count < 0 || cs_emu_type_bytes(datatype, count) == INT64_MAX))
        class = MPI_ERR_COUNT;
    if (class != MPI_SUCCESS)
        return cs_emu_error(NULL, class, call);
    cs_emu_status_set_bytes(status, count * cs_emu_type_size(datatype));
    return MPI_SUCCESS;
}

CS_EMU_CALL(int, Status_set_elements, (MPI_Status * status, MPI_Datatype datatype, int count))
{
    return set_elements(status, datatype, count, "MPI_Status_set_elements");
}

CS_EMU_CALL(int, Status_set_elements_x, (MPI_Status * status, MPI_Datatype datatype, MPI_Count count))
{
    return set_elements(status, datatype, count, "MPI_Status_set_elements_x");
}

CS_EMU_CALL(int, Status_set_cancelled, (MPI_Status * status, int flag))
{
    if (!status || status == MPI_STATUS_IGNORE)
        return cs_emu_error(NULL, MPI_ERR_ARG, "MPI_Status_set_cancelled");
    status->count_hi_and_cancelled = (status->count_hi_and_cancelled & ~1) | (flag != 0);
    return MPI_SUCCESS;
}

CS_EMU_CALL(int, Test_cancelled, (const MPI_Status *status, int *flag))
{
    if (!status || status == MPI_STATUS_IGNORE || !flag)
        return cs_emu_error(NULL, MPI_ERR_ARG, "MPI_Test_cancelled");
    *flag = status->count_hi_and_cancelled & 1;
    return MPI_SUCCESS;
}

/* Statuses look the same in C and in both kinds of Fortran. */
CS_EMU_CALL(int, Status_c2f, (const MPI_Status *c, MPI_Fint *f))
{
    if (!c || c == MPI_STATUS_IGNORE || !f)
        return cs_emu_error(NULL, MPI_ERR_OTHER, "MPI_Status_c2f");
    memcpy(f, c, sizeof *c);
    return MPI_SUCCESS;
}

CS_EMU_CALL(int, Status_f2c, (const MPI_Fint *f, MPI_Status *c))
{
    if (!f || f == MPI_F_STATUS_IGNORE || !c)
        return cs_emu_error(NULL, MPI_ERR_OTHER, "MPI_Status_f2c");
    memcpy(c, f, sizeof *c);
    return MPI_SUCCESS;
}

/* MPICH has the next two in its Fortran library: ours come first, and say the same. */
CS_EMU_CALL(int, Status_c2f08, (const MPI_Status *c, MPI_F08_status *f08))
{
    if (!c || c == MPI_STATUS_IGNORE || !f08)
        return cs_emu_error(NULL, MPI_ERR_OTHER, "MPI_Status_c2f08");
    memcpy(f08, c, sizeof *c);
    return MPI_SUCCESS;
}

CS_EMU_CALL(int, Status_f082c, (const MPI_F08_status *f08, MPI_Status *c))
{
    if (!f08 || f08 == MPI_F08_STATUS_IGNORE || !c)
        return cs_emu_error(NULL, MPI_ERR_OTHER, "MPI_Status_f082c");
    memcpy(c, f08, sizeof *c);
    return MPI_SUCCESS;
}

CS_EMU_CALL(int, Status_f2f08, (const MPI_Fint *f, MPI_F08_status *f08))
{
    if (!f || f == MPI_F_STATUS_IGNORE || !f08)
        return cs_emu_error(NULL, MPI_ERR_OTHER, "MPI_Status_f2f08");
    memcpy(f08, f, sizeof *f08);
    return MPI_SUCCESS;
}

CS_EMU_CALL(int, Status_f082f, (const MPI_F08_status *f08, MPI_Fint *f))
{
    if (!f08 || f08 == MPI_F08_STATUS_IGNORE || !f)
        return cs_emu_error(NULL, MPI_ERR_OTHER, "MPI_Status_f082f");
    memcpy(f, f08, sizeof *f08);
    return MPI_SUCCESS;
}
