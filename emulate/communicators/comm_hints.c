/* SPDX-License-Identifier: BSD-3-Clause
 * Which hints there are, and what they are by default. None of them changes what this library does. */
#include "emulate/communicators/comm_hints_internal.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "emulate/objects/comm.h"
#include "emulate/objects/info_object.h"

/* How the value of a hint is read. */
enum kind { TRUTH, NUMBER, FIXED }; /* FIXED: about MPICH's network, cannot be set here */

/* In the order in which MPICH lists them. */
static const struct hint {
    const char *key;
    enum kind kind;
    const char *otherwise; /* the value while none is set */
} hints[] = {
    {"mpi_assert_no_any_tag", TRUTH, "false"},
    {"mpi_assert_no_any_source", TRUTH, "false"},
    {"mpi_assert_exact_length", TRUTH, "false"},
    {"mpi_assert_allow_overtaking", TRUTH, "false"},
    {"enable_multi_nic_striping", TRUTH, "true"},
    {"enable_multi_nic_hashing", TRUTH, "true"},
    {"multi_nic_pref_nic", NUMBER, "-1"},
    {"sender_vci", FIXED, "-1"},
    {"receiver_vci", FIXED, "-1"},
    {"vci", FIXED, "-1"},
};
/* Entries of `hints`. */
enum { NHINTS = sizeof hints / sizeof hints[0] };

/* The value as MPICH gives it back: what is no truth value is read as a number. */
static const char *normal(const struct hint *h, const char *value, char *buf, size_t len)
{
    if (h->kind == TRUTH)
        return strcmp(value, "true") == 0 || (strcmp(value, "false") != 0 && atoi(value)) ? "true" : "false";
    snprintf(buf, len, "%d", atoi(value));
    return buf;
}

int cs_emu_comm_take_hints(struct cs_emu_comm *c, MPI_Info info)
{
    for (int i = 0; info != MPI_INFO_NULL && i < NHINTS; i++) {
        char number[16];
        const char *value = hints[i].kind == FIXED ? NULL : cs_emu_info_find(info, hints[i].key);
        if (!value)
            continue;
        if (c->info == MPI_INFO_NULL && (c->info = cs_emu_info_new()) == MPI_INFO_NULL)
            return MPI_ERR_NO_MEM;
        if (!cs_emu_info_set(c->info, hints[i].key, normal(&hints[i], value, number, sizeof number)))
            return MPI_ERR_NO_MEM;
    }
    return MPI_SUCCESS;
}

MPI_Info cs_emu_comm_hints(const struct cs_emu_comm *c)
{
    MPI_Info info = cs_emu_info_new();
    for (int i = 0; info != MPI_INFO_NULL && i < NHINTS; i++) {
        const char *own = cs_emu_info_find(c->info, hints[i].key);
        if (cs_emu_info_set(info, hints[i].key, own ? own : hints[i].otherwise))
            continue;
        cs_emu_info_free(info);
        info = MPI_INFO_NULL;
    }
    return info;
}
