/* SPDX-License-Identifier: BSD-3-Clause
 * What a program asks about a communicator, and its name and info.
 * Nothing here talks to other ranks. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <mpi.h>

#include "emulate/communicators/comm_hints_internal.h"
#include "emulate/errors/error.h"
#include "emulate/objects/comm.h"
#include "emulate/objects/info_object.h"
#include "emulate/world/entry.h"

CS_EMU_CALL(int, Comm_rank, (MPI_Comm comm, int *rank))
{
    struct cs_emu_comm *c = cs_emu_comm_of(comm);

    if (!c || !rank)
        return cs_emu_comm_error(c, c ? MPI_ERR_ARG : MPI_ERR_COMM, "MPI_Comm_rank");
    *rank = c->rank;
    return MPI_SUCCESS;
}

CS_EMU_CALL(int, Comm_size, (MPI_Comm comm, int *size))
{
    struct cs_emu_comm *c = cs_emu_comm_of(comm);

    if (!c || !size)
        return cs_emu_comm_error(c, c ? MPI_ERR_ARG : MPI_ERR_COMM, "MPI_Comm_size");
    *size = c->local->size;
    return MPI_SUCCESS;
}

CS_EMU_CALL(int, Comm_test_inter, (MPI_Comm comm, int *flag))
{
    struct cs_emu_comm *c = cs_emu_comm_of(comm);

    if (!c || !flag)
        return cs_emu_comm_error(c, c ? MPI_ERR_ARG : MPI_ERR_COMM, "MPI_Comm_test_inter");
    *flag = c->inter;
    return MPI_SUCCESS;
}

CS_EMU_CALL(int, Comm_remote_size, (MPI_Comm comm, int *size))
{
    struct cs_emu_comm *c = cs_emu_comm_of(comm);

    /* MPICH answers for a communicator with one group, too. */
    if (!c || !size)
        return cs_emu_comm_error(c, c ? MPI_ERR_ARG : MPI_ERR_COMM, "MPI_Comm_remote_size");
    *size = c->remote->size;
    return MPI_SUCCESS;
}

static int give_group(struct cs_emu_group *g, MPI_Group *out)
{
    *out = cs_emu_group_handle(cs_emu_group_hold(g));
    return MPI_SUCCESS;
}

CS_EMU_CALL(int, Comm_group, (MPI_Comm comm, MPI_Group *group))
{
    struct cs_emu_comm *c = cs_emu_comm_of(comm);

    if (!c || !group)
        return cs_emu_comm_error(c, c ? MPI_ERR_ARG : MPI_ERR_COMM, "MPI_Comm_group");
    return give_group(c->local, group);
}

CS_EMU_CALL(int, Comm_remote_group, (MPI_Comm comm, MPI_Group *group))
{
    struct cs_emu_comm *c = cs_emu_comm_of(comm);

    if (!c || !c->inter || !group)
        return cs_emu_comm_error(c, c && c->inter ? MPI_ERR_ARG : MPI_ERR_COMM, "MPI_Comm_remote_group");
    return give_group(c->remote, group);
}

/* MPI_CONGRUENT for the same members in the same order, and so on. -1 when memory is out. */
static int compare(const struct cs_emu_comm *a, const struct cs_emu_comm *b, int *result)
{
    int local, remote = MPI_IDENT;

    *result = a == b ? MPI_IDENT : MPI_UNEQUAL;
    if (a == b || a->inter != b->inter)
        return 0;
    if (cs_emu_group_compare(a->local, b->local, &local) != 0 ||
        (a->inter && cs_emu_group_compare(a->remote, b->remote, &remote) != 0))
        return -1;
    if (local == MPI_UNEQUAL || remote == MPI_UNEQUAL)
        *result = MPI_UNEQUAL;
    else
        *result = local == MPI_IDENT && remote == MPI_IDENT ? MPI_CONGRUENT : MPI_SIMILAR;
    return 0;
}

CS_EMU_CALL(int, Comm_compare, (MPI_Comm comm1, MPI_Comm comm2, int *result))
{
    struct cs_emu_comm *a = cs_emu_comm_of(comm1), *b = cs_emu_comm_of(comm2);

    if (!a || !b || !result)
        return cs_emu_comm_error(a, a && b ? MPI_ERR_ARG : MPI_ERR_COMM, "MPI_Comm_compare");
    if (compare(a, b, result) != 0)
        return cs_emu_comm_error(a, MPI_ERR_NO_MEM, "MPI_Comm_compare");
    return MPI_SUCCESS;
}

CS_EMU_CALL(int, Comm_set_name, (MPI_Comm comm, const char *name))
{
    struct cs_emu_comm *c = cs_emu_comm_of(comm);
    char *copy;

    if (!c || !name)
        return cs_emu_comm_error(c, c ? MPI_ERR_ARG : MPI_ERR_COMM, "MPI_Comm_set_name");
    copy = strndup(name, MPI_MAX_OBJECT_NAME - 1);
    if (!copy)
        return cs_emu_comm_error(c, MPI_ERR_NO_MEM, "MPI_Comm_set_name");
    free(c->name);
    c->name = copy;
    return MPI_SUCCESS;
}

static const char *name_of(MPI_Comm comm, const struct cs_emu_comm *c)
{
    if (c && c->name)
        return c->name;
    if (comm == MPI_COMM_WORLD)
        return "MPI_COMM_WORLD";
    return comm == MPI_COMM_SELF ? "MPI_COMM_SELF" : "";
}

CS_EMU_CALL(int, Comm_get_name, (MPI_Comm comm, char *name, int *length))
{
    struct cs_emu_comm *c = cs_emu_comm_of(comm);

    if (!c && comm != MPI_COMM_NULL)
        return cs_emu_error(NULL, MPI_ERR_COMM, "MPI_Comm_get_name");
    if (!name || !length)
        return cs_emu_comm_error(c, MPI_ERR_ARG, "MPI_Comm_get_name");
    *length = snprintf(name, MPI_MAX_OBJECT_NAME, "%s", comm == MPI_COMM_NULL ? "MPI_COMM_NULL" : name_of(comm, c));
    return MPI_SUCCESS;
}

CS_EMU_CALL(int, Comm_set_info, (MPI_Comm comm, MPI_Info info))
{
    struct cs_emu_comm *c = cs_emu_comm_of(comm);

    if (!c || !cs_emu_info_valid(info))
        return cs_emu_comm_error(c, c ? MPI_ERR_INFO : MPI_ERR_COMM, "MPI_Comm_set_info");
    int class = cs_emu_comm_take_hints(c, info);
    return class == MPI_SUCCESS ? class : cs_emu_comm_error(c, class, "MPI_Comm_set_info");
}

CS_EMU_CALL(int, Comm_get_info, (MPI_Comm comm, MPI_Info *info))
{
    struct cs_emu_comm *c = cs_emu_comm_of(comm);

    if (!c || !info)
        return cs_emu_comm_error(c, c ? MPI_ERR_ARG : MPI_ERR_COMM, "MPI_Comm_get_info");
    *info = cs_emu_comm_hints(c);
    return *info == MPI_INFO_NULL ? cs_emu_comm_error(c, MPI_ERR_NO_MEM, "MPI_Comm_get_info") : MPI_SUCCESS;
}
