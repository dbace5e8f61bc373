/* SPDX-License-Identifier: BSD-3-Clause
 * Groups: making and comparing them, ranks in them, and their handles. The MPI calls on groups are in group_calls.c. */
#include "emulate/objects/group.h"

#include <stdbool.h>
#include <stdlib.h>

#include "emulate/world/handles.h"
#include "emulate/world/world.h"

static struct cs_emu_table handles = CS_EMU_TABLE(CS_EMU_GROUP, 0);
static struct cs_emu_group empty = {.refs = 1, .rank = MPI_UNDEFINED, .handle = MPI_GROUP_EMPTY};

static bool is_identity(int size, const int *world)
{
    for (int i = 0; i < size; i++)
        if (world[i] != i)
            return false;
    return true;
}

static bool ascends(int size, const int *world)
{
    for (int i = 1; i < size; i++)
        if (world[i] <= world[i - 1])
            return false;
    return true;
}

struct cs_emu_group *cs_emu_group_new(int size, int *world)
{
    struct cs_emu_group *g;

    if (size == 0) {
        free(world);
        return cs_emu_group_hold(&empty);
    }
    g = calloc(1, sizeof *g);
    if (!g) {
        free(world);
        return NULL;
    }
    if (world && is_identity(size, world)) {
        free(world);
        world = NULL;
    }
    g->refs = 1;
    g->size = size;
    g->world = world;
    g->ascending = !world || ascends(size, world);
    g->rank = cs_emu_group_find(g, cs_emu_rank());
    return g;
}

struct cs_emu_group *cs_emu_group_hold(struct cs_emu_group *g)
{
    g->refs++;
    return g;
}

void cs_emu_group_release(struct cs_emu_group *g)
{
    if (--g->refs > 0 || g == &empty)
        return;
    if (g->handle)
        cs_emu_handle_drop(&handles, g->handle);
    free(g->world);
    free(g);
}

struct cs_emu_group *cs_emu_group_of(MPI_Group handle)
{
    return handle == MPI_GROUP_EMPTY ? &empty : cs_emu_handle_get(&handles, handle);
}

MPI_Group cs_emu_group_handle(struct cs_emu_group *g)
{
    if (!g->handle)
        g->handle = cs_emu_handle_new(&handles, g);
    return g->handle ? g->handle : MPI_GROUP_NULL;
}

/* cs_emu_group_find in a group whose world ranks ascend. */
static int bisect(const struct cs_emu_group *g, int world)
{
    int low = 0, high = g->size;

    while (low < high) {
        int middle = low + (high - low) / 2;

        if (g->world[middle] < world)
            low = middle + 1;
        else
            high = middle;
    }
    return low < g->size && g->world[low] == world ? low : MPI_UNDEFINED;
}

int cs_emu_group_find(const struct cs_emu_group *g, int world)
{
    if (!g->world)
        return world >= 0 && world < g->size ? world : MPI_UNDEFINED;
    if (g->ascending)
        return bisect(g, world);
    for (int i = 0; i < g->size; i++)
        if (g->world[i] == world)
            return i;
    return MPI_UNDEFINED;
}

int *cs_emu_group_invert(const struct cs_emu_group *g)
{
    int *rank = calloc((size_t)cs_emu_nranks(), sizeof *rank);

    for (int i = 0; rank && i < g->size; i++)
        rank[cs_emu_group_world(g, i)] = i + 1;
    return rank;
}

/* Compares a group with another one of equal size, whose result of cs_emu_group_invert is `inverse`. */
static int compare(const struct cs_emu_group *a, const int *inverse)
{
    int result = MPI_IDENT;

    for (int i = 0; i < a->size; i++) {
        int there = inverse[cs_emu_group_world(a, i)] - 1;

        if (there < 0)
            return MPI_UNEQUAL;
        if (there != i)
            result = MPI_SIMILAR;
    }
    return result;
}

int cs_emu_group_compare(const struct cs_emu_group *a, const struct cs_emu_group *b, int *result)
{
    int *inverse;
    bool same = a == b || (!a->world && !b->world && a->size == b->size);

    *result = same ? MPI_IDENT : MPI_UNEQUAL;
    if (same || a->size != b->size)
        return 0;
    inverse = cs_emu_group_invert(b);
    if (!inverse)
        return -1;
    *result = compare(a, inverse);
    free(inverse);
    return 0;
}
