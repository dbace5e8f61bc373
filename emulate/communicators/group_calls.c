/* SPDX-License-Identifier: BSD-3-Clause
 * MPI's calls on groups.
 * Every result is an array of world ranks, from which group.c makes the group. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <mpi.h>

#include "emulate/errors/error.h"
#include "emulate/objects/group.h"
#include "emulate/world/entry.h"

/* The new group's handle, and what the call returns. Takes `world`. */
static int give(int size, int *world, MPI_Group *out, const char *call)
{
    struct cs_emu_group *g = cs_emu_group_new(size, world);

    if (!g)
        return cs_emu_error(NULL, MPI_ERR_NO_MEM, call);
    *out = cs_emu_group_handle(g);
    return MPI_SUCCESS;
}

/* Room for n world ranks, at least one. */
static int *room(int n)
{
    return malloc((n > 0 ? (size_t)n : 1) * sizeof(int));
}

/* Two valid groups and a place for the answer: 0 or an error class. */
static int check_pair(MPI_Group a, MPI_Group b, const void *out)
{
    if (!cs_emu_group_of(a) || !cs_emu_group_of(b))
        return MPI_ERR_GROUP;
    return out ? MPI_SUCCESS : MPI_ERR_ARG;
}

CS_EMU_CALL(int, Group_size, (MPI_Group group, int *size))
{
    struct cs_emu_group *g = cs_emu_group_of(group);

    if (!g || !size)
        return cs_emu_error(NULL, g ? MPI_ERR_ARG : MPI_ERR_GROUP, "MPI_Group_size");
    *size = g->size;
    return MPI_SUCCESS;
}

CS_EMU_CALL(int, Group_rank, (MPI_Group group, int *rank))
{
    struct cs_emu_group *g = cs_emu_group_of(group);

    if (!g || !rank)
        return cs_emu_error(NULL, g ? MPI_ERR_ARG : MPI_ERR_GROUP, "MPI_Group_rank");
    *rank = g->rank;
    return MPI_SUCCESS;
}

CS_EMU_CALL(int, Group_free, (MPI_Group * group))
{
    struct cs_emu_group *g = group ? cs_emu_group_of(*group) : NULL;

    if (!g)
        return cs_emu_error(NULL, group ? MPI_ERR_GROUP : MPI_ERR_ARG, "MPI_Group_free");
    if (*group != MPI_GROUP_EMPTY)
        cs_emu_group_release(g);
    *group = MPI_GROUP_NULL;
    return MPI_SUCCESS;
}

CS_EMU_CALL(int, Group_translate_ranks, (MPI_Group group1, int n, const int ranks1[], MPI_Group group2, int ranks2[]))
{
    struct cs_emu_group *a = cs_emu_group_of(group1), *b = cs_emu_group_of(group2);
    const char *call = "MPI_Group_translate_ranks";

    if (!a || !b)
        return cs_emu_error(NULL, MPI_ERR_GROUP, call);
    if (n < 0 || (n > 0 && (!ranks1 || !ranks2)))
        return cs_emu_error(NULL, MPI_ERR_ARG, call);
    for (int i = 0; i < n; i++)
        if (ranks1[i] != MPI_PROC_NULL && (ranks1[i] < 0 || ranks1[i] >= a->size))
            return cs_emu_error(NULL, MPI_ERR_RANK, call);
    for (int i = 0; i < n; i++)
        ranks2[i] = ranks1[i] == MPI_PROC_NULL ? MPI_PROC_NULL : cs_emu_group_find(b, cs_emu_group_world(a, ranks1[i]));
    return MPI_SUCCESS;
}

CS_EMU_CALL(int, Group_compare, (MPI_Group group1, MPI_Group group2, int *result))
{
    int class = check_pair(group1, group2, result);

    if (class != MPI_SUCCESS)
        return cs_emu_error(NULL, class, "MPI_Group_compare");
    if (cs_emu_group_compare(cs_emu_group_of(group1), cs_emu_group_of(group2), result) != 0)
        return cs_emu_error(NULL, MPI_ERR_NO_MEM, "MPI_Group_compare");
    return MPI_SUCCESS;
}

/* Appends to world[0..n) the members of a that are (or are not) in the group whose inverse is given. Returns the new
 * length. */
static int select_members(const struct cs_emu_group *a, const int *inverse, bool in, int *world, int n)
{
    for (int i = 0; i < a->size; i++) {
        int w = cs_emu_group_world(a, i);

        if ((inverse[w] != 0) == in)
            world[n++] = w;
    }
    return n;
}

/* The calls of two groups that give a third. */
enum set_operation { UNION, INTERSECTION, DIFFERENCE };

static int combine(MPI_Group group1, MPI_Group group2, MPI_Group *out, enum set_operation what, const char *call)
{
    int class = check_pair(group1, group2, out), n = 0, *world = NULL, *inverse = NULL, *of_first = NULL;
    struct cs_emu_group *a, *b;

    if (class != MPI_SUCCESS)
        return cs_emu_error(NULL, class, call);
    a = cs_emu_group_of(group1);
    b = cs_emu_group_of(group2);
    world = room(a->size + (what == UNION ? b->size : 0));
    inverse = cs_emu_group_invert(b);
    of_first = what == UNION ? cs_emu_group_invert(a) : NULL;
    if (!world || !inverse || (what == UNION && !of_first)) {
        free(world);
        free(inverse);
        free(of_first);
        return cs_emu_error(NULL, MPI_ERR_NO_MEM, call);
    }
    if (what == UNION) {
        for (n = 0; n < a->size; n++)
            world[n] = cs_emu_group_world(a, n);
        n = select_members(b, of_first, false, world, n);
    } else {
        n = select_members(a, inverse, what == INTERSECTION, world, 0);
    }
    free(inverse);
    free(of_first);
    return give(n, world, out, call);
}

CS_EMU_CALL(int, Group_union, (MPI_Group group1, MPI_Group group2, MPI_Group *newgroup))
{
    return combine(group1, group2, newgroup, UNION, "MPI_Group_union");
}

CS_EMU_CALL(int, Group_intersection, (MPI_Group group1, MPI_Group group2, MPI_Group *newgroup))
{
    return combine(group1, group2, newgroup, INTERSECTION, "MPI_Group_intersection");
}

CS_EMU_CALL(int, Group_difference, (MPI_Group group1, MPI_Group group2, MPI_Group *newgroup))
{
    return combine(group1, group2, newgroup, DIFFERENCE, "MPI_Group_difference");
}

/* Marks the listed ranks of g in `listed`; an error class for one that is not there or twice. */
static int list_ranks(const struct cs_emu_group *g, int n, const int ranks[], char *listed)
{
    for (int i = 0; i < n; i++) {
        if (ranks[i] < 0 || ranks[i] >= g->size || listed[ranks[i]])
            return MPI_ERR_RANK;
        listed[ranks[i]] = 1;
    }
    return MPI_SUCCESS;
}

/* One range of ranks as MPICH checks it; how many it has in *n. */
static int check_range(const struct cs_emu_group *g, const int range[3], int *n)
{
    int first = range[0], last = range[1], stride = range[2];

    if (first < 0 || first >= g->size || stride == 0 || last < 0)
        return MPI_ERR_ARG;
    if ((stride > 0 && first > last) || (stride < 0 && first < last))
        return MPI_ERR_ARG;
    *n = (last - first) / stride + 1;
    return first + (*n - 1) * stride < g->size ? MPI_SUCCESS : MPI_ERR_ARG;
}

/* Writes the ranges out as ranks, in order. *ranks has room for g->size. */
static int list_ranges(const struct cs_emu_group *g, int n, int ranges[][3], int *ranks, int *count, char *listed)
{
    *count = 0;
    for (int i = 0; i < n; i++) {
        int members = 0, class = check_range(g, ranges[i], &members);

        if (class != MPI_SUCCESS)
            return class;
        for (int k = 0; k < members; k++) {
            int r = ranges[i][0] + k * ranges[i][2];

            if (listed[r])
                return MPI_ERR_ARG;
            listed[r] = 1;
            ranks[(*count)++] = r;
        }
    }
    return MPI_SUCCESS;
}

/* The group of the ranks listed, in their order, or of those that are not listed. */
static int pick(const struct cs_emu_group *g, int n, const int *ranks, const char *listed, bool include, MPI_Group *out,
                const char *call)
{
    int count = 0, *world = room(include ? n : g->size);

    if (!world)
        return cs_emu_error(NULL, MPI_ERR_NO_MEM, call);
    if (include) {
        for (count = 0; count < n; count++)
            world[count] = cs_emu_group_world(g, ranks[count]);
    } else {
        for (int i = 0; i < g->size; i++)
            if (!listed[i])
                world[count++] = cs_emu_group_world(g, i);
    }
    return give(count, world, out, call);
}

static int by_ranks(MPI_Group group, int n, const int ranks[], bool include, MPI_Group *out, const char *call)
{
    struct cs_emu_group *g = cs_emu_group_of(group);
    char *listed;
    int result;

    if (!g)
        return cs_emu_error(NULL, MPI_ERR_GROUP, call);
    if (n < 0 || (n > 0 && !ranks) || !out)
        return cs_emu_error(NULL, MPI_ERR_ARG, call);
    listed = calloc((size_t)g->size + 1, 1);
    if (!listed)
        return cs_emu_error(NULL, MPI_ERR_NO_MEM, call);
    result = list_ranks(g, n, ranks, listed);
    result = result == MPI_SUCCESS ? pick(g, n, ranks, listed, include, out, call) : cs_emu_error(NULL, result, call);
    free(listed);
    return result;
}

CS_EMU_CALL(int, Group_incl, (MPI_Group group, int n, const int ranks[], MPI_Group *newgroup))
{
    return by_ranks(group, n, ranks, true, newgroup, "MPI_Group_incl");
}

CS_EMU_CALL(int, Group_excl, (MPI_Group group, int n, const int ranks[], MPI_Group *newgroup))
{
    return by_ranks(group, n, ranks, false, newgroup, "MPI_Group_excl");
}

static int by_ranges(MPI_Group group, int n, int ranges[][3], bool include, MPI_Group *out, const char *call)
{
    struct cs_emu_group *g = cs_emu_group_of(group);
    int *ranks, count, result = MPI_ERR_NO_MEM;
    char *listed;

    if (!g)
        return cs_emu_error(NULL, MPI_ERR_GROUP, call);
    if (n < 0 || (n > 0 && !ranges) || !out)
        return cs_emu_error(NULL, MPI_ERR_ARG, call);
    listed = calloc((size_t)g->size + 1, 1);
    ranks = room(g->size);
    if (listed && ranks)
        result = list_ranges(g, n, ranges, ranks, &count, listed);
    result =
        result == MPI_SUCCESS ? pick(g, count, ranks, listed, include, out, call) : cs_emu_error(NULL, result, call);
    free(ranks);
    free(listed);
    return result;
}

CS_EMU_CALL(int, Group_range_incl, (MPI_Group group, int n, int ranges[][3], MPI_Group *newgroup))
{
    return by_ranges(group, n, ranges, true, newgroup, "MPI_Group_range_incl");
}

CS_EMU_CALL(int, Group_range_excl, (MPI_Group group, int n, int ranges[][3], MPI_Group *newgroup))
{
    return by_ranges(group, n, ranges, false, newgroup, "MPI_Group_range_excl");
}
